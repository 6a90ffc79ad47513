#include "patch/meeting.h"
#include "patch/scales.h"

// A polygon is looked for in the axes of the region, in coordinates in which it is simple; nothing has to be normalised
// for that.
//
// Between faces that are not parallel pressure varies, and one coordinate is p, the other one of x, y, z: the polygon
// lies in the strip 0 <= p <= top, and most other faces cut that off at an end. With G and b of the pressure of face i,
// N and N_b of the difference that is zero on the plane, D = N x G, and e the unit vector along the other coordinate s,
// the three planes on which N.x = -N_b, G.x = p - b and e.x = s meet in
//
//     x = (-N_b (G x e) + (p - b) (e x N) + s D)/(D.e).
//
// Between faces that are nearly parallel (D near 0) they are two of x, y, z, on which the third one depends.
typedef struct MeetingFrame {
    int k, a, b;                  // axes: that of s, or the one that depends on u and v; and the others
    double o[3], t1[3], t2[3];    // x = o + u t1 + v t2
    caromTrace p;
    double inverse;               // times |N|: area of a unit square
    double half_u, half_v;        // of the region
} MeetingFrame;

static const int next[3] = { 1, 2, 0 };

static double dot(const double *a, const double *b)
{
    return a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1]*b[2] - a[2]*b[1];
    c[1] = a[2]*b[0] - a[0]*b[2];
    c[2] = a[0]*b[1] - a[1]*b[0];
}

static int longest(const double *a)
{
    double x = fabs(a[0]), y = fabs(a[1]), z = fabs(a[2]);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static double half_along(const caromMeeting *m, int k)  // no side of the region is to be a side of a polygon
{
    return 1.01*m->region.h[k] + 2.0*m->slack;
}

static bool strip_frame(const caromMeeting *m, const caromLinear *p, const caromLinear *balance, MeetingFrame *f)
{
    const double *G = p->slope, *N = balance->slope;
    double D[3];
    cross(N, G, D);
    int k = longest(D), a = next[k], b = next[a];
    if (fabs(D[k]) < 0.1) return false;  // roundings of x grow by its inverse
    f->k = k, f->a = a, f->b = b;
    double s = 1.0/D[k], up = s > 0.0 ? -1.0 : 1.0;  // u = -e.x or e.x: (u, p) shall be counter-clockwise about N
    f->o[k] = 0.0, f->o[a] = s*(p->at*N[b] - balance->at*G[b]), f->o[b] = s*(balance->at*G[a] - p->at*N[a]);
    f->t1[k] = up, f->t1[a] = up*s*D[a], f->t1[b] = up*s*D[b];
    f->t2[k] = 0.0, f->t2[a] = -s*N[b], f->t2[b] = s*N[a];
    f->p = (caromTrace){ 0.0, 0.0, 1.0 };
    f->inverse = fabs(s);
    f->half_u = half_along(m, k);
    return true;
}

static void plane_frame(const caromMeeting *m, const caromLinear *p, const caromLinear *balance, MeetingFrame *f)
{
    const double *N = balance->slope;
    int k = longest(N), u = N[k] > 0.0 ? next[k] : next[next[k]], v = 3 - k - u;  // counter-clockwise about N
    double s = -1.0/N[k];
    f->k = k, f->a = u, f->b = v;
    f->o[k] = s*balance->at, f->o[u] = f->o[v] = 0.0;
    f->t1[k] = s*N[u], f->t1[u] = 1.0, f->t1[v] = 0.0;
    f->t2[k] = s*N[v], f->t2[u] = 0.0, f->t2[v] = 1.0;
    f->p = (caromTrace){ p->at + p->slope[k]*f->o[k], p->slope[u] + p->slope[k]*f->t1[k],
                         p->slope[v] + p->slope[k]*f->t2[k] };
    f->inverse = fabs(s);
    f->half_u = half_along(m, u);
    f->half_v = half_along(m, v);
}

// What is left of a strip: u at p = 0 and at p = top, of the left end and, with the other sign, of the right end.
typedef struct Strip {
    double top, half, rounding;
    double end[2][2];
} Strip;

static bool is_gone(const Strip *q)
{
    return q->end[0][0] + q->end[1][0] >= 0.0 && q->end[0][1] + q->end[1][1] >= 0.0;
}

typedef enum FacetCut { DONE, TO_DO, GONE } FacetCut;

// Cuts the strip off where f < 0, if that takes away a whole end of it, or nothing. Else it remains to be done, unless
// it takes away all of it but roundings.
static FacetCut shorten(Strip *q, const caromTrace *f)
{
    double steep = fabs(f->u), low = f->at, high = f->at + f->v*q->top, across = steep*q->half;
    if (fabs(high - low) > 2.0*across) return low + f->v*q->rounding < -across && high < -across ? GONE : TO_DO;
    double s = -1.0/steep, *end = q->end[f->u < 0.0];
    low *= s, high *= s;
    bool cuts_low = low > end[0], cuts_high = high > end[1];
    if (cuts_low != cuts_high) return TO_DO;
    if (!cuts_low) return DONE;
    end[0] = low, end[1] = high;
    return is_gone(q) ? GONE : DONE;
}

static void add_corner(caromFlat *flat, double u, double v)
{
    flat->u[flat->n] = u;
    flat->v[flat->n++] = v;
}

// Four corners, or three where the ends cross each other.
static void strip_polygon(const Strip *q, caromFlat *flat)
{
    double left[2] = { q->end[0][0], q->end[0][1] }, right[2] = { -q->end[1][0], -q->end[1][1] },
           low = right[0] - left[0], high = right[1] - left[1];
    flat->n = 0;
    if (low > 0.0) {
        add_corner(flat, left[0], 0.0);
        add_corner(flat, right[0], 0.0);
    }
    if (high > 0.0) {
        add_corner(flat, right[1], q->top);
        add_corner(flat, left[1], q->top);
    }
    if (low > 0.0 && high > 0.0) return;
    double t = low/(low - high);  // they cross here
    add_corner(flat, left[0] + t*(left[1] - left[0]), t*q->top);
}

// Faces near both i and j.
typedef struct Others {
    int n;
    int face[CAROM_MEETING_MAX];
} Others;

static void find_others(const caromNearFaces *near, int i, int j, Others *others)
{
    others->n = 0;
    for (int w = 0; w < near->words; w++) {
        int k = 64*w;
        for (uint64_t bits = near->bits[i*near->words + w] & near->bits[j*near->words + w]; bits; bits >>= 1, k++) {
            if (bits & 1) others->face[others->n++] = k;
        }
    }
}

// How far another pressure is above p.
static caromTrace above_in_strip(const MeetingFrame *f, const caromLinear *other)
{
    double k = other->slope[f->k], a = other->slope[f->a], b = other->slope[f->b];
    return (caromTrace){ other->at + a*f->o[f->a] + b*f->o[f->b], k*f->t1[f->k] + a*f->t1[f->a] + b*f->t1[f->b],
                         a*f->t2[f->a] + b*f->t2[f->b] - 1.0 };
}

static caromTrace above_in_plane(const MeetingFrame *f, const caromLinear *other)
{
    double k = other->slope[f->k];
    return (caromTrace){ other->at + k*f->o[f->k] - f->p.at, other->slope[f->a] + k*f->t1[f->k] - f->p.u,
                         other->slope[f->b] + k*f->t2[f->k] - f->p.v };
}

static void cut(caromFlat *flat, caromTrace f)
{
    if (flat->n > 2) carom_sheet_flat_cut(flat, f.at, f.u, f.v);
}

// Where no pressure is above that there is no polygon: it would come and go with the last bits of the pose.
static double rounding_of(const caromMeeting *m)
{
    return CAROM_PATCH_NOTHING*m->slack;
}

enum { LATER_MAX = 16 };

static void find_in_strip(const caromMeeting *m, const MeetingFrame *f, const Others *others, caromFlat *flat)
{
    double half = f->half_u, highest = 0.0, rounding = rounding_of(m);
    Strip q = { m->top, half, rounding, { { -half, -half }, { -half, -half } } };
    caromTrace later[LATER_MAX];
    int n = 0, next_face = 0;
    flat->n = 0;
    while (next_face < others->n && n < LATER_MAX) {
        later[n] = above_in_strip(f, &m->in[others->face[next_face++]]);
        FacetCut done = shorten(&q, &later[n]);
        if (done == GONE) return;
        n += done == TO_DO;
    }
    strip_polygon(&q, flat);
    for (int k = 0; k < n; k++) cut(flat, later[k]);
    for (; next_face < others->n && flat->n > 2; next_face++)
        cut(flat, above_in_strip(f, &m->in[others->face[next_face]]));
    for (int k = 0; k < flat->n; k++) highest = flat->v[k] > highest ? flat->v[k] : highest;
    if (highest < rounding) flat->n = 0;
}

static void find_in_plane(const caromMeeting *m, const MeetingFrame *f, const Others *others, caromFlat *flat)
{
    const double u[2] = { -f->half_u, f->half_u }, v[2] = { -f->half_v, f->half_v };
    double grows = fabs(f->p.u)*f->half_u + fabs(f->p.v)*f->half_v, low = f->p.at - grows, high = f->p.at + grows;
    flat->n = 0;
    if (high < rounding_of(m)) return;  // such as between flush sides that look the same way
    carom_sheet_flat_rectangle(flat, u, v);
    if (low < 0.0) cut(flat, f->p);
    if (high > m->top) cut(flat, (caromTrace){ m->top - f->p.at, -f->p.u, -f->p.v });
    for (int k = 0; k < others->n && flat->n > 2; k++) cut(flat, above_in_plane(f, &m->in[others->face[k]]));
}

static double along(const MeetingFrame *f, int k, const caromFlat *flat)  // x, y or z of the first corner
{
    return f->o[k] + f->t1[k]*flat->u[0] + f->t2[k]*flat->v[0];
}

static bool is_within(const caromRegion *q, const MeetingFrame *f, const caromFlat *flat, double slack)
{
    return fabs(along(f, 0, flat)) <= q->h[0] - slack && fabs(along(f, 1, flat)) <= q->h[1] - slack &&
           fabs(along(f, 2, flat)) <= q->h[2] - slack;
}

static void cut_to_region(const caromRegion *q, const MeetingFrame *f, caromFlat *flat)
{
    for (int k = 0; k < 3; k++) {
        cut(flat, (caromTrace){ q->h[k] - f->o[k], -f->t1[k], -f->t2[k] });
        cut(flat, (caromTrace){ q->h[k] + f->o[k], f->t1[k], f->t2[k] });
    }
}

// A direction across n that turns with face i of a: square to an edge of it, or if that is steep to what is square to
// the edge.
static void direction(const caromMeeting *m, int i, const double *n, double norm2, double *out)
{
    const caromHull *hull = m->hull_a;
    const caromMat3 *R = &m->R_QA;
    caromVec3 edge = i < 2 ? R->cy : i < 4 ? R->cz : R->cx, square = i < 2 ? R->cz : i < 4 ? R->cx : R->cy;
    if (hull) {
        const int *corner = &hull->corners[hull->first_corner[i]];
        caromVec3 t = carom_unit_or(carom_sub(hull->vertices[corner[1]], hull->vertices[corner[0]]), hull->normals[i]);
        edge = carom_mul(*R, t);
        square = carom_mul(*R, carom_cross(hull->normals[i], t));
    }
    double steep = n[0]*edge.x + n[1]*edge.y + n[2]*edge.z;
    caromVec3 along = steep*steep <= 0.75*norm2 ? edge : square;
    cross(n, (const double[3]){ along.x, along.y, along.z }, out);
}

static caromVec3 turned(const caromRegion *q, const double *x)
{
    return carom_axpy(x[0], q->axes[0], carom_axpy(x[1], q->axes[1], carom_scale(x[2], q->axes[2])));
}

bool carom_patch_may_meet(const caromMeeting *m, const caromNearFaces *near, int i, int j)
{
    if (!(near->bits[i*near->words + j/64] >> j % 64 & 1)) return false;
    caromLinear difference = carom_field_linear_mean(1.0, &m->in[i], -1.0, &m->in[j]);
    return fabs(difference.at) <= carom_field_linear_highest(&difference, &m->region) - difference.at;
}

// Where two faces meet, in coordinates of its own.
typedef struct Met {
    caromLinear balance;
    MeetingFrame f;
    bool is_strip;
} Met;

static bool find_polygon(const caromMeeting *m, const caromNearFaces *near, int i, int j, caromFlat *flat, Met *met)
{
    const caromLinear *p = &m->in[i];
    MeetingFrame *f = &met->f;
    Others others;
    met->balance = carom_field_linear_mean(1.0, &m->in[j], -1.0, p);
    find_others(near, i, j, &others);
    met->is_strip = strip_frame(m, p, &met->balance, f);
    if (met->is_strip) find_in_strip(m, f, &others, flat);
    else {
        plane_frame(m, p, &met->balance, f);
        find_in_plane(m, f, &others, flat);
    }
    if (m->is_part) cut_to_region(&m->region, f, flat);
    return flat->n > 2 && (m->is_part || is_within(&m->region, f, flat, 0.5*m->slack));
}

bool carom_patch_meeting_facet(const caromMeeting *m, const caromNearFaces *near, int i, int j, caromFlat *flat,
                               caromFacet *facet)
{
    const caromRegion *q = &m->region;
    const double *slope = m->in[i].slope;
    Met met;
    if (!find_polygon(m, near, i, j, flat, &met)) return false;
    const MeetingFrame *f = &met.f;
    double norm2 = dot(met.balance.slope, met.balance.slope), norm = sqrt(norm2), across[3];
    direction(m, m->id_a[i], met.balance.slope, norm2, across);
    facet->flat = flat;
    facet->sheet = (caromSheet){ carom_add(q->c, turned(q, f->o)), turned(q, f->t1), turned(q, f->t2) };
    facet->stretch = norm*f->inverse;
    facet->pressure = f->p;
    facet->across[0] = met.is_strip ? f->t1[f->k]*across[f->k] : across[f->a];
    facet->across[1] = met.is_strip ? dot(slope, across) : across[f->b];
    facet->n_AB = carom_scale(1.0/norm, turned(q, met.balance.slope));
    facet->origin_W = m->origin_W;
    return true;
}

// The integral of p^2 in u and v: over a triangle of area A it is A/12 ((sum of p)^2 + sum of p^2).
static double square_over(const caromFlat *flat, caromTrace p)
{
    double p0 = fmax(0.0, carom_sheet_trace_at(p, flat->u[0], flat->v[0])), sum = 0.0;
    double u1 = flat->u[1] - flat->u[0], v1 = flat->v[1] - flat->v[0],
           p1 = fmax(0.0, carom_sheet_trace_at(p, flat->u[1], flat->v[1]));
    for (int k = 2; k < flat->n; k++) {
        double u2 = flat->u[k] - flat->u[0], v2 = flat->v[k] - flat->v[0],
               p2 = fmax(0.0, carom_sheet_trace_at(p, flat->u[k], flat->v[k]));
        sum += (u1*v2 - u2*v1)*(p0*p0 + p1*p1 + p2*p2 + p0*p1 + p1*p2 + p2*p0);
        u1 = u2, v1 = v2, p1 = p2;
    }
    return sum*(1.0/12.0);
}

double carom_patch_meeting_energy(const caromMeeting *m, const caromNearFaces *near, int i, int j, caromFlat *flat)
{
    const double *g = m->in[i].slope, *h = m->in[j].slope;
    double g2 = dot(g, g), h2 = dot(h, h), part = 0.0;
    for (int k = 0; k < 3; k++) part += (h[k]/h2 - g[k]/g2)*(h[k] - g[k]);
    Met met;
    if (part == 0.0 || !find_polygon(m, near, i, j, flat, &met)) return 0.0;
    return 0.5*part*met.f.inverse*square_over(flat, met.f.p);
}

// On the surface between two faces a mean of both pressures is not above top. Opposite faces, one of each shape, have a
// mean in which the slopes cancel: the depth of the two together.
static bool may_be_near(const caromMeeting *m, int i, int k, double share)
{
    caromLinear mean = carom_field_linear_mean(share, &m->in[i], 1.0 - share, &m->in[k]);
    return carom_field_linear_lowest(&mean, &m->region) <= m->top + m->slack;
}

enum { FEW_FACES = 6 };  // of which it is not worth while to ask

void carom_patch_meeting_prepare(const caromMeeting *m, caromNearFaces *near)
{
    const double share = carom_field_stiffer()/(carom_field_softer() + carom_field_stiffer());
    int n = m->na + m->nb, words = near->words = (n + 63)/64;
    bool are_few = n <= FEW_FACES;
    for (int i = 0; i < n*words; i++) near->bits[i] = are_few ? ((uint64_t)1 << n) - 1 - ((uint64_t)1 << i) : 0;
    for (int i = 0; i < n && !are_few; i++) {
        for (int k = i + 1; k < n; k++) {
            if (!may_be_near(m, i, k, i < m->na && k >= m->na ? share : 0.5)) continue;
            near->bits[i*words + (k >> 6)] |= (uint64_t)1 << (k & 63);
            near->bits[k*words + (i >> 6)] |= (uint64_t)1 << (i & 63);
        }
    }
}
