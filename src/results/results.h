// What the files of this room share: text that grows, JSON both ways, numbers as text, a file that is written, frames.
#ifndef CAROM_SRC_RESULTS_H
#define CAROM_SRC_RESULTS_H

#include "carom/results.h"

// ---- text that grows; when memory runs out it becomes `failed` and stays so, to be asked once at the end
typedef struct caromText {
    char *data;  // not terminated
    size_t size, capacity;
    bool failed;
} caromText;

void carom_results_text_bytes(caromText *text, const void *data, size_t n);
void carom_results_text_string(caromText *text, const char *string);
void carom_results_text_free(caromText *text);
size_t carom_results_base64(const unsigned char *from, size_t n, char *to);  // length of the text, (n + 2)/3*4

// ---- numbers: the shortest decimal of 15, 16 or 17 digits that reads back to the same bits, with '.' in every locale
#define CAROM_NUMBER_MAX 32
int carom_results_number_text(double value, char text[CAROM_NUMBER_MAX]);  // length; "nan", "inf" and "-inf" as such
// A number as printf wrote it in some locale -> as C and JSON write it. The decimal point can be a comma or several
// bytes.
int carom_results_number_plain(const char *local, char *text);

// ---- JSON out. A member is a key and then a value; commas are set by themselves.
void carom_json_begin(caromText *text, char bracket);         // '{' or '['
void carom_json_finish(caromText *text, char bracket);        // '}' or ']'
void carom_json_key(caromText *text, const char *key);
void carom_json_number(caromText *text, double value);        // null if it is not finite
void carom_json_integer(caromText *text, int64_t value);
void carom_json_bool(caromText *text, bool value);
void carom_json_text(caromText *text, const char *string);    // bytes that are not UTF-8 become U+FFFD
void carom_json_vec3(caromText *text, caromVec3 v);
void carom_results_member_number(caromText *text, const char *key, double value);  // key and value at once
void carom_results_member_integer(caromText *text, const char *key, int64_t value);
void carom_results_member_bool(caromText *text, const char *key, bool value);
void carom_results_member_text(caromText *text, const char *key, const char *value);
void carom_results_member_vec3(caromText *text, const char *key, caromVec3 value);
void carom_results_member_array(caromText *text, const char *key);  // begins it

// ---- a file that is written, through a buffer. The first failure stays; later calls repeat it.
#define CAROM_OUTPUT_BUFFER 65536
typedef struct caromOutput {
    int fd;
    bool is_borrowed;  // standard output: not closed
    char path[160];    // for messages
    unsigned char *buffer;
    size_t used;
    uint64_t written;  // bytes the operating system took
    double flushed;    // when, on the monotonic clock [s]
    caromError error;
} caromOutput;

caromStatus carom_output_open(caromOutput *out, const char *path, caromError *err);  // "-": standard output
caromStatus carom_output_bytes(caromOutput *out, const void *data, size_t n);
caromStatus carom_output_flush(caromOutput *out);
caromStatus carom_output_flush_each_second(caromOutput *out);
caromStatus carom_output_close(caromOutput *out, caromError *err);  // flushes and frees; harmless when not open

// ---- frames
#define CAROM_RESULTS_MAGIC "carom results 1\n"
#define CAROM_RESULTS_MAGIC_BYTES 16
#define CAROM_CONTACT_COLUMNS 12
#define CAROM_PATCH_HEAD 11   // words before what a patch is made of
#define CAROM_PATCH_CORNER 4  // floats of a corner
#define CAROM_PATCH_POINT 7   // and of a point

typedef enum caromFrameKind { CAROM_FRAME_HEAD, CAROM_FRAME_SAMP, CAROM_FRAME_EVNT, CAROM_FRAME_DONE, CAROM_FRAME_PTCH,
                              CAROM_FRAME_THIN, CAROM_FRAME_PAIR, CAROM_FRAME_KINDS } caromFrameKind;
extern const char carom_frame_names[CAROM_FRAME_KINDS][5];

#define CAROM_FRAME_AROUND 12  // bytes of a frame around its payload: 8 before, 4 behind
void carom_results_frame_around(caromFrameKind kind, const caromText *payload,
                                unsigned char around[CAROM_FRAME_AROUND]);
caromStatus carom_results_frame_write(caromOutput *out, caromFrameKind kind, const caromText *payload);

// ---- thin.c: what is kept of a run that tells more than its results may hold
typedef struct caromThinned {  // one stream of frames
    double own;                // what no other stream takes from it [B]
    int64_t offered, kept;
    double offered_bytes, used;
    int64_t every, next;       // while it is over its share: every how manyth, and which is kept next
} caromThinned;

typedef struct caromThinnedEvents {  // of one kind
    caromThinned stream;
    double largest;            // so far
    caromText largest_text;    // if it was left out
    caromText last;            // if it was left out
} caromThinnedEvents;

typedef struct caromThinning {
    double budget, until;      // [B], [s]
    double of_grid;            // of the budget, for the output grid [B]
    int64_t grid_every;        // of its samples, from the start
    caromThinned grid, steps;  // samples
    caromThinnedEvents events[CAROM_EVENT_KINDS];
    double used;               // by steps and events [B]
    double time;               // of the last
} caromThinning;

// sample_bytes: of a frame without contacts.
caromThinning carom_results_thinning(const caromSettings *settings, size_t sample_bytes);
void carom_results_thinning_free(caromThinning *thinning);
bool carom_results_keep_sample(caromThinning *thinning, const caromSample *sample, size_t bytes);
void carom_results_add_patches(caromThinning *thinning, caromSampleKind kind, size_t bytes);  // of one that is kept
bool carom_results_keep_event(caromThinning *thinning, const caromEvent *event, const caromText *text);
// Of those that were left out, the largest if it is larger than all that were kept, and the last if it is later.
int carom_results_late_events(const caromThinning *thinning, caromEventKind kind, const caromText *late[2]);
caromResultsLoad carom_results_load_of(const caromThinning *thinning);
void carom_results_left_out_json(caromText *text, const caromResultsLack *left_out);  // a member "left_out"

// ---- channels.c: columns of all channels (channels.h), in the order of the file, and their numbers in the same order
typedef void (*caromColumnVisitor)(void *user, const char *name, const char *unit);
void carom_results_each_column(const caromModel *model, caromColumnVisitor visit, void *user);
void carom_results_put_columns(const caromModel *model, const caromSample *sample, caromText *text);
// channel_contacts.c
extern const caromColumn carom_contact_columns[CAROM_CONTACT_COLUMNS];
void carom_results_put_contacts(const caromSample *sample, caromText *text);
// channel_energy.c
void carom_results_energy_json(caromText *text, const caromEnergy *energy);  // a member "energy"

// ---- head_meshes.c: meshes of a model, each once however many shapes have it
// Of each shape, -1: it is none; free() it, NULL: out of memory.
int *carom_results_mesh_numbers(const caromModel *model);
// Nothing if there are none.
void carom_results_meshes_json(caromText *text, const caromModel *model, const int *numbers);

// ---- patches.c: which of the patches of a sample have to be written, since they are not as they were before
typedef struct caromPatchLog caromPatchLog;
caromPatchLog *carom_results_patches_create(const caromModel *model);  // keeps nothing of it. NULL: out of memory
void carom_results_patches_destroy(caromPatchLog *log);
int64_t carom_results_patches_left_out(const caromPatchLog *log);  // too many corners, or too many bytes before
// Of a PTCH frame; nothing if all are as before.
void carom_results_patches_put(caromPatchLog *log, const caromSample *sample, caromText *payload);

// ---- patches_read.c
// Words of a payload (n bytes) in place, at a multiple of 4 bytes that is at most 3 before it; NULL: not a
// whole number of words.
const uint32_t *carom_results_patches_words(unsigned char *payload, size_t n);
// The patch at word *at, which moves behind it. False: they are no patch, or one of a body or a pair that is not there.
bool carom_results_patches_next(const uint32_t *words, size_t n, size_t *at, int64_t npair, int64_t nbody,
                                caromResultsPatch *patch);

// ---- pair.c
void carom_results_pair_json(caromText *text, const caromModel *model, int pair);

void carom_results_head_json(caromText *text, const caromModel *model, const caromRunSource *source);
// ---- events.c
void carom_results_event_json(caromText *text, const caromEvent *event);
typedef struct caromEnding {
    const char *verdict, *message;
    const caromSimStats *stats;
    double tolerance;  // of the run
    caromResultsLack left_out;
} caromEnding;
void carom_results_done_json(caromText *text, const caromEnding *ending);

// Results from the bytes of a file, which were malloc'ed and now belong to them, on failure too. path: for messages.
caromStatus carom_results_parse(unsigned char *bytes, size_t size, const char *path, caromResults **results,
                                caromError *err);

// The viewer's page, compiled in (src/results/page.html).
extern const unsigned char carom_page_template[];
extern const size_t carom_page_template_size;
#define CAROM_PAGE_TOKEN "@CAROM_RESULTS_BASE64@"

#endif
