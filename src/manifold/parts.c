// Where the corners, edges, faces and rims of a shape are, and how they curve.
#include "geometry/mesh_features.h"
#include "manifold/parts.h"
#include "meshgap/meshgap.h"

// The core of a half-space is a box without width, as that of a mesh.
bool carom_manifold_is_flat(const caromTouchSide *side)
{
    return side->shape->kind != CAROM_MESH && (side->core.kind == CAROM_CORE_BOX || side->core.kind == CAROM_CORE_HULL);
}

static bool is_hull(const caromTouchSide *side)
{
    return side->core.kind == CAROM_CORE_HULL;
}

static bool is_box(const caromTouchSide *side)
{
    return carom_manifold_is_flat(side) && side->shape->kind != CAROM_HALF_SPACE && !is_hull(side);
}

typedef struct PartCounts {
    int of[CAROM_PART_KINDS];
} PartCounts;

static PartCounts counts_of(const caromTouchSide *side)
{
    const caromHull *hull = side->core.hull;
    const caromMesh *mesh = side->shape->mesh;
    if (side->shape->kind == CAROM_HALF_SPACE) return (PartCounts){ { 0, 0, 1, 0, 1 } };
    if (side->shape->kind == CAROM_MESH)
        return (PartCounts){ { mesh->nvertex, mesh->tree.nedge, mesh->ntriangle, 0, 1 + mesh->ntriangle } };
    const int corners = CAROM_TOUCH_RIM_CORNERS + 2*CAROM_TOUCH_ANGLES;
    if (carom_manifold_is_ring(side)) return (PartCounts){ { corners, 0, 0, 6, 1, CAROM_TOUCH_SECTORS } };
    switch (side->core.kind) {
    case CAROM_CORE_HULL: return (PartCounts){ { hull->nvertex, hull->nedge, hull->nface, 0, 1 } };
    case CAROM_CORE_FRUSTUM: return (PartCounts){ { corners, 1, 2, 6, 1 } };
    case CAROM_CORE_ELLIPSOID: return (PartCounts){ { 0, 0, 0, 0, 1 } };
    default: return (PartCounts){ { 8, 12, 6, 0, 1 } };
    }
}

bool carom_manifold_part_exists(const caromTouchSide *side, caromTouchPart part)
{
    return part.id >= 0 && part.id < counts_of(side).of[part.kind];
}

// The side of a cylinder is grown from its axis by all of its radius.
double carom_manifold_radius(const caromTouchSide *side, caromTouchPart part)
{
    if (side->shape->kind == CAROM_HALF_SPACE) return 0.0;
    if (part.kind == CAROM_PART_EDGE && carom_manifold_is_frustum(side) && !carom_manifold_is_cone(side))
        return side->core.radius + side->core.r0;
    return side->core.radius;
}

// ---- corners

static caromVec3 rim_corner(const caromCore *core, int id)
{
    static const double c[4] = { 1, 0, -1, 0 };
    bool is_fine = id >= CAROM_TOUCH_RIM_CORNERS, is_top = is_fine ? id & 1 : id & 4;
    int k = is_fine ? (id - CAROM_TOUCH_RIM_CORNERS)/2 : id & 3;
    double R = is_top ? core->r1 : core->r0, z = is_top ? core->z1 : core->z0,
           angle = 2.0*CAROM_PI*k/CAROM_TOUCH_ANGLES;
    return is_fine ? carom_vec(R*cos(angle), R*sin(angle), z) : carom_vec(R*c[k], R*c[(k + 3) & 3], z);
}

caromVec3 carom_manifold_corner(const caromTouchSide *side, int id)
{
    if (side->shape->kind == CAROM_MESH) return carom_pose_point(side->X, side->shape->mesh->vertices[id]);
    bool is_rim = carom_manifold_is_frustum(side) || carom_manifold_is_ring(side);
    return carom_pose_point(side->X, is_rim ? rim_corner(&side->core, id) : carom_convex_core_vertex(&side->core, id));
}

// Away from the middle along all axes but one.
static caromVec3 box_out(const caromCore *core, int label, int but)
{
    caromVec3 h = core->h;
    return carom_vec(h.x > 0.0 && but != 0 ? (label & 1 ? -1.0 : 1.0) : 0.0, h.y > 0.0 &&
                     but != 1 ? (label & 2 ? -1.0 : 1.0) : 0.0, h.z > 0.0 && but != 2 ? (label & 4 ? -1.0 : 1.0) : 0.0);
}

// The mean of the outer normals of the faces that meet there.
caromVec3 carom_manifold_corner_out(const caromTouchSide *side, int id)
{
    caromVec3 out = { 0, 0, 0 };
    if (side->shape->kind == CAROM_MESH) out = side->shape->mesh->features->corner_out[id];
    else if (is_hull(side)) {
        const caromHull *hull = side->core.hull;
        for (int k = hull->first_neighbour[id]; k < hull->first_neighbour[id + 1]; k++)
            out = carom_add(out, hull->normals[hull->vertex_faces[k]]);
    } else if (is_box(side)) out = box_out(&side->core, id, -1);
    return carom_mul(side->X.R, out);
}

// ---- edges: of a box 4 axis + the two other bits of the corners' labels, the lower bit first

static int spread(int axis, int bits)
{
    int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    return (bits & 1) << low | (bits >> 1) << high;
}

static int gathered(int axis, int label)
{
    int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    return (label >> low & 1) | (label >> high & 1) << 1;
}

static int box_edge_of(int corner, int other)
{
    int differ = corner ^ other, axis = differ == 1 ? 0 : differ == 2 ? 1 : differ == 4 ? 2 : -1;
    return axis < 0 ? -1 : 4*axis + gathered(axis, corner);
}

// Edges are sorted by their lower end, then by the other.
static int hull_edge_of(const caromHull *hull, int corner, int other)
{
    int a = corner < other ? corner : other, b = corner < other ? other : corner, low = 0, high = hull->nedge - 1;
    while (low <= high) {
        int middle = low + (high - low)/2;
        const int *e = hull->edges[middle];
        if (e[0] == a && e[1] == b) return middle;
        if (e[0] < a || (e[0] == a && e[1] < b)) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

int carom_manifold_edge_of(const caromTouchSide *side, int corner, int other)
{
    return is_hull(side) ? hull_edge_of(side->core.hull, corner, other) : box_edge_of(corner, other);
}

void carom_manifold_edge_ends(const caromTouchSide *side, int id, int ends[2])
{
    int axis = id/4;
    ends[0] = is_hull(side) ? side->core.hull->edges[id][0] : spread(axis, id & 3);
    ends[1] = is_hull(side) ? side->core.hull->edges[id][1] : ends[0] | 1 << axis;
}

static caromTouchLine box_line(const caromTouchSide *side, int id)
{
    int axis = id/4, from = spread(axis, id & 3);
    caromVec3 out = carom_mul(side->X.R, box_out(&side->core, from, axis));
    return (caromTouchLine){ carom_manifold_corner(side, from), carom_manifold_corner(side, from | 1 << axis), out,
                             side->core.radius };
}

static caromTouchLine hull_line(const caromTouchSide *side, int id)
{
    const caromHull *hull = side->core.hull;
    const int *ends = hull->edges[id], *faces = hull->edge_faces[id];
    caromVec3 out = carom_mul(side->X.R, carom_add(hull->normals[faces[0]], hull->normals[faces[1]]));
    return (caromTouchLine){ carom_manifold_corner(side, ends[0]), carom_manifold_corner(side, ends[1]), out,
                             side->core.radius };
}

static caromTouchLine axis_line(const caromTouchSide *side)
{
    const caromCore *core = &side->core;
    caromVec3 bottom = carom_axpy(core->z0, side->X.R.cz, side->X.p),
              top = carom_axpy(core->z1, side->X.R.cz, side->X.p);
    return (caromTouchLine){ bottom, top, carom_vec(0, 0, 0), core->radius + core->r0 };
}

// Normals of the side are (c cos, c sin, s) with tan = s/c the slope (r0 - r1)/(z1 - z0).
caromTouchLine carom_manifold_cone_line(const caromTouchSide *side, double angle)
{
    const caromCore *core = &side->core;
    double x = cos(angle), y = sin(angle), slope = (core->r0 - core->r1)/(core->z1 - core->z0);
    caromVec3 out = carom_scale(1.0/hypot(1.0, slope), carom_vec(x, y, slope));
    return (caromTouchLine){ carom_pose_point(side->X, carom_vec(core->r0*x, core->r0*y, core->z0)),
                             carom_pose_point(side->X, carom_vec(core->r1*x, core->r1*y, core->z1)),
                             carom_mul(side->X.R, out), core->radius };
}

bool carom_manifold_cone_square_to(const caromTouchSide *side, caromVec3 d_W, double angle[2])
{
    const caromCore *core = &side->core;
    caromVec3 d = carom_tmul(side->X.R, d_W);
    double across = hypot(d.x, d.y), c = (core->r1 - core->r0)/(core->z1 - core->z0)*d.z/across;
    if (!(fabs(c) <= 1.0)) return false;
    for (int k = 0; k < 2; k++) angle[k] = atan2(d.y, d.x) + (k ? -acos(c) : acos(c));
    return true;
}

caromTouchLine carom_manifold_line(const caromTouchSide *side, int id)
{
    if (side->shape->kind == CAROM_MESH) return carom_manifold_mesh_line(side, id);
    return is_hull(side) ? hull_line(side, id) : carom_manifold_is_frustum(side) ? axis_line(side) : box_line(side, id);
}

// ---- rims

double carom_manifold_lean_of(const caromTouchSide *side, caromVec3 out_W)
{
    caromVec3 out = carom_tmul(side->X.R, out_W);
    return hypot(out.x, out.y);
}

caromTouchCircle carom_manifold_circle(const caromTouchSide *side, int id)
{
    const caromCore *core = &side->core;
    if (carom_manifold_is_ring(side)) return (caromTouchCircle){ side->X.p, side->X.R.cz, core->r0, 0.0 };
    return (caromTouchCircle){ carom_axpy(id ? core->z1 : core->z0, side->X.R.cz, side->X.p), side->X.R.cz,
                               id ? core->r1 : core->r0, id ? 1.0 : -1.0 };
}

// ---- faces: of a box 2 axis + (1 if the outer normal is negative), as in narrow/features.c

static caromVec3 box_plane(const caromTouchSide *side, int id, caromVec3 *on)
{
    int axis = id/2;
    caromVec3 along = axis == 0 ? side->X.R.cx : axis == 1 ? side->X.R.cy : side->X.R.cz,
              n = id & 1 ? carom_neg(along) : along;
    *on = carom_axpy(carom_at(side->core.h, axis), n, side->X.p);
    return n;
}

caromVec3 carom_manifold_plane(const caromTouchSide *side, int id, caromVec3 *on)
{
    if (side->shape->kind == CAROM_MESH) return carom_manifold_mesh_plane(side, id, on);
    if (is_hull(side)) {
        const caromHull *hull = side->core.hull;
        *on = carom_manifold_corner(side, hull->corners[hull->first_corner[id]]);
        return carom_mul(side->X.R, hull->normals[id]);
    }
    if (is_box(side)) return box_plane(side, id, on);
    if (carom_manifold_is_frustum(side)) {
        *on = carom_axpy(id ? side->core.z1 : side->core.z0, side->X.R.cz, side->X.p);
        return id ? side->X.R.cz : carom_neg(side->X.R.cz);
    }
    *on = side->X.p;
    return side->X.R.cz;
}

bool carom_manifold_is_over(const caromTouchSide *side, int id, caromVec3 x, double margin)
{
    if (side->shape->kind == CAROM_HALF_SPACE) return true;
    caromVec3 y = carom_pose_inverse_point(side->X, x);
    if (side->shape->kind == CAROM_MESH)
        return carom_meshgap_face_has(side->shape->mesh, id, y, fmax(0.0, -margin));
    if (carom_manifold_is_frustum(side)) return hypot(y.x, y.y) < (id ? side->core.r1 : side->core.r0) - margin;
    return carom_convex_core_is_over_face(&side->core, id, y, margin);
}

// ---- curvature

static double of_radius(double r)
{
    return r > 0.0 ? 1.0/r : (double)INFINITY;
}

// Around the axis cos b/(R + r cos b), where cos b is what the normal has away from the axis (Meusnier; docs of
// carom_shape_curvature); across 1/r.
static caromCurvature rim_curvature(const caromTouchSide *side, int id, double r, caromVec3 p, caromVec3 out)
{
    caromTouchCircle circle = carom_manifold_circle(side, id & 1);
    caromVec3 from = carom_sub(carom_axpy(-r, out, p), circle.centre),
              away = carom_axpy(-carom_dot(from, circle.axis), circle.axis, from);
    if (!(circle.R > 0.0)) return (caromCurvature){ of_radius(r), of_radius(r), carom_geometry_square_to(out) };
    away = carom_unit_or(away, carom_geometry_square_to(circle.axis));
    double cos_b = carom_dot(out, away);
    return (caromCurvature){ cos_b/(circle.R + r*cos_b), of_radius(r), carom_cross(circle.axis, away) };
}

// Of the whole shape.
static caromCurvature smooth_curvature(const caromTouchSide *side, caromVec3 p, caromVec3 out)
{
    caromCurvature c = carom_shape_curvature(*side->shape, carom_pose_inverse_point(side->X, p),
                                             carom_tmul(side->X.R, out));
    c.t1 = carom_mul(side->X.R, c.t1);
    return c;
}

caromCurvature carom_manifold_curvature(const caromTouchSide *side, caromTouchPart part, caromVec3 p, caromVec3 out)
{
    double r = carom_manifold_radius(side, part);
    switch (part.kind) {
    case CAROM_PART_CORNER: return (caromCurvature){ of_radius(r), of_radius(r), carom_geometry_square_to(out) };
    case CAROM_PART_FACE: return (caromCurvature){ 0.0, 0.0, carom_geometry_square_to(out) };
    case CAROM_PART_RIM: return rim_curvature(side, part.id, r, p, out);
    case CAROM_PART_EDGE: {
        if (carom_manifold_is_cone(side)) return smooth_curvature(side, p, out);
        caromTouchLine line = carom_manifold_line(side, part.id);
        return (caromCurvature){ 0.0, of_radius(r),
                                 carom_unit_or(carom_sub(line.q, line.p), carom_geometry_square_to(out)) };
    }
    case CAROM_PART_RING: return smooth_curvature(side, p, out);
    default:
        return part.id > 0 ? carom_manifold_triangle_curvature(side, part.id, p, out) : smooth_curvature(side, p, out);
    }
}
