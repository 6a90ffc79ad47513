#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "results/results.h"

#define CHUNK ((size_t)3*16384)  // a multiple of 3, so that only the last chunk needs padding

// Up to n bytes, fewer only at the end of the file.
static ssize_t read_fully(int fd, unsigned char *to, size_t n)
{
    size_t size = 0;
    while (size < n) {
        ssize_t m = read(fd, to + size, n - size);
        if (m < 0 && errno == EINTR) continue;
        if (m < 0) return -1;
        if (m == 0) break;
        size += (size_t)m;
    }
    return (ssize_t)size;
}

static caromStatus put_base64(caromOutput *out, const char *path, uint64_t size, caromError *err)
{
    caromStatus status = CAROM_OK;
    unsigned char *bytes = malloc(CHUNK);
    char *text = malloc(CHUNK/3*4);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (!bytes || !text) status = carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    else if (fd < 0) status = carom_fail_errno(err, path, "cannot open it again", errno);
    while (status == CAROM_OK && size > 0) {
        ssize_t n = read_fully(fd, bytes, size < CHUNK ? (size_t)size : CHUNK);
        if (n <= 0) {
            status = carom_fail(err, CAROM_ERR_FILE, path, "became shorter while it was read");
            break;
        }
        size -= (uint64_t)n;
        status = carom_output_bytes(out, text, carom_results_base64(bytes, (size_t)n, text));
    }
    if (fd >= 0) close(fd);
    free(bytes);
    free(text);
    return status;
}

static const unsigned char *find_token(void)
{
    const size_t n = strlen(CAROM_PAGE_TOKEN);
    for (size_t i = 0; i + n <= carom_page_template_size; i++)
        if (memcmp(carom_page_template + i, CAROM_PAGE_TOKEN, n) == 0) return carom_page_template + i;
    return NULL;
}

caromStatus carom_results_page(const char *results_path, const char *page_path, caromError *err)
{
    caromResults *results;
    // A page of something else would only be blank.
    caromStatus status = carom_results_open(results_path, &results, err);
    if (status != CAROM_OK) return status;
    uint64_t size = carom_results_good_bytes(results);
    carom_results_close(results);

    const unsigned char *token = find_token();
    if (!token) return carom_fail(err, CAROM_ERR_FILE, page_path, "the viewer's template has no place for results");
    const unsigned char *rest = token + strlen(CAROM_PAGE_TOKEN);
    caromOutput out;
    status = carom_output_open(&out, page_path, err);
    if (status != CAROM_OK) return status;
    carom_output_bytes(&out, carom_page_template, (size_t)(token - carom_page_template));
    status = put_base64(&out, results_path, size, err);
    carom_output_bytes(&out, rest, (size_t)(carom_page_template + carom_page_template_size - rest));
    caromStatus closed = carom_output_close(&out, out.error.status != CAROM_OK || status == CAROM_OK ? err : NULL);
    return status != CAROM_OK ? status : closed;
}
