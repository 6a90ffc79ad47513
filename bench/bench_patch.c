// bench_patch [CASE [CALLS [energy]]]: what the contact surface between plane faces costs, and its energy, by pose.
// With a case only that one is run, some calls of it, for valgrind.
//
// Times are the least of several rounds over poses that differ a little (by a thousandth of the size), so that no
// branch is always taken the same way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "patch/fields.h"
#include "table.h"

enum { POSES = 16, ROUNDS = 9, REPEATS = 100 };

typedef struct Case {
    const char *name;
    caromShape a, b;
    caromPose X_A, X_B[POSES];
} Case;

static unsigned long long state = 1;
static double uniform(double low, double high)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return low + (high - low)*(double)((state*2685821657736338717ULL) >> 11)*0x1p-53;
}

static caromVec3 random_vec(double size)
{
    double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return carom_vec(x, y, z);
}

static caromMat3 turn(double x, double y, double z, double angle)
{
    return carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(carom_vec(x, y, z), carom_vec(0, 0, 1)), angle));
}

static caromShape ball(int corners)
{
    caromVec3 p[512];
    for (int i = 0; i < corners; i++) p[i] = carom_scale(0.05, carom_unit_or(random_vec(1), carom_vec(1, 0, 0)));
    caromHull *hull = carom_hull_create(p, corners, 0, NULL);
    if (!hull) exit(1);
    return carom_shape_polytope(hull);
}

// B stands over A (a floor at height 0, or a box whose top is there), turned by R, moved aside, and depth deep.
static Case make(const char *name, caromShape a, caromShape b, caromMat3 R, double aside, double depth)
{
    Case c = { .name = name, .a = a, .b = b, .X_A = carom_pose(carom_mat_identity(), carom_vec(0, 0, 0)) };
    for (int k = 0; k < POSES; k++) {
        bool is_exact = aside == 0;
        caromPose X = { R, { aside + (is_exact ? 0 : uniform(-5e-5, 5e-5)),
                             aside + (is_exact ? 0 : uniform(-5e-5, 5e-5)), 0.2 } };
        // Where the surface of A is in the way of a polytope is left to the distance query.
        double low = 0, high = 0.2;
        for (int i = 0; i < 60; i++) {
            X.p.z = 0.5*(low + high);
            double g = carom_collide_shapes(a, c.X_A, b, X).g;
            if (g > -depth) high = X.p.z;
            else low = X.p.z;
        }
        c.X_B[k] = X;
    }
    return c;
}

static double seconds_of(const Case *c, caromPatch *patch, int calls)
{
    double start = bench_cpu_seconds();
    for (int i = 0; i < calls; i++) carom_patch_shapes(&c->a, c->X_A, &c->b, c->X_B[i % POSES], patch);
    return (bench_cpu_seconds() - start)/calls;
}

static double seconds_of_energy(const Case *c, double *energy, int calls)
{
    double start = bench_cpu_seconds();
    for (int i = 0; i < calls; i++) *energy += carom_patch_shapes_energy(&c->a, c->X_A, &c->b, c->X_B[i % POSES]);
    return (bench_cpu_seconds() - start)/calls;
}

static void run_one(const Case *c, int calls, bool is_energy)
{
    static caromPatch patch;
    double energy = 0;
    if (is_energy) seconds_of_energy(c, &energy, calls);
    else seconds_of(c, &patch, calls);
}

int main(int argc, char **argv)
{
    static caromPatch patch;
    caromShape cube = carom_shape_box(0.1, 0.1, 0.1), small = carom_shape_box(0.04, 0.04, 0.04),
               floor = carom_shape_half_space();
    caromShape p8 = ball(6), p20 = ball(12), p40 = ball(22), p1020 = ball(512);
    caromMat3 flat = carom_mat_identity(), yaw = turn(0, 0, 1, 0.5), edge = turn(1, 0, 0, 0.7),
              tilt = turn(1, 0.3, 0.1, 0.02), corner = turn(1, 0.7, 0.2, 0.8);
    double shallow = 1e-6, deep = 0.01;
    const Case cases[] = {
        make("box-box inside", cube, small, flat, 0.012, shallow),
        make("box-box offset", cube, cube, flat, 0.011, shallow),
        make("box-box flush", cube, cube, flat, 0, shallow),
        make("box-box yawed", cube, cube, yaw, 0.003, shallow),
        make("box-box tilted", cube, cube, tilt, 0.011, shallow),
        make("box-box edge", cube, cube, edge, 0.011, shallow),
        make("box-box edge-edge", cube, cube, carom_mat_mul(yaw, edge), 0.049, shallow),
        make("box-box corner", cube, cube, corner, 0.011, shallow),
        make("box-box apart", cube, cube, edge, 0.011, -1e-4),
        make("box-box offset deep", cube, cube, flat, 0.011, deep),
        make("box-box flush deep", cube, cube, flat, 0, deep),
        make("box-box yawed deep", cube, cube, yaw, 0.003, deep),
        make("box-box tilted deep", cube, cube, tilt, 0.011, deep),
        make("box-box edge deep", cube, cube, edge, 0.011, deep),
        make("box-box corner deep", cube, cube, corner, 0.011, deep),
        make("box-floor flat", floor, cube, flat, 0.011, shallow),
        make("box-floor tilted", floor, cube, tilt, 0.011, shallow),
        make("box-floor edge", floor, cube, edge, 0.011, shallow),
        make("box-floor corner", floor, cube, corner, 0.011, shallow),
        make("box-floor corner deep", floor, cube, corner, 0.011, deep),
        make("8-box", cube, p8, corner, 0.011, shallow),
        make("8-8", p8, p8, corner, 0.003, shallow),
        make("8-8 deep", p8, p8, corner, 0.003, deep),
        make("20-floor", floor, p20, corner, 0.003, shallow),
        make("20-20", p20, p20, corner, 0.003, shallow),
        make("20-20 deep", p20, p20, corner, 0.003, deep),
        make("40-40", p40, p40, corner, 0.003, shallow),
        make("40-40 deep", p40, p40, corner, 0.003, deep),
        make("1020-1020", p1020, p1020, corner, 0.003, shallow),
    };
    for (size_t k = 0; k < sizeof cases/sizeof cases[0]; k++) {
        const Case *c = &cases[k];
        if (argc > 1) {
            if (strcmp(argv[1], c->name) == 0) run_one(c, argc > 2 ? atoi(argv[2]) : POSES, argc > 3);
            continue;
        }
        double best = INFINITY, best_of_energy = INFINITY, energy = 0;
        for (int r = 0; r < ROUNDS; r++) {
            best = fmin(best, seconds_of(c, &patch, REPEATS*POSES));
            best_of_energy = fmin(best_of_energy, seconds_of_energy(c, &energy, REPEATS*POSES));
        }
        int cells = 0;
        for (int i = 0; i < POSES; i++) {
            carom_patch_shapes(&c->a, c->X_A, &c->b, c->X_B[i], &patch);
            cells += patch.ncell;
        }
        printf("%-22s %5.1f polygons %8.2f us, energy %8.2f us\n", c->name, cells/4.0/POSES, 1e6*best,
               1e6*best_of_energy);
    }
    return 0;
}
