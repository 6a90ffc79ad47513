// Is the energy of a run accounted for? The one place that says relative to what, and from when on it is not.
#include <math.h>

#include "base/base.h"
#include "carom/sim.h"

// The imbalance adds up the local errors of all steps; a hundred times the tolerance is what a healthy run stays below.
static const double OFF = 100.0;

// Of runs at tight tolerances a percent is beyond all errors of steps: something was done wrong at an instant. A motion
// that gained or lost a tenth of its energy from nowhere is another motion, at whatever tolerance.
static const double LOST_LEAST = 0.01, LOST_MOST = 0.1;

caromEnergyCheck carom_sim_check_energy(const caromSimStats *stats, double tolerance)
{
    double off = OFF*tolerance, lost = fmin(LOST_MOST, fmax(LOST_LEAST, off));
    // At the end too: where nothing was sampled the largest is not known.
    caromEnergyCheck check = { .largest = fmax(stats->largest_imbalance, fabs(stats->energy.imbalance)),
                               .reference = fmax(stats->energy_scale, stats->energy_reference),
                               .is_weight = stats->energy_reference > stats->energy_scale };
    check.relative = check.reference > 0.0 ? check.largest/check.reference : 0.0;
    check.verdict = check.relative > lost ? CAROM_ENERGY_LOST : check.relative > off ? CAROM_ENERGY_OFF
                                                                                     : CAROM_ENERGY_KEPT;
    // A sum that is no number is accounted for by nothing.
    if (isnan(stats->energy.imbalance)) {
        check.largest = check.relative = stats->energy.imbalance;
        check.verdict = CAROM_ENERGY_LOST;
    }
    return check;
}

const char *carom_sim_energy_verdict_name(caromEnergyVerdict verdict)
{
    return verdict == CAROM_ENERGY_KEPT ? "kept" : verdict == CAROM_ENERGY_OFF ? "off" : "lost";
}
