// Which pairs may meet soon, in scenes with many of them: the boxes that shapes stay in go through the broad phase, and
// only pairs whose boxes overlap are looked at. With few pairs, and for half-spaces, every pair is.
#include <stdlib.h>

#include "base/base.h"
#include "broad/near.h"
#include "broad/scales.h"

enum { FEW_PAIRS = 500 };  // below this looking at all of them takes no longer

static bool is_unbounded(const caromModel *m, int pair)
{
    const int *shape = m->pairs[pair].shape;
    return !carom_shape_is_bounded(m->shapes[shape[0]].shape) || !carom_shape_is_bounded(m->shapes[shape[1]].shape);
}

// Pairs stand by their first shape, then by their second.
static void find_rows(const caromModel *m, caromNearby *n)
{
    for (int pair = m->npair - 1; pair >= 0; pair--) n->row[m->pairs[pair].shape[0]] = pair;
    n->row[m->nshape] = m->npair;
    for (int i = m->nshape - 1; i >= 0; i--)
        if (n->row[i] < 0) n->row[i] = n->row[i + 1];
    for (int pair = 0; pair < m->npair; pair++)
        if (is_unbounded(m, pair)) n->unbounded[n->nunbounded++] = pair;
}

bool carom_broad_nearby_alloc(const caromModel *m, caromNearby *n)
{
    *n = (caromNearby){ 0 };
    if (m->npair <= FEW_PAIRS) return true;
    n->broad = carom_broad_create();
    n->boxes = carom_alloc_array((size_t)m->nshape, sizeof *n->boxes);
    n->row = carom_alloc_array((size_t)m->nshape + 1, sizeof *n->row);
    n->unbounded = carom_alloc_array((size_t)m->npair, sizeof *n->unbounded);
    if (!n->broad || !n->boxes || !n->row || !n->unbounded) return false;
    for (int i = 0; i <= m->nshape; i++) n->row[i] = -1;
    find_rows(m, n);
    return true;
}

void carom_broad_nearby_free(caromNearby *n)
{
    carom_broad_destroy(n->broad);
    free(n->boxes);
    free(n->row);
    free(n->unbounded);
    *n = (caromNearby){ 0 };
}

static int pair_of(const caromModel *m, const caromNearby *n, caromPair shapes)
{
    int low = n->row[shapes.a], end = n->row[shapes.a + 1], high = end;
    while (low < high) {
        int middle = low + (high - low)/2;
        if (m->pairs[middle].shape[1] < shapes.b) low = middle + 1;
        else high = middle;
    }
    return low < end && m->pairs[low].shape[1] == shapes.b ? low : -1;
}

static void visit_all(const caromModel *m, caromPairVisitor visit, void *user)
{
    for (int pair = 0; pair < m->npair; pair++) visit(user, pair);
}

// Those of the broad phase and those with half-spaces, by number.
caromStatus carom_broad_nearby_find(const caromModel *m, caromNearby *n, const caromKin *kin, const double *stray,
                                    caromPairVisitor visit, void *user)
{
    caromPairList list;
    if (!n->broad) {
        visit_all(m, visit, user);
        return CAROM_OK;
    }
    for (int i = 0; i < m->nshape; i++) {
        caromVec3 p = kin->X_WS[i].p;
        double r = m->shapes[i].radius + m->shapes[i].shell + stray[i],
               around = (1.0 + CAROM_BROAD_AROUND)*r + CAROM_BROAD_ROUNDED*(fabs(p.x) + fabs(p.y) + fabs(p.z));
        if (isnan(around)) around = INFINITY;  // nobody knows where it gets: then anywhere
        bool is_bounded = carom_shape_is_bounded(m->shapes[i].shape);  // the others have their own list: an empty box
        caromVec3 arm = carom_vec(around, around, around);
        n->boxes[i] = is_bounded ? (caromBox){ carom_sub(p, arm), carom_add(p, arm) }
                                 : (caromBox){ { 1, 1, 1 }, { 0, 0, 0 } };
    }
    caromStatus status = carom_broad_update(n->broad, n->boxes, NULL, m->nshape, NULL);
    if (status == CAROM_OK) status = carom_broad_pairs(n->broad, &list, NULL);
    if (status != CAROM_OK) return status;
    int k = 0;
    for (int64_t i = 0; i < list.count; i++) {
        int pair = pair_of(m, n, list.items[i]);
        if (pair < 0) continue;
        for (; k < n->nunbounded && n->unbounded[k] < pair; k++) visit(user, n->unbounded[k]);
        visit(user, pair);
    }
    for (; k < n->nunbounded; k++) visit(user, n->unbounded[k]);
    return CAROM_OK;
}

double carom_broad_rough_gap(const caromModel *model, const caromKin *kin, int pair)
{
    const int *shape = model->pairs[pair].shape;
    const caromModelShape *a = &model->shapes[shape[0]], *b = &model->shapes[shape[1]];
    caromVec3 d = carom_sub(kin->X_WS[shape[1]].p, kin->X_WS[shape[0]].p);
    double shell = model->pairs[pair].shell;
    if (!carom_shape_is_bounded(a->shape)) return carom_dot(kin->X_WS[shape[0]].R.cz, d) - b->radius - shell;
    if (!carom_shape_is_bounded(b->shape)) return -carom_dot(kin->X_WS[shape[1]].R.cz, d) - a->radius - shell;
    return carom_norm(d) - a->radius - b->radius - shell;
}
