// A whole file into memory. Opened without waiting and looked at before it is read: a pipe or a device would block or
// never end. Standard input may be a pipe: whoever asks for it means to wait.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "modelfile/modelfile.h"

static caromStatus check_kind(int file, const char *path, bool may_be_pipe, caromError *err)
{
    struct stat info;
    if (fstat(file, &info) != 0) return carom_fail_errno(err, path, "cannot be read", errno);
    if (S_ISDIR(info.st_mode)) return carom_fail(err, CAROM_ERR_FILE, path, "is a directory, expected a model file");
    if (!S_ISREG(info.st_mode) && !may_be_pipe) return carom_fail(err, CAROM_ERR_FILE, path, "is not a regular file, expected a model file");
    if (info.st_size > CAROM_MODELFILE_BYTES_MAX)
        return carom_fail(err, CAROM_ERR_FILE, path, "has %lld bytes, more than the limit of %d MiB", (long long)info.st_size,
                          CAROM_MODELFILE_BYTES_MAX >> 20);
    return CAROM_OK;
}

// Reads to the end, which may have moved since the file was looked at.
static caromStatus read_to_end(int file, const char *path, char *text, size_t *length, caromError *err)
{
    size_t n = 0;
    while (n <= CAROM_MODELFILE_BYTES_MAX) {
        ssize_t got = read(file, text + n, CAROM_MODELFILE_BYTES_MAX + 1 - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return carom_fail_errno(err, path, "cannot be read", errno);
        if (got == 0) {
            *length = n;
            return CAROM_OK;
        }
        n += (size_t)got;
    }
    return carom_fail(err, CAROM_ERR_FILE, path, "grew above the limit of %d MiB", CAROM_MODELFILE_BYTES_MAX >> 20);
}

caromStatus carom_modelfile_load(const char *path, char **text, size_t *length, caromError *err)
{
    *text = NULL;
    *length = 0;
    bool is_standard = strcmp(path, "-") == 0;
    if (is_standard) path = "standard input";
    int file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return carom_fail_errno(err, path, "cannot be opened", errno);
    char *bytes = NULL;
    caromStatus status = check_kind(file, path, is_standard, err);
    if (status != CAROM_OK) goto done;
    bytes = malloc(CAROM_MODELFILE_BYTES_MAX + 2);
    if (!bytes) {
        status = carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
        goto done;
    }
    status = read_to_end(file, path, bytes, length, err);
    if (status != CAROM_OK) goto done;
    bytes[*length] = '\0';
    char *smaller = realloc(bytes, *length + 1);
    *text = smaller ? smaller : bytes;
    bytes = NULL;
done:
    free(bytes);
    if (!is_standard) close(file);
    return status;
}
