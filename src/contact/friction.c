// The table of friction laws, and friction as a function of slip.
//
// Each law is a file friction_<law>.c with its row. The rooms before this one read the rows' names through
// carom/model.h.
#include "contact/contact.h"

extern const caromFrictionRow carom_contact_friction_bristle;
static const caromFrictionRow *const rows[CAROM_FRICTION_KINDS] = {
    [CAROM_FRICTION_SMOOTH] = &carom_contact_friction_smooth,
    [CAROM_FRICTION_BRISTLE] = &carom_contact_friction_bristle,
};

const caromFrictionRow *carom_contact_friction_row(const caromModel *model)
{
    return rows[model->settings.friction_law];
}

const caromFrictionInfo *carom_contact_friction_info(caromFrictionLaw law)
{
    return (unsigned)law < CAROM_FRICTION_KINDS ? &rows[law]->info : NULL;
}

double carom_contact_regularized(double v, double v_small)
{
    if (v >= v_small) return v;
    return v*v/v_small*(1.0 - v/(3.0*v_small)) + v_small/3.0;
}

// mu_s up to v_small, where the regularised force has its peak, mu_k from ten times that on, and a smooth way down
// between.
double carom_friction_coefficient(const caromPairLaw *law, double slip, double v_small)
{
    const double end = CAROM_CONTACT_SLIDES;
    if (law->static_friction == law->friction || slip >= end*v_small) return law->friction;
    if (slip <= v_small) return law->static_friction;
    double x = (slip/v_small - 1.0)/(end - 1.0);
    return law->static_friction + (law->friction - law->static_friction)*carom_contact_smooth_step(x);
}
