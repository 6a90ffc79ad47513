// What can be wrong with joints, springs and forces.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "model/builder.h"
#include "model/check.h"

int carom_builder_find_body(const caromBuilder *b, const char *name)
{
    if (!name || strcmp(name, "world") == 0) return -1;
    for (int i = 0; i < b->nbody; i++) if (b->bodies[i].name && strcmp(b->bodies[i].name, name) == 0) return i;
    return -2;
}

static void check_known_body(const caromBuilder *b, caromProblems *problems, caromPath path, const char *name)
{
    if (carom_builder_find_body(b, name) != -2) return;
    const char *known[64] = { "world" };
    int n = 1;
    for (int i = 0; i < b->nbody && n < 64; i++) if (b->bodies[i].name) known[n++] = b->bodies[i].name;
    const char *nearest = carom_nearest_name(name, known, n);
    if (nearest) carom_model_check_error(problems, path, "unknown body '%.63s', did you mean '%s'?", name, nearest);
    else carom_model_check_error(problems, path, "unknown body '%.63s'", name);
}

static void check_two_bodies(const caromBuilder *b, caromProblems *problems, caromPath path, const char *const body[2])
{
    for (int i = 0; i < 2; i++) if (body[i]) check_known_body(b, problems, path, body[i]);
    int first = carom_builder_find_body(b, body[0]), second = carom_builder_find_body(b, body[1]);
    if (first == second && first != -2) carom_model_check_error(problems, path, "between needs two different bodies");
}

// Coordinates whose rate is the speed of the same index: those that springs and limits can act on.
static bool has_plain_coordinates(caromJointKind kind)
{
    return carom_model_joint_kind_nq(kind) == carom_model_joint_kind_nv(kind);
}

static void check_joint_forces(const caromJointDef *j, caromProblems *problems, const char *path)
{
    int nv = carom_model_joint_kind_nv(j->kind);
    for (int i = 0; i < nv; i++) {
        bool has_limit = !isnan(j->lower[i]) || !isnan(j->upper[i]);
        carom_model_check_not_negative(problems, carom_model_path_of("%s.stiffness", path), "stiffness",
                                       j->stiffness[i]);
        carom_model_check_not_negative(problems, carom_model_path_of("%s.damping", path), "damping", j->damping[i]);
        carom_model_check_not_negative(problems, carom_model_path_of("%s.friction", path), "friction", j->friction[i]);
        if (!isfinite(j->rest[i]))
            carom_model_check_error(problems, carom_model_path_of("%s.rest", path), "rest is not a finite number");
        if (isinf(j->lower[i]) || isinf(j->upper[i]))
            carom_model_check_error(problems, carom_model_path_of("%s.lower", path), "a limit is not a finite number");
        if (j->lower[i] >= j->upper[i]) {
            carom_model_check_error(problems, carom_model_path_of("%s.lower", path),
                                    "lower limit %g is not below the upper limit %g", j->lower[i], j->upper[i]);
        }
        if ((j->stiffness[i] > 0.0 || has_limit) && !has_plain_coordinates(j->kind)) {
            carom_model_check_error(problems, carom_model_path_of("%s.stiffness", path), "a %s joint has no coordinate "
                                    "that a spring or a limit could act on", carom_model_joint_kind_name(j->kind));
        }
    }
    carom_model_check_positive(problems, carom_model_path_of("%s.limit_stiffness", path), "limit_stiffness",
                               j->limit_stiffness, "");
    carom_model_check_range(problems, carom_model_path_of("%s.limit_restitution", path), "limit_restitution",
                            j->limit_restitution, 0, 1);
}

static void check_joint_state(const caromJointDef *j, caromProblems *problems, const char *path)
{
    for (int i = 0; i < carom_model_joint_kind_nq(j->kind); i++) {
        if (isinf(j->position[i]))
            carom_model_check_error(problems, carom_model_path_of("%s.position", path),
                                    "position is not a finite number");
    }
    for (int i = 0; i < carom_model_joint_kind_nv(j->kind); i++) {
        if (isinf(j->velocity[i]))
            carom_model_check_error(problems, carom_model_path_of("%s.velocity", path),
                                    "velocity is not a finite number");
    }
}

// All of a quaternion is given, or nothing of it; and it has a direction.
static void check_joint_quaternion(const caromJointDef *j, caromProblems *problems, const char *path)
{
    int w = carom_model_joint_quaternion(carom_model_joint_kind_nq(j->kind), carom_model_joint_kind_nv(j->kind));
    if (w < 0) return;
    int nmissing = 0;
    for (int i = 0; i < 4; i++) nmissing += isnan(j->position[w + i]);
    const double *q = &j->position[w];
    if (nmissing == 0) carom_model_check_rotation(problems, carom_model_path_of("%s.quaternion", path),
                                                  (caromQuat){ q[0], q[1], q[2], q[3] });
    else if (nmissing < 4)
        carom_model_check_error(problems, carom_model_path_of("%s.quaternion", path),
                                "%d of the four numbers of the quaternion are not given", nmissing);
}

static void check_joint(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromJointDef *j = &b->joints[k];
    caromPath path = carom_model_path_of("joints.%.63s", j->name ? j->name : "");
    carom_model_check_name(problems, path, "joint", j->name);
    if ((unsigned)j->kind >= CAROM_JOINT_KINDS) {
        carom_model_check_error(problems, path, "unknown joint kind %d", (int)j->kind);
        return;
    }
    for (int i = 0; i < k; i++) {
        if (j->name && b->joints[i].name && strcmp(j->name, b->joints[i].name) == 0)
            carom_model_check_error(problems, path, "joint '%.63s' is defined twice", j->name);
    }
    check_two_bodies(b, problems, carom_model_path_of("%s.between", path.text), j->body);
    for (int i = 0; i < 2; i++) {
        carom_model_check_finite(problems, carom_model_path_of("%s.at", path.text), "at", j->p[i]);
        carom_model_check_rotation(problems, carom_model_path_of("%s.axis", path.text), j->q[i]);
    }
    if (!isfinite(j->pitch))
        carom_model_check_error(problems, carom_model_path_of("%s.pitch", path.text), "pitch is not a finite number");
    if (j->drive != CAROM_DRIVE_NONE && !carom_model_joint_row(j->kind)->is_axial) {
        char driven[200];
        carom_model_list_driven_joints(driven, sizeof driven);
        carom_model_check_error(problems, carom_model_path_of("%s.%s", path.text, j->drive == CAROM_DRIVE_MOTION
                                                                  ? "motion" : "force"), "a %s joint cannot be driven: "
                                "only joints with one coordinate (%s)", carom_model_joint_kind_name(j->kind), driven);
    }
    check_joint_state(j, problems, path.text);
    check_joint_quaternion(j, problems, path.text);
    check_joint_forces(j, problems, path.text);
}

static void check_spring(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromSpringDef *s = &b->springs[k];
    caromPath path = carom_model_path_of("springs.%.63s", s->name ? s->name : "");
    carom_model_check_name(problems, path, "spring", s->name);
    for (int i = 0; i < k; i++) {
        if (s->name && b->springs[i].name && strcmp(s->name, b->springs[i].name) == 0)
            carom_model_check_error(problems, path, "spring '%.63s' is defined twice", s->name);
    }
    check_two_bodies(b, problems, carom_model_path_of("%s.between", path.text), s->body);
    for (int i = 0; i < 2; i++)
        carom_model_check_finite(problems, carom_model_path_of("%s.at", path.text), "at", s->p[i]);
    carom_model_check_not_negative(problems, carom_model_path_of("%s.stiffness", path.text), "stiffness", s->stiffness);
    carom_model_check_not_negative(problems, carom_model_path_of("%s.damping", path.text), "damping", s->damping);
    if (!isnan(s->rest))
        carom_model_check_not_negative(problems, carom_model_path_of("%s.rest", path.text), "rest length", s->rest);
}

static void check_force(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromForceDef *f = &b->forces[k];
    caromPath path = carom_model_path_of("forces.%.63s", f->name ? f->name : "");
    carom_model_check_name(problems, path, "force", f->name);
    for (int i = 0; i < k; i++) {
        if (f->name && b->forces[i].name && strcmp(f->name, b->forces[i].name) == 0)
            carom_model_check_error(problems, path, "force '%.63s' is defined twice", f->name);
    }
    carom_model_check_finite(problems, carom_model_path_of("%s.at", path.text), "at", f->p);
    if (!f->body)
        carom_model_check_error(problems, carom_model_path_of("%s.body", path.text), "a force needs a body to act on");
    else if (carom_builder_find_body(b, f->body) == -1)
        carom_model_check_error(problems, carom_model_path_of("%s.body", path.text),
                                "a force on the world has no effect");
    else check_known_body(b, problems, carom_model_path_of("%s.body", path.text), f->body);
}

void carom_builder_check_joints(const caromBuilder *b, caromProblems *problems)
{
    for (int k = 0; k < b->njoint; k++) check_joint(b, k, problems);
    for (int k = 0; k < b->nspring; k++) check_spring(b, k, problems);
    for (int k = 0; k < b->nforce; k++) check_force(b, k, problems);
}
