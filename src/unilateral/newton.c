// Which contacts press, slide and stick, by Newton's method on [AlartCurnier91]
//
//     f_n = max(0, g),  g = f_n - r a_n;      f_t = projection of w = f_t - r a_t on the disc of radius mu f_n
//
// Each step takes the branch its point is on (open; sticking; sliding along w) as given; it ends, exactly but for the
// turning of w, when the branches repeat. G is softened by eps D, which gives redundant contacts one answer; a second
// round about the first answer, a + eps D (f - f_first), takes the softness out of the motion again.
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "unilateral/stay.h"

#define SOFTNESS 1e-9  // smaller ones lose the split of redundant contacts in rounding

typedef struct NewtonSearch {
    const caromStayProblem *problem;
    caromStayWork *work;
    const System *system;
    double *K, *J;      // softened; of the step
    double *x, *centre, *a, *F;
    double factor;      // of the softness
} NewtonSearch;

void carom_stay_soften(const caromStayProblem *problem, Block block, const Guess *guess, caromStayWork *work)
{
    System *system = &work->system;
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k];
        work->all[i] = guess[i];
        work->all[i].branch = guess[i].may_stick ? BRANCH_STICKS : BRANCH_SLIDES;
    }
    carom_stay_system(problem, block, work->all, NULL, work);
    double trace = 0, D = 0;
    int m = system->m;
    for (int p = 0; p < m; p++) trace += system->S[p*m + p], D += system->weight[p];
    memcpy(work->square[0], system->K, sizeof(double)*(size_t)(m*m));
    for (int p = 0; p < m; p++) {
        system->weight[p] *= D > 0 ? SOFTNESS*trace/D : 0;
        work->square[0][p*m + p] += system->weight[p];
    }
}

// Another softness: factor times that of carom_stay_soften.
static void harden(NewtonSearch *s, double factor)
{
    int m = s->system->m;
    for (int p = 0; p < m; p++) s->K[p*m + p] = s->system->K[p*m + p] + factor*s->system->weight[p];
    s->factor = factor;
}

static double friction_of(const NewtonSearch *s, int contact)
{
    return s->work->slipped[contact] ? s->problem->contacts[contact].friction
                                     : s->problem->contacts[contact].static_friction;
}

static bool is_wide(const NewtonSearch *s, int k)
{
    int end = k + 1 < s->system->contacts ? s->system->first[k + 1] : s->system->m;
    return end - s->system->first[k] == 3;
}

static void accelerate(NewtonSearch *s)
{
    int m = s->system->m;
    for (int p = 0; p < m; p++) {
        double sum = s->system->c[p] - s->factor*s->system->weight[p]*s->centre[p];
        for (int q = 0; q < m; q++) sum += s->K[p*m + q]*s->x[q];
        s->a[p] = sum;
    }
}

// Rows of J and F for "unknown p is 0", and for "acceleration p is 0", both in units of force.
static void row_zero(NewtonSearch *s, int p)
{
    int m = s->system->m;
    memset(s->J + (long)p*m, 0, sizeof(double)*(size_t)m);
    s->J[p*m + p] = 1;
    s->F[p] = s->x[p];
}

static void row_still(NewtonSearch *s, int p, double r)
{
    int m = s->system->m;
    for (int q = 0; q < m; q++) s->J[p*m + q] = r*s->K[p*m + q];
    s->F[p] = r*s->a[p];
}

// f_t = mu f_n w/|w|:    df_t - mu u df_n - (mu f_n/|w|)(1 - u u^T)(df_t - r da_t) = -F,    u = w/|w|
static void rows_slide(NewtonSearch *s, int p, double mu, double r, const double w[2])
{
    int m = s->system->m;
    double size = hypot(w[0], w[1]), u[2] = { w[0]/size, w[1]/size }, normal = fmax(0, s->x[p]),
           turn = fmin(1, mu*normal/size);
    for (int c = 0; c < 2; c++) {
        double *row = s->J + (long)(p + 1 + c)*m, across[2] = { (c == 0) - u[c]*u[0], (c == 1) - u[c]*u[1] };
        for (int q = 0; q < m; q++) row[q] = turn*r*(across[0]*s->K[(p + 1)*m + q] + across[1]*s->K[(p + 2)*m + q]);
        row[p + 1 + c] += 1;
        row[p] -= mu*u[c];
        for (int e = 0; e < 2; e++) row[p + 1 + e] -= turn*across[e];
        s->F[p + 1 + c] = s->x[p + 1 + c] - mu*normal*u[c];
    }
}

static Branch rows_of(NewtonSearch *s, int k)
{
    int m = s->system->m, p = s->system->first[k];
    double r = 1/s->K[p*m + p], g = s->x[p] - r*s->a[p];
    bool wide = is_wide(s, k);
    if (!(g > 0) || !(s->K[p*m + p] > 0)) {
        for (int c = 0; c < (wide ? 3 : 1); c++) row_zero(s, p + c);
        return BRANCH_OPEN;
    }
    row_still(s, p, r);
    if (!wide) return BRANCH_SLIDES;
    double rt = 1/fmax(s->K[(p + 1)*m + p + 1], s->K[(p + 2)*m + p + 2]), mu = friction_of(s, s->system->contact[k]);
    double w[2] = { s->x[p + 1] - rt*s->a[p + 1], s->x[p + 2] - rt*s->a[p + 2] };
    if (hypot(w[0], w[1]) <= mu*fmax(0, g)) {
        row_still(s, p + 1, rt);
        row_still(s, p + 2, rt);
        return BRANCH_STICKS;
    }
    rows_slide(s, p, mu, rt, w);
    return BRANCH_SLIDES;
}

// Rows of all contacts. True if the branches are those of before and there is nothing left to correct.
static bool linearise(NewtonSearch *s, int *branches)
{
    bool same = true;
    double off = 0, size = 0;
    accelerate(s);
    for (int k = 0; k < s->system->contacts; k++) {
        int branch = (int)rows_of(s, k);
        same = same && branch == branches[k];
        branches[k] = branch;
    }
    for (int p = 0; p < s->system->m; p++) off = fmax(off, fabs(s->F[p])), size = fmax(size, fabs(s->x[p]));
    return same && off <= 1e-10*size;
}

static double merit(const NewtonSearch *s)
{
    double sum = 0;
    for (int p = 0; p < s->system->m; p++) sum += s->F[p]*s->F[p];
    return sum;
}

// Rows of J at x + part of the step, the largest part that lowers what is left; the whole step where none does.
static bool advance(NewtonSearch *s, int *branches, double left)
{
    int m = s->system->m;
    double *from = s->work->line[5], *step = s->work->spare;
    memcpy(from, s->x, sizeof(double)*(size_t)m);
    memcpy(step, s->F, sizeof(double)*(size_t)m);
    for (int halvings = 0; halvings < 10; halvings++) {
        double part = ldexp(1, -halvings);
        for (int p = 0; p < m; p++) s->x[p] = from[p] - part*step[p];
        bool last = linearise(s, branches);
        if (last || merit(s) < (1 - 1e-3*part)*left) return last;
    }
    for (int p = 0; p < m; p++) s->x[p] = from[p] - step[p];
    return linearise(s, branches);
}

static bool solve_step(NewtonSearch *s)
{
    if (!carom_lu_factor(s->system->m, s->J, s->work->system.pivot, s->work->line[0])) return false;
    carom_lu_solve(s->system->m, s->J, s->work->system.pivot, s->F);
    return true;
}

static bool iterate_warily(NewtonSearch *s, int *branches, int steps)
{
    bool last = linearise(s, branches);
    for (int step = 0; step < steps && !last; step++) {
        double left = merit(s);
        if (!solve_step(s)) return false;
        last = advance(s, branches, left);
    }
    return last;
}

static bool iterate(NewtonSearch *s, int *branches, int steps)
{
    for (int k = 0; k < s->system->contacts; k++) branches[k] = -1;
    for (int step = 0; step < steps; step++) {
        bool last = linearise(s, branches);
        if (!solve_step(s)) return false;
        for (int p = 0; p < s->system->m; p++) s->x[p] -= s->F[p];
        if (last) return true;
    }
    return false;
}

// From soft to hard: at softness 1 contacts hardly feel each other, and each answer is a good guess for the next.
static bool approach(NewtonSearch *s, int *branches)
{
    memset(s->x, 0, sizeof(double)*(size_t)s->system->m);
    double soft = 1/SOFTNESS;
    while (soft > 1) {
        harden(s, soft);
        soft /= soft > 1e5 ? 1.3 : 3;
        if (!iterate(s, branches, 15)) iterate_warily(s, branches, 15);
    }
    harden(s, 1);
    return iterate(s, branches, 20) || iterate_warily(s, branches, 40);
}

static void write_guesses(const NewtonSearch *s, const int *branches, Guess *guess)
{
    for (int k = 0; k < s->system->contacts; k++) {
        int i = s->system->contact[k], p = s->system->first[k];
        guess[i].branch = (Branch)branches[k];
        if (!is_wide(s, k) || branches[k] != BRANCH_SLIDES) continue;
        double size = hypot(s->x[p + 1], s->x[p + 2]);
        for (int c = 0; c < 2; c++) guess[i].d[c] = size > 0 ? -s->x[p + 1 + c]/size : 0;
    }
}

static void write_forces(const NewtonSearch *s, const Guess *guess, double *f)
{
    for (int p = 0; p < s->system->m; p++) f[s->system->row[p]] = s->x[p];
    for (int k = 0; k < s->system->contacts; k++) {
        int i = s->system->contact[k];
        if (is_wide(s, k)) continue;
        double push = s->problem->contacts[i].friction*f[3*i];
        f[3*i + 1] = -push*guess[i].d[0];
        f[3*i + 2] = -push*guess[i].d[1];
    }
}

// Does it move, by more than the softness of those that hold it?
static bool moves(const NewtonSearch *s, int p)
{
    int m = s->system->m;
    double r = 1/fmax(s->K[(p + 1)*m + p + 1], s->K[(p + 2)*m + p + 2]);
    return r*hypot(s->a[p + 1], s->a[p + 2]) > 1e-6*hypot(s->x[p + 1], s->x[p + 2]);
}

// A contact that cannot stick slips with mu, which may be less than mu_s: again, until no other begins.
static bool others_slip(const NewtonSearch *s, const int *branches)
{
    bool more = false;
    for (int k = 0; k < s->system->contacts; k++) {
        int i = s->system->contact[k];
        if (!is_wide(s, k) || branches[k] != BRANCH_SLIDES || s->work->slipped[i] || !moves(s, s->system->first[k]))
            continue;
        s->work->slipped[i] = 1;
        more = more || s->problem->contacts[i].friction < s->problem->contacts[i].static_friction;
    }
    return more;
}

bool carom_stay_newton(const caromStayProblem *problem, Block block, Guess *guess, double *f, double *a,
                       caromStayWork *work)
{
    carom_stay_soften(problem, block, guess, work);
    NewtonSearch s = { problem, work, &work->system, .K = work->square[0], .J = work->square[1], .x = work->line[1],
                       .centre = work->line[2], .a = work->line[3], .F = work->line[4], .factor = 1 };
    int *branches = work->index, m = work->system.m;
    for (int k = 0; k < block.n; k++) work->slipped[block.who[k]] = 0;
    memset(s.centre, 0, sizeof(double)*(size_t)m);
    for (int p = 0; p < m; p++) s.x[p] = f[work->system.row[p]];
    do {
        if (!iterate(&s, branches, 20) && !approach(&s, branches)) return false;
    } while (others_slip(&s, branches));
    memcpy(s.centre, s.x, sizeof(double)*(size_t)m);
    if (!iterate(&s, branches, 10)) return false;
    write_guesses(&s, branches, guess);
    write_forces(&s, guess, f);
    carom_stay_accelerate(problem, block, f, a);
    return true;
}
