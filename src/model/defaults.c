// Definitions with defaults, and names of choices.
#include "model/model.h"

caromMaterialDef carom_model_material_def(const char *name)
{
    return (caromMaterialDef){ .name = name, .density = 1000.0, .E = 1e9, .nu = 0.3 };
}

caromPairDef carom_model_pair_def(const char *material_a, const char *material_b)
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
                           .damping_depth = NAN,
                           .impact_law = CAROM_IMPACT_KINDS };
}

caromShapeDef carom_model_shape_def(caromShape shape)
{
    return (caromShapeDef){ .name = "shape", .shape = shape, .q_BS = carom_quat_identity(), .touches = true,
                            .weighs = true };
}

caromBodyDef carom_model_body_def(const char *name)
{
    caromVec3 none = { NAN, NAN, NAN };
    return (caromBodyDef){ .name = name, .q_WB = carom_quat_identity(), .mass = NAN, .com = none,
                           .inertia = { none, none, none } };
}

caromFunctionDef carom_function_def(void)
{
    return (caromFunctionDef){ .kind = CAROM_FUNCTION_CONSTANT };
}

caromJointDef carom_model_joint_def(const char *name, caromJointKind kind)
{
    caromJointDef def = { .name = name, .kind = kind, .q = { carom_quat_identity(), carom_quat_identity() },
                          .limit_stiffness = 1e4, .limit_restitution = 0.5 };
    for (int i = 0; i < CAROM_JOINT_NQ_MAX; i++) def.position[i] = NAN;
    for (int i = 0; i < CAROM_JOINT_NV_MAX; i++) def.velocity[i] = def.lower[i] = def.upper[i] = NAN;
    return def;
}

caromSpringDef carom_model_spring_def(const char *name)
{
    return (caromSpringDef){ .name = name, .rest = NAN };
}

caromForceDef carom_model_force_def(const char *name, const char *body)
{
    return (caromForceDef){ .name = name, .body = body };
}

caromSettings carom_model_settings_def(void)
{
    return (caromSettings){ .gravity = { 0, 0, -9.81 },
                            .impact_exponent = 1.5,
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
                            .patches = true,
                            .results = 3e8 };
}

const char *carom_model_damping_name(caromDamping damping)
{
    const caromDampingInfo *info = carom_contact_damping_info(damping);
    return info ? info->name : "unknown";
}

const char *carom_model_friction_law_name(caromFrictionLaw law)
{
    const caromFrictionInfo *info = carom_contact_friction_info(law);
    return info ? info->name : "unknown";
}

static const caromResponseInfo responses[CAROM_RESPONSE_KINDS] = {
    [CAROM_RESPONSE_COMPLIANT] = { .name = "compliant", .has_depth = true },
    [CAROM_RESPONSE_RIGID] = { .name = "rigid", .has_impacts = true },
};

const char *carom_model_response_name(caromResponse response)
{
    return (unsigned)response < CAROM_RESPONSE_KINDS ? responses[response].name : "unknown";
}

const caromResponseInfo *carom_model_response(const caromModel *model)
{
    return &responses[model->settings.response];
}

const char *carom_model_impact_law_name(caromImpactLaw law)
{
    static const char *const names[CAROM_IMPACT_KINDS] = { "energetic", "poisson", "newton", "newton-frictionless" };
    return (unsigned)law < CAROM_IMPACT_KINDS ? names[law] : "unknown";
}

const char *carom_model_impact_scheme_name(caromImpactScheme scheme)
{
    static const char *const names[CAROM_IMPACTS_KINDS] = { "waves", "together", "poisson", "newton" };
    return (unsigned)scheme < CAROM_IMPACTS_KINDS ? names[scheme] : "unknown";
}

const char *carom_model_landing_name(caromLandingWay way)
{
    static const char *const names[CAROM_LANDING_KINDS] = { "sum", "stretched" };
    return (unsigned)way < CAROM_LANDING_KINDS ? names[way] : "unknown";
}

const char *carom_model_jam_name(caromJamWay way)
{
    static const char *const names[CAROM_JAM_KINDS] = { "impact", "compliance" };
    return (unsigned)way < CAROM_JAM_KINDS ? names[way] : "unknown";
}

const char *carom_model_deep_name(caromDeepWay way)
{
    static const char *const names[CAROM_DEEP_KINDS] = { "warn", "error" };
    return (unsigned)way < CAROM_DEEP_KINDS ? names[way] : "unknown";
}

const char *carom_model_slip_path_name(caromSlipPath path)
{
    static const char *const names[CAROM_SLIP_PATHS] = { "none", "throughout", "sticks", "reverses", "pushed", "jams" };
    return (unsigned)path < CAROM_SLIP_PATHS ? names[path] : "unknown";
}

const char *carom_model_method_name(caromMethodChoice method)
{
    static const char *const names[CAROM_METHOD_KINDS] = { "auto", "dp5", "dop853", "rodas5p", "cvode", "convex" };
    return (unsigned)method < CAROM_METHOD_KINDS ? names[method] : "unknown";
}
