// Curved cores: the normal of the shortest line, solved for.
//
// Where the surfaces are smooth, both normals lie along the line that joins the points (equations (2.1) of
// [Kossenko05]). Written with the unit normal n as the unknown and x(n), y(n) the points of A and B that it belongs to,
// that is
//
//     P (y - x) = 0,    P = 1 - n n^T
//
// two equations for the two unknowns of n. The surface need not be smooth: an edge or the side of a cone has a segment
// of points for one normal, x = s(n) + lambda e(n), and asks of the normal that n.e = 0; so each such segment brings
// one unknown and one equation. Newton's method, with H = dx/dn the radii of curvature,
//
//     (H_A + H_B + g P) dn + E dlambda = P (y - x),    E^T dn = -n.e
//
// A face fixes n altogether (two such segments); it is solved directly.
#include "narrow/convex.h"
#include "narrow/scales.h"

typedef enum FeatureKind { POINT, SEGMENT, RIM, SIDE, SMOOTH, PLANE } FeatureKind;

typedef struct Feature {
    FeatureKind kind;
    int label[2];   // vertices of an edge; rim; sign of a cap
    caromVec3 m;    // outer normal of a plane, in the core's frame
} Feature;

// A core about a normal, in its own frame: x = s + lambda e, and how x changes with the normal, u.H v.
typedef struct Local {
    caromVec3 x, e;
    bool has_segment;
    double bend;        // rim, side: H = bend t t^T. ellipsoid: H = bend (Q - x x^T)
    caromVec3 t;        // rim, side
    caromVec3 Q;        // ellipsoid: squares of the semi-axes
} Local;

// d: unit normal in the core's frame. False: the feature has no point for it.
static bool evaluate(const caromCore *c, const Feature *f, caromVec3 d, double lambda, Local *at)
{
    at->has_segment = false;
    at->e = at->t = at->Q = carom_vec(0, 0, 0);
    at->bend = 0.0;
    switch (f->kind) {
    case POINT:
        at->x = c->kind == CAROM_CORE_FRUSTUM ? carom_vec(0, 0, f->label[0] ? c->z1 : c->z0)
                                              : carom_convex_core_vertex(c, f->label[0]);
        return true;
    case SEGMENT: {
        caromVec3 a = carom_convex_core_vertex(c, f->label[0]);
        at->e = carom_sub(carom_convex_core_vertex(c, f->label[1]), a);
        at->x = carom_axpy(lambda, at->e, a);
        at->has_segment = true;
        return true;
    }
    case RIM:
    case SIDE: {
        double across = sqrt(d.x*d.x + d.y*d.y);
        if (!(across > CAROM_NARROW_ON_AXIS)) return false;
        double r = f->label[0] ? c->r1 : c->r0, k = 1.0/across, ux = k*d.x, uy = k*d.y;
        if (f->kind == RIM) at->x = carom_vec(r*ux, r*uy, f->label[0] ? c->z1 : c->z0);
        else {
            r = c->r0 + lambda*(c->r1 - c->r0);
            at->e = carom_vec((c->r1 - c->r0)*ux, (c->r1 - c->r0)*uy, c->z1 - c->z0);
            at->x = carom_vec(r*ux, r*uy, c->z0 + lambda*(c->z1 - c->z0));
            at->has_segment = true;
        }
        at->t = carom_vec(-uy, ux, 0.0);
        at->bend = r*k;
        return true;
    }
    case SMOOTH: {
        at->Q = carom_vec(c->h.x*c->h.x, c->h.y*c->h.y, c->h.z*c->h.z);
        caromVec3 q = carom_vec(at->Q.x*d.x, at->Q.y*d.y, at->Q.z*d.z);
        at->bend = 1.0/sqrt(carom_dot(q, d));
        at->x = carom_scale(at->bend, q);
        return true;
    }
    default: return false;
    }
}

static double bending(const Local *at, FeatureKind kind, caromVec3 u, caromVec3 v)
{
    if (kind == SMOOTH)
        return at->bend*(at->Q.x*u.x*v.x + at->Q.y*u.y*v.y + at->Q.z*u.z*v.z - carom_dot(at->x, u)*carom_dot(at->x, v));
    return at->bend*carom_dot(at->t, u)*carom_dot(at->t, v);
}

// ---- small linear systems: unknowns that the equations say nothing about stay 0

enum { UNKNOWNS = 4 };

// No segment: (H + g) dn = d.
static bool solve_free(double m[UNKNOWNS][UNKNOWNS + 1], double *x)
{
    double det = m[0][0]*m[1][1] - m[0][1]*m[1][0];
    if (!(fabs(det) > CAROM_NARROW_REGULAR*(m[0][0]*m[0][0] + m[0][1]*m[0][1] + m[1][1]*m[1][1]))) return false;
    x[0] = (m[0][2]*m[1][1] - m[0][1]*m[1][2])/det;
    x[1] = (m[0][0]*m[1][2] - m[0][2]*m[1][0])/det;
    return true;
}

// One segment: dn along it is given, across it (H + g) decides, and what is left of d goes into lambda. From a tip on
// the axis of a cone all lines of its side are as near: H + g and d across are roundings, and nothing is to be turned.
static bool solve_one_segment(double m[UNKNOWNS][UNKNOWNS + 1], double *x)
{
    double e0 = m[2][0], e1 = m[2][1], ee = e0*e0 + e1*e1, c0 = m[0][2], c1 = m[1][2], cc = c0*c0 + c1*c1;
    double across = (e1*e1*m[0][0] - 2.0*e0*e1*m[0][1] + e0*e0*m[1][1])/ee;
    if (!(ee > CAROM_NARROW_REGULAR) || !(fabs(across) > CAROM_NARROW_REGULAR*(fabs(m[0][0]) + fabs(m[1][1]))) ||
        !(cc > CAROM_NARROW_REGULAR2)) return false;
    double a0 = m[2][3]*e0/ee, a1 = m[2][3]*e1/ee;
    double left = -e1*(m[0][3] - m[0][0]*a0 - m[0][1]*a1) + e0*(m[1][3] - m[1][0]*a0 - m[1][1]*a1);
    double s = fabs(left) > CAROM_NARROW_STILL*sqrt(ee) ? left/(across*ee) : 0.0;
    x[0] = a0 - s*e1;
    x[1] = a1 + s*e0;
    x[2] = (c0*(m[0][3] - m[0][0]*x[0] - m[0][1]*x[1]) + c1*(m[1][3] - m[1][0]*x[0] - m[1][1]*x[1]))/cc;
    return true;
}

// Two segments fix dn.
static bool solve_two_segments(double m[UNKNOWNS][UNKNOWNS + 1], double *x)
{
    double det = m[2][0]*m[3][1] - m[2][1]*m[3][0], c = m[0][2]*m[1][3] - m[0][3]*m[1][2];
    if (!(fabs(det) > CAROM_NARROW_CROSSING) || !(fabs(c) > CAROM_NARROW_CROSSING2)) return false;
    x[0] = (m[2][4]*m[3][1] - m[2][1]*m[3][4])/det;
    x[1] = (m[2][0]*m[3][4] - m[2][4]*m[3][0])/det;
    double r0 = m[0][4] - m[0][0]*x[0] - m[0][1]*x[1], r1 = m[1][4] - m[1][0]*x[0] - m[1][1]*x[1];
    x[2] = (r0*m[1][3] - m[0][3]*r1)/c;
    x[3] = (m[0][2]*r1 - r0*m[1][2])/c;
    return true;
}

// Elimination with the largest pivot of all that is left, down to the rank: for parallel segments and normals that
// nothing settles.
static void eliminate(int n, double m[UNKNOWNS][UNKNOWNS + 1], double *x)
{
    int column[UNKNOWNS];
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        column[i] = i;
        x[i] = 0.0;
    }
    int rank = 0;
    for (; rank < n; rank++) {
        int pi = rank, pj = rank;
        double pivot = 0.0;
        for (int i = rank; i < n; i++) {
            for (int j = rank; j < n; j++) {
                if (fabs(m[i][j]) > pivot) pivot = fabs(m[i][j]), pi = i, pj = j;
            }
        }
        if (rank == 0) largest = pivot;
        if (!(pivot > CAROM_NARROW_RANK*largest)) break;
        for (int j = 0; j <= n; j++) {
            double swap = m[pi][j];
            m[pi][j] = m[rank][j];
            m[rank][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            double swap = m[i][pj];
            m[i][pj] = m[i][rank];
            m[i][rank] = swap;
        }
        int swap = column[pj];
        column[pj] = column[rank];
        column[rank] = swap;
        for (int i = rank + 1; i < n; i++) {
            double factor = m[i][rank]/m[rank][rank];
            for (int j = rank; j <= n; j++) m[i][j] -= factor*m[rank][j];
        }
    }
    double y[UNKNOWNS] = { 0 };
    for (int i = rank - 1; i >= 0; i--) {
        y[i] = m[i][n];
        for (int j = i + 1; j < rank; j++) y[i] -= m[i][j]*y[j];
        y[i] /= m[i][i];
    }
    for (int i = 0; i < rank; i++) x[column[i]] = y[i];
}

static void solve(int n, double m[UNKNOWNS][UNKNOWNS + 1], double *x)
{
    bool is_solved = n == 2 ? solve_free(m, x) : n == 3 ? solve_one_segment(m, x) : solve_two_segments(m, x);
    if (!is_solved) eliminate(n, m, x);
}

// ---- Newton's method on a pair of features without planes

typedef struct State {
    caromVec3 n;
    double lambda[2];
    Local a, b;            // each in its own frame
    caromVec3 y, e_b;      // of b, in the frame of A
    caromVec3 d;           // y - x
    bool is_minimum;       // of the depth, among normals near by: H + g is not negative where no segment fixes n
} State;

static bool evaluate_pair(const caromConvexPair *p, const Feature *fa, const Feature *fb, State *s)
{
    if (!evaluate(&p->a, fa, s->n, s->lambda[0], &s->a)) return false;
    if (!evaluate(&p->b, fb, carom_neg(carom_tmul(p->R, s->n)), s->lambda[1], &s->b)) return false;
    s->y = carom_add(p->t, carom_mul(p->R, s->b.x));
    if (s->b.has_segment) s->e_b = carom_mul(p->R, s->b.e);
    s->d = carom_sub(s->y, s->a.x);
    return true;
}

// The least eigenvalue of H + g (upper left of m) among the directions that no segment (rows 2 and 3) fixes.
static double least_bending(int n, double m[UNKNOWNS][UNKNOWNS + 1])
{
    if (n == 2) {
        double half = 0.5*(m[0][0] + m[1][1]), off = 0.5*(m[0][0] - m[1][1]);
        return half - sqrt(off*off + m[0][1]*m[0][1]);
    }
    double e0 = m[2][0], e1 = m[2][1];
    return (e1*e1*m[0][0] - 2.0*e0*e1*m[0][1] + e0*e0*m[1][1])/(e0*e0 + e1*e1);
}

// One step; returns how far the normal turned, or -1.
static double newton_step(const caromConvexPair *p, const Feature *fa, const Feature *fb, State *s)
{
    caromVec3 t[2], t_B[2];
    carom_narrow_tangents(s->n, &t[0], &t[1]);
    t_B[0] = carom_tmul(p->R, t[0]);
    t_B[1] = carom_tmul(p->R, t[1]);
    double g = carom_dot(s->n, s->d), k = 1.0/p->scale;
    double m[UNKNOWNS][UNKNOWNS + 1] = { { 0 } }, dx[UNKNOWNS];
    int n = 2 + s->a.has_segment + s->b.has_segment;
    m[0][0] = k*(bending(&s->a, fa->kind, t[0], t[0]) + bending(&s->b, fb->kind, t_B[0], t_B[0]) + g);
    m[1][1] = k*(bending(&s->a, fa->kind, t[1], t[1]) + bending(&s->b, fb->kind, t_B[1], t_B[1]) + g);
    m[0][1] = m[1][0] = k*(bending(&s->a, fa->kind, t[0], t[1]) + bending(&s->b, fb->kind, t_B[0], t_B[1]));
    m[0][n] = k*carom_dot(t[0], s->d);
    m[1][n] = k*carom_dot(t[1], s->d);
    int row = 2;
    for (int side = 0; side < 2; side++) {
        if (!(side ? s->b.has_segment : s->a.has_segment)) continue;
        caromVec3 e = side ? carom_neg(s->e_b) : s->a.e;
        double length = 1.0/carom_norm(e), e0 = carom_dot(t[0], e), e1 = carom_dot(t[1], e);
        m[0][row] = k*e0, m[1][row] = k*e1;
        m[row][0] = length*e0, m[row][1] = length*e1;
        m[row][n] = -length*carom_dot(s->n, e);
        row++;
    }
    s->is_minimum = n == 4 || least_bending(n, m) >= 0.0;
    // Nothing left but rounding. (A vertex close to a rim fixes the normal by the short line between them alone:
    // steps would go on dancing.)
    double left = 0.0;
    for (int i = 0; i < n; i++) left = fmax(left, fabs(m[i][n]));
    if (left <= CAROM_NARROW_STILL) return 0.0;
    solve(n, m, dx);
    double turn = sqrt(dx[0]*dx[0] + dx[1]*dx[1]);
    if (!isfinite(turn)) return -1.0;
    double shorten = turn > 0.5 ? 0.5/turn : 1.0;
    caromVec3 next = carom_axpy(shorten*dx[0], t[0], carom_axpy(shorten*dx[1], t[1], s->n));
    s->n = carom_scale(1.0/carom_norm(next), next);
    row = 2;
    if (s->a.has_segment) s->lambda[0] = fmin(fmax(s->lambda[0] + shorten*dx[row++], -10.0), 11.0);
    if (s->b.has_segment) s->lambda[1] = fmin(fmax(s->lambda[1] + shorten*dx[row], -10.0), 11.0);
    return turn;
}

enum { NEWTON_STEPS = 12 };

static bool newton(const caromConvexPair *p, const Feature *fa, const Feature *fb, State *s)
{
    double before = INFINITY;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        if (!evaluate_pair(p, fa, fb, s)) return false;
        double step = newton_step(p, fa, fb, s);
        if (step < 0.0 || (k > 4 && step > 0.1)) return false;  // it is not going to settle
        // At rounding once steps are tiny, or small and no longer shrinking.
        if (step <= CAROM_NARROW_TURNED || (step < CAROM_NARROW_TURNING && step >= 0.5*before))
            return evaluate_pair(p, fa, fb, s);
        before = step;
    }
    return false;
}

// On the segment, or beyond its end by no more than what may be rounding; then it is put there, and the solution has
// to hold for that point.
static bool put_on_segment(double *lambda)
{
    if (*lambda < -CAROM_NARROW_BEYOND || *lambda > 1.0 + CAROM_NARROW_BEYOND) return false;
    *lambda = fmin(fmax(*lambda, 0.0), 1.0);
    return true;
}

// ---- a plane of one core over the other

static bool disc_holds(const caromCore *c, double sign, caromVec3 x)
{
    double r = sign > 0.0 ? c->r1 : c->r0;
    return x.x*x.x + x.y*x.y <= r*r*(1.0 + CAROM_NARROW_SOLVED);
}

static bool plane_holds(const caromCore *c, const Feature *f, caromVec3 x, double slack)
{
    if (c->kind == CAROM_CORE_FRUSTUM) return disc_holds(c, f->m.z, x);
    return carom_convex_core_is_over_face(c, f->label[0], x, -slack);
}

// Of A, n its normal: the lowest point of B over it, or, where B ends flat as well, any point that both have.
static bool plane_of_a(const caromConvexPair *p, const Feature *f, caromConvexGap *gap)
{
    caromSupport s = carom_convex_support(p, f->m);
    double g = carom_dot(f->m, s.w);
    caromVec3 y = carom_add(s.x, s.w), x = carom_axpy(-g, f->m, y);
    *gap = (caromConvexGap){ g, f->m, x, y, 0.0, true };
    return plane_holds(&p->a, f, x, CAROM_NARROW_SAME*p->scale) ||
           carom_narrow_flat_witness(p, CAROM_NARROW_SOLVED, gap);
}

static bool plane_of_b(const caromConvexPair *p, const Feature *f, caromConvexGap *gap)
{
    caromVec3 n = carom_neg(carom_mul(p->R, f->m));
    caromSupport s = carom_convex_support(p, n);
    double g = carom_dot(n, s.w);
    caromVec3 x = s.x, y = carom_axpy(g, n, x);
    *gap = (caromConvexGap){ g, n, x, y, 0.0, true };
    return plane_holds(&p->b, f, carom_tmul(p->R, carom_sub(y, p->t)), CAROM_NARROW_SAME*p->scale) ||
           carom_narrow_flat_witness(p, CAROM_NARROW_SOLVED, gap);
}

// ---- which features

enum { FEATURES_MAX = 5 };  // no core has more than four to choose from

typedef struct FeatureChoice {
    int n;
    Feature feature[FEATURES_MAX];
    double lambda[FEATURES_MAX];
} FeatureChoice;

static void choose(FeatureChoice *c, FeatureKind kind, int a, int b, double lambda)
{
    if (c->n < FEATURES_MAX) c->feature[c->n] = (Feature){ kind, { a, b }, { 0, 0, 0 } }, c->lambda[c->n++] = lambda;
}

// A tip is no cap: its disc has no width, and the way out across it is the longest of all, not the shortest.
static void choose_cap(FeatureChoice *c, const caromCore *core, double sign)
{
    if (!((sign > 0.0 ? core->r1 : core->r0) > 0.0)) return;
    c->feature[c->n] = (Feature){ PLANE, { 0, 0 }, { 0, 0, sign } };
    c->lambda[c->n++] = 0.0;
}

// A core without width has one label for both of its sides: then d, the normal as the core sees it, tells which.
static void choose_face(FeatureChoice *c, const caromCore *core, const int *v, caromVec3 d)
{
    int face = carom_convex_core_face_of(core, v);
    if (face < 0) return;
    Feature f = { PLANE, { face, 0 }, { 0, 0, 0 } };
    if (core->kind == CAROM_CORE_HULL) f.m = core->hull->normals[face];
    else {
        int k = face/2;
        double sign = (carom_at(core->h, k) > 0.0 ? (face & 1) != 0 : carom_at(d, k) < 0.0) ? -1.0 : 1.0;
        f.m = carom_vec(k == 0 ? sign : 0.0, k == 1 ? sign : 0.0, k == 2 ? sign : 0.0);
    }
    c->feature[c->n] = f;
    c->lambda[c->n++] = 0.0;
}

// What the points of a simplex say about one core, and what else may be meant: d is the normal as the core sees it.
static FeatureChoice choices(const caromCore *core, caromVec3 d, const int *labels, const double *weight, int count)
{
    FeatureChoice c = { 0 };
    int v[3] = { 0 }, n = 0;
    double share[3] = { 0 };
    for (int k = 0; k < count; k++) {
        int i = 0;
        while (i < n && v[i] != labels[k]) i++;
        if (i == n && n < 3) v[n++] = labels[k];
        if (i < 3) share[i] += weight[k];
    }
    switch (core->kind) {
    case CAROM_CORE_ELLIPSOID: choose(&c, SMOOTH, 0, 0, 0.0); break;
    case CAROM_CORE_FRUSTUM: {
        double across = sqrt(d.x*d.x + d.y*d.y);
        if (across < 0.3) choose_cap(&c, core, d.z > 0.0 ? 1.0 : -1.0);
        if (n == 2) choose(&c, SIDE, 0, 0, v[0] == 1 ? share[0] : share[1]);
        int rim = n == 1 ? v[0] : share[0] >= share[1] ? v[0] : v[1];
        choose(&c, (rim ? core->r1 : core->r0) > 0.0 ? RIM : POINT, rim, 0, 0.0);
        if (n == 2) choose(&c, (rim ? core->r0 : core->r1) > 0.0 ? RIM : POINT, !rim, 0, 0.0);
        if (n == 1 && core->z1 > core->z0) choose(&c, SIDE, 0, 0, v[0] ? 0.9 : 0.1);
        if (across >= 0.3) choose_cap(&c, core, d.z > 0.0 ? 1.0 : -1.0);
        break;
    }
    default:
        if (n == 3) choose_face(&c, core, v, d);
        if (n == 3) {
            // A side of the triangle, the heavier ones first.
            int low = share[0] <= share[1] && share[0] <= share[2] ? 0 : share[1] <= share[2] ? 1 : 2;
            int i = low == 0 ? 1 : 0, j = low == 2 ? 1 : 2;
            choose(&c, SEGMENT, v[i], v[j], share[j]/fmax(share[i] + share[j], CAROM_NARROW_TINY));
            choose(&c, SEGMENT, v[low], v[i], 0.5);
            choose(&c, SEGMENT, v[low], v[j], 0.5);
        } else if (n == 2) {
            choose(&c, SEGMENT, v[0], v[1], share[1]/fmax(share[0] + share[1], CAROM_NARROW_TINY));
            choose(&c, POINT, v[share[1] > share[0]], 0, 0.0);
        } else choose(&c, POINT, v[0], 0, 0.0);
        break;
    }
    return c;
}

// Both n.x = h_A and n.y = h_B, and the line between the points along n: the conditions for a minimum of the distance
// or depth.
static bool is_solution(const caromConvexPair *p, caromConvexGap *gap)
{
    double phi = carom_convex_phi(p, gap->n), slack = CAROM_NARROW_SOLVED*p->scale;
    caromVec3 d = carom_sub(gap->y, gap->x);
    if (!(carom_dot(gap->n, d) - phi <= slack)) return false;
    caromVec3 across = carom_axpy(-carom_dot(gap->n, d), gap->n, d);
    if (!(carom_norm(across) <= slack)) return false;
    double error = carom_dot(gap->n, d) - phi + (phi > 0.0 ? carom_norm2(across)/phi : carom_norm(across));
    gap->g = phi;
    gap->error = fmax(gap->error, phi > 0.0 ? fmin(error, carom_norm(d) - phi) : error);
    return true;
}

// lambda: places to begin with on segments of a and b. n: the normal to begin with.
static bool solve_features(const caromConvexPair *p, const Feature *fa, const Feature *fb, const double lambda[2],
                           caromVec3 n, caromConvexGap *gap)
{
    if (fa->kind == PLANE) return plane_of_a(p, fa, gap) && is_solution(p, gap);
    if (fb->kind == PLANE) return plane_of_b(p, fb, gap) && is_solution(p, gap);
    State s = { .n = n, .lambda = { lambda[0], lambda[1] } };
    if (!newton(p, fa, fb, &s)) return false;
    if (s.a.has_segment && !put_on_segment(&s.lambda[0])) return false;
    if (s.b.has_segment && !put_on_segment(&s.lambda[1])) return false;
    if (!evaluate_pair(p, fa, fb, &s)) return false;
    *gap = (caromConvexGap){ carom_dot(s.n, s.d), s.n, s.a.x, s.y, 0.0, s.is_minimum };
    return is_solution(p, gap);
}

// How many of the two directions of the normal the feature settles: those in which it bends, and one for each segment.
// A depth has a minimum only where both are settled: at a vertex it would get less if the normal leaned over.
static int directions_fixed(const Feature *f)
{
    static const int of_kind[] = { [POINT] = 0, [SEGMENT] = 1, [RIM] = 1, [SIDE] = 2, [SMOOTH] = 2, [PLANE] = 2 };
    return of_kind[f->kind];
}

double carom_convex_core_least_radius(const caromCore *core)
{
    if (core->kind != CAROM_CORE_ELLIPSOID) return 0.0;
    double least = fmin(core->h.x, fmin(core->h.y, core->h.z)), most = fmax(core->h.x, fmax(core->h.y, core->h.z));
    return least*least/most;
}

bool carom_convex_curved_polish(const caromConvexPair *p, caromVec3 n, const caromSimplex *x, bool is_overlap,
                                int breadth, caromConvexGap *gap)
{
    int la[4], lb[4];
    for (int k = 0; k < x->n; k++) la[k] = x->s[k].label_a, lb[k] = x->s[k].label_b;
    FeatureChoice ca = choices(&p->a, n, la, x->weight, x->n),
                  cb = choices(&p->b, carom_neg(carom_tmul(p->R, n)), lb, x->weight, x->n);
    bool found = false;
    for (int i = 0; i < ca.n; i++) {
        for (int j = 0; j < cb.n && i + j <= breadth; j++) {
            caromConvexGap g;
            if (is_overlap && directions_fixed(&ca.feature[i]) + directions_fixed(&cb.feature[j]) < 2) continue;
            const double lambda[2] = { ca.lambda[i], cb.lambda[j] };
            if (!solve_features(p, &ca.feature[i], &cb.feature[j], lambda, n, &g)) continue;
            // Apart there is only one solution. Overlapping there may be several: any is an upper bound of the
            // depth, the least counts.
            if (!is_overlap) {
                *gap = g;
                return true;
            }
            if (!found || g.g > gap->g) *gap = g;
            found = true;
            // The one near by will do for a start.
            if (breadth <= 1 && g.is_minimum && carom_dot(g.n, n) > CAROM_NARROW_NEAR_COS) return true;
        }
    }
    return found;
}
