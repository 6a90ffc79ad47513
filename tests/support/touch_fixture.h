// Two bodies with a shape each, placed by hand, and what holds for every point in which they touch.
#ifndef CAROM_TESTS_TOUCH_FIXTURE_H
#define CAROM_TESTS_TOUCH_FIXTURE_H

#include <float.h>

#include "collide_fixture.h"
#include "manifold/manifold.h"
#include "manifold/parts.h"

// ---- two bodies with a shape each, placed by hand

typedef struct Two {
    caromModel model;
    caromBody bodies[2];
    caromModelShape shapes[2];
    caromModelPair pair;
    caromKin kin;
    caromPose X[2];
    caromVec3 p_WC[2];
    caromSpatial V[2];
} Two;

static inline void connect(Two *t)
{
    t->model = (caromModel){ .nbody = 2, .nshape = 2, .npair = 1, .bodies = t->bodies, .shapes = t->shapes,
                             .pairs = &t->pair };
    t->kin = (caromKin){ .X_WB = t->X, .p_WC = t->p_WC, .V_WC = t->V, .X_WS = t->X };
    for (int i = 0; i < 2; i++) t->p_WC[i] = t->X[i].p;
}

static inline void make(Two *t, caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    memset(t, 0, sizeof *t);
    t->shapes[0] = (caromModelShape){ .body = 0, .shape = a, .radius = carom_shape_radius(a) };
    t->shapes[1] = (caromModelShape){ .body = 1, .shape = b, .radius = carom_shape_radius(b) };
    t->pair = (caromModelPair){ .shape = { 0, 1 } };
    t->X[0] = X_WA, t->X[1] = X_WB;
    connect(t);
}

static inline void shelled(Two *t, double a, double b)
{
    t->shapes[0].shell = a, t->shapes[1].shell = b;
    t->pair.shell = a + b;
}

static inline int list(Two *t, double within, caromTouchPoint *points)
{
    return carom_manifold_points(&t->model, &t->kin, 0, within, points);
}

static inline bool at(Two *t, const caromTouchPoint *old, caromTouchPoint *point)
{
    return carom_manifold_point_at(&t->model, &t->kin, 0, old->feature, point);
}

static inline double size_of(const Two *t)
{
    return fmin(t->shapes[0].radius, t->shapes[1].radius);
}

static inline caromPose turned_at(caromVec3 axis, double angle, caromVec3 p)
{
    return carom_pose(carom_quat_matrix(carom_quat_axis_angle(axis, angle)), p);
}

// The same a time h later, at constant velocities.
static inline void later(const Two *t, double h, Two *l)
{
    *l = *t;
    for (int i = 0; i < 2; i++) {
        double w = carom_norm(t->V[i].angular);
        caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(t->V[i].angular, carom_vec(0, 0, 1)), w*h));
        l->X[i] = carom_pose(carom_mat_mul(R, t->X[i].R), carom_axpy(h, t->V[i].linear, t->X[i].p));
    }
    connect(l);
}

static inline void set_moving(Two *t, Random *r)
{
    for (int i = 0; i < 2; i++) t->V[i] = (caromSpatial){ random_vec(r, 1), random_vec(r, 1) };
}

// ---- what holds for every point

static inline void check_point(Two *t, const caromTouchPoint *p)
{
    double size = size_of(t), far = carom_norm(p->p_A) + size;
    caromTouchPoint again;
    const caromTouchPart a = carom_manifold_part(p->feature[0]), b = carom_manifold_part(p->feature[1]);
    if (!at(t, p, &again)) print_error("parts %d/%d %d/%d are not found again\n", a.kind, a.id, b.kind, b.id);
    CHECK(at(t, p, &again));
    CHECK_NEAR(again.g, p->g, 1e-13);
    CHECK_VEC(again.n_AB, p->n_AB, 1e-13);
    CHECK_VEC(again.p_A, p->p_A, 1e-9);
    CHECK_NEAR(carom_norm(p->n_AB), 1, 8*DBL_EPSILON);
    CHECK_VEC(carom_sub(p->p_B, p->p_A), carom_scale(p->g, p->n_AB), 64*DBL_EPSILON*(far + fabs(p->g)));
    CHECK(p->feature[0] >= 0 && p->feature[1] >= 0);
}

static inline caromVec3 difference(caromVec3 after, caromVec3 before, double h)
{
    return carom_scale(0.5/h, carom_sub(after, before));
}

typedef struct Worst {
    double dn, u, g;
    int points, unknown;
} Worst;

// What differences over 2 h say of a point: rates of n and of its places.
typedef struct Rates { caromVec3 dn, p_A, p_B; double g; } Rates;

static inline bool rates_by(Two *t, const caromTouchPoint *p, double h, Rates *rates)
{
    Two after, before;
    later(t, h, &after);
    later(t, -h, &before);
    caromTouchPoint q, o;
    bool is_there = at(&after, p, &q) && at(&before, p, &o);
    if (!is_there) return false;
    *rates = (Rates){ difference(q.n_AB, o.n_AB, h), difference(q.p_A, o.p_A, h), difference(q.p_B, o.p_B, h),
                      (q.g - o.g)/(2*h) };
    return true;
}

// Rates over steps h, h/2, h/4, extrapolated: the last is nearer than the one before by more than they differ.
static inline double off_by(const caromVec3 rate[3], caromVec3 expected)
{
    caromVec3 first = carom_axpy(-1.0/3, carom_sub(rate[0], rate[1]), rate[1]),
              last = carom_axpy(-1.0/3, carom_sub(rate[1], rate[2]), rate[2]);
    return fmax(0, carom_norm(carom_sub(last, expected)) - carom_norm(carom_sub(last, first)));
}

// Central differences are off by h^2/6 of the third derivative, which has no bound where edges that cross line up: so
// they are extrapolated. And by the roundings (of the search, where there is one) over h.
static inline void check_motion(Two *t, const caromTouchPoint *p, Worst *worst)
{
    const double h = 1e-5;
    caromTouchMotion m = carom_manifold_motion(&t->model, &t->kin, 0, p);
    if (!m.is_known) {
        worst->unknown++;
        return;
    }
    Rates by[3];
    for (int k = 0; k < 3; k++) if (!rates_by(t, p, ldexp(h, -k), &by[k])) return;
    const caromVec3 dns[3] = { by[0].dn, by[1].dn, by[2].dn }, p_As[3] = { by[0].p_A, by[1].p_A, by[2].p_A },
                    p_Bs[3] = { by[0].p_B, by[1].p_B, by[2].p_B };
    caromVec3 v_A = carom_kin_point_velocity(&t->kin, 0, p->p_A), v_B = carom_kin_point_velocity(&t->kin, 1, p->p_B);
    double scale = 1 + carom_norm(m.dn) + carom_norm(m.u_A) + carom_norm(m.u_B);
    scale *= scale*scale;
    double dn = off_by(dns, m.dn)/scale, u_A = off_by(p_As, carom_add(v_A, m.u_A))/scale,
           u_B = off_by(p_Bs, carom_add(v_B, m.u_B))/scale,
           g = fabs(by[1].g - carom_dot(p->n_AB, carom_sub(v_B, v_A)))/scale;
    if (fmax(fmax(dn, g), fmax(u_A, u_B)) > 1e-7)
        print_error("features %d %d: g %g, n %g %g %g, off by dn %g u %g %g g %g\n", p->feature[0], p->feature[1], p->g,
                    p->n_AB.x, p->n_AB.y, p->n_AB.z, dn, u_A, u_B, g);
    worst->dn = fmax(worst->dn, dn);
    worst->u = fmax(worst->u, fmax(u_A, u_B));
    worst->g = fmax(worst->g, g);
    worst->points++;
    CHECK_NEAR(carom_dot(m.dn, p->n_AB), 0, 1e-12*scale);
}

// ---- random pairs, brought to a given gap

static inline bool bring_to(Two *t, double g)
{
    for (int k = 0; k < 3; k++) {
        caromGap gap = carom_collide_shapes(t->shapes[0].shape, t->X[0], t->shapes[1].shape, t->X[1]);
        if (gap.status != CAROM_GAP_OK) return false;
        t->X[1].p = carom_axpy(g - gap.g, gap.n_AB, t->X[1].p);
    }
    connect(t);
    caromGap gap = carom_collide_shapes(t->shapes[0].shape, t->X[0], t->shapes[1].shape, t->X[1]);
    return fabs(gap.g - g) < 1e-9;  // false: deep in a ring, from which there is no straight way
}

#endif
