// One pass over a results file, in memory that does not grow with it: a window, the last sample, the head.
#include <math.h>

#include "base/base.h"
#include "results/reader.h"

typedef struct Scan {
    caromFrames frames;
    caromContent content;
    caromText row;  // the last sample, out of the window
    const caromScanSink *sink;
} Scan;

// Patches behind a sample are compared with it when the window has moved on.
static bool keep_row(Scan *s)
{
    size_t n = (size_t)s->content.ncolumn + (size_t)s->content.ncontact*CAROM_CONTACT_COLUMNS;
    s->row.size = 0;
    carom_results_text_bytes(&s->row, s->content.row, n*sizeof *s->content.row);
    s->content.row = (const double *)(const void *)s->row.data;
    return !s->row.failed;
}

// What a sink of frames gets is as it is in the file: before it is decoded in place.
static caromStatus take(Scan *s, const caromFrame *frame, caromError *err)
{
    caromStatus status = CAROM_OK;
    if (s->sink && s->sink->frame) status = s->sink->frame(s->sink->user, frame, err);
    if (status == CAROM_OK) status = carom_results_content_take(&s->content, frame, s->frames.path, err);
    if (status == CAROM_OK && frame->kind == CAROM_FRAME_HEAD && s->sink && s->sink->head)
        return s->sink->head(s->sink->user, &s->content, err);
    if (status != CAROM_OK || frame->kind != CAROM_FRAME_SAMP) return status;
    if (!keep_row(s)) return carom_fail(err, CAROM_ERR_MEMORY, s->frames.path, "out of memory");
    return s->sink && s->sink->row ? s->sink->row(s->sink->user, &s->content, err) : CAROM_OK;
}

static caromStatus go_through(Scan *s, caromError *err)
{
    caromFrame frame;
    caromStatus status = carom_results_frames_begin(&s->frames, err);
    while (status == CAROM_OK && s->content.counts[CAROM_FRAME_DONE] == 0 &&
           carom_results_frames_next(&s->frames, &frame)) status = take(s, &frame, err);
    if (status == CAROM_OK && s->frames.error.status != CAROM_OK) {
        status = s->frames.error.status;
        if (err) *err = s->frames.error;
    }
    if (status == CAROM_OK && s->content.counts[CAROM_FRAME_HEAD] == 0)
        status = carom_results_nothing_to_read(s->frames.path, err);
    return status;
}

caromStatus carom_results_scan(const char *path, uint64_t limit, const caromScanSink *sink, caromResultsSurvey *survey,
                               caromError *err)
{
    Scan s = { .sink = sink };
    caromStatus status = carom_results_frames_open(&s.frames, path, err);
    if (status != CAROM_OK) return status;
    if (s.frames.size > limit) s.frames.size = limit;
    status = go_through(&s, err);
    if (survey)
        *survey = (caromResultsSurvey){ .is_complete = s.content.counts[CAROM_FRAME_DONE] > 0,
                                        .size = s.frames.size,
                                        .good_bytes = s.frames.at,
                                        .ncolumn = s.content.ncolumn,
                                        .last_time = s.content.row ? s.content.row[0] : (double)NAN,
                                        .left_out = s.content.left_out,
                                        .nrow = s.content.counts[CAROM_FRAME_SAMP],
                                        .nevent = s.content.counts[CAROM_FRAME_EVNT] };
    carom_results_frames_close(&s.frames);
    carom_results_content_free(&s.content);
    carom_results_text_free(&s.row);
    return status;
}

caromStatus carom_results_survey(const char *path, caromResultsSurvey *survey, caromError *err)
{
    return carom_results_scan(path, UINT64_MAX, NULL, survey, err);
}
