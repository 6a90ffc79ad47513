// The memory of a contact world: how it changes, and snapshots of it.
#include <string.h>

#include "base/base.h"
#include "contact/world.h"

caromStatus carom_world_touch_info(const caromContactWorld *world, int pair, caromTouchInfo *info)
{
    if (!info || !carom_world_is_touching(world, pair)) return CAROM_ERR_INPUT;
    const caromTouch *t = &world->memory.touch[pair];
    const caromPairLaw *law = carom_model_law_of(world->model, pair);
    double speed = fmax(t->speed, world->model->settings.v_small);
    *info = (caromTouchInfo){ .time = t->time,
                              .speed = t->speed,
                              .asked_restitution = t->restitution,
                              .mass = t->mass,
                              .stiffness = t->stiffness,
                              .exponent = t->exponent,
                              .damping = t->damping,
                              .depth = carom_contact_touch_depth(law, t, speed),
                              .duration = carom_contact_touch_duration(law, t, speed),
                              .is_lasting = t->is_lasting };
    return CAROM_OK;
}

// ---- one pair

static caromStatus begin(caromContactWorld *world, int pair, double mass, double *z, caromEvent *event, caromError *err)
{
    caromGap gap = carom_patch_gap(world->model, &world->kin, pair);
    caromWorldTouch touch = { .pair = pair, .time = world->time, .gap = &gap, .mass = mass, .z = z };
    return carom_world_touch_at(world, &world->kin, &touch, event, err);
}

static caromEvent end(caromContactWorld *world, int pair, double *z)
{
    return carom_world_separate_at(world, &world->kin, world->time, pair, z);
}

static caromStatus no_pair(const caromContactWorld *world, int pair, caromError *err)
{
    return carom_fail(err, CAROM_ERR_INPUT, "pair", "there is no pair %d: the world has %d", pair,
                      carom_world_pair_count(world));
}

static caromStatus no_states(const caromContactWorld *world, caromError *err)
{
    return carom_fail(err, CAROM_ERR_INPUT, "z", "contacts have states here (contact.friction_law %s), and z is NULL",
                      carom_contact_friction_row(world->model)->info.name);
}

// A pair that has none leaves those of others alone.
static bool gets_states(const caromContactWorld *world, int pair)
{
    return world->memory.nslot_max > 0 && carom_contact_law_has_friction(carom_model_law_of(world->model, pair));
}

caromStatus carom_world_touch(caromContactWorld *world, int pair, double mass, double *z, caromEvent *event,
                              caromError *err)
{
    if (!carom_world_has(world, pair)) return no_pair(world, pair, err);
    if (world->memory.is_active[pair]) return carom_fail(err, CAROM_ERR_INPUT, "pair", "pair %d touches already", pair);
    if (!isnan(mass) && !(mass > 0.0 && isfinite(mass)))
        return carom_fail(err, CAROM_ERR_INPUT, "mass", "%g kg is no effective mass; NaN where it is not known", mass);
    if (!z && gets_states(world, pair)) return no_states(world, err);
    caromEvent begun;
    caromStatus status = begin(world, pair, mass, z, &begun, err);
    if (status == CAROM_OK && event) *event = begun;
    return status;
}

caromStatus carom_world_separate(caromContactWorld *world, int pair, double *z, caromEvent *event)
{
    if (!carom_world_is_touching(world, pair) || (!z && world->memory.touch[pair].slot >= 0)) return CAROM_ERR_INPUT;
    caromEvent ended = end(world, pair, z);
    if (event) *event = ended;
    return CAROM_OK;
}

// ---- all pairs

typedef struct Changes {
    caromContactWorld *world;
    double margin, *z;
    caromStatus status;  // of the first that failed
    caromError *err;
    caromEvent *events;
    int count, capacity;
} Changes;

static void add(Changes *c, caromEvent event)
{
    if (c->events && c->count < c->capacity) c->events[c->count] = event;
    c->count++;
}

// Within the rounding of the gap the rate decides; so a pair that just began, or just ended, does not change back at
// once.
static bool does_begin(double g, double rate, double margin)
{
    return g < -margin || (g <= margin && rate <= 0.0);
}

static bool does_end(double g, double rate, double margin)
{
    return g > margin || (g >= -margin && rate > 0.0);
}

static void begin_if_met(void *user, int pair)
{
    Changes *c = user;
    caromContactWorld *world = c->world;
    double rate;
    if (world->memory.is_active[pair] || carom_broad_rough_gap(world->model, &world->kin, pair) > c->margin) return;
    double g = carom_world_gap_at(world->model, &world->kin, pair, &rate).g;
    caromEvent event;
    if (!does_begin(g, rate, c->margin) || c->status != CAROM_OK) return;
    c->status = begin(world, pair, NAN, c->z, &event, c->err);
    if (c->status == CAROM_OK) add(c, event);
}

static void end_all_apart(Changes *c)
{
    caromContactWorld *world = c->world;
    for (int i = 0; i < world->memory.nactive;) {
        int pair = world->memory.active[i];
        double rate, g = carom_world_gap_at(world->model, &world->kin, pair, &rate).g;
        if (does_end(g, rate, c->margin)) add(c, end(world, pair, c->z));
        else i++;
    }
}

int carom_world_events(caromContactWorld *world, double *z, caromEvent *events, int capacity, caromError *err)
{
    if (!world) return 0;
    if (!z && carom_world_state_max(world) > 0) {
        no_states(world, err);
        return -1;
    }
    Changes changes = { world, carom_world_margin(world), z, CAROM_OK, err, events, 0, capacity };
    end_all_apart(&changes);
    caromStatus status = carom_world_visit_near(world, changes.margin, begin_if_met, &changes);
    if (status != CAROM_OK) carom_fail(err, status, "", "out of memory for the pairs that are near");
    return status == CAROM_OK && changes.status == CAROM_OK ? changes.count : -1;
}

int carom_world_change(caromContactWorld *world)
{
    double nothing = 0.0;  // the energy is the host's
    return world ? carom_world_change_at(world, world->time) + carom_world_spread_at(world, &world->kin, &nothing) : 0;
}

// ---- snapshots: a head, then one record for each pair that touches, ascending

typedef struct Head {
    uint64_t mark;
    int64_t npair, nactive;
    uint64_t check;  // of all bytes of the snapshot, with 0 in this place
} Head;

typedef struct Remembered {
    int64_t pair;
    caromTouch touch;
} Remembered;

static const uint64_t mark = 0x646c726f776d7263u + sizeof(Remembered);

static uint64_t check_of(Head head, const unsigned char *records)
{
    head.check = 0;
    return carom_crc32(carom_crc32(0, &head, sizeof head), records, (size_t)head.nactive*sizeof(Remembered));
}

size_t carom_world_memory_size(const caromContactWorld *world)
{
    return world ? sizeof(Head) + (size_t)world->memory.nactive*sizeof(Remembered) : 0;
}

caromStatus carom_world_save(const caromContactWorld *world, void *image, size_t size)
{
    if (!world || !image || size < carom_world_memory_size(world)) return CAROM_ERR_INPUT;
    const caromContactMemory *memory = &world->memory;
    unsigned char *to = (unsigned char *)image + sizeof(Head), *records = to;
    for (int i = 0; i < memory->nactive; i++, to += sizeof(Remembered)) {
        int64_t pair = memory->active[i];
        memcpy(to + offsetof(Remembered, pair), &pair, sizeof pair);
        memcpy(to + offsetof(Remembered, touch), &memory->touch[pair], sizeof memory->touch[pair]);
    }
    Head head = { mark, world->model->npair, memory->nactive, 0 };
    head.check = check_of(head, records);
    memcpy(image, &head, sizeof head);
    return CAROM_OK;
}

static Remembered record_at(const unsigned char *from, int64_t i)
{
    Remembered r;
    memcpy(&r, from + sizeof(Head) + (size_t)i*sizeof r, sizeof r);
    return r;
}

static bool is_snapshot(const caromContactWorld *world, const unsigned char *from, size_t size, Head *head)
{
    if (size < sizeof *head) return false;
    memcpy(head, from, sizeof *head);
    if (head->mark != mark || head->npair != world->model->npair || head->nactive < 0 || head->nactive > head->npair)
        return false;
    if (size < sizeof *head + (size_t)head->nactive*sizeof(Remembered)) return false;
    if (head->check != check_of(*head, from + sizeof *head)) return false;
    int64_t last = -1, nslot = 0, top = -1;
    for (int64_t i = 0; i < head->nactive; i++) {
        Remembered r = record_at(from, i);
        if (r.pair <= last || r.pair >= head->npair) return false;
        last = r.pair;
        if (r.touch.slot > top) top = r.touch.slot;
        if (r.touch.slot >= 0) nslot++;
    }
    return nslot <= world->memory.nslot_max && top < nslot;
}

caromStatus carom_world_restore(caromContactWorld *world, const void *image, size_t size)
{
    Head head;
    const unsigned char *from = image;
    if (!world || !from || !is_snapshot(world, from, size, &head)) return CAROM_ERR_INPUT;
    caromContactMemory *memory = &world->memory;
    for (int i = 0; i < memory->nactive; i++) memory->is_active[memory->active[i]] = false;
    memory->nactive = (int)head.nactive;
    memory->nslot = 0;
    for (int i = 0; i < memory->nactive; i++) {
        Remembered r = record_at(from, i);
        int pair = (int)r.pair;
        memory->active[i] = pair;
        memory->is_active[pair] = true;
        memory->touch[pair] = r.touch;
        if (r.touch.slot < 0) continue;
        memory->slot_pair[r.touch.slot] = pair;
        memory->nslot++;
    }
    return CAROM_OK;
}
