// Gauss-Legendre quadrature with 16 points: the integral of f over [-1, 1] is about sum w_i f(x_i), exactly for polynomials of degree 31.
#ifndef CAROM_SRC_MATH_GAUSS_H
#define CAROM_SRC_MATH_GAUSS_H

enum { CAROM_GAUSS_POINTS = 16 };

static inline double carom_gauss_x(int i)
{
    static const double x[8] = { 0.09501250983763744018, 0.28160355077925891323, 0.45801677765722738634, 0.61787624440264374844,
                                 0.75540440835500303389, 0.86563120238783174388, 0.94457502307323257607, 0.98940093499164993259 };
    return i < 8 ? -x[7 - i] : x[i - 8];
}

static inline double carom_gauss_w(int i)
{
    static const double w[8] = { 0.18945061045506849628, 0.18260341504492358886, 0.16915651939500253818, 0.14959598881657673208,
                                 0.12462897125553387205, 0.09515851168249278480, 0.06225352393864789286, 0.02715245941175409485 };
    return w[i < 8 ? 7 - i : i - 8];
}

#endif
