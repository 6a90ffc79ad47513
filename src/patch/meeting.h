// Faces of two shapes that may meet, and the polygons in which they do.
//
// Of a shape only its pressures are looked at, one linear function for each face: that of the shape is the least of
// them. Where face i of A and face j of B meet both are equal, and all others are above, whichever shape they belong
// to.
#ifndef CAROM_SRC_PATCH_MEETING_H
#define CAROM_SRC_PATCH_MEETING_H

#include <stdint.h>

#include "patch/region.h"

enum { CAROM_MEETING_MAX = 2*CAROM_NEAR_FACES_MAX };

// A linear function in a region: at its centre, and how it grows along its axes.
typedef struct caromLinear {
    double at, slope[3];
} caromLinear;

typedef struct caromMeeting {
    int na, nb;                        // faces of a come first, then those of b
    caromLinear in[CAROM_MEETING_MAX]; // their pressures in the region
    int id_a[CAROM_NEAR_FACES_MAX];    // which face of a it is
    const caromHull *hull_a;           // NULL: a box
    caromMat3 R_QA;                    // axes of a in those of the region
    caromRegion region;                // holds the surface, or a part of it
    bool is_part;
    caromVec3 origin_W;                // of its coordinates
    double slack;                      // the region reaches so much farther than the surface [m]
    double top;                        // no pressure on the surface is above
} caromMeeting;

// Largest value in a region.
static inline double carom_field_linear_highest(const caromLinear *f, const caromRegion *q)
{
    return f->at + fabs(f->slope[0])*q->h[0] + fabs(f->slope[1])*q->h[1] + fabs(f->slope[2])*q->h[2];
}

// Smallest value in a region.
static inline double carom_field_linear_lowest(const caromLinear *f, const caromRegion *q)
{
    return f->at - fabs(f->slope[0])*q->h[0] - fabs(f->slope[1])*q->h[1] - fabs(f->slope[2])*q->h[2];
}

// s a + t b
static inline caromLinear carom_field_linear_mean(double s, const caromLinear *a, double t, const caromLinear *b)
{
    return (caromLinear){ s*a->at + t*b->at, { s*a->slope[0] + t*b->slope[0], s*a->slope[1] + t*b->slope[1],
                                               s*a->slope[2] + t*b->slope[2] } };
}

// Which faces can both be below top at some place in the region, a bit for every two: only those can meet, or bound a
// polygon of one another.
typedef struct caromNearFaces {
    int words;  // of each face
    uint64_t bits[CAROM_MEETING_MAX*CAROM_MEETING_MAX/64];
} caromNearFaces;
void carom_patch_meeting_prepare(const caromMeeting *m, caromNearFaces *near);

// Can faces i and j meet? They must be near, and the plane on which their pressures are equal must
// pass through the region.
bool carom_patch_may_meet(const caromMeeting *m, const caromNearFaces *near, int i, int j);

// The polygon of faces i of a and j of b; false: there is none. Only faces that are near both cut it. Along a way from
// the true polygon to a place where another one is lower there would be a bit of surface with that one, in the region
// and below top. So what is found is right as a whole, or all of it is outside the region, and one point tells; what is
// in a part of the region is right.
bool carom_patch_meeting_facet(const caromMeeting *m, const caromNearFaces *near, int i, int j, caromFlat *flat,
                               caromFacet *facet);

// What faces i and j, i < j, of whichever shape, add to the energy where their pressures are equal and all others above
// (energy.c) [m^4].
double carom_patch_meeting_energy(const caromMeeting *m, const caromNearFaces *near, int i, int j, caromFlat *flat);

#endif
