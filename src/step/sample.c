// What a simulation tells its sink: samples with contacts and the energy ledger.
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "step/step.h"

bool carom_step_sampling_alloc(const caromModel *m, caromSampling *s)
{
    size_t nbody = (size_t)m->nbody, njoint = (size_t)m->njoint;
    s->joint_q = carom_alloc_array(CAROM_JOINT_NQ_MAX*njoint, sizeof *s->joint_q);
    s->joint_v = carom_alloc_array(CAROM_JOINT_NV_MAX*njoint, sizeof *s->joint_v);
    s->q = carom_alloc_array(nbody, sizeof *s->q);
    s->V = carom_alloc_array(nbody, sizeof *s->V);
    s->contacts = carom_alloc_array((size_t)m->npair, sizeof *s->contacts);
    return carom_kin_alloc(m, &s->kin) && s->joint_q && s->joint_v && s->q && s->V && s->contacts;
}

void carom_step_sampling_free(caromSampling *s)
{
    carom_kin_free(&s->kin);
    free(s->joint_q);
    free(s->joint_v);
    free(s->q);
    free(s->V);
    free(s->contacts);
    *s = (caromSampling){ 0 };
}

static double total(const caromEnergy *e)  // what is kept
{
    return e->kinetic + e->potential + e->elastic + e->springs + e->damping + e->friction + e->rolling + e->joints +
           e->numerical - e->supplied;
}

caromEnergy carom_step_energy(caromRun *run, const double *y)
{
    caromSystem *s = &run->system;
    const caromModel *m = s->model;
    const caromKin *kin = &run->sampling.kin;
    const double *z = y + carom_motion_bristles(m), *ledger = y + carom_motion_ledger(s->n);
    caromEnergy e = { .kinetic = carom_dyn_kinetic_energy(m, kin),
                      .potential = carom_dyn_potential_energy(m, kin) - s->balance.potential_start,
                      .elastic = carom_world_energy_at(&s->world, kin, z),
                      .damping = ledger[CAROM_LEDGER_DAMPING],
                      .friction = ledger[CAROM_LEDGER_FRICTION],
                      .rolling = ledger[CAROM_LEDGER_ROLLING],
                      .springs = carom_dyn_spring_energy(m, y, kin, &s->scratch.work) +
                                 carom_contact_limit_energy(m, &s->world.memory, y, y + m->nq),
                      .supplied = ledger[CAROM_LEDGER_SUPPLIED] };
    // What a method gains is no dissipation.
    if (m->settings.method == CAROM_METHOD_CONVEX) e.numerical = fmax(0.0, ledger[CAROM_LEDGER_NUMERICAL]);
    else e.joints = ledger[CAROM_LEDGER_JOINTS];
    e.imbalance = total(&e) - s->balance.start;
    return e;
}

static void keep_extremes(caromSystem *s, const caromEnergy *e)
{
    caromBalance *b = &s->balance;
    b->potential_low = fmin(b->potential_low, e->potential);
    double moved = e->kinetic + e->elastic + e->springs + e->damping + e->friction + e->rolling + e->joints +
                   e->numerical + (e->potential - b->potential_low);
    b->scale = fmax(b->scale, moved);
    b->weight = fmax(b->weight, moved);
    s->stats.energy = *e;
    s->stats.energy_scale = b->scale;
    s->stats.energy_reference = b->weight;
    b->drift = e->imbalance;
    s->stats.largest_imbalance = fmax(s->stats.largest_imbalance, fabs(e->imbalance));
}

// A lone free body's quaternion is in the state (and keeps its sign along the motion); others follow from their pose.
static caromQuat orientation(const caromRun *run, const double *y, int body)
{
    const caromBody *b = &run->system.model->bodies[body];
    if (b->link < 0) return b->q_WB;
    const caromLink *link = &run->system.model->links[b->link];
    if (link->joint >= 0) return carom_quat_of(run->sampling.kin.X_WB[body].R);
    const double *q = y + link->iq + 3;
    return carom_quat_normalized((caromQuat){ q[0], q[1], q[2], q[3] });
}

static void place_bodies(caromRun *run, double time, const double *y)
{
    const caromModel *m = run->system.model;
    carom_kin_update(m, time, y, y + m->nq, &run->sampling.kin);
    for (int k = 0; k < m->nbody; k++) {
        run->sampling.q[k] = orientation(run, y, k);
        run->sampling.V[k] = carom_kin_origin_velocity(m, &run->sampling.kin, k);
    }
}

// Coordinates of the joints that were given, one after the other; prescribed ones from their function.
static void place_joints(caromRun *run, double time, const double *y)
{
    const caromModel *m = run->system.model;
    double *q = run->sampling.joint_q, *v = run->sampling.joint_v;
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

caromStatus carom_step_sample(caromRun *run, double time, const double *y, caromSampleKind kind, caromError *err)
{
    if (run->sampler) return run->sampler(run->sampler_user, time, y, kind, err);
    caromSystem *s = &run->system;
    caromSampling *out = &run->sampling;
    place_bodies(run, time, y);
    place_joints(run, time, y);
    caromSample sample = { .time = time,
                           .kind = kind,
                           .nbody = s->model->nbody,
                           .X_WB = out->kin.X_WB,
                           .q_WB = out->q,
                           .V_WB = out->V,
                           .contacts = out->contacts,
                           .joint_q = out->joint_q,
                           .joint_v = out->joint_v,
                           .energy = carom_step_energy(run, y),
                           .source = run };
    keep_extremes(s, &sample.energy);
    if (!s->sink.sample) return CAROM_OK;
    caromInstant at = { time, y, s->n };
    sample.ncontact = run->lister ? run->lister(run->lister_user, time, out->contacts)
                                  : s->response->sample(s, &at, &out->kin, out->contacts);
    return s->sink.sample(s->sink.user, &sample);
}

int carom_step_sample_pressure(const caromSample *sample, int contact, caromPressureVisitor visit, void *user)
{
    const caromRun *run = sample->source;
    if (!run || contact < 0 || contact >= sample->ncontact) return 0;
    const caromContactWorld *world = &run->system.world;
    const caromContact *c = &sample->contacts[contact];
    if (!world->memory.is_active[c->pair]) return 0;  // it touches in points
    return carom_world_pressure_at(world, &run->sampling.kin, sample->time, c, visit, user);
}
