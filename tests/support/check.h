// What the tests share: cmocka, and comparisons that print both numbers.
#ifndef CAROM_TESTS_CHECK_H
#define CAROM_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHECK(claim) assert_true(claim)
// |actual - expected| <= tolerance; NaN fails.
#define CHECK_NEAR(actual, expected, tolerance) \
    check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
#define CHECK_VEC(actual, expected, tolerance) check_vec((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double tolerance, const char *what, const char *file,
                              int line)
{
    if (fabs(actual - expected) <= tolerance) return;
    print_error("%s:%d: %s = %.17g, expected %.17g within %.3g (off by %.3g)\n", file, line, what, actual, expected,
                tolerance, fabs(actual - expected));
    _fail(file, line);
}

#ifdef CAROM_MATH_H
static inline void check_vec(caromVec3 actual, caromVec3 expected, double tolerance, const char *what, const char *file,
                             int line)
{
    double off = carom_norm(carom_sub(actual, expected));
    if (off <= tolerance) return;
    print_error("%s:%d: %s = (%.17g, %.17g, %.17g), expected (%.17g, %.17g, %.17g) within %.3g (off by %.3g)\n", file,
                line, what, actual.x, actual.y, actual.z, expected.x, expected.y, expected.z, tolerance, off);
    _fail(file, line);
}
#endif

// Random cases are many so that rare ones are among them. Sanitizers have to see each path of the code, not each case,
// and are slow: their preset sets CAROM_SHARE, the part of the cases that is enough (1 where it is not set), of which
// there is one at least.
static inline int share_of(int cases)
{
    static double share = -1;
    if (share < 0) {
        const char *set = getenv("CAROM_SHARE");
        share = set && atof(set) > 0 && atof(set) < 1 ? atof(set) : 1;
    }
    return (int)ceil(share*cases);
}

// Random numbers that are the same on every machine (xorshift64*); seed != 0.
typedef struct Random { uint64_t state; } Random;
static inline double random_uniform(Random *r, double low, double high)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return low + (high - low)*(double)((r->state*2685821657736338717ULL) >> 11)*0x1p-53;
}

#endif
