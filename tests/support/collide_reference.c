#include "collide_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RefVec ref_vec(Real x, Real y, Real z) { return (RefVec){ x, y, z }; }
RefVec ref_from(caromVec3 a) { return (RefVec){ a.x, a.y, a.z }; }
caromVec3 ref_to(RefVec a) { return carom_vec((double)a.x, (double)a.y, (double)a.z); }
RefVec ref_add(RefVec a, RefVec b) { return (RefVec){ a.x + b.x, a.y + b.y, a.z + b.z }; }
RefVec ref_sub(RefVec a, RefVec b) { return (RefVec){ a.x - b.x, a.y - b.y, a.z - b.z }; }
RefVec ref_scale(Real s, RefVec a) { return (RefVec){ s*a.x, s*a.y, s*a.z }; }
RefVec ref_axpy(Real s, RefVec a, RefVec b) { return (RefVec){ s*a.x + b.x, s*a.y + b.y, s*a.z + b.z }; }
Real ref_dot(RefVec a, RefVec b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
RefVec ref_cross(RefVec a, RefVec b) { return (RefVec){ a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x }; }
Real ref_norm(RefVec a) { return sqrtl(ref_dot(a, a)); }
RefVec ref_unit(RefVec a) { return ref_scale(1/ref_norm(a), a); }

// --- polytopes
// ---------------------------------------------------------------------------------------------------------

static Real reach(const RefVec *points, int n)
{
    Real far = 0;
    for (int i = 0; i < n; i++) far = fmaxl(far, ref_norm(points[i]));
    return far;
}

static int without_repeats(const RefVec *points, int n, Real near, RefVec *kept)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        bool is_new = true;
        for (int j = 0; j < m && is_new; j++) is_new = ref_norm(ref_sub(points[i], kept[j])) > near;
        if (is_new && m == REF_POINTS_MAX) return -1;
        if (is_new) kept[m++] = points[i];
    }
    return m;
}

// Corners of face f in order: by angle about their middle.
static void sort_corners(RefPolytope *hull, int f)
{
    int n = hull->ncorner[f], *corners = hull->corners[f];
    RefVec middle = { 0, 0, 0 };
    for (int i = 0; i < n; i++) middle = ref_axpy(1.0L/n, hull->vertices[corners[i]], middle);
    RefVec u = ref_unit(ref_sub(hull->vertices[corners[0]], middle)), v = ref_cross(hull->normals[f], u);
    Real angle[REF_CORNERS_MAX];
    for (int i = 0; i < n; i++) {
        RefVec d = ref_sub(hull->vertices[corners[i]], middle);
        angle[i] = i == 0 ? -10 : atan2l(ref_dot(d, v), ref_dot(d, u));
        if (i > 0 && angle[i] < 0) angle[i] += 8;  // any order that goes round once
    }
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && angle[j] < angle[j - 1]; j--) {
            Real a = angle[j];
            int c = corners[j];
            angle[j] = angle[j - 1], corners[j] = corners[j - 1], angle[j - 1] = a, corners[j - 1] = c;
        }
}

// A corner that is on the line between its neighbours is none.
static void drop_straight_corners(RefPolytope *hull, int f, Real flat)
{
    int n = hull->ncorner[f], *corners = hull->corners[f], kept[REF_CORNERS_MAX], m = 0;
    for (int i = 0; i < n; i++) {
        RefVec a = hull->vertices[corners[(i + n - 1)%n]], b = hull->vertices[corners[i]],
               c = hull->vertices[corners[(i + 1)%n]];
        RefVec along = ref_sub(c, a);
        if (ref_norm(ref_cross(ref_sub(b, a), along)) > flat*ref_norm(along)) kept[m++] = corners[i];
    }
    memcpy(corners, kept, (size_t)m*sizeof *kept);
    hull->ncorner[f] = m;
}

// Points that were rounded are not quite in a plane: the largest triangle of them makes it. area: of the triangles that
// made the faces so far.
static bool add_face(RefPolytope *hull, Real *area, Real new_area, RefVec n, Real offset, Real flat)
{
    for (int f = 0; f < hull->nface; f++) {
        if (ref_norm(ref_sub(n, hull->normals[f])) > 1e-9L) continue;
        if (new_area > area[f]) area[f] = new_area, hull->normals[f] = n, hull->offsets[f] = offset;
        return true;
    }
    if (hull->nface == REF_FACES_MAX) return false;
    int f = hull->nface++;
    area[f] = new_area, hull->normals[f] = n, hull->offsets[f] = offset, hull->ncorner[f] = 0;
    for (int i = 0; i < hull->nvertex; i++) {
        if (ref_dot(n, hull->vertices[i]) < offset - flat) continue;
        if (hull->ncorner[f] == REF_CORNERS_MAX) return false;
        hull->corners[f][hull->ncorner[f]++] = i;
    }
    sort_corners(hull, f);
    drop_straight_corners(hull, f, flat);
    return true;
}

static bool add_edges(RefPolytope *hull)
{
    for (int f = 0; f < hull->nface; f++)
        for (int i = 0; i < hull->ncorner[f]; i++) {
            int a = hull->corners[f][i], b = hull->corners[f][(i + 1)%hull->ncorner[f]];
            if (a > b) continue;  // the other face has it the other way round
            if (hull->nedge == REF_EDGES_MAX) return false;
            hull->edges[hull->nedge][0] = a, hull->edges[hull->nedge++][1] = b;
        }
    return true;
}

// Vertices of faces only: points inside and on faces and edges are left out.
static void drop_unused_vertices(RefPolytope *hull)
{
    int to[REF_POINTS_MAX], n = 0;
    for (int i = 0; i < hull->nvertex; i++) {
        bool used = false;
        for (int f = 0; f < hull->nface && !used; f++)
            for (int k = 0; k < hull->ncorner[f] && !used; k++) used = hull->corners[f][k] == i;
        to[i] = used ? n : -1;
        if (used) hull->vertices[n++] = hull->vertices[i];
    }
    hull->nvertex = n;
    for (int f = 0; f < hull->nface; f++)
        for (int k = 0; k < hull->ncorner[f]; k++) hull->corners[f][k] = to[hull->corners[f][k]];
}

bool ref_polytope(RefPolytope *hull, const RefVec *points, int n)
{
    memset(hull, 0, sizeof *hull);
    Real size = reach(points, n), flat = 1e-13L*size;
    hull->nvertex = without_repeats(points, n, flat, hull->vertices);
    if (hull->nvertex < 4) return false;
    Real areas[REF_FACES_MAX];
    for (int i = 0; i < hull->nvertex; i++)
        for (int j = 0; j < hull->nvertex; j++)
            for (int k = 0; k < hull->nvertex; k++) {
                if (i >= j || i >= k || j == k) continue;
                RefVec a = hull->vertices[i],
                       normal = ref_cross(ref_sub(hull->vertices[j], a), ref_sub(hull->vertices[k], a));
                Real area = ref_norm(normal);
                if (area < 1e-9L*size*size) continue;  // nearly in a line: other triples have this face
                normal = ref_scale(1/area, normal);
                Real offset = ref_dot(normal, a);
                bool outer = true;
                for (int m = 0; m < hull->nvertex && outer; m++)
                    outer = ref_dot(normal, hull->vertices[m]) <= offset + flat;
                if (outer && !add_face(hull, areas, area, normal, offset, 4*flat)) return false;
            }
    drop_unused_vertices(hull);
    return hull->nface >= 4 && add_edges(hull);
}

static bool corner_of_planes(const RefPolytope *hull, int i, int j, int k, Real inset, RefVec *x)
{
    RefVec a = hull->normals[i], b = hull->normals[j], c = hull->normals[k], bc = ref_cross(b, c);
    Real det = ref_dot(a, bc);
    if (fabsl(det) < 1e-9L) return false;
    RefVec sum = ref_scale(hull->offsets[i] - inset, bc);
    sum = ref_axpy(hull->offsets[j] - inset, ref_cross(c, a), sum);
    *x = ref_scale(1/det, ref_axpy(hull->offsets[k] - inset, ref_cross(a, b), sum));
    return true;
}

bool ref_polytope_inset(RefPolytope *inner, const RefPolytope *hull, Real distance)
{
    RefVec points[REF_POINTS_MAX], x;
    int n = 0;
    Real size = reach(hull->vertices, hull->nvertex);
    for (int i = 0; i < hull->nface; i++)
        for (int j = i + 1; j < hull->nface; j++)
            for (int k = j + 1; k < hull->nface; k++) {
                if (!corner_of_planes(hull, i, j, k, distance, &x)) continue;
                bool inside = true, is_new = true;
                for (int f = 0; f < hull->nface && inside; f++)
                    inside = ref_dot(hull->normals[f], x) <= hull->offsets[f] - distance + 1e-14L*size;
                for (int m = 0; m < n && is_new; m++) is_new = ref_norm(ref_sub(points[m], x)) > 1e-12L*size;
                if (!inside || !is_new) continue;
                if (n == REF_POINTS_MAX) return false;
                points[n++] = x;
            }
    return ref_polytope(inner, points, n);
}

static void box_corners(caromVec3 size, Real inset, RefVec corners[8])
{
    RefVec h = { 0.5L*size.x - inset, 0.5L*size.y - inset, 0.5L*size.z - inset };
    for (int i = 0; i < 8; i++) corners[i] = ref_vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
}

bool ref_polytope_of_shape(RefPolytope *core, caromShape shape)
{
    if (shape.kind == CAROM_BOX) {
        RefVec corners[8];
        box_corners(shape.size, shape.rounding, corners);
        return ref_polytope(core, corners, 8);
    }
    const caromVec3 *vertices;
    RefVec points[REF_POINTS_MAX];
    int n = carom_hull_vertices(shape.hull, &vertices);
    if (n > REF_POINTS_MAX) return false;
    for (int i = 0; i < n; i++) points[i] = ref_from(vertices[i]);
    Real rounding = carom_hull_rounding(shape.hull);
    RefPolytope outer;
    if (rounding == 0) return ref_polytope(core, points, n);
    return ref_polytope(&outer, points, n) && ref_polytope_inset(core, &outer, rounding);
}

static RefVec turned(const RefVec R[3], RefVec a)
{
    return ref_axpy(a.z, R[2], ref_axpy(a.y, R[1], ref_scale(a.x, R[0])));
}

static RefVec turned_back(const RefVec R[3], RefVec a)
{
    return ref_vec(ref_dot(R[0], a), ref_dot(R[1], a), ref_dot(R[2], a));
}

RefPolytope ref_polytope_moved(const RefPolytope *hull, caromPose X)
{
    RefPolytope moved = *hull;
    RefVec R[3] = { ref_from(X.R.cx), ref_from(X.R.cy), ref_from(X.R.cz) }, p = ref_from(X.p);
    for (int i = 0; i < hull->nvertex; i++) moved.vertices[i] = ref_add(p, turned(R, hull->vertices[i]));
    for (int f = 0; f < hull->nface; f++) {
        moved.normals[f] = ref_unit(turned(R, hull->normals[f]));
        moved.offsets[f] = ref_dot(moved.normals[f], moved.vertices[hull->corners[f][0]]);
    }
    return moved;
}

// --- bodies
// ------------------------------------------------------------------------------------------------------------

// The cone that is left when bottom, top and side have moved in by d: its side has radius rho(z) = middle + slope z.
static void discs_of_cone(RefBody *body, Real bottom, Real top, Real length, Real d)
{
    Real slope = (top - bottom)/length, middle = 0.5L*(bottom + top) - d*sqrtl(1 + slope*slope);
    body->z[0] = -0.5L*length + d, body->z[1] = 0.5L*length - d;
    for (int i = 0; i < 2; i++) {
        body->r[i] = middle + slope*body->z[i];
        if (d == 0) body->r[i] = i ? top : bottom;
        if (body->r[i] < 0) body->r[i] = 0, body->z[i] = -middle/slope;
    }
}

static void points_of(RefBody *body, const RefVec *points, int n)
{
    body->core = REF_POINTS, body->npoint = n;
    memcpy(body->points, points, (size_t)n*sizeof *points);
}

static void core_of(RefBody *body, caromShape s, const RefPolytope *hull)
{
    RefVec corners[8];
    RefPolytope made;
    switch (s.kind) {
    case CAROM_SPHERE:
        body->radius = s.size.x;
        points_of(body, &(RefVec){ 0, 0, 0 }, 1);
        break;
    case CAROM_CAPSULE:
        body->radius = s.size.x;
        points_of(body, (RefVec[]){ { 0, 0, -0.5L*s.size.y }, { 0, 0, 0.5L*s.size.y } }, 2);
        break;
    case CAROM_BOX:
        box_corners(s.size, s.rounding, corners);
        points_of(body, corners, 8);
        body->is_box = true;
        break;
    case CAROM_CYLINDER:
        body->core = REF_DISCS;
        discs_of_cone(body, s.size.x, s.size.x, s.size.y, s.rounding);
        break;
    case CAROM_CONE:
        body->core = REF_DISCS;
        discs_of_cone(body, s.size.x, s.size.y, s.size.z, s.rounding);
        break;
    case CAROM_ELLIPSOID:
        body->core = REF_ELLIPSOID;
        body->axes = ref_from(s.size);
        break;
    case CAROM_POLYTOPE:
        if (!hull && !ref_polytope_of_shape(&made, s)) abort();
        body->radius = carom_hull_rounding(s.hull);
        points_of(body, (hull ? hull : &made)->vertices, (hull ? hull : &made)->nvertex);
        body->hull = hull;
        break;
    default: body->core = REF_HALF_SPACE; break;
    }
}

static Real core_size(const RefBody *b)
{
    switch (b->core) {
    case REF_POINTS: return reach(b->points, b->npoint);
    case REF_DISCS: return fmaxl(hypotl(b->r[0], b->z[0]), hypotl(b->r[1], b->z[1]));
    case REF_ELLIPSOID: return fmaxl(b->axes.x, fmaxl(b->axes.y, b->axes.z));
    default: return 0;
    }
}

RefBody ref_body(caromShape shape, caromPose X, const RefPolytope *hull)
{
    RefBody body = { .radius = shape.rounding, .R = { ref_from(X.R.cx), ref_from(X.R.cy), ref_from(X.R.cz) },
                     .p = ref_from(X.p) };
    core_of(&body, shape, hull);
    body.size = body.core == REF_HALF_SPACE ? 0 : core_size(&body) + body.radius;
    return body;
}

RefBody ref_body_shell(const RefBody *body)
{
    RefBody core = *body;
    core.size -= core.radius, core.radius = 0;
    return core;
}

static RefVec core_support(const RefBody *b, RefVec d)  // in the frame of the body; d not 0
{
    if (b->core == REF_POINTS) {
        int best = 0;
        Real far = ref_dot(d, b->points[0]);
        for (int i = 1; i < b->npoint; i++) {
            Real x = ref_dot(d, b->points[i]);
            if (x > far) far = x, best = i;
        }
        return b->points[best];
    }
    if (b->core == REF_ELLIPSOID) {
        RefVec w = { b->axes.x*d.x, b->axes.y*d.y, b->axes.z*d.z };
        Real s = 1/ref_norm(w);
        return ref_vec(s*b->axes.x*w.x, s*b->axes.y*w.y, s*b->axes.z*w.z);
    }
    Real across = sqrtl(d.x*d.x + d.y*d.y);
    int end = across*b->r[1] + d.z*b->z[1] > across*b->r[0] + d.z*b->z[0];
    Real s = across > 0 ? b->r[end]/across : 0;
    return ref_vec(s*d.x, s*d.y, b->z[end]);
}

// The farthest point of the core along n, seen from origin.
static RefVec support(const RefBody *b, RefVec n, RefVec origin)
{
    return ref_add(ref_sub(b->p, origin), turned(b->R, core_support(b, turned_back(b->R, n))));
}

Real ref_extent(const RefBody *b, RefVec n, RefVec origin)
{
    if (b->core != REF_HALF_SPACE) return ref_dot(n, support(b, n, origin)) + b->radius;
    // Finite along its own normal only; what is given differs from it by the rounding of n.
    return ref_norm(ref_sub(n, b->R[2])) < 1e-14L ? ref_dot(b->R[2], ref_sub(b->p, origin)) : (Real)INFINITY;
}

RefVec ref_support(const RefBody *b, RefVec n)
{
    return ref_axpy(b->radius, n, support(b, n, ref_vec(0, 0, 0)));
}

Real ref_phi(const RefBody *a, const RefBody *b, RefVec n)
{
    return -ref_extent(a, n, a->p) - ref_extent(b, ref_scale(-1, n), a->p);
}

static Real outside_discs(const RefBody *b, RefVec x)
{
    Real rho = hypotl(x.x, x.y), best = -INFINITY;
    Real dr = b->r[1] - b->r[0], dz = b->z[1] - b->z[0], length = hypotl(dr, dz);
    Real lines[3] = { b->z[0] - x.z, x.z - b->z[1], ((rho - b->r[0])*dz - (x.z - b->z[0])*dr)/length };
    for (int i = 0; i < 3; i++) best = fmaxl(best, lines[i]);
    if (best <= 0) return best;
    Real t = fminl(1, fmaxl(0, ((rho - b->r[0])*dr + (x.z - b->z[0])*dz)/(length*length)));
    Real side = hypotl(rho - b->r[0] - t*dr, x.z - b->z[0] - t*dz);
    Real bottom = hypotl(fmaxl(0, rho - b->r[0]), x.z - b->z[0]), top = hypotl(fmaxl(0, rho - b->r[1]), x.z - b->z[1]);
    return fminl(side, fminl(bottom, top));
}

static Real point_to_segment(RefVec x, RefVec a, RefVec b)
{
    RefVec d = ref_sub(b, a), r = ref_sub(x, a);
    Real t = fminl(1, fmaxl(0, ref_dot(r, d)/ref_dot(d, d)));
    return ref_norm(ref_sub(r, ref_scale(t, d)));
}

static Real point_to_face(const RefPolytope *hull, int f, RefVec x)
{
    int n = hull->ncorner[f];
    for (int i = 0; i < n; i++) {
        RefVec a = hull->vertices[hull->corners[f][i]], b = hull->vertices[hull->corners[f][(i + 1)%n]];
        if (ref_dot(ref_cross(ref_sub(b, a), ref_sub(x, a)), hull->normals[f]) < 0) return INFINITY;
    }
    return fabsl(ref_dot(hull->normals[f], ref_sub(x, hull->vertices[hull->corners[f][0]])));
}

static Real outside_polytope(const RefPolytope *hull, RefVec x)
{
    Real deepest = -INFINITY, best = INFINITY;
    for (int f = 0; f < hull->nface; f++) deepest = fmaxl(deepest, ref_dot(hull->normals[f], x) - hull->offsets[f]);
    if (deepest <= 0) return deepest;
    for (int f = 0; f < hull->nface; f++) best = fminl(best, point_to_face(hull, f, x));
    for (int e = 0; e < hull->nedge; e++)
        best = fminl(best, point_to_segment(x, hull->vertices[hull->edges[e][0]], hull->vertices[hull->edges[e][1]]));
    return best;
}

static Real outside_box(RefVec h, RefVec x)
{
    RefVec d = { fabsl(x.x) - h.x, fabsl(x.y) - h.y, fabsl(x.z) - h.z };
    Real deepest = fmaxl(d.x, fmaxl(d.y, d.z));
    return deepest <= 0 ? deepest : ref_norm(ref_vec(fmaxl(0, d.x), fmaxl(0, d.y), fmaxl(0, d.z)));
}

Real ref_outside(const RefBody *b, RefVec x_W)
{
    RefVec x = turned_back(b->R, ref_sub(x_W, b->p));
    if (b->core == REF_HALF_SPACE) return x.z;
    if (b->core == REF_DISCS) return outside_discs(b, x) - b->radius;
    if (b->core == REF_ELLIPSOID) {
        Real least = fminl(b->axes.x, fminl(b->axes.y, b->axes.z));
        return (ref_norm(ref_vec(x.x/b->axes.x, x.y/b->axes.y, x.z/b->axes.z)) - 1)*least - b->radius;
    }
    // Faces that are next to nothing (a core whose rounding nearly ate an edge) have planes that mean nothing: then the
    // gap to the point decides.
    if (b->hull) {
        Real out = outside_polytope(b->hull, x) - b->radius;
        if (out < 1e-9L) return out;
        RefBody point = { .core = REF_POINTS, .npoint = 1, .R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .p = x_W };
        return fminl(out, ref_gap(b, &point, 0).g);
    }
    if (b->npoint == 1) return ref_norm(x) - b->radius;
    if (b->npoint == 2) return point_to_segment(x, b->points[0], b->points[1]) - b->radius;
    if (b->is_box) return outside_box(b->points[7], x) - b->radius;
    RefBody point = { .core = REF_POINTS, .npoint = 1, .R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .p = x_W };
    return ref_gap(b, &point, 0).g;
}

// --- branch and bound over directions
// ----------------------------------------------------------------------------------------

typedef struct Cell {
    RefVec n[3], s[3];  // corners, unit, and the points of C that are farthest along them
    Real low;           // no direction within has h_C below this
} Cell;

typedef struct Mixed {
    Real value, w[3];
} Mixed;
static void try_weights(Real M[3][3], Real w0, Real w1, Real w2, Mixed *best)
{
    if (!(w0 >= 0) || !(w1 >= 0) || !(w2 >= 0)) return;
    Real sum = w0 + w1 + w2, least = INFINITY;
    if (!(sum > 0)) return;
    w0 /= sum, w1 /= sum, w2 /= sum;
    for (int i = 0; i < 3; i++) least = fminl(least, M[i][0]*w0 + M[i][1]*w1 + M[i][2]*w2);
    if (least > best->value) *best = (Mixed){ least, { w0, w1, w2 } };
}

// max over weights w >= 0, sum w = 1, of min_i sum_j M[i][j] w_j: the value of a 3 x 3 matrix game. It is at a pure
// strategy, where two rows meet on a side, or where all three meet.
static Mixed game_value(Real M[3][3])
{
    Mixed best = { -INFINITY, { 1, 0, 0 } };
    try_weights(M, 1, 0, 0, &best), try_weights(M, 0, 1, 0, &best), try_weights(M, 0, 0, 1, &best);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1)%3;
        Real d0 = M[i][0] - M[k][0], d1 = M[i][1] - M[k][1], d2 = M[i][2] - M[k][2];
        try_weights(M, d1, -d0, 0, &best), try_weights(M, -d1, d0, 0, &best);
        try_weights(M, 0, d2, -d1, &best), try_weights(M, 0, -d2, d1, &best);
        try_weights(M, -d2, 0, d0, &best), try_weights(M, d2, 0, -d0, &best);
    }
    RefVec u = { M[0][0] - M[1][0], M[0][1] - M[1][1], M[0][2] - M[1][2] },
           v = { M[0][0] - M[2][0], M[0][1] - M[2][1], M[0][2] - M[2][2] };
    RefVec w = ref_cross(u, v);
    try_weights(M, w.x, w.y, w.z, &best), try_weights(M, -w.x, -w.y, -w.z, &best);
    return best;
}

// Any s in C has h_C(n) >= s.n, and so has any mean of the corners' s. Over the cell n = (sum m_i n_i)/|sum m_i
// n_i|, so that s.n >= min_i s.n_i if that is positive, else min_i s.n_i / |sum m_i n_i|, where |sum m_i
// n_i|^2 = 1 - sum_{i<j} m_i m_j |n_i - n_j|^2 >= 1 - e^2/3 with the longest side e. The other player's weights
// give the direction within the cell where the best of the three s.n is least: on a kink of h_C, where corners of
// cells hardly ever are.
static RefVec bound_cell(Cell *cell, Real *nearest)
{
    Real M[3][3], T[3][3], side = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T[j][i] = -(M[i][j] = ref_dot(cell->n[i], cell->s[j]));
        RefVec d = ref_sub(cell->n[i], cell->n[(i + 1)%3]);
        side = fmaxl(side, ref_dot(d, d));
    }
    Mixed m = game_value(M);
    cell->low = m.value >= 0 ? m.value : m.value/sqrtl(1 - side/3);
    RefVec s = ref_axpy(m.w[2], cell->s[2], ref_axpy(m.w[1], cell->s[1], ref_scale(m.w[0], cell->s[0])));
    *nearest = fminl(*nearest, ref_norm(s));
    Mixed t = game_value(T);
    return ref_unit(ref_axpy(t.w[2], cell->n[2], ref_axpy(t.w[1], cell->n[1], ref_scale(t.w[0], cell->n[0]))));
}

typedef struct Search {
    const RefBody *a, *b;
    Real high, low;  // least h_C found, and what it cannot be below
    RefVec n;        // where high is
    Real nearest;    // length of the shortest vector seen in C: h_C is never below minus that
    int ncell;
    Cell *cells, *next;
} Search;

enum { CELLS_MAX = 1 << 12, LEVELS_MAX = 62 };

static RefVec look(Search *s, RefVec n)
{
    RefVec c = ref_sub(support(s->a, n, s->a->p), support(s->b, ref_scale(-1, n), s->a->p));
    Real h = ref_dot(n, c);
    if (h < s->high) s->high = h, s->n = n;
    return c;
}

static void keep(Search *s, int *n, Real margin, RefVec n0, RefVec s0, RefVec n1, RefVec s1, RefVec n2, RefVec s2)
{
    Cell cell = { { n0, n1, n2 }, { s0, s1, s2 }, 0 };
    RefVec least = bound_cell(&cell, &s->nearest);
    if (cell.low > s->high + margin) return;
    look(s, least);
    if (*n < 4*CELLS_MAX) s->next[*n] = cell;
    ++*n;
}

static void start(Search *s)
{
    const RefVec axes[6] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
    RefVec far[6];
    for (int i = 0; i < 6; i++) far[i] = look(s, axes[i]);
    int n = 0;
    for (int k = 0; k < 8; k++) {
        int x = k & 1, y = 2 + (k >> 1 & 1), z = 4 + (k >> 2);
        keep(s, &n, INFINITY, axes[x], far[x], axes[y], far[y], axes[z], far[z]);
    }
    s->ncell = n;
}

// Each cell into four. False: more cells than there is room for.
static bool refine(Search *s, Real margin)
{
    int n = 0;
    for (int k = 0; k < s->ncell; k++) {
        const Cell c = s->cells[k];
        if (c.low > s->high + margin) continue;
        RefVec m[3], far[3];
        for (int i = 0; i < 3; i++) {
            m[i] = ref_unit(ref_add(c.n[i], c.n[(i + 1)%3]));
            far[i] = look(s, m[i]);
        }
        for (int i = 0; i < 3; i++) keep(s, &n, margin, c.n[i], c.s[i], m[i], far[i], m[(i + 2)%3], far[(i + 2)%3]);
        keep(s, &n, margin, m[0], far[0], m[1], far[1], m[2], far[2]);
        if (n > 4*CELLS_MAX) return false;
    }
    s->ncell = 0;
    for (int k = 0; k < n; k++)
        if (s->next[k].low <= s->high + margin) s->next[s->ncell++] = s->next[k];
    Cell *swap = s->cells;
    s->cells = s->next, s->next = swap;
    return s->ncell <= CELLS_MAX;
}

static Real lowest(const Search *s)
{
    Real low = s->high;
    for (int k = 0; k < s->ncell; k++) low = fminl(low, s->cells[k].low);
    return fmaxl(low, fminl(s->high, -s->nearest));
}

static Real widest(const Search *s)
{
    Real wide = 0;
    for (int k = 0; k < s->ncell; k++)
        for (int i = 0; i < 3; i++) wide = fmaxl(wide, ref_norm(ref_sub(s->cells[k].n[i], s->n)));
    return wide;
}

static RefGap gap_of_half_space(const RefBody *h, const RefBody *other, bool h_is_a)
{
    RefVec n = h_is_a ? h->R[2] : ref_scale(-1, h->R[2]);
    return (RefGap){ .g = -ref_extent(other, ref_scale(-1, h->R[2]), h->p), .n = n };
}

RefGap ref_gap(const RefBody *a, const RefBody *b, Real margin)
{
    if (a->core == REF_HALF_SPACE) return gap_of_half_space(a, b, true);
    if (b->core == REF_HALF_SPACE) return gap_of_half_space(b, a, false);
    static Cell room[2*4*CELLS_MAX];  // kept: taking 10 MB anew for each call is slow with sanitizers
    Search s = { .a = a, .b = b, .high = INFINITY, .nearest = INFINITY, .cells = room, .next = room + 4*CELLS_MAX };
    Real size = fmaxl(fmaxl(a->size, b->size), ref_norm(ref_sub(b->p, a->p))), spread = 2;
    start(&s);
    Cell *swap = s.cells;
    s.cells = s.next, s.next = swap;
    // First everything that comes within margin is followed, for the spread; then the least alone.
    bool wide = true;
    for (int level = 0; level < LEVELS_MAX; level++) {
        Real gap = s.high - lowest(&s);
        if (wide && gap <= margin) wide = false, spread = widest(&s);
        if (!wide && gap <= 2e-16L*size) break;
        s.low = s.high - gap;
        if (refine(&s, wide ? margin : 0)) continue;
        // Too many: the cells of this level are gone, its bound is not.
        Real radii = a->radius + b->radius;
        return (RefGap){ .g = -s.high - radii, .uncertainty = s.high - s.low, .n = s.n, .spread = spread };
    }
    RefGap answer = { .g = -s.high - a->radius - b->radius, .uncertainty = s.high - lowest(&s), .n = s.n,
                      .spread = spread };
    return answer;
}

// --- polytopes by all pairs of features
// ----------------------------------------------------------------------------------------

// Ends, and the nearest point of the lines where it is within the segments: from the segment to the point, since of
// nearly parallel lines that point is known to few digits along them, and n to few digits across.
static Real segment_to_segment(RefVec a, RefVec b, RefVec c, RefVec d)
{
    Real best = fminl(fminl(point_to_segment(a, c, d), point_to_segment(b, c, d)),
                      fminl(point_to_segment(c, a, b), point_to_segment(d, a, b)));
    RefVec u = ref_sub(b, a), v = ref_sub(d, c), w = ref_sub(c, a), n = ref_cross(u, v);
    Real nn = ref_dot(n, n), s = ref_dot(ref_cross(w, v), n)/nn;
    return s > 0 && s < 1 ? fminl(best, point_to_segment(ref_axpy(s, u, a), c, d)) : best;
}

Real ref_polytope_distance(const RefPolytope *a, const RefPolytope *b)
{
    Real best = INFINITY;
    for (int side = 0; side < 2; side++) {
        const RefPolytope *p = side ? b : a, *q = side ? a : b;
        for (int f = 0; f < p->nface; f++)
            for (int i = 0; i < q->nvertex; i++) best = fminl(best, point_to_face(p, f, q->vertices[i]));
    }
    for (int i = 0; i < a->nedge; i++)
        for (int k = 0; k < b->nedge; k++)
            best = fminl(best, segment_to_segment(a->vertices[a->edges[i][0]], a->vertices[a->edges[i][1]],
                                                  b->vertices[b->edges[k][0]], b->vertices[b->edges[k][1]]));
    return best;
}

static Real extent_of(const RefPolytope *hull, RefVec n)
{
    Real far = -INFINITY;
    for (int i = 0; i < hull->nvertex; i++) far = fmaxl(far, ref_dot(n, hull->vertices[i]));
    return far;
}

// Each facet of A - B is a facet of A, one of -B, or spanned by an edge of each, so that the least h_{A-B} of
// all these normals is the depth. Normals that belong to no facet do no harm: no direction has less. No test on
// the Gauss map is needed.
Real ref_polytope_depth(const RefPolytope *a, const RefPolytope *b, RefVec *n_AB)
{
    Real best = -INFINITY;
    int total = a->nface + b->nface + a->nedge*b->nedge;
    for (int k = 0; k < total; k++) {
        int edge = k - a->nface - b->nface;
        RefVec n;
        if (edge < 0) {
            n = k < a->nface ? a->normals[k] : ref_scale(-1, b->normals[k - a->nface]);
        } else {
            const int *i = a->edges[edge/b->nedge], *j = b->edges[edge%b->nedge];
            RefVec u = ref_sub(a->vertices[i[1]], a->vertices[i[0]]), v = ref_sub(b->vertices[j[1]], b->vertices[j[0]]);
            n = ref_cross(u, v);
            Real length = ref_norm(n);
            if (length < 1e-12L*ref_norm(u)*ref_norm(v)) continue;  // parallel: they span no facet
            n = ref_scale(1/length, n);
        }
        for (int sign = 0; sign < (edge < 0 ? 1 : 2); sign++, n = ref_scale(-1, n)) {
            Real phi = -extent_of(a, n) - extent_of(b, ref_scale(-1, n));
            if (phi > best) best = phi, *n_AB = n;
        }
    }
    return best;
}

// --- torus
// -------------------------------------------------------------------------------------------------------------------

static Real ring_point_gap(const RefVec R[3], RefVec centre, Real ring, Real angle, const RefBody *other)
{
    RefBody point = { .core = REF_POINTS, .npoint = 1, .R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    point.p = ref_axpy(ring*cosl(angle), R[0], ref_axpy(ring*sinl(angle), R[1], centre));
    return other->core == REF_ELLIPSOID ? ref_gap(&point, other, 0).g : ref_outside(other, point.p);
}

// The gap is 1-Lipschitz along the ring, so that samples h apart cannot miss a minimum by more than h/2; each low one
// is then closed in on by golden section.
Real ref_torus_gap(caromShape torus, caromPose X, const RefBody *other)
{
    enum { SAMPLES = 180 };
    const Real turn = 2*acosl(-1), golden = (sqrtl(5) - 1)/2;
    RefVec R[3] = { ref_from(X.R.cx), ref_from(X.R.cy), ref_from(X.R.cz) }, centre = ref_from(X.p);
    Real ring = torus.size.x, values[SAMPLES], best = INFINITY;
    for (int i = 0; i < SAMPLES; i++)
        best = fminl(best, values[i] = ring_point_gap(R, centre, ring, turn*i/SAMPLES, other));
    for (int i = 0; i < SAMPLES; i++) {
        if (values[i] > values[(i + 1)%SAMPLES] || values[i] > values[(i + SAMPLES - 1)%SAMPLES]) continue;
        Real low = turn*(i - 1)/SAMPLES, high = turn*(i + 1)/SAMPLES;
        Real x[2] = { high - golden*(high - low), low + golden*(high - low) };
        Real y[2] = { ring_point_gap(R, centre, ring, x[0], other), ring_point_gap(R, centre, ring, x[1], other) };
        for (int k = 0; k < 80; k++) {
            if (y[0] < y[1])
                high = x[1], x[1] = x[0], y[1] = y[0], x[0] = high - golden*(high - low),
                    y[0] = ring_point_gap(R, centre, ring, x[0], other);
            else
                low = x[0], x[0] = x[1], y[0] = y[1], x[1] = low + golden*(high - low),
                    y[1] = ring_point_gap(R, centre, ring, x[1], other);
        }
        best = fminl(best, fminl(y[0], y[1]));
    }
    return best - torus.size.y;
}
