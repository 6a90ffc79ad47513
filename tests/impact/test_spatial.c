// One contact in space: series in the stretched variable against integration of the slip vector over the normal
// impulse, in long double.
//
// The reference is written in Cartesian slip, dv_t/dp = G_tn - mu G_tt v_t/|v_t|, with steps of Dormand and Prince's
// 5(4) pair; ends of phases are found by steps that are repeated with other lengths. Where |v_t| is 1e-12 of the
// speeds it has stopped.
#include "check.h"
#include "impact/impact.h"

enum { CASES = 10000, N = 5 };  // of the reference: v_t (2), p_t (2), work

typedef struct Reference {
    const double *G;
    double mu;
    long double v_n0;
    long double rate[2];      // dp_t/dp_n where it is constant
    bool is_straight;
} Reference;

static long double normal_speed(const Reference *r, long double p, const long double *y)
{
    return r->v_n0 + r->G[0]*p + r->G[1]*y[2] + r->G[2]*y[3];
}

static void derivative(const Reference *r, long double p, const long double *y, long double *d)
{
    const double *G = r->G;
    if (r->is_straight) {
        d[2] = r->rate[0];
        d[3] = r->rate[1];
    } else {
        long double slip = sqrtl(y[0]*y[0] + y[1]*y[1]);
        d[2] = -r->mu*y[0]/slip;
        d[3] = -r->mu*y[1]/slip;
    }
    d[0] = G[3] + G[4]*d[2] + G[5]*d[3];
    d[1] = G[6] + G[7]*d[2] + G[8]*d[3];
    d[4] = normal_speed(r, p, y);
}

// One step; returns the estimated error of slip and tangential impulse.
static long double dormand_prince(const Reference *r, long double p, const long double *y, long double dp,
                                  long double *out)
{
    static const long double c[7] = { 0, 1/5.0L, 3/10.0L, 4/5.0L, 8/9.0L, 1, 1 };
    static const long double a[7][6] = {
        { 0 }, { 1/5.0L }, { 3/40.0L, 9/40.0L }, { 44/45.0L, -56/15.0L, 32/9.0L },
            { 19372/6561.0L, -25360/2187.0L, 64448/6561.0L, -212/729.0L },
        { 9017/3168.0L, -355/33.0L, 46732/5247.0L, 49/176.0L, -5103/18656.0L },
            { 35/384.0L, 0, 500/1113.0L, 125/192.0L, -2187/6784.0L, 11/84.0L },
    };
    static const long double b[7] = { 71/57600.0L, 0, -71/16695.0L, 71/1920.0L, -17253/339200.0L, 22/525.0L, -1/40.0L };
    long double k[7][N], error = 0;
    for (int i = 0; i < 7; i++) {
        for (int n = 0; n < N; n++) {
            long double sum = 0;
            for (int j = 0; j < i; j++) sum += a[i][j]*k[j][n];
            out[n] = y[n] + dp*sum;
        }
        derivative(r, p + c[i]*dp, out, k[i]);
    }
    for (int n = 0; n < 4; n++) {
        long double sum = 0;
        for (int i = 0; i < 7; i++) sum += b[i]*k[i][n];
        error = fmaxl(error, fabsl(dp*sum));
    }
    return error;
}

// The length of the last step, with which `left` becomes 0: regula falsi in long double, kept inside by bisection.
typedef enum Goal { SPEED_ZERO, WORK_DONE, IMPULSE_DONE } Goal;
typedef struct Leg { Goal goal; long double level, work0; } Leg;

static long double left(const Reference *r, const Leg *leg, long double p, const long double *y)
{
    if (leg->goal == SPEED_ZERO) return -normal_speed(r, p, y);
    if (leg->goal == IMPULSE_DONE) return leg->level - p;
    return leg->level - (y[4] - leg->work0);
}

static void shorten(const Reference *r, const Leg *leg, long double *p, long double *y, long double dp)
{
    long double low = 0, high = dp, trial[N], at_low = left(r, leg, *p, y);
    dormand_prince(r, *p, y, dp, trial);
    long double at_high = left(r, leg, *p + dp, trial);
    for (int i = 0; i < 300 && high - low > 1e-18L*(*p + low); i++) {
        long double x = i % 2 ? 0.5L*(low + high) : low + (high - low)*at_low/(at_low - at_high);
        if (!(x > low && x < high)) x = 0.5L*(low + high);
        dormand_prince(r, *p, y, x, trial);
        long double at = left(r, leg, *p + x, trial);
        if (at > 0) {
            low = x;
            at_low = at;
        } else {
            high = x;
            at_high = at;
        }
        if (at == 0) break;
    }
    dormand_prince(r, *p, y, high, trial);
    memcpy(y, trial, sizeof trial);
    *p += high;
}

static void use_rest(Reference *r, const caromImpactContact *k)
{
    const double *G = r->G;
    long double det = (long double)G[4]*G[8] - (long double)G[5]*G[7];
    long double m[2] = { -(G[8]*(long double)G[3] - G[5]*(long double)G[6])/det,
                         -(G[4]*(long double)G[6] - G[7]*(long double)G[3])/det };
    r->is_straight = true;
    r->rate[0] = m[0];
    r->rate[1] = m[1];
    if (sqrtl(m[0]*m[0] + m[1]*m[1]) <= (long double)k->static_friction) return;
    // Breaks away along u with G_tn - mu G_tt u = f u: fixed point of the direction that the slip takes, damped.
    long double u[2] = { -m[0], -m[1] };
    for (int i = 0; i < 20000; i++) {
        long double size = sqrtl(u[0]*u[0] + u[1]*u[1]);
        u[0] /= size;
        u[1] /= size;
        long double x = G[3] - k->friction*(G[4]*u[0] + G[5]*u[1]), y = G[6] - k->friction*(G[7]*u[0] + G[8]*u[1]),
                    step = 0.2L/(G[4] + G[8])/k->friction;
        u[0] += step*x;
        u[1] += step*y;
    }
    long double size = sqrtl(u[0]*u[0] + u[1]*u[1]);
    r->rate[0] = -k->friction*u[0]/size;
    r->rate[1] = -k->friction*u[1]/size;
}

static bool has_stopped(const Reference *r, const long double *y)
{
    return !r->is_straight && sqrtl(y[0]*y[0] + y[1]*y[1]) < 1e-12L;
}

// Integrates until the goal; true: the slip stopped on the way (and v_t = 0 from now on).
static void run(Reference *r, const caromImpactContact *k, const Leg *leg, long double *p, long double *y, int *stops)
{
    long double dp = r->is_straight ? 1 : 1e-4L;
    for (int i = 0; i < 20000; i++) {  // errors are small against what is left of the slip: its direction counts
        if (has_stopped(r, y)) {
            use_rest(r, k);
            y[0] = y[1] = 0;
            ++*stops;
            dp = 1;
        }
        long double next[N], error = dormand_prince(r, *p, y, dp, next),
                    allowed = r->is_straight ? 1 : fminl(1e-13L, 1e-3L*sqrtl(y[0]*y[0] + y[1]*y[1]));
        long double factor = error > 0 ? 0.9L*powl(allowed/error, 0.2L) : 4;
        // The direction must not jump over zero slip.
        bool is_wild = !r->is_straight &&
                       (next[0]*y[0] + next[1]*y[1] <= 0 ||
                        sqrtl(next[0]*next[0] + next[1]*next[1]) < 0.05L*sqrtl(y[0]*y[0] + y[1]*y[1]));
        if (is_wild) factor = 0.5L;
        if ((error > allowed || is_wild) && dp > 1e-30L) {
            dp *= fmaxl(0.1L, fminl(0.9L, factor));
            continue;
        }
        if (left(r, leg, *p + dp, next) <= 0) {
            shorten(r, leg, p, y, dp);
            return;
        }
        *p += dp;
        memcpy(y, next, sizeof next);
        dp *= fmaxl(0.2L, fminl(4, factor));
    }
    fail_msg("the reference does not arrive");
}

typedef struct Answer { double p[3], v[3], compression, restitution; int stops; bool is_twice; } Answer;

static Answer reference(const caromImpactContact *k, const double *G, const double *v)
{
    Reference r = { .G = G, .mu = k->friction, .v_n0 = v[0] };
    long double y[N] = { v[1], v[2] }, p = 0;
    Answer answer = { .stops = 0 };
    Leg leg = { .goal = SPEED_ZERO };
    run(&r, k, &leg, &p, y, &answer.stops);
    long double e = k->restitution, compression = y[4];
    leg = (Leg){ k->law == CAROM_IMPACT_POISSON ? IMPULSE_DONE : WORK_DONE,
                 k->law == CAROM_IMPACT_POISSON ? (1 + e)*p : -e*e*compression, compression };
    if (e > 0) run(&r, k, &leg, &p, y, &answer.stops);
    answer.p[0] = (double)p, answer.p[1] = (double)y[2], answer.p[2] = (double)y[3];
    for (int i = 0; i < 3; i++) answer.v[i] = (double)(v[i] + G[3*i]*p + G[3*i + 1]*y[2] + G[3*i + 2]*y[3]);
    answer.compression = (double)compression;
    answer.restitution = (double)(y[4] - compression);
    return answer;
}

// Principal inertia and axes, from the centre to the point; all in the frame of the contact.
typedef struct Body { double mass, inertia[3], axes[3][3], lever[3]; } Body;

static Body random_body(Random *r)
{
    Body b;
    double side[3], q[4], size = 0;
    for (int i = 0; i < 3; i++) side[i] = exp(random_uniform(r, -3.5, 0.7));  // cubes, rods and plates
    b.mass = random_uniform(r, 0.2, 5);
    for (int i = 0; i < 3; i++)
        b.inertia[i] = b.mass/12*(side[(i + 1) % 3]*side[(i + 1) % 3] + side[(i + 2) % 3]*side[(i + 2) % 3]);
    for (int i = 0; i < 4; i++) {
        q[i] = random_uniform(r, -1, 1);
        size += q[i]*q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
    caromMat3 R = carom_quat_matrix((caromQuat){ q[0], q[1], q[2], q[3] });
    const caromVec3 columns[3] = { R.cx, R.cy, R.cz };
    for (int i = 0; i < 3; i++) {
        b.axes[i][0] = columns[i].x, b.axes[i][1] = columns[i].y, b.axes[i][2] = columns[i].z;
        b.lever[i] = 0;
    }
    for (int i = 0; i < 3; i++) {
        double corner = 0.5*side[i]*(random_uniform(r, -1, 1) < 0 ? -1 : 1);
        for (int j = 0; j < 3; j++) b.lever[j] += corner*b.axes[i][j];
    }
    return b;
}

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3]*b[(i + 2) % 3] - a[(i + 2) % 3]*b[(i + 1) % 3];
}

// w = I^-1 h
static void turn(const Body *b, const double *h, double *w)
{
    w[0] = w[1] = w[2] = 0;
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int j = 0; j < 3; j++) along += b->axes[i][j]*h[j];
        for (int j = 0; j < 3; j++) w[j] += along/b->inertia[i]*b->axes[i][j];
    }
}

// Adds what the body contributes: how its point answers to a unit impulse there.
static void add_response(const Body *b, double *G)
{
    for (int j = 0; j < 3; j++) {
        double unit[3] = { j == 0, j == 1, j == 2 }, h[3], w[3], v[3];
        cross(b->lever, unit, h);
        turn(b, h, w);
        cross(w, b->lever, v);
        for (int i = 0; i < 3; i++) G[3*i + j] += v[i] + unit[i]/b->mass;
    }
}

static void make_symmetric(double *G)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) G[3*i + j] = G[3*j + i] = 0.5*(G[3*i + j] + G[3*j + i]);
    }
}

typedef struct Case { Body body[2]; caromImpactContact contact; double G[9], v[3]; } Case;

static Case random_case(Random *r)
{
    Case x = { .body = { random_body(r), random_body(r) } };
    for (int i = 0; i < 2; i++) add_response(&x.body[i], x.G);
    make_symmetric(x.G);
    caromImpactContact *k = &x.contact;
    *k = (caromImpactContact){ .restitution = fmin(1, fmax(0, random_uniform(r, -0.2, 1.2))),
                               .friction = random_uniform(r, 0.01, 2), .stiffness = 1 };
    k->static_friction = k->friction;
    k->law = random_uniform(r, 0, 1) < 0.25 ? CAROM_IMPACT_POISSON : CAROM_IMPACT_ENERGETIC;
    x.v[0] = random_uniform(r, -2, -0.01);
    x.v[1] = random_uniform(r, -2, 2);
    x.v[2] = random_uniform(r, -2, 2);
    return x;
}

typedef struct Worst { double v, p, ratio, gain, works; } Worst;

static double change_of_energy(const double *p, const double *before, const double *after)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += 0.5*p[i]*(before[i] + after[i]);
    return sum;
}

static void compare(const Case *x, caromImpactOutcome *o, Worst *worst)
{
    double v[3], size = hypot(hypot(x->v[0], x->v[1]), x->v[2]), off = 0, off_p = 0;
    memcpy(v, x->v, sizeof v);
    carom_impact_single(&x->contact, x->G, 1e-12, v, o);
    Answer answer = reference(&x->contact, x->G, x->v);
    for (int i = 0; i < 3; i++) {
        off = fmax(off, fabs(v[i] - answer.v[i])/size);
        off_p = fmax(off_p, fabs(o->p[i] - answer.p[i])/answer.p[0]);
    }
    CHECK_NEAR(off, 0, 1e-10);  // the reference: some hundred steps, each off by 1e-13
    CHECK_NEAR(off_p, 0, 1e-10);
    CHECK(isnan(o->stop) == (answer.stops == 0));
    double dT = change_of_energy(o->p, x->v, v), T = 0.5*size*size/x->G[0];
    CHECK(dT <= 1e-12*T);
    CHECK_NEAR(o->compression + o->restitution + o->friction, dT, 1e-12*T);
    worst->v = fmax(worst->v, off);
    worst->p = fmax(worst->p, off_p);
    worst->gain = fmax(worst->gain, dT/T);
    worst->works = fmax(worst->works, fabs(o->compression + o->restitution + o->friction - dT)/T);
    if (x->contact.law != CAROM_IMPACT_ENERGETIC) return;
    double ratio = -o->restitution/o->compression, e = x->contact.restitution;
    CHECK_NEAR(ratio, e*e, 1e-12);
    worst->ratio = fmax(worst->ratio, fabs(ratio - e*e));
}

static void series_are_what_integration_finds(void **state)
{
    (void)state;
    Random r = { 1905 };
    int paths[CAROM_SLIP_PATHS] = { 0 };
    Worst worst = { .gain = -1 };
    for (int i = 0; i < CASES; i++) {
        Case x = random_case(&r);
        caromImpactOutcome o;
        compare(&x, &o, &worst);
        paths[o.path]++;
    }
    for (int i = 0; i < CAROM_SLIP_PATHS; i++)
        print_message("%-10s %d\n", carom_model_slip_path_name((caromSlipPath)i), paths[i]);
    print_message("off: v %.3g, p %.3g; ratio of works %.3g; sum of works %.3g; gain %.3g\n", worst.v, worst.p,
                  worst.ratio, worst.works, worst.gain);
}

// Momentum and moment of momentum of a free pair: what A gets, -p, and B, p, at the same point. Their sum is what it
// was, to rounding; and the velocity of the point that the bodies then have is the one that the impact gave.
static void free_pairs_keep_their_momentum(void **state)
{
    (void)state;
    Random r = { 3 };
    for (int i = 0; i < 2000; i++) {
        Case x = random_case(&r);
        double v[3] = { x.v[0], x.v[1], x.v[2] }, linear[3] = { 0 }, angular[3] = { 0 },
               after[3] = { x.v[0], x.v[1], x.v[2] }, size = 0;
        caromImpactOutcome o;
        carom_impact_single(&x.contact, x.G, 1e-12, v, &o);
        for (int b = 0; b < 2; b++) {
            const Body *body = &x.body[b];
            double p[3], h[3], w[3], arm[3], v_c[3], turning[3], spin[3] = { 0 };
            for (int j = 0; j < 3; j++) p[j] = b ? o.p[j] : -o.p[j];
            cross(body->lever, p, h);
            turn(body, h, w);
            for (int j = 0; j < 3; j++) v_c[j] = p[j]/body->mass;
            cross(w, body->lever, turning);
            for (int j = 0; j < 3; j++) after[j] += (b ? 1 : -1)*(v_c[j] + turning[j]);
            // From the changes of velocity back to momentum, about the point.
            for (int k = 0; k < 3; k++) {
                double along = body->axes[k][0]*w[0] + body->axes[k][1]*w[1] + body->axes[k][2]*w[2];
                for (int j = 0; j < 3; j++) spin[j] += body->inertia[k]*along*body->axes[k][j];
            }
            cross(body->lever, v_c, arm);
            for (int j = 0; j < 3; j++) {
                linear[j] += body->mass*v_c[j];
                angular[j] += spin[j] - body->mass*arm[j];
                size = fmax(size, fmax(fabs(p[j]), fabs(h[j])));
            }
        }
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(linear[j]/size, 0, 1e-14);
            CHECK_NEAR(angular[j]/size, 0, 1e-14);
            CHECK_NEAR(after[j], v[j], 1e-14*(1 + x.G[0]*o.p[0] + x.G[4]*fabs(o.p[1]) + x.G[8]*fabs(o.p[2])));
        }
    }
}

// Other tangents, other numbering of them: the same impact.
static void tangents_do_not_matter(void **state)
{
    (void)state;
    Random r = { 5 };
    for (int i = 0; i < 2000; i++) {
        Case x = random_case(&r);
        double angle = random_uniform(&r, -3, 3), R[9] = { 1, 0, 0, 0, cos(angle), sin(angle), 0, -sin(angle),
                                                           cos(angle) }, G[9] = { 0 }, v[3], w[3] = { 0 };
        for (int a = 0; a < 81; a++)
            G[a/27*3 + a/9 % 3] += R[a/27*3 + a/3 % 3]*x.G[a/3 % 3*3 + a % 3]*R[a/9 % 3*3 + a % 3];
        for (int a = 0; a < 9; a++) w[a/3] += R[a]*x.v[a % 3];
        make_symmetric(G);
        memcpy(v, x.v, sizeof v);
        caromImpactOutcome o, turned;
        carom_impact_single(&x.contact, x.G, 1e-12, v, &o);
        carom_impact_single(&x.contact, G, 1e-12, w, &turned);
        double size = 1 + x.G[0]*o.p[0];
        for (int a = 0; a < 3; a++) CHECK_NEAR(w[a], R[3*a]*v[0] + R[3*a + 1]*v[1] + R[3*a + 2]*v[2], 1e-11*size);
    }
}

// The tolerance is kept, at every size of it; smaller ones cost more.
static void tolerance_is_kept(void **state)
{
    (void)state;
    const double tolerances[] = { 1e-4, 1e-6, 1e-8, 1e-10, 1e-12 };
    for (int t = 0; t < 5; t++) {
        Random r = { 8 };
        double worst = 0;
        for (int i = 0; i < 2000; i++) {
            Case x = random_case(&r);
            double v[3], exact[3], size = hypot(hypot(x.v[0], x.v[1]), x.v[2]);
            memcpy(v, x.v, sizeof v);
            memcpy(exact, x.v, sizeof v);
            caromImpactOutcome o;
            carom_impact_single(&x.contact, x.G, tolerances[t], v, &o);
            carom_impact_single(&x.contact, x.G, 1e-15, exact, &o);
            for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(v[j] - exact[j])/size);
        }
        print_message("tolerance %g: off by %.3g\n", tolerances[t], worst);
        CHECK(worst <= tolerances[t]);
    }
}

// Impact without collision in space: friction drives a corner that only slides into the ground, until the slip stops or
// has turned away. The limit of ever slower approach.
static void slide_into_the_ground_is_the_limit_of_slow_approach(void **state)
{
    (void)state;
    Random r = { 21 };
    int found = 0;
    for (int i = 0; i < 20000; i++) {
        Case x = random_case(&r);
        x.contact.law = CAROM_IMPACT_ENERGETIC;
        double s = hypot(x.v[1], x.v[2]), z = x.G[0] - x.contact.friction*(x.G[1]*x.v[1] + x.G[2]*x.v[2])/s;
        double v[3] = { 0, x.v[1], x.v[2] }, slow[3] = { -1e-9, x.v[1], x.v[2] };
        caromImpactOutcome o, limit;
        carom_impact_single(&x.contact, x.G, 1e-12, v, &o);
        CHECK(o.impacts == (z < 0));
        if (o.impacts == 0) continue;
        carom_impact_single(&x.contact, x.G, 1e-12, slow, &limit);
        found++;
        CHECK(v[0] >= -1e-12 && o.compression < 0 && o.path == limit.path);
        // e sqrt(work) is continuous, its slope large where the jam is weak
        for (int j = 0; j < 3; j++) CHECK_NEAR(v[j], slow[j], 1e-5*s);
    }
    CHECK(found > 100);
}

// Friction that presses the surfaces together a second time while the slip still turns: v_n falls back to 0 with work
// left to give. Works of all phases add up to what the energy changes, and e^2 of what was stored is given back.
// (The reference above presses once only.) Stops are of an integration with 30,000 steps of the midpoint rule.
static void a_slip_that_turns_may_press_twice(void **state)
{
    (void)state;
    static const struct { Case at; double stop; } cases[] = {
        { { .contact = { .restitution = 0.507, .friction = 3.894 }, .v = { -0.655, 1.898, 0.198 },
          .G = { 1.0076, -0.4273, 0.8773, -0.4273, 0.6721, -0.1977, 0.8773, -0.1977, 0.8841 } }, 0.86976 },
        { { .contact = { .restitution = 0.932, .friction = 1.938 }, .v = { -0.504, 1.509, 1.310 },
          .G = { 0.1919, -0.3787, 0.0018, -0.3787, 1.1328, 0.1345, 0.0018, 0.1345, 0.2039 } }, 3.85848 },
    };
    for (int i = 0; i < 2; i++) {
        Case x = cases[i].at;
        double v[3] = { x.v[0], x.v[1], x.v[2] }, e = x.contact.restitution;
        caromImpactOutcome o;
        x.contact.static_friction = x.contact.friction;
        x.contact.law = CAROM_IMPACT_ENERGETIC;
        carom_impact_single(&x.contact, x.G, 1e-12, v, &o);
        CHECK_NEAR(o.compression + o.restitution + o.friction, change_of_energy(o.p, x.v, v), 1e-12*o.p[0]);
        CHECK_NEAR(o.restitution, -e*e*o.compression, 1e-12);
        CHECK_NEAR(o.stop*o.p[0], cases[i].stop, 1e-4);  // of that integration
        assert_int_equal(o.path, CAROM_SLIP_STICKS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_are_what_integration_finds), cmocka_unit_test(free_pairs_keep_their_momentum),
        cmocka_unit_test(tangents_do_not_matter), cmocka_unit_test(a_slip_that_turns_may_press_twice),
        cmocka_unit_test(tolerance_is_kept), cmocka_unit_test(slide_into_the_ground_is_the_limit_of_slow_approach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
