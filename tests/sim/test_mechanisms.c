// Mechanisms in time: pendulums and tops against integrations of their own equations, limits, drives, contacts of
// jointed bodies, and the ledger of it all. How tolerances come about: watch.h.
#include "watch.h"

static void double_pendulum_follows_its_equations(void **state)
{
    (void)state;
    const double until = 10, tolerance = 1e-10;
    Scene s = double_pendulum_scene(until, tolerance);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    CHECK_NEAR(w->energy_drift/w->most_kinetic, 0, 1e-8);
    double y[4], G = growth(double_pendulum_rhs, NULL, 4, until, 10000, pendulum_start);
    memcpy(y, pendulum_start, sizeof y);
    gauss_legendre(double_pendulum_rhs, NULL, 4, 0, until, 10000, y);
    double allowed = (double)w->record.stats.steps*tolerance*G;
    CHECK(allowed < 1e-4);  // or the comparison says nothing
    CHECK_NEAR(w->joint_q[0], y[0], allowed);
    CHECK_NEAR(w->joint_q[1], y[1] - y[0], allowed);
    CHECK_NEAR(w->joint_v[0], y[2], 10*allowed);
    CHECK_NEAR(w->joint_v[1], y[3] - y[2], 10*allowed);
    CHECK_NEAR(w->record.last.time, until, 0);
    free(w);
    carom_model_destroy(model);
}

// ---- free top

static void top_rhs(double t, const double *y, double *dy, const void *context)
{
    (void)t;
    const double *I = context;
    dy[0] = (I[1] - I[2])*y[1]*y[2]/I[0];
    dy[1] = (I[2] - I[0])*y[2]*y[0]/I[1];
    dy[2] = (I[0] - I[1])*y[0]*y[1]/I[2];
}

static const double top_moments[3] = { 0.01, 0.02, 0.03 };

typedef struct TopStart { caromVec3 momentum; double energy; } TopStart;

static TopStart top_state(caromPose X, caromSpatial V)
{
    caromVec3 w = carom_tmul(X.R, V.angular), L = carom_vec(top_moments[0]*w.x, top_moments[1]*w.y, top_moments[2]*w.z);
    return (TopStart){ carom_mul(X.R, L), 0.5*carom_dot(w, L) };
}

static void watch_top(Watch *w, const caromSample *s)
{
    const TopStart *start = w->context;
    caromQuat q = s->q_WB[0];
    caromPose X = s->X_WB[0];
    TopStart now = top_state(X, s->V_WB[0]);
    CHECK_NEAR(sqrt(q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z), 1, 1e-12);
    CHECK_VEC(carom_quat_matrix(q).cx, X.R.cx, 1e-14);
    CHECK_NEAR(now.energy, start->energy, 1e-8*start->energy);
    CHECK_VEC(now.momentum, start->momentum, 1e-8*carom_norm(start->momentum));
    CHECK_NEAR(s->energy.kinetic, now.energy, 1e-13*start->energy);
    double spin = carom_dot(X.R.cy, s->V_WB[0].angular);
    if (spin*w->value[0] < 0) w->turns++;
    w->value[0] = spin;
}

// About the middle axis a top turns over and over. Its energy and momentum are kept for want of any force.
static void racket_flips_and_keeps_its_momentum(void **state)
{
    (void)state;
    const double until = 10, tolerance = 1e-10;
    caromQuat q = carom_quat_normalized((caromQuat){ 0.8, 0.1, -0.4, 0.3 });
    caromVec3 w_B = carom_vec(0.02, 5, 0.01);
    Scene s = scene_begin();
    s.settings.until = until;
    s.settings.tolerance = tolerance;
    s.settings.gravity = carom_vec(0, 0, 0);
    caromBodyDef def = carom_model_body_def("racket");
    def.mass = 1;
    def.com = carom_vec(0, 0, 0);
    def.inertia = carom_mat_diagonal(top_moments[0], top_moments[1], top_moments[2]);
    def.q_WB = q;
    def.w_WB = carom_mul(carom_quat_matrix(q), w_B);
    scene_add(&s, &def);
    caromModel *model = scene_end(&s);
    TopStart start = top_state((caromPose){ carom_quat_matrix(q), { 0, 0, 0 } },
                               (caromSpatial){ def.w_WB, { 0, 0, 0 } });
    Watch *w = watch_completed(model, watch_top, &start);
    // Leaves the axis as exp(5/sqrt(3) t): ln(2*5/0.023)/(5/sqrt 3) = 2.1 s to the first, twice that between two.
    CHECK(w->turns == 2);
    double y[3] = { w_B.x, w_B.y, w_B.z }, G = growth(top_rhs, top_moments, 3, until, 10000, y);
    gauss_legendre(top_rhs, top_moments, 3, 0, until, 10000, y);
    double allowed = (double)w->record.stats.steps*tolerance*5*G;
    CHECK(allowed < 1e-3);
    CHECK_VEC(carom_tmul(w->record.last_X[0].R, w->record.last_V[0].angular), carom_vec(y[0], y[1], y[2]), allowed);
    free(w);
    carom_model_destroy(model);
}

// ---- floating

// Without forces from outside the momentum of a chain that floats stays what it is, and so does its moment about the
// origin.
static caromSpatial momentum_of(const caromModel *model, const caromSample *s)
{
    caromSpatial sum = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int k = 0; k < s->nbody; k++) {
        caromMassProps mass = carom_model_body_mass(model, (caromBodyId){ k });
        caromPose X = s->X_WB[k];
        caromVec3 c = carom_mul(X.R, mass.com), v = carom_point_velocity(s->V_WB[k], c),
                  w = carom_tmul(X.R, s->V_WB[k].angular);
        caromVec3 p = carom_scale(mass.mass, v), spin = carom_mul(X.R, carom_mul(mass.inertia, w));
        sum.linear = carom_add(sum.linear, p);
        sum.angular = carom_add(sum.angular, carom_add(spin, carom_cross(carom_add(X.p, c), p)));
    }
    return sum;
}

static void watch_momentum(Watch *w, const caromSample *s)
{
    caromSpatial P = momentum_of(w->context, s);
    const double now[6] = { P.angular.x, P.angular.y, P.angular.z, P.linear.x, P.linear.y, P.linear.z };
    if (w->record.nsample == 0) memcpy(w->value, now, sizeof now);
    for (int i = 0; i < 6; i++) w->worst = fmax(w->worst, fabs(now[i] - w->value[i]));
}

static void floating_chain_keeps_its_momentum(void **state)
{
    (void)state;
    Random r = { 17 };
    Scene s = scene_begin();
    s.settings.until = 5;
    s.settings.tolerance = 1e-10;
    s.settings.gravity = carom_vec(0, 0, 0);
    const char *names[4] = { "a", "b", "c", "d" };
    const caromJointKind kinds[3] = { CAROM_JOINT_SPHERICAL, CAROM_JOINT_REVOLUTE, CAROM_JOINT_UNIVERSAL };
    for (int i = 0; i < 4; i++) {
        caromMassProps mass = random_mass(&r);
        caromBodyDef def = carom_model_body_def(names[i]);
        def.mass = mass.mass, def.com = mass.com, def.inertia = mass.inertia;
        if (i == 0)
            def.p_WB = carom_vec(1, 2, 3), def.v_WB = carom_vec(0.3, -0.2, 0.5), def.w_WB = carom_vec(1, -2, 0.5),
                def.q_WB = random_quat(&r);
        scene_add(&s, &def);
    }
    for (int i = 0; i < 3; i++) {
        char name[] = { 'j', (char)('0' + i), 0 };
        caromJointDef j = carom_model_joint_def(name, kinds[i]);
        random_joint(&r, (Recipe){ 0 }, &j);
        j.body[0] = names[i], j.body[1] = names[i + 1];
        if (i > 0) j.damping[0] = 0.3, j.stiffness[0] = 2;  // inner forces
        add_joint(&s, j);
    }
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_momentum, model);
    double size = 0;
    for (int i = 0; i < 6; i++) size = fmax(size, fabs(w->value[i]));
    CHECK_NEAR(w->worst/size, 0, (double)w->record.stats.steps*1e-10*10);  // ten bodies' worth of tolerances in a sum
    free(w);
    carom_model_destroy(model);
}

// ---- forces and the ledger

// y = (angle, rate, dissipated, supplied) of a damped and driven pendulum.
typedef struct Driven { double I, mgl, d, k, rest, amplitude, frequency; } Driven;

static void driven_pendulum_rhs(double t, const double *y, double *dy, const void *context)
{
    const Driven *p = context;
    double torque = p->amplitude*sin(2*pi*p->frequency*t);
    dy[0] = y[1];
    dy[1] = (-p->mgl*cos(y[0]) - p->d*y[1] - p->k*(y[0] - p->rest) + torque)/p->I;
    dy[2] = p->d*y[1]*y[1];
    dy[3] = torque*y[1];
}

static void ledger_has_the_integrals_of_power(void **state)
{
    (void)state;
    const Driven p = { 1.0/3, 0.5*g, 0.2, 1.5, -1, 2, 0.6 };
    const double until = 5, tolerance = 1e-10;
    Scene s = scene_begin();
    s.settings.until = until;
    s.settings.tolerance = tolerance;
    add_bar(&s, "bar", 1, 1);
    caromJointDef j = hinge("hinge", "world", carom_vec(0, 0, 0), "bar", carom_vec(0, 0, 0), -0.5, 0.7);
    j.damping[0] = p.d, j.stiffness[0] = p.k, j.rest[0] = p.rest;
    j.drive = CAROM_DRIVE_FORCE;
    j.drive_function.kind = CAROM_FUNCTION_SINE;
    j.drive_function.amplitude = p.amplitude, j.drive_function.frequency = p.frequency;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    double y[4] = { -0.5, 0.7, 0, 0 }, G = growth(driven_pendulum_rhs, &p, 2, until, 5000, y);
    gauss_legendre(driven_pendulum_rhs, &p, 4, 0, until, 5000, y);
    double allowed = (double)w->record.stats.steps*tolerance*G, scale = w->record.stats.energy_scale;
    CHECK(allowed < 1e-5);
    CHECK_NEAR(w->joint_q[0], y[0], allowed);
    CHECK_NEAR(w->joint_v[0], y[1], 10*allowed);
    caromEnergy e = w->record.last.energy;
    CHECK_NEAR(e.joints, y[2], 10*allowed*scale);
    CHECK_NEAR(e.supplied, y[3], 10*allowed*scale);
    CHECK_NEAR(e.springs, 0.5*p.k*(y[0] - p.rest)*(y[0] - p.rest), 10*allowed*scale);
    CHECK_NEAR(e.kinetic, 0.5*p.I*y[1]*y[1], 10*allowed*scale);
    CHECK_NEAR(e.potential, p.mgl*(sin(y[0]) - sin(-0.5)), 10*allowed*scale);
    CHECK(fabs(e.imbalance) < 1e-8*scale);
    free(w);
    carom_model_destroy(model);
}

static void watch_ledger(Watch *w, const caromSample *s)
{
    const caromEnergy *e = &s->energy;
    double sum = e->kinetic + e->potential + e->elastic + e->springs + e->damping + e->friction + e->rolling +
                 e->joints - e->supplied;
    if (w->record.nsample == 0) w->value[0] = sum;
    CHECK_NEAR(e->imbalance, sum - w->value[0], 1e-10*(1 + fabs(sum)));
    w->worst = fmax(w->worst, fabs(sum - w->value[0]));
    CHECK(e->joints >= w->value[1] - 1e-9);  // dissipation has one direction
    CHECK(e->springs >= -1e-12);
    w->value[1] = e->joints;
    w->value[2] = fmax(w->value[2], fabs(e->supplied));
}

// Damping, friction, springs of joints, a spring and damper on a line to a table that is moved, and a torque that
// drives.
static void ledger_balances_with_everything_in_it(void **state)
{
    (void)state;
    Scene s = double_pendulum_scene(5, 1e-9);
    add_body(&s, "table", 3, carom_vec(0, 0, 0), carom_mat_diagonal(0.1, 0.1, 0.1));
    add_bar(&s, "flail", 0.5, 0.5);
    caromJointDef shaker = slide("shaker", "world", "table", carom_vec(1, 0, 0), NAN, NAN);
    shaker.drive = CAROM_DRIVE_MOTION;
    shaker.drive_function.kind = CAROM_FUNCTION_SINE;
    shaker.drive_function.value = 1, shaker.drive_function.amplitude = 0.3, shaker.drive_function.frequency = 0.8;
    add_joint(&s, shaker);
    caromJointDef j = hinge("wrist", "lower", carom_vec(1, 0, 0), "flail", carom_vec(0, 0, 0), 0.4, 1);
    j.damping[0] = 0.05, j.friction[0] = 0.1, j.stiffness[0] = 2, j.rest[0] = 0.3;
    j.drive = CAROM_DRIVE_FORCE;
    j.drive_function.kind = CAROM_FUNCTION_SINE;
    j.drive_function.amplitude = 0.5, j.drive_function.frequency = 1.1;
    add_joint(&s, j);
    caromSpringDef spring = carom_model_spring_def("cord");
    spring.body[0] = "table", spring.body[1] = "flail";
    spring.p[0] = carom_vec(0, 0.5, 1), spring.p[1] = carom_vec(0.5, 0, 0);
    spring.stiffness = 20, spring.damping = 0.5;
    carom_builder_spring(s.builder, &spring);
    caromForceDef wind = carom_model_force_def("wind", "lower");
    wind.force[0].value = 0.7;
    carom_builder_force(s.builder, &wind);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_ledger, NULL);
    CHECK(w->value[1] > 0.1 && w->value[2] > 0.1);  // there was something to balance
    CHECK_NEAR(w->worst/w->record.stats.energy_scale, 0, 1e-7);
    CHECK(fabs(w->record.stats.largest_imbalance) < 1e-7*w->record.stats.energy_scale);
    free(w);
    carom_model_destroy(model);
}

static void watch_rotor(Watch *w, const caromSample *s)
{
    CHECK(s->joint_v[0] > -1e-3);  // friction stops, it does not turn back
    if (s->time <= 1.5) w->worst = fmax(w->worst, fabs(s->joint_v[0] - (2 - s->time)));
}

// I w' = -1 with I = 1, from 2 rad/s: stops after 2 s. The law is regularised below 0.01 rad/s; at 0.5 rad/s and more,
// fifty times that, it is at most (1/50)^2 away from Coulomb's for any smooth law with the right limit.
static void dry_friction_stops_a_rotor(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 4;
    s.settings.tolerance = 1e-8;
    add_body(&s, "rotor", 1, carom_vec(0, 0, 0), carom_mat_diagonal(1, 1, 1));
    caromJointDef j = hinge("axle", "world", carom_vec(0, 0, 0), "rotor", carom_vec(0, 0, 0), 0, 2);
    j.friction[0] = 1;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_rotor, NULL);
    CHECK_NEAR(w->worst, 0, 1.5/2500);
    CHECK(fabs(w->joint_v[0]) < 1e-2);
    CHECK_NEAR(w->joint_q[0], 2, 0.02);  // w0^2/2, and what the soft end adds: 0.01 rad/s for a second
    CHECK_NEAR(w->record.last.energy.joints, 2, 1e-4);
    free(w);
    carom_model_destroy(model);
}

// A bar hangs by its end on a small free body, and friction of the hinge holds: it feels little of the bar, whose lever
// is long, and brakes the small one at 3 M/(w_small I), I = 1e-4 kg m^2. At 3e6/s an explicit method would take a
// million steps for the second.
static void stuck_hinge_between_free_bodies_takes_long_steps(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 1;
    s.settings.tolerance = 1e-4;
    add_body(&s, "knob", 0.1, carom_vec(0, 0, 0), carom_mat_diagonal(1e-4, 1e-4, 1e-4));
    add_bar(&s, "bar", 1, 1);
    caromJointDef j = hinge("hinge", "knob", carom_vec(0, 0, 0), "bar", carom_vec(0, 0, 0), 0, 1);
    j.friction[0] = 1;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    CHECK(fabs(w->joint_v[0]) < 1e-2);
    CHECK(w->record.stats.steps < 1000);
    free(w);
    carom_model_destroy(model);
}

// Motion that is prescribed: the work done is the integral of the torque of inverse dynamics. The second bar's motion
// from its own equation, y = (b, b', work); bars as above, a(t) from the x axis.
static void carried_bar_rhs(double t, const double *y, double *dy, const void *context)
{
    Jet a = function_jet(context, t);
    double C = 0.5*cos(a.f - y[0]), S = 0.5*sin(a.f - y[0]);
    double ddb = (-C*a.s + S*a.d*a.d - 0.5*g*cos(y[0]))*3;
    dy[0] = y[1];
    dy[1] = ddb;
    dy[2] = (4.0/3*a.s + C*ddb + S*y[1]*y[1] + 1.5*g*cos(a.f))*a.d;
}

static void prescribed_motion_does_the_work_of_its_torque(void **state)
{
    (void)state;
    const double until = 5, tolerance = 1e-10;
    Scene s = scene_begin();
    s.settings.until = until;
    s.settings.tolerance = tolerance;
    add_bar(&s, "upper", 1, 1);
    add_bar(&s, "lower", 1, 1);
    caromJointDef shoulder = hinge("shoulder", "world", carom_vec(0, 0, 0), "upper", carom_vec(0, 0, 0), NAN, NAN);
    shoulder.drive = CAROM_DRIVE_MOTION;
    shoulder.drive_function.kind = CAROM_FUNCTION_SINE;
    shoulder.drive_function.value = -1.2, shoulder.drive_function.amplitude = 0.5,
        shoulder.drive_function.frequency = 0.5, shoulder.drive_function.phase = 0.3;
    Jet a = function_jet(&shoulder.drive_function, 0);
    double y[3] = { -0.9, 0.4, 0 };
    add_joint(&s, shoulder);
    add_joint(&s, hinge("elbow", "upper", carom_vec(1, 0, 0), "lower", carom_vec(0, 0, 0), y[0] - a.f, y[1] - a.d));
    caromModel *model = scene_end(&s);
    CHECK(carom_model_joint(model, 0).is_driven && !carom_model_joint(model, 1).is_driven);
    Watch *w = watch_completed(model, NULL, NULL);
    double G = growth(carried_bar_rhs, &shoulder.drive_function, 2, until, 5000, y);
    gauss_legendre(carried_bar_rhs, &shoulder.drive_function, 3, 0, until, 5000, y);
    a = function_jet(&shoulder.drive_function, until);
    double allowed = (double)w->record.stats.steps*tolerance*G;
    CHECK(allowed < 1e-4);
    CHECK_NEAR(w->joint_q[0], a.f, 1e-14);
    CHECK_NEAR(w->joint_v[0], a.d, 1e-14);
    CHECK_NEAR(w->joint_q[1], y[0] - a.f, allowed);
    CHECK_NEAR(w->record.last.energy.supplied, y[2], 10*allowed*w->record.stats.energy_scale);
    CHECK(fabs(w->record.last.energy.imbalance) < 1e-8*w->record.stats.energy_scale);
    free(w);
    carom_model_destroy(model);
}

// ---- limits

static void watch_limits(Watch *w, const caromSample *s)
{
    w->value[0] = fmin(w->value[0], s->joint_q[0]);
    w->value[1] = fmax(w->value[1], s->joint_q[0]);
}

// A rotor between two stops at -0.5 and 0.5 rad: each rebound at 0.6 of the speed. It cannot turn further than the
// spring that would take all of its energy, w sqrt(I/k).
static void rotor_rebounds_from_its_limits(void **state)
{
    (void)state;
    const double e = 0.6, stiffness = 1e4;
    Scene s = scene_begin();
    s.settings.until = 3;
    s.settings.tolerance = 1e-8;
    s.settings.every = 1e-3;
    add_body(&s, "rotor", 1, carom_vec(0, 0, 0), carom_mat_diagonal(1, 1, 1));
    caromJointDef j = hinge("axle", "world", carom_vec(0, 0, 0), "rotor", carom_vec(0, 0, 0), 0, 2);
    j.lower[0] = -0.5, j.upper[0] = 0.5;
    j.limit_stiffness = stiffness;
    j.limit_restitution = e;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_limits, NULL);
    const Record *r = &w->record;
    assert_int_equal(r->nevent, 6);
    assert_int_equal(r->stats.events[CAROM_EVENT_LIMIT], 3);
    assert_int_equal(r->stats.events[CAROM_EVENT_LIMIT_LEFT], 3);
    double speed = 2;
    for (int i = 0; i < 3; i++) {
        const caromEvent *hit = &r->events[2*i], *left = &r->events[2*i + 1];
        assert_int_equal(hit->kind, CAROM_EVENT_LIMIT);
        assert_int_equal(left->kind, CAROM_EVENT_LIMIT_LEFT);
        assert_int_equal(hit->about.kind, CAROM_SUBJECT_LIMIT);
        assert_int_equal(hit->about.limit.joint, 0);
        assert_int_equal(hit->about.limit.coordinate, 0);
        CHECK_NEAR(hit->touch.speed, speed, 1e-6*2);
        CHECK_NEAR(left->separation.approach_speed, hit->touch.speed, 1e-12);
        CHECK_NEAR(left->separation.asked_restitution, e, 1e-6);  // 100 times w_small: no regularisation left
        CHECK_NEAR(left->separation.restitution, e, 1e-6);
        CHECK_NEAR(left->separation.speed, e*speed, 1e-6*2);
        CHECK_NEAR(left->separation.duration, left->time - hit->time, 1e-12);
        speed *= e;
    }
    CHECK_NEAR(r->events[0].time, 0.25, 1e-9);
    CHECK(w->value[1] > 0.5 && w->value[1] < 0.5 + 2*sqrt(1/stiffness));
    CHECK(w->value[0] < -0.5 && w->value[0] > -0.5 - 2*e*sqrt(1/stiffness));
    CHECK_NEAR(r->last.energy.joints + r->last.energy.kinetic, 2, 1e-6);
    free(w);
    carom_model_destroy(model);
}

// Let go at the horizontal, stopped at the vertical: it arrives with w^2 = 2 m g c/I = 3 g/l, rebounds by 0.5, and
// rises to a quarter of its height, sin a = -1 + 0.25.
static void pendulum_rebounds_from_a_stop(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.tolerance = 1e-8;
    s.settings.until = 1.5;
    s.settings.every = 1e-3;
    add_bar(&s, "bar", 1, 1);
    caromJointDef j = hinge("hinge", "world", carom_vec(0, 0, 0), "bar", carom_vec(0, 0, 0), 0, 0);
    j.lower[0] = -0.5*pi;
    j.limit_stiffness = 1e6;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_limits, NULL);
    const Record *r = &w->record;
    CHECK(r->nevent >= 2);
    CHECK_NEAR(r->events[0].touch.speed, sqrt(3*g), 1e-6*sqrt(3*g));
    // Weight during the contact: its moment m g c sin(depth) against k depth is 5e-6.
    CHECK_NEAR(r->events[1].separation.restitution, 0.5, 1e-4);
    CHECK(w->value[0] > -0.5*pi - sqrt(3*g)*sqrt(1.0/3/1e6));
    free(w);
    carom_model_destroy(model);
}

static void watch_rise(Watch *w, const caromSample *s)
{
    if (s->time > w->value[2]) w->value[1] = fmax(w->value[1], s->joint_q[0]);
}

// A weight on a vertical slide bounces on its lower limit, higher by e^2 each time less, and lies still at last where
// the spring carries it.
static void weight_comes_to_rest_on_a_limit(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.tolerance = 1e-8;
    s.settings.until = 3;
    add_body(&s, "weight", 2, carom_vec(0, 0, 0), carom_mat_diagonal(0.1, 0.1, 0.1));
    caromJointDef j = slide("guide", "world", "weight", carom_vec(0, 0, 1), 0.5, 0);
    j.lower[0] = 0;
    j.limit_stiffness = 1e5;
    j.limit_restitution = 0.4;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_rise, NULL);
    const Record *r = &w->record;
    CHECK_NEAR(r->events[0].time, sqrt(2*0.5/g), 1e-9);
    CHECK_NEAR(r->events[0].touch.speed, sqrt(2*0.5*g), 1e-8);
    CHECK_NEAR(w->joint_q[0], -2*g/1e5, 1e-6);
    CHECK(fabs(w->joint_v[0]) < 1e-3);
    CHECK(fabs(r->last.energy.imbalance) < 1e-6*r->stats.energy_scale);
    free(w);
    carom_model_destroy(model);
}

// Rods of millimetres on a limit of the usual stiffness ring ten million times a second: what stays there is taken for
// rest, and costs some hundred steps. The upper rod is carried by a lighter one, so that its limit feels less inertia
// than the rod has by itself.
static void small_rods_rest_on_their_limits(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 2;
    s.settings.tolerance = 1e-8;
    for (int i = 0; i < 2; i++) {
        caromShapeDef shape = carom_model_shape_def(carom_shape_box(i ? 4e-3 : 1e-3, 1e-3, 1e-3));
        caromBodyDef rod = scene_body(i ? "upper" : "lower", "steel", &shape);
        scene_add(&s, &rod);
    }
    for (int i = 0; i < 2; i++) {
        caromJointDef j = carom_model_joint_def(i ? "elbow" : "hinge", CAROM_JOINT_REVOLUTE);
        if (i) j.body[0] = "lower";
        j.body[1] = i ? "upper" : "lower";
        j.q[0] = j.q[1] = carom_quat_axis_angle(carom_vec(1, 0, 0), -0.5*pi);  // turns about y
        j.p[0] = carom_vec(i ? 1e-3 : 0, 0, 0);
        j.p[1] = carom_vec(-3e-3, 0, 0);
        j.upper[0] = i ? 0.3 : 0.2;
        carom_builder_joint(s.builder, &j);
    }
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    print_message("%lld steps, imbalance %g\n", (long long)r->stats.steps,
                  r->stats.largest_imbalance/r->stats.energy_scale);
    CHECK(r->stats.steps < 40000);  // before they rest; a million in each 0.1 s were it not for that
    CHECK_NEAR(r->stats.largest_imbalance, 0.0, 10*1e-8*r->stats.energy_scale);
    free(r);
    carom_model_destroy(model);
}

// Thrown up so that it would rise 1e-4 m above its limit, for 9 ms in a flight of a second that one step could cover.
// Nothing is stepped over, at no tolerance.
static void grazed_limit_is_found(void **state)
{
    (void)state;
    for (double tolerance = 1e-3; tolerance > 0.9e-9; tolerance *= 1e-2) {
        Scene s = scene_begin();
        s.settings.tolerance = tolerance;
        s.settings.until = 0.9;
        add_body(&s, "weight", 2, carom_vec(0, 0, 0), carom_mat_diagonal(0.1, 0.1, 0.1));
        caromJointDef j = slide("guide", "world", "weight", carom_vec(0, 0, 1), 0, 5);
        double top = 25/(2*g), late = sqrt(2*1e-4/g);
        j.upper[0] = top - 1e-4;
        j.limit_stiffness = 1e4;
        j.limit_restitution = 1;
        add_joint(&s, j);
        caromModel *model = scene_end(&s);
        Watch *w = watch_completed(model, NULL, NULL);
        const Record *r = &w->record;
        assert_int_equal(r->nevent, 2);
        // Free fall is exact for the method; the root is where rounding of some eps in 1.3 m at 0.044 m/s leaves it.
        CHECK_NEAR(r->events[0].time, 5/g - late, 1e-12);
        CHECK_NEAR(r->events[0].touch.speed, g*late, 1e-10);
        // Spring and weight are conservative: it comes back as fast as it went (44 v_small: nothing of e is regularised
        // away), after t = 2/w atan(v w/g), w^2 = k/m, from x = v/w sin(w t) - g/w^2 (1 - cos(w t)).
        double rate = sqrt(1e4/2), duration = 2/rate*atan(g*late*rate/g);
        CHECK_NEAR(r->events[1].separation.restitution, 1, 10*tolerance + 1e-6);
        CHECK_NEAR(r->events[1].separation.duration, duration, (10*tolerance + 1e-6)*duration);
        free(w);
        carom_model_destroy(model);
    }
}

// At any tolerance, a fast rotor between close stops with e = 1 stays between them and keeps its energy.
static void fast_rotor_stays_between_its_limits(void **state)
{
    (void)state;
    for (double tolerance = 1e-3; tolerance > 0.9e-9; tolerance *= 1e-2) {
        Scene s = scene_begin();
        s.settings.tolerance = tolerance;
        s.settings.until = 0.2;
        s.settings.every = 1e-4;
        add_body(&s, "rotor", 1, carom_vec(0, 0, 0), carom_mat_diagonal(1, 1, 1));
        caromJointDef j = hinge("axle", "world", carom_vec(0, 0, 0), "rotor", carom_vec(0, 0, 0), 0, 100);
        j.lower[0] = -0.1, j.upper[0] = 0.1;
        j.limit_stiffness = 1e8;
        j.limit_restitution = 1;
        add_joint(&s, j);
        caromModel *model = scene_end(&s);
        Watch *w = watch_completed(model, watch_limits, NULL);
        double depth = 100*sqrt(1/1e8);  // 0.01
        CHECK(w->value[1] < 0.1 + depth*(1 + 100*tolerance) && w->value[0] > -0.1 - depth*(1 + 100*tolerance));
        // Between stops 0.2/100 s, in a stop half a period of the spring: pi sqrt(I/k).
        int expected = (int)((0.2 - 0.001)/(0.002 + pi*1e-4)) + 1;
        CHECK(abs((int)w->record.stats.events[CAROM_EVENT_LIMIT] - expected) <= 1);
        // Some ninety rebounds, each with its error.
        CHECK_NEAR((w->record.last.energy.kinetic + w->record.last.energy.springs)/5000, 1, 400*tolerance);
        free(w);
        carom_model_destroy(model);
    }
}

// ---- corner cases

// Nothing moves but what is moved: there are no coordinates at all.
static void model_without_freedom_runs(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 1;
    add_body(&s, "table", 2, carom_vec(0, 0, 0), carom_mat_diagonal(0.1, 0.1, 0.1));
    add_body(&s, "plate", 1, carom_vec(0, 0, 0), carom_mat_diagonal(0.1, 0.1, 0.1));
    caromJointDef j = slide("shaker", "world", "table", carom_vec(0, 0, 1), NAN, NAN);
    j.drive = CAROM_DRIVE_MOTION;
    j.drive_function.kind = CAROM_FUNCTION_SINE;
    j.drive_function.amplitude = 0.1, j.drive_function.frequency = 0.7;
    add_joint(&s, j);
    caromJointDef weld = carom_model_joint_def("weld", CAROM_JOINT_FIXED);
    weld.body[0] = "table", weld.body[1] = "plate";
    weld.p[0] = carom_vec(0, 0, 0.5);
    add_joint(&s, weld);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    CHECK_NEAR(w->record.last.time, 1, 0);
    Jet f = function_jet(&j.drive_function, 1);
    CHECK_NEAR(w->record.last_X[1].p.z, 0.5 + f.f, 1e-14);
    CHECK_NEAR(w->record.last_V[1].linear.z, f.d, 1e-14);
    // Work of the drive: what kinetic and potential energy have gained.
    Jet f0 = function_jet(&j.drive_function, 0);
    CHECK_NEAR(w->record.last.energy.supplied, 0.5*3*(f.d*f.d - f0.d*f0.d) + 3*g*(f.f - f0.f), 1e-5);
    free(w);
    carom_model_destroy(model);
}

// Cardan angles fail where the middle one is a right angle. The run says so, or gets through; it does not give a wrong
// answer: a free body without forces keeps its angular velocity about its axis of symmetry.
static void gimbal_lock_is_not_a_wrong_answer(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 3;
    s.settings.gravity = carom_vec(0, 0, 0);
    add_body(&s, "ball", 1, carom_vec(0, 0, 0), carom_mat_diagonal(0.1, 0.1, 0.1));
    caromJointDef j = carom_model_joint_def("cardan", CAROM_JOINT_FREE_CARDAN);
    j.body[1] = "ball";
    j.position[3] = 0.3, j.velocity[4] = 1;  // turns about y' until that is a right angle
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_run(model, NULL, NULL);
    if (w->record.status == CAROM_OK) {
        CHECK_VEC(w->record.last_V[0].angular, carom_vec(0, cos(0.3), sin(0.3)), 1e-4);
    } else {
        assert_int_equal(w->record.status, CAROM_ERR_NUMERIC);
        CHECK(strstr(w->record.error.where, "cardan") || strstr(w->record.error.message, "cardan") ||
              strstr(w->record.error.where, "ball") || strstr(w->record.error.message, "ball"));
    }
    free(w);
    carom_model_destroy(model);
}

// ---- contacts of jointed bodies

static const double shake = 0.01, shake_frequency = 5;

static void watch_table(Watch *w, const caromSample *s)
{
    double rate = 2*pi*shake_frequency;
    w->worst = fmax(w->worst, fabs(s->X_WB[0].p.z - shake*sin(rate*s->time)));
    w->worst = fmax(w->worst, fabs(s->V_WB[0].linear.z - shake*rate*cos(rate*s->time)));
}

// A ball on a table that is moved up and down. The first touch is where free fall meets the motion of the table. A
// collision lasts 1e-4 s; gravity and the table's own acceleration change the relative speed in that time by no more
// than their product with it, on the way in and on the way out.
static void ball_bounces_on_a_vibrating_table(void **state)
{
    (void)state;
    const double e = 0.8, radius = 0.02, drop = 0.2, rate = 2*pi*shake_frequency;
    Scene s = scene_begin();
    s.settings.tolerance = 1e-8;
    s.settings.until = 1.5;
    scene_pair(&s, "steel", "steel", e, 0.3, 0);
    scene_box(&s, "table", "steel", carom_vec(1, 1, 0.1), carom_vec(0, 0, 0), carom_quat_identity(), carom_vec(0, 0, 0),
              carom_vec(0, 0, 0));
    scene_ball(&s, "ball", "steel", radius, carom_vec(0.1, 0.05, 0.05 + radius + drop), carom_vec(0, 0, 0));
    caromJointDef j = slide("shaker", "world", "table", carom_vec(0, 0, 1), NAN, NAN);
    j.drive = CAROM_DRIVE_MOTION;
    j.drive_function.kind = CAROM_FUNCTION_SINE;
    j.drive_function.amplitude = shake, j.drive_function.frequency = shake_frequency;
    add_joint(&s, j);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_table, NULL);
    const Record *r = &w->record;
    CHECK_NEAR(w->worst, 0, 1e-12);
    double t = sqrt(2*drop/g);
    for (int i = 0; i < 50; i++) t -= (drop - 0.5*g*t*t - shake*sin(rate*t))/(-g*t - shake*rate*cos(rate*t));
    CHECK(r->nevent >= 4);
    CHECK_NEAR(r->events[0].time, t, 1e-9);
    CHECK_NEAR(r->events[0].touch.speed, g*t + shake*rate*cos(rate*t), 1e-7);
    for (int i = 0; i < r->nevent; i++) {
        const caromEvent *left = &r->events[i];
        if (left->kind != CAROM_EVENT_SEPARATION || left->separation.approach_speed < 0.1) continue;
        const caromSeparationEvent *end = &left->separation;
        CHECK_NEAR(end->restitution, e, 2*(g + shake*rate*rate)*end->duration/end->approach_speed + 1e-6);
    }
    CHECK(fabs(r->last.energy.supplied) > 1e-3);
    CHECK(r->stats.largest_imbalance < 1e-5*r->stats.energy_scale);
    free(w);
    carom_model_destroy(model);
}

// A ball on a rod swings against a wall at its lowest point. There its velocity is along the normal and weight has no
// moment, so the rebound is as asked but for the way that it goes in, a part depth/length = 1e-4 of second order.
static void pendulum_hits_a_wall(void **state)
{
    (void)state;
    const double e = 0.7, radius = 0.1, length = 1, mass = 2, moment = 0.05, start = -2.2;
    Scene s = scene_begin();
    s.settings.tolerance = 1e-8;
    s.settings.until = 1;
    scene_pair(&s, "steel", "steel", e, 0, 0);
    caromShapeDef ball = carom_model_shape_def((caromShape){ CAROM_SPHERE, { radius, 0, 0 } }),
                  wall = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    ball.p_BS = carom_vec(length, 0, 0);
    caromBodyDef body = scene_body("bob", "steel", &ball);
    body.mass = mass, body.com = carom_vec(length, 0, 0), body.inertia = carom_mat_diagonal(moment, moment, moment);
    scene_add(&s, &body);
    // Its outer normal, z of the shape, along -x: the pendulum comes from the left.
    wall.q_BS = carom_quat_axis_angle(carom_vec(0, 1, 0), -0.5*pi);
    wall.p_BS = carom_vec(radius, 0, 0);
    caromBodyDef fixed = scene_body("wall", "steel", &wall);
    fixed.fixed = true;
    scene_add(&s, &fixed);
    add_joint(&s, hinge("hinge", "world", carom_vec(0, 0, 0), "bob", carom_vec(0, 0, 0), start, 0));
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    const Record *r = &w->record;
    assert_int_equal(r->nevent, 2);
    double speed = length*sqrt(2*mass*g*length*(1 + sin(start))/(moment + mass*length*length));
    CHECK_NEAR(r->events[0].touch.speed, speed, 1e-6*speed);
    CHECK_VEC(r->events[0].p_W, carom_vec(radius, 0, -length), 1e-6);
    CHECK_NEAR(r->events[1].separation.restitution, e, 1e-4);
    // And the energy it has left takes it e^2 of the height.
    double total = r->last.energy.kinetic + r->last.energy.potential, lost = (1 - e*e)*mass*g*length*(1 + sin(start));
    CHECK_NEAR(total, w->first_energy - lost, 2e-4*lost);
    CHECK(fabs(r->last.energy.imbalance) < 1e-6*r->stats.energy_scale);
    free(w);
    carom_model_destroy(model);
}

// A ball on a rail along the floor that it is pressed into: the rail holds it along the normal, where it would weigh
// infinitely much, or 1e31 kg by rounding. Its own mass counts, also for how stiff friction is.
static void rail_along_a_floor_does_not_make_a_ball_heavy(void **state)
{
    (void)state;
    const double angles[] = { 0, 0.3, 1.1 }, r = 0.05;
    for (int i = 0; i < 3; i++) {
        Scene s = scene_begin();
        s.settings.until = 0.5;
        scene_material(&s, "stuff", 1000, 1e8, 0.3);
        scene_pair(&s, "stuff", "stuff", 0.5, 0.3, 0);
        caromShapeDef plane = carom_model_shape_def(carom_shape_half_space()),
                      sphere = carom_model_shape_def(carom_shape_sphere(r));
        caromBodyDef floor = scene_body("floor", "stuff", &plane), ball = scene_body("ball", "stuff", &sphere);
        floor.fixed = true;
        floor.q_WB = carom_quat_axis_angle(carom_vec(0, 1, 0), angles[i]);
        scene_add(&s, &floor);
        scene_add(&s, &ball);
        caromJointDef rail = carom_model_joint_def("rail", CAROM_JOINT_PRISMATIC);
        rail.body[1] = "ball";
        rail.touch = true;
        rail.velocity[0] = 1;
        rail.q[0] = rail.q[1] = carom_quat_axis_angle(carom_vec(0, 1, 0), angles[i] + 0.5*pi);
        rail.p[0] = carom_scale(r - 1e-4, carom_vec(sin(angles[i]), 0, cos(angles[i])));
        carom_builder_joint(s.builder, &rail);
        caromModel *model = scene_end(&s);
        caromExpectation expected;
        assert_int_equal(carom_sim_expect(model, 0, &expected, NULL), CAROM_OK);
        CHECK_NEAR(expected.mass, 4.0/3.0*pi*r*r*r*1000, 1e-9);
        Record *run = scene_run(model);
        expect_completed(run);
        CHECK(run->stats.steps < 200);
        free(run);
        carom_model_destroy(model);
    }
}

// ---- same bits

static void same_bits_twice(void **state)
{
    (void)state;
    CHECK(hash_of(double_pendulum_scene(2, 1e-8)) == hash_of(double_pendulum_scene(2, 1e-8)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum_follows_its_equations),
        cmocka_unit_test(racket_flips_and_keeps_its_momentum),
        cmocka_unit_test(floating_chain_keeps_its_momentum),
        cmocka_unit_test(ledger_has_the_integrals_of_power),
        cmocka_unit_test(ledger_balances_with_everything_in_it),
        cmocka_unit_test(dry_friction_stops_a_rotor),
        cmocka_unit_test(stuck_hinge_between_free_bodies_takes_long_steps),
        cmocka_unit_test(prescribed_motion_does_the_work_of_its_torque),
        cmocka_unit_test(rotor_rebounds_from_its_limits),
        cmocka_unit_test(pendulum_rebounds_from_a_stop),
        cmocka_unit_test(weight_comes_to_rest_on_a_limit),
        cmocka_unit_test(small_rods_rest_on_their_limits),
        cmocka_unit_test(grazed_limit_is_found),
        cmocka_unit_test(fast_rotor_stays_between_its_limits),
        cmocka_unit_test(model_without_freedom_runs),
        cmocka_unit_test(gimbal_lock_is_not_a_wrong_answer),
        cmocka_unit_test(ball_bounces_on_a_vibrating_table),
        cmocka_unit_test(pendulum_hits_a_wall),
        cmocka_unit_test(rail_along_a_floor_does_not_make_a_ball_heavy),
        cmocka_unit_test(same_bits_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
