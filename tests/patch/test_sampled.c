// Surfaces as points: their areas, and how two solids press by them.
#include "collide_fixture.h"
#include "mesh_fixture.h"

#include "geometry/geometry.h"
#include "geometry/samples.h"
#include "patch/fields.h"
#include "patch/table.h"

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

typedef struct Sum {
    caromVec3 force, torque;  // on b, about Xb.p
    double depth;
    int ncell;
} Sum;

static Sum pressed(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    static caromPatch patch;
    carom_patch_sampled.patch(&a, Xa, &b, Xb, &patch);
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
    return carom_patch_sampled.energy(&a, Xa, &b, Xb);
}

// ---- points

enum { MESH_RING, MESH_SPOOL, MESHES };
static caromMesh *meshes[MESHES];
static caromHull *hulls[2];  // sharp, rounded

static int make_shapes(void **state)
{
    (void)state;
    static const double profile[6][2] = { { 0.2, -0.2 }, { 0.2, -0.1 }, { 0.08, -0.1 }, { 0.08, 0.1 }, { 0.2, 0.1 },
                                          { 0.2, 0.2 } };
    Raw ring = torus(0.2, 0.08, 32, 16), spool = lathe(profile, 6, 12);
    meshes[MESH_RING] = mesh_of(&ring, NULL);
    meshes[MESH_SPOOL] = mesh_of(&spool, NULL);
    raw_free(&ring);
    raw_free(&spool);
    Random r = { 5 };
    caromVec3 points[12];
    for (int k = 0; k < 12; k++) points[k] = carom_scale(0.3, carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)));
    hulls[0] = carom_hull_create(points, 12, 0, NULL);
    hulls[1] = carom_hull_create(points, 12, 0.04, NULL);
    assert_true(hulls[0] && hulls[1]);
    return 0;
}

static int free_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) carom_mesh_destroy(meshes[i]);
    for (int i = 0; i < 2; i++) carom_hull_destroy(hulls[i]);
    return 0;
}

enum { KINDS = 15 };
static caromShape kind(int k)
{
    const caromShape shapes[KINDS] = {
        carom_shape_sphere(0.2), carom_shape_ellipsoid(0.1, 0.2, 0.3), carom_shape_box(0.3, 0.4, 0.2),
        carom_shape_rounded(carom_shape_box(0.3, 0.4, 0.2), 0.05), carom_shape_cylinder(0.2, 0.3),
        carom_shape_rounded(carom_shape_cylinder(0.2, 0.3), 0.04), carom_shape_cone(0.2, 0, 0.4),
        carom_shape_cone(0.2, 0.1, 0.3), carom_shape_rounded(carom_shape_cone(0.2, 0, 0.4), 0.03),
        carom_shape_capsule(0.1, 0.3), carom_shape_polytope(hulls[0]), carom_shape_polytope(hulls[1]),
        carom_shape_torus(0.2, 0.08), carom_shape_mesh(meshes[MESH_RING]), carom_shape_mesh(meshes[MESH_SPOOL])
    };
    return shapes[k];
}

// They lie on the surface, as many as the spacing says, none far from others, and their areas add up to it; so do their
// moments to those of a closed surface: the integral of n over it is 0, which for samples of area w at x with outer
// normals n says that nothing is left out on one side.
static void points_cover_the_surface(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        caromShape s = sampled(kind(k), 0.02);
        double surface = carom_shape_surface(s), area = 0;
        caromVec3 sum = { 0, 0, 0 };
        int n = carom_shape_samples_count(s.samples);
        for (int i = 0; i < n; i++) {
            double w;
            caromVec3 x = carom_shape_samples_point(s.samples, i, &w);
            caromGap gap = carom_collide_point(s, pose_at(0, 0, 0), x);
            CHECK_NEAR(gap.g, 0, 1e-15);
            assert_true(w > 0);
            area += w;
            sum = carom_axpy(w, gap.n_AB, sum);
        }
        CHECK_NEAR(area, surface, 1e-12*surface);
        if (!(n > 0.5*surface/(0.02*0.02) && n < 2.5*surface/(0.02*0.02)))
            print_error("%s: %d, %g\n", carom_shape_kind_name(s.kind), n, surface/(0.02*0.02));
        assert_true(n > 0.5*surface/(0.02*0.02) && n < 2.5*surface/(0.02*0.02));
        // Points on edges take their area into one of the faces that meet there: edges of up to 20 m, a
        // twentieth of a strip of 1.5 h.
        assert_true(carom_norm(sum) < 20*0.03*0.05);
        unsample(&s);
    }
}

static void a_tree_holds_all_points(void **state)
{
    (void)state;
    caromShape s = sampled(carom_shape_torus(0.2, 0.08), 0.01);
    const caromSamples *t = s.samples;
    int found = 0;
    double along = 0, across = 0;
    for (int i = 0; i < t->nnode; i++) {
        const caromSampleNode *node = &t->nodes[i];
        found += node->count;
        for (int k = node->first; k < node->first + node->count; k++) {
            caromVec3 x = carom_sub(t->points[k].p, node->centre);
            double height = carom_dot(x, node->axis);
            assert_true(carom_norm(x) <= node->radius);
            CHECK(fabs(height) <= node->along && carom_norm(carom_axpy(-height, node->axis, x)) <= node->across);
        }
        if (node->count > 0) along += node->along, across += node->across;
        for (int c = node->first; node->count == 0 && c < node->first + 2; c++) assert_true(c > i && c < t->nnode);
    }
    assert_int_equal(found, t->n);
    CHECK(along < 0.1*across);  // leaves are some spacings wide, and bend by (3 h)^2/(8 R)
    unsample(&s);
}

static void spacings_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    caromError err;
    assert_null(carom_shape_samples_create(carom_shape_sphere(1), 1e-5, &err));
    assert_int_equal(err.status, CAROM_ERR_INPUT);
    assert_null(carom_shape_samples_create(carom_shape_sphere(1), -1, &err));
    assert_null(carom_shape_samples_create(carom_shape_sphere(1), NAN, &err));
    assert_null(carom_shape_samples_create(carom_shape_half_space(), 0.1, &err));
    caromShape s = sampled(carom_shape_box(1, 2, 3), 0);
    CHECK_NEAR(carom_shape_samples_spacing(s.samples), sqrt(22.0/2000), 1e-15);
    caromSamples *same = carom_shape_samples_copy(s.samples);
    assert_ptr_equal(same, s.samples);
    carom_shape_samples_destroy(same);
    unsample(&s);
}

// ---- closed forms

// A flat face at an even depth has the force of its area, whatever the points are, on a half-space and on a large face.
static void a_face_has_the_force_of_its_area(void **state)
{
    (void)state;
    const double d = 1e-3;
    caromShape cylinder = sampled(carom_shape_cylinder(0.1, 0.2), 0.01),
               block = sampled(carom_shape_box(0.2, 0.3, 0.2), 0.013);
    for (int k = 0; k < 2; k++) {
        caromShape s = k ? cylinder : block;
        double area = k ? PI*0.01 : 0.06, h = s.samples->spacing;
        Sum sum = pressed(s, pose_at(0.2, 0.1, 0.1 - d), carom_shape_half_space(), pose_at(0, 0, 0));
        // The rim has points of the side as well, with a twentieth of a band of it, which is up to 1.5 h wide.
        CHECK_NEAR(-sum.force.z, d*area, 0.05*1.501*h*(k ? 2*PI*0.1 : 1.0)*d);
        assert_true(-sum.force.z >= d*area*(1 - 1e-12));
        CHECK_NEAR(sum.depth, d, 1e-15);
        // What the points on the edges have of the cells beside them.
        CHECK_VEC(sum.torque, carom_cross(carom_vec(0.2, 0.1, 0), sum.force), 0.05*h*d*area);
    }
    unsample(&cylinder);
    unsample(&block);
}

// A ball on a half-space: W -> integral of (d - r^2/2R)^2/2 over the cap = pi R d^3/3, F = pi R d^2 for d << R;
// exactly, with depth d - R(1 - cos f) and area 2 pi R^2 sin f df:
//   W = pi R^2 integral of (d - R + R c)^2 dc = pi R d^3/3,   F = pi R d^2.
static double ball_error(double spacing)
{
    const double R = 0.2, d = 0.02;
    caromShape ball = sampled(carom_shape_sphere(R), spacing);
    Random r = { 4 };
    double off = 0;
    for (int k = 0; k < 20; k++) {
        caromPose X = random_pose(&r, 0.1);
        X.p.z = R - d;
        off = fmax(off, fabs(-pressed(ball, X, carom_shape_half_space(), pose_at(0, 0, 0)).force.z/(PI*R*d*d) - 1));
    }
    unsample(&ball);
    return off;
}

static void refining_the_points_converges(void **state)
{
    (void)state;
    double error[4];
    for (int k = 0; k < 4; k++) error[k] = ball_error(0.04/(1 << k));
    print_message("ball on a half-space: errors %.2e %.2e %.2e %.2e\n", error[0], error[1], error[2], error[3]);
    assert_true(error[3] < 0.01);
    assert_true(error[0]/error[3] > 8*8*0.5);  // second order over three halvings
}

// ---- force and energy

static double difference(caromShape a, caromPose Xa, caromShape b, caromPose Xb, caromVec3 e, bool turns, double h)
{
    double w[2];
    for (int i = 0; i < 2; i++) {
        double s = i ? h : -h;
        caromPose X = { turns ? carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(e, s)), Xb.R) : Xb.R,
                        turns ? Xb.p : carom_axpy(s, e, Xb.p) };
        w[i] = energy(a, Xa, b, X);
    }
    return -(w[1] - w[0])/(2*h);
}

// Between kinks W is a smooth function: a point that comes to lie on another face or leaves in the course of the
// difference spoils it. So of the six components at each pose nearly all agree to 1e-7, and none is off by more than
// the few points on a kink can make.
static void force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 15 };
    int good = 0, all = 0, pairs = 0;
    for (int k = 0; k < KINDS*(KINDS + 1)/2 + KINDS; k++) {
        int i = 0, j = k;
        for (; j > i; i++) j -= i + 1;
        bool is_flat = i >= KINDS;
        caromShape a = sampled(kind(j % KINDS), 0.025), b = is_flat ? carom_shape_half_space() : sampled(kind(i), 0.03);
        for (int tries = 0; tries < 2; tries++) {
            caromPose Xa = random_pose(&r, 0.2), Xb = random_pose(&r, 0.2);
            Sum s = pressed(a, Xa, b, Xb);
            if (s.ncell < 5) continue;
            pairs++;
            for (int c = 0; c < 6; c++) {
                caromVec3 e = { c % 3 == 0, c % 3 == 1, c % 3 == 2 };
                double exact = carom_at(c < 3 ? s.force : s.torque, c % 3), scale = carom_norm(s.force) + 1e-4;
                double coarse = difference(a, Xa, b, Xb, e, c > 2, 2e-6),
                       fine = difference(a, Xa, b, Xb, e, c > 2, 1e-6), off = fabs((4*fine - coarse)/3 - exact)/scale;
                all++;
                good += off < 1e-6;
                if (off > 0.02)
                    print_error("%s and %s: %g\n", carom_shape_kind_name(a.kind), carom_shape_kind_name(b.kind), off);
                assert_true(off < 0.02);
            }
        }
        unsample(&a);
        if (!is_flat) unsample(&b);
    }
    print_message("%d pairs: %d of %d components agree to 1e-6\n", pairs, good, all);
    assert_true(pairs > 150 && good > 0.97*all);
}

// ---- symmetry

static void swapping_mirrors_and_moving_moves(void **state)
{
    (void)state;
    Random r = { 7 };
    for (int k = 0; k < KINDS; k++) {
        caromShape a = sampled(kind(k), 0.03), b = sampled(kind((k + 5) % KINDS), 0.02);
        for (int tries = 0; tries < 3; tries++) {
            caromPose Xa = random_pose(&r, 0.2), Xb = random_pose(&r, 0.2), move = random_pose(&r, 1);
            Sum s = pressed(a, Xa, b, Xb), mirrored = pressed(b, Xb, a, Xa),
                moved = pressed(a, carom_pose_mul(move, Xa), b, carom_pose_mul(move, Xb));
            double scale = carom_norm(s.force) + 1e-6;
            CHECK_VEC(mirrored.force, carom_neg(s.force), 1e-12*scale);
            // A point between two faces goes to one or the other by rounding.
            CHECK_VEC(moved.force, carom_mul(move.R, s.force), 0.03*scale);
            CHECK_NEAR(energy(a, Xa, b, Xb), energy(b, Xb, a, Xa), 1e-13);
            CHECK_NEAR(energy(a, carom_pose_mul(move, Xa), b, carom_pose_mul(move, Xb)), energy(a, Xa, b, Xb),
                       1e-12*(1 + energy(a, Xa, b, Xb)));
        }
        unsample(&a);
        unsample(&b);
    }
}

// Against a search through all points.
static void expect_all_found(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    int inside = 0, n = carom_shape_samples_count(a.samples);
    double W = 0;
    for (int i = 0; i < n; i++) {
        double w;
        caromVec3 x = carom_shape_samples_point(a.samples, i, &w);
        double g = carom_collide_point(b, Xb, carom_pose_point(Xa, x)).g;
        if (g < 0) inside++, W += 0.5*w*g*g;
    }
    Sum s = pressed(a, Xa, b, Xb);
    assert_true(abs(s.ncell - inside) <= 1);  // one on the surface, by rounding
    CHECK_NEAR(energy(a, Xa, b, Xb), W, 1e-12*W + 1e-18);
}

static void every_point_that_is_inside_is_found(void **state)
{
    (void)state;
    Random r = { 8 };
    for (int k = 0; k < KINDS; k++) {
        caromShape a = sampled(kind(k), 0.03), b = kind((k + 7) % KINDS);
        caromPose Xa = random_pose(&r, 0.15), Xb = random_pose(&r, 0.15);
        expect_all_found(a, Xa, b, Xb);
        unsample(&a);
    }
}

// Bodies that have just come down on a slab, sharp or rounded: on its face, which a few of their points have reached,
// or over its rim.
static void every_point_that_grazes_a_slab_is_found(void **state)
{
    (void)state;
    Random r = { 18 };
    for (int k = 0; k < KINDS; k++) {
        caromShape a = sampled(kind(k), 0.02), slab = carom_shape_box(2, 2, 0.3);
        for (int tries = 0; tries < 60; tries++) {
            caromShape b = tries % 2 ? slab : carom_shape_rounded(slab, 0.02);
            caromPose Xb = random_pose(&r, 0.5), at = { random_pose(&r, 1).R, { 0, 0, 1 } };
            at.p.x = tries % 3 ? 0.3 : 0.95;
            double gap = carom_collide_shapes(a, at, b, pose_at(0, 0, 0)).g;
            at.p.z -= gap + pow(10, random_uniform(&r, -7, -2));
            expect_all_found(a, carom_pose_mul(Xb, at), b, Xb);
        }
        unsample(&a);
    }
}

// The points of a floor are far apart, a small part has many: it does not notice when it passes over one of them.
static void coarse_points_do_not_kick_small_parts(void **state)
{
    (void)state;
    caromShape plate = sampled(carom_shape_box(4, 4, 0.5), 0.5), peg = sampled(carom_shape_cylinder(0.02, 0.05), 0.002);
    double least = INFINITY, most = 0;
    for (int i = 0; i <= 40; i++) {
        caromPose X = pose_at(-0.05 + 0.1*i/40, 0.003, 0.25 + 0.025 - 1e-4);
        double f = pressed(peg, X, plate, pose_at(0, 0, 0)).force.z;
        least = fmin(least, -f);
        most = fmax(most, -f);
    }
    double face = PI*0.02*0.02*1e-4;
    assert_true(least > 0.99*face && most < 1.02*face);  // the rim has 0.1 mm of the side
    unsample(&plate);
    unsample(&peg);
}

// ---- continuity

static double largest_jump(caromShape a, caromShape b, uint64_t seed, int n, double *deepest)
{
    Random r = { seed };
    caromPose Xa = carom_pose(carom_quat_matrix(random_rotation(&r)), carom_vec(0, 0, 0));
    caromVec3 from = random_vec(&r, 0.3), way = random_vec(&r, 0.3),
              axis = carom_unit_or(random_vec(&r, 1), carom_vec(1, 0, 0));
    caromQuat q = random_rotation(&r);
    double jump = 0, most = 0;
    caromVec3 before = { 0, 0, 0 };
    *deepest = 0;
    for (int k = 0; k <= n; k++) {
        double t = (double)k/n;
        caromPose Xb = carom_pose(carom_quat_matrix(carom_quat_mul(carom_quat_axis_angle(axis, 0.5*t), q)),
                                  carom_axpy(t, way, from));
        Sum s = pressed(a, Xa, b, Xb);
        if (k > 0) jump = fmax(jump, carom_norm(carom_sub(s.force, before)));
        most = fmax(most, carom_norm(s.force));
        *deepest = fmax(*deepest, s.depth);
        before = s.force;
    }
    return most > 1e-6 ? jump/most : 0;
}

// Distances from a smooth surface have no kink near it: the force is continuous, and a path in four times as many steps
// has jumps a quarter as large.
static void force_is_continuous_where_surfaces_are_smooth(void **state)
{
    (void)state;
    int moved = 0;
    double deepest;
    caromShape shapes[3] = { sampled(carom_shape_torus(0.25, 0.1), 0.04), sampled(carom_shape_capsule(0.15, 0.2), 0.03),
                             sampled(carom_shape_ellipsoid(0.2, 0.25, 0.2), 0.04) };
    for (int k = 0; k < share_of(400); k++) {
        caromShape a = shapes[k % 3], b = k/3 % 3 == 0 ? carom_shape_half_space() : shapes[(k + k/3) % 3];
        double coarse = largest_jump(a, b, 100 + (uint64_t)k, 50, &deepest),
               fine = largest_jump(a, b, 100 + (uint64_t)k, 200, &deepest);
        // As deep as their smallest radius they have middles, from which the way out jumps; and some graze each other.
        if (coarse == 0 || fine == 0 || deepest > 0.08 || coarse > 0.2) continue;
        moved++;
        if (fine > 0.5*coarse) print_error("path %d: %g, then %g\n", k, coarse, fine);
        assert_true(fine <= 0.5*coarse);
    }
    assert_true(moved > share_of(30));
    for (int i = 0; i < 3; i++) unsample(&shapes[i]);
}

// ---- a doughnut on a cone

// Torus and cone of the same axis: depth at the angle f around the tube below the cone's side is d - r (1 - cos f) but
// for curvature of the cone, which there is none of along its side; so points of the torus give W = 2 pi integral of
// rho(f) (d - r (1 - cos f))^2/2 r df. The force along the axis is -dW/dz, d = const - z sin b... with b the half angle
// of the cone: F_z = W'(d) sin b.
static double ring_force(double R, double r, double b, double d)
{
    const int n = 20000;
    double top = acos(1 - d/r), sum = 0;
    for (int i = 0; i < n; i++) {
        double f = top*((i + 0.5)/n*2 - 1), depth = d - r*(1 - cos(f));
        double rho = R - r*cos(f + b);  // towards the axis and down to the side, whose outer normal is (cos b, sin b)
        sum += depth*2*PI*rho*r*(2*top/n);
    }
    return sum*sin(b);
}

static void a_doughnut_on_a_cone_has_the_force_of_the_ring(void **state)
{
    (void)state;
    const double R = 0.035, r = 0.015, half = 0.3, length = 0.2, d = 5e-4;
    double base = length*tan(half), error[3];
    // Side of the cone: rho cos b + (z - tip) sin b = 0; the ring at height z is (R cos b + (z - tip) sin b) away from
    // it.
    double tip = 0.5*length, z = tip - (R*cos(half) - (r - d))/sin(half);
    double exact = ring_force(R, r, half, d);
    for (int k = 0; k < 3; k++) {
        caromShape ring = sampled(carom_shape_torus(R, r), 4e-3/(1 << k)), cone = carom_shape_cone(base, 0, length);
        Sum s = pressed(ring, pose_at(0, 0, z), cone, pose_at(0, 0, 0));
        // The points nearest to the deepest line are half a spacing off it.
        CHECK_NEAR(s.depth, d, 2*ring.samples->spacing*ring.samples->spacing/(8*r));
        CHECK_VEC(s.force, carom_vec(0, 0, s.force.z), 1e-12*carom_norm(s.force));
        CHECK_VEC(s.torque, carom_vec(0, 0, 0), 1e-12*carom_norm(s.force));
        error[k] = fabs(-s.force.z/exact - 1);
        unsample(&ring);
    }
    print_message("doughnut on a cone: errors %.2e %.2e %.2e\n", error[0], error[1], error[2]);
    assert_true(error[2] < 0.01);
}

// Meshes of torus and cone, refined: the force goes to that of the shapes, with their own samples.
static void refining_meshes_converges(void **state)
{
    (void)state;
    const double half = 0.3, length = 0.2, base = length*tan(half);
    double force[3];
    caromShape ring = sampled(carom_shape_torus(0.035, 0.015), 1e-3),
               cone = sampled(carom_shape_cone(base, 0, length), 1e-3);
    double tip = 0.5*length, d = 1e-3, z = tip - (0.035*cos(half) - (0.015 - d))/sin(half);
    double exact = -pressed(ring, pose_at(0, 0, z), cone, pose_at(0, 0, 0)).force.z;
    for (int k = 0; k < 3; k++) {
        int n = 12 << k;
        double profile[2][2] = { { base, -0.5*length }, { 1e-4*base, 0.5*length } };
        Raw a = torus(0.035, 0.015, 2*n, n), b = lathe((const double (*)[2])profile, 2, 2*n);
        caromMesh *ma = mesh_of(&a, NULL), *mb = mesh_of(&b, NULL);
        raw_free(&a);
        raw_free(&b);
        caromShape sa = sampled(carom_shape_mesh(ma), 1e-3), sb = sampled(carom_shape_mesh(mb), 1e-3);
        Sum s = pressed(sa, pose_at(0, 0, z), sb, pose_at(0, 0, 0));
        force[k] = -s.force.z;
        unsample(&sa);
        unsample(&sb);
        carom_mesh_destroy(ma);
        carom_mesh_destroy(mb);
    }
    print_message("meshes: %.4f %.4f %.4f of the force of the shapes\n", force[0]/exact, force[1]/exact,
                  force[2]/exact);
    assert_true(fabs(force[2]/exact - 1) < 0.06 && fabs(force[2]/exact - 1) < 0.4*fabs(force[1]/exact - 1) &&
                fabs(force[1]/exact - 1) < 0.4*fabs(force[0]/exact - 1));
    unsample(&ring);
    unsample(&cone);
}

// ---- who is served

static void rows_are_taken_in_their_order(void **state)
{
    (void)state;
    bool swapped;
    caromShape box = carom_shape_box(1, 1, 1), fine = sampled(box, 0.1), by_default = sampled(box, 0),
               rounded = carom_shape_rounded(box, 0.1), torus = carom_shape_torus(1, 0.1), ball = carom_shape_sphere(1);
    caromShape cone = carom_shape_cone(1, 0, 1), asked = sampled(cone, 0.1);
    assert_ptr_equal(carom_patch_row(&box, &box, &swapped), &carom_patch_planes);
    assert_ptr_equal(carom_patch_row(&box, &by_default, &swapped), &carom_patch_planes);
    assert_ptr_equal(carom_patch_row(&box, &fine, &swapped), &carom_patch_asked);
    assert_ptr_equal(carom_patch_row(&rounded, &by_default, &swapped), &carom_patch_on_face);
    assert_null(carom_patch_row(&rounded, &box, &swapped));
    assert_int_equal(carom_patch_contact_kind(&torus, &cone), CAROM_CONTACT_POINT);
    assert_int_equal(carom_patch_contact_kind(&torus, &asked), CAROM_CONTACT_FACE);
    assert_int_equal(carom_patch_contact_kind(&ball, &asked), CAROM_CONTACT_FACE);
    assert_int_equal(carom_patch_contact_kind(&rounded, &by_default), CAROM_CONTACT_FACE);
    assert_int_equal(carom_patch_contact_kind(&rounded, &box), CAROM_CONTACT_NONE);
    unsample(&fine);
    unsample(&by_default);
    unsample(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_cover_the_surface),
        cmocka_unit_test(a_tree_holds_all_points),
        cmocka_unit_test(spacings_that_make_no_sense_are_refused),
        cmocka_unit_test(a_face_has_the_force_of_its_area),
        cmocka_unit_test(refining_the_points_converges),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(swapping_mirrors_and_moving_moves),
        cmocka_unit_test(every_point_that_is_inside_is_found),
        cmocka_unit_test(every_point_that_grazes_a_slab_is_found),
        cmocka_unit_test(coarse_points_do_not_kick_small_parts),
        cmocka_unit_test(force_is_continuous_where_surfaces_are_smooth),
        cmocka_unit_test(a_doughnut_on_a_cone_has_the_force_of_the_ring),
        cmocka_unit_test(refining_meshes_converges),
        cmocka_unit_test(rows_are_taken_in_their_order),
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
