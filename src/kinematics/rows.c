#include "kinematics/rows.h"

#include <math.h>

// A joint of nv speeds holds 6 - nv equations (model/joint.h).
int carom_kin_rows(const caromModel *model, caromLoopRow *rows)
{
    int n = 0;
    for (int k = 0; k < model->nloop; k++) {
        const caromJointRow *row = carom_model_joint_row(model->joints[model->loops[k]].kind);
        for (int i = 0; i < 6 - row->nv; i++)
            rows[n++] = (caromLoopRow){ model->loops[k], row->holds[i].kind, row->holds[i].e, row->holds[i].f };
    }
    return n;
}

caromLoopSide carom_kin_row_side(const caromModel *model, const caromKin *kin, int body, caromPose X_BF)
{
    caromLoopSide s = { .link = -1, .X = X_BF };
    if (body < 0) return s;
    s.link = model->bodies[body].link;
    if (s.link < 0) {
        s.X = carom_pose_mul(kin->X_WB[body], X_BF);
        return s;
    }
    const caromLinkKin *k = &kin->links[s.link];
    s.X = carom_pose_mul(carom_pose_mul((caromPose){ k->R, k->o }, model->links[s.link].X_MB), X_BF);
    s.o = k->o;
    s.w = k->w;
    s.v = k->v;
    return s;
}

caromRowAt carom_kin_row_at(const caromModel *model, const caromKin *kin, const caromLoopRow *r)
{
    const caromModelJoint *j = &model->joints[r->joint];
    caromRowAt row = { .a = carom_kin_row_side(model, kin, j->body[0], j->X_AF),
                       .b = carom_kin_row_side(model, kin, j->body[1], j->X_BM), .pitch = j->pitch };
    row.e = carom_mul(row.a.X.R, r->e);
    row.f = carom_mul(row.b.X.R, r->f);
    row.d = carom_sub(row.b.X.p, row.a.X.p);
    if (r->kind == CAROM_EQUATION_SQUARE) row.torque = carom_cross(row.f, row.e);
    else row.force = row.e;
    if (r->kind == CAROM_EQUATION_SCREW) row.torque = carom_scale(-row.pitch, row.e);
    return row;
}

// Angle of B against A about z, on the turn that is nearest to where the thread is.
static double screw_angle(const caromRowAt *row)
{
    caromVec3 x = row->a.X.R.cx, y = row->a.X.R.cy, x_M = row->b.X.R.cx;
    double angle = atan2(carom_dot(y, x_M), carom_dot(x, x_M)), turn = 6.283185307179586476925;
    if (row->pitch == 0.0) return angle;
    return angle + turn*nearbyint((carom_dot(row->e, row->d)/row->pitch - angle)/turn);
}

double carom_kin_row_error(const caromLoopRow *r, const caromRowAt *row)
{
    if (r->kind == CAROM_EQUATION_SQUARE) return carom_dot(row->e, row->f);
    double along = carom_dot(row->e, row->d);
    return r->kind == CAROM_EQUATION_SCREW ? along - row->pitch*screw_angle(row) : along;
}

caromVec3 carom_kin_row_velocity(const caromLoopSide *s, caromVec3 p)
{
    return s->link < 0 ? carom_vec(0, 0, 0) : carom_add(s->v, carom_cross(s->w, carom_sub(p, s->o)));
}

double carom_kin_row_rate(const caromRowAt *row)
{
    caromVec3 v = carom_sub(carom_kin_row_velocity(&row->b, row->b.X.p), carom_kin_row_velocity(&row->a, row->b.X.p));
    return carom_dot(row->force, v) + carom_dot(row->torque, carom_sub(row->b.w, row->a.w));
}

double carom_kin_row_scale(const caromModel *model, const caromLoopRow *r)
{
    if (r->kind != CAROM_EQUATION_SQUARE) return 1.0;
    const caromModelJoint *j = &model->joints[r->joint];
    double reach = 0.0;
    for (int i = 0; i < 2; i++) if (j->body[i] >= 0) reach = fmax(reach, model->bodies[j->body[i]].reach);
    return reach > 0.0 ? reach : 1.0;
}

static double side_lever(const caromModel *model, const caromKin *kin, const caromLoopSide *s)
{
    if (s->link < 0) return 0.0;
    double most = carom_norm(carom_sub(s->X.p, s->o));
    for (int i = s->link; model->links[i].parent >= 0; i = model->links[i].parent)
        most = fmax(most, carom_norm(kin->links[i].r));
    return most;
}

double carom_kin_row_lever(const caromModel *model, const caromKin *kin)
{
    double most = 0.0;
    for (int k = 0; k < model->nloop; k++) {
        const caromModelJoint *j = &model->joints[model->loops[k]];
        for (int i = 0; i < 2; i++) {
            caromLoopSide s = carom_kin_row_side(model, kin, j->body[i], i == 0 ? j->X_AF : j->X_BM);
            most = fmax(most, side_lever(model, kin, &s));
        }
    }
    return most > 0.0 ? most : 1.0;
}
