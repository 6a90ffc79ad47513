// The rebound of an impact that nothing else disturbs is the restitution that was asked for, whatever stiffness,
// exponent, speed, masses and joints; and every other damping gives what its own equation gives. Written from theory: m
// d'' = -K d^n (1 + c d') separates, so that
//
//     (1 + e) u = ln((1 + u)/(1 - e u)),   u = c v0
//
// for any K, n, m. What is left is the error of the integration: some tolerances of v0, of a rebound of e v0. Runs
// are at tolerance 1e-8 and are asked for 1e-6, also where e = 0.01: there the way out is so slow that errors of the
// way in have died away.
#include "scene.h"

typedef struct Worst {  // the largest relative error of many, and whose
    double error;
    char label[160];
    int count;
} Worst;

static void worst_of(Worst *w, double measured, double expected, double allowed, const char *label)
{
    double error = fabs(measured/expected - 1);
    w->count++;
    if (!(error <= w->error)) {
        w->error = error;
        snprintf(w->label, sizeof w->label, "%s: %.12g for %.12g", label, measured, expected);
    }
    if (!(error <= allowed))
        print_error("%s: %.12g for %.12g, off by %.3g > %.3g\n", label, measured, expected, error, allowed);
}

static void expect_worst(const Worst *w, double allowed, const char *what)
{
    print_message("%s: %d impacts, worst %.2g (%s)\n", what, w->count, w->error, w->label);
    if (!(w->error <= allowed)) fail_msg("%s: off by %.3g > %.3g", what, w->error, allowed);
}

// ---- theory

static double impact_excess(double e, double u) { return (1 + e)*u - log1p(u) + log1p(-e*u); }

// u of a restitution: between u ~ 3(1 - e)/(2 e...) and the pole 1/e; excess is positive for small u (e < 1) and
// -infinity at the pole.
static double theory_number(double e)
{
    double low = 1e-12, high = 1/e*(1 - 1e-16);
    for (int i = 0; i < 200; i++) {
        double mid = 0.5*(low + high);
        if (impact_excess(e, mid) > 0) low = mid; else high = mid;
    }
    return 0.5*(low + high);
}

// e of u: excess is positive for e below the root.
static double theory_rebound(double u)
{
    double low = 0, high = fmin(1, 1/u*(1 - 1e-16));
    for (int i = 0; i < 200; i++) {
        double mid = 0.5*(low + high);
        if (impact_excess(mid, u) > 0) low = mid; else high = mid;
    }
    return 0.5*(low + high);
}

// Depth of an undamped impact: K d^(n+1)/(n+1) = m v^2/2.
static double stiffness_for(double depth, double n, double m, double v) { return 0.5*(n + 1)*m*v*v/pow(depth, n + 1); }
static double depth_for(double K, double n, double m, double v) { return pow(0.5*(n + 1)*m*v*v/K, 1/(n + 1)); }

// ---- runs

typedef struct Shot {
    double e, v, n, K;      // K: NaN: Hertz from E
    double E;
    double m, m_other;      // m_other: NaN: a wall
    double R;
    double depth;           // expected
    double tolerance;
    caromDamping damping;
    double coefficient, damping_depth;
    const char *over_speed;  // restitution as a formula; e is then what it gives at v
    bool has_table;          // or as points
    const char *law;
    const caromParameter *parameters;
    int nparameter;
    caromLawFunction function;
    void *user;
} Shot;

static Shot shot_def(void)
{
    Shot s = { 0 };
    s.e = 0.5;
    s.v = 1;
    s.n = 1.5;
    s.E = 1e9;
    s.m = 1;
    s.m_other = NAN;
    s.R = 0.05;
    s.K = NAN;
    s.tolerance = 1e-8;
    s.damping = CAROM_DAMPING_EXACT;
    s.coefficient = s.damping_depth = NAN;
    return s;
}

static const double table_speeds[] = { 1, 10 }, table_values[] = { 0.8, 0.35 };

static Scene shot_scene(const Shot *shot)
{
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.tolerance = shot->tolerance;
    scene_material(&s, "stuff", 1000, shot->E, 0.3);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.restitution = shot->e;
    pair.friction = 0;
    if (shot->over_speed || shot->has_table) pair.restitution = NAN;
    pair.restitution_law = shot->over_speed;
    pair.restitution_speeds = shot->has_table ? table_speeds : NULL;
    pair.restitution_values = shot->has_table ? table_values : NULL;
    pair.nrestitution = shot->has_table ? 2 : 0;
    if (shot->law) {
        pair.law = shot->law;
        pair.parameters = shot->parameters;
        pair.nparameter = shot->nparameter;
    } else if (shot->function) {
        pair.law_function = shot->function;
        pair.law_user = shot->user;
    } else {
        pair.stiffness = shot->K;
        if (!isnan(shot->K)) pair.exponent = shot->n;
        pair.damping = shot->damping;
        pair.damping_coefficient = shot->coefficient;
        pair.damping_depth = shot->damping_depth;
    }
    carom_builder_pair(s.builder, &pair);
    return s;
}

static void shot_ball(Scene *s, const char *name, double R, double m, double z, double v)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { R, 0, 0 } });
    caromBodyDef def = scene_body(name, "stuff", &shape);
    def.mass = m;
    def.p_WB = carom_vec(0, 0, z);
    def.v_WB = carom_vec(0, 0, v);
    scene_add(s, &def);
}

// Long enough: on its way out a strongly damped body moves at about e v, over the depth.
static double time_for(double gap, double depth, double e, double v) { return gap/v + 20*depth/v + 10*depth/(e*v); }

// The measured rebound of the only impact of a scene.
static double only_rebound(Scene *s)
{
    caromModel *model = scene_end(s);
    Record *r = scene_run(model);
    expect_completed(r);
    double e = NAN;
    if (r->nevent == 2 && r->events[1].kind == CAROM_EVENT_SEPARATION) e = r->events[1].separation.restitution;
    else print_error("%d events instead of touch and separation\n", r->nevent);
    free(r);
    carom_model_destroy(model);
    return e;
}

// A ball against a wall or another ball that comes to meet it.
static double shot_rebound(const Shot *shot)
{
    Scene s = shot_scene(shot);
    double gap = 0.1*shot->R;
    s.settings.until = time_for(gap, shot->depth, shot->e, shot->v);
    if (isnan(shot->m_other)) {
        scene_floor(&s, "stuff");
        shot_ball(&s, "ball", shot->R, shot->m, shot->R + gap, -shot->v);
    } else {
        shot_ball(&s, "other", shot->R, shot->m_other, -shot->R, 0.25*shot->v);
        shot_ball(&s, "ball", shot->R, shot->m, shot->R + gap, -0.75*shot->v);
    }
    return only_rebound(&s);
}

// ---- exact damping

static const double asked[] = { 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99 };
static const double speeds[] = { 0.1, 1, 10, 100 };
#define COUNT(a) ((int)(sizeof (a)/sizeof *(a)))

static void a_ball_and_a_wall(void **state)
{
    (void)state;
    const double depths[] = { 0.2, 1e-3, 1e-5 };  // of the radius: soft, stiff, harder than steel
    Worst worst = { 0 };
    for (int in = 0; in < 2; in++)
        for (int id = 0; id < COUNT(depths); id++)
            for (int iv = 0; iv < COUNT(speeds); iv++)
                for (int ie = 0; ie < COUNT(asked); ie++) {
                    Shot shot = shot_def();
                    shot.n = in ? 1.5 : 1;
                    shot.e = asked[ie];
                    shot.v = speeds[iv];
                    shot.depth = depths[id]*shot.R;
                    shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
                    char label[120];
                    snprintf(label, sizeof label, "n = %g, e = %g, v = %g, depth %g R", shot.n, shot.e, shot.v,
                             depths[id]);
                    worst_of(&worst, shot_rebound(&shot), shot.e, 1e-6, label);
                }
    expect_worst(&worst, 1e-6, "K and n given");
}

static void restitution_over_speed(void **state)
{
    (void)state;
    Worst worst = { 0 };
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 8; i++) {
            Shot shot = shot_def();
            shot.v = 0.5*pow(2, i);
            shot.over_speed = k ? NULL : "0.9*(1 + v/2)^-0.2";
            shot.has_table = k;
            shot.e = k ? fmax(0.35, fmin(0.8, 0.8 - 0.05*(shot.v - 1))) : 0.9*pow(1 + 0.5*shot.v, -0.2);
            shot.depth = 1e-3*shot.R;
            shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
            char label[120];
            snprintf(label, sizeof label, "%s, v = %g", k ? "table" : "formula", shot.v);
            worst_of(&worst, shot_rebound(&shot), shot.e, 1e-6, label);
        }
    expect_worst(&worst, 1e-6, "restitution over speed");
}

static void hertz_from_rubber_foam_to_steel(void **state)
{
    (void)state;
    const double E[] = { 1e5, 1e6, 1e8, 210e9 };
    Worst worst = { 0 };
    int at_speed[4] = { 0 };
    for (int i = 0; i < COUNT(E); i++)
        for (int iv = 0; iv < COUNT(speeds); iv++)
            for (int ie = 0; ie < COUNT(asked); ie++) {
                Shot shot = shot_def();
                shot.E = E[i];
                shot.e = asked[ie];
                shot.v = speeds[iv];
                shot.m = i == 3 ? 4.1 : 0.05;
                double K = 4.0/3.0*0.5*E[i]/(1 - 0.09)*sqrt(shot.R);
                shot.depth = depth_for(K, 1.5, shot.m, shot.v);
                if (shot.depth > 0.25*shot.R) continue;  // beyond what the law is made for
                at_speed[iv]++;
                char label[120];
                snprintf(label, sizeof label, "E = %g, e = %g, v = %g", E[i], shot.e, shot.v);
                worst_of(&worst, shot_rebound(&shot), shot.e, 1e-6, label);
            }
    for (int iv = 0; iv < 4; iv++) CHECK(at_speed[iv] >= 8);
    expect_worst(&worst, 1e-6, "Hertz");
}

static void two_balls_of_very_different_mass(void **state)
{
    (void)state;
    const double ratios[] = { 1, 1e3, 1e6 };
    Worst worst = { 0 };
    for (int in = 0; in < 2; in++)
        for (int i = 0; i < COUNT(ratios); i++)
            for (int swap = 0; swap < 2; swap++)
                for (int ie = 0; ie < COUNT(asked); ie++) {
                    Shot shot = shot_def();
                    shot.n = in ? 1.5 : 1;
                    shot.e = asked[ie];
                    shot.m = swap ? ratios[i] : 1;
                    shot.m_other = swap ? 1 : ratios[i];
                    double reduced = shot.m*shot.m_other/(shot.m + shot.m_other);
                    shot.depth = 1e-3*shot.R;
                    shot.K = stiffness_for(shot.depth, shot.n, reduced, shot.v);
                    char label[120];
                    snprintf(label, sizeof label, "n = %g, masses %g and %g, e = %g", shot.n, shot.m_other, shot.m,
                             shot.e);
                    worst_of(&worst, shot_rebound(&shot), shot.e, 1e-6, label);
                }
    expect_worst(&worst, 1e-6, "two balls");
}

// After an impact far from time 0 the state is where the clock says: from the separation on the ball flies at the speed
// that the event has. Time is known to a few roundings of 1 s, position to some of 0.5 m.
static void clock_and_state_agree_after_an_impact(void **state)
{
    (void)state;
    double worst = 0;
    for (double tolerance = 1e-4; tolerance > 0.5e-12; tolerance *= 0.1)
        for (int i = 0; i < 24; i++) {
            Shot shot = shot_def();
            shot.tolerance = tolerance;
            shot.n = i % 2 ? 1.5 : 1;
            shot.e = asked[2 + i/2 % 6];
            shot.depth = (i < 12 ? 1e-3 : 0.1)*shot.R;
            shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
            Scene s = shot_scene(&shot);
            scene_floor(&s, "stuff");
            shot_ball(&s, "ball", shot.R, shot.m, shot.R + 1, -shot.v);
            s.settings.until = 1.5;
            caromModel *model = scene_end(&s);
            Record *r = scene_run(model);
            expect_completed(r);
            assert_int_equal(r->nevent, 2);
            double ends = shot.R + r->events[1].separation.speed*(1.5 - r->events[1].time);
            double off = fabs(r->last_X[1].p.z - ends);
            worst = fmax(worst, off);
            if (!(off < 1e-14))
                fail_msg("n = %g, e = %g, tolerance %g: the ball is %.3g m from where it should be", shot.n, shot.e,
                         tolerance, off);
            free(r);
            carom_model_destroy(model);
        }
    print_message("clock and state: off by %.1e m at most\n", worst);
}

// ---- joints

static const caromMat3 small_inertia = { { 1e-3, 0, 0 }, { 0, 1e-3, 0 }, { 0, 0, 1e-3 } };

// A ball of radius R fixed to a body of its own mass properties, at p_BS.
static void add_bob(Scene *s, const char *name, double R, caromVec3 p_BS, double m, caromVec3 com)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { R, 0, 0 } });
    shape.p_BS = p_BS;
    caromBodyDef def = scene_body(name, "stuff", &shape);
    def.mass = m;
    def.com = com;
    def.inertia = small_inertia;
    scene_add(s, &def);
}

// z of the joint along the world's y.
static caromQuat axis_y(void) { return carom_quat_axis_angle(carom_vec(1, 0, 0), -acos(0)); }

static void add_hinge(Scene *s, const char *name, const char *a, const char *b, caromVec3 p_a, caromVec3 p_b,
                      double angle, double rate)
{
    caromJointDef j = carom_model_joint_def(name, CAROM_JOINT_REVOLUTE);
    j.body[0] = a;
    j.body[1] = b;
    j.p[0] = p_a;
    j.p[1] = p_b;
    j.q[0] = j.q[1] = axis_y();
    j.position[0] = angle;
    j.velocity[0] = rate;
    carom_builder_joint(s->builder, &j);
}

static void a_slider(void **state)
{
    (void)state;
    Worst worst = { 0 };
    for (int in = 0; in < 2; in++)
        for (int ie = 0; ie < COUNT(asked); ie++) {
            Shot shot = shot_def();
            shot.n = in ? 1.5 : 1;
            shot.e = asked[ie];
            shot.depth = 1e-3*shot.R;
            shot.m = 3;
            shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
            Scene s = shot_scene(&shot);
            scene_floor(&s, "stuff");
            add_bob(&s, "slider", shot.R, carom_vec(0.2, 0, -0.1), shot.m, carom_vec(0, 0, 0));
            caromJointDef j = carom_model_joint_def("rail", CAROM_JOINT_PRISMATIC);
            j.body[1] = "slider";
            j.position[0] = 0.1 + 1.1*shot.R;
            j.velocity[0] = -shot.v;
            carom_builder_joint(s.builder, &j);
            s.settings.until = time_for(0.1*shot.R, shot.depth, shot.e, shot.v);
            char label[120];
            snprintf(label, sizeof label, "n = %g, e = %g", shot.n, shot.e);
            worst_of(&worst, only_rebound(&s), shot.e, 1e-6, label);
        }
    expect_worst(&worst, 1e-6, "slider");
}

// An arm of length L with a ball at its end meets the floor when it makes the angle `lean` with it. With depth d = L
// (sin lean - sin q) and v = L cos(lean) q', m v dv = -K d^n (1 + c v cos q/cos lean) dd: the law of the free ball with
// a damping that is between c (1 - r) and c (1 + r), where r = |cos q/cos lean - 1| <= tan(lean) turn + turn^2/2,
// turn = depth/(L cos lean). e falls with the damping.
static double arm_slack(const Shot *shot, double L, double lean)
{
    double turn = 1.5*shot->depth/(L*cos(lean)), r = tan(lean)*turn + turn*turn, u = theory_number(shot->e);
    return (theory_rebound(u*(1 - r)) - theory_rebound(u*(1 + r)))/shot->e;
}

static void a_ball_on_an_arm(void **state)
{
    (void)state;
    const double leans[] = { 0, 0.7 }, L = 1;
    Worst worst = { 0 };
    for (int il = 0; il < 2; il++)
        for (int in = 0; in < 2; in++)
            for (int ie = 0; ie < COUNT(asked); ie++) {
                Shot shot = shot_def();
                double lean = leans[il];
                shot.n = in ? 1.5 : 1;
                shot.e = asked[ie];
                shot.m = 2;
                shot.depth = il ? 1e-8 : 1e-5;
                double inertia = shot.m*L*L + 1e-3, m = inertia/(L*L*cos(lean)*cos(lean)), rate = shot.v/(L*cos(lean));
                shot.K = stiffness_for(shot.depth, shot.n, m, shot.v);
                Scene s = shot_scene(&shot);
                scene_floor(&s, "stuff");
                add_bob(&s, "arm", shot.R, carom_vec(L, 0, 0), shot.m, carom_vec(L, 0, 0));
                // Turning about y lifts x for negative angles: the tip is at z = z0 - L sin(angle).
                double start = 1e-3;
                add_hinge(&s, "hinge", NULL, "arm", carom_vec(0, 0, shot.R + L*sin(lean)), carom_vec(0, 0, 0),
                          lean - start, rate);
                s.settings.until = 2*start/rate + time_for(0, shot.depth, shot.e, shot.v);
                double allowed = 1e-6 + arm_slack(&shot, L, lean);
                char label[120];
                snprintf(label, sizeof label, "lean %g, n = %g, e = %g", lean, shot.n, shot.e);
                worst_of(&worst, only_rebound(&s), shot.e, allowed, label);
            }
    expect_worst(&worst, 2e-6, "arm");
}

// Two arms in a line, turning about the first hinge as one; a ball in the middle of the second meets the floor. During
// the impact the line bends by some w T (T its duration, w its rates): the mass along the normal and the centrifugal
// forces along it change by (w T)^2.
static void a_double_pendulum_hit_in_the_middle(void **state)
{
    (void)state;
    Worst worst = { 0 };
    for (int in = 0; in < 2; in++)
        for (int ie = 0; ie < COUNT(asked); ie++) {
            Shot shot = shot_def();
            shot.n = in ? 1.5 : 1;
            shot.e = asked[ie];
            shot.depth = 1e-6;
            shot.K = stiffness_for(shot.depth, shot.n, 1, shot.v);  // the mass along the normal is something like 1 kg
            Scene s = shot_scene(&shot);
            scene_floor(&s, "stuff");
            caromShapeDef looks = carom_model_shape_def((caromShape){ CAROM_SPHERE, { 0.01, 0, 0 } });
            looks.touches = false;
            caromBodyDef first = scene_body("first", "stuff", &looks);
            first.mass = 1;
            first.com = carom_vec(0.5, 0, 0);
            first.inertia = carom_mat_diagonal(0.01, 1.0/12, 1.0/12);
            scene_add(&s, &first);
            caromShapeDef bob = carom_model_shape_def((caromShape){ CAROM_SPHERE, { shot.R, 0, 0 } });
            bob.p_BS = carom_vec(0.5, 0, 0);
            caromBodyDef second = scene_body("second", "stuff", &bob);
            second.mass = 1;
            second.com = carom_vec(0.4, 0, 0);
            second.inertia = carom_mat_diagonal(0.01, 1.0/12, 1.0/12);
            scene_add(&s, &second);
            double rate = shot.v/1.5, start = 1e-4;
            add_hinge(&s, "shoulder", NULL, "first", carom_vec(0, 0, shot.R), carom_vec(0, 0, 0), -start, rate);
            add_hinge(&s, "elbow", "first", "second", carom_vec(1, 0, 0), carom_vec(0, 0, 0), 0, 0);
            s.settings.until = 1.5*start/rate + time_for(0, shot.depth, shot.e, shot.v);
            double turn = (20 + 10/shot.e)*shot.depth;  // rates are some 1/s
            char label[120];
            snprintf(label, sizeof label, "n = %g, e = %g", shot.n, shot.e);
            worst_of(&worst, only_rebound(&s), shot.e, 1e-6 + turn*turn/shot.e, label);
        }
    expect_worst(&worst, 2e-6, "double pendulum");
}

// ---- other dampings

static void other_dampings_give_their_own_rebound(void **state)
{
    (void)state;
    Worst worst = { 0 };
    for (int kind = 0; kind < 7; kind++)
        for (int in = 0; in < 2; in++)
            for (int ie = 0; ie < COUNT(asked); ie++) {
                Shot shot = shot_def();
                double e = asked[ie], u = 0;
                shot.e = e;
                shot.v = 2;
                switch (kind) {
                case 0: shot.damping = CAROM_DAMPING_FLORES; u = 1.6*(1 - e)/e; break;
                case 1: shot.damping = CAROM_DAMPING_ENGELSON_FRACTION; u = (1 - e)/e; break;
                case 2: shot.damping = CAROM_DAMPING_MARHEFKA_ORIN; u = 1.5*(1 - e); break;
                case 3:
                    shot.damping = CAROM_DAMPING_MARHEFKA_ORIN;
                    shot.coefficient = 1.1*(1 - e);
                    u = 1.5*shot.coefficient*shot.v;
                    break;
                case 4:
                    shot.damping = CAROM_DAMPING_GIVEN;
                    shot.coefficient = 0.8/e - 0.5;
                    u = shot.coefficient*shot.v;
                    break;
                // A fit: as good as its numbers.
                case 5:
                    shot.damping = CAROM_DAMPING_ENGELSON_CUBIC;
                    u = carom_damping_number(CAROM_DAMPING_ENGELSON_CUBIC, e);
                    break;
                default: shot.damping = CAROM_DAMPING_NONE; break;
                }
                double expected = u > 0 ? theory_rebound(u) : 1;
                shot.n = in ? 1.5 : 1;
                shot.depth = 1e-3*shot.R;
                shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
                char label[120];
                snprintf(label, sizeof label, "%s, n = %g, e = %g", carom_model_damping_name(shot.damping), shot.n, e);
                worst_of(&worst, shot_rebound(&shot), expected, 1e-6, label);
                if (shot.damping < CAROM_DAMPING_GIVEN && kind != 3)
                    CHECK_NEAR(carom_damping_number(shot.damping, e), u, 1e-12*u);
            }
    expect_worst(&worst, 1e-6, "other dampings");
}

// The equation of motion m d'' = -F(d, d') by the classical Runge-Kutta method, from first touch to d = 0; the rebound
// ratio.
typedef struct Law { double K, n, c, full; } Law;

static double depth_law(const Law *law, double d, double v)
{
    double x = fmin(1, fmax(0, d/law->full));
    return d > 0 ? fmax(0, law->K*pow(d, law->n) + law->c*x*x*(3 - 2*x)*v) : 0;
}

static double integrated_rebound(const Law *law, double m, double v0, double h)
{
    double d = 0, v = v0;
    for (;;) {
        double kd[4], kv[4], dd = d, vv = v;
        for (int i = 0; i < 4; i++) {
            kd[i] = vv;
            kv[i] = -depth_law(law, dd, vv)/m;
            double s = i < 2 ? h/2 : h;
            dd = d + s*kd[i];
            vv = v + s*kv[i];
        }
        double d_new = d + h/6*(kd[0] + 2*kd[1] + 2*kd[2] + kd[3]), v_new = v + h/6*(kv[0] + 2*kv[1] + 2*kv[2] + kv[3]);
        if (d_new <= 0) return -(v + (v_new - v)*d/(d - d_new))/v0;
        d = d_new;
        v = v_new;
    }
}

static void damping_by_depth_rebounds_as_its_equation_says(void **state)
{
    (void)state;
    // Of m w; of the depth.
    const double exponents[] = { 1, 1.5, 2.2 }, strengths[] = { 0.1, 0.5, 2 }, fulls[] = { 0.1, 0.5, 3 };
    Worst worst = { 0 };
    for (int in = 0; in < 3; in++)
        for (int is = 0; is < 3; is++)
            for (int id = 0; id < 3; id++) {
                Shot shot = shot_def();
                shot.n = exponents[in];
                shot.depth = 1e-3*shot.R;
                shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
                shot.damping = CAROM_DAMPING_DEPTH;
                // Steps go over the ends of the damper's step and over where the force is cut off at 0.
                shot.tolerance = 1e-9;
                shot.coefficient = strengths[is]*shot.m*shot.v/shot.depth;
                shot.damping_depth = fulls[id]*shot.depth;
                Law law = { shot.K, shot.n, shot.coefficient, shot.damping_depth };
                double unit = shot.depth/shot.v, coarse = integrated_rebound(&law, shot.m, shot.v, 4e-5*unit);
                double expected = integrated_rebound(&law, shot.m, shot.v, 2e-5*unit);
                CHECK_NEAR(coarse, expected, 2e-7*expected);
                shot.e = expected;
                char label[120];
                snprintf(label, sizeof label, "n = %g, c = %g m v/depth, full at %g depth", shot.n, strengths[is],
                         fulls[id]);
                worst_of(&worst, shot_rebound(&shot), expected, 1e-6, label);
            }
    expect_worst(&worst, 1e-6, "damping by depth");
}

static double hunt_crossley(void *user, double d, double v)
{
    const Law *law = user;
    return law->K*pow(d, law->n)*(1 + law->c*v);
}

static void a_law_of_ones_own_is_as_good_as_the_built_in(void **state)
{
    (void)state;
    Worst worst = { 0 };
    for (int in = 0; in < 2; in++)
        for (int ie = 1; ie < COUNT(asked); ie++) {
            Shot shot = shot_def();
            shot.e = asked[ie];
            shot.n = in ? 1.5 : 1;
            shot.v = 2;
            shot.depth = 1e-3*shot.R;
            shot.K = stiffness_for(shot.depth, shot.n, shot.m, shot.v);
            Law law = { shot.K, shot.n, theory_number(shot.e)/shot.v, 0 };
            char label[120];
            snprintf(label, sizeof label, "n = %g, e = %g", shot.n, shot.e);
            Shot with_function = shot, with_text = shot;
            with_function.function = hunt_crossley;
            with_function.user = &law;
            caromParameter parameters[] = { { "k", law.K }, { "n", law.n }, { "c", law.c } };
            with_text.law = "k*d^n*(1 + c*v)";
            with_text.parameters = parameters;
            with_text.nparameter = 3;
            worst_of(&worst, shot_rebound(&with_function), shot.e, 1e-6, label);
            worst_of(&worst, shot_rebound(&with_text), shot.e, 1e-6, label);
        }
    expect_worst(&worst, 1e-6, "own laws");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_and_a_wall),
        cmocka_unit_test(restitution_over_speed),
        cmocka_unit_test(hertz_from_rubber_foam_to_steel),
        cmocka_unit_test(two_balls_of_very_different_mass),
        cmocka_unit_test(clock_and_state_agree_after_an_impact),
        cmocka_unit_test(a_slider),
        cmocka_unit_test(a_ball_on_an_arm),
        cmocka_unit_test(a_double_pendulum_hit_in_the_middle),
        cmocka_unit_test(other_dampings_give_their_own_rebound),
        cmocka_unit_test(damping_by_depth_rebounds_as_its_equation_says),
        cmocka_unit_test(a_law_of_ones_own_is_as_good_as_the_built_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
