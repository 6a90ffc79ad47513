// Results that are too much for their file: said before it is so, when it is so, and of files that lack something.
#include <stdio.h>
#include <string.h>

#include "cli.h"

// The grid alone is known before anything is computed.
void warn_of_grid(const caromModel *model, const caromResultsLoad *load)
{
    const caromSettings *s = carom_model_settings(model);
    if (load->grid_every == 1) return;
    warn("samples every %s until %s are more than half of the %s that results may have (simulate.results):\n"
         "       every %lldth of them is kept; choose a longer simulate.every, or --set simulate.results=%s",
         si(s->every, "s"), si(s->until, "s"), si(load->budget, "B"), (long long)load->grid_every,
         shell_word(si(2*(double)load->grid_every*load->budget, "B")));
}

// Once so much was told that its rate means something, or something is left out already.
bool is_too_much(const caromResultsLoad *load)
{
    const double enough = 1.0/64;
    bool is_much = load->offered > enough*load->budget && load->expected > load->budget;
    return is_much || load->left_out.steps + load->left_out.events > 0;
}

void warn_of_load(const caromResultsLoad *load)
{
    warn("at this rate results would have %s, more than the %s they may have (simulate.results): samples and\n"
         "       events will be left out, evenly in time", si(load->expected, "B"), si(load->budget, "B"));
}

static void add_part(char *text, size_t n, int64_t count, const char *what)
{
    if (count == 0) return;
    size_t used = strlen(text);
    snprintf(text + used, n - used, "%s%s %s", used ? ", " : "", count_of(count, ""), what);
}

bool describe_left_out(const caromResultsLack *lack, char *text, size_t n)
{
    text[0] = '\0';
    add_part(text, n, lack->samples, "samples of the output grid");
    add_part(text, n, lack->steps, "samples at events and inside contacts");
    add_part(text, n, lack->events, "events");
    add_part(text, n, lack->patches, "patches of pressure");
    return text[0] != '\0';
}

void warn_if_thinned(const caromResultsSurvey *survey, const char *path)
{
    char text[256];
    if (!describe_left_out(&survey->left_out, text, sizeof text)) return;
    warn("%s: its run left out %s%s, to keep it within simulate.results", path, survey->is_complete ? "" : "at least ",
         text);
}
