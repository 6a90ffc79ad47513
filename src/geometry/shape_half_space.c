#include "geometry/geometry.h"

static double infinite(const caromShape *s)
{
    (void)s;
    return INFINITY;
}

const caromShapeRow carom_shape_half_space = { .name = "half-space", .radius = infinite, .half_thickness = infinite };
