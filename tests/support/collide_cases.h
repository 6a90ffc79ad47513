// Pairs of shapes with their exact gap: tests/narrow/collide_cases.txt, written by collide_cases_make.c.
#ifndef CAROM_TESTS_COLLIDE_CASES_H
#define CAROM_TESTS_COLLIDE_CASES_H

#include "collide_reference.h"

typedef enum CaseClass {
    CLASS_SPHERE, CLASS_ELLIPSOID, CLASS_BOX, CLASS_ROUNDED_BOX, CLASS_CYLINDER, CLASS_ROUNDED_CYLINDER, CLASS_CONE,
    CLASS_ROUNDED_CONE, CLASS_CAPSULE,
    CLASS_POLYTOPE, CLASS_ROUNDED_POLYTOPE, CLASS_HALF_SPACE, CLASSES
} CaseClass;
const char *case_class_name(CaseClass c);
CaseClass case_class(caromShape shape);
// A box, polytope or half-space grown by a radius: everything that has no curved core.
bool case_class_is_flat(CaseClass c);

typedef enum CaseRegime { REGIME_FAR, REGIME_NEAR, REGIME_TOUCHING, REGIME_SHALLOW, REGIME_DEEP, REGIME_INSIDE,
                          REGIMES } CaseRegime;
const char *case_regime_name(CaseRegime r);

typedef struct CaseShape {
    caromShape shape;
    caromHull *hull;      // owned
    RefPolytope *core;    // of a polytope
} CaseShape;

typedef struct Case {
    CaseRegime regime;
    int a, b;              // shapes
    caromPose X_WA, X_WB;
    double g, uncertainty; // the exact gap is within uncertainty of g
    caromVec3 n;           // where it is attained
    // Directions farther than this from n are worse by at least 1e-9 of the size; large: n is not unique.
    double spread;
} Case;

enum { CASE_SHAPES_MAX = 128 };
typedef struct CaseSet {
    int nshape, ncase;
    CaseShape shapes[CASE_SHAPES_MAX];
    Case *cases;
} CaseSet;
// Aborts, and says why, when the file is not as it should be.
CaseSet *case_set_read(const char *path);
void case_set_free(CaseSet *set);
RefBody case_body(const CaseSet *set, int shape, caromPose X_WS);

#endif
