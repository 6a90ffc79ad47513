// The search of solids.c: pairs of parts that are near each other.
#ifndef CAROM_SRC_MANIFOLD_SOLIDS_H
#define CAROM_SRC_MANIFOLD_SOLIDS_H

#include "manifold/parts.h"

enum { CAROM_SOLIDS_MAX = 256 };

typedef struct caromNearestParts {
    double g;                // infinite: none yet
    caromTouchPart part[2];
} caromNearestParts;

typedef struct caromSolids {
    const caromTouchPair *pair;
    int mesh;                // the side that is one; of two meshes the first
    double band;             // gaps within it count, on both sides of 0
    caromNearestParts nearest;
    int n;
    caromTouchPoint points[CAROM_SOLIDS_MAX];
} caromSolids;

// Adds the place of two parts, the first of side i, if it counts. steep: sine by which what belongs to the parts may
// rise towards the normal.
void carom_manifold_consider(caromSolids *s, int i, caromTouchPart part, caromTouchPart other, double steep);

// thin.c: into the list; of points at one place, or of many in a plane, those that stand for all.
void carom_manifold_thin_out(const caromSolids *s, caromTouchList *list);

#endif
