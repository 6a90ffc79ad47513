// Gaps of all contact pairs, if the settings of the model want them.
#include <math.h>
#include <stdio.h>

#include "carom/collide.h"
#include "results/channels.h"

static const caromColumn gap_columns[] = {
    { "distance", "m" },
    { "normal.x", "" }, { "normal.y", "" }, { "normal.z", "" },
    { "point_a.x", "m" }, { "point_a.y", "m" }, { "point_a.z", "m" },
    { "point_b.x", "m" }, { "point_b.y", "m" }, { "point_b.z", "m" },
    { "error", "m" },
};

static int gap_count(const caromModel *model)
{
    return carom_model_settings(model)->gaps ? carom_model_pair_count(model) : 0;
}

static void columns(const caromModel *model, caromColumnVisitor visit, void *user)
{
    char pair[CAROM_PAIR_NAME_MAX], name[CAROM_COLUMN_NAME_MAX];
    for (int i = 0; i < gap_count(model); i++) {
        carom_model_pair_name(model, i, pair, sizeof pair);
        for (size_t k = 0; k < sizeof gap_columns/sizeof *gap_columns; k++) {
            snprintf(name, sizeof name, "gaps.%s.%s", pair, gap_columns[k].name);
            visit(user, name, gap_columns[k].unit);
        }
    }
}

// A gap that is not defined has no finite numbers, and a page draws nothing.
static void put_gap(caromText *text, const caromGap *gap)
{
    bool is_good = gap->status != CAROM_GAP_UNDEFINED;
    caromVec3 none = { NAN, NAN, NAN };
    carom_results_put_number(text, is_good ? gap->g : (double)NAN);
    carom_results_put_vec3(text, is_good ? gap->n_AB : none);
    carom_results_put_vec3(text, is_good ? gap->p_A : none);
    carom_results_put_vec3(text, is_good ? gap->p_B : none);
    carom_results_put_number(text, is_good ? gap->error : (double)NAN);
}

static void numbers(const caromModel *model, const caromSample *sample, caromText *text)
{
    for (int i = 0; i < gap_count(model); i++) {
        caromPairInfo pair = carom_model_pair(model, i);
        caromShapeInfo a = carom_model_shape(model, pair.shape[0]), b = carom_model_shape(model, pair.shape[1]);
        caromPose X_WA = carom_pose_mul(sample->X_WB[a.body.i], a.X_BS);
        caromPose X_WB = carom_pose_mul(sample->X_WB[b.body.i], b.X_BS);
        caromGap gap = carom_collide_shapes(a.shape, X_WA, b.shape, X_WB);
        put_gap(text, &gap);
    }
}

const caromResultsChannel carom_results_gaps = { columns, numbers };
