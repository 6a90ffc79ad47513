// What the frames of a results file say, as JSON. The format is described in docs/results-format.md.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/core.h"
#include "kinematics/kinematics.h"
#include "results/results.h"

#define PAIR_NAME_MAX (4*CAROM_NAME_MAX + 8)
#define COLUMN_NAME_MAX (PAIR_NAME_MAX + 40)

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
static const caromColumn gap_columns[CAROM_GAP_COLUMNS] = {
    { "distance", "m" },
    { "normal.x", "" }, { "normal.y", "" }, { "normal.z", "" },
    { "point_a.x", "m" }, { "point_a.y", "m" }, { "point_a.z", "m" },
    { "point_b.x", "m" }, { "point_b.y", "m" }, { "point_b.z", "m" },
    { "error", "m" },
};
static const char *const energy_names[CAROM_ENERGY_COLUMNS] = { "kinetic",  "potential", "elastic", "springs",  "damping",
                                                                 "friction", "rolling",   "joints",  "supplied", "imbalance" };

#define COUNT(array) (sizeof(array)/sizeof *(array))

void carom_results_energies(const caromEnergy *e, double values[CAROM_ENERGY_COLUMNS])
{
    const double in_order[] = { e->kinetic,  e->potential, e->elastic, e->springs,  e->damping,
                                e->friction, e->rolling,   e->joints,  e->supplied, e->imbalance };
    static_assert(COUNT(in_order) == CAROM_ENERGY_COLUMNS && sizeof in_order == sizeof *e, "every energy has a column");
    memcpy(values, in_order, sizeof in_order);
}

bool carom_results_joint_has_columns(const caromModel *model, int joint)
{
    return model->joints[joint].link >= 0;
}

static void each_joint_column(const caromJointInfo *joint, caromColumnVisitor visit, void *user)
{
    char name[COLUMN_NAME_MAX];
    for (int i = 0; i < carom_joint_kind_nq(joint->kind); i++) {
        snprintf(name, sizeof name, "joints.%s.%s", joint->name, carom_joint_coordinate_name(joint->kind, i));
        visit(user, name, carom_joint_coordinate_unit(joint->kind, i));
    }
    for (int i = 0; i < carom_joint_kind_nv(joint->kind); i++) {
        snprintf(name, sizeof name, "joints.%s.%s", joint->name, carom_joint_speed_name(joint->kind, i));
        visit(user, name, carom_joint_speed_unit(joint->kind, i));
    }
}

static void each_gap_column(const caromModel *model, int pair, caromColumnVisitor visit, void *user)
{
    char pair_name[PAIR_NAME_MAX], name[COLUMN_NAME_MAX];
    carom_model_pair_name(model, pair, pair_name, sizeof pair_name);
    for (int k = 0; k < CAROM_GAP_COLUMNS; k++) {
        snprintf(name, sizeof name, "gaps.%s.%s", pair_name, gap_columns[k].name);
        visit(user, name, gap_columns[k].unit);
    }
}

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
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        if (carom_results_joint_has_columns(model, i)) each_joint_column(&joint, visit, user);
    }
    for (size_t k = 0; k < COUNT(energy_names); k++) {
        snprintf(name, sizeof name, "energy.%s", energy_names[k]);
        visit(user, name, "J");
    }
    for (int i = 0; i < carom_results_gap_count(model); i++) each_gap_column(model, i, visit, user);
}

int carom_results_gap_count(const caromModel *model)
{
    return carom_model_settings(model)->gaps ? carom_model_pair_count(model) : 0;
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

static void member_bool(caromText *text, const char *key, bool value)
{
    carom_json_key(text, key);
    carom_json_bool(text, value);
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
    member_text(text, "response", carom_response_name(s->response));
    member_text(text, "damping", carom_damping_name(s->damping));
    member_text(text, "friction_law", carom_friction_law_name(s->friction_law));
    member_number(text, "rest_damping", s->rest_damping);
    member_number(text, "tolerance", s->tolerance);
    member_number(text, "until", s->until);
    member_number(text, "every", s->every);
    member_text(text, "method", carom_method_name(s->method));
    member_number(text, "v_small", s->v_small);
    member_number(text, "w_small", s->w_small);
    member_number(text, "k_red", s->k_red);
    member_text(text, "impact_law", carom_impact_law_name(s->impact_law));
    member_text(text, "impacts", carom_impact_scheme_name(s->impacts));
    member_number(text, "impact_exponent", s->impact_exponent);
    member_text(text, "landing", carom_landing_name(s->landing));
    member_text(text, "jam", carom_jam_name(s->jam));
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

static void member_pose(caromText *text, const caromPose *X)
{
    caromMat3 rows = carom_transpose(X->R);
    member_vec3(text, "position", X->p);
    member_array(text, "rotation");
    carom_json_vec3(text, rows.cx);
    carom_json_vec3(text, rows.cy);
    carom_json_vec3(text, rows.cz);
    carom_json_finish(text, ']');
}

static void member_polyhedron(caromText *text, const caromVec3 *vertices, int nvertex, const int *first, const int *corners, int nface)
{
    member_array(text, "vertices");
    for (int i = 0; i < nvertex; i++) carom_json_vec3(text, vertices[i]);
    carom_json_finish(text, ']');
    member_array(text, "faces");
    for (int f = 0; f < nface; f++) {
        carom_json_begin(text, '[');
        for (int k = first[f]; k < first[f + 1]; k++) carom_json_integer(text, corners[k]);
        carom_json_finish(text, ']');
    }
    carom_json_finish(text, ']');
}

// The hull as it was given, and what is grown by the rounding: a page need not know how to find it.
static void member_hull(caromText *text, const caromHull *hull)
{
    const caromVec3 *vertices;
    const int *first, *corners;
    int nvertex = carom_hull_vertices(hull, &vertices), nface = carom_hull_faces(hull, &first, &corners);
    member_polyhedron(text, vertices, nvertex, first, corners, nface);
    if (!(hull->rounding > 0.0)) return;
    carom_json_key(text, "core");
    carom_json_begin(text, '{');
    member_polyhedron(text, hull->vertices, hull->nvertex, hull->first_corner, hull->corners, hull->nface);
    carom_json_finish(text, '}');
}

// mesh: its number, -1: it is none
static void write_shape(caromText *text, const caromModel *model, const caromShapeInfo *info, double shell, int mesh)
{
    carom_json_begin(text, '{');
    member_text(text, "name", info->name);
    member_text(text, "kind", carom_shape_kind_name(info->shape.kind));
    member_vec3(text, "size", info->shape.size);
    double rounding = info->shape.hull ? carom_hull_rounding(info->shape.hull) : info->shape.rounding;
    if (rounding > 0) member_number(text, "rounding", rounding);
    if (shell > 0) member_number(text, "shell", shell);
    if (info->shape.hull) member_hull(text, info->shape.hull);
    if (mesh >= 0) member_integer(text, "mesh", mesh);
    if (info->stands_for >= 0) member_text(text, "stands_for", carom_model_shape(model, info->stands_for).name);
    member_text(text, "material", carom_model_material(model, info->material).name);
    if (!info->touches) member_bool(text, "touches", false);
    if (!info->weighs) member_bool(text, "weighs", false);
    member_pose(text, &info->X_BS);
    carom_json_finish(text, '}');
}

// X_WB: as the model starts. What no joint carries is there as it was given, to the last bit.
static void write_body(caromText *text, const caromModel *model, caromBodyId body, const caromPose *X_WB, const int *meshes)
{
    caromMassProps props = carom_model_body_mass(model, body);
    const caromBody *b = &model->bodies[body.i];
    bool is_carried = b->link >= 0 && model->links[b->link].joint >= 0;
    caromQuat q = is_carried ? carom_quat_of(X_WB->R) : b->q_WB;
    carom_json_begin(text, '{');
    member_text(text, "name", carom_model_body_name(model, body));
    member_bool(text, "fixed", carom_model_body_is_fixed(model, body));
    member_number(text, "mass", props.mass);
    member_vec3(text, "com", props.com);
    member_vec3(text, "position", is_carried ? X_WB->p : b->p_WB);
    member_array(text, "orientation");
    carom_json_number(text, q.w);
    carom_json_number(text, q.x);
    carom_json_number(text, q.y);
    carom_json_number(text, q.z);
    carom_json_finish(text, ']');
    int ngroup = carom_model_body_group_count(model, body);
    if (ngroup > 0) {
        member_array(text, "groups");
        for (int i = 0; i < ngroup; i++) carom_json_text(text, carom_model_body_group(model, body, i));
        carom_json_finish(text, ']');
    }
    member_array(text, "shapes");
    for (int i = 0; i < carom_model_shape_count(model); i++) {
        caromShapeInfo info = carom_model_shape(model, i);
        if (info.body.i == body.i) write_shape(text, model, &info, model->shapes[i].shell, meshes[i]);
    }
    carom_json_finish(text, ']');
    carom_json_finish(text, '}');
}

static void write_bodies(caromText *text, const caromModel *model)
{
    caromKin kin = { 0 };
    int *meshes = carom_results_mesh_numbers(model);
    bool is_ready = meshes && carom_kin_start(model, &kin);
    text->failed |= !is_ready;
    member_array(text, "bodies");
    for (int32_t i = 0; is_ready && i < carom_model_body_count(model) && !text->failed; i++) write_body(text, model, (caromBodyId){ i }, &kin.X_WB[i], meshes);
    carom_json_finish(text, ']');
    if (!text->failed) carom_results_meshes_json(text, model, meshes);
    free(meshes);
    carom_kin_free(&kin);
}

static void member_given(caromText *text, const char *key, double value)
{
    if (!isnan(value)) member_number(text, key, value);
}

// Of a law of one's own the rest does not count.
static void members_of_law(caromText *text, const caromPairInfo *info)
{
    if (info->has_law) member_bool(text, "law", true);
    else {
        member_given(text, "stiffness", info->stiffness);
        member_given(text, "exponent", info->exponent);
        member_text(text, "damping", carom_damping_name(info->damping));
        member_given(text, "damping_coefficient", info->damping_coefficient);
        member_given(text, "damping_depth", info->damping_depth);
    }
    if (info->shell > 0) member_number(text, "shell", info->shell);
}

static void write_pair(caromText *text, const caromModel *model, int pair)
{
    char name[PAIR_NAME_MAX];
    caromPairInfo info = carom_model_pair(model, pair);
    carom_model_pair_name(model, pair, name, sizeof name);
    carom_json_begin(text, '{');
    member_text(text, "name", name);
    member_integer(text, "a", carom_model_shape(model, info.shape[0]).body.i);
    member_integer(text, "b", carom_model_shape(model, info.shape[1]).body.i);
    member_number(text, "restitution", info.restitution);
    if (info.restitution_law) member_text(text, "restitution_law", info.restitution_law);
    member_number(text, "friction", info.friction);
    member_number(text, "static_friction", info.static_friction);
    member_number(text, "rolling", info.rolling);
    member_number(text, "torsion", info.torsion);
    if (carom_model_settings(model)->response == CAROM_RESPONSE_RIGID) member_text(text, "impact_law", carom_impact_law_name(info.impact_law));
    else members_of_law(text, &info);
    carom_json_finish(text, '}');
}

static void write_ignored(caromText *text, const caromModel *model)
{
    int n = carom_model_ignored_count(model);
    if (n == 0) return;
    member_array(text, "ignored");
    for (int i = 0; i < n; i++) {
        caromIgnoredInfo ignored = carom_model_ignored(model, i);
        carom_json_begin(text, '[');
        for (int k = 0; k < 2; k++) carom_json_text(text, ignored.name[k]);
        carom_json_finish(text, ']');
    }
    carom_json_finish(text, ']');
}

static void member_bodies(caromText *text, const int body[2])
{
    member_array(text, "bodies");
    for (int i = 0; i < 2; i++) carom_json_integer(text, body[i]);
    carom_json_finish(text, ']');
}

static void write_joint(caromText *text, const caromJointInfo *joint)
{
    const caromPose *frames[] = { &joint->X_AF, &joint->X_BM };
    carom_json_begin(text, '{');
    member_text(text, "name", joint->name);
    member_text(text, "type", carom_joint_kind_name(joint->kind));
    member_bodies(text, joint->body);
    member_array(text, "frames");
    for (int i = 0; i < 2; i++) {
        carom_json_begin(text, '{');
        member_pose(text, frames[i]);
        carom_json_finish(text, '}');
    }
    carom_json_finish(text, ']');
    member_number(text, "pitch", joint->pitch);
    member_bool(text, "closes_loop", joint->closes_loop);
    member_bool(text, "driven", joint->is_driven);
    if (joint->touch) member_bool(text, "touch", true);
    carom_json_finish(text, '}');
}

static void write_spring(caromText *text, const caromSpringInfo *spring)
{
    carom_json_begin(text, '{');
    member_text(text, "name", spring->name);
    member_bodies(text, spring->body);
    member_array(text, "points");
    for (int i = 0; i < 2; i++) carom_json_vec3(text, spring->p[i]);
    carom_json_finish(text, ']');
    member_number(text, "stiffness", spring->stiffness);
    member_number(text, "damping", spring->damping);
    member_number(text, "rest", spring->rest);
    carom_json_finish(text, '}');
}

static void write_mechanism(caromText *text, const caromModel *model)
{
    member_array(text, "joints");
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        write_joint(text, &joint);
    }
    carom_json_finish(text, ']');
    member_array(text, "springs");
    for (int i = 0; i < carom_model_spring_count(model); i++) {
        caromSpringInfo spring = carom_model_spring(model, i);
        write_spring(text, &spring);
    }
    carom_json_finish(text, ']');
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
    write_bodies(text, model);
    write_mechanism(text, model);
    member_array(text, "pairs");
    for (int i = 0; i < carom_model_pair_count(model); i++) write_pair(text, model, i);
    carom_json_finish(text, ']');
    write_ignored(text, model);
    member_array(text, "columns");
    carom_results_each_column(model, write_column, text);
    carom_json_finish(text, ']');
    member_array(text, "contact");
    for (int i = 0; i < CAROM_CONTACT_COLUMNS; i++) write_column(text, carom_contact_columns[i].name, carom_contact_columns[i].unit);
    carom_json_finish(text, ']');
    carom_json_finish(text, '}');
}

static bool is_of_limit(const caromEvent *event)
{
    return event->about.kind == CAROM_SUBJECT_LIMIT;
}

static void members_of_place(caromText *text, const caromEvent *event)
{
    if (is_of_limit(event)) {
        member_integer(text, "joint", event->about.limit.joint);
        member_integer(text, "coordinate", event->about.limit.coordinate);
        member_vec3(text, "point", event->p_W);
        return;
    }
    member_integer(text, "pair", event->about.pair);
    member_vec3(text, "point", event->p_W);
    member_vec3(text, "normal", event->n_AB);
}

static void members_of_touch(caromText *text, const caromEvent *event)
{
    member_number(text, "speed", event->touch.speed);
}

static void members_of_separation(caromText *text, const caromEvent *event)
{
    const caromSeparationEvent *separation = &event->separation;
    member_number(text, "speed", separation->speed);
    member_number(text, "duration", separation->duration);
    member_number(text, "approach_speed", separation->approach_speed);
    member_number(text, "asked_restitution", separation->asked_restitution);
    member_number(text, "restitution", separation->restitution);
    member_number(text, "depth", separation->depth);
    member_number(text, "impulse", separation->impulse);
}

// Torque, then force, of each joint of the tree.
static void member_joint_impulses(caromText *text, const caromImpactEvent *impact)
{
    if (impact->njoint == 0 || !impact->joint_impulses) return;
    member_array(text, "joint_impulses");
    for (int i = 0; i < impact->njoint; i++) {
        carom_json_begin(text, '[');
        carom_json_vec3(text, impact->joint_impulses[i].angular);
        carom_json_vec3(text, impact->joint_impulses[i].linear);
        carom_json_finish(text, ']');
    }
    carom_json_finish(text, ']');
}

static void members_across(caromText *text, const caromImpactEvent *impact)
{
    member_vec3(text, "velocity_before", impact->v_before);
    member_vec3(text, "velocity_after", impact->v_after);
    member_vec3(text, "impulse_b", impact->impulse_B);
    member_number(text, "lost_friction", impact->lost_friction);
    member_text(text, "path", carom_slip_path_name(impact->path));
    if (!isnan(impact->path_stop)) {
        member_number(text, "path_stop", impact->path_stop);
        member_bool(text, "stops_in_compression", impact->stops_in_compression);
    }
    member_integer(text, "index", impact->point);
}

// A limit has a speed and an impulse along its coordinate, nothing across it.
static void members_of_impact(caromText *text, const caromEvent *event)
{
    const caromImpactEvent *impact = &event->impact;
    member_number(text, "speed", impact->speed);
    member_number(text, "asked_restitution", impact->asked_restitution);
    member_number(text, "restitution", impact->restitution);
    member_number(text, "impulse", impact->impulse);
    member_number(text, "lost_normal", impact->lost_normal);
    if (!is_of_limit(event)) members_across(text, impact);
    member_integer(text, "together", impact->together);
    if (impact->is_collapse) member_bool(text, "collapse", true);
    member_joint_impulses(text, impact);
}

// Contacts that stay have no speed along the normal. Readers of the format expect the member in every event.
static void members_of_mode(caromText *text, const caromEvent *event)
{
    (void)event;
    member_number(text, "speed", 0.0);
}

static void members_of_jam(caromText *text, const caromEvent *event)
{
    member_number(text, "speed", event->jam.slip_speed);
}

typedef struct EventRow {
    const char *name;
    void (*members)(caromText *text, const caromEvent *event);  // of its payload
} EventRow;

static const EventRow event_rows[CAROM_EVENT_KINDS] = {
    [CAROM_EVENT_TOUCH]      = { "touch", members_of_touch },
    [CAROM_EVENT_SEPARATION] = { "separation", members_of_separation },
    [CAROM_EVENT_LIMIT]      = { "limit", members_of_touch },
    [CAROM_EVENT_LIMIT_LEFT] = { "limit_left", members_of_separation },
    [CAROM_EVENT_IMPACT]     = { "impact", members_of_impact },
    [CAROM_EVENT_LAND]       = { "land", members_of_mode },
    [CAROM_EVENT_STICK]      = { "stick", members_of_mode },
    [CAROM_EVENT_SLIP]       = { "slip", members_of_mode },
    [CAROM_EVENT_TAKE_OFF]   = { "take_off", members_of_mode },
    [CAROM_EVENT_JAM]        = { "jam", members_of_jam },
};

void carom_results_event_json(caromText *text, const caromEvent *event)
{
    carom_json_begin(text, '{');
    member_number(text, "time", event->time);
    member_text(text, "kind", event_rows[event->kind].name);
    members_of_place(text, event);
    event_rows[event->kind].members(text, event);
    carom_json_finish(text, '}');
}

static void write_energy(caromText *text, const caromEnergy *energy)
{
    double values[CAROM_ENERGY_COLUMNS];
    carom_results_energies(energy, values);
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
    member_integer(text, "limits", stats->events[CAROM_EVENT_LIMIT]);
    member_integer(text, "limits_left", stats->events[CAROM_EVENT_LIMIT_LEFT]);
    member_integer(text, "impacts", stats->events[CAROM_EVENT_IMPACT]);
    member_integer(text, "landings", stats->events[CAROM_EVENT_LAND]);
    member_integer(text, "sticks", stats->events[CAROM_EVENT_STICK]);
    member_integer(text, "slips", stats->events[CAROM_EVENT_SLIP]);
    member_integer(text, "take_offs", stats->events[CAROM_EVENT_TAKE_OFF]);
    member_integer(text, "jams", stats->events[CAROM_EVENT_JAM]);
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
