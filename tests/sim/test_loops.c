// Closed loops in time: linkages that stay closed and move as their one degree of freedom says, redundant and not,
// assembled and refused. How tolerances come about: watch.h.
#include "watch.h"

// ---- loops with one degree of freedom
//
// Everything follows from the crank's angle f: T = J(f) f'^2/2, V(f), so f' = sqrt(2 (E - V)/J), and the time of a turn
// is an integral that the trapezoidal rule finds to rounding, the integrand being periodic.

typedef struct Link { double angle, rate; } Link;  // rate: per rate of the crank

typedef struct FourBar { double ground, crank, coupler, rocker; } FourBar;  // lengths = masses
static const FourBar four_bar = { 1.0, 0.4, 1.0, 0.8 };

// Elbow up: the joint of coupler and rocker above the line from the end of the crank to the rocker's bearing.
static void four_bar_at(const FourBar *b, double f, Link *coupler, Link *rocker)
{
    double x = b->ground - b->crank*cos(f), z = -b->crank*sin(f), d = sqrt(x*x + z*z);
    double along = (d*d + b->coupler*b->coupler - b->rocker*b->rocker)/(2*d);
    coupler->angle = atan2(z, x) + acos(along/b->coupler);
    double cx = b->crank*cos(f) + b->coupler*cos(coupler->angle) - b->ground,
           cz = b->crank*sin(f) + b->coupler*sin(coupler->angle);
    rocker->angle = atan2(cz, cx);
    // a e(f)' f' + b e(c)' c' = r e(k)' k', with e' across the bar; projected on the other bar.
    coupler->rate = -b->crank*sin(f - rocker->angle)/(b->coupler*sin(coupler->angle - rocker->angle));
    rocker->rate = b->crank*sin(f - coupler->angle)/(b->rocker*sin(rocker->angle - coupler->angle));
}

static void four_bar_energy(double f, double *J, double *V)
{
    const FourBar *b = &four_bar;
    Link c, k;
    four_bar_at(b, f, &c, &k);
    double a = b->crank, l = b->coupler, r = b->rocker;
    // Speed of the coupler's middle: crank's end and half its own.
    double middle = a*a + 0.25*l*l*c.rate*c.rate + a*l*c.rate*cos(f - c.angle);
    *J = a*a*a/3 + l*(middle + l*l*c.rate*c.rate/12) + r*r*r/3*k.rate*k.rate;
    *V = g*(a*0.5*a*sin(f) + l*(a*sin(f) + 0.5*l*sin(c.angle)) + r*0.5*r*sin(k.angle));
}

// lengths = masses of the bars, mass of the slider
typedef struct SliderCrank { double crank, rod, slider; } SliderCrank;
static const SliderCrank slider_crank = { 0.3, 1.0, 0.5 };

static void slider_crank_at(double f, Link *rod, Link *slider)
{
    const SliderCrank *b = &slider_crank;
    rod->angle = -asin(b->crank*sin(f)/b->rod);
    rod->rate = -b->crank*cos(f)/(b->rod*cos(rod->angle));
    slider->angle = b->crank*cos(f) + b->rod*cos(rod->angle);  // a distance
    slider->rate = -b->crank*sin(f) - b->rod*sin(rod->angle)*rod->rate;
}

static void slider_crank_energy(double f, double *J, double *V)
{
    const SliderCrank *b = &slider_crank;
    Link c, k;
    slider_crank_at(f, &c, &k);
    double a = b->crank, l = b->rod;
    double middle = a*a + 0.25*l*l*c.rate*c.rate + a*l*c.rate*cos(f - c.angle);
    *J = a*a*a/3 + l*(middle + l*l*c.rate*c.rate/12) + b->slider*k.rate*k.rate;
    *V = g*(a*0.5*a*sin(f) + l*(a*sin(f) + 0.5*l*sin(c.angle)));
}

typedef struct OneDegree { void (*energy)(double f, double *J, double *V); double E; } OneDegree;

static void one_degree_rhs(double t, const double *y, double *dy, const void *context)
{
    (void)t;
    const OneDegree *d = context;
    double J, V;
    d->energy(y[0], &J, &V);
    dy[0] = sqrt(2*(d->E - V)/J);
}

// The crank's angle after `until`, from f with rate df; it goes round.
static double one_degree_angle(void (*energy)(double f, double *J, double *V), double f, double df, double until)
{
    OneDegree d = { energy, 0 };
    double J, V, turn = 0;
    energy(f, &J, &V);
    d.E = 0.5*J*df*df + V;
    for (int i = 0; i < 4000; i++) {
        double y = 2*pi*i/4000, rate;
        one_degree_rhs(0, &y, &rate, &d);
        turn += 2*pi/4000/rate;
    }
    double turns = floor(until/turn), y = f;
    gauss_legendre(one_degree_rhs, &d, 1, 0, until - turns*turn, 4000, &y);
    return y + 2*pi*turns;
}

typedef enum Cut { CUT_REVOLUTE, CUT_UNIVERSAL_SPHERICAL } Cut;

// coupler_joint and rocker: off by these angles at the start.
static Scene four_bar_scene(const FourBar *b, double f, double df, double off_coupler, double off_rocker, Cut cut)
{
    Link c, k;
    four_bar_at(b, f, &c, &k);
    Scene s = scene_begin();
    add_bar(&s, "crank", b->crank, b->crank);
    add_bar(&s, "coupler", b->coupler, b->coupler);
    add_bar(&s, "rocker", b->rocker, b->rocker);
    add_joint(&s, hinge("motor", "world", carom_vec(0, 0, 0), "crank", carom_vec(0, 0, 0), f, df));
    caromJointDef pin = hinge("pin", "crank", carom_vec(b->crank, 0, 0), "coupler", carom_vec(0, 0, 0),
                              c.angle - f + off_coupler, df*(c.rate - 1));
    if (cut == CUT_UNIVERSAL_SPHERICAL) {
        // The second axis is that of x of the joint turned to lie across the coupler, in the plane: it lets
        // the coupler out of it.
        pin.kind = CAROM_JOINT_UNIVERSAL;
        caromQuat across = carom_quat_axis_angle(carom_vec(0, 0, 1), 0.5*pi);
        for (int i = 0; i < 2; i++) pin.q[i] = carom_quat_mul(plane_axis(), across);
        pin.position[1] = 0;
        pin.velocity[1] = 0;
    }
    add_joint(&s, pin);
    add_joint(&s, hinge("bearing", "world", carom_vec(b->ground, 0, 0), "rocker", carom_vec(0, 0, 0),
                        k.angle + off_rocker, df*k.rate));
    caromJointDef closing = hinge("closing", "coupler", carom_vec(b->coupler, 0, 0), "rocker",
                                  carom_vec(b->rocker, 0, 0), NAN, NAN);
    if (cut == CUT_UNIVERSAL_SPHERICAL) closing.kind = CAROM_JOINT_SPHERICAL;
    add_joint(&s, closing);
    return s;
}

static void watch_four_bar(Watch *w, const caromSample *s)
{
    w->worst = fmax(w->worst, distance_of(s, 1, carom_vec(four_bar.coupler, 0, 0), 2,
                                          carom_vec(four_bar.rocker, 0, 0)));
    if (w->record.nsample == 0) memcpy(w->value, w->joint_q, 3*sizeof *w->value);
}

// Ends of steps are moved onto the loop; samples lie between them, on a polynomial that is as good as the
// tolerance times the length of a bar: so 1e-10 gives some 1e-10 m. The angle is off by what an error of the
// energy makes of it: 1e-6 of the way.
static void four_bar_stays_closed(void **state)
{
    (void)state;
    const double f = 0.7, df = 6, until = 100;
    Scene s = four_bar_scene(&four_bar, f, df, 0, 0, CUT_REVOLUTE);
    s.settings.until = until;
    s.settings.tolerance = 1e-10;
    s.settings.every = 0.05;
    caromModel *model = scene_end(&s);
    CHECK(carom_model_joint(model, 3).closes_loop && !carom_model_joint(model, 2).closes_loop);
    Watch *w = watch_completed(model, watch_four_bar, NULL);
    CHECK_NEAR(w->worst, 0, 1e-9);
    CHECK_NEAR(w->energy_drift/w->most_kinetic, 0, 1e-6);
    double angle = one_degree_angle(four_bar_energy, f, df, until);
    CHECK(angle > 100);
    CHECK_NEAR(w->joint_q[0], angle, 1e-6*angle);
    free(w);
    carom_model_destroy(model);
}

static void watch_slider_crank(Watch *w, const caromSample *s)
{
    w->worst = fmax(w->worst, distance_of(s, 1, carom_vec(slider_crank.rod, 0, 0), 2, carom_vec(0, 0, 0)));
}

static void slider_crank_stays_closed(void **state)
{
    (void)state;
    const double f = 0.4, df = 8, until = 100;
    const SliderCrank *b = &slider_crank;
    Link c, k;
    slider_crank_at(f, &c, &k);
    Scene s = scene_begin();
    s.settings.until = until;
    s.settings.tolerance = 1e-10;
    s.settings.every = 0.05;
    add_bar(&s, "crank", b->crank, b->crank);
    add_bar(&s, "rod", b->rod, b->rod);
    add_body(&s, "slider", b->slider, carom_vec(0, 0, 0), carom_mat_diagonal(0.01, 0.01, 0.01));
    add_joint(&s, hinge("motor", "world", carom_vec(0, 0, 0), "crank", carom_vec(0, 0, 0), f, df));
    add_joint(&s, hinge("pin", "crank", carom_vec(b->crank, 0, 0), "rod", carom_vec(0, 0, 0), c.angle - f,
                        df*(c.rate - 1)));
    add_joint(&s, slide("guide", "world", "slider", carom_vec(1, 0, 0), k.angle, df*k.rate));
    add_joint(&s, hinge("closing", "rod", carom_vec(b->rod, 0, 0), "slider", carom_vec(0, 0, 0), NAN, NAN));
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_slider_crank, NULL);
    CHECK_NEAR(w->worst, 0, 1e-9);
    CHECK_NEAR(w->energy_drift/w->most_kinetic, 0, 1e-6);
    double angle = one_degree_angle(slider_crank_energy, f, df, until);
    CHECK(angle > 100);
    CHECK_NEAR(w->joint_q[0], angle, 1e-6*angle);
    slider_crank_at(w->joint_q[0], &c, &k);
    CHECK_NEAR(w->joint_q[2], k.angle, 1e-9);
    free(w);
    carom_model_destroy(model);
}

// Three of the five conditions of the last hinge say what the others say already. With a universal joint and a ball
// instead there is nothing twice (5 + 5 + 4 + 3 = 17 conditions for 18 coordinates), and the motion is the same.
static void redundant_loop_moves_as_the_minimal_one(void **state)
{
    (void)state;
    const double tolerance = 1e-10, until = 10;
    Watch *w[2];
    for (int i = 0; i < 2; i++) {
        Scene s = four_bar_scene(&four_bar, 0.7, 6, 0, 0, i == 0 ? CUT_REVOLUTE : CUT_UNIVERSAL_SPHERICAL);
        s.settings.until = until;
        s.settings.tolerance = tolerance;
        caromModel *model = scene_end(&s);
        w[i] = watch_completed(model, watch_four_bar, NULL);
        CHECK_NEAR(w[i]->worst, 0, 1e-9);
        carom_model_destroy(model);
    }
    // One step in error by the tolerance in speed is off by that times the time left at the end.
    double allowed = (double)(w[0]->record.stats.steps + w[1]->record.stats.steps)*tolerance*6*until;
    CHECK(allowed < 1e-4);
    for (int k = 0; k < 3; k++) {
        CHECK_VEC(w[0]->record.last_X[k].p, w[1]->record.last_X[k].p, allowed);
        CHECK_VEC(w[0]->record.last_X[k].R.cx, w[1]->record.last_X[k].R.cx, allowed);
        CHECK_VEC(w[0]->record.last_V[k].angular, w[1]->record.last_V[k].angular, 10*allowed);
    }
    CHECK_NEAR(w[0]->joint_q[0], one_degree_angle(four_bar_energy, 0.7, 6, until), allowed);
    free(w[0]);
    free(w[1]);
}

// Bars of 0.1, 0.3 and 0.3 m do not reach over 1 m: 0.3 m are missing at best.
static void loop_that_cannot_close_is_refused(void **state)
{
    (void)state;
    FourBar apart = { 1.0, 0.1, 0.3, 0.3 };
    Scene s = scene_begin();
    add_bar(&s, "crank", apart.crank, apart.crank);
    add_bar(&s, "coupler", apart.coupler, apart.coupler);
    add_bar(&s, "rocker", apart.rocker, apart.rocker);
    add_joint(&s, hinge("motor", "world", carom_vec(0, 0, 0), "crank", carom_vec(0, 0, 0), 0.3, 0));
    add_joint(&s, hinge("pin", "crank", carom_vec(apart.crank, 0, 0), "coupler", carom_vec(0, 0, 0), 0.1, 0));
    add_joint(&s, hinge("bearing", "world", carom_vec(apart.ground, 0, 0), "rocker", carom_vec(0, 0, 0), 2.5, 0));
    add_joint(&s, hinge("closing", "coupler", carom_vec(apart.coupler, 0, 0), "rocker", carom_vec(apart.rocker, 0, 0),
                        NAN, NAN));
    caromModel *model = scene_end(&s);
    Watch *w = watch_run(model, NULL, NULL);
    assert_int_equal(w->record.status, CAROM_ERR_MODEL);
    CHECK(strstr(w->record.error.where, "closing") != NULL);
    CHECK(strpbrk(w->record.error.message, "0123456789") != NULL);
    CHECK(w->record.nsample == 0);
    free(w);
    carom_model_destroy(model);
}

// The drawing is off by some degrees; Newton's method closes the loop next to it. The way to the nearest closed
// position is at most the gap (0.05 m) over the shortest lever, a few times 0.05 rad.
static void loop_is_assembled_from_rough_angles(void **state)
{
    (void)state;
    Scene s = four_bar_scene(&four_bar, 0.7, 6, 0.03, -0.02, CUT_REVOLUTE);
    s.settings.tolerance = 1e-10;
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_four_bar, NULL);
    Link c, k;
    four_bar_at(&four_bar, 0.7, &c, &k);
    CHECK_NEAR(w->worst, 0, 1e-9);
    CHECK_NEAR(w->value[0], 0.7, 0.2);
    CHECK_NEAR(w->value[1], c.angle - 0.7, 0.2);
    CHECK_NEAR(w->value[2], k.angle, 0.2);
    CHECK_NEAR(w->energy_drift/w->most_kinetic, 0, 1e-6);  // speeds were made consistent before the run, not during it
    free(w);
    carom_model_destroy(model);
}

// ---- a loop instead of a tree

// The tip of the second bar rides on two slides; its hinge to the first bar closes the loop. The carriages weigh 1e-10
// of a bar.
static Scene pendulum_on_slides_scene(double until, double tolerance)
{
    const double *y = pendulum_start;
    double x = cos(y[0]) + cos(y[1]), z = sin(y[0]) + sin(y[1]);
    double dx = -sin(y[0])*y[2] - sin(y[1])*y[3], dz = cos(y[0])*y[2] + cos(y[1])*y[3];
    Scene s = scene_begin();
    s.settings.until = until;
    s.settings.tolerance = tolerance;
    add_bar(&s, "upper", 1, 1);
    add_bar(&s, "lower", 1, 1);
    add_body(&s, "carriage", 1e-10, carom_vec(0, 0, 0), carom_mat_diagonal(1e-12, 1e-12, 1e-12));
    add_body(&s, "cross", 1e-10, carom_vec(0, 0, 0), carom_mat_diagonal(1e-12, 1e-12, 1e-12));
    add_joint(&s, hinge("shoulder", "world", carom_vec(0, 0, 0), "upper", carom_vec(0, 0, 0), y[0], y[2]));
    add_joint(&s, slide("rail", "world", "carriage", carom_vec(1, 0, 0), x, dx));
    add_joint(&s, slide("mast", "carriage", "cross", carom_vec(0, 0, 1), z, dz));
    add_joint(&s, hinge("tip", "cross", carom_vec(0, 0, 0), "lower", carom_vec(1, 0, 0), y[1], y[3]));
    add_joint(&s, hinge("elbow", "upper", carom_vec(1, 0, 0), "lower", carom_vec(0, 0, 0), NAN, NAN));
    return s;
}

static void watch_elbow(Watch *w, const caromSample *s)
{
    w->worst = fmax(w->worst, distance_of(s, 0, carom_vec(1, 0, 0), 1, carom_vec(0, 0, 0)));
}

static void pendulum_on_slides_moves_as_the_open_one(void **state)
{
    (void)state;
    const double until = 5, tolerance = 1e-10;
    Scene open = double_pendulum_scene(until, tolerance), closed = pendulum_on_slides_scene(until, tolerance);
    caromModel *a = scene_end(&open), *b = scene_end(&closed);
    CHECK(carom_model_joint(b, 4).closes_loop);
    Watch *wa = watch_completed(a, watch_elbow, NULL), *wb = watch_completed(b, watch_elbow, NULL);
    CHECK_NEAR(wb->worst, 0, 1e-9);
    for (int k = 0; k < 2; k++) {
        CHECK_VEC(wa->record.last_X[k].p, wb->record.last_X[k].p, 1e-7);
        CHECK_VEC(wa->record.last_X[k].R.cx, wb->record.last_X[k].R.cx, 1e-7);
        CHECK_VEC(wa->record.last_V[k].angular, wb->record.last_V[k].angular, 1e-6);
    }
    free(wa);
    free(wb);
    carom_model_destroy(a);
    carom_model_destroy(b);
}

// From the largest of its components, so that nothing small is divided by.
static caromQuat quat_of(caromMat3 R)
{
    double xx = R.cx.x, yy = R.cy.y, zz = R.cz.z, wx = R.cy.z - R.cz.y, wy = R.cz.x - R.cx.z, wz = R.cx.y - R.cy.x;
    double xy = R.cx.y + R.cy.x, xz = R.cx.z + R.cz.x, yz = R.cy.z + R.cz.y;
    double size[4] = { 1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz };
    int best = 0;
    for (int i = 1; i < 4; i++) if (size[i] > size[best]) best = i;
    const caromQuat rows[4] = { { size[0], wx, wy, wz }, { wx, size[1], xy, xz }, { wy, xy, size[2], yz },
                                { wz, xz, yz, size[3] } };
    return carom_quat_normalized(rows[best]);
}

// A body that flies freely but for a joint that closes a loop moves as the body that this joint carries. The joint is
// on a pendulum, so that both its bodies move.
static void free_body_in_a_loop_moves_as_a_carried_one(void **state)
{
    (void)state;
    const caromJointKind kinds[] = {
        CAROM_JOINT_FIXED, CAROM_JOINT_REVOLUTE, CAROM_JOINT_PRISMATIC, CAROM_JOINT_CYLINDRICAL, CAROM_JOINT_SCREW,
        CAROM_JOINT_UNIVERSAL, CAROM_JOINT_PLANAR, CAROM_JOINT_SPHERICAL
    };
    const double tolerance = 1e-10, until = 1;
    for (size_t i = 0; i < sizeof kinds/sizeof kinds[0]; i++) {
        Random r = { 100 + i };
        Mechanism m = mechanism_begin();
        mechanism_add(&m, -1, CAROM_JOINT_REVOLUTE, random_mass(&r));
        mechanism_add(&m, 0, kinds[i], random_mass(&r));
        for (int k = 0; k < 2; k++) random_joint(&r, (Recipe){ 0 }, &m.joint[k]);
        mechanism_end(&m);
        double q[8], v[8];
        Motion motion[2];
        carom_dyn_start(m.dyn, q, v);
        mechanism_motion(&m, 0, q, v, NULL, motion);
        mechanism_free(&m);
        caromJointDef closing = m.joint[1];
        caromModel *models[2];
        Watch *w[2];
        for (int is_loop = 0; is_loop < 2; is_loop++) {
            if (is_loop) {
                m.parent[1] = -1;
                m.joint[1] = carom_model_joint_def("", CAROM_JOINT_FREE);
                caromQuat a = quat_of(motion[1].X.R);
                caromVec3 w_B = carom_tmul(motion[1].X.R, motion[1].w);
                double position[7] = { motion[1].X.p.x, motion[1].X.p.y, motion[1].X.p.z, a.w, a.x, a.y, a.z };
                double velocity[6] = { motion[1].v.x, motion[1].v.y, motion[1].v.z, w_B.x, w_B.y, w_B.z };
                memcpy(m.joint[1].position, position, sizeof position);
                memcpy(m.joint[1].velocity, velocity, sizeof velocity);
            }
            caromBuilder *b = mechanism_builder(&m);
            if (is_loop) {
                closing.name = "closing";
                closing.body[0] = m.names[0], closing.body[1] = m.names[1];
                for (int n = 0; n < CAROM_JOINT_NQ_MAX; n++) closing.position[n] = NAN;
                for (int n = 0; n < CAROM_JOINT_NV_MAX; n++) closing.velocity[n] = NAN;
                carom_builder_joint(b, &closing);
            }
            caromSettings settings = carom_model_settings_def();
            settings.until = until;
            settings.tolerance = tolerance;
            carom_builder_settings(b, &settings);
            models[is_loop] = finished(b);
            w[is_loop] = watch_completed(models[is_loop], NULL, NULL);
            CHECK_NEAR(w[is_loop]->energy_drift/w[is_loop]->most_kinetic, 0, 1e-8);
        }
        // Growth over a second at rates of some rad/s: below exp(5).
        double allowed = (double)(w[0]->record.stats.steps + w[1]->record.stats.steps)*tolerance*150;
        CHECK(allowed < 1e-4);
        for (int k = 0; k < 2; k++) {
            CHECK_VEC(w[0]->record.last_X[k].p, w[1]->record.last_X[k].p, allowed);
            CHECK_VEC(w[0]->record.last_X[k].R.cx, w[1]->record.last_X[k].R.cx, allowed);
            CHECK_VEC(w[0]->record.last_X[k].R.cy, w[1]->record.last_X[k].R.cy, allowed);
            CHECK_VEC(w[0]->record.last_V[k].angular, w[1]->record.last_V[k].angular, 10*allowed);
        }
        for (int k = 0; k < 2; k++) {
            free(w[k]);
            carom_model_destroy(models[k]);
        }
    }
}

// The crank is moved, the slider follows its formula; the work is the change of energy, for nothing is lost.
static void watch_moved_crank(Watch *w, const caromSample *s)
{
    Jet f = function_jet(w->context, s->time);
    Link c, k;
    slider_crank_at(f.f, &c, &k);
    CHECK_NEAR(s->joint_q[0], f.f, 1e-14);
    CHECK_NEAR(s->joint_q[2], k.angle, 1e-9);
    CHECK_NEAR(s->joint_v[2], k.rate*f.d, 1e-8);
    double J, V;
    slider_crank_energy(f.f, &J, &V);
    if (w->record.nsample == 0) w->value[0] = 0.5*J*f.d*f.d + V;
    // Energies of 20 J, 1e-10 in each of some hundred steps.
    CHECK_NEAR(s->energy.supplied, 0.5*J*f.d*f.d + V - w->value[0], 1e-7*20);
}

static void moved_crank_leads_the_slider(void **state)
{
    (void)state;
    const SliderCrank *b = &slider_crank;
    Link c, k;
    Scene s = scene_begin();
    s.settings.until = 3;
    s.settings.tolerance = 1e-10;
    add_bar(&s, "crank", b->crank, b->crank);
    add_bar(&s, "rod", b->rod, b->rod);
    add_body(&s, "slider", b->slider, carom_vec(0, 0, 0), carom_mat_diagonal(0.01, 0.01, 0.01));
    caromJointDef motor = hinge("motor", "world", carom_vec(0, 0, 0), "crank", carom_vec(0, 0, 0), NAN, NAN);
    motor.drive = CAROM_DRIVE_MOTION;
    motor.drive_function.kind = CAROM_FUNCTION_SINE;
    motor.drive_function.value = 0.5, motor.drive_function.amplitude = 4, motor.drive_function.frequency = 0.4;
    Jet f = function_jet(&motor.drive_function, 0);
    slider_crank_at(f.f, &c, &k);
    add_joint(&s, motor);
    add_joint(&s, hinge("pin", "crank", carom_vec(b->crank, 0, 0), "rod", carom_vec(0, 0, 0), c.angle - f.f,
                        f.d*(c.rate - 1)));
    add_joint(&s, slide("guide", "world", "slider", carom_vec(1, 0, 0), k.angle, f.d*k.rate));
    add_joint(&s, hinge("closing", "rod", carom_vec(b->rod, 0, 0), "slider", carom_vec(0, 0, 0), NAN, NAN));
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_moved_crank, &motor.drive_function);
    free(w);
    carom_model_destroy(model);
}

// Two four-bars in one model that have nothing to do with each other, one of watch size and one of a crane. Both stay
// closed, and each moves as if it were alone.
static void loops_of_very_different_masses_stay_closed(void **state)
{
    (void)state;
    const double mass[2] = { 1e-7, 1e5 };
    const char *const names[2][3] = { { "crank1", "coupler1", "rocker1" }, { "crank2", "coupler2", "rocker2" } };
    const char *const joints[2][4] = { { "motor1", "pin1", "bearing1", "closing1" },
                                       { "motor2", "pin2", "bearing2", "closing2" } };
    Scene s = scene_begin();
    s.settings.until = 2;
    s.settings.tolerance = 1e-10;
    for (int i = 0; i < 2; i++) {
        const FourBar *b = &four_bar;
        Link c, k;
        four_bar_at(b, 0.7, &c, &k);
        add_bar(&s, names[i][0], mass[i]*b->crank, b->crank);
        add_bar(&s, names[i][1], mass[i]*b->coupler, b->coupler);
        add_bar(&s, names[i][2], mass[i]*b->rocker, b->rocker);
        add_joint(&s, hinge(joints[i][0], "world", carom_vec(0, 0, 0), names[i][0], carom_vec(0, 0, 0), 0.7, 6));
        add_joint(&s, hinge(joints[i][1], names[i][0], carom_vec(b->crank, 0, 0), names[i][1], carom_vec(0, 0, 0),
                            c.angle - 0.7, 6*(c.rate - 1)));
        add_joint(&s, hinge(joints[i][2], "world", carom_vec(b->ground, 0, 0), names[i][2], carom_vec(0, 0, 0), k.angle,
                            6*k.rate));
        add_joint(&s, hinge(joints[i][3], names[i][1], carom_vec(b->coupler, 0, 0), names[i][2],
                            carom_vec(b->rocker, 0, 0), NAN, NAN));
    }
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    double allowed = (double)w->record.stats.steps*1e-10*6*2, angle = one_degree_angle(four_bar_energy, 0.7, 6, 2);
    for (int i = 0; i < 2; i++) {
        const caromPose *X = &w->record.last_X[3*i];
        CHECK_VEC(carom_pose_point(X[1], carom_vec(four_bar.coupler, 0, 0)),
                  carom_pose_point(X[2], carom_vec(four_bar.rocker, 0, 0)), 1e-9);
        CHECK_NEAR(w->joint_q[3*i], angle, allowed);
    }
    free(w);
    carom_model_destroy(model);
}

// The same four-bar in other units: lengths and gravity times 1e-6, masses times 1e-12. Angles do not know of it.
static void small_four_bar_moves_as_the_large_one(void **state)
{
    (void)state;
    const double length = 1e-6, mass = 1e-12;
    const FourBar *b = &four_bar;
    Link c, k;
    four_bar_at(b, 0.7, &c, &k);
    Scene s = scene_begin();
    s.settings.until = 2;
    s.settings.tolerance = 1e-10;
    s.settings.gravity = carom_vec(0, 0, -g*length);
    add_bar(&s, "crank", mass*b->crank, length*b->crank);
    add_bar(&s, "coupler", mass*b->coupler, length*b->coupler);
    add_bar(&s, "rocker", mass*b->rocker, length*b->rocker);
    add_joint(&s, hinge("motor", "world", carom_vec(0, 0, 0), "crank", carom_vec(0, 0, 0), 0.7, 6));
    add_joint(&s, hinge("pin", "crank", carom_vec(length*b->crank, 0, 0), "coupler", carom_vec(0, 0, 0), c.angle - 0.7,
                        6*(c.rate - 1)));
    add_joint(&s, hinge("bearing", "world", carom_vec(length*b->ground, 0, 0), "rocker", carom_vec(0, 0, 0), k.angle,
                        6*k.rate));
    add_joint(&s, hinge("closing", "coupler", carom_vec(length*b->coupler, 0, 0), "rocker",
                        carom_vec(length*b->rocker, 0, 0), NAN, NAN));
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    CHECK_NEAR(w->joint_q[0], one_degree_angle(four_bar_energy, 0.7, 6, 2), (double)w->record.stats.steps*1e-10*6*2);
    CHECK_NEAR(w->energy_drift/w->most_kinetic, 0, 1e-6);
    free(w);
    carom_model_destroy(model);
}

// A weld that is half a turn off is not closed: it is turned until it is, or refused, but not left as it
// stands. A slider likewise.
static void half_a_turn_off_is_not_closed(void **state)
{
    (void)state;
    const caromJointKind kinds[2] = { CAROM_JOINT_FIXED, CAROM_JOINT_PRISMATIC };
    for (int i = 0; i < 2; i++) {
        Scene s = scene_begin();
        s.settings.until = 0.01;
        s.settings.gravity = carom_vec(0, 0, 0);
        add_body(&s, "body", 1, carom_vec(0, 0, 0), carom_mat_diagonal(1, 1, 1));
        caromJointDef flight = carom_model_joint_def("flight", CAROM_JOINT_FREE),
                      weld = carom_model_joint_def("weld", kinds[i]);
        flight.body[1] = weld.body[1] = "body";
        // Half a turn about z.
        flight.position[3] = 0, flight.position[4] = 0, flight.position[5] = 0, flight.position[6] = 1;
        add_joint(&s, flight);
        add_joint(&s, weld);
        caromModel *model = scene_end(&s);
        Watch *w = watch_run(model, NULL, NULL);
        if (w->record.status == CAROM_OK) CHECK_VEC(w->record.last_X[0].R.cx, carom_vec(1, 0, 0), 1e-9);
        else assert_int_equal(w->record.status, CAROM_ERR_MODEL);
        free(w);
        carom_model_destroy(model);
    }
}

// A damper in the joint that closes the loop works as well there as anywhere: the model is refused, or energy is lost.
static void damper_of_a_closing_joint_is_not_forgotten(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        Scene s = four_bar_scene(&four_bar, 0.7, 6, 0, 0, CUT_REVOLUTE);
        // Beside the motor: closes a loop too.
        caromJointDef extra = hinge("extra", "world", carom_vec(0, 0, 0), "crank", carom_vec(0, 0, 0), NAN, NAN);
        if (kind == 0) extra.damping[0] = 1;
        if (kind == 1) extra.stiffness[0] = 10;
        if (kind == 2) extra.drive = CAROM_DRIVE_FORCE, extra.drive_function.value = 5;
        carom_builder_joint(s.builder, &extra);
        carom_builder_settings(s.builder, &s.settings);
        caromProblems problems = { 0 };
        caromModel *model = NULL;
        if (carom_builder_finish(s.builder, &problems, &model) == CAROM_OK) {
            CHECK(carom_model_joint(model, 4).closes_loop);
            Watch *w = watch_completed(model, NULL, NULL);
            caromEnergy e = w->record.last.energy;
            CHECK(kind == 0 ? e.joints > 0.1 : kind == 1 ? fabs(e.springs) > 0.1 : fabs(e.supplied) > 0.1);
            free(w);
        } else {
            CHECK(problems.count > 0 && strstr(problems.items[0].path, "joints.extra") != NULL);
        }
        carom_model_destroy(model);
        carom_problems_free(&problems);
        carom_builder_destroy(s.builder);
    }
}

// ---- Cardan shaft

static const double shaft_angle = 0.6;

static void watch_cardan(Watch *w, const caromSample *s)
{
    // z of the first fork against the normal of the plane of the shafts, which is z of the world.
    double c = s->X_WB[0].R.cz.z, b = shaft_angle;
    double ratio = cos(b)/(1 - sin(b)*sin(b)*(1 - c*c));
    w->worst = fmax(w->worst, fabs(s->joint_v[1] - ratio*s->joint_v[0]));
}

// Two shafts in their bearings with a universal joint that closes the loop: cos b/(1 - sin^2 b sin^2 t), at every
// sample.
static void cardan_shaft_runs_unevenly(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 10;
    s.settings.tolerance = 1e-9;
    add_body(&s, "first", 1, carom_vec(0, 0, 0), carom_mat_diagonal(0.02, 0.03, 0.02));
    add_body(&s, "second", 1, carom_vec(0, 0, 0), carom_mat_diagonal(0.02, 0.01, 0.02));
    caromQuat along_y = carom_quat_axis_angle(carom_vec(1, 0, 0), -0.5*pi),
              tilt = carom_quat_axis_angle(carom_vec(0, 0, 1), shaft_angle);
    caromJointDef bearing = carom_model_joint_def("bearing", CAROM_JOINT_REVOLUTE);
    bearing.body[1] = "first";
    bearing.q[0] = bearing.q[1] = along_y;
    bearing.position[0] = 0;
    bearing.velocity[0] = 5;
    add_joint(&s, bearing);
    bearing.name = "other";
    bearing.body[1] = "second";
    bearing.q[0] = carom_quat_mul(tilt, along_y);
    bearing.velocity[0] = 5*cos(shaft_angle);  // the first fork stands on the plane of the shafts
    add_joint(&s, bearing);
    caromJointDef cross = carom_model_joint_def("cross", CAROM_JOINT_UNIVERSAL);
    cross.body[0] = "first", cross.body[1] = "second";
    add_joint(&s, cross);
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, watch_cardan, NULL);
    CHECK(w->joint_q[0] > 30);
    CHECK_NEAR(w->worst, 0, 1e-8);  // closure of speeds: as exact as that of positions, 1e-9, times 5 rad/s
    CHECK_NEAR(w->energy_drift/w->most_kinetic, 0, 1e-7);
    free(w);
    carom_model_destroy(model);
}

// ---- same bits

static void same_bits_twice(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Cut cut = i == 0 ? CUT_REVOLUTE : CUT_UNIVERSAL_SPHERICAL;
        CHECK(hash_of(four_bar_scene(&four_bar, 0.7, 6, 0.03, -0.02, cut)) ==
              hash_of(four_bar_scene(&four_bar, 0.7, 6, 0.03, -0.02, cut)));
    }
    CHECK(hash_of(pendulum_on_slides_scene(2, 1e-8)) == hash_of(pendulum_on_slides_scene(2, 1e-8)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar_stays_closed),
        cmocka_unit_test(slider_crank_stays_closed),
        cmocka_unit_test(redundant_loop_moves_as_the_minimal_one),
        cmocka_unit_test(loop_that_cannot_close_is_refused),
        cmocka_unit_test(loop_is_assembled_from_rough_angles),
        cmocka_unit_test(pendulum_on_slides_moves_as_the_open_one),
        cmocka_unit_test(free_body_in_a_loop_moves_as_a_carried_one),
        cmocka_unit_test(moved_crank_leads_the_slider),
        cmocka_unit_test(loops_of_very_different_masses_stay_closed),
        cmocka_unit_test(small_four_bar_moves_as_the_large_one),
        cmocka_unit_test(half_a_turn_off_is_not_closed),
        cmocka_unit_test(damper_of_a_closing_joint_is_not_forgotten),
        cmocka_unit_test(cardan_shaft_runs_unevenly),
        cmocka_unit_test(same_bits_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
