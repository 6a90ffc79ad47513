#include "modelfile/meshfile_zip.h"

#include <string.h>

#include <zlib.h>

#include "base/base.h"

enum { END = 22, ENTRY = 46, LOCAL = 30, COMMENT_MAX = 65535, PIECE = 32768 };

// What is packed more tightly than this is no mesh: numbers in text give 5 to 20, zeros 1000.
#define UNPACKED_MOST 100
#define UNPACKED_FREE 1000000  // bytes that nobody has to account for

static uint32_t number_at(const caromMeshDraft *draft, size_t at, int size)
{
    const unsigned char *b = (const unsigned char *)draft->bytes + at;
    uint32_t n = 0;
    for (int i = size - 1; i >= 0; i--) n = n << 8 | b[i];
    return n;
}

static bool has_mark(const caromMeshDraft *draft, size_t at, const char *mark)
{
    return memcmp(draft->bytes + at, mark, 4) == 0;
}

static bool fail(caromMeshDraft *draft, size_t at, const char *what)
{
    return carom_meshfile_fail_byte(draft, at, "this ZIP archive %s", what);
}

static int failed(caromMeshDraft *draft, size_t at, const char *what)
{
    fail(draft, at, what);
    return -1;
}

// The record at the end, behind which is but a comment.
static bool find_end(caromMeshDraft *draft, size_t *at)
{
    for (size_t back = END; back <= draft->length && back <= END + COMMENT_MAX; back++)
        if (has_mark(draft, draft->length - back, "PK\5\6")) {
            *at = draft->length - back;
            return true;
        }
    return fail(draft, draft->length, "has no end: it was cut off");
}

static bool is_same_name(const char *a, size_t n, const char *b)
{
    if (n > 0 && a[0] == '/') a++, n--;
    if (b[0] == '/') b++;
    for (size_t i = 0; i < n; i++) {
        int x = a[i] >= 'A' && a[i] <= 'Z' ? a[i] + 32 : a[i], y = b[i] >= 'A' && b[i] <= 'Z' ? b[i] + 32 : b[i];
        if (x != y || y == '\0') return false;
    }
    return b[n] == '\0';
}

// The data lie behind a header of their own, whose names and extras may be longer than the directory says.
static bool find_data(caromMeshDraft *draft, size_t entry, caromZipMember *member)
{
    size_t at = number_at(draft, entry + 42, 4), flags = number_at(draft, entry + 8, 2),
           method = number_at(draft, entry + 10, 2);
    *member = (caromZipMember){ .name = member->name, .packed = number_at(draft, entry + 20, 4),
                                .size = number_at(draft, entry + 24, 4), .checksum = number_at(draft, entry + 16, 4),
                                .is_packed = method == 8 };
    if (flags & 1) return fail(draft, entry, "is encrypted");
    if (method != 0 && method != 8) return fail(draft, entry, "is packed in another way than by deflate");
    if (at > draft->length || draft->length - at < LOCAL || !has_mark(draft, at, "PK\3\4"))
        return fail(draft, entry, "has a member that is not where it says, or is larger than 4 GiB");
    size_t start = at + LOCAL + number_at(draft, at + 26, 2) + number_at(draft, at + 28, 2);
    if (start > draft->length || member->packed > draft->length - start)
        return fail(draft, entry, "has a member that reaches beyond its end: it was cut off");
    if (!member->is_packed && member->packed != member->size)
        return fail(draft, entry, "contradicts itself about the size of a member");
    if (member->size > CAROM_MESH_BYTES_MAX ||
        member->size/UNPACKED_MOST > member->packed + UNPACKED_FREE/UNPACKED_MOST)
        return carom_meshfile_fail_byte(draft, entry, "this ZIP archive promises %zu bytes in %zu: more than any mesh",
                                        member->size, member->packed);
    member->data = (const unsigned char *)draft->bytes + start;
    return true;
}

int carom_meshfile_zip_find(caromMeshDraft *draft, const char *name, caromZipMember *member)
{
    size_t end = 0, at;
    if (!find_end(draft, &end)) return -1;
    at = number_at(draft, end + 16, 4);
    member->name = name;
    for (uint32_t left = number_at(draft, end + 10, 2); left > 0; left--) {
        if (at > end || end - at < ENTRY || !has_mark(draft, at, "PK\1\2"))
            return failed(draft, at, "has a damaged directory");
        size_t n = number_at(draft, at + 28, 2),
               more = (size_t)number_at(draft, at + 30, 2) + number_at(draft, at + 32, 2);
        if (end - at - ENTRY < n) return failed(draft, at, "has a damaged directory");
        if (is_same_name(draft->bytes + at + ENTRY, n, name)) return find_data(draft, at, member) ? 1 : -1;
        at += ENTRY + n + more;
    }
    return 0;
}

typedef struct Unpack {
    const caromZipMember *member;
    z_stream stream;
    unsigned char piece[PIECE];
    size_t done;
    uLong checksum;
} Unpack;

static const char *unpack(Unpack *u, bool (*take)(void *user, const char *bytes, size_t n, bool is_last), void *user,
                          bool *is_taken)
{
    for (int result = Z_OK; result != Z_STREAM_END;) {
        u->stream.next_out = u->piece;
        u->stream.avail_out = PIECE;
        result = inflate(&u->stream, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END) return "is damaged: its data cannot be unpacked";
        size_t n = PIECE - u->stream.avail_out;
        u->done += n;
        u->checksum = crc32(u->checksum, u->piece, (uInt)n);
        if (u->done > u->member->size) return "has more data in a member than it says";
        if (n == 0 && result == Z_OK && u->stream.avail_in == 0) return "is damaged: a member ends too early";
        bool is_last = result == Z_STREAM_END;
        if (is_last && (u->done != u->member->size || (uint32_t)u->checksum != u->member->checksum))
            return "is damaged: a member is not what its checksum says";
        if (!(*is_taken = take(user, (const char *)u->piece, n, is_last))) return NULL;
    }
    return NULL;
}

static bool read_packed(caromMeshDraft *draft, const caromZipMember *member,
                        bool (*take)(void *user, const char *bytes, size_t n, bool is_last), void *user)
{
    Unpack *u = carom_alloc_array(1, sizeof *u);
    bool is_taken = false;
    if (!u || inflateInit2(&u->stream, -MAX_WBITS) != Z_OK) {
        free(u);
        carom_fail(draft->err, CAROM_ERR_MEMORY, draft->name, "out of memory");
        return false;
    }
    u->member = member;
    // zlib reads it only; its pointer is older than const.
    u->stream.next_in = (unsigned char *)(uintptr_t)member->data;
    u->stream.avail_in = (uInt)member->packed;
    const char *problem = unpack(u, take, user, &is_taken);
    if (problem) is_taken = fail(draft, (size_t)((const char *)member->data - draft->bytes), problem);
    inflateEnd(&u->stream);
    free(u);
    return is_taken;
}

bool carom_meshfile_zip_read(caromMeshDraft *draft, const caromZipMember *member,
                             bool (*take)(void *user, const char *bytes, size_t n, bool is_last), void *user)
{
    if (member->is_packed) return read_packed(draft, member, take, user);
    if ((uint32_t)crc32(0, member->data, (uInt)member->size) != member->checksum)
        return fail(draft, (size_t)((const char *)member->data - draft->bytes),
                    "is damaged: a member is not what its checksum says");
    return take(user, (const char *)member->data, member->size, true);
}
