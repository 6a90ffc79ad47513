// A small model and a run of it that never happened: rows and events that can be computed from their number alone.
#ifndef CAROM_TESTS_RESULTS_FIXTURE_H
#define CAROM_TESTS_RESULTS_FIXTURE_H

#include <unistd.h>

#include "carom/results.h"

#include "check.h"

enum { FIXTURE_COLUMNS = 2 + 2*13 + 10, FIXTURE_PAIRS = 3 };

static inline caromBodyDef fixture_body(const char *name, const caromShapeDef *shape, double z)
{
    caromBodyDef body = carom_model_body_def(name);
    body.material = "steel";
    body.shapes = shape;
    body.nshape = 1;
    body.p_WB = carom_vec(0.1, 0, z);
    return body;
}

// A fixed plate and two balls.
static inline caromModel *fixture_model_with(caromSettings settings)
{
    caromBuilder *b = carom_builder_create();
    carom_builder_settings(b, &settings);
    caromPairDef pair = carom_model_pair_def("steel", "steel");
    pair.restitution = 0.7;
    pair.friction = 0.3;
    carom_builder_pair(b, &pair);
    caromShapeDef plane = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromShapeDef ball = carom_model_shape_def((caromShape){ CAROM_SPHERE, { 0.05, 0, 0 } });
    caromBodyDef plate = fixture_body("plate", &plane, 0);
    plate.fixed = true;
    caromBodyDef one = fixture_body("one", &ball, 1), two = fixture_body("two", &ball, 2);
    carom_builder_body(b, &plate);
    carom_builder_body(b, &one);
    carom_builder_body(b, &two);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static inline caromModel *fixture_model(void)
{
    return fixture_model_with(carom_model_settings_def());
}

static inline double fixture_number(int64_t row, int k)
{
    return sin(1.0 + (double)row*0.7 + k)*1e-3*(k + 1);
}

static inline caromVec3 fixture_vec(int64_t row, int k)
{
    return carom_vec(fixture_number(row, k), fixture_number(row, k + 1), fixture_number(row, k + 2));
}

// What a row should hold, column by column.
static inline double fixture_value(int64_t row, int column)
{
    if (column == 0) return 0.01*(double)row;
    if (column == 1) return (double)(row % 3);
    return fixture_number(row, column);
}

static inline caromStatus fixture_sample(caromSink sink, int64_t row)
{
    caromPose X[3] = { carom_pose_identity(), carom_pose_identity(), carom_pose_identity() };
    caromQuat q[3] = { { 1, 0, 0, 0 } };
    caromSpatial V[3] = { { { 0, 0, 0 }, { 0, 0, 0 } } };
    for (int i = 1; i < 3; i++) {
        int k = 2 + 13*(i - 1);
        X[i].p = fixture_vec(row, k);
        q[i] = (caromQuat){ fixture_number(row, k + 3), fixture_number(row, k + 4), fixture_number(row, k + 5),
                            fixture_number(row, k + 6) };
        V[i] = (caromSpatial){ fixture_vec(row, k + 10), fixture_vec(row, k + 7) };
    }
    caromContact contact = { .pair = (int)(row % FIXTURE_PAIRS), .n_AB = { 0, 0, 1 }, .fn = 12.5, .depth = 1e-6 };
    int k = 2 + 26;
    caromSample sample = { .time = fixture_value(row, 0), .kind = (caromSampleKind)(row % 3), .nbody = 3, .X_WB = X,
                           .q_WB = q, .V_WB = V, .ncontact = (int)(row % 2), .contacts = &contact,
                           .energy = { fixture_number(row, k), fixture_number(row, k + 1), fixture_number(row, k + 2),
                                       fixture_number(row, k + 3), fixture_number(row, k + 4),
                                       fixture_number(row, k + 5), fixture_number(row, k + 6),
                                       fixture_number(row, k + 7), fixture_number(row, k + 8),
                                       fixture_number(row, k + 9) } };
    return sink.sample(sink.user, &sample);
}

static inline caromStatus fixture_event(caromSink sink, int64_t row)
{
    caromEvent event = { .time = fixture_value(row, 0), .kind = CAROM_EVENT_TOUCH, .n_AB = { 0, 0, 1 } };
    event.about.pair = (int)(row % FIXTURE_PAIRS);
    event.touch.speed = 3;
    if (row % 2) {
        event.kind = CAROM_EVENT_SEPARATION;
        event.separation = (caromSeparationEvent){ .speed = 3, .duration = 1e-4, .approach_speed = 4,
                                                   .asked_restitution = 0.7, .restitution = 0.75,
                                                   .depth = 8e-5, .impulse = 30.5 };
    }
    return sink.event(sink.user, &event);
}

static inline caromSimStats fixture_stats(void)
{
    return (caromSimStats){ .time = 3, .method = "dop853", .steps = 310, .rejected = 12, .evaluations = 4100,
                            .energy_scale = 40.25, .events = { 8, 7 }, .largest_depth = 8e-5, .largest_depth_pair = 1,
                            .energy = { .kinetic = 1.5 } };
}

static inline caromWriter *fixture_writer(const char *path, const caromModel *model)
{
    const char *overrides[] = { "simulate.until=2", "bodies.one.position=[0.1, 0, 1]" };
    caromRunSource source = { "two balls", "carom: 1\n# \"quoted\"\tand \xc3\xa4\n", overrides, 2 };
    caromWriter *writer;
    caromError err;
    assert_int_equal(carom_results_writer_create(path, model, &source, &writer, &err), CAROM_OK);
    return writer;
}

// A file with that many rows, an event before every fifth, and its last frame.
static inline void fixture_file(const char *path, int64_t rows)
{
    caromModel *model = fixture_model();
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    for (int64_t i = 0; i < rows; i++) {
        if (i % 5 == 0) assert_int_equal(fixture_event(sink, i), CAROM_OK);
        assert_int_equal(fixture_sample(sink, i), CAROM_OK);
    }
    caromSimStats stats = fixture_stats();
    caromError err;
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", &stats, &err), CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
}

static inline void fixture_check_rows(const caromResults *results)
{
    assert_int_equal(carom_results_column_count(results), FIXTURE_COLUMNS);
    for (int64_t i = 0; i < carom_results_row_count(results); i++)
        for (int k = 0; k < FIXTURE_COLUMNS; k++)
            if (carom_results_row(results, i)[k] != fixture_value(i, k))
                fail_msg("row %d column %d differs", (int)i, k);
}

// Bytes of a file with malloc.
static inline unsigned char *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static inline void spit(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// A path in the directory of this test program's run that no other test uses.
static inline const char *scratch(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "test_results_%ld_%s", (long)getpid(), name);
    return path;
}

#endif
