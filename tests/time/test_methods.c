#include "time/method.h"

#include <float.h>
#include <unistd.h>

#include "check.h"
#include "time/explicit.h"
#include "time/onestep.h"

static const caromMethod *const own[] = { &carom_method_dp5, &carom_method_dop853, &carom_method_rodas5p };
enum { OWN = sizeof own/sizeof own[0], ALL = OWN + 2 };

static const caromMethod *method_at(int i)  // NULL: built without CVODE
{
    return i < OWN ? own[i] : i == OWN ? carom_method_cvode() : carom_method_cvode_adams();
}

// --- problems ---

// A rotation whose speed depends on state and time, a decay driven by it, and two quadratures. Smooth, nonlinear, every
// coupling present, and known: phase = t + sin(t)/2.
enum { SMOOTH = 5, SMOOTH_QUAD = 2 };

static caromStatus smooth(void *user, double t, const double *y, double *dy)
{
    if (user) ++*(int *)user;
    double r2 = y[0]*y[0] + y[1]*y[1], w = r2*(1 + 0.5*cos(t));
    dy[0] = -w*y[1];
    dy[1] = w*y[0];
    dy[2] = -0.25*y[2]*y[2]*y[2]*(1 + r2);
    dy[3] = -w*y[1];
    dy[4] = y[2]*y[2];
    return CAROM_OK;
}

static void smooth_exact(double t, double *y)
{
    double phase = t + 0.5*sin(t);
    y[0] = cos(phase);
    y[1] = sin(phase);
    y[2] = 1/sqrt(1 + t);
    y[3] = cos(phase) - 1;
    y[4] = log1p(t);
}

// Double pendulum of two point masses of 1 kg on rods of 1 m.
static caromStatus pendulum(void *user, double t, const double *y, double *dy)
{
    (void)user, (void)t;
    double s = sin(y[0] - y[1]), c = cos(y[0] - y[1]), det = 2 - c*c;
    double p = -y[3]*y[3]*s - 2*9.81*sin(y[0]), q = y[2]*y[2]*s - 9.81*sin(y[1]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (p - c*q)/det;
    dy[3] = (2*q - c*p)/det;
    return CAROM_OK;
}

static const double pendulum_start[4] = { 1.5707963267948966, 1.5707963267948966, 0, 0 };

// --- a method with its problem ---

enum { N_MAX = 1001 };

typedef struct Rig {
    const caromMethod *method;
    caromOde ode;
    caromNorm norm;
    double weight[N_MAX];
    int block[2];
    caromStepper *s;
} Rig;

static void rig_open(Rig *rig, const caromMethod *method, caromRhs f, void *user, int n, int nquad, double tolerance)
{
    rig->method = method;
    rig->ode = (caromOde){ n, nquad, f, user };
    for (int i = 0; i < n; i++) rig->weight[i] = tolerance;
    rig->block[0] = 0;
    rig->block[1] = n;
    rig->norm = (caromNorm){ rig->weight, rig->block, 1 };
    rig->s = method->create(&rig->ode, &rig->norm);
    assert_non_null(rig->s);
}

static void rig_close(Rig *rig)
{
    rig->method->destroy(rig->s);
}

static double now(const Rig *rig)
{
    double tau0, tau1;
    rig->method->span(rig->s, &tau0, &tau1);
    return tau1;
}

static caromStatus run_to(Rig *rig, double tau_end, caromError *err)
{
    caromStatus status = CAROM_OK;
    while (status == CAROM_OK && now(rig) < tau_end) status = rig->method->step(rig->s, tau_end, err);
    return status;
}

static double distance(const double *a, const double *b, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

// --- tables ---

static double moment(const caromRow *row, const caromRow *rows, int power)  // sum_j a_j c_j^power
{
    double sum = 0;
    for (int j = 0; j < row->count; j++) sum += row->term[j].a*pow(rows[row->term[j].stage].c, power);
    return sum;
}

// sum_j a_ij = c_i; sum_i b_i c_i^k = 1/(k+1) up to the order; the error rows vanish on polynomials they integrate
// exactly.
static void check_table(const caromTableau *t, int order, const int *error_order)
{
    for (int i = 1; i <= t->last + t->nextra; i++)
        CHECK_NEAR(moment(&t->row[i], t->row, 0), t->row[i].c, 4e-14);  // terms up to 40
    for (int k = 0; k < order; k++) CHECK_NEAR(moment(&t->row[t->last], t->row, k), 1.0/(k + 1), 1e-14);
    for (int e = 0; e < t->nerror; e++)
        for (int k = 0; k < error_order[e]; k++) CHECK_NEAR(moment(&t->error[e], t->row, k), 0, 1e-14);
}

static void tables_satisfy_row_sums_and_quadrature_conditions(void **state)
{
    (void)state;
    check_table(&carom_tableau_dp5, 5, (const int[]){ 4 });
    check_table(&carom_tableau_dop853, 8, (const int[]){ 5, 3 });
}

// --- orders ---

// Largest error at the end over the first m states, with `steps` equal steps.
static void fixed_step_error(const caromMethod *method, int steps, double *error_state, double *error_quad)
{
    Rig rig;
    rig_open(&rig, method, smooth, NULL, SMOOTH, SMOOTH_QUAD, 1e-9);
    rig.s->accepts_all = true;
    double y[SMOOTH], T = 2;
    smooth_exact(0, y);
    method->start(rig.s, 0, y, 2*T);  // longer than any limit below: the limits make the steps
    for (int k = 1; k <= steps; k++) assert_int_equal(method->step(rig.s, k*T/steps, NULL), CAROM_OK);
    assert_int_equal(method->counts(rig.s).steps, steps);
    smooth_exact(T, y);
    const double *end = method->state(rig.s);
    int m = SMOOTH - SMOOTH_QUAD;
    *error_state = distance(end, y, m);
    *error_quad = distance(end + m, y + m, SMOOTH_QUAD);
    rig_close(&rig);
}

static void check_slope(const char *method, const char *what, double coarse, double fine, double ratio, double expected)
{
    double slope = log(coarse/fine)/log(ratio);
    print_message("    %-8s %-14s %.2f (expected %g; %.1e -> %.1e)\n", method, what, slope, expected, coarse, fine);
    CHECK(slope >= expected - 0.3);
}

static void solutions_converge_with_the_order_of_the_method(void **state)
{
    (void)state;
    const int steps[OWN] = { 64, 16, 32 };  // errors well above rounding and, for rodas5p, above that of its Jacobian
    for (int i = 0; i < OWN; i++) {
        double a, qa, b, qb;
        fixed_step_error(own[i], steps[i], &a, &qa);
        fixed_step_error(own[i], 2*steps[i], &b, &qb);
        check_slope(own[i]->name, "solution", a, b, 2, own[i]->order);
        check_slope(own[i]->name, "quadratures", qa, qb, 2, own[i]->order);
    }
}

// One step of length h from exact values at several times: the worst error of the interpolant and of its rate.
static void dense_error(const caromMethod *method, double h, double *error, double *rate_error)
{
    Rig rig;
    rig_open(&rig, method, smooth, NULL, SMOOTH, SMOOTH_QUAD, 1e-9);
    rig.s->accepts_all = true;
    *error = *rate_error = 0;
    for (double t = 0; t < 2; t += 0.25) {
        double y[SMOOTH], rate[SMOOTH], exact[SMOOTH], exact_rate[SMOOTH];
        smooth_exact(t, y);
        method->start(rig.s, t, y, 1);
        assert_int_equal(method->step(rig.s, h, NULL), CAROM_OK);
        for (int k = 1; k < 16; k++) {
            double theta = k/16.0;
            assert_int_equal(method->interpolate(rig.s, theta, y, rate), CAROM_OK);
            smooth_exact(t + theta*h, exact);
            smooth(NULL, t + theta*h, exact, exact_rate);
            *error = fmax(*error, distance(y, exact, SMOOTH));
            *rate_error = fmax(*rate_error, distance(rate, exact_rate, SMOOTH));
        }
    }
    rig_close(&rig);
}

static void dense_output_converges_with_its_order(void **state)
{
    (void)state;
    const double h[OWN] = { 0.05, 0.2, 0.05 };
    for (int i = 0; i < OWN; i++) {
        double a, ra, b, rb;
        dense_error(own[i], h[i], &a, &ra);
        dense_error(own[i], h[i]/2, &b, &rb);
        check_slope(own[i]->name, "dense", a, b, 2, own[i]->dense_order + 1);
        check_slope(own[i]->name, "dense rate", ra, rb, 2, own[i]->dense_order);
    }
}

static void the_interpolant_meets_both_ends_to_the_bit(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        Rig rig;
        rig_open(&rig, method, pendulum, NULL, 4, 0, 1e-7);
        double before[4], y[4], rate[4], f[4];
        memcpy(before, pendulum_start, sizeof before);
        method->start(rig.s, 3, before, 0);
        for (int k = 0; k < 30; k++) {
            assert_int_equal(method->step(rig.s, 10, NULL), CAROM_OK);
            method->interpolate(rig.s, 0, y, rate);
            assert_memory_equal(y, before, sizeof y);
            method->interpolate(rig.s, 1, y, rate);
            assert_memory_equal(y, method->state(rig.s), sizeof y);
            pendulum(NULL, 0, y, f);
            CHECK_NEAR(distance(rate, f, 4), 0, 3e-3);  // to the error of the derivative of the interpolant
            memcpy(before, y, sizeof y);
        }
        rig_close(&rig);
    }
}

// A step of its own to the middle is that of a limit there, and the step just made goes on as if nothing had been.
static void a_refined_state_is_that_of_a_step_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < OWN; i++) {
        Rig rig, half, same;
        Rig *rigs[] = { &rig, &half, &same };
        double exact[SMOOTH], y[SMOOTH], y_before[SMOOTH], y_after[SMOOTH], h = 0.3;
        smooth_exact(0, exact);
        for (int r = 0; r < 3; r++) {
            rig_open(rigs[r], own[i], smooth, NULL, SMOOTH, SMOOTH_QUAD, 1e-3);
            rigs[r]->s->accepts_all = true;
            own[i]->start(rigs[r]->s, 0, exact, r == 1 ? 0.5*h : h);
            assert_int_equal(own[i]->step(rigs[r]->s, r == 1 ? 0.5*h : h, NULL), CAROM_OK);
        }
        own[i]->interpolate(rig.s, 0.4, y_before, NULL);
        assert_int_equal(own[i]->refine(rig.s, 0.5, y), CAROM_OK);
        own[i]->interpolate(rig.s, 0.4, y_after, NULL);
        // The differences that a Jacobian is made of go with the step, and are good to the root of a rounding.
        CHECK_NEAR(distance(y, own[i]->state(half.s), SMOOTH), 0, own[i]->is_stiff ? sqrt(DBL_EPSILON) : 0);
        assert_memory_equal(y_before, y_after, sizeof y_before);
        assert_int_equal(own[i]->refine(rig.s, 1.0, y), CAROM_OK);
        assert_memory_equal(y, own[i]->state(same.s), sizeof y);
        for (int r = 0; r < 3; r += 2) assert_int_equal(own[i]->step(rigs[r]->s, 3*h, NULL), CAROM_OK);
        assert_memory_equal(own[i]->state(rig.s), own[i]->state(same.s), sizeof y);
        for (int r = 0; r < 3; r++) rig_close(rigs[r]);
    }
}

static void a_held_step_is_no_longer_than_that(void **state)
{
    (void)state;
    for (int i = 0; i < OWN; i++) {
        Rig rig;
        double exact[SMOOTH];
        smooth_exact(0, exact);
        rig_open(&rig, own[i], smooth, NULL, SMOOTH, SMOOTH_QUAD, 1e-6);
        own[i]->start(rig.s, 0, exact, 0);
        own[i]->hold(rig.s, 1e-3);  // the method has no plan yet
        CHECK_NEAR(own[i]->hint(rig.s), 0.0, 0.0);
        assert_int_equal(own[i]->step(rig.s, 1, NULL), CAROM_OK);
        double planned = own[i]->hint(rig.s);
        own[i]->hold(rig.s, 2*planned);
        CHECK_NEAR(own[i]->hint(rig.s), planned, 0.0);
        own[i]->hold(rig.s, 0.25*planned);
        CHECK_NEAR(own[i]->hint(rig.s), 0.25*planned, 0.0);
        rig_close(&rig);
    }
}

// No state inside the step is farther from its start than its bound, and the bound is of the size of what the state
// does: within the sum of what its coefficients do.
static void states_stray_no_farther_than_their_bound(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        Rig rig;
        rig_open(&rig, method, pendulum, NULL, 4, 0, 1e-5);
        double before[4], y[4], early[4], late[4], most[4];
        memcpy(before, pendulum_start, sizeof before);
        method->start(rig.s, 0, before, 0);
        for (int k = 0; k < 60; k++) {
            assert_int_equal(method->step(rig.s, 20, NULL), CAROM_OK);
            assert_int_equal(method->stray(rig.s, 4, early), CAROM_OK);  // before the step has been interpolated
            for (int j = 0; j < 4; j++) most[j] = 0;
            for (int n = 0; n <= 100; n++) {
                method->interpolate(rig.s, 0.01*n, y, NULL);
                for (int j = 0; j < 4; j++) most[j] = fmax(most[j], fabs(y[j] - before[j]));
            }
            assert_int_equal(method->stray(rig.s, 4, late), CAROM_OK);
            double sum = 0;
            for (int j = 0; j < 4; j++) {
                CHECK(most[j] <= early[j]*(1 + 1e-12) && most[j] <= late[j]*(1 + 1e-12));
                sum += most[j];
            }
            for (int j = 0; j < 4; j++) CHECK(early[j] <= 10*sum && late[j] <= 10*sum);
            memcpy(before, method->state(rig.s), sizeof before);
        }
        rig_close(&rig);
    }
}

// --- tolerance ---

// Error of the double pendulum after 2 s.
static double pendulum_error(const caromMethod *method, double tolerance, const double *reference)
{
    Rig rig;
    rig_open(&rig, method, pendulum, NULL, 4, 0, tolerance);
    method->start(rig.s, 0, pendulum_start, 0);
    assert_int_equal(run_to(&rig, 2, NULL), CAROM_OK);
    double error = distance(method->state(rig.s), reference, 4);
    rig_close(&rig);
    return error;
}

static void pendulum_reference(double *y)
{
    Rig rig;
    rig_open(&rig, &carom_method_dop853, pendulum, NULL, 4, 0, 1e-13);
    carom_method_dop853.start(rig.s, 0, pendulum_start, 0);
    assert_int_equal(run_to(&rig, 2, NULL), CAROM_OK);
    memcpy(y, carom_method_dop853.state(rig.s), 4*sizeof *y);
    rig_close(&rig);
}

// All methods, CVODE among them, agree to a modest multiple of the tolerance: a step may be wrong by the tolerance,
// there are up to 1e3 steps, and the motion amplifies errors about tenfold in 2 s.
static void methods_agree_to_the_tolerance(void **state)
{
    (void)state;
    double reference[4];
    pendulum_reference(reference);
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        for (int digits = 4; digits <= 10; digits++) {
            double tolerance = pow(10, -digits);
            CHECK_NEAR(pendulum_error(method, tolerance, reference), 0, (i < OWN ? 300 : 1000)*tolerance);
        }
    }
}

static void the_error_is_proportional_to_the_tolerance(void **state)
{
    (void)state;
    double reference[4];
    pendulum_reference(reference);
    for (int i = 0; i < OWN; i++) {
        double loose = pendulum_error(own[i], 1e-5, reference), tight = pendulum_error(own[i], 1e-10, reference);
        double exponent = log10(loose/tight)/5;
        print_message("    %-8s error ~ tolerance^%.2f\n", own[i]->name, exponent);
        CHECK_NEAR(exponent, 1, 0.25);
    }
}

static void weights_take_effect_at_the_next_step(void **state)
{
    (void)state;
    for (int i = 0; i < OWN; i++) {
        Rig rig;
        rig_open(&rig, own[i], pendulum, NULL, 4, 0, 1e-4);
        own[i]->start(rig.s, 0, pendulum_start, 0);
        for (int k = 0; k < 10; k++) own[i]->step(rig.s, 10, NULL);
        double before = own[i]->hint(rig.s);
        for (int k = 0; k < 4; k++) rig.weight[k] = 1e-10;
        own[i]->step(rig.s, 10, NULL);
        CHECK(own[i]->hint(rig.s) < 0.5*before);
        rig_close(&rig);
    }
}

// --- stiffness ---

// y' = lambda (y - cos t) - sin t, y = cos t [ProtheroRobinson74].
static caromStatus prothero_robinson(void *user, double t, const double *y, double *dy)
{
    (void)user;
    dy[0] = -1e5*(y[0] - cos(t)) - sin(t);
    return CAROM_OK;
}

static int64_t steps_and_error(const caromMethod *method, double *error)
{
    Rig rig;
    double y = 1;
    rig_open(&rig, method, prothero_robinson, NULL, 1, 0, 1e-6);
    method->start(rig.s, 0, &y, 0);
    assert_int_equal(run_to(&rig, 2, NULL), CAROM_OK);
    *error = fabs(method->state(rig.s)[0] - cos(2.0));
    int64_t steps = method->counts(rig.s).steps;
    rig_close(&rig);
    return steps;
}

static void a_stiff_problem_takes_a_hundredth_of_the_explicit_steps(void **state)
{
    (void)state;
    double explicit_error, stiff_error;
    int64_t explicit_steps = steps_and_error(&carom_method_dp5, &explicit_error);
    int64_t stiff_steps = steps_and_error(&carom_method_rodas5p, &stiff_error);
    print_message("    dp5 %lld steps, rodas5p %lld steps (error %.1e)\n", (long long)explicit_steps,
                  (long long)stiff_steps, stiff_error);
    CHECK(explicit_steps > 100*stiff_steps);
    CHECK_NEAR(stiff_error, 0, 1e-6);
}

// Of the steps of a run: how many there were, and the mean of what the method felt.
static double mean_felt(const caromMethod *method, caromRhs f, int n, const double *y, double *largest)
{
    Rig rig;
    rig_open(&rig, method, f, NULL, n, 0, 1e-6);
    method->start(rig.s, 0, y, 0);
    double sum = 0, tau0, tau1;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(method->step(rig.s, 100, NULL), CAROM_OK);
        method->span(rig.s, &tau0, &tau1);
        double felt = method->stiffness(rig.s);
        if (f == prothero_robinson && felt > 0) CHECK_NEAR(felt, 1e5*(tau1 - tau0), 1e-4*felt);
        *largest = fmax(*largest, felt);
        if (i >= 100) sum += felt/100;
    }
    rig_close(&rig);
    return sum;
}

// At the limit of stability a method feels h times the rate that holds it, in a smooth motion clearly
// less.
static void what_holds_a_step_is_felt(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double y = 1, most = 0, smooth_most = 0, stable = own[i]->stable;
        double held = mean_felt(own[i], prothero_robinson, 1, &y, &most);
        mean_felt(own[i], pendulum, 4, pendulum_start, &smooth_most);
        print_message("    %s held at %.3g (stable %.3g), smooth at most %.3g\n", own[i]->name, held, stable,
                      smooth_most);
        CHECK(held > 0.8*stable && held < 1.1*stable);
        CHECK(smooth_most < 0.6*stable);
    }
}

static caromStatus van_der_pol(void *user, double t, const double *y, double *dy)
{
    (void)user, (void)t;
    dy[0] = y[1];
    dy[1] = ((1 - y[0]*y[0])*y[1] - y[0])*1e6;
    return CAROM_OK;
}

// Reference at t = 2 from [HairerWanner96, IV.10].
static void van_der_pol_passes_its_fast_transition(void **state)
{
    (void)state;
    const double start[2] = { 2, 0 };
    Rig rig;
    rig_open(&rig, &carom_method_rodas5p, van_der_pol, NULL, 2, 0, 1e-7);
    rig.weight[1] = 1e-3;  // y' reaches 1e6, and follows y where it is slow
    carom_method_rodas5p.start(rig.s, 0, start, 0);
    assert_int_equal(run_to(&rig, 2, NULL), CAROM_OK);
    const double *y = carom_method_rodas5p.state(rig.s);
    print_message("    %lld steps\n", (long long)carom_method_rodas5p.counts(rig.s).steps);
    CHECK_NEAR(y[0], 1.706167732170483, 1e-6);
    CHECK_NEAR(y[1], -0.8928097010247975, 1e-6);
    rig_close(&rig);
}

// The step has the same solution with the quadratures inside or outside of the linear algebra.
static void quadratures_outside_of_the_system_change_nothing(void **state)
{
    (void)state;
    double end[2][SMOOTH];
    for (int nquad = 0; nquad <= SMOOTH_QUAD; nquad += SMOOTH_QUAD) {
        Rig rig;
        double y[SMOOTH];
        rig_open(&rig, &carom_method_rodas5p, smooth, NULL, SMOOTH, nquad, 1e-8);
        smooth_exact(0, y);
        rig.s->accepts_all = true;  // equal steps: a free step size would amplify the last digit
        carom_method_rodas5p.start(rig.s, 0, y, 1);
        for (int k = 1; k <= 10; k++) assert_int_equal(carom_method_rodas5p.step(rig.s, 0.1*k, NULL), CAROM_OK);
        memcpy(end[nquad/SMOOTH_QUAD], carom_method_rodas5p.state(rig.s), sizeof end[0]);
        rig_close(&rig);
    }
    CHECK_NEAR(distance(end[0], end[1], SMOOTH), 0, 1e-13);
}

// A mass of 1 kg meets a Hertzian surface at 1 m/s, at some distance from the origin: k = 1e9 N/m^1.5, depth 2.75e-4 m,
// contact time 8.1e-4 s.
static caromStatus bounce(void *user, double t, const double *y, double *dy)
{
    (void)t;
    double depth = *(const double *)user - y[0];
    dy[0] = y[1];
    dy[1] = depth > 0 ? 1e9*depth*sqrt(depth) : 0;
    return CAROM_OK;
}

static int64_t bounce_steps(double *surface, double *speed)
{
    Rig rig;
    double y[2] = { *surface, -1 }, depth = 2.75e-4, T = 1e-3;
    rig_open(&rig, &carom_method_rodas5p, bounce, surface, 2, 0, 0);
    rig.weight[0] = 1e-6*depth;
    rig.weight[1] = 1e-6;
    carom_method_rodas5p.start(rig.s, 0, y, 0.01*T);
    while (carom_method_rodas5p.state(rig.s)[0] <= *surface)
        assert_int_equal(carom_method_rodas5p.step(rig.s, T, NULL), CAROM_OK);
    *speed = carom_method_rodas5p.state(rig.s)[1];
    int64_t steps = carom_method_rodas5p.counts(rig.s).steps;
    rig_close(&rig);
    return steps;
}

// Increments of the Jacobian follow the depth of the contact, not the distance from the origin.
static void a_contact_far_from_the_origin_costs_the_same(void **state)
{
    (void)state;
    double near = 0, far = 1000, speed;
    int64_t steps_near = bounce_steps(&near, &speed);
    CHECK_NEAR(speed, 1, 1e-3);
    int64_t steps_far = bounce_steps(&far, &speed);
    CHECK_NEAR(speed, 1, 1e-3);
    print_message("    %lld steps at the origin, %lld at 1000 m\n", (long long)steps_near, (long long)steps_far);
    CHECK(steps_far <= steps_near + steps_near/5);
}

// --- failures ---

typedef struct Edge {
    double limit;   // not evaluable beyond, in y[0]
    double t_last;  // not evaluable after
    bool by_nan;
    caromStatus final;
} Edge;

// y -> 1, never beyond. Nobody may ask about a state that is not finite.
static caromStatus approach(void *user, double t, const double *y, double *dy)
{
    const Edge *edge = user;
    CHECK(isfinite(y[0]));
    dy[0] = 1 - y[0];
    if (y[0] <= edge->limit && t <= edge->t_last) return CAROM_OK;
    if (edge->final < 0) return edge->final;
    if (!edge->by_nan) return CAROM_RETRY;
    dy[0] = (double)NAN;
    return CAROM_OK;
}

static void a_failed_trial_shortens_the_step_and_goes_on(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++)
        for (int by_nan = 0; by_nan < 2; by_nan++) {
            const caromMethod *method = method_at(i);
            if (!method) continue;
            Edge edge = { 1.0000001, 1e9, by_nan, CAROM_OK };
            Rig rig;
            double y = 0;
            rig_open(&rig, method, approach, &edge, 1, 0, 1e-8);
            method->start(rig.s, 0, &y, 100);
            assert_int_equal(run_to(&rig, 8, NULL), CAROM_OK);
            CHECK_NEAR(method->state(rig.s)[0], 1 - exp(-8.0), 1e-6);
            if (i < OWN) CHECK(method->counts(rig.s).rejected > 0);
            rig_close(&rig);
        }
}

static void a_lasting_failure_says_when_and_why(void **state)
{
    bool is_quiet = state == NULL;
    for (int i = 0; i < ALL; i++)
        for (int by_nan = 0; by_nan < 2; by_nan++) {
            const caromMethod *method = method_at(i);
            if (!method) continue;
            Edge edge = { 2, 7.5, by_nan, CAROM_OK };
            Rig rig;
            caromError err = { 0 };
            double y = 0;
            rig_open(&rig, method, approach, &edge, 1, 0, 1e-6);
            method->start(rig.s, 7, &y, 0);
            assert_int_equal(run_to(&rig, 8, &err), CAROM_ERR_NUMERIC);
            if (!is_quiet && by_nan == 0) print_message("    %s\n", err.message);
            CHECK_NEAR(now(&rig), 0.5, 1e-9);  // it went as far as it could
            CHECK_NEAR(method->state(rig.s)[0], 1 - exp(-now(&rig)), 1e-5);
            const char *at = strstr(err.message, "t = ");
            assert_non_null(at);
            CHECK_NEAR(strtod(at + 4, NULL), 7 + now(&rig), 1e-12);
            assert_non_null(strstr(err.message, "evaluation failed"));
            assert_non_null(strstr(err.message, "step size"));
            rig_close(&rig);
        }
}

static void a_final_failure_is_passed_on(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        Edge edge = { 2, 0.5, false, CAROM_ERR_MODEL };
        Rig rig;
        caromError err = { 0 };
        double y = 0;
        rig_open(&rig, method, approach, &edge, 1, 0, 1e-6);
        method->start(rig.s, 0, &y, 0);
        assert_int_equal(run_to(&rig, 8, &err), CAROM_ERR_MODEL);
        assert_int_equal(err.status, CAROM_ERR_MODEL);
        method->start(rig.s, 0, &y, 0);  // and the stepper can be used again
        assert_int_equal(run_to(&rig, 0.25, &err), CAROM_OK);
        rig_close(&rig);
    }
}

static void a_start_that_cannot_be_evaluated_is_reported(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        Edge edge = { 2, -1, i % 2 == 0, CAROM_OK };
        Rig rig;
        caromError err = { 0 };
        double y = 0;
        rig_open(&rig, method, approach, &edge, 1, 0, 1e-6);
        method->start(rig.s, 0, &y, 0);
        assert_int_equal(method->step(rig.s, 1, &err), CAROM_ERR_NUMERIC);
        assert_non_null(strstr(err.message, "evaluation failed at the start"));
        rig_close(&rig);
    }
}

static caromStatus blow_up(void *user, double t, const double *y, double *dy)  // y = 1/(1 - t)
{
    (void)user, (void)t;
    dy[0] = y[0]*y[0];
    return CAROM_OK;
}

static void a_singularity_ends_in_the_error_test(void **state)
{
    (void)state;
    for (int i = 0; i < OWN; i++) {
        Rig rig;
        caromError err = { 0 };
        double y = 1;
        rig_open(&rig, own[i], blow_up, NULL, 1, 0, 1e-6);
        own[i]->start(rig.s, 0, &y, 0);
        assert_int_equal(run_to(&rig, 2, &err), CAROM_ERR_NUMERIC);
        print_message("    %s\n", err.message);
        CHECK_NEAR(now(&rig), 1, 1e-5);
        assert_non_null(strstr(err.message, "step size"));
        rig_close(&rig);
    }
}

static void cvode_is_silent_when_it_fails(void **state)
{
    (void)state;
    FILE *capture = tmpfile();
    assert_non_null(capture);
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    dup2(fileno(capture), STDERR_FILENO);
    a_lasting_failure_says_when_and_why(NULL);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fseek(capture, 0, SEEK_END);
    long printed = ftell(capture);
    fclose(capture);
    assert_int_equal(printed, 0);
}

// --- restart, limits ---

static int first_step_evaluations(const caromMethod *method, double hint)
{
    int calls = 0;
    Rig rig;
    double y[SMOOTH];
    rig_open(&rig, method, smooth, &calls, SMOOTH, SMOOTH_QUAD, 1e-6);
    smooth_exact(0, y);
    method->start(rig.s, 0, y, hint);
    assert_int_equal(calls, 0);
    assert_int_equal(method->step(rig.s, 5, NULL), CAROM_OK);
    assert_int_equal(calls, method->counts(rig.s).evaluations);
    assert_int_equal(method->counts(rig.s).rejected, 0);
    rig_close(&rig);
    return calls;
}

// A restart costs the evaluation at its start, and one more when the step size must be chosen.
static void a_restart_costs_one_evaluation_beyond_the_step(void **state)
{
    (void)state;
    const int m = SMOOTH - SMOOTH_QUAD;
    assert_int_equal(first_step_evaluations(&carom_method_dp5, 1e-3), 1 + 6);
    assert_int_equal(first_step_evaluations(&carom_method_dop853, 1e-3), 1 + 12);
    assert_int_equal(first_step_evaluations(&carom_method_rodas5p, 1e-3), 1 + 8 + m + 1);
    assert_int_equal(first_step_evaluations(&carom_method_dp5, 0), 2 + 6);
    assert_int_equal(first_step_evaluations(&carom_method_dop853, 0), 2 + 12);
}

// The step size is carried over: extra evaluations per restart, on average.
static void a_restart_in_smooth_motion_costs_a_few_evaluations(void **state)
{
    (void)state;
    const double at_most[OWN] = { 5, 10, 12 };
    for (int i = 0; i < OWN; i++) {
        double evaluations[2];
        for (int k = 0; k < 2; k++) {
            Rig rig;
            double y[4], hint = 0;
            memcpy(y, pendulum_start, sizeof y);
            rig_open(&rig, own[i], pendulum, NULL, 4, 0, 1e-8);
            own[i]->start(rig.s, 0, y, 0);
            for (int j = 1; j <= 100; j++) {
                double end = k == 0 ? 0.1*j : 0.1;
                assert_int_equal(run_to(&rig, end, NULL), CAROM_OK);
                hint = own[i]->hint(rig.s);
                if (k == 1) own[i]->start(rig.s, 0, own[i]->state(rig.s), hint);
            }
            evaluations[k] = (double)own[i]->counts(rig.s).evaluations;
            rig_close(&rig);
        }
        double extra = (evaluations[1] - evaluations[0])/100;
        print_message("    %-8s %.1f extra evaluations per restart (of %.0f between two)\n", own[i]->name, extra,
                      evaluations[0]/100);
        CHECK(extra <= at_most[i]);
    }
}

static void dense_output_of_dop853_costs_three_evaluations_once(void **state)
{
    (void)state;
    int calls = 0;
    Rig rig;
    double y[SMOOTH], rate[SMOOTH];
    rig_open(&rig, &carom_method_dop853, smooth, &calls, SMOOTH, SMOOTH_QUAD, 1e-6);
    smooth_exact(0, y);
    carom_method_dop853.start(rig.s, 0, y, 0.1);
    carom_method_dop853.step(rig.s, 1, NULL);
    int before = calls;
    carom_method_dop853.interpolate(rig.s, 0, y, NULL);
    carom_method_dop853.interpolate(rig.s, 1, y, NULL);
    assert_int_equal(calls, before);
    carom_method_dop853.interpolate(rig.s, 0.3, y, NULL);
    carom_method_dop853.interpolate(rig.s, 0.7, y, rate);
    assert_int_equal(calls, before + 3);
    rig_close(&rig);
}

static void a_limit_is_met_exactly_and_does_not_spoil_the_hint(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        Rig rig;
        double y[SMOOTH];
        rig_open(&rig, method, smooth, NULL, SMOOTH, SMOOTH_QUAD, 1e-8);
        smooth_exact(0, y);
        method->start(rig.s, 0, y, 0);
        for (int k = 0; k < 20 && now(&rig) < 1; k++) method->step(rig.s, HUGE_VAL, NULL);
        double planned = method->hint(rig.s);
        for (double part = 0.3; part > 1e-13; part *= 0.01) {
            double before = method->hint(rig.s), limit = now(&rig) + part*planned;
            assert_int_equal(method->step(rig.s, limit, NULL), CAROM_OK);
            assert_true(now(&rig) == limit);
            if (i < OWN) CHECK(method->hint(rig.s) >= before);
        }
        caromError err = { 0 };
        assert_int_equal(method->step(rig.s, now(&rig), &err), CAROM_ERR_INPUT);
        rig_close(&rig);
    }
}

static void a_run_with_many_limits_costs_little_more(void **state)
{
    (void)state;
    for (int i = 0; i < OWN; i++) {
        int64_t steps[2];
        for (int k = 0; k < 2; k++) {
            Rig rig;
            rig_open(&rig, own[i], pendulum, NULL, 4, 0, 1e-8);
            own[i]->start(rig.s, 0, pendulum_start, 0);
            int limits = k == 0 ? 1 : 50;
            for (int j = 1; j <= limits; j++) assert_int_equal(run_to(&rig, j*2.0/limits, NULL), CAROM_OK);
            steps[k] = own[i]->counts(rig.s).steps;
            rig_close(&rig);
        }
        // Each limit cuts one step in two; a few more rejections change the sequence.
        CHECK(steps[1] <= steps[0] + 50 + 5);
    }
}

// --- bits ---

static void the_same_run_gives_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        double end[3][4];
        Rig rig;
        rig_open(&rig, method, pendulum, NULL, 4, 0, 1e-7);
        const double t_start[3] = { 0, 0, 1e9 };  // autonomous: a late start changes nothing either
        for (int k = 0; k < 3; k++) {
            method->start(rig.s, t_start[k], pendulum_start, 0);
            assert_int_equal(run_to(&rig, 3, NULL), CAROM_OK);
            memcpy(end[k], method->state(rig.s), sizeof end[k]);
        }
        assert_memory_equal(end[0], end[1], sizeof end[0]);
        assert_memory_equal(end[0], end[2], sizeof end[0]);
        rig_close(&rig);
    }
}

static caromStatus oscillators(void *user, double t, const double *y, double *dy)
{
    (void)t;
    int n = *(const int *)user;
    for (int i = 0; i < n; i++) dy[i] = sin(3*y[i]) + 0.5;
    return CAROM_OK;
}

// Any number of equal equations gives the same numbers as one of them: padding never leaks.
static void the_number_of_states_does_not_matter(void **state)
{
    (void)state;
    static Rig rig;
    static double y[N_MAX];
    const int sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, N_MAX };
    for (int i = 0; i < OWN; i++) {
        double single = 0;
        for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
            int n = sizes[k];
            if (own[i]->is_stiff && n == N_MAX) continue;
            rig_open(&rig, own[i], oscillators, (void *)&sizes[k], n, 0, 1e-8);
            for (int j = 0; j < n; j++) rig.weight[j] = 1e-8, y[j] = 0;
            own[i]->start(rig.s, 0, y, 0.01);
            for (int j = 0; j < 15; j++)
                assert_int_equal(own[i]->step(rig.s, 0.4, NULL) == CAROM_OK || now(&rig) == 0.4, true);
            const double *end = own[i]->state(rig.s);
            if (n == 1) single = end[0];
            for (int j = 0; j < n; j++) CHECK_NEAR(end[j], single, 1e-13);  // the sum in the norm rounds with n
            rig_close(&rig);
        }
    }
}

// --- norm ---

static void the_norm_is_the_worst_block_and_keeps_nan(void **state)
{
    (void)state;
    const double weight[] = { 1, 1, 2, 2, 0.5 };
    const int block[] = { 0, 2, 4, 5 };
    caromNorm norm = { weight, block, 3 };
    CHECK_NEAR(carom_time_norm_of(&norm, (double[]){ 3, 4, 0, 0, 0 }), sqrt(12.5), 1e-15);
    CHECK_NEAR(carom_time_norm_of(&norm, (double[]){ 1, 1, 0, 0, 4 }), 8, 0);
    CHECK(isnan(carom_time_norm_of(&norm, (double[]){ 9, 0, (double)NAN, 0, 9 })));
    CHECK(isinf(carom_time_norm_of(&norm, (double[]){ 9, 0, HUGE_VAL, 0, 9 })));
}

static caromStatus one_among_many(void *user, double t, const double *y, double *dy)
{
    int n = *(const int *)user;
    for (int i = 2; i < n; i++) dy[i] = 0;
    dy[0] = y[1];
    dy[1] = -y[0]*(1 + y[0]*y[0]) + sin(t);
    return CAROM_OK;
}

// A moving body among bodies at rest: in blocks of two it is integrated as if it were alone, at least as well with
// CVODE.
static void resting_blocks_do_not_dilute_the_error(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        int64_t steps[2];
        for (int k = 0; k < 2; k++) {
            int n = k == 0 ? 2 : 100, block[51];
            double y[100] = { 1 };
            Rig rig;
            rig_open(&rig, method, one_among_many, &n, n, 0, 1e-7);
            for (int b = 0; b <= n/2; b++) block[b] = 2*b;
            rig.norm.block = block;
            rig.norm.nblock = n/2;
            method->start(rig.s, 0, y, 0.01);
            assert_int_equal(run_to(&rig, 5, NULL), CAROM_OK);
            steps[k] = method->counts(rig.s).steps;
            rig_close(&rig);
        }
        if (i < OWN) assert_int_equal(steps[1], steps[0]);
        else CHECK(steps[1] >= steps[0] - steps[0]/20);  // its iterations stop at other moments
    }
}

// Other numbers of states from one start to the next, up to what there is room for: each run is that of a stepper made
// for this number, to the bit.
static void the_number_of_states_may_change_at_a_start(void **state)
{
    (void)state;
    const int numbers[] = { 7, 2, 40, 3, 40, 11 };
    for (int i = 0; i < ALL; i++) {
        const caromMethod *method = method_at(i);
        if (!method) continue;
        int count = 40;
        Rig many;
        rig_open(&many, method, one_among_many, &count, 40, 0, 1e-7);
        method->destroy(many.s);
        many.ode.count = &count;
        many.s = method->create(&many.ode, &many.norm);
        for (int k = 0; k < 6; k++) {
            double y[40] = { 1 }, at[2][40];
            for (int j = 2; j < 40; j++) y[j] = 0.1*j;
            count = numbers[k];
            Rig fresh;
            rig_open(&fresh, method, one_among_many, &count, count, 0, 1e-7);
            many.block[1] = count;
            Rig *rigs[2] = { &many, &fresh };
            for (int r = 0; r < 2; r++) {
                method->start(rigs[r]->s, 0, y, 0.01);
                assert_int_equal(run_to(rigs[r], 2, NULL), CAROM_OK);
                assert_int_equal(method->interpolate(rigs[r]->s, 0.3, at[r], NULL), CAROM_OK);
            }
            assert_memory_equal(at[0], at[1], (size_t)count*sizeof(double));
            assert_memory_equal(method->state(many.s), method->state(fresh.s), (size_t)count*sizeof(double));
            rig_close(&fresh);
        }
        rig_close(&many);
    }
}

static void without_sundials_there_is_no_cvode(void **state)
{
    (void)state;
    assert_true((carom_method_cvode() == NULL) == (carom_method_cvode_adams() == NULL));
    if (!carom_method_cvode()) skip();
    assert_string_equal(carom_method_cvode()->name, "cvode");
}

// What a stepper has room for is decided when it is made.
static void more_states_than_there_is_room_for_are_refused(void **state)
{
    (void)state;
    const caromMethod *methods[] = { &carom_method_dp5, &carom_method_dop853, &carom_method_rodas5p };
    const double weight[SMOOTH + 8] = { 1, 1, 1, 1, 1 }, y[SMOOTH + 8] = { 1 };
    const int block[2] = { 0, SMOOTH };
    caromNorm norm = { .weight = weight, .block = block, .nblock = 1 };
    for (int i = 0; i < 3; i++) {
        int count = SMOOTH;
        caromOde ode = { .n = SMOOTH, .f = smooth, .count = &count };
        caromStepper *s = methods[i]->create(&ode, &norm);
        assert_int_equal(methods[i]->start(s, 0.0, y, 0.1), CAROM_OK);
        count = SMOOTH + 8;
        assert_int_equal(methods[i]->start(s, 0.0, y, 0.1), CAROM_ERR_MEMORY);
        methods[i]->destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_states_than_there_is_room_for_are_refused),
        cmocka_unit_test(tables_satisfy_row_sums_and_quadrature_conditions),
        cmocka_unit_test(solutions_converge_with_the_order_of_the_method),
        cmocka_unit_test(dense_output_converges_with_its_order),
        cmocka_unit_test(the_interpolant_meets_both_ends_to_the_bit),
        cmocka_unit_test(a_refined_state_is_that_of_a_step_of_its_own),
        cmocka_unit_test(a_held_step_is_no_longer_than_that),
        cmocka_unit_test(states_stray_no_farther_than_their_bound),
        cmocka_unit_test(methods_agree_to_the_tolerance),
        cmocka_unit_test(the_error_is_proportional_to_the_tolerance),
        cmocka_unit_test(weights_take_effect_at_the_next_step),
        cmocka_unit_test(a_stiff_problem_takes_a_hundredth_of_the_explicit_steps),
        cmocka_unit_test(what_holds_a_step_is_felt),
        cmocka_unit_test(van_der_pol_passes_its_fast_transition),
        cmocka_unit_test(quadratures_outside_of_the_system_change_nothing),
        cmocka_unit_test(a_contact_far_from_the_origin_costs_the_same),
        cmocka_unit_test(a_failed_trial_shortens_the_step_and_goes_on),
        cmocka_unit_test(a_lasting_failure_says_when_and_why),
        cmocka_unit_test(a_final_failure_is_passed_on),
        cmocka_unit_test(a_start_that_cannot_be_evaluated_is_reported),
        cmocka_unit_test(a_singularity_ends_in_the_error_test),
        cmocka_unit_test(cvode_is_silent_when_it_fails),
        cmocka_unit_test(a_restart_costs_one_evaluation_beyond_the_step),
        cmocka_unit_test(a_restart_in_smooth_motion_costs_a_few_evaluations),
        cmocka_unit_test(dense_output_of_dop853_costs_three_evaluations_once),
        cmocka_unit_test(a_limit_is_met_exactly_and_does_not_spoil_the_hint),
        cmocka_unit_test(a_run_with_many_limits_costs_little_more),
        cmocka_unit_test(the_same_run_gives_the_same_bits),
        cmocka_unit_test(the_number_of_states_does_not_matter),
        cmocka_unit_test(the_number_of_states_may_change_at_a_start),
        cmocka_unit_test(the_norm_is_the_worst_block_and_keeps_nan),
        cmocka_unit_test(resting_blocks_do_not_dilute_the_error),
        cmocka_unit_test(without_sundials_there_is_no_cvode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
