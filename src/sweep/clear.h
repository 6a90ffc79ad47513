// clear.h -- for how long do two shapes of a model certainly stay apart? Certificates of whole shapes (clear.c) and of
// pieces (clear_tree.c).
#ifndef CAROM_SRC_SWEEP_CLEAR_H
#define CAROM_SRC_SWEEP_CLEAR_H

#include "geometry/geometry.h"
#include "patch/patch.h"

// How fast a body may change its motion over a step: bounds, all >= 0.
typedef struct caromMotionBound {
    double acceleration;          // of the centre of mass [m/s^2]
    double angular_acceleration;  // [rad/s^2]
    double angular_speed;         // [rad/s]
    double speed;                 // of the centre of mass [m/s]
    double bend;                  // acceleration of the centre of mass less gravity [m/s^2]
} caromMotionBound;

// The longest time up to |dt|, from the state in kin towards the future (dt > 0) or the past (dt < 0), during which the
// pair provably keeps a gap above -margin (clear.c).
double carom_sweep_clear_time(const caromModel *model, const caromKin *kin, const caromMotionBound *bounds, int pair,
                              double dt, double margin);

// ---- what both kinds of certificates share

// Velocity of the material point of a body at p; frame_body >= 0: relative to that body.
static inline caromVec3 carom_sweep_clear_velocity(const caromKin *kin, int body, int frame_body, caromVec3 p)
{
    caromVec3 v = carom_kin_point_velocity(kin, body, p);
    return frame_body < 0 ? v : carom_sub(v, carom_kin_point_velocity(kin, frame_body, p));
}

// Acceleration bound of points within lever of the centre of mass.
static inline double carom_sweep_clear_acceleration(const caromMotionBound *m, double lever)
{
    return m->acceleration + (m->angular_acceleration + m->angular_speed*m->angular_speed)*lever;
}

// What a point of the shape feels more of, seen from the body of the shape `frame`: in a turning frame points also feel
// Coriolis and centrifugal terms; the speed and distance in them grow over the step by what the bounds allow.
double carom_sweep_clear_frame_acceleration(const caromModel *model, const caromKin *kin,
                                            const caromMotionBound *bounds, int frame, int shape, double dt);

typedef struct caromClearMotion {  // a state, and how bodies may move from there
    const caromModel *model;
    const caromKin *kin;
    const caromMotionBound *bounds;
} caromClearMotion;

typedef struct caromClearPiece {   // a convex piece of a body
    caromCore core;
    caromMat3 R;                  // its axes in W
    caromVec3 c;                  // its centre in W
    int body;
} caromClearPiece;

// Along a direction that turns with the face or the edges that touch, where the pieces are the gap of each other: how
// long it stays above the level, up to |dt|; 0: nothing flat touches (clear_turn.c).
double carom_sweep_clear_turning(const caromClearMotion *motion, const caromClearPiece piece[2], const caromGap *gap,
                                 double dt, double level);

typedef struct caromClearNear {
    double g, margin;             // gap of the shapes themselves, to stay above -margin
    caromVec3 p;                  // the nearest point of the second shape
} caromClearNear;
// Of a torus, the first of both, and a convex shape or another torus: up to |dt| (clear_ring.c).
double carom_sweep_clear_ring(const caromClearMotion *motion, const int shape[2], const caromClearNear *near,
                              double dt);

// Of a mesh that presses by points of its surface on a convex shape: up to |dt|; negative: the pair is none
// (clear_points.c).
double carom_sweep_clear_points(const caromClearMotion *motion, int pair, double dt, double margin);

typedef struct caromClearArc {     // of a torus, and what is near it
    double at, half;              // middle of the arc, half of its width [rad]
    const caromShape *other;      // convex, in the frame of the second shape
} caromClearArc;
// The same for an arc and a piece of the second shape. near->g: of the whole shapes, or less.
double carom_sweep_clear_arc(const caromClearMotion *motion, const int shape[2], const caromClearArc *arc,
                             const caromClearNear *near, double dt);

// As carom_sweep_clear_time, piece by piece: a mesh and anything.
double carom_sweep_clear_pieces(const caromModel *model, const caromKin *kin, const caromMotionBound *bounds, int pair,
                                double dt, double margin);

#endif
