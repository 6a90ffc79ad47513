// The writer: a sink that makes frames of what a simulation delivers.
#include <stdlib.h>

#include "base/base.h"
#include "results/channels.h"

struct caromWriter {
    caromOutput out;
    caromText frame;         // payload of the frame being made, kept for its memory
    const caromModel *model;
    size_t ncolumn;          // of every sample
    caromPatchLog *patches;  // NULL: not wanted
    bool *has_pair;          // it was told                                 [pairs of the model]
    caromThinning thinning;
    int64_t told;            // of what was left out, at the last THIN frame
};

static void put_sample(caromText *text, const caromWriter *writer, const caromSample *sample)
{
    carom_results_put_columns(writer->model, sample, text);
    CAROM_ASSERT(text->failed || text->size == writer->ncolumn*sizeof(double));  // as many as the head names
    carom_results_put_contacts(sample, text);
}

// The clock decides when bytes reach the disk, never which bytes.
static caromStatus write_frame(caromWriter *writer, caromFrameKind kind)
{
    carom_results_frame_write(&writer->out, kind, &writer->frame);
    return carom_output_flush_each_second(&writer->out);
}

// Of pairs to which nothing has happened nothing is said: there may be millions.
static caromStatus tell_pair(caromWriter *writer, int pair)
{
    if (pair < 0 || pair >= carom_model_pair_count(writer->model) || writer->has_pair[pair]) return CAROM_OK;
    writer->has_pair[pair] = true;
    writer->frame.size = 0;
    carom_results_pair_json(&writer->frame, writer->model, pair);
    return write_frame(writer, CAROM_FRAME_PAIR);
}

static caromStatus tell_pairs(caromWriter *writer, const caromSample *sample)
{
    caromStatus status = CAROM_OK;
    for (int i = 0; i < sample->ncontact && status == CAROM_OK; i++)
        status = tell_pair(writer, sample->contacts[i].pair);
    return status;
}

caromResultsLoad carom_results_writer_load(const caromWriter *writer)
{
    caromResultsLoad load = carom_results_load_of(&writer->thinning);
    load.left_out.patches = carom_results_patches_left_out(writer->patches);
    return load;
}

// A run that is cut off has no last frame: it tells what is left out whenever that has doubled.
static caromStatus tell_left_out(caromWriter *writer, double time)
{
    caromResultsLack lack = carom_results_writer_load(writer).left_out;
    int64_t n = lack.samples + lack.steps + lack.events + lack.patches;
    if (n == 0 || n < 2*writer->told) return CAROM_OK;
    writer->told = n;
    writer->frame.size = 0;
    carom_json_begin(&writer->frame, '{');
    carom_results_member_number(&writer->frame, "time", time);
    carom_results_left_out_json(&writer->frame, &lack);
    carom_json_finish(&writer->frame, '}');
    return write_frame(writer, CAROM_FRAME_THIN);
}

static caromStatus write_patches(caromWriter *writer, const caromSample *sample)
{
    writer->frame.size = 0;
    carom_results_patches_put(writer->patches, sample, &writer->frame);
    if (writer->frame.size == 0 && !writer->frame.failed) return CAROM_OK;
    carom_results_add_patches(&writer->thinning, sample->kind, writer->frame.size + CAROM_FRAME_AROUND);
    return write_frame(writer, CAROM_FRAME_PTCH);
}

static size_t sample_bytes(const caromWriter *writer, int ncontact)
{
    return (writer->ncolumn + (size_t)ncontact*CAROM_CONTACT_COLUMNS)*sizeof(double) + CAROM_FRAME_AROUND;
}

static caromStatus on_sample(void *user, const caromSample *sample)
{
    caromWriter *writer = user;
    CAROM_ASSERT(sample->nbody == carom_model_body_count(writer->model));
    caromStatus status = tell_pairs(writer, sample);
    if (status != CAROM_OK) return status;
    if (!carom_results_keep_sample(&writer->thinning, sample, sample_bytes(writer, sample->ncontact)))
        return tell_left_out(writer, sample->time);
    writer->frame.size = 0;
    put_sample(&writer->frame, writer, sample);
    status = write_frame(writer, CAROM_FRAME_SAMP);
    if (status == CAROM_OK && writer->patches) status = write_patches(writer, sample);
    return status == CAROM_OK ? tell_left_out(writer, sample->time) : status;
}

static caromStatus on_event(void *user, const caromEvent *event)
{
    caromWriter *writer = user;
    caromStatus status =
        event->about.kind == CAROM_SUBJECT_PAIR ? tell_pair(writer, event->about.pair) : CAROM_OK;
    if (status != CAROM_OK) return status;
    writer->frame.size = 0;
    carom_results_event_json(&writer->frame, event);
    if (writer->frame.failed || carom_results_keep_event(&writer->thinning, event, &writer->frame))
        return write_frame(writer, CAROM_FRAME_EVNT);
    return tell_left_out(writer, event->time);
}

// Behind all others, out of the order of time.
static void write_late_events(caromWriter *writer)
{
    const caromText *late[2];
    for (int k = 0; k < CAROM_EVENT_KINDS; k++) {
        int n = carom_results_late_events(&writer->thinning, (caromEventKind)k, late);
        for (int i = 0; i < n; i++) carom_results_frame_write(&writer->out, CAROM_FRAME_EVNT, late[i]);
    }
}

static void count_column(void *user, const char *name, const char *unit)
{
    size_t *count = user;
    (void)name;
    (void)unit;
    ++*count;
}

// Gaps are recorded of all pairs.
static caromStatus write_start(caromWriter *writer, const caromRunSource *source)
{
    const caromModel *model = writer->model;
    caromStatus status = CAROM_OK;
    carom_results_head_json(&writer->frame, model, source);
    carom_output_bytes(&writer->out, CAROM_RESULTS_MAGIC, CAROM_RESULTS_MAGIC_BYTES);
    carom_results_frame_write(&writer->out, CAROM_FRAME_HEAD, &writer->frame);
    int n = carom_model_settings(model)->gaps ? carom_model_pair_count(model) : 0;
    for (int i = 0; i < n && status == CAROM_OK; i++) status = tell_pair(writer, i);
    return status;
}

static bool want_patches(caromWriter *writer, const caromModel *model)
{
    if (!carom_model_settings(model)->patches) return true;
    writer->patches = carom_results_patches_create(model);
    return writer->patches != NULL;
}

caromStatus carom_results_writer_create(const char *path, const caromModel *model, const caromRunSource *source,
                                        caromWriter **result, caromError *err)
{
    const caromRunSource unknown = { 0 };
    *result = NULL;
    caromWriter *writer = calloc(1, sizeof *writer);
    bool is_ready = writer && want_patches(writer, model);
    if (is_ready) writer->has_pair = carom_alloc_array((size_t)carom_model_pair_count(model), sizeof(bool));
    if (!is_ready || !writer->has_pair) {
        carom_results_writer_destroy(writer);
        return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    }
    writer->model = model;
    carom_results_each_column(model, count_column, &writer->ncolumn);
    writer->thinning = carom_results_thinning(carom_model_settings(model), sample_bytes(writer, 0));
    caromStatus status = carom_output_open(&writer->out, path, err);
    if (status == CAROM_OK) {
        write_start(writer, source ? source : &unknown);  // a failure stays
        status = carom_results_writer_flush(writer, err);
    }
    if (status == CAROM_OK) *result = writer;
    else carom_results_writer_destroy(writer);
    return status;
}

void carom_results_writer_destroy(caromWriter *writer)
{
    if (!writer) return;
    carom_output_close(&writer->out, NULL);
    carom_results_text_free(&writer->frame);
    carom_results_patches_destroy(writer->patches);
    carom_results_thinning_free(&writer->thinning);
    free(writer->has_pair);
    free(writer);
}

caromSink carom_results_writer_sink(caromWriter *writer)
{
    return (caromSink){ .user = writer, .sample = on_sample, .event = on_event };
}

caromStatus carom_results_writer_flush(caromWriter *writer, caromError *err)
{
    caromStatus status = carom_output_flush(&writer->out);
    if (status != CAROM_OK && err) *err = writer->out.error;
    return status;
}

caromStatus carom_results_writer_finish(caromWriter *writer, const char *verdict, const char *message,
                                        const caromSimStats *stats, caromError *err)
{
    caromEnding ending = { verdict, message ? message : "", stats, carom_model_settings(writer->model)->tolerance,
                           carom_results_writer_load(writer).left_out };
    tell_pair(writer, stats->largest_depth_pair);
    write_late_events(writer);
    writer->frame.size = 0;
    carom_results_done_json(&writer->frame, &ending);
    carom_results_frame_write(&writer->out, CAROM_FRAME_DONE, &writer->frame);
    return carom_output_close(&writer->out, err);
}
