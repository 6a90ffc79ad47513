// A round body A on a half-space B. A is taken for rigid and B for all that gives way, which is the limit of two
// pressure fields (cells.c) when one is much stiffer:
//
//     W = integral over A inside B of the depth below B's surface
//
// Moving B out along its normal n changes the depth everywhere at the same rate, so the force is k V n, V the volume of
// A inside B, and acts at the centroid of that volume: as if A floated. It is continuous with its first derivatives
// wherever V grows faster than depth; a flat face has F = k area depth exactly.
#include "geometry/geometry.h"
#include "patch/deep.h"
#include "patch/round.h"
#include "patch/scales.h"

static caromSurface surface_in(caromPose X_WA, caromPose X_WB)
{
    caromVec3 n = X_WB.R.cz;
    return (caromSurface){ carom_tmul(X_WA.R, X_WB.R.cy), carom_tmul(X_WA.R, X_WB.R.cx),
                           carom_neg(carom_tmul(X_WA.R, n)), carom_dot(n, carom_sub(X_WB.p, X_WA.p)) };
}

void carom_patch_immersed_in_plane(const caromImmersedSums *s, caromLowest at, const caromSurface *plane,
                                   caromImmersed *out)
{
    double xu = plane->x.x*at.ux + plane->x.y*at.uy, xv = plane->x.y*at.ux - plane->x.x*at.uy, xz = plane->x.z;
    double yu = plane->y.x*at.ux + plane->y.y*at.uy, yv = plane->y.y*at.ux - plane->y.x*at.uy, yz = plane->y.z;
    out->volume = s->v;
    out->energy = s->w;
    out->about = carom_vec(at.r*at.ux, at.r*at.uy, at.z);
    out->x = xu*s->u + xz*s->z;
    out->y = yu*s->u + yz*s->z;
    out->xx = xu*xu*s->uu + 2.0*xu*xz*s->uz + xz*xz*s->zz + xv*xv*s->vv;
    out->xy = xu*yu*s->uu + (xu*yz + xz*yu)*s->uz + xz*yz*s->zz + xv*yv*s->vv;
    out->yy = yu*yu*s->uu + 2.0*yu*yz*s->uz + yz*yz*s->zz + yv*yv*s->vv;
}

static caromImmersed immersed(const caromShape *a, caromPose X_WA, caromPose X_WB)
{
    caromSurface surface = surface_in(X_WA, X_WB);
    if (a->kind == CAROM_TORUS) return carom_patch_torus_below(a->size.x, a->size.y, &surface);
    caromCore core = carom_shape_core(a);
    return carom_patch_revolved_serves(&core) ? carom_patch_revolved_below(&core, &surface)
                                              : carom_patch_rounded_below(&core, &surface);
}

// Four cells of equal weight with the volume, centroid and spread of the part: force, torque and the damping of rocking
// come out exactly. They are laid out along the axes of the surface, not of the body, which would have none when it
// stands upright. The centroid is at the mean depth W/V.
static void add_cells(const caromImmersed *part, caromPose X_WA, caromPose X_WB, caromPatch *patch)
{
    caromVec3 tx = X_WB.R.cy, ty = X_WB.R.cx, n = X_WB.R.cz;
    double v = part->volume, x = part->x/v, y = part->y/v, up = part->depth - part->energy/v;
    caromVec3 centre = carom_axpy(x, tx, carom_axpy(y, ty, carom_axpy(up, n, carom_pose_point(X_WA, part->about))));
    double l11 = sqrt(fmax(0.0, part->xx/v - x*x)), l21 = l11 > 0.0 ? (part->xy/v - x*y)/l11 : 0.0,
           l22 = sqrt(fmax(0.0, part->yy/v - y*y - l21*l21));
    for (int k = 0; k < 4; k++) {
        double a = k & 1 ? 1.0 : -1.0, b = k & 2 ? 1.0 : -1.0;
        caromVec3 p = carom_axpy(a*l11, tx, carom_axpy(a*l21 + b*l22, ty, centre));
        patch->cells[patch->ncell++] = (caromCell){ p, carom_neg(n), 0.25*v };
    }
}

static void round_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    (void)b;
    carom_patch_clear(patch);
    caromImmersed part = immersed(a, X_WA, X_WB);
    if (!(part.volume > 0.0)) return;
    patch->depth = part.depth;
    add_cells(&part, X_WA, X_WB, patch);
}

static double round_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    (void)b;
    return immersed(a, X_WA, X_WB).energy;
}

static caromFloating floating_at(const caromShape *a, caromPose X_WA, caromPose X_WB)
{
    caromImmersed part = immersed(a, X_WA, X_WB);
    caromVec3 about = carom_scale(part.volume, carom_pose_point(X_WA, part.about));
    return (caromFloating){ part.energy, part.volume,
                            carom_axpy(part.x, X_WB.R.cy, carom_axpy(part.y, X_WB.R.cx, about)) };
}

static void stiffen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch)
{
    (void)b;
    carom_patch_floating_steepen(&(caromFloatingShape){ a, X_WA, X_WB, floating_at }, s, patch);
}

static double stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s)
{
    (void)b;
    return carom_patch_floating_steep_energy(&(caromFloatingShape){ a, X_WA, X_WB, floating_at }, s);
}

static bool is_round_on_half_space(const caromShape *a, const caromShape *b)
{
    return b->kind == CAROM_HALF_SPACE && (carom_shape_is_curved(a) || a->kind == CAROM_TORUS);
}

const caromPatchRow carom_patch_round = { "round bodies on a half-space", is_round_on_half_space, round_patch,
                                          round_energy, NULL, stiffen, stiff_energy,
                                          CAROM_PATCH_FLOATING_DEEPEST };
