// A box that holds the overlap of two shapes: the extents of both along its axes, cut down by the planes of their
// faces, turned once so that one axis is square to the surface between them, and cut down again. Everything has some
// slack, so that roundings do not matter.
#include "patch/region.h"
#include "patch/scales.h"

static caromVec3 shape_middle(const caromShape *s, caromPose X_WS)
{
    return s->kind == CAROM_POLYTOPE ? carom_pose_point(X_WS, s->hull->solid.com) : X_WS.p;
}

static double shape_reach(const caromShape *s)
{
    return s->kind == CAROM_POLYTOPE ? s->hull->reach : s->kind == CAROM_BOX ? 0.5*carom_norm(s->size)
                                     : (double)INFINITY;
}

static int face_count(const caromShape *s)
{
    return s->kind == CAROM_POLYTOPE ? s->hull->nface : s->kind == CAROM_BOX ? CAROM_FIELD_FACES : 1;
}

// In the order of blocks.c; the fifth is that of a half-space.
static const caromVec3 box_normals[CAROM_FIELD_FACES] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 },
                                                          { 0, 0, 1 }, { 0, 0, -1 } };

static void place(caromFieldShape *s, const caromShape *shape, caromPose X_WS, caromVec3 origin_W, double k)
{
    s->X = carom_pose(X_WS.R, carom_sub(X_WS.p, origin_W));
    s->k = k;
    s->hull = shape->kind == CAROM_POLYTOPE ? shape->hull : NULL;
    s->is_bounded = shape->kind != CAROM_HALF_SPACE;
    if (s->is_bounded) s->core = carom_shape_core(shape);
    s->nface = face_count(shape);
    s->normals = s->hull ? s->hull->normals : s->is_bounded ? box_normals : &box_normals[4];
    s->offsets = s->hull ? s->hull->offsets : s->box_offsets;
    for (int i = 0; i < CAROM_FIELD_FACES && !s->hull; i++)
        s->box_offsets[i] = s->is_bounded ? 0.5*carom_at(shape->size, i/2) : 0.0;
}

static void list_all(caromFaces *faces, const caromShape *shape)
{
    faces->n = face_count(shape);
    for (int i = 0; i < faces->n && i < CAROM_NEAR_FACES_MAX; i++) faces->id[i] = i;
}

// Extent of the solid along a direction, from low to high; that of a half-space is left open, its face trims the
// region.
static void extent(const caromFieldShape *s, caromVec3 d, double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    double at = carom_dot(d, s->X.p);
    caromVec3 d_S = carom_tmul(s->X.R, d);
    if (s->is_bounded) {
        *low = at - carom_shape_core_extent(&s->core, carom_neg(d_S));
        *high = at + carom_shape_core_extent(&s->core, d_S);
    }
}

// Cuts the region down to the extents of both solids. False: nothing is left.
static bool cut_to_extents(caromRegion *q, const caromFieldShape *a, const caromFieldShape *b, double slack)
{
    for (int k = 0; k < 3; k++) {
        double low_a, high_a, low_b, high_b, at = carom_dot(q->axes[k], q->c);
        extent(a, q->axes[k], &low_a, &high_a);
        extent(b, q->axes[k], &low_b, &high_b);
        double low = fmax(fmax(low_a, low_b), at - q->h[k]) - slack,
               high = fmin(fmin(high_a, high_b), at + q->h[k]) + slack;
        if (!(low < high)) return false;
        q->h[k] = 0.5*(high - low);
        q->c = carom_axpy(0.5*(low + high) - at, q->axes[k], q->c);
    }
    return true;
}

// Points above the face are outside: high is the depth of the deepest point of the region, a corner, and along
// axis k what is left has
//   g_k x_k >= -(high - |g_k| h_k).
// The corner stays, so that the same high holds for all axes.
static void trim(caromRegion *q, caromView *v, const double g[3], double high)
{
    for (int k = 0; k < 3; k++) {
        double steep = fabs(g[k]);
        if (!(high < 2.0*steep*q->h[k])) continue;
        double half = 0.5*high/steep, shift = q->h[k] - half;
        if (g[k] < 0.0) shift = -shift;
        q->h[k] = half;
        q->c = carom_axpy(shift, q->axes[k], q->c);
        v->c = carom_axpy(shift, v->axes[k], v->c);
    }
}

// Trims the region by the faces of a solid, lowers *top (the pressure on the surface is not above it) and drops faces
// that are never nearest. False: no overlap.
static bool narrow(caromFieldShape *s, caromRegion *q, double slack, double *top)
{
    caromView v = carom_patch_region_view(q, s);
    int kept = 0;
    for (int m = 0; m < s->faces.n; m++) {
        int i = carom_patch_face_id(&s->faces, m);
        double g[3], d = carom_patch_view_depth(&v, s, i, g);
        double wide = fabs(g[0])*q->h[0] + fabs(g[1])*q->h[1] + fabs(g[2])*q->h[2];
        if (d + wide < -slack) return false;
        *top = fmin(*top, s->k*(d + wide + slack));
        if (s->k*(d - wide - slack) > *top) continue;
        if (kept < CAROM_NEAR_FACES_MAX) s->faces.id[kept] = i;
        kept++;
        trim(q, &v, g, d + wide + slack);
    }
    s->faces.n = kept <= CAROM_NEAR_FACES_MAX ? kept : s->nface;
    return true;
}

static int nearest_face(const caromFieldShape *s, caromVec3 x)
{
    caromVec3 x_S = carom_pose_inverse_point(s->X, x);
    int nearest = 0;
    double least = INFINITY;
    for (int m = 0; m < s->faces.n; m++) {
        int i = carom_patch_face_id(&s->faces, m);
        double d = s->offsets[i] - carom_dot(s->normals[i], x_S);
        if (d < least) least = d, nearest = i;
    }
    return nearest;
}

// Turns the region so that an axis is square to the surface: thin overlaps then have a thin region.
static bool turn(caromRegion *q, const caromFieldShape *a, const caromFieldShape *b, double slack)
{
    caromVec3 na = carom_patch_face_plane(a, nearest_face(a, q->c)).n,
              nb = carom_patch_face_plane(b, nearest_face(b, q->c)).n;
    caromVec3 n = carom_unit_or(carom_sub(carom_scale(b->k, nb), carom_scale(a->k, na)), q->axes[2]);
    int most = 0;
    for (int k = 1; k < 3; k++) if (fabs(carom_dot(n, q->axes[k])) > fabs(carom_dot(n, q->axes[most]))) most = k;
    if (fabs(carom_dot(n, q->axes[most])) > CAROM_PATCH_ALONG) return true;
    caromVec3 t = q->axes[(most + 1) % 3];
    t = carom_unit_or(carom_axpy(-carom_dot(n, t), n, t), t);
    caromRegion turned = { { n, t, carom_cross(n, t) }, q->c, { 0 } };
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++) turned.h[k] += q->h[m]*fabs(carom_dot(q->axes[m], turned.axes[k]));
    }
    *q = turned;
    return cut_to_extents(q, a, b, slack);
}

// Passes end when few faces are left, or when they gain little; most contacts need two.
enum { PASSES_MAX = 6, FEW_FACES = 10 };

static bool find_region(caromOverlap *c)
{
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        double before = carom_patch_region_size(&c->region);
        if (!narrow(&c->b, &c->region, c->slack, &c->top) || !narrow(&c->a, &c->region, c->slack, &c->top))
            return false;
        if (c->a.faces.n + c->b.faces.n <= FEW_FACES) break;
        if (pass == 0 && !turn(&c->region, &c->a, &c->b, c->slack)) return false;
        if (pass > 0 && carom_patch_region_size(&c->region) > CAROM_PATCH_PASS_GAIN*before) break;
    }
    return true;
}

bool carom_patch_overlap_find(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromOverlap *c)
{
    double ra = shape_reach(a), rb = shape_reach(b);
    list_all(&c->a.faces, a);
    list_all(&c->b.faces, b);
    c->origin_W = ra <= rb ? shape_middle(a, X_WA) : shape_middle(b, X_WB);
    place(&c->a, a, X_WA, c->origin_W, carom_field_softer());
    place(&c->b, b, X_WB, c->origin_W, carom_field_stiffer());
    const caromMat3 *R = b->kind == CAROM_POLYTOPE && a->kind != CAROM_POLYTOPE ? &X_WA.R : &X_WB.R;
    // Roundings of the offsets of planes and extents: some ulps of the distances in them.
    double size = fmin(ra, rb) + carom_norm(c->a.X.p) + carom_norm(c->b.X.p);
    double sizes = size + (isfinite(ra) ? ra : 0.0) + (isfinite(rb) ? rb : 0.0);
    c->slack = CAROM_PATCH_ROUNDED*sizes + CAROM_PATCH_SLACK*fmin(ra, rb);
    c->region = (caromRegion){ { R->cx, R->cy, R->cz }, { 0, 0, 0 }, { 4.0*size, 4.0*size, 4.0*size } };
    c->top = INFINITY;
    return cut_to_extents(&c->region, &c->a, &c->b, c->slack) && find_region(c);
}
