#include "summary.h"

#include <math.h>
#include <string.h>

// Above this difference the restitution that was measured is not that of the pair alone.
static const double OTHERS_VISIBLE = 0.01;

void record_sample(Record *record, const caromSample *sample)
{
    if (!record->has_start) {
        record->start = sample->energy;
        record->start_contacts = sample->ncontact;
    }
    record->has_start = true;
    record->end = sample->energy;
    record->has_springs |= sample->energy.springs != 0;
    record->has_joint_losses |= sample->energy.joints != 0;
    record->has_supply |= sample->energy.supplied != 0;
    record->time = sample->time;
}

static bool is_of_limit(const caromEvent *event)
{
    return event->about.kind == CAROM_SUBJECT_LIMIT;
}

static bool has_impacts(const caromModel *model)
{
    return carom_model_response(model)->has_impacts;
}

// A limit of a coordinate that turns, rather than shifts?
static bool is_of_angle(const caromModel *model, const caromEvent *event)
{
    if (!is_of_limit(event)) return false;
    caromJointLimit limit = event->about.limit;
    caromJointKind kind = carom_model_joint(model, limit.joint).kind;
    return strcmp(carom_model_joint_coordinate_unit(kind, limit.coordinate), "rad") == 0;
}

static double touch_time(const caromEvent *event)
{
    return event->kind == CAROM_EVENT_IMPACT ? event->time : event->time - event->separation.duration;
}

// Impacts are told of when they end; one that lasts is told of behind others that began later. So both lists are kept
// sorted by the touch: the first IMPACTS_SHOWN of all, and the last.
static void keep_among_first(Record *record, const caromEvent *event)
{
    int n = record->nimpact < IMPACTS_SHOWN ? (int)record->nimpact : IMPACTS_SHOWN, i = n;
    while (i > 0 && touch_time(event) < touch_time(&record->first[i - 1])) i--;
    if (i == IMPACTS_SHOWN) return;
    int moved = (n < IMPACTS_SHOWN ? n : IMPACTS_SHOWN - 1) - i;
    memmove(&record->first[i + 1], &record->first[i], (size_t)moved*sizeof *event);
    record->first[i] = *event;
}

// Filled from its end, so that the latest stands in the last place.
static void keep_among_last(Record *record, const caromEvent *event)
{
    int n = record->nimpact < IMPACTS_SHOWN ? (int)record->nimpact : IMPACTS_SHOWN, begin = IMPACTS_SHOWN - n,
        i = IMPACTS_SHOWN;
    while (i > begin && touch_time(event) < touch_time(&record->last[i - 1])) i--;
    if (i == 0) return;
    int from = begin > 0 ? begin : 1;  // the earliest of a full list drops out
    memmove(&record->last[from - 1], &record->last[from], (size_t)(i - from)*sizeof *event);
    record->last[i - 1] = *event;
}

// Slower touches are none. Of rigid bodies all are: one that is hit at rest, in a row of balls, has no approach speed.
static bool is_impact(const caromModel *model, const caromEvent *event)
{
    if (event->kind == CAROM_EVENT_IMPACT) return true;
    if (event->kind != CAROM_EVENT_SEPARATION && event->kind != CAROM_EVENT_LIMIT_LEFT) return false;
    const caromSettings *settings = carom_model_settings(model);
    return event->separation.approach_speed > (is_of_angle(model, event) ? settings->w_small : settings->v_small);
}

void record_event(Record *record, const caromEvent *event)
{
    record->start_landings += event->kind == CAROM_EVENT_LAND && !(event->time > 0);
    if (!is_impact(record->model, event)) return;
    if (event->kind == CAROM_EVENT_IMPACT) record->impact_friction += event->impact.lost_friction;
    keep_among_first(record, event);
    keep_among_last(record, event);
    record->nimpact++;
    record->has_limits |= is_of_limit(event);
}

static const caromEvent *impact_at(const Record *record, int64_t i)
{
    return i < IMPACTS_SHOWN ? &record->first[i] : &record->last[IMPACTS_SHOWN - (record->nimpact - i)];
}

// The pair, or the joint with its coordinate where it has several.
static void place_name(const caromModel *model, const caromEvent *event, char *text, size_t n)
{
    if (!is_of_limit(event)) {
        carom_model_pair_name(model, event->about.pair, text, n);
        return;
    }
    caromJointInfo joint = carom_model_joint(model, event->about.limit.joint);
    if (carom_model_joint_kind_nq(joint.kind) == 1) snprintf(text, n, "%s", joint.name);
    else
        snprintf(text, n, "%s.%s", joint.name,
                 carom_model_joint_coordinate_name(joint.kind, event->about.limit.coordinate));
}

static void impact_row(Table *table, const caromModel *model, const caromEvent *event)
{
    char place[4*CAROM_NAME_MAX + 8], text[32];
    const caromSeparationEvent *end = &event->separation;
    bool turns = is_of_angle(model, event);
    place_name(model, event, place, sizeof place);
    snprintf(text, sizeof text, "%.6f s", touch_time(event));
    table_cell(table, text);
    table_cell(table, place);
    table_cell(table, si(end->approach_speed, turns ? "rad/s" : "m/s"));
    snprintf(text, sizeof text, "%.5f", end->asked_restitution);
    table_cell(table, isnan(end->asked_restitution) ? "-" : text);  // the law has none
    snprintf(text, sizeof text, "%.5f", end->restitution);
    table_cell(table, end->has_lasted ? "lasted" : isnan(end->restitution) ? "-" : text);
    table_cell(table, si(end->duration, "s"));
    table_cell(table, si(end->depth, turns ? "rad" : "m"));
}

// Along the normal. A limit has no velocity vector; hit alone, it parts at e v.
static const char *rebound_text(const caromEvent *event, const char *unit)
{
    const caromImpactEvent *impact = &event->impact;
    if (!is_of_limit(event)) return si(carom_dot(event->n_AB, impact->v_after), unit);
    return impact->together > 1 ? "-" : si(impact->restitution*impact->speed, unit);
}

static void rigid_row(Table *table, const caromModel *model, const caromEvent *event)
{
    char place[4*CAROM_NAME_MAX + 8], text[32];
    const caromImpactEvent *impact = &event->impact;
    const char *unit = is_of_angle(model, event) ? "rad/s" : "m/s";
    place_name(model, event, place, sizeof place);
    snprintf(text, sizeof text, "%.6f s", event->time);
    table_cell(table, text);
    table_cell(table, place);
    table_cell(table, si(impact->speed, unit));
    table_cell(table, rebound_text(event, unit));
    snprintf(text, sizeof text, "%.5f", impact->asked_restitution);
    table_cell(table, text);
    snprintf(text, sizeof text, "%.5f", impact->restitution);
    table_cell(table, text);
    bool slips = !is_of_limit(event) && impact->path != CAROM_SLIP_NONE;
    table_cell(table, slips ? carom_model_slip_path_name(impact->path) : "-");
    table_cell(table, si(impact->lost_normal + impact->lost_friction, "J"));
}

typedef struct ImpactTable {
    int ncolumn;
    const char *align, *titles[8];
    void (*row)(Table *table, const caromModel *model, const caromEvent *event);
    const char *others;  // why e asked and e measured may differ
} ImpactTable;

static const ImpactTable touch_table = {
    7, "rlrrrrr", { "at", "pair", "approach", "e asked", "e measured", "duration", "depth" }, impact_row,
    "where they differ, weight, turning, friction or other contacts acted while the impact lasted, "
    "or the damping is a fit"
};
static const ImpactTable impact_table = {
    8, "rlrrrrlr", { "at", "pair", "approach", "rebound", "e asked", "e measured", "slip", "lost" }, rigid_row,
    "e measured is the root of the work that came back over the work that went in: other contacts took part, "
    "or the law is not energetic"
};

// How far the restitution that the motion shows is from the one that was asked for.
static double restitution_off(const caromEvent *event)
{
    if (event->kind == CAROM_EVENT_IMPACT) return fabs(event->impact.restitution - event->impact.asked_restitution);
    return fabs(event->separation.restitution - event->separation.asked_restitution);
}

static void print_impacts(FILE *to, const Summary *s)
{
    const ImpactTable *t = has_impacts(s->model) ? &impact_table : &touch_table;
    int64_t n = s->record->nimpact;
    if (n == 0) return;
    fprintf(to, "\n%s: restitution e that was asked for and that the motion shows\n", count_of(n, "impact"));
    Table table = table_of(t->ncolumn, t->align);
    bool has_others = false, has_lasting = false;
    for (int k = 0; k < t->ncolumn; k++)
        table_cell(&table, k == 1 && s->record->has_limits ? "pair or joint" : t->titles[k]);
    for (int64_t i = 0; i < n; i++) {
        if (n > 2*IMPACTS_SHOWN && i == IMPACTS_SHOWN) {
            i = n - IMPACTS_SHOWN;
            for (int k = 0; k < t->ncolumn; k++) table_cell(&table, "...");
        }
        const caromEvent *event = impact_at(s->record, i);
        t->row(&table, s->model, event);
        has_others |= restitution_off(event) > OTHERS_VISIBLE;
        has_lasting |= event->kind != CAROM_EVENT_IMPACT && event->separation.has_lasted;
    }
    table_print(&table, to, 2);
    if (has_lasting) fprintf(to, "  lasted: the bodies stayed on each other beyond the impact and parted later\n");
    if (has_others) fprintf(to, "  %s\n", t->others);
}

static void energy_row(Table *table, const char *name, double start, double end)
{
    table_cell(table, name);
    table_cell(table, si(start, "J"));
    table_cell(table, si(end, "J"));
}

static caromEnergyCheck check_of(const caromModel *model, const caromSimStats *stats)
{
    return carom_sim_check_energy(stats, carom_model_settings(model)->tolerance);
}

// The largest of the run: an error that has swung back at the end is none the less one.
static void print_imbalance(FILE *to, const Summary *s)
{
    caromEnergyCheck check = check_of(s->model, s->stats);
    const char *most = si(check.largest, "J");
    double end = s->stats->energy.imbalance;
    if (strcmp(si(fabs(end), "J"), most) == 0) fprintf(to, "  imbalance %s", si(end, "J"));
    else fprintf(to, "  imbalance at the end %s, at most %s", si(end, "J"), most);
    fprintf(to, ", %.1e of the reference energy %s%s\n", check.relative, si(check.reference, "J"),
            check.is_weight ? " (weight of the bodies over their size)" : "");
}

static void print_energy(FILE *to, const Summary *s)
{
    caromEnergy a = s->record->start, b = s->stats->energy;
    Table table = table_of(3, "lrr");
    fprintf(to, "\n");
    table_cell(&table, "energy");
    table_cell(&table, "start");
    table_cell(&table, "end");
    energy_row(&table, "kinetic", a.kinetic, b.kinetic);
    energy_row(&table, "potential", a.potential, b.potential);
    bool can_touch = carom_model_pair_count(s->model) > 0, impacts = has_impacts(s->model);
    if (can_touch && !impacts) energy_row(&table, "elastic, in contacts", a.elastic, b.elastic);
    if (s->record->has_springs) energy_row(&table, "in springs", a.springs, b.springs);
    if (impacts && (can_touch || s->record->nimpact > 0)) {
        energy_row(&table, "lost in impacts", a.damping, b.damping);
        energy_row(&table, "lost to friction", a.friction, b.friction);
        if (s->record->impact_friction > 0) energy_row(&table, "  of that in impacts", 0, s->record->impact_friction);
        if (b.rolling != 0) energy_row(&table, "lost to rolling", a.rolling, b.rolling);
    } else if (can_touch) {
        energy_row(&table, "lost to damping", a.damping, b.damping);
        energy_row(&table, "lost to friction", a.friction, b.friction);
        energy_row(&table, "lost to rolling", a.rolling, b.rolling);
    }
    if (s->record->has_joint_losses) energy_row(&table, "lost in joints", a.joints, b.joints);
    if (b.numerical != 0) energy_row(&table, "lost by the method", a.numerical, b.numerical);
    if (s->record->has_supply) energy_row(&table, "supplied by drives and forces", a.supplied, b.supplied);
    table_print(&table, to, 2);
    print_imbalance(to, s);
}

// "3 impacts, 1 landing, 2 slips": impacts in any case, the others where there are any. What lies there from
// the start has not landed.
static void print_impact_events(FILE *to, const Summary *s)
{
    static const struct { caromEventKind kind; const char *name; } others[] =
        { { CAROM_EVENT_LAND, "landing" }, { CAROM_EVENT_SLIP, "slip" }, { CAROM_EVENT_STICK, "stick" },
          { CAROM_EVENT_TAKE_OFF, "take-off" }, { CAROM_EVENT_JAM, "jam" } };
    fprintf(to, "%s", count_of(s->stats->events[CAROM_EVENT_IMPACT], "impact"));
    for (size_t i = 0; i < sizeof others/sizeof *others; i++) {
        int64_t n = s->stats->events[others[i].kind] - (others[i].kind == CAROM_EVENT_LAND ? s->record->start_landings
                                                                                           : 0);
        if (n > 0) fprintf(to, ", %s", count_of(n, others[i].name));
    }
}

// Of kinds that the model can have.
static void print_events(FILE *to, const Summary *s)
{
    const int64_t *n = s->stats->events;
    bool can_touch = carom_model_pair_count(s->model) > 0, has_limits = n[CAROM_EVENT_LIMIT] > 0;
    bool impacts = has_impacts(s->model);
    if (!can_touch && !has_limits && !(impacts && n[CAROM_EVENT_IMPACT] > 0)) return;
    fprintf(to, "  events   ");
    if (s->record->start_contacts > 0)
        fprintf(to, "%s from the start, ", count_of(s->record->start_contacts, "contact"));
    if (impacts) print_impact_events(to, s);
    else if (can_touch)
        fprintf(to, "%s, %s", count_of(n[CAROM_EVENT_TOUCH], "touch"),
                count_of(n[CAROM_EVENT_SEPARATION], "separation"));
    if (has_limits)
        fprintf(to, "%s%s reached", can_touch || impacts ? ", " : "", count_of(n[CAROM_EVENT_LIMIT], "limit"));
    fprintf(to, "\n");
}

void summary_print(FILE *to, const Summary *s)
{
    const caromSimStats *stats = s->stats;
    fprintf(to, "%s: %s at %s, in %s", s->name, s->verdict, si(stats->time, "s"), si(s->wall, "s"));
    if (s->wall > 0) fprintf(to, " (%s x real time)", factor(stats->time/s->wall));
    fprintf(to, "\n\n  method   %s", s->method ? s->method : "-");
    if (stats->switches) fprintf(to, ", %s for stiff phases", carom_model_method_name(CAROM_METHOD_RODAS5P));
    fprintf(to, ", tolerance %s\n", number(carom_model_settings(s->model)->tolerance));
    fprintf(to, "  steps    %s, %s rejected, %s", count_of(stats->steps, ""), count_of(stats->rejected, ""),
           count_of(stats->evaluations, "evaluation"));
    if (stats->switches) fprintf(to, ", %s", count_of(stats->switches, "switch"));
    fprintf(to, "\n");
    print_events(to, s);
    if (stats->largest_depth_pair >= 0 && !has_impacts(s->model)) {
        char pair[4*CAROM_NAME_MAX + 8];
        carom_model_pair_name(s->model, stats->largest_depth_pair, pair, sizeof pair);
        fprintf(to, "  depth    %s at most, %s\n", si(stats->largest_depth, "m"), pair);
    }
    print_impacts(to, s);
    print_energy(to, s);
}

// A depth that rounding of positions blurs is no depth.
static void warn_of_resolution(const Summary *s)
{
    const double coarse = 1e-3;
    if (s->stats->coarsest.pair < 0 || !(s->stats->coarsest.part > coarse)) return;
    char pair[4*CAROM_NAME_MAX + 8];
    carom_model_pair_name(s->model, s->stats->coarsest.pair, pair, sizeof pair);
    warn("the contact %s at %s is expected to be %.3g m deep, which positions resolve to %.2g of itself only:\n"
         "       make it softer (--set contact.k_red=1000, or a smaller E), or put it nearer to the origin", pair,
         si(s->stats->coarsest.time, "s"), s->stats->coarsest.depth, s->stats->coarsest.part);
}

// A law for small depths where bodies are deep in each other.
static void warn_of_depth(const Summary *s)
{
    if (s->stats->deepest.pair < 0) return;
    char pair[4*CAROM_NAME_MAX + 8];
    carom_model_pair_name(s->model, s->stats->deepest.pair, pair, sizeof pair);
    warn("%s overlap by up to %s at %s, %.0f %% of the thickness: more than the contact law stands for;\n"
         "       make it stiffer (E of the materials, stiffness or law of the pair, contact.k_red), or slower",
         pair, si(s->stats->deepest.depth, "m"), si(s->stats->deepest.time, "s"), 100.0*s->stats->deepest.part);
}

// What began elsewhere than it was put.
static void warn_of_parting(const Summary *s)
{
    if (s->stats->parted.pair < 0) return;
    char pair[4*CAROM_NAME_MAX + 8];
    carom_model_pair_name(s->model, s->stats->parted.pair, pair, sizeof pair);
    warn("%s overlap by %s at the start, and were moved apart: the motion and its energy begin there", pair,
         si(s->stats->parted.depth, "m"));
}

void summary_warn(const Summary *s)
{
    warn_of_parting(s);
    warn_of_resolution(s);
    warn_of_depth(s);
    caromEnergyCheck check = check_of(s->model, s->stats);
    if (check.verdict == CAROM_ENERGY_KEPT) return;
    double tolerance = carom_model_settings(s->model)->tolerance;
    warn("the energy balance is off by up to %s, %.1e of the reference energy: more than the tolerance %g explains;\n"
         "       try a smaller one: --set simulate.tolerance=%g", si(check.largest, "J"), check.relative, tolerance,
         0.01*tolerance);
}

caromStatus summary_judge(const caromModel *model, const caromSimStats *stats, caromError *err)
{
    caromEnergyCheck check = check_of(model, stats);
    if (check.verdict != CAROM_ENERGY_LOST) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_NUMERIC, "", "the energy balance is off by up to %.4g J, %.1e of the reference "
                      "energy: do not trust this motion; try a smaller tolerance: --set simulate.tolerance=%g",
                      check.largest, check.relative, 0.01*carom_model_settings(model)->tolerance);
}
