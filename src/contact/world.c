// The contact world: the memory of contacts, and what they do at a state.
#include "contact/world.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "manifold/manifold.h"
#include "narrow/narrow.h"

bool carom_world_alloc(const caromModel *model, caromContactWorld *world)
{
    *world = (caromContactWorld){ .model = model };
    return carom_contact_memory_alloc(model, &world->memory);
}

void carom_world_free(caromContactWorld *world)
{
    carom_contact_memory_free(&world->memory);
    carom_kin_free(&world->kin);
    carom_broad_nearby_free(&world->nearby);
    free(world->stray);
    *world = (caromContactWorld){ 0 };
}

// ---- at any state

caromContactTotals carom_world_forces_at(const caromContactWorld *world, const caromKin *kin, double time,
                                         const double *z, caromSpatial *F_C, double *dz)
{
    return carom_contact_forces(world->model, &world->memory, &(caromContactState){ kin, time, z }, F_C, dz);
}

caromContact carom_world_contact_at(const caromContactWorld *world, const caromKin *kin, double time, const double *z,
                                    int pair)
{
    return carom_contact_resultant(world->model, &world->memory, &(caromContactState){ kin, time, z }, pair);
}

int carom_world_pressure_at(const caromContactWorld *world, const caromKin *kin, double time,
                            const caromContact *contact, caromPressureVisitor visit, void *user)
{
    return carom_contact_pressure(world->model, &world->memory, &(caromContactState){ kin, time, NULL }, contact, visit,
                                  user);
}

double carom_world_energy_at(const caromContactWorld *world, const caromKin *kin, const double *z)
{
    return carom_contact_energy(world->model, kin, &world->memory, z);
}

caromGap carom_world_gap_at(const caromModel *model, const caromKin *kin, int pair, double *rate)
{
    caromGap gap = carom_manifold_gap(model, kin, pair);
    *rate = carom_patch_gap_rate(model, kin, pair, &gap);
    return gap;
}

// A gap is a difference of coordinates and known to a few roundings of them.
double carom_world_margin_at(const caromModel *model, const caromKin *kin)
{
    double size = 0.0;
    for (int k = 0; k < model->nbody; k++) size = fmax(size, carom_norm(kin->p_WC[k]) + model->bodies[k].reach);
    return CAROM_CONTACT_GAP_ROUNDINGS*DBL_EPSILON*size;
}

static caromEvent event_at(caromEventKind kind, double time, int pair, const caromGap *gap)
{
    return (caromEvent){ .time = time,
                         .kind = kind,
                         .about = { CAROM_SUBJECT_PAIR, .pair = pair },
                         .p_W = carom_scale(0.5, carom_add(gap->p_A, gap->p_B)),
                         .n_AB = gap->n_AB };
}

static double *states_of(double *z, int slot)
{
    return z + CAROM_BRISTLE_STATES*slot;
}

static caromStatus no_room(const caromContactWorld *world, double time, int pair, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(world->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s %s touch, and %d pairs with friction touch already: "
                      "no more can be held by bristles. Use contact.friction_law smooth", time, name,
                      world->memory.nslot_max);
}

caromStatus carom_world_touch_at(caromContactWorld *world, const caromKin *kin, const caromWorldTouch *begin,
                                 caromEvent *event, caromError *err)
{
    int pair = begin->pair;
    double time = begin->time, *z = begin->z;
    const caromGap *gap = begin->gap;
    double speed = fmax(0.0, -carom_patch_gap_rate(world->model, kin, pair, gap));
    caromTouch touch = carom_contact_touch_begin(world->model, kin, pair, gap,
                                                 (caromTouchStart){ time, speed, begin->mass });
    if (!carom_contact_memory_begin(&world->memory, pair, &touch)) return no_room(world, time, pair, err);
    int slot = world->memory.touch[pair].slot;
    if (z && slot >= 0) memset(states_of(z, slot), 0, CAROM_BRISTLE_STATES*sizeof *z);
    *event = event_at(CAROM_EVENT_TOUCH, time, pair, gap);
    event->touch.speed = speed;
    return CAROM_OK;
}

// The last slot moves to the one that is left (carom_contact_memory_end).
static void move_states(const caromContactMemory *memory, int slot, double *z)
{
    if (!z || slot < 0) return;
    double *last = states_of(z, memory->nslot - 1);
    memmove(states_of(z, slot), last, CAROM_BRISTLE_STATES*sizeof *z);
    memset(last, 0, CAROM_BRISTLE_STATES*sizeof *z);
}

caromSeparationEvent carom_world_touch_ended(const caromTouch *t, double time, double speed)
{
    bool has_lasted = time > t->impact_ends;
    return (caromSeparationEvent){ .speed = speed,
                                   .duration = time - t->time,
                                   .approach_speed = t->speed,
                                   .asked_restitution = t->restitution,
                                   .has_lasted = has_lasted,
                                   .restitution = !has_lasted && t->speed > 0.0 ? speed/t->speed : (double)NAN };
}

caromEvent carom_world_separate_at(caromContactWorld *world, const caromKin *kin, double time, int pair, double *z)
{
    double rate;
    caromGap gap = carom_world_gap_at(world->model, kin, pair, &rate);
    const caromTouch *touch = &world->memory.touch[pair];
    caromEvent event = event_at(CAROM_EVENT_SEPARATION, time, pair, &gap);
    event.separation = carom_world_touch_ended(touch, time, fmax(0.0, rate));
    const caromFrictionRow *friction = carom_contact_friction_row(world->model);
    if (z && touch->slot >= 0) event.separation.lost = friction->energy(touch, states_of(z, touch->slot));
    move_states(&world->memory, touch->slot, z);
    carom_contact_memory_end(&world->memory, pair);
    return event;
}

double carom_world_next_change(const caromContactWorld *world)
{
    double next = INFINITY;
    if (!world) return next;
    const caromContactMemory *memory = &world->memory;
    for (int i = 0; i < memory->nactive; i++) next = fmin(next, memory->touch[memory->active[i]].lasts_from);
    for (int i = 0; i < world->model->nlimit; i++)
        if (memory->limit_is_active[i]) next = fmin(next, memory->limit_touch[i].lasts_from);
    return next;
}

double carom_world_next_stage(const caromContactWorld *world)
{
    const caromContactMemory *memory = &world->memory;
    double next = carom_world_next_change(world);
    for (int i = 0; i < memory->nactive; i++) next = fmin(next, memory->touch[memory->active[i]].stays_from);
    return next;
}

// A step that was to end at that time may have missed it by a rounding of the sum of offsets.
static bool settles(caromTouch *t, double time)
{
    double by = time + CAROM_CONTACT_TIME_ROUNDINGS*DBL_EPSILON*fabs(time);
    if (t->stays_from <= by) {
        t->has_stayed = true;
        t->stays_from = INFINITY;
    }
    if (t->lasts_from > by) return false;
    carom_contact_touch_lasts(t);
    return true;
}

int carom_world_change_at(caromContactWorld *world, double time)
{
    caromContactMemory *memory = &world->memory;
    int changed = 0;
    for (int i = 0; i < memory->nactive; i++) if (settles(&memory->touch[memory->active[i]], time)) changed++;
    for (int i = 0; i < world->model->nlimit; i++)
        if (memory->limit_is_active[i] && settles(&memory->limit_touch[i], time)) changed++;
    return changed;
}

int carom_world_spread_at(caromContactWorld *world, const caromKin *kin, double *lost)
{
    caromContactMemory *memory = &world->memory;
    int changed = 0;
    double most = *lost;
    *lost = 0.0;
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        double one = carom_contact_touch_widen(world->model, kin, pair, most, &memory->touch[pair]);
        *lost += one;
        changed += one > 0.0 || carom_contact_touch_spread(world->model, kin, pair, &memory->touch[pair]);
    }
    return changed;
}

// ---- at the placed state

// Bodies of the rigid response have no forces of depth: a world of them would press by a law that the model turned
// down.
static caromStatus refuse_response(const caromModel *model, caromError *err)
{
    if (carom_model_response(model)->has_depth) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_MODEL, "contact.response", "a contact world presses by depth, and the contacts of "
                      "this model are %s: set contact.response to %s, or simulate it with carom_sim_create",
                      carom_model_response_name(model->settings.response),
                      carom_model_response_name(CAROM_RESPONSE_COMPLIANT));
}

caromStatus carom_world_create(const caromModel *model, caromContactWorld **out, caromError *err)
{
    if (!out) return carom_fail(err, CAROM_ERR_INPUT, "world", "there is no place for the world: out is NULL");
    *out = NULL;
    if (!model) return carom_fail(err, CAROM_ERR_INPUT, "model", "a contact world needs a model; this one is NULL");
    caromStatus status = refuse_response(model, err);
    if (status == CAROM_OK) status = carom_contact_refuse(model, err);
    if (status != CAROM_OK) return status;
    caromContactWorld *world = calloc(1, sizeof *world);
    bool good = world && carom_world_alloc(model, world);
    if (good) {
        world->stray = carom_alloc_array((size_t)model->nshape, sizeof *world->stray);
        good = world->stray && carom_kin_start(model, &world->kin);
        good = carom_broad_nearby_alloc(model, &world->nearby) && good;
    }
    if (!good) {
        carom_world_destroy(world);
        return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for %d bodies and %d pairs", model->nbody,
                          model->npair);
    }
    *out = world;
    return CAROM_OK;
}

void carom_world_destroy(caromContactWorld *world)
{
    if (!world) return;
    carom_world_free(world);
    free(world);
}

static bool is_finite_motion(const caromPose *X, const caromSpatial *V)
{
    return carom_is_finite3(X->R.cx) && carom_is_finite3(X->R.cy) && carom_is_finite3(X->R.cz) &&
           carom_is_finite3(X->p) && carom_is_finite3(V->angular) && carom_is_finite3(V->linear);
}

caromStatus carom_world_place(caromContactWorld *world, double time, const caromPose *X_WB, const caromSpatial *V_WB,
                              caromError *err)
{
    if (!world || !X_WB || !V_WB) return carom_fail(err, CAROM_ERR_INPUT, "", "world, poses or velocities are NULL");
    const caromModel *m = world->model;
    if (!isfinite(time)) return carom_fail(err, CAROM_RETRY, "", "the time is not finite");
    for (int k = 0; k < m->nbody; k++) {
        if (!is_finite_motion(&X_WB[k], &V_WB[k]))
            return carom_fail(err, CAROM_RETRY, m->bodies[k].name, "body '%s': pose or velocity is not finite",
                              m->bodies[k].name);
        if (!carom_narrow_is_rotation(&X_WB[k].R)) {
            return carom_fail(err, CAROM_ERR_INPUT, m->bodies[k].name, "body '%s': its matrix R is no rotation; "
                              "its columns are the axes of the body, along those of the world", m->bodies[k].name);
        }
    }
    carom_kin_place(m, X_WB, V_WB, &world->kin);
    world->time = time;
    return CAROM_OK;
}

double carom_world_placed(const caromContactWorld *world, caromPose *X_WB, caromSpatial *V_WB)
{
    if (!world) return NAN;
    for (int k = 0; k < world->model->nbody; k++) {
        if (X_WB) X_WB[k] = world->kin.X_WB[k];
        if (V_WB) V_WB[k] = carom_kin_origin_velocity(world->model, &world->kin, k);
    }
    return world->time;
}

static bool is_finite_wrench(const caromSpatial *F)
{
    return carom_is_finite3(F->angular) && carom_is_finite3(F->linear);
}

// tau about the origin = tau about the centre of mass + r x f, r from the origin to the centre of mass.
caromStatus carom_world_wrenches(const caromContactWorld *world, const double *z, caromSpatial *F_B, double *dz,
                                 caromWorldPower *power)
{
    if (power) *power = (caromWorldPower){ .too_deep = -1 };
    if (!world || !F_B || (carom_world_state_count(world) > 0 && !z)) return CAROM_ERR_INPUT;
    const caromModel *m = world->model;
    bool is_good = true;
    memset(F_B, 0, (size_t)m->nbody*sizeof *F_B);
    caromContactTotals totals = carom_world_forces_at(world, &world->kin, world->time, z, F_B, dz);
    for (int k = 0; k < m->nbody; k++) {
        caromVec3 r = carom_sub(world->kin.p_WC[k], world->kin.X_WB[k].p);
        F_B[k].angular = carom_add(F_B[k].angular, carom_cross(r, F_B[k].linear));
        is_good = is_good && is_finite_wrench(&F_B[k]);
    }
    if (power)
        *power = (caromWorldPower){ totals.damping, totals.friction, totals.rolling, totals.rate, totals.too_deep };
    return is_good && totals.too_deep < 0 ? CAROM_OK : CAROM_RETRY;
}

int carom_world_pair_count(const caromContactWorld *world)
{
    return world ? world->model->npair : 0;
}

int carom_world_state_count(const caromContactWorld *world)
{
    return world ? carom_contact_memory_states(&world->memory) : 0;
}

int carom_world_state_max(const caromContactWorld *world)
{
    return world ? CAROM_BRISTLE_STATES*world->memory.nslot_max : 0;
}

// Where states are needed and not given there is no answer.
static bool lacks_states(const caromContactWorld *world, const double *z)
{
    return !world || (!z && carom_world_state_count(world) > 0);
}

static caromGap no_gap(void)
{
    caromVec3 nowhere = { NAN, NAN, NAN };
    return (caromGap){ NAN, nowhere, nowhere, nowhere, INFINITY, CAROM_GAP_UNDEFINED };
}

caromGap carom_world_gap(const caromContactWorld *world, int pair, double *rate)
{
    double dgdt = NAN;
    caromGap gap = carom_world_has(world, pair) ? carom_world_gap_at(world->model, &world->kin, pair, &dgdt) : no_gap();
    if (rate) *rate = dgdt;
    return gap;
}

double carom_world_margin(const caromContactWorld *world)
{
    return world ? carom_world_margin_at(world->model, &world->kin) : (double)NAN;
}

bool carom_world_is_touching(const caromContactWorld *world, int pair)
{
    return carom_world_has(world, pair) && world->memory.is_active[pair];
}

int carom_world_touching(const caromContactWorld *world, int *pairs, int capacity)
{
    if (!world) return 0;
    for (int i = 0; pairs && i < world->memory.nactive && i < capacity; i++) pairs[i] = world->memory.active[i];
    return world->memory.nactive;
}

caromContact carom_world_contact(const caromContactWorld *world, const double *z, int pair)
{
    if (carom_world_is_touching(world, pair) && !lacks_states(world, z))
        return carom_world_contact_at(world, &world->kin, world->time, z, pair);
    caromGap gap = carom_world_gap(world, pair, NULL);
    return (caromContact){ .pair = pair, .p_W = carom_scale(0.5, carom_add(gap.p_A, gap.p_B)), .n_AB = gap.n_AB };
}

double carom_world_energy(const caromContactWorld *world, const double *z)
{
    return lacks_states(world, z) ? (double)NAN : carom_world_energy_at(world, &world->kin, z);
}

// ---- pairs that are near

typedef struct FoundPairs {
    const caromContactWorld *world;
    double distance;
    int *pairs;
    int count, capacity;
} FoundPairs;

static void look(void *user, int pair)
{
    FoundPairs *f = user;
    if (carom_broad_rough_gap(f->world->model, &f->world->kin, pair) > f->distance) return;
    if (f->pairs && f->count < f->capacity) f->pairs[f->count] = pair;
    f->count++;
}

caromStatus carom_world_visit_near(caromContactWorld *world, double distance, caromPairVisitor visit, void *user)
{
    for (int i = 0; i < world->model->nshape; i++) world->stray[i] = 0.5*fmax(0.0, distance);
    return carom_broad_nearby_find(world->model, &world->nearby, &world->kin, world->stray, visit, user);
}

int carom_world_near(caromContactWorld *world, double distance, int *pairs, int capacity)
{
    if (!world || isnan(distance)) return 0;
    double margin = carom_world_margin(world);
    FoundPairs found = { world, distance + margin, pairs, 0, capacity };
    return carom_world_visit_near(world, distance + margin, look, &found) == CAROM_OK ? found.count : -1;
}
