// Forces of one pair, cell by cell, and their sums.
#include "contact/contact.h"
#include "geometry/geometry.h"

// What the parts of a pair's force need to know.
typedef struct Site {
    const caromModel *model;
    const caromKin *kin;
    const caromPairLaw *law;
    const caromTouch *touch;
    int body_a, body_b;
} Site;

static Site site_of(const caromModel *model, const caromKin *kin, const caromTouch *touch, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return (Site){ model, kin, carom_law_of(model, pair), touch, model->shapes[shape[0]].body, model->shapes[shape[1]].body };
}

typedef struct PairForce {
    caromVec3 normal;            // N: mean normal of the patch, from A into B
    caromVec3 f_B;               // on B [N]
    caromVec3 tau_A, tau_B;      // on A and B about their centres of mass [N m]
    caromVec3 centre;            // of pressure
    double fn;                   // along N [N]
    double pressing;             // what resists sliding and rolling: all cells together, each along its own N [N], >= 0
    double depth;
    bool is_too_deep;
    double damping, friction, rolling;  // power [W]
    double slip_rate;            // d(friction)/d(slip speed) per mass [1/s]
    double rate;                 // fastest of all [1/s]
} PairForce;

// N = sum f n / |sum f n| over the elastic forces of the cells; *total is the elastic force, of points that of all together. The centre is their weighted mean.
static caromVec3 mean_normal(const Site *s, const caromPatch *patch, double *total, caromVec3 *centre)
{
    caromVec3 sum = { 0, 0, 0 }, moment = { 0, 0, 0 };
    double weight = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        const caromCell *cell = &patch->cells[i];
        double f = carom_normal_elastic(s->law, s->touch, cell->weight);
        sum = carom_axpy(f, cell->n_AB, sum);
        moment = carom_axpy(f, cell->p_W, moment);
        weight += f;
    }
    *total = s->touch->kind == CAROM_CONTACT_POINT ? weight : carom_norm(sum);
    *centre = weight > 0.0 ? carom_scale(1.0/weight, moment) : patch->cells[0].p_W;
    return carom_unit_or(sum, patch->cells[0].n_AB);
}

// Relative velocity of B against A where they meet, split along N.
typedef struct Slip {
    double approach;    // d' = -v.N [m/s]
    caromVec3 v_t;      // tangential velocity of B against A
    double speed;       // its size
} Slip;

static Slip slip_at(const Site *s, caromVec3 p, caromVec3 n)
{
    caromVec3 v = carom_sub(carom_kin_point_velocity(s->kin, s->body_b, p), carom_kin_point_velocity(s->kin, s->body_a, p));
    double vn = carom_dot(v, n);
    caromVec3 v_t = carom_axpy(-vn, n, v);
    return (Slip){ -vn, v_t, carom_norm(v_t) };
}

// d(friction)/d(slip) over friction [s/m]: 3/v_small at rest. A step that is too long overshoots and hops from side to side at
// slips of about v_small, where the slope is small again: up to twice v_small the steepest slope counts. Times 7/2 per mass
// where a ball can turn under the force.
static double steepness(double slip, double v_small)
{
    return slip < 2.0*v_small ? 3.0/v_small : 1.0/slip;
}

// What is added to the elastic force along N: never more than what is there is taken away.
static double damping_force(const Site *s, double c, double depth, double elastic, double approach)
{
    if (carom_law_is_own(s->law)) return carom_own_force(s->law, depth, approach) - elastic;
    return elastic*fmax(c*approach, -1.0);
}

// One cell: its elastic force along its own normal, damping along N, friction across N. Damping along each cell's own normal would
// give edges and corners another restitution than faces; along N a translating patch has |F| (1 + c d') whatever its shape. Points are contacts of their own, each
// with its own normal: a ball in a groove rubs on both flanks.
static void add_cell(const Site *s, double c, const caromCell *cell, PairForce *out)
{
    double v_small = s->model->settings.v_small;
    caromVec3 N = s->touch->kind == CAROM_CONTACT_POINT ? cell->n_AB : out->normal;
    Slip slip = slip_at(s, cell->p_W, N);
    double elastic = carom_normal_elastic(s->law, s->touch, cell->weight);
    double normal = elastic*fmax(0.0, carom_dot(cell->n_AB, N));
    double damping = damping_force(s, c, cell->weight, normal, slip.approach);
    out->pressing += normal + damping;
    double friction = carom_touch_has_bristles(s->touch) ? 0.0 : carom_friction_coefficient(s->law, slip.speed, v_small)*(normal + damping);
    double mu = friction/carom_regularized(slip.speed, v_small);
    caromVec3 f_B = carom_axpy(elastic, cell->n_AB, carom_axpy(damping, N, carom_scale(-mu, slip.v_t)));
    out->f_B = carom_add(out->f_B, f_B);
    out->tau_B = carom_add(out->tau_B, carom_cross(carom_sub(cell->p_W, s->kin->p_WC[s->body_b]), f_B));
    out->tau_A = carom_sub(out->tau_A, carom_cross(carom_sub(cell->p_W, s->kin->p_WC[s->body_a]), f_B));
    out->damping += damping*slip.approach;
    out->friction += mu*slip.speed*slip.speed;
    out->slip_rate += 3.5*friction*steepness(slip.speed, v_small)/s->touch->mass;
}

// How the pressure of a face lies about its centre.
typedef struct Spread {
    double arm;   // mean distance [m]
    double area;  // of a rectangle with the same spread, 12 sqrt(det C) of the covariance C [m^2]
} Spread;

// C is of rank 2, across N: the product of its two eigenvalues is (tr(C)^2 - tr(C^2))/2.
static Spread spread_of(const Site *s, const caromPatch *patch, const PairForce *out)
{
    double weight = 0.0, moment = 0.0, xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, yz = 0.0, zx = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        const caromCell *cell = &patch->cells[i];
        double f = carom_normal_elastic(s->law, s->touch, cell->weight);
        caromVec3 r = carom_cross(out->normal, carom_sub(cell->p_W, out->centre));
        weight += f;
        moment += f*carom_norm(r);
        xx += f*r.x*r.x;
        yy += f*r.y*r.y;
        zz += f*r.z*r.z;
        xy += f*r.x*r.y;
        yz += f*r.y*r.z;
        zx += f*r.z*r.x;
    }
    if (!(weight > 0.0)) return (Spread){ 0.0, 0.0 };
    double product = xx*yy - xy*xy + yy*zz - yz*yz + zz*xx - zx*zx;
    return (Spread){ moment/weight, 12.0*sqrt(fmax(0.0, product))/weight };
}

// Normal stiffness, from the area and not from force over depth: the largest of four equal depths is a corner with a kink. Half of the face that was expected counts as
// all of it, so that a block at rest or sliding has a constant.
static double face_stiffness(const Site *s, double area)
{
    double width = s->touch->length/0.877, part = fmin(1.0, 2.0*area/(width*width));
    return s->touch->stiffness*width*width*part*(2.0 - part);
}

// Friction of the whole patch at its centre of pressure. z, dz: of this pair. A spinning face meets the friction of its parts; what resists the spin of a point
// (torsion) is added to the arm.
static void add_bristles(const Site *s, const caromPatch *patch, double elastic, const double *z, double *dz, PairForce *out)
{
    bool is_face = s->touch->kind == CAROM_CONTACT_FACE;
    double mu = s->law->friction > 0.0 ? s->law->friction : s->law->static_friction, torsion = s->law->torsion*s->touch->length/mu;
    Spread spread = is_face ? spread_of(s, patch, out) : (Spread){ 0.0, 0.0 };
    double stiffness = is_face ? face_stiffness(s, spread.area) : s->touch->exponent*elastic/patch->depth;
    caromVec3 w_A = s->kin->V_WC[s->body_a].angular, w_B = s->kin->V_WC[s->body_b].angular;
    caromBristleLoad load = { .normal = out->normal,
                              .slip = slip_at(s, out->centre, out->normal).v_t,
                              .spin = carom_dot(carom_sub(w_B, w_A), out->normal),
                              .turning = carom_scale(0.5, carom_add(w_A, w_B)),
                              .fn = out->pressing,
                              .stiffness = s->touch->tangential_ratio*stiffness,
                              .arm = spread.arm + torsion };
    caromBristleForce f = carom_bristle_force(s->model, s->law, s->touch, &load, z, dz);
    caromVec3 torque = carom_scale(f.torque, out->normal);
    out->f_B = carom_add(out->f_B, f.force);
    out->tau_B = carom_add(out->tau_B, carom_add(torque, carom_cross(carom_sub(out->centre, s->kin->p_WC[s->body_b]), f.force)));
    out->tau_A = carom_sub(out->tau_A, carom_add(torque, carom_cross(carom_sub(out->centre, s->kin->p_WC[s->body_a]), f.force)));
    out->friction += f.lost;
    out->rate = fmax(out->rate, carom_bristle_rate(s->model, s->touch, load.stiffness));
}

// Against relative turning, with L the length of the contact: tau = -L fn (mu_r w_t + mu_t w_n)/reg(|w|), w_t across the normal and w_n along it. With
// mu_t = mu_r the law of [Modia3D]. fn is what presses on all cells together: along the mean normal the friction on the flanks of a groove may be more than that, the other
// way. Bristles see to spinning themselves.
static void add_rolling(const Site *s, PairForce *out)
{
    double length = s->touch->length, torsion = carom_touch_has_bristles(s->touch) ? 0.0 : s->law->torsion, w_small = s->model->settings.w_small;
    caromVec3 w = carom_sub(s->kin->V_WC[s->body_b].angular, s->kin->V_WC[s->body_a].angular);
    double spin = carom_dot(w, out->normal), per_speed = length*out->pressing/carom_regularized(carom_norm(w), w_small);
    caromVec3 rolling = carom_axpy(-spin, out->normal, w);
    caromVec3 tau = carom_scale(-per_speed, carom_axpy(torsion*spin, out->normal, carom_scale(s->law->rolling, rolling)));
    out->tau_B = carom_add(out->tau_B, tau);
    out->tau_A = carom_sub(out->tau_A, tau);
    out->rolling = -carom_dot(tau, w);
    double mu = fmax(s->law->rolling, torsion)*per_speed;
    if (mu > 0.0) out->rate = fmax(out->rate, 2.5*mu/(s->touch->mass*length*length));
}

double carom_contact_depth_limit(const caromModel *model, int pair)
{
    double thickness = INFINITY;
    for (int i = 0; i < 2; i++) thickness = fmin(thickness, carom_shape_half_thickness(model->shapes[model->pairs[pair].shape[i]].shape));
    return (carom_pair_contact(model, pair) == CAROM_CONTACT_FACE ? 0.3 : 0.9)*thickness + model->pairs[pair].shell;
}

// A trial state far inside the other body: beyond the limit by a margin, or swallowed so that no surface is left to press on.
static bool is_too_deep(const caromModel *model, const caromKin *kin, int pair, const caromPatch *patch)
{
    double depth = patch->ncell > 0 ? patch->depth : -carom_collide_gap(model, kin, pair).g;
    return depth > 1.5*carom_contact_depth_limit(model, pair);
}

// Where bodies do not press the bristles are let go.
static void loose_bristles(const Site *s, const double *z, double *dz, PairForce *out)
{
    caromBristleLoad load = { .normal = carom_vec(0, 0, 1) };
    out->friction = carom_bristle_force(s->model, s->law, s->touch, &load, z, dz).lost;
}

// Of a patch that is known. z, dz: states of the pair's bristles and where their rates go, if it has any.
static PairForce patch_force(const caromModel *model, const caromKin *kin, const caromTouch *touch, double time, int pair, const caromPatch *patch, const double *z, double *dz)
{
    PairForce out = { .depth = patch->depth };
    Site s = site_of(model, kin, touch, pair);
    if (patch->ncell == 0) {
        if (carom_touch_has_bristles(touch)) loose_bristles(&s, z, dz, &out);
        return out;
    }
    double elastic;
    out.normal = mean_normal(&s, patch, &elastic, &out.centre);
    double damper = carom_normal_damper(model, s.law, touch, time, elastic, patch->depth), c = elastic > 0.0 ? damper/elastic : 0.0;
    for (int i = 0; i < patch->ncell; i++) add_cell(&s, c, &patch->cells[i], &out);
    out.fn = carom_dot(out.f_B, out.normal);
    if (carom_touch_has_bristles(touch)) add_bristles(&s, patch, elastic, z, dz, &out);
    if (s.law->rolling > 0.0 || s.law->torsion > 0.0) add_rolling(&s, &out);
    // Springs of tangent stiffness up to n F/d, and dampers.
    out.rate = fmax(fmax(out.rate, out.slip_rate), fmax(sqrt(touch->exponent*elastic/(patch->depth*touch->mass)), damper/touch->mass));
    return out;
}

static PairForce pair_force(const caromModel *model, const caromKin *kin, const caromTouch *touch, double time, int pair, const double *z, double *dz)
{
    caromPatch patch;
    carom_collide_patch(model, kin, pair, &patch);
    PairForce out = patch_force(model, kin, touch, time, pair, &patch, z, dz);
    out.is_too_deep = is_too_deep(model, kin, pair, &patch);
    return out;
}

caromPairAction carom_contact_action(const caromModel *model, const caromKin *kin, const caromTouch *touch, double time, int pair, const caromPatch *patch, const double *z,
                                     double *dz)
{
    PairForce f = patch_force(model, kin, touch, time, pair, patch, z, dz);
    return (caromPairAction){ { { f.tau_A, carom_neg(f.f_B) }, { f.tau_B, f.f_B } }, f.normal, f.centre, { f.damping, f.friction, f.rolling } };
}

caromContactTotals carom_contact_forces(const caromModel *model, const caromKin *kin, const caromModes *modes, double time, const double *z, caromSpatial *F_C,
                                        double *dz)
{
    caromContactTotals totals = { .too_deep = -1, .no_force = -1 };
    for (int i = 0; i < modes->nactive; i++) {
        int pair = modes->active[i];
        int at = CAROM_BRISTLE_STATES*modes->touch[pair].slot;
        double unused[CAROM_BRISTLE_STATES];
        PairForce f = pair_force(model, kin, &modes->touch[pair], time, pair, at >= 0 ? z + at : NULL, at >= 0 && dz ? dz + at : unused);
        int body_a = model->shapes[model->pairs[pair].shape[0]].body, body_b = model->shapes[model->pairs[pair].shape[1]].body;
        F_C[body_a].linear = carom_sub(F_C[body_a].linear, f.f_B);
        F_C[body_b].linear = carom_add(F_C[body_b].linear, f.f_B);
        F_C[body_a].angular = carom_add(F_C[body_a].angular, f.tau_A);
        F_C[body_b].angular = carom_add(F_C[body_b].angular, f.tau_B);
        if (f.is_too_deep && totals.too_deep < 0) totals.too_deep = pair;
        if (!isfinite(f.pressing) && totals.no_force < 0 && carom_law_is_own(carom_law_of(model, pair))) totals.no_force = pair;
        totals.damping += f.damping;
        totals.friction += f.friction;
        totals.rolling += f.rolling;
        totals.rate = fmax(totals.rate, f.rate);
    }
    return totals;
}

caromContact carom_contact_resultant(const caromModel *model, const caromKin *kin, const caromModes *modes, double time, const double *z, int pair)
{
    const caromTouch *touch = &modes->touch[pair];
    double dz[CAROM_BRISTLE_STATES];
    PairForce f = pair_force(model, kin, touch, time, pair, touch->slot >= 0 ? z + CAROM_BRISTLE_STATES*touch->slot : NULL, dz);
    if (f.depth > 0.0) return (caromContact){ pair, f.centre, f.normal, f.f_B, f.fn, f.depth };
    caromGap g = carom_collide_gap(model, kin, pair);
    return (caromContact){ .pair = pair, .p_W = carom_scale(0.5, carom_add(g.p_A, g.p_B)), .n_AB = g.n_AB };
}

static double pair_energy(const caromModel *model, const caromKin *kin, const caromTouch *touch, int pair)
{
    if (touch->kind == CAROM_CONTACT_FACE) return fmax(0.0, touch->stiffness*carom_collide_field_energy(model, kin, pair));  // rounding of faces far away
    caromPatch patch;
    double energy = 0.0;
    carom_collide_patch(model, kin, pair, &patch);
    for (int i = 0; i < patch.ncell; i++) energy += carom_normal_energy(carom_law_of(model, pair), touch, patch.cells[i].weight);
    return energy;
}

double carom_contact_energy(const caromModel *model, const caromKin *kin, const caromModes *modes, const double *z)
{
    double energy = 0.0;
    for (int i = 0; i < modes->nactive; i++) energy += pair_energy(model, kin, &modes->touch[modes->active[i]], modes->active[i]);
    for (int slot = 0; slot < modes->nslot; slot++) energy += carom_bristle_energy(&modes->touch[modes->slot_pair[slot]], z + (long)CAROM_BRISTLE_STATES*slot);
    return energy;
}
