#include "base/base.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "geometry/samples.h"

static caromMassProps solid(const caromShape *s)
{
    return s->mesh->solid;
}

static double surface(const caromShape *s)
{
    return s->mesh->area;
}

static double radius(const caromShape *s)
{
    return s->mesh->reach;
}

// Of a plate: volume over area. Of other solids it is less than half of what a caliper measures (a ball: a third of its
// radius). An open surface has no thickness that a contact could use up.
static double half_thickness(const caromShape *s)
{
    if (!carom_mesh_is_solid(s->mesh)) return (double)INFINITY;
    return s->mesh->solid.mass/s->mesh->area;
}

static bool is_over(const caromMesh *mesh, int t, caromVec3 p, caromVec3 n)
{
    const double close = 1e-9*mesh->reach;
    caromVec3 normal = carom_mesh_normal(mesh, t);
    double twice = carom_norm(normal);
    if (!(carom_dot(normal, n) > (1.0 - 1e-9)*twice)) return false;
    for (int k = 0; k < 3; k++) {
        caromVec3 a = mesh->vertices[mesh->triangles[t][k]], b = mesh->vertices[mesh->triangles[t][(k + 1)%3]],
                  along = carom_sub(b, a), to = carom_sub(p, a);
        if (fabs(carom_dot(normal, to)) > close*twice ||
            carom_dot(carom_cross(along, to), normal) < -close*twice*carom_norm(along)) return false;
    }
    return true;
}

// Plane where a triangle with this normal is, sharp elsewhere.
static caromCurvature curvature(const caromShape *s, caromVec3 p_S, caromVec3 n_S)
{
    double k = INFINITY;
    for (int t = 0; t < s->mesh->ntriangle && k > 0.0; t++)
        if (is_over(s->mesh, t, p_S, n_S)) k = 0.0;
    return (caromCurvature){ k, k, carom_geometry_square_to(n_S) };
}

static void sample(const caromShape *s, caromSampleList *list)
{
    carom_geometry_sample_mesh(list, s->mesh);
}

static caromStatus check(const caromShape *s, caromError *err)
{
    if (s->mesh) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_INPUT, "", "a mesh without triangles: make one by carom_mesh_create or "
                      "carom_meshfile_read");
}

const caromShapeRow carom_shape_row_mesh = {
    .name = "mesh",
    .example = "{file: bracket.stl, units: mm}",
    .doc = "A surface of triangles, from a file; its mass is that of what is inside.",
    .has_mesh = true,
    .is_bounded = true,
    .check = check,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
    .curvature = curvature,
    .sample = sample,
};
