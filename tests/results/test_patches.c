// Patches in results files: what a simulation writes of the pressure between faces, and what a reader makes of it or
// refuses.
#include "base/base.h"
#include "results/results.h"

#include "results_fixture.h"

enum { FN = 10, NORMAL = 4 };  // numbers of a contact

typedef struct Block {
    const char *name;
    caromShape shape;
    caromVec3 p, v, w;
    bool fixed;
} Block;

static caromModel *blocks_model(caromSettings settings, const Block *blocks, int n)
{
    caromBuilder *b = carom_builder_create();
    carom_builder_settings(b, &settings);
    caromPairDef pair = carom_model_pair_def("wood", "wood");
    pair.restitution = 0.5;
    pair.friction = 0.4;
    carom_builder_pair(b, &pair);
    for (int i = 0; i < n; i++) {
        caromShapeDef shape = carom_model_shape_def(blocks[i].shape);
        caromBodyDef body = carom_model_body_def(blocks[i].name);
        body.material = "wood";
        body.shapes = &shape;
        body.nshape = 1;
        body.p_WB = blocks[i].p;
        body.v_WB = blocks[i].v;
        body.w_WB = blocks[i].w;
        body.fixed = blocks[i].fixed;
        carom_builder_body(b, &body);
    }
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    if (carom_builder_finish(b, &problems, &model) != CAROM_OK)
        fail_msg("%s: %s", problems.items[0].path, problems.items[0].message);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static caromSettings settings_until(double until, double every)
{
    caromSettings settings = carom_model_settings_def();
    settings.until = until;
    settings.every = every;
    return settings;
}

static void run_to_file(const caromModel *model, const char *path)
{
    caromWriter *writer;
    caromSim *sim;
    caromError err = { 0 };
    assert_int_equal(carom_results_writer_create(path, model, &(caromRunSource){ .name = "blocks" }, &writer, &err),
                     CAROM_OK);
    caromSink sink = carom_results_writer_sink(writer);
    assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
    if (carom_sim_run(sim, &err) != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", carom_sim_stats(sim), &err), CAROM_OK);
    carom_sim_destroy(sim);
    carom_results_writer_destroy(writer);
}

static caromResults *results_of(const caromModel *model)
{
    const char *path = scratch("patches.carom");
    caromResults *results;
    caromError err;
    run_to_file(model, path);
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    unlink(path);
    return results;
}

// ---- what a patch amounts to

typedef struct Sums {
    caromVec3 force_B;             // integral of p n, in the frame of the body
    double area, perimeter, size;  // of all polygons; distance of the farthest two corners at most
    double largest;                // pressure
} Sums;

static caromVec3 corner(const caromResultsPatch *patch, int i)
{
    const float *c = patch->corners + 4*i;
    return carom_vec((double)c[0], (double)c[1], (double)c[2]);
}

static double pressure(const caromResultsPatch *patch, int i)
{
    return (double)patch->corners[4*i + 3];
}

static Sums sums_of(const caromResultsPatch *patch)
{
    Sums s = { { 0, 0, 0 }, 0, 0, 0, 0 };
    int first = 0;
    for (int k = 0; k < patch->npolygon; k++) {
        int n = (int)patch->polygon_corners[k];
        for (int i = 0; i < n; i++)
            s.perimeter += carom_norm(carom_sub(corner(patch, first + i), corner(patch, first + (i + 1) % n)));
        for (int i = first + 1; i + 1 < first + n; i++) {
            caromVec3 a = carom_sub(corner(patch, i), corner(patch, first)),
                      b = carom_sub(corner(patch, i + 1), corner(patch, first));
            caromVec3 area = carom_scale(0.5, carom_cross(a, b));
            s.force_B = carom_axpy((pressure(patch, first) + pressure(patch, i) + pressure(patch, i + 1))/3, area,
                                   s.force_B);
            s.area += carom_norm(area);
        }
        first += n;
    }
    caromVec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < patch->ncorner; i++) {
        caromVec3 p = corner(patch, i);
        low = carom_vec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = carom_vec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        s.largest = fmax(s.largest, pressure(patch, i));
    }
    s.size = patch->ncorner > 0 ? carom_norm(carom_sub(high, low)) : 0;
    return s;
}

// Orientation of a body in a row; a fixed one has the axes of the world here.
static caromMat3 axes_of(const caromResults *results, int64_t row, const char *body)
{
    char name[64];
    snprintf(name, sizeof name, "bodies.%s.orientation.w", body);
    int at = carom_results_column_index(results, name);
    if (at < 0) return carom_mat_identity();
    const double *q = carom_results_row(results, row) + at;
    return carom_quat_matrix((caromQuat){ q[0], q[1], q[2], q[3] });
}

typedef struct Tally {
    int stored, held, missing;
    double most;  // normal force of the run
} Tally;

static double most_force(const caromResults *results)
{
    double most = 0;
    for (int64_t row = 0; row < carom_results_row_count(results); row++) {
        int n;
        const double *contacts = carom_results_contacts(results, row, &n);
        for (int k = 0; k < n; k++) most = fmax(most, contacts[12*k + FN]);
    }
    return most;
}

// As it was in the row before, or only nearly.
static bool is_of_row_before(const caromResults *results, int64_t row, const caromResultsPatch *patch)
{
    caromResultsPatch before;
    return row > 0 && carom_results_patch(results, row - 1, patch->pair, &before) && before.corners == patch->corners;
}

// Of every contact of every row the pressure over its patch, along the contact's normal, is its normal force.
//   Stored in that row: bits below 1e-4 of the largest are left out, of at most 6 x 6 pairs of faces; single
//     precision on top, 1e-6.
//   Held: corners are off by at most 1e-3 of the size in each direction, pressures by 1e-3 of the largest.
static Tally check_forces(const caromResults *results, const Block *blocks)
{
    Tally tally = { 0, 0, 0, most_force(results) };
    double little = 1e-9*tally.most;  // forces at the located instants of touching and parting are rounding
    for (int64_t row = 0; row < carom_results_row_count(results); row++) {
        int n;
        const double *contact = carom_results_contacts(results, row, &n);
        for (int k = 0; k < n; k++, contact += 12) {
            caromResultsPatch patch;
            double fn = contact[FN];
            if (!carom_results_patch(results, row, (int)contact[0], &patch)) {
                if (fn > little) tally.missing++;
                continue;
            }
            Sums s = sums_of(&patch);
            bool is_held = is_of_row_before(results, row, &patch);
            caromVec3 force = carom_mul(axes_of(results, row, blocks[patch.body].name), s.force_B);
            double along = carom_dot(force, carom_vec(contact[NORMAL], contact[NORMAL + 1], contact[NORMAL + 2]));
            double held = s.largest*(1e-3*s.area + 1.8e-3*s.size*s.perimeter);
            CHECK_NEAR(along, fn, little + (36e-4 + 1e-6)*fn + (is_held ? held : 0));
            if (is_held) tally.held++;
            else tally.stored++;
        }
    }
    return tally;
}

// ---- what a simulation writes

static const Block table_and_block[] = {
    { .name = "table", .shape = { CAROM_HALF_SPACE, { 0, 0, 0 } }, .fixed = true },
    { .name = "block", .shape = { CAROM_BOX, { 0.12, 0.08, 0.05 } }, .p = { 0.3, -0.1, 0.03 } },
};

// p = m g/A = rho g h over the face, whose corners are those of the box.
static void block_at_rest_presses_evenly(void **state)
{
    (void)state;
    caromModel *model = blocks_model(settings_until(1, 0.01), table_and_block, 2);
    caromResults *results = results_of(model);
    int64_t last = carom_results_row_count(results) - 1;
    caromResultsPatch patch;
    assert_true(carom_results_patch(results, last, 0, &patch));
    assert_int_equal(patch.body, 1);
    assert_int_equal(patch.npoint, 0);
    assert_int_equal(patch.npolygon, 1);
    assert_int_equal(patch.ncorner, 4);
    double expected = carom_model_body_mass(model, (caromBodyId){ 1 }).mass*9.81/(0.12*0.08);
    for (int i = 0; i < 4; i++) {
        caromVec3 p = carom_add(patch.origin_B, corner(&patch, i));
        // held: 1e-3 of what it was, and that is not quite at rest yet
        CHECK_NEAR(pressure(&patch, i), expected, 2e-3*expected);
        CHECK_NEAR(fabs(p.x), 0.06, 1e-6);  // the depth is some nanometres
        CHECK_NEAR(fabs(p.y), 0.04, 1e-6);
        CHECK_NEAR(p.z, -0.025, 1e-6);
    }
    caromVec3 up = sums_of(&patch).force_B;  // counter-clockwise about the normal from table into block
    assert_true(up.z > 0);
    carom_results_close(results);
    carom_model_destroy(model);
}

static void what_lies_still_is_written_once(void **state)
{
    (void)state;
    caromModel *model = blocks_model(settings_until(3, 0.001), table_and_block, 2);
    caromResults *results = results_of(model);
    int64_t rows = carom_results_row_count(results);
    int changes = 0;
    caromResultsPatch patch, before;
    assert_true(carom_results_patch(results, rows - 1, 0, &before));
    for (int64_t row = rows - 2; carom_results_row(results, row)[0] > 1; row--) {
        assert_true(carom_results_patch(results, row, 0, &patch));
        if (patch.corners != before.corners) changes++;
        before = patch;
    }
    assert_int_equal(changes, 0);
    check_forces(results, table_and_block);
    carom_results_close(results);
    carom_model_destroy(model);
}

// In the block's frame its face stays where it is; friction tips the pressure, but steadily.
static void what_slides_as_it_lies_is_written_seldom(void **state)
{
    (void)state;
    Block blocks[] = { table_and_block[0], table_and_block[1] };
    blocks[1].p.z = 0.025;
    blocks[1].v.x = 2;
    caromModel *model = blocks_model(settings_until(0.4, 0.001), blocks, 2);
    caromResults *results = results_of(model);
    Tally tally = check_forces(results, blocks);
    assert_true(tally.held > 5*tally.stored);
    carom_results_close(results);
    carom_model_destroy(model);
}

// Corner, edge and face; bodies in either order of kinds and sizes, and two that move.
static void pressure_adds_up_to_the_force(void **state)
{
    (void)state;
    const Block tumbling[] = {
        { .name = "block", .shape = { CAROM_BOX, { 0.12, 0.08, 0.05 } }, .p = { 0, 0, 0.09 }, .v = { 0.8, 0.2, -1 }, .w = { 0, 8, 3 } },
        { .name = "table", .shape = { CAROM_HALF_SPACE, { 0, 0, 0 } }, .fixed = true },
        { .name = "top", .shape = { CAROM_BOX, { 0.05, 0.06, 0.05 } }, .p = { 0.01, 0, 0.2 }, .v = { 0, 0, -2 }, .w = { 4, 1, 2 } },
        { .name = "bench", .shape = { CAROM_BOX, { 0.1, 0.5, 0.04 } }, .p = { 0.2, 0, 0.02 }, .fixed = true },
    };
    caromModel *model = blocks_model(settings_until(0.5, 0.002), tumbling, 4);
    caromResults *results = results_of(model);
    Tally tally = check_forces(results, tumbling);
    assert_true(tally.stored > 100);
    assert_int_equal(tally.missing, 0);
    carom_results_close(results);
    carom_model_destroy(model);
}

// A face that comes down flat and turning: each corner presses with k d (1 + c d') by its own depth d and speed d'.
// Over its depth the pressure is linear in the speed, with one and the same c > 0 between any two corners.
static void damping_is_where_bodies_approach(void **state)
{
    (void)state;
    Block blocks[] = { table_and_block[0], table_and_block[1] };
    blocks[1].p = carom_vec(0, 0, 0.025 + 1e-5);
    blocks[1].v = carom_vec(0, 0, -1);
    blocks[1].w = carom_vec(0.3, 0.5, 0);
    caromModel *model = blocks_model(settings_until(1e-3, 1e-4), blocks, 2);
    caromResults *results = results_of(model);
    int checked = 0;
    for (int64_t row = 0; row < carom_results_row_count(results); row++) {
        caromResultsPatch patch;
        if (!carom_results_patch(results, row, 0, &patch) || patch.ncorner != 4 ||
            is_of_row_before(results, row, &patch)) continue;
        caromMat3 R = axes_of(results, row, "block");
        const double *columns = carom_results_row(results, row) +
                                carom_results_column_index(results, "bodies.block.position.x");
        caromVec3 v = { columns[7], columns[8], columns[9] }, w = { columns[10], columns[11], columns[12] };
        double speed[4], ratio[4], least = INFINITY;
        for (int i = 0; i < 4; i++) {
            caromVec3 p_B = carom_add(patch.origin_B, corner(&patch, i));
            caromVec3 r = carom_mul(R, carom_vec(copysign(0.06, p_B.x), copysign(0.04, p_B.y), -0.025));
            speed[i] = -carom_add(v, carom_cross(w, r)).z;
            least = fmin(least, -(columns[2] + r.z));
            ratio[i] = pressure(&patch, i)/-(columns[2] + r.z);
        }
        // All corners well inside, of a depth up to 2e-5, and before the turning is over.
        if (!(least > 2e-6) || !(fabs(speed[0] - speed[1]) > 5e-3)) continue;
        double c = (ratio[1] - ratio[0])/(speed[1] - speed[0]);
        assert_true(c > 0.1*ratio[0]);  // of the order of 1/(1 m/s) for a restitution of 0.5
        for (int i = 0; i < 4; i++) {
            // Corners are within d/0.1 m of those of the block.
            for (int k = 0; k < i; k++) CHECK_NEAR(ratio[i] - ratio[k], c*(speed[i] - speed[k]), 1e-4*ratio[k]);
        }
        checked++;
    }
    assert_true(checked > 3);
    carom_results_close(results);
    carom_model_destroy(model);
}

// A can that comes to stand: its surface is known as points, whose forces are the force of each row that has them, and
// in the end m g. Single precision; cells with less than 1e-4 of the largest are left out, at most three of four.
static void points_add_up_to_the_force(void **state)
{
    (void)state;
    const Block blocks[] = { table_and_block[0],
                             { .name = "can", .shape = { CAROM_CYLINDER, { 0.04, 0.1, 0 } }, .p = { 0.1, 0, 0.055 } } };
    caromModel *model = blocks_model(settings_until(0.5, 0.01), blocks, 2);
    caromResults *results = results_of(model);
    double little = 1e-9*most_force(results), last = 0;
    int checked = 0;
    for (int64_t row = 0; row < carom_results_row_count(results); row++) {
        caromResultsPatch patch;
        int n;
        const double *contact = carom_results_contacts(results, row, &n);
        if (n == 0 || !carom_results_patch(results, row, 0, &patch) || is_of_row_before(results, row, &patch)) continue;
        caromMat3 R = axes_of(results, row, "can");
        double along = 0, largest = 0;
        assert_int_equal(patch.body, 1);
        assert_int_equal(patch.npolygon, 0);
        for (int i = 0; i < patch.npoint; i++) {
            const float *p = patch.points + 7*i;
            caromVec3 normal = carom_mul(R, carom_vec((double)p[3], (double)p[4], (double)p[5]));
            along += (double)p[6]*carom_dot(normal,
                                            carom_vec(contact[NORMAL], contact[NORMAL + 1], contact[NORMAL + 2]));
            largest = fmax(largest, (double)p[6]);
        }
        CHECK_NEAR(along, contact[FN], little + 1e-6*contact[FN] + 1e-4*4*largest);
        last = along;
        checked++;
    }
    assert_true(checked > 10);
    double weight = 9.81*carom_model_body_mass(model, (caromBodyId){ 1 }).mass;
    CHECK_NEAR(last, weight, 4e-3*weight);  // held since then: within 1e-3 of the largest of four
    carom_results_close(results);
    carom_model_destroy(model);
}

static void count_bits(const caromPressure *bit, void *user)
{
    (void)bit;
    ++*(int *)user;
}

static caromStatus ask_beyond(void *user, const caromSample *sample)
{
    int *bits = user;
    assert_int_equal(carom_step_sample_pressure(sample, -1, count_bits, bits), 0);
    assert_int_equal(carom_step_sample_pressure(sample, sample->ncontact, count_bits, bits), 0);
    return CAROM_OK;
}

static void contacts_that_are_not_there_have_no_pressure(void **state)
{
    (void)state;
    int bits = 0;
    caromSample made_up = { .ncontact = 1 };
    caromModel *model = blocks_model(settings_until(0.1, 0.01), table_and_block, 2);
    caromSink sink = { .user = &bits, .sample = ask_beyond };
    caromSim *sim;
    assert_int_equal(carom_sim_create(model, &sink, &sim, NULL), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, NULL), CAROM_OK);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    assert_int_equal(carom_step_sample_pressure(&made_up, 0, count_bits, &bits), 0);
    assert_int_equal(bits, 0);
}

// Without patches the file is the same but for their frames; they cost no more than what else there is of a contact.
static void without_patches_nothing_else_changes(void **state)
{
    (void)state;
    caromSettings settings = settings_until(0.3, 0.01);
    caromModel *with = blocks_model(settings, table_and_block, 2);
    settings.patches = false;
    caromModel *without = blocks_model(settings, table_and_block, 2);
    caromResults *a = results_of(with), *b = results_of(without);
    caromResultsPatch patch;
    int n, m;
    assert_int_equal(carom_results_row_count(a), carom_results_row_count(b));
    for (int64_t row = 0; row < carom_results_row_count(a); row++) {
        assert_memory_equal(carom_results_row(a, row), carom_results_row(b, row),
                            sizeof(double)*(size_t)carom_results_column_count(a));
        carom_results_contacts(a, row, &n);
        carom_results_contacts(b, row, &m);
        assert_int_equal(n, m);
        assert_false(carom_results_patch(b, row, 0, &patch));
    }
    assert_true(carom_results_good_bytes(a) > carom_results_good_bytes(b));
    assert_null(carom_results_contacts(a, -1, &n));
    assert_int_equal(n, 0);
    assert_false(carom_results_patch(a, -1, 0, &patch));
    assert_false(carom_results_patch(a, carom_results_row_count(a), 0, &patch));
    assert_false(carom_results_patch(a, carom_results_row_count(a) - 1, 1, &patch));
    carom_results_close(a);
    carom_results_close(b);
    carom_model_destroy(with);
    carom_model_destroy(without);
}

static void same_run_same_patches(void **state)
{
    (void)state;
    caromModel *model = blocks_model(settings_until(0.3, 0.01), table_and_block, 2);
    const char *path = scratch("same_patches.carom");
    size_t n, m;
    run_to_file(model, path);
    unsigned char *first = slurp(path, &n);
    run_to_file(model, path);
    unsigned char *second = slurp(path, &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    free(first);
    free(second);
    unlink(path);
    carom_model_destroy(model);
}

// ---- frames that no writer of ours makes

#define HEAD                                                                                                          \
    "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],\"pairs\":[{},{},{}],\"bodies\":[{},{}],\"contact\":[1,2,3,4," \
    "5,6,7,8,9,10,11,12]}"

typedef struct Sketch { caromText bytes; size_t last; } Sketch;

static void add_frame(Sketch *s, const char *kind, const void *payload, size_t n)
{
    unsigned char start[8] = {
        (unsigned char)kind[0], (unsigned char)kind[1], (unsigned char)kind[2], (unsigned char)kind[3],
        (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)(n >> 16), (unsigned char)(n >> 24)
    };
    uint32_t crc = carom_crc32(carom_crc32(0, start, 8), payload, n);
    unsigned char check[4] = { (unsigned char)crc, (unsigned char)(crc >> 8), (unsigned char)(crc >> 16),
                               (unsigned char)(crc >> 24) };
    s->last = s->bytes.size;
    carom_results_text_bytes(&s->bytes, start, 8);
    carom_results_text_bytes(&s->bytes, payload, n);
    carom_results_text_bytes(&s->bytes, check, 4);
}

// A head and, if pairs touch, a sample with them.
static Sketch begun(int npair, const double *pairs)
{
    Sketch s = { { 0 }, 0 };
    double row[1 + 3*12] = { 0 };
    carom_results_text_bytes(&s.bytes, CAROM_RESULTS_MAGIC, CAROM_RESULTS_MAGIC_BYTES);
    add_frame(&s, "HEAD", HEAD, strlen(HEAD));
    for (int k = 0; k < npair; k++) row[1 + 12*k] = pairs[k];
    if (npair > 0) add_frame(&s, "SAMP", row, sizeof *row*(size_t)(1 + 12*npair));
    return s;
}

// Words of a patch: a triangle and a point. The machine of the tests has the byte order of the file.
enum { PATCH_WORDS = 11 + 1 + 12 + 7 };
static void make_patch(uint32_t *words, uint32_t pair, uint32_t body)
{
    const double origin[3] = { 1, 2, 3 };
    const float floats[19] = { 0, 0, 0, 5, 1, 0, 0, 6, 0, 1, 0, 7, 0.5F, 0.25F, 0, 0, 0, 1, 8 };
    const uint32_t head[5] = { pair, body, 1, 3, 1 };
    memcpy(words, head, sizeof head);
    memcpy(words + 5, origin, sizeof origin);
    words[11] = 3;
    memcpy(words + 12, floats, sizeof floats);
}

static caromStatus read_sketch(Sketch *s, caromResults **results, caromError *err)
{
    unsigned char *copy = malloc(s->bytes.size);  // exactly as long, so that the sanitizer sees a read behind it
    memcpy(copy, s->bytes.data, s->bytes.size);
    caromStatus status = carom_results_parse(copy, s->bytes.size, "sketch", results, err);
    carom_results_text_free(&s->bytes);
    return status;
}

static void polygons_and_points_come_back(void **state)
{
    (void)state;
    uint32_t words[2*PATCH_WORDS];
    const double pairs[] = { 0, 2 };
    double row[1 + 12] = { 0, 2 };
    for (size_t odd = 0; odd < 5; odd++) {  // wherever the frame begins
        Sketch s = begun(2, pairs);
        s.bytes.size = s.last;
        add_frame(&s, "NEWS", "abcd", odd);
        double first[25] = { 0 };
        first[13] = 2;
        add_frame(&s, "SAMP", first, sizeof first);
        make_patch(words, 0, 1);
        make_patch(words + PATCH_WORDS, 2, 0);
        add_frame(&s, "PTCH", words, sizeof words);
        add_frame(&s, "SAMP", row, sizeof row);
        add_frame(&s, "SAMP", row, 8);
        add_frame(&s, "SAMP", row, sizeof row);
        caromResults *results;
        caromResultsPatch patch, held;
        assert_int_equal(read_sketch(&s, &results, NULL), CAROM_OK);
        assert_true(carom_results_patch(results, 0, 2, &patch));
        assert_int_equal(patch.body, 0);
        CHECK_VEC(patch.origin_B, carom_vec(1, 2, 3), 0);
        CHECK_NEAR(pressure(&patch, 2), 7, 0);
        CHECK_NEAR((double)patch.points[6], 8, 0);
        assert_true(carom_results_patch(results, 0, 0, &patch));
        assert_int_equal(patch.body, 1);
        assert_false(carom_results_patch(results, 0, 1, &patch));
        assert_true(carom_results_patch(results, 1, 2, &held));
        CHECK_NEAR((double)held.points[6], 8, 0);
        assert_false(carom_results_patch(results, 1, 0, &held));  // it does not touch there
        assert_false(carom_results_patch(results, 2, 2, &held));
        assert_false(carom_results_patch(results, 3, 2, &held));  // a new contact
        carom_results_close(results);
    }
}

typedef struct Wrong { const char *what; int word; uint32_t value; size_t words; } Wrong;

static void check_refused(Sketch *s, const char *what)
{
    char expected[128];
    caromResults *results;
    caromError err = { 0 };
    snprintf(expected, sizeof expected, "damaged: the frame at byte %d has a good checksum but wrong content",
             (int)s->last);
    if (read_sketch(s, &results, &err) != CAROM_ERR_FILE) fail_msg("taken for a patch: %s", what);
    assert_string_equal(err.message, expected);
}

static void patches_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const double pairs[] = { 0, 2 };
    const uint32_t nan = 0x7fc00000, infinite = 0x7ff00000;
    const Wrong wrong[] = {
        { "a pair that is not there", 0, 3, PATCH_WORDS }, { "a pair that does not touch", 0, 1, PATCH_WORDS },
            { "a huge pair", 0, 0xffffffff, PATCH_WORDS },
        { "a body that is not there", 1, 2, PATCH_WORDS }, { "too many polygons", 2, 2, PATCH_WORDS },
            { "no polygon", 2, 0, PATCH_WORDS },
        { "a huge number of polygons", 2, 0xffffffff, PATCH_WORDS }, { "too few corners", 3, 2, PATCH_WORDS },
            { "a huge number of corners", 3, 0x40000003, PATCH_WORDS },
        { "too many points", 4, 2, PATCH_WORDS }, { "no point", 4, 0, PATCH_WORDS },
            { "a huge number of points", 4, 0x92492493, PATCH_WORDS },
        { "an infinite origin", 10, infinite, PATCH_WORDS }, { "a polygon of two corners", 11, 2, PATCH_WORDS },
            { "a polygon of four", 11, 4, PATCH_WORDS },
        { "a place that is no number", 13, nan, PATCH_WORDS },
            { "a force that is no number", PATCH_WORDS - 1, nan, PATCH_WORDS },
        { "a cut", 0, 0, PATCH_WORDS - 1 }, { "a head that is cut", 0, 0, 10 }, { "one word", 0, 0, 1 },
    };
    uint32_t words[2*PATCH_WORDS];
    for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++) {
        Sketch s = begun(2, pairs);
        make_patch(words, 0, 1);
        words[wrong[i].word] = wrong[i].value;
        add_frame(&s, "PTCH", words, 4*wrong[i].words);
        check_refused(&s, wrong[i].what);
    }
    for (int twice = 0; twice < 2; twice++) {  // pairs that do not ascend
        Sketch s = begun(2, pairs);
        make_patch(words, twice ? 0 : 2, 1);
        make_patch(words + PATCH_WORDS, 0, 1);
        add_frame(&s, "PTCH", words, sizeof words);
        check_refused(&s, "two in the wrong order");
    }
    make_patch(words, 0, 1);
    Sketch bytes = begun(2, pairs);
    add_frame(&bytes, "PTCH", words, 4*PATCH_WORDS - 2);
    check_refused(&bytes, "half a word");
    Sketch early = begun(0, NULL);
    add_frame(&early, "PTCH", words, 4*PATCH_WORDS);
    check_refused(&early, "before the first sample");
    Sketch again = begun(2, pairs);
    add_frame(&again, "PTCH", words, 4*PATCH_WORDS);
    add_frame(&again, "PTCH", words, 4*PATCH_WORDS);
    check_refused(&again, "twice for a sample");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_at_rest_presses_evenly),
        cmocka_unit_test(what_lies_still_is_written_once),
        cmocka_unit_test(what_slides_as_it_lies_is_written_seldom),
        cmocka_unit_test(pressure_adds_up_to_the_force),
        cmocka_unit_test(points_add_up_to_the_force),
        cmocka_unit_test(damping_is_where_bodies_approach),
        cmocka_unit_test(contacts_that_are_not_there_have_no_pressure),
        cmocka_unit_test(without_patches_nothing_else_changes),
        cmocka_unit_test(same_run_same_patches),
        cmocka_unit_test(polygons_and_points_come_back),
        cmocka_unit_test(patches_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
