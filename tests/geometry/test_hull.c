// Convex hulls: topology, planes, order, seeds, rounding, and what is refused.
#include <float.h>
#include <unistd.h>

#include "geometry/facets.h"
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
    for (int v = 0; v < h->nouter; v++)
        most = fmax(most, fmax(fabs(h->outer[v].x), fmax(fabs(h->outer[v].y), fabs(h->outer[v].z))));
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
            CHECK(h->corners[before] < h->corners[first] ||
                  (h->corners[before] == h->corners[first] && h->corners[before + 1] < h->corners[first + 1]));
        }
    }
    for (int e = 0; e < h->nedge; e++) {
        CHECK(h->edges[e][0] < h->edges[e][1] && h->edge_faces[e][0] != h->edge_faces[e][1]);
        // Both ends are corners of both faces, and face 0 runs from the first to the second.
        for (int k = 0; k < 2; k++)
            for (int i = 0, f = h->edge_faces[e][k], found = 0; i <= h->first_corner[f + 1] - h->first_corner[f]; i++) {
                int n = h->first_corner[f + 1] - h->first_corner[f];
                if (i == n) CHECK(found == 1);
                else if (h->corners[h->first_corner[f] + i] == h->edges[e][k] &&
                         h->corners[h->first_corner[f] + (i + 1)%n] == h->edges[e][1 - k]) found++;
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
        CHECK_NEAR(carom_shape_core_extent(&core, d), far, 8*DBL_EPSILON*h->reach);
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
    // The order of the points.
    for (int v = 0; v < 8; v++) CHECK_VEC(h->vertices[v], carom_vec((v >> 2) & 1, (v >> 1) & 1, v & 1), 0.0);
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


// ------------------------------------------------------------------------------------------------ sizes, places, noise

static const double scales[] = { 1e-6, 1e-3, 1, 1e3, 1e6 };

// Rotated, moved and scaled: corners are off by rounding, faces that were plane are not any more.
static void place(caromVec3 *p, int n, Random *random, double scale, double away)
{
    caromQuat q = carom_quat(random_uniform(random, 0.1, 1), random_uniform(random, -1, 1),
                             random_uniform(random, -1, 1), random_uniform(random, -1, 1));
    caromMat3 R = carom_quat_matrix(q);
    for (int i = 0; i < n; i++)
        p[i] = carom_scale(scale, carom_add(carom_mul(R, p[i]), carom_vec(away, -away, 0.3*away)));
}

static int prism_points(caromVec3 *p, int sides)
{
    for (int i = 0; i < sides; i++) {
        double a = 6.283185307179586*i/sides;
        p[2*i] = carom_vec(cos(a), sin(a), 1);
        p[2*i + 1] = carom_vec(cos(a), sin(a), -1);
    }
    return 2*sides;
}

static int plate_points(caromVec3 *p, double x, double y, double z)
{
    for (int i = 0; i < 8; i++)
        p[i] = carom_vec((i & 1 ? 0.5 : -0.5)*x, (i & 2 ? 0.5 : -0.5)*y, (i & 4 ? 0.5 : -0.5)*z);
    return 8;
}

static void check_faces(const caromVec3 *p, int n, double rounding, int nvertex, int nface, double volume,
                        double relative)
{
    caromError err = { 0 };
    caromHull *h = carom_hull_create(p, n, rounding, &err);
    if (!h) print_error("%s\n", err.message);
    CHECK(h);
    CHECK(h->nface == nface && h->nvertex == nvertex);
    check_hull(h);
    if (volume > 0) CHECK_NEAR(h->solid.mass, volume, relative*volume);
    carom_hull_destroy(h);
}

static void polygons_stay_whole_at_every_scale_and_place(void **state)
{
    (void)state;
    Random random = { 23 };
    caromVec3 p[MOST];
    for (size_t i = 0; i < sizeof scales/sizeof *scales; i++)
        for (int far = 0; far < 2; far++) {
            // Coordinates are off by 2e-16 (1 + away).
            double s = scales[i], away = far ? 1e4 : 0, cube = s*s*s, off = 1e-12*(1 + 10*away);
            int n = cube_with_inner_points(p);
            place(p, n, &random, s, away);
            check_faces(p, n, 0, 8, 6, cube, off);
            for (int sides = 3; sides < 60; sides += 7) {
                n = prism_points(p, sides);
                place(p, n, &random, s, away);
                check_faces(p, n, 0, 2*sides, sides + 2, sides*sin(6.283185307179586/sides)*cube, off);
                check_faces(p, n, 0.1*s, 2*sides, sides + 2, 0, 0);
            }
        }
}

static void plates_and_needles(void **state)
{
    (void)state;
    Random random = { 29 };
    caromVec3 p[MOST];
    for (int i = 0; i < 20; i++) {
        plate_points(p, 10, 10, 2e-3);  // 1e-15 m of rounding in 2 mm
        if (i > 0) place(p, 8, &random, 1, 0);
        check_faces(p, 8, 0, 8, 6, 0.2, 1e-11);
        check_faces(p, 8, 0.9e-3, 8, 6, 0, 0);
        plate_points(p, 10, 2e-3, 2e-3);
        if (i > 0) place(p, 8, &random, 1, 0);
        check_faces(p, 8, 0, 8, 6, 4e-5, 1e-11);
        check_faces(p, 8, 0.9e-3, 8, 6, 0, 0);
    }
}

static caromVec3 noise(Random *random, double width)
{
    return carom_vec(random_uniform(random, -width, width), random_uniform(random, -width, width),
                     random_uniform(random, -width, width));
}

static void noise_makes_no_faces(void **state)
{
    (void)state;
    Random random = { 31 };
    for (int trial = 0; trial < 50; trial++) {
        caromVec3 p[MOST];
        int n = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                for (int k = 0; k < 5; k++) {
                    if (i%4 && j%4 && k%4) continue;
                    p[n++] = carom_add(carom_vec(0.25*i, 0.25*j, 0.25*k), noise(&random, 1e-16));
                }
        check_faces(p, n, 0, 8, 6, 1, 1e-14);
    }
}

// Points in heaps: whatever comes out is a closed convex surface that leaves no point outside. A heap of 1e-13 m has
// faces as small as that.
static void heaps_of_points(void **state)
{
    (void)state;
    Random random = { 37 };
    for (int trial = 0; trial < 60; trial++) {
        caromVec3 p[MOST];
        int n = 0;
        double width = pow(10, random_uniform(&random, -16, -9));
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 10; k++)
                p[n++] = carom_add(carom_vec(i & 1, (i >> 1) & 1, i >> 2), noise(&random, width));
        caromHull *h = carom_hull_create(p, n, 0, NULL);
        CHECK(h);
        CHECK(h->nvertex - h->nedge + h->nface == 2);
        for (int f = 0; f < h->nface; f++)
            for (int i = 0; i < n; i++) CHECK(carom_dot(h->normals[f], p[i]) - h->offsets[f] <= 1000*DBL_EPSILON);
        CHECK_NEAR(h->solid.mass, 1, 6*width + 1e-14);
        carom_hull_destroy(h);
    }
}

// ------------------------------------------------------------------------------------------------ order

static int find_vertex(const caromHull *h, caromVec3 p)
{
    for (int v = 0; v < h->nvertex; v++)
        if (carom_norm(carom_sub(h->vertices[v], p)) == 0) return v;
    return -1;
}

static bool has_edge(const caromHull *h, int a, int b)
{
    for (int k = h->first_neighbour[a]; k < h->first_neighbour[a + 1]; k++)
        if (h->neighbours[k] == b) return true;
    return false;
}

static void the_order_of_points_only_renumbers(void **state)
{
    (void)state;
    Random random = { 41 };
    for (int trial = 0; trial < 20; trial++) {
        caromVec3 p[MOST], q[MOST];
        int n = trial%2 ? ellipsoid_points(p, 100, &random) : prism_points(p, 20);
        for (int i = 0; i < n; i++) q[i] = p[i];
        for (int i = n - 1; i > 0; i--) {
            int j = (int)random_uniform(&random, 0, i + 1);
            caromVec3 x = q[i];
            q[i] = q[j], q[j] = x;
        }
        caromHull *a = carom_hull_create(p, n, 0, NULL), *b = carom_hull_create(q, n, 0, NULL),
                  *again = carom_hull_create(p, n, 0, NULL);
        CHECK(a && b && again);
        CHECK(a->nvertex == b->nvertex && a->nface == b->nface && a->nedge == b->nedge);
        int last = -1;
        for (int v = 0, i = 0; v < b->nvertex; v++) {  // vertices come in the order of the points
            while (i < n && carom_norm(carom_sub(q[i], b->vertices[v])) > 0) i++;
            CHECK(i < n && i > last);
            last = i;
        }
        for (int e = 0; e < a->nedge; e++)
            CHECK(has_edge(b, find_vertex(b, a->vertices[a->edges[e][0]]),
                           find_vertex(b, a->vertices[a->edges[e][1]])));
        CHECK(a->bytes == again->bytes);  // the same bits
        CHECK(memcmp(a->vertices, again->vertices, (size_t)a->nvertex*sizeof *a->vertices) == 0);
        CHECK(memcmp(a->normals, again->normals, (size_t)a->nface*sizeof *a->normals) == 0);
        CHECK(memcmp(a->seeds, again->seeds, CAROM_SEED_CELLS*sizeof *a->seeds) == 0 &&
              memcmp(&a->solid, &again->solid, sizeof a->solid) == 0);
        carom_hull_destroy(a);
        carom_hull_destroy(b);
        carom_hull_destroy(again);
    }
}

// The middle of each cell, found again by scanning directions: the seed is the farthest vertex along it.
static void seeds_are_farthest_along_their_cell(void **state)
{
    (void)state;
    Random random = { 43 };
    caromVec3 p[MOST];
    int n = ellipsoid_points(p, 300, &random), seen = 0;
    caromHull *h = carom_hull_create(p, n, 0, NULL);
    CHECK(h);
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < CAROM_SEED_GRID; i++)
            for (int j = 0; j < CAROM_SEED_GRID; j++) {
                double u = -1 + (i + 0.5)*2/CAROM_SEED_GRID, v = -1 + (j + 0.5)*2/CAROM_SEED_GRID, w = side%2 ? -1 : 1,
                       far = -INFINITY;
                caromVec3 d = side/2 == 0 ? carom_vec(w, u, v) : side/2 == 1 ? carom_vec(u, w, v) : carom_vec(u, v, w);
                for (int k = 0; k < h->nvertex; k++) far = fmax(far, carom_dot(d, h->vertices[k]));
                CHECK_NEAR(carom_dot(d, h->vertices[h->seeds[carom_hull_seed_cell(d)]]), far, 8*DBL_EPSILON);
                seen++;
            }
    CHECK(seen == CAROM_SEED_CELLS);
    carom_hull_destroy(h);
}

// ------------------------------------------------------------------------------------------------ rounding

// Each face of the core is r below one of the sharp hull, no vertex is less than r below any.
static void check_rounded(const caromVec3 *p, int n, double r, int nface)
{
    caromHull *sharp = carom_hull_create(p, n, 0, NULL), *h = carom_hull_create(p, n, r, NULL);
    CHECK(sharp && h);
    double slack = 200*DBL_EPSILON*largest_coordinate(h);
    CHECK(h->rounding == r && carom_hull_rounding(h) == r && h->nouter == sharp->nvertex &&
          h->nouter_face == sharp->nface);
    CHECK(memcmp(h->outer, sharp->vertices, (size_t)sharp->nvertex*sizeof *h->outer) == 0);
    CHECK(memcmp(h->outer_corners, sharp->corners, (size_t)sharp->nedge*2*sizeof(int)) == 0);
    if (nface > 0) CHECK(h->nface == nface);
    check_hull(h);
    for (int f = 0; f < h->nface; f++) {
        double off = INFINITY;
        for (int g = 0; g < sharp->nface; g++)
            off = fmin(off, carom_norm(carom_sub(h->normals[f], sharp->normals[g])) +
                       fabs(h->offsets[f] + r - sharp->offsets[g]));
        CHECK_NEAR(off, 0, slack);
    }
    for (int g = 0; g < sharp->nface; g++)
        for (int v = 0; v < h->nvertex; v++)
            CHECK(carom_dot(sharp->normals[g], h->vertices[v]) <= sharp->offsets[g] - r + slack);
    CHECK(h->solid.mass < sharp->solid.mass && h->thin <= sharp->thin*(1 + 1e-12));
    caromHull *copy = carom_hull_copy(h);
    carom_hull_destroy(h);
    check_hull(copy);
    CHECK(copy->outer != sharp->vertices &&
          memcmp(copy->outer, sharp->vertices, (size_t)sharp->nvertex*sizeof *copy->outer) == 0);
    carom_hull_destroy(copy);
    carom_hull_destroy(sharp);
}

static void rounding_moves_every_face_inwards(void **state)
{
    (void)state;
    Random random = { 47 };
    caromVec3 p[MOST];
    int n = cube_with_inner_points(p);
    check_rounded(p, n, 0.2, 6);
    check_rounded(p, prism_points(p, 30), 0.3, 32);
    const caromVec3 pyramid[5] = { { 1, 1, 0 }, { -1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 }, { 0, 0, 1.5 } };
    check_rounded(pyramid, 5, 0.1, 5);  // four faces still meet in one point
    const caromVec3 skew[5] = { { 1, 1, 0 }, { -1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 }, { 0.3, 0.2, 1.5 } };
    check_rounded(skew, 5, 0.1, 5);  // and here not
    for (int i = 0; i < 20; i++) {
        n = ellipsoid_points(p, 4 + 5*i, &random);
        place(p, n, &random, 1, i%2 ? 0 : 3);
        caromHull *h = carom_hull_create(p, n, 0, NULL);
        CHECK(h);
        double r = 0.2*h->thin;
        carom_hull_destroy(h);
        check_rounded(p, n, r, 0);
    }
}

// A cube with one corner cut off by t along the diagonal: the cut is gone when t < (sqrt(3) - 1) r.
static void small_faces_vanish(void **state)
{
    (void)state;
    caromVec3 p[10];
    double t = 0.02, cut = t*sqrt(3.0);
    plate_points(p, 2, 2, 2);
    p[7] = carom_vec(1 - cut, 1, 1), p[8] = carom_vec(1, 1 - cut, 1), p[9] = carom_vec(1, 1, 1 - cut);
    check_rounded(p, 10, t/(sqrt(3.0) - 1)*0.99, 7);
    check_rounded(p, 10, t/(sqrt(3.0) - 1)*1.01, 6);
}

// ------------------------------------------------------------------------------------------------ what is refused

static void refuse(const caromVec3 *p, int n, double rounding, const char *where, const char *message)
{
    caromError err = { 0 };
    CHECK(!carom_hull_create(p, n, rounding, NULL));
    CHECK(!carom_hull_create(p, n, rounding, &err));
    CHECK(err.status == CAROM_ERR_INPUT);
    assert_string_equal(err.where, where);
    assert_string_equal(err.message, message);
}

// A query may come to a direction that is none, by overflow or a pose that is not finite: it must not look beside the
// table.
static void every_direction_has_a_seed(void **state)
{
    (void)state;
    const double odd[] = { 0.0, -0.0, 1.0, -5.0, 4e-324, -1e-310, 1e200, -1.7e308, INFINITY, -INFINITY, NAN };
    enum { ODD = sizeof odd/sizeof *odd };
    for (int i = 0; i < ODD*ODD*ODD; i++) {
        int cell = carom_hull_seed_cell(carom_vec(odd[i%ODD], odd[i/ODD%ODD], odd[i/ODD/ODD]));
        CHECK(cell >= 0 && cell < CAROM_SEED_CELLS);
    }
}

static void wrong_points_are_refused(void **state)
{
    (void)state;
    Random random = { 53 };
    caromVec3 p[MOST];
    int n = cube_with_inner_points(p);
    refuse(p, 3, 0, "", "a convex hull needs 4 points or more that do not lie in a plane, not 3");
    refuse(NULL, 0, 0, "", "a convex hull needs 4 points or more that do not lie in a plane, not 0");
    refuse(p, CAROM_HULL_POINTS_MAX + 1, 0, "", "1000001 points are more than a convex hull may have here (1000000): "
           "thin them out first");
    refuse(p, n, -1, "rounding", "rounding is -1 m: a finite radius, 0 or more, is expected");
    refuse(p, n, (double)NAN, "rounding", "rounding is nan m: a finite radius, 0 or more, is expected");
    refuse(p, n, 0.5, "rounding", "rounding by 0.5 m leaves nothing of this convex hull: less than 0.5 m is possible, "
           "the radius of the largest ball inside");
    refuse(p, n, 7, "rounding", "rounding by 7 m leaves nothing of this convex hull: less than 0.5 m is possible, "
           "the radius of the largest ball inside");
    p[3].y = (double)INFINITY;
    refuse(p, n, 0, "", "point 4 of 29 is (0, inf, 0): finite coordinates in m are expected");
    for (int i = 0; i < 10; i++) p[i] = carom_vec(1, 2, 3);
    refuse(p, 10, 0, "", "all points of the convex hull are at (1, 2, 3) m: it needs 4 or more that do not "
           "lie in a plane");
    for (int i = 0; i < 10; i++) p[i] = carom_vec(i, 2*i, 2*i);
    refuse(p, 10, 0, "", "all points of the convex hull lie on a line (27 m long, 0 m wide): a solid needs "
           "points beside it");
    for (int i = 0; i < 10; i++) p[i] = carom_vec(i, i*i, 1);
    refuse(p, 10, 0, "", "all points of the convex hull lie in a plane (thickness 0 m at a length of 81.4985 m): "
           "a solid needs points on at least one side of it");
    for (int i = 0; i < 10; i++) p[i] = carom_vec(1e60*i, 1e60*i*i, 1e60*i*i*i);
    refuse(p, 10, 0, "", "the points of the convex hull span 7.29e+62 m and reach 7.29e+62 m: sizes from 1e-50 m to "
           "1e+50 m are expected");
    for (int i = 0; i < 100; i++) {  // tilted planes and lines, known to rounding only
        for (int k = 0; k < 20; k++)
            p[k] = carom_vec(random_uniform(&random, -1, 1), i%3 == 0 ? 0 : random_uniform(&random, -1, 1), 0);
        place(p, 20, &random, scales[i%5], i%2 ? 1e3 : 0);
        caromError err = { 0 };
        CHECK(!carom_hull_create(p, 20, 0, &err) && err.status == CAROM_ERR_INPUT);
        CHECK(strstr(err.message, i%3 == 0 ? "lie on a line" : "lie in a plane"));
    }
}

// The largest rounding that the message names is that of the largest ball: a hair less works, a hair more does not.
static void the_largest_rounding_is_named(void **state)
{
    (void)state;
    Random random = { 59 };
    for (int trial = 0; trial < 20; trial++) {
        caromVec3 p[MOST];
        int n = ellipsoid_points(p, 4 + trial, &random);
        caromError err = { 0 };
        CHECK(!carom_hull_create(p, n, 1, &err));
        const char *said = strstr(err.message, "less than ");
        CHECK(said);
        double largest = strtod(said + 10, NULL);  // four digits, found to 1e-4
        caromHull *h = carom_hull_create(p, n, 0.999*largest, &err);
        CHECK(h);
        carom_hull_destroy(h);
        CHECK(!carom_hull_create(p, n, 1.001*largest, &err));
    }
}

// What qhull itself refuses: it reports by a jump, wants to print pages of help, and has memory to give back
// (the sanitizers watch).
static void qhull_fails_quietly(void **state)
{
    (void)state;
    Random random = { 61 };
    caromVec3 p[MOST];
    for (int k = 0; k < 50; k++) p[k] = carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -1, 1), 0);
    FILE *sink = tmpfile();
    CHECK(sink);
    fflush(stdout);
    fflush(stderr);
    int out = dup(1), error = dup(2);
    dup2(fileno(sink), 1);
    dup2(fileno(sink), 2);
    caromFacets facets;
    caromError err = { 0 };
    caromStatus flat = carom_geometry_facets_find(p, 50, 1e-15, &facets, &err);
    carom_geometry_facets_free(&facets);
    caromStatus few = carom_geometry_facets_find(p, 3, 1e-15, &facets, &err);
    carom_geometry_facets_free(&facets);
    caromStatus coarse = carom_geometry_facets_find(p, 50, 10, &facets, &err);
    carom_geometry_facets_free(&facets);
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(error, 2);
    close(out);
    close(error);
    CHECK(flat == CAROM_ERR_NUMERIC && few == CAROM_ERR_NUMERIC && coarse == CAROM_ERR_NUMERIC);
    CHECK(lseek(fileno(sink), 0, SEEK_END) == 0);
    fclose(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_8_vertices_and_6_faces),
        cmocka_unit_test(all_points_of_an_ellipsoid_are_vertices),
        cmocka_unit_test(polygons_stay_whole_at_every_scale_and_place),
        cmocka_unit_test(plates_and_needles),
        cmocka_unit_test(noise_makes_no_faces),
        cmocka_unit_test(heaps_of_points),
        cmocka_unit_test(the_order_of_points_only_renumbers),
        cmocka_unit_test(seeds_are_farthest_along_their_cell),
        cmocka_unit_test(rounding_moves_every_face_inwards),
        cmocka_unit_test(small_faces_vanish),
        cmocka_unit_test(qhull_fails_quietly),
        cmocka_unit_test(every_direction_has_a_seed),
        cmocka_unit_test(wrong_points_are_refused),
        cmocka_unit_test(the_largest_rounding_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
