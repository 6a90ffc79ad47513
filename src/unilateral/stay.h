// stay.h -- what the files of this room share: a block of contacts that feel each other, their states, and the
// linear system these make.
//
// A contact that is open has no unknown, one that slides has its normal force lambda, f = lambda (1, -mu d), one that
// sticks has three. With f = P x, and Q the rows that have to vanish (a_n of those that slide, all of those that
// stick):
//
//     K x = -c,    K = Q^T (G P + H),    c = Q^T (b - wanted),
//         S = Q^T G Q: K without the friction of sliding and without H, symmetric, >= 0
#ifndef CAROM_SRC_UNILATERAL_STAY_H
#define CAROM_SRC_UNILATERAL_STAY_H

#include "unilateral/unilateral.h"

typedef enum Branch { BRANCH_OPEN, BRANCH_SLIDES, BRANCH_STICKS } Branch;

typedef struct Guess {       // what is assumed of one contact
    Branch branch;
    bool may_stick;          // sharp, with so little slip that it may stick; if it slides then along its acceleration
    bool follows;            // has just begun to slide, and goes on along v_t + lag a_t
    double d[2];             // friction is -mu d lambda; |d| <= 1, 0 without slip
} Guess;

typedef struct Block { int n; const int *who; } Block;  // contacts that feel each other through G, ascending

typedef struct System {      // factors of one set of guesses
    int m, rank;             // unknowns; rank of S
    int contacts;            // that have unknowns
    int *contact, *first;    // [contacts] which, and its first unknown
    int *row;                // [m] component 0..3n-1 that belongs to an unknown
    double *K, *S, *c, *x;   // [m][m], [m]
    double *weight;          // [m] of the norm in which redundant forces are least
    bool has_friction;       // of sliding, or couples: K differs from S
    // factor.c: unknowns that span the range of S, then those that are redundant  [m]
    int *order;
    double *V;               // [rank][m] S = V^T V in this order; behind rank W
    double *H, *E;           // [rank][m - rank]; square: what chooses the redundant unknowns, factored
    double *lu;              // [rank][rank] factors of M_P
    int *pivot;              // [m] of lu, then of E
    double log_S;            // of det S_PP
    bool is_regular;         // M_P
    bool is_hidden;          // a jam, by another one in det K
    double sound;            // det K over det S, on the range
} System;

struct caromStayWork {
    int n_max;
    System system;
    Guess *guess, *all, *trial, *best, *before;  // [n]
    bool hasty;              // guesses are tried in great number: no squeezing
    // Forces on the far side of a jam, det K/det S < 0, count too: consistent, but nothing could hold them.
    bool bold;
    double sound;            // least det K/det S of forces that count
    int *who, *root, *skip;  // [n]
    int *slipped;            // [n] began to slip in this choice: friction falls from mu_s to mu
    double *f_best, *a_best; // [3n]
    double *turn;            // [n][n] scratch
    int *turning;            // [n]
    double *square[2];       // [3n][3n] scratch
    double *line[6], *spare; // [3n]
    double *shift;           // [3n] scratch
    int *index;              // [3n]
    double *lemke_M, *lemke_q, *lemke_z, *lemke_table;
    int *lemke_names;
    void *memory;
};

typedef struct ModeChoice {  // guesses of a block that are tried, and what follows from them
    const caromStayProblem *problem;
    Block block;
    double *f, *a;           // [3n]
    caromStayWork *work;
    double sign;             // relative: what counts as not negative
} ModeChoice;
#define CAROM_STAY_SIGN 1e-12

// blocks.c: which block a contact belongs to: root[i] is the first of its block.
void carom_stay_blocks(const caromStayProblem *problem, int *root);
Block carom_stay_block(const caromStayProblem *problem, const int *root, int first, int *who);

// What a contact is, from its slip: d and may_stick; grip from its mode.
Guess carom_stay_guess(const caromStay *contact);

// split.c: the system of a block, not yet factored.
void carom_stay_system(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                       caromStayWork *work);
// det K/det S of a block.
double carom_stay_soundness(const caromStayProblem *problem, Block block, const Guess *guess, caromStayWork *work);
// Forces f that make the accelerations of closed contacts what is wanted (NULL: 0). Touches f of the block only. False:
// unsound.
bool carom_stay_split(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted, double *f,
                      caromStayWork *work);
// The least in the norm of D that do, whether they pull or not.
bool carom_stay_least(const caromStayProblem *problem, Block block, const Guess *guess, double *f, caromStayWork *work);
// The system of all closed contacts, factored in the norm of D, and its x. False: unsound.
bool carom_stay_solve(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                      caromStayWork *work);
// Forces f of the block from x of its system.
void carom_stay_spread(const caromStayProblem *problem, Block block, const Guess *guess, const System *system,
                       double *f);
// turn.c: does it slide along its acceleration, out of rest? And: does friction turn with that?
static inline bool carom_stay_is_beginning(const Guess *guess)
{
    return guess->may_stick && guess->branch == BRANCH_SLIDES;
}
static inline bool carom_stay_is_turning(const Guess *guess)
{
    return (guess->may_stick || guess->follows) && guess->branch == BRANCH_SLIDES;
}
// What component i of a is a sum of: the measure of its rounding. And that of the tangential ones of contact i.
double carom_stay_size_of(const ModeChoice *choice, int i);
double carom_stay_tangential_size(const ModeChoice *choice, int i);
// One step of Newton's method for the directions of slips that begin. True: they are as parallel to what they are to be
// along as rounding lets them.
bool carom_stay_turn(ModeChoice *choice, Guess *guess);
// As carom_stay_split, with slips that begin turned.
bool carom_stay_follow(const caromStayProblem *problem, Block block, Guess *guess, const double *wanted, double *f,
                       caromStayWork *work);
// squeeze.c: the least forces inside the cones of friction that do the same as those of carom_stay_split, where these
// leave the cones. False: there are none.
bool carom_stay_squeeze(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                        double *f, caromStayWork *work);
// factor.c: the range of S. Factors of K there. Those of the weights, and how sound the forces are.
void carom_stay_find_range(System *system, caromStayWork *work);
void carom_stay_factor(System *system, caromStayWork *work);
void carom_stay_weigh(System *system, caromStayWork *work);
// y := S_PP^-1 y, in the order of pivots [rank].
void carom_stay_compress(const System *system, double *y);
// h of x_P + H x_N = h, which all x that do the same have [rank].
void carom_stay_shift(const System *system, const double *c, double *h);
// How x answers to another right-hand side, K x = -c, in the norm of the last split. c and x may be the same.
void carom_stay_again(const System *system, const double *c, double *x, double *scratch);
// Components of the block of a = b + G f.
void carom_stay_accelerate(const caromStayProblem *problem, Block block, const double *f, double *a);

// newton.c: holds that fit, from the forces f of the block on: Newton's method on complementarity and friction; f, a
// and holds on return. Fails at times.
bool carom_stay_newton(const caromStayProblem *problem, Block block, Guess *guess, double *f, double *a,
                       caromStayWork *work);
// lemke.c: forces f of the block that nearly fit: discs of friction as squares. False: none found.
bool carom_stay_lemke(const caromStayProblem *problem, Block block, const Guess *guess, double *f, caromStayWork *work);
// newton.c: K of all contacts closed, those that may stick sticking, softened by eps D: redundant contacts then have
// one answer. In square[0].
void carom_stay_soften(const caromStayProblem *problem, Block block, const Guess *guess, caromStayWork *work);

// Least det K/det S of modes that are chosen: nearer to 0 forces are about to blow up. In space that goes as the root
// of the time that is left (docs/rigid.md), so 1e-5 is 1e-10 of the time in which it falls from 1.
#define CAROM_STAY_SOUND 1e-5
// And of forces inside a step, which have to be there beyond the end of a mode for it to be located.
#define CAROM_STAY_BEYOND 1e-6
#define CAROM_STAY_RANK 1e-10   // least pivot of S, relative to its diagonal, that counts

#endif
