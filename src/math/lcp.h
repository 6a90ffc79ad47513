// lcp.h -- linear complementarity:    w = M z + q,    z >= 0, w >= 0, z.w = 0.
//
// Matrices are row-major [n][n]. No memory is allocated. M needs no symmetry; a solution need not exist, nor be the
// only one.
#ifndef CAROM_SRC_MATH_LCP_H
#define CAROM_SRC_MATH_LCP_H

typedef enum caromLcpAnswer {
    CAROM_LCP_SOLVED,
    CAROM_LCP_RAY,      // the path ran to infinity: for many kinds of M, but not all, there is no solution then
    CAROM_LCP_TIRED     // too many pivots
} caromLcpAnswer;

// Lemke's method with lexicographic ties [CottlePangStone09, 4.4]. table: scratch [n*(n + 2)], names: scratch
// [2*n + 2]. z [n] is 0 where there is no answer.
caromLcpAnswer carom_lcp_lemke(int n, const double *M, const double *q, double *z, double *table, int *names);

// All solutions of small problems, support by support. Supports on which M is singular are passed over: a line of
// solutions shows by its ends.
enum { CAROM_LCP_SMALL = 6, CAROM_LCP_SUPPORTS = 1 << CAROM_LCP_SMALL };
typedef struct caromLcpSolutions {
    int count;                                            // different z
    unsigned support[CAROM_LCP_SUPPORTS];                 // bit i: z_i > 0
    double z[CAROM_LCP_SUPPORTS][CAROM_LCP_SMALL];
} caromLcpSolutions;
// n <= CAROM_LCP_SMALL. tolerance: relative, of what counts as not negative and as the same.
void carom_lcp_enumerate(int n, const double *M, const double *q, double tolerance, caromLcpSolutions *solutions);

#endif
