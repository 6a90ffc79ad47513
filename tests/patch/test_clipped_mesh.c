// A closed mesh on plane faces: against closed forms, against its energy, along paths.
#include "collide_fixture.h"
#include "mesh_fixture.h"

#include "geometry/geometry.h"
#include "patch/fields.h"
#include "patch/table.h"

typedef struct Sum {
    caromVec3 force, torque;  // on b, about Xb.p
    double depth;
    int ncell;
} Sum;

static Sum pressed(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    static caromPatch patch;
    bool swapped;
    const caromPatchRow *row = carom_patch_row(&a, &b, &swapped);
    assert_ptr_equal(row, &carom_patch_clipped);
    assert_false(swapped);
    row->patch(&a, Xa, &b, Xb, &patch);
    Sum s = { .depth = patch.depth, .ncell = patch.ncell };
    for (int i = 0; i < patch.ncell; i++) {
        caromVec3 f = carom_scale(patch.cells[i].weight, patch.cells[i].n_AB);
        s.force = carom_add(s.force, f);
        s.torque = carom_add(s.torque, carom_cross(carom_sub(patch.cells[i].p_W, Xb.p), f));
    }
    return s;
}

static double energy(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    return carom_patch_clipped.energy(&a, Xa, &b, Xb);
}

// ---- meshes that are not convex

static void extrude(const double (*outline)[2], int n, const int (*caps)[3], int ncap, double half, Raw *raw)
{
    *raw = raw_alloc(2*n, 2*ncap + 2*n);
    int t = 0;
    for (int i = 0; i < n; i++) {
        raw->vertices[i] = carom_vec(outline[i][0], -half, outline[i][1]);
        raw->vertices[n + i] = carom_vec(outline[i][0], half, outline[i][1]);
    }
    for (int i = 0; i < ncap; i++) {  // the outline runs counter-clockwise in (x, z): seen from -y
        set_triangle(raw, t++, caps[i][0], caps[i][1], caps[i][2]);
        set_triangle(raw, t++, n + caps[i][0], n + caps[i][2], n + caps[i][1]);
    }
    for (int i = 0; i < n; i++) {
        int j = (i + 1)%n;
        set_triangle(raw, t++, i, n + j, j);
        set_triangle(raw, t++, i, n + i, n + j);
    }
}

enum { BRICK, ELL, YOU, RING, MESHES };
static caromMesh *meshes[MESHES];
static caromHull *hull_20, *brick_hull;

static int make_meshes(void **state)
{
    (void)state;
    static const double ell[6][2] = { { -0.2, -0.2 }, { 0.2, -0.2 }, { 0.2, -0.1 }, { -0.1, -0.1 }, { -0.1, 0.2 },
                                      { -0.2, 0.2 } };
    static const int ell_caps[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 5 } };
    // Legs down.
    static const double you[8][2] = { { -0.2, -0.2 }, { -0.1, -0.2 }, { -0.1, 0.1 }, { 0.1, 0.1 }, { 0.1, -0.2 },
                                      { 0.2, -0.2 }, { 0.2, 0.2 }, { -0.2, 0.2 } };
    static const int you_caps[6][3] = { { 0, 1, 2 }, { 0, 2, 7 }, { 2, 3, 7 }, { 3, 6, 7 }, { 3, 4, 6 }, { 4, 5, 6 } };
    Raw raw[MESHES] = { [BRICK] = box(carom_vec(-0.15, -0.25, -0.35), carom_vec(0.15, 0.25, 0.35)),
                        [RING] = torus(0.2, 0.08, 16, 8) };
    extrude(ell, 6, ell_caps, 4, 0.15, &raw[ELL]);
    extrude(you, 8, you_caps, 6, 0.15, &raw[YOU]);
    for (int i = 0; i < MESHES; i++) {
        caromMeshReport report;
        meshes[i] = mesh_of(&raw[i], &report);
        assert_true(report.is_closed && report.is_oriented && report.crossings == 0);
        raw_free(&raw[i]);
    }
    CHECK_NEAR(carom_mesh_mass(meshes[ELL], 1).mass, 0.3*(0.4*0.4 - 0.3*0.3), 1e-15);
    CHECK_NEAR(carom_mesh_mass(meshes[YOU], 1).mass, 0.3*(0.4*0.4 - 0.2*0.3), 1e-15);
    Random r = { 5 };
    caromVec3 points[20], corners[8];
    for (int k = 0; k < 20; k++) points[k] = carom_scale(0.3, carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)));
    for (int k = 0; k < 8; k++) corners[k] = carom_vec(k & 1 ? 0.2 : -0.2, k & 2 ? 0.2 : -0.2, k & 4 ? 0.3 : -0.3);
    hull_20 = carom_hull_create(points, 20, 0, NULL);
    brick_hull = carom_hull_create(corners, 8, 0, NULL);
    assert_non_null(hull_20);
    assert_non_null(brick_hull);
    return 0;
}

static int free_meshes(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) carom_mesh_destroy(meshes[i]);
    carom_hull_destroy(hull_20);
    carom_hull_destroy(brick_hull);
    return 0;
}

static caromShape mesh_shape(int i)
{
    return carom_shape_mesh(meshes[i]);
}

static caromPose tilted(double angle, caromVec3 axis, double x, double y, double z)
{
    return carom_pose(carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(axis, carom_vec(0, 0, 1)), angle)),
                      carom_vec(x, y, z));
}

// ---- closed forms

// A half-space pushes with what A displaces (Archimedes): W is the integral of depth below the plane over the solid,
// its derivative with height the volume below.
static void a_half_space_pushes_like_a_liquid(void **state)
{
    (void)state;
    const caromShape ground = carom_shape_half_space();
    for (int k = 0; k < 3; k++) {  // flat
        double d = k == 0 ? 1e-2 : k == 1 ? 1e-5 : 1e-9;
        Sum s = pressed(mesh_shape(BRICK), pose_at(0, 0, 0.35 - d), ground, pose_at(0, 0, 0));
        double rounding = 4e-16/d;
        CHECK_VEC(s.force, carom_vec(0, 0, -0.15*d), (1e-13 + rounding)*0.15*d);
        CHECK_VEC(s.torque, carom_vec(0, 0, 0), (1e-13 + rounding)*0.15*d);
        CHECK_NEAR(s.depth, d, rounding*d);
        CHECK_NEAR(energy(mesh_shape(BRICK), pose_at(0, 0, 0.35 - d), ground, pose_at(0, 0, 0)), 0.5*0.15*d*d,
                   (1e-13 + 2*rounding)*0.15*d*d);
    }
    // On an edge, tilted by f: a wedge of cross-section d^2/(2 sin f cos f).
    double f = 0.4, d = 0.01, edge = 0.15*sin(f) + 0.35*cos(f);
    Sum s = pressed(mesh_shape(BRICK), tilted(f, carom_vec(0, 1, 0), 0, 0, edge - d), ground, pose_at(0, 0, 0));
    double volume = 0.5*d*d/(sin(f)*cos(f))*0.5;
    CHECK_VEC(s.force, carom_vec(0, 0, -volume), 1e-12*volume);
    // The legs of a table: two faces of 0.1 x 0.3.
    s = pressed(mesh_shape(YOU), pose_at(0.3, 0.2, 0.2 - 1e-4), ground, pose_at(0, 0, 0));
    CHECK_VEC(s.force, carom_vec(0, 0, -0.06*1e-4), 1e-10*0.06*1e-4);
    CHECK_VEC(s.torque, carom_cross(carom_vec(0.3, 0.2, 0), s.force), 1e-10*1e-6);
    // All of it: the weight of the displaced volume at its centre of mass.
    Random r = { 3 };
    for (int k = 0; k < 20; k++) {
        int which = k % MESHES;
        caromPose Xa = random_pose(&r, 0.1);
        Xa.p.z = -0.6;
        s = pressed(mesh_shape(which), Xa, ground, pose_at(0, 0, 0));
        caromMassProps m = carom_mesh_mass(meshes[which], 1);
        caromVec3 com = carom_pose_point(Xa, m.com);
        CHECK_VEC(s.force, carom_vec(0, 0, -m.mass), 1e-13);
        CHECK_VEC(s.torque, carom_cross(com, carom_vec(0, 0, -m.mass)), 1e-13);
        CHECK_NEAR(energy(mesh_shape(which), Xa, ground, pose_at(0, 0, 0)), -com.z*m.mass, 1e-13);
    }
}

static double depth_in(caromShape s, caromVec3 x)
{
    if (s.kind == CAROM_HALF_SPACE) return -x.z;
    if (s.kind == CAROM_BOX)
        return fmin(0.5*s.size.x - fabs(x.x), fmin(0.5*s.size.y - fabs(x.y), 0.5*s.size.z - fabs(x.z)));
    double d = INFINITY;
    for (int i = 0; i < s.hull->nface; i++) d = fmin(d, s.hull->offsets[i] - carom_dot(s.hull->normals[i], x));
    return d;
}

// W by the midpoint rule over a box of half size `half` about B, asking whether points are in the mesh.
static double energy_on_grid(caromShape a, caromPose Xa, caromShape b, caromPose Xb, double half, int n)
{
    double sum = 0, step = 2*half/n;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) {
        caromVec3 x = carom_vec((i + 0.5)*step - half, (j + 0.5)*step - half, (k + 0.5)*step - half);
        double d = depth_in(b, x);
        if (d > 0 && carom_collide_contains(a, Xa, carom_pose_point(Xb, x))) sum += d;
    }
    return sum*step*step*step;
}

static void energy_is_the_integral_of_the_depth(void **state)
{
    (void)state;
    Random r = { 14 };
    for (int k = 0; k < 12; k++) {
        caromShape a = mesh_shape(k % MESHES), b = k % 3 == 0 ? carom_shape_box(0.4, 0.3, 0.5) : k % 3 == 1
                                                       ? carom_shape_polytope(hull_20) : carom_shape_box(0.2, 0.5, 0.3);
        caromPose Xa = random_pose(&r, 0.15), Xb = random_pose(&r, 0.15);
        double exact = energy(a, Xa, b, Xb), grid = energy_on_grid(a, Xa, b, Xb, 0.3, 30);
        CHECK_NEAR(grid, exact, 3e-2*exact + 2e-6);  // points of 20 mm that are in or out as a whole
    }
}

// ---- force and energy

static void check_gradient(caromShape a, caromPose Xa, caromShape b, caromPose Xb, double step, double tolerance)
{
    Sum s = pressed(a, Xa, b, Xb);
    for (int axis = 0; axis < 3; axis++) {
        caromVec3 e = { axis == 0, axis == 1, axis == 2 };
        double work[2], turn[2];
        for (int i = 0; i < 2; i++) {  // Richardson: fourth order from two second-order differences
            double h = i ? step : 2*step;
            caromPose up = { Xb.R, carom_axpy(h, e, Xb.p) }, down = { Xb.R, carom_axpy(-h, e, Xb.p) };
            work[i] = -(energy(a, Xa, b, up) - energy(a, Xa, b, down))/(2*h);
            caromMat3 plus = carom_quat_matrix(carom_quat_axis_angle(e, h)),
                      minus = carom_quat_matrix(carom_quat_axis_angle(e, -h));
            caromPose turned = { carom_mat_mul(plus, Xb.R), Xb.p }, back = { carom_mat_mul(minus, Xb.R), Xb.p };
            turn[i] = -(energy(a, Xa, b, turned) - energy(a, Xa, b, back))/(2*h);
        }
        CHECK_NEAR((4*work[1] - work[0])/3, carom_at(s.force, axis), tolerance*carom_norm(s.force));
        CHECK_NEAR((4*turn[1] - turn[0])/3, carom_at(s.torque, axis), tolerance*carom_norm(s.force));
    }
}

static caromShape partner(int k)
{
    switch (k % 4) {
    case 0: return carom_shape_half_space();
    case 1: return carom_shape_box(0.4, 0.3, 0.5);
    case 2: return carom_shape_polytope(hull_20);
    default: return carom_shape_polytope(brick_hull);
    }
}

static void force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 15 };
    int touching = 0;
    for (int k = 0; k < share_of(80); k++) {
        caromShape a = mesh_shape(k/4 % MESHES), b = partner(k);
        caromPose Xa = random_pose(&r, 0.25), Xb = random_pose(&r, 0.25);
        if (carom_norm(pressed(a, Xa, b, Xb).force) < 1e-4) continue;
        touching++;
        check_gradient(a, Xa, b, Xb, 1e-4, 1e-6);
    }
    assert_true(touching > share_of(40));
}

// ---- the same for mirrored, moved and finer

static void a_box_is_a_polytope_and_a_large_one_a_half_space(void **state)
{
    (void)state;
    Random r = { 9 };
    caromVec3 corners[8];
    for (int k = 0; k < 8; k++) corners[k] = carom_vec(k & 1 ? 4 : -4, k & 2 ? 4 : -4, k & 4 ? 0 : -8);
    caromHull *hull = carom_hull_create(corners, 8, 0, NULL);
    for (int k = 0; k < share_of(40); k++) {
        caromShape a = mesh_shape(k % MESHES);
        caromPose Xa = random_pose(&r, 0.3), ground = pose_at(0, 0, 0);
        Sum s[3] = {
            pressed(a, Xa, carom_shape_half_space(), ground), pressed(a, Xa, carom_shape_polytope(hull), ground),
            pressed(a, Xa, carom_shape_box(8, 8, 8), pose_at(0, 0, -4))
        };
        double W[3] = {
            energy(a, Xa, carom_shape_half_space(), ground), energy(a, Xa, carom_shape_polytope(hull), ground),
            energy(a, Xa, carom_shape_box(8, 8, 8), pose_at(0, 0, -4))
        };
        s[2].torque = carom_add(s[2].torque, carom_cross(carom_vec(0, 0, -4), s[2].force));
        for (int i = 1; i < 3; i++) {
            CHECK_VEC(s[i].force, s[0].force, 1e-13);
            CHECK_VEC(s[i].torque, s[0].torque, 1e-13);
            CHECK_NEAR(W[i], W[0], 1e-14);
        }
    }
    carom_hull_destroy(hull);
}

static void moving_both_moves_the_force(void **state)
{
    (void)state;
    Random r = { 10 };
    for (int k = 0; k < share_of(40); k++) {
        caromShape a = mesh_shape(k % MESHES), b = partner(k/4);
        caromPose Xa = random_pose(&r, 0.25), Xb = random_pose(&r, 0.25), move = random_pose(&r, 1.0);
        Sum s = pressed(a, Xa, b, Xb), moved = pressed(a, carom_pose_mul(move, Xa), b, carom_pose_mul(move, Xb));
        CHECK_VEC(moved.force, carom_mul(move.R, s.force), 1e-14);
        CHECK_VEC(moved.torque, carom_mul(move.R, s.torque), 1e-14);
    }
}

// A triangle that lies in the plane where two faces are as near: it belongs to one of them.
static void a_face_between_two_cells_counts_once(void **state)
{
    (void)state;
    // The top of the brick lies in the diagonal plane of the cube, on which its faces +x and +z are equally near.
    caromPose Xb = tilted(-0.25*PI, carom_vec(0, 1, 0), 0, 0, 0);
    Sum on = pressed(mesh_shape(BRICK), pose_at(0, 0, -0.35), carom_shape_box(0.2, 0.2, 0.2), Xb);
    for (int k = 0; k < 2; k++) {
        double off = k ? 1e-9 : -1e-9;
        Sum beside = pressed(mesh_shape(BRICK), pose_at(0, 0, -0.35 + off), carom_shape_box(0.2, 0.2, 0.2), Xb);
        CHECK_VEC(on.force, beside.force, 1e-9*0.1);
    }
}

// More pieces than there are cells: neighbours are lumped together, and the force stays exact. (So does the torque
// where neighbours have one normal.)
static void more_pieces_than_cells_keep_the_force(void **state)
{
    (void)state;
    Raw raw = torus(0.2, 0.08, 100, 40);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    assert_true(8000 > CAROM_CELLS_MAX);
    double volume = carom_mesh_mass(mesh, 1).mass;
    Sum s = pressed(carom_shape_mesh(mesh), tilted(0.3, carom_vec(1, 2, 3), 0.1, 0.2, -1), carom_shape_half_space(),
                    pose_at(0, 0, 0));
    assert_true(s.ncell > CAROM_CELLS_MAX/4 && s.ncell <= CAROM_CELLS_MAX);
    CHECK_VEC(s.force, carom_vec(0, 0, -volume), 1e-12*volume);
    carom_mesh_destroy(mesh);
}

// ---- continuity

// Largest step of the force along a smooth path of N steps over the largest force.
static double largest_jump(caromShape a, caromShape b, uint64_t seed, int n)
{
    Random r = { seed };
    caromPose Xa = carom_pose(carom_quat_matrix(random_rotation(&r)), carom_vec(0, 0, 0));
    caromVec3 from = random_vec(&r, 0.3), way = random_vec(&r, 0.4),
              axis = carom_unit_or(random_vec(&r, 1), carom_vec(1, 0, 0));
    caromQuat q = random_rotation(&r);
    double jump = 0, most = 0;
    caromVec3 before = { 0, 0, 0 };
    for (int k = 0; k <= n; k++) {
        double t = (double)k/n;
        caromPose Xb = carom_pose(carom_quat_matrix(carom_quat_mul(carom_quat_axis_angle(axis, 0.8*t), q)),
                                  carom_axpy(t, way, from));
        caromVec3 f = pressed(a, Xa, b, Xb).force;
        if (k > 0) jump = fmax(jump, carom_norm(carom_sub(f, before)));
        most = fmax(most, carom_norm(f));
        before = f;
    }
    return most > 1e-6 ? jump/most : 0;
}

static void force_is_continuous_along_paths(void **state)
{
    (void)state;
    int moved = 0;
    for (int k = 0; k < share_of(240); k++) {
        caromShape a = mesh_shape(ELL + k % 3), b = partner(k/3);
        double coarse = largest_jump(a, b, 100 + (uint64_t)k, 30), fine = largest_jump(a, b, 100 + (uint64_t)k, 120);
        if (coarse == 0 || fine == 0) continue;
        moved++;
        // Lipschitz: a path in four times as many steps has jumps a quarter as large; the largest step may lie between
        // those of the coarse path, which then shows less than it has.
        if (fine > 0.5*coarse) print_error("path %d: %g, then %g\n", k, coarse, fine);
        assert_true(fine <= 0.5*coarse);
    }
    assert_true(moved > share_of(150));
}

// ---- who is served

// A box that is too wide for the gap between the legs of a U is deep in both: no way out of one leaves the other as it
// is. What is added where shapes are deep is the gradient of its energy all the same.
static void deep_in_two_places_has_an_energy(void **state)
{
    (void)state;
    const caromShape you = mesh_shape(YOU), wide = carom_shape_box(0.21, 0.2, 0.2);
    const caromStiffening s = { 0.002, 0.008 };
    static caromPatch patch;
    for (int i = -2; i <= 2; i++) {
        caromPose Xa = pose_at(0, 0, 0), Xb = tilted(0.01, carom_vec(0, 0.3, 1), 0.0006*i, 0.01, -0.1);
        carom_patch_clipped.patch(&you, Xa, &wide, Xb, &patch);
        int law = patch.ncell;
        carom_patch_clipped.stiffen(&you, Xa, &wide, Xb, &s, &patch);
        double force = 0, most = 0, step = 1e-5, energies[4];
        for (int k = law; k < patch.ncell; k++) {
            force += patch.cells[k].weight*patch.cells[k].n_AB.x;
            most += patch.cells[k].weight;
        }
        for (int k = 0; k < 4; k++) {
            caromPose X = Xb;
            X.p.x += step*(k < 2 ? k - 2 : k - 1);
            energies[k] = carom_patch_clipped.stiff_energy(&you, Xa, &wide, X, &s);
        }
        double slope = (energies[0] - 8*energies[1] + 8*energies[2] - energies[3])/(12*step);
        CHECK(most > 0);
        CHECK_NEAR(force, -slope, 1e-4*most);
    }
}

// The gap of a cube of triangles and a box of the same size above it, `depth` deep at edges that cross or at a corner
// on a face, has the normal of those features, down to roundings and where they are apart by some. The box leans, so
// that its nearest face has another.
static void expect_normal_of_features(caromShape cube, caromMat3 R_A, caromMat3 R_B, double high)
{
    caromShape box = carom_shape_box(0.2, 0.2, 0.2);
    caromPose Xa = carom_pose(R_A, carom_vec(0.3, -0.2, 0.1));
    for (double depth = 1e-3; depth > 1e-18; depth *= 0.1) {
        caromPose Xb = carom_pose(R_B, carom_add(Xa.p, carom_vec(0.001, 0.002, high - depth)));
        caromGap gap;
        assert_true(carom_patch_clipped.gap(&cube, Xa, &box, Xb, &gap));
        CHECK_VEC(gap.n_AB, carom_vec(0, 0, 1), 2e-3);
        assert_true(gap.g < 1e-15 && gap.g > -2*depth - 1e-16);
    }
}

static void the_normal_of_the_gap_is_that_of_the_features_that_touch(void **state)
{
    (void)state;
    Raw raw = cube(0.1);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    caromShape a = carom_shape_mesh(mesh);
    double lean = CAROM_PI/180.0*25.0;
    caromMat3 edge_up = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), 0.25*CAROM_PI)),
              edge_down = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), lean)),
              turn = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), lean)),
              corner_down = carom_mat_mul(edge_down, turn);
    double edge = 0.1*(cos(lean) + sin(lean)), corner = 0.1*(sin(lean) + cos(lean)*(cos(lean) + sin(lean)));
    expect_normal_of_features(a, edge_up, edge_down, 0.1*sqrt(2.0) + edge);
    expect_normal_of_features(a, carom_mat_identity(), corner_down, 0.1 + corner);
    carom_mesh_destroy(mesh);
}

static void open_meshes_and_round_shapes_are_not_served(void **state)
{
    (void)state;
    Raw raw = cube(0.1);
    raw.ntriangle = 10;
    caromMesh *open = mesh_of(&raw, NULL);
    raw_free(&raw);
    caromShape half_space = carom_shape_half_space(), box = carom_shape_box(1, 1, 1),
               rounded = carom_shape_rounded(box, 0.1), brick = mesh_shape(BRICK), cut = carom_shape_mesh(open);
    assert_true(carom_patch_clipped.serves(&brick, &half_space) && carom_patch_clipped.serves(&brick, &box));
    assert_false(carom_patch_clipped.serves(&box, &brick) || carom_patch_clipped.serves(&brick, &rounded) ||
                 carom_patch_clipped.serves(&brick, &brick));
    assert_false(carom_patch_clipped.serves(&cut, &half_space) || carom_patch_clipped.serves(&cut, &box));
    assert_int_equal(carom_patch_contact_kind(&cut, &box), CAROM_CONTACT_FACE);  // by tiles
    assert_int_equal(carom_patch_contact_kind(&box, &brick), CAROM_CONTACT_FACE);
    carom_mesh_destroy(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_half_space_pushes_like_a_liquid),
        cmocka_unit_test(energy_is_the_integral_of_the_depth),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(a_box_is_a_polytope_and_a_large_one_a_half_space),
        cmocka_unit_test(moving_both_moves_the_force),
        cmocka_unit_test(a_face_between_two_cells_counts_once),
        cmocka_unit_test(more_pieces_than_cells_keep_the_force),
        cmocka_unit_test(force_is_continuous_along_paths),
        cmocka_unit_test(deep_in_two_places_has_an_energy),
        cmocka_unit_test(the_normal_of_the_gap_is_that_of_the_features_that_touch),
        cmocka_unit_test(open_meshes_and_round_shapes_are_not_served),
    };
    return cmocka_run_group_tests(tests, make_meshes, free_meshes);
}
