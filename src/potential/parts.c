// What the parts of a contact do, and how that changes.
#include "potential/potential.h"

#include <string.h>

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
    double s = press->depth - (time + press->delay)*x, damped = 1.0 - press->damping*x, sum = 0.0;
    *slope = 0.0;
    if (s > 0.0 && damped > 0.0) {
        double bend, force = press->stiffness*raised(s, press->power, &bend);
        sum = force*damped;
        *slope = press->stiffness*bend*(time + press->delay)*damped + force*press->damping;
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

// Matrices here are symmetric: their upper triangles, row by row. G += h a a^T
static void add_square(double h, caromSpatial a, double G[CAROM_POTENTIAL_TRIANGLE])
{
    double row[6];
    spread(a, row);
    for (int i = 0, k = 0; i < 6; i++) {
        double scaled = h*row[i];
        for (int j = i; j < 6; j++) G[k++] += scaled*row[j];
    }
}

static void unfold(const double triangle[CAROM_POTENTIAL_TRIANGLE], double G[36])
{
    for (int i = 0, k = 0; i < 6; i++)
        for (int j = i; j < 6; j++) G[6*i + j] = G[6*j + i] = triangle[k++];
}

void carom_potential_set_squares(caromRub *rub)
{
    const caromVec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    memset(rub->squares, 0, sizeof rub->squares);
    for (int i = 0; i < 3; i++) {
        caromSpatial row = { carom_tmul(rub->turn, axis[i]), carom_tmul(rub->shift, axis[i]) };
        add_square(1.0, row, rub->squares);
    }
}

static caromSpatial add(caromSpatial a, double s, caromSpatial b)
{
    return (caromSpatial){ carom_axpy(s, b.angular, a.angular), carom_axpy(s, b.linear, a.linear) };
}

// Along x the slope of psi, across it psi/|x|: that for all directions, and along x what the slope is more.
static caromSpatial add_rub(const caromPotential *p, const caromRub *rub, caromSpatial V, double *G)
{
    caromVec3 x = carom_add(carom_add(carom_mul(rub->turn, V.angular), carom_mul(rub->shift, V.linear)), rub->start);
    double time = p->time, size = carom_norm(x), along, force = rub->force(rub->numbers, p->softness*size, &along);
    along *= p->softness;
    double across = size > 0.0 ? force/size : along;
    caromVec3 f = carom_scale(-time*across, x);
    if (G) {
        for (int k = 0; k < CAROM_POTENTIAL_TRIANGLE; k++) G[k] += time*across*rub->squares[k];
        caromVec3 t = carom_unit_or(x, carom_vec(1, 0, 0));
        caromSpatial row = { carom_tmul(rub->turn, t), carom_tmul(rub->shift, t) };
        if (along != across) add_square(time*(along - across), row, G);
    }
    return (caromSpatial){ carom_tmul(rub->turn, f), carom_tmul(rub->shift, f) };
}

caromSpatial carom_potential_parts(const caromPotential *p, const caromPotentialContact *contact, caromSpatial V,
                                   double G[36])
{
    caromSpatial sum = { { 0, 0, 0 }, { 0, 0, 0 } };
    double triangle[CAROM_POTENTIAL_TRIANGLE] = { 0.0 };
    for (int i = 0; i < contact->npress; i++) {
        const caromPress *press = &p->press[contact->press + i];
        double slope, impulse = carom_potential_press(press, p->time, dot(press->along, V), &slope);
        sum = add(sum, impulse, press->along);
        if (G && slope > 0.0) add_square(slope, press->along, triangle);
    }
    for (int i = 0; i < contact->nrub; i++)
        sum = add(sum, 1.0, add_rub(p, &p->rub[contact->rub + i], V, G ? triangle : NULL));
    if (G) unfold(triangle, G);
    return sum;
}
