#include "base/base.h"
#include "geometry/geometry.h"

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_HULL, .radius = s->hull->rounding, .hull = s->hull };
}

static caromMassProps solid(const caromShape *s)
{
    return s->hull->solid;
}

static double surface(const caromShape *s)
{
    return carom_hull_surface(s->hull);
}

static double half_thickness(const caromShape *s)
{
    return s->hull->thin;
}

static double radius(const caromShape *s)
{
    return s->hull->reach + s->hull->rounding;
}

static caromStatus check(const caromShape *s, caromError *err)
{
    if (!s->hull)
        return carom_fail(err, CAROM_ERR_INPUT, "", "a polytope without a hull: make one by carom_hull_create");
    if (!isfinite(s->rounding) || s->rounding <= 0.0) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding %g m: a polytope is rounded when its hull is made, "
                      "so that 0 is expected here", s->rounding);
}

const caromShapeRow carom_shape_row_polytope = {
    .name = "polytope",
    .example = "{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
    .doc = "The convex hull of points.",
    .rounding = CAROM_ROUNDED_TIPS,
    .has_edges = true,
    .has_hull = true,
    .is_bounded = true,
    .check = check,
    .core = core,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
};
