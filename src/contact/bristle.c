// Friction that holds: one bundle of bristles for each pair in contact.
//
// Bristles stand on both surfaces and are bent by Z, a twist: a vector of translation and one of rotation times a
// length, six numbers. B moves against A with the twist V at the centre of pressure, and the surfaces with U = A V.
// With
//
//     P = G Z + D U,     s = s0 while k s0 |P| < 0.9 mu fn,   mu fn/(k |P|) above 1.1 mu fn,   smooth between
//
//     F = -k s P,                                 A^T F is the wrench on B
//     Z' = s G U - r G Z - l (1 - G) Z,
//         r > 0 where |G Z| is beyond what can be held: (1 - 1.1 mu fn/(k s0 |G Z|)) s0/T, else 0
//
// So |F| <= mu fn, always, and Coulomb's law while sliding: |F| = mu fn against U. Below the limit F is a spring and a
// damper and nothing creeps: what gave in comes back. The limit is an ellipsoid over force and torque, and slip is
// square to it [HoweCutkosky96].
//
// Energy, by construction whatever s, fn, A and G do, G symmetric with eigenvalues from 0 to 1, U.D U >= 0: the power
// that goes in is -F.U = k s Z.G U + k s U.D U, what is stored is k Z.Z/2, and
//
//     (k Z.Z/2)' = k s Z.G U - k r Z.G Z - k l Z.(1 - G) Z,     lost: k s U.D U + k r Z.G Z + k l Z.(1 - G) Z >= 0
//
// Of a patch that looks one way, along N, U is the velocity across N and a w_n N, the spin times the arm a of the
// patch, G takes what stands across N of the first vector and along N of the second: sliding alone and spinning alone
// are exact. Where the cells of a patch look into many directions U is what they slip together (grip.c); A and G go
// over smoothly from one to the other.
//
// k is a constant of the touch. The stiffness that the motion feels is k s0^2, and s0 makes it that of the contact as
// it is [Mindlin49], so that a corner has soft bristles and a face has stiff ones.
//
// When fn drops, s drops and less force is given; the bend beyond what can be held goes within T/s0. An elasto-plastic
// law in the spirit of [Dupont02], in which slip has a rate that grows with its speed. Here it is bounded by 1/T and
// 1/tau, about as fast as the contact itself, at any speed of sliding: explicit methods can follow.
//
// Z turns with the mean angular velocity of both bodies, which does no work, and what then stands where nothing slips
// (a ball that rolls turns under the contact) is let go at the rate l = s0/T. In a groove a bend along it would turn
// into one across it, which is held too and would grow with every turn: there what rolls over the bristles, turning by
// an angle without slip, takes some of the bend along.
#include "contact/contact.h"

static const double bend = CAROM_CONTACT_BRISTLE_BEND, letting_go = CAROM_CONTACT_BRISTLE_LETTING_GO;

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
    double depth = carom_contact_touch_depth(law, t, speed);
    if (t->kind == CAROM_CONTACT_FACE) return t->stiffness*t->area;
    return t->exponent*carom_contact_normal_elastic(law, t, depth)/depth;
}

void carom_contact_bristle_begin(const caromModel *model, int pair, caromTouch *t)
{
    const caromPairLaw *law = carom_model_law_of(model, pair);
    const int *shape = model->pairs[pair].shape;
    const caromMaterialDef *a = &model->materials[model->shapes[shape[0]].material],
                           *b = &model->materials[model->shapes[shape[1]].material];
    t->tangential_ratio = mindlin_ratio(a, b);
    t->tangential = t->tangential_ratio*normal_stiffness(law, t, fmax(t->speed, model->settings.v_small));
    t->reaction = sqrt(t->mass/t->tangential);
}

// s/s0: what is passed on of a bend that asks for `size` where `limit` is possible. Times size it is size, then
// a parabola, then limit.
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

static double dot(caromSpatial a, caromSpatial b)
{
    return carom_dot(a.linear, b.linear) + carom_dot(a.angular, b.angular);
}

static double size_of(caromSpatial a)
{
    return sqrt(dot(a, a));
}

// s a + b
static caromSpatial axpy(double s, caromSpatial a, caromSpatial b)
{
    return (caromSpatial){ carom_axpy(s, a.angular, b.angular), carom_axpy(s, a.linear, b.linear) };
}

static caromSpatial scaled(double s, caromSpatial a)
{
    return (caromSpatial){ carom_scale(s, a.angular), carom_scale(s, a.linear) };
}

// s0. Where nothing presses any more bristles still have to be let go.
static double softness(const caromTouch *t, double stiffness)
{
    return sqrt(fmax(stiffness/t->tangential, CAROM_CONTACT_BRISTLE_SOFTEST));
}

// Across N, and `arm` times what stands along N.
static caromSpatial across_and_along(caromVec3 N, double arm, caromSpatial a)
{
    return (caromSpatial){ carom_scale(arm*carom_dot(a.angular, N), N),
                           carom_axpy(-carom_dot(a.linear, N), N, a.linear) };
}

// (1 - own) a + own b
static caromSpatial blend(double own, caromSpatial a, caromSpatial b)
{
    return axpy(own, b, scaled(1.0 - own, a));
}

static caromSpatial bend_of(const caromBristleLoad *load, caromSpatial V)
{
    caromSpatial mean = across_and_along(load->normal, load->arm, V);
    return load->own > 0.0 ? blend(load->own, mean, carom_contact_grip_bend(load->grip, V)) : mean;
}

static caromSpatial wrench_of(const caromBristleLoad *load, caromSpatial F)
{
    caromSpatial mean = across_and_along(load->normal, load->arm, F);
    return load->own > 0.0 ? blend(load->own, mean, carom_contact_grip_wrench(load->grip, F)) : mean;
}

static caromSpatial held_of(const caromBristleLoad *load, caromSpatial Z)
{
    caromSpatial mean = across_and_along(load->normal, 1.0, Z);
    return load->own > 0.0 ? blend(load->own, mean, carom_contact_grip_held(load->grip, Z)) : mean;
}

// D U: tau U, but about N. What turns is not what slips: at rest D is such that turning is damped like slipping, 2 z
// sqrt(I/k) w, and when surfaces slip the same as theirs, so that the force stands against U; a small patch under a
// body that turns is not at rest, though it hardly slips. Bodies that are held all around have no such axis.
static caromSpatial damping_of(const caromModel *model, const caromTouch *t, const caromBristleLoad *load,
                               caromSpatial U)
{
    double fast = fmin(CAROM_CONTACT_BRISTLE_FAST_RATIO, model->settings.rest_damping), v = model->settings.v_small;
    double z = carom_contact_rest_ratio(model, fast, size_of(U)), tau = 2.0*z*t->reaction;
    double turn = carom_dot(load->velocity.angular, load->normal),
           moving = dot(U, U) + (t->mass > 0.0 ? t->spin_inertia/t->mass*turn*turn : 0.0);
    double rest = (1.0 - load->own)*v*v/(v*v + moving), arm = load->own > 0.0 ? hypot(load->arm, load->own*t->length)
                                                                              : load->arm;
    double spin = carom_dot(U.angular, load->normal),
           at_rest = arm > 0.0 ? 2.0*z*sqrt(t->spin_inertia/t->tangential)/arm : tau;
    caromSpatial damping = scaled(tau, U);
    damping.angular = carom_axpy(rest*(at_rest - tau)*spin, load->normal, damping.angular);
    return damping;
}

static double limit_of(const caromModel *model, const caromPairLaw *law, const caromBristleLoad *load, caromSpatial U,
                       caromSpatial P)
{
    double even = load->own > 0.0 ? 1.0 - load->own + load->own*carom_contact_grip_evenness(load->grip, P) : 1.0;
    return even*carom_friction_coefficient(law, size_of(U), model->settings.v_small)*load->fn;
}

static caromSpatial state_of(const double *z)
{
    return (caromSpatial){ .linear = { z[0], z[1], z[2] }, .angular = { z[3], z[4], z[5] } };
}

static void store(caromSpatial Z, double *z)
{
    z[0] = Z.linear.x;
    z[1] = Z.linear.y;
    z[2] = Z.linear.z;
    z[3] = Z.angular.x;
    z[4] = Z.angular.y;
    z[5] = Z.angular.z;
}

caromBristleForce carom_contact_bristle_force(const caromModel *model, const caromPairLaw *law, const caromTouch *t,
                                              const caromBristleLoad *load, const double *z, double *dz)
{
    double k = t->tangential, s0 = softness(t, load->stiffness), rate = s0/(letting_go*t->reaction);
    caromSpatial Z = state_of(z), U = bend_of(load, load->velocity), held = held_of(load, Z),
                 loose = axpy(-1.0, held, Z);
    caromSpatial damping = damping_of(model, t, load, U), P = axpy(1.0, damping, held);
    double limit = limit_of(model, law, load, U, P)/(k*s0);
    double s = s0*passed_on(size_of(P), limit), r = rate*beyond(size_of(held), limit);
    double rolled = 0.0;
    if (load->own > 0.0)
        rolled = load->own*CAROM_CONTACT_BRISTLE_ROLLED_OVER*carom_contact_grip_rolling(load->grip, load->velocity);
    caromSpatial slipped = load->own > 0.0 ? held_of(load, U) : U;
    caromSpatial turned = { carom_cross(load->turning, Z.angular), carom_cross(load->turning, Z.linear) };
    store(axpy(-rolled, Z, axpy(-rate, loose, axpy(-r, held, axpy(s, slipped, turned)))), dz);
    double lost = k*(s*dot(U, damping) + r*fmax(0.0, dot(Z, held)) + rate*fmax(0.0, dot(Z, loose)) + rolled*dot(Z, Z));
    return (caromBristleForce){ wrench_of(load, scaled(-k*s, P)), lost };
}

double carom_contact_bristle_energy(const caromTouch *t, const double *z)
{
    caromSpatial Z = state_of(z);
    return 0.5*t->tangential*dot(Z, Z);
}

double carom_contact_bristle_rate(const caromModel *model, const caromTouch *t, double stiffness)
{
    return fmax(1.0/letting_go, 7.0*model->settings.rest_damping)*softness(t, stiffness)/t->reaction;
}
