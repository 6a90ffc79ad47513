// What to expect of a contact before anything has moved: the derivation behind the tolerances, for people.
#include "base/base.h"
#include "carom/sim.h"
#include "motion/tolerances.h"

// Fall over the gap; the fixed one does not fall with the other.
static double speed_at_touch(const caromModel *m, const int body[2], const caromGap *gap, double start_speed)
{
    double v_small = m->settings.v_small;
    if (m->bodies[body[0]].fixed == m->bodies[body[1]].fixed) return fmax(start_speed, v_small);
    double fall = carom_norm(m->settings.gravity)*fmax(0.0, gap->g);
    return fmax(sqrt(start_speed*start_speed + 2.0*fall), v_small);
}

static void expect(const caromModel *m, int pair, const caromKin *kin, caromDynWork *work, caromExpectation *e)
{
    const int *shape = m->pairs[pair].shape, body[2] = { m->shapes[shape[0]].body, m->shapes[shape[1]].body };
    const caromPairLaw *law = carom_model_law_of(m, pair);
    caromGap gap = carom_patch_gap(m, kin, pair);
    double start_speed = fmax(0.0, -carom_patch_gap_rate(m, kin, pair, &gap)),
           speed = speed_at_touch(m, body, &gap, start_speed);
    double mass = carom_motion_effective_mass(m, kin, pair, &gap, work);
    caromTouch t = carom_contact_touch_begin(m, kin, pair, &gap, (caromTouchStart){ 0.0, speed, mass });
    caromTouchScale scale = carom_tolerances_touch(m, &t, pair);
    *e = (caromExpectation){ .gap = gap.g,
                             .start_speed = start_speed,
                             .speed = speed,
                             .mass = t.mass,
                             .is_face = t.kind == CAROM_CONTACT_FACE,
                             .stiffness = t.stiffness,
                             .exponent = t.exponent,
                             .depth = scale.depth,
                             .duration = carom_contact_touch_duration(law, &t, speed),
                             .restitution = t.restitution,
                             .damping = t.damping,
                             .rounding = carom_tolerances_body_rounding(m, kin, body, gap.n_AB) };
    e->position_tolerance = fmax(m->settings.tolerance*scale.depth, e->rounding);
    e->velocity_tolerance = fmin(m->settings.tolerance*scale.speed, scale.speed_error);
    e->first_step = CAROM_FIRST_STEP*e->duration;
}

caromStatus carom_sim_expect(const caromModel *model, int pair, caromExpectation *expectation, caromError *err)
{
    *expectation = (caromExpectation){ 0 };
    if (pair < 0 || pair >= model->npair)
        return carom_fail(err, CAROM_ERR_INPUT, "pair", "there is no contact pair %d: the model has %d", pair,
                          model->npair);
    caromKin kin = { 0 };
    caromDynWork work = { 0 };
    bool has_kin = carom_kin_start(model, &kin), has_work = carom_dyn_work_alloc(model, &work);
    if (has_kin && has_work) expect(model, pair, &kin, &work, expectation);
    if (has_kin) carom_kin_free(&kin);
    carom_dyn_work_free(&work);
    return has_kin && has_work ? CAROM_OK : carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
}
