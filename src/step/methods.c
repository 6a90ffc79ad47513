// Which method: by tolerance, and stiff while the contacts ask for it.
//
// The contacts report their fastest natural rate r. An explicit method whose steps stay at h r > 2 (DP5: 1.5; three
// dice at rest held it at 1.8) is held back by stability, not by accuracy: a body at rest on a stiff contact. Then the
// stiff method takes over; when its steps fall below h r = 0.7, explicit steps of that size are cheaper.
#include <limits.h>

#include <math.h>

#include "base/base.h"
#include "step/step.h"

static const caromMethod *method_of(caromMethodChoice choice, double tolerance)
{
    switch (choice) {
    case CAROM_METHOD_DP5: return &carom_method_dp5;
    case CAROM_METHOD_DOP853: return &carom_method_dop853;
    case CAROM_METHOD_RODAS5P: return &carom_method_rodas5p;
    case CAROM_METHOD_CONVEX: return &carom_method_trbdf2;
    case CAROM_METHOD_CVODE: return carom_method_cvode();
    default: return tolerance >= CAROM_STEP_LOOSE ? &carom_method_dp5 : &carom_method_dop853;
    }
}

// A linear system that is dense and spans all bodies is not for hundreds of them.
static int stiff_states_max(const caromRun *run)
{
    return run->ode.linear ? INT_MAX : CAROM_STEP_STIFF_STATES_MAX;
}

caromStatus carom_step_choose_method(caromRun *run, caromError *err)
{
    const caromSettings *s = &run->system.model->settings;
    caromMethods *m = &run->methods;
    m->explicit_method = method_of(s->method, s->tolerance);
    if (!m->explicit_method) {
        return carom_fail(err, CAROM_ERR_MODEL, "simulate.method",
                          "method '%s' is not available: this carom was built without SUNDIALS; use auto",
                          carom_model_method_name(s->method));
    }
    if (s->method == CAROM_METHOD_CONVEX && !run->ode.stages) {
        return carom_fail(err, CAROM_ERR_MODEL, "simulate.method",
                          "the method 'convex' is for compliant contacts: use auto");
    }
    bool may_switch = s->method == CAROM_METHOD_AUTO && run->system.n <= stiff_states_max(run);
    if (may_switch) m->stiff_method = &carom_method_rodas5p;
    m->explicit_stepper = m->explicit_method->create(&run->ode, &run->tol.norm);
    if (!m->explicit_stepper) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    m->method = m->explicit_method;
    m->stepper = m->explicit_stepper;
    return CAROM_OK;
}

void carom_step_free_methods(caromRun *run)
{
    caromMethods *m = &run->methods;
    if (m->explicit_stepper) m->explicit_method->destroy(m->explicit_stepper);
    if (m->stiff_stepper) m->stiff_method->destroy(m->stiff_stepper);
}

void carom_step_add_counts(caromRun *run)
{
    const caromMethods *m = &run->methods;
    caromCounts a = m->explicit_method->counts(m->explicit_stepper), b = { 0 };
    if (m->stiff_stepper) b = m->stiff_method->counts(m->stiff_stepper);
    caromSimStats *s = &run->system.stats;
    s->steps = a.steps + b.steps;
    s->rejected = a.rejected + b.rejected;
    s->evaluations = a.evaluations + b.evaluations;
    s->jacobians = a.jacobians + b.jacobians;
    s->smallest_step = a.smallest_step;
    bool is_smaller = b.smallest_step > 0.0 && (a.smallest_step == 0.0 || b.smallest_step < a.smallest_step);
    if (is_smaller) s->smallest_step = b.smallest_step;
    s->gap_evaluations = run->system.search.evaluations;
}

static void update_tolerances(caromRun *run, double time)
{
    caromSystem *s = &run->system;
    const caromModel *m = s->model;
    carom_kin_normalize(m, s->y);
    carom_kin_update(m, time, s->y, s->y + m->nq, &s->scratch.kin);
    if (!run->sampler) {  // an island has the weight of the whole
        const double *z = s->y + carom_motion_bristles(m);
        double moved = carom_dyn_kinetic_energy(m, &s->scratch.kin) + carom_world_energy_at(&s->world, &s->scratch.kin,
                                                                                            z);
        s->balance.weight = fmax(s->balance.weight, moved);
    }
    run->tol.is_damped = run->methods.method->is_stiff;
    carom_tolerances_update(m, &s->world.memory, &s->scratch, s->y, s->balance.weight, &run->tol);
    if (run->tol.clamped > s->stats.clamped_tolerances) s->stats.clamped_tolerances = run->tol.clamped;
}

caromStatus carom_step_restart(caromRun *run, double time, double h_hint, caromError *err)
{
    caromSystem *s = &run->system;
    caromMethods *m = &run->methods;
    update_tolerances(run, time);
    run->t_start = s->t_step = time;
    m->calm_signs = 0;
    s->stats.method = m->method->name;
    caromStatus status = m->method->start(m->stepper, time, s->y, h_hint);
    if (status == CAROM_OK) return status;
    const char *name = s->found.bad_body >= 0 ? s->model->bodies[s->found.bad_body].name : "";
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s the motion cannot be evaluated%s%s: "
                      "a value is not finite", time, name[0] ? ", body " : "", name);
}

void carom_step_forget_signs(caromRun *run)
{
    if (!(run->system.response->stiff_gain > 0.0)) run->methods.stiff_signs = 0.0;
}

static caromStatus use(caromRun *run, const caromMethod *method, caromStepper *stepper, double h, caromError *err)
{
    run->methods.method = method;
    run->methods.stepper = stepper;
    run->methods.stiff_signs = run->methods.stiff_length = 0.0;
    run->system.stats.switches++;
    return carom_step_restart(run, run->system.t_step, h, err);
}

// Never used for more states than that: each contact that begins or ends is met by the explicit method.
static caromStepper *create_stiff(const caromRun *run)
{
    caromOde ode = run->ode;
    if (ode.n > stiff_states_max(run)) ode.n = stiff_states_max(run);
    return run->methods.stiff_method->create(&ode, &run->tol.norm);
}

bool carom_step_use_stiff(caromRun *run)
{
    caromMethods *m = &run->methods;
    if (!m->stiff_stepper) m->stiff_stepper = create_stiff(run);
    if (!m->stiff_stepper) return false;
    m->method = m->stiff_method;
    m->stepper = m->stiff_stepper;
    return true;
}

bool carom_step_is_switched(const caromRun *run)
{
    return run->methods.method == run->methods.stiff_method && run->methods.method != run->methods.explicit_method;
}

static bool has_rest(const caromModel *m, const caromContactMemory *memory)
{
    for (int i = 0; i < memory->nactive; i++) if (memory->touch[memory->active[i]].is_lasting) return true;
    for (int i = 0; i < m->nlimit; i++)
        if (memory->limit_is_active[i] && memory->limit_touch[i].is_lasting) return true;
    return false;
}

// An impact is resolved explicitly, whatever held before it, unless contacts that last would hold the explicit method
// back: then when that one is given up is for the signs below to say. More states than the stiff method has room for
// are the explicit one's in any case.
void carom_step_prefer_explicit(caromRun *run)
{
    caromMethods *m = &run->methods;
    bool fits = run->system.n <= stiff_states_max(run);
    if (!m->method->is_stiff || m->method == m->explicit_method) return;
    if (fits && has_rest(run->system.model, &run->system.world.memory)) return;
    m->method = m->explicit_method;
    m->stepper = m->explicit_stepper;
    run->system.stats.switches++;
}

// By how much steps of the stiff method have to be longer, 0: the rate of the contacts decides. Where the explicit one
// felt held, and no contact told so, a motion that turns evenly may feel the same.
static double stiff_gain(const caromRun *run)
{
    double asked = run->system.response->stiff_gain;
    return asked > 0.0 ? asked : run->methods.is_felt ? CAROM_STEP_FELT_GAIN : 0.0;
}

// Where the response says so, the stiff method has to show that its steps are longer, and is tried less and less
// often where they are not. A step that an event cut short shows what it had planned.
static bool is_calm(const caromRun *run, double h)
{
    const caromMethods *m = &run->methods;
    double gain = stiff_gain(run);
    if (gain > 0.0) return fmax(h, m->method->hint(m->stepper)) < gain*m->explicit_step;
    return h*run->system.found.rate < CAROM_STEP_CALM;
}

static int signs_needed(const caromMethods *m)
{
    return m->stiff_needed > 0 ? m->stiff_needed : CAROM_STEP_STIFF_SIGNS;
}

// By the rate that contacts and joints report, or by what the method itself feels: friction of a joint is faster than
// it reports where the other body gives way. Friction that bends inside the step is felt less than it holds; but then
// one step is as long as the other.
static bool is_held(caromRun *run, double h)
{
    caromMethods *m = &run->methods;
    bool is_steady = fabs(h - m->length_before) < CAROM_STEP_STEADY*h;
    m->length_before = h;
    m->is_felt = !(h*run->system.found.rate > m->method->held);
    if (!m->is_felt) return true;
    double felt = m->method->stiffness ? m->method->stiffness(m->stepper) : 0.0;
    return felt > (is_steady ? CAROM_STEP_FELT_STEADY : CAROM_STEP_FELT)*m->method->stable;
}

// Where the stiff method has to show a gain, it may be tried early: signs go on over restarts, and steps that are no
// sign count by their length. A tip that creeps, held by stability, begins to slip and sticks again and again where
// errors grow; the steps after each are short (58,303 steps at tolerance 1e-4, 47 at half of it).
static void count_signs(caromRun *run, double h)
{
    caromMethods *m = &run->methods;
    bool is_sign = is_held(run, h), has_to_gain = run->system.response->stiff_gain > 0.0;
    if (is_sign) m->stiff_signs += 1.0, m->stiff_length = fmax(m->stiff_length, h);
    else if (!has_to_gain) m->stiff_signs = 0.0;
    else if (m->stiff_signs > 0.0) m->stiff_signs = fmax(0.0, m->stiff_signs - h/m->stiff_length);
}

static caromStatus consider_stiff(caromRun *run, double h, caromError *err)
{
    caromMethods *m = &run->methods;
    count_signs(run, h);
    if (m->stiff_signs < signs_needed(m) || run->system.n > stiff_states_max(run)) return CAROM_OK;
    if (!m->stiff_stepper) m->stiff_stepper = create_stiff(run);
    if (!m->stiff_stepper) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    // Each time the stiff phase was left too early, it takes twice as much to leave it again.
    m->calm_needed = m->calm_needed == 0 ? CAROM_STEP_CALM_SIGNS : m->calm_needed < CAROM_STEP_CALM_SIGNS_MAX
                         ? 2*m->calm_needed : CAROM_STEP_CALM_SIGNS_MAX;
    m->explicit_step = h;
    return use(run, m->stiff_method, m->stiff_stepper, h, err);
}

// What was held swings by some tolerances, which the stiff method follows at first in steps as short as they were.
static int calm_needed(const caromRun *run)
{
    if (!(stiff_gain(run) > 0.0)) return run->methods.calm_needed;
    return run->methods.is_felt ? CAROM_STEP_FELT_CALM_SIGNS : CAROM_STEP_CALM_SIGNS;
}

static caromStatus consider_explicit(caromRun *run, double h, caromError *err)
{
    caromMethods *m = &run->methods;
    bool has_to_gain = stiff_gain(run) > 0.0;
    bool is_one = is_calm(run, h);
    m->calm_signs = is_one ? m->calm_signs + 1 : 0;
    // A gain that was shown counts for half of those that were not.
    if (has_to_gain && !is_one) m->stiff_needed /= 2;
    if (m->calm_signs < calm_needed(run)) return CAROM_OK;
    if (has_to_gain && m->stiff_needed < CAROM_STEP_CALM_SIGNS_MAX) m->stiff_needed = 2*signs_needed(m);
    return use(run, m->explicit_method, m->explicit_stepper, h, err);
}

caromStatus carom_step_consider_switch(caromRun *run, double h, caromError *err)
{
    if (!run->methods.stiff_method) return CAROM_OK;
    return run->methods.method->is_stiff ? consider_explicit(run, h, err) : consider_stiff(run, h, err);
}
