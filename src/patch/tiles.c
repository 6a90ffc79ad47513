// A mesh in anything with an inside: it presses with the part of its surface that is in there,
//
//     W = integral of d^2/2 over that part,     force on the other shape: d against its outer normals,
//
// d the depth in the other shape: below a plane, in what is round without creases (soft.h), in a mesh that of a spline
// through its distances (geometry/mesh_field.h). The gradient of W is that integral and nothing else, as d is 0 where
// the part ends. Of two meshes with an inside each presses into the other with half of the force, so that it does not
// matter which of them is fine or sharp.
#include "patch/tiles.h"

#include "narrow/closed.h"
#include "geometry/samples.h"
#include "meshgap/meshgap.h"
#include "patch/deep.h"
#include "patch/fields.h"
#include "patch/scales.h"
#include "patch/table.h"

typedef struct Pressing {
    const caromStiffening *stiff;  // NULL: the law alone
    caromPatch *patch;             // NULL: the energy alone
    bool of_a;                     // the mesh is a
    bool is_through;
    double energy, depth;
} Pressing;

typedef struct TileCorners {
    double depth[CAROM_TILE_CORNERS], weight[CAROM_TILE_CORNERS];
    caromVec3 gradient[CAROM_TILE_CORNERS];  // of distance
} TileCorners;

static bool is_clear(const caromTileSide *s, caromVec3 centre, double radius, void *user)
{
    (void)user;
    caromTileRange range = carom_patch_tile_range(s, centre);
    if (range.least > radius || range.most <= radius) return range.least > radius;
    return carom_patch_tile_bound(s, centre, radius) > 0.0;
}

static bool may_be_inside(const caromTileSide *s, const caromTileBlock *b)
{
    for (int i = 0; i < b->ncorner; i++) if (carom_patch_tile_range(s, b->p[i]).least < 0.0) return true;
    return false;
}

// The largest depth of any corner. Most corners are outside: a field is asked for gradients where something presses.
static double measure(const caromTileSide *s, const caromTileBlock *b, TileCorners *c)
{
    double deepest = -(double)INFINITY;
    for (int i = 0; i < b->ncorner; i++) {
        double distance;
        carom_patch_tile_distance(s, b->p[i], &distance, s->field ? NULL : &c->gradient[i]);
        c->depth[i] = -distance;
        c->weight[i] = 0.0;
        deepest = fmax(deepest, -distance);
    }
    return deepest;
}

static void find_gradients(const caromTileSide *s, const caromTileBlock *b, TileCorners *c)
{
    double distance;
    for (int i = 0; s->field && i < b->ncorner; i++)
        if (c->weight[i] > 0.0) carom_patch_tile_distance(s, b->p[i], &distance, &c->gradient[i]);
}

// What acts beyond the law stands at the corners, each with a third of the tile.
static void stiffen_corners(Pressing *p, const uint8_t corner[3], double third, TileCorners *c)
{
    for (int k = 0; k < 3; k++) {
        double depth = c->depth[corner[k]];
        if (!(depth > p->stiff->from)) continue;
        p->energy += third*p->stiff->from*carom_patch_steep_integral(p->stiff, depth);
        c->weight[corner[k]] += third*p->stiff->from*carom_patch_steep(p->stiff, depth);
    }
}

// The corners of a tile with one inside are in the band of the field (carom_geometry_tile_side).
static void weigh(Pressing *p, const caromTileBlock *b, double share, TileCorners *c)
{
    for (int i = 0; i < b->ntile; i++) {
        const uint8_t *corner = b->corner[i];
        double depth[3] = { c->depth[corner[0]], c->depth[corner[1]], c->depth[corner[2]] };
        if (!(depth[0] > 0.0 || depth[1] > 0.0 || depth[2] > 0.0)) continue;
        caromTile tile = carom_patch_tile(depth);
        p->energy += share*b->area[i]*tile.energy;
        for (int k = 0; k < 3; k++) c->weight[corner[k]] += share*b->area[i]*tile.slope[k];
        if (p->stiff) stiffen_corners(p, corner, share*b->area[i]/3.0, c);
    }
}

// What the corners of a block press with, half way between the surfaces.
typedef struct BlockForce {
    caromVec3 force, torque;  // about the centre
    caromVec3 centre;
    double total;             // of the sizes of the forces
} BlockForce;

static bool has_force(const TileCorners *c, int i)
{
    return c->weight[i] > 0.0 && carom_norm2(c->gradient[i]) > 0.0;
}

static caromVec3 half_way(const caromTileBlock *b, const TileCorners *c, int i)
{
    return carom_axpy(0.5*c->depth[i]/carom_norm(c->gradient[i]), c->gradient[i], b->p[i]);
}

static BlockForce force_of(const caromTileBlock *b, const TileCorners *c)
{
    BlockForce f = { 0 };
    for (int i = 0; i < b->ncorner; i++) {
        if (!has_force(c, i)) continue;
        double size = c->weight[i]*carom_norm(c->gradient[i]);
        f.total += size;
        f.force = carom_axpy(c->weight[i], c->gradient[i], f.force);
        f.centre = carom_axpy(size, half_way(b, c, i), f.centre);
    }
    if (!(f.total > 0.0)) return f;
    f.centre = carom_scale(1.0/f.total, f.centre);
    for (int i = 0; i < b->ncorner; i++) {
        if (!has_force(c, i)) continue;
        caromVec3 at = carom_sub(half_way(b, c, i), f.centre);
        f.torque = carom_add(f.torque, carom_cross(at, carom_scale(c->weight[i], c->gradient[i])));
    }
    return f;
}

static void add_cell(Pressing *p, const caromTileSide *s, caromVec3 at, caromVec3 force)
{
    double size = carom_norm(force);
    if (!(size > 0.0)) return;
    caromVec3 n = carom_mul(s->X_W.R, carom_scale(1.0/size, force));
    caromCell cell = { carom_pose_point(s->X_W, at), p->of_a ? carom_neg(n) : n, size };
    carom_patch_cell(p->patch, &cell);
}

// Two forces are enough for any force and torque: at -+a e1 about the axis of the wrench, tilted across by -+x, where a
// is how far the pressure is spread along e1, a direction fixed in the block, and x = couple/(a force).
static void add_pair(Pressing *p, const caromTileSide *s, const caromTileBlock *b, const TileCorners *c,
                     const BlockForce *f)
{
    double size = carom_norm(f->force), spread = 0.0;
    caromVec3 n = carom_scale(1.0/size, f->force), side = carom_sub(b->p[1], b->p[0]),
              e1 = carom_unit_or(carom_axpy(-carom_dot(side, n), n, side), carom_geometry_square_to(n)),
              middle = carom_axpy(1.0/size, carom_cross(n, f->torque), f->centre);
    for (int i = 0; i < b->ncorner; i++) {
        if (!has_force(c, i)) continue;
        double along = carom_dot(e1, carom_sub(half_way(b, c, i), middle));
        spread += c->weight[i]*carom_norm(c->gradient[i])*along*along;
    }
    double a = sqrt(spread/f->total), couple = a > 0.0 ? carom_dot(n, f->torque)/a : 0.0;
    caromVec3 tilt = carom_scale(0.5*couple, carom_cross(n, e1)), half = carom_scale(0.5, f->force);
    add_cell(p, s, carom_axpy(a, e1, middle), carom_add(half, tilt));
    add_cell(p, s, carom_axpy(-a, e1, middle), carom_sub(half, tilt));
}

// A cell for each corner where they press against each other.
static void add_cells(Pressing *p, const caromTileSide *s, const caromTileBlock *b, const TileCorners *c)
{
    BlockForce f = force_of(b, c);
    if (carom_norm(f.force) > CAROM_PATCH_TILE_ALONG*f.total) {
        add_pair(p, s, b, c, &f);
        return;
    }
    for (int i = 0; i < b->ncorner; i++)
        if (has_force(c, i)) add_cell(p, s, half_way(b, c, i), carom_scale(c->weight[i], c->gradient[i]));
}

static void press(const caromTileSide *s, const caromTileBlock *b, void *user)
{
    Pressing *p = user;
    TileCorners c;
    if (!may_be_inside(s, b)) return;
    double deepest = measure(s, b, &c);
    if (!(deepest > 0.0)) return;
    p->depth = fmax(p->depth, deepest);
    p->is_through = p->is_through || !(deepest < (p->stiff ? p->stiff->to : (double)INFINITY));
    if (p->is_through) return;
    weigh(p, b, s->share, &c);
    if (!p->patch) return;
    find_gradients(s, b, &c);
    add_cells(p, s, b, &c);
}

static Pressing pressed(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                        const caromStiffening *stiff, caromPatch *patch)
{
    Pressing p = { .stiff = stiff, .patch = patch };
    caromTileSide on_a = carom_patch_tile_side(a, X_WA, b, X_WB), on_b = carom_patch_tile_side(b, X_WB, a, X_WA);
    caromTileVisitor visitor = { is_clear, press, &p };
    p.of_a = true;
    if (on_a.share > 0.0) carom_patch_tile_blocks(&on_a, &visitor);
    p.of_a = false;
    if (on_b.share > 0.0) carom_patch_tile_blocks(&on_b, &visitor);
    return p;
}

static void tiles_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    carom_patch_clear(patch);
    Pressing p = pressed(a, X_WA, b, X_WB, NULL, patch);
    patch->depth = p.depth;
    patch->is_through = p.is_through;
}

static double tiles_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    return pressed(a, X_WA, b, X_WB, NULL, NULL).energy;
}

// ---- deep

static void stiffen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch)
{
    patch->is_through = !(patch->depth < s->to);
    if (patch->depth <= s->from || patch->is_through) return;
    patch->ncell = 0;
    pressed(a, X_WA, b, X_WB, s, patch);
}

static double stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s)
{
    Pressing law = pressed(a, X_WA, b, X_WB, NULL, NULL);
    if (!(law.depth > s->from)) return 0.0;
    return law.depth < s->to ? pressed(a, X_WA, b, X_WB, s, NULL).energy - law.energy : (double)INFINITY;
}

// ---- gap

typedef struct ClosestTile {
    double g;
    caromVec3 p, n;  // the corner, and the outer normal of the other shape, in its frame
} ClosestTile;

static bool is_farther(const caromTileSide *s, caromVec3 centre, double radius, void *user)
{
    const ClosestTile *best = user;
    return carom_patch_tile_bound(s, centre, radius) >= best->g;
}

static void take_closest(const caromTileSide *s, const caromTileBlock *b, void *user)
{
    ClosestTile *best = user;
    for (int i = 0; i < b->ncorner; i++) {
        double g;
        caromVec3 n = { 0, 0, 1 };
        carom_patch_tile_distance(s, b->p[i], &g, &n);
        if (g < best->g) *best = (ClosestTile){ fmax(g, s->field ? -s->field->inner : g), b->p[i], n };
    }
}

typedef struct TileItem {
    int node;
    double bound;
} TileItem;

static TileItem item_of(const caromTileSide *s, int node)
{
    const caromMeshNode *at = &s->mesh->tree.nodes[node];
    caromVec3 centre = carom_add(s->t, carom_mul(s->R, at->centre));
    return (TileItem){ node, carom_patch_tile_bound(s, centre, carom_norm(at->half)) };
}

// The corner with the least distance, by branch and bound.
static ClosestTile closest_of(const caromTileSide *s)
{
    ClosestTile best = { .g = INFINITY };
    caromTileVisitor visitor = { is_farther, take_closest, &best };
    TileItem stack[CAROM_MESH_DEPTH_MAX + 1] = { { 0, -INFINITY } };
    int n = 1;
    while (n > 0) {
        TileItem top = stack[--n];
        const caromMeshNode *node = &s->mesh->tree.nodes[top.node];
        if (top.bound >= best.g) continue;
        if (node->count > 0) {
            carom_patch_tile_leaf(s, node, &visitor);
            continue;
        }
        TileItem a = item_of(s, node->first), b = item_of(s, node->first + 1);
        stack[n++] = a.bound <= b.bound ? b : a;
        stack[n++] = a.bound <= b.bound ? a : b;
    }
    return best;
}

static double slack_of(const caromTileSide *s)
{
    return s->field ? s->field->slack : 0.0;
}

// Two meshes so far apart that no corner has entered have the gap of their shapes, which is found sooner.
static bool are_apart(const caromTileSide *on_a, const caromTileSide *on_b, caromGap *gap)
{
    caromPose X_WA = on_b->X_W, X_WB = on_a->X_W;
    if (on_a->into->kind != CAROM_MESH || on_b->into->kind != CAROM_MESH) return false;
    return carom_meshgap_apart(on_b->into, &X_WA, on_a->into, &X_WB, gap) &&
           gap->g > fmax(slack_of(on_a), slack_of(on_b));
}

// Force begins where the first corner enters the other shape: there the gap ends.
static bool tiles_gap(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromGap *gap)
{
    caromTileSide on_a = carom_patch_tile_side(a, X_WA, b, X_WB), on_b = carom_patch_tile_side(b, X_WB, a, X_WA);
    if (are_apart(&on_a, &on_b, gap)) return true;
    ClosestTile of_a = on_a.share > 0.0 ? closest_of(&on_a) : (ClosestTile){ .g = INFINITY },
            of_b = on_b.share > 0.0 ? closest_of(&on_b) : (ClosestTile){ .g = INFINITY };
    bool is_of_a = of_a.g <= of_b.g;
    const ClosestTile *best = is_of_a ? &of_a : &of_b;
    const caromPose *X = is_of_a ? &on_a.X_W : &on_b.X_W;
    caromVec3 p = carom_pose_point(*X, best->p), n = carom_mul(X->R, carom_unit_or(best->n, carom_vec(0, 0, 1))),
              on = carom_axpy(-best->g, n, p);
    double error = carom_narrow_roundings(carom_norm(on_a.t) + carom_norm(on_b.t) + carom_norm(best->p));
    *gap = (caromGap){ best->g, is_of_a ? carom_neg(n) : n, is_of_a ? p : on, is_of_a ? on : p, error, CAROM_GAP_OK };
    return isfinite(best->g);
}

static bool is_out_of_reach(const caromTileSide *s, caromVec3 centre, double radius, void *user)
{
    const caromPressPoints *points = user;
    return carom_patch_tile_bound(s, centre, radius) > points->reach;
}

static void visit_points(const caromTileSide *s, const caromTileBlock *b, void *user)
{
    const caromPressPoints *points = user;
    for (int i = 0; i < b->ncorner; i++) {
        caromPressPoint point = { 0 };
        caromVec3 n = { 0, 0, 1 };
        carom_patch_tile_distance(s, b->p[i], &point.g, &n);
        if (!(point.g <= points->reach)) continue;
        point.p_W = carom_pose_point(s->X_W, b->p[i]);
        point.n_W = carom_mul(s->X_W.R, n);
        points->visit(&point, points->user);
    }
}

void carom_patch_tile_points(const caromTileSide *s, caromPressPoints *points)
{
    caromTileVisitor visitor = { is_out_of_reach, visit_points, points };
    carom_patch_tile_blocks(s, &visitor);
}

// ---- whom it serves

static bool is_asked(const caromShape *s)
{
    return s->samples && s->samples->is_asked;
}

// Plane faces are exact for closed meshes (clipped.c), unless tiles were asked for.
static bool serves(const caromShape *a, const caromShape *b)
{
    if (!carom_patch_tiles_can_press(a, b)) return false;
    bool is_clipped = carom_field_has(b) && carom_mesh_is_solid(a->mesh);
    return !is_clipped || is_asked(a) || is_asked(b);
}

const caromPatchRow carom_patch_tiles = { "tiles of meshes", serves, tiles_patch, tiles_energy, tiles_gap, stiffen,
                                          stiff_energy, CAROM_PATCH_STRIPS_DEEPEST, NULL };
