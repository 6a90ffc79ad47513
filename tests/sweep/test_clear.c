// For how long pairs of a model are certainly apart: never longer than they are, and long where they part, however
// close they are and however fast they turn.
#include "sweep/clear.h"

#include "collide_fixture.h"
#include "mesh_fixture.h"
#include "scene.h"

#if defined(__SANITIZE_ADDRESS__)
enum { CASES = 500, MESH_CASES = 40 };
#else
enum { CASES = 5000, MESH_CASES = 100 };
#endif

// Centre of mass with a constant acceleration, turning about an axis that stays, with a constant angular acceleration.
typedef struct Motion {
    caromPose X;
    caromVec3 v, a, axis;
    double w, alpha;
} Motion;

static caromPose pose_then(const Motion *m, double t)
{
    caromMat3 turn = carom_quat_matrix(carom_quat_axis_angle(m->axis, t*(m->w + 0.5*m->alpha*t)));
    return carom_pose(carom_mat_mul(turn, m->X.R), carom_axpy(0.5*t*t, m->a, carom_axpy(t, m->v, m->X.p)));
}

typedef struct Two {
    caromModel *model;
    caromKin kin;
    Motion motion[2];
    caromMotionBound bounds[2];
} Two;

// Blocks of triangles, and a ring of them.
enum { MESHES = 3 };
static caromMesh *meshes[MESHES];

static int make_meshes(void **state)
{
    (void)state;
    Raw raw[MESHES] = { cube(0.5), cube(0.03), torus(0.6, 0.2, 12, 8) };
    for (int i = 0; i < MESHES; i++) {
        meshes[i] = mesh_of(&raw[i], NULL);
        raw_free(&raw[i]);
    }
    return 0;
}

static int free_meshes(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) carom_mesh_destroy(meshes[i]);
    return 0;
}

static caromShape random_mesh(Random *r)
{
    return carom_shape_mesh(meshes[random_uniform(r, 0, 1) < 0.5 ? 0 : 2]);
}

// Shapes that are the same on both sides of their middle: their centre of mass is where their origin is.
static caromShape random_even(Random *r)
{
    caromShape s = random_convex(r);
    while (s.kind == CAROM_CONE) s = random_convex(r);
    return s;
}

// Rigid meshes meet others themselves, compliant ones by points of their surfaces.
static caromResponse response = CAROM_RESPONSE_RIGID;

static void make_model(Two *two, const caromShape shape[2])
{
    static const char *const names[2] = { "a", "b" };
    Scene s = scene_begin();
    s.settings.response = response;
    for (int i = 0; i < 2; i++) {
        caromShapeDef def = carom_model_shape_def(shape[i]);
        caromBodyDef body = scene_body(names[i], "steel", &def);
        scene_add(&s, &body);
    }
    two->model = scene_end(&s);
    CHECK(carom_kin_alloc(two->model, &two->kin));
}

static void release(Two *two)
{
    carom_kin_free(&two->kin);
    carom_model_destroy(two->model);
}

static void place(Two *two, double t)
{
    caromPose X[2];
    caromSpatial V[2];
    for (int i = 0; i < 2; i++) {
        const Motion *m = &two->motion[i];
        X[i] = pose_then(m, t);
        V[i] = (caromSpatial){ .angular = carom_scale(m->w + m->alpha*t, m->axis),
                               .linear = carom_axpy(t, m->a, m->v) };
    }
    carom_kin_place(two->model, X, V, &two->kin);
}

static void bound(Two *two, double dt)
{
    for (int i = 0; i < 2; i++) {
        const Motion *m = &two->motion[i];
        two->bounds[i] = (caromMotionBound){ .acceleration = carom_norm(m->a), .angular_acceleration = fabs(m->alpha),
                                             .angular_speed = fmax(fabs(m->w), fabs(m->w + m->alpha*dt)),
                                             .speed = carom_norm(m->v) + carom_norm(m->a)*fabs(dt) };
    }
}

static caromGap gap_at(Two *two, double t)
{
    place(two, t);
    return carom_patch_gap(two->model, &two->kin, 0);
}

// B is moved until the gap is g, and pushed until the nearest points part at the rate.
static void bring_to(Two *two, double g, double rate)
{
    for (int i = 0; i < 3; i++) {
        caromGap gap = gap_at(two, 0);
        two->motion[1].X.p = carom_axpy(g - gap.g, gap.n_AB, two->motion[1].X.p);
    }
    caromGap gap = gap_at(two, 0);
    double now = carom_dot(gap.n_AB, carom_sub(carom_kin_point_velocity(&two->kin, 1, gap.p_B),
                                               carom_kin_point_velocity(&two->kin, 0, gap.p_A)));
    two->motion[1].v = carom_axpy(rate - now, gap.n_AB, two->motion[1].v);
}

static void random_motion(Random *r, Two *two)
{
    for (int i = 0; i < 2; i++) {
        two->motion[i] = (Motion){ .X = random_pose(r, 1), .v = random_vec(r, 1), .a = random_vec(r, 10),
                                   .axis = carom_unit_or(random_vec(r, 1), carom_vec(0, 0, 1)),
                                   .w = pow(10, random_uniform(r, -2, 1.3)), .alpha = random_uniform(r, -30, 30) };
    }
}

static caromShape random_ring(Random *r)
{
    double R = random_uniform(r, 0.2, 1);
    return carom_shape_torus(R, R*random_uniform(r, 0.05, 0.9));
}

// seldom: of so many certificates at least this part is of the whole time, and as many are shorter.
static void try_all(Random r, caromShape (*first)(Random *), caromShape (*second)(Random *), int cases, int seldom)
{
    int whole = 0, early = 0;
    for (int k = 0; k < cases; k++) {
        Two two;
        caromShape a = first(&r), b = second(&r);
        make_model(&two, (caromShape[]){ a, b });
        random_motion(&r, &two);
        double g = pow(10, random_uniform(&r, -13, -1)), dt = pow(10, random_uniform(&r, -6, 0)),
               rate = pow(10, random_uniform(&r, -6, 0));
        bring_to(&two, g, random_uniform(&r, 0, 1) < 0.5 ? rate : -rate);
        if (random_uniform(&r, 0, 1) < 0.5) dt = -dt;
        bound(&two, dt);
        place(&two, 0);
        double clear = carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, dt, 0);
        CHECK(clear >= 0 && clear <= fabs(dt));
        whole += clear == fabs(dt);
        early += clear < fabs(dt) && clear > 0;
        for (int i = 1; i <= 24 && clear > 0; i++) {  // what was not brought apart overlaps at once
            double part = i <= 12 ? pow(0.1, 12 - i) : (i - 12)/12.0, least = gap_at(&two, copysign(part*clear, dt)).g;
            if (least < -1e-14) fail_msg("case %d: gap %g at %g of %g", k, least, part*clear, clear);  // sizes are 1
        }
        release(&two);
    }
    CHECK(whole > cases/seldom && early > cases/seldom);
}

static void nothing_meets_before_its_time(void **state)
{
    (void)state;
    try_all((Random){ 41 }, random_even, random_even, CASES, 10);
}

// Inside the hole, around the tube, across each other.
static void nothing_meets_a_ring_before_its_time(void **state)
{
    (void)state;
    try_all((Random){ 42 }, random_ring, random_even, CASES/5, 10);
    try_all((Random){ 43 }, random_even, random_ring, CASES/10, 10);
    try_all((Random){ 44 }, random_ring, random_ring, CASES/5, 10);
    try_all((Random){ 45 }, random_ring, random_mesh, MESH_CASES, 10);
}

static void no_point_of_a_mesh_enters_before_its_time(void **state)
{
    (void)state;
    response = CAROM_RESPONSE_COMPLIANT;
    try_all((Random){ 46 }, random_even, random_mesh, MESH_CASES, 10);
    response = CAROM_RESPONSE_RIGID;
}

// An ellipsoid over a cube of triangles, from 1e-12 m (gaps of points are found to 1e-15 of their reach).
static void points_that_part_are_clear_until_their_rate_may_turn(void **state)
{
    (void)state;
    Two two;
    response = CAROM_RESPONSE_COMPLIANT;
    make_model(&two, (caromShape[]){ carom_shape_mesh(meshes[1]), carom_shape_ellipsoid(0.03, 0.04, 0.05) });
    two.motion[0] = (Motion){ .X = carom_pose_identity(), .a = carom_vec(0, 0, -9.81), .axis = carom_vec(0.6, 0, 0.8),
                              .w = 3 };
    two.motion[1] = (Motion){ .X = carom_pose(carom_mat_identity(), carom_vec(0.01, 0.005, 0.09)),
                              .axis = carom_vec(0, 0.6, 0.8), .w = -2, .v = carom_vec(0.3, 0, 0) };
    for (int way = -1; way <= 1; way += 2) {
        bring_to(&two, 1e-12, way*1e-3);
        bound(&two, 1e-2);
        place(&two, 0);
        CHECK(carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, way*1e-2, 0) > 2e-3/200);
    }
    response = CAROM_RESPONSE_RIGID;
    release(&two);
}

// Two cubes, a corner over a face and an edge across an edge: from 1e-14 m they part at 1e-5 m/s while they turn. Along
// a fixed direction the far corners of the face come forward, and 1e-14 s would be certain.
static void what_parts_is_clear_until_its_rate_may_turn(void **state)
{
    (void)state;
    const caromShape cube = carom_shape_box(0.1, 0.1, 0.1);
    const double c = sqrt(0.5), up = acos(sqrt(1/3.0));
    const caromQuat about_x = carom_quat_axis_angle(carom_vec(1, 0, 0), 0.25*CAROM_PI),
                    about_y = carom_quat_axis_angle(carom_vec(0, 1, 0), 0.25*CAROM_PI),
                    on_corner = carom_quat_axis_angle(carom_vec(c, -c, 0), up);
    const caromQuat turned[2][2] = { { { 1, 0, 0, 0 }, on_corner }, { about_x, about_y } };
    for (int k = 0; k < 2; k++) {
        Two two;
        make_model(&two, (caromShape[]){ cube, cube });
        for (int i = 0; i < 2; i++) {
            two.motion[i] = (Motion){ .X = carom_pose(carom_quat_matrix(turned[k][i]), carom_vec(0, 0, 0.3*i)),
                                      .a = carom_vec(0, 0, -9.81), .axis = carom_vec(0.6, 0, 0.8), .w = 3 - 5*i };
        }
        bring_to(&two, 1e-14, 1e-5);
        bound(&two, 1e-3);
        place(&two, 0);
        // 2 rate/K, K of some accelerations of gravity and squares of angular speeds times sizes
        double clear = carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, 1e-3, 0);
        CHECK(clear > 2e-5/100);
        // And as long in the past, where they are as far apart when they came together at that rate.
        bring_to(&two, 1e-14, -1e-5);
        place(&two, 0);
        CHECK(carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, -1e-3, 0) > 2e-5/100);
        release(&two);
    }
}

// A ball, a block and one of triangles in the hole of a ring, and a link of a chain in another: no plane lies between
// them.
static void what_parts_inside_a_ring_is_clear_as_long(void **state)
{
    (void)state;
    const caromShape ring = carom_shape_torus(0.1, 0.03), inside[] = { carom_shape_sphere(0.05),
                                                                       carom_shape_box(0.04, 0.03, 0.05),
                                                                       carom_shape_mesh(meshes[1]), ring };
    for (int k = 0; k < 4; k++) {
        Two two;
        make_model(&two, (caromShape[]){ inside[k], ring });
        caromQuat across = carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*CAROM_PI);
        caromVec3 beside = carom_vec(k == 3 ? 0.1 : 0.01, 0, 0);
        two.motion[0] = (Motion){ .X = carom_pose(carom_quat_matrix(across), beside), .axis = carom_vec(0.6, 0, 0.8),
                                  .a = carom_vec(0, 0, -9.81), .w = 3 };
        two.motion[1] = (Motion){ .X = carom_pose_identity(), .axis = carom_vec(0, 0.6, 0.8), .w = -2 };
        bring_to(&two, 1e-14, 1e-5);
        bound(&two, 1e-3);
        place(&two, 0);
        double clear = carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, 1e-3, 0);
        CHECK(clear > 2e-5/200);
        // Arcs are certain for half of the time at least. What is far less is certain as a whole.
        for (double less = 0.25*clear; less > 1e-3*clear; less *= 0.25)
            CHECK(carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, less, 0) == less);
        bring_to(&two, 1e-14, -1e-5);
        place(&two, 0);
        CHECK(carom_sweep_clear_time(two.model, &two.kin, two.bounds, 0, -1e-3, 0) > 2e-5/200);
        release(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_meets_before_its_time),
        cmocka_unit_test(nothing_meets_a_ring_before_its_time),
        cmocka_unit_test(no_point_of_a_mesh_enters_before_its_time),
        cmocka_unit_test(points_that_part_are_clear_until_their_rate_may_turn),
        cmocka_unit_test(what_parts_is_clear_until_its_rate_may_turn),
        cmocka_unit_test(what_parts_inside_a_ring_is_clear_as_long),
    };
    return cmocka_run_group_tests(tests, make_meshes, free_meshes);
}
