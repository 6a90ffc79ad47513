// How far links get when their coordinates stray.
#include "kinematics/kinematics.h"

// Of unit vectors along q0 and q: |q/|q| - q0/|q0|| <= 2 |q - q0|/(|q| + |q0|). A rotation by the angle f moves points
// at the distance 1 from its axis by 2 sin(f/2), and its quaternion by 2 sin(f/4) >= sin(f/2).
static double turn_of_quaternion(const double *q, const double *stray)
{
    double size2 = 0.0, stray2 = 0.0;
    for (int i = 0; i < 4; i++) size2 += q[i]*q[i], stray2 += stray[i]*stray[i];
    double size = sqrt(size2), off = sqrt(stray2);
    return off < size ? 4.0*off/(2.0*size - off) : 2.0;
}

// Of M against F. Before a quaternion stand distances along x, y and z, if anything; else S tells which coordinate is
// an angle and which a distance.
static caromStray joint_stray(const caromLink *link, const caromLinkKin *kin, const caromSpatial *S, const double *q,
                              const double *stray)
{
    int quaternion = carom_model_joint_quaternion(link->nq, link->nv);
    caromStray own = { 0.0, 0.0 };
    for (int i = 0; quaternion < 0 && i < link->nq; i++) {
        double turn = carom_norm(S[i].angular);
        own.turn += turn*stray[i];
        if (!link->is_backwards || turn == 0.0) own.shift += carom_norm(S[i].linear)*stray[i];
    }
    if (quaternion >= 0) own.turn = turn_of_quaternion(q + quaternion, stray + quaternion);
    if (quaternion == 3) own.shift = sqrt(stray[0]*stray[0] + stray[1]*stray[1] + stray[2]*stray[2]);
    // There the origin of M turns about that of F.
    if (link->is_backwards) own.shift += own.turn*(carom_norm(kin->r) + carom_norm(link->p_PF));
    return own;
}

void carom_kin_stray(const caromModel *model, const caromKin *kin, const double *q, const double *stray,
                     caromStray *links)
{
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        caromStray parent = link->parent >= 0 ? links[link->parent] : (caromStray){ 0.0, 0.0 }, own = { 0.0, 0.0 };
        if (link->iq >= 0) own = joint_stray(link, &kin->links[k], kin->S + link->is, q + link->iq, stray + link->iq);
        else if (link->motion) own = (caromStray){ (double)INFINITY, 2.0 };
        double carried = link->parent >= 0 ? parent.turn*carom_norm(kin->links[k].r) : 0.0;
        links[k] = (caromStray){ parent.shift + carried + own.shift, fmin(2.0, parent.turn + own.turn) };
    }
}
