// Finished meshes in a folder, by what they were made from.
#ifndef CAROM_SRC_MESHCACHE_H
#define CAROM_SRC_MESHCACHE_H

#include "carom/mesh.h"

typedef struct caromMeshKey { uint64_t low, high; } caromMeshKey;

// Files below this are parsed as quickly as they are looked up; of what a folder has, the part above the limit goes,
// least recently used first.
enum { CAROM_MESHCACHE_LEAST = 1 << 14, CAROM_MESHCACHE_BYTES_MAX = 1 << 30 };

caromMeshKey carom_meshfile_cache_key(const void *bytes, size_t length, double scale);

// The mesh in the bytes of a cache file; NULL: damaged, of another version, of other content, or out of memory. If
// bytes are NULL afterwards the mesh has taken them over.
caromMesh *carom_meshfile_cache_parse(void **bytes, size_t length, caromMeshKey key);

// folder NULL: $CAROM_CACHE_DIR, or $XDG_CACHE_HOME/carom, or ~/.cache/carom; none if $CAROM_CACHE_DIR is empty.
// Whatever goes wrong is silent: it is but a cache.
caromMesh *carom_meshfile_cache_find(const char *folder, caromMeshKey key);
void carom_meshfile_cache_keep(const char *folder, caromMeshKey key, const caromMesh *mesh, size_t bytes_max);

#endif
