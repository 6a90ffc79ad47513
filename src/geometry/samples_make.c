// The surface of each kind of shape as points with areas. Plane faces, corners of rounded shapes and ellipsoids are cut into triangles, of which each corner takes a third;
// what is turned about an axis, into rings; rounded edges, into strips.
//
// Shares of triangles, and hat functions on rings and strips, integrate linear functions over plane faces exactly: force and torque of a face at uniform depth are those of the
// face. And corners and rims have points of their own: a part that comes down on a corner is felt at once.
#include <stdlib.h>

#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "geometry/samples.h"

static const double pi = 3.14159265358979323846;

static void emit(caromSampleList *list, caromVec3 p, double area)
{
    if (!(area > 0.0) || list->is_full || list->out_of_memory) return;
    if (list->n == CAROM_SAMPLES_MAX) {
        list->is_full = true;
        return;
    }
    if (list->n == list->capacity) {
        int capacity = list->capacity ? 2*list->capacity : 1024;
        caromSample *more = realloc(list->items, (size_t)capacity*sizeof *more);
        if (!more) {
            list->out_of_memory = true;
            return;
        }
        list->items = more;
        list->capacity = capacity;
    }
    list->items[list->n++] = (caromSample){ p, area };
}

// ---- triangles

typedef enum Bulge { PLANE, BALL, ELLIPSOID } Bulge;

typedef struct Skin {  // what the triangles lie on
    Bulge bulge;
    caromVec3 centre;  // of the ball
    double radius;
    caromVec3 h;       // semi-axes of the ellipsoid
    double spacing;    // longest edge
} Skin;

// Edges up to half as long again as the spacing stay, those above become two: with that there is about one point to a square of the spacing.
static double edge_of(double spacing)
{
    return 1.5*spacing;
}

typedef struct Triangle {
    caromVec3 x[3];
} Triangle;

// Half way between two corners, whatever their order: triangles on either side find the same bits.
static caromVec3 middle(const Skin *skin, caromVec3 a, caromVec3 b)
{
    caromVec3 m = carom_scale(0.5, carom_add(a, b));
    if (skin->bulge == PLANE) return m;
    if (skin->bulge == BALL) return carom_axpy(skin->radius, carom_unit_or(carom_sub(m, skin->centre), carom_vec(0, 0, 1)), skin->centre);
    caromVec3 h = skin->h, u = carom_unit_or(carom_vec(m.x/h.x, m.y/h.y, m.z/h.z), carom_vec(0, 0, 1));
    return carom_vec(h.x*u.x, h.y*u.y, h.z*u.z);
}

// Of a ball the part seen under the solid angle 2 atan2(a.(b x c), 1 + a.b + b.c + c.a), a, b, c unit vectors [VanOosterom83].
static double triangle_area(const Skin *skin, const Triangle *t)
{
    if (skin->bulge != BALL) return 0.5*carom_norm(carom_cross(carom_sub(t->x[1], t->x[0]), carom_sub(t->x[2], t->x[0])));
    caromVec3 u[3];
    for (int k = 0; k < 3; k++) u[k] = carom_scale(1.0/skin->radius, carom_sub(t->x[k], skin->centre));
    double across = carom_dot(u[0], carom_cross(u[1], u[2])), along = 1.0 + carom_dot(u[0], u[1]) + carom_dot(u[1], u[2]) + carom_dot(u[2], u[0]);
    return fabs(2.0*atan2(across, along))*skin->radius*skin->radius;
}

static int longest_edge(const Triangle *t, double *length)
{
    int longest = 0;
    *length = 0.0;
    for (int k = 0; k < 3; k++) {
        double l = carom_norm(carom_sub(t->x[(k + 1)%3], t->x[k]));
        if (l > *length) *length = l, longest = k;
    }
    return longest;
}

// The longest edge is halved as long as it is too long. Every edge is halved or not by its length alone, so that neighbours share all their corners, and a thin triangle
// is cut across only.
enum { STACK_MAX = 200 };
static void add_triangle(caromSampleList *list, const Skin *skin, caromVec3 a, caromVec3 b, caromVec3 c)
{
    Triangle stack[STACK_MAX] = { { { a, b, c } } };
    int n = 1;
    while (n > 0 && !list->is_full && !list->out_of_memory) {
        Triangle t = stack[--n];
        double length;
        int k = longest_edge(&t, &length);
        if (!(length > skin->spacing) || n + 2 > STACK_MAX) {
            double third = triangle_area(skin, &t)/3.0;
            for (int i = 0; i < 3; i++) emit(list, t.x[i], third);
            continue;
        }
        caromVec3 p = t.x[k], q = t.x[(k + 1)%3], r = t.x[(k + 2)%3], m = middle(skin, p, q);
        stack[n++] = (Triangle){ { p, m, r } };
        stack[n++] = (Triangle){ { m, q, r } };
    }
}

static void add_mesh(caromSampleList *list, const caromMesh *mesh, double spacing)
{
    Skin skin = { .bulge = PLANE, .spacing = edge_of(spacing) };
    for (int t = 0; t < mesh->ntriangle; t++) {
        const int *v = mesh->triangles[t];
        add_triangle(list, &skin, mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]);
    }
}

static void add_ellipsoid(caromSampleList *list, caromVec3 h, double spacing)
{
    Skin skin = { .bulge = ELLIPSOID, .h = h, .spacing = edge_of(spacing) };
    for (int k = 0; k < 8; k++)
        add_triangle(list, &skin, carom_vec(k & 1 ? -h.x : h.x, 0, 0), carom_vec(0, k & 2 ? -h.y : h.y, 0), carom_vec(0, 0, k & 4 ? -h.z : h.z));
}

// ---- turned about z

static int parts_of(double length, double spacing)
{
    double n = ceil(length/spacing);
    return n < 1.0 ? 1 : n < CAROM_SAMPLES_MAX ? (int)n : CAROM_SAMPLES_MAX;
}

// A multiple of four points, so that the ring has no direction of its own.
static void add_ring(caromSampleList *list, double rho, double z, double area, double spacing)
{
    if (!(rho > 0.0)) {
        emit(list, carom_vec(0, 0, z), area);
        return;
    }
    int n = 4*parts_of(0.5*pi*rho, spacing);
    for (int k = 0; k < n; k++) emit(list, carom_vec(rho*cos(2.0*pi*k/n), rho*sin(2.0*pi*k/n), z), area/n);
}

// A band between two rings has its area as linear hat functions share it.
static void add_band(caromSampleList *list, double rho0, double z0, double rho1, double z1, double area, double spacing)
{
    double sum = 3.0*(rho0 + rho1);
    if (!(sum > 0.0)) return;
    add_ring(list, rho0, z0, area*(2.0*rho0 + rho1)/sum, spacing);
    add_ring(list, rho1, z1, area*(rho0 + 2.0*rho1)/sum, spacing);
}

static void add_line(caromSampleList *list, double rho0, double z0, double rho1, double z1, double spacing)
{
    double length = hypot(rho1 - rho0, z1 - z0);
    int n = parts_of(length, spacing);
    double rho = rho0, z = z0;
    for (int k = 1; k <= n && length > 0.0 && !list->is_full; k++) {
        double next_rho = k < n ? rho0 + (rho1 - rho0)*k/n : rho1, next_z = k < n ? z0 + (z1 - z0)*k/n : z1;
        add_band(list, rho, z, next_rho, next_z, pi*(rho + next_rho)*length/n, spacing);
        rho = next_rho;
        z = next_z;
    }
}

// About (rho, z), from the angle f0 to f1 > f0 above the plane across the axis.
static void add_arc(caromSampleList *list, double rho, double z, double radius, double f0, double f1, double spacing)
{
    int n = parts_of(radius*(f1 - f0), spacing);
    for (int k = 0; k < n && radius > 0.0 && f1 > f0 && !list->is_full; k++) {
        double a = f0 + (f1 - f0)*k/n, b = f0 + (f1 - f0)*(k + 1)/n;
        double area = 2.0*pi*radius*(rho*(b - a) + radius*(sin(b) - sin(a)));
        add_band(list, fmax(0.0, rho + radius*cos(a)), z + radius*sin(a), fmax(0.0, rho + radius*cos(b)), z + radius*sin(b), area, spacing);
    }
}

static void add_frustum(caromSampleList *list, const caromCore *c, double spacing)
{
    double r = c->radius, side = c->z1 > c->z0 ? atan2(c->r0 - c->r1, c->z1 - c->z0) : 0.0;  // angle of the side's normal
    add_line(list, 0.0, c->z0 - r, c->r0, c->z0 - r, spacing);
    add_arc(list, c->r0, c->z0, r, -0.5*pi, side, spacing);
    add_line(list, c->r0 + r*cos(side), c->z0 + r*sin(side), c->r1 + r*cos(side), c->z1 + r*sin(side), spacing);
    add_arc(list, c->r1, c->z1, r, side, 0.5*pi, spacing);
    add_line(list, c->r1, c->z1 + r, 0.0, c->z1 + r, spacing);
}

static void add_capsule(caromSampleList *list, double radius, double half, double spacing)
{
    add_arc(list, 0.0, -half, radius, -0.5*pi, 0.0, spacing);
    add_line(list, radius, -half, radius, half, spacing);
    add_arc(list, 0.0, half, radius, 0.0, 0.5*pi, spacing);
}

// ---- polytopes, rounded or not: faces moved out by the radius, a strip of a cylinder along each edge, a part of a ball at each corner

typedef struct Solid {
    int nvertex, nface, nedge;
    const caromVec3 *vertices, *normals;
    const int *first_corner, *corners;
    const int (*edges)[2], (*edge_faces)[2];
    double radius;
} Solid;

static void add_faces(caromSampleList *list, const Solid *s, double spacing)
{
    Skin skin = { .bulge = PLANE, .spacing = edge_of(spacing) };
    for (int f = 0; f < s->nface; f++) {
        const int *c = s->corners + s->first_corner[f];
        caromVec3 out = carom_scale(s->radius, s->normals[f]), a = carom_add(s->vertices[c[0]], out);
        for (int k = 1; k + 1 < s->first_corner[f + 1] - s->first_corner[f]; k++)
            add_triangle(list, &skin, a, carom_add(s->vertices[c[k]], out), carom_add(s->vertices[c[k + 1]], out));
    }
}

static void add_strip(caromSampleList *list, const Solid *s, int edge, double spacing)
{
    caromVec3 a = s->vertices[s->edges[edge][0]], along = carom_sub(s->vertices[s->edges[edge][1]], a);
    caromVec3 n1 = s->normals[s->edge_faces[edge][0]], n2 = s->normals[s->edge_faces[edge][1]], axis;
    double length = carom_norm(along), turn = atan2(carom_norm(carom_cross(n1, n2)), carom_dot(n1, n2));
    int m = parts_of(length, spacing), k = parts_of(s->radius*turn, spacing);
    axis = carom_unit_or(carom_cross(n1, n2), carom_vec(0, 0, 1));
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= k; j++) {
            double share = (i == 0 || i == m ? 0.5 : 1.0)/m*(j == 0 || j == k ? 0.5 : 1.0)/k, f = turn*j/k;
            caromVec3 n = carom_add(carom_scale(cos(f), n1), carom_scale(sin(f), carom_cross(axis, n1)));
            emit(list, carom_axpy(s->radius, n, carom_axpy((double)i/m, along, a)), share*length*s->radius*turn);
        }
}

// Around each corner a fan from the mean of the normals that meet there.
static void add_corners(caromSampleList *list, const Solid *s, double spacing)
{
    caromVec3 *mean = calloc((size_t)s->nvertex + 1, sizeof *mean);
    list->out_of_memory |= !mean;
    for (int e = 0; mean && e < s->nedge; e++)
        for (int i = 0; i < 2; i++) {
            caromVec3 *m = &mean[s->edges[e][i]];
            *m = carom_add(*m, carom_add(s->normals[s->edge_faces[e][0]], s->normals[s->edge_faces[e][1]]));
        }
    for (int e = 0; mean && e < s->nedge; e++)
        for (int i = 0; i < 2; i++) {
            caromVec3 v = s->vertices[s->edges[e][i]], m = carom_unit_or(mean[s->edges[e][i]], carom_vec(0, 0, 1));
            Skin skin = { .bulge = BALL, .centre = v, .radius = s->radius, .spacing = edge_of(spacing) };
            add_triangle(list, &skin, carom_axpy(s->radius, m, v), carom_axpy(s->radius, s->normals[s->edge_faces[e][0]], v),
                         carom_axpy(s->radius, s->normals[s->edge_faces[e][1]], v));
        }
    free(mean);
}

static void add_solid(caromSampleList *list, const Solid *s, double spacing)
{
    add_faces(list, s, spacing);
    if (!(s->radius > 0.0)) return;
    for (int e = 0; e < s->nedge; e++) add_strip(list, s, e, spacing);
    add_corners(list, s, spacing);
}

static void add_hull(caromSampleList *list, const caromHull *hull, double spacing)
{
    Solid s = { hull->nvertex, hull->nface, hull->nedge, hull->vertices, hull->normals, hull->first_corner, hull->corners,
                (const int (*)[2])hull->edges, (const int (*)[2])hull->edge_faces, hull->rounding };
    add_solid(list, &s, spacing);
}

static void add_box(caromSampleList *list, const caromCore *core, double spacing)
{
    static const caromVec3 normals[6] = { { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 0, 0, 1 } };
    static const int first[7] = { 0, 4, 8, 12, 16, 20, 24 };
    static const int corners[24] = { 0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6 };
    static const int edges[12][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 1, 3 }, { 4, 6 }, { 5, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
    static const int edge_faces[12][2] = { { 2, 4 }, { 3, 4 }, { 2, 5 }, { 3, 5 }, { 0, 4 }, { 1, 4 }, { 0, 5 }, { 1, 5 }, { 0, 2 }, { 1, 2 }, { 0, 3 }, { 1, 3 } };
    caromVec3 vertices[8];
    for (int k = 0; k < 8; k++) vertices[k] = carom_vec(k & 1 ? core->h.x : -core->h.x, k & 2 ? core->h.y : -core->h.y, k & 4 ? core->h.z : -core->h.z);
    Solid s = { 8, 6, 12, vertices, normals, first, corners, edges, edge_faces, core->radius };
    add_solid(list, &s, spacing);
}

void carom_sample_surface(const caromShape *shape, double spacing, caromSampleList *list)
{
    caromCore core = { 0 };
    if (carom_shape_row(shape->kind)->core) core = carom_shape_core(shape);
    switch (shape->kind) {
    case CAROM_SPHERE: add_capsule(list, shape->size.x, 0.0, spacing); break;
    case CAROM_CAPSULE: add_capsule(list, shape->size.x, 0.5*shape->size.y, spacing); break;
    case CAROM_ELLIPSOID: add_ellipsoid(list, shape->size, spacing); break;
    case CAROM_BOX: add_box(list, &core, spacing); break;
    case CAROM_CYLINDER:
    case CAROM_CONE: add_frustum(list, &core, spacing); break;
    case CAROM_POLYTOPE: add_hull(list, shape->hull, spacing); break;
    case CAROM_TORUS: add_arc(list, shape->size.x, 0.0, shape->size.y, 0.0, 2.0*pi, spacing); break;
    case CAROM_MESH: add_mesh(list, shape->mesh, spacing); break;
    case CAROM_HALF_SPACE:
    case CAROM_SHAPE_KINDS: break;
    }
}
