// The palette is sorted, plausible and documented; what it does not have is an error.
#include <ctype.h>

#include "carom/carom.h"
#include "check.h"
#include "modelfile_helpers.h"
#include "palette_tables.h"

static bool is_known(const char *material)
{
    for (int i = 0; carom_model_material_info(i); i++)
        if (strcmp(carom_model_material_info(i)->def.name, material) == 0) return true;
    return false;
}

static void materials_are_sorted_and_plausible(void **state)
{
    (void)state;
    int n = 0;
    for (; carom_model_material_info(n); n++) {
        const caromMaterialInfo *m = carom_model_material_info(n);
        if (n > 0) assert_true(strcmp(carom_model_material_info(n - 1)->def.name, m->def.name) < 0);
        assert_ptr_equal(carom_model_material_palette(n), &m->def);
        assert_true(m->title[0] && m->source[0]);
        // From balsa to tungsten, from gum to hard metal; nu of cork to that of rubber.
        assert_true(m->def.density >= 100 && m->def.density <= 20000 && m->def.E >= 1e6 && m->def.E <= 1e12 &&
                    m->def.nu >= 0 && m->def.nu < 0.5);
    }
    assert_true(n >= 25);
    assert_null(carom_model_material_info(-1));
    assert_null(carom_model_material_palette(n));
    assert_null(carom_model_pair_record(-1));
}

static void check_coefficients(const caromPairDef *p)
{
    assert_true(!isnan(p->restitution) || !isnan(p->friction));  // otherwise it says nothing
    assert_true(isnan(p->restitution) || (p->restitution > 0 && p->restitution <= 1));
    assert_true(isnan(p->friction) || (p->friction > 0 && p->friction < 2));
    assert_true(isnan(p->static_friction) || p->static_friction >= p->friction);
    assert_true(isnan(p->rolling) || (p->rolling > 0 && p->rolling < 0.1));
    assert_true(isnan(p->torsion) && isnan(p->stiffness) && isnan(p->exponent) && isnan(p->damping_coefficient) &&
                isnan(p->damping_depth));
    assert_true(p->damping == CAROM_DAMPING_KINDS && !p->law && !p->law_function && p->nparameter == 0);
}

// In the order that carom_model_pair_palette_find relies on.
static void pairs_are_sorted_and_plausible(void **state)
{
    (void)state;
    int n = 0;
    for (; carom_model_pair_record(n); n++) {
        const caromPairRecord *p = carom_model_pair_record(n);
        const char *a = p->def.material[0], *b = p->def.material[1];
        if (!is_known(a) || !is_known(b)) fail_msg("unknown: %s - %s", a, b);
        assert_true(strcmp(a, b) <= 0 && p->source[0]);
        if (n > 0) {
            const char *const *before = carom_model_pair_record(n - 1)->def.material;
            int first = strcmp(before[0], a);
            assert_true(first < 0 || (first == 0 && strcmp(before[1], b) < 0));
        }
        check_coefficients(&p->def);
        assert_ptr_equal(carom_model_pair_palette(n), &p->def);
        assert_ptr_equal(carom_model_pair_palette_find(a, b), &p->def);
        assert_ptr_equal(carom_model_pair_palette_find(b, a), &p->def);
    }
    assert_true(n >= 25);
    assert_null(carom_model_pair_palette_find("steel", "bumper"));
    assert_null(carom_model_pair_palette(n));
}

// ---- sources

static bool has_source(const char *key, size_t n)
{
    for (int i = 0; carom_model_source_info(i); i++)
        if (strlen(carom_model_source_info(i)->key) == n && strncmp(carom_model_source_info(i)->key, key, n) == 0)
            return true;
    return false;
}

static int check_citations(const char *text)
{
    int n = 0;
    for (const char *at = text; (at = strchr(at, '[')) != NULL; at++, n++) {
        size_t length = strcspn(at + 1, "]");
        if (!has_source(at + 1, length)) fail_msg("no such source: %s", at);
    }
    return n;
}

static bool is_cited(const char *key)
{
    char text[64];
    snprintf(text, sizeof text, "[%s]", key);
    for (int i = 0; carom_model_material_info(i); i++)
        if (strstr(carom_model_material_info(i)->source, text)) return true;
    for (int i = 0; carom_model_pair_record(i); i++)
        if (strstr(carom_model_pair_record(i)->source, text) || strstr(carom_model_pair_record(i)->note, text))
            return true;
    return false;
}

static int compare_without_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) a++, b++;
    return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

static void every_number_has_a_source_and_every_source_is_used(void **state)
{
    (void)state;
    char *bib = source_file("docs/references.bib", NULL), text[80];
    for (int i = 0; carom_model_material_info(i); i++)
        assert_true(check_citations(carom_model_material_info(i)->source) > 0);
    for (int i = 0; carom_model_pair_record(i); i++) {
        assert_true(check_citations(carom_model_pair_record(i)->source) > 0);
        check_citations(carom_model_pair_record(i)->note);
    }
    for (int i = 0; carom_model_source_info(i); i++) {
        const char *key = carom_model_source_info(i)->key;
        if (i > 0) assert_true(compare_without_case(carom_model_source_info(i - 1)->key, key) < 0);
        if (!is_cited(key)) fail_msg("nobody cites %s", key);
        snprintf(text, sizeof text, "{%s,", key);
        if (!strstr(bib, text)) fail_msg("docs/references.bib has no %s", key);
    }
    free(bib);
}

// ---- documentation

static void expect_row(const char *doc, const char *row)
{
    const char *at = strstr(doc, row);
    size_t n = strlen(row);
    if (!at || (at > doc && at[-1] != '\n') || (at[n] != '\n' && at[n] != '\0'))
        fail_msg("docs/materials.md is old (modelfile_tool palette): %s", row);
}

static int count_rows(const char *doc, const char *start)
{
    int n = 0;
    for (const char *at = doc; (at = strstr(at, start)) != NULL; at++) n += at > doc && at[-1] == '\n';
    return n;
}

static void the_page_has_every_row_and_no_other(void **state)
{
    (void)state;
    char *doc = source_file("docs/materials.md", NULL), row[600];
    int n = 0, nsource = 0;
    for (int i = 0; carom_model_material_info(i); i++, n++)
        material_row(row, sizeof row, carom_model_material_info(i)), expect_row(doc, row);
    for (int i = 0; carom_model_pair_record(i); i++, n++)
        pair_row(row, sizeof row, carom_model_pair_record(i)), expect_row(doc, row);
    for (int i = 0; carom_model_source_info(i); i++, nsource++)
        source_row(row, sizeof row, carom_model_source_info(i)), expect_row(doc, row);
    assert_int_equal(count_rows(doc, "| `"), n);
    assert_int_equal(count_rows(doc, "| ["), nsource);
    free(doc);
}

static void the_readme_counts_right(void **state)
{
    (void)state;
    char *readme = source_file("README.md", NULL), text[80];
    int nmaterial = 0, npair = 0;
    while (carom_model_material_info(nmaterial)) nmaterial++;
    while (carom_model_pair_record(npair)) npair++;
    snprintf(text, sizeof text, "%d built in, and %d pairs", nmaterial, npair);
    if (!strstr(readme, text)) fail_msg("README.md does not say: %s", text);
    free(readme);
}

// ---- missing pairs

static void add_ball(caromBuilder *b, const char *name, const char *material, bool fixed)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { 1, 0, 0 } });
    caromBodyDef body = carom_model_body_def(name);
    body.material = material;
    body.shapes = &shape;
    body.nshape = 1;
    body.fixed = fixed;
    carom_builder_body(b, &body);
}

static void add_material(caromBuilder *b, const char *name)
{
    caromMaterialDef def = carom_model_material_def(name);
    carom_builder_material(b, &def);
}

// A ball of putty on a plate of steel, with what is given.
static caromStatus finish_with(const caromPairDef *pair, const caromSettings *settings, caromProblems *problems)
{
    caromBuilder *b = carom_builder_create();
    caromModel *model;
    add_material(b, "putty");
    add_ball(b, "plate", "steel", true);
    add_ball(b, "ball", "putty", false);
    if (pair) carom_builder_pair(b, pair);
    if (settings) carom_builder_settings(b, settings);
    caromStatus status = carom_builder_finish(b, problems, &model);
    carom_model_destroy(model);
    carom_builder_destroy(b);
    return status;
}

static void expect_missing(const caromPairDef *pair, const caromSettings *settings, const char *message)
{
    caromProblems problems = { 0 };
    assert_int_equal(finish_with(pair, settings, &problems), message ? CAROM_ERR_MODEL : CAROM_OK);
    assert_int_equal(problems.count, message ? 1 : 0);
    if (message) assert_string_equal(problems.items[0].path, "bodies.ball.material");
    if (message) assert_string_equal(problems.items[0].message, message);
    carom_problems_free(&problems);
}

#define MAY_TOUCH "bodies 'plate' (steel) and 'ball' (putty) may touch, but nothing says how they "
#define FOR_ALL " for all pairs that do not say"

static void what_nobody_says_is_an_error(void **state)
{
    (void)state;
    caromPairDef pair = carom_model_pair_def("putty", "steel");
    caromSettings settings = carom_model_settings_def();
    expect_missing(NULL, NULL, MAY_TOUCH "rebound and rub: add to pairs: {between: [steel, putty], restitution: ..., "
                   "friction: ...}, or set contact: {restitution: ..., friction: ...}" FOR_ALL);
    settings.default_friction = 0.2;
    expect_missing(NULL, &settings, MAY_TOUCH "rebound: add to pairs: {between: [steel, putty], restitution: ...}, "
                   "or set contact: {restitution: ...}" FOR_ALL);
    pair.restitution = 0.5;
    expect_missing(&pair, NULL, MAY_TOUCH "rub: add friction: ... to their pair, or set contact: {friction: ...}"
                   FOR_ALL);
    expect_missing(&pair, &settings, NULL);
}

static double own_law(void *user, double depth, double speed)
{
    (void)user, (void)speed;
    return 1e6*depth;
}

static void a_damping_of_its_own_needs_no_restitution(void **state)
{
    (void)state;
    const char *rebound = MAY_TOUCH "rebound: add restitution: ... to their pair, or set contact: {restitution: ...}"
                          FOR_ALL;
    caromPairDef pair = carom_model_pair_def("putty", "steel");
    pair.friction = 0.5;
    expect_missing(&pair, NULL, rebound);
    pair.damping = CAROM_DAMPING_MARHEFKA_ORIN;
    expect_missing(&pair, NULL, rebound);
    pair.damping_coefficient = 0.3;
    expect_missing(&pair, NULL, NULL);
    pair.damping = CAROM_DAMPING_GIVEN;
    expect_missing(&pair, NULL, NULL);
    pair.damping = CAROM_DAMPING_DEPTH;
    pair.damping_depth = 1e-5;
    expect_missing(&pair, NULL, NULL);
    pair.damping = CAROM_DAMPING_NONE;
    pair.damping_coefficient = pair.damping_depth = NAN;
    expect_missing(&pair, NULL, NULL);
    pair.damping = CAROM_DAMPING_KINDS;
    pair.law_function = own_law;
    expect_missing(&pair, NULL, NULL);
    pair.friction = NAN;
    expect_missing(&pair, NULL, MAY_TOUCH "rub: add friction: ... to their pair, or set contact: {friction: ...}"
                   FOR_ALL);
}

// Five materials of which nothing is known make 15 pairs with each other and themselves.
static void many_missing_pairs_are_counted(void **state)
{
    (void)state;
    caromBuilder *b = carom_builder_create();
    const char *const materials[5] = { "m1", "m2", "m3", "m4", "m5" };
    for (int i = 0; i < 5; i++) add_material(b, materials[i]);
    for (int i = 0; i < 10; i++)
        add_ball(b, (const char *const[]){ "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" }[i], materials[i % 5],
                 false);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_ERR_MODEL);
    assert_int_equal(problems.count, 9);
    assert_string_equal(problems.items[8].message, "and 7 more pairs of materials of which nothing says how they "
                        "rebound or rub");
    carom_problems_free(&problems);
    carom_builder_ignore(b, "all", "all");  // what cannot touch needs nothing
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_model_destroy(model);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_are_sorted_and_plausible),
        cmocka_unit_test(pairs_are_sorted_and_plausible),
        cmocka_unit_test(every_number_has_a_source_and_every_source_is_used),
        cmocka_unit_test(the_page_has_every_row_and_no_other),
        cmocka_unit_test(the_readme_counts_right),
        cmocka_unit_test(what_nobody_says_is_an_error),
        cmocka_unit_test(a_damping_of_its_own_needs_no_restitution),
        cmocka_unit_test(many_missing_pairs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
