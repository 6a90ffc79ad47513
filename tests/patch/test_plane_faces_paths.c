// The surface between plane faces in thousands of poses: against brute force, and along paths, where force
// and torque must not jump.
#include "carom/collide.h"

#include "collide_fixture.h"
#include "patch_reference.h"

enum { HULLS = 6 };
static caromHull *hulls[HULLS];  // of 8 to 40 faces

static int make_hulls(void **state)
{
    (void)state;
    Random r = { 31 };
    for (int k = 0; k < HULLS; k++) {
        caromVec3 p[22];
        const int corners[HULLS] = { 6, 7, 9, 12, 17, 22 };  // of a sphere: 2 n - 4 faces
        for (int i = 0; i < corners[k]; i++)
            p[i] = carom_scale(0.06, carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)));
        hulls[k] = carom_hull_create(p, corners[k], 0, NULL);
        assert_non_null(hulls[k]);
        assert_int_equal(hulls[k]->nface, 2*corners[k] - 4);
    }
    return 0;
}

static int free_hulls(void **state)
{
    (void)state;
    for (int k = 0; k < HULLS; k++) carom_hull_destroy(hulls[k]);
    return 0;
}

typedef struct Wrench {
    int cells;
    double weight, spread;
    caromVec3 force, torque;
} Wrench;

static Wrench wrench(const caromShape *a, caromPose Xa, const caromShape *b, caromPose Xb, caromVec3 about)
{
    static caromPatch patch;
    Wrench w = { 0 };
    carom_patch_shapes(a, Xa, b, Xb, &patch);
    w.cells = patch.ncell;
    for (int i = 0; i < patch.ncell; i++) {
        const caromCell *c = &patch.cells[i];
        caromVec3 f = carom_scale(c->weight, c->n_AB), r = carom_sub(c->p_W, about);
        w.weight += c->weight;
        w.spread += c->weight*carom_norm2(r);
        w.force = carom_add(w.force, f);
        w.torque = carom_add(w.torque, carom_cross(r, f));
    }
    return w;
}

// Against brute force.

typedef struct Pose {
    caromShape a, b;
    caromPose Xa, Xb;
    double depth;
} Pose;

static caromShape random_box(Random *r)
{
    double x = random_uniform(r, 0.05, 0.2), y = random_uniform(r, 0.05, 0.2), z = random_uniform(r, 0.05, 0.2);
    return carom_shape_box(x, y, z);
}

static caromMat3 turn(caromVec3 axis, double angle)
{
    return carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(axis, carom_vec(0, 0, 1)), angle));
}

// b stands on the top of a (box, polytope or half-space): anyhow, flush, yawed, or tilted by little to much; as deep as
// asked for along the way it came.
static Pose random_stack(Random *r, caromShape a, caromShape b, int k)
{
    Pose p = { a, b, { carom_quat_matrix(random_rotation(r)), random_vec(r, 0.05) },
               { carom_mat_identity(), { 0, 0, 0 } }, 0.1*pow(10, random_uniform(r, -9, -1)) };
    caromMat3 R = p.Xa.R;
    caromVec3 tilt = random_vec(r, 1), aside = random_vec(r, k % 3 ? 0.03 : 0);
    double angle = pow(10, random_uniform(r, -10, -1));
    caromMat3 yaw = turn(carom_vec(0, 0, 1), random_uniform(r, 0, 6.3));
    caromMat3 turns[4] = { carom_quat_matrix(random_rotation(r)), R, carom_mat_mul(R, yaw),
                           carom_mat_mul(R, turn(tilt, angle)) };
    p.Xb.R = turns[k % 4];
    caromVec3 from = carom_axpy(aside.x, R.cx, carom_axpy(aside.y, R.cy, p.Xa.p));
    double low = 0, high = 0.5;
    for (int i = 0; i < 50; i++) {
        double z = 0.5*(low + high);
        p.Xb.p = carom_axpy(z, R.cz, from);
        if (carom_collide_shapes(a, p.Xa, b, p.Xb).g > -p.depth) high = z;
        else low = z;
    }
    return p;
}

// Coordinates are up to 0.3 m, and a pressure is a sum of some products of them: it is known to 4 eps 0.3 m or so.
// Force goes with up to its third power (corners), and the polygon with its roundings: some ten of these.
static double rounding_of(const Pose *p)
{
    return 1e-12 + 50*2.2e-16*0.3/p->depth;
}

static bool check_pose(const Pose *p)  // true: they touch
{
    caromVec3 about = p->Xb.p;
    Wrench w = wrench(&p->a, p->Xa, &p->b, p->Xb, about);
    bool swapped = p->a.kind > p->b.kind;  // the first of the kinds is the softer one
    Reference r = swapped ? patch_reference(&p->b, p->Xb, &p->a, p->Xa, about, 1)
                          : patch_reference(&p->a, p->Xa, &p->b, p->Xb, about, 1);
    double sign = swapped ? -1 : 1, tolerance = rounding_of(p)*r.weight;
    CHECK_NEAR(w.weight, r.weight, tolerance);
    CHECK_NEAR(w.spread, r.spread, 0.02*tolerance);  // squares of up to 0.14 m
    CHECK_VEC(w.force, carom_scale(sign, r.force), tolerance);
    CHECK_VEC(w.torque, carom_scale(sign, r.torque), 0.14*tolerance);
    return r.weight > 0;
}

static void boxes_agree_with_brute_force(void **state)
{
    (void)state;
    Random r = { 32 };
    int touching = 0;
    for (int k = 0; k < share_of(10000); k++) {
        caromShape a = random_box(&r), b = k % 5 ? random_box(&r) : a;
        Pose p = random_stack(&r, a, k % 7 ? b : carom_shape_half_space(), k);
        if (p.b.kind == CAROM_HALF_SPACE) p = random_stack(&r, carom_shape_half_space(), a, k);
        touching += check_pose(&p);
    }
    assert_true(touching > share_of(9900));
}

static void polytopes_agree_with_brute_force(void **state)
{
    (void)state;
    Random r = { 33 };
    int touching = 0;
    for (int k = 0; k < share_of(1000); k++) {
        caromShape a = k % 3 == 0 ? random_box(&r) : k % 3 == 1 ? carom_shape_half_space()
                                  : carom_shape_polytope(hulls[k/3 % HULLS]),
                   b = carom_shape_polytope(hulls[k % HULLS]);
        Pose p = random_stack(&r, a, b, k);
        touching += check_pose(&p);
    }
    assert_true(touching > share_of(950));
}

// Along paths.

typedef struct Path {
    caromShape a, b;
    caromPose Xa;
    caromMat3 start;
    caromVec3 from, to, bend, axis;
    double angle;
    caromPose (*pose)(const struct Path *path, double s);  // of b
} Path;

static caromPose bent(const Path *p, double s)
{
    caromVec3 x = carom_axpy(1 - s, p->from, carom_axpy(s, p->to, carom_scale(4*s*(1 - s), p->bend)));
    return carom_pose(carom_mat_mul(turn(p->axis, p->angle*s), p->start), x);
}

// From outside to some mm deep and out again, turning by up to 1 rad.
static Path random_path(Random *r, caromShape a, caromShape b)
{
    Pose p = random_stack(r, a, b, 0);
    caromVec3 up = p.Xa.R.cz, aside = random_vec(r, 0.03), axis = random_vec(r, 1),
              above = carom_axpy(0.01, up, p.Xb.p);
    double deep = random_uniform(r, 0.011, 0.02), angle = random_uniform(r, 0, 1);
    return (Path){ a, b, p.Xa, p.Xb.R, carom_add(above, aside), carom_sub(above, aside), carom_scale(-deep, up), axis,
                   angle, bent };
}

typedef struct Jumps {
    double value, rate;  // largest changes of force and torque from step to step, and of their rates (per path)
    int where;
} Jumps;

enum { STEPS_MAX = 400 };

static double change(const Wrench *a, const Wrench *b)
{
    return carom_norm(carom_sub(b->force, a->force)) + carom_norm(carom_sub(b->torque, a->torque))/0.1;
}

static double change_of_rate(const Wrench *w)
{
    Wrench before = { .force = carom_sub(w[1].force, w[0].force), .torque = carom_sub(w[1].torque, w[0].torque) };
    Wrench after = { .force = carom_sub(w[2].force, w[1].force), .torque = carom_sub(w[2].torque, w[1].torque) };
    return change(&before, &after);
}

static Wrench wrench_at(const Path *p, double s)
{
    return wrench(&p->a, p->Xa, &p->b, p->pose(p, s), p->Xa.p);
}

static Jumps jumps(const Path *p, int n, double *largest)
{
    Wrench w[STEPS_MAX + 1];
    Jumps j = { 0 };
    for (int k = 0; k <= n; k++) {
        w[k] = wrench_at(p, (double)k/n);
        *largest = fmax(*largest, carom_norm(w[k].force));
    }
    for (int k = 0; k < n; k++) {
        double c = change(&w[k], &w[k + 1]);
        if (c > j.value) j.value = c, j.where = k;
        if (k > 0) j.rate = fmax(j.rate, n*change_of_rate(&w[k - 1]));
    }
    return j;
}

// Halves the step with the largest change again and again: that of a continuous function with bounded slope halves
// as well, a jump stays.
static double change_at_last(const Path *p, int n, int where)
{
    double low = (double)where/n, high = (where + 1.0)/n;
    Wrench a = wrench_at(p, low), b = wrench_at(p, high);
    for (int k = 0; k < 16; k++) {
        double s = 0.5*(low + high);
        Wrench c = wrench_at(p, s);
        if (change(&a, &c) > change(&c, &b)) high = s, b = c;
        else low = s, a = c;
    }
    return change(&a, &b);
}

// Four times as many steps: changes are a quarter, and so are those of rates. Not where bodies only brush past each
// other within a step or two, or faces meet that are nearly parallel and take a step to go from edge to face; but
// nowhere does a change stay when looked at closely.
static void check_paths(Random *r, int count, caromShape (*shape)(Random *r, int k, bool is_b))
{
    int touching = 0, smooth = 0, rates = 0;
    for (int k = 0; k < count; k++) {
        caromShape a = shape(r, k, false), b = shape(r, k, true);
        Path p = random_path(r, a, b);
        double largest = 0;
        Jumps coarse = jumps(&p, 100, &largest), mean = jumps(&p, 200, &largest), fine = jumps(&p, 400, &largest);
        if (largest == 0) continue;
        touching++;
        smooth += mean.value < 0.6*coarse.value && fine.value < 0.35*coarse.value;
        rates += fine.rate < 0.5*coarse.rate;
        double last = change_at_last(&p, 400, fine.where);
        if (!(last < 1e-3*fine.value + 1e-12*largest))
            print_error("path %d: a change by %g of %g stays\n", k, last, largest);
        assert_true(last < 1e-3*fine.value + 1e-12*largest);  // 2^-16 if the slope is even
    }
    print_message("of %d paths %d touch, %d smoothly, %d with smooth rates\n", count, touching, smooth, rates);
    assert_true(touching > 0.9*count && smooth > 0.97*touching && rates > 0.95*touching);
}

static caromShape any_box(Random *r, int k, bool is_b)
{
    (void)k, (void)is_b;
    return random_box(r);
}

static caromShape any_polytope(Random *r, int k, bool is_b)
{
    (void)r;
    return carom_shape_polytope(hulls[(is_b ? k : k/HULLS) % HULLS]);
}

static void boxes_do_not_jump(void **state)
{
    (void)state;
    Random r = { 34 };
    check_paths(&r, 1100, any_box);
}

static void polytopes_do_not_jump(void **state)
{
    (void)state;
    Random r = { 35 };
    check_paths(&r, 310, any_polytope);
}

// A box that tips from a face over an edge to a corner, a tenth of a millimetre deep all the time, on a floor and on
// another box.

static caromPose tipped(const Path *p, double s)
{
    caromMat3 R = carom_mat_mul(turn(carom_vec(0, 1, 0), 1.2*fmax(0, s - 0.5)),
                                turn(carom_vec(1, 0, 0), 1.6*fmin(s, 0.5)));
    double low = 0.5*(p->b.size.x*fabs(R.cx.z) + p->b.size.y*fabs(R.cy.z) + p->b.size.z*fabs(R.cz.z));
    return carom_pose(R, carom_vec(0.01, 0.02, low - 1e-4));
}

static void a_tipping_box_hands_over(void **state)
{
    (void)state;
    const caromShape box = carom_shape_box(0.1, 0.08, 0.06);
    const Path paths[2] = {
        { .a = carom_shape_half_space(), .b = box, .Xa = pose_at(0, 0, 0), .pose = tipped },
        { .a = carom_shape_box(0.3, 0.3, 0.1), .b = box, .Xa = pose_at(0, 0, -0.05), .pose = tipped }
    };
    for (int k = 0; k < 2; k++) {
        double largest = 0;
        Jumps j = jumps(&paths[k], 400, &largest);
        assert_int_equal(j.where, 0);  // it leaves the face at once: at an angle of 1e-4/0.08, a part of a step
        // Face, edge, corner: the force is d A, then of the order of d^2 and d^3 over the same depth.
        double face = wrench_at(&paths[k], 0).weight, edge = wrench_at(&paths[k], 0.5).weight,
               corner = wrench_at(&paths[k], 1).weight;
        CHECK_NEAR(face, 1e-4*0.1*0.08, 0.01*face);
        assert_true(edge < 0.01*face && edge > 1e-4*face && corner < 0.01*edge && corner > 0);
        for (int i = 0; i <= 400; i++) assert_true(wrench_at(&paths[k], i/400.0).force.z > 0);
        for (int i = 0; i < 400; i++) {
            Wrench from = wrench_at(&paths[k], i/400.0), to = wrench_at(&paths[k], (i + 1)/400.0);
            assert_true(change_at_last(&paths[k], 400, i) < 1e-3*change(&from, &to) + 1e-12*face);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_agree_with_brute_force),
        cmocka_unit_test(polytopes_agree_with_brute_force),
        cmocka_unit_test(boxes_do_not_jump),
        cmocka_unit_test(polytopes_do_not_jump),
        cmocka_unit_test(a_tipping_box_hands_over),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
