// Meshes in the head of a results file: what a page needs to draw them, and no more. Numbers as text would be three
// times as long.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"
#include "results/results.h"

// Above it a mesh is in the head as its box: the page could not turn it fluently, and the file should stay
// small beside the samples.
#define TRIANGLES_MAX 1000000

int *carom_results_mesh_numbers(const caromModel *model)
{
    int nshape = carom_model_shape_count(model), nmesh = 0;
    int *numbers = malloc(((size_t)nshape + 1)*sizeof *numbers);
    for (int i = 0; numbers && i < nshape; i++) {
        const caromMesh *mesh = carom_model_shape(model, i).shape.mesh;
        numbers[i] = -1;
        for (int k = 0; mesh && k < i && numbers[i] < 0; k++)
            if (carom_model_shape(model, k).shape.mesh == mesh) numbers[i] = numbers[k];
        if (mesh && numbers[i] < 0) numbers[i] = nmesh++;
    }
    return numbers;
}

// Bytes as base64, a piece at a time: 3 bytes are 4 digits.
typedef struct Packed {
    caromText *text;
    unsigned char bytes[3*256];
    size_t n;
} Packed;

static void flush(Packed *packed)
{
    char digits[4*256];
    carom_results_text_bytes(packed->text, digits, carom_results_base64(packed->bytes, packed->n, digits));
    packed->n = 0;
}

static void put(Packed *packed, uint32_t value, int nbyte)
{
    for (int k = 0; k < nbyte; k++) {
        if (packed->n == sizeof packed->bytes) flush(packed);
        packed->bytes[packed->n++] = (unsigned char)(value >> 8*k);
    }
}

static void put_float(Packed *packed, double value)
{
    float single = (float)fmax(-(double)FLT_MAX, fmin((double)FLT_MAX, value));
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put(packed, bits, 4);
}

static void member_vertices(caromText *text, const caromMesh *mesh)
{
    const caromVec3 *vertices;
    int n = carom_mesh_vertices(mesh, &vertices);
    Packed packed = { .text = text };
    carom_json_key(text, "vertices");
    carom_results_text_string(text, "\"");
    for (int i = 0; i < n; i++) {
        put_float(&packed, vertices[i].x);
        put_float(&packed, vertices[i].y);
        put_float(&packed, vertices[i].z);
    }
    flush(&packed);
    carom_results_text_string(text, "\"");
}

static void member_triangles(caromText *text, const caromMesh *mesh)
{
    const int (*triangles)[3];
    const caromVec3 *vertices;
    int n = carom_mesh_triangles(mesh, &triangles), nbyte = carom_mesh_vertices(mesh, &vertices) <= 65536 ? 2 : 4;
    Packed packed = { .text = text };
    carom_json_key(text, "triangles");
    carom_results_text_string(text, "\"");
    for (int t = 0; t < n; t++)
        for (int k = 0; k < 3; k++) put(&packed, (uint32_t)triangles[t][k], nbyte);
    flush(&packed);
    carom_results_text_string(text, "\"");
}

static void write_mesh(caromText *text, const caromMesh *mesh)
{
    const caromMeshReport *report = carom_mesh_report(mesh);
    const int (*triangles)[3];
    const caromVec3 *vertices;
    int n = carom_mesh_triangles(mesh, &triangles);
    carom_json_begin(text, '{');
    carom_json_key(text, "vertex_count");
    carom_json_integer(text, carom_mesh_vertices(mesh, &vertices));
    carom_json_key(text, "triangle_count");
    carom_json_integer(text, n);
    carom_json_key(text, "closed");
    carom_json_bool(text, report->is_closed);
    carom_json_key(text, "low");
    carom_json_vec3(text, report->low);
    carom_json_key(text, "high");
    carom_json_vec3(text, report->high);
    if (n <= TRIANGLES_MAX) {
        member_vertices(text, mesh);
        member_triangles(text, mesh);
    }
    carom_json_finish(text, '}');
}

void carom_results_meshes_json(caromText *text, const caromModel *model, const int *numbers)
{
    int nwritten = 0;
    for (int i = 0; i < carom_model_shape_count(model); i++) {
        if (numbers[i] != nwritten) continue;
        if (nwritten++ == 0) {
            carom_json_key(text, "meshes");
            carom_json_begin(text, '[');
        }
        write_mesh(text, carom_model_shape(model, i).shape.mesh);
    }
    if (nwritten > 0) carom_json_finish(text, ']');
}
