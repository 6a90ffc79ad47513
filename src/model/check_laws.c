// Laws of pairs of materials: what belongs together, and whether a force of one's own is one.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/check.h"
#include "model/laws.h"

static void warn(caromProblems *problems, caromPath path, const char *message)
{
    carom_problem_add(problems, true, path.text, "%s", message);
}

// ---- friction

void carom_model_check_static_friction(caromProblems *problems, caromPath path, double still, double sliding,
                                       const char *where)
{
    if (!(still >= 0.0 && still < sliding)) return;
    carom_model_check_error(problems, path, "static friction %g is below the friction %g of sliding%s: "
                            "expected at least as much", still, sliding, where);
}

// With the friction that applies: the pair's own, that of the palette, that of the settings.
static void check_friction(const caromBuilder *b, const caromPairDef *p, int k, caromProblems *problems)
{
    caromPath path = carom_model_path_of("pairs.%d.static_friction", k);
    if (isnan(p->static_friction)) return;
    carom_model_check_not_negative(problems, path, "static friction", p->static_friction);
    const caromPairDef *known = carom_model_pair_palette_find(p->material[0], p->material[1]);
    if (!isnan(p->friction)) carom_model_check_static_friction(problems, path, p->static_friction, p->friction, "");
    else if (known && !isnan(known->friction))
        carom_model_check_static_friction(problems, path, p->static_friction, known->friction,
                                          " that is known of these materials");
    else
        carom_model_check_static_friction(problems, path, p->static_friction, b->settings.default_friction,
                                          " that contact gives");
}

// ---- stiffness and damping

static bool is_good_default(caromDamping damping)
{
    const caromDampingInfo *info = carom_contact_damping_info(damping);
    return info && !info->needs_coefficient;
}

typedef struct Names {
    char text[200];
} Names;

static bool takes_coefficient(const caromDampingInfo *info)
{
    return info->unit != NULL;
}

static bool needs_depth(const caromDampingInfo *info)
{
    return info->needs_depth;
}

// "given [s/m], marhefka-orin [s/m] or depth [N s/m]" of the laws that do, units where asked for.
static Names names_of(bool (*does)(const caromDampingInfo *info), bool has_units)
{
    Names names = { "" };
    size_t n = 0;
    int left = 0;
    for (int i = 0; i < CAROM_DAMPING_KINDS; i++) left += does(carom_contact_damping_info((caromDamping)i));
    for (int i = 0; i < CAROM_DAMPING_KINDS && n < sizeof names.text; i++) {
        const caromDampingInfo *info = carom_contact_damping_info((caromDamping)i);
        if (!does(info)) continue;
        left--;
        n += (size_t)snprintf(names.text + n, sizeof names.text - n, "%s%s%s%s%s", info->name, has_units ? " [" : "",
                              has_units ? info->unit : "", has_units ? "]" : "",
                              left > 1 ? ", " : left == 1 ? " or " : "");
    }
    return names;
}

void carom_model_check_default_damping(caromProblems *problems, caromDamping damping)
{
    caromPath path = carom_model_path_of("contact.damping");
    if ((unsigned)damping >= CAROM_DAMPING_KINDS)
        carom_model_check_error(problems, path, "unknown damping %d", (int)damping);
    else if (!is_good_default(damping))
        carom_model_check_error(problems, path, "damping '%s' needs a coefficient, which belongs to a pair of "
                                "materials: give both in pairs", carom_model_damping_name(damping));
}

static void check_stiffness(const caromPairDef *p, int k, caromProblems *problems)
{
    if (!isnan(p->stiffness))
        carom_model_check_positive(problems, carom_model_path_of("pairs.%d.stiffness", k), "stiffness", p->stiffness,
                                   " N/m^n");
    if (isnan(p->exponent)) return;
    caromPath path = carom_model_path_of("pairs.%d.exponent", k);
    carom_model_check_range(problems, path, "exponent", p->exponent, 1, 10);
    if (isnan(p->stiffness))
        carom_model_check_error(problems, path, "exponent is given without stiffness: what follows from E and the "
                                "shapes has one of its own; give both or neither");
}

static void check_coefficient(const caromPairDef *p, int k, caromDamping damping, caromProblems *problems)
{
    caromPath path = carom_model_path_of("pairs.%d.damping_coefficient", k);
    const caromDampingInfo *info = carom_contact_damping_info(damping);
    if (!isnan(p->damping_coefficient))
        carom_model_check_not_negative(problems, path, "damping coefficient", p->damping_coefficient);
    if (isnan(p->damping_coefficient) && info->needs_coefficient)
        carom_model_check_error(problems, carom_model_path_of("pairs.%d.damping", k),
                                "damping '%s' needs damping_coefficient [%s] beside it", info->name, info->unit);
    if (!isnan(p->damping_coefficient) && !info->unit)
        carom_model_check_error(problems, path, "damping '%s' follows from restitution and takes no coefficient: "
                                "give damping: %s beside it", info->name, names_of(takes_coefficient, true).text);
}

static void check_depth(const caromPairDef *p, int k, caromDamping damping, caromProblems *problems)
{
    caromPath path = carom_model_path_of("pairs.%d.damping_depth", k);
    const caromDampingInfo *info = carom_contact_damping_info(damping);
    Names others = names_of(needs_depth, false);
    if (!isnan(p->damping_depth)) carom_model_check_positive(problems, path, "damping depth", p->damping_depth, " m");
    if (!isnan(p->damping_depth) && !info->needs_depth)
        carom_model_check_error(problems, path, "only damping '%s' has a depth, that of this pair is '%s': "
                                "leave it out, or give damping: %s", others.text, info->name, others.text);
    if (isnan(p->damping_depth) && info->needs_depth)
        carom_model_check_error(problems, carom_model_path_of("pairs.%d.damping", k), "damping '%s' needs "
                                "damping_depth beside it: how deep the damper has all of its coefficient", info->name);
}

// A kind that the settings cannot have is reported there.
static void check_damping(const caromBuilder *b, const caromPairDef *p, int k, caromProblems *problems)
{
    bool is_own = p->damping != CAROM_DAMPING_KINDS;
    if (is_own && (unsigned)p->damping > CAROM_DAMPING_KINDS)
        carom_model_check_error(problems, carom_model_path_of("pairs.%d.damping", k), "unknown damping %d",
                                (int)p->damping);
    if (is_own ? (unsigned)p->damping > CAROM_DAMPING_KINDS : !is_good_default(b->settings.damping)) return;
    caromDamping damping = is_own ? p->damping : b->settings.damping;
    check_coefficient(p, k, damping, problems);
    check_depth(p, k, damping, problems);
}

// ---- laws of one's own

static void check_alone(const caromPairDef *p, int k, caromProblems *problems)
{
    const struct { const char *key; bool is_given; } others[] = {
        { "stiffness", !isnan(p->stiffness) },
        { "exponent", !isnan(p->exponent) },
        { "damping", p->damping != CAROM_DAMPING_KINDS },
        { "damping_coefficient", !isnan(p->damping_coefficient) },
        { "damping_depth", !isnan(p->damping_depth) },
    };
    for (size_t i = 0; i < sizeof others/sizeof others[0]; i++)
        if (others[i].is_given)
            carom_model_check_error(problems, carom_model_path_of("pairs.%d.%s", k, others[i].key),
                                    "a law is the whole normal force: leave out %s beside it", others[i].key);
    if (p->law && p->law_function)
        carom_model_check_error(problems, carom_model_path_of("pairs.%d.law", k),
                                "an expression and a function are given: give one of them");
}

static bool check_parameter(const caromPairDef *p, int k, int i, caromProblems *problems)
{
    const char *name = p->parameters[i].name ? p->parameters[i].name : "";
    caromPath path = carom_model_path_of("pairs.%d.parameters.%.63s", k, name);
    int before = problems->errors;
    if (strcmp(name, "d") == 0 || strcmp(name, "v") == 0)
        carom_model_check_error(problems, path, "a parameter cannot be called '%s': that is the %s", name,
                                name[0] == 'd' ? "depth" : "approach speed");
    else if (carom_expression_has_word(name))
        carom_model_check_error(problems, path, "a parameter cannot be called '%s': every expression has that", name);
    else if (!carom_expression_name_is_good(name) || strlen(name) > CAROM_NAME_MAX)
        carom_model_check_error(problems, path, "'%.70s' is not a name for a parameter: expected a letter, "
                                "then letters, digits or '_', at most %d in all", name, CAROM_NAME_MAX);
    for (int j = 0; j < i; j++)
        if (p->parameters[j].name && strcmp(p->parameters[j].name, name) == 0)
            carom_model_check_error(problems, path, "parameter '%.63s' is given twice", name);
    if (!isfinite(p->parameters[i].value))
        carom_model_check_error(problems, path, "parameter '%.63s' is not a finite number", name);
    return problems->errors == before;
}

static bool check_parameters(const caromPairDef *p, int k, caromProblems *problems)
{
    caromPath path = carom_model_path_of("pairs.%d.parameters", k);
    bool is_good = p->nparameter <= CAROM_PARAMETERS_MAX;
    if (p->nparameter > 0 && !p->law)
        carom_model_check_error(problems, path, "parameters are for an expression: give it as law, "
                                "such as k*d^n*(1 + c*v)");
    if (!is_good)
        carom_model_check_error(problems, path, "%d parameters are more than an expression can have: %d is the limit",
                                p->nparameter, CAROM_PARAMETERS_MAX);
    for (int i = 0; i < p->nparameter && p->nparameter <= CAROM_PARAMETERS_MAX; i++)
        is_good &= check_parameter(p, k, i, problems);
    return is_good;
}

// One that the expression can do without was forgotten, or misspelt on one side.
static void warn_of_unused(const caromPairDef *p, int k, caromProblems *problems)
{
    for (int i = 0; i < p->nparameter; i++) {
        caromParameter others[CAROM_PARAMETERS_MAX];
        caromPairDef without = *p;
        memcpy(others, p->parameters, (size_t)p->nparameter*sizeof *others);
        others[i] = others[p->nparameter - 1];
        without.parameters = others;
        without.nparameter--;
        caromExpression *expression;
        if (carom_model_law_compile(&without, &expression, NULL) != CAROM_OK) continue;
        carom_expression_destroy(expression);
        char message[160];
        snprintf(message, sizeof message, "the law does not have the parameter '%.63s'", p->parameters[i].name);
        warn(problems, carom_model_path_of("pairs.%d.parameters.%.63s", k, p->parameters[i].name), message);
    }
}

// ---- the force, looked at in a few places

typedef struct Force {
    const caromPairDef *def;
    const caromExpression *expression;
} Force;

static double force_at(const Force *f, double depth, double speed)
{
    if (!f->expression) return f->def->law_function(f->def->law_user, depth, speed);
    caromJet values[2 + CAROM_PARAMETERS_MAX] = { carom_jet_constant(depth), carom_jet_constant(speed) };
    for (int i = 0; i < f->def->nparameter; i++) values[2 + i] = carom_jet_constant(f->def->parameters[i].value);
    return carom_expression_at(f->expression, values).value;
}

// Every contact passes through small depths on the way in (v > 0) and on the way out (v < 0); how deep it
// gets nobody knows here.
static bool is_number(const Force *f, caromPath path, caromProblems *problems)
{
    static const double depths[] = { 1e-9, 1e-7, 1e-5 }, speeds[] = { 0.0, 1e-3, 1.0, -1e-3, -1.0 };
    for (size_t i = 0; i < sizeof depths/sizeof depths[0]; i++)
        for (size_t j = 0; j < sizeof speeds/sizeof speeds[0]; j++) {
            double force = force_at(f, depths[i], speeds[j]);
            if (isfinite(force)) continue;
            carom_model_check_error(problems, path, "the law is %s at d = %g m, v = %g m/s%s",
                                    isnan(force) ? "not a number" : "infinite", depths[i], speeds[j],
                                    speeds[j] < 0.0 ? ": v is below 0 while the bodies part" : "");
            return false;
        }
    return true;
}

static double largest_force(const Force *f)
{
    double largest = 0.0;
    for (int i = -6; i <= -3; i++) {
        double force = fabs(force_at(f, pow(10.0, i), 0.0));
        if (isfinite(force)) largest = fmax(largest, force);
    }
    return largest;
}

// A force that is there at once, at the first touch: more than a thousandth of what it is somewhere up to a millimetre.
static bool begins_at_zero(const Force *f, caromPath path, caromProblems *problems)
{
    static const double first = 1e-12, part = 1e-3, speeds[] = { 0.0, 0.1 };
    double largest = largest_force(f);
    for (int i = 0; i < 2; i++) {
        double force = force_at(f, first, speeds[i]);
        if (isfinite(force) && fabs(force) <= part*largest) continue;
        char message[200];
        snprintf(message, sizeof message, "the law does not begin at 0: it is %.3g N at d = %g m, v = %g m/s%s", force,
                 first, speeds[i], i > 0 ? "; damping that grows with d, as in k*d*(1 + c*v), does" : "");
        warn(problems, path, message);
        return false;
    }
    return true;
}

// Depths ten to the decade. A force that gives way has no depth at which it holds a load; one below 0 is taken for 0.
static void check_growth(const Force *f, caromPath path, caromProblems *problems)
{
    char message[200];
    double before = 0.0, last = 0.0;
    for (int i = -90; i <= -30; i++) {
        double depth = pow(10.0, 0.1*i), force = force_at(f, depth, 0.0);
        if (!isfinite(force))
            snprintf(message, sizeof message, "the law is not a finite number at d = %.3g m, v = 0", depth);
        else if (force < 0.0)
            snprintf(message, sizeof message, "the law is negative at d = %.3g m, v = 0 (%.3g N): it pulls there, "
                     "which is taken for 0", depth, force);
        else if (force < before*(1.0 - 1e-9))
            snprintf(message, sizeof message, "the law decreases from %.3g N at d = %.3g m to %.3g N at d = %.3g m: "
                     "a load that is held there would break through", before, last, force, depth);
        else {
            before = force;
            last = depth;
            continue;
        }
        warn(problems, path, message);
        return;
    }
    if (before == 0.0) warn(problems, path, "the law gives no force up to a depth of 1 mm");
}

static void check_force(const Force *f, caromPath path, caromProblems *problems)
{
    if (is_number(f, path, problems) && begins_at_zero(f, path, problems)) check_growth(f, path, problems);
}

// Too many parameters, or out of memory for their names: reported.
static bool can_be_compiled(const caromPairDef *p)
{
    bool has_names = p->nparameter <= CAROM_PARAMETERS_MAX;
    for (int i = 0; i < p->nparameter && has_names; i++) has_names = p->parameters[i].name != NULL;
    return p->law && has_names;
}

static void check_own_law(const caromPairDef *p, int k, bool has_parameters, caromProblems *problems)
{
    caromPath path = carom_model_path_of("pairs.%d.law", k);
    caromExpression *expression = NULL;
    caromError err = { 0 };
    if (can_be_compiled(p) && carom_model_law_compile(p, &expression, &err) != CAROM_OK)
        carom_model_check_error(problems, path, "%s", err.message);
    if (expression && has_parameters) warn_of_unused(p, k, problems);
    Force force = { p, expression };
    if ((expression && has_parameters) || (!p->law && p->law_function)) check_force(&force, path, problems);
    carom_expression_destroy(expression);
}

void carom_builder_check_law(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromPairDef *p = &b->pairs[k];
    check_friction(b, p, k, problems);
    bool has_parameters = check_parameters(p, k, problems);
    if (p->law || p->law_function) {
        check_alone(p, k, problems);
        check_own_law(p, k, has_parameters, problems);
        return;
    }
    check_stiffness(p, k, problems);
    check_damping(b, p, k, problems);
}
