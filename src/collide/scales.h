// scales.h -- the small numbers by which the queries on any shapes decide.
#ifndef CAROM_SRC_COLLIDE_SCALES_H
#define CAROM_SRC_COLLIDE_SCALES_H

// Spheres about two parts must be farther apart than the gap by this part, the error of a gap that is CAROM_GAP_OK.
#define CAROM_COLLIDE_FARTHER            1e-9
// A ray begins on a sphere so much larger than the shape, so that it begins outside whatever the rounding.
#define CAROM_COLLIDE_AROUND             1e-12
// A step along the normal, of the reach of a mesh, that shows which feature of a triangle a witness is on: any
// length would do
#define CAROM_COLLIDE_ASIDE              1e-3
// First length of the search along 26 directions, of the smaller radius: shallower overlaps are found too long by
// this.
#define CAROM_COLLIDE_26_FIRST           1e-6
// The same of the limit, for shapes without a size: 1.2^n must come to an end.
#define CAROM_COLLIDE_26_LEAST           1e-30

#endif
