// The shape heightfield: a grid of heights, in the model file or in a file of its own, made a closed mesh.
#include <string.h>

#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "modelfile/heights.h"
#include "modelfile/meshcache.h"

// ---- the key heights

// The second row and all others have as many as the first.
static bool is_grid(caromReader *r, int node, int nx)
{
    for (int c = r->tree.nodes[node].first, row = 1; c >= 0; c = r->tree.nodes[c].next, row++) {
        const caromNode *list = &r->tree.nodes[c];
        if (list->is_wrong) return false;
        if (list->kind == CAROM_NODE_LIST && list->count == nx) continue;
        if (list->kind != CAROM_NODE_LIST)
            carom_modelfile_reader_error(r, c, CAROM_AT_VALUE, "expected a list of heights, row %d of the grid", row);
        else
            carom_modelfile_reader_error(r, c, CAROM_AT_VALUE, "row %d has %d heights, the first one %d", row,
                                         list->count, nx);
        return false;
    }
    return true;
}

void carom_modelfile_read_heights(caromReader *r, int node, const caromKey *key, caromHeights *heights)
{
    const caromNode *list = &r->tree.nodes[node];
    int ny = list->kind == CAROM_NODE_LIST ? list->count : 0, nx = ny > 0 ? r->tree.nodes[list->first].count : 0;
    if (ny < 2 || (r->tree.nodes[list->first].kind == CAROM_NODE_LIST && nx < 2)) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected two or more rows of two or more heights, such "
                                     "as %s", key->example);
        return;
    }
    if (!is_grid(r, node, nx)) return;
    double *h = malloc((size_t)nx*(size_t)ny*sizeof *h);
    bool is_good = h != NULL;
    r->out_of_memory = r->out_of_memory || !h;
    for (int c = r->tree.nodes[node].first, n = 0; h && c >= 0; c = r->tree.nodes[c].next)
        for (int e = r->tree.nodes[c].first; e >= 0; e = r->tree.nodes[e].next)
            is_good &= carom_modelfile_read_number(r, e, key->dim, NULL, &h[n++]);
    if (is_good) {
        free(heights->h);
        *heights = (caromHeights){ h, nx, ny };
    } else free(h);
}

// ---- the shape

static bool read_file(caromReader *r, int node, caromShapeDraft *d)
{
    int file = carom_modelfile_tree_child(&r->tree, node, "file", 4);
    caromError err = { 0 };
    if (!r->path) {
        carom_modelfile_reader_error(r, file, CAROM_AT_VALUE, "no file is opened for a model that is read from memory: "
                                     "give the model's path, see carom_modelfile_read_from");
        return false;
    }
    const char *path = carom_modelfile_beside(r, d->file);
    if (!path) r->out_of_memory = true;
    if (!path || !carom_modelfile_heights_read(path, &d->heights, &err)) {
        if (path) carom_modelfile_reader_error(r, file, CAROM_AT_VALUE, "%s: %s", err.where, err.message);
        return false;
    }
    for (int i = 0; i < d->heights.nx*d->heights.ny; i++) d->heights.h[i] *= d->height;
    return true;
}

// A tenth of its longer side, unless the model says.
static double depth_of(const caromShapeDraft *d)
{
    int longer = d->heights.nx > d->heights.ny ? d->heights.nx : d->heights.ny;
    return isnan(d->depth) ? 0.1*d->cell*(longer - 1) : d->depth;
}

// Finished ones are kept as meshes of files are: by what they are made of.
static caromMesh *make(const caromShapeDraft *d, caromError *err)
{
    struct { char kind[16]; double cell, depth; int nx, ny; } head = { "heightfield", d->cell, depth_of(d),
                                                                       d->heights.nx, d->heights.ny };
    caromHeightfield field = { d->heights.h, d->heights.nx, d->heights.ny, d->cell, head.depth };
    size_t nh = (size_t)field.nx*(size_t)field.ny*sizeof *d->heights.h, n = sizeof head + nh;
    char *bytes = n < CAROM_MESHCACHE_LEAST ? NULL : malloc(n);
    if (!bytes) return carom_mesh_heightfield(&field, NULL, err);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, d->heights.h, nh);
    caromMeshKey key = carom_meshfile_cache_key(bytes, n, 1.0);
    free(bytes);
    caromMesh *mesh = carom_meshfile_cache_find(NULL, key);
    if (mesh) return mesh;
    mesh = carom_mesh_heightfield(&field, NULL, err);
    if (mesh) carom_meshfile_cache_keep(NULL, key, mesh, CAROM_MESHCACHE_BYTES_MAX);
    return mesh;
}

bool carom_modelfile_finish_heightfield(caromReader *r, int node, caromShapeDraft *d)
{
    caromError err = { 0 };
    if (r->problems->truncated && r->problems->errors > 0) return false;
    if (isnan(d->cell) || (d->file && isnan(d->height))) return false;  // reported
    if (d->file && (d->heights.h || !read_file(r, node, d))) return false;  // both: reported
    if (!d->heights.h) return false;
    caromMesh *mesh = make(d, &err);
    if (mesh) {
        d->def.shape = carom_shape_mesh(mesh);
        return true;
    }
    int at = carom_modelfile_tree_child(&r->tree, node, err.where, strlen(err.where));
    if (err.status == CAROM_ERR_MEMORY) r->out_of_memory = true;
    else
        carom_modelfile_reader_error(r, at >= 0 ? at : node, CAROM_AT_VALUE, "%s%s%s", at >= 0 ? "" : err.where,
                                     at >= 0 || !err.where[0] ? "" : " ", err.message);
    return false;
}
