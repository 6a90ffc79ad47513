// Does a step keep the energy? Where forces have kinks (points of a surface that enter one by one) the estimate of a
// method, which belongs to a smooth force, says too little; the ledger knows.
#include <math.h>

#include "step/step.h"

static double kept_at(caromRun *run, double time, const double *y)
{
    const caromModel *m = run->system.model;
    carom_kin_update(m, time, y, y + m->nq, &run->sampling.kin);
    return carom_step_energy(run, y).imbalance;
}

double carom_step_defect(caromRun *run, const caromTrial *trial)
{
    caromSystem *s = &run->system;
    const caromMethods *m = &run->methods;
    double theta = fmin(1.0, trial->event.theta);
    if (!s->response->is_uneven || !s->response->is_uneven(s)) return 0.0;
    if (m->method->interpolate(m->stepper, theta, run->y_work, NULL) != CAROM_OK) return 0.0;
    double start = kept_at(run, s->t_step, s->y), end = kept_at(run, s->t_step + theta*trial->h, run->y_work);
    return fabs(end - start)/(s->model->settings.tolerance*s->balance.weight);
}
