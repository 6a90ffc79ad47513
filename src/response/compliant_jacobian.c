// J by parts (compliant_structure.h): the motion of all trees at once at contact forces held, the slopes of the pairs,
// and the chain between them.
#include <float.h>
#include <math.h>
#include <string.h>

#include "time/combine.h"
#include "time/jacobian.h"
#include "response/compliant_structure.h"

typedef struct caromStructure Structure;

static double *block(const Structure *s, int row, int column)
{
    return carom_blocks_find(&s->J, row, column);
}

// ---- motion at contact forces held

// q', v' and the powers of each tree.
bool carom_compliant_structure_move(caromSystem *e, double t, const double *y, caromForceTotals *totals,
                                    double *rate)
{
    Structure *s = carom_compliant_of(e)->structure;
    const caromModel *m = e->model;
    caromDynWork *w = &e->scratch.work;
    const double *q = y, *v = y + m->nq;
    carom_kin_update(m, t, q, v, &e->scratch.kin);
    carom_kin_rate(m, q, v, rate);
    if (!carom_dyn_articulated_factor(m, &e->scratch.kin, w)) return false;
    memcpy(w->F_C, s->scratch.F_contact, (size_t)m->nbody*sizeof *w->F_C);
    memset(totals, 0, (size_t)s->ntree*sizeof *totals);
    carom_dyn_model_forces_by(m, (caromDynState){ t, q, v }, &e->scratch.kin, s->part, w, totals);
    caromLimitState at = { t, q, v };
    carom_contact_limit_forces(m, &e->world.memory, at, w->tau);
    for (int i = 0; i < m->nlimit; i++) {
        if (e->world.memory.limit_is_active[i])
            totals[s->part[m->limits[i].link]].joints +=
                carom_contact_limit_force(m, &e->world.memory, i, at).power;
    }
    carom_dyn_articulated_solve(m, &e->scratch.kin, w->F_C, w->tau, w, rate + m->nq);
    for (int k = 0; k < m->nlink; k++) totals[s->part[k]].supplied += carom_dyn_link_power(m, t, &e->scratch.kin, w, k);
    return carom_time_all_finite(rate, m->nq + m->nv);
}

// Without contacts the motion of a tree bends over its own size and over turns of 1 rad: differences may be larger, and
// so more exact, than contacts would allow. Speeds: friction of joints bends over v_small.
static void set_steps(const caromModel *m, const caromNorm *norm, const double *y, const double *f0, double *step)
{
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        double reach = m->bodies[link->body].reach > 0.0 ? m->bodies[link->body].reach : 1.0;
        for (int i = 0; link->iv >= 0 && i < link->nq; i++) {
            int at = link->iq + i;
            double scale = carom_model_joint_coordinate_unit(link->kind, i)[0] == 'm' ? reach : 1.0;
            step[at] = copysign(sqrt(DBL_EPSILON*scale*(scale + fabs(y[at]))), f0[at]);
        }
        for (int i = 0; link->iv >= 0 && i < link->nv; i++) {
            int at = m->nq + link->iv + i;
            double small = carom_model_joint_speed_unit(link->kind, i)[0] == 'm' ? m->settings.v_small
                                                                                 : m->settings.w_small;
            step[at] = copysign(fmax(norm->change ? norm->change[at] : 0.0,
                                     sqrt(DBL_EPSILON)*(CAROM_COMPLIANT_JOINT_BEND*small + fabs(y[at]))), f0[at]);
        }
    }
}

// The spring of a limit begins where the joint reaches it: the joint is moved further in, where it is linear.
static void step_into_limits(const caromModel *m, const caromContactMemory *memory, double *step)
{
    for (int i = 0; i < m->nlimit; i++) {
        const caromLimit *l = &m->limits[i];
        int at = m->links[l->link].iq + l->coordinate;
        if (memory->limit_is_active[i]) step[at] = -copysign(step[at], l->sign);
    }
}

// R' = (1 + [a]) R.
static caromVec3 turn_between(caromMat3 R, caromMat3 turned)
{
    return carom_scale(0.5, carom_add(carom_add(carom_cross(R.cx, turned.cx), carom_cross(R.cy, turned.cy)),
                                      carom_cross(R.cz, turned.cz)));
}

static void set_lever_column(double *to, int columns, int column, caromVec3 angular, caromVec3 linear, double step)
{
    const double values[6] = { angular.x, angular.y, angular.z, linear.x, linear.y, linear.z };
    for (int r = 0; r < 6; r++) to[r*columns + column] = values[r]/step;
}

static void set_levers(const Structure *s, const caromKin *kin, const caromMechanism *tree, int k, double step)
{
    const caromKin *base = &s->scratch.base;
    for (int l = tree->lever; l < tree->lever + tree->nlever; l++) {
        const caromLever *lever = &s->levers[l];
        int body = lever->body;
        caromVec3 w = carom_sub(kin->V_WC[body].angular, base->V_WC[body].angular),
                  v = carom_sub(kin->V_WC[body].linear, base->V_WC[body].linear);
        if (k >= tree->nq) {
            set_lever_column(lever->velocity_v, tree->nv, k - tree->nq, w, v, step);
            continue;
        }
        caromVec3 turn = turn_between(base->X_WB[body].R, kin->X_WB[body].R),
                  shift = carom_sub(kin->p_WC[body], base->p_WC[body]);
        set_lever_column(lever->pose, tree->nq, k, turn, shift, step);
        set_lever_column(lever->velocity_q, tree->nq, k, w, v, step);
    }
}

static void set_tree_column(Structure *s, int t, int k, double step)
{
    const caromMechanism *tree = &s->trees[t];
    const caromStructureScratch *now = &s->scratch;
    int q = carom_compliant_structure_q(t), v = carom_compliant_structure_v(t);
    int rows = carom_compliant_structure_rows(s);
    int node = k < tree->nq ? q : v, column = k < tree->nq ? k : k - tree->nq, columns = carom_blocks_size(&s->J, node);
    double *to_q = block(s, q, node), *to_v = block(s, v, node);
    for (int i = 0; i < tree->nq + tree->nv; i++) {
        int at = s->state[tree->first + i];
        double slope = (now->rate[at] - now->rate_base[at])/step;
        if (i < tree->nq) to_q[i*columns + column] = slope;
        else to_v[(i - tree->nq)*columns + column] = slope;
    }
    s->ledger[CAROM_LEDGER_JOINTS*rows + tree->first + k] = (now->totals[t].joints - now->totals_base[t].joints)/step;
    s->ledger[CAROM_LEDGER_SUPPLIED*rows + tree->first + k] =
        (now->totals[t].supplied - now->totals_base[t].supplied)/step;
}

// ---- pairs

static void add_wrenches(const caromModel *m, int pair, const caromPairAction *action, caromSpatial *F_C)
{
    for (int side = 0; side < 2; side++) {
        caromSpatial *F = &F_C[m->shapes[m->pairs[pair].shape[side]].body];
        F->angular = carom_add(F->angular, action->on[side].angular);
        F->linear = carom_add(F->linear, action->on[side].linear);
    }
}

// A law of one's own may end a little deeper: then it is asked on the other side.
static bool differentiate_pair(caromSystem *e, const caromLinearPoint *point, int i)
{
    Structure *s = carom_compliant_of(e)->structure;
    double t = point->t;
    const double *y = point->y;
    const caromContactMemory *memory = &e->world.memory;
    int pair = s->active[i], at = carom_motion_bristles(e->model) + CAROM_BRISTLE_STATES*s->slot[i];
    caromPairChange change = carom_tolerances_pair_change(e->model, memory, &s->scratch.base, pair);
    change.z = s->slot[i] >= 0 ? point->norm->change + at : NULL;
    if (carom_contact_touch_fades(&memory->touch[pair], t)) change.time = carom_method_change_of_time(t, point->h);
    for (int side = 0; side < 2; side++) {
        caromContactPair of = { e->model, &memory->touch[pair], pair, t, s->slot[i] >= 0 ? y + at : NULL };
        carom_contact_slope(&of, &change, &s->scratch.base, &s->slopes[i]);
        s->npatch += s->slopes[i].npatch;
        s->naction += s->slopes[i].naction;
        if (carom_contact_slope_is_finite(&s->slopes[i])) return true;
        change = (caromPairChange){ -change.length, -change.angle, -change.speed, -change.spin, change.z, change.time };
    }
    if (carom_model_law_is_own(carom_model_law_of(e->model, pair))) e->found.bad_law = pair;
    return false;
}

static bool differentiate_pairs(caromSystem *e, const caromLinearPoint *at)
{
    Structure *s = carom_compliant_of(e)->structure;
    memset(s->scratch.F_contact, 0, (size_t)e->model->nbody*sizeof *s->scratch.F_contact);
    for (int i = 0; i < s->nactive; i++) {
        if (!differentiate_pair(e, at, i)) return false;
        add_wrenches(e->model, s->active[i], &s->slopes[i].action, s->scratch.F_contact);
    }
    return true;
}

// ---- responses

static caromSpatial unit_wrench(int k)
{
    double u[6] = { 0 };
    u[k] = 1.0;
    return (caromSpatial){ { u[0], u[1], u[2] }, { u[3], u[4], u[5] } };
}

static bool has_motion(const caromModel *m)
{
    for (int k = 0; k < m->nlink; k++) if (m->links[k].motion) return true;
    return false;
}

// The l-th body that is touched of each tree at once, by 1 N or 1 N m. After a factor at y.
static void respond(caromSystem *e, int l, int k)
{
    Structure *s = carom_compliant_of(e)->structure;
    const caromModel *m = e->model;
    memset(s->scratch.F_o, 0, (size_t)m->nlink*sizeof *s->scratch.F_o);
    for (int t = 0; t < s->ntree; t++) {
        if (l >= s->trees[t].nlever) continue;
        int body = s->levers[s->trees[t].lever + l].body, link = m->bodies[body].link;
        caromSpatial F = unit_wrench(k);
        caromVec3 arm = carom_sub(e->scratch.kin.p_WC[body], e->scratch.kin.links[link].o);
        s->scratch.F_o[link] = (caromSpatial){ carom_add(F.angular, carom_cross(arm, F.linear)), F.linear };
    }
    carom_dyn_articulated_respond(m, &e->scratch.kin, s->scratch.F_o, NULL, &e->scratch.work, s->scratch.rate);
    for (int t = 0; t < s->ntree; t++) {
        const caromMechanism *tree = &s->trees[t];
        if (l >= tree->nlever) continue;
        double *response = s->levers[tree->lever + l].response;
        for (int i = 0; i < tree->nv; i++)
            response[i*6 + k] = s->scratch.rate[s->state[tree->first + tree->nq + i] - m->nq];
    }
}

// Power of prescribed motions for the same wrenches: it is linear in them. After a move at y.
static void respond_power(caromSystem *e, double time, int l, int k)
{
    Structure *s = carom_compliant_of(e)->structure;
    const caromModel *m = e->model;
    caromDynWork *w = &e->scratch.work;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int t = 0; t < s->ntree; t++) {
            if (l >= s->trees[t].nlever) continue;
            caromSpatial F = unit_wrench(k), *F_C = &w->F_C[s->levers[s->trees[t].lever + l].body];
            *F_C = (caromSpatial){ carom_axpy(sign, F.angular, F_C->angular), carom_axpy(sign, F.linear, F_C->linear) };
        }
        carom_dyn_articulated_solve(m, &e->scratch.kin, w->F_C, w->tau, w, s->scratch.rate);
        for (int i = 0; i < m->nlink; i++) {
            const caromMechanism *tree = &s->trees[s->part[i]];
            if (l < tree->nlever)
                s->levers[tree->lever + l].power[k] += 0.5*sign*carom_dyn_link_power(m, time, &e->scratch.kin, w, i);
        }
        for (int t = 0; t < s->ntree; t++) {
            if (l >= s->trees[t].nlever) continue;
            caromSpatial F = unit_wrench(k), *F_C = &w->F_C[s->levers[s->trees[t].lever + l].body];
            *F_C = (caromSpatial){ carom_axpy(-sign, F.angular, F_C->angular),
                                   carom_axpy(-sign, F.linear, F_C->linear) };
        }
    }
}

static void find_responses(caromSystem *e, double t)
{
    Structure *s = carom_compliant_of(e)->structure;
    bool moves = has_motion(e->model);
    for (int l = 0; l < s->nlever; l++) memset(s->levers[l].power, 0, sizeof s->levers[l].power);
    for (int l = 0; l < s->levers_each; l++) {
        for (int k = 0; k < 6; k++) {
            respond(e, l, k);
            if (moves) respond_power(e, t, l, k);
        }
    }
}

static bool differentiate_trees(caromSystem *e, double t, const double *y, double *y_trial)
{
    Structure *s = carom_compliant_of(e)->structure;
    const double *steps = s->scratch.x;
    caromStructureScratch *now = &s->scratch;
    if (!carom_compliant_structure_move(e, t, y, now->totals_base, now->rate_base)) return false;
    find_responses(e, t);
    for (int k = 0; k < s->widest; k++) {
        for (int i = 0; i < s->ntree; i++) {
            const caromMechanism *tree = &s->trees[i];
            if (k >= tree->nq + tree->nv) continue;
            int at = s->state[tree->first + k];
            y_trial[at] = y[at] + steps[at];
            s->scratch.step[i] = y_trial[at] - y[at];
        }
        if (!carom_compliant_structure_move(e, t, y_trial, s->scratch.totals, s->scratch.rate)) return false;
        for (int i = 0; i < s->ntree; i++) {
            const caromMechanism *tree = &s->trees[i];
            if (k >= tree->nq + tree->nv) continue;
            set_tree_column(s, i, k, s->scratch.step[i]);
            set_levers(s, &e->scratch.kin, tree, k, s->scratch.step[i]);
            int at = s->state[tree->first + k];
            y_trial[at] = y[at];
        }
    }
    return true;
}

// ---- chain

// C += A B, A of rows x 6 with rows `stride` apart.
static void add_product(int rows, int columns, const double *A, int stride, const double *B, double *C)
{
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < 6; k++) {
            double a = A[r*stride + k];
            if (a == 0.0) continue;
            for (int c = 0; c < columns; c++) C[r*columns + c] += a*B[k*columns + c];
        }
    }
}

static void add_to(int count, const double *from, double *to)
{
    for (int i = 0; i < count; i++) to[i] += from[i];
}

// What a pair does in its rows for the columns of one node: to the v of the trees it touches, to its bristles, to the
// ledger. chain [CAROM_SLOPE_ROWS][columns].
static void add_pair_columns(const Structure *s, const int *levers, int slot, int node, const double *chain)
{
    int columns = carom_blocks_size(&s->J, node), at = s->J.start[node], rows = carom_compliant_structure_rows(s);
    for (int side = 0; side < 2; side++) {
        if (levers[side] < 0) continue;
        const caromLever *lever = &s->levers[levers[side]];
        add_product(s->trees[lever->tree].nv, columns, lever->response, 6, chain + (long)6*side*columns,
                    block(s, carom_compliant_structure_v(lever->tree), node));
        add_product(1, columns, lever->power, 6, chain + (long)6*side*columns,
                    s->ledger + (long)CAROM_LEDGER_SUPPLIED*rows + at);
    }
    if (slot >= 0)
        add_to(CAROM_BRISTLE_STATES*columns, chain + (long)CAROM_SLOPE_RATE*columns,
               block(s, carom_compliant_structure_z(s, slot), node));
    for (int i = 0; i < 3; i++)
        add_to(columns, chain + (long)(CAROM_SLOPE_POWER + i)*columns,
               s->ledger + (long)carom_compliant_power_row[i]*rows + at);
}

static void chain_pair(Structure *s, const caromModel *m, int i)
{
    const caromPairSlope *slope = &s->slopes[i];
    const int *shape = m->pairs[s->active[i]].shape;
    const int levers[2] = { s->lever_of[m->shapes[shape[0]].body], s->lever_of[m->shapes[shape[1]].body] };
    double *chain = s->scratch.chain;
    for (int side = 0; side < 2; side++) {
        if (levers[side] < 0) continue;
        const caromLever *lever = &s->levers[levers[side]];
        const caromMechanism *tree = &s->trees[lever->tree];
        const double *pose = &slope->d[0][6*side], *velocity = &slope->d[0][CAROM_SLOPE_VELOCITY + 6*side];
        memset(chain, 0, (size_t)CAROM_SLOPE_ROWS*(size_t)tree->nq*sizeof *chain);
        add_product(CAROM_SLOPE_ROWS, tree->nq, pose, CAROM_SLOPE_COLUMNS, lever->pose, chain);
        add_product(CAROM_SLOPE_ROWS, tree->nq, velocity, CAROM_SLOPE_COLUMNS, lever->velocity_q, chain);
        add_pair_columns(s, levers, s->slot[i], carom_compliant_structure_q(lever->tree), chain);
        memset(chain, 0, (size_t)CAROM_SLOPE_ROWS*(size_t)tree->nv*sizeof *chain);
        add_product(CAROM_SLOPE_ROWS, tree->nv, velocity, CAROM_SLOPE_COLUMNS, lever->velocity_v, chain);
        add_pair_columns(s, levers, s->slot[i], carom_compliant_structure_v(lever->tree), chain);
    }
    if (s->slot[i] < 0) return;
    double bristles[CAROM_SLOPE_ROWS*CAROM_BRISTLE_STATES];
    for (int r = 0; r < CAROM_SLOPE_ROWS; r++)
        for (int c = 0; c < CAROM_BRISTLE_STATES; c++)
            bristles[r*CAROM_BRISTLE_STATES + c] = slope->d[r][CAROM_SLOPE_BRISTLE + c];
    add_pair_columns(s, levers, s->slot[i], carom_compliant_structure_z(s, s->slot[i]), bristles);
}

// ---- along the motion

// As of a dense matrix (time/jacobian.c), but each row is corrected in its own entries only [Schubert70], and where
// what it depends on is in motion.
typedef struct Along {
    const double *f0, *weight, *difference;  // in the order of y
    double far, part;                        // far over h
} Along;

static double weighted_size(const Structure *s, const Along *a, int node)
{
    double size = 0.0;
    for (int i = s->J.start[node]; i < s->J.start[node + 1]; i++) {
        double x = a->f0[s->state[i]]/a->weight[s->state[i]];
        size += x*x;
    }
    return size;
}

static void correct_node(const Structure *s, const Along *a, int node)
{
    const caromBlocks *J = &s->J;
    double size = 0.0;
    for (int b = J->row[node]; b < J->row[node + 1]; b++) size += weighted_size(s, a, J->column[b]);
    if (!(sqrt(size) > a->far)) return;
    for (int r = 0; r < carom_blocks_size(J, node); r++) {
        double along = 0.0;
        for (int b = J->row[node]; b < J->row[node + 1]; b++) {
            int first = J->start[J->column[b]], columns = carom_blocks_size(J, J->column[b]);
            const double *value = J->value + J->at[b] + (long)r*columns;
            for (int c = 0; c < columns; c++) along += value[c]*a->f0[s->state[first + c]];
        }
        double off = a->part*(a->difference[s->state[J->start[node] + r]] - along)/size;
        for (int b = J->row[node]; b < J->row[node + 1]; b++) {
            int first = J->start[J->column[b]], columns = carom_blocks_size(J, J->column[b]);
            double *value = J->value + J->at[b] + (long)r*columns;
            for (int c = 0; c < columns; c++) {
                double w = a->weight[s->state[first + c]];
                value[c] += off*a->f0[s->state[first + c]]/(w*w);
            }
        }
    }
}

static void correct_ledger(Structure *s, const Along *a, int row, double difference, double size)
{
    int rows = carom_compliant_structure_rows(s);
    double *value = s->ledger + (long)row*rows, along = 0.0;
    for (int i = 0; i < rows; i++) along += value[i]*a->f0[s->state[i]];
    double off = a->part*(difference - along)/size;
    for (int i = 0; i < rows; i++) {
        double w = a->weight[s->state[i]];
        value[i] += off*a->f0[s->state[i]]/(w*w);
    }
}

static caromStatus correct_along_motion(caromSystem *e, const caromLinearPoint *at)
{
    Structure *s = carom_compliant_of(e)->structure;
    caromOde ode = carom_response_ode(e);
    int rows = carom_compliant_structure_rows(s);
    double *f_trial = at->f_trial;
    Along a = { at->f0, at->norm->weight, f_trial, at->norm->far/at->h, 0.0 };
    double size = 0.0;
    for (int node = 0; node < s->J.n; node++) size += weighted_size(s, &a, node);
    if (!(sqrt(size) > a.far)) return CAROM_OK;  // at rest f0 is little more than noise
    ode.n = e->n;
    for (int side = -1; side <= 1; side += 2) {
        double step = CAROM_COMPLIANT_ALONG*at->h*side;
        a.part = side < 0 ? 1.0 : 0.5;
        caromStatus status = carom_method_slope_along(&ode, at, step);
        if (status != CAROM_OK) return status < 0 ? status : CAROM_OK;  // J as it is
        for (int node = 0; node < s->J.n; node++) correct_node(s, &a, node);
        for (int i = 0; i < CAROM_LEDGER; i++) correct_ledger(s, &a, i, f_trial[rows + i], size);
    }
    return CAROM_OK;
}

// ---- as a linear system

static caromStatus linearise(void *user, const caromLinearPoint *at, double *ft)
{
    caromSystem *e = user;
    Structure *s = carom_compliant_of(e)->structure;
    const caromModel *m = e->model;
    if (!carom_compliant_structure_prepare(s, m, &e->world.memory)) return CAROM_ERR_MEMORY;
    carom_kin_update(m, at->t, at->y, at->y + m->nq, &s->scratch.base);
    carom_blocks_clear(&s->J);
    memset(s->ledger, 0, (size_t)CAROM_LEDGER*(size_t)carom_compliant_structure_rows(s)*sizeof *s->ledger);
    if (!differentiate_pairs(e, at)) return CAROM_RETRY;
    memcpy(at->y_trial, at->y, (size_t)e->n*sizeof *at->y);
    set_steps(m, at->norm, at->y, at->f0, s->scratch.x);
    step_into_limits(m, &e->world.memory, s->scratch.x);
    if (!differentiate_trees(e, at->t, at->y, at->y_trial)) return CAROM_RETRY;
    if (!carom_compliant_structure_drift(e, at, ft)) return CAROM_RETRY;
    for (int i = 0; i < s->nactive; i++) chain_pair(s, m, i);
    for (int i = 0; i < carom_compliant_structure_rows(s); i++) s->weight[i] = at->norm->weight[s->state[i]];
    return correct_along_motion(e, at);
}

// Pivots are sought inside blocks only. That nothing has grown beyond use on the way is seen from what a solution
// leaves of its right-hand side, against the sizes of the sums; if it has, a shorter step has a better matrix.
static bool is_accurate(const Structure *st, double s)
{
    const caromBlocks *J = &st->J;
    double *x = st->scratch.x;
    int rows = carom_compliant_structure_rows(st);
    for (int i = 0; i < rows; i++) x[i] = i%2 ? -st->weight[i] : st->weight[i];
    carom_block_lu_solve(&st->lu, x);
    for (int node = 0; node < J->n; node++) {
        for (int i = J->start[node]; i < J->start[node + 1]; i++) {
            double right = i%2 ? -st->weight[i] : st->weight[i], left = x[i] - right, size = fabs(x[i]) + fabs(right);
            for (int b = J->row[node]; b < J->row[node + 1]; b++) {
                int columns = carom_blocks_size(J, J->column[b]);
                const double *value = J->value + J->at[b] + (long)(i - J->start[node])*columns,
                             *x_b = x + J->start[J->column[b]];
                for (int c = 0; c < columns; c++) {
                    left -= s*value[c]*x_b[c];
                    size += fabs(s*value[c]*x_b[c]);
                }
            }
            if (!(fabs(left) < CAROM_COMPLIANT_GROWN*size)) return false;
        }
    }
    return true;
}

static bool factorise(void *user, double s)
{
    const caromSystem *e = user;
    return carom_block_lu_factor(&carom_compliant_of(e)->structure->lu, &carom_compliant_of(e)->structure->J, s) &&
           is_accurate(carom_compliant_of(e)->structure, s);
}

static void solve(void *user, double s, double *x)
{
    const caromSystem *e = user;
    const Structure *st = carom_compliant_of(e)->structure;
    double *ordered = st->scratch.x;
    int rows = carom_compliant_structure_rows(st);
    for (int i = 0; i < rows; i++) ordered[i] = x[st->state[i]];
    carom_block_lu_solve(&st->lu, ordered);
    for (int i = 0; i < rows; i++) x[st->state[i]] = ordered[i];
    for (int i = 0; i < CAROM_LEDGER; i++) {
        const double *row = st->ledger + (long)i*rows;
        double sum = 0.0;
        for (int j = 0; j < rows; j++) sum += row[j]*ordered[j];
        x[rows + i] += s*sum;
    }
}

const caromLinearSystem carom_compliant_linear = { linearise, factorise, solve, carom_compliant_structure_carry };
