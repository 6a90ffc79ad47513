// e = 1 - alpha v0 to first order, c = 3/2 alpha [MarhefkaOrin99].
#include "contact/contact.h"

double carom_damping_marhefka_orin(double e)
{
    return 1.5*(1.0 - e);
}
