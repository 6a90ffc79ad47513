// Bytes of buffers, and the numbers of accessors in them. A buffer is the chunk behind the JSON of a GLB file, base64
// within it, or a file in the same folder or below it.
#include <string.h>

#include "base/base.h"
#include "modelfile/meshfile_gltf.h"
#include "modelfile/modelfile.h"

// ---- buffers

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// In place: what is written never overtakes what is read. -1: it is not base64.
static int64_t decode(char *text)
{
    const char *c = text;
    int64_t n = 0;
    uint32_t bits = 0;
    int nbit = 0;
    for (int digit; (digit = digit_of(*c)) >= 0; c++) {
        bits = (bits << 6 | (uint32_t)digit) & 0xffffff;
        if ((nbit += 6) < 8) continue;
        nbit -= 8;
        text[n++] = (char)(bits >> nbit);
    }
    return c[strspn(c, "=")] == '\0' ? n : -1;
}

static bool fail(caromGltf *g, const char *list, int i, const char *what)
{
    return carom_meshfile_fail_item(g->draft, list, i, "%s", what);
}

static bool read_data(caromGltf *g, int i, caromGltfBuffer *buffer, size_t *length)
{
    char *start = strstr(buffer->uri, ";base64,");
    if (!start) return fail(g, "buffers", i, "the data in its uri is not base64");
    int64_t n = decode(start + strlen(";base64,"));
    if (n < 0) return fail(g, "buffers", i, "the base64 in its uri is damaged");
    buffer->bytes = start + strlen(";base64,");
    *length = (size_t)n;
    return true;
}

static int hex_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                                                                     : -1;
}

// "a%20part.bin", in place.
static void decode_percent(char *uri)
{
    char *to = uri;
    for (const char *c = uri; *c; c++) {
        bool is_code = *c == '%' && hex_of(c[1]) >= 0 && hex_of(c[2]) >= 0;
        *to++ = is_code ? (char)(16*hex_of(c[1]) + hex_of(c[2])) : *c;
        if (is_code) c += 2;
    }
    *to = '\0';
}

// A file that comes from a stranger names what is beside it or below, nothing else.
static bool is_confined(const char *name)
{
    if (name[0] == '\0' || name[0] == '/' || strchr(name, ':') || strchr(name, '\\')) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        if (*part == '/') part++;
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
    }
    return true;
}

static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t nfolder = slash ? (size_t)(slash - path) + 1 : 0, nname = strlen(name);
    char *joined = malloc(nfolder + nname + 3);
    if (!joined) return NULL;
    bool is_dash = nfolder == 0 && strcmp(name, "-") == 0;  // a file, not standard input
    memcpy(joined, is_dash ? "./" : path, is_dash ? 2 : nfolder);
    memcpy(joined + (is_dash ? 2 : nfolder), name, nname + 1);
    return joined;
}

static bool read_other(caromGltf *g, int i, caromGltfBuffer *buffer, size_t *length)
{
    static const caromFileKind kind = { "a file of bytes", CAROM_MESH_BYTES_MAX, NULL };
    decode_percent(buffer->uri);
    if (!is_confined(buffer->uri))
        return fail(g, "buffers", i, "names a file that is not in the folder of this one or below it: put it there, or "
                    "export as one file (GLB)");
    if (!g->draft->path)
        return fail(g, "buffers", i, "is in a file of its own, and this one has no folder: export as one file (GLB)");
    char *path = beside(g->draft->path, buffer->uri);
    caromStatus status = !path ? carom_fail(g->draft->err, CAROM_ERR_MEMORY, g->draft->name, "out of memory")
                         : carom_modelfile_load_file(path, &kind, &buffer->own, length, g->draft->err);
    free(path);
    buffer->bytes = buffer->own;
    g->draft->has_other_files = true;
    return status == CAROM_OK;
}

static bool find_chunk(caromGltf *g, int i, caromGltfBuffer *buffer, size_t *length)
{
    if (!g->chunk || i != 0)
        return fail(g, "buffers", i, "has neither a uri nor a chunk of the file: was it compressed, or cut off?");
    buffer->bytes = g->chunk;
    *length = g->chunk_length;
    return true;
}

static bool load(caromGltf *g, int i)
{
    caromGltfBuffer *buffer = carom_meshfile_buffer(g, i);
    if (buffer->bytes) return true;
    size_t length = 0;
    bool is_data = buffer->uri && strncmp(buffer->uri, "data:", 5) == 0;
    if (!(is_data ? read_data : buffer->uri ? read_other : find_chunk)(g, i, buffer, &length)) return false;
    if (length < buffer->length)
        return carom_meshfile_fail_item(g->draft, "buffers", i, "promises %llu bytes, but there are %zu: it was cut "
                                        "off",
                                        (unsigned long long)buffer->length, length);
    g->loaded += length;
    return g->loaded <= CAROM_MESH_BYTES_MAX || fail(g, "buffers", i, "all buffers together have more than 1 GiB");
}

// So many bytes from an offset of a view; NULL: told why not.
static const char *bytes_of(caromGltf *g, int view, uint64_t offset, uint64_t length)
{
    if (view < 0 || view >= g->views.n) {
        carom_meshfile_fail_item(g->draft, g->section, g->item, "has no bufferView, or one that does not exist");
        return NULL;
    }
    const caromGltfView *v = carom_meshfile_view(g, view);
    if (v->buffer < 0 || v->buffer >= g->buffers.n) {
        fail(g, "bufferViews", view, "has a buffer that does not exist");
        return NULL;
    }
    if (offset + length > v->length) {
        carom_meshfile_fail_item(g->draft, g->section, g->item, "reaches %llu bytes into bufferViews[%d], which has "
                                 "%llu", (unsigned long long)(offset + length), view, (unsigned long long)v->length);
        return NULL;
    }
    if (v->offset + v->length > carom_meshfile_buffer(g, v->buffer)->length) {
        fail(g, "bufferViews", view, "reaches beyond the end of its buffer");
        return NULL;
    }
    return load(g, v->buffer) ? carom_meshfile_buffer(g, v->buffer)->bytes + v->offset + offset : NULL;
}

// ---- accessors

enum { BYTE = 5120, UBYTE, SHORT, USHORT, UINT = 5125, FLOAT };

static int size_of(int type)
{
    switch (type) {
    case BYTE:
    case UBYTE: return 1;
    case SHORT:
    case USHORT: return 2;
    case UINT:
    case FLOAT: return 4;
    default: return 0;
    }
}

static double number_at(const char *at, int type)
{
    const unsigned char *b = (const unsigned char *)at;
    uint32_t bits = 0;
    float value;
    for (int i = size_of(type) - 1; i >= 0; i--) bits = bits << 8 | b[i];
    switch (type) {
    case BYTE: return bits > INT8_MAX ? (double)bits - 256.0 : (double)bits;
    case SHORT: return bits > INT16_MAX ? (double)bits - 65536.0 : (double)bits;
    case FLOAT: memcpy(&value, &bits, sizeof value); return (double)value;
    default: return (double)bits;
    }
}

// Whole numbers that stand for 0..1 or -1..1.
static double normalized(double value, int type)
{
    switch (type) {
    case BYTE: return fmax(value/127.0, -1.0);
    case UBYTE: return value/255.0;
    case SHORT: return fmax(value/32767.0, -1.0);
    case USHORT: return value/65535.0;
    default: return value;
    }
}

static bool open_sparse(caromGltf *g, const caromGltfAccessor *a, uint64_t size, caromGltfValues *values)
{
    int index_size = a->index_type == FLOAT ? 0 : size_of(a->index_type);
    if (index_size == 0)
        return fail(g, g->section, g->item, "its sparse indices have no componentType of whole numbers");
    if (!(values->indices = bytes_of(g, a->index_view, a->index_offset, a->sparse*(uint64_t)index_size)) ||
        !(values->values = bytes_of(g, a->value_view, a->value_offset, a->sparse*size))) return false;
    double last = -1.0;
    for (uint64_t i = 0; i < a->sparse; i++) {
        double index = number_at(values->indices + i*(uint64_t)index_size, a->index_type);
        if (!(index > last && index < (double)a->count))
            return fail(g, g->section, g->item, "its sparse indices do not rise, or one is beyond its count");
        last = index;
    }
    return true;
}

// Bytes of the file and its buffers: no accessor has more values, with a view or without.
static uint64_t room_of(const caromGltf *g)
{
    return (uint64_t)g->draft->length + g->loaded;
}

bool carom_meshfile_gltf_open(caromGltf *g, int accessor, caromGltfValues *values)
{
    g->section = "accessors";
    g->item = accessor;
    if (accessor < 0 || accessor >= g->accessors.n) return fail(g, g->section, g->item, "does not exist");
    const caromGltfAccessor *a = carom_meshfile_accessor(g, accessor);
    uint64_t size = (uint64_t)size_of(a->type)*(uint64_t)a->components;
    *values = (caromGltfValues){ .accessor = a };
    if (size == 0)
        return fail(g, g->section, g->item, "has no componentType from 5120 to 5126, or no type such as VEC3");
    if (a->count == 0) return fail(g, g->section, g->item, "has a count of 0");
    if (a->view >= 0) {
        values->stride = a->view < g->views.n ? carom_meshfile_view(g, a->view)->stride : 0;
        if (values->stride == 0) values->stride = size;
        if (values->stride < size || values->stride > 252 + size)
            return fail(g, g->section, g->item, "has a byteStride that does not fit its values");
        values->at = bytes_of(g, a->view, a->offset, values->stride*(a->count - 1) + size);
        if (!values->at) return false;
    } else if (a->count > room_of(g))
        return carom_meshfile_fail_item(g->draft, g->section, g->item, "promises %llu zeros, more than the file has "
                                        "bytes", (unsigned long long)a->count);
    return a->sparse == 0 || open_sparse(g, a, size, values);
}

void carom_meshfile_gltf_value(caromGltfValues *v, uint64_t i, double *numbers)
{
    const caromGltfAccessor *a = v->accessor;
    int size = size_of(a->type), index_size = size_of(a->index_type);
    const char *at = v->at ? v->at + i*v->stride : NULL;
    if (v->next < a->sparse &&
        number_at(v->indices + v->next*(uint64_t)index_size, a->index_type) == (double)i)
        at = v->values + v->next++*(uint64_t)size*(uint64_t)a->components;
    for (int k = 0; k < a->components; k++) {
        double value = at ? number_at(at + (ptrdiff_t)k*size, a->type) : 0.0;
        numbers[k] = a->is_normalized ? normalized(value, a->type) : value;
    }
}
