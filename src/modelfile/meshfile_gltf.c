// glTF 2.0 and its binary form, GLB: the triangles of one scene, placed by its nodes, in one mesh. The file is in
// metres with y up; here z is up, so that (x, y, z) becomes (x, -z, y): what a program exports as STL and as glTF is
// the same part then.
#include "modelfile/meshfile_gltf.h"

#include <string.h>

#include "base/base.h"

// One mesh may stand in many places: a few bytes could ask for any number of triangles. More of them, or of vertices,
// than the file has bytes are allowed up to this, and so many places of primitives.
enum { INSTANCED_MAX = 4000000, MATRIX_SIZE = 16 };

// ---- places

static caromGltfPlace place_of(const caromGltfNode *node)
{
    const double *m = node->matrix;
    if (node->has_matrix)
        return (caromGltfPlace){ { carom_vec(m[0], m[1], m[2]), carom_vec(m[4], m[5], m[6]),
                                   carom_vec(m[8], m[9], m[10]) }, carom_vec(m[12], m[13], m[14]) };
    caromMat3 R = carom_quat_matrix(node->rotation);
    return (caromGltfPlace){ { carom_scale(node->scale.x, R.cx), carom_scale(node->scale.y, R.cy),
                               carom_scale(node->scale.z, R.cz) }, node->translation };
}

static caromGltfPlace placed(caromGltfPlace a, caromGltfPlace b)
{
    return (caromGltfPlace){ carom_mat_mul(a.R, b.R), carom_add(a.t, carom_mul(a.R, b.t)) };
}

static bool is_mirrored(caromMat3 R)
{
    return carom_dot(R.cx, carom_cross(R.cy, R.cz)) < 0.0;
}

// ---- primitives

typedef struct Instance {
    caromGltf *g;
    int node;               // for messages
    caromGltfPlace place;
    int accessor, first, n; // of the vertices added last: primitives often share them
} Instance;

static uint64_t most_of(const caromGltf *g)
{
    uint64_t most = (uint64_t)g->draft->length + g->loaded + INSTANCED_MAX;
    return most < CAROM_MESH_TRIANGLES_MAX ? most : CAROM_MESH_TRIANGLES_MAX;
}

static bool fail_repeated(const Instance *in)
{
    return carom_meshfile_fail_item(in->g->draft, "nodes", in->node, "the file repeats meshes until they have %llu "
                                    "triangles or vertices, out of all proportion to its size: make it coarser",
                                    (unsigned long long)most_of(in->g));
}

static bool add_vertices(Instance *in, int accessor)
{
    caromGltfValues values;
    caromMeshDraft *draft = in->g->draft;
    if (accessor == in->accessor) return true;
    if (!carom_meshfile_gltf_open(in->g, accessor, &values)) return false;
    if (values.accessor->components != 3)
        return carom_meshfile_fail_item(draft, "accessors", accessor, "has positions, but is no VEC3");
    if ((uint64_t)draft->nvertex + values.accessor->count > most_of(in->g)) return fail_repeated(in);
    in->accessor = accessor;
    in->first = draft->nvertex;
    in->n = (int)values.accessor->count;
    for (int i = 0; i < in->n; i++) {
        double p[MATRIX_SIZE];
        carom_meshfile_gltf_value(&values, (uint64_t)i, p);
        caromVec3 r = carom_add(carom_mul(in->place.R, carom_vec(p[0], p[1], p[2])), in->place.t);
        r = carom_scale(draft->scale, carom_vec(r.x, -r.z, r.y));
        if (!carom_meshfile_is_near(r))
            return carom_meshfile_fail_item(draft, "nodes", in->node, "vertex %d of accessors[%d] is at [%g, %g, %g] "
                                            "m: coordinates must be finite and below %g", i, accessor, r.x, r.y, r.z,
                                            CAROM_MESH_SIZE_MAX);
        if (!carom_meshfile_add_vertex(draft, r)) return false;
    }
    return true;
}

// Corners one after the other, with an accessor of indices or without.
typedef struct GltfCorners {
    caromGltfValues values;
    bool has_indices;
    uint64_t n;
} GltfCorners;

static bool open_corners(Instance *in, const caromGltfPrimitive *p, GltfCorners *corners)
{
    *corners = (GltfCorners){ .has_indices = p->indices >= 0, .n = (uint64_t)in->n };
    if (p->indices < 0) return true;
    if (!carom_meshfile_gltf_open(in->g, p->indices, &corners->values)) return false;
    corners->n = corners->values.accessor->count;
    return corners->values.accessor->components == 1 ||
           carom_meshfile_fail_item(in->g->draft, "accessors", p->indices, "has indices, but is no SCALAR");
}

static bool next_corner(Instance *in, GltfCorners *corners, uint64_t i, int *corner)
{
    double number[MATRIX_SIZE] = { (double)i };
    if (corners->has_indices) carom_meshfile_gltf_value(&corners->values, i, number);
    if (number[0] >= 0.0 && number[0] < (double)in->n && number[0] == floor(number[0])) {
        *corner = in->first + (int)number[0];
        return true;
    }
    return carom_meshfile_fail_item(in->g->draft, in->g->section, in->g->item, "has vertex %g, but there are only %d, "
                                    "counted from 0", number[0], in->n);
}

static bool add_triangle(Instance *in, int a, int b, int c)
{
    caromMeshDraft *draft = in->g->draft;
    if ((uint64_t)draft->ntriangle >= most_of(in->g)) return fail_repeated(in);
    bool is_turned = is_mirrored(in->place.R);
    return carom_meshfile_add_triangle(draft, a, is_turned ? c : b, is_turned ? b : c, 0);
}

enum { TRIANGLES = 4, STRIP, FAN };

// Triangle k of a strip is (k, k + 1, k + 2), its last two the other way round where k is odd; of a fan (k + 1, k + 2,
// 0).
static bool add_triangles(Instance *in, int mode, GltfCorners *corners)
{
    int v[3] = { 0, 0, 0 };  // a, b and the newest
    for (uint64_t i = 0; i < corners->n; i++) {
        int corner = 0;
        if (!next_corner(in, corners, i, &corner)) return false;
        if (i < 3) v[i] = corner;
        else if (mode == TRIANGLES) v[i%3] = corner;
        else if (mode == STRIP) v[0] = v[1], v[1] = v[2], v[2] = corner;
        else v[1] = v[2], v[2] = corner;
        bool is_full = mode == TRIANGLES ? i%3 == 2 : i >= 2, is_odd = mode == STRIP && i%2 == 1;
        if (is_full && !add_triangle(in, v[0], v[is_odd ? 2 : 1], v[is_odd ? 1 : 2])) return false;
    }
    return true;
}

static bool add_primitive(Instance *in, int mesh, const caromGltfPrimitive *p)
{
    GltfCorners corners;
    caromMeshDraft *draft = in->g->draft;
    if (++in->g->placed > INSTANCED_MAX) return fail_repeated(in);
    if (p->is_compressed && (p->position < 0 || p->position >= in->g->accessors.n ||
                             carom_meshfile_accessor(in->g, p->position)->view < 0))
        return carom_meshfile_fail_item(draft, "meshes", mesh, "is compressed by Draco, which is not read: export it "
                                        "without compression, or decompress it, with 'gltf-transform copy in.glb "
                                        "out.glb' say");
    if (p->mode < TRIANGLES) return true;  // points and lines
    if (p->mode > FAN) return carom_meshfile_fail_item(draft, "meshes", mesh, "has a primitive of mode %d, expected 0 "
                                                       "to 6", p->mode);
    if (p->position < 0) return carom_meshfile_fail_item(draft, "meshes", mesh, "has a primitive without POSITION");
    if (!add_vertices(in, p->position) || !open_corners(in, p, &corners)) return false;
    if (p->mode == TRIANGLES && corners.n%3 != 0)
        return carom_meshfile_fail_item(draft, "meshes", mesh, "has triangles with %llu corners in all, expected a "
                                        "multiple of 3", (unsigned long long)corners.n);
    return add_triangles(in, p->mode, &corners);
}

// ---- nodes

static bool add_mesh(caromGltf *g, int node, int mesh, caromGltfPlace place)
{
    if (mesh >= g->meshes.n) return carom_meshfile_fail_item(g->draft, "nodes", node, "has mesh %d, but there are %d",
                                                             mesh, g->meshes.n);
    Instance in = { .g = g, .node = node, .place = place, .accessor = -1 };
    caromGltfMesh m = *carom_meshfile_gltf_mesh(g, mesh);
    for (int i = 0; i < m.n; i++)
        if (!add_primitive(&in, mesh, carom_meshfile_primitive(g, m.first + i))) return false;
    return true;
}

// The stack has each node once at most.
static bool push(caromGltf *g, int *stack, int *n, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        int child = carom_meshfile_link(g, i);
        if (child >= g->nodes.n)
            return carom_meshfile_fail_item(g->draft, "nodes", child, "does not exist: there are %d", g->nodes.n);
        if (carom_meshfile_node(g, child)->is_seen)
            return carom_meshfile_fail_item(g->draft, "nodes", child, "is reached twice, but nodes form a tree");
        carom_meshfile_node(g, child)->is_seen = true;
        stack[(*n)++] = child;
    }
    return true;
}

// From a node to those below it: the place of each is in the frame of the whole when its turn comes.
static bool walk(caromGltf *g, int *stack, int n)
{
    for (int i = 0; i < n; i++) {
        caromGltfNode *root = carom_meshfile_node(g, stack[i]);
        root->place = place_of(root);
    }
    while (n > 0) {
        int at = stack[--n];
        caromGltfNode *node = carom_meshfile_node(g, at);
        if (node->mesh >= 0 && !add_mesh(g, at, node->mesh, node->place)) return false;
        if (!push(g, stack, &n, node->first, node->n)) return false;
        for (int i = n - node->n; i < n; i++) {
            caromGltfNode *child = carom_meshfile_node(g, stack[i]);
            child->place = placed(node->place, place_of(child));
        }
    }
    return true;
}

// Without scenes: all nodes that are nobody's children.
static bool push_roots(caromGltf *g, int *stack, int *n)
{
    int scene = g->scene < 0 ? 0 : g->scene;
    if (scene < g->scenes.n) {
        caromGltfScene s = ((caromGltfScene *)g->scenes.items)[scene];
        return push(g, stack, n, s.first, s.n);
    }
    if (g->scene >= 0) return carom_meshfile_fail_item(g->draft, "scenes", scene, "does not exist");
    for (int i = 0; i < g->nodes.n; i++)
        for (int k = 0; k < carom_meshfile_node(g, i)->n; k++) {
            int child = carom_meshfile_link(g, carom_meshfile_node(g, i)->first + k);
            if (child < g->nodes.n) carom_meshfile_node(g, child)->is_child = true;
        }
    for (int i = 0; i < g->nodes.n; i++) {
        if (carom_meshfile_node(g, i)->is_child) continue;
        carom_meshfile_node(g, i)->is_seen = true;
        stack[(*n)++] = i;
    }
    return true;
}

static bool add_all(caromGltf *g)
{
    caromGltfPlace here = { carom_mat_identity(), { 0, 0, 0 } };
    if (g->nodes.n == 0) {  // meshes that nobody has placed
        for (int i = 0; i < g->meshes.n; i++)
            if (!add_mesh(g, 0, i, here)) return false;
        return true;
    }
    int n = 0, *stack = carom_alloc_array((size_t)g->nodes.n, sizeof *stack);
    if (!stack) {
        carom_fail(g->draft->err, CAROM_ERR_MEMORY, g->draft->name, "out of memory at %d nodes", g->nodes.n);
        return false;
    }
    bool good = push_roots(g, stack, &n) && walk(g, stack, n);
    free(stack);
    return good;
}

static bool read_parts(caromGltf *g)
{
    g->scene = -1;
    g->draft->unit = 1.0;
    bool good = carom_meshfile_gltf_json(g) && add_all(g);
    if (good && g->draft->ntriangle == 0)
        good = carom_meshfile_fail_item(g->draft, "scenes", g->scene < 0 ? 0 : g->scene,
                                        "has no triangles in its nodes");
    carom_meshfile_gltf_free(g);
    return good;
}

// ---- the two kinds of files

static bool read_gltf(caromMeshDraft *draft)
{
    caromWords words = carom_meshfile_words_of(draft);  // behind a byte order mark
    caromGltf g = { .draft = draft, .json = { words.at, words.end, false, NULL } };
    return read_parts(&g);
}

static bool is_gltf(const caromMeshDraft *draft)
{
    caromWords words = carom_meshfile_words_of(draft);
    caromWord word = carom_meshfile_word_next(&words);
    return word.length > 0 && word.start[0] == '{';
}

enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };
#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN  0x004E4942u

static uint32_t word_at(const caromMeshDraft *draft, size_t at)
{
    const unsigned char *b = (const unsigned char *)draft->bytes + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// False: there is none from this byte on.
static bool find_chunk(const caromMeshDraft *draft, size_t at, uint32_t kind, size_t *length)
{
    if (draft->length < at + CHUNK_HEADER || word_at(draft, at + 4) != kind) return false;
    *length = word_at(draft, at);
    return *length <= draft->length - at - CHUNK_HEADER;
}

static bool read_glb(caromMeshDraft *draft)
{
    size_t length, chunk;
    if (draft->length < GLB_HEADER || word_at(draft, 4) != 2)
        return carom_meshfile_fail_byte(draft, 4, "is a GLB file of another version than 2, or was cut off");
    if (word_at(draft, 8) > draft->length)
        return carom_meshfile_fail_byte(draft, 8, "the header of this GLB file promises %lu bytes, but the file has "
                                        "%zu: it was cut off", (unsigned long)word_at(draft, 8), draft->length);
    if (!find_chunk(draft, GLB_HEADER, CHUNK_JSON, &length))
        return carom_meshfile_fail_byte(draft, GLB_HEADER, "this GLB file has no chunk of JSON within its length");
    const char *json = draft->bytes + GLB_HEADER + CHUNK_HEADER;
    caromGltf g = { .draft = draft, .json = { json, json + length, false, NULL } };
    size_t next = GLB_HEADER + CHUNK_HEADER + length;
    if (find_chunk(draft, next, CHUNK_BIN, &chunk)) {
        g.chunk = draft->bytes + next + CHUNK_HEADER;
        g.chunk_length = chunk;
    }
    draft->bytes_ignored = draft->length - word_at(draft, 8);
    return read_parts(&g);
}

static bool is_glb(const caromMeshDraft *draft)
{
    return draft->length >= 4 && memcmp(draft->bytes, "glTF", 4) == 0;
}

const caromMeshReader carom_meshfile_reader_glb = { is_glb, NULL, read_glb };
const caromMeshReader carom_meshfile_reader_gltf = { is_gltf, NULL, read_gltf };
