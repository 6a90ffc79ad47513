// Laws and shells that the shapes of a model cannot have. Faces press with a pressure that grows with the depth of each
// of their points: their force is an integral of depth, for which there is no other exponent, no law of the depth of a
// single point and no layer around corners.
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "contact/contact.h"

typedef struct Faces {  // of one law
    int count, pair;    // the first of them
} Faces;

static const char *body_of(const caromModel *model, int pair, int i)
{
    return model->bodies[model->shapes[model->pairs[pair].shape[i]].body].name;
}

// "", " (as do 2 more pairs of these materials)"
static const char *others(int count, char *text, size_t n)
{
    text[0] = '\0';
    if (count == 2) snprintf(text, n, " (as does 1 more pair of these materials)");
    if (count > 2) snprintf(text, n, " (as do %d more pairs of these materials)", count - 1);
    return text;
}

static void check_law(const caromModel *model, const caromPairLaw *law, const Faces *faces, caromProblems *problems)
{
    char path[64], more[80];
    bool is_own = carom_model_law_is_own(law), has_exponent = !isnan(law->exponent) && law->exponent != 1.0;
    if (faces->count == 0 || !(is_own || has_exponent)) return;
    const char *a = body_of(model, faces->pair, 0), *b = body_of(model, faces->pair, 1);
    snprintf(path, sizeof path, "pairs.%d.%s", law->given, is_own ? "law" : "exponent");
    others(faces->count, more, sizeof more);
    if (is_own)
        carom_problem_add(problems, false, path, "'%s' and '%s' press over a face%s, which has no law of one's own: "
                          "give one of them another material, or a shape that touches in points", a, b, more);
    else
        carom_problem_add(problems, false, path, "'%s' and '%s' press over a face%s, which needs exponent 1, got %g: "
                          "give one of them another material, or a shape that touches in points", a, b, more,
                          law->exponent);
}

// Of which of the two shapes, the first if both.
static void refuse_shell(const caromModel *model, int pair, caromProblems *problems)
{
    const caromModelPair *p = &model->pairs[pair];
    const caromModelShape *shape = &model->shapes[p->shape[model->shapes[p->shape[0]].shell > 0.0 ? 0 : 1]];
    char path[2*CAROM_NAME_MAX + 40];
    snprintf(path, sizeof path, "bodies.%s.shapes.%s.shell", model->bodies[shape->body].name, shape->name);
    carom_problem_add(problems, false, path, "'%s' and '%s' press over a face, where a shell needs one of the two to "
                      "be a half-space: leave it out, or use a shape that touches in points", body_of(model, pair, 0),
                      body_of(model, pair, 1));
}

static bool has_half_space(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return model->shapes[shape[0]].shape.kind == CAROM_HALF_SPACE ||
           model->shapes[shape[1]].shape.kind == CAROM_HALF_SPACE;
}

// The first shells only: they are said of pairs, and there may be many.
enum { SHELLS_MAX = 8 };

void carom_contact_check(const caromModel *model, caromProblems *problems)
{
    if (!carom_model_response(model)->has_depth) return;
    Faces *faces = carom_alloc_array((size_t)model->nlaw, sizeof *faces);
    int nshell = 0;
    if (!faces) carom_problem_add(problems, false, "", "out of memory");
    for (int pair = 0; faces && pair < model->npair; pair++) {
        Faces *of_law = &faces[model->pairs[pair].law];
        if (carom_patch_pair_contact(model, pair) != CAROM_CONTACT_FACE) continue;
        if (of_law->count++ == 0) of_law->pair = pair;
        if (model->pairs[pair].shell > 0.0 && !has_half_space(model, pair) && nshell++ < SHELLS_MAX)
            refuse_shell(model, pair, problems);
    }
    for (int i = 0; faces && i < model->nlaw; i++) check_law(model, &model->laws[i], &faces[i], problems);
    free(faces);
}

// Better no answer than a wrong one (patch/start.c).
static caromStatus refuse_shapes(const caromModel *model, caromError *err)
{
    for (int pair = 0; pair < model->npair; pair++) {
        if (carom_patch_pair_contact(model, pair) != CAROM_CONTACT_NONE) continue;
        char name[4*CAROM_NAME_MAX];
        carom_model_pair_name(model, pair, name, sizeof name);
        return carom_fail(err, CAROM_ERR_MODEL, name, "there is no contact law yet for the two shapes of %s: "
                          "use other shapes for what touches, or let the pair be ignored", name);
    }
    return CAROM_OK;
}

caromStatus carom_contact_refuse(const caromModel *model, caromError *err)
{
    caromStatus status = refuse_shapes(model, err);
    if (status != CAROM_OK) return status;
    caromProblems problems = { 0 };
    carom_contact_check(model, &problems);
    if (problems.errors > 0) {
        const caromProblem *first = problems.count > 0 ? &problems.items[0] : NULL;
        if (first) status = carom_fail(err, CAROM_ERR_MODEL, first->path, "%s", first->message);
        else status = carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for the laws of contacts");
    }
    carom_problems_free(&problems);
    return status;
}
