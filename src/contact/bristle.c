// Friction that holds: one bundle of bristles for each pair in contact.
//
// Bristles stand on both surfaces and are bent by z, a vector across the normal N, and by zeta about it; taken together four numbers, Z = (z, zeta). The surfaces move
// against each other with U = (v_t, a w_n): tangential velocity at the centre of pressure, and spin times the arm a of the patch. With
//
//     P = Z + tau U,     s = s0 while k s0 |P| < 0.9 mu fn,   mu fn/(k |P|) above 1.1 mu fn,   smooth between
//
//     F = -k s P                                  force on B, and torque over a
//     Z' = s U - r Z,                             r > 0 where |Z| is beyond what can be held: (1 - 1.1 mu fn/(k s0 |Z|)) s0/T, else 0
//
// So |F| <= mu fn, always, and Coulomb's law while sliding: |F| = mu fn against U. Below the limit F is a spring and a damper and nothing creeps: what gave in comes back.
// The limit is an ellipsoid over force and torque, and slip is square to it [HoweCutkosky96]; sliding alone and spinning alone are exact.
//
// Energy, by construction whatever s, fn and a do: the power that goes in is -F.U = k s Z.U + k s tau U.U, what is stored is k Z.Z/2, and
//
//     (k Z.Z/2)' = k s Z.U - k r Z.Z,     lost: k s tau U.U + k r Z.Z >= 0
//
// k is a constant of the touch. The stiffness that the motion feels is k s0^2, and s0 makes it that of the contact as it is [Mindlin49], so that a corner has soft
// bristles and a face has stiff ones.
//
// When fn drops, s drops and less force is given; the bend beyond what can be held goes within T/s0. An elasto-plastic law in the spirit of [Dupont02], in which slip has
// a rate that grows with its speed. Here it is bounded by 1/T and 1/tau, about as fast as the contact itself, at any speed of sliding: explicit methods can follow.
//
// z turns with the mean angular velocity of both bodies, and what then stands along N (a ball that rolls turns under the contact) is let go at the rate s0/T, which costs
// k s0/T (z.N)^2. Turning does no work.
#include "contact/contact.h"

static const double bend = 0.1;      // half width of the change from sticking to sliding, part of the limit
static const double letting_go = 0.3;  // T as a part of what the bristles' spring and the mass take

// 4 G*/E* [Mindlin49]: tangential over normal stiffness of two elastic bodies, 2 (1 - nu)/(2 - nu) for equal ones.
static double mindlin_ratio(const caromMaterialDef *a, const caromMaterialDef *b)
{
    double normal = (1.0 - a->nu*a->nu)/a->E + (1.0 - b->nu*b->nu)/b->E;
    double tangential = 2.0*((2.0 - a->nu)*(1.0 + a->nu)/a->E + (2.0 - b->nu)*(1.0 + b->nu)/b->E);
    return 4.0*normal/tangential;
}

// dF/dd at the depth to be expected; of a face all of it.
static double normal_stiffness(const caromPairLaw *law, const caromTouch *t, double speed)
{
    double width = carom_face_width(t->length), depth = carom_touch_depth(law, t, speed);
    if (t->kind == CAROM_CONTACT_FACE) return t->stiffness*width*width;
    return t->exponent*carom_normal_elastic(law, t, depth)/depth;
}

void carom_bristle_begin(const caromModel *model, int pair, caromTouch *t)
{
    const caromPairLaw *law = carom_law_of(model, pair);
    t->slot = -1;
    if (model->settings.friction_law != CAROM_FRICTION_BRISTLE || !carom_law_has_friction(law)) return;
    const int *shape = model->pairs[pair].shape;
    const caromMaterialDef *a = &model->materials[model->shapes[shape[0]].material], *b = &model->materials[model->shapes[shape[1]].material];
    t->tangential_ratio = mindlin_ratio(a, b);
    t->tangential = t->tangential_ratio*normal_stiffness(law, t, fmax(t->speed, model->settings.v_small));
    t->reaction = sqrt(t->mass/t->tangential);
}

// s/s0: what is passed on of a bend that asks for `size` where `limit` is possible. Times size it is size, then a parabola, then limit.
static double passed_on(double size, double limit)
{
    if (size <= (1.0 - bend)*limit) return 1.0;
    if (size >= (1.0 + bend)*limit) return limit/size;
    double x = size/limit, over = x - (1.0 - bend);
    return 1.0 - over*over/(4.0*bend*x);
}

// r T/s0: the part of a bend that is beyond what can be held.
static double beyond(double size, double limit)
{
    double held = (1.0 + bend)*limit;
    return size > held ? 1.0 - held/size : 0.0;
}

static double size_of(caromVec3 z, double about)
{
    return sqrt(carom_dot(z, z) + about*about);
}

// s0. Where nothing presses any more bristles still have to be let go.
static double softness(const caromTouch *t, double stiffness)
{
    return sqrt(fmax(stiffness/t->tangential, 1e-4));
}

// tau U about the normal. What turns is not what slips: at rest tau is such that turning is damped like slipping, 2 z sqrt(I/k) w, and when surfaces slip
// the same as theirs, so that the force stands against U. Both have the sign of U.
static double damping_of_turning(const caromModel *model, const caromTouch *t, const caromBristleLoad *load, double tau, double speed)
{
    if (!(load->arm > 0.0)) return 0.0;
    double v = model->settings.v_small, rest = v*v/(v*v + speed*speed), spin = load->arm*load->spin;
    double at_rest = 2.0*model->settings.rest_damping*sqrt(t->spin_inertia/t->tangential)*load->spin;
    return rest*at_rest + (1.0 - rest)*tau*spin;
}

caromBristleForce carom_bristle_force(const caromModel *model, const caromPairLaw *law, const caromTouch *t, const caromBristleLoad *load, const double *z, double *dz)
{
    double k = t->tangential, s0 = softness(t, load->stiffness), tau = 2.0*model->settings.rest_damping*t->reaction;
    double rate = s0/(letting_go*t->reaction);
    caromVec3 whole = carom_vec(z[0], z[1], z[2]);
    double along = carom_dot(whole, load->normal), turned = z[3], spin = load->arm*load->spin, speed = size_of(load->slip, spin);
    caromVec3 bent = carom_axpy(-along, load->normal, whole), asked = carom_axpy(tau, load->slip, bent);
    double turn_damping = damping_of_turning(model, t, load, tau, speed), asked_turn = turned + turn_damping;
    double limit = carom_friction_coefficient(law, speed, model->settings.v_small)*load->fn/(k*s0);
    double s = s0*passed_on(size_of(asked, asked_turn), limit), r = rate*beyond(size_of(bent, turned), limit);
    caromVec3 slipped = carom_axpy(-r, whole, carom_scale(s, load->slip)), turning = carom_cross(load->turning, whole);
    caromVec3 rate_W = carom_axpy(-rate*along, load->normal, carom_add(slipped, turning));
    dz[0] = rate_W.x;
    dz[1] = rate_W.y;
    dz[2] = rate_W.z;
    dz[3] = s*spin - r*turned;
    double lost = k*(s*(tau*carom_dot(load->slip, load->slip) + turn_damping*spin) + r*(carom_dot(whole, whole) + turned*turned) + rate*along*along);
    return (caromBristleForce){ carom_scale(-k*s, asked), -k*s*asked_turn*load->arm, lost };
}

double carom_bristle_energy(const caromTouch *t, const double *z)
{
    return 0.5*t->tangential*(z[0]*z[0] + z[1]*z[1] + z[2]*z[2] + z[3]*z[3]);
}

double carom_bristle_rate(const caromModel *model, const caromTouch *t, double stiffness)
{
    return fmax(1.0/letting_go, 7.0*model->settings.rest_damping)*softness(t, stiffness)/t->reaction;
}
