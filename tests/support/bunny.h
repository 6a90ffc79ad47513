// bunny.h -- a closed mesh that is not convex, as fine as one likes; for tests and benchmarks.
//
// A lumpy ball of 50 mm with two long ears and a snout around its top, which hold what is put between them. The same
// surface at any fineness; 12 n^2 triangles.
#ifndef CAROM_TESTS_BUNNY_H
#define CAROM_TESTS_BUNNY_H

#include <math.h>
#include <stdlib.h>

#include "carom/mesh.h"

static inline double bunny_bump(caromVec3 u, double x, double y, double z, double narrow)
{
    caromVec3 e = carom_unit_or(carom_vec(x, y, z), carom_vec(0, 0, 1));
    return exp(-narrow*(1.0 - carom_dot(u, e)));
}

// How far the surface is along a direction [m].
static inline double bunny_radius(caromVec3 u)
{
    double lumps = 0.04*sin(5.0*u.x + 1.0)*sin(4.0*u.y + 2.0) + 0.03*sin(6.0*u.z - 3.0*u.x),
           ears = 0.9*bunny_bump(u, 0.42, 0.47, 1.0, 25.0) + 0.85*bunny_bump(u, 0.42, -0.47, 1.0, 25.0),
           snout = 0.8*bunny_bump(u, -0.66, 0.05, 1.0, 18.0);
    return 0.05*(1.0 + lumps + ears + snout);
}

static inline double bunny_line(int i, int n)
{
    return i == 0 ? -1.0 : i == n ? 1.0 : tan(0.25*acos(-1.0)*(2*i - n)/n);
}

// A cube of n by n squares on each side, blown up to a radius by direction.
static inline caromMesh *bunny_blown_up(int n, double (*radius)(caromVec3 u))
{
    int nvertex = 6*(n + 1)*(n + 1), v = 0, t = 0;
    caromVec3 *vertices = calloc((size_t)nvertex, sizeof *vertices);
    int (*triangles)[3] = calloc((size_t)(12*n*n), sizeof *triangles);
    for (int side = 0; vertices && triangles && side < 6; side++) {
        int first = v, axis = side/2;
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                double x[3];
                x[axis] = side % 2 ? 1.0 : -1.0;
                x[(axis + 1)%3] = bunny_line(i, n);
                x[(axis + 2)%3] = x[axis]*bunny_line(j, n);
                caromVec3 u = carom_unit_or(carom_vec(x[0], x[1], x[2]), carom_vec(0, 0, 1));
                vertices[v++] = carom_scale(radius(u), u);
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int a = first + i*(n + 1) + j, b = a + n + 1;
                const int two[2][3] = { { a, b, b + 1 }, { a, b + 1, a + 1 } };
                for (int k = 0; k < 2; k++, t++)
                    for (int c = 0; c < 3; c++) triangles[t][c] = two[k][c];
            }
    }
    caromMesh *mesh = carom_mesh_create(vertices, nvertex, (const int (*)[3])triangles, t, NULL, NULL);
    free(vertices);
    free(triangles);
    return mesh;
}

static inline caromMesh *bunny_mesh(int n)
{
    return bunny_blown_up(n, bunny_radius);
}

#endif
