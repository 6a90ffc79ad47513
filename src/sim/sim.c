// The loop over time: a simulation from its start to its end.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "carom/sim.h"
#include "sim/sim.h"

// What is left of assembling goes by the change that is least in the mass metric, as drift does later.
static caromStatus assemble(caromSystem *s, caromError *err)
{
    const caromModel *m = s->model;
    caromStatus status = carom_dyn_assemble(m, s->y, s->y + m->nq, err);
    if (status != CAROM_OK || m->nloop == 0) return status;
    caromLoopResidual left;
    carom_loops_project_position(m, 0.0, s->y, &s->scratch.kin, &s->scratch.work, &left);
    carom_loops_project_velocity(m, 0.0, s->y, s->y + m->nq, &s->scratch.kin, &s->scratch.work);
    return CAROM_OK;
}

static caromStatus set_start(caromRun *run, caromError *err)
{
    caromSystem *s = &run->system;
    const caromModel *m = s->model;
    caromKin *kin = &run->sampling.kin;
    memset(s->y, 0, (size_t)s->n*sizeof *s->y);
    caromStatus status = assemble(s, err);
    if (status != CAROM_OK) return status;
    carom_kin_update(m, 0.0, s->y, s->y + m->nq, kin);
    carom_dyn_rest_lengths(m, kin, &s->scratch.work);
    s->search.margin = carom_world_margin_at(m, kin);
    s->search.hovering = CAROM_EVENTS_HOVERING*s->search.margin;
    status = s->response->start(s, err);
    if (status != CAROM_OK) return status;
    s->balance.potential_start = carom_dyn_potential_energy(m, kin);
    s->balance.start = carom_step_energy(run, s->y).imbalance;
    s->balance.weight = carom_tolerances_energy_floor(m);
    return carom_step_restart(run, 0.0, carom_step_hint_at_start(run), err);
}

static caromStatus prepare(caromSim *sim, const caromModel *model, const caromSink *sink, caromError *err)
{
    caromStatus status = carom_step_prepare(model, sink, &sim->run, err);
    sim->is_apart = carom_islands_suit(model);
    return status == CAROM_OK ? set_start(sim->run, err) : status;
}

caromStatus carom_sim_create(const caromModel *model, const caromSink *sink, caromSim **out, caromError *err)
{
    *out = NULL;
    const caromResponseRow *response = carom_response_of(model);
    caromStatus status = response->refuse ? response->refuse(model, err) : CAROM_OK;
    if (status != CAROM_OK) return status;
    caromSim *sim = calloc(1, sizeof *sim);
    if (sim) sim->scratch = carom_scratch_create(CAROM_SIM_SCRATCH);
    if (!sim || !sim->scratch) {
        carom_sim_destroy(sim);
        return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    }
    caromSideStack *before = carom_scratch_lend(sim->scratch);
    status = prepare(sim, model, sink, err);
    carom_scratch_lend(before);
    if (status == CAROM_OK) *out = sim;
    else carom_sim_destroy(sim);
    return status;
}

void carom_sim_destroy(caromSim *sim)
{
    if (!sim) return;
    carom_islands_destroy(sim->islands);
    carom_step_destroy(sim->run);
    carom_scratch_destroy(sim->scratch);
    free(sim);
}

static caromStatus step_together(caromRun *run, caromError *err)
{
    caromTrial trial;
    caromStatus status = carom_step_try(run, &trial, err);
    return status == CAROM_OK ? carom_step_keep(run, &trial, err) : status;
}

// Bodies may have impacts at the very start, of the whole: it falls into islands behind them.
static caromStatus begin(caromSim *sim, caromError *err)
{
    caromStatus status = carom_step_begin(sim->run, err);
    return status == CAROM_OK && sim->is_apart ? carom_islands_create(sim->run, &sim->islands, err) : status;
}

static caromStatus step(caromSim *sim, caromError *err)
{
    caromStatus status = sim->run->system.has_started ? CAROM_OK : begin(sim, err);
    if (status != CAROM_OK) return status;
    return sim->islands ? carom_islands_step(sim->islands, err) : step_together(sim->run, err);
}

caromStatus carom_sim_step(caromSim *sim, bool *done, caromError *err)
{
    const caromSystem *s = &sim->run->system;
    double until = s->model->settings.until;
    *done = s->stats.time >= until;
    if (*done) return CAROM_OK;
    caromSideStack *before = carom_scratch_lend(sim->scratch);
    caromStatus status = step(sim, err);
    carom_scratch_lend(before);
    *done = status == CAROM_OK && s->stats.time >= until;
    return status;
}

caromStatus carom_sim_run(caromSim *sim, caromError *err)
{
    bool done = false;
    caromStatus status = CAROM_OK;
    while (!done && status == CAROM_OK) status = carom_sim_step(sim, &done, err);
    return status;
}

const caromSimStats *carom_sim_stats(const caromSim *sim)
{
    return &sim->run->system.stats;
}
