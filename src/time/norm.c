#include <math.h>

#include "time/method.h"

static double mean_square(const double *err, const double *weight, int begin, int end)
{
    double sum = 0;
    for (int i = begin; i < end; i++) {
        double e = err[i]/weight[i];
        sum += e*e;
    }
    return end > begin ? sum/(end - begin) : 0.0;
}

// NaN is returned as soon as it is seen: a comparison would silently drop it and turn a broken step into an exact one.
double carom_time_norm_of(const caromNorm *norm, const double *err)
{
    double worst = 0;
    for (int k = 0; k < norm->nblock; k++) {
        double square = mean_square(err, norm->weight, norm->block[k], norm->block[k + 1]);
        if (isnan(square)) return square;
        if (square > worst) worst = square;
    }
    return sqrt(worst);
}
