// CVODE of SUNDIALS [Hindmarsh05] as one of the methods: one step per call, its Nordsieck polynomial as dense output.
// Variable order, so order and degree in the table are the largest. Worth its overhead (about 1.4 us per evaluation) on
// long smooth runs only, and kept as an independent check of our own methods.
#include "time/method.h"

#ifdef CAROM_HAVE_CVODE

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/base.h"
#include "time/call.h"
#include "time/jacobian.h"

#define FAILURES_MAX 30  // in a row; the default 7 is too few where evaluations may fail

_Static_assert(sizeof(sunrealtype) == sizeof(double), "SUNDIALS must be built for double precision");

struct caromStepper {
    caromOde ode;       // n: as many as there are since the last start
    const caromNorm *norm;
    int lmm;            // CV_BDF, CV_ADAMS
    double t_start, tau0, tau1;
    caromStatus final;  // a final failure of f, passed on
    int failures;       // evaluations that failed in this step
    double *y0;         // state at tau0
    double *jacobian;   // [n][n - nquad], BDF only
    caromCounts counts;
    SUNContext context;
    void *cvode;
    N_Vector y, work;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
};

// --- callbacks ---

// CVODE compares norms without expecting NaN, so neither state nor rate may be one.
static int rhs(sunrealtype tau, N_Vector y, N_Vector ydot, void *user)
{
    caromStepper *s = user;
    double *state = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(ydot);
    if (!carom_time_all_finite(state, s->ode.n)) return 1;
    caromStatus status = carom_time_evaluate(&s->ode, s->t_start + tau, state, rate, &s->counts.evaluations);
    if (status == CAROM_OK) return 0;
    s->failures++;
    if (status < 0) s->final = status;
    return status < 0 ? -1 : 1;
}

// CVODE's norm is the root mean square over all N states. Weights enlarged by sqrt(N / block size) turn it into the
// root of the sum of squares of the blocks' norms, which is never below our maximum over blocks.
static int error_weights(N_Vector y, N_Vector ewt, void *user)
{
    (void)y;
    const caromStepper *s = user;
    const caromNorm *norm = s->norm;
    double *w = N_VGetArrayPointer(ewt);
    for (int k = 0; k < norm->nblock; k++) {
        int begin = norm->block[k], end = norm->block[k + 1];
        for (int i = begin; i < end; i++) w[i] = sqrt((double)s->ode.n/(end - begin))/norm->weight[i];
    }
    return 0;
}

static int jacobian(sunrealtype tau, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector tmp1, N_Vector tmp2,
                    N_Vector tmp3)
{
    (void)tmp3;
    caromStepper *s = user;
    int n = s->ode.n, m = n - s->ode.nquad;
    sunrealtype h = 0;
    CVodeGetCurrentStep(s->cvode, &h);
    caromLinearPoint at = { s->t_start + tau, h, N_VGetArrayPointer(y), N_VGetArrayPointer(fy), s->norm,
                            N_VGetArrayPointer(tmp1), N_VGetArrayPointer(tmp2), &s->counts.evaluations };
    caromStatus status = carom_method_jacobian(&s->ode, &at, s->jacobian);
    if (status < 0) s->final = status;
    if (status != CAROM_OK) return status < 0 ? -1 : 1;
    s->counts.jacobians++;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) SM_ELEMENT_D(J, i, j) = j < m ? s->jacobian[(long)i*m + j] : 0.0;
    return 0;
}

#if SUNDIALS_VERSION_MAJOR < 7
static void be_silent(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

// --- memory ---

static bool create_context(caromStepper *s)
{
#if SUNDIALS_VERSION_MAJOR < 7
    return SUNContext_Create(NULL, &s->context) == 0;
#else
    return SUNContext_Create(SUN_COMM_NULL, &s->context) == 0 && SUNContext_ClearErrHandlers(s->context) == 0;
#endif
}

static bool create_solver(caromStepper *s, int lmm)
{
    s->cvode = CVodeCreate(lmm, s->context);
    if (!s->cvode) return false;
#if SUNDIALS_VERSION_MAJOR < 7
    if (CVodeSetErrHandlerFn(s->cvode, be_silent, NULL) != CV_SUCCESS) return false;
#endif
    return CVodeInit(s->cvode, rhs, 0, s->y) == CV_SUCCESS && CVodeSetUserData(s->cvode, s) == CV_SUCCESS &&
           CVodeWFtolerances(s->cvode, error_weights) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(s->cvode, FAILURES_MAX) == CV_SUCCESS &&
           CVodeSetMaxConvFails(s->cvode, FAILURES_MAX) == CV_SUCCESS;
}

static bool attach_newton(caromStepper *s)
{
    sunindextype n = s->ode.n;
    s->jacobian = carom_alloc_array((size_t)n*(size_t)(n - s->ode.nquad), sizeof(double));
    s->matrix = SUNDenseMatrix(n, n, s->context);
    if (!s->jacobian || !s->matrix) return false;
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    return s->linear && CVodeSetLinearSolver(s->cvode, s->linear, s->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(s->cvode, jacobian) == CV_SUCCESS;
}

static bool attach_fixed_point(caromStepper *s)
{
    s->nonlinear = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    return s->nonlinear && CVodeSetNonlinearSolver(s->cvode, s->nonlinear) == CV_SUCCESS;
}

// What depends on the number of states.
static void free_solver(caromStepper *s)
{
    if (s->cvode) CVodeFree(&s->cvode);
    if (s->linear) SUNLinSolFree(s->linear);
    if (s->nonlinear) SUNNonlinSolFree(s->nonlinear);
    if (s->matrix) SUNMatDestroy(s->matrix);
    if (s->y) N_VDestroy(s->y);
    if (s->work) N_VDestroy(s->work);
    free(s->jacobian);
    free(s->y0);
    s->cvode = NULL;
    s->linear = NULL;
    s->nonlinear = NULL;
    s->matrix = NULL;
    s->y = s->work = NULL;
    s->jacobian = s->y0 = NULL;
}

static bool make_solver(caromStepper *s)
{
    s->y0 = carom_alloc_array((size_t)s->ode.n, sizeof(double));
    s->y = N_VNew_Serial(s->ode.n, s->context);
    s->work = N_VNew_Serial(s->ode.n, s->context);
    if (!s->y0 || !s->y || !s->work) return false;
    N_VConst(0, s->y);
    return create_solver(s, s->lmm) && (s->lmm == CV_BDF ? attach_newton(s) : attach_fixed_point(s));
}

static void destroy(caromStepper *s)
{
    if (!s) return;
    free_solver(s);
    if (s->context) SUNContext_Free(&s->context);
    free(s);
}

static caromStepper *create(const caromOde *ode, const caromNorm *norm, int lmm)
{
    caromStepper *s = carom_alloc_array(1, sizeof *s);
    if (!s) return NULL;
    s->ode = *ode;
    s->norm = norm;
    s->lmm = lmm;
    if (create_context(s) && make_solver(s)) return s;
    destroy(s);
    return NULL;
}

static caromStepper *create_bdf(const caromOde *ode, const caromNorm *norm)
{
    return create(ode, norm, CV_BDF);
}

static caromStepper *create_adams(const caromOde *ode, const caromNorm *norm)
{
    return create(ode, norm, CV_ADAMS);
}

// --- stepping ---

static int64_t rejected_since_start(const caromStepper *s)
{
    long tests = 0, iterations = 0;
    CVodeGetNumErrTestFails(s->cvode, &tests);
    CVodeGetNumNonlinSolvConvFails(s->cvode, &iterations);
    return tests + iterations;
}

// The hint is not passed on: at tight tolerances CVODE failed its own error test limit with one and ran without.
static caromStatus start(caromStepper *s, double t, const double *y, double h_hint)
{
    (void)h_hint;
    s->counts.rejected += rejected_since_start(s);  // CVodeReInit forgets them
    if (s->ode.count && *s->ode.count != s->ode.n) {  // CVODE's vectors are as long as they were made
        s->ode.n = *s->ode.count;
        free_solver(s);
        if (!make_solver(s)) return CAROM_ERR_MEMORY;
    }
    memmove(N_VGetArrayPointer(s->y), y, (size_t)s->ode.n*sizeof *y);  // y may be what state() returned
    memmove(s->y0, y, (size_t)s->ode.n*sizeof *y);
    s->t_start = t;
    s->tau0 = s->tau1 = 0;
    s->final = CAROM_OK;
    return CVodeReInit(s->cvode, 0, s->y) == CV_SUCCESS ? CAROM_OK : CAROM_ERR_NUMERIC;
}

static const char *reason(const caromStepper *s, int flag)
{
    switch (flag) {
    case CV_FIRST_RHSFUNC_ERR: return "the evaluation failed at the start";
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RHSFUNC_FAIL: return "the evaluation failed however short the step";
    case CV_ERR_FAILURE: return "the error test failed";
    default: return s->failures > 0 ? "the evaluation failed however short the step" : "it cannot meet the tolerance";
    }
}

static caromStatus give_up(caromStepper *s, int flag, caromError *err)
{
    memcpy(N_VGetArrayPointer(s->y), s->y0, (size_t)s->ode.n*sizeof(double));
    s->tau1 = s->tau0;
    sunrealtype h = 0;
    CVodeGetCurrentStep(s->cvode, &h);
    char *name = CVodeGetReturnFlagName(flag);
    caromStatus status = s->final < 0 ? s->final : CAROM_ERR_NUMERIC;
    carom_fail(err, status, "integration", "cvode: cannot go on from t = %.17g s: %s (%s), step size %.3g s",
               s->t_start + s->tau0, reason(s, flag), name ? name : "?", (double)h);
    free(name);
    return status;
}

static caromStatus step(caromStepper *s, double tau_limit, caromError *err)
{
    if (!(tau_limit > s->tau1))
        return carom_fail(err, CAROM_ERR_INPUT, "integration", "step limit %.17g s is not after the local time %.17g s",
                          tau_limit, s->tau1);
    memcpy(s->y0, N_VGetArrayPointer(s->y), (size_t)s->ode.n*sizeof(double));
    s->tau0 = s->tau1;
    s->failures = 0;
    sunrealtype stop = fmin(tau_limit, 0.25*DBL_MAX), tau = s->tau0;
    int flag = CVodeSetStopTime(s->cvode, stop);
    // The target matters to the guess of the first step only, as a scale of time: a second is enough of it.
    if (flag == CV_SUCCESS) flag = CVode(s->cvode, fmin(stop, s->tau0 + 1), s->y, &tau, CV_ONE_STEP);
    // CVODE goes on for ever with steps that no longer move the clock, towards a time that cannot be reached.
    if (flag >= 0 && flag != CV_TSTOP_RETURN && tau - s->tau0 <= 4*DBL_EPSILON*s->tau0) flag = CV_TOO_MUCH_WORK;
    if (flag < 0) return give_up(s, flag, err);
    s->tau1 = tau;
    s->counts.steps++;
    double h = s->tau1 - s->tau0;
    if (flag != CV_TSTOP_RETURN && (s->counts.smallest_step == 0 || h < s->counts.smallest_step))
        s->counts.smallest_step = h;
    return CAROM_OK;
}

static void span(const caromStepper *s, double *tau0, double *tau1)
{
    *tau0 = s->tau0;
    *tau1 = s->tau1;
}

static const double *state(const caromStepper *s)
{
    return N_VGetArrayPointer(s->y);
}

static caromStatus derivative(caromStepper *s, double tau, int k, double *out)
{
    if (CVodeGetDky(s->cvode, tau, k, s->work) != CV_SUCCESS) return CAROM_ERR_NUMERIC;
    memcpy(out, N_VGetArrayPointer(s->work), (size_t)s->ode.n*sizeof *out);
    return CAROM_OK;
}

static caromStatus interpolate(caromStepper *s, double theta, double *y, double *dydtau)
{
    bool is_still = s->tau1 == s->tau0;
    double tau = theta == 1 ? s->tau1 : s->tau0 + theta*(s->tau1 - s->tau0);
    size_t bytes = (size_t)s->ode.n*sizeof *y;
    if (theta == 0) memcpy(y, s->y0, bytes);
    else if (theta == 1 || is_still) memcpy(y, state(s), bytes);
    else if (derivative(s, tau, 0, y) != CAROM_OK) return CAROM_ERR_NUMERIC;
    if (!dydtau) return CAROM_OK;
    if (!is_still) return derivative(s, tau, 1, dydtau);
    return carom_time_evaluate(&s->ode, s->t_start + s->tau1, state(s), dydtau, &s->counts.evaluations);
}

// By the derivatives at the end: |y(tau) - y1| <= sum of h^k/k! |y^(k)|, as far as the order of the step goes.
static caromStatus stray(caromStepper *s, int count, double *stray)
{
    const double *y1 = state(s);
    double h = s->tau1 - s->tau0, factor = 1;
    int order = 0;
    for (int i = 0; i < count; i++) stray[i] = fabs(y1[i] - s->y0[i]);
    if (CVodeGetLastOrder(s->cvode, &order) != CV_SUCCESS) return CAROM_ERR_NUMERIC;
    for (int k = 1; k <= order; k++) {
        factor *= h/k;
        if (CVodeGetDky(s->cvode, s->tau1, k, s->work) != CV_SUCCESS) return CAROM_ERR_NUMERIC;
        const double *rate = N_VGetArrayPointer(s->work);
        for (int i = 0; i < count; i++) stray[i] += factor*fabs(rate[i]);
    }
    return CAROM_OK;
}

// A new start at the same local time: CVODE's history belongs to the other state.
static void amend(caromStepper *s, const double *y)
{
    s->counts.rejected += rejected_since_start(s);
    memmove(N_VGetArrayPointer(s->y), y, (size_t)s->ode.n*sizeof *y);
    CVodeReInit(s->cvode, s->tau1, s->y);
}

static double hint(const caromStepper *s)
{
    sunrealtype h = 0;
    CVodeGetCurrentStep(s->cvode, &h);
    return h;
}

static caromCounts counts(const caromStepper *s)
{
    caromCounts c = s->counts;
    c.rejected += rejected_since_start(s);
    return c;
}

#define FUNCTIONS                                                                                               \
    .destroy = destroy, .start = start, .step = step, .span = span, .state = state, .interpolate = interpolate, \
    .stray = stray, .amend = amend, .hint = hint,                                                               \
    .counts = counts

static const caromMethod bdf = {
    .name = "cvode", .order = 5, .dense_order = 5, .dense_degree = 5, .is_stiff = true, .create = create_bdf, FUNCTIONS,
};
static const caromMethod adams = {
    .name = "cvode-adams", .order = 12, .dense_order = 12, .dense_degree = 12, .create = create_adams, FUNCTIONS,
};

const caromMethod *carom_method_cvode(void)
{
    return &bdf;
}

const caromMethod *carom_method_cvode_adams(void)
{
    return &adams;
}

#else

const caromMethod *carom_method_cvode(void)
{
    return NULL;
}

const caromMethod *carom_method_cvode_adams(void)
{
    return NULL;
}

#endif
