// Contact of flat faces: the surface on which two depth fields balance.
//
// Inside a convex body A let d(x) be the depth below its nearest face. With p_A = kA d_A and p_B = kB d_B the bodies meet
// where p_A = p_B: on each pair of faces (i of A, j of B) a convex plane polygon. The force on B is the integral of p n over it.
// It is the gradient of the energy
//
//     W = integral of min(p_A, p_B) over the overlap
//
// so it does no net work round a closed path, and it is a continuous function of the pose: corner, edge and face hand over
// by themselves. (Known as pressure-field or hydroelastic contact [Elandt19].) kA and kB are unit fields in series,
// 1/kA + 1/kB = 1, so that on parallel faces p is the overlap; the law multiplies by its stiffness.
//
// kA = kB would make p_A - p_B constant where faces look the same way (flush sides of a stack): the surface there would jump
// from one side to the other. They are detuned, which moves the surface inside the overlap and nothing else.
#include "collide/fields.h"

static const double detune = 1.3;

enum { CORNERS_MAX = 24 };  // a square clipped by at most 12 lines has 16 corners

typedef struct Polygon {
    int n;
    double u[CORNERS_MAX], v[CORNERS_MAX];
} Polygon;

// A plane in space with axes of its own: x = o + u t1 + v t2.
typedef struct Sheet {
    caromVec3 o, t1, t2;
} Sheet;

caromField carom_field_box(caromVec3 size, caromPose X_WB, caromVec3 origin_W)
{
    caromField f = { .n = 6, .centre = carom_sub(X_WB.p, origin_W), .reach = 0.5*carom_norm(size) };
    const caromVec3 axes[3] = { X_WB.R.cx, X_WB.R.cy, X_WB.R.cz };
    for (int i = 0; i < 3; i++) {
        double along = carom_dot(axes[i], f.centre), h = 0.5*carom_at(size, i);
        f.face[2*i] = (caromPlane){ carom_neg(axes[i]), h + along };
        f.face[2*i + 1] = (caromPlane){ axes[i], h - along };
    }
    return f;
}

caromField carom_field_half_space(caromPose X_WB, caromVec3 origin_W)
{
    caromVec3 o = carom_sub(X_WB.p, origin_W);
    caromField f = { .n = 1, .centre = o, .reach = INFINITY };
    f.face[0] = (caromPlane){ carom_neg(X_WB.R.cz), carom_dot(X_WB.R.cz, o) };
    return f;
}

double carom_field_length(caromVec3 size)
{
    double mean_face = (size.x*size.y + size.y*size.z + size.z*size.x)/3.0;
    return 0.877*sqrt(mean_face);
}

static double depth_at(caromPlane p, caromVec3 x)
{
    return carom_dot(p.n, x) + p.b;
}

static caromPlane scaled(double k, caromPlane p)
{
    return (caromPlane){ carom_scale(k, p.n), k*p.b };
}

static caromPlane difference(caromPlane a, caromPlane b)
{
    return (caromPlane){ carom_sub(a.n, b.n), a.b - b.b };
}

// The plane {p = 0} with its first axis along the part of hint that lies in it, its origin below c.
static Sheet sheet_of(caromPlane p, caromVec3 hint, caromVec3 other_hint, caromVec3 c)
{
    double s = 1.0/carom_norm(p.n);
    caromVec3 n = carom_scale(s, p.n);
    caromVec3 t = carom_axpy(-carom_dot(n, hint), n, hint);
    if (carom_norm2(t) < 0.25) t = carom_axpy(-carom_dot(n, other_hint), n, other_hint);
    t = carom_scale(1.0/carom_norm(t), t);
    return (Sheet){ carom_axpy(-s*depth_at(p, c), n, c), t, carom_cross(n, t) };
}

static caromVec3 sheet_point(const Sheet *s, double u, double v)
{
    return carom_axpy(u, s->t1, carom_axpy(v, s->t2, s->o));
}

static Polygon square(double half)
{
    return (Polygon){ 4, { -half, half, half, -half }, { -half, -half, half, half } };
}

// Cuts off the part of the polygon where p < 0 (Sutherland and Hodgman's way, for a convex polygon).
static void clip(Polygon *poly, const Sheet *sheet, caromPlane p)
{
    double c0 = depth_at(p, sheet->o), cu = carom_dot(p.n, sheet->t1), cv = carom_dot(p.n, sheet->t2);
    Polygon out;
    out.n = 0;
    int n = poly->n;
    for (int k = 0; k < n; k++) {
        int m = k + 1 < n ? k + 1 : 0;
        double a = c0 + cu*poly->u[k] + cv*poly->v[k], b = c0 + cu*poly->u[m] + cv*poly->v[m];
        if (a >= 0.0) {
            out.u[out.n] = poly->u[k];
            out.v[out.n++] = poly->v[k];
        }
        if ((a >= 0.0) != (b >= 0.0)) {
            double t = a/(a - b);
            out.u[out.n] = poly->u[k] + t*(poly->u[m] - poly->u[k]);
            out.v[out.n++] = poly->v[k] + t*(poly->v[m] - poly->v[k]);
        }
    }
    *poly = out;
}

typedef struct Moments {
    double n0, u, v, uu, uv, vv;  // integrals of p, p u, p v, p u u, ... over a polygon
} Moments;

// Adds a triangle. Products of linear functions f, g, h over a triangle of area A with corner values f_i, g_i, h_i:
//   int f g h = A/60 (Sf Sg Sh + S(fg) Sh + S(fh) Sg + S(gh) Sf + 2 S(fgh)),   S = sum over corners.
static void add_triangle(Moments *m, const double p[3], const double u[3], const double v[3])
{
    double area = 0.5*((u[1] - u[0])*(v[2] - v[0]) - (u[2] - u[0])*(v[1] - v[0]));
    double sp = 0, su = 0, sv = 0, spu = 0, spv = 0, suu = 0, suv = 0, svv = 0, spuu = 0, spuv = 0, spvv = 0;
    for (int i = 0; i < 3; i++) {
        double pu = p[i]*u[i], pv = p[i]*v[i];
        sp += p[i];
        su += u[i];
        sv += v[i];
        spu += pu;
        spv += pv;
        suu += u[i]*u[i];
        suv += u[i]*v[i];
        svv += v[i]*v[i];
        spuu += pu*u[i];
        spuv += pu*v[i];
        spvv += pv*v[i];
    }
    m->n0 += area/3.0*sp;
    m->u += area/12.0*(sp*su + spu);
    m->v += area/12.0*(sp*sv + spv);
    m->uu += area/60.0*(sp*su*su + 2.0*spu*su + suu*sp + 2.0*spuu);
    m->uv += area/60.0*(sp*su*sv + spu*sv + spv*su + suv*sp + 2.0*spuv);
    m->vv += area/60.0*(sp*sv*sv + 2.0*spv*sv + svv*sp + 2.0*spvv);
}

// Moments of the pressure p over the polygon, about (cu, cv).
static Moments moments(const Polygon *poly, const double *p, double cu, double cv)
{
    Moments m = { 0 };
    for (int k = 1; k + 1 < poly->n; k++) {
        double pk[3] = { p[0], p[k], p[k + 1] };
        double uk[3] = { poly->u[0] - cu, poly->u[k] - cu, poly->u[k + 1] - cu };
        double vk[3] = { poly->v[0] - cv, poly->v[k] - cv, poly->v[k + 1] - cv };
        add_triangle(&m, pk, uk, vk);
    }
    return m;
}

// Four cells of equal weight that have the total, the centre and the spread of the pressure: force, torque and the damping of
// rocking come out exactly, because the rule integrates p times any quadratic function.
static void add_cells(const Polygon *poly, const Sheet *sheet, caromPlane pressure, caromVec3 n, caromVec3 origin_W, caromPatch *patch)
{
    double p[CORNERS_MAX];
    for (int k = 0; k < poly->n; k++) {
        p[k] = fmax(0.0, depth_at(pressure, sheet_point(sheet, poly->u[k], poly->v[k])));
        patch->depth = fmax(patch->depth, p[k]);  // in unit fields the pressure is the depth of both together
    }
    Moments first = moments(poly, p, poly->u[0], poly->v[0]);
    if (!(first.n0 > 0.0)) return;
    double cu = poly->u[0] + first.u/first.n0, cv = poly->v[0] + first.v/first.n0;
    Moments m = moments(poly, p, cu, cv);
    double l11 = sqrt(fmax(0.0, m.uu/m.n0));
    double l21 = l11 > 0.0 ? m.uv/m.n0/l11 : 0.0;
    double l22 = sqrt(fmax(0.0, m.vv/m.n0 - l21*l21));
    for (int k = 0; k < 4; k++) {
        double a = k & 1 ? 1.0 : -1.0, b = k & 2 ? 1.0 : -1.0;
        caromVec3 x = sheet_point(sheet, cu + a*l11, cv + a*l21 + b*l22);
        patch->cells[patch->ncell++] = (caromCell){ carom_add(x, origin_W), n, 0.25*m.n0 };
    }
}

// Largest and smallest depth below face p that a point of the other shape can have.
static void depth_range(caromPlane p, const caromField *other, double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    if (other->n < CAROM_FIELD_FACES) return;
    double c = depth_at(p, other->centre), extent = 0.0;
    for (int k = 0; k < CAROM_FIELD_FACES; k += 2) {  // faces come in opposite pairs: half thickness times the cosine
        double half = 0.5*(other->face[k].b + other->face[k + 1].b);
        extent += half*fabs(carom_dot(p.n, other->face[k].n));
    }
    *low = c - extent;
    *high = c + extent;
}

typedef struct Candidates {
    int n, face[CAROM_FIELD_FACES];
} Candidates;

// Faces of f that can be nearest somewhere on the surface, given that p <= top there.
static Candidates candidates(const caromField *f, double k, const double *low, double top)
{
    Candidates c = { 0 };
    for (int i = 0; i < f->n; i++) if (k*low[i] <= top) c.face[c.n++] = i;
    return c;
}

// An upper bound of the pressure on the surface: none of the fields exceeds what its faces see of the other shape.
static double pressure_bound(const caromField *f, double k, const caromField *other, double *low)
{
    double top = INFINITY;
    for (int i = 0; i < f->n; i++) {
        double high;
        depth_range(f->face[i], other, &low[i], &high);
        top = fmin(top, k*high);
    }
    return top;
}

static void clip_to_cell(Polygon *poly, const Sheet *sheet, const caromField *f, int i)
{
    for (int k = 0; k < f->n && poly->n > 2; k++) {
        if (k != i) clip(poly, sheet, difference(f->face[k], f->face[i]));
    }
}

static void add_polygon(const caromField *a, int i, double ka, const caromField *b, int j, double kb, caromVec3 origin_W, caromPatch *patch)
{
    caromPlane pressure = scaled(ka, a->face[i]);
    caromPlane balance = difference(scaled(kb, b->face[j]), pressure);
    int next = i < 4 ? i/2*2 + 2 : 0, after = next < 4 ? next + 2 : 0;  // the other two edge directions of A
    Sheet sheet = sheet_of(balance, a->face[next].n, a->face[after].n, a->centre);
    Polygon poly = square(1.01*a->reach);
    clip(&poly, &sheet, pressure);
    if (poly.n > 2) clip_to_cell(&poly, &sheet, a, i);
    if (poly.n > 2) clip_to_cell(&poly, &sheet, b, j);
    if (poly.n > 2) add_cells(&poly, &sheet, pressure, carom_scale(1.0/carom_norm(balance.n), balance.n), origin_W, patch);
}

void carom_field_patch(const caromField *a, const caromField *b, caromVec3 origin_W, caromPatch *patch)
{
    double ka = 1.0 + 1.0/detune, kb = 1.0 + detune;
    double low_a[CAROM_FIELD_FACES], low_b[CAROM_FIELD_FACES];
    patch->ncell = 0;
    patch->depth = 0.0;
    double top = fmin(pressure_bound(a, ka, b, low_a), pressure_bound(b, kb, a, low_b));
    if (top <= 0.0) return;
    Candidates ca = candidates(a, ka, low_a, top), cb = candidates(b, kb, low_b, top);
    for (int i = 0; i < ca.n; i++) {
        for (int j = 0; j < cb.n; j++) add_polygon(a, ca.face[i], ka, b, cb.face[j], kb, origin_W, patch);
    }
}

// The energy. min(p_A, p_B) is the smallest of linear functions f_k; over the cell where f_k is smallest it is f_k. The region
// under the graph is a convex polytope in four dimensions, and the volume of a polytope is a sum over its facets of distance
// from a point times facet over the dimension [Lasserre83], here twice:
//
//     W = 1/4 sum_k f_k(x0) V_k,      V_k = 1/3 sum_c distance_c(x0) area_c
//
// over the cells k and the faces c of each cell. x0 is any point; the centre of the patch keeps the terms small.
typedef struct Functions {
    int n;
    caromPlane f[2*CAROM_FIELD_FACES];
    double reach;
    caromVec3 centre;
} Functions;

static double polygon_area(const Polygon *p)
{
    double area = 0.0;
    for (int k = 1; k + 1 < p->n; k++) {
        area += 0.5*((p->u[k] - p->u[0])*(p->v[k + 1] - p->v[0]) - (p->u[k + 1] - p->u[0])*(p->v[k] - p->v[0]));
    }
    return area;
}

// Constraint c of cell k: for c = k that f_k >= 0, otherwise that f_c >= f_k.
static caromPlane constraint(const Functions *fs, int k, int c)
{
    return c == k ? fs->f[k] : difference(fs->f[c], fs->f[k]);
}

static double face_area(const Functions *fs, int k, int c)
{
    caromPlane plane = constraint(fs, k, c);
    caromVec3 hint = fabs(plane.n.x) < 0.6*carom_norm(plane.n) ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0);
    Sheet sheet = sheet_of(plane, hint, carom_vec(0, 0, 1), fs->centre);
    Polygon poly = square(1.01*fs->reach);
    for (int other = 0; other < fs->n && poly.n > 2; other++) {
        if (other != c) clip(&poly, &sheet, constraint(fs, k, other));
    }
    return poly.n > 2 ? polygon_area(&poly) : 0.0;
}

static double cell_volume(const Functions *fs, int k, caromVec3 x0)
{
    double volume = 0.0;
    for (int c = 0; c < fs->n; c++) {
        caromPlane plane = constraint(fs, k, c);
        volume += depth_at(plane, x0)/carom_norm(plane.n)*face_area(fs, k, c)/3.0;
    }
    return volume;
}

static caromVec3 patch_centre(const caromPatch *patch)
{
    caromVec3 sum = { 0, 0, 0 };
    double weight = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        sum = carom_axpy(patch->cells[i].weight, patch->cells[i].p_W, sum);
        weight += patch->cells[i].weight;
    }
    return carom_scale(1.0/weight, sum);
}

double carom_field_energy(const caromField *a, const caromField *b)
{
    caromPatch patch;
    carom_field_patch(a, b, carom_vec(0, 0, 0), &patch);
    if (patch.ncell == 0) return 0.0;
    Functions fs = { .reach = a->reach, .centre = a->centre };
    for (int i = 0; i < a->n; i++) fs.f[fs.n++] = scaled(1.0 + 1.0/detune, a->face[i]);
    for (int j = 0; j < b->n; j++) fs.f[fs.n++] = scaled(1.0 + detune, b->face[j]);
    caromVec3 x0 = patch_centre(&patch);
    double energy = 0.0;
    for (int k = 0; k < fs.n; k++) energy += 0.25*depth_at(fs.f[k], x0)*cell_volume(&fs, k, x0);
    return energy;
}
