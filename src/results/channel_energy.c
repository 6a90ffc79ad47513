// The energy ledger: a row of the table for each member of caromEnergy.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "results/channels.h"

typedef struct Term {
    const char *name;
    size_t offset;  // in caromEnergy
} Term;

static const Term terms[] = {
    { "kinetic", offsetof(caromEnergy, kinetic) },
    { "potential", offsetof(caromEnergy, potential) },
    { "elastic", offsetof(caromEnergy, elastic) },
    { "springs", offsetof(caromEnergy, springs) },
    { "damping", offsetof(caromEnergy, damping) },
    { "friction", offsetof(caromEnergy, friction) },
    { "rolling", offsetof(caromEnergy, rolling) },
    { "joints", offsetof(caromEnergy, joints) },
    { "supplied", offsetof(caromEnergy, supplied) },
    { "imbalance", offsetof(caromEnergy, imbalance) },
    { "numerical", offsetof(caromEnergy, numerical) },
};
enum { TERMS = sizeof terms/sizeof *terms };
static_assert(TERMS*sizeof(double) == sizeof(caromEnergy), "every energy has a row");

static double value_of(const caromEnergy *energy, int term)
{
    return *(const double *)((const char *)energy + terms[term].offset);
}

// What a method loses by itself is told of the one that does.
static bool is_told(const caromModel *model, int term)
{
    bool is_numerical = terms[term].offset == offsetof(caromEnergy, numerical);
    return !is_numerical || carom_model_settings(model)->method == CAROM_METHOD_CONVEX;
}

static void columns(const caromModel *model, caromColumnVisitor visit, void *user)
{
    char name[CAROM_COLUMN_NAME_MAX];
    for (int k = 0; k < TERMS; k++) {
        if (!is_told(model, k)) continue;
        snprintf(name, sizeof name, "energy.%s", terms[k].name);
        visit(user, name, "J");
    }
}

static void numbers(const caromModel *model, const caromSample *sample, caromText *text)
{
    for (int k = 0; k < TERMS; k++)
        if (is_told(model, k)) carom_results_put_number(text, value_of(&sample->energy, k));
}

const caromResultsChannel carom_results_energy = { columns, numbers };

void carom_results_energy_json(caromText *text, const caromEnergy *energy)
{
    carom_json_key(text, "energy");
    carom_json_begin(text, '{');
    for (int k = 0; k < TERMS; k++) {
        bool is_none = terms[k].offset == offsetof(caromEnergy, numerical) && energy->numerical == 0.0;
        if (!is_none) carom_results_member_number(text, terms[k].name, value_of(energy, k));
    }
    carom_json_finish(text, '}');
}
