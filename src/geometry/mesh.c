#include "geometry/mesh_features.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

static caromMesh *mesh_alloc(int nvertex, int ntriangle)
{
    caromMesh *mesh = carom_alloc_array(1, sizeof *mesh);
    if (!mesh) return NULL;
    mesh->vertices = carom_alloc_array((size_t)nvertex, sizeof *mesh->vertices);
    mesh->triangles = carom_alloc_array((size_t)ntriangle, sizeof *mesh->triangles);
    atomic_init(&mesh->owners, 1);
    mesh->nvertex = nvertex;
    mesh->ntriangle = ntriangle;
    if (mesh->vertices && mesh->triangles) return mesh;
    carom_mesh_destroy(mesh);
    return NULL;
}

static caromStatus check_vertices(const caromVec3 *vertices, int n, caromError *err)
{
    char where[64];
    for (int i = 0; i < n; i++) {
        caromVec3 p = vertices[i];
        if (fabs(p.x) <= CAROM_MESH_SIZE_MAX && fabs(p.y) <= CAROM_MESH_SIZE_MAX && fabs(p.z) <= CAROM_MESH_SIZE_MAX)
            continue;
        snprintf(where, sizeof where, "vertices[%d]", i);
        return carom_fail(err, CAROM_ERR_INPUT, where, "[%g, %g, %g] m: coordinates must be finite and below %g", p.x,
                          p.y, p.z, CAROM_MESH_SIZE_MAX);
    }
    return CAROM_OK;
}

static caromStatus check_triangles(const int (*triangles)[3], int n, int nvertex, caromError *err)
{
    char where[64];
    for (int t = 0; t < n; t++)
        for (int k = 0; k < 3; k++) {
            if (triangles[t][k] >= 0 && triangles[t][k] < nvertex) continue;
            snprintf(where, sizeof where, "triangles[%d]", t);
            return carom_fail(err, CAROM_ERR_INPUT, where, "has vertex %d, but there are only vertices 0 to %d",
                              triangles[t][k], nvertex - 1);
        }
    return CAROM_OK;
}

static caromStatus check_input(const caromVec3 *vertices, int nvertex, const int (*triangles)[3], int ntriangle,
                               caromError *err)
{
    if (nvertex <= 0 || ntriangle <= 0 || !vertices || !triangles)
        return carom_fail(err, CAROM_ERR_INPUT, "", "there is nothing in it: %d vertices, %d triangles", nvertex,
                          ntriangle);
    if (ntriangle > CAROM_MESH_TRIANGLES_MAX || nvertex/3 > CAROM_MESH_TRIANGLES_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "", "has %d vertices and %d triangles, more than the limit of %d "
                          "triangles: make it coarser", nvertex, ntriangle, CAROM_MESH_TRIANGLES_MAX);
    caromStatus status = check_vertices(vertices, nvertex, err);
    return status == CAROM_OK ? check_triangles(triangles, ntriangle, nvertex, err) : status;
}

// Only triangles with area are left, but for slivers between them.
static caromStatus repair(caromMesh *mesh, caromMeshReport *report, caromError *err)
{
    bool good = carom_mesh_merge_vertices(mesh, report) && carom_mesh_remove_degenerate(mesh, report) &&
                carom_mesh_remove_duplicates(mesh, report) && carom_mesh_remove_flat(mesh, report) &&
                carom_mesh_remove_unused(mesh, report);
    if (!good)
        return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for a mesh of %d triangles", report->triangles_read);
    if (mesh->ntriangle == 0 || mesh->ntriangle == report->flat_kept)
        return carom_fail(err, CAROM_ERR_INPUT, "", "none of its triangles has an area (%d read): "
                          "were coordinates lost in rounding, or is the scale too small?", report->triangles_read);
    if (!carom_mesh_orient(mesh, report))
        return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for the edges of %d triangles", mesh->ntriangle);
    return CAROM_OK;
}

static void find_box(const caromMesh *mesh, caromMeshReport *report)
{
    report->low = report->high = mesh->vertices[0];
    for (int i = 1; i < mesh->nvertex; i++) {
        caromVec3 p = mesh->vertices[i], *low = &report->low, *high = &report->high;
        *low = carom_vec(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        *high = carom_vec(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
    }
}

static void turn_all(caromMesh *mesh)
{
    for (int t = 0; t < mesh->ntriangle; t++) {
        int *v = mesh->triangles[t], second = v[1];
        v[1] = v[2];
        v[2] = second;
    }
}

// Components that close only together (solids that touch along a face) come out inside out as a whole, or not at all.
static caromStatus measure(caromMesh *mesh, caromMeshReport *report, caromError *err)
{
    find_box(mesh, report);
    double volume, diagonal = carom_norm(carom_sub(report->high, report->low));
    if (diagonal < 1.0/CAROM_MESH_SIZE_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "", "is %g m in size, below %g m: is the scale right?", diagonal,
                          1.0/CAROM_MESH_SIZE_MAX);
    for (int t = 0; t < mesh->ntriangle; t++) report->area += 0.5*carom_norm(carom_mesh_normal(mesh, t));
    for (int i = 0; i < mesh->nvertex; i++) mesh->reach = fmax(mesh->reach, carom_norm(mesh->vertices[i]));
    mesh->area = report->area;
    if (!report->is_closed || !report->is_oriented) return CAROM_OK;
    caromVec3 middle = carom_axpy(0.5, carom_sub(report->high, report->low), report->low);
    mesh->solid = carom_mesh_solid(mesh, middle, &volume);
    if (volume < 0.0) {
        turn_all(mesh);
        report->components_turned = report->components - report->components_turned;
        mesh->solid = carom_mesh_solid(mesh, middle, &volume);
    }
    // A tetrahedron is off by a few eps times area times distance; a sheet as thin as that has no inside.
    if (!(volume > 16.0*DBL_EPSILON*report->area*diagonal))
        return carom_fail(err, CAROM_ERR_INPUT, "", "the surface is closed, but its volume %g m^3 is nothing against "
                          "its area %g m^2 and size %g m: a flat sheet, or every triangle twice with opposite sides",
                          volume, report->area, diagonal);
    report->volume = volume;
    return CAROM_OK;
}

caromMesh *carom_mesh_create(const caromVec3 *vertices, int nvertex, const int (*triangles)[3], int ntriangle,
                             caromMeshReport *report, caromError *err)
{
    caromMeshReport own;
    if (!report) report = &own;
    *report = (caromMeshReport){ .vertices_read = nvertex, .triangles_read = ntriangle };
    if (check_input(vertices, nvertex, triangles, ntriangle, err) != CAROM_OK) return NULL;
    caromMesh *mesh = mesh_alloc(nvertex, ntriangle);
    if (!mesh) {
        carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for a mesh of %d triangles", ntriangle);
        return NULL;
    }
    memcpy(mesh->vertices, vertices, (size_t)nvertex*sizeof *vertices);
    memcpy(mesh->triangles, triangles, (size_t)ntriangle*sizeof *triangles);
    caromStatus status = repair(mesh, report, err);
    if (status == CAROM_OK) status = measure(mesh, report, err);
    if (status == CAROM_OK && !(carom_mesh_tree_build(mesh) && carom_mesh_features_find(mesh) &&
                                carom_mesh_find_parts(mesh) && carom_mesh_find_crossings(mesh, report)))
        status = carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for the hierarchy of %d triangles", mesh->ntriangle);
    mesh->report = *report;
    if (status == CAROM_OK) return mesh;
    carom_mesh_destroy(mesh);
    return NULL;
}

void carom_mesh_destroy(caromMesh *mesh)
{
    if (!mesh || atomic_fetch_sub(&mesh->owners, 1) > 1) return;
    carom_mesh_free_block(mesh);
    carom_mesh_features_free(mesh);
    carom_mesh_tree_free(&mesh->tree);
    free(mesh->parts);
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh);
}

caromMesh *carom_mesh_copy(const caromMesh *mesh)
{
    caromMesh *same = (caromMesh *)mesh;  // its count of owners is all that ever changes
    atomic_fetch_add(&same->owners, 1);
    return same;
}

int carom_mesh_vertices(const caromMesh *mesh, const caromVec3 **vertices)
{
    *vertices = mesh->vertices;
    return mesh->nvertex;
}

int carom_mesh_triangles(const caromMesh *mesh, const int (**triangles)[3])
{
    *triangles = (const int (*)[3])mesh->triangles;
    return mesh->ntriangle;
}

const caromMeshReport *carom_mesh_report(const caromMesh *mesh)
{
    return &mesh->report;
}
