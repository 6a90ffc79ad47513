// Shapes that may touch need to know how they rebound and how they rub. A number that nobody gave would pass for
// one that somebody meant.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "model/check.h"

enum { TOLD_MAX = 8 };  // each is a line for people

// An own law and a damping that was given need none; rigid bodies have nothing else.
static bool needs_restitution(const caromPairLaw *law, const caromResponseInfo *response)
{
    if (response->has_impacts) return true;
    if (law->expression || law->function) return false;
    const caromDampingInfo *damping = carom_contact_damping_info(law->damping);
    return !damping || (damping->uses_restitution && (!damping->unit || isnan(law->damping_coefficient)));
}

static bool lists_pair(const caromBuilder *b, const char *first, const char *second)
{
    for (int k = 0; k < b->npair; k++) {
        const char *const *m = b->pairs[k].material;
        if ((strcmp(m[0], first) == 0 && strcmp(m[1], second) == 0) ||
            (strcmp(m[0], second) == 0 && strcmp(m[1], first) == 0)) return true;
    }
    return false;
}

static caromPath path_of_material(const caromBuilder *b, const caromModel *m, int shape)
{
    int body = m->shapes[shape].body;
    const caromBodyDef *def = &b->bodies[body];
    const caromShapeDef *s = &def->shapes[shape - m->bodies[body].first_shape];
    return s->material ? carom_model_path_of("bodies.%.63s.shapes.%.63s.material", def->name, s->name)
                       : carom_model_path_of("bodies.%.63s.material", def->name);
}

static void tell(const caromBuilder *b, const caromModel *m, const int shape[2], bool no_restitution, bool no_friction,
                 caromProblems *problems)
{
    const caromModelShape *s[2] = { &m->shapes[shape[0]], &m->shapes[shape[1]] };
    const char *body[2] = { m->bodies[s[0]->body].name, m->bodies[s[1]->body].name };
    const char *material[2] = { m->materials[s[0]->material].name, m->materials[s[1]->material].name };
    const char *how = no_restitution && no_friction ? "rebound and rub" : no_restitution ? "rebound" : "rub";
    const char *keys = no_restitution && no_friction ? "restitution: ..., friction: ..."
                                                     : no_restitution ? "restitution: ..." : "friction: ...";
    char what[256];
    if (lists_pair(b, material[0], material[1])) snprintf(what, sizeof what, "add %s to their pair", keys);
    else snprintf(what, sizeof what, "add to pairs: {between: [%.63s, %.63s], %s}", material[0], material[1], keys);
    carom_problem_add(problems, false, path_of_material(b, m, shape[1]).text, "bodies '%.63s' (%.63s) and '%.63s' "
                      "(%.63s) may touch, but nothing says how they %s: %s, or set contact: {%s} for all pairs "
                      "that do not say", body[0], material[0], body[1], material[1], how, what, keys);
}

void carom_builder_check_pairs(const caromBuilder *b, const caromModel *m, caromProblems *problems)
{
    int seen = 0, missing = 0, last = -1;
    for (int k = 0; k < m->npair && seen < m->nlaw; k++) {
        if (m->pairs[k].law != seen) continue;  // laws are in the order of the pairs that first need them
        const caromPairLaw *law = &m->laws[seen++];
        bool no_restitution = isnan(law->restitution) && needs_restitution(law, carom_model_response(m)),
             no_friction = isnan(law->friction);
        if (!no_restitution && !no_friction) continue;
        if (missing++ < TOLD_MAX) tell(b, m, m->pairs[k].shape, no_restitution, no_friction, problems);
        last = k;
    }
    if (missing > TOLD_MAX) {
        carom_model_check_error(problems, path_of_material(b, m, m->pairs[last].shape[1]), "and %d more pairs of "
                                "materials of which nothing says how they rebound or rub", missing - TOLD_MAX);
    }
}
