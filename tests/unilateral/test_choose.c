// Modes by complementarity: closed forms of statics and sliding, redundant contacts, Painleve's rod, and random scenes
// against the conditions themselves.
#include "stay_fixture.h"

static const double X[3] = { 1, 0, 0 }, Y[3] = { 0, 1, 0 }, Z[3] = { 0, 0, 1 };
static const double g = 9.81;

// A box 2a x 2b x 2h of 2 kg on the ground z = 0, four corners; gravity tilted towards +x.
static StayScene box(double a, double b, double h, double tilt, double mu)
{
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 2, 2*(b*b + h*h)/3, 2*(a*a + h*h)/3, 2*(a*a + b*b)/3, 0, 0, h);
    body->force[0] = 2*g*sin(tilt), body->force[2] = -2*g*cos(tilt);
    for (int k = 0; k < 4; k++) stay_contact(&s, -1, 0, (double[]){ k & 1 ? a : -a, k & 2 ? b : -b, 0 }, Z, X, mu);
    stay_build(&s);
    return s;
}

// 10 kg on four legs at (+-1, +-1).
static StayScene table(double x, double y)
{
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 10, 2, 3, 4, x, y, 0.7);
    body->force[2] = -98.1;
    for (int k = 0; k < 4; k++) stay_contact(&s, -1, 0, (double[]){ k & 1 ? 1 : -1, k & 2 ? 1 : -1, 0 }, Z, X, 0);
    stay_build(&s);
    return s;
}

static void table_stands_as_on_springs(void **state)
{
    (void)state;
    // N/4 (1 +- .3)(1 +- .2) but for the product: linear in x and y.
    const double expected[4] = { 12.2625, 22.0725, 26.9775, 36.7875 };
    StayScene s = table(0.3, 0.2);
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    const double order[4] = { expected[0], expected[2], expected[1], expected[3] };
    double wrench[6];
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(s.f[3*k], order[k], 1e-12*98.1);
        assert_int_equal(s.contact[k].mode, CAROM_MODE_SLIDING);
    }
    stay_wrench(&s, 0, wrench);
    CHECK_NEAR(wrench[2], 98.1, 1e-12*98.1);
    CHECK_NEAR(wrench[3], 0, 1e-12*98.1);
    CHECK_NEAR(wrench[4], 0, 1e-12*98.1);
}

// The centre wanders over an edge. No leg's force jumps: its largest change per step is that of three legs, which carry
// 98.1 N/2 per metre and more, up to 98.1 N per metre.
static void table_tips_without_jumps(void **state)
{
    (void)state;
    double before[4] = { 0 };
    for (int step = 0; step <= 2000; step++) {
        double x = step*1.05/2000, y = 0.3*x;
        StayScene s = table(x, y);
        assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
        CHECK(stay_residual(&s) <= 1e-12);
        for (int k = 0; k < 4; k++) {
            CHECK(s.f[3*k] >= -1e-12*98.1);
            if (step && x <= 1) CHECK_NEAR(s.f[3*k], before[k], 98.1*1.05/2000*(1 + 1e-9));
            before[k] = s.f[3*k];
            bool left = !(k & 1);
            if (x < 1 - 1e-9) assert_int_not_equal(s.contact[k].mode, CAROM_MODE_FLIGHT);
            if (x > 1 + 1e-9) assert_int_equal(s.contact[k].mode == CAROM_MODE_FLIGHT, left);
        }
    }
}

// At tan = mu_s, to a part in 1e9: all corners stick or all slide, with g (sin - mu cos).
static void block_on_an_incline_sticks_until_tan_is_mu(void **state)
{
    (void)state;
    for (int k = -2; k <= 2; k++) {
        double mu = 0.4, tilt = atan(mu*(1 + k*1e-9));
        StayScene s = box(0.5, 0.3, 0.2, tilt, mu);
        assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
        CHECK(stay_residual(&s) <= 1e-12);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(s.contact[i].mode, k > 0 ? CAROM_MODE_SLIDING : CAROM_MODE_ROLLING);
            CHECK_NEAR(s.acc[3*i + 1], k > 0 ? g*(sin(tilt) - mu*cos(tilt)) : 0, 1e-13*g);
            CHECK_NEAR(s.contact[i].direction[0], k > 0 ? 1 : 0, 1e-12);  // of a slip that begins
            CHECK_NEAR(s.contact[i].direction[1], 0, 1e-12);
        }
    }
}

// mu_s > mu: between them it sticks; once it slips it is faster by the difference.
static void static_friction_holds_more(void **state)
{
    (void)state;
    for (int above = 0; above < 2; above++) {
        double tilt = atan(above ? 0.51 : 0.49);
        StayScene s = box(0.5, 0.3, 0.2, tilt, 0.4);
        for (int i = 0; i < 4; i++) s.contact[i].static_friction = 0.5;
        assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(s.contact[i].mode, above ? CAROM_MODE_SLIDING : CAROM_MODE_ROLLING);
            CHECK_NEAR(s.acc[3*i + 1], above ? g*(sin(tilt) - 0.4*cos(tilt)) : 0, 1e-13*g);
        }
    }
}

// Pushed along x at the height of its centre, mu large: it tips when F h > m g a, over the front edge; the corners
// behind open.
static void pushed_box_tips_over_its_front_edge(void **state)
{
    (void)state;
    for (int k = -1; k <= 1; k += 2) {
        StayScene s = box(0.2, 0.3, 0.5, 0, 2);
        s.body[0].force[0] = 2*g*0.2/0.5*(1 + k*1e-9);
        stay_build(&s);
        assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
        CHECK(stay_residual(&s) <= 1e-12);
        for (int i = 0; i < 4; i++)
            assert_int_equal(s.contact[i].mode, k > 0 && !(i & 1) ? CAROM_MODE_FLIGHT : CAROM_MODE_ROLLING);
    }
}

// A uniform ladder, rough below and at the wall, slips when tan(theta) < (1 - mu_w mu_f)/(2 mu_f). Its forces
// are indeterminate before.
static void ladder_slips_where_it_should(void **state)
{
    (void)state;
    const double mu_f = 0.5, mu_w = 0.3, limit = atan((1 - mu_w*mu_f)/(2*mu_f));
    for (int k = -1; k <= 1; k += 2) {
        double theta = limit*(1 + k*1e-6);
        StayScene s = { 0 };
        StayBody *body = stay_body(&s, 10, 1, 1, 10*16.0/12, -2*cos(theta), 2*sin(theta), 0);
        body->planar = true;
        body->force[1] = -10*g;
        stay_contact(&s, -1, 0, (double[]){ -4*cos(theta), 0, 0 }, Y, X, mu_f);
        stay_contact(&s, -1, 0, (double[]){ 0, 4*sin(theta), 0 }, (double[]){ -1, 0, 0 }, Y, mu_w);
        stay_build(&s);
        assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
        CHECK(stay_residual(&s) <= 1e-12);
        for (int i = 0; i < 2; i++)
            assert_int_equal(s.contact[i].mode, k > 0 ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING);
    }
}

// Half a ring of five stones, touching at inner and outer corners. Thick enough it stands, by thrust that no single
// stone determines; thin it opens joints and falls.
static StayScene arch(double inner, double outer, double mu)
{
    enum { STONES = 5 };
    const double pi = acos(-1.0);
    StayScene s = { 0 };
    for (int k = 0; k < STONES; k++) {
        double middle = pi*(k + 0.5)/STONES, half = pi/(2*STONES), area = half*(outer*outer - inner*inner);
        double radius = 2*sin(half)/(3*half)*(outer*outer*outer - inner*inner*inner)/(outer*outer - inner*inner);
        double polar = half*(pow(outer, 4) - pow(inner, 4))/2 - area*radius*radius;
        StayBody *body = stay_body(&s, area, 1, 1, polar, radius*cos(middle), radius*sin(middle), 0);
        body->planar = true;
        body->force[1] = -area*g;
    }
    for (int joint = 0; joint <= STONES; joint++)
        for (int side = 0; side < 2; side++) {
            double angle = pi*joint/STONES, r = side ? outer : inner;
            int a = joint - 1, b = joint < STONES ? joint : -1;
            stay_contact(&s, a, b, (double[]){ r*cos(angle), r*sin(angle), 0 },
                         (double[]){ -sin(angle), cos(angle), 0 }, (double[]){ cos(angle), sin(angle), 0 }, mu);
        }
    stay_build(&s);
    return s;
}

static void arch_stands_if_it_is_thick(void **state)
{
    (void)state;
    StayScene s = arch(0.8, 1.2, 0.6);
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    CHECK(stay_residual(&s) <= 1e-12);
    for (int i = 0; i < s.n; i++) assert_int_equal(s.contact[i].mode, CAROM_MODE_ROLLING);
    s = arch(0.99, 1.01, 0.6);
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    CHECK(stay_residual(&s) <= 1e-12);
    int open = 0;
    for (int i = 0; i < s.n; i++) open += s.contact[i].mode == CAROM_MODE_FLIGHT;
    CHECK(open >= 4);  // a mechanism of four hinges at least, one open corner each
}

// Rod of length 2 and 1 kg sliding with its tip on the ground towards -x; b by gravity of either sign.
static StayScene rod(double theta, double mu, double weight, caromMode mode)
{
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 1, 1, 1, 1.0/3, cos(theta), sin(theta), 0);
    body->planar = true;
    body->force[1] = weight;
    caromStay *contact = stay_contact(&s, -1, 0, (double[]){ 0, 0, 0 }, Y, X, mu);
    contact->slip[0] = -1;
    contact->mode = mode;
    stay_build(&s);
    return s;
}

static void painleve(void **state)
{
    (void)state;
    for (int k = 1; k < 12; k++) {
        double theta = k*acos(-1.0)/24, critical = (1 + 3*cos(theta)*cos(theta))/(3*sin(theta)*cos(theta));
        int worst = -1;
        for (int delta = 0; delta < 2; delta++) {
            StayScene s = rod(theta, critical*(1 - 1e-4), -g, CAROM_MODE_FLIGHT);
            if (delta) s.contact[0].delta = 1e-3;
            assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
            assert_int_equal(s.contact[0].mode, CAROM_MODE_SLIDING);
            CHECK(stay_residual(&s) <= 1e-12);
            s = rod(theta, critical*(1 - 1e-4), g, CAROM_MODE_SLIDING);
            assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
            assert_int_equal(s.contact[0].mode, CAROM_MODE_FLIGHT);
            s = rod(theta, critical*(1 + 1e-4), -g, CAROM_MODE_SLIDING);  // no force is consistent
            if (delta) s.contact[0].delta = 1e-3;
            assert_int_equal(stay_choose(&s, &worst), CAROM_STAY_NONE);
            assert_int_equal(worst, 0);
            s = rod(theta, critical*(1 + 1e-4), g, CAROM_MODE_SLIDING);   // it may part or press
            assert_int_equal(stay_choose(&s, &worst), CAROM_STAY_SEVERAL);
            assert_int_equal(s.contact[0].mode, CAROM_MODE_FLIGHT);
            s = rod(theta, critical*(1 + 1e-4), g, CAROM_MODE_FLIGHT);    // it parts already
            assert_int_equal(stay_choose(&s, &worst), CAROM_STAY_OK);
        }
    }
}

// The rod may part or press, and on it lies a grain that may stick: a jam is looked for where some contacts stick, too.
static void a_jam_is_found_beside_a_contact_that_may_stick(void **state)
{
    (void)state;
    double theta = atan(2.0), critical = 4.0/3;
    for (int jams = 0; jams < 2; jams++) {
        StayScene s = rod(theta, jams ? 1.5*critical : 0.5*critical, g, CAROM_MODE_SLIDING);
        StayBody *grain = stay_body(&s, 1e-3, 1, 1, 1, cos(theta), sin(theta), 0);
        grain->planar = true;
        grain->force[1] = -1e-3*g;
        stay_contact(&s, 0, 1, (double[]){ cos(theta), sin(theta), 0 }, Y, X, 0.5);
        stay_build(&s);
        int worst = -1;
        assert_int_equal(stay_choose(&s, &worst), jams ? CAROM_STAY_SEVERAL : CAROM_STAY_OK);
        if (jams) assert_int_equal(worst, 0);
        assert_int_equal(s.contact[0].mode, CAROM_MODE_FLIGHT);
        assert_int_equal(s.contact[1].mode, CAROM_MODE_ROLLING);
        CHECK(stay_residual(&s) <= 1e-12);
    }
}

// A body without weight touches: neither presses nor parts. It stays closed.
static void ties_stay_closed(void **state)
{
    (void)state;
    StayScene s = box(0.5, 0.3, 0.2, 0, 0.4);
    s.body[0].force[2] = 0;
    stay_build(&s);
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s.contact[i].mode, CAROM_MODE_ROLLING);
        CHECK_NEAR(s.f[3*i], 0, 0);
    }
}

// A contact that slips faster than what counts as none slides, whatever it did before.
static void what_slips_fast_does_not_stick(void **state)
{
    (void)state;
    StayScene s = box(0.5, 0.3, 0.2, 0, 0.4);
    for (int i = 0; i < 4; i++) s.contact[i].mode = CAROM_MODE_ROLLING, s.contact[i].slip[0] = 1;
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    CHECK(stay_residual(&s) <= 1e-12);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s.contact[i].mode, CAROM_MODE_SLIDING);
        CHECK_NEAR(s.f[3*i + 1], -0.4*s.f[3*i], 1e-13*g);
    }
}

// Regularised: rolling below delta, sliding above; friction mu v/max(|v|, delta).
static void regularised_modes(void **state)
{
    (void)state;
    StayScene s = box(0.5, 0.3, 0.2, 0, 0.4);
    for (int i = 0; i < 4; i++) s.contact[i].delta = 1e-3, s.contact[i].slip[0] = i & 1 ? 5e-4 : 2e-3;
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    CHECK(stay_residual(&s) <= 1e-12);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s.contact[i].mode, i & 1 ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING);
        CHECK_NEAR(s.f[3*i + 1], -0.4*(i & 1 ? 0.5 : 1)*s.f[3*i], 1e-13*g);
    }
}

// Up to three bodies, up to six contacts between them or with the ground, everywhere about them; some slide, some may
// stick, some are regularised.
static void random_scene(Random *r, double mu, StayScene *s)
{
    int bodies = 1 + (int)random_uniform(r, 0, 3), contacts = 1 + (int)random_uniform(r, 0, 6);
    stay_random_bodies(r, bodies, s);
    for (int i = 0; i < contacts; i++) {
        int b = (int)random_uniform(r, 0, bodies), a = (int)random_uniform(r, 0, bodies);
        double point[3], normal[3], along[3], inward = 0, angle = random_uniform(r, 0, 6.3),
               kind = random_uniform(r, 0, 3);
        stay_random_direction(r, point);
        stay_random_direction(r, normal);
        stay_random_direction(r, along);
        for (int c = 0; c < 3; c++) inward += point[c]*normal[c];
        for (int c = 0; c < 3; c++) normal[c] *= inward > 0 ? -1 : 1, point[c] = 0.7*point[c] + s->body[b].centre[c];
        caromStay *contact = stay_contact(s, a == b || random_uniform(r, 0, 1) < 0.5 ? -1 : a, b, point, normal, along,
                                          random_uniform(r, 0, mu));
        contact->compliance = random_uniform(r, 0.5, 2);
        double slip = kind < 1 ? 0 : kind < 2 ? 1 : random_uniform(r, 0, 3e-3);
        if (kind >= 2) contact->delta = 1e-3;
        contact->slip[0] = slip*cos(angle), contact->slip[1] = slip*sin(angle);
    }
    stay_build(s);
}

static void swap_contacts(StayScene *s, int i, int j)
{
    StayScene t = *s;
    memcpy(s->point[i], t.point[j], sizeof s->point[i]), memcpy(s->point[j], t.point[i], sizeof s->point[i]);
    memcpy(s->axes[i], t.axes[j], sizeof s->axes[i]), memcpy(s->axes[j], t.axes[i], sizeof s->axes[i]);
    s->a[i] = t.a[j], s->a[j] = t.a[i], s->b[i] = t.b[j], s->b[j] = t.b[i];
    s->contact[i] = t.contact[j], s->contact[j] = t.contact[i];
}

// Conditions to rounding, friction never drives, numbers do not matter, modes repeat.
static void random_scenes_fit(void **state)
{
    (void)state;
    static StayScene s, t;
    Random r = { 20240229 };
    int none = 0;
    for (int k = 0; k < 1500; k++) {
        random_scene(&r, 0.6, &s);
        t = s;
        caromStayAnswer answer = stay_choose(&s, NULL);
        if (answer == CAROM_STAY_NONE) {
            none++;
            continue;
        }
        CHECK(stay_residual(&s) <= 1e-12);
        double power = 0, size = 0;
        for (int i = 0; i < s.n; i++) {
            power += s.f[3*i + 1]*s.contact[i].slip[0] + s.f[3*i + 2]*s.contact[i].slip[1];
            for (int c = 0; c < 3; c++) size = fmax(size, fabs(s.f[3*i + c]));
        }
        CHECK(power <= 0);
        if (answer != CAROM_STAY_OK) continue;
        for (int i = 0; i < s.n/2; i++) swap_contacts(&t, i, s.n - 1 - i);
        stay_build(&t);
        assert_int_equal(stay_choose(&t, NULL), CAROM_STAY_OK);
        for (int i = 0; i < s.n; i++) {
            for (int c = 0; c < 3; c++) CHECK_NEAR(t.f[3*(s.n - 1 - i) + c], s.f[3*i + c], 1e-12*size);
            assert_int_equal(t.contact[s.n - 1 - i].mode, s.contact[i].mode);
        }
        t = s;
        assert_int_equal(stay_choose(&t, NULL), CAROM_STAY_OK);
        for (int i = 0; i < s.n; i++) assert_int_equal(t.contact[i].mode, s.contact[i].mode);
    }
    CHECK(none <= 15);  // below 1 % of scenes are Painleve's, as of sliding contacts with this friction
}

// Masses and forces times powers of two: the same modes, and the same bits, scaled. But for scenes in which only
// Lemke's path finds an answer, which has forces and accelerations in one table: 1 of 400 ends elsewhere.
static void units_do_not_matter(void **state)
{
    (void)state;
    static StayScene s, t;
    static const int powers[4][2] = { { 80, 0 }, { -80, 0 }, { 0, 80 }, { 40, -60 } };
    Random r = { 31 };
    int others = 0;
    for (int k = 0; k < 400; k++) {
        const int *power = powers[k%4];
        random_scene(&r, 0.6, &s);
        t = s;
        for (int p = 0; p < 9*s.n*s.n; p++) t.G[p] = ldexp(s.G[p], -power[0]);
        for (int p = 0; p < 3*s.n; p++) t.bias[p] = ldexp(s.bias[p], power[1] - power[0]);
        caromStayAnswer answer = stay_choose(&s, NULL);
        if (stay_choose(&t, NULL) != answer) {
            others++;
            continue;
        }
        for (int i = 0; i < s.n; i++) assert_int_equal(t.contact[i].mode, s.contact[i].mode);
        for (int p = 0; p < 3*s.n && answer != CAROM_STAY_NONE; p++) CHECK_NEAR(t.f[p], ldexp(s.f[p], power[1]), 0);
    }
    CHECK(others <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_stands_as_on_springs),
        cmocka_unit_test(table_tips_without_jumps),
        cmocka_unit_test(block_on_an_incline_sticks_until_tan_is_mu),
        cmocka_unit_test(static_friction_holds_more),
        cmocka_unit_test(pushed_box_tips_over_its_front_edge),
        cmocka_unit_test(ladder_slips_where_it_should),
        cmocka_unit_test(arch_stands_if_it_is_thick),
        cmocka_unit_test(painleve),
        cmocka_unit_test(a_jam_is_found_beside_a_contact_that_may_stick),
        cmocka_unit_test(ties_stay_closed),
        cmocka_unit_test(regularised_modes),
        cmocka_unit_test(what_slips_fast_does_not_stick),
        cmocka_unit_test(random_scenes_fit),
        cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
