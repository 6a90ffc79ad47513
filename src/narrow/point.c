// Signed distance of a point: of the four cores in their own frame, then of whole shapes.
#include "narrow/closed.h"

static caromVec3 unit_axis(int i, double sign)
{
    return carom_vec(i == 0 ? sign : 0.0, i == 1 ? sign : 0.0, i == 2 ? sign : 0.0);
}

// Inside: out through the nearest face, the first of equal ones. A box without width in some direction has depth 0 and
// a normal square to it.
static double box_inside(const caromCore *c, caromVec3 p, caromVec3 *on, caromVec3 *n)
{
    double depth[3] = { c->h.x - fabs(p.x), c->h.y - fabs(p.y), c->h.z - fabs(p.z) };
    int least = depth[0] <= depth[1] && depth[0] <= depth[2] ? 0 : depth[1] <= depth[2] ? 1 : 2;
    *n = unit_axis(least, carom_at(p, least) < 0.0 ? -1.0 : 1.0);
    *on = carom_axpy(depth[least], *n, p);
    return -depth[least];
}

static double box_point(const caromCore *c, caromVec3 p, caromVec3 *on, caromVec3 *n)
{
    caromVec3 nearest = { carom_narrow_clamp(p.x, c->h.x), carom_narrow_clamp(p.y, c->h.y),
                          carom_narrow_clamp(p.z, c->h.z) };
    double distance = carom_narrow_split(carom_sub(p, nearest), carom_vec(0, 0, 0), n);
    if (distance == 0.0) return box_inside(c, p, on, n);
    *on = nearest;
    return distance;
}

// The half plane (rho, z) cuts a frustum in a convex polygon: bottom, side, top. Its corners on the axis are none: the
// mirror image is the other half.
typedef struct Profile {
    double rho, z;        // the point
    double r0, z0, r1, z1;
    double side_r, side_z;  // outer unit normal of the side
    double bottom, side, top;  // distances from the three lines, positive outside
} Profile;

static Profile profile_of(const caromCore *c, double rho, double z)
{
    Profile q = { .rho = rho, .z = z, .r0 = c->r0, .z0 = c->z0, .r1 = c->r1, .z1 = c->z1 };
    if (c->z1 == c->z0) q.r0 = q.r1 = fmax(c->r0, c->r1);  // a disc
    double dr = q.r1 - q.r0, dz = q.z1 - q.z0, length = hypot(dr, dz);
    q.side_r = length > 0.0 ? dz/length : 1.0;
    q.side_z = length > 0.0 ? -dr/length : 0.0;
    q.bottom = q.z0 - z;
    q.top = z - q.z1;
    q.side = (rho - q.r0)*q.side_r + (z - q.z0)*q.side_z;
    return q;
}

// Out through the nearest of the three lines; n as (rho, z).
static double profile_inside(const Profile *q, double *nr, double *nz)
{
    *nr = 0.0;
    if (q->top >= q->bottom && q->top >= q->side) return *nz = 1.0, q->top;
    if (q->bottom >= q->side) return *nz = -1.0, q->bottom;
    return *nr = q->side_r, *nz = q->side_z, q->side;
}

// Nearest to the bottom, to the top, or to the side and its ends, the rims.
static double profile_outside(const Profile *q, double *nr, double *nz)
{
    *nr = 0.0;
    if (q->bottom > 0.0 && q->rho <= q->r0) return *nz = -1.0, q->bottom;
    if (q->top > 0.0 && q->rho <= q->r1) return *nz = 1.0, q->top;
    // Along the side, whose direction is (-side_z, side_r).
    double from0 = -(q->rho - q->r0)*q->side_z + (q->z - q->z0)*q->side_r,
           from1 = -(q->rho - q->r1)*q->side_z + (q->z - q->z1)*q->side_r;
    if (from0 > 0.0 && from1 < 0.0) return *nr = q->side_r, *nz = q->side_z, q->side;
    double dr = q->rho - (from0 <= 0.0 ? q->r0 : q->r1), dz = q->z - (from0 <= 0.0 ? q->z0 : q->z1),
           distance = hypot(dr, dz);
    // On the rim but for rounding, which would choose the direction: any normal of the rim will do.
    if (distance <= 4.0*DBL_EPSILON*(q->rho + fabs(q->z))) return profile_inside(q, nr, nz);
    *nr = dr/distance;
    *nz = dz/distance;
    return distance;
}

static double frustum_point(const caromCore *c, caromVec3 p, caromVec3 *on, caromVec3 *n)
{
    double rho = hypot(p.x, p.y), cx = rho > 0.0 ? p.x/rho : 1.0, cy = rho > 0.0 ? p.y/rho : 0.0, nr, nz;
    Profile q = profile_of(c, rho, p.z);
    bool inside = q.bottom <= 0.0 && q.side <= 0.0 && q.top <= 0.0;
    double sd = inside ? profile_inside(&q, &nr, &nz) : profile_outside(&q, &nr, &nz);
    *n = carom_vec(nr*cx, nr*cy, nz);
    *on = carom_axpy(-sd, *n, p);
    return sd;
}

// The nearest point x of an ellipsoid with semi-axes e0 >= e1 >= e2 to y (all y_i >= 0) satisfies y - x = t x/e^2. With
// w = x/e on the unit sphere, v = t + e2^2, a_i = e_i y_i and d_i = e_i^2 - e2^2,
//
//     w_i = a_i/(v + d_i),    w0^2 + w1^2 + w2^2 = 1,    v >= 0.
//
// No difference of nearly equal numbers is left, whatever the ratios. The sum of squares falls from its pole to 0; its
// only root is that of the shortest way, from outside and inside. With y2 = 0 there may be no root (y is near the plane
// of the focal set): then v = 0 and w2 is what is missing.
typedef struct Sphered {
    double e[3], y[3], a[3], d[3];
} Sphered;

static double sum_of_squares(const Sphered *s, double v, double *slope)
{
    double sum = 0.0, fall = 0.0;
    for (int i = 0; i < 3; i++) {
        if (s->a[i] == 0.0) continue;
        double w = s->a[i]/(v + s->d[i]);
        sum += w*w;
        fall += w*w/(v + s->d[i]);
    }
    if (slope) *slope = fall;
    return sum;
}

// A bracket [lo, hi] of the root, at most a factor of 4 wide, from a lower bound: one w_i alone is at most 1. All with
// the pole's denominator are too large.
static double bracket_root(const Sphered *s, double lo)
{
    double hi = hypot(hypot(s->a[0], s->a[1]), s->a[2]);
    for (int i = 0; i < 30 && hi > 4.0*lo; i++) {
        double middle = sqrt(lo)*sqrt(hi);
        if (sum_of_squares(s, middle, NULL) >= 1.0) lo = middle;
        else hi = middle;
    }
    return lo;
}

static double newton(const Sphered *s, double v)
{
    double fall, sum = sum_of_squares(s, v, &fall);
    return sum*(sqrt(sum) - 1.0)/fall;
}

// The root of a point on the ellipsoid is e2^2, and from there a step leads to the left of any other, as the function
// is concave: most points that are asked for are near the surface. Deep inside it may lead past the pole.
static double left_of_root(const Sphered *s, double lo)
{
    double v = s->e[2]*s->e[2];
    for (int i = 0; i < 3; i++) lo = fmax(lo, s->a[i] - s->d[i]);
    v += newton(s, v);
    return v > lo ? v : bracket_root(s, lo);
}

// Newton on 1/sqrt(sum), which is concave and nearly linear: from the left it never overshoots.
static double root(const Sphered *s, double lo)
{
    double v = left_of_root(s, lo);
    for (int i = 0; i < 50; i++) {
        double step = newton(s, v);
        v += step;
        if (!(step > 2.0*DBL_EPSILON*v)) break;
    }
    return v;
}

static void nearest_on_sphere(const Sphered *s, double w[3])
{
    double v = 0.0, rest = 0.0;
    if (s->a[2] > 0.0) v = root(s, 0.0);
    else {
        double fall, sum = sum_of_squares(s, 0.0, &fall);
        if (sum > 1.0) v = root(s, 0.5*(sum - 1.0)/fall);  // a tangent at v = 0 meets 1 before the root
        else rest = sqrt(1.0 - sum);
    }
    for (int i = 0; i < 3; i++) w[i] = s->a[i] > 0.0 ? s->a[i]/(v + s->d[i]) : 0.0;
    if (rest > 0.0) w[2] = rest;
    double length = sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2]);
    for (int i = 0; i < 3; i++) w[i] /= length;
}

// Positions of the semi-axes from the longest to the shortest.
static void sort_axes(caromVec3 h, int order[3])
{
    order[0] = 0, order[1] = 1, order[2] = 2;
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++)
            if (carom_at(h, order[j]) > carom_at(h, order[i])) {
                int other = order[i];
                order[i] = order[j];
                order[j] = other;
            }
}

// n is parallel to w/e, and n.p - h(n) = (w.(y/e) - 1)/|w/e|: the error of w enters squared.
static double ellipsoid_point(const caromCore *c, caromVec3 p, caromVec3 *on, caromVec3 *n)
{
    int order[3];
    sort_axes(c->h, order);
    Sphered s;
    for (int i = 0; i < 3; i++) s.e[i] = carom_at(c->h, order[i]), s.y[i] = fabs(carom_at(p, order[i]));
    for (int i = 0; i < 3; i++) s.a[i] = s.e[i]*s.y[i], s.d[i] = (s.e[i] - s.e[2])*(s.e[i] + s.e[2]);
    double w[3], normal[3], reach = -1.0;
    nearest_on_sphere(&s, w);
    for (int i = 0; i < 3; i++) {
        double u = w[i]/s.e[i];
        reach += u*s.y[i];
        normal[order[i]] = carom_at(p, order[i]) < 0.0 ? -u : u;
    }
    double length = carom_narrow_split(carom_vec(normal[0], normal[1], normal[2]), carom_vec(0, 0, 1), n),
           sd = reach/length;
    *on = carom_axpy(-sd, *n, p);
    return sd;
}

static double face_height(const caromHull *hull, int face, caromVec3 p)
{
    return carom_dot(hull->normals[face], p) - hull->offsets[face];
}

static bool foot_is_on_face(const caromHull *hull, int face, caromVec3 p)
{
    int first = hull->first_corner[face], end = hull->first_corner[face + 1];
    for (int k = first; k < end; k++) {
        caromVec3 a = hull->vertices[hull->corners[k]], b = hull->vertices[hull->corners[k + 1 < end ? k + 1 : first]];
        if (carom_dot(carom_cross(carom_sub(b, a), hull->normals[face]), carom_sub(p, a)) > 0.0) return false;
    }
    return true;
}

typedef struct NearEdge {
    double distance;
    int edge, vertex;  // vertex: an end that is nearest, or -1
} NearEdge;

// Each end is asked by itself, and the nearer one for the distance: next to it, the difference from it is exact.
static void try_edge(const caromHull *hull, int edge, caromVec3 p, NearEdge *best)
{
    int ia = hull->edges[edge][0], ib = hull->edges[edge][1];
    caromVec3 a = hull->vertices[ia], ab = carom_sub(hull->vertices[ib], a), pa = carom_sub(p, a),
              pb = carom_sub(p, hull->vertices[ib]);
    double ta = carom_dot(pa, ab), tb = carom_dot(pb, ab);
    int vertex = ta <= 0.0 ? ia : tb >= 0.0 ? ib : -1;
    caromVec3 d = vertex == ia ? pa : vertex == ib ? pb : ta < -tb ? carom_axpy(-ta/carom_norm2(ab), ab, pa)
                               : carom_axpy(-tb/carom_norm2(ab), ab, pb);
    double distance = carom_norm(d);
    if (distance < best->distance) *best = (NearEdge){ distance, edge, vertex };
}

// d = alpha n1 + beta n2 from the heights above the two faces: close to the edge rounding may turn d, but not out
// from between them, where it would be no normal of the edge. Two sides of one triangle have nothing between
// them: then d as it is.
static caromVec3 edge_normal(const caromHull *hull, int edge, caromVec3 p)
{
    int f1 = hull->edge_faces[edge][0], f2 = hull->edge_faces[edge][1];
    caromVec3 n1 = hull->normals[f1], n2 = hull->normals[f2], n;
    double s1 = face_height(hull, f1, p), s2 = face_height(hull, f2, p), c = carom_dot(n1, n2);
    if (c == -1.0 || s1 + s2 == 0.0) {
        caromVec3 a = hull->vertices[hull->edges[edge][0]], ab = carom_sub(hull->vertices[hull->edges[edge][1]], a),
                  pa = carom_sub(p, a);
        carom_narrow_split(carom_axpy(-carom_dot(pa, ab)/carom_norm2(ab), ab, pa), n1, &n);
        return n;
    }
    double alpha = fmax(0.0, s1 - c*s2), beta = fmax(0.0, s2 - c*s1);
    carom_narrow_split(carom_add(carom_scale(alpha, n1), carom_scale(beta, n2)), s1 >= s2 ? n1 : n2, &n);
    return n;
}

// Outside, the nearest point is on a face that p is in front of, or on the edge of one.
static double hull_outside(const caromHull *hull, caromVec3 p, int highest, caromVec3 *on, caromVec3 *n)
{
    for (int f = 0; f < hull->nface; f++) {
        double s = face_height(hull, f, p);
        if (s <= 0.0 || !foot_is_on_face(hull, f, p)) continue;
        *n = hull->normals[f];
        *on = carom_axpy(-s, *n, p);
        return s;
    }
    NearEdge best = { (double)INFINITY, 0, -1 };
    // All of them: which faces p is in front of is uncertain next to it.
    for (int e = 0; e < hull->nedge; e++) try_edge(hull, e, p, &best);
    if (best.distance <= 16.0*DBL_EPSILON*hull->reach) {  // all rounding: a face there will do
        *n = hull->normals[highest];
        *on = p;
        return face_height(hull, highest, p);
    }
    *n = edge_normal(hull, best.edge, p);
    if (best.vertex >= 0) carom_narrow_split(carom_sub(p, hull->vertices[best.vertex]), *n, n);
    *on = carom_axpy(-best.distance, *n, p);
    return best.distance;
}

static double hull_point(const caromCore *c, caromVec3 p, caromVec3 *on, caromVec3 *n)
{
    const caromHull *hull = c->hull;
    int highest = 0;
    double height = -(double)INFINITY;
    for (int f = 0; f < hull->nface; f++) {
        double s = face_height(hull, f, p);
        if (s > height) height = s, highest = f;
    }
    if (height > 0.0) return hull_outside(hull, p, highest, on, n);
    *n = hull->normals[highest];
    *on = carom_axpy(-height, *n, p);
    return height;
}

double carom_convex_core_point(const caromCore *core, caromVec3 p, caromVec3 *on, caromVec3 *n)
{
    switch (core->kind) {
    case CAROM_CORE_BOX: return box_point(core, p, on, n);
    case CAROM_CORE_HULL: return hull_point(core, p, on, n);
    case CAROM_CORE_FRUSTUM: return frustum_point(core, p, on, n);
    default: return ellipsoid_point(core, p, on, n);
    }
}

// Distance from the ring, less the tube. On the axis all of the ring is nearest: Sx; on the ring any normal of it: Sz.
static double torus_point(const caromShape *a, caromVec3 p, caromVec3 *n)
{
    double rho = hypot(p.x, p.y), cx = rho > 0.0 ? p.x/rho : 1.0, cy = rho > 0.0 ? p.y/rho : 0.0, dr = rho - a->size.x;
    return carom_narrow_split(carom_vec(dr*cx, dr*cy, p.z), carom_vec(0, 0, 1), n) - a->size.y;
}

double carom_narrow_point(const caromShape *a, caromVec3 p, caromVec3 *n)
{
    if (a->kind == CAROM_HALF_SPACE) return *n = carom_vec(0, 0, 1), p.z;
    if (a->kind == CAROM_TORUS) return torus_point(a, p, n);
    caromVec3 on;
    caromCore core = carom_shape_core(a);
    return carom_convex_core_point(&core, p, &on, n) - core.radius;
}
