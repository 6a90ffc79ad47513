// How a results file is read: frame by frame, each checked and decoded as it comes (frames.c, content.c).
#ifndef CAROM_SRC_RESULTS_READER_H
#define CAROM_SRC_RESULTS_READER_H

#include "results/results.h"

// ---- frames.c: the frames of a file, from memory or through a window that does not grow with the file
typedef struct caromFrames {
    int fd;                // -1: all of it is in memory
    unsigned char *bytes;  // the window, or all of it; payloads may be decoded in place
    uint64_t first;        // where in the file it begins
    size_t held, capacity; // bytes in it, and room for them
    uint64_t size;         // of the file
    uint64_t at;           // where the next frame begins: everything before is good
    bool is_checked;       // it was gone through before: checksums are not asked again
    const char *path;      // for messages
    caromError error;      // why it cannot be read on; CAROM_OK: it ends here
} caromFrames;

typedef struct caromFrame {
    caromFrameKind kind;   // CAROM_FRAME_KINDS: one that this version does not know
    uint64_t start;        // in the file
    unsigned char *payload;  // until the next frame is asked for, where there is a window
    size_t size;
} caromFrame;

// A regular file; close() it.
caromStatus carom_results_open_to_read(const char *path, int *fd, uint64_t *size, caromError *err);
// Through a window; path has to stay.
caromStatus carom_results_frames_open(caromFrames *frames, const char *path, caromError *err);
caromFrames carom_results_frames_of_memory(unsigned char *bytes, size_t size, const char *path);
void carom_results_frames_close(caromFrames *frames);  // of a window
// Is it a results file, of this version? Then frames.at is behind its first line, if it is as long.
caromStatus carom_results_frames_begin(caromFrames *frames, caromError *err);
// False: the end, a frame that is cut off or damaged, or frames.error.
bool carom_results_frames_next(caromFrames *frames, caromFrame *frame);

// ---- content.c: what frames say, checked
typedef struct caromContent {
    caromColumn *columns;
    int ncolumn;
    int64_t npair, nbody;
    int64_t pair;          // of the last frame that tells of one
    char *names;           // memory of the columns' names and units
    int64_t counts[CAROM_FRAME_KINDS];  // frames so far
    const double *row;     // the last sample, with its contacts behind the columns
    int32_t ncontact;
    const uint32_t *words; // patches of the last sample, NULL: none
    size_t nword;
    const char *text;      // the last frame of text, terminated
    caromResultsLack left_out; // as far as it was told
} caromContent;

// The next frame of a file, decoded in place. row is to be kept by the caller where there is a window.
caromStatus carom_results_content_take(caromContent *content, const caromFrame *frame, const char *path,
                                       caromError *err);
void carom_results_content_free(caromContent *content);
caromStatus carom_results_nothing_to_read(const char *path, caromError *err);
// Contacts of a row ascend, and so do the pairs that are asked for: *at goes on from one to the next.
bool carom_results_has_contact(const double *contacts, int32_t ncontact, int pair, int32_t *at);

const caromColumn *carom_results_columns(const caromResults *results, int *count);  // read.c

// ---- scan.c: one pass over a file; functions may be NULL
typedef struct caromScanSink {
    void *user;
    caromStatus (*head)(void *user, const caromContent *content, caromError *err);
    caromStatus (*frame)(void *user, const caromFrame *frame, caromError *err);  // as it is in the file
    caromStatus (*row)(void *user, const caromContent *content, caromError *err);
} caromScanSink;
// Of the first `limit` bytes.
caromStatus carom_results_scan(const char *path, uint64_t limit, const caromScanSink *sink, caromResultsSurvey *survey,
                               caromError *err);

// ---- page.c: with every so many of samples and events; 1: as the file is
caromStatus carom_results_page_thinned(const char *results_path, const caromResultsSurvey *survey, int64_t every,
                                       const char *page_path, caromError *err);

#endif
