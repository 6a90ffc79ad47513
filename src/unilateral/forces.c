// Forces in given modes: what the right-hand side of a smooth phase needs, and how far they are from ending it.
#include <math.h>

#include "unilateral/stay.h"

static void read_holds(const caromStayProblem *problem, Hold *hold)
{
    for (int i = 0; i < problem->n; i++) hold[i] = carom_stay_hold(&problem->contacts[i]);
}

bool carom_unilateral_forces(const caromStayProblem *problem, const double *drift, double *f, caromStayWork *work)
{
    read_holds(problem, work->hold);
    carom_stay_blocks(problem, work->root);
    for (int i = 0; i < problem->n; i++) {
        if (work->root[i] != i) continue;
        Block block = carom_stay_block(problem, work->root, i, work->who);
        if (!carom_stay_split(problem, block, work->hold, drift, f, work)) return false;
    }
    return true;
}

caromStayMargin carom_unilateral_margin(const caromStay *contact, const double f[3])
{
    bool sticks = carom_stay_hold(contact).grip == GRIP_STICKS;
    return (caromStayMargin){ .press = f[0], .hold = sticks ? contact->static_friction*f[0] - hypot(f[1], f[2]) : (double)INFINITY };
}

double carom_unilateral_soundness(const caromStayProblem *problem, caromStayWork *work)
{
    double least = 1;
    read_holds(problem, work->hold);
    carom_stay_blocks(problem, work->root);
    for (int i = 0; i < problem->n; i++) {
        if (work->root[i] != i) continue;
        Block block = carom_stay_block(problem, work->root, i, work->who);
        least = fmin(least, carom_stay_soundness(problem, block, work->hold, work));
    }
    return least;
}
