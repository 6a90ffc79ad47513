// Corners, edges and faces of a mesh on a smooth shape: the place of two parts, from them alone.
//
// The signed distance of a point from a convex shape is a convex function of the point, inside and outside: along an
// edge it has one minimum, where its slope passes 0. A round shape rolls from a corner onto the edge beside it where
// the normal leaves what the corner faces, and both have the same place there.
#include "geometry/mesh_features.h"
#include "manifold/parts.h"

// Of the normal, as a sine: rounding of places.
static const double strict = CAROM_TOUCH_SAME;

static void set_place(const caromTouchPair *pair, int i, caromVec3 p_W, caromVec3 n_W, double distance,
                      caromTouchPlace *place)
{
    const caromTouchSide *side = &pair->side[i];
    place->n = i ? carom_neg(n_W) : n_W;
    place->c[!i] = p_W;
    place->c[i] = carom_axpy(-(distance + carom_manifold_radius(side, (caromTouchPart){ CAROM_PART_SMOOTH, 0 })), n_W,
                             p_W);
}

static double distance_of(const caromTouchSide *side, caromVec3 p_W, caromVec3 *n_W)
{
    caromVec3 n;
    double distance = carom_narrow_point(side->shape, carom_pose_inverse_point(side->X, p_W), &n);
    *n_W = carom_mul(side->X.R, n);
    return distance;
}

bool carom_manifold_smooth_corner(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    if (a != 0 || pair->side[!i].shape->kind != CAROM_MESH) return false;
    caromVec3 n, p = carom_manifold_corner(&pair->side[!i], b);
    double distance = distance_of(&pair->side[i], p, &n);
    set_place(pair, i, p, n, distance, place);
    place->is_there = carom_manifold_corner_faces(&pair->side[!i], b, carom_neg(n), strict);
    return true;
}

// Where the distance along the line is least, in parts of it: secant steps with the weight of an end that stays halved
// (Illinois). Below 0 or above 1: at an end.
static double least_along(const caromTouchSide *side, const caromTouchLine *line)
{
    caromVec3 t = carom_sub(line->q, line->p), n;
    distance_of(side, line->p, &n);
    double low = 0.0, high = 1.0, f = carom_dot(n, t);
    if (f >= 0.0) return -1.0;
    distance_of(side, line->q, &n);
    double g = carom_dot(n, t);
    if (g <= 0.0) return 2.0;
    for (int k = 0; k < CAROM_TOUCH_ALONG_MAX && high - low > DBL_EPSILON; k++) {
        double s = k % 3 == 2 ? 0.5*(low + high) : high - g*(high - low)/(g - f);
        if (!(s > low && s < high)) break;
        distance_of(side, carom_axpy(s, t, line->p), &n);
        double slope = carom_dot(n, t);
        if (slope == 0.0) return s;
        if (slope < 0.0) low = s, f = slope, g *= 0.5;
        else high = s, g = slope, f *= 0.5;
    }
    return 0.5*(low + high);
}

// Edges cross rims as edges do (rims.c). On a sharp rim the distance is no smooth function of the point: inside, its
// gradient jumps from the normal of the end to that of the side; and of an edge that lies across an end its least place
// jumps from where it crosses the rim here to where it does there. c: on the core, of a point this far from it.
static bool is_on_end(const caromTouchPair *pair, int i, int edge, caromVec3 c_W, double distance)
{
    const caromCore *core = &pair->side[i].core;
    if (!carom_manifold_is_frustum(&pair->side[i])) return false;
    caromVec3 c = carom_pose_inverse_point(pair->side[i].X, c_W);
    // The place of a minimum is known to the root of roundings.
    double slack = sqrt(DBL_EPSILON)*pair->size + 2.0*fmax(-distance, 0.0);
    for (int rim = 2; rim < 6; rim++) {
        double R = rim & 1 ? core->r1 : core->r0, z = rim & 1 ? core->z1 : core->z0;
        if (!(R > 0.0) || fabs(c.z - z) > slack) continue;
        if (hypot(c.x, c.y) < R - slack) return true;
        caromTouchPlace crossing;
        bool crosses = carom_manifold_rim_edge(pair, i, rim, edge, &crossing) && crossing.is_there;
        if (crosses && carom_norm(carom_sub(crossing.c[i], c_W)) <= slack) return true;
    }
    return false;
}

bool carom_manifold_smooth_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    if (a != 0 || pair->side[!i].shape->kind != CAROM_MESH) return false;
    caromTouchLine line = carom_manifold_line(&pair->side[!i], b);
    double s = least_along(&pair->side[i], &line);
    caromVec3 n, p = carom_axpy(fmin(fmax(s, 0.0), 1.0), carom_sub(line.q, line.p), line.p);
    double distance = distance_of(&pair->side[i], p, &n);
    set_place(pair, i, p, n, distance, place);
    place->is_there = s >= 0.0 && s <= 1.0 && carom_manifold_edge_faces(&pair->side[!i], b, carom_neg(n), strict) &&
                      !is_on_end(pair, i, b, place->c[i], distance + pair->side[i].core.radius);
    return true;
}

// The point of the shape that is farthest along the face's inner normal.
bool carom_manifold_smooth_face(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    const caromTouchSide *side = &pair->side[i];
    if (a != 0 || pair->side[!i].shape->kind != CAROM_MESH || side->shape->kind != CAROM_ELLIPSOID) return false;
    caromTouchPlane plane = { .face = b };
    int label;
    plane.out = carom_manifold_plane(&pair->side[!i], b, &plane.on);
    caromVec3 c = carom_shape_core_support_label(&side->core, carom_tmul(side->X.R, carom_neg(plane.out)), &label);
    carom_manifold_over(pair, i, carom_pose_point(side->X, c), &plane, place);
    return true;
}

// ---- a ring over an edge: as over a thin bar (rings.c)

static caromShape bar_of(const caromTouchLine *line, caromPose *X)
{
    caromVec3 t = carom_sub(line->q, line->p), z = carom_unit_or(t, carom_vec(0, 0, 1)), x, y;
    carom_narrow_tangents(z, &x, &y);
    *X = carom_pose((caromMat3){ x, y, z }, carom_axpy(0.5, t, line->p));
    return (caromShape){ .kind = CAROM_CAPSULE, .size = { 0.0, carom_norm(t), 0.0 } };
}

static void set_ring_place(int i, const caromRingPlace *at, caromTouchPlace *place)
{
    place->c[i] = at->c_A;
    place->c[!i] = at->c_B;
    place->n = i ? carom_neg(at->n_AB) : at->n_AB;
}

// Within the edge, and outside the mesh.
static bool is_on_edge(const caromTouchPair *pair, int i, int b, const caromTouchLine *line,
                       const caromTouchPlace *place)
{
    caromVec3 t = carom_sub(line->q, line->p);
    double s = carom_dot(carom_sub(place->c[!i], line->p), t)/carom_norm2(t);
    return s > 0.0 && s < 1.0 &&
           carom_manifold_edge_faces(&pair->side[!i], b, i ? place->n : carom_neg(place->n), strict);
}

bool carom_manifold_ring_bar(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    caromTouchLine line = carom_manifold_line(&pair->side[!i], b);
    caromPose X;
    caromShape bar = bar_of(&line, &X);
    const caromRingPair ring = { pair->side[i].shape, &bar, pair->side[i].X, X };
    caromRingPlace at;
    bool is_found = carom_narrow_ring_near(&ring, 2.0*CAROM_PI*a/CAROM_TOUCH_SECTORS, &at);
    set_ring_place(i, &at, place);
    place->is_there = is_found && is_on_edge(pair, i, b, &line, place);
    return true;
}

int carom_manifold_ring_bar_places(const caromTouchPair *pair, int i, int b, int *sectors)
{
    caromTouchLine line = carom_manifold_line(&pair->side[!i], b);
    caromPose X;
    caromShape bar = bar_of(&line, &X);
    const caromRingPair ring = { pair->side[i].shape, &bar, pair->side[i].X, X };
    caromRingPlace places[CAROM_RING_PLACES];
    double spread;
    int n = carom_narrow_ring_places(&ring, places, &spread);
    for (int k = 0; k < n; k++) sectors[k] = carom_manifold_sector(places[k].angle).id;
    return n;
}
