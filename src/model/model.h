// The frozen model: flat arrays, written once by build.c, read by every room after it.
#ifndef CAROM_SRC_MODEL_H
#define CAROM_SRC_MODEL_H

#include "carom/model.h"
#include "model/expression.h"
#include "model/function.h"
#include "model/joint.h"

typedef struct caromBody {
    const char *name;
    bool fixed;              // never moves: fixed itself, or welded to something that is
    int first_shape, nshape;
    int first_group, ngroup; // of the model's groups
    int link;                // that moves it; -1: fixed
    caromVec3 p_WB;          // as defined; of bodies on joints it follows from the joint
    caromQuat q_WB;
    caromSpatial V_WB;       // of the body's origin, in W
    caromMassProps props;    // in B; all zero for fixed bodies
    double reach;            // largest distance of a point of its bounded shapes from the centre of mass [m]
} caromBody;

// Forces of a joint on one of its coordinates.
typedef struct caromJointForce {
    double stiffness, rest, damping, friction;
    double lower, upper;     // -+ infinity: none
    bool is_angle;
} caromJointForce;

// A body that moves, and the joint that carries it. Links stand parents first. Frame F sits on the parent, M on the
// link; vectors of the recursions are along the axes of W, about the origin of M.
typedef struct caromLink {
    int body, parent;        // parent link; -1: the world (and everything fixed)
    int joint;               // of the model's joints; -1: a free body's own
    caromJointKind kind;
    int nq, nv;
    int iq, iv;              // in q and v; -1: nothing there (a weld, or prescribed)
    int is;                  // its columns in kin->S
    bool is_axial;           // one coordinate: turns by `turn` and moves by `shift` along z for each unit of it
    double turn, shift;
    // Of a link that has coordinates and is not axial.
    void (*move)(const double *q, const double *v, caromJointMotion *motion);
    // F sits on the second body of the joint, M on the first: coordinates are those of the joint as given.
    bool is_backwards;
    bool is_lone;            // a free body in the world that carries nothing
    bool turns_F, moves_F;   // R_PF is not the identity, p_PF is not zero
    caromMat3 R_PF;          // F in the link frame of the parent (or W)
    caromVec3 p_PF;
    caromPose X_MB;          // the body frame in the link frame
    double mass;
    caromVec3 com_M;
    caromMat3 inertia_M;     // about the origin of M
    caromMat3 inertia_inv_C; // of the inertia about the centre of mass, axes of M
    const caromFunction *motion, *drive;
    bool has_forces;
    caromJointForce *forces; // [nv]
} caromLink;

// Is a link moved by time alone: prescribed, or welded, from the world on?
static inline bool carom_model_is_led(const caromLink *links, int link)
{
    while (link >= 0 && links[link].iv < 0) link = links[link].parent;
    return link < 0;
}

// Which of a joint's values at the start were given, by speed.
typedef struct caromGiven {
    bool position[CAROM_JOINT_NV_MAX], velocity[CAROM_JOINT_NV_MAX];
} caromGiven;

typedef struct caromModelJoint {
    const char *name;
    caromJointKind kind;
    int body[2];             // -1: the world
    caromPose X_AF, X_BM;
    double pitch;
    int link;                // that it carries; -1: it closes a loop, or joins what is fixed
    bool closes_loop;
    bool is_driven;
    bool touch;
    double position[CAROM_JOINT_NQ_MAX], velocity[CAROM_JOINT_NV_MAX];  // at the start
    caromGiven is_given;
    caromFunction *function; // of its drive
    caromJointForce forces[CAROM_JOINT_NV_MAX];
    double limit_stiffness, limit_restitution;
} caromModelJoint;

typedef struct caromModelSpring {
    const char *name;
    int body[2];             // -1: the world
    caromVec3 p[2];
    double stiffness, damping, rest;  // rest NaN: the length at the start
} caromModelSpring;

typedef struct caromModelForce {
    int body;
    caromVec3 p;
    bool in_body;
    caromFunction *force[3], *torque[3];
} caromModelForce;

// A joint's limit: one side of one coordinate.
typedef struct caromLimit {
    int link, coordinate;
    double at, sign;         // gap = sign (q - at) >= 0
    double stiffness, restitution;
} caromLimit;

// A unilateral constraint: two shapes that may touch, or a limit that a joint may reach.
typedef enum caromConstraintKind { CAROM_CONSTRAINT_PAIR, CAROM_CONSTRAINT_LIMIT } caromConstraintKind;
typedef struct caromConstraint {
    caromConstraintKind kind;
    int index;               // of the pair, or of the limit
} caromConstraint;

static inline caromConstraint carom_model_constraint_of_pair(int pair)
{
    return (caromConstraint){ CAROM_CONSTRAINT_PAIR, pair };
}

static inline caromConstraint carom_model_constraint_of_limit(int limit)
{
    return (caromConstraint){ CAROM_CONSTRAINT_LIMIT, limit };
}

static inline bool carom_model_constraint_is(caromConstraint a, caromConstraint b)
{
    return a.kind == b.kind && a.index == b.index;
}

typedef struct caromModelShape {
    const char *name;
    int body;
    int material;
    caromShape shape;
    caromPose X_BS;
    double radius;           // of the bounding sphere about So; infinite for a half-space
    double shell;            // [m]
    double samples;          // spacing of the points by which it presses, as asked for [m]; 0: it does not ask
    bool touches, weighs;
    int stands_for;          // shape for which it touches; -1: none
} caromModelShape;

// Restitution over approach speed, compiled.
typedef struct caromRestitution {
    caromExpression *expression;     // of v; NULL: points
    double *speeds;                  // [npoint], and behind them their restitution
    int npoint;
    char *text;                      // for people; NULL: the pair of materials has none
} caromRestitution;

// An expression for the normal force, and one for the restitution, compiled.
typedef struct caromOwnLaw {
    caromRestitution restitution;
    caromExpression *expression;     // NULL: the pair of materials has none
    char *text;                      // the formula and its parameters, for people
    double parameters[CAROM_PARAMETERS_MAX];
} caromOwnLaw;

// What two materials do to each other: caromPairDef, with everything that was not given filled in.
typedef struct caromPairLaw {
    int given;               // which pair of materials it was given by, -1: none
    double restitution;      // at 1 m/s where it depends on the speed
    const caromRestitution *restitution_law;  // NULL: it does not
    double friction, static_friction, rolling, torsion;
    caromOrigin origin[CAROM_COEFFICIENTS];
    double E_star;           // [Pa], already divided by k_red
    double stiffness;        // [N/m^n] likewise divided; NaN: from E_star and the shapes
    double exponent;         // as given; NaN: by the kind of contact
    caromDamping damping;
    double damping_coefficient, damping_depth;
    const caromExpression *expression;  // of d, v and the parameters; NULL: none
    const char *text;                // of the expression, with its parameters; NULL: none
    const double *parameters;        // [nparameter] of the expression
    int nparameter;
    caromLawFunction function;       // NULL: none
    void *user;
    caromImpactLaw impact;           // rigid response
} caromPairLaw;

// Two shapes that may touch. There may be two million of them.
typedef struct caromModelPair {
    int shape[2];            // A < B
    int law;                 // of the model's
    double shell;            // of both together [m]
} caromModelPair;

// Groups of bodies, pairs of names that shall not touch, and how many pairs of shapes are left out.
typedef struct caromExclusions {
    int ngroup, nignored;
    const char **groups;     // of the first body, of the second, ...
    caromIgnoredInfo *ignored;
    caromLeftOut left_out;
} caromExclusions;

struct caromModel {
    caromSettings settings;
    int nbody, nshape, nmaterial, npair;
    int nlink, njoint, nspring, nforce, nlimit, nloop;
    int nq, nv;
    int ns;                  // nv and the prescribed coordinates
    caromBody *bodies;
    caromModelShape *shapes;
    caromMaterialDef *materials;
    int nlaw, nown_law;
    caromPairLaw *laws;      // of the materials that meet
    caromOwnLaw *own_laws;   // expressions that were given for pairs of materials
    caromModelPair *pairs;
    caromExclusions exclusions;
    caromLink *links;
    caromModelJoint *joints;
    caromModelSpring *springs;
    caromModelForce *forces;
    caromLimit *limits;
    int *loops;              // joints that close loops [nloop]
    char *names;             // all names, one block
};

// A formula or a function in place of stiffness and damping?
static inline bool carom_model_law_is_own(const caromPairLaw *law)
{
    return law->expression || law->function;
}

// Restitution at an approach speed [m/s], 0..1; NaN: the pair has none (restitution.c).
double carom_model_law_restitution(const caromPairLaw *law, double speed);

static inline const caromPairLaw *carom_model_law_of(const caromModel *model, int pair)
{
    return &model->laws[model->pairs[pair].law];
}

// The place of a constraint among all: pairs first, then limits [npair + nlimit].
static inline int carom_model_constraint_number(const caromModel *model, caromConstraint c)
{
    return c.kind == CAROM_CONSTRAINT_PAIR ? c.index : model->npair + c.index;
}
// "ball - plate" or "joint hinge"
void carom_model_constraint_name(const caromModel *model, caromConstraint c, char *text, size_t n);

#endif
