// Redundant contacts may squeeze each other: stones of an arch, a peg in its hole. The least forces then leave the
// cones of friction, but larger ones inside do the same.
//
//     min x^T D x  over  K x = -c,  x in the cones (lambda >= 0;  |f_t| <= mu_s f_n where a contact sticks)
//
// In xi = D^1/2 x, with as many rows B of K as its rank, the answer is the projection xi = P(B^T y) on the cones where
// y solves B P(B^T y) = -c. That is the gradient of a convex function of y: Newton's method with a search along its
// steps finds it, from the y of the least forces; it runs away where no forces inside the cones exist. On its way it
// says so: any xi in the cones with B xi = -c has
//
//     -c.y = xi.(B^T y) <= xi.P(B^T y) <= |xi| |P(B^T y)|
//
// so that all of them are at least as large as -c.y/|P(B^T y)|. The answer is unique, and a function of the state
// alone: what was found at the last instant plays no part.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "unilateral/stay.h"

// Static friction is used but for a hair: contacts at their limit are not beyond it for rounding.
#define USED (1 - 1e-9)
// What H has more on its diagonal, as a part of what is left. Of 300 sets for which forces inside the cones are known
// (tests/unilateral/test_forces.c) 122 are not found with 1e-2 in 60 steps; in 30, 25 with 1e-5, 2 with 1e-7, one with
// 1e-8 and 9 with 1e-10.
#define MORE 1e-8
enum { STEPS_MAX = 30 };
// Contacts that would have to squeeze each other so many times as hard as the least forces do not. Dominoes that lean
// on each other: 6023 sets have an answer, all within 4 times; of 4151 that have none 1000 are told so after 3 steps
// and 3100 after 10, in place of 30; with 1e4 half as many, with 10 as many.
#define HARDEST 100.0
#define SOLVED 1e-13  // relative: rounding of forces that are much larger than what they do

typedef struct Squeeze {
    const caromStayProblem *problem;
    const System *system;
    double *B;                 // transposed, [m][rank]: all loops run along rows
    double *y, *step, *trial;  // [rank]
    double *z, *xi;            // [m]: B^T y and its projection
    double *gap;               // [rank]: B xi + c
    double *H;                 // [rank][rank]
    double *c;                 // [rank]
    int *pivot;
} Squeeze;

// B = V K D^-1/2: as many rows as K has rank.
static void reduce(Squeeze *q)
{
    const System *system = q->system;
    int m = system->m;
    for (int k = 0; k < system->rank; k++) {
        q->c[k] = 0;
        for (int p = 0; p < m; p++) {
            q->B[(long)p*system->rank + k] = system->T[(long)k*m + p]/sqrt(system->weight[p]);
            q->c[k] += system->V[(long)k*m + p]*system->c[p];
        }
    }
}

static bool is_wide(const System *system, int k)
{
    return (k + 1 < system->contacts ? system->first[k + 1] : system->m) - system->first[k] == 3;
}

// Projection of one contact's z, and what is left of H of it, J [3][3]: 1 inside, 0 in the polar cone, on the side a
// part.
static void project_cone(double mu, const double z[3], double xi[3], double J[9])
{
    double t = hypot(z[1], z[2]), along = 1/(1 + mu*mu);
    for (int k = 0; k < 9; k++) J[k] = 0;
    if (t <= mu*z[0]) {
        for (int k = 0; k < 3; k++) xi[k] = z[k], J[4*k] = 1;
        return;
    }
    if (mu*t <= -z[0]) {
        xi[0] = xi[1] = xi[2] = 0;
        return;
    }
    double u[2] = { z[1]/t, z[2]/t }, n = (z[0] + mu*t)*along;  // nearest point (n, mu n u)
    double g[3] = { along, along*mu*u[0], along*mu*u[1] };      // dn/dz
    xi[0] = n;
    for (int c = 0; c < 3; c++) J[c] = g[c];
    for (int e = 0; e < 2; e++) {
        xi[1 + e] = mu*n*u[e];
        for (int c = 0; c < 3; c++) J[3*(1 + e) + c] = mu*u[e]*g[c] + (c ? mu*n/t*((c - 1 == e) - u[e]*u[c - 1]) : 0);
    }
}

static double project(Squeeze *q, const double *y)
{
    const System *system = q->system;
    int m = system->m, r = system->rank;
    double value = 0, J[9];
    for (int p = 0; p < m; p++) {
        const double *B = q->B + (long)p*r;
        q->z[p] = 0;
        for (int k = 0; k < r; k++) q->z[p] += B[k]*y[k];
    }
    for (int k = 0; k < system->contacts; k++) {
        int p = system->first[k];
        if (is_wide(system, k))
            project_cone(USED*q->problem->contacts[system->contact[k]].static_friction, q->z + p, q->xi + p, J);
        else q->xi[p] = fmax(0, q->z[p]);
    }
    for (int p = 0; p < m; p++) value += q->xi[p]*q->xi[p]/2;
    for (int k = 0; k < r; k++) value += y[k]*q->c[k];
    return value;
}

// gap = B xi + c, and its size relative to what it is a sum of.
static double measure(Squeeze *q)
{
    int m = q->system->m, r = q->system->rank;
    double worst = 0, *size = q->trial;
    for (int k = 0; k < r; k++) q->gap[k] = q->c[k], size[k] = fabs(q->c[k]);
    for (int p = 0; p < m; p++) {
        const double *B = q->B + (long)p*r;
        for (int k = 0; k < r && q->xi[p] != 0; k++) q->gap[k] += B[k]*q->xi[p], size[k] += fabs(B[k]*q->xi[p]);
    }
    for (int k = 0; k < r; k++) if (size[k] > 0) worst = fmax(worst, fabs(q->gap[k])/size[k]);
    return worst;
}

// H = B J B^T, singular where too many contacts are open: with more on the diagonal, the less the nearer the answer is.
static void hessian(Squeeze *q, double off)
{
    const System *system = q->system;
    int r = system->rank;
    double trace = 0;
    memset(q->H, 0, sizeof(double)*(size_t)r*(size_t)r);
    for (int k = 0; k < system->contacts; k++) {
        int p = system->first[k], width = is_wide(system, k) ? 3 : 1;
        double J[9] = { q->z[p] > 0 }, xi[3];
        if (width == 3) project_cone(USED*q->problem->contacts[system->contact[k]].static_friction, q->z + p, xi, J);
        for (int i = 0; i < r; i++) {
            for (int e = 0; e < width; e++) {
                const double *B = q->B + (long)(p + e)*r;
                double factor = 0, *row = q->H + (long)i*r;
                for (int c = 0; c < width; c++) factor += q->B[(long)(p + c)*r + i]*J[width*c + e];
                for (int j = 0; j < r && factor != 0; j++) row[j] += factor*B[j];
                trace += B[i]*B[i];
            }
        }
    }
    for (int i = 0; i < r; i++) q->H[i*r + i] += fmax(1e-13, MORE*off)*trace/r;
}

// A step of Newton's method, halved until the convex function falls. False: no way down, or away to infinity.
static bool descend(Squeeze *q, double value, double off, double *scale)
{
    int r = q->system->rank;
    double slope = 0;
    hessian(q, off);
    for (int k = 0; k < r; k++) q->step[k] = -q->gap[k];
    if (!carom_lu_factor(r, q->H, q->pivot, scale)) return false;
    carom_lu_solve(r, q->H, q->pivot, q->step);
    for (int k = 0; k < r; k++) slope += q->step[k]*q->gap[k];
    for (int halvings = 0; halvings < 30; halvings++) {
        double part = ldexp(1, -halvings);
        for (int k = 0; k < r; k++) q->trial[k] = q->y[k] + part*q->step[k];
        if (project(q, q->trial) > value + 1e-4*part*slope + 8*DBL_EPSILON*fabs(value)) continue;
        memcpy(q->y, q->trial, sizeof(double)*(size_t)r);
        return true;
    }
    return false;
}

// y of the least forces, cones aside: B B^T y = -c.
static bool start(Squeeze *q, double *scale)
{
    int m = q->system->m, r = q->system->rank;
    for (int i = 0; i < r; i++) {
        q->y[i] = -q->c[i];
        for (int j = 0; j < r; j++) {
            double sum = 0;
            for (int p = 0; p < m; p++) sum += q->B[(long)p*r + i]*q->B[(long)p*r + j];
            q->H[i*r + j] = sum;
        }
    }
    if (!carom_lu_factor(r, q->H, q->pivot, scale)) return false;
    carom_lu_solve(r, q->H, q->pivot, q->y);
    return true;
}

static double size_of(int n, const double *x)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k]*x[k];
    return sqrt(sum);
}

// Than which no forces inside the cones are less.
static double least_size(const Squeeze *q, double value)
{
    double size = size_of(q->system->m, q->xi);
    return (0.5*size*size - value)/size;  // value = |P(B^T y)|^2/2 + c.y
}

static bool search(Squeeze *q, double *scale)
{
    if (!start(q, scale)) return false;
    double last = (double)INFINITY, hardest = (double)INFINITY;
    for (int step = 0; step < STEPS_MAX; step++) {
        double value = project(q, q->y), off = measure(q);
        if (off <= 2e-15*q->system->m || (off <= SOLVED && off > 0.5*last)) return true;
        if (step == 0) hardest = HARDEST*size_of(q->system->m, q->z);
        if (least_size(q, value) > hardest) return false;
        last = off;
        if (!descend(q, value, off, scale)) break;
    }
    project(q, q->y);
    return measure(q) <= SOLVED;
}

bool carom_stay_squeeze(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                        double *f, caromStayWork *work)
{
    System *system = &work->system;
    if (!carom_stay_solve(problem, block, guess, wanted, work)) return false;
    Squeeze q = { problem, system, .B = work->square[0], .y = work->line[1], .step = work->line[2],
                  .trial = work->line[3], .z = work->line[4], .xi = work->line[5], .gap = work->spare,
                  .H = work->square[1], .c = system->x, .pivot = work->index };
    reduce(&q);
    if (!search(&q, work->line[0])) return false;
    for (int p = 0; p < system->m; p++) system->x[p] = q.xi[p]/sqrt(system->weight[p]);
    carom_stay_spread(problem, block, guess, system, f);
    return true;
}
