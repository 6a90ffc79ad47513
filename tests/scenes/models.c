// models FILE...: model files, each simulated in both responses and judged like a random scene. Status 0: all finish.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "judge.h"

static char *read_all(const char *path)
{
    FILE *from = fopen(path, "r");
    if (!from) return NULL;
    char *text = NULL;
    size_t capacity = 0;
    if (getdelim(&text, &capacity, '\0', from) < 0) {
        free(text);
        text = NULL;
    }
    fclose(from);
    return text;
}

static bool finishes(const char *path, const char *text, const char *response)
{
    Judgement j = judge_text(text, response, 20);
    printf("%s %s: %s, cpu %.2f s for %.2g s, %lld steps, imbalance %.2g tolerances. %s\n", path, response,
           verdict_name(j.verdict), j.cpu, j.until, (long long)j.steps, j.imbalance, j.message);
    return j.verdict == FINISHED;
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++) {
        char *text = read_all(argv[i]);
        bad += !text || !finishes(argv[i], text, "contact.response=compliant");
        bad += !text || !finishes(argv[i], text, "contact.response=rigid");
        free(text);
    }
    printf("%d of %d did not finish\n", bad, 2*(argc - 1));
    return argc > 1 && bad == 0 ? 0 : 1;
}
