// Does a step keep the energy? Where forces have kinks (points of a surface that enter one by one, a damper that lets
// go) the estimate of a method, which belongs to a smooth force, says too little; the ledger knows. In flight it says
// nothing of the interpolant, and errors that all go one way (a spring that is damped) are losses that add up. And
// errors of an impact's steps, each of them within the tolerance, are losses all.
#include <float.h>
#include <math.h>

#include "step/step.h"

static double tolerance_of_all(const caromRun *run)
{
    return run->system.model->settings.tolerance*run->system.balance.weight;
}

static double tolerance_of(const caromRun *run)
{
    const caromBalance *b = &run->system.balance;
    double tolerance = tolerance_of_all(run);
    // A method of low order is off by as much as it may be: then each body by its share.
    return run->methods.method->ends_only && b->share > 0.0 ? b->share*tolerance : tolerance;
}

// What energies are that are added up: no sum of them is known better than to some roundings of that.
static double size_of(const caromRun *run, const caromEnergy *e)
{
    return e->kinetic + fabs(e->potential) + fabs(run->system.balance.potential_start) + e->elastic + e->springs +
           e->damping + e->friction + e->rolling + e->joints + fabs(e->supplied);
}

static caromBalanceAt kept_at(caromRun *run, double time, const double *y)
{
    const caromModel *m = run->system.model;
    carom_kin_update(m, time, y, y + m->nq, &run->sampling.kin);
    caromEnergy e = carom_step_energy(run, y);
    // Whatever a method loses by itself is off, whether it is told or not.
    double rounding = CAROM_STEP_ENERGY_ROUNDINGS*DBL_EPSILON*size_of(run, &e);
    return (caromBalanceAt){ time, e.imbalance - e.numerical, rounding };
}

static bool is_at(const caromBalanceAt *at, double time)
{
    return at->time > 0.0 && fabs(at->time - time) <= CAROM_STEP_TICKS*DBL_EPSILON*time;
}

// A step begins where the last one ended, or as the one that it takes the place of.
static double kept_before(caromRun *run)
{
    caromSystem *s = &run->system;
    if (is_at(&run->kept_end, s->t_step)) run->kept_start = run->kept_end;
    else if (!is_at(&run->kept_start, s->t_step)) run->kept_start = kept_at(run, s->t_step, s->y);
    return run->kept_start.imbalance;
}

void carom_step_forget_balance(caromRun *run)
{
    run->kept_start = run->kept_end = (caromBalanceAt){ 0 };
}

// What goes the way in which energies are off already, by more than a tolerance, counts for more: errors that all go
// one way add up to some tolerances however many steps a run takes. Rounding is not resolved by short steps.
static double urgency(const caromRun *run, double change, double rounding)
{
    double tolerance = tolerance_of_all(run), drift = fabs(run->system.balance.drift)/tolerance;
    if (!(run->system.balance.drift*change > 0.0 && drift > 1.0)) return 1.0;
    double factor = exp(fmin(drift, CAROM_STEP_DRIFT_MOST) - 1.0);
    return factor*rounding > CAROM_STEP_DEFECT_EVEN*tolerance ? 1.0 : factor;
}

// Of the part of the step up to theta, in tolerances; 0: it cannot be told.
static double defect_at(caromRun *run, const caromTrial *trial, double theta, caromBalanceAt *end)
{
    caromSystem *s = &run->system;
    const caromMethods *m = &run->methods;
    if (m->method->interpolate(m->stepper, theta, run->y_work, NULL) != CAROM_OK) return 0.0;
    double start = kept_before(run);
    *end = kept_at(run, s->t_step + theta*trial->h, run->y_work);
    double change = end->imbalance - start;
    return fabs(change)/tolerance_of(run)*urgency(run, change, end->rounding);
}

static caromEvenness evenness(const caromRun *run)
{
    const caromSystem *s = &run->system;
    return s->response->evenness ? s->response->evenness(s) : CAROM_EVEN;
}

// The size of a step that is off by what it may be, where forces are smooth: the energy of order p is off by h^(p + 1).
static double suitable(const caromRun *run, double h, double defect)
{
    double power = 1.0/(run->methods.method->order + 1);
    return CAROM_STEP_DEFECT_SAFETY*h*pow(CAROM_STEP_DEFECT_EVEN/defect, power);
}

// The end of the step may be good and its interpolant is not: then a step up to the event is made.
static caromRemedy smooth_remedy(caromRun *run, const caromTrial *trial, double theta, double defect)
{
    caromBalanceAt end;
    double whole = theta < 1.0 ? defect_at(run, trial, 1.0, &end) : defect;
    if (!(whole > CAROM_STEP_DEFECT_EVEN)) return (caromRemedy){ theta*trial->h, true, defect };
    double h = fmax(CAROM_STEP_DEFECT_SHRINK*trial->h, suitable(run, trial->h, whole));
    return (caromRemedy){ fmin(h, CAROM_STEP_DEFECT_SAFETY*trial->h), false, defect };
}

// A point of a surface that dips into the other body, and is out again before the step ends, may do so between the
// stages of the method: then neither the estimate nor the end of the step knows of it. Energies of the interpolant, in
// tolerances, do.
static const double looks_inside[] = { 0.17267316464601142810, 0.5, 0.82732683535398857190 };  // of Lobatto's rule

static double defect_inside(caromRun *run, const caromTrial *trial, double theta)
{
    const caromSystem *s = &run->system;
    const caromMethods *m = &run->methods;
    double worst = 0.0, start = kept_before(run);
    for (size_t i = 0; i < sizeof looks_inside/sizeof *looks_inside; i++) {
        double at = looks_inside[i]*theta;
        if (m->method->interpolate(m->stepper, at, run->y_work, NULL) != CAROM_OK) return worst;
        caromBalanceAt here = kept_at(run, s->t_step + at*trial->h, run->y_work);
        double off = fabs(here.imbalance - start);
        if (off > here.rounding) worst = fmax(worst, off/tolerance_of(run));
    }
    return worst;
}

// A shorter step has to be better: else it is rounding that does not add up, and no step would.
static bool is_in_vain(const caromRemedy *before, double defect)
{
    return before->h > 0.0 && !(defect < CAROM_STEP_DEFECT_LESS*before->defect);
}

static caromRemedy kinked_remedy(caromRun *run, const caromTrial *trial, double theta, double defect)
{
    bool is_good = !(defect > CAROM_STEP_DEFECT);
    if (is_good && evenness(run) == CAROM_DOTTED)
        is_good = !(defect_inside(run, trial, theta) > CAROM_STEP_DEFECT_INSIDE);
    return (caromRemedy){ is_good ? 0.0 : 0.5*trial->h, false, defect };
}

caromRemedy carom_step_remedy(caromRun *run, const caromTrial *trial, const caromRemedy *before)
{
    double theta = fmin(1.0, trial->event.theta);
    caromEvenness even = evenness(run);
    caromRemedy none = { 0.0, false, 0.0 };
    if (even == CAROM_BLURRED) return none;
    none.defect = defect_at(run, trial, theta, &run->kept_end);
    bool is_rounding = run->kept_end.rounding > CAROM_STEP_DEFECT_EVEN*tolerance_of(run);
    if (even == CAROM_EVEN && (is_rounding || is_in_vain(before, none.defect))) none.defect = 0.0;
    if (even != CAROM_EVEN) return kinked_remedy(run, trial, theta, none.defect);
    return none.defect > CAROM_STEP_DEFECT_EVEN ? smooth_remedy(run, trial, theta, none.defect) : none;
}

void carom_step_hold(caromRun *run, const caromTrial *trial, double defect)
{
    const caromMethods *m = &run->methods;
    bool is_whole = trial->event.theta >= 1.0;
    if (is_whole && defect > 0.0 && evenness(run) == CAROM_EVEN && m->method->hold)
        m->method->hold(m->stepper, suitable(run, trial->h, defect));
}

// What contacts found in evaluations for a sample is not of the step.
static caromStatus refine(caromRun *run, double theta, double *y)
{
    const caromMethods *m = &run->methods;
    caromFindings found = run->system.found;
    if (!m->method->refine) return CAROM_RETRY;
    caromStatus status = m->method->refine(m->stepper, theta, y);
    run->system.found = found;
    return status;
}

// In contact energies are dear, and steps short. Beyond the reach of an explicit method fast states are off inside of a
// step, though its end is good. What rests exactly does not slip at the end, but in the stages of the interpolant
// rounding has grown to slips at which friction is slow.
static bool may_be_off_inside(const caromRun *run, double h)
{
    const caromMethod *method = run->methods.method;
    caromEvenness even = evenness(run);
    if (even == CAROM_EVEN || even == CAROM_BLURRED) return even == CAROM_EVEN;
    double rate = fmax(run->end_rate, run->system.found.rate);
    if (method->ends_only) return true;
    return !method->is_stiff && h*rate >= CAROM_STEP_UNSTABLE*method->held;
}

caromStatus carom_step_state_at(caromRun *run, double time, double h, double *y)
{
    const caromMethods *m = &run->methods;
    double theta = fmin(1.0, (time - run->system.t_step)/h);
    caromStatus status = m->method->interpolate(m->stepper, theta, y, NULL);
    if (status != CAROM_OK || theta >= 1.0 || !may_be_off_inside(run, h)) return status;
    double start = kept_before(run);
    caromBalanceAt here = kept_at(run, time, y);
    double off = fabs(here.imbalance - start), allowed = CAROM_STEP_DEFECT_INSIDE*tolerance_of(run);
    if (!(off > fmax(allowed, here.rounding)) || refine(run, theta, y) != CAROM_OK) return CAROM_OK;
    return fabs(kept_at(run, time, y).imbalance - start) < off ? CAROM_OK
           : m->method->interpolate(m->stepper, theta, y, NULL);
}
