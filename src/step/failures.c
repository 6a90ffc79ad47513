// Messages of steps that failed.
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "step/step.h"

caromStatus carom_step_cannot_interpolate(double time, caromError *err)
{
    return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", time);
}

caromStatus carom_step_cannot_search(double time, caromStatus status, caromError *err)
{
    if (status != CAROM_ERR_MEMORY) return carom_step_cannot_interpolate(time, err);
    return carom_fail(err, status, "", "at %.9g s out of memory for the pairs that are near", time);
}

static int fastest_body(const caromSystem *s)
{
    int fastest = -1;
    double speed = -1.0;
    for (int k = 0; k < s->model->nlink; k++) {
        const caromLink *link = &s->model->links[k];
        for (int i = 0; link->iv >= 0 && i < link->nv; i++) {
            double here = fabs(s->y[s->model->nq + link->iv + i]);
            if (here <= speed) continue;
            speed = here;
            fastest = link->body;
        }
    }
    return fastest;
}

// The method knows time and step, the evaluation knows whose motion was not finite; failing that, the fastest body is
// the suspect.
caromStatus carom_step_failed(const caromRun *run, caromStatus status, caromError *err)
{
    const caromSystem *s = &run->system;
    if (status == CAROM_ERR_NUMERIC && s->response->explain && s->response->explain(s, err)) return status;
    int bad = s->found.bad_body, body = bad >= 0 ? bad : fastest_body(s);
    if (!err || status != CAROM_ERR_NUMERIC || body < 0) return status;
    char cause[sizeof err->message];
    memcpy(cause, err->message, sizeof cause);
    const char *name = s->model->bodies[body].name;
    return carom_fail(err, status, name,
                      bad >= 0 ? "body '%s': its motion is not finite. %.300s" : "the fastest body is '%s'. %.300s",
                      name, cause);
}
