// The surface between plane faces, for callers outside.
#include "narrow/narrow.h"
#include "patch/fields.h"

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_vec(caromVec3 a, caromVec3 b)
{
    int x = compare(a.x, b.x), y = compare(a.y, b.y);
    return x ? x : y ? y : compare(a.z, b.z);
}

static int compare_hulls(const caromHull *a, const caromHull *b)
{
    if (a == b || !a || !b) return (a != NULL) - (b != NULL);
    int order = compare(a->nvertex, b->nvertex);
    if (order == 0) order = compare(a->rounding, b->rounding);
    for (int i = 0; order == 0 && i < a->nvertex; i++) order = compare_vec(a->vertices[i], b->vertices[i]);
    return order;
}

static int compare_shapes(const caromShape *a, const caromShape *b)
{
    int order = compare(a->kind, b->kind);
    if (order == 0) order = compare_vec(a->size, b->size);
    if (order == 0) order = compare(a->rounding, b->rounding);
    return order ? order : a->kind == CAROM_POLYTOPE ? compare_hulls(a->hull, b->hull) : 0;
}

// Where each shape sees the other, along a direction that is square to no edge or face one is likely to meet: the order
// of two equal shapes changes where this changes sign, and should not do so while one slides over a face of the other.
static int compare_sights(caromPose X_WA, caromPose X_WB)
{
    const caromVec3 along = { 0.467, 0.593, 0.656 };
    return compare(carom_dot(along, carom_pose_inverse_point(X_WA, X_WB.p)),
                   carom_dot(along, carom_pose_inverse_point(X_WB, X_WA.p)));
}

static int compare_poses(caromPose a, caromPose b)
{
    const caromVec3 in_a[4] = { a.p, a.R.cx, a.R.cy, a.R.cz }, in_b[4] = { b.p, b.R.cx, b.R.cy, b.R.cz };
    int order = 0;
    for (int i = 0; order == 0 && i < 4; i++) order = compare_vec(in_a[i], in_b[i]);
    return order;
}

int carom_patch_shape_order(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    int order = compare_shapes(a, b);
    if (order == 0) order = compare_sights(X_WA, X_WB);
    return order ? order : compare_poses(X_WA, X_WB);
}

typedef struct Report {
    bool is_swapped;
    int n;
    void (*visit)(const caromPolygon *polygon, void *user);
    void *user;
} Report;

// Integrals over a polygon with corners (u, v) and linear depth p, about corner 0.
typedef struct PolygonSums {
    double area, au, av;       // 1, u, v
    double volume, pu, pv;     // p, p u, p v
} PolygonSums;

static PolygonSums sums_of(int n, const double *u, const double *v, const double *p)
{
    PolygonSums s = { 0 };
    for (int k = 1; k + 1 < n; k++) {
        double u1 = u[k] - u[0], v1 = v[k] - v[0], u2 = u[k + 1] - u[0], v2 = v[k + 1] - v[0];
        double area = 0.5*(u1*v2 - u2*v1), sp = p[0] + p[k] + p[k + 1];
        s.area += area;
        s.au += area/3.0*(u1 + u2);
        s.av += area/3.0*(v1 + v2);
        s.volume += area/3.0*sp;
        s.pu += area/12.0*(sp*(u1 + u2) + p[k]*u1 + p[k + 1]*u2);
        s.pv += area/12.0*(sp*(v1 + v2) + p[k]*v1 + p[k + 1]*v2);
    }
    return s;
}

static caromVec3 point_W(const caromFacet *facet, double u, double v)
{
    return carom_add(carom_sheet_point(&facet->sheet, u, v), facet->origin_W);
}

static void report(const caromFacet *facet, int n, const double *u, const double *v, Report *r)
{
    caromPolygon out = { .n = n };
    double p[CAROM_POLYGON_CORNERS_MAX];
    for (int k = 0; k < n; k++) {
        int at = r->is_swapped ? n - 1 - k : k;
        p[k] = fmax(0.0, carom_sheet_trace_at(facet->pressure, u[k], v[k]));
        out.corners_W[at] = point_W(facet, u[k], v[k]);
        out.depth[at] = p[k];
    }
    PolygonSums s = sums_of(n, u, v, p);
    if (!(s.volume > 0.0 && s.area > 0.0)) return;
    out.n_AB = r->is_swapped ? carom_neg(facet->n_AB) : facet->n_AB;
    out.area = facet->stretch*s.area;
    out.centroid_W = point_W(facet, u[0] + s.au/s.area, v[0] + s.av/s.area);
    out.volume = facet->stretch*s.volume;
    out.pressure_centre_W = point_W(facet, u[0] + s.pu/s.volume, v[0] + s.pv/s.volume);
    r->n++;
    if (r->visit) r->visit(&out, r->user);
}

// More corners than fit come in pieces, cut along lines from the first corner.
static void report_pieces(const caromFacet *facet, void *user)
{
    const caromFlat *flat = facet->flat;
    double u[CAROM_POLYGON_CORNERS_MAX], v[CAROM_POLYGON_CORNERS_MAX];
    for (int from = 1; from + 1 < flat->n; from += CAROM_POLYGON_CORNERS_MAX - 2) {
        int n = 1;
        u[0] = flat->u[0];
        v[0] = flat->v[0];
        for (int k = from; k < flat->n && n < CAROM_POLYGON_CORNERS_MAX; k++, n++) {
            u[n] = flat->u[k];
            v[n] = flat->v[k];
        }
        report(facet, n, u, v, user);
    }
}

static int polygons(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, Report *r)
{
    if (r->is_swapped) carom_field_facets(b, X_WB, a, X_WA, report_pieces, r);
    else carom_field_facets(a, X_WA, b, X_WB, report_pieces, r);
    return r->n;
}

int carom_patch_polygons(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, caromPolygonVisitor visit,
                         void *user)
{
    if (!carom_field_has(&a) || !carom_field_has(&b) || (a.kind == CAROM_HALF_SPACE && b.kind == CAROM_HALF_SPACE))
        return -1;
    if (!carom_narrow_is_pose(&X_WA) || !carom_narrow_is_pose(&X_WB)) return -1;
    Report r = { .is_swapped = carom_patch_shape_order(&a, X_WA, &b, X_WB) > 0, .visit = visit, .user = user };
    return polygons(&a, X_WA, &b, X_WB, &r);
}

// Roles as in carom_patch_shapes.
int carom_patch_shapes_polygons(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                                caromPolygonVisitor visit, void *user)
{
    Report r = { .is_swapped = a->kind > b->kind, .visit = visit, .user = user };
    return polygons(a, X_WA, b, X_WB, &r);
}
