// The table of damping laws, and what becomes of restitution at low speed [Modia3D].
#include "contact/contact.h"

static const double e_min = 0.001;

static double (*const laws[CAROM_DAMPING_KINDS])(double e) = {
    [CAROM_DAMPING_EXACT] = carom_damping_exact,
    [CAROM_DAMPING_ENGELSON_FRACTION] = carom_damping_engelson_fraction,
    [CAROM_DAMPING_ENGELSON_CUBIC] = carom_damping_engelson_cubic,
    [CAROM_DAMPING_FLORES] = carom_damping_flores,
    [CAROM_DAMPING_MARHEFKA_ORIN] = carom_damping_marhefka_orin,
    [CAROM_DAMPING_NONE] = carom_damping_none,
};

double carom_damping_none(double e)
{
    (void)e;
    return 0.0;
}

double carom_damping_number(caromDamping law, double e)
{
    return (unsigned)law < CAROM_DAMPING_KINDS && laws[law] ? laws[law](fmax(e, e_min)) : 0.0;
}

double carom_restitution_at(double e, double speed, double v_small)
{
    double limit = fmax(e, e_min);
    return limit + (e_min - limit)*exp(log(0.01)*fabs(speed)/v_small);
}
