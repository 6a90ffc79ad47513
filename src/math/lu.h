// lu.h -- dense linear systems by LU factors with pivoting.
//
// Matrices are row-major [n][n]. No memory is allocated; the caller keeps the factors and the pivots.
#ifndef CAROM_SRC_MATH_LU_H
#define CAROM_SRC_MATH_LU_H

#include <stdbool.h>

// P A = L U in place. scale[n] is scratch. False when A is singular to working precision or not finite; a and pivot
// are then without meaning.
bool carom_lu_factor(int n, double *a, int *pivot, double *scale);

// x := A^-1 x with the factors of carom_lu_factor.
void carom_lu_solve(int n, const double *lu, const int *pivot, double *x);

#endif
