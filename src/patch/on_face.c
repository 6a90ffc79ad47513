// A round body A on a plane face of a box or a polytope B: what a half-space does to it (round.c), as long as all of it
// stands over that face; the points of its surface (sampled.c) elsewhere. Points enter one by one, each with a kink of
// the force; on a face there are none, and a roller rolls on a plane and not on the corners of its points.
//
// A stands over face 1 when all of it is farther beyond the plane of that face than beyond any other's: inside the
// planes n_k.x - b_k = n_1.x - b_1 that halve the angles outside of the rims. What is below face 1 is then below
// nothing else. With the distances m_k of A from these planes,
//
//     W = (1 - s) W_points + s W_face,     s = product of f(m_k/r),
//
// f from 0 at 0 to 1 at 1, r half the half thickness of the thinner of both. Face 1 is that beyond which the middle of
// A is farthest; where two are as good, s is 0. The force is the gradient of this W: that of both, and (W_face -
// W_points) s' at the points of A that are nearest to these planes.
//
// Where shapes are deep in each other it is points that are stiffened, whatever s is: each by its own depth, so that a
// tip does not leave a thin plate on the other side.
#include "geometry/geometry.h"
#include "patch/deep.h"
#include "patch/fields.h"
#include "patch/scales.h"

// Polytopes of more faces are round to who lies on them.
enum { SIDES_MAX = 32 };

typedef struct FaceSide {     // n.x = b, n outwards, in the frame of B
    caromVec3 n;
    double b;
} FaceSide;

typedef struct Rim {      // a plane that A is near
    caromVec3 p_W, u_W;   // the nearest point of A, outwards
    double part, slope;   // f and f'/r [1/m]
} Rim;

typedef struct OverFace {
    caromPose X_W;        // of the face, z outwards
    double share;         // s
    int nrim;
    Rim rims[SIDES_MAX];
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

static int sides_of(const caromCore *core, FaceSide side[SIDES_MAX])
{
    if (core->kind == CAROM_CORE_HULL) {
        for (int i = 0; i < core->hull->nface; i++)
            side[i] = (FaceSide){ core->hull->normals[i], core->hull->offsets[i] + core->radius };
        return core->hull->nface;
    }
    for (int i = 0; i < 6; i++)
        side[i] = (FaceSide){ axis(i/2, i%2 ? -1.0 : 1.0), carom_at(core->h, i/2) + core->radius };
    return 6;
}

static int farthest_side(const FaceSide *side, int n, caromVec3 c)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (carom_dot(side[i].n, c) - side[i].b > carom_dot(side[best].n, c) - side[best].b) best = i;
    return best;
}

// The point of a that is farthest along the unit vector u, in its frame.
static caromVec3 farthest_point(const caromShape *a, caromVec3 u)
{
    if (a->kind != CAROM_TORUS) {
        caromCore core = carom_shape_core(a);
        return carom_axpy(core.radius, u, carom_shape_core_support(&core, u));
    }
    double across = hypot(u.x, u.y), ring = across > 0.0 ? a->size.x/across : 0.0;
    return carom_axpy(a->size.y, u, across > 0.0 ? carom_vec(ring*u.x, ring*u.y, 0.0) : carom_vec(a->size.x, 0, 0));
}

// `out` is the plane over that rim. Its part of s is 0, 1, or a rim that is added.
static void look_at_rim(const caromShape *a, caromPose X_WA, caromPose X_WB, FaceSide out, double room,
                        OverFace *over)
{
    caromVec3 u_W = carom_mul(X_WB.R, out.n), c = carom_pose_inverse_point(X_WB, X_WA.p);
    if (out.b - carom_dot(out.n, c) >= carom_shape_radius(*a) + room) return;
    caromVec3 p_W = carom_pose_point(X_WA, farthest_point(a, carom_tmul(X_WA.R, u_W)));
    double slope, part = step_at((out.b - carom_dot(out.n, carom_pose_inverse_point(X_WB, p_W)))/room, &slope);
    if (part > 0.0 && part < 1.0) over->rims[over->nrim++] = (Rim){ p_W, u_W, part, slope/room };
    over->share *= part;
}

static OverFace face_below(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    caromCore core = carom_shape_core(b);
    FaceSide side[SIDES_MAX];
    int n = sides_of(&core, side), at = farthest_side(side, n, carom_pose_inverse_point(X_WB, X_WA.p));
    double room = 0.5*fmin(carom_shape_half_thickness(*a), carom_shape_half_thickness(*b));
    caromVec3 z = side[at].n, x = carom_geometry_square_to(z);
    caromPose X_B = { { x, carom_cross(z, x), z }, carom_scale(side[at].b, z) };
    OverFace over = { .X_W = carom_pose_mul(X_WB, X_B), .share = 1.0 };
    for (int i = 0; i < n && over.share > 0.0; i++) {
        if (i == at) continue;
        caromVec3 u = carom_sub(side[i].n, z);
        double size = carom_norm(u);
        FaceSide out = { carom_scale(1.0/size, u), (side[i].b - side[at].b)/size };
        look_at_rim(a, X_WA, X_WB, out, room, &over);
    }
    return over;
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

// On B where A would gain `more` of W if it came over the face.
static void add_rims(const OverFace *over, double more, caromPatch *patch)
{
    for (int i = 0; i < over->nrim; i++) {
        const Rim *rim = &over->rims[i];
        double size = -more*rim->slope*over->share/rim->part;
        caromVec3 n_AB = carom_scale(size < 0.0 ? -1.0 : 1.0, rim->u_W);
        if (size != 0.0) carom_patch_cell(patch, &(caromCell){ rim->p_W, n_AB, fabs(size) });
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
    add_rims(over, carom_patch_round.energy(a, X_WA, &plane, over->X_W) -
                   carom_patch_sampled.energy(a, X_WA, b, X_WB), patch);
}

static void on_face_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    OverFace over = face_below(a, X_WA, b, X_WB);
    caromShape plane = carom_shape_half_space();
    if (over.share == 1.0) carom_patch_round.patch(a, X_WA, &plane, over.X_W, patch);
    else if (over.share == 0.0) carom_patch_sampled.patch(a, X_WA, b, X_WB, patch);
    else blended(a, X_WA, b, X_WB, &over, patch);
}

static double on_face_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    OverFace over = face_below(a, X_WA, b, X_WB);
    caromShape plane = carom_shape_half_space();
    double points = over.share < 1.0 ? carom_patch_sampled.energy(a, X_WA, b, X_WB) : 0.0,
           face = over.share > 0.0 ? carom_patch_round.energy(a, X_WA, &plane, over.X_W) : 0.0;
    return (1.0 - over.share)*points + over.share*face;
}

static double on_face_stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                                   const caromStiffening *s)
{
    return carom_patch_sampled.stiff_energy(a, X_WA, b, X_WB, s);
}

static bool has_plane_faces(const caromShape *b)
{
    return b->kind == CAROM_BOX || (b->kind == CAROM_POLYTOPE && b->hull->nface <= SIDES_MAX);
}

static bool is_round_on_faces(const caromShape *a, const caromShape *b)
{
    bool is_round = carom_shape_is_curved(a) || a->kind == CAROM_TORUS;
    return is_round && has_plane_faces(b) && carom_patch_sampled.serves(a, b);
}

const caromPatchRow carom_patch_on_face = { "round bodies on plane faces", is_round_on_faces, on_face_patch,
                                            on_face_energy, NULL, carom_patch_samples_steepen, on_face_stiff_energy,
                                            CAROM_PATCH_FIELD_DEEPEST };
