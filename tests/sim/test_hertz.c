// Elastic impacts of curved bodies against the closed forms: with m the reduced mass and K of Hertz (by quadrature),
//
//     m v^2/2 = 2/5 K d^2.5          largest depth d = (5/4 m v^2/K)^(2/5), largest force K d^1.5
//     duration = 2 int dx/sqrt(v^2 - 4/5 K/m x^2.5) = 2 d/v int dz/sqrt(1 - z^2.5) = 2 sqrt(pi) Gamma(1.4)/Gamma(0.9)
//       d/v = 2.9432752 d/v
#include "hertz_reference.h"
#include "scene.h"

static const double pi = 3.14159265358979323846;
static const double tolerance = 1e-6;

typedef struct Body {
    caromShape shape;
    caromQuat q;
    double height;    // of its surface over its centre, along z
    double density, E, nu;
} Body;

typedef struct Watch {  // of samples and events
    int touches, separations, samples;
    double K_low, K_high;  // fn/depth^1.5 of all samples
    double turn;           // largest angular speed
    caromEvent end;
} Watch;

static caromStatus watch_sample(void *user, const caromSample *s)
{
    Watch *w = user;
    for (int i = 0; i < s->nbody; i++) w->turn = fmax(w->turn, carom_norm(s->V_WB[i].angular));
    if (s->ncontact != 1 || !(s->contacts[0].depth > 1e-3*w->end.separation.depth)) return CAROM_OK;
    double K = s->contacts[0].fn/pow(s->contacts[0].depth, 1.5);
    w->K_low = w->samples == 0 ? K : fmin(w->K_low, K);
    w->K_high = w->samples == 0 ? K : fmax(w->K_high, K);
    w->samples++;
    return CAROM_OK;
}

static caromStatus watch_event(void *user, const caromEvent *e)
{
    Watch *w = user;
    w->touches += e->kind == CAROM_EVENT_TOUCH;
    w->separations += e->kind == CAROM_EVENT_SEPARATION;
    if (e->kind == CAROM_EVENT_SEPARATION) w->end = *e;
    return CAROM_OK;
}

static Watch run(const caromModel *model, double depth)
{
    Watch w = { .end.separation.depth = depth };
    caromSink sink = { &w, watch_sample, watch_event };
    caromError err = { 0 };
    caromSim *sim;
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    carom_sim_destroy(sim);
    if (status != CAROM_OK) fail_msg("run ended with %s: %s", carom_status_name(status), err.message);
    return w;
}

static void add(Scene *s, const char *name, const Body *b, double z, double v)
{
    scene_material(s, name, b->density, b->E, b->nu);
    caromShapeDef shape = carom_model_shape_def(b->shape);
    caromBodyDef def = scene_body(name, name, &shape);
    def.p_WB = carom_vec(0, 0, z);
    def.q_WB = b->q;
    def.v_WB = carom_vec(0, 0, v);
    def.fixed = b->shape.kind == CAROM_HALF_SPACE;
    scene_add(s, &def);
}

// The upper body comes down on the lower one, which moves up at a quarter of the speed if it can, along the
// line through both centres.
static void impact(Body lower, Body upper, double k_min, double k_max)
{
    const double speed = 0.8;
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.damping = CAROM_DAMPING_NONE;
    s.settings.tolerance = 1e-8;
    bool is_free = carom_shape_is_bounded(lower.shape);
    add(&s, "lower", &lower, -lower.height, is_free ? 0.25*speed : 0.0);
    add(&s, "upper", &upper, upper.height + 1e-3, is_free ? -0.75*speed : -speed);

    double m1 = carom_shape_mass(upper.shape, upper.density).mass,
           m2 = carom_shape_mass(lower.shape, lower.density).mass, m = is_free ? m1*m2/(m1 + m2) : m1;
    double E_star = 1/((1 - lower.nu*lower.nu)/lower.E + (1 - upper.nu*upper.nu)/upper.E),
        K = hertz_reference(E_star, k_min, k_max);
    double depth = pow(1.25*m*speed*speed/K, 0.4), duration = 2*sqrt(pi)*tgamma(1.4)/tgamma(0.9)*depth/speed;
    CHECK_NEAR(duration, 2.9432752*depth/speed, 2e-8*duration);
    s.settings.until = 1e-3/speed + 3*duration;
    caromModel *model = scene_end(&s);
    Watch w = run(model, depth);
    CHECK(w.touches == 1 && w.separations == 1 && w.samples >= 10);
    const caromSeparationEvent *end = &w.end.separation;
    CHECK_NEAR(end->depth, depth, tolerance*depth);
    CHECK_NEAR(end->duration, duration, tolerance*duration);
    CHECK_NEAR(end->speed, speed, tolerance*speed);
    CHECK_NEAR(end->impulse, 2*m*speed, 1e-4*m*speed);   // Simpson's rule over d^1.5
    CHECK(w.turn < 1e-6*speed/depth);                    // the line of the force goes through the centres
    CHECK_NEAR(w.K_low, K, tolerance*K);
    CHECK_NEAR(w.K_high, K, tolerance*K);
    double fn = K*pow(depth, 1.5);
    CHECK_NEAR(w.K_high*pow(end->depth, 1.5), fn, 2*tolerance*fn);  // 1.5 times that of the depth
    carom_model_destroy(model);
}

static Body ball(double radius)
{
    return (Body){ carom_shape_sphere(radius), carom_quat_identity(), radius, 7800, 2.1e11, 0.3 };
}

static Body plane(void)
{
    return (Body){ carom_shape_half_space(), carom_quat_identity(), 0, 2700, 7e10, 0.33 };
}

static void spheres(void **state)
{
    (void)state;
    Body soft = ball(0.03);
    soft.density = 1200;
    soft.E = 3e9;
    soft.nu = 0.4;
    impact(ball(0.05), ball(0.05), 40, 40);
    impact(ball(0.02), soft, 1/0.02 + 1/0.03, 1/0.02 + 1/0.03);
    impact(plane(), ball(0.04), 25, 25);
    impact(plane(), soft, 1/0.03, 1/0.03);
}

// An ellipsoid with the axis i up, then turned about z.
static Body egg(caromVec3 axes, int i, double turn)
{
    caromQuat up = i == 2 ? carom_quat_identity()
                          : carom_quat_axis_angle(i == 0 ? carom_vec(0, 1, 0) : carom_vec(1, 0, 0), 0.5*pi);
    return (Body){ carom_shape_ellipsoid(axes.x, axes.y, axes.z),
                   carom_quat_mul(carom_quat_axis_angle(carom_vec(0, 0, 1), turn), up), carom_at(axes, i), 7800, 2.1e11,
                   0.3 };
}

// At the end of the axis a the curvatures are a/b^2 and a/c^2.
static void ellipsoids_on_a_plane(void **state)
{
    (void)state;
    caromVec3 axes = carom_vec(0.06, 0.04, 0.025);
    for (int i = 0; i < 3; i++) {
        double a = carom_at(axes, i), b = carom_at(axes, (i + 1)%3), c = carom_at(axes, (i + 2)%3);
        impact(plane(), egg(axes, i, 0.3*i), fmin(a/(b*b), a/(c*c)), fmax(a/(b*b), a/(c*c)));
    }
    impact(plane(), egg(carom_vec(0.3, 0.01, 0.01), 2, 0), 0.01/(0.3*0.3), 100);  // a needle: ratio 900
}

// Sum of two curvature tensors at an angle: mean, and half the difference of the principal ones as vectors at twice the
// angle.
static void sum_of(const double *a, const double *b, double angle, double *k_min, double *k_max)
{
    double u = 0.5*(a[1] - a[0]), v = 0.5*(b[1] - b[0]), mean = 0.5*(a[0] + a[1] + b[0] + b[1]),
           half = sqrt(u*u + v*v + 2*u*v*cos(2*angle));
    *k_min = mean - half;
    *k_max = mean + half;
}

static void crossed_ellipsoids(void **state)
{
    (void)state;
    caromVec3 a = carom_vec(0.06, 0.03, 0.025), b = carom_vec(0.05, 0.02, 0.04);
    double ka[2] = { a.z/(a.x*a.x), a.z/(a.y*a.y) }, kb[2] = { b.z/(b.x*b.x), b.z/(b.y*b.y) };  // along x, along y
    for (double angle = 0; angle < 1.6; angle += pi/6) {
        double k_min, k_max;
        sum_of(ka, kb, angle, &k_min, &k_max);
        impact(egg(a, 2, 0), egg(b, 2, angle), k_min, k_max);
    }
}

// Lying, its axis at an angle from x.
static Body log_of(caromShape shape, double angle)
{
    caromQuat q = carom_quat_mul(carom_quat_axis_angle(carom_vec(0, 0, 1), angle),
                                 carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5*pi));
    return (Body){ shape, q, shape.size.x, 7800, 2.1e11, 0.3 };
}

static void crossed_cylinders(void **state)
{
    (void)state;
    const double r[2] = { 0.02, 0.03 }, ka[2] = { 0, 1/r[0] }, kb[2] = { 0, 1/r[1] },
                 angles[] = { 90, 60, 45, 20, 8, -30, 150 };
    for (int i = 0; i < 7; i++) {
        double k_min, k_max, angle = angles[i]*pi/180;
        sum_of(ka, kb, angle, &k_min, &k_max);
        impact(log_of(carom_shape_cylinder(r[0], 0.2), 0.1), log_of(carom_shape_cylinder(r[1], 0.15), 0.1 + angle),
               k_min, k_max);
        impact(log_of(carom_shape_cylinder(r[0], 0.2), 0), log_of(carom_shape_capsule(r[1], 0.15), angle), k_min,
               k_max);
    }
}

// A standing ring (its axis along y) below a capsule: curvatures 1/(R + a) along x and 1/a along y.
static void a_capsule_on_a_ring(void **state)
{
    (void)state;
    double R = 0.1, a = 0.015, r = 0.02, ring[2] = { 1/(R + a), 1/a }, capsule[2] = { 0, 1/r };
    Body lower = { carom_shape_torus(R, a), carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*pi), R + a, 7800, 2.1e11,
                   0.3 };
    for (double angle = 0; angle < 1.6; angle += pi/4) {
        double k_min, k_max;
        sum_of(ring, capsule, angle, &k_min, &k_max);
        impact(lower, log_of(carom_shape_capsule(r, 0.1), angle), k_min, k_max);
    }
}

// Inside a standing ring the surface is hollow along x, -1/(R - a), and bulges along y: a ball in it, and a log across
// it.
static void a_ball_and_a_log_in_a_groove(void **state)
{
    (void)state;
    double R = 0.1, a = 0.015, r = 0.03, hollow = -1/(R - a);
    Body lower = { carom_shape_torus(R, a), carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*pi), -(R - a), 7800, 2.1e11,
                   0.3 };
    impact(lower, ball(r), 1/r + hollow, 1/r + 1/a);
    impact(lower, log_of(carom_shape_capsule(r, 0.1), 0.5*pi), 1/r + hollow, 1/a);
    r = 0.08;  // nearly as wide as the groove: an ellipse 12 times as long as wide
    impact(lower, ball(r), 1/r + hollow, 1/r + 1/a);
}

// Off the centre and turning, the point wanders over both surfaces while the stiffness stays what it was at the touch:
// no energy is lost or gained.
static void round_bodies_that_meet_anyhow_keep_their_energy(void **state)
{
    (void)state;
    const caromShape shapes[] = {
        carom_shape_rounded(carom_shape_cylinder(0.03, 0.2), 0.005), carom_shape_capsule(0.02, 0.15),
        carom_shape_torus(0.08, 0.02), carom_shape_rounded(carom_shape_cone(0.05, 0.02, 0.12), 0.005)
    };
    Random random = { 11 };
    int touches = 0;
    for (int i = 0; i < 16; i++) {
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.tolerance = 1e-8;
        s.settings.until = 0.3;
        scene_material(&s, "stuff", 1000, 1e8, 0.3);
        scene_pair(&s, "stuff", "stuff", 1.0, 0.0, 0.0);
        for (int k = 0; k < 2; k++) {
            caromShapeDef shape = carom_model_shape_def(shapes[k == 0 ? i%4 : i/4]);
            caromBodyDef def = scene_body(k == 0 ? "one" : "other", "stuff", &shape);
            caromVec3 axis = carom_unit_or(carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                                                     random_uniform(&random, -1, 1)), carom_vec(1, 0, 0));
            def.q_WB = carom_quat_axis_angle(axis, random_uniform(&random, 0, 6));
            def.p_WB = carom_vec(0.02*k, 0.01*k, 0.3*k);
            def.v_WB = carom_vec(0, 0, k == 0 ? 1 : -1);
            def.w_WB = carom_scale(5, axis);
            scene_add(&s, &def);
        }
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        touches += r->nevent/2;
        CHECK_NEAR(r->last.energy.kinetic + r->last.energy.elastic, r->first_total, 1e-6*r->first_total);
        free(r);
        carom_model_destroy(model);
    }
    CHECK(touches >= 12);
}

// Along lines, with faces, at rims and tips they press with strips of their surfaces (docs/contact.md): they rebound,
// with the restitution that is asked for where nothing makes them turn, and the energies add up.
static void expect_rebound(Body lower, Body upper, double x, bool is_central)
{
    const double e = 0.6;
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.tolerance = 1e-7;
    add(&s, "lower", &lower, -lower.height, 0.0);
    scene_material(&s, "upper", upper.density, upper.E, upper.nu);
    scene_pair(&s, "lower", "upper", e, 0.0, 0.0);
    caromShapeDef shape = carom_model_shape_def(upper.shape);
    caromBodyDef def = scene_body("upper", "upper", &shape);
    def.p_WB = carom_vec(x, 0, upper.height + 0.01);
    def.q_WB = upper.q;
    def.v_WB = carom_vec(0, 0, -1);
    scene_add(&s, &def);
    s.settings.until = 0.03;
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent >= 2 && r->events[1].kind == CAROM_EVENT_SEPARATION);
    CHECK(r->stats.largest_imbalance <= 10*s.settings.tolerance*r->stats.energy_reference);
    if (is_central) CHECK_NEAR(r->events[1].separation.restitution, e, 1e-3);
    free(r);
    carom_model_destroy(model);
}

static void lines_faces_and_rims_rebound(void **state)
{
    (void)state;
    caromShape rod = carom_shape_cylinder(0.02, 0.2);
    Body standing = { rod, carom_quat_identity(), 0.1, 7800, 2.1e11, 0.3 },
         tilted = { rod, carom_quat_axis_angle(carom_vec(0, 1, 0), 0.7), 0.1, 7800, 2.1e11, 0.3 };
    Body tip = { carom_shape_cone(0.03, 0, 0.1), carom_quat_axis_angle(carom_vec(1, 0, 0), pi), 0.05, 7800, 2.1e11,
                 0.3 };
    Body flat_ring = { carom_shape_torus(0.1, 0.02), carom_quat_identity(), 0.02, 7800, 2.1e11, 0.3 };
    expect_rebound(log_of(rod, 0.3), log_of(rod, 0.3), 0, true);
    expect_rebound(log_of(rod, 0.3), log_of(rod, 0.3005), 0, true);
    expect_rebound(log_of(rod, 0.3), log_of(carom_shape_capsule(0.03, 0.1), 0.3), 0, true);
    expect_rebound(standing, standing, 0, true);
    expect_rebound(standing, log_of(rod, 0), 0, true);
    expect_rebound(flat_ring, flat_ring, 0, true);
    expect_rebound(log_of(carom_shape_capsule(0.02, 0.2), 0.3), log_of(carom_shape_capsule(0.03, 0.1), 0.3), 0, true);
    expect_rebound(log_of(carom_shape_capsule(0.02, 0.2), 0), log_of(carom_shape_capsule(0.02, 0.2), 0), 0.1, false);
    expect_rebound(log_of(carom_shape_rounded(rod, 0.002), 0.3), log_of(carom_shape_rounded(rod, 0.002), 0.3), 0, true);
    standing.shape.rounding = 0.002;
    expect_rebound(standing, log_of(rod, 0), 0, true);
    expect_rebound(standing, standing, 0, true);
    expect_rebound(log_of(rod, 0), tip, 0, true);
    for (int i = 0; i < 9; i++) {
        tilted.q = carom_quat_mul(carom_quat_axis_angle(carom_vec(0, 0, 1), 0.05 + 0.07*i),
                                  carom_quat_axis_angle(carom_vec(0, 1, 0), 0.2 + 0.05*i));
        expect_rebound(log_of(carom_shape_capsule(0.02, 0.4), 0.0), tilted, 0, false);
    }
}

// Sharp ones, too, and lying along each other: of all pairs of seven shapes none is off by more than ten tolerances,
// with restitution and friction.
static void sharp_bodies_that_meet_anyhow_balance(void **state)
{
    (void)state;
    const caromShape shapes[] = {
        carom_shape_cylinder(0.03, 0.15), carom_shape_cone(0.05, 0.0, 0.1), carom_shape_cone(0.05, 0.02, 0.08),
        carom_shape_torus(0.06, 0.015), carom_shape_capsule(0.02, 0.15),
        carom_shape_rounded(carom_shape_cylinder(0.05, 0.03), 0.004), carom_shape_cylinder(0.05, 0.02)
    };
    Random random = { 5 };
    double worst = 0;
    int touches = 0;
    for (int i = 0; i < 49; i++) {
        if (i == 24) continue;  // two rings hook into each other in two points, between which Hertz' jumps
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.tolerance = i % 3 == 0 ? 1e-5 : 1e-6;
        s.settings.until = 0.15;
        scene_material(&s, "stuff", 1000, i % 2 ? 1e7 : 1e10, 0.3);
        scene_pair(&s, "stuff", "stuff", random_uniform(&random, 0.2, 1.0), i % 4 ? 0.3 : 0.0, 0.0);
        for (int k = 0; k < 2; k++) {
            caromShapeDef shape = carom_model_shape_def(shapes[k == 0 ? i%7 : (i/7)%7]);
            caromBodyDef def = scene_body(k == 0 ? "one" : "other", "stuff", &shape);
            caromVec3 axis = carom_unit_or(carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                                                     random_uniform(&random, -1, 1)), carom_vec(1, 0, 0));
            def.q_WB = carom_quat_axis_angle(axis, i % 5 == 0 ? 0.0 : random_uniform(&random, 0, 6));
            def.p_WB = carom_vec(0.01*k, 0.01*k, 0.25*k);
            def.v_WB = carom_vec(0, 0, k == 0 ? 1 : -1);
            def.w_WB = carom_scale(i % 5 == 0 ? 0.0 : 5.0, axis);
            scene_add(&s, &def);
        }
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        touches += r->nevent/2;
        double part = r->stats.largest_imbalance/(s.settings.tolerance*r->stats.energy_reference);
        if (!(part <= 10)) print_error("drop %d is off by %g tolerances\n", i, part);
        worst = fmax(worst, part);
        free(r);
        carom_model_destroy(model);
    }
    CHECK(worst <= 10);
    CHECK(touches >= 44);
}

// Line contact [Johnson85]: approach f/(pi E*) (ln(4 R1/b) + ln(4 R2/b) - 1) at a load f per length,
// b^2 = 4 f R/(pi E*). The energy is the integral of f over the approach, d(approach) by differences.
static double line_approach(double f, double E_star, double R1, double R2)
{
    double b = sqrt(4*f*R1*R2/(R1 + R2)/(pi*E_star));
    return f/(pi*E_star)*(log(4*R1/b) + log(4*R2/b) - 1);
}

static double line_depth(double energy_per_length, double E_star, double R1, double R2)
{
    double f = 1e-6*E_star*R1, energy = 0.5*f*line_approach(f, E_star, R1, R2);
    while (energy < energy_per_length) {
        double next = 1.001*f;
        energy += 0.5*(f + next)*(line_approach(next, E_star, R1, R2) - line_approach(f, E_star, R1, R2));
        f = next;
    }
    return line_approach(f, E_star, R1, R2);
}

static void parallel_cylinders_press_like_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double speed = i == 0 ? 0.1 : i == 1 ? 0.3 : 1, R = 0.02, L = 0.1;
        Body rod = log_of(carom_shape_cylinder(R, L), 0.3);
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.damping = CAROM_DAMPING_NONE;
        add(&s, "lower", &rod, -R, 0.5*speed);
        add(&s, "upper", &rod, R + 1e-4, -0.5*speed);
        double m = 0.5*carom_shape_mass(rod.shape, rod.density).mass, E_star = rod.E/(2*(1 - rod.nu*rod.nu)),
               depth = line_depth(0.5*m*speed*speed/L, E_star, R, R);
        s.settings.until = 1e-4/speed + 10*depth/speed;
        caromModel *model = scene_end(&s);
        Watch w = run(model, depth);
        CHECK(w.touches == 1 && w.separations == 1);
        CHECK_NEAR(w.end.separation.depth, depth, 0.06*depth);
        CHECK_NEAR(w.end.separation.speed, speed, 1e-4*speed);
        CHECK(w.turn < 1e-6*speed/depth);
        carom_model_destroy(model);
    }
}

// Crossed at a small angle, where the ellipse of contact becomes as long as half of the bodies, they press with strips:
// what Hertz says of the depth goes over into what strips say.
static void slightly_crossed_cylinders(void **state)
{
    (void)state;
    const double R = 0.02, crossed[][2] = { { 0.5, 0.1 }, { 0.7, 0.1 }, { 1.5, 1 }, { 2, 1 }, { 5, 5 } };
    for (int i = 0; i < 5; i++) {
        double angle = crossed[i][0]*pi/180, speed = crossed[i][1];
        Body lower = log_of(carom_shape_cylinder(R, 0.2), 0.1),
             upper = log_of(carom_shape_cylinder(R, 0.2), 0.1 + angle);
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.damping = CAROM_DAMPING_NONE;
        add(&s, "lower", &lower, -R, 0.5*speed);
        add(&s, "upper", &upper, R + 1e-4, -0.5*speed);
        double m = 0.5*carom_shape_mass(lower.shape, lower.density).mass, E_star = lower.E/(2*(1 - lower.nu*lower.nu)),
               K = hertz_reference(E_star, (1 - cos(angle))/R, (1 + cos(angle))/R),
               depth = pow(1.25*m*speed*speed/K, 0.4);
        s.settings.until = 1e-4/speed + 10*depth/speed;
        caromModel *model = scene_end(&s);
        Watch w = run(model, depth);
        CHECK(w.touches == 1 && w.separations == 1);
        CHECK_NEAR(w.end.separation.depth, depth, 0.06*depth);
        CHECK_NEAR(w.end.separation.speed, speed, 1e-4*speed);
        carom_model_destroy(model);
    }
}

// The stiffness of the pair takes the place of the one that a rim does not have.
static void a_rim_with_a_stiffness_of_its_own_is_taken(void **state)
{
    (void)state;
    Scene s = scene_begin();
    caromPairDef pair = carom_model_pair_def("steel", "steel");
    pair.stiffness = 1e9;
    carom_builder_pair(s.builder, &pair);
    caromShapeDef rod = carom_model_shape_def(carom_shape_cylinder(0.02, 0.2)),
                  bar = carom_model_shape_def(carom_shape_capsule(0.02, 0.4));
    caromBodyDef a = scene_body("bar", "steel", &bar), b = scene_body("rod", "steel", &rod);
    a.fixed = true;
    a.q_WB = carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5*pi);
    b.p_WB = carom_vec(0, 0, 0.2);
    b.q_WB = carom_quat_axis_angle(carom_vec(0.3, 1, 0), 0.3);
    scene_add(&s, &a);
    scene_add(&s, &b);
    s.settings.until = 0.2;
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent >= 2);
    free(r);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(ellipsoids_on_a_plane),
        cmocka_unit_test(crossed_ellipsoids),
        cmocka_unit_test(crossed_cylinders),
        cmocka_unit_test(a_capsule_on_a_ring),
        cmocka_unit_test(a_ball_and_a_log_in_a_groove),
        cmocka_unit_test(round_bodies_that_meet_anyhow_keep_their_energy),
        cmocka_unit_test(lines_faces_and_rims_rebound), cmocka_unit_test(parallel_cylinders_press_like_lines),
        cmocka_unit_test(slightly_crossed_cylinders),
        cmocka_unit_test(sharp_bodies_that_meet_anyhow_balance),
        cmocka_unit_test(a_rim_with_a_stiffness_of_its_own_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
