// fn = K d^n + D(d) d': D grows smoothly from 0 to the pair's coefficient at its damping_depth (IMPACT of Adams).
#include "contact/contact.h"

static double damper(const caromPairLaw *law, double depth)
{
    return law->damping_coefficient*carom_contact_smooth_step(depth/law->damping_depth);
}

const caromDampingRow carom_contact_damping_depth = {
    .info = { .name = "depth", .unit = "N s/m", .needs_coefficient = true, .needs_depth = true },
    .damper = damper,
};
