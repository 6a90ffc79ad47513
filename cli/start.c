#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

bool start_open(Start *start, const caromModel *model)
{
    caromError err;
    *start = (Start){ 0 };
    if (carom_dyn_create(model, &start->dyn, &err) != CAROM_OK) {
        complain_of(&err);
        return false;
    }
    start->q = calloc((size_t)carom_dyn_nq(start->dyn) + 1, sizeof *start->q);
    start->v = calloc((size_t)carom_dyn_nv(start->dyn) + 1, sizeof *start->v);
    if (start->q && start->v) {
        start->is_closed = carom_dyn_start(start->dyn, start->q, start->v) == CAROM_OK;
        return true;
    }
    complain("out of memory");
    start_close(start);
    return false;
}

void start_close(Start *start)
{
    carom_dyn_destroy(start->dyn);
    free(start->q);
    free(start->v);
    *start = (Start){ 0 };
}

// "33.69 deg", "237.2 mm", "0.7071" of a quaternion.
static const char *coordinate_text(caromJointKind kind, int i, double value)
{
    static char text[2][48];
    static int turn;
    const char *unit = carom_model_joint_coordinate_unit(kind, i);
    if (strcmp(unit, "rad") == 0) {
        char *at = text[turn ^= 1];
        snprintf(at, sizeof text[0], "%s deg", number(value*180/CAROM_PI));
        return at;
    }
    return unit[0] ? si(value, unit) : number(value);
}

static void coordinate_row(Table *table, const caromJointInfo *joint, int i, double value)
{
    char given[64];
    double was = joint->position[i];
    table_cell(table, i == 0 ? joint->name : "");
    table_cell(table, carom_model_joint_coordinate_name(joint->kind, i));
    table_cell(table, coordinate_text(joint->kind, i, value));
    snprintf(given, sizeof given, "given %s", coordinate_text(joint->kind, i, was));
    bool is_same = fabs(value - was) <= 1e-9*fmax(1.0, fabs(was));
    table_cell(table, isnan(was) ? "found" : is_same ? "as given" : given);
}

// Of mechanisms with loops only: elsewhere it is what was given.
void print_start(const caromModel *model)
{
    int n = carom_model_joint_count(model), nloop = 0, nrow = 0;
    for (int k = 0; k < n; k++) nloop += carom_model_joint(model, k).closes_loop;
    Start start;
    if (nloop == 0 || !start_open(&start, model)) return;
    printf(start.is_closed ? "start, loops closed\n" : "start, loops as near to closed as they get\n");
    Table table = table_of(4, "llrl");
    for (int k = 0; k < n; k++) {
        caromJointInfo joint = carom_model_joint(model, k);
        int iq = joint.carries < 0 ? -1 : carom_dyn_body_iq(start.dyn, (caromBodyId){ joint.carries });
        for (int i = 0; iq >= 0 && i < carom_model_joint_kind_nq(joint.kind); i++)
            if (nrow++ < ROWS_SHOWN) coordinate_row(&table, &joint, i, start.q[iq + i]);
    }
    table_print(&table, stdout, 2);
    print_rest(nrow);
    start_close(&start);
}
