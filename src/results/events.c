// What EVNT and DONE frames say, as JSON. The format is described in docs/results-format.md.
#include <math.h>

#include "results/results.h"

static bool is_of_limit(const caromEvent *event)
{
    return event->about.kind == CAROM_SUBJECT_LIMIT;
}

static void members_of_place(caromText *text, const caromEvent *event)
{
    if (is_of_limit(event)) {
        carom_results_member_integer(text, "joint", event->about.limit.joint);
        carom_results_member_integer(text, "coordinate", event->about.limit.coordinate);
        carom_results_member_vec3(text, "point", event->p_W);
        return;
    }
    carom_results_member_integer(text, "pair", event->about.pair);
    carom_results_member_vec3(text, "point", event->p_W);
    carom_results_member_vec3(text, "normal", event->n_AB);
}

static void members_of_touch(caromText *text, const caromEvent *event)
{
    carom_results_member_number(text, "speed", event->touch.speed);
}

static void members_of_separation(caromText *text, const caromEvent *event)
{
    const caromSeparationEvent *separation = &event->separation;
    carom_results_member_number(text, "speed", separation->speed);
    carom_results_member_number(text, "duration", separation->duration);
    carom_results_member_number(text, "approach_speed", separation->approach_speed);
    carom_results_member_number(text, "asked_restitution", separation->asked_restitution);
    carom_results_member_number(text, "restitution", separation->restitution);
    if (separation->has_lasted) carom_results_member_bool(text, "lasted", true);
    carom_results_member_number(text, "depth", separation->depth);
    carom_results_member_number(text, "impulse", separation->impulse);
}

// Torque, then force, of each joint of the tree.
static void member_joint_impulses(caromText *text, const caromImpactEvent *impact)
{
    if (impact->njoint == 0 || !impact->joint_impulses) return;
    carom_results_member_array(text, "joint_impulses");
    for (int i = 0; i < impact->njoint; i++) {
        carom_json_begin(text, '[');
        carom_json_vec3(text, impact->joint_impulses[i].angular);
        carom_json_vec3(text, impact->joint_impulses[i].linear);
        carom_json_finish(text, ']');
    }
    carom_json_finish(text, ']');
}

static void members_across(caromText *text, const caromImpactEvent *impact)
{
    carom_results_member_vec3(text, "velocity_before", impact->v_before);
    carom_results_member_vec3(text, "velocity_after", impact->v_after);
    carom_results_member_vec3(text, "impulse_b", impact->impulse_B);
    carom_results_member_number(text, "lost_friction", impact->lost_friction);
    carom_results_member_text(text, "path", carom_model_slip_path_name(impact->path));
    if (!isnan(impact->path_stop)) {
        carom_results_member_number(text, "path_stop", impact->path_stop);
        carom_results_member_bool(text, "stops_in_compression", impact->stops_in_compression);
    }
    carom_results_member_integer(text, "index", impact->point);
}

// A limit has a speed and an impulse along its coordinate, nothing across it.
static void members_of_impact(caromText *text, const caromEvent *event)
{
    const caromImpactEvent *impact = &event->impact;
    carom_results_member_number(text, "speed", impact->speed);
    carom_results_member_number(text, "asked_restitution", impact->asked_restitution);
    carom_results_member_number(text, "restitution", impact->restitution);
    carom_results_member_number(text, "impulse", impact->impulse);
    carom_results_member_number(text, "lost_normal", impact->lost_normal);
    if (!is_of_limit(event)) members_across(text, impact);
    carom_results_member_integer(text, "together", impact->together);
    if (impact->is_collapse) carom_results_member_bool(text, "collapse", true);
    if (impact->is_at_once) carom_results_member_bool(text, "at_once", true);
    member_joint_impulses(text, impact);
}

// Contacts that stay have no speed along the normal. Readers of the format expect the member in every event.
static void members_of_mode(caromText *text, const caromEvent *event)
{
    (void)event;
    carom_results_member_number(text, "speed", 0.0);
}

static void members_of_jam(caromText *text, const caromEvent *event)
{
    carom_results_member_number(text, "speed", event->jam.slip_speed);
}

typedef struct EventRow {
    const char *name, *count;  // of one, and how many there were
    void (*members)(caromText *text, const caromEvent *event);  // of its payload
} EventRow;

static const EventRow event_rows[CAROM_EVENT_KINDS] = {
    [CAROM_EVENT_TOUCH]      = { "touch", "touches", members_of_touch },
    [CAROM_EVENT_SEPARATION] = { "separation", "separations", members_of_separation },
    [CAROM_EVENT_LIMIT]      = { "limit", "limits", members_of_touch },
    [CAROM_EVENT_LIMIT_LEFT] = { "limit_left", "limits_left", members_of_separation },
    [CAROM_EVENT_IMPACT]     = { "impact", "impacts", members_of_impact },
    [CAROM_EVENT_LAND]       = { "land", "landings", members_of_mode },
    [CAROM_EVENT_STICK]      = { "stick", "sticks", members_of_mode },
    [CAROM_EVENT_SLIP]       = { "slip", "slips", members_of_mode },
    [CAROM_EVENT_TAKE_OFF]   = { "take_off", "take_offs", members_of_mode },
    [CAROM_EVENT_JAM]        = { "jam", "jams", members_of_jam },
};

void carom_results_event_json(caromText *text, const caromEvent *event)
{
    carom_json_begin(text, '{');
    carom_results_member_number(text, "time", event->time);
    carom_results_member_text(text, "kind", event_rows[event->kind].name);
    members_of_place(text, event);
    event_rows[event->kind].members(text, event);
    carom_json_finish(text, '}');
}

void carom_results_done_json(caromText *text, const caromEnding *ending)
{
    const caromSimStats *stats = ending->stats;
    caromEnergyCheck check = carom_sim_check_energy(stats, ending->tolerance);
    carom_json_begin(text, '{');
    carom_results_member_text(text, "verdict", ending->verdict);
    carom_results_member_text(text, "message", ending->message);
    carom_results_member_number(text, "time", stats->time);
    carom_results_member_text(text, "method", stats->method ? stats->method : "");
    carom_results_member_integer(text, "steps", stats->steps);
    carom_results_member_integer(text, "rejected", stats->rejected);
    carom_results_member_integer(text, "evaluations", stats->evaluations);
    carom_results_member_integer(text, "jacobians", stats->jacobians);
    for (int k = 0; k < CAROM_EVENT_KINDS; k++)
        carom_results_member_integer(text, event_rows[k].count, stats->events[k]);
    carom_results_member_integer(text, "switches", stats->switches);
    carom_results_member_integer(text, "gap_evaluations", stats->gap_evaluations);
    carom_results_member_number(text, "smallest_step", stats->smallest_step);
    carom_results_member_number(text, "largest_depth", stats->largest_depth);
    carom_results_member_integer(text, "largest_depth_pair", stats->largest_depth_pair);
    carom_results_member_number(text, "largest_imbalance", stats->largest_imbalance);
    carom_results_member_number(text, "energy_scale", stats->energy_scale);
    carom_results_member_number(text, "energy_reference", check.reference);
    carom_results_member_text(text, "energy_verdict", carom_sim_energy_verdict_name(check.verdict));
    const caromResultsLack *lack = &ending->left_out;
    if (lack->samples + lack->steps + lack->events + lack->patches > 0) carom_results_left_out_json(text, lack);
    carom_results_energy_json(text, &stats->energy);
    carom_json_finish(text, '}');
}
