// Forces of one pair, cell by cell, and their sums.
#include <float.h>

#include "base/scratch.h"
#include "contact/contact.h"
#include "geometry/geometry.h"

// What the parts of a pair's force need to know.
typedef struct Site {
    const caromModel *model;
    const caromKin *kin;
    const caromPairLaw *law;
    const caromTouch *touch;
    int body_a, body_b;
    const caromFrictionRow *friction;
    caromCellDamping damping;    // of its cells
    caromVec3 centre;            // of pressure, and velocities of B against A there
    caromVec3 v, w;
} Site;

static Site site_of(const caromContactPair *of, const caromKin *kin)
{
    const caromModel *model = of->model;
    const int *shape = model->pairs[of->pair].shape;
    return (Site){ .model = model,
                   .kin = kin,
                   .law = carom_model_law_of(model, of->pair),
                   .touch = of->touch,
                   .body_a = model->shapes[shape[0]].body,
                   .body_b = model->shapes[shape[1]].body,
                   .friction = carom_contact_friction_row(model) };
}

typedef struct PairForce {
    caromPatchLoad load;
    caromVec3 f_B;               // on B [N]
    caromVec3 moment;            // on B about the centre of pressure [N m]
    caromVec3 tau_A, tau_B;      // on A and B about their centres of mass [N m]
    double fn;                   // along N [N]
    double pressing;             // what resists sliding and rolling: all cells together, each along its own N [N], >= 0
    caromVec3 spinning;          // sum of the same times N N.w, w of B against A [N rad/s]
    double depth;
    bool is_too_deep;
    double damping, friction, rolling;  // power [W]
    double slip_rate;            // d(friction)/d(slip speed) per mass [1/s]
    double rate;                 // fastest of all [1/s]
} PairForce;

// Cells of a convex patch look much the same way, R = |sum f n|/sum f, down to 1/sqrt(3) at the corner of a cube. In a
// socket, R is sin(alpha) of its half angle. Points are contacts of their own, each with its own normal: a ball in a
// groove rubs on both flanks.
static double part_of_own_normals(caromContactKind kind, double R)
{
    if (kind == CAROM_CONTACT_POINT) return carom_contact_smooth_step((1.0 - R)/CAROM_CONTACT_POINTS_WIDTH);
    return carom_contact_smooth_step(fmax(0.0, (CAROM_CONTACT_FACES_AGREE - R)/CAROM_CONTACT_FACES_WIDTH));
}

static caromVec3 without_rounding(caromVec3 v, double least)
{
    return carom_vec(fabs(v.x) <= least ? 0.0 : v.x, fabs(v.y) <= least ? 0.0 : v.y, fabs(v.z) <= least ? 0.0 : v.z);
}

// Of a cell. Most are of faces, and asked for again and again.
static double elastic_of(const Site *s, double weight)
{
    return s->touch->kind == CAROM_CONTACT_FACE ? s->touch->stiffness*weight
                                                : carom_contact_normal_elastic(s->law, s->touch, weight);
}

// N = sum f n / |sum f n| over the elastic forces of the cells. The centre is their weighted mean. About it the forces
// turn along N, too, on a thread: the more so the longer its lead, by the pitch of their wrench.
static caromPatchLoad mean_normal(const Site *s, const caromPatch *patch)
{
    caromVec3 sum = { 0, 0, 0 }, moment = { 0, 0, 0 }, torque = { 0, 0, 0 }, first = patch->cells[0].p_W;
    double weight = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        const caromCell *cell = &patch->cells[i];
        double f = elastic_of(s, cell->weight);
        sum = carom_axpy(f, cell->n_AB, sum);
        moment = carom_axpy(f, cell->p_W, moment);
        torque = carom_axpy(f, carom_cross(carom_sub(cell->p_W, first), cell->n_AB), torque);
        weight += f;
    }
    caromPatchLoad load = { .centre = weight > 0.0 ? carom_scale(1.0/weight, moment) : patch->cells[0].p_W,
                            .force = sum };
    load.torque = carom_sub(torque, carom_cross(carom_sub(load.centre, first), sum));
    if (patch->ncell > 1) sum = without_rounding(sum, CAROM_CONTACT_FORCE_ROUNDINGS*DBL_EPSILON*weight);
    load.normal = carom_unit_or(sum, patch->cells[0].n_AB);
    double along = carom_norm(sum);
    torque = carom_sub(torque, carom_cross(carom_sub(load.centre, first), sum));
    load.pitch = patch->ncell > 1 && along > 0.0 ? carom_dot(torque, load.normal)/along : 0.0;
    load.own = patch->ncell > 1 && weight > 0.0 ? part_of_own_normals(s->touch->kind, fmin(1.0, along/weight)) : 0.0;
    load.elastic = s->touch->kind == CAROM_CONTACT_POINT ? weight : (1.0 - load.own)*along + load.own*weight;
    return load;
}

static caromPatchLoad load_of(const Site *s, const caromContactPair *of, const caromPatch *patch)
{
    caromPatchLoad load = mean_normal(s, patch);
    if (!carom_contact_touch_has_bristles(of->touch)) return load;
    load.spread = s->friction->spread(&(caromFrictionPatch){ .of = of, .patch = patch, .normal = load.normal,
                                                             .centre = load.centre, .own = load.own });
    return load;
}

caromPatchLoad carom_contact_load(const caromContactPair *of, const caromKin *kin, const caromPatch *patch)
{
    Site s = site_of(of, kin);
    return load_of(&s, of, patch);
}

// Of B against A, where the centre of pressure is known.
static void find_motion(Site *s, caromVec3 centre)
{
    s->centre = centre;
    s->v = carom_sub(carom_kin_point_velocity(s->kin, s->body_b, centre),
                     carom_kin_point_velocity(s->kin, s->body_a, centre));
    s->w = carom_sub(s->kin->V_WC[s->body_b].angular, s->kin->V_WC[s->body_a].angular);
}

// What is added to the elastic force, over that force: never more than what is there is taken away.
static inline double part_of_elastic(const caromModel *model, const caromCellDamping *c, double approach)
{
    double lasting = c->rest > 0.0 ? c->rest*carom_contact_rest_ratio(model, c->fast, approach) : 0.0;
    double part = (c->impact + lasting)*approach;
    return part > -1.0 ? part : -1.0;
}

double carom_damping_part(const caromModel *model, const caromCellDamping *c, double approach)
{
    return part_of_elastic(model, c, approach);
}

static double damping_force(const Site *s, double depth, double elastic, double approach)
{
    if (carom_model_law_is_own(s->law)) {
        double at_rest = depth <= s->touch->deep.from ? elastic : carom_contact_own_force(s->law, depth, 0.0);
        return carom_contact_own_force(s->law, depth, approach) - at_rest;
    }
    return elastic*part_of_elastic(s->model, &s->damping, approach);
}

// Friction of a cell by its slip v_t, for patches whose law has no states. Returns the force on B.
static caromVec3 cell_friction(const Site *s, caromVec3 v_t, double pressing, PairForce *out)
{
    double slip = carom_norm(v_t);
    caromCellFriction friction = s->friction->cell(s->law, pressing, slip, s->model->settings.v_small);
    out->friction += friction.per_speed*slip*slip;
    out->slip_rate += friction.steepest/s->touch->slip_mass;
    return carom_scale(-friction.per_speed, v_t);
}

typedef struct Lever {
    caromVec3 N;
    double pitch;  // of the wrench about N: the surfaces approach each other as fast as that gives way [m]
    double part;   // of damping and friction that goes by it
} Lever;

// Damping of a cell along N, friction across N. Returns the force on B.
static caromVec3 resistance(const Site *s, const caromCell *cell, double elastic, const Lever *by, PairForce *out)
{
    caromVec3 N = by->N, v = carom_add(s->v, carom_cross(s->w, carom_sub(cell->p_W, s->centre)));
    double along = carom_dot(v, N), approach = -along - by->pitch*carom_dot(s->w, N),
           normal = elastic*fmax(0.0, carom_dot(cell->n_AB, N)),
           damping = by->part*damping_force(s, cell->weight, normal, approach),
           pressing = by->part*normal + damping;
    out->pressing += pressing;
    out->spinning = carom_axpy(pressing*carom_dot(s->w, N), N, out->spinning);
    out->damping += damping*approach;
    out->moment = carom_axpy(damping*by->pitch, N, out->moment);
    if (carom_contact_touch_has_bristles(s->touch)) return carom_scale(damping, N);
    return carom_axpy(damping, N, cell_friction(s, carom_axpy(-along, N, v), pressing, out));
}

// One cell: its elastic force along its own normal, damping along N, friction across N. Damping along each cell's own
// normal would give edges and corners another restitution than faces; along N a translating patch has |F| (1 + c d')
// whatever its shape, and one that turns as its thread asks for is not damped. But cells that surround a body have no N
// in common: there it is each cell's own. Both take energy, and so does any part of one and the rest of the other.
static void add_cell(const Site *s, const caromCell *cell, PairForce *out)
{
    double elastic = elastic_of(s, cell->weight), own = s->touch->kind == CAROM_CONTACT_POINT ? 1.0 : out->load.own;
    const Lever mean = { out->load.normal, out->load.pitch, 1.0 - own }, by_itself = { cell->n_AB, 0.0, own };
    caromVec3 f_B = carom_scale(elastic, cell->n_AB);
    if (own < 1.0) f_B = carom_add(f_B, resistance(s, cell, elastic, &mean, out));
    if (own > 0.0) f_B = carom_add(f_B, resistance(s, cell, elastic, &by_itself, out));
    out->f_B = carom_add(out->f_B, f_B);
    out->moment = carom_add(out->moment, carom_cross(carom_sub(cell->p_W, s->centre), f_B));
}

// The same of all cells of a face that go by the mean normal, where friction is the whole patch's: with r from the
// centre a cell approaches by r.(N x w) less than that, and forces along N have the moment (sum of them times r) x N.
static void add_face(const Site *s, const caromPatch *patch, PairForce *out)
{
    const caromPatchLoad *load = &out->load;
    caromVec3 N = load->normal, turn = carom_cross(N, s->w), lever = { 0, 0, 0 };
    double spin = carom_dot(s->w, N), at_centre = -carom_dot(s->v, N) - load->pitch*spin, damped = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        const caromCell *cell = &patch->cells[i];
        caromVec3 r = carom_sub(cell->p_W, s->centre);
        double approach = at_centre - carom_dot(r, turn), facing = carom_dot(cell->n_AB, N),
               normal = facing > 0.0 ? s->touch->stiffness*cell->weight*facing : 0.0,
               damping = normal*part_of_elastic(s->model, &s->damping, approach);
        out->pressing += normal + damping;
        out->damping += damping*approach;
        damped += damping;
        lever = carom_axpy(damping, r, lever);
    }
    out->spinning = carom_scale(out->pressing*spin, N);
    out->f_B = carom_axpy(damped, N, load->force);
    out->moment = carom_axpy(damped*load->pitch, N, carom_add(load->torque, carom_cross(lever, N)));
}

static bool is_even_face(const Site *s, const PairForce *out)
{
    return s->touch->kind == CAROM_CONTACT_FACE && out->load.own == 0.0 &&
           carom_contact_touch_has_bristles(s->touch) && !carom_model_law_is_own(s->law);
}

// From the centre of pressure to the centres of mass.
static void find_torques(const Site *s, PairForce *out)
{
    caromVec3 to_A = carom_sub(s->centre, s->kin->p_WC[s->body_a]), to_B = carom_sub(s->centre,
                                                                                     s->kin->p_WC[s->body_b]);
    out->tau_A = carom_neg(carom_add(out->moment, carom_cross(to_A, out->f_B)));
    out->tau_B = carom_add(out->moment, carom_cross(to_B, out->f_B));
}

// Friction that has states acts on the whole patch, at its centre of pressure.
static void add_patch_friction(const Site *s, const caromFrictionPatch *p, double *dz, PairForce *out)
{
    caromFrictionForce f = s->friction->patch(p, dz);
    out->f_B = carom_add(out->f_B, f.wrench.linear);
    caromVec3 to_A = carom_sub(s->centre, s->kin->p_WC[s->body_a]), to_B = carom_sub(s->centre,
                                                                                     s->kin->p_WC[s->body_b]);
    out->tau_B = carom_add(out->tau_B, carom_add(f.wrench.angular, carom_cross(to_B, f.wrench.linear)));
    out->tau_A = carom_sub(out->tau_A, carom_add(f.wrench.angular, carom_cross(to_A, f.wrench.linear)));
    out->friction += f.lost;
    out->rate = fmax(out->rate, f.rate);
}

// Against relative turning, with L the length of the contact: tau = -L fn (mu_r w_t + mu_t w_n)/reg(|w|), w_t across
// the normal and w_n along it. With mu_t = mu_r the law of [Modia3D]. fn is what presses on all cells together: along
// the mean normal the friction on the flanks of a groove may be more than that, the other way; w_n is what they see of
// w on the average. Friction that has states sees to spinning itself.
static void add_rolling(const Site *s, PairForce *out)
{
    double length = s->touch->length, torsion = carom_contact_touch_has_bristles(s->touch) ? 0.0 : s->law->torsion,
           w_small = s->model->settings.w_small;
    caromVec3 w = s->w;
    double per_speed = length/carom_contact_regularized(carom_norm(w), w_small);
    caromVec3 rolling = carom_axpy(out->pressing, w, carom_neg(out->spinning));
    caromVec3 tau = carom_scale(-per_speed, carom_axpy(torsion, out->spinning, carom_scale(s->law->rolling, rolling)));
    out->tau_B = carom_add(out->tau_B, tau);
    out->tau_A = carom_sub(out->tau_A, tau);
    out->rolling = -carom_dot(tau, w);
    double mu = fmax(s->law->rolling, torsion)*per_speed*out->pressing;
    if (mu > 0.0) out->rate = fmax(out->rate, 2.5*mu/(s->touch->mass*length*length));
}

double carom_contact_depth_limit(const caromModel *model, int pair)
{
    bool is_face = carom_patch_pair_contact(model, pair) == CAROM_CONTACT_FACE;
    return (is_face ? CAROM_CONTACT_FACE_DEPTH_MAX : CAROM_CONTACT_POINT_DEPTH_MAX)*
           carom_patch_half_thickness(model, pair) + model->pairs[pair].shell;
}

double carom_contact_depth_part(const caromModel *model, int pair, double depth)
{
    return 0.5*(depth - model->pairs[pair].shell)/carom_patch_half_thickness(model, pair);
}

bool carom_contact_is_driven(const caromModel *model)
{
    for (int k = 0; k < model->nlink; k++) if (model->links[k].motion) return true;
    return false;
}

// A motion that is prescribed goes on whatever presses against it. What moves by itself is stopped long before.
static bool is_forced(const caromModel *model, const caromTouch *touch, const caromPatch *patch)
{
    return carom_patch_steep(&touch->deep, patch->steep_at) > CAROM_CONTACT_FORCED && carom_contact_is_driven(model);
}

// A trial state far inside the other body: where no force holds, or swallowed so that no surface is left to press on.
// Where a run stops at the limit, beyond that by a margin.
static bool is_too_deep(const caromModel *model, const caromKin *kin, const caromContactPair *of,
                        const caromPatch *patch)
{
    int pair = of->pair;
    bool is_error = model->settings.too_deep == CAROM_DEEP_ERROR;
    if (patch->ncell > 0 && !is_error) return patch->is_through || is_forced(model, of->touch, patch);
    double depth = patch->ncell > 0 ? patch->depth : -carom_patch_gap(model, kin, pair).g;
    return depth > CAROM_CONTACT_TRIAL_DEPTH*carom_contact_depth_limit(model, pair);
}

// A body that comes down flat does not begin to turn or to drift. Forces that are rounding of what its cells add up to
// would make it: what is turned by f at a touch leaves with f over the time of the impact, and comes down again turned
// a thousand times as far. A box of steel that fell on a box so lost its restitution at the fourth bounce.
static void drop_rounding(const Site *s, PairForce *out)
{
    double at = carom_norm(out->load.centre) + s->touch->length,
           unit = CAROM_CONTACT_FORCE_ROUNDINGS*DBL_EPSILON*out->pressing;
    out->f_B = without_rounding(out->f_B, unit);
    if (carom_norm(out->tau_A) <= unit*(at + carom_norm(s->kin->p_WC[s->body_a]))) out->tau_A = carom_vec(0, 0, 0);
    if (carom_norm(out->tau_B) <= unit*(at + carom_norm(s->kin->p_WC[s->body_b]))) out->tau_B = carom_vec(0, 0, 0);
}

static caromCellDamping damping_of(const Site *s, caromDamper damper, double elastic)
{
    caromCellDamping c = { 0.0, 0.0, damper.rest > 0.0 ? carom_contact_normal_fast_ratio(s->model, s->law) : 0.0 };
    if (elastic > 0.0) c.impact = damper.impact/elastic, c.rest = damper.rest/elastic;
    return c;
}

// What the cells do, but for friction that has states, and what that sees of them. Of a patch that presses.
static caromFrictionPatch add_cells(Site *s, const caromContactPair *of, const caromPatch *patch,
                                    const caromPatchLoad *load, PairForce *out)
{
    const caromTouch *touch = of->touch;
    out->load = load ? *load : load_of(s, of, patch);
    double elastic = out->load.elastic;
    caromDamper damper = carom_contact_normal_damper(s->law, touch, of->time, elastic, patch->depth);
    s->damping = damping_of(s, damper, elastic);
    find_motion(s, out->load.centre);
    if (is_even_face(s, out)) add_face(s, patch, out);
    else for (int i = 0; i < patch->ncell; i++) add_cell(s, &patch->cells[i], out);
    find_torques(s, out);
    if (patch->ncell > 1) drop_rounding(s, out);
    out->fn = carom_dot(out->f_B, out->load.normal);
    // Springs of tangent stiffness up to n F/d, and dampers.
    double power = touch->exponent + carom_patch_steepness(&touch->deep, patch->steep_at);
    double spring = sqrt(power*elastic/(patch->depth*touch->mass));
    double damping = (damper.impact + of->model->settings.rest_damping*damper.rest)/touch->mass;
    out->rate = fmax(out->slip_rate, fmax(spring, damping));
    const caromPatchLoad *of_all = &out->load;
    return (caromFrictionPatch){ of, s->kin, patch, of_all->normal, of_all->centre, of_all->own, elastic, out->pressing,
                                 of_all->spread };
}

// Of a patch that is known. dz: where the rates of the pair's bristles go, if it has any.
static PairForce patch_force(const caromContactPair *of, const caromKin *kin, const caromPatch *patch,
                             const caromPatchLoad *load, double *dz)
{
    PairForce out = { .depth = patch->depth };
    Site s = site_of(of, kin);
    caromFrictionPatch friction = { .of = of, .kin = kin, .patch = patch };
    bool has_bristles = carom_contact_touch_has_bristles(of->touch);
    if (patch->ncell == 0) {
        if (has_bristles) out.friction = s.friction->patch(&friction, dz).lost;
        return out;
    }
    friction = add_cells(&s, of, patch, load, &out);
    if (has_bristles) add_patch_friction(&s, &friction, dz, &out);
    if (s.law->rolling > 0.0 || s.law->torsion > 0.0) add_rolling(&s, &out);
    return out;
}

caromFrictionPatch carom_contact_friction_patch(const caromContactPair *of, const caromKin *kin,
                                                const caromPatch *patch, const caromPatchLoad *load)
{
    PairForce out = { .depth = patch->depth };
    Site s = site_of(of, kin);
    if (patch->ncell == 0) return (caromFrictionPatch){ .of = of, .kin = kin, .patch = patch };
    return add_cells(&s, of, patch, load, &out);
}

caromPatchDamping carom_contact_damping(const caromContactPair *of, const caromKin *kin, const caromPatch *patch)
{
    Site s = site_of(of, kin);
    caromPatchLoad load = mean_normal(&s, patch);
    caromDamper damper = carom_contact_normal_damper(s.law, of->touch, of->time, load.elastic, patch->depth);
    return (caromPatchDamping){ load.normal, load.own, load.pitch, damping_of(&s, damper, load.elastic) };
}

static PairForce pair_force(const caromContactPair *of, const caromKin *kin, double *dz)
{
    void *taken;
    caromPatch *patch = CAROM_SCRATCH_OR_STACK(sizeof *patch, taken);
    carom_contact_patch(of->model, kin, of->pair, of->touch, patch);
    PairForce out = patch_force(of, kin, patch, NULL, dz);
    out.is_too_deep = is_too_deep(of->model, kin, of, patch);
    carom_scratch_give_back(taken);
    return out;
}

caromPairAction carom_contact_action(const caromContactPair *of, const caromKin *kin, const caromPatch *patch,
                                     const caromPatchLoad *load, double *dz)
{
    PairForce f = patch_force(of, kin, patch, load, dz);
    return (caromPairAction){ { { f.tau_A, carom_neg(f.f_B) }, { f.tau_B, f.f_B } }, f.load.normal, f.load.centre,
                              { f.damping, f.friction, f.rolling } };
}

static caromContactPair pair_at(const caromModel *model, const caromContactMemory *memory, const caromContactState *at,
                                int pair)
{
    const caromTouch *touch = &memory->touch[pair];
    return (caromContactPair){ model, touch, pair, at->time,
                               touch->slot >= 0 ? at->z + CAROM_BRISTLE_STATES*touch->slot : NULL };
}

caromContactTotals carom_contact_forces(const caromModel *model, const caromContactMemory *memory,
                                        const caromContactState *at, caromSpatial *F_C, double *dz)
{
    caromContactTotals totals = { .too_deep = -1, .no_force = -1 };
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        int slot = memory->touch[pair].slot;
        double unused[CAROM_BRISTLE_STATES];
        caromContactPair of = pair_at(model, memory, at, pair);
        PairForce f = pair_force(&of, at->kin, slot >= 0 && dz ? dz + CAROM_BRISTLE_STATES*slot : unused);
        int body_a = model->shapes[model->pairs[pair].shape[0]].body,
            body_b = model->shapes[model->pairs[pair].shape[1]].body;
        F_C[body_a].linear = carom_sub(F_C[body_a].linear, f.f_B);
        F_C[body_b].linear = carom_add(F_C[body_b].linear, f.f_B);
        F_C[body_a].angular = carom_add(F_C[body_a].angular, f.tau_A);
        F_C[body_b].angular = carom_add(F_C[body_b].angular, f.tau_B);
        if (f.is_too_deep && totals.too_deep < 0) totals.too_deep = pair;
        if (!isfinite(f.pressing) && totals.no_force < 0 && carom_model_law_is_own(carom_model_law_of(model, pair)))
            totals.no_force = pair;
        totals.damping += f.damping;
        totals.friction += f.friction;
        totals.rolling += f.rolling;
        totals.rate = fmax(totals.rate, f.rate);
    }
    return totals;
}

caromPush carom_contact_push(const caromModel *model, const caromContactMemory *memory, const caromContactState *at,
                              int pair)
{
    caromContactPair of = pair_at(model, memory, at, pair);
    void *taken;
    caromPatch *patch = CAROM_SCRATCH_OR_STACK(sizeof *patch, taken);
    carom_contact_patch(model, at->kin, pair, of.touch, patch);
    PairForce out = { .depth = patch->depth };
    Site s = site_of(&of, at->kin);
    if (patch->ncell > 0) {
        caromPatchLoad load = mean_normal(&s, patch);
        add_cells(&s, &of, patch, &load, &out);
    }
    carom_scratch_give_back(taken);
    return (caromPush){ out.fn, out.depth };
}

caromContact carom_contact_resultant(const caromModel *model, const caromContactMemory *memory,
                                     const caromContactState *at, int pair)
{
    caromContactPair of = pair_at(model, memory, at, pair);
    double dz[CAROM_BRISTLE_STATES];
    PairForce f = pair_force(&of, at->kin, dz);
    if (f.depth > 0.0) return (caromContact){ pair, f.load.centre, f.load.normal, f.f_B, f.fn, f.depth };
    caromGap g = carom_patch_gap(model, at->kin, pair);
    return (caromContact){ .pair = pair, .p_W = carom_scale(0.5, carom_add(g.p_A, g.p_B)), .n_AB = g.n_AB };
}

double carom_contact_pair_energy(const caromModel *model, const caromKin *kin, const caromTouch *touch, int pair)
{
    // Rounding of faces far away.
    if (touch->kind == CAROM_CONTACT_FACE) {
        double beyond = carom_patch_stiff_energy(model, kin, pair);
        return touch->stiffness*carom_contact_risen(touch, fmax(0.0, carom_patch_energy(model, kin, pair)) + beyond);
    }
    void *taken;
    caromPatch *patch = CAROM_SCRATCH_OR_STACK(sizeof *patch, taken);
    double energy = 0.0;
    carom_patch_of_pair(model, kin, pair, touch->kind, patch);
    for (int i = 0; i < patch->ncell; i++)
        energy += carom_contact_normal_energy(carom_model_law_of(model, pair), touch, patch->cells[i].weight);
    carom_scratch_give_back(taken);
    return energy;
}

double carom_contact_energy(const caromModel *model, const caromKin *kin, const caromContactMemory *memory,
                            const double *z)
{
    double energy = 0.0;
    const caromFrictionRow *friction = carom_contact_friction_row(model);
    for (int i = 0; i < memory->nactive; i++)
        energy += carom_contact_pair_energy(model, kin, &memory->touch[memory->active[i]], memory->active[i]);
    for (int slot = 0; slot < memory->nslot; slot++)
        energy += friction->energy(&memory->touch[memory->slot_pair[slot]], z + (long)CAROM_BRISTLE_STATES*slot);
    return energy;
}
