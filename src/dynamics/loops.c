// Closed loops: joints that the tree has cut.
//
// A cut joint is a set of equations between frame F on body A and frame M on body B, each of one of three kinds
// (model/joint.h has which kind of joint holds which):
//
//   along e    e.(p_M - p_F) = 0,  e fixed in A                      a force e on B at M, the opposite on A
//   square     e.f = 0,  e fixed in A, f fixed in B                  a torque f x e on B, the opposite on A
//   screw      z.(p_M - p_F) - pitch angle = 0                       a force z and a torque -pitch z
//
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

// One side of a row: the link that moves it (-1: nothing does) and its frame in W.
typedef struct LoopSide {
    int link;
    caromPose X;       // of F or M
    caromVec3 o, w, v; // of the link
} LoopSide;

typedef struct Row {  // a row at the current state
    LoopSide a, b;
    caromVec3 e, f;    // in W
    caromVec3 d;       // p_M - p_F
    caromVec3 force, torque;  // on B at M, per unit
    double pitch;
} Row;

// A joint of nv speeds holds 6 - nv equations (model/joint.h).
static void add_rows(caromLoops *l, int joint, caromJointKind kind)
{
    const caromJointRow *row = carom_model_joint_row(kind);
    for (int i = 0; i < 6 - row->nv; i++)
        l->rows[l->nrow++] = (caromLoopRow){ joint, row->holds[i].kind, row->holds[i].e, row->holds[i].f };
}

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
                       .at = carom_alloc_array(n, sizeof(Row)),
                       .factor = carom_alloc_array(n*n, sizeof *l->factor),
                       .F_o = carom_alloc_array((size_t)model->nlink, sizeof *l->F_o),
                       .dq = carom_alloc_array((size_t)model->nq, sizeof *l->dq) };
    if (!l->rows || !l->L || !l->Lambda || !l->b || !l->lambda || !l->order || !l->scale || !l->at || !l->factor ||
        !l->F_o || !l->dq) return false;
    for (int k = 0; k < model->nloop; k++) add_rows(l, model->loops[k], model->joints[model->loops[k]].kind);
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

static LoopSide side_of(const caromModel *model, const caromKin *kin, int body, caromPose X_BF)
{
    LoopSide s = { .link = -1, .X = X_BF };
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

static Row row_at(const caromModel *model, const caromKin *kin, const caromLoopRow *r)
{
    const caromModelJoint *j = &model->joints[r->joint];
    Row row = { .a = side_of(model, kin, j->body[0], j->X_AF), .b = side_of(model, kin, j->body[1], j->X_BM),
                .pitch = j->pitch };
    row.e = carom_mul(row.a.X.R, r->e);
    row.f = carom_mul(row.b.X.R, r->f);
    row.d = carom_sub(row.b.X.p, row.a.X.p);
    if (r->kind == CAROM_EQUATION_SQUARE) row.torque = carom_cross(row.f, row.e);
    else row.force = row.e;
    if (r->kind == CAROM_EQUATION_SCREW) row.torque = carom_scale(-row.pitch, row.e);
    return row;
}

// Angle of B against A about z, on the turn that is nearest to where the thread is.
static double screw_angle(const Row *row)
{
    caromVec3 x = row->a.X.R.cx, y = row->a.X.R.cy, x_M = row->b.X.R.cx;
    double angle = atan2(carom_dot(y, x_M), carom_dot(x, x_M)), turn = 6.283185307179586476925;
    if (row->pitch == 0.0) return angle;
    return angle + turn*nearbyint((carom_dot(row->e, row->d)/row->pitch - angle)/turn);
}

static double position_error(const caromLoopRow *r, const Row *row)
{
    if (r->kind == CAROM_EQUATION_SQUARE) return carom_dot(row->e, row->f);
    double along = carom_dot(row->e, row->d);
    return r->kind == CAROM_EQUATION_SCREW ? along - row->pitch*screw_angle(row) : along;
}

static caromVec3 velocity_at(const LoopSide *s, caromVec3 p)
{
    return s->link < 0 ? carom_vec(0, 0, 0) : carom_add(s->v, carom_cross(s->w, carom_sub(p, s->o)));
}

static double velocity_error(const Row *row)
{
    caromVec3 v = carom_sub(velocity_at(&row->b, row->b.X.p), velocity_at(&row->a, row->b.X.p));
    return carom_dot(row->force, v) + carom_dot(row->torque, carom_sub(row->b.w, row->a.w));
}

static caromVec3 linear_at(const LoopSide *s, const caromSpatial *acc, caromSpatial world, caromVec3 p)
{
    if (s->link < 0) return world.linear;
    return carom_add(acc[s->link].linear, carom_cross(acc[s->link].angular, carom_sub(p, s->o)));
}

static caromVec3 angular_of(const LoopSide *s, const caromSpatial *acc)
{
    return s->link < 0 ? carom_vec(0, 0, 0) : acc[s->link].angular;
}

// Acceleration of a row that comes from the accelerations of the links alone.
static double response_of(const Row *row, const caromSpatial *acc, caromSpatial world)
{
    caromVec3 a = carom_sub(linear_at(&row->b, acc, world, row->b.X.p), linear_at(&row->a, acc, world, row->b.X.p));
    return carom_dot(row->force, a) + carom_dot(row->torque,
                                                carom_sub(angular_of(&row->b, acc), angular_of(&row->a, acc)));
}

// And what velocities add: centripetal terms, and the turning of e and f.
//   along: e.(w_B x (w_B x ..) - w_A x (w_A x ..)) + 2 (w_A x e).v_rel;   square: (w_B - w_A).d/dt(f x e)
static double motion_of(const caromLoopRow *r, const Row *row)
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
    caromVec3 v = carom_sub(velocity_at(&row->b, p), velocity_at(&row->a, p));
    double sum = carom_dot(row->e, carom_sub(swing_b, swing_a)) + 2.0*carom_dot(e_rate, v);
    return r->kind == CAROM_EQUATION_SCREW ? sum - row->pitch*carom_dot(e_rate, w) : sum;
}

static void push_link(const LoopSide *s, caromVec3 p, caromVec3 force, caromVec3 torque, double sign, caromSpatial *F_o)
{
    if (s->link < 0) return;
    caromSpatial *F = &F_o[s->link];
    F->linear = carom_axpy(sign, force, F->linear);
    F->angular = carom_axpy(sign, carom_add(torque, carom_cross(carom_sub(p, s->o), force)), F->angular);
}

static void push_row(const Row *row, double amount, caromSpatial *F_o)
{
    push_link(&row->b, row->b.X.p, row->force, row->torque, amount, F_o);
    push_link(&row->a, row->b.X.p, row->force, row->torque, -amount, F_o);
}

static double row_scale(const caromModel *model, const caromLoopRow *r)
{
    if (r->kind != CAROM_EQUATION_SQUARE) return 1.0;
    const caromModelJoint *j = &model->joints[r->joint];
    double reach = 0.0;
    for (int i = 0; i < 2; i++) if (j->body[i] >= 0) reach = fmax(reach, model->bodies[j->body[i]].reach);
    return reach > 0.0 ? reach : 1.0;
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
        double s = row_scale(model, &l->rows[k]);
        most = fmax(most, s*s*l->Lambda[k*l->nrow + k]);
    }
    return most;
}

static void set_scales(const caromModel *model, caromLoops *l)
{
    for (int k = 0; k < l->nrow; k++) {
        double s = row_scale(model, &l->rows[k]);
        bool is_same = k > 0 && l->rows[k].joint == l->rows[k - 1].joint;
        double s_before = k > 0 ? row_scale(model, &l->rows[k - 1]) : 1.0;
        double mobility = is_same ? l->scale[k - 1]*s_before*s_before : joint_mobility(model, l, l->rows[k].joint);
        l->scale[k] = mobility/(s*s);
    }
}

// All rows at the current state, into l->at.
static Row *place_rows(const caromModel *model, const caromKin *kin, caromLoops *l)
{
    Row *rows = l->at;
    for (int k = 0; k < l->nrow; k++) rows[k] = row_at(model, kin, &l->rows[k]);
    return rows;
}

// L and Lambda at the state of the rows in l->at; after a factor. w->acc is overwritten.
static void respond(const caromModel *model, const caromKin *kin, caromDynWork *w)
{
    static const caromSpatial none;
    caromLoops *l = &w->loops;
    const Row *rows = l->at;
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
    const Row *rows = place_rows(model, kin, l);
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
    const Row *rows = l->at;
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
        Row row = row_at(model, kin, &l->rows[k]);
        double error = position_error(&l->rows[k], &row), size = fabs(error)*row_scale(model, &l->rows[k]);
        if (errors) errors[k] = error;
        if (size > largest || !isfinite(size)) {
            largest = size;
            if (worst) *worst = l->rows[k].joint;
        }
    }
    return largest;
}

// Three equations between directions hold the whole rotation.
static bool holds_rotation(caromJointKind kind)
{
    const caromJointRow *row = carom_model_joint_row(kind);
    int n = 0;
    for (int i = 0; i < 6 - row->nv; i++) n += row->holds[i].kind == CAROM_EQUATION_SQUARE;
    return n == 3;
}

// A rotation that is held (welds, prismatic joints) satisfies its equations half a turn off too.
int carom_loops_turned_round(const caromModel *model, const caromKin *kin)
{
    for (int k = 0; k < model->nloop; k++) {
        const caromModelJoint *j = &model->joints[model->loops[k]];
        if (!holds_rotation(j->kind)) continue;
        LoopSide a = side_of(model, kin, j->body[0], j->X_AF), b = side_of(model, kin, j->body[1], j->X_BM);
        if (carom_dot(a.X.R.cx, b.X.R.cx) < 0.0 || carom_dot(a.X.R.cz, b.X.R.cz) < 0.0) return model->loops[k];
    }
    return -1;
}

void carom_loops_residual(const caromModel *model, const caromKin *kin, const caromDynWork *w, double *position,
                          double *velocity)
{
    const caromLoops *l = &w->loops;
    *position = largest_position_error(model, kin, l, NULL, NULL);
    *velocity = 0.0;
    for (int k = 0; k < l->nrow; k++) {
        Row row = row_at(model, kin, &l->rows[k]);
        *velocity = fmax(*velocity, fabs(velocity_error(&row))*row_scale(model, &l->rows[k]));
    }
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
    const Row *rows = place_rows(model, kin, l);
    for (int k = 0; k < l->nrow; k++) {
        double error = velocity_error(&rows[k]);
        l->b[k] = -error;
        largest = fmax(largest, fabs(error)*row_scale(model, &l->rows[k]));
    }
    if (!carom_dyn_articulated_factor(model, kin, w)) return largest;
    respond(model, kin, w);
    solve_semidefinite(l->nrow, l->Lambda, l->b, l->order, l->scale, l->lambda);
    for (int k = 0; k < l->nrow; k++)
        for (int i = 0; i < model->nv; i++) v[i] += l->lambda[k]*l->L[(size_t)k*(size_t)model->nv + (size_t)i];
    return largest;
}
