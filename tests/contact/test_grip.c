// Cells that look into many directions, in a world: forces change continuously where their normals do, and
// energy is accounted for.
#include "carom/mesh.h"
#include "contact/contact.h"
#include "math/eigen.h"
#include "scene.h"

typedef struct Case {
    caromModel *model;
    caromContactWorld *world;
    caromMesh *mesh;
    caromPose X[2];     // where bodies touch first
    caromSpatial V[2];
    double z[CAROM_BRISTLE_STATES];
    caromVec3 from, to; // B goes from there to there
} Case;

static void begin_case(Case *c, Scene *s, double bend)
{
    c->model = scene_end(s);
    assert_int_equal(carom_world_create(c->model, &c->world, NULL), CAROM_OK);
    carom_world_placed(c->world, c->X, c->V);
    assert_int_equal(carom_world_touch(c->world, 0, NAN, c->z, NULL, NULL), CAROM_OK);
    for (int i = 0; i < CAROM_BRISTLE_STATES; i++) c->z[i] = bend*sin(i + 1);
    c->V[1] = (caromSpatial){ { 3, 1, 2 }, { 0.1, 0.2, -0.3 } };
}

static void end_case(Case *c)
{
    carom_world_destroy(c->world);
    carom_model_destroy(c->model);
    carom_mesh_destroy(c->mesh);
}

static Scene scene_of(caromFrictionLaw law)
{
    Scene s = scene_begin();
    s.settings.friction_law = law;
    s.settings.too_deep = CAROM_DEEP_ERROR;  // the law alone, also where rods would be kept from going through
    scene_material(&s, "soft", 1000, 1e7, 0.3);
    caromPairDef pair = carom_model_pair_def("soft", "soft");
    pair.restitution = 0.5;
    pair.friction = 0.3;
    pair.rolling = 0.01;
    pair.torsion = 0.03;
    carom_builder_pair(s.builder, &pair);
    return s;
}

// Two rods that cross and go right through each other: where they are half way all forces cancel, and the
// mean normal turns round.
static Case crossing_rods(caromFrictionLaw law)
{
    Case c = { .from = { 0.002, 0.003, 0.0199 }, .to = { 0.002, 0.003, -0.0199 } };
    Scene s = scene_of(law);
    caromShapeDef shape[2] = { carom_model_shape_def(carom_shape_box(0.2, 0.02, 0.02)),
                               carom_model_shape_def(carom_shape_box(0.03, 0.2, 0.02)) };
    for (int i = 0; i < 2; i++) {
        caromBodyDef rod = scene_body(i ? "b" : "a", "soft", &shape[i]);
        rod.fixed = i == 0;
        rod.p_WB = i ? c.from : carom_vec(0, 0, 0);
        rod.v_WB = carom_vec(0, 0, i ? -0.1 : 0);
        if (i == 1) rod.q_WB = carom_quat_axis_angle(carom_vec(0, 0, 1), 0.1);
        scene_add(&s, &rod);
    }
    begin_case(&c, &s, 1e-5);
    return c;
}

// A ball over a groove with flanks at 60 degrees and level ground to both sides: cells come, go, and look into
// ever other directions.
static Case ball_over_groove(caromFrictionLaw law)
{
    Case c = { .from = { -0.3, 0.1, 0.0999 }, .to = { 0.3, 0.1, 0.0999 } };
    const double x[5] = { -0.5, -0.03, 0, 0.03, 0.5 }, z[5] = { 0, 0, -0.052, 0, 0 };
    caromVec3 v[10];
    int t[8][3];
    for (int i = 0; i < 5; i++) for (int k = 0; k < 2; k++) v[2*i + k] = carom_vec(x[i], k ? 1 : -1, z[i]);
    for (int i = 0; i < 4; i++) {
        const int two[2][3] = { { 2*i, 2*i + 2, 2*i + 3 }, { 2*i, 2*i + 3, 2*i + 1 } };
        memcpy(t[2*i], two, sizeof two);
    }
    c.mesh = carom_mesh_create(v, 10, (const int(*)[3])t, 8, NULL, NULL);
    assert_non_null(c.mesh);
    Scene s = scene_of(law);
    caromShapeDef shape = carom_model_shape_def(carom_shape_mesh(c.mesh));
    caromBodyDef ground = scene_body("ground", "soft", &shape);
    ground.fixed = true;
    scene_add(&s, &ground);
    scene_ball(&s, "ball", "soft", 0.1, c.from, carom_vec(0, 0, -0.1));
    begin_case(&c, &s, 1e-5);
    return c;
}

// A small ball through a narrow slot: from one flank to both and to the other, R down to 0.05 and less.
static Case ball_in_slot(caromFrictionLaw law)
{
    Case c = { .from = { -0.0003, 0, 0.2 }, .to = { 0.0003, 0, 0.2 } };
    const double x = 0.01;
    const caromVec3 v[6] = { { 0, -1, 0 }, { 0, 1, 0 }, { x, -1, 0.4 }, { x, 1, 0.4 }, { -x, -1, 0.4 },
                             { -x, 1, 0.4 } };
    const int t[4][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 5 }, { 0, 5, 4 } };
    c.mesh = carom_mesh_create(v, 6, t, 4, NULL, NULL);
    Scene s = scene_of(law);
    caromShapeDef shape = carom_model_shape_def(carom_shape_mesh(c.mesh));
    caromBodyDef slot = scene_body("slot", "soft", &shape);
    slot.fixed = true;
    scene_add(&s, &slot);
    scene_ball(&s, "ball", "soft", 0.0051, c.from, carom_vec(0, 0, -0.1));
    begin_case(&c, &s, 1e-6);
    return c;
}

static caromPose place(const Case *c, double part)
{
    return carom_pose(c->X[1].R, carom_add(carom_scale(1 - part, c->from), carom_scale(part, c->to)));
}

typedef struct Wrench {
    caromSpatial F;
    double dz[CAROM_BRISTLE_STATES];
    caromWorldPower power;
} Wrench;

static Wrench wrench_at(Case *c, caromPose X_B)
{
    Wrench out = { .dz = { 0 } };
    caromPose X[2] = { c->X[0], X_B };
    caromSpatial F[2];
    assert_int_equal(carom_world_place(c->world, 0, X, c->V, NULL), CAROM_OK);
    carom_world_wrenches(c->world, c->z, F, out.dz, &out.power);  // too deep half way, which does not matter
    out.F = F[1];
    return out;
}

typedef struct Path {
    double jump;     // largest change of force and torque over a length, from one point to the next [N]
    double largest;  // force
    double rate;     // largest change of rates of the bristles [m/s]
} Path;

static Path go(Case *c, int n)
{
    Path path = { 0 };
    Wrench last = wrench_at(c, place(c, 0));
    for (int i = 1; i <= n; i++) {
        Wrench now = wrench_at(c, place(c, (double)i/n));
        path.jump = fmax(path.jump, carom_norm(carom_sub(now.F.linear, last.F.linear)) +
                         carom_norm(carom_sub(now.F.angular, last.F.angular))/0.02);
        path.largest = fmax(path.largest, carom_norm(now.F.linear));
        for (int k = 0; k < CAROM_BRISTLE_STATES; k++) path.rate = fmax(path.rate, fabs(now.dz[k] - last.dz[k]));
        last = now;
    }
    return path;
}

// Ten times the steps, a tenth of the jumps where forces have a bounded slope; sqrt(K) has none where a cell begins to
// press, but falls to a third.
static void forces_do_not_jump(void **state)
{
    (void)state;
    for (int law = 0; law < CAROM_FRICTION_KINDS; law++) {
        for (int which = 0; which < 3; which++) {
            Case c = which == 0 ? crossing_rods((caromFrictionLaw)law) : which == 1
                         ? ball_over_groove((caromFrictionLaw)law) : ball_in_slot((caromFrictionLaw)law);
            Path coarse = go(&c, 500), fine = go(&c, 5000), finest = go(&c, 50000);
            CHECK(fine.jump < 0.35*coarse.jump && finest.jump < 0.35*fine.jump);
            // Over the groove it does not press, and the rate at which bristles are let go at the rim is that of a
            // stiffness sqrt(d): d^(1/4).
            if (law == CAROM_FRICTION_BRISTLE && which != 1)
                CHECK(fine.rate < 0.35*coarse.rate && finest.rate < 0.35*fine.rate);
            end_case(&c);
        }
    }
}

static caromPose moved(caromPose X, caromSpatial V, double t)
{
    double w = carom_norm(V.angular);
    return carom_pose(carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(carom_scale(1/w, V.angular), w*t)), X.R),
                      carom_axpy(t, V.linear, X.p));
}

// What is taken from the bodies is stored or lost, all along the way. Energies by central differences: bodies move by
// 2e-8 m at depths of 1e-4 m and more.
static void energy_is_accounted_for_all_the_way(void **state)
{
    (void)state;
    const double h = 1e-7;
    for (int law = 0; law < CAROM_FRICTION_KINDS; law++) {
        for (int which = 0; which < 3; which++) {
            Case c = which == 0 ? crossing_rods((caromFrictionLaw)law) : which == 1
                         ? ball_over_groove((caromFrictionLaw)law) : ball_in_slot((caromFrictionLaw)law);
            for (int i = 0; i <= 40; i++) {
                caromPose X = place(&c, (i + 0.3)/41);
                Wrench at = wrench_at(&c, X);
                double taken = -carom_dot(at.F.angular, c.V[1].angular) - carom_dot(at.F.linear, c.V[1].linear),
                       energy[2];
                for (int k = 0; k < 2; k++) {
                    double t = k ? h : -h, z[CAROM_BRISTLE_STATES];
                    caromPose there[2] = { c.X[0], moved(X, c.V[1], t) };
                    for (int j = 0; j < CAROM_BRISTLE_STATES; j++) z[j] = c.z[j] + t*at.dz[j];
                    assert_int_equal(carom_world_place(c.world, 0, there, c.V, NULL), CAROM_OK);
                    energy[k] = carom_world_energy(c.world, z);
                }
                double stored = (energy[1] - energy[0])/(2*h),
                       size = fabs(stored) + at.power.damping + at.power.friction + at.power.rolling + 1e-8*energy[0]/h;
                CHECK(at.power.damping >= 0 && at.power.friction >= 0 && at.power.rolling >= 0);
                CHECK_NEAR(taken, stored + at.power.damping + at.power.friction + at.power.rolling, 1e-5*size);
            }
            end_case(&c);
        }
    }
}

// A = sum values e e^T, to roundings of the largest; rows square to each other.
static void eigenvectors_make_the_matrix(void **state)
{
    (void)state;
    Random r = { 3 };
    for (int i = 0; i < 1000; i++) {
        double B[6][6], A[36], a[36], values[6], e[6][6];
        int rank = i % 7;
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 6; k++) B[j][k] = j < rank ? random_uniform(&r, -1, 1)*pow(10, -2*(j % 3)) : 0;
        double size = 0;
        for (int j = 0; j < 36; j++) {
            A[j] = 0;
            for (int k = 0; k < 6; k++) A[j] += B[k][j/6]*B[k][j % 6];
            a[j] = A[j];
            size = fmax(size, fabs(A[j]));
        }
        carom_symmetric_eigen(6, a, values, &e[0][0]);
        for (int j = 0; j < 36; j++) {
            double sum = 0, product = 0;
            for (int k = 0; k < 6; k++) {
                sum += values[k]*e[k][j/6]*e[k][j % 6];
                product += e[j/6][k]*e[j % 6][k];
            }
            CHECK_NEAR(sum, A[j], 1e-14*size);
            CHECK_NEAR(product, j % 7 == 0, 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_do_not_jump),
        cmocka_unit_test(energy_is_accounted_for_all_the_way),
        cmocka_unit_test(eigenvectors_make_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
