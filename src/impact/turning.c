// turning.c -- what resists rolling and spinning in an impact: couples in proportion to normal impulses.
//
// The normal impulse p_n of a contact brings a couple with it, of at most C y, |y| <= L p_n, with the coefficients of
// torsion and of rolling in C: against the turning w that is left, y = -L p_n w/|w|, or what ends it. Where a contact
// sticks after the impact, friction goes on holding it against what couples do, and what they would press in is held at
// v_n = 0. With u = u- + A x of all components, each y, friction and push is the projection of itself less a step along
// its speed [AlartCurnier91], round after round.
//
// Energy: dT = x.u - x.A x/2 is not positive where these are solved, since no part of x.u is. Should rounds end before,
// x shrinks to what does not gain.
#include <math.h>
#include <string.h>

#include "impact/impact.h"

// Rounds times their products: as long as the impact itself may take (waves.c).
#define PRODUCTS_MAX 1e7
#define SETTLED 1e-13  // of what a part may be

typedef struct TurnPart { int first, count; double bound; const double *scale; } TurnPart;

// A push is not negative; the others are of so much at most.
static void project(double *y, int count, double bound)
{
    double size = 0;
    if (count == 1) {
        y[0] = fmax(0, y[0]);
        return;
    }
    for (int k = 0; k < count; k++) size += y[k]*y[k];
    size = sqrt(size);
    for (int k = 0; k < count && size > bound; k++) y[k] *= bound/size;
}

// The step along the speeds of a part: 1 over a bound of how they answer to it.
static double step_of(const double *A, int m, const TurnPart *part)
{
    double most = 0;
    for (int k = 0; k < part->count; k++) {
        double sum = 0;
        for (int l = 0; l < part->count; l++)
            sum += fabs(A[(long)(part->first + k)*m + part->first + l])*part->scale[l];
        most = fmax(most, sum);
    }
    return most > 0 ? 1/most : 0;
}

// One part after the other; how far it moved over what it may be. y: of all parts [6n].
static double move(const double *A, int m, const TurnPart *part, double *u, double *y)
{
    double to[3], step = step_of(A, m, part), moved = 0;
    for (int k = 0; k < part->count; k++) to[k] = y[part->first + k] - step*u[part->first + k];
    project(to, part->count, part->bound);
    for (int k = 0; k < part->count; k++) {
        int i = part->first + k;
        double change = to[k] - y[i];
        y[i] = to[k];
        moved = fmax(moved, fabs(change)/part->bound);
        for (int j = 0; j < m && change != 0; j++) u[j] += A[(long)j*m + i]*part->scale[k]*change;
    }
    return moved;
}

// most: the largest of the normal impulses.
static double move_all(int n, const caromImpactTurn *turns, const double *A, double most, double *u, double *y)
{
    static const double whole[2] = { 1, 1 };
    double moved = 0;
    for (int i = 0; i < n; i++) {
        const caromImpactTurn *t = &turns[i];
        const double C[3] = { t->torsion, t->rolling, t->rolling };
        TurnPart couple = { 6*i + 3, 3, t->bound, C }, friction = { 6*i + 1, 2, t->friction, whole },
                 push = { 6*i, 1, most, whole };
        moved = fmax(moved, move(A, 6*n, &push, u, y));
        if (t->bound > 0) moved = fmax(moved, move(A, 6*n, &couple, u, y));
        if (t->friction > 0) moved = fmax(moved, move(A, 6*n, &friction, u, y));
    }
    return moved;
}

// Impulses and couples from y, without the friction that was there before.
static void add_up(int n, const caromImpactTurn *turns, double *x)
{
    for (int i = 0; i < n; i++) {
        const caromImpactTurn *t = &turns[i];
        for (int k = 0; k < 2; k++) x[6*i + 1 + k] -= t->friction > 0 ? t->p_t[k] : 0;
        x[6*i + 3] *= t->torsion;
        x[6*i + 4] *= t->rolling;
        x[6*i + 5] *= t->rolling;
    }
}

// u = u- + A x once more, without what rounding adds up to; x smaller where that gains.
static void settle(int m, const double *A, const double *before, double *u, double *x)
{
    double first = 0, second = 0;  // T = first s + second s^2
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += A[(long)i*m + j]*x[j];
        u[i] = sum;
        first += x[i]*before[i];
        second += 0.5*x[i]*sum;
    }
    double part = first + second <= 0 ? 1 : first < 0 && second > 0 ? -first/(2*second) : 0;
    for (int i = 0; i < m; i++) {
        x[i] *= part;
        u[i] = before[i] + part*u[i];
    }
}

void carom_impact_turning(int n, const caromImpactTurn *turns, const double *A, const double *before, double *u,
                          double *x)
{
    int m = 6*n, rounds = (int)(PRODUCTS_MAX/((double)m*m)) + 1;
    double most = 0;
    memcpy(u, before, sizeof(double)*(size_t)m);
    memset(x, 0, sizeof(double)*(size_t)m);
    for (int i = 0; i < n; i++)
        if (turns[i].friction > 0) memcpy(x + 6*i + 1, turns[i].p_t, sizeof turns[i].p_t);
    for (int i = 0; i < n; i++) most = fmax(most, turns[i].p_n);
    for (int k = 0; k < rounds; k++) if (move_all(n, turns, A, most, u, x) <= SETTLED) break;
    add_up(n, turns, x);
    settle(m, A, before, u, x);
}
