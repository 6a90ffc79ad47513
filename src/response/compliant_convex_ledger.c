// The ledger of a step of the method `convex`: over a step the kinetic energy changes by J.(v0 + v1)/2 for each impulse
// J, whatever the method (but for bodies whose inertia turns, by little). Work by powers in the stages would be off by
// a tenth. What springs and gravity have given, and what they have less, differ: that is what the method has lost.
#include <math.h>
#include <string.h>

#include "response/compliant_convex.h"

// ---- forces in a stage

static caromSpatial twist_of(const caromPotential *p, const caromPotentialContact *c)
{
    caromSpatial A = p->bodies[c->body[0]].V, B = p->bodies[c->body[1]].V;
    caromVec3 a = carom_add(A.linear, carom_cross(A.angular, c->lever[0])),
              b = carom_add(B.linear, carom_cross(B.angular, c->lever[1]));
    return (caromSpatial){ carom_sub(B.angular, A.angular), carom_sub(b, a) };
}

static void add_wrench(const caromPotentialContact *c, caromSpatial F, caromSpatial *to)
{
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1.0 : -1.0;
        caromSpatial *at = &to[c->body[side]];
        at->linear = carom_axpy(sign, F.linear, at->linear);
        at->angular = carom_axpy(sign, carom_add(F.angular, carom_cross(c->lever[side], F.linear)), at->angular);
    }
}

static caromSpatial scaled(double s, caromSpatial F)
{
    return (caromSpatial){ carom_scale(s, F.angular), carom_scale(s, F.linear) };
}

static caromSpatial rubbed(const caromPotential *p, const caromPotentialContact *c, int from, int to, caromSpatial V)
{
    caromPotentialContact rubs = *c;
    rubs.npress = 0;
    rubs.rub = from;
    rubs.nrub = to - from;
    return scaled(1.0/p->time, carom_potential_parts(p, &rubs, V, NULL));
}

static caromSpatial damped(const caromPotential *p, const caromPotentialContact *c, caromSpatial V)
{
    caromSpatial sum = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int i = c->press; i < c->press + c->npress; i++) {
        const caromPress *press = &p->press[i];
        double x = carom_dot(press->along.angular, V.angular) + carom_dot(press->along.linear, V.linear), slope;
        double depth = fmax(0.0, press->depth - p->time*x), elastic = press->stiffness*pow(depth, press->power);
        double force = carom_potential_press(press, p->time, x, &slope)/p->time - elastic;
        sum.angular = carom_axpy(force, press->along.angular, sum.angular);
        sum.linear = carom_axpy(force, press->along.linear, sum.linear);
    }
    return sum;
}

static double dot(caromSpatial a, caromSpatial b)
{
    return carom_dot(a.angular, b.angular) + carom_dot(a.linear, b.linear);
}

static void note_pair(const caromPotential *p, const caromConvexHold *hold, caromSpatial *const *F, double *more)
{
    const caromPotentialContact *c = &p->contacts[hold->contact];
    caromSpatial V = twist_of(p, c), all = scaled(1.0/p->time, c->impulse);
    all.angular = carom_add(all.angular, hold->more.angular);
    all.linear = carom_add(all.linear, hold->more.linear);
    const caromSpatial by[CAROM_CONVEX_CLASSES] = { damped(p, c, V), rubbed(p, c, c->rub, hold->first_roll, V),
                                                    rubbed(p, c, hold->first_roll, c->rub + c->nrub, V), all };
    for (int k = 0; k < CAROM_CONVEX_CLASSES; k++) add_wrench(c, by[k], F[k]);
    for (int k = 0; k < CAROM_CONVEX_ALL && hold->is_known; k++) more[k] += hold->power[k] + dot(by[k], V);
}

void carom_compliant_convex_note(const caromConvexStage *s, caromConvex *c)
{
    caromSpatial *const *F = c->F[s->at->number];
    double *more = c->more[s->at->number];
    for (int k = 0; k < CAROM_CONVEX_CLASSES; k++) memset(F[k], 0, (size_t)s->model->nbody*sizeof *F[k]);
    for (int k = 0; k < CAROM_CONVEX_ALL; k++) more[k] = 0.0;
    for (int i = 0; i < s->system->world.memory.nactive; i++)
        if (c->holds[i].contact >= 0) note_pair(s->potential, &c->holds[i], F, more);
}

// ---- work over a step

typedef struct Ends {
    const caromModel *model;
    const caromKin *kin[2];
} Ends;

static double work_on(const Ends *at, caromSpatial F, int body)
{
    caromSpatial a = at->kin[0]->V_WC[body], b = at->kin[1]->V_WC[body];
    return 0.5*(carom_dot(F.angular, carom_add(a.angular, b.angular)) +
                carom_dot(F.linear, carom_add(a.linear, b.linear)));
}

// Of what is moved by time.
static double led_kinetic_energy(const caromModel *m, const caromKin *kin, int body)
{
    const caromLink *link = &m->links[m->bodies[body].link];
    caromVec3 w = carom_tmul(kin->X_WB[body].R, kin->V_WC[body].angular);
    if (link->mass == 0.0) return 0.0;
    return 0.5*(m->bodies[body].props.mass*carom_norm2(kin->V_WC[body].linear) +
                carom_dot(w, carom_mul(m->bodies[body].props.inertia, w)));
}

static double weight_work(const Ends *at, int body, double h)
{
    const caromBody *b = &at->model->bodies[body];
    if (at->model->links[b->link].mass == 0.0) return 0.0;
    caromVec3 shift = carom_sub(at->kin[1]->p_WC[body], at->kin[0]->p_WC[body]);
    bool is_led = at->model->links[b->link].iv < 0;
    if (!is_led) shift = carom_scale(0.5*h, carom_add(at->kin[0]->V_WC[body].linear, at->kin[1]->V_WC[body].linear));
    return b->props.mass*carom_dot(at->model->settings.gravity, shift);
}

typedef struct Work {
    double by[CAROM_CONVEX_CLASSES];  // on all bodies
    double on_led;                    // by contacts and weight, on what is moved by time; less what that takes up
    double by_weight;                 // on all
} Work;

static void add_body(const caromConvex *c, const Ends *at, const caromStageSum *sum, int body, Work *work)
{
    bool is_led = at->model->links[at->model->bodies[body].link].iv < 0;
    for (int stage = 0; stage < CAROM_STAGES; stage++) {
        double part = sum->h*sum->weight[stage];
        for (int k = 0; k < CAROM_CONVEX_CLASSES; k++) work->by[k] += part*work_on(at, c->F[stage][k][body], body);
        if (is_led) work->on_led += part*work_on(at, c->F[stage][CAROM_CONVEX_ALL][body], body);
    }
    double weight = weight_work(at, body, sum->h);
    work->by_weight += weight;
    if (is_led)
        work->on_led += weight - led_kinetic_energy(at->model, at->kin[1], body) +
                        led_kinetic_energy(at->model, at->kin[0], body);
}

static double stored(const caromSystem *s, const caromKin *kin, const double *y)
{
    return carom_world_energy_at(&s->world, kin, y + carom_motion_bristles(s->model)) +
           carom_dyn_potential_energy(s->model, kin);
}

void carom_compliant_convex_account(void *user, const caromStageSum *sum)
{
    const caromSystem *s = user;
    const caromModel *m = s->model;
    caromConvex *c = carom_compliant_of(s)->convex;
    const Ends at = { m, { &c->kin[0], &c->kin[1] } };
    const double *before = sum->y0 + carom_motion_ledger(s->n);
    double *after = sum->y1 + carom_motion_ledger(s->n);
    Work work = { { 0.0 }, 0.0, 0.0 };
    carom_kin_update(m, sum->t, sum->y0, sum->y0 + m->nq, &c->kin[0]);
    carom_kin_update(m, sum->t + sum->h, sum->y1, sum->y1 + m->nq, &c->kin[1]);
    for (int body = 0; body < m->nbody; body++)
        if (m->bodies[body].link >= 0) add_body(c, &at, sum, body, &work);
    for (int stage = 0; stage < CAROM_STAGES; stage++)
        for (int k = 0; k < CAROM_CONVEX_ALL; k++) work.by[k] -= sum->h*sum->weight[stage]*c->more[stage][k];
    double lost = work.by[CAROM_CONVEX_DAMPING] + work.by[CAROM_CONVEX_FRICTION] + work.by[CAROM_CONVEX_ROLLING],
           given = stored(s, at.kin[0], sum->y0) - stored(s, at.kin[1], sum->y1);
    after[CAROM_LEDGER_DAMPING] = before[CAROM_LEDGER_DAMPING] - work.by[CAROM_CONVEX_DAMPING];
    after[CAROM_LEDGER_FRICTION] = before[CAROM_LEDGER_FRICTION] - work.by[CAROM_CONVEX_FRICTION];
    after[CAROM_LEDGER_ROLLING] = before[CAROM_LEDGER_ROLLING] - work.by[CAROM_CONVEX_ROLLING];
    after[CAROM_LEDGER_NUMERICAL] = before[CAROM_LEDGER_NUMERICAL] + given - work.by_weight -
                                    (work.by[CAROM_CONVEX_ALL] - lost);
    after[CAROM_LEDGER_SUPPLIED] = before[CAROM_LEDGER_SUPPLIED] - work.on_led;
}
