// Rigid bodies that touch, seen in contact space: G = J M^-1 J^T and b = J M^-1 F straight from their definitions,
// independent of the library.
#ifndef CAROM_TESTS_STAY_FIXTURE_H
#define CAROM_TESTS_STAY_FIXTURE_H

#include "unilateral/unilateral.h"

#include "check.h"

enum { MAX_BODIES = 12, MAX_CONTACTS = 48 };

typedef struct StayBody {
    double mass, inertia[3];        // about its centre, along x, y, z
    double centre[3], force[3], torque[3];
    bool planar;                    // moves in x, y and turns about z only
} StayBody;

typedef struct StayScene {
    int bodies, n;
    StayBody body[MAX_BODIES];
    int a[MAX_CONTACTS], b[MAX_CONTACTS];  // bodies; -1: the ground
    double point[MAX_CONTACTS][3], axes[MAX_CONTACTS][3][3];  // n, t1, t2
    caromStay contact[MAX_CONTACTS];
    double G[9*MAX_CONTACTS*MAX_CONTACTS], bias[3*MAX_CONTACTS], f[3*MAX_CONTACTS], acc[3*MAX_CONTACTS];
    caromStayProblem problem;
} StayScene;

static inline void stay_cross(const double a[3], const double b[3], double c[3])
{
    double x = a[1]*b[2] - a[2]*b[1], y = a[2]*b[0] - a[0]*b[2], z = a[0]*b[1] - a[1]*b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

static inline StayBody *stay_body(StayScene *s, double mass, double ix, double iy, double iz, double x, double y,
                                  double z)
{
    s->body[s->bodies] = (StayBody){ mass, { ix, iy, iz }, { x, y, z }, { 0 }, { 0 }, false };
    return &s->body[s->bodies++];
}

static inline void stay_random_direction(Random *r, double v[3])
{
    double size;
    do {
        size = 0;
        for (int c = 0; c < 3; c++) v[c] = random_uniform(r, -1, 1), size += v[c]*v[c];
    } while (size > 1 || size < 0.01);
    for (int c = 0; c < 3; c++) v[c] /= sqrt(size);
}

// An empty scene with bodies above each other, on which random forces act.
static inline void stay_random_bodies(Random *r, int bodies, StayScene *s)
{
    memset(s, 0, sizeof *s);
    for (int k = 0; k < bodies; k++) {
        StayBody *body = stay_body(s, random_uniform(r, 0.5, 3), random_uniform(r, 0.1, 1), random_uniform(r, 0.1, 1),
                                   random_uniform(r, 0.1, 1), random_uniform(r, -1, 1), 0, k);
        for (int c = 0; c < 3; c++)
            body->force[c] = random_uniform(r, -10, 10), body->torque[c] = random_uniform(r, -3, 3);
    }
}

// A contact at a point, normal into body b. t1 is along the given vector, made square to n.
static inline caromStay *stay_contact(StayScene *s, int a, int b, const double point[3], const double normal[3],
                                      const double along[3], double mu)
{
    int i = s->n++;
    double dot = 0, size = 0, *n = s->axes[i][0], *t = s->axes[i][1];
    for (int c = 0; c < 3; c++) size += normal[c]*normal[c];
    for (int c = 0; c < 3; c++) n[c] = normal[c]/sqrt(size), s->point[i][c] = point[c], dot += n[c]*along[c];
    size = 0;
    for (int c = 0; c < 3; c++) t[c] = along[c] - dot*n[c], size += t[c]*t[c];
    for (int c = 0; c < 3; c++) t[c] /= sqrt(size);
    stay_cross(n, t, s->axes[i][2]);
    s->a[i] = a, s->b[i] = b;
    s->contact[i] = (caromStay){ .friction = mu, .static_friction = mu, .compliance = 1, .slip_small = 1e-9 };
    return &s->contact[i];
}

// Row r of contact i over the six motions of a body.
static inline void stay_row(const StayScene *s, int i, int r, int body, double row[6])
{
    double sign = s->b[i] == body ? 1 : s->a[i] == body ? -1 : 0, arm[3], turn[3];
    for (int c = 0; c < 3; c++) arm[c] = s->point[i][c] - s->body[body].centre[c];
    stay_cross(arm, s->axes[i][r], turn);
    for (int c = 0; c < 3; c++) row[c] = sign*s->axes[i][r][c], row[3 + c] = sign*turn[c];
    if (s->body[body].planar) row[2] = row[3] = row[4] = 0;
}

static inline void stay_build(StayScene *s)
{
    int m = 3*s->n;
    for (int p = 0; p < m; p++) {
        s->bias[p] = 0;
        for (int q = 0; q < m; q++) s->G[p*m + q] = 0;
        for (int k = 0; k < s->bodies; k++) {
            const StayBody *body = &s->body[k];
            double row[6], other[6], inverse[6];
            stay_row(s, p/3, p%3, k, row);
            for (int c = 0; c < 3; c++) {
                inverse[c] = 1/body->mass, inverse[3 + c] = 1/body->inertia[c];
                s->bias[p] += row[c]*inverse[c]*body->force[c] + row[3 + c]*inverse[3 + c]*body->torque[c];
            }
            for (int q = 0; q < m; q++) {
                stay_row(s, q/3, q%3, k, other);
                for (int c = 0; c < 6; c++) s->G[p*m + q] += row[c]*inverse[c]*other[c];
            }
        }
    }
    s->problem = (caromStayProblem){ s->n, s->contact, s->G, s->bias, NULL };
}

// Force and torque of all contacts on a body, about its centre.
static inline void stay_wrench(const StayScene *s, int body, double wrench[6])
{
    for (int c = 0; c < 6; c++) wrench[c] = 0;
    for (int p = 0; p < 3*s->n; p++) {
        double row[6];
        stay_row(s, p/3, p%3, body, row);
        for (int c = 0; c < 6; c++) wrench[c] += row[c]*s->f[p];
    }
}

static inline caromStayAnswer stay_choose(StayScene *s, int *worst)
{
    int ignored;
    s->problem = (caromStayProblem){ s->n, s->contact, s->G, s->bias, NULL };  // the scene may have been copied
    caromStayWork *work = carom_unilateral_alloc(s->n);
    assert_non_null(work);
    caromStayAnswer answer = carom_unilateral_choose(&s->problem, s->f, s->acc, worst ? worst : &ignored, work);
    carom_unilateral_free(work);
    return answer;
}

static inline bool stay_forces(StayScene *s, const double *drift)
{
    s->problem = (caromStayProblem){ s->n, s->contact, s->G, s->bias, NULL };
    caromStayWork *work = carom_unilateral_alloc(s->n);
    assert_non_null(work);
    bool sound = carom_unilateral_forces(&s->problem, drift, s->f, work);
    carom_unilateral_free(work);
    return sound;
}

// What component p of a = b + G f is a sum of.
static inline double stay_size(const StayScene *s, int p)
{
    double size = fabs(s->bias[p]);
    for (int q = 0; q < 3*s->n; q++) size += fabs(s->G[p*3*s->n + q]*s->f[q]);
    return size;
}

// Largest violation of complementarity and Coulomb's law by f, each relative to what it is a sum of;
// accelerations computed again here.
static inline double stay_residual(const StayScene *s)
{
    double worst = 0, a[3*MAX_CONTACTS];
    int m = 3*s->n;
    for (int p = 0; p < m; p++) {
        a[p] = s->bias[p];
        for (int q = 0; q < m; q++) a[p] += s->G[p*m + q]*s->f[q];
        worst = fmax(worst, fabs(a[p] - s->acc[p])/fmax(stay_size(s, p), 1e-300));
    }
    for (int i = 0; i < s->n; i++) {
        const caromStay *c = &s->contact[i];
        const double *f = s->f + 3*i;
        double size = fmax(stay_size(s, 3*i), 1e-300),
               tangent = fmax(fmax(stay_size(s, 3*i + 1), stay_size(s, 3*i + 2)), 1e-300),
               scale = fmax(s->G[3*i*m + 3*i], 1e-300)/size;
        double slip = hypot(c->slip[0], c->slip[1]), held = hypot(f[1], f[2]);
        worst = fmax(worst, fmax(-f[0]*scale, -a[3*i]/size));
        worst = fmax(worst, fmin(fabs(f[0])*scale, fabs(a[3*i])/size));
        if (c->delta > 0 || slip > c->slip_small) {
            double over = c->delta > 0 ? fmax(slip, c->delta) : slip;
            for (int e = 0; e < 2; e++) worst = fmax(worst, fabs(f[1 + e] + c->friction*f[0]*c->slip[e]/over)*scale);
        } else if (hypot(a[3*i + 1], a[3*i + 2]) <= 1e-12*tangent) {
            worst = fmax(worst, (held - c->static_friction*f[0])*scale);
        } else {  // begins to slip: friction mu f_n against a_t
            double speed = hypot(a[3*i + 1], a[3*i + 2]);
            for (int e = 0; e < 2; e++)
                worst =
                    fmax(worst, fabs(f[1 + e] + c->friction*f[0]*a[3*i + 1 + e]/speed)*scale*fmin(1, speed/tangent));
        }
    }
    return worst;
}

#endif
