#include "geometry/geometry.h"

static double volume(caromVec3 size)
{
    return size.x*size.y*size.z;
}

static double radius(caromVec3 size)
{
    return 0.5*carom_norm(size);
}

static caromVec3 unit_inertia(caromVec3 size)
{
    double xx = size.x*size.x, yy = size.y*size.y, zz = size.z*size.z;
    return carom_vec((yy + zz)/12.0, (xx + zz)/12.0, (xx + yy)/12.0);
}

static caromVec3 half_edges(caromVec3 size)
{
    return carom_scale(0.5, size);
}

static double rounding(caromVec3 size)
{
    (void)size;
    return 0.0;
}

const caromShapeRow carom_shape_box = { "box", 3, "size", true, volume, radius, unit_inertia, half_edges, rounding };
