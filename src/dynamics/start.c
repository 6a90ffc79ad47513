// Where a model starts (kinematics/assemble.h), and what is to be said about it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "dynamics/dynamics.h"
#include "dynamics/scales.h"
#include "kinematics/assemble.h"
#include "kinematics/scales.h"

typedef struct Place {
    char path[2*CAROM_NAME_MAX + 64];
    int key;           // bytes of the name of the coordinate's key, "position" of "position.x"
    const char *name;  // of the coordinate
} Place;

static Place place_of(const caromModel *m, const caromLink *link, int i, bool speeds)
{
    int at = carom_model_joint_quaternion(link->nq, link->nv);
    Place place = { .name = speeds ? carom_model_joint_speed_name(link->kind, i)
                                   : carom_model_joint_coordinate_name(link->kind, i + (at >= 0 && i > at)) };
    place.key = (int)strcspn(place.name, ".");
    const char *joint = link->joint >= 0 ? m->joints[link->joint].name : m->bodies[link->body].name;
    snprintf(place.path, sizeof place.path, "%s.%s.%.*s", link->joint >= 0 ? "joints" : "bodies", joint, place.key,
             place.name);
    return place;
}

// "33.69 deg", "0.2372 m"; speeds "10 rad/s".
static void value_text(char *text, size_t n, const caromLink *link, int i, bool speeds, double value)
{
    bool is_angle = carom_kin_is_angle(link, i);
    if (speeds) snprintf(text, n, "%.6g %s", value, is_angle ? "rad/s" : "m/s");
    else if (is_angle) snprintf(text, n, "%.6g deg", value*180.0/CAROM_PI);
    else snprintf(text, n, "%.6g m", value);
}

// What a coordinate or a speed was given as, and what has become of it.
typedef struct Change {
    const caromLink *link;
    int i;             // by speed
    bool speeds;
    double given, got;
    double part;       // moved, as a part of what everything moves by [-]
} Change;

static void tell(const caromModel *m, const Change *c, caromProblems *problems)
{
    if (!(c->part > CAROM_KIN_UNSAID)) return;
    char given[48], got[48];
    Place place = place_of(m, c->link, c->i, c->speeds);
    int at = carom_model_joint_quaternion(c->link->nq, c->link->nv);
    bool is_turned = !c->speeds && at >= 0 && c->i >= at;
    value_text(given, sizeof given, c->link, c->i, c->speeds, c->given);
    value_text(got, sizeof got, c->link, c->i, c->speeds, c->got);
    const char *path = place.path, *name = place.name;
    if (c->part <= CAROM_KIN_LITTLE && is_turned)
        carom_problem_add(problems, true, path, "%s is turned by %s to close the loops", name, got);
    else if (c->part <= CAROM_KIN_LITTLE)
        carom_problem_add(problems, true, path, "%s %s becomes %s: there the loops close", name, given, got);
    else if (is_turned)
        carom_problem_add(problems, false, path, "%s cannot be had with what else was given: the loops close nearest "
                          "%s away from it. Turn it there, or leave it out and it is found", name, got);
    else
        carom_problem_add(problems, false, path, "%s %s cannot be had with what else was given: the loops close "
                          "nearest at %s. Give that, or leave it out and it is found", name, given, got);
}

static void tell_link(const caromModel *m, const caromLink *link, const caromAssembly *a, const double *state,
                      const double *given, caromProblems *problems)
{
    int at = carom_model_joint_quaternion(link->nq, link->nv);
    for (int i = 0; i < link->nv; i++) {
        double metres = carom_kin_is_angle(link, i) ? a->lever : 1.0;
        Change c = { link, i, false, given[link->iq + i], state[link->iq + i], 0.0 };
        double moved = carom_kin_distance(link, i, state, given);
        if (at >= 0 && i >= at) c.given = 0.0, c.got = moved;
        c.part = moved*metres/a->lever;
        if (carom_kin_is_given(m, link, i, false)) tell(m, &c, problems);
        const double *v = state + m->nq + link->iv, *v_given = given + m->nq + link->iv;
        c = (Change){ link, i, true, v_given[i], v[i], fabs(v[i] - v_given[i])*metres/a->fastest };
        if (carom_kin_is_given(m, link, i, true)) tell(m, &c, problems);
    }
}

static void tell_moved(const caromModel *m, const caromAssembly *a, const double *state, caromProblems *problems)
{
    double *given = carom_alloc_array((size_t)(m->nq + m->nv), sizeof *given);
    if (!given) {
        carom_problem_add(problems, false, "", "out of memory");
        return;
    }
    carom_kin_initial(m, given, given + m->nq);
    for (int k = 0; k < m->nlink; k++)
        if (m->links[k].iv >= 0) tell_link(m, &m->links[k], a, state, given, problems);
    free(given);
}

// What the assembly of q and v has come to.
static void tell_assembly(const caromModel *m, const caromAssembly *a, const double *state, caromProblems *problems)
{
    char path[CAROM_NAME_MAX + 16] = "";
    const char *joint = a->joint >= 0 ? m->joints[a->joint].name : "";
    snprintf(path, sizeof path, "joints.%s", joint);
    switch (a->end) {
    case CAROM_ASSEMBLY_NO_MEMORY: carom_problem_add(problems, false, "", "out of memory"); break;
    case CAROM_ASSEMBLY_OPEN:
        carom_problem_add(problems, false, path, "the loop that joint '%s' closes cannot be assembled: %.3g m are left "
                          "between its two sides. Check lengths and frames, or start closer to a position that is "
                          "possible", joint, a->left);
        break;
    case CAROM_ASSEMBLY_TURNED_ROUND:
        carom_problem_add(problems, false, path, "the loop that joint '%s' closes is half a turn off: its frames point "
                          "in opposite directions", joint);
        break;
    case CAROM_ASSEMBLY_MOVED:
    case CAROM_ASSEMBLY_CLOSED:
        if (m->nloop > 0) tell_moved(m, a, state, problems);
        break;
    }
}

// A limit that is behind the start pushes with all of its stiffness at once; a rigid one cannot push at all.
static void check_limit(const caromModel *m, const caromLimit *limit, const double *q, caromProblems *problems)
{
    const caromLink *link = &m->links[limit->link];
    bool presses = carom_model_response(m)->has_depth;
    double value = q[link->iq + limit->coordinate], beyond = limit->sign*(limit->at - value);
    double unit = carom_kin_is_angle(link, limit->coordinate) ? 1.0 : m->bodies[link->body].reach;
    if (!(beyond > (presses ? CAROM_DYN_PRESSED : CAROM_DYN_ROUNDED)*unit)) return;
    char got[48], at[48];
    Place place = place_of(m, link, limit->coordinate, false);
    value_text(got, sizeof got, link, limit->coordinate, false, value);
    value_text(at, sizeof at, link, limit->coordinate, false, limit->at);
    carom_problem_add(problems, presses, place.path, "%s starts at %s, beyond the %s limit of joint '%s' at %s: %s",
                      place.name, got, limit->sign > 0.0 ? "lower" : "upper", m->joints[link->joint].name, at,
                      presses ? "it is pushed back from the start" : "start within its limits");
}

void carom_dyn_check_start(const caromModel *m, caromProblems *problems)
{
    if (m->nloop == 0 && m->nlimit == 0) return;
    double *state = carom_alloc_array((size_t)(m->nq + m->nv), sizeof *state);
    caromAssembly a = { .end = CAROM_ASSEMBLY_NO_MEMORY, .joint = -1 };
    if (state) a = carom_kin_assemble(m, state, state + m->nq);
    tell_assembly(m, &a, state, problems);
    for (int i = 0; state && i < m->nlimit; i++) check_limit(m, &m->limits[i], state, problems);
    free(state);
}

// In front of the first error where they have one.
static const caromProblem *first_error(const caromProblems *problems)
{
    for (int i = 0; i < problems->count; i++) if (!problems->items[i].is_warning) return &problems->items[i];
    return NULL;
}

caromStatus carom_dyn_assemble(const caromModel *m, double *q, double *v, caromError *err)
{
    caromAssembly a = carom_kin_assemble(m, q, v);
    if (a.end == CAROM_ASSEMBLY_CLOSED) return CAROM_OK;
    if (a.end == CAROM_ASSEMBLY_NO_MEMORY) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    caromProblems problems = { 0 };
    caromStatus status = CAROM_ERR_MEMORY;
    double *state = carom_alloc_array((size_t)(m->nq + m->nv), sizeof *state);
    if (state) {
        memcpy(state, q, (size_t)m->nq*sizeof *q);
        memcpy(state + m->nq, v, (size_t)m->nv*sizeof *v);
        tell_assembly(m, &a, state, &problems);
    }
    const caromProblem *first = first_error(&problems);
    if (first) status = carom_fail(err, CAROM_ERR_MODEL, first->path, "%s", first->message);
    else carom_fail(err, status, "", "out of memory");
    carom_problems_free(&problems);
    free(state);
    return status;
}
