// A mesh that presses into a shape: which of its triangles may be inside, and how deep (tiles.h).
#include "collide/collide.h"
#include "geometry/samples.h"
#include "patch/scales.h"
#include "patch/tiles.h"

// ---- what it is pressed into

static const caromMeshField *field_of(const caromShape *s)
{
    return s->kind == CAROM_MESH && s->samples ? s->samples->field : NULL;
}

// A mesh that crosses itself, or is too thin for a grid, has no field. Where the other has none either it is pressed
// into by its distance, with creases.
bool carom_patch_tiles_can_press(const caromShape *a, const caromShape *into)
{
    if (a->kind != CAROM_MESH) return false;
    return into->kind != CAROM_MESH || field_of(into) || (carom_mesh_is_solid(into->mesh) && !field_of(a));
}

// So many of them cover what is round, a ball with 28 to its radius. A half-space asks for none.
static double tile_size(const caromShape *s)
{
    double spacing = s->samples && s->samples->is_asked ? s->samples->spacing : 0.0;
    if (s->kind == CAROM_MESH) return carom_mesh_tile_size(s->mesh, spacing);
    return spacing > 0.0 ? spacing : carom_geometry_tile_size(carom_shape_surface(*s));
}

static bool is_soft(const caromShape *s)
{
    return s->kind == CAROM_TORUS || (carom_shape_row(s->kind)->core && carom_shape_core(s).kind == CAROM_CORE_FRUSTUM);
}

caromTileSide carom_patch_tile_side(const caromShape *a, caromPose X_WA, const caromShape *into, caromPose X_WB)
{
    caromTileSide s = { .mesh = a->mesh, .into = into, .X_W = X_WB, .field = field_of(into), .is_soft = is_soft(into) };
    if (!carom_patch_tiles_can_press(a, into)) return s;
    s.R = carom_mat_mul(carom_transpose(X_WB.R), X_WA.R);
    s.t = carom_pose_inverse_point(X_WB, X_WA.p);
    if (s.is_soft) s.soft = carom_field_soft_of(into);
    s.size = fmin(tile_size(a), tile_size(into));
    s.share = carom_patch_tiles_can_press(into, a) ? 0.5 : 1.0;
    return s;
}

bool carom_patch_tile_distance(const caromTileSide *s, caromVec3 p, double *distance, caromVec3 *gradient)
{
    if (s->field) return carom_mesh_field_at(s->field, p, distance, gradient);
    if (s->is_soft) {
        *distance = -carom_field_soft_depth(&s->soft, p, gradient);
        *gradient = carom_neg(*gradient);
    } else {
        *distance = carom_collide_shape_point(s->into, p, gradient);
    }
    return true;
}

// By 1/a the ellipsoid is a unit ball, and no distance becomes more than 1/(least a) times as long; along the line to
// the centre it is no shorter than it is.
caromTileRange carom_patch_tile_range(const caromTileSide *s, caromVec3 p)
{
    caromVec3 a = s->into->size;
    if (s->into->kind != CAROM_ELLIPSOID) return (caromTileRange){ -(double)INFINITY, INFINITY };
    double size = carom_norm(carom_vec(p.x/a.x, p.y/a.y, p.z/a.z)), out = size - 1.0;
    if (out <= 0.0) return (caromTileRange){ -(double)INFINITY, 0.0 };
    return (caromTileRange){ out*fmin(a.x, fmin(a.y, a.z)), out/size*carom_norm(p) };
}

double carom_patch_tile_bound(const caromTileSide *s, caromVec3 p, double radius)
{
    double distance;
    caromVec3 gradient;
    if (s->field) return carom_mesh_field_bound(s->field, p, radius);
    carom_patch_tile_distance(s, p, &distance, &gradient);
    return distance - radius;
}

// ---- blocks of tiles

static double longest_side(const caromVec3 x[3], int *opposite)
{
    double longest = -1.0;
    for (int k = 0; k < 3; k++) {
        double length2 = carom_norm2(carom_sub(x[(k + 2)%3], x[(k + 1)%3]));
        if (length2 <= longest) continue;
        longest = length2;
        *opposite = k;
    }
    return sqrt(longest);
}

static double area_of(const caromVec3 x[3])
{
    return 0.5*carom_norm(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])));
}

static void add_tile(caromTileBlock *b, int i, int j, int k, double area)
{
    const uint8_t corner[3] = { (uint8_t)i, (uint8_t)j, (uint8_t)k };
    for (int c = 0; c < 3; c++) b->corner[b->ntile][c] = corner[c];
    b->area[b->ntile++] = area;
}

static caromVec3 placed(const caromTileSide *s, caromVec3 p)
{
    return carom_add(s->t, carom_mul(s->R, p));
}

// Cut into cuts^2 alike. Corner (i, j) is the one at x0 + i (x1 - x0)/cuts + j (x2 - x0)/cuts, row by row.
static void cut(const caromTileSide *s, const caromVec3 x[3], int cuts, caromTileBlock *b)
{
    caromVec3 u = carom_scale(1.0/cuts, carom_sub(x[1], x[0])), v = carom_scale(1.0/cuts, carom_sub(x[2], x[0]));
    double area = area_of(x)/(cuts*cuts);
    b->ncorner = b->ntile = 0;
    for (int j = 0; j <= cuts; j++)
        for (int i = 0; i <= cuts - j; i++) {
            int here = b->ncorner++, above = here + cuts - j + 1;
            b->p[here] = placed(s, carom_axpy(i, u, carom_axpy(j, v, x[0])));
            if (i < cuts - j) add_tile(b, here, here + 1, above, area);
            if (i > 0 && i < cuts - j) add_tile(b, here, above, above - 1, area);
        }
}

typedef struct TileTriangle {
    caromVec3 x[3];
} TileTriangle;

static bool is_skipped(const caromTileSide *s, const caromVec3 x[3], const caromTileVisitor *visitor)
{
    caromVec3 c = carom_scale(1.0/3.0, carom_add(x[0], carom_add(x[1], x[2])));
    double r2 = fmax(carom_norm2(carom_sub(x[0], c)),
                     fmax(carom_norm2(carom_sub(x[1], c)), carom_norm2(carom_sub(x[2], c))));
    return visitor->skips(s, placed(s, c), sqrt(r2), visitor->user);
}

// The longest side is halved until what is left is a few tiles, in those parts that are near enough. In the frame of
// the mesh: of two sides that are as long it must be the same one that is halved, wherever the mesh is.
static void split(const caromTileSide *s, TileTriangle whole, const caromTileVisitor *visitor)
{
    TileTriangle stack[CAROM_PATCH_TILE_HALVINGS + 1] = { whole };
    caromTileBlock block;
    int n = 1, k = 0;
    while (n > 0) {
        TileTriangle x = stack[--n];
        if (is_skipped(s, x.x, visitor)) continue;
        double cuts = ceil(longest_side(x.x, &k)/carom_geometry_tile_side(s->size));
        if (cuts <= CAROM_TILE_CUTS || n == CAROM_PATCH_TILE_HALVINGS) {
            cut(s, x.x, cuts < 1.0 ? 1 : cuts < CAROM_TILE_CUTS ? (int)cuts : CAROM_TILE_CUTS, &block);
            visitor->visit(s, &block, visitor->user);
            continue;
        }
        caromVec3 tip = x.x[k], p = x.x[(k + 1)%3], q = x.x[(k + 2)%3], middle = carom_scale(0.5, carom_add(p, q));
        stack[n++] = (TileTriangle){ { tip, middle, q } };
        stack[n++] = (TileTriangle){ { tip, p, middle } };
    }
}

static bool has_large(const caromTileSide *s, const caromMeshNode *leaf)
{
    int k;
    for (int i = leaf->first; i < leaf->first + leaf->count; i++)
        if (longest_side(s->mesh->tree.corners[i], &k) > carom_geometry_tile_side(s->size)) return true;
    return false;
}

void carom_patch_tile_leaf(const caromTileSide *s, const caromMeshNode *leaf, const caromTileVisitor *visitor)
{
    const caromMeshTree *tree = &s->mesh->tree;
    if (has_large(s, leaf)) {
        for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
            const caromVec3 *x = tree->corners[i];
            split(s, (TileTriangle){ { x[0], x[1], x[2] } }, visitor);
        }
        return;
    }
    caromTileBlock block = { .ncorner = leaf->npoint };
    for (int k = 0; k < leaf->npoint; k++) block.p[k] = placed(s, tree->points[leaf->first_point + k]);
    for (int i = leaf->first; i < leaf->first + leaf->count; i++)
        add_tile(&block, tree->local[i][0], tree->local[i][1], tree->local[i][2], area_of(tree->corners[i]));
    visitor->visit(s, &block, visitor->user);
}

void carom_patch_tile_blocks(const caromTileSide *s, const caromTileVisitor *visitor)
{
    const caromMeshNode *nodes = s->mesh->tree.nodes;
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1;
    while (n > 0) {
        const caromMeshNode *node = &nodes[stack[--n]];
        if (visitor->skips(s, placed(s, node->centre), carom_norm(node->half), visitor->user)) continue;
        if (node->count > 0) {
            carom_patch_tile_leaf(s, node, visitor);
            continue;
        }
        stack[n++] = node->first + 1;
        stack[n++] = node->first;
    }
}
