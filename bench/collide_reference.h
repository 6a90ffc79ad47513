// Signed distance of two convex solids in long double, slowly and with bounds from both sides. Shares nothing with
// src/collide.
#ifndef CAROM_BENCH_COLLIDE_REFERENCE_H
#define CAROM_BENCH_COLLIDE_REFERENCE_H

#include "collide.h"

typedef long double Real;
typedef struct Vec { Real x, y, z; } Vec;

static inline Vec vec(Real x, Real y, Real z) { return (Vec){ x, y, z }; }
static inline Vec add(Vec a, Vec b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline Vec sub(Vec a, Vec b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline Vec scale(Real s, Vec a) { return vec(s*a.x, s*a.y, s*a.z); }
static inline Real dot(Vec a, Vec b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static inline Vec cross(Vec a, Vec b) { return vec(a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x); }
static inline Real norm(Vec a) { return sqrtl(dot(a, a)); }
static inline Vec unit(Vec a) { return scale(1/norm(a), a); }

// A triangulated convex surface that grows by points.
enum { MESH_POINTS = 4000, MESH_FACES = 40000 };
typedef struct Face {
    int i[3];      // counter-clockwise from outside
    Vec n;         // outer unit normal
    Real d;        // of the plane from the origin
    bool is_gone;
} Face;
typedef struct Mesh {
    int npoint, nface;
    Vec points[MESH_POINTS];
    Face faces[MESH_FACES];
} Mesh;

bool mesh_start(Mesh *mesh, const Vec p[4]);  // false: flat
bool mesh_add(Mesh *mesh, Vec p);             // false: not outside, or rounding spoils the surface

typedef struct Reference {
    bool is_ok;
    Real g;        // > 0 distance, < 0 minus the depth
    Vec n;         // from A to B
    Real gap;      // |g| is known to this
} Reference;

// mesh is working space.
Reference reference_gap(const BenchHull *hulls, const BenchSolid *a, const BenchPose *X_WA, const BenchSolid *b,
                        const BenchPose *X_WB, Mesh *mesh);

// How far B must go along n to be free: an upper bound of the depth for any unit n.
Real reference_way_out(const BenchHull *hulls, const BenchSolid *a, const BenchPose *X_WA, const BenchSolid *b,
                       const BenchPose *X_WB, Vec n);

#endif
