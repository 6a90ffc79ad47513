// Which pairs touch: the discrete state of the compliant response.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "contact/contact.h"

int carom_contact_modes_slots(const caromModel *model)
{
    if (carom_contact_friction_row(model)->states == 0) return 0;
    int n = 0, most = CAROM_CONTACT_SLOTS_PER_SHAPE*model->nshape + CAROM_CONTACT_SLOTS_MORE;
    for (int pair = 0; pair < model->npair && n < most; pair++) if (carom_contact_law_has_friction(carom_model_law_of(model, pair))) n++;
    return n;
}

bool carom_contact_modes_alloc(const caromModel *model, caromModes *modes)
{
    size_t n = (size_t)model->npair;
    *modes = (caromModes){ .active = carom_alloc_array(n, sizeof *modes->active),
                           .is_active = carom_alloc_array(n, sizeof *modes->is_active),
                           .touch = carom_alloc_array(n, sizeof *modes->touch),
                           .limit_is_active = carom_alloc_array((size_t)model->nlimit, sizeof *modes->limit_is_active),
                           .limit_touch = carom_alloc_array((size_t)model->nlimit, sizeof *modes->limit_touch),
                           .nslot_max = carom_contact_modes_slots(model) };
    modes->slot_pair = carom_alloc_array((size_t)modes->nslot_max, sizeof *modes->slot_pair);
    return modes->active && modes->is_active && modes->touch && modes->limit_is_active && modes->limit_touch && modes->slot_pair;
}

void carom_contact_modes_free(caromModes *modes)
{
    free(modes->active);
    free(modes->is_active);
    free(modes->touch);
    free(modes->limit_is_active);
    free(modes->limit_touch);
    free(modes->slot_pair);
    *modes = (caromModes){ 0 };
}

bool carom_contact_modes_is_flight(const caromModel *model, const caromModes *modes)
{
    for (int i = 0; i < model->nlimit; i++) if (modes->limit_is_active[i]) return false;
    return modes->nactive == 0;
}

void carom_contact_modes_settle(caromModes *modes, int pair)
{
    caromTouch *t = &modes->touch[pair];
    t->is_settled = true;
    t->settles = INFINITY;
}

static int take_slot(caromModes *modes, int pair)
{
    modes->slot_pair[modes->nslot] = pair;
    return modes->nslot++;
}

static void leave_slot(caromModes *modes, int slot)
{
    int last = modes->slot_pair[--modes->nslot];
    modes->slot_pair[slot] = last;
    modes->touch[last].slot = slot;
}

bool carom_contact_modes_begin(caromModes *modes, int pair, const caromTouch *touch)
{
    CAROM_ASSERT(!modes->is_active[pair]);
    bool has_bristles = carom_contact_touch_has_bristles(touch);
    if (has_bristles && modes->nslot == modes->nslot_max) return false;
    int at = modes->nactive++;
    while (at > 0 && modes->active[at - 1] > pair) {
        modes->active[at] = modes->active[at - 1];
        at--;
    }
    modes->active[at] = pair;
    modes->is_active[pair] = true;
    modes->touch[pair] = *touch;
    modes->touch[pair].slot = has_bristles ? take_slot(modes, pair) : -1;
    return true;
}

void carom_contact_modes_end(caromModes *modes, int pair)
{
    CAROM_ASSERT(modes->is_active[pair]);
    int at = 0;
    while (modes->active[at] != pair) at++;
    modes->nactive--;
    memmove(modes->active + at, modes->active + at + 1, (size_t)(modes->nactive - at)*sizeof *modes->active);
    modes->is_active[pair] = false;
    if (modes->touch[pair].slot >= 0) leave_slot(modes, modes->touch[pair].slot);
}
