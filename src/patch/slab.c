// A round body A over a face of a box B: what a half-space does to it (round.c), as long as the ball around it is over
// the face and away from its rims by the half thickness H of the thinner of both; the points of its surface (sampled.c)
// elsewhere. Points enter one by one, each with a kink of the force; below a face there are none. Between both,
//
//     W = (1 - s) W_points + s W_face,     s = f((m_1 - H)/H) f((m_2 - H)/H)
//
// with the distances m of the ball from the rims along the two edges of the face, f(x) from 0 at 0 to 1 at 1. The force
// is the gradient of this W: that of both, and s' (W_face - W_points) towards a rim, some percent of the force times
// depth over H.
//
// Where shapes are deep in each other it is points that are stiffened, whatever s is: each by its own depth, so that a
// tip does not leave a thin plate on the other side.
#include "geometry/geometry.h"
#include "patch/deep.h"
#include "patch/fields.h"
#include "patch/scales.h"

typedef struct OverFace {
    caromPose X_W;        // of the face, z outwards
    double share;         // s
    caromVec3 slope;      // its gradient as A moves, in W [1/m]
} OverFace;

// f and f': 10 x^3 - 15 x^4 + 6 x^5, with two derivatives that are 0 at both ends.
static double step_at(double x, double *slope)
{
    double y = fmin(1.0, fmax(0.0, x));
    *slope = 30.0*y*y*(1.0 - y)*(1.0 - y);
    return y*y*y*(10.0 + y*(6.0*y - 15.0));
}

static caromVec3 axis(int i, double along)
{
    return carom_vec(i == 0 ? along : 0.0, i == 1 ? along : 0.0, i == 2 ? along : 0.0);
}

static double half_thickness(const caromShape *a, const caromShape *b)
{
    return fmin(carom_shape_half_thickness(*a), carom_shape_half_thickness(*b));
}

// The face that A is over is the one beyond which it is farthest: where two are as good A is inside of B.
static OverFace face_below(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    caromCore core = carom_shape_core(b);
    caromVec3 c = carom_pose_inverse_point(X_WB, X_WA.p);
    double past[3] = { fabs(c.x) - core.h.x, fabs(c.y) - core.h.y, fabs(c.z) - core.h.z };
    int k = past[2] >= past[0] && past[2] >= past[1] ? 2 : past[0] >= past[1] ? 0 : 1, i = (k + 1) % 3, j = (k + 2) % 3;
    double up = carom_at(c, k) < 0.0 ? -1.0 : 1.0, H = half_thickness(a, b), R = carom_shape_radius(*a);
    double slope_i, slope_j;
    double f_i = step_at((-past[i] - R - H)/H, &slope_i), f_j = step_at((-past[j] - R - H)/H, &slope_j);
    double toward_i = carom_at(c, i) < 0.0 ? 1.0 : -1.0, toward_j = carom_at(c, j) < 0.0 ? 1.0 : -1.0;
    caromVec3 slope = carom_add(axis(i, toward_i*slope_i*f_j/H), axis(j, toward_j*slope_j*f_i/H));
    caromPose X_B = { { axis(i, 1.0), axis(j, up), axis(k, up) }, axis(k, up*(carom_at(core.h, k) + core.radius)) };
    return (OverFace){ carom_pose_mul(X_WB, X_B), f_i*f_j, carom_mul(X_WB.R, slope) };
}

// ---- force and energy

static void add_scaled(const caromCell *cells, int n, double part, caromPatch *patch)
{
    for (int i = 0; i < n; i++) {
        caromCell cell = cells[i];
        cell.weight *= part;
        carom_patch_cell(patch, &cell);
    }
}

static void blended(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const OverFace *over,
                    caromPatch *patch)
{
    caromShape plane = carom_shape_half_space();
    caromCell of_face[4];
    carom_patch_round.patch(a, X_WA, &plane, over->X_W, patch);
    int n = patch->ncell;
    double depth = patch->depth;
    for (int i = 0; i < n; i++) of_face[i] = patch->cells[i];
    carom_patch_sampled.patch(a, X_WA, b, X_WB, patch);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].weight *= 1.0 - over->share;
    add_scaled(of_face, n, over->share, patch);
    patch->depth = fmax(patch->depth, depth);
    double more = carom_patch_round.energy(a, X_WA, &plane, over->X_W) -
                  carom_patch_sampled.energy(a, X_WA, b, X_WB), size = carom_norm(over->slope)*fabs(more);
    if (!(size > 0.0)) return;
    caromVec3 n_AB = carom_unit_or(carom_scale(more, over->slope), over->X_W.R.cz);
    carom_patch_cell(patch, &(caromCell){ X_WA.p, n_AB, size });
}

static void slab_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    OverFace over = face_below(a, X_WA, b, X_WB);
    caromShape plane = carom_shape_half_space();
    if (over.share == 1.0) carom_patch_round.patch(a, X_WA, &plane, over.X_W, patch);
    else if (over.share == 0.0) carom_patch_sampled.patch(a, X_WA, b, X_WB, patch);
    else blended(a, X_WA, b, X_WB, &over, patch);
}

static double slab_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    OverFace over = face_below(a, X_WA, b, X_WB);
    caromShape plane = carom_shape_half_space();
    double points = over.share < 1.0 ? carom_patch_sampled.energy(a, X_WA, b, X_WB) : 0.0,
           face = over.share > 0.0 ? carom_patch_round.energy(a, X_WA, &plane, over.X_W) : 0.0;
    return (1.0 - over.share)*points + over.share*face;
}

static double slab_stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                                const caromStiffening *s)
{
    return carom_patch_sampled.stiff_energy(a, X_WA, b, X_WB, s);
}

// Is there a face of b that a has room on?
static bool is_round_on_box(const caromShape *a, const caromShape *b)
{
    if (b->kind != CAROM_BOX || !(carom_shape_is_curved(a) || a->kind == CAROM_TORUS)) return false;
    if (!carom_patch_sampled.serves(a, b)) return false;
    caromCore core = carom_shape_core(b);
    double room = carom_shape_radius(*a) + 2.0*half_thickness(a, b);
    return (core.h.x > room) + (core.h.y > room) + (core.h.z > room) >= 2;
}

const caromPatchRow carom_patch_slab = { "round bodies on faces of boxes", is_round_on_box, slab_patch, slab_energy,
                                         NULL, carom_patch_samples_steepen, slab_stiff_energy,
                                         CAROM_PATCH_FIELD_DEEPEST };
