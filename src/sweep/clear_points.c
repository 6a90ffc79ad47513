// The certificate of a mesh that presses by points of its surface on a convex shape B: until the first may enter.
//
// In the frame of B, which stands still there, the distance g from it is a convex function of place with the gradient
// n, and a point moves as x + s v + rest, |rest| <= A s^2/2:
//
//     g(x, s) >= g(x) + s n(x).v(x) - A s^2/2
//
// Points that are farther than any can come in the time of the first are not looked at.
#include "sweep/clear.h"

typedef struct PointsMotion {
    const caromClearMotion *motion;
    int body, frame;            // of the mesh, of B
    double way, margin;
    double speed, acceleration; // of any point of the mesh against B, at most
    double time;                // of the first so far
    caromPressPoints points;
} PointsMotion;

// How far any point comes until then, to the level.
static double reach_in(const PointsMotion *m, double time)
{
    return time*(m->speed + 0.5*m->acceleration*time) - m->margin;
}

// The root of g + rate t - A t^2/2 = -margin, without cancellation.
static void shorten(const caromPressPoint *point, void *user)
{
    PointsMotion *m = user;
    double room = point->g + m->margin;
    caromVec3 v = carom_sweep_clear_velocity(m->motion->kin, m->body, m->frame, point->p_W);
    double rate = m->way*carom_dot(point->n_W, v), root = sqrt(rate*rate + 2.0*m->acceleration*fmax(room, 0.0));
    double time = !(room > 0.0) ? 0.0 : rate < 0.0 ? 2.0*room/(root - rate)
                                                   : (rate + root)/fmax(m->acceleration, (rate + root)/m->time);
    if (!(time < m->time)) return;
    m->time = time;
    m->points.reach = reach_in(m, time);
}

static void set_bounds(PointsMotion *m, const int shape[2], int mesh, double dt)
{
    const caromModel *model = m->motion->model;
    const caromKin *kin = m->motion->kin;
    const caromModelShape *s = &model->shapes[shape[mesh]];
    m->body = s->body;
    m->frame = model->shapes[shape[!mesh]].body;
    double radius = carom_shape_radius(s->shape);
    caromVec3 p = kin->X_WS[shape[mesh]].p,
              w = carom_sub(kin->V_WC[m->body].angular, kin->V_WC[m->frame].angular);
    m->speed = carom_norm(carom_sweep_clear_velocity(kin, m->body, m->frame, p)) + carom_norm(w)*radius;
    m->acceleration =
        carom_sweep_clear_acceleration(&m->motion->bounds[m->body],
                                       carom_norm(carom_sub(p, kin->p_WC[m->body])) + radius) +
        carom_sweep_clear_frame_acceleration(model, kin, m->motion->bounds, shape[!mesh], shape[mesh], dt);
}

double carom_sweep_clear_points(const caromClearMotion *motion, int pair, double dt, double margin)
{
    const int *shape = motion->model->pairs[pair].shape;
    int mesh = motion->model->shapes[shape[0]].shape.kind == CAROM_MESH ? 0 : 1;
    PointsMotion m = { .motion = motion, .way = dt < 0.0 ? -1.0 : 1.0, .margin = margin, .time = fabs(dt) };
    set_bounds(&m, shape, mesh, dt);
    m.points = (caromPressPoints){ reach_in(&m, m.time), shorten, &m };
    return carom_patch_press_points(motion->model, motion->kin, pair, &m.points, &mesh) ? m.time : -1.0;
}
