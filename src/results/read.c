// Reading goes in two passes over the whole file in memory: find the complete frames and count them, then turn them, in
// place, into what the interface hands out. So memory is the file plus a few words per frame, whatever the file claims.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "results/results.h"

#define FRAME_BYTES 12  // of a frame around its payload

struct caromResults {
    unsigned char *bytes;  // the file; payloads get decoded in place
    size_t size, good;     // bytes of the file, and of its complete frames
    int64_t counts[CAROM_FRAME_KINDS];
    const char *head, *end;
    caromColumn *columns;
    int ncolumn;
    int64_t npair, nbody;
    char *names;  // memory of the columns' names and units
    const double **rows;
    int32_t *ncontact;         // behind the columns of each row
    const uint32_t **patches;  // those stored with each row, or NULL; NULL altogether if there are none
    uint32_t *npatchword;      // how many words they have
    const char **events;
    bool is_out_of_memory;
};

typedef struct ResultFrame {
    caromFrameKind kind;  // CAROM_FRAME_KINDS: one that this version does not know
    size_t at, size;      // of the payload
} ResultFrame;

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

// The frame at *at, which moves behind it. False: the end, or a frame that is cut off or longer than the file.
static bool next_frame(const unsigned char *bytes, size_t size, size_t *at, ResultFrame *frame)
{
    if (size - *at < FRAME_BYTES) return false;
    size_t n = get_u32(bytes + *at + 4);
    if (n > size - *at - FRAME_BYTES) return false;
    *frame = (ResultFrame){ kind_of(bytes + *at), *at + 8, n };
    *at += FRAME_BYTES + n;
    return true;
}

static bool is_intact(const unsigned char *bytes, const ResultFrame *frame)
{
    return carom_crc32(0, bytes + frame->at - 8, frame->size + 8) == get_u32(bytes + frame->at + frame->size);
}

static void find_good_frames(caromResults *r)
{
    size_t at = CAROM_RESULTS_MAGIC_BYTES;
    ResultFrame frame;
    r->good = at;
    while (next_frame(r->bytes, r->size, &at, &frame) && is_intact(r->bytes, &frame)) {
        r->good = at;
        if (frame.kind < CAROM_FRAME_KINDS) r->counts[frame.kind]++;
        if (frame.kind == CAROM_FRAME_DONE) break;
    }
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
    caromStatus status;
    struct stat info;
    *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // non-blocking: a named pipe must not hang us
    if (fd < 0 || fstat(fd, &info) != 0) status = carom_fail_errno(err, path, "cannot open it", errno);
    else if (!S_ISREG(info.st_mode)) status = carom_fail(err, CAROM_ERR_FILE, path, "not a regular file");
    else if ((uintmax_t)info.st_size >= SIZE_MAX || !(*bytes = malloc((size_t)info.st_size + 1)))
        status = carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory: the file has %lld bytes",
                            (long long)info.st_size);
    else status = read_up_to(fd, path, *bytes, (size_t)info.st_size, size, err);
    if (fd >= 0) close(fd);
    if (status != CAROM_OK) free(*bytes);
    return status;
}

static caromStatus check_magic(const char *path, const caromResults *r, caromError *err)
{
    const char *magic = CAROM_RESULTS_MAGIC;
    size_t n = r->size < CAROM_RESULTS_MAGIC_BYTES ? r->size : CAROM_RESULTS_MAGIC_BYTES;
    if (n > 0 && memcmp(r->bytes, magic, n) != 0) {
        if (n == CAROM_RESULTS_MAGIC_BYTES && memcmp(r->bytes, magic, 14) == 0)
            return carom_fail(err, CAROM_ERR_FILE, path, "results of another version of the format; "
                              "this carom (%s) reads version 1", carom_version());
        return carom_fail(err, CAROM_ERR_FILE, path, "not a results file of carom");
    }
    if (r->counts[CAROM_FRAME_HEAD] == 0)
        return carom_fail(err, CAROM_ERR_FILE, path,
                          "nothing to read: the run was stopped before its first output, or the file is damaged");
    return CAROM_OK;
}

// ---- HEAD

// One { "name": ..., "unit": ... }; its strings go to *memory, which moves on.
static void read_column(caromJson *json, caromColumn *column, char **memory, const char *memory_end)
{
    char key[64];
    *column = (caromColumn){ NULL, NULL };
    if (!carom_json_enter(json, '{')) json->is_bad = true;
    for (int64_t n = 0; !json->is_bad && carom_json_more(json, '}', n); n++) {
        if (!carom_json_member(json, key, sizeof key)) return;
        const char **target = strcmp(key, "name") == 0 ? &column->name : strcmp(key, "unit") == 0 ? &column->unit
                                                       : NULL;
        if (!target) {
            carom_json_skip(json);
            continue;
        }
        if (!carom_json_string(json, *memory, (size_t)(memory_end - *memory))) return;
        *target = *memory;
        *memory += strlen(*memory) + 1;
    }
    if (!column->name || !column->unit) json->is_bad = true;
}

static int64_t count_elements(caromJson json)
{
    int64_t n = 0;
    if (!carom_json_enter(&json, '[')) return -1;
    for (; carom_json_more(&json, ']', n); n++)
        if (!carom_json_skip(&json)) return -1;
    return json.is_bad ? -1 : n;
}

static bool read_columns(caromResults *r, caromJson *json, size_t head_size)
{
    int64_t n = count_elements(*json);
    if (n < 1 || n > INT32_MAX || r->columns) return false;
    r->columns = carom_alloc_array((size_t)n, sizeof *r->columns);
    r->names = malloc(head_size);  // decoded and terminated they are shorter than in quotes
    if (!r->columns || !r->names) {
        r->is_out_of_memory = true;
        return false;
    }
    char *memory = r->names;
    carom_json_enter(json, '[');
    for (r->ncolumn = 0; carom_json_more(json, ']', r->ncolumn); r->ncolumn++)
        read_column(json, &r->columns[r->ncolumn], &memory, r->names + head_size);
    return !json->is_bad && strcmp(r->columns[0].name, "time") == 0;
}

static caromStatus read_head(caromResults *r, const ResultFrame *frame, const char *path, caromError *err)
{
    const char *text = (const char *)r->bytes + frame->at;
    caromJson json = { text, text + frame->size, false };
    bool good = carom_json_is_one_object(text, frame->size) && carom_json_enter(&json, '{');
    int64_t ncontact = -1;
    r->npair = r->nbody = -1;
    for (int64_t n = 0; good && carom_json_more(&json, '}', n); n++) {
        char key[64];
        caromJson peek = json;  // a key too long for us is one we do not know
        if (!carom_json_member(&json, key, sizeof key)) {
            json = peek;
            key[0] = '\0';
            carom_json_member(&json, NULL, 0);
        }
        if (strcmp(key, "pairs") == 0) r->npair = count_elements(json);
        if (strcmp(key, "bodies") == 0) r->nbody = count_elements(json);
        if (strcmp(key, "contact") == 0) ncontact = count_elements(json);
        if (strcmp(key, "columns") == 0) good = read_columns(r, &json, frame->size);
        else carom_json_skip(&json);
    }
    if (r->is_out_of_memory) return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    if (!good || !r->columns || r->npair < 0 || ncontact != CAROM_CONTACT_COLUMNS)
        return carom_fail(err, CAROM_ERR_FILE, path, "damaged: its head does not describe columns, pairs and contacts");
    return CAROM_OK;
}

// ---- the other frames

// Payloads become doubles in place: moved down to a multiple of 8 bytes, which at most overwrites the frame's own
// start.
static const double *decode_doubles(unsigned char *bytes, const ResultFrame *frame)
{
    size_t to = frame->at/8*8;
    for (size_t i = 0; i + 8 <= frame->size; i += 8) {
        const unsigned char *from = bytes + frame->at + i;
        uint64_t bits = (uint64_t)get_u32(from) | (uint64_t)get_u32(from + 4) << 32;
        memcpy(bytes + to + i, &bits, sizeof bits);
    }
    return (const double *)(const void *)(bytes + to);
}

static bool read_sample(caromResults *r, const ResultFrame *frame, int64_t row)
{
    size_t columns = (size_t)r->ncolumn, n = frame->size/8;
    if (frame->size % 8 != 0 || n < columns || (n - columns) % CAROM_CONTACT_COLUMNS != 0) return false;
    r->rows[row] = decode_doubles(r->bytes, frame);
    r->ncontact[row] = (int32_t)((n - columns)/CAROM_CONTACT_COLUMNS);
    for (size_t i = columns; i < n; i += CAROM_CONTACT_COLUMNS) {
        double pair = r->rows[row][i];
        if (!(pair >= 0 && pair < (double)r->npair) || pair != floor(pair)) return false;
    }
    return true;
}

// Contacts of a row ascend, and so do the pairs that are asked for: *at goes on from one to the next.
static bool has_contact(const caromResults *r, int64_t row, int pair, int32_t *at)
{
    const double *contact = r->rows[row] + r->ncolumn;
    while (*at < r->ncontact[row] && contact[(size_t)*at*CAROM_CONTACT_COLUMNS] < pair) ++*at;
    return *at < r->ncontact[row] && contact[(size_t)*at*CAROM_CONTACT_COLUMNS] == pair;
}

// Of the last row, pairs ascending; at most one frame for each row, and none before the first.
static bool read_patches(caromResults *r, const ResultFrame *frame, int64_t row)
{
    if (row < 0 || r->patches[row]) return false;
    const uint32_t *words = carom_results_patches_words(r->bytes + frame->at, frame->size);
    size_t n = frame->size/4;
    caromResultsPatch patch = { .pair = -1 };
    int32_t contact = 0;
    if (!words) return false;
    for (size_t at = 0; at < n;) {
        int before = patch.pair;
        if (!carom_results_patches_next(words, n, &at, r->npair, r->nbody, &patch) || patch.pair <= before ||
            !has_contact(r, row, patch.pair, &contact)) return false;
    }
    r->patches[row] = words;
    r->npatchword[row] = (uint32_t)n;
    return true;
}

// Terminates the text where its checksum was.
static const char *decode_text(unsigned char *bytes, const ResultFrame *frame)
{
    if (!carom_json_is_one_object((const char *)bytes + frame->at, frame->size)) return NULL;
    bytes[frame->at + frame->size] = '\0';
    return (const char *)bytes + frame->at;
}

static bool make_arrays(caromResults *r)
{
    size_t rows = (size_t)r->counts[CAROM_FRAME_SAMP];
    r->rows = carom_alloc_array(rows, sizeof *r->rows);
    r->ncontact = carom_alloc_array(rows, sizeof *r->ncontact);
    r->events = carom_alloc_array((size_t)r->counts[CAROM_FRAME_EVNT], sizeof *r->events);
    if (!r->rows || !r->ncontact || !r->events) return false;
    if (r->counts[CAROM_FRAME_PTCH] == 0) return true;
    r->patches = carom_alloc_array(rows, sizeof *r->patches);
    r->npatchword = carom_alloc_array(rows, sizeof *r->npatchword);
    return r->patches && r->npatchword;
}

static caromStatus read_frames(caromResults *r, const char *path, caromError *err)
{
    if (!make_arrays(r)) return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    int64_t row = 0, event = 0;
    size_t at = CAROM_RESULTS_MAGIC_BYTES, start = at;
    ResultFrame frame;
    for (; at < r->good && next_frame(r->bytes, r->good, &at, &frame); start = at) {
        bool is_first = start == CAROM_RESULTS_MAGIC_BYTES, good = is_first == (frame.kind == CAROM_FRAME_HEAD);
        if (good && is_first) {
            caromStatus status = read_head(r, &frame, path, err);
            if (status != CAROM_OK) return status;
            r->head = decode_text(r->bytes, &frame);
        } else if (good) {
            switch (frame.kind) {
            case CAROM_FRAME_SAMP: good = read_sample(r, &frame, row++); break;
            case CAROM_FRAME_EVNT: good = (r->events[event++] = decode_text(r->bytes, &frame)) != NULL; break;
            case CAROM_FRAME_DONE: good = (r->end = decode_text(r->bytes, &frame)) != NULL; break;
            case CAROM_FRAME_PTCH: good = read_patches(r, &frame, row - 1); break;
            case CAROM_FRAME_HEAD:
            case CAROM_FRAME_KINDS: break;  // of a later version: stepped over
            }
        }
        if (!good)
            return carom_fail(err, CAROM_ERR_FILE, path, "damaged: the frame at byte %llu has a good checksum but "
                              "wrong content", (unsigned long long)start);
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
    if (size >= CAROM_RESULTS_MAGIC_BYTES) find_good_frames(r);
    caromStatus status = check_magic(path, r, err);
    if (status == CAROM_OK) status = read_frames(r, path, err);
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
    free(r->columns);
    free(r->names);
    free(r->rows);
    free(r->ncontact);
    free(r->patches);
    free(r->npatchword);
    free(r->events);
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
    return r->ncolumn;
}

caromColumn carom_results_column(const caromResults *r, int column)
{
    return column >= 0 && column < r->ncolumn ? r->columns[column] : (caromColumn){ NULL, NULL };
}

int carom_results_column_index(const caromResults *r, const char *name)
{
    for (int i = 0; i < r->ncolumn; i++)
        if (strcmp(r->columns[i].name, name) == 0) return i;
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
    return columns ? columns + r->ncolumn : NULL;
}

// Of the row itself.
static bool stored_patch(const caromResults *r, int64_t row, int pair, caromResultsPatch *patch)
{
    for (size_t at = 0; r->patches[row] && at < r->npatchword[row];) {
        if (!carom_results_patches_next(r->patches[row], r->npatchword[row], &at, r->npair, r->nbody, patch))
            return false;
        if (patch->pair == pair) return true;
    }
    return false;
}

bool carom_results_patch(const caromResults *r, int64_t row, int pair, caromResultsPatch *patch)
{
    *patch = (caromResultsPatch){ 0 };
    if (!r->patches || !carom_results_row(r, row)) return false;
    for (; row >= 0 && has_contact(r, row, pair, &(int32_t){ 0 }); row--)
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

uint64_t carom_results_good_bytes(const caromResults *r)
{
    return r->good;
}
