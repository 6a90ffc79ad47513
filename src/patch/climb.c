// The top of a hill and its feet (climb.h).
#include "patch/climb.h"

#include <math.h>

#include "patch/scales.h"

// Between low and high, which rises and falls: where their tangents meet, exactly the top of two straight slopes; or
// where the slope would be 0 if it were linear, exactly the top of a parabola. By turns, and halves where neither is
// inside.
static double guess(caromHillPoint low, caromHillPoint high, int turn)
{
    double fall = low.slope - high.slope, width = high.x - low.x, x = low.x + 0.5*width;
    if (turn % 3 == 0) x = low.x + width*low.slope/fall;
    else if (turn % 3 == 1) x = low.x + (high.value - low.value - high.slope*width)/fall;
    double margin = CAROM_PATCH_CLIMB_MARGIN*width;
    return x > low.x + margin && x < high.x - margin ? x : low.x + 0.5*width;
}

static caromHillPoint higher(caromHillPoint a, caromHillPoint b)
{
    return a.value >= b.value ? a : b;
}

// No point of a hill is higher than the tangent at its highest point so far allows, once that is where it is concave.
static double missed(caromHillPoint low, caromHillPoint high, caromHillPoint top)
{
    return fabs(top.slope)*(high.x - low.x);
}

static void take(caromHillPoint next, caromHillTop *h)
{
    if (next.value < 0.0 && next.slope > 0.0) h->left = next;
    if (next.value < 0.0 && next.slope < 0.0) h->right = next;
    h->top = higher(h->top, next);
}

caromHillTop carom_patch_climb(const caromHill *hill, caromHillPoint low, caromHillPoint high, bool is_any_done)
{
    caromHillTop h = { higher(low, high), low, high };
    if (!(low.slope > 0.0)) h.top = low;
    else if (!(high.slope < 0.0)) h.top = high;
    else
        for (int i = 0; i < CAROM_PATCH_CLIMB_STEPS; i++) {
            if (is_any_done && h.top.value > 0.0) break;
            if (missed(low, high, h.top) <= CAROM_PATCH_CLIMB_LEFT*fabs(h.top.value) + hill->unit) break;
            caromHillPoint next = hill->at(hill->context, guess(low, high, i));
            take(next, &h);
            if (next.slope == 0.0) break;
            if (next.slope > 0.0) low = next;
            else high = next;
        }
    return h;
}

// Newton's method, kept between the two. From below it does not pass the foot of a concave hill.
double carom_patch_foot(const caromHill *hill, caromHillPoint below, caromHillPoint above)
{
    caromHillPoint at = below;
    for (int i = 0; i < CAROM_PATCH_CLIMB_STEPS; i++) {
        double width = fabs(above.x - below.x), x = at.x - at.value/at.slope;
        bool is_between = (x - below.x)*(x - above.x) < 0.0;
        if (!is_between) x = 0.5*(below.x + above.x);
        if (!(width > 0.0) || x == below.x || x == above.x) break;
        at = hill->at(hill->context, x);
        if (fabs(at.value) <= hill->unit) return at.x;
        if (at.value < 0.0) below = at;
        else above = at;
    }
    return at.x;
}
