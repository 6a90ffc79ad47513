// Forces in given modes: what the right-hand side of a smooth phase needs, and how far they are from ending it.
#include <math.h>

#include "unilateral/stay.h"

static void read_guesses(const caromStayProblem *problem, Guess *guess)
{
    for (int i = 0; i < problem->n; i++) guess[i] = carom_stay_guess(&problem->contacts[i]);
}

// A block after the other; wanted accelerations (drift) with forces that neither pull nor leave their cones, or, signs
// aside, none and the least forces.
static bool forces(const caromStayProblem *problem, const double *drift, bool signs, double *f, caromStayWork *work)
{
    work->sound = CAROM_STAY_BEYOND;
    read_guesses(problem, work->guess);
    carom_stay_blocks(problem, work->root);
    for (int i = 0; i < problem->n; i++) {
        if (work->root[i] != i) continue;
        Block block = carom_stay_block(problem, work->root, i, work->who);
        bool good = signs ? carom_stay_follow(problem, block, work->guess, drift, f, work)
                          : carom_stay_least(problem, block, work->guess, f, work);
        if (!good) return false;
    }
    return true;
}

bool carom_unilateral_forces(const caromStayProblem *problem, const double *drift, double *f, caromStayWork *work)
{
    return forces(problem, drift, true, f, work);
}

bool carom_unilateral_equalities(const caromStayProblem *problem, double *f, caromStayWork *work)
{
    return forces(problem, NULL, false, f, work);
}

caromStayMargin carom_unilateral_margin(const caromStay *contact, const double f[3])
{
    bool sticks = carom_stay_guess(contact).branch == BRANCH_STICKS;
    return (caromStayMargin){ .press = f[0], .reserve = sticks ? contact->static_friction*f[0] - hypot(f[1], f[2])
                                                               : (double)INFINITY };
}

double carom_unilateral_soundness(const caromStayProblem *problem, caromStayWork *work)
{
    double least = 1;
    read_guesses(problem, work->guess);
    carom_stay_blocks(problem, work->root);
    for (int i = 0; i < problem->n; i++) {
        if (work->root[i] != i) continue;
        Block block = carom_stay_block(problem, work->root, i, work->who);
        least = fmin(least, carom_stay_soundness(problem, block, work->guess, work));
    }
    return least;
}
