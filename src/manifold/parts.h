// Parts of surfaces: what the points of contact (manifold.h) are made of.
//
// A surface is a core grown by a radius (geometry/core.h); its parts are those of the core: corners, edges, faces,
// rims. Two parts have one place where they are nearest, or at which one lies over the other, for any pose: that
// is how a point is found again (locate.c). What has no closed form is a smooth part, and the gap of the whole
// shapes finds its point.
//
//   manifold.c the calls on pairs of a model: which row lists the points, order, shells
//   parts.c    where parts are
//   locate.c   one row for two kinds of parts: the place where they meet
//   rims.c     the rows with rims
//   motion.c   how it moves
//   faces.c    points of plane-faced cores against each other (also points and segments: balls and capsules)
//   boxes.c    which way two boxes face each other
//   lines.c    cylinders and cones on plane faces
//   mesh.c     meshes on half-spaces; open ones under balls
//   solids.c   meshes on everything else; thin.c which of many points stand for all
//   smooth.c   corners, edges and faces of meshes on smooth shapes
//   rings.c    tori that touch in several places
//   round.c    everything else: the one nearest point
#ifndef CAROM_SRC_MANIFOLD_PARTS_H
#define CAROM_SRC_MANIFOLD_PARTS_H

#include "manifold/manifold.h"
#include "manifold/scales.h"
#include "narrow/convex.h"
#include "narrow/narrow.h"

typedef enum caromPartKind {
    // A point fixed to the body: vertex of a box, hull or mesh; of a frustum 4 end + k, of a ring k: at the
    // angle k pi/2 of its rim; of both 8 + end + 2 k: at the angle 2 pi k/CAROM_TOUCH_ANGLES.
    CAROM_PART_CORNER,
    // Of a box, hull or mesh; of a frustum 0: its side, of a cylinder as grown from the axis, of a cone the line on it
    // that is turned towards the other part.
    CAROM_PART_EDGE,
    // Of a box or hull; of a mesh a place in its plane; of a half-space 0; of a frustum 0 bottom, 1 top.
    CAROM_PART_FACE,
    // Of a frustum: 0 bottom, 1 top, and 2 or 4 more: where it crosses an edge or a rim for the first or the second
    // time (rims.c).
    CAROM_PART_RIM,
    CAROM_PART_SMOOTH,  // 0: the rest; of a mesh 1 + place of a triangle
    CAROM_PART_RING,    // of a torus that is near in several places: the one downhill from id of CAROM_TOUCH_SECTORS
    CAROM_PART_KINDS
} caromPartKind;

enum { CAROM_TOUCH_RIM_CORNERS = 8 };

typedef struct caromTouchPart {
    caromPartKind kind;
    int id;
} caromTouchPart;

static inline int carom_manifold_feature(caromPartKind kind, int id)
{
    return CAROM_PART_KINDS*id + (int)kind;
}
static inline caromTouchPart carom_manifold_part(int feature)
{
    return (caromTouchPart){ (caromPartKind)(feature%CAROM_PART_KINDS), feature/CAROM_PART_KINDS };
}

// A shape where it is. Everything is along the axes of W, from the origin of A: roundings are those of the distance
// between the two, not of their place in the world.
typedef struct caromTouchSide {
    const caromShape *shape;
    caromCore core;    // not of a half-space, torus or mesh
    caromPose X;
} caromTouchSide;

typedef struct caromTouchPair {
    caromTouchSide side[2];
    const caromModel *model;
    const caromKin *kin;
    int pair;          // of the model
    double size;       // of the smaller one [m]
    double lying;      // [rad] discs that lean by less lie flat
} caromTouchPair;

// ---- parts.c

// Core with corners, edges and faces, perhaps none of them; or a half-space.
bool carom_manifold_is_flat(const caromTouchSide *side);
static inline bool carom_manifold_is_ring(const caromTouchSide *side)
{
    return side->shape->kind == CAROM_TORUS;
}
static inline bool carom_manifold_is_frustum(const caromTouchSide *side)
{
    return side->core.kind == CAROM_CORE_FRUSTUM && !carom_manifold_is_ring(side);
}

typedef struct caromTouchLine {
    caromVec3 p, q;
    caromVec3 out;       // somewhere outwards, square to it; 0: it has no faces
    double radius;       // of the surface about it
} caromTouchLine;
typedef struct caromTouchCircle {
    caromVec3 centre, axis;  // unit
    double R;
    double side;         // +1: the axis points out of the solid here, -1: into it; 0: a ring
} caromTouchCircle;

static inline bool carom_manifold_is_cone(const caromTouchSide *side)
{
    return carom_manifold_is_frustum(side) && side->core.r0 != side->core.r1 && side->core.z0 < side->core.z1;
}
// The line on the side of a cone at an angle about its axis; out: the normal there. And those two angles at which the
// normal is square to d [W]; false: none is.
caromTouchLine carom_manifold_cone_line(const caromTouchSide *side, double angle);
bool carom_manifold_cone_square_to(const caromTouchSide *side, caromVec3 d_W, double angle[2]);

// How far a frustum or a ring leans from standing on a plane with this outer normal: a sine.
double carom_manifold_lean_of(const caromTouchSide *side, caromVec3 out_W);
bool carom_manifold_part_exists(const caromTouchSide *side, caromTouchPart part);
double carom_manifold_radius(const caromTouchSide *side, caromTouchPart part);  // of the surface about the part
caromVec3 carom_manifold_corner(const caromTouchSide *side, int id);
caromVec3 carom_manifold_corner_out(const caromTouchSide *side, int id);
caromTouchLine carom_manifold_line(const caromTouchSide *side, int id);
caromTouchCircle carom_manifold_circle(const caromTouchSide *side, int id);
// Outer unit normal, and a point of it.
caromVec3 carom_manifold_plane(const caromTouchSide *side, int id, caromVec3 *on);
// x over the face, by more than the margin from its edges
bool carom_manifold_is_over(const caromTouchSide *side, int id, caromVec3 x, double margin);
int carom_manifold_edge_of(const caromTouchSide *side, int corner, int other);  // of a box or hull; -1: none
void carom_manifold_edge_ends(const caromTouchSide *side, int id, int ends[2]);
// Along W; out: outer normal at p.
caromCurvature carom_manifold_curvature(const caromTouchSide *side, caromTouchPart part, caromVec3 p, caromVec3 out);

// ---- locate.c

typedef struct caromTouchPlace {
    caromVec3 n;         // from A to B, unit
    caromVec3 c[2];      // points of the two parts of the cores
    double g;            // of the surfaces
    bool is_there;       // within the ends of both parts
} caromTouchPlace;
// False: there is none for these kinds, or they are degenerate (parallel edges).
bool carom_manifold_locate(const caromTouchPair *pair, const caromTouchPart part[2], caromTouchPlace *place);

// c of the core of side i over a plane face of the other side, for many c: the plane is that of carom_manifold_plane.
typedef struct caromTouchPlane {
    caromVec3 out, on;
    int face;
} caromTouchPlane;
void carom_manifold_over(const caromTouchPair *pair, int i, caromVec3 c, const caromTouchPlane *plane,
                         caromTouchPlace *place);
// Lines of A and B across each other. False: parallel.
bool carom_manifold_cross(const caromTouchPair *pair, const caromTouchLine *e, const caromTouchLine *f,
                          caromTouchPlace *place);
void carom_manifold_set_gap(const caromTouchPair *pair, const caromTouchPart part[2], caromTouchPlace *place);

// ---- mesh_parts.c

caromTouchLine carom_manifold_mesh_line(const caromTouchSide *side, int id);
caromVec3 carom_manifold_mesh_plane(const caromTouchSide *side, int id, caromVec3 *on);
// Does the solid fall away from `out`, by more than -steep (a sine)? All parts but corners and edges do.
bool carom_manifold_corner_faces(const caromTouchSide *side, int id, caromVec3 out_W, double steep);
bool carom_manifold_edge_faces(const caromTouchSide *side, int id, caromVec3 out_W, double steep);
bool carom_manifold_part_faces(const caromTouchSide *side, caromTouchPart part, caromVec3 out, double steep);
double carom_manifold_distance(const caromTouchSide *side, caromVec3 p_W);  // signed, from the whole shape

// ---- smooth.c. Rows of locate.c: a smooth shape on side i on a part of a mesh.
bool carom_manifold_smooth_corner(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_smooth_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_smooth_face(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_ring_bar(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
// The sectors in which a ring on side i is near to an edge; how many, at most CAROM_RING_PLACES.
int carom_manifold_ring_bar_places(const caromTouchPair *pair, int i, int b, int *sectors);

// ---- rims.c. a: part of side i, b: of the other
typedef bool (*caromTouchLocate)(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_rim_face(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_rim_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_rim_rim(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);

// ---- mesh.c
bool carom_manifold_triangle_ball(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
caromCurvature carom_manifold_triangle_curvature(const caromTouchSide *side, int id, caromVec3 p, caromVec3 out);

// ---- motion.c: of A and of B

typedef struct caromTouchMoving {
    caromVec3 n;
    double g;
    double size;            // to compare curvatures with
    caromVec3 v[2], w[2];   // of the material at the points, and its angular velocity
    caromCurvature k[2];    // along W
} caromTouchMoving;
caromTouchMotion carom_manifold_move(const caromTouchMoving *m);

// ---- listing

typedef struct caromTouchList {
    const caromTouchPair *pair;
    caromVec3 towards;        // normals that lean from it by more than
    double least_cos;         // this are left out
    bool lies;                // points are those of a disc that lies flat
    int n;
    caromTouchPoint *points;  // [CAROM_TOUCH_POINTS_MAX], from the origin of A
} caromTouchList;
// Adds the place of two parts if it is there, leans not too much, and no point is listed there yet.
void carom_manifold_push(caromTouchList *list, const caromTouchPart part[2], const caromTouchPlace *place);
void carom_manifold_add(caromTouchList *list, caromTouchPart a, caromTouchPart b);
void carom_manifold_add_to(caromTouchList *list, int i, caromTouchPart part, caromTouchPart other);  // part on side i
caromTouchPoint carom_manifold_point_of(const caromTouchPair *pair, const caromTouchPart part[2],
                                        const caromTouchPlace *place);

typedef struct caromTouchRow {
    bool (*serves)(const caromTouchPair *pair);
    void (*list)(caromTouchList *list, double within);  // may stop when the least gap is above
} caromTouchRow;
extern const caromTouchRow carom_touch_faces, carom_touch_lines, carom_touch_mesh, carom_touch_solids,
                           carom_touch_ring_on_end, carom_touch_round;

// rings.c. Rows of locate.c: a place of a ring, and one that is fixed to it, over anything else.
bool carom_manifold_ring_place(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
bool carom_manifold_ring_corner(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place);
caromTouchPart carom_manifold_sector(double angle);
bool carom_manifold_ring_ends(const caromTouchPair *pair, const caromTouchPart part[2], const caromTouchPlace *place);
// The places in which the ring of a torus is near, if there are several. False: it is no ring, or there is one.
bool carom_manifold_push_ring(caromTouchList *list, const caromTouchPoint *nearest);

// faces.c: the face of a plane-faced core that is most along d.
enum { CAROM_TOUCH_CORNERS_MAX = 64 };
typedef struct caromTouchFace {
    int n, id;                           // id -1: no plane, but an edge or a corner
    int label[CAROM_TOUCH_CORNERS_MAX];  // of corners, in order
    int nedge;                           // edge k is from corner k to the next
} caromTouchFace;
void carom_manifold_face_towards(const caromTouchSide *side, caromVec3 d_W, caromTouchFace *face);
int carom_manifold_face_edge(const caromTouchSide *side, const caromTouchFace *face, int k);

// boxes.c: the axis that separates two boxes best, and a lower bound of their gap. False: they are not boxes.
bool carom_manifold_boxes_axis(const caromTouchPair *pair, caromVec3 *n, double *phi);

// round.c: the nearest point of two shapes; false: undefined. The part in which a shape ends along d, outwards.
bool carom_manifold_nearest(const caromTouchPair *pair, caromTouchPoint *point);
// Its parts are told only if they lead back to it.
void carom_manifold_push_nearest(caromTouchList *list, const caromTouchPoint *nearest);
caromTouchPart carom_manifold_end(const caromTouchSide *side, caromVec3 d, double size);
// The least gap of the list; infinite for none.
double carom_manifold_least(const caromTouchList *list);

#endif
