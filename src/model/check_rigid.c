// What only the rigid response reads, and what it cannot have. What it has no use for (stiffness, damping, laws of one's own) is passed over: one file runs with both responses.
#include <math.h>

#include "base/base.h"
#include "model/check.h"

void carom_check_impacts(caromProblems *problems, const caromSettings *s)
{
    if ((unsigned)s->response >= CAROM_RESPONSE_KINDS) carom_check_error(problems, carom_path_of("contact.response"), "unknown response %d", (int)s->response);
    if ((unsigned)s->impact_law >= CAROM_IMPACT_KINDS) carom_check_error(problems, carom_path_of("contact.impact_law"), "unknown impact law %d", (int)s->impact_law);
    if ((unsigned)s->impacts >= CAROM_IMPACTS_KINDS) carom_check_error(problems, carom_path_of("contact.impacts"), "unknown scheme %d for impacts", (int)s->impacts);
    if ((unsigned)s->landing >= CAROM_LANDING_KINDS) carom_check_error(problems, carom_path_of("contact.landing"), "unknown way %d to land", (int)s->landing);
    carom_check_range(problems, carom_path_of("contact.impact_exponent"), "impact exponent", s->impact_exponent, 1, 3, "");
}

void carom_check_impact_law(caromProblems *problems, int k, caromImpactLaw law)
{
    if ((unsigned)law > CAROM_IMPACT_KINDS) carom_check_error(problems, carom_path_of("pairs.%d.impact_law", k), "unknown impact law %d", (int)law);
}

// A shell is a soft layer: its force begins before the surfaces meet. Rigid surfaces meet or do not; to take them for larger would be another model than the one that was written.
void carom_check_rigid_shape(caromProblems *problems, caromPath path, const caromShapeDef *shape)
{
    if (shape->shell > 0.0 && shape->touches)
        carom_check_error(problems, path, "a shell is soft, and contact.response is rigid: leave it out, or make the shape larger by %g m", shape->shell);
}
