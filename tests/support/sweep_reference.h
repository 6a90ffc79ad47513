// Triangles that slide, in long double: all pairs of a corner and a triangle, and of two edges. No hierarchy, no
// separating axes.
#ifndef CAROM_TESTS_SWEEP_REFERENCE_H
#define CAROM_TESTS_SWEEP_REFERENCE_H

#include "collide_reference.h"
#include "sweep_fixture.h"

#define NEVER ((Real)INFINITY)

typedef struct RefTriangle { RefVec x[3]; } RefTriangle;

static inline RefVec ref_placed(caromPose X, caromVec3 p)
{
    RefVec cx = ref_from(X.R.cx), cy = ref_from(X.R.cy), cz = ref_from(X.R.cz);
    return ref_axpy(p.x, cx, ref_axpy(p.y, cy, ref_axpy(p.z, cz, ref_from(X.p))));
}

static inline RefTriangle ref_triangle(const caromMesh *mesh, caromPose X, int t)
{
    RefTriangle r;
    for (int k = 0; k < 3; k++) r.x[k] = ref_placed(X, mesh->vertices[mesh->triangles[t][k]]);
    return r;
}

static inline bool ref_is_inside(const RefTriangle *a, RefVec n, RefVec p)
{
    for (int k = 0; k < 3; k++)
        if (ref_dot(ref_cross(n, ref_sub(a->x[(k + 1)%3], a->x[k])), ref_sub(p, a->x[k])) < 0) return false;
    return true;
}

static inline RefVec ref_normal(const RefTriangle *a)
{
    return ref_cross(ref_sub(a->x[1], a->x[0]), ref_sub(a->x[2], a->x[0]));
}

// Corner p, moving with v, meets the triangle.
static inline Real ref_corner_time(const RefTriangle *a, RefVec p, RefVec v)
{
    RefVec n = ref_normal(a);
    Real rate = ref_dot(n, v), t = rate == 0 ? -1 : ref_dot(n, ref_sub(a->x[0], p))/rate;
    return t >= 0 && ref_is_inside(a, n, ref_axpy(t, v, p)) ? t : NEVER;
}

// The edge from q, moving with v, meets the edge from p: (q - p + t v).(d x e) = 0.
static inline Real ref_edges_time(RefVec p, RefVec d, RefVec q, RefVec e, RefVec v)
{
    RefVec n = ref_cross(d, e);
    Real rate = ref_dot(n, v), t = rate == 0 ? -1 : ref_dot(n, ref_sub(p, q))/rate, nn = ref_dot(n, n);
    if (!(t >= 0)) return NEVER;
    RefVec r = ref_sub(ref_axpy(t, v, q), p);
    Real s = ref_dot(ref_cross(r, e), n)/nn, u = ref_dot(ref_cross(r, d), n)/nn;
    return s >= 0 && s <= 1 && u >= 0 && u <= 1 ? t : NEVER;
}

static inline Real ref_triangles_time(const RefTriangle *a, const RefTriangle *b, RefVec v)
{
    Real t = NEVER;
    for (int k = 0; k < 3; k++) {
        t = fminl(t, ref_corner_time(a, b->x[k], v));
        t = fminl(t, ref_corner_time(b, a->x[k], ref_scale(-1, v)));
        for (int j = 0; j < 3; j++)
            t = fminl(t, ref_edges_time(a->x[k], ref_sub(a->x[(k + 1)%3], a->x[k]), b->x[j],
                                        ref_sub(b->x[(j + 1)%3], b->x[j]), v));
    }
    return t;
}

// Meshes whose surfaces do not cross at the start. Triangles whose balls pass each other at a distance are not asked.
static inline Real ref_meshes_time(const Moving *a, const Moving *b)
{
    Corners x[TRIANGLES_MAX], y[TRIANGLES_MAX];
    caromVec3 along = carom_sub(b->V.linear, a->V.linear);
    RefVec v = ref_sub(ref_from(b->V.linear), ref_from(a->V.linear));
    Real t = NEVER;
    int na = placed_triangles(a->shape.mesh, a->X, x), nb = placed_triangles(b->shape.mesh, b->X, y);
    for (int i = 0; i < na; i++) {
        RefTriangle p = ref_triangle(a->shape.mesh, a->X, i);
        for (int j = 0; j < nb; j++) {
            double reach = 1e-6 + x[i].radius + y[j].radius;
            if (carom_norm2(carom_cross(carom_sub(y[j].centre, x[i].centre), along)) > reach*reach*carom_norm2(along))
                continue;
            RefTriangle q = ref_triangle(b->shape.mesh, b->X, j);
            t = fminl(t, ref_triangles_time(&p, &q, v));
        }
    }
    return t;
}

// ---- a ball that comes from outside

// |d + t v| = r from outside; v need not be the whole velocity.
static inline Real ref_enters(RefVec d, RefVec v, Real r)
{
    Real vv = ref_dot(v, v), dv = ref_dot(d, v), c = ref_dot(d, d) - r*r, disc = dv*dv - vv*c;
    if (c <= 0) return 0;
    return disc < 0 || dv >= 0 ? NEVER : c/(sqrtl(disc) - dv);
}

static inline Real ref_ball_edge(RefVec p, RefVec q, RefVec c, RefVec v, Real r)
{
    RefVec e = ref_unit(ref_sub(q, p)), d = ref_sub(c, p);
    RefVec across = ref_axpy(-ref_dot(d, e), e, d), v_across = ref_axpy(-ref_dot(v, e), e, v);
    Real t = ref_enters(across, v_across, r), s = ref_dot(ref_axpy(t < NEVER ? t : 0, v, d), e);
    return t < NEVER && s >= 0 && s <= ref_norm(ref_sub(q, p)) ? t : NEVER;
}

static inline Real ref_ball_triangle(const RefTriangle *a, RefVec c, RefVec v, Real r)
{
    Real t = NEVER;
    RefVec n = ref_normal(a);
    if (ref_norm(n) > 0) {
        RefVec u = ref_unit(n);
        Real h = ref_dot(u, ref_sub(c, a->x[0])), rate = ref_dot(u, v), s = h > 0 ? (h - r)/-rate : (h + r)/-rate;
        if (fabsl(h) >= r && rate != 0 && s >= 0 && ref_is_inside(a, n, ref_axpy(s, v, c))) t = s;
    }
    for (int k = 0; k < 3; k++) {
        t = fminl(t, ref_enters(ref_sub(c, a->x[k]), v, r));
        t = fminl(t, ref_ball_edge(a->x[k], a->x[(k + 1)%3], c, v, r));
    }
    return t;
}

// The triangle swept along d and back: a ball that touches it is a capsule with the axis d that touches the triangle.
static inline Real ref_capsule_triangle(const RefTriangle *a, RefVec d, RefVec c, RefVec v, Real r)
{
    RefTriangle up, down, side;
    Real t = NEVER;
    for (int k = 0; k < 3; k++) up.x[k] = ref_add(a->x[k], d), down.x[k] = ref_sub(a->x[k], d);
    t = fminl(ref_ball_triangle(&up, c, v, r), ref_ball_triangle(&down, c, v, r));
    for (int k = 0; k < 3; k++) {
        int next = (k + 1)%3;
        side = (RefTriangle){ { up.x[k], up.x[next], down.x[k] } };
        t = fminl(t, ref_ball_triangle(&side, c, v, r));
        side = (RefTriangle){ { down.x[k], up.x[next], down.x[next] } };
        t = fminl(t, ref_ball_triangle(&side, c, v, r));
    }
    return t;
}

// A mesh and a sphere, an ellipsoid (which is a sphere once space has been scaled along its axes) or a capsule.
static inline Real ref_round_time(const Moving *m, const Moving *b)
{
    RefVec v = ref_sub(ref_from(b->V.linear), ref_from(m->V.linear)), size = ref_from(b->shape.size),
           zero = ref_vec(0, 0, 0), local;
    RefVec axes[3] = { ref_from(b->X.R.cx), ref_from(b->X.R.cy), ref_from(b->X.R.cz) };
    Real t = NEVER;
    bool is_ellipsoid = b->shape.kind == CAROM_ELLIPSOID;
    RefVec scale = is_ellipsoid ? ref_vec(1/size.x, 1/size.y, 1/size.z) : ref_vec(1, 1, 1);
    local = ref_vec(scale.x*ref_dot(axes[0], v), scale.y*ref_dot(axes[1], v), scale.z*ref_dot(axes[2], v));
    for (int i = 0; i < m->shape.mesh->ntriangle; i++) {
        RefTriangle x = ref_triangle(m->shape.mesh, m->X, i);
        for (int k = 0; k < 3; k++) {
            RefVec d = ref_sub(x.x[k], ref_from(b->X.p));
            x.x[k] = ref_vec(scale.x*ref_dot(axes[0], d), scale.y*ref_dot(axes[1], d), scale.z*ref_dot(axes[2], d));
        }
        Real r = is_ellipsoid ? 1 : size.x;
        if (b->shape.kind == CAROM_CAPSULE)
            t = fminl(t, ref_capsule_triangle(&x, ref_vec(0, 0, 0.5L*size.y), zero, local, r));
        else t = fminl(t, ref_ball_triangle(&x, zero, local, r));
    }
    return t;
}

static inline Real ref_plane_time(const Moving *m, const Moving *plane)
{
    RefVec up = ref_from(plane->X.R.cz), v = ref_sub(ref_from(m->V.linear), ref_from(plane->V.linear));
    Real low = NEVER, rate = ref_dot(up, v);
    for (int i = 0; i < m->shape.mesh->nvertex; i++)
        low = fminl(low, ref_dot(up, ref_sub(ref_placed(m->X, m->shape.mesh->vertices[i]), ref_from(plane->X.p))));
    return low <= 0 ? 0 : rate < 0 ? -low/rate : NEVER;
}

#endif
