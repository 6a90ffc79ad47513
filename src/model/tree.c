// Joints become a tree of links and a list of loops.
//
// Joints are taken in the order of their definition, again and again until no more can be placed: one whose one side
// is carried (by the world, in the end) and whose other side is not carries that other side. What is left joins two
// bodies that are both carried: it closes a loop. Bodies that nothing carries get a free joint to the world first when
// no joint can be placed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/builder.h"
#include "model/check.h"

typedef struct Tree {
    const caromBuilder *b;
    caromModel *m;
    bool *is_carried;   // by the world, perhaps through others        [nbody]
    bool *is_used;      // joints that carry a body or join what is fixed [njoint]
} Tree;

static caromPose pose_of(caromVec3 p, caromQuat q)
{
    return (caromPose){ carom_quat_matrix(q), p };
}

static bool is_identity(caromMat3 R)
{
    return R.cx.x == 1.0 && R.cy.y == 1.0 && R.cz.z == 1.0;
}

// Mass properties in the link frame, inertia about its origin.
static void set_mass(caromLink *link, caromMassProps props_B)
{
    caromMassProps props = carom_geometry_mass_moved(props_B, link->X_MB);
    link->mass = props.mass;
    link->com_M = props.com;
    link->inertia_inv_C = carom_mat_inverse(props.inertia);
    link->inertia_M = carom_mat_add(props.inertia,
                                    carom_mat_scale(props.mass, carom_geometry_point_inertia(props.com)));
}

// The frame F of a joint on body `first`, seen from the link that moves that body (or the world).
static void attach(const caromModel *m, int first, caromPose X_AF, caromLink *link)
{
    caromPose X_PF = X_AF;
    link->parent = -1;
    if (first >= 0) {
        const caromBody *body = &m->bodies[first];
        if (body->link >= 0) {
            link->parent = body->link;
            X_PF = carom_pose_mul(m->links[body->link].X_MB, X_AF);
        } else {
            X_PF = carom_pose_mul(pose_of(body->p_WB, body->q_WB), X_AF);
        }
    }
    link->R_PF = X_PF.R;
    link->p_PF = X_PF.p;
    link->turns_F = !is_identity(X_PF.R);
    link->moves_F = X_PF.p.x != 0.0 || X_PF.p.y != 0.0 || X_PF.p.z != 0.0;
}

static void set_motion(caromLink *link, double pitch)
{
    const caromJointRow *row = carom_model_joint_row(link->kind);
    link->is_axial = row->is_axial;
    link->turn = row->turn;
    link->shift = row->has_pitch ? pitch : row->shift;
    link->move = row->move;
}

static void place_in_state(caromModel *m, caromLink *link, bool is_prescribed)
{
    link->nq = carom_model_joint_kind_nq(link->kind);
    link->nv = carom_model_joint_kind_nv(link->kind);
    link->is = m->ns;
    link->iq = link->iv = -1;
    m->ns += link->nv;
    if (link->nv == 0 || is_prescribed) return;
    link->iq = m->nq;
    link->iv = m->nv;
    m->nq += link->nq;
    m->nv += link->nv;
}

static void add_free_link(Tree *t, int body)
{
    caromModel *m = t->m;
    caromBody *b = &m->bodies[body];
    caromLink *link = &m->links[m->nlink];
    // The link frame sits in the centre of mass: linear momentum is then exact under any linear method.
    *link = (caromLink){ .body = body, .joint = -1, .kind = CAROM_JOINT_FREE,
                         .X_MB = { carom_mat_identity(), carom_neg(b->props.com) } };
    attach(m, -1, carom_pose_identity(), link);
    set_motion(link, 0.0);
    place_in_state(m, link, false);
    set_mass(link, b->props);
    b->link = m->nlink++;
    t->is_carried[body] = true;
}

static bool has_forces(const caromModelJoint *j, int nv)
{
    for (int i = 0; i < nv; i++) {
        const caromJointForce *f = &j->forces[i];
        if (f->stiffness > 0.0 || f->damping > 0.0 || f->friction > 0.0) return true;
    }
    return false;
}

// A joint carries body[1] from body[0], or (backwards) the other way round. Seen from the second body an axial joint
// turns and moves the other way, and that is all; the motion of other kinds is inverted by kinematics.
static void add_joint_link(Tree *t, int joint, bool backwards)
{
    caromModel *m = t->m;
    caromModelJoint *j = &m->joints[joint];
    int first = j->body[backwards], second = j->body[!backwards];
    caromBody *b = &m->bodies[second];
    caromLink *link = &m->links[m->nlink];
    caromPose X_MB = carom_pose_relative(backwards ? j->X_AF : j->X_BM, carom_pose_identity());
    *link = (caromLink){ .body = second, .joint = joint, .kind = j->kind, .X_MB = X_MB };
    attach(m, first, backwards ? j->X_BM : j->X_AF, link);
    set_motion(link, j->pitch);
    link->is_backwards = backwards;
    if (backwards) {
        link->turn = -link->turn;
        link->shift = -link->shift;
    }
    place_in_state(m, link, j->is_driven);
    set_mass(link, b->props);
    link->motion = j->is_driven ? j->function : NULL;
    link->drive = j->is_driven ? NULL : j->function;
    link->forces = j->forces;
    link->has_forces = has_forces(j, link->nv);
    j->link = b->link = m->nlink++;
    t->is_carried[second] = true;
    t->is_used[joint] = true;
}

static bool carries(const Tree *t, int body)
{
    return body < 0 || t->is_carried[body];
}

// Places every joint that has become placeable; false: none was.
static bool place_joints(Tree *t)
{
    bool placed = false;
    for (int k = 0; k < t->m->njoint; k++) {
        bool first = carries(t, t->m->joints[k].body[0]), second = carries(t, t->m->joints[k].body[1]);
        if (t->is_used[k] || first == second) continue;
        add_joint_link(t, k, second);
        placed = true;
    }
    return placed;
}

// A body that only stands first in its joints: it moves freely, and they hang from it.
static bool is_root(const Tree *t, int body)
{
    for (int k = 0; k < t->m->njoint; k++) if (t->m->joints[k].body[1] == body && !t->is_used[k]) return false;
    return true;
}

static bool free_a_root(Tree *t)
{
    // First those that nothing leads to, then (a ring of joints) just the next one.
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < t->m->nbody; k++) {
            if (t->is_carried[k] || !(pass == 1 || is_root(t, k))) continue;
            add_free_link(t, k);
            return true;
        }
    }
    return false;
}

static void mark_lone(caromModel *m)
{
    for (int k = 0; k < m->nlink; k++) m->links[k].is_lone = m->links[k].parent < 0 && m->links[k].joint < 0;
    for (int k = 0; k < m->nlink; k++) if (m->links[k].parent >= 0) m->links[m->links[k].parent].is_lone = false;
}

static void find_loops(Tree *t)
{
    caromModel *m = t->m;
    for (int k = 0; k < m->njoint; k++) {
        if (t->is_used[k]) continue;
        int a = m->joints[k].body[0], b = m->joints[k].body[1];
        bool joins_fixed = (a < 0 || m->bodies[a].link < 0) && (b < 0 || m->bodies[b].link < 0);
        m->joints[k].closes_loop = !joins_fixed;
        if (!joins_fixed) m->loops[m->nloop++] = k;
    }
}

// The key of a coordinate or a speed at the start that was given; NULL: none.
static const char *given_state(const caromJointDef *d, char *name, size_t n)
{
    const char *given = NULL;
    for (int i = carom_model_joint_kind_nv(d->kind) - 1; i >= 0; i--)
        if (!isnan(d->velocity[i])) given = carom_model_joint_speed_name(d->kind, i);
    for (int i = carom_model_joint_kind_nq(d->kind) - 1; i >= 0; i--)
        if (!isnan(d->position[i])) given = carom_model_joint_coordinate_name(d->kind, i);
    if (!given) return NULL;
    snprintf(name, n, "%.*s", (int)strcspn(given, "."), given);
    return name;
}

// Only a joint that carries has coordinates: forces could act on them, and they could be given.
static void check_loops(const caromBuilder *b, const caromModel *m, caromProblems *problems)
{
    for (int k = 0; k < m->njoint; k++) {
        const caromJointDef *d = &b->joints[k];
        if (m->joints[k].link >= 0) continue;
        const char *key = d->drive == CAROM_DRIVE_MOTION ? "motion" : d->drive == CAROM_DRIVE_FORCE ? "force" : NULL;
        for (int i = 0; !key && i < carom_model_joint_kind_nv(d->kind); i++) {
            if (d->damping[i] > 0.0) key = "damping";
            else if (d->stiffness[i] > 0.0) key = "stiffness";
            else if (d->friction[i] > 0.0) key = "friction";
            else if (!isnan(d->lower[i])) key = "lower";
            else if (!isnan(d->upper[i])) key = "upper";
        }
        char name[CAROM_NAME_MAX];
        if (!key) key = given_state(d, name, sizeof name);
        if (!key) continue;
        carom_model_check_error(problems, carom_model_path_of("joints.%.63s.%s", d->name, key),
                                "joint '%.63s' closes a loop and has no coordinates of its own: give its %s to another "
                                "joint of the loop, or list this joint earlier", d->name, key);
    }
}

static void add_limit(caromModel *m, int link, int coordinate, double at, double sign, const caromModelJoint *j)
{
    if (isfinite(at))
        m->limits[m->nlimit++] = (caromLimit){ link, coordinate, at, sign, j->limit_stiffness, j->limit_restitution };
}

static bool find_limits(caromModel *m)
{
    m->limits = carom_alloc_array(2*(size_t)m->nv + 1, sizeof *m->limits);
    if (!m->limits) return false;
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (link->joint < 0 || link->iv < 0) continue;
        const caromModelJoint *j = &m->joints[link->joint];
        for (int i = 0; i < link->nv; i++) {
            add_limit(m, k, i, j->forces[i].lower, 1.0, j);
            add_limit(m, k, i, j->forces[i].upper, -1.0, j);
        }
    }
    return true;
}

static void check_carried_bodies(const caromBuilder *b, const caromModel *m, caromProblems *problems)
{
    for (int k = 0; k < m->nbody; k++) {
        const caromBodyDef *def = &b->bodies[k];
        if (m->bodies[k].link < 0 || m->links[m->bodies[k].link].joint < 0) continue;
        const char *joint = m->joints[m->links[m->bodies[k].link].joint].name;
        caromQuat q = def->q_WB;
        bool turned = q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
        const char *key = carom_norm2(def->p_WB) > 0.0   ? "position"
                          : turned                       ? "orientation"
                          : carom_norm2(def->v_WB) > 0.0 ? "velocity"
                          : carom_norm2(def->w_WB) > 0.0 ? "angular_velocity"
                                                         : NULL;
        if (!key) continue;
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.%s", def->name, key),
                                "the %s of '%.63s' follows from joint '%.63s': give the joint's coordinates instead",
                                key, def->name, joint);
    }
}

static bool compile(const caromFunctionDef *def, caromFunction **function, caromProblems *problems, caromPath path)
{
    caromError err;
    caromStatus status = carom_function_create(def, function, &err);
    if (status == CAROM_OK) return true;
    carom_model_check_error(problems, path, "%s", status == CAROM_ERR_MEMORY ? "out of memory" : err.message);
    return false;
}

static caromJointForce joint_force(const caromJointDef *d, int i)
{
    return (caromJointForce){ .stiffness = d->stiffness[i],
                              .rest = d->rest[i],
                              .damping = d->damping[i],
                              .friction = d->friction[i],
                              .lower = isnan(d->lower[i]) ? -(double)INFINITY : d->lower[i],
                              .upper = isnan(d->upper[i]) ? (double)INFINITY : d->upper[i],
                              .is_angle = strcmp(carom_model_joint_speed_unit(d->kind, i), "rad/s") == 0 };
}

// Quaternions that are not given are the identity; everything else is 0.
static void start_position(const caromJointDef *d, double *q)
{
    int n = carom_model_joint_kind_nq(d->kind);
    for (int i = 0; i < n; i++) q[i] = isnan(d->position[i]) ? 0.0 : d->position[i];
    int w = carom_model_joint_quaternion(n, carom_model_joint_kind_nv(d->kind));
    if (w < 0) return;
    double norm2 = q[w]*q[w] + q[w + 1]*q[w + 1] + q[w + 2]*q[w + 2] + q[w + 3]*q[w + 3];
    if (norm2 < 1e-12) q[w] = norm2 = 1.0;
    for (int i = 0; i < 4; i++) q[w + i] /= sqrt(norm2);
}

// Three speeds go with the four numbers of a quaternion.
static caromGiven what_is_given(const caromJointDef *d)
{
    caromGiven given = { 0 };
    int nq = carom_model_joint_kind_nq(d->kind), nv = carom_model_joint_kind_nv(d->kind);
    int w = carom_model_joint_quaternion(nq, nv);
    for (int i = 0; i < nv; i++) {
        given.position[i] = !isnan(d->position[w >= 0 && i >= w ? w : i]);
        given.velocity[i] = !isnan(d->velocity[i]);
    }
    return given;
}

static bool freeze_joint(const caromBuilder *b, const caromJointDef *d, caromModelJoint *j, char **names,
                         caromProblems *problems)
{
    *j = (caromModelJoint){ .name = carom_model_keep_name(names, d->name),
                            .kind = d->kind,
                            .body = { carom_builder_find_body(b, d->body[0]), carom_builder_find_body(b, d->body[1]) },
                            .X_AF = pose_of(d->p[0], d->q[0]),
                            .X_BM = pose_of(d->p[1], d->q[1]),
                            .pitch = d->pitch,
                            .link = -1,
                            .is_driven = d->drive == CAROM_DRIVE_MOTION,
                            .touch = d->touch,
                            .limit_stiffness = d->limit_stiffness,
                            .limit_restitution = d->limit_restitution };
    for (int i = 0; i < carom_model_joint_kind_nv(d->kind); i++) {
        j->forces[i] = joint_force(d, i);
        j->velocity[i] = isnan(d->velocity[i]) ? 0.0 : d->velocity[i];
    }
    start_position(d, j->position);
    j->is_given = what_is_given(d);
    if (d->drive == CAROM_DRIVE_NONE) return true;
    return compile(&d->drive_function, &j->function, problems,
                   carom_model_path_of("joints.%.63s.%s", d->name, j->is_driven ? "motion" : "force"));
}

static void freeze_spring(const caromBuilder *b, const caromSpringDef *d, caromModelSpring *s, char **names)
{
    *s = (caromModelSpring){ .name = carom_model_keep_name(names, d->name),
                             .body = { carom_builder_find_body(b, d->body[0]), carom_builder_find_body(b, d->body[1]) },
                             .p = { d->p[0], d->p[1] },
                             .stiffness = d->stiffness,
                             .damping = d->damping,
                             .rest = d->rest };
}

static bool freeze_force(const caromBuilder *b, const caromForceDef *d, caromModelForce *f, caromProblems *problems)
{
    *f = (caromModelForce){ .body = carom_builder_find_body(b, d->body), .p = d->p, .in_body = d->in_body };
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = compile(&d->force[i], &f->force[i], problems, carom_model_path_of("forces.%.63s.force", d->name)) &&
               good;
        good = compile(&d->torque[i], &f->torque[i], problems, carom_model_path_of("forces.%.63s.torque", d->name)) &&
               good;
    }
    return good;
}

static bool allocate(const caromBuilder *b, Tree *t)
{
    caromModel *m = t->m;
    m->links = carom_alloc_array((size_t)m->nbody, sizeof *m->links);
    m->joints = carom_alloc_array((size_t)b->njoint, sizeof *m->joints);
    m->springs = carom_alloc_array((size_t)b->nspring, sizeof *m->springs);
    m->forces = carom_alloc_array((size_t)b->nforce, sizeof *m->forces);
    m->loops = carom_alloc_array((size_t)b->njoint, sizeof *m->loops);
    t->is_carried = carom_alloc_array((size_t)m->nbody, sizeof *t->is_carried);
    t->is_used = carom_alloc_array((size_t)b->njoint, sizeof *t->is_used);
    return m->links && m->joints && m->springs && m->forces && m->loops && t->is_carried && t->is_used;
}

static bool freeze_parts(const caromBuilder *b, caromModel *m, char **names, caromProblems *problems)
{
    bool good = true;
    for (; m->njoint < b->njoint; m->njoint++)
        good = freeze_joint(b, &b->joints[m->njoint], &m->joints[m->njoint], names, problems) && good;
    for (; m->nspring < b->nspring; m->nspring++)
        freeze_spring(b, &b->springs[m->nspring], &m->springs[m->nspring], names);
    for (; m->nforce < b->nforce; m->nforce++)
        good = freeze_force(b, &b->forces[m->nforce], &m->forces[m->nforce], problems) && good;
    return good;
}

bool carom_builder_freeze_tree(const caromBuilder *b, caromModel *m, char **names, caromProblems *problems)
{
    Tree t = { b, m, NULL, NULL };
    bool good = allocate(b, &t) && freeze_parts(b, m, names, problems);
    if (good) {
        for (int k = 0; k < m->nbody; k++) {
            t.is_carried[k] = b->bodies[k].fixed;
            m->bodies[k].link = -1;
        }
        while (place_joints(&t) || free_a_root(&t)) {}
        mark_lone(m);
        find_loops(&t);
        check_carried_bodies(b, m, problems);
        check_loops(b, m, problems);
        good = find_limits(m);
    }
    free(t.is_carried);
    free(t.is_used);
    return good;
}

void carom_model_free_tree(caromModel *m)
{
    for (int k = 0; m->joints && k < m->njoint; k++) carom_function_destroy(m->joints[k].function);
    for (int k = 0; m->forces && k < m->nforce; k++) {
        for (int i = 0; i < 3; i++) {
            carom_function_destroy(m->forces[k].force[i]);
            carom_function_destroy(m->forces[k].torque[i]);
        }
    }
    free(m->links);
    free(m->joints);
    free(m->springs);
    free(m->forces);
    free(m->limits);
    free(m->loops);
}
