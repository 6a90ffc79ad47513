// How a point of contact moves over both surfaces.
//
// With nu_A = dn/dt - w_A x n what the normal does as seen from A, S the curvature of a surface (S t = k t along its
// principal directions), and T the part square to n:
//
//     S_A u_A = nu_A,    S_B u_B = -nu_B,    u_B - u_A = T(v_A - v_B) + g dn/dt          [Montana88] for g = 0
//
// A corner has k infinite, which says u = 0; an edge k = 0 along itself, which says that n stays square to it; a plane
// k = 0 all round: n turns with it.
#include "manifold/parts.h"

// u = nu/k along both principal directions. False: k = 0.
static bool slide(caromVec3 n, const caromCurvature *k, caromVec3 nu, caromVec3 *u)
{
    caromVec3 t2 = carom_cross(n, k->t1);
    if (!(fabs(k->k1) > 0.0 && fabs(k->k2) > 0.0)) return false;
    *u = carom_add(carom_scale(carom_dot(nu, k->t1)/k->k1, k->t1), carom_scale(carom_dot(nu, t2)/k->k2, t2));
    return true;
}

static caromVec3 across(caromVec3 n, caromVec3 v)
{
    return carom_axpy(-carom_dot(n, v), n, v);
}

static bool is_plane(const caromCurvature *k)
{
    return k->k1 == 0.0 && k->k2 == 0.0;
}

// Side i is plane.
static caromTouchMotion on_plane(const caromTouchMoving *m, int i)
{
    caromTouchMotion motion = { .dn = carom_cross(m->w[i], m->n) };
    caromVec3 nu = carom_sub(motion.dn, carom_cross(m->w[!i], m->n)), u[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
    motion.is_known = slide(m->n, &m->k[!i], i ? nu : carom_neg(nu), &u[!i]);
    caromVec3 apart = carom_axpy(m->g, motion.dn, across(m->n, carom_sub(m->v[0], m->v[1])));  // u_B - u_A
    u[i] = i ? carom_add(u[0], apart) : carom_sub(u[1], apart);
    motion.u_A = u[0];
    motion.u_B = u[1];
    return motion;
}

// ---- six equations for dn, u_A/L, u_B/L along the tangents; L makes them alike

enum { UNKNOWNS = 6 };

typedef struct Bend {  // a principal curvature
    double k;
    caromVec3 e;       // its direction
} Bend;

// k L (u/L) = +-nu where k L is small, (u/L) = +-nu/(k L) where it is large.
static void surface_row(double *row, const caromTouchMoving *m, int i, Bend bend, const caromVec3 t[2], double L)
{
    caromVec3 e = bend.e;
    double kL = bend.k*L, of_u = fabs(kL) > 1.0 ? 1.0 : kL, of_nu = fabs(kL) > 1.0 ? 1.0/kL : 1.0,
           sign = i ? 1.0 : -1.0;
    caromVec3 turn = carom_cross(m->w[i], m->n);
    for (int j = 0; j < 2; j++) {
        row[j] = sign*of_nu*carom_dot(e, t[j]);
        row[2 + 2*i + j] = of_u*carom_dot(e, t[j]);
    }
    row[UNKNOWNS] = sign*of_nu*carom_dot(e, turn);
}

static void meeting_row(double *row, const caromTouchMoving *m, int j, const caromVec3 t[2], double L)
{
    row[j] = -m->g/L;
    row[2 + j] = -1.0;
    row[4 + j] = 1.0;
    row[UNKNOWNS] = carom_dot(t[j], carom_sub(m->v[0], m->v[1]))/L;
}

// By elimination with row pivots. False: singular, surfaces line up.
static bool solve(double a[UNKNOWNS][UNKNOWNS + 1], double *x)
{
    for (int c = 0; c < UNKNOWNS; c++) {
        int pivot = c;
        for (int r = c + 1; r < UNKNOWNS; r++) {
            if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
        }
        if (!(fabs(a[pivot][c]) > CAROM_TOUCH_PIVOT)) return false;
        for (int k = c; k <= UNKNOWNS && pivot != c; k++) {
            double swap = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (int r = c + 1; r < UNKNOWNS; r++) {
            double f = a[r][c]/a[c][c];
            for (int k = c; k <= UNKNOWNS && f != 0.0; k++) a[r][k] -= f*a[c][k];
        }
    }
    for (int c = UNKNOWNS - 1; c >= 0; c--) {
        x[c] = a[c][UNKNOWNS];
        for (int k = c + 1; k < UNKNOWNS; k++) x[c] -= a[c][k]*x[k];
        x[c] /= a[c][c];
    }
    return true;
}

static caromTouchMotion on_curves(const caromTouchMoving *m)
{
    double a[UNKNOWNS][UNKNOWNS + 1] = { { 0 } }, x[UNKNOWNS], L = m->size;
    caromVec3 t[2];
    carom_narrow_tangents(m->n, &t[0], &t[1]);
    for (int i = 0; i < 2; i++) {
        const Bend first = { m->k[i].k1, m->k[i].t1 }, second = { m->k[i].k2, carom_cross(m->n, m->k[i].t1) };
        surface_row(a[2*i], m, i, first, t, L);
        surface_row(a[2*i + 1], m, i, second, t, L);
        meeting_row(a[4 + i], m, i, t, L);
    }
    if (!solve(a, x)) return (caromTouchMotion){ .is_known = false };
    caromVec3 of[3];
    for (int i = 0; i < 3; i++) of[i] = carom_add(carom_scale(x[2*i], t[0]), carom_scale(x[2*i + 1], t[1]));
    return (caromTouchMotion){ of[0], carom_scale(L, of[1]), carom_scale(L, of[2]), true };
}

caromTouchMotion carom_manifold_move(const caromTouchMoving *m)
{
    if (is_plane(&m->k[0])) return on_plane(m, 0);
    return is_plane(&m->k[1]) ? on_plane(m, 1) : on_curves(m);
}
