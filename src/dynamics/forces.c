// Forces that the model itself has: springs, dampers and friction of joints, drives, springs between points, forces
// from outside.
#include "contact/contact.h"
#include "dynamics/dynamics.h"

// One coordinate of a joint, its speed, and 1/inertia that it feels.
typedef struct Coordinate {
    double q, v, mobility;
} Coordinate;

static void joint_force(const caromSettings *s, const caromJointForce *f, Coordinate c, double *tau,
                        caromForceTotals *totals)
{
    double small = f->is_angle ? s->w_small : s->v_small, speed = fabs(c.v);
    double friction = f->friction/carom_contact_regularized(speed, small);  // force per speed
    double brake = f->damping + friction;
    double spring = f->stiffness > 0.0 ? f->stiffness*(f->rest - c.q) : 0.0;
    *tau += spring - brake*c.v;
    totals->joints += brake*c.v*c.v;
    double steepest = f->damping + (speed < 2.0*small ? 3.0*f->friction/small : 0.0);
    totals->rate = fmax(totals->rate, fmax(steepest*c.mobility, sqrt(f->stiffness*c.mobility)));
}

static bool acts(const caromJointForce *f)
{
    return f->stiffness > 0.0 || f->damping > 0.0 || f->friction > 0.0;
}

static void link_forces(const caromModel *model, caromDynState at, const caromKin *kin, int k, caromDynWork *w,
                        caromForceTotals *totals)
{
    const caromLink *link = &model->links[k];
    const double *q = at.q + link->iq, *v = at.v + link->iv;
    double *tau = w->tau + link->iv;
    for (int i = 0; i < link->nv; i++) tau[i] = 0.0;
    for (int i = 0; link->has_forces && i < link->nv; i++) {
        if (!acts(&link->forces[i])) continue;
        Coordinate c = { q[i], v[i], carom_dyn_articulated_mobility(model, kin, k, i, w) };
        joint_force(&model->settings, &link->forces[i], c, &tau[i], totals);
    }
    if (!link->drive) return;
    double force = carom_function_at(link->drive, at.time).value;
    tau[0] += force;
    totals->supplied += force*v[0];
}

static caromVec3 point_of(const caromKin *kin, int body, caromVec3 p)
{
    return body < 0 ? p : carom_pose_point(kin->X_WB[body], p);
}

static caromVec3 velocity_of(const caromKin *kin, int body, caromVec3 p_W)
{
    return body < 0 ? carom_vec(0, 0, 0) : carom_kin_point_velocity(kin, body, p_W);
}

static void push(const caromKin *kin, int body, caromVec3 p_W, caromVec3 f, caromSpatial *F_C)
{
    if (body < 0) return;
    F_C[body].linear = carom_add(F_C[body].linear, f);
    F_C[body].angular = carom_add(F_C[body].angular, carom_cross(carom_sub(p_W, kin->p_WC[body]), f));
}

static double inverse_mass(const caromModel *model, int body)
{
    return body < 0 || model->bodies[body].link < 0 ? 0.0 : 1.0/model->bodies[body].props.mass;
}

// Along the line between the points: k (l - rest) + d l'. Without a direction (l = 0) there is no force.
static void spring_force(const caromModel *model, const caromKin *kin, int spring, double rest, caromSpatial *F_C,
                         caromForceTotals *totals)
{
    const caromModelSpring *s = &model->springs[spring];
    caromVec3 a = point_of(kin, s->body[0], s->p[0]), b = point_of(kin, s->body[1], s->p[1]), line = carom_sub(b, a);
    double length = carom_norm(line);
    if (length == 0.0) return;
    caromVec3 n = carom_scale(1.0/length, line);
    double rate = carom_dot(n, carom_sub(velocity_of(kin, s->body[1], b), velocity_of(kin, s->body[0], a)));
    caromVec3 pull = carom_scale(s->stiffness*(length - rest) + s->damping*rate, n);
    push(kin, s->body[0], a, pull, F_C);
    push(kin, s->body[1], b, carom_neg(pull), F_C);
    totals->joints += s->damping*rate*rate;
    double w = inverse_mass(model, s->body[0]) + inverse_mass(model, s->body[1]);
    totals->rate = fmax(totals->rate, fmax(sqrt(s->stiffness*w), s->damping*w));
}

static void outside_force(const caromModel *model, double time, const caromKin *kin, int force, caromSpatial *F_C,
                          caromForceTotals *totals)
{
    const caromModelForce *f = &model->forces[force];
    caromVec3 push_by = { carom_function_at(f->force[0], time).value, carom_function_at(f->force[1], time).value,
                          carom_function_at(f->force[2], time).value };
    caromVec3 turn_by = { carom_function_at(f->torque[0], time).value, carom_function_at(f->torque[1], time).value,
                          carom_function_at(f->torque[2], time).value };
    if (f->in_body) {
        push_by = carom_mul(kin->X_WB[f->body].R, push_by);
        turn_by = carom_mul(kin->X_WB[f->body].R, turn_by);
    }
    caromVec3 p = point_of(kin, f->body, f->p);
    push(kin, f->body, p, push_by, F_C);
    F_C[f->body].angular = carom_add(F_C[f->body].angular, turn_by);
    totals->supplied += carom_dot(push_by, velocity_of(kin, f->body, p)) + carom_dot(turn_by,
                                                                                     kin->V_WC[f->body].angular);
}

// Which of the totals a force on a body counts to; of springs either body says it, for a part has both.
static caromForceTotals *total_of(const caromModel *model, const int *part, int body, int other,
                                  caromForceTotals *totals)
{
    int link = body >= 0 && model->bodies[body].link >= 0 ? model->bodies[body].link
                                                          : other >= 0 ? model->bodies[other].link : -1;
    return &totals[link >= 0 ? part[link] : 0];
}

void carom_dyn_model_forces_by(const caromModel *model, caromDynState at, const caromKin *kin, const int *part,
                               caromDynWork *w, caromForceTotals *totals)
{
    for (int k = 0; k < model->nlink; k++)
        if (model->links[k].iv >= 0) link_forces(model, at, kin, k, w, &totals[part ? part[k] : 0]);
    for (int k = 0; k < model->nspring; k++) {
        const int *body = model->springs[k].body;
        spring_force(model, kin, k, w->spring_rest[k], w->F_C,
                     part ? total_of(model, part, body[0], body[1], totals) : totals);
    }
    for (int k = 0; k < model->nforce; k++)
        outside_force(model, at.time, kin, k, w->F_C,
                      part ? total_of(model, part, model->forces[k].body, -1, totals) : totals);
}

caromForceTotals carom_dyn_model_forces(const caromModel *model, double time, const double *q, const double *v,
                                        const caromKin *kin, caromDynWork *w)
{
    caromForceTotals totals = { 0 };
    carom_dyn_model_forces_by(model, (caromDynState){ time, q, v }, kin, NULL, w, &totals);
    return totals;
}

static double spring_length(const caromModel *model, const caromKin *kin, int spring)
{
    const caromModelSpring *s = &model->springs[spring];
    return carom_norm(carom_sub(point_of(kin, s->body[1], s->p[1]), point_of(kin, s->body[0], s->p[0])));
}

void carom_dyn_rest_lengths(const caromModel *model, const caromKin *kin, caromDynWork *w)
{
    for (int k = 0; k < model->nspring; k++)
        w->spring_rest[k] = isnan(model->springs[k].rest) ? spring_length(model, kin, k) : model->springs[k].rest;
}

double carom_dyn_spring_energy(const caromModel *model, const double *q, const caromKin *kin, const caromDynWork *w)
{
    double energy = 0.0;
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        for (int i = 0; link->has_forces && link->iv >= 0 && i < link->nv; i++) {
            const caromJointForce *f = &link->forces[i];
            double x = f->stiffness > 0.0 ? q[link->iq + i] - f->rest : 0.0;
            energy += 0.5*f->stiffness*x*x;
        }
    }
    for (int k = 0; k < model->nspring; k++) {
        double x = spring_length(model, kin, k) - w->spring_rest[k];
        energy += 0.5*model->springs[k].stiffness*x*x;
    }
    return energy;
}

double carom_dyn_link_power(const caromModel *model, double time, const caromKin *kin, const caromDynWork *w, int link)
{
    const caromLink *l = &model->links[link];
    if (!l->motion) return 0.0;
    caromSpatial f = carom_dyn_articulated_reaction(model, w, link), S = kin->S[l->is];
    return carom_function_at(l->motion, time).rate*(carom_dot(S.angular, f.angular) + carom_dot(S.linear, f.linear));
}

double carom_dyn_motion_power(const caromModel *model, double time, const caromKin *kin, const caromDynWork *w)
{
    double power = 0.0;
    for (int k = 0; k < model->nlink; k++) power += carom_dyn_link_power(model, time, kin, w, k);
    return power;
}

double carom_dyn_kinetic_energy(const caromModel *model, const caromKin *kin)
{
    double energy = 0.0;
    for (int k = 0; k < model->nlink; k++) {
        int body = model->links[k].body;
        if (model->links[k].mass == 0.0) continue;
        const caromMassProps *props = &model->bodies[body].props;
        caromVec3 w_B = carom_tmul(kin->X_WB[body].R, kin->V_WC[body].angular);
        energy += 0.5*props->mass*carom_norm2(kin->V_WC[body].linear) + 0.5*carom_dot(w_B,
                                                                                      carom_mul(props->inertia, w_B));
    }
    return energy;
}

double carom_dyn_potential_energy(const caromModel *model, const caromKin *kin)
{
    double energy = 0.0;
    for (int k = 0; k < model->nlink; k++) {
        int body = model->links[k].body;
        if (model->links[k].mass == 0.0) continue;
        energy -= model->bodies[body].props.mass*carom_dot(model->settings.gravity, kin->p_WC[body]);
    }
    return energy;
}
