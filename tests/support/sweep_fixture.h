// Moving shapes for the tests of carom_sweep_shapes, and slow answers to compare with.
#ifndef CAROM_TESTS_SWEEP_FIXTURE_H
#define CAROM_TESTS_SWEEP_FIXTURE_H

#include "meshgap/meshgap.h"
#include "collide_fixture.h"
#include "mesh_fixture.h"

// ---- meshes

// The prism of height h on a polygon of n corners with z = -h/2, cut into triangles from its first corner:
// which must see all others.
static inline Raw prism(const double (*corners)[2], int n, double h)
{
    Raw raw = raw_alloc(2*n, 4*n - 4);
    for (int i = 0; i < 2*n; i++) raw.vertices[i] = carom_vec(corners[i%n][0], corners[i%n][1], i < n ? -0.5*h : 0.5*h);
    int t = 0;
    for (int i = 1; i + 1 < n; i++) {
        set_triangle(&raw, t++, 0, i + 1, i);
        set_triangle(&raw, t++, n, n + i, n + i + 1);
    }
    for (int i = 0; i < n; i++) {
        int next = (i + 1)%n;
        set_triangle(&raw, t++, i, next, n + next);
        set_triangle(&raw, t++, i, n + next, n + i);
    }
    return raw;
}

// An angle bracket of 20 triangles; its inner corner comes first.
static inline Raw bracket(double size)
{
    const double s = size, corners[6][2] = { { 0.2*s, 0.2*s }, { 0.2*s, s }, { 0, s }, { 0, 0 }, { s, 0 },
                                             { s, 0.2*s } };
    return prism(corners, 6, 0.5*s);
}

// Each triangle becomes four.
static inline Raw refined(Raw a)  // frees it
{
    Raw raw = raw_alloc(6*a.ntriangle, 4*a.ntriangle);
    for (int t = 0; t < a.ntriangle; t++) {
        for (int k = 0; k < 3; k++) {
            caromVec3 p = a.vertices[a.triangles[t][k]], q = a.vertices[a.triangles[t][(k + 1)%3]];
            raw.vertices[6*t + k] = p;
            raw.vertices[6*t + 3 + k] = carom_scale(0.5, carom_add(p, q));
        }
        set_triangle(&raw, 4*t, 6*t, 6*t + 3, 6*t + 5);
        set_triangle(&raw, 4*t + 1, 6*t + 1, 6*t + 4, 6*t + 3);
        set_triangle(&raw, 4*t + 2, 6*t + 2, 6*t + 5, 6*t + 4);
        set_triangle(&raw, 4*t + 3, 6*t + 3, 6*t + 4, 6*t + 5);
    }
    raw_free(&a);
    return raw;
}

static inline caromMesh *mesh_and_free(Raw raw)
{
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    return mesh;
}

// ---- motion

typedef struct Moving {
    caromShape shape;
    caromPose X;
    caromSpatial V;
} Moving;

static inline caromPose moving_at(const Moving *m, double t)
{
    caromVec3 axis = carom_unit_or(m->V.angular, carom_vec(1, 0, 0));
    caromMat3 turn_by = carom_quat_matrix(carom_quat_axis_angle(axis, carom_norm(m->V.angular)*t));
    return carom_pose(carom_mat_mul(turn_by, m->X.R), carom_axpy(t, m->V.linear, m->X.p));
}

static inline caromSweep sweep_of(const Moving *a, const Moving *b, double t_max)
{
    return carom_sweep_shapes((caromMoving){ a->shape, a->X, a->V }, (caromMoving){ b->shape, b->X, b->V }, t_max);
}

static inline double scale_of(const Moving *a, const Moving *b)
{
    double ra = carom_shape_is_bounded(a->shape) ? carom_shape_radius(a->shape) : 0,
           rb = carom_shape_is_bounded(b->shape) ? carom_shape_radius(b->shape) : 0;
    return ra + rb;
}

// No two points come nearer to each other faster than this.
static inline double speed_bound(const Moving *a, const Moving *b)
{
    double speed = carom_norm(carom_sub(b->V.linear, a->V.linear));
    if (carom_shape_is_bounded(a->shape)) speed += carom_norm(a->V.angular)*carom_shape_radius(a->shape);
    if (carom_shape_is_bounded(b->shape)) speed += carom_norm(b->V.angular)*carom_shape_radius(b->shape);
    return speed;
}

// ---- scenes

enum { MESHES = 6 };
typedef struct Shelf { caromMesh *meshes[MESHES]; } Shelf;

static inline Shelf shelf_create(void)
{
    return (Shelf){ { mesh_and_free(cube(0.5)), mesh_and_free(bracket(1)), mesh_and_free(torus(0.6, 0.2, 9, 6)),
                      mesh_and_free(refined(bracket(0.8))), mesh_and_free(tetrahedron()),
                      mesh_and_free(torus(0.7, 0.1, 5, 3)) } };
}

static inline void shelf_destroy(Shelf *shelf)
{
    for (int i = 0; i < MESHES; i++) carom_mesh_destroy(shelf->meshes[i]);
}

// Somewhere around the origin, and thrown at it or past it.
static inline Moving thrown(Random *r, caromShape shape)
{
    Moving m = { shape, random_pose(r, 1), { { 0, 0, 0 }, { 0, 0, 0 } } };
    m.X.p = carom_scale(random_uniform(r, 1.2, 3)/carom_norm(m.X.p), m.X.p);
    m.V.linear = carom_sub(random_vec(r, 0.7), m.X.p);
    return m;
}

static inline Moving standing(Random *r, caromShape shape)
{
    return (Moving){ shape, random_pose(r, 0.1), { { 0, 0, 0 }, random_vec(r, 0.2) } };
}

// Far enough for a start that needs no look.
static inline bool starts_apart(const Moving *a, const Moving *b)
{
    return carom_norm(carom_sub(b->X.p, a->X.p)) > scale_of(a, b);
}

// The surface of a polytope.
static inline caromMesh *mesh_of_hull(const caromHull *hull)
{
    const caromVec3 *vertices;
    const int *first, *corners;
    int nvertex = carom_hull_vertices(hull, &vertices), nface = carom_hull_faces(hull, &first, &corners), n = 0;
    Raw raw = raw_alloc(nvertex, first[nface] - 2*nface);
    memcpy(raw.vertices, vertices, (size_t)nvertex*sizeof *vertices);
    for (int f = 0; f < nface; f++)
        for (int k = first[f] + 1; k + 1 < first[f + 1]; k++)
            set_triangle(&raw, n++, corners[first[f]], corners[k], corners[k + 1]);
    return mesh_and_free(raw);
}

// ---- gaps, triangle by triangle

typedef struct Corners { caromVec3 x[3], centre; double radius; } Corners;
enum { TRIANGLES_MAX = 256 };

static inline int placed_triangles(const caromMesh *mesh, caromPose X, Corners *out)
{
    assert_true(mesh->ntriangle <= TRIANGLES_MAX);
    for (int i = 0; i < mesh->ntriangle; i++) {
        Corners *c = &out[i];
        for (int k = 0; k < 3; k++) c->x[k] = carom_pose_point(X, mesh->vertices[mesh->triangles[i][k]]);
        c->centre = carom_scale(1.0/3, carom_add(c->x[0], carom_add(c->x[1], c->x[2])));
        c->radius = 0;
        for (int k = 0; k < 3; k++) c->radius = fmax(c->radius, carom_norm(carom_sub(c->x[k], c->centre)));
    }
    return mesh->ntriangle;
}

// b lies within the ball of radius R about c.
static inline double meshes_gap(const Corners *a, int na, const Corners *b, int nb, caromVec3 c, double R)
{
    const int v[3] = { 0, 1, 2 };
    double low = INFINITY;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            if (j == 0 && carom_norm(carom_sub(c, a[i].centre)) > low + a[i].radius + R) break;
            double reach = low + a[i].radius + b[j].radius;
            if (carom_norm2(carom_sub(b[j].centre, a[i].centre)) > reach*reach) continue;
            low = fmin(low, sqrt(carom_narrow_triangles_gap(a[i].x, v, b[j].x, v).g2));
        }
    return low;
}

// Of the surface of a mesh from a sphere, a half-space or another mesh; 0 where surfaces cross.
static inline double mesh_gap(const Moving *mesh, const Moving *other, double t)
{
    Corners a[TRIANGLES_MAX], b[TRIANGLES_MAX];
    caromPose X = moving_at(other, t);
    double low = INFINITY;
    int n = placed_triangles(mesh->shape.mesh, moving_at(mesh, t), a), feature;
    if (other->shape.kind == CAROM_MESH)
        return meshes_gap(a, n, b, placed_triangles(other->shape.mesh, X, b), X.p, other->shape.mesh->reach);
    for (int i = 0; i < n; i++) {
        if (other->shape.kind == CAROM_SPHERE)
            low = fmin(low, carom_norm(carom_sub(carom_triangle_point(a[i].x, X.p, &feature), X.p)) -
                       other->shape.size.x);
        else
            for (int k = 0; k < 3; k++) low = fmin(low, carom_pose_inverse_point(X, a[i].x[k]).z);
    }
    return low;
}

static inline double plain_gap(const Moving *a, const Moving *b, double t)
{
    if (a->shape.kind == CAROM_MESH) return mesh_gap(a, b, t);
    if (b->shape.kind == CAROM_MESH) return mesh_gap(b, a, t);
    return carom_collide_shapes(a->shape, moving_at(a, t), b->shape, moving_at(b, t)).g;
}

#endif
