// Mass properties of a polytope grown by a radius r: the polytope itself, a prism of height r on each face, a sector of
// a cylinder along each edge, and a sector of a ball at each vertex (Steiner's formula with second moments;
// [Schneider14, 4.1] for the decomposition). All pieces are positive: they do not cancel each other.
#include "base/base.h"
#include "geometry/moments.h"

static const double pi = CAROM_PI;

// s a b^T
static void add_outer(caromMat3 *M, double s, caromVec3 a, caromVec3 b)
{
    M->cx = carom_axpy(s*b.x, a, M->cx);
    M->cy = carom_axpy(s*b.y, a, M->cy);
    M->cz = carom_axpy(s*b.z, a, M->cz);
}

// s (a b^T + b a^T)
static void add_outer_both(caromMat3 *M, double s, caromVec3 a, caromVec3 b)
{
    add_outer(M, s, a, b);
    add_outer(M, s, b, a);
}

caromMassProps carom_geometry_moments_mass(const caromMoments *m, caromVec3 o)
{
    if (!(m->volume > 0.0)) return (caromMassProps){ 0 };
    caromVec3 c = carom_scale(1.0/m->volume, m->first);
    caromMat3 S = m->second;
    add_outer(&S, -m->volume, c, c);
    double xy = -0.5*(S.cx.y + S.cy.x), xz = -0.5*(S.cx.z + S.cz.x), yz = -0.5*(S.cy.z + S.cz.y);
    caromMat3 inertia = { { S.cy.y + S.cz.z, xy, xz }, { xy, S.cx.x + S.cz.z, yz }, { xz, yz, S.cx.x + S.cy.y } };
    return (caromMassProps){ m->volume, carom_add(o, c), inertia };
}

// Of a simplex with one corner at the origin (tetrahedron: k = 4, 20) or without (triangle: k = 3, 12): with
// s = a + b + c,
//
//     int x = V s/k,   int x x^T = V/(k(k+1)) (a a^T + b b^T + c c^T + s s^T)
static void add_simplex(caromMoments *m, double volume, double k, caromVec3 a, caromVec3 b, caromVec3 c)
{
    caromVec3 s = carom_add(a, carom_add(b, c));
    double q = volume/(k*(k + 1.0));
    m->volume += volume;
    m->first = carom_axpy(volume/k, s, m->first);
    add_outer(&m->second, q, a, a);
    add_outer(&m->second, q, b, b);
    add_outer(&m->second, q, c, c);
    add_outer(&m->second, q, s, s);
}

void carom_geometry_moments_add_tetrahedron(caromMoments *m, caromVec3 a, caromVec3 b, caromVec3 c)
{
    add_simplex(m, carom_dot(a, carom_cross(carom_sub(b, a), carom_sub(c, a)))/6.0, 4.0, a, b, c);
}

// A face y of area A swept along its normal, x = y + s n with 0 <= s <= r.
static void add_prism(caromMoments *m, const caromMoments *face, caromVec3 n, double r)
{
    m->volume += r*face->volume;
    m->first = carom_axpy(r, face->first, carom_axpy(0.5*r*r*face->volume, n, m->first));
    m->second = carom_mat_add(m->second, carom_mat_scale(r, face->second));
    add_outer_both(&m->second, 0.5*r*r, face->first, n);
    add_outer(&m->second, r*r*r/3.0*face->volume, n, n);
}

static void add_face(caromMoments *m, const caromHull *hull, int f, caromVec3 o, double r)
{
    const int *corner = hull->corners + hull->first_corner[f];
    int n = hull->first_corner[f + 1] - hull->first_corner[f];
    caromVec3 a = carom_sub(hull->vertices[corner[0]], o);
    caromMoments face = { 0 };
    for (int k = 1; k + 1 < n; k++) {
        caromVec3 b = carom_sub(hull->vertices[corner[k]], o), c = carom_sub(hull->vertices[corner[k + 1]], o);
        caromVec3 twice = carom_cross(carom_sub(b, a), carom_sub(c, a));
        add_simplex(m, carom_dot(a, twice)/6.0, 4.0, a, b, c);
        add_simplex(&face, 0.5*carom_dot(twice, hull->normals[f]), 3.0, a, b, c);
    }
    add_prism(m, &face, hull->normals[f], r);
}

static double angle_between(caromVec3 a, caromVec3 b)
{
    return atan2(carom_norm(carom_cross(a, b)), carom_dot(a, b));
}

// An edge of length L along e about its middle p: x = p + t e + rho n with n between the two face normals, theta apart.
// With u half way between them and w = e x u: int n = 2 sin(theta/2) u, int n n^T = (theta + sin theta)/2 u
// u^T + (theta - sin theta)/2 w w^T.
typedef struct MomentsEdge {
    caromVec3 p, e, u;
    double L, theta;
} MomentsEdge;

static void add_edge(caromMoments *m, const MomentsEdge *edge, double r)
{
    caromVec3 p = edge->p, e = edge->e, u = edge->u;
    double L = edge->L, theta = edge->theta;
    caromVec3 w = carom_cross(e, u), first = carom_scale(2.0*sin(0.5*theta)*L*r*r*r/3.0, u);
    double volume = 0.5*L*theta*r*r, r4 = r*r*r*r;
    m->volume += volume;
    m->first = carom_add(m->first, carom_axpy(volume, p, first));
    add_outer(&m->second, volume, p, p);
    add_outer_both(&m->second, 1.0, p, first);
    add_outer(&m->second, volume*L*L/12.0, e, e);
    add_outer(&m->second, 0.125*L*r4*(theta + sin(theta)), u, u);
    add_outer(&m->second, 0.125*L*r4*(theta - sin(theta)), w, w);
}

// Of the cone of normals C at a vertex, on the unit sphere: the inner normal of C's side that belongs to the edge from
// v along e is -e. Its second moments int n n^T dO are not needed one by one: the cones of all vertices fill the
// sphere, and r^5/5 times their sum is that of a ball.
typedef struct Cone {
    double solid_angle;  // int dO = 2 pi - sum of the face angles at v
    caromVec3 first;     // int n dO = 1/2 sum theta (-e), as flat sectors and sphere close a surface
} Cone;

static void add_vertex(caromMoments *m, const Cone *cone, caromVec3 p, double r)
{
    double volume = cone->solid_angle*r*r*r/3.0;
    caromVec3 first = carom_scale(0.25*r*r*r*r, cone->first);
    m->volume += volume;
    m->first = carom_add(m->first, carom_axpy(volume, p, first));
    add_outer(&m->second, volume, p, p);
    add_outer_both(&m->second, 1.0, p, first);
}

static double corner_angle(const caromHull *hull, const int *corner, int n, int k)
{
    caromVec3 v = hull->vertices[corner[k]], before = hull->vertices[corner[(k + n - 1)%n]],
              after = hull->vertices[corner[(k + 1)%n]];
    return angle_between(carom_sub(before, v), carom_sub(after, v));
}

static void add_edges(caromMoments *m, const caromHull *hull, Cone *cones, caromVec3 o, double r)
{
    for (int i = 0; i < hull->nedge; i++) {
        int a = hull->edges[i][0], b = hull->edges[i][1];
        caromVec3 n0 = hull->normals[hull->edge_faces[i][0]], n1 = hull->normals[hull->edge_faces[i][1]];
        caromVec3 pa = carom_sub(hull->vertices[a], o), pb = carom_sub(hull->vertices[b], o), d = carom_sub(pb, pa);
        double L = carom_norm(d), theta = angle_between(n0, n1);
        caromVec3 e = carom_scale(1.0/L, d), u = carom_unit_or(carom_add(n0, n1), n0);
        add_edge(m, &(MomentsEdge){ carom_scale(0.5, carom_add(pa, pb)), e, u, L, theta }, r);
        cones[a].first = carom_axpy(-0.5*theta, e, cones[a].first);
        cones[b].first = carom_axpy(0.5*theta, e, cones[b].first);
    }
}

static void add_vertices(caromMoments *m, const caromHull *hull, Cone *cones, caromVec3 o, double r)
{
    for (int v = 0; v < hull->nvertex; v++) cones[v].solid_angle = 2.0*pi;
    for (int f = 0; f < hull->nface; f++) {
        const int *corner = hull->corners + hull->first_corner[f];
        int n = hull->first_corner[f + 1] - hull->first_corner[f];
        for (int k = 0; k < n; k++) cones[corner[k]].solid_angle -= corner_angle(hull, corner, n, k);
    }
    for (int v = 0; v < hull->nvertex; v++) add_vertex(m, &cones[v], carom_sub(hull->vertices[v], o), r);
    double ball = 4.0/15.0*pi*r*r*r*r*r;
    m->second = carom_mat_add(m->second, carom_mat_diagonal(ball, ball, ball));
}

// Faces, sectors of cylinders along the edges, and what is left at the corners: a sphere (Steiner's formula).
double carom_hull_surface(const caromHull *hull)
{
    double r = hull->rounding, edges = 0.0;
    for (int i = 0; r > 0.0 && i < hull->nedge; i++) {
        const int *v = hull->edges[i], *f = hull->edge_faces[i];
        edges += carom_norm(carom_sub(hull->vertices[v[1]], hull->vertices[v[0]]))*angle_between(hull->normals[f[0]],
                                                                                                 hull->normals[f[1]]);
    }
    return hull->surface + r*edges + 4.0*pi*r*r;
}

caromMassProps carom_hull_mass(const caromHull *hull)
{
    caromVec3 o = { 0, 0, 0 };
    for (int v = 0; v < hull->nvertex; v++) o = carom_add(o, hull->vertices[v]);
    o = carom_scale(1.0/hull->nvertex, o);
    caromMoments m = { 0 };
    double r = hull->rounding;
    for (int f = 0; f < hull->nface; f++) add_face(&m, hull, f, o, r);
    if (r > 0.0) {
        Cone *cones = carom_alloc_array((size_t)hull->nvertex, sizeof *cones);
        if (!cones) return (caromMassProps){ 0 };
        add_edges(&m, hull, cones, o, r);
        add_vertices(&m, hull, cones, o, r);
        free(cones);
    }
    return carom_geometry_moments_mass(&m, o);
}
