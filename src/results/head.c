// What the frames of a results file say, as JSON. The format is described in docs/results-format.md.
#include <stdio.h>

#include "model/model.h"
#include "results/results.h"

#define COLUMN_NAME_MAX (CAROM_NAME_MAX + 40)

const caromColumn carom_contact_columns[CAROM_CONTACT_COLUMNS] = {
    { "pair", "" },
    { "point.x", "m" }, { "point.y", "m" }, { "point.z", "m" },
    { "normal.x", "" }, { "normal.y", "" }, { "normal.z", "" },
    { "force.x", "N" }, { "force.y", "N" }, { "force.z", "N" },
    { "normal_force", "N" },
    { "depth", "m" },
};

// In the order in which carom_writer puts their numbers into a sample.
static const caromColumn body_columns[] = {
    { "position.x", "m" }, { "position.y", "m" }, { "position.z", "m" },
    { "orientation.w", "" }, { "orientation.x", "" }, { "orientation.y", "" }, { "orientation.z", "" },
    { "velocity.x", "m/s" }, { "velocity.y", "m/s" }, { "velocity.z", "m/s" },
    { "angular_velocity.x", "rad/s" }, { "angular_velocity.y", "rad/s" }, { "angular_velocity.z", "rad/s" },
};
static const char *const energy_names[] = { "kinetic", "potential", "elastic", "damping", "friction", "rolling", "imbalance" };

#define COUNT(array) (sizeof(array)/sizeof *(array))

void carom_results_each_column(const caromModel *model, caromColumnVisitor visit, void *user)
{
    char name[COLUMN_NAME_MAX];
    visit(user, "time", "s");
    visit(user, "sample", "");
    for (int32_t i = 0; i < carom_model_body_count(model); i++) {
        caromBodyId body = { i };
        if (carom_model_body_is_fixed(model, body)) continue;
        for (size_t k = 0; k < COUNT(body_columns); k++) {
            snprintf(name, sizeof name, "bodies.%s.%s", carom_model_body_name(model, body), body_columns[k].name);
            visit(user, name, body_columns[k].unit);
        }
    }
    for (size_t k = 0; k < COUNT(energy_names); k++) {
        snprintf(name, sizeof name, "energy.%s", energy_names[k]);
        visit(user, name, "J");
    }
}

static void member_number(caromText *text, const char *key, double value)
{
    carom_json_key(text, key);
    carom_json_number(text, value);
}

static void member_integer(caromText *text, const char *key, int64_t value)
{
    carom_json_key(text, key);
    carom_json_integer(text, value);
}

static void member_text(caromText *text, const char *key, const char *value)
{
    carom_json_key(text, key);
    carom_json_text(text, value);
}

static void member_vec3(caromText *text, const char *key, caromVec3 value)
{
    carom_json_key(text, key);
    carom_json_vec3(text, value);
}

static void member_array(caromText *text, const char *key)
{
    carom_json_key(text, key);
    carom_json_begin(text, '[');
}

static void write_column(void *user, const char *name, const char *unit)
{
    caromText *text = user;
    carom_json_begin(text, '{');
    member_text(text, "name", name);
    member_text(text, "unit", unit);
    carom_json_finish(text, '}');
}

static void write_settings(caromText *text, const caromSettings *s)
{
    carom_json_key(text, "settings");
    carom_json_begin(text, '{');
    member_vec3(text, "gravity", s->gravity);
    member_text(text, "damping", carom_damping_name(s->damping));
    member_number(text, "tolerance", s->tolerance);
    member_number(text, "until", s->until);
    member_number(text, "every", s->every);
    member_text(text, "method", carom_method_name(s->method));
    member_number(text, "v_small", s->v_small);
    member_number(text, "w_small", s->w_small);
    member_number(text, "k_red", s->k_red);
    carom_json_finish(text, '}');
}

static void write_materials(caromText *text, const caromModel *model)
{
    member_array(text, "materials");
    for (int i = 0; i < carom_model_material_count(model); i++) {
        caromMaterialDef material = carom_model_material(model, i);
        carom_json_begin(text, '{');
        member_text(text, "name", material.name);
        member_number(text, "density", material.density);
        member_number(text, "E", material.E);
        member_number(text, "nu", material.nu);
        carom_json_finish(text, '}');
    }
    carom_json_finish(text, ']');
}

static void write_shape(caromText *text, const caromModel *model, const caromShapeInfo *info)
{
    carom_json_begin(text, '{');
    member_text(text, "name", info->name);
    member_text(text, "kind", carom_shape_kind_name(info->shape.kind));
    member_vec3(text, "size", info->shape.size);
    member_text(text, "material", carom_model_material(model, info->material).name);
    member_vec3(text, "position", info->X_BS.p);
    caromMat3 rows = carom_transpose(info->X_BS.R);
    member_array(text, "rotation");
    carom_json_vec3(text, rows.cx);
    carom_json_vec3(text, rows.cy);
    carom_json_vec3(text, rows.cz);
    carom_json_finish(text, ']');
    carom_json_finish(text, '}');
}

static void write_body(caromText *text, const caromModel *model, caromBodyId body)
{
    caromMassProps props = carom_model_body_mass(model, body);
    const caromBody *start = &model->bodies[body.i];
    carom_json_begin(text, '{');
    member_text(text, "name", carom_model_body_name(model, body));
    carom_json_key(text, "fixed");
    carom_json_bool(text, carom_model_body_is_fixed(model, body));
    member_number(text, "mass", props.mass);
    member_vec3(text, "com", props.com);
    member_vec3(text, "position", start->p_WB);
    member_array(text, "orientation");
    carom_json_number(text, start->q_WB.w);
    carom_json_number(text, start->q_WB.x);
    carom_json_number(text, start->q_WB.y);
    carom_json_number(text, start->q_WB.z);
    carom_json_finish(text, ']');
    member_array(text, "shapes");
    for (int i = 0; i < carom_model_shape_count(model); i++) {
        caromShapeInfo info = carom_model_shape(model, i);
        if (info.body.i == body.i) write_shape(text, model, &info);
    }
    carom_json_finish(text, ']');
    carom_json_finish(text, '}');
}

static void write_pair(caromText *text, const caromModel *model, int pair)
{
    char name[4*CAROM_NAME_MAX + 8];
    caromPairInfo info = carom_model_pair(model, pair);
    carom_model_pair_name(model, pair, name, sizeof name);
    carom_json_begin(text, '{');
    member_text(text, "name", name);
    member_integer(text, "a", carom_model_shape(model, info.shape[0]).body.i);
    member_integer(text, "b", carom_model_shape(model, info.shape[1]).body.i);
    member_number(text, "restitution", info.restitution);
    member_number(text, "friction", info.friction);
    member_number(text, "rolling", info.rolling);
    carom_json_finish(text, '}');
}

void carom_results_head_json(caromText *text, const char *name, const caromModel *model, const char *model_text,
                             const char *const *overrides, int noverride)
{
    carom_json_begin(text, '{');
    member_integer(text, "format", 1);
    member_text(text, "carom", carom_version());
    member_text(text, "name", name);
    member_text(text, "model", model_text ? model_text : "");
    member_array(text, "overrides");
    for (int i = 0; i < noverride; i++) carom_json_text(text, overrides[i]);
    carom_json_finish(text, ']');
    write_settings(text, carom_model_settings(model));
    write_materials(text, model);
    member_array(text, "bodies");
    for (int32_t i = 0; i < carom_model_body_count(model); i++) write_body(text, model, (caromBodyId){ i });
    carom_json_finish(text, ']');
    member_array(text, "pairs");
    for (int i = 0; i < carom_model_pair_count(model); i++) write_pair(text, model, i);
    carom_json_finish(text, ']');
    member_array(text, "columns");
    carom_results_each_column(model, write_column, text);
    carom_json_finish(text, ']');
    member_array(text, "contact");
    for (int i = 0; i < CAROM_CONTACT_COLUMNS; i++) write_column(text, carom_contact_columns[i].name, carom_contact_columns[i].unit);
    carom_json_finish(text, ']');
    carom_json_finish(text, '}');
}

void carom_results_event_json(caromText *text, const caromEvent *event)
{
    carom_json_begin(text, '{');
    member_number(text, "time", event->time);
    member_text(text, "kind", event->kind == CAROM_EVENT_TOUCH ? "touch" : "separation");
    member_integer(text, "pair", event->pair);
    member_vec3(text, "point", event->p_W);
    member_vec3(text, "normal", event->n_AB);
    member_number(text, "speed", event->speed);
    if (event->kind == CAROM_EVENT_SEPARATION) {
        member_number(text, "duration", event->duration);
        member_number(text, "approach_speed", event->approach_speed);
        member_number(text, "asked_restitution", event->asked_restitution);
        member_number(text, "restitution", event->restitution);
        member_number(text, "depth", event->depth);
        member_number(text, "impulse", event->impulse);
    }
    carom_json_finish(text, '}');
}

static void write_energy(caromText *text, const caromEnergy *energy)
{
    const double values[] = { energy->kinetic,  energy->potential, energy->elastic,  energy->damping,
                              energy->friction, energy->rolling,   energy->imbalance };
    carom_json_key(text, "energy");
    carom_json_begin(text, '{');
    for (size_t k = 0; k < COUNT(energy_names); k++) member_number(text, energy_names[k], values[k]);
    carom_json_finish(text, '}');
}

void carom_results_done_json(caromText *text, const char *verdict, const char *message, const caromSimStats *stats)
{
    carom_json_begin(text, '{');
    member_text(text, "verdict", verdict);
    member_text(text, "message", message);
    member_number(text, "time", stats->time);
    member_text(text, "method", stats->method ? stats->method : "");
    member_integer(text, "steps", stats->steps);
    member_integer(text, "rejected", stats->rejected);
    member_integer(text, "evaluations", stats->evaluations);
    member_integer(text, "jacobians", stats->jacobians);
    member_integer(text, "touches", stats->events[CAROM_EVENT_TOUCH]);
    member_integer(text, "separations", stats->events[CAROM_EVENT_SEPARATION]);
    member_integer(text, "switches", stats->switches);
    member_integer(text, "gap_evaluations", stats->gap_evaluations);
    member_number(text, "smallest_step", stats->smallest_step);
    member_number(text, "largest_depth", stats->largest_depth);
    member_integer(text, "largest_depth_pair", stats->largest_depth_pair);
    member_number(text, "largest_imbalance", stats->largest_imbalance);
    member_number(text, "energy_scale", stats->energy_scale);
    write_energy(text, &stats->energy);
    carom_json_finish(text, '}');
}
