// What is said of a contact pair, before anything happens to it. Most pairs of a large model never touch.
#include <math.h>

#include "results/channels.h"

static void member_given(caromText *text, const char *key, double value)
{
    if (!isnan(value)) carom_results_member_number(text, key, value);
}

// Of a law of one's own the rest does not count.
static void members_of_law(caromText *text, const caromPairInfo *info)
{
    if (info->has_law) carom_results_member_bool(text, "law", true);
    else {
        member_given(text, "stiffness", info->stiffness);
        member_given(text, "exponent", info->exponent);
        carom_results_member_text(text, "damping", carom_model_damping_name(info->damping));
        member_given(text, "damping_coefficient", info->damping_coefficient);
        member_given(text, "damping_depth", info->damping_depth);
    }
    if (info->shell > 0) carom_results_member_number(text, "shell", info->shell);
}

void carom_results_pair_json(caromText *text, const caromModel *model, int pair)
{
    char name[CAROM_PAIR_NAME_MAX];
    caromPairInfo info = carom_model_pair(model, pair);
    carom_model_pair_name(model, pair, name, sizeof name);
    carom_json_begin(text, '{');
    carom_results_member_integer(text, "pair", pair);
    carom_results_member_text(text, "name", name);
    carom_results_member_integer(text, "a", carom_model_shape(model, info.shape[0]).body.i);
    carom_results_member_integer(text, "b", carom_model_shape(model, info.shape[1]).body.i);
    carom_results_member_number(text, "restitution", info.restitution);
    if (info.restitution_law) carom_results_member_text(text, "restitution_law", info.restitution_law);
    carom_results_member_number(text, "friction", info.friction);
    carom_results_member_number(text, "static_friction", info.static_friction);
    carom_results_member_number(text, "rolling", info.rolling);
    carom_results_member_number(text, "torsion", info.torsion);
    if (carom_model_response(model)->has_impacts)
        carom_results_member_text(text, "impact_law", carom_model_impact_law_name(info.impact_law));
    else members_of_law(text, &info);
    carom_json_finish(text, '}');
}
