// glTF 2.0 [glTF21]: JSON that names buffers of bytes, accessors into them, meshes and a tree of nodes that place
// them.
//
//     JSON --meshfile_gltf_json.c--> caromGltf; accessors --meshfile_gltf_buffer.c--> numbers;
//     nodes --meshfile_gltf.c--> draft
#ifndef CAROM_SRC_MESHFILE_GLTF_H
#define CAROM_SRC_MESHFILE_GLTF_H

#include "base/json.h"
#include "modelfile/meshfile.h"

typedef struct caromGltfBuffer {
    char *uri;             // malloc'ed; NULL: the chunk behind the JSON of a GLB file
    uint64_t length;
    const char *bytes;     // NULL: not asked for yet
    char *own;             // malloc'ed, if they are not in the file; uri, where it was decoded in place
} caromGltfBuffer;

typedef struct caromGltfView {
    int buffer;
    uint64_t offset, length, stride;  // stride 0: values are packed
} caromGltfView;

typedef struct caromGltfAccessor {
    int view;              // -1: zeros
    uint64_t offset, count;
    int type, components;  // of componentType; numbers to a value
    bool is_normalized;
    // Sparse: values that replace others.
    uint64_t sparse;       // how many; 0: it is not
    int index_view, index_type, value_view;
    uint64_t index_offset, value_offset;
} caromGltfAccessor;

typedef struct caromGltfPrimitive {
    int position, indices, mode;
    bool is_compressed;    // by Draco
} caromGltfPrimitive;

typedef struct caromGltfMesh {
    int first, n;          // primitives
} caromGltfMesh;

// p in the frame of the parent is R p + t; R may scale and mirror.
typedef struct caromGltfPlace {
    caromMat3 R;
    caromVec3 t;
} caromGltfPlace;

typedef struct caromGltfNode {
    int mesh, first, n;    // children, in links
    caromGltfPlace place;
    caromVec3 scale, translation;
    caromQuat rotation;
    double matrix[16];
    bool has_matrix;
    bool is_child, is_seen;
} caromGltfNode;

typedef struct caromGltfScene {
    int first, n;          // roots, in links
} caromGltfScene;

// Items of a size each, found by number.
typedef struct caromGltfList {
    void *items;
    int n, capacity;
    size_t size;
} caromGltfList;

typedef struct caromGltf {
    caromMeshDraft *draft;
    caromJson json;
    const char *section;   // of the JSON that is being read, and its item, for messages
    int item;
    const char *chunk;     // behind the JSON of a GLB file; NULL: there is none
    size_t chunk_length;
    caromGltfList buffers, views, accessors, primitives, meshes, nodes, scenes, links;
    int scene;             // -1: the first
    double version;        // 0: it does not say
    uint64_t loaded;       // bytes of buffers
    int placed;            // primitives, by all nodes
} caromGltf;

static inline caromGltfBuffer *carom_meshfile_buffer(const caromGltf *g, int i)
{
    return (caromGltfBuffer *)g->buffers.items + i;
}

static inline caromGltfView *carom_meshfile_view(const caromGltf *g, int i)
{
    return (caromGltfView *)g->views.items + i;
}

static inline caromGltfAccessor *carom_meshfile_accessor(const caromGltf *g, int i)
{
    return (caromGltfAccessor *)g->accessors.items + i;
}

static inline caromGltfPrimitive *carom_meshfile_primitive(const caromGltf *g, int i)
{
    return (caromGltfPrimitive *)g->primitives.items + i;
}

static inline caromGltfMesh *carom_meshfile_gltf_mesh(const caromGltf *g, int i)
{
    return (caromGltfMesh *)g->meshes.items + i;
}

static inline caromGltfNode *carom_meshfile_node(const caromGltf *g, int i)
{
    return (caromGltfNode *)g->nodes.items + i;
}

static inline int carom_meshfile_link(const caromGltf *g, int i)
{
    return ((const int *)g->links.items)[i];
}

// All false: failed, and said so in draft->err.
bool carom_meshfile_gltf_json(caromGltf *g);
void carom_meshfile_gltf_free(caromGltf *g);

// Numbers of an accessor that was checked, one value after the other.
typedef struct caromGltfValues {
    const caromGltfAccessor *accessor;
    const char *at;         // of the first value; NULL: zeros
    uint64_t stride;
    const char *indices, *values;  // of its sparse part
    uint64_t next;          // of the sparse part
} caromGltfValues;
bool carom_meshfile_gltf_open(caromGltf *g, int accessor, caromGltfValues *values);
// Values are asked for from the first to the last, each once.
void carom_meshfile_gltf_value(caromGltfValues *values, uint64_t i, double *numbers);

#endif
