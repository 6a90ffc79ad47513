// What joints transmit in an impact: from the leaves to the root, change of momentum less what acts from outside.
#include <string.h>

#include "dynamics/dynamics.h"

void carom_dyn_articulated_response_reactions(const caromModel *model, const caromKin *kin, const caromSpatial *F_o,
                                              const caromDynWork *w, caromSpatial *reactions)
{
    memset(reactions, 0, (size_t)model->nlink*sizeof *reactions);
    for (int i = model->nlink - 1; i >= 0; i--) {
        const caromLinkKin *k = &kin->links[i];
        caromArticulated own = carom_dyn_articulated_rigid(&model->links[i], k);
        caromSpatial change = carom_dyn_articulated_inertia_times(&own, w->acc[i]), *r = &reactions[i];
        r->angular = carom_add(r->angular, carom_sub(change.angular, F_o[i].angular));
        r->linear = carom_add(r->linear, carom_sub(change.linear, F_o[i].linear));
        if (model->links[i].parent < 0) continue;
        caromSpatial *below = &reactions[model->links[i].parent];
        below->linear = carom_add(below->linear, r->linear);
        below->angular = carom_add(below->angular, carom_add(r->angular, carom_cross(k->r, r->linear)));
    }
}
