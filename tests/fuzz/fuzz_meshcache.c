// Any edits of the bytes of a finished mesh, with a checksum that is right: libFuzzer's entry, used by mutate.c too.
// The input is a list of edits rather than a file, so that it stays of use when the layout changes; without edits the
// mesh comes back as it was.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh.h"
#include "modelfile/meshcache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern long fuzz_accepted;  // edited bytes that still were a mesh
long fuzz_accepted;
const char *fuzz_word(int i);  // for mutate.c

typedef struct Edit { uint32_t at; uint8_t what, value; uint16_t other; } Edit;

static const char *const words[] = { "aaaaaaaa", "\x01\x01\x01\x01\x02\xff\x01\x01", "\x7f\x01\x01\x01\x03\x01\x01\x01",
                                     "\x18\x01\x01\x01\x01\x7f\x01\x01" };

const char *fuzz_word(int i)
{
    return i < (int)(sizeof words/sizeof words[0]) ? words[i] : NULL;
}

static void require(bool claim, const char *what)
{
    if (claim) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

// Two tetrahedra or a prism with a hole, by the first byte; always the same.
static caromMesh *make_mesh(int choice)
{
    enum { N = 12 };
    caromVec3 v[4*N];
    int t[8*N][3], n = 0;
    if (choice%2 == 0) {
        for (int i = 0; i < 8; i++) v[i] = carom_vec(i%4 == 1 ? 1 : 0.1*(i/4), i%4 == 2, i%4 == 3);
        static const int faces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
        for (; n < 8; n++)
            for (int k = 0; k < 3; k++) t[n][k] = faces[n%4][k] + 4*(n/4);
        return carom_mesh_create(v, 8, (const int (*)[3])t, n, NULL, NULL);
    }
    static const double ring[4][2] = { { 1, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 } };
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++) {
            double u = 6.283185307179586*i/N;
            v[4*i + k] = carom_vec(ring[k][0]*cos(u), ring[k][0]*sin(u), ring[k][1]);
            int a = 4*i + k, b = 4*((i + 1)%N) + k, c = 4*((i + 1)%N) + (k + 1)%4, d = 4*i + (k + 1)%4;
            t[n][0] = a, t[n][1] = b, t[n++][2] = c;
            t[n][0] = a, t[n][1] = c, t[n++][2] = d;
        }
    return carom_mesh_create(v, 4*N, (const int (*)[3])t, n, NULL, NULL);
}

static void apply(const Edit *e, char *bytes, size_t *length)
{
    static const double numbers[] = { 0, -1, 1e60, 1e-300, (double)INFINITY, -(double)INFINITY, 1e308 };
    if (*length < 16) return;
    size_t at = e->at%(*length - 8), word = at/4*4;
    int32_t i;
    double x = e->value < 7 ? numbers[e->value] : (double)NAN;
    switch (e->what%7) {
    case 0: bytes[at] = (char)e->value; break;
    case 1: i = e->value - 3; memcpy(bytes + word, &i, 4); break;
    case 2: memcpy(bytes + word, &x, 8); break;
    case 3: *length = at; break;
    case 4: memmove(bytes + word, bytes + (size_t)e->other*8%(*length - 8), 4); break;
    case 5:
        memcpy(&i, bytes + word, 4);
        i = (int32_t)((uint32_t)i + e->value - 128u);
        memcpy(bytes + word, &i, 4);
        break;
    default: i = INT32_MAX - e->value; memcpy(bytes + word, &i, 4); break;
    }
}

// Everything that follows indices and walks down the tree.
static void use(const caromMesh *mesh)
{
    caromMeshReport report;
    size_t length;
    require(carom_mesh_find_crossings(mesh, &report), "crossings can be counted");
    require(mesh->ntriangle > 0 && carom_shape_radius(carom_shape_mesh(mesh)) >= 0.0, "there is something");
    void *bytes = carom_mesh_to_bytes(mesh, 0, &length);
    caromMesh *again = bytes ? carom_mesh_from_bytes(&bytes, 0, length) : NULL;
    require(again != NULL, "what was read can be written and read again");
    carom_mesh_destroy(again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length, full;
    caromMesh *mesh = make_mesh(size ? data[0] : 0);
    char *bytes = mesh ? carom_mesh_to_bytes(mesh, 0, &length) : NULL;
    if (!bytes) return 0;
    full = length;
    for (size_t i = 1; i + sizeof(Edit) <= size; i += sizeof(Edit)) {
        Edit e;
        memcpy(&e, data + i, sizeof e);
        apply(&e, bytes, &length);
    }
    // So that a sanitizer sees a read beyond it.
    void *exact = malloc(length ? length : 1), *whole = malloc(size ? size : 1);
    if (!exact || !whole) abort();
    memcpy(exact, bytes, length);
    if (size) memcpy(whole, data, size);
    caromMesh *read = carom_mesh_from_bytes(&exact, 0, length);
    require(read || size > sizeof(Edit), "a mesh without edits comes back");
    require(!read || length == full, "a mesh has all its bytes");
    if (read) use(read);
    fuzz_accepted += read != NULL;
    carom_mesh_destroy(read);
    carom_mesh_destroy(carom_meshfile_cache_parse(&whole, size, (caromMeshKey){ 0, 0 }));
    carom_mesh_destroy(mesh);
    free(exact);
    free(whole);
    free(bytes);
    return 0;
}
