// Is a shape one at all?
#include "base/base.h"
#include "geometry/geometry.h"

static caromStatus check_dimension(const caromShapeRow *row, int i, double value, caromError *err)
{
    static const char *const along[3] = { " along x", " along y", " along z" };
    const caromDimension *dimension = &row->dimensions[row->is_vector ? 0 : i];
    const char *key = dimension->name, *axis = row->is_vector ? along[i] : "";
    if (!key || (isfinite(value) && (value > 0.0 || (value == 0.0 && dimension->may_be_zero)))) return CAROM_OK;
    if (dimension->may_be_zero)
        return carom_fail(err, CAROM_ERR_INPUT, key,
                          "%s %g m is not 0 or positive: expected a finite number, 0 or above", key, value);
    return carom_fail(err, CAROM_ERR_INPUT, key, "%s%s %g m is not positive: expected a finite number above 0", key,
                      axis, value);
}

// A core may lose a width, not more than its support mapping can tell: a frustum must keep a disc.
static bool leaves_a_core(const caromShape *shape)
{
    caromCore core = carom_shape_core(shape);
    return core.kind != CAROM_CORE_FRUSTUM || core.r0 > 0.0 || core.r1 > 0.0;
}

// Up to the largest, inclusive: a box may become a ball and a cylinder a rounded disc. A cylinder or cone whose core
// would be a segment or a point is a capsule or a sphere.
static caromStatus check_rounding(const caromShape *shape, const caromShapeRow *row, caromError *err)
{
    double r = shape->rounding;
    if (!isfinite(r) || r < 0.0)
        return carom_fail(err, CAROM_ERR_INPUT, "rounding",
                          "rounding %g m is not 0 or positive: expected a finite number, 0 or above", r);
    if (r == 0.0) return CAROM_OK;
    if (!row->largest_rounding)
        return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding %g m: this shape has no edges to round, "
                          "so that 0 is expected here", r);
    double largest = row->largest_rounding(shape);
    if (r > largest)
        return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding %g m leaves nothing of this %s: "
                          "at most %g m is possible", r, row->name, largest);
    if (!leaves_a_core(shape))
        return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding %g m leaves no disc of this %s: "
                          "less than %g m is expected (a capsule or a sphere may be meant)", r, row->name, largest);
    return CAROM_OK;
}

caromStatus carom_shape_check(caromShape shape, caromError *err)
{
    const caromShapeRow *row = carom_shape_row(shape.kind);
    if (!row)
        return carom_fail(err, CAROM_ERR_INPUT, "", "unknown shape kind %d: expected 0 to %d", (int)shape.kind,
                          (int)CAROM_SHAPE_KINDS - 1);
    caromStatus status = CAROM_OK;
    for (int i = 0; i < 3 && status == CAROM_OK; i++) status = check_dimension(row, i, carom_at(shape.size, i), err);
    if (status == CAROM_OK && row->check) status = row->check(&shape, err);
    return status == CAROM_OK ? check_rounding(&shape, row, err) : status;
}
