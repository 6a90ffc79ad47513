// Speeds and accelerations that no mechanics of rigid bodies is about: faster than light. An exponent was mistyped, and
// no step of such a run would get on.
#include <math.h>
#include <string.h>

#include "model/check.h"
#include "model/joint.h"
#include "model/scales.h"

static void check_body(const caromBody *b, caromProblems *problems)
{
    double speed = carom_norm(b->V_WB.linear), spin = carom_norm(b->V_WB.angular);
    if (speed > CAROM_MODEL_LIGHT)
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.velocity", b->name), "body '%.63s' starts "
                                "with %.3g m/s, faster than light: check exponent and unit", b->name, speed);
    if (spin*b->reach > CAROM_MODEL_LIGHT)
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.angular_velocity", b->name), "body '%.63s' "
                                "starts with %.3g rad/s, its rim faster than light: check exponent and unit", b->name,
                                spin);
}

static void check_joint(const caromModel *m, const caromLink *link, caromProblems *problems)
{
    const caromModelJoint *j = &m->joints[link->joint];
    for (int i = 0; link->iv >= 0 && i < link->nv; i++) {
        double reach = j->forces[i].is_angle ? m->bodies[link->body].reach : 1.0;
        const char *key = carom_model_joint_speed_name(j->kind, i);
        if (!(fabs(j->velocity[i])*reach > CAROM_MODEL_LIGHT)) continue;
        carom_model_check_error(problems, carom_model_path_of("joints.%.63s.%.*s", j->name, (int)strcspn(key, "."),
                                                              key), "joint '%.63s' starts with a speed of %.3g, faster "
                                "than light: check exponent and unit", j->name, j->velocity[i]);
    }
}

// What falls over the size of the largest body, or for the whole run.
static void check_gravity(const caromModel *m, caromProblems *problems)
{
    double g = carom_norm(m->settings.gravity), size = 0.0;
    for (int k = 0; k < m->nlink; k++) size = fmax(size, m->bodies[m->links[k].body].reach);
    double speed = fmin(g*m->settings.until, sqrt(2.0*size)*sqrt(g));
    if (speed > CAROM_MODEL_LIGHT)
        carom_model_check_error(problems, carom_model_path_of("gravity"), "gravity of %.3g m/s^2 makes bodies faster "
                                "than light as soon as they have fallen by their own size, %.3g m: check exponent and "
                                "unit", g, size);
}

void carom_model_check_light(const caromModel *m, caromProblems *problems)
{
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (link->joint >= 0) check_joint(m, link, problems);
        else check_body(&m->bodies[link->body], problems);
    }
    check_gravity(m, problems);
}
