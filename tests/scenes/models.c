// models FILE...: model files, each simulated in both responses and judged like a random scene. Status 0: all finish.
#include <stdio.h>
#include <stdlib.h>

#include "judge.h"

static bool finishes(caromModelText model, const char *response)
{
    model.overrides = &response;
    model.noverride = 1;
    Judgement j = judge(&model, (Patience){ .per_second = 20 });
    printf("%s %s: %s, cpu %.2f s for %.2g s, %lld steps, imbalance %.2g tolerances. %s\n", model.path, response,
           verdict_name(j.verdict), j.cpu, j.until, (long long)j.steps, j.imbalance, j.message);
    return j.verdict == FINISHED;
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++) {
        char *text = NULL;
        caromModelText model;
        bool is_read = judge_load(argv[i], &text, &model);
        bad += !is_read || !finishes(model, "contact.response=compliant");
        bad += !is_read || !finishes(model, "contact.response=rigid");
        free(text);
    }
    printf("%d of %d did not finish\n", bad, 2*(argc - 1));
    return argc > 1 && bad == 0 ? 0 : 1;
}
