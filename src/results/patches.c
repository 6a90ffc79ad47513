// Patches: the surfaces over which faces press, with their pressure, as PTCH frames behind the samples
// (docs/results-format.md).
//
// A patch is written in the frame of one of its bodies, and only where it differs from the one that was written last: a
// body at rest, or one that slides as it lies, writes it once.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "results/results.h"

#define SAME 1e-3            // of the size of the patch, of its largest pressure and force, is no difference
// Of the force of the bit that presses most: bits with less are not written (seams round a face, of the width of a
// depth).
#define LITTLE 1e-4
#define CORNERS_MAX 4096     // of polygons, and points, of one patch; one with more is written without any
#define BYTES_MAX (64u << 20)  // of all patches of a file; behind that they are written without any

enum { WORD = 4, ORIGIN = 5 };  // bytes of a word; word of the head of a patch at which its origin begins

// What was written of a pair, if it touched in the sample before; else none.
typedef struct Written {
    int pair;
    caromText patch;
} Written;

struct caromPatchLog {
    int32_t *carrier;        // body in whose frame the patch of a pair is                [npair]
    Written *before, *now;   // by pair, ascending                                        [capacity]
    int nbefore, nnow, capacity;
    uint64_t bytes;          // written so far
    int64_t left_out;        // patches that had to be left empty
    caromText counts, corners, points, patch;  // of the patch that is being made
    caromPose X_WB;          // of its carrier
    caromVec3 origin_B;      // its first corner or point: a float would not do for a patch of 1 um on a body of 1 m
    bool has_origin;
    double most;             // force of the bit that presses most [N]
};

static void put_word(caromText *text, uint32_t word)
{
    unsigned char bytes[WORD];
    for (int i = 0; i < WORD; i++) bytes[i] = (unsigned char)(word >> 8*i);
    carom_results_text_bytes(text, bytes, sizeof bytes);
}

// Beyond its range a float has no finite number, and a reader takes no other.
static void put_float(caromText *text, double value)
{
    float rounded = (float)fmax(-3e38, fmin(value, 3e38));
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    put_word(text, bits);
}

static void put_double(caromText *text, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_word(text, (uint32_t)bits);
    put_word(text, (uint32_t)(bits >> 32));
}

static void put_floats(caromText *text, caromVec3 v)
{
    put_float(text, v.x);
    put_float(text, v.y);
    put_float(text, v.z);
}

static uint32_t word_at(const caromText *text, size_t i)
{
    const unsigned char *from = (const unsigned char *)text->data + WORD*i;
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static double float_at(const caromText *text, size_t i)
{
    uint32_t bits = word_at(text, i);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double double_at(const caromText *text, size_t i)
{
    uint64_t bits = word_at(text, i) | (uint64_t)word_at(text, i + 1) << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---- making one

static void put_place(caromPatchLog *log, caromText *text, caromVec3 p_W)
{
    caromVec3 p_B = carom_pose_inverse_point(log->X_WB, p_W);
    if (!log->has_origin) log->origin_B = p_B;
    log->has_origin = true;
    put_floats(text, carom_sub(p_B, log->origin_B));
}

static void find_most(const caromPressure *bit, void *user)
{
    caromPatchLog *log = user;
    log->most = fmax(log->most, bit->force);
}

static void add_bit(const caromPressure *bit, void *user)
{
    caromPatchLog *log = user;
    if (!(bit->force > LITTLE*log->most)) return;
    if (bit->n == 1) {
        put_place(log, &log->points, bit->corners_W[0]);
        put_floats(&log->points, carom_mul(carom_transpose(log->X_WB.R), bit->n_AB));
        put_float(&log->points, bit->force);
        return;
    }
    put_word(&log->counts, (uint32_t)bit->n);
    for (int k = 0; k < bit->n; k++) {
        put_place(log, &log->corners, bit->corners_W[k]);
        put_float(&log->corners, bit->pressure[k]);
    }
}

static size_t words_of(const caromText *text)
{
    return text->size/WORD;
}

// False: out of memory.
static bool make_patch(caromPatchLog *log, const caromSample *sample, int contact)
{
    int pair = sample->contacts[contact].pair, body = log->carrier[pair];
    log->counts.size = log->corners.size = log->points.size = log->patch.size = 0;
    log->X_WB = sample->X_WB[body];
    log->origin_B = carom_vec(0, 0, 0);
    log->has_origin = false;
    log->most = 0.0;
    bool is_any = carom_step_sample_pressure(sample, contact, find_most, log) > 0, has_room = log->bytes < BYTES_MAX;
    if (is_any && has_room) carom_step_sample_pressure(sample, contact, add_bit, log);
    if (words_of(&log->corners)/CAROM_PATCH_CORNER + words_of(&log->points)/CAROM_PATCH_POINT > CORNERS_MAX) {
        log->counts.size = log->corners.size = log->points.size = 0;
        has_room = false;
    }
    log->left_out += is_any && !has_room;
    put_word(&log->patch, (uint32_t)pair);
    put_word(&log->patch, (uint32_t)body);
    put_word(&log->patch, (uint32_t)words_of(&log->counts));
    put_word(&log->patch, (uint32_t)(words_of(&log->corners)/CAROM_PATCH_CORNER));
    put_word(&log->patch, (uint32_t)(words_of(&log->points)/CAROM_PATCH_POINT));
    for (int k = 0; k < 3; k++) put_double(&log->patch, carom_at(log->origin_B, k));
    carom_results_text_bytes(&log->patch, log->counts.data, log->counts.size);
    carom_results_text_bytes(&log->patch, log->corners.data, log->corners.size);
    carom_results_text_bytes(&log->patch, log->points.data, log->points.size);
    return !(log->counts.failed || log->corners.failed || log->points.failed || log->patch.failed);
}

// ---- is it as before?

static bool is_empty(const caromText *patch)
{
    return words_of(patch) <= CAROM_PATCH_HEAD;
}

// Columns of a table of floats.
typedef struct PatchTable {
    size_t at, rows, width;
} PatchTable;

static double largest(const caromText *patch, PatchTable t, size_t column)
{
    double most = 0.0;
    for (size_t i = 0; i < t.rows; i++) most = fmax(most, fabs(float_at(patch, t.at + i*t.width + column)));
    return most;
}

static double extent(const caromText *patch, PatchTable t)
{
    double square = 0.0;
    for (size_t k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < t.rows; i++) {
            double x = float_at(patch, t.at + i*t.width + k);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high > low) square += (high - low)*(high - low);
    }
    return sqrt(square);
}

static bool is_near(const caromText *a, const caromText *b, PatchTable t, size_t column, double shift, double tolerance)
{
    for (size_t i = t.at + column; i < t.at + t.rows*t.width; i += t.width)
        if (!(fabs(float_at(a, i) - float_at(b, i) + shift) <= tolerance)) return false;
    return true;
}

// The last column is a pressure or a force; normals, of length 1, are between.
static bool is_same_table(const caromText *before, const caromText *now, PatchTable t)
{
    double size = extent(before, t), most = largest(before, t, t.width - 1);
    bool is_same = is_near(before, now, t, t.width - 1, 0.0, SAME*most);
    for (size_t k = 0; is_same && k < 3; k++)
        is_same = is_near(before, now, t, k, double_at(before, ORIGIN + 2*k) - double_at(now, ORIGIN + 2*k), SAME*size);
    for (size_t k = 3; is_same && k + 1 < t.width; k++) is_same = is_near(before, now, t, k, 0.0, SAME);
    return is_same;
}

static bool is_as_before(const caromText *before, const caromText *now)
{
    if (before->size != now->size) return false;
    size_t npolygon = word_at(now, 2);
    if (memcmp(before->data, now->data, (size_t)WORD*ORIGIN) != 0) return false;
    if (npolygon > 0 && memcmp(before->data + WORD*CAROM_PATCH_HEAD, now->data + WORD*CAROM_PATCH_HEAD,
                               WORD*npolygon) != 0) return false;
    PatchTable corners = { CAROM_PATCH_HEAD + npolygon, word_at(now, 3), CAROM_PATCH_CORNER };
    PatchTable points = { corners.at + corners.rows*corners.width, word_at(now, 4), CAROM_PATCH_POINT };
    return is_same_table(before, now, corners) && is_same_table(before, now, points);
}

// ---- a frame of them

static bool make_room(caromPatchLog *log, int n)
{
    if (n <= log->capacity) return true;
    Written *before = realloc(log->before, (size_t)n*sizeof *before);
    if (before) log->before = before;
    Written *now = realloc(log->now, (size_t)n*sizeof *now);
    if (now) log->now = now;
    if (!before || !now) return false;
    for (int i = log->capacity; i < n; i++) before[i] = now[i] = (Written){ 0 };
    log->capacity = n;
    return true;
}

static void swap(Written *a, Written *b)
{
    Written kept = *a;
    *a = *b;
    *b = kept;
}

// What was written of the pair moves from before to now, or becomes what is written here. *i moves along the pairs of
// before.
static void write_patch(caromPatchLog *log, int pair, int *i, caromText *payload)
{
    while (*i < log->nbefore && log->before[*i].pair < pair) (*i)++;
    bool was_there = *i < log->nbefore && log->before[*i].pair == pair;
    if (!was_there && is_empty(&log->patch)) return;
    Written *written = &log->now[log->nnow++];
    if (was_there) swap(written, &log->before[*i]);
    if (was_there && is_as_before(&written->patch, &log->patch)) return;
    written->pair = pair;
    written->patch.size = 0;
    carom_results_text_bytes(&written->patch, log->patch.data, log->patch.size);
    carom_results_text_bytes(payload, log->patch.data, log->patch.size);
    if (written->patch.failed) payload->failed = true;
}

void carom_results_patches_put(caromPatchLog *log, const caromSample *sample, caromText *payload)
{
    int i = 0;
    log->nnow = 0;
    payload->failed = payload->failed || !make_room(log, sample->ncontact);
    for (int k = 0; k < sample->ncontact && !payload->failed; k++) {
        if (make_patch(log, sample, k)) write_patch(log, sample->contacts[k].pair, &i, payload);
        else payload->failed = true;
    }
    Written *before = log->before;
    log->before = log->now;
    log->now = before;
    log->nbefore = log->nnow;
    log->bytes += payload->size;
}

int64_t carom_results_patches_left_out(const caromPatchLog *log)
{
    return log ? log->left_out : 0;
}

// The smaller of the two shapes is the one whose face it mostly is.
static int carrier_of(const caromModel *model, int pair)
{
    caromPairInfo info = carom_model_pair(model, pair);
    caromShapeInfo a = carom_model_shape(model, info.shape[0]), b = carom_model_shape(model, info.shape[1]);
    return carom_shape_radius(a.shape) < carom_shape_radius(b.shape) ? a.body.i : b.body.i;
}

caromPatchLog *carom_results_patches_create(const caromModel *model)
{
    caromPatchLog *log = calloc(1, sizeof *log);
    int n = carom_model_pair_count(model);
    if (log) log->carrier = carom_alloc_array((size_t)n, sizeof *log->carrier);
    if (!log || !log->carrier) {
        carom_results_patches_destroy(log);
        return NULL;
    }
    for (int i = 0; i < n; i++) log->carrier[i] = carrier_of(model, i);
    return log;
}

void carom_results_patches_destroy(caromPatchLog *log)
{
    if (!log) return;
    for (int i = 0; i < log->capacity; i++) {
        carom_results_text_free(&log->before[i].patch);
        carom_results_text_free(&log->now[i].patch);
    }
    free(log->before);
    free(log->now);
    free(log->carrier);
    carom_results_text_free(&log->counts);
    carom_results_text_free(&log->corners);
    carom_results_text_free(&log->points);
    carom_results_text_free(&log->patch);
    free(log);
}
