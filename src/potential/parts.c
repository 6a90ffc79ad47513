// What the parts of a contact do, and how that changes.
#include "potential/potential.h"

// s^p and its derivative. Contacts of balls and of faces have no need for pow().
static double raised(double s, double p, double *slope)
{
    if (p == 1.0) {
        *slope = 1.0;
        return s;
    }
    double below = p == 1.5 ? sqrt(s) : pow(s, p - 1.0);
    *slope = p*below;
    return s*below;
}

double carom_potential_press(const caromPress *press, double time, double x, double *slope)
{
    double s = press->depth - time*x, damped = 1.0 - press->damping*x, sum = 0.0;
    *slope = 0.0;
    if (s > 0.0 && damped > 0.0) {
        double bend, force = press->stiffness*raised(s, press->power, &bend);
        sum = force*damped;
        *slope = press->stiffness*bend*time*damped + force*press->damping;
    }
    double held = -press->held_damping*x;
    sum += press->held*fmax(-1.0, held);
    if (held > -1.0) *slope += press->held*press->held_damping;
    *slope *= time;
    return time*sum;
}

static double dot(caromSpatial a, caromSpatial b)
{
    return carom_dot(a.angular, b.angular) + carom_dot(a.linear, b.linear);
}

static void spread(caromSpatial a, double to[6])
{
    const double values[6] = { a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z };
    for (int i = 0; i < 6; i++) to[i] = values[i];
}

// G += h a a^T
static void add_square(double h, caromSpatial a, double G[36])
{
    double row[6];
    spread(a, row);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) G[6*i + j] += h*row[i]*row[j];
}

static caromSpatial add(caromSpatial a, double s, caromSpatial b)
{
    return (caromSpatial){ carom_axpy(s, b.angular, a.angular), carom_axpy(s, b.linear, a.linear) };
}

// Along x the slope of psi, across it psi/|x|: in axes of which the first is along x, each a row of (turn, shift).
static caromSpatial add_rub(const caromPotential *p, const caromRub *rub, caromSpatial V, double *G)
{
    caromVec3 x = carom_add(carom_add(carom_mul(rub->turn, V.angular), carom_mul(rub->shift, V.linear)), rub->start);
    double time = p->time, size = carom_norm(x), along, force = rub->force(rub->numbers, p->softness*size, &along);
    along *= p->softness;
    double across = size > 0.0 ? force/size : along;
    caromVec3 f = carom_scale(-time*across, x);
    if (G) {
        caromVec3 t = carom_unit_or(x, carom_vec(1, 0, 0));
        caromVec3 least = fabs(t.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0);
        caromVec3 b = carom_unit_or(carom_cross(t, least), t), c = carom_cross(t, b);
        const caromVec3 axis[3] = { t, b, c };
        for (int i = 0; i < 3; i++) {
            caromSpatial row = { carom_tmul(rub->turn, axis[i]), carom_tmul(rub->shift, axis[i]) };
            add_square(time*(i == 0 ? along : across), row, G);
        }
    }
    return (caromSpatial){ carom_tmul(rub->turn, f), carom_tmul(rub->shift, f) };
}

caromSpatial carom_potential_parts(const caromPotential *p, const caromPotentialContact *contact, caromSpatial V,
                                   double G[36])
{
    caromSpatial sum = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int i = 0; G && i < 36; i++) G[i] = 0.0;
    for (int i = 0; i < contact->npress; i++) {
        const caromPress *press = &p->press[contact->press + i];
        double slope, impulse = carom_potential_press(press, p->time, dot(press->along, V), &slope);
        sum = add(sum, impulse, press->along);
        if (G && slope > 0.0) add_square(slope, press->along, G);
    }
    for (int i = 0; i < contact->nrub; i++)
        sum = add(sum, 1.0, add_rub(p, &p->rub[contact->rub + i], V, G));
    return sum;
}
