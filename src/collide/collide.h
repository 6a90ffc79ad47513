// collide.h -- any two shapes, meshes or not. The public queries are in carom/collide.h; here is what other rooms ask
// besides.
#ifndef CAROM_SRC_COLLIDE_H
#define CAROM_SRC_COLLIDE_H

#include "carom/collide.h"
#include "narrow/narrow.h"

// Signed distance of p (in S) from any whole shape, as carom_narrow_point; of a mesh without an inside it is positive.
double carom_collide_shape_point(const caromShape *shape, caromVec3 p_S, caromVec3 *n);

#endif
