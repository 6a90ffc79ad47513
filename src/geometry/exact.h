// Signs of determinants that are right whatever the rounding: on which side of a plane or a line is a point?
#ifndef CAROM_SRC_GEOMETRY_EXACT_H
#define CAROM_SRC_GEOMETRY_EXACT_H

#include "carom/math.h"

// 1: d is on the side of the plane through a, b, c to which (b - a) x (c - a) points; -1: on the other; 0: in the
// plane, or a, b, c are on a line. Exact as long as no product of three differences leaves the range of a double: sizes
// of 1e-90 to 1e90 do no harm.
int carom_geometry_side_of_plane(caromVec3 a, caromVec3 b, caromVec3 c, caromVec3 d);

// 1: a, b, c turn counter-clockwise when seen along -axis (0: x, 1: y, 2: z), from its positive end; -1:
// clockwise; 0: on a line.
int carom_geometry_turn_in_plane(caromVec3 a, caromVec3 b, caromVec3 c, int axis);

#endif
