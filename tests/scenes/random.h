// Numbers that look random and are the same for a seed: what scenes and drops are made of.
#ifndef CAROM_TESTS_RANDOM_H
#define CAROM_TESTS_RANDOM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Random { uint64_t state; } Random;

// xorshift64*
static inline double uniform(Random *r, double low, double high)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return low + (high - low)*(double)((r->state*2685821657736338717ULL) >> 11)*0x1p-53;
}

// The first numbers of states that are near are near too: they are thrown away. state: not 0.
static inline Random random_from(uint64_t state)
{
    Random r = { state };
    for (int i = 0; i < 8; i++) uniform(&r, 0, 1);
    return r;
}

static inline int below(Random *r, int n)
{
    return (int)uniform(r, 0, n);
}

static inline bool chance(Random *r, double part)
{
    return uniform(r, 0, 1) < part;
}

// Over decades: log low to log high.
static inline double decades(Random *r, double low, double high)
{
    return exp(uniform(r, log(low), log(high)));
}

static inline const char *one_of(Random *r, const char *const *words)
{
    int n = 0;
    while (words[n]) n++;
    return words[below(r, n)];
}
#define ONE_OF(r, ...) one_of(r, (const char *const[]){ __VA_ARGS__, NULL })

#endif
