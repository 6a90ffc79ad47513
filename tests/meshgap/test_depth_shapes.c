// How deep convex shapes are in meshes and meshes in convex shapes, against overlaps of shapes that are moved.
//
// The promise is that of two meshes (test_depth.c): moved by -g along n they touch, moved by less they overlap, and
// turning the way a little does not make it shorter: by 0.01, not by a thousandth. (By 1e-4 one in a hundred gets
// shorter by more than a millionth: in the valley between two curved conditions the search ends early.) A mesh that is
// convex has its hull to compare with: no way is shorter than the depth of the two.
#include <time.h>

#include "collide_fixture.h"
#include "mesh_fixture.h"

enum { MESHES = 5 };
static caromMesh *meshes[MESHES];
static caromHull *hulls[MESHES];  // NULL: not convex

static caromMesh *made_mesh(Raw raw, caromHull **hull)
{
    caromMesh *mesh = carom_mesh_create(raw.vertices, raw.nvertex, (const int (*)[3])raw.triangles, raw.ntriangle, NULL,
                                        NULL);
    if (hull) *hull = carom_hull_create(raw.vertices, raw.nvertex, 0, NULL);
    raw_free(&raw);
    assert_non_null(mesh);
    return mesh;
}

static int make_meshes(void **state)
{
    (void)state;
    meshes[0] = made_mesh(tetrahedron(), &hulls[0]);
    meshes[1] = made_mesh(cube(0.5), &hulls[1]);
    meshes[2] = made_mesh(torus(1, 0.3, 40, 20), NULL);
    meshes[3] = made_mesh(torus(1, 0.1, 24, 8), NULL);
    meshes[4] = made_mesh(bolt(), NULL);
    return 0;
}

static int free_meshes(void **state)
{
    (void)state;
    for (int k = 0; k < MESHES; k++) carom_mesh_destroy(meshes[k]), carom_hull_destroy(hulls[k]);
    return 0;
}

typedef struct Overlap {
    int mesh;
    caromShape a, b;
    caromPose X_WA, X_WB;
    double size;
} Overlap;

// Of sizes from a third of the mesh to ten times; in the same frame, with the same axes, or anyhow.
static Overlap random_overlap(Random *r)
{
    Overlap o;
    do {
        o.mesh = (int)random_uniform(r, 0, MESHES);
        o.a = carom_shape_mesh(meshes[o.mesh]);
        do o.b = random_convex(r);
        while (o.b.kind == CAROM_SPHERE);
        double scale = pow(10, random_uniform(r, -0.5, 1)), way = random_uniform(r, 0, 4);
        o.b.size = carom_scale(scale, o.b.size);
        o.b.rounding *= scale;
        o.X_WA = random_pose(r, 0.1);
        o.X_WB = random_pose(r, pow(10, random_uniform(r, -2, 0)));
        if (way < 1) o.X_WB = o.X_WA;
        else if (way < 2) o.X_WB.R = o.X_WA.R;
        o.size = fmax(carom_shape_radius(o.a), carom_shape_radius(o.b));
    } while (!carom_collide_overlap(o.a, o.X_WA, o.b, o.X_WB));
    return o;
}

static bool overlaps_moved(const Overlap *o, caromVec3 by)
{
    caromPose X = o->X_WB;
    X.p = carom_add(X.p, by);
    return carom_collide_overlap(o->a, o->X_WA, o->b, X);
}

// Is there a way of this length under an angle with n?
static bool is_free_beside(const Overlap *o, caromVec3 n, double angle, double length)
{
    enum { AROUND = 8 };
    caromVec3 e = carom_unit_or(carom_cross(n, fabs(n.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0)), n),
              f = carom_cross(n, e);
    for (int i = 0; i < AROUND; i++) {
        double around = 2*PI/AROUND*i;
        caromVec3 side = carom_axpy(cos(around), e, carom_scale(sin(around), f));
        caromVec3 u = carom_axpy(cos(angle), n, carom_scale(sin(angle), side));
        if (!overlaps_moved(o, carom_scale(length, u))) return true;
    }
    return false;
}

typedef struct Faults {
    int n, deeper, shorter, turned, slopes, mirrored, below, convex, global;
} Faults;

static void look_at(const Overlap *o, Faults *faults)
{
    caromGap gap = carom_collide_shapes(o->a, o->X_WA, o->b, o->X_WB),
             mirror = carom_collide_shapes(o->b, o->X_WB, o->a, o->X_WA);
    CHECK(gap.status == CAROM_GAP_OK && gap.g <= 0);
    double depth = -gap.g, small = 1e-6*o->size;
    if (depth < 1e-4*o->size) return;
    faults->n++;
    faults->deeper += overlaps_moved(o, carom_scale(depth + small, gap.n_AB));
    faults->shorter += !overlaps_moved(o, carom_scale(depth - small, gap.n_AB));
    faults->turned += is_free_beside(o, gap.n_AB, 0.01, depth*(1 - 1e-3));
    faults->slopes += is_free_beside(o, gap.n_AB, 1e-4, depth*(1 - 1e-6));
    faults->mirrored += !(mirror.g == gap.g && mirror.n_AB.x == -gap.n_AB.x && mirror.p_A.x == gap.p_B.x);
    if (!hulls[o->mesh]) return;
    double exact = -carom_collide_shapes(carom_shape_polytope(hulls[o->mesh]), o->X_WA, o->b, o->X_WB).g;
    faults->convex++;
    faults->below += depth < exact - 1e-9*o->size;
    faults->global += depth < 1.01*exact;
}

static void depths_are_locally_shortest(void **state)
{
    (void)state;
    enum { OVERLAPS = 150 };
    Random r = { 3 };
    Faults faults = { 0 };
    for (int i = 0; i < OVERLAPS; i++) {
        Overlap o = random_overlap(&r);
        look_at(&o, &faults);
    }
    if (getenv("CAROM_TEST_VERBOSE"))
        printf("%d depths; too short %d, too long %d, shorter beside %d and %d, mirror %d; %d convex: below %d, "
               "shortest %d\n", faults.n, faults.deeper, faults.shorter, faults.turned, faults.slopes, faults.mirrored,
               faults.convex, faults.below, faults.global);
    CHECK(faults.n > OVERLAPS/2);
    CHECK(faults.deeper == 0 && faults.shorter == 0 && faults.turned == 0 && faults.mirrored == 0 && faults.below == 0);
    CHECK(faults.global > 0.9*faults.convex && faults.slopes <= 0.02*faults.n);
}

// All 1600 triangles are deep inside. It took 5.4 s and takes 3 ms; a second is for sanitizers and busy machines.
static void a_mesh_inside_takes_no_time(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity();
    clock_t start = clock();
    caromGap around = carom_collide_shapes(carom_shape_mesh(meshes[2]), I, carom_shape_cylinder(2, 4), I);
    caromGap within = carom_collide_shapes(carom_shape_mesh(meshes[2]), I, carom_shape_cylinder(0.05, 0.1),
                                           pose_at(1, 0, 0));
    CHECK((double)(clock() - start)/CLOCKS_PER_SEC < 1.0);
    CHECK_NEAR(around.g, -2.3, 1e-12);
    CHECK(within.g < -0.3 && within.g > -0.36);  // up, by the tube and half the length, or aside
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_locally_shortest),
        cmocka_unit_test(a_mesh_inside_takes_no_time),
    };
    return cmocka_run_group_tests(tests, make_meshes, free_meshes);
}
