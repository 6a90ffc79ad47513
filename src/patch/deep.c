// Shapes that are deep in each other press harder than their law says, so that they do not pass through each other.
#include "patch/deep.h"

#include "geometry/geometry.h"
#include "math/gauss.h"
#include "patch/scales.h"

// With u = 1 - x: (1 - u)^5/u^5 = 1/u^5 - 5/u^4 + 10/u^3 - 10/u^2 + 5/u - 1.
double carom_patch_steep_integral(const caromStiffening *s, double depth)
{
    if (depth <= s->from) return 0.0;
    double u = (s->to - depth)/(s->to - s->from);
    return u > 0.0 ? (s->to - s->from)*((((0.25/u - 5.0/3.0)/u + 5.0)/u - 10.0)/u - 5.0*log(u) + u + 65.0/12.0)
                   : (double)INFINITY;
}

double carom_patch_steepness(const caromStiffening *s, double depth)
{
    if (depth <= s->from) return 0.0;
    double left = s->to - depth, y = (depth - s->from)/left, whole = s->to - s->from;
    return left > 0.0 ? depth*s->from*5.0*y*y*y*y*whole/(left*left*(depth + s->from*y*y*y*y*y)) : (double)INFINITY;
}

// ---- facets

typedef struct SteepMoments {  // integrals of y^5 times 1, u, v, u^2, u v, v^2 from a point on
    double u0, v0;
    double one, u, v, uu, uv, vv;
} SteepMoments;

// A triangle as a square of which one side is a corner: r goes from that corner to the side across.
static void add_triangle(const caromStiffening *s, const caromTrace *p, const double u[3], const double v[3],
                         SteepMoments *m)
{
    double twice = (u[1] - u[0])*(v[2] - v[0]) - (u[2] - u[0])*(v[1] - v[0]);
    for (int i = 0; i < 8; i++) {
        double r = 0.5*(1.0 + carom_gauss_8[i].x), w_r = 0.25*carom_gauss_8[i].w*r*twice;
        for (int k = 0; k < 8; k++) {
            double t = 0.5*(1.0 + carom_gauss_8[k].x);
            double at_u = u[0] + r*((1.0 - t)*(u[1] - u[0]) + t*(u[2] - u[0])),
                   at_v = v[0] + r*((1.0 - t)*(v[1] - v[0]) + t*(v[2] - v[0]));
            double w = w_r*carom_gauss_8[k].w*carom_patch_steep(s, carom_sheet_trace_at(*p, at_u, at_v)),
                   x = at_u - m->u0, y = at_v - m->v0;
            m->one += w;
            m->u += w*x, m->v += w*y;
            m->uu += w*x*x, m->uv += w*x*y, m->vv += w*y*y;
        }
    }
}

// Towards `to` in bands of half the way that is left: the pole of y^5 is then as far from a band as the band is wide,
// and 8 points are off by (3 + sqrt(8))^-16 = 5e-13.
static void add_bands(const caromStiffening *s, const caromFacet *facet, double most, SteepMoments *m)
{
    const caromTrace *p = &facet->pressure;
    double whole = s->to - s->from, below = 0.0;
    while (s->from + below*whole < most) {
        double low = s->from + below*whole, high = s->from + 0.5*(1.0 + below)*whole;
        caromFlat band = *facet->flat;
        carom_sheet_flat_cut(&band, p->at - low, p->u, p->v);
        carom_sheet_flat_cut(&band, high - p->at, -p->u, -p->v);
        for (int k = 1; k + 1 < band.n; k++)
            add_triangle(s, p, (double[]){ band.u[0], band.u[k], band.u[k + 1] },
                         (double[]){ band.v[0], band.v[k], band.v[k + 1] }, m);
        below = 0.5*(1.0 + below);
    }
}

static double most_of(const caromFacet *facet)
{
    double most = 0.0;
    for (int k = 0; k < facet->flat->n; k++)
        most = fmax(most, carom_sheet_trace_at(facet->pressure, facet->flat->u[k], facet->flat->v[k]));
    return most;
}

static SteepMoments steep_moments(const caromStiffening *s, const caromFacet *facet)
{
    SteepMoments m = { .u0 = facet->flat->u[0], .v0 = facet->flat->v[0] };
    double most = most_of(facet);
    if (facet->flat->n > 2 && most > s->from && most < s->to) add_bands(s, facet, most, &m);
    return m;
}

void carom_patch_add_steep(const caromStiffening *s, const caromFacet *facet, caromPatch *patch)
{
    SteepMoments m = steep_moments(s, facet);
    if (!(m.one > 0.0)) return;
    double u = m.u/m.one, v = m.v/m.one;
    caromCellMoments cells = { s->from*m.one, m.u0 + u, m.v0 + v, m.uu/m.one - u*u, m.uv/m.one - u*v,
                               m.vv/m.one - v*v };
    carom_patch_add_moments(patch, facet, &cells);
}

typedef struct Stiffened {
    const caromStiffening *s;
    caromPatch *patch;
} Stiffened;

static void stiffen_facet(const caromFacet *facet, void *user)
{
    const Stiffened *to = user;
    carom_patch_add_steep(to->s, facet, to->patch);
}

void carom_patch_facets_stiffen(const caromFacetSource *of, const caromStiffening *s, caromPatch *patch)
{
    patch->is_through = !(patch->depth < s->to);
    if (patch->depth > s->from && !patch->is_through) of->each(of, stiffen_facet, &(Stiffened){ s, patch });
}

// ---- their energy: what the force that is added does on a way out

typedef struct SteepForce {
    const caromStiffening *s;
    caromVec3 on_b;   // over k [m^3]
    double most;      // largest depth [m]
} SteepForce;

static void add_steep_force(const caromFacet *facet, void *user)
{
    SteepForce *f = user;
    f->most = fmax(f->most, most_of(facet));
    f->on_b = carom_axpy(f->s->from*facet->stretch*steep_moments(f->s, facet).one, facet->n_AB, f->on_b);
}

static SteepForce steep_force(const caromFacetSource *of, const caromStiffening *s, caromVec3 moved)
{
    SteepForce f = { .s = s };
    caromFacetSource there = *of;
    there.X_WB.p = carom_add(there.X_WB.p, moved);
    of->each(&there, add_steep_force, &f);
    return f;
}

// How far b has to be moved along n until nothing is deep: within halvings of a way that is long enough.
static double way_out(const caromFacetSource *of, const caromStiffening *s, caromVec3 n, double first)
{
    double low = 0.0, high = first;
    for (int i = 0; i < CAROM_PATCH_WAY_DOUBLINGS && steep_force(of, s, carom_scale(high, n)).most > s->from; i++)
        low = high, high *= 2.0;
    for (int i = 0; i < CAROM_PATCH_WAY_HALVINGS; i++) {
        double middle = 0.5*(low + high);
        if (steep_force(of, s, carom_scale(middle, n)).most > s->from) low = middle;
        else high = middle;
    }
    return high;
}

// The force is a gradient, so that any way does; panels are as short as what is left to the pole of y^5 at first, and
// then double.
double carom_patch_facets_stiff_energy(const caromFacetSource *of, const caromStiffening *s)
{
    SteepForce start = steep_force(of, s, carom_vec(0, 0, 0));
    if (!(start.most > s->from)) return 0.0;
    if (!(start.most < s->to)) return (double)INFINITY;
    caromVec3 n = carom_unit_or(start.on_b, carom_vec(0, 0, 1));
    double end = way_out(of, s, n, start.most - s->from), left = 0.0, energy = 0.0, panel = end;
    while (panel > s->to - start.most) panel *= 0.5;
    for (int i = 0; left < end; i++) {
        double right = fmin(end, left + panel);
        for (int k = 0; k < 8; k++) {
            double at = left + 0.5*(1.0 + carom_gauss_8[k].x)*(right - left);
            energy += 0.5*carom_gauss_8[k].w*(right - left)*
                      carom_dot(n, steep_force(of, s, carom_scale(at, n)).on_b);
        }
        if (i > 0) panel *= 2.0;
        left = right;
    }
    return energy;
}

// ---- floating

// Area of a plate of the same volume and thickness.
static double plate_area(const caromShape *a)
{
    return 0.5*carom_shape_volume(*a)/carom_shape_half_thickness(*a);
}

void carom_patch_floating_stiffen(const caromShape *a, double energy, const caromStiffening *s, caromPatch *patch)
{
    double depth = patch->steep_at = sqrt(2.0*fmax(0.0, energy)/plate_area(a));
    if (depth <= s->from) return;
    double times = 1.0 + s->from*carom_patch_steep(s, depth)/depth;
    patch->is_through = !(depth < s->to);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].weight *= times;
}

double carom_patch_floating_stiff_energy(const caromShape *a, double energy, const caromStiffening *s)
{
    double area = plate_area(a);
    return area*s->from*carom_patch_steep_integral(s, sqrt(2.0*fmax(0.0, energy)/area));
}

// ---- floating, by the mean depth of what is below

// V, and the place of its centroid times V.
static caromFloating moved_by(const caromFloatingShape *of, double up)
{
    caromPose X_WB = { of->X_WB.R, carom_axpy(up, of->X_WB.R.cz, of->X_WB.p) };
    return of->at(of->a, of->X_WA, X_WB);
}

static double mean_depth(const caromFloating *f)
{
    return f->volume > 0.0 ? 2.0*f->energy/f->volume : 0.0;
}

// U = V/e from S(e): dU/dW = 2 from (S' - S/e)/e, dU/dV = -from (S' - 2 S/e).
void carom_patch_floating_steepen(const caromFloatingShape *of, const caromStiffening *s, caromPatch *patch)
{
    caromFloating here = moved_by(of, 0.0);
    double e = mean_depth(&here), step = CAROM_PATCH_WATERLINE*e;
    patch->steep_at = e;
    if (e <= s->from) return;
    patch->is_through = !(e < s->to);
    if (patch->is_through) return;
    caromFloating high = moved_by(of, step), low = moved_by(of, -step);
    double S = carom_patch_steep_integral(s, e), rise = carom_patch_steep(s, e), by_energy = 2.0*s->from*(rise - S/e)/e,
           by_volume = -s->from*(rise - 2.0*S/e), area = (high.volume - low.volume)/(2.0*step);
    caromVec3 waterline = carom_scale(0.5/step, carom_sub(high.moment, low.moment));
    double volume = here.volume + by_energy*here.volume + by_volume*area;
    caromVec3 moment = carom_axpy(by_volume, waterline, carom_scale(1.0 + by_energy, here.moment)), n = of->X_WB.R.cz,
              moved = carom_sub(carom_scale(1.0/volume, moment), carom_scale(1.0/here.volume, here.moment));
    moved = carom_axpy(-carom_dot(moved, n), n, moved);
    for (int i = 0; i < patch->ncell; i++) {
        patch->cells[i].weight *= volume/here.volume;
        patch->cells[i].p_W = carom_add(patch->cells[i].p_W, moved);
    }
}

double carom_patch_floating_steep_energy(const caromFloatingShape *of, const caromStiffening *s)
{
    caromFloating here = moved_by(of, 0.0);
    double e = mean_depth(&here);
    return e > s->from ? here.volume/e*s->from*carom_patch_steep_integral(s, e) : 0.0;
}
