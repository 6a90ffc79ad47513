// Meshes with their reference, and poses in which they meet: for the tests of collision of meshes.
#ifndef CAROM_TESTS_MESH_CASES_H
#define CAROM_TESTS_MESH_CASES_H

#include "collide_fixture.h"
#include "mesh_parts.h"
#include "mesh_reference.h"

typedef struct Thing {
    const char *name;
    caromMesh *mesh;
    RefMesh *ref;
    caromShape shape;
    double radius;
} Thing;

static inline Thing thing_of(const char *name, caromMesh *mesh)
{
    assert_non_null(mesh);
    Thing thing = { name, mesh, mesh_ref_create(mesh), carom_shape_mesh(mesh), 0 };
    assert_non_null(thing.ref);
    thing.radius = mesh_ref_radius(thing.ref);
    return thing;
}

static inline Thing thing_part(PartKind kind, int ntriangle, double scale)
{
    return thing_of(part_name(kind), part_mesh(kind, ntriangle, scale, NULL));
}

static inline Thing thing_raw(const char *name, Part part)  // frees it
{
    caromMesh *mesh = carom_mesh_create(part.vertices, part.nvertex, (const int (*)[3])part.triangles, part.ntriangle,
                                        NULL, NULL);
    part_free(&part);
    return thing_of(name, mesh);
}

static inline Thing thing_box(double x, double y, double z)
{
    return thing_raw("cube", part_box(carom_vec(-0.5*x, -0.5*y, -0.5*z), carom_vec(0.5*x, 0.5*y, 0.5*z)));
}

static inline void thing_free(Thing *thing)
{
    mesh_ref_destroy(thing->ref);
    carom_mesh_destroy(thing->mesh);
}

static inline caromVec3 random_unit_vec(Random *r)
{
    caromVec3 v;
    do v = random_vec(r, 1);
    while (carom_norm2(v) > 1 || carom_norm2(v) < 0.01);
    return carom_unit_or(v, carom_vec(0, 0, 1));
}

typedef struct Poses {
    caromPose A, B;
} Poses;

static inline void place(const Thing *a, const Thing *b, Poses X)
{
    mesh_ref_place(a->ref, X.A);
    mesh_ref_place(b->ref, X.B);
}

// Lengths are measured with the larger of the two, or with how far apart they are.
static inline double size_of(const Thing *a, const Thing *b, Poses X)
{
    return fmax(fmax(a->radius, b->radius), carom_norm(carom_sub(X.B.p, X.A.p)));
}

// Turned at random, and moved apart along a random direction until they touch for the last time, and on by a gap. The
// distance is the gap or less.
static inline Poses poses_apart(Random *r, const Thing *a, const Thing *b, double gap)
{
    Poses X = { random_pose(r, 0.1), { carom_quat_matrix(random_quat(r)), { 0, 0, 0 } } };
    caromVec3 u;
    double last;
    X.B.p = X.A.p;
    place(a, b, X);
    do {
        u = random_unit_vec(r);
        mesh_ref_first_clear(a->ref, b->ref, u, 1e-9, &last);
    } while (last == 0);  // one leaves the pocket of the other without touching
    X.B.p = carom_axpy(last + gap, u, X.B.p);
    return X;
}

static inline bool is_verbose(void) { return getenv("CAROM_TEST_VERBOSE") != NULL; }

static inline bool same_vec(caromVec3 a, caromVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static inline bool same_gap(caromGap a, caromGap b)
{
    return a.g == b.g && same_vec(a.n_AB, b.n_AB) && same_vec(a.p_A, b.p_A) && same_vec(a.p_B, b.p_B) &&
           a.error == b.error && a.status == b.status;
}

static inline caromGap mirrored(caromGap gap)
{
    return (caromGap){ gap.g, carom_neg(gap.n_AB), gap.p_B, gap.p_A, gap.error, gap.status };
}

static inline void print_pose(const char *name, caromPose X)
{
    print_error("  %s = { { { %.17g, %.17g, %.17g }, { %.17g, %.17g, %.17g }, { %.17g, %.17g, %.17g } }, { %.17g, "
                "%.17g, %.17g } }\n", name, X.R.cx.x, X.R.cx.y, X.R.cx.z, X.R.cy.x, X.R.cy.y, X.R.cy.z, X.R.cz.x,
                X.R.cz.y, X.R.cz.z, X.p.x, X.p.y, X.p.z);
}

#endif
