// Mesh files as files: tests/modelfile/bad_mesh, where each gives exactly the message of NAME.expected (after a change
// that is meant to change messages: modelfile_tool mesh NAME > NAME.expected, and read the difference), and the seeds
// of the fuzzer, whole and cut off anywhere.
#include <dirent.h>
#include <float.h>
#include <time.h>

#include "mesh_fixture.h"
#include "modelfile/meshfile.h"
#include "modelfile_helpers.h"

static int for_each(const char *folder, bool (*look)(const char *path, const char *name))
{
    char full[512], path[800];
    int n = 0, nwrong = 0;
    snprintf(full, sizeof full, "%s/%s", CAROM_SOURCE_DIR, folder);
    DIR *dir = opendir(full);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".expected")) continue;
        snprintf(path, sizeof path, "%s/%s", full, entry->d_name);
        n++;
        nwrong += !look(path, entry->d_name);
    }
    closedir(dir);
    assert_int_equal(nwrong, 0);
    return n;
}

// ---- bad ones

// The CPU time is that of a file that is refused at its header, with room for a machine under load.
static bool gives_its_message(const char *path, const char *name)
{
    char expected_path[400], got[800];
    caromError err = { 0 };
    clock_t start = clock();
    caromMesh *mesh = carom_meshfile_read(name, 1.0, NULL, &err);
    CHECK((double)(clock() - start)/CLOCKS_PER_SEC < 0.5);
    (void)path;
    snprintf(expected_path, sizeof expected_path, "tests/modelfile/bad_mesh/%s.expected", name);
    char *expected = source_file(expected_path, NULL);
    snprintf(got, sizeof got, "%s: %s\n", err.where, err.message);
    bool is_good = !mesh && strcmp(got, expected) == 0;
    if (!is_good) print_error("%s: expected\n%sgot\n%s\n", name, expected, mesh ? "a mesh\n" : got);
    carom_mesh_destroy(mesh);
    free(expected);
    return is_good;
}

static void each_bad_file_gives_its_message(void **state)
{
    (void)state;
    enter_folder("tests/modelfile/bad_mesh");
    assert_true(for_each("tests/modelfile/bad_mesh", gives_its_message) >= 106);
}

// ---- cut off

// The bytes end where their memory ends, but for the zero, so that a sanitizer sees what is read beyond them.
static bool is_safe_when_cut(const char *path, const char *name)
{
    char *bytes;
    size_t length;
    caromError err;
    assert_int_equal(carom_modelfile_load(path, &bytes, &length, &err), CAROM_OK);
    for (size_t n = 0; n < length; n++) {
        char *part = malloc(n + 1);
        assert_non_null(part);
        memcpy(part, bytes, n);
        part[n] = '\0';
        err = (caromError){ 0 };
        caromMesh *mesh = carom_meshfile_parse(part, n, name, 1.0, NULL, &err);
        if (!mesh && !(err.status < 0 && err.where[0] && err.message[0]))
            fail_msg("%s cut at %zu: no message", name, n);
        carom_mesh_destroy(mesh);
        free(part);
    }
    free(bytes);
    return true;
}

static void files_may_be_cut_off_anywhere(void **state)
{
    (void)state;
    assert_true(for_each("tests/fuzz/corpus/mesh", is_safe_when_cut) >= 21);
}

// ---- PLY

static caromMesh *seed(const char *name, caromMeshReport *report)
{
    char path[512];
    caromError err = { 0 };
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/mesh/%s", CAROM_SOURCE_DIR, name);
    caromMesh *mesh = carom_meshfile_read(path, 1.0, report, &err);
    if (!mesh) fail_msg("%s: %s", err.where, err.message);
    return mesh;
}

// Bit for bit the mesh of vertices and triangles.
static void check_is(const caromMesh *mesh, const Raw *raw)
{
    const caromVec3 *v;
    const int (*t)[3];
    assert_int_equal(carom_mesh_vertices(mesh, &v), raw->nvertex);
    assert_int_equal(carom_mesh_triangles(mesh, &t), raw->ntriangle);
    for (int i = 0; i < raw->nvertex; i++) CHECK_VEC(v[i], raw->vertices[i], 0);
    for (int i = 0; i < raw->ntriangle; i++)
        for (int k = 0; k < 3; k++) assert_int_equal(t[i][k], raw->triangles[i][k]);
}

// Properties of all types in any order, lists beside the corners, elements of other kinds, quadrangles.
static void every_form_of_ply_gives_the_cube(void **state)
{
    (void)state;
    static const char *const names[] = { "text.ply", "little.ply", "big.ply" };
    Raw raw = box(carom_vec(0, 0, 0), carom_vec(1, 1, 1));
    for (int i = 0; i < 3; i++) {
        caromMeshReport r;
        caromMesh *mesh = seed(names[i], &r);
        check_is(mesh, &raw);
        CHECK(r.is_closed && r.is_oriented && r.triangles_turned == 0 && r.components_turned == 0 &&
              r.bytes_ignored == 0);
        CHECK_NEAR(r.volume, 1, 8*DBL_EPSILON);
        carom_mesh_destroy(mesh);
    }
    raw_free(&raw);
}

static void strips_of_ply_turn_every_other_triangle(void **state)
{
    (void)state;
    caromMeshReport r;
    caromMesh *mesh = seed("strips.ply", &r);
    CHECK(r.triangles_read == 4 && r.is_closed && r.triangles_turned == 0 && r.components_turned == 0);
    CHECK_NEAR(r.volume, 1.0/6, 4*DBL_EPSILON);
    carom_mesh_destroy(mesh);
}

static caromMesh *parse(const char *bytes, size_t length, caromMeshReport *report)
{
    caromError err = { 0 };
    caromMesh *mesh = carom_meshfile_parse(bytes, length, "part", 1.0, report, &err);
    if (!mesh) fail_msg("%s: %s", err.where, err.message);
    return mesh;
}

// All types of numbers, at the ends of their ranges, in both orders of bytes.
static void ply_has_numbers_of_all_types(void **state)
{
    (void)state;
    static const struct { const char *type; int size; unsigned char bytes[8]; double value; } cases[] = {
        { "char", 1, { 0x80 }, -128 },           { "int8", 1, { 0x7f }, 127 },
        { "uchar", 1, { 0xff }, 255 },           { "uint8", 1, { 0x80 }, 128 },
        { "short", 2, { 0x80, 0x00 }, -32768 },  { "int16", 2, { 0x7f, 0xff }, 32767 },
        { "ushort", 2, { 0xff, 0xff }, 65535 },  { "uint16", 2, { 0x01, 0x02 }, 258 },
        { "int", 4, { 0x80, 0, 0, 0 }, -2147483648.0 }, { "int32", 4, { 0, 0, 1, 0 }, 256 },
        { "uint", 4, { 0xff, 0xff, 0xff, 0xff }, 4294967295.0 }, { "uint32", 4, { 0, 1, 0, 0 }, 65536 },
        { "float", 4, { 0xbf, 0x80, 0, 0 }, -1 }, { "float32", 4, { 0x3f, 0xa0, 0, 0 }, 1.25 },
        { "double", 8, { 0xbf, 0xf8, 0, 0, 0, 0, 0, 0 }, -1.5 },
        { "float64", 8, { 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18 }, 3.14159265358979311600 },
    };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++)
        for (int is_big = 0; is_big < 2; is_big++) {
            char file[600];
            int n = snprintf(file, sizeof file, "ply\r\nformat binary_%s_endian 1.0\r\nelement vertex 3\r\n"
                             "property %s x\r\nproperty char y\r\nproperty char z\r\nelement face 1\r\n"
                             "property list uchar uchar vertex_index\r\nend_header\r\n", is_big ? "big" : "little",
                             cases[i].type);
            for (int v = 0; v < 3; v++) {
                for (int k = 0; k < cases[i].size; k++)
                    file[n++] = (char)cases[i].bytes[is_big ? k : cases[i].size - 1 - k];
                file[n++] = (char)(v == 1);
                file[n++] = (char)(v == 2);
            }
            memcpy(file + n, "\x03\x00\x01\x02more", 9);
            caromMeshReport r;
            carom_mesh_destroy(parse(file, (size_t)n + 8, &r));
            CHECK(r.low.x == cases[i].value && r.high.x == cases[i].value && r.triangles_read == 1 &&
                  r.bytes_ignored == 4);
        }
}

// Lines of old Macs end in CR: a value of 10 behind the header is no line end.
static void a_line_end_behind_the_header_is_one(void **state)
{
    (void)state;
    static const char head[] = "ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty char x\r"
                               "property char y\rproperty char z\relement face 1\r"
                               "property list char char vertex_index\rend_header\r";
    char file[300];
    size_t n = sizeof head - 1;
    memcpy(file, head, n);
    memcpy(file + n, "\n\0\0\1\0\0\0\1\0\3\0\1\2", 13);
    caromMeshReport r;
    carom_mesh_destroy(parse(file, n + 13, &r));
    CHECK(r.high.x == 10 && r.vertices_read == 3 && r.bytes_ignored == 0);
}

// ---- glTF

static void is_the_box(caromMesh *mesh, const caromMeshReport *r, double tolerance)
{
    CHECK(r->is_closed && r->is_oriented && r->triangles_read == 12 && r->triangles_turned == 0 &&
          r->components_turned == 0 && r->bytes_ignored == 0);
    CHECK_VEC(r->low, carom_vec(0, 0, 0), tolerance);
    CHECK_VEC(r->high, carom_vec(1, 2, 3), tolerance);
    CHECK_NEAR(r->volume, 6, 24*DBL_EPSILON);
    carom_mesh_destroy(mesh);
}

// A box of 1 x 2 x 3 m, z up: text with base64 and a node below another, GLB with a strip and single triangles, with
// fans of quantized vertices in a mirrored node, with vertices that are zeros but for the sparse ones. All numbers are
// exact but 3/32767*32767.
static void every_form_of_gltf_gives_the_box(void **state)
{
    (void)state;
    static const char *const names[] = { "data.gltf", "strip.glb", "quantized.glb", "sparse.glb" };
    for (int i = 0; i < 4; i++) {
        caromMeshReport r;
        caromMesh *mesh = seed(names[i], &r);
        is_the_box(mesh, &r, i == 2 ? 2*DBL_EPSILON : 0);
    }
}

static void buffers_are_found_beside_the_file(void **state)
{
    (void)state;
    char path[512];
    caromMeshReport r;
    caromError err = { 0 };
    snprintf(path, sizeof path, "%s/tests/modelfile/good_mesh/beside.gltf", CAROM_SOURCE_DIR);
    is_the_box(carom_meshfile_read(path, 1, &r, NULL), &r, 0);
    enter_folder("tests/modelfile/good_mesh");
    is_the_box(carom_meshfile_read("beside.gltf", 1, &r, NULL), &r, 0);
    char *text = source_file("tests/modelfile/good_mesh/beside.gltf", NULL);
    assert_null(carom_meshfile_parse(text, strlen(text), "part", 1, NULL, &err));
    assert_string_equal(err.message, "is in a file of its own, and this one has no folder: export as one file (GLB)");
    free(text);
}

// ---- 3MF

// The same box, in centimetres as a component in a mirrored item, and in metres in an archive that is not packed.
static void every_form_of_3mf_gives_the_box(void **state)
{
    (void)state;
    static const struct { const char *name; double unit; } files[] = { { "box.3mf", 0.01 }, { "stored.3mf", 1 } };
    for (int i = 0; i < 2; i++) {
        caromMeshReport r;
        caromMesh *mesh = seed(files[i].name, &r);
        CHECK(r.unit == files[i].unit);
        is_the_box(mesh, &r, 4*DBL_EPSILON);
    }
}

// The cache goes by the content of one file; what is in two is read anew each time.
static void meshes_of_several_files_are_not_kept(void **state)
{
    (void)state;
    char folder[] = "/tmp/carom-cache-XXXXXX", path[600];
    static char text[40000];
    char *beside = source_file("tests/modelfile/good_mesh/beside.gltf", NULL);
    size_t size;
    char *bytes = source_file("tests/modelfile/good_mesh/box beside.bin", &size);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "box beside.bin" : "part.gltf");
        snprintf(text, sizeof text, "%s%20000s", beside, "");  // large enough for the cache
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_true(fwrite(i == 0 ? bytes : text, 1, i == 0 ? size : strlen(text), file) > 0);
        assert_int_equal(fclose(file), 0);
    }
    char cache[300];
    snprintf(cache, sizeof cache, "%s/cache", folder);
    caromMeshReport r;
    is_the_box(carom_meshfile_read_cached(path, 1, cache, &r, NULL), &r, 0);
    snprintf(path, sizeof path, "%s/box beside.bin", folder);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fwrite("\0\0\0\xc0", 1, 4, file);  // x of the first vertex is -2
    assert_int_equal(fclose(file), 0);
    snprintf(path, sizeof path, "%s/part.gltf", folder);
    carom_mesh_destroy(carom_meshfile_read_cached(path, 1, cache, &r, NULL));
    CHECK(r.low.x == -2);
    free(beside);
    free(bytes);
    unlink(path);
    snprintf(path, sizeof path, "%s/box beside.bin", folder);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

// Each of 100,000 nodes has a mesh of 100,000 primitives: 2 MB that ask for ten thousand million steps, and for points
// only.
static void repeated_meshes_are_bounded(void **state)
{
    (void)state;
    enum { MANY = 100000, ROOM = 30 };
    char *text = malloc((size_t)MANY*ROOM), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}");
    for (int i = 0; i < MANY; i++) at += sprintf(at, ",{\"mesh\":0}");
    at += sprintf(at, "],\"meshes\":[{\"primitives\":[{\"mode\":0}");
    for (int i = 0; i < MANY; i++) at += sprintf(at, ",{\"mode\":0}");
    at += sprintf(at, "]}]}");
    caromError err = { 0 };
    clock_t start = clock();
    assert_null(carom_meshfile_parse(text, (size_t)(at - text), "part", 1, NULL, &err));
    assert_non_null(strstr(err.message, "the file repeats meshes until they have"));
    CHECK((double)(clock() - start)/CLOCKS_PER_SEC < 2);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bad_file_gives_its_message),
        cmocka_unit_test(files_may_be_cut_off_anywhere),
        cmocka_unit_test(every_form_of_ply_gives_the_cube),
        cmocka_unit_test(strips_of_ply_turn_every_other_triangle),
        cmocka_unit_test(ply_has_numbers_of_all_types),
        cmocka_unit_test(every_form_of_gltf_gives_the_box),
        cmocka_unit_test(every_form_of_3mf_gives_the_box),
        cmocka_unit_test(buffers_are_found_beside_the_file),
        cmocka_unit_test(meshes_of_several_files_are_not_kept),
        cmocka_unit_test(repeated_meshes_are_bounded),
        cmocka_unit_test(a_line_end_behind_the_header_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
