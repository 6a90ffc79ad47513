// Absolute tolerances from the contact, not from the user.
//
// A depth of 1e-6 m is a difference of positions of 1 m: positions of bodies in contact are controlled to rtol times
// the depth to be expected, their velocities to rtol times the approach speed. In flight a position may be off by rtol
// times the body's size, a velocity by rtol times the speed; speeds below what gravity or the time simulated give over
// that size do not count. Where friction acts, velocities are controlled to a part of v_small at least; bristles need
// no such care: their force is that of a position. Below some roundings of the coordinate a tolerance cannot be met: it
// is clamped there, and counted. In a contact that has settled the bound is higher, and as much times the rate of the
// contact for velocities: errors of the depth itself die out there. The numbers, and what chose them: scales.h.
//
// Angles of joints count with the size of the tree they move: a contact at its end must be resolved by all of them.
#include <float.h>

#include "base/base.h"
#include "motion/tolerances.h"

bool carom_tolerances_alloc(const caromModel *model, caromTolerances *tol)
{
    int n = carom_motion_states_max(model), k = 0;
    tol->weight = carom_alloc_array((size_t)n, sizeof *tol->weight);
    tol->change = carom_alloc_array((size_t)n, sizeof *tol->change);
    tol->block = carom_alloc_array(2*(size_t)model->nlink + (size_t)carom_contact_memory_slots(model) + 2,
                                   sizeof *tol->block);
    if (!tol->weight || !tol->change || !tol->block) return false;
    for (int i = 0; i < model->nlink; i++) if (model->links[i].iv >= 0) tol->block[k++] = model->links[i].iq;
    for (int i = 0; i < model->nlink; i++)
        if (model->links[i].iv >= 0) tol->block[k++] = model->nq + model->links[i].iv;
    tol->nblock_motion = k;
    tol->norm = (caromNorm){ tol->weight, tol->block, 0, tol->change,
                             fmin(CAROM_MOTION_FAR, CAROM_MOTION_FAR_DEPTHS/model->settings.tolerance) };
    return true;
}

void carom_tolerances_free(caromTolerances *tol)
{
    free(tol->weight);
    free(tol->change);
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

double carom_tolerances_energy_floor(const caromModel *model)
{
    double energy = 0.0;
    for (int k = 0; k < model->nlink; k++) {
        const caromBody *b = &model->bodies[model->links[k].body];
        double v = least_speed(model, body_size(b));
        energy += 0.5*b->props.mass*v*v;
    }
    return energy > 0.0 ? energy : 1.0;  // nothing moves
}

typedef struct Scale {  // of one body
    double length, speed;       // over which forces bend
    double position, velocity;  // absolute tolerances
    double speed_error;  // absolute bound on the tolerance of velocities
    double roundings;    // least tolerance in roundings of the coordinate
    bool is_face;        // nothing but faces touches
    bool is_damped;      // by the method: errors of what is faster than the steps die out
    double rate;         // of the fastest contact that lasts [1/s]: it makes velocities of errors of positions
} Scale;

// Of a step. Between impacts at instants nothing asks for more than flight does, and what steps lose adds up.
static double step_tolerance(const caromModel *model)
{
    double part = carom_model_response(model)->has_impacts ? CAROM_MOTION_IMPACTS_PART : 1.0;
    return part*model->settings.tolerance;
}

static Scale flight_scale(const caromModel *model, const caromTolerances *tol, const caromKin *kin, int body,
                          double size)
{
    double speed = fmax(carom_norm(kin->V_WC[body].linear), carom_norm(kin->V_WC[body].angular)*size);
    speed = fmax(speed, least_speed(model, size));
    double tolerance = step_tolerance(model);
    // What rigid bodies do where they touch bends with their surfaces, over any length.
    bool is_straight = !carom_model_response(model)->has_impacts;
    return (Scale){ size, speed, tolerance*size, tolerance*speed, INFINITY,
                    CAROM_MOTION_ROUNDINGS, is_straight, tol->is_damped, 0.0 };
}

caromTouchScale carom_tolerances_touch(const caromModel *model, const caromTouch *touch, int pair)
{
    double speed = fmax(touch->speed, model->settings.v_small);
    const caromPairLaw *law = carom_model_law_of(model, pair);
    bool is_smooth = !carom_contact_touch_has_bristles(touch) &&
                     (carom_contact_law_has_friction(law) || law->torsion > 0.0);
    bool is_slowed = is_smooth || law->rolling > 0.0;
    return (caromTouchScale){ carom_contact_touch_depth(law, touch, speed), speed,
                              is_slowed ? CAROM_MOTION_SLIP_ERROR*model->settings.v_small : (double)INFINITY,
                              carom_contact_touch_least_depth(law, touch, speed) };
}

double carom_tolerances_body_rounding(const caromModel *model, const caromKin *kin, const int body[2], caromVec3 n)
{
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        const caromBody *b = &model->bodies[body[i]];
        caromVec3 p = kin->p_WC[body[i]];
        if (!b->fixed)
            worst = fmax(worst, CAROM_MOTION_ROUNDINGS*DBL_EPSILON*(fabs(n.x*p.x) + fabs(n.y*p.y) + fabs(n.z*p.z) +
                                                                    body_size(b)));
    }
    return worst;
}

// The force of a face is linear in depth; that of bristles follows from the shape of the patch, which is not.
static bool is_straight(const caromTouch *touch)
{
    return touch->kind == CAROM_CONTACT_FACE && !carom_contact_touch_has_bristles(touch);
}

// An impact decides where bodies go, and its errors stay. Errors of a contact that lasts die out: it may have those of
// flight, as long as they are a small part of its depth and speed. An explicit method at the limit of its stability
// would feed on them. What rings there is less than anybody wants to know. That begins when an impact without loss
// would be over: with little restitution the way out is long, and damped so much that errors die out on it.
static double lasting_error(double error, double flight_error, double whole)
{
    return fmax(error, fmin(flight_error, CAROM_MOTION_LASTING_PART*whole));
}

static Scale contact_scale(const caromModel *model, const caromContactMemory *memory, int pair, const Scale *flight)
{
    const caromTouch *touch = &memory->touch[pair];
    caromTouchScale s = carom_tolerances_touch(model, touch, pair);
    double position = model->settings.tolerance*s.depth, velocity = model->settings.tolerance*s.speed;
    if (touch->has_stayed && flight->is_damped) {
        position = lasting_error(position, flight->position, s.depth);
        velocity = lasting_error(velocity, flight->velocity, s.speed);
    }
    return (Scale){ s.bend, s.speed, position, velocity, s.speed_error,
                    touch->is_lasting ? CAROM_MOTION_LASTING_ROUNDINGS : CAROM_MOTION_ROUNDINGS, is_straight(touch),
                    flight->is_damped, touch->is_lasting ? s.speed/s.depth : 0.0 };
}

// As for single states (set), of B against A: lengths with the size of the smaller body, which coordinates of a pair
// are counted from (contact/slope.c).
caromPairChange carom_tolerances_pair_change(const caromModel *model, const caromContactMemory *memory,
                                             const caromKin *kin, int pair)
{
    caromTouchScale s = carom_tolerances_touch(model, &memory->touch[pair], pair);
    double size = INFINITY, speed = 0.0;
    for (int side = 0; side < 2; side++) {
        int body = model->shapes[model->pairs[pair].shape[side]].body;
        if (model->bodies[body].fixed) continue;
        size = fmin(size, body_size(&model->bodies[body]));
        speed = fmax(speed, carom_norm(kin->V_WC[body].linear) + size*carom_norm(kin->V_WC[body].angular));
    }
    if (!(size < (double)INFINITY)) size = 1.0;
    double bend = fmin(s.speed, CAROM_MOTION_SLIP_BEND*s.speed_error);
    double length = fmax(sqrt(2.0*DBL_EPSILON*size*s.bend), is_straight(&memory->touch[pair])
                             ? CAROM_MOTION_STRAIGHT*s.bend : 0.0), slip = sqrt(2.0*DBL_EPSILON*(speed + bend)*bend);
    return (caromPairChange){ .length = length, .angle = length/size, .speed = slip, .spin = slip/size };
}

static int root_of(const caromModel *model, int body)
{
    int link = model->bodies[body].link;
    while (link >= 0 && model->links[link].parent >= 0) link = model->links[link].parent;
    return link;
}

static bool is_on(const caromModel *model, int pair, int root)
{
    const int *shape = model->pairs[pair].shape;
    return root_of(model, model->shapes[shape[0]].body) == root || root_of(model, model->shapes[shape[1]].body) == root;
}

static Scale with_contacts(const caromModel *model, const caromContactMemory *memory, int root, Scale scale)
{
    const Scale flight = scale;
    if (model->settings.method == CAROM_METHOD_CONVEX) return scale;
    for (int i = 0; i < memory->nactive; i++) {
        if (!is_on(model, memory->active[i], root)) continue;
        Scale contact = contact_scale(model, memory, memory->active[i], &flight);
        scale.length = fmin(scale.length, contact.length);
        scale.speed = fmin(scale.speed, contact.speed);
        scale.position = fmin(scale.position, contact.position);
        scale.velocity = fmin(scale.velocity, contact.velocity);
        scale.speed_error = fmin(scale.speed_error, contact.speed_error);
        scale.roundings = fmax(scale.roundings, contact.roundings);
        scale.is_face = scale.is_face && contact.is_face;
        scale.rate = fmax(scale.rate, contact.rate);
    }
    scale.speed = fmax(scale.speed, CAROM_MOTION_GENTLE*flight.speed);
    scale.velocity = fmax(scale.velocity, CAROM_MOTION_GENTLE*flight.velocity);
    return scale;
}

// How far the parts of a tree are from its root's origin at most.
static double tree_size(const caromModel *model, const caromKin *kin, int root)
{
    double size = 0.0;
    for (int i = root; i < model->nlink; i++) {
        const caromLink *link = &model->links[i];
        if (root_of(model, link->body) == root)
            size = fmax(size, carom_norm(carom_sub(kin->p_WC[link->body], kin->links[root].o)) +
                        model->bodies[link->body].reach);
    }
    return size > 0.0 ? size : 1.0;
}

// What a state is controlled by.
typedef struct Control {
    double error;        // absolute tolerance that is asked for
    double roundings;    // least tolerance, in roundings
    double size;         // that the state is rounded at
    double bend;         // change of the state over which forces bend (a depth, a slip speed)
    double straight;     // change over which they certainly do not: force of a face over depth
} Control;

// A difference over d is off by eps size/d from rounding and by d/bend from bending: least at the geometric mean.
// Over `straight` they do not bend.
static void set(caromTolerances *tol, int at, Control c)
{
    double floor = c.roundings*DBL_EPSILON*c.size;
    if (c.error < floor) tol->clamped++;
    tol->weight[at] = fmax(c.error, floor);
    tol->change[at] = fmax(fmax(sqrt(2.0*DBL_EPSILON*c.size*c.bend), c.straight), 2.0*DBL_EPSILON*c.size);
}

// Every coordinate in its own unit: lengths and speeds as they are, angles and angular speeds over the size.
static void set_link(const caromModel *model, const caromLink *link, const Scale *s, double size, const double *y,
                     caromTolerances *tol)
{
    const double *q = y, *v = y + model->nq;
    double dv = fmin(s->velocity, s->speed_error), place = size;
    for (int i = 0; i < link->nq; i++) {
        bool is_length = carom_model_joint_coordinate_unit(link->kind, i)[0] == 'm';
        double length = is_length ? s->length : fmin(1.0, s->length/size);
        double error = is_length ? s->position : fmin(model->settings.tolerance, s->position/size);
        if (is_length) place = fmax(place, fabs(q[link->iq + i]) + size);
        double straight = s->is_face ? CAROM_MOTION_STRAIGHT*length : 0.0;
        set(tol, link->iq + i, (Control){ error, s->roundings, fabs(q[link->iq + i]) + (is_length ? size : 1.0), length,
                                          straight });
    }
    for (int i = 0; i < link->nv; i++) {
        bool is_length = carom_model_joint_speed_unit(link->kind, i)[0] == 'm';
        double unit = is_length ? 1.0 : 1.0/size, bend = fmin(s->speed, CAROM_MOTION_SLIP_BEND*s->speed_error)*unit;
        double error = fmax(dv, s->roundings*DBL_EPSILON*place*s->rate)*unit;
        set(tol, model->nq + link->iv + i,
            (Control){ error, CAROM_MOTION_ROUNDINGS, fabs(v[link->iv + i]) + bend, bend, 0.0 });
    }
}

// v sqrt(I/k) is how far the spring of a limit gives in.
caromTouchScale carom_tolerances_limit(const caromModel *model, const caromContactMemory *memory, int limit)
{
    const caromTouch *touch = &memory->limit_touch[limit];
    double speed = fmax(touch->speed, carom_contact_limit_small_speed(model, limit));
    double depth = speed*sqrt(touch->mass/model->limits[limit].stiffness);
    return (caromTouchScale){ depth, speed, INFINITY, depth };
}

// At a limit: a part of rtol times that, and of the speed it was reached with. A joint that rests on its limit has the
// tolerances of its body, as far as contacts that last have.
static void set_limit(const caromModel *model, const caromContactMemory *memory, int limit, caromTolerances *tol)
{
    const caromLimit *l = &model->limits[limit];
    const caromLink *link = &model->links[l->link];
    const caromTouch *touch = &memory->limit_touch[limit];
    caromTouchScale s = carom_tolerances_limit(model, memory, limit);
    if (!isfinite(s.depth)) return;
    double *q = &tol->weight[link->iq + l->coordinate], *v = &tol->weight[model->nq + link->iv + l->coordinate];
    double part = CAROM_MOTION_LIMIT_PART*model->settings.tolerance, position = part*s.depth, velocity = part*s.speed;
    double floor = (touch->is_lasting ? CAROM_MOTION_LASTING_ROUNDINGS : CAROM_MOTION_ROUNDINGS)*
                   DBL_EPSILON*(fabs(l->at) + 1.0);
    if (touch->is_lasting && tol->is_damped) {
        position = lasting_error(position, *q, s.depth);
        velocity = lasting_error(velocity, *v, s.speed);
    }
    if (touch->is_lasting) velocity = fmax(velocity, floor*s.speed/s.depth);
    *q = fmax(fmin(*q, position), floor);
    *v = fmin(*v, velocity);
}

// Bristles: to rtol times the depth, where their force is known to rtol times that of the depth. Their size is never
// far from that, nor is what they bend over. Motion that is not known to better than rounding allows bends them by as
// much. They decide when surfaces begin to slip, so that in contacts that stay they have little more: their errors die
// out at the rate of the contact.
static void set_bristles(const caromModel *model, const caromContactMemory *memory, const caromKin *kin, int slot,
                         int at, caromTolerances *tol)
{
    int pair = memory->slot_pair[slot];
    const int *shape = model->pairs[pair].shape,
              body[2] = { model->shapes[shape[0]].body, model->shapes[shape[1]].body };
    caromTouchScale s = carom_tolerances_touch(model, &memory->touch[pair], pair);
    double noise = 0.0;
    if (memory->touch[pair].is_lasting)
        noise =
            CAROM_MOTION_LASTING_ROUNDINGS/CAROM_MOTION_ROUNDINGS*carom_tolerances_body_rounding(model, kin, body,
                                                                                                 carom_vec(1, 1, 1));
    double part = model->settings.tolerance;
    if (memory->touch[pair].has_stayed && tol->is_damped) part = fmax(part, CAROM_MOTION_BRISTLES_PART*sqrt(part));
    Control control = { fmax(part*s.depth, noise), CAROM_MOTION_ROUNDINGS, s.bend, s.bend, 0.0 };
    for (int i = 0; i < CAROM_BRISTLE_STATES; i++) set(tol, at + i, control);
}

// Behind the motion: bristles of each pair, then the ledger.
static void set_rest(const caromModel *model, const caromContactMemory *memory, const caromKin *kin, double energy,
                     caromTolerances *tol)
{
    int at = carom_motion_bristles(model), k = tol->nblock_motion;
    for (int slot = 0; slot < memory->nslot; slot++, at += CAROM_BRISTLE_STATES) {
        tol->block[k++] = at;
        set_bristles(model, memory, kin, slot, at, tol);
    }
    tol->block[k++] = at;
    Control control = { step_tolerance(model)*energy, CAROM_MOTION_ROUNDINGS, energy, energy, 0.0 };
    for (int i = 0; i < CAROM_LEDGER; i++) set(tol, at + i, control);
    tol->block[k] = at + CAROM_LEDGER;
    tol->norm.nblock = k;
}

void carom_tolerances_update(const caromModel *model, const caromContactMemory *memory, const caromScratch *scratch,
                             const double *y, double energy, caromTolerances *tol)
{
    const caromKin *kin = &scratch->kin;
    tol->clamped = 0;
    int root = -1;
    double size = 1.0;
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        if (link->iv < 0) continue;
        int own_root = root_of(model, link->body);
        if (own_root != root) {
            root = own_root;
            size = link->is_lone ? body_size(&model->bodies[link->body]) : tree_size(model, kin, root);
        }
        Scale s = with_contacts(model, memory, root, flight_scale(model, tol, kin, link->body, size));
        set_link(model, link, &s, size, y, tol);
    }
    for (int i = 0; i < model->nlimit; i++)
        if (memory->limit_is_active[i]) set_limit(model, memory, i, tol);
    set_rest(model, memory, kin, energy, tol);
}
