// Which pairs touch: the discrete state of the compliant response.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "contact/contact.h"

// Damping of slow contacts is limited so that surfaces do not creep apart [Modia3D].
static const double c_max = 1000.0;  // [s/m]

bool carom_modes_alloc(const caromModel *model, caromModes *modes)
{
    size_t n = (size_t)model->npair;
    *modes = (caromModes){ .active = carom_alloc_array(n, sizeof *modes->active),
                           .is_active = carom_alloc_array(n, sizeof *modes->is_active),
                           .touch = carom_alloc_array(n, sizeof *modes->touch) };
    return modes->active && modes->is_active && modes->touch;
}

void carom_modes_free(caromModes *modes)
{
    free(modes->active);
    free(modes->is_active);
    free(modes->touch);
    *modes = (caromModes){ 0 };
}

static caromTouch touch_at(const caromModel *model, int pair, double time, double speed)
{
    const caromSettings *s = &model->settings;
    double e = carom_restitution_at(model->pairs[pair].restitution, speed, s->v_small);
    double c = carom_damping_number(s->damping, e)/carom_regularized(speed, s->v_small);
    return (caromTouch){ time, speed, e, fmin(c, c_max) };
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
    modes->touch[pair] = touch_at(model, pair, time, speed);
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
