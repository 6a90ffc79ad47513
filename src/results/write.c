#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "carom/collide.h"
#include "results/results.h"

typedef struct JointWidth { int nq, nv; } JointWidth;

struct caromWriter {
    caromOutput out;
    caromText frame;     // payload of the frame being made, kept for its memory
    int *moving;         // bodies with columns
    int nmoving;
    int nbody;
    JointWidth *joints;  // those with columns
    int njoint;
    int ngap;            // pairs of the model that have columns: all or none
    const caromModel *model;  // asked for them only
    caromPatchLog *patches;   // NULL: not wanted
};

static void put_double(caromText *text, double value)
{
    unsigned char bytes[8];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> 8*i);
    carom_text_bytes(text, bytes, sizeof bytes);
}

static void put_vec3(caromText *text, caromVec3 v)
{
    put_double(text, v.x);
    put_double(text, v.y);
    put_double(text, v.z);
}

static void put_contact(caromText *text, const caromContact *contact)
{
    put_double(text, contact->pair);
    put_vec3(text, contact->p_W);
    put_vec3(text, contact->n_AB);
    put_vec3(text, contact->f_B);
    put_double(text, contact->fn);
    put_double(text, contact->depth);
}

static void put_doubles(caromText *text, const double *values, int n)
{
    for (int i = 0; i < n; i++) put_double(text, values[i]);
}

// Coordinates of a joint, then its speeds, then the next joint; a sample has all coordinates in a row, and all speeds.
static void put_joints(caromText *text, const caromWriter *writer, const double *q, const double *v)
{
    for (int k = 0; k < writer->njoint; k++) {
        JointWidth width = writer->joints[k];
        put_doubles(text, q, width.nq);
        put_doubles(text, v, width.nv);
        q += width.nq;
        v += width.nv;
    }
}

// What is not defined has no finite numbers, and a page draws nothing.
static void put_gap(caromText *text, const caromGap *gap)
{
    bool is_good = gap->status != CAROM_GAP_UNDEFINED;
    caromVec3 none = { NAN, NAN, NAN };
    put_double(text, is_good ? gap->g : (double)NAN);
    put_vec3(text, is_good ? gap->n_AB : none);
    put_vec3(text, is_good ? gap->p_A : none);
    put_vec3(text, is_good ? gap->p_B : none);
    put_double(text, is_good ? gap->error : (double)NAN);
}

static void put_gaps(caromText *text, const caromWriter *writer, const caromSample *sample)
{
    for (int k = 0; k < writer->ngap; k++) {
        caromPairInfo pair = carom_model_pair(writer->model, k);
        caromShapeInfo a = carom_model_shape(writer->model, pair.shape[0]), b = carom_model_shape(writer->model, pair.shape[1]);
        caromPose X_WA = carom_pose_mul(sample->X_WB[a.body.i], a.X_BS), X_WB = carom_pose_mul(sample->X_WB[b.body.i], b.X_BS);
        caromGap gap = carom_collide_shapes(a.shape, X_WA, b.shape, X_WB);
        put_gap(text, &gap);
    }
}

// Same order as carom_results_each_column.
static void put_sample(caromText *text, const caromWriter *writer, const caromSample *sample)
{
    put_double(text, sample->time);
    put_double(text, sample->kind);
    for (int k = 0; k < writer->nmoving; k++) {
        int i = writer->moving[k];
        caromQuat q = sample->q_WB[i];
        put_vec3(text, sample->X_WB[i].p);
        put_double(text, q.w);
        put_vec3(text, carom_vec(q.x, q.y, q.z));
        put_vec3(text, sample->V_WB[i].linear);
        put_vec3(text, sample->V_WB[i].angular);
    }
    put_joints(text, writer, sample->joint_q, sample->joint_v);
    double energies[CAROM_ENERGY_COLUMNS];
    carom_results_energies(&sample->energy, energies);
    put_doubles(text, energies, CAROM_ENERGY_COLUMNS);
    put_gaps(text, writer, sample);
    for (int i = 0; i < sample->ncontact; i++) put_contact(text, &sample->contacts[i]);
}

// The clock decides when bytes reach the disk, never which bytes.
static caromStatus write_frame(caromWriter *writer, caromFrameKind kind)
{
    carom_frame_write(&writer->out, kind, &writer->frame);
    return carom_output_flush_each_second(&writer->out);
}

static caromStatus on_sample(void *user, const caromSample *sample)
{
    caromWriter *writer = user;
    CAROM_ASSERT(sample->nbody == writer->nbody);
    writer->frame.size = 0;
    put_sample(&writer->frame, writer, sample);
    caromStatus status = write_frame(writer, CAROM_FRAME_SAMP);
    if (status != CAROM_OK || !writer->patches) return status;
    writer->frame.size = 0;
    carom_patches_put(writer->patches, sample, &writer->frame);
    return writer->frame.size > 0 || writer->frame.failed ? write_frame(writer, CAROM_FRAME_PTCH) : CAROM_OK;
}

static caromStatus on_event(void *user, const caromEvent *event)
{
    caromWriter *writer = user;
    writer->frame.size = 0;
    carom_results_event_json(&writer->frame, event);
    return write_frame(writer, CAROM_FRAME_EVNT);
}

static bool find_moving_bodies(caromWriter *writer, const caromModel *model)
{
    writer->nbody = carom_model_body_count(model);
    writer->moving = carom_alloc_array((size_t)writer->nbody, sizeof *writer->moving);
    if (!writer->moving) return false;
    for (int32_t i = 0; i < writer->nbody; i++)
        if (!carom_model_body_is_fixed(model, (caromBodyId){ i })) writer->moving[writer->nmoving++] = i;
    return true;
}

static bool want_patches(caromWriter *writer, const caromModel *model)
{
    if (!carom_model_settings(model)->patches) return true;
    writer->patches = carom_patches_create(model);
    return writer->patches != NULL;
}

static bool find_joints(caromWriter *writer, const caromModel *model)
{
    int n = carom_model_joint_count(model);
    writer->joints = carom_alloc_array((size_t)n, sizeof *writer->joints);
    if (!writer->joints) return false;
    for (int i = 0; i < n; i++) {
        caromJointKind kind = carom_model_joint(model, i).kind;
        JointWidth width = { carom_joint_kind_nq(kind), carom_joint_kind_nv(kind) };
        if (carom_results_joint_has_columns(model, i) && width.nq > 0) writer->joints[writer->njoint++] = width;
    }
    return true;
}

caromStatus carom_writer_create(const char *path, const char *name, const caromModel *model, const char *model_text,
                                const char *const *overrides, int noverride, caromWriter **result, caromError *err)
{
    *result = NULL;
    caromWriter *writer = calloc(1, sizeof *writer);
    if (!writer || !find_moving_bodies(writer, model) || !find_joints(writer, model) || !want_patches(writer, model)) {
        carom_writer_destroy(writer);
        return carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
    }
    writer->model = model;
    writer->ngap = carom_results_gap_count(model);
    caromStatus status = carom_output_open(&writer->out, path, err);
    if (status == CAROM_OK) {
        const char *title = carom_model_settings(model)->name;
        carom_results_head_json(&writer->frame, title ? title : name, model, model_text, overrides, noverride);
        carom_output_bytes(&writer->out, CAROM_RESULTS_MAGIC, CAROM_RESULTS_MAGIC_BYTES);
        carom_frame_write(&writer->out, CAROM_FRAME_HEAD, &writer->frame);
        status = carom_writer_flush(writer, err);
    }
    if (status == CAROM_OK) *result = writer;
    else carom_writer_destroy(writer);
    return status;
}

void carom_writer_destroy(caromWriter *writer)
{
    if (!writer) return;
    carom_output_close(&writer->out, NULL);
    carom_text_free(&writer->frame);
    free(writer->moving);
    free(writer->joints);
    carom_patches_destroy(writer->patches);
    free(writer);
}

caromSink carom_writer_sink(caromWriter *writer)
{
    return (caromSink){ .user = writer, .sample = on_sample, .event = on_event };
}

caromStatus carom_writer_flush(caromWriter *writer, caromError *err)
{
    caromStatus status = carom_output_flush(&writer->out);
    if (status != CAROM_OK && err) *err = writer->out.error;
    return status;
}

caromStatus carom_writer_finish(caromWriter *writer, const char *verdict, const char *message, const caromSimStats *stats,
                                caromError *err)
{
    writer->frame.size = 0;
    carom_results_done_json(&writer->frame, verdict, message ? message : "", stats);
    carom_frame_write(&writer->out, CAROM_FRAME_DONE, &writer->frame);
    return carom_output_close(&writer->out, err);
}
