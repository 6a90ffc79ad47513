#include <math.h>
#include <stdlib.h>

#include "cli.h"

typedef struct StartGap {
    int pair;
    caromGap gap;
} StartGap;

// Nearest first; what has no distance last, in the order of pairs.
static int compare_gaps(const void *a, const void *b)
{
    const StartGap *x = a, *y = b;
    bool x_is_good = x->gap.status != CAROM_GAP_UNDEFINED, y_is_good = y->gap.status != CAROM_GAP_UNDEFINED;
    if (x_is_good != y_is_good) return x_is_good ? -1 : 1;
    if (x_is_good && x->gap.g != y->gap.g) return x->gap.g < y->gap.g ? -1 : 1;
    return x->pair - y->pair;
}

// Where bodies are as the model starts. False: it cannot be known, which was said.
static bool place_bodies(const caromModel *model, caromPose *X_WB)
{
    Start start;
    if (!start_open(&start, model)) return false;
    for (int32_t i = 0; i < carom_model_body_count(model); i++) {
        caromSpatial V_WB;
        carom_dyn_body(start.dyn, 0, start.q, start.v, (caromBodyId){ i }, &X_WB[i], &V_WB);
    }
    start_close(&start);
    return true;
}

static caromGap gap_of(const caromModel *model, int pair, const caromPose *X_WB)
{
    caromPairInfo info = carom_model_pair(model, pair);
    caromShapeInfo a = carom_model_shape(model, info.shape[0]), b = carom_model_shape(model, info.shape[1]);
    return carom_collide_shapes(a.shape, carom_pose_mul(X_WB[a.body.i], a.X_BS), b.shape,
                                carom_pose_mul(X_WB[b.body.i], b.X_BS));
}

static void vector_cell(Table *table, const char *what, caromVec3 v, const char *unit)
{
    char vector[160], text[192];
    vector_text(vector, sizeof vector, v, carom_norm(v));
    snprintf(text, sizeof text, "%s %s%s", what, vector, unit);
    table_cell(table, text);
}

static void gap_row(Table *table, const caromModel *model, const StartGap *start)
{
    char text[4*CAROM_NAME_MAX + 8];
    const caromGap *gap = &start->gap;
    carom_model_pair_name(model, start->pair, text, sizeof text);
    table_cell(table, text);
    if (gap->status == CAROM_GAP_UNDEFINED) {
        table_cell(table, "undefined");
        for (int k = 0; k < 4; k++) table_cell(table, "");
        return;
    }
    table_cell(table, si(gap->g, "m"));
    vector_cell(table, "normal", gap->n_AB, "");
    vector_cell(table, "from", gap->p_A, " m");
    vector_cell(table, "to", gap->p_B, " m");
    snprintf(text, sizeof text, "imprecise, off by up to %s", si(gap->error, "m"));
    table_cell(table, gap->status == CAROM_GAP_IMPRECISE ? text : "");
}

bool print_gaps(const caromModel *model)
{
    int n = carom_model_pair_count(model);
    StartGap *gaps = calloc((size_t)n + 1, sizeof *gaps);
    caromPose *X_WB = calloc((size_t)carom_model_body_count(model) + 1, sizeof *X_WB);
    bool has_memory = gaps && X_WB, good = has_memory && place_bodies(model, X_WB);
    if (!has_memory) complain("out of memory");
    if (good) {
        for (int i = 0; i < n; i++) gaps[i] = (StartGap){ i, gap_of(model, i, X_WB) };
        qsort(gaps, (size_t)n, sizeof *gaps, compare_gaps);
        Table table = table_of(6, "lrllll");
        for (int i = 0; i < n && i < ROWS_SHOWN; i++) gap_row(&table, model, &gaps[i]);
        printf("gaps at the start%s\n", n == 0 ? ": none, there is nothing to collide with" : ", nearest first; "
               "below 0 they overlap");
        table_print(&table, stdout, 2);
        print_rest(n);
    }
    free(gaps);
    free(X_WB);
    return good;
}
