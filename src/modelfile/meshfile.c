#include "modelfile/meshfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "geometry/mesh.h"
#include "modelfile/meshcache.h"
#include "modelfile/modelfile.h"

// Of a long path the end is kept, which has the name of the file.
static bool fail_at(caromMeshDraft *draft, const char *place, const char *format, va_list args)
{
    enum { PATH_KEPT = 110 };
    char where[sizeof draft->err->where], message[sizeof draft->err->message];
    size_t n = strlen(draft->name);
    snprintf(where, sizeof where, "%s%s%s", n > PATH_KEPT ? "..." : "",
             draft->name + (n > PATH_KEPT ? n - PATH_KEPT : 0), place);
    vsnprintf(message, sizeof message, format, args);
    carom_fail(draft->err, CAROM_ERR_FILE, where, "%s", message);
    return false;
}

bool carom_meshfile_fail_line(caromMeshDraft *draft, int line, const char *format, ...)
{
    char place[32];
    va_list args;
    snprintf(place, sizeof place, ":%d", line);
    va_start(args, format);
    fail_at(draft, place, format, args);
    va_end(args);
    return false;
}

bool carom_meshfile_fail_place(caromMeshDraft *draft, const char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(draft, place, format, args);
    va_end(args);
    return false;
}

bool carom_meshfile_fail_item(caromMeshDraft *draft, const char *list, int item, const char *format, ...)
{
    char place[64];
    va_list args;
    snprintf(place, sizeof place, ", %s[%d]", list, item);
    va_start(args, format);
    fail_at(draft, place, format, args);
    va_end(args);
    return false;
}

bool carom_meshfile_fail_face(caromMeshDraft *draft, int number, const char *format, ...)
{
    char place[32];
    va_list args;
    snprintf(place, sizeof place, draft->counts_faces ? ", face %d" : ":%d", number);
    va_start(args, format);
    fail_at(draft, place, format, args);
    va_end(args);
    return false;
}

bool carom_meshfile_fail_byte(caromMeshDraft *draft, size_t byte, const char *format, ...)
{
    char place[40];
    va_list args;
    snprintf(place, sizeof place, ", byte %zu", byte);
    va_start(args, format);
    fail_at(draft, place, format, args);
    va_end(args);
    return false;
}

static bool fail_memory(const caromMeshDraft *draft)
{
    carom_fail(draft->err, CAROM_ERR_MEMORY, draft->name, "out of memory at %d triangles", draft->ntriangle);
    return false;
}

bool carom_meshfile_is_near(caromVec3 p)
{
    return fabs(p.x) <= CAROM_MESH_SIZE_MAX && fabs(p.y) <= CAROM_MESH_SIZE_MAX && fabs(p.z) <= CAROM_MESH_SIZE_MAX;
}

static bool grow(void **items, size_t size, int capacity)
{
    void *moved = realloc(*items, size*(size_t)capacity);
    if (!moved) return false;
    *items = moved;
    return true;
}

// Capacities at most double what is there, which the size of the file bounds: a vertex takes 8 bytes of it, a triangle
// 2.
bool carom_meshfile_add_vertex(caromMeshDraft *draft, caromVec3 p)
{
    if (draft->nvertex == draft->vertex_capacity) {
        int capacity = draft->nvertex < 64 ? 64 : 2*draft->nvertex;
        void *vertices = draft->vertices;
        if (!grow(&vertices, sizeof *draft->vertices, capacity)) return fail_memory(draft);
        draft->vertices = vertices;
        draft->vertex_capacity = capacity;
    }
    draft->vertices[draft->nvertex++] = p;
    return true;
}

bool carom_meshfile_add_triangle(caromMeshDraft *draft, int a, int b, int c, int line)
{
    if (draft->ntriangle == CAROM_MESH_TRIANGLES_MAX)
        return carom_meshfile_fail_line(draft, line, "has more than the limit of %d triangles: make it coarser",
                                        CAROM_MESH_TRIANGLES_MAX);
    if (draft->ntriangle == draft->triangle_capacity) {
        int capacity = draft->ntriangle < 64 ? 64 : 2*draft->ntriangle;
        void *triangles = draft->triangles, *lines = draft->lines;
        bool good = grow(&triangles, sizeof *draft->triangles, capacity);
        draft->triangles = triangles;
        good = good && grow(&lines, sizeof *draft->lines, capacity);
        draft->lines = lines;
        if (!good) return fail_memory(draft);
        draft->triangle_capacity = capacity;
    }
    int *v = draft->triangles[draft->ntriangle];
    v[0] = a, v[1] = b, v[2] = c;
    draft->lines[draft->ntriangle++] = line;
    return true;
}

// The content decides, in this order. The size of a binary STL file first, as it may start with anything and nothing
// else looks like a count that fits; text is OBJ if it is nothing else.
static const caromMeshReader *const readers[] = {
    &carom_meshfile_reader_stl_sized, &carom_meshfile_reader_ply,      &carom_meshfile_reader_glb,
    &carom_meshfile_reader_3mf,       &carom_meshfile_reader_stl_binary, &carom_meshfile_reader_stl_text,
    &carom_meshfile_reader_gltf,      &carom_meshfile_reader_obj,
};
enum { READERS = sizeof readers/sizeof readers[0] };

static const caromMeshReader *reader_of(const caromMeshDraft *draft)
{
    int i = 0;
    while (i < READERS - 1 && !readers[i]->is_mine(draft)) i++;
    return readers[i];
}

static bool read_draft(caromMeshDraft *draft)
{
    if (draft->length == 0)
        return carom_meshfile_fail_line(draft, 1, "is empty: expected a mesh, as " CAROM_MESH_FORMATS);
    return reader_of(draft)->read(draft);
}

static caromMesh *create(const caromMeshDraft *draft, caromMeshReport *report)
{
    caromMesh *mesh = carom_mesh_create(draft->vertices, draft->nvertex, (const int (*)[3])draft->triangles,
                                        draft->ntriangle, report, draft->err);
    if (!mesh && draft->err->where[0] == '\0') snprintf(draft->err->where, sizeof draft->err->where, "%s", draft->name);
    if (!mesh) return NULL;
    mesh->report.bytes_ignored = report->bytes_ignored = draft->bytes_ignored;
    mesh->report.unit = report->unit = draft->unit;
    return mesh;
}

static caromMesh *parse(caromMeshDraft *draft, caromMeshReport *report)
{
    caromMeshReport own_report;
    caromError own_err;
    if (!draft->err) draft->err = &own_err;
    if (!report) report = &own_report;
    *report = (caromMeshReport){ 0 };
    caromMesh *mesh = NULL;
    if (!(draft->scale > 0.0) || !isfinite(draft->scale))
        carom_fail(draft->err, CAROM_ERR_INPUT, "scale", "is %g, expected a positive number, say 0.001 for millimetres",
                   draft->scale);
    else if (read_draft(draft)) mesh = create(draft, report);
    free(draft->vertices);
    free(draft->triangles);
    free(draft->lines);
    return mesh;
}

caromMesh *carom_meshfile_parse(const char *bytes, size_t length, const char *name, double scale,
                                caromMeshReport *report, caromError *err)
{
    caromMeshDraft draft = { .name = name, .bytes = bytes, .length = length, .scale = scale, .err = err };
    return parse(&draft, report);
}

// A file of zeros may have 1 GiB and nothing in it.
static caromStatus look(int file, const char *path, size_t size, caromError *err)
{
    char start[CAROM_MESHFILE_START];
    caromError own_err;
    size_t n = size < sizeof start ? size : sizeof start;
    caromMeshDraft draft = { .name = path, .bytes = start, .length = size, .err = err ? err : &own_err };
    if (n == 0 || pread(file, start, n, 0) != (ssize_t)n) return CAROM_OK;
    const caromMeshReader *reader = reader_of(&draft);
    return !reader->look || reader->look(&draft, file) ? CAROM_OK : draft.err->status;
}

static bool load(const char *path, char **bytes, size_t *length, caromMeshReport *report, caromError *err)
{
    static const caromFileKind kind = { "a mesh file, " CAROM_MESH_FORMATS, CAROM_MESH_BYTES_MAX, look };
    if (report) *report = (caromMeshReport){ 0 };
    return carom_modelfile_load_file(path, &kind, bytes, length, err) == CAROM_OK;
}

// Standard input is in no folder.
static caromMeshDraft draft_of(const char *path, double scale, caromError *err)
{
    bool is_standard = strcmp(path, "-") == 0;
    return (caromMeshDraft){ .name = is_standard ? "standard input" : path, .path = is_standard ? NULL : path,
                             .scale = scale, .err = err };
}

caromMesh *carom_meshfile_read(const char *path, double scale, caromMeshReport *report, caromError *err)
{
    char *bytes;
    caromMeshDraft draft = draft_of(path, scale, err);
    if (!load(path, &bytes, &draft.length, report, err)) return NULL;
    draft.bytes = bytes;
    caromMesh *mesh = parse(&draft, report);
    free(bytes);
    return mesh;
}

// A mesh of several files is not kept: the cache knows the content of this one only.
caromMesh *carom_meshfile_read_cached(const char *path, double scale, const char *cache_folder, caromMeshReport *report,
                                      caromError *err)
{
    char *bytes;
    caromMeshDraft draft = draft_of(path, scale, err);
    if (!load(path, &bytes, &draft.length, report, err)) return NULL;
    draft.bytes = bytes;
    bool is_small = draft.length < CAROM_MESHCACHE_LEAST;
    caromMeshKey key = is_small ? (caromMeshKey){ 0 } : carom_meshfile_cache_key(bytes, draft.length, scale);
    caromMesh *mesh = is_small ? NULL : carom_meshfile_cache_find(cache_folder, key);
    if (mesh && report) *report = mesh->report;
    if (!mesh) {
        mesh = parse(&draft, report);
        if (mesh && !is_small && !draft.has_other_files)
            carom_meshfile_cache_keep(cache_folder, key, mesh, CAROM_MESHCACHE_BYTES_MAX);
    }
    free(bytes);
    return mesh;
}
