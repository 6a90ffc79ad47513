// Faces that lie in each other: a point that both have.
//
// Along a normal n the cores end in flat pieces (a face, a disc, an edge, a point), one over the other. Where a
// piece is a single point the witness is that point; where both are wider any common point will do, and the
// search for the depth does not care which. It is found by projecting from one piece to the other and back, which
// ends in their intersection.
#include "narrow/convex.h"
#include "narrow/scales.h"

enum { CORNERS_MAX = 128, ROUNDS_MAX = 100 };

// A disc, or a convex polygon (also an edge or a point), in the plane across n. Coordinates along t1, t2.
typedef struct FlatPiece {
    bool is_disc;
    double cx, cy, radius;
    int n;
    double x[CORNERS_MAX], y[CORNERS_MAX];
} FlatPiece;

static void add_corner(FlatPiece *piece, const caromVec3 *t, caromVec3 p)
{
    if (piece->n == CORNERS_MAX) return;
    piece->x[piece->n] = carom_dot(t[0], p);
    piece->y[piece->n++] = carom_dot(t[1], p);
}

// The corners of a polytope within the margin of its end along d, in no order; the polygon is their hull.
static void add_corners(FlatPiece *piece, const caromCore *core, caromVec3 d, double margin, const caromVec3 *t,
                        const caromPose *X)
{
    int count = core->kind == CAROM_CORE_HULL ? core->hull->nvertex : 8;
    double far = carom_shape_core_extent(core, d) - margin;
    for (int k = 0; k < count; k++) {
        caromVec3 v = carom_convex_core_vertex(core, k);
        if (carom_dot(d, v) >= far) add_corner(piece, t, carom_pose_point(*X, v));
    }
}

// A cap that is flat across d, unless a side ends there as well: a tip is a cap without width, and one end of every
// line of its side.
static void add_frustum_end(FlatPiece *piece, const caromCore *core, caromVec3 d, double margin, const caromVec3 *t,
                            const caromPose *X)
{
    double across = sqrt(d.x*d.x + d.y*d.y), r[2] = { core->r0, core->r1 }, z[2] = { core->z0, core->z1 };
    double reach[2] = { across*r[0] + d.z*z[0], across*r[1] + d.z*z[1] }, far = fmax(reach[0], reach[1]) - margin;
    int end = reach[1] >= reach[0];
    bool is_side = reach[!end] >= far && across > CAROM_NARROW_ON_AXIS;
    if (2.0*across*r[end] <= margin && !is_side) {
        caromVec3 c = carom_pose_point(*X, carom_vec(0, 0, z[end]));
        *piece = (FlatPiece){ .is_disc = true, .cx = carom_dot(t[0], c), .cy = carom_dot(t[1], c), .radius = r[end] };
        return;
    }
    for (int k = 0; k < 2; k++) {
        if (reach[k] >= far)
            add_corner(piece, t, carom_pose_point(*X, carom_vec(r[k]*d.x/across, r[k]*d.y/across, z[k])));
    }
}

static void end_piece(const caromCore *core, caromVec3 d, double margin, const caromVec3 *t, const caromPose *X,
                      FlatPiece *piece)
{
    piece->is_disc = false;
    piece->n = 0;
    if (carom_convex_core_is_polytope(core)) add_corners(piece, core, d, margin, t, X);
    else if (core->kind == CAROM_CORE_FRUSTUM) add_frustum_end(piece, core, d, margin, t, X);
    else add_corner(piece, t, carom_pose_point(*X, carom_shape_core_support(core, d)));
}

static double turn(const FlatPiece *p, int i, int j, double x, double y)
{
    return (p->x[j] - p->x[i])*(y - p->y[i]) - (p->y[j] - p->y[i])*(x - p->x[i]);
}

static double distance(const FlatPiece *p, int i, int j)
{
    return hypot(p->x[j] - p->x[i], p->y[j] - p->y[i]);
}

// Corners in order round the polygon, those inside left out (gift wrapping: they are few).
static void wrap(FlatPiece *p)
{
    FlatPiece out = { .n = 0 };
    int first = 0;
    for (int i = 1; i < p->n; i++) {
        if (p->x[i] < p->x[first] || (p->x[i] == p->x[first] && p->y[i] < p->y[first])) first = i;
    }
    int at = first;
    do {
        out.x[out.n] = p->x[at];
        out.y[out.n++] = p->y[at];
        int next = at == 0 ? 1 : 0;
        for (int i = 0; i < p->n; i++) {
            double side = turn(p, at, next, p->x[i], p->y[i]);
            if (i != at && (side < 0.0 || (side == 0.0 && distance(p, at, i) > distance(p, at, next)))) next = i;
        }
        at = next;
    } while (at != first && out.n < p->n);
    *p = out;
}

static void onto_segment(double ax, double ay, double bx, double by, double *x, double *y)
{
    double ux = bx - ax, uy = by - ay, uu = ux*ux + uy*uy, s = uu > 0.0 ? ((*x - ax)*ux + (*y - ay)*uy)/uu : 0.0;
    s = fmin(fmax(s, 0.0), 1.0);
    *x = ax + s*ux;
    *y = ay + s*uy;
}

static void project(const FlatPiece *p, double *x, double *y)
{
    if (p->is_disc) {
        double dx = *x - p->cx, dy = *y - p->cy, d = hypot(dx, dy);
        if (d > p->radius) *x = p->cx + dx*p->radius/d, *y = p->cy + dy*p->radius/d;
        return;
    }
    bool is_inside = p->n > 2;
    for (int k = 0; k < p->n && is_inside; k++) is_inside = turn(p, k, (k + 1)%p->n, *x, *y) >= 0.0;
    if (is_inside) return;
    double best = INFINITY, bx = *x, by = *y;
    for (int k = 0; k < p->n; k++) {
        double px = *x, py = *y;
        onto_segment(p->x[k], p->y[k], p->x[(k + 1)%p->n], p->y[(k + 1)%p->n], &px, &py);
        double d = hypot(px - *x, py - *y);
        if (d < best) best = d, bx = px, by = py;
    }
    *x = bx;
    *y = by;
}

// Pieces flat within the margin; false: they do not lie over each other.
static bool meet(const caromConvexPair *p, const caromVec3 *t, double margin, caromConvexGap *gap)
{
    const caromPose X_A = carom_pose_identity(), X_B = { p->R, p->t };
    FlatPiece a, b;
    end_piece(&p->a, gap->n, margin, t, &X_A, &a);
    end_piece(&p->b, carom_neg(carom_tmul(p->R, gap->n)), margin, t, &X_B, &b);
    if (!a.is_disc && a.n > 2) wrap(&a);
    if (!b.is_disc && b.n > 2) wrap(&b);
    caromVec3 middle = carom_scale(0.5, carom_add(gap->x, gap->y));
    double x = carom_dot(t[0], middle), y = carom_dot(t[1], middle),
           height = carom_dot(gap->n, carom_convex_support(p, gap->n).x);
    bool they_meet = false;
    double before = INFINITY;
    for (int round = 0; round < ROUNDS_MAX && !they_meet; round++) {
        project(&a, &x, &y);
        double ax = x, ay = y;
        project(&b, &x, &y);
        double apart = hypot(x - ax, y - ay);
        they_meet = apart <= CAROM_NARROW_SAME*p->scale;
        if (apart > CAROM_NARROW_SLOW*before) break;  // as near as they come
        before = apart;
    }
    gap->x = carom_axpy(x, t[0], carom_axpy(y, t[1], carom_scale(height, gap->n)));
    gap->y = carom_axpy(gap->g, gap->n, gap->x);
    return they_meet;
}

bool carom_narrow_flat_witness(const caromConvexPair *p, double margin, caromConvexGap *gap)
{
    caromVec3 t[2];
    carom_narrow_tangents(gap->n, &t[0], &t[1]);
    if (!meet(p, t, margin*p->scale, gap)) return false;
    gap->error = fmax(gap->error, margin*p->scale);
    return true;
}
