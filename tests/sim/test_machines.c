// Everyday machines of examples/, each with a figure known from elsewhere, in both responses.
#include "rigid_run.h"

static const char *const responses[] = { "contact.response=compliant", "contact.response=rigid" };
static const char *const laws[] = { "contact.friction_law=smooth", "contact.friction_law=bristle" };

// An example in that response; free() the watch. Rigid friction is sharp; compliant friction is linear below 1 mm/s.
static Watch *machine_with(const char *name, const char *change, int response,
                           void (*each)(Watch *w, const caromSample *s))
{
    char path[64];
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    char *text = source_file(path, NULL);
    Watch *w = run_text(text, (const char *const[]){ responses[response], laws[response], change, NULL }, each, NULL);
    free(text);
    return w;
}

static Watch *machine(const char *name, int response, void (*each)(Watch *w, const caromSample *s))
{
    return machine_with(name, NULL, response, each);
}

enum { COMPLIANT, RIGID };

// ---- conveyor: mu g until it has the speed of the belt. Where friction fades below v_small = 1 mm/s the parcel is
// left behind by v^2/(2 mu g) more if it does so linearly.

static void keep_parcel(Watch *w, const caromSample *s)
{
    w->value[0] = s->X_WB[0].p.x - s->X_WB[1].p.x;
    w->value[1] = s->V_WB[1].linear.x;
}

static void a_parcel_gets_the_speed_of_its_belt(void **state)
{
    (void)state;
    double braking = 0.4*g, v_small = 1e-3, fades = v_small*v_small/(2*braking);
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *w = machine("conveyor", k, keep_parcel);
        CHECK_NEAR(w->value[1], 0.8, 1e-6);
        CHECK_NEAR(w->value[0], 0.8*0.8/(2*braking), k == RIGID ? 1e-8 : 4*fades);
        if (k == RIGID) CHECK_NEAR(time_of(w, CAROM_EVENT_STICK), 0.8/braking, 1e-5);
        free(w);
    }
}

// ---- cam: e sin(w t) + r, and m (g - e w^2 sin(w t))

static void watch_follower(Watch *w, const caromSample *s)
{
    double mass = 7850*(60*20*6 + 8*8*80)*1e-9, lift = 0.01*sin(20*s->time);
    if (s->time < 0.1) return;  // it settles
    w->value[0] = fmax(w->value[0], fabs(s->X_WB[1].p.z - 0.03 - lift));
    w->value[1] = fmax(w->value[1], fabs(s->contacts[0].fn - mass*(g - 400*lift)));
    w->value[2] += s->ncontact != 1;
}

// A line of 12 mm of steel is 0.15 um deep under 1 N; the compliant follower rests on it like on a spring. On points of
// the cam's surface it would leave it 267 times.
static void a_follower_does_not_leave_its_cam(void **state)
{
    (void)state;
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *w = machine("cam", k, watch_follower);
        assert_int_equal(count_of(w, k == RIGID ? CAROM_EVENT_TAKE_OFF : CAROM_EVENT_SEPARATION), 0);
        CHECK(w->value[2] == 0);
        CHECK(w->value[0] < (k == RIGID ? 1e-10 : 3e-7));
        CHECK(w->value[1] < (k == RIGID ? 1e-6 : 0.01));
        free(w);
    }
}

// ---- ramp

static void keep_nut(Watch *w, const caromSample *s)
{
    if (s->time == 0.0) w->value[0] = s->X_WB[1].p.z;
    w->value[1] = (w->value[0] - s->X_WB[1].p.z)/sin(20*pi/180);
}

// Until friction is whole, at 1 mm/s, it gets ahead by less than that speed in all of the time.
static void a_nut_slides_down_its_ramp(void **state)
{
    (void)state;
    double slope = 20*pi/180, a = g*(sin(slope) - 0.2*cos(slope)), t = 0.7;
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *w = machine("ramp", k, keep_nut);
        CHECK_NEAR(w->value[1], 0.5*a*t*t, k == RIGID ? 1e-8 : 1e-3*t);
        free(w);
    }
}

// ---- walker: the edge that lands comes down by w s

static void a_hexagon_walks_down_at_its_own_pace(void **state)
{
    (void)state;
    double s = 0.05, keeps = 11.0/17, steady = 2*g*sin(12*pi/180)/(s*17/12*(1 - keeps*keeps)), first = 0, last = 0;
    Watch *w = machine("walker", RIGID, NULL);
    double time = -1, off = 1;
    for (int i = 0; i < w->record.nevent; i++) {
        const caromEvent *e = &w->record.events[i];
        if (e->kind != CAROM_EVENT_IMPACT || e->time == time) continue;
        time = e->time;
        last = e->impact.speed/s;
        if (first == 0.0) first = last;
        else off *= keeps*keeps;
    }
    CHECK(off < 0.02);  // five steps
    CHECK_NEAR(last*last - steady, off*(first*first - steady), 1e-5*steady);
    free(w);
}

// ---- crank stop: one degree of freedom, 0.7 of its speed, without gravity

static void keep_first_kinetic(Watch *w, const caromSample *s)
{
    if (s->time == 0.0) w->value[0] = s->energy.kinetic;
    w->value[1] = s->energy.kinetic;
}

static void a_mechanism_keeps_what_its_stop_leaves_it(void **state)
{
    (void)state;
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *w = machine("crank-stop", k, keep_first_kinetic);
        CHECK_NEAR(w->value[1]/w->value[0], 0.49, k == RIGID ? 1e-8 : 1e-4);
        free(w);
    }
}

// ---- arm on a wall

static void keep_arm(Watch *w, const caromSample *s)
{
    w->value[0] = s->ncontact == 1 ? s->contacts[0].fn : 0.0;
}

// What is left of its motion is damped by 0.2 and 0.1 N m s.
static void an_arm_leans_on_a_wall(void **state)
{
    (void)state;
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *w = machine("arm-on-wall", k, keep_arm);
        double a = w->joint_q[0], b = w->joint_q[1], N = w->value[0], high = 0.25*sin(a + b),
               y = 0.3*sin(a) + high, moves = fabs(w->joint_v[0]) + fabs(w->joint_v[1]);
        CHECK_NEAR(0.3*cos(a) + 0.25*cos(a + b) + 0.012, 0.5, k == RIGID ? 1e-8 : 2e-5);  // as deep as a tip gets
        CHECK(moves < 1e-3);
        CHECK_NEAR(N*y, 1, moves + 1e-5);
        CHECK_NEAR(N*high, 20*(b - 30*pi/180), moves + 1e-5);
        free(w);
    }
}

// ---- Geneva drive: the slot points to the pin, as far as there is play

static double largest_play(double distance)
{
    return 0.05e-3/distance;
}

static void watch_wheel(Watch *w, const caromSample *s)
{
    double R = 0.06*sqrt(0.5), crank = remainder(pi*s->time - 1.2, 2*pi), x = 0.06 - R*cos(crank), y = -R*sin(crank);
    w->value[1] = s->joint_q[0];
    if (fabs(crank) > 40*pi/180) return;
    double off = remainder(s->joint_q[0] - atan2(y, x), pi/2);
    w->value[0] = fmax(w->value[0], fabs(off)/largest_play(hypot(x, y)));
}

static void a_wheel_goes_a_quarter_for_each_turn_of_its_crank(void **state)
{
    (void)state;
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *w = machine("geneva", k, watch_wheel);
        CHECK(w->value[0] > 0.9 && w->value[0] < (k == RIGID ? 1.0001 : 1.05));  // of the play
        CHECK_NEAR(w->value[1], (45 - 180)*pi/180, 1.1*largest_play(0.06*sqrt(0.5)));
        free(w);
    }
}

// ---- latch: 1.5 m/s lift the bolt, 0.9 m/s do not (1.02 m/s without friction). Caught, the gate has 6 mm of play.

static void a_gate_is_caught_if_it_lifts_the_bolt(void **state)
{
    (void)state;
    for (int k = COMPLIANT; k <= RIGID; k++) {
        Watch *fast = machine("latch", k, NULL),
              *slow = machine_with("latch", "joints.rail.distance_rate=0.9m/s", k, NULL);
        CHECK(fast->joint_q[0] > 0.044 - 1e-6 && fast->joint_q[0] < 0.05 + 1e-6);
        CHECK(slow->joint_q[0] < -0.1 && slow->joint_v[0] < -0.5);
        CHECK_NEAR(fast->joint_q[1], -0.5e-3, 1e-6);  // 49 N on a stop of 1e8 N/m
        free(fast);
        free(slow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parcel_gets_the_speed_of_its_belt),
        cmocka_unit_test(a_follower_does_not_leave_its_cam),
        cmocka_unit_test(a_nut_slides_down_its_ramp),
        cmocka_unit_test(a_hexagon_walks_down_at_its_own_pace),
        cmocka_unit_test(a_mechanism_keeps_what_its_stop_leaves_it),
        cmocka_unit_test(an_arm_leans_on_a_wall),
        cmocka_unit_test(a_wheel_goes_a_quarter_for_each_turn_of_its_crank),
        cmocka_unit_test(a_gate_is_caught_if_it_lifts_the_bolt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
