// Rodas5P [Steinebach23]: a linearly implicit (Rosenbrock) method of order 5(4), eight stages, stiffly accurate, no
// Newton iteration. With U_i the stages in the form that needs no product with J [HairerWanner96, IV.7]:
//
//     (I - h gamma J) U_i = h gamma ( f(tau0 + c_i h, y0 + sum_j a_ij U_j) + sum_j (C_ij/h) U_j + h d_i df/dt )
//     y1 = y0 + sum_j b_j U_j,        error = U_8
//
// The order holds for an exact J only, so J is renewed at every step. Quadrature states have zero columns in J: the
// system is solved without them, and their rows follow from the solution by one product each, which is exact and keeps
// the order. An ODE that knows its structure has a linear system of its own. States that time carries along are
// integrated as what is left of them (carry.h).
#include <math.h>
#include <string.h>

#include "time/carry.h"
#include "time/combine.h"
#include "time/jacobian.h"
#include "time/onestep.h"
#include "math/lu.h"

enum { STAGES = 8 };

static const double gamma_ = 0.21193756319429014;

// a_ij; the last row is b. From the sixth on a stage starts where the one before would have ended the step.
#define A6                                                                                                        \
    { 0, -7.502846399306121 }, { 1, 2.561846144803919 }, { 2, -11.627539656261098 }, { 3, -0.18268767659942256 }, \
           { 4, 0.030198172008377946 }
static const caromRow state_rows[STAGES + 1] = {
    { 0, 0, { { 0, 0 } } },
    { 0.6358126895828704, 1, { { 0, 3.0 } } },
    { 0.4095798393397535, 2, { { 0, 2.849394379747939 }, { 1, 0.45842242204463923 } } },
    { 0.9769306725060716, 3, { { 0, -6.954028509809101 }, { 1, 2.489845061869568 }, { 2, -10.358996098473584 } } },
    { 0.4288403609558664, 4,
      { { 0, 2.8029986275628964 }, { 1, 0.5072464736228206 }, { 2, -0.3988312541770524 },
        { 3, -0.04721187230404641 } } },
    { 1, 5, { A6 } },
    { 1, 6, { A6, { 5, 1 } } },
    { 1, 7, { A6, { 5, 1 }, { 6, 1 } } },
    { 1, 8, { A6, { 5, 1 }, { 6, 1 }, { 7, 1 } } },
};

// C_ij.
static const caromRow stage_rows[STAGES] = {
    { 0, 0, { { 0, 0 } } },
    { 0, 1, { { 0, -14.155112264123755 } } },
    { 0, 2, { { 0, -17.97296035885952 }, { 1, -2.859693295451294 } } },
    { 0, 3, { { 0, 147.12150275711716 }, { 1, -1.41221402718213 }, { 2, 71.68940251302358 } } },
    { 0, 4,
      { { 0, 165.43517024871676 }, { 1, -0.4592823456491126 }, { 2, 42.90938336958603 }, { 3, -5.961986721573306 } } },
    { 0, 5,
      { { 0, 24.854864614690072 }, { 1, -3.0009227002832186 }, { 2, 47.4931110020768 }, { 3, 5.5814197821558125 },
        { 4, -0.6610691825249471 } } },
    { 0, 6,
      { { 0, 30.91273214028599 }, { 1, -3.1208243349937974 }, { 2, 77.79954646070892 }, { 3, 34.28646028294783 },
        { 4, -19.097331116725623 }, { 5, -28.087943162872662 } } },
    { 0, 7,
      { { 0, 37.80277123390563 }, { 1, -3.2571969029072276 }, { 2, 112.26918849496327 }, { 3, 66.9347231244047 },
        { 4, -40.06618937091002 }, { 5, -54.66780262877968 }, { 6, -9.48861652309627 } } },
};

// d_i: weight of df/dt.
static const double time_weight[STAGES] = {
    0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0, 0,
};

// Dense output of order 4: y(theta) = (1-theta) y0 + theta (y1 + (1-theta) (K1 + theta (K2 + theta K3))).
static const caromRow dense_rows[3] = {
    { 0, 8,
      { { 0, 25.948786856663858 }, { 1, -2.5579724845846235 }, { 2, 10.433815404888879 }, { 3, -2.3679251022685204 },
        { 4, 0.524948541321073 }, { 5, 1.1241088310450404 }, { 6, 0.4272876194431874 }, { 7, -0.17202221070155493 } } },
    { 0, 8,
      { { 0, -9.91568850695171 }, { 1, -0.9689944594115154 }, { 2, 3.0438037242978453 }, { 3, -24.495224566215796 },
        { 4, 20.176138334709044 }, { 5, 15.98066361424651 }, { 6, -6.789040303419874 }, { 7, -6.710236069923372 } } },
    { 0, 8,
      { { 0, 11.419903575922262 }, { 1, 2.8879645146136994 }, { 2, 72.92137995996029 },
        { 3, 80.12511834622643 }, { 4, -52.072871366152654 }, { 5, -59.78993625266729 }, { 6, -0.15582684282751913 },
        { 7, 4.883087185713722 } } },
};

typedef struct Rodas {
    caromStepper base;
    int m;          // states in the linear system
    double *U;      // [STAGES][stride]
    double *ft;     // df/dt
    double *rhs;
    double *left;   // f0 less what is carried
    caromCarriage carriage;
    double *scale;  // [m]
    double *J;      // [n][m]
    double *lu;     // [m][m] factors of I - h gamma J
    int *pivot;     // [m]
    bool has_jacobian;
} Rodas;

static caromStatus time_derivative(Rodas *r, const caromLinearPoint *at)
{
    caromStepper *s = &r->base;
    if (s->ode.is_autonomous) return CAROM_OK;  // ft is and stays zero
    double d = carom_method_change_of_time(at->t, at->h), actual = (at->t + d) - at->t;
    caromStatus status = carom_time_evaluate(&s->ode, at->t + d, s->y0, r->ft, &s->counts.evaluations);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < s->ode.n; i++) r->ft[i] = (r->ft[i] - s->f0[i])/actual;
    return CAROM_OK;
}

static caromStatus linearise(Rodas *r, double h)
{
    caromStepper *s = &r->base;
    if (s->is_new_point) r->has_jacobian = false;
    if (r->has_jacobian) return CAROM_OK;
    const caromLinearSystem *linear = s->ode.linear;
    carom_time_carry_begin(&r->carriage, s, h, r->left);
    caromLinearPoint at = { s->t_start + s->tau0, h, s->y0, r->left, s->norm, s->trial, r->rhs, &s->counts.evaluations,
                            r->ft, &r->carriage.start };
    caromStatus status = linear ? linear->linearise(s->ode.user, &at, r->ft) : time_derivative(r, &at);
    if (status == CAROM_OK && !linear) status = carom_method_jacobian(&s->ode, &at, r->J);
    if (status != CAROM_OK) return status;
    s->counts.jacobians++;
    r->has_jacobian = true;
    return CAROM_OK;
}

static bool factorise(Rodas *r, double h)
{
    int m = r->m;
    double hg = h*gamma_;
    if (r->base.ode.linear) return r->base.ode.linear->factorise(r->base.ode.user, hg);
    for (long k = 0; k < (long)m*m; k++) r->lu[k] = -hg*r->J[k];
    for (int i = 0; i < m; i++) r->lu[(long)i*m + i] += 1;
    return carom_lu_factor(m, r->lu, r->pivot, r->scale);
}

// U := (I - h gamma J)^-1 U, the rows of the quadratures by substitution.
static void solve(const Rodas *r, double h, double *U)
{
    int m = r->m, n = r->base.ode.n;
    if (r->base.ode.linear) {
        r->base.ode.linear->solve(r->base.ode.user, h*gamma_, U);
        return;
    }
    carom_lu_solve(m, r->lu, r->pivot, U);
    for (int i = m; i < n; i++) {
        const double *row = r->J + (long)i*m;
        double sum = 0;
        for (int j = 0; j < m; j++) sum += row[j]*U[j];
        U[i] += h*gamma_*sum;
    }
}

static caromStatus stage(Rodas *r, int i, double h)
{
    caromStepper *s = &r->base;
    const double *f = r->left;
    if (i > 0) {
        double theta = state_rows[i].c;
        if (!carom_time_combine_from(s->y0, &state_rows[i], 1, r->U, s->stride, s->trial)) return CAROM_RETRY;
        carom_time_carry_add(&r->carriage, theta, s->trial);
        caromStatus status = carom_onestep_stage(s, s->tau0 + theta*h, s->trial, r->rhs);
        if (status != CAROM_OK) return status;
        carom_time_carry_take_rate(&r->carriage, theta, r->rhs);
        f = r->rhs;
    }
    double *U = r->U + (long)i*s->stride;
    double hg = h*gamma_, hd = h*time_weight[i];
    carom_time_combine(&stage_rows[i], 1/h, r->U, s->stride, U);
    for (int j = 0; j < s->ode.n; j++) U[j] = hg*(f[j] + U[j] + hd*r->ft[j]);
    carom_time_carry_take_bend(&r->carriage, hg*hd, U);
    solve(r, h, U);
    return CAROM_OK;
}

static caromStatus attempt(caromStepper *s, double h, double *error)
{
    Rodas *r = (Rodas *)s;
    caromStatus status = linearise(r, h);
    if (status != CAROM_OK) return status;
    if (!factorise(r, h)) return CAROM_RETRY;
    carom_time_carry_over(&r->carriage, s, h);
    for (int i = 0; i < STAGES; i++) {
        status = stage(r, i, h);
        if (status != CAROM_OK) return status;
    }
    carom_time_combine(&state_rows[STAGES], 1, r->U, s->stride, s->dense);
    carom_time_carry_add(&r->carriage, 1.0, s->dense);
    if (!carom_time_add_finite(s->y0, s->dense, s->stride, s->y1)) return CAROM_RETRY;
    *error = fmax(carom_time_norm_of(s->norm, r->U + (long)(STAGES - 1)*s->stride), r->carriage.error);
    return CAROM_OK;
}

// In the nested form of onestep.h: K1 + theta (K2 + theta K3) = K1 + theta ((K2 + K3) + (1-theta) (-K3)).
static caromStatus dense(caromStepper *s)
{
    Rodas *r = (Rodas *)s;
    for (int c = 0; c < 3; c++)
        carom_time_combine(&dense_rows[c], 1, r->U, s->stride, s->dense + (long)(c + 1)*s->stride);
    double *F2 = s->dense + 2*(long)s->stride, *F3 = F2 + s->stride;
    for (int i = 0; i < s->stride; i++) {
        F2[i] += F3[i];
        F3[i] = -F3[i];
    }
    carom_time_carry_dense(&r->carriage, s->dense, s->stride);
    return CAROM_OK;
}

static void place(caromStepper *s, double *v)
{
    Rodas *r = (Rodas *)s;
    size_t stride = (size_t)s->stride, n = (size_t)s->ode.n, m = n - (size_t)s->ode.nquad;
    r->m = (int)m;
    r->U = v;
    s->f0 = v + STAGES*stride;
    s->f1 = s->f0 + stride;
    r->ft = s->f1 + stride;
    r->rhs = r->ft + stride;
    r->left = r->rhs + stride;
    for (int k = 0; k < CAROM_CARRY_DEGREE; k++) r->carriage.path[k] = r->left + (size_t)(k + 1)*stride;
    double *behind = r->left + (CAROM_CARRY_DEGREE + 1)*stride;
    if (s->ode.linear) {
        carom_time_carry_place(&r->carriage, behind, s->ode.n);
        return;
    }
    r->scale = behind;
    r->J = r->scale + m;
    r->lu = r->J + n*m;
    r->pivot = (int *)(void *)(r->lu + m*m);
}

static const caromScheme scheme = {
    .name = "rodas5p", .exponent = 1.0/5, .pi = 0, .shrink = 0.2, .grow = 6, .ndense = 4, .attempt = attempt,
    .dense = dense, .place = place,
};

static caromStepper *create(const caromOde *ode, const caromNorm *norm)
{
    size_t n = (size_t)ode->n, m = n - (size_t)ode->nquad;
    size_t pivots = (m*sizeof(int) + sizeof(double) - 1)/sizeof(double);
    size_t extra = ode->linear ? carom_time_carry_size(ode->n) : m + n*m + m*m + pivots;
    caromStepper *s = carom_onestep_create(&scheme, ode, norm, sizeof(Rodas), STAGES + 5 + CAROM_CARRY_DEGREE, extra);
    if (s) carom_onestep_resize(s, ode->n);
    return s;
}

const caromMethod carom_method_rodas5p = {
    .name = "rodas5p", .order = 5, .dense_order = 4, .dense_degree = 4, .is_stiff = true, .create = create,
    CAROM_ONESTEP_FUNCTIONS,
};
