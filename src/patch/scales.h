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
// Depth of a clipped mesh, in bounds of its roundings, from which on its pieces tell the normal to 1e-3.
#define CAROM_PATCH_CLIPPED_ROUNDINGS    1e2
// Corners within this part of the radius of the highest are as high, by rounding.
#define CAROM_PATCH_TOP                  1e-9
// Bounds of distances to a mesh that were found another way are this part larger, well above their rounding.
#define CAROM_PATCH_BEHIND               1e-9
// Balls about samples are this part larger, so that a point on the ball is in it.
#define CAROM_PATCH_AROUND               1e-12
// Roundings of the square of a cosine, and some: 1 - x^2 of directions that are nearly parallel.
#define CAROM_PATCH_LEAN                 1e-14
// Spacings of samples over each other from which on only the finer ones press: coarse ones have 6 % of the force, by
// their area. A cylinder of 6 cm on a box of 1 m, 12 times as coarse, drifted by 2 mm in the bounces of a flat drop.
#define CAROM_PATCH_COARSE               4.0

// Of the longest side of a triangle, until tiles are left: from the size of the largest body to a micrometre, twice.
enum { CAROM_PATCH_TILE_HALVINGS = 64 };
// Of the sum of the forces of a block, that of the sizes of which two cells stand for it: those of a round edge, up to
// 120 degrees, not of the two sides of a thin wall.
#define CAROM_PATCH_TILE_ALONG           0.5

// ---- strips (sections.c, hills.h, soft.h)

// A depth that counts for 0 [m]: its third power is a number.
#define CAROM_PATCH_ON_FACE              1e-60

// A guess nearer than this part of the interval to its ends may creep along: it is halved then.
#define CAROM_PATCH_CLIMB_MARGIN         1e-3
// What may be missing at the top of a hill, of its height: sections begin where a top is 0, and there its error counts
// with the power 2.5.
#define CAROM_PATCH_CLIMB_LEFT           1e-9
// Roundings of the size of the shapes in a depth.
#define CAROM_PATCH_CLIMB_UNIT           1e-16
// Depths of so many of these are none: of places in one body in the frame of the other.
#define CAROM_PATCH_ROUNDINGS            8.0
// Angle at which the last chord of a disc is, from its end where a chord has no length and no slope: 5e-9 of the radius
// are left out.
#define CAROM_PATCH_CHORD_END            1e-4
// Of a hill, from its foot, where the direction is taken in which a section leaves a sharp edge.
// If it is not straight up to there, that part again: to 1e-12 of it.
#define CAROM_PATCH_ABOVE_FOOT           1e-4
enum { CAROM_PATCH_FOOT_STEPS = 3 };
// The arithmetic-geometric mean converges quadratically: squared this is rounding.
#define CAROM_PATCH_MEAN_CHANGE          1e-8
enum { CAROM_PATCH_MEAN_STEPS = 20 };
// 2 exp(-(ln 2 - 0.5772)/2): lines side by side (strips.c).
#define CAROM_PATCH_SIDE_BY_SIDE         1.887
// How far a line of contact reaches, of the radius of cylinders: their approach is f/(pi E*) (2 ln(4 R/b) - 1)
// [Johnson85], where the logarithmic energy of a pressure like a half ellipse has ln(b/2) - 1/4, and two Gaussian
// clusters along each other (2/sqrt(2 pi)) (ln(2 s/r) + 0.058)/s: s = 2 exp(-1/2 - 0.943 - 0.058) = 0.44 of R.
#define CAROM_PATCH_LINE_REACH           0.44
// Halvings from the size of the shapes to rounding; both methods need far fewer.
enum { CAROM_PATCH_CLIMB_STEPS = 60 };

// ---- deep in each other (deep.h), parts of half the thickness of the thinner shape

// Where the law stops being a good one: faces near the other side; points, where Hertz' ellipse is as wide as half the
// body at 0.3, but ran up to 0.9 and are left alone a little longer.
#define CAROM_PATCH_FACE_DEEP            0.3
#define CAROM_PATCH_POINT_DEEP           0.6
// Where force has no bound. A point: half of the thinner body is below the surface of the other.
// Two fields reach 1.77 of an inscribed radius, which of a body of half thickness h is at least h/sqrt(3)
// (Steinhagen): 1.02 h. One field alone reaches h/sqrt(3) = 0.577 h.
#define CAROM_PATCH_POINT_DEEPEST        1.0
#define CAROM_PATCH_FIELDS_DEEPEST       0.9
#define CAROM_PATCH_FIELD_DEEPEST        0.55
// Mean depth of what is below a plane: half of the largest at a tip, which has no less.
#define CAROM_PATCH_FLOATING_DEEPEST     0.5
// Of that depth, by which the plane is moved to find the area in which it cuts a body: central differences are off by
// its square, 1e-8, and by roundings over it, 1e-12.
#define CAROM_PATCH_WATERLINE            1e-4
// Soft depths are less than the distance: in the middle of a cylinder as long as thick 1/sqrt(6) = 0.41 of h.
#define CAROM_PATCH_STRIPS_DEEP          0.2
#define CAROM_PATCH_STRIPS_DEEPEST       0.38
// A thick shell on a thin body: of `to`, where `from` is at the latest.
#define CAROM_PATCH_SHELL_DEEP           0.5
// For the energy a pair is moved apart, by its depth doubled so often at most: 2^40 of it is beyond any body; then
// halved to 1e-9 of the way.
enum { CAROM_PATCH_WAY_DOUBLINGS = 40, CAROM_PATCH_WAY_HALVINGS = 30 };

#endif
