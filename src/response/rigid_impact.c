// Impacts of everything that touches, and what is left of speeds after them.
#include <math.h>
#include <string.h>

#include "response/rigid.h"

double carom_rigid_restitution(const caromRigid *r, caromConstraint c, double speed)
{
    const caromModel *m = r->model;
    if (c.kind == CAROM_CONSTRAINT_LIMIT) return m->limits[c.index].restitution;
    return carom_model_law_restitution(carom_model_law_of(m, c.index), speed);
}

caromImpactContact carom_rigid_blow(const caromRigid *r, caromConstraint c, const double v[3])
{
    const caromModel *m = r->model;
    caromImpactContact blow = { .stiffness = 1.0, .delta = m->settings.v_small, .law = CAROM_IMPACT_ENERGETIC };
    blow.restitution = carom_rigid_restitution(r, c, fmax(0.0, -v[0]));
    if (c.kind == CAROM_CONSTRAINT_LIMIT) return blow;
    const caromPairLaw *law = carom_model_law_of(m, c.index);
    blow.friction = law->friction;
    blow.static_friction = law->static_friction;
    blow.law = law->impact;
    return blow;
}

// Work of the motions that are prescribed: what their joints transmit along their axes, at the speed that they do not
// change.
static void book_motions(caromSystem *sys, double time)
{
    const caromModel *m = sys->model;
    const caromKin *kin = &sys->scratch.kin;
    double *ledger = carom_response_ledger(sys);
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (!link->motion) continue;
        caromSpatial p = carom_rigid_of(sys)->event.reactions[k], S = kin->S[link->is];
        ledger[CAROM_LEDGER_SUPPLIED] += carom_function_at(link->motion, time).rate*(carom_dot(S.angular, p.angular) +
                                                                                     carom_dot(S.linear, p.linear));
    }
}

// Work of the impulses p, and of couples that go with them, from velocities of their points as they were placed and how
// the state that is made of them changes these.
static double work_of(const caromSystem *sys, const double *p)
{
    const caromSpace *s = carom_rigid_of(sys)->space;
    double work = 0.0;
    for (int i = 0; i < s->n; i++) {
        const caromPlacedPoint *at = &s->points[i];
        caromSpaceAnswer answer = carom_space_answer_of(sys->model, &sys->scratch.kin, &sys->scratch.work,
                                                        carom_rigid_of(sys)->event.speeds, at);
        for (int k = 0; k < 3; k++) work += p[3*i + k]*(at->v[k] + 0.5*answer.v[k]);
        if (at->couple.arm != 0.0)
            work += at->couple.arm*p[3*i]*carom_dot(at->couple.along, carom_axpy(0.5, answer.w, at->w));
    }
    return work;
}

// The state with the impulses p of all contacts, and what joints transmit of them; returns their work.
static double apply(caromSystem *sys, double time, const double *p)
{
    const caromModel *m = sys->model;
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    caromKin *kin = &sys->scratch.kin;
    memset(s->F_o, 0, (size_t)m->nlink*sizeof *s->F_o);
    memset(s->tau, 0, (size_t)m->nv*sizeof *s->tau);
    carom_space_push_links(m, kin, s, p, s->F_o, s->tau);
    carom_loops_respond(m, kin, s->F_o, s->tau, &sys->scratch.work, r->event.speeds);
    for (int i = 0; i < m->nv; i++) sys->y[m->nq + i] += r->event.speeds[i];
    double work = work_of(sys, p);
    carom_dyn_articulated_response_reactions(m, kin, s->F_o, &sys->scratch.work, r->event.reactions);
    book_motions(sys, time);
    for (int k = 0; k < m->njoint; k++) {
        int link = m->joints[k].link;
        r->event.joint_impulses[k] = link >= 0 ? r->event.reactions[link] : (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
    }
    return work;
}

static double lost(caromSystem *sys)
{
    const double *ledger = carom_response_ledger(sys);
    return ledger[CAROM_LEDGER_DAMPING] + ledger[CAROM_LEDGER_FRICTION] + ledger[CAROM_LEDGER_ROLLING];
}

static double impact_tolerance(const caromRigid *r)
{
    return fmin(CAROM_RIGID_IMPACT_TOLERANCE, r->model->settings.tolerance);
}

// What the impulses p lost beyond what was booked, as far as the tolerance of impacts explains it: a mechanism that is
// all but stretched out, or wedged, answers to impulses along it by so little that few digits of that are true.
// Impulses along it are large, and so is what they lose (random scene 745090: 249 N s stop 4e-7 m/s, 68 tolerances).
static void book_rest(caromSystem *sys, const double *p, double rest)
{
    const caromRigid *r = carom_rigid_of(sys);
    size_t n = 3*(size_t)r->space->n;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) for (size_t k = 0; k < n; k++) sum += fabs(p[i]*r->space->G[i*n + k]*p[k]);
    double most = impact_tolerance(r)*sum;
    carom_response_ledger(sys)[CAROM_LEDGER_DAMPING] += fmin(most, fmax(-most, rest));
}

// With Poisson's law the normal force may give back more than it took, at the cost of the slip: that much is not lost
// to friction, and no loss ever falls.
static void book(caromSystem *sys, const caromImpactOutcome *o)
{
    double *ledger = carom_response_ledger(sys);
    double normal = -(o->compression + o->restitution), friction = -o->friction;
    if (normal < 0.0 && friction > 0.0) {
        double taken = fmin(-normal, friction);
        normal += taken;
        friction -= taken;
    }
    ledger[CAROM_LEDGER_DAMPING] += normal;
    ledger[CAROM_LEDGER_FRICTION] += friction;
}

bool carom_rigid_place(caromSystem *sys, double time, int n)
{
    const caromModel *m = sys->model;
    const caromRigid *r = carom_rigid_of(sys);
    caromKin *kin = &sys->scratch.kin;
    carom_kin_update(m, time, sys->y, sys->y + m->nq, kin);
    if (!carom_dyn_articulated_factor(m, kin, &sys->scratch.work)) return false;
    carom_space_place(m, kin, sys->y, r->event.found, n, r->space);
    carom_space_respond(m, kin, r->space, &sys->scratch.work);
    return true;
}

double carom_rigid_small_slip(const caromRigid *r)
{
    return fmax(r->scales.slip, r->stopped);
}

double carom_rigid_small_speed(const caromRigid *r, double fastest)
{
    return fmax(r->clock.rest_speed, CAROM_RIGID_REST_OF_FASTEST*fastest);
}

// Couples against turning, and what holds contacts against them: all but friction is booked with the couples.
static void turn(caromSystem *sys, double *p)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromRigidEvent *e = &r->event;
    if (!carom_rigid_turn(sys, p, r->event.v)) return;
    for (int i = 0; i < r->space->n; i++) {
        const double *x = e->x + 6*i, *before = e->u + 6*i, *after = e->turned + 6*i;
        double rubbed = 0.5*(x[1]*(before[1] + after[1]) + x[2]*(before[2] + after[2])), whole = 0.0;
        for (int k = 0; k < 6; k++) whole += 0.5*x[k]*(before[k] + after[k]);
        r->event.outcomes[i].friction += fmin(rubbed, 0.0);
        memcpy(r->event.outcomes[i].p, p + 3*i, 3*sizeof *p);
        carom_response_ledger(sys)[CAROM_LEDGER_ROLLING] -= whole - fmin(rubbed, 0.0);
    }
}

// The fastest approach of the pair of each contact, told once: by its first contact in the list.
static void note_decay(caromRigid *r)
{
    for (int i = 0; i < r->space->n; i++) {
        caromConstraint about = r->event.found[i].about;
        if (carom_rigid_point_of_pair(r, i) > 0) continue;
        double speed = 0.0;
        for (int k = i; k < r->space->n; k++)
            if (carom_model_constraint_is(r->event.found[k].about, about))
                speed = fmax(speed, -r->space->points[k].v[0]);
        if (speed <= r->scales.speed) continue;
        caromDecay *d = &r->decay[carom_model_constraint_number(r->model, about)];
        double ratio = d->speed > 0.0 ? speed/d->speed : 0.0;
        *d = (caromDecay){ speed, ratio, fabs(ratio - d->ratio) < CAROM_RIGID_STEADY*ratio };
    }
}

// Impulses of the outcomes, with the couples that follow them, of contacts that have v after the impact.
static void carry_out(caromSystem *sys, double time)
{
    caromRigid *r = carom_rigid_of(sys);
    double *p = r->space->f, before = lost(sys);
    for (int i = 0; i < r->space->n; i++) memcpy(p + 3*i, r->event.outcomes[i].p, 3*sizeof *p);
    turn(sys, p);
    double work = apply(sys, time, p);
    for (int i = 0; i < r->space->n; i++) if (r->event.outcomes[i].p[0] > 0.0) book(sys, &r->event.outcomes[i]);
    book_rest(sys, p, before - work - lost(sys));
}

// Those of forces are not those of impulses, which follow when these are known.
static void clear_couples(caromSpace *s)
{
    for (int i = 0; i < s->n; i++) s->points[i].couple = (caromSpaceCouple){ .arm = 0.0 };
}

caromStatus carom_rigid_strike(caromSystem *sys, double time, double fastest)
{
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    int n = s->n;
    carom_rigid_spread(r, &sys->scratch.kin, r->event.found, carom_rigid_small_slip(r), true, s);
    clear_couples(s);
    for (int i = 0; i < n; i++) {
        memcpy(r->event.v + 3*i, s->points[i].v, 3*sizeof *r->event.v);
        r->event.blows[i] = carom_rigid_blow(r, r->event.found[i].about, s->points[i].v);
        if (s->points[i].spread.is_spread) r->event.blows[i].friction *= s->points[i].spread.share;
    }
    caromImpactProblem problem =
        { .n = n, .contacts = r->event.blows, .G = s->G, .scheme = sys->model->settings.impacts,
          .exponent = sys->model->settings.impact_exponent, .v_tol = carom_rigid_small_speed(r, fastest),
          .tolerance = impact_tolerance(r) };
    note_decay(r);
    caromImpactReport report = carom_impact_solve(&problem, r->event.v, r->event.outcomes, r->event.impact);
    carry_out(sys, time);
    for (int i = 0; i < n; i++) {
        if (!(r->event.outcomes[i].p[0] > 0.0)) continue;
        caromStatus status = carom_rigid_tell_impact(sys, time, i, r->event.v + 3*i, &report);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// A slip that counts as none, of a contact that may stick, is none: what rolls has accelerations that fit only then.
// The tip and the rim of a cone that rolls on its side keep their distance; with 1e-8 m/s across it they would not.
static bool is_slip_none(const caromRigid *r, int i)
{
    const caromSpace *s = r->space;
    const caromPlacedPoint *at = &s->points[i];
    if (!r->is_sharp || at->limit >= 0) return false;
    return carom_model_law_of(r->model, r->event.found[i].about.index)->friction > 0.0 &&
           hypot(at->v[1], at->v[2]) <= carom_rigid_small_slip(r);
}

void carom_rigid_stop(caromSystem *sys, double time)
{
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    int n = s->n;
    for (int i = 0; i < n; i++) {
        bool sticks = is_slip_none(r, i);
        s->stays[i] = carom_rigid_equality(sticks);
        memcpy(s->b + 3*i, s->points[i].v, 3*sizeof *s->b);
        if (!sticks) s->b[3*i + 1] = s->b[3*i + 2] = 0.0;
    }
    caromStayProblem problem = carom_space_problem(s);
    if (!carom_unilateral_equalities(&problem, s->f, s->work)) return;
    double *ledger = carom_response_ledger(sys), before = lost(sys);
    for (int i = 0; i < n; i++) {
        const double *v = s->points[i].v, *f = s->f + 3*i;
        ledger[CAROM_LEDGER_DAMPING] -= 0.5*f[0]*v[0];
        ledger[CAROM_LEDGER_FRICTION] -= 0.5*(f[1]*v[1] + f[2]*v[2]);
    }
    double work = apply(sys, time, s->f);
    book_rest(sys, s->f, before - work - lost(sys));
}

// By which a pair gives way in a jam [N/m]: as given for it, where that is a linear spring; else of its materials over
// the size of the smallest body.
static double jam_stiffness(const caromRigid *r, int pair)
{
    const caromPairLaw *law = carom_model_law_of(r->model, pair);
    bool is_linear = law->stiffness > 0.0 && law->exponent == 1.0;
    return is_linear ? law->stiffness : law->E_star*r->scales.size;
}

// Friction has locked a contact as soon as its forces blow up, a little before A = G_nn - mu d.G_nt is 0: with the
// friction that makes it -A an impulse without approach begins there. Newton's laws know none.
static caromImpactContact jam_of(const caromRigid *r, caromConstraint c, const double G[9], const double v[3])
{
    caromImpactContact blow = carom_rigid_blow(r, c, v);
    double slip = hypot(v[1], v[2]), along = slip > 0.0 ? blow.friction*(v[1]*G[1] + v[2]*G[2])/slip : 0.0;
    if (along < G[0] && along >= (1.0 - 2.0*CAROM_RIGID_UNSOUND)*G[0]) {
        blow.friction *= (2.0*G[0] - along)/along;
        blow.static_friction = fmax(blow.static_friction, blow.friction);
    }
    blow.law = CAROM_IMPACT_ENERGETIC;
    return blow;
}

// Of all contacts that are placed, with the impulses of the outcomes.
static void set_velocities_after(caromRigid *r)
{
    const caromSpace *s = r->space;
    size_t n = 3*(size_t)s->n;
    for (size_t k = 0; k < n; k++) {
        r->event.v[k] = s->points[k/3].v[k % 3];
        for (size_t j = 0; j < n; j++) r->event.v[k] += s->G[k*n + j]*r->event.outcomes[j/3].p[j % 3];
    }
}

caromStatus carom_rigid_pass_jam(caromSystem *sys, double time, int worst)
{
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    int n = s->n;
    double G[9], v[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) G[3*i + k] = s->G[(size_t)(3*worst + i)*3*(size_t)n + (size_t)(3*worst + k)];
    memcpy(v, s->points[worst].v, sizeof v);
    caromEvent event = carom_rigid_event_of(sys, CAROM_EVENT_JAM, time, &r->event.found[worst], &s->points[worst]);
    event.jam.slip_speed = hypot(v[1], v[2]);
    caromStatus status = carom_response_tell(sys, &event);
    if (status != CAROM_OK) return status;
    memset(r->event.outcomes, 0, (size_t)n*sizeof *r->event.outcomes);
    r->event.blows[worst] = jam_of(r, r->event.found[worst].about, G, v);
    v[0] = fmin(v[0], 0.0);
    bool is_spring = sys->model->settings.jam == CAROM_JAM_COMPLIANCE &&
                     r->event.found[worst].about.kind == CAROM_CONSTRAINT_PAIR;
    if (is_spring)
        carom_impact_compliant(&r->event.blows[worst], G, s->b + 3*worst,
                               jam_stiffness(r, r->event.found[worst].about.index), v, &r->event.outcomes[worst]);
    else carom_impact_single(&r->event.blows[worst], G, CAROM_RIGID_JAM_TOLERANCE, v, &r->event.outcomes[worst]);
    clear_couples(s);
    set_velocities_after(r);
    carry_out(sys, time);
    caromImpactReport report = { .waves = 1, .jammed = worst, .scheme = sys->model->settings.impacts };
    return carom_rigid_tell_impact(sys, time, worst, r->event.v + 3*worst, &report);
}
