// Random trees over all kinds of joints: every function of dynamics.h against the others, against differences, and
// against maximal coordinates that know nothing of it (mechanisms.h).
//
// Tolerances. Masses are 0.5 to 5 kg, lengths 0.2 to 1 m, speeds up to 2 and chains up to 12 bodies: an algorithm that
// is backward stable answers for data off by some n eps = 1e-14. What that does to accelerations is measured in the
// norm of kinetic energy, |x|^2 = x^T M x, where metres and radians can be added: there it grows by the square root of
// the condition of M, which is below 1e6 for these trees (checked). So 1e-14 x 1e3 = 1e-11 is to be expected at worst,
// and 1e-10 is asked for. Differences are central and of order 8 with h = 0.05/(sum of all rates): truncation
// (h rate)^8/630 = 6e-14 and rounding 1.5 eps/(h rate) = 7e-15 of the quantity times its rate; 1e-11 is asked for.
#include "dynamics/dynamics.h"
#include "kinematics/kinematics.h"
#include "mechanisms.h"

enum { TREES = 100, NQ = 7*MECHANISM_BODIES, NV = 6*MECHANISM_BODIES };

typedef struct State {
    double time, q[NQ], v[NV], tau[NV], dv[NV];  // dv: any
    caromSpatial F[MECHANISM_BODIES];
} State;

static const Recipe plain = { 0 }, chain = { .nbody = MECHANISM_BODIES, .is_chain = true },
                    with_forces = { .has_forces = true };
static const Recipe with_motion = { .has_forces = true, .has_motion = true },
                    reversed = { .has_forces = true, .has_reversed = true };

static Mechanism m;  // the tree at hand
static State s;
static int tree;

static void expect_below(double error, double bound, const char *what, int line)
{
    if (error <= bound) return;  // NaN is not
    print_error("%s:%d: tree %d: %s is off by %.3g, allowed %.3g; joints:", __FILE__, line, tree, what, error, bound);
    for (int i = 0; i < m.nbody; i++) {
        int k = m.order[i];
        print_error(" %d-%d %s%s%s", m.parent[k], k, carom_model_joint_kind_name(m.joint[k].kind),
                    joint_is_driven(&m.joint[k]) ? " driven" : "", m.is_reversed[k] ? " reversed" : "");
    }
    print_error("\n");
    _fail(__FILE__, line);
}
#define EXPECT_BELOW(error, bound, what) expect_below((error), (bound), (what), __LINE__)

static void random_situation(Random *r)
{
    memset(&s, 0, sizeof s);
    s.time = random_uniform(r, 0.5, 3);
    for (int k = 0; k < m.nbody; k++) {
        s.F[k] = (caromSpatial){ random_vec(r, 10), random_vec(r, 10) };
        if (joint_nv(&m.joint[k]) > 0 && !joint_is_driven(&m.joint[k]))
            random_state(r, &m.joint[k], s.q + m.iq[k], s.v + m.iv[k]);
    }
    for (int i = 0; i < m.nv; i++) s.tau[i] = random_uniform(r, -10, 10), s.dv[i] = random_uniform(r, -10, 10);
}

static void for_each_tree(Recipe recipe, int count, void (*check)(void))
{
    for (tree = 0; tree < count; tree++) {
        Random r = { 0x9e3779b97f4a7c15ULL + 1000003ULL*(uint64_t)tree };
        for (int i = 0; i < 10; i++) random_uniform(&r, 0, 1);
        random_mechanism(&r, recipe, &m);
        random_situation(&r);
        check();
        mechanism_free(&m);
    }
}

// ---- measures

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double mat_off(caromMat3 a, caromMat3 b)
{
    return carom_norm(carom_sub(a.cx, b.cx)) + carom_norm(carom_sub(a.cy, b.cy)) + carom_norm(carom_sub(a.cz, b.cz));
}

static double vec_off(caromVec3 a, caromVec3 b)
{
    return carom_norm(carom_sub(a, b));
}

static double energy_norm(const double *M, const double *x)
{
    double sum = 0;
    for (int i = 0; i < m.nv; i++) for (int j = 0; j < m.nv; j++) sum += x[i]*M[i*m.nv + j]*x[j];
    return sqrt(fmax(sum, 0));
}

// Lower triangle, in place; false: not positive definite.
static bool cholesky(double *M, int n)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) M[j*n + j] -= M[j*n + k]*M[j*n + k];
        if (!(M[j*n + j] > 0)) return false;
        M[j*n + j] = sqrt(M[j*n + j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) M[i*n + j] -= M[i*n + k]*M[j*n + k];
            M[i*n + j] /= M[j*n + j];
        }
    }
    return true;
}

static void cholesky_solve(const double *L, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= L[i*n + j]*b[j];
        b[i] /= L[i*n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= L[j*n + i]*b[j];
        b[i] /= L[i*n + i];
    }
}

// The largest distance of anything from the world's origin, as a length to compare errors of positions with.
static double reach(void)
{
    Motion motion[MECHANISM_BODIES];
    double far = 1;
    mechanism_motion(&m, s.time, s.q, s.v, NULL, motion);
    for (int k = 0; k < m.nbody; k++) far = fmax(far, carom_norm(motion[k].X.p));
    return far;
}

static double sum_of_rates(void)
{
    double sum = 1;
    for (int i = 0; i < m.nv; i++) sum += fabs(s.v[i]);
    for (int k = 0; k < m.nbody; k++)
        if (joint_is_driven(&m.joint[k])) sum += fabs(function_jet(&m.joint[k].drive_function, s.time).d) + 2*acos(-1);
    return sum;
}

// d/dt of a function of numbers x(t) [n] by central differences of order 8 at t = 0.
static void differences(void (*at)(double t, const void *context, double *x), const void *context, int n, double h,
                        double *rate)
{
    const double weight[4] = { 4.0/5, -1.0/5, 4.0/105, -1.0/280 };
    double plus[32], minus[32];
    for (int i = 0; i < n; i++) rate[i] = 0;
    for (int k = 1; k <= 4; k++) {
        at(k*h, context, plus);
        at(-k*h, context, minus);
        for (int i = 0; i < n; i++) rate[i] += weight[k - 1]*(plus[i] - minus[i])/h;
    }
}

// ---- kinematics

static void check_start(void)
{
    double q[NQ + 1], v[NV + 1];
    int nq = 0, nv = 0;
    carom_dyn_start(m.dyn, q, v);
    for (int k = 0; k < m.nbody; k++) {
        const caromJointDef *j = &m.joint[k];
        if (joint_is_driven(j) || joint_nv(j) == 0) continue;
        nq += joint_nq(j);
        nv += joint_nv(j);
        // A quaternion may be normalised.
        for (int i = 0; i < joint_nq(j); i++) CHECK_NEAR(q[m.iq[k] + i], j->position[i], 2*DBL_EPSILON);
        for (int i = 0; i < joint_nv(j); i++) CHECK_NEAR(v[m.iv[k] + i], j->velocity[i], 0);
    }
    assert_int_equal(m.nq, nq);
    assert_int_equal(m.nv, nv);
}

static void start_is_as_given(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_start);
    for_each_tree(with_motion, TREES/4, check_start);
    for_each_tree(reversed, TREES/4, check_start);
}

// Twelve products of matrices, each with rounding of some eps, and positions of up to ten metres.
static void check_poses(void)
{
    Motion motion[MECHANISM_BODIES];
    double scale = reach(), rate = sum_of_rates();
    mechanism_motion(&m, s.time, s.q, s.v, NULL, motion);
    for (int k = 0; k < m.nbody; k++) {
        caromPose X;
        caromSpatial V;
        carom_dyn_body(m.dyn, s.time, s.q, s.v, (caromBodyId){ k }, &X, &V);
        EXPECT_BELOW(mat_off(X.R, motion[k].X.R), 1e-13, "orientation");
        EXPECT_BELOW(vec_off(X.p, motion[k].X.p), 1e-13*scale, "position");
        EXPECT_BELOW(vec_off(V.angular, motion[k].w), 1e-13*rate, "angular velocity");
        EXPECT_BELOW(vec_off(V.linear, motion[k].v), 1e-13*rate*scale, "velocity");
    }
}

static void poses_follow_from_the_definition_of_joints(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_poses);
    for_each_tree(chain, 10, check_poses);
    for_each_tree(with_motion, TREES/4, check_poses);
    for_each_tree(reversed, TREES/4, check_poses);
}

typedef struct Along {  // which way the coordinates go, how fast the time, and who is watched
    const double *v;
    double time_rate;
    caromBodyId body;
    caromVec3 p;
} Along;

// The rotation and a point, at time t later if the speeds stay.
static void pose_at(double t, const void *context, double *x)
{
    const Along *a = context;
    double q[NQ + 1];
    caromPose X;
    caromSpatial V;
    mechanism_advance(&m, s.q, a->v, t, q);
    carom_dyn_body(m.dyn, s.time + a->time_rate*t, q, a->v, a->body, &X, &V);
    caromVec3 p = carom_pose_point(X, a->p);
    const double values[12] = { X.R.cx.x, X.R.cx.y, X.R.cx.z, X.R.cy.x, X.R.cy.y, X.R.cy.z, X.R.cz.x, X.R.cz.y,
                                X.R.cz.z, p.x, p.y, p.z };
    memcpy(x, values, sizeof values);
}

// Angular velocity from a rotation and its rate: R' R^T is skew.
static caromSpatial velocity_by_differences(const Along *along, double h)
{
    double d[12], x[12];
    differences(pose_at, along, 12, h, d);
    pose_at(0, along, x);
    double W[3][3] = { { 0 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) W[i][j] += d[3*k + i]*x[3*k + j];
    caromVec3 w = carom_scale(0.5, carom_vec(W[2][1] - W[1][2], W[0][2] - W[2][0], W[1][0] - W[0][1]));
    return (caromSpatial){ w, { d[9], d[10], d[11] } };
}

static void check_velocities(void)
{
    double scale = reach(), rate = sum_of_rates();
    for (int k = 0; k < m.nbody; k++) {
        Along along = { s.v, 1, { k }, { 0, 0, 0 } };
        caromPose X;
        caromSpatial V, D = velocity_by_differences(&along, 0.05/rate);
        carom_dyn_body(m.dyn, s.time, s.q, s.v, along.body, &X, &V);
        EXPECT_BELOW(vec_off(V.angular, D.angular), 1e-11*rate, "angular velocity against differences");
        EXPECT_BELOW(vec_off(V.linear, D.linear), 1e-11*rate*scale, "velocity against differences");
    }
}

static void velocities_are_rates_of_poses(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_velocities);
    for_each_tree(with_motion, TREES/4, check_velocities);
    for_each_tree(reversed, TREES/4, check_velocities);
}

static void coordinates_at(double t, const void *context, double *x)
{
    const int *k = context;
    double q[NQ + 1];
    mechanism_advance(&m, s.q, s.v, t, q);
    memcpy(x, q + m.iq[*k], (size_t)joint_nq(&m.joint[*k])*sizeof *x);
}

static void check_rate(void)
{
    double dq[NQ + 1], d[32], rate = sum_of_rates();
    carom_dyn_rate(m.dyn, s.q, s.v, dq);
    for (int k = 0; k < m.nbody; k++) {
        if (joint_nv(&m.joint[k]) == 0 || joint_is_driven(&m.joint[k])) continue;
        differences(coordinates_at, &k, joint_nq(&m.joint[k]), 0.05/rate, d);
        for (int i = 0; i < joint_nq(&m.joint[k]); i++)
            EXPECT_BELOW(fabs(dq[m.iq[k] + i] - d[i]), 1e-11*rate, "rate of a coordinate");
    }
}

static void rates_of_coordinates_follow_from_speeds(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_rate);
    for_each_tree(with_motion, TREES/4, check_rate);
}

// Coordinates leave q by no more than they may, each by itself: then no point of a link leaves by more than its bound.
static void check_stray(void)
{
    Random r = { 77 + (uint64_t)tree };
    caromKin at = { 0 }, off = { 0 };
    caromStray links[MECHANISM_BODIES];
    double stray[NQ], q[NQ];
    CHECK(carom_kin_alloc(m.model, &at) && carom_kin_alloc(m.model, &off));
    carom_kin_update(m.model, s.time, s.q, s.v, &at);
    for (int round = 0; round < 40; round++) {
        double size = pow(10, random_uniform(&r, -4, 0.5));
        for (int i = 0; i < m.nq; i++) stray[i] = random_uniform(&r, 0, size);
        for (int i = 0; i < m.nq; i++) q[i] = s.q[i] + (random_uniform(&r, 0, 1) < 0.5 ? -stray[i] : stray[i]);
        carom_kin_stray(m.model, &at, s.q, stray, links);
        carom_kin_update(m.model, s.time, q, s.v, &off);
        for (int k = 0; k < m.model->nlink; k++) {
            caromVec3 p = random_vec(&r, 1);
            caromPose X = { at.links[k].R, at.links[k].o }, Y = { off.links[k].R, off.links[k].o };
            double moved = carom_norm(carom_sub(carom_pose_point(Y, p), carom_pose_point(X, p))),
                   bound = links[k].shift + links[k].turn*carom_norm(p);
            EXPECT_BELOW(moved, bound + 1e-13, "how far a point of a link strays");
            // Of a lone free body the bound is within the root of 3 for its place, and a factor of 4 for its
            // quaternion, whose norm may change.
            if (m.model->links[k].is_lone && size < 0.1) EXPECT_BELOW(bound, 10*size*(1 + carom_norm(p)), "the bound");
        }
    }
    carom_kin_free(&at);
    carom_kin_free(&off);
}

static void points_of_links_stray_no_farther_than_their_bound(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_stray);
    for_each_tree(reversed, TREES, check_stray);
}

// Column by column: one speed is 1, the others 0, and the time stands still (J v is the part of the velocity that
// prescribed motions do not give). The motion is then a circle or a line, which order 8 follows to rounding.
static void check_jacobian(void)
{
    double scale = reach() + 1;
    caromBodyId body = { tree % m.nbody };
    caromVec3 p_B = carom_vec(0.3, -0.2, 0.5);
    double J[6*NV + 6];
    carom_dyn_jacobian(m.dyn, s.time, s.q, body, p_B, J);
    for (int i = 0; i < m.nv; i++) {
        double v[NV] = { 0 };
        v[i] = 1;
        Along along = { v, 0, body, p_B };
        caromSpatial D = velocity_by_differences(&along, 0.05);
        for (int a = 0; a < 3; a++) {
            EXPECT_BELOW(fabs(J[a*m.nv + i] - carom_at(D.angular, a)), 1e-11, "Jacobian, angular");
            EXPECT_BELOW(fabs(J[(3 + a)*m.nv + i] - carom_at(D.linear, a)), 1e-11*scale, "Jacobian, linear");
        }
    }
}

static void jacobian_is_the_rate_of_poses(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_jacobian);
    for_each_tree(with_motion, TREES/4, check_jacobian);
    for_each_tree(reversed, TREES/4, check_jacobian);
}

// ---- mass matrix, forward and inverse dynamics

static void check_mass_matrix(void)
{
    static double M[NV*NV + 1], L[NV*NV + 1];
    int n = m.nv;
    carom_dyn_mass_matrix(m.dyn, s.time, s.q, M);
    double scale = largest(M, n*n), none[NV + 1] = { 0 }, bias[NV + 1], column[NV + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) EXPECT_BELOW(fabs(M[i*n + j] - M[j*n + i]), 1e-14*scale, "symmetry");
    memcpy(L, M, sizeof L);
    if (!cholesky(L, n)) EXPECT_BELOW(INFINITY, 0, "positive definiteness");
    double smallest = INFINITY;
    for (int i = 0; i < n; i++) smallest = fmin(smallest, L[i*n + i]*L[i*n + i]);
    if (n > 0) EXPECT_BELOW(scale/smallest, 1e6, "condition of M");  // by the pivots; what the tolerances rest on
    carom_dyn_inverse(m.dyn, s.time, s.q, s.v, none, s.F, bias);
    for (int j = 0; j < n; j++) {
        double unit[NV] = { 0 };
        unit[j] = 1;
        carom_dyn_inverse(m.dyn, s.time, s.q, s.v, unit, s.F, column);
        for (int i = 0; i < n; i++)
            EXPECT_BELOW(fabs(column[i] - bias[i] - M[i*n + j]), 1e-12*(scale + largest(bias, n)), "column of M");
    }
}

// What a coordinate feels of both sides of its joint: with parents held it would feel less of what moves.
static void check_mobility(void)
{
    static double L[NV*NV + 1];
    caromKin kin = { 0 };
    caromDynWork work = { 0 };
    carom_dyn_mass_matrix(m.dyn, s.time, s.q, L);
    if (!cholesky(L, m.nv)) EXPECT_BELOW(INFINITY, 0, "positive definiteness");
    CHECK(carom_kin_alloc(m.model, &kin) && carom_dyn_work_alloc(m.model, &work));
    carom_kin_update(m.model, s.time, s.q, s.v, &kin);
    CHECK(carom_dyn_articulated_factor(m.model, &kin, &work));
    for (int k = 0; k < m.model->nlink; k++) {
        const caromLink *link = &m.model->links[k];
        for (int i = 0; link->iv >= 0 && !link->is_lone && i < link->nv; i++) {
            double x[NV] = { 0 };
            x[link->iv + i] = 1;
            cholesky_solve(L, m.nv, x);
            double own = carom_dyn_articulated_mobility(m.model, &kin, k, i, &work), is = x[link->iv + i];
            EXPECT_BELOW(fabs(own - is), 1e-10*is, "mobility of a coordinate");
        }
    }
    carom_kin_free(&kin);
    carom_dyn_work_free(&work);
}

static void mobility_is_the_diagonal_of_the_inverse_of_the_mass_matrix(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_mobility);
    for_each_tree(chain, 10, check_mobility);
    for_each_tree(with_motion, TREES/4, check_mobility);
    for_each_tree(reversed, TREES/4, check_mobility);
}

static void mass_matrix_is_force_for_unit_acceleration(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_mass_matrix);
    for_each_tree(chain, 10, check_mass_matrix);
    for_each_tree(with_motion, TREES/4, check_mass_matrix);
    for_each_tree(reversed, TREES/4, check_mass_matrix);
}

// M dv = tau - bias, and the way back.
static void check_forward(void)
{
    static double M[NV*NV + 1];
    int n = m.nv;
    double dv[NV + 1], none[NV + 1] = { 0 }, bias[NV + 1], tau[NV + 1];
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, s.tau, s.F, dv), CAROM_OK);
    carom_dyn_mass_matrix(m.dyn, s.time, s.q, M);
    carom_dyn_inverse(m.dyn, s.time, s.q, s.v, none, s.F, bias);
    carom_dyn_inverse(m.dyn, s.time, s.q, s.v, dv, s.F, tau);
    double scale = largest(M, n*n)*largest(dv, n) + largest(s.tau, n) + largest(bias, n);
    for (int i = 0; i < n; i++) {
        double sum = bias[i] - s.tau[i];
        for (int j = 0; j < n; j++) sum += M[i*n + j]*dv[j];
        EXPECT_BELOW(fabs(sum), 1e-12*scale, "M dv + bias - tau");  // a residual: no condition in it
        EXPECT_BELOW(fabs(tau[i] - s.tau[i]), 1e-12*scale, "inverse of forward");
    }
    double back[NV + 1], difference[NV + 1];
    carom_dyn_inverse(m.dyn, s.time, s.q, s.v, s.dv, s.F, tau);
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, tau, s.F, back), CAROM_OK);
    for (int i = 0; i < n; i++) difference[i] = back[i] - s.dv[i];
    double size = energy_norm(M, s.dv), most = largest(tau, n)/sqrt(n > 0 ? largest(M, n*n) : 1);
    EXPECT_BELOW(energy_norm(M, difference), 1e-10*(size + most), "forward of inverse");
}

static void forward_and_inverse_dynamics_agree(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_forward);
    for_each_tree(chain, 10, check_forward);
    for_each_tree(with_forces, TREES, check_forward);
    for_each_tree(with_motion, TREES/4, check_forward);
    for_each_tree(reversed, TREES/4, check_forward);
}

static void check_null(void)
{
    double dv[NV + 1], same[NV + 1], tau[NV + 1], zero[NV + 1] = { 0 };
    caromSpatial none[MECHANISM_BODIES] = { { { 0 } } };
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, NULL, NULL, dv), CAROM_OK);
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, zero, none, same), CAROM_OK);
    assert_memory_equal(dv, same, (size_t)m.nv*sizeof *dv);
    carom_dyn_inverse(m.dyn, s.time, s.q, s.v, s.dv, NULL, tau);
    carom_dyn_inverse(m.dyn, s.time, s.q, s.v, s.dv, none, same);
    assert_memory_equal(tau, same, (size_t)m.nv*sizeof *dv);
}

// And a workspace has no memory: whatever was computed in between, the same call gives the same bits.
static void check_purity(void)
{
    double dv[NV + 1], again[NV + 1], other[NQ + 1];
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, s.tau, s.F, dv), CAROM_OK);
    mechanism_advance(&m, s.q, s.v, 0.5, other);
    assert_int_equal(carom_dyn_forward(m.dyn, s.time + 1, other, s.tau, s.v, NULL, again), CAROM_OK);
    carom_dyn_kinetic(m.dyn, s.time, other, s.tau);
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, s.tau, s.F, again), CAROM_OK);
    assert_memory_equal(dv, again, (size_t)m.nv*sizeof *dv);
}

static void no_force_is_zero_force_and_calls_are_pure(void **state)
{
    (void)state;
    for_each_tree(plain, TREES/4, check_null);
    for_each_tree(with_motion, TREES/4, check_purity);
}

// ---- maximal coordinates

static void check_maximal(void)
{
    static double M[NV*NV + 1];
    double dv[NV + 1], difference[NV + 1];
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, s.tau, s.F, dv), CAROM_OK);
    carom_dyn_mass_matrix(m.dyn, s.time, s.q, M);
    Reference ref = maximal_forward(&m, s.time, s.q, s.v, s.tau, s.F);
    for (int i = 0; i < m.nv; i++) difference[i] = dv[i] - ref.dv[i];
    EXPECT_BELOW(energy_norm(M, difference), 1e-10*energy_norm(M, ref.dv), "dv against maximal coordinates");
    // The bodies: those that dv gives by kinematics.
    Motion motion[MECHANISM_BODIES];
    mechanism_motion(&m, s.time, s.q, s.v, dv, motion);
    double turn = 1, move = 1;
    for (int k = 0; k < m.nbody; k++) {
        turn = fmax(turn, carom_norm(ref.acceleration[k].angular));
        move = fmax(move, carom_norm(ref.acceleration[k].linear));
    }
    for (int k = 0; k < m.nbody; k++) {
        EXPECT_BELOW(vec_off(motion[k].alpha, ref.acceleration[k].angular), 1e-10*turn,
                     "angular acceleration against maximal coordinates");
        EXPECT_BELOW(vec_off(motion[k].a, ref.acceleration[k].linear), 1e-10*move,
                     "acceleration against maximal coordinates");
    }
}

static void accelerations_are_those_of_maximal_coordinates(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_maximal);
    for_each_tree(chain, 10, check_maximal);
}

static void forces_of_joints_and_springs_act_as_defined(void **state)
{
    (void)state;
    for_each_tree(with_forces, TREES, check_maximal);
    for_each_tree(reversed, TREES/2, check_maximal);
}

static void prescribed_motion_is_a_constraint(void **state)
{
    (void)state;
    for_each_tree(with_motion, TREES/2, check_maximal);
}

// The velocity of a body, a little later on the motion with these dv.
typedef struct Later { const double *dv; caromBodyId body; } Later;

static void velocity_at(double t, const void *context, double *x)
{
    const Later *later = context;
    double q[NQ + 1], v[NV + 1];
    caromPose X;
    caromSpatial V;
    mechanism_advance(&m, s.q, s.v, t, q);
    for (int i = 0; i < m.nv; i++) v[i] = s.v[i] + t*later->dv[i];
    carom_dyn_body(m.dyn, s.time + t, q, v, later->body, &X, &V);
    const double values[6] = { V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z };
    memcpy(x, values, sizeof values);
}

// The library's own velocities, differentiated along its own accelerations, against the reference. The rate of the
// velocity adds dv: the error of the differences is 1e-13 of rate^2 times the reach plus dv, and 1e-10 of that is
// allowed.
static void check_velocity_differences(void)
{
    double dv[NV + 1], rate = sum_of_rates(), far = reach();
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, s.tau, s.F, dv), CAROM_OK);
    Reference ref = maximal_forward(&m, s.time, s.q, s.v, s.tau, s.F);
    double scale = far*(rate*rate + m.nv*largest(dv, m.nv));
    for (int k = 0; k < m.nbody; k++) {
        Later later = { dv, { k } };
        double d[6];
        differences(velocity_at, &later, 6, 0.05/rate, d);
        EXPECT_BELOW(vec_off(carom_vec(d[0], d[1], d[2]), ref.acceleration[k].angular), 1e-10*scale,
                     "rate of the angular velocity");
        EXPECT_BELOW(vec_off(carom_vec(d[3], d[4], d[5]), ref.acceleration[k].linear), 1e-10*scale,
                     "rate of the velocity");
    }
}

static void velocities_change_as_maximal_coordinates_say(void **state)
{
    (void)state;
    for_each_tree(with_forces, TREES/2, check_velocity_differences);
    for_each_tree(with_motion, TREES/4, check_velocity_differences);
}

// ---- collision matrix

static void check_collision_matrix(void)
{
    static double M[NV*NV + 1], C[NV*NV + 1], J[6*NV + 6], L[6*NV + 6];
    int n = m.nv;
    caromBodyId body = { tree % m.nbody };
    caromVec3 p_B = carom_vec(-0.4, 0.1, 0.2);
    carom_dyn_mass_matrix(m.dyn, s.time, s.q, M);
    carom_dyn_jacobian(m.dyn, s.time, s.q, body, p_B, J);
    assert_int_equal(carom_dyn_collision_matrix(m.dyn, s.time, s.q, body, p_B, L), CAROM_OK);
    memcpy(C, M, sizeof C);
    assert_true(cholesky(C, n));
    for (int a = 0; a < 6; a++) {
        double column[NV + 1], difference[NV + 1];
        for (int i = 0; i < n; i++) column[i] = J[a*n + i];
        double size = largest(column, n)*largest(column, n);
        cholesky_solve(C, n, column);
        for (int i = 0; i < n; i++) difference[i] = L[6*i + a] - column[i];
        // The norms of a column of zeros are zero, and then so is L: a body that is fixed.
        EXPECT_BELOW(energy_norm(M, difference), 1e-12*(energy_norm(M, column) + sqrt(size/fmax(largest(M, n*n), 1))),
                     "column of L");
    }
}

static void collision_matrix_is_inverse_mass_times_jacobian(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_collision_matrix);
    for_each_tree(chain, 10, check_collision_matrix);
    for_each_tree(with_motion, TREES/4, check_collision_matrix);
    for_each_tree(reversed, TREES/4, check_collision_matrix);
}

// ---- energy

// Of the bodies, by their definition.
static double own_kinetic(double time, const double *q, const double *v)
{
    Motion motion[MECHANISM_BODIES];
    double sum = 0;
    mechanism_motion(&m, time, q, v, NULL, motion);
    for (int k = 0; k < m.nbody; k++) {
        Motion C = carried(motion[k], (caromPose){ carom_mat_identity(), m.mass[k].com });
        caromVec3 w_B = carom_tmul(C.X.R, C.w);
        sum += 0.5*m.mass[k].mass*carom_norm2(C.v) + 0.5*carom_dot(w_B, carom_mul(m.mass[k].inertia, w_B));
    }
    return sum;
}

// Gravity from the world's origin, springs of joints and between points.
static double own_potential(double time, const double *q)
{
    Motion motion[MECHANISM_BODIES];
    double sum = 0, none[NV + 1] = { 0 };
    mechanism_motion(&m, time, q, none, NULL, motion);
    for (int k = 0; k < m.nbody; k++) {
        const caromJointDef *j = &m.joint[k];
        sum -= m.mass[k].mass*carom_dot(m.gravity, carom_pose_point(motion[k].X, m.mass[k].com));
        for (int i = 0; i < joint_nv(j); i++) {
            double stretch = j->stiffness[i] != 0 ? q[m.iq[k] + i] - j->rest[i] : 0;
            sum += 0.5*j->stiffness[i]*stretch*stretch;
        }
    }
    for (int i = 0; i < m.nspring; i++) {
        double stretch = carom_norm(spring_line(&m, motion, i, NULL)) - m.spring[i].rest;
        sum += 0.5*m.spring[i].stiffness*stretch*stretch;
    }
    return sum;
}

static bool has_motion(void)
{
    for (int k = 0; k < m.nbody; k++) if (joint_is_driven(&m.joint[k])) return true;
    return false;
}

static void check_energies(void)
{
    static double M[NV*NV + 1];
    double T = carom_dyn_kinetic(m.dyn, s.time, s.q, s.v), q0[NQ + 1], v0[NV + 1];
    EXPECT_BELOW(fabs(T - own_kinetic(s.time, s.q, s.v)), 1e-13*T, "kinetic energy against that of the bodies");
    // Where the potential is zero is a matter of taste.
    carom_dyn_start(m.dyn, q0, v0);
    double V = carom_dyn_potential(m.dyn, s.time, s.q) - carom_dyn_potential(m.dyn, s.time, q0);
    double own = own_potential(s.time, s.q), own0 = own_potential(s.time, q0);
    EXPECT_BELOW(fabs(V - (own - own0)), 1e-12*(fabs(own) + fabs(own0) + 100*m.nbody*reach()), "potential energy");
    if (has_motion()) return;
    carom_dyn_mass_matrix(m.dyn, s.time, s.q, M);
    double norm = energy_norm(M, s.v), none[NV + 1] = { 0 };
    EXPECT_BELOW(fabs(T - 0.5*norm*norm), 1e-12*T, "kinetic energy against v M v/2");
    CHECK_NEAR(carom_dyn_kinetic(m.dyn, s.time, s.q, none), 0, 0);
}

static void energies_are_those_of_bodies_and_springs(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_energies);
    for_each_tree(with_forces, TREES/4, check_energies);
    for_each_tree(with_motion, TREES/4, check_energies);
    for_each_tree(reversed, TREES/4, check_energies);
}

// tau.v + wrenches + drives - what joints and springs dissipate. No prescribed motion here.
static double power_of_forces(void)
{
    Motion motion[MECHANISM_BODIES];
    double power = 0;
    mechanism_motion(&m, s.time, s.q, s.v, NULL, motion);
    for (int i = 0; i < m.nv; i++) power += s.tau[i]*s.v[i];
    for (int k = 0; k < m.nbody; k++) {
        const caromJointDef *j = &m.joint[k];
        power += carom_dot(s.F[k].angular, motion[k].w) + carom_dot(s.F[k].linear, motion[k].v);
        for (int i = 0; i < joint_nv(j); i++) power -= j->damping[i]*s.v[m.iv[k] + i]*s.v[m.iv[k] + i];
        if (j->drive == CAROM_DRIVE_FORCE) power += function_jet(&j->drive_function, s.time).f*s.v[m.iv[k]];
    }
    for (int i = 0; i < m.nspring; i++) {
        double rate;
        spring_line(&m, motion, i, &rate);
        power -= m.spring[i].damping*rate*rate;
    }
    return power;
}

typedef struct Energy { double (*kinetic)(double time, const double *q, const double *v),
                        (*potential)(double time, const double *q); const double *dv; } Energy;

static void energy_at(double t, const void *context, double *x)
{
    const Energy *e = context;
    double q[NQ + 1], v[NV + 1];
    mechanism_advance(&m, s.q, s.v, t, q);
    for (int i = 0; i < m.nv; i++) v[i] = s.v[i] + t*e->dv[i];
    x[0] = e->kinetic(s.time + t, q, v) + e->potential(s.time + t, q);
}

// The differences cancel the largest energy down to its rate: their error is 1e-13 of energy/h at speeds that change by
// at most half of their scale, and 1e-11 is allowed.
static void expect_power(Energy e, const char *what)
{
    double rate = sum_of_rates(), h = 0.05/(rate + largest(e.dv, m.nv)/10), energy, change;
    differences(energy_at, &e, 1, h, &change);
    energy_at(0, &e, &energy);
    EXPECT_BELOW(fabs(change - power_of_forces()), 1e-11*(fabs(energy) + 100*m.nbody*reach())/h, what);
}

static double library_kinetic(double time, const double *q, const double *v)
{
    return carom_dyn_kinetic(m.dyn, time, q, v);
}
static double library_potential(double time, const double *q) { return carom_dyn_potential(m.dyn, time, q); }

static void check_power(void)
{
    double dv[NV + 1];
    assert_int_equal(carom_dyn_forward(m.dyn, s.time, s.q, s.v, s.tau, s.F, dv), CAROM_OK);
    expect_power((Energy){ library_kinetic, library_potential, dv }, "power");
}

static void energy_changes_by_the_power_of_forces(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_power);
    for_each_tree(with_forces, TREES, check_power);
    for_each_tree(reversed, TREES/4, check_power);
}

// The reference by itself: its accelerations of bodies are those that its dv give by kinematics, and it keeps the books
// of energy.
static void check_reference(void)
{
    Reference ref = maximal_forward(&m, s.time, s.q, s.v, s.tau, s.F);
    Motion motion[MECHANISM_BODIES];
    mechanism_motion(&m, s.time, s.q, s.v, ref.dv, motion);
    double most = 1;
    for (int k = 0; k < m.nbody; k++)
        most = fmax(most, carom_norm(ref.acceleration[k].angular) + carom_norm(ref.acceleration[k].linear));
    for (int k = 0; k < m.nbody; k++) {
        EXPECT_BELOW(vec_off(motion[k].alpha, ref.acceleration[k].angular), 1e-11*most,
                     "angular acceleration of the reference");
        EXPECT_BELOW(vec_off(motion[k].a, ref.acceleration[k].linear), 1e-11*most, "acceleration of the reference");
    }
    if (!has_motion()) expect_power((Energy){ own_kinetic, own_potential, ref.dv }, "power of the reference");
}

static void reference_is_consistent(void **state)
{
    (void)state;
    for_each_tree(plain, TREES, check_reference);
    for_each_tree(with_forces, TREES/4, check_reference);
    for_each_tree(with_motion, TREES/4, check_reference);
    for_each_tree(reversed, TREES/4, check_reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_is_as_given),
        cmocka_unit_test(poses_follow_from_the_definition_of_joints),
        cmocka_unit_test(velocities_are_rates_of_poses),
        cmocka_unit_test(rates_of_coordinates_follow_from_speeds),
        cmocka_unit_test(points_of_links_stray_no_farther_than_their_bound),
        cmocka_unit_test(jacobian_is_the_rate_of_poses),
        cmocka_unit_test(mass_matrix_is_force_for_unit_acceleration),
        cmocka_unit_test(mobility_is_the_diagonal_of_the_inverse_of_the_mass_matrix),
        cmocka_unit_test(forward_and_inverse_dynamics_agree),
        cmocka_unit_test(no_force_is_zero_force_and_calls_are_pure),
        cmocka_unit_test(accelerations_are_those_of_maximal_coordinates),
        cmocka_unit_test(forces_of_joints_and_springs_act_as_defined),
        cmocka_unit_test(prescribed_motion_is_a_constraint),
        cmocka_unit_test(velocities_change_as_maximal_coordinates_say),
        cmocka_unit_test(collision_matrix_is_inverse_mass_times_jacobian),
        cmocka_unit_test(energies_are_those_of_bodies_and_springs),
        cmocka_unit_test(energy_changes_by_the_power_of_forces),
        cmocka_unit_test(reference_is_consistent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
