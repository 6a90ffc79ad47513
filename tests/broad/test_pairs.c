// The broad phase against all pairs; that its work does not grow faster than it should; that it fails cleanly.
#include <float.h>

#include "carom/broad.h"
#include "check.h"
#include "broad/broad.h"

// ---- the reference: every box with every other

typedef struct Pairs { caromPair *items; int64_t count, capacity; } Pairs;

static void add_pair(Pairs *p, int a, int b)
{
    if (p->count == p->capacity) {
        p->capacity = 2*p->capacity + 64;
        p->items = realloc(p->items, (size_t)p->capacity*sizeof *p->items);
        assert_non_null(p->items);
    }
    p->items[p->count++] = (caromPair){ a, b };
}

static bool overlap_on(double al, double ah, double bl, double bh)
{
    return al <= ah && bl <= bh && al <= bh && bl <= ah;
}

static bool boxes_overlap(const caromBox *a, const caromBox *b)
{
    return overlap_on(a->low.x, a->high.x, b->low.x, b->high.x) && overlap_on(a->low.y, a->high.y, b->low.y, b->high.y)
        && overlap_on(a->low.z, a->high.z, b->low.z, b->high.z);
}

static void all_pairs(const caromBox *boxes, const caromFilter *filters, int n, Pairs *p)
{
    p->count = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (boxes_overlap(&boxes[a], &boxes[b])
                && (!filters || ((filters[a].group & filters[b].mask) && (filters[b].group & filters[a].mask))))
                add_pair(p, a, b);
}

static void check_pairs(caromBroad *broad, const caromBox *boxes, const caromFilter *filters, int n, const char *what)
{
    static Pairs expected;
    caromError err = { 0 };
    caromPairList got;
    all_pairs(boxes, filters, n, &expected);
    assert_int_equal(carom_broad_update(broad, boxes, filters, n, &err), CAROM_OK);
    assert_int_equal(carom_broad_pairs(broad, &got, &err), CAROM_OK);
    bool is_same = got.count == expected.count &&
                   (got.count == 0 || memcmp(got.items, expected.items, (size_t)got.count*sizeof *got.items) == 0);
    if (!is_same) print_error("%s: %lld pairs, expected %lld\n", what, (long long)got.count, (long long)expected.count);
    assert_true(is_same);
}

// One box against all.
static void check_query(const caromBroad *broad, const caromBox *boxes, int n, caromBox box)
{
    int *items = malloc((size_t)(n + 1)*sizeof *items);
    int count = carom_broad_query(broad, box, items, n), k = 0;
    for (int i = 0; i < n; i++)
        if (boxes_overlap(&boxes[i], &box)) assert_true(k < count && items[k++] == i);
    assert_int_equal(k, count);
    assert_int_equal(carom_broad_query(broad, box, items, 0), count);
    free(items);
}

// ---- worlds

enum { N = 2000, STEPS = 8 };

typedef struct World {
    const char *name;
    void (*place)(Random *random, caromBox *box, int i);
    double speed;
} World;

static caromVec3 random_point(Random *r, double low, double high)
{
    double x = random_uniform(r, low, high), y = random_uniform(r, low, high), z = random_uniform(r, low, high);
    return carom_vec(x, y, z);
}

static caromBox box_about(caromVec3 p, caromVec3 h)
{
    return (caromBox){ carom_sub(p, h), carom_add(p, h) };
}

static void uniform(Random *r, caromBox *box, int i)
{
    (void)i;
    caromVec3 p = random_point(r, 0, 12.6);
    *box = box_about(p, random_point(r, 0.2, 0.6));
}

static void clustered(Random *r, caromBox *box, int i)
{
    caromVec3 centre = carom_vec(1e3*(i % 7), -3e5*(i % 5), 1e7*(i % 3));
    caromVec3 p = carom_add(centre, random_point(r, -3, 3));
    *box = box_about(p, random_point(r, 0.1, 0.5));
}

static void flat_x(Random *r, caromBox *box, int i)
{
    (void)i;
    caromVec3 p = random_point(r, 0, 45);
    *box = box_about(carom_vec(0.25, p.y, p.z), random_point(r, 0.2, 0.6));
}

static void line_y(Random *r, caromBox *box, int i)
{
    (void)i;
    *box = box_about(carom_vec(1, random_uniform(r, 0, 1000), -3), random_point(r, 0.2, 0.6));
}

static void diagonal(Random *r, caromBox *box, int i)
{
    (void)i;
    double t = random_uniform(r, 0, 1e6);
    *box = box_about(carom_vec(t, t, -t), random_point(r, 100, 400));
}

static void six_decades(Random *r, caromBox *box, int i)
{
    (void)i;
    double size = pow(10, random_uniform(r, -5, 1));
    caromVec3 p = random_point(r, 0, 30);
    *box = box_about(p, carom_scale(size, random_point(r, 0.2, 1)));
}

// Lengths are independent of each other: needles, plates and crumbs.
static void twelve_decades(Random *r, caromBox *box, int i)
{
    (void)i;
    caromVec3 p = carom_scale(pow(10, random_uniform(r, -6, 12)), random_point(r, -1, 1)), h;
    h.x = pow(10, random_uniform(r, -6, 6));
    h.y = pow(10, random_uniform(r, -6, 6));
    h.z = pow(10, random_uniform(r, -6, 6));
    *box = box_about(p, h);
}

static void giants(Random *r, caromBox *box, int i)
{
    uniform(r, box, i);
    if (i % 97 == 5) *box = box_about(random_point(r, 0, 12), random_point(r, 1, 40));
    if (i == 1000) *box = box_about(carom_vec(6, 6, 6), carom_vec(1e300, 1e300, 1e300));
}

// Most are small; some reach over three rows.
static void mixed(Random *r, caromBox *box, int i)
{
    caromVec3 p = random_point(r, 0, 12.6);
    *box = box_about(p, i % 20 ? random_point(r, 0.13, 0.2) : random_point(r, 0.5, 0.95));
}

static void one_giant(Random *r, caromBox *box, int i)
{
    uniform(r, box, i);
    if (i == 77) *box = box_about(carom_vec(6, 6, 6), carom_vec(6, 6, 6));
}

static void infinite(Random *r, caromBox *box, int i)
{
    uniform(r, box, i);
    if (i % 50 == 0) box->low.x = -INFINITY;
    if (i % 53 == 1) box->high.y = INFINITY;
    if (i % 59 == 2) box->low.z = -INFINITY, box->high.z = INFINITY;
    if (i % 400 == 3)
        *box = (caromBox){ carom_vec(-INFINITY, -INFINITY, -INFINITY),
                           carom_vec(INFINITY, INFINITY, random_uniform(r, 0, 3)) };
    if (i == 4)
        *box = (caromBox){ carom_vec(-INFINITY, -INFINITY, -INFINITY), carom_vec(INFINITY, INFINITY, INFINITY) };
    if (i == 5) box->low.x = box->high.x = INFINITY;
    if (i == 6) box->low.x = box->high.x = -INFINITY;
}

static void nearly_identical(Random *r, caromBox *box, int i)
{
    *box = box_about(carom_vec(1, 2, 3), carom_vec(1, 1, 1));
    if (i % 3 == 0) *box = box_about(random_point(r, 1, 1.0001), carom_vec(0.5, 0.25, 1));
}

// A grid of cubes that share faces, edges and corners: closed boxes, so up to 26 neighbours.
static void aligned(Random *r, caromBox *box, int i)
{
    (void)r;
    caromVec3 p = carom_vec(i % 12, i/12 % 12, i/144);
    *box = box_about(p, carom_vec(0.5, 0.5, 0.5));
}

// The same with coordinates that are not exact, and some that stop one rounding short.
static void nearly_aligned(Random *r, caromBox *box, int i)
{
    double s = 0.1;
    *box = (caromBox){ carom_vec(s*(i % 12), s*(i/12 % 12), s*(i/144)),
                       carom_vec(s*(i % 12 + 1), s*(i/12 % 12 + 1), s*(i/144 + 1)) };
    double draw = random_uniform(r, 0, 1);
    if (draw < 0.1) box->high.x = nextafter(box->high.x, -1);
    else if (draw < 0.2) box->high.y = nextafter(box->high.y, -1);
    else if (draw < 0.3) box->low.z = nextafter(box->low.z, 1e9);
}

static void points(Random *r, caromBox *box, int i)
{
    caromVec3 p = carom_vec(floor(random_uniform(r, 0, 9)), floor(random_uniform(r, 0, 9)),
                            floor(random_uniform(r, 0, 9)));
    *box = i % 2 ? (caromBox){ p, p } : box_about(p, carom_vec(0, 1, 0));
}

static void far_away(Random *r, caromBox *box, int i)
{
    uniform(r, box, i);
    caromVec3 p = carom_vec(1e12, -1e12, 3e11);
    box->low = carom_add(box->low, p);
    box->high = carom_add(box->high, p);
    if (i == 9) uniform(r, box, i);
}

static void one_outlier(Random *r, caromBox *box, int i)
{
    uniform(r, box, i);
    if (i == 13) *box = box_about(carom_vec(1e12, 1e300, -1e100), carom_vec(1, 1, 1));
}

static void broken(Random *r, caromBox *box, int i)
{
    uniform(r, box, i);
    if (i % 7 == 0) (i % 2 ? &box->low : &box->high)->y = NAN;
    if (i % 7 == 1) box->low.z = box->high.z + 1e-3;
    if (i % 49 == 1) box->low.x = INFINITY, box->high.x = -INFINITY;
}

static const World worlds[] = {
    { "uniform", uniform, 0.05 }, { "clustered", clustered, 0.05 }, { "flat", flat_x, 0.05 }, { "line", line_y, 0.05 },
    { "diagonal", diagonal, 50 }, { "six decades", six_decades, 0.01 }, { "twelve decades", twelve_decades, 1 },
        { "giants", giants, 0.05 },
    { "one giant", one_giant, 0.05 }, { "infinite", infinite, 0.05 }, { "nearly identical", nearly_identical, 1e-6 },
        { "aligned", aligned, 0 },
    { "nearly aligned", nearly_aligned, 0 }, { "points", points, 0 }, { "far away", far_away, 0.1 },
        { "one outlier", one_outlier, 0.1 },
    { "broken", broken, 0.1 }, { "mixed", mixed, 0.05 },
};
enum { WORLDS = sizeof worlds/sizeof worlds[0] };

static void place_all(const World *w, Random *r, caromBox *boxes, int n)
{
    for (int i = 0; i < n; i++) w->place(r, &boxes[i], i);
}

static void move_all(const World *w, Random *r, caromBox *boxes, int n)
{
    for (int i = 0; i < n; i++) {
        caromVec3 d = w->speed > 0 ? random_point(r, -w->speed, w->speed) : carom_vec(0, 0, 0);
        boxes[i] = (caromBox){ carom_add(boxes[i].low, d), carom_add(boxes[i].high, d) };
    }
}

static void pairs_are_all_pairs_in_every_world(void **state)
{
    (void)state;
    caromBox boxes[N];
    for (int w = 0; w < WORLDS; w++) {
        Random r = { 17 + (uint64_t)w };
        caromBroad *broad = carom_broad_create();
        place_all(&worlds[w], &r, boxes, N);
        for (int step = 0; step < STEPS; step++) {
            check_pairs(broad, boxes, NULL, N, worlds[w].name);
            for (int k = 0; k < 20; k++) check_query(broad, boxes, N, boxes[(k*997 + step) % N]);
            check_query(broad, boxes, N, (caromBox){ carom_vec(-INFINITY, -INFINITY, -INFINITY),
                                                     carom_vec(INFINITY, INFINITY, INFINITY) });
            check_query(broad, boxes, N, (caromBox){ carom_vec(1, 1, 1), carom_vec(0, 2, 2) });
            move_all(&worlds[w], &r, boxes, N);
        }
        carom_broad_destroy(broad);
    }
}

// The plan of one world is used for the next one, at first.
static void one_object_goes_through_all_worlds(void **state)
{
    (void)state;
    static const int sizes[] = { 500, 1, 0, 2, 499, 30, 700, 700, 650 };
    caromBox boxes[700];
    caromBroad *broad = carom_broad_create();
    Random r = { 5 };
    for (int turn = 0; turn < 4*WORLDS; turn++) {
        const World *w = &worlds[turn*5 % WORLDS];
        int n = turn < WORLDS ? 600 : sizes[turn % 9];
        place_all(w, &r, boxes, n);
        check_pairs(broad, boxes, NULL, n, w->name);
        if (n > 0) check_query(broad, boxes, n, boxes[0]);
    }
    carom_broad_destroy(broad);
}

static void filters_are_obeyed(void **state)
{
    (void)state;
    caromBox boxes[N];
    caromFilter filters[N];
    for (int w = 0; w < WORLDS; w++) {
        Random r = { 3 };
        caromBroad *broad = carom_broad_create();
        place_all(&worlds[w], &r, boxes, N);
        for (int i = 0; i < N; i++)
            filters[i] = (caromFilter){ 1u << (i % 5) | (i % 11 == 0 ? 0x80000000u : 0),
                                        i % 5 == 0 ? 0xfffffffeu : i % 5 == 1 ? 0 : 0xffffffffu };
        check_pairs(broad, boxes, filters, N, worlds[w].name);
        check_pairs(broad, boxes, NULL, N, worlds[w].name);
        carom_broad_destroy(broad);
    }
}

// What came before has no influence on the answer.
static void history_does_not_matter(void **state)
{
    (void)state;
    caromBox first[N], second[N];
    caromError err;
    caromPairList a, b;
    Random r = { 9 };
    for (int w = 0; w < WORLDS; w++) {
        caromBroad *fresh = carom_broad_create(), *used = carom_broad_create();
        place_all(&worlds[(w + 3) % WORLDS], &r, first, N);
        place_all(&worlds[w], &r, second, N);
        for (int k = 0; k < 3; k++) assert_int_equal(carom_broad_update(used, first, NULL, N - k, &err), CAROM_OK);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(carom_broad_update(used, k ? second : first, NULL, N, &err), CAROM_OK);
            assert_int_equal(carom_broad_pairs(used, &a, &err), CAROM_OK);
        }
        assert_int_equal(carom_broad_update(fresh, second, NULL, N, &err), CAROM_OK);
        assert_int_equal(carom_broad_pairs(fresh, &b, &err), CAROM_OK);
        assert_int_equal(a.count, b.count);
        assert_true(a.count == 0 || memcmp(a.items, b.items, (size_t)a.count*sizeof *a.items) == 0);
        carom_broad_destroy(fresh);
        carom_broad_destroy(used);
    }
}

// ---- work

typedef struct Moving { int n; double side; caromBox *boxes; } Moving;

// One box in a unit volume; in a cube, in a plane, in clusters, over four decades of sizes.
static Moving dense_world(int n, int kind)
{
    Random r = { 7 };
    Moving m = { n, kind == 1 ? sqrt(n) : cbrt(n), malloc((size_t)n*sizeof(caromBox)) };
    caromVec3 centre = { 0, 0, 0 };
    for (int i = 0; i < n; i++) {
        caromVec3 p = random_point(&r, 0, m.side), h = random_point(&r, 0.2, 0.6);
        if (kind == 1) p.z = random_uniform(&r, 0, 1);
        if (kind == 2) {
            if (i % 500 == 0) centre = carom_scale(5, p);
            p = carom_add(centre, random_point(&r, -4, 4));
        }
        if (kind == 3) h = carom_scale(pow(10, random_uniform(&r, -3.7, 0.3)), h);
        m.boxes[i] = box_about(p, h);
    }
    return m;
}

static double work_per_item(int n, int kind)
{
    Moving m = dense_world(n, kind);
    caromBroad *broad = carom_broad_create();
    caromError err;
    caromPairList pairs;
    assert_int_equal(carom_broad_update(broad, m.boxes, NULL, n, &err), CAROM_OK);
    assert_int_equal(carom_broad_pairs(broad, &pairs, &err), CAROM_OK);
    double work = (double)(broad->work.entries + broad->work.tests)/n;
    carom_broad_destroy(broad);
    free(m.boxes);
    return work;
}

// Entries and comparisons for each box must not grow faster than log n. Edges of the world, with fewer neighbours,
// count for less in larger worlds: that is the factor 1.5 beside it (1000 boxes: a third of them are within 0.6 of a
// face, where half of the neighbours are missing).
static void work_per_box_hardly_grows(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        double small = work_per_item(1000, kind), large = work_per_item(100000, kind);
        if (large > small*1.5*log(100000)/log(1000) || large > 200)
            print_error("kind %d: work for each box %g at 1000, %g at 100000\n", kind, small, large);
        assert_true(large <= small*1.5*log(100000)/log(1000));
        assert_true(large <= 200);
    }
}

// ---- errors

static void too_many_pairs_are_an_error(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    caromBox *boxes = malloc(MANY*sizeof *boxes);
    caromFilter *filters = malloc(MANY*sizeof *filters);
    caromError err = { 0 };
    caromPairList pairs;
    caromBroad *broad = carom_broad_create();
    for (int i = 0; i < MANY; i++) {
        boxes[i] = (caromBox){ carom_vec(0, 0, 0), carom_vec(1, 1, 1) };
        filters[i] = (caromFilter){ 1, i < 2 };
    }
    assert_int_equal(carom_broad_limit_pairs(broad, -1, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_broad_limit_pairs(broad, (int64_t)1 << 31, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_broad_limit_pairs(broad, 1000000, &err), CAROM_OK);
    assert_int_equal(carom_broad_update(broad, boxes, NULL, MANY, &err), CAROM_OK);
    assert_int_equal(carom_broad_pairs(broad, &pairs, &err), CAROM_ERR_MEMORY);
    assert_int_equal(err.status, CAROM_ERR_MEMORY);
    assert_true(pairs.items == NULL && pairs.count == 0);
    assert_int_equal(carom_broad_update(broad, boxes, filters, 3000, &err), CAROM_OK);
    assert_int_equal(carom_broad_pairs(broad, &pairs, &err), CAROM_OK);
    assert_true(pairs.count == 1 && pairs.items[0].a == 0 && pairs.items[0].b == 1);
    assert_int_equal(carom_broad_update(broad, boxes, NULL, -1, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_broad_pairs(broad, &pairs, &err), CAROM_OK);
    assert_true(pairs.count == 0);
    carom_broad_destroy(broad);
    carom_broad_destroy(NULL);
    free(boxes);
    free(filters);
}

// ---- memory

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long countdown = -1, allocations;  // countdown: allocations until all fail; negative: never

static bool fails_now(void)
{
    allocations++;
    if (countdown > 0) countdown--;
    return countdown == 0;
}

void *__wrap_malloc(size_t size) { return fails_now() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails_now() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return fails_now() ? NULL : __real_realloc(old, size); }

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const int some[] = { 0, 1, 5, 9 };
    caromBox boxes[N];
    for (int w = 0; w < 4; w++) {
        Random r = { 11 };
        place_all(&worlds[some[w]], &r, boxes, N);
        for (long n = 1;; n++) {
            caromError err = { 0 };
            caromPairList pairs;
            countdown = n;
            caromBroad *broad = carom_broad_create();
            caromStatus status = broad ? carom_broad_update(broad, boxes, NULL, N/2, &err) : CAROM_ERR_MEMORY;
            if (status == CAROM_OK) status = carom_broad_pairs(broad, &pairs, &err);
            if (status == CAROM_OK) status = carom_broad_update(broad, boxes, NULL, N, &err);
            if (status == CAROM_OK) status = carom_broad_pairs(broad, &pairs, &err);
            bool was_reached = countdown == 0;
            countdown = -1;
            assert_true(status == (was_reached ? CAROM_ERR_MEMORY : CAROM_OK));
            assert_true(!broad || err.status == status);
            if (broad) check_pairs(broad, boxes, NULL, N, worlds[some[w]].name);  // and it goes on afterwards
            carom_broad_destroy(broad);
            if (!was_reached) break;
            assert_true(n < 1000);
        }
    }
}

static void the_second_time_nothing_is_allocated(void **state)
{
    (void)state;
    caromBox boxes[N];
    Random r = { 11 };
    caromError err;
    caromPairList pairs;
    caromBroad *broad = carom_broad_create();
    place_all(&worlds[0], &r, boxes, N);
    check_pairs(broad, boxes, NULL, N, "uniform");
    long before = allocations;
    for (int k = 0; k < 50; k++) {
        assert_int_equal(carom_broad_update(broad, boxes, NULL, N, &err), CAROM_OK);
        assert_int_equal(carom_broad_pairs(broad, &pairs, &err), CAROM_OK);
    }
    assert_int_equal(allocations, before);
    carom_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_all_pairs_in_every_world),
        cmocka_unit_test(one_object_goes_through_all_worlds),
        cmocka_unit_test(filters_are_obeyed),
        cmocka_unit_test(history_does_not_matter),
        cmocka_unit_test(work_per_box_hardly_grows),
        cmocka_unit_test(too_many_pairs_are_an_error),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_second_time_nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
