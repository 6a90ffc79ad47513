#include "collide/triangle_core.h"

// The same for all triangles. A hull's arrays are not const since they are filled when one is made; queries only read them.
static const int first_neighbour[4] = { 0, 2, 4, 6 }, neighbours[6] = { 1, 2, 2, 0, 0, 1 }, vertex_faces[6] = { 0, 1, 0, 1, 0, 1 };
static const int first_corner[3] = { 0, 3, 6 }, corners_up[6] = { 0, 1, 2, 0, 2, 1 }, corners_down[6] = { 0, 2, 1, 0, 1, 2 };
static const int edges[3][2] = { { 0, 1 }, { 1, 2 }, { 0, 2 } }, edge_faces[3][2] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };

void carom_triangle_hull(const caromVec3 corners[3], caromVec3 other, caromTriangleHull *t)
{
    caromVec3 n = carom_cross(carom_sub(corners[1], corners[0]), carom_sub(corners[2], corners[0]));
    double length = carom_norm(n), reach2 = 0.0;
    n = length > 0.0 ? carom_scale(1.0/length, n) : carom_vec(0, 0, 1);
    bool up = carom_dot(n, carom_sub(other, corners[0])) >= 0.0;
    if (!up) n = carom_neg(n);
    for (int k = 0; k < 3; k++) {
        t->vertices[k] = corners[k];
        reach2 = fmax(reach2, carom_norm2(corners[k]));
    }
    t->normals[0] = n;
    t->normals[1] = carom_neg(n);
    t->offsets[0] = carom_dot(n, corners[0]);
    t->offsets[1] = -t->offsets[0];
    int *around = (int *)(up ? corners_up : corners_down);
    t->hull = (caromHull){ .nvertex = 3, .nface = 2, .nedge = 3, .vertices = t->vertices, .first_neighbour = (int *)first_neighbour, .neighbours = (int *)neighbours,
                           .vertex_faces = (int *)vertex_faces, .normals = t->normals, .offsets = t->offsets, .first_corner = (int *)first_corner,
                           .corners = around, .edges = (int (*)[2])edges, .edge_faces = (int (*)[2])edge_faces, .surface = length, .reach = sqrt(reach2),
                           .nouter = 3, .nouter_face = 2, .outer = t->vertices, .outer_first = (int *)first_corner, .outer_corners = around };
    t->hull.solid.com = carom_scale(1.0/3.0, carom_add(corners[0], carom_add(corners[1], corners[2])));
}
