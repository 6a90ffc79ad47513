// A whole file into memory. Opened without waiting and looked at before it is read: a pipe or a device would block or
// never end. Standard input may be a pipe: whoever asks for it means to wait.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "modelfile/modelfile.h"

static caromStatus check_kind(int file, const char *path, const caromFileKind *kind, bool may_be_pipe, size_t *size,
                              caromError *err)
{
    struct stat info;
    if (fstat(file, &info) != 0) return carom_fail_errno(err, path, "cannot be read", errno);
    if (S_ISDIR(info.st_mode)) return carom_fail(err, CAROM_ERR_FILE, path, "is a directory, expected %s", kind->what);
    if (!S_ISREG(info.st_mode) && !may_be_pipe)
        return carom_fail(err, CAROM_ERR_FILE, path, "is not a regular file, expected %s", kind->what);
    if (info.st_size > kind->bytes_max)
        return carom_fail(err, CAROM_ERR_FILE, path, "has %lld bytes, more than the limit of %d MiB",
                          (long long)info.st_size, kind->bytes_max >> 20);
    *size = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size : 0;
    return CAROM_OK;
}

// Room for one more byte than is expected, which shows the end, and for the zero behind it.
static bool grow(char **bytes, size_t *capacity, size_t expected, size_t most)
{
    size_t larger = *capacity == 0 ? expected + 2 : 2*(*capacity);
    if (larger < 4096) larger = 4096;
    if (larger > most + 2) larger = most + 2;
    char *moved = realloc(*bytes, larger);
    if (!moved) return false;
    *bytes = moved;
    *capacity = larger;
    return true;
}

typedef struct Source {
    int file;
    const char *path;
    const caromFileKind *kind;
    size_t expected;  // bytes, when it was looked at
} Source;

// Reads to the end, which may have moved since the file was looked at.
static caromStatus read_to_end(const Source *source, char **bytes, size_t *length, caromError *err)
{
    const char *path = source->path;
    size_t n = 0, capacity = 0, most = (size_t)source->kind->bytes_max;
    while (n <= most) {
        if (n + 1 >= capacity && !grow(bytes, &capacity, source->expected, most))
            return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
        ssize_t got = read(source->file, *bytes + n, capacity - 1 - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return carom_fail_errno(err, path, "cannot be read", errno);
        if (got == 0) {
            *length = n;
            return CAROM_OK;
        }
        n += (size_t)got;
    }
    return carom_fail(err, CAROM_ERR_FILE, path, "grew above the limit of %d MiB", source->kind->bytes_max >> 20);
}

caromStatus carom_modelfile_load_file(const char *path, const caromFileKind *kind, char **text, size_t *length,
                                      caromError *err)
{
    *text = NULL;
    *length = 0;
    bool is_standard = strcmp(path, "-") == 0;
    if (is_standard) path = "standard input";
    int file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return carom_fail_errno(err, path, "cannot be opened", errno);
    char *bytes = NULL;
    Source source = { file, path, kind, 0 };
    caromStatus status = check_kind(file, path, kind, is_standard, &source.expected, err);
    if (status == CAROM_OK && kind->look && !is_standard) status = kind->look(file, path, source.expected, err);
    if (status == CAROM_OK) status = read_to_end(&source, &bytes, length, err);
    if (status == CAROM_OK && bytes) {
        bytes[*length] = '\0';
        *text = bytes;
        bytes = NULL;
    }
    free(bytes);
    if (!is_standard) close(file);
    return status;
}

caromStatus carom_modelfile_load(const char *path, char **text, size_t *length, caromError *err)
{
    static const caromFileKind kind = { "a model file", CAROM_MODELFILE_BYTES_MAX, NULL };
    return carom_modelfile_load_file(path, &kind, text, length, err);
}
