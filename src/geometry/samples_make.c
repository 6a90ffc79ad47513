// The surface of each kind of shape as points with areas. Triangles are cut into cells, what is turned about an axis
// into bands, and each has a point at its middle; edges, rims and corners have points of their own, with a small part
// of the cells beside them.
//
// Points in the middle integrate linear functions over plane faces exactly, so that force and torque of a face at an
// even depth are those of the face. Points on an edge alone would not do: they stand for a strip of each face that
// meets there, and where one is pressed in, the strips of the others would count as well. Without any a part could come
// down on its corner and sink in by half a spacing before it is felt.
#include <stdlib.h>

#include "base/base.h"
#include "geometry/box.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "geometry/samples.h"

static const double pi = CAROM_PI;
static const double edge_share = 0.1;  // of a cell's area, for the points on its edges

static void emit(caromSampleList *list, caromVec3 p, double area)
{
    if (!(area > 0.0) || list->is_full || list->out_of_memory) return;
    if (list->n == CAROM_SAMPLES_MAX) {
        list->is_full = true;
        return;
    }
    if (list->n == list->capacity) {
        int capacity = list->capacity ? 2*list->capacity : 1024;
        caromSamplePoint *more = realloc(list->items, (size_t)capacity*sizeof *more);
        if (!more) {
            list->out_of_memory = true;
            return;
        }
        list->items = more;
        list->capacity = capacity;
    }
    list->items[list->n++] = (caromSamplePoint){ p, area };
}

static int parts_of(double length, double spacing)
{
    double n = ceil(length/spacing*(1.0 - 1e-12));
    return n < 1.0 ? 1 : n < CAROM_SAMPLES_MAX ? (int)n : CAROM_SAMPLES_MAX;
}

// ---- plane triangles

// What has points of its own: corner k, or the side from corner k to the next.
typedef struct Sharp {
    bool corner[3], side[3];
} Sharp;

// Coordinates: x = p + t (a + s b), 0 <= t, s <= 1, with p the corner off the shortest side, a and a + b the two longer
// ones. Area goes with t.
typedef struct Triangle {
    caromVec3 p, a, b;
    double area;
    Sharp sharp;  // corners p, q = p + a, r = p + a + b
} Triangle;

static Triangle triangle_of(const caromVec3 x[3], Sharp sharp)
{
    double length[3];
    for (int k = 0; k < 3; k++) length[k] = carom_norm(carom_sub(x[(k + 2)%3], x[(k + 1)%3]));  // off corner k
    int k = length[0] <= length[1] && length[0] <= length[2] ? 0 : length[1] <= length[2] ? 1 : 2;
    caromVec3 p = x[k], q = x[(k + 1)%3], r = x[(k + 2)%3], a = carom_sub(q, p);
    Triangle f = { .p = p, .a = a, .b = carom_sub(r, q), .area = 0.5*carom_norm(carom_cross(a, carom_sub(r, p))) };
    for (int i = 0; i < 3; i++) {
        f.sharp.corner[i] = sharp.corner[(k + i)%3];
        f.sharp.side[i] = sharp.side[(k + i)%3];
    }
    return f;
}

static caromVec3 point_of(const Triangle *f, double t, double s)
{
    return carom_axpy(t, carom_axpy(s, f->b, f->a), f->p);
}

static bool has_point(const Triangle *f, double t, double s)
{
    const Sharp *at = &f->sharp;
    if (t == 0.0) return at->corner[0];
    if (t == 1.0 && (s == 0.0 || s == 1.0)) return at->corner[s == 0.0 ? 1 : 2];
    if (t == 1.0) return at->side[1];
    return s == 0.0 ? at->side[0] : s == 1.0 && at->side[2];
}

static void add_cell(caromSampleList *list, const Triangle *f, double t0, double t1, double s0, double s1)
{
    double area = f->area*(t1*t1 - t0*t0)*(s1 - s0), left = area;
    for (int k = 0; k < 4; k++) {
        double t = k & 1 ? t1 : t0, s = k & 2 ? s1 : s0, share = 0.25*edge_share*area;
        if (!has_point(f, t, s)) continue;
        emit(list, point_of(f, t, s), share);
        left -= share;
    }
    double middle = 2.0/3.0*(t0*t0 + t0*t1 + t1*t1)/(t0 + t1);
    emit(list, point_of(f, middle, 0.5*(s0 + s1)), left);
}

// Rows along the shortest side, each cut across as often as it is wide. Cells are up to half as long again as the
// spacing: those of triangles are a part of their longest side.
static void add_triangle(caromSampleList *list, const caromVec3 x[3], Sharp sharp)
{
    Triangle f = triangle_of(x, sharp);
    if (!(f.area > 0.0)) return;
    double cell = 1.5*list->spacing;
    int nrow = parts_of(fmax(carom_norm(f.a), carom_norm(carom_add(f.a, f.b))), cell);
    for (int i = 0; i < nrow && !list->is_full; i++) {
        double t0 = (double)i/nrow, t1 = i + 1 < nrow ? (double)(i + 1)/nrow : 1.0;
        int n = parts_of(0.5*(t0 + t1)*carom_norm(f.b), cell);
        for (int j = 0; j < n; j++) add_cell(list, &f, t0, t1, (double)j/n, j + 1 < n ? (double)(j + 1)/n : 1.0);
    }
}

// ---- plane parallelograms

// With sides a and b about a middle, in rows and columns, so that the points of a rectangle are as symmetric as it is:
// two triangles would press a body that comes down flat to one side.
typedef struct Parallelogram {
    caromVec3 middle, a, b;
    double area;
    bool is_sharp;
} Parallelogram;

static caromVec3 point_in(const Parallelogram *f, double s, double t)  // -1 to 1
{
    return carom_add(f->middle, carom_add(carom_scale(0.5*s, f->a), carom_scale(0.5*t, f->b)));
}

static void add_piece(caromSampleList *list, const Parallelogram *f, const int at[2], const int n[2])
{
    double area = f->area/((double)n[0]*n[1]), left = area, share = 0.25*edge_share*area;
    for (int k = 0; k < 4 && f->is_sharp; k++) {
        int i = at[0] + (k & 1), j = at[1] + (k >> 1);
        if (i > 0 && i < n[0] && j > 0 && j < n[1]) continue;
        emit(list, point_in(f, (double)(2*i - n[0])/n[0], (double)(2*j - n[1])/n[1]), share);
        left -= share;
    }
    emit(list, point_in(f, (double)(2*at[0] + 1 - n[0])/n[0], (double)(2*at[1] + 1 - n[1])/n[1]), left);
}

static void add_parallelogram(caromSampleList *list, const Parallelogram *f)
{
    const int n[2] = { parts_of(carom_norm(f->a), list->spacing), parts_of(carom_norm(f->b), list->spacing) };
    for (int i = 0; i < n[0] && !list->is_full; i++)
        for (int j = 0; j < n[1]; j++) add_piece(list, f, (const int[]){ i, j }, n);
}

// ---- meshes

// Edges where neighbours differ by more than 20 degrees; corners at such an edge, and tips: where the angles around
// them leave out more than that.
typedef struct Ridges {
    caromVec3 *normals;  // of the first triangle at each edge                [nedge]
    bool *edges;         //                                                   [nedge]
    bool *corners;       //                                                   [nvertex]
    double *angles;      // sum around each vertex                            [nvertex]
} Ridges;

static bool find_ridges(const caromMesh *mesh, Ridges *r)
{
    const caromMeshTree *tree = &mesh->tree;
    const double cos_20 = 0.93969262078590838405, turn_20 = 0.34906585039886591538;
    r->normals = carom_alloc_array((size_t)tree->nedge, sizeof *r->normals);
    r->edges = carom_alloc_array((size_t)tree->nedge, sizeof *r->edges);
    r->corners = carom_alloc_array((size_t)mesh->nvertex, sizeof *r->corners);
    r->angles = carom_alloc_array((size_t)mesh->nvertex, sizeof *r->angles);
    if (!r->normals || !r->edges || !r->corners || !r->angles) return false;
    for (int i = 0; i < mesh->ntriangle; i++) {
        const caromVec3 *x = tree->corners[i];
        caromVec3 n = carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_vec(0, 0, 0));
        for (int k = 0; k < 3; k++) {
            caromVec3 a = carom_sub(x[(k + 1)%3], x[k]), b = carom_sub(x[(k + 2)%3], x[k]),
                      *first = &r->normals[tree->edges[i][k]];
            r->angles[tree->vertices[i][k]] += atan2(carom_norm(carom_cross(a, b)), carom_dot(a, b));
            if (carom_norm2(*first) == 0.0) *first = n;
            else if (carom_dot(*first, n) < cos_20) r->edges[tree->edges[i][k]] = true;
        }
    }
    for (int i = 0; i < mesh->ntriangle; i++)
        for (int k = 0; k < 3; k++)
            if (r->edges[tree->edges[i][k]])
                r->corners[tree->vertices[i][k]] = r->corners[tree->vertices[i][(k + 1)%3]] = true;
    for (int v = 0; v < mesh->nvertex; v++) r->corners[v] = r->corners[v] || r->angles[v] < 2.0*pi - turn_20;
    return true;
}

void carom_geometry_sample_mesh(caromSampleList *list, const caromMesh *mesh)
{
    const caromMeshTree *tree = &mesh->tree;
    Ridges r = { 0 };
    if (!find_ridges(mesh, &r)) list->out_of_memory = true;
    for (int i = 0; i < mesh->ntriangle && !list->out_of_memory && !list->is_full; i++) {
        Sharp sharp;
        for (int k = 0; k < 3; k++) {
            sharp.corner[k] = r.corners[tree->vertices[i][k]];
            sharp.side[k] = r.edges[tree->edges[i][k]];
        }
        add_triangle(list, tree->corners[i], sharp);
    }
    free(r.normals);
    free(r.edges);
    free(r.corners);
    free(r.angles);
}

// ---- parts of a ball

// Seen from its centre under the solid angle 2 atan2(a.(b x c), 1 + a.b + b.c + c.a), unit vectors a, b, c
// [VanOosterom83]. Quartered until its sides are short.
enum { STACK_MAX = 100 };
static void add_corner(caromSampleList *list, caromVec3 centre, double radius, caromVec3 a, caromVec3 b, caromVec3 c)
{
    caromVec3 stack[STACK_MAX][3] = { { a, b, c } };
    const caromVec3 up = { 0, 0, 1 };
    int n = 1;
    while (n > 0 && !list->is_full && !list->out_of_memory) {
        caromVec3 u = stack[--n][0], v = stack[n][1], w = stack[n][2];
        double longest = fmax(carom_norm(carom_sub(u, v)),
                              fmax(carom_norm(carom_sub(v, w)), carom_norm(carom_sub(w, u))));
        if (radius*longest <= 1.5*list->spacing || n + 4 > STACK_MAX) {
            double angle = 2.0*atan2(carom_dot(u, carom_cross(v, w)),
                                     1.0 + carom_dot(u, v) + carom_dot(v, w) + carom_dot(w, u));
            emit(list, carom_axpy(radius, carom_unit_or(carom_add(u, carom_add(v, w)), up), centre),
                 fabs(angle)*radius*radius);
            continue;
        }
        caromVec3 uv = carom_unit_or(carom_add(u, v), up), vw = carom_unit_or(carom_add(v, w), up),
                  wu = carom_unit_or(carom_add(w, u), up);
        const caromVec3 parts[4][3] = { { u, uv, wu }, { uv, v, vw }, { wu, vw, w }, { uv, vw, wu } };
        for (int k = 0; k < 4; k++, n++)
            for (int i = 0; i < 3; i++) stack[n][i] = parts[k][i];
    }
}

// ---- turned about z

// A multiple of four points, so that the ring has no direction of its own.
static void add_ring(caromSampleList *list, double rho, double z, double area)
{
    if (!(rho > 0.0)) {
        emit(list, carom_vec(0, 0, z), area);
        return;
    }
    int n = 4*parts_of(0.5*pi*rho, list->spacing);
    for (int k = 0; k < n; k++) emit(list, carom_vec(rho*cos(2.0*pi*k/n), rho*sin(2.0*pi*k/n), z), area/n);
}

// A circle about z. Where it is sharp it has points of its own.
typedef struct MakeRing {
    double rho, z;
    bool is_sharp;
} MakeRing;

// From one ring to another, in bands.
static void add_line(caromSampleList *list, MakeRing from, MakeRing to)
{
    double length = hypot(to.rho - from.rho, to.z - from.z), share = 0.5*edge_share;
    int n = parts_of(length, list->spacing);
    for (int k = 0; k < n && length > 0.0 && !list->is_full; k++) {
        double t = (k + 0.5)/n, rho = from.rho + (to.rho - from.rho)*t, area = 2.0*pi*rho*length/n, left = area;
        if (k == 0 && from.is_sharp) add_ring(list, from.rho, from.z, share*area), left -= share*area;
        if (k == n - 1 && to.is_sharp) add_ring(list, to.rho, to.z, share*area), left -= share*area;
        add_ring(list, rho, from.z + (to.z - from.z)*t, left);
    }
}

// About (rho, z), from the angle f0 to f1 > f0 above the plane across the axis.
static void add_arc(caromSampleList *list, double rho, double z, double radius, double f0, double f1)
{
    int n = parts_of(radius*(f1 - f0), list->spacing);
    for (int k = 0; k < n && radius > 0.0 && f1 > f0 && !list->is_full; k++) {
        double a = f0 + (f1 - f0)*k/n, b = f0 + (f1 - f0)*(k + 1)/n, f = 0.5*(a + b);
        add_ring(list, rho + radius*cos(f), z + radius*sin(f), 2.0*pi*radius*(rho*(b - a) + radius*(sin(b) - sin(a))));
    }
}

static void add_frustum(caromSampleList *list, const caromCore *c)
{
    // Angle of the side's normal.
    double r = c->radius, side = c->z1 > c->z0 ? atan2(c->r0 - c->r1, c->z1 - c->z0) : 0.0;
    bool is_sharp = r == 0.0;
    add_line(list, (MakeRing){ 0.0, c->z0 - r, false }, (MakeRing){ c->r0, c->z0 - r, is_sharp });
    add_arc(list, c->r0, c->z0, r, -0.5*pi, side);
    add_line(list, (MakeRing){ c->r0 + r*cos(side), c->z0 + r*sin(side), is_sharp },
             (MakeRing){ c->r1 + r*cos(side), c->z1 + r*sin(side), is_sharp });
    add_arc(list, c->r1, c->z1, r, side, 0.5*pi);
    add_line(list, (MakeRing){ c->r1, c->z1 + r, is_sharp }, (MakeRing){ 0.0, c->z1 + r, false });
}

void carom_geometry_sample_capsule(caromSampleList *list, double radius, double half)
{
    add_arc(list, 0.0, -half, radius, -0.5*pi, 0.0);
    add_line(list, (MakeRing){ radius, -half, false }, (MakeRing){ radius, half, false });
    add_arc(list, 0.0, half, radius, 0.0, 0.5*pi);
}

void carom_geometry_sample_torus(caromSampleList *list, double ring_radius, double tube_radius)
{
    add_arc(list, ring_radius, 0.0, tube_radius, 0.0, 2.0*pi);
}

// ---- ellipsoids

// x = (a sin f cos g, b sin f sin g, c cos f) with c the longest: rings of ellipses, area |dx/df x dx/dg| df dg. The
// sum of these is the surface but for some digits; the surface itself has been integrated better.
static void add_ellipsoid(caromSampleList *list, caromVec3 h, double surface)
{
    int axis = h.x >= h.y && h.x >= h.z ? 0 : h.y >= h.z ? 1 : 2, first = list->n;
    double c = carom_at(h, axis), a = carom_at(h, (axis + 1)%3), b = carom_at(h, (axis + 2)%3), wide = fmax(a, b),
           sum = 0.0;
    int nring = 2*parts_of(0.5*pi*c, 2.0*list->spacing);
    for (int i = 0; i < nring && !list->is_full; i++) {
        double f = pi*(i + 0.5)/nring, df = pi/nring, sf = sin(f), cf = cos(f);
        int n = 4*parts_of(0.5*pi*wide*sf, list->spacing);
        for (int k = 0; k < n; k++) {
            double g = 2.0*pi*(k + 0.5)/n, x[3];
            x[axis] = c*cf, x[(axis + 1)%3] = a*sf*cos(g), x[(axis + 2)%3] = b*sf*sin(g);
            double u = b*c*sf*cos(g), v = a*c*sf*sin(g), w = a*b*cf;
            emit(list, carom_vec(x[0], x[1], x[2]), sf*sqrt(u*u + v*v + w*w)*df*2.0*pi/n);
        }
    }
    for (int i = first; i < list->n; i++) sum += list->items[i].area;
    for (int i = first; i < list->n && sum > 0.0; i++) list->items[i].area *= surface/sum;
}

// ---- polytopes, rounded or not: faces moved out by the radius, a strip of a cylinder along each edge, a part
// of a ball at each corner

typedef struct Solid {
    int nvertex, nface, nedge;
    const caromVec3 *vertices, *normals;
    const int *first_corner, *corners;
    const int (*edges)[2], (*edge_faces)[2];
    double radius;
} Solid;

static bool is_parallelogram(const Solid *s, int f, Parallelogram *to)
{
    const int *c = s->corners + s->first_corner[f];
    if (s->first_corner[f + 1] - s->first_corner[f] != 4) return false;
    caromVec3 x[4];
    for (int k = 0; k < 4; k++) x[k] = s->vertices[c[k]];
    caromVec3 one = carom_add(x[0], x[2]), two = carom_add(x[1], x[3]), a = carom_sub(x[1], x[0]),
              b = carom_sub(x[3], x[0]);
    if (carom_norm(carom_sub(one, two)) > 1e-12*(carom_norm(a) + carom_norm(b))) return false;
    *to = (Parallelogram){ carom_axpy(s->radius, s->normals[f], carom_scale(0.5, one)), a, b,
                           carom_norm(carom_cross(a, b)), s->radius == 0.0 };
    return true;
}

static void add_faces(caromSampleList *list, const Solid *s)
{
    for (int f = 0; f < s->nface; f++) {
        Parallelogram whole;
        if (is_parallelogram(s, f, &whole)) {
            add_parallelogram(list, &whole);
            continue;
        }
        const int *c = s->corners + s->first_corner[f];
        caromVec3 out = carom_scale(s->radius, s->normals[f]), a = carom_add(s->vertices[c[0]], out);
        int n = s->first_corner[f + 1] - s->first_corner[f];
        bool is_sharp = s->radius == 0.0;
        for (int k = 1; k + 1 < n; k++) {  // a fan, whose inner sides are not sharp
            const caromVec3 x[3] = { a, carom_add(s->vertices[c[k]], out), carom_add(s->vertices[c[k + 1]], out) };
            Sharp sharp = { { is_sharp, is_sharp, is_sharp },
                            { is_sharp && k == 1, is_sharp, is_sharp && k + 2 == n } };
            add_triangle(list, x, sharp);
        }
    }
}

static void add_strip(caromSampleList *list, const Solid *s, int edge)
{
    caromVec3 a = s->vertices[s->edges[edge][0]], along = carom_sub(s->vertices[s->edges[edge][1]], a);
    caromVec3 n1 = s->normals[s->edge_faces[edge][0]], n2 = s->normals[s->edge_faces[edge][1]], axis;
    double length = carom_norm(along), turn = atan2(carom_norm(carom_cross(n1, n2)), carom_dot(n1, n2));
    int m = parts_of(length, list->spacing), k = parts_of(s->radius*turn, list->spacing);
    axis = carom_unit_or(carom_cross(n1, n2), carom_vec(0, 0, 1));
    for (int i = 0; i < m && !list->is_full; i++)
        for (int j = 0; j < k; j++) {
            double f = turn*(j + 0.5)/k;
            caromVec3 n = carom_add(carom_scale(cos(f), n1), carom_scale(sin(f), carom_cross(axis, n1)));
            emit(list, carom_axpy(s->radius, n, carom_axpy((i + 0.5)/m, along, a)), length*s->radius*turn/m/k);
        }
}

// Around each corner a fan from the mean of the normals that meet there.
static void add_corners(caromSampleList *list, const Solid *s)
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
            add_corner(list, v, s->radius, m, s->normals[s->edge_faces[e][0]], s->normals[s->edge_faces[e][1]]);
        }
    free(mean);
}

static void add_solid(caromSampleList *list, const Solid *s)
{
    add_faces(list, s);
    if (!(s->radius > 0.0)) return;
    for (int e = 0; e < s->nedge; e++) add_strip(list, s, e);
    add_corners(list, s);
}

static void add_hull(caromSampleList *list, const caromHull *hull)
{
    Solid s = { hull->nvertex, hull->nface, hull->nedge, hull->vertices, hull->normals, hull->first_corner,
                hull->corners, (const int (*)[2])hull->edges, (const int (*)[2])hull->edge_faces, hull->rounding };
    add_solid(list, &s);
}

static void add_box(caromSampleList *list, const caromCore *core)
{
    caromVec3 vertices[CAROM_BOX_VERTICES];
    carom_shape_box_vertices(core->h, vertices);
    Solid s = { CAROM_BOX_VERTICES, CAROM_BOX_FACES, CAROM_BOX_EDGES, vertices, carom_box_normals,
                carom_box_first_corner, carom_box_corners, carom_box_edges, carom_box_edge_faces, core->radius };
    add_solid(list, &s);
}

void carom_shape_sample_surface(const caromShape *shape, caromSampleList *list)
{
    const caromShapeRow *row = carom_shape_row(shape->kind);
    if (row->sample) {
        row->sample(shape, list);
        return;
    }
    caromCore core = carom_shape_core(shape);
    switch (core.kind) {
    case CAROM_CORE_BOX: add_box(list, &core); break;
    case CAROM_CORE_HULL: add_hull(list, core.hull); break;
    case CAROM_CORE_FRUSTUM: add_frustum(list, &core); break;
    case CAROM_CORE_ELLIPSOID: add_ellipsoid(list, core.h, carom_shape_surface(*shape)); break;
    }
}
