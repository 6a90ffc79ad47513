// What a simulation tells its sink: samples with contacts and the energy ledger.
#include "integrate/sim.h"

caromEnergy carom_sim_energy(caromSim *sim, const double *y)
{
    const double *z = y + carom_eval_bristles(sim->model), *ledger = y + carom_eval_ledger(&sim->eval);
    caromEnergy e = { .kinetic = carom_dyn_kinetic_energy(sim->model, &sim->sample_kin),
                      .potential = carom_dyn_potential_energy(sim->model, &sim->sample_kin) - sim->potential_start,
                      .elastic = carom_world_energy_at(&sim->eval.world, &sim->sample_kin, z),
                      .damping = ledger[CAROM_LEDGER_DAMPING],
                      .friction = ledger[CAROM_LEDGER_FRICTION],
                      .rolling = ledger[CAROM_LEDGER_ROLLING],
                      .springs = carom_dyn_spring_energy(sim->model, y, &sim->sample_kin, &sim->eval.work) +
                                 (sim->eval.rigid ? 0.0 : carom_limit_energy(sim->model, &sim->eval.world.modes, y, y + sim->model->nq)),
                      .joints = ledger[CAROM_LEDGER_JOINTS],
                      .supplied = ledger[CAROM_LEDGER_SUPPLIED] };
    e.imbalance = carom_sim_energy_total(&e) - sim->energy_start;
    return e;
}

double carom_sim_energy_total(const caromEnergy *e)
{
    return e->kinetic + e->potential + e->elastic + e->springs + e->damping + e->friction + e->rolling + e->joints - e->supplied;
}

static void keep_extremes(caromSim *sim, const caromEnergy *e)
{
    sim->potential_low = fmin(sim->potential_low, e->potential);
    double moved = e->kinetic + e->elastic + e->springs + e->damping + e->friction + e->rolling + e->joints + (e->potential - sim->potential_low);
    sim->energy_scale = fmax(sim->energy_scale, moved);
    sim->energy_weight = fmax(sim->energy_weight, moved);
    sim->stats.energy = *e;
    sim->stats.energy_scale = sim->energy_scale;
    sim->stats.energy_reference = sim->energy_weight;
    sim->stats.largest_imbalance = fmax(sim->stats.largest_imbalance, fabs(e->imbalance));
}

// A lone free body's quaternion is in the state (and keeps its sign along the motion); others follow from their pose.
static caromQuat orientation(const caromSim *sim, const double *y, int body)
{
    const caromBody *b = &sim->model->bodies[body];
    if (b->link < 0) return b->q_WB;
    const caromLink *link = &sim->model->links[b->link];
    if (link->joint >= 0) return carom_quat_of(sim->sample_kin.X_WB[body].R);
    const double *q = y + link->iq + 3;
    return carom_quat_normalized((caromQuat){ q[0], q[1], q[2], q[3] });
}

static void place_bodies(caromSim *sim, double time, const double *y)
{
    const caromModel *m = sim->model;
    carom_kin_update(m, time, y, y + m->nq, &sim->sample_kin);
    for (int k = 0; k < m->nbody; k++) {
        sim->sample_q[k] = orientation(sim, y, k);
        sim->sample_V[k] = carom_kin_origin_velocity(m, &sim->sample_kin, k);
    }
}

// Coordinates of the joints that were given, one after the other; prescribed ones from their function.
static void place_joints(caromSim *sim, double time, const double *y)
{
    const caromModel *m = sim->model;
    double *q = sim->joint_q, *v = sim->joint_v;
    for (int k = 0; k < m->njoint; k++) {
        const caromModelJoint *j = &m->joints[k];
        if (j->link < 0) continue;
        const caromLink *link = &m->links[j->link];
        if (link->motion) {
            caromJet f = carom_function_at(link->motion, time);
            *q++ = f.value;
            *v++ = f.rate;
            continue;
        }
        for (int i = 0; i < link->nq; i++) *q++ = y[link->iq + i];
        for (int i = 0; i < link->nv; i++) *v++ = y[m->nq + link->iv + i];
    }
}

// Forces of the pairs that touch, in the order of pairs.
static int rigid_contacts(caromSim *sim, double time, const double *y)
{
    const caromRigid *r = sim->eval.rigid;
    caromContact *list = sim->sample_contacts, contact;
    int n = 0;
    if (r->n == 0) return 0;
    double rate = sim->eval.rate;  // that of the step, which decides between methods: whoever asks for more samples gets the same motion
    caromStatus status = sim->ode.f(sim->ode.user, time, y, sim->guard.dydt);
    sim->eval.rate = rate;
    if (status != CAROM_OK) return 0;
    for (int i = 0; i < r->n; i++) {
        if (!carom_rigid_is_first(r, i) || !carom_rigid_contact(r, r->contacts[i].what, &contact)) continue;
        int k = n++;
        for (; k > 0 && list[k - 1].pair > contact.pair; k--) list[k] = list[k - 1];
        list[k] = contact;
    }
    return n;
}

caromStatus carom_sim_sample(caromSim *sim, double time, const double *y, caromSampleKind kind)
{
    if (sim->is_part) return carom_islands_sample(sim, time, y, kind);
    place_bodies(sim, time, y);
    place_joints(sim, time, y);
    caromSample sample = { .time = time,
                           .kind = kind,
                           .nbody = sim->model->nbody,
                           .X_WB = sim->sample_kin.X_WB,
                           .q_WB = sim->sample_q,
                           .V_WB = sim->sample_V,
                           .contacts = sim->sample_contacts,
                           .joint_q = sim->joint_q,
                           .joint_v = sim->joint_v,
                           .energy = carom_sim_energy(sim, y),
                           .sim = sim };
    keep_extremes(sim, &sample.energy);
    if (!sim->sink.sample) return CAROM_OK;
    if (sim->eval.rigid) sample.ncontact = rigid_contacts(sim, time, y);
    const caromModes *modes = &sim->eval.world.modes;
    for (int i = 0; i < modes->nactive; i++) {
        sim->sample_contacts[sample.ncontact++] = carom_world_contact_at(&sim->eval.world, &sim->sample_kin, time, y + carom_eval_bristles(sim->model), modes->active[i]);
    }
    return sim->sink.sample(sim->sink.user, &sample);
}

int carom_sample_pressure(const caromSample *sample, int contact, caromPressureVisitor visit, void *user)
{
    const caromSim *sim = sample->sim;
    if (!sim || sim->eval.rigid || contact < 0 || contact >= sample->ncontact) return 0;
    return carom_world_pressure_at(&sim->eval.world, &sim->sample_kin, sample->time, &sample->contacts[contact], visit, user);
}
