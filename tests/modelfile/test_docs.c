// The documentation, the schema and the key table say the same.
#include "modelfile_helpers.h"

static caromFormat *format;

static bool has_line(const char *text, const char *line, size_t n)
{
    for (const char *s = text; s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
        if (strncmp(s, line, n) == 0 && (s[n] == '\n' || s[n] == '\0')) return true;
    return false;
}

// Every line of a that starts with "| " is a line of b.
static void check_rows(const char *a, const char *b, const char *start)
{
    for (const char *s = a; *s;) {
        size_t n = strcspn(s, "\n");
        if (strncmp(s, start, strlen(start)) == 0 && !has_line(b, s, n))
            fail_msg("not in the other text: %.*s", (int)n, s);
        s += n + (s[n] == '\n');
    }
}

static void the_reference_has_every_key_and_unit_and_no_other(void **state)
{
    (void)state;
    char *doc = source_file("docs/model-format.md", NULL), *table = carom_modelfile_reference();
    assert_non_null(table);
    check_rows(table, doc, "| ");
    check_rows(table, doc, "Prefixes: ");
    check_rows(doc, table, "| `");
    free(doc);
    free(table);
}

static void the_schema_is_what_the_table_gives(void **state)
{
    (void)state;
    char *file = source_file("docs/model.schema.json", NULL), *schema = carom_modelfile_schema();
    assert_non_null(schema);
    if (strcmp(file, schema) != 0)
        fail_msg("docs/model.schema.json is old: modelfile_tool schema > docs/model.schema.json");
    free(file);
    free(schema);
}

static void the_built_in_materials_are_documented(void **state)
{
    (void)state;
    char *doc = source_file("docs/model-format.md", NULL), text[CAROM_NAME_MAX + 8];
    const char *list = strstr(doc, "Built in, and used when a name is not defined in the file:");
    assert_non_null(list);
    for (int i = 0; carom_model_material_palette(i); i++) {
        snprintf(text, sizeof text, "`%s`", carom_model_material_palette(i)->name);
        if (!strstr(list, text)) fail_msg("not in the list of docs/model-format.md: %s", text);
    }
    free(doc);
}

// The models of the documentation are accepted; the one "with errors" gives the messages that follow it.
static void the_examples_are_true(void **state)
{
    (void)state;
    char *doc = source_file("docs/model-format.md", NULL);
    int n = 0;
    for (char *s = doc; (s = strstr(s, "```yaml\ncarom: 1"));) {
        s += strlen("```yaml\n");
        char *end = strstr(s, "```");
        assert_non_null(end);
        char *list = problems_of(s, (size_t)(end - s), NULL, 0, NULL);
        if (strncmp(s, "carom: 1  # with errors", 23) == 0) {
            char *expected = strstr(end, "```text\n");
            assert_non_null(expected);
            expected += strlen("```text\n");
            *strstr(expected, "```") = '\0';
            assert_string_equal(list, expected);
            expected[strlen(expected)] = '`';
        } else {
            assert_string_equal(list, "");
        }
        free(list);
        s = end + 3;
        n++;
    }
    assert_int_equal(n, 7);
    free(doc);
}

// ---- every row of the table works as it says

#define RICH                                                                                                           \
    "carom: 1\nmaterials: {m: {}}\npairs: [{between: [steel, rubber]}]\n"                                              \
    "bodies:\n  ball: {material: steel, mass: 1 kg, orientation: {axis: [0, 0, 1], angle: 0}, shape: {sphere: "        \
    "{radius: 1}}}\n"                                                                                                  \
    "  box: {material: steel, mass: 1 kg, orientation: {quaternion: [1, 0, 0, 0]}, shape: {box: {size: [1, 1, 1]}}}\n" \
    "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"                                               \
    "  ellipsoid: {material: steel, shape: {ellipsoid: {semi_axes: [1, 1, 1]}}}\n"                                     \
    "  cylinder: {material: steel, shape: {cylinder: {radius: 1, length: 1}}}\n"                                       \
    "  cone: {material: steel, shape: {cone: {radius: 1, length: 1}}}\n"                                               \
    "  capsule: {material: steel, shape: {capsule: {radius: 1, length: 1}}}\n"                                         \
    "  polytope: {material: steel, shape: {polytope: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}}\n"     \
    "  torus: {material: steel, shape: {torus: {radius: 1, tube_radius: 1 cm}}}\n"                                     \
    "  mesh: {material: steel, shape: {mesh: {file: bracket.stl, units: mm, collide: pieces}}}\n"                      \
    "  heightfield: {material: steel, shape: {touches: false, heightfield: {heights: [[0, 1], [1, 0]], cell: 1}}}\n"  \
    "  turned: {material: steel, mass: 1 kg, inertia: [1, 1, 1], orientation: {angles: [0, 0, 0]}}\n"                  \
    "  arm: {mass: 1 kg, inertia: [1, 1, 1]}\n  cart: {mass: 1 kg, inertia: [1, 1, 1]}\n"                              \
    "springs: {s: {between: [world, ball]}}\nforces: {f: {body: ball, torque: [0, 0, 0]}}\n"

// For keys that need each other: a group that contact.ignore does not have is a warning.
#define GROUPED                                                                                          \
    "carom: 1\ncontact: {ignore: [[feeder, left]]}\nbodies:\n  ball: {material: steel, shape: {sphere: " \
    "{radius: 1}}}\n"                                                                                    \
    "  arm: {material: steel, group: feeder, shape: {sphere: {radius: 1}}}\n"                            \
    "  base: {material: steel, group: left, shape: {sphere: {radius: 1}}}\n"

// For keys of a pair that need another.
#define WITH_PAIR(keys)                                                                          \
    "carom: 1\npairs: [{between: [steel, rubber], restitution: 0.5, friction: 0.3, " keys "}]\n" \
    "bodies: {ball: {material: steel, shape: {sphere: {radius: 1}}}}\n"
#define OWN_LAW WITH_PAIR("law: k*d^n*(1 + c*v), parameters: {k: 1, n: 1, c: 1}")
#define DEPTH WITH_PAIR("stiffness: 1e6, damping: depth, damping_coefficient: 1, damping_depth: 1")
#define GIVEN WITH_PAIR("damping: given")

static const char *model_for_pair(const caromKey *key)
{
    if (strcmp(key->name, "law") == 0 || strcmp(key->name, "parameters") == 0) return OWN_LAW;
    if (strcmp(key->name, "exponent") == 0 || strcmp(key->name, "damping_depth") == 0) return DEPTH;
    return strcmp(key->name, "damping_coefficient") == 0 ? GIVEN : RICH;
}

static const char *model_for(const caromKey *key)
{
    if (key->in == CAROM_IN_PAIR) return model_for_pair(key);
    return key->type == CAROM_KEY_GROUP || key->type == CAROM_KEY_GROUPS ||
           key->type == CAROM_KEY_IGNORED ? GROUPED : RICH;
}

static const char *body_for(const caromKey *key)
{
    // Bodies of RICH are called as their shapes.
    int kind = (int)(key->in == CAROM_IN_SHAPE && key->type == CAROM_KEY_SECTION ? key->opens : key->in) -
               CAROM_IN_SHAPE_KIND;
    if (key->in == CAROM_IN_HEIGHTFIELD || (key->type == CAROM_KEY_SECTION && key->opens == CAROM_IN_HEIGHTFIELD))
        return "heightfield";
    if (kind == CAROM_HALF_SPACE || strcmp(key->name, "fixed") == 0) return "floor";
    if (kind > CAROM_SPHERE && kind < CAROM_SHAPE_KINDS) return carom_shape_kind_name((caromShapeKind)kind);
    if (strcmp(key->name, "quaternion") == 0) return "box";
    if (strcmp(key->name, "angles") == 0 || strcmp(key->name, "shapes") == 0) return "turned";
    return "ball";
}

static void write_override(const caromKey *key, const char *value, char *text, size_t n)
{
    const char *path = carom_modelfile_section(format, key->in)->path, *rest = path;
    if (key->in == CAROM_IN_SHAPE_KIND + CAROM_MESH && strcmp(key->name, "scale") == 0)  // in place of its units
        snprintf(text, n, "bodies.mesh.shape.mesh={file: bracket.stl, scale: %s}", value);
    else if (key->in == CAROM_IN_HEIGHTFIELD && strncmp(key->name, "cell", 4) != 0 && strcmp(key->name, "depth") != 0)
        snprintf(text, n, "bodies.heightfield.shape.heightfield={cell: 1, %s}",  // in place of its heights
                 strcmp(key->name, "heights") == 0 ? "heights: [[0, 0.1, 0], [0, 0.2, 0], [0, 0, 0]]"
                                                   : "file: hills.pgm, height: 2 m");
    else if (strncmp(path, "bodies.NAME", 11) == 0) {
        rest = path + 11;
        snprintf(text, n, "bodies.%s%s.%s=%s", body_for(key), rest, key->name, value);
    } else if (key->in == CAROM_IN_MATERIAL) snprintf(text, n, "materials.m.%s=%s", key->name, value);
    else if (key->in == CAROM_IN_SPRING) snprintf(text, n, "springs.s.%s=%s", key->name, value);
    else if (key->in == CAROM_IN_FORCE) snprintf(text, n, "forces.f.%s=%s", key->name, value);
    else if (key->in == CAROM_IN_RESTITUTION) snprintf(text, n, "pairs.0.restitution={%s: %s}", key->name, value);
    else if (key->in == CAROM_IN_PAIR) snprintf(text, n, "pairs.0.%s=%s", key->name, value);
    else snprintf(text, n, "%s%s%s=%s", path, path[0] ? "." : "", key->name, value);
}

static void check_accepted(const char *model, const char *override)
{
    char *list = problems_of(model, strlen(model), &override, 1, NULL);
    if (list[0] != '\0') fail_msg("%s: %s", override, list);
    free(list);
}

static void every_example_of_the_table_is_accepted(void **state)
{
    (void)state;
    for (int i = 0; carom_modelfile_key(format, i); i++) {
        char text[600];
        assert_non_null(carom_modelfile_key(format, i)->doc);
        if (carom_modelfile_key(format, i)->in == CAROM_IN_JOINT ||
            carom_modelfile_key(format, i)->in >= CAROM_IN_FUNCTION) continue;
        write_override(carom_modelfile_key(format, i), carom_modelfile_key(format, i)->example, text, sizeof text);
        check_accepted(model_for(carom_modelfile_key(format, i)), text);
    }
}

// A model with one joint of this kind, of which the bodies can be had with any other keys.
static void write_joint_model(caromJointKind kind, const char *keys, char *text, size_t n)
{
    snprintf(text, n, "carom: 1\nbodies:\n  arm: {mass: 1, inertia: [1, 1, 1]}\njoints:\n  j: {type: %s, between: "
             "[world, arm]%s%s}\n", carom_model_joint_kind_name(kind), kind == CAROM_JOINT_SCREW ? ", pitch: 1" : "",
             keys);
}

// Each key of a joint is accepted, with its example, by the first kind that it is for (examples are for angles, where
// there is a choice), and refused by every kind that it is not for.
static void every_example_of_joints_is_accepted_where_it_belongs(void **state)
{
    (void)state;
    for (int i = 0; carom_modelfile_key(format, i); i++) {
        const caromKey *key = carom_modelfile_key(format, i);
        char text[600], model[400];
        if (key->in != CAROM_IN_JOINT) continue;
        snprintf(text, sizeof text, "joints.j.%s=%s", key->name, key->example);
        bool is_accepted = strcmp(key->name, "type") == 0;
        for (int kind = 0; kind < CAROM_JOINT_KINDS; kind++) {
            write_joint_model((caromJointKind)kind, "", model, sizeof model);
            bool suits = carom_key_suits(key, kind);
            if (suits && !is_accepted) check_accepted(model, text);
            is_accepted |= suits;
            if (suits) continue;
            char expected[100];
            const char *override = text;
            char *list = problems_of(model, strlen(model), &override, 1, NULL);
            snprintf(expected, sizeof expected, "--set joints.j.%s: error: a %s joint has no '%s': ", key->name,
                     carom_model_joint_kind_name((caromJointKind)kind), key->name);
            if (strncmp(list, expected, strlen(expected)) != 0) fail_msg("%s: %s", text, list);
            free(list);
        }
        assert_true(is_accepted);
    }
}

static void every_example_of_functions_is_accepted(void **state)
{
    (void)state;
    for (int i = 0; carom_modelfile_key(format, i); i++) {
        const caromKey *key = carom_modelfile_key(format, i);
        char text[600], model[400];
        if (key->in < CAROM_IN_FUNCTION) continue;
        const char *motion = key->in == CAROM_IN_RAMP ? ", motion: {ramp: {amplitude: 1, end: 2}}"
                             : key->in == CAROM_IN_SINE ? ", motion: {sine: {amplitude: 1, frequency: 2}}" : "";
        write_joint_model(CAROM_JOINT_PRISMATIC, motion, model, sizeof model);
        size_t used = strlen(model);
        snprintf(model + used, sizeof model - used, "simulate: {until: 0.4 s}\n");  // a motion must not begin in a run
        snprintf(text, sizeof text, "joints.j%s.%s=%s",
                 carom_modelfile_section(format, key->in)->path + strlen("joints.NAME"), key->name, key->example);
        check_accepted(model, text);
    }
}

// Every coordinate and speed of every kind has a key, of its dimension.
static void every_coordinate_has_a_key(void **state)
{
    (void)state;
    for (int k = 0; k < CAROM_JOINT_KINDS; k++) {
        caromJointKind kind = (caromJointKind)k;
        int nq = carom_model_joint_kind_nq(kind), nv = carom_model_joint_kind_nv(kind);
        for (int i = 0; i < nq + nv; i++) {
            const char *name = i < nq ? carom_model_joint_coordinate_name(kind, i)
                                      : carom_model_joint_speed_name(kind, i - nq);
            const char *unit = i < nq ? carom_model_joint_coordinate_unit(kind, i)
                                      : carom_model_joint_speed_unit(kind, i - nq);
            const caromKey *key = carom_modelfile_key_find(format, CAROM_IN_JOINT, name, strcspn(name, "."));
            if (!key) fail_msg("no key for %s of %s", name, carom_model_joint_kind_name(kind));
            assert_int_equal(key->suits, CAROM_SUITS_COORDINATE);
            assert_string_equal(carom_modelfile_dim_info(key->dim)->si, unit);
        }
    }
}

static bool same_settings(const caromSettings *a, const caromSettings *b)
{
    return carom_norm(carom_sub(a->gravity, b->gravity)) == 0 && a->damping == b->damping &&
           a->friction_law == b->friction_law && a->rest_damping == b->rest_damping && isnan(a->default_restitution) &&
           isnan(b->default_restitution) && isnan(a->default_friction) && isnan(b->default_friction) &&
           a->default_rolling == b->default_rolling && a->v_small == b->v_small && a->w_small == b->w_small &&
           a->k_red == b->k_red && a->until == b->until && a->tolerance == b->tolerance && a->every == b->every &&
           a->method == b->method && a->gaps == b->gaps && a->patches == b->patches;
}

// Defaults that are values: giving them changes nothing.
static void documented_defaults_are_the_defaults(void **state)
{
    (void)state;
    caromModel *plain = good_model(RICH, NULL, 0);
    int n = 0;
    for (int i = 0; carom_modelfile_key(format, i); i++) {
        const caromKey *key = carom_modelfile_key(format, i);
        if (key->in != CAROM_IN_TOP && key->in != CAROM_IN_CONTACT && key->in != CAROM_IN_SIMULATE) continue;
        if (!key->fallback || strcmp(key->fallback, "until/500") == 0 || strncmp(key->fallback, "that of ", 8) == 0)
            continue;
        char text[600];
        const char *override = text;
        write_override(key, key->fallback, text, sizeof text);
        caromModel *model = good_model(RICH, &override, 1);
        if (!same_settings(carom_model_settings(model), carom_model_settings(plain)))
            fail_msg("%s is not the default", text);
        carom_model_destroy(model);
        n++;
    }
    carom_model_destroy(plain);
    assert_true(n >= 12);
    caromMaterialDef d = carom_model_material_def("x");
    assert_true(d.density == 1000 && d.E == 1e9 && d.nu == 0.3);
}

static void every_section_is_described(void **state)
{
    (void)state;
    for (int id = 0; id < CAROM_SECTIONS; id++) {
        const caromSection *s = carom_modelfile_section(format, (caromSectionId)id);
        assert_non_null(s->title);
        assert_non_null(s->path);
        assert_true(!s->has_draft || s->example);
    }
}

int main(void)
{
    enter_folder("tests/modelfile/good");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_has_every_key_and_unit_and_no_other),
        cmocka_unit_test(the_schema_is_what_the_table_gives),
        cmocka_unit_test(the_built_in_materials_are_documented),
        cmocka_unit_test(the_examples_are_true),
        cmocka_unit_test(every_example_of_the_table_is_accepted),
        cmocka_unit_test(every_example_of_joints_is_accepted_where_it_belongs),
        cmocka_unit_test(every_example_of_functions_is_accepted),
        cmocka_unit_test(every_coordinate_has_a_key),
        cmocka_unit_test(documented_defaults_are_the_defaults),
        cmocka_unit_test(every_section_is_described),
    };
    format = carom_modelfile_format_create();
    if (!format) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    carom_modelfile_format_destroy(format);
    return failed;
}
