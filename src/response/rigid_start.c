// Rigid bodies that start inside each other are moved apart before anything else happens: an overlap would be a spring
// that nobody has wound up.
//
// All points that overlap are brought to the surface by the least change of positions in the mass metric, again and
// again, since other points may overlap then. The motion begins there, and its energy is counted from there.
#include "base/base.h"
#include "response/rigid.h"

// The points of found that overlap become contacts for now; the deepest, how deep it is, and how many there are.
typedef struct Overlap {
    int n, worst;
    double depth;
} Overlap;

static Overlap overlaps(caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromModel *m = sys->model;
    Overlap o = { 0, -1, 0.0 };
    carom_kin_update(m, 0.0, sys->y, sys->y + m->nq, &sys->scratch.kin);
    r->n = 0;
    int found = carom_rigid_collect_all(sys, &sys->scratch.kin);
    if (found < 0) return (Overlap){ -1, -1, 0.0 };
    carom_space_place(m, &sys->scratch.kin, sys->y, r->event.found, found, r->space);
    for (int i = 0; i < found; i++) {
        double depth = -r->space->points[i].g;
        if (!(depth > sys->search.margin)) continue;
        caromContactPoint *c = &r->contacts[o.n++];
        *c = r->event.found[i];
        c->mode = CAROM_MODE_SLIDING;
        if (depth > o.depth) o.depth = depth, o.worst = o.n - 1;
    }
    r->n = o.n;
    return o;
}

static caromStatus refuse(const caromSystem *sys, const Overlap *o, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_constraint_name(sys->model, carom_rigid_of(sys)->contacts[o->worst].about, name, sizeof name);
    return carom_fail(err, CAROM_ERR_MODEL, name, "%s overlap by %.3g m at the start, and rigid bodies cannot be moved "
                      "apart there: place them apart, or give response: compliant", name, o->depth);
}

static void note(caromSystem *sys, const Overlap *o)
{
    caromConstraint about = carom_rigid_of(sys)->contacts[o->worst].about;
    if (about.kind != CAROM_CONSTRAINT_PAIR || !(o->depth > sys->stats.parted.depth)) return;
    sys->stats.parted.pair = about.index;
    sys->stats.parted.depth = o->depth;
}

static caromStatus part(caromSystem *sys, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    caromStatus status = CAROM_OK;
    for (int k = 0; status == CAROM_OK; k++) {
        Overlap o = overlaps(sys);
        if (o.n < 0) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for the contacts");
        if (o.depth <= r->scales.gap) break;
        if (k == 0) note(sys, &o);
        if (k == CAROM_RIGID_PARTINGS_MAX || !carom_rigid_part(sys)) status = refuse(sys, &o, err);
    }
    r->n = 0;
    return status;
}

// Of weight; and all other that positions change.
static double potential_of(caromSystem *sys, double *others)
{
    const caromModel *m = sys->model;
    caromKin *kin = &sys->scratch.kin;
    carom_kin_update(m, 0.0, sys->y, sys->y + m->nq, kin);
    *others = carom_dyn_kinetic_energy(m, kin) + carom_dyn_spring_energy(m, sys->y, kin, &sys->scratch.work);
    return carom_dyn_potential_energy(m, kin);
}

caromStatus carom_rigid_part_at_start(caromSystem *sys, caromError *err)
{
    double before, after, potential = potential_of(sys, &before);
    caromStatus status = part(sys, err);
    sys->balance.potential_start += potential_of(sys, &after) - potential;
    sys->balance.start += after - before;
    return status;
}
