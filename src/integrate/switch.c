// Which method: by tolerance, and stiff while the contacts ask for it.
//
// Steel ball against a wall, e = 1, error of the rebound over tolerance: DP5 1 to 60, DOP853 0.4 to 4 for twice the evaluations. So
// DP5 serves only those who ask for little.
//
// The contacts report their fastest natural rate r. An explicit method whose steps stay at h r > 2 (DP5: 1.5; three dice at rest held it at 1.8) is
// held back by stability, not by accuracy: a body at rest on a stiff contact. Then the stiff method takes over; when its steps fall below h r = 0.7, explicit
// steps of that size are cheaper.
#include <limits.h>

#include "integrate/sim.h"

enum { STIFF_SIGNS = 8, CALM_SIGNS = 4, CALM_SIGNS_MAX = 4096, STIFF_STATES_MAX = 700 };

static const caromMethod *method_of(caromMethodChoice choice, double tolerance)
{
    switch (choice) {
    case CAROM_METHOD_DP5: return &carom_method_dp5;
    case CAROM_METHOD_DOP853: return &carom_method_dop853;
    case CAROM_METHOD_RODAS5P: return &carom_method_rodas5p;
    case CAROM_METHOD_CVODE: return carom_method_cvode();
    default: return tolerance >= 1e-4 ? &carom_method_dp5 : &carom_method_dop853;
    }
}

// A linear system that is dense and spans all bodies is not for hundreds of them.
static int stiff_states_max(const caromSim *sim)
{
    return sim->ode.linear ? INT_MAX : STIFF_STATES_MAX;
}

bool carom_sim_choose_method(caromSim *sim, caromError *err)
{
    const caromSettings *s = &sim->model->settings;
    sim->explicit_method = method_of(s->method, s->tolerance);
    if (!sim->explicit_method) {
        carom_fail(err, CAROM_ERR_MODEL, "simulate.method", "method '%s' is not available: this carom was built without SUNDIALS; use auto", carom_method_name(s->method));
        return false;
    }
    if (s->method == CAROM_METHOD_AUTO && sim->eval.n <= stiff_states_max(sim)) sim->stiff_method = &carom_method_rodas5p;
    sim->explicit_stepper = sim->explicit_method->create(&sim->ode, &sim->tol.norm);
    if (!sim->explicit_stepper) {
        carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
        return false;
    }
    sim->method = sim->explicit_method;
    sim->stepper = sim->explicit_stepper;
    return true;
}

caromStatus carom_sim_restart(caromSim *sim, double time, const double *y, double h_hint, caromError *err)
{
    const caromModel *m = sim->model;
    if (y != sim->y) for (int i = 0; i < sim->eval.n; i++) sim->y[i] = y[i];
    carom_kin_normalize(m, sim->y);
    carom_kin_update(m, time, sim->y, sim->y + m->nq, &sim->eval.kin);
    carom_art_factor(m, &sim->eval.kin, &sim->eval.work);  // inertias for the tolerances at limits
    if (!sim->is_part) {  // a part has the weight of the whole
        double moved = carom_dyn_kinetic_energy(m, &sim->eval.kin) + carom_world_energy_at(&sim->eval.world, &sim->eval.kin, sim->y + carom_eval_bristles(m));
        sim->energy_weight = fmax(sim->energy_weight, moved);
    }
    sim->tol.is_damped = sim->method->is_stiff;
    carom_tol_update(m, &sim->eval.world.modes, &sim->eval.kin, &sim->eval.work, sim->y, sim->y + m->nq, sim->energy_weight, &sim->tol);
    if (sim->tol.clamped > sim->stats.clamped_tolerances) sim->stats.clamped_tolerances = sim->tol.clamped;
    sim->t_start = sim->t_step = time;
    sim->stiff_signs = sim->calm_signs = 0;
    sim->stats.method = sim->method->name;
    caromStatus status = sim->method->start(sim->stepper, time, sim->y, h_hint);
    if (status == CAROM_OK) return status;
    int body = sim->eval.bad_body;
    return carom_fail(err, CAROM_ERR_NUMERIC, body >= 0 ? m->bodies[body].name : "", "at %.9g s the motion cannot be evaluated%s%s: a value is not finite", time,
                      body >= 0 ? ", body " : "", body >= 0 ? m->bodies[body].name : "");
}

static caromStatus use(caromSim *sim, const caromMethod *method, caromStepper *stepper, double h, caromError *err)
{
    sim->method = method;
    sim->stepper = stepper;
    sim->stats.switches++;
    return carom_sim_restart(sim, sim->t_step, sim->y, h, err);
}

// Never used for more states than that: each contact that begins or ends is met by the explicit method.
static caromStepper *create_stiff(const caromSim *sim)
{
    caromOde ode = sim->ode;
    if (ode.n > stiff_states_max(sim)) ode.n = stiff_states_max(sim);
    return sim->stiff_method->create(&ode, &sim->tol.norm);
}

bool carom_sim_use_stiff(caromSim *sim)
{
    if (!sim->stiff_stepper) sim->stiff_stepper = create_stiff(sim);
    if (!sim->stiff_stepper) return false;
    sim->method = sim->stiff_method;
    sim->stepper = sim->stiff_stepper;
    return true;
}

// Friction of rigid contacts that is regularised turns slip round at a rate that explicit steps bear up to h r = 6, and the motion itself asks for short steps of a stiff
// method: an ellipsoid
// that rises, r = 340/s, takes 119,000 evaluations with DOP853 and 1,080,000 with Rodas5P; a box at rest, r = 17,000/s, the other way round. So the stiff method has to show that its steps
// are longer, and is tried less and less often where they are not.
static bool is_calm(const caromSim *sim, double h)
{
    return sim->eval.rigid ? h < 3.0*sim->explicit_step : h*sim->eval.rate < 0.7;
}

static int signs_needed(const caromSim *sim)
{
    return sim->stiff_needed > 0 ? sim->stiff_needed : STIFF_SIGNS;
}

caromStatus carom_sim_consider_switch(caromSim *sim, double h, caromError *err)
{
    if (!sim->stiff_method) return CAROM_OK;
    double speed = h*sim->eval.rate;
    if (!sim->method->is_stiff) {
        sim->stiff_signs = speed > sim->method->held ? sim->stiff_signs + 1 : 0;
        if (sim->stiff_signs < signs_needed(sim)) return CAROM_OK;
        if (sim->eval.n > stiff_states_max(sim)) return CAROM_OK;
        if (!sim->stiff_stepper) sim->stiff_stepper = create_stiff(sim);
        if (!sim->stiff_stepper) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
        // Each time the stiff phase was left too early, it takes twice as much to leave it again.
        sim->calm_needed = sim->calm_needed == 0 ? CALM_SIGNS : sim->calm_needed < CALM_SIGNS_MAX ? 2*sim->calm_needed : CALM_SIGNS_MAX;
        sim->explicit_step = h;
        return use(sim, sim->stiff_method, sim->stiff_stepper, h, err);
    }
    sim->calm_signs = is_calm(sim, h) ? sim->calm_signs + 1 : 0;
    if (sim->calm_signs < (sim->eval.rigid ? CALM_SIGNS : sim->calm_needed)) return CAROM_OK;
    if (sim->eval.rigid && sim->stiff_needed < CALM_SIGNS_MAX) sim->stiff_needed = 2*signs_needed(sim);
    return use(sim, sim->explicit_method, sim->explicit_stepper, h, err);
}
