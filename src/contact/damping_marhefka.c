// e = 1 - alpha v0 to first order, c = 3/2 alpha [MarhefkaOrin99]; alpha is the pair's coefficient, or follows from e.
#include "contact/contact.h"

static double number(double e)
{
    return 1.5*(1.0 - e);
}

const caromDampingRow carom_contact_damping_marhefka_orin = {
    .info = { .name = "marhefka-orin", .unit = "s/m", .uses_restitution = true },
    .number = number,
    .per_coefficient = 1.5,
};
