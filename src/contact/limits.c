// Limits of joints: stops with the same law as contacts, f = k d (1 + c d'), never pulling, c from the
// restitution asked for; a joint that stays at its limit has a damper that is a part of the critical one, as contacts
// that last have.
#include "contact/contact.h"

static bool is_angle(const caromModel *model, const caromLimit *limit)
{
    return model->links[limit->link].forces[limit->coordinate].is_angle;
}

double carom_contact_limit_gap(const caromModel *model, int limit, const double *q, const double *v, double *rate)
{
    const caromLimit *l = &model->limits[limit];
    const caromLink *link = &model->links[l->link];
    *rate = l->sign*v[link->iv + l->coordinate];
    return l->sign*(q[link->iq + l->coordinate] - l->at);
}

double carom_contact_limit_small_speed(const caromModel *model, int limit)
{
    return is_angle(model, &model->limits[limit]) ? model->settings.w_small : model->settings.v_small;
}

double carom_contact_limit_duration(const caromModel *model, const caromContactMemory *memory, int limit)
{
    return CAROM_PI*sqrt(memory->limit_touch[limit].mass/model->limits[limit].stiffness);
}

// As long as an impact may take it is remembered as it began; who asks for no loss gets none.
static void set_memory(const caromModel *model, double impact, double asked, bool uses_restitution, caromTouch *t)
{
    if (!(impact < (double)INFINITY)) return;
    t->impact_ends = t->time + carom_contact_longest_impact(impact, t->restitution);
    if (!uses_restitution || asked >= 1.0 || model->settings.rest_damping == 0.0) return;
    t->impact_until = t->time + carom_contact_longest_impact(impact, fmax(t->restitution, asked));
    t->fades = CAROM_CONTACT_FORGETTING*impact;
    t->lasts_from = t->impact_until + CAROM_CONTACT_FORGOTTEN*t->fades;
}

void carom_contact_limit_begin(const caromModel *model, caromContactMemory *memory, int limit, caromTouchStart start)
{
    const caromLimit *l = &model->limits[limit];
    const caromDampingRow *row = carom_contact_damping_row(model->settings.damping);
    memory->limit_is_active[limit] = true;
    caromTouchDamping d = carom_contact_touch_damping(row, NAN, l->restitution, start.speed,
                                                      carom_contact_limit_small_speed(model, limit));
    memory->limit_touch[limit] = (caromTouch){ .time = start.time, .speed = start.speed, .mass = start.mass,
                                               .restitution = d.restitution, .damping = d.c,
                                               .impact_ends = INFINITY, .impact_until = INFINITY,
                                               .lasts_from = INFINITY, .stays_from = INFINITY };
    set_memory(model, carom_contact_limit_duration(model, memory, limit), l->restitution, row->info.uses_restitution,
               &memory->limit_touch[limit]);
}

void carom_contact_limit_end(caromContactMemory *memory, int limit)
{
    memory->limit_is_active[limit] = false;
}

// D of D d': c k d in an impact, a part of 2 sqrt(k m) at rest.
static double damper(const caromModel *model, const caromTouch *t, double time, double stiffness, double d)
{
    double memory = carom_contact_touch_memory(t, time), impact = memory*t->damping*stiffness*d;
    return memory == 1.0 ? impact : impact + (1.0 - memory)*model->settings.rest_damping*2.0*sqrt(stiffness*t->mass);
}

caromLimitForce carom_contact_limit_force(const caromModel *model, const caromContactMemory *memory, int limit,
                                          caromLimitState at)
{
    const caromTouch *t = &memory->limit_touch[limit];
    double rate, d = -carom_contact_limit_gap(model, limit, at.q, at.v, &rate), k = model->limits[limit].stiffness;
    if (d <= 0.0) return (caromLimitForce){ 0.0, 0.0, sqrt(k/t->mass) };
    double D = damper(model, t, at.time, k, d), force = fmax(0.0, k*d - D*rate);
    return (caromLimitForce){ force, -(force - k*d)*rate, fmax(sqrt(k/t->mass), D/t->mass) };
}

caromLimitForce carom_contact_limit_forces(const caromModel *model, const caromContactMemory *memory,
                                           caromLimitState at, double *tau)
{
    caromLimitForce sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < model->nlimit; i++) {
        if (!memory->limit_is_active[i]) continue;
        const caromLimit *l = &model->limits[i];
        caromLimitForce f = carom_contact_limit_force(model, memory, i, at);
        tau[model->links[l->link].iv + l->coordinate] += l->sign*f.force;
        sum.power += f.power;
        sum.rate = fmax(sum.rate, f.rate);
    }
    return sum;
}

double carom_contact_limit_energy(const caromModel *model, const caromContactMemory *memory, const double *q,
                                  const double *v)
{
    double energy = 0.0;
    for (int i = 0; i < model->nlimit; i++) {
        if (!memory->limit_is_active[i]) continue;
        double rate, d = fmax(0.0, -carom_contact_limit_gap(model, i, q, v, &rate));
        energy += 0.5*model->limits[i].stiffness*d*d;
    }
    return energy;
}
