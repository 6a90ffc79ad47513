// Signed distance of a mesh from another shape.
#include "meshgap/meshgap.h"

static caromGap in_world(caromGap g, const caromPose *X_WA, double error, double size)
{
    g.n_AB = carom_mul(X_WA->R, g.n_AB);
    g.p_A = carom_pose_point(*X_WA, g.p_A);
    g.p_B = carom_pose_point(*X_WA, g.p_B);
    g.error = error;
    g.status = carom_gap_status(error, size);
    return g;
}

// A direction for surfaces that touch or cross: the normal of the triangle of A.
static caromVec3 triangle_normal(const caromMesh *mesh, int place)
{
    const caromVec3 *x = mesh->tree.corners[place];
    return carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_vec(0, 0, 1));
}

// ---- two meshes

// Of surfaces that touch or cross, where nobody asks how deep: that takes longer than all else.
static caromGap met(void)
{
    return (caromGap){ .g = -(double)INFINITY, .n_AB = { 0, 0, 1 } };
}

static caromGap pair_gap(const caromMesh *a, const caromPose *X_WA, const caromMesh *b, const caromPose *X_WB,
                         int places[2], bool asks_depth)
{
    caromMeshPair p = carom_meshgap_pair(a, X_WA, b, X_WB);
    bool is_solid = carom_mesh_is_solid(a) && carom_mesh_is_solid(b);
    double error = carom_narrow_roundings(p.scale);
    caromNearest nearest = carom_meshgap_pair_nearest(&p, places, is_solid);
    if (places) places[0] = nearest.place_a, places[1] = nearest.place_b;
    bool overlaps = nearest.gap.g2 == 0.0 ? is_solid : carom_meshgap_pair_is_nested(&p, carom_vec(0, 0, 1), NULL);
    if (overlaps && !asks_depth) return met();
    caromGap gap = overlaps ? carom_meshgap_pair_depth(&p) : (caromGap){ 0 };
    if (gap.g < 0.0) return in_world(gap, X_WA, gap.error, p.scale);
    gap.p_A = nearest.gap.x, gap.p_B = nearest.gap.y;
    if (overlaps) return in_world(gap, X_WA, error, p.scale);  // they only touch
    gap.g = carom_narrow_split(carom_sub(gap.p_B, gap.p_A), triangle_normal(a, nearest.place_a), &gap.n_AB);
    return in_world(gap, X_WA, error, p.scale);
}

// ---- a ball: its centre and a radius; likewise a torus, which is a ring grown by a radius

static caromGap ball_gap(const caromMesh *a, const caromPose *X_WA, double radius, caromVec3 centre_W)
{
    caromVec3 c = carom_pose_inverse_point(*X_WA, centre_W), n;
    double distance = carom_meshgap_point(a, c, &n), scale = a->reach + carom_norm(c) + radius;
    caromGap gap = { .g = distance - radius, .n_AB = n, .p_A = carom_axpy(-distance, n, c),
                     .p_B = carom_axpy(-radius, n, c) };
    return in_world(gap, X_WA, carom_narrow_roundings(scale), scale);
}

static caromGap torus_gap(const caromMeshShape *p, const caromPose *X_WA, int *seed)
{
    caromConvexNearest nearest = carom_meshgap_shape_nearest(p, *seed, false);
    if (nearest.place < 0) return nearest.gap;
    *seed = nearest.place;
    caromVec3 on_ring = carom_pose_point(p->X_AB, carom_vec(p->shape.size.x, 0, 0));
    caromGap gap = nearest.gap;
    // The way from the ring to the surface leads out.
    if (carom_mesh_is_solid(p->mesh) && carom_meshgap_winding(p->mesh, on_ring) > 0) {
        double tube = p->shape.size.y;
        gap.g = -(gap.g + tube) - tube;
        gap.n_AB = carom_neg(gap.n_AB);
        gap.p_B = carom_axpy(gap.g, gap.n_AB, gap.p_A);
    }
    return in_world(gap, X_WA, gap.error + carom_narrow_roundings(p->scale), p->scale);
}

// ---- convex shapes

static caromGap convex_gap(const caromMeshShape *p, const caromPose *X_WA, int *seed, bool asks_depth)
{
    bool is_solid = carom_mesh_is_solid(p->mesh);
    double roundings = carom_narrow_roundings(p->scale);
    caromConvexNearest nearest = carom_meshgap_shape_nearest(p, *seed, is_solid);
    if (nearest.place < 0) return nearest.gap;
    caromGap gap = nearest.gap;
    bool is_across = gap.g <= 0.0;
    if (is_across ? is_solid : carom_meshgap_shape_is_nested(p, carom_vec(0, 0, 1), NULL)) {
        *seed = nearest.place;
        if (!asks_depth) return met();
        gap = carom_meshgap_shape_depth(p);
        if (gap.g < 0.0) return in_world(gap, X_WA, gap.error + roundings, p->scale);
        nearest = carom_meshgap_shape_nearest(p, *seed, false);  // they only touch
        gap = nearest.gap;
    }
    *seed = nearest.place;
    if (is_across) {
        gap.g = 0.0;
        gap.p_A = gap.p_B = carom_scale(0.5, carom_add(gap.p_A, gap.p_B));
    }
    return in_world(gap, X_WA, gap.error + roundings, p->scale);
}

// ---- a half-space

// The lowest vertex; of several the first by place.
static caromGap half_space_gap(const caromMesh *a, const caromPose *X_WA, const caromPose *X_WB)
{
    const caromMeshTree *tree = &a->tree;
    caromVec3 up = X_WB->R.cz, from_B = carom_sub(X_WA->p, X_WB->p);
    caromProbe down = carom_meshgap_probe(carom_neg(carom_tmul(X_WA->R, up)));
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1, best = -1;
    double most = -INFINITY, slack = carom_narrow_roundings(a->reach);
    while (n > 0) {
        const caromMeshNode *node = &tree->nodes[stack[--n]];
        if (carom_meshgap_node_reach(tree, node, &down) + slack < most) continue;
        if (node->count == 0) {
            bool in_order = carom_dot(down.d, tree->nodes[node->first].centre) >=
                            carom_dot(down.d, tree->nodes[node->first + 1].centre);
            stack[n++] = node->first + in_order;
            stack[n++] = node->first + !in_order;
            continue;
        }
        for (int i = node->first_point; i < node->first_point + node->npoint; i++) {
            double x = carom_dot(down.d, tree->points[i]);
            if (x > most || (x == most && i < best)) most = x, best = i;
        }
    }
    double g = carom_dot(up, from_B) - most, error = carom_narrow_roundings(carom_norm(from_B) + a->reach);
    caromVec3 p_A = carom_pose_point(*X_WA, tree->points[best]);
    return (caromGap){ g, carom_neg(up), p_A, carom_axpy(-g, up, p_A), error,
                       carom_gap_status(error, a->reach + carom_norm(from_B)) };
}

// ---- all

static caromGap mesh_to(const caromMesh *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                        int *seed, bool asks_depth)
{
    if (b->kind == CAROM_HALF_SPACE) return half_space_gap(a, X_WA, X_WB);
    if (b->kind == CAROM_SPHERE) return ball_gap(a, X_WA, b->size.x, X_WB->p);
    caromMeshShape p = carom_meshgap_shape_pair(a, X_WA, b, X_WB);
    return b->kind == CAROM_TORUS ? torus_gap(&p, X_WA, seed) : convex_gap(&p, X_WA, seed, asks_depth);
}

static caromGap gap_between(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                            int places[2], bool asks_depth)
{
    int none[2] = { -1, -1 };
    if (!carom_narrow_is_pose(X_WA) || !carom_narrow_is_pose(X_WB)) return carom_gap_refused(a, X_WA, b, X_WB);
    if (a->kind == CAROM_MESH && b->kind == CAROM_MESH)
        return pair_gap(a->mesh, X_WA, b->mesh, X_WB, places, asks_depth);
    if (!places) places = none;
    if (a->kind == CAROM_MESH) return mesh_to(a->mesh, X_WA, b, X_WB, &places[0], asks_depth);
    return carom_gap_mirrored(mesh_to(b->mesh, X_WB, a, X_WA, &places[1], asks_depth));
}

caromGap carom_meshgap_shapes(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                              int places[2])
{
    return gap_between(a, X_WA, b, X_WB, places, true);
}

bool carom_meshgap_apart(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                         caromGap *gap)
{
    *gap = gap_between(a, X_WA, b, X_WB, NULL, false);
    return gap->g > 0.0;
}

static bool pair_overlaps(const caromMesh *a, const caromPose *X_WA, const caromMesh *b, const caromPose *X_WB)
{
    caromMeshPair p = carom_meshgap_pair(a, X_WA, b, X_WB);
    return carom_meshgap_pair_crosses(&p) || carom_meshgap_pair_is_nested(&p, carom_vec(0, 0, 1), NULL);
}

bool carom_meshgap_overlap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    if (!carom_narrow_is_pose(X_WA) || !carom_narrow_is_pose(X_WB)) return false;
    if (a->kind == CAROM_MESH && b->kind == CAROM_MESH) return pair_overlaps(a->mesh, X_WA, b->mesh, X_WB);
    if (a->kind != CAROM_MESH) return carom_meshgap_overlap(b, X_WB, a, X_WA);
    if (b->kind == CAROM_HALF_SPACE || b->kind == CAROM_SPHERE || b->kind == CAROM_TORUS)
        return carom_meshgap_shapes(a, X_WA, b, X_WB, NULL).g <= 0.0;
    caromMeshShape p = carom_meshgap_shape_pair(a->mesh, X_WA, b, X_WB);
    caromConvexNearest nearest = carom_meshgap_shape_nearest(&p, -1, true);
    return nearest.place >= 0 && (nearest.gap.g <= 0.0 || carom_meshgap_shape_is_nested(&p, carom_vec(0, 0, 1), NULL));
}
