// The public functions: workspaces, forward and inverse dynamics, mass matrix, Jacobian, collision matrix.
#include <string.h>

#include "base/base.h"
#include "contact/contact.h"
#include "dynamics/dynamics.h"
#include "dynamics/scales.h"

struct caromDyn {
    const caromModel *model;
    caromKin kin;
    caromDynWork work;
    caromStatus assembled;  // of the start
    double *start;       // q and v as the model starts [nq + nv]
    double *zeros;       // speeds of prescribed joints too [ns]
    double *column;      // [nv]
    caromSpatial *F_o;   // [nlink]
};

caromStatus carom_dyn_create(const caromModel *model, caromDyn **out, caromError *err)
{
    *out = NULL;
    caromDyn *d = calloc(1, sizeof *d);
    if (!d) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    d->model = model;
    d->zeros = carom_alloc_array((size_t)model->ns, sizeof *d->zeros);
    d->start = carom_alloc_array((size_t)(model->nq + model->nv), sizeof *d->start);
    d->column = carom_alloc_array((size_t)model->nv, sizeof *d->column);
    d->F_o = carom_alloc_array((size_t)model->nlink, sizeof *d->F_o);
    bool kin = carom_kin_alloc(model, &d->kin), work = carom_dyn_work_alloc(model, &d->work);
    bool good = d->zeros && d->start && d->column && d->F_o && kin && work;
    if (good) d->assembled = carom_dyn_assemble(model, d->start, d->start + model->nq, NULL);
    if (!good || d->assembled == CAROM_ERR_MEMORY) {
        carom_dyn_destroy(d);
        return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for %d bodies", model->nbody);
    }
    carom_kin_update(model, 0.0, d->start, d->start + model->nq, &d->kin);
    carom_dyn_rest_lengths(model, &d->kin, &d->work);
    *out = d;
    return CAROM_OK;
}

void carom_dyn_destroy(caromDyn *d)
{
    if (!d) return;
    carom_kin_free(&d->kin);
    carom_dyn_work_free(&d->work);
    free(d->zeros);
    free(d->start);
    free(d->column);
    free(d->F_o);
    free(d);
}

int carom_dyn_nq(const caromDyn *d)
{
    return d->model->nq;
}

int carom_dyn_nv(const caromDyn *d)
{
    return d->model->nv;
}

static const caromLink *link_of(const caromDyn *d, caromBodyId body)
{
    int link = d->model->bodies[body.i].link;
    return link < 0 ? NULL : &d->model->links[link];
}

int carom_dyn_body_iq(const caromDyn *d, caromBodyId body)
{
    const caromLink *link = link_of(d, body);
    return link ? link->iq : -1;
}

int carom_dyn_body_iv(const caromDyn *d, caromBodyId body)
{
    const caromLink *link = link_of(d, body);
    return link ? link->iv : -1;
}

caromStatus carom_dyn_start(const caromDyn *d, double *q, double *v)
{
    for (int i = 0; i < d->model->nq; i++) q[i] = d->start[i];
    for (int i = 0; i < d->model->nv; i++) v[i] = d->start[d->model->nq + i];
    return d->assembled;
}

caromStatus carom_dyn_close(caromDyn *d, double time, double *q, double *v)
{
    const caromModel *m = d->model;
    caromLoopResidual left;
    if (m->nloop == 0) return CAROM_OK;
    if (!carom_loops_project_position(m, time, q, &d->kin, &d->work, &left)) return CAROM_ERR_NUMERIC;
    carom_loops_project_velocity(m, time, q, v, &d->kin, &d->work);
    return CAROM_OK;
}

void carom_dyn_rate(caromDyn *d, const double *q, const double *v, double *dq)
{
    carom_kin_rate(d->model, q, v, dq);
}

void carom_dyn_body(caromDyn *d, double time, const double *q, const double *v, caromBodyId body, caromPose *X_WB,
                    caromSpatial *V_WB)
{
    carom_kin_update(d->model, time, q, v, &d->kin);
    *X_WB = d->kin.X_WB[body.i];
    *V_WB = carom_kin_origin_velocity(d->model, &d->kin, body.i);
}

// Wrenches about the bodies' origins become wrenches about their centres of mass.
static void load_wrenches(caromDyn *d, const caromSpatial *F_B)
{
    for (int k = 0; k < d->model->nbody; k++) {
        caromSpatial F = F_B ? F_B[k] : (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
        caromVec3 lever = carom_sub(d->kin.X_WB[k].p, d->kin.p_WC[k]);
        d->work.F_C[k] = (caromSpatial){ carom_add(F.angular, carom_cross(lever, F.linear)), F.linear };
    }
}

// What the model adds: its forces, and limits as springs; how a limit was hit, and so its damping, is not known here.
static void add_model_forces(caromDyn *d, double time, const double *q, const double *v)
{
    const caromModel *m = d->model;
    carom_dyn_model_forces(m, time, q, v, &d->kin, &d->work);
    for (int i = 0; i < m->nlimit; i++) {
        const caromLimit *l = &m->limits[i];
        double rate, depth = -carom_contact_limit_gap(m, i, q, v, &rate);
        if (depth > 0.0) d->work.tau[m->links[l->link].iv + l->coordinate] += l->sign*l->stiffness*depth;
    }
}

// The fastest that a point of a link moves, about [m/s]; the same of accelerations, or of anything else in a spatial.
static double largest_of(const caromDyn *d, double lever, caromSpatial (*get)(const caromDyn *d, int link))
{
    double most = 0.0;
    for (int i = 0; i < d->model->nlink; i++) {
        caromSpatial x = get(d, i);
        most = fmax(most, carom_norm(x.linear) + lever*carom_norm(x.angular));
    }
    return most;
}

static caromSpatial velocity_of(const caromDyn *d, int link)
{
    return (caromSpatial){ d->kin.links[link].w, d->kin.links[link].v };
}

static caromSpatial acceleration_of(const caromDyn *d, int link)
{
    return d->work.acc[link];
}

// Numbers that are none, a quaternion without a direction among them, get into poses or velocities of links, and from
// there into a sum.
static bool is_finite_state(const caromDyn *d)
{
    double sum = 0.0;
    for (int i = 0; i < d->model->nlink; i++) {
        const caromLinkKin *k = &d->kin.links[i];
        sum += k->R.cx.x + k->o.x + k->o.y + k->o.z + k->w.x + k->w.y + k->w.z + k->v.x + k->v.y + k->v.z;
    }
    return isfinite(sum);
}

// Is the pose of d->kin one, and one that the loops allow? And (moves) its velocity?
static bool is_state(const caromDyn *d, bool moves)
{
    bool is_finite = is_finite_state(d);
    if (!is_finite || d->model->nloop == 0) return is_finite;
    double position, velocity, lever = carom_kin_row_lever(d->model, &d->kin);
    carom_loops_residual(d->model, &d->kin, &d->work, &position, &velocity);
    bool good = !moves || velocity <= CAROM_DYN_OPEN*largest_of(d, lever, velocity_of);
    return good && position <= CAROM_DYN_OPEN*lever;
}

caromStatus carom_dyn_forward(caromDyn *d, double time, const double *q, const double *v, const double *tau,
                              const caromSpatial *F_B, double *dv)
{
    carom_kin_update(d->model, time, q, v, &d->kin);
    if (!is_state(d, true)) return CAROM_ERR_INPUT;
    if (!carom_dyn_articulated_factor(d->model, &d->kin, &d->work)) return CAROM_ERR_NUMERIC;
    load_wrenches(d, F_B);
    add_model_forces(d, time, q, v);
    for (int i = 0; tau && i < d->model->nv; i++) d->work.tau[i] += tau[i];
    carom_dyn_accelerate(d->model, &d->kin, &d->work, dv);
    return CAROM_OK;
}

// Newton and Euler about the centre of mass of a link, moved to o, less what acts on it anyway.
static caromSpatial force_to_move(const caromDyn *d, int i, caromSpatial a)
{
    const caromLink *link = &d->model->links[i];
    const caromLinkKin *k = &d->kin.links[i];
    const caromMassProps *props = &d->model->bodies[link->body].props;
    caromMat3 R_WB = d->kin.X_WB[link->body].R;
    caromVec3 s = carom_mul(k->R, link->com_M);
    caromVec3 a_C = carom_add(a.linear, carom_add(carom_cross(a.angular, s), carom_cross(k->w, carom_cross(k->w, s))));
    caromVec3 Iw = carom_mul(R_WB, carom_mul(props->inertia, carom_tmul(R_WB, k->w)));
    caromVec3 Ia = carom_mul(R_WB, carom_mul(props->inertia, carom_tmul(R_WB, a.angular)));
    caromSpatial F = d->work.F_C[link->body];
    caromVec3 force = carom_sub(carom_scale(props->mass, carom_sub(a_C, d->model->settings.gravity)), F.linear);
    caromVec3 torque = carom_sub(carom_add(Ia, carom_cross(k->w, Iw)), F.angular);
    return (caromSpatial){ carom_add(torque, carom_cross(s, force)), force };
}

// Joint forces from what the links need [Featherstone08, 5.3], inwards.
static void pass_inwards(caromDyn *d, caromSpatial *f, double *tau)
{
    const caromModel *m = d->model;
    for (int i = m->nlink - 1; i >= 0; i--) {
        const caromLink *link = &m->links[i];
        for (int s = 0; link->iv >= 0 && s < link->nv; s++) {
            caromSpatial S = d->kin.S[link->is + s];
            tau[link->iv + s] = carom_dot(S.angular, f[i].angular) + carom_dot(S.linear, f[i].linear) -
                                d->work.tau[link->iv + s];
        }
        if (link->parent < 0) continue;
        caromSpatial *p = &f[link->parent];
        p->linear = carom_add(p->linear, f[i].linear);
        p->angular = carom_add(p->angular, carom_add(f[i].angular, carom_cross(d->kin.links[i].r, f[i].linear)));
    }
}

// Do the loops allow the accelerations in work.acc?
static bool keeps_closed(const caromDyn *d)
{
    if (d->model->nloop == 0) return true;
    double lever = carom_kin_row_lever(d->model, &d->kin), scale = largest_of(d, lever, acceleration_of);
    return carom_loops_acceleration(d->model, &d->kin, &d->work, d->work.acc) <= CAROM_DYN_OPEN*scale;
}

// Accelerations outwards, forces inwards, about the links' origins. With loops these are the forces by which they
// transmit nothing: forward dynamics with them has no forces of loops, and the same accelerations.
caromStatus carom_dyn_inverse(caromDyn *d, double time, const double *q, const double *v, const double *dv,
                              const caromSpatial *F_B, double *tau)
{
    const caromModel *m = d->model;
    caromDynWork *w = &d->work;
    carom_kin_update(m, time, q, v, &d->kin);
    if (!is_state(d, true)) return CAROM_ERR_INPUT;
    carom_dyn_articulated_factor(m, &d->kin, w);  // for the model's forces, which look at its D
    load_wrenches(d, F_B);
    add_model_forces(d, time, q, v);
    carom_kin_accelerations(m, &d->kin, dv, w->acc);
    if (!keeps_closed(d)) return CAROM_ERR_INPUT;
    for (int i = 0; i < m->nlink; i++) d->F_o[i] = force_to_move(d, i, w->acc[i]);
    pass_inwards(d, d->F_o, tau);
    return CAROM_OK;
}

// Composite bodies: the force that accelerates speed j alone, felt by every joint between j and the root. Inertias of
// links are added up towards the root without letting joints move.
static void composite(caromDyn *d)
{
    const caromModel *m = d->model;
    for (int i = 0; i < m->nlink; i++) d->work.art[i] = carom_dyn_articulated_rigid(&m->links[i], &d->kin.links[i]);
    for (int i = m->nlink - 1; i >= 0; i--) {
        if (m->links[i].parent < 0) continue;
        carom_dyn_articulated_add_shifted(&d->work.art[i], d->kin.links[i].r, &d->work.art[m->links[i].parent]);
    }
}

static void mass_column(caromDyn *d, int link, int s, double *M)
{
    const caromModel *m = d->model;
    int nv = m->nv, column = m->links[link].iv + s;
    caromSpatial f = carom_dyn_articulated_inertia_times(&d->work.art[link], d->kin.S[m->links[link].is + s]);
    for (int i = link; i >= 0; i = m->links[i].parent) {
        const caromLink *l = &m->links[i];
        for (int r = 0; l->iv >= 0 && r < l->nv; r++) {
            caromSpatial S = d->kin.S[l->is + r];
            M[(l->iv + r)*nv + column] = M[column*nv + l->iv + r] = carom_dot(S.angular, f.angular) +
                                                                    carom_dot(S.linear, f.linear);
        }
        f.angular = carom_add(f.angular, carom_cross(d->kin.links[i].r, f.linear));
    }
}

void carom_dyn_mass_matrix(caromDyn *d, double time, const double *q, double *M)
{
    const caromModel *m = d->model;
    carom_kin_links(m, time, q, d->zeros, &d->kin);
    composite(d);
    memset(M, 0, (size_t)m->nv*(size_t)m->nv*sizeof *M);
    for (int i = 0; i < m->nlink; i++) {
        for (int s = 0; m->links[i].iv >= 0 && s < m->links[i].nv; s++) mass_column(d, i, s, M);
    }
}

void carom_dyn_jacobian(caromDyn *d, double time, const double *q, caromBodyId body, caromVec3 p_B, double *J)
{
    const caromModel *m = d->model;
    int nv = m->nv;
    memset(J, 0, 6*(size_t)nv*sizeof *J);
    carom_kin_update(m, time, q, d->zeros, &d->kin);
    caromVec3 p = carom_pose_point(d->kin.X_WB[body.i], p_B);
    for (int i = m->bodies[body.i].link; i >= 0; i = m->links[i].parent) {
        const caromLink *link = &m->links[i];
        for (int s = 0; link->iv >= 0 && s < link->nv; s++) {
            caromSpatial S = d->kin.S[link->is + s];
            caromVec3 v = carom_add(S.linear, carom_cross(S.angular, carom_sub(p, d->kin.links[i].o)));
            const double rows[6] = { S.angular.x, S.angular.y, S.angular.z, v.x, v.y, v.z };
            for (int r = 0; r < 6; r++) J[r*nv + link->iv + s] = rows[r];
        }
    }
}

caromStatus carom_dyn_collision_matrix(caromDyn *d, double time, const double *q, caromBodyId body, caromVec3 p_B,
                                       double *L)
{
    const caromModel *m = d->model;
    int link = m->bodies[body.i].link;
    memset(L, 0, 6*(size_t)m->nv*sizeof *L);
    if (link < 0) return CAROM_OK;
    carom_kin_update(m, time, q, d->zeros, &d->kin);
    if (!is_state(d, false)) return CAROM_ERR_INPUT;
    if (!carom_dyn_articulated_factor(m, &d->kin, &d->work)) return CAROM_ERR_NUMERIC;
    carom_loops_prepare(m, &d->kin, &d->work);
    caromVec3 lever = carom_sub(carom_pose_point(d->kin.X_WB[body.i], p_B), d->kin.links[link].o);
    for (int c = 0; c < 6; c++) {
        caromVec3 e = carom_vec(c % 3 == 0, c % 3 == 1, c % 3 == 2), none = { 0, 0, 0 };
        memset(d->F_o, 0, (size_t)m->nlink*sizeof *d->F_o);
        memset(d->column, 0, (size_t)m->nv*sizeof *d->column);
        d->F_o[link] = c < 3 ? (caromSpatial){ e, none } : (caromSpatial){ carom_cross(lever, e), e };
        carom_loops_respond(m, &d->kin, d->F_o, NULL, &d->work, d->column);
        for (int i = 0; i < m->nv; i++) L[i*6 + c] = d->column[i];
    }
    return CAROM_OK;
}

double carom_dyn_kinetic(caromDyn *d, double time, const double *q, const double *v)
{
    carom_kin_update(d->model, time, q, v, &d->kin);
    return carom_dyn_kinetic_energy(d->model, &d->kin);
}

double carom_dyn_potential(caromDyn *d, double time, const double *q)
{
    carom_kin_update(d->model, time, q, d->zeros, &d->kin);
    return carom_dyn_potential_energy(d->model, &d->kin) + carom_dyn_spring_energy(d->model, q, &d->kin, &d->work);
}
