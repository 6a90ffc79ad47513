// Samples of a surface: points at the same place become one, and a tree of balls holds them, so that those near
// another shape are found soon.
#include "geometry/samples.h"

#include <stdlib.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "math/eigen.h"

static const double points_by_default = 2000.0;  // as many squares of h cover the surface

// ---- points at the same place

static int compare_numbers(double x, double y)
{
    return x < y ? -1 : x > y;
}

// By place, then by area, so that they are added up in the same order wherever they are sorted.
static int compare(const void *a, const void *b)
{
    const caromSamplePoint *x = a, *y = b;
    int order = compare_numbers(x->p.x, y->p.x);
    if (order == 0) order = compare_numbers(x->p.y, y->p.y);
    if (order == 0) order = compare_numbers(x->p.z, y->p.z);
    return order ? order : compare_numbers(x->area, y->area);
}

static int merged(caromSamplePoint *items, int n)
{
    int kept = 0;
    if (n > 0) qsort(items, (size_t)n, sizeof *items, compare);
    for (int i = 0; i < n; i++) {
        caromVec3 p = items[i].p, q = kept > 0 ? items[kept - 1].p : p;
        if (kept > 0 && p.x == q.x && p.y == q.y && p.z == q.z) items[kept - 1].area += items[i].area;
        else items[kept++] = items[i];
    }
    return kept;
}

// ---- tree

// Puts the items so that those before the middle are not beyond it along the axis (Hoare's selection; the
// middle of three as pivot).
static void split_at_middle(caromSamplePoint *items, int n, int axis)
{
    int low = 0, high = n - 1, middle = n/2;
    while (low < high) {
        double a = carom_at(items[low].p, axis), b = carom_at(items[(low + high)/2].p, axis),
               c = carom_at(items[high].p, axis);
        double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
        int i = low, j = high;
        while (i <= j) {
            while (carom_at(items[i].p, axis) < pivot) i++;
            while (carom_at(items[j].p, axis) > pivot) j--;
            if (i > j) break;
            caromSamplePoint t = items[i];
            items[i++] = items[j];
            items[j--] = t;
        }
        if (middle <= j) high = j;
        else if (middle >= i) low = i;
        else return;
    }
}

// Square to the direction in which the points are spread least.
static void set_disc(const caromSamplePoint *items, int n, caromSampleNode *node)
{
    double square[9] = { 0.0 }, spread[3], axes[9];
    for (int k = 0; k < n; k++) {
        caromVec3 r = carom_sub(items[k].p, node->centre);
        for (int i = 0; i < 9; i++) square[i] += carom_at(r, i/3)*carom_at(r, i % 3);
    }
    carom_symmetric_eigen(3, square, spread, axes);
    int least = spread[0] <= spread[1] && spread[0] <= spread[2] ? 0 : spread[1] <= spread[2] ? 1 : 2;
    node->axis = carom_vec(axes[3*least], axes[3*least + 1], axes[3*least + 2]);
    node->across = node->along = 0.0;
    for (int k = 0; k < n; k++) {
        caromVec3 r = carom_sub(items[k].p, node->centre);
        double height = carom_dot(r, node->axis);
        node->along = fmax(node->along, fabs(height));
        node->across = fmax(node->across, carom_norm(carom_axpy(-height, node->axis, r)));
    }
}

// Returns the axis along which it is longest.
static int set_ball(const caromSamplePoint *items, int n, caromSampleNode *node)
{
    caromVec3 low = items[0].p, high = low;
    for (int i = 1; i < n; i++) {
        caromVec3 p = items[i].p;
        low = carom_vec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = carom_vec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    caromVec3 size = carom_sub(high, low);
    node->centre = carom_scale(0.5, carom_add(low, high));
    node->radius = 0.0;
    for (int i = 0; i < n; i++) node->radius = fmax(node->radius, carom_norm(carom_sub(items[i].p, node->centre)));
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

static bool build_tree(caromSamples *s)
{
    struct { int node, first, n; } stack[CAROM_SAMPLE_DEPTH_MAX + 1] = { { 0, 0, s->n } };
    int top = 1;
    s->nodes = carom_alloc_array(2*(size_t)s->n + 1, sizeof *s->nodes);
    if (!s->nodes) return false;
    s->nnode = 1;
    while (top > 0) {
        int node = stack[--top].node, first = stack[top].first, n = stack[top].n,
            axis = set_ball(s->points + first, n, &s->nodes[node]);
        set_disc(s->points + first, n, &s->nodes[node]);
        if (n <= CAROM_SAMPLE_LEAF) {
            s->nodes[node].first = first;
            s->nodes[node].count = n;
            continue;
        }
        split_at_middle(s->points + first, n, axis);
        int child = s->nnode;
        s->nnode += 2;
        s->nodes[node].first = child;
        s->nodes[node].count = 0;
        stack[top].node = child + 1, stack[top].first = first + n/2, stack[top++].n = n - n/2;
        stack[top].node = child, stack[top].first = first, stack[top++].n = n/2;
    }
    return true;
}

// ---- making

static double area_of(const caromSampleList *list)
{
    double sum = 0.0;
    for (int i = 0; i < list->n; i++) sum += list->items[i].area;
    return sum;
}

// False: out of memory.
static bool has_field(caromSamples *s, const caromShape *shape, double spacing)
{
    return shape->kind != CAROM_MESH || carom_mesh_field_create(shape->mesh, spacing, &s->field);
}

caromSamples *carom_shape_samples_create(caromShape shape, double spacing, caromError *err)
{
    if (!carom_shape_is_bounded(shape)) {
        carom_fail(err, CAROM_ERR_INPUT, "samples", "a %s has no end: give samples to the shape that touches it",
                   carom_shape_kind_name(shape.kind));
        return NULL;
    }
    if (!(isfinite(spacing) && spacing >= 0.0)) {
        carom_fail(err, CAROM_ERR_INPUT, "samples", "spacing %g m: expected a positive length, or 0 for one that "
                   "fits the shape", spacing);
        return NULL;
    }
    double h = spacing > 0.0 ? spacing : sqrt(carom_shape_surface(shape)/points_by_default);
    caromSampleList list = { .spacing = h };
    caromSamples *s = calloc(1, sizeof *s);
    carom_shape_sample_surface(&shape, &list);
    if (list.is_full) {
        carom_fail(err, CAROM_ERR_INPUT, "samples", "points %g m apart would be more than %d on this %s: "
                   "use a larger spacing", h, CAROM_SAMPLES_MAX, carom_shape_kind_name(shape.kind));
    } else if (!s || list.out_of_memory || list.n == 0) {
        carom_fail(err, CAROM_ERR_MEMORY, "samples", "out of memory for the points of a %s",
                   carom_shape_kind_name(shape.kind));
    } else {
        *s = (caromSamples){ .is_asked = spacing > 0.0, .spacing = h, .area = area_of(&list), .points = list.items };
        list.items = NULL;
        atomic_init(&s->owners, 1);
        s->n = merged(s->points, list.n);
        if (build_tree(s) && has_field(s, &shape, spacing)) return s;
        carom_mesh_field_destroy(s->field);
        carom_fail(err, CAROM_ERR_MEMORY, "samples", "out of memory for the points of a %s",
                   carom_shape_kind_name(shape.kind));
        free(s->points);
        free(s->nodes);
    }
    free(list.items);
    free(s);
    return NULL;
}

caromSamples *carom_shape_samples_copy(const caromSamples *samples)
{
    caromSamples *s = (caromSamples *)samples;
    if (s) atomic_fetch_add(&s->owners, 1);
    return s;
}

void carom_shape_samples_destroy(caromSamples *s)
{
    if (!s || atomic_fetch_sub(&s->owners, 1) > 1) return;
    carom_mesh_field_destroy(s->field);
    free(s->points);
    free(s->nodes);
    free(s);
}

int carom_shape_samples_count(const caromSamples *samples)
{
    return samples->n;
}

caromVec3 carom_shape_samples_point(const caromSamples *samples, int i, double *area)
{
    if (area) *area = samples->points[i].area;
    return samples->points[i].p;
}

double carom_shape_samples_spacing(const caromSamples *samples)
{
    return samples->spacing;
}
