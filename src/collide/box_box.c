// Two boxes: separating axes tell overlap, depth and direction; when they are apart, the nearest features give the distance.
#include "collide/collide.h"
#include "collide/fields.h"

// In the frame of A.
typedef struct Boxes {
    caromVec3 ha, hb;  // half sizes
    caromVec3 c;       // centre of B
    caromMat3 R;       // axes of B
} Boxes;

typedef struct Axis {
    double separation;  // > 0: the axis separates the boxes; < 0: minus the overlap along it
    caromVec3 n;        // unit, from A towards B
    int edge_a, edge_b; // both >= 0: cross product of these two edges; else a face normal
    bool face_of_b;
} Axis;

static caromVec3 unit(int i)
{
    return carom_vec(i == 0, i == 1, i == 2);
}

static caromVec3 column(caromMat3 m, int i)
{
    return i == 0 ? m.cx : i == 1 ? m.cy : m.cz;
}

// Half extent of a box with half sizes h and axes R along n.
static double extent(caromVec3 h, caromMat3 R, caromVec3 n)
{
    return h.x*fabs(carom_dot(R.cx, n)) + h.y*fabs(carom_dot(R.cy, n)) + h.z*fabs(carom_dot(R.cz, n));
}

static void try_axis(const Boxes *b, caromVec3 n, int edge_a, int edge_b, bool face_of_b, Axis *best)
{
    double along = carom_dot(b->c, n);
    if (along < 0.0) n = carom_neg(n);
    double separation = fabs(along) - (b->ha.x*fabs(n.x) + b->ha.y*fabs(n.y) + b->ha.z*fabs(n.z)) - extent(b->hb, b->R, n);
    if (separation <= best->separation) return;
    *best = (Axis){ separation, n, edge_a, edge_b, face_of_b };
}

// The axis of largest separation among the 6 face normals and 9 edge directions. For overlapping boxes it is the direction of
// the shortest translation that separates them. Edges that are parallel to rounding repeat a face direction.
static Axis widest_axis(const Boxes *b)
{
    Axis best = { .separation = -INFINITY };
    for (int i = 0; i < 3; i++) try_axis(b, unit(i), -1, -1, false, &best);
    for (int j = 0; j < 3; j++) try_axis(b, column(b->R, j), -1, -1, true, &best);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            caromVec3 cross = carom_cross(unit(i), column(b->R, j));
            double length = carom_norm(cross);
            if (length > 1e-6) try_axis(b, carom_scale(1.0/length, cross), i, j, false, &best);
        }
    }
    return best;
}

// Which end of an edge lies farther along n: 0 when it is square to n, so that the witness of a face or an edge is its middle.
static double far_side(caromVec3 axis, caromVec3 n)
{
    double slope = carom_dot(axis, n);
    return fabs(slope) < 1e-9 ? 0.0 : slope > 0.0 ? 1.0 : -1.0;
}

static caromVec3 farthest(caromVec3 centre, caromVec3 h, caromMat3 R, caromVec3 n)
{
    caromVec3 p = carom_axpy(far_side(R.cx, n)*h.x, R.cx, centre);
    p = carom_axpy(far_side(R.cy, n)*h.y, R.cy, p);
    return carom_axpy(far_side(R.cz, n)*h.z, R.cz, p);
}

// Nearest points of two lines p + s u and q + t w (unit directions, not parallel), limited to |s| <= ls, |t| <= lt.
static void nearest_on_segments(caromVec3 p, caromVec3 u, double ls, caromVec3 q, caromVec3 w, double lt, caromVec3 *on_p, caromVec3 *on_q)
{
    caromVec3 r = carom_sub(q, p);
    double c = carom_dot(u, w), ru = carom_dot(r, u), rw = carom_dot(r, w), det = 1.0 - c*c;
    double s = det > 1e-14 ? (ru - c*rw)/det : 0.0;
    s = fmin(fmax(s, -ls), ls);
    double t = c*s - rw;
    double t_in = fmin(fmax(t, -lt), lt);
    if (t_in != t) s = fmin(fmax(ru + c*t_in, -ls), ls);
    *on_p = carom_axpy(s, u, p);
    *on_q = carom_axpy(t_in, w, q);
}

// Middle of the edge of direction i that lies farthest along n.
static caromVec3 edge_middle(caromVec3 centre, caromVec3 h, caromMat3 R, int i, caromVec3 n)
{
    caromVec3 p = centre;
    for (int k = 0; k < 3; k++) {
        caromVec3 e = column(R, k);
        if (k != i) p = carom_axpy((carom_dot(e, n) >= 0.0 ? 1.0 : -1.0)*carom_at(h, k), e, p);
    }
    return p;
}

static caromGap gap_along(const Boxes *b, const Axis *axis)
{
    caromGap g = { .g = axis->separation, .n_AB = axis->n };
    caromMat3 one = carom_mat_identity();
    caromVec3 origin = { 0, 0, 0 };
    if (axis->edge_a >= 0) {
        caromVec3 pa = edge_middle(origin, b->ha, one, axis->edge_a, axis->n);
        caromVec3 pb = edge_middle(b->c, b->hb, b->R, axis->edge_b, carom_neg(axis->n));
        nearest_on_segments(pa, unit(axis->edge_a), carom_at(b->ha, axis->edge_a), pb, column(b->R, axis->edge_b),
                            carom_at(b->hb, axis->edge_b), &g.p_A, &g.p_B);
    } else if (axis->face_of_b) {
        g.p_A = farthest(origin, b->ha, one, axis->n);
        g.p_B = carom_axpy(axis->separation, axis->n, g.p_A);
    } else {
        g.p_B = farthest(b->c, b->hb, b->R, carom_neg(axis->n));
        g.p_A = carom_axpy(-axis->separation, axis->n, g.p_B);
    }
    return g;
}

static double clamp(double x, double h)
{
    return x < -h ? -h : x > h ? h : x;
}

static void keep_nearer(caromVec3 pa, caromVec3 pb, double *best2, caromGap *g)
{
    double d2 = carom_norm2(carom_sub(pb, pa));
    if (d2 >= *best2) return;
    *best2 = d2;
    g->p_A = pa;
    g->p_B = pb;
}

static caromVec3 corner(caromVec3 h, int k)
{
    return carom_vec(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z);
}

// Middle of edge e = 0..11 of a box in its own frame: direction e/4, the two other coordinates by the bits of e%4.
static caromVec3 local_edge_middle(caromVec3 h, int e)
{
    double s = e & 1 ? 1.0 : -1.0, t = e & 2 ? 1.0 : -1.0;
    return e/4 == 0 ? carom_vec(0, s*h.y, t*h.z) : e/4 == 1 ? carom_vec(s*h.x, 0, t*h.z) : carom_vec(s*h.x, t*h.y, 0);
}

// Every corner against the other box, every edge against every edge: slow, but exact and without cases.
static caromGap nearest_features(const Boxes *b)
{
    caromGap g = { 0 };
    double best2 = INFINITY;
    caromPose X_AB = { b->R, b->c };
    for (int k = 0; k < 8; k++) {
        caromVec3 pb = carom_pose_point(X_AB, corner(b->hb, k));
        keep_nearer(carom_vec(clamp(pb.x, b->ha.x), clamp(pb.y, b->ha.y), clamp(pb.z, b->ha.z)), pb, &best2, &g);
        caromVec3 pa = corner(b->ha, k), pa_B = carom_pose_inverse_point(X_AB, pa);
        caromVec3 on_b = { clamp(pa_B.x, b->hb.x), clamp(pa_B.y, b->hb.y), clamp(pa_B.z, b->hb.z) };
        keep_nearer(pa, carom_pose_point(X_AB, on_b), &best2, &g);
    }
    for (int i = 0; i < 12; i++) {
        caromVec3 ma = local_edge_middle(b->ha, i);
        for (int j = 0; j < 12; j++) {
            caromVec3 mb = carom_pose_point(X_AB, local_edge_middle(b->hb, j)), pa, pb;
            nearest_on_segments(ma, unit(i/4), carom_at(b->ha, i/4), mb, column(b->R, j/4), carom_at(b->hb, j/4), &pa, &pb);
            keep_nearer(pa, pb, &best2, &g);
        }
    }
    g.g = sqrt(best2);
    return g;
}

static caromGap gap(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    caromPose X_AB = carom_pose_relative(X_WA, X_WB);
    Boxes b = { carom_scale(0.5, size_a), carom_scale(0.5, size_b), X_AB.p, X_AB.R };
    Axis axis = widest_axis(&b);
    caromGap g = gap_along(&b, &axis);
    if (axis.separation > 0.0) {
        caromGap near = nearest_features(&b);
        // A corner over a face or an edge across an edge: the axis is the direction of the distance and has no cancellation in it.
        // Otherwise two corners or a corner and an edge face each other; their direction is noise below some roundings.
        double rounding = 1e-14*(carom_norm(b.c) + carom_norm(b.ha) + carom_norm(b.hb));
        if (near.g > axis.separation*(1.0 + 1e-9) + rounding) {
            near.n_AB = carom_scale(1.0/near.g, carom_sub(near.p_B, near.p_A));
            g = near;
        }
    }
    return (caromGap){ g.g, carom_mul(X_WA.R, g.n_AB), carom_pose_point(X_WA, g.p_A), carom_pose_point(X_WA, g.p_B) };
}

static void patch(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB, caromPatch *patch)
{
    caromShape a = carom_box(size_a.x, size_a.y, size_a.z), b = carom_box(size_b.x, size_b.y, size_b.z);
    carom_shapes_patch(&a, X_WA, &b, X_WB, patch);
}

static double field_energy(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    caromShape a = carom_box(size_a.x, size_a.y, size_a.z), b = carom_box(size_b.x, size_b.y, size_b.z);
    return carom_shapes_field_energy(&a, X_WA, &b, X_WB);
}

static double length(caromVec3 size_a, caromVec3 size_b)
{
    caromShape a = carom_box(size_a.x, size_a.y, size_a.z), b = carom_box(size_b.x, size_b.y, size_b.z);
    return fmin(carom_field_length_of(&a), carom_field_length_of(&b));
}

const caromPairRow carom_box_box = { CAROM_CONTACT_FACE, gap, patch, field_energy, length };
