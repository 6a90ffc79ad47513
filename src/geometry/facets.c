// Convex hulls by qhull [Barber96]: quickhull with facets that are merged where rounding leaves their angle open, so
// that a cube with noise has six faces.
#include <float.h>
#include <stdio.h>

#include <libqhull_r/qhull_ra.h>

#include "base/base.h"
#include "geometry/facets.h"

// qhull insists on a file for its remarks: one in memory, which swallows what is beyond its end.
typedef struct Quickhull {
    qhT qh;
    FILE *remarks;
    char remarks_text[256];
    char command[64];
    caromFacets *facets;
    double *coordinates;
    bool is_memory_short;
} Quickhull;

// "qhull Pp E3e-15": the roundoff of distances. A whole mantissa, as the decimal point depends on the locale.
static void write_command(Quickhull *q, double tolerance)
{
    int exponent = (int)floor(log10(tolerance)) - 3;
    snprintf(q->command, sizeof q->command, "qhull Pp E%de%d", (int)ceil(tolerance*pow(10.0, -exponent)), exponent);
}

static bool is_reversed(const Quickhull *q, const facetT *facet, const int *loop, int n)
{
    caromVec3 sum = { 0, 0, 0 };
    const double *o = q->coordinates + (size_t)3*(size_t)loop[0];
    for (int k = 1; k + 1 < n; k++) {
        const double *a = q->coordinates + (size_t)3*(size_t)loop[k],
                     *b = q->coordinates + (size_t)3*(size_t)loop[k + 1];
        sum = carom_add(sum, carom_cross(carom_vec(a[0] - o[0], a[1] - o[1], a[2] - o[2]),
                                         carom_vec(b[0] - o[0], b[1] - o[1], b[2] - o[2])));
    }
    return carom_dot(sum, carom_vec(facet->normal[0], facet->normal[1], facet->normal[2])) < 0.0;
}

static int facet_loop(Quickhull *q, facetT *facet, int *loop)
{
    qhT *qh = &q->qh;
    setT *vertices = qh_facet3vertex(qh, facet);
    vertexT *vertex, **vertexp;
    int n = 0;
    FOREACHvertex_(vertices) loop[n++] = qh_pointid(qh, vertex->point);
    qh_settempfree(qh, &vertices);
    if (n >= 3 && is_reversed(q, facet, loop, n))
        for (int i = 0, j = n - 1; i < j; i++, j--) {
            int k = loop[i];
            loop[i] = loop[j];
            loop[j] = k;
        }
    return n;
}

// Frees nothing on the way out: memory of ours is already in q when qhull jumps.
static void copy_facets(Quickhull *q)
{
    qhT *qh = &q->qh;
    facetT *facet;
    size_t ncorner = 0, nfacet = 0;
    FORALLfacets {
        nfacet++;
        ncorner += (size_t)qh_setsize(qh, facet->vertices);
    }
    caromFacets *out = q->facets;
    out->first = carom_alloc_array(nfacet + 1, sizeof *out->first);
    out->corners = carom_alloc_array(ncorner, sizeof *out->corners);
    out->normals = carom_alloc_array(nfacet, sizeof *out->normals);
    q->is_memory_short = !out->first || !out->corners || !out->normals;
    if (q->is_memory_short) return;
    FORALLfacets {
        int n = facet_loop(q, facet, out->corners + out->first[out->count]);
        out->first[out->count + 1] = out->first[out->count] + n;
        out->normals[out->count] = carom_vec(facet->normal[0], facet->normal[1], facet->normal[2]);
        out->count++;
    }
}

// qhull reports errors by a jump to the place that qh_new_qhull set; after it has returned, the place is ours to set.
static int copy_facets_guarded(Quickhull *q)
{
    int code = setjmp(q->qh.errexit);
    if (code == 0) {
        q->qh.NOerrexit = False;
        copy_facets(q);
    }
    q->qh.NOerrexit = True;
    return code;
}

static int run(Quickhull *q, int n)
{
    int code = qh_new_qhull(&q->qh, 3, n, q->coordinates, False, q->command, NULL, q->remarks);
    if (code == 0) code = copy_facets_guarded(q);
    int long_left, total_left;
    qh_freeqhull(&q->qh, !qh_ALL);
    qh_memfreeshort(&q->qh, &long_left, &total_left);
    return code;
}

static bool prepare(Quickhull *q, const caromVec3 *points, int n)
{
    q->coordinates = carom_alloc_array((size_t)n, 3*sizeof *q->coordinates);
    q->remarks = fmemopen(q->remarks_text, sizeof q->remarks_text, "w");
    if (!q->coordinates || !q->remarks) return false;
    setvbuf(q->remarks, NULL, _IONBF, 0);
    for (int i = 0; i < n; i++) {
        double *c = q->coordinates + (size_t)3*(size_t)i;
        c[0] = points[i].x, c[1] = points[i].y, c[2] = points[i].z;
    }
    return true;
}

caromStatus carom_geometry_facets_find(const caromVec3 *points, int n, double tolerance, caromFacets *facets,
                                       caromError *err)
{
    *facets = (caromFacets){ 0 };
    Quickhull *q = carom_alloc_array(1, sizeof *q);
    bool is_memory_short = !q || !prepare(q, points, n);
    int code = 0;
    if (!is_memory_short) {
        q->facets = facets;
        write_command(q, tolerance);
        qh_zero(&q->qh, q->remarks);
        code = run(q, n);
        is_memory_short = code == qh_ERRmem || q->is_memory_short;
    }
    if (q && q->remarks) fclose(q->remarks);
    if (q) free(q->coordinates);
    free(q);
    if (is_memory_short) return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for the convex hull of %d points", n);
    if (code != 0)
        return carom_fail(err, CAROM_ERR_NUMERIC, "", "no convex hull found for %d points (qhull stops with code %d): "
                          "points that lie very close to each other may be the reason", n, code);
    return CAROM_OK;
}

void carom_geometry_facets_free(caromFacets *facets)
{
    free(facets->first);
    free(facets->corners);
    free(facets->normals);
    *facets = (caromFacets){ 0 };
}
