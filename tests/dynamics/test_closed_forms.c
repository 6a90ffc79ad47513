// Mechanisms whose equations are in every textbook: pendulums, oscillator, screw, gyroscope, Cardan shaft, prescribed
// motion.
//
// Tolerance: all quantities are of order 1 to 100 and come from some hundred operations on well-conditioned numbers
// (one to three bodies), so 1e-12 of the largest term is a hundred times what rounding does; a wrong term would be
// off by a part of order 1.
#include "mechanisms.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static caromMassProps solid(double mass, caromVec3 com, double x, double y, double z)
{
    return (caromMassProps){ mass, com, carom_mat_diagonal(x, y, z) };
}

// z of the joint along y of both bodies, whose axes are parallel at angle zero.
static caromQuat axis_y(void)
{
    return carom_quat_axis_angle(carom_vec(1, 0, 0), -0.5*pi);
}

static void hinge_y(caromJointDef *j, caromVec3 on_parent, caromVec3 on_body)
{
    j->p[0] = on_parent;
    j->p[1] = on_body;
    j->q[0] = j->q[1] = axis_y();
}

static void forward(Mechanism *m, double time, const double *q, const double *v, const double *tau, double *dv)
{
    assert_int_equal(carom_dyn_forward(m->dyn, time, q, v, tau, NULL, dv), CAROM_OK);
}

// I q'' = -m g l sin q - k (q - q0) - d q' + torque
static void pendulum(void **state)
{
    (void)state;
    const double mass = 2, l = 0.7, moment = 0.3 + mass*l*l, k = 5, q0 = 0.2, d = 0.4;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_REVOLUTE, solid(mass, carom_vec(0, 0, -l), 0.25, 0.3, 0.1));
    hinge_y(&m.joint[0], carom_vec(1, 2, 3), carom_vec(0, 0, 0));
    m.joint[0].stiffness[0] = k, m.joint[0].rest[0] = q0, m.joint[0].damping[0] = d;
    mechanism_end(&m);
    for (int i = 0; i < 20; i++) {
        double q = -3 + 0.3*i, v = 2 - 0.17*i, torque = 0.1*i, dv;
        forward(&m, 0, &q, &v, &torque, &dv);
        CHECK_NEAR(dv, (-mass*g*l*sin(q) - k*(q - q0) - d*v + torque)/moment, 1e-12*30);
    }
    mechanism_free(&m);
}

// Two bars of 1 m and 1 kg. With angles a, b of the bars from the vertical, moments A and B about their upper ends:
//
//   (A + m l^2) a'' + m l c cos(a - b) b'' + m l c sin(a - b) b'^2 + (c + l) m g sin a = torque on the
//     first - torque on the second
//   B b''           + m l c cos(a - b) a'' - m l c sin(a - b) a'^2 + c m g sin b       = torque on the second
enum { FIRST, SECOND };
typedef struct Bars { double m, l, c, A, B; } Bars;
static const Bars bars = { 1, 1, 0.5, 1.0/12 + 0.25, 1.0/12 + 0.25 };

static void double_pendulum_model(Mechanism *m)
{
    *m = mechanism_begin();
    caromMassProps bar = solid(1, carom_vec(0, 0, -0.5), 1.0/12, 1.0/12, 1e-3);
    mechanism_add(m, -1, CAROM_JOINT_REVOLUTE, bar);
    mechanism_add(m, 0, CAROM_JOINT_REVOLUTE, bar);
    hinge_y(&m->joint[FIRST], carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    hinge_y(&m->joint[SECOND], carom_vec(0, 0, -1), carom_vec(0, 0, 0));
}

static void double_pendulum(void **state)
{
    (void)state;
    Mechanism m;
    double_pendulum_model(&m);
    mechanism_end(&m);
    Random r = { 7 };
    for (int i = 0; i < 50; i++) {
        double a = random_uniform(&r, -3, 3), b = random_uniform(&r, -3, 3), da = random_uniform(&r, -5, 5),
               db = random_uniform(&r, -5, 5);
        double tau[2] = { random_uniform(&r, -5, 5), random_uniform(&r, -5, 5) }, q[2], v[2], dv[2];
        int i0 = m.iv[FIRST], i1 = m.iv[SECOND];
        q[m.iq[FIRST]] = a, q[m.iq[SECOND]] = b - a, v[i0] = da, v[i1] = db - da;
        forward(&m, 0, q, v, tau, dv);
        double C = bars.m*bars.l*bars.c*cos(a - b), S = bars.m*bars.l*bars.c*sin(a - b),
               D = bars.A + bars.m*bars.l*bars.l;
        double f = tau[i0] - tau[i1] - S*db*db - (bars.c + bars.l)*bars.m*g*sin(a),
               h = tau[i1] + S*da*da - bars.c*bars.m*g*sin(b);
        double det = D*bars.B - C*C, dda = (f*bars.B - C*h)/det, ddb = (D*h - C*f)/det;
        CHECK_NEAR(dv[i0], dda, 1e-12*500);
        CHECK_NEAR(dv[i1], ddb - dda, 1e-12*500);
        double M[4];
        carom_dyn_mass_matrix(m.dyn, 0, q, M);
        // In relative angles: T = (D a'^2 + 2 C a' b' + B b'^2)/2 with b' = a' + relative rate.
        CHECK_NEAR(M[i0*2 + i0], D + 2*C + bars.B, 1e-13*5);
        CHECK_NEAR(M[i0*2 + i1], C + bars.B, 1e-13*5);
        CHECK_NEAR(M[i1*2 + i1], bars.B, 1e-13*5);
    }
    mechanism_free(&m);
}

// On an incline: m q'' = -k (q - q0) - d q' + m g.axis
static void prismatic_oscillator(void **state)
{
    (void)state;
    const double mass = 3, k = 120, q0 = 0.25, d = 2, slope = 0.4;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_PRISMATIC, solid(mass, carom_vec(0.1, 0.2, 0.3), 1, 1, 1));
    caromJointDef *j = &m.joint[0];
    j->q[0] = j->q[1] = carom_quat_axis_angle(carom_vec(1, 0, 0), slope);  // axis (0, -sin, cos)
    j->stiffness[0] = k, j->rest[0] = q0, j->damping[0] = d;
    mechanism_end(&m);
    double q = 0.6, v = -1.5, dv;
    forward(&m, 0, &q, &v, NULL, &dv);
    CHECK_NEAR(dv, (-k*(q - q0) - d*v)/mass - g*cos(slope), 1e-12*20);
    CHECK_NEAR(carom_dyn_kinetic(m.dyn, 0, &q, &v), 0.5*mass*v*v, 1e-14*10);
    double low = 0.1;
    CHECK_NEAR(carom_dyn_potential(m.dyn, 0, &q) - carom_dyn_potential(m.dyn, 0, &low),
               0.5*k*((q - q0)*(q - q0) - (low - q0)*(low - q0)) + mass*g*cos(slope)*(q - low), 1e-13*30);
    mechanism_free(&m);
}

// (I + m (e^2 + h^2)) q'' = torque - m g h: pitch h couples weight and turning; the eccentricity e adds to the moment
// only.
static void screw(void **state)
{
    (void)state;
    const double mass = 2, moment = 0.05, e = 0.03, h = 0.04;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_SCREW, solid(mass, carom_vec(e, 0, 0), 0.06, 0.04, moment));
    m.joint[0].pitch = h;
    mechanism_end(&m);
    double q = 1.1, v = 3, torque = 0.9, dv;
    forward(&m, 0, &q, &v, &torque, &dv);
    CHECK_NEAR(dv, (torque - mass*g*h)/(moment + mass*(e*e + h*h)), 1e-12*10);
    caromPose X;
    caromSpatial V;
    carom_dyn_body(m.dyn, 0, &q, &v, (caromBodyId){ 0 }, &X, &V);
    CHECK_VEC(X.p, carom_vec(0, 0, h*q), 1e-15);
    CHECK_VEC(V.linear, carom_vec(0, 0, h*v), 1e-15);
    CHECK_VEC(V.angular, carom_vec(0, 0, v), 1e-15);
    mechanism_free(&m);
}

// Two joints in one: turning knows nothing of sliding.
static void cylindrical_and_planar(void **state)
{
    (void)state;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_CYLINDRICAL, solid(2, carom_vec(0, 0, 0.1), 0.1, 0.2, 0.3));
    mechanism_add(&m, -1, CAROM_JOINT_PLANAR, solid(4, carom_vec(0, 0, 0), 0.1, 0.2, 0.25));
    m.gravity = carom_vec(1, 2, -g);
    mechanism_end(&m);
    double q[5], v[5] = { 1, 2, 3, 4, 5 }, tau[5], dv[5];
    int c = m.iv[0], p = m.iv[1];
    q[m.iq[0]] = 0.3, q[m.iq[0] + 1] = 0.4, q[m.iq[1]] = 1, q[m.iq[1] + 1] = 2, q[m.iq[1] + 2] = 0.7;
    tau[c] = 0.6, tau[c + 1] = 5, tau[p] = 8, tau[p + 1] = -12, tau[p + 2] = 1.5;
    forward(&m, 0, q, v, tau, dv);
    CHECK_NEAR(dv[c], 0.6/0.3, 1e-12*10);
    CHECK_NEAR(dv[c + 1], 5.0/2 - g, 1e-12*10);
    CHECK_NEAR(dv[p], 8.0/4 + 1, 1e-12*10);       // along x of F, whatever the angle
    CHECK_NEAR(dv[p + 1], -12.0/4 + 2, 1e-12*10);
    CHECK_NEAR(dv[p + 2], 1.5/0.25, 1e-12*10);
    mechanism_free(&m);
}

// Steady precession of a top with tilt t: m g l = W (I3 w3 - I1 W cos t). The angular velocity goes round with W.
static void gyroscope_in_steady_precession(void **state)
{
    (void)state;
    const double mass = 1.5, l = 0.2, I3 = 0.02, I1c = 0.012, I1 = I1c + mass*l*l, W = 1.3;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_SPHERICAL, solid(mass, carom_vec(0, 0, l), I1c, I1c, I3));
    mechanism_end(&m);
    for (double tilt = 0.2; tilt < 3; tilt += 0.4) {
        caromQuat a = carom_quat_mul(carom_quat_axis_angle(carom_vec(0, 0, 1), 0.5),
                                     carom_quat_axis_angle(carom_vec(1, 0, 0), tilt));
        caromMat3 R = carom_quat_matrix(a);
        double w3 = (mass*g*l + I1*W*W*cos(tilt))/(I3*W), q[4] = { a.w, a.x, a.y, a.z }, dv[3];
        caromVec3 w = carom_add(carom_vec(0, 0, W), carom_scale(w3 - W*cos(tilt), R.cz)), w_B = carom_tmul(R, w);
        double v[3] = { w_B.x, w_B.y, w_B.z };
        forward(&m, 0, q, v, NULL, dv);
        CHECK_VEC(carom_vec(dv[0], dv[1], dv[2]), carom_tmul(R, carom_cross(carom_vec(0, 0, W), w)), 1e-12*w3*w3);
    }
    mechanism_free(&m);
}

// Azimuth p about z and angle t from the vertical are the coordinates of a universal joint; I1 about the
// pivot, I3 about the rod:
//
//   I1 t''                         = (I1 - I3) p'^2 sin t cos t - m g l sin t
//   (I1 sin^2 t + I3 cos^2 t) p''  = -2 (I1 - I3) sin t cos t t' p'
static void spherical_pendulum_in_a_universal_joint(void **state)
{
    (void)state;
    const double mass = 1.2, l = 0.9, I1c = 0.05, I1 = I1c + mass*l*l, I3 = 0.01;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_UNIVERSAL, solid(mass, carom_vec(0, 0, -l), I1c, I1c, I3));
    mechanism_end(&m);
    for (double t = -2.5; t < 2.6; t += 0.5) {
        double q[2] = { 0.8 + t, t }, v[2] = { 1.7, -2.1 }, dv[2], s = sin(t), c = cos(t);
        forward(&m, 0, q, v, NULL, dv);
        CHECK_NEAR(dv[0], -2*(I1 - I3)*s*c*v[1]*v[0]/(I1*s*s + I3*c*c), 1e-12*100);
        CHECK_NEAR(dv[1], ((I1 - I3)*v[0]*v[0]*s*c - mass*g*l*s)/I1, 1e-12*100);
    }
    mechanism_free(&m);
}

// Without spin about the rod the bob is a point on a sphere: a = (m l^2/I1)
// (gravity along the sphere) - v^2/l towards the centre.
static void spherical_pendulum_in_a_spherical_joint(void **state)
{
    (void)state;
    const double mass = 1.2, l = 0.9, I1c = 0.05, I1 = I1c + mass*l*l;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_SPHERICAL, solid(mass, carom_vec(0, 0, -l), I1c, I1c, 0.02));
    mechanism_end(&m);
    Random r = { 11 };
    for (int i = 0; i < 20; i++) {
        caromQuat a = random_quat(&r);
        double q[4] = { a.w, a.x, a.y, a.z }, v[3] = { random_uniform(&r, -3, 3), random_uniform(&r, -3, 3), 0 }, dv[3];
        forward(&m, 0, q, v, NULL, dv);
        caromMat3 R = carom_quat_matrix(a);
        caromVec3 out = carom_neg(R.cz), w = carom_mul(R, carom_vec(v[0], v[1], v[2])),
                  dw = carom_mul(R, carom_vec(dv[0], dv[1], dv[2]));
        caromVec3 speed = carom_cross(w, carom_scale(l, out)), gravity = carom_vec(0, 0, -g);
        caromVec3 actual = carom_add(carom_cross(dw, carom_scale(l, out)), carom_cross(w, speed));
        caromVec3 along = carom_sub(gravity, carom_scale(carom_dot(gravity, out), out));
        CHECK_VEC(actual, carom_add(carom_scale(mass*l*l/I1, along), carom_scale(-carom_norm2(speed)/l, out)),
                  1e-12*30);
        CHECK_NEAR(dv[2], 0, 1e-12);
    }
    mechanism_free(&m);
}

// The second shaft of a Cardan joint, at an angle b to the first, turns at cos b/(1 - sin^2 b sin^2 t) of its rate,
// where t is the angle of the first fork from the normal of the plane of the shafts.
static void cardan_shaft_turns_unevenly(void **state)
{
    (void)state;
    caromMassProps shaft = solid(1, carom_vec(0, 0, 0), 0.1, 0.1, 0.1);
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_REVOLUTE, shaft);
    mechanism_add(&m, 0, CAROM_JOINT_UNIVERSAL, shaft);
    // Both shafts along y of their bodies, fork along z of F.
    hinge_y(&m.joint[0], carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    mechanism_end(&m);
    const double b = 0.6, around = 0.9;
    caromVec3 axis = carom_vec(sin(b)*cos(around), cos(b), sin(b)*sin(around));
    caromVec3 normal = carom_unit_or(carom_cross(carom_vec(0, 1, 0), axis), carom_vec(0, 0, 0));
    for (double angle = -3; angle < 3; angle += 0.37) {
        caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), angle));
        caromVec3 in_F = carom_tmul(R, axis);
        double q[3], v[3] = { 0 }, J[18];
        q[m.iq[0]] = angle, q[m.iq[1]] = atan2(-in_F.x, in_F.y), q[m.iq[1] + 1] = asin(in_F.z);
        caromPose X;
        caromSpatial V;
        carom_dyn_body(m.dyn, 0, q, v, (caromBodyId){ 1 }, &X, &V);
        CHECK_VEC(X.R.cy, axis, 1e-14);  // the second shaft lies in its bearing
        carom_dyn_jacobian(m.dyn, 0, q, (caromBodyId){ 1 }, carom_vec(0, 0, 0), J);
        // Rates of the joint that leave it there: J (1, x, y) - w axis = 0.
        double A[9], w[3];
        for (int i = 0; i < 3; i++) {
            A[3*i] = J[3*i + m.iv[1]], A[3*i + 1] = J[3*i + m.iv[1] + 1], A[3*i + 2] = -carom_at(axis, i);
            w[i] = -J[3*i + m.iv[0]];
        }
        assert_true(dense_solve(3, A, w));
        double out_of_normal = 1 - carom_dot(R.cz, normal)*carom_dot(R.cz, normal);
        CHECK_NEAR(w[2], cos(b)/(1 - sin(b)*sin(b)*out_of_normal), 1e-13*2);
    }
    mechanism_free(&m);
}

// The same body at the same place with the same velocity, once with angles and once with a quaternion. 1/cos of the
// middle angle is below 3.
static void free_cardan_moves_as_free(void **state)
{
    (void)state;
    Random r = { 5 };
    for (int i = 0; i < 50; i++) {
        Mechanism angles = mechanism_begin(), quaternion = mechanism_begin();
        caromMassProps mass = random_mass(&r);
        mechanism_add(&angles, -1, CAROM_JOINT_FREE_CARDAN, mass);
        mechanism_add(&quaternion, -1, CAROM_JOINT_FREE, mass);
        for (int s = 0; s < 2; s++) {
            angles.joint[0].p[s] = quaternion.joint[0].p[s] = random_vec(&r, 0.5);
            angles.joint[0].q[s] = quaternion.joint[0].q[s] = random_quat(&r);
        }
        mechanism_end(&angles);
        mechanism_end(&quaternion);
        double q[6], v[6], dv[6], q7[7], v7[6], dv7[6];
        random_state(&r, &angles.joint[0], q, v);
        caromSpatial F = { random_vec(&r, 10), random_vec(&r, 10) };
        assert_int_equal(carom_dyn_forward(angles.dyn, 0, q, v, NULL, &F, dv), CAROM_OK);
        Relative rel = relative_motion(CAROM_JOINT_FREE_CARDAN, 0, q, v, dv);
        caromQuat turn = carom_quat_mul(carom_quat_mul(carom_quat_axis_angle(carom_vec(1, 0, 0), q[3]),
                                                       carom_quat_axis_angle(carom_vec(0, 1, 0), q[4])),
                                        carom_quat_axis_angle(carom_vec(0, 0, 1), q[5]));
        caromVec3 w = carom_tmul(rel.X.R, rel.w), dw = carom_tmul(rel.X.R, rel.dw);
        memcpy(q7, q, 3*sizeof *q);
        q7[3] = turn.w, q7[4] = turn.x, q7[5] = turn.y, q7[6] = turn.z;
        memcpy(v7, v, 3*sizeof *v);
        v7[3] = w.x, v7[4] = w.y, v7[5] = w.z;
        assert_int_equal(carom_dyn_forward(quaternion.dyn, 0, q7, v7, NULL, &F, dv7), CAROM_OK);
        CHECK_VEC(carom_vec(dv7[0], dv7[1], dv7[2]), rel.dv, 1e-12*1000);
        CHECK_VEC(carom_vec(dv7[3], dv7[4], dv7[5]), dw, 1e-12*1000);
        mechanism_free(&angles);
        mechanism_free(&quaternion);
    }
}

// Newton and Euler, with the centre of mass away from the frame.
static void free_body_obeys_newton_and_euler(void **state)
{
    (void)state;
    Mechanism m = mechanism_begin();
    caromMassProps mass = solid(2, carom_vec(0.1, -0.2, 0.3), 0.2, 0.3, 0.4);
    mechanism_add(&m, -1, CAROM_JOINT_FREE, mass);
    m.joint[0].p[1] = mass.com;  // M in the centre of mass
    mechanism_end(&m);
    caromQuat a = carom_quat_normalized((caromQuat){ 0.3, 0.5, -0.2, 0.7 });
    caromMat3 R = carom_quat_matrix(a);
    double q[7] = { 1, 2, 3, a.w, a.x, a.y, a.z }, v[6] = { 1, 0, -1, 2, -3, 1.5 }, dv[6];
    caromSpatial F = { { 1, 2, -0.5 }, { 3, -1, 4 } };
    assert_int_equal(carom_dyn_forward(m.dyn, 0, q, v, NULL, &F, dv), CAROM_OK);
    caromVec3 w = carom_vec(2, -3, 1.5), torque = carom_sub(F.angular, carom_cross(carom_mul(R, mass.com), F.linear));
    caromVec3 euler = carom_sub(carom_tmul(R, torque), carom_cross(w, carom_mul(mass.inertia, w)));
    CHECK_VEC(carom_vec(dv[0], dv[1], dv[2]), carom_add(carom_scale(0.5, F.linear), carom_vec(0, 0, -g)), 1e-12*10);
    CHECK_VEC(carom_vec(dv[3], dv[4], dv[5]), carom_vec(euler.x/0.2, euler.y/0.3, euler.z/0.4), 1e-12*100);
    mechanism_free(&m);
}

// Two bodies in one piece are one body with their masses together.
static void welded_bodies_are_one(void **state)
{
    (void)state;
    Random r = { 3 };
    Mechanism two = mechanism_begin(), one = mechanism_begin();
    caromMassProps first = random_mass(&r), second = random_mass(&r);
    caromJointDef weld = carom_model_joint_def("", CAROM_JOINT_FIXED);
    for (int s = 0; s < 2; s++) weld.p[s] = random_vec(&r, 0.5), weld.q[s] = random_quat(&r);
    caromPose X_AB = carom_pose_mul(def_pose(&weld, 0), pose_inverse(def_pose(&weld, 1)));
    caromMassProps moved = carom_geometry_mass_moved(second, X_AB), sum = carom_geometry_mass_sum(first, moved);
    sum.inertia = mat_symmetric(sum.inertia);
    mechanism_add(&two, -1, CAROM_JOINT_SPHERICAL, first);
    mechanism_add(&two, 0, CAROM_JOINT_FIXED, second);
    two.joint[1] = weld;
    mechanism_add(&one, -1, CAROM_JOINT_SPHERICAL, sum);
    two.joint[0].p[1] = one.joint[0].p[1] = carom_vec(0.3, 0.4, -0.2);
    mechanism_end(&two);
    mechanism_end(&one);
    assert_int_equal(two.nv, 3);
    caromQuat a = random_quat(&r);
    double q[4] = { a.w, a.x, a.y, a.z }, v[3] = { 1, 2, -1 }, dv2[3], dv1[3];
    forward(&two, 0, q, v, NULL, dv2);
    forward(&one, 0, q, v, NULL, dv1);
    CHECK_VEC(carom_vec(dv2[0], dv2[1], dv2[2]), carom_vec(dv1[0], dv1[1], dv1[2]), 1e-12*100);
    mechanism_free(&two);
    mechanism_free(&one);
}

// The first bar of the double pendulum is moved by a(t); the second follows its equation, and the torque that it
// takes is that of inverse dynamics of the free one, with nothing left at the second hinge. The maximal coordinates
// know it as a reaction.
static void prescribed_motion_takes_the_torque_of_inverse_dynamics(void **state)
{
    (void)state;
    Mechanism driven, open;
    double_pendulum_model(&driven);
    double_pendulum_model(&open);
    caromFunctionDef f = carom_function_def();
    f.kind = CAROM_FUNCTION_SINE;
    f.value = 0.3, f.amplitude = 0.8, f.frequency = 0.7, f.phase = 0.4;
    driven.joint[FIRST].drive = CAROM_DRIVE_MOTION;
    driven.joint[FIRST].drive_function = f;
    mechanism_end(&driven);
    mechanism_end(&open);
    assert_int_equal(driven.nv, 1);
    assert_int_equal(driven.iv[FIRST], -1);
    for (double time = 0; time < 2; time += 0.13) {
        Jet a = function_jet(&f, time);
        double b = 0.9 - time, db = 1.1 + time, q = b - a.f, v = db - a.d, dv;
        forward(&driven, time, &q, &v, NULL, &dv);
        double C = bars.m*bars.l*bars.c*cos(a.f - b), S = bars.m*bars.l*bars.c*sin(a.f - b);
        double ddb = (-C*a.s + S*a.d*a.d - bars.c*bars.m*g*sin(b))/bars.B;
        CHECK_NEAR(dv, ddb - a.s, 1e-12*100);
        double torque = (bars.A + bars.m*bars.l*bars.l)*a.s + C*ddb + S*db*db + (bars.c + bars.l)*bars.m*g*sin(a.f);
        double q2[2], v2[2], dv2[2], tau[2];
        q2[open.iq[FIRST]] = a.f, q2[open.iq[SECOND]] = q;
        v2[open.iv[FIRST]] = a.d, v2[open.iv[SECOND]] = v;
        dv2[open.iv[FIRST]] = a.s, dv2[open.iv[SECOND]] = dv;
        carom_dyn_inverse(open.dyn, time, q2, v2, dv2, NULL, tau);
        CHECK_NEAR(tau[open.iv[FIRST]], torque, 1e-12*100);
        CHECK_NEAR(tau[open.iv[SECOND]], 0, 1e-12*100);
        Reference ref = maximal_forward(&driven, time, &q, &v, NULL, NULL);
        CHECK_NEAR(ref.reaction[FIRST].angular.y, torque, 1e-12*100);
        double M;
        carom_dyn_mass_matrix(driven.dyn, time, &q, &M);
        CHECK_NEAR(M, bars.B, 1e-14);
    }
    mechanism_free(&driven);
    mechanism_free(&open);
}

// A force of the model is the wrench that it says, in the axes that it says.
static void forces_from_outside_are_wrenches(void **state)
{
    (void)state;
    for (int in_body = 0; in_body < 2; in_body++) {
        caromBuilder *b = carom_builder_create();
        caromBodyDef body = carom_model_body_def("body");
        body.mass = 2, body.com = carom_vec(0.1, 0.2, 0.3), body.inertia = carom_mat_diagonal(0.2, 0.3, 0.4);
        carom_builder_body(b, &body);
        caromJointDef joint = carom_model_joint_def("free", CAROM_JOINT_FREE);
        joint.body[1] = "body";
        carom_builder_joint(b, &joint);
        caromForceDef force = carom_model_force_def("push", "body");
        force.p = carom_vec(0.5, -0.4, 0.2);
        force.in_body = in_body == 1;
        for (int i = 0; i < 3; i++) {
            force.force[i].kind = CAROM_FUNCTION_SINE, force.force[i].amplitude = 1 + i, force.force[i].frequency = 0.5,
                force.force[i].phase = i;
            force.torque[i].value = 2 - i;
        }
        carom_builder_force(b, &force);
        caromModel *model = finished(b);
        caromDyn *dyn;
        caromError err;
        assert_int_equal(carom_dyn_create(model, &dyn, &err), CAROM_OK);
        caromQuat a = carom_quat_normalized((caromQuat){ 0.3, 0.5, -0.2, 0.7 });
        caromMat3 R = carom_quat_matrix(a);
        double time = 0.37, q[7] = { 1, 2, 3, a.w, a.x, a.y, a.z }, v[6] = { 1, 0, -1, 2, -3, 1.5 }, pushed[6];
        assert_int_equal(carom_dyn_forward(dyn, time, q, v, NULL, NULL, pushed), CAROM_OK);
        double f[3], t[3];
        for (int i = 0; i < 3; i++) f[i] = function_jet(&force.force[i], time).f, t[i] = force.torque[i].value;
        caromVec3 F = carom_vec(f[0], f[1], f[2]), T = carom_vec(t[0], t[1], t[2]), w = carom_vec(2, -3, 1.5);
        if (in_body) F = carom_mul(R, F), T = carom_mul(R, T);
        T = carom_add(T, carom_cross(carom_mul(R, carom_sub(force.p, body.com)), F));  // about the centre of mass
        caromVec3 euler = carom_sub(carom_tmul(R, T), carom_cross(w, carom_mul(body.inertia, w)));
        caromVec3 dw = carom_vec(euler.x/0.2, euler.y/0.3, euler.z/0.4), com = carom_mul(R, body.com),
                  w_W = carom_mul(R, w);
        caromVec3 a_C = carom_add(carom_scale(0.5, F), carom_vec(0, 0, -g));
        caromVec3 a_B = carom_sub(a_C, carom_add(carom_cross(carom_mul(R, dw), com),
                                                 carom_cross(w_W, carom_cross(w_W, com))));
        CHECK_VEC(carom_vec(pushed[0], pushed[1], pushed[2]), a_B, 1e-12*100);
        CHECK_VEC(carom_vec(pushed[3], pushed[4], pushed[5]), dw, 1e-12*100);
        carom_dyn_destroy(dyn);
        carom_model_destroy(model);
    }
}

// Coulomb's law from w_small on, and below it less, without a jump.
static void dry_friction_in_a_joint(void **state)
{
    (void)state;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_REVOLUTE, solid(1, carom_vec(0, 0, 0), 0.5, 0.5, 0.5));
    mechanism_add(&m, -1, CAROM_JOINT_PRISMATIC, solid(2, carom_vec(0, 0, 0), 0.5, 0.5, 0.5));
    m.gravity = carom_vec(0, 0, 0);
    m.joint[0].friction[0] = 3;
    m.joint[1].friction[0] = 4;
    mechanism_end(&m);
    const double q[2] = { 0, 0 }, small[2] = { carom_model_settings_def().w_small, carom_model_settings_def().v_small },
                 most[2] = { 3/0.5, 4/2.0 };
    for (int k = 0; k < 2; k++) {
        double before = 0;
        for (int i = 0; i <= 40; i++) {
            double v[2] = { 0, 0 }, dv[2], back[2];
            v[m.iv[k]] = small[k]*0.1*i;
            forward(&m, 0, q, v, NULL, dv);
            v[m.iv[k]] = -v[m.iv[k]];
            forward(&m, 0, q, v, NULL, back);
            double brake = -dv[m.iv[k]];
            CHECK_NEAR(back[m.iv[k]], brake, 1e-14);                            // odd
            CHECK(brake >= before - 1e-14 && brake <= most[k]*(1 + 1e-14));     // grows up to Coulomb's
            // No jump: at most slope 3 at rest, over a tenth.
            CHECK(brake - before <= 0.35*most[k]);
            if (i >= 10) CHECK_NEAR(brake, most[k], 1e-12);
            before = brake;
        }
    }
    mechanism_free(&m);
}

// A joint on a body that is fixed somewhere is a joint on the world there.
static void joint_on_a_fixed_body(void **state)
{
    (void)state;
    Random r = { 23 };
    caromMassProps mass = random_mass(&r);
    caromPose X_WA = { carom_mat_identity(), { 0, 0, 0 } };
    double dv[2];
    caromPose X[2];
    for (int on_body = 0; on_body < 2; on_body++) {
        Random same = { 29 };
        caromVec3 p = random_vec(&same, 2);
        caromQuat q = random_quat(&same);
        X_WA = (caromPose){ carom_quat_matrix(q), p };
        caromBuilder *b = carom_builder_create();
        caromBodyDef wall = carom_model_body_def("wall"), bar = carom_model_body_def("bar");
        wall.fixed = true, wall.p_WB = p, wall.q_WB = q;
        bar.mass = mass.mass, bar.com = mass.com, bar.inertia = mass.inertia;
        carom_builder_body(b, &wall);
        carom_builder_body(b, &bar);
        caromJointDef j = carom_model_joint_def("hinge", CAROM_JOINT_REVOLUTE);
        j.body[0] = on_body ? "wall" : "world", j.body[1] = "bar";
        caromQuat q_AF = random_quat(&same);
        caromVec3 p_AF = random_vec(&same, 1);
        j.p[0] = on_body ? p_AF : carom_pose_point(X_WA, p_AF);
        j.q[0] = on_body ? q_AF : carom_quat_mul(q, q_AF);
        carom_builder_joint(b, &j);
        caromModel *model = finished(b);
        caromDyn *dyn;
        caromError err;
        assert_int_equal(carom_dyn_create(model, &dyn, &err), CAROM_OK);
        double angle = 0.7, rate = 1.3;
        caromSpatial V;
        assert_int_equal(carom_dyn_forward(dyn, 0, &angle, &rate, NULL, NULL, &dv[on_body]), CAROM_OK);
        carom_dyn_body(dyn, 0, &angle, &rate, (caromBodyId){ 1 }, &X[on_body], &V);
        carom_dyn_body(dyn, 0, &angle, &rate, (caromBodyId){ 0 }, &X_WA, &V);
        CHECK_VEC(X_WA.p, p, 0);
        CHECK_VEC(V.linear, carom_vec(0, 0, 0), 0);
        carom_dyn_destroy(dyn);
        carom_model_destroy(model);
    }
    CHECK_NEAR(dv[0], dv[1], 1e-12*fabs(dv[0]));
    CHECK_VEC(X[0].p, X[1].p, 1e-14*5);
    CHECK_VEC(X[0].R.cx, X[1].R.cx, 1e-14*5);
}

// A spring whose rest length is not given is relaxed at the start; one without length has no direction and no force.
static void spring_at_rest_and_without_length(void **state)
{
    (void)state;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_FREE, solid(1, carom_vec(0, 0, 0), 1, 1, 1));
    m.joint[0].position[0] = 1;
    m.nspring = 2;
    for (int i = 0; i < 2; i++) {
        m.spring[i] = carom_model_spring_def("");
        m.spring[i].stiffness = 100;
        m.spring_body[i][0] = -1, m.spring_body[i][1] = 0;
    }
    m.spring[1].p[0] = carom_vec(1, 0, 0);  // meets the body
    m.spring[1].rest = 0;
    mechanism_end(&m);
    double q[7], v[6], dv[6];
    carom_dyn_start(m.dyn, q, v);
    forward(&m, 0, q, v, NULL, dv);
    for (int i = 0; i < 6; i++) CHECK_NEAR(dv[i], i == 2 ? -g : 0, 1e-13);
    double start = carom_dyn_potential(m.dyn, 0, q);
    q[0] = 1.5;
    forward(&m, 0, q, v, NULL, dv);
    CHECK_NEAR(dv[0], -100*0.5 - 100*0.5, 1e-12*100);
    CHECK_NEAR(carom_dyn_potential(m.dyn, 0, q) - start, 100*0.5*0.5, 1e-12*100);
    CHECK_NEAR(carom_model_spring(m.model, 0).stiffness, 100, 0);
    mechanism_free(&m);
}

// Only the direction of a quaternion counts, and its length stays what it is.
static void length_of_a_quaternion_does_not_matter(void **state)
{
    (void)state;
    Random r = { 31 };
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_SPHERICAL, random_mass(&r));
    mechanism_add(&m, 0, CAROM_JOINT_FREE, random_mass(&r));
    for (int k = 0; k < 2; k++) random_joint(&r, (Recipe){ 0 }, &m.joint[k]);
    mechanism_end(&m);
    double q[11], v[9], dv[9], scaled[9], dq[11];
    carom_dyn_start(m.dyn, q, v);
    forward(&m, 0, q, v, NULL, dv);
    for (int i = 0; i < 4; i++) q[m.iq[0] + i] *= 1.7, q[m.iq[1] + 3 + i] *= 0.6;
    forward(&m, 0, q, v, NULL, scaled);
    for (int i = 0; i < 9; i++) CHECK_NEAR(scaled[i], dv[i], 1e-12*100);
    carom_dyn_rate(m.dyn, q, v, dq);
    for (int k = 0; k < 2; k++) {
        const double *a = q + m.iq[k] + 3*k, *b = dq + m.iq[k] + 3*k;
        CHECK_NEAR(a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3], 0, 1e-14*10);
    }
    mechanism_free(&m);
}

// A stop beyond which a joint has gone pushes back with its stiffness.
static void limit_pushes_back(void **state)
{
    (void)state;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_PRISMATIC, solid(2, carom_vec(0, 0, 0), 1, 1, 1));
    m.gravity = carom_vec(0, 0, 0);
    m.joint[0].lower[0] = -0.5, m.joint[0].upper[0] = 0.5;
    m.joint[0].limit_stiffness = 1e4;
    mechanism_end(&m);
    const double q[3] = { 0, 0.51, -0.52 }, force[3] = { 0, -1e4*0.01, 1e4*0.02 };
    for (int i = 0; i < 3; i++) {
        double v = 0, dv;
        forward(&m, 0, &q[i], &v, NULL, &dv);
        CHECK_NEAR(dv, force[i]/2, 1e-9);  // 0.51 - 0.5 has a rounding of 1e-16, times the stiffness
    }
    mechanism_free(&m);
}

// Everything is prescribed: no coordinates, and nothing to solve.
static void model_without_coordinates(void **state)
{
    (void)state;
    Mechanism m = mechanism_begin();
    mechanism_add(&m, -1, CAROM_JOINT_PRISMATIC, solid(2, carom_vec(0, 0, 0), 1, 1, 1));
    m.joint[0].drive = CAROM_DRIVE_MOTION;
    m.joint[0].drive_function.kind = CAROM_FUNCTION_SINE;
    m.joint[0].drive_function.amplitude = 1, m.joint[0].drive_function.frequency = 0.5;
    mechanism_end(&m);
    assert_int_equal(m.nq, 0);
    assert_int_equal(m.nv, 0);
    double none[1] = { 0 };
    forward(&m, 0.3, none, none, NULL, none);
    caromPose X;
    caromSpatial V;
    carom_dyn_body(m.dyn, 0.3, none, none, (caromBodyId){ 0 }, &X, &V);
    CHECK_NEAR(X.p.z, sin(pi*0.3), 1e-15);
    CHECK_NEAR(V.linear.z, pi*cos(pi*0.3), 1e-14);
    CHECK_NEAR(carom_dyn_kinetic(m.dyn, 0.3, none, none), pi*cos(pi*0.3)*pi*cos(pi*0.3), 1e-13);
    mechanism_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),
        cmocka_unit_test(double_pendulum),
        cmocka_unit_test(prismatic_oscillator),
        cmocka_unit_test(screw),
        cmocka_unit_test(cylindrical_and_planar),
        cmocka_unit_test(gyroscope_in_steady_precession),
        cmocka_unit_test(spherical_pendulum_in_a_universal_joint),
        cmocka_unit_test(spherical_pendulum_in_a_spherical_joint),
        cmocka_unit_test(cardan_shaft_turns_unevenly),
        cmocka_unit_test(free_cardan_moves_as_free),
        cmocka_unit_test(free_body_obeys_newton_and_euler),
        cmocka_unit_test(welded_bodies_are_one),
        cmocka_unit_test(prescribed_motion_takes_the_torque_of_inverse_dynamics),
        cmocka_unit_test(forces_from_outside_are_wrenches),
        cmocka_unit_test(dry_friction_in_a_joint),
        cmocka_unit_test(joint_on_a_fixed_body),
        cmocka_unit_test(spring_at_rest_and_without_length),
        cmocka_unit_test(length_of_a_quaternion_does_not_matter),
        cmocka_unit_test(limit_pushes_back),
        cmocka_unit_test(model_without_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
