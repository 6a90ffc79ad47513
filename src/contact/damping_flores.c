// c = 8 (1 - e)/(5 e v0) [Flores11]: a fit; asked for 0.7 it gives 0.6832.
#include "contact/contact.h"

static double number(double e)
{
    return 1.6*(1.0 - e)/e;
}

const caromDampingRow carom_contact_damping_flores = { .info = { .name = "flores", .uses_restitution = true },
                                                       .number = number };
