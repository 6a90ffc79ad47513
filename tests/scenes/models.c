// models [--response rigid|compliant] FILE...: model files, each simulated in both responses, or in that one, and
// judged like a random scene. Status 0: all finish.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

static const char *const overrides[] = { "contact.response=compliant", "contact.response=rigid" };
enum { RESPONSES = sizeof overrides/sizeof *overrides };

static bool finishes(caromModelText model, int response)
{
    model.overrides = &overrides[response];
    model.noverride = 1;
    Judgement j = judge(&model, (Patience){ .per_second = 20 });
    printf("%s %s: %s, cpu %.2f s for %.2g s, %lld steps, imbalance %.2g tolerances. %s\n", model.path,
           overrides[response], verdict_name(j.verdict), j.cpu, j.until, (long long)j.steps, j.imbalance, j.message);
    fflush(stdout);
    return j.verdict == FINISHED;
}

static bool is_asked(const char *response, int i)
{
    return !response || strcmp(strchr(overrides[i], '=') + 1, response) == 0;
}

int main(int argc, char **argv)
{
    bool has_option = argc > 2 && strcmp(argv[1], "--response") == 0;
    const char *response = has_option ? argv[2] : NULL;
    int bad = 0, asked = 0;
    for (int i = has_option ? 3 : 1; i < argc; i++) {
        char *text = NULL;
        caromModelText model;
        bool is_read = judge_load(argv[i], &text, &model);
        for (int k = 0; k < RESPONSES; k++) {
            if (!is_asked(response, k)) continue;
            asked++;
            bad += !is_read || !finishes(model, k);
        }
        free(text);
    }
    printf("%d of %d did not finish\n", bad, asked);
    return asked > 0 && bad == 0 ? 0 : 1;
}
