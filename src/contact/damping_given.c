// c as the pair gives it, at every speed [HuntCrossley75].
#include "contact/contact.h"

const caromDampingRow carom_contact_damping_given = {
    .info = { .name = "given", .unit = "s/m", .needs_coefficient = true },
    .per_coefficient = 1.0,
};
