// Limits of joints: stops with the same law as contacts, f = k d (1 + c d'), never pulling, c from the
// restitution asked for.
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

void carom_contact_limit_begin(const caromModel *model, caromContactMemory *memory, int limit, double time,
                               double speed)
{
    memory->limit_is_active[limit] = true;
    caromTouchDamping d = carom_contact_touch_damping(carom_contact_damping_row(model->settings.damping), NAN,
                                                      model->limits[limit].restitution, speed,
                                                      carom_contact_limit_small_speed(model, limit));
    memory->limit_touch[limit] = (caromTouch){ .time = time, .speed = speed, .restitution = d.restitution,
                                               .damping = d.c, .impact_until = INFINITY, .lasts_from = INFINITY };
}

void carom_contact_limit_end(caromContactMemory *memory, int limit)
{
    memory->limit_is_active[limit] = false;
}

double carom_contact_limit_force(const caromModel *model, const caromContactMemory *memory, int limit, const double *q,
                                 const double *v)
{
    double rate, d = -carom_contact_limit_gap(model, limit, q, v, &rate);
    if (d <= 0.0) return 0.0;
    return model->limits[limit].stiffness*d*fmax(0.0, 1.0 - memory->limit_touch[limit].damping*rate);
}

double carom_contact_limit_power(const caromModel *model, const caromContactMemory *memory, int limit, const double *q,
                                 const double *v)
{
    double rate, d = -carom_contact_limit_gap(model, limit, q, v, &rate),
           force = carom_contact_limit_force(model, memory, limit, q, v);
    return -(force - model->limits[limit].stiffness*fmax(0.0, d))*rate;
}

double carom_contact_limit_forces(const caromModel *model, const caromContactMemory *memory, const double *q,
                                  const double *v, double *tau)
{
    double power = 0.0;
    for (int i = 0; i < model->nlimit; i++) {
        if (!memory->limit_is_active[i]) continue;
        const caromLimit *l = &model->limits[i];
        tau[model->links[l->link].iv + l->coordinate] += l->sign*carom_contact_limit_force(model, memory, i, q, v);
        power += carom_contact_limit_power(model, memory, i, q, v);
    }
    return power;
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
