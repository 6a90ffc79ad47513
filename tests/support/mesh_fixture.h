// Meshes made by hand: cube, tetrahedron, torus, bolt; and what can be done to them.
#ifndef CAROM_TESTS_MESH_FIXTURE_H
#define CAROM_TESTS_MESH_FIXTURE_H

#include "carom/mesh.h"
#include "check.h"

static const double PI = 3.14159265358979323846;

typedef struct Raw {
    caromVec3 *vertices;
    int (*triangles)[3];
    int nvertex, ntriangle;
} Raw;

static inline Raw raw_alloc(int nvertex, int ntriangle)
{
    Raw raw = { calloc((size_t)nvertex + 1, sizeof(caromVec3)), calloc((size_t)ntriangle + 1, sizeof *raw.triangles),
                nvertex, ntriangle };
    assert_non_null(raw.vertices);
    assert_non_null(raw.triangles);
    return raw;
}

static inline void raw_free(Raw *raw)
{
    free(raw->vertices);
    free(raw->triangles);
    *raw = (Raw){ 0 };
}

static inline void set_triangle(Raw *raw, int t, int a, int b, int c)
{
    raw->triangles[t][0] = a;
    raw->triangles[t][1] = b;
    raw->triangles[t][2] = c;
}

static inline void turn(Raw *raw, int t)
{
    set_triangle(raw, t, raw->triangles[t][0], raw->triangles[t][2], raw->triangles[t][1]);
}

static inline Raw box(caromVec3 low, caromVec3 high)
{
    static const int faces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 },
                                     { 1, 3, 7, 5 } };
    Raw raw = raw_alloc(8, 12);
    for (int i = 0; i < 8; i++)
        raw.vertices[i] = carom_vec(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    for (int f = 0; f < 6; f++) {
        set_triangle(&raw, 2*f, faces[f][0], faces[f][1], faces[f][2]);
        set_triangle(&raw, 2*f + 1, faces[f][0], faces[f][2], faces[f][3]);
    }
    return raw;
}

static inline Raw cube(double half)
{
    return box(carom_vec(-half, -half, -half), carom_vec(half, half, half));
}

static inline Raw tetrahedron(void)
{
    Raw raw = raw_alloc(4, 4);
    raw.vertices[1].x = raw.vertices[2].y = raw.vertices[3].z = 1.0;
    set_triangle(&raw, 0, 0, 2, 1);
    set_triangle(&raw, 1, 0, 1, 3);
    set_triangle(&raw, 2, 0, 3, 2);
    set_triangle(&raw, 3, 1, 2, 3);
    return raw;
}

static inline Raw torus(double R, double r, int n, int m)
{
    Raw raw = raw_alloc(n*m, 2*n*m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double u = 2*PI*i/n, v = 2*PI*j/m, ring = R + r*cos(v);
            int a = i*m + j, b = (i + 1)%n*m + j, c = (i + 1)%n*m + (j + 1)%m, d = i*m + (j + 1)%m;
            raw.vertices[a] = carom_vec(ring*cos(u), ring*sin(u), r*sin(v));
            set_triangle(&raw, 2*a, a, b, c);
            set_triangle(&raw, 2*a + 1, a, c, d);
        }
    return raw;
}

// From -1 to 1 at even angles; the same bits wherever sides of a cube meet.
static inline double globe_line(int i, int n)
{
    return i == 0 ? -1 : i == n ? 1 : tan(0.25*PI*(2*i - n)/n);
}

// A cube of n x n squares on each side, blown up: triangles of about one size.
static inline Raw globe(double radius, int n)
{
    Raw raw = raw_alloc(6*(n + 1)*(n + 1), 12*n*n);
    int v = 0, t = 0;
    for (int side = 0; side < 6; side++) {
        int first = v, axis = side/2;
        double sign = side % 2 ? 1 : -1;
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                double x[3];
                x[axis] = sign;
                x[(axis + 1)%3] = globe_line(i, n);
                x[(axis + 2)%3] = sign*globe_line(j, n);
                raw.vertices[v++] = carom_scale(radius, carom_unit_or(carom_vec(x[0], x[1], x[2]),
                                                                      carom_vec(0, 0, 1)));
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int a = first + i*(n + 1) + j;
                set_triangle(&raw, t++, a, a + n + 1, a + n + 2);
                set_triangle(&raw, t++, a, a + n + 2, a + 1);
            }
    }
    return raw;
}

// A turned part of n sides: the profile (radius, z) from the bottom up, closed by a vertex on the axis at both ends.
static inline Raw lathe(const double (*profile)[2], int nring, int n)
{
    Raw raw = raw_alloc(nring*n + 2, 2*nring*n);
    int bottom = nring*n, top = bottom + 1, t = 0;
    raw.vertices[bottom].z = profile[0][1];
    raw.vertices[top].z = profile[nring - 1][1];
    for (int k = 0; k < nring; k++)
        for (int i = 0; i < n; i++) {
            double u = 2*PI*i/n;
            raw.vertices[k*n + i] = carom_vec(profile[k][0]*cos(u), profile[k][0]*sin(u), profile[k][1]);
        }
    for (int i = 0; i < n; i++) {
        int next = (i + 1)%n;
        set_triangle(&raw, t++, bottom, next, i);
        for (int k = 0; k + 1 < nring; k++) {
            int a = k*n + i, b = k*n + next, c = b + n, d = a + n;
            set_triangle(&raw, t++, a, b, c);
            set_triangle(&raw, t++, a, c, d);
        }
        set_triangle(&raw, t++, top, (nring - 1)*n + i, (nring - 1)*n + next);
    }
    return raw;
}

// Its sides are trapezoids: slices are frusta of pyramids over a polygon of area n/2 sin(2 pi/n) r^2, exactly.
static inline double lathe_volume(const double (*profile)[2], int nring, int n)
{
    double sum = 0;
    for (int k = 0; k + 1 < nring; k++) {
        double a = profile[k][0], b = profile[k + 1][0];
        sum += (profile[k + 1][1] - profile[k][1])*(a*a + a*b + b*b)/3;
    }
    return sum*0.5*n*sin(2*PI/n);
}

enum { BOLT_RINGS = 24 };
// Shaft with a thread of rings, and a head with an undercut: not convex.
static inline void bolt_profile(double profile[BOLT_RINGS][2])
{
    for (int k = 0; k < BOLT_RINGS - 3; k++) {
        profile[k][0] = k%2 ? 4e-3 : 3.4e-3;
        profile[k][1] = 1e-3*k;
    }
    const double head[3][2] = { { 7e-3, 19.5e-3 }, { 7e-3, 25e-3 }, { 6e-3, 26e-3 } };
    for (int k = 0; k < 3; k++)
        profile[BOLT_RINGS - 3 + k][0] = head[k][0], profile[BOLT_RINGS - 3 + k][1] = head[k][1];
}

static inline Raw bolt(void)
{
    double profile[BOLT_RINGS][2];
    bolt_profile(profile);
    return lathe((const double (*)[2])profile, BOLT_RINGS, 6);
}

static inline Raw joined(Raw a, Raw b)  // frees both
{
    Raw raw = raw_alloc(a.nvertex + b.nvertex, a.ntriangle + b.ntriangle);
    for (int i = 0; i < raw.nvertex; i++) raw.vertices[i] = i < a.nvertex ? a.vertices[i] : b.vertices[i - a.nvertex];
    for (int t = 0; t < raw.ntriangle; t++)
        for (int k = 0; k < 3; k++)
            raw.triangles[t][k] = t < a.ntriangle ? a.triangles[t][k] : b.triangles[t - a.ntriangle][k] + a.nvertex;
    raw_free(&a);
    raw_free(&b);
    return raw;
}

// Every triangle with vertices of its own, as STL has them.
static inline Raw exploded(Raw a)  // frees it
{
    Raw raw = raw_alloc(3*a.ntriangle, a.ntriangle);
    for (int h = 0; h < raw.nvertex; h++) {
        raw.vertices[h] = a.vertices[a.triangles[h/3][h%3]];
        raw.triangles[h/3][h%3] = h;
    }
    raw_free(&a);
    return raw;
}

static inline caromMesh *mesh_of(const Raw *raw, caromMeshReport *report)
{
    caromError err = { 0 };
    caromMesh *mesh = carom_mesh_create(raw->vertices, raw->nvertex, (const int (*)[3])raw->triangles, raw->ntriangle,
                                        report, &err);
    if (!mesh) print_error("%s: %s\n", err.where, err.message);
    assert_non_null(mesh);
    return mesh;
}

#endif
