// The surface between boxes, and between a box and a half-space.
//
// The region is the smaller box, in its own axes, cut down by the faces of both; it leaves few of the twelve faces, and
// tells which of them come near each other.
#include "base/scratch.h"
#include "patch/blocks.h"
#include "patch/scales.h"

// A box, or with one axis (its outer normal) a half-space.
typedef struct FaceBlock {
    int naxis;
    caromVec3 axis[3], centre;  // about the origin
    double h[3], k;
} FaceBlock;

static FaceBlock block_of(const caromShape *shape, caromPose X_WS, caromVec3 origin_W, double k)
{
    const caromMat3 R = X_WS.R;
    caromVec3 centre = carom_sub(X_WS.p, origin_W), half = carom_scale(0.5, shape->size);
    if (shape->kind == CAROM_BOX) return (FaceBlock){ 3, { R.cx, R.cy, R.cz }, centre, { half.x, half.y, half.z }, k };
    return (FaceBlock){ 1, { R.cz }, centre, { 0 }, k };
}

static int face_count(const FaceBlock *s)
{
    return s->naxis == 3 ? CAROM_FIELD_FACES : 1;
}

// Pressures of all faces in the axes of a box. Faces come in pairs, the first one where the axis points.
static void see(const FaceBlock *s, const FaceBlock *box, caromLinear *f)
{
    caromVec3 apart = carom_sub(box->centre, s->centre);
    for (int m = 0; m < s->naxis; m++) {
        caromVec3 axis = carom_scale(s->k, s->axis[m]);
        double along = carom_dot(axis, apart), x = carom_dot(axis, box->axis[0]), y = carom_dot(axis, box->axis[1]),
               z = carom_dot(axis, box->axis[2]);
        f[2*m] = (caromLinear){ s->k*s->h[m] - along, { -x, -y, -z } };
        if (s->naxis > 1) f[2*m + 1] = (caromLinear){ s->k*s->h[m] + along, { x, y, z } };
    }
}

// A box, about the centre of another one that has the same axes.
typedef struct InnerBox {
    double x[3], h[3];
} InnerBox;

static double value_at(const caromLinear *f, const double x[3])
{
    return f->at + f->slope[0]*x[0] + f->slope[1]*x[1] + f->slope[2]*x[2];
}

static double width_over(const caromLinear *f, const double h[3])
{
    return fabs(f->slope[0])*h[0] + fabs(f->slope[1])*h[1] + fabs(f->slope[2])*h[2];
}

// Points with a negative pressure are outside. Where it is highest, in a corner, it is high; what is left along each
// axis goes from there to where it is zero on the edge.
static void trim(const caromLinear *f, double high, InnerBox *q)
{
    for (int k = 0; k < 3; k++) {
        double steep = fabs(f->slope[k]);
        if (!(high < 2.0*steep*q->h[k])) continue;
        double half = 0.5*high/steep;
        q->x[k] += f->slope[k] > 0.0 ? q->h[k] - half : half - q->h[k];
        q->h[k] = half;
    }
}

// Cuts the part down to what is inside all faces, and finds a bound of the pressure. False: nothing is left.
static bool cut_down(const caromLinear *f, int n, double slack, InnerBox *q, double *top)
{
    for (int i = 0; i < n; i++) {
        double high = value_at(&f[i], q->x) + width_over(&f[i], q->h);
        if (high <= 0.0) return false;
        high += slack;
        if (high < *top) *top = high;
        trim(&f[i], high, q);
    }
    return true;
}

typedef struct BlockPair {
    FaceBlock a, b;
    const FaceBlock *box;  // the smaller of them
    caromVec3 origin_W;
} BlockPair;

static void place(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, BlockPair *pair)
{
    double ra2 = 0.25*carom_norm2(a->size), rb2 = b->kind == CAROM_BOX ? 0.25*carom_norm2(b->size) : (double)INFINITY;
    bool is_a = ra2 <= rb2;
    pair->origin_W = is_a ? X_WA.p : X_WB.p;
    pair->a = block_of(a, X_WA, pair->origin_W, carom_field_softer());
    pair->b = block_of(b, X_WB, pair->origin_W, carom_field_stiffer());
    pair->box = is_a ? &pair->a : &pair->b;
}

// Roundings of the offsets of planes: some ulps of the distances in them; and a little of the size.
static double slack_of(const BlockPair *p)
{
    const FaceBlock *a = &p->a, *b = &p->b, *box = p->box;
    double size = box->h[0] + box->h[1] + box->h[2], sizes = a->h[0] + a->h[1] + a->h[2] + b->h[0] + b->h[1] + b->h[2];
    caromVec3 apart = carom_sub(b->centre, a->centre);
    return CAROM_PATCH_SLACK*size + CAROM_PATCH_ROUNDED*(sizes + fabs(apart.x) + fabs(apart.y) + fabs(apart.z));
}

// Lists the faces that are somewhere in the part not above top; returns how many.
static int list_low(const caromLinear *f, int count, const InnerBox *q, double top, caromLinear *in, int *id)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        double at = value_at(&f[i], q->x);
        if (at - width_over(&f[i], q->h) > top) continue;
        in[n] = f[i];
        in[n].at = at;
        id[n++] = i;
    }
    return n;
}

static bool find_meeting(const BlockPair *pair, caromMeeting *m)
{
    const FaceBlock *a = &pair->a, *b = &pair->b, *box = pair->box;
    caromLinear of_a[CAROM_FIELD_FACES], of_b[CAROM_FIELD_FACES];
    int count_a = face_count(a), count_b = face_count(b), id_b[CAROM_FIELD_FACES];
    see(a, box, of_a);
    see(b, box, of_b);
    m->slack = slack_of(pair);
    m->top = INFINITY;
    InnerBox q = { { 0, 0, 0 }, { box->h[0] + m->slack, box->h[1] + m->slack, box->h[2] + m->slack } };
    if (!cut_down(of_b, count_b, m->slack*b->k, &q, &m->top) || !cut_down(of_a, count_a, m->slack*a->k, &q, &m->top))
        return false;
    m->na = list_low(of_a, count_a, &q, m->top, m->in, m->id_a);
    m->nb = list_low(of_b, count_b, &q, m->top, &m->in[m->na], id_b);
    caromVec3 c = carom_axpy(q.x[0], box->axis[0], carom_axpy(q.x[1], box->axis[1], carom_scale(q.x[2], box->axis[2])));
    m->region = (caromRegion){ { box->axis[0], box->axis[1], box->axis[2] }, c, { q.h[0], q.h[1], q.h[2] } };
    m->is_part = false;
    m->origin_W = pair->origin_W;
    m->hull_a = NULL;
    m->R_QA = (caromMat3){ carom_patch_region_axes(&m->region, a->axis[0]),
                           carom_patch_region_axes(&m->region, a->axis[1]),
                           carom_patch_region_axes(&m->region, a->axis[2]) };
    return true;
}

static void meet(const caromMeeting *m, caromNearFaces *near, caromFlat *flat, caromFacetVisitor visit, void *user)
{
    caromFacet facet;
    carom_patch_meeting_prepare(m, near);
    for (int i = 0; i < m->na; i++) {
        for (int j = m->na; j < m->na + m->nb; j++) {
            if (carom_patch_may_meet(m, near, i, j) && carom_patch_meeting_facet(m, near, i, j, flat, &facet))
                visit(&facet, user);
        }
    }
}

void carom_patch_block_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                              caromFacetVisitor visit, void *user)
{
    BlockPair pair;
    void *taken;
    struct { caromMeeting m; caromNearFaces near; caromFlat flat; } *s = CAROM_SCRATCH_OR_STACK(sizeof *s, taken);
    place(a, X_WA, b, X_WB, &pair);
    if (find_meeting(&pair, &s->m)) meet(&s->m, &s->near, &s->flat, visit, user);
    carom_scratch_give_back(taken);
}

double carom_patch_block_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    BlockPair pair;
    void *taken;
    struct { caromMeeting m; caromNearFaces near; caromFlat flat; } *s = CAROM_SCRATCH_OR_STACK(sizeof *s, taken);
    double energy = 0.0;
    place(a, X_WA, b, X_WB, &pair);
    if (find_meeting(&pair, &s->m)) {
        const caromMeeting *m = &s->m;
        carom_patch_meeting_prepare(m, &s->near);
        for (int i = 0; i < m->na + m->nb; i++) {
            for (int j = i + 1; j < m->na + m->nb; j++) {
                if (carom_patch_may_meet(m, &s->near, i, j))
                    energy += carom_patch_meeting_energy(m, &s->near, i, j, &s->flat);
            }
        }
    }
    carom_scratch_give_back(taken);
    return energy;
}
