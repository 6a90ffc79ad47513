// The articulated-body recursion [Featherstone08], along the axes of W about the origins of the links.
//
//   inwards   inertia of each link with all that hangs on it; what the joint lets move is taken out of it before it is
//             felt by the
//             parent:    U = A S,  D = S^T U,  A' = A - U D^-1 U^T,    p' = p + A c + U D^-1 (tau - S^T p - U^T c)
//   outwards  acceleration:  a' = a_P + alpha_P x r,   dv = D^-1 (u - U^T a'),   a = a' + c + S dv
//
// The base accelerates by -g: gravity then acts on everything without being mentioned again.
#include <string.h>

#include "base/base.h"
#include "dynamics/dynamics.h"

enum { D_STRIDE = 36 };

bool carom_dyn_work_alloc(const caromModel *model, caromDynWork *w)
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

void carom_dyn_work_free(caromDynWork *w)
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

static caromSym3 subtract_square(caromSym3 m, double s, caromVec3 a)  // m - s a a^T
{
    double x = s*a.x, y = s*a.y, z = s*a.z;
    return (caromSym3){ m.xx - x*a.x, m.yy - y*a.y, m.zz - z*a.z, m.xy - x*a.y, m.xz - x*a.z, m.yz - y*a.z };
}

static caromVec3 sym_times(caromSym3 m, caromVec3 a)
{
    return (caromVec3){ m.xx*a.x + m.xy*a.y + m.xz*a.z, m.xy*a.x + m.yy*a.y + m.yz*a.z,
                        m.xz*a.x + m.yz*a.y + m.zz*a.z };
}

// R I R^T of a symmetric I.
static caromSym3 turned(caromMat3 R, caromMat3 I)
{
    caromMat3 A = carom_mat_mul(R, I);
    return (caromSym3){ A.cx.x*R.cx.x + A.cy.x*R.cy.x + A.cz.x*R.cz.x, A.cx.y*R.cx.y + A.cy.y*R.cy.y + A.cz.y*R.cz.y,
                        A.cx.z*R.cx.z + A.cy.z*R.cy.z + A.cz.z*R.cz.z, A.cx.x*R.cx.y + A.cy.x*R.cy.y + A.cz.x*R.cz.y,
                        A.cx.x*R.cx.z + A.cy.x*R.cy.z + A.cz.x*R.cz.z, A.cx.y*R.cx.z + A.cy.y*R.cy.z + A.cz.y*R.cz.z };
}

// A rigid link: J = I_o, H = m [s], M = m 1; p = gyroscopic and centrifugal forces, s the centre of mass from o.
caromArticulated carom_dyn_articulated_rigid(const caromLink *link, const caromLinkKin *k)
{
    double m = link->mass;
    caromVec3 s = carom_mul(k->R, link->com_M), ms = carom_scale(m, s);
    caromSym3 J = turned(k->R, link->inertia_M);
    return (caromArticulated){ .J = J,
                               .H = { { 0, ms.z, -ms.y }, { -ms.z, 0, ms.x }, { ms.y, -ms.x, 0 } },
                               .M = { m, m, m, 0, 0, 0 },
                               .p = { carom_cross(k->w, sym_times(J, k->w)),
                                      carom_cross(k->w, carom_cross(k->w, ms)) } };
}

caromSpatial carom_dyn_articulated_inertia_times(const caromArticulated *A, caromSpatial a)
{
    return (caromSpatial){ carom_add(sym_times(A->J, a.angular), carom_mul(A->H, a.linear)),
                           carom_add(carom_tmul(A->H, a.angular), sym_times(A->M, a.linear)) };
}

// The inertia of a link that moves with its parent, felt at the parent's origin, r from it: H' = H + [r] M, J' = J - H
// [r] + [r] H'^T. Both terms of J' are needed in six places only.
static void add_shifted(caromSym3 J, caromMat3 H, caromSym3 M, caromVec3 r, caromArticulated *parent)
{
    caromMat3 K = { carom_add(H.cx, carom_cross(r, carom_vec(M.xx, M.xy, M.xz))),
                    carom_add(H.cy, carom_cross(r, carom_vec(M.xy, M.yy, M.yz))),
                    carom_add(H.cz, carom_cross(r, carom_vec(M.xz, M.yz, M.zz))) };
    caromSym3 *P = &parent->J;
    P->xx += J.xx - (H.cy.x*r.z - H.cz.x*r.y) + (r.y*K.cz.x - r.z*K.cy.x);
    P->yy += J.yy - (H.cz.y*r.x - H.cx.y*r.z) + (r.z*K.cx.y - r.x*K.cz.y);
    P->zz += J.zz - (H.cx.z*r.y - H.cy.z*r.x) + (r.x*K.cy.z - r.y*K.cx.z);
    P->xy += J.xy - (H.cz.x*r.x - H.cx.x*r.z) + (r.y*K.cz.y - r.z*K.cy.y);
    P->xz += J.xz - (H.cx.x*r.y - H.cy.x*r.x) + (r.y*K.cz.z - r.z*K.cy.z);
    P->yz += J.yz - (H.cx.y*r.y - H.cy.y*r.x) + (r.z*K.cx.z - r.x*K.cz.z);
    parent->H = carom_mat_add(parent->H, K);
    caromSym3 *Q = &parent->M;
    *Q = (caromSym3){ Q->xx + M.xx, Q->yy + M.yy, Q->zz + M.zz, Q->xy + M.xy, Q->xz + M.xz, Q->yz + M.yz };
}

void carom_dyn_articulated_add_shifted(const caromArticulated *A, caromVec3 r, caromArticulated *parent)
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
    if (link->shift == 0.0) return (caromSpatial){ sym_times(A->J, S.angular), carom_tmul(A->H, S.angular) };
    if (link->turn == 0.0) return (caromSpatial){ carom_mul(A->H, S.linear), sym_times(A->M, S.linear) };
    return carom_dyn_articulated_inertia_times(A, S);
}

// A link with everything the recursions keep of it.
typedef struct Jointed {
    const caromLink *link;
    const caromLinkKin *k;
    const caromSpatial *S;
    const caromArticulated *A;
    caromSpatial *U;  // A S
    double *D;        // of S^T U: its inverse, or its factor
    double *u;        // what is left for the joint to accelerate
} Jointed;

static inline Jointed jointed(const caromModel *model, const caromKin *kin, caromDynWork *w, int i)
{
    const caromLink *link = &model->links[i];
    return (Jointed){ link, &kin->links[i], &kin->S[link->is], &w->art[i], &w->U[link->is], &w->D[i*D_STRIDE],
                      &w->u[link->is] };
}

// A joint with one coordinate: rank-one update.
static bool factor_axial(const Jointed *j, caromArticulated *parent)
{
    const caromArticulated *A = j->A;
    caromSpatial S = j->S[0], U = axial_inertia(j->link, A, S);
    *j->U = U;
    double D = spatial_dot(S, U);
    if (!(D > 0.0)) return false;
    double D_inv = *j->D = 1.0/D;
    if (j->link->parent < 0) return true;
    caromSym3 J = subtract_square(A->J, D_inv, U.angular), M = subtract_square(A->M, D_inv, U.linear);
    caromMat3 H = subtract_outer(A->H, D_inv, U.angular, U.linear);
    add_shifted(J, H, M, j->k->r, parent);
    return true;
}

static bool factor_general(const Jointed *j, caromArticulated *parent)
{
    const caromArticulated *A = j->A;
    const caromSpatial *S = j->S;
    caromSpatial *U = j->U;
    double *L = j->D;
    int n = j->link->nv;
    for (int i = 0; i < n; i++) U[i] = carom_dyn_articulated_inertia_times(A, S[i]);
    if (!factor_joint(n, S, U, L)) return false;
    if (j->link->parent < 0 || n == 6) return true;  // six free directions: the parent feels nothing
    caromSym3 J = A->J, M = A->M;
    caromMat3 H = A->H;
    // U D^-1 U^T = sum of y y^T over the rows of L^-1 U^T.
    caromSpatial Y[6];
    for (int i = 0; i < n; i++) {
        Y[i] = U[i];
        for (int l = 0; l < i; l++) Y[i] = spatial_axpy(-L[i*6 + l], Y[l], Y[i]);
        double s = 1.0/L[i*6 + i];
        Y[i] = (caromSpatial){ carom_scale(s, Y[i].angular), carom_scale(s, Y[i].linear) };
        J = subtract_square(J, 1.0, Y[i].angular);
        H = subtract_outer(H, 1.0, Y[i].angular, Y[i].linear);
        M = subtract_square(M, 1.0, Y[i].linear);
    }
    add_shifted(J, H, M, j->k->r, parent);
    return true;
}

bool carom_dyn_articulated_factor(const caromModel *model, const caromKin *kin, caromDynWork *w)
{
    for (int i = 0; i < model->nlink; i++) {
        if (model->links[i].is_lone) continue;
        w->art[i] = carom_dyn_articulated_rigid(&model->links[i], &kin->links[i]);
        w->p_motion[i] = w->art[i].p;
    }
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLink *link = &model->links[i];
        if (link->is_lone) continue;
        Jointed j = jointed(model, kin, w, i);
        caromArticulated *parent = link->parent >= 0 ? &w->art[link->parent] : NULL;
        bool good = true;
        if (link->iv < 0) {
            if (link->parent >= 0) add_shifted(j.A->J, j.A->H, j.A->M, j.k->r, parent);
        } else {
            good = link->is_axial ? factor_axial(&j, parent) : factor_general(&j, parent);
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
static void pass_forces(const Jointed *j, caromSpatial p, caromSpatial c, const double *tau, caromSpatial *p_parent)
{
    const caromLink *link = j->link;
    const caromSpatial *U = j->U;
    caromSpatial felt = p;
    if (p_parent) {
        caromSpatial inertial = carom_dyn_articulated_inertia_times(j->A, c);
        felt = (caromSpatial){ carom_add(p.angular, inertial.angular), carom_add(p.linear, inertial.linear) };
    }
    if (link->iv >= 0) {
        double x[6] = { 0 };
        for (int i = 0; i < link->nv; i++)
            x[i] = j->u[i] = (tau ? tau[link->iv + i] : 0.0) - spatial_dot(j->S[i], p) - spatial_dot(U[i], c);
        if (p_parent) {
            divide_by_D(link, j->D, x);
            for (int i = 0; i < link->nv; i++) felt = spatial_axpy(x[i], U[i], felt);
        }
    }
    if (!p_parent) return;
    p_parent->linear = carom_add(p_parent->linear, felt.linear);
    p_parent->angular = carom_add(p_parent->angular, carom_add(felt.angular, carom_cross(j->k->r, felt.linear)));
}

static caromSpatial accelerate(const Jointed *j, caromSpatial a_parent, caromSpatial c, double *dv)
{
    const caromLink *link = j->link;
    caromSpatial carried = { a_parent.angular, carom_add(a_parent.linear, carom_cross(a_parent.angular, j->k->r)) };
    caromSpatial a = { carom_add(carried.angular, c.angular), carom_add(carried.linear, c.linear) };
    if (link->iv < 0) return a;
    double x[6] = { 0 };
    for (int i = 0; i < link->nv; i++) x[i] = j->u[i] - spatial_dot(j->U[i], carried);
    divide_by_D(link, j->D, x);
    for (int i = 0; i < link->nv; i++) {
        dv[link->iv + i] = x[i];
        a = spatial_axpy(x[i], j->S[i], a);
    }
    return a;
}

// A free body by itself: Newton about the centre of mass in W, Euler in the body.
static caromSpatial solve_lone(caromVec3 gravity, const caromLink *link, const caromLinkKin *k, caromSpatial F,
                               const double *tau, double *dv)
{
    caromVec3 push = { 0, 0, 0 }, twist = { 0, 0, 0 };
    if (tau) {
        push = carom_vec(tau[link->iv], tau[link->iv + 1], tau[link->iv + 2]);
        twist = carom_vec(tau[link->iv + 3], tau[link->iv + 4], tau[link->iv + 5]);
    }
    caromVec3 a = carom_scale(1.0/link->mass, carom_add(F.linear, push));
    caromVec3 w = carom_tmul(k->R, k->w), gyroscopic = carom_cross(w, carom_mul(link->inertia_M, w));
    caromVec3 dw = carom_mul(link->inertia_inv_C, carom_sub(carom_add(carom_tmul(k->R, F.angular), twist), gyroscopic));
    caromVec3 fall = carom_add(a, gravity);
    const double rates[6] = { fall.x, fall.y, fall.z, dw.x, dw.y, dw.z };
    memcpy(dv + link->iv, rates, sizeof rates);
    return (caromSpatial){ carom_mul(k->R, dw), a };
}

static void move_outwards(const caromModel *model, const caromKin *kin, caromSpatial base, bool is_moving,
                          caromDynWork *w, double *dv)
{
    static const caromSpatial none;
    for (int i = 0; i < model->nlink; i++) {
        const caromLink *link = &model->links[i];
        if (link->is_lone) continue;
        caromSpatial c = is_moving ? kin->links[i].c : none;
        Jointed j = jointed(model, kin, w, i);
        w->acc[i] = accelerate(&j, link->parent >= 0 ? w->acc[link->parent] : base, c, dv);
    }
}

void carom_dyn_articulated_solve(const caromModel *model, const caromKin *kin, const caromSpatial *F_C,
                                 const double *tau, caromDynWork *w, double *dv)
{
    for (int i = 0; i < model->nlink; i++) w->art[i].p = w->p_motion[i];
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLink *link = &model->links[i];
        const caromLinkKin *k = &kin->links[i];
        caromSpatial F = F_C[link->body];
        if (link->is_lone) {
            w->acc[i] = solve_lone(model->settings.gravity, link, k, F, tau, dv);
            continue;
        }
        caromVec3 s = carom_mul(k->R, link->com_M);
        caromSpatial *p = &w->art[i].p;
        p->angular = carom_sub(p->angular, carom_add(F.angular, carom_cross(s, F.linear)));
        p->linear = carom_sub(p->linear, F.linear);
        Jointed j = jointed(model, kin, w, i);
        pass_forces(&j, *p, k->c, tau, link->parent >= 0 ? &w->art[link->parent].p : NULL);
    }
    caromSpatial base = { { 0, 0, 0 }, carom_neg(model->settings.gravity) };
    move_outwards(model, kin, base, true, w, dv);
}

caromSpatial carom_dyn_articulated_reaction(const caromModel *model, const caromDynWork *w, int link)
{
    (void)model;
    caromSpatial f = carom_dyn_articulated_inertia_times(&w->art[link], w->acc[link]), p = w->art[link].p;
    return (caromSpatial){ carom_add(f.angular, p.angular), carom_add(f.linear, p.linear) };
}

// Nothing acts on it: a free body that belongs to no tree does not move. Of many bodies a contact pushes two.
static bool is_left_alone(const caromLink *link, const caromSpatial *F, const double *tau)
{
    bool is_pushed = F->linear.x != 0.0 || F->linear.y != 0.0 || F->linear.z != 0.0 || F->angular.x != 0.0 ||
                     F->angular.y != 0.0 || F->angular.z != 0.0;
    for (int i = 0; tau && i < link->nv; i++) is_pushed = is_pushed || tau[link->iv + i] != 0.0;
    return !is_pushed;
}

void carom_dyn_articulated_respond(const caromModel *model, const caromKin *kin, const caromSpatial *F_o,
                                   const double *tau, caromDynWork *w, double *dv)
{
    // The forces of the motion stay in art.p; the response uses a column of its own.
    caromSpatial *p = w->acc;  // read before the outward pass writes it
    static const caromSpatial none;
    for (int i = 0; i < model->nlink; i++) p[i] = (caromSpatial){ carom_neg(F_o[i].angular), carom_neg(F_o[i].linear) };
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLink *link = &model->links[i];
        if (link->is_lone && is_left_alone(link, &F_o[i], tau)) {
            w->acc[i] = none;
            memset(dv + link->iv, 0, (size_t)link->nv*sizeof *dv);
            continue;
        }
        if (link->is_lone) {
            caromSpatial F = F_o[i];
            w->acc[i] = solve_lone(carom_vec(0, 0, 0), link, &(caromLinkKin){ .R = kin->links[i].R }, F, tau, dv);
            continue;
        }
        Jointed j = jointed(model, kin, w, i);
        pass_forces(&j, p[i], none, tau, link->parent >= 0 ? &p[link->parent] : NULL);
    }
    move_outwards(model, kin, none, false, w, dv);
}

double carom_dyn_articulated_compliance(const caromModel *model, const caromKin *kin, const int body[2], caromVec3 p,
                                        caromVec3 n, caromDynWork *w)
{
    caromSpatial *F_o = w->F_C;  // there are no more links than bodies
    memset(F_o, 0, (size_t)model->nlink*sizeof *F_o);
    for (int i = 0; i < 2; i++) {
        int link = model->bodies[body[i]].link;
        if (link < 0) continue;
        caromVec3 f = i == 0 ? carom_neg(n) : n;
        F_o[link].linear = carom_add(F_o[link].linear, f);
        F_o[link].angular = carom_add(F_o[link].angular, carom_cross(carom_sub(p, kin->links[link].o), f));
    }
    carom_dyn_articulated_respond(model, kin, F_o, NULL, w, w->tau);
    double parting = 0.0;
    for (int i = 0; i < 2; i++) {
        int link = model->bodies[body[i]].link;
        if (link < 0) continue;
        caromVec3 a = carom_add(w->acc[link].linear,
                                carom_cross(w->acc[link].angular, carom_sub(p, kin->links[link].o)));
        parting += (i == 0 ? -1.0 : 1.0)*carom_dot(a, n);
    }
    return parting;
}

// M^-1 = N^T D^-1 N, where N takes forces of joints to u, what is left of them inwards: for one force u is not 0 at its
// joint and those that carry it only, and its own acceleration is the sum of u^T D^-1 u.
double carom_dyn_articulated_mobility(const caromModel *model, const caromKin *kin, int link, int coordinate,
                                      caromDynWork *w)
{
    caromSpatial p = { { 0, 0, 0 }, { 0, 0, 0 } };
    double sum = 0.0;
    for (int i = link; i >= 0; i = model->links[i].parent) {
        Jointed j = jointed(model, kin, w, i);
        double u[6] = { 0 }, x[6] = { 0 };
        int n = j.link->iv >= 0 ? j.link->nv : 0;
        for (int k = 0; k < n; k++)
            x[k] = u[k] = (i == link && k == coordinate ? 1.0 : 0.0) - spatial_dot(j.S[k], p);
        if (n > 0) divide_by_D(j.link, j.D, x);
        for (int k = 0; k < n; k++) {
            sum += u[k]*x[k];
            p = spatial_axpy(x[k], j.U[k], p);
        }
        p.angular = carom_add(p.angular, carom_cross(j.k->r, p.linear));
    }
    return sum;
}
