// Support mappings of cores.
#include "geometry/geometry.h"

caromCore carom_shape_core(const caromShape *shape)
{
    return carom_shape_row(shape->kind)->core(shape);
}

static caromVec3 box_support(const caromCore *c, caromVec3 d)
{
    return carom_vec(d.x < 0.0 ? -c->h.x : c->h.x, d.y < 0.0 ? -c->h.y : c->h.y, d.z < 0.0 ? -c->h.z : c->h.z);
}

static caromVec3 frustum_support(const caromCore *c, caromVec3 d)
{
    double across = sqrt(d.x*d.x + d.y*d.y);
    bool top = across*(c->r1 - c->r0) + d.z*(c->z1 - c->z0) > 0.0;
    double r = top ? c->r1 : c->r0, s = across > 0.0 ? r/across : 0.0;
    return carom_vec(across > 0.0 ? s*d.x : r, s*d.y, top ? c->z1 : c->z0);
}

static caromVec3 ellipsoid_support(const caromCore *c, caromVec3 d)
{
    caromVec3 w = carom_vec(c->h.x*d.x, c->h.y*d.y, c->h.z*d.z);
    double s = 1.0/carom_norm(w);
    return carom_vec(s*c->h.x*w.x, s*c->h.y*w.y, s*c->h.z*w.z);
}

static caromVec3 hull_support(const caromCore *c, caromVec3 d)
{
    return c->hull->vertices[carom_hull_climb(c->hull, d, c->hull->seeds[carom_hull_seed_cell(d)])];
}

caromVec3 carom_core_support(const caromCore *core, caromVec3 d)
{
    switch (core->kind) {
    case CAROM_CORE_BOX: return box_support(core, d);
    case CAROM_CORE_HULL: return hull_support(core, d);
    case CAROM_CORE_FRUSTUM: return frustum_support(core, d);
    default: return ellipsoid_support(core, d);
    }
}

double carom_core_extent(const caromCore *core, caromVec3 d)
{
    return carom_dot(d, carom_core_support(core, d));
}
