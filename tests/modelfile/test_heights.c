// Height fields of model files: inline, and from files of pictures and tables.
#include "modelfile/heights.h"
#include "modelfile_helpers.h"

static caromHeights parse(const char *bytes, size_t length)
{
    caromError err = { 0 };
    caromHeights heights;
    if (!carom_modelfile_heights_parse(bytes, length, "part", &heights, &err))
        fail_msg("%s: %s", err.where, err.message);
    return heights;
}

static void expect_heights(const char *bytes, size_t length, int nx, int ny, const double *expected)
{
    caromHeights h = parse(bytes, length);
    assert_int_equal(h.nx, nx);
    assert_int_equal(h.ny, ny);
    for (int i = 0; i < nx*ny; i++) CHECK_NEAR(h.h[i], expected[i], 0);
    free(h.h);
}

static void pictures_are_0_to_1(void **state)
{
    (void)state;
    static const double quarters[] = { 0, 0.25, 0.5, 0.75, 1, 0.25 };
    static const char text[] = "P2 # by hand\n3 2\n# rows\n4\n0 1 2\n3 4 1\n", bytes[] = "P5\n3 2 4\n\0\1\2\3\4\1",
                      words[] = "P5 3 2\n256\n\0\0\0\100\0\200\0\300\1\0\0\100";
    expect_heights(text, sizeof text - 1, 3, 2, quarters);
    expect_heights(bytes, sizeof bytes - 1, 3, 2, quarters);
    expect_heights(words, sizeof words - 1, 3, 2, quarters);
}

static void tables_have_any_separator(void **state)
{
    (void)state;
    static const double numbers[] = { 0, -1.5, 2e-3, 4, 5, 6 };
    static const char *const tables[] = {
        "0,-1.5,2e-3\n4,5,6\n", "# z\r\n0; -1.5; 2e-3\r\n4;5;6", "\xEF\xBB\xBF 0 -1.5\t2e-3\n\n4 5 6 # end\n",
        "0, -1.5, 2e-3,\n4, 5, 6,\n",
    };
    for (int i = 0; i < 4; i++) expect_heights(tables[i], strlen(tables[i]), 3, 2, numbers);
}

static void grey_pngs_are_0_to_1(void **state)
{
    (void)state;
    static const double wide[] = { 0, 16384/65535.0, 1, 1/65535.0, 2/65535.0, 3/65535.0 },
                        bits[] = { 0, 1, 1, 1, 0, 0 };
    size_t length;
    char *bytes = source_file("tests/fuzz/corpus/heights/wide.png", &length);
    expect_heights(bytes, length, 3, 2, wide);
    free(bytes);
    bytes = source_file("tests/fuzz/corpus/heights/bits.png", &length);
    expect_heights(bytes, length, 3, 2, bits);
    free(bytes);
}

static void expect_error(const char *bytes, size_t length, const char *where, const char *message)
{
    caromError err = { 0 };
    caromHeights heights;
    assert_false(carom_modelfile_heights_parse(bytes, length, "part", &heights, &err));
    assert_null(heights.h);
    assert_string_equal(err.where, where);
    if (!strstr(err.message, message)) fail_msg("'%s'\nexpected '%s'", err.message, message);
}

static void expect_text_error(const char *text, const char *where, const char *message)
{
    expect_error(text, strlen(text), where, message);
}

static void bad_files_are_told(void **state)
{
    (void)state;
    expect_text_error("1,2\n3\n", "part:2", "this row has 1 heights, the rows before it 2");
    expect_text_error("1,2\n3,x\n", "part:2", "expected a height such as 0.25, found 'x'");
    expect_text_error("1,2\n3,nan\n", "part:2", "found 'nan'");
    expect_text_error("1,2\n", "part:1", "has 2 x 1 heights, expected 2 x 2 to 4000000 in all");
    expect_text_error("", "part:1", "has 0 x 0 heights");
    expect_text_error("P2 2 2 9\n1 2 3 10\n", "part:2", "expected a value as a whole number up to 9, found '10'");
    expect_text_error("P2 2 2 9\n1 2 3", "part, byte 9", "the file has 5 left: it was cut off");
    expect_text_error("P2 2 2 9\n1  2  3\n", "part:3", "expected a value as a whole number up to 9, found the end");
    expect_text_error("P2 2 2 0\n0 0 0 0\n", "part:1", "white has the value 0, expected 1 to 65535");
    expect_text_error("P5 2 2 70000\n", "part:1", "expected the value of white as a whole number up to 65535");
    expect_text_error("P5 -2 2 255\n", "part:1", "expected the width");
    expect_text_error("P5 1000000 1000000 255\nabc", "part, byte 23", "the header promises 1000000 x 1000000 heights "
                      "in 1000000000000 bytes or more, but the file has 3 left: it was cut off");
    expect_text_error("P5 1 4 255\nabcd", "part:1", "has 1 x 4 heights, expected 2 x 2 to 4000000 in all");
    expect_error("P5 2 2 9\n\1\2\3\12", 13, "part, byte 12", "is 10, above the 9 that the header says is white");
    expect_error("\1\0\0\0", 4, "part:1", "is not a file of heights");
}

// What libpng finds is in its words, which differ between versions.
static void bad_pngs_are_told(void **state)
{
    (void)state;
    static const struct { const char *file, *where, *message; } cases[] = {
        { "colour", "part, byte 41", "has colours, expected a picture in grey, best of 16 bits" },
        { "large", "part:1", "has 3000 x 3000 heights, expected 2 x 2 to 4000000 in all" },
        { "huge", "part, byte ", "is a damaged PNG file: " }, { "cut", "part, byte ", "is a damaged PNG file: " },
        { "crc", "part, byte ", "is a damaged PNG file: " },
    };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        char path[100];
        size_t length;
        caromError err = { 0 };
        caromHeights heights;
        snprintf(path, sizeof path, "tests/modelfile/bad_heights/%s.png", cases[i].file);
        char *bytes = source_file(path, &length);
        assert_false(carom_modelfile_heights_parse(bytes, length, "part", &heights, &err));
        if (strncmp(err.where, cases[i].where, strlen(cases[i].where)) != 0 ||
            strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s: %s: %s", cases[i].file, err.where, err.message);
        free(bytes);
    }
}

// Cut off anywhere: refused with words, or read.
static void files_may_be_cut_off_anywhere(void **state)
{
    (void)state;
    static const char *const texts[] = { "P2 2 2 9\n1 2 3 4\n", "P5 2 2 9\n1234", "1,2\n3,4\n" };
    size_t length;
    char *bytes = source_file("tests/fuzz/corpus/heights/wide.png", &length);
    for (int i = 0; i < 4; i++)
        for (size_t n = 0; n < (i < 3 ? strlen(texts[i]) : length); n++) {
            char *part = malloc(n + 1);
            caromError err = { 0 };
            caromHeights heights;
            assert_non_null(part);
            memcpy(part, i < 3 ? texts[i] : bytes, n);
            part[n] = '\0';
            bool is_good = carom_modelfile_heights_parse(part, n, "part", &heights, &err);
            CHECK(is_good == (heights.h != NULL) && (is_good || (err.where[0] && err.message[0])));
            free(heights.h);
            free(part);
        }
    free(bytes);
}

// A wedge of 2 x 1 m from 0 to 1 m, 1 m above its base: by all ways to say so. Sums of a few products.
static void a_field_weighs_the_same_however_it_is_said(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "heights: [[0, 0.5, 1], [0, 500 mm, 1 m]], cell: 1 m, depth: 1 m",
        "file: wedge.csv, height: 1 m, cell: 1 m, depth: 1 m", "file: wedge.pgm, height: 1 m, cell: 100 cm, depth: 1",
    };
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, "carom: 1\nmaterials: {unit: {density: 1}}\nbodies: {b: {material: unit, shape: "
                 "{heightfield: {%s}}}}\n", keys[i]);
        caromModel *model = good_model(text, NULL, 0);
        caromMassProps m = carom_model_body_mass(model, (caromBodyId){ 0 });
        CHECK_NEAR(m.mass, 3, 1e-15*3*8);
        CHECK_NEAR(m.com.x, 1.0/18*2, 1e-15*8);  // a W^2/(12 c) with a = 1/2, W = 2, c = 3/2
        carom_model_destroy(model);
    }
}

// A tenth of the longer side, if the model does not say.
static void the_depth_has_a_default(void **state)
{
    (void)state;
    caromModel *model = good_model("carom: 1\nmaterials: {unit: {density: 1}}\nbodies: {b: {material: unit, shape: "
                                   "{heightfield: {heights: [[0, 0, 0], [0, 0, 0]], cell: 2}}}}\n", NULL, 0);
    CHECK_NEAR(carom_model_body_mass(model, (caromBodyId){ 0 }).mass, 4*2*0.4, 1e-15*8*4);
    carom_model_destroy(model);
}

int main(void)
{
    enter_folder("tests/modelfile/good");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_0_to_1),
        cmocka_unit_test(grey_pngs_are_0_to_1),
        cmocka_unit_test(bad_pngs_are_told),
        cmocka_unit_test(tables_have_any_separator),
        cmocka_unit_test(bad_files_are_told),
        cmocka_unit_test(files_may_be_cut_off_anywhere),
        cmocka_unit_test(a_field_weighs_the_same_however_it_is_said),
        cmocka_unit_test(the_depth_has_a_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
