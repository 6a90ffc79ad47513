// Along smooth motions: the gap is Lipschitz, the normal is continuous where the exact one is, and warm
// starts change nothing.
#include "collide_cases.h"
#include "collide_checks.h"

static CaseSet *set;

static int read_set(void **state)
{
    (void)state;
    set = case_set_read(CAROM_SOURCE_DIR "/tests/narrow/collide_cases.txt");
    return set->nshape > 0 ? 0 : -1;
}

static int free_set(void **state)
{
    (void)state;
    case_set_free(set);
    return 0;
}

// Both bodies turn steadily about an axis of their own and go along a parabola.
typedef struct Motion {
    caromQuat q;
    caromVec3 axis, from, by, bend;
    double turn;
} Motion;

static caromPose place(const Motion *m, double s)
{
    caromQuat q = carom_quat_mul(carom_quat_axis_angle(m->axis, m->turn*s), m->q);
    return carom_pose(carom_quat_matrix(q), carom_axpy(s*(1 - s), m->bend, carom_axpy(s, m->by, m->from)));
}

// No point within radius of the origin moves farther than this between s0 and s1.
static double travel(const Motion *m, double radius, double s0, double s1)
{
    caromVec3 step = carom_sub(place(m, s1).p, place(m, s0).p);
    return carom_norm(step) + 2*fabs(sin(0.5*m->turn*(s1 - s0)))*radius;
}

typedef struct Path {
    int a, b;
    Motion A, B;
    double radius_a, radius_b, growth;  // growth: the radii of both cores
} Path;

static caromQuat random_quat(Random *r)
{
    return carom_quat_axis_angle(random_unit(r), random_uniform(r, -3, 3));
}

// From apart through touching to deep inside. A half-space rests.
static Path random_path(Random *r, bool with_half_space)
{
    Path path = { 0 };
    int planes;
    do {
        path.a = (int)random_uniform(r, 0, set->nshape), path.b = (int)random_uniform(r, 0, set->nshape);
        planes = (set->shapes[path.a].shape.kind == CAROM_HALF_SPACE) +
                 (set->shapes[path.b].shape.kind == CAROM_HALF_SPACE);
    } while (planes != with_half_space);
    RefBody a = case_body(set, path.a, at(0, 0, 0)), b = case_body(set, path.b, at(0, 0, 0));
    path.radius_a = (double)a.size, path.radius_b = (double)b.size, path.growth = (double)(a.radius + b.radius);
    double far = path.radius_a + path.radius_b, near = fmax(fmin(path.radius_a, path.radius_b), 0.05*far);
    path.A = (Motion){ .q = random_quat(r), .axis = random_unit(r), .turn = random_uniform(r, -0.5, 0.5),
                       .by = carom_scale(0.2*near, random_unit(r)) };
    path.B = (Motion){ .q = random_quat(r), .axis = random_unit(r), .turn = random_uniform(r, -2, 2),
                       .bend = carom_scale(0.5*near, random_unit(r)) };
    bool plane_a = a.core == REF_HALF_SPACE, plane_b = b.core == REF_HALF_SPACE;
    if (plane_a) path.A.turn = 0, path.A.by = carom_vec(0, 0, 0);
    if (plane_b) path.B.turn = 0, path.B.bend = carom_vec(0, 0, 0);
    caromVec3 out = random_unit(r), end = carom_scale(random_uniform(r, 0, 0.3)*near, random_unit(r));
    if (plane_a) out = place(&path.A, 0).R.cz;
    if (plane_b) {  // A goes
        path.A.from = carom_scale(1.1*far, place(&path.B, 0).R.cz);
        path.A.by = carom_sub(end, path.A.from);
        return path;
    }
    path.B.from = carom_scale(random_uniform(r, 1, 1.2)*far, out);
    path.B.by = carom_sub(end, path.B.from);
    return path;
}

static double step_of(const Path *path, double s0, double s1)
{
    return travel(&path->A, path->radius_a, s0, s1) + travel(&path->B, path->radius_b, s0, s1);
}

static Pair pair_at(const Path *path, double s)
{
    const CaseShape *a = &set->shapes[path->a], *b = &set->shapes[path->b];
    return (Pair){ a->shape, b->shape, place(&path->A, s), place(&path->B, s), a->core, b->core };
}

typedef struct Sample {
    double s;
    caromGap gap;
} Sample;

static Sample sample(const Path *path, double s, caromWarmStart *warm, Tally *tally)
{
    Pair p = pair_at(path, s);
    Sample at_s = { s, carom_collide_shapes_warm(p.a, p.X_WA, p.b, p.X_WB, warm) };
    caromGap cold = carom_collide_shapes(p.a, p.X_WA, p.b, p.X_WB);
    tally->n++;
    if (!same_bits(at_s.gap, cold) && tally_fails(tally, "a warm start changes the answer", 1)) {
        print_message("  shapes %d and %d: warm start: g %.17g error %.17g, cold g %.17g error %.17g\n", path->a,
                      path->b, at_s.gap.g, at_s.gap.error, cold.g, cold.error);
        pair_print(&p);
    }
    if (at_s.gap.status != CAROM_GAP_OK) tally->not_ok++;
    return at_s;
}

static double rounding_at(const Path *path)
{
    return 32*0x1p-53*(path->radius_a + path->radius_b + carom_norm(path->B.from) + carom_norm(path->A.from));
}

static void tell(const Path *path, double s0, double s1, const char *what, double change, double bound)
{
    Pair before = pair_at(path, s0), after = pair_at(path, s1);
    print_message("  shapes %d and %d: %s changes by %.3g, at most %.3g is possible: from\n", path->a, path->b, what,
                  change, bound);
    pair_print(&before);
    print_message("  to\n");
    pair_print(&after);
}

// |g(s1) - g(s0)| is at most how far points of both have moved, as each support function changes by no more.
static void check_lipschitz(const Path *path, const Sample *p, const Sample *q, Tally *tally)
{
    double step = step_of(path, p->s, q->s), change = fabs(q->gap.g - p->gap.g),
           slack = p->gap.error + q->gap.error + rounding_at(path);
    tally->g = fmax(tally->g, (change - slack)/step);
    if (change <= step + slack) return;
    if (tally_fails(tally, "g changes more than anything has moved", 1))
        tell(path, p->s, q->s, "g", change, step);
}

// v = (distance of the cores) n is the nearest point of C = A - B. From v0.(c - v0) >= 0 for all c in C0 and
// v1.(c - v1) >= 0 for all c in C1, with each point of one within the step D of one of the other: |v1 - v0|^2 <= D
// (|v0| + |v1|). A normal that gives g up to an error e is off by sqrt(2 e/|v|).
static void check_normal(const Path *path, const Sample *p, const Sample *q, Tally *tally)
{
    double d0 = p->gap.g + path->growth, d1 = q->gap.g + path->growth, step = step_of(path, p->s, q->s);
    if (!(d0 > 0 && d1 > 0)) return;
    double jump = carom_norm(carom_sub(carom_scale(d1, q->gap.n_AB), carom_scale(d0, p->gap.n_AB)));
    double slack = 2*sqrt(2*d0*(p->gap.error + rounding_at(path))) + 2*sqrt(2*d1*(q->gap.error + rounding_at(path)));
    double bound = sqrt(step*(d0 + d1)) + slack;
    tally->duality = fmax(tally->duality, jump/bound);
    if (jump <= bound) return;
    if (tally_fails(tally, "n jumps", 1))
        tell(path, p->s, q->s, "(core distance) n", jump, bound);
}

static void follow(int paths, bool with_half_space)
{
    Tally tally = { .name = "paths" };
    Random r = { 51 };
    int crossings = 0;
    for (int k = 0; k < paths; k++) {
        enum { STEPS = 32 };
        Path path = random_path(&r, with_half_space);
        caromWarmStart warm = { { 0 } };
        Sample last = sample(&path, 0, &warm, &tally);
        bool apart = last.gap.g > 0;
        for (int i = 1; i <= STEPS; i++) {
            Sample next = sample(&path, (double)i/STEPS, &warm, &tally);
            check_lipschitz(&path, &last, &next, &tally);
            check_normal(&path, &last, &next, &tally);
            last = next;
        }
        crossings += apart && last.gap.g < 0;
    }
    for (int i = 0; i < REASONS_MAX && tally.reasons[i].what; i++)
        print_message("    %6d  %s\n", tally.reasons[i].n, tally.reasons[i].what);
    print_message("  paths: %d samples, %d failures, %d not OK; %d paths from apart to overlapping; largest |dg|/step "
                  "%.4f, jump of the normal/its bound %.4f\n", tally.n, tally.failed, tally.not_ok, crossings, tally.g,
                  tally.duality);
    assert_int_equal(tally.failed, 0);
    assert_int_equal(tally.not_ok, 0);
    CHECK(crossings > 0.8*paths);
}

static void gap_and_normal_follow_the_motion(void **state)
{
    (void)state;
    follow(1000, false);
}

static void gap_to_a_half_space_follows_the_motion(void **state)
{
    (void)state;
    follow(100, true);
}

// Where cores are apart by at least a part of the size, the step with the largest jump of n is cut into ten, and of
// these the one with the largest again, three times. A jump that falls as the step does keeps jump*distance/step; a
// discontinuity would raise it tenfold each time.
static void jumps_of_the_normal_fall_with_the_step(void **state)
{
    (void)state;
    enum { LEVELS = 4, PARTS = 10 };
    Tally tally = { .name = "refined paths" };
    Random r = { 52 };
    double largest[LEVELS] = { 0 }, steepest[LEVELS] = { 0 }, sum[LEVELS] = { 0 };
    int paths = 0;
    for (int k = 0; k < 400; k++) {
        Path path = random_path(&r, false);
        double low = 0, high = 1, least = 0.02*fmax(path.radius_a, path.radius_b), jumps[LEVELS], steep[LEVELS];
        int level = 0;
        for (; level < LEVELS; level++) {
            caromWarmStart warm = { { 0 } };
            int parts = level == 0 ? 64 : PARTS;
            Sample last = sample(&path, low, &warm, &tally);
            double worst = -1, from = low, to = high, width = (high - low)/parts;
            for (int i = 1; i <= parts; i++) {
                Sample next = sample(&path, low + i*width, &warm, &tally);
                double d = fmin(last.gap.g, next.gap.g) + path.growth,
                       jump = carom_norm(carom_sub(next.gap.n_AB, last.gap.n_AB));
                check_lipschitz(&path, &last, &next, &tally);
                check_normal(&path, &last, &next, &tally);
                if (d > least && jump > worst)
                    worst = jump, from = last.s, to = next.s, steep[level] = jump*d/step_of(&path, last.s, next.s);
                last = next;
            }
            if (worst < 0) break;
            jumps[level] = worst, low = from, high = to;
        }
        if (level < LEVELS) continue;
        paths++;
        for (int i = 0; i < LEVELS; i++) {
            largest[i] = fmax(largest[i], jumps[i]), steepest[i] = fmax(steepest[i], steep[i]);
            sum[i] += jumps[i];
        }
    }
    for (int i = 0; i < LEVELS; i++)
        print_message("  steps of 1/%-6d: largest jump of n %.2e, mean of the largest %.2e, largest "
                      "jump*distance/step %.3g\n", (int)(64*pow(10, i) + 0.5), largest[i], sum[i]/paths, steepest[i]);
    CHECK(paths > 300);
    // Nearly parallel edges are Hoelder with exponent 1/2 only (check_normal); everything else is Lipschitz, so that
    // the mean falls with the step.
    for (int i = 1; i < LEVELS; i++) CHECK(sum[i] < 0.2*sum[i - 1]);
    CHECK(largest[LEVELS - 1] < 0.032*largest[0]);  // sqrt(1e-3), at least
    assert_int_equal(tally.failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_and_normal_follow_the_motion),
        cmocka_unit_test(gap_to_a_half_space_follows_the_motion),
        cmocka_unit_test(jumps_of_the_normal_fall_with_the_step),
    };
    return cmocka_run_group_tests(tests, read_set, free_set);
}
