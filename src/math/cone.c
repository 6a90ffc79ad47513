// Complementarity with Coulomb friction, in two loops.
//
// Outer: G may be singular, so p is found as the limit of (G + eps D) p_k+1 + b - eps D p_k, p_0 = 0 (proximal points
// [Rockafellar76]). The first p is within eps of the one of least norm, the next ones take the error out of u: eps^k of
// it is left where G is regular on the range it acts in. A guess only starts Newton's method, it does not move the
// centre: the answer does not depend on it.
//
// Inner: Newton's method on the projections of [AlartCurnier91],
//
//     q = p - u/g      p_n = max(low, q_n),    p_t = q_t brought back to the disc of radius mu max(low, q_n)
//
// with g the mean of the diagonal of each contact's own block. It converges in a few steps when the modes
// (open, sticks, slides) are nearly right. Where it does not, the same projections are iterated with a splitting
// [BoydADMM11] that factors G + rho g once, and Newton's method tries again from there. Both treat all contacts alike:
// unlike sweeps over contacts (Gauss-Seidel) they have no order.
#include "math/cone.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/lu.h"

// eps, of the mean diagonal: rounding disturbs how redundant contacts share a load by 1e-16/eps
#define PROXIMAL 1e-7
#define PROXIMAL_STEPS 12
#define NEWTON_STEPS 40
#define SPLITTING_ROUNDS 30
#define SPLITTING_STEPS 40
#define SOLVED 1e-11           // residual over |b|; what is reached is usually a few roundings
#define TARGET 2e-15
#define NEARLY 1e-7            // of a step towards the answer: the next one has a better centre

struct caromConeWork {
    double *memory;
    int *index;
    double *matrix, *splitting;             // [3n][3n]
    double *f, *step, *trial, *best, *centre, *b, *u, *x, *y, *z, *kept, *row_scale;  // [3n]
    double *g, *weight;                     // [n]
    int *pivot, *splitting_pivot, *rows;    // [3n]
    bool has_splitting;
    double rho, size;                       // size: of u
    int newton_steps;
};

caromConeWork *carom_cone_alloc(int n_max)
{
    caromConeWork *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    size_t m = n_max > 0 ? 3*(size_t)n_max : 3;
    w->memory = malloc(sizeof(double)*(2*m*m + 14*m));
    w->index = malloc(sizeof(int)*3*m);
    if (!w->memory || !w->index) {
        carom_cone_free(w);
        return NULL;
    }
    double *next = w->memory;
    double **vectors[] = { &w->f, &w->step, &w->trial, &w->best, &w->centre, &w->b, &w->u, &w->x, &w->y, &w->z,
                           &w->kept, &w->row_scale, &w->g, &w->weight };
    w->matrix = next, next += m*m;
    w->splitting = next, next += m*m;
    for (size_t i = 0; i < sizeof vectors/sizeof vectors[0]; i++) *vectors[i] = next, next += m;
    w->pivot = w->index;
    w->splitting_pivot = w->index + m;
    w->rows = w->index + 2*m;
    return w;
}

void carom_cone_free(caromConeWork *w)
{
    if (!w) return;
    free(w->memory);
    free(w->index);
    free(w);
}

static double low_of(const caromCone *c, int i) { return c->low ? c->low[i] : 0; }

// Own scales of the contacts, and what regularises G: eps D.
static void scales(const caromCone *c, caromConeWork *w)
{
    int n = c->n, m = 3*n;
    double mean = 0, largest = 0, compliance = 0;
    for (int i = 0; i < n; i++) {
        double trace = 0;
        for (int k = 3*i; k < 3*i + 3; k++) trace += c->G[(long)k*m + k];
        w->g[i] = trace/3;
        mean += w->g[i]/n;
        largest = fmax(largest, w->g[i]);
        compliance += (c->compliance ? c->compliance[i] : 1)/n;
    }
    if (!(largest > 0)) mean = largest = 1;
    w->size = DBL_MIN;
    for (int i = 0; i < n; i++) {
        w->g[i] = fmax(w->g[i], 1e-12*largest);
        w->weight[i] = PROXIMAL*mean*(c->compliance ? c->compliance[i]/compliance : 1);
        for (int k = 3*i; k < 3*i + 3; k++) w->size = fmax(w->size, fabs(c->b[k]));
        w->size = fmax(w->size, low_of(c, i)*w->g[i]);
    }
}

static void answer_to(const caromCone *c, const double *p, const double *b, double *u)
{
    int m = 3*c->n;
    for (int i = 0; i < m; i++) {
        const double *row = c->G + (long)i*m;
        double sum = 0;
        for (int j = 0; j < m; j++) sum += row[j]*p[j];
        u[i] = sum + b[i];
    }
}

// Where q = p - u/g is projected to.
typedef struct Projection {
    double q[3];
    double radius, length;  // of the disc, of q_t
    bool presses;           // q_n > low: then u_n has to vanish
    bool slides;            // q_t outside the disc
} Projection;

static Projection project(const caromCone *c, const caromConeWork *w, int i, const double *p, const double *u)
{
    Projection a;
    double low = low_of(c, i);
    for (int k = 0; k < 3; k++) a.q[k] = p[3*i + k] - u[3*i + k]/w->g[i];
    a.presses = !c->given && a.q[0] > low;
    a.radius = c->mu[i]*(a.presses ? a.q[0] : low);
    a.length = hypot(a.q[1], a.q[2]);
    a.slides = !(a.length <= a.radius) || !(a.radius > 0);
    return a;
}

static void residual_of(const caromCone *c, const Projection *a, int i, const double *p, double f[3])
{
    double shrink = !a->slides ? 1 : a->length > 0 ? a->radius/a->length : 0;
    f[0] = p[3*i] - (a->presses ? a->q[0] : low_of(c, i));
    f[1] = p[3*i + 1] - shrink*a->q[1];
    f[2] = p[3*i + 2] - shrink*a->q[2];
}

// f = p - projection, at w->b and with eps D; *largest in units of u. Returns the sum of squares.
static double residuals(const caromCone *c, caromConeWork *w, const double *p, double *f, double *largest)
{
    double sum = 0;
    *largest = 0;
    answer_to(c, p, w->b, w->u);
    for (int i = 0; i < c->n; i++) {
        for (int k = 3*i; k < 3*i + 3; k++) w->u[k] += w->weight[i]*p[k];
        Projection a = project(c, w, i, p, w->u);
        residual_of(c, &a, i, p, f + 3*i);
        for (int k = 3*i; k < 3*i + 3; k++) {
            double r = f[k]*w->g[i];
            sum += r*r;
            *largest = fmax(*largest, fabs(r));
        }
    }
    return sum;
}

// Three rows of the derivative of f for a contact, over the columns in w->rows (count of them).
static void derivative(const caromCone *c, const caromConeWork *w, int i, const Projection *a, int count,
                       double *normal)
{
    int m = 3*c->n;
    double *t1 = normal + count, *t2 = normal + 2L*count;
    double r = 1/w->g[i], d1 = a->length > 0 ? a->q[1]/a->length : 0, d2 = a->length > 0 ? a->q[2]/a->length : 0;
    double shrink = a->length > 0 ? a->radius/a->length : 0;
    for (int j = 0; j < count; j++) {
        int k = w->rows[j];
        double e[3], G[3];
        for (int l = 0; l < 3; l++) {
            e[l] = k == 3*i + l ? 1 : 0;
            G[l] = r*(c->G[(long)(3*i + l)*m + k] + e[l]*w->weight[i]);
        }
        normal[j] = a->presses ? G[0] : e[0];
        if (!a->slides) {
            t1[j] = G[1];
            t2[j] = G[2];
            continue;
        }
        double q1 = e[1] - G[1], q2 = e[2] - G[2];                      // dq_t
        double along = d1*q1 + d2*q2, grows = a->presses ? c->mu[i]*(e[0] - G[0]) : 0;
        t1[j] = e[1] - shrink*(q1 - d1*along) - d1*grows;
        t2[j] = e[2] - shrink*(q2 - d2*along) - d2*grows;
    }
}

// Contacts that stay open have a known step, -f; the others make the system.
static bool newton_step(const caromCone *c, caromConeWork *w, const double *p)
{
    int n = c->n, count = 0;
    residuals(c, w, p, w->f, &(double){ 0 });
    for (int i = 0; i < n; i++) {
        Projection a = project(c, w, i, p, w->u);
        bool open = !a.presses && a.radius == 0;
        for (int k = 3*i; k < 3*i + 3; k++) {
            w->step[k] = open ? -w->f[k] : 0;
            if (!open) w->rows[count++] = k;
        }
    }
    if (!count) return true;
    answer_to(c, w->step, w->step, w->trial);   // of the known steps; what is added at open contacts does not matter
    for (int j = 0; j < count; j += 3) {
        int i = w->rows[j]/3;
        Projection a = project(c, w, i, p, w->u);
        double *row = w->matrix + (long)j*count;
        derivative(c, w, i, &a, count, row);
        // f moves by -(its derivative by u) du: the same formulas with dq = -r du
        double r = 1/w->g[i], *du = w->trial + 3*i, *f = w->f + 3*i;
        double d1 = a.length > 0 ? a.q[1]/a.length : 0, d2 = a.length > 0 ? a.q[2]/a.length : 0,
               shrink = a.length > 0 ? a.radius/a.length : 0;
        double along = -r*(d1*du[1] + d2*du[2]), grows = a.presses ? -c->mu[i]*r*du[0] : 0;
        w->x[j] = -f[0] - (a.presses ? r*du[0] : 0);
        w->x[j + 1] = -f[1] - (a.slides ? -shrink*(-r*du[1] - d1*along) - d1*grows : r*du[1]);
        w->x[j + 2] = -f[2] - (a.slides ? -shrink*(-r*du[2] - d2*along) - d2*grows : r*du[2]);
    }
    if (!carom_lu_factor(count, w->matrix, w->pivot, w->row_scale)) return false;
    carom_lu_solve(count, w->matrix, w->pivot, w->x);
    for (int j = 0; j < count; j++) {
        if (!isfinite(w->x[j])) return false;
        w->step[w->rows[j]] = w->x[j];
    }
    return true;
}

static double shorten(const caromCone *c, caromConeWork *w, const double *p, double sum, double *largest)
{
    int m = 3*c->n;
    double t = 1, new_sum = 0;
    for (int k = 0; k < 6; k++, t *= 0.5) {
        for (int i = 0; i < m; i++) w->trial[i] = p[i] + t*w->step[i];
        new_sum = residuals(c, w, w->trial, w->f, largest);
        if (new_sum < (1 - 0.2*t)*sum) return new_sum;
    }
    return new_sum;
}

// From p; p is the best point on return, its largest residual over the size of u is returned. A step that does not help
// is followed by a few bold ones: the residual is not smooth, and has hollows where a mode changes.
static double newton(const caromCone *c, caromConeWork *w, double *p)
{
    int m = 3*c->n, bold = 0;
    double largest, best_sum, sum = residuals(c, w, p, w->f, &largest), best_largest = largest;
    best_sum = sum;
    memcpy(w->best, p, sizeof(double)*m);
    for (int k = 0; k < NEWTON_STEPS && best_largest > 0; k++) {
        w->newton_steps++;
        if (!newton_step(c, w, p)) break;
        double new_sum = shorten(c, w, p, sum, &largest);
        if (new_sum >= sum) {
            if (best_largest <= TARGET*w->size || ++bold > 6) break;
            for (int i = 0; i < m; i++) w->trial[i] = p[i] + w->step[i];
            new_sum = residuals(c, w, w->trial, w->f, &largest);
        }
        memcpy(p, w->trial, sizeof(double)*m);
        sum = new_sum;
        if (sum < best_sum) {
            best_sum = sum;
            best_largest = largest;
            memcpy(w->best, p, sizeof(double)*m);
        }
    }
    memcpy(p, w->best, sizeof(double)*m);
    return best_largest/w->size;
}

static bool factor_splitting(const caromCone *c, caromConeWork *w)
{
    int m = 3*c->n;
    memcpy(w->splitting, c->G, sizeof(double)*m*m);
    for (int k = 0; k < m; k++) w->splitting[(long)k*m + k] += w->weight[k/3] + w->rho*w->g[k/3];
    w->has_splitting = carom_lu_factor(m, w->splitting, w->splitting_pivot, w->row_scale);
    return w->has_splitting;
}

// x minimises with a penalty, z is x + y in the discs, y adds up what separates them.
static void splitting_step(const caromCone *c, caromConeWork *w, double *apart, double *moved)
{
    int m = 3*c->n;
    for (int k = 0; k < m; k++) w->x[k] = -w->b[k] + w->rho*w->g[k/3]*(w->z[k] - w->y[k]);
    carom_lu_solve(m, w->splitting, w->splitting_pivot, w->x);
    *apart = *moved = 0;
    for (int i = 0; i < c->n; i++) {
        double q[3], z[3], low = low_of(c, i);
        for (int k = 0; k < 3; k++) q[k] = w->x[3*i + k] + w->y[3*i + k];
        z[0] = c->given ? low : fmax(low, q[0]);
        double length = hypot(q[1], q[2]), radius = c->mu[i]*z[0], shrink = length > radius ? radius/length : 1;
        z[1] = shrink*q[1];
        z[2] = shrink*q[2];
        for (int k = 0; k < 3; k++) {
            *apart = fmax(*apart, w->g[i]*fabs(w->x[3*i + k] - z[k]));
            *moved = fmax(*moved, w->g[i]*w->rho*fabs(z[k] - w->z[3*i + k]));
            w->y[3*i + k] = q[k] - z[k];
            w->z[3*i + k] = z[k];
        }
    }
}

static void balance(caromConeWork *w, int m, double apart, double moved)
{
    double factor = apart > 5*moved ? 4 : moved > 5*apart ? 0.25 : 1;
    if (factor == 1) return;
    w->rho *= factor;
    w->has_splitting = false;
    for (int k = 0; k < m; k++) w->y[k] /= factor;
}

// Splitting and Newton's method in turns, from p. The best point is left in p.
static double split_and_try(const caromCone *c, caromConeWork *w, double *p, double reached)
{
    int m = 3*c->n;
    memcpy(w->kept, p, sizeof(double)*m);
    memset(w->y, 0, sizeof(double)*m);
    memset(w->z, 0, sizeof(double)*m);
    w->rho = 1;
    w->has_splitting = false;
    for (int round = 0; round < SPLITTING_ROUNDS && reached > NEARLY; round++) {
        double apart = 0, moved = 0;
        if (!w->has_splitting && !factor_splitting(c, w)) break;
        for (int k = 0; k < SPLITTING_STEPS; k++) splitting_step(c, w, &apart, &moved);
        memcpy(p, w->z, sizeof(double)*m);
        double residual = newton(c, w, p);
        if (residual < reached) {
            reached = residual;
            memcpy(w->kept, p, sizeof(double)*m);
        }
        balance(w, m, apart, moved);
    }
    memcpy(p, w->kept, sizeof(double)*m);
    return reached;
}

static void into_the_discs(const caromCone *c, double *p)
{
    for (int i = 0; i < c->n; i++) {
        p[3*i] = c->given ? low_of(c, i) : fmax(p[3*i], low_of(c, i));
        double length = hypot(p[3*i + 1], p[3*i + 2]), radius = c->mu[i]*p[3*i];
        if (length <= radius) continue;
        p[3*i + 1] *= radius/length;
        p[3*i + 2] *= radius/length;
    }
}

static caromConeAnswer finish(const caromCone *c, double *p, double *u, caromConeWork *w)
{
    caromConeAnswer answer = { false, 0, w->newton_steps };
    into_the_discs(c, p);
    answer_to(c, p, c->b, w->u);
    for (int i = 0; i < c->n; i++) {
        double f[3];
        Projection a = project(c, w, i, p, w->u);
        residual_of(c, &a, i, p, f);
        for (int k = 0; k < 3; k++) answer.residual = fmax(answer.residual, w->g[i]*fabs(f[k])/w->size);
    }
    answer.solved = answer.residual <= SOLVED;
    if (u) memcpy(u, w->u, sizeof(double)*3*c->n);
    return answer;
}

caromConeAnswer carom_cone_solve(const caromCone *c, double *p, double *u, caromConeWork *w)
{
    int m = 3*c->n;
    scales(c, w);
    w->newton_steps = 0;
    memset(w->centre, 0, sizeof(double)*m);
    for (int k = 0; k < PROXIMAL_STEPS; k++) {
        for (int i = 0; i < m; i++) w->b[i] = c->b[i] - w->weight[i/3]*w->centre[i];
        double residual = newton(c, w, p), change = 0;
        if (residual > NEARLY) residual = split_and_try(c, w, p, residual);
        for (int i = 0; i < m; i++) {
            change = fmax(change, w->weight[i/3]*fabs(p[i] - w->centre[i]));
            w->centre[i] = p[i];
        }
        if ((change <= TARGET*w->size && residual <= SOLVED) || residual > NEARLY) break;
    }
    return finish(c, p, u, w);
}
