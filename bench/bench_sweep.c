// bench_sweep: what the first touch of two moving shapes costs, in units of one distance query at the start.
//
// Pairs are thrown at each other from far (a few sizes away) or from near (a tenth of the size), so that most of them
// touch. Times are medians over the pairs of the least of several rounds; the distance query is asked for the pose at
// the start, without warm start.
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "table.h"

enum { PAIRS = 200, ROUNDS = 5 };

typedef struct Throw {
    caromShape a, b;
    caromPose X_A, X_B;
    caromSpatial V_A, V_B;
} Throw;

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

static caromMat3 random_turn(void)
{
    caromVec3 axis = random_vec(1);
    return carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(axis, carom_vec(0, 0, 1)), uniform(0, 6.28)));
}

// Half an edge or a radius of about 1; many: vertices of a polytope.
static caromHull *random_hull(int n)
{
    caromVec3 *points = malloc((size_t)n*sizeof *points);
    if (!points) exit(1);
    for (int i = 0; i < n; i++) points[i] = carom_unit_or(random_vec(1), carom_vec(1, 0, 0));
    caromHull *hull = carom_hull_create(points, n, 0, NULL);
    free(points);
    return hull;
}

static caromMesh *torus_mesh(int n, int m)
{
    int (*triangles)[3] = malloc(2*(size_t)(n*m)*sizeof *triangles);
    caromVec3 *vertices = malloc((size_t)(n*m)*sizeof *vertices);
    if (!triangles || !vertices) exit(1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double u = 6.283185307179586*i/n, v = 6.283185307179586*j/m, ring = 0.7 + 0.3*cos(v);
            int a = i*m + j, b = (i + 1)%n*m + j, c = (i + 1)%n*m + (j + 1)%m, d = i*m + (j + 1)%m;
            vertices[a] = carom_vec(ring*cos(u), ring*sin(u), 0.3*sin(v));
            triangles[2*a][0] = a, triangles[2*a][1] = b, triangles[2*a][2] = c;
            triangles[2*a + 1][0] = a, triangles[2*a + 1][1] = c, triangles[2*a + 1][2] = d;
        }
    caromMesh *mesh = carom_mesh_create(vertices, n*m, (const int (*)[3])triangles, 2*n*m, NULL, NULL);
    free(triangles);
    free(vertices);
    return mesh;
}

static void throw_pair(Throw *t, caromShape a, caromShape b, double distance, double turn)
{
    *t = (Throw){ .a = a, .b = b, .X_A = carom_pose(random_turn(), random_vec(1)) };
    caromVec3 direction = carom_unit_or(random_vec(1), carom_vec(1, 0, 0));
    double away = carom_shape_radius(a) + carom_shape_radius(b);
    t->X_B = carom_pose(random_turn(), carom_axpy(away + distance, direction, t->X_A.p));
    for (int i = 0; i < 12; i++) {  // to that distance, or nearly
        double g = carom_collide_shapes(a, t->X_A, b, t->X_B).g;
        t->X_B.p = carom_axpy(-fmax(0, fmin(away, g - distance)), direction, t->X_B.p);
        away -= fmin(away, g - distance);
    }
    t->V_B.linear = carom_add(carom_scale(-1, direction), random_vec(0.3));
    t->V_A.angular = random_vec(turn);
    t->V_B.angular = random_vec(turn);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sink;

static caromSweep sweep_of(const Throw *t)
{
    return carom_sweep_shapes((caromMoving){ t->a, t->X_A, t->V_A }, (caromMoving){ t->b, t->X_B, t->V_B }, 4);
}

static double ask(const Throw *t, bool is_sweep)
{
    if (!is_sweep) return carom_collide_shapes(t->a, t->X_A, t->b, t->X_B).g;
    caromSweep s = sweep_of(t);
    return s.hit ? s.t : 0;
}

// Seconds of one query.
static double median_time(const Throw *pairs, int n, int repeat, bool is_sweep)
{
    static double best[PAIRS];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            double begin = bench_cpu_seconds();
            for (int k = 0; k < repeat; k++) sink += ask(&pairs[i], is_sweep);
            double t = (bench_cpu_seconds() - begin)/repeat;
            best[i] = round == 0 ? t : fmin(best[i], t);
        }
    qsort(best, (size_t)n, sizeof *best, compare);
    return best[n/2];
}

static void row(const char *name, caromShape a, caromShape b, int n, int repeat)
{
    static const struct { double distance, turn; } cases[] = { { 2, 0 }, { 0.1, 0 }, { 2, 1 }, { 0.1, 1 } };
    static Throw pairs[PAIRS];
    printf("%-30s", name);
    for (int c = 0; c < 4; c++) {
        int hits = 0;
        for (int i = 0; i < n; i++) throw_pair(&pairs[i], a, b, cases[c].distance, cases[c].turn);
        for (int i = 0; i < n; i++) hits += sweep_of(&pairs[i]).hit;
        double gap = median_time(pairs, n, repeat, false), sweep = median_time(pairs, n, repeat, true);
        printf(" %8.2f us %5.1f %3d%%", 1e6*sweep, sweep/gap, 100*hits/n);
    }
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    printf("first touch: time, in units of a distance query at the start, hits\n%-30s %-22s %-22s %-22s %-22s\n", "",
           "sliding, far", "sliding, near", "turning, far", "turning, near");
    row("sphere - sphere", carom_shape_sphere(1), carom_shape_sphere(1), PAIRS, 20);
    row("box - box", carom_shape_box(1.5, 2, 1), carom_shape_box(1.5, 2, 1), PAIRS, 20);
    row("box - capsule", carom_shape_box(1.5, 2, 1), carom_shape_capsule(0.4, 1), PAIRS, 20);
    row("cylinder - box", carom_shape_cylinder(0.7, 1), carom_shape_box(1.5, 2, 1), PAIRS, 10);
    row("ellipsoid - ellipsoid", carom_shape_ellipsoid(1, 0.6, 0.8), carom_shape_ellipsoid(1, 0.6, 0.8), PAIRS, 10);
    static const int sizes[] = { 32, 512 };
    for (int k = 0; k < 2; k++) {
        char name[64];
        snprintf(name, sizeof name, "polytopes of %d vertices", sizes[k]);
        caromHull *hull = random_hull(sizes[k]);
        row(name, carom_shape_polytope(hull), carom_shape_polytope(hull), PAIRS, 10);
        carom_hull_destroy(hull);
    }
    static const int around[][2] = { { 10, 6 }, { 40, 20 }, { 200, 100 } };
    for (int k = 0; k < 3; k++) {
        char name[64];
        caromMesh *mesh = torus_mesh(around[k][0], around[k][1]);
        caromShape shape = carom_shape_mesh(mesh);
        snprintf(name, sizeof name, "meshes of %d triangles", 2*around[k][0]*around[k][1]);
        row(name, shape, shape, 40, 1);
        snprintf(name, sizeof name, "the same and a sphere");
        row(name, shape, carom_shape_sphere(0.2), 40, 1);
        snprintf(name, sizeof name, "the same and a box");
        row(name, shape, carom_shape_box(0.3, 0.4, 0.2), 40, 1);
        carom_mesh_destroy(mesh);
    }
    row("torus - box", carom_shape_torus(0.7, 0.3), carom_shape_box(0.3, 0.4, 0.2), 40, 1);
    return sink > 1e300;
}
