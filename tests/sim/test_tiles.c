// Simulations of meshes that press on meshes: they cost what their contacts cost, hang still, and come to rest.
#include "carom/mesh.h"
#include "mesh_fixture.h"
#include "scene.h"

#include "model/model.h"

static Scene scene_of(double E, double e, double mu)
{
    Scene s = scene_begin();
    scene_material(&s, "stuff", 1000, E, 0.3);
    scene_pair(&s, "stuff", "stuff", e, mu, 0);
    s.settings.tolerance = 1e-6;
    return s;
}

static void add_body(Scene *s, const char *name, caromShape shape, bool fixed, caromVec3 p, caromQuat q)
{
    caromShapeDef def = carom_model_shape_def(shape);
    caromBodyDef body = scene_body(name, "stuff", &def);
    body.fixed = fixed;
    body.p_WB = p;
    body.q_WB = q;
    scene_add(s, &body);
}

static caromMesh *globe_mesh(double radius, int n)
{
    Raw raw = globe(radius, n);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    return mesh;
}

// A body that falls on a fixed one, both meshes, and bounces off to the side.
static Record *drop(caromMesh *mesh, caromModel **model)
{
    Scene s = scene_of(1e7, 0.7, 0.2);
    s.settings.until = 0.15;
    add_body(&s, "base", carom_shape_mesh(mesh), true, carom_vec(0, 0, 0), carom_quat_identity());
    add_body(&s, "ball", carom_shape_mesh(mesh), false, carom_vec(0.003, 0.001, 0.11),
             carom_quat_axis_angle(carom_vec(0.6, 0, 0.8), 0.7));
    *model = scene_end(&s);
    Record *r = scene_run(*model);
    expect_completed(r);
    return r;
}

// With points 768 triangles took seven times the evaluations of a smooth contact, and finer ones more and more. Steps
// are as long on 12,288 triangles as on 768, to half as many again, and so is where it goes.
static void steps_do_not_shrink_with_the_mesh(void **state)
{
    (void)state;
    const int sides[3] = { 8, 16, 32 };
    long long least = 0, most = 0;
    caromVec3 last[3];
    for (int i = 0; i < 3; i++) {
        caromMesh *mesh = globe_mesh(0.05, sides[i]);
        caromModel *model;
        Record *r = drop(mesh, &model);
        long long evaluations = (long long)r->stats.evaluations;
        print_message("%d triangles: %lld evaluations\n", 12*sides[i]*sides[i], evaluations);
        least = i && least < evaluations ? least : evaluations;
        most = i && most > evaluations ? most : evaluations;
        last[i] = r->last_X[1].p;
        assert_true(r->nevent >= 2);
        // The energies of a step add up to a tenth of the tolerance: 200 steps of it.
        CHECK(fabs(r->last.energy.imbalance) <= 2e-5*0.52*9.81*0.1);
        free(r);
        carom_model_destroy(model);
        carom_mesh_destroy(mesh);
    }
    assert_true(2*most <= 3*least);
    // Twice as fine, a quarter of the error.
    assert_true(carom_norm(carom_sub(last[2], last[1])) < 0.6*carom_norm(carom_sub(last[1], last[0])));
}

// A link about x: a tube along a line that is two straights and two half circles.
static Raw link(double straight, double bend, double tube, int n, int m)
{
    Raw raw = torus(bend, tube, n, m);
    double length = 2*straight + 2*PI*bend;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = length*i/n, v = 2*PI*j/m, x, y, nx, ny, turn = 0;
            if (s < straight) {
                x = s - 0.5*straight, y = -bend, nx = 0, ny = -1;
            } else if (s < straight + PI*bend) {
                turn = (s - straight)/bend - 0.5*PI;
                nx = cos(turn), ny = sin(turn), x = 0.5*straight + bend*nx, y = bend*ny;
            } else if (s < 2*straight + PI*bend) {
                x = 0.5*straight - (s - straight - PI*bend), y = bend, nx = 0, ny = 1;
            } else {
                turn = (s - 2*straight - PI*bend)/bend + 0.5*PI;
                nx = cos(turn), ny = sin(turn), x = -0.5*straight + bend*nx, y = bend*ny;
            }
            raw.vertices[i*m + j] = carom_vec(x + tube*cos(v)*nx, y + tube*cos(v)*ny, tube*sin(v));
        }
    return raw;
}

// Every other one turned by a quarter about the vertical: it swings, rattles a little, and hangs still.
static void a_chain_of_eight_links_hangs_still(void **state)
{
    (void)state;
    enum { LINKS = 8 };
    Raw raw = link(0.03, 0.012, 0.004, 48, 16);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    Scene s = scene_of(1e7, 0.3, 0.3);
    s.settings.until = 1.0;
    s.settings.tolerance = 1e-5;
    caromQuat upright[2] = { carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5*PI), { 0.5, -0.5, -0.5, -0.5 } };
    char name[LINKS][8];
    for (int i = 0; i < LINKS; i++) {
        snprintf(name[i], sizeof name[i], "link%d", i);
        add_body(&s, name[i], carom_shape_mesh(mesh), i == 0, carom_vec(0, 0, -0.046*i), upright[i % 2]);
    }
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    double mass = model->bodies[1].props.mass, size = mass*9.81*0.046;
    print_message("%lld evaluations, %d events\n", (long long)r->stats.evaluations, r->nevent);
    for (int i = 1; i < LINKS; i++) {
        assert_true(carom_norm(r->last_V[i].linear) < 1e-3);
        // Hung up in its neighbour, one link below the other, by less than the tube is thick.
        CHECK_NEAR(r->last_X[i].p.z, -0.046*i, 0.1*0.004*i);
        CHECK_NEAR(r->last_X[i].p.x, 0, 1e-3);
        CHECK_NEAR(r->last_X[i].p.y, 0, 1e-3);
    }
    CHECK(fabs(r->last.energy.imbalance) <= 1e-3*size);
    free(r);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
}

// A sheet without an inside carries a block from either side, with the force of the area under it.
static void a_sheet_has_two_sides(void **state)
{
    (void)state;
    Raw raw = cube(0.1);
    raw.ntriangle = 2;  // its bottom
    for (int i = 0; i < raw.nvertex; i++) raw.vertices[i].z = 0;
    caromMesh *sheet = mesh_of(&raw, NULL), *block;
    raw_free(&raw);
    raw = cube(0.05);
    block = mesh_of(&raw, NULL);
    raw_free(&raw);
    double depth[2];
    for (int side = 0; side < 2; side++) {
        Scene s = scene_of(1e5, 0.3, 0.3);
        s.settings.until = 1.0;
        s.settings.gravity = carom_vec(0, 0, side ? 9.81 : -9.81);
        add_body(&s, "sheet", carom_shape_mesh(sheet), true, carom_vec(0, 0, 0), carom_quat_identity());
        add_body(&s, "block", carom_shape_mesh(block), false, carom_vec(0, 0, side ? -0.052 : 0.052),
                 carom_quat_identity());
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        assert_true(carom_norm(r->last_V[1].linear) < 1e-5);
        depth[side] = 0.05 - fabs(r->last_X[1].p.z);
        assert_true(depth[side] > 0 && (r->last_X[1].p.z > 0) == !side);
        free(r);
        carom_model_destroy(model);
    }
    // k = E*/l with l of the smaller surface, area 0.01 m^2, less half a cell of 2.5 mm around it where the field is
    // rounded.
    double E = 1e5/(1 - 0.09)/2, k = E/(0.877*sqrt(0.04/6)), flat = 9.81/(k*0.01);
    CHECK_NEAR(depth[0], flat, 0.1*flat);
    CHECK_NEAR(depth[0], depth[1], 5e-3*flat);  // nor do the cells lie alike above and below
    carom_mesh_destroy(sheet);
    carom_mesh_destroy(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_do_not_shrink_with_the_mesh), cmocka_unit_test(a_chain_of_eight_links_hangs_still),
        cmocka_unit_test(a_sheet_has_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
