// Contact of flat faces, as the force laws see it.
//
// The force on B is the integral of p n over the surface on which the pressures p_A and p_B balance (balance.c). It is the
// gradient of the energy
//
//     W = integral of min(p_A, p_B) over the overlap
//
// so it does no net work round a closed path, and it is a continuous function of the pose: corner, edge and face hand over
// by themselves.
#include "collide/fields.h"
#include "collide/patches.h"
#include "geometry/geometry.h"

typedef struct Moments {
    double n0, u, v, uu, uv, vv;  // integrals of p, p u, p v, p u u, ... over a polygon
} Moments;

static double triangle_area(const double *u, const double *v, int k)  // corners 0, k, k + 1
{
    return 0.5*((u[k] - u[0])*(v[k + 1] - v[0]) - (u[k + 1] - u[0])*(v[k] - v[0]));
}

// Integrals of p, p u, p v over the polygon. Products of linear functions f, g, h over a triangle of area A with corner values f_i, g_i, h_i:
//   int f g   = A/12 (Sf Sg + S(fg)),
//   int f g h = A/60 (Sf Sg Sh + S(fg) Sh + S(fh) Sg + S(gh) Sf + 2 S(fgh)),   S = sum over corners.
static Moments first_moments(int n, const double *p, const double *u, const double *v)
{
    Moments m = { 0 };
    double pu0 = p[0]*u[0], pv0 = p[0]*v[0];
    for (int k = 1; k + 1 < n; k++) {
        double area = triangle_area(u, v, k), sp = p[0] + p[k] + p[k + 1], su = u[0] + u[k] + u[k + 1], sv = v[0] + v[k] + v[k + 1];
        double spu = pu0 + p[k]*u[k] + p[k + 1]*u[k + 1], spv = pv0 + p[k]*v[k] + p[k + 1]*v[k + 1];
        m.n0 += area/3.0*sp;
        m.u += area/12.0*(sp*su + spu);
        m.v += area/12.0*(sp*sv + spv);
    }
    return m;
}

// Integrals of p, p u u, p u v, p v v.
static Moments second_moments(int n, const double *p, const double *u, const double *v)
{
    Moments m = { 0 };
    for (int k = 1; k + 1 < n; k++) {
        const int corner[3] = { 0, k, k + 1 };
        double area = triangle_area(u, v, k);
        double sp = 0, su = 0, sv = 0, spu = 0, spv = 0, suu = 0, suv = 0, svv = 0, spuu = 0, spuv = 0, spvv = 0;
        for (int i = 0; i < 3; i++) {
            double pi = p[corner[i]], ui = u[corner[i]], vi = v[corner[i]], pu = pi*ui, pv = pi*vi;
            sp += pi;
            su += ui;
            sv += vi;
            spu += pu;
            spv += pv;
            suu += ui*ui;
            suv += ui*vi;
            svv += vi*vi;
            spuu += pu*ui;
            spuv += pu*vi;
            spvv += pv*vi;
        }
        m.n0 += area/3.0*sp;
        m.uu += area/60.0*(sp*su*su + 2.0*spu*su + suu*sp + 2.0*spuu);
        m.uv += area/60.0*(sp*su*sv + spu*sv + spv*su + suv*sp + 2.0*spuv);
        m.vv += area/60.0*(sp*sv*sv + 2.0*spv*sv + svv*sp + 2.0*spvv);
    }
    return m;
}

void carom_patch_clear(caromPatch *patch)
{
    patch->ncell = 0;
    patch->depth = 0.0;
}

static caromCell lumped(const caromCell *a, const caromCell *b)
{
    caromVec3 f = carom_axpy(a->weight, a->n_AB, carom_scale(b->weight, b->n_AB));
    double total = a->weight + b->weight, share = total > 0.0 ? b->weight/total : 0.5;
    return (caromCell){ carom_axpy(share, carom_sub(b->p_W, a->p_W), a->p_W), carom_unit_or(f, a->n_AB), carom_norm(f) };
}

// A full patch is made half as long: neighbours become one, with the force of both. Cells of one polygon have one normal, so
// that the torque stays exact as well until every polygon is a single cell; the force always does.
static void make_room(caromPatch *patch)
{
    for (int i = 0; i < CAROM_CELLS_MAX/2; i++) patch->cells[i] = lumped(&patch->cells[2*i], &patch->cells[2*i + 1]);
    patch->ncell = CAROM_CELLS_MAX/2;
}

// Four cells of equal weight that have the total, the centre and the spread of the pressure: force, torque and the damping of
// rocking come out exactly, because the rule integrates p times any quadratic function.
void carom_patch_add(caromPatch *patch, const caromFacet *facet)
{
    double p[CAROM_FLAT_CORNERS_MAX], u[CAROM_FLAT_CORNERS_MAX], v[CAROM_FLAT_CORNERS_MAX];
    const caromFlat *flat = facet->flat;
    const caromSheet *sheet = &facet->sheet;
    if (flat->n < 3) return;
    for (int k = 0; k < flat->n; k++) {
        double at = carom_plane_at(facet->pressure, carom_sheet_point(sheet, flat->u[k], flat->v[k]));
        p[k] = at > 0.0 ? at : 0.0;
        if (p[k] > patch->depth) patch->depth = p[k];  // in unit fields the pressure is the depth of both together
        u[k] = flat->u[k] - flat->u[0];
        v[k] = flat->v[k] - flat->v[0];
    }
    Moments first = first_moments(flat->n, p, u, v);
    if (!(first.n0 > 0.0)) return;
    double cu = flat->u[0] + first.u/first.n0, cv = flat->v[0] + first.v/first.n0;
    for (int k = 0; k < flat->n; k++) {
        u[k] = flat->u[k] - cu;
        v[k] = flat->v[k] - cv;
    }
    Moments m = second_moments(flat->n, p, u, v);
    double l11 = sqrt(fmax(0.0, m.uu/m.n0));
    double l21 = l11 > 0.0 ? m.uv/m.n0/l11 : 0.0;
    double l22 = sqrt(fmax(0.0, m.vv/m.n0 - l21*l21));
    if (patch->ncell > CAROM_CELLS_MAX - 4) make_room(patch);
    for (int k = 0; k < 4; k++) {
        double a = k & 1 ? 1.0 : -1.0, b = k & 2 ? 1.0 : -1.0;
        caromVec3 x = carom_sheet_point(sheet, cu + a*l11, cv + a*l21 + b*l22);
        patch->cells[patch->ncell++] = (caromCell){ carom_add(x, facet->origin_W), facet->n_AB, 0.25*m.n0 };
    }
}

static void add_facet(const caromFacet *facet, void *patch)
{
    carom_patch_add(patch, facet);
}

void carom_shapes_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    carom_patch_clear(patch);
    if (a->kind <= b->kind) {
        carom_field_facets(a, X_WA, b, X_WB, add_facet, patch);
        return;
    }
    carom_field_facets(b, X_WB, a, X_WA, add_facet, patch);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].n_AB = carom_neg(patch->cells[i].n_AB);
}

static bool are_plane(const caromShape *a, const caromShape *b)
{
    return carom_field_has(a) && carom_field_has(b);
}

const caromPatchRow carom_patch_planes = { "plane faces", are_plane, carom_shapes_patch, carom_shapes_field_energy };

double carom_field_length_of(const caromShape *shape)
{
    return 0.877*sqrt(carom_shape_surface(*shape)/6.0);
}
