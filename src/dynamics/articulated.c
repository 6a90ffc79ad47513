// The articulated-body recursion [Featherstone08], along the axes of W about the origins of the links.
//
//   inwards   inertia of each link with all that hangs on it; what the joint lets move is taken out of it before it is felt by the
//             parent:    U = A S,  D = S^T U,  A' = A - U D^-1 U^T,    p' = p + A c + U D^-1 (tau - S^T p - U^T c)
//   outwards  acceleration:  a' = a_P + alpha_P x r,   dv = D^-1 (u - U^T a'),   a = a' + c + S dv
//
// The base accelerates by -g: gravity then acts on everything without being mentioned again.
#include <string.h>

#include "base/base.h"
#include "dynamics/dynamics.h"

enum { D_STRIDE = 36 };

bool carom_work_alloc(const caromModel *model, caromDynWork *w)
{
    size_t nlink = (size_t)model->nlink, ns = (size_t)model->ns;
    w->art = carom_alloc_array(nlink, sizeof *w->art);
    w->p_motion = carom_alloc_array(nlink, sizeof *w->p_motion);
    w->U = carom_alloc_array(ns, sizeof *w->U);
    w->D = carom_alloc_array(nlink*D_STRIDE, sizeof *w->D);
    w->u = carom_alloc_array(ns, sizeof *w->u);
    w->acc = carom_alloc_array(nlink, sizeof *w->acc);
    w->F_C = carom_alloc_array((size_t)model->nbody, sizeof *w->F_C);
    w->tau = carom_alloc_array((size_t)model->nv, sizeof *w->tau);
    w->spring_rest = carom_alloc_array((size_t)model->nspring, sizeof *w->spring_rest);
    bool loops = carom_loops_alloc(model, &w->loops);
    return loops && w->art && w->p_motion && w->U && w->D && w->u && w->acc && w->F_C && w->tau && w->spring_rest;
}

void carom_work_free(caromDynWork *w)
{
    free(w->art);
    free(w->p_motion);
    free(w->U);
    free(w->D);
    free(w->u);
    free(w->acc);
    free(w->F_C);
    free(w->tau);
    free(w->spring_rest);
    carom_loops_free(&w->loops);
    *w = (caromDynWork){ 0 };
}

static double spatial_dot(caromSpatial a, caromSpatial b)
{
    return carom_dot(a.angular, b.angular) + carom_dot(a.linear, b.linear);
}

static caromSpatial spatial_axpy(double s, caromSpatial a, caromSpatial b)
{
    return (caromSpatial){ carom_axpy(s, a.angular, b.angular), carom_axpy(s, a.linear, b.linear) };
}

static caromMat3 subtract_outer(caromMat3 m, double s, caromVec3 a, caromVec3 b)  // m - s a b^T
{
    return (caromMat3){ carom_axpy(-s*b.x, a, m.cx), carom_axpy(-s*b.y, a, m.cy), carom_axpy(-s*b.z, a, m.cz) };
}

static caromMat3 cross_columns(caromVec3 r, caromMat3 m)  // [r] m
{
    return (caromMat3){ carom_cross(r, m.cx), carom_cross(r, m.cy), carom_cross(r, m.cz) };
}

static caromMat3 times_cross(caromMat3 m, caromVec3 r)  // m [r]
{
    return (caromMat3){ carom_sub(carom_scale(r.z, m.cy), carom_scale(r.y, m.cz)),
                        carom_sub(carom_scale(r.x, m.cz), carom_scale(r.z, m.cx)),
                        carom_sub(carom_scale(r.y, m.cx), carom_scale(r.x, m.cy)) };
}

// R I R^T of a symmetric I.
static caromMat3 turned(caromMat3 R, caromMat3 I)
{
    caromMat3 A = carom_mat_mul(R, I);  // columns of A R^T
    return carom_mat_mul(A, carom_transpose(R));
}

// A rigid link: J = I_o, H = m [s], M = m 1; p = gyroscopic and centrifugal forces, s the centre of mass from o.
static caromArticulated rigid(const caromLink *link, const caromLinkKin *k)
{
    double m = link->mass;
    caromVec3 s = carom_mul(k->R, link->com_M), ms = carom_scale(m, s);
    caromMat3 J = turned(k->R, link->inertia_M);
    return (caromArticulated){ .J = J,
                               .H = { { 0, ms.z, -ms.y }, { -ms.z, 0, ms.x }, { ms.y, -ms.x, 0 } },
                               .M = carom_mat_diagonal(m, m, m),
                               .p = { carom_cross(k->w, carom_mul(J, k->w)), carom_cross(k->w, carom_cross(k->w, ms)) } };
}

caromSpatial carom_art_inertia_times(const caromArticulated *A, caromSpatial a)
{
    return (caromSpatial){ carom_add(carom_mul(A->J, a.angular), carom_mul(A->H, a.linear)),
                           carom_add(carom_tmul(A->H, a.angular), carom_mul(A->M, a.linear)) };
}

// The inertia of a link that moves with its parent, felt at the parent's origin, r from it: H' = H + [r] M, J' = J - H [r] + [r] H'^T.
static void add_shifted(const caromMat3 J, const caromMat3 H, const caromMat3 M, caromVec3 r, caromArticulated *parent)
{
    caromMat3 H1 = carom_mat_add(H, cross_columns(r, M));
    caromMat3 lever = carom_mat_add(cross_columns(r, carom_transpose(H1)), carom_mat_scale(-1.0, times_cross(H, r)));
    parent->J = carom_mat_add(parent->J, carom_mat_add(J, lever));
    parent->H = carom_mat_add(parent->H, H1);
    parent->M = carom_mat_add(parent->M, M);
}

void carom_art_add_shifted(const caromArticulated *A, caromVec3 r, caromArticulated *parent)
{
    add_shifted(A->J, A->H, A->M, r, parent);
}

// Cholesky factor of the n x n matrix S^T U; false: not positive definite.
static bool factor_joint(int n, const caromSpatial *S, const caromSpatial *U, double *L)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = spatial_dot(S[i], U[j]);
            for (int k = 0; k < j; k++) sum -= L[i*6 + k]*L[j*6 + k];
            if (i == j && !(sum > 0.0)) return false;
            L[i*6 + j] = i == j ? sqrt(sum) : sum/L[j*6 + j];
        }
    }
    return true;
}

static void solve_joint(int n, const double *L, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i*6 + k]*x[k];
        x[i] /= L[i*6 + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k*6 + i]*x[k];
        x[i] /= L[i*6 + i];
    }
}

static caromSpatial axial_inertia(const caromLink *link, const caromArticulated *A, caromSpatial S)
{
    if (link->shift == 0.0) return (caromSpatial){ carom_mul(A->J, S.angular), carom_tmul(A->H, S.angular) };
    if (link->turn == 0.0) return (caromSpatial){ carom_mul(A->H, S.linear), carom_mul(A->M, S.linear) };
    return carom_art_inertia_times(A, S);
}

// A joint with one coordinate: rank-one update.
static bool factor_axial(const caromLink *link, const caromLinkKin *k, caromSpatial S, const caromArticulated *A, caromSpatial *U, double *D_inv,
                         caromArticulated *parent)
{
    *U = axial_inertia(link, A, S);
    double D = spatial_dot(S, *U);
    if (!(D > 0.0)) return false;
    *D_inv = 1.0/D;
    if (!parent) return true;
    caromMat3 J = subtract_outer(A->J, *D_inv, U->angular, U->angular);
    caromMat3 H = subtract_outer(A->H, *D_inv, U->angular, U->linear);
    caromMat3 M = subtract_outer(A->M, *D_inv, U->linear, U->linear);
    add_shifted(J, H, M, k->r, parent);
    return true;
}

static bool factor_general(const caromLink *link, const caromLinkKin *k, const caromSpatial *S, const caromArticulated *A, caromSpatial *U, double *L,
                           caromArticulated *parent)
{
    int n = link->nv;
    for (int i = 0; i < n; i++) U[i] = carom_art_inertia_times(A, S[i]);
    if (!factor_joint(n, S, U, L)) return false;
    if (!parent || n == 6) return true;  // six free directions: the parent feels nothing
    caromMat3 J = A->J, H = A->H, M = A->M;
    // U D^-1 U^T = sum of y y^T over the rows of L^-1 U^T.
    caromSpatial Y[6];
    for (int i = 0; i < n; i++) {
        Y[i] = U[i];
        for (int j = 0; j < i; j++) Y[i] = spatial_axpy(-L[i*6 + j], Y[j], Y[i]);
        double s = 1.0/L[i*6 + i];
        Y[i] = (caromSpatial){ carom_scale(s, Y[i].angular), carom_scale(s, Y[i].linear) };
        J = subtract_outer(J, 1.0, Y[i].angular, Y[i].angular);
        H = subtract_outer(H, 1.0, Y[i].angular, Y[i].linear);
        M = subtract_outer(M, 1.0, Y[i].linear, Y[i].linear);
    }
    add_shifted(J, H, M, k->r, parent);
    return true;
}

bool carom_art_factor(const caromModel *model, const caromKin *kin, caromDynWork *w)
{
    for (int i = 0; i < model->nlink; i++) {
        if (model->links[i].is_lone) continue;
        w->art[i] = rigid(&model->links[i], &kin->links[i]);
        w->p_motion[i] = w->art[i].p;
    }
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLink *link = &model->links[i];
        if (link->is_lone) continue;
        const caromLinkKin *k = &kin->links[i];
        caromArticulated *A = &w->art[i], *parent = link->parent >= 0 ? &w->art[link->parent] : NULL;
        bool good = true;
        if (link->iv < 0) {
            if (parent) add_shifted(A->J, A->H, A->M, k->r, parent);
        } else if (link->is_axial) {
            good = factor_axial(link, k, kin->S[link->is], A, &w->U[link->is], &w->D[i*D_STRIDE], parent);
        } else {
            good = factor_general(link, k, &kin->S[link->is], A, &w->U[link->is], &w->D[i*D_STRIDE], parent);
        }
        if (!good) return false;
    }
    return true;
}

// x = D^-1 x of link i.
static void divide_by_D(const caromLink *link, const double *D, double *x)
{
    if (link->is_axial) x[0] *= D[0];
    else solve_joint(link->nv, D, x);
}

// u = tau - S^T p - U^T c, and what the parent feels of the link's forces.
static void pass_forces(const caromLink *link, const caromLinkKin *k, const caromSpatial *S, const caromSpatial *U, const double *D, const caromArticulated *A,
                        caromSpatial p, caromSpatial c, const double *tau, double *u, caromSpatial *p_parent)
{
    caromSpatial felt = p;
    if (p_parent) {
        caromSpatial inertial = carom_art_inertia_times(A, c);
        felt = (caromSpatial){ carom_add(p.angular, inertial.angular), carom_add(p.linear, inertial.linear) };
    }
    if (link->iv >= 0) {
        double x[6];
        for (int i = 0; i < link->nv; i++) x[i] = u[i] = (tau ? tau[link->iv + i] : 0.0) - spatial_dot(S[i], p) - spatial_dot(U[i], c);
        if (p_parent) {
            divide_by_D(link, D, x);
            for (int i = 0; i < link->nv; i++) felt = spatial_axpy(x[i], U[i], felt);
        }
    }
    if (!p_parent) return;
    p_parent->linear = carom_add(p_parent->linear, felt.linear);
    p_parent->angular = carom_add(p_parent->angular, carom_add(felt.angular, carom_cross(k->r, felt.linear)));
}

static caromSpatial accelerate(const caromLink *link, const caromLinkKin *k, const caromSpatial *S, const caromSpatial *U, const double *D, caromSpatial a_parent,
                               caromSpatial c, const double *u, double *dv)
{
    caromSpatial carried = { a_parent.angular, carom_add(a_parent.linear, carom_cross(a_parent.angular, k->r)) };
    caromSpatial a = { carom_add(carried.angular, c.angular), carom_add(carried.linear, c.linear) };
    if (link->iv < 0) return a;
    double x[6];
    for (int i = 0; i < link->nv; i++) x[i] = u[i] - spatial_dot(U[i], carried);
    divide_by_D(link, D, x);
    for (int i = 0; i < link->nv; i++) {
        dv[link->iv + i] = x[i];
        a = spatial_axpy(x[i], S[i], a);
    }
    return a;
}

// A free body by itself: Newton about the centre of mass in W, Euler in the body.
static void solve_lone(const caromModel *model, const caromLink *link, const caromLinkKin *k, caromSpatial F, const double *tau, caromSpatial *acc, double *dv)
{
    caromVec3 push = { 0, 0, 0 }, twist = { 0, 0, 0 };
    if (tau) {
        push = carom_vec(tau[link->iv], tau[link->iv + 1], tau[link->iv + 2]);
        twist = carom_vec(tau[link->iv + 3], tau[link->iv + 4], tau[link->iv + 5]);
    }
    caromVec3 a = carom_scale(1.0/link->mass, carom_add(F.linear, push));
    caromVec3 w = carom_tmul(k->R, k->w), gyroscopic = carom_cross(w, carom_mul(link->inertia_M, w));
    caromVec3 dw = carom_mul(link->inertia_inv_C, carom_sub(carom_add(carom_tmul(k->R, F.angular), twist), gyroscopic));
    *acc = (caromSpatial){ carom_mul(k->R, dw), a };
    a = carom_add(a, model->settings.gravity);
    const double rates[6] = { a.x, a.y, a.z, dw.x, dw.y, dw.z };
    memcpy(dv + link->iv, rates, sizeof rates);
}

static void move_outwards(const caromModel *model, const caromKin *kin, caromSpatial base, bool is_moving, caromDynWork *w, double *dv)
{
    static const caromSpatial none;
    for (int i = 0; i < model->nlink; i++) {
        const caromLink *link = &model->links[i];
        if (link->is_lone) continue;
        caromSpatial c = is_moving ? kin->links[i].c : none;
        w->acc[i] = accelerate(link, &kin->links[i], &kin->S[link->is], &w->U[link->is], &w->D[i*D_STRIDE], link->parent >= 0 ? w->acc[link->parent] : base, c,
                               &w->u[link->is], dv);
    }
}

void carom_art_solve(const caromModel *model, const caromKin *kin, const caromSpatial *F_C, const double *tau, caromDynWork *w, double *dv)
{
    for (int i = 0; i < model->nlink; i++) w->art[i].p = w->p_motion[i];
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLink *link = &model->links[i];
        const caromLinkKin *k = &kin->links[i];
        caromSpatial F = F_C[link->body];
        if (link->is_lone) {
            solve_lone(model, link, k, F, tau, &w->acc[i], dv);
            continue;
        }
        caromVec3 s = carom_mul(k->R, link->com_M);
        caromSpatial *p = &w->art[i].p;
        p->angular = carom_sub(p->angular, carom_add(F.angular, carom_cross(s, F.linear)));
        p->linear = carom_sub(p->linear, F.linear);
        pass_forces(link, k, &kin->S[link->is], &w->U[link->is], &w->D[i*D_STRIDE], &w->art[i], *p, k->c, tau, &w->u[link->is],
                    link->parent >= 0 ? &w->art[link->parent].p : NULL);
    }
    caromSpatial base = { { 0, 0, 0 }, carom_neg(model->settings.gravity) };
    move_outwards(model, kin, base, true, w, dv);
}

caromSpatial carom_art_reaction(const caromModel *model, const caromDynWork *w, int link)
{
    (void)model;
    caromSpatial f = carom_art_inertia_times(&w->art[link], w->acc[link]), p = w->art[link].p;
    return (caromSpatial){ carom_add(f.angular, p.angular), carom_add(f.linear, p.linear) };
}

void carom_art_respond(const caromModel *model, const caromKin *kin, const caromSpatial *F_o, caromDynWork *w, double *dv)
{
    // The forces of the motion stay in art.p; the response uses a column of its own.
    caromSpatial *p = w->acc;  // read before the outward pass writes it
    static const caromSpatial none;
    for (int i = 0; i < model->nlink; i++) p[i] = (caromSpatial){ carom_neg(F_o[i].angular), carom_neg(F_o[i].linear) };
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLink *link = &model->links[i];
        if (link->is_lone) {
            caromSpatial F = F_o[i];
            caromVec3 g = model->settings.gravity;
            solve_lone(model, link, &(caromLinkKin){ .R = kin->links[i].R }, F, NULL, &w->acc[i], dv);
            dv[link->iv] -= g.x;
            dv[link->iv + 1] -= g.y;
            dv[link->iv + 2] -= g.z;
            continue;
        }
        pass_forces(link, &kin->links[i], &kin->S[link->is], &w->U[link->is], &w->D[i*D_STRIDE], &w->art[i], p[i], none, NULL, &w->u[link->is],
                    link->parent >= 0 ? &p[link->parent] : NULL);
    }
    move_outwards(model, kin, none, false, w, dv);
}
