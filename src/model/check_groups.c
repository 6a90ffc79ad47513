// What can be wrong with groups and with ignored pairs. Both lists are short or shallow enough to be searched from the
// start: at most CAROM_SHAPES_MAX of each, at most CAROM_GROUPS_MAX groups of a body.
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "model/check.h"

static bool are_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static bool is_group(const caromBuilder *b, const char *name)
{
    for (int k = 0; k < b->nbody; k++)
        for (int i = 0; i < b->bodies[k].ngroup; i++) if (are_same(name, b->bodies[k].groups[i])) return true;
    return false;
}

// ---- groups

static bool is_reserved(const char *group)
{
    return strcmp(group, "all") == 0 || strcmp(group, "world") == 0;
}

static void check_group(const caromBuilder *b, const caromBodyDef *body, int i, caromProblems *problems)
{
    const char *group = body->groups[i];
    caromPath path = carom_model_path_of("bodies.%.63s.groups", body->name);
    carom_model_check_name(problems, path, "group", group);
    if (!group) return;
    if (strcmp(group, "world") == 0)
        carom_model_check_error(problems, path, "'world' is the name of the fixed frame: choose another name "
                                "for this group");
    else if (strcmp(group, "all") == 0)
        carom_model_check_error(problems, path, "'all' stands for all bodies in contact.ignore: choose another name "
                                "for this group");
    else if (carom_builder_find_body(b, group) != -2)
        carom_model_check_error(problems, path, "group '%.63s' has the name of a body: choose another", group);
    for (int k = 0; k < i; k++) {
        if (!are_same(group, body->groups[k])) continue;
        carom_model_check_error(problems, path, "group '%.63s' is given twice", group);
        return;
    }
}

static void check_groups_of(const caromBuilder *b, const caromBodyDef *body, caromProblems *problems)
{
    if (!body->name) return;
    if (body->ngroup <= CAROM_GROUPS_MAX) for (int i = 0; i < body->ngroup; i++) check_group(b, body, i, problems);
    else
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.groups", body->name), "a body can be in at "
                                "most %d groups, this one is in %d", CAROM_GROUPS_MAX, body->ngroup);
}

static bool is_ignored(const caromBuilder *b, const char *group)
{
    for (int k = 0; k < b->nignored; k++)
        if (are_same(group, b->ignored[k].name[0]) || are_same(group, b->ignored[k].name[1])) return true;
    return false;
}

static bool was_before(const caromBuilder *b, int body, const char *group)
{
    for (int k = 0; k < body; k++)
        for (int i = 0; i < b->bodies[k].ngroup; i++) if (are_same(group, b->bodies[k].groups[i])) return true;
    return false;
}

// A group that is used nowhere is a slip: its bodies touch what they were not meant to.
static void warn_of_unused(const caromBuilder *b, int body, caromProblems *problems)
{
    const caromBodyDef *def = &b->bodies[body];
    for (int i = 0; def->name && def->ngroup <= CAROM_GROUPS_MAX && i < def->ngroup; i++) {
        const char *group = def->groups[i];
        if (!group || is_reserved(group) || is_ignored(b, group) || was_before(b, body, group)) continue;
        carom_problem_add(problems, true, carom_model_path_of("bodies.%.63s.groups", def->name).text,
                          "group '%.63s' has no effect: contact.ignore does not have it", group);
    }
}

// ---- ignored pairs

// Words that may be meant, a few at a time: the nearest of some stays when the next come.
typedef struct NearestName {
    const char *typed;
    const char *known[64];
    int n;
} NearestName;

static const char *nearest_of(NearestName *s)
{
    const char *best = carom_nearest_name(s->typed, s->known, s->n);
    s->known[0] = best;
    s->n = best ? 1 : 0;
    return best;
}

static void consider(NearestName *s, const char *name)
{
    if (!name) return;
    if (s->n == 64) nearest_of(s);
    s->known[s->n++] = name;
}

static void report_unknown(caromProblems *problems, caromPath path, const char *what, NearestName *s)
{
    const char *nearest = nearest_of(s);
    if (nearest) carom_model_check_error(problems, path, "%s '%.63s', did you mean '%s'?", what, s->typed, nearest);
    else carom_model_check_error(problems, path, "%s '%.63s'", what, s->typed);
}

static void check_shape_name(const caromBodyDef *body, const char *name, caromPath path, caromProblems *problems)
{
    char what[CAROM_NAME_MAX + 32];
    NearestName nearest = { .typed = name };
    for (int i = 0; i < body->nshape; i++) {
        if (are_same(name, body->shapes[i].name)) return;
        consider(&nearest, body->shapes[i].name);
    }
    snprintf(what, sizeof what, "body '%.63s' has no shape", body->name);
    report_unknown(problems, path, what, &nearest);
}

// "BODY.SHAPE"
static void check_dotted_name(const caromBuilder *b, const char *name, size_t length, caromPath path,
                              caromProblems *problems)
{
    char body[CAROM_NAME_MAX + 2];
    snprintf(body, sizeof body, "%.*s", (int)(length < sizeof body ? length : sizeof body - 1), name);
    int index = carom_builder_find_body(b, body);
    if (index >= 0) {
        check_shape_name(&b->bodies[index], name + length + 1, path, problems);
        return;
    }
    NearestName nearest = { .typed = body };
    for (int k = 0; k < b->nbody; k++) consider(&nearest, b->bodies[k].name);
    report_unknown(problems, path, "unknown body", &nearest);
}

static void check_ignored_name(const caromBuilder *b, const char *name, caromPath path, caromProblems *problems)
{
    size_t length = strcspn(name, ".");
    if (name[length] == '.') {
        check_dotted_name(b, name, length, path, problems);
        return;
    }
    bool is_all = strcmp(name, "all") == 0, is_body = carom_builder_find_body(b, name) >= 0;
    if (is_all && is_body)
        carom_model_check_error(problems, path, "'all' stands for all bodies, and one is called so: "
                                "give that one another name");
    if (is_all || is_body || is_group(b, name)) return;
    if (strcmp(name, "world") == 0) {
        carom_model_check_error(problems, path, "the world has no shapes: name a body that is fixed");
        return;
    }
    NearestName nearest = { .typed = name };
    for (int k = 0; k < b->nbody; k++) {
        consider(&nearest, b->bodies[k].name);
        for (int i = 0; i < b->bodies[k].ngroup; i++) consider(&nearest, b->bodies[k].groups[i]);
    }
    consider(&nearest, "all");
    report_unknown(problems, path, "unknown body or group", &nearest);
}

static void check_ignored(const caromBuilder *b, int k, caromProblems *problems)
{
    const char *const *name = b->ignored[k].name;
    caromPath path = carom_model_path_of("contact.ignore.%d", k);
    for (int i = 0; i < 2; i++)
        if (name[i]) check_ignored_name(b, name[i], carom_model_path_of("contact.ignore.%d.%d", k, i), problems);
    if (!name[0] || !name[1]) {
        carom_model_check_error(problems, path, "an ignored pair needs two names");
        return;
    }
    for (int i = 0; i < k; i++) {
        const char *const *other = b->ignored[i].name;
        bool is_same = (are_same(name[0], other[0]) && are_same(name[1], other[1])) ||
                       (are_same(name[0], other[1]) && are_same(name[1], other[0]));
        if (!is_same) continue;
        carom_problem_add(problems, true, path.text, "%.127s and %.127s are ignored twice", name[0], name[1]);
        return;
    }
}

void carom_builder_check_groups(const caromBuilder *b, caromProblems *problems)
{
    for (int k = 0; k < b->nbody; k++) check_groups_of(b, &b->bodies[k], problems);
    for (int k = 0; k < b->nbody; k++) warn_of_unused(b, k, problems);
    for (int k = 0; k < b->nignored; k++) check_ignored(b, k, problems);
}
