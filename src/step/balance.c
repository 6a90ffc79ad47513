// Does a step keep the energy? Where forces have kinks (points of a surface that enter one by one, a damper that lets
// go) the estimate of a method, which belongs to a smooth force, says too little; the ledger knows. And errors of an
// impact's steps, each of them within the tolerance, are losses all.
#include <float.h>
#include <math.h>

#include "step/step.h"

static caromBalanceAt kept_at(caromRun *run, double time, const double *y)
{
    const caromModel *m = run->system.model;
    carom_kin_update(m, time, y, y + m->nq, &run->sampling.kin);
    return (caromBalanceAt){ time, carom_step_energy(run, y).imbalance };
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

// Beyond the reach of an explicit method fast states are off inside of a step, where samples are taken, though its end
// is good. Of a step that is not stable, and so not the last one that is so long.
static double imbalance_inside(caromRun *run, const caromTrial *trial, double theta, double start)
{
    const caromSystem *s = &run->system;
    const caromMethods *m = &run->methods;
    double inside = CAROM_STEP_INSIDE*theta;
    if (m->method->is_stiff || trial->h*s->found.rate < CAROM_STEP_UNSTABLE*m->method->held) return start;
    if (m->method->interpolate(m->stepper, inside, run->y_work, NULL) != CAROM_OK) return start;
    return kept_at(run, s->t_step + inside*trial->h, run->y_work).imbalance;
}

double carom_step_defect(caromRun *run, const caromTrial *trial)
{
    caromSystem *s = &run->system;
    const caromMethods *m = &run->methods;
    double theta = fmin(1.0, trial->event.theta);
    if (!s->response->is_uneven || !s->response->is_uneven(s)) return 0.0;
    if (m->method->interpolate(m->stepper, theta, run->y_work, NULL) != CAROM_OK) return 0.0;
    double start = kept_before(run);
    run->kept_end = kept_at(run, s->t_step + theta*trial->h, run->y_work);
    double at_end = fabs(run->kept_end.imbalance - start),
           inside = CAROM_STEP_DEFECT_INSIDE*fabs(imbalance_inside(run, trial, theta, start) - start);
    return fmax(at_end, inside)/(s->model->settings.tolerance*s->balance.weight);
}
