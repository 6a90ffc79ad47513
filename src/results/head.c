// What the HEAD frame says, as JSON. The format is described in docs/results-format.md.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/core.h"
#include "kinematics/kinematics.h"
#include "results/channels.h"

static void write_column(void *user, const char *name, const char *unit)
{
    caromText *text = user;
    carom_json_begin(text, '{');
    carom_results_member_text(text, "name", name);
    carom_results_member_text(text, "unit", unit);
    carom_json_finish(text, '}');
}

static void write_settings(caromText *text, const caromSettings *s)
{
    carom_json_key(text, "settings");
    carom_json_begin(text, '{');
    carom_results_member_vec3(text, "gravity", s->gravity);
    carom_results_member_text(text, "response", carom_model_response_name(s->response));
    carom_results_member_text(text, "damping", carom_model_damping_name(s->damping));
    carom_results_member_text(text, "friction_law", carom_model_friction_law_name(s->friction_law));
    carom_results_member_number(text, "rest_damping", s->rest_damping);
    carom_results_member_number(text, "tolerance", s->tolerance);
    carom_results_member_number(text, "until", s->until);
    carom_results_member_number(text, "every", s->every);
    carom_results_member_number(text, "results", s->results);
    carom_results_member_text(text, "method", carom_model_method_name(s->method));
    carom_results_member_number(text, "v_small", s->v_small);
    carom_results_member_number(text, "w_small", s->w_small);
    carom_results_member_number(text, "k_red", s->k_red);
    carom_results_member_text(text, "impact_law", carom_model_impact_law_name(s->impact_law));
    carom_results_member_text(text, "impacts", carom_model_impact_scheme_name(s->impacts));
    carom_results_member_number(text, "impact_exponent", s->impact_exponent);
    carom_results_member_text(text, "landing", carom_model_landing_name(s->landing));
    carom_results_member_text(text, "jam", carom_model_jam_name(s->jam));
    carom_json_finish(text, '}');
}

static void write_materials(caromText *text, const caromModel *model)
{
    carom_results_member_array(text, "materials");
    for (int i = 0; i < carom_model_material_count(model); i++) {
        caromMaterialDef material = carom_model_material(model, i);
        carom_json_begin(text, '{');
        carom_results_member_text(text, "name", material.name);
        carom_results_member_number(text, "density", material.density);
        carom_results_member_number(text, "E", material.E);
        carom_results_member_number(text, "nu", material.nu);
        carom_json_finish(text, '}');
    }
    carom_json_finish(text, ']');
}

static void member_pose(caromText *text, const caromPose *X)
{
    caromMat3 rows = carom_transpose(X->R);
    carom_results_member_vec3(text, "position", X->p);
    carom_results_member_array(text, "rotation");
    carom_json_vec3(text, rows.cx);
    carom_json_vec3(text, rows.cy);
    carom_json_vec3(text, rows.cz);
    carom_json_finish(text, ']');
}

static void member_polyhedron(caromText *text, const caromVec3 *vertices, int nvertex, const int *first,
                              const int *corners, int nface)
{
    carom_results_member_array(text, "vertices");
    for (int i = 0; i < nvertex; i++) carom_json_vec3(text, vertices[i]);
    carom_json_finish(text, ']');
    carom_results_member_array(text, "faces");
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
    carom_results_member_text(text, "name", info->name);
    carom_results_member_text(text, "kind", carom_shape_kind_name(info->shape.kind));
    carom_results_member_vec3(text, "size", info->shape.size);
    double rounding = info->shape.hull ? carom_hull_rounding(info->shape.hull) : info->shape.rounding;
    if (rounding > 0) carom_results_member_number(text, "rounding", rounding);
    if (shell > 0) carom_results_member_number(text, "shell", shell);
    if (info->shape.hull) member_hull(text, info->shape.hull);
    if (mesh >= 0) carom_results_member_integer(text, "mesh", mesh);
    if (info->stands_for >= 0)
        carom_results_member_text(text, "stands_for", carom_model_shape(model, info->stands_for).name);
    carom_results_member_text(text, "material", carom_model_material(model, info->material).name);
    if (!info->touches) carom_results_member_bool(text, "touches", false);
    if (!info->weighs) carom_results_member_bool(text, "weighs", false);
    member_pose(text, &info->X_BS);
    carom_json_finish(text, '}');
}

// X_WB: as the model starts. What no joint carries is there as it was given, to the last bit.
static void write_body(caromText *text, const caromModel *model, caromBodyId body, const caromPose *X_WB,
                       const int *meshes)
{
    caromMassProps props = carom_model_body_mass(model, body);
    const caromBody *b = &model->bodies[body.i];
    bool is_carried = b->link >= 0 && model->links[b->link].joint >= 0;
    caromQuat q = is_carried ? carom_quat_of(X_WB->R) : b->q_WB;
    carom_json_begin(text, '{');
    carom_results_member_text(text, "name", carom_model_body_name(model, body));
    carom_results_member_bool(text, "fixed", carom_model_body_is_fixed(model, body));
    carom_results_member_number(text, "mass", props.mass);
    carom_results_member_vec3(text, "com", props.com);
    carom_results_member_vec3(text, "position", is_carried ? X_WB->p : b->p_WB);
    carom_results_member_array(text, "orientation");
    carom_json_number(text, q.w);
    carom_json_number(text, q.x);
    carom_json_number(text, q.y);
    carom_json_number(text, q.z);
    carom_json_finish(text, ']');
    int ngroup = carom_model_body_group_count(model, body);
    if (ngroup > 0) {
        carom_results_member_array(text, "groups");
        for (int i = 0; i < ngroup; i++) carom_json_text(text, carom_model_body_group(model, body, i));
        carom_json_finish(text, ']');
    }
    carom_results_member_array(text, "shapes");
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
    carom_results_member_array(text, "bodies");
    for (int32_t i = 0; is_ready && i < carom_model_body_count(model) && !text->failed; i++)
        write_body(text, model, (caromBodyId){ i }, &kin.X_WB[i], meshes);
    carom_json_finish(text, ']');
    if (!text->failed) carom_results_meshes_json(text, model, meshes);
    free(meshes);
    carom_kin_free(&kin);
}

static void write_ignored(caromText *text, const caromModel *model)
{
    int n = carom_model_ignored_count(model);
    if (n == 0) return;
    carom_results_member_array(text, "ignored");
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
    carom_results_member_array(text, "bodies");
    for (int i = 0; i < 2; i++) carom_json_integer(text, body[i]);
    carom_json_finish(text, ']');
}

static void write_joint(caromText *text, const caromJointInfo *joint)
{
    const caromPose *frames[] = { &joint->X_AF, &joint->X_BM };
    carom_json_begin(text, '{');
    carom_results_member_text(text, "name", joint->name);
    carom_results_member_text(text, "type", carom_model_joint_kind_name(joint->kind));
    member_bodies(text, joint->body);
    carom_results_member_array(text, "frames");
    for (int i = 0; i < 2; i++) {
        carom_json_begin(text, '{');
        member_pose(text, frames[i]);
        carom_json_finish(text, '}');
    }
    carom_json_finish(text, ']');
    carom_results_member_number(text, "pitch", joint->pitch);
    carom_results_member_bool(text, "closes_loop", joint->closes_loop);
    carom_results_member_bool(text, "driven", joint->is_driven);
    if (joint->touch) carom_results_member_bool(text, "touch", true);
    carom_json_finish(text, '}');
}

static void write_spring(caromText *text, const caromSpringInfo *spring)
{
    carom_json_begin(text, '{');
    carom_results_member_text(text, "name", spring->name);
    member_bodies(text, spring->body);
    carom_results_member_array(text, "points");
    for (int i = 0; i < 2; i++) carom_json_vec3(text, spring->p[i]);
    carom_json_finish(text, ']');
    carom_results_member_number(text, "stiffness", spring->stiffness);
    carom_results_member_number(text, "damping", spring->damping);
    carom_results_member_number(text, "rest", spring->rest);
    carom_json_finish(text, '}');
}

static void write_mechanism(caromText *text, const caromModel *model)
{
    carom_results_member_array(text, "joints");
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        write_joint(text, &joint);
    }
    carom_json_finish(text, ']');
    carom_results_member_array(text, "springs");
    for (int i = 0; i < carom_model_spring_count(model); i++) {
        caromSpringInfo spring = carom_model_spring(model, i);
        write_spring(text, &spring);
    }
    carom_json_finish(text, ']');
}

static void write_source(caromText *text, const caromModel *model, const caromRunSource *source)
{
    const char *title = carom_model_settings(model)->name, *name = title ? title : source->name;
    carom_results_member_text(text, "name", name ? name : "");
    carom_results_member_text(text, "model", source->model_text ? source->model_text : "");
    carom_results_member_array(text, "overrides");
    for (int i = 0; i < source->noverride; i++) carom_json_text(text, source->overrides[i]);
    carom_json_finish(text, ']');
}

void carom_results_head_json(caromText *text, const caromModel *model, const caromRunSource *source)
{
    carom_json_begin(text, '{');
    carom_results_member_integer(text, "format", 2);
    carom_results_member_text(text, "carom", carom_version());
    write_source(text, model, source);
    write_settings(text, carom_model_settings(model));
    write_materials(text, model);
    write_bodies(text, model);
    write_mechanism(text, model);
    carom_results_member_integer(text, "pair_count", carom_model_pair_count(model));
    write_ignored(text, model);
    carom_results_member_array(text, "columns");
    carom_results_each_column(model, write_column, text);
    carom_json_finish(text, ']');
    carom_results_member_array(text, "contact");
    for (int i = 0; i < CAROM_CONTACT_COLUMNS; i++)
        write_column(text, carom_contact_columns[i].name, carom_contact_columns[i].unit);
    carom_json_finish(text, ']');
    carom_json_finish(text, '}');
}
