#include "time/carry.h"

#include <string.h>

#include "time/jacobian.h"

// Of an acceleration, by which that of what goes along may differ. Steps of ten parts on a feeder and of a ball
// bearing, whose balls roll along with a ring that turns: 33,339 and 10,107 with 0.5, 33,437 and 9235 with it, 32,513
// and 9165 with 0.03; 57,553 and 9243 where nothing goes along.
#define CAROM_CARRY_LEFT 0.1

size_t carom_time_carry_size(int n)
{
    return 3*((size_t)n/2 + 1)*(sizeof(caromCarried)/sizeof(double) + 1);
}

void carom_time_carry_place(caromCarriage *c, double *memory, int n)
{
    c->start.list = (caromCarried *)(void *)memory;
    c->half.list = c->start.list + n/2 + 1;
    c->end.list = c->half.list + n/2 + 1;
    c->start.n = c->half.n = c->end.n = 0;
    c->is_empty = true;
}

// Where next to nothing is left of how it bends. What the carrier only slides under, or is held against, does not go
// along.
static bool goes_along(const caromCarried *c, const double *f0)
{
    return fabs(f0[c->speed] - c->acceleration) <= CAROM_CARRY_LEFT*fabs(c->acceleration);
}

void carom_time_carry_begin(caromCarriage *c, const caromStepper *s, double h, double *left)
{
    const caromLinearSystem *linear = s->ode.linear;
    double t = s->t_start + s->tau0;
    memcpy(left, s->f0, (size_t)s->ode.n*sizeof *left);
    c->is_empty = true;
    c->start.n = linear && linear->carry ? linear->carry(s->ode.user, t, s->y0, 0.0, c->start.list) : 0;
    if (c->start.n == 0) return;
    double later = (t + carom_method_change_of_time(t, h)) - t;
    c->end.n = linear->carry(s->ode.user, t, s->y0, later, c->end.list);
    for (int i = 0; i < c->start.n; i++) {
        caromCarried *at = &c->start.list[i];
        at->acceleration = (c->end.list[i].velocity - at->velocity)/later;
        at->goes_along = goes_along(at, s->f0);
        if (at->goes_along) c->is_empty = false;
    }
    carom_time_carry_on(&c->start, -1.0, left);
}

// The cubic with the acceleration at the start and the velocities half-way and at the end; and its integral.
static void set_path(const caromCarriage *c, const caromCarried *start, const caromCarried *half,
                     const caromCarried *end)
{
    double half_change = half->velocity - start->velocity, change = end->velocity - start->velocity;
    double b1 = c->h*start->acceleration, b2 = 8.0*half_change - 3.0*b1 - change, b3 = change - b1 - b2;
    const double b[CAROM_CARRY_DEGREE] = { start->velocity, b1, b2, b3 };
    for (int k = 0; k < CAROM_CARRY_DEGREE; k++) {
        c->path[k][start->position] = c->h*b[k]/(k + 1);
        c->path[k][start->speed] = k + 1 < CAROM_CARRY_DEGREE ? b[k + 1] : 0.0;
    }
}

typedef enum Order { VALUE, RATE } Order;

static double path_at(const caromCarriage *c, int state, double theta, Order order)
{
    double sum = 0.0;
    for (int k = CAROM_CARRY_DEGREE; k > 0; k--)
        sum = sum*theta + (order == VALUE ? c->path[k - 1][state] : k*c->path[k - 1][state]);
    return order == VALUE ? theta*sum : sum;
}

static double error_at(const caromCarriage *c, const caromStepper *s, double theta, const caromCarry *there)
{
    double worst = 0.0;
    for (int i = 0; i < c->start.n; i++) {
        int state = c->start.list[i].position;
        if (!c->start.list[i].goes_along) continue;
        double off = there->list[i].shift - path_at(c, state, theta, VALUE);
        worst = fmax(worst, fabs(off)/s->norm->weight[state]);
    }
    return worst;
}

void carom_time_carry_over(caromCarriage *c, const caromStepper *s, double h)
{
    c->h = h;
    c->error = 0.0;
    for (int k = 0; k < CAROM_CARRY_DEGREE; k++) memset(c->path[k], 0, (size_t)s->stride*sizeof(double));
    if (c->is_empty) return;
    double t = s->t_start + s->tau0;
    c->half.n = s->ode.linear->carry(s->ode.user, t, s->y0, 0.5*h, c->half.list);
    c->end.n = s->ode.linear->carry(s->ode.user, t, s->y0, h, c->end.list);
    for (int i = 0; i < c->start.n; i++)
        if (c->start.list[i].goes_along) set_path(c, &c->start.list[i], &c->half.list[i], &c->end.list[i]);
    c->error = fmax(error_at(c, s, 0.5, &c->half), error_at(c, s, 1.0, &c->end));
}

static void add_at(const caromCarriage *c, int state, double theta, Order order, double part, double *to)
{
    to[state] += part*path_at(c, state, theta, order);
}

static void add_all(const caromCarriage *c, double theta, Order order, double part, double *to)
{
    for (int i = 0; !c->is_empty && i < c->start.n; i++) {
        if (!c->start.list[i].goes_along) continue;
        add_at(c, c->start.list[i].position, theta, order, part, to);
        add_at(c, c->start.list[i].speed, theta, order, part, to);
    }
}

void carom_time_carry_add(const caromCarriage *c, double theta, double *y)
{
    add_all(c, theta, VALUE, 1.0, y);
}

void carom_time_carry_take_rate(const caromCarriage *c, double theta, double *rate)
{
    add_all(c, theta, RATE, -1.0/c->h, rate);
}

void carom_time_carry_take_bend(const caromCarriage *c, double part, double *x)
{
    for (int i = 0; !c->is_empty && i < c->start.n; i++) {
        const caromCarried *at = &c->start.list[i];
        if (!at->goes_along) continue;
        x[at->position] -= part*2.0*c->path[1][at->position]/(c->h*c->h);
        x[at->speed] -= part*2.0*c->path[1][at->speed]/(c->h*c->h);
    }
}

//     sum a_k theta^k = theta (F_0 + (1-theta) (F_1 + theta (F_2 + (1-theta) F_3)))
static void add_dense(const caromCarriage *c, int state, double *dense, int stride)
{
    double a2 = c->path[1][state], a3 = c->path[2][state], a4 = c->path[3][state];
    dense[stride + state] -= a2 + a3 + a4;
    dense[2*stride + state] -= a3 + 2.0*a4;
    dense[3*stride + state] += a4;
}

void carom_time_carry_dense(const caromCarriage *c, double *dense, int stride)
{
    for (int i = 0; !c->is_empty && i < c->start.n; i++) {
        if (!c->start.list[i].goes_along) continue;
        add_dense(c, c->start.list[i].position, dense, stride);
        add_dense(c, c->start.list[i].speed, dense, stride);
    }
}
