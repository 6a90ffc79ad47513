// How a patch holds a body whose contacts look into many directions: a taper in its socket, a ball in a
// groove, what is held by jaws.
//
// Cells press with f_i along n_i at x_i = c + r_i. A twist V = (v, L w) of B against A, at the centre c and with w
// times a length L, moves B over A at cell i with
//
//     M_i V = ( (1 - n_i n_i^T)(v + w x r_i),  b n_i.w )           b: arm of torsion of a point
//
// Bristles of all the cells together bend by U = A V, and give back the wrench A^T F. With
//
//     K = sum f_i M_i^T M_i/sum f_i,     A = sqrt(K) = sum sigma_j e_j e_j^T
//
// |U| is the root mean square of the slips: what slips everywhere alike meets mu sum f_i, whatever the directions. A
// taper of half angle alpha pulled along its axis has A V = cos(alpha) V. The root of K is a function of K alone,
// continuous also where K is singular; of another A with A^T A = K, by Cholesky say, it would matter how W lies.
//
// Coulomb's law goes by the mean slip and not by the root mean square. So the limit is smaller by the part
// `evenness` <= 1, that of the slips which this bend P would have, A V = P: bodies that slide steadily in whatever way
// then lose mu sum f_i |M_i V|, exactly.
#include "contact/contact.h"
#include "math/eigen.h"

static double force_of(const caromGrip *g, const caromCell *cell)
{
    return carom_contact_normal_elastic(g->law, g->touch, cell->weight);
}

// Sums over all cells, times f.
typedef struct GripMoments {
    double weight;
    caromVec3 r;           // over L
    double rr[6];          // xx yy zz yz zx xy
    double qq[6][6];       // upper half; q = (n, r x n)
} GripMoments;

static GripMoments moments_of(const caromGrip *g)
{
    GripMoments m = { 0 };
    for (int i = 0; i < g->patch->ncell; i++) {
        const caromCell *cell = &g->patch->cells[i];
        double f = force_of(g, cell);
        caromVec3 n = cell->n_AB, r = carom_scale(1.0/g->length, carom_sub(cell->p_W, g->centre)),
                  c = carom_cross(r, n);
        const double q[6] = { n.x, n.y, n.z, c.x, c.y, c.z },
                     rr[6] = { r.x*r.x, r.y*r.y, r.z*r.z, r.y*r.z, r.z*r.x, r.x*r.y };
        m.weight += f;
        m.r = carom_axpy(f, r, m.r);
        for (int j = 0; j < 6; j++) {
            m.rr[j] += f*rr[j];
            for (int k = j; k < 6; k++) m.qq[j][k] += f*q[j]*q[k];
        }
    }
    return m;
}

// K sum f: the square of a slip is |v + w x r|^2 - (n.v + (r x n).w)^2, and with torsion b^2 (n.w)^2 more.
static double mean_square(const caromGrip *g, double K[6][6])
{
    GripMoments m = moments_of(g);
    const double *rr = m.rr, b2 = (g->arm/g->length)*(g->arm/g->length);
    const double all[6][6] = {
        { m.weight, 0, 0, 0, m.r.z, -m.r.y }, { 0, m.weight, 0, -m.r.z, 0, m.r.x },
            { 0, 0, m.weight, m.r.y, -m.r.x, 0 },
        { 0, 0, 0, rr[1] + rr[2], -rr[5], -rr[4] }, { 0, 0, 0, 0, rr[2] + rr[0], -rr[3] },
            { 0, 0, 0, 0, 0, rr[0] + rr[1] },
    };
    for (int j = 0; j < 6; j++)
        for (int k = j; k < 6; k++) K[j][k] = K[k][j] = all[j][k] - m.qq[j][k] + (j < 3 ? 0.0 : b2*m.qq[j - 3][k - 3]);
    return m.weight;
}

caromGrip carom_contact_grip_of(const caromPairLaw *law, const caromTouch *touch, const caromPatch *patch,
                                caromVec3 centre, double arm)
{
    caromGrip g = { .law = law, .touch = touch, .patch = patch, .centre = centre, .length = touch->length, .arm = arm };
    double K[6][6], squares[6], weight = mean_square(&g, K);
    carom_symmetric_eigen(6, &K[0][0], squares, &g.axis[0][0]);
    for (int j = 0; j < 6; j++) {
        double square = weight > 0.0 ? fmax(0.0, squares[j]/weight) : 0.0;
        g.sigma[j] = sqrt(square);
        g.held[j] = carom_contact_smooth_step(square/CAROM_CONTACT_HELD_FROM);
    }
    return g;
}

static double along(const caromGrip *g, int j, caromSpatial x)
{
    const double *e = g->axis[j];
    return e[0]*x.linear.x + e[1]*x.linear.y + e[2]*x.linear.z + e[3]*x.angular.x + e[4]*x.angular.y + e[5]*x.angular.z;
}

// sum factor_j e_j (e_j.x)
static caromSpatial apply(const caromGrip *g, const double *factor, caromSpatial x)
{
    caromSpatial y = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int j = 0; j < 6; j++) {
        const double *e = g->axis[j], size = factor[j]*along(g, j, x);
        y.linear = carom_axpy(size, carom_vec(e[0], e[1], e[2]), y.linear);
        y.angular = carom_axpy(size, carom_vec(e[3], e[4], e[5]), y.angular);
    }
    return y;
}

caromSpatial carom_contact_grip_bend(const caromGrip *g, caromSpatial V)
{
    V.angular = carom_scale(g->length, V.angular);
    return apply(g, g->sigma, V);
}

caromSpatial carom_contact_grip_wrench(const caromGrip *g, caromSpatial F)
{
    caromSpatial wrench = apply(g, g->sigma, F);
    wrench.angular = carom_scale(g->length, wrench.angular);
    return wrench;
}

caromSpatial carom_contact_grip_held(const caromGrip *g, caromSpatial Z)
{
    return apply(g, g->held, Z);
}

double carom_contact_grip_rolling(const caromGrip *g, caromSpatial V)
{
    double loose[6];
    for (int j = 0; j < 6; j++) loose[j] = 1.0 - g->held[j];
    V.angular = carom_scale(g->length, V.angular);
    return carom_norm(apply(g, loose, V).angular)/g->length;
}

double carom_contact_grip_evenness(const caromGrip *g, caromSpatial P)
{
    double inverse[6], mean = 0.0, square = 0.0, weight = 0.0;
    for (int j = 0; j < 6; j++) inverse[j] = g->held[j] > 0.0 ? g->held[j]/g->sigma[j] : 0.0;
    caromSpatial V = apply(g, inverse, P);
    for (int i = 0; i < g->patch->ncell; i++) {
        const caromCell *cell = &g->patch->cells[i];
        caromVec3 v = carom_axpy(1.0/g->length, carom_cross(V.angular, carom_sub(cell->p_W, g->centre)), V.linear);
        double f = force_of(g, cell), vn = carom_dot(v, cell->n_AB),
               spin = g->arm/g->length*carom_dot(V.angular, cell->n_AB);
        double slip2 = carom_norm2(carom_axpy(-vn, cell->n_AB, v)) + spin*spin;
        mean += f*sqrt(slip2);
        square += f*slip2;
        weight += f;
    }
    return square > 0.0 ? mean/sqrt(weight*square) : 1.0;
}
