// Any two solids, felt point by point: springs stand on the surface of one, at points that are fixed there (geometry/samples.h), and each is pressed in by its depth d in the
// other shape, the distance from that one's surface:
//
//     W = sum of w d^2/2,     force on the other shape: w d against its outer normal where it is nearest
//
// w is the point's share of the surface, so that many points have one limit, however they lie: a face of area A pressed in by d has the force A d of other faces. (A spring
// for each pair of witness points within a standoff, whose number changes with the mesh, has no such limit.) The force is the gradient of this very sum, whatever the number of
// points, because the gradient of a distance is the unit normal.
//
// A small shape may slip between the points of a large one, so both stand on each other: each side takes a share, the finer one more,
//
//     s_A = h_B^2/(h_A^2 + h_B^2),     s_B = h_A^2/(h_A^2 + h_B^2),     h the spacing,
//
// and no point has more weight than one of the finer side has: the coarse points of a floor do not kick a small part that passes over them.
//
// Points near the other shape are found by the tree of balls: if the middle of a ball is farther outside than its radius, so are all its points.
#include "collide/closed.h"
#include "collide/fields.h"
#include "collide/meshes.h"
#include "collide/patches.h"
#include "geometry/samples.h"

// Everything in the frame of the shape that is pressed into.
typedef struct Side {
    const caromSamples *samples;
    const caromShape *into;
    caromCore core;       // of it, where it has one
    bool is_hull;
    caromMat3 R;          // axes and origin of the shape with the samples
    caromVec3 t;
    caromPose X_W;        // of the frame
    double share;
    // The point of a mesh that was asked for last. Another one is as far from the surface as that, but for the way between them; and as clear, if that is shorter.
    caromVec3 last;
    double last_distance;
    int last_place;       // -1: none yet
    bool last_is_outside;
} Side;

static Side side_of(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, double share)
{
    Side s = { .samples = a->samples, .into = b, .is_hull = b->kind == CAROM_POLYTOPE, .X_W = X_WB, .share = share, .last_place = -1 };
    if (carom_shape_row(b->kind)->core) s.core = carom_shape_core(b);
    s.R = carom_mat_mul(carom_transpose(X_WB.R), X_WA.R);
    s.t = carom_pose_inverse_point(X_WB, X_WA.p);
    return s;
}

// ---- depth

// Not less than the square of the distance of p from the mesh: by the triangle that was nearest last, and by how far p is from there.
static double bound_near(const Side *s, caromVec3 p, double way)
{
    if (s->last_place < 0) return (double)INFINITY;
    int feature;
    double bound = s->last_distance + way, to_last = carom_norm2(carom_sub(p, carom_triangle_point(s->into->mesh->tree.corners[s->last_place], p, &feature)));
    return carom_least(bound*bound, to_last)*(1.0 + 1e-9) + 1e-300;
}

// Over the inside of the nearest triangle its plane tells the side, unless the mesh crosses itself, or parts of it touch.
static bool is_inside(const caromMesh *mesh, caromVec3 p, caromVec3 on, caromVec3 normal, int feature)
{
    const caromMeshReport *r = &mesh->report;
    bool is_simple = r->components == 1 && r->crossings == 0 && r->are_crossings_counted && r->crowded_edges == 0;
    return feature == 6 && is_simple ? carom_dot(normal, carom_sub(p, on)) < 0.0 : carom_mesh_winding(mesh, p) > 0;
}

// How deep p is in the mesh, and where the way out is; 0: outside.
static double mesh_depth(Side *s, caromVec3 p, caromVec3 *n)
{
    const caromMesh *mesh = s->into->mesh;
    double way = carom_norm(carom_sub(p, s->last)), least2 = bound_near(s, p, way);
    if (s->last_is_outside && way < s->last_distance) return 0.0;
    caromVec3 on;
    int feature, place = carom_mesh_nearest(mesh, p, &least2, &on, &feature);
    if (place < 0) return 0.0;
    const caromVec3 *x = mesh->tree.corners[place];
    caromVec3 normal = carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_vec(0, 0, 1));
    s->last = p;
    s->last_place = place;
    s->last_is_outside = !is_inside(mesh, p, on, normal, feature);
    s->last_distance = carom_split(carom_sub(on, p), normal, n);
    return s->last_is_outside ? 0.0 : s->last_distance;
}

static double depth_at(Side *s, caromVec3 p, caromVec3 *n)
{
    if (s->into->kind == CAROM_MESH) return mesh_depth(s, p, n);
    return -carom_shape_point(s->into, p, n);
}

static double highest_face(const caromHull *hull, caromVec3 p)
{
    double height = -(double)INFINITY;
    for (int f = 0; f < hull->nface; f++) height = carom_most(height, carom_dot(hull->normals[f], p) - hull->offsets[f]);
    return height;
}

// Is everything within r of c outside?
static bool is_clear(Side *s, caromVec3 c, double r)
{
    caromVec3 n, on;
    int feature;
    double least2 = r*r*(1.0 + 1e-12);
    if (s->into->kind == CAROM_MESH) {
        if (carom_norm(c) > s->into->mesh->reach + r) return true;
        return carom_mesh_near(s->into->mesh, c, 1.0, &least2, &on, &feature) < 0 && carom_mesh_winding(s->into->mesh, c) <= 0;
    }
    if (s->is_hull) return highest_face(s->into->hull, c) > s->core.radius + r;
    return carom_shape_point(s->into, c, &n) > r;
}

// ---- points that press

typedef struct Spring {
    caromVec3 p, n;   // the point, and the outer normal of the shape it is in, in W
    double depth;
    double area;
} Spring;

static void visit_leaf(Side *s, const caromSampleNode *leaf, void (*visit)(const Spring *spring, void *user), void *user)
{
    for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
        caromVec3 p = carom_add(s->t, carom_mul(s->R, s->samples->points[i].p)), n;
        double depth = depth_at(s, p, &n);
        if (!(depth > 0.0)) continue;
        Spring spring = { carom_pose_point(s->X_W, p), carom_mul(s->X_W.R, n), depth, s->share*s->samples->points[i].area };
        visit(&spring, user);
    }
}

static void visit_side(Side *s, void (*visit)(const Spring *spring, void *user), void *user)
{
    const caromSampleNode *nodes = s->samples->nodes;
    int stack[CAROM_SAMPLE_DEPTH_MAX + 1] = { 0 }, n = 1;
    while (n > 0) {
        const caromSampleNode *node = &nodes[stack[--n]];
        if (is_clear(s, carom_add(s->t, carom_mul(s->R, node->centre)), node->radius)) continue;
        if (node->count > 0) {
            visit_leaf(s, node, visit, user);
            continue;
        }
        stack[n++] = node->first + 1;
        stack[n++] = node->first;
    }
}

static double share_of(const caromSamples *mine, const caromSamples *other)
{
    if (!mine || !other) return mine ? 1.0 : 0.0;
    double a = mine->spacing*mine->spacing, b = other->spacing*other->spacing;
    return b/(a + b);
}

// ---- force and energy

typedef struct Filling {
    caromPatch *patch;
    bool of_a;  // the springs stand on a
} Filling;

static void add_cell(const Spring *s, void *user)
{
    Filling *f = user;
    if (s->depth > f->patch->depth) f->patch->depth = s->depth;
    caromCell cell = { carom_axpy(0.5*s->depth, s->n, s->p), f->of_a ? carom_neg(s->n) : s->n, s->area*s->depth };
    carom_patch_cell(f->patch, &cell);
}

static void add_energy(const Spring *s, void *energy)
{
    *(double *)energy += 0.5*s->area*s->depth*s->depth;
}

static void sampled_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    carom_patch_clear(patch);
    Side on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)), on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_cell, &(Filling){ patch, true });
    if (on_b.samples) visit_side(&on_b, add_cell, &(Filling){ patch, false });
}

static double sampled_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    double energy = 0.0;
    Side on_a = side_of(a, X_WA, b, X_WB, share_of(a->samples, b->samples)), on_b = side_of(b, X_WB, a, X_WA, share_of(b->samples, a->samples));
    if (on_a.samples) visit_side(&on_a, add_energy, &energy);
    if (on_b.samples) visit_side(&on_b, add_energy, &energy);
    return energy;
}

// ---- depth

typedef struct Deepest {
    caromGap *gap;
    bool of_a;
} Deepest;

static void take_deepest(const Spring *s, void *user)
{
    Deepest *d = user;
    if (!(-s->depth < d->gap->g)) return;
    caromVec3 on = carom_axpy(s->depth, s->n, s->p);
    d->gap->g = -s->depth;
    d->gap->n_AB = d->of_a ? carom_neg(s->n) : s->n;
    d->gap->p_A = d->of_a ? s->p : on;
    d->gap->p_B = d->of_a ? on : s->p;
}

static bool sampled_deepest(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromGap *gap)
{
    Side on_a = side_of(a, X_WA, b, X_WB, 1.0), on_b = side_of(b, X_WB, a, X_WA, 1.0);
    *gap = (caromGap){ .error = carom_roundings(carom_norm(on_a.t)) };
    if (on_a.samples) visit_side(&on_a, take_deepest, &(Deepest){ gap, true });
    if (on_b.samples) visit_side(&on_b, take_deepest, &(Deepest){ gap, false });
    return gap->g < 0.0;
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

bool carom_samples_are_asked(const caromShape *a, const caromShape *b)
{
    return has_samples(a, b) && ((a->samples && a->samples->is_asked) || (b->samples && b->samples->is_asked));
}

const caromPatchRow carom_patch_asked = { "points of surfaces", carom_samples_are_asked, sampled_patch, sampled_energy, sampled_deepest };
const caromPatchRow carom_patch_sampled = { "points of surfaces", has_samples, sampled_patch, sampled_energy, sampled_deepest };
