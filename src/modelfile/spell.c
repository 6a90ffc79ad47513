// Words of other tools and textbooks for our keys, and the user's text made printable for a message.
#include <string.h>

#include "modelfile/modelfile.h"

// Words for keys in other tools, papers and textbooks. A word may stand for several keys; the section decides.
static const char *const synonyms[][2] = {
    { "origin", "at" }, { "location", "at" }, { "p", "at" }, { "cor", "restitution" }, { "e", "restitution" }, { "bounce", "restitution" }, { "mu", "friction" }, { "mu_k", "friction" },
    { "mu_d", "friction" }, { "mu_s", "static_friction" }, { "mu_s", "friction" }, { "mu_r", "rolling" }, { "rolling_friction", "rolling" },
    { "rolling_resistance", "rolling" }, { "youngs_modulus", "E" }, { "young", "E" }, { "elastic_modulus", "E" },
    { "YoungsModulus", "E" }, { "youngsModulus", "E" }, { "poisson", "nu" }, { "poissons_ratio", "nu" }, { "poissonsRatio", "nu" },
    { "poisson_ratio", "nu" }, { "rho", "density" }, { "materials", "between" }, { "bodies", "between" }, { "pair", "between" },
    { "weight", "mass" }, { "m", "mass" }, { "I", "inertia" }, { "J", "inertia" }, { "inertia_tensor", "inertia" },
    { "moment_of_inertia", "inertia" }, { "cog", "com" }, { "cm", "com" }, { "center_of_mass", "com" }, { "centre_of_mass", "com" },
    { "pos", "position" }, { "origin", "position" }, { "translation", "position" }, { "at", "position" }, { "xyz", "position" },
    { "location", "position" }, { "p", "position" }, { "r", "radius" }, { "rotation", "orientation" }, { "rot", "orientation" },
    { "rpy", "orientation" }, { "euler", "orientation" }, { "quat", "orientation" }, { "quaternion", "orientation" },
    { "euler", "angles" }, { "rpy", "angles" }, { "cardan", "angles" }, { "quat", "quaternion" }, { "q", "quaternion" },
    { "vel", "velocity" }, { "v", "velocity" }, { "speed", "velocity" }, { "linear_velocity", "velocity" },
    { "omega", "angular_velocity" }, { "w", "angular_velocity" }, { "spin", "angular_velocity" }, { "angvel", "angular_velocity" },
    { "static", "fixed" }, { "anchored", "fixed" }, { "frozen", "fixed" }, { "geometry", "shape" }, { "collision", "shape" },
    { "geom", "shape" }, { "geoms", "shapes" }, { "parts", "shapes" }, { "size", "radius" }, { "diameter", "radius" },
    { "radius", "size" }, { "dimensions", "size" }, { "extents", "size" }, { "half_extents", "size" }, { "lengths", "size" },
    { "length", "size" }, { "width", "size" }, { "height", "offset" }, { "height", "size" }, { "distance", "offset" },
    { "direction", "normal" }, { "axis", "normal" }, { "ball", "sphere" }, { "cube", "box" }, { "cuboid", "box" }, { "block", "box" },
    { "plane", "half-space" }, { "ground", "half-space" }, { "floor", "half-space" }, { "halfspace", "half-space" },
    { "g", "gravity" }, { "version", "carom" }, { "title", "name" }, { "material", "materials" }, { "body", "bodies" },
    { "contacts", "pairs" }, { "settings", "simulate" }, { "simulation", "simulate" }, { "time", "simulate" }, { "solver", "simulate" },
    { "t_end", "until" }, { "tend", "until" }, { "end", "until" }, { "stop_time", "until" }, { "stopTime", "until" },
    { "duration", "until" }, { "end_time", "until" }, { "dt", "every" }, { "step", "every" }, { "interval", "every" },
    { "output_interval", "every" }, { "timestep", "every" }, { "rate", "every" }, { "tol", "tolerance" }, { "rtol", "tolerance" },
    { "reltol", "tolerance" }, { "accuracy", "tolerance" }, { "solver", "method" }, { "integrator", "method" },
    { "model", "response" }, { "law", "damping" }, { "v_slip", "v_small" }, { "vsmall", "v_small" },
    { "wsmall", "w_small" }, { "joint", "joints" }, { "constraints", "joints" }, { "connections", "joints" }, { "spring", "springs" },
    { "dampers", "springs" }, { "force", "forces" }, { "loads", "forces" }, { "torques", "forces" }, { "kind", "type" },
    { "connects", "between" }, { "parent", "between" }, { "child", "between" }, { "body_1", "between" },
    { "body_2", "between" }, { "anchor", "at" }, { "point", "at" }, { "pivot", "at" },
    { "direction", "axis" }, { "normal", "axis" }, { "child_point", "child_at" }, { "child_position", "child_at" },
    { "child_rotation", "child_orientation" }, { "lead", "pitch" }, { "phi", "angle" }, { "theta", "angle" }, { "q", "angle" }, { "q0", "angle" },
    { "s", "distance" }, { "translation", "distance" }, { "displacement", "distance" }, { "omega", "angle_rate" }, { "w", "angle_rate" },
    { "angle_velocity", "angle_rate" }, { "k", "stiffness" }, { "c", "damping_coefficient" }, { "c", "stiffness" }, { "spring", "stiffness" }, { "spring_constant", "stiffness" },
    { "d", "damping_coefficient" }, { "damper", "damping_coefficient" }, { "d", "damping" }, { "damper", "damping" }, { "viscous", "damping" }, { "spring_rest", "rest" },
    { "rest_length", "rest" }, { "free_length", "rest" }, { "length", "rest" }, { "s_unstretched", "rest" }, { "equilibrium", "rest" }, { "coulomb", "friction" },
    { "min", "lower" }, { "max", "upper" }, { "minimum", "lower" }, { "maximum", "upper" }, { "lower_limit", "lower" }, { "upper_limit", "upper" },
    { "limits", "lower" }, { "range", "lower" }, { "stop_stiffness", "limit_stiffness" }, { "torque", "force" }, { "effort", "force" },
    { "motor", "force" }, { "drive", "motion" }, { "actuator", "force" }, { "moment", "torque" }, { "on", "body" }, { "link", "body" },
    { "resolve", "frame" }, { "in", "frame" }, { "sin", "sine" }, { "harmonic", "sine" }, { "step", "ramp" }, { "smooth_step", "ramp" },
    { "spline", "table" }, { "points", "table" }, { "data", "table" }, { "expr", "expression" }, { "formula", "expression" },
    { "freq", "frequency" }, { "f", "frequency" }, { "offset", "value" }, { "mean", "value" }, { "from", "value" }, { "amp", "amplitude" },
    { "until", "end" }, { "stop", "end" }, { "begin", "start" }, { "t_start", "start" }, { "delay", "start" }, { "t_end", "end" },
    // contact laws: Adams (IMPACT), Simbody, Modia3D, Drake, MuJoCo, papers.
    { "coefficientOfRestitution", "restitution" }, { "coefficient_of_restitution", "restitution" }, { "restitution_coefficient", "restitution" },
    { "slidingFrictionCoefficient", "friction" }, { "sliding_friction", "friction" }, { "dynamic_friction", "friction" }, { "kinetic_friction", "friction" },
    { "mu_dynamic", "friction" }, { "friction_coefficient", "friction" }, { "dynamic_coefficient", "friction" }, { "mu_static", "static_friction" },
    { "static_coefficient", "static_friction" }, { "stiction", "static_friction" }, { "friction_static", "static_friction" }, { "adhesion", "static_friction" },
    { "rotationalResistanceCoefficient", "rolling" }, { "spinning", "torsion" }, { "spinning_friction", "torsion" }, { "torsional_friction", "torsion" },
    { "torsional", "torsion" }, { "mu_t", "torsion" }, { "drilling_friction", "torsion" }, { "boring_friction", "torsion" }, { "pivoting", "torsion" },
    { "K", "stiffness" }, { "contact_stiffness", "stiffness" }, { "springConstant", "stiffness" }, { "point_stiffness", "stiffness" }, { "n", "exponent" },
    { "force_exponent", "exponent" }, { "stiffness_exponent", "exponent" }, { "power", "exponent" }, { "exp", "exponent" }, { "dissipation", "damping_coefficient" },
    { "hunt_crossley_dissipation", "damping_coefficient" }, { "c_max", "damping_coefficient" }, { "cmax", "damping_coefficient" },
    { "damping_constant", "damping_coefficient" }, { "alpha", "damping_coefficient" }, { "lambda", "damping_coefficient" }, { "chi", "damping_coefficient" },
    { "dmax", "damping_depth" }, { "d_max", "damping_depth" }, { "penetration", "damping_depth" }, { "penetration_depth", "damping_depth" },
    { "full_damping_depth", "damping_depth" }, { "damping_model", "damping" }, { "normal_force", "law" }, { "force", "law" }, { "expression", "law" },
    { "formula", "law" }, { "force_law", "law" }, { "function", "law" }, { "fn", "law" }, { "params", "parameters" }, { "parameter", "parameters" },
    { "constants", "parameters" }, { "coefficients", "parameters" }, { "variables", "parameters" }, { "friction_model", "friction_law" },
    { "friction_type", "friction_law" }, { "transition_velocity", "v_small" }, { "stiction_velocity", "v_small" }, { "stiction_tolerance", "v_small" },
    { "stiction_transition_velocity", "v_small" }, { "stribeck_velocity", "v_small" }, { "settling", "rest_damping" }, { "damping_ratio", "rest_damping" },
    { "margin", "shell" }, { "skin", "shell" }, { "layer", "shell" }, { "coating", "shell" }, { "envelope", "shell" }, { "contact_offset", "shell" },
    { "thickness", "shell" }, { "contact_distance", "shell" },
    // kinds of damping and friction
    { "hunt-crossley", "given" }, { "hunt_crossley", "given" }, { "huntcrossley", "given" }, { "simbody", "marhefka-orin" }, { "constant", "given" }, { "dissipation", "given" },
    { "impact", "depth" }, { "IMPACT", "depth" }, { "adams", "depth" }, { "penetration", "depth" }, { "elastic", "none" }, { "off", "none" }, { "undamped", "none" },
    { "engelson", "engelson-fraction" }, { "marhefka", "marhefka-orin" }, { "orin", "marhefka-orin" }, { "restitution", "exact" }, { "newton", "exact" },
    { "regularised", "smooth" }, { "regularized", "smooth" }, { "coulomb", "smooth" }, { "lugre", "bristle" }, { "LuGre", "bristle" }, { "dahl", "bristle" },
    { "stick-slip", "bristle" }, { "stick_slip", "bristle" }, { "stick", "bristle" }, { "spring", "bristle" }, { "elastoplastic", "bristle" },
    // the rigid response
    { "hard", "rigid" }, { "nonsmooth", "rigid" }, { "non-smooth", "rigid" }, { "impulsive", "rigid" }, { "impulse", "rigid" }, { "event", "rigid" }, { "soft", "compliant" },
    { "elastic", "compliant" }, { "penalty", "compliant" }, { "flexible", "compliant" }, { "smooth", "compliant" }, { "impact_model", "impact_law" },
    { "restitution_law", "impact_law" }, { "restitution_model", "impact_law" }, { "collision_law", "impact_law" }, { "impact", "impact_law" },
    { "impact_scheme", "impacts" }, { "scheme", "impacts" }, { "multiple_impacts", "impacts" }, { "simultaneous", "impacts" }, { "eta", "impact_exponent" },
    { "zeno", "landing" }, { "settle", "landing" }, { "energy", "energetic" }, { "stronge", "energetic" }, { "Stronge", "energetic" }, { "work", "energetic" },
    { "kinetic", "poisson" }, { "Poisson", "poisson" }, { "kinematic", "newton" }, { "Newton", "newton" }, { "frictionless", "newton-frictionless" },
    { "sequential", "waves" }, { "one-by-one", "waves" }, { "pairwise", "waves" }, { "simultaneous", "together" }, { "lcp", "poisson" }, { "glocker", "poisson" },
    { "moreau", "newton" }, { "closed", "sum" }, { "series", "sum" }, { "closed-form", "sum" }, { "stretch", "stretched" }, { "time-stretched", "stretched" },
    // shapes
    { "height", "length" }, { "h", "length" }, { "l", "length" }, { "cylinder_length", "length" }, { "width", "length" }, { "axes", "semi_axes" },
    { "semiaxes", "semi_axes" }, { "semi-axes", "semi_axes" }, { "half_axes", "semi_axes" }, { "radii", "semi_axes" }, { "size", "semi_axes" },
    { "radius", "semi_axes" }, { "minor_radius", "tube_radius" }, { "small_radius", "tube_radius" }, { "tube", "tube_radius" },
    { "section_radius", "tube_radius" }, { "major_radius", "radius" }, { "ring_radius", "radius" }, { "bottom_radius", "radius" },
    { "base_radius", "radius" }, { "tip_radius", "top_radius" }, { "upper_radius", "top_radius" }, { "radius_top", "top_radius" },
    { "radius_2", "top_radius" }, { "points", "vertices" }, { "corners", "vertices" }, { "hull", "vertices" }, { "verts", "vertices" },
    { "fillet", "rounding" }, { "round", "rounding" }, { "rounded", "rounding" }, { "edge_radius", "rounding" }, { "corner_radius", "rounding" },
    { "fillet_radius", "rounding" }, { "bevel", "rounding" }, { "chamfer", "rounding" }, { "margin", "rounding" },
    { "tube", "cylinder" }, { "rod", "cylinder" }, { "disc", "cylinder" }, { "disk", "cylinder" }, { "frustum", "cone" }, { "truncated_cone", "cone" },
    { "pill", "capsule" }, { "spherocylinder", "capsule" }, { "convex", "polytope" }, { "convex_hull", "polytope" }, { "polyhedron", "polytope" },
    { "terrain", "heightfield" }, { "heightmap", "heightfield" }, { "height_field", "heightfield" }, { "elevation", "heightfield" },
    { "stl", "mesh" }, { "obj", "mesh" }, { "ply", "mesh" }, { "gltf", "mesh" }, { "3mf", "mesh" }, { "glb", "mesh" },
    { "trimesh", "mesh" }, { "hull", "polytope" }, { "ring", "torus" }, { "donut", "torus" }, { "spheroid", "ellipsoid" }, { "ellipse", "ellipsoid" },
    { "filename", "file" }, { "path", "file" }, { "uri", "file" }, { "url", "file" }, { "source", "file" }, { "name", "file" }, { "unit", "units" },
    { "factor", "scale" }, { "scaling", "scale" }, { "collision", "collide" }, { "contact", "collide" }, { "approximation", "collide" },
    { "triangles", "mesh" }, { "exact", "mesh" }, { "convex", "hull" }, { "convex_hull", "hull" }, { "decomposition", "pieces" }, { "convex_pieces", "pieces" },
    { "parts", "pieces" }, { "false", "none" }, { "no", "none" }, { "nothing", "none" }, { "inch", "in" }, { "inches", "in" }, { "foot", "ft" }, { "feet", "ft" },
    { "metre", "m" }, { "meter", "m" }, { "metres", "m" }, { "meters", "m" }, { "millimetre", "mm" }, { "millimeter", "mm" }, { "millimetres", "mm" },
    { "millimeters", "mm" }, { "MM", "mm" }, { "centimetre", "cm" }, { "centimeter", "cm" }, { "micron", "um" }, { "microns", "um" },
    { "budget", "results" }, { "size", "results" }, { "results_size", "results" },
    { "distances", "gaps" }, { "record_gaps", "gaps" }, { "pressure", "patches" }, { "pressures", "patches" }, { "contact_patches", "patches" }, { "surfaces", "patches" },
    // who may touch whom
    { "collision_group", "group" }, { "collision_groups", "groups" }, { "layer", "group" }, { "layers", "groups" }, { "category", "group" },
    { "exclude", "ignore" }, { "excluded", "ignore" }, { "except", "ignore" }, { "filter", "ignore" }, { "no_contact", "ignore" }, { "disable_collisions", "ignore" },
    { "touch", "touches" }, { "collide", "touches" }, { "collides", "touches" }, { "collision", "touches" }, { "contact", "touches" }, { "can_touch", "touches" },
    { "touches", "touch" }, { "collide", "touch" }, { "collides", "touch" }, { "collision", "touch" }, { "contact", "touch" }, { "collide_connected", "touch" },
    { "has_mass", "weighs" }, { "weigh", "weighs" }, { "heavy", "weighs" },
    // kinds of joints
    { "hinge", "revolute" }, { "pin", "revolute" }, { "rotational", "revolute" }, { "slider", "prismatic" }, { "slide", "prismatic" },
    { "translational", "prismatic" }, { "ball", "spherical" }, { "ball-and-socket", "spherical" }, { "weld", "fixed" }, { "rigid", "fixed" },
    { "cardan", "universal" }, { "hooke", "universal" }, { "helical", "screw" }, { "floating", "free" }, { "6dof", "free" }, { "global", "world" },
    { "local", "body" },
};

const char *carom_modelfile_spell_synonym(const char *word, int i)
{
    for (size_t k = 0; k < sizeof synonyms/sizeof synonyms[0]; k++)
        if (strcmp(word, synonyms[k][0]) == 0 && i-- == 0) return synonyms[k][1];
    return NULL;
}

// UTF-8 is kept (the text was checked), blanks become spaces, control characters '?', long text is cut between
// characters.
caromQuoted carom_modelfile_quoted(const char *text)
{
    caromQuoted out;
    size_t n = 0;
    int nchar = 0;
    out.text[n++] = '\'';
    for (const char *s = text; *s; s++) {
        bool starts_character = ((unsigned char)*s & 0xC0) != 0x80;
        if (starts_character && nchar++ == CAROM_QUOTE_MAX) {
            memcpy(out.text + n, "...", 3);
            n += 3;
            break;
        }
        bool is_blank = *s == '\n' || *s == '\t' || *s == '\r';
        out.text[n++] = is_blank ? ' ' : (unsigned char)*s < 0x20 || *s == 0x7F ? '?' : *s;
    }
    out.text[n++] = '\'';
    out.text[n] = '\0';
    return out;
}
