// Contact of two equal balls that are meshes: error of the force against exact balls, and CPU time of an evaluation.
//
//     bench_mesh_contact FOLDER     prints rows, and leaves meshes and poses for the peers (mesh_contact.py) in FOLDER
//
// Balls of radius 0.1 m, meshes of 12 n^2 triangles with the volume of the ball, overlap by `depth` radii. Error: of
// the force along the line of centres, over that of exact balls, root mean square and worst of 24 turned poses;
// sideways: root mean square of the rest.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "carom/mesh.h"
#include "geometry/samples.h"
#include "patch/fields.h"
#include "patch/table.h"
#include "table.h"

enum { POSES = 24, ROUNDS = 3, SIZES = 4 };
static const double R = 0.1, depths[2] = { 0.02, 0.1 };
static const int sides[SIZES] = { 8, 16, 32, 64 };

static double uniform(void)
{
    static uint64_t seed = 7;
    seed = seed*6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11)*0x1p-52 - 1.0;
}

static caromVec3 blown_up(int side, double s, double t)
{
    double x[3], sign = side % 2 ? 1.0 : -1.0;
    x[side/2] = sign;
    x[(side/2 + 1)%3] = s;
    x[(side/2 + 2)%3] = sign*t;
    return carom_scale(R, carom_unit_or(carom_vec(x[0], x[1], x[2]), carom_vec(0, 0, 1)));
}

// A cube of n by n squares on each side, blown up.
static caromMesh *ball(int n, double scale)
{
    caromVec3 *vertices = calloc((size_t)(6*(n + 1)*(n + 1)), sizeof *vertices);
    int (*triangles)[3] = calloc((size_t)(12*n*n), sizeof *triangles), v = 0, t = 0;
    double *line = calloc((size_t)n + 1, sizeof *line);
    for (int i = 0; line && i <= n; i++) line[i] = i == 0 ? -1.0 : i == n ? 1.0 : tan(0.25*acos(-1.0)*(2*i - n)/n);
    for (int side = 0; vertices && triangles && line && side < 6; side++) {
        int first = v;
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) vertices[v++] = carom_scale(scale, blown_up(side, line[i], line[j]));
        for (int k = 0; k < n*n; k++) {
            int a = first + k/n*(n + 1) + k%n, b = a + n + 1;
            const int two[2][3] = { { a, b, b + 1 }, { a, b + 1, a + 1 } };
            for (int c = 0; c < 6; c++) triangles[t + c/3][c%3] = two[c/3][c%3];
            t += 2;
        }
    }
    caromMesh *mesh = carom_mesh_create(vertices, v, (const int (*)[3])triangles, t, NULL, NULL);
    free(vertices);
    free(triangles);
    free(line);
    if (!mesh) exit(1);
    return mesh;
}

static caromMesh *ball_of_volume(int n)
{
    caromMesh *rough = ball(n, 1.0);
    double grow = cbrt(4.0*acos(-1.0)/3.0*R*R*R/carom_mesh_report(rough)->volume);
    carom_mesh_destroy(rough);
    return ball(n, grow);
}

static FILE *opened(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) fprintf(stderr, "cannot write %s\n", path), exit(1);
    return file;
}

static void write_mesh(const char *folder, int n, const caromMesh *mesh)
{
    char name[32];
    const caromVec3 *p;
    const int (*t)[3];
    int nvertex = carom_mesh_vertices(mesh, &p), ntriangle = carom_mesh_triangles(mesh, &t);
    snprintf(name, sizeof name, "ball-%d.obj", n);
    FILE *file = opened(folder, name);
    for (int i = 0; i < nvertex; i++) fprintf(file, "v %.12g %.12g %.12g\n", p[i].x, p[i].y, p[i].z);
    for (int i = 0; i < ntriangle; i++) fprintf(file, "f %d %d %d\n", t[i][0] + 1, t[i][1] + 1, t[i][2] + 1);
    fclose(file);
}

// Two turned balls, and the direction from one to the other; one line each.
typedef struct Turned {
    caromQuat a, b;
    caromVec3 u;
} Turned;

static caromQuat random_turn(void)
{
    double w = uniform(), x = uniform(), y = uniform(), z = uniform();
    return carom_quat_normalized((caromQuat){ w, x, y, z });
}

static void make_poses(const char *folder, Turned poses[POSES])
{
    FILE *file = opened(folder, "poses.txt");
    for (int k = 0; k < POSES; k++) {
        Turned *p = &poses[k];
        p->a = random_turn();
        p->b = random_turn();
        double x = uniform(), y = uniform(), z = uniform();
        p->u = carom_unit_or(carom_vec(x, y, z), carom_vec(0, 0, 1));
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", p->a.w, p->a.x, p->a.y,
                p->a.z, p->b.w, p->b.x, p->b.y, p->b.z, p->u.x, p->u.y, p->u.z);
    }
    fclose(file);
}

// Integral of d grad d over the part of the surface of one exact ball in the other.
static double exact_force(double depth)
{
    const int n = 20000;
    double c = 2.0*R - depth, end = acos(0.5*c/R), sum = 0.0;
    for (int i = 0; i < n; i++) {
        double t = end*(i + 0.5)/n, out = sqrt(R*R + c*c - 2.0*R*c*cos(t));
        sum += 2.0*acos(-1.0)*R*R*sin(t)*(R - out)*(c - R*cos(t))/out*end/n;
    }
    return sum;
}

static caromVec3 force_at(caromShape s, const Turned *p, double depth)
{
    static caromPatch patch;
    caromPose Xa = { carom_quat_matrix(p->a), { 0, 0, 0 } },
              Xb = { carom_quat_matrix(p->b), carom_scale(2.0*R - depth, p->u) };
    carom_patch_tiles.patch(&s, Xa, &s, Xb, &patch);
    caromVec3 force = { 0, 0, 0 };
    for (int i = 0; i < patch.ncell; i++) force = carom_axpy(patch.cells[i].weight, patch.cells[i].n_AB, force);
    return force;
}

static double seconds_each(caromShape s, const Turned *poses, double depth)
{
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double before = bench_cpu_seconds(), spent = 0.0;
        int calls = 0;
        for (; spent < 0.1; calls += POSES) {
            for (int k = 0; k < POSES; k++) force_at(s, &poses[k], depth);
            spent = bench_cpu_seconds() - before;
        }
        best = fmin(best, spent/calls);
    }
    return best;
}

static void run(const char *way, const caromMesh *mesh, double spacing, int triangles, const Turned *poses)
{
    caromError err = { 0 };
    caromShape s = carom_shape_mesh(mesh);
    double before = bench_cpu_seconds();
    s.samples = carom_shape_samples_create(s, spacing, &err);
    double made = bench_cpu_seconds() - before;
    if (!s.samples) exit(1);
    for (int d = 0; d < 2; d++) {
        double depth = depths[d]*R, exact = exact_force(depth), worst = 0.0, sum = 0.0, aside = 0.0;
        for (int k = 0; k < POSES; k++) {
            caromVec3 force = force_at(s, &poses[k], depth);
            double along = carom_dot(force, poses[k].u), off = along/exact - 1.0,
                   rest = carom_norm(carom_axpy(-along, poses[k].u, force))/exact;
            worst = fmax(worst, fabs(off));
            sum += off*off/POSES;
            aside += rest*rest/POSES;
        }
        printf("%s %g %d %.6f %.6f %.6f %.3f %.3f\n", way, depths[d], triangles, sqrt(sum), worst, sqrt(aside),
               1e6*seconds_each(s, poses, depth), made);
        fflush(stdout);
    }
    carom_shape_samples_destroy((caromSamples *)s.samples);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    Turned poses[POSES];
    make_poses(argv[1], poses);
    for (int i = 0; i < SIZES; i++) {
        caromMesh *mesh = ball_of_volume(sides[i]);
        write_mesh(argv[1], sides[i], mesh);
        int triangles = 12*sides[i]*sides[i];
        double side = R*acos(-1.0)/2.0/sides[i];
        run("carom", mesh, 0.0, triangles, poses);
        run("carom-coarse", mesh, 2.0*side, triangles, poses);
        carom_mesh_destroy(mesh);
    }
    return 0;
}
