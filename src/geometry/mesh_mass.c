// Integrals over a polyhedron as sums over the tetrahedra between its triangles and a point o, with their signs: exact
// wherever o is, and best conditioned near the middle. [Mirtich96] gets there by projections, which need no o but
// divide by components of the normals.
#include "geometry/mesh.h"
#include "geometry/moments.h"

caromMassProps carom_mesh_solid(const caromMesh *mesh, caromVec3 o, double *volume)
{
    caromMoments m = { 0 };
    for (int t = 0; t < mesh->ntriangle; t++) {
        const int *v = mesh->triangles[t];
        carom_geometry_moments_add_tetrahedron(&m, carom_sub(mesh->vertices[v[0]], o),
                                               carom_sub(mesh->vertices[v[1]], o), carom_sub(mesh->vertices[v[2]], o));
    }
    *volume = m.volume;
    return carom_geometry_moments_mass(&m, o);
}

caromMassProps carom_mesh_mass(const caromMesh *mesh, double density)
{
    caromMassProps props = mesh->solid;
    props.mass *= density;
    props.inertia = carom_mat_scale(density, props.inertia);
    return props;
}
