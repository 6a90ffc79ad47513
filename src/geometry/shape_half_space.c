#include "geometry/geometry.h"

static double infinite(caromVec3 size)
{
    (void)size;
    return INFINITY;
}

static caromVec3 unit_inertia(caromVec3 size)
{
    (void)size;
    return carom_vec(0, 0, 0);
}

static caromVec3 half_edges(caromVec3 size)
{
    (void)size;
    return carom_vec(INFINITY, INFINITY, INFINITY);
}

const caromShapeRow carom_shape_half_space = { "half-space", 0, NULL, false, infinite, infinite, unit_inertia, half_edges, infinite };
