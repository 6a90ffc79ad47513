// tolerances [options] [FILE...]: what a loose tolerance costs, as a part of what a tight one does: evaluations of the
// forces at 1e-3 by those at 1e-6, of every model file, or else of random scenes.
//
//   --seed N       of the first scene (1)
//   --count N      how many scenes (100)
//   --bodies A..B  how many of a scene move (1..12)
//   --response R   rigid, compliant or either (either); of model files: rigid or compliant, else what they say
//   --cpu S        processor time to a simulated second (20), and three times that to a run
//   --most X       what a loose tolerance may cost (1.2)
//   --quiet        only those that cost more, and the table
//
// What 1e-6 does not finish in that time is not compared; what it finishes, 1e-3 has to finish. Where bodies tumble
// over each other the motion at another tolerance is another one, with more impacts or fewer: few of many scenes cost
// more for that reason, and events and steps tell. The status is 0 when nothing costs more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "random_scene.h"

typedef struct Options {
    ScenePlan plan;
    int count;
    double cpu, most;
    bool is_quiet;
} Options;

typedef struct Tally {
    int refused, unfinished, compared, more;
    int64_t loose, tight;  // evaluations of all that were compared
} Tally;

static Judgement at_tolerance(const Options *o, caromModelText model, const char *tolerance)
{
    char response[40], set[40];
    snprintf(response, sizeof response, "contact.response=%s",
             o->plan.response == SCENE_RIGID ? "rigid" : "compliant");
    snprintf(set, sizeof set, "simulate.tolerance=%s", tolerance);
    bool is_set = model.path && o->plan.response != SCENE_EITHER;
    model.overrides = (const char *const[]){ set, response };
    model.noverride = is_set ? 2 : 1;
    return judge(&model, (Patience){ o->cpu, 3*o->cpu });
}

static void tell(const Options *o, const char *name, const Judgement *loose, const Judgement *tight)
{
    double part = (double)loose->evaluations/(double)tight->evaluations;
    if (o->is_quiet && part <= o->most) return;
    printf("%-9s %s: %lld evaluations (%lld steps, %.2f s) by %lld (%lld, %.2f s): %.2f\n",
           part > o->most ? "more" : "less", name, (long long)loose->evaluations, (long long)loose->steps, loose->cpu,
           (long long)tight->evaluations, (long long)tight->steps, tight->cpu, part);
}

static bool has_counts(const Judgement *j)
{
    return j->verdict != TIMEOUT && j->verdict != CRASHED && j->verdict != UNCLEAR && j->verdict != CLEAR;
}

static void compare(const Options *o, Tally *t, const char *name, caromModelText model)
{
    Judgement tight = at_tolerance(o, model, "1e-6"), loose;
    if (tight.verdict == REFUSED) {
        t->refused++;
        return;
    }
    loose = at_tolerance(o, model, "1e-3");
    if (has_counts(&loose) && has_counts(&tight)) {
        t->compared++;
        t->loose += loose.evaluations;
        t->tight += tight.evaluations;
        if ((double)loose.evaluations > o->most*(double)tight.evaluations) t->more++;
        tell(o, name, &loose, &tight);
    } else {  // only what the tight one can do asks for anything
        bool is_more = has_counts(&tight);
        t->unfinished++;
        if (is_more) t->more++;
        printf("%-9s %s: %s by %s\n", is_more ? "more" : "stopped", name, verdict_name(loose.verdict),
               verdict_name(tight.verdict));
    }
    fflush(stdout);
}

static void compare_file(const Options *o, Tally *t, const char *path)
{
    char *text = NULL;
    caromModelText model;
    if (judge_load(path, &text, &model)) compare(o, t, path, model);
    else t->unfinished++;
    free(text);
}

static void compare_scene(const Options *o, Tally *t, uint64_t seed)
{
    ScenePlan plan = o->plan;
    plan.seed = seed;
    char *text = scene_text(&plan), name[30];
    if (!text) return;
    snprintf(name, sizeof name, "scene %llu", (unsigned long long)seed);
    compare(o, t, name, (caromModelText){ .text = text, .length = strlen(text) });
    free(text);
}

static bool read_option(Options *o, const char *name, const char *value)
{
    if (strcmp(name, "--count") == 0) o->count = atoi(value);
    else if (strcmp(name, "--cpu") == 0) o->cpu = atof(value);
    else if (strcmp(name, "--most") == 0) o->most = atof(value);
    else return scene_option(&o->plan, name, value);
    return true;
}

// Returns where the names of files begin, 0: wrong.
static int read_options(Options *o, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--quiet") == 0) o->is_quiet = true;
        else if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) return 0;
        else i++;
    }
    return i;
}

int main(int argc, char **argv)
{
    Options o = { .plan = { 1, 1, 12, SCENE_EITHER }, .count = 100, .cpu = 20, .most = 1.2 };
    Tally t = { 0 };
    int first = read_options(&o, argc, argv);
    if (first == 0) {
        fprintf(stderr, "tolerances [--seed N] [--count N] [--bodies A..B] [--response rigid|compliant|either] "
                        "[--cpu S] [--most X] [--quiet] [FILE...]\n");
        return 2;
    }
    for (int i = first; i < argc; i++) compare_file(&o, &t, argv[i]);
    if (first == argc)
        for (int i = 0; i < o.count; i++) compare_scene(&o, &t, o.plan.seed + (uint64_t)i);
    printf("%d compared, %d cost more; %d unfinished, %d refused. All together: %lld evaluations by %lld: %.3f\n",
           t.compared, t.more, t.unfinished, t.refused, (long long)t.loose, (long long)t.tight,
           (double)t.loose/(double)t.tight);
    return t.more == 0 ? 0 : 1;
}
