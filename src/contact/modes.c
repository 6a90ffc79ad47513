// Which pairs touch: the discrete state of the compliant response.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "contact/contact.h"

// Damping of slow contacts is limited so that surfaces do not creep apart [Modia3D]: never above what an impact at v_small needs, and
// when a contact lasts, never above c_max. An impact that lasts 20 times as long as an undamped one is over.
static const double c_max = 1000.0;  // [s/m]
static const double longest_impact = 20.0;

bool carom_modes_alloc(const caromModel *model, caromModes *modes)
{
    size_t n = (size_t)model->npair;
    *modes = (caromModes){ .active = carom_alloc_array(n, sizeof *modes->active),
                           .is_active = carom_alloc_array(n, sizeof *modes->is_active),
                           .touch = carom_alloc_array(n, sizeof *modes->touch),
                           .limit_is_active = carom_alloc_array((size_t)model->nlimit, sizeof *modes->limit_is_active),
                           .limit_touch = carom_alloc_array((size_t)model->nlimit, sizeof *modes->limit_touch) };
    return modes->active && modes->is_active && modes->touch && modes->limit_is_active && modes->limit_touch;
}

void carom_modes_free(caromModes *modes)
{
    free(modes->active);
    free(modes->is_active);
    free(modes->touch);
    free(modes->limit_is_active);
    free(modes->limit_touch);
    *modes = (caromModes){ 0 };
}

// Restitution 1 asks for no loss at all, at any speed: nothing is regularised then.
caromTouch carom_touch_at(caromDamping law, double restitution, double speed, double v_small, double time)
{
    if (restitution >= 1.0) return (caromTouch){ time, speed, 1.0, 0.0, INFINITY, false };
    double e = carom_restitution_at(restitution, speed, v_small);
    double c = carom_damping_number(law, e)/carom_regularized(speed, v_small);
    double most = fmax(c_max, carom_damping_number(law, restitution)/v_small);
    return (caromTouch){ time, speed, e, fmin(c, most), INFINITY, false };
}

bool carom_modes_is_flight(const caromModel *model, const caromModes *modes)
{
    for (int i = 0; i < model->nlimit; i++) if (modes->limit_is_active[i]) return false;
    return modes->nactive == 0;
}

void carom_modes_settle(caromModes *modes, int pair)
{
    caromTouch *t = &modes->touch[pair];
    t->damping = fmin(t->damping, c_max);
    t->is_settled = true;
    t->settles = INFINITY;
}

void carom_modes_begin(const caromModel *model, caromModes *modes, int pair, double time, double speed)
{
    CAROM_ASSERT(!modes->is_active[pair]);
    int at = modes->nactive++;
    while (at > 0 && modes->active[at - 1] > pair) {
        modes->active[at] = modes->active[at - 1];
        at--;
    }
    modes->active[at] = pair;
    modes->is_active[pair] = true;
    caromTouch touch = carom_touch_at(model->settings.damping, model->pairs[pair].restitution, speed, model->settings.v_small, time);
    touch.settles = time + longest_impact*carom_contact_duration(model, pair, fmax(speed, model->settings.v_small));
    modes->touch[pair] = touch;
}

void carom_modes_end(caromModes *modes, int pair)
{
    CAROM_ASSERT(modes->is_active[pair]);
    int at = 0;
    while (modes->active[at] != pair) at++;
    modes->nactive--;
    memmove(modes->active + at, modes->active + at + 1, (size_t)(modes->nactive - at)*sizeof *modes->active);
    modes->is_active[pair] = false;
}
