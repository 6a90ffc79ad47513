// Loops that share no joint are parts, closed one by one. A part is closed by a damped Gauss-Newton search (Levenberg,
// Marquardt) with bounded steps over the coordinates that may move:
//
//     step = C^2 J^T y,    (J C^2 J^T + mu 1) y = -r
//
// r: what the rows are off [m]; J: their rates per unit of each speed; C: units of a coordinate per metre, fewer for
// those that were given, so that the others move first. mu grows where r does not shrink. Least steps and the damping
// admit redundant rows and poses that are singular. Where coordinates were not given, the search sets out from several
// values of them, and the nearest of the ways to close that it finds is taken.
#include "kinematics/assemble.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "kinematics/part.h"
#include "kinematics/scales.h"

bool carom_kin_is_angle(const caromLink *link, int speed)
{
    return strcmp(carom_model_joint_speed_unit(link->kind, speed), "rad/s") == 0;
}

// The body that a free joint of its own carries has its pose and velocity as given.
bool carom_kin_is_given(const caromModel *m, const caromLink *link, int i, bool speeds)
{
    if (link->joint < 0) return true;
    const caromModelJoint *j = &m->joints[link->joint];
    return speeds ? j->is_given.velocity[i] : j->is_given.position[i];
}

double carom_kin_distance(const caromLink *link, int i, const double *q, const double *other)
{
    int at = carom_model_joint_quaternion(link->nq, link->nv);
    if (at < 0 || i < at) return fabs(q[link->iq + i] - other[link->iq + i]);
    if (i > at) return 0.0;
    const double *a = q + link->iq + at, *b = other + link->iq + at;
    double cosine = 0.0, norm_a = 0.0, norm_b = 0.0;
    for (int k = 0; k < 4; k++) cosine += a[k]*b[k], norm_a += a[k]*a[k], norm_b += b[k]*b[k];
    return 2.0*acos(fmin(1.0, fabs(cosine)/sqrt(norm_a*norm_b)));
}

// ---- one search

static void set_trial(caromLoopPart *p, double share)
{
    const caromModel *m = p->model;
    for (int i = 0; i < m->nv; i++) p->step[i] *= share;
    carom_kin_rate(m, p->at.q, p->step, p->at.dq);
    for (int i = 0; i < m->nq; i++) p->at.q_trial[i] = p->at.q[i] + p->at.dq[i];
    carom_kin_normalize(m, p->at.q_trial);
}

// Moves q until the rows of the part are as small as they get; the largest [m].
static double search(caromLoopPart *p)
{
    const double limit = CAROM_KIN_CLOSED*p->lever;
    double damping = CAROM_KIN_DAMPING, error = carom_kin_part_error(p, p->at.q);
    for (int i = 0; i < CAROM_KIN_STEPS && error > 0.0 && damping < CAROM_KIN_DAMPING_MOST; i++) {
        bool was_closed = error < limit*limit;
        carom_kin_part_jacobian(p);
        double length = carom_kin_part_solve(p, damping);
        if (!(length > 0.0)) break;
        set_trial(p, fmin(1.0, CAROM_KIN_STRIDE*p->lever/length));
        double next = carom_kin_part_error(p, p->at.q_trial);
        if (next < error) {
            memcpy(p->at.q, p->at.q_trial, (size_t)p->model->nq*sizeof *p->at.q);
            damping = fmax(0.1*damping, CAROM_KIN_DAMPING_LEAST);
            error = next;
        } else {
            if (was_closed) break;
            damping *= 10.0;
            carom_kin_part_error(p, p->at.q);
        }
    }
    carom_kin_part_error(p, p->at.q);
    return carom_kin_part_largest(p, NULL);
}

// ---- ways to close a part, and the choice among them

// A sequence of numbers in -1..1 that is the same in every run.
static double next_number(uint64_t *state)
{
    *state = *state*6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11)*0x1p-52 - 1.0;
}

static double *coordinate_of(const caromLoopPart *p, int speed, double *q, const caromLink **link, int *i)
{
    *link = &p->model->links[p->link_of[speed]];
    *i = speed - (*link)->iv;
    int at = carom_model_joint_quaternion((*link)->nq, (*link)->nv);
    return q + (*link)->iq + *i + (at >= 0 && *i >= at);
}

// As given, or (from the second on) with the coordinates that were not given somewhere else.
static void set_out(caromLoopPart *p, int start)
{
    uint64_t state = 0x9e3779b97f4a7c15u*(unsigned)start;
    memcpy(p->at.q, p->at.q_given, (size_t)p->model->nq*sizeof *p->at.q);
    for (int c = 0; start > 0 && c < p->ncol; c++) {
        const caromLink *link;
        int i;
        double *q = coordinate_of(p, p->cols[c], p->at.q, &link, &i), x = next_number(&state);
        bool is_quaternion = link->nq > link->nv && i >= link->nv - 3;
        double most = is_quaternion ? 2.0 : carom_kin_is_angle(link, i) ? CAROM_PI : p->lever;
        if (!carom_kin_is_given(p->model, link, i, false)) *q += most*x;
    }
    carom_kin_normalize(p->model, p->at.q);
}

// An angle that was not given is the one nearest to 0 of those that are the same pose.
static void unwind(caromLoopPart *p)
{
    const double turn = 2.0*CAROM_PI;
    for (int c = 0; c < p->ncol; c++) {
        const caromLink *link;
        int i;
        double *q = coordinate_of(p, p->cols[c], p->at.q, &link, &i);
        bool is_plain = link->nq == link->nv && carom_kin_is_angle(link, i) && link->kind != CAROM_JOINT_SCREW;
        if (is_plain && !carom_kin_is_given(p->model, link, i, false)) *q -= turn*nearbyint(*q/turn);
    }
}

typedef struct Way {
    double left;      // what is left open [m]
    int turned;       // joint that is half a turn off, -1: none
    double moved;     // what was given, at most [m, angles times lever]
    double cost;      // of moving [m^2]; infinite: not closed
} Way;

// A pose behind a limit counts as far as everything that is in front of it.
static Way way_found(caromLoopPart *p)
{
    Way way = { .left = search(p), .turned = -1, .cost = INFINITY };
    if (!(way.left <= CAROM_KIN_CLOSED*p->lever)) return way;
    way.turned = carom_kin_part_turned_round(p);
    if (way.turned >= 0) return way;
    unwind(p);
    way.cost = carom_kin_part_is_outside(p, p->at.q) ? 1e6*p->lever*p->lever : 0.0;
    for (int c = 0; c < p->ncol; c++) {
        const caromLink *link = &p->model->links[p->link_of[p->cols[c]]];
        int i = p->cols[c] - link->iv;
        bool is_given = carom_kin_is_given(p->model, link, i, false);
        double moved = carom_kin_distance(link, i, p->at.q, p->at.q_given)*p->metres[p->cols[c]];
        if (is_given) way.moved = fmax(way.moved, moved);
        moved *= is_given ? CAROM_KIN_GIVEN_WEIGHT : 1.0;
        way.cost += moved*moved;
    }
    return way;
}

static bool has_free(const caromLoopPart *p)
{
    for (int c = 0; c < p->ncol; c++) {
        const caromLink *link = &p->model->links[p->link_of[p->cols[c]]];
        if (!carom_kin_is_given(p->model, link, p->cols[c] - link->iv, false)) return true;
    }
    return false;
}

// As many as CAROM_KIN_WORK allows, one at least, where there is something to be thrown at all.
static int count_starts(const caromLoopPart *p)
{
    double n = p->nrow, search = CAROM_KIN_STEPS*n*n*(n + p->ncol);
    if (!has_free(p)) return 1;
    return (int)fmax(1.0, fmin(CAROM_KIN_STARTS, CAROM_KIN_WORK/search));
}

// The nearest way to close with the coordinates held that are held, its pose into q_best.
static Way find_way(caromLoopPart *p)
{
    Way best = { .left = INFINITY, .turned = -1, .cost = INFINITY };
    int nstart = count_starts(p);
    for (int start = 0; start < nstart; start++) {
        set_out(p, start);
        Way way = way_found(p);
        bool is_nearer = way.cost < best.cost || (isinf(best.cost) && way.left < best.left);
        if (!is_nearer) continue;
        best = way;
        memcpy(p->at.q_best, p->at.q, (size_t)p->model->nq*sizeof *p->at.q);
    }
    return best;
}

// Is a way better than the one before, found with more coordinates held? Only if it brings what was given within reach.
static bool is_better(const caromLoopPart *p, const Way *way, const Way *before)
{
    if (isinf(way->cost)) return isinf(before->cost) && way->left < before->left;
    return isinf(before->cost) || way->moved <= CAROM_KIN_LITTLE*p->lever;
}

// How many are let go next.
static int let_go(int n, int most)
{
    int next = n < 8 ? n + 1 : 2*n;
    return n == most ? most + 1 : next < most ? next : most;
}

static void worsen(caromAssembly *told, caromAssemblyEnd end, int joint, double left)
{
    if (told->end >= end) return;
    told->end = end;
    told->joint = joint;
    told->left = left;
}

static bool is_closed_as_given(caromLoopPart *p)
{
    carom_kin_part_hold(p, p->ngiven);
    carom_kin_part_error(p, p->at.q_given);
    return carom_kin_part_largest(p, NULL) <= CAROM_KIN_CLOSED*p->lever && carom_kin_part_turned_round(p) < 0;
}

static void tell_open(caromLoopPart *p, const Way *way, caromAssembly *told)
{
    int joint = p->model->loops[p->number];
    carom_kin_part_error(p, p->at.q_chosen);
    carom_kin_part_largest(p, &joint);
    if (way->turned >= 0) worsen(told, CAROM_ASSEMBLY_TURNED_ROUND, way->turned, 0.0);
    else worsen(told, CAROM_ASSEMBLY_OPEN, joint, way->left);
}

static void close_part(caromLoopPart *p, caromAssembly *told)
{
    size_t size = (size_t)p->model->nq*sizeof *p->at.q;
    Way chosen = { .left = INFINITY, .turned = -1, .cost = INFINITY };
    if (is_closed_as_given(p)) return;
    for (int n = 0; n <= p->ngiven; n = let_go(n, p->ngiven)) {
        carom_kin_part_hold(p, p->ngiven - n);
        Way way = find_way(p);
        if (!is_better(p, &way, &chosen)) continue;
        chosen = way;
        memcpy(p->at.q_chosen, p->at.q_best, size);
        if (isfinite(way.cost) && way.moved <= CAROM_KIN_LITTLE*p->lever) break;
    }
    if (isinf(chosen.cost)) {
        tell_open(p, &chosen, told);
        return;
    }
    if (chosen.moved > CAROM_KIN_LITTLE*p->lever)
        worsen(told, CAROM_ASSEMBLY_MOVED, p->model->loops[p->number], 0.0);
    memcpy(p->at.q_given, p->at.q_chosen, size);
}

// ---- speeds

// Rows of speeds are linear: three corrections, for what damping leaves. The largest rate that is left [m/s].
static double correct_speeds(caromLoopPart *p, const double *q)
{
    double left = carom_kin_part_rates(p, q, p->at.v);
    for (int i = 0; i < 3 && left > 0.0; i++) {
        carom_kin_part_jacobian(p);
        carom_kin_part_solve(p, CAROM_KIN_DAMPING_LEAST);
        for (int k = 0; k < p->model->nv; k++) p->at.v[k] += p->step[k];
        left = carom_kin_part_rates(p, q, p->at.v);
    }
    return left;
}

static double fastest(const caromLoopPart *p, const double *v)
{
    double most = 0.0;
    for (int i = 0; i < p->model->nv; i++)
        if (p->owner[p->link_of[i]] >= 0) most = fmax(most, fabs(v[i])*p->metres[i]);
    return most;
}

static double moved_speeds(const caromLoopPart *p)
{
    double most = 0.0;
    for (int i = 0; i < p->ngiven; i++)
        most = fmax(most, fabs(p->at.v[p->given[i]] - p->at.v_given[p->given[i]])*p->metres[p->given[i]]);
    return most;
}

static void close_speeds(caromLoopPart *p, const double *q, caromAssembly *told)
{
    size_t size = (size_t)p->model->nv*sizeof *p->at.v;
    double least = INFINITY;
    for (int n = 0; n <= p->ngiven; n = let_go(n, p->ngiven)) {
        carom_kin_part_hold(p, p->ngiven - n);
        memcpy(p->at.v, p->at.v_given, size);
        double left = correct_speeds(p, q), scale = fmax(fastest(p, p->at.v), fastest(p, p->at.v_given));
        if (left > CAROM_KIN_CLOSED_RATE*scale && n < p->ngiven) continue;
        double moved = moved_speeds(p);
        if (moved < least) {
            least = moved;
            memcpy(p->at.v_best, p->at.v, size);
        }
        if (moved <= CAROM_KIN_LITTLE*scale) break;
        if (n == p->ngiven) worsen(told, CAROM_ASSEMBLY_MOVED, p->model->loops[p->number], 0.0);
    }
    memcpy(p->at.v_given, p->at.v_best, size);
}

static void close_parts(caromLoopPart *p, caromAssembly *told)
{
    const caromModel *m = p->model;
    for (int k = 0; k < m->nloop; k++) {
        if (p->label[k] != k) continue;
        carom_kin_part_load(p, k, false);
        close_part(p, told);
    }
    for (int k = 0; k < m->nloop && told->end <= CAROM_ASSEMBLY_MOVED; k++) {
        if (p->label[k] != k) continue;
        carom_kin_part_load(p, k, true);
        close_speeds(p, p->at.q_given, told);
    }
    told->lever = p->lever;
    told->fastest = fastest(p, p->at.v_given);
}

caromAssembly carom_kin_assemble(const caromModel *model, double *q, double *v)
{
    caromAssembly told = { .joint = -1 };
    caromLoopPart part;
    carom_kin_initial(model, q, v);
    if (model->nloop == 0) return told;
    if (carom_kin_part_alloc(model, &part)) {
        close_parts(&part, &told);
        memcpy(q, part.at.q_given, (size_t)model->nq*sizeof *q);
        memcpy(v, part.at.v_given, (size_t)model->nv*sizeof *v);
    } else {
        told.end = CAROM_ASSEMBLY_NO_MEMORY;
    }
    carom_kin_part_free(&part);
    return told;
}
