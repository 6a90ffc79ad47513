// The top of a hill and its feet (hills.h).
#include "patch/hills.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "patch/scales.h"

// Where the slope would be 0 if it went on as through two points: closes in on a round top faster than linearly.
static double top_of_parabola(const caromHillPoint last[2])
{
    return last[1].x - last[1].slope*(last[1].x - last[0].x)/(last[1].slope - last[0].slope);
}

// Where the tangents of low and high meet, exactly the top of two straight slopes, but not so near to one of them that
// it creeps along.
static double top_of_slopes(caromHillPoint low, caromHillPoint high)
{
    double width = high.x - low.x, margin = CAROM_PATCH_CLIMB_MARGIN*width;
    double x = low.x + (high.value - low.value - high.slope*width)/(low.slope - high.slope);
    return fmin(fmax(x, low.x + margin), high.x - margin);
}

// Between low and high, which rises and falls: by turns as if the top were round or sharp, and half way.
static double guess(caromHillPoint low, caromHillPoint high, const caromHillPoint last[2], int turn)
{
    if (turn % 5 == 4) return low.x + 0.5*(high.x - low.x);
    double x = turn % 2 == 0 ? top_of_parabola(last) : low.x;
    return x > low.x && x < high.x ? x : top_of_slopes(low, high);
}

static caromHillPoint higher(caromHillPoint a, caromHillPoint b)
{
    return a.value >= b.value ? a : b;
}

// No point of a hill is higher than the tangent at its highest point so far allows, once that is where it is concave.
// Of a round top, which bends as between the last two points, s^2/(2 bend) is missed where the slope is s; of two
// straight slopes with a point on each no more than that either.
static double missed(double width, caromHillPoint top, const caromHillPoint last[2])
{
    double bend = fabs((last[1].slope - last[0].slope)/(last[1].x - last[0].x)), slope = fabs(top.slope);
    return slope*fmin(width, 2.0*slope/bend);
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
    caromHillPoint last[2] = { low, high };
    if (low.slope < 0.0) h.top = low;
    else if (high.slope > 0.0) h.top = high;
    else
        for (int i = 0; i < CAROM_PATCH_CLIMB_STEPS; i++) {
            if (is_any_done && h.top.value > 0.0) break;
            if (missed(high.x - low.x, h.top, last) <= CAROM_PATCH_CLIMB_LEFT*fabs(h.top.value) + hill->unit) break;
            caromHillPoint next = hill->at(hill->context, guess(low, high, last, i));
            last[0] = last[1];
            last[1] = next;
            take(next, &h);
            if (next.slope == 0.0 && next.value >= h.top.value) break;
            if (next.slope > 0.0 || (next.slope == 0.0 && next.x < h.top.x)) low = next;  // or on the level beside it
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

// ---- several hills

// There is room for more than a function with so few samples has.
static void insert(caromHills *h, int after, caromHillPoint point)
{
    if (h->n == CAROM_HILLS_MAX) return;
    for (int i = h->n++; i > after + 1; i--) h->at[i] = h->at[i - 1];
    h->at[after + 1] = point;
}

void carom_patch_insert_top(caromHills *h, caromHillPoint top, double period)
{
    while (period > 0.0 && top.x < h->at[0].x) top.x += period;
    while (period > 0.0 && top.x > h->at[h->n - 1].x) top.x -= period;
    for (int i = 0; i + 1 < h->n; i++)
        if (top.x > h->at[i].x && top.x < h->at[i + 1].x) {
            insert(h, i, top);
            return;
        }
}

// Where the cubic polynomial with values and slopes of both rises most between two slopes that fall, or the other way
// round; NaN: nowhere.
static double bend_between(caromHillPoint low, caromHillPoint high)
{
    double width = high.x - low.x, rise = high.value - low.value, m0 = width*low.slope, m1 = width*high.slope;
    double c = 3.0*rise - 2.0*m0 - m1, d = m0 + m1 - 2.0*rise, s = -c/(3.0*d);
    return c*c > 3.0*d*m0 && s > 0.0 && s < 1.0 ? low.x + s*width : (double)NAN;
}

// Next to a sample in the valley between two hills, or on the far slope of one, a hill stands between slopes of one
// sign, and so may a valley: a tube that lies over a rim has two hills, nearly as close to each other as samples are.
// Another sample takes them apart, or one more where that one met the bottom of the valley.
static void look_behind(const caromHill *hill, caromHills *h, double beyond)
{
    for (int i = 0; i + 1 < h->n; i++) {
        caromHillPoint low = h->at[i], high = h->at[i + 1];
        if (!(low.slope*high.slope > 0.0) || fmax(low.value, high.value) + beyond < 0.0) continue;
        double x = bend_between(low, high);
        if (x > low.x && x < high.x) insert(h, i++, hill->at(hill->context, x));
    }
}

static caromHillPoint turned_over(caromHillPoint p)
{
    return (caromHillPoint){ p.x, -p.value, -p.slope, -p.aside };
}

static caromHillPoint depth_of_valley(void *context, double x)
{
    const caromHill *hill = context;
    return turned_over(hill->at(hill->context, x));
}

// A valley below 0 between two samples above: two hills, not one.
static void find_valleys(const caromHill *hill, caromHills *h)
{
    caromHill valley = { depth_of_valley, (void *)(uintptr_t)hill, hill->unit };
    for (int i = 0; i + 1 < h->n; i++) {
        caromHillPoint low = h->at[i], high = h->at[i + 1];
        if (!(low.value > 0.0 && high.value > 0.0 && low.slope < 0.0 && high.slope > 0.0)) continue;
        caromHillPoint bottom = carom_patch_climb(&valley, turned_over(low), turned_over(high), true).top;
        if (bottom.value > 0.0) insert(h, i++, turned_over(bottom));
    }
}

// A hill between two samples, both below 0, that rises from the left and falls to the right; on one side it may stand
// on a level. Within `beyond` of both no point is higher by more.
void carom_patch_find_tops(const caromHill *hill, caromHills *h, double beyond)
{
    for (int i = 0; i < 2; i++) look_behind(hill, h, beyond);
    find_valleys(hill, h);
    for (int i = 0; i + 1 < h->n; i++) {
        caromHillPoint low = h->at[i], high = h->at[i + 1];
        if (low.value > 0.0 || high.value > 0.0 || fmax(low.value, high.value) + beyond < 0.0) continue;
        if (low.slope < 0.0 || high.slope > 0.0 || low.slope == high.slope) continue;
        caromHillPoint top = carom_patch_climb(hill, low, high, true).top;
        if (top.value > 0.0) insert(h, i++, top);
    }
}

bool carom_patch_begin_at_least(caromHills *h, double period)
{
    int n = h->n - 1, least = 0;
    for (int i = 1; i < n; i++)
        if (h->at[i].value < h->at[least].value) least = i;
    if (h->at[least].value > 0.0) return false;
    caromHills turned = { .n = h->n };
    for (int i = 0; i <= n; i++) {
        int from = least + i < n ? least + i : least + i - n;
        turned.at[i] = h->at[from];
        turned.at[i].x += least + i < n ? 0.0 : period;
    }
    *h = turned;
    return true;
}

caromHillEnd carom_patch_hill_end(const caromHill *hill, const caromHillPoint *beyond, const caromHillPoint *above)
{
    if (!beyond) return (caromHillEnd){ above->x, false };
    return (caromHillEnd){ carom_patch_foot(hill, *beyond, *above), true };
}

bool carom_patch_next_hill(const caromHill *hill, const caromHills *h, int *i, caromHillInterval *interval)
{
    while (*i < h->n && !(h->at[*i].value > 0.0)) ++*i;
    if (*i >= h->n) return false;
    int first = *i, last = first;
    while (last + 1 < h->n && h->at[last + 1].value > 0.0) last++;
    interval->low = carom_patch_hill_end(hill, first > 0 ? &h->at[first - 1] : NULL, &h->at[first]);
    interval->high = carom_patch_hill_end(hill, last + 1 < h->n ? &h->at[last + 1] : NULL, &h->at[last]);
    *i = last + 1;
    return true;
}

caromHillEnd carom_patch_next_cut(caromHillEnd from, double width)
{
    return (caromHillEnd){ width*(floor(from.at/width + CAROM_PATCH_BEHIND) + 1.0), false };
}
