// The JSON of a glTF file in one pass: what is wanted goes into lists, everything else is checked to be JSON and passed
// over. No tree is built: what is kept is bounded by the limits below, however long the file is.
#include <string.h>

#include "base/base.h"
#include "modelfile/meshfile_gltf.h"

enum { ITEMS_MAX = 1000000, KEY_MAX = 256, TYPE_MAX = 16 };
#define SIZE_MOST 1e12  // of counts and offsets: products of two are far from overflowing

typedef struct GltfMember {
    const char *key;
    bool (*read)(caromGltf *g, void *field);
    size_t at;              // in the item
} GltfMember;

static bool fail(const caromGltf *g, const char *what)
{
    if (g->json.is_bad) return false;  // told with its place at the end
    return carom_meshfile_fail_item(g->draft, g->section, g->item, "%s", what);
}

// NULL: there are too many, or no memory, which was told. The new one is zero.
static void *add(caromGltf *g, caromGltfList *list)
{
    if (list->n == ITEMS_MAX) {
        carom_meshfile_fail_item(g->draft, g->section, g->item, "there are more than the limit of %d", ITEMS_MAX);
        return NULL;
    }
    if (list->n == list->capacity) {
        int capacity = list->capacity ? 2*list->capacity : 8;
        void *larger = realloc(list->items, (size_t)capacity*list->size);
        if (!larger) {
            carom_fail(g->draft->err, CAROM_ERR_MEMORY, g->draft->name, "out of memory at %d %s", list->n, g->section);
            return NULL;
        }
        list->items = larger;
        list->capacity = capacity;
    }
    return memset((char *)list->items + (size_t)list->n++*list->size, 0, list->size);
}

// ---- values

static bool read_object(caromGltf *g, const GltfMember *members, void *item)
{
    if (!carom_json_enter(&g->json, '{')) return fail(g, "expected an object in braces");
    char key[KEY_MAX];
    for (int64_t n = 0; carom_json_more(&g->json, '}', n); n++) {
        if (!carom_json_member(&g->json, key, sizeof key)) return false;
        const GltfMember *m = members;
        while (m->key && strcmp(m->key, key) != 0) m++;
        if (m->key ? !m->read(g, (char *)item + m->at) : !carom_json_skip(&g->json)) return false;
    }
    return !g->json.is_bad;
}

// Whole numbers may be written 3.0 or 1e3.
static bool read_whole(caromGltf *g, double most, double *value)
{
    if (!carom_json_double(&g->json, value)) return false;
    if (*value >= 0.0 && *value <= most && *value == floor(*value)) return true;
    return fail(g, "has a number that is negative, too large or not whole where it counts or points somewhere");
}

static bool read_size(caromGltf *g, void *field)
{
    double value;
    if (!read_whole(g, SIZE_MOST, &value)) return false;
    *(uint64_t *)field = (uint64_t)value;
    return true;
}

static bool read_index(caromGltf *g, void *field)
{
    double value;
    if (!read_whole(g, ITEMS_MAX, &value)) return false;
    *(int *)field = (int)value;
    return true;
}

static bool read_bool(caromGltf *g, void *field)
{
    *(bool *)field = carom_json_peek(&g->json) == 't';
    return carom_json_skip(&g->json);
}

// So many numbers, no more and no fewer.
static bool read_numbers(caromGltf *g, double *values, int n)
{
    int got = 0;
    double none;
    if (!carom_json_enter(&g->json, '[')) return fail(g, "expected numbers in brackets");
    for (; carom_json_more(&g->json, ']', got); got++)
        if (!carom_json_double(&g->json, got < n ? &values[got] : &none)) return false;
    return got == n ? !g->json.is_bad : fail(g, "has a list with too few or too many numbers");
}

static bool read_vec3(caromGltf *g, void *field)
{
    double v[3];
    if (!read_numbers(g, v, 3)) return false;
    *(caromVec3 *)field = carom_vec(v[0], v[1], v[2]);
    return true;
}

static bool read_quat(caromGltf *g, void *field)
{
    double q[4];
    if (!read_numbers(g, q, 4)) return false;
    *(caromQuat *)field = (caromQuat){ q[3], q[0], q[1], q[2] };
    return true;
}

static bool read_matrix(caromGltf *g, void *field)
{
    caromGltfNode *node = field;
    node->has_matrix = true;
    return read_numbers(g, node->matrix, 16);
}

// Numbers of nodes, behind all others in links.
static bool read_links(caromGltf *g, int *first, int *n)
{
    *first = g->links.n;
    if (!carom_json_enter(&g->json, '[')) return fail(g, "expected numbers of nodes in brackets");
    for (*n = 0; carom_json_more(&g->json, ']', *n); ++*n) {
        int *link = add(g, &g->links);
        if (!link || !read_index(g, link)) return false;
    }
    return !g->json.is_bad;
}

// ---- items

static bool read_uri(caromGltf *g, void *field)
{
    char **uri = field;
    carom_json_peek(&g->json);
    caromJson ahead = g->json;
    if (!carom_json_string(&ahead, NULL, 0)) return carom_json_skip(&g->json) && fail(g, "the uri is no text");
    size_t room = (size_t)(ahead.at - g->json.at);  // with quotes: enough for the zero
    free(*uri);
    if (!(*uri = malloc(room))) {
        carom_fail(g->draft->err, CAROM_ERR_MEMORY, g->draft->name, "out of memory for a buffer of %zu bytes", room);
        return false;
    }
    return carom_json_string(&g->json, *uri, room);
}

static bool read_buffer(caromGltf *g)
{
    static const GltfMember members[] = { { "uri", read_uri, offsetof(caromGltfBuffer, uri) },
                                      { "byteLength", read_size, offsetof(caromGltfBuffer, length) }, { 0 } };
    caromGltfBuffer *buffer = add(g, &g->buffers);
    return buffer && read_object(g, members, buffer);
}

static bool read_view(caromGltf *g)
{
    static const GltfMember members[] = {
        { "buffer", read_index, offsetof(caromGltfView, buffer) },
        { "byteOffset", read_size, offsetof(caromGltfView, offset) },
        { "byteLength", read_size, offsetof(caromGltfView, length) },
        { "byteStride", read_size, offsetof(caromGltfView, stride) }, { 0 },
    };
    caromGltfView *view = add(g, &g->views);
    if (view) view->buffer = -1;
    return view && read_object(g, members, view);
}

static bool read_type(caromGltf *g, void *field)
{
    static const struct { const char *name; int n; } types[] = {
        { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT2", 4 }, { "MAT3", 9 }, { "MAT4", 16 },
    };
    char name[TYPE_MAX];
    *(int *)field = 0;
    if (!carom_json_string(&g->json, name, sizeof name)) return false;
    for (size_t i = 0; i < sizeof types/sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0) *(int *)field = types[i].n;
    return true;
}

static bool read_sparse_indices(caromGltf *g, void *field)
{
    static const GltfMember members[] = {
        { "bufferView", read_index, offsetof(caromGltfAccessor, index_view) },
        { "byteOffset", read_size, offsetof(caromGltfAccessor, index_offset) },
        { "componentType", read_index, offsetof(caromGltfAccessor, index_type) }, { 0 },
    };
    return read_object(g, members, field);
}

static bool read_sparse_values(caromGltf *g, void *field)
{
    static const GltfMember members[] = { { "bufferView", read_index, offsetof(caromGltfAccessor, value_view) },
                                      { "byteOffset", read_size, offsetof(caromGltfAccessor, value_offset) }, { 0 } };
    return read_object(g, members, field);
}

static bool read_sparse(caromGltf *g, void *field)
{
    static const GltfMember members[] = { { "count", read_size, offsetof(caromGltfAccessor, sparse) },
                                      { "indices", read_sparse_indices, 0 }, { "values", read_sparse_values, 0 },
                                      { 0 } };
    return read_object(g, members, field);
}

static bool read_accessor(caromGltf *g)
{
    static const GltfMember members[] = {
        { "bufferView", read_index, offsetof(caromGltfAccessor, view) },
        { "byteOffset", read_size, offsetof(caromGltfAccessor, offset) },
        { "count", read_size, offsetof(caromGltfAccessor, count) },
        { "componentType", read_index, offsetof(caromGltfAccessor, type) },
        { "type", read_type, offsetof(caromGltfAccessor, components) },
        { "normalized", read_bool, offsetof(caromGltfAccessor, is_normalized) },
        { "sparse", read_sparse, 0 }, { 0 },
    };
    caromGltfAccessor *a = add(g, &g->accessors);
    if (a) a->view = a->index_view = a->value_view = -1;
    return a && read_object(g, members, a);
}

static bool read_attributes(caromGltf *g, void *field)
{
    static const GltfMember members[] = { { "POSITION", read_index, offsetof(caromGltfPrimitive, position) }, { 0 } };
    return read_object(g, members, field);
}

static bool note_draco(caromGltf *g, void *field)
{
    *(bool *)field = true;
    return carom_json_skip(&g->json);
}

static bool read_primitive_extensions(caromGltf *g, void *field)
{
    static const GltfMember members[] = {
        { "KHR_draco_mesh_compression", note_draco, offsetof(caromGltfPrimitive, is_compressed) }, { 0 },
    };
    return read_object(g, members, field);
}

static bool read_primitives(caromGltf *g, void *field)
{
    static const GltfMember members[] = {
        { "attributes", read_attributes, 0 }, { "indices", read_index, offsetof(caromGltfPrimitive, indices) },
        { "mode", read_index, offsetof(caromGltfPrimitive, mode) }, { "extensions", read_primitive_extensions, 0 },
        { 0 },
    };
    caromGltfMesh *mesh = field;
    mesh->first = g->primitives.n;
    if (!carom_json_enter(&g->json, '[')) return fail(g, "expected primitives in brackets");
    for (mesh->n = 0; carom_json_more(&g->json, ']', mesh->n); mesh->n++) {
        caromGltfPrimitive *p = add(g, &g->primitives);
        if (!p) return false;
        *p = (caromGltfPrimitive){ -1, -1, 4, false };
        if (!read_object(g, members, p)) return false;
    }
    return !g->json.is_bad;
}

static bool read_mesh(caromGltf *g)
{
    static const GltfMember members[] = { { "primitives", read_primitives, 0 }, { 0 } };
    caromGltfMesh *mesh = add(g, &g->meshes);
    return mesh && read_object(g, members, mesh);
}

static bool read_children(caromGltf *g, void *field)
{
    caromGltfNode *node = field;
    return read_links(g, &node->first, &node->n);
}

static bool read_node(caromGltf *g)
{
    static const GltfMember members[] = {
        { "mesh", read_index, offsetof(caromGltfNode, mesh) }, { "children", read_children, 0 },
        { "matrix", read_matrix, 0 }, { "translation", read_vec3, offsetof(caromGltfNode, translation) },
        { "rotation", read_quat, offsetof(caromGltfNode, rotation) },
        { "scale", read_vec3, offsetof(caromGltfNode, scale) }, { 0 },
    };
    caromGltfNode *node = add(g, &g->nodes);
    if (!node) return false;
    node->mesh = -1;
    node->scale = carom_vec(1, 1, 1);
    node->rotation = carom_quat_identity();
    if (!read_object(g, members, node)) return false;
    caromQuat q = node->rotation;
    return q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0 || fail(g, "has a rotation of [0, 0, 0, 0]");
}

static bool read_roots(caromGltf *g, void *field)
{
    caromGltfScene *scene = field;
    return read_links(g, &scene->first, &scene->n);
}

static bool read_scene(caromGltf *g)
{
    static const GltfMember members[] = { { "nodes", read_roots, 0 }, { 0 } };
    caromGltfScene *scene = add(g, &g->scenes);
    return scene && read_object(g, members, scene);
}

// ---- the whole

static bool read_items(caromGltf *g, const char *section, bool (*read)(caromGltf *g))
{
    g->section = section;
    g->item = 0;
    if (!carom_json_enter(&g->json, '[')) return fail(g, "expected a list in brackets");
    for (; carom_json_more(&g->json, ']', g->item); g->item++)
        if (!read(g)) return false;
    return !g->json.is_bad;
}

static bool read_buffers(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "buffers", read_buffer);
}

static bool read_views(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "bufferViews", read_view);
}

static bool read_accessors(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "accessors", read_accessor);
}

static bool read_meshes(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "meshes", read_mesh);
}

static bool read_nodes(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "nodes", read_node);
}

static bool read_scenes(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "scenes", read_scene);
}

// What looks and light need is no matter of ours; anything else that is required may change where the surface is.
static bool is_harmless(const char *extension)
{
    static const char *const starts[] = { "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
                                          "KHR_lights_", "KHR_mesh_quantization", "KHR_xmp", "EXT_lights_" };
    for (size_t i = 0; i < sizeof starts/sizeof starts[0]; i++)
        if (strncmp(extension, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

static bool check_extension(caromGltf *g)
{
    char name[KEY_MAX];
    if (!carom_json_string(&g->json, name, sizeof name)) return false;
    if (is_harmless(name)) return true;
    bool is_compressed = strstr(name, "compression") != NULL;
    return carom_meshfile_fail_item(g->draft, g->section, g->item, "needs %.60s, %s", name, is_compressed
                                    ? "which is not read: export it without compression, or decompress it, with "
                                      "'gltf-transform copy in.glb out.glb' say"
                                    : "an extension that is not read: export it without");
}

static bool read_required(caromGltf *g, void *field)
{
    (void)field;
    return read_items(g, "extensionsRequired", check_extension);
}

static bool read_version(caromGltf *g, void *field)
{
    char text[KEY_MAX];
    if (!carom_json_string(&g->json, text, sizeof text)) return false;
    *(double *)field = text[0] >= '1' && text[0] <= '9' && text[1] == '.' ? text[0] - '0' : -1.0;
    return true;
}

static bool read_asset(caromGltf *g, void *field)
{
    static const GltfMember members[] = { { "version", read_version, offsetof(caromGltf, version) }, { 0 } };
    g->section = "asset";
    g->item = 0;
    return read_object(g, members, field);
}

static bool fail_syntax(const caromGltf *g, const char *start)
{
    int line = 1;
    const char *bad = g->json.bad_at, *line_start = start;
    for (const char *c = start; c < bad; c++) {
        if (*c != '\n') continue;
        line++;
        line_start = c + 1;
    }
    return carom_meshfile_fail_line(g->draft, line, "is not JSON from column %zu on: the file was cut off, or is "
                                        "damaged",
                                    (size_t)(bad - line_start) + 1);
}

bool carom_meshfile_gltf_json(caromGltf *g)
{
    static const GltfMember members[] = {
        { "asset", read_asset, 0 }, { "extensionsRequired", read_required, 0 }, { "buffers", read_buffers, 0 },
        { "bufferViews", read_views, 0 }, { "accessors", read_accessors, 0 }, { "meshes", read_meshes, 0 },
        { "nodes", read_nodes, 0 }, { "scenes", read_scenes, 0 },
        { "scene", read_index, offsetof(caromGltf, scene) }, { 0 },
    };
    const char *start = g->json.at;
    g->buffers.size = sizeof(caromGltfBuffer), g->views.size = sizeof(caromGltfView);
    g->accessors.size = sizeof(caromGltfAccessor), g->primitives.size = sizeof(caromGltfPrimitive);
    g->meshes.size = sizeof(caromGltfMesh), g->nodes.size = sizeof(caromGltfNode);
    g->scenes.size = sizeof(caromGltfScene), g->links.size = sizeof(int);
    g->section = "scene";
    if (!read_object(g, members, g)) return g->json.is_bad ? fail_syntax(g, start) : false;
    if (g->version >= 2.0 && g->version < 3.0) return true;
    g->item = 0;
    g->section = "asset";
    return fail(g, g->version == 1.0 ? "is glTF 1.0, expected 2.0: convert it, with 'gltf-transform' or Blender say"
                                     : "has no version '2.0': is this a glTF file?");
}

void carom_meshfile_gltf_free(caromGltf *g)
{
    for (int i = 0; i < g->buffers.n; i++) {
        free(carom_meshfile_buffer(g, i)->uri);
        free(carom_meshfile_buffer(g, i)->own);
    }
    caromGltfList *lists[] = { &g->buffers, &g->views, &g->accessors, &g->primitives, &g->meshes, &g->nodes,
                               &g->scenes, &g->links };
    for (size_t i = 0; i < sizeof lists/sizeof lists[0]; i++) free(lists[i]->items);
}
