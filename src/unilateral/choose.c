// Modes of contacts that touch and do not approach: complementarity of normal forces and accelerations, with Coulomb's
// friction.
//
// Every answer ends in `fits`: guesses (open, slides, sticks) are turned into forces by the same equations as in a
// smooth phase (split.c), and all signs are checked. What fits is guessed in this order: the modes that were; Newton's
// method; Lemke's path; and for few contacts all there are. So modes never depend on the method that found them.
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "unilateral/stay.h"

#define BLURRED 1e-9 // in place of CAROM_STAY_SIGN, where contacts are so nearly redundant that nothing fits otherwise
#define NEARLY 1e-6  // what Newton's method leaves of an acceleration that is 0

// Force that is small against what the contact carries or could.
static double small_force(const ModeChoice *c, int i)
{
    double G = c->problem->G[(long)3*i*3*c->problem->n + 3*i];
    return G > 0 ? c->sign*carom_stay_size_of(c, 3*i)/G : 0;
}

static bool slide_fits(const ModeChoice *c, int i, const Guess *guess)
{
    if (!guess->may_stick) return true;
    const double *a = c->a + 3*i + 1, *d = guess->d;
    double tolerance = 10*c->sign*carom_stay_tangential_size(c, i);
    return a[0]*d[0] + a[1]*d[1] >= -tolerance && fabs(d[0]*a[1] - d[1]*a[0]) <= tolerance;
}

static bool stick_fits(const ModeChoice *c, int i)
{
    const double *f = c->f + 3*i, *a = c->a + 3*i;
    if (hypot(a[1], a[2]) > c->sign*carom_stay_tangential_size(c, i)) return false;
    return hypot(f[1], f[2]) <= c->problem->contacts[i].static_friction*f[0] + 2*small_force(c, i);
}

static bool contact_fits(const ModeChoice *c, int i, const Guess *guess)
{
    double tolerance = c->sign*carom_stay_size_of(c, 3*i), a_n = c->a[3*i];
    if (guess->branch == BRANCH_OPEN) return a_n >= -tolerance;
    if (fabs(a_n) > tolerance || c->f[3*i] < -small_force(c, i)) return false;
    return guess->branch == BRANCH_STICKS ? stick_fits(c, i) : slide_fits(c, i, guess);
}

// Forces and accelerations of guesses; directions of slips that begin are turned along their accelerations. Do all
// signs fit?
static bool fits(ModeChoice *c, Guess *guess)
{
    for (int round = 0; round < 12; round++) {
        if (!carom_stay_split(c->problem, c->block, guess, NULL, c->f, c->work)) return false;
        carom_stay_accelerate(c->problem, c->block, c->f, c->a);
        if (round == 11 || carom_stay_turn(c, guess)) break;
    }
    for (int k = 0; k < c->block.n; k++)
        if (!contact_fits(c, c->block.who[k], &guess[c->block.who[k]])) return false;
    return true;
}

// Contacts that neither press nor part stay closed; of those that slip nowhere, the ones that may stick.
static bool close_ties(ModeChoice *c, const Guess *guess, Guess *closed, double tolerance)
{
    bool changed = false;
    for (int k = 0; k < c->block.n; k++) {
        int i = c->block.who[k];
        closed[i] = guess[i];
        bool still = hypot(c->a[3*i + 1], c->a[3*i + 2]) <= tolerance*carom_stay_tangential_size(c, i);
        if (guess[i].branch == BRANCH_OPEN && c->a[3*i] <= tolerance*carom_stay_size_of(c, 3*i)) {
            closed[i].branch = guess[i].may_stick && still ? BRANCH_STICKS : BRANCH_SLIDES;
            double size = hypot(c->a[3*i + 1], c->a[3*i + 2]);
            if (guess[i].may_stick && !still) closed[i].d[0] = c->a[3*i + 1]/size, closed[i].d[1] = c->a[3*i + 2]/size;
        } else if (carom_stay_is_beginning(&guess[i]) && still) {
            closed[i].branch = BRANCH_STICKS;
        }
        changed = changed || closed[i].branch != guess[i].branch;
    }
    return changed;
}

static void copy_guesses(Block block, const Guess *from, Guess *to)
{
    for (int k = 0; k < block.n; k++) to[block.who[k]] = from[block.who[k]];
}

// Holds that nearly fit, with forces f and accelerations a: closed ties first, they are the likelier.
static bool accept(ModeChoice *c, Guess *guess)
{
    caromStayWork *work = c->work;
    if (close_ties(c, guess, work->trial, NEARLY) && fits(c, work->trial)) {
        copy_guesses(c->block, work->trial, guess);
        return true;
    }
    return fits(c, guess);
}

// Ties of an answer that fits, closed if they fit closed.
static void decide_ties(ModeChoice *c, Guess *guess)
{
    if (!close_ties(c, guess, c->work->trial, c->sign)) return;
    if (fits(c, c->work->trial)) copy_guesses(c->block, c->work->trial, guess);
    else fits(c, guess);
}

static void rest(ModeChoice *c)
{
    for (int k = 0; k < c->block.n; k++) memset(c->f + 3*c->block.who[k], 0, 3*sizeof *c->f);
}

// The modes that were. A slip that has just come to its end is not one of them: it first tries to stick.
static bool as_it_was(ModeChoice *c, Guess *guess)
{
    for (int k = 0; k < c->block.n; k++) {
        int i = c->block.who[k];
        const double *kept = c->problem->contacts[i].direction;
        if (carom_stay_is_beginning(&guess[i]) && kept[0] == 0 && kept[1] == 0) return false;
    }
    return fits(c, guess);
}

static bool by_newton(ModeChoice *c, Guess *guess)
{
    rest(c);
    return carom_stay_newton(c->problem, c->block, guess, c->f, c->a, c->work) && accept(c, guess);
}

static bool by_lemke(ModeChoice *c, Guess *guess)
{
    return carom_stay_lemke(c->problem, c->block, guess, c->f, c->work) &&
           carom_stay_newton(c->problem, c->block, guess, c->f, c->a, c->work) && accept(c, guess);
}

enum { FEW = 250, SOME = 729 };  // guesses that are all tried: to look for a second answer, to look for the first (3^6)

static bool are_few(const ModeChoice *c, const Guess *guess, int most)
{
    int count = 1;
    for (int k = 0; k < c->block.n && count <= most; k++) count *= guess[c->block.who[k]].may_stick ? 3 : 2;
    return count <= most;
}

// Holds number `code`, a digit for each contact. Slips begin along the accelerations without forces. False:
// there is no such number.
static bool decode(const ModeChoice *c, int code, const Guess *like, Guess *guess)
{
    for (int k = 0; k < c->block.n; k++) {
        int i = c->block.who[k], base = like[i].may_stick ? 3 : 2;
        const double *b = c->problem->b + 3*i + 1;
        double size = hypot(b[0], b[1]);
        guess[i] = like[i];
        guess[i].branch = (Branch)(code%base);
        if (carom_stay_is_beginning(&guess[i]) && size > 0) guess[i].d[0] = b[0]/size, guess[i].d[1] = b[1]/size;
        code /= base;
    }
    return code == 0;
}

static double norm_of(const ModeChoice *c, const double *f)
{
    double sum = 0;
    for (int k = 0; k < 3*c->block.n; k++) {
        int i = 3*c->block.who[k/3] + k%3;
        sum += c->problem->contacts[i/3].compliance*f[i]*f[i];
    }
    return sum;
}

static bool same_motion(const ModeChoice *c, const double *a, const double *b)
{
    for (int k = 0; k < 3*c->block.n; k++) {
        int i = 3*c->block.who[k/3] + k%3;
        if (fabs(a[i] - b[i]) > NEARLY*(carom_stay_size_of(c, i) + fabs(b[i]))) return false;
    }
    return true;
}

static void copy_block(Block block, const double *from, double *to)
{
    for (int k = 0; k < block.n; k++) memcpy(to + 3*block.who[k], from + 3*block.who[k], 3*sizeof *to);
}

static void keep(ModeChoice *c, const Guess *guess, Guess *kept)
{
    copy_guesses(c->block, guess, kept);
    copy_block(c->block, c->f, c->work->f_best);
    copy_block(c->block, c->a, c->work->a_best);
}

// All guesses of few contacts: the least forces that fit, of those that are sound. 0: none; 1: one; 2: some, with
// different motions, sound or not.
static int by_trying(ModeChoice *c, const Guess *like, Guess *guess)
{
    caromStayWork *work = c->work;
    int found = 0, strange = 0;
    work->hasty = work->bold = true;
    for (int code = 0; decode(c, code, like, work->trial); code++) {
        if (!fits(c, work->trial)) continue;
        if (!(work->system.sound > CAROM_STAY_SOUND)) strange = 1;
        else if (!found || norm_of(c, c->f) < norm_of(c, work->f_best)) {
            if (found && !same_motion(c, c->a, work->a_best)) strange = 1;
            keep(c, work->trial, work->best);
            found = 1;
        } else if (!same_motion(c, c->a, work->a_best)) strange = 1;
    }
    work->hasty = work->bold = false;
    if (!found) return 0;
    copy_guesses(c->block, work->best, guess);
    copy_block(c->block, work->f_best, c->f);
    copy_block(c->block, work->a_best, c->a);
    return found + strange;
}

// A = n.G(n - mu d) over its value without friction: 1 without, 0 where the contact is about to jam.
static double share_of(const ModeChoice *c, int i, const Guess *guess)
{
    const double *row = c->problem->G + (long)9*i*c->problem->n + 3*i;
    double push = c->problem->contacts[i].friction*(guess->d[0]*row[1] + guess->d[1]*row[2]);
    if (c->problem->H) push -= c->problem->H[(long)3*i*c->problem->n + i];
    return row[0] > 0 ? 1 - push/row[0] : 1;
}

// Is the symmetric part of K positive definite? Cholesky's way.
static bool is_definite(int m, const double *K, double *L)
{
    for (int p = 0; p < m; p++)
        for (int q = 0; q <= p; q++) {
            double sum = (K[p*m + q] + K[q*m + p])/2;
            for (int k = 0; k < q; k++) sum -= L[p*m + k]*L[q*m + k];
            if (p == q && !(sum > 0)) return false;
            L[p*m + q] = p == q ? sqrt(sum) : sum/L[q*m + q];
        }
    return true;
}

// Could there be another answer? Not if the symmetric part of K, of all contacts, is positive definite.
// Redundant contacts never pass that test where some may stick: there only contacts that friction pulls far
// towards a jam are suspected.
static bool is_suspect(const ModeChoice *c, const Guess *guess)
{
    bool mixed = false;
    double share = 1;
    for (int k = 0; k < c->block.n; k++) {
        int i = c->block.who[k];
        mixed = mixed || guess[i].may_stick;
        if (!guess[i].may_stick) share = fmin(share, share_of(c, i, &guess[i]));
    }
    if (mixed) return share < 0.3;
    carom_stay_soften(c->problem, c->block, guess, c->work);
    return !is_definite(c->work->system.m, c->work->square[0], c->work->square[1]);
}

// The sliding contact that friction helps least to part.
static int most_jammed(const ModeChoice *c, const Guess *guess)
{
    int worst = c->block.who[0];
    double least = (double)INFINITY;
    for (int k = 0; k < c->block.n; k++) {
        int i = c->block.who[k];
        double share = guess[i].may_stick ? 1 : share_of(c, i, &guess[i]);
        if (share < least) least = share, worst = i;
    }
    return worst;
}

// Nothing moves: contacts that squeeze each other may hold where springs that start without load would let go. So this
// comes after the others.
static bool by_sticking(ModeChoice *c, Guess *guess)
{
    for (int k = 0; k < c->block.n; k++)
        guess[c->block.who[k]].branch = guess[c->block.who[k]].may_stick ? BRANCH_STICKS : BRANCH_SLIDES;
    return fits(c, guess);
}

// Newton's method, else Lemke's path, else rest. Holds start from what they were.
static bool search(ModeChoice *c, const Guess *was, Guess *guess)
{
    copy_guesses(c->block, was, guess);
    if (by_newton(c, guess)) return true;
    copy_guesses(c->block, was, guess);
    if (by_lemke(c, guess)) return true;
    copy_guesses(c->block, was, guess);
    return by_sticking(c, guess);
}

static caromStayAnswer choose_block(ModeChoice *c, Guess *guess, int *worst)
{
    Guess *was = c->work->before;
    copy_guesses(c->block, guess, was);
    if (as_it_was(c, guess)) return CAROM_STAY_OK;
    bool found = search(c, was, guess);
    if (found && !is_suspect(c, guess)) return CAROM_STAY_OK;
    int tried = are_few(c, was, found ? FEW : SOME) ? by_trying(c, was, guess) : 0;
    if (found && tried == 0) search(c, was, guess);  // needs directions that trying does not start from
    if (!found && tried == 0) {
        c->sign = BLURRED;
        found = search(c, was, guess);
    }
    *worst = most_jammed(c, found || tried ? guess : was);
    return tried == 2 ? CAROM_STAY_SEVERAL : found || tried ? CAROM_STAY_OK : CAROM_STAY_NONE;
}

static void write_mode(caromStay *contact, const Guess *guess)
{
    bool sharp = !(contact->delta > 0), rolls = sharp ? guess->branch == BRANCH_STICKS
                                                      : hypot(contact->slip[0], contact->slip[1]) <= contact->delta;
    contact->mode = guess->branch == BRANCH_OPEN ? CAROM_MODE_FLIGHT : rolls ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING;
    bool begins = carom_stay_is_turning(guess);
    for (int e = 0; e < 2; e++) contact->direction[e] = begins ? guess->d[e] : 0;
}

static void give_up(ModeChoice *c)
{
    rest(c);
    copy_block(c->block, c->problem->b, c->a);
}

caromStayAnswer carom_unilateral_choose(caromStayProblem *problem, double *f, double *a, int *worst,
                                        caromStayWork *work)
{
    caromStayAnswer answer = CAROM_STAY_OK;
    *worst = -1;
    work->sound = CAROM_STAY_SOUND;
    carom_stay_blocks(problem, work->root);
    for (int i = 0; i < problem->n; i++) {
        work->guess[i] = carom_stay_guess(&problem->contacts[i]);
        if (work->guess[i].branch == BRANCH_STICKS && !work->guess[i].may_stick) work->guess[i].branch = BRANCH_SLIDES;
    }
    for (int i = 0; i < problem->n; i++) {
        if (work->root[i] != i) continue;
        int jammed = i;
        ModeChoice c = { problem, carom_stay_block(problem, work->root, i, work->who), f, a, work,
                         .sign = CAROM_STAY_SIGN };
        caromStayAnswer one = choose_block(&c, work->guess, &jammed);
        if (one == CAROM_STAY_NONE) give_up(&c);
        else decide_ties(&c, work->guess);
        for (int k = 0; k < c.block.n && one != CAROM_STAY_NONE; k++)
            write_mode(&problem->contacts[c.block.who[k]], &work->guess[c.block.who[k]]);
        if (one != CAROM_STAY_OK && (answer == CAROM_STAY_OK || (answer == CAROM_STAY_SEVERAL && one ==
                                                                 CAROM_STAY_NONE))) answer = one, *worst = jammed;
    }
    return answer;
}
