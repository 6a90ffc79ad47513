// Rigid contacts in islands (islands/): those of another system go on in this one.
#include <math.h>
#include <string.h>

#include "response/rigid.h"

static int count(const caromSystem *sys)
{
    return carom_rigid_of(sys)->n;
}

static caromConstraint about(const caromSystem *sys, int contact)
{
    return carom_rigid_of(sys)->contacts[contact].about;
}

// A point at which a force is held, of a contact that has another number here.
static caromPlacedPoint renumbered(const caromModel *m, caromConstraint c, caromPlacedPoint at)
{
    if (c.kind == CAROM_CONSTRAINT_LIMIT) {
        at.limit = c.index;
        return at;
    }
    for (int side = 0; side < 2; side++) {
        at.body[side] = m->shapes[m->pairs[c.index].shape[side]].body;
        at.link[side] = m->bodies[at.body[side]].link;
    }
    return at;
}

static bool adopt(caromSystem *sys, caromConstraint c, const caromSystem *from, int contact)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromRigid *past = carom_rigid_of(from);
    if (!carom_rigid_reserve(r, r->n + 1)) return false;
    r->contacts[r->n] = past->contacts[contact];
    r->contacts[r->n].about = c;
    if (carom_rigid_holds(past)) {
        r->hold.points[r->n] = renumbered(sys->model, c, past->hold.points[contact]);
        memcpy(r->hold.f + 3*(size_t)r->n, past->hold.f + 3*(size_t)contact, 3*sizeof *r->hold.f);
    }
    r->n++;
    carom_rigid_close(r, c, true);
    return true;
}

static void remember(caromSystem *sys, caromConstraint c, const caromSystem *from, caromConstraint from_c)
{
    carom_rigid_of(sys)->decay[carom_model_constraint_number(sys->model, c)] =
        carom_rigid_of(from)->decay[carom_model_constraint_number(from->model, from_c)];
}

// Where two islands join, forces that are held in one of them end at once: they are decided anew.
static void adopt_hold(caromRigidHold *hold, const caromRigidHold *past)
{
    hold->until = fmax(hold->until, past->until);
    if (!(past->end > hold->end)) return;
    hold->end = past->end;
    hold->length = past->length;
    hold->since = past->since;
}

// What counts as none is what it is for the whole; of events that follow each other closely the last count.
static void adopt_past(caromSystem *sys, const caromSystem *from)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromRigid *past = carom_rigid_of(from);
    double speed = r->is_new ? r->scales.speed : 0.0;  // of another island that joins
    r->scales = past->scales;
    r->scales.speed = fmax(speed, past->scales.speed);
    if (past->clock.last_time >= r->clock.last_time) r->clock = past->clock;
    adopt_hold(&r->hold, &past->hold);
    r->is_new = true;
    if (r->n == 0) return;
    r->friction_rate = fmax(r->friction_rate, past->friction_rate);
    r->next_step = past->next_step;
    sys->pace = r->pace = fmin(r->pace, past->pace);
}

static double instant_gap(const caromSystem *sys)
{
    return carom_rigid_of(sys)->scales.gap;
}

const caromApartRow carom_rigid_apart = { .count = count, .about = about, .adopt = adopt, .remember = remember,
                                          .adopt_past = adopt_past, .instant_gap = instant_gap, .lists_own = true };
