// Redundant contacts may squeeze each other: stones of an arch, a peg in its hole. The least forces then leave the
// cones of friction, but larger ones inside do the same.
//
//     min x^T D x  over  K x = -c,  x in the cones (lambda >= 0;  |f_t| <= mu_s f_n where a contact sticks)
//
// All x that do the same have x_P + H x_N = h (factor.c). In xi = D^1/2 x, with B = [1 H] D^-1/2, the answer is the
// projection xi = P(B^T y) on the cones where y solves B P(B^T y) = h. That is the gradient of a convex function of y:
// Newton's method with a search along its steps finds it, from the y of the least forces; it runs away where no forces
// inside the cones exist. On its way it says so: any xi in the cones with B xi = h has
//
//     h.y = xi.(B^T y) <= xi.P(B^T y) <= |xi| |P(B^T y)|
//
// so that all of them are at least as large as h.y/|P(B^T y)|. The answer is unique, and a function of the state alone:
// what was found at the last instant plays no part.
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
    int *place;                // of an unknown in the order of factor.c       [m]
    double *scale;             // D^-1/2                                       [m]
    double *B;                 // columns of the redundant unknowns, in rows   [m - rank][rank]
    double *y, *step, *trial;  // [rank]
    double *z, *xi;            // [m]: B^T y and its projection
    double *gap;               // [rank]: B xi - h
    double *H;                 // [rank][rank]
    double *h;                 // [rank]
    int *pivot;
} Squeeze;

// h is there.
static void reduce(Squeeze *q)
{
    const System *system = q->system;
    int m = system->m, r = system->rank;
    for (int i = 0; i < m; i++) {
        int p = system->order[i];
        q->place[p] = i;
        q->scale[p] = 1/sqrt(system->weight[p]);
        for (int k = 0; k < r && i >= r; k++)
            q->B[(long)(i - r)*r + k] = system->H[(long)k*(m - r) + i - r]*q->scale[p];
    }
}

// The column of B of a redundant unknown; NULL: it has one entry, the scale at its place.
static const double *column(const Squeeze *q, int p)
{
    int r = q->system->rank;
    return q->place[p] < r ? NULL : q->B + (long)(q->place[p] - r)*r;
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
        const double *B = column(q, p);
        q->z[p] = B ? 0 : q->scale[p]*y[q->place[p]];
        for (int k = 0; k < r && B; k++) q->z[p] += B[k]*y[k];
    }
    for (int k = 0; k < system->contacts; k++) {
        int p = system->first[k];
        if (is_wide(system, k))
            project_cone(USED*q->problem->contacts[system->contact[k]].static_friction, q->z + p, q->xi + p, J);
        else q->xi[p] = fmax(0, q->z[p]);
    }
    for (int p = 0; p < m; p++) value += q->xi[p]*q->xi[p]/2;
    for (int k = 0; k < r; k++) value -= y[k]*q->h[k];
    return value;
}

// gap = B xi - h.
static void set_gap(Squeeze *q)
{
    int m = q->system->m, r = q->system->rank;
    for (int k = 0; k < r; k++) q->gap[k] = -q->h[k];
    for (int p = 0; p < m; p++) {
        const double *B = column(q, p);
        if (!B) q->gap[q->place[p]] += q->scale[p]*q->xi[p];
        for (int k = 0; k < r && B && q->xi[p] != 0; k++) q->gap[k] += B[k]*q->xi[p];
    }
}

// What is left of the accelerations K x + c of a contact, relative to what they are sums of.
static double left_of(const Squeeze *q, int p, int width)
{
    const System *system = q->system;
    int m = system->m;
    double most = 0, size = 0;
    for (int i = p; i < p + width; i++) {
        const double *row = system->K + (long)i*m;
        double sum = system->c[i], all = fabs(sum);
        for (int j = 0; j < m; j++) {
            double one = row[j]*q->scale[j]*q->xi[j];
            sum += one;
            all += fabs(one);
        }
        most = fmax(most, fabs(sum));
        size = fmax(size, all);
    }
    return size > 0 ? most/size : 0;
}

static double measure(Squeeze *q)
{
    const System *system = q->system;
    double worst = 0;
    set_gap(q);
    for (int k = 0; k < system->contacts; k++)
        worst = fmax(worst, left_of(q, system->first[k], is_wide(system, k) ? 3 : 1));
    return worst;
}

// H += a b^T, of columns of B.
static void add_product(Squeeze *q, int p, int other, double factor)
{
    int r = q->system->rank, i = q->place[p], j = q->place[other];
    const double *a = column(q, p), *b = column(q, other);
    if (!a && !b) q->H[(long)i*r + j] += factor*q->scale[p]*q->scale[other];
    else if (!a) for (int k = 0; k < r; k++) q->H[(long)i*r + k] += factor*q->scale[p]*b[k];
    else if (!b) for (int k = 0; k < r; k++) q->H[(long)k*r + j] += factor*q->scale[other]*a[k];
    else for (int k = 0; k < r; k++) {
        double *restrict row = q->H + (long)k*r, part = factor*a[k];
        for (int l = 0; l < r && part != 0; l++) row[l] += part*b[l];
    }
}

static double square_of_column(const Squeeze *q, int p)
{
    const double *B = column(q, p);
    double sum = 0;
    for (int k = 0; k < q->system->rank && B; k++) sum += B[k]*B[k];
    return B ? sum : q->scale[p]*q->scale[p];
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
        for (int e = 0; e < width; e++) trace += square_of_column(q, p + e);
        for (int e = 0; e < width*width; e++) if (J[e] != 0) add_product(q, p + e/width, p + e%width, J[e]);
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

// y of the least forces, cones aside: D^1/2 x = B^T y.
static void start(Squeeze *q)
{
    const System *system = q->system;
    for (int k = 0; k < system->rank; k++) q->y[k] = system->weight[system->order[k]]*system->x[system->order[k]];
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
    return (0.5*size*size - value)/size;  // value = |P(B^T y)|^2/2 - h.y
}

static bool search(Squeeze *q, double *scale)
{
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
    Squeeze q = { problem, system, .place = work->turning, .scale = work->line[1], .B = work->square[0],
                  .y = work->line[2], .step = work->line[3], .trial = work->line[4], .z = work->line[5],
                  .xi = work->spare, .gap = work->shift, .H = work->square[1], .h = system->x, .pivot = work->index };
    start(&q);
    carom_stay_shift(system, system->c, q.h);
    reduce(&q);
    if (!search(&q, work->line[0])) return false;
    for (int p = 0; p < system->m; p++) system->x[p] = q.scale[p]*q.xi[p];
    carom_stay_spread(problem, block, guess, system, f);
    return true;
}
