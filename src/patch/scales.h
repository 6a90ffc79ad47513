// scales.h -- the small numbers by which contact surfaces are found.
#ifndef CAROM_SRC_PATCH_SCALES_H
#define CAROM_SRC_PATCH_SCALES_H

#define CAROM_PATCH_ROUNDED              1e-14  // 45 roundings of the distances in the offsets of planes
// So much, of the smaller shape, a region reaches farther than the overlap: no polygon ends at its border by
// rounding.
#define CAROM_PATCH_SLACK                1e-10
// Of that slack, 1e-14 of the size: a pressure below it is rounding, and its polygon would come and go with the last
// bits.
#define CAROM_PATCH_NOTHING              1e-4
// Planes nearer than this part of the reach are one. Crossings of planes as close as rounding would be far out: see
// energy.c.
#define CAROM_PATCH_FLUSH                1e-10
// 0.8 degrees: a region that is this square to the surface is not turned.
#define CAROM_PATCH_ALONG                0.9999
// A pass that leaves more than this of the region is the last; most contacts need two.
#define CAROM_PATCH_PASS_GAIN            0.8
#define CAROM_PATCH_TINY                 1e-300  // keeps 0/0 out of means; far below any volume
// Shortest panel of a quadrature, of its interval: halving towards a branch point goes no farther.
#define CAROM_PATCH_PANEL                1e-3
// Of the interval in which the end of a contact around a ring is found: to the last bit.
enum { CAROM_PATCH_RING_HALVINGS = 60 };
// Corners within this part of the radius of the highest are as high, by rounding.
#define CAROM_PATCH_TOP                  1e-9
// Bounds of distances to a mesh that were found another way are this part larger, well above their rounding.
#define CAROM_PATCH_BEHIND               1e-9
// Balls about samples are this part larger, so that a point on the ball is in it.
#define CAROM_PATCH_AROUND               1e-12
// Spacings of samples over each other from which on only the finer ones press: coarse ones have 6 % of the force, by
// their area. A cylinder of 6 cm on a box of 1 m, 12 times as coarse, drifted by 2 mm in the bounces of a flat drop.
#define CAROM_PATCH_COARSE               4.0

// ---- deep in each other (deep.h), parts of half the thickness of the thinner shape

// Where the law stops being a good one: faces near the other side; points, where Hertz' ellipse is as wide as half the
// body at 0.3, but ran up to 0.9 and are left alone a little longer.
#define CAROM_PATCH_FACE_DEEP            0.3
#define CAROM_PATCH_POINT_DEEP           0.6
// Where force has no bound. A point: centres of equal balls are 0.6 radii apart there, and the normal is known well.
// Two fields reach 1.77 of an inscribed radius, which of a body of half thickness h is at least h/sqrt(3)
// (Steinhagen): 1.02 h. One field alone reaches h/sqrt(3) = 0.577 h.
#define CAROM_PATCH_POINT_DEEPEST        1.4
#define CAROM_PATCH_FIELDS_DEEPEST       0.9
#define CAROM_PATCH_FIELD_DEEPEST        0.55
// A thick shell on a thin body: of `to`, where `from` is at the latest.
#define CAROM_PATCH_SHELL_DEEP           0.5
// For the energy a pair is moved apart, by its depth doubled so often at most: 2^40 of it is beyond any body; then
// halved to 1e-9 of the way.
enum { CAROM_PATCH_WAY_DOUBLINGS = 40, CAROM_PATCH_WAY_HALVINGS = 30 };

#endif
