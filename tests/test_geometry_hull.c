// Convex hulls: topology, planes, order, seeds, rounding, and what is refused.
#include <float.h>

#include "geometry/geometry.h"
#include "check.h"

enum { MOST = 600 };

static caromVec3 random_direction(Random *random)
{
    caromVec3 d;
    do d = carom_vec(random_uniform(random, -1, 1), random_uniform(random, -1, 1), random_uniform(random, -1, 1));
    while (carom_norm2(d) > 1.0 || carom_norm2(d) < 0.01);
    return carom_scale(1.0/carom_norm(d), d);
}

static double largest_coordinate(const caromHull *h)
{
    double most = 0.0;
    for (int v = 0; v < h->nouter; v++) most = fmax(most, fmax(fabs(h->outer[v].x), fmax(fabs(h->outer[v].y), fabs(h->outer[v].z))));
    return most;
}

// Everything that a query relies on, to the rounding of the coordinates.
static void check_hull(const caromHull *h)
{
    double slack = 100.0*DBL_EPSILON*largest_coordinate(h);
    CHECK(h->nvertex - h->nedge + h->nface == 2);
    CHECK(h->first_corner[h->nface] == 2*h->nedge && h->first_neighbour[h->nvertex] == 2*h->nedge);
    for (int f = 0; f < h->nface; f++) {
        int first = h->first_corner[f], n = h->first_corner[f + 1] - first;
        CHECK(n >= 3);
        CHECK_NEAR(carom_norm(h->normals[f]), 1.0, 4*DBL_EPSILON);
        for (int v = 0; v < h->nvertex; v++) CHECK(carom_dot(h->normals[f], h->vertices[v]) - h->offsets[f] <= slack);
        for (int k = 0; k < n; k++) {
            CHECK(k == 0 || h->corners[first + k] > h->corners[first]);
            CHECK_NEAR(carom_dot(h->normals[f], h->vertices[h->corners[first + k]]), h->offsets[f], slack);
        }
        if (f > 0) {
            int before = h->first_corner[f - 1];
            CHECK(h->corners[before] < h->corners[first] || (h->corners[before] == h->corners[first] && h->corners[before + 1] < h->corners[first + 1]));
        }
    }
    for (int e = 0; e < h->nedge; e++) {
        CHECK(h->edges[e][0] < h->edges[e][1] && h->edge_faces[e][0] != h->edge_faces[e][1]);
        for (int k = 0; k < 2; k++)  // both ends are corners of both faces, and face 0 runs from the first to the second
            for (int i = 0, f = h->edge_faces[e][k], found = 0; i <= h->first_corner[f + 1] - h->first_corner[f]; i++) {
                int n = h->first_corner[f + 1] - h->first_corner[f];
                if (i == n) CHECK(found == 1);
                else if (h->corners[h->first_corner[f] + i] == h->edges[e][k] && h->corners[h->first_corner[f] + (i + 1)%n] == h->edges[e][1 - k]) found++;
            }
    }
    for (int v = 0; v < h->nvertex; v++) {
        CHECK(h->first_neighbour[v + 1] - h->first_neighbour[v] >= 3);
        for (int k = h->first_neighbour[v]; k < h->first_neighbour[v + 1]; k++) {
            int w = h->neighbours[k], back = 0;
            CHECK(k == h->first_neighbour[v] || w > h->neighbours[k - 1]);
            for (int i = h->first_neighbour[w]; i < h->first_neighbour[w + 1]; i++) back += h->neighbours[i] == v;
            CHECK(back == 1);
        }
    }
}

// From every seed, hill climbing comes to the true farthest vertex.
static void check_support(const caromHull *h, Random *random)
{
    caromCore core = { .kind = CAROM_CORE_HULL, .hull = h };
    for (int i = 0; i < 500; i++) {
        caromVec3 d = random_direction(random);
        double far = -INFINITY;
        for (int v = 0; v < h->nvertex; v++) far = fmax(far, carom_dot(d, h->vertices[v]));
        CHECK_NEAR(carom_core_extent(&core, d), far, 8*DBL_EPSILON*h->reach);
    }
    for (int v = 0; v < CAROM_SEED_CELLS; v++) CHECK(h->seeds[v] >= 0 && h->seeds[v] < h->nvertex);
}

static int cube_with_inner_points(caromVec3 *p)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) p[n++] = carom_vec(0.5*i, 0.5*j, 0.5*k);
    p[n++] = carom_vec(0.25, 1, 0.3);
    p[n++] = carom_vec(1, 1, 1);
    return n;
}

static void a_cube_has_8_vertices_and_6_faces(void **state)
{
    (void)state;
    caromVec3 p[MOST];
    int n = cube_with_inner_points(p);
    caromHull *h = carom_hull_create(p, n, 0.0, NULL);
    CHECK(h);
    CHECK(h->nvertex == 8 && h->nface == 6 && h->nedge == 12);
    check_hull(h);
    for (int v = 0; v < 8; v++) CHECK_VEC(h->vertices[v], carom_vec((v >> 2) & 1, (v >> 1) & 1, v & 1), 0.0);  // the order of the points
    CHECK_NEAR(h->solid.mass, 1.0, 8*DBL_EPSILON);
    CHECK_VEC(h->solid.com, carom_vec(0.5, 0.5, 0.5), 8*DBL_EPSILON);
    CHECK_NEAR(h->thin, 0.5, 0.0);
    CHECK_NEAR(h->reach, sqrt(3.0), 4*DBL_EPSILON);
    const caromVec3 *vertices;
    const int *first, *corners;
    CHECK(carom_hull_vertices(h, &vertices) == 8 && vertices == h->vertices);
    CHECK(carom_hull_faces(h, &first, &corners) == 6 && first == h->first_corner && corners == h->corners);
    caromHull *copy = carom_hull_copy(h);
    carom_hull_destroy(h);
    check_hull(copy);
    carom_hull_destroy(copy);
}

static int ellipsoid_points(caromVec3 *p, int n, Random *random)
{
    for (int i = 0; i < n; i++) {
        caromVec3 d = random_direction(random);
        p[i] = carom_vec(0.3*d.x, 0.2*d.y, 0.1*d.z);
    }
    return n;
}

static void all_points_of_an_ellipsoid_are_vertices(void **state)
{
    (void)state;
    Random random = { 7 };
    caromVec3 p[MOST];
    int n = ellipsoid_points(p, 512, &random);
    caromHull *h = carom_hull_create(p, n, 0.0, NULL);
    CHECK(h);
    CHECK(h->nvertex == 512 && h->nface == 2*512 - 4);
    check_hull(h);
    check_support(h, &random);
    for (int v = 0; v < n; v++) CHECK_VEC(h->vertices[v], p[v], 0.0);
    carom_hull_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_8_vertices_and_6_faces),
        cmocka_unit_test(all_points_of_an_ellipsoid_are_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
