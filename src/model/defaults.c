// Definitions with defaults, and names of choices.
#include "model/model.h"

caromMaterialDef carom_material_def(const char *name)
{
    return (caromMaterialDef){ .name = name, .density = 1000.0, .E = 1e9, .nu = 0.3 };
}

caromPairDef carom_pair_def(const char *material_a, const char *material_b)
{
    return (caromPairDef){ .material = { material_a, material_b },
                           .restitution = NAN,
                           .friction = NAN,
                           .static_friction = NAN,
                           .rolling = NAN,
                           .torsion = NAN,
                           .stiffness = NAN,
                           .exponent = NAN,
                           .damping = CAROM_DAMPING_KINDS,
                           .damping_coefficient = NAN,
                           .damping_depth = NAN };
}

caromShapeDef carom_shape_def(caromShape shape)
{
    return (caromShapeDef){ .name = "shape", .shape = shape, .q_BS = carom_quat_identity(), .touches = true, .weighs = true };
}

caromBodyDef carom_body_def(const char *name)
{
    caromVec3 none = { NAN, NAN, NAN };
    return (caromBodyDef){ .name = name, .q_WB = carom_quat_identity(), .mass = NAN, .com = none, .inertia = { none, none, none } };
}

caromFunctionDef carom_function_def(void)
{
    return (caromFunctionDef){ .kind = CAROM_FUNCTION_CONSTANT };
}

caromJointDef carom_joint_def(const char *name, caromJointKind kind)
{
    caromJointDef def = { .name = name, .kind = kind, .q = { carom_quat_identity(), carom_quat_identity() }, .limit_stiffness = 1e4, .limit_restitution = 0.5 };
    for (int i = 0; i < CAROM_JOINT_NQ_MAX; i++) def.position[i] = NAN;
    for (int i = 0; i < CAROM_JOINT_NV_MAX; i++) def.velocity[i] = def.lower[i] = def.upper[i] = NAN;
    return def;
}

caromSpringDef carom_spring_def(const char *name)
{
    return (caromSpringDef){ .name = name, .rest = NAN };
}

caromForceDef carom_force_def(const char *name, const char *body)
{
    return (caromForceDef){ .name = name, .body = body };
}

caromSettings carom_settings(void)
{
    return (caromSettings){ .gravity = { 0, 0, -9.81 },
                            .damping = CAROM_DAMPING_EXACT,
                            .default_restitution = NAN,
                            .default_friction = NAN,
                            .default_static_friction = NAN,
                            .default_rolling = 0.0,
                            .default_torsion = NAN,
                            .rest_damping = 1.0,
                            .v_small = 1e-3,
                            .w_small = 1e-2,
                            .k_red = 1.0,
                            .until = 1.0,
                            .tolerance = 1e-6,
                            .every = NAN,
                            .method = CAROM_METHOD_AUTO,
                            .patches = true };
}

const char *carom_damping_name(caromDamping damping)
{
    static const char *const names[CAROM_DAMPING_KINDS] = { "exact", "engelson-fraction", "engelson-cubic", "flores", "marhefka-orin", "none", "given", "depth" };
    return (unsigned)damping < CAROM_DAMPING_KINDS ? names[damping] : "unknown";
}

const char *carom_friction_law_name(caromFrictionLaw law)
{
    static const char *const names[CAROM_FRICTION_KINDS] = { "smooth", "bristle" };
    return (unsigned)law < CAROM_FRICTION_KINDS ? names[law] : "unknown";
}

const char *carom_method_name(caromMethodChoice method)
{
    static const char *const names[CAROM_METHOD_KINDS] = { "auto", "dp5", "dop853", "rodas5p", "cvode" };
    return (unsigned)method < CAROM_METHOD_KINDS ? names[method] : "unknown";
}
