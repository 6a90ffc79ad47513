// model.h -- definitions in, one checked and frozen model out.
//
// In:    definitions of materials, material pairs, bodies with shapes, joints, springs, forces, and settings, added to
//        a builder in any order.
// Out:   a caromModel that never changes again and can be shared by any number of simulations and threads.
// Promise: carom_builder_finish finds every problem of the definitions, not only the first, each with the path of the
//          thing it concerns ("bodies.ball.mass"); a model that was built can be simulated.
// Not here: files (modelfile.h), motion (sim.h).
// Start reading at carom_builder_finish in src/model/build.c.
//
//     caromBuilder *b = carom_builder_create();
//     caromMaterialDef rubber = carom_model_material_def("bumper");
//     rubber.E = 10e6;
//     carom_builder_material(b, &rubber);
//     ...
//     caromStatus s = carom_builder_finish(b, &problems, &model);
//     carom_builder_destroy(b);
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromBuilder caromBuilder;
typedef struct caromModel caromModel;

// Names: letters, digits, '_' and '-', starting with a letter, at most CAROM_NAME_MAX bytes. They are the keys of the
// model file and appear in column names, so '.' is not allowed.
#define CAROM_NAME_MAX 63

// Pairs of shapes whose gaps can be recorded.
#define CAROM_GAP_PAIRS_MAX 200

// Of bodies, shapes, materials, material pairs and ignored pairs each.
#define CAROM_SHAPES_MAX 2000

// Of one body.
#define CAROM_GROUPS_MAX 16

// Parts of a model are typed indices, valid inside that model only.
typedef struct caromBodyId { int32_t i; } caromBodyId;

typedef struct caromMaterialDef {
    const char *name;
    double density;  // [kg/m^3]  default 1000
    double E;        // Young's modulus [Pa]  default 1e9
    double nu;       // Poisson's ratio [-]  default 0.3; -1 < nu <= 0.5
} caromMaterialDef;

// How restitution becomes damping (docs/contact.md). Those that use restitution set c in fn = K d^n (1 + c d') at each
// touch, from the restitution asked for and the approach speed.
typedef enum caromDamping {
    CAROM_DAMPING_EXACT,
    CAROM_DAMPING_ENGELSON_FRACTION,
    CAROM_DAMPING_ENGELSON_CUBIC,
    CAROM_DAMPING_FLORES,
    CAROM_DAMPING_MARHEFKA_ORIN,  // c = 3/2 alpha; alpha is the pair's coefficient [s/m], or (1 - e)/v0
    CAROM_DAMPING_NONE,
    CAROM_DAMPING_GIVEN,          // c is the pair's coefficient [s/m], at every speed
    // fn = K d^n + D(d) d': D grows smoothly from 0 to the pair's coefficient [N s/m] at its damping_depth
    // (IMPACT of Adams)
    CAROM_DAMPING_DEPTH,
    CAROM_DAMPING_KINDS
} caromDamping;

// A normal force of one's own, fn(d, d') [N], from depth d > 0 [m] and approach speed d' [m/s]. Called from any thread,
// must be pure; what it gives below 0 is taken for 0. fn(d, 0) is taken for elastic, the rest for damping.
typedef double (*caromLawFunction)(void *user, double depth, double speed);

// A number with a name, for an expression.
typedef struct caromParameter {
    const char *name;
    double value;
} caromParameter;

// Of one expression.
#define CAROM_PARAMETERS_MAX 12

// Impact of two rigid bodies in one point (docs/impact.md).
typedef enum caromImpactLaw {
    // Work returned is e^2 of work absorbed, with Coulomb friction along the way [Stronge90].
    CAROM_IMPACT_ENERGETIC,
    CAROM_IMPACT_POISSON,            // impulse returned is e of that absorbed, with Coulomb friction along the way
    // speeds: v+ = -e v-, with a friction impulse that is regularised at small slip [Kossenko05]
    CAROM_IMPACT_NEWTON,
    CAROM_IMPACT_NEWTON_FRICTIONLESS,
    CAROM_IMPACT_KINDS
} caromImpactLaw;

// What two materials do to each other. A NaN field is "not given".
typedef struct caromPairDef {
    const char *material[2];
    // Not given: from the palette of pairs, then from the settings' defaults.
    double restitution;      // e [-] 0..1
    // Or, instead of the number, over the approach speed: points, straight lines between them, constant outside; or an
    // expression in v [m/s], cut off at 0 and 1.
    const double *restitution_speeds, *restitution_values;  // [nrestitution], speeds ascend [m/s]; copied; default NULL
    int nrestitution;        // at least 2; default 0: none
    const char *restitution_law;  // "0.9*(1 + v/2)^-0.2"; default NULL
    double friction;         // mu_k, sliding [-] >= 0
    double static_friction;  // mu_s [-] >= mu_k; not given anywhere: mu_k
    double rolling;          // mu_r, rolling resistance [-] >= 0
    double torsion;          // mu_t, resistance to spinning about the normal [-] >= 0; not given anywhere: mu_r
    // Normal force. Not given: from E, nu and the curvature of the shapes (Hertz), of faces from E and their size.
    double stiffness;        // K [N/m^n]; of faces the whole face, which need n = 1
    double exponent;         // n [-] 1..10; only with stiffness; default 1.5, of faces 1
    caromDamping damping;    // CAROM_DAMPING_KINDS (default): that of the settings
    double damping_coefficient;  // for the kinds that say so
    double damping_depth;    // [m]
    // Instead of all these: an expression in d [m], v (approach speed, m/s) and parameters, or a function. Only where
    // shapes touch in points.
    const char *law;                 // "k*d^n*(1 + c*v)"; NULL: none
    const caromParameter *parameters;  // copied
    int nparameter;
    caromLawFunction law_function;   // NULL: none
    void *law_user;
    caromImpactLaw impact_law;       // rigid response; CAROM_IMPACT_KINDS (default): that of the settings
} caromPairDef;

typedef struct caromShapeDef {
    const char *name;      // unique in its body; default "shape"
    caromShape shape;      // a polytope's hull is copied
    const char *material;  // NULL: the body's
    caromVec3 p_BS;        // [m]  where the shape's frame S is in the body frame B; default 0
    caromQuat q_BS;        // default identity
    bool touches;          // takes part in contact; default true. false: for looks and mass only
    bool weighs;           // has mass; default true. false: for looks and contact only
    // [m] the force acts from this distance on: depth is shell - gap; default 0. Shells of two shapes add up
    double shell;
    // [m] distance of points of its surface: it presses by them on everything it touches (docs/contact.md). 0
    // (default): only where there is no better way, at a distance that fits the shape
    double samples;
    // Name of a shape of this body, before it, for which it touches: it is not drawn; NULL (default): none.
    const char *stands_for;
} caromShapeDef;

typedef struct caromBodyDef {
    const char *name;
    const char *material;         // of shapes that name none
    bool fixed;                   // welded to the world; default false
    // That it belongs to, for ignored pairs; at most CAROM_GROUPS_MAX, copied; default none.
    const char *const *groups;
    int ngroup;
    const caromShapeDef *shapes;  // copied by carom_builder_body
    int nshape;
    caromVec3 p_WB;  // [m]      initial position of the body frame
    caromQuat q_WB;  //          initial orientation
    caromVec3 v_WB;  // [m/s]    initial velocity of the body's origin, in W
    caromVec3 w_WB;  // [rad/s]  initial angular velocity, in W
    // Mass properties: from shapes and densities unless given. NaN: not given. Given alone, mass scales the inertia
    // of the shapes; com and inertia may be given only together with mass.
    double mass;        // [kg]
    caromVec3 com;      // [m] in B
    caromMat3 inertia;  // [kg m^2] about com, axes of B; symmetric
} caromBodyDef;

// A function of time, for drives and external forces. All kinds are differentiable twice almost everywhere.
typedef enum caromFunctionKind {
    CAROM_FUNCTION_CONSTANT,    // value
    CAROM_FUNCTION_SINE,        // value + amplitude sin(2 pi frequency (t - start) + phase); value before start
    // From value to value + amplitude between start and end, smoothly (a polynomial of degree 5).
    CAROM_FUNCTION_RAMP,
    CAROM_FUNCTION_TABLE,       // natural cubic spline through (times[i], values[i]); constant outside
    CAROM_FUNCTION_EXPRESSION,  // of `time`, as text: "0.1*sin(2*pi*time)"
    CAROM_FUNCTION_KINDS
} caromFunctionKind;

typedef struct caromFunctionDef {
    caromFunctionKind kind;          // default constant 0
    double value, amplitude;         // [unit of the quantity]
    double frequency;                // [Hz]
    double phase;                    // [rad]
    double start, end;               // [s]
    int npoint;                      // table
    const double *times, *values;    // [npoint] times ascending
    const char *expression;
} caromFunctionDef;

// How two bodies may move against each other. Frame F sits on the first body, M on the second; z is the joint's axis.
typedef enum caromJointKind {
    CAROM_JOINT_FIXED,        // not at all
    CAROM_JOINT_REVOLUTE,     // angle about z
    CAROM_JOINT_PRISMATIC,    // distance along z
    CAROM_JOINT_CYLINDRICAL,  // angle about z, distance along z
    CAROM_JOINT_SCREW,        // angle about z, with pitch metres along z per radian
    CAROM_JOINT_UNIVERSAL,    // angle about z of F, then about the turned x (Cardan)
    CAROM_JOINT_PLANAR,       // distance along x and y of F, angle about z
    CAROM_JOINT_SPHERICAL,    // quaternion; angular velocity in M
    CAROM_JOINT_FREE,         // position of M in F, quaternion; velocity in F, angular velocity in M
    CAROM_JOINT_FREE_CARDAN,  // position of M in F, angles about x, y', z''; their rates
    CAROM_JOINT_KINDS
} caromJointKind;

enum { CAROM_JOINT_NQ_MAX = 7, CAROM_JOINT_NV_MAX = 6 };

typedef enum caromDrive { CAROM_DRIVE_NONE, CAROM_DRIVE_MOTION, CAROM_DRIVE_FORCE } caromDrive;

// Joints are taken in the order they are added, again and again: one between a body that is carried (by the world in
// the end) and one that is not carries the other; one between two bodies that are both carried closes a loop. Where
// nothing more can be carried, the first body that is first in all its joints moves freely, and it goes on from there.
typedef struct caromJointDef {
    const char *name;
    caromJointKind kind;
    const char *body[2];                     // "world" or NULL: the world
    // [m] origin of F in the frame of the first body, of M in that of the second
    caromVec3 p[2];
    caromQuat q[2];                          //      their orientation
    bool touch;                              // the two bodies may touch each other; default false
    double pitch;                            // [m/rad]  screw only
    // For each coordinate, in the order of caromJointKind; NaN: 0 (a quaternion: identity).
    double position[CAROM_JOINT_NQ_MAX];     // at the start [rad or m]
    double velocity[CAROM_JOINT_NV_MAX];     // [rad/s or m/s]
    // Forces in the joint, for each speed. Springs and limits need a coordinate whose rate the speed is: not in
    // spherical and free joints.
    double stiffness[CAROM_JOINT_NV_MAX];    // [N m/rad or N/m]  default 0
    double rest[CAROM_JOINT_NV_MAX];         // where the spring is relaxed [rad or m]  default 0
    double damping[CAROM_JOINT_NV_MAX];      // [N m s/rad or N s/m]  default 0
    // Coulomb torque or force [N m or N] default 0; regularised below w_small or v_small.
    double friction[CAROM_JOINT_NV_MAX];
    double lower[CAROM_JOINT_NV_MAX], upper[CAROM_JOINT_NV_MAX];  // limits [rad or m]; NaN: none
    double limit_stiffness;                  // [N m/rad or N/m]  default 1e4
    double limit_restitution;                // default 0.5
    // Drive of the first coordinate of a joint with one: none, or its motion, or a torque or force on it, in time.
    caromDrive drive;
    caromFunctionDef drive_function;         // [rad or m; N m or N]
} caromJointDef;

// Spring and damper on the line between two points.
typedef struct caromSpringDef {
    const char *name;
    const char *body[2];   // "world" or NULL: the world
    caromVec3 p[2];        // [m]  in the frames of the bodies
    double stiffness;      // [N/m]  default 0
    double damping;        // [N s/m]  default 0
    double rest;           // length without force [m]; NaN (default): that at the start
} caromSpringDef;

// A force and a torque from outside.
typedef struct caromForceDef {
    const char *name;
    const char *body;
    caromVec3 p;                 // point where the force acts, in the frame of the body [m]  default: its origin
    bool in_body;                // components along the axes of the body; default: of the world
    caromFunctionDef force[3];   // [N]
    caromFunctionDef torque[3];  // [N m]
} caromForceDef;

// Friction at rest: the force of the slip speed alone, which creeps below v_small; or of bristles, elastic and
// remembered, which does not. Rigid: friction that is regularised below v_small, or true sticking.
typedef enum caromFrictionLaw { CAROM_FRICTION_SMOOTH, CAROM_FRICTION_BRISTLE, CAROM_FRICTION_KINDS } caromFrictionLaw;

typedef enum caromMethodChoice {
    CAROM_METHOD_AUTO,     // explicit by tolerance, stiff when the contacts ask for it
    CAROM_METHOD_DP5,      // Dormand-Prince 5(4)
    CAROM_METHOD_DOP853,   // Dormand-Prince 8(5,3)
    CAROM_METHOD_RODAS5P,  // stiff
    CAROM_METHOD_CVODE,    // SUNDIALS, only if carom was built with it
    CAROM_METHOD_CONVEX,   // large steps through many compliant contacts, at loose tolerances
    CAROM_METHOD_KINDS
} caromMethodChoice;

// How contact is treated: as forces of elastic bodies, or as impacts and constraints of rigid ones.
typedef enum caromResponse { CAROM_RESPONSE_COMPLIANT, CAROM_RESPONSE_RIGID, CAROM_RESPONSE_KINDS } caromResponse;

// Several contacts that touch at the same instant.
typedef enum caromImpactScheme {
    CAROM_IMPACTS_WAVES,             // those that approach, again and again
    CAROM_IMPACTS_TOGETHER,          // all that touch share one compression and restitution
    CAROM_IMPACTS_POISSON,           // two complementarity problems, of compression and of restitution
    CAROM_IMPACTS_NEWTON,            // one, of speeds
    CAROM_IMPACTS_KINDS
} caromImpactScheme;

// Bounces that die out: their sum in closed form, or simulated in a time that is stretched by the time between bounces.
typedef enum caromLandingWay { CAROM_LANDING_SUM, CAROM_LANDING_STRETCHED, CAROM_LANDING_KINDS } caromLandingWay;

// Where friction admits no force of rigid bodies (Painleve): an impact without collision, or the pair gives way for a
// moment, by its stiffness.
typedef enum caromJamWay { CAROM_JAM_IMPACT, CAROM_JAM_COMPLIANCE, CAROM_JAM_KINDS } caromJamWay;

// What the slip of a contact does in an impact.
typedef enum caromSlipPath {
    CAROM_SLIP_NONE,                 // no friction, or no slip from the beginning to the end
    CAROM_SLIP_THROUGHOUT,           // in one direction (3-D: without a stop)
    CAROM_SLIP_STICKS,               // stops and sticks
    CAROM_SLIP_REVERSES,             // stops and goes on the other way
    CAROM_SLIP_PUSHED,               // begins in the impact, from rest or away from it
    CAROM_SLIP_JAMS,                 // friction presses on until the slip stops
    CAROM_SLIP_PATHS
} caromSlipPath;

// What happens when bodies overlap by more than their law stands for.
typedef enum caromDeepWay {
    CAROM_DEEP_WARN,                 // the force rises without bound before they pass through each other; stats tell
    CAROM_DEEP_ERROR,                // the run stops
    CAROM_DEEP_KINDS
} caromDeepWay;

typedef struct caromSettings {
    const char *name;            // a title for people; NULL: none (default)
    caromVec3 gravity;           // [m/s^2]  default (0, 0, -9.81)
    // contact
    caromResponse response;      // default compliant
    caromImpactLaw impact_law;   // rigid: of pairs that do not say; default energetic
    caromImpactScheme impacts;   // rigid; default waves
    double impact_exponent;      // rigid: force over depth in groups of contacts, 1..3; default 1.5 (Hertz)
    caromLandingWay landing;     // rigid; default sum
    caromJamWay jam;             // rigid; default impact
    caromDamping damping;        // default exact
    caromFrictionLaw friction_law;  // default smooth
    // For pairs of materials of which neither the model nor the palette says it; NaN: not given.
    double default_restitution;  // default NaN: every pair must say
    double default_friction;     // likewise
    double default_static_friction;  // default NaN: as friction
    double default_rolling;      // default 0
    double default_torsion;      // default NaN: as rolling
    double rest_damping;         // of contacts that last, part of critical damping; default 1
    double v_small;              // [m/s]    below it restitution and sliding friction are regularised; default 1e-3
    double w_small;              // [rad/s]  the same for rolling resistance; default 1e-2
    double k_red;                // stiffness is divided by it; default 1
    caromDeepWay too_deep;       // compliant; default warn
    // simulate
    double until;                // [s]  default 1
    double tolerance;            // relative; default 1e-6; 1e-12..1e-2
    double every;                // output interval [s]; default until/500
    caromMethodChoice method;    // default auto
    // Results have the gap of every contact pair, at most CAROM_GAP_PAIRS_MAX of them; default false.
    bool gaps;
    bool patches;                // results have the pressure over the faces that touch; default true
    double results;              // [B] how long results may get beside their head (docs/results-format.md); default 3e8
} caromSettings;

CAROM_API caromMaterialDef carom_model_material_def(const char *name);
CAROM_API caromPairDef carom_model_pair_def(const char *material_a, const char *material_b);
CAROM_API caromShapeDef carom_model_shape_def(caromShape shape);
CAROM_API caromBodyDef carom_model_body_def(const char *name);
CAROM_API caromFunctionDef carom_function_def(void);
CAROM_API caromJointDef carom_model_joint_def(const char *name, caromJointKind kind);
CAROM_API caromSpringDef carom_model_spring_def(const char *name);
CAROM_API caromForceDef carom_model_force_def(const char *name, const char *body);
CAROM_API caromSettings carom_model_settings_def(void);

// Built-in materials, used when a name is not defined in the model, by name; NULL behind the last.
CAROM_API const caromMaterialDef *carom_model_material_palette(int i);
// What is known of pairs of built-in materials; NaN fields are not. NULL behind the last; for two names, in any order,
// NULL: nothing. A material of the model that has the name of a built-in one is taken for it here.
CAROM_API const caromPairDef *carom_model_pair_palette(int i);
CAROM_API const caromPairDef *carom_model_pair_palette_find(const char *material_a, const char *material_b);

// The same with where it comes from: keys of docs/references.bib, "[Marks96]", and a few words (docs/materials.md).
typedef struct caromMaterialInfo {
    caromMaterialDef def;
    const char *title;   // what it is exactly
    const char *source;
} caromMaterialInfo;
typedef struct caromPairRecord {
    caromPairDef def;
    const char *note;    // how it was measured, "" if that is not known
    const char *source;
} caromPairRecord;
CAROM_API const caromMaterialInfo *carom_model_material_info(int i);
CAROM_API const caromPairRecord *carom_model_pair_record(int i);

// What the keys stand for, by key without regard to case.
typedef struct caromSourceInfo {
    const char *key;     // "Marks96"
    const char *text;
} caromSourceInfo;
CAROM_API const caromSourceInfo *carom_model_source_info(int i);

// What a damping law is called and what it needs of a pair. The rows stand with the laws, in src/contact;
// NULL: there is no such law.
typedef struct caromDampingInfo {
    const char *name;        // "exact"
    const char *unit;        // of the pair's damping_coefficient; NULL: the law takes none
    bool needs_coefficient;  // it does not act without: not a law for all pairs
    bool needs_depth;        // damping_depth likewise
    bool uses_restitution;   // unless a coefficient is given
} caromDampingInfo;
CAROM_API const caromDampingInfo *carom_contact_damping_info(caromDamping damping);

CAROM_API const char *carom_model_damping_name(caromDamping damping);  // "exact"
// Likewise of a friction law.
typedef struct caromFrictionInfo {
    const char *name;        // "smooth"
    bool creeps;             // what rests moves slowly, below v_small; otherwise it sticks
} caromFrictionInfo;
CAROM_API const caromFrictionInfo *carom_contact_friction_info(caromFrictionLaw law);

CAROM_API const char *carom_model_friction_law_name(caromFrictionLaw law);  // "smooth"
CAROM_API const char *carom_model_response_name(caromResponse response);  // "rigid"

// What a response makes of a model: what others ask who do not care which one it is.
typedef struct caromResponseInfo {
    const char *name;         // as in the model file
    bool has_depth;           // contacts press by their depth: stiffness, damping, laws of one's own
    bool has_impacts;         // at instants: every pair needs a restitution, and has an impact law
} caromResponseInfo;
CAROM_API const caromResponseInfo *carom_model_response(const caromModel *model);
CAROM_API const char *carom_model_impact_law_name(caromImpactLaw law);  // "energetic"
CAROM_API const char *carom_model_impact_scheme_name(caromImpactScheme scheme);  // "waves"
CAROM_API const char *carom_model_landing_name(caromLandingWay way);   // "sum"
CAROM_API const char *carom_model_jam_name(caromJamWay way);           // "impact"
CAROM_API const char *carom_model_deep_name(caromDeepWay way);         // "warn"
CAROM_API const char *carom_model_slip_path_name(caromSlipPath path);  // "sticks"
CAROM_API const char *carom_model_joint_kind_name(caromJointKind kind);  // "free-cardan"
CAROM_API int carom_model_joint_kind_nq(caromJointKind kind);          // number of coordinates
CAROM_API int carom_model_joint_kind_nv(caromJointKind kind);          // number of speeds
// Name and unit of coordinate or speed i: "angle" "rad", "distance" "m", "quaternion.w" "", ...
CAROM_API const char *carom_model_joint_coordinate_name(caromJointKind kind, int i);
CAROM_API const char *carom_model_joint_coordinate_unit(caromJointKind kind, int i);
CAROM_API const char *carom_model_joint_speed_name(caromJointKind kind, int i);
CAROM_API const char *carom_model_joint_speed_unit(caromJointKind kind, int i);
CAROM_API const char *carom_model_method_name(caromMethodChoice method);  // "dop853"

CAROM_API caromBuilder *carom_builder_create(void);  // NULL: out of memory
CAROM_API void carom_builder_destroy(caromBuilder *builder);

// The definition is copied. A failure (out of memory) is remembered and reported by carom_builder_finish.
CAROM_API void carom_builder_settings(caromBuilder *builder, const caromSettings *settings);
CAROM_API void carom_builder_material(caromBuilder *builder, const caromMaterialDef *def);
CAROM_API void carom_builder_pair(caromBuilder *builder, const caromPairDef *def);
CAROM_API void carom_builder_body(caromBuilder *builder, const caromBodyDef *def);
// Shapes of a and of b never touch each other. Each is a body, a group, "BODY.SHAPE" or "all"; a group twice: its
// members do not touch each other.
CAROM_API void carom_builder_ignore(caromBuilder *builder, const char *a, const char *b);
CAROM_API void carom_builder_joint(caromBuilder *builder, const caromJointDef *def);
CAROM_API void carom_builder_spring(caromBuilder *builder, const caromSpringDef *def);
CAROM_API void carom_builder_force(caromBuilder *builder, const caromForceDef *def);

// Checks everything and freezes it. On CAROM_ERR_MODEL *model is NULL and problems has at least one error; warnings
// may be there on success too. Paths of problems:
//   gravity, contact.response, contact.impact_law, contact.impacts, contact.impact_exponent, contact.landing,
//     contact.jam,
//   contact.damping, contact.friction_law, contact.restitution, contact.friction, contact.static_friction,
//     contact.rolling, contact.torsion,
//   contact.rest_damping, contact.v_small, contact.w_small, contact.k_red, contact.too_deep,
//   contact.ignore.K[.0|.1]   (K = 0, 1, ... as added),
//   simulate.until, simulate.tolerance, simulate.every, simulate.method, simulate.gaps, simulate.results,
//   materials.NAME[.density|.E|.nu], pairs.K[.between|.restitution[.table|.expression]|.friction|.static_friction|
//     .rolling|.torsion|.stiffness|.exponent|.damping|
//     .damping_coefficient|.damping_depth|.law|.parameters[.NAME]|.impact_law]   (K = 0, 1, ... as added),
//   bodies.NAME[.groups|.mass|.com|.inertia|.material|.position|.orientation|.velocity|.angular_velocity],
//   bodies.NAME.shapes.SHAPE[.radius|.semi_axes|.size|.length|.top_radius|.tube_radius|.rounding|.shell|.samples|
//     .material|.position|.orientation],
//   joints.NAME[.type|.between|.at|.axis|.touch|.pitch|.position|.velocity|.stiffness|.rest|.damping|
//     .friction|.lower|.upper|
//     .limit_stiffness|.limit_restitution|.motion|.force],
//   springs.NAME[.between|.stiffness|.damping|.rest], forces.NAME[.body|.force|.torque]
CAROM_API caromStatus carom_builder_finish(const caromBuilder *builder, caromProblems *problems, caromModel **model);
CAROM_API void carom_model_destroy(caromModel *model);
// Warns of bodies whose size, mass or speed at the start is 1e4 times that of the rest of the model, or less: a unit is
// missing, most likely. Paths: bodies.NAME[.velocity], joints.NAME.SPEED.
CAROM_API void carom_model_check_scales(const caromModel *model, caromProblems *problems);

// Reading a frozen model. Names live as long as the model.
CAROM_API const caromSettings *carom_model_settings(const caromModel *model);
CAROM_API int carom_model_body_count(const caromModel *model);
CAROM_API const char *carom_model_body_name(const caromModel *model, caromBodyId body);
CAROM_API bool carom_model_body_is_fixed(const caromModel *model, caromBodyId body);
// In B; zero for fixed bodies.
CAROM_API caromMassProps carom_model_body_mass(const caromModel *model, caromBodyId body);
CAROM_API int carom_model_body_group_count(const caromModel *model, caromBodyId body);
CAROM_API const char *carom_model_body_group(const caromModel *model, caromBodyId body, int group);
CAROM_API int carom_model_material_count(const caromModel *model);     // those in use
CAROM_API caromMaterialDef carom_model_material(const caromModel *model, int material);
CAROM_API int carom_model_shape_count(const caromModel *model);

typedef struct caromShapeInfo {
    caromBodyId body;
    const char *name;
    caromShape shape;  // its hull lives as long as the model
    caromPose X_BS;
    int material;
    bool touches, weighs;
    int stands_for;    // shape for which it touches, -1: none
} caromShapeInfo;
CAROM_API caromShapeInfo carom_model_shape(const caromModel *model, int shape);

// Joints that the model was given, trees' and loops'. Bodies: index, -1 for the world.
typedef struct caromJointInfo {
    const char *name;
    caromJointKind kind;
    int body[2];
    caromPose X_AF, X_BM;   // frames on the two bodies
    double pitch;
    bool closes_loop;
    int carries;            // body that moves by its coordinates, -1: none (it closes a loop, or joins what is fixed)
    double position[CAROM_JOINT_NQ_MAX];  // at the start, as given [rad or m]; NaN: not given
    bool is_driven;         // its motion is prescribed
    bool touch;             // the two bodies may touch each other
} caromJointInfo;
CAROM_API int carom_model_joint_count(const caromModel *model);
CAROM_API caromJointInfo carom_model_joint(const caromModel *model, int joint);

typedef struct caromSpringInfo {
    const char *name;
    int body[2];
    caromVec3 p[2];         // in the frames of the bodies
    double stiffness, damping, rest;
} caromSpringInfo;
CAROM_API int carom_model_spring_count(const caromModel *model);
CAROM_API caromSpringInfo carom_model_spring(const caromModel *model, int spring);
CAROM_API int carom_model_force_count(const caromModel *model);

// Contact pairs: every two shapes of different bodies of which at least one can move, in the order of (first, second)
// shape; without those that were left out.
typedef enum caromOrigin {
    CAROM_ORIGIN_MODEL,     // given for the two materials
    CAROM_ORIGIN_PALETTE,   // of the palette of pairs
    CAROM_ORIGIN_SETTINGS,  // the settings' default
    CAROM_ORIGIN_OTHER      // follows from another: static friction from friction, torsion from rolling
} caromOrigin;

typedef enum caromCoefficient {
    CAROM_COEFFICIENT_RESTITUTION,
    CAROM_COEFFICIENT_FRICTION,
    CAROM_COEFFICIENT_STATIC_FRICTION,
    CAROM_COEFFICIENT_ROLLING,
    CAROM_COEFFICIENT_TORSION,
    CAROM_COEFFICIENTS
} caromCoefficient;

typedef struct caromPairInfo {
    int shape[2];                             // A, B
    // As they apply; restitution that depends on the speed: at 1 m/s.
    double restitution, friction, static_friction, rolling, torsion;
    // The expression, or the points, in SI units; NULL: the same at every speed.
    const char *restitution_law;
    caromImpactLaw impact_law;                // of the rigid response
    caromOrigin origin[CAROM_COEFFICIENTS];   // of these five
    double E_star;                            // [Pa] 1/((1-nuA^2)/EA + (1-nuB^2)/EB), divided by k_red
    double stiffness, exponent;               // as given; NaN: from E_star and the shapes
    caromDamping damping;
    double damping_coefficient, damping_depth;
    bool has_law;                             // an expression or a function of one's own
    const char *law;                          // the expression with its parameters, in SI units; NULL: none
    double shell;                             // of both shapes together [m]
} caromPairInfo;
CAROM_API int carom_model_pair_count(const caromModel *model);
CAROM_API caromPairInfo carom_model_pair(const caromModel *model, int pair);
// At an approach speed [m/s]; NaN: the pair has none.
CAROM_API double carom_model_pair_restitution(const caromModel *model, int pair, double speed);
// "ball - plate", or "ball.head - plate.top" where a body has several shapes that touch. Writes at most n
// bytes, always terminated.
CAROM_API void carom_model_pair_name(const caromModel *model, int pair, char *text, size_t n);

// Pairs of shapes that would be contact pairs, but for a reason, the first of these that holds.
typedef struct caromLeftOut {
    int by_shape;   // one of the two does not touch
    int by_joint;   // a joint connects their bodies, and none between them says that they may touch
    int by_ignore;
} caromLeftOut;
CAROM_API caromLeftOut carom_model_left_out(const caromModel *model);

// Ignored pairs as they were given.
typedef struct caromIgnoredInfo {
    const char *name[2];
    int npair;      // of shapes that would be contact pairs without it; those of another ignored pair too
} caromIgnoredInfo;
CAROM_API int carom_model_ignored_count(const caromModel *model);
CAROM_API caromIgnoredInfo carom_model_ignored(const caromModel *model, int ignored);

#ifdef __cplusplus
}
#endif

#endif
