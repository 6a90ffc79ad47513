// Meshes that press by their surface: tiles of triangles with depths that are linear between their corners.
#include "collide_fixture.h"
#include "mesh_fixture.h"

#include "collide/collide.h"
#include "geometry/geometry.h"
#include "geometry/samples.h"
#include "patch/fields.h"
#include "patch/table.h"
#include "patch/tiles.h"

// ---- one tile

// W of a triangle of area 1 by cutting off what is outside: long double, and fans about corners.
static long double cut_energy(const double depth[3])
{
    long double d[6][3];  // barycentric coordinates of the corners of what is inside
    int n = 0;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1)%3;
        long double a = (long double)depth[k], b = (long double)depth[next];
        if (a > 0) for (int c = 0; c < 3; c++) d[n][c] = c == k;
        n += a > 0;
        if ((a > 0) == (b > 0)) continue;
        for (int c = 0; c < 3; c++) d[n][c] = c == k ? b/(b - a) : c == next ? a/(a - b) : 0;
        n++;
    }
    long double sum = 0;
    for (int k = 1; k + 1 < n; k++) {
        const long double *p[3] = { d[0], d[k], d[k + 1] };
        long double area = (p[1][0] - p[0][0])*(p[2][1] - p[0][1]) - (p[1][1] - p[0][1])*(p[2][0] - p[0][0]), x[3];
        for (int c = 0; c < 3; c++)
            x[c] = p[c][0]*(long double)depth[0] + p[c][1]*(long double)depth[1] + p[c][2]*(long double)depth[2];
        sum += fabsl(area)*(x[0]*x[0] + x[1]*x[1] + x[2]*x[2] + x[0]*x[1] + x[1]*x[2] + x[2]*x[0])/12;
    }
    return sum;
}

// All signs, near each other, near the surface, and over orders of magnitude.
static void a_tile_is_the_integral(void **state)
{
    (void)state;
    Random r = { 3 };
    int patterns[8] = { 0 };
    for (int i = 0; i < 20000; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = random_uniform(&r, -1, 1)*(i % 3 ? 1 : pow(10, random_uniform(&r, -4, 0)));
        if (i % 5 == 0) d[1] = d[0]*(1 + 1e-12);
        if (i % 7 == 0) d[2] = 0;
        patterns[(d[0] > 0) + 2*(d[1] > 0) + 4*(d[2] > 0)]++;
        caromTile t = carom_patch_tile(d);
        double e = (double)cut_energy(d);
        CHECK_NEAR(t.energy, e, 1e-14*e);  // 50 roundings, and no differences
        // The gradient of a function of degree 2, by its own terms: sum of d_i slope_i = 2 W (Euler).
        double sum = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            assert_true(t.slope[k] >= 0);
            sum += d[k]*t.slope[k];
            size += fabs(d[k])*t.slope[k];
        }
        CHECK_NEAR(sum, 2*e, 1e-14*size + 1e-14*e);
    }
    for (int k = 0; k < 8; k++) assert_true(patterns[k] > 100);
}

// Differences over 1e-4: its square times third derivatives (which have jumps, of the order of 1/d) is 1e-7.
static void its_slopes_are_the_derivatives(void **state)
{
    (void)state;
    const double h = 1e-4;
    Random r = { 4 };
    for (int i = 0; i < 5000; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = random_uniform(&r, -1, 1);
        caromTile t = carom_patch_tile(d);
        for (int k = 0; k < 3; k++) {
            double up[3] = { d[0], d[1], d[2] }, down[3] = { d[0], d[1], d[2] };
            up[k] += h;
            down[k] -= h;
            CHECK_NEAR(((double)(cut_energy(up) - cut_energy(down)))/(2*h), t.slope[k], 1e-6);
        }
    }
}

// ---- shapes

enum { RING, SPOOL, BLOCK, BALL, SHEET, MESHES };
static caromMesh *meshes[MESHES];
enum { WITH_MESH = MESHES, KINDS = WITH_MESH + 7 };
static caromShape kinds[KINDS];

static caromShape sampled(caromShape shape, double spacing)
{
    caromError err = { 0 };
    shape.samples = carom_shape_samples_create(shape, spacing, &err);
    if (!shape.samples) print_error("%s\n", err.message);
    assert_non_null(shape.samples);
    return shape;
}

static void unsample(caromShape *shape)
{
    carom_shape_samples_destroy((caromSamples *)shape->samples);
    shape->samples = NULL;
}

static int make_shapes(void **state)
{
    (void)state;
    static const double profile[6][2] = { { 0.2, -0.2 }, { 0.2, -0.1 }, { 0.08, -0.1 }, { 0.08, 0.1 }, { 0.2, 0.1 },
                                          { 0.2, 0.2 } };
    Raw raw[MESHES] = { torus(0.2, 0.08, 32, 16), lathe(profile, 6, 12),
                        box(carom_vec(-0.15, -0.2, -0.1), carom_vec(0.15, 0.2, 0.1)), globe(0.2, 8), cube(0.2) };
    raw[SHEET].ntriangle = 2;
    for (int i = 0; i < MESHES; i++) {
        meshes[i] = mesh_of(&raw[i], NULL);
        raw_free(&raw[i]);
        kinds[i] = sampled(carom_shape_mesh(meshes[i]), 0.03);
    }
    const caromShape others[KINDS - WITH_MESH] = {
        carom_shape_ellipsoid(0.1, 0.2, 0.3), carom_shape_rounded(carom_shape_box(0.3, 0.4, 0.2), 0.05),
        carom_shape_cylinder(0.2, 0.3), carom_shape_rounded(carom_shape_cone(0.2, 0, 0.4), 0.03),
        carom_shape_capsule(0.1, 0.3), carom_shape_torus(0.2, 0.08), carom_shape_half_space()
    };
    for (int i = 0; i < KINDS - WITH_MESH; i++) kinds[WITH_MESH + i] = others[i];
    return 0;
}

static int free_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        unsample(&kinds[i]);
        carom_mesh_destroy(meshes[i]);
    }
    return 0;
}

typedef struct Sum {
    caromVec3 force, torque;  // on b, about Xb.p
    double depth, energy;
    int ncell;
} Sum;

static Sum pressed(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    static caromPatch patch;
    carom_patch_tiles.patch(&a, Xa, &b, Xb, &patch);
    Sum s = { .depth = patch.depth, .ncell = patch.ncell, .energy = carom_patch_tiles.energy(&a, Xa, &b, Xb) };
    for (int i = 0; i < patch.ncell; i++) {
        caromVec3 f = carom_scale(patch.cells[i].weight, patch.cells[i].n_AB);
        s.force = carom_add(s.force, f);
        s.torque = carom_add(s.torque, carom_cross(carom_sub(patch.cells[i].p_W, Xb.p), f));
    }
    return s;
}

// B, turned by h about u and moved by h along v.
static caromPose moved(caromPose X, caromVec3 u, caromVec3 v, double h)
{
    caromQuat q = carom_quat_normalized((caromQuat){ 1, 0.5*h*u.x, 0.5*h*u.y, 0.5*h*u.z });
    return (caromPose){ carom_mat_mul(carom_quat_matrix(q), X.R), carom_axpy(h, v, X.p) };
}

// Moved along the line between them until the largest depth is this part of the smaller one.
static bool press_to(caromShape a, caromPose Xa, caromShape b, caromPose *Xb, double depth)
{
    caromVec3 u = carom_unit_or(carom_sub(Xb->p, Xa.p), carom_vec(0, 0, 1));
    double low = 0, high = 1.5;
    for (int i = 0; i < 24; i++) {
        double middle = 0.5*(low + high);
        Xb->p = carom_axpy(middle, u, Xa.p);
        if (pressed(a, Xa, b, *Xb).depth > depth) low = middle;
        else high = middle;
    }
    Xb->p = carom_axpy(low, u, Xa.p);
    double found = pressed(a, Xa, b, *Xb).depth;
    return found > 0.5*depth && found < 2*depth;
}

// In random poses of a mesh and anything, meshes with edges and triangles that are cut: along a random screw W changes
// by -F.v - T.u. Differences over 1e-6 are off by third derivatives of W, 1e-12 over the square of a cell of 0.02 or
// of the depth of 0.01, and roundings of W of 1e-16/1e-6.
static void force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    const double h = 1e-6;
    Random r = { 7 };
    int n = 0;
    for (int i = 0; i < 12*MESHES*KINDS; i++) {
        caromShape a = kinds[i % MESHES], b = kinds[i/MESHES % KINDS];
        if (a.mesh == meshes[SHEET] && b.kind == CAROM_MESH && b.mesh == meshes[SHEET]) continue;
        caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 1);
        if (b.kind == CAROM_HALF_SPACE) Xb.p = carom_vec(0, 0, 0);
        if (!press_to(a, Xa, b, &Xb, 0.005)) continue;
        Sum s = pressed(a, Xa, b, Xb);
        caromVec3 u = random_vec(&r, 3), v = random_vec(&r, 1);
        double up = pressed(a, Xa, b, moved(Xb, u, v, h)).energy, down = pressed(a, Xa, b, moved(Xb, u, v, -h)).energy,
               power = carom_dot(s.force, v) + carom_dot(s.torque, u);
        CHECK_NEAR((down - up)/(2*h), power, 2e-6*(carom_norm(s.force) + carom_norm(s.torque)));
        n++;
    }
    assert_true(n > 300);
}

static void swapping_mirrors_and_moving_moves(void **state)
{
    (void)state;
    Random r = { 8 };
    int n = 0;
    for (int i = 0; i < 4*MESHES*MESHES; i++) {
        caromShape a = kinds[i % MESHES], b = kinds[i/MESHES % MESHES];
        if (a.mesh == meshes[SHEET] || b.mesh == meshes[SHEET]) continue;
        caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 1), Y = random_pose(&r, 1);
        if (!press_to(a, Xa, b, &Xb, 0.005)) continue;
        Sum s = pressed(a, Xa, b, Xb), t = pressed(b, Xb, a, Xa),
            m = pressed(a, carom_pose_mul(Y, Xa), b, carom_pose_mul(Y, Xb));
        double size = carom_norm(s.force);
        CHECK_VEC(carom_neg(t.force), s.force, 1e-12*size);
        CHECK_NEAR(t.energy, s.energy, 1e-12*s.energy);
        // Roundings of poses over a depth of 0.005.
        CHECK_VEC(carom_tmul(Y.R, m.force), s.force, 1e-11*size);
        CHECK_NEAR(m.energy, s.energy, 1e-11*s.energy);
        n++;
    }
    assert_true(n > 30);
}

// Steps half as long change the force half as much: of paths that slide, turn and come down on edges.
static void force_is_continuous(void **state)
{
    (void)state;
    Random r = { 9 };
    int n = 0;
    for (int i = 0; i < 3*MESHES*KINDS; i++) {
        caromShape a = kinds[i % MESHES], b = kinds[i/MESHES % KINDS];
        if (a.mesh == meshes[SHEET] && b.kind == CAROM_MESH && b.mesh == meshes[SHEET]) continue;
        caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 1);
        if (b.kind == CAROM_HALF_SPACE) Xb.p = carom_vec(0, 0, 0);
        if (!press_to(a, Xa, b, &Xb, 0.004)) continue;
        caromVec3 u = random_vec(&r, 1), v = random_vec(&r, 1);
        double largest = 0, jump[2] = { 0, 0 };
        for (int fine = 0; fine < 2; fine++) {
            int steps = fine ? 200 : 50;
            Sum last = pressed(a, Xa, b, Xb);
            for (int k = 1; k <= steps; k++) {
                Sum s = pressed(a, Xa, b, moved(Xb, u, v, 0.004*k/steps));
                jump[fine] = fmax(jump[fine], carom_norm(carom_sub(s.force, last.force)));
                largest = fmax(largest, carom_norm(s.force));
                last = s;
            }
        }
        assert_true(jump[1] < 0.3*jump[0] + 1e-9*largest);
        n++;
    }
    assert_true(n > 80);
}

// ---- convergence

// Force of balls of one radius at a depth: integral of D grad D over the part of one's surface in the other.
static double ball_force(double R, double depth)
{
    double c = 2*R - depth, end = acos(0.5*c/R), sum = 0;
    const int n = 4000;
    for (int i = 0; i < n; i++) {
        double t = end*(i + 0.5)/n, out = sqrt(R*R + c*c - 2*R*c*cos(t));
        sum += 2*PI*R*R*sin(t)*(R - out)*(c - R*cos(t))/out*end/n;
    }
    return sum;
}

// Of equal volume: the mean error in random poses falls with the area of the triangles.
static void meshes_of_balls_approach_balls(void **state)
{
    (void)state;
    const double R = 0.2, depth = 0.03*0.2, exact = ball_force(R, depth);
    double error[3], ripple[3];
    for (int i = 0; i < 3; i++) {
        int sides = 8 << i;
        Raw raw = globe(R, sides);
        caromMesh *rough = mesh_of(&raw, NULL);
        double grow = cbrt(4*PI/3*R*R*R/carom_mesh_report(rough)->volume);
        for (int k = 0; k < raw.nvertex; k++) raw.vertices[k] = carom_scale(grow, raw.vertices[k]);
        caromMesh *mesh = mesh_of(&raw, NULL);
        caromShape ball = sampled(carom_shape_mesh(mesh), 0.25*R*PI/2/sides);
        Random r = { 10 };
        double sum = 0, least = 1e9, most = 0;
        for (int k = 0; k < 12; k++) {
            caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 1);
            Xb.p = carom_axpy(2*R - depth, carom_unit_or(Xb.p, carom_vec(0, 0, 1)), Xa.p);
            double force = carom_norm(pressed(ball, Xa, ball, Xb).force)/exact;
            sum += force/12;
            least = fmin(least, force);
            most = fmax(most, force);
        }
        error[i] = fabs(sum - 1);
        ripple[i] = most - least;
        if (getenv("CAROM_TEST_VERBOSE"))
            print_message("%d triangles: error %.4f, ripple %.4f\n", raw.ntriangle, error[i], ripple[i]);
        unsample(&ball);
        carom_mesh_destroy(mesh);
        carom_mesh_destroy(rough);
        raw_free(&raw);
    }
    assert_true(ripple[1] < 0.4*ripple[0] && ripple[2] < 0.4*ripple[1]);
    assert_true(error[2] < 0.01 && ripple[2] < 0.02);
}

// Ball and box, both meshes, halves of which press: the cap of the ball by its depth below the face, and the disc of
// the face by its depth in the ball,
//
//     W = pi (R d^3/3 - d^4/8),      F = pi d^2 (R - d/2).
static double box_ball_force(double R, double d)
{
    return PI*d*d*(R - 0.5*d);
}

static Sum ball_on_box(caromShape ball, caromMat3 turned, caromShape block, caromVec3 at)
{
    return pressed(block, pose_at(0, 0, 0), ball, (caromPose){ turned, at });
}

// The depth at which it carries a weight.
static double rest_depth(caromShape ball, caromMat3 turned, caromShape block, caromVec3 at, double R, double weight)
{
    double low = 0, high = 0.2*R;
    for (int i = 0; i < 20; i++) {
        double depth = 0.5*(low + high);
        at.z = 0.4 + R - depth;
        if (ball_on_box(ball, turned, block, at).force.z < weight) low = depth;
        else high = depth;
    }
    return 0.5*(low + high);
}

// Largest errors of force, energy, torque about where they touch, and depth at rest, over turned poses.
static void ball_on_box_errors(int sides, double R, double depth, double error[4])
{
    Raw raw = globe(R, sides), block_raw = cube(0.4);
    caromMesh *rough = mesh_of(&raw, NULL), *block_mesh = mesh_of(&block_raw, NULL);
    double grow = cbrt(4*PI/3*R*R*R/carom_mesh_report(rough)->volume), force = box_ball_force(R, depth),
           energy = PI*(R*depth*depth*depth/3 - depth*depth*depth*depth/8);
    for (int k = 0; k < raw.nvertex; k++) raw.vertices[k] = carom_scale(grow, raw.vertices[k]);
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromShape ball = sampled(carom_shape_mesh(mesh), 0.5*R*PI/2/sides),
               block = sampled(carom_shape_mesh(block_mesh), 0.5*R*PI/2/sides);
    Random r = { 12 };
    for (int k = 0; k < 4; k++) error[k] = 0;
    for (int k = 0; k < 6; k++) {
        caromMat3 turned = random_pose(&r, 1).R;
        caromVec3 at = { random_uniform(&r, -0.1, 0.1), random_uniform(&r, -0.1, 0.1), 0.4 + R - depth };
        Sum s = ball_on_box(ball, turned, block, at);
        error[0] = fmax(error[0], carom_norm(carom_sub(s.force, carom_vec(0, 0, force)))/force);
        error[1] = fmax(error[1], fabs(s.energy/energy - 1));
        error[2] = fmax(error[2], carom_norm(s.torque)/(force*R));
        error[3] = fmax(error[3], fabs(rest_depth(ball, turned, block, at, R, force)/depth - 1));
    }
    unsample(&ball);
    unsample(&block);
    caromMesh *made[3] = { rough, block_mesh, mesh };
    for (int k = 0; k < 3; k++) carom_mesh_destroy(made[k]);
    raw_free(&raw);
    raw_free(&block_raw);
}

// With the square of the sides: a quarter from one mesh to the next, but for where facets happen to lie.
static void balls_on_boxes_approach_theirs(void **state)
{
    (void)state;
    double error[3][4];
    for (int i = 0; i < 3; i++) {
        ball_on_box_errors(8 << i, 0.2, 0.03*0.2, error[i]);
        if (getenv("CAROM_TEST_VERBOSE"))
            print_message("%d triangles: force %.4f, energy %.4f, torque %.5f, depth %.4f\n", 12*(8 << i)*(8 << i),
                          error[i][0], error[i][1], error[i][2], error[i][3]);
    }
    for (int k = 0; k < 4; k++) assert_true(error[1][k] < 0.45*error[0][k] && error[2][k] < 0.45*error[1][k]);
    for (int k = 0; k < 4; k++) assert_true(error[2][k] < 0.03);
}

// A torus of n by n/2 sides on an exact cone: strips of round bodies are the limit.
static void meshes_of_rings_approach_rings(void **state)
{
    (void)state;
    caromShape cone = carom_shape_cone(0.3, 0, 0.6), ring = carom_shape_torus(0.2, 0.05);
    caromPose X = pose_at(0, 0, 0), Xr = pose_at(0.0004, 0.0002, 0.0105);
    static caromPatch patch;
    carom_patch_strips.patch(&ring, Xr, &cone, X, &patch);
    double exact = carom_patch_strips.energy(&ring, Xr, &cone, X), error[2];
    assert_true(patch.depth > 0.0 && exact > 0.0);
    for (int i = 0; i < 2; i++) {
        int n = 128 << i;
        Raw raw = torus(0.2, 0.05, n, n/2);
        caromMesh *mesh = mesh_of(&raw, NULL);
        caromShape s = carom_shape_mesh(mesh);
        error[i] = fabs(carom_patch_tiles.energy(&s, Xr, &cone, X)/exact - 1);
        if (getenv("CAROM_TEST_VERBOSE")) print_message("%d sides: error %.5f of W\n", n, error[i]);
        carom_mesh_destroy(mesh);
        raw_free(&raw);
    }
    assert_true(error[1] < 0.35*error[0] && error[1] < 0.04);
}

// ---- convergence of boxes and rings on each other, and at rest

// Two equal rings of n by n/2 sides whose tubes cross at a right angle: energy, force and torque on the second.
static Sum crossed_rings(int n)
{
    Raw raw = torus(0.2, 0.05, n, n/2);
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromShape ring = sampled(carom_shape_mesh(mesh), 2*PI*0.2/n);
    // Tube over tube, a little aside, so that there is a torque.
    caromMat3 upright = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*PI));
    Sum s = pressed(ring, pose_at(0, 0, 0), ring, (caromPose){ upright, { 0.203, 0.011, 0.2 + 0.1 - 0.01 } });
    unsample(&ring);
    carom_mesh_destroy(mesh);
    raw_free(&raw);
    return s;
}

// Force, torque and energy approach a limit with the square of the sides: from one mesh to one twice as fine they
// change by a quarter of what they did before, and as facets of both lie anyhow on each other by less than half of it.
static void rings_on_rings_approach_a_limit(void **state)
{
    (void)state;
    Sum sums[3];
    double change[2][3];
    for (int i = 0; i < 3; i++) sums[i] = crossed_rings(48 << i);
    for (int i = 0; i < 2; i++) {
        const Sum *s = &sums[i + 1], *before = &sums[i];
        double force = carom_norm(sums[2].force);
        change[i][0] = fabs(s->energy - before->energy)/sums[2].energy;
        change[i][1] = carom_norm(carom_sub(s->force, before->force))/force;
        change[i][2] = carom_norm(carom_sub(s->torque, before->torque))/(0.05*force);
        if (getenv("CAROM_TEST_VERBOSE"))
            print_message("%d to %d sides: energy %.5f, force %.5f, torque %.5f\n", 48 << i, 96 << i, change[i][0],
                          change[i][1], change[i][2]);
    }
    for (int k = 0; k < 3; k++) assert_true(change[1][k] < 0.5*change[0][k] && change[1][k] < 0.15);
}

// Thousands of corners press, all around and square to the cone: what stands for them must have their torque too, or a
// ring that falls upright begins to spin.
static void many_tiles_keep_their_torque(void **state)
{
    (void)state;
    Raw raw = torus(0.035, 0.015, 64, 24);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    caromShape ring = sampled(carom_shape_mesh(mesh), 0.85e-3), cone = carom_shape_cone(0.06, 0, 0.2);
    for (int k = 1; k < 12; k++) {
        double z = 0.1 - (0.035*cos(atan(0.3)) - 0.015)/sin(atan(0.3)) - 5e-4*k;
        Sum s = pressed(cone, pose_at(0, 0, 0), ring, pose_at(0, 0, z));
        assert_true(s.force.z > 0 && s.ncell > 200);
        CHECK_VEC(s.torque, ((caromVec3){ 0, 0, 0 }), 1e-12*s.force.z*0.035);
        CHECK_VEC(s.force, ((caromVec3){ 0, 0, s.force.z }), 1e-12*s.force.z);
    }
    unsample(&ring);
    carom_mesh_destroy(mesh);
}

// ---- gap, sheets, rows

// The gap ends where force begins, and its depth is that of the cells; farther away it is that of the shapes.
static void the_gap_is_where_force_begins(void **state)
{
    (void)state;
    Random r = { 11 };
    int n = 0;
    for (int i = 0; i < 4*MESHES*KINDS; i++) {
        caromShape a = kinds[i % MESHES], b = kinds[i/MESHES % KINDS];
        if (b.kind == CAROM_HALF_SPACE || (a.mesh == meshes[SHEET] && b.mesh == meshes[SHEET])) continue;
        caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 1);
        if (!press_to(a, Xa, b, &Xb, 0.003)) continue;
        caromGap gap;
        for (int k = 0; k < 8; k++) {
            caromPose X = Xb;
            X.p = carom_axpy(0.001*k, carom_unit_or(carom_sub(Xb.p, Xa.p), carom_vec(0, 0, 1)), Xb.p);
            Sum s = pressed(a, Xa, b, X);
            assert_true(carom_patch_tiles.gap(&a, Xa, &b, X, &gap));
            assert_true((gap.g < 0) == (s.energy > 0));
            if (gap.g < 0) CHECK_NEAR(gap.g, -s.depth, 1e-12);
            CHECK_VEC(carom_axpy(gap.g, gap.n_AB, gap.p_A), gap.p_B, 1e-12);
        }
        Xb.p = carom_axpy(3, carom_unit_or(carom_sub(Xb.p, Xa.p), carom_vec(0, 0, 1)), Xb.p);
        assert_true(carom_patch_tiles.gap(&a, Xa, &b, Xb, &gap));
        CHECK_NEAR(gap.g, carom_collide_shapes(a, Xa, b, Xb).g, 1e-2);  // corners of tiles
        n++;
    }
    assert_true(n > 80);
}

// An open mesh has no inside and needs none: the same force from either side, that of its area on a face.
static void a_sheet_presses_from_either_side(void **state)
{
    (void)state;
    caromShape sheet = kinds[SHEET], block = carom_shape_box(2, 2, 0.5);
    caromVec3 middle = { 0, 0, -0.2 };  // the bottom of the cube
    for (int side = 0; side < 2; side++) {
        double z = side ? -1 : 1, depth = 1e-3;
        caromPose X = pose_at(0, 0, z*(0.25 - depth) - middle.z);
        Sum s = pressed(sheet, X, block, pose_at(0, 0, 0));
        CHECK_NEAR(s.depth, depth, 1e-12);
        CHECK_VEC(s.force, ((caromVec3){ 0, 0, -z*0.16*depth }), 1e-12);
        CHECK_VEC(s.torque, ((caromVec3){ 0, 0, 0 }), 1e-12);
    }
}

// A sheet through the axis of a rod is pressed to both sides: the sum is nothing, the cells are those of both. Tiles
// as large as the rod have both sides in one block.
static void forces_against_each_other_stay(void **state)
{
    (void)state;
    double sum[2];
    for (int fine = 0; fine < 2; fine++) {
        caromShape rod = sampled(carom_shape_capsule(0.03, 0.2), fine ? 0.002 : 0.03);
        caromPose X = { carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5*PI)), { 0.003, 0.004, -0.2 } };
        static caromPatch patch;
        carom_patch_tiles.patch(&kinds[SHEET], pose_at(0, 0, 0), &rod, X, &patch);
        sum[fine] = 0;
        for (int i = 0; i < patch.ncell; i++) sum[fine] += patch.cells[i].weight;
        Sum s = pressed(kinds[SHEET], pose_at(0, 0, 0), rod, X);
        if (fine) assert_true(carom_norm(s.force) < 0.1*sum[fine]);
        unsample(&rod);
    }
    // The integral of depth over the strip, which tiles as large as it know to a fifth.
    CHECK_NEAR(sum[1], 0.03*0.03*0.2 + PI*0.03*0.03*0.03/3, 0.05*sum[1]);
    CHECK_NEAR(sum[0], sum[1], 0.2*sum[1]);
}

// Two bars that cross have no field, nor has a plate that is too thin for a grid: they press into each other by their
// distances, with the force that belongs to W. A step is a part of the depth; differences are off by its square.
static void meshes_without_a_field_press_by_their_distance(void **state)
{
    (void)state;
    Raw raw[2] = { joined(box(carom_vec(-0.3, -0.05, -0.05), carom_vec(0.3, 0.05, 0.05)),
                          box(carom_vec(-0.06, -0.3, -0.06), carom_vec(0.06, 0.3, 0.06))),
                   box(carom_vec(-0.2, -0.2, -0.0005), carom_vec(0.2, 0.2, 0.0005)) };
    caromMesh *mesh[2];
    caromShape shape[3];
    for (int i = 0; i < 2; i++) {
        mesh[i] = mesh_of(&raw[i], NULL);
        raw_free(&raw[i]);
        shape[i] = sampled(carom_shape_mesh(mesh[i]), 0.03);
        assert_null(shape[i].samples->field);
    }
    shape[2] = kinds[SHEET];
    Random r = { 24 };
    int n = 0;
    for (int i = 0; i < 90; i++) {
        caromShape a = shape[i % 3], b = shape[i/3 % 2];
        bool is_thin = i % 3 == 1 || i/3 % 2 == 1;
        double depth = is_thin ? 1.5e-4 : 3e-3, h = depth/2000;
        caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 1);
        if (!press_to(a, Xa, b, &Xb, depth)) continue;
        Sum s = pressed(a, Xa, b, Xb);
        caromVec3 u = random_vec(&r, 3), v = random_vec(&r, 1);
        double up = pressed(a, Xa, b, moved(Xb, u, v, h)).energy, down = pressed(a, Xa, b, moved(Xb, u, v, -h)).energy,
               power = carom_dot(s.force, v) + carom_dot(s.torque, u);
        CHECK_NEAR((down - up)/(2*h), power, 1e-5*(carom_norm(s.force) + carom_norm(s.torque)));
        n++;
    }
    assert_true(n > 30);
    for (int i = 0; i < 2; i++) {
        unsample(&shape[i]);
        carom_mesh_destroy(mesh[i]);
    }
}

// Of points all around an ellipsoid and in it; equal but for roundings along its axes.
static void the_distance_of_an_ellipsoid_is_within_its_range(void **state)
{
    (void)state;
    Random r = { 23 };
    for (int i = 0; i < 10000; i++) {
        double a = random_uniform(&r, 0.1, 1), b = random_uniform(&r, 0.1, 1), c = random_uniform(&r, 0.1, 1);
        caromShape shape = carom_shape_ellipsoid(a, b, c);
        caromTileSide side = { .into = &shape };
        caromVec3 n, p = random_vec(&r, 1.5);
        if (i % 4 == 0) p.x = p.y = 0.0;
        double distance = carom_collide_shape_point(&shape, p, &n);
        caromTileRange range = carom_patch_tile_range(&side, p);
        CHECK(range.least <= distance + 1e-14 && distance <= range.most + 1e-14);
        CHECK((range.most > 0.0) == (distance > 0.0) || fabs(distance) < 1e-14);
    }
}

static void rows_are_taken_in_their_order(void **state)
{
    (void)state;
    bool swapped;
    caromShape block = kinds[BLOCK], sheet = kinds[SHEET], bare = carom_shape_mesh(meshes[BALL]),
               plane = carom_shape_half_space(), cylinder = kinds[WITH_MESH + 2];
    assert_ptr_equal(carom_patch_row(&block, &kinds[BALL], &swapped), &carom_patch_tiles);
    assert_ptr_equal(carom_patch_row(&cylinder, &bare, &swapped), &carom_patch_tiles);
    assert_true(swapped);
    assert_ptr_equal(carom_patch_row(&sheet, &block, &swapped), &carom_patch_tiles);
    assert_ptr_equal(carom_patch_row(&sheet, &plane, &swapped), &carom_patch_tiles);
    assert_ptr_equal(carom_patch_row(&bare, &plane, &swapped), &carom_patch_clipped);
    assert_ptr_equal(carom_patch_row(&block, &plane, &swapped), &carom_patch_tiles);  // asked for
    assert_null(carom_patch_row(&sheet, &sheet, &swapped));
    assert_ptr_equal(carom_patch_row(&bare, &bare, &swapped), &carom_patch_tiles);  // without a field
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_is_the_integral), cmocka_unit_test(its_slopes_are_the_derivatives),
        cmocka_unit_test(force_is_the_gradient_of_the_energy), cmocka_unit_test(swapping_mirrors_and_moving_moves),
        cmocka_unit_test(force_is_continuous), cmocka_unit_test(meshes_of_balls_approach_balls),
        cmocka_unit_test(balls_on_boxes_approach_theirs), cmocka_unit_test(meshes_of_rings_approach_rings),
        cmocka_unit_test(rings_on_rings_approach_a_limit),
        cmocka_unit_test(many_tiles_keep_their_torque),
        cmocka_unit_test(the_gap_is_where_force_begins),
        cmocka_unit_test(a_sheet_presses_from_either_side), cmocka_unit_test(forces_against_each_other_stay),
        cmocka_unit_test(meshes_without_a_field_press_by_their_distance),
        cmocka_unit_test(the_distance_of_an_ellipsoid_is_within_its_range),
        cmocka_unit_test(rows_are_taken_in_their_order),
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
