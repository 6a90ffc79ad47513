// bench_broad [WORLD [N]]: carom's rows of the broad-phase benchmark (bench/broad.h).
#include "broad.h"

#include "carom/carom.h"

static void *create(const BenchWorld *world)
{
    (void)world;
    return carom_broad_create();
}

static int64_t step(void *engine, const BenchWorld *world)
{
    caromPairList pairs;
    caromError err;
    if (carom_broad_update(engine, (const caromBox *)world->boxes, NULL, world->n, &err) == CAROM_OK
        && carom_broad_pairs(engine, &pairs, &err) == CAROM_OK) return pairs.count;
    fprintf(stderr, "%s\n", err.message);
    exit(1);
}

static void destroy(void *engine)
{
    carom_broad_destroy(engine);
}

int main(int argc, char **argv)
{
    const BenchBroad engine = { "carom", create, step, destroy };
    printf("version carom %s\n", carom_version());
    return bench_broad_run(argc, argv, &engine);
}
