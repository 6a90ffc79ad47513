// Forces for given guesses: K x = -c, and where contacts are redundant (S singular) the x that springs would choose.
//
// A rigid body on springs of compliance D moves a little, by J q, and that is what the springs feel: D x = J q for some
// q, so D x lies in the range of S. Without friction of sliding this is the x of least norm x^T D x. It is linear in
// c while the guesses stay, and free of what c has outside the range (rounding): factor.c. The limit of Lemke on
// K + eps D is the same x.
//
// Two things springs do that a linear system does not:
// - they do not pull. A redundant contact whose share were negative leaves its share to the others as long as
//   these can do without it.
//   Nor do they stick beyond the cone of friction: squeeze.c.
// - tangential stiffness of rough surfaces grows with the load [GreenwoodWilliamson66]: with compliance D/(mu_s lambda)
//   redundant contacts share friction as they can
//   carry it, and a block on an incline begins to slip with all its corners at once, at tan = mu_s, not with the
//     unloaded ones first.
#include "unilateral/stay.h"

#include <math.h>
#include <string.h>

#include "math/lu.h"

static double entry(const caromStayProblem *problem, int row, int column)
{
    return problem->G[(long)row*3*problem->n + column];
}

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
        for (int l = 0; l < block.n && problem->H; l++)
            sum += problem->H[(long)i*problem->n + block.who[l]]*f[3*block.who[l]];
        a[i] = sum;
    }
}

static void list_unknowns(Block block, const Guess *guess, const int *skip, System *system)
{
    system->m = system->contacts = 0;
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k], width = guess[i].branch == BRANCH_STICKS ? 3 : 1;
        if (guess[i].branch == BRANCH_OPEN || skip[i]) continue;
        system->contact[system->contacts] = i;
        system->first[system->contacts++] = system->m;
        for (int c = 0; c < width; c++) system->row[system->m++] = 3*i + c;
    }
}

static void fill(const caromStayProblem *problem, const Guess *guess, const double *wanted, System *system)
{
    int m = system->m;
    system->has_friction = false;
    for (int p = 0; p < m; p++) {
        int i = system->row[p];
        system->c[p] = problem->b[i] - (wanted ? wanted[i] : 0);
        for (int q = 0; q < m; q++) system->S[p*m + q] = system->K[p*m + q] = entry(problem, i, system->row[q]);
        for (int k = 0; k < system->contacts; k++) {
            int j = system->contact[k];
            double mu = problem->contacts[j].friction;
            if (guess[j].branch != BRANCH_SLIDES || mu == 0 || (guess[j].d[0] == 0 && guess[j].d[1] == 0)) continue;
            system->has_friction = true;
            system->K[p*m + system->first[k]] -= mu*(guess[j].d[0]*entry(problem, i, 3*j + 1) +
                                                     guess[j].d[1]*entry(problem, i, 3*j + 2));
        }
    }
}

// What goes with normal forces beside friction.
static void add_couples(const caromStayProblem *problem, System *system)
{
    int m = system->m;
    if (!problem->H) return;
    for (int p = 0; p < m; p++) {
        const double *row = problem->H + (long)system->row[p]*problem->n;
        for (int k = 0; k < system->contacts; k++) {
            double more = row[system->contact[k]];
            if (more == 0) continue;
            system->has_friction = true;
            system->K[p*m + system->first[k]] += more;
        }
    }
}

static void weigh_alike(const caromStayProblem *problem, System *system)
{
    for (int p = 0; p < system->m; p++) system->weight[p] = problem->contacts[system->row[p]/3].compliance;
}

// Tangential weights D mean/(mu_s lambda), for the loads of the last x. Loads are kept above 1e-6 of the
// mean: weights stay finite.
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

// a += factor b.
static void add(int n, double factor, const double *restrict b, double *restrict a)
{
    for (int i = 0; i < n; i++) a[i] += factor*b[i];
}

// In four sums, which do not wait for each other.
static double dot(int n, const double *a, const double *b)
{
    double sum[4] = { 0, 0, 0, 0 };
    int i = 0;
    for (; i + 3 < n; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += a[i + k]*b[i + k];
    for (; i < n; i++) sum[0] += a[i]*b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// x in the norm of the weights, with one step of refinement: the residual then is rounding of its own terms.
static bool solve(System *system, caromStayWork *work)
{
    int m = system->m;
    double *rest = work->line[1], *step = work->line[2];
    carom_stay_weigh(system, work);
    if (!((work->bold ? fabs(system->sound) : system->sound) > work->sound)) return false;
    carom_stay_again(system, system->c, system->x, work->line[0]);
    for (int p = 0; p < m; p++) rest[p] = system->c[p] + dot(m, system->K + (long)p*m, system->x);
    carom_stay_again(system, rest, step, work->line[0]);
    add(m, 1, step, system->x);
    return true;
}

static void assemble(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                     caromStayWork *work)
{
    list_unknowns(block, guess, work->skip, &work->system);
    fill(problem, guess, wanted, &work->system);
    add_couples(problem, &work->system);
    weigh_alike(problem, &work->system);
}

static void factor(System *system, caromStayWork *work)
{
    carom_stay_find_range(system, work);
    carom_stay_factor(system, work);
}

// x of a system that is factored, in the norm of D and of the loads.
static bool solve_by_load(const caromStayProblem *problem, caromStayWork *work)
{
    System *system = &work->system;
    weigh_alike(problem, system);
    if (!solve(system, work)) return false;
    for (int pass = 0; pass < 2 && system->rank < system->m; pass++) {
        if (!weigh_by_load(problem, system)) break;
        if (!solve(system, work)) return false;
    }
    return true;
}

static bool solve_for(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                      caromStayWork *work)
{
    assemble(problem, block, guess, wanted, work);
    factor(&work->system, work);
    return solve_by_load(problem, work);
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

void carom_stay_spread(const caromStayProblem *problem, Block block, const Guess *guess, const System *system,
                       double *f)
{
    for (int k = 0; k < block.n; k++) f[3*block.who[k]] = f[3*block.who[k] + 1] = f[3*block.who[k] + 2] = 0;
    for (int p = 0; p < system->m; p++) f[system->row[p]] = system->x[p];
    for (int k = 0; k < system->contacts; k++) {
        int i = system->contact[k];
        if (guess[i].branch != BRANCH_SLIDES) continue;
        double push = problem->contacts[i].friction*f[3*i];
        f[3*i + 1] = -push*guess[i].d[0];
        f[3*i + 2] = -push*guess[i].d[1];
    }
}

// What an excused contact would feel if it were a spring: w = J q, where the springs of the others, D x = J q, say what
// q is. > 0: it would press.
//
//     w_d = S_d y,    S y = D x on the others:    S_PP y_P = (D x)_P,    y_N = 0
static int most_pressing(const caromStayProblem *problem, Block block, const int *needed, caromStayWork *work)
{
    System *system = &work->system;
    int worst = -1;
    double *y = work->line[1], largest = 0, most = 0;
    for (int p = 0; p < system->m; p++) largest = fmax(largest, fabs(system->weight[p]*system->x[p]));
    for (int k = 0; k < system->rank; k++) y[k] = system->weight[system->order[k]]*system->x[system->order[k]];
    carom_stay_compress(system, y);
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k];
        if (!work->skip[i] || needed[i]) continue;
        double w = 0;
        for (int p = 0; p < system->rank; p++) w += entry(problem, 3*i, system->row[system->order[p]])*y[p];
        if (w > most && w > 1e-9*largest) most = w, worst = i;
    }
    return worst;
}

// Redundant contacts are excused from pulling one by one, the hardest pull first, as long as those that are left
// determine the same motion (the rank stays). One that would press again when others have left comes back, and stays.
static bool excuse(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                   caromStayWork *work)
{
    System *system = &work->system;
    int *needed = work->index, whole = system->rank, last;
    bool excused = false;
    for (int k = 0; k < block.n; k++) needed[block.who[k]] = 0;
    for (int round = 0; round < 4*block.n; round++) {
        if (system->rank < system->m && (last = most_pulling(system, needed)) >= 0) {
            work->skip[last] = 1;
            if (solve_for(problem, block, guess, wanted, work) && system->rank == whole) {
                excused = true;
                continue;
            }
        } else {
            if (!excused || (last = most_pressing(problem, block, needed, work)) < 0) break;
        }
        work->skip[last] = 0;
        needed[last] = 1;
        if (!solve_for(problem, block, guess, wanted, work)) return false;
    }
    return true;
}

void carom_stay_system(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                       caromStayWork *work)
{
    for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
    assemble(problem, block, guess, wanted, work);
}

bool carom_stay_solve(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted,
                      caromStayWork *work)
{
    carom_stay_system(problem, block, guess, wanted, work);
    factor(&work->system, work);
    return solve(&work->system, work);
}

double carom_stay_soundness(const caromStayProblem *problem, Block block, const Guess *guess, caromStayWork *work)
{
    carom_stay_system(problem, block, guess, NULL, work);
    factor(&work->system, work);
    carom_stay_weigh(&work->system, work);
    return work->system.sound;
}

// Does a contact pull, or need more friction than there is?
static bool is_overstrained(const caromStayProblem *problem, Block block, const Guess *guess, const double *f)
{
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k];
        if (f[3*i] < 0 || (guess[i].branch == BRANCH_STICKS &&
                           hypot(f[3*i + 1], f[3*i + 2]) > problem->contacts[i].static_friction*f[3*i])) return true;
    }
    return false;
}

bool carom_stay_least(const caromStayProblem *problem, Block block, const Guess *guess, double *f, caromStayWork *work)
{
    for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
    if (!solve_for(problem, block, guess, NULL, work)) return false;
    carom_stay_spread(problem, block, guess, &work->system, f);
    return true;
}

bool carom_stay_split(const caromStayProblem *problem, Block block, const Guess *guess, const double *wanted, double *f,
                      caromStayWork *work)
{
    System *system = &work->system;
    for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
    if (!solve_for(problem, block, guess, wanted, work)) return false;
    bool redundant = system->rank < system->m;
    if (redundant && !excuse(problem, block, guess, wanted, work)) return false;
    carom_stay_spread(problem, block, guess, system, f);
    if (!redundant || !is_overstrained(problem, block, guess, f)) return true;
    if (!work->hasty) carom_stay_squeeze(problem, block, guess, wanted, f, work);
    for (int k = 0; k < block.n; k++) work->skip[block.who[k]] = 0;
    return solve_for(problem, block, guess, wanted, work);  // factors for carom_stay_again
}
