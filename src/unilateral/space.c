#include "unilateral/space.h"

#include <string.h>

#include "base/base.h"

static bool is_whole(const caromSpace *s)
{
    return s->points && s->G && s->L && s->H && s->A && s->b && s->f && s->a && s->stays && s->work && s->F_o &&
           s->tau && s->dv;
}

static bool has_resistance(const caromModel *m)
{
    for (int i = 0; i < m->nlaw; i++) if (m->laws[i].rolling > 0.0 || m->laws[i].torsion > 0.0) return true;
    return false;
}

bool carom_space_reserve(const caromModel *model, caromSpace *s, int n)
{
    if (n <= s->room && is_whole(s)) return true;
    int room = s->room > 0 ? s->room : 16;
    while (room < n) room *= 2;
    carom_space_free(s);
    size_t k = (size_t)room;
    *s = (caromSpace){ .room = room,
                       .points = carom_alloc_array(k, sizeof *s->points),
                       .G = carom_alloc_array(9*k*k, sizeof *s->G),
                       .L = carom_alloc_array(3*k*(size_t)model->nv, sizeof *s->L),
                       .H = carom_alloc_array(3*k*k, sizeof *s->H),
                       .A = carom_alloc_array(has_resistance(model) ? 36*k*k : 1, sizeof *s->A),
                       .b = carom_alloc_array(3*k, sizeof *s->b),
                       .f = carom_alloc_array(3*k, sizeof *s->f),
                       .a = carom_alloc_array(3*k, sizeof *s->a),
                       .stays = carom_alloc_array(k, sizeof *s->stays),
                       .work = carom_unilateral_alloc(room),
                       .F_o = carom_alloc_array((size_t)model->nlink, sizeof *s->F_o),
                       .tau = carom_alloc_array((size_t)model->nv, sizeof *s->tau),
                       .dv = carom_alloc_array((size_t)model->nv, sizeof *s->dv) };
    return is_whole(s);
}

void carom_space_free(caromSpace *s)
{
    free(s->points);
    free(s->G);
    free(s->L);
    free(s->H);
    free(s->A);
    free(s->b);
    free(s->f);
    free(s->a);
    free(s->stays);
    carom_unilateral_free(s->work);
    free(s->F_o);
    free(s->tau);
    free(s->dv);
    *s = (caromSpace){ 0 };
}

// Two tangents for a normal: square to the axis that it is farthest from.
static void set_frame(caromVec3 n, caromPlacedPoint *c)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    caromVec3 axis = x <= y && x <= z ? carom_vec(1, 0, 0) : y <= z ? carom_vec(0, 1, 0) : carom_vec(0, 0, 1);
    c->n = n;
    c->t1 = carom_unit_or(carom_sub(axis, carom_scale(carom_dot(axis, n), n)), axis);
    c->t2 = carom_cross(n, c->t1);
}

double carom_space_limit_arm(const caromModel *m, int limit)
{
    const caromLink *link = &m->links[m->limits[limit].link];
    double reach = m->bodies[link->body].reach;
    return link->forces[m->limits[limit].coordinate].is_angle && reach > 0.0 ? reach : 1.0;
}

static int limit_speed(const caromModel *m, int limit)
{
    return m->links[m->limits[limit].link].iv + m->limits[limit].coordinate;
}

static void place_limit(const caromModel *m, const double *q, const double *v, int limit, caromPlacedPoint *c)
{
    const caromLimit *l = &m->limits[limit];
    const caromLink *link = &m->links[l->link];
    double sign = l->sign*carom_space_limit_arm(m, limit);
    *c = (caromPlacedPoint){ .link = { -1, -1 }, .body = { -1, -1 }, .limit = limit, .sign = sign, .is_there = true,
                             .g = sign*(q[link->iq + l->coordinate] - l->at),
                             .v = { sign*v[link->iv + l->coordinate], 0, 0 } };
}

static void set_velocity(const caromKin *kin, caromPlacedPoint *c)
{
    caromVec3 v = carom_sub(carom_kin_point_velocity(kin, c->body[1], c->p),
                            carom_kin_point_velocity(kin, c->body[0], c->p));
    c->v[0] = carom_dot(c->n, v);
    c->v[1] = carom_dot(c->t1, v);
    c->v[2] = carom_dot(c->t2, v);
    c->w = carom_sub(kin->V_WC[c->body[1]].angular, kin->V_WC[c->body[0]].angular);
}

static bool place_point(const caromModel *m, const caromKin *kin, const caromContactPoint *contact, caromPlacedPoint *c)
{
    caromTouchPoint point;
    const int *shape = m->pairs[contact->about.index].shape;
    *c = (caromPlacedPoint){ .limit = -1, .is_there = carom_manifold_point_at(m, kin, contact->about.index,
                                                                              contact->feature, &point) };
    for (int i = 0; i < 2; i++) {
        c->body[i] = m->shapes[shape[i]].body;
        c->link[i] = m->bodies[c->body[i]].link;
    }
    c->g = point.g;
    if (isnan(point.g)) return false;
    c->p = carom_scale(0.5, carom_add(point.p_A, point.p_B));
    c->motion = carom_manifold_motion(m, kin, contact->about.index, &point);
    set_frame(point.n_AB, c);
    set_velocity(kin, c);
    return true;
}

bool carom_space_place(const caromModel *m, const caromKin *kin, const double *y, const caromContactPoint *contacts,
                       int n, caromSpace *s)
{
    const double *q = y, *v = y + m->nq;
    bool good = true;
    s->n = n;
    for (int i = 0; i < n; i++) {
        if (contacts[i].about.kind == CAROM_CONSTRAINT_LIMIT)
            place_limit(m, q, v, contacts[i].about.index, &s->points[i]);
        else good = place_point(m, kin, &contacts[i], &s->points[i]) && good;
    }
    return good;
}

void carom_space_follow(const caromModel *m, const caromKin *kin, const double *v, caromSpace *s)
{
    for (int i = 0; i < s->n; i++) {
        caromPlacedPoint *c = &s->points[i];
        if (c->limit < 0) set_velocity(kin, c);
        else c->v[0] = c->sign*v[limit_speed(m, c->limit)];
    }
}

static void turn_links(const caromPlacedPoint *c, double size, caromSpatial *F_o)
{
    for (int i = 0; i < 2; i++) {
        if (c->link[i] < 0) continue;
        caromSpatial *F = &F_o[c->link[i]];
        F->angular = carom_axpy(i == 0 ? -size : size, c->couple.along, F->angular);
    }
}

static void push_links(const caromKin *kin, const caromPlacedPoint *c, caromVec3 f, caromSpatial *F_o)
{
    for (int i = 0; i < 2; i++) {
        if (c->link[i] < 0) continue;
        caromVec3 on = i == 0 ? carom_neg(f) : f;
        caromSpatial *F = &F_o[c->link[i]];
        F->linear = carom_add(F->linear, on);
        F->angular = carom_add(F->angular, carom_cross(carom_sub(c->p, kin->links[c->link[i]].o), on));
    }
}

void carom_space_push_links(const caromModel *m, const caromKin *kin, const caromSpace *s, const double *p,
                            caromSpatial *F_o, double *tau)
{
    for (int i = 0; i < s->n; i++) {
        const caromPlacedPoint *c = &s->points[i];
        if (c->limit >= 0) tau[limit_speed(m, c->limit)] += c->sign*p[3*i];
        else push_links(kin, c, carom_space_vector(c, p + 3*i), F_o);
        if (c->couple.arm != 0.0) turn_links(c, c->couple.arm*p[3*i], F_o);
    }
}

void carom_space_push(const caromModel *m, const caromKin *kin, const caromSpace *s, const double *f, caromSpatial *F_C,
                      double *tau)
{
    for (int i = 0; i < s->n; i++) {
        const caromPlacedPoint *c = &s->points[i];
        if (c->limit >= 0) tau[limit_speed(m, c->limit)] += c->sign*f[3*i];
        caromVec3 on_B = carom_space_vector(c, f + 3*i);
        for (int k = 0; k < 2; k++) {
            if (c->link[k] < 0) continue;
            caromVec3 on = k == 0 ? carom_neg(on_B) : on_B;
            caromSpatial *F = &F_C[c->body[k]];
            F->linear = carom_add(F->linear, on);
            F->angular = carom_add(F->angular, carom_cross(carom_sub(c->p, kin->p_WC[c->body[k]]), on));
            if (c->couple.arm == 0.0) continue;
            F->angular = carom_axpy((k == 0 ? -1.0 : 1.0)*c->couple.arm*f[3*i], c->couple.along, F->angular);
        }
    }
}

// How B moves against A at the point of a contact, for a response of the links.
static caromVec3 parting(const caromKin *kin, const caromPlacedPoint *c, const caromSpatial *acc)
{
    caromVec3 sum = { 0, 0, 0 };
    for (int k = 0; k < 2; k++) {
        if (c->link[k] < 0) continue;
        const caromSpatial *a = &acc[c->link[k]];
        caromVec3 here = carom_add(a->linear, carom_cross(a->angular, carom_sub(c->p, kin->links[c->link[k]].o)));
        sum = k == 0 ? carom_sub(sum, here) : carom_add(sum, here);
    }
    return sum;
}

static bool has_couple(const caromPlacedPoint *c)
{
    return carom_dot(c->couple.along, c->couple.along) > 0.0;
}

static caromVec3 turning(const caromPlacedPoint *c, const caromSpatial *acc)
{
    caromVec3 sum = { 0, 0, 0 };
    if (c->link[1] >= 0) sum = acc[c->link[1]].angular;
    return c->link[0] >= 0 ? carom_sub(sum, acc[c->link[0]].angular) : sum;
}

// Column i of H, and the yield.
static void respond_to_couple(const caromModel *m, const caromKin *kin, caromSpace *s, caromDynWork *w, int i)
{
    caromSpaceCouple *couple = &s->points[i].couple;
    memset(s->F_o, 0, (size_t)m->nlink*sizeof *s->F_o);
    memset(s->tau, 0, (size_t)m->nv*sizeof *s->tau);
    turn_links(&s->points[i], 1.0, s->F_o);
    carom_loops_respond(m, kin, s->F_o, s->tau, w, s->dv);
    couple->yield = carom_dot(couple->along, turning(&s->points[i], w->acc));
    for (int k = 0; k < s->n; k++) {
        const caromPlacedPoint *at = &s->points[k];
        double *H = s->H + 3*(size_t)k*(size_t)s->n + (size_t)i;
        caromVec3 a = at->limit >= 0 ? carom_vec(0, 0, 0) : carom_scale(couple->arm, parting(kin, at, w->acc));
        H[0] = at->limit >= 0 ? couple->arm*at->sign*s->dv[limit_speed(m, at->limit)] : carom_dot(at->n, a);
        H[s->n] = carom_dot(at->t1, a);
        H[2*s->n] = carom_dot(at->t2, a);
    }
}

static void respond_to_couples(const caromModel *m, const caromKin *kin, caromSpace *s, caromDynWork *w)
{
    s->has_couples = false;
    for (int i = 0; i < s->n; i++) s->has_couples = s->has_couples || has_couple(&s->points[i]);
    if (!s->has_couples) return;
    memset(s->H, 0, 3*(size_t)s->n*(size_t)s->n*sizeof *s->H);
    for (int i = 0; i < s->n; i++) if (has_couple(&s->points[i])) respond_to_couple(m, kin, s, w, i);
}

// The two ways to a mixed element differ by rounding: their mean makes G symmetric.
static void make_symmetric(int n, double *G)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) G[i*n + k] = G[k*n + i] = 0.5*(G[i*n + k] + G[k*n + i]);
    }
}

// Column of A for component 0..5 of contact i.
static void respond_to_component(const caromModel *m, const caromKin *kin, caromSpace *s, caromDynWork *w, int i,
                                 int component)
{
    caromPlacedPoint c = s->points[i];
    const caromVec3 axes[3] = { c.n, c.t1, c.t2 };
    size_t n = 6*(size_t)s->n, column = 6*(size_t)i + (size_t)component;
    memset(s->F_o, 0, (size_t)m->nlink*sizeof *s->F_o);
    memset(s->tau, 0, (size_t)m->nv*sizeof *s->tau);
    c.couple.along = axes[component % 3];
    if (c.limit >= 0 && component == 0) s->tau[limit_speed(m, c.limit)] = c.sign;
    if (c.limit < 0 && component < 3) push_links(kin, &c, axes[component], s->F_o);
    if (c.limit < 0 && component >= 3) turn_links(&c, 1.0, s->F_o);
    carom_loops_respond(m, kin, s->F_o, s->tau, w, s->dv);
    for (int k = 0; k < s->n; k++) {
        const caromPlacedPoint *at = &s->points[k];
        const caromVec3 frame[3] = { at->n, at->t1, at->t2 };
        double *A = s->A + 6*(size_t)k*n + column;
        caromVec3 a = { 0, 0, 0 }, turn = { 0, 0, 0 };
        if (at->limit < 0) a = parting(kin, at, w->acc), turn = turning(at, w->acc);
        for (size_t e = 0; e < 3; e++) A[e*n] = carom_dot(frame[e], a), A[(3 + e)*n] = carom_dot(frame[e], turn);
        if (at->limit >= 0) A[0] = at->sign*s->dv[limit_speed(m, at->limit)];
    }
}

void carom_space_respond_turning(const caromModel *m, const caromKin *kin, caromSpace *s, caromDynWork *w)
{
    carom_loops_prepare(m, kin, w);
    for (int i = 0; i < s->n; i++) for (int k = 0; k < 6; k++) respond_to_component(m, kin, s, w, i, k);
    make_symmetric(6*s->n, s->A);
}

caromSpaceAnswer carom_space_answer_of(const caromModel *m, const caromKin *kin, const caromDynWork *w,
                                       const double *dv, const caromPlacedPoint *at)
{
    if (at->limit >= 0) return (caromSpaceAnswer){ .v = { at->sign*dv[limit_speed(m, at->limit)], 0.0, 0.0 } };
    caromVec3 a = parting(kin, at, w->acc);
    return (caromSpaceAnswer){ { carom_dot(at->n, a), carom_dot(at->t1, a), carom_dot(at->t2, a) },
                               turning(at, w->acc) };
}

static void respond_to(const caromModel *m, const caromKin *kin, caromSpace *s, caromDynWork *w, int contact,
                       int component)
{
    const caromPlacedPoint *c = &s->points[contact];
    int column = 3*contact + component, n = 3*s->n;
    double *dv = s->L + (size_t)column*(size_t)m->nv;
    if (c->limit >= 0 && component > 0) {  // a limit has one component
        memset(dv, 0, (size_t)m->nv*sizeof *dv);
        for (int i = 0; i < n; i++) s->G[(size_t)i*(size_t)n + (size_t)column] = 0.0;
        return;
    }
    memset(s->F_o, 0, (size_t)m->nlink*sizeof *s->F_o);
    memset(s->tau, 0, (size_t)m->nv*sizeof *s->tau);
    if (c->limit >= 0) s->tau[limit_speed(m, c->limit)] = c->sign;
    else push_links(kin, c, component == 0 ? c->n : component == 1 ? c->t1 : c->t2, s->F_o);
    carom_loops_respond(m, kin, s->F_o, s->tau, w, dv);
    for (int i = 0; i < s->n; i++) {
        caromSpaceAnswer a = carom_space_answer_of(m, kin, w, dv, &s->points[i]);
        for (int k = 0; k < 3; k++) s->G[(size_t)(3*i + k)*(size_t)n + (size_t)column] = a.v[k];
    }
}

void carom_space_respond(const caromModel *m, const caromKin *kin, caromSpace *s, caromDynWork *w)
{
    carom_loops_prepare(m, kin, w);
    for (int i = 0; i < s->n; i++) for (int k = 0; k < 3; k++) respond_to(m, kin, s, w, i, k);
    make_symmetric(3*s->n, s->G);
    respond_to_couples(m, kin, s, w);
}

double carom_space_acceleration(const caromSpace *s, int row)
{
    size_t n = (size_t)s->n;
    const double *G = s->G + 3*(size_t)row*n, *H = s->H + (size_t)row*n;
    double a = s->b[row];
    for (size_t k = 0; k < 3*n; k++) a += G[k]*s->f[k];
    for (size_t k = 0; k < n && s->has_couples; k++) a += H[k]*s->f[3*k];
    return a;
}

// Acceleration of the material point of a link that is at p, and what the moving of the point over the material adds.
static caromVec3 acceleration_at(const caromModel *m, const caromKin *kin, const caromDynWork *w, int link, caromVec3 p,
                                 caromVec3 u)
{
    if (link < 0) return carom_vec(0, 0, 0);
    const caromLinkKin *k = &kin->links[link];
    caromVec3 r = carom_sub(p, k->o), a = carom_add(w->acc[link].linear, m->settings.gravity);
    a = carom_add(a, carom_cross(w->acc[link].angular, r));
    return carom_add(a, carom_cross(k->w, carom_add(carom_cross(k->w, r), u)));
}

void carom_space_accelerate(const caromModel *m, const caromKin *kin, const caromDynWork *w, const double *dv,
                            caromSpace *s)
{
    for (int i = 0; i < s->n; i++) {
        const caromPlacedPoint *c = &s->points[i];
        double *b = s->b + 3*i;
        if (c->limit >= 0) {
            b[0] = c->sign*dv[limit_speed(m, c->limit)];
            b[1] = b[2] = 0.0;
            continue;
        }
        caromVec3 a = carom_sub(acceleration_at(m, kin, w, c->link[1], c->p, c->motion.u_B),
                                acceleration_at(m, kin, w, c->link[0], c->p, c->motion.u_A));
        b[0] = carom_dot(c->n, a) + c->v[1]*carom_dot(c->motion.dn, c->t1) + c->v[2]*carom_dot(c->motion.dn, c->t2);
        b[1] = carom_dot(c->t1, a);
        b[2] = carom_dot(c->t2, a);
    }
}
