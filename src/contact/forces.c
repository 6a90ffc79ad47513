// Forces of one pair, cell by cell, and their sums.
#include "contact/contact.h"
#include "geometry/geometry.h"

// Stiffness of a pair. Point: f = K d^1.5; face: f = k w, w the integral of depth over area.
typedef struct Stiffness {
    caromContactKind kind;
    double k;       // K [N/m^1.5] or k [N/m^3]
    double length;  // R or l [m]
} Stiffness;

static Stiffness stiffness_of(const caromModel *model, int pair)
{
    caromContactKind kind = carom_pair_contact(model, pair);
    double length = carom_collide_length(model, pair), E = model->pairs[pair].E_star;
    return (Stiffness){ kind, kind == CAROM_CONTACT_POINT ? 4.0/3.0*E*sqrt(length) : E/length, length };
}

static double elastic_force(const Stiffness *s, double weight)
{
    return s->kind == CAROM_CONTACT_POINT ? s->k*weight*sqrt(weight) : s->k*weight;
}

typedef struct PairForce {
    caromVec3 normal;            // N: mean normal of the patch, from A into B
    caromVec3 f_B;               // on B [N]
    caromVec3 tau_A, tau_B;      // on A and B about their centres of mass [N m]
    caromVec3 centre;            // of pressure
    double fn;                   // along N [N]
    double depth;
    bool is_too_deep;
    double damping, friction, rolling;  // power [W]
    double slip_rate;            // d(friction)/d(slip speed) per mass [1/s]
    double rate;                 // fastest of all [1/s]
} PairForce;

// N = sum f n / |sum f n| over the elastic forces of the cells; *total is the elastic force, of points that of all together. The centre is their weighted mean.
static caromVec3 mean_normal(const caromPatch *patch, const Stiffness *s, double *total, caromVec3 *centre)
{
    caromVec3 sum = { 0, 0, 0 }, moment = { 0, 0, 0 };
    double weight = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        const caromCell *cell = &patch->cells[i];
        double f = elastic_force(s, cell->weight);
        sum = carom_axpy(f, cell->n_AB, sum);
        moment = carom_axpy(f, cell->p_W, moment);
        weight += f;
    }
    *total = s->kind == CAROM_CONTACT_POINT ? weight : carom_norm(sum);
    *centre = weight > 0.0 ? carom_scale(1.0/weight, moment) : patch->cells[0].p_W;
    return carom_unit_or(sum, patch->cells[0].n_AB);
}

// Relative velocity of B against A where they meet, split along N.
typedef struct Slip {
    double approach;    // d' = -v.N [m/s]
    caromVec3 v_t;      // tangential velocity of B against A
    double speed;       // its size
} Slip;

static Slip slip_at(const caromKin *kin, int body_a, int body_b, caromVec3 p, caromVec3 n)
{
    caromVec3 v = carom_sub(carom_kin_point_velocity(kin, body_b, p), carom_kin_point_velocity(kin, body_a, p));
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

// One cell: its elastic force along its own normal, damping along N, friction across N. Damping along each cell's own normal would
// give edges and corners another restitution than faces; along N a translating patch has |F| (1 + c d') whatever its shape. Points are contacts of their own, each
// with its own normal: a ball in a groove rubs on both flanks.
static void add_cell(const caromModel *model, const caromKin *kin, int pair, double c, const Stiffness *s, const caromCell *cell, int body_a, int body_b, PairForce *out)
{
    caromVec3 N = s->kind == CAROM_CONTACT_POINT ? cell->n_AB : out->normal;
    Slip slip = slip_at(kin, body_a, body_b, cell->p_W, N);
    double elastic = elastic_force(s, cell->weight);
    double normal = elastic*fmax(0.0, carom_dot(cell->n_AB, N));
    double damping = normal*fmax(c*slip.approach, -1.0);
    double friction = model->pairs[pair].friction*(normal + damping), mu = friction/carom_regularized(slip.speed, model->settings.v_small);
    caromVec3 f_B = carom_axpy(elastic, cell->n_AB, carom_axpy(damping, N, carom_scale(-mu, slip.v_t)));
    out->f_B = carom_add(out->f_B, f_B);
    out->tau_B = carom_add(out->tau_B, carom_cross(carom_sub(cell->p_W, kin->p_WC[body_b]), f_B));
    out->tau_A = carom_sub(out->tau_A, carom_cross(carom_sub(cell->p_W, kin->p_WC[body_a]), f_B));
    out->damping += damping*slip.approach;
    out->friction += mu*slip.speed*slip.speed;
    out->slip_rate += 3.5*friction*steepness(slip.speed, model->settings.v_small)/model->pairs[pair].mass;
}

// tau = -mu_r L fn w/reg(|w|): against all relative turning, about the normal too [Modia3D].
static void add_rolling(const caromModel *model, const caromKin *kin, int pair, double length, int body_a, int body_b, PairForce *out)
{
    caromVec3 w = carom_sub(kin->V_WC[body_b].angular, kin->V_WC[body_a].angular);
    double speed = carom_norm(w);
    double mu = model->pairs[pair].rolling*length*out->fn/carom_regularized(speed, model->settings.w_small);
    out->tau_B = carom_axpy(-mu, w, out->tau_B);
    out->tau_A = carom_axpy(mu, w, out->tau_A);
    out->rolling = mu*speed*speed;
    if (mu > 0.0) out->rate = fmax(out->rate, 2.5*mu/(model->pairs[pair].mass*length*length));
}

double carom_contact_depth_limit(const caromModel *model, int pair)
{
    double thickness = INFINITY;
    for (int i = 0; i < 2; i++) thickness = fmin(thickness, carom_shape_half_thickness(model->shapes[model->pairs[pair].shape[i]].shape));
    return (carom_pair_contact(model, pair) == CAROM_CONTACT_FACE ? 0.3 : 0.9)*thickness;
}

// A trial state far inside the other body: beyond the limit by a margin, or swallowed so that no surface is left to press on.
static bool is_too_deep(const caromModel *model, const caromKin *kin, int pair, const caromPatch *patch)
{
    double depth = patch->ncell > 0 ? patch->depth : -carom_collide_gap(model, kin, pair).g;
    return depth > 1.5*carom_contact_depth_limit(model, pair);
}

static PairForce pair_force(const caromModel *model, const caromKin *kin, const caromTouch *touch, int pair)
{
    caromPatch patch;
    carom_collide_patch(model, kin, pair, &patch);
    PairForce out = { .depth = patch.depth, .is_too_deep = is_too_deep(model, kin, pair, &patch) };
    if (patch.ncell == 0) return out;
    Stiffness s = stiffness_of(model, pair);
    int body_a = model->shapes[model->pairs[pair].shape[0]].body, body_b = model->shapes[model->pairs[pair].shape[1]].body;
    double elastic;
    out.normal = mean_normal(&patch, &s, &elastic, &out.centre);
    for (int i = 0; i < patch.ncell; i++) add_cell(model, kin, pair, touch->damping, &s, &patch.cells[i], body_a, body_b, &out);
    out.fn = carom_dot(out.f_B, out.normal);
    if (model->pairs[pair].rolling > 0.0) add_rolling(model, kin, pair, s.length, body_a, body_b, &out);
    // Springs of tangent stiffness up to 1.5 F/d, dampers c F.
    double m = model->pairs[pair].mass;
    out.rate = fmax(fmax(out.rate, out.slip_rate), fmax(sqrt(1.5*elastic/(patch.depth*m)), touch->damping*elastic/m));
    return out;
}

caromContactTotals carom_contact_forces(const caromModel *model, const caromKin *kin, const caromModes *modes, caromSpatial *F_C)
{
    caromContactTotals totals = { .too_deep = -1 };
    for (int i = 0; i < modes->nactive; i++) {
        int pair = modes->active[i];
        PairForce f = pair_force(model, kin, &modes->touch[pair], pair);
        int body_a = model->shapes[model->pairs[pair].shape[0]].body, body_b = model->shapes[model->pairs[pair].shape[1]].body;
        F_C[body_a].linear = carom_sub(F_C[body_a].linear, f.f_B);
        F_C[body_b].linear = carom_add(F_C[body_b].linear, f.f_B);
        F_C[body_a].angular = carom_add(F_C[body_a].angular, f.tau_A);
        F_C[body_b].angular = carom_add(F_C[body_b].angular, f.tau_B);
        if (f.is_too_deep && totals.too_deep < 0) totals.too_deep = pair;
        totals.damping += f.damping;
        totals.friction += f.friction;
        totals.rolling += f.rolling;
        totals.rate = fmax(totals.rate, f.rate);
    }
    return totals;
}

caromContact carom_contact_resultant(const caromModel *model, const caromKin *kin, const caromModes *modes, int pair)
{
    PairForce f = pair_force(model, kin, &modes->touch[pair], pair);
    if (f.depth > 0.0) return (caromContact){ pair, f.centre, f.normal, f.f_B, f.fn, f.depth };
    caromGap g = carom_collide_gap(model, kin, pair);
    return (caromContact){ .pair = pair, .p_W = carom_scale(0.5, carom_add(g.p_A, g.p_B)), .n_AB = g.n_AB };
}

// Point: int K d^1.5 = 2/5 K d^2.5. Face: k W.
static double pair_energy(const caromModel *model, const caromKin *kin, int pair)
{
    Stiffness s = stiffness_of(model, pair);
    if (s.kind == CAROM_CONTACT_FACE) return fmax(0.0, s.k*carom_collide_field_energy(model, kin, pair));  // rounding of faces far away
    caromPatch patch;
    double energy = 0.0;
    carom_collide_patch(model, kin, pair, &patch);
    for (int i = 0; i < patch.ncell; i++) energy += 0.4*s.k*patch.cells[i].weight*patch.cells[i].weight*sqrt(patch.cells[i].weight);
    return energy;
}

double carom_contact_energy(const caromModel *model, const caromKin *kin, const caromModes *modes)
{
    double energy = 0.0;
    for (int i = 0; i < modes->nactive; i++) energy += pair_energy(model, kin, modes->active[i]);
    return energy;
}

// Point: m v^2/2 = 2/5 K d^2.5. Face, taken as wide as l allows (A = (l/0.877)^2): m v^2/2 = k A d^2/2.
double carom_contact_depth(const caromModel *model, int pair, double speed)
{
    Stiffness s = stiffness_of(model, pair);
    double m = model->pairs[pair].mass;
    if (s.kind == CAROM_CONTACT_POINT) return pow(1.25*m*speed*speed/s.k, 0.4);
    double width = s.length/0.877;
    return speed*sqrt(m/s.k)/width;
}

// Hertz: 2.94 d/v; a linear spring: pi d/v.
double carom_contact_duration(const caromModel *model, int pair, double speed)
{
    return 2.94*carom_contact_depth(model, pair, speed)/speed;
}
