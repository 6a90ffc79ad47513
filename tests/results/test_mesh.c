// Meshes in the head of a results file: each once, to the bit of single precision, and small.
#include <float.h>

#include "base/json.h"
#include "results/results.h"

#include "mesh_fixture.h"

static caromModel *model_of(const caromMesh *const *meshes, int n)
{
    caromBuilder *b = carom_builder_create();
    char name[16];
    for (int i = 0; i < n; i++) {
        caromShapeDef shapes[2] = { carom_model_shape_def(carom_shape_mesh(meshes[i])),
                                    carom_model_shape_def(carom_shape_sphere(1e-3)) };
        snprintf(name, sizeof name, "b%d", i);
        shapes[0].touches = false;
        shapes[1].name = "shape-hull";
        shapes[1].weighs = false;
        shapes[1].stands_for = "shape";
        caromBodyDef body = carom_model_body_def(name);
        body.material = "steel";
        body.shapes = shapes;
        body.nshape = 2;
        body.mass = 1;
        body.com = carom_vec(0, 0, 0);
        body.inertia = (caromMat3){ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
        carom_builder_body(b, &body);
    }
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++) print_error("%s: %s\n", problems.items[i].path, problems.items[i].message);
    assert_non_null(model);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

// The head as text, terminated; checked to be JSON.
static char *head_of(const caromModel *model, size_t *size)
{
    caromText text = { 0 };
    carom_results_head_json(&text, model, &(caromRunSource){ .name = "x" });
    assert_false(text.failed);
    assert_true(carom_json_is_one_object(text.data, text.size));
    if (size) *size = text.size;
    carom_results_text_bytes(&text, "", 1);
    return text.data;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, part)); s++) n++;
    return n;
}

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// The bytes of a string of base64; the caller frees them.
static unsigned char *bytes_at(const char *head, const char *key, size_t *n)
{
    const char *s = strstr(head, key);
    assert_non_null(s);
    s += strlen(key);
    unsigned char *bytes = calloc(strlen(s) + 4, 1);
    unsigned bits = 0;
    int nbit = 0;
    for (*n = 0; digit_of(*s) >= 0; s++) {
        bits = bits << 6 | (unsigned)digit_of(*s);
        if ((nbit += 6) < 8) continue;
        nbit -= 8;
        bytes[(*n)++] = (unsigned char)(bits >> nbit);
        bits &= (1u << nbit) - 1;
    }
    return bytes;
}

static void check_packed(const char *head, const caromMesh *mesh, size_t index_bytes)
{
    const caromVec3 *vertices;
    const int (*triangles)[3];
    int nvertex = carom_mesh_vertices(mesh, &vertices), ntriangle = carom_mesh_triangles(mesh, &triangles);
    size_t n;
    unsigned char *bytes = bytes_at(head, "\"vertices\":\"", &n);
    assert_int_equal(n, 12*(size_t)nvertex);
    for (int i = 0; i < nvertex; i++) {
        float p[3];
        memcpy(p, bytes + 12*i, sizeof p);  // little-endian, as are the machines of the tests
        assert_true(p[0] == (float)vertices[i].x && p[1] == (float)vertices[i].y && p[2] == (float)vertices[i].z);
    }
    free(bytes);
    bytes = bytes_at(head, "\"triangles\":\"", &n);
    assert_int_equal(n, 3*index_bytes*(size_t)ntriangle);
    for (int i = 0; i < 3*ntriangle; i++) {
        uint32_t index = 0;
        memcpy(&index, bytes + index_bytes*(size_t)i, index_bytes);
        assert_int_equal(index, triangles[i/3][i%3]);
    }
    free(bytes);
}

static void shared_meshes_are_written_once(void **state)
{
    (void)state;
    Raw raw[2] = { bolt(), tetrahedron() };
    caromMesh *meshes[2] = { mesh_of(&raw[0], NULL), mesh_of(&raw[1], NULL) };
    const caromMesh *of_bodies[] = { meshes[0], meshes[1], meshes[0] };
    caromModel *model = model_of(of_bodies, 3);
    char *head = head_of(model, NULL);
    assert_int_equal(count(head, "\"vertex_count\""), 2);
    assert_int_equal(count(head, "\"kind\":\"mesh\""), 3);
    assert_int_equal(count(head, "\"mesh\":0"), 2);
    assert_int_equal(count(head, "\"mesh\":1"), 1);
    assert_int_equal(count(head, "\"name\":\"shape-hull\",\"kind\":\"sphere\",\"size\":[0.001,0,0],"
                           "\"stands_for\":\"shape\""), 3);
    check_packed(head, meshes[0], 2);
    assert_non_null(strstr(head, "{\"vertex_count\":4,\"triangle_count\":4,\"closed\":true,\"low\":[0,0,0],\"high\":[1,"
                           "1,1],\"vertices\":\""));
    free(head);
    carom_model_destroy(model);
    for (int i = 0; i < 2; i++) {
        carom_mesh_destroy(meshes[i]);
        raw_free(&raw[i]);
    }
}

// 24,964 vertices of 12 bytes, 49,928 triangles of 6: 599,136 bytes, and a third more as text.
static void fifty_thousand_triangles_are_less_than_a_megabyte(void **state)
{
    (void)state;
    Raw raw = torus(0.1, 0.03, 158, 158);
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromModel *model = model_of((const caromMesh *const[]){ mesh }, 1);
    size_t size;
    char *head = head_of(model, &size);
    size_t packed = (size_t)(12*raw.nvertex + 6*raw.ntriangle);
    assert_true(size > packed*4/3 && size < packed*4/3 + 4096);
    check_packed(head, mesh, 2);
    free(head);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
    raw_free(&raw);
}

static void many_vertices_have_wider_indices(void **state)
{
    (void)state;
    Raw raw = torus(0.1, 0.03, 300, 220);
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromModel *model = model_of((const caromMesh *const[]){ mesh }, 1);
    char *head = head_of(model, NULL);
    check_packed(head, mesh, 4);
    free(head);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
    raw_free(&raw);
}

// Single precision ends at 3e38 m: what is beyond is drawn there, and is no infinity.
static void coordinates_beyond_single_precision_are_cut(void **state)
{
    (void)state;
    Raw raw = cube(1e45);
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromModel *model = model_of((const caromMesh *const[]){ mesh }, 1);
    char *head = head_of(model, NULL);
    size_t n;
    unsigned char *bytes = bytes_at(head, "\"vertices\":\"", &n);
    float p;
    memcpy(&p, bytes, sizeof p);
    assert_true(p == -FLT_MAX);
    free(bytes);
    free(head);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
    raw_free(&raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_meshes_are_written_once),
        cmocka_unit_test(fifty_thousand_triangles_are_less_than_a_megabyte),
        cmocka_unit_test(many_vertices_have_wider_indices),
        cmocka_unit_test(coordinates_beyond_single_precision_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
