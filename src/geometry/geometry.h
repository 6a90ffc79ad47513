// One row per shape: everything that the rooms need to know about a kind by itself. What two kinds do together is in
// narrow/, meshgap/ and patch/.
#ifndef CAROM_SRC_GEOMETRY_H
#define CAROM_SRC_GEOMETRY_H

#include "carom/geometry.h"
#include "geometry/core.h"

// size.x, .y or .z, by its name in model files and messages.
typedef struct caromDimension {
    const char *name;             // NULL: not used
    const char *example, *doc;    // of its key in the model file
    bool may_be_zero;             // and is 0 when it is not given; else it must be positive, and given
} caromDimension;

typedef struct caromSampleList caromSampleList;

typedef struct caromShapeRow {
    const char *name;             // in model files
    const char *example, *doc;    // of its key there
    caromDimension dimensions[3];
    bool is_vector;               // the first dimension stands for all three
    const char *rounding;         // what the model file says of the key; NULL: there is none
    bool has_edges;               // that can be rounded
    bool has_hull, has_mesh;      // and nothing is known of it without
    bool is_bounded;
    caromStatus (*check)(const caromShape *shape, caromError *err);  // beyond dimensions and rounding; NULL: nothing
    caromCore (*core)(const caromShape *shape);           // NULL: the shape is not bounded and convex
    caromMassProps (*solid)(const caromShape *shape);     // at density 1: mass is the volume; NULL: unbounded
    double (*surface)(const caromShape *shape);           // area; NULL: unbounded
    double (*radius)(const caromShape *shape);            // of the bounding sphere about So
    double (*half_thickness)(const caromShape *shape);    // half of the smallest thickness
    // Of edges; NULL: none is allowed. A cylinder or cone must keep a disc.
    double (*largest_rounding)(const caromShape *shape);
    caromCurvature (*curvature)(const caromShape *shape, caromVec3 p_S, caromVec3 n_S);  // NULL: by its core
    // Points on its surface (samples.h); NULL: by its core.
    void (*sample)(const caromShape *shape, caromSampleList *list);
    // One radius for the whole of the shape: for rolling resistance, and for the stiffness where curvature cannot give
    // it (edges, meshes, grooves). That of a ball; the geometric mean of an ellipsoid's; where one principal curvature
    // is 0, twice the other radius, which has the same mean curvature. NULL: plane faces, infinite.
    double (*mean_radius)(const caromShape *shape);
    bool touches_in_points;  // whatever the other shape is
    bool is_round;           // about an axis, with a curved side: touches others like it in a point unless they line up
} caromShapeRow;

// The table of shapes.
#define CAROM_SHAPES(ROW)                          \
    ROW(CAROM_SPHERE, carom_shape_row_sphere)          \
    ROW(CAROM_ELLIPSOID, carom_shape_row_ellipsoid)    \
    ROW(CAROM_BOX, carom_shape_row_box)                \
    ROW(CAROM_CYLINDER, carom_shape_row_cylinder)      \
    ROW(CAROM_CONE, carom_shape_row_cone)              \
    ROW(CAROM_CAPSULE, carom_shape_row_capsule)        \
    ROW(CAROM_POLYTOPE, carom_shape_row_polytope)      \
    ROW(CAROM_TORUS, carom_shape_row_torus)            \
    ROW(CAROM_MESH, carom_shape_row_mesh)              \
    ROW(CAROM_HALF_SPACE, carom_shape_row_half_space)

#define CAROM_DECLARE_SHAPE(kind, row) extern const caromShapeRow row;
CAROM_SHAPES(CAROM_DECLARE_SHAPE)

#define CAROM_ROUNDED_OUTSIDE "Radius of all edges and corners; 0: sharp. The outer dimensions stay."
#define CAROM_ROUNDED_TIPS "Radius of all edges and corners; 0: sharp. Faces stay where they are, tips recede."
#define CAROM_ROUNDED_ALREADY "Accepted and without effect: there is no edge to round."

extern const caromShapeRow *const carom_shape_rows[CAROM_SHAPE_KINDS];

static inline const caromShapeRow *carom_shape_row(caromShapeKind kind)
{
    return (unsigned)kind < CAROM_SHAPE_KINDS ? carom_shape_rows[kind] : NULL;
}

// |r|^2 1 - r r^T: what a unit mass at r adds to the inertia about the origin (parallel axes).
caromMat3 carom_geometry_point_inertia(caromVec3 r);

// At density 1: of a frustum grown by its radius, and of a polytope grown by hull->rounding (needs vertices, faces and
// edges only; zero mass when memory runs out).
caromMassProps carom_shape_frustum_mass(const caromCore *core);
caromMassProps carom_hull_mass(const caromHull *hull);
double carom_shape_frustum_surface(const caromCore *core);
double carom_hull_surface(const caromHull *hull);

caromVec3 carom_geometry_square_to(caromVec3 n);  // a unit vector square to n

// A shape for another owner, with a hull of its own; false: out of memory, and it has none.
bool carom_shape_copy(caromShape *shape);
void carom_shape_free(caromShape *shape);

double carom_shape_half_thickness(caromShape shape);  // half of the smallest; infinite for a half-space
double carom_shape_surface(caromShape shape);         // area [m^2]; infinite for a half-space
// A convex body with curved sides or rounded edges that can lie on them: a core that is grown or turned, but no
// ball and no ellipsoid.
bool carom_shape_is_curved(const caromShape *shape);

#endif
