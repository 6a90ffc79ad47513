// Can the contacts of a model be simulated, and does it start without bodies deep in each other?
#include <stdio.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "patch/patch.h"

// Better no answer than a wrong one. Two cylinders may cross: whether they line up is seen when they touch. The first
// refusal says what can be done, the next ones only which they are, and past some of them only how many.
enum { REFUSALS_MAX = 8 };

static void refuse_contact(const caromModel *model, const caromModelShape *a, const caromModelShape *b, int count,
                           caromProblems *problems)
{
    if (count >= REFUSALS_MAX) return;
    char path[2*CAROM_NAME_MAX + 32];
    snprintf(path, sizeof path, "bodies.%s.shapes.%s", model->bodies[b->body].name, b->name);
    carom_problem_add(problems, false, path, "contact between a %s ('%s') and a %s ('%s') cannot be simulated yet%s",
                      carom_shape_kind_name(a->shape.kind),
                      model->bodies[a->body].name, carom_shape_kind_name(b->shape.kind),
                      model->bodies[b->body].name, count > 0 ? "" : ": neither has an inside to press into, as "
                      "open meshes have none. Give one a thickness (mesh: {thickness: 1 mm}), close it (carom mesh "
                      "shows open edges), let it collide as its hull, ignore the pair (contact.ignore), fix both "
                      "bodies, or join them");
}

static void check_pair(const caromModel *model, const caromKin *kin, int pair, int *refused, caromProblems *problems)
{
    const caromModelShape *a = &model->shapes[model->pairs[pair].shape[0]],
                          *b = &model->shapes[model->pairs[pair].shape[1]];
    if (carom_patch_pair_contact(model, pair) == CAROM_CONTACT_NONE) {
        refuse_contact(model, a, b, (*refused)++, problems);
        return;
    }
    // Of the shapes themselves: a shell may be pressed in at the start.
    double depth = -carom_patch_gap(model, kin, pair).g - model->pairs[pair].shell;
    double allowed = 0.1*fmin(carom_shape_half_thickness(a->shape), carom_shape_half_thickness(b->shape));
    if (!(depth > allowed)) return;
    const char *later = model->bodies[b->body].name;
    char path[CAROM_NAME_MAX + 32];
    snprintf(path, sizeof path, "bodies.%s.position", later);
    carom_problem_add(problems, false, path, "'%s' starts %.3g m deep inside '%s' (at most %.3g m is taken for a "
                      "contact): move one of them", later, depth, model->bodies[a->body].name, allowed);
}

void carom_patch_check_start(const caromModel *model, caromProblems *problems)
{
    caromKin kin = { 0 };
    int refused = 0;
    if (!carom_kin_start(model, &kin)) carom_problem_add(problems, false, "", "out of memory");
    else
        for (int pair = 0; pair < model->npair; pair++) check_pair(model, &kin, pair, &refused, problems);
    if (refused > REFUSALS_MAX)
        carom_problem_add(problems, false, "bodies", "%d more pairs of shapes whose contact cannot be simulated yet",
                          refused - REFUSALS_MAX);
    carom_kin_free(&kin);
}
