// Forces that nearly fit, where Newton's method does not find any: Lemke's path on the softened system, with the disc
// of friction cut to a square [StewartTrinkle96]:
//
//     tangential force = sum_j beta_j e_j over the four directions +-t1, +-t2
//     0 <= lambda  _|_  a_n >= 0      0 <= beta_j  _|_  sigma + e_j.a_t >= 0
//         0 <= sigma  _|_  mu lambda - sum beta_j >= 0
#include <math.h>
#include <string.h>

#include "math/lcp.h"
#include "unilateral/stay.h"

// Value of unknown p of the system, as a row over the unknowns of the complementarity problem: its place, and the
// place of its negative part.
static int place_of(const System *system, int p, const int *start)
{
    int k = 0;
    while (k + 1 < system->contacts && system->first[k + 1] <= p) k++;
    int c = p - system->first[k];
    return start[k] + (c == 0 ? 0 : 2*c - 1);  // lambda, t1, -t1, t2, -t2, sigma
}

static int layout(const System *system, int *start)
{
    int n = 0;
    for (int k = 0; k < system->contacts; k++) {
        int end = k + 1 < system->contacts ? system->first[k + 1] : system->m;
        start[k] = n;
        n += end - system->first[k] == 3 ? 6 : 1;
    }
    return n;
}

// Rows and columns of an unknown: itself if normal, plus and minus if tangential.
static void spread(const System *system, const double *K, const int *start, int n, double *M, double *q)
{
    int m = system->m;
    for (int p = 0; p < m; p++) {
        int at = place_of(system, p, start), signs = system->row[p]%3 ? 2 : 1;
        for (int s = 0; s < signs; s++) {
            q[at + s] = s ? -system->c[p] : system->c[p];
            for (int r = 0; r < m; r++) {
                int to = place_of(system, r, start), others = system->row[r]%3 ? 2 : 1;
                for (int o = 0; o < others; o++) M[(long)(at + s)*n + to + o] = (s != o ? -1 : 1)*K[p*m + r];
            }
        }
    }
}

static void add_cones(const caromStayProblem *problem, const System *system, const int *start, int n, double *M,
                      double *q)
{
    for (int k = 0; k < system->contacts; k++) {
        int end = k + 1 < system->contacts ? start[k + 1] : n, at = start[k];
        if (end - at != 6) continue;
        M[(long)(at + 5)*n + at] = problem->contacts[system->contact[k]].static_friction;
        for (int j = 1; j < 5; j++) M[(long)(at + j)*n + at + 5] = 1, M[(long)(at + 5)*n + at + j] = -1;
        q[at + 5] = 0;
    }
}

bool carom_stay_lemke(const caromStayProblem *problem, Block block, const Guess *guess, double *f, caromStayWork *work)
{
    System *system = &work->system;
    carom_stay_soften(problem, block, guess, work);
    int *start = work->index, n = layout(system, start);
    memset(work->lemke_M, 0, sizeof(double)*(size_t)n*(size_t)n);
    spread(system, work->square[0], start, n, work->lemke_M, work->lemke_q);
    add_cones(problem, system, start, n, work->lemke_M, work->lemke_q);
    if (carom_lcp_lemke(n, work->lemke_M, work->lemke_q, work->lemke_z, work->lemke_table,
                        work->lemke_names) != CAROM_LCP_SOLVED) return false;
    for (int p = 0; p < system->m; p++) {
        int at = place_of(system, p, start);
        f[system->row[p]] = work->lemke_z[at] - (system->row[p]%3 ? work->lemke_z[at + 1] : 0);
    }
    return true;
}
