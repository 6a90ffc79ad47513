// Drafts of joints, springs and forces. What a key of a joint means depends on the joint's type, so that is looked for
// first.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/joint.h"
#include "modelfile/modelfile.h"

static int child_of(caromReader *r, int node, const char *key)
{
    return carom_modelfile_tree_child(&r->tree, node, key, strlen(key));
}

static void free_function(caromFunctionDef *f)
{
    free((void *)f->times);
    free((void *)f->values);
}

// ---- the type of a joint

#define MISSPELT_MAX 16  // keys that are looked at when there is none called 'type'

// The value of 'type', or of a key that was probably meant to be it; -1: none.
static int find_type(caromReader *r, int node)
{
    char text[600];
    int type = child_of(r, node, "type"), n = 0;
    for (int c = r->tree.nodes[node].first; type < 0 && c >= 0 && n < MISSPELT_MAX; c = r->tree.nodes[c].next) {
        const char *name = r->tree.nodes[c].key;
        if (r->tree.nodes[c].kind != CAROM_NODE_SCALAR ||
            carom_modelfile_key_find(r->format, CAROM_IN_JOINT, name, strlen(name))) continue;
        const caromUnknownKey unknown = { CAROM_IN_JOINT, -1, name };
        const caromKey *meant = carom_modelfile_key_meant(r->format, &unknown, text, sizeof text);
        if (meant && strcmp(meant->name, "type") == 0) type = c;
        n++;
    }
    return type;
}

void carom_draft_joint_begin(caromReader *r, int node, void *draft)
{
    caromJointDraft *d = draft;
    const caromKey *key = carom_modelfile_key_find(r->format, CAROM_IN_JOINT, "type", 4);
    int type = find_type(r, node), kind = -1;
    if (type >= 0 && r->tree.nodes[type].kind == CAROM_NODE_SCALAR) {
        kind = carom_modelfile_choice_find(key, r->tree.nodes[type].text);
        if (kind < 0) kind = carom_modelfile_choice_meant(key, r->tree.nodes[type].text);
    }
    *d = (caromJointDraft){ .has_kind = kind >= 0, .axis = { { 0, 0, 1 }, { 0, 0, 1 } },
                            .orientation = { { .q = carom_quat_identity() }, { .q = carom_quat_identity() } } };
    d->def = carom_model_joint_def(r->tree.nodes[node].key, kind >= 0 ? (caromJointKind)kind : CAROM_JOINT_FIXED);
    d->motion = d->force = carom_function_def();
    for (int i = 0; i < CAROM_JOINT_STATE_MAX; i++) d->state[i] = NAN;
    r->joint = d;
}

// ---- which keys a kind has

// Is it the coordinate "position.x" that the key "position" is for?
static bool is_of_key(const char *coordinate, const char *key)
{
    size_t n = strlen(key);
    return strncmp(coordinate, key, n) == 0 && (coordinate[n] == '\0' || coordinate[n] == '.');
}

static bool has_coordinate(caromJointKind kind, const char *key)
{
    for (int i = 0; i < carom_model_joint_kind_nq(kind); i++)
        if (is_of_key(carom_model_joint_coordinate_name(kind, i), key)) return true;
    for (int i = 0; i < carom_model_joint_kind_nv(kind); i++)
        if (is_of_key(carom_model_joint_speed_name(kind, i), key)) return true;
    return false;
}

bool carom_key_suits(const caromKey *key, int kind)
{
    if (kind < 0 || key->suits == CAROM_SUITS_ALL) return true;
    int nq = carom_model_joint_kind_nq((caromJointKind)kind), nv = carom_model_joint_kind_nv((caromJointKind)kind);
    switch (key->suits) {
    case CAROM_SUITS_ALL: return true;
    case CAROM_SUITS_COORDINATE: return has_coordinate((caromJointKind)kind, key->name);
    case CAROM_SUITS_MOVING: return nv > 0;
    case CAROM_SUITS_SPRINGS: return nv > 0 && nq == nv;
    case CAROM_SUITS_DRIVES: return carom_model_joint_row((caromJointKind)kind)->is_axial;
    case CAROM_SUITS_PITCH: return carom_model_joint_row((caromJointKind)kind)->has_pitch;
    }
    return false;
}

// Adds the names of coordinates (speeds), each vector once.
static size_t list_names(const caromCoordinate *c, int count, char *text, size_t n, size_t used)
{
    for (int i = 0; i < count && used < n; i++) {
        int length = (int)strcspn(c[i].name, ".");
        if (i > 0 && strncmp(c[i - 1].name, c[i].name, (size_t)length + 1) == 0) continue;
        used += (size_t)snprintf(text + used, n - used, "%s%.*s", used ? ", " : "", length, c[i].name);
    }
    return used;
}

static void list_coordinates(caromJointKind kind, char *text, size_t n)
{
    const caromJointRow *row = carom_model_joint_row(kind);
    size_t used = list_names(row->q, row->nq, text, n, 0);
    list_names(row->v, row->nv, text, n, used);
}

static void report_unsuited(caromReader *r, int node, caromJointKind kind, const caromKey *key)
{
    char why[300] = "it does not move", list[200] = "";
    if (key->suits == CAROM_SUITS_PITCH) {
        carom_model_list_pitched_joints(list, sizeof list);
        snprintf(why, sizeof why, "only a %s has one", list);
    } else if (key->suits == CAROM_SUITS_DRIVES) {
        carom_model_list_driven_joints(list, sizeof list);
        snprintf(why, sizeof why, "only joints with one coordinate can be driven (%s)", list);
    } else if (carom_model_joint_kind_nv(kind) > 0 && key->suits == CAROM_SUITS_SPRINGS)
        snprintf(why, sizeof why, "springs and limits need a coordinate for each speed");
    else if (carom_model_joint_kind_nv(kind) > 0) {
        list_coordinates(kind, list, sizeof list);
        snprintf(why, sizeof why, "its coordinates and speeds are %s", list);
    }
    carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "a %s joint has no '%s': %s", carom_model_joint_kind_name(kind),
                                 key->name, why);
}

// Without a type, what depends on it is not read; that the type is missing or unknown is reported.
bool carom_draft_joint_accepts(caromReader *r, int node, const caromKey *key)
{
    const caromJointDraft *d = r->joint;
    if (!d->has_kind) return key->dim_angle == CAROM_DIM_NUMBER;
    if (carom_key_suits(key, (int)d->def.kind)) return true;
    report_unsuited(r, node, d->def.kind, key);
    return false;
}

// ---- values that depend on the type

static bool is_angle(caromJointKind kind, int speed)
{
    return strcmp(carom_model_joint_speed_unit(kind, speed), "rad/s") == 0;
}

caromDimId carom_modelfile_joint_dim(caromReader *r, const caromKey *key, int speed)
{
    return is_angle(r->joint->def.kind, speed) ? key->dim_angle : key->dim;
}

static bool is_mixed(caromJointKind kind)
{
    for (int i = 1; i < carom_model_joint_kind_nv(kind); i++)
        if (is_angle(kind, i) != is_angle(kind, 0)) return true;
    return false;
}

// One number for all speeds. Where some are angles and some are distances it has no unit that fits both.
void carom_modelfile_read_for_joint(caromReader *r, int node, const caromKey *key, double *value)
{
    caromJointKind kind = r->joint->def.kind;
    if (!is_mixed(kind)) {
        carom_modelfile_read_number(r, node, carom_modelfile_joint_dim(r, key, 0), NULL, value);
        return;
    }
    const caromNode *n = &r->tree.nodes[node];
    char why[400];
    double unused;
    bool has_unit = n->kind == CAROM_NODE_SCALAR &&
                    (carom_modelfile_quantity_parse(n->text, key->dim, NULL, &unused, why, sizeof why) ||
                     carom_modelfile_quantity_parse(n->text, key->dim_angle, NULL, &unused, why, sizeof why));
    if (has_unit && !carom_modelfile_quantity_parse(n->text, CAROM_DIM_NUMBER, NULL, &unused, why, sizeof why))
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "a %s joint has angles and distances: give %s without a "
                                     "unit, it is taken in %s and in %s", carom_model_joint_kind_name(kind), key->name,
                                     carom_modelfile_dim_info(key->dim_angle)->si,
                                     carom_modelfile_dim_info(key->dim)->si);
    else carom_modelfile_read_number(r, node, CAROM_DIM_NUMBER, key->fallback, value);
}

// "a list of 2 (angle, distance) such as [2 N m/rad, 200 N/m]"
static void describe_list(caromReader *r, const caromKey *key, char *text, size_t n)
{
    caromJointKind kind = r->joint->def.kind;
    int nv = carom_model_joint_kind_nv(kind);
    bool has_coordinates = carom_model_joint_kind_nq(kind) == nv;
    size_t used = (size_t)snprintf(text, n, "a list of %d (", nv);
    for (int i = 0; i < nv && used < n; i++)
        used += (size_t)snprintf(text + used, n - used, "%s%s", i ? ", " : "",
                                 has_coordinates ? carom_model_joint_coordinate_name(kind, i)
                                                 : carom_model_joint_speed_name(kind, i));
    if (used < n) used += (size_t)snprintf(text + used, n - used, ") such as [");
    for (int i = 0; i < nv && used < n; i++)
        used += (size_t)snprintf(text + used, n - used, "%s%s", i ? ", " : "",
                                 carom_modelfile_dim_info(carom_modelfile_joint_dim(r, key, i))->example);
    if (used < n) snprintf(text + used, n - used, "]");
}

static bool is_none(caromReader *r, int node, const caromKey *key)
{
    const caromNode *n = &r->tree.nodes[node];
    return strcmp(key->fallback, "none") == 0 && n->kind == CAROM_NODE_SCALAR && strcmp(n->text, "none") == 0;
}

static void read_speed(caromReader *r, int node, const caromKey *key, int speed, double *value)
{
    if (!is_none(r, node, key))
        carom_modelfile_read_number(r, node, carom_modelfile_joint_dim(r, key, speed), NULL, value);
}

void carom_modelfile_read_per_speed(caromReader *r, int node, const caromKey *key, double values[CAROM_JOINT_NV_MAX])
{
    int nv = carom_model_joint_kind_nv(r->joint->def.kind), i = 0;
    if (nv == 1) {
        read_speed(r, node, key, 0, &values[0]);
        return;
    }
    const caromNode *n = &r->tree.nodes[node];
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind == CAROM_NODE_LIST && n->count == nv) {
        for (int c = n->first; c >= 0; c = r->tree.nodes[c].next, i++) read_speed(r, c, key, i, &values[i]);
        return;
    }
    char what[500], got[20];
    caromQuoted quoted;
    describe_list(r, key, what, sizeof what);
    snprintf(got, sizeof got, "%d", n->count);
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s, got %s", what,
                                 n->kind == CAROM_NODE_LIST ? got : carom_modelfile_got(n, &quoted));
}

// ---- the end of a joint

static void place_frames(caromReader *r, int node, caromJointDraft *d)
{
    static const char *const axis[2] = { "axis", "child_axis" },
                      *const orientation[2] = { "orientation", "child_orientation" };
    static const char *const what[2] = { "the axis", "the child axis" };
    for (int i = 0; i < 2; i++) {
        if (child_of(r, node, orientation[i]) >= 0) d->def.q[i] = d->orientation[i].q;
        else if (child_of(r, node, axis[i]) < 0) d->def.q[i] = i == 1 ? d->def.q[0] : carom_quat_identity();
        else if (carom_modelfile_is_direction(r, node, axis[i], d->axis[i], what[i]))
            d->def.q[i] = carom_modelfile_from_z_to(d->axis[i]);
    }
}

// Where the value of a coordinate "position.x" is: component x of the key "position".
static double *state_of(caromReader *r, caromJointDraft *d, const char *coordinate)
{
    size_t n = strcspn(coordinate, ".");
    const caromKey *key = carom_modelfile_key_find(r->format, CAROM_IN_JOINT, coordinate, n);
    const char *letters = key->type == CAROM_KEY_QUATERNION ? "wxyz" : "xyz";
    size_t component = coordinate[n] == '.' ? (size_t)(strchr(letters, coordinate[n + 1]) - letters) : 0;
    return d->state + (key->at - offsetof(caromJointDraft, state))/sizeof(double) + component;
}

// False: it has no direction, which was reported.
static bool normalise_quaternion(caromReader *r, int node, caromJointDraft *d)
{
    int at = carom_model_joint_quaternion(carom_model_joint_kind_nq(d->def.kind),
                                          carom_model_joint_kind_nv(d->def.kind));
    double *q = at >= 0 ? state_of(r, d, carom_model_joint_coordinate_name(d->def.kind, at)) : NULL;
    if (!q || !isfinite(q[0])) return true;
    caromQuat unit = { q[0], q[1], q[2], q[3] };
    if (!carom_modelfile_normalise(r, node, "quaternion", &unit)) return false;
    q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
    return true;
}

static void place_state(caromReader *r, int node, caromJointDraft *d)
{
    caromJointKind kind = d->def.kind;
    if (!normalise_quaternion(r, node, d)) return;
    for (int i = 0; i < carom_model_joint_kind_nq(kind); i++)
        d->def.position[i] = *state_of(r, d, carom_model_joint_coordinate_name(kind, i));
    for (int i = 0; i < carom_model_joint_kind_nv(kind); i++)
        d->def.velocity[i] = *state_of(r, d, carom_model_joint_speed_name(kind, i));
}

static void place_drive(caromReader *r, int node, caromJointDraft *d)
{
    bool has_motion = child_of(r, node, "motion") >= 0, has_force = child_of(r, node, "force") >= 0;
    if (has_motion || has_force) d->def.drive = has_motion ? CAROM_DRIVE_MOTION : CAROM_DRIVE_FORCE;
    d->def.drive_function = has_motion ? d->motion : d->force;
    for (int c = r->tree.nodes[node].first; has_motion && c >= 0; c = r->tree.nodes[c].next) {
        const char *name = r->tree.nodes[c].key;
        const caromKey *key = carom_modelfile_key_find(r->format, CAROM_IN_JOINT, name, strlen(name));
        if (key && key->suits == CAROM_SUITS_COORDINATE && has_coordinate(d->def.kind, name))
            carom_modelfile_reader_error(r, c, CAROM_AT_KEY, "'%s' and 'motion' exclude each other: "
                                         "the motion says how the joint starts", name);
    }
}

// A joint without a type or without bodies was reported; the builder does not get it.
void carom_draft_joint_end(caromReader *r, int node, void *draft)
{
    caromJointDraft *d = draft;
    if (d->has_kind) {
        place_frames(r, node, d);
        place_state(r, node, d);
        place_drive(r, node, d);
        if (carom_model_joint_row(d->def.kind)->has_pitch && child_of(r, node, "pitch") < 0)
            carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "a %s needs the key 'pitch', such as pitch: 5 mm/rev",
                                         carom_model_joint_kind_name(d->def.kind));
        if (d->def.body[0] && d->def.body[1]) carom_builder_joint(r->builder, &d->def);
    }
    free_function(&d->motion);
    free_function(&d->force);
    r->joint = NULL;
}

// ---- springs

void carom_draft_spring_begin(caromReader *r, int node, void *draft)
{
    *(caromSpringDef *)draft = carom_model_spring_def(r->tree.nodes[node].key);
}

void carom_draft_spring_end(caromReader *r, int node, void *draft)
{
    const caromSpringDef *def = draft;
    (void)node;
    if (def->body[0] && def->body[1]) carom_builder_spring(r->builder, def);
}

// ---- forces

void carom_draft_force_begin(caromReader *r, int node, void *draft)
{
    *(caromForceDraft *)draft = (caromForceDraft){ .def = carom_model_force_def(r->tree.nodes[node].key, NULL) };
}

void carom_draft_force_end(caromReader *r, int node, void *draft)
{
    caromForceDraft *d = draft;
    d->def.in_body = d->frame == 1;
    if (child_of(r, node, "force") < 0 && child_of(r, node, "torque") < 0)
        carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "a force needs the key 'force' or 'torque', "
                                     "such as force: [10 N, 0, 0]");
    if (d->def.body) carom_builder_force(r->builder, &d->def);
    for (int i = 0; i < 3; i++) {
        free_function(&d->def.force[i]);
        free_function(&d->def.torque[i]);
    }
}
