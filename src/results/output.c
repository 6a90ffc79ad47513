#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "results/results.h"

static double seconds_now(void)
{
    struct timespec t = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

// Not to wait for a reader of a named pipe is asked of open() only: what is written may wait.
static caromStatus open_at_once(const char *path, int *fd, caromError *err)
{
    do *fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    while (*fd < 0 && errno == EINTR);
    if (*fd < 0 && errno == ENXIO)
        return carom_fail(err, CAROM_ERR_FILE, path, "is a pipe that nobody reads; start its reader first or choose "
                          "the name of a file");
    int flags = *fd < 0 ? -1 : fcntl(*fd, F_GETFL);
    if (*fd < 0 || flags < 0 || fcntl(*fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
        return carom_fail_errno(err, path, "cannot create it", errno);
    return CAROM_OK;
}

// Two writers would mix their bytes. The lock belongs to the open file: it ends with the process, however that ends,
// and another writer in the same process meets it too. Where the file system has no locks, none is held. What is there
// is emptied only once the lock is held.
static caromStatus take_file(int fd, const char *path, caromError *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return carom_fail_errno(err, path, "cannot create it", errno);
    if (!S_ISREG(info.st_mode)) return CAROM_OK;
    int failed;
    do failed = flock(fd, LOCK_EX | LOCK_NB);
    while (failed && errno == EINTR);
    if (failed && errno == EWOULDBLOCK)
        return carom_fail(err, CAROM_ERR_FILE, path, "another run or command is writing it; wait until that ends or "
                          "choose another name");
    if (ftruncate(fd, 0) != 0) return carom_fail_errno(err, path, "cannot empty it", errno);
    return CAROM_OK;
}

static caromStatus open_file(caromOutput *out, const char *path, caromError *err)
{
    caromStatus status = open_at_once(path, &out->fd, err);
    if (status == CAROM_OK) status = take_file(out->fd, path, err);
    if (status != CAROM_OK && out->fd >= 0) close(out->fd);
    return status;
}

caromStatus carom_output_open(caromOutput *out, const char *path, caromError *err)
{
    *out = (caromOutput){ .fd = -1 };
    snprintf(out->path, sizeof out->path, "%s", path);
    out->buffer = malloc(CAROM_OUTPUT_BUFFER);
    if (!out->buffer) return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    out->is_borrowed = strcmp(path, "-") == 0;
    if (out->is_borrowed) out->fd = STDOUT_FILENO;
    caromStatus status = out->is_borrowed ? CAROM_OK : open_file(out, path, err);
    if (status != CAROM_OK) {
        free(out->buffer);
        out->buffer = NULL;
    }
    out->flushed = seconds_now();
    return status;
}

static caromStatus write_all(caromOutput *out, const unsigned char *data, size_t n)
{
    while (n > 0) {
        ssize_t m = write(out->fd, data, n);
        if (m < 0 && errno == EINTR) continue;
        if (m <= 0) {
            char what[96];
            snprintf(what, sizeof what, "cannot write more than the first %llu bytes",
                     (unsigned long long)out->written);
            return carom_fail_errno(&out->error, out->path, what, m < 0 ? errno : EIO);
        }
        data += m;
        n -= (size_t)m;
        out->written += (uint64_t)m;
    }
    return CAROM_OK;
}

caromStatus carom_output_flush(caromOutput *out)
{
    if (out->error.status != CAROM_OK) return out->error.status;
    size_t n = out->used;
    out->used = 0;
    out->flushed = seconds_now();
    return write_all(out, out->buffer, n);
}

caromStatus carom_output_flush_each_second(caromOutput *out)
{
    return seconds_now() - out->flushed >= 1.0 ? carom_output_flush(out) : out->error.status;
}

caromStatus carom_output_bytes(caromOutput *out, const void *data, size_t n)
{
    const unsigned char *at = data;
    while (n > 0 && out->error.status == CAROM_OK) {
        size_t room = CAROM_OUTPUT_BUFFER - out->used;
        size_t m = n < room ? n : room;
        memcpy(out->buffer + out->used, at, m);
        out->used += m;
        at += m;
        n -= m;
        if (out->used == CAROM_OUTPUT_BUFFER) carom_output_flush(out);
    }
    return out->error.status;
}

caromStatus carom_output_close(caromOutput *out, caromError *err)
{
    if (!out->buffer) return CAROM_OK;
    carom_output_flush(out);
    // Some file systems (network, quota) report a full disk only here.
    if (!out->is_borrowed && close(out->fd) != 0 && errno != EINTR && out->error.status == CAROM_OK)
        carom_fail_errno(&out->error, out->path, "cannot finish writing it", errno);
    free(out->buffer);
    out->buffer = NULL;
    if (out->error.status != CAROM_OK && err) *err = out->error;
    return out->error.status;
}
