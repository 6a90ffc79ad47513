// Any two solids, felt point by point: springs stand on the surface of one, at points that are fixed there
// (geometry/samples.h), and each is pressed in by its depth d in the other shape, the distance from that one's surface:
//
//     W = sum of w d^2/2,     force on the other shape: w d against its outer normal where it is nearest
//
// w is the point's share of the surface, so that many points have one limit, however they lie: a face of area A pressed
// in by d has the force A d of other faces. (A spring for each pair of witness points within a standoff, whose number
// changes with the mesh, has no such limit.) The force is the gradient of this very sum, whatever the number of points,
// because the gradient of a distance is the unit normal.
//
// A small shape may slip between the points of a large one, so both stand on each other: each side takes a
// share, the finer one more,
//
//     s_A = h_B^2/(h_A^2 + h_B^2),     s_B = h_A^2/(h_A^2 + h_B^2),     h the spacing,
//
// and no point has more weight than one of the finer side has: the coarse points of a floor do not kick a small part
// that passes over them.
//
// Points near the other shape are found by the tree of balls: if the middle of a ball is farther outside than its
// radius, so are all its points.
#include "collide/collide.h"
#include "geometry/samples.h"
#include "meshgap/meshgap.h"
#include "narrow/closed.h"
#include "patch/fields.h"
#include "patch/scales.h"
#include "patch/table.h"

// Everything in the frame of the shape that is pressed into.
typedef struct Pressed {
    const caromSamples *samples;
    const caromShape *into;
    caromCore core;       // of it, where it has one
    bool has_core;
    caromMat3 R;          // axes and origin of the shape with the samples
    caromVec3 t, row[3];  // rows of R
    caromPose X_W;        // of the frame
    double share;
    // The point of a mesh that was asked for last. Another one is as far from the surface as that, but for the way
    // between them; and as clear, if that is shorter.
    caromVec3 last;
    double last_distance;
    int last_place;       // -1: none yet
    bool last_is_outside;
} Pressed;

static Pressed side_of(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, double share)
{
    Pressed s = { .samples = share > 0.0 ? a->samples : NULL, .into = b, .X_W = X_WB, .share = share,
                  .has_core = carom_shape_row(b->kind)->core != NULL, .last_place = -1 };
    if (s.has_core) s.core = carom_shape_core(b);
    s.R = carom_mat_mul(carom_transpose(X_WB.R), X_WA.R);
    s.t = carom_pose_inverse_point(X_WB, X_WA.p);
    caromMat3 back = carom_transpose(s.R);
    s.row[0] = back.cx, s.row[1] = back.cy, s.row[2] = back.cz;
    return s;
}

// ---- depth

// Not less than the square of the distance of p from the mesh: by the triangle that was nearest last, and by
// how far p is from there.
static double bound_near(const Pressed *s, caromVec3 p, double way)
{
    if (s->last_place < 0) return (double)INFINITY;
    int feature;
    double bound = s->last_distance + way,
           to_last = carom_norm2(carom_sub(p, carom_triangle_point(s->into->mesh->tree.corners[s->last_place], p,
                                                                   &feature)));
    return carom_meshgap_least(bound*bound, to_last)*(1.0 + CAROM_PATCH_BEHIND) + CAROM_PATCH_TINY;
}

// Over the inside of the nearest triangle its plane tells the side, unless the mesh crosses itself, or parts of it
// touch.
static bool is_inside(const caromMesh *mesh, caromVec3 p, caromVec3 on, caromVec3 normal, int feature)
{
    const caromMeshReport *r = &mesh->report;
    bool is_simple = r->components == 1 && r->crossings == 0 && r->are_crossings_counted && r->crowded_edges == 0;
    return feature == 6 && is_simple ? carom_dot(normal, carom_sub(p, on)) < 0.0 : carom_meshgap_winding(mesh, p) > 0;
}

// Signed distance of p from the mesh, and its outer normal where that is nearest.
static double mesh_distance(Pressed *s, caromVec3 p, caromVec3 *n)
{
    const caromMesh *mesh = s->into->mesh;
    double least2 = bound_near(s, p, carom_norm(carom_sub(p, s->last)));
    caromVec3 on;
    int feature, place = carom_meshgap_nearest(mesh, p, &least2, &on, &feature);
    if (place < 0) return (double)INFINITY;
    const caromVec3 *x = mesh->tree.corners[place];
    caromVec3 normal = carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_vec(0, 0, 1));
    s->last = p;
    s->last_place = place;
    s->last_is_outside = !is_inside(mesh, p, on, normal, feature);
    s->last_distance = carom_narrow_split(s->last_is_outside ? carom_sub(p, on) : carom_sub(on, p), normal, n);
    return s->last_is_outside ? s->last_distance : -s->last_distance;
}

static double distance_at(Pressed *s, caromVec3 p, caromVec3 *n)
{
    caromVec3 on;
    if (s->has_core) return carom_convex_core_point(&s->core, p, &on, n) - s->core.radius;
    return s->into->kind == CAROM_MESH ? mesh_distance(s, p, n) : carom_collide_shape_point(s->into, p, n);
}

// Is p farther than r from a box around the core?
static bool is_beyond(const caromCore *c, caromVec3 p, double r)
{
    switch (c->kind) {
    case CAROM_CORE_HULL: return carom_norm2(p) > (c->hull->reach + r)*(c->hull->reach + r);
    case CAROM_CORE_FRUSTUM: {
        double across = fmax(c->r0, c->r1) + r;
        return p.z - c->z1 > r || c->z0 - p.z > r || p.x*p.x + p.y*p.y > across*across;
    }
    default: return fabs(p.z) - c->h.z > r || fabs(p.x) - c->h.x > r || fabs(p.y) - c->h.y > r;
    }
}

// Is the disc, about a centre at this height above a plane, above it? lean: of its axis along the normal of the plane.
static bool disc_is_above(const caromSampleNode *node, double height, double lean)
{
    double left = height - fabs(lean)*node->along;
    return left > 0.0 && left*left > (fmax(0.0, 1.0 - lean*lean) + CAROM_PATCH_LEAN)*node->across*node->across;
}

// Is a disc on the far side of one of the faces of a box? A surface that faces it, and is hardly curved, is in thin
// discs: of those a few are near the face where the balls around them are many.
static bool is_beyond_face(const Pressed *s, const caromSampleNode *node)
{
    double from[3] = { s->t.x, s->t.y, s->t.z }, half[3] = { s->core.h.x, s->core.h.y, s->core.h.z };
    for (int i = 2; i >= 0; i--) {
        double height = fabs(from[i] + carom_dot(s->row[i], node->centre)) - half[i] - s->core.radius;
        if (height > node->radius) return true;
        if (height > 0.0 && disc_is_above(node, height, carom_dot(s->row[i], node->axis))) return true;
    }
    return false;
}

// By a box around it; or because p is near to a point that was outside.
static bool is_known_outside(const Pressed *s, caromVec3 p)
{
    if (s->has_core) return is_beyond(&s->core, p, s->core.radius);
    return s->last_is_outside && carom_norm2(carom_sub(p, s->last)) < s->last_distance*s->last_distance;
}

static double highest_face(const caromHull *hull, caromVec3 p)
{
    double height = -(double)INFINITY;
    for (int f = 0; f < hull->nface; f++)
        height = carom_meshgap_most(height, carom_dot(hull->normals[f], p) - hull->offsets[f]);
    return height;
}

// Are all points of it outside?
static bool is_clear(Pressed *s, const caromSampleNode *node)
{
    bool is_into_box = s->has_core && s->core.kind == CAROM_CORE_BOX;
    if (is_into_box && is_beyond_face(s, node)) return true;
    if (is_into_box && s->core.radius == 0.0) return false;  // or it is at an edge
    caromVec3 n, on, c = carom_add(s->t, carom_mul(s->R, node->centre));
    int feature;
    double r = node->radius, least2 = r*r*(1.0 + CAROM_PATCH_AROUND);
    if (s->into->kind == CAROM_MESH) {
        if (carom_norm(c) > s->into->mesh->reach + r) return true;
        return carom_meshgap_near(s->into->mesh, c, 1.0, &least2, &on, &feature) < 0 &&
               carom_meshgap_winding(s->into->mesh, c) <= 0;
    }
    if (s->has_core && is_beyond(&s->core, c, s->core.radius + r)) return true;
    if (s->has_core && s->core.kind == CAROM_CORE_HULL) return highest_face(s->core.hull, c) > s->core.radius + r;
    return distance_at(s, c, &n) > r;
}

// ---- points that press

typedef struct SampleSpring {
    caromVec3 p, n;   // the point, and the outer normal of the shape it is in, in W
    double depth;
    double area;
} SampleSpring;

static void visit_leaf(Pressed *s, const caromSampleNode *leaf, void (*visit)(const SampleSpring *spring, void *user),
                       void *user)
{
    for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
        caromVec3 p = carom_add(s->t, carom_mul(s->R, s->samples->points[i].p)), n;
        double depth = is_known_outside(s, p) ? 0.0 : -distance_at(s, p, &n);
        if (!(depth > 0.0)) continue;
        SampleSpring spring = { carom_pose_point(s->X_W, p), carom_mul(s->X_W.R, n), depth,
                                s->share*s->samples->points[i].area };
        visit(&spring, user);
    }
}

static void visit_side(Pressed *s, void (*visit)(const SampleSpring *spring, void *user), void *user)
{
    const caromSampleNode *nodes = s->samples->nodes;
    int stack[CAROM_SAMPLE_DEPTH_MAX + 1] = { 0 }, n = 1;
    while (n > 0) {
        const caromSampleNode *node = &nodes[stack[--n]];
        if (is_clear(s, node)) continue;
        if (node->count > 0) {
            visit_leaf(s, node, visit, user);
            continue;
        }
        stack[n++] = node->first + 1;
        stack[n++] = node->first;
    }
}

// Points much coarser than those of the other have none: few are under it, not evenly, and a part that comes down flat
// would be pressed to one side.
static double share_of(const caromSamples *mine, const caromSamples *other)
{
    if (!mine || !other) return mine ? 1.0 : 0.0;
    if (mine->spacing > CAROM_PATCH_COARSE*other->spacing) return 0.0;
    if (other->spacing > CAROM_PATCH_COARSE*mine->spacing) return 1.0;
    double a = mine->spacing*mine->spacing, b = other->spacing*other->spacing;
    return b/(a + b);
}

// ---- force and energy

typedef struct SampleFilling {
    caromPatch *patch;
    bool of_a;  // the springs stand on a
    const caromStiffening *stiff;  // NULL: the law alone
} SampleFilling;

static void add_cell(const SampleSpring *s, void *user)
{
    SampleFilling *f = user;
    if (s->depth > f->patch->depth) f->patch->depth = s->depth;
    caromCell cell = { carom_axpy(0.5*s->depth, s->n, s->p), f->of_a ? carom_neg(s->n) : s->n, s->area*s->depth };
    if (f->stiff) cell.weight += s->area*f->stiff->from*carom_patch_steep(f->stiff, s->depth);
    carom_patch_cell(f->patch, &cell);
}

static void add_energy(const SampleSpring *s, void *energy)
{
    *(double *)energy += 0.5*s->area*s->depth*s->depth;
}

static void sampled_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    carom_patch_clear(patch);
    Pressed on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)),
            on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_cell, &(SampleFilling){ patch, true, NULL });
    if (on_b.samples) visit_side(&on_b, add_cell, &(SampleFilling){ patch, false, NULL });
}

static double sampled_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    double energy = 0.0;
    Pressed on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)),
            on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_energy, &energy);
    if (on_b.samples) visit_side(&on_b, add_energy, &energy);
    return energy;
}

// ---- deep

static void stiffen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch)
{
    patch->is_through = !(patch->depth < s->to);
    if (patch->depth <= s->from || patch->is_through) return;
    patch->ncell = 0;
    Pressed on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)),
            on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_cell, &(SampleFilling){ patch, true, s });
    if (on_b.samples) visit_side(&on_b, add_cell, &(SampleFilling){ patch, false, s });
}

static void add_steep_cell(const SampleSpring *s, void *user)
{
    SampleFilling *f = user;
    double weight = s->area*f->stiff->from*carom_patch_steep(f->stiff, s->depth);
    f->patch->is_through = f->patch->is_through || !(s->depth < f->stiff->to);
    if (!(weight > 0.0) || f->patch->is_through) return;
    caromCell cell = { carom_axpy(0.5*s->depth, s->n, s->p), f->of_a ? carom_neg(s->n) : s->n, weight };
    carom_patch_cell(f->patch, &cell);
}

void carom_patch_samples_steepen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                                 const caromStiffening *s, caromPatch *patch)
{
    if (patch->depth <= s->from) return;
    Pressed on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)),
            on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_steep_cell, &(SampleFilling){ patch, true, s });
    if (on_b.samples) visit_side(&on_b, add_steep_cell, &(SampleFilling){ patch, false, s });
}

typedef struct SteepSprings {
    const caromStiffening *s;
    double energy;
} SteepSprings;

static void add_steep_energy(const SampleSpring *spring, void *user)
{
    SteepSprings *e = user;
    e->energy += spring->area*e->s->from*carom_patch_steep_integral(e->s, spring->depth);
}

static double stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s)
{
    SteepSprings e = { s, 0.0 };
    Pressed on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)),
            on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_steep_energy, &e);
    if (on_b.samples) visit_side(&on_b, add_steep_energy, &e);
    return e.energy;
}

// ---- gap

typedef struct Closest {
    double g;
    caromVec3 p, n;  // the point, and the outer normal of the other shape, in its frame
} Closest;

typedef struct SampleItem {
    int node;
    double bound;  // no point in it has less
} SampleItem;

static SampleItem item_of(Pressed *s, int node)
{
    const caromSampleNode *at = &s->samples->nodes[node];
    caromVec3 n;
    return (SampleItem){ node, distance_at(s, carom_add(s->t, carom_mul(s->R, at->centre)), &n) - at->radius };
}

static void take_closest(Pressed *s, const caromSampleNode *leaf, Closest *best)
{
    for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
        caromVec3 p = carom_add(s->t, carom_mul(s->R, s->samples->points[i].p)), n;
        double g = distance_at(s, p, &n);
        if (g < best->g) *best = (Closest){ g, p, n };
    }
}

// The point with the least signed distance, by branch and bound.
static Closest closest_of(Pressed *s)
{
    Closest best = { .g = INFINITY };
    SampleItem stack[CAROM_SAMPLE_DEPTH_MAX + 1] = { { 0, -INFINITY } };
    int n = 1;
    while (n > 0) {
        SampleItem top = stack[--n];
        const caromSampleNode *node = &s->samples->nodes[top.node];
        if (top.bound >= best.g) continue;
        if (node->count > 0) {
            take_closest(s, node, &best);
            continue;
        }
        SampleItem a = item_of(s, node->first), b = item_of(s, node->first + 1);
        stack[n++] = a.bound <= b.bound ? b : a;
        stack[n++] = a.bound <= b.bound ? a : b;
    }
    return best;
}

// Force begins where the first point enters the other shape, so that is where their gap ends: it is the least
// signed distance of a point.
static bool sampled_gap(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromGap *gap)
{
    Pressed on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)),
            on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    Closest of_a = on_a.samples ? closest_of(&on_a) : (Closest){ .g = INFINITY },
            of_b = on_b.samples ? closest_of(&on_b) : (Closest){ .g = INFINITY };
    bool is_of_a = of_a.g <= of_b.g;
    const Closest *best = is_of_a ? &of_a : &of_b;
    const caromPose *X = is_of_a ? &on_a.X_W : &on_b.X_W;
    caromVec3 p = carom_pose_point(*X, best->p), n = carom_mul(X->R, best->n), on = carom_axpy(-best->g, n, p);
    double error = carom_narrow_roundings(carom_norm(on_a.t) + carom_norm(best->p));
    *gap = (caromGap){ best->g, is_of_a ? carom_neg(n) : n, is_of_a ? p : on, is_of_a ? on : p, error, CAROM_GAP_OK };
    return isfinite(best->g);
}

// ---- whom it serves

static bool has_inside(const caromShape *s)
{
    return s->kind != CAROM_MESH || carom_mesh_is_solid(s->mesh);
}

static bool has_samples(const caromShape *a, const caromShape *b)
{
    return (a->samples || b->samples) && has_inside(a) && has_inside(b);
}

bool carom_patch_samples_are_asked(const caromShape *a, const caromShape *b)
{
    return has_samples(a, b) && ((a->samples && a->samples->is_asked) || (b->samples && b->samples->is_asked));
}

const caromPatchRow carom_patch_asked = { "points of surfaces", carom_patch_samples_are_asked, sampled_patch,
                                          sampled_energy, sampled_gap, stiffen, stiff_energy,
                                          CAROM_PATCH_FIELD_DEEPEST };
const caromPatchRow carom_patch_sampled = { "points of surfaces", has_samples, sampled_patch, sampled_energy,
                                            sampled_gap, stiffen, stiff_energy, CAROM_PATCH_FIELD_DEEPEST };
