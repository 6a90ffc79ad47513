#include "geometry/geometry.h"

static const double pi = 3.14159265358979323846;

static double volume(caromVec3 size)
{
    return 4.0/3.0*pi*size.x*size.x*size.x;
}

static double radius(caromVec3 size)
{
    return size.x;
}

static caromVec3 unit_inertia(caromVec3 size)
{
    double i = 0.4*size.x*size.x;
    return carom_vec(i, i, i);
}

static caromVec3 half_edges(caromVec3 size)
{
    (void)size;
    return carom_vec(0, 0, 0);
}

const caromShapeRow carom_shape_sphere = { "sphere", 1, "radius", true, volume, radius, unit_inertia, half_edges, radius };
