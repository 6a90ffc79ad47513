// Queries with one simple partner: a point, a half-space, a ring (the circle that a torus is grown from), a ray. No
// search over pairs of features is needed; the signed distance of a point from a convex core,
//
//     sd(p) = max over unit n of (n.p - h(n)),    h the core's support function,
//
// is a closed form or one root, and convex in p inside and outside: its normal is a subgradient, valid as a
// lower bound everywhere.
#ifndef CAROM_SRC_NARROW_CLOSED_H
#define CAROM_SRC_NARROW_CLOSED_H

#include "narrow/narrow.h"

// Of p (in S) from the sharp core: negative inside. on: nearest surface point; n: outer unit normal there, a fixed
// choice where there are several.
double carom_convex_core_point(const caromCore *core, caromVec3 p, caromVec3 *on, caromVec3 *n);

// B is the half-space.
caromGap carom_gap_half_space(const caromShape *a, caromPose X_WA, caromPose X_WB);
caromGap carom_gap_torus(const caromShape *torus, caromPose X_WA, const caromShape *b, caromPose X_WB);  // B is bounded

// B is convex and bounded.
caromGap carom_gap_ball(double radius, caromVec3 centre_W, const caromShape *b, const caromPose *X_WB);
// Cores that are segments or points: of capsules, and of boxes that are rounded as far as they go.
bool carom_convex_core_is_segment(const caromCore *core);
bool carom_convex_core_is_point(const caromCore *core);
caromGap carom_gap_segments(const caromCore *a, const caromPose *X_WA, const caromCore *b, const caromPose *X_WB);

#endif
