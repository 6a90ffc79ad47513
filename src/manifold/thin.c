// Which of many points stand for all.
//
// At one place there may be several pairs of parts: a corner over the edge of a face is on the face, and its edges
// cross that edge. One of them is enough, unless the normals hold each other in a hollow: a corner in a corner.
//
// Of many points in a plane those that are farthest along directions fixed to a body span what all of them do: a force
// in any of them is one in these, but for what the polygon of the directions lacks of all of them. They are chosen
// among the points that are as low as the lowest, then among all; and the lowest is one. So what is left out touches
// later than what is listed, as the lowest then, and what rests has the same points at every look.
#include "manifold/solids.h"

static const double apart = 4.0*CAROM_TOUCH_SAME;

static bool is_corner_on_face(const caromTouchPoint *p, int i)
{
    return carom_manifold_part(p->feature[i]).kind == CAROM_PART_CORNER &&
           carom_manifold_part(p->feature[!i]).kind == CAROM_PART_FACE;
}

// The two faces hold the same corner, and each is in front of the other: not two sides of one edge.
static bool is_hollow(const caromSolids *s, const caromTouchPoint *p, const caromTouchPoint *q)
{
    for (int i = 0; i < 2; i++) {
        if (!is_corner_on_face(p, i) || !is_corner_on_face(q, i) || p->feature[i] != q->feature[i]) continue;
        const caromTouchSide *side = &s->pair->side[!i];
        caromVec3 on = i ? p->p_A : p->p_B;
        double step = CAROM_TOUCH_OUTWARDS*s->pair->size;
        caromVec3 n = i ? p->n_AB : carom_neg(p->n_AB), m = i ? q->n_AB : carom_neg(q->n_AB),  // out of the faces
                  along = carom_unit_or(carom_axpy(-carom_dot(m, n), n, m), carom_vec(0, 0, 0));
        return carom_manifold_is_over(side, carom_manifold_part(p->feature[!i]).id, carom_axpy(step, along, on), 0.0);
    }
    return false;
}

static bool is_same(const caromSolids *s, const caromTouchPoint *p, const caromTouchPoint *q)
{
    double same = apart*s->pair->size;
    if (fabs(p->g - q->g) > same || carom_norm2(carom_sub(p->p_A, q->p_A)) > same*same) return false;
    return carom_dot(p->n_AB, q->n_AB) > CAROM_TOUCH_FACING_COS || !is_hollow(s, p, q);
}

// Corners on faces before crossings, then by features: the same whatever the order in which they were found.
static int rank(const caromTouchPoint *p)
{
    return is_corner_on_face(p, 0) ? 0 : is_corner_on_face(p, 1) ? 1 : 2;
}

static bool comes_before(const caromTouchPoint *p, const caromTouchPoint *q)
{
    if (rank(p) != rank(q)) return rank(p) < rank(q);
    return p->feature[0] != q->feature[0] ? p->feature[0] < q->feature[0] : p->feature[1] < q->feature[1];
}

static int without_doubles(const caromSolids *s, int *order)
{
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        int k = n++;
        for (; k > 0 && comes_before(&s->points[i], &s->points[order[k - 1]]); k--) order[k] = order[k - 1];
        order[k] = i;
    }
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool is_known = false;
        for (int k = 0; k < kept && !is_known; k++) is_known = is_same(s, &s->points[order[k]], &s->points[order[i]]);
        if (!is_known) order[kept++] = order[i];
    }
    return kept;
}

// ---- groups in a plane

typedef struct Group {
    const caromSolids *s;
    int n, member[CAROM_SOLIDS_MAX];
    bool is_kept[CAROM_SOLIDS_MAX];  // of points
} Group;

static bool is_with(const caromSolids *s, const caromTouchPoint *lowest, const caromTouchPoint *p)
{
    double off = carom_dot(lowest->n_AB, carom_sub(p->p_A, lowest->p_A));
    return carom_dot(lowest->n_AB, p->n_AB) > CAROM_TOUCH_FACING_COS && fabs(off) <= s->band;
}

// Along directions fixed to the mesh, that lie most in the plane: those of a grid in three planes would do as well.
static caromVec3 direction(const Group *g, caromVec3 n, int k)
{
    const caromMat3 *R = &g->s->pair->side[g->s->mesh].X.R;
    double x = fabs(carom_dot(R->cx, n)), y = fabs(carom_dot(R->cy, n)), z = fabs(carom_dot(R->cz, n)),
           angle = 2.0*CAROM_PI*k/CAROM_TOUCH_DIRECTIONS;
    caromVec3 e = z >= x && z >= y ? R->cx : x >= y ? R->cy : R->cz,
              f = z >= x && z >= y ? R->cy : x >= y ? R->cz : R->cx;
    return carom_axpy(cos(angle), e, carom_scale(sin(angle), f));
}

static void keep_farthest(Group *g, caromVec3 n, double most)
{
    for (int k = 0; k < CAROM_TOUCH_DIRECTIONS; k++) {
        caromVec3 d = direction(g, n, k);
        int best = -1;
        double far = -(double)INFINITY;
        for (int i = 0; i < g->n; i++) {
            const caromTouchPoint *p = &g->s->points[g->member[i]];
            double x = carom_dot(d, p->p_A);
            if (p->g <= most && x > far) far = x, best = g->member[i];
        }
        if (best >= 0) g->is_kept[best] = true;
    }
}

// The lowest of those left, and all that lie with it; returns how many are left.
static int take_group(Group *g, int *left, int nleft)
{
    int lowest = left[0], kept = 0;
    for (int i = 1; i < nleft; i++) if (g->s->points[left[i]].g < g->s->points[lowest].g) lowest = left[i];
    const caromTouchPoint *p = &g->s->points[lowest];
    g->n = 0;
    for (int i = 0; i < nleft; i++) {
        if (left[i] == lowest || is_with(g->s, p, &g->s->points[left[i]])) g->member[g->n++] = left[i];
        else left[kept++] = left[i];
    }
    g->is_kept[lowest] = true;
    if (g->n <= CAROM_TOUCH_GROUP_MOST) {
        for (int i = 0; i < g->n; i++) g->is_kept[g->member[i]] = true;
        return kept;
    }
    keep_farthest(g, p->n_AB, p->g + apart*g->s->pair->size);
    keep_farthest(g, p->n_AB, (double)INFINITY);
    return kept;
}

// Should even these be too many the lowest count.
static void drop_highest(caromTouchList *list)
{
    int worst = 0;
    for (int k = 1; k < list->n; k++) if (list->points[k].g > list->points[worst].g) worst = k;
    list->points[worst] = list->points[--list->n];
}

void carom_manifold_thin_out(const caromSolids *s, caromTouchList *list)
{
    int left[CAROM_SOLIDS_MAX], nleft = without_doubles(s, left);
    Group g = { .s = s };
    while (nleft > 0) nleft = take_group(&g, left, nleft);
    for (int i = 0; i < s->n; i++) {
        if (!g.is_kept[i]) continue;
        if (list->n == CAROM_TOUCH_POINTS_MAX) drop_highest(list);
        list->points[list->n++] = s->points[i];
    }
}
