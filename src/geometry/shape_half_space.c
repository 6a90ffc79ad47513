#include "geometry/geometry.h"

static double infinite(const caromShape *s)
{
    (void)s;
    return INFINITY;
}

static caromCurvature curvature(const caromShape *s, caromVec3 p_S, caromVec3 n_S)
{
    (void)s, (void)p_S;
    return (caromCurvature){ 0.0, 0.0, carom_geometry_square_to(n_S) };
}

const caromShapeRow carom_shape_row_half_space = {
    .name = "half-space",
    .example = "{normal: [0, 0, 1]}",
    .doc = "Everything on one side of a plane: a floor, a wall. It has no mass.",
    .radius = infinite,
    .half_thickness = infinite,
    .curvature = curvature,
};
