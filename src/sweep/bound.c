// The time in which a concave bound stays above a level.
#include "sweep/bound.h"
#include "sweep/scales.h"

// Of f + c s - K s^2/2, f > 0: the positive root, without cancellation; infinite if there is none.
static double parabola_root(double f, double c, double K)
{
    if (K > 0.0) {
        double root = sqrt(c*c + 2.0*K*f);
        return c < 0.0 ? 2.0*f/(root - c) : (c + root)/K;
    }
    return c < 0.0 ? -f/c : (double)INFINITY;
}

// L + K s^2/2 is concave as well, so the parabola that touches L at a point is nowhere below it: its root is not before
// that of L. The chord from a point above to one below the level is nowhere above L: its root is not behind. Most often
// no corner comes forward, and the first parabola is L itself.
double carom_sweep_bound_clear(const caromBound *bound, double end, double level, double slack)
{
    double slope, K = bound->a.acceleration + bound->b.acceleration;
    double good = 0.0, f_good = carom_sweep_bound_at(bound, 0.0, &slope) - level;
    if (!(f_good > 0.0)) return 0.0;
    double bad = fmin(end, parabola_root(f_good, slope, K));
    if (isinf(bad)) return bad;
    double f_bad = carom_sweep_bound_at(bound, bad, &slope) - level;
    if (f_bad > -slack) return bad;
    for (int i = 0; i < 60 && bad - good > CAROM_SWEEP_ROOT*bad; i++) {
        double chord = good + (bad - good)*(f_good/(f_good - f_bad)), tangent = bad - f_bad/(slope - K*bad), other;
        if (!(chord > good && chord < bad)) break;
        double f_chord = carom_sweep_bound_at(bound, chord, &other) - level;
        if (f_chord <= slack) return f_chord > -slack ? chord : good;
        good = chord, f_good = f_chord;
        if (!(tangent > good && tangent < bad)) continue;
        bad = tangent, f_bad = carom_sweep_bound_at(bound, bad, &slope) - level;
        if (f_bad > -slack) return bad;
    }
    return good;
}
