// manifold.h -- the points in which two rigid bodies touch, followed while they move.
//
// A round surface touches in a point; a line (a cylinder that lies, an edge on a face) in its two ends; faces in the
// corners of the polygon that they share. Each point has features, bits of the two surfaces by which it is found
// again at a nearby pose.
//
// What a point does while the bodies move, with S the curvature of a surface (dn = S u), w angular velocities, and u
// the velocity of the point over the material of each body:
//     dn/dt = w_A x n + S_A u_A = w_B x n - S_B u_B,      v_B + u_B - v_A - u_A = g' n + g dn/dt
// A corner does not move on its body (S infinite), an edge lets the point move along itself only, a plane turns n
// with its body (S = 0).
#ifndef CAROM_SRC_MANIFOLD_H
#define CAROM_SRC_MANIFOLD_H

#include "patch/patch.h"

typedef struct caromTouchPoint {
    double g;                 // along n_AB [m]
    caromVec3 n_AB;           // unit, in W
    caromVec3 p_A, p_B;       // on the surfaces with their shells, in W: p_B - p_A = g n_AB
    int feature[2];           // of A and of B, >= 0 (parts.h)
    bool lies;                // of a disc that lies flat: touches where any of its points does
} caromTouchPoint;

enum { CAROM_TOUCH_POINTS_MAX = 64 };

// The points of a pair, of which the least gap is at most `within` [m]; else none. All corners of the faces
// (ends of the lines) that face each other are listed, those too that are farther apart than `within`: a box that rocks
// on an edge has the corners of the face that comes down. Ordered by features; at most CAROM_TOUCH_POINTS_MAX.
int carom_manifold_points(const caromModel *model, const caromKin *kin, int pair, double within,
                          caromTouchPoint *points);

// The gap of a pair as its nearest point has it: of solids with a mesh the search of events and the response see the
// same points, and the depth of a mesh that is not convex takes long to find. Of others carom_patch_gap.
caromGap carom_manifold_gap(const caromModel *model, const caromKin *kin, int pair);

// The same point at another pose. False: it is not there (a corner left its face, edges do not cross any more); g and n
// are of the features all the same, extended. Where they have no distance that could be told (of a state beyond what
// numbers can hold) g is NaN.
bool carom_manifold_point_at(const caromModel *model, const caromKin *kin, int pair, const int feature[2],
                             caromTouchPoint *point);

// Places of a ring run along it, and are found again downhill from where they were: the name of the point of these
// features becomes that of where it is now. Else a place that appears in between would be taken for it.
void carom_manifold_follow(const caromModel *model, const caromKin *kin, int pair, int feature[2]);

// The rim of a disc that nearly lies on a plane face: its lowest point is where the disc leans to, and jumps to the
// other side of the rim when the disc passes through flat.
typedef struct caromTouchLean {
    caromVec3 lean, rate;     // the axis along the face, sine of the angle; and what it does as seen from the face
} caromTouchLean;
// Of the point of these features; false: it is no such point.
bool carom_manifold_lean(const caromModel *model, const caromKin *kin, int pair, const int feature[2],
                         caromTouchLean *lean);
// The disc on whose rim the point of these features lies, flat or nearly so on a plane face of the other; false: none.
typedef struct caromTouchDisc {
    caromVec3 centre;         // in W
    double R;
    int end;                  // which of its shape: 2 side + (1: the top)
} caromTouchDisc;
bool carom_manifold_disc(const caromModel *model, const caromKin *kin, int pair, const int feature[2],
                         caromTouchDisc *disc);
// Of a disc that lies flat, and touches with all of its rim: the point that comes down fastest, as a corner that is
// fixed to the body. point: any that is listed; false: none of a disc on a face, or all come down alike.
bool carom_manifold_rim_fastest(const caromModel *model, const caromKin *kin, const caromTouchPoint *listed, int pair,
                                caromTouchPoint *point);

// The time in which bodies that are moving as they do come nearer by what is listed beside the points that touch; what
// comes down later is not listed yet. Infinite where all corners are.
double carom_manifold_pace(const caromModel *model, const caromKin *kin, int pair);

typedef struct caromTouchMotion {
    caromVec3 dn;             // dn/dt, in W
    caromVec3 u_A, u_B;       // of p_A over A, of p_B over B, in W [m/s]
    bool is_known;            // false: surfaces that line up without being plane faces
} caromTouchMotion;
// With the velocities in kin. g is taken for 0 where it is small against the radii.
caromTouchMotion carom_manifold_motion(const caromModel *model, const caromKin *kin, int pair,
                                       const caromTouchPoint *point);

#endif
