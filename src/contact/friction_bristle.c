// Friction that holds: bristles (bristle.c) of a whole patch, at its centre of pressure.
#include "contact/contact.h"
#include "geometry/geometry.h"

// Mean distance, and 12 sqrt(det C) of the covariance C.
//
// Looked at along N, where C is of rank 2: the product of its two eigenvalues is (tr(C)^2 - tr(C^2))/2, in two axes
// across N, or in three where cells go by normals of their own. For cells all around the same sum of three products,
// which is half the surface of a long tube. A single cell has no arm, not a rounding of one: bristles that resist spin
// share the limit of friction with those that resist slip, however short their arm is, and the force would jump with
// the last bit of it.
static caromFrictionSpread spread_across(const caromFrictionPatch *p)
{
    const caromTouch *t = p->of->touch;
    caromVec3 e1 = carom_geometry_square_to(p->normal), e2 = carom_cross(p->normal, e1);
    double weight = 0.0, moment = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < p->patch->ncell; i++) {
        const caromCell *cell = &p->patch->cells[i];
        caromVec3 r = carom_sub(cell->p_W, p->centre);
        double f = t->stiffness*cell->weight, x = carom_dot(e1, r), y = carom_dot(e2, r);
        weight += f;
        moment += f*sqrt(x*x + y*y);
        xx += f*x*x;
        yy += f*y*y;
        xy += f*x*y;
    }
    if (!(weight > 0.0)) return (caromFrictionSpread){ 0.0, 0.0 };
    return (caromFrictionSpread){ moment/weight, 12.0*sqrt(fmax(0.0, xx*yy - xy*xy))/weight };
}

static caromFrictionSpread spread_of(const caromFrictionPatch *p)
{
    if (p->patch->ncell == 1) return (caromFrictionSpread){ 0.0, 0.0 };
    if (p->own == 0.0 && p->of->touch->kind == CAROM_CONTACT_FACE) return spread_across(p);
    const caromPairLaw *law = carom_model_law_of(p->of->model, p->of->pair);
    double weight = 0.0, moment = 0.0, xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, yz = 0.0, zx = 0.0;
    for (int i = 0; i < p->patch->ncell; i++) {
        const caromCell *cell = &p->patch->cells[i];
        double f = carom_contact_normal_elastic(law, p->of->touch, cell->weight);
        caromVec3 lever = carom_sub(cell->p_W, p->centre);
        double height = carom_dot(lever, p->normal);
        caromVec3 across = carom_axpy(-height, p->normal, lever), r = carom_axpy(p->own*height, p->normal, across);
        weight += f;
        moment += f*carom_norm(across);
        xx += f*r.x*r.x;
        yy += f*r.y*r.y;
        zz += f*r.z*r.z;
        xy += f*r.x*r.y;
        yz += f*r.y*r.z;
        zx += f*r.z*r.x;
    }
    if (!(weight > 0.0)) return (caromFrictionSpread){ 0.0, 0.0 };
    double product = xx*yy - xy*xy + yy*zz - yz*yz + zz*xx - zx*zx;
    return (caromFrictionSpread){ moment/weight, 12.0*sqrt(fmax(0.0, product))/weight };
}

// Normal stiffness, from the area and not from force over depth: the largest of four equal depths is a corner with a
// kink. Half of the face that was expected counts as all of it, so that a block at rest or sliding has a constant.
static double face_stiffness(const caromTouch *t, double area)
{
    double part = fmin(1.0, 2.0*area/t->area);
    return t->stiffness*t->area*part*(2.0 - part);
}

// Torsional resistance of a point, as an arm of friction [m].
static double torsion_arm(const caromPairLaw *law, const caromTouch *t)
{
    double mu = law->friction > 0.0 ? law->friction : law->static_friction;
    return law->torsion*t->length/mu;
}

static caromVec3 mean_turning(const caromKin *kin, int body_a, int body_b)
{
    return carom_scale(0.5, carom_add(kin->V_WC[body_a].angular, kin->V_WC[body_b].angular));
}

static caromSpatial velocity_at(const caromKin *kin, int body_a, int body_b, caromVec3 p_W)
{
    return (caromSpatial){ .linear = carom_sub(carom_kin_point_velocity(kin, body_b, p_W),
                                               carom_kin_point_velocity(kin, body_a, p_W)),
                           .angular = carom_sub(kin->V_WC[body_b].angular, kin->V_WC[body_a].angular) };
}

// Where bodies do not press the bristles are let go.
static caromFrictionForce let_go(const caromContactPair *of, const caromPairLaw *law, caromVec3 turning, double *dz)
{
    caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .turning = turning };
    return (caromFrictionForce){ .lost = carom_contact_bristle_force(of->model, law, of->touch, &load, of->z,
                                                                     dz).lost };
}

// A spinning face meets the friction of its parts; what resists the spin of a point (torsion) is added to the arm.
static caromFrictionForce hold(const caromFrictionPatch *p, double *dz)
{
    const caromModel *model = p->of->model;
    const caromTouch *t = p->of->touch;
    const caromPairLaw *law = carom_model_law_of(model, p->of->pair);
    const int *shape = model->pairs[p->of->pair].shape;
    int body_a = model->shapes[shape[0]].body, body_b = model->shapes[shape[1]].body;
    caromVec3 turning = mean_turning(p->kin, body_a, body_b);
    if (p->patch->ncell == 0) return let_go(p->of, law, turning, dz);
    double torsion = torsion_arm(law, t);
    double stiffness = t->kind == CAROM_CONTACT_FACE ? face_stiffness(t, p->spread.area)
                                                     : t->exponent*p->elastic/p->patch->depth;
    caromGrip grip;
    if (p->own > 0.0) grip = carom_contact_grip_of(law, t, p->patch, p->centre, torsion);
    caromBristleLoad load = { .normal = p->normal,
                              .arm = p->spread.arm + torsion,
                              .own = p->own,
                              .grip = p->own > 0.0 ? &grip : NULL,
                              .velocity = velocity_at(p->kin, body_a, body_b, p->centre),
                              .turning = turning,
                              .fn = p->pressing,
                              .stiffness = t->tangential_ratio*stiffness };
    caromBristleForce f = carom_contact_bristle_force(model, law, t, &load, p->of->z, dz);
    return (caromFrictionForce){ f.wrench, f.lost, carom_contact_bristle_rate(model, t, load.stiffness) };
}

// Rigid bodies have no bristles: there it is friction that sticks. Pairs without friction have none either.
const caromFrictionRow carom_contact_friction_bristle = {
    .info = { .name = "bristle" },
    .rigid = &carom_contact_friction_sharp,
    .cell = carom_contact_friction_regularised,
    .states = CAROM_BRISTLE_STATES,
    .begin = carom_contact_bristle_begin,
    .spread = spread_of,
    .patch = hold,
    .energy = carom_contact_bristle_energy,
};
