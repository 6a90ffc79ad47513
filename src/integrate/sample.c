// What a simulation tells its sink: samples with contacts and the energy ledger.
#include "integrate/sim.h"

caromEnergy carom_sim_energy(caromSim *sim, const double *y)
{
    const double *ledger = y + sim->model->nq + sim->model->nv;
    caromEnergy e = { .kinetic = carom_dyn_kinetic_energy(sim->model, &sim->sample_kin),
                      .potential = carom_dyn_potential_energy(sim->model, &sim->sample_kin) - sim->potential_start,
                      .elastic = carom_contact_energy(sim->model, &sim->sample_kin, &sim->eval.modes),
                      .damping = ledger[CAROM_LEDGER_DAMPING],
                      .friction = ledger[CAROM_LEDGER_FRICTION],
                      .rolling = ledger[CAROM_LEDGER_ROLLING] };
    e.imbalance = e.kinetic + e.potential + e.elastic + e.damping + e.friction + e.rolling - sim->energy_start;
    return e;
}

static void keep_extremes(caromSim *sim, const caromEnergy *e)
{
    sim->potential_low = fmin(sim->potential_low, e->potential);
    double moved = e->kinetic + e->elastic + e->damping + e->friction + e->rolling + (e->potential - sim->potential_low);
    sim->energy_scale = fmax(sim->energy_scale, moved);
    sim->stats.energy = *e;
    sim->stats.energy_scale = sim->energy_scale;
    sim->stats.largest_imbalance = fmax(sim->stats.largest_imbalance, fabs(e->imbalance));
}

static void place_bodies(caromSim *sim, const double *y)
{
    const caromModel *m = sim->model;
    carom_kin_update(m, y, y + m->nq, &sim->sample_kin);
    for (int k = 0; k < m->nbody; k++) {
        const caromBody *b = &m->bodies[k];
        const double *q = y + b->iq + 3;
        sim->sample_q[k] = b->fixed ? b->q_WB : carom_quat_normalized((caromQuat){ q[0], q[1], q[2], q[3] });
        sim->sample_V[k] = carom_kin_origin_velocity(m, &sim->sample_kin, k);
    }
}

caromStatus carom_sim_sample(caromSim *sim, double time, const double *y, caromSampleKind kind)
{
    place_bodies(sim, y);
    caromSample sample = { .time = time,
                           .kind = kind,
                           .nbody = sim->model->nbody,
                           .X_WB = sim->sample_kin.X_WB,
                           .q_WB = sim->sample_q,
                           .V_WB = sim->sample_V,
                           .contacts = sim->sample_contacts,
                           .energy = carom_sim_energy(sim, y) };
    keep_extremes(sim, &sample.energy);
    if (!sim->sink.sample) return CAROM_OK;
    const caromModes *modes = &sim->eval.modes;
    for (int i = 0; i < modes->nactive; i++) {
        sim->sample_contacts[sample.ncontact++] = carom_contact_resultant(sim->model, &sim->sample_kin, modes, modes->active[i]);
    }
    return sim->sink.sample(sim->sink.user, &sample);
}
