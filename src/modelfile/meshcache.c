// A cache file is a header and the bytes of a mesh (geometry/mesh_store.c). Its name is the hash of the content, the
// scale and the version, so that nothing is ever changed or out of date: files come, by renaming one that is complete,
// and go. Two processes that make the same mesh write the same file. There is no fsync: a file that a power failure has
// torn does not have its checksum, and is made again.
//
// The hash is XXH3 with 128 bits [Collet], from libxxhash: 10 GB/s and no accidental collisions in this universe.
// It is not proof against somebody who makes two files with the same hash on purpose; who can write the user's
// files has easier ways.
#include "modelfile/meshcache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL  // nothing to link, and nothing for users of the static library to find
#include <xxhash.h>

#include "geometry/mesh.h"
#include "modelfile/modelfile.h"

typedef struct Header {
    char magic[8];
    uint32_t layout, order;  // order: shows that bytes are the other way round
    caromMeshKey key;
    uint64_t length;         // of the mesh behind it
    uint64_t checksum;       // of the mesh
} Header;

static const char magic[8] = { 'c', 'a', 'r', 'o', 'm', 'M', 'C', '\n' };
enum { ORDER = 0x01020304, NAME = 37 };  // 32 hex digits and ".mesh"

caromMeshKey carom_meshfile_cache_key(const void *bytes, size_t length, double scale)
{
    struct { uint32_t layout, order; double scale; XXH128_hash_t content; } all = { CAROM_MESH_LAYOUT, ORDER, scale,
                                                                                    XXH3_128bits(bytes, length) };
    XXH128_hash_t hash = XXH3_128bits(&all, sizeof all);
    return (caromMeshKey){ hash.low64, hash.high64 };
}

caromMesh *carom_meshfile_cache_parse(void **bytes, size_t length, caromMeshKey key)
{
    Header h;
    const char *mesh = (const char *)*bytes + sizeof h;
    if (length < sizeof h) return NULL;
    memcpy(&h, *bytes, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.layout != CAROM_MESH_LAYOUT || h.order != ORDER ||
        h.key.low != key.low || h.key.high != key.high) return NULL;
    if (h.length != length - sizeof h || h.checksum != XXH3_64bits(mesh, length - sizeof h)) return NULL;
    return carom_mesh_from_bytes(bytes, sizeof h, length);
}

// ---- where

typedef struct CachePath { char text[1024]; } CachePath;

// False: there is none, or it is too long.
static bool default_folder(CachePath *folder)
{
    const char *own = getenv("CAROM_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (own) n = snprintf(folder->text, sizeof folder->text, "%s", own);
    // Relative ones are to be ignored.
    else if (xdg && xdg[0] == '/') n = snprintf(folder->text, sizeof folder->text, "%s/carom", xdg);
    else if (home && home[0] == '/') n = snprintf(folder->text, sizeof folder->text, "%s/.cache/carom", home);
    return n > 0 && n < (int)sizeof folder->text;
}

static bool find_folder(const char *given, CachePath *folder)
{
    if (!given) return default_folder(folder);
    int n = snprintf(folder->text, sizeof folder->text, "%s", given);
    return n > 0 && n < (int)sizeof folder->text;
}

static bool path_in(const CachePath *folder, const char *name, CachePath *path)
{
    int n = snprintf(path->text, sizeof path->text, "%s/%s", folder->text, name);
    return n > 0 && n < (int)sizeof path->text;
}

static bool path_of(const CachePath *folder, caromMeshKey key, CachePath *path)
{
    char name[NAME + 1];
    snprintf(name, sizeof name, "%016llx%016llx.mesh", (unsigned long long)key.high, (unsigned long long)key.low);
    return path_in(folder, name, path);
}

// With the folders above it, for the user alone.
static bool make_folder(const CachePath *folder)
{
    CachePath part = *folder;
    for (char *slash = strchr(part.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part.text, 0700) != 0 && errno != EEXIST) return false;
        *slash = '/';
    }
    return mkdir(part.text, 0700) == 0 || errno == EEXIST;
}

// ---- reading

static bool read_all(int file, char *bytes, size_t length)
{
    size_t n = 0;
    while (n < length) {
        ssize_t got = read(file, bytes + n, length - n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        n += (size_t)got;
    }
    return true;
}

// What others own is not believed.
static void *load(int file, size_t *length)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() || info.st_size <= 0 ||
        info.st_size > CAROM_MESHCACHE_BYTES_MAX) return NULL;
    *length = (size_t)info.st_size;
    char *bytes = malloc(*length);
    if (bytes && read_all(file, bytes, *length)) return bytes;
    free(bytes);
    return NULL;
}

// A file that was of use is marked as used now; one that was of none is replaced when its mesh has been made.
caromMesh *carom_meshfile_cache_find(const char *given, caromMeshKey key)
{
    CachePath folder, path;
    if (!find_folder(given, &folder) || !path_of(&folder, key, &path)) return NULL;
    int file = open(path.text, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return NULL;
    size_t length = 0;
    void *bytes = load(file, &length);
    caromMesh *mesh = bytes ? carom_meshfile_cache_parse(&bytes, length, key) : NULL;
    if (mesh) futimens(file, NULL);
    close(file);
    free(bytes);
    return mesh;
}

// ---- what is there

typedef struct CacheEntry {
    char name[NAME + 1];
    struct timespec used;
    int64_t bytes;
} CacheEntry;

typedef struct Entries {
    CacheEntry *items;
    size_t n, capacity;
    int64_t bytes;
} Entries;

static bool is_ours(const char *name)
{
    return strlen(name) == NAME && strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, ".mesh") == 0;
}

static bool is_unfinished(const char *name)
{
    return strncmp(name, "new-", 4) == 0 && strlen(name) == 10;
}

static bool add_entry(Entries *all, const char *name, const struct stat *info)
{
    if (all->n == all->capacity) {
        size_t capacity = all->capacity ? 2*all->capacity : 64;
        CacheEntry *larger = realloc(all->items, capacity*sizeof *larger);
        if (!larger) return false;
        all->items = larger;
        all->capacity = capacity;
    }
    CacheEntry *e = &all->items[all->n++];
    memcpy(e->name, name, NAME + 1);
    e->used = info->st_mtim;
    e->bytes = info->st_size;
    all->bytes += info->st_size;
    return true;
}

// What a process left behind when it was killed goes after an hour.
static void look_at(Entries *all, const CachePath *folder, const char *name)
{
    enum { AN_HOUR = 3600 };
    CachePath path;
    struct stat info;
    if (!(is_ours(name) || is_unfinished(name)) || !path_in(folder, name, &path) || lstat(path.text, &info) != 0 ||
        !S_ISREG(info.st_mode)) return;
    if (is_ours(name)) add_entry(all, name, &info);
    else if (time(NULL) - info.st_mtim.tv_sec > AN_HOUR) unlink(path.text);
}

static int compare_use(const void *a, const void *b)
{
    const CacheEntry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Least recently used first, until a new one fits.
static void make_room(const CachePath *folder, int64_t bytes_max)
{
    Entries all = { 0 };
    DIR *dir = opendir(folder->text);
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) look_at(&all, folder, entry->d_name);
    closedir(dir);
    if (all.bytes > bytes_max) qsort(all.items, all.n, sizeof *all.items, compare_use);
    for (size_t i = 0; i < all.n && all.bytes > bytes_max; i++) {
        CachePath path;
        if (path_in(folder, all.items[i].name, &path)) unlink(path.text);
        all.bytes -= all.items[i].bytes;
    }
    free(all.items);
}

// ---- writing

static bool write_all(int file, const char *bytes, size_t length)
{
    size_t n = 0;
    while (n < length) {
        ssize_t put = write(file, bytes + n, length - n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        n += (size_t)put;
    }
    return true;
}

// Under a name of its own first: whoever looks for it finds all of it or nothing.
static void write_file(const CachePath *folder, const CachePath *path, const char *bytes, size_t length)
{
    CachePath temporary;
    if (!path_in(folder, "new-XXXXXX", &temporary)) return;
    int file = mkstemp(temporary.text);
    if (file < 0) return;
    fcntl(file, F_SETFD, FD_CLOEXEC);
    bool good = write_all(file, bytes, length);
    good = close(file) == 0 && good;
    if (!good || rename(temporary.text, path->text) != 0) unlink(temporary.text);
}

void carom_meshfile_cache_keep(const char *given, caromMeshKey key, const caromMesh *mesh, size_t bytes_max)
{
    CachePath folder, path;
    size_t length;
    if (!find_folder(given, &folder) || !path_of(&folder, key, &path) || !make_folder(&folder)) return;
    char *bytes = carom_mesh_to_bytes(mesh, sizeof(Header), &length);
    if (bytes && length <= bytes_max/2) {
        Header h = { .layout = CAROM_MESH_LAYOUT, .order = ORDER, .key = key, .length = length - sizeof h };
        memcpy(h.magic, magic, sizeof magic);
        h.checksum = XXH3_64bits(bytes + sizeof h, length - sizeof h);
        memcpy(bytes, &h, sizeof h);
        make_room(&folder, (int64_t)(bytes_max - length));
        write_file(&folder, &path, bytes, length);
    }
    free(bytes);
}
