// Shapes from mesh files: where they are found, how large they are, and that each is read once.
#include "modelfile_helpers.h"

#define BRACKET_AREA (40*8 + 32*8)  // of its profile [mm^2]
#define BRACKET_WIDTH 20            // [mm]

static char *problems_from(const char *path, const char *text, caromModel **model)
{
    caromProblems problems = { 0 };
    carom_modelfile_read_from(&(caromModelText){ path, text, strlen(text), NULL, 0 }, &problems, model);
    char *first = strdup(problems.count > 0 ? problems.items[0].message : "");
    carom_problems_free(&problems);
    return first;
}

static void a_file_is_read_once_and_shared(void **state)
{
    (void)state;
    char *text = source_file("tests/modelfile/good/mesh.yaml", NULL);
    caromModel *model = good_model(text, NULL, 0);
    const caromMesh *mesh[5];
    int n = 0;
    for (int i = 0; i < carom_model_shape_count(model); i++)
        if (carom_model_shape(model, i).shape.mesh) mesh[n++] = carom_model_shape(model, i).shape.mesh;
    assert_int_equal(n, 5);
    assert_ptr_equal(mesh[0], mesh[1]);
    assert_true(mesh[2] != mesh[0] && mesh[4] != mesh[0] && mesh[4] != mesh[2]);  // another scale is another mesh
    carom_model_destroy(model);
    free(text);
}

// Volumes are sums of a few products, rounded: 1e-14 is 50 eps.
static void units_and_scale_give_the_size(void **state)
{
    (void)state;
    static const struct { const char *keys; double metres; } cases[] =
        { { ", units: m", 1 }, { ", units: mm", 1e-3 }, { ", units: cm", 1e-2 }, { ", units: um", 1e-6 },
          { ", units: km", 1e3 }, { ", units: in", 0.0254 }, { ", units: ft", 0.3048 }, { ", scale: 0.001", 1e-3 },
          { ", scale: 0.5", 0.5 } };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "carom: 1\nmaterials: {unit: {density: 1}}\nbodies: {b: {material: unit, shape: "
                 "{mesh: {file: bracket.stl%s}}}}\n", cases[i].keys);
        caromModel *model = good_model(text, NULL, 0);
        double volume = BRACKET_AREA*BRACKET_WIDTH*pow(cases[i].metres, 3);
        CHECK_NEAR(carom_model_body_mass(model, (caromBodyId){ 0 }).mass, volume, 1e-14*volume);
        carom_model_destroy(model);
    }
}

// Who says no units is told what size that makes; who contradicts the file is not believed.
static void units_are_asked_for_where_nobody_says_them(void **state)
{
    (void)state;
    enter_folder("tests/modelfile/good");
    expect_problems("carom: 1\nbodies: {b: {material: steel, shape: {mesh: {file: bracket.stl}}}}\n", NULL, 0,
                    "2:52: warning: this kind of file does not say its units, and the model does not either: taken as "
                    "metres the mesh is 40 m x 40 m x 20 m. Write units: m beside file if that is right, units: mm if "
                    "it is in millimetres\n");
    enter_folder("tests/modelfile/good_mesh");
    static const char *const agreeing[] = { "", ", units: m", ", scale: 1" };
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text, "carom: 1\nmaterials: {unit: {density: 1}}\nbodies: {b: {material: unit, shape: "
                 "{mesh: {file: beside.gltf%s}}}}\n", agreeing[i]);
        caromModel *model = good_model(text, NULL, 0);
        CHECK_NEAR(carom_model_body_mass(model, (caromBodyId){ 0 }).mass, 6, 1e-14*6);
        carom_model_destroy(model);
    }
    expect_problems("carom: 1\n"
                    "bodies: {b: {material: steel, shape: {mesh: {file: beside.gltf, units: mm}}}}\n", NULL, 0,
                    "2:72: error: the file says itself that its unit is 1 m: leave units out. If whoever wrote it was "
                    "wrong, scale: 0.001 makes mm of it\n");
    enter_folder("tests/modelfile/good");
}

// A square of side 1 mm; products of three numbers are rounded to 1e-15 of them. Another thickness is another mesh.
static void an_open_surface_with_a_thickness_weighs(void **state)
{
    (void)state;
    const char *text = "carom: 1\nmaterials: {unit: {density: 1}}\nbodies:\n"
                       "  a: {material: unit, shape: {mesh: {file: square.obj, units: mm, thickness: 0.1 mm}}}\n"
                       "  b: {material: unit, shape: {mesh: {file: square.obj, units: mm, thickness: 0.1 mm}}}\n"
                       "  c: {material: unit, shape: {mesh: {file: square.obj, units: mm, thickness: 0.2 mm}}}\n"
                       "contact: {ignore: [[a, b], [a, c], [b, c]]}\n";
    const double thickness[] = { 1e-4, 1e-4, 2e-4 };
    caromModel *model = good_model(text, NULL, 0);
    for (int i = 0; i < 3; i++) {
        double mass = 1e-6*thickness[i];
        CHECK_NEAR(carom_model_body_mass(model, (caromBodyId){ i }).mass, mass, 1e-14*mass);
    }
    assert_ptr_equal(carom_model_shape(model, 0).shape.mesh, carom_model_shape(model, 1).shape.mesh);
    carom_model_destroy(model);
    expect_problems("carom: 1\nbodies:\n"
                    "  a: {material: steel, shape: {mesh: {file: square.obj, units: mm, thickness: 2 mm}}}\n", NULL, 0,
                    "3:79: error: the thickness is 0.002 m, expected 1.41e-08 m to 0.00141 m for a surface of this "
                    "size\n");
}

static void mesh_files_are_beside_the_model(void **state)
{
    (void)state;
    const char *text = "carom: 1\n"
                       "bodies: {b: {fixed: true, material: steel, shape: {mesh: {file: bracket.stl, units: m}}}}\n";
    char path[300];
    caromModel *model;
    snprintf(path, sizeof path, "%s/tests/modelfile/good/x.yaml", CAROM_SOURCE_DIR);
    enter_folder("tests/modelfile/bad");
    char *said = problems_from(path, text, &model);
    assert_string_equal(said, "");
    assert_non_null(model);
    carom_model_destroy(model);
    free(said);
    said = problems_from("../good/x.yaml", text, &model);
    assert_string_equal(said, "");
    carom_model_destroy(model);
    free(said);
    // The current folder, which is another one: of a path without folder, and of standard input.
    const char *const here[] = { "x.yaml", "-" };
    for (int i = 0; i < 2; i++) {
        said = problems_from(here[i], text, &model);
        assert_string_equal(said, "bracket.stl: cannot be opened: No such file or directory");
        assert_null(model);
        free(said);
    }
    enter_folder("tests/modelfile/good");
    said = problems_from("-", text, &model);
    assert_string_equal(said, "");
    carom_model_destroy(model);
    free(said);
    // An absolute path has no need of the model's, and standard input is never a mesh.
    char absolute[400];
    snprintf(absolute, sizeof absolute, "carom: 1\nbodies: {b: {fixed: true, material: steel, shape: {mesh: {file: "
             "%s/tests/modelfile/good/bracket.stl, units: m}}}}\n", CAROM_SOURCE_DIR);
    said = problems_from("nowhere/x.yaml", absolute, &model);
    assert_string_equal(said, "");
    carom_model_destroy(model);
    free(said);
    said = problems_from("-", "carom: 1\n"
                         "bodies: {b: {fixed: true, material: steel, shape: {mesh: {file: \"-\", units: m}}}}\n",
                         &model);
    assert_string_equal(said, "./-: cannot be opened: No such file or directory");
    free(said);
}

static void a_text_from_memory_opens_no_file(void **state)
{
    (void)state;
    const char *text = "carom: 1\n"
                       "bodies: {b: {fixed: true, material: steel, shape: {mesh: {file: bracket.stl, units: m}}}}\n";
    caromProblems problems = { 0 };
    caromModel *model;
    assert_true(carom_modelfile_read(text, strlen(text), NULL, 0, &problems, &model) < 0);
    assert_null(model);
    assert_int_equal(problems.count, 1);
    assert_int_equal(problems.items[0].line, 2);
    assert_non_null(strstr(problems.items[0].message, "no file is opened for a model that is read from memory"));
    carom_problems_free(&problems);
}

static void overrides_change_the_file_and_its_units(void **state)
{
    (void)state;
    const char *text = "carom: 1\nbodies: {b: {material: steel, shape: {mesh: {file: none.stl}}}}\n";
    const char *const heal[] = { "bodies.b.shape.mesh.file=bracket.stl", "bodies.b.shape.mesh.units=mm" };
    caromModel *model = good_model(text, heal, 2);
    CHECK_NEAR(carom_model_body_mass(model, (caromBodyId){ 0 }).mass, 7850e-9*BRACKET_AREA*BRACKET_WIDTH, 1e-16);
    carom_model_destroy(model);
    const char *const break_it[] = { "bodies.b.shape.mesh.file=bracket.stl", "bodies.b.shape.mesh.scale=0" };
    expect_problems(text, break_it, 2, "--set bodies.b.shape.mesh.scale: error: scale 0 is not above 0: "
                    "expected metres to a unit of the file, 0.001 for millimetres\n");
}

// The hull of the bracket is its profile's: the square of 40 mm without the triangle between the ends of the legs.
static void a_hull_touches_for_its_mesh(void **state)
{
    (void)state;
    const char *text = "carom: 1\n"
                       "materials: {unit: {density: 1}}\n"
                       "pairs: [{between: [unit, unit], restitution: 0.7, friction: 0.3}]\n"
                       "bodies:\n"
                       "  b: {material: unit, shape: {mesh: {file: bracket.stl, units: mm, collide: hull}, position: "
                       "[1, 2, 3], orientation: {angles: [1, 0, 0]}}}\n"
                       "  twin:\n"
                       "    material: unit\n"
                       "    shapes: {a: {mesh: {file: bracket.stl, units: mm, collide: hull}}, a-hull: {sphere: "
                       "{radius: 1 mm}},\n"
                       "             ghost: {mesh: {file: bracket.stl, units: m, collide: none}, weighs: false}}\n"
                       "    position: [0, 0, 1]\n";
    caromProblems problems = { 0 };
    caromModel *model;
    caromModelText from = { "x.yaml", text, strlen(text), NULL, 0 };
    assert_int_equal(carom_modelfile_read_from(&from, &problems, &model), CAROM_OK);
    assert_int_equal(problems.count, 2);
    assert_string_equal(problems.items[0].message, "the convex hull has a volume of 21.76 cm^3, the mesh 11.52 cm^3: "
                        "+88.9 %. Others touch it where there is nothing to see; collide: pieces follows it closer");
    carom_problems_free(&problems);
    static const struct { const char *name; bool touches, weighs; int stands_for; caromShapeKind kind; } expected[] = {
        { "shape", false, true, -1, CAROM_MESH }, { "shape-hull", true, false, 0, CAROM_POLYTOPE },
        // The other name is taken.
        { "a", false, true, -1, CAROM_MESH },     { "a-hull-2", true, false, 2, CAROM_POLYTOPE },
        { "a-hull", true, true, -1, CAROM_SPHERE }, { "ghost", false, false, -1, CAROM_MESH },
    };
    assert_int_equal(carom_model_shape_count(model), 6);
    for (int i = 0; i < 6; i++) {
        caromShapeInfo info = carom_model_shape(model, i);
        assert_string_equal(info.name, expected[i].name);
        assert_true(info.touches == expected[i].touches && info.weighs == expected[i].weighs);
        assert_int_equal(info.stands_for, expected[i].stands_for);
        assert_int_equal(info.shape.kind, expected[i].kind);
    }
    caromShapeInfo mesh = carom_model_shape(model, 0), hull = carom_model_shape(model, 1);
    CHECK_VEC(hull.X_BS.p, mesh.X_BS.p, 0);
    CHECK_VEC(hull.X_BS.R.cy, mesh.X_BS.R.cy, 0);
    double area = 40*40 - 0.5*32*32, volume = 1e-9*area*BRACKET_WIDTH;
    CHECK_NEAR(carom_shape_volume(hull.shape), volume, 1e-14*volume);
    double mass = 1e-9*BRACKET_AREA*BRACKET_WIDTH;  // the hull does not weigh
    CHECK_NEAR(carom_model_body_mass(model, (caromBodyId){ 0 }).mass, mass, 1e-14*mass);
    assert_int_equal(carom_model_pair_count(model), 2);
    char name[300];
    carom_model_pair_name(model, 0, name, sizeof name);
    assert_string_equal(name, "b - twin.a-hull-2");
    carom_model_destroy(model);
}

// Two blocks are all of the bracket, so that nothing is to be warned of.
static void pieces_touch_for_their_mesh(void **state)
{
    (void)state;
    const char *text = "carom: 1\n"
                       "bodies:\n"
                       "  b: {material: steel, shape: {mesh: {file: bracket.stl, units: mm, collide: pieces}}}\n"
                       "  c: {material: steel, shapes: {here: {mesh: {file: bracket.stl, units: mm, collide: pieces, "
                       "tolerance: 0.1 mm}}}, position: [1, 0, 0]}\n";
    caromModel *model = good_model(text, NULL, 0);
    static const char *const names[] = { "shape", "shape-piece-1", "shape-piece-2", "here", "here-piece-1",
                                         "here-piece-2" };
    assert_int_equal(carom_model_shape_count(model), 6);
    double volume = 0;
    for (int i = 0; i < 6; i++) {
        caromShapeInfo info = carom_model_shape(model, i);
        assert_string_equal(info.name, names[i]);
        assert_int_equal(info.stands_for, i%3 == 0 ? -1 : i - i%3);
        assert_true(info.touches == (i%3 != 0) && info.weighs == (i%3 == 0));
        if (i == 1 || i == 2) volume += carom_shape_volume(info.shape);
    }
    double expected = 1e-9*BRACKET_AREA*BRACKET_WIDTH;
    CHECK_NEAR(volume, expected, 1e-12*expected);  // hulls of points that were cut: rounded at each
    assert_int_equal(carom_model_pair_count(model), 4);
    carom_model_destroy(model);
}

// Ignoring the mesh ignores what touches for it; with touches: false nothing does.
static void a_mesh_that_is_ignored_does_not_touch(void **state)
{
    (void)state;
    const char *text = "carom: 1\n"
                       "bodies:\n"
                       "  b: {material: steel, shape: {mesh: {file: bracket.stl, units: mm, collide: hull}}}\n"
                       "  c: {material: steel, shape: {sphere: {radius: 1 mm}}, position: [1, 0, 0]}\n";
    static const char *const overrides[] = { "gravity=[0, 0, 0]", "contact.ignore=[[b.shape, c]]",
                                             "bodies.b.shape.touches=false", "bodies.b.shape.mesh.collide=none" };
    for (int i = 0; i < 4; i++) {
        caromModel *model;
        caromProblems problems = { 0 };
        caromModelText from = { "x.yaml", text, strlen(text), &overrides[i], 1 };
        assert_int_equal(carom_modelfile_read_from(&from, &problems, &model), CAROM_OK);
        assert_int_equal(problems.count, i < 2);
        assert_int_equal(carom_model_pair_count(model), i == 0);
        assert_int_equal(carom_model_shape_count(model), i < 2 ? 3 : 2);
        carom_problems_free(&problems);
        carom_model_destroy(model);
    }
}

int main(void)
{
    enter_folder("tests/modelfile/good");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_once_and_shared),
        cmocka_unit_test(units_and_scale_give_the_size),
        cmocka_unit_test(units_are_asked_for_where_nobody_says_them),
        cmocka_unit_test(an_open_surface_with_a_thickness_weighs),
        cmocka_unit_test(mesh_files_are_beside_the_model),
        cmocka_unit_test(a_text_from_memory_opens_no_file),
        cmocka_unit_test(overrides_change_the_file_and_its_units),
        cmocka_unit_test(a_hull_touches_for_its_mesh),
        cmocka_unit_test(pieces_touch_for_their_mesh),
        cmocka_unit_test(a_mesh_that_is_ignored_does_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
