// The reader: a whole file in memory, gone through twice: find the complete frames and count them, then turn them, in
// place, into what the interface hands out. So memory is the file plus a few words per frame, whatever the file claims.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "results/reader.h"

struct caromResults {
    unsigned char *bytes;  // the file; payloads get decoded in place
    size_t size, good;     // bytes of the file, and of its complete frames
    int64_t counts[CAROM_FRAME_KINDS];
    caromContent content;
    const char *head, *end;
    const double **rows;
    int32_t *ncontact;         // behind the columns of each row
    const uint32_t **patches;  // those stored with each row, or NULL; NULL altogether if there are none
    uint32_t *npatchword;      // how many words they have
    const char **events;
    const char **pairs;    // as they were told,
    int64_t *pair_number;  // and which they are
};

static void find_good_frames(caromResults *r, caromFrames frames)
{
    caromFrame frame;
    while (carom_results_frames_next(&frames, &frame)) {
        if (frame.kind < CAROM_FRAME_KINDS) r->counts[frame.kind]++;
        if (frame.kind == CAROM_FRAME_DONE) break;
    }
    r->good = (size_t)frames.at;
}

// A file that shrinks meanwhile is one that is cut off; what is appended meanwhile is not read.
static caromStatus read_up_to(int fd, const char *path, unsigned char *bytes, size_t limit, size_t *size,
                              caromError *err)
{
    for (*size = 0; *size < limit;) {
        ssize_t n = read(fd, bytes + *size, limit - *size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return carom_fail_errno(err, path, "cannot read it", errno);
        if (n == 0) break;
        *size += (size_t)n;
    }
    return CAROM_OK;
}

static caromStatus load(const char *path, unsigned char **bytes, size_t *size, caromError *err)
{
    int fd;
    uint64_t length;
    *bytes = NULL;
    caromStatus status = carom_results_open_to_read(path, &fd, &length, err);
    if (status != CAROM_OK) return status;
    if (length >= SIZE_MAX || !(*bytes = malloc((size_t)length + 1)))
        status = carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory: the file has %llu bytes",
                            (unsigned long long)length);
    else status = read_up_to(fd, path, *bytes, (size_t)length, size, err);
    close(fd);
    if (status != CAROM_OK) free(*bytes);
    return status;
}

static bool make_arrays(caromResults *r)
{
    size_t rows = (size_t)r->counts[CAROM_FRAME_SAMP];
    r->rows = carom_alloc_array(rows, sizeof *r->rows);
    r->ncontact = carom_alloc_array(rows, sizeof *r->ncontact);
    r->events = carom_alloc_array((size_t)r->counts[CAROM_FRAME_EVNT], sizeof *r->events);
    r->pairs = carom_alloc_array((size_t)r->counts[CAROM_FRAME_PAIR], sizeof *r->pairs);
    r->pair_number = carom_alloc_array((size_t)r->counts[CAROM_FRAME_PAIR], sizeof *r->pair_number);
    if (!r->rows || !r->ncontact || !r->events || !r->pairs || !r->pair_number) return false;
    if (r->counts[CAROM_FRAME_PTCH] == 0) return true;
    r->patches = carom_alloc_array(rows, sizeof *r->patches);
    r->npatchword = carom_alloc_array(rows, sizeof *r->npatchword);
    return r->patches && r->npatchword;
}

// What the last frame gave.
static void keep(caromResults *r, caromFrameKind kind)
{
    const caromContent *c = &r->content;
    int64_t row = c->counts[CAROM_FRAME_SAMP] - 1, pair = c->counts[CAROM_FRAME_PAIR] - 1;
    switch (kind) {
    case CAROM_FRAME_SAMP:
        r->rows[row] = c->row;
        r->ncontact[row] = c->ncontact;
        break;
    case CAROM_FRAME_PTCH:
        r->patches[row] = c->words;
        r->npatchword[row] = (uint32_t)c->nword;
        break;
    case CAROM_FRAME_EVNT: r->events[c->counts[CAROM_FRAME_EVNT] - 1] = c->text; break;
    case CAROM_FRAME_PAIR:
        r->pairs[pair] = c->text;
        r->pair_number[pair] = c->pair;
        break;
    case CAROM_FRAME_HEAD: r->head = c->text; break;
    case CAROM_FRAME_DONE: r->end = c->text; break;
    case CAROM_FRAME_THIN:
    case CAROM_FRAME_KINDS: break;
    }
}

static caromStatus read_frames(caromResults *r, caromFrames frames, caromError *err)
{
    caromFrame frame;
    if (!make_arrays(r)) return carom_fail(err, CAROM_ERR_MEMORY, frames.path, "out of memory");
    frames.is_checked = true;
    while (frames.at < r->good && carom_results_frames_next(&frames, &frame)) {
        caromStatus status = carom_results_content_take(&r->content, &frame, frames.path, err);
        if (status != CAROM_OK) return status;
        keep(r, frame.kind);
    }
    return CAROM_OK;
}

caromStatus carom_results_parse(unsigned char *bytes, size_t size, const char *path, caromResults **results,
                                caromError *err)
{
    *results = NULL;
    caromResults *r = calloc(1, sizeof *r);
    if (!r) {
        free(bytes);
        return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    }
    r->bytes = bytes;
    r->size = size;
    caromFrames frames = carom_results_frames_of_memory(bytes, size, path);
    caromStatus status = carom_results_frames_begin(&frames, err);
    if (status == CAROM_OK) find_good_frames(r, frames);
    if (status == CAROM_OK && r->counts[CAROM_FRAME_HEAD] == 0) status = carom_results_nothing_to_read(path, err);
    if (status == CAROM_OK) status = read_frames(r, frames, err);
    if (status == CAROM_OK) *results = r;
    else carom_results_close(r);
    return status;
}

caromStatus carom_results_open(const char *path, caromResults **results, caromError *err)
{
    unsigned char *bytes;
    size_t size = 0;
    *results = NULL;
    caromStatus status = load(path, &bytes, &size, err);
    return status == CAROM_OK ? carom_results_parse(bytes, size, path, results, err) : status;
}

void carom_results_close(caromResults *r)
{
    if (!r) return;
    free(r->bytes);
    carom_results_content_free(&r->content);
    free(r->rows);
    free(r->ncontact);
    free(r->patches);
    free(r->npatchword);
    free(r->events);
    free(r->pairs);
    free(r->pair_number);
    free(r);
}

bool carom_results_is_complete(const caromResults *r)
{
    return r->end != NULL;
}

const char *carom_results_head(const caromResults *r)
{
    return r->head;
}

const char *carom_results_end(const caromResults *r)
{
    return r->end;
}

int carom_results_column_count(const caromResults *r)
{
    return r->content.ncolumn;
}

const caromColumn *carom_results_columns(const caromResults *r, int *count)
{
    *count = r->content.ncolumn;
    return r->content.columns;
}

caromColumn carom_results_column(const caromResults *r, int column)
{
    return column >= 0 && column < r->content.ncolumn ? r->content.columns[column] : (caromColumn){ NULL, NULL };
}

int carom_results_column_index(const caromResults *r, const char *name)
{
    for (int i = 0; i < r->content.ncolumn; i++)
        if (strcmp(r->content.columns[i].name, name) == 0) return i;
    return -1;
}

int64_t carom_results_row_count(const caromResults *r)
{
    return r->counts[CAROM_FRAME_SAMP];
}

const double *carom_results_row(const caromResults *r, int64_t row)
{
    return row >= 0 && row < r->counts[CAROM_FRAME_SAMP] ? r->rows[row] : NULL;
}

const double *carom_results_contacts(const caromResults *r, int64_t row, int *count)
{
    const double *columns = carom_results_row(r, row);
    *count = columns ? r->ncontact[row] : 0;
    return columns ? columns + r->content.ncolumn : NULL;
}

// Of the row itself.
static bool stored_patch(const caromResults *r, int64_t row, int pair, caromResultsPatch *patch)
{
    for (size_t at = 0; r->patches[row] && at < r->npatchword[row];) {
        if (!carom_results_patches_next(r->patches[row], r->npatchword[row], &at, r->content.npair, r->content.nbody,
                                        patch)) return false;
        if (patch->pair == pair) return true;
    }
    return false;
}

static bool has_pair(const caromResults *r, int64_t row, int pair)
{
    return carom_results_has_contact(r->rows[row] + r->content.ncolumn, r->ncontact[row], pair, &(int32_t){ 0 });
}

bool carom_results_patch(const caromResults *r, int64_t row, int pair, caromResultsPatch *patch)
{
    *patch = (caromResultsPatch){ 0 };
    if (!r->patches || !carom_results_row(r, row)) return false;
    for (; row >= 0 && has_pair(r, row, pair); row--)
        if (stored_patch(r, row, pair, patch)) return patch->npolygon + patch->npoint > 0;
    return false;
}

int64_t carom_results_event_count(const caromResults *r)
{
    return r->counts[CAROM_FRAME_EVNT];
}

const char *carom_results_event(const caromResults *r, int64_t event)
{
    return event >= 0 && event < r->counts[CAROM_FRAME_EVNT] ? r->events[event] : NULL;
}

const char *carom_results_pair(const caromResults *r, int pair)
{
    for (int64_t i = 0; i < r->counts[CAROM_FRAME_PAIR]; i++) if (r->pair_number[i] == pair) return r->pairs[i];
    return NULL;
}

uint64_t carom_results_good_bytes(const caromResults *r)
{
    return r->good;
}
