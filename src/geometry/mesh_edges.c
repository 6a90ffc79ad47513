// Edges by sorting half-edges: linear in their number whatever the mesh is like, and the order depends on the input
// only.
#include "geometry/mesh.h"

#include <string.h>

#include "base/base.h"

void carom_geometry_counting_sort(int *items, int *spare, int n, const int *key_of_item, int nkey, int *count)
{
    memset(count, 0, ((size_t)nkey + 1)*sizeof *count);
    for (int i = 0; i < n; i++) count[key_of_item[items[i]] + 1]++;
    for (int k = 0; k < nkey; k++) count[k + 1] += count[k];
    for (int i = 0; i < n; i++) spare[count[key_of_item[items[i]]]++] = items[i];
    memcpy(items, spare, (size_t)n*sizeof *items);
}

static void mark_edges(caromMeshEdges *edges, int nhalf, const int *low, const int *high)
{
    for (int i = 0; i < nhalf; i++) {
        int h = edges->half[i], before = i > 0 ? edges->half[i - 1] : -1;
        if (i == 0 || low[h] != low[before] || high[h] != high[before]) edges->first[edges->n++] = i;
    }
    edges->first[edges->n] = nhalf;
}

bool carom_mesh_edges_find(const caromMesh *mesh, caromMeshEdges *edges)
{
    int nhalf = 3*mesh->ntriangle;
    size_t size = (size_t)nhalf;
    *edges = (caromMeshEdges){ carom_alloc_array(size, sizeof(int)), carom_alloc_array(size + 1, sizeof(int)), 0 };
    int *low = carom_alloc_array(size, sizeof *low), *high = carom_alloc_array(size, sizeof *high);
    int *spare = carom_alloc_array(size, sizeof *spare),
        *count = carom_alloc_array((size_t)mesh->nvertex + 1, sizeof *count);
    bool good = edges->half && edges->first && low && high && spare && count;
    if (good) {
        for (int h = 0; h < nhalf; h++) {
            int a = mesh->triangles[h/3][h%3], b = mesh->triangles[h/3][(h%3 + 1)%3];
            edges->half[h] = h;
            low[h] = a < b ? a : b;
            high[h] = a < b ? b : a;
        }
        carom_geometry_counting_sort(edges->half, spare, nhalf, high, mesh->nvertex, count);
        carom_geometry_counting_sort(edges->half, spare, nhalf, low, mesh->nvertex, count);
        mark_edges(edges, nhalf, low, high);
    } else carom_mesh_edges_free(edges);
    free(low);
    free(high);
    free(spare);
    free(count);
    return good;
}

void carom_mesh_edges_free(caromMeshEdges *edges)
{
    free(edges->half);
    free(edges->first);
    *edges = (caromMeshEdges){ 0 };
}
