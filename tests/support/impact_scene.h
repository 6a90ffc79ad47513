// Bodies that touch in several points, for tests of impacts: masses, joints and contacts as matrices written down here,
// nothing of the library's dynamics.
#ifndef CAROM_TESTS_IMPACT_SCENE_H
#define CAROM_TESTS_IMPACT_SCENE_H

#include "impact/impact.h"

#define SCENE_SPEEDS 40
#define SCENE_CONTACTS 31

typedef struct Scene {
    int nv, n;                                               // speeds, contacts
    double mass[SCENE_SPEEDS][SCENE_SPEEDS], answer[SCENE_SPEEDS][SCENE_SPEEDS];   // M, and M^-1 with the joints in it
    double u[SCENE_SPEEDS];
    double J[3*SCENE_CONTACTS][SCENE_SPEEDS];                // v = J u, rows n, t1, t2
    double G[9*SCENE_CONTACTS*SCENE_CONTACTS], v[3*SCENE_CONTACTS], before[3*SCENE_CONTACTS];
    caromImpactContact contacts[SCENE_CONTACTS];
    caromImpactOutcome outcomes[SCENE_CONTACTS];
    caromImpactReport report;
    caromImpactScheme scheme;
    double exponent, tolerance;
} Scene;

static inline void scene_begin(Scene *s, int nv)
{
    memset(s, 0, sizeof *s);
    s->nv = nv;
    s->exponent = 1.5;
    s->tolerance = 1e-12;
    for (int k = 0; k < nv; k++) s->mass[k][k] = s->answer[k][k] = 1;
}

static inline void scene_inertia(Scene *s, int k, double m)
{
    s->mass[k][k] = m;
    s->answer[k][k] = 1/m;
}

static inline int scene_contact(Scene *s, double e, double mu)
{
    s->contacts[s->n] = (caromImpactContact){ .restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1,
                                              .law = CAROM_IMPACT_ENERGETIC, .delta = 1e-3 };
    return s->n++;
}

// A joint: row.u = 0. The answer to impulses loses what would break it.
static inline void scene_joint(Scene *s, const double *row)
{
    double a[SCENE_SPEEDS], d = 0, speed = 0;
    for (int i = 0; i < s->nv; i++) {
        a[i] = 0;
        for (int j = 0; j < s->nv; j++) a[i] += s->answer[i][j]*row[j];
        d += row[i]*a[i];
        speed += row[i]*s->u[i];
    }
    for (int i = 0; i < s->nv; i++) {
        for (int j = 0; j < s->nv; j++) s->answer[i][j] -= a[i]*a[j]/d;
        s->u[i] -= a[i]*speed/d;
    }
}

static inline double scene_energy(const Scene *s)
{
    double sum = 0;
    for (int i = 0; i < s->nv; i++) {
        for (int j = 0; j < s->nv; j++) sum += 0.5*s->u[i]*s->mass[i][j]*s->u[j];
    }
    return sum;
}

static inline void scene_assemble(Scene *s)
{
    int m = 3*s->n;
    for (int i = 0; i < m; i++) {
        double L[SCENE_SPEEDS];
        s->v[i] = 0;
        for (int k = 0; k < s->nv; k++) {
            L[k] = 0;
            for (int l = 0; l < s->nv; l++) L[k] += s->answer[k][l]*s->J[i][l];
            s->v[i] += s->J[i][k]*s->u[k];
        }
        for (int j = 0; j < m; j++) {
            s->G[i*m + j] = 0;
            for (int k = 0; k < s->nv; k++) s->G[i*m + j] += s->J[j][k]*L[k];
        }
    }
    for (int i = 0; i < m; i++) {   // symmetric to the last bit
        for (int j = 0; j < i; j++) s->G[i*m + j] = s->G[j*m + i];
    }
    memcpy(s->before, s->v, sizeof s->v);
}

// Solves, and moves u by the impulses.
static inline void scene_hit(Scene *s)
{
    caromImpactWork *work = carom_impact_alloc(s->n);
    scene_assemble(s);
    caromImpactProblem problem = { .n = s->n, .contacts = s->contacts, .G = s->G, .scheme = s->scheme,
                                   .exponent = s->exponent, .tolerance = s->tolerance };
    s->report = carom_impact_solve(&problem, s->v, s->outcomes, work);
    carom_impact_free(work);
    for (int i = 0; i < 3*s->n; i++) {
        double p = s->outcomes[i/3].p[i%3];
        for (int k = 0; k < s->nv; k++) {
            for (int l = 0; l < s->nv; l++) s->u[k] += s->answer[k][l]*s->J[i][l]*p;
        }
    }
}

// Contact order[i] takes place i.
static inline void scene_renumber(Scene *s, const int *order)
{
    Scene old = *s;
    for (int i = 0; i < s->n; i++) {
        s->contacts[i] = old.contacts[order[i]];
        for (int k = 0; k < 3; k++) memcpy(s->J[3*i + k], old.J[3*order[i] + k], sizeof s->J[0]);
    }
}

// Plane body at speeds 3b.. (x, y, turn), centre c: contact row of a point r with direction d; sign -1: the
// point is on the other side.
static inline void scene_planar_row(Scene *s, int row, int body, double sign, double rx, double ry, double dx,
                                    double dy)
{
    s->J[row][3*body] += sign*dx;
    s->J[row][3*body + 1] += sign*dy;
    s->J[row][3*body + 2] += sign*(rx*dy - ry*dx);
}

#endif
