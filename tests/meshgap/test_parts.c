// The parts that other tests collide are what they claim to be: closed, in one piece, with the right number of handles,
// and of the right size.
#include "check.h"
#include "mesh_parts.h"

static const int sizes[] = { 300, 1500, 6000, 24000, 50000 };
enum { NSIZE = sizeof sizes/sizeof sizes[0] };

static void check_clean(const caromMeshReport *r)
{
    CHECK(r->vertices_merged == 0 && r->vertices_unused == 0 && r->degenerate_removed == 0 &&
          r->duplicates_removed == 0 && r->flat_kept == 0);
    CHECK(r->triangles_turned == 0 && r->components_turned == 0 && r->open_edges == 0 && r->crowded_edges == 0);
    CHECK(r->components == 1 && r->is_nesting_known && r->is_closed && r->is_oriented);
}

static void parts_are_closed_and_have_their_handles(void **state)
{
    (void)state;
    for (int kind = 0; kind < PART_KINDS; kind++)
        for (int k = 0; k < NSIZE; k++) {
            caromMeshReport r;
            caromMesh *mesh = part_mesh(kind, sizes[k], 1.0, &r);
            assert_non_null(mesh);
            check_clean(&r);
            CHECK(r.triangles_read > 0.75*sizes[k] && r.triangles_read < 1.35*sizes[k]);
            CHECK(r.triangles_read%2 == 0 && r.vertices_read - r.triangles_read/2 == 2 - 2*part_genus(kind));
            caromVec3 size = carom_sub(r.high, r.low);
            CHECK(fmax(size.x, fmax(size.y, size.z)) > 0.07 && fmax(size.x, fmax(size.y, size.z)) < 0.12);
            if (getenv("CAROM_TEST_VERBOSE"))
                printf("%-9s %6d triangles %6d vertices, volume %.6e, off by %+.2e\n", part_name(kind),
                       r.triangles_read, r.vertices_read, r.volume, r.volume/part_volume(kind) - 1);
            carom_mesh_destroy(mesh);
        }
}

// Chords fall short of circles by O(1/n^2), so that the error of the volume goes as one over the number of triangles;
// how many of them are spent along the axis changes that by a factor. From 1500 triangles to 50000 it is 33 times
// smaller for an even refinement: 10 times at least.
static void volumes_converge(void **state)
{
    (void)state;
    for (int kind = 0; kind < PART_KINDS; kind++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            caromMeshReport r;
            carom_mesh_destroy(part_mesh(kind, k ? 50000 : 1500, 1.0, &r));
            off[k] = fabs(r.volume/part_volume(kind) - 1);
        }
        if (getenv("CAROM_TEST_VERBOSE")) printf("%-9s volume off by %.2e, %.2e\n", part_name(kind), off[0], off[1]);
        CHECK(off[0] < 0.05);
        CHECK(off[1] < off[0]/10);
    }
}

static void a_box_is_a_box(void **state)
{
    (void)state;
    caromMeshReport r;
    Part part = part_box(carom_vec(-1, 0, 2), carom_vec(1, 3, 4));
    caromMesh *mesh = carom_mesh_create(part.vertices, part.nvertex, (const int (*)[3])part.triangles, part.ntriangle,
                                        &r, NULL);
    check_clean(&r);
    CHECK_NEAR(r.volume, 12.0, 1e-14);
    carom_mesh_destroy(mesh);
    part_free(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_closed_and_have_their_handles),
        cmocka_unit_test(volumes_converge),
        cmocka_unit_test(a_box_is_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
