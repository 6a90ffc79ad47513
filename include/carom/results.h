// results.h -- samples and events to one self-describing file, and back.
//
// In:    a model with its source text, then what a simulation delivers (a writer is a sink).
// Out:   a .carom file (docs/results-format.md), CSV tables, a page to watch.
// Promise: append-only frames with a checksum each: whatever the moment of a kill, all complete frames stay readable.
//          Same input, same bytes: no clock, no host name in the file.
// Not here: the simulation.
// Start reading at carom_results_open in src/results/read.c and carom_results_writer_create in src/results/write.c.
#ifndef CAROM_RESULTS_H
#define CAROM_RESULTS_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromWriter caromWriter;

// Where a run comes from. All of it is copied into the file; a member that is 0 is left out.
typedef struct caromRunSource {
    const char *name;              // a title, if the model has none of its own
    const char *model_text;        // the text that the model was read from
    const char *const *overrides;  // what was set beside it, "simulate.until=2"   [noverride]
    int noverride;
} caromRunSource;

// Creates (or replaces) the file and writes its head. source may be NULL. The model is borrowed until destroy.
// With gaps in its settings each sample has those of all contact pairs.
CAROM_API caromStatus carom_results_writer_create(const char *path, const caromModel *model,
                                                  const caromRunSource *source, caromWriter **writer, caromError *err);
CAROM_API caromSink carom_results_writer_sink(caromWriter *writer);  // valid while the writer lives
// What is left out of results that would outgrow settings.results: docs/results-format.md.
typedef struct caromResultsLack {
    int64_t samples;  // of the output grid
    int64_t steps;    // samples at events and inside contacts
    int64_t events;
    int64_t patches;
} caromResultsLack;

typedef struct caromResultsLoad {
    double budget;       // settings.results [B]
    double offered;      // what the run has told so far, kept or not [B]
    double expected;     // and would have told at its end, at the same rate [B]
    int64_t grid_every;  // of the output grid, which alone is too much, every how manyth sample is kept; 1: all
    caromResultsLack told, left_out;
} caromResultsLoad;
CAROM_API caromResultsLoad carom_results_writer_load(const caromWriter *writer);
// Writes everything so far to the operating system, so that a kill of this process loses nothing of it.
CAROM_API caromStatus carom_results_writer_flush(caromWriter *writer, caromError *err);
// The last frame: how the run ended ("completed", "interrupted", "failed") and what it amounted to.
CAROM_API caromStatus carom_results_writer_finish(caromWriter *writer, const char *verdict, const char *message,
                                                  const caromSimStats *stats, caromError *err);
CAROM_API void carom_results_writer_destroy(caromWriter *writer);

typedef struct caromResults caromResults;

typedef struct caromColumn { const char *name, *unit; } caromColumn;

// Reads a results file, complete or cut off. Rows and columns live as long as the results.
CAROM_API caromStatus carom_results_open(const char *path, caromResults **results, caromError *err);
CAROM_API void carom_results_close(caromResults *results);
CAROM_API bool carom_results_is_complete(const caromResults *results);  // has its last frame
// Of the file, up to the last complete frame: all of it, unless it is cut off or damaged.
CAROM_API uint64_t carom_results_good_bytes(const caromResults *results);
CAROM_API const char *carom_results_head(const caromResults *results);  // JSON text
CAROM_API const char *carom_results_end(const caromResults *results);   // JSON text of the last frame, or NULL
CAROM_API int carom_results_column_count(const caromResults *results);
CAROM_API caromColumn carom_results_column(const caromResults *results, int column);
CAROM_API int carom_results_column_index(const caromResults *results, const char *name);  // -1: none of that name
CAROM_API int64_t carom_results_row_count(const caromResults *results);
CAROM_API const double *carom_results_row(const caromResults *results, int64_t row);  // [carom_results_column_count]
// What is told of a pair, as JSON text. NULL: nothing happened to it, or there is no such pair. Gaps are of all pairs.
CAROM_API const char *carom_results_pair(const caromResults *results, int pair);
// Contacts of a row: how many, and 12 numbers of each, named by `contact` in the head
// (docs/results-format.md). NULL: no such row.
CAROM_API const double *carom_results_contacts(const caromResults *results, int64_t row, int *count);

// The surface over which a pair presses: polygons with the pressure in their corners, or points with the force
// of their surroundings.
typedef struct caromResultsPatch {
    int pair;
    int body;                         // in whose frame the coordinates are
    caromVec3 origin_B;               // what coordinates are counted from, in that frame
    int npolygon, ncorner, npoint;
    // How many each polygon has, >= 3 [npolygon].
    const uint32_t *polygon_corners;
    // x, y, z [m], pressure [Pa]; polygon by polygon [ncorner][4]
    const float *corners;
    // x, y, z [m], unit normal x, y, z from A into B, force along it [N] [npoint][7]
    const float *points;
} caromResultsPatch;

// As it was in that row, or last before it: it is stored where it changes. False: there is none, since the pair does
// not touch there, touches in a point, or the run was made without patches. Looks back along the rows of one contact.
CAROM_API bool carom_results_patch(const caromResults *results, int64_t row, int pair, caromResultsPatch *patch);
CAROM_API int64_t carom_results_event_count(const caromResults *results);
CAROM_API const char *carom_results_event(const caromResults *results, int64_t event);  // JSON text

// What a file holds, complete or cut off: found in one pass over it, in memory that does not grow with it.
typedef struct caromResultsSurvey {
    bool is_complete;       // has its last frame
    uint64_t size;          // of the file
    uint64_t good_bytes;    // up to the last complete frame
    int ncolumn;
    int64_t nrow, nevent;
    double last_time;       // of the last row [s]; NaN: there is none
    caromResultsLack left_out;  // by the run; of one that was cut off at least half of it
} caromResultsSurvey;
CAROM_API caromStatus carom_results_survey(const char *path, caromResultsSurvey *survey, caromError *err);

// Columns as CSV: a head line of names with units in brackets, then a line per row; numbers that read back to the same
// bits. Path "-": to standard output.
CAROM_API caromStatus carom_results_csv(const caromResults *results, const char *path, caromError *err);
// The same of a file that was surveyed, in memory that does not grow with it.
CAROM_API caromStatus carom_results_csv_of(const char *results_path, const caromResultsSurvey *survey, const char *path,
                                           caromError *err);

// The page: the results file itself inside the viewer's HTML. Browsers take texts of about 500 million characters: of a
// file of more than CAROM_PAGE_BYTES the page has every second, fourth, ... sample and event, without patches, and says
// so. Memory does not grow with the file.
#define CAROM_PAGE_BYTES 350000000
CAROM_API int64_t carom_results_page_every(const caromResultsSurvey *survey);  // 1: everything
CAROM_API caromStatus carom_results_page(const char *results_path, const char *page_path, caromError *err);
CAROM_API caromStatus carom_results_page_of(const char *results_path, const caromResultsSurvey *survey,
                                            const char *page_path, caromError *err);

#ifdef __cplusplus
}
#endif

#endif
