// What frames say: checked, and decoded in place.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/json.h"
#include "results/reader.h"

// A key too long for us is one we do not know.
static void read_key(caromJson *json, char *key, size_t n)
{
    caromJson start = *json;
    if (carom_json_member(json, key, n)) return;
    *json = start;
    key[0] = '\0';
    carom_json_member(json, NULL, 0);
}

// A whole number that is not negative; -1: something else.
static int64_t count_at(caromJson json)
{
    caromJson value = json;
    int64_t count;
    bool good = carom_json_count(&value, &count) && carom_json_skip(&json) && value.at == json.at;
    return good ? count : -1;
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

static bool read_columns(caromContent *r, caromJson *json, size_t head_size, bool *has_memory)
{
    int64_t n = count_elements(*json);
    if (n < 1 || n > INT32_MAX || r->columns) return false;
    r->columns = carom_alloc_array((size_t)n, sizeof *r->columns);
    r->names = malloc(head_size);  // decoded and terminated they are shorter than in quotes
    *has_memory = r->columns && r->names;
    if (!*has_memory) return false;
    char *memory = r->names;
    carom_json_enter(json, '[');
    for (r->ncolumn = 0; carom_json_more(json, ']', r->ncolumn); r->ncolumn++)
        read_column(json, &r->columns[r->ncolumn], &memory, r->names + head_size);
    return !json->is_bad && strcmp(r->columns[0].name, "time") == 0;
}

static caromStatus read_head(caromContent *r, const caromFrame *frame, const char *path, caromError *err)
{
    const char *text = (const char *)frame->payload;
    caromJson json = { text, text + frame->size, false };
    bool good = carom_json_is_one_object(text, frame->size) && carom_json_enter(&json, '{');
    int64_t ncontact = -1;
    bool has_memory = true;
    r->npair = r->nbody = -1;
    for (int64_t n = 0; good && carom_json_more(&json, '}', n); n++) {
        char key[64];
        read_key(&json, key, sizeof key);
        if (strcmp(key, "pair_count") == 0) r->npair = count_at(json);
        if (strcmp(key, "pairs") == 0) r->npair = count_elements(json);  // format 1
        if (strcmp(key, "bodies") == 0) r->nbody = count_elements(json);
        if (strcmp(key, "contact") == 0) ncontact = count_elements(json);
        if (strcmp(key, "columns") == 0) good = read_columns(r, &json, frame->size, &has_memory);
        else carom_json_skip(&json);
    }
    if (!has_memory) return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    if (!good || !r->columns || r->npair < 0 || ncontact != CAROM_CONTACT_COLUMNS)
        return carom_fail(err, CAROM_ERR_FILE, path, "damaged: its head does not describe columns, pairs and contacts");
    return CAROM_OK;
}

// ---- the other frames

static double double_at(const unsigned char *from)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)from[i] << 8*i;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Payloads become doubles in place: moved down to a multiple of 8 bytes, which at most overwrites the frame's own
// start.
static const double *decode_doubles(const caromFrame *frame)
{
    unsigned char *to = frame->payload - (uintptr_t)frame->payload % 8;
    for (size_t i = 0; i + 8 <= frame->size; i += 8) {
        double value = double_at(frame->payload + i);
        memcpy(to + i, &value, sizeof value);
    }
    return (const double *)(const void *)to;
}

static bool take_sample(caromContent *c, const caromFrame *frame)
{
    size_t columns = (size_t)c->ncolumn, n = frame->size/8;
    if (frame->size % 8 != 0 || n < columns || (n - columns) % CAROM_CONTACT_COLUMNS != 0) return false;
    c->row = decode_doubles(frame);
    c->ncontact = (int32_t)((n - columns)/CAROM_CONTACT_COLUMNS);
    c->words = NULL;
    for (size_t i = columns; i < n; i += CAROM_CONTACT_COLUMNS) {
        double pair = c->row[i];
        if (!(pair >= 0 && pair < (double)c->npair) || pair != floor(pair)) return false;
    }
    return true;
}

bool carom_results_has_contact(const double *contacts, int32_t ncontact, int pair, int32_t *at)
{
    while (*at < ncontact && contacts[(size_t)*at*CAROM_CONTACT_COLUMNS] < pair) ++*at;
    return *at < ncontact && contacts[(size_t)*at*CAROM_CONTACT_COLUMNS] == pair;
}

// Of the last row, pairs ascending; at most one frame for each row, and none before the first.
static bool take_patches(caromContent *c, const caromFrame *frame)
{
    if (!c->row || c->words) return false;
    const uint32_t *words = carom_results_patches_words(frame->payload, frame->size);
    size_t n = frame->size/4;
    caromResultsPatch patch = { .pair = -1 };
    int32_t contact = 0;
    if (!words) return false;
    for (size_t at = 0; at < n;) {
        int before = patch.pair;
        if (!carom_results_patches_next(words, n, &at, c->npair, c->nbody, &patch) || patch.pair <= before ||
            !carom_results_has_contact(c->row + c->ncolumn, c->ncontact, patch.pair, &contact)) return false;
    }
    c->words = words;
    c->nword = n;
    return true;
}

static void read_left_out(caromJson *json, caromResultsLack *left_out)
{
    char key[16];
    caromResultsLack now = { 0 };
    if (!carom_json_enter(json, '{')) json->is_bad = true;
    for (int64_t n = 0; carom_json_more(json, '}', n); n++) {
        int64_t value = 0;
        if (!carom_json_member(json, key, sizeof key) || !carom_json_count(json, &value)) return;
        if (strcmp(key, "samples") == 0) now.samples = value;
        else if (strcmp(key, "steps") == 0) now.steps = value;
        else if (strcmp(key, "events") == 0) now.events = value;
        else if (strcmp(key, "patches") == 0) now.patches = value;
    }
    if (!json->is_bad) *left_out = now;
}

// Of THIN and DONE: a member "left_out", if there is one that can be read.
static void look_for_left_out(caromContent *c, const caromFrame *frame)
{
    const char *text = (const char *)frame->payload;
    caromJson json = { text, text + frame->size, false };
    carom_json_enter(&json, '{');
    for (int64_t n = 0; carom_json_more(&json, '}', n); n++) {
        char key[32];
        read_key(&json, key, sizeof key);
        if (strcmp(key, "left_out") == 0) read_left_out(&(caromJson){ json.at, json.end, false }, &c->left_out);
        carom_json_skip(&json);
    }
}

// Terminates the text where its checksum was.
static bool take_text(caromContent *c, const caromFrame *frame)
{
    if (!carom_json_is_one_object((const char *)frame->payload, frame->size)) return false;
    if (frame->kind == CAROM_FRAME_THIN || frame->kind == CAROM_FRAME_DONE) look_for_left_out(c, frame);
    frame->payload[frame->size] = '\0';
    c->text = (const char *)frame->payload;
    return true;
}

// Of a pair of the head's many.
static bool take_pair(caromContent *c, const caromFrame *frame)
{
    const char *text = (const char *)frame->payload;
    caromJson json = { text, text + frame->size, false };
    c->pair = -1;
    if (!carom_json_is_one_object(text, frame->size)) return false;
    carom_json_enter(&json, '{');
    for (int64_t n = 0; carom_json_more(&json, '}', n); n++) {
        char key[32];
        read_key(&json, key, sizeof key);
        if (strcmp(key, "pair") == 0) c->pair = count_at(json);
        carom_json_skip(&json);
    }
    return c->pair >= 0 && c->pair < c->npair && take_text(c, frame);
}

static bool take_other(caromContent *c, const caromFrame *frame)
{
    switch (frame->kind) {
    case CAROM_FRAME_SAMP: return take_sample(c, frame);
    case CAROM_FRAME_PTCH: return take_patches(c, frame);
    case CAROM_FRAME_EVNT:
    case CAROM_FRAME_THIN:
    case CAROM_FRAME_DONE: return take_text(c, frame);
    case CAROM_FRAME_PAIR: return take_pair(c, frame);
    case CAROM_FRAME_HEAD: return false;
    case CAROM_FRAME_KINDS: break;  // of a later version: stepped over
    }
    return true;
}

caromStatus carom_results_content_take(caromContent *c, const caromFrame *frame, const char *path, caromError *err)
{
    bool good;
    if (frame->start == CAROM_RESULTS_MAGIC_BYTES) {
        good = frame->kind == CAROM_FRAME_HEAD;
        caromStatus status = good ? read_head(c, frame, path, err) : CAROM_OK;
        if (status != CAROM_OK) return status;
        if (good) take_text(c, frame);
    } else good = take_other(c, frame);
    if (good && frame->kind < CAROM_FRAME_KINDS) c->counts[frame->kind]++;
    if (good) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_FILE, path, "damaged: the frame at byte %llu has a good checksum but "
                      "wrong content", (unsigned long long)frame->start);
}

void carom_results_content_free(caromContent *c)
{
    free(c->columns);
    free(c->names);
    *c = (caromContent){ 0 };
}

caromStatus carom_results_nothing_to_read(const char *path, caromError *err)
{
    return carom_fail(err, CAROM_ERR_FILE, path,
                      "nothing to read: the run was stopped before its first output, or the file is damaged");
}
