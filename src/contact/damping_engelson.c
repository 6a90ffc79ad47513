// The two fits of [Engelson00] to the restitution that c v0 gives.
#include "contact/contact.h"

double carom_damping_engelson_fraction(double e)
{
    return (1.0 - e)/e;
}

double carom_damping_engelson_cubic(double e)
{
    return (1.0 - e)/e;
}
