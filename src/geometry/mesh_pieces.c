// Convex pieces of a solid: the part that reaches farthest beyond the solid is cut in two until none reaches too far,
// then neighbours become one again where their common hull does not. VHACD and CoACD do likewise; neither is in Debian
// 12, and they measure by voxels and samples, where this bound is certain. CGAL's exact decomposition is C++, takes
// minutes for some thousand triangles and knows no tolerance: a gear has hundreds of exact parts.
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "geometry/mesh_pieces.h"

enum { CHUNK = 500000 };
static const double tolerance_least = 1e-5;  // of the size

typedef struct PieceList {
    const caromSolidMesh *solid;
    double tolerance;
    caromPart *parts;
    int n, capacity;
    caromStatus status;  // CAROM_ERR_MEMORY, or what a hull failed with
} PieceList;

static void fail_memory(PieceList *pieces)
{
    pieces->status = CAROM_ERR_MEMORY;
}

// ---- parts

// More points than a hull may have are taken in chunks, of which the corners of their hulls stay.
static caromHull *hull_of(caromVec3 *points, int n, caromError *err)
{
    while (n > CAROM_HULL_POINTS_MAX) {
        caromHull *hull = carom_hull_create(points + n - CHUNK, CHUNK, 0.0, err);
        if (!hull && err->status == CAROM_ERR_MEMORY) return NULL;
        if (!hull) break;
        memcpy(points + n - CHUNK, hull->vertices, (size_t)hull->nvertex*sizeof *points);
        n = n - CHUNK + hull->nvertex;
        carom_hull_destroy(hull);
    }
    return carom_hull_create(points, n, 0.0, err);
}

// Hull and reach; a part that is empty or flat has no hull, and is nothing.
static bool finish_part(PieceList *pieces, caromPart *part)
{
    caromError err = { 0 };
    if (part->npoint >= 4) part->hull = hull_of(part->points, part->npoint, &err);
    if (!part->hull && err.status == CAROM_ERR_MEMORY) fail_memory(pieces);
    if (!part->hull) return false;
    part->reach = carom_hull_reach_estimate(pieces->solid, part->hull, pieces->tolerance);
    if (part->reach < 0.0) fail_memory(pieces);
    return part->reach >= 0.0;
}

static bool add_part(PieceList *pieces, caromPart *part)
{
    if (pieces->n == pieces->capacity) {
        int capacity = pieces->capacity ? 2*pieces->capacity : 16;
        caromPart *larger = realloc(pieces->parts, (size_t)capacity*sizeof *larger);
        if (!larger) {
            fail_memory(pieces);
            return false;
        }
        pieces->parts = larger;
        pieces->capacity = capacity;
    }
    pieces->parts[pieces->n++] = *part;
    *part = (caromPart){ 0 };
    return true;
}

static void pieces_free(PieceList *pieces)
{
    for (int i = 0; i < pieces->n; i++) carom_mesh_part_free(&pieces->parts[i]);
    free(pieces->parts);
}

static int worst_part(const PieceList *pieces)
{
    int worst = 0;
    for (int i = 1; i < pieces->n; i++)
        if (pieces->parts[i].reach > pieces->parts[worst].reach) worst = i;
    return worst;
}

static double worst_reach(const PieceList *pieces)
{
    return pieces->n > 0 ? pieces->parts[worst_part(pieces)].reach : 0.0;
}

// An upper bound, where parts have estimates.
static double certain_reach(PieceList *pieces)
{
    double most = 0.0;
    for (int i = 0; i < pieces->n && pieces->status == CAROM_OK; i++) {
        double reach = carom_hull_reach(pieces->solid, pieces->parts[i].hull, fmax(pieces->tolerance, most));
        if (reach < 0.0) fail_memory(pieces);
        most = fmax(most, reach);
    }
    return most;
}

// ---- cutting

// One side takes the place of the part, the other is new. False: it cannot be cut, or memory is short.
static bool cut(PieceList *pieces, int i)
{
    caromCutPlane plane;
    bool is_memory_short = false;
    if (!carom_mesh_part_best_plane(pieces->solid, &pieces->parts[i], pieces->tolerance, &plane, &is_memory_short)) {
        if (is_memory_short) fail_memory(pieces);
        return false;
    }
    caromPart below, above = { 0 };
    if (!carom_mesh_part_cut(pieces->solid, &pieces->parts[i], plane, &below) ||
        !carom_mesh_part_cut(pieces->solid, &pieces->parts[i], carom_mesh_plane_back(plane), &above))
        fail_memory(pieces);
    bool good = pieces->status == CAROM_OK && finish_part(pieces, &below) && finish_part(pieces, &above) &&
                add_part(pieces, &above);
    if (good) {
        carom_mesh_part_free(&pieces->parts[i]);
        pieces->parts[i] = below;
    } else {
        carom_mesh_part_free(&below);
        carom_mesh_part_free(&above);
    }
    return good;
}

// The worst first, up to nmax parts; reached is what it was with as many as are allowed in the end. False: more would
// be needed.
static bool cut_all(PieceList *pieces, int allowed, int nmax, double *reached)
{
    for (;;) {
        int worst = worst_part(pieces);
        if (pieces->parts[worst].reach <= pieces->tolerance) return true;
        if (pieces->n == allowed) *reached = certain_reach(pieces);
        if (pieces->n >= nmax || !cut(pieces, worst)) return false;
    }
}

// ---- merging

static bool boxes_touch(const caromHull *a, const caromHull *b, double eps)
{
    const caromVec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    caromCore cores[2] = { { .kind = CAROM_CORE_HULL, .hull = a }, { .kind = CAROM_CORE_HULL, .hull = b } };
    for (int k = 0; k < 3; k++) {
        double high_a = carom_shape_core_extent(&cores[0], axes[k]),
               low_a = -carom_shape_core_extent(&cores[0], carom_neg(axes[k]));
        double high_b = carom_shape_core_extent(&cores[1], axes[k]),
               low_b = -carom_shape_core_extent(&cores[1], carom_neg(axes[k]));
        if (low_a > high_b + eps || low_b > high_a + eps) return false;
    }
    return true;
}

static caromHull *common_hull(PieceList *pieces, const caromHull *a, const caromHull *b)
{
    caromError err = { 0 };
    caromVec3 *points = carom_alloc_array((size_t)a->nvertex + (size_t)b->nvertex, sizeof *points);
    caromHull *hull = NULL;
    if (points) {
        memcpy(points, a->vertices, (size_t)a->nvertex*sizeof *points);
        memcpy(points + a->nvertex, b->vertices, (size_t)b->nvertex*sizeof *points);
        hull = hull_of(points, a->nvertex + b->nvertex, &err);
    }
    if (!points || err.status == CAROM_ERR_MEMORY) fail_memory(pieces);
    free(points);
    return hull;
}

// What a common hull has more than two; infinite if that is too much: a layer as thick as the tolerance around it would
// not hold it, or they do not touch.
static double cost_of(PieceList *pieces, int i, int j)
{
    const caromHull *a = pieces->parts[i].hull, *b = pieces->parts[j].hull;
    if (!boxes_touch(a, b, pieces->solid->eps)) return INFINITY;
    caromHull *hull = common_hull(pieces, a, b);
    double cost = hull ? hull->solid.mass - a->solid.mass - b->solid.mass : (double)INFINITY;
    if (hull && cost > pieces->tolerance*hull->surface) cost = INFINITY;
    carom_hull_destroy(hull);
    return cost;
}

// Costs of all pairs j < i at [i*n + j].
typedef struct Costs { double *at; int n; } Costs;

static bool cheapest(const PieceList *pieces, const Costs *costs, int *i, int *j)
{
    double least = INFINITY;
    for (int a = 1; a < pieces->n; a++)
        for (int b = 0; b < a; b++)
            if (costs->at[a*costs->n + b] < least) least = costs->at[a*costs->n + b], *i = a, *j = b;
    return isfinite(least);
}

// Puts the last part into the place of part i.
static void remove_part(PieceList *pieces, Costs *costs, int i)
{
    int last = --pieces->n;
    carom_mesh_part_free(&pieces->parts[i]);
    if (i == last) return;
    pieces->parts[i] = pieces->parts[last];
    for (int k = 0; k < last; k++)
        if (k != i) costs->at[i > k ? i*costs->n + k : k*costs->n + i] = costs->at[last*costs->n + k];
}

static void merge_pair(PieceList *pieces, Costs *costs, int i, int j)
{
    caromPart one = { .hull = common_hull(pieces, pieces->parts[i].hull, pieces->parts[j].hull) };
    one.reach = one.hull ? carom_hull_reach_estimate(pieces->solid, one.hull, pieces->tolerance) : (double)INFINITY;
    if (one.reach < 0.0) fail_memory(pieces);
    if (one.reach < 0.0 || one.reach > pieces->tolerance) {
        costs->at[i*costs->n + j] = INFINITY;
        carom_mesh_part_free(&one);
        return;
    }
    carom_mesh_part_free(&pieces->parts[j]);
    pieces->parts[j] = one;
    remove_part(pieces, costs, i);
    for (int k = 0; k < pieces->n && pieces->status == CAROM_OK; k++)
        if (k != j) costs->at[k > j ? k*costs->n + j : j*costs->n + k] = cost_of(pieces, k > j ? k : j, k > j ? j : k);
}

// The pair that adds least first, as long as one stays within the tolerance.
static void merge_all(PieceList *pieces)
{
    Costs costs = { carom_alloc_array((size_t)pieces->n*(size_t)pieces->n, sizeof(double)), pieces->n };
    if (!costs.at) fail_memory(pieces);
    for (int i = 1; i < pieces->n && pieces->status == CAROM_OK; i++)
        for (int j = 0; j < i && pieces->status == CAROM_OK; j++) costs.at[i*costs.n + j] = cost_of(pieces, i, j);
    for (int i = 0, j = 0; pieces->status == CAROM_OK && cheapest(pieces, &costs, &i, &j);)
        merge_pair(pieces, &costs, i, j);
    free(costs.at);
}

// ---- from outside

static caromStatus check_input(const caromMesh *mesh, double tolerance, int pieces_max, caromError *err)
{
    const caromMeshReport *r = &mesh->report;
    double least = tolerance_least*carom_norm(carom_sub(r->high, r->low));
    if (!carom_mesh_is_solid(mesh))
        return carom_fail(err, CAROM_ERR_INPUT, "", "only a closed mesh has an inside to be cut into pieces: "
                          "this one has %d open edges", r->open_edges);
    if (r->crossings > 0)
        return carom_fail(err, CAROM_ERR_INPUT, "", "the surface goes through itself (%d pairs of triangles cross%s), "
                          "so that there is no telling what is inside: unite its parts in the program it comes from",
                          r->crossings, r->are_crossings_counted ? "" : ", or more");
    if (!(tolerance >= least) || !isfinite(tolerance))
        return carom_fail(err, CAROM_ERR_INPUT, "tolerance", "is %g m: expected a distance of at least %g m, "
                          "1e-5 of the size of the mesh", tolerance, least);
    if (pieces_max < 1 || pieces_max > CAROM_MESH_PIECES_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "pieces_max", "is %d, expected 1 to %d", pieces_max,
                          CAROM_MESH_PIECES_MAX);
    return CAROM_OK;
}

static caromStatus hand_over(PieceList *pieces, caromMeshPieces *result, caromError *err)
{
    result->hulls = carom_alloc_array((size_t)pieces->n, sizeof(void *));
    if (!result->hulls) return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for %d pieces", pieces->n);
    result->n = pieces->n;
    result->reach = worst_reach(pieces);
    for (int i = 0; i < pieces->n; i++) {
        result->hulls[i] = pieces->parts[i].hull;
        result->volume += pieces->parts[i].hull->solid.mass;
        pieces->parts[i].hull = NULL;
    }
    return CAROM_OK;
}

static caromStatus decompose(PieceList *pieces, int pieces_max, caromMeshPieces *result, caromError *err)
{
    double reached = 0.0;
    caromPart whole;
    bool good = carom_mesh_part_whole(pieces->solid, &whole);
    if (!good) fail_memory(pieces);
    good = good && finish_part(pieces, &whole) && add_part(pieces, &whole);
    carom_mesh_part_free(&whole);
    if (good) good = cut_all(pieces, pieces_max, 2*pieces_max + 8, &reached);
    if (good) merge_all(pieces);
    if (pieces->status == CAROM_ERR_MEMORY)
        return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for pieces of a mesh of %d triangles",
                          pieces->solid->mesh->ntriangle);
    if (good && pieces->n <= pieces_max) return hand_over(pieces, result, err);
    result->reach = reached;
    return carom_fail(err, CAROM_ERR_INPUT, "", "more than %d convex pieces are needed for a tolerance of %g m; "
                      "with as many it is %.3g m", pieces_max, pieces->tolerance, reached);
}

caromStatus carom_mesh_pieces(const caromMesh *mesh, double tolerance, int pieces_max, caromMeshPieces *result,
                              caromError *err)
{
    *result = (caromMeshPieces){ 0 };
    caromStatus status = check_input(mesh, tolerance, pieces_max, err);
    if (status != CAROM_OK) return status;
    double size = carom_norm(carom_sub(mesh->report.high, mesh->report.low));
    caromSolidMesh solid = { .mesh = mesh, .size = size, .eps = 1e-10*size };
    PieceList pieces = { .solid = &solid, .tolerance = tolerance };
    if (carom_mesh_sides_make(mesh, &solid.sides)) status = decompose(&pieces, pieces_max, result, err);
    else
        status = carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for pieces of a mesh of %d triangles",
                            mesh->ntriangle);
    pieces_free(&pieces);
    carom_mesh_sides_free(&solid.sides);
    return status;
}

void carom_mesh_pieces_free(caromMeshPieces *pieces)
{
    for (int i = 0; i < pieces->n; i++) carom_hull_destroy(pieces->hulls[i]);
    free(pieces->hulls);
    *pieces = (caromMeshPieces){ 0 };
}
