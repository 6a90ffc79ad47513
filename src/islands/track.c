// Bodies that fall together do not meet, however far they fall.
//
// Gravity g bends all paths alike. With a bound b of |acceleration - g| over a step that begins at t0, the centre of
// mass stays within b (t - t0)^2/2 of
//
//     x0 + v0 (t - t0) + g (t - t0)^2/2
//
// and between two such curves lies a line: g (t - t1)^2/2 - g (t - t2)^2/2 grows linearly with t. How near to each
// other two bodies get on it is told in a few products, where a certificate of their shapes (sweep/clear.h) takes a
// hundred times as long.
#include "base/base.h"
#include "islands/island.h"

void carom_island_track(caromIslands *all, caromIsland *island)
{
    const caromModelGuard *g = &island->run->system.guard;
    const caromModel *m = island->run->system.model;
    for (int k = 0; k < m->nlink; k++) {
        int body = m->links[k].body;
        const caromBody *b = &m->bodies[body];
        const caromKin *kin = &g->kin[CAROM_SLOT_START];
        caromIslandTrack *track = &all->track[carom_island_link_in_whole(island, k)];
        *track = (caromIslandTrack){ .x = kin->p_WC[body], .v = kin->V_WC[body].linear,
                                     .t0 = island->run->system.t_step, .bend = g->bounds[body].bend,
                                     .reach = b->reach };
        for (int i = b->first_shape; i < b->first_shape + b->nshape; i++) track->reach += m->shapes[i].shell;
    }
}

static caromVec3 place_at(const caromIslandTrack *a, caromVec3 g, double t)
{
    return carom_axpy(t, carom_axpy(0.5*t, g, a->v), a->x);
}

bool carom_island_pass_far(const caromIslandTrack *a, const caromIslandTrack *b, caromVec3 g, double t1,
                           double margin)
{
    double t0 = fmax(a->t0, b->t0), ta = t1 - a->t0, tb = t1 - b->t0,
           near = CAROM_EVENTS_ROUNDED_UP*(a->reach + b->reach + 0.5*(a->bend*ta*ta + b->bend*tb*tb)) + margin;
    caromVec3 d = carom_sub(place_at(b, g, t0 - b->t0), place_at(a, g, t0 - a->t0)),
              e = carom_sub(place_at(b, g, tb), place_at(a, g, ta)), along = carom_sub(e, d);
    double length2 = carom_norm2(along),
           part = length2 > 0.0 ? fmax(0.0, fmin(1.0, -carom_dot(d, along)/length2)) : 0.0;
    return carom_norm2(carom_axpy(part, along, d)) > near*near;
}
