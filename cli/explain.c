// Why the tolerances are what they are: for each contact, from speed and stiffness to depth, from depth to what
// positions must be known to.
#include <math.h>

#include "cli.h"

static void line(const char *what, const char *text)
{
    printf("    %-12s%s\n", what, text);
}

static const char *power_unit(double exponent)
{
    static char unit[32];
    if (exponent == 1.0) return "N/m";
    snprintf(unit, sizeof unit, "N/m^%g", exponent);
    return unit;
}

static void explain_stiffness(const caromPairInfo *info, const caromExpectation *e)
{
    char text[256];
    if (info->has_law) snprintf(text, sizeof text, "a law of its own: %.200s", info->law ? info->law : "a function");
    else if (e->is_face && isnan(info->stiffness))
        snprintf(text, sizeof text, "k = E*/l = %.4g N/m^3, E* = %s, over the area that presses", e->stiffness,
                 si(info->E_star, "Pa"));
    else if (e->is_face)
        snprintf(text, sizeof text, "given: %.4g N/m over the whole face, k = %.4g N/m^3", info->stiffness,
                 e->stiffness);
    else if (isnan(info->stiffness))
        snprintf(text, sizeof text, "K = %.4g %s (Hertz: E* = %s and the curvature where they are nearest)",
                 e->stiffness, power_unit(1.5), si(info->E_star, "Pa"));
    else snprintf(text, sizeof text, "given: K = %.4g %s", e->stiffness, power_unit(e->exponent));
    line("stiffness", text);
}

static void explain_damping(const caromPairInfo *info, const caromExpectation *e)
{
    char text[256], from[64] = "";
    const caromDampingInfo *law = carom_contact_damping_info(info->damping);
    if (info->has_law) return;
    if (law->needs_depth) snprintf(from, sizeof from, " from %s on", si(info->damping_depth, "m"));
    if (isnan(e->restitution)) // the damper does not depend on the speed of the touch
        snprintf(text, sizeof text, "%s: %.4g %s%s", law->name, info->damping_coefficient, law->unit, from);
    else
        snprintf(text, sizeof text, "%s: c = %.4g s/m, c v = %.4g; asked for a rebound of %.4g, without other forces "
                 "it gives %.4g", carom_model_damping_name(info->damping), e->damping, e->damping*e->speed,
                 e->restitution, carom_contact_restitution_of(e->damping*e->speed));
    line("damping", text);
}

static void explain_speed(const caromSettings *s, const caromExpectation *e)
{
    char text[256], start[64];
    snprintf(start, sizeof start, "%s", si(e->start_speed, "m/s"));
    const char *why = e->speed > e->start_speed && e->speed > s->v_small ? "and what gravity adds over the "
                      "gap" : e->speed > e->start_speed ? "taken as v_small at least" : "";
    snprintf(text, sizeof text, "v = %s at the touch (%s at the start%s%s)", si(e->speed, "m/s"), start,
             why[0] ? ", " : "", why);
    line("speed", text);
}

static void explain_tolerance(const caromSettings *s, const caromExpectation *e)
{
    char text[256], depth[64];
    snprintf(depth, sizeof depth, "%s", si(e->depth, "m"));
    snprintf(text, sizeof text, "positions to %.3g m = tolerance %s times d", s->tolerance*e->depth,
             number(s->tolerance));
    line("tolerance", text);
    if (s->tolerance*e->depth < e->rounding) {
        snprintf(text, sizeof text, "rounding allows no less than %.3g m here: the depth is known to %.1g of itself.",
                 e->rounding, e->rounding/e->depth);
        line("", text);
        line("", "Softer contact (contact.k_red, E) or a place nearer to the origin would help");
    }
    bool by_friction = e->velocity_tolerance < s->tolerance*e->speed;
    snprintf(text, sizeof text, "velocities to %.3g m/s = %s", e->velocity_tolerance,
             by_friction ? "a tenth of contact.v_small, below which friction turns round" : "tolerance times v");
    line("", text);
    snprintf(text, sizeof text, "first step %s, a fiftieth of the impact", si(e->first_step, "s"));
    line("", text);
}

// Of rigid bodies nothing is stored: speeds and impulses follow from e, m and v alone, but for friction.
static void explain_impact(const caromModel *model, int pair, const caromPairInfo *info, const caromExpectation *e)
{
    char text[320], speed[64], impulse[64];
    double r = carom_model_pair_restitution(model, pair, e->speed);
    snprintf(speed, sizeof speed, "%s", si(r*e->speed, "m/s"));
    snprintf(impulse, sizeof impulse, "%s", si((1 + r)*e->mass*e->speed, "N s"));
    snprintf(text, sizeof text, "%s: e = %.4g", carom_model_impact_law_name(info->impact_law), r);
    if (info->restitution_law)
        snprintf(text, sizeof text, "%s: e = %.4g at that speed, of %.200s",
                 carom_model_impact_law_name(info->impact_law), r, info->restitution_law);
    line("impact", text);
    snprintf(text, sizeof text, "without friction it parts at e v = %s, after an impulse of (1 + e) m v = %s; "
             "(1 - e^2) m v^2/2 = %s are lost", speed, impulse, si(0.5*(1 - r*r)*e->mass*e->speed*e->speed, "J"));
    line("", text);
}

static void explain_friction(const caromSettings *s, const caromPairInfo *info)
{
    char text[256];
    if (info->friction == 0 && info->static_friction == 0) snprintf(text, sizeof text, "none");
    else if (carom_contact_friction_info(s->friction_law)->creeps)
        snprintf(text, sizeof text, "mu = %.4g, regularised below %s: what rests creeps (contact.friction_law "
                 "bristle sticks)", info->friction, si(s->v_small, "m/s"));
    else
        snprintf(text, sizeof text, "mu = %.4g, sticks up to %.4g of the normal force", info->friction,
                 info->static_friction);
    line("friction", text);
}

static bool explain_pair(const caromModel *model, int pair)
{
    caromExpectation e;
    caromError err;
    char name[4*CAROM_NAME_MAX], text[256], depth[64];
    if (carom_sim_expect(model, pair, &e, &err) != CAROM_OK) {
        complain("%s", err.message);
        return false;
    }
    const caromSettings *s = carom_model_settings(model);
    caromPairInfo info = carom_model_pair(model, pair);
    carom_model_pair_name(model, pair, name, sizeof name);
    printf("  %s\n", name);
    snprintf(text, sizeof text, "%s at the start", si(e.gap, "m"));
    line("gap", text);
    explain_speed(s, &e);
    snprintf(text, sizeof text, "m = %s, what the contact feels of both bodies along its normal", si(e.mass, "kg"));
    line("mass", text);
    if (carom_model_response(model)->has_impacts) {
        explain_impact(model, pair, &info, &e);
        explain_friction(s, &info);
        return true;
    }
    explain_stiffness(&info, &e);
    explain_damping(&info, &e);
    snprintf(depth, sizeof depth, "%s", si(e.depth, "m"));
    const char *about = info.has_law ? "about " : "";
    if (e.depth > 1e3) snprintf(text, sizeof text, "none: the law does not stop it");
    else
        snprintf(text, sizeof text, "d = %s, where m v^2/2 is stored; without damping the impact takes %s%s", depth,
                 about, si(e.duration, "s"));
    line("depth", text);
    if (e.depth <= 1e3) explain_tolerance(s, &e);
    return true;
}

bool print_explanation(const caromModel *model)
{
    int n = carom_model_pair_count(model);
    bool has_impacts = carom_model_response(model)->has_impacts;
    const char *what = has_impacts ? "the first impact of each contact does" : "contacts ask of the integration";
    printf("\nwhat %s%s\n", what, n == 0 ? ": nothing, there is nothing to collide with" : ", judged from how "
           "the model starts");
    for (int i = 0; i < n && i < ROWS_SHOWN; i++) if (!explain_pair(model, i)) return false;
    print_rest(n);
    return true;
}
