#include "summary.h"

#include <math.h>
#include <string.h>

// The imbalance adds up the local errors of all steps; a hundred times the tolerance is what a healthy run stays below.
static const double IMBALANCE_FACTOR = 100;

// Above this difference the restitution that was measured is not that of the pair alone.
static const double OTHERS_VISIBLE = 0.01;

void record_sample(Record *record, const caromSample *sample)
{
    if (!record->has_start) record->start = sample->energy;
    record->has_start = true;
    record->end = sample->energy;
    record->time = sample->time;
}

void record_event(Record *record, const caromEvent *event)
{
    if (event->kind != CAROM_EVENT_SEPARATION || !(event->approach_speed > record->v_small)) return;
    if (record->nimpact < IMPACTS_SHOWN) record->first[record->nimpact] = *event;
    record->last[record->nimpact % IMPACTS_SHOWN] = *event;
    record->nimpact++;
}

static const caromEvent *impact_at(const Record *record, int64_t i)
{
    return i < IMPACTS_SHOWN ? &record->first[i] : &record->last[i % IMPACTS_SHOWN];
}

static void impact_row(Table *table, const caromModel *model, const caromEvent *event)
{
    char pair[4*CAROM_NAME_MAX + 8], text[32];
    carom_model_pair_name(model, event->pair, pair, sizeof pair);
    snprintf(text, sizeof text, "%.6f s", event->time - event->duration);
    table_cell(table, text);
    table_cell(table, pair);
    table_cell(table, si(event->approach_speed, "m/s"));
    snprintf(text, sizeof text, "%.5f", event->asked_restitution);
    table_cell(table, text);
    snprintf(text, sizeof text, "%.5f", event->restitution);
    table_cell(table, text);
    table_cell(table, si(event->duration, "s"));
    table_cell(table, si(event->depth, "m"));
}

static void print_impacts(const Summary *s)
{
    static const char *const titles[] = { "at", "pair", "approach", "e asked", "e measured", "duration", "depth" };
    int64_t n = s->record->nimpact;
    if (n == 0) return;
    printf("\n%s: restitution e that was asked for and that the motion shows\n", count_of(n, "impact"));
    Table table = table_of(7, "rlrrrrr");
    bool has_others = false;
    for (int k = 0; k < 7; k++) table_cell(&table, titles[k]);
    for (int64_t i = 0; i < n; i++) {
        if (n > 2*IMPACTS_SHOWN && i == IMPACTS_SHOWN) {
            i = n - IMPACTS_SHOWN;
            for (int k = 0; k < 7; k++) table_cell(&table, "...");
        }
        const caromEvent *event = impact_at(s->record, i);
        impact_row(&table, s->model, event);
        has_others |= fabs(event->restitution - event->asked_restitution) > OTHERS_VISIBLE;
    }
    table_print(&table, stdout, 2);
    if (has_others) printf("  where they differ, weight, turning, friction or other contacts acted while the impact lasted\n");
}

static void energy_row(Table *table, const char *name, double start, double end)
{
    table_cell(table, name);
    table_cell(table, si(start, "J"));
    table_cell(table, si(end, "J"));
}

static double relative_imbalance(const caromSimStats *stats)
{
    return stats->energy_scale > 0 ? fabs(stats->energy.imbalance)/stats->energy_scale : 0;
}

static void print_energy(const Summary *s)
{
    caromEnergy a = s->record->start, b = s->stats->energy;
    Table table = table_of(3, "lrr");
    printf("\n");
    table_cell(&table, "energy");
    table_cell(&table, "start");
    table_cell(&table, "end");
    energy_row(&table, "kinetic", a.kinetic, b.kinetic);
    energy_row(&table, "potential", a.potential, b.potential);
    energy_row(&table, "elastic, in contacts", a.elastic, b.elastic);
    energy_row(&table, "lost to damping", a.damping, b.damping);
    energy_row(&table, "lost to friction", a.friction, b.friction);
    energy_row(&table, "lost to rolling", a.rolling, b.rolling);
    table_print(&table, stdout, 2);
    printf("  imbalance %s, %.1e of the largest energy %s\n", si(b.imbalance, "J"), relative_imbalance(s->stats),
           si(s->stats->energy_scale, "J"));
}

void summary_print(const Summary *s)
{
    const caromSimStats *stats = s->stats;
    int64_t touches = stats->events[CAROM_EVENT_TOUCH], separations = stats->events[CAROM_EVENT_SEPARATION];
    printf("%s: %s at %s, in %s", s->name, s->verdict, si(stats->time, "s"), si(s->wall, "s"));
    if (s->wall > 0) printf(" (%s x real time)", factor(stats->time/s->wall));
    printf("\n\n  method   %s, tolerance %s\n", stats->method ? stats->method : "-", number(carom_model_settings(s->model)->tolerance));
    printf("  steps    %s, %s rejected, %s", count_of(stats->steps, ""), count_of(stats->rejected, ""),
           count_of(stats->evaluations, "evaluation"));
    if (stats->switches) printf(", %s", count_of(stats->switches, "switch"));
    printf("\n  events   %s, %s\n", count_of(touches, "touch"), count_of(separations, "separation"));
    if (stats->largest_depth_pair >= 0) {
        char pair[4*CAROM_NAME_MAX + 8];
        carom_model_pair_name(s->model, stats->largest_depth_pair, pair, sizeof pair);
        printf("  depth    %s at most, %s\n", si(stats->largest_depth, "m"), pair);
    }
    print_impacts(s);
    print_energy(s);
}

void summary_warn(const Summary *s)
{
    double tolerance = carom_model_settings(s->model)->tolerance, relative = relative_imbalance(s->stats);
    if (!(relative > IMBALANCE_FACTOR*tolerance)) return;
    warn("the energy balance is off by %s, %.1e of the largest energy: more than the tolerance %g explains;\n"
         "       try a smaller one: --set simulate.tolerance=%g", si(s->stats->energy.imbalance, "J"), relative, tolerance, 0.01*tolerance);
}
