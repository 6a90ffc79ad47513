// One row per shape: everything that the rooms need to know about a kind by itself. What two kinds do together is in
// narrow/, meshgap/ and patch/.
#ifndef CAROM_SRC_GEOMETRY_H
#define CAROM_SRC_GEOMETRY_H

#include "carom/geometry.h"
#include "geometry/core.h"

typedef struct caromShapeRow {
    const char *name;             // in model files
    // Names of size.x, .y, .z in model files and messages; NULL: not used. A single name with is_vector stands for all three.
    const char *keys[3];
    bool is_vector;
    bool may_be_zero[3];          // else that dimension must be positive
    bool is_bounded;
    caromCore (*core)(const caromShape *shape);           // NULL: the shape is not bounded and convex
    caromMassProps (*solid)(const caromShape *shape);     // at density 1: mass is the volume; NULL: unbounded
    double (*surface)(const caromShape *shape);           // area; NULL: unbounded
    double (*radius)(const caromShape *shape);            // of the bounding sphere about So
    double (*half_thickness)(const caromShape *shape);    // half of the smallest thickness
    double (*largest_rounding)(const caromShape *shape);  // of edges; NULL: none is allowed. A cylinder or cone must keep a disc
    caromCurvature (*curvature)(const caromShape *shape, caromVec3 p_S, caromVec3 n_S);  // NULL: by its core
    // One radius for the whole of the shape: for rolling resistance, and for the stiffness where curvature cannot give it (edges, meshes, grooves). That of a
    // ball; the geometric mean of an ellipsoid's; where one principal curvature is 0, twice the other radius, which has the same mean curvature. NULL:
    // plane faces, infinite.
    double (*mean_radius)(const caromShape *shape);
    bool touches_in_points;  // whatever the other shape is
    bool is_round;           // about an axis, with a curved side: touches others like it in a point unless they line up
} caromShapeRow;

extern const caromShapeRow carom_shape_sphere, carom_shape_ellipsoid, carom_shape_box, carom_shape_cylinder, carom_shape_cone, carom_shape_capsule,
    carom_shape_polytope, carom_shape_torus, carom_shape_mesh, carom_shape_half_space;

const caromShapeRow *carom_shape_row(caromShapeKind kind);

// |r|^2 1 - r r^T: what a unit mass at r adds to the inertia about the origin (parallel axes).
caromMat3 carom_point_inertia(caromVec3 r);

// At density 1: of a frustum grown by its radius, and of a polytope grown by hull->rounding (needs vertices, faces and edges only; zero mass
// when memory runs out).
caromMassProps carom_frustum_mass(const caromCore *core);
caromMassProps carom_hull_mass(const caromHull *hull);
double carom_frustum_surface(const caromCore *core);
double carom_hull_surface(const caromHull *hull);

caromVec3 carom_square_to(caromVec3 n);  // a unit vector square to n

// A shape for another owner, with a hull of its own; false: out of memory, and it has none.
bool carom_shape_copy(caromShape *shape);
void carom_shape_free(caromShape *shape);

double carom_shape_half_thickness(caromShape shape);  // half of the smallest; infinite for a half-space
double carom_shape_surface(caromShape shape);         // area [m^2]; infinite for a half-space

#endif
