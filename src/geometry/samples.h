// Points fixed on the surface of a shape, for contact that is felt point by point (patch/sampled.c).
#ifndef CAROM_SRC_GEOMETRY_SAMPLES_H
#define CAROM_SRC_GEOMETRY_SAMPLES_H

#include <stdatomic.h>

#include "carom/geometry.h"
#include "geometry/mesh_field.h"

typedef struct caromSamplePoint {
    caromVec3 p;   // in S
    double area;   // its share of the surface [m^2]
} caromSamplePoint;

// A ball that holds its points, and a disc about the same centre, which is thin where the surface is hardly curved.
// Leaves have those at first .. first + count - 1; inner nodes, count = 0, the children first and first + 1.
typedef struct caromSampleNode {
    caromVec3 centre;
    double radius;
    caromVec3 axis;          // of the disc, unit
    double across, along;    // its radius, and half of its thickness
    int first, count;
} caromSampleNode;

enum { CAROM_SAMPLE_LEAF = 8, CAROM_SAMPLE_DEPTH_MAX = 40 };

struct caromSamples {
    atomic_int owners;
    // The spacing was given: pairs with this shape press by samples, whatever else they could do.
    bool is_asked;
    double spacing;          // h [m]
    double area;             // of all together [m^2]
    int n, nnode;
    caromSamplePoint *points;     // in the order of the leaves
    caromSampleNode *nodes;  // root first
    caromMeshField *field;   // of a mesh, for the tiles of others; NULL: none
};

// ---- samples_make.c

typedef struct caromSampleList {
    double spacing;
    caromSamplePoint *items;
    int n, capacity;
    bool is_full, out_of_memory;  // more than CAROM_SAMPLES_MAX, or than there is memory for: then the rest is left out
} caromSampleList;

// Points of a bounded shape, about one to a square of the spacing, and on sharp corners, rims and edges. Their areas
// add up to the surface.
void carom_shape_sample_surface(const caromShape *shape, caromSampleList *list);
// For shapes whose core does not tell: a capsule or (half = 0) a ball, with half the length of its straight part.
void carom_geometry_sample_capsule(caromSampleList *list, double radius, double half);
void carom_geometry_sample_torus(caromSampleList *list, double ring_radius, double tube_radius);
void carom_geometry_sample_mesh(caromSampleList *list, const caromMesh *mesh);

#endif
