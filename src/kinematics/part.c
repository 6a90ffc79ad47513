#include "kinematics/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "kinematics/assemble.h"
#include "kinematics/scales.h"

// ---- memory

static double *take(double **end, size_t n)
{
    double *start = *end;
    *end += n;
    return start;
}

static bool share_numbers(const caromModel *m, caromLoopPart *p)
{
    size_t nr = (size_t)p->nall, nv = (size_t)m->nv, nq = (size_t)m->nq;
    double *end = p->block = carom_alloc_array(2*nr + nr*nv + nr*nr + 6*nv + 6*nq + (size_t)m->ns, sizeof *p->block);
    if (!end) return false;
    p->r = take(&end, nr);
    p->y = take(&end, nr);
    p->J = take(&end, nr*nv);
    p->A = take(&end, nr*nr);
    double **of_speeds[] = { &p->metres, &p->weight, &p->step, &p->at.v, &p->at.v_given, &p->at.v_best };
    for (int i = 0; i < 6; i++) *of_speeds[i] = take(&end, nv);
    double **of_coordinates[] = { &p->at.q, &p->at.q_given, &p->at.q_trial, &p->at.q_best, &p->at.q_chosen, &p->at.dq };
    for (int i = 0; i < 6; i++) *of_coordinates[i] = take(&end, nq);
    p->at.rest = take(&end, (size_t)m->ns);
    return true;
}

static bool share_places(const caromModel *m, caromLoopPart *p)
{
    size_t nv = (size_t)m->nv, nloop = (size_t)m->nloop, nlink = (size_t)m->nlink, nr = (size_t)p->nall;
    int *end = p->places = carom_alloc_array(nloop + nlink + 3*nv + nr, sizeof *p->places);
    p->is_flipped = carom_alloc_array(nloop, sizeof *p->is_flipped);
    p->is_held = carom_alloc_array(nv, sizeof *p->is_held);
    if (!end || !p->is_flipped || !p->is_held) return false;
    p->label = end;
    p->owner = p->label + nloop;
    p->link_of = p->owner + nlink;
    p->cols = p->link_of + nv;
    p->given = p->cols + nv;
    p->rows = p->given + nv;
    return true;
}

void carom_kin_part_free(caromLoopPart *p)
{
    carom_kin_free(&p->kin);
    free(p->all);
    free(p->block);
    free(p->places);
    free(p->is_flipped);
    free(p->is_held);
}

// ---- which loops belong together

static void join_labels(caromLoopPart *p, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int k = 0; k < p->model->nloop; k++) if (p->label[k] == high) p->label[k] = low;
}

// A link moves a loop when it carries one of its sides only.
static bool carries(const caromModel *m, int link, int body)
{
    for (int i = body < 0 ? -1 : m->bodies[body].link; i >= 0; i = m->links[i].parent) if (i == link) return true;
    return false;
}

static void find_parts(caromLoopPart *p)
{
    const caromModel *m = p->model;
    for (int k = 0; k < m->nloop; k++) p->label[k] = k;
    for (int i = 0; i < m->nlink; i++) {
        p->owner[i] = -1;
        for (int k = 0; m->links[i].iv >= 0 && k < m->nloop; k++) {
            const int *body = m->joints[m->loops[k]].body;
            if (carries(m, i, body[0]) == carries(m, i, body[1])) continue;
            if (p->owner[i] < 0) p->owner[i] = k;
            else join_labels(p, p->label[p->owner[i]], p->label[k]);
        }
        for (int s = 0; m->links[i].iv >= 0 && s < m->links[i].nv; s++) p->link_of[m->links[i].iv + s] = i;
    }
}

static bool holds_axis(caromJointKind kind, int nsquare)
{
    const caromJointRow *row = carom_model_joint_row(kind);
    int n = 0;
    for (int i = 0; i < 6 - row->nv; i++) n += row->holds[i].kind == CAROM_EQUATION_SQUARE;
    return n >= nsquare;
}

// Of joint k the products of the x and of the z axes of its two sides.
static void compare_axes(const caromLoopPart *p, int joint, double *x, double *z)
{
    const caromModelJoint *j = &p->model->joints[joint];
    caromLoopSide a = carom_kin_row_side(p->model, &p->kin, j->body[0], j->X_AF),
                  b = carom_kin_row_side(p->model, &p->kin, j->body[1], j->X_BM);
    *x = carom_dot(a.X.R.cx, b.X.R.cx);
    *z = carom_dot(a.X.R.cz, b.X.R.cz);
}

// A direction that is held satisfies its equations half a turn off too. An axis that was given that way stays so.
int carom_kin_part_turned_round(const caromLoopPart *p)
{
    const caromModel *m = p->model;
    for (int k = 0; k < m->nloop; k++) {
        caromJointKind kind = m->joints[m->loops[k]].kind;
        double x, z;
        if (p->label[k] != p->number || !holds_axis(kind, 2)) continue;
        compare_axes(p, m->loops[k], &x, &z);
        if (holds_axis(kind, 3) ? x < 0.0 || z < 0.0 : (z < 0.0) != p->is_flipped[k]) return m->loops[k];
    }
    return -1;
}

bool carom_kin_part_alloc(const caromModel *m, caromLoopPart *p)
{
    *p = (caromLoopPart){ .model = m, .all = carom_alloc_array(6*(size_t)m->nloop, sizeof *p->all) };
    if (!p->all) return false;
    p->nall = carom_kin_rows(m, p->all);
    if (!carom_kin_alloc(m, &p->kin) || !share_numbers(m, p) || !share_places(m, p)) return false;
    find_parts(p);
    carom_kin_initial(m, p->at.q_given, p->at.v_given);
    carom_kin_links(m, 0.0, p->at.q_given, p->at.rest, &p->kin);
    p->lever = carom_kin_row_lever(m, &p->kin);
    for (int i = 0; i < m->nv; i++) {
        const caromLink *link = &m->links[p->link_of[i]];
        p->metres[i] = carom_kin_is_angle(link, i - link->iv) ? p->lever : 1.0;
    }
    for (int k = 0; k < m->nloop; k++) {
        double x, z;
        compare_axes(p, m->loops[k], &x, &z);
        p->is_flipped[k] = z < -0.5;
    }
    return true;
}

// ---- one part

static bool is_of_part(const caromLoopPart *p, int link)
{
    return p->owner[link] >= 0 && p->label[p->owner[link]] == p->number;
}

static void list_given(caromLoopPart *p, int link, bool speeds)
{
    const caromLink *l = &p->model->links[link];
    if (!is_of_part(p, link)) return;
    for (int i = 0; i < l->nv; i++)
        if (carom_kin_is_given(p->model, l, i, speeds)) p->given[p->ngiven++] = l->iv + i;
}

void carom_kin_part_load(caromLoopPart *p, int number, bool speeds)
{
    const caromModel *m = p->model;
    p->number = number;
    p->nrow = p->ngiven = 0;
    for (int r = 0, k = 0; r < p->nall; r++) {
        while (m->loops[k] != p->all[r].joint) k++;
        if (p->label[k] == number) p->rows[p->nrow++] = r;
    }
    for (int i = 0; i < m->nlink; i++) if (m->links[i].joint < 0) list_given(p, i, speeds);
    for (int j = 0; j < m->njoint; j++) if (m->joints[j].link >= 0) list_given(p, m->joints[j].link, speeds);
    for (int i = 0; i < m->nv; i++) p->weight[i] = 1.0/p->metres[i];
    for (int i = 0; i < p->ngiven; i++) p->weight[p->given[i]] /= CAROM_KIN_GIVEN_WEIGHT;
}

void carom_kin_part_hold(caromLoopPart *p, int nheld)
{
    memset(p->is_held, 0, (size_t)p->model->nv*sizeof *p->is_held);
    for (int i = 0; i < nheld; i++) p->is_held[p->given[i]] = true;
    p->ncol = 0;
    for (int i = 0; i < p->model->nv; i++)
        if (is_of_part(p, p->link_of[i]) && !p->is_held[i]) p->cols[p->ncol++] = i;
}

// ---- at a pose

double carom_kin_part_error(caromLoopPart *p, const double *q)
{
    double sum = 0.0;
    carom_kin_links(p->model, 0.0, q, p->at.rest, &p->kin);
    for (int k = 0; k < p->nrow; k++) {
        const caromLoopRow *row = &p->all[p->rows[k]];
        caromRowAt at = carom_kin_row_at(p->model, &p->kin, row);
        p->r[k] = carom_kin_row_error(row, &at)*carom_kin_row_scale(p->model, row);
        sum += p->r[k]*p->r[k];
    }
    return sum;
}

double carom_kin_part_rates(caromLoopPart *p, const double *q, const double *v)
{
    carom_kin_links(p->model, 0.0, q, v, &p->kin);
    for (int k = 0; k < p->nrow; k++) {
        const caromLoopRow *row = &p->all[p->rows[k]];
        caromRowAt at = carom_kin_row_at(p->model, &p->kin, row);
        p->r[k] = carom_kin_row_rate(&at)*carom_kin_row_scale(p->model, row);
    }
    return carom_kin_part_largest(p, NULL);
}

double carom_kin_part_largest(const caromLoopPart *p, int *joint)
{
    double largest = 0.0;
    for (int k = 0; k < p->nrow; k++) {
        if (!(fabs(p->r[k]) >= largest)) continue;
        largest = fabs(p->r[k]);
        if (joint) *joint = p->all[p->rows[k]].joint;
    }
    return largest;
}

// Rate of a row per unit of a speed, whose link carries side B, or side A, or neither.
static double rate_of(const caromLoopPart *p, const caromRowAt *at, int joint, int speed)
{
    const caromModel *m = p->model;
    const caromLink *link = &m->links[p->link_of[speed]];
    const int *body = m->joints[joint].body;
    bool a = carries(m, p->link_of[speed], body[0]), b = carries(m, p->link_of[speed], body[1]);
    if (a == b) return 0.0;
    caromSpatial S = p->kin.S[link->is + speed - link->iv];
    caromVec3 lever = carom_sub(at->b.X.p, p->kin.links[p->link_of[speed]].o);
    caromVec3 v = carom_add(S.linear, carom_cross(S.angular, lever));
    double rate = carom_dot(at->force, v) + carom_dot(at->torque, S.angular);
    return b ? rate : -rate;
}

void carom_kin_part_jacobian(caromLoopPart *p)
{
    for (int k = 0; k < p->nrow; k++) {
        const caromLoopRow *row = &p->all[p->rows[k]];
        caromRowAt at = carom_kin_row_at(p->model, &p->kin, row);
        double scale = carom_kin_row_scale(p->model, row);
        for (int c = 0; c < p->ncol; c++)
            p->J[k*p->ncol + c] = scale*p->weight[p->cols[c]]*rate_of(p, &at, row->joint, p->cols[c]);
    }
}

// Cholesky factor of A in its lower half, then A x = x.
static bool solve_definite(int n, double *A, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A[i*n + j];
            for (int k = 0; k < j; k++) sum -= A[i*n + k]*A[j*n + k];
            if (i == j && !(sum > 0.0)) return false;
            A[i*n + j] = i == j ? sqrt(sum) : sum/A[j*n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= A[i*n + k]*x[k];
        x[i] /= A[i*n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= A[k*n + i]*x[k];
        x[i] /= A[i*n + i];
    }
    return true;
}

static void multiply_out(caromLoopPart *p, double damping)
{
    int n = p->nrow;
    double trace = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int c = 0; c < p->ncol; c++) sum += p->J[i*p->ncol + c]*p->J[j*p->ncol + c];
            p->A[i*n + j] = sum;
        }
        trace += p->A[i*n + i];
    }
    for (int i = 0; i < n; i++) p->A[i*n + i] += damping*trace/n;
}

double carom_kin_part_solve(caromLoopPart *p, double damping)
{
    double longest = 0.0;
    memset(p->step, 0, (size_t)p->model->nv*sizeof *p->step);
    multiply_out(p, damping);
    for (int k = 0; k < p->nrow; k++) p->y[k] = -p->r[k];
    if (!solve_definite(p->nrow, p->A, p->y)) return 0.0;
    for (int c = 0; c < p->ncol; c++) {
        int i = p->cols[c];
        for (int k = 0; k < p->nrow; k++) p->step[i] += p->weight[i]*p->J[k*p->ncol + c]*p->y[k];
        longest = fmax(longest, fabs(p->step[i])*p->metres[i]);
    }
    return longest;
}

bool carom_kin_part_is_outside(const caromLoopPart *p, const double *q)
{
    for (int c = 0; c < p->ncol; c++) {
        const caromLink *link = &p->model->links[p->link_of[p->cols[c]]];
        int i = p->cols[c] - link->iv;
        if (link->joint < 0 || link->nq != link->nv || carom_kin_is_given(p->model, link, i, false)) continue;
        const caromJointForce *f = &link->forces[i];
        if (q[link->iq + i] < f->lower || q[link->iq + i] > f->upper) return true;
    }
    return false;
}
