// Friction of the slip speed alone: Coulomb's law, regularised below v_small. What rests creeps.
#include "contact/contact.h"

// d(friction)/d(slip) over friction [s/m]: 3/v_small at rest. A step that is too long overshoots and hops from side
// to side at slips of about v_small, where the slope is small again: up to twice v_small the steepest slope counts.
// Times 7/2 per mass where a ball can turn under the force.
static double steepness(double slip, double v_small)
{
    return slip < 2.0*v_small ? 3.0/v_small : 1.0/slip;
}

caromCellFriction carom_contact_friction_regularised(const caromPairLaw *law, double pressing, double slip,
                                                     double v_small)
{
    double force = carom_friction_coefficient(law, slip, v_small)*pressing;
    return (caromCellFriction){ force/carom_contact_regularized(slip, v_small), 3.5*force*steepness(slip, v_small) };
}

const caromFrictionRow carom_contact_friction_smooth = {
    .info = { .name = "smooth", .creeps = true },
    .rigid = &carom_contact_friction_smooth,
    .cell = carom_contact_friction_regularised,
};
