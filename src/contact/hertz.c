// Hertz: stiffness from curvature.
#include "contact/contact.h"

double carom_hertz_stiffness(double E_star, double k_min, double k_max)
{
    return 4.0/3.0*E_star/sqrt(sqrt(fmax(k_min, 1e-6*k_max)*k_max));
}

void carom_relative_curvature(caromCurvature a, caromCurvature b, caromVec3 n, double *k_min, double *k_max)
{
    (void)n;
    *k_min = a.k1 + b.k1;
    *k_max = a.k2 + b.k2;
}
