#include "dynamics/dynamics.h"

// Newton in W about the centre of mass; Euler in B: I dw/dt + w x I w = tau.
static void free_body(const caromBody *b, caromVec3 gravity, caromMat3 R_WB, caromSpatial F_C, const double *v, double *dv)
{
    caromVec3 a = carom_axpy(1.0/b->props.mass, F_C.linear, gravity);
    caromVec3 w = { v[3], v[4], v[5] };
    caromVec3 gyroscopic = carom_cross(w, carom_mul(b->props.inertia, w));
    caromVec3 dw = carom_mul(b->inertia_inv, carom_sub(carom_tmul(R_WB, F_C.angular), gyroscopic));
    dv[0] = a.x;
    dv[1] = a.y;
    dv[2] = a.z;
    dv[3] = dw.x;
    dv[4] = dw.y;
    dv[5] = dw.z;
}

void carom_dyn_accelerations(const caromModel *model, const caromKin *kin, const caromSpatial *F_C, const double *v, double *dv)
{
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (!b->fixed) free_body(b, model->settings.gravity, kin->X_WB[k].R, F_C[k], v + b->iv, dv + b->iv);
    }
}

double carom_dyn_kinetic_energy(const caromModel *model, const caromKin *kin)
{
    double energy = 0.0;
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (b->fixed) continue;
        caromVec3 w_B = carom_tmul(kin->X_WB[k].R, kin->V_WC[k].angular);
        energy += 0.5*b->props.mass*carom_norm2(kin->V_WC[k].linear) + 0.5*carom_dot(w_B, carom_mul(b->props.inertia, w_B));
    }
    return energy;
}

double carom_dyn_potential_energy(const caromModel *model, const caromKin *kin)
{
    double energy = 0.0;
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (!b->fixed) energy -= b->props.mass*carom_dot(model->settings.gravity, kin->p_WC[k]);
    }
    return energy;
}
