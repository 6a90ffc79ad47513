// Contact of flat faces, as the force laws see it.
//
// The force on B is the integral of p n over the surface on which the pressures p_A and p_B balance (balance.c). It is
// the gradient of the energy
//
//     W = integral of min(p_A, p_B) over the overlap
//
// so it does no net work round a closed path, and it is a continuous function of the pose: corner, edge and face
// hand over by themselves.
#include "geometry/geometry.h"
#include "patch/deep.h"
#include "patch/scales.h"

// Integrals over the triangles between corner 0 and each side. Products of linear functions f, g, h over a triangle of
// area A with corner values f_i, g_i, h_i:
//   int f g   = A/12 (Sf Sg + S(fg)),
//   int f g h = A/60 (Sf Sg Sh + S(fg) Sh + S(fh) Sg + S(gh) Sf + 2 S(fgh)),   S = sum over corners.
// u and v are counted from corner 0, where their terms vanish; the sums are 6, 24 and 60 times the integrals.
static caromCellMoments moments_of(const caromFlat *flat, const double *p)
{
    double n0 = 0.0, u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, vv = 0.0, area = 0.0;
    double u1 = flat->u[1] - flat->u[0], v1 = flat->v[1] - flat->v[0], p1 = p[1];
    for (int k = 2; k < flat->n; k++) {
        double u2 = flat->u[k] - flat->u[0], v2 = flat->v[k] - flat->v[0], p2 = p[k];
        double twice = u1*v2 - u2*v1, both = p1 + p2, sp = p[0] + both, one = twice*(sp + p1), two = twice*(sp + p2);
        double one_one = one + twice*p1, two_two = two + twice*p2, one_two = twice*(sp + both);
        n0 += twice*sp;
        area += 0.5*twice;
        u += one*u1 + two*u2;
        v += one*v1 + two*v2;
        uu += u1*(one_one*u1 + one_two*u2) + two_two*u2*u2;
        uv += v1*one_one*u1 + v2*two_two*u2 + 0.5*one_two*(u1*v2 + u2*v1);
        vv += v1*(one_one*v1 + one_two*v2) + two_two*v2*v2;
        u1 = u2, v1 = v2, p1 = p2;
    }
    double s = n0 > CAROM_PATCH_TINY ? 1.0/n0 : 0.0, mean_u = 0.25*s*u, mean_v = 0.25*s*v;
    s *= 0.1;
    return (caromCellMoments){ n0*(1.0/6.0), flat->u[0] + mean_u, flat->v[0] + mean_v, s*uu - mean_u*mean_u,
                          s*uv - mean_u*mean_v, s*vv - mean_v*mean_v, area };
}

void carom_patch_clear(caromPatch *patch)
{
    patch->ncell = 0;
    patch->depth = patch->energy = 0.0;
    patch->is_through = false;
}

static caromCell lumped(const caromCell *a, const caromCell *b)
{
    caromVec3 f = carom_axpy(a->weight, a->n_AB, carom_scale(b->weight, b->n_AB));
    double total = a->weight + b->weight, share = total > 0.0 ? b->weight/total : 0.5;
    return (caromCell){ carom_axpy(share, carom_sub(b->p_W, a->p_W), a->p_W), carom_unit_or(f, a->n_AB),
                        carom_norm(f), a->area + b->area };
}

// A full patch is made half as long: neighbours become one, with the force of both. Cells of one polygon have one
// normal, so that the torque stays exact as well until every polygon is a single cell; the force always does.
static void make_room(caromPatch *patch)
{
    int n = patch->ncell/2, odd = patch->ncell%2;
    for (int i = 0; i < n; i++) patch->cells[i] = lumped(&patch->cells[2*i], &patch->cells[2*i + 1]);
    if (odd) patch->cells[n] = patch->cells[2*n];
    patch->ncell = n + odd;
}

void carom_patch_cell(caromPatch *patch, const caromCell *cell)
{
    if (patch->ncell == CAROM_CELLS_MAX) make_room(patch);
    patch->cells[patch->ncell++] = *cell;
}

// Two directions of which the first spreads as the pressure does, C = a a^T + b b^T (C the covariance of m), and the
// second is along w: Cholesky's factor in axes of which the second is w.
static void spread(const caromCellMoments *m, const double w[2], double a[2], double b[2])
{
    double cu = m->uu*w[1] - m->uv*w[0], cv = m->uv*w[1] - m->vv*w[0], square = cu*w[1] - cv*w[0];
    double s = square > 0.0 ? 1.0/sqrt(square) : 0.0, rest = m->uu*m->vv - m->uv*m->uv,
           t = rest > 0.0 ? s*sqrt(rest) : 0.0;
    a[0] = s*cu, a[1] = s*cv;
    b[0] = t*w[0], b[1] = t*w[1];
}

static caromVec3 in_sheet(const caromSheet *sheet, const double d[2])
{
    return carom_axpy(d[0], sheet->t1, carom_scale(d[1], sheet->t2));
}

// Four cells of equal weight that have the total, the centre and the spread of the pressure: force, torque and the
// damping of rocking come out exactly, because the rule integrates p times any quadratic function.
void carom_patch_add_moments(caromPatch *patch, const caromFacet *facet, const caromCellMoments *m)
{
    double a[2], b[2];
    spread(m, facet->across, a, b);
    caromVec3 centre = carom_add(carom_sheet_point(&facet->sheet, m->u, m->v), facet->origin_W);
    caromVec3 one = in_sheet(&facet->sheet, a), two = in_sheet(&facet->sheet, b), sum = carom_add(one, two),
              difference = carom_sub(one, two);
    double weight = 0.25*facet->stretch*m->n0, area = 0.25*facet->stretch*m->area;
    if (patch->ncell > CAROM_CELLS_MAX - 4) make_room(patch);
    caromCell *cell = &patch->cells[patch->ncell];
    cell[0] = (caromCell){ carom_sub(centre, sum), facet->n_AB, weight, area };
    cell[1] = (caromCell){ carom_add(centre, difference), facet->n_AB, weight, area };
    cell[2] = (caromCell){ carom_sub(centre, difference), facet->n_AB, weight, area };
    cell[3] = (caromCell){ carom_add(centre, sum), facet->n_AB, weight, area };
    patch->ncell += 4;
}

void carom_patch_add(caromPatch *patch, const caromFacet *facet)
{
    double p[CAROM_FLAT_CORNERS_MAX];
    const caromFlat *flat = facet->flat;
    if (flat->n < 3) return;
    for (int k = 0; k < flat->n; k++) {
        double at = carom_sheet_trace_at(facet->pressure, flat->u[k], flat->v[k]);
        p[k] = at > 0.0 ? at : 0.0;
        if (p[k] > patch->depth) patch->depth = p[k];  // in unit fields the pressure is the depth of both together
    }
    caromCellMoments m = moments_of(flat, p);
    if (!(m.n0 > 0.0)) return;
    carom_patch_add_moments(patch, facet, &m);
}

static void add_facet(const caromFacet *facet, void *patch)
{
    carom_patch_add(patch, facet);
}

void carom_patch_shapes(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
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

// ---- deep

typedef struct Mirrored {
    caromFacetVisitor visit;
    void *user;
} Mirrored;

static void visit_mirrored(const caromFacet *facet, void *user)
{
    const Mirrored *to = user;
    caromFacet other = *facet;
    other.n_AB = carom_neg(facet->n_AB);
    to->visit(&other, to->user);
}

static void each_facet(const caromFacetSource *of, caromFacetVisitor visit, void *user)
{
    if (of->a->kind <= of->b->kind) carom_field_facets(of->a, of->X_WA, of->b, of->X_WB, visit, user);
    else carom_field_facets(of->b, of->X_WB, of->a, of->X_WA, visit_mirrored, &(Mirrored){ visit, user });
}

static void stiffen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch)
{
    carom_patch_facets_stiffen(&(caromFacetSource){ a, b, X_WA, X_WB, each_facet }, s, patch);
}

static double stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s)
{
    return carom_patch_facets_stiff_energy(&(caromFacetSource){ a, b, X_WA, X_WB, each_facet }, s);
}

const caromPatchRow carom_patch_planes = { "plane faces", are_plane, carom_patch_shapes, carom_patch_shapes_energy,
                                           NULL, stiffen, stiff_energy, CAROM_PATCH_FIELDS_DEEPEST };

double carom_field_length_of(const caromShape *shape)
{
    return 0.877*sqrt(carom_shape_surface(*shape)/6.0);
}
