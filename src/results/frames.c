// The frames of a results file, one behind the other: of a file in memory, or through a window of a megabyte.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "results/reader.h"

#define WINDOW ((size_t)1 << 20)      // grows to the longest frame: the head, with its meshes

caromStatus carom_results_open_to_read(const char *path, int *fd, uint64_t *size, caromError *err)
{
    caromStatus status = CAROM_OK;
    struct stat info;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // non-blocking: a named pipe must not hang us
    if (*fd < 0 || fstat(*fd, &info) != 0) status = carom_fail_errno(err, path, "cannot open it", errno);
    else if (!S_ISREG(info.st_mode)) status = carom_fail(err, CAROM_ERR_FILE, path, "not a regular file");
    else *size = (uint64_t)info.st_size;
    if (status != CAROM_OK && *fd >= 0) close(*fd);
    return status;
}

caromFrames carom_results_frames_of_memory(unsigned char *bytes, size_t size, const char *path)
{
    return (caromFrames){ .fd = -1, .bytes = bytes, .held = size, .capacity = size, .size = size, .path = path };
}

caromStatus carom_results_frames_open(caromFrames *frames, const char *path, caromError *err)
{
    *frames = (caromFrames){ .fd = -1, .path = path };
    frames->bytes = malloc(WINDOW);
    if (!frames->bytes) return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    frames->capacity = WINDOW;
    caromStatus status = carom_results_open_to_read(path, &frames->fd, &frames->size, err);
    if (status == CAROM_OK) return CAROM_OK;
    frames->fd = -1;
    carom_results_frames_close(frames);
    return status;
}

void carom_results_frames_close(caromFrames *frames)
{
    if (frames->fd >= 0) close(frames->fd);
    free(frames->bytes);
    frames->bytes = NULL;
}

static bool grow(caromFrames *f, size_t n)
{
    if (n <= f->capacity) return true;
    unsigned char *bytes = realloc(f->bytes, n);
    if (!bytes) {
        carom_fail(&f->error, CAROM_ERR_MEMORY, f->path, "out of memory for a frame of %zu bytes", n);
        return false;
    }
    f->bytes = bytes;
    f->capacity = n;
    return true;
}

// Bytes [at, at + n) of the file, n at most the capacity. NULL: it cannot be read, or became shorter meanwhile.
static unsigned char *hold(caromFrames *f, uint64_t at, size_t n)
{
    if (at >= f->first && at + n <= f->first + f->held) return f->bytes + (at - f->first);
    if (f->fd < 0) return NULL;
    uint64_t left = f->size - at;
    size_t wanted = left < f->capacity ? (size_t)left : f->capacity;
    f->first = at;
    for (f->held = 0; f->held < wanted;) {
        ssize_t m = pread(f->fd, f->bytes + f->held, wanted - f->held, (off_t)(at + f->held));
        if (m < 0 && errno == EINTR) continue;
        if (m < 0) carom_fail_errno(&f->error, f->path, "cannot read it", errno);
        if (m <= 0) break;
        f->held += (size_t)m;
    }
    return f->held >= n && f->error.status == CAROM_OK ? f->bytes : NULL;
}

static uint32_t get_u32(const unsigned char *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static caromFrameKind kind_of(const unsigned char *name)
{
    int k = 0;
    while (k < CAROM_FRAME_KINDS && memcmp(name, carom_frame_names[k], 4) != 0) k++;
    return (caromFrameKind)k;
}

// A piece at a time: the length that a damaged frame claims is no reason to make room for it.
static bool is_intact(caromFrames *f, uint64_t start, size_t n)
{
    uint32_t crc = 0;
    const unsigned char *at = NULL;
    if (n + CAROM_FRAME_AROUND <= f->capacity && !hold(f, start, n + CAROM_FRAME_AROUND)) return false;  // at once
    for (size_t done = 0, piece; done < n + 8; done += piece) {
        piece = n + 8 - done < f->capacity ? n + 8 - done : f->capacity;
        at = hold(f, start + done, piece);
        if (!at) return false;
        crc = carom_crc32(crc, at, piece);
    }
    at = hold(f, start + 8 + n, 4);
    return at && crc == get_u32(at);
}

bool carom_results_frames_next(caromFrames *f, caromFrame *frame)
{
    uint64_t start = f->at;
    if (f->size - start < CAROM_FRAME_AROUND) return false;
    const unsigned char *head = hold(f, start, 8);
    if (!head) return false;
    caromFrameKind kind = kind_of(head);
    size_t n = get_u32(head + 4);
    if (n > f->size - start - CAROM_FRAME_AROUND) return false;
    if (!f->is_checked && !is_intact(f, start, n)) return false;
    if (!grow(f, n + CAROM_FRAME_AROUND)) return false;
    unsigned char *all = hold(f, start, n + CAROM_FRAME_AROUND);
    if (!all) return false;
    *frame = (caromFrame){ kind, start, all + 8, n };
    f->at = start + CAROM_FRAME_AROUND + n;
    return true;
}

caromStatus carom_results_frames_begin(caromFrames *f, caromError *err)
{
    const char *magic = CAROM_RESULTS_MAGIC;
    size_t n = f->size < CAROM_RESULTS_MAGIC_BYTES ? (size_t)f->size : CAROM_RESULTS_MAGIC_BYTES;
    const unsigned char *start = n > 0 ? hold(f, 0, n) : NULL;
    if (f->error.status != CAROM_OK) {
        if (err) *err = f->error;
        return f->error.status;
    }
    if (start && memcmp(start, magic, n) != 0) {
        if (n == CAROM_RESULTS_MAGIC_BYTES && memcmp(start, magic, 14) == 0)
            return carom_fail(err, CAROM_ERR_FILE, f->path, "results of another version of the format; "
                              "this carom (%s) reads version 1", carom_version());
        return carom_fail(err, CAROM_ERR_FILE, f->path, "not a results file of carom");
    }
    f->at = n;
    return CAROM_OK;
}
