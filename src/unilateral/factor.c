// Factors of the system K x = -c of contacts, and what it says of redundant ones.
//
// Where S = Q^T G Q has the rank r < m, some r unknowns P span its range and the others N are redundant: by Cholesky's
// method with pivots S = V^T V, so that
//
//     S = B^T S_PP B,    B = [1 W],    W = V_P^-1 V_N
//
// and the equations that count are B K x = -B c. With M = B K, H = M_P^-1 M_N, all their solutions are
//
//     x_P = h - H x_N,    M_P h = -B c
//
// Springs choose the one of which D x is in the range of S (split.c), D_N x_N = W^T D_P x_P:
//
//     (D_N + W^T D_P H) x_N = W^T D_P h
//
// few equations, as many as there are redundant unknowns; only these change with the weights D.
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "unilateral/stay.h"

// a += factor b. Sums of products are written this way round where they can: the additions do not wait for each other.
static void add(int n, double factor, const double *restrict b, double *restrict a)
{
    for (int i = 0; i < n; i++) a[i] += factor*b[i];
}

static double *W_of(const System *system, int k) { return system->V + (long)k*system->m + system->rank; }
static double *H_of(const System *system, int k) { return system->H + (long)k*(system->m - system->rank); }

// ---- the range

// S = V^T V by Cholesky with pivots; what is left of a pivot is judged against its own diagonal. Pivots come first in
// the order. log_S of the pivots.
static void find_pivots(System *system, double *left)
{
    int m = system->m, rank = 0, *order = system->order;
    const double *S = system->S;
    system->log_S = 0;
    for (int p = 0; p < m; p++) left[p] = S[p*m + p], order[p] = p;
    while (rank < m) {
        int best = -1;
        double share = CAROM_STAY_RANK;
        for (int k = rank; k < m; k++) {
            int p = order[k];
            if (left[p] > share*S[p*m + p]) share = left[p]/S[p*m + p], best = k;
        }
        if (best < 0) break;
        int pivot = order[best];
        for (int k = best; k > rank; k--) order[k] = order[k - 1];  // the others keep their order
        order[rank] = pivot;
        double *v = system->V + (long)rank*m, root = sqrt(left[pivot]);
        memcpy(v, S + (long)pivot*m, sizeof(double)*(size_t)m);
        for (int k = 0; k < rank; k++) add(m, -system->V[(long)k*m + pivot], system->V + (long)k*m, v);
        for (int p = 0; p < m; p++) v[p] /= root, left[p] = fmax(0, left[p] - v[p]*v[p]);
        system->log_S += 2*log(root);
        rank++;
    }
    system->rank = rank;
}

// Rows of V in the order of pivots, with W behind V_P.
static void find_dependence(System *system, double *line)
{
    int m = system->m, r = system->rank, d = m - r;
    for (int k = 0; k < r; k++) {
        double *v = system->V + (long)k*m;
        for (int i = 0; i < m; i++) line[i] = v[system->order[i]];
        memcpy(v, line, sizeof(double)*(size_t)m);
    }
    for (int k = r - 1; k >= 0; k--) {
        double *v = system->V + (long)k*m, *w = W_of(system, k);
        for (int i = k + 1; i < r; i++) add(d, -v[i], W_of(system, i), w);
        for (int j = 0; j < d; j++) w[j] /= v[k];
    }
}

void carom_stay_find_range(System *system, caromStayWork *work)
{
    find_pivots(system, work->line[0]);
    find_dependence(system, work->line[0]);
}

void carom_stay_compress(const System *system, double *y)
{
    int m = system->m, r = system->rank;
    for (int k = 0; k < r; k++) {
        const double *v = system->V;
        for (int i = 0; i < k; i++) y[k] -= v[(long)i*m + k]*y[i];
        y[k] /= v[(long)k*m + k];
    }
    for (int k = r - 1; k >= 0; k--) {
        const double *v = system->V + (long)k*m;
        for (int i = k + 1; i < r; i++) y[k] -= v[i]*y[i];
        y[k] /= v[k];
    }
}

// ---- determinants

static double log_det_of(int n, const double *lu, const int *pivot, double *sign)
{
    double log_det = 0;
    for (int k = 0; k < n; k++) {
        log_det += log(fabs(lu[k*n + k]));
        if ((lu[k*n + k] < 0) != (pivot[k] != k)) *sign = -*sign;
    }
    return log_det;
}

// Row k of B X, columns in the order of pivots.
static void row_on_range(const System *system, const double *X, int k, double *row)
{
    int m = system->m, r = system->rank;
    const double *w = W_of(system, k), *x = X + (long)system->order[k]*m;
    for (int i = 0; i < m; i++) row[i] = x[system->order[i]];
    for (int j = 0; j < m - r; j++) {
        if (w[j] == 0) continue;
        x = X + (long)system->order[r + j]*m;
        for (int i = 0; i < m; i++) row[i] += w[j]*x[system->order[i]];
    }
}

// B X D^-1 B^T
static void on_range(const System *system, const double *X, double *A, double *row)
{
    int m = system->m, r = system->rank;
    for (int k = 0; k < r; k++) {
        row_on_range(system, X, k, row);
        for (int i = 0; i < m; i++) row[i] /= system->weight[system->order[i]];
        for (int l = 0; l < r; l++) {
            const double *w = W_of(system, l);
            double sum = row[l];
            for (int j = 0; j < m - r; j++) sum += row[r + j]*w[j];
            A[k*r + l] = sum;
        }
    }
}

// Two jams may hide each other in one determinant. Friction is raised from 0 in steps: does the determinant
// keep its sign all the way?
static bool stays_sound(System *system, caromStayWork *work)
{
    enum { STEPS = 8 };
    int r = system->rank;
    double *A_K = work->square[0], *A_S = work->square[1];
    on_range(system, system->K, A_K, work->line[0]);
    on_range(system, system->S, A_S, work->line[0]);
    for (int step = 1; step < STEPS; step++) {
        double sign = 1;
        for (int i = 0; i < r*r; i++) system->lu[i] = A_S[i] + (double)step/STEPS*(A_K[i] - A_S[i]);
        if (!carom_lu_factor(r, system->lu, system->pivot, work->line[0])) return false;
        log_det_of(r, system->lu, system->pivot, &sign);
        if (sign < 0) return false;
    }
    return true;
}

static bool is_jammed_alone(const System *system)
{
    for (int p = 0; p < system->m; p++)
        if (system->K[p*system->m + p] <= 0 && system->S[p*system->m + p] > 0) return true;
    return false;
}

// ---- factors

// M_P into lu, M_N into H.
static void reduce(System *system, double *row)
{
    int m = system->m, r = system->rank;
    if (r == m) {
        memcpy(system->lu, system->K, sizeof(double)*(size_t)m*(size_t)m);
        return;
    }
    for (int k = 0; k < r; k++) {
        row_on_range(system, system->K, k, row);
        memcpy(system->lu + (long)k*r, row, sizeof(double)*(size_t)r);
        memcpy(H_of(system, k), row + r, sizeof(double)*(size_t)(m - r));
    }
}

void carom_stay_factor(System *system, caromStayWork *work)
{
    int r = system->rank, d = system->m - r;
    double *column = work->line[1];
    system->is_hidden = system->has_friction && is_jammed_alone(system) && !stays_sound(system, work);
    reduce(system, work->line[0]);
    system->is_regular = carom_lu_factor(r, system->lu, system->pivot, work->line[0]);
    for (int j = 0; j < d && system->is_regular; j++) {
        for (int k = 0; k < r; k++) column[k] = H_of(system, k)[j];
        carom_lu_solve(r, system->lu, system->pivot, column);
        for (int k = 0; k < r; k++) H_of(system, k)[j] = column[k];
    }
}

// A = diagonal + W^T D_P X, X [rank][d] with rows so far apart.
static void weigh(const System *system, const double *X, int stride, const double *diagonal, double *A)
{
    int r = system->rank, d = system->m - r;
    memset(A, 0, sizeof(double)*(size_t)d*(size_t)d);
    for (int k = 0; k < r; k++) {
        const double *w = W_of(system, k);
        double weight = diagonal ? system->weight[system->order[k]] : 1;
        for (int i = 0; i < d; i++) if (w[i] != 0) add(d, weight*w[i], X + (long)k*stride, A + (long)i*d);
    }
    for (int i = 0; i < d; i++) A[i*d + i] += diagonal ? diagonal[i] : 1;
}

static double *weights_of_redundant(const System *system, double *line)
{
    for (int i = system->rank; i < system->m; i++) line[i - system->rank] = system->weight[system->order[i]];
    return line;
}

// log of det (B S D^-1 B^T) over that of (B K D^-1 B^T), as far as it is W's and H's:
// det (1 + W^T W) det (D_N + W^T D_P W)
static double log_det_of_dependence(const System *system, const double *diagonal, caromStayWork *work)
{
    int d = system->m - system->rank;
    double *A = work->square[0], sum = 0, sign = 1;
    for (int which = 0; which < 2; which++) {
        weigh(system, W_of(system, 0), system->m, which ? diagonal : NULL, A);
        if (!carom_lu_factor(d, A, work->turning, work->line[1])) return sum;
        sum += log_det_of(d, A, work->turning, &sign);
    }
    return sum;
}

void carom_stay_weigh(System *system, caromStayWork *work)
{
    int r = system->rank, d = system->m - r;
    double *diagonal = weights_of_redundant(system, work->line[0]), sign = 1, log_det = -system->log_S;
    system->sound = system->is_regular;
    if (d > 0 && system->is_regular) {
        weigh(system, system->H, d, diagonal, system->E);
        system->sound = carom_lu_factor(d, system->E, system->pivot + r, work->line[1]);
    }
    if (system->sound == 0 || !system->has_friction) return;
    log_det += log_det_of(r, system->lu, system->pivot, &sign);
    if (d > 0) log_det += log_det_of(d, system->E, system->pivot + r, &sign) -
                          log_det_of_dependence(system, diagonal, work);
    system->sound = sign*exp(log_det);
    if (system->is_hidden) system->sound = -fabs(system->sound);
}

// h of the solutions x_P = h - H x_N.
void carom_stay_shift(const System *system, const double *c, double *h)
{
    int r = system->rank, d = system->m - r;
    for (int k = 0; k < r; k++) {
        const double *w = W_of(system, k);
        double sum = c[system->order[k]];
        for (int j = 0; j < d; j++) sum += w[j]*c[system->order[r + j]];
        h[k] = -sum;
    }
    carom_lu_solve(r, system->lu, system->pivot, h);
}

void carom_stay_again(const System *system, const double *c, double *x, double *scratch)
{
    int m = system->m, r = system->rank, d = m - r;
    if (d == 0) {
        for (int p = 0; p < m; p++) x[p] = -c[p];
        carom_lu_solve(m, system->lu, system->pivot, x);
        return;
    }
    double *h = scratch, *x_N = scratch + r;
    carom_stay_shift(system, c, h);
    memset(x_N, 0, sizeof(double)*(size_t)d);
    for (int k = 0; k < r; k++) add(d, system->weight[system->order[k]]*h[k], W_of(system, k), x_N);
    carom_lu_solve(d, system->E, system->pivot + r, x_N);
    for (int k = 0; k < r; k++) {
        const double *H = H_of(system, k);
        double sum = h[k];
        for (int j = 0; j < d; j++) sum -= H[j]*x_N[j];
        x[system->order[k]] = sum;
    }
    for (int j = 0; j < d; j++) x[system->order[r + j]] = x_N[j];
}
