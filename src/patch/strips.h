// strips.h -- the part of the surface of a body of revolution that is inside another shape (docs/contact.md, "Strips").
//
//   strips.c   the row of the table of patches: cells and energy
//   sections.c the surface in pieces, each cut into sections, and the integral over them
//   soft.c     how deep a point is in the other shape
#ifndef CAROM_SRC_PATCH_STRIPS_H
#define CAROM_SRC_PATCH_STRIPS_H

#include "patch/patch.h"

// A bit of force on b: weight times gradient, at p. What belongs to the ends of a section may have either sign.
typedef struct caromStripPoint {
    caromVec3 p, gradient;  // of depth; both in the frame of b
    double depth;           // [m]
    double weight;          // [m^3]
} caromStripPoint;

// A load of D^3 per area on a section: how much, what it does when D gives way, about where it is, and how far it
// spreads along and across the section, as vectors of the length of a standard deviation.
typedef struct caromStripSection {
    double load, work;      // [m^5], [m^6]
    caromVec3 p, normal, along, across;
} caromStripSection;

typedef struct caromStripVisitor {
    void (*point)(const caromStripPoint *point, void *user);        // or NULL
    void (*section)(const caromStripSection *section, void *user);  // or NULL
    void *user;
} caromStripVisitor;

typedef struct caromStripSum {
    double energy;          // W [m^4]
    double depth;           // largest [m]
    double felt;            // largest at a point of the quadrature, by which what acts beyond the law goes [m]
} caromStripSum;

// X_BA: a in the frame of b. stiff: what acts beyond the law; NULL: nothing. The points are the gradient of this
// very W, whatever the quadrature leaves of the integral.
caromStripSum carom_patch_strip_sum(const caromShape *a, const caromShape *b, caromPose X_BA,
                                    const caromStiffening *stiff, const caromStripVisitor *visitor);

#endif
