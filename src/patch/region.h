// The region of an overlap: a box that holds it, and the faces that can be nearest somewhere in it.
#ifndef CAROM_SRC_PATCH_REGION_H
#define CAROM_SRC_PATCH_REGION_H

#include "geometry/geometry.h"
#include "patch/fields.h"

typedef struct caromFaces {  // some faces of a shape; beyond the limit all of them
    int n;
    int id[CAROM_NEAR_FACES_MAX];
} caromFaces;

typedef struct caromFieldShape {  // a shape with its faces, placed
    caromPose X;                // about the origin
    caromCore core;             // not of a half-space
    bool is_bounded;
    double k;
    int nface;
    const caromVec3 *normals;   // outer
    const double *offsets;
    const caromHull *hull;      // NULL: a block
    double box_offsets[CAROM_FIELD_FACES];
    caromFaces faces;           // that can still be nearest
} caromFieldShape;

typedef struct caromRegion {  // a box
    caromVec3 axes[3], c;
    double h[3];
} caromRegion;

// The region in the frame of a solid: depth below one of its faces is d + sum g_k x_k at the point c + sum x_k axis_k.
typedef struct caromView {
    caromVec3 axes[3], c;
} caromView;

typedef struct caromOverlap {
    caromFieldShape a, b;
    caromRegion region;
    double slack;        // the region reaches so much farther than the overlap [m]
    double top;          // no pressure on the surface is above
    caromVec3 origin_W;  // of the coordinates: the middle of the smaller shape
} caromOverlap;

// The region of two shapes; false: they do not overlap.
bool carom_patch_overlap_find(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                              caromOverlap *c);

static inline int carom_patch_face_id(const caromFaces *f, int k)
{
    return f->n <= CAROM_NEAR_FACES_MAX ? f->id[k] : k;
}

static inline caromPlane carom_patch_face_plane(const caromFieldShape *s, int i)
{
    caromVec3 n = carom_mul(s->X.R, s->normals[i]);
    return (caromPlane){ carom_neg(n), s->offsets[i] + carom_dot(n, s->X.p) };
}

static inline caromView carom_patch_region_view(const caromRegion *q, const caromFieldShape *s)
{
    caromView v = { .c = carom_pose_inverse_point(s->X, q->c) };
    for (int k = 0; k < 3; k++) v.axes[k] = carom_tmul(s->X.R, q->axes[k]);
    return v;
}

static inline double carom_patch_view_depth(const caromView *v, const caromFieldShape *s, int i, double g[3])
{
    for (int k = 0; k < 3; k++) g[k] = -carom_dot(s->normals[i], v->axes[k]);
    return s->offsets[i] - carom_dot(s->normals[i], v->c);
}

// A direction in the axes of the region.
static inline caromVec3 carom_patch_region_axes(const caromRegion *q, caromVec3 d)
{
    return carom_vec(carom_dot(q->axes[0], d), carom_dot(q->axes[1], d), carom_dot(q->axes[2], d));
}

static inline double carom_patch_region_size(const caromRegion *q)
{
    return sqrt(q->h[0]*q->h[0] + q->h[1]*q->h[1] + q->h[2]*q->h[2]);
}

#endif
