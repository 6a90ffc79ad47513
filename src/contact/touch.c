// What a pair remembers of its touch, and what to expect of it.
#include "base/base.h"
#include "contact/contact.h"
#include "geometry/geometry.h"

// Restitution 1 asks for no loss at all, at any speed: nothing is regularised then.
caromTouchDamping carom_contact_touch_damping(const caromDampingRow *law, double coefficient, double restitution,
                                              double speed, double v_small)
{
    if (law->damper) return (caromTouchDamping){ 0.0, NAN };
    if (carom_contact_damping_is_given(law, coefficient)) {
        double given = law->per_coefficient*coefficient;
        return (caromTouchDamping){ given, carom_contact_restitution_of(given*speed) };
    }
    if (!law->number || restitution >= 1.0) return (caromTouchDamping){ 0.0, 1.0 };
    double e = carom_contact_restitution_at(restitution, speed, v_small);
    double c = carom_contact_damping_number(law, e)/carom_contact_regularized(speed, v_small);
    double most = fmax(CAROM_CONTACT_DAMPING_MAX, carom_contact_damping_number(law, restitution)/v_small);
    return (caromTouchDamping){ fmin(c, most), e };
}

// a.I^-1 a of a body that can move; a in W.
static double turning(const caromModel *model, const caromKin *kin, int body, caromVec3 a)
{
    caromMat3 axes;
    caromVec3 moments = carom_geometry_principal_axes(model->bodies[body].props.inertia, &axes),
              along = carom_tmul(axes, carom_tmul(kin->X_WB[body].R, a));
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        if (carom_at(moments, i) > 0.0) sum += carom_at(along, i)*carom_at(along, i)/carom_at(moments, i);
    return sum;
}

static double inverse_mass(const caromModel *model, const caromKin *kin, int body, caromVec3 p, caromVec3 n)
{
    const caromBody *b = &model->bodies[body];
    return b->fixed ? 0.0
                    : 1.0/b->props.mass + turning(model, kin, body, carom_cross(carom_sub(p, kin->p_WC[body]), n));
}

static double spin_inertia(const caromModel *model, const caromKin *kin, int pair, caromVec3 n)
{
    double inverse = 0.0;
    for (int i = 0; i < 2; i++) {
        int body = model->shapes[model->pairs[pair].shape[i]].body;
        if (!model->bodies[body].fixed) inverse += turning(model, kin, body, n);
    }
    return inverse > 0.0 ? 1.0/inverse : 0.0;
}

static double inverse_mass_of_both(const caromModel *model, const caromKin *kin, int pair, caromVec3 p, caromVec3 n)
{
    const int *shape = model->pairs[pair].shape;
    return inverse_mass(model, kin, model->shapes[shape[0]].body, p, n) +
           inverse_mass(model, kin, model->shapes[shape[1]].body, p, n);
}

double carom_contact_touch_mass(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap)
{
    caromVec3 p = carom_scale(0.5, carom_add(gap->p_A, gap->p_B));
    return 1.0/inverse_mass_of_both(model, kin, pair, p, gap->n_AB);
}

// Along the surface, where it is least: 1 over the larger eigenvalue of t_i.J M^-1 J^T t_j of the two bodies alone. A
// ball slips with 2/7 of its mass. What joints make of it is taken as along the normal.
static double slip_mass(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, double mass)
{
    caromVec3 p = carom_scale(0.5, carom_add(gap->p_A, gap->p_B)), n = gap->n_AB,
              x = carom_vec(1, 0, 0), u = carom_unit_or(carom_cross(n, fabs(n.x) < 0.6 ? x : carom_vec(0, 1, 0)), x),
              v = carom_cross(n, u), w = carom_scale(sqrt(0.5), carom_add(u, v));
    double a = inverse_mass_of_both(model, kin, pair, p, u), b = inverse_mass_of_both(model, kin, pair, p, v),
           mixed = inverse_mass_of_both(model, kin, pair, p, w) - 0.5*(a + b),
           largest = 0.5*(a + b) + hypot(0.5*(a - b), mixed);
    return mass*inverse_mass_of_both(model, kin, pair, p, n)/largest;
}

// Curvature of a shape of the model where the gap ends, along the axes of W.
static caromCurvature curvature_at(const caromModel *model, const caromKin *kin, int shape, caromVec3 p_W,
                                   caromVec3 n_W)
{
    caromPose X = kin->X_WS[shape];
    caromCurvature c = carom_shape_curvature(model->shapes[shape].shape, carom_tmul(X.R, carom_sub(p_W, X.p)),
                                             carom_tmul(X.R, n_W));
    c.t1 = carom_mul(X.R, c.t1);
    return c;
}

static void pair_curvature(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, double *k_min,
                           double *k_max)
{
    const int *shape = model->pairs[pair].shape;
    caromCurvature a = curvature_at(model, kin, shape[0], gap->p_A, gap->n_AB),
                   b = curvature_at(model, kin, shape[1], gap->p_B, carom_neg(gap->n_AB));
    carom_contact_relative_curvature(a, b, gap->n_AB, k_min, k_max);
}

static double impact_depth(const caromModel *model, int pair, const caromTouch *t)
{
    return carom_contact_touch_depth(carom_model_law_of(model, pair), t, fmax(t->speed, model->settings.v_small));
}

static double smaller_reach(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return fmin(carom_shape_radius(model->shapes[shape[0]].shape), carom_shape_radius(model->shapes[shape[1]].shape));
}

// Surfaces of curvature k_min overlap to +-sqrt(2 d/k_min) at a depth d, with that of an impact at this speed as far as
// the smaller shape reaches: not a point but a line or a face.
static bool is_long(const caromModel *model, int pair, const caromTouch *t, double k_min)
{
    double reach = smaller_reach(model, pair);
    return !(k_min*reach*reach > 2.0*impact_depth(model, pair, t));
}

static bool has_mesh(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return model->shapes[shape[0]].shape.kind == CAROM_MESH || model->shapes[shape[1]].shape.kind == CAROM_MESH;
}

// Hertz. At a sharp edge or corner curvature is infinite, on a mesh it means nothing, and where a ball fits a groove
// the contact is longer than the theory holds for: there mean radii serve.
static void set_point_stiffness(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                                double E_star, caromTouch *t)
{
    double k_min = INFINITY, k_max = INFINITY, R = carom_patch_length(model, pair, t->kind);
    if (!has_mesh(model, pair)) pair_curvature(model, kin, pair, gap, &k_min, &k_max);
    if (isfinite(k_max)) t->stiffness = carom_contact_hertz_stiffness(E_star, k_min, k_max);
    if (!isfinite(k_max) || is_long(model, pair, t, k_min))
        t->stiffness = carom_contact_hertz_stiffness(E_star, 1.0/R, 1.0/R);
}

static caromPose turned_about(caromPose X, caromVec3 p, caromVec3 axis, double angle)
{
    caromMat3 Q = carom_quat_matrix(carom_quat_axis_angle(axis, angle));
    return (caromPose){ carom_mat_mul(Q, X.R), carom_add(p, carom_mul(Q, carom_sub(X.p, p))) };
}

// Curvature at one end of a line says nothing of the line. But rocked about that end by an angle f the bodies meet
// deeper by f times its length, where a point of curvature k gives f^2/(2 k): with f = 2 d/reach, by more than d/4 if
// the line is longer than reach/8.
static bool rocks(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, const caromTouch *t)
{
    const int *shape = model->pairs[pair].shape;
    caromPose X_WA = kin->X_WS[shape[0]], X_WB = kin->X_WS[shape[1]];
    caromVec3 p = carom_scale(0.5, carom_add(gap->p_A, gap->p_B)), x = carom_geometry_square_to(gap->n_AB),
              y = carom_cross(gap->n_AB, x);
    double depth = impact_depth(model, pair, t), limit = gap->g + model->pairs[pair].shell - 0.25*depth;
    for (int i = 0; i < 8; i++) {
        double f = 0.25*i*CAROM_PI;
        caromPose X = turned_about(X_WB, p, carom_add(carom_scale(cos(f), x), carom_scale(sin(f), y)),
                                   2.0*depth/smaller_reach(model, pair));
        if (carom_collide_shapes(model->shapes[shape[0]].shape, X_WA, model->shapes[shape[1]].shape, X).g < limit)
            return true;
    }
    return false;
}

// Do two shapes that touch in a point mostly meet along a line, with a face, at a sharp rim or tip? A single point
// would jump along a line, and a sharp rim has no curvature. Who gives a stiffness means it for rims, and who gives a
// law of the depth for all.
static bool is_spread(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, const caromTouch *t)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    double k_min, k_max;
    if (carom_model_law_is_own(law) || !carom_patch_pair_may_line_up(model, pair)) return false;
    pair_curvature(model, kin, pair, gap, &k_min, &k_max);
    return is_long(model, pair, t, k_min) || (!isfinite(k_max) && isnan(law->stiffness)) ||
           rocks(model, kin, pair, gap, t);
}

// Elastic energy at a depth, over that at the stiffness 1: k. A pressure in proportion to p = d^3, on a half-space,
// with the amplitude that is best, stores
//
//     (integral of p d)^2/(2 G),     G = 1/(pi E*) integral of p p'/|x - x'|
//
// which is what it really does but for the factor of the shape (docs/contact.md).
static double spread_stiffness(const caromPairLaw *law, const caromPressing *p)
{
    return 0.5*CAROM_CONTACT_SPREAD_SHAPE*CAROM_PI*law->E_star*p->work/p->nearness*p->work/p->energy;
}

static caromPressing pressed_to(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                                double depth)
{
    return carom_patch_pressing_moved(model, kin, pair, carom_scale(-(depth + gap->g), gap->n_AB));
}

// k of a face whose whole area has the stiffness K.
static double face_stiffness(const caromPairLaw *law, double length)
{
    return isnan(law->stiffness) ? law->E_star/length : law->stiffness/carom_contact_face_area(length);
}

static void set_face(const caromModel *model, int pair, caromTouch *t)
{
    t->kind = CAROM_CONTACT_FACE;
    t->length = carom_patch_length(model, pair, t->kind);
    t->deep = carom_patch_stiffening(model, pair, t->kind);
    t->exponent = 1.0;
    t->rise = (caromRise){ 0.0, 1.0 };
    t->stiffness = face_stiffness(carom_model_law_of(model, pair), t->length);
    t->area = carom_contact_face_area(t->length);
}

// The power with which the energy of half-spaces rises as W does, between the depth of this impact and one that is far
// from it: 1 of a face, 5/6 of a line and of a point, 3/4 of a tip (docs/contact.md).
static caromRise rise_of(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                         double depth)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    double usual = CAROM_CONTACT_USUAL_DEPTH*carom_patch_half_thickness(model, pair),
           far = depth < usual ? fmax(usual, CAROM_CONTACT_RISE_SPAN*depth)
                               : fmin(usual, depth/CAROM_CONTACT_RISE_SPAN);
    caromPressing here = pressed_to(model, kin, pair, gap, depth), there = pressed_to(model, kin, pair, gap, far);
    if (!(here.energy > 0.0 && there.energy > 0.0 && there.nearness > 0.0)) return (caromRise){ here.energy, 1.0 };
    double rate = there.energy/here.energy,
           risen = rate*spread_stiffness(law, &there)/spread_stiffness(law, &here);
    return (caromRise){ here.energy, log(risen)/log(rate) };
}

// At the depth where k W is the energy of this impact, found from the one that a point would have.
static void set_spread(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, caromTouch *t)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    double speed = fmax(t->speed, model->settings.v_small), energy = 0.5*t->mass*speed*speed,
           depth = impact_depth(model, pair, t);
    bool is_given = !isnan(law->stiffness);
    caromPressing p;
    set_face(model, pair, t);
    for (int i = 0; i < CAROM_CONTACT_SPREAD_STEPS; i++) {
        depth = fmin(depth, t->deep.from);
        p = pressed_to(model, kin, pair, gap, depth);
        if (!(p.energy > 0.0 && p.nearness > 0.0)) return;
        t->stiffness = is_given ? energy/p.energy : spread_stiffness(law, &p);
        t->area = 2.0*p.energy/(depth*depth);
        double times = energy/(t->stiffness*p.energy);
        if (fabs(times - 1.0) < CAROM_CONTACT_SPREAD_CLOSE) break;
        depth *= pow(times, CAROM_CONTACT_SPREAD_POWER);
    }
    if (!is_given) t->rise = rise_of(model, kin, pair, gap, fmin(depth, t->deep.from));
}

static void set_point(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, caromTouch *t)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    t->length = carom_patch_length(model, pair, t->kind);
    t->deep = carom_patch_stiffening(model, pair, t->kind);
    t->exponent = isnan(law->exponent) ? 1.5 : law->exponent;
    if (isnan(law->stiffness)) set_point_stiffness(model, kin, pair, gap, law->E_star, t);
    else t->stiffness = law->stiffness;
}

static void set_stiffness(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, caromTouch *t)
{
    t->kind = carom_patch_pair_contact(model, pair);
    if (t->kind == CAROM_CONTACT_FACE) set_face(model, pair, t);
    else set_point(model, kin, pair, gap, t);
    if (is_spread(model, kin, pair, gap, t)) set_spread(model, kin, pair, gap, t);
}

// 2 D/v times the integral of dx/sqrt(1 - x^n) from 0 to 1: how long it takes into a force ~ d^(n-1) up to the
// depth D and out again.
static double time_of_power(double n, double depth, double speed)
{
    return 2.0*sqrt(CAROM_PI)*tgamma(1.0 + 1.0/n)/tgamma(0.5 + 1.0/n)*depth/speed;
}

// Energy over stiffness of the overlap, when B is pushed in by that depth from where the surfaces are.
static double energy_at(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                        const caromTouch *t, double depth)
{
    return carom_contact_risen(t, carom_patch_energy_moved(model, kin, pair,
                                                           carom_scale(-(depth + gap->g), gap->n_AB)));
}

// An edge, a corner, a rim, or the few points of a surface that enter first, give way further than a whole face. The
// depth is enlarged until the energy W of the overlap is m v^2/2; the last two tell the power n with which W grows, and
// so the depth.
static void set_give(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, caromTouch *t)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    double speed = fmax(t->speed, model->settings.v_small), flat = carom_contact_touch_depth(law, t, speed);
    double whole = 0.5*t->mass*speed*speed/t->stiffness, d = flat, W = energy_at(model, kin, pair, gap, t, d),
           before = W;
    for (int i = 0; i < CAROM_CONTACT_GIVE_STEPS && W < whole && d < t->deep.from; i++) {
        before = W;
        d *= CAROM_CONTACT_GIVE_STEP;
        W = energy_at(model, kin, pair, gap, t, d);
    }
    if (!(d > flat && W > before && isfinite(W))) return;
    double n = fmin(fmax(log(W/before)/log(CAROM_CONTACT_GIVE_STEP), 2.0), CAROM_CONTACT_GIVE_POWER);
    t->give = (caromGive){ speed, fmax(flat, d*pow(whole/W, 1.0/n)), n };
}

static double impact_time(const caromModel *model, const caromPairLaw *law, const caromTouch *t)
{
    return carom_contact_touch_duration(law, t, fmax(t->speed, model->settings.v_small));
}

double carom_contact_longest_impact(double duration, double restitution)
{
    double e = isnan(restitution) ? CAROM_CONTACT_UNKNOWN_RESTITUTION : restitution;
    double leaving = CAROM_CONTACT_SLOWEST_EXIT/fmax(e, CAROM_CONTACT_RESTITUTION_MIN);
    return (CAROM_CONTACT_LONGEST_IMPACT + leaving)*duration;
}

// Along a line the nearest point runs from end to end while bodies rock by a rounding: forces and their torques jump,
// and no step is short enough. The stiffness that takes over stores as much energy as there was, so that nothing is
// gained or lost; bristles keep theirs. Not while they are deep in each other as lines go: a point may be deeper than
// lines get.
bool carom_contact_touch_spread(const caromModel *model, const caromKin *kin, int pair, caromTouch *t)
{
    if (t->kind != CAROM_CONTACT_POINT || !carom_patch_pair_may_line_up(model, pair)) return false;
    caromGap gap = carom_patch_gap(model, kin, pair);
    if (!(gap.g < 0.0) || !is_spread(model, kin, pair, &gap, t)) return false;
    if (carom_patch_stiff_energy(model, kin, pair) > 0.0) return false;
    double before = carom_contact_pair_energy(model, kin, t, pair);
    set_spread(model, kin, pair, &gap, t);
    double after = carom_contact_pair_energy(model, kin, t, pair);
    if (before > 0.0 && after > 0.0) t->stiffness *= before/after;
    set_give(model, kin, pair, &gap, t);
    return true;
}

// How stiff a pair is was decided for the surface over which it pressed then, and W^q knows nothing of another shape: a
// can that came to stand on another one by way of its rim was a hundred times as stiff as faces are, and 1e-12 m deep.
// What lasts, and presses over a surface that is several times as large, is as stiff as that is from now on.
double carom_contact_touch_widen(const caromModel *model, const caromKin *kin, int pair, double most, caromTouch *t)
{
    if (t->kind != CAROM_CONTACT_FACE || t->rise.power == 1.0 || !t->is_lasting || !(most > 0.0)) return 0.0;
    caromGap gap = carom_patch_gap(model, kin, pair);
    double depth = -gap.g, W = carom_patch_energy(model, kin, pair);
    if (!(depth > 0.0 && 2.0*W > CAROM_CONTACT_WIDER*t->area*depth*depth)) return 0.0;
    caromPressing p = pressed_to(model, kin, pair, &gap, depth);
    if (!(p.energy > 0.0 && p.nearness > 0.0)) return 0.0;
    double k = spread_stiffness(carom_model_law_of(model, pair), &p),
           lost = t->stiffness*carom_contact_risen(t, W) - k*W;
    if (!(lost > 0.0 && lost <= most)) return 0.0;
    t->area = 2.0*W/(depth*depth);
    t->stiffness = k;
    t->rise = (caromRise){ W, rise_of(model, kin, pair, &gap, depth).power };
    return lost;
}

// How long it is remembered as it began. Little restitution leaves slowly; but a slow touch does not leave as
// slowly as its regularised restitution says: it settles first. Who asks for no loss, or for a damper at every
// speed and depth, gets no other.
static void set_memory(const caromModel *model, const caromPairLaw *law, double asked, caromTouch *t)
{
    double impact = impact_time(model, law, t);
    const caromDampingRow *row = carom_contact_damping_row(law->damping);
    double e = isnan(t->restitution) ? 1.0 : t->restitution;
    if (!carom_contact_damping_is_given(row, law->damping_coefficient)) e = fmax(e, asked);
    t->impact_until = t->time + carom_contact_longest_impact(impact, e);
    t->impact_ends = isnan(t->restitution) ? t->time + carom_contact_longest_impact(impact, NAN) : t->impact_until;
    t->fades = CAROM_CONTACT_FORGETTING*impact;
    bool is_kept = !row->info.uses_restitution || asked >= 1.0;
    if (is_kept || model->settings.rest_damping == 0.0) t->impact_until = INFINITY;
    else {
        t->lasts_from = t->impact_until + CAROM_CONTACT_FORGOTTEN*t->fades;
        t->stays_from = t->time + CAROM_CONTACT_LONGEST_IMPACT*impact;
    }
}

// Who asks for 1 wants no loss at any speed; a law of the speed that reaches 1 for slow touches lets them
// come to rest all the same.
static double asked_restitution(const caromPairLaw *law, double speed)
{
    double e = carom_model_law_restitution(law, speed);
    return law->restitution_law ? fmin(e, 1.0 - CAROM_CONTACT_RESTITUTION_BELOW_ONE) : e;
}

caromTouch carom_contact_touch_begin(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                                     caromTouchStart start)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    double speed = start.speed, mass = isnan(start.mass) ? carom_contact_touch_mass(model, kin, pair, gap) : start.mass;
    caromTouch t = { .time = start.time, .speed = speed, .mass = mass, .lasts_from = INFINITY, .stays_from = INFINITY,
                     .gap = fmax(0.0, gap->g) };
    t.slip_mass = slip_mass(model, kin, pair, gap, mass);
    t.spin_inertia = spin_inertia(model, kin, pair, gap->n_AB);
    set_stiffness(model, kin, pair, gap, &t);
    if (t.kind == CAROM_CONTACT_FACE) set_give(model, kin, pair, gap, &t);
    t.slot = -1;
    const caromFrictionRow *friction = carom_contact_friction_row(model);
    if (friction->states > 0 && carom_contact_law_has_friction(law)) friction->begin(model, pair, &t);
    if (carom_model_law_is_own(law)) {
        t.restitution = NAN;
        t.impact_until = INFINITY;
        t.impact_ends = t.time + carom_contact_longest_impact(impact_time(model, law, &t), NAN);
        return t;
    }
    double asked = asked_restitution(law, speed);
    caromTouchDamping damping = carom_contact_touch_damping(carom_contact_damping_row(law->damping),
                                                            law->damping_coefficient, asked, speed,
                                                            model->settings.v_small);
    t.damping = damping.c;
    t.restitution = damping.restitution;
    set_memory(model, law, asked, &t);
    return t;
}

bool carom_contact_touch_rings(const caromModel *model, int pair, const caromTouch *t)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    if (isfinite(t->impact_until) || !(t->restitution >= 1.0) || model->settings.rest_damping == 0.0) return false;
    const caromDampingRow *row = carom_contact_damping_row(law->damping);
    return row->info.uses_restitution && !carom_contact_damping_is_given(row, law->damping_coefficient);
}

void carom_contact_touch_settle(caromTouch *t, double time)
{
    t->impact_until = t->stays_from = time;
    t->lasts_from = time + CAROM_CONTACT_FORGOTTEN*t->fades;
}

double carom_contact_touch_memory(const caromTouch *t, double time)
{
    if (t->is_lasting) return 0.0;
    if (time <= t->impact_until) return 1.0;
    double s = (time - t->impact_until)/t->fades;
    return exp(-s*s);
}

// Where a law of one's own has taken up m v^2/2: the depth is doubled until it is enough, then halved in between.
static double own_depth(const caromPairLaw *law, const caromTouch *t, double energy)
{
    double low = 0.0, high = CAROM_CONTACT_OWN_DEPTH_FIRST;
    for (int i = 0; i < CAROM_CONTACT_OWN_DEPTH_STEPS && carom_contact_normal_energy(law, t, high) < energy; i++)
        high *= 2.0;
    for (int i = 0; i < CAROM_CONTACT_OWN_DEPTH_STEPS; i++) {
        double middle = 0.5*(low + high);
        if (carom_contact_normal_energy(law, t, middle) < energy) low = middle;
        else high = middle;
    }
    return high;
}

// Point: m v^2/2 = K d^(n+1)/(n+1). Face, taken as wide as l allows (A = (l/0.877)^2), or a plate that has the
// energy of what is spread at the depth of this impact: m v^2/2 = k A d^2/2.
static double depth_by_law(const caromPairLaw *law, const caromTouch *t, double speed)
{
    double energy = 0.5*t->mass*speed*speed, n = t->exponent;
    if (carom_model_law_is_own(law)) return own_depth(law, t, energy);
    if (t->kind == CAROM_CONTACT_POINT) return pow((n + 1.0)*energy/t->stiffness, 1.0/(n + 1.0));
    return speed*sqrt(t->mass/(t->stiffness*t->area));
}

// What is deep is stopped within the next fraction of the thickness.
double carom_contact_touch_least_depth(const caromPairLaw *law, const caromTouch *t, double speed)
{
    return fmin(depth_by_law(law, t, speed), t->deep.from);
}

// Where a face gives way further, W ~ d^n.
double carom_contact_touch_depth(const caromPairLaw *law, const caromTouch *t, double speed)
{
    const caromGive *give = &t->give;
    if (!(give->speed > 0.0)) return carom_contact_touch_least_depth(law, t, speed);
    return fmin(give->depth*pow(speed/give->speed, 2.0/give->power), t->deep.from);
}

// 2 d/v times the integral of dx/sqrt(1 - x^(n+1)) from 0 to 1: pi d/v for a linear spring, 2.943 d/v for Hertz. Of a
// law of one's own much the same.
double carom_contact_touch_duration(const caromPairLaw *law, const caromTouch *t, double speed)
{
    double n = t->give.speed > 0.0 ? t->give.power : t->exponent + 1.0;
    return time_of_power(n, carom_contact_touch_depth(law, t, speed), speed);
}
