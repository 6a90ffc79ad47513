// Forces for given holds: K x = -c, and where contacts are redundant (S singular) the x that springs would choose.
//
// A rigid body on springs of compliance D moves a little, by J q, and that is what the springs feel:    D x = J q for some q,    so D x lies in the range of S.
// Without friction of sliding this is the x of least norm x^T D x. With U an orthonormal basis of the range of D^-1/2 S D^-1/2:
//
//     x = D^-1/2 U z,    U^T (D^-1/2 K D^-1/2) U z = -U^T D^-1/2 c
//
// linear in c while the holds stay, and free of what c has outside the range (rounding). The limit of Lemke on K + eps D is the same x.
//
// Two things springs do that a linear system does not:
// - they do not pull. A redundant contact whose share were negative leaves its share to the others as long as these can do without it.
//   Nor do they stick beyond the cone of friction: squeeze.c.
// - tangential stiffness of rough surfaces grows with the load [GreenwoodWilliamson66]: with compliance D/(mu_s lambda) redundant contacts share friction as they can
//   carry it, and a block on an incline begins to slip with all its corners at once, at tan = mu_s, not with the unloaded ones first.
#include "unilateral/stay.h"

#include <math.h>
#include <string.h>

#include "math/lu.h"

static double entry(const caromStayProblem *problem, int row, int column) { return problem->G[(long)row*3*problem->n + column]; }

void carom_stay_accelerate(const caromStayProblem *problem, Block block, const double *f, double *a)
{
    for (int k = 0; k < 3*block.n; k++) {
        int i = 3*block.who[k/3] + k%3;
        const double *row = problem->G + (long)i*3*problem->n;
        double sum = problem->b[i];
        for (int l = 0; l < block.n; l++) {
            int j = 3*block.who[l];
            sum += row[j]*f[j] + row[j + 1]*f[j + 1] + row[j + 2]*f[j + 2];
        }
        a[i] = sum;
    }
}

static void list_unknowns(Block block, const Hold *hold, const int *skip, System *system)
{
    system->m = system->contacts = 0;
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k], width = hold[i].grip == GRIP_STICKS ? 3 : 1;
        if (hold[i].grip == GRIP_OPEN || skip[i]) continue;
        system->contact[system->contacts] = i;
        system->first[system->contacts++] = system->m;
        for (int c = 0; c < width; c++) system->row[system->m++] = 3*i + c;
    }
}

static void fill(const caromStayProblem *problem, const Hold *hold, const double *wanted, System *system)
{
    int m = system->m;
    for (int p = 0; p < m; p++) {
        int i = system->row[p];
        system->c[p] = problem->b[i] - (wanted ? wanted[i] : 0);
        for (int q = 0; q < m; q++) system->S[p*m + q] = system->K[p*m + q] = entry(problem, i, system->row[q]);
        for (int k = 0; k < system->contacts; k++) {
            int j = system->contact[k];
            double mu = problem->contacts[j].friction;
            if (hold[j].grip != GRIP_SLIDES || mu == 0) continue;
            system->K[p*m + system->first[k]] -= mu*(hold[j].d[0]*entry(problem, i, 3*j + 1) + hold[j].d[1]*entry(problem, i, 3*j + 2));
        }
    }
}

static void weigh_alike(const caromStayProblem *problem, System *system)
{
    for (int p = 0; p < system->m; p++) system->weight[p] = problem->contacts[system->row[p]/3].compliance;
}

// Tangential weights D mean/(mu_s lambda), for the loads of the last x. Loads are kept above 1e-6 of the mean: weights stay finite.
static bool weigh_by_load(const caromStayProblem *problem, System *system)
{
    double sum = 0;
    int sticking = 0;
    for (int p = 0; p + 2 < system->m; p++) {
        if (system->row[p]%3 || system->row[p + 1] != system->row[p] + 1) continue;
        sum += problem->contacts[system->row[p]/3].static_friction*fmax(0, system->x[p]);
        sticking++;
    }
    double mean = sticking ? sum/sticking : 0;
    if (sticking < 2 || !(mean > 0)) return false;
    for (int p = 0; p + 2 < system->m; p++) {
        if (system->row[p]%3 || system->row[p + 1] != system->row[p] + 1) continue;
        const caromStay *contact = &problem->contacts[system->row[p]/3];
        double load = fmax(contact->static_friction*system->x[p], 1e-6*mean);
        system->weight[p + 1] = system->weight[p + 2] = contact->compliance*mean/load;
    }
    return true;
}

// S' = s S s by Cholesky with pivots, S' = L L^T with the columns of L as rows of U, U[k][.]; what is left of a pivot is judged against its own diagonal. log of det.
static int range_of(int m, const double *S, const double *s, double *U, double *left, double *log_det)
{
    int rank = 0;
    *log_det = 0;
    for (int p = 0; p < m; p++) left[p] = S[p*m + p]*s[p]*s[p];
    while (rank < m) {
        int best = -1;
        double share = CAROM_STAY_RANK;
        for (int p = 0; p < m; p++) {
            double whole = S[p*m + p]*s[p]*s[p];
            if (whole > 0 && left[p] > share*whole) share = left[p]/whole, best = p;
        }
        if (best < 0) break;
        double *u = U + (long)rank*m, root = sqrt(left[best]);
        for (int p = 0; p < m; p++) u[p] = S[best*m + p]*s[best]*s[p];
        for (int k = 0; k < rank; k++) {
            const double *w = U + (long)k*m;
            double factor = w[best];
            for (int p = 0; p < m; p++) u[p] -= factor*w[p];
        }
        for (int p = 0; p < m; p++) u[p] /= root, left[p] = fmax(0, left[p] - u[p]*u[p]);
        left[best] = 0;
        *log_det += 2*log(root);
        rank++;
    }
    return rank;
}

// Rows of U made orthonormal, twice against rounding; log of det of U S' U^T: the squared diagonal of the triangle that is left behind.
static double orthonormal(int m, int rank, double *U)
{
    double log_det = 0;
    for (int k = 0; k < rank; k++) {
        double *u = U + (long)k*m;
        for (int pass = 0; pass < 2; pass++)
            for (int l = 0; l < k; l++) {
                const double *w = U + (long)l*m;
                double dot = 0;
                for (int p = 0; p < m; p++) dot += u[p]*w[p];
                for (int p = 0; p < m; p++) u[p] -= dot*w[p];
            }
        double size = 0;
        for (int p = 0; p < m; p++) size += u[p]*u[p];
        size = sqrt(size);
        for (int p = 0; p < m; p++) u[p] /= size;
        log_det += 2*log(size);
    }
    return log_det;
}

// lu := U K' U^T, or K' itself where nothing is redundant.
static void on_range(System *system, double *scratch)
{
    int m = system->m, r = system->rank;
    if (r == m) {
        for (int p = 0; p < m; p++)
            for (int q = 0; q < m; q++) system->lu[p*m + q] = system->s[p]*system->K[p*m + q]*system->s[q];
        return;
    }
    for (int k = 0; k < r; k++) {
        const double *u = system->U + (long)k*m;
        memset(scratch, 0, sizeof(double)*(size_t)m);
        for (int p = 0; p < m; p++) {
            double factor = u[p]*system->s[p];
            const double *row = system->K + (long)p*m;
            for (int q = 0; q < m; q++) scratch[q] += factor*row[q];
        }
        for (int l = 0; l < r; l++) {
            double sum = 0;
            for (int q = 0; q < m; q++) sum += scratch[q]*system->s[q]*system->U[(long)l*m + q];
            system->lu[k*r + l] = sum;
        }
    }
}

static double log_det_of(int n, const double *lu, const int *pivot, double *sign)
{
    double log_det = 0;
    *sign = 1;
    for (int k = 0; k < n; k++) {
        log_det += log(fabs(lu[k*n + k]));
        if ((lu[k*n + k] < 0) != (pivot[k] != k)) *sign = -*sign;
    }
    return log_det;
}

static void factor(System *system, caromStayWork *work)
{
    int m = system->m;
    double log_S, sign;
    for (int p = 0; p < m; p++) system->s[p] = 1/sqrt(system->weight[p]);
    system->rank = range_of(m, system->S, system->s, system->U, work->line[0], &log_S);
    if (system->rank < m) log_S = orthonormal(m, system->rank, system->U);
    on_range(system, work->line[0]);
    if (!carom_lu_factor(system->rank, system->lu, system->pivot, work->line[0])) {
        system->sound = 0;
        return;
    }
    double log_K = log_det_of(system->rank, system->lu, system->pivot, &sign);
    system->sound = sign*exp(log_K - log_S);
}

void carom_stay_again(const System *system, const double *c, double *x, double *scratch)
{
    int m = system->m, r = system->rank;
    if (r == m) {
        for (int p = 0; p < m; p++) x[p] = -c[p]*system->s[p];
        carom_lu_solve(m, system->lu, system->pivot, x);
        for (int p = 0; p < m; p++) x[p] *= system->s[p];
        return;
    }
    for (int k = 0; k < r; k++) {
        double sum = 0;
        for (int p = 0; p < m; p++) sum -= system->U[(long)k*m + p]*system->s[p]*c[p];
        scratch[k] = sum;
    }
    carom_lu_solve(r, system->lu, system->pivot, scratch);
    for (int p = 0; p < m; p++) {
        double sum = 0;
        for (int k = 0; k < r; k++) sum += system->U[(long)k*m + p]*scratch[k];
        x[p] = sum*system->s[p];
    }
}

// x with one step of refinement: the residual then is rounding of its own terms.
static bool solve(System *system, caromStayWork *work)
{
    int m = system->m;
    double *rest = work->line[1], *step = work->line[2];
    factor(system, work);
    if (!(system->sound > CAROM_STAY_SOUND)) return false;
    carom_stay_again(system, system->c, system->x, work->line[0]);
    for (int p = 0; p < m; p++) {
        double sum = system->c[p];
        for (int q = 0; q < m; q++) sum += system->K[p*m + q]*system->x[q];
        rest[p] = sum;
    }
    carom_stay_again(system, rest, step, work->line[0]);
    for (int p = 0; p < m; p++) system->x[p] += step[p];
    return true;
}

static void assemble(const caromStayProblem *problem, Block block, const Hold *hold, const double *wanted, caromStayWork *work)
{
    list_unknowns(block, hold, work->skip, &work->system);
    fill(problem, hold, wanted, &work->system);
    weigh_alike(problem, &work->system);
}

static bool solve_for(const caromStayProblem *problem, Block block, const Hold *hold, const double *wanted, caromStayWork *work)
{
    System *system = &work->system;
    assemble(problem, block, hold, wanted, work);
    if (!solve(system, work)) return false;
    for (int pass = 0; pass < 2 && system->rank < system->m; pass++) {
        if (!weigh_by_load(problem, system)) break;
        if (!solve(system, work)) return false;
    }
    return true;
}

// The contact that pulls most, of those not yet found to be needed.
static int most_pulling(const System *system, const int *needed)
{
    int worst = -1;
    double least = 0, largest = 0;
    for (int k = 0; k < system->contacts; k++) largest = fmax(largest, fabs(system->x[system->first[k]]));
    for (int k = 0; k < system->contacts; k++) {
        double x = system->x[system->first[k]];
        if (x < least && x < -1e-13*largest && !needed[system->contact[k]]) least = x, worst = system->contact[k];
    }
    return worst;
}

void carom_stay_spread(const caromStayProblem *problem, Block block, const Hold *hold, const System *system, double *f)
{
    for (int k = 0; k < block.n; k++) f[3*block.who[k]] = f[3*block.who[k] + 1] = f[3*block.who[k] + 2] = 0;
    for (int p = 0; p < system->m; p++) f[system->row[p]] = system->x[p];
    for (int k = 0; k < system->contacts; k++) {
        int i = system->contact[k];
        if (hold[i].grip != GRIP_SLIDES) continue;
        double push = problem->contacts[i].friction*f[3*i];
        f[3*i + 1] = -push*hold[i].d[0];
        f[3*i + 2] = -push*hold[i].d[1];
    }
}

// Redundant contacts are excused from pulling one by one, the hardest pull first, as long as those that are left determine the same motion (the rank stays).
static bool excuse(const caromStayProblem *problem, Block block, const Hold *hold, const double *wanted, caromStayWork *work)
{
    System *system = &work->system;
    int *needed = work->index, whole = system->rank, last;
    for (int k = 0; k < block.n; k++) needed[block.who[k]] = 0;
    while (system->rank < system->m && (last = most_pulling(system, needed)) >= 0) {
        work->skip[last] = 1;
        if (solve_for(problem, block, hold, wanted, work) && system->rank == whole) continue;
        work->skip[last] = 0;
        needed[last] = 1;
        if (!solve_for(problem, block, hold, wanted, work)) return false;
    }
    return true;
}

void carom_stay_system(const caromStayProblem *problem, Block block, const Hold *hold, const double *wanted, caromStayWork *work)
{
    for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
    assemble(problem, block, hold, wanted, work);
}

bool carom_stay_solve(const caromStayProblem *problem, Block block, const Hold *hold, const double *wanted, caromStayWork *work)
{
    carom_stay_system(problem, block, hold, wanted, work);
    return solve(&work->system, work);
}

double carom_stay_soundness(const caromStayProblem *problem, Block block, const Hold *hold, caromStayWork *work)
{
    carom_stay_system(problem, block, hold, NULL, work);
    factor(&work->system, work);
    return work->system.sound;
}

// Does a contact pull, or need more friction than there is?
static bool is_overstrained(const caromStayProblem *problem, Block block, const Hold *hold, const double *f)
{
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k];
        if (f[3*i] < 0 || (hold[i].grip == GRIP_STICKS && hypot(f[3*i + 1], f[3*i + 2]) > problem->contacts[i].static_friction*f[3*i])) return true;
    }
    return false;
}

bool carom_stay_split(const caromStayProblem *problem, Block block, const Hold *hold, const double *wanted, double *f, caromStayWork *work)
{
    System *system = &work->system;
    for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
    if (!solve_for(problem, block, hold, wanted, work)) return false;
    bool redundant = system->rank < system->m;
    if (redundant && !excuse(problem, block, hold, wanted, work)) return false;
    carom_stay_spread(problem, block, hold, system, f);
    if (redundant && is_overstrained(problem, block, hold, f)) {
        if (!work->hasty) carom_stay_squeeze(problem, block, hold, wanted, f, work);
        for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
        return solve_for(problem, block, hold, wanted, work);  // factors for carom_stay_again
    }
    return true;
}
