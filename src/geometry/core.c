#include "geometry/geometry.h"

caromCore carom_shape_core(const caromShape *shape)
{
    return carom_shape_row(shape->kind)->core(shape);
}

caromVec3 carom_shape_core_support(const caromCore *core, caromVec3 d)
{
    int label;
    return carom_shape_core_support_label(core, d, &label);
}

double carom_shape_core_extent(const caromCore *core, caromVec3 d)
{
    return carom_dot(d, carom_shape_core_support(core, d));
}
