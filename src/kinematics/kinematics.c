#include "kinematics/kinematics.h"

#include "base/base.h"

static caromVec3 read3(const double *a)
{
    return (caromVec3){ a[0], a[1], a[2] };
}

static void write3(double *a, caromVec3 v)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

static caromQuat read_quat(const double *a)
{
    return (caromQuat){ a[0], a[1], a[2], a[3] };
}

static void write_quat(double *a, caromQuat q)
{
    a[0] = q.w;
    a[1] = q.x;
    a[2] = q.y;
    a[3] = q.z;
}

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
    kin->X_WB = carom_alloc_array(n, sizeof *kin->X_WB);
    kin->p_WC = carom_alloc_array(n, sizeof *kin->p_WC);
    kin->V_WC = carom_alloc_array(n, sizeof *kin->V_WC);
    kin->X_WS = carom_alloc_array((size_t)model->nshape, sizeof *kin->X_WS);
    if (!kin->X_WB || !kin->p_WC || !kin->V_WC || !kin->X_WS) return false;
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (!b->fixed) continue;
        kin->X_WB[k] = (caromPose){ carom_quat_matrix(b->q_WB), b->p_WB };
        kin->p_WC[k] = b->p_WB;
        place_shapes(model, k, kin);
    }
    return true;
}

void carom_kin_free(caromKin *kin)
{
    free(kin->X_WB);
    free(kin->p_WC);
    free(kin->V_WC);
    free(kin->X_WS);
    *kin = (caromKin){ 0 };
}

void carom_kin_initial(const caromModel *model, double *q, double *v)
{
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (b->fixed) continue;
        caromMat3 R_WB = carom_quat_matrix(b->q_WB);
        caromVec3 r_W = carom_mul(R_WB, b->props.com);
        write3(q + b->iq, carom_add(b->p_WB, r_W));
        write_quat(q + b->iq + 3, b->q_WB);
        write3(v + b->iv, carom_point_velocity(b->V_WB, r_W));
        write3(v + b->iv + 3, carom_tmul(R_WB, b->V_WB.angular));
    }
}

void carom_kin_update(const caromModel *model, const double *q, const double *v, caromKin *kin)
{
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (b->fixed) continue;
        caromMat3 R_WB = carom_quat_matrix(read_quat(q + b->iq + 3));
        kin->p_WC[k] = read3(q + b->iq);
        kin->X_WB[k] = (caromPose){ R_WB, carom_sub(kin->p_WC[k], carom_mul(R_WB, b->props.com)) };
        kin->V_WC[k] = (caromSpatial){ carom_mul(R_WB, read3(v + b->iv + 3)), read3(v + b->iv) };
        place_shapes(model, k, kin);
    }
}

void carom_kin_rate(const caromModel *model, const double *q, const double *v, double *dq)
{
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (b->fixed) continue;
        write3(dq + b->iq, read3(v + b->iv));
        caromVec3 w = read3(v + b->iv + 3);
        caromQuat half = carom_quat_mul(read_quat(q + b->iq + 3), (caromQuat){ 0.0, 0.5*w.x, 0.5*w.y, 0.5*w.z });
        write_quat(dq + b->iq + 3, half);
    }
}

void carom_kin_normalize(const caromModel *model, double *q)
{
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (!b->fixed) write_quat(q + b->iq + 3, carom_quat_normalized(read_quat(q + b->iq + 3)));
    }
}

caromSpatial carom_kin_origin_velocity(const caromModel *model, const caromKin *kin, int body)
{
    caromVec3 r_W = carom_mul(kin->X_WB[body].R, model->bodies[body].props.com);
    return (caromSpatial){ kin->V_WC[body].angular, carom_point_velocity(kin->V_WC[body], carom_neg(r_W)) };
}
