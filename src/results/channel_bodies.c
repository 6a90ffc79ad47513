// Motion of all bodies that are not fixed.
#include <stdio.h>

#include "results/channels.h"

static const caromColumn body_columns[] = {
    { "position.x", "m" }, { "position.y", "m" }, { "position.z", "m" },
    { "orientation.w", "" }, { "orientation.x", "" }, { "orientation.y", "" }, { "orientation.z", "" },
    { "velocity.x", "m/s" }, { "velocity.y", "m/s" }, { "velocity.z", "m/s" },
    { "angular_velocity.x", "rad/s" }, { "angular_velocity.y", "rad/s" }, { "angular_velocity.z", "rad/s" },
};

static void columns(const caromModel *model, caromColumnVisitor visit, void *user)
{
    char name[CAROM_COLUMN_NAME_MAX];
    for (int32_t i = 0; i < carom_model_body_count(model); i++) {
        caromBodyId body = { i };
        if (carom_model_body_is_fixed(model, body)) continue;
        for (size_t k = 0; k < sizeof body_columns/sizeof *body_columns; k++) {
            snprintf(name, sizeof name, "bodies.%s.%s", carom_model_body_name(model, body), body_columns[k].name);
            visit(user, name, body_columns[k].unit);
        }
    }
}

static void numbers(const caromModel *model, const caromSample *sample, caromText *text)
{
    for (int32_t i = 0; i < sample->nbody; i++) {
        if (carom_model_body_is_fixed(model, (caromBodyId){ i })) continue;
        caromQuat q = sample->q_WB[i];
        carom_results_put_vec3(text, sample->X_WB[i].p);
        carom_results_put_number(text, q.w);
        carom_results_put_vec3(text, carom_vec(q.x, q.y, q.z));
        carom_results_put_vec3(text, sample->V_WB[i].linear);
        carom_results_put_vec3(text, sample->V_WB[i].angular);
    }
}

const caromResultsChannel carom_results_bodies = { columns, numbers };
