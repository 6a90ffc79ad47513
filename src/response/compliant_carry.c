// Bodies that lie on a tray that is shaken go with it (time/carry.h): by how much time alone would move the point of
// the tray where their centre of mass is.
#include "response/compliant_structure.h"

// A body of the world that nothing else moves: its states are the position and the velocity of its centre of mass in W.
static bool can_be_carried(const struct caromStructure *s, const caromLink *link)
{
    return link->is_lone && s->carrier[link->body] >= 0;
}

static void add_carried(const caromModel *m, const caromLink *link, caromVec3 shift, caromVec3 velocity,
                        caromCarried *to)
{
    const double d[3] = { shift.x, shift.y, shift.z }, v[3] = { velocity.x, velocity.y, velocity.z };
    for (int i = 0; i < 3; i++)
        to[i] = (caromCarried){ .position = link->iq + i, .speed = m->nq + link->iv + i, .shift = d[i],
                                .velocity = v[i] };
}

static bool has_led_links(const caromModel *m)
{
    for (int k = 0; k < m->nlink; k++) if (m->links[k].motion) return true;
    return false;
}

int carom_compliant_structure_carry(void *user, double t, const double *y, double later, caromCarried *list)
{
    caromSystem *e = user;
    struct caromStructure *s = carom_compliant_of(e)->structure;
    const caromModel *m = e->model;
    if (!has_led_links(m) || !carom_compliant_structure_prepare(s, m, &e->world.memory)) return 0;
    const caromKin *from = &s->scratch.base, *to = &e->scratch.kin;
    carom_kin_update(m, t, y, y + m->nq, &s->scratch.base);
    carom_kin_update(m, t + later, y, y + m->nq, &e->scratch.kin);
    int n = 0;
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (!can_be_carried(s, link)) continue;
        int carrier = s->carrier[link->body];
        caromVec3 p = from->p_WC[link->body], local = carom_pose_inverse_point(from->X_WB[carrier], p),
                  moved = carom_pose_point(to->X_WB[carrier], local);
        add_carried(m, link, carom_sub(moved, p), carom_kin_point_velocity(to, carrier, moved), list + n);
        n += 3;
    }
    return n;
}
