// Which pairs touch: the discrete state of the compliant response.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "contact/contact.h"

int carom_contact_memory_slots(const caromModel *model)
{
    if (carom_contact_friction_row(model)->states == 0) return 0;
    int n = 0, most = CAROM_CONTACT_SLOTS_PER_SHAPE*model->nshape + CAROM_CONTACT_SLOTS_MORE;
    for (int pair = 0; pair < model->npair && n < most; pair++)
        if (carom_contact_law_has_friction(carom_model_law_of(model, pair))) n++;
    return n;
}

bool carom_contact_memory_alloc(const caromModel *model, caromContactMemory *memory)
{
    size_t n = (size_t)model->npair;
    *memory = (caromContactMemory){ .active = carom_alloc_array(n, sizeof *memory->active),
                                    .is_active = carom_alloc_array(n, sizeof *memory->is_active),
                                    .touch = carom_alloc_array(n, sizeof *memory->touch),
                                    .limit_is_active = carom_alloc_array((size_t)model->nlimit,
                                                                         sizeof *memory->limit_is_active),
                                    .limit_touch = carom_alloc_array((size_t)model->nlimit,
                                                                     sizeof *memory->limit_touch),
                                    .nslot_max = carom_contact_memory_slots(model) };
    memory->slot_pair = carom_alloc_array((size_t)memory->nslot_max, sizeof *memory->slot_pair);
    return memory->active && memory->is_active && memory->touch && memory->limit_is_active && memory->limit_touch &&
           memory->slot_pair;
}

void carom_contact_memory_free(caromContactMemory *memory)
{
    free(memory->active);
    free(memory->is_active);
    free(memory->touch);
    free(memory->limit_is_active);
    free(memory->limit_touch);
    free(memory->slot_pair);
    *memory = (caromContactMemory){ 0 };
}

bool carom_contact_memory_is_flight(const caromModel *model, const caromContactMemory *memory)
{
    for (int i = 0; i < model->nlimit; i++) if (memory->limit_is_active[i]) return false;
    return memory->nactive == 0;
}

static int take_slot(caromContactMemory *memory, int pair)
{
    memory->slot_pair[memory->nslot] = pair;
    return memory->nslot++;
}

static void leave_slot(caromContactMemory *memory, int slot)
{
    int last = memory->slot_pair[--memory->nslot];
    memory->slot_pair[slot] = last;
    memory->touch[last].slot = slot;
}

bool carom_contact_memory_begin(caromContactMemory *memory, int pair, const caromTouch *touch)
{
    CAROM_ASSERT(!memory->is_active[pair]);
    bool has_bristles = carom_contact_touch_has_bristles(touch);
    if (has_bristles && memory->nslot == memory->nslot_max) return false;
    int at = memory->nactive++;
    while (at > 0 && memory->active[at - 1] > pair) {
        memory->active[at] = memory->active[at - 1];
        at--;
    }
    memory->active[at] = pair;
    memory->is_active[pair] = true;
    memory->touch[pair] = *touch;
    memory->touch[pair].slot = has_bristles ? take_slot(memory, pair) : -1;
    return true;
}

void carom_contact_memory_end(caromContactMemory *memory, int pair)
{
    CAROM_ASSERT(memory->is_active[pair]);
    int at = 0;
    while (memory->active[at] != pair) at++;
    memory->nactive--;
    memmove(memory->active + at, memory->active + at + 1, (size_t)(memory->nactive - at)*sizeof *memory->active);
    memory->is_active[pair] = false;
    if (memory->touch[pair].slot >= 0) leave_slot(memory, memory->touch[pair].slot);
}
