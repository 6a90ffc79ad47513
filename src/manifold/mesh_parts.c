// Corners, edges and faces of meshes as parts, and which way the parts of plane-faced solids face.
#include "geometry/mesh_features.h"
#include "manifold/parts.h"
#include "meshgap/meshgap.h"

caromTouchLine carom_manifold_mesh_line(const caromTouchSide *side, int id)
{
    const caromMesh *mesh = side->shape->mesh;
    int half = mesh->features->edge_halves[mesh->features->edge_first[id]];
    const caromVec3 *x = mesh->tree.corners[half/3];
    return (caromTouchLine){ carom_pose_point(side->X, x[half%3]), carom_pose_point(side->X, x[(half%3 + 1)%3]),
                             carom_mul(side->X.R, mesh->features->edge_out[id]), 0.0 };
}

caromVec3 carom_manifold_mesh_plane(const caromTouchSide *side, int id, caromVec3 *on)
{
    const caromMesh *mesh = side->shape->mesh;
    *on = carom_pose_point(side->X, mesh->tree.corners[id][0]);
    return carom_mul(side->X.R, carom_unit_or(carom_mesh_place_normal(mesh, id), carom_vec(0, 0, 1)));
}

// ---- which way they face: does all that a part belongs to fall away from a direction?

static bool box_corner_faces(const caromCore *core, int id, caromVec3 out, double steep)
{
    for (int axis = 0; axis < 3; axis++) {
        double along = id & 1 << axis ? 1.0 : -1.0;  // from the corner into the box
        if (carom_at(core->h, axis) > 0.0 && along*carom_at(out, axis) > steep) return false;
    }
    return true;
}

static bool hull_corner_faces(const caromHull *hull, int id, caromVec3 out, double steep)
{
    for (int k = hull->first_neighbour[id]; k < hull->first_neighbour[id + 1]; k++) {
        caromVec3 along = carom_sub(hull->vertices[hull->neighbours[k]], hull->vertices[id]);
        if (carom_dot(out, along) > steep*carom_norm(along)) return false;
    }
    return true;
}

bool carom_manifold_corner_faces(const caromTouchSide *side, int id, caromVec3 out_W, double steep)
{
    caromVec3 out = carom_tmul(side->X.R, out_W);
    if (side->shape->kind == CAROM_MESH) return carom_mesh_corner_faces(side->shape->mesh, id, out, steep);
    if (side->core.kind == CAROM_CORE_HULL) return hull_corner_faces(side->core.hull, id, out, steep);
    return side->core.kind != CAROM_CORE_BOX || box_corner_faces(&side->core, id, out, steep);
}

// Square to the edge, into the face with normal n; m: that of the other face.
static bool face_falls(caromVec3 along, caromVec3 n, caromVec3 m, caromVec3 out, double steep)
{
    caromVec3 into = carom_unit_or(carom_cross(n, along), carom_vec(0, 0, 0));
    if (carom_dot(into, m) > 0.0) into = carom_neg(into);
    return carom_dot(out, into) <= steep;
}

static bool box_edge_faces(const caromCore *core, int id, caromVec3 out, double steep)
{
    int axis = id/4, low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    if (carom_at(core->h, low) > 0.0 && (id & 1 ? 1.0 : -1.0)*carom_at(out, low) > steep) return false;
    return !(carom_at(core->h, high) > 0.0 && (id & 2 ? 1.0 : -1.0)*carom_at(out, high) > steep);
}

static bool hull_edge_faces(const caromHull *hull, int id, caromVec3 out, double steep)
{
    const int *ends = hull->edges[id], *faces = hull->edge_faces[id];
    caromVec3 along = carom_sub(hull->vertices[ends[1]], hull->vertices[ends[0]]), n = hull->normals[faces[0]],
              m = hull->normals[faces[1]];
    return face_falls(along, n, m, out, steep) && face_falls(along, m, n, out, steep);
}

bool carom_manifold_edge_faces(const caromTouchSide *side, int id, caromVec3 out_W, double steep)
{
    caromVec3 out = carom_tmul(side->X.R, out_W);
    if (side->shape->kind == CAROM_MESH) return carom_mesh_edge_faces(side->shape->mesh, id, out, steep);
    if (side->core.kind == CAROM_CORE_HULL) return hull_edge_faces(side->core.hull, id, out, steep);
    return side->core.kind != CAROM_CORE_BOX || box_edge_faces(&side->core, id, out, steep);
}

// ---- inside or not

double carom_manifold_distance(const caromTouchSide *side, caromVec3 p_W)
{
    caromVec3 p = carom_pose_inverse_point(side->X, p_W), n;
    return side->shape->kind == CAROM_MESH ? carom_meshgap_point(side->shape->mesh, p, &n)
                                           : carom_narrow_point(side->shape, p, &n);
}
