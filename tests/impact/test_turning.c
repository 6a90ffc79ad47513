// Couples that go with the normal impulses of an impact: a ball in closed form, and contacts anywhere on a body, by
// their law and by their energy.
#include <string.h>

#include "check.h"
#include "impact/impact.h"

enum { MOST = 4 };

typedef struct Struck {
    int n;
    caromImpactTurn turns[MOST];
    double A[36*MOST*MOST], before[6*MOST], u[6*MOST], x[6*MOST];
} Struck;

static void turn(Struck *s) { carom_impact_turning(s->n, s->turns, s->A, s->before, s->u, s->x); }

// Of a uniform ball of 1 kg and 1 m that is struck at its lowest point: v = v_c + w x (-n).
static Struck ball(const double before[6], caromImpactTurn resistance)
{
    Struck s = { .n = 1, .turns = { resistance } };
    const double I = 0.4;
    for (int k = 0; k < 3; k++) s.A[7*k] = k ? 1 + 1/I : 1, s.A[7*(3 + k)] = 1/I;
    s.A[6*1 + 5] = s.A[6*5 + 1] = -1/I;
    s.A[6*2 + 4] = s.A[6*4 + 2] = 1/I;
    memcpy(s.before, before, sizeof s.u[0]*6);
    return s;
}

static void a_spin_loses_what_its_couple_takes(void **state)
{
    (void)state;
    const caromImpactTurn resistance = { .torsion = 0.1, .p_n = 2, .bound = 2 };
    Struck s = ball((const double[6]){ 1, 0, 0, 3 }, resistance);
    turn(&s);
    CHECK_NEAR(s.u[3], 3 - 2.5*0.1*2, 1e-14);
    CHECK_NEAR(s.x[3], -0.1*2, 1e-15);
    s = ball((const double[6]){ 1, 0, 0, -0.3 }, resistance);  // and not more than there is
    turn(&s);
    CHECK_NEAR(s.u[3], 0, 1e-15);
    CHECK_NEAR(s.x[3], 0.3*0.4, 1e-15);
}

// Without slip the point does not move, and a ball that rolls has 7/5 of its mass: v' = w', w- - 5/7 C p.
static void a_ball_that_sticks_goes_on_rolling(void **state)
{
    (void)state;
    caromImpactTurn resistance = { .rolling = 0.05, .p_n = 2, .bound = 2, .friction = 1 };
    Struck s = ball((const double[6]){ 1, 0, 0, 0, 0, 3 }, resistance);
    turn(&s);
    CHECK_NEAR(s.u[5], 3 - 5.0/7*0.05*2, 1e-14);
    CHECK_NEAR(s.u[1], 0, 1e-14);
    resistance.friction = 0;  // a slip that goes on has all its friction already
    s = ball((const double[6]){ 1, 2, 0, 0, 0, 3 }, resistance);
    turn(&s);
    CHECK_NEAR(s.u[5], 3 - 2.5*0.05*2, 1e-14);
    CHECK_NEAR(s.x[1], 0, 0);
}

// ---- anywhere on a body

static double decades(Random *r, double low, double high)
{
    return exp(random_uniform(r, log(low), log(high)));
}

static void random_vector(Random *r, double *v)
{
    for (int k = 0; k < 3; k++) v[k] = random_uniform(r, -1, 1);
}

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1)%3]*b[(k + 2)%3] - a[(k + 2)%3]*b[(k + 1)%3];
}

static void unit(double *v)
{
    double size = sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]);
    for (int k = 0; k < 3; k++) v[k] /= size;
}

// Rows of J for a contact at p with a frame of its own: how (v_c, w) of the body moves it.
static void random_rows(Random *r, double J[6][6])
{
    double p[3], e[3][3];
    random_vector(r, p);
    random_vector(r, e[0]);
    random_vector(r, e[1]);
    unit(e[0]);
    cross(e[0], e[1], e[2]);
    unit(e[2]);
    cross(e[2], e[0], e[1]);
    for (int k = 0; k < 3; k++) {
        cross(p, e[k], J[k] + 3);  // e.(w x p)
        for (int c = 0; c < 3; c++) J[k][c] = e[k][c], J[3 + k][c] = 0, J[3 + k][3 + c] = e[k][c];
    }
}

static Struck random_struck(Random *r)
{
    Struck s = { .n = 1 + (int)random_uniform(r, 0, MOST) };
    double J[6*MOST][6], w[6], inertia[6] = { 1, 1, 1 }, V[6];
    for (int k = 3; k < 6; k++) inertia[k] = decades(r, 0.2, 1);
    random_vector(r, V);
    random_vector(r, V + 3);
    for (int i = 0; i < s.n; i++) random_rows(r, J + 6*i);
    for (int i = 0; i < 6*s.n; i++) {
        s.before[i] = 0;
        for (int k = 0; k < 6; k++) w[k] = J[i][k]/inertia[k], s.before[i] += J[i][k]*V[k];
        if (i % 6 == 0) s.before[i] = fabs(s.before[i]);  // parting; together no motion of the body any more
        for (int j = 0; j < 6*s.n; j++)
            for (int k = 0; k < 6; k++) s.A[6*s.n*i + j] += w[k]*J[j][k];
    }
    for (int i = 0; i < s.n; i++)
        s.turns[i] = (caromImpactTurn){ .torsion = decades(r, 1e-3, 1), .rolling = decades(r, 1e-3, 1),
                                        .bound = random_uniform(r, 0, 1) < 0.8 ? decades(r, 1e-2, 10) : 0,
                                        .friction = fmax(0, random_uniform(r, -2, 1)) };
    for (int i = 0; i < s.n; i++) s.turns[i].p_n = s.turns[i].bound;
    return s;
}

static double energy_of(const Struck *s)
{
    double sum = 0;
    for (int i = 0; i < 6*s->n; i++) sum += 0.5*s->x[i]*(s->before[i] + s->u[i]);
    return sum;
}

// The couple over its bound, coefficients taken off: a unit vector against the turning that is left, or inside where
// none is. How far it is from that.
static double off_law(const Struck *s, int i)
{
    const caromImpactTurn *t = &s->turns[i];
    const double *x = s->x + 6*i + 3, *w = s->u + 6*i + 3;
    double y[3] = { x[0]/t->torsion, x[1]/t->rolling, x[2]/t->rolling }, off = 0;
    double turning = sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2]), size = sqrt(y[0]*y[0] + y[1]*y[1] + y[2]*y[2]);
    if (size < t->bound*(1 - 1e-9)) return turning;
    for (int k = 0; k < 3; k++) off = fmax(off, turning*fabs(y[k]/size + w[k]/turning));
    return fmax(off, size/t->bound - 1 - 1e-12);
}

static void couples_anywhere_follow_the_law_and_gain_nothing(void **state)
{
    (void)state;
    Random r = { 7 };
    double gain = 0, worst = 0;
    for (int k = 0; k < 2000; k++) {
        Struck s = random_struck(&r);
        turn(&s);
        gain = fmax(gain, energy_of(&s));
        for (int i = 0; i < s.n; i++) {
            if (s.turns[i].bound > 0) worst = fmax(worst, off_law(&s, i));
            CHECK(hypot(s.x[6*i + 1], s.x[6*i + 2]) <= s.turns[i].friction*(1 + 1e-12));
            CHECK(s.x[6*i] >= 0 && s.u[6*i] > -1e-6 && fmin(s.x[6*i], s.u[6*i]) < 1e-6);
        }
    }
    print_message("largest gain %.1e J, law off by %.1e of speeds of 1\n", gain, worst);
    CHECK(gain <= 1e-15);
    CHECK(worst < 1e-4);  // rounds end before where couples press contacts in that press back
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spin_loses_what_its_couple_takes),
        cmocka_unit_test(a_ball_that_sticks_goes_on_rolling),
        cmocka_unit_test(couples_anywhere_follow_the_law_and_gain_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
