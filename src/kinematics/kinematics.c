#include "kinematics/kinematics.h"

#include "base/base.h"
#include "kinematics/assemble.h"

static const caromLinkKin ground = { .R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

static void place_shapes(const caromModel *model, int body, caromKin *kin)
{
    const caromBody *b = &model->bodies[body];
    for (int i = b->first_shape; i < b->first_shape + b->nshape; i++) {
        kin->X_WS[i] = carom_pose_mul(kin->X_WB[body], model->shapes[i].X_BS);
    }
}

bool carom_kin_alloc(const caromModel *model, caromKin *kin)
{
    size_t n = (size_t)model->nbody;
    kin->links = carom_alloc_array((size_t)model->nlink, sizeof *kin->links);
    kin->S = carom_alloc_array((size_t)model->ns, sizeof *kin->S);
    kin->X_WB = carom_alloc_array(n, sizeof *kin->X_WB);
    kin->p_WC = carom_alloc_array(n, sizeof *kin->p_WC);
    kin->V_WC = carom_alloc_array(n, sizeof *kin->V_WC);
    kin->X_WS = carom_alloc_array((size_t)model->nshape, sizeof *kin->X_WS);
    if (!kin->links || !kin->S || !kin->X_WB || !kin->p_WC || !kin->V_WC || !kin->X_WS) return false;
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (b->link >= 0) continue;
        kin->X_WB[k] = (caromPose){ carom_quat_matrix(b->q_WB), b->p_WB };
        kin->p_WC[k] = b->p_WB;
        place_shapes(model, k, kin);
    }
    return true;
}

void carom_kin_free(caromKin *kin)
{
    free(kin->links);
    free(kin->S);
    free(kin->X_WB);
    free(kin->p_WC);
    free(kin->V_WC);
    free(kin->X_WS);
    *kin = (caromKin){ 0 };
}

// A free body's own joint starts from the pose and velocity of the body: to the centre of mass, angular
// velocity into the body.
static void initial_free(const caromBody *b, double *q, double *v)
{
    caromMat3 R_WB = carom_quat_matrix(b->q_WB);
    caromVec3 r_W = carom_mul(R_WB, b->props.com), p = carom_add(b->p_WB, r_W);
    caromVec3 velocity = carom_point_velocity(b->V_WB, r_W), w = carom_tmul(R_WB, b->V_WB.angular);
    const double q0[7] = { p.x, p.y, p.z, b->q_WB.w, b->q_WB.x, b->q_WB.y, b->q_WB.z };
    const double v0[6] = { velocity.x, velocity.y, velocity.z, w.x, w.y, w.z };
    for (int i = 0; i < 7; i++) q[i] = q0[i];
    for (int i = 0; i < 6; i++) v[i] = v0[i];
}

void carom_kin_initial(const caromModel *model, double *q, double *v)
{
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        if (link->iv < 0) continue;
        if (link->joint < 0) {
            initial_free(&model->bodies[link->body], q + link->iq, v + link->iv);
            continue;
        }
        const caromModelJoint *j = &model->joints[link->joint];
        for (int i = 0; i < link->nq; i++) q[link->iq + i] = j->position[i];
        for (int i = 0; i < link->nv; i++) v[link->iv + i] = j->velocity[i];
    }
}

// Where the joint's frame F is, and the lever from the parent's origin to it.
typedef struct Base {
    caromMat3 R_WF;
    caromVec3 r;
} Base;

static Base base_of(const caromLink *link, const caromLinkKin *parent)
{
    return (Base){ link->turns_F ? carom_mat_mul(parent->R, link->R_PF) : parent->R,
                   link->moves_F ? carom_mul(parent->R, link->p_PF) : carom_vec(0, 0, 0) };
}

// M moves with velocity (w_rel, v_rel) and acceleration c_rel against F, all along the axes of W:
//   w = w_P + w_rel,    v = v_P + w_P x r + v_rel
//   c = c_rel + ( w_P x w_rel,  w_P x (w_P x r) + 2 w_P x v_rel )
static void compose(const caromLinkKin *parent, caromVec3 w_rel, caromVec3 v_rel, caromSpatial c_rel, caromLinkKin *k)
{
    caromVec3 swept = carom_cross(parent->w, k->r);
    k->o = carom_add(parent->o, k->r);
    k->w = carom_add(parent->w, w_rel);
    k->v = carom_add(carom_add(parent->v, swept), v_rel);
    k->c.angular = carom_add(c_rel.angular, carom_cross(parent->w, w_rel));
    k->c.linear = carom_add(c_rel.linear, carom_cross(parent->w, carom_axpy(2.0, v_rel, swept)));
}

// One coordinate along z of F: turns by turn q, moves by shift q.
static void move_axial(const caromLink *link, const caromLinkKin *parent, caromJet q, caromLinkKin *k, caromSpatial *S)
{
    Base base = base_of(link, parent);
    caromVec3 z = base.R_WF.cz;
    k->R = base.R_WF;
    if (link->turn != 0.0) {
        double s = sin(link->turn*q.value), c = cos(link->turn*q.value);
        k->R.cx = carom_axpy(c, base.R_WF.cx, carom_scale(s, base.R_WF.cy));
        k->R.cy = carom_axpy(-s, base.R_WF.cx, carom_scale(c, base.R_WF.cy));
    }
    k->r = link->shift != 0.0 ? carom_axpy(link->shift*q.value, z, base.r) : base.r;
    *S = (caromSpatial){ carom_scale(link->turn, z), carom_scale(link->shift, z) };
    caromSpatial c_rel = { carom_scale(q.second, S->angular), carom_scale(q.second, S->linear) };
    compose(parent, carom_scale(q.rate, S->angular), carom_scale(q.rate, S->linear), c_rel, k);
}

static void move_fixed(const caromLink *link, const caromLinkKin *parent, caromLinkKin *k)
{
    Base base = base_of(link, parent);
    caromVec3 none = { 0, 0, 0 };
    k->R = base.R_WF;
    k->r = base.r;
    compose(parent, none, none, (caromSpatial){ none, none }, k);
}

// The motion of F against M, in the axes of M, from that of M against F: with R = R_FM, p = p_FM, (w, v) and (al, a) of
// M in F,
//   w' = -R^T w,  v' = -R^T (v - w x p),  al' = -R^T al,  a' = -R^T (a - al x p - 2 w x v + w x (w x p))
static void turn_round(int nv, const double *v, caromJointMotion *m)
{
    caromMat3 R = m->R_FM;
    caromVec3 p = m->p_FM, w = { 0, 0, 0 }, u = { 0, 0, 0 };
    for (int i = 0; i < nv; i++) {
        w = carom_axpy(v[i], m->S[i].angular, w);
        u = carom_axpy(v[i], m->S[i].linear, u);
        caromVec3 linear = carom_sub(m->S[i].linear, carom_cross(m->S[i].angular, p));
        m->S[i] = (caromSpatial){ carom_neg(carom_tmul(R, m->S[i].angular)), carom_neg(carom_tmul(R, linear)) };
    }
    caromVec3 swing = carom_sub(carom_cross(w, carom_cross(w, p)), carom_scale(2.0, carom_cross(w, u)));
    caromVec3 linear = carom_add(carom_sub(m->c.linear, carom_cross(m->c.angular, p)), swing);
    m->c = (caromSpatial){ carom_neg(carom_tmul(R, m->c.angular)), carom_neg(carom_tmul(R, linear)) };
    m->R_FM = carom_transpose(R);
    m->p_FM = carom_neg(carom_tmul(R, p));
}

static void move_general(const caromLink *link, const caromLinkKin *parent, const double *q, const double *v,
                         caromLinkKin *k, caromSpatial *S)
{
    Base base = base_of(link, parent);
    caromJointMotion m;
    link->move(q, v, &m);
    if (link->is_backwards) turn_round(link->nv, v, &m);
    caromVec3 w = { 0, 0, 0 }, u = { 0, 0, 0 };
    for (int i = 0; i < link->nv; i++) {
        S[i] = (caromSpatial){ carom_mul(base.R_WF, m.S[i].angular), carom_mul(base.R_WF, m.S[i].linear) };
        w = carom_axpy(v[i], S[i].angular, w);
        u = carom_axpy(v[i], S[i].linear, u);
    }
    k->R = carom_mat_mul(base.R_WF, m.R_FM);
    k->r = carom_add(base.r, carom_mul(base.R_WF, m.p_FM));
    compose(parent, w, u, (caromSpatial){ carom_mul(base.R_WF, m.c.angular), carom_mul(base.R_WF, m.c.linear) }, k);
}

// What move_general makes of a free body in the world, without products with what is one or zero there.
static void move_lone(const double *q, const double *v, caromLinkKin *k, caromSpatial *S)
{
    static const caromVec3 none;
    k->R = carom_quat_matrix((caromQuat){ q[3], q[4], q[5], q[6] });
    k->o = k->r = carom_vec(q[0], q[1], q[2]);
    k->w = carom_axpy(v[5], k->R.cz, carom_axpy(v[4], k->R.cy, carom_scale(v[3], k->R.cx)));
    k->v = carom_vec(v[0], v[1], v[2]);
    k->c = (caromSpatial){ none, none };
    for (int i = 0; i < 3; i++) S[i] = (caromSpatial){ none, carom_vec(i == 0, i == 1, i == 2) };
    S[3] = (caromSpatial){ k->R.cx, none };
    S[4] = (caromSpatial){ k->R.cy, none };
    S[5] = (caromSpatial){ k->R.cz, none };
}

static void move_link(const caromModel *model, int i, double time, const double *q, const double *v, caromKin *kin)
{
    const caromLink *link = &model->links[i];
    const caromLinkKin *parent = link->parent >= 0 ? &kin->links[link->parent] : &ground;
    caromLinkKin *k = &kin->links[i];
    if (link->is_lone) move_lone(q + link->iq, v + link->iv, k, &kin->S[link->is]);
    else if (link->motion) move_axial(link, parent, carom_function_at(link->motion, time), k, &kin->S[link->is]);
    else if (link->is_axial)
        move_axial(link, parent, (caromJet){ q[link->iq], v[link->iv], 0.0 }, k, &kin->S[link->is]);
    else if (link->nv == 0) move_fixed(link, parent, k);
    else move_general(link, parent, q + link->iq, v + link->iv, k, &kin->S[link->is]);
}

void carom_kin_links(const caromModel *model, double time, const double *q, const double *v, caromKin *kin)
{
    for (int i = 0; i < model->nlink; i++) move_link(model, i, time, q, v, kin);
}

static void place_body(const caromModel *model, const caromLink *link, const caromLinkKin *k, caromKin *kin)
{
    caromVec3 com = carom_mul(k->R, link->com_M);
    kin->X_WB[link->body] = carom_pose_mul((caromPose){ k->R, k->o }, link->X_MB);
    kin->p_WC[link->body] = carom_add(k->o, com);
    kin->V_WC[link->body] = (caromSpatial){ k->w, carom_add(k->v, carom_cross(k->w, com)) };
    place_shapes(model, link->body, kin);
}

void carom_kin_update(const caromModel *model, double time, const double *q, const double *v, caromKin *kin)
{
    carom_kin_links(model, time, q, v, kin);
    for (int i = 0; i < model->nlink; i++) place_body(model, &model->links[i], &kin->links[i], kin);
}

static void move_branch(const caromModel *model, int i, double time, const double *q, const double *v, caromKin *kin)
{
    if (model->links[i].parent >= 0) move_branch(model, model->links[i].parent, time, q, v, kin);
    move_link(model, i, time, q, v, kin);
}

void carom_kin_update_branch(const caromModel *model, int link, double time, const double *q, const double *v,
                             caromKin *kin)
{
    move_branch(model, link, time, q, v, kin);
    place_body(model, &model->links[link], &kin->links[link], kin);
}

void carom_kin_place(const caromModel *model, const caromPose *X_WB, const caromSpatial *V_WB, caromKin *kin)
{
    for (int k = 0; k < model->nbody; k++) {
        caromVec3 com = carom_mul(X_WB[k].R, model->bodies[k].props.com);
        kin->X_WB[k] = X_WB[k];
        kin->p_WC[k] = carom_add(X_WB[k].p, com);
        kin->V_WC[k] = (caromSpatial){ V_WB[k].angular, carom_point_velocity(V_WB[k], com) };
        place_shapes(model, k, kin);
    }
}

void carom_kin_accelerations(const caromModel *model, const caromKin *kin, const double *dv, caromSpatial *acc)
{
    for (int i = 0; i < model->nlink; i++) {
        const caromLink *link = &model->links[i];
        const caromLinkKin *k = &kin->links[i];
        caromSpatial parent = link->parent >= 0 ? acc[link->parent] : (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
        caromSpatial a = { carom_add(parent.angular, k->c.angular),
                           carom_add(carom_add(parent.linear, carom_cross(parent.angular, k->r)), k->c.linear) };
        for (int s = 0; link->iv >= 0 && s < link->nv; s++) {
            a.angular = carom_axpy(dv[link->iv + s], kin->S[link->is + s].angular, a.angular);
            a.linear = carom_axpy(dv[link->iv + s], kin->S[link->is + s].linear, a.linear);
        }
        acc[i] = a;
    }
}

void carom_kin_rate(const caromModel *model, const double *q, const double *v, double *dq)
{
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        if (link->iv < 0) continue;
        double *d = dq + link->iq;
        const double *speed = v + link->iv;
        int quaternion = carom_model_joint_quaternion(link->nq, link->nv),
            plain = quaternion < 0 ? link->nv : quaternion;
        for (int i = 0; i < plain; i++) d[i] = speed[i];
        if (quaternion < 0) continue;
        const double *p = q + link->iq + quaternion, *w = speed + quaternion;
        caromQuat half = carom_quat_mul((caromQuat){ p[0], p[1], p[2], p[3] },
                                        (caromQuat){ 0.0, 0.5*w[0], 0.5*w[1], 0.5*w[2] });
        d[quaternion] = half.w;
        d[quaternion + 1] = half.x;
        d[quaternion + 2] = half.y;
        d[quaternion + 3] = half.z;
    }
}

void carom_kin_normalize(const caromModel *model, double *q)
{
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        int at = carom_model_joint_quaternion(link->nq, link->nv);
        if (link->iv < 0 || at < 0) continue;
        double *p = q + link->iq + at;
        caromQuat unit = carom_quat_normalized((caromQuat){ p[0], p[1], p[2], p[3] });
        p[0] = unit.w;
        p[1] = unit.x;
        p[2] = unit.y;
        p[3] = unit.z;
    }
}

caromSpatial carom_kin_origin_velocity(const caromModel *model, const caromKin *kin, int body)
{
    caromVec3 r_W = carom_mul(kin->X_WB[body].R, model->bodies[body].props.com);
    return (caromSpatial){ kin->V_WC[body].angular, carom_point_velocity(kin->V_WC[body], carom_neg(r_W)) };
}

bool carom_kin_start(const caromModel *model, caromKin *kin)
{
    double *state = carom_alloc_array((size_t)(model->nq + model->nv), sizeof *state);
    bool good = carom_kin_alloc(model, kin) && state &&
                carom_kin_assemble(model, state, state + model->nq).end != CAROM_ASSEMBLY_NO_MEMORY;
    if (good) {
        carom_kin_update(model, 0.0, state, state + model->nq, kin);
    } else carom_kin_free(kin);
    free(state);
    return good;
}
