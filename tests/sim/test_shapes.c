// Simulations with shapes that are not spheres or boxes.
#include "scene.h"

static caromBodyDef placed(const char *name, const caromShapeDef *shape, caromVec3 p)
{
    caromBodyDef def = scene_body(name, "stuff", shape);
    def.p_WB = p;
    return def;
}

static Scene scene_of(double e, double mu)
{
    Scene s = scene_begin();
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", e, mu, 0);
    s.settings.until = 0.8;
    s.settings.tolerance = 1e-8;
    return s;
}

static caromModel *ball_over_ring(double radius, caromVec3 p)
{
    Scene s = scene_of(0.5, 0.3);
    caromShapeDef ring = carom_model_shape_def(carom_shape_torus(0.2, 0.02)),
                  ball = carom_model_shape_def(carom_shape_sphere(radius));
    caromBodyDef a = placed("ring", &ring, carom_vec(0, 0, 0)), b = placed("ball", &ball, p);
    a.fixed = true;
    scene_add(&s, &a);
    scene_add(&s, &b);
    return scene_end(&s);
}

// Inside the hole the bodies are free although no plane parts them: nothing is touched, and the fall is that of a free
// body.
static void a_ball_falls_through_a_ring(void **state)
{
    (void)state;
    caromModel *model = ball_over_ring(0.1, carom_vec(0.03, 0, 1));
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent == 0);
    double g = -carom_model_settings(model)->gravity.z, t = r->last.time;
    CHECK_NEAR(r->last_X[1].p.z, 1.0 - 0.5*g*t*t, 1e-7);
    CHECK(r->stats.evaluations < 20000);
    free(r);
    carom_model_destroy(model);
}

// A wider one is caught, loses energy and never gains any.
static void a_ball_lands_in_a_ring(void **state)
{
    (void)state;
    caromModel *model = ball_over_ring(0.25, carom_vec(0.01, 0, 0.22));
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent > 0);
    CHECK(r->lowest[1] > 0.05);  // it stays above: sqrt(0.27^2 - 0.2^2) = 0.18 in the middle
    CHECK(r->largest_total <= r->first_total + 1e-6*fabs(r->first_total));
    free(r);
    carom_model_destroy(model);
}

// Elastic and without friction: the ledger closes for an ellipsoid and a polytope on a plane, each with its own law.
static void elastic_bounces_keep_energy(const caromShape *shape)
{
    Scene s = scene_of(1.0, 0.0);
    scene_floor(&s, "stuff");
    caromShapeDef def = carom_model_shape_def(*shape);
    caromBodyDef b = placed("body", &def, carom_vec(0, 0, 0.4));
    b.w_WB = carom_vec(3, 2, 1);
    scene_add(&s, &b);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent > 0);
    double total = r->last.energy.kinetic + r->last.energy.potential + r->last.energy.elastic,
           scale = 9.80665*0.4*carom_shape_mass(*shape, 1000).mass;
    CHECK_NEAR(total, r->first_total, 1e-5*scale);
    free(r);
    carom_model_destroy(model);
}

static void an_elastic_ellipsoid_keeps_its_energy(void **state)
{
    (void)state;
    caromShape egg = carom_shape_ellipsoid(0.1, 0.07, 0.05);
    elastic_bounces_keep_energy(&egg);
}

static void an_elastic_polytope_keeps_its_energy(void **state)
{
    (void)state;
    const caromVec3 corners[6] = { { 0.1, 0, 0 }, { -0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, -0.1, 0 }, { 0, 0, 0.1 },
                                   { 0, 0, -0.1 } };
    caromHull *hull = carom_hull_create(corners, 6, 0.0, NULL);
    caromShape die = carom_shape_polytope(hull);
    elastic_bounces_keep_energy(&die);
    carom_hull_destroy(hull);
}

static int refusals(caromShape a, caromShape b, char *first, size_t n)
{
    Scene s = scene_of(0.5, 0.3);
    caromShapeDef da = carom_model_shape_def(a), db = carom_model_shape_def(b);
    caromBodyDef fixed = placed("one", &da, carom_vec(0, 0, 0)), free_body = placed("other", &db, carom_vec(0, 0, 5));
    fixed.fixed = true;
    free_body.mass = 1;  // an open mesh has none
    free_body.com = carom_vec(0, 0, 0);
    free_body.inertia = carom_mat_identity();
    scene_add(&s, &fixed);
    scene_add(&s, &free_body);
    caromModel *model = scene_end(&s);
    caromProblems problems = { 0 };
    carom_patch_check_start(model, &problems);
    int errors = problems.errors;
    snprintf(first, n, "%s", errors ? problems.items[0].message : "");
    carom_problems_free(&problems);
    carom_model_destroy(model);
    return errors;
}

static caromMesh *open_mesh(void)
{
    static const caromVec3 v[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const int t[3][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 } };
    caromMesh *mesh = carom_mesh_create(v, 4, t, 3, NULL, NULL);
    CHECK(mesh != NULL);
    return mesh;
}

static void contacts_without_a_law_are_refused(void **state)
{
    (void)state;
    char text[512];
    caromMesh *mesh = open_mesh();
    CHECK(refusals(carom_shape_mesh(mesh), carom_shape_mesh(mesh), text, sizeof text) == 1);
    CHECK(strstr(text, "neither has an inside to press into") != NULL);
    // It presses into what has an inside.
    CHECK(refusals(carom_shape_mesh(mesh), carom_shape_cylinder(0.1, 0.2), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_mesh(mesh), carom_shape_box(1, 1, 1), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_mesh(mesh), carom_shape_sphere(0.1), text, sizeof text) == 0);
    carom_mesh_destroy(mesh);
    CHECK(refusals(carom_shape_box(1, 1, 1), carom_shape_cylinder(0.1, 0.2), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_half_space(), carom_shape_rounded(carom_shape_box(1, 1, 1), 0.1), text,
                   sizeof text) == 0);
    CHECK(refusals(carom_shape_box(1, 1, 1), carom_shape_rounded(carom_shape_box(1, 1, 1), 0.1), text,
                   sizeof text) == 0);
    CHECK(refusals(carom_shape_half_space(), carom_shape_capsule(0.1, 0.2), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_box(1, 1, 1), carom_shape_cone(0.1, 0, 0.2), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_torus(1, 0.1), carom_shape_rounded(carom_shape_box(1, 1, 1), 0.1), text,
                   sizeof text) == 0);
    // They may line up, which is seen at the touch.
    CHECK(refusals(carom_shape_torus(1, 0.1), carom_shape_capsule(0.1, 0.2), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_cylinder(1, 0.1), carom_shape_cone(0.1, 0, 0.2), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_torus(1, 0.1), carom_shape_ellipsoid(0.1, 0.2, 0.3), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_cone(1, 0, 1), carom_shape_sphere(0.1), text, sizeof text) == 0);
    CHECK(refusals(carom_shape_half_space(), carom_shape_box(1, 1, 1), text, sizeof text) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_falls_through_a_ring),
        cmocka_unit_test(a_ball_lands_in_a_ring),
        cmocka_unit_test(an_elastic_ellipsoid_keeps_its_energy),
        cmocka_unit_test(an_elastic_polytope_keeps_its_energy),
        cmocka_unit_test(contacts_without_a_law_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
