// Closed loops: joints that the tree has cut.
//
// A cut joint is a set of equations between frame F on body A and frame M on body B (kinematics/rows.h).
// With the forces lambda of all equations the accelerations are those of the tree plus M^-1 J^T lambda, and
//
//     (J M^-1 J^T) lambda = -(accelerations of the equations without them)
//
// J M^-1 J^T comes column by column from the response of the tree to one unit force, each in O(n). Redundant
// equations (a plane four-bar made of spatial hinges) make it singular: pivots that vanish are left out, their forces
// are zero, the motion is the same. Drift is removed by projection: the least change of q and v in the mass metric,
// from the same responses.
#include <string.h>

#include "base/base.h"
#include "dynamics/dynamics.h"

bool carom_loops_alloc(const caromModel *model, caromLoops *l)
{
    size_t n = 6*(size_t)model->nloop;
    *l = (caromLoops){ .rows = carom_alloc_array(n, sizeof *l->rows),
                       .L = carom_alloc_array(n*(size_t)model->nv, sizeof *l->L),
                       .Lambda = carom_alloc_array(n*n, sizeof *l->Lambda),
                       .b = carom_alloc_array(n, sizeof *l->b),
                       .lambda = carom_alloc_array(n, sizeof *l->lambda),
                       .order = carom_alloc_array(n, sizeof *l->order),
                       .scale = carom_alloc_array(n, sizeof *l->scale),
                       .at = carom_alloc_array(n, sizeof(caromRowAt)),
                       .factor = carom_alloc_array(n*n, sizeof *l->factor),
                       .F_o = carom_alloc_array((size_t)model->nlink, sizeof *l->F_o),
                       .dq = carom_alloc_array((size_t)model->nq, sizeof *l->dq) };
    if (!l->rows || !l->L || !l->Lambda || !l->b || !l->lambda || !l->order || !l->scale || !l->at || !l->factor ||
        !l->F_o || !l->dq) return false;
    l->nrow = carom_kin_rows(model, l->rows);
    return true;
}

void carom_loops_free(caromLoops *l)
{
    free(l->rows);
    free(l->L);
    free(l->Lambda);
    free(l->b);
    free(l->lambda);
    free(l->order);
    free(l->scale);
    free(l->at);
    free(l->factor);
    free(l->F_o);
    free(l->dq);
    *l = (caromLoops){ 0 };
}

static caromVec3 linear_at(const caromLoopSide *s, const caromSpatial *acc, caromSpatial world, caromVec3 p)
{
    if (s->link < 0) return world.linear;
    return carom_add(acc[s->link].linear, carom_cross(acc[s->link].angular, carom_sub(p, s->o)));
}

static caromVec3 angular_of(const caromLoopSide *s, const caromSpatial *acc)
{
    return s->link < 0 ? carom_vec(0, 0, 0) : acc[s->link].angular;
}

// Acceleration of a row that comes from the accelerations of the links alone.
static double response_of(const caromRowAt *row, const caromSpatial *acc, caromSpatial world)
{
    caromVec3 a = carom_sub(linear_at(&row->b, acc, world, row->b.X.p), linear_at(&row->a, acc, world, row->b.X.p));
    return carom_dot(row->force, a) + carom_dot(row->torque,
                                                carom_sub(angular_of(&row->b, acc), angular_of(&row->a, acc)));
}

// And what velocities add: centripetal terms, and the turning of e and f.
//   along: e.(w_B x (w_B x ..) - w_A x (w_A x ..)) + 2 (w_A x e).v_rel;   square: (w_B - w_A).d/dt(f x e)
static double motion_of(const caromLoopRow *r, const caromRowAt *row)
{
    caromVec3 w = carom_sub(row->b.w, row->a.w), e_rate = carom_cross(row->a.w, row->e);
    if (r->kind == CAROM_EQUATION_SQUARE) {
        caromVec3 f_rate = carom_cross(row->b.w, row->f);
        return carom_dot(w, carom_add(carom_cross(f_rate, row->e), carom_cross(row->f, e_rate)));
    }
    caromVec3 p = row->b.X.p;
    caromVec3 swing_b = row->b.link < 0 ? carom_vec(0, 0, 0)
                                        : carom_cross(row->b.w, carom_cross(row->b.w, carom_sub(p, row->b.o)));
    caromVec3 swing_a = row->a.link < 0 ? carom_vec(0, 0, 0)
                                        : carom_cross(row->a.w, carom_cross(row->a.w, carom_sub(p, row->a.o)));
    caromVec3 v = carom_sub(carom_kin_row_velocity(&row->b, p), carom_kin_row_velocity(&row->a, p));
    double sum = carom_dot(row->e, carom_sub(swing_b, swing_a)) + 2.0*carom_dot(e_rate, v);
    return r->kind == CAROM_EQUATION_SCREW ? sum - row->pitch*carom_dot(e_rate, w) : sum;
}

static void push_link(const caromLoopSide *s, caromVec3 p, caromVec3 force, caromVec3 torque, double sign,
                      caromSpatial *F_o)
{
    if (s->link < 0) return;
    caromSpatial *F = &F_o[s->link];
    F->linear = carom_axpy(sign, force, F->linear);
    F->angular = carom_axpy(sign, carom_add(torque, carom_cross(carom_sub(p, s->o), force)), F->angular);
}

static void push_row(const caromRowAt *row, double amount, caromSpatial *F_o)
{
    push_link(&row->b, row->b.X.p, row->force, row->torque, amount, F_o);
    push_link(&row->a, row->b.X.p, row->force, row->torque, -amount, F_o);
}

// Mobility that is usual for the equations of a joint: the largest of them, and not less than a thousandth of that of
// the lighter body by itself. In 1/kg; angles count with the reach of the bodies.
static double joint_mobility(const caromModel *model, const caromLoops *l, int joint)
{
    const int *body = model->joints[joint].body;
    double most = 0.0;
    for (int i = 0; i < 2; i++)
        if (body[i] >= 0 && model->bodies[body[i]].link >= 0) most = fmax(most, 1e-3/model->bodies[body[i]].props.mass);
    for (int k = 0; k < l->nrow; k++) {
        if (l->rows[k].joint != joint) continue;
        double s = carom_kin_row_scale(model, &l->rows[k]);
        most = fmax(most, s*s*l->Lambda[k*l->nrow + k]);
    }
    return most;
}

static void set_scales(const caromModel *model, caromLoops *l)
{
    for (int k = 0; k < l->nrow; k++) {
        double s = carom_kin_row_scale(model, &l->rows[k]);
        bool is_same = k > 0 && l->rows[k].joint == l->rows[k - 1].joint;
        double s_before = k > 0 ? carom_kin_row_scale(model, &l->rows[k - 1]) : 1.0;
        double mobility = is_same ? l->scale[k - 1]*s_before*s_before : joint_mobility(model, l, l->rows[k].joint);
        l->scale[k] = mobility/(s*s);
    }
}

// All rows at the current state, into l->at.
static caromRowAt *place_rows(const caromModel *model, const caromKin *kin, caromLoops *l)
{
    caromRowAt *rows = l->at;
    for (int k = 0; k < l->nrow; k++) rows[k] = carom_kin_row_at(model, kin, &l->rows[k]);
    return rows;
}

// L and Lambda at the state of the rows in l->at; after a factor. w->acc is overwritten.
static void respond(const caromModel *model, const caromKin *kin, caromDynWork *w)
{
    static const caromSpatial none;
    caromLoops *l = &w->loops;
    const caromRowAt *rows = l->at;
    for (int k = 0; k < l->nrow; k++) {
        memset(l->F_o, 0, (size_t)model->nlink*sizeof *l->F_o);
        push_row(&rows[k], 1.0, l->F_o);
        double *dv = l->L + (size_t)k*(size_t)model->nv;
        carom_dyn_articulated_respond(model, kin, l->F_o, NULL, w, dv);
        for (int i = 0; i < l->nrow; i++) l->Lambda[i*l->nrow + k] = response_of(&rows[i], w->acc, none);
    }
    set_scales(model, l);
}

// Lambda x = b for a symmetric positive semidefinite Lambda (overwritten): Cholesky with complete pivoting. What is
// left of a diagonal element is compared with what would be usual for its loop (scale); less than 1e-11 of that is an
// equation that is redundant or that nothing can move, and x is 0 there.
static void solve_semidefinite(int n, double *A, double *b, int *order, const double *scale, double *x)
{
    int rank = 0;
    for (int i = 0; i < n; i++) order[i] = i;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            int r = order[i], s = order[best];
            if (A[r*n + r]*scale[s] > A[s*n + s]*scale[r]) best = i;
        }
        int t = order[k];
        order[k] = order[best];
        order[best] = t;
        int p = order[k];
        double pivot = A[p*n + p];
        if (!(pivot > 1e-11*scale[p])) break;
        rank++;
        for (int i = k + 1; i < n; i++) {
            int r = order[i];
            double factor = A[r*n + p]/pivot;
            for (int j = k + 1; j < n; j++) A[r*n + order[j]] -= factor*A[p*n + order[j]];
            b[r] -= factor*b[p];
        }
    }
    for (int i = 0; i < n; i++) x[i] = 0.0;
    for (int k = rank - 1; k >= 0; k--) {
        int p = order[k];
        double sum = b[p];
        for (int j = k + 1; j < rank; j++) sum -= A[p*n + order[j]]*x[order[j]];
        x[p] = sum/A[p*n + p];
    }
}

void carom_loops_accelerate(const caromModel *model, const caromKin *kin, const double *tau, caromDynWork *w,
                            double *dv)
{
    caromLoops *l = &w->loops;
    caromSpatial world = { { 0, 0, 0 }, carom_neg(model->settings.gravity) };  // as in carom_dyn_articulated_solve
    const caromRowAt *rows = place_rows(model, kin, l);
    for (int k = 0; k < l->nrow; k++)
        l->b[k] = -(response_of(&rows[k], w->acc, world) + motion_of(&l->rows[k], &rows[k]));
    respond(model, kin, w);
    solve_semidefinite(l->nrow, l->Lambda, l->b, l->order, l->scale, l->lambda);
    memset(l->F_o, 0, (size_t)model->nlink*sizeof *l->F_o);
    for (int k = 0; k < l->nrow; k++) push_row(&rows[k], l->lambda[k], l->F_o);
    for (int i = 0; i < model->nlink; i++) {  // from the origin of the link to the centre of mass
        const caromLink *link = &model->links[i];
        caromVec3 s = carom_mul(kin->links[i].R, link->com_M);
        caromSpatial *F = &w->F_C[link->body];
        F->linear = carom_add(F->linear, l->F_o[i].linear);
        F->angular = carom_add(F->angular, carom_sub(l->F_o[i].angular, carom_cross(s, l->F_o[i].linear)));
    }
    carom_dyn_articulated_solve(model, kin, w->F_C, tau, w, dv);
}

void carom_dyn_accelerate(const caromModel *model, const caromKin *kin, caromDynWork *w, double *dv)
{
    carom_dyn_articulated_solve(model, kin, w->F_C, w->tau, w, dv);
    if (model->nloop > 0) carom_loops_accelerate(model, kin, w->tau, w, dv);
}

void carom_loops_prepare(const caromModel *model, const caromKin *kin, caromDynWork *w)
{
    if (w->loops.nrow == 0) return;
    place_rows(model, kin, &w->loops);
    respond(model, kin, w);
}

void carom_loops_respond(const caromModel *model, const caromKin *kin, caromSpatial *F_o, const double *tau,
                         caromDynWork *w, double *dv)
{
    static const caromSpatial none;
    caromLoops *l = &w->loops;
    carom_dyn_articulated_respond(model, kin, F_o, tau, w, dv);
    if (l->nrow == 0) return;
    const caromRowAt *rows = l->at;
    for (int k = 0; k < l->nrow; k++) l->b[k] = -response_of(&rows[k], w->acc, none);
    memcpy(l->factor, l->Lambda, (size_t)l->nrow*(size_t)l->nrow*sizeof *l->factor);
    solve_semidefinite(l->nrow, l->factor, l->b, l->order, l->scale, l->lambda);
    for (int k = 0; k < l->nrow; k++) push_row(&rows[k], l->lambda[k], F_o);
    carom_dyn_articulated_respond(model, kin, F_o, tau, w, dv);
}

static double largest_position_error(const caromModel *model, const caromKin *kin, const caromLoops *l, double *errors,
                                     int *worst)
{
    double largest = 0.0;
    for (int k = 0; k < l->nrow; k++) {
        caromRowAt row = carom_kin_row_at(model, kin, &l->rows[k]);
        double error = carom_kin_row_error(&l->rows[k], &row);
        double size = fabs(error)*carom_kin_row_scale(model, &l->rows[k]);
        if (errors) errors[k] = error;
        if (size > largest || !isfinite(size)) {
            largest = size;
            if (worst) *worst = l->rows[k].joint;
        }
    }
    return largest;
}

void carom_loops_residual(const caromModel *model, const caromKin *kin, const caromDynWork *w, double *position,
                          double *velocity)
{
    const caromLoops *l = &w->loops;
    *position = largest_position_error(model, kin, l, NULL, NULL);
    *velocity = 0.0;
    for (int k = 0; k < l->nrow; k++) {
        caromRowAt row = carom_kin_row_at(model, kin, &l->rows[k]);
        *velocity = fmax(*velocity, fabs(carom_kin_row_rate(&row))*carom_kin_row_scale(model, &l->rows[k]));
    }
}

double carom_loops_acceleration(const caromModel *model, const caromKin *kin, const caromDynWork *w,
                                const caromSpatial *acc)
{
    static const caromSpatial still;
    double largest = 0.0;
    for (int k = 0; k < w->loops.nrow; k++) {
        const caromLoopRow *r = &w->loops.rows[k];
        caromRowAt row = carom_kin_row_at(model, kin, r);
        double rate = response_of(&row, acc, still) + motion_of(r, &row);
        largest = fmax(largest, fabs(rate)*carom_kin_row_scale(model, r));
    }
    return largest;
}

// q + N(q) step.
static void advance(const caromModel *model, const double *step, double *q, double *dq)
{
    carom_kin_rate(model, q, step, dq);
    for (int i = 0; i < model->nq; i++) q[i] += dq[i];
    carom_kin_normalize(model, q);
}

static double length_scale(const caromModel *model, const caromKin *kin)
{
    double size = 0.0;
    for (int i = 0; i < model->nlink; i++) size = fmax(size, carom_norm(kin->links[i].o));
    return size > 0.0 ? size : 1.0;
}

// Newton steps, each the least in the mass metric that would close the loops if they were linear.
bool carom_loops_project_position(const caromModel *model, double time, double *q, caromKin *kin, caromDynWork *w,
                                  caromLoopResidual *left)
{
    caromLoops *l = &w->loops;
    // rest: zero speeds; u is free here and as long as v at least
    double *rest = w->u, before = INFINITY, *residual = &left->size;
    for (int iteration = 0; iteration < 60; iteration++) {
        memset(rest, 0, (size_t)model->ns*sizeof *rest);
        carom_kin_links(model, time, q, rest, kin);
        *residual = largest_position_error(model, kin, l, l->b, &left->joint);
        if (!isfinite(*residual)) return false;
        double rounding = 4e-16*length_scale(model, kin);
        if (*residual <= rounding || (*residual < 1e-10*length_scale(model, kin) && *residual >= before)) return true;
        before = *residual;
        if (!carom_dyn_articulated_factor(model, kin, w)) return false;
        place_rows(model, kin, l);
        respond(model, kin, w);
        for (int k = 0; k < l->nrow; k++) l->b[k] = -l->b[k];
        solve_semidefinite(l->nrow, l->Lambda, l->b, l->order, l->scale, l->lambda);
        double *step = w->tau;
        memset(step, 0, (size_t)model->nv*sizeof *step);
        for (int k = 0; k < l->nrow; k++)
            for (int i = 0; i < model->nv; i++) step[i] += l->lambda[k]*l->L[(size_t)k*(size_t)model->nv + (size_t)i];
        advance(model, step, q, l->dq);
    }
    return *residual < 1e-9*length_scale(model, kin);
}

double carom_loops_project_velocity(const caromModel *model, double time, const double *q, double *v, caromKin *kin,
                                    caromDynWork *w)
{
    caromLoops *l = &w->loops;
    carom_kin_links(model, time, q, v, kin);
    double largest = 0.0;
    const caromRowAt *rows = place_rows(model, kin, l);
    for (int k = 0; k < l->nrow; k++) {
        double error = carom_kin_row_rate(&rows[k]);
        l->b[k] = -error;
        largest = fmax(largest, fabs(error)*carom_kin_row_scale(model, &l->rows[k]));
    }
    if (!carom_dyn_articulated_factor(model, kin, w)) return largest;
    respond(model, kin, w);
    solve_semidefinite(l->nrow, l->Lambda, l->b, l->order, l->scale, l->lambda);
    for (int k = 0; k < l->nrow; k++)
        for (int i = 0; i < model->nv; i++) v[i] += l->lambda[k]*l->L[(size_t)k*(size_t)model->nv + (size_t)i];
    return largest;
}
