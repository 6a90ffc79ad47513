// What resists rolling and spinning at a contact of rigid bodies: a couple in proportion to its normal force.
//
//     tau = -L f_n (mu_r w_t + mu_t w_n)/reg(|w|, w_small)
//
// as with compliant bodies (contact/forces.c, docs/contact.md). It is known from the state but for f_n, and goes into
// the equations of the forces beside sliding friction (unilateral/unilateral.h, H). At impacts, and while forces are
// held, couples follow when normal impulses are known (impact/turning.c).
#include <string.h>

#include "contact/contact.h"
#include "response/rigid.h"

double carom_rigid_resistance_length(const caromModel *m, int pair)
{
    const caromPairLaw *law = carom_model_law_of(m, pair);
    bool resists = law->rolling > 0.0 || law->torsion > 0.0;
    return resists ? carom_patch_length(m, pair, carom_patch_pair_contact(m, pair)) : 0.0;
}

// Without a turn there is no couple, but its yield says how stiff it is.
static caromSpaceCouple couple_of(const caromRigid *r, int pair, const caromPlacedPoint *at)
{
    const caromPairLaw *law = carom_model_law_of(r->model, pair);
    double spin = carom_dot(at->n, at->w), w = carom_norm(at->w);
    caromVec3 against = carom_axpy(-law->rolling, at->w, carom_scale((law->rolling - law->torsion)*spin, at->n)),
              idle = law->torsion > law->rolling ? at->n : at->t1;
    return (caromSpaceCouple){ .along = carom_unit_or(against, idle),
                               .arm = r->resistance[pair]*carom_norm(against)/
                                      carom_contact_regularized(w, r->model->settings.w_small) };
}

void carom_rigid_resist(const caromRigid *r, const caromContactPoint *contacts, caromSpace *s)
{
    for (int i = 0; i < s->n; i++) {
        bool resists = s->points[i].limit < 0 && r->resistance[contacts[i].about.index] > 0.0;
        if (resists) s->points[i].couple = couple_of(r, contacts[i].about.index, &s->points[i]);
    }
}

// d tau/dw is steepest at rest, 3 L mu f_n/w_small, and L mu f_n/|w| across a turn that is fast; the points of a pair
// together.
double carom_rigid_resistance_rate(const caromRigid *r, const caromSpace *s, int i)
{
    const caromPlacedPoint *at = &s->points[i];
    if (!(at->couple.yield > 0.0)) return 0.0;
    int pair = r->contacts[i].about.index;
    const caromPairLaw *law = carom_model_law_of(r->model, pair);
    return r->resistance[pair]*fmax(law->rolling, law->torsion)*carom_rigid_pressing(r, s, i)*at->couple.yield/
           carom_contact_regularized(carom_norm(at->w), r->model->settings.w_small);
}

// ---- impulses

static caromImpactTurn turn_of(const caromRigid *r, int i, const double p[3], const double v[3])
{
    caromConstraint about = r->event.found[i].about;
    caromImpactTurn turn = { .bound = 0.0 };
    if (about.kind == CAROM_CONSTRAINT_LIMIT || !(p[0] > 0.0)) return turn;
    const caromPairLaw *law = carom_model_law_of(r->model, about.index);
    turn.torsion = law->torsion;
    turn.rolling = law->rolling;
    turn.p_n = p[0];
    turn.bound = r->resistance[about.index]*p[0];
    if (law->friction > 0.0 && hypot(v[1], v[2]) <= carom_rigid_small_slip(r)) {
        turn.friction = fmax(law->static_friction*p[0], hypot(p[1], p[2]));
        memcpy(turn.p_t, p + 1, sizeof turn.p_t);
    }
    return turn;
}

// How contact i moves after the impulses p, without couples.
static void set_velocity(const caromSpace *s, int i, const double *p, const double *v, double *u)
{
    const caromPlacedPoint *at = &s->points[i];
    const caromVec3 axes[3] = { at->n, at->t1, at->t2 };
    size_t n = 6*(size_t)s->n;
    memcpy(u + 6*i, v + 3*i, 3*sizeof *u);
    for (int k = 0; k < 3; k++) {
        const double *row = s->A + (6*(size_t)i + 3 + (size_t)k)*n;
        double sum = carom_dot(axes[k], at->w);
        for (int j = 0; j < s->n; j++) for (int e = 0; e < 3; e++) sum += row[6*j + e]*p[3*j + e];
        u[6*i + 3 + k] = at->limit < 0 ? sum : 0.0;
    }
}

bool carom_rigid_turn(caromSystem *sys, double *p, double *v)
{
    caromRigid *r = carom_rigid_of(sys);
    caromRigidEvent *e = &r->event;
    caromSpace *s = r->space;
    bool resists = false;
    for (int i = 0; i < s->n; i++) {
        e->turns[i] = turn_of(r, i, p + 3*i, v + 3*i);
        resists = resists || e->turns[i].bound > 0.0;
    }
    if (!resists) return false;
    carom_space_respond_turning(sys->model, &sys->scratch.kin, s, &sys->scratch.work);
    for (int i = 0; i < s->n; i++) set_velocity(s, i, p, v, e->u);
    carom_impact_turning(s->n, e->turns, s->A, e->u, e->turned, e->x);
    for (int i = 0; i < s->n; i++) {
        const double *x = e->x + 6*i;
        caromVec3 couple = carom_space_vector(&s->points[i], x + 3);
        double size = carom_norm(couple);
        for (int k = 0; k < 3; k++) p[3*i + k] += x[k];
        memcpy(v + 3*i, e->turned + 6*i, 3*sizeof *v);
        s->points[i].couple = size > 0.0 ? (caromSpaceCouple){ carom_scale(1.0/size, couple), size/p[3*i], 0.0 }
                                         : (caromSpaceCouple){ .arm = 0.0 };
    }
    return true;
}
