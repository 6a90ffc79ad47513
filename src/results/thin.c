// What is kept of a run that tells more than its results may hold (docs/results-format.md, budget).
//
// Of the budget B a part G belongs to the samples of the output grid, which somebody asked for: four times what they
// need without contacts, or an eighth of B, as surfaces may press with hundreds of cells, but not more than half. The
// rest R is for what the motion decides: samples at events and inside contacts, and events, kind by kind. Everything
// grows with f = (1 + t/until)/2, which gives bursts at the start half of it and what follows its part for every time.
// Each stream i of the motion has a share g_i of R/4 for itself:
//
//     is over:  used_i > g_i f   and   used + sum over the others of max(0, g_j f - used_j) > R f
//
// so that a stream takes what others leave, a few impacts are not lost among a million slips, and the sum is at most R.
// A stream that is not over is kept; of one that is, every second, fourth, ... until there is room again, so that a
// motion that crawls adds the logarithm of what it tells.
#include <math.h>
#include <string.h>

#include "results/results.h"

static double part_of_time(const caromThinning *t, double time)
{
    return 0.5*(1.0 + fmin(fmax(time/t->until, 0.0), 1.0));
}

caromThinning carom_results_thinning(const caromSettings *settings, size_t sample_bytes)
{
    caromThinning t = { .budget = settings->results, .until = settings->until, .grid_every = 1 };
    double grid = (settings->until/settings->every + 1.0)*(double)sample_bytes;
    t.of_grid = fmin(0.5*t.budget, fmax(4.0*grid, 0.125*t.budget));
    while (grid/(double)t.grid_every > t.of_grid) t.grid_every *= 2;
    t.steps.own = 0.125*(t.budget - t.of_grid);
    for (int k = 0; k < CAROM_EVENT_KINDS; k++) t.events[k].stream.own = t.steps.own/CAROM_EVENT_KINDS;
    return t;
}

static bool take(caromThinned *s, double bytes, bool is_over)
{
    int64_t index = s->offered++;
    s->offered_bytes += bytes;
    if (!is_over) s->every = 1;
    else if (index < s->next) return false;
    else s->every *= 2;
    s->next = index + s->every;
    s->kept++;
    s->used += bytes;
    return true;
}

static double reserve(const caromThinned *s, double part)
{
    return fmax(0.0, s->own*part - s->used);
}

// Of what the motion decides.
static bool is_over(const caromThinning *t, const caromThinned *s, double time)
{
    double part = part_of_time(t, time), taken = t->used;
    if (s->used <= s->own*part) return false;
    taken += reserve(&t->steps, part);
    for (int k = 0; k < CAROM_EVENT_KINDS; k++) taken += reserve(&t->events[k].stream, part);
    return taken > (t->budget - t->of_grid)*part;
}

static bool take_of_motion(caromThinning *t, caromThinned *s, double time, double bytes)
{
    bool is_kept = take(s, bytes, is_over(t, s, time));
    if (is_kept) t->used += bytes;
    return is_kept;
}

// The first and the last one in any case.
static bool take_of_grid(caromThinning *t, double time, double bytes)
{
    caromThinned *s = &t->grid;
    bool is_end = time >= t->until, is_regular = s->offered % t->grid_every == 0;
    bool is_out = s->used > t->of_grid*part_of_time(t, time);
    if (is_end || is_regular) return take(s, bytes, is_out && !is_end);
    s->offered++;
    s->offered_bytes += bytes;
    return false;
}

bool carom_results_keep_sample(caromThinning *t, const caromSample *sample, size_t bytes)
{
    t->time = sample->time;
    if (sample->kind == CAROM_SAMPLE_GRID) return take_of_grid(t, sample->time, (double)bytes);
    return take_of_motion(t, &t->steps, sample->time, (double)bytes);
}

void carom_results_add_patches(caromThinning *t, caromSampleKind kind, size_t bytes)
{
    bool is_grid = kind == CAROM_SAMPLE_GRID;
    caromThinned *s = is_grid ? &t->grid : &t->steps;
    s->used += (double)bytes;
    s->offered_bytes += (double)bytes;
    if (!is_grid) t->used += (double)bytes;
}

// ---- events: what was left out and is larger, or later, than what was kept is remembered

static double size_of(const caromEvent *event)
{
    switch (event->kind) {
    case CAROM_EVENT_TOUCH:
    case CAROM_EVENT_LIMIT: return event->touch.speed;
    case CAROM_EVENT_SEPARATION:
    case CAROM_EVENT_LIMIT_LEFT: return event->separation.impulse;
    case CAROM_EVENT_IMPACT: return event->impact.impulse;
    case CAROM_EVENT_JAM: return event->jam.slip_speed;
    default: return 0.0;
    }
}

static void remember(caromText *to, const caromText *text)
{
    to->size = 0;
    carom_results_text_bytes(to, text->data, text->size);
}

static void forget(caromText *text)
{
    text->size = 0;
}

bool carom_results_keep_event(caromThinning *t, const caromEvent *event, const caromText *text)
{
    caromThinnedEvents *s = &t->events[event->kind];
    t->time = event->time;
    double size = size_of(event);
    bool is_kept = take_of_motion(t, &s->stream, event->time, (double)(text->size + CAROM_FRAME_AROUND));
    bool is_largest = size > s->largest;
    if (is_largest) s->largest = size;
    if (is_kept) {
        forget(&s->last);
        if (is_largest) forget(&s->largest_text);
        return true;
    }
    remember(&s->last, text);
    if (is_largest) remember(&s->largest_text, text);
    return false;
}

int carom_results_late_events(const caromThinning *t, caromEventKind kind, const caromText *late[2])
{
    const caromThinnedEvents *s = &t->events[kind];
    int n = 0;
    if (s->largest_text.size > 0) late[n++] = &s->largest_text;
    bool is_same = n == 1 && s->last.size == s->largest_text.size &&
                   memcmp(s->last.data, s->largest_text.data, s->last.size) == 0;
    if (s->last.size > 0 && !is_same) late[n++] = &s->last;
    return n;
}

// ---- what is told of it

static int64_t lack_of(const caromThinned *s)
{
    return s->offered - s->kept;
}

caromResultsLoad carom_results_load_of(const caromThinning *t)
{
    caromResultsLoad load = { .budget = t->budget, .grid_every = t->grid_every };
    double offered = t->grid.offered_bytes + t->steps.offered_bytes;
    load.left_out = (caromResultsLack){ .samples = lack_of(&t->grid), .steps = lack_of(&t->steps) };
    load.told = (caromResultsLack){ .samples = t->grid.offered, .steps = t->steps.offered };
    for (int k = 0; k < CAROM_EVENT_KINDS; k++) {
        const caromThinned *s = &t->events[k].stream;
        load.left_out.events += lack_of(s);
        load.told.events += s->offered;
        offered += s->offered_bytes;
    }
    load.offered = offered;
    load.expected = t->time > 0.0 ? offered*fmax(1.0, t->until/t->time) : offered;
    return load;
}

void carom_results_left_out_json(caromText *text, const caromResultsLack *left_out)
{
    carom_json_key(text, "left_out");
    carom_json_begin(text, '{');
    carom_results_member_integer(text, "samples", left_out->samples);
    carom_results_member_integer(text, "steps", left_out->steps);
    carom_results_member_integer(text, "events", left_out->events);
    carom_results_member_integer(text, "patches", left_out->patches);
    carom_json_finish(text, '}');
}

void carom_results_thinning_free(caromThinning *t)
{
    for (int k = 0; k < CAROM_EVENT_KINDS; k++) {
        carom_results_text_free(&t->events[k].largest_text);
        carom_results_text_free(&t->events[k].last);
    }
}
