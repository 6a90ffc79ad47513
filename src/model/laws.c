// What two materials do to each other: coefficients from where they are given, and laws of one's own.
#include "model/laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/restitution.h"

// ---- expressions

caromStatus carom_model_law_compile(const caromPairDef *def, caromExpression **expression, caromError *err)
{
    const char *variables[2 + CAROM_PARAMETERS_MAX] = { "d", "v" };
    for (int i = 0; i < def->nparameter; i++) variables[2 + i] = def->parameters[i].name;
    return carom_expression_create(def->law, variables, 2 + def->nparameter, expression, err);
}

// "k*d^n; k = 1e6, n = 1.5": parameters as they are used, in SI units. NULL: out of memory.
static char *text_of(const caromPairDef *def)
{
    size_t size = strlen(def->law) + 8 + (size_t)def->nparameter*(CAROM_NAME_MAX + 32), n;
    char *text = malloc(size);
    if (!text) return NULL;
    n = (size_t)snprintf(text, size, "%s", def->law);
    for (int i = 0; i < def->nparameter; i++)
        n += (size_t)snprintf(text + n, size - n, "%s %.*s = %.6g", i == 0 ? ";" : ",", CAROM_NAME_MAX,
                              def->parameters[i].name, def->parameters[i].value);
    return text;
}

bool carom_model_laws_alloc(const caromBuilder *b, caromModel *m)
{
    m->own_laws = carom_alloc_array((size_t)b->npair, sizeof *m->own_laws);
    if (!m->own_laws) return false;
    m->nown_law = b->npair;
    for (int k = 0; k < b->npair; k++) {
        const caromPairDef *def = &b->pairs[k];
        if (carom_model_pair_has_restitution_law(def) &&
            carom_model_restitution_create(def, &m->own_laws[k].restitution, NULL) != CAROM_OK) return false;
        if (!def->law) continue;
        for (int i = 0; i < def->nparameter; i++) m->own_laws[k].parameters[i] = def->parameters[i].value;
        // It has been checked.
        if (carom_model_law_compile(def, &m->own_laws[k].expression, NULL) != CAROM_OK) return false;
        m->own_laws[k].text = text_of(def);
        if (!m->own_laws[k].text) return false;
    }
    return true;
}

void carom_model_laws_free(caromModel *m)
{
    for (int k = 0; m->own_laws && k < m->nown_law; k++) {
        carom_model_restitution_free(&m->own_laws[k].restitution);
        carom_expression_destroy(m->own_laws[k].expression);
        free(m->own_laws[k].text);
    }
    free(m->own_laws);
    free(m->laws);
}

// ---- coefficients

typedef struct FoundLaw {
    double value;
    caromOrigin origin;
} FoundLaw;

// The first that is given, of the pair, of the palette, of the settings.
static FoundLaw first_given(double model, double palette, double settings)
{
    if (!isnan(model)) return (FoundLaw){ model, CAROM_ORIGIN_MODEL };
    if (!isnan(palette)) return (FoundLaw){ palette, CAROM_ORIGIN_PALETTE };
    return (FoundLaw){ settings, CAROM_ORIGIN_SETTINGS };
}

static FoundLaw or_else(FoundLaw found, double other)
{
    return isnan(found.value) ? (FoundLaw){ other, CAROM_ORIGIN_OTHER } : found;
}

static void set_coefficients(const caromSettings *s, const caromPairDef *given, const caromPairDef *known,
                             caromPairLaw *law)
{
    FoundLaw restitution = first_given(given->restitution, known->restitution, s->default_restitution);
    FoundLaw friction = first_given(given->friction, known->friction, s->default_friction);
    // Who gives a friction coefficient of their own does not want the static one of a table that it does not belong to.
    FoundLaw still = first_given(given->static_friction, friction.origin == CAROM_ORIGIN_PALETTE
                                     ? known->static_friction : (double)NAN, s->default_static_friction);
    FoundLaw rolling = first_given(given->rolling, known->rolling, s->default_rolling);
    FoundLaw torsion = or_else(first_given(given->torsion, known->torsion, s->default_torsion), rolling.value);
    still = or_else(still, friction.value);
    // Nor does who says that there is none want that of all pairs that do not say.
    bool has_none = friction.origin == CAROM_ORIGIN_MODEL && friction.value == 0.0;
    if (still.origin == CAROM_ORIGIN_SETTINGS && (has_none || still.value < friction.value))
        still = (FoundLaw){ friction.value, CAROM_ORIGIN_OTHER };
    const FoundLaw all[CAROM_COEFFICIENTS] = { restitution, friction, still, rolling, torsion };
    for (int i = 0; i < CAROM_COEFFICIENTS; i++) law->origin[i] = all[i].origin;
    law->restitution = restitution.value;
    law->friction = friction.value;
    law->static_friction = still.value;
    law->rolling = rolling.value;
    law->torsion = torsion.value;
}

static double plane_strain_modulus(const caromMaterialDef *m)
{
    return m->E/(1.0 - m->nu*m->nu);
}

// given: that of the model for the two materials, index k of the builder's pairs; -1: none.
caromPairLaw carom_model_law_freeze(const caromBuilder *b, const caromModel *m, int material_a, int material_b, int k)
{
    const caromMaterialDef *ma = &m->materials[material_a], *mb = &m->materials[material_b];
    caromPairDef none = carom_model_pair_def(ma->name, mb->name);
    const caromPairDef *given = k < 0 ? &none : &b->pairs[k],
                       *known = carom_model_pair_palette_find(ma->name, mb->name);
    double ca = plane_strain_modulus(ma), cb = plane_strain_modulus(mb), k_red = b->settings.k_red;
    caromPairLaw law = { .given = k,
                         .E_star = ca*cb/(ca + cb)/k_red,
                         .stiffness = given->stiffness/k_red,
                         .exponent = given->exponent,
                         .damping = given->damping == CAROM_DAMPING_KINDS ? b->settings.damping : given->damping,
                         .damping_coefficient = given->damping_coefficient,
                         .damping_depth = given->damping_depth,
                         .function = given->law_function,
                         .user = given->law_user,
                         .impact = given->impact_law == CAROM_IMPACT_KINDS ? b->settings.impact_law
                                                                           : given->impact_law };
    set_coefficients(&b->settings, given, known ? known : &none, &law);
    if (k >= 0 && carom_model_pair_has_restitution_law(given)) {
        law.restitution_law = &m->own_laws[k].restitution;
        law.restitution = carom_model_law_restitution(&law, 1.0);
        law.origin[CAROM_COEFFICIENT_RESTITUTION] = CAROM_ORIGIN_MODEL;
    }
    if (k >= 0 && given->law) {
        law.expression = m->own_laws[k].expression;
        law.text = m->own_laws[k].text;
        law.parameters = m->own_laws[k].parameters;
        law.nparameter = given->nparameter;
    }
    return law;
}
