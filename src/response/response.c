// The table of responses, and what they share.
#include "response/response.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

extern const caromResponseRow carom_response_compliant, carom_response_rigid;
static const caromResponseRow *const rows[CAROM_RESPONSE_KINDS] = {
    [CAROM_RESPONSE_COMPLIANT] = &carom_response_compliant,
    [CAROM_RESPONSE_RIGID] = &carom_response_rigid,
};

const caromResponseRow *carom_response_of(const caromModel *model)
{
    return rows[model->settings.response];
}

bool carom_response_system_create(const caromModel *model, const caromSink *sink, caromSystem *s)
{
    size_t n = (size_t)carom_motion_states_max(model);
    *s = (caromSystem){ .model = model, .response = carom_response_of(model), .found = carom_motion_nothing_bad,
                        .pace = INFINITY };
    if (sink) s->sink = *sink;
    s->n = model->nq + model->nv + CAROM_LEDGER;
    s->stats.largest_depth_pair = s->stats.coarsest.pair = s->stats.deepest.pair = s->stats.parted.pair = -1;
    s->guard_table = carom_guard_of(&s->guard);
    s->search.guard = &s->guard_table;
    s->y = carom_alloc_array(n, sizeof *s->y);
    s->search.y = carom_alloc_array(n, sizeof *s->search.y);
    bool good = s->y && s->search.y;
    good = carom_world_alloc(model, &s->world) && good;
    good = carom_motion_scratch_alloc(model, &s->scratch) && good;
    good = carom_guard_alloc(model, &s->guard) && good;
    s->guard.closed = (caromClosed){ s->world.memory.is_active, s->world.memory.limit_is_active };
    return s->response->create(s) && good;
}

void carom_response_system_destroy(caromSystem *s)
{
    if (!s->model) return;
    s->response->destroy(s);
    carom_world_free(&s->world);
    carom_motion_scratch_free(&s->scratch);
    carom_guard_free(&s->guard);
    free(s->search.y);
    free(s->y);
    *s = (caromSystem){ 0 };
}

// Springs whose length at rest is that at the start have it in the scratch.
bool carom_response_scratch_alloc(const caromSystem *s, caromScratch *scratch)
{
    *scratch = (caromScratch){ 0 };
    bool good = carom_motion_scratch_alloc(s->model, scratch);
    if (s->response->scratch_alloc) good = s->response->scratch_alloc(s, scratch) && good;
    for (int i = 0; good && i < s->model->nspring; i++) scratch->work.spring_rest[i] = s->scratch.work.spring_rest[i];
    return good;
}

void carom_response_scratch_free(const caromSystem *s, caromScratch *scratch)
{
    if (s->response->scratch_free) s->response->scratch_free(scratch);
    carom_motion_scratch_free(scratch);
    *scratch = (caromScratch){ 0 };
}

void carom_response_note(caromSystem *s, const caromFindings *found)
{
    s->found.rate = found->rate;
    s->found.bad_pair = found->bad_pair;
    if (found->bad_body >= 0) s->found.bad_body = found->bad_body;
    if (found->bad_law >= 0) s->found.bad_law = found->bad_law;
}

void carom_response_forget(caromSystem *s)
{
    s->found.bad_body = s->found.bad_pair = s->found.bad_law = -1;
}

static caromStatus rate_of_state(void *user, double t, const double *y, double *dydt)
{
    caromSystem *s = user;
    caromInstant at = { t, y, s->n };
    caromFindings found = s->response->evaluate(s, &at, &s->scratch, dydt);
    carom_response_note(s, &found);
    return found.status;
}

// Joints that close loops couple everything: such models have no df/dy by parts.
caromOde carom_response_ode(caromSystem *s)
{
    return (caromOde){ carom_motion_states_max(s->model), CAROM_LEDGER, rate_of_state, s,
                       carom_motion_is_autonomous(s->model), &s->n, s->model->nloop == 0 ? s->response->linear : NULL,
                       s->response->stages };
}

caromStatus carom_response_tell(caromSystem *s, const caromEvent *event)
{
    s->stats.events[event->kind]++;
    return s->sink.event ? s->sink.event(s->sink.user, event) : CAROM_OK;
}

// Of several at the same instant the one that stands first in the model.
static bool is_earlier(const caromModel *m, double theta, caromConstraint c, const caromOccasion *first)
{
    if (theta != first->theta) return theta < first->theta;
    return theta <= 1.0 && carom_model_constraint_number(m, c) < carom_model_constraint_number(m, first->about);
}

caromOccasion carom_response_first_touch(caromSystem *s, caromOccasion first)
{
    for (int i = 0; i < s->guard.nnear; i++) {
        caromConstraint c = s->guard.near[i];
        double theta = carom_search_touch(&s->search, c, fmin(first.theta, 1.0));
        if (is_earlier(s->model, theta, c, &first)) first = (caromOccasion){ theta, CAROM_OCCASION_CONSTRAINT, c };
    }
    return first;
}

void carom_response_place_limit(const caromModel *m, const caromKin *kin, int limit, caromEvent *event)
{
    const caromLimit *l = &m->limits[limit];
    caromJointLimit reached = { m->links[l->link].joint, l->coordinate };
    event->about = (caromEventSubject){ CAROM_SUBJECT_LIMIT, .limit = reached };
    event->p_W = kin->links[l->link].o;
    event->n_AB = kin->links[l->link].R.cz;
}
