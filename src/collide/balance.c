// The surface on which two depth fields balance, polygon by polygon.
//
// Inside a convex body A let d(x) be the depth below its nearest face. With p_A = kA d_A and p_B = kB d_B the bodies meet
// where p_A = p_B: on each pair of faces (i of A, j of B) a convex plane polygon. (Known as pressure-field or hydroelastic
// contact [Elandt19].) kA and kB are unit fields in series, 1/kA + 1/kB = 1, so that on parallel faces p is the overlap; the
// law multiplies by its stiffness.
//
// kA = kB would make p_A - p_B constant where faces look the same way (flush sides of a stack): the surface there would jump
// from one side to the other. They are detuned, which moves the surface inside the overlap and nothing else.
//
// Two boxes have 36 pairs of faces; two polytopes may have a million, few of which meet. For those a region is looked for
// first: a box that holds the overlap. Faces that are farther from all of the region than some other face is from any of it
// are never nearest there and drop out. What the remaining faces say outside the region is wrong, but the region keeps a
// distance from the overlap, and no polygon reaches across its border: each counts wholly or not at all. A region in which
// too many faces remain is halved, and polygons are cut at the border between the halves.
#include "collide/fields.h"
#include "collide/region.h"

static const double detune = 1.3;

enum {
    PAIRS_MAX = 4096,   // faces times faces tried at once
    SPLITS_MAX = 12     // a region with more is halved this many times; then faces too many are left out
};

double carom_field_softer(void)
{
    return 1.0 + 1.0/detune;
}

double carom_field_stiffer(void)
{
    return 1.0 + detune;
}

bool carom_field_has(const caromShape *shape)
{
    if (shape->kind == CAROM_POLYTOPE) return shape->hull && shape->hull->rounding == 0.0;
    return (shape->kind == CAROM_BOX && shape->rounding == 0.0) || shape->kind == CAROM_HALF_SPACE;
}

// Boxes and half-spaces as such, in world axes about a point near the contact, so that depths of 1e-8 m are not lost in coordinates of 100 m.
typedef struct Field {
    int n;
    caromPlane face[CAROM_FIELD_FACES];  // depth at x is the smallest over the faces
    caromVec3 centre;
    double reach;  // no point of the shape is farther from its centre [m]; infinite for a half-space
} Field;

static Field box_field(caromVec3 size, caromPose X_WB, caromVec3 origin_W)
{
    Field f = { .n = 6, .centre = carom_sub(X_WB.p, origin_W), .reach = 0.5*carom_norm(size) };
    const caromVec3 axes[3] = { X_WB.R.cx, X_WB.R.cy, X_WB.R.cz };
    for (int i = 0; i < 3; i++) {
        double along = carom_dot(axes[i], f.centre), h = 0.5*carom_at(size, i);
        f.face[2*i] = (caromPlane){ carom_neg(axes[i]), h + along };
        f.face[2*i + 1] = (caromPlane){ axes[i], h - along };
    }
    return f;
}

static Field half_space_field(caromPose X_WB, caromVec3 origin_W)
{
    caromVec3 o = carom_sub(X_WB.p, origin_W);
    Field f = { .n = 1, .centre = o, .reach = INFINITY };
    f.face[0] = (caromPlane){ carom_neg(X_WB.R.cz), carom_dot(X_WB.R.cz, o) };
    return f;
}

// Faces that may meet, and what to do with the polygons.
typedef struct Meeting {
    const caromPlane *a, *b;
    int na, nb;
    const caromVec3 *hint_a, *other_hint_a;  // directions in the faces of a
    double ka, kb;
    caromVec3 centre;  // the surface is within reach of it
    double reach;
    caromVec3 origin_W;
    void (*visit)(const caromFacet *facet, void *user);
    void *user;
} Meeting;

static void clip_to_cell(caromFlat *flat, const caromSheet *sheet, const caromPlane *faces, int n, int i)
{
    for (int k = 0; k < n && flat->n > 2; k++) {
        if (k != i) carom_flat_clip(flat, sheet, carom_plane_difference(faces[k], faces[i]));
    }
}

// The polygon of faces i and j; false when there is none.
static bool facet_of(const Meeting *m, int i, int j, caromFlat *flat, caromFacet *facet)
{
    caromPlane pressure = carom_plane_scaled(m->ka, m->a[i]);
    caromPlane balance = carom_plane_difference(carom_plane_scaled(m->kb, m->b[j]), pressure);
    facet->sheet = carom_sheet_of(balance, m->hint_a[i], m->other_hint_a[i], m->centre);
    carom_flat_square(flat, 1.01*m->reach);
    carom_flat_clip(flat, &facet->sheet, pressure);
    clip_to_cell(flat, &facet->sheet, m->a, m->na, i);
    clip_to_cell(flat, &facet->sheet, m->b, m->nb, j);
    if (flat->n < 3) return false;
    facet->flat = flat;
    facet->pressure = pressure;
    facet->n_AB = carom_scale(1.0/carom_norm(balance.n), balance.n);
    facet->origin_W = m->origin_W;
    return true;
}

// Boxes and half-spaces.

// Largest and smallest depth below face p that a point of the other shape can have.
static void depth_range(caromPlane p, const Field *other, double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    if (other->n < CAROM_FIELD_FACES) return;
    double c = carom_plane_at(p, other->centre), extent = 0.0;
    for (int k = 0; k < CAROM_FIELD_FACES; k += 2) {  // faces come in opposite pairs: half thickness times the cosine
        double half = 0.5*(other->face[k].b + other->face[k + 1].b);
        extent += half*fabs(carom_dot(p.n, other->face[k].n));
    }
    *low = c - extent;
    *high = c + extent;
}

// An upper bound of the pressure on the surface: none of the fields exceeds what its faces see of the other shape.
static double pressure_bound(const Field *f, double k, const Field *other, double *low)
{
    double top = INFINITY;
    for (int i = 0; i < f->n; i++) {
        double high;
        depth_range(f->face[i], other, &low[i], &high);
        top = fmin(top, k*high);
    }
    return top;
}

static bool is_block(const caromShape *shape)
{
    return shape->kind != CAROM_POLYTOPE;
}

static Field block_field(const caromShape *shape, caromPose X_WS, caromVec3 origin_W)
{
    return shape->kind == CAROM_BOX ? box_field(shape->size, X_WS, origin_W) : half_space_field(X_WS, origin_W);
}

// Where coordinates are counted from, and round what: a, unless b is so much smaller that its size would be lost in the roundings of a's.
static bool is_much_smaller(double reach, double than)
{
    return 1000.0*reach < than;
}

static void block_meeting(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, Field *fa, Field *fb, Meeting *m)
{
    double ra = 0.5*carom_norm(a->size), rb = b->kind == CAROM_BOX ? 0.5*carom_norm(b->size) : (double)INFINITY;
    m->origin_W = b->kind == CAROM_HALF_SPACE || is_much_smaller(ra, rb) ? X_WA.p
                : is_much_smaller(rb, ra) ? X_WB.p : carom_scale(0.5, carom_add(X_WA.p, X_WB.p));
    *fa = block_field(a, X_WA, m->origin_W);
    *fb = block_field(b, X_WB, m->origin_W);
    const Field *base = is_much_smaller(rb, ra) ? fb : fa;
    m->centre = base->centre;
    m->reach = base->reach;
    m->a = fa->face, m->na = fa->n;
    m->b = fb->face, m->nb = fb->n;
}

// The surface between blocks. Their few faces are culled by what they see of the whole other block; if that leaves many pairs
// and no faces lie on each other (a corner over a face), by the region as well.

static void list_low(caromFaces *f, int n, double k, const double *low, double top)
{
    f->n = 0;
    for (int i = 0; i < n; i++) if (k*low[i] <= top) f->id[f->n++] = i;
}

static void find_block_hints(const Field *f, caromVec3 *hint, caromVec3 *other_hint)
{
    for (int i = 0; i < CAROM_FIELD_FACES; i++) {
        int next = i < 4 ? i/2*2 + 2 : 0, after = next < 4 ? next + 2 : 0;  // the other two edge directions
        hint[i] = f->face[next].n;
        other_hint[i] = f->face[after].n;
    }
}

enum { FEW_PAIRS = 12 };

static bool are_flat(const Field *a, const caromFaces *of_a, const Field *b, const caromFaces *of_b)
{
    for (int i = 0; i < of_a->n; i++) {
        for (int j = 0; j < of_b->n; j++) if (carom_dot(a->face[of_a->id[i]].n, b->face[of_b->id[j]].n) < -0.999) return true;
    }
    return false;
}

static void block_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, Meeting asked)
{
    Meeting meeting = asked, *m = &meeting;
    Field fa, fb;
    block_meeting(a, X_WA, b, X_WB, &fa, &fb, m);
    double low_a[CAROM_FIELD_FACES], low_b[CAROM_FIELD_FACES];
    double top = pressure_bound(&fa, m->ka, &fb, low_a);
    if (top <= 0.0) return;
    top = fmin(top, pressure_bound(&fb, m->kb, &fa, low_b));
    if (top <= 0.0) return;
    caromOverlap c;
    list_low(&c.a.faces, fa.n, m->ka, low_a, top);
    list_low(&c.b.faces, fb.n, m->kb, low_b, top);
    bool is_worth_it = c.a.faces.n*c.b.faces.n > FEW_PAIRS && !are_flat(&fa, &c.a.faces, &fb, &c.b.faces);
    if (is_worth_it && !carom_overlap_find_among(a, X_WA, b, X_WB, m->origin_W, &c)) return;
    caromVec3 hint[CAROM_FIELD_FACES], other_hint[CAROM_FIELD_FACES];
    find_block_hints(&fa, hint, other_hint);
    m->hint_a = hint;
    m->other_hint_a = other_hint;
    caromFlat flat;
    caromFacet facet;
    for (int i = 0; i < c.a.faces.n; i++) {
        for (int j = 0; j < c.b.faces.n; j++) {
            if (facet_of(m, c.a.faces.id[i], c.b.faces.id[j], &flat, &facet)) m->visit(&facet, m->user);
        }
    }
}

// Polytopes.

// Pressure of a face as a region sees it: at its centre, and how it grows along its axes.
typedef struct Linear {
    double at, slope[3];
} Linear;

// Faces that can be nearest in a region.
typedef struct Seen {
    int n;
    bool is_short;  // there were more
    caromPlane plane[CAROM_NEAR_FACES_MAX];
    int id[CAROM_NEAR_FACES_MAX];
    Linear p[CAROM_NEAR_FACES_MAX];
} Seen;

static double top_in(const caromFieldShape *s, const caromRegion *q, double slack)
{
    caromView v = carom_region_view(q, s);
    double top = INFINITY;
    for (int m = 0; m < s->faces.n; m++) {
        double g[3], d = carom_view_depth(&v, s, carom_face_id(&s->faces, m), g);
        top = fmin(top, s->k*(d + fabs(g[0])*q->h[0] + fabs(g[1])*q->h[1] + fabs(g[2])*q->h[2] + slack));
    }
    return top;
}

static double lowest_in(const caromFieldShape *s, const caromRegion *q, const caromView *v, int i, double g[3], double *d)
{
    *d = carom_view_depth(v, s, i, g);
    return *d - fabs(g[0])*q->h[0] - fabs(g[1])*q->h[1] - fabs(g[2])*q->h[2];
}

static int count_seen(const caromFieldShape *s, const caromRegion *q, const caromView *v, double low_enough)
{
    int n = 0;
    double g[3], d;
    for (int m = 0; m < s->faces.n; m++) n += lowest_in(s, q, v, carom_face_id(&s->faces, m), g, &d) <= low_enough;
    return n;
}

// Of too many faces every second, third ... is taken: those of a tip are neighbours in the list, and what is left has its shape.
static void see(const caromFieldShape *s, const caromRegion *q, double slack, double top, Seen *seen)
{
    caromView v = carom_region_view(q, s);
    double low_enough = top/s->k + slack;
    int count = s->faces.n <= CAROM_NEAR_FACES_MAX ? s->faces.n : count_seen(s, q, &v, low_enough);
    int stride = 1 + (count - 1)/CAROM_NEAR_FACES_MAX, skipped = 0;
    seen->n = 0;
    seen->is_short = stride > 1;
    for (int m = 0; m < s->faces.n; m++) {
        int i = carom_face_id(&s->faces, m);
        double g[3], d;
        if (lowest_in(s, q, &v, i, g, &d) > low_enough || skipped++ % stride) continue;
        int at = seen->n++;
        seen->id[at] = i;
        seen->p[at] = (Linear){ s->k*d, { s->k*g[0], s->k*g[1], s->k*g[2] } };
    }
}

// Largest value in the region.
static double highest(const Linear *f, const caromRegion *q)
{
    return f->at + fabs(f->slope[0])*q->h[0] + fabs(f->slope[1])*q->h[1] + fabs(f->slope[2])*q->h[2];
}

// s a + t b
static Linear combined(double s, const Linear *a, double t, const Linear *b)
{
    return (Linear){ s*a->at + t*b->at, { s*a->slope[0] + t*b->slope[0], s*a->slope[1] + t*b->slope[1], s*a->slope[2] + t*b->slope[2] } };
}

// The lowest pressures at the centre of a region, a few of each shape: where anything is everywhere above one of these, it is not on the surface.
enum { LOWEST_MAX = 8 };
typedef struct Lowest {
    int n;
    Linear p[2*LOWEST_MAX];
} Lowest;

static void add_lowest(const Seen *seen, Lowest *low)
{
    int first = low->n, end = first;
    for (int i = 0; i < seen->n; i++) {
        int at = end < first + LOWEST_MAX ? end++ : end;
        while (at > first && seen->p[i].at < low->p[at - 1].at) {
            if (at < end) low->p[at] = low->p[at - 1];
            at--;
        }
        if (at < end) low->p[at] = seen->p[i];
    }
    low->n = end;
}

static bool is_above(const Linear *p, const Lowest *low, const caromRegion *q, double slack)
{
    for (int k = 0; k < low->n; k++) {
        Linear difference = combined(1.0, &low->p[k], -1.0, p);
        if (highest(&difference, q) < -slack) return true;
    }
    return false;
}

// Leaves out faces that are above one of the lowest in all of the region, and finds the planes of the others. Lowest first: they cut most.
static void keep_low(const caromFieldShape *s, Seen *seen, const Lowest *low, const caromRegion *q, double slack)
{
    int kept = 0;
    for (int i = 0; i < seen->n; i++) {
        if (is_above(&seen->p[i], low, q, slack)) continue;
        Linear p = seen->p[i];
        int id = seen->id[i], at = kept++;
        for (; at > 0 && p.at < seen->p[at - 1].at; at--) {
            seen->id[at] = seen->id[at - 1];
            seen->p[at] = seen->p[at - 1];
        }
        seen->id[at] = id;
        seen->p[at] = p;
    }
    seen->n = kept;
    for (int i = 0; i < kept; i++) seen->plane[i] = carom_face_plane(s, seen->id[i]);
}

// Faces of both that can be nearest in a region.
static void see_both(const caromOverlap *c, const caromRegion *q, double top, Seen *a, Seen *b, Lowest *low)
{
    see(&c->a, q, c->slack, top, a);
    see(&c->b, q, c->slack, top, b);
    low->n = 0;
    add_lowest(a, low);
    add_lowest(b, low);
    keep_low(&c->a, a, low, q, c->slack);
    keep_low(&c->b, b, low, q, c->slack);
}

// Can two faces meet in the region? The plane on which their pressures are equal must pass through it. There both are equal to
// any mean of them. In the mean with the weights of the other's modulus the slopes of opposite faces cancel, and what is left,
// the depth of the two together, must not be above other faces everywhere.
static bool may_meet(const Meeting *m, const Linear *a, const Linear *b, const Lowest *low, const caromRegion *q, double slack)
{
    Linear difference = combined(1.0, a, -1.0, b);
    if (fabs(difference.at) > highest(&difference, q) - difference.at) return false;
    double share = m->kb/(m->ka + m->kb);
    Linear mean = combined(share, a, 1.0 - share, b);
    return !is_above(&mean, low, q, slack);
}

// Directions in face i that turn with the body: an edge and what is square to it.
static void face_hints(const caromFieldShape *s, int i, caromVec3 *hint, caromVec3 *other_hint)
{
    caromVec3 n = s->normals[i], t;
    if (s->hull) {
        const int *corner = &s->hull->corners[s->hull->first_corner[i]];
        t = carom_unit_or(carom_sub(s->hull->vertices[corner[1]], s->hull->vertices[corner[0]]), n);
    } else t = carom_vec(n.z, n.x, n.y);  // of a box: another axis
    *hint = carom_mul(s->X.R, t);
    *other_hint = carom_mul(s->X.R, carom_cross(n, t));
}

static bool is_within(const caromRegion *q, caromVec3 x, double slack)
{
    caromVec3 r = carom_sub(x, q->c);
    for (int k = 0; k < 3; k++) if (!(fabs(carom_dot(r, q->axes[k])) <= q->h[k] + slack)) return false;
    return true;
}

static void clip_to_region(caromFlat *flat, const caromSheet *sheet, const caromRegion *q)
{
    for (int k = 0; k < 3; k++) {
        double at = carom_dot(q->axes[k], q->c);
        if (flat->n > 2) carom_flat_clip(flat, sheet, (caromPlane){ q->axes[k], q->h[k] - at });
        if (flat->n > 2) carom_flat_clip(flat, sheet, (caromPlane){ carom_neg(q->axes[k]), q->h[k] + at });
    }
}

// Polygons in a region; those of a part of the whole region are cut off at its border. False, with nothing visited: there are
// more faces than there is room for.
static bool region_facets(const caromOverlap *c, const caromRegion *q, int splits, Meeting asked, Seen *a, Seen *b)
{
    Meeting meeting = asked, *m = &meeting;
    bool is_last = splits == SPLITS_MAX;
    double top = fmin(top_in(&c->a, q, c->slack), top_in(&c->b, q, c->slack));
    if (top <= 0.0) return true;
    Lowest low;
    see_both(c, q, top, a, b, &low);
    if (!is_last && (a->is_short || b->is_short || a->n*b->n > PAIRS_MAX)) return false;
    caromVec3 hint[CAROM_NEAR_FACES_MAX], other_hint[CAROM_NEAR_FACES_MAX];
    for (int i = 0; i < a->n; i++) face_hints(&c->a, a->id[i], &hint[i], &other_hint[i]);
    m->a = a->plane, m->na = a->n, m->hint_a = hint, m->other_hint_a = other_hint;
    m->b = b->plane, m->nb = b->n;
    m->centre = q->c;
    m->reach = carom_region_size(q) + 2.0*c->slack;
    caromFlat flat;
    caromFacet facet;
    for (int i = 0; i < a->n; i++) {
        for (int j = 0; j < b->n; j++) {
            if (!may_meet(m, &a->p[i], &b->p[j], &low, q, c->slack) || !facet_of(m, i, j, &flat, &facet)) continue;
            if (splits > 0) clip_to_region(&flat, &facet.sheet, q);
            else if (!is_within(q, carom_flat_middle(&flat, &facet.sheet), -0.5*c->slack)) continue;
            if (flat.n > 2) m->visit(&facet, m->user);
        }
    }
    return true;
}

typedef struct Part {
    caromRegion q;
    int splits;
} Part;

static void halve(const Part *whole, Part *low, Part *high)
{
    int longest = 0;
    for (int k = 1; k < 3; k++) if (whole->q.h[k] > whole->q.h[longest]) longest = k;
    double half = 0.5*whole->q.h[longest];
    *low = *high = (Part){ whole->q, whole->splits + 1 };
    low->q.h[longest] = high->q.h[longest] = half;
    low->q.c = carom_axpy(-half, whole->q.axes[longest], whole->q.c);
    high->q.c = carom_axpy(half, whole->q.axes[longest], whole->q.c);
}

static void polytope_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, Meeting m)
{
    caromOverlap c;
    Seen seen_a, seen_b;
    if (!carom_overlap_find(a, X_WA, b, X_WB, &c)) return;
    m.origin_W = c.origin_W;
    Part parts[SPLITS_MAX + 2];
    int n = 0;
    parts[n++] = (Part){ c.region, 0 };
    while (n > 0) {
        Part part = parts[--n];
        if (region_facets(&c, &part.q, part.splits, m, &seen_a, &seen_b)) continue;
        halve(&part, &parts[n + 1], &parts[n]);
        n += 2;
    }
}

void carom_field_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, void (*visit)(const caromFacet *facet, void *user),
                        void *user)
{
    Meeting m = { .ka = carom_field_softer(), .kb = carom_field_stiffer(), .visit = visit, .user = user };
    if (a->kind == CAROM_HALF_SPACE) return;  // and b as well
    if (is_block(a) && is_block(b)) block_facets(a, X_WA, b, X_WB, m);
    else polytope_facets(a, X_WA, b, X_WB, m);
}

// The same for the energy: pressures of the faces, part by part.

static void block_pressures(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromNear *near)
{
    Field fa, fb;
    Meeting m = { 0 };
    block_meeting(a, X_WA, b, X_WB, &fa, &fb, &m);
    near->centre = m.centre;
    near->reach = m.reach;
    near->n = near->nwall = 0;
    for (int i = 0; i < fa.n; i++) near->p[near->n++] = carom_plane_scaled(carom_field_softer(), fa.face[i]);
    for (int j = 0; j < fb.n; j++) near->p[near->n++] = carom_plane_scaled(carom_field_stiffer(), fb.face[j]);
}

static void add_walls(const caromRegion *q, caromNear *near)
{
    near->nwall = 0;
    for (int k = 0; k < 3; k++) {
        double at = carom_dot(q->axes[k], q->c);
        near->wall[near->nwall++] = (caromPlane){ q->axes[k], q->h[k] - at };
        near->wall[near->nwall++] = (caromPlane){ carom_neg(q->axes[k]), q->h[k] + at };
    }
}

enum { PRESSURES_MAX = 32 };  // the work grows with their third power

// False: there are too many.
static bool region_pressures(const caromOverlap *c, const Part *part, Seen *a, Seen *b, caromNear *near)
{
    const caromRegion *q = &part->q;
    double top = fmin(top_in(&c->a, q, c->slack), top_in(&c->b, q, c->slack));
    Lowest low;
    near->n = 0;
    if (top <= 0.0) return true;
    see_both(c, q, top, a, b, &low);
    if (part->splits < SPLITS_MAX && (a->is_short || b->is_short || a->n + b->n > PRESSURES_MAX)) return false;
    near->centre = q->c;
    near->reach = carom_region_size(q);
    for (int i = 0; i < a->n; i++) near->p[near->n++] = carom_plane_scaled(c->a.k, a->plane[i]);
    for (int j = 0; j < b->n; j++) near->p[near->n++] = carom_plane_scaled(c->b.k, b->plane[j]);
    add_walls(q, near);
    return true;
}

void carom_field_pressures(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, void (*visit)(const caromNear *near, void *user),
                           void *user)
{
    caromNear near;
    if (is_block(a) && is_block(b)) {
        block_pressures(a, X_WA, b, X_WB, &near);
        visit(&near, user);
        return;
    }
    caromOverlap c;
    Seen seen_a, seen_b;
    if (!carom_overlap_find(a, X_WA, b, X_WB, &c)) return;
    Part parts[SPLITS_MAX + 2];
    int n = 0;
    parts[n++] = (Part){ c.region, 0 };
    while (n > 0) {
        Part part = parts[--n];
        if (region_pressures(&c, &part, &seen_a, &seen_b, &near)) {
            if (near.n > 0) visit(&near, user);
            continue;
        }
        halve(&part, &parts[n + 1], &parts[n]);
        n += 2;
    }
}
