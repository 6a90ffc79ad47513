// A torus is a ring, the circle c(th) = o + R (cos th u + sin th v), grown by its tube. Its gap to another shape is the
// least signed distance along the ring. That is a function of one angle with several minima: found for certain by lower
// bounds on the intervals between angles already asked, the interval with the lowest bound being divided next until
// none can hold anything lower.
//
// Bounds. Convex B: f(th) = sd(c(th)) with sd convex, so that f_k + n_k.(c(th) - c_k) is below f everywhere: a sine
// wave, which over an interval is above the parabola f_k + f'_k (th - th_k) - K (th - th_k)^2/2 where K bounds
// n_k.(c - o). About an axis of revolution of B, f depends on the distance rho from the axis and the height z alone,
// convex and not falling in rho; with n_k = (n_rho, n_z), f_k + n_rho (rho - rho_k) + n_z (z - z_k) is below f too,
// and bounds on the curvature of rho(th) and z(th) give another K: 0 when the axes coincide and f is constant.
// Circle B: see circle_bound.
#include "base/scratch.h"
#include "narrow/closed.h"
#include "narrow/scales.h"

static const double pi = CAROM_PI;

typedef struct Sample {
    double f, slope;  // value and derivative with respect to the angle
    // Convex B: outer unit normal at the point nearest to the ring; circle B: difference from the nearest point.
    caromVec3 n;
    caromVec3 arm;    // c - o
} Sample;

typedef struct TorusRing {  // all in the frame of B
    caromVec3 o, u, v;
    double R;
    int axis;                     // of revolution of convex B, or -1
    double K_rho, K_z;            // rho'' >= -K_rho, z'' >= -K_z about that axis
    double scale;                 // length that tolerances refer to
    caromCore core;               // convex B
    double R_B;                   // circle B, about z
    double rho0, rho1, rho2;      // circle B: rho^2 = rho0 + rho1 cos(th - .) + rho2 cos(2 th - .)
} TorusRing;

static caromVec3 ring_arm(const TorusRing *ring, double angle)  // from the centre
{
    return carom_scale(ring->R, carom_add(carom_scale(cos(angle), ring->u), carom_scale(sin(angle), ring->v)));
}

static caromVec3 ring_tangent(const TorusRing *ring, double angle)  // dc/dth
{
    return carom_scale(ring->R, carom_sub(carom_scale(cos(angle), ring->v), carom_scale(sin(angle), ring->u)));
}

static Sample convex_sample(const TorusRing *ring, double angle)
{
    Sample s = { .arm = ring_arm(ring, angle) };
    caromVec3 on;
    s.f = carom_convex_core_point(&ring->core, carom_add(ring->o, s.arm), &on, &s.n);
    s.slope = carom_dot(s.n, ring_tangent(ring, angle));
    return s;
}

// Difference of c from the nearest point of circle B. On the axis all are nearest: x.
static caromVec3 from_circle(const TorusRing *ring, caromVec3 c)
{
    double rho = hypot(c.x, c.y), s = rho > 0.0 ? 1.0 - ring->R_B/rho : 0.0;
    return rho > 0.0 ? carom_vec(s*c.x, s*c.y, c.z) : carom_vec(-ring->R_B, 0, c.z);
}

// Half of the squared distance: smooth where the circles cross.
static Sample circle_sample(const TorusRing *ring, double angle)
{
    caromVec3 arm = ring_arm(ring, angle), d = from_circle(ring, carom_add(ring->o, arm));
    return (Sample){ .f = 0.5*carom_norm2(d), .slope = carom_dot(d, ring_tangent(ring, angle)), .n = d, .arm = arm };
}

static Sample sample(const TorusRing *ring, double angle)
{
    return ring->R_B > 0.0 ? circle_sample(ring, angle) : convex_sample(ring, angle);
}

typedef struct TorusNode {
    double angle;  // ascending along next, from the first node to its copy 2 pi later
    Sample s;
    double divide; // where to divide the interval from here to next
    int next;
} TorusNode;

enum { N = 8, NODES_MAX = 512 };  // samples to start with; node N is node 0 again
typedef struct TorusSearch {
    TorusNode nodes[NODES_MAX];
    double bounds[NODES_MAX];  // of f from each node to its next
    int n, best;
} TorusSearch;

// The two parabolas of curvature -K that f is above: the lower of their crossing and the ends.
static double parabola_bound(const TorusNode *a, const TorusNode *b, double K, double *divide)
{
    double w = b->angle - a->angle;
    // f_a + s_a x - K x^2/2 = f_b + s_b (x - w) - K (x - w)^2/2
    double x = (b->s.f - a->s.f - b->s.slope*w - 0.5*K*w*w)/(a->s.slope - b->s.slope - K*w);
    double low = fmin(a->s.f, b->s.f);
    if (!(x > 0.0 && x < w)) return low;  // one is above the other throughout
    *divide = a->angle + fmin(fmax(x, 0.1*w), 0.9*w);
    return fmin(low, a->s.f + x*(a->s.slope - 0.5*K*x));
}

// For F = |c - circle B|^2/2 = |c|^2/2 + R_B^2/2 - R_B rho:
//  - a norm is convex, so rho is below its chord plus what the arc bulges out of its own, and F above its chord
//    less M x (w - x)/2;
//  - away from the axis, rho'' <= (rho^2)''/(2 rho) bounds F'' from below: useful when rho is nearly constant.
static double circle_bound(const TorusRing *ring, const TorusNode *a, const TorusNode *b, double *divide)
{
    double w = b->angle - a->angle, lever = ring->R*hypot(carom_dot(ring->o, ring->u), carom_dot(ring->o, ring->v)),
           M = lever + ring->R_B*ring->R;
    double rise = (b->s.f - a->s.f)/w, x = 0.5*w - rise/M, low = fmin(a->s.f, b->s.f);
    *divide = 0.5*(a->angle + b->angle);
    double bound = x > 0.0 && x < w ? fmin(low, a->s.f + rise*x - 0.5*M*x*(w - x)) : low;
    double least = ring->rho0 - ring->rho1 - ring->rho2;
    if (!(least > CAROM_NARROW_RING_AXIS*ring->rho0)) return bound;
    double K = lever + ring->R_B*(0.5*ring->rho1 + 2.0*ring->rho2)/sqrt(least);
    return fmax(bound, parabola_bound(a, b, K, divide));
}

// Largest n_k.(c - o) over an interval of width w: at its ends, but for what a sine wave of that amplitude bulges
// between.
static double wave_curvature(const TorusRing *ring, const Sample *k, const Sample *other, double w)
{
    double amplitude = ring->R*hypot(carom_dot(k->n, ring->u), carom_dot(k->n, ring->v));
    double K = fmax(carom_dot(k->n, k->arm), carom_dot(k->n, other->arm)) + 0.125*amplitude*w*w;
    K = fmax(0.0, fmin(K, amplitude));
    if (ring->axis < 0) return K;
    double n_z = carom_at(k->n, ring->axis), n_rho = sqrt(fmax(0.0, 1.0 - n_z*n_z));
    return fmin(K, n_rho*ring->K_rho + fabs(n_z)*ring->K_z);
}

static double convex_bound(const TorusRing *ring, const TorusNode *a, const TorusNode *b, double *divide)
{
    double w = b->angle - a->angle, K_a = wave_curvature(ring, &a->s, &b->s, w),
           K_b = wave_curvature(ring, &b->s, &a->s, w);
    double by_a = fmin(a->s.f, a->s.f + w*(a->s.slope - 0.5*K_a*w)),
           by_b = fmin(b->s.f, b->s.f - w*(b->s.slope + 0.5*K_b*w));
    return fmax(fmax(by_a, by_b), parabola_bound(a, b, fmax(K_a, K_b), divide));
}

static void set_bound(const TorusRing *ring, TorusSearch *search, int i)
{
    TorusNode *a = &search->nodes[i], *b = &search->nodes[a->next];
    a->divide = 0.5*(a->angle + b->angle);
    search->bounds[i] = ring->R_B > 0.0 ? circle_bound(ring, a, b, &a->divide) : convex_bound(ring, a, b, &a->divide);
}

// A value of f as a distance.
static double distance_of(const TorusRing *ring, double f)
{
    return ring->R_B > 0.0 ? sqrt(fmax(0.0, 2.0*f)) : f;
}

// Among values that differ by rounding the first one stays the best: the witness on a ring that lies flat does not
// jump.
static bool is_lower(const TorusRing *ring, double f, double best)
{
    double little = 8.0*DBL_EPSILON*ring->scale;
    return f < best - (ring->R_B > 0.0 ? little*distance_of(ring, best) : little);
}

static int insert(const TorusRing *ring, TorusSearch *search, int after, double angle)
{
    int i = search->n++;
    search->nodes[i] = (TorusNode){ .angle = angle, .s = sample(ring, angle), .next = search->nodes[after].next };
    search->nodes[after].next = i;
    set_bound(ring, search, after);
    set_bound(ring, search, i);
    if (is_lower(ring, search->nodes[i].s.f, search->nodes[search->best].s.f)) search->best = i;
    return i;
}

// Eight samples from the side that faces B's centre, so that the search turns with the scene; the last node
// is the first one again.
static void start(const TorusRing *ring, TorusSearch *search)
{
    double first = atan2(-carom_dot(ring->o, ring->v), -carom_dot(ring->o, ring->u));
    search->n = N + 1;
    search->best = 0;
    for (int i = 0; i <= N; i++) {
        double angle = first + i*(2.0*pi/N);
        search->nodes[i] = (TorusNode){ .angle = angle, .s = i == N ? search->nodes[0].s : sample(ring, angle),
                                        .next = i == N ? -1 : i + 1 };
        if (is_lower(ring, search->nodes[i].s.f, search->nodes[search->best].s.f)) search->best = i;
    }
    for (int i = 0; i < N; i++) set_bound(ring, search, i);
    search->bounds[N] = (double)INFINITY;
}

static int lowest_interval(const TorusSearch *search)
{
    int lowest = 0;
    for (int i = 1; i < search->n; i++)
        if (search->bounds[i] < search->bounds[lowest]) lowest = i;
    return lowest;
}

static double uncertainty(const TorusRing *ring, const TorusSearch *search, int lowest)
{
    double best = search->nodes[search->best].s.f, bound = fmin(best, search->bounds[lowest]);
    return distance_of(ring, best) - distance_of(ring, bound);
}

static void refine(const TorusRing *ring, TorusSearch *search, double tolerance)
{
    while (search->n < NODES_MAX - 2) {
        int i = lowest_interval(search);
        if (uncertainty(ring, search, i) <= tolerance) return;
        const TorusNode *a = &search->nodes[i], *b = &search->nodes[a->next];
        if (!(a->divide > a->angle && a->divide < b->angle)) return;
        insert(ring, search, i, a->divide);
    }
}

static int before(const TorusSearch *search, int i)
{
    int k = 0;
    for (i = i == 0 ? N : i; search->nodes[k].next != i;) k = search->nodes[k].next;
    return k;
}

// The zero of the slope between a and b, where it rises from below: false position with the weight of a stale end
// halved, and halving when that is slow.
static double flat_angle(const TorusRing *ring, double a, double slope_a, double b, double slope_b)
{
    double small = ring->R_B > 0.0 ? 0.0 : 4.0*DBL_EPSILON*ring->R, last = b - a;
    int side = 0;
    for (int i = 0; i < 200; i++) {  // where the ring crosses a plate the slope jumps: one in three halves the rest
        double x = i % 3 == 2 && b - a > 0.3*last ? 0.5*(a + b) : b - slope_b*(b - a)/(slope_b - slope_a);
        if (i % 3 == 2) last = b - a;
        if (!(x > a && x < b)) x = 0.5*(a + b);
        if (!(x > a && x < b)) break;
        double slope = sample(ring, x).slope;
        if (fabs(slope) <= small) return x;
        if (slope > 0.0) {
            b = x, slope_b = slope;
            if (side == 1) slope_a *= 0.5;
            side = 1;
        } else {
            a = x, slope_a = slope;
            if (side == -1) slope_b *= 0.5;
            side = -1;
        }
        if (b - a <= 2.0*DBL_EPSILON*fmax(fabs(a), fabs(b))) break;
    }
    return 0.5*(a + b);
}

// The value at the best sample is right to the square of its angle's error; normal and points need the angle itself.
static void polish(const TorusRing *ring, TorusSearch *search)
{
    int i = search->best;
    double slope = search->nodes[i].s.slope;
    if (slope == 0.0 || search->n >= NODES_MAX) return;
    if (slope > 0.0) i = before(search, i);
    const TorusNode *a = &search->nodes[i], *b = &search->nodes[a->next];
    if (!(a->s.slope < 0.0 && b->s.slope > 0.0)) return;
    double angle = flat_angle(ring, a->angle, a->s.slope, b->angle, b->s.slope);
    if (angle > a->angle && angle < b->angle) search->best = insert(ring, search, i, angle);
}

static double least_along_ring(const TorusRing *ring, double *angle, Sample *at)
{
    void *taken;
    TorusSearch *search = CAROM_SCRATCH_OR_STACK(sizeof *search, taken);
    start(ring, search);
    refine(ring, search, CAROM_NARROW_RING_ROUGH*ring->scale);
    polish(ring, search);
    refine(ring, search, CAROM_NARROW_SAME*ring->scale);
    polish(ring, search);
    *angle = search->nodes[search->best].angle;
    *at = search->nodes[search->best].s;
    double error = uncertainty(ring, search, lowest_interval(search));
    carom_scratch_give_back(taken);
    return error;
}

// Curvatures of rho(th) and z(th) about axis k of B.
static void set_axis(TorusRing *ring, int k)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double R = ring->R, ox = carom_at(ring->o, i), oy = carom_at(ring->o, j);
    double ux = R*carom_at(ring->u, i), uy = R*carom_at(ring->u, j), vx = R*carom_at(ring->v, i),
           vy = R*carom_at(ring->v, j);
    double uu = ux*ux + uy*uy, vv = vx*vx + vy*vy, uv = ux*vx + uy*vy;
    ring->rho0 = ox*ox + oy*oy + 0.5*(uu + vv);
    ring->rho1 = 2.0*hypot(ox*ux + oy*uy, ox*vx + oy*vy);
    ring->rho2 = hypot(0.5*(uu - vv), uv);
    double least = ring->rho0 - ring->rho1 - ring->rho2;
    if (!(least > 0.0)) return;
    ring->axis = k;
    // rho'' = (rho^2)''/(2 rho) - ((rho^2)')^2/(4 rho^3)
    double rho = sqrt(least), slope = ring->rho1 + 2.0*ring->rho2;
    ring->K_rho = (0.5*ring->rho1 + 2.0*ring->rho2)/rho + 0.25*slope*slope/(rho*least);
    ring->K_z = R*hypot(carom_at(ring->u, k), carom_at(ring->v, k));
}

static void set_core(TorusRing *ring, const caromCore *core)
{
    ring->core = *core;
    bool is_ellipsoid = core->kind == CAROM_CORE_ELLIPSOID, is_box = core->kind == CAROM_CORE_BOX;
    if (core->kind == CAROM_CORE_FRUSTUM) set_axis(ring, 2);
    for (int k = 0; k < 3; k++) {
        double a = carom_at(core->h, (k + 1) % 3), b = carom_at(core->h, (k + 2) % 3);
        if ((is_ellipsoid && a == b) || (is_box && a == 0.0 && b == 0.0)) set_axis(ring, k);
    }
}

typedef struct NearRing {
    double f;        // signed distance of the nearest point of the ring
    caromVec3 c, n;  // that point; B's outer unit normal towards it
    double error;
} NearRing;

// The ring's point nearest to q. On the axis: u.
static NearRing nearest_to_point(const TorusRing *ring, caromVec3 q)
{
    caromVec3 to_q = carom_sub(q, ring->o), axis = carom_cross(ring->u, ring->v), n;
    double x = carom_dot(to_q, ring->u), y = carom_dot(to_q, ring->v), rho = hypot(x, y);
    caromVec3 out = rho > 0.0 ? carom_add(carom_scale(x/rho, ring->u), carom_scale(y/rho, ring->v)) : ring->u;
    // c - q, from the two directions in which it lies
    caromVec3 d = carom_sub(carom_scale(ring->R - rho, out), carom_scale(carom_dot(to_q, axis), axis));
    double f = carom_narrow_split(d, axis, &n);
    return (NearRing){ f, carom_axpy(ring->R, out, ring->o), n, 0.0 };
}

// A corner that all of the ring is nearest to: then f is the distance from a point, and nearly constant about its axis,
// where the bounds above are slow.
static bool sees_one_corner(const TorusRing *ring, caromVec3 *corner)
{
    double at[3];
    for (int k = 0; k < 3; k++) {
        double h = carom_at(ring->core.h, k), o = carom_at(ring->o, k),
               reach = ring->R*hypot(carom_at(ring->u, k), carom_at(ring->v, k));
        if (fabs(o) - reach < h) return false;
        at[k] = o < 0.0 ? -h : h;
    }
    *corner = carom_vec(at[0], at[1], at[2]);
    return true;
}

static bool sees_one_vertex(const TorusRing *ring, caromVec3 *vertex)
{
    const caromHull *hull = ring->core.hull;
    int nearest = 0;
    double least = (double)INFINITY;
    for (int v = 0; v < hull->nvertex; v++) {
        double d = carom_norm2(carom_sub(ring->o, hull->vertices[v]));
        if (d < least) least = d, nearest = v;
    }
    caromVec3 p = hull->vertices[nearest], from = carom_sub(ring->o, p);
    for (int k = hull->first_neighbour[nearest]; k < hull->first_neighbour[nearest + 1]; k++) {
        caromVec3 e = carom_sub(hull->vertices[hull->neighbours[k]], p);
        if (carom_dot(from, e) + ring->R*hypot(carom_dot(ring->u, e), carom_dot(ring->v, e)) > 0.0) return false;
    }
    *vertex = p;
    return true;
}

static NearRing nearest_to_core(const TorusRing *ring)
{
    caromVec3 corner;
    if (ring->core.kind == CAROM_CORE_BOX && sees_one_corner(ring, &corner)) return nearest_to_point(ring, corner);
    if (ring->core.kind == CAROM_CORE_HULL && sees_one_vertex(ring, &corner)) return nearest_to_point(ring, corner);
    double angle;
    Sample s;
    double error = least_along_ring(ring, &angle, &s);
    return (NearRing){ s.f, carom_add(ring->o, s.arm), s.n, error };
}

static NearRing nearest_to_circle(const TorusRing *ring)
{
    double angle;
    Sample s;
    double error = least_along_ring(ring, &angle, &s);
    NearRing near = { 0, carom_add(ring->o, s.arm), { 0, 0, 1 }, error };
    near.f = carom_narrow_split(s.n, carom_vec(0, 0, 1), &near.n);
    // Where they nearly cross, that difference is mostly rounding, but known to be square to both tangents; where
    // they touch, to the ring.
    caromVec3 tangent_B = carom_vec(-near.c.y, near.c.x, 0), across;
    carom_narrow_split(carom_cross(ring_tangent(ring, angle), tangent_B), near.n, &across);
    if (carom_dot(across, s.n) < 0.0) across = carom_neg(across);
    double off = carom_norm(carom_axpy(-carom_dot(across, s.n), across, s.n)), little = 16.0*DBL_EPSILON*ring->scale;
    if (off <= little && carom_norm(carom_cross(ring_tangent(ring, angle), tangent_B)) >
        CAROM_NARROW_RING_CROSSING*ring->R*carom_norm(tangent_B)) near.n = across;
    else if (near.f <= little) near.n = carom_cross(ring->u, ring->v);
    return near;
}

static bool is_point(const caromCore *core)
{
    return core->kind == CAROM_CORE_BOX && core->h.x == 0.0 && core->h.y == 0.0 && core->h.z == 0.0;
}

// *radius: by which the core of B, or its ring, is grown.
static TorusRing ring_of(const caromShape *torus, caromPose X_WA, const caromShape *b, caromPose X_WB, double *radius)
{
    caromPose X_BA = carom_pose_relative(X_WB, X_WA);
    double size = carom_shape_radius(*torus) + carom_shape_radius(*b);
    TorusRing ring = { .o = X_BA.p, .u = X_BA.R.cx, .v = X_BA.R.cy, .R = torus->size.x, .scale = size, .axis = -1 };
    if (b->kind == CAROM_TORUS) {
        ring.R_B = b->size.x;
        *radius = b->size.y;
        set_axis(&ring, 2);
    } else {
        caromCore core = carom_shape_core(b);
        *radius = core.radius;
        set_core(&ring, &core);
    }
    return ring;
}

static caromGap gap_between(const caromShape *torus, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    double radius_B;
    TorusRing ring = ring_of(torus, X_WA, b, X_WB, &radius_B);
    NearRing near = b->kind == CAROM_TORUS ? nearest_to_circle(&ring)
                    : is_point(&ring.core) ? nearest_to_point(&ring, carom_vec(0, 0, 0)) : nearest_to_core(&ring);
    double g = near.f - radius_B - torus->size.y,
           error = near.error + carom_narrow_roundings(carom_norm(ring.o) + ring.scale);
    if (!isfinite(g)) return carom_gap_undefined((double)NAN);
    caromVec3 n_AB = carom_neg(carom_mul(X_WB.R, near.n)),
              p_A = carom_axpy(torus->size.y, n_AB, carom_pose_point(X_WB, near.c));
    return (caromGap){ g, n_AB, p_A, carom_axpy(g, n_AB, p_A), error, carom_gap_status(error, ring.scale) };
}

// Which of two toruses is searched along: the answer must not depend on who is called A.
caromGap carom_gap_torus(const caromShape *torus, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    if (!carom_narrow_is_placed(torus, &X_WA) || !carom_narrow_is_placed(b, &X_WB))
        return carom_gap_refused(torus, &X_WA, b, &X_WB);
    if (b->kind != CAROM_TORUS || carom_narrow_pair_order(torus, &X_WA, b, &X_WB) <= 0)
        return gap_between(torus, X_WA, b, X_WB);
    return carom_gap_mirrored(gap_between(b, X_WB, torus, X_WA));
}

// ---- all places of a ring that are nearer than those beside them

static caromRingPlace place_at(const TorusRing *ring, caromPose X_WB, double angle)
{
    Sample s = sample(ring, angle);
    double f = s.f;
    caromVec3 n = s.n;
    if (ring->R_B > 0.0) f = carom_narrow_split(s.n, carom_vec(0, 0, 1), &n);
    caromVec3 c = carom_add(ring->o, s.arm);
    return (caromRingPlace){ angle, f, carom_pose_point(X_WB, c), carom_pose_point(X_WB, carom_axpy(-f, n, c)),
                             carom_neg(carom_mul(X_WB.R, n)) };
}

caromRingPlace carom_narrow_ring_at(const caromRingPair *pair, double angle)
{
    double radius;
    TorusRing ring = ring_of(pair->torus, pair->X_WA, pair->b, pair->X_WB, &radius);
    return place_at(&ring, pair->X_WB, angle);
}

// Downhill in steps that double, then the zero of the slope between the last two.
bool carom_narrow_ring_near(const caromRingPair *pair, double from, caromRingPlace *place)
{
    double radius, angle = from;
    TorusRing ring = ring_of(pair->torus, pair->X_WA, pair->b, pair->X_WB, &radius);
    double slope = sample(&ring, from).slope, step = slope > 0.0 ? -CAROM_NARROW_RING_STEP : CAROM_NARROW_RING_STEP;
    bool is_found = slope == 0.0;
    while (!is_found && fabs(angle + step - from) <= CAROM_NARROW_RING_AWAY) {
        double next = angle + step, slope_next = sample(&ring, next).slope;
        is_found = slope*slope_next <= 0.0;
        if (is_found) angle = step > 0.0 ? flat_angle(&ring, angle, slope, next, slope_next)
                                         : flat_angle(&ring, next, slope_next, angle, slope);
        else angle = next, slope = slope_next, step *= 2.0;
    }
    *place = place_at(&ring, pair->X_WB, angle);
    return is_found;
}

enum { RING_LOOKS = 64, RING_FINER = 8 };

// Between looks at a and a + w: those where the slope rises through 0.
static int flats_between(const TorusRing *ring, double a, double w, caromPose X_WB, int n, caromRingPlace *places)
{
    double angle = a, slope = sample(ring, a).slope;
    for (int k = 1; k <= RING_FINER; k++) {
        double next = a + w*k/RING_FINER, slope_next = sample(ring, next).slope;
        if (slope < 0.0 && slope_next >= 0.0 && n < CAROM_RING_PLACES)
            places[n++] = place_at(ring, X_WB, flat_angle(ring, angle, slope, next, slope_next));
        angle = next;
        slope = slope_next;
    }
    return n;
}

int carom_narrow_ring_places(const caromRingPair *pair, caromRingPlace *places, double *spread)
{
    double radius, w = 2.0*pi/RING_LOOKS, least = (double)INFINITY, most = -(double)INFINITY;
    TorusRing ring = ring_of(pair->torus, pair->X_WA, pair->b, pair->X_WB, &radius);
    double slopes[RING_LOOKS + 1];
    for (int k = 0; k < RING_LOOKS; k++) {
        Sample s = sample(&ring, k*w);
        double f = distance_of(&ring, s.f);
        slopes[k] = s.slope;
        least = fmin(least, f);
        most = fmax(most, f);
    }
    slopes[RING_LOOKS] = slopes[0];
    *spread = most - least;
    int n = 0;
    for (int k = 0; k < RING_LOOKS; k++)
        if (slopes[k] < 0.0 && slopes[k + 1] >= 0.0) n = flats_between(&ring, k*w, w, pair->X_WB, n, places);
    return n;
}
