// patch.h -- what the two shapes of a pair of a model do to each other, geometrically.
//
// Two questions are answered for a pair:
//   gap    how far apart, and in which direction: for events (touch, separation) and reports;
//   patch  where do they press, while they overlap: contact cells, whose weights and places vary continuously with the
//          pose, for forces. A round shape presses at one point; flat faces press over the surface where two depth
//          fields balance (cells.c), bodies on a half-space with all that is below it (round.c).
#ifndef CAROM_SRC_PATCH_H
#define CAROM_SRC_PATCH_H

#include "carom/collide.h"
#include "kinematics/kinematics.h"

// A bit of contact.
typedef struct caromCell {
    caromVec3 p_W;
    caromVec3 n_AB;  // unit, in W
    double weight;   // point: depth [m]. face: integral of depth over its share of the surface [m^3]
    double area;     // that share [m^2]; 0: not told
} caromCell;

// Four for each of 1024 polygons, one for each of 2048: then neighbours are lumped together (cells.c).
enum { CAROM_CELLS_MAX = 4096 };

typedef struct caromPatch {
    double depth;  // largest [m]
    double steep_at;  // that by which what acts beyond the law goes [m]
    double energy;  // W of which the cells are the gradient; 0: not told [m^4]
    bool is_through;  // deeper than any force holds: the shapes would pass through each other
    int ncell;
    caromCell cells[CAROM_CELLS_MAX];
} caromPatch;

typedef enum caromContactKind {
    CAROM_CONTACT_NONE,   // the shapes mostly touch along a line or a curved face: no law for that yet
    // Cells half way between witness points, one, or on a mesh several; the law is Hertz' with the curvature radius.
    CAROM_CONTACT_POINT,
    CAROM_CONTACT_FACE    // cells of a pressure surface
} caromContactKind;

// What depth d makes over the surface on which two shapes press: W, the integral of d^2/2 [m^4], and of a load p = d^3
// per area its work, the integral of p d [m^6], and the integral of p p'/|x - x'| over two places [m^9].
typedef struct caromPressing {
    double energy, work, nearness;
} caromPressing;

// A ball or an ellipsoid touches any convex shape in one point, a ball a mesh in some; cylinders, cones, capsules and
// tori touch each other in one unless they line up, which is found out at the touch; plane faces press over a surface.
// The kind that a pair has, unless it is said at the touch that it is the other one.
caromContactKind carom_patch_contact_kind(const caromShape *a, const caromShape *b);
caromContactKind carom_patch_pair_contact(const caromModel *model, int pair);
// May it press over a surface although it touches in points mostly?
bool carom_patch_pair_may_line_up(const caromModel *model, int pair);

// May points of their surfaces press (sampled.c, on_face.c), each with a force of its own?
bool carom_patch_pair_is_of_points(const caromModel *model, int pair);
// Is its gap that of the points by which meshes press (sampled.c), which is above that of the shapes? Others have the
// gap of their shapes, but for the depth of meshes.
bool carom_patch_pair_gap_is_of_points(const caromModel *model, int pair);

// A point by which a mesh presses on a convex shape: how far outside of that, and its outer normal.
typedef struct caromPressPoint {
    double g;
    caromVec3 p_W, n_W;
} caromPressPoint;
typedef struct caromPressPoints {
    double reach;  // those farther outside are left out; visit may make it less
    void (*visit)(const caromPressPoint *point, void *user);
    void *user;
} caromPressPoints;
// Shells are left out. *mesh: which of both shapes is the mesh. False: the pair is none of a mesh that presses by tiles
// on a convex shape.
bool carom_patch_press_points(const caromModel *model, const caromKin *kin, int pair, caromPressPoints *points,
                              int *mesh);

// Depths [m] from which on more than the law acts, and up to which it holds (deep.h); infinite: nowhere.
typedef struct caromStiffening {
    double from, to;
} caromStiffening;
caromStiffening carom_patch_stiffening(const caromModel *model, int pair, caromContactKind kind);
// y^5: what is added, over the force of the law at `from`; its integral over depth [m]; d ln(force)/d ln(depth) that it
// adds to a force that is linear.
static inline double carom_patch_steep(const caromStiffening *s, double depth)
{
    if (depth <= s->from) return 0.0;
    double y = (depth - s->from)/(s->to - depth);
    return depth < s->to ? y*y*y*y*y : (double)INFINITY;
}
double carom_patch_steep_integral(const caromStiffening *s, double depth);
double carom_patch_steepness(const caromStiffening *s, double depth);
// Half of the smallest thickness of the thinner shape [m].
double carom_patch_half_thickness(const caromModel *model, int pair);

// Less the shells: where force begins to act. The points and the normal are those of the shapes.
caromGap carom_patch_gap(const caromModel *model, const caromKin *kin, int pair);
// dg/dt [m/s]
double carom_patch_gap_rate(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap);
void carom_patch_of_pair(const caromModel *model, const caromKin *kin, int pair, caromContactKind kind,
                         caromPatch *patch);
// The surface of a face contact as polygons, the same that the cells stand for. False: it is known as cells only.
bool carom_patch_surface(const caromModel *model, const caromKin *kin, int pair, caromPolygonVisitor visit, void *user);
// Integral of the smaller of the two depth fields over the overlap [m^4]; face contacts only.
double carom_patch_energy(const caromModel *model, const caromKin *kin, int pair);
// The same if shape B were moved by this much, in W.
double carom_patch_energy_moved(const caromModel *model, const caromKin *kin, int pair, caromVec3 moved);
// Of a pair that may line up, moved likewise.
caromPressing carom_patch_pressing_moved(const caromModel *model, const caromKin *kin, int pair, caromVec3 moved);
// What is added to it where they are deep.
double carom_patch_stiff_energy(const caromModel *model, const caromKin *kin, int pair);
// Length that goes with the contact [m]: radius of curvature of a point, l of a face (docs/contact.md).
double carom_patch_length(const caromModel *model, int pair, caromContactKind kind);

#endif
