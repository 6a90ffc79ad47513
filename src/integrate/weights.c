// Absolute tolerances from the contact, not from the user.
//
// A depth of 1e-6 m is a difference of positions of 1 m: positions of bodies in contact are controlled to rtol times the depth to
// be expected, their velocities to rtol times the approach speed. In flight a position may be off by rtol times the body's size,
// a velocity by rtol times the speed; speeds below what gravity or the time simulated give over that size do not count.
// Where friction acts, velocities are controlled to a tenth of v_small at least: an error larger than the speed at which friction
// turns round makes it chatter (slip of 4e-3 m/s that never dies, 3 times the steps).
// Below 30 roundings of the coordinate a tolerance cannot be met: it is clamped there, and counted.
#include <float.h>

#include "base/base.h"
#include "integrate/sim.h"

bool carom_tol_alloc(const caromModel *model, caromTolerances *tol)
{
    int n = carom_eval_states(model), nblock = 2*model->nfree + 1;
    tol->weight = carom_alloc_array((size_t)n, sizeof *tol->weight);
    tol->block = carom_alloc_array((size_t)nblock + 1, sizeof *tol->block);
    if (!tol->weight || !tol->block) return false;
    int k = 0, at = 0;
    for (int i = 0; i < model->nfree; i++, at += 7) tol->block[k++] = at;
    for (int i = 0; i < model->nfree; i++, at += 6) tol->block[k++] = at;
    tol->block[k++] = at;
    tol->block[k] = at + CAROM_LEDGER;
    tol->norm = (caromNorm){ tol->weight, tol->block, nblock };
    return true;
}

void carom_tol_free(caromTolerances *tol)
{
    free(tol->weight);
    free(tol->block);
    *tol = (caromTolerances){ 0 };
}

static double body_size(const caromBody *b)
{
    return b->reach > 0.0 ? b->reach : 1.0;  // a body without a shape: 1 m
}

static double least_speed(const caromModel *model, double size)
{
    return fmax(sqrt(carom_norm(model->settings.gravity)*size), size/model->settings.until);
}

double carom_tol_energy_floor(const caromModel *model)
{
    double energy = 0.0;
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        double v = least_speed(model, body_size(b));
        if (!b->fixed) energy += 0.5*b->props.mass*v*v;
    }
    return energy;
}

typedef struct Scale {  // of one body
    double length, speed;
    double speed_error;  // absolute bound on the tolerance of velocities
} Scale;

static Scale flight_scale(const caromModel *model, const caromKin *kin, int body)
{
    double size = body_size(&model->bodies[body]);
    double speed = fmax(carom_norm(kin->V_WC[body].linear), carom_norm(kin->V_WC[body].angular)*size);
    return (Scale){ size, fmax(speed, least_speed(model, size)), INFINITY };
}

static Scale contact_scale(const caromModel *model, const caromModes *modes, int pair)
{
    double speed = fmax(modes->touch[pair].speed, model->settings.v_small);
    bool has_friction = model->pairs[pair].friction > 0.0 || model->pairs[pair].rolling > 0.0;
    return (Scale){ carom_contact_depth(model, pair, speed), speed, has_friction ? 0.1*model->settings.v_small : (double)INFINITY };
}

static bool is_on(const caromModel *model, int pair, int body)
{
    const int *shape = model->pairs[pair].shape;
    return model->shapes[shape[0]].body == body || model->shapes[shape[1]].body == body;
}

static Scale body_scale(const caromModel *model, const caromModes *modes, const caromKin *kin, int body)
{
    Scale scale = flight_scale(model, kin, body);
    for (int i = 0; i < modes->nactive; i++) {
        if (!is_on(model, modes->active[i], body)) continue;
        Scale contact = contact_scale(model, modes, modes->active[i]);
        scale.length = fmin(scale.length, contact.length);
        scale.speed = fmin(scale.speed, contact.speed);
        scale.speed_error = fmin(scale.speed_error, contact.speed_error);
    }
    return scale;
}

static void set(caromTolerances *tol, int from, int count, double value, double rounding)
{
    double floor = 30.0*DBL_EPSILON*rounding;
    if (value < floor) tol->clamped += count;
    for (int i = from; i < from + count; i++) tol->weight[i] = fmax(value, floor);
}

void carom_tol_update(const caromModel *model, const caromModes *modes, const caromKin *kin, double energy, caromTolerances *tol)
{
    double rtol = model->settings.tolerance;
    tol->clamped = 0;
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (b->fixed) continue;
        double size = body_size(b);
        Scale s = body_scale(model, modes, kin, k);
        double v = carom_norm(kin->V_WC[k].linear), w = carom_norm(kin->V_WC[k].angular), dv = fmin(rtol*s.speed, s.speed_error);
        set(tol, b->iq, 3, rtol*s.length, carom_norm(kin->p_WC[k]) + size);
        set(tol, b->iq + 3, 4, rtol*fmin(1.0, s.length/size), 1.0);
        set(tol, model->nq + b->iv, 3, dv, v);
        set(tol, model->nq + b->iv + 3, 3, dv/size, w);
    }
    set(tol, model->nq + model->nv, CAROM_LEDGER, rtol*energy, energy);
}
