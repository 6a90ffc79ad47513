// cone.h -- complementarity with Coulomb friction: speeds or accelerations u that answer to impulses or forces p.
//
//     u = G p + b      for each contact (n, t1, t2):     p_n >= 0,  u_n >= 0,  p_n u_n = 0
//                                                        |p_t| <= mu p_n; u_t = 0 inside the disc, against p_t on its
//                                                          rim
//
// G is symmetric, positive semidefinite, [3n][3n] row by row; b is in its range (b = J x for some speeds x), else there
// may be no answer. Where p is not unique (redundant contacts), it is the one of least sum of compliance |p|^2 to about
// 1e-8: as of a rigid body on springs. With friction even u may have several values; one is taken, by steps that treat
// all contacts alike: renumbering the contacts changes roundings only, and what is symmetric stays so.
#ifndef CAROM_SRC_MATH_CONE_H
#define CAROM_SRC_MATH_CONE_H

#include <stdbool.h>

typedef struct caromCone {
    int n;
    const double *G;           // [3n][3n]
    const double *b;           // [3n]
    const double *mu;          // [n] >= 0
    const double *compliance;  // [n] > 0, only ratios matter; NULL: equal
    const double *low;         // [n] >= 0: p_n >= low instead of p_n >= 0, and (p_n - low) u_n = 0; NULL: 0
    bool given;                // p_n = low, whatever u_n: friction under known normal forces (then u is unique)
} caromCone;

typedef struct caromConeAnswer {
    bool solved;               // to rounding
    double residual;           // largest violation of a condition, in units of u over the largest |b|
    int iterations;            // steps of Newton's method
} caromConeAnswer;

typedef struct caromConeWork caromConeWork;    // scratch for up to n_max contacts
caromConeWork *carom_cone_alloc(int n_max);    // NULL: out of memory
void carom_cone_free(caromConeWork *work);

// p: [3n]; a guess on entry (0: none), the answer on return: the best that was found where it is not solved, always
// inside the discs. u: [3n] on return; NULL: not wanted.
caromConeAnswer carom_cone_solve(const caromCone *cone, double *p, double *u, caromConeWork *work);

#endif
