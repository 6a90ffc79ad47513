// eigen.h -- eigenvalues of small symmetric matrices.
//
// Matrices are row-major [n][n]. No memory is allocated.
#ifndef CAROM_SRC_MATH_EIGEN_H
#define CAROM_SRC_MATH_EIGEN_H

// A = sum values[i] e_i e_i^T, in no order; e_i, of length 1 and square to each other, is row i of vectors. To some
// roundings of the largest value. a is used up.
void carom_symmetric_eigen(int n, double *a, double *values, double *vectors);

#endif
