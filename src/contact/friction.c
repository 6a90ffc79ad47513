// Friction as a function of slip.
#include "contact/contact.h"

double carom_regularized(double v, double v_small)
{
    if (v >= v_small) return v;
    return v*v/v_small*(1.0 - v/(3.0*v_small)) + v_small/3.0;
}

// mu_s up to v_small, where the regularised force has its peak, mu_k from ten times that on, and a smooth way down between.
double carom_friction_coefficient(const caromPairLaw *law, double slip, double v_small)
{
    const double end = 10.0;
    if (law->static_friction == law->friction || slip >= end*v_small) return law->friction;
    if (slip <= v_small) return law->static_friction;
    double x = (slip/v_small - 1.0)/(end - 1.0);
    return law->static_friction + (law->friction - law->static_friction)*carom_smooth_step(x);
}
