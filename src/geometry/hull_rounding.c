// A rounded hull is its core grown by the radius; the core is what the half-spaces of the sharp hull leave when they
// have moved inwards by it.
#include <float.h>

#include "base/base.h"
#include "geometry/solid.h"

// The largest ball about x that fits inside the faces has this radius; below 0 outside.
static double depth(const caromHull *h, caromVec3 x)
{
    double least = INFINITY;
    for (int f = 0; f < h->nface; f++)
        least = fmin(least, carom_dot(h->normals[f], carom_sub(h->vertices[h->corners[h->first_corner[f]]], x)));
    return least;
}

// Of the planes that meet at a core vertex, three that are most square to each other, given the first.
static void choose_planes(const caromVec3 *n, const int *loop, int count, int chosen[3])
{
    double best = -1.0;
    chosen[0] = loop[0];
    for (int k = 1; k < count; k++) {
        double x = carom_norm2(carom_cross(n[loop[0]], n[loop[k]]));
        if (x > best) best = x, chosen[1] = loop[k];
    }
    caromVec3 ab = carom_cross(n[chosen[0]], n[chosen[1]]);
    best = -1.0;
    for (int k = 1; k < count; k++) {
        double x = fabs(carom_dot(ab, n[loop[k]]));
        if (x > best) best = x, chosen[2] = loop[k];
    }
}

// Where the planes n.x = d meet. Cramer's rule leaves residuals that grow with the condition of the three normals,
// which is bad where faces are almost parallel; two steps of refinement bring them to rounding.
static caromVec3 meeting_point(const caromVec3 *n, const double *d, const int *loop, int count)
{
    int chosen[3] = { loop[0], loop[1], loop[2] };
    choose_planes(n, loop, count, chosen);
    caromVec3 a = n[chosen[0]], b = n[chosen[1]], c = n[chosen[2]], bc = carom_cross(b, c), ca = carom_cross(c, a),
              ab = carom_cross(a, b);
    caromVec3 x = { 0, 0, 0 };
    double det = carom_dot(ab, c);
    for (int step = 0; step < 3; step++) {
        double ra = d[chosen[0]] - carom_dot(a, x), rb = d[chosen[1]] - carom_dot(b, x),
               rc = d[chosen[2]] - carom_dot(c, x);
        x = carom_axpy(1.0/det, carom_add(carom_scale(ra, bc), carom_add(carom_scale(rb, ca), carom_scale(rc, ab))), x);
    }
    return x;
}

// Points of a core, each with the faces of the sharp hull that meet there after they have moved:
// faces[loops[k].first] and so on.
typedef struct Meetings {
    int count;
    caromVec3 *points;
    caromLoop *loops;
    int *faces;
} Meetings;

static void free_meetings(Meetings *m)
{
    free(m->points);
    free(m->loops);
    free(m->faces);
    *m = (Meetings){ 0 };
}

// Facets of the dual in the order of the faces they stand for: vertices of the core do not come in the order of qhull.
static caromStatus order_meetings(const caromFacets *facets, int nface, Meetings *m, caromError *err)
{
    size_t ncorner = (size_t)facets->first[facets->count];
    int *number = carom_alloc_array((size_t)nface, sizeof *number),
        *scratch = carom_alloc_array(ncorner, sizeof *scratch);
    m->count = facets->count;
    m->points = carom_alloc_array((size_t)m->count, sizeof *m->points);
    m->loops = carom_alloc_array((size_t)m->count, sizeof *m->loops);
    m->faces = carom_alloc_array(ncorner, sizeof *m->faces);
    caromStatus status = CAROM_OK;
    if (!number || !scratch || !m->points || !m->loops || !m->faces) {
        status = carom_hull_fail_memory(err, nface);
    } else {
        for (int i = 0; i < nface; i++) number[i] = i;
        if (carom_hull_solid_order_loops(facets, number, m->faces, m->loops, scratch) < 4)
            status = carom_fail(err, CAROM_ERR_NUMERIC, "", "the dual of a hull has no volume");
    }
    free(number);
    free(scratch);
    return status;
}

// Where a core is expected: a point inside and its widths about it, as columns of a matrix T; x = p + T y is about as
// wide in all directions y.
typedef struct RoundingGuess { caromVec3 p; caromMat3 T; } RoundingGuess;

// The half-spaces n.x <= b - r meet in a polytope whose vertices are the facets of the hull of the points T^T n/d,
// d = b - r - n.p: duality [Barber96]. With T the dual of a thin plate is no needle, and a hull with the usual
// tolerance finds its facets.
static void make_dual(const caromHull *h, const RoundingGuess *guess, double r, caromVec3 *dual, double *d)
{
    double largest = 0.0;
    for (int f = 0; f < h->nface; f++) {
        d[f] = carom_dot(h->normals[f], carom_sub(h->vertices[h->corners[h->first_corner[f]]], guess->p)) - r;
        dual[f] = carom_scale(1.0/d[f], carom_tmul(guess->T, h->normals[f]));
        largest = fmax(largest, carom_hull_largest_component(dual[f]));
    }
    for (int f = 0; f < h->nface; f++) dual[f] = carom_scale(1.0/largest, dual[f]);
}

static caromStatus find_meetings(const caromHull *h, const RoundingGuess *guess, double r, Meetings *m, caromError *err)
{
    caromVec3 *dual = carom_alloc_array((size_t)h->nface, sizeof *dual);
    double *d = carom_alloc_array((size_t)h->nface, sizeof *d);
    caromStatus status = CAROM_ERR_MEMORY;
    if (dual && d) {
        caromFacets facets;
        make_dual(h, guess, r, dual, d);
        status = carom_geometry_facets_find(dual, h->nface, 16.0*DBL_EPSILON, &facets, err);
        if (status == CAROM_OK) status = order_meetings(&facets, h->nface, m, err);
        for (int k = 0; status == CAROM_OK && k < m->count; k++)
            m->points[k] = carom_add(guess->p,
                                     meeting_point(h->normals, d, m->faces + m->loops[k].first, m->loops[k].n));
        carom_geometry_facets_free(&facets);
    } else {
        carom_hull_fail_memory(err, h->nvertex);
    }
    free(dual);
    free(d);
    return status;
}

// The face of the sharp hull that a loop of core vertices came from: of those that meet at its first corner, the one
// that all corners are r below.
static caromVec3 inherited_normal(const caromHull *h, const Meetings *m, const caromSolid *core, int f, double r,
                                  double rounding)
{
    const int *corner = core->corners + core->first[f];
    int n = core->first[f + 1] - core->first[f];
    const caromLoop *loop = &m->loops[core->origin[corner[0]]];
    double least = 64.0*rounding;
    caromVec3 normal = core->normals[f];
    for (int i = 0; i < loop->n; i++) {
        int g = m->faces[loop->first + i];
        caromVec3 o = h->vertices[h->corners[h->first_corner[g]]];
        double off = 0.0;
        for (int k = 0; k < n; k++)
            off = fmax(off, fabs(carom_dot(h->normals[g], carom_sub(core->vertices[corner[k]], o)) + r));
        if (off < least) least = off, normal = h->normals[g];
    }
    return normal;
}

// Rounding of a core's vertices is that of the hull's coordinates.
static caromStatus core_near(const caromHull *h, const RoundingGuess *guess, double r, double rounding,
                             caromSolid *core, caromError *err)
{
    Meetings meetings = { 0 };
    caromCloud cloud = { 0 };
    caromStatus status = find_meetings(h, guess, r, &meetings, err);
    if (status == CAROM_OK && !carom_hull_cloud_collect(meetings.points, meetings.count, &cloud))
        status = carom_hull_fail_memory(err, meetings.count);
    if (status == CAROM_OK) {
        carom_hull_cloud_measure(&cloud);
        cloud.rounding = 4.0*rounding;
        status = carom_hull_cloud_check_extent(&cloud, err) == CAROM_OK ? carom_hull_solid_find(&cloud, core, err)
                                                                        : CAROM_ERR_INPUT;
    }
    for (int f = 0; status == CAROM_OK && f < core->nface; f++)
        core->normals[f] = inherited_normal(h, &meetings, core, f, r, rounding);
    core->is_core = true;
    carom_hull_cloud_free(&cloud);
    free_meetings(&meetings);
    return status;
}

// Centre of mass and principal axes, with the widths of a box of the same inertia: I_x = m (b^2 + c^2)/12.
static RoundingGuess guess_of(caromMassProps m)
{
    caromMat3 axes;
    caromVec3 I = carom_geometry_principal_axes(m.inertia, &axes);
    double half = 0.5*(I.x + I.y + I.z), least = 1e-14*half;  // a^2 = 12/m (half - I_x)
    double a = sqrt(fmax(half - I.x, least)/m.mass), b = sqrt(fmax(half - I.y, least)/m.mass),
           c = sqrt(fmax(half - I.z, least)/m.mass);
    return (RoundingGuess){ m.com, carom_mat(carom_scale(a, axes.cx), carom_scale(b, axes.cy),
                                             carom_scale(c, axes.cz)) };
}

// Twice: the first core says where the second is expected.
static caromStatus core_about(const caromHull *h, caromVec3 inside, double r, double rounding, caromSolid *core,
                              caromError *err)
{
    RoundingGuess guess = guess_of(h->solid);
    guess.p = inside;
    caromStatus status = core_near(h, &guess, r, rounding, core, err);
    caromHull *first = status == CAROM_OK ? carom_hull_assemble(core, core, 0.0, err) : NULL;
    if (!first) return status == CAROM_OK ? CAROM_ERR_MEMORY : status;
    guess = guess_of(first->solid);
    carom_hull_destroy(first);
    if (!(depth(h, guess.p) > r)) return CAROM_OK;
    carom_hull_solid_free(core);
    return core_near(h, &guess, r, rounding, core, err);
}

static caromStatus fail_rounding(caromError *err, double r, double largest)
{
    return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding by %g m leaves nothing of this convex hull: "
                      "less than %.4g m is possible, the radius of the largest ball inside", r, largest);
}

// A point whose ball inside the hull is larger than r: the centroid, or else the centroid of the core for a smaller
// rounding s, again and again. A centroid is at least a quarter of the width away from every supporting plane, so that
// with d its depth and R the radius of the largest ball inside, R - s <= 2 (d - s): R lies between d and 2 d - s, and
// each time comes to half of what was left.
static caromStatus point_inside(const caromHull *h, double r, double rounding, caromVec3 *inside, caromError *err)
{
    double enough = r + 64.0*rounding, s = 0.0;
    *inside = h->solid.com;
    double d = depth(h, *inside), upper = 2.0*d;
    for (int trial = 0; trial < 40 && d <= enough; trial++) {
        if (upper - d <= 1e-4*d) return fail_rounding(err, r, d);  // not before, so that the message has the largest
        s = d - 0.1*(upper - d);
        caromSolid core = { 0 };
        caromHull *smaller = NULL;
        caromError inner = { 0 };
        if (core_about(h, *inside, s, rounding, &core, &inner) == CAROM_OK)
            smaller = carom_hull_assemble(&core, &core, 0.0, &inner);
        carom_hull_solid_free(&core);
        if (!smaller)
            return inner.status == CAROM_ERR_MEMORY ? carom_hull_fail_memory(err, h->nvertex)
                                                    : fail_rounding(err, r, d);
        *inside = smaller->solid.com;
        carom_hull_destroy(smaller);
        d = depth(h, *inside);
        upper = fmin(upper, 2.0*d - s);
    }
    return d > enough ? CAROM_OK : fail_rounding(err, r, d);
}

// Every face moves inwards by r.
caromHull *carom_hull_rounded(const caromHull *sharp, const caromSolid *outer, double r, double rounding,
                              caromError *err)
{
    caromVec3 inside;
    if (point_inside(sharp, r, rounding, &inside, err) != CAROM_OK) return NULL;
    caromSolid core = { 0 };
    caromHull *hull = NULL;
    caromStatus status = core_about(sharp, inside, r, rounding, &core, err);
    if (status == CAROM_OK) hull = carom_hull_assemble(&core, outer, r, err);
    else if (status != CAROM_ERR_MEMORY) fail_rounding(err, r, depth(sharp, inside));  // thinner than rounding
    carom_hull_solid_free(&core);
    return hull;
}
