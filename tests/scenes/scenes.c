// scenes [options]: random scenes, each judged; the table at the end says how they ended.
//
//   --seed N       of the first scene (1); the scene of a seed is the same everywhere
//   --count N      how many that are not refused (100)
//   --bodies A..B  how many move (1..12)
//   --response R   rigid, compliant or either (either)
//   --cpu S        processor time to a simulated second (20)
//   --keep DIR     where the model files of scenes that did not finish are left
//   --jobs N       at a time (1)
//   --write N      only writes the model file of seed N
//   --quiet        only the table
//
// The status is 0 when at least 99 % of those that are not refused finish, and none ended in an unclear error, gained
// or lost energy, went through another, was not finite or crashed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "random_scene.h"

typedef struct Options {
    ScenePlan plan;
    int count, jobs;
    double cpu;
    const char *keep;
    bool writes, is_quiet;
} Options;

// Shared by the jobs.
typedef struct Tally {
    int next;             // seed, behind the first
    int judged;           // that were not refused
    int verdicts[VERDICTS];
    double cpu, simulated;
} Tally;

static void judge_seed(const Options *o, Tally *tally, uint64_t seed)
{
    ScenePlan plan = o->plan;
    plan.seed = seed;
    char *text = scene_text(&plan);
    if (!text) return;
    Judgement j = judge_text(text, NULL, o->cpu);
    __atomic_add_fetch(&tally->verdicts[j.verdict], 1, __ATOMIC_SEQ_CST);
    if (j.verdict != REFUSED) __atomic_add_fetch(&tally->judged, 1, __ATOMIC_SEQ_CST);
    char name[30];
    snprintf(name, sizeof name, "%llu", (unsigned long long)seed);
    if (j.verdict != FINISHED && !o->is_quiet) judge_tell(name, &j);
    if (j.verdict != FINISHED && o->keep) judge_keep(o->keep, name, text, &j);
    free(text);
}

static void work(const Options *o, Tally *tally)
{
    while (__atomic_load_n(&tally->judged, __ATOMIC_SEQ_CST) < o->count) {
        int i = __atomic_fetch_add(&tally->next, 1, __ATOMIC_SEQ_CST);
        judge_seed(o, tally, o->plan.seed + (uint64_t)i);
    }
}

static void work_together(const Options *o, Tally *tally)
{
    for (int i = 1; i < o->jobs; i++)
        if (fork() == 0) {
            work(o, tally);
            _exit(0);
        }
    work(o, tally);
    while (wait(NULL) > 0) {}
}

static bool is_good(const Tally *t)
{
    static const Verdict never[] = { UNCLEAR, GAINED, LOST, THROUGH, NOT_FINITE, CRASHED };
    for (size_t i = 0; i < sizeof never/sizeof *never; i++) if (t->verdicts[never[i]] > 0) return false;
    return t->judged > 0 && 100*t->verdicts[FINISHED] >= 99*t->judged;
}

static void print_table(const Tally *t)
{
    for (int i = 0; i < VERDICTS; i++)
        if (t->verdicts[i] > 0)
            printf("%-9s %5d  %5.1f %%\n", verdict_name((Verdict)i), t->verdicts[i],
                   i == REFUSED ? 0.0 : 100.0*t->verdicts[i]/t->judged);
}

static bool read_option(Options *o, const char *name, const char *value)
{
    if (strcmp(name, "--write") == 0) o->plan.seed = strtoull(value, NULL, 10), o->writes = true;
    else if (strcmp(name, "--count") == 0) o->count = atoi(value);
    else if (strcmp(name, "--jobs") == 0) o->jobs = atoi(value);
    else if (strcmp(name, "--cpu") == 0) o->cpu = atof(value);
    else if (strcmp(name, "--keep") == 0) o->keep = value;
    else return scene_option(&o->plan, name, value);
    return true;
}

static bool read_options(Options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quiet") == 0) o->is_quiet = true;
        else if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) return false;
        else i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    Options o = { .plan = { 1, 1, 12, SCENE_EITHER }, .count = 100, .jobs = 1, .cpu = 20 };
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "scenes [--seed N] [--count N] [--bodies A..B] [--response rigid|compliant|either] [--cpu S] "
                        "[--keep DIR] [--jobs N] [--write N] [--quiet]\n");
        return 2;
    }
    if (o.writes) {
        char *text = scene_text(&o.plan);
        if (text) fputs(text, stdout);
        free(text);
        return text ? 0 : 1;
    }
    if (o.keep) mkdir(o.keep, 0777);
    Tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) return 1;
    work_together(&o, tally);
    print_table(tally);
    return is_good(tally) ? 0 : 1;
}
