// The sum of infinitely many bounces [Falcon98]. With constant acceleration a < 0 in flight the hops after a rebound
// with speed v last 2 v/|a|, 2 e v/|a|, ... and their impacts, each changing the speed by (1 + e) times the approach,
// need the normal impulses (1 + e) v/A, (1 + e) e v/A, ...
#include "unilateral/unilateral.h"

#include <math.h>

caromLanding carom_unilateral_landing(double v_n, double a_n, double e, double A)
{
    return (caromLanding){ .time = 2*v_n/(-a_n*(1 - e)), .impulse = v_n*(1 + e)/((1 - e)*A) };
}

// A jerk j puts each hop off by O(j v/a^2), and the sum by O(time^2): the error falls by e^2 with each bounce, and the
// change of the estimate with it.
double carom_unilateral_landing_error(double e, double estimate, double previous)
{
    return e*e/(1 - e*e)*fabs(estimate - previous);
}
