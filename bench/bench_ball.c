// Steel ball of 20 mm radius dropped by 1 m on a steel floor, e = 0.8, 3 s: equations of motion written by hand, events
// located and steps certified by the same search that the simulator uses. The error is that of the height at the end.
#include <math.h>
#include <string.h>

#include "carom/contact.h"
#include "events/search.h"
#include "table.h"

enum { STATES = 3 };  // height of the lowest point, velocity, energy lost to damping per mass

static const double gravity = 9.81, restitution = 0.8, radius = 0.02;

typedef struct Ball {
    double k;            // K/m of fn = K d^1.5 (1 + c d')
    double c;            // of the contact that is on
    bool is_touching;
    double slot[CAROM_SLOTS][STATES];
} Ball;

static caromStatus fall(void *user, double t, const double *y, double *dy)
{
    (void)t;
    const Ball *b = user;
    double d = -y[0], approach = -y[1];
    double elastic = b->is_touching && d > 0 ? b->k*d*sqrt(d) : 0, damping = elastic*fmax(b->c*approach, -1);
    dy[0] = y[1];
    dy[1] = elastic + damping - gravity;
    dy[2] = damping*approach;
    return CAROM_OK;
}

static void load(void *user, int slot, double time, const double *y)
{
    (void)time;
    memcpy(((Ball *)user)->slot[slot], y, sizeof ((Ball *)user)->slot[slot]);
}

static double gap(void *user, int slot, caromConstraint pair, double *rate)
{
    (void)pair;
    const double *y = ((Ball *)user)->slot[slot];
    *rate = y[1];
    return y[0];
}

// Free flight: g + v t - a t^2/2 > -margin up to its larger root; a little more than gravity covers the interpolant's
// error.
static double clear_time(void *user, int slot, caromConstraint pair, double dt, double margin)
{
    (void)pair;
    const double *y = ((Ball *)user)->slot[slot], a = 1.001*gravity;
    double height = y[0] + margin, v = dt > 0 ? y[1] : -y[1];
    if (height <= 0) return 0;
    return fmin(fabs(dt), (v + sqrt(v*v + 2*a*height))/a);
}

static double expected_depth(const Ball *b, double speed)
{
    return pow(1.25*speed*speed/b->k, 0.4);
}

static void set_weights(const Ball *b, const double *y, double tolerance, double *weight)
{
    double speed = fmax(fabs(y[1]), sqrt(gravity*radius));
    weight[0] = tolerance*(b->is_touching ? expected_depth(b, speed) : radius);
    weight[1] = tolerance*speed;
    weight[2] = tolerance*gravity;
}

static BenchRun bounce(const caromMethod *method, double tolerance)
{
    const double end = 3, E_star = 0.5*210e9/(1 - 0.09), mass = 7850*4.0/3.0*acos(-1.0)*radius*radius*radius;
    Ball ball = { .k = 4.0/3.0*E_star*sqrt(radius)/mass };
    double y[STATES] = { 1, 0, 0 }, scratch[STATES], weight[STATES];
    const int block[] = { 0, 1, 2, 3 };
    caromOde ode = { STATES, 1, fall, &ball, true };
    caromNorm norm = { weight, block, 3 };
    caromGuard guard = { &ball, load, gap, clear_time };
    BenchRun run = { 0 };
    caromStepper *s = method->create(&ode, &norm);
    if (!s) return run;
    caromSearch search = { .guard = &guard, .method = method, .stepper = s, .y = scratch, .margin = 1e-16 };
    double begin = bench_cpu_seconds(), t_start = 0, tau0, tau1, flight_step = 0;
    set_weights(&ball, y, tolerance, weight);
    caromStatus status = method->start(s, 0, y, 0);
    while (status == CAROM_OK && t_start < end) {
        status = method->step(s, end - t_start, NULL);
        if (status != CAROM_OK) break;
        method->span(s, &tau0, &tau1);
        search.h = tau1 - tau0;
        carom_search_begin(&search, y, method->state(s));
        double theta = ball.is_touching ? carom_search_separation(&search, carom_model_constraint_of_pair(0),
                                                                  (caromHysteresis){ 0.0, 0.0 }, 1)
                                        : carom_search_touch(&search, carom_model_constraint_of_pair(0), 1);
        if (theta > 1) {
            memcpy(y, method->state(s), sizeof y);
            if (t_start + tau1 >= end) break;
            continue;
        }
        method->interpolate(s, theta, y, NULL);
        run.events++;
        double h = method->hint(s);
        ball.is_touching = !ball.is_touching;
        if (ball.is_touching) {
            flight_step = h;
            ball.c = carom_damping_number(CAROM_DAMPING_EXACT, restitution)/-y[1];
            h = 0.02*2.94*expected_depth(&ball, -y[1])/-y[1];
        } else {
            h = flight_step;
        }
        t_start += tau0 + theta*search.h;
        set_weights(&ball, y, tolerance, weight);
        status = method->start(s, t_start, y, h);
    }
    run.seconds = bench_cpu_seconds() - begin;
    run.is_done = status == CAROM_OK;
    run.counts = method->counts(s);
    run.result[0] = y[0];
    method->destroy(s);
    return run;
}

int main(void)
{
    bench_table("steel ball, 3 s, drop of 1 m, e = 0.8", "m", 1e-6, bounce);
    return 0;
}
