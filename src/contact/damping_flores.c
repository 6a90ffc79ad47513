// c = 8 (1 - e)/(5 e v0) [Flores11]: a fit; asked for 0.7 it gives 0.6832.
#include "contact/contact.h"

double carom_damping_flores(double e)
{
    return 1.6*(1.0 - e)/e;
}
