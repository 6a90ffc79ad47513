// Parts of machines as closed meshes. Four of five are rings of equally many vertices, one after the other; the bracket
// is made of patches that have their borders in common.
#include "mesh_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// [m]
static const double doughnut_ring = 0.035, doughnut_tube = 0.015;
static const double cone_radius = 0.04, cone_height = 0.1;
static const double bolt_radius = 0.012, bolt_length = 0.07, bolt_pitch = 0.0125, bolt_thread = 0.0016,
                    bolt_threaded = 0.0625;
static const double bolt_apothem = 0.02, bolt_head = 0.018;
static const double gear_root = 0.038, gear_tip = 0.05, gear_bore = 0.015, gear_width = 0.025, gear_tip_angle = 0.1;
enum { GEAR_TEETH = 10 };
static const double bracket_half = 0.035, bracket_plate = 0.01, bracket_hole = 0.02;

static int at_least(int low, double x)
{
    int n = (int)lround(x);
    return n > low ? n : low;
}

static Part part_alloc(int nvertex, int ntriangle)
{
    Part part = { malloc((size_t)nvertex*sizeof *part.vertices), malloc((size_t)ntriangle*sizeof *part.triangles),
                  nvertex, ntriangle };
    if (!part.vertices || !part.triangles) part_free(&part);
    return part;
}

void part_free(Part *part)
{
    free(part->vertices);
    free(part->triangles);
    memset(part, 0, sizeof *part);
}

void part_scale(Part *part, double scale)
{
    for (int i = 0; i < part->nvertex; i++) part->vertices[i] = carom_scale(scale, part->vertices[i]);
}

static void put(Part *part, int *t, int a, int b, int c)
{
    part->triangles[*t][0] = a;
    part->triangles[*t][1] = b;
    part->triangles[*t][2] = c;
    ++*t;
}

Part part_box(caromVec3 low, caromVec3 high)
{
    static const int faces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 },
                                     { 1, 3, 7, 5 } };
    Part part = part_alloc(8, 12);
    if (!part.ntriangle) return part;
    for (int i = 0; i < 8; i++)
        part.vertices[i] = carom_vec(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    for (int f = 0, t = 0; f < 6; f++) {
        put(&part, &t, faces[f][0], faces[f][1], faces[f][2]);
        put(&part, &t, faces[f][0], faces[f][2], faces[f][3]);
    }
    return part;
}

// ---- rings: vertex i of ring k is number k n + i, i runs counter-clockwise about z, outside is to the right of
// the way from ring to ring

static void strip(Part *part, int *t, int n, int k, int next)
{
    for (int i = 0; i < n; i++) {
        int j = (i + 1)%n, a = k*n + i, b = k*n + j, c = next*n + j, d = next*n + i;
        put(part, t, a, b, c);
        put(part, t, a, c, d);
    }
}

// The last ring is followed by the first.
static Part rings_closed(int n, int m)
{
    Part part = part_alloc(n*m, 2*n*m);
    for (int k = 0, t = 0; part.ntriangle && k < m; k++) strip(&part, &t, n, k, (k + 1)%m);
    return part;
}

// A vertex on the axis before the first ring, and one behind the last.
static Part rings_capped(int n, int m, double z_first, double z_last)
{
    Part part = part_alloc(n*m + 2, 2*n*m);
    int t = 0;
    if (!part.ntriangle) return part;
    part.vertices[n*m] = carom_vec(0, 0, z_first);
    part.vertices[n*m + 1] = carom_vec(0, 0, z_last);
    for (int i = 0; i < n; i++) put(&part, &t, n*m, (i + 1)%n, i);
    for (int k = 0; k + 1 < m; k++) strip(&part, &t, n, k, k + 1);
    for (int i = 0; i < n; i++) put(&part, &t, n*m + 1, (m - 1)*n + i, (m - 1)*n + (i + 1)%n);
    return part;
}

static caromVec3 polar(double r, double angle, double z) { return carom_vec(r*cos(angle), r*sin(angle), z); }

static Part doughnut(int ntriangle)
{
    int m = at_least(3, sqrt(ntriangle/4.0)), n = at_least(3, ntriangle/(2.0*m));
    Part part = rings_closed(n, m);
    for (int h = 0; h < part.nvertex; h++) {
        double v = 2*PI*(h/n)/m;
        part.vertices[h] = polar(doughnut_ring + doughnut_tube*cos(v), 2*PI*(h%n)/n, doughnut_tube*sin(v));
    }
    return part;
}

static Part cone(int ntriangle)
{
    int n = at_least(3, sqrt(1.6*ntriangle)), m = at_least(2, ntriangle/(2.0*n)), base = at_least(1, m/4.0);
    Part part = rings_capped(n, m, 0, cone_height);
    for (int h = 0; h < n*m && part.ntriangle; h++) {
        int k = h/n;
        double up = k < base ? 0 : (double)(k - base + 1)/(m - base + 1), r = k < base ? (k + 1.0)/base : 1 - up;
        part.vertices[h] = polar(cone_radius*r, 2*PI*(h%n)/n, cone_height*up);
    }
    return part;
}

// ---- bolt

// A sawtooth with equal flanks, between -1 and 1; its mean is 0, of its square 1/3.
static double flanks(double phase)
{
    double x = phase - floor(phase);
    return fabs(4*x - 2) - 1;
}

// The thread runs out over a pitch at both ends.
static double thread_height(double z)
{
    double inside = fmin(z, bolt_threaded - z)/bolt_pitch;
    return bolt_thread*fmax(0, fmin(1, inside));
}

static double hexagon(int i, int n)  // radius at corner i of n, a multiple of 6
{
    return bolt_apothem/cos(PI/3*(i%(n/6))/(n/6) - PI/6);
}

static Part bolt(int ntriangle)
{
    int n = 6*at_least(1, sqrt(ntriangle/300.0)), m = at_least(8, ntriangle/(2.0*n));
    // shank: rings above the one at z = 0
    int cap = at_least(1, m/24.0), head = at_least(1, m/12.0), shank = m - 1 - head - 2*cap;
    Part part = rings_capped(n, m, 0, bolt_length + bolt_head);
    for (int h = 0; h < n*m && part.ntriangle; h++) {
        int k = h/n, i = h%n, on_shank = k - cap + 1, on_head = on_shank - shank - 1, on_top = on_head - head;
        double angle = 2*PI*i/n, z = bolt_length*on_shank/shank, turn = (double)i/n;
        if (on_shank <= 0) part.vertices[h] = polar(bolt_radius*(k + 1)/cap, angle, 0);
        else if (on_shank <= shank)
            part.vertices[h] = polar(bolt_radius + thread_height(z)*flanks(z/bolt_pitch - turn), angle, z);
        else if (on_top <= 0) part.vertices[h] = polar(hexagon(i, n), angle, bolt_length + bolt_head*on_head/head);
        else part.vertices[h] = polar(hexagon(i, n)*(cap + 1 - on_top)/(cap + 1), angle, bolt_length + bolt_head);
    }
    return part;
}

static double bolt_volume(void)
{
    double run_out = bolt_threaded - 2*bolt_pitch + 2*bolt_pitch/3;  // integral of (thread_height/bolt_thread)^2
    double shank = PI*(bolt_radius*bolt_radius*bolt_length + bolt_thread*bolt_thread/3*run_out);
    return shank + 2*sqrt(3.0)*bolt_apothem*bolt_apothem*bolt_head;
}

// ---- gear

// Flank of a tooth: the involute of the root circle, r = root sqrt(1 + s^2) at the angle s - atan s from where it
// starts.
static double involute_end(void) { return sqrt(gear_tip*gear_tip/(gear_root*gear_root) - 1); }
static double involute_angle(double s) { return s - atan(s); }

// Corner i of the outline: each tooth is flank, tip, flank, root, of `each` corners.
static void outline(int i, int each, double *r, double *angle)
{
    double s_end = involute_end(), flank = involute_angle(s_end), root = 2*PI/GEAR_TEETH - 2*flank - gear_tip_angle;
    int tooth = i/(4*each), part = i/each%4;
    double x = (double)(i%each)/each, s = part == 0 ? s_end*x : s_end*(1 - x);
    *angle = 2*PI*tooth/GEAR_TEETH;
    *r = part == 1 ? gear_tip : part == 3 ? gear_root : gear_root*sqrt(1 + s*s);
    if (part == 0) *angle += involute_angle(s);
    else if (part == 1) *angle += flank + gear_tip_angle*x;
    else if (part == 2) *angle += 2*flank + gear_tip_angle - involute_angle(s);
    else *angle += 2*flank + gear_tip_angle + root*x;
}

// Rings run up the teeth, inwards over the top, down the bore and outwards under the bottom.
static Part gear(int ntriangle)
{
    int each = at_least(1, sqrt(ntriangle/(8.0*4*GEAR_TEETH))), n = 4*GEAR_TEETH*each;
    double m = ntriangle/(2.0*n);
    int wall = at_least(1, m/5), face = at_least(1, m/2 - wall);
    Part part = rings_closed(n, 2*wall + 2*face);
    for (int h = 0; h < part.nvertex; h++) {
        int k = h/n;
        double r, angle, in = 0, z = gear_width;
        outline(h%n, each, &r, &angle);
        if (k < wall) z *= (double)k/wall;
        else if (k < wall + face) in = (double)(k - wall)/face;
        else if (k < 2*wall + face) in = 1, z *= (double)(2*wall + face - k)/wall;
        else z = 0, in = (double)(2*wall + 2*face - k)/face;
        part.vertices[h] = polar((1 - in)*r + in*gear_bore, angle, z);
    }
    return part;
}

// Area of the outline: int r^2/2 over the angle; of an involute r^2 dangle = root^2 s^2 ds.
static double gear_volume(void)
{
    double s = involute_end(), root = 2*PI/GEAR_TEETH - 2*involute_angle(s) - gear_tip_angle;
    double tooth = 2*gear_root*gear_root*s*s*s/6 + 0.5*gear_tip*gear_tip*gear_tip_angle + 0.5*gear_root*gear_root*root;
    return gear_width*(GEAR_TEETH*tooth - PI*gear_bore*gear_bore);
}

// ---- bracket: patches of quadrangles; vertices with the same coordinates, bit by bit, are the same

typedef struct Patches {
    Part part;
    int nvertex, ntriangle;
    int *slots, nslot;  // of a table of vertices by their place
} Patches;

static uint64_t place_hash(caromVec3 p)
{
    uint64_t bits[3], hash = 14695981039346656037ULL;
    memcpy(bits, &p, sizeof bits);
    for (int i = 0; i < 3; i++) hash = (hash ^ bits[i])*1099511628211ULL, hash ^= hash >> 29;
    return hash;
}

static int vertex_at(Patches *p, caromVec3 place)
{
    place = carom_add(place, carom_vec(0, 0, 0));  // -0 becomes 0
    int slot = (int)(place_hash(place)%(uint64_t)p->nslot);
    for (; p->slots[slot] >= 0; slot = (slot + 1)%p->nslot)
        if (!memcmp(&p->part.vertices[p->slots[slot]], &place, sizeof place)) return p->slots[slot];
    p->part.vertices[p->nvertex] = place;
    return p->slots[slot] = p->nvertex++;
}

static void quad(Patches *p, caromVec3 a, caromVec3 b, caromVec3 c, caromVec3 d)
{
    int i = vertex_at(p, a), j = vertex_at(p, b), k = vertex_at(p, c), l = vertex_at(p, d);
    put(&p->part, &p->ntriangle, i, j, k);
    put(&p->part, &p->ntriangle, i, k, l);
}

// A plate lies in a plane with axes (u, v, w), u x v = w, w at right angles to it: u and v from -half to
// half, w from low to high.
typedef struct Frame {
    caromVec3 origin, u, v, w;
} Frame;

static caromVec3 in_frame(const Frame *f, double u, double v, double w)
{
    return carom_axpy(u, f->u, carom_axpy(v, f->v, carom_axpy(w, f->w, f->origin)));
}

// Symmetric to the last bit: from -high to -low it is the negative of that from low to high. Patches meet where their
// axes run against each other.
static double step(double low, double high, int i, int n)
{
    return i == 0 ? low : i == n ? high : (low*(n - i) + high*i)/n;
}

// Place i of 4n around the square, counter-clockwise from its lower left corner, moved inwards to the hole.
static void around(int i, int n, double in, double *u, double *v)
{
    int side = i/n%4, j = i%n;
    double along = step(-bracket_half, bracket_half, j, n), back = step(-bracket_half, bracket_half, n - j, n),
           angle = 2*PI*i/(4*n) - 0.75*PI;
    double su = side == 0 ? along : side == 1 ? bracket_half : side == 2 ? back : -bracket_half;
    double sv = side == 0 ? -bracket_half : side == 1 ? along : side == 2 ? bracket_half : back;
    *u = (1 - in)*su + in*bracket_hole*cos(angle);
    *v = (1 - in)*sv + in*bracket_hole*sin(angle);
}

static caromVec3 around_at(const Frame *f, int i, int n, double in, double w)
{
    double u, v;
    around(i%(4*n), n, in, &u, &v);
    return in_frame(f, u, v, w);
}

// The two faces of a plate and the hole through it.
static void plate(Patches *p, const Frame *f, double low, double high, int n, int m, int l)
{
    for (int i = 0; i < 4*n; i++) {
        for (int k = 0; k < m; k++) {
            double out = (double)k/m, in = (k + 1.0)/m;
            quad(p, around_at(f, i, n, out, high), around_at(f, i + 1, n, out, high), around_at(f, i + 1, n, in, high),
                 around_at(f, i, n, in, high));
            quad(p, around_at(f, i + 1, n, out, low), around_at(f, i, n, out, low), around_at(f, i, n, in, low),
                 around_at(f, i + 1, n, in, low));
        }
        for (int k = 0; k < l; k++) {
            double w = step(low, high, k, l), w1 = step(low, high, k + 1, l);
            quad(p, around_at(f, i + 1, n, 1, w), around_at(f, i, n, 1, w), around_at(f, i, n, 1, w1),
                 around_at(f, i + 1, n, 1, w1));
        }
    }
}

typedef struct Span {
    double low, high;
    int n;
} Span;

// A rectangle u x v at height w, facing along w.
static void rectangle(Patches *p, const Frame *f, Span u, Span v, double w)
{
    for (int i = 0; i < u.n; i++)
        for (int j = 0; j < v.n; j++) {
            double u0 = step(u.low, u.high, i, u.n), u1 = step(u.low, u.high, i + 1, u.n);
            double v0 = step(v.low, v.high, j, v.n), v1 = step(v.low, v.high, j + 1, v.n);
            quad(p, in_frame(f, u0, v0, w), in_frame(f, u1, v0, w), in_frame(f, u1, v1, w), in_frame(f, u0, v1, w));
        }
}

static Frame frame(caromVec3 u, caromVec3 v)
{
    return (Frame){ carom_vec(0, 0, 0), u, v, carom_cross(u, v) };
}

// One wall with the corner under it, on the side of x = side infinity. Its middle is at z = 0, the base below at
// -half - plate.
static void wall(Patches *p, double side, int n, int m, int l)
{
    double b = bracket_half, t = bracket_plate;
    caromVec3 x = carom_vec(side, 0, 0), y = carom_vec(0, side, 0), z = carom_vec(0, 0, 1);
    Frame out = frame(y, z), up = frame(x, y), down = frame(y, x), left = frame(carom_neg(x), z), right = frame(x, z);
    Span wide = { -b, b, n }, deep = { b, b + t, l }, back = { -b - t, -b, l }, below = { -b - t, -b, l };
    plate(p, &out, b, b + t, n, m, l);
    rectangle(p, &out, wide, below, b + t);                          // behind the corner
    rectangle(p, &up, deep, wide, b);                                // on top of the wall
    rectangle(p, &down, wide, deep, b + t);                          // under the corner
    rectangle(p, &left, back, wide, b), rectangle(p, &left, back, below, b);
    rectangle(p, &right, deep, wide, b), rectangle(p, &right, deep, below, b);
}

static Part bracket(int ntriangle)
{
    int n = at_least(2, sqrt(ntriangle/24.0)), m = at_least(1, n/3.0), l = at_least(1, n/6.0);
    double b = bracket_half, t = bracket_plate;
    int nquad = 24*n*m + 24*n*l + 4*l*l;
    Patches p = { .part = part_alloc(4*nquad, 2*nquad), .nslot = 8*nquad,
                  .slots = malloc(8*(size_t)nquad*sizeof(int)) };
    if (!p.slots) part_free(&p.part);
    if (p.part.ntriangle) {
        Frame up = frame(carom_vec(1, 0, 0), carom_vec(0, 1, 0)), front = frame(carom_vec(1, 0, 0), carom_vec(0, 0, 1)),
              back = frame(carom_vec(-1, 0, 0), carom_vec(0, 0, 1));
        for (int i = 0; i < p.nslot; i++) p.slots[i] = -1;
        plate(&p, &up, -b - t, -b, n, m, l);
        rectangle(&p, &front, (Span){ -b, b, n }, (Span){ -b - t, -b, l }, b);
        rectangle(&p, &back, (Span){ -b, b, n }, (Span){ -b - t, -b, l }, b);
        wall(&p, 1, n, m, l);
        wall(&p, -1, n, m, l);
        p.part.nvertex = p.nvertex;
    }
    free(p.slots);
    return p.part;
}

static double bracket_volume(void)
{
    double b = bracket_half, t = bracket_plate;
    return 2*b*(2*(b + t)*t + 2*2*b*t) - 3*PI*bracket_hole*bracket_hole*t;
}

// ---- all of them

static const struct {
    const char *name;
    Part (*make)(int ntriangle);
    int genus;
} parts[PART_KINDS] = {
    [PART_DOUGHNUT] = { "doughnut", doughnut, 1 },
    [PART_CONE]     = { "cone", cone, 0 },
    [PART_BOLT]     = { "bolt", bolt, 0 },
    [PART_GEAR]     = { "gear", gear, 1 },
    [PART_BRACKET]  = { "bracket", bracket, 3 },
};

const char *part_name(PartKind kind) { return parts[kind].name; }
int part_genus(PartKind kind) { return parts[kind].genus; }
Part part_make(PartKind kind, int ntriangle) { return parts[kind].make(ntriangle); }

double part_volume(PartKind kind)
{
    switch (kind) {
    case PART_DOUGHNUT: return 2*PI*PI*doughnut_ring*doughnut_tube*doughnut_tube;
    case PART_CONE: return PI*cone_radius*cone_radius*cone_height/3;
    case PART_BOLT: return bolt_volume();
    case PART_GEAR: return gear_volume();
    default: return bracket_volume();
    }
}

caromMesh *part_mesh(PartKind kind, int ntriangle, double scale, caromMeshReport *report)
{
    Part part = part_make(kind, ntriangle);
    part_scale(&part, scale);
    caromMesh *mesh = part.ntriangle ? carom_mesh_create(part.vertices, part.nvertex, (const int (*)[3])part.triangles,
                                                         part.ntriangle, report, NULL) : NULL;
    part_free(&part);
    return mesh;
}
