// Random mechanisms with one closed loop, closed at a known pose.
#ifndef CAROM_TESTS_LOOPS_H
#define CAROM_TESTS_LOOPS_H

#include "carom/carom.h"

#include "check.h"
#include "mechanisms.h"

// A loop of up to six joints with one coordinate: from the world out and back on two arms, whose ends a joint holds
// together. Plane: all axes are y; a slider moves across it.
typedef struct Loop {
    Mechanism m;
    caromJointDef closing;
    double pose[MECHANISM_BODIES];  // at which it is closed
    int nbody, freedom;
    int end[2];                     // bodies that the closing joint is between
} Loop;

static const caromQuat loop_across = { 0.70710678118654752, -0.70710678118654752, 0, 0 };  // z along y

static inline void loop_add_bar(Random *r, Loop *l, int parent, bool is_plane)
{
    bool slides = is_plane ? random_int(r, 6) == 0 : random_int(r, 8) == 0;
    int k = mechanism_add(&l->m, parent, slides ? CAROM_JOINT_PRISMATIC : CAROM_JOINT_REVOLUTE, random_mass(r));
    caromJointDef *j = &l->m.joint[k];
    for (int side = 0; side < 2; side++) {
        j->p[side] = random_vec(r, 1);
        j->q[side] = is_plane ? loop_across : random_quat(r);
        if (is_plane) j->p[side].y = 0;
    }
    caromQuat along_x = carom_quat_axis_angle(carom_vec(0, 1, 0), random_uniform(r, -3, 3));
    if (is_plane && slides) j->q[0] = j->q[1] = along_x;  // z in the plane
    l->pose[k] = slides ? random_uniform(r, -0.7, 0.7) : random_uniform(r, -2.5, 2.5);
    j->position[0] = l->pose[k];
    l->nbody++;
}

// The joint that closes has its frames where the two ends are.
static inline void loop_close(Random *r, Loop *l, int a, int b, bool is_plane, caromJointKind kind)
{
    Motion motion[MECHANISM_BODIES];
    double rest_speeds[MECHANISM_BODIES] = { 0 };
    mechanism_end(&l->m);
    mechanism_motion(&l->m, 0, l->pose, rest_speeds, NULL, motion);
    mechanism_free(&l->m);
    caromPose X_WF = { carom_quat_matrix(is_plane ? loop_across : random_quat(r)), random_vec(r, 1) };
    if (is_plane) X_WF.p.y = 0;
    l->closing = carom_model_joint_def("closing", kind);
    l->end[0] = a, l->end[1] = b;
    for (int side = 0; side < 2; side++) {
        caromPose X = carom_pose_relative(motion[l->end[side]].X, X_WF);
        l->closing.p[side] = X.p;
        l->closing.q[side] = carom_quat_of(X.R);
    }
}

static inline Loop random_loop(Random *r)
{
    Loop l = { .m = mechanism_begin() };
    bool is_plane = random_int(r, 2) == 0;
    static const caromJointKind kinds[] = { CAROM_JOINT_SPHERICAL, CAROM_JOINT_REVOLUTE, CAROM_JOINT_UNIVERSAL };
    static const int equations[] = { 3, 5, 4 };
    int kind = is_plane ? 1 : random_int(r, 3), held = is_plane ? 2 : equations[kind];
    int n = held + 1 + random_int(r, 7 - held < 2 ? 1 : 2), first = 1 + random_int(r, n - 1);
    for (int k = 0; k < n; k++) loop_add_bar(r, &l, k == 0 || k == first ? -1 : k - 1, is_plane);
    l.freedom = n - held;
    loop_close(r, &l, first - 1, n - 1, is_plane, kinds[kind]);
    return l;
}

// The model with coordinates and speeds at the start as given; NaN: not given. open: without the joint that closes.
static inline caromModel *loop_model(Loop *l, const double *given, const double *speeds, bool open)
{
    for (int k = 0; k < l->nbody; k++) {
        l->m.joint[k].position[0] = given[k];
        l->m.joint[k].velocity[0] = speeds ? speeds[k] : (double)NAN;
    }
    caromBuilder *b = mechanism_builder(&l->m);
    for (int side = 0; side < 2; side++) l->closing.body[side] = l->m.names[l->end[side]];
    if (!open) carom_builder_joint(b, &l->closing);
    return finished(b);
}

// Distance of the two sides of the joint that closes [m].
static inline double loop_distance(Loop *l, caromDyn *dyn, const double *q, const double *v)
{
    caromVec3 p[2];
    for (int side = 0; side < 2; side++) {
        caromPose X;
        caromSpatial V;
        carom_dyn_body(dyn, 0, q, v, (caromBodyId){ l->end[side] }, &X, &V);
        p[side] = carom_pose_point(X, l->closing.p[side]);
    }
    return carom_norm(carom_sub(p[0], p[1]));
}

#endif
