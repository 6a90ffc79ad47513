// Linear complementarity [CottlePangStone09]. Lemke's path starts far out on the ray z = 0, w = q + d z0 and follows
// complementary bases until z0 leaves.
//
// The table is condensed: rows are basic variables, columns those that are 0, and    x_basic + T x_zero = r.
// A pivot exchanges one of each. Columns of slacks w_j in T, or unit vectors where w_j is basic, are the inverse of the
// basis: all that the lexicographic rule needs, without which symmetric stacks, full of ties, may cycle.
#include "math/lcp.h"

#include <math.h>
#include <stdbool.h>

#include "math/lu.h"

#define TIE 1e-12      // ratios closer than this are ties: roundings of some pivots
#define PIVOT 1e-11    // smaller entries of a scaled column are rounding

// Names of variables: 0..n-1 the w, n..2n-1 the z, 2n is z0.
typedef struct PivotPath {
    int n;
    double *T;         // [n][n + 2]: n + 1 columns, then r
    int *basic;        // [n] name of each row
    int *zero;         // [n + 1] name of each column
    double size;       // of q: what a ratio is compared with
} PivotPath;

static double *row_of(const PivotPath *p, int i) { return p->T + (long)i*(p->n + 2); }

static int complement(const PivotPath *p, int name) { return name < p->n ? name + p->n : name - p->n; }

static int column_of(const PivotPath *p, int name)
{
    for (int j = 0; j <= p->n; j++)
        if (p->zero[j] == name) return j;
    return -1;
}

// Scaled covering vector: rows of small M are covered by little, so that units of single rows do not matter.
static double cover(int n, const double *M, int i)
{
    double largest = 0;
    for (int j = 0; j < n; j++) largest = fmax(largest, fabs(M[(long)i*n + j]));
    return largest > 0 ? largest : 1;
}

static void start(PivotPath *p, const double *M, const double *q)
{
    int n = p->n;
    for (int i = 0; i < n; i++) {
        double *row = row_of(p, i);
        for (int j = 0; j < n; j++) row[j] = -M[(long)i*n + j];
        row[n] = -cover(n, M, i);
        row[n + 1] = q[i];
        p->basic[i] = i;
        p->size = fmax(p->size, fabs(q[i]/row[n]));
    }
    for (int j = 0; j <= n; j++) p->zero[j] = n + j;
}

static void pivot(PivotPath *p, int r, int c)
{
    int n = p->n;
    double *top = row_of(p, r), inverse = 1/top[c];
    for (int j = 0; j < n + 2; j++) top[j] *= inverse;
    top[c] = inverse;
    for (int i = 0; i < n; i++) {
        if (i == r) continue;
        double *restrict row = row_of(p, i), factor = row[c];
        if (factor == 0) continue;
        for (int j = 0; j < n + 2; j++) row[j] -= factor*top[j];
        row[c] = -factor*inverse;
    }
    int name = p->basic[r];
    p->basic[r] = p->zero[c];
    p->zero[c] = name;
}

// Entry j of row i of the inverse of the basis.
static double inverse_entry(const PivotPath *p, int i, int j)
{
    int c = column_of(p, j);
    return c >= 0 ? row_of(p, i)[c] : p->basic[i] == j;
}

// Is (r, inverse) of row i, divided by its entry in column c, lexicographically before that of row k?
static bool comes_before(const PivotPath *p, int i, int k, int c)
{
    double ti = row_of(p, i)[c], tk = row_of(p, k)[c];
    double a = row_of(p, i)[p->n + 1]/ti, b = row_of(p, k)[p->n + 1]/tk;
    if (fabs(a - b) > TIE*(fabs(a) + fabs(b) + p->size)) return a < b;
    // z0 leaves when it can: that is the end
    if (p->basic[i] == 2*p->n || p->basic[k] == 2*p->n) return p->basic[i] == 2*p->n;
    for (int j = 0; j < p->n; j++) {
        a = inverse_entry(p, i, j)/ti, b = inverse_entry(p, k, j)/tk;
        if (fabs(a - b) > TIE*(fabs(a) + fabs(b))) return a < b;
    }
    return i < k;
}

static int leaving_row(const PivotPath *p, int c)
{
    int best = -1;
    double largest = 0;
    for (int i = 0; i < p->n; i++) largest = fmax(largest, fabs(row_of(p, i)[c]));
    for (int i = 0; i < p->n; i++)
        if (row_of(p, i)[c] > PIVOT*largest && (best < 0 || comes_before(p, i, best, c))) best = i;
    return best;
}

// z0 enters where q + d z0 becomes >= 0 last: the most negative q_i/d_i.
static int first_row(const PivotPath *p)
{
    int best = -1;
    for (int i = 0; i < p->n; i++) {
        if (row_of(p, i)[p->n + 1] >= 0) continue;
        if (best < 0) {
            best = i;
            continue;
        }
        double a = row_of(p, i)[p->n + 1]/-row_of(p, i)[p->n], b = row_of(p, best)[p->n + 1]/-row_of(p, best)[p->n];
        if (a < b - TIE*p->size) best = i;  // the first of equals: the lexicographic rule for this step
    }
    return best;
}

static caromLcpAnswer follow(PivotPath *p)
{
    int n = p->n, r = first_row(p), c = n;
    for (int pivots = 0; pivots < 100 + 20*n; pivots++) {
        int left = p->basic[r];
        pivot(p, r, c);
        if (left == 2*n) return CAROM_LCP_SOLVED;
        c = column_of(p, complement(p, left));
        r = leaving_row(p, c);
        if (r < 0) return CAROM_LCP_RAY;
    }
    return CAROM_LCP_TIRED;
}

caromLcpAnswer carom_lcp_lemke(int n, const double *M, const double *q, double *z, double *table, int *names)
{
    PivotPath path = { .n = n, .T = table, .basic = names, .zero = names + n };
    for (int i = 0; i < n; i++) z[i] = 0;
    start(&path, M, q);
    if (first_row(&path) < 0) return CAROM_LCP_SOLVED;
    caromLcpAnswer answer = follow(&path);
    if (answer != CAROM_LCP_SOLVED) return answer;
    for (int i = 0; i < n; i++)
        if (path.basic[i] >= n && path.basic[i] < 2*n) z[path.basic[i] - n] = fmax(0, row_of(&path, i)[n + 1]);
    return CAROM_LCP_SOLVED;
}

// z on a support, w elsewhere 0. False where M is singular there.
static bool on_support(int n, const double *M, const double *q, unsigned support, double *z)
{
    double A[CAROM_LCP_SMALL*CAROM_LCP_SMALL], x[CAROM_LCP_SMALL], scale[CAROM_LCP_SMALL];
    int pivots[CAROM_LCP_SMALL], at[CAROM_LCP_SMALL], k = 0;
    for (int i = 0; i < n; i++) {
        z[i] = 0;
        if (support >> i & 1) at[k++] = i;
    }
    for (int i = 0; i < k; i++) {
        x[i] = -q[at[i]];
        for (int j = 0; j < k; j++) A[i*k + j] = M[(long)at[i]*n + at[j]];
    }
    if (k == 0) return true;
    if (!carom_lu_factor(k, A, pivots, scale)) return false;
    carom_lu_solve(k, A, pivots, x);
    for (int i = 0; i < k; i++) z[at[i]] = x[i];
    return true;
}

// Signs, each w judged against what its sum is made of.
static bool is_solution(int n, const double *M, const double *q, unsigned support, const double *z, double tolerance)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(z[i]));
    for (int i = 0; i < n; i++) {
        double w = q[i], size = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            w += M[(long)i*n + j]*z[j];
            size += fabs(M[(long)i*n + j]*z[j]);
        }
        bool inside = support >> i & 1;
        if (inside ? !(z[i] >= -tolerance*largest && fabs(w) <= 1e-6*size) : !(w >= -tolerance*size)) return false;
    }
    return true;
}

static bool is_new(int n, const caromLcpSolutions *solutions, const double *z, double tolerance)
{
    for (int k = 0; k < solutions->count; k++) {
        double off = 0, size = 0;
        for (int i = 0; i < n; i++) {
            off = fmax(off, fabs(z[i] - solutions->z[k][i]));
            size = fmax(size, fmax(fabs(z[i]), fabs(solutions->z[k][i])));
        }
        if (off <= 1e3*tolerance*size) return false;
    }
    return true;
}

void carom_lcp_enumerate(int n, const double *M, const double *q, double tolerance, caromLcpSolutions *solutions)
{
    solutions->count = 0;
    for (unsigned support = 0; support < 1u << n; support++) {
        double *z = solutions->z[solutions->count];
        if (!on_support(n, M, q, support, z) || !is_solution(n, M, q, support, z, tolerance) ||
            !is_new(n, solutions, z, tolerance)) continue;
        solutions->support[solutions->count++] = support;
    }
}
