// Friction of rigid bodies that sticks and slides: Coulomb's law as it is, a set-valued force whose changes are
// located events (src/unilateral). Compliant bodies cannot have it.
#include "contact/contact.h"

const caromFrictionRow carom_contact_friction_sharp = {
    .info = { .name = "sharp" },
    .rigid = &carom_contact_friction_sharp,
    .is_sharp = true,
};
