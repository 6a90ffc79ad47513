// The surface on which two depth fields balance, polygon by polygon.
//
// Inside a convex body A let d(x) be the depth below its nearest face. With p_A = kA d_A and p_B = kB d_B the bodies
// meet where p_A = p_B: on each pair of faces (i of A, j of B) a convex plane polygon. (Known as pressure-field or
// hydroelastic contact [Elandt19].) kA and kB are unit fields in series, 1/kA + 1/kB = 1, so that on parallel faces p
// is the overlap; the law multiplies by its stiffness.
//
// kA = kB would make p_A - p_B constant where faces look the same way (flush sides of a stack): the surface there would
// jump from one side to the other. They are detuned, which moves the surface inside the overlap and nothing else.
//
// Two boxes have 36 pairs of faces; two polytopes may have a million, few of which meet. So a region is looked for
// first: a box that holds the overlap. Faces that are farther from all of the region than some other face is from
// any of it are never nearest there and drop out. What the remaining faces say outside the region is wrong, but
// the region keeps a distance from the overlap, and no polygon reaches across its border: each counts wholly or
// not at all. A region in which too many faces remain is halved, and polygons are cut at the border between the
// halves. (Boxes: blocks.c.)
#include "base/scratch.h"
#include "patch/blocks.h"

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

// Faces that can be nearest in a region.
typedef struct SeenFace {
    int n;
    bool is_short;  // there were more
    int id[CAROM_NEAR_FACES_MAX];
    caromLinear p[CAROM_NEAR_FACES_MAX];
} SeenFace;

static double top_in(const caromFieldShape *s, const caromRegion *q, double slack)
{
    caromView v = carom_patch_region_view(q, s);
    double top = INFINITY;
    for (int m = 0; m < s->faces.n; m++) {
        double g[3], d = carom_patch_view_depth(&v, s, carom_patch_face_id(&s->faces, m), g);
        top = fmin(top, s->k*(d + fabs(g[0])*q->h[0] + fabs(g[1])*q->h[1] + fabs(g[2])*q->h[2] + slack));
    }
    return top;
}

static double lowest_in(const caromFieldShape *s, const caromRegion *q, const caromView *v, int i, double g[3],
                        double *d)
{
    *d = carom_patch_view_depth(v, s, i, g);
    return *d - fabs(g[0])*q->h[0] - fabs(g[1])*q->h[1] - fabs(g[2])*q->h[2];
}

static int count_seen(const caromFieldShape *s, const caromRegion *q, const caromView *v, double low_enough)
{
    int n = 0;
    double g[3], d;
    for (int m = 0; m < s->faces.n; m++)
        n += lowest_in(s, q, v, carom_patch_face_id(&s->faces, m), g, &d) <= low_enough;
    return n;
}

// Of too many faces every second, third ... is taken: those of a tip are neighbours in the list, and what is left has
// its shape.
static void see(const caromFieldShape *s, const caromRegion *q, double slack, double top, SeenFace *seen)
{
    caromView v = carom_patch_region_view(q, s);
    double low_enough = top/s->k + slack;
    int count = s->faces.n <= CAROM_NEAR_FACES_MAX ? s->faces.n : count_seen(s, q, &v, low_enough);
    int stride = 1 + (count - 1)/CAROM_NEAR_FACES_MAX, skipped = 0;
    seen->n = 0;
    seen->is_short = stride > 1;
    for (int m = 0; m < s->faces.n; m++) {
        int i = carom_patch_face_id(&s->faces, m);
        double g[3], d;
        if (lowest_in(s, q, &v, i, g, &d) > low_enough || skipped++ % stride) continue;
        int at = seen->n++;
        seen->id[at] = i;
        seen->p[at] = (caromLinear){ s->k*d, { s->k*g[0], s->k*g[1], s->k*g[2] } };
    }
}

// The lowest pressures at the centre of a region, a few of each shape: where anything is everywhere above one of these,
// it is not on the surface.
enum { LOWEST_MAX = 8 };
typedef struct Lowest {
    int n;
    caromLinear p[2*LOWEST_MAX];
} Lowest;

static void add_lowest(const SeenFace *seen, Lowest *low)
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

static bool is_above(const caromLinear *p, const Lowest *low, const caromRegion *q, double slack)
{
    for (int k = 0; k < low->n; k++) {
        caromLinear difference = carom_field_linear_mean(1.0, &low->p[k], -1.0, p);
        if (carom_field_linear_highest(&difference, q) < -slack) return true;
    }
    return false;
}

// Leaves out faces that are above one of the lowest in all of the region; lowest first: they cut most.
static void keep_low(SeenFace *seen, const Lowest *low, const caromRegion *q, double slack)
{
    int kept = 0;
    for (int i = 0; i < seen->n; i++) {
        if (is_above(&seen->p[i], low, q, slack)) continue;
        caromLinear p = seen->p[i];
        int id = seen->id[i], at = kept++;
        for (; at > 0 && p.at < seen->p[at - 1].at; at--) {
            seen->id[at] = seen->id[at - 1];
            seen->p[at] = seen->p[at - 1];
        }
        seen->id[at] = id;
        seen->p[at] = p;
    }
    seen->n = kept;
}

// Faces of both that can be nearest in a region.
static void see_both(const caromOverlap *c, const caromRegion *q, double top, SeenFace *a, SeenFace *b, Lowest *low)
{
    see(&c->a, q, c->slack, top, a);
    see(&c->b, q, c->slack, top, b);
    low->n = 0;
    add_lowest(a, low);
    add_lowest(b, low);
    keep_low(a, low, q, c->slack);
    keep_low(b, low, q, c->slack);
}

// On the surface both pressures are equal to any mean of them: nothing meets where it is above other faces everywhere
// (see carom_patch_meeting_prepare).
static bool is_high(const caromMeeting *m, int i, int j, const Lowest *low)
{
    double share = carom_field_stiffer()/(carom_field_softer() + carom_field_stiffer());
    caromLinear mean = carom_field_linear_mean(share, &m->in[i], 1.0 - share, &m->in[j]);
    return is_above(&mean, low, &m->region, m->slack);
}

// What a region needs for itself; large.
typedef struct Room {
    SeenFace a, b;
    Lowest low;
    caromMeeting m;
    caromNearFaces near;
    caromFlat flat;
} Room;

static void list(const SeenFace *seen, caromLinear *in)
{
    for (int i = 0; i < seen->n; i++) in[i] = seen->p[i];
}

static void fill_meeting(const caromOverlap *c, const caromRegion *q, int splits, double top, Room *room)
{
    caromMeeting *m = &room->m;
    const SeenFace *a = &room->a, *b = &room->b;
    m->na = a->n, m->nb = b->n;
    list(a, m->in);
    list(b, &m->in[a->n]);
    for (int i = 0; i < a->n; i++) m->id_a[i] = a->id[i];
    m->hull_a = c->a.hull;
    const caromMat3 *R = &c->a.X.R;
    m->R_QA = (caromMat3){ carom_patch_region_axes(q, R->cx), carom_patch_region_axes(q, R->cy),
                           carom_patch_region_axes(q, R->cz) };
    m->region = *q;
    m->is_part = splits > 0;
    m->origin_W = c->origin_W;
    m->slack = c->slack;
    m->top = top;
    carom_patch_meeting_prepare(m, &room->near);
}

typedef void (*RegionVisitor)(Room *room, void *user);

// False, with nothing visited: there are more faces than there is room for.
static bool visit_region(const caromOverlap *c, const caromRegion *q, int splits, RegionVisitor visit, void *user,
                         Room *room)
{
    SeenFace *a = &room->a, *b = &room->b;
    double top = fmin(top_in(&c->a, q, c->slack), top_in(&c->b, q, c->slack));
    if (top <= 0.0) return true;
    see_both(c, q, top, a, b, &room->low);
    if (splits < SPLITS_MAX && (a->is_short || b->is_short || a->n*b->n > PAIRS_MAX)) return false;
    fill_meeting(c, q, splits, top, room);
    visit(room, user);
    return true;
}

static bool may_meet(const Room *room, int i, int j)
{
    return carom_patch_may_meet(&room->m, &room->near, i, j) && !is_high(&room->m, i, j, &room->low);
}

typedef struct EachFacet {
    caromFacetVisitor visit;
    void *user;
} EachFacet;

// Polygons in a region; those of a part of the whole region are cut off at its border.
static void facets_in(Room *room, void *user)
{
    const EachFacet *to = user;
    const caromMeeting *m = &room->m;
    caromFacet facet;
    for (int i = 0; i < m->na; i++) {
        for (int j = m->na; j < m->na + m->nb; j++) {
            if (may_meet(room, i, j) && carom_patch_meeting_facet(m, &room->near, i, j, &room->flat, &facet))
                to->visit(&facet, to->user);
        }
    }
}

static void energy_in(Room *room, void *energy)
{
    const caromMeeting *m = &room->m;
    for (int i = 0; i < m->na + m->nb; i++) {
        for (int j = i + 1; j < m->na + m->nb; j++) {
            if (may_meet(room, i, j))
                *(double *)energy += carom_patch_meeting_energy(m, &room->near, i, j, &room->flat);
        }
    }
}

typedef struct SubRegion {
    caromRegion q;
    int splits;
} SubRegion;

static void halve(const SubRegion *whole, SubRegion *low, SubRegion *high)
{
    int longest = 0;
    for (int k = 1; k < 3; k++) if (whole->q.h[k] > whole->q.h[longest]) longest = k;
    double half = 0.5*whole->q.h[longest];
    *low = *high = (SubRegion){ whole->q, whole->splits + 1 };
    low->q.h[longest] = high->q.h[longest] = half;
    low->q.c = carom_axpy(-half, whole->q.axes[longest], whole->q.c);
    high->q.c = carom_axpy(half, whole->q.axes[longest], whole->q.c);
}

static void each_region(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, RegionVisitor visit,
                        void *user)
{
    caromOverlap c;
    if (!carom_patch_overlap_find(a, X_WA, b, X_WB, &c)) return;
    void *taken;
    struct { Room room; SubRegion parts[SPLITS_MAX + 2]; } *s = CAROM_SCRATCH_OR_STACK(sizeof *s, taken);
    int n = 0;
    s->parts[n++] = (SubRegion){ c.region, 0 };
    while (n > 0) {
        SubRegion part = s->parts[--n];
        if (visit_region(&c, &part.q, part.splits, visit, user, &s->room)) continue;
        halve(&part, &s->parts[n + 1], &s->parts[n]);
        n += 2;
    }
    carom_scratch_give_back(taken);
}

static bool is_block(const caromShape *shape)
{
    return shape->kind != CAROM_POLYTOPE;
}

void carom_field_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                        caromFacetVisitor visit, void *user)
{
    if (a->kind == CAROM_HALF_SPACE) return;  // and b as well
    EachFacet to = { visit, user };
    if (is_block(a) && is_block(b)) carom_patch_block_facets(a, X_WA, b, X_WB, visit, user);
    else each_region(a, X_WA, b, X_WB, facets_in, &to);
}

double carom_field_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    if (a->kind == CAROM_HALF_SPACE) return INFINITY;
    if (is_block(a) && is_block(b)) return carom_patch_block_energy(a, X_WA, b, X_WB);
    double energy = 0.0;
    each_region(a, X_WA, b, X_WB, energy_in, &energy);
    return energy;
}
