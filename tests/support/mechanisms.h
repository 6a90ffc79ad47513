// Mechanisms for tests, and what is known about them without the library: random trees over all kinds of joints, their
// kinematics from the definition of each joint alone, and their accelerations in maximal coordinates.
//
// Nothing here calls the library but mechanism_begin and mechanism_end. The one thing taken over from it is the
// definition of a joint (caromJointKind): the pose of M in F as a function of the coordinates, relative_pose below.
// Velocities and accelerations follow from it by derivatives in time that are carried along (value, rate, second),
// joint by joint and not by any recursion over joint axes.
#ifndef CAROM_TESTS_MECHANISMS_H
#define CAROM_TESTS_MECHANISMS_H

#include "carom/dynamics.h"

#include <float.h>

#include "check.h"

enum { MECHANISM_BODIES = 12, MECHANISM_SPRINGS = 3, MECHANISM_SIZE = 18*MECHANISM_BODIES };

typedef struct Mechanism {
    int nbody;
    char names[MECHANISM_BODIES][8], joint_names[MECHANISM_BODIES][8], spring_names[MECHANISM_SPRINGS][8];
    caromMassProps mass[MECHANISM_BODIES];
    caromJointDef joint[MECHANISM_BODIES];   // the joint that carries the body
    int parent[MECHANISM_BODIES];            // -1: world
    bool is_reversed[MECHANISM_BODIES];      // the body is the first of its joint
    int order[MECHANISM_BODIES];             // of bodies, parents first
    int joint_order[MECHANISM_BODIES];       // in which joints are added; named by their bodies
    caromSpringDef spring[MECHANISM_SPRINGS];
    int spring_body[MECHANISM_SPRINGS][2];
    int nspring;
    caromVec3 gravity;
    // Filled by mechanism_end.
    caromModel *model;
    caromDyn *dyn;
    int iq[MECHANISM_BODIES], iv[MECHANISM_BODIES], nq, nv;
} Mechanism;

// ---- random parts

static inline int random_int(Random *r, int n)  // 0 .. n - 1
{
    int i = (int)random_uniform(r, 0, n);
    return i < n ? i : n - 1;
}

static inline caromVec3 random_vec(Random *r, double size)
{
    double x = random_uniform(r, -size, size), y = random_uniform(r, -size, size);
    return carom_vec(x, y, random_uniform(r, -size, size));
}

static inline caromQuat random_quat(Random *r)
{
    for (;;) {
        caromVec3 a = random_vec(r, 1);
        double w = random_uniform(r, -1, 1), n = w*w + carom_norm2(a);
        if (n > 0.01 && n < 1) return carom_quat_normalized((caromQuat){ w, a.x, a.y, a.z });
    }
}

static inline caromMat3 mat_symmetric(caromMat3 m)
{
    m.cx.y = m.cy.x = 0.5*(m.cx.y + m.cy.x);
    m.cx.z = m.cz.x = 0.5*(m.cx.z + m.cz.x);
    m.cy.z = m.cz.y = 0.5*(m.cy.z + m.cz.y);
    return m;
}

static inline caromMat3 box_inertia(double mass, caromVec3 size)
{
    double x = size.x*size.x, y = size.y*size.y, z = size.z*size.z;
    return carom_mat_diagonal(mass/12*(y + z), mass/12*(x + z), mass/12*(x + y));
}

// A box of random size, turned: every such inertia is one of a body.
static inline caromMassProps random_mass(Random *r)
{
    double mass = random_uniform(r, 0.5, 5);
    double x = random_uniform(r, 0.2, 1), y = random_uniform(r, 0.2, 1), z = random_uniform(r, 0.2, 1);
    caromMat3 R = carom_quat_matrix(random_quat(r));
    caromMat3 turned = carom_mat_mul(carom_mat_mul(R, box_inertia(mass, carom_vec(x, y, z))), carom_transpose(R));
    return (caromMassProps){ mass, random_vec(r, 0.3), mat_symmetric(turned) };
}

// ---- coordinates

static inline int joint_nq(const caromJointDef *j) { return carom_model_joint_kind_nq(j->kind); }
static inline int joint_nv(const caromJointDef *j) { return carom_model_joint_kind_nv(j->kind); }
static inline bool joint_is_driven(const caromJointDef *j) { return j->drive == CAROM_DRIVE_MOTION; }

// Where the quaternion of a joint stands among its coordinates, and its angular velocity among the speeds; -1: none.
static inline int joint_quaternion(caromJointKind kind)
{
    return kind == CAROM_JOINT_SPHERICAL ? 0 : kind == CAROM_JOINT_FREE ? 3 : -1;
}

static inline void random_state(Random *r, const caromJointDef *j, double *q, double *v)
{
    int quat = joint_quaternion(j->kind);
    for (int i = 0; i < joint_nq(j); i++) {
        bool is_angle = strcmp(carom_model_joint_coordinate_unit(j->kind, i), "rad") == 0;
        q[i] = is_angle ? random_uniform(r, -3, 3) : random_uniform(r, -1, 1);
    }
    if (j->kind == CAROM_JOINT_FREE_CARDAN) q[4] = random_uniform(r, -1.2, 1.2);  // away from gimbal lock
    if (quat >= 0) {
        caromQuat a = random_quat(r);
        q[quat] = a.w, q[quat + 1] = a.x, q[quat + 2] = a.y, q[quat + 3] = a.z;
    }
    for (int i = 0; i < joint_nv(j); i++) v[i] = random_uniform(r, -2, 2);
}

// The coordinates after time h at constant speeds: a quaternion turns by q exp(h w/2), everything else moves along its
// rate.
static inline void joint_advance(caromJointKind kind, const double *q, const double *v, double h, double *out)
{
    int quat = joint_quaternion(kind), plain = quat < 0 ? carom_model_joint_kind_nq(kind) : quat;
    for (int i = 0; i < plain; i++) out[i] = q[i] + h*v[i];
    if (quat < 0) return;
    caromVec3 w = carom_vec(v[quat], v[quat + 1], v[quat + 2]);
    caromQuat turn = carom_quat_axis_angle(carom_unit_or(w, carom_vec(0, 0, 1)), h*carom_norm(w));
    caromQuat a = carom_quat_mul((caromQuat){ q[quat], q[quat + 1], q[quat + 2], q[quat + 3] }, turn);
    out[quat] = a.w, out[quat + 1] = a.x, out[quat + 2] = a.y, out[quat + 3] = a.z;
}

static inline void mechanism_advance(const Mechanism *m, const double *q, const double *v, double h, double *out)
{
    for (int k = 0; k < m->nbody; k++) {
        if (joint_nv(&m->joint[k]) == 0 || joint_is_driven(&m->joint[k])) continue;
        joint_advance(m->joint[k].kind, q + m->iq[k], v + m->iv[k], h, out + m->iq[k]);
    }
}

// ---- derivatives in time, carried along

typedef struct Jet { double f, d, s; } Jet;  // value, rate, second derivative

static inline Jet jet(double f, double d, double s) { return (Jet){ f, d, s }; }
static inline Jet jet_add(Jet a, Jet b) { return jet(a.f + b.f, a.d + b.d, a.s + b.s); }
static inline Jet jet_mul(Jet a, Jet b) { return jet(a.f*b.f, a.d*b.f + a.f*b.d, a.s*b.f + 2*a.d*b.d + a.f*b.s); }
static inline Jet jet_scale(double c, Jet a) { return jet(c*a.f, c*a.d, c*a.s); }
static inline Jet jet_sin(Jet a) { return jet(sin(a.f), cos(a.f)*a.d, cos(a.f)*a.s - sin(a.f)*a.d*a.d); }
static inline Jet jet_cos(Jet a) { return jet(cos(a.f), -sin(a.f)*a.d, -sin(a.f)*a.s - cos(a.f)*a.d*a.d); }

typedef struct JetPose { Jet R[3][3], p[3]; } JetPose;

static inline void jet_mat_mul(Jet A[3][3], Jet B[3][3], Jet C[3][3])
{
    Jet out[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = jet(0, 0, 0);
            for (int k = 0; k < 3; k++) out[i][j] = jet_add(out[i][j], jet_mul(A[i][k], B[k][j]));
        }
    }
    memcpy(C, out, sizeof out);
}

// R := R (rotation about axis 0, 1 or 2)
static inline void jet_turn(Jet R[3][3], int axis, Jet angle)
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    Jet T[3][3] = { { { 0 } } };
    T[axis][axis] = jet(1, 0, 0);
    T[a][a] = T[b][b] = jet_cos(angle);
    T[b][a] = jet_sin(angle);
    T[a][b] = jet_scale(-1, T[b][a]);
    jet_mat_mul(R, T, R);
}

static inline double mat_at(caromMat3 m, int i, int j)
{
    return carom_at(j == 0 ? m.cx : j == 1 ? m.cy : m.cz, i);
}

static inline caromMat3 mat_skew(caromVec3 a)
{
    return (caromMat3){ { 0, a.z, -a.y }, { -a.z, 0, a.x }, { a.y, -a.x, 0 } };
}

// R := R(q) exp([w] t + [w'] t^2/2 + ...): the angular velocity is one in M.
static inline void jet_quaternion(Jet R[3][3], const double *q, const double *w, const double *dw)
{
    caromMat3 R0 = carom_quat_matrix((caromQuat){ q[0], q[1], q[2], q[3] }), W = mat_skew(carom_vec(w[0], w[1], w[2]));
    caromMat3 second = carom_mat_add(carom_mat_mul(W, W), mat_skew(carom_vec(dw[0], dw[1], dw[2])));
    caromMat3 R1 = carom_mat_mul(R0, W), R2 = carom_mat_mul(R0, second);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[i][j] = jet(mat_at(R0, i, j), mat_at(R1, i, j), mat_at(R2, i, j));
}

// The definition of the joints: X_FM of the coordinates, read from the words of caromJointKind.
static inline JetPose relative_pose(caromJointKind kind, double pitch, const double *q, const double *v,
                                    const double *dv)
{
    JetPose X = { { { { 0 } } }, { { 0 } } };
    for (int i = 0; i < 3; i++) X.R[i][i] = jet(1, 0, 0);
    Jet c[CAROM_JOINT_NV_MAX] = { { 0 } };
    int quat = joint_quaternion(kind), plain = quat < 0 ? carom_model_joint_kind_nv(kind) : quat;
    for (int i = 0; i < plain; i++) c[i] = jet(q[i], v[i], dv[i]);
    switch (kind) {
    case CAROM_JOINT_REVOLUTE: jet_turn(X.R, 2, c[0]); break;
    case CAROM_JOINT_PRISMATIC: X.p[2] = c[0]; break;
    case CAROM_JOINT_CYLINDRICAL: jet_turn(X.R, 2, c[0]), X.p[2] = c[1]; break;
    case CAROM_JOINT_SCREW: jet_turn(X.R, 2, c[0]), X.p[2] = jet_scale(pitch, c[0]); break;
    case CAROM_JOINT_UNIVERSAL: jet_turn(X.R, 2, c[0]), jet_turn(X.R, 0, c[1]); break;
    case CAROM_JOINT_PLANAR: X.p[0] = c[0], X.p[1] = c[1], jet_turn(X.R, 2, c[2]); break;
    case CAROM_JOINT_SPHERICAL: jet_quaternion(X.R, q, v, dv); break;
    case CAROM_JOINT_FREE:
        for (int i = 0; i < 3; i++) X.p[i] = c[i];
        jet_quaternion(X.R, q + 3, v + 3, dv + 3);
        break;
    case CAROM_JOINT_FREE_CARDAN:
        for (int i = 0; i < 3; i++) X.p[i] = c[i], jet_turn(X.R, i, c[3 + i]);
        break;
    default: break;
    }
    return X;
}

// Motion of M against F, in F.
typedef struct Relative {
    caromPose X;
    caromVec3 w, v;    // angular velocity, velocity of Mo
    caromVec3 dw, dv;  // and their rates
} Relative;

static inline Relative relative_motion(caromJointKind kind, double pitch, const double *q, const double *v,
                                       const double *dv)
{
    JetPose X = relative_pose(kind, pitch, q, v, dv);
    Relative m;
    caromVec3 *columns[3] = { &m.X.R.cx, &m.X.R.cy, &m.X.R.cz };
    for (int j = 0; j < 3; j++) *columns[j] = carom_vec(X.R[0][j].f, X.R[1][j].f, X.R[2][j].f);
    m.X.p = carom_vec(X.p[0].f, X.p[1].f, X.p[2].f);
    m.v = carom_vec(X.p[0].d, X.p[1].d, X.p[2].d);
    m.dv = carom_vec(X.p[0].s, X.p[1].s, X.p[2].s);
    double W[3][3] = { { 0 } }, A[3][3] = { { 0 } };  // R' R^T and its rate
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                W[i][j] += X.R[i][k].d*X.R[j][k].f;
                A[i][j] += X.R[i][k].s*X.R[j][k].f + X.R[i][k].d*X.R[j][k].d;
            }
        }
    }
    m.w = carom_scale(0.5, carom_vec(W[2][1] - W[1][2], W[0][2] - W[2][0], W[1][0] - W[0][1]));
    m.dw = carom_scale(0.5, carom_vec(A[2][1] - A[1][2], A[0][2] - A[2][0], A[1][0] - A[0][1]));
    return m;
}

// Constant and sine are enough here.
static inline Jet function_jet(const caromFunctionDef *f, double time)
{
    if (f->kind != CAROM_FUNCTION_SINE) return jet(f->value, 0, 0);
    double rate = 2*acos(-1)*f->frequency, a = rate*(time - f->start) + f->phase;
    return jet(f->value + f->amplitude*sin(a), f->amplitude*rate*cos(a), -f->amplitude*rate*rate*sin(a));
}

// ---- kinematics of the whole

typedef struct Motion {  // of a body
    caromPose X;
    caromVec3 w, v, alpha, a;  // of its origin, in W
} Motion;

static inline caromPose def_pose(const caromJointDef *j, int side)
{
    return (caromPose){ carom_quat_matrix(j->q[side]), j->p[side] };
}

// Coordinates, speeds and their rates of a body's joint; a prescribed motion gives its own.
typedef struct JointState { double q[CAROM_JOINT_NQ_MAX], v[CAROM_JOINT_NV_MAX], dv[CAROM_JOINT_NV_MAX]; } JointState;

static inline JointState joint_state(const Mechanism *m, int k, double time, const double *q, const double *v,
                                     const double *dv)
{
    JointState s = { { 0 }, { 0 }, { 0 } };
    const caromJointDef *j = &m->joint[k];
    if (joint_is_driven(j)) {
        Jet f = function_jet(&j->drive_function, time);
        s.q[0] = f.f, s.v[0] = f.d, s.dv[0] = f.s;
        return s;
    }
    for (int i = 0; i < joint_nq(j); i++) s.q[i] = q[m->iq[k] + i];
    for (int i = 0; i < joint_nv(j); i++) s.v[i] = v[m->iv[k] + i], s.dv[i] = dv ? dv[m->iv[k] + i] : 0;
    return s;
}

static inline Relative joint_motion(const Mechanism *m, int k, double time, const double *q, const double *v,
                                    const double *dv)
{
    JointState s = joint_state(m, k, time, q, v, dv);
    return relative_motion(m->joint[k].kind, m->joint[k].pitch, s.q, s.v, s.dv);
}

// The motion of frame C on a rigid body from that of B.
static inline Motion carried(Motion B, caromPose X_BC)
{
    Motion C = B;
    caromVec3 r = carom_mul(B.X.R, X_BC.p);
    C.X = carom_pose_mul(B.X, X_BC);
    C.v = carom_add(B.v, carom_cross(B.w, r));
    C.a = carom_add(B.a, carom_add(carom_cross(B.alpha, r), carom_cross(B.w, carom_cross(B.w, r))));
    return C;
}

// The motion of M from that of F and what it does against F.
static inline Motion composed(Motion F, Relative rel)
{
    Motion M;
    caromVec3 r = carom_mul(F.X.R, rel.X.p), v = carom_mul(F.X.R, rel.v), w = carom_mul(F.X.R, rel.w);
    M.X = carom_pose_mul(F.X, rel.X);
    M.w = carom_add(F.w, w);
    M.v = carom_add(F.v, carom_add(carom_cross(F.w, r), v));
    M.alpha = carom_add(F.alpha, carom_add(carom_cross(F.w, w), carom_mul(F.X.R, rel.dw)));
    M.a = carom_add(F.a, carom_add(carom_cross(F.alpha, r), carom_cross(F.w, carom_cross(F.w, r))));
    M.a = carom_add(M.a, carom_add(carom_scale(2, carom_cross(F.w, v)), carom_mul(F.X.R, rel.dv)));
    return M;
}

// What F does against M, seen from M: the inverse motion, from composed(rel, inverse) = rest.
static inline Relative inverse_motion(Relative rel)
{
    Relative inv;
    caromMat3 Rt = carom_transpose(rel.X.R);
    inv.X = (caromPose){ Rt, carom_neg(carom_mul(Rt, rel.X.p)) };
    inv.w = carom_neg(carom_mul(Rt, rel.w));
    inv.dw = carom_neg(carom_mul(Rt, rel.dw));  // w x w = 0: the rate in either frame
    // p_MF = -R^T p; its rates with R^T' = -R^T [w], in M.
    caromVec3 u = carom_sub(rel.v, carom_cross(rel.w, rel.X.p));
    inv.v = carom_neg(carom_mul(Rt, u));
    caromVec3 du = carom_sub(rel.dv, carom_add(carom_cross(rel.dw, rel.X.p), carom_cross(rel.w, rel.v)));
    inv.dv = carom_neg(carom_mul(Rt, carom_sub(du, carom_cross(rel.w, u))));
    return inv;
}

static inline caromPose pose_inverse(caromPose X)
{
    return (caromPose){ carom_transpose(X.R), carom_neg(carom_tmul(X.R, X.p)) };
}

static inline Motion rest(void)
{
    caromVec3 zero = { 0, 0, 0 };
    return (Motion){ carom_pose_identity(), zero, zero, zero, zero };
}

// dv NULL: accelerations of the bodies for dv = 0.
static inline void mechanism_motion(const Mechanism *m, double time, const double *q, const double *v, const double *dv,
                                    Motion *out)
{
    for (int i = 0; i < m->nbody; i++) {
        int k = m->order[i];
        Motion from = m->parent[k] < 0 ? rest() : out[m->parent[k]];
        Relative rel = joint_motion(m, k, time, q, v, dv);
        caromPose X_AF = def_pose(&m->joint[k], 0), X_BM = def_pose(&m->joint[k], 1);
        if (m->is_reversed[k]) out[k] = carried(composed(carried(from, X_BM), inverse_motion(rel)), pose_inverse(X_AF));
        else out[k] = carried(composed(carried(from, X_AF), rel), pose_inverse(X_BM));
    }
}

// ---- forces of the model

// From the first point of a spring to the second; rate (may be NULL) of its length.
static inline caromVec3 spring_line(const Mechanism *m, const Motion *motion, int i, double *rate)
{
    Motion end[2];
    for (int s = 0; s < 2; s++) {
        Motion body = m->spring_body[i][s] < 0 ? rest() : motion[m->spring_body[i][s]];
        end[s] = carried(body, (caromPose){ carom_mat_identity(), m->spring[i].p[s] });
    }
    caromVec3 line = carom_sub(end[1].X.p, end[0].X.p);
    if (rate) *rate = carom_dot(line, carom_sub(end[1].v, end[0].v))/carom_norm(line);
    return line;
}

// Tension of a spring and damper: k (l - rest) + c l', pulling its ends together.
static inline void spring_wrenches(const Mechanism *m, const Motion *motion, caromSpatial *F)
{
    for (int i = 0; i < m->nspring; i++) {
        double rate;
        caromVec3 line = spring_line(m, motion, i, &rate), u = carom_scale(1/carom_norm(line), line);
        double tension = m->spring[i].stiffness*(carom_norm(line) - m->spring[i].rest) + m->spring[i].damping*rate;
        for (int s = 0; s < 2; s++) {
            int k = m->spring_body[i][s];
            if (k < 0) continue;
            caromVec3 f = carom_scale(s == 0 ? tension : -tension, u);
            F[k].linear = carom_add(F[k].linear, f);
            F[k].angular = carom_add(F[k].angular, carom_cross(carom_mul(motion[k].X.R, m->spring[i].p[s]), f));
        }
    }
}

// On speed i of the joint of body k, from the joint's own spring, damper and drive.
static inline double joint_force(const Mechanism *m, int k, int i, double time, const double *q, const double *v)
{
    const caromJointDef *j = &m->joint[k];
    double force = -j->damping[i]*v[m->iv[k] + i];
    if (j->stiffness[i] != 0) force -= j->stiffness[i]*(q[m->iq[k] + i] - j->rest[i]);
    if (i == 0 && j->drive == CAROM_DRIVE_FORCE) force += function_jet(&j->drive_function, time).f;
    return force;
}

// ---- accelerations in maximal coordinates

// Gaussian elimination with partial pivoting on equilibrated rows, then refinement with residuals in long double, so
// that the solution is good to the rounding of A and b themselves. A [n*n] is kept, b becomes x.
static inline bool dense_solve(int n, const double *A, double *b)
{
    size_t size = (size_t)n*(size_t)n;
    double *LU = malloc(size*sizeof *LU), *x = calloc((size_t)n, sizeof *x), *r = malloc((size_t)n*sizeof *r),
           *scale = malloc((size_t)n*sizeof *scale);
    int *row = malloc((size_t)n*sizeof *row);
    bool is_regular = LU && x && r && scale && row;
    for (int i = 0; is_regular && i < n; i++) {
        double largest = 0;
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(A[i*n + j]));
        is_regular = largest > 0;
        scale[i] = is_regular ? 1/largest : 0;
        for (int j = 0; j < n; j++) LU[i*n + j] = scale[i]*A[i*n + j];
        row[i] = i;
    }
    for (int k = 0; is_regular && k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) if (fabs(LU[row[i]*n + k]) > fabs(LU[row[pivot]*n + k])) pivot = i;
        int swap = row[k];
        row[k] = row[pivot], row[pivot] = swap;
        const double *top = LU + (ptrdiff_t)row[k]*n;
        is_regular = fabs(top[k]) > 1e-14;
        for (int i = k + 1; is_regular && i < n; i++) {
            double *line = LU + (ptrdiff_t)row[i]*n;
            if (line[k] == 0) continue;
            line[k] /= top[k];
            for (int j = k + 1; j < n; j++) line[j] -= line[k]*top[j];
        }
    }
    for (int pass = 0; is_regular && pass < 4; pass++) {
        for (int i = 0; i < n; i++) {
            long double sum = (long double)b[i];
            for (int j = 0; j < n; j++) sum -= (long double)A[i*n + j]*(long double)x[j];
            r[i] = scale[i]*(double)sum;
        }
        double y[MECHANISM_SIZE];
        for (int i = 0; i < n; i++) {
            y[i] = r[row[i]];
            for (int j = 0; j < i; j++) y[i] -= LU[row[i]*n + j]*y[j];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 1; j < n; j++) y[i] -= LU[row[i]*n + j]*y[j];
            y[i] /= LU[row[i]*n + i];
        }
        for (int i = 0; i < n; i++) x[i] += y[i];
    }
    if (is_regular) memcpy(b, x, (size_t)n*sizeof *b);
    free(LU);
    free(x);
    free(r);
    free(scale);
    free(row);
    return is_regular;
}

// Unknowns: of each body alpha and a of its origin (6), of each joint the wrench (torque, force at Mo) on the second
// body (6), and the rates of its speeds. Equations:
//
//   bodies   I alpha + m c x a - (wrenches of its joints about Bo)  = torques - gyroscopic terms
//            m (a + alpha x c) - (forces of its joints)             = forces - centrifugal terms
//   joints   alpha_B - alpha_A - R_WF Sw dv                         = w_A x w_rel + ...
//       relative motion is that of the joint
//            a_B,Mo - a_A,Mo - R_WF Sv dv                           = centrifugal and Coriolis terms
//            (R_WF Sw)^T torque + (R_WF Sv)^T force                 = tau
//                power of the joint on each speed
//
// A prescribed joint has dv given and tau unknown: its last line is dv = f''.
typedef struct Maximal {
    int n;
    double *A, *b;
} Maximal;

static inline void put_vec(Maximal *s, int row, int column, double factor, caromVec3 a)  // a column of three
{
    for (int i = 0; i < 3; i++) s->A[(row + i)*s->n + column] += factor*carom_at(a, i);
}

static inline void put_mat(Maximal *s, int row, int column, double factor, caromMat3 M)
{
    put_vec(s, row, column, factor, M.cx);
    put_vec(s, row, column + 1, factor, M.cy);
    put_vec(s, row, column + 2, factor, M.cz);
}

static inline void put_right(Maximal *s, int row, caromVec3 a)
{
    for (int i = 0; i < 3; i++) s->b[row + i] += carom_at(a, i);
}

static inline void maximal_body(Maximal *s, const Mechanism *m, int k, Motion B, caromSpatial F)
{
    int row = 6*k;
    double mass = m->mass[k].mass;
    caromVec3 c = carom_mul(B.X.R, m->mass[k].com), weight = carom_scale(mass, m->gravity),
              centrifugal = carom_scale(mass, carom_cross(B.w, carom_cross(B.w, c)));
    caromMat3 I_C = carom_mat_mul(carom_mat_mul(B.X.R, m->mass[k].inertia), carom_transpose(B.X.R)), cx = mat_skew(c);
    caromMat3 I_B = carom_mat_add(I_C, carom_mat_scale(-mass, carom_mat_mul(cx, cx)));
    put_mat(s, row, row, 1, I_B);
    put_mat(s, row, row + 3, mass, cx);
    put_mat(s, row + 3, row, -mass, cx);
    put_mat(s, row + 3, row + 3, mass, carom_mat_identity());
    put_right(s, row, carom_add(F.angular, carom_cross(c, carom_sub(weight, centrifugal))));
    put_right(s, row, carom_neg(carom_cross(B.w, carom_mul(I_C, B.w))));
    put_right(s, row + 3, carom_add(F.linear, carom_sub(weight, centrifugal)));
}

// side +1: the second body of the joint, on which the wrench acts; -1: the first. r: from its origin to Mo.
static inline void maximal_side(Maximal *s, int body, int joint_row, double side, caromVec3 r, caromVec3 w)
{
    if (body < 0) return;
    int row = 6*body;
    put_mat(s, row, joint_row, -side, carom_mat_identity());       // torque on the body
    put_mat(s, row, joint_row + 3, -side, mat_skew(r));
    put_mat(s, row + 3, joint_row + 3, -side, carom_mat_identity());
    put_mat(s, joint_row, row, side, carom_mat_identity());        // alpha
    put_mat(s, joint_row + 3, row, -side, mat_skew(r));            // alpha x r
    put_mat(s, joint_row + 3, row + 3, side, carom_mat_identity());
    put_right(s, joint_row + 3, carom_scale(-side, carom_cross(w, carom_cross(w, r))));
}

static inline void maximal_joint(Maximal *s, const Mechanism *m, int k, int joint_row, int speed_row, JointState state,
                                 const Motion *motion, const double *force)
{
    const caromJointDef *j = &m->joint[k];
    int A = m->is_reversed[k] ? k : m->parent[k], B = m->is_reversed[k] ? m->parent[k] : k, nv = joint_nv(j);
    Motion at_A = A < 0 ? rest() : motion[A], at_B = B < 0 ? rest() : motion[B], F = carried(at_A, def_pose(j, 0));
    const double none[CAROM_JOINT_NV_MAX] = { 0 };
    Relative rel = relative_motion(j->kind, j->pitch, state.q, state.v, none);
    caromVec3 p_WM = carom_pose_point(F.X, rel.X.p), v = carom_mul(F.X.R, rel.v), w = carom_mul(F.X.R, rel.w);
    maximal_side(s, A, joint_row, -1, carom_sub(p_WM, at_A.X.p), at_A.w);
    maximal_side(s, B, joint_row, 1, carom_sub(p_WM, at_B.X.p), at_B.w);
    put_right(s, joint_row, carom_add(carom_cross(at_A.w, w), carom_mul(F.X.R, rel.dw)));
    put_right(s, joint_row + 3, carom_add(carom_scale(2, carom_cross(at_A.w, v)), carom_mul(F.X.R, rel.dv)));
    for (int i = 0; i < nv; i++) {
        double unit[CAROM_JOINT_NV_MAX] = { 0 };
        unit[i] = 1;
        Relative S = relative_motion(j->kind, j->pitch, state.q, unit, none);
        caromVec3 Sw = carom_mul(F.X.R, S.w), Sv = carom_mul(F.X.R, S.v);
        put_vec(s, joint_row, speed_row + i, -1, Sw);
        put_vec(s, joint_row + 3, speed_row + i, -1, Sv);
        double *line = s->A + (ptrdiff_t)(speed_row + i)*s->n;
        if (joint_is_driven(j)) {
            line[speed_row + i] = 1;
            s->b[speed_row + i] = state.dv[i];
            continue;
        }
        for (int a = 0; a < 3; a++) line[joint_row + a] = carom_at(Sw, a), line[joint_row + 3 + a] = carom_at(Sv, a);
        s->b[speed_row + i] = force[i];
    }
}

typedef struct Reference {
    double dv[6*MECHANISM_BODIES];                       // [nv] in the order of the library
    caromSpatial acceleration[MECHANISM_BODIES];         // alpha, a of the origin, in W
    caromSpatial reaction[MECHANISM_BODIES];             // torque and force at Mo on the second body of the joint, in W
} Reference;

// tau, F: as in carom_dyn_forward, may be NULL.
static inline Reference maximal_forward(const Mechanism *m, double time, const double *q, const double *v,
                                        const double *tau, const caromSpatial *F)
{
    Motion motion[MECHANISM_BODIES];
    caromSpatial wrench[MECHANISM_BODIES] = { { { 0 } } };
    mechanism_motion(m, time, q, v, NULL, motion);
    for (int k = 0; F && k < m->nbody; k++) wrench[k] = F[k];
    spring_wrenches(m, motion, wrench);
    int speeds = 0, speed_row[MECHANISM_BODIES];
    for (int k = 0; k < m->nbody; k++) speed_row[k] = 12*m->nbody + speeds, speeds += joint_nv(&m->joint[k]);
    Maximal s = { .n = 12*m->nbody + speeds };
    s.A = calloc((size_t)s.n*(size_t)s.n, sizeof *s.A);
    s.b = calloc((size_t)s.n, sizeof *s.b);
    assert_non_null(s.A);
    assert_non_null(s.b);
    for (int k = 0; k < m->nbody; k++) {
        maximal_body(&s, m, k, motion[k], wrench[k]);
        double force[CAROM_JOINT_NV_MAX] = { 0 };
        for (int i = 0; !joint_is_driven(&m->joint[k]) && i < joint_nv(&m->joint[k]); i++) {
            force[i] = joint_force(m, k, i, time, q, v) + (tau ? tau[m->iv[k] + i] : 0);
        }
        maximal_joint(&s, m, k, 6*(m->nbody + k), speed_row[k], joint_state(m, k, time, q, v, NULL), motion, force);
    }
    assert_true(dense_solve(s.n, s.A, s.b));
    Reference ref;
    memset(&ref, 0, sizeof ref);
    for (int k = 0; k < m->nbody; k++) {
        const double *a = s.b + 6*k, *l = s.b + 6*(m->nbody + k);
        ref.acceleration[k] = (caromSpatial){ { a[0], a[1], a[2] }, { a[3], a[4], a[5] } };
        ref.reaction[k] = (caromSpatial){ { l[0], l[1], l[2] }, { l[3], l[4], l[5] } };
        for (int i = 0; !joint_is_driven(&m->joint[k]) && i < joint_nv(&m->joint[k]); i++)
            ref.dv[m->iv[k] + i] = s.b[speed_row[k] + i];
    }
    free(s.A);
    free(s.b);
    return ref;
}

// ---- building

static inline Mechanism mechanism_begin(void)
{
    Mechanism m;
    memset(&m, 0, sizeof m);
    m.gravity = carom_vec(0, 0, -9.81);
    return m;
}

// A body and the joint that carries it from parent (-1: the world); change m->joint[k] before mechanism_end.
static inline int mechanism_add(Mechanism *m, int parent, caromJointKind kind, caromMassProps mass)
{
    int k = m->nbody++;
    assert_true(k < MECHANISM_BODIES);
    m->mass[k] = mass;
    m->parent[k] = parent;
    m->order[k] = m->joint_order[k] = k;
    m->joint[k] = carom_model_joint_def("", kind);
    return k;
}

static inline void body_to_builder(const Mechanism *m, int k, caromBuilder *b)
{
    caromBodyDef def = carom_model_body_def(m->names[k]);
    def.mass = m->mass[k].mass;
    def.com = m->mass[k].com;
    def.inertia = m->mass[k].inertia;
    carom_builder_body(b, &def);
}

static inline void joint_to_builder(Mechanism *m, int k, caromBuilder *b)
{
    caromJointDef *j = &m->joint[k];
    j->name = m->joint_names[k];
    j->body[m->is_reversed[k] ? 0 : 1] = m->names[k];
    j->body[m->is_reversed[k] ? 1 : 0] = m->parent[k] < 0 ? "world" : m->names[m->parent[k]];
    carom_builder_joint(b, j);
}

static inline const char *end_name(const Mechanism *m, int body)
{
    return body < 0 ? "world" : m->names[body];
}

// Everything but the settings. Names point into m: it must stay where it is until the model is finished.
static inline caromBuilder *mechanism_builder(Mechanism *m)
{
    caromBuilder *b = carom_builder_create();
    for (int k = 0; k < m->nbody; k++) {
        snprintf(m->names[k], sizeof m->names[k], "b%d", k);
        snprintf(m->joint_names[k], sizeof m->joint_names[k], "j%d", k);
        body_to_builder(m, k, b);
    }
    for (int i = 0; i < m->nbody; i++) joint_to_builder(m, m->joint_order[i], b);
    for (int i = 0; i < m->nspring; i++) {
        snprintf(m->spring_names[i], sizeof m->spring_names[i], "s%d", i);
        m->spring[i].name = m->spring_names[i];
        for (int s = 0; s < 2; s++) m->spring[i].body[s] = end_name(m, m->spring_body[i][s]);
        carom_builder_spring(b, &m->spring[i]);
    }
    return b;
}

// Finishes and destroys the builder; the problems of a model that is none are printed.
static inline caromModel *finished(caromBuilder *b)
{
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    caromStatus status = carom_builder_finish(b, &problems, &model);
    for (int i = 0; status != CAROM_OK && i < problems.count; i++)
        print_error("%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    assert_int_equal(status, CAROM_OK);
    return model;
}

// Model and workspace.
static inline void mechanism_end(Mechanism *m)
{
    caromBuilder *b = mechanism_builder(m);
    caromSettings settings = carom_model_settings_def();
    settings.gravity = m->gravity;
    carom_builder_settings(b, &settings);
    m->model = finished(b);
    caromError err = { 0 };
    if (carom_dyn_create(m->model, &m->dyn, &err) != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    m->nq = carom_dyn_nq(m->dyn);
    m->nv = carom_dyn_nv(m->dyn);
    for (int k = 0; k < m->nbody; k++) {
        m->iq[k] = carom_dyn_body_iq(m->dyn, (caromBodyId){ k });
        m->iv[k] = carom_dyn_body_iv(m->dyn, (caromBodyId){ k });
    }
}

static inline void mechanism_free(Mechanism *m)
{
    carom_dyn_destroy(m->dyn);
    carom_model_destroy(m->model);
}

// What a random tree is made of.
typedef struct Recipe {
    int nbody;             // 0: 1 .. 12
    bool has_forces;       // springs and dampers in joints, springs and dampers between points, forces of drives
    bool has_motion;       // prescribed motion of some joints with one coordinate
    bool has_reversed;     // joints that name the carried body first, in any order
    bool is_chain;
} Recipe;

static inline void random_forces(Random *r, caromJointDef *j)
{
    bool has_spring = joint_quaternion(j->kind) < 0;
    for (int i = 0; i < joint_nv(j); i++) {
        if (random_int(r, 2)) j->damping[i] = random_uniform(r, 0, 5);
        if (has_spring && random_int(r, 2))
            j->stiffness[i] = random_uniform(r, 0, 50), j->rest[i] = random_uniform(r, -1, 1);
    }
}

static inline caromFunctionDef random_sine(Random *r)
{
    caromFunctionDef f = carom_function_def();
    f.kind = CAROM_FUNCTION_SINE;
    f.value = random_uniform(r, -1, 1);
    f.amplitude = random_uniform(r, -1, 1);
    f.frequency = random_uniform(r, 0.1, 1);
    f.phase = random_uniform(r, -3, 3);
    return f;
}

static inline void random_joint(Random *r, Recipe recipe, caromJointDef *j)
{
    for (int s = 0; s < 2; s++) j->p[s] = random_vec(r, 0.5), j->q[s] = random_quat(r);
    if (j->kind == CAROM_JOINT_SCREW) j->pitch = random_uniform(r, -0.3, 0.3);
    random_state(r, j, j->position, j->velocity);
    if (recipe.has_forces) random_forces(r, j);
    bool may_be_driven = carom_model_joint_kind_nv(j->kind) == 1;
    if (recipe.has_forces && may_be_driven && random_int(r, 2))
        j->drive = CAROM_DRIVE_FORCE, j->drive_function = random_sine(r);
    if (recipe.has_motion && may_be_driven && random_int(r, 2)) {
        j->drive = CAROM_DRIVE_MOTION, j->drive_function = random_sine(r);
        for (int i = 0; i < CAROM_JOINT_NV_MAX; i++) j->stiffness[i] = j->damping[i] = 0;
        j->position[0] = j->velocity[0] = NAN;  // the motion gives them
    }
}

// Points 1 to 2 m apart at least most of the time; the length at the start is never near zero for the seeds in use, and
// a test of it would show as a reference that does not converge.
static inline void random_spring(Random *r, Mechanism *m)
{
    int i = m->nspring++, a = random_int(r, m->nbody), b = random_int(r, m->nbody + 1) - 1;
    m->spring[i] = carom_model_spring_def("");
    m->spring_body[i][0] = a;
    m->spring_body[i][1] = b == a ? -1 : b;
    for (int s = 0; s < 2; s++) m->spring[i].p[s] = random_vec(r, 1);
    m->spring[i].stiffness = random_uniform(r, 0, 100);
    m->spring[i].damping = random_uniform(r, 0, 5);
    m->spring[i].rest = random_uniform(r, 0.1, 1);
}

static inline void random_order(Random *r, int n, int *order)
{
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int s = random_int(r, i + 1), swap = order[i];
        order[i] = order[s], order[s] = swap;
    }
}

// The bodies stand in the model in random order, so that parents may come after their children. Kinds go round, so that
// trees of ten bodies and more have them all.
static inline void random_mechanism(Random *r, Recipe recipe, Mechanism *m)
{
    *m = mechanism_begin();
    m->gravity = random_vec(r, 10);
    m->nbody = recipe.nbody > 0 ? recipe.nbody : 1 + random_int(r, MECHANISM_BODIES);
    int first = random_int(r, CAROM_JOINT_KINDS);
    random_order(r, m->nbody, m->order);
    for (int i = 0; i < m->nbody; i++) {
        int k = m->order[i], from = recipe.is_chain ? i - 1 : random_int(r, i + 1) - 1;
        m->parent[k] = from < 0 ? -1 : m->order[from];
        m->mass[k] = random_mass(r);
        m->joint[k] = carom_model_joint_def("", (caromJointKind)((first + i) % CAROM_JOINT_KINDS));
        m->is_reversed[k] = recipe.has_reversed && random_int(r, 2);
        random_joint(r, recipe, &m->joint[k]);
    }
    memcpy(m->joint_order, m->order, sizeof m->order);
    if (recipe.has_reversed) random_order(r, m->nbody, m->joint_order);
    for (int i = 0; recipe.has_forces && i < MECHANISM_SPRINGS; i++) random_spring(r, m);
    mechanism_end(m);
}

#endif
