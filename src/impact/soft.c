// Complementarity with friction for many contacts: surfaces that give way, and get harder.
//
// Forty bricks touch in hundreds of points but move in 240 ways only: G = L L^T, L [3n][r] with r small, by Cholesky
// with pivots. The unknown is what the impulses f do to the bodies,
//
//     w = L^T f,     u = b + L w,     f = P(f0 - u/eps)         P: onto f_n >= low, |f_t| <= mu f_n
//
// by Newton's method on w - L^T f(w): matrices of r rows, however redundant the contacts are. With eps of the size of
// G it takes a few steps; it falls to a thousandth, each answer the start of the next, which also makes f the one of
// least sum of squares but for that. Then f0 = f, again and again [Rockafellar76]: f = f0 solves the problem itself.
// math/cone.c works on f: n^3, and from some ten contacts on it wanders. No order of contacts is in it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "impact/work.h"
#include "math/lu.h"

#define RANK 1e-12             // of the largest diagonal of G: what is left of it then is rounding
#define SURE 1e-6              // pivots that are less are left for the end
#define SOFTEST 1.0            // eps, of the mean diagonal of a contact
#define HARDEST 1e-3           // 1e-2 converges at 0.7 a round, 1e-5 makes Newton's method wander
#define HARDER 0.3
#define ROUNDS_MAX 60          // with f0 = f
#define BETTER 0.5             // than the best so far, or
#define WORSE_MAX 4            // so many rounds in a row are the end of it
#define NEWTON_MAX 40
#define NEARLY 1e-2            // residual of an answer that is only the start of the next, and
#define ROUNDED 1e-12          // of one that counts
#define SOFT_SOLVED 1e-10      // of the speeds: what is off
#define GOOD_ENOUGH 1e-6       // counts as solved where it gets no better

typedef struct Soft {
    const caromImpactBlock *block;
    const caromConeScratch *cone;  // b, mu, low
    bool has_low;
    int n, m, r;
    double *L;                     // [m][r]
    double *w, *trial, *R, *step;  // [r]
    double *x[3];                  // [r]
    double *f, *f0, *u;            // [m]
    double *eps;                   // [n]
    double *J, *scale;             // [r][r], [r]
    int *pivot;                    // [r]
    int *from, *to;                // columns of L in which rows of a contact are not 0  [n]
    double size;                   // of u
} Soft;

// ---- G = L L^T

// The next column of L, with the pivot row `best`: a row of G less what the columns so far say of it, over the root of
// what is left at the pivot.
static void add_column(Soft *s, int best, double *left)
{
    int m = s->m;
    double root = sqrt(left[best]);
    const double *row = s->block->G + (long)best*m, *at = s->L + (long)best*m;
    for (int k = 0; k < m; k++) {
        double *l = s->L + (long)k*m, sum = row[k];
        for (int c = 0; c < s->r; c++) sum -= l[c]*at[c];
        l[s->r] = sum/root;
        left[k] -= l[s->r]*l[s->r];
    }
    left[best] = 0;
    s->r++;
}

static int most_left(const double *left, int from, int to)
{
    int best = from;
    for (int k = from + 1; k < to; k++) if (left[k] > left[best]) best = k;
    return best;
}

static bool feel(const caromImpactBlock *block, int i, int j)
{
    for (int k = 0; k < 3; k++) {
        const double *row = block->G + (long)(3*i + k)*3*block->n + 3*j;
        if (row[0] != 0 || row[1] != 0 || row[2] != 0) return true;
    }
    return false;
}

// Contacts in the order in which they are reached from one of them.
static void walk_from(const caromImpactBlock *block, int first, int *order, int *is_reached)
{
    int n = block->n, count = 0;
    for (int i = 0; i < n; i++) is_reached[i] = 0;
    for (int next = 0; next < n; next++) {
        if (next == count) {  // the first, or one that those do not feel
            int start = first;
            for (int i = 0; is_reached[start]; i++) start = i;
            is_reached[start] = 1;
            order[count++] = start;
        }
        for (int i = 0; i < n; i++) {
            if (is_reached[i] || !feel(block, order[next], i)) continue;
            is_reached[i] = 1;
            order[count++] = i;
        }
    }
}

static void find_widths(Soft *s)
{
    for (int i = 0; i < s->n; i++) {
        int from = s->r, to = 0;
        for (int k = 3*i; k < 3*i + 3; k++) {
            const double *l = s->L + (long)k*s->m;
            for (int c = 0; c < s->r; c++) if (l[c] != 0) from = c < from ? c : from, to = c >= to ? c + 1 : to;
        }
        s->from[i] = from;
        s->to[i] = to;
    }
}

// Along the contacts from one end of what they make, a row of stones or a pile, so that rows of L are zero but for a
// part; what is nearly redundant comes last, the largest first.
static void factor(Soft *s)
{
    int m = s->m, *order = s->pivot;
    double *left = s->f, largest = 0;
    for (int k = 0; k < m; k++) largest = fmax(largest, left[k] = s->block->G[(long)k*m + k]);
    walk_from(s->block, 0, order, s->from);
    walk_from(s->block, order[s->n - 1], order, s->from);
    s->r = 0;
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < 3; k++) {
            int best = most_left(left, 3*order[i], 3*order[i] + 3);
            if (left[best] > SURE*largest) add_column(s, best, left);
        }
    }
    while (s->r < m) {
        int best = most_left(left, 0, m);
        if (!(left[best] > RANK*largest)) break;
        add_column(s, best, left);
    }
    find_widths(s);
}

// ---- f(w)

static double low_of(const Soft *s, int i) { return s->has_low ? s->cone->low[i] : 0; }

static void set_speeds(const Soft *s, const double *w)
{
    for (int k = 0; k < s->m; k++) {
        const double *l = s->L + (long)k*s->m;
        double sum = s->cone->b[k];
        for (int c = s->from[k/3]; c < s->to[k/3]; c++) sum += l[c]*w[c];
        s->u[k] = sum;
    }
}

typedef struct SoftAnswer {
    double y[3], length;
    bool presses, slides;
} SoftAnswer;

static SoftAnswer press(const Soft *s, int i)
{
    SoftAnswer p;
    for (int k = 0; k < 3; k++) p.y[k] = s->f0[3*i + k] - s->u[3*i + k]/s->eps[i];
    p.presses = p.y[0] > low_of(s, i);
    s->f[3*i] = p.presses ? p.y[0] : low_of(s, i);
    p.length = hypot(p.y[1], p.y[2]);
    double radius = s->cone->mu[i]*s->f[3*i], shrink = p.length > radius ? radius/p.length : 1;
    p.slides = p.length > radius;
    s->f[3*i + 1] = shrink*p.y[1];
    s->f[3*i + 2] = shrink*p.y[2];
    return p;
}

// R = w - L^T f(w); returns its square.
static double residual(Soft *s, const double *w, double *R)
{
    double sum = 0;
    set_speeds(s, w);
    memcpy(R, w, sizeof(double)*s->r);
    for (int i = 0; i < s->n; i++) {
        press(s, i);
        for (int k = 3*i; k < 3*i + 3; k++) {
            const double *l = s->L + (long)k*s->m, f = s->f[k];
            if (f == 0) continue;
            for (int c = s->from[i]; c < s->to[i]; c++) R[c] -= f*l[c];
        }
    }
    for (int c = 0; c < s->r; c++) sum += R[c]*R[c];
    return sum;
}

// ---- Newton's method

// Derivative of the projection by y, over eps.
static void derivative(const Soft *s, int i, const SoftAnswer *p, double D[3][3])
{
    double h = 1/s->eps[i], mu = s->cone->mu[i], d[2] = { 0, 0 }, shrink = 1;
    if (p->slides) {
        shrink = p->length > 0 ? mu*s->f[3*i]/p->length : 0;
        for (int k = 0; k < 2; k++) d[k] = p->length > 0 ? p->y[1 + k]/p->length : 0;
    }
    D[0][0] = p->presses ? h : 0;
    D[0][1] = D[0][2] = 0;
    for (int k = 0; k < 2; k++) {
        D[1 + k][0] = p->slides && p->presses ? h*mu*d[k] : 0;
        for (int l = 0; l < 2; l++) D[1 + k][1 + l] = h*shrink*((k == l) - d[k]*d[l]);
    }
}

// J = 1 + L^T D L, contact by contact: x = D L of its three rows.
static void add_contact(Soft *s, int i)
{
    double D[3][3];
    const double *l[3];
    int from = s->from[i], to = s->to[i];
    SoftAnswer p = press(s, i);
    if (!p.presses && s->f[3*i] == 0) return;
    derivative(s, i, &p, D);
    for (int k = 0; k < 3; k++) l[k] = s->L + (long)(3*i + k)*s->m;
    for (int k = 0; k < 3; k++)
        for (int c = from; c < to; c++) s->x[k][c] = D[k][0]*l[0][c] + D[k][1]*l[1][c] + D[k][2]*l[2][c];
    for (int a = from; a < to; a++) {
        double *row = s->J + (long)a*s->r, l0 = l[0][a], l1 = l[1][a], l2 = l[2][a];
        if (l0 == 0 && l1 == 0 && l2 == 0) continue;
        for (int c = from; c < to; c++) row[c] += l0*s->x[0][c] + l1*s->x[1][c] + l2*s->x[2][c];
    }
}

static bool newton_step(Soft *s)
{
    set_speeds(s, s->w);
    memset(s->J, 0, sizeof(double)*s->r*s->r);
    for (int a = 0; a < s->r; a++) s->J[(long)a*s->r + a] = 1;
    for (int i = 0; i < s->n; i++) add_contact(s, i);
    if (!carom_lu_factor(s->r, s->J, s->pivot, s->scale)) return false;
    for (int c = 0; c < s->r; c++) s->step[c] = -s->R[c];
    carom_lu_solve(s->r, s->J, s->pivot, s->step);
    for (int c = 0; c < s->r; c++) if (!isfinite(s->step[c])) return false;
    return true;
}

// From w, at eps and f0 as they are, to a residual of that part of w.
static void newton(Soft *s, double part)
{
    double sum = residual(s, s->w, s->R);
    for (int k = 0; k < NEWTON_MAX; k++) {
        double norm = 0;
        for (int c = 0; c < s->r; c++) norm += s->w[c]*s->w[c];
        if (sum <= part*part*norm || sum <= DBL_MIN || !newton_step(s)) return;
        double t = 1, next = sum;
        for (int half = 0; half < 8; half++, t *= 0.5) {
            for (int c = 0; c < s->r; c++) s->trial[c] = s->w[c] + t*s->step[c];
            next = residual(s, s->trial, s->R);
            if (next < (1 - 0.1*t)*sum) break;
        }
        memcpy(s->w, s->trial, sizeof(double)*s->r);
        sum = next;
    }
}

// ---- all together

static void set_eps(Soft *s, double softness)
{
    int m = s->m;
    for (int i = 0; i < s->n; i++) {
        double trace = 0;
        for (int k = 3*i; k < 3*i + 3; k++) trace += s->block->G[(long)k*m + k];
        s->eps[i] = softness*fmax(trace/3, DBL_MIN);
    }
}

// How much f still moves, in units of u over its size.
static double moved(const Soft *s)
{
    double most = 0;
    for (int k = 0; k < s->m; k++) most = fmax(most, s->eps[k/3]*fabs(s->f[k] - s->f0[k]));
    return most/s->size;
}

static Soft lay_out(const caromImpactBlock *block, const double *low, caromImpactWork *w)
{
    caromGroupScratch *g = &w->group;
    int n = block->n;
    Soft s = { .block = block, .cone = &w->cone, .has_low = low != NULL, .n = n, .m = 3*n, .L = g->G, .w = g->v,
               .trial = g->start, .R = g->rate, .step = g->speed, .x = { g->z0, g->z1, g->table }, .f = g->y,
               .f0 = g->end, .u = w->cone.u, .eps = g->first, .J = w->cone.G, .scale = g->slope,
               .pivot = g->event.suspect, .from = g->stick.rows, .to = g->creep_rows, .size = DBL_MIN };
    for (int k = 0; k < 3*n; k++) s.size = fmax(s.size, fabs(w->cone.b[k]));
    return s;
}

bool carom_impact_soft(const caromImpactBlock *block, const double *low, double *p, caromImpactWork *work)
{
    Soft s = lay_out(block, low, work);
    double soft = SOFTEST, off = INFINITY, best = INFINITY;
    int worse = 0;
    factor(&s);
    memset(s.w, 0, sizeof(double)*s.r);
    memset(s.f0, 0, sizeof(double)*s.m);
    while (soft > HARDEST) {
        set_eps(&s, soft);
        newton(&s, NEARLY);
        soft *= HARDER;
    }
    set_eps(&s, HARDEST);
    for (int round = 0; round < ROUNDS_MAX && off > SOFT_SOLVED && worse < WORSE_MAX; round++) {
        newton(&s, ROUNDED);
        off = moved(&s);
        worse = off < BETTER*best ? 0 : worse + 1;
        best = fmin(best, off);
        memcpy(s.f0, s.f, sizeof(double)*s.m);
    }
    memcpy(p, s.f, sizeof(double)*s.m);
    return off <= GOOD_ENOUGH;
}
