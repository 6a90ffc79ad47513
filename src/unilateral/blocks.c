// Contacts that do not feel each other are solved apart: it is quicker, and light bodies keep their own scale beside
// heavy ones.
#include "unilateral/stay.h"

#include <math.h>
#include <stdlib.h>

static bool feel(const caromStayProblem *problem, int i, int j)
{
    const double *G = problem->G + (long)9*i*problem->n + 3*j;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (G[(long)3*r*problem->n + c] != 0) return true;
    for (int r = 0; r < 3 && problem->H; r++) if (problem->H[(long)(3*i + r)*problem->n + j] != 0) return true;
    return false;
}

static int root_of(const int *root, int i)
{
    while (root[i] != i) i = root[i];
    return i;
}

void carom_stay_blocks(const caromStayProblem *problem, int *root)
{
    for (int i = 0; i < problem->n; i++) root[i] = i;
    for (int i = 0; i < problem->n; i++)
        for (int j = 0; j < i; j++) {
            int p = root_of(root, i), q = root_of(root, j);
            if (p == q || (!feel(problem, i, j) && !feel(problem, j, i))) continue;
            if (p < q) root[q] = p; else root[p] = q;
        }
    for (int i = 0; i < problem->n; i++) root[i] = root_of(root, i);
}

Block carom_stay_block(const caromStayProblem *problem, const int *root, int first, int *who)
{
    int n = 0;
    for (int i = first; i < problem->n; i++)
        if (root[i] == first) who[n++] = i;
    return (Block){ n, who };
}

// Regularised: d = v_t/max(|v_t|, delta). Sharp: the direction of the slip, or the one in which it began: while it is
// small, and where it is to be followed. A slip against that is another one.
Guess carom_stay_guess(const caromStay *contact)
{
    double slip = hypot(contact->slip[0], contact->slip[1]), kept = hypot(contact->direction[0], contact->direction[1]);
    bool sharp = !(contact->delta > 0), small = sharp && slip <= contact->slip_small;
    double along_kept = contact->slip[0]*contact->direction[0] + contact->slip[1]*contact->direction[1];
    bool follows = sharp && !small && along_kept > 0 && contact->lag > 0, is_kept = follows || (small && kept > 0);
    const double *along = is_kept ? contact->direction : contact->slip;
    double size = is_kept ? kept : sharp ? slip : fmax(slip, contact->delta);
    Guess guess = { .may_stick = small && contact->static_friction > 0, .follows = follows };
    if (size > 0) guess.d[0] = along[0]/size, guess.d[1] = along[1]/size;
    if (contact->mode != CAROM_MODE_FLIGHT)
        guess.branch = sharp && contact->static_friction > 0 &&
                       contact->mode == CAROM_MODE_ROLLING ? BRANCH_STICKS : BRANCH_SLIDES;
    return guess;
}

// One piece of memory for everything: doubles first, then what needs less alignment.
typedef struct BlockCut { char *at; size_t used; } BlockCut;
static void *cut(BlockCut *c, size_t count, size_t size)
{
    void *here = c->at ? c->at + c->used : NULL;
    c->used += count*size;
    return here;
}

static void cut_doubles(caromStayWork *w, BlockCut *c, size_t m, size_t lemke)
{
    System *s = &w->system;
    double **squares[] = { &s->K, &s->S, &s->V, &s->H, &s->E, &s->lu, &w->square[0], &w->square[1],
                           &w->turn };
    double **lines[] = { &s->c, &s->x, &s->weight, &w->f_best, &w->a_best, &w->line[0], &w->line[1], &w->line[2],
                         &w->line[3], &w->line[4], &w->line[5], &w->spare, &w->shift };
    for (size_t i = 0; i < sizeof squares/sizeof *squares; i++) *squares[i] = cut(c, m*m, sizeof(double));
    for (size_t i = 0; i < sizeof lines/sizeof *lines; i++) *lines[i] = cut(c, m, sizeof(double));
    w->lemke_M = cut(c, lemke*lemke, sizeof(double));
    w->lemke_table = cut(c, lemke*(lemke + 2), sizeof(double));
    w->lemke_q = cut(c, lemke, sizeof(double));
    w->lemke_z = cut(c, lemke, sizeof(double));
}

static void cut_rest(caromStayWork *w, BlockCut *c, size_t n, size_t lemke)
{
    System *s = &w->system;
    Guess **guesses[] = { &w->guess, &w->all, &w->trial, &w->best, &w->before };
    int **lines[] = { &s->contact, &s->first, &s->row, &s->order, &s->pivot, &w->who, &w->root, &w->skip, &w->slipped,
                      &w->turning, &w->index };
    for (size_t i = 0; i < sizeof guesses/sizeof *guesses; i++) *guesses[i] = cut(c, n, sizeof(Guess));
    for (size_t i = 0; i < sizeof lines/sizeof *lines; i++) *lines[i] = cut(c, 3*n, sizeof(int));
    w->lemke_names = cut(c, 2*lemke + 2, sizeof(int));
}

enum { FACETS = 4, LEMKE_PER_CONTACT = FACETS + 2 };  // normal force, four sides of the cone, slip

caromStayWork *carom_unilateral_alloc(int n_max)
{
    size_t n = n_max > 0 ? (size_t)n_max : 1, lemke = LEMKE_PER_CONTACT*n;
    caromStayWork *work = calloc(1, sizeof *work);
    if (!work) return NULL;
    BlockCut measure = { 0 };
    cut_doubles(work, &measure, 3*n, lemke);
    cut_rest(work, &measure, n, lemke);
    work->memory = calloc(measure.used, 1);
    if (!work->memory) {
        free(work);
        return NULL;
    }
    BlockCut share = { work->memory, 0 };
    cut_doubles(work, &share, 3*n, lemke);
    cut_rest(work, &share, n, lemke);
    work->n_max = (int)n;
    return work;
}

void carom_unilateral_free(caromStayWork *work)
{
    if (!work) return;
    free(work->memory);
    free(work);
}
