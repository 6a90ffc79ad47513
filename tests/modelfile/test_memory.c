// Out of memory at every allocation of a reading, once and from then on: no crash, no leak, no model.
#include "modelfile_helpers.h"

#include "carom/mesh.h"
#include "failing_memory.h"

// Reads with the n-th allocation failing; false when the reading needed fewer.
static bool read_with_failure(const char *text, size_t length, long n, bool persistent, bool expect_model)
{
    const char *const overrides[] = { "simulate.until=2 s", "contact.friction=0.1", "gravity.x=1" };
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    is_persistent = persistent;
    countdown = n;
    caromStatus status = carom_modelfile_read_from(&(caromModelText){ "model.yaml", text, length, overrides, 3 },
                                                   &problems, &model);
    bool was_reached = persistent ? countdown == 0 : countdown < 0;
    countdown = -1;
    assert_true((status == CAROM_OK) == (model != NULL));
    assert_true((status == CAROM_OK) == (problems.errors == 0));
    if (!was_reached) assert_true((status == CAROM_OK) == expect_model);
    carom_modelfile_locate(text, length, overrides, 3, &problems);
    carom_problems_free(&problems);
    carom_model_destroy(model);
    return was_reached;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *const files[] = {
        "tests/modelfile/good/everything.yaml", "tests/modelfile/bad/consequences-are-not-repeated.yaml",
        "tests/modelfile/bad/alias-bomb.yaml", "tests/modelfile/bad/synonyms.yaml",
        "tests/modelfile/good/mechanism.yaml", "tests/modelfile/bad/motion-table.yaml",
        "tests/modelfile/good/shapes.yaml", "tests/modelfile/bad/polytopes.yaml", "tests/modelfile/bad/groups.yaml",
        "tests/modelfile/bad/ignore-pairs.yaml", "tests/modelfile/good/groups.yaml", "tests/modelfile/good/laws.yaml",
        "tests/modelfile/bad/law-parameters.yaml", "tests/modelfile/good/rigid.yaml",
        "tests/modelfile/bad/mesh-files.yaml", "tests/modelfile/bad/mesh-hulls.yaml", "tests/modelfile/good/mesh.yaml"
    };
    for (size_t f = 0; f < sizeof files/sizeof files[0]; f++) {
        size_t length;
        char *text = source_file(files[f], &length);
        enter_folder(strstr(files[f], "bad") ? "tests/modelfile/bad" : "tests/modelfile/good");
        for (int persistent = 0; persistent < 2; persistent++) {
            long n = 0;
            while (read_with_failure(text, length, n, persistent, strstr(files[f], "good") != NULL)) n++;
            assert_true(n > 10);
        }
        free(text);
    }
}

static void the_schema_may_run_out_of_memory(void **state)
{
    (void)state;
    for (long n = 0; n < 100; n++) {
        countdown = n;
        is_persistent = true;
        char *schema = carom_modelfile_schema();
        bool was_reached = countdown == 0;
        countdown = -1;
        if (was_reached && schema) assert_true(strlen(schema) > 0);
        free(schema);
        if (!was_reached) return;
    }
    fail();
}

// NULL with the right status, whichever allocation it is; in copies too.
static void a_mesh_may_run_out_of_memory(void **state)
{
    (void)state;
    static const char *const files[] = { "cavity.obj", "binary.stl", "text.stl", "negative.obj" };
    for (int f = 0; f < 4; f++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/mesh/%s", CAROM_SOURCE_DIR, files[f]);
        for (long n = 0;; n++) {
            caromError err = { 0 };
            countdown = n;
            is_persistent = true;
            caromMesh *mesh = carom_meshfile_read(path, 1, NULL, &err);
            caromMesh *copy = mesh ? carom_mesh_copy(mesh) : NULL;
            bool was_reached = countdown == 0;
            countdown = -1;
            assert_true(mesh || err.status == CAROM_ERR_MEMORY);
            assert_true(was_reached || copy);
            carom_mesh_destroy(mesh);
            carom_mesh_destroy(copy);
            if (!was_reached) break;
            assert_true(n < 1000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_schema_may_run_out_of_memory),
        cmocka_unit_test(a_mesh_may_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
