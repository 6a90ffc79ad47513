// A certificate that two shapes stay apart for a while.
//
// For any fixed unit vector n the distance of A and B is at least min n.y over B - max n.x over A. A material point
// moves as y(t) = y0 + t v_y + rest, |rest| <= t^2/2 times a bound on its acceleration. So
//
//     gap(t) >= L(t) = (c_B - c_A).n + t (v_B - v_A).n - e_A(t) - e_B(t) - t^2/2 (a_A + a_B)
//
// with centres c, acceleration bounds a, and extents e(t) = h(m + t m'): the support function h of the shape along n as
// the shape sees it while it turns. Corners that come forward are in e(t), so no feature has to be guessed. h is
// convex, so L is concave: it is above a bound on [0, t] if it is at both ends, and the first time it is not is found
// by halving. A half-space has no extent; it is handled in its own frame, where it stands still.
#include "geometry/mesh.h"
#include "sweep/clear.h"

typedef struct ShapeAlong {  // one shape along n, as functions of time
    double centre, rate;
    caromCore core;          // radius included; no extent for a half-space
    caromVec3 m, m_rate;     // direction towards the other shape, in the frame of this one
    double acceleration;
} ShapeAlong;

static double shape_lever(const caromModel *model, const caromKin *kin, int shape)
{
    const caromModelShape *s = &model->shapes[shape];
    double centre = carom_norm(carom_sub(kin->X_WS[shape].p, kin->p_WC[s->body]));
    return centre + carom_shape_radius(s->shape);
}

// A torus stays within the disc of its ring, grown by the tube: a lower bound for what lies outside its hole. A
// mesh stays within a ball.
static caromCore bounding_core(const caromShape *s)
{
    if (s->kind == CAROM_MESH) return (caromCore){ .kind = CAROM_CORE_BOX, .radius = s->mesh->reach };
    if (s->kind == CAROM_TORUS)
        return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = s->size.y, .r0 = s->size.x, .r1 = s->size.x };
    return carom_shape_core(s);
}

// towards: 1 if the other shape lies along n, -1 if against it. frame_body >= 0: motion relative to that body.
static ShapeAlong side_of(const caromClearMotion *motion, int shape, int frame_body, caromVec3 n, double towards)
{
    const caromModelShape *s = &motion->model->shapes[shape];
    const caromKin *kin = motion->kin;
    caromPose X = kin->X_WS[shape];
    ShapeAlong side = { .centre = carom_dot(n, X.p),
                        .rate = carom_dot(n, carom_sweep_clear_velocity(kin, s->body, frame_body, X.p)) };
    caromVec3 w = kin->V_WC[s->body].angular;
    if (frame_body >= 0) w = carom_sub(w, kin->V_WC[frame_body].angular);
    // A point x of the body moves as (R + t w x R) x: n.(R x + t w x R x) = (R^T (n + t n x w)).x.
    side.core = bounding_core(&s->shape);
    side.m = carom_tmul(X.R, carom_scale(towards, n));
    side.m_rate = carom_tmul(X.R, carom_cross(carom_scale(towards, n), w));
    side.acceleration = carom_sweep_clear_acceleration(&motion->bounds[s->body],
                                                       shape_lever(motion->model, kin, shape));
    return side;
}

static double extent(const ShapeAlong *s, double t)
{
    caromVec3 m = carom_axpy(t, s->m_rate, s->m);
    return carom_shape_core_extent(&s->core, m) + s->core.radius*carom_norm(m);
}

typedef struct Bound {  // L(t) of a pair: b minus a along n
    ShapeAlong a, b;
} Bound;

static double bound_at(const Bound *p, double t)
{
    return p->b.centre - p->a.centre + t*(p->b.rate - p->a.rate) - extent(&p->a, t) - extent(&p->b, t) -
           0.5*t*t*(p->a.acceleration + p->b.acceleration);
}

// L for two bounded shapes.
static Bound bound_between(const caromClearMotion *motion, const int shape[2], caromVec3 n)
{
    return (Bound){ side_of(motion, shape[0], -1, n, 1.0), side_of(motion, shape[1], -1, n, -1.0) };
}

double carom_sweep_clear_frame_acceleration(const caromModel *model, const caromKin *kin,
                                            const caromMotionBound *bounds, int frame, int shape, double dt)
{
    int body = model->shapes[frame].body;
    const caromMotionBound *m = &bounds[body], *other = &bounds[model->shapes[shape].body];
    if (model->bodies[body].fixed) return 0.0;
    double lever = shape_lever(model, kin, shape);
    double speed = m->speed + other->speed + other->angular_speed*lever;
    double distance = carom_norm(carom_sub(kin->X_WS[shape].p, kin->p_WC[body])) + lever + speed*fabs(dt);
    return carom_sweep_clear_acceleration(m, distance) + 2.0*m->angular_speed*(speed + m->angular_speed*distance);
}

// L for a half-space and a bounded shape, in the frame of the half-space.
static Bound bound_to_plane(const caromClearMotion *motion, int plane, int shape, double dt)
{
    const caromPose *X = &motion->kin->X_WS[plane];
    caromVec3 n = X->R.cz;
    Bound bound = { .b = side_of(motion, shape, motion->model->shapes[plane].body, n, -1.0),
                    .a = { .centre = carom_dot(n, X->p) } };
    bound.a.acceleration = carom_sweep_clear_frame_acceleration(motion->model, motion->kin, motion->bounds, plane,
                                                                shape, dt);
    return bound;
}

static double time_above(const Bound *bound, double dt, double level)
{
    if (bound_at(bound, 0.0) <= level) return 0.0;
    if (bound_at(bound, dt) > level) return fabs(dt);
    double good = 0.0, bad = 1.0;
    for (int i = 0; i < 24; i++) {
        double middle = 0.5*(good + bad);
        if (bound_at(bound, middle*dt) > level) good = middle;
        else bad = middle;
    }
    return good*fabs(dt);
}

// Points of surfaces are free by their gap alone. No point of the one comes nearer to the other
// than their relative motion allows:
//
//     gap(t) >= g - t (|v_B - v_A| + |w_A| r_A + |w_B| r_B) - t^2/2 (a_A + a_B)
static double time_by_gap(const caromModel *model, const caromKin *kin, const caromMotionBound *bounds, int pair,
                          double dt, double margin)
{
    const int *shape = model->pairs[pair].shape;
    double room = carom_patch_gap(model, kin, pair).g + margin, speed = 0.0, acceleration = 0.0;
    caromVec3 v[2];
    for (int i = 0; i < 2; i++) {
        const caromModelShape *s = &model->shapes[shape[i]];
        v[i] = carom_kin_point_velocity(kin, s->body, kin->X_WS[shape[i]].p);
        speed += carom_norm(kin->V_WC[s->body].angular)*carom_shape_radius(s->shape);
        acceleration += carom_sweep_clear_acceleration(&bounds[s->body], shape_lever(model, kin, shape[i]));
    }
    speed += carom_norm(carom_sub(v[1], v[0]));
    if (!(room > 0.0)) return 0.0;
    // The root of a/2 t^2 + v t = room, without cancellation.
    return fmin(fabs(dt), 2.0*room/(speed + sqrt(speed*speed + 2.0*acceleration*room)));
}

static double time_turning(const caromClearMotion *motion, const int shape[2], const caromGap *gap, double dt,
                           double level)
{
    caromClearPiece piece[2];
    for (int i = 0; i < 2; i++) {
        const caromModelShape *s = &motion->model->shapes[shape[i]];
        const caromPose *X = &motion->kin->X_WS[shape[i]];
        piece[i] = (caromClearPiece){ carom_shape_core(&s->shape), X->R, X->p, s->body };
    }
    return carom_sweep_clear_turning(motion, piece, gap, dt, level);
}

// The torus first.
static double time_of_ring(const caromClearMotion *motion, int pair, const caromGap *gap, double dt, double margin)
{
    const int *shape = motion->model->pairs[pair].shape, mirrored[2] = { shape[1], shape[0] };
    bool is_first = motion->model->shapes[shape[0]].shape.kind == CAROM_TORUS;
    caromClearNear near = { gap->g + motion->model->pairs[pair].shell, margin, is_first ? gap->p_B : gap->p_A };
    return carom_sweep_clear_ring(motion, is_first ? shape : mirrored, &near, dt);
}

double carom_sweep_clear_time(const caromModel *model, const caromKin *kin, const caromMotionBound *bounds, int pair,
                              double dt, double margin)
{
    const int *shape = model->pairs[pair].shape;
    const caromClearMotion motion = { model, kin, bounds };
    double to_shell = margin;
    margin -= model->pairs[pair].shell;  // of the shapes themselves
    bool has_mesh = model->shapes[shape[0]].shape.kind == CAROM_MESH ||
                    model->shapes[shape[1]].shape.kind == CAROM_MESH;
    for (int i = 0; i < 2; i++) {
        if (carom_shape_is_bounded(model->shapes[shape[i]].shape)) continue;
        Bound bound = bound_to_plane(&motion, shape[i], shape[1 - i], dt);
        double time = time_above(&bound, dt, -margin);
        return has_mesh && time < fabs(dt) ? carom_sweep_clear_pieces(model, kin, bounds, pair, dt, margin) : time;
    }
    // Far apart the direction between the centres is good enough and costs least.
    bool is_convex = carom_shape_is_convex(model->shapes[shape[0]].shape) &&
                     carom_shape_is_convex(model->shapes[shape[1]].shape);
    caromVec3 between = carom_sub(kin->X_WS[shape[1]].p, kin->X_WS[shape[0]].p);
    Bound bound = bound_between(&motion, shape, carom_unit_or(between, carom_vec(0, 0, 1)));
    double time = time_above(&bound, dt, -margin);
    if (time >= fabs(dt)) return time;
    if (carom_patch_pair_gap_is_of_points(model, pair)) {
        double points = carom_sweep_clear_points(&motion, pair, dt, margin);
        return fmax(time, points < 0.0 ? time_by_gap(model, kin, bounds, pair, dt, to_shell) : points);
    }
    if (has_mesh) return fmax(time, carom_sweep_clear_pieces(model, kin, bounds, pair, dt, margin));
    caromGap gap = carom_patch_gap(model, kin, pair);
    if (!is_convex) return fmax(time, time_of_ring(&motion, pair, &gap, dt, margin));
    bound = bound_between(&motion, shape, gap.n_AB);
    time = fmax(time, time_above(&bound, dt, -margin));
    return time < fabs(dt) ? fmax(time, time_turning(&motion, shape, &gap, dt, -margin)) : time;
}
