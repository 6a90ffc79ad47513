// Slips that begin: friction goes against their accelerations, which it changes itself.
//
// Out of rest a slip goes along its acceleration a, and friction against that: a direction d with d x a_t = 0. Where
// friction nearly holds, a is small and turns with the loads, and friction turns v/|v| round at the rate
// mu f_n G_tt/|v|: a step that kept to the first d would drive the slip off it, one that followed v/|v| would be as
// short as |v| is small. So until it is fast d is along the slip of a little later,
//
//     w = v + tau a
//
// which friction turns round at the rate 1/tau, and which is off v by the angle by which that turns in tau.
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "unilateral/stay.h"

enum { ROUNDS = 12 };

double carom_stay_size_of(const ModeChoice *c, int i)
{
    const double *row = c->problem->G + (long)i*3*c->problem->n;
    double size = fabs(c->problem->b[i]);
    for (int k = 0; k < c->block.n; k++)
        for (int e = 0; e < 3; e++) size += fabs(row[3*c->block.who[k] + e]*c->f[3*c->block.who[k] + e]);
    for (int k = 0; k < c->block.n && c->problem->H; k++)
        size += fabs(c->problem->H[(long)i*c->problem->n + c->block.who[k]]*c->f[3*c->block.who[k]]);
    return size;
}

double carom_stay_tangential_size(const ModeChoice *c, int i)
{
    return fmax(carom_stay_size_of(c, 3*i + 1), carom_stay_size_of(c, 3*i + 2));
}

// What friction of contact i is to be along: w/tau.
static void wanted_direction(const ModeChoice *c, int i, const Guess *guess, double w[2])
{
    const caromStay *contact = &c->problem->contacts[i];
    for (int e = 0; e < 2; e++) w[e] = c->a[3*i + 1 + e] + (guess->follows ? contact->slip[e]/contact->lag : 0);
}

// How accelerations of all turning contacts answer when the friction of contact j turns: its own force turns, and all
// others follow.
static void answer_of_turn(ModeChoice *c, const Guess *guess, int j, double *df, double *da)
{
    caromStayWork *work = c->work;
    const System *system = &work->system;
    int n3 = 3*c->problem->n;
    double push = c->problem->contacts[j].friction*c->f[3*j], turned[2] = { push*guess[j].d[1], -push*guess[j].d[0] },
           *x = work->line[3];
    for (int p = 0; p < system->m; p++) {
        const double *row = c->problem->G + (long)system->row[p]*n3 + 3*j;
        x[p] = row[1]*turned[0] + row[2]*turned[1];
    }
    carom_stay_again(system, x, x, work->line[0]);
    for (int k = 0; k < c->block.n; k++) memset(df + 3*c->block.who[k], 0, 3*sizeof *df);
    for (int p = 0; p < system->m; p++) df[system->row[p]] = x[p];
    for (int k = 0; k < system->contacts; k++) {
        int i = system->contact[k];
        if (guess[i].branch != BRANCH_SLIDES) continue;
        for (int e = 0; e < 2; e++) df[3*i + 1 + e] = -c->problem->contacts[i].friction*guess[i].d[e]*df[3*i];
    }
    df[3*j + 1] += turned[0];
    df[3*j + 2] += turned[1];
    carom_stay_accelerate(c->problem, c->block, df, da);
    for (int k = 0; k < 3*c->block.n; k++) {
        int i = 3*c->block.who[k/3] + k%3;
        da[i] -= c->problem->b[i];
    }
}

static void rotate(Guess *guess, double angle)
{
    double turn = fmax(-0.5, fmin(0.5, angle)), cosine = cos(turn), sine = sin(turn),
           d[2] = { guess->d[0], guess->d[1] };
    guess->d[0] = cosine*d[0] - sine*d[1];
    guess->d[1] = sine*d[0] + cosine*d[1];
    double size = hypot(guess->d[0], guess->d[1]);
    guess->d[0] /= size, guess->d[1] /= size;
}

// d x w of the contacts that turn, into r. How many of them; 0: they are as parallel as rounding lets them.
static int misalignments(const ModeChoice *c, const Guess *guess, int *who, double *r)
{
    int count = 0;
    bool done = true;
    for (int k = 0; k < c->block.n; k++) {
        int i = c->block.who[k];
        if (!carom_stay_is_turning(&guess[i]) || c->f[3*i] == 0) continue;
        const double *a = c->a + 3*i + 1, *d = guess[i].d;
        double w[2], size = carom_stay_tangential_size(c, i);
        wanted_direction(c, i, &guess[i], w);
        r[count] = d[0]*w[1] - d[1]*w[0];
        who[count] = i;
        done = done && (fabs(r[count]) <= 1e-14*fmax(size, hypot(w[0], w[1])) || hypot(a[0], a[1]) <= c->sign*size);
        count++;
    }
    return done ? 0 : count;
}

bool carom_stay_turn(ModeChoice *c, Guess *guess)
{
    caromStayWork *work = c->work;
    int *who = work->turning;
    double *r = work->line[4], *da = work->line[5], *df = work->square[0];
    int count = misalignments(c, guess, who, r);
    if (count == 0) return true;
    for (int l = 0; l < count; l++) {
        answer_of_turn(c, guess, who[l], df, da);
        for (int k = 0; k < count; k++) {
            const double *d = guess[who[k]].d, *change = da + 3*who[k] + 1;
            double w[2];
            wanted_direction(c, who[k], &guess[who[k]], w);
            work->turn[k*count + l] = d[0]*change[1] - d[1]*change[0] - (k == l ? d[0]*w[0] + d[1]*w[1] : 0);
        }
    }
    if (!carom_lu_factor(count, work->turn, work->index, work->line[0])) return true;
    carom_lu_solve(count, work->turn, work->index, r);
    for (int k = 0; k < count; k++) rotate(&guess[who[k]], -r[k]);
    return false;
}

// Inside a step all that have just begun follow, however small their slip; the method starts where the direction was.
static bool start(const caromStay *contact, Guess *guess)
{
    const double *d = contact->direction;
    double size = hypot(d[0], d[1]);
    guess->may_stick = false;
    guess->follows = guess->branch == BRANCH_SLIDES && size > 0;
    for (int e = 0; e < 2 && guess->follows; e++) guess->d[e] = d[e]/size;
    return guess->follows;
}

bool carom_stay_follow(const caromStayProblem *problem, Block block, Guess *guess, const double *wanted, double *f,
                       caromStayWork *work)
{
    ModeChoice c = { problem, block, f, work->a_best, work, .sign = CAROM_STAY_SIGN };
    bool begins = false;
    for (int k = 0; k < block.n; k++) {
        int i = block.who[k];
        begins = start(&problem->contacts[i], &guess[i]) || begins;
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (!carom_stay_split(problem, block, guess, wanted, f, work)) return false;
        if (!begins) break;
        carom_stay_accelerate(problem, block, f, c.a);
        if (carom_stay_turn(&c, guess)) break;
    }
    return true;
}
