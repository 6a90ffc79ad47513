// scales.h -- the small numbers by which points of a manifold are told apart.
//
// Lengths are parts of the size of the smaller shape.
#ifndef CAROM_SRC_MANIFOLD_SCALES_H
#define CAROM_SRC_MANIFOLD_SCALES_H

// Corners over edges count as over both faces; points nearer than this are one. Far above roundings, far below what
// a simulation could care about.
#define CAROM_TOUCH_SAME                 1e-9
// Ends of a shape that are level to this along a direction end in it together; the same reason.
#define CAROM_TOUCH_LEVEL                1e-9
#define CAROM_TOUCH_GAP                  1e-12  // gaps found in two ways agree to this (narrow/scales.h: SOLVED)
// Sine below which edges that cross do not count: the less such a crossing matters, the more its place and normal
// are in doubt.
#define CAROM_TOUCH_PARALLEL             1e-4
// The square of a sine (1e-10) below which lines have no crossing at all.
#define CAROM_TOUCH_PARALLEL2            1e-20
// The square of the sine (1e-4) below which two edges of boxes give no axis of their own; that of a face is as good.
#define CAROM_TOUCH_AXIS2                1e-8
// Discs that lean by less [rad] lie flat: four corners then stand for the rim, which is lower than they are by 0.3 of
// this times its radius at most. Far above roundings of directions, and below what any tolerance asks of a gap.
#define CAROM_TOUCH_LYING                1e-9
// And here [sine] it is roundings that tell to which side.
#define CAROM_TOUCH_FLAT                 2e-15
// And by less than this part of the tolerance: the disc is as flat as the integration can tell then, and what it moves
// by and loses there is that part of the tolerance. Rolling on at its lean it would wobble at rates without bounds: a
// ring at 2e-6 rad and 1e4 Hz took 36,000 steps for 0.2 s at tolerance 1e-5, with 0.5e-3 of it.
#define CAROM_TOUCH_LYING_PART           0.05
// Of a rim: its points fixed to the body are told to 4e-7 rad, and so heights and speeds of it to 1e-13.
#define CAROM_TOUCH_ANGLES               16777216
// Places of a ring are found again from where they were: in one of so many sectors.
#define CAROM_TOUCH_SECTORS              4096
// Places of a ring that are farther than the nearest by this part of the smaller shape are left to the nearest point.
#define CAROM_TOUCH_RING_BAND            0.1
// 8 degrees: faces, ends and sides that look along the normal to this face each other.
#define CAROM_TOUCH_FACING_COS           0.99
// 26 degrees: two bars that are crossed edge on edge have no face nearer to the normal than this.
#define CAROM_TOUCH_CROSSING_COS         0.9
#define CAROM_TOUCH_FLUSH_COS            (1.0 - 1e-12)  // 1.4e-6 rad: faces that lie on each other
// Room for what a tilt may move a crossing as seen along the normal, in parts of an edge: of such faces,
#define CAROM_TOUCH_FLUSH_ROOM           0.01
#define CAROM_TOUCH_TILTED_ROOM          0.5    // and of others
// Pivots below this say that surfaces line up; rows have entries of 1.
#define CAROM_TOUCH_PIVOT                1e-9
// A last step of Newton below this [rad] has found the angle: the next would be its square.
#define CAROM_TOUCH_STEP                 1e-9
// A step outwards, of the reach of a mesh, that shows which feature of a triangle a point is on.
#define CAROM_TOUCH_OUTWARDS             1e-3
// Parts of a mesh that are nearer to the other surface than this part of the smaller shape are points; nothing else may
// come down in a step (carom_manifold_pace).
#define CAROM_TOUCH_NEAR                 0.01
// 30 degrees, as a sine: corners of a face that is tilted by less may come down next.
#define CAROM_TOUCH_STEEP                0.5
// Half way between parts that have passed each other by d it is this part of d deep in both solids, or more; where a
// corner lies over a corner it is d/7.
#define CAROM_TOUCH_WEDGE                16.0
// The square of the sum of two outward normals, of a rim or an edge each, down to which the wedge between their sides
// is looked into at its middle: 1 + the cosine between these sides.
#define CAROM_TOUCH_NARROW               0.125
// Points of a mesh in one plane: more than these are thinned out, to those farthest along so many directions.
enum { CAROM_TOUCH_GROUP_MOST = 16, CAROM_TOUCH_DIRECTIONS = 12 };
// Secant steps to the place where an edge is nearest to a smooth shape, one in three of which halves the bracket.
enum { CAROM_TOUCH_ALONG_MAX = 160 };
#define CAROM_TOUCH_BAND                 0.02   // of the reach of a mesh with many vertices: those farther up wait

#endif
