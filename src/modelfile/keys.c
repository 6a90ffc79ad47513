// The format: one row per key. Reading, suggestions, the JSON Schema and the reference in docs/model-format.md all come
// from these tables; a new key is one row (and a paragraph in the docs if one line does not explain it). Dimensions of
// shapes and coordinates of joints are not here: format.c has them from the rows of their kinds.
#include "modelfile/modelfile.h"

static const caromSection sections[CAROM_SECTIONS] = {
    [CAROM_IN_TOP] = { .title = "a model", .path = "",
                       .doc = "A carom model: bodies with shapes and materials that touch." },
    [CAROM_IN_MATERIAL] = { .title = "a material", .path = "materials.NAME", .example = "{density: 1100 kg/m^3, E: "
                            "10 MPa}", .has_draft = true, .begin = carom_draft_material_begin,
                            .end = carom_draft_material_end, .doc = "A material; built in are aluminium, glass, "
                            "rubber, steel and wood." },
    [CAROM_IN_PAIR] = { .title = "a pair", .path = "pairs.N", .example = "{between: [steel, rubber], restitution: 0.7}",
                        .choices = "law|stiffness;law|damping", .has_draft = true, .begin = carom_draft_pair_begin,
                        .end = carom_draft_pair_end, .doc = "What two materials do to each other." },
    [CAROM_IN_RESTITUTION] = { .title = "a restitution", .path = "pairs.N.restitution", .choices = "table|expression",
                               .choice_required = true, .example = "{table: [[0.1 m/s, 0.8], [1 m/s, 0.6]]}",
                               .doc = "Restitution that depends on the approach speed." },
    [CAROM_IN_BODY] = { .title = "a body", .path = "bodies.NAME", .choices = "shape|shapes;group|groups",
                        .has_draft = true, .example = "{material: steel, shape: {sphere: {radius: 50 mm}}}",
                        .begin = carom_draft_body_begin, .end = carom_draft_body_end, .doc = "A rigid body." },
    [CAROM_IN_SHAPE] = { .title = "a shape", .path = "bodies.NAME.shape", .choice_required = true,
                         .example = "{sphere: {radius: 50 mm}}",
                         .has_draft = true, .begin = carom_draft_shape_begin, .end = carom_draft_shape_end,
                         .doc = "A shape, placed in the frame of its body." },
    // What else there is of kinds of shape comes from their rows.
    [CAROM_IN_SHAPE_KIND + CAROM_MESH] = { .choices = "units|scale" },
    [CAROM_IN_HEIGHTFIELD] = { .title = "a heightfield", .path = "bodies.NAME.shape.heightfield",
                               .choices = "heights|file+height", .choice_required = true,
                               .doc = "The surface of a solid as a grid of heights: terrain. The first row is at the "
                               "largest y, as on a map; the middle of the grid is the shape's origin." },
    [CAROM_IN_ORIENTATION] = { .title = "an orientation", .path = "bodies.NAME.orientation",
                               .choices = "axis+angle|quaternion|angles", .choice_required = true,
                               .begin = carom_draft_orientation_begin, .end = carom_draft_orientation_end,
                               .doc = "A rotation: axis and angle, quaternion, or three angles." },
    [CAROM_IN_CONTACT] = { .title = "contact", .path = "contact",
                           .doc = "How contacts are treated, and defaults for pairs that do not say." },
    [CAROM_IN_SIMULATE] = { .title = "simulate", .path = "simulate", .doc = "How long, how exact, how often." },
    [CAROM_IN_JOINT] = { .title = "a joint", .path = "joints.NAME",
                         .choices = "axis|orientation;child_axis|child_orientation;motion|force", .has_draft = true,
                         .example = "{type: revolute, between: [world, arm], axis: [0, 1, 0]}",
                         .begin = carom_draft_joint_begin, .accepts = carom_draft_joint_accepts,
                         .end = carom_draft_joint_end, .doc = "How two bodies may move against each other." },
    [CAROM_IN_SPRING] = { .title = "a spring", .path = "springs.NAME", .has_draft = true,
                          .example = "{between: [world, cart], stiffness: 200 N/m}", .begin = carom_draft_spring_begin,
                          .end = carom_draft_spring_end,
                          .doc = "A spring and a damper on the line between two points." },
    [CAROM_IN_FORCE] = { .title = "a force", .path = "forces.NAME", .has_draft = true,
                         .example = "{body: cart, force: [10 N, 0, 0]}", .begin = carom_draft_force_begin,
                         .end = carom_draft_force_end, .doc = "A force and a torque from outside." },
    [CAROM_IN_FUNCTION] = { .title = "a function", .path = "joints.NAME.motion", .choices =
                            "sine|ramp|table|expression", .choice_required = true, .begin = carom_draft_function_begin,
                            .end = carom_draft_function_end, .doc = "A function of time." },
    [CAROM_IN_SINE] = { .title = "a sine", .path = "joints.NAME.motion.sine",
                        .doc = "value + amplitude sin(2 pi frequency (t - start) + phase); value before start." },
    [CAROM_IN_RAMP] = { .title = "a ramp", .path = "joints.NAME.motion.ramp",
                        .doc = "value until start, value + amplitude from end on, smooth between." },
};

const caromSection *carom_modelfile_fixed_sections(void)
{
    return sections;
}

static const char *damping_choice(int i)
{
    return i < CAROM_DAMPING_KINDS ? carom_model_damping_name((caromDamping)i) : NULL;
}

// A law that needs a coefficient is for pairs of materials, which have one.
static bool damping_is_for_all(int i)
{
    return !carom_contact_damping_info((caromDamping)i)->needs_coefficient;
}

static const char *friction_choice(int i)
{
    return i < CAROM_FRICTION_KINDS ? carom_model_friction_law_name((caromFrictionLaw)i) : NULL;
}

static const char *method_choice(int i)
{
    return i < CAROM_METHOD_KINDS ? carom_model_method_name((caromMethodChoice)i) : NULL;
}

static const char *response_choice(int i)
{
    return i < CAROM_RESPONSE_KINDS ? carom_model_response_name((caromResponse)i) : NULL;
}

static const char *impact_choice(int i)
{
    return i < CAROM_IMPACT_KINDS ? carom_model_impact_law_name((caromImpactLaw)i) : NULL;
}

static const char *scheme_choice(int i)
{
    return i < CAROM_IMPACTS_KINDS ? carom_model_impact_scheme_name((caromImpactScheme)i) : NULL;
}

static const char *deep_choice(int i)
{
    return i < CAROM_DEEP_KINDS ? carom_model_deep_name((caromDeepWay)i) : NULL;
}

static const char *jam_choice(int i)
{
    return i < CAROM_JAM_KINDS ? carom_model_jam_name((caromJamWay)i) : NULL;
}

static const char *landing_choice(int i)
{
    return i < CAROM_LANDING_KINDS ? carom_model_landing_name((caromLandingWay)i) : NULL;
}

static const char *joint_choice(int i)
{
    return i < CAROM_JOINT_KINDS ? carom_model_joint_kind_name((caromJointKind)i) : NULL;
}

static const char *collide_choice(int i)
{
    static const char *const words[] = { "mesh", "hull", "pieces", "none" };
    return i < (int)(sizeof words/sizeof words[0]) ? words[i] : NULL;
}

static const char *frame_choice(int i)
{
    return i == 0 ? "world" : i == 1 ? "body" : NULL;
}

#define NOWHERE ((size_t)-1)  // the value is checked and not kept
#define SETTING(field) offsetof(caromTopDraft, settings.field)
#define MATERIAL(field) offsetof(caromMaterialDef, field)
#define PAIR(field) offsetof(caromPairDef, field)
#define PAIR_ITSELF 0
#define BODY(field) offsetof(caromBodyDraft, field)
#define SHAPE(field) offsetof(caromShapeDraft, field)
#define ORIENTATION(field) offsetof(caromOrientation, field)
#define JOINT(field) offsetof(caromJointDraft, field)
#define SPRING(field) offsetof(caromSpringDef, field)
#define FORCE(field) offsetof(caromForceDraft, field)
#define FUNCTION(field) offsetof(caromFunctionDef, field)

static const caromKey before_shapes[] = {
    { CAROM_IN_TOP, "carom", CAROM_KEY_VERSION, .required = true, .at = NOWHERE, .example = "1",
      .doc = "Version of the format, always 1." },
    { CAROM_IN_TOP, "name", CAROM_KEY_TITLE, .at = SETTING(name), .example = "bouncing ball",
      .fallback = "the name of the file", .doc = "A title for people: shown by the page." },
    { CAROM_IN_TOP, "gravity", CAROM_KEY_VECTOR, CAROM_DIM_ACCELERATION, .at = SETTING(gravity), .fallback =
      "[0, 0, -9.81]", .example = "[0, 0, -9.81]", .doc = "Acceleration of free fall, in the world frame." },
    { CAROM_IN_TOP, "materials", CAROM_KEY_NAMED, .opens = CAROM_IN_MATERIAL,
      .example = "{bumper: {density: 1100 kg/m^3, E: 10 MPa, nu: 0.49}}",
      .doc = "Materials by name, added to the built-in ones; the same name replaces a built-in one." },
    { CAROM_IN_TOP, "pairs", CAROM_KEY_LISTED, .opens = CAROM_IN_PAIR,
      .example = "[{between: [steel, rubber], restitution: 0.7}]", .doc = "What two materials do to each other: "
      "restitution, friction, and the law of the normal force." },
    { CAROM_IN_TOP, "bodies", CAROM_KEY_NAMED, .required = true, .opens = CAROM_IN_BODY,
      .example = "{ball: {material: steel, shape: {sphere: {radius: 50 mm}}}}", .doc = "Bodies by name." },
    { CAROM_IN_TOP, "joints", CAROM_KEY_NAMED, .opens = CAROM_IN_JOINT,
      .example = "{hinge: {type: revolute, between: [world, arm], axis: [0, 1, 0]}}",
      .doc = "Joints by name: how two bodies may move against each other." },
    { CAROM_IN_TOP, "springs", CAROM_KEY_NAMED, .opens = CAROM_IN_SPRING, .example = "{buffer: {between: [world, "
      "cart], stiffness: 200 N/m}}", .doc = "Springs and dampers between two points, by name." },
    { CAROM_IN_TOP, "forces", CAROM_KEY_NAMED, .opens = CAROM_IN_FORCE, .example = "{push: {body: cart, force: "
      "[10 N, 0, 0]}}", .doc = "Forces and torques from outside, by name." },
    { CAROM_IN_TOP, "contact", CAROM_KEY_SECTION, .opens = CAROM_IN_CONTACT, .example = "{damping: exact}",
      .doc = "How contacts are treated, and defaults for pairs that do not say." },
    { CAROM_IN_TOP, "simulate", CAROM_KEY_SECTION, .opens = CAROM_IN_SIMULATE, .example = "{until: 3 s}",
      .doc = "How long, how exact, how often." },

    { CAROM_IN_MATERIAL, "density", CAROM_KEY_NUMBER, CAROM_DIM_DENSITY, .at = MATERIAL(density),
      .fallback = "1000 kg/m^3", .example = "7850 kg/m^3", .doc = "Mass per volume; above 0." },
    { CAROM_IN_MATERIAL, "E", CAROM_KEY_NUMBER, CAROM_DIM_PRESSURE, .at = MATERIAL(E), .fallback = "1 GPa",
      .example = "210 GPa", .doc = "Young's modulus; above 0." },
    { CAROM_IN_MATERIAL, "nu", CAROM_KEY_NUMBER, .at = MATERIAL(nu), .fallback = "0.3", .example = "0.3",
      .doc = "Poisson's ratio; above -1, at most 0.5." },

    { CAROM_IN_PAIR, "between", CAROM_KEY_NAME_PAIR, .required = true, .at = PAIR(material),
      .example = "[steel, rubber]", .doc = "The two materials, in any order; they may be the same." },
    { CAROM_IN_PAIR, "restitution", CAROM_KEY_RESTITUTION, .at = PAIR_ITSELF, .opens = CAROM_IN_RESTITUTION,
      .fallback = "palette, contact.restitution", .example = "0.7", .doc = "Coefficient of restitution, 0 to 1; "
      "or a formula in the approach speed v [m/s], or a table." },
    { CAROM_IN_PAIR, "friction", CAROM_KEY_NUMBER, .at = PAIR(friction), .fallback = "palette, contact.friction",
      .example = "0.4", .doc = "Coefficient of sliding friction; 0 or more." },
    { CAROM_IN_PAIR, "static_friction", CAROM_KEY_NUMBER, .at = PAIR(static_friction), .fallback = "palette, "
      "contact.static_friction", .example = "0.6", .doc = "Coefficient of friction at rest; at least friction." },
    { CAROM_IN_PAIR, "rolling", CAROM_KEY_NUMBER, .at = PAIR(rolling), .fallback = "palette, contact.rolling",
      .example = "0.001", .doc = "Coefficient of rolling resistance; 0 or more." },
    { CAROM_IN_PAIR, "torsion", CAROM_KEY_NUMBER, .at = PAIR(torsion), .fallback = "contact.torsion",
      .example = "0.001", .doc = "Coefficient of the resistance to spinning about the normal; 0 or more." },
    { CAROM_IN_PAIR, "stiffness", CAROM_KEY_CONTACT_STIFFNESS, CAROM_DIM_CONTACT_STIFFNESS, .at = PAIR_ITSELF,
      .fallback = "from E, nu and shapes", .example = "5e9 N/m^1.5", .doc = "K of the elastic force K d^n; above 0. "
      "Of shapes that press over faces, that of the whole face, with exponent 1." },
    { CAROM_IN_PAIR, "exponent", CAROM_KEY_NUMBER, .at = PAIR(exponent), .fallback = "as the unit of stiffness says; "
      "1.5, of faces 1", .example = "2.2", .doc = "n of the elastic force, 1 to 10; only with stiffness." },
    { CAROM_IN_PAIR, "damping", CAROM_KEY_CHOICE, .at = PAIR(damping), .choice = damping_choice,
      .fallback = "contact.damping", .example = "flores",
      .doc = "As contact.damping; given and depth take a coefficient instead of restitution." },
    { CAROM_IN_PAIR, "damping_coefficient", CAROM_KEY_CONTACT_DAMPING, CAROM_DIM_INVERSE_SPEED,
      .at = PAIR(damping_coefficient), .example = "0.3 s/m", .doc = "Of damping given and, if you like, "
      "marhefka-orin [s/m]; of depth [N s/m]. 0 or more." },
    { CAROM_IN_PAIR, "damping_depth", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = PAIR(damping_depth),
      .example = "0.1 mm", .doc = "Of damping depth: where the damper has all of its coefficient; above 0." },
    { CAROM_IN_PAIR, "law", CAROM_KEY_TITLE, .at = PAIR(law), .example = "k*d^n*(1 + c*v)",
      .doc = "Normal force of your own [N]: a formula in depth d [m], approach speed v [m/s] and parameters; "
      "not together with stiffness and damping." },
    { CAROM_IN_PAIR, "parameters", CAROM_KEY_PARAMETERS, .at = PAIR_ITSELF,
      .example = "{k: 5e9 N/m^1.5, n: 1.5, c: 0.3 s/m}", .doc = "Names and quantities for law, at most 12." },
    { CAROM_IN_PAIR, "impact_law", CAROM_KEY_CHOICE, .at = PAIR(impact_law), .choice = impact_choice, .fallback =
      "contact.impact_law", .example = "newton", .doc = "As contact.impact_law: the rigid response reads it." },

    { CAROM_IN_RESTITUTION, "table", CAROM_KEY_SPEED_TABLE, .at = PAIR_ITSELF, .example = "[[0.1 m/s, 0.8], [1 m/s, "
      "0.6], [5 m/s, 0.5]]", .doc = "[approach speed, restitution] at ascending speeds, joined by straight lines; "
      "constant outside." },
    { CAROM_IN_RESTITUTION, "expression", CAROM_KEY_TITLE, .at = PAIR(restitution_law), .example = "\"0.9*(1 + "
      "v/2)^-0.2\"", .doc = "A formula in the approach speed v [m/s]; what is below 0 or above 1 is cut off." },

    { CAROM_IN_BODY, "fixed", CAROM_KEY_BOOL, .at = BODY(def.fixed), .fallback = "false", .example = "true",
      .doc = "true: welded to the world, never moves." },
    { CAROM_IN_BODY, "material", CAROM_KEY_NAME, .at = BODY(def.material), .example = "steel", .doc = "Material of the shapes that name none." },
    { CAROM_IN_BODY, "shape", CAROM_KEY_SECTION, .opens = CAROM_IN_SHAPE, .example = "{sphere: {radius: 50 mm}}",
      .doc = "The shape of a body that has one; not together with shapes." },
    { CAROM_IN_BODY, "shapes", CAROM_KEY_NAMED, .opens = CAROM_IN_SHAPE,
      .example = "{left: {sphere: {radius: 50 mm}}, right: {box: {size: [1 cm, 2 cm, 3 cm]}, position: [0.1, 0, 0]}}",
      .doc = "Shapes by name, for a body that has several; each has the keys of shape." },
    { CAROM_IN_BODY, "group", CAROM_KEY_GROUP, .at = BODY(groups), .example = "feeder",
      .doc = "Group of the body: a name for several bodies, for contact.ignore; not together with groups." },
    { CAROM_IN_BODY, "groups", CAROM_KEY_GROUPS, .at = BODY(groups), .fallback = "[]", .example = "[feeder, left]",
      .doc = "Groups of a body that is in several, at most 16." },
    { CAROM_IN_BODY, "mass", CAROM_KEY_NUMBER, CAROM_DIM_MASS, .at = BODY(def.mass),
      .fallback = "from shapes and densities", .example = "2 kg", .doc = "Mass; above 0." },
    { CAROM_IN_BODY, "com", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = BODY(def.com), .fallback = "from shapes and "
      "densities", .example = "[0, 0, 10 mm]", .doc = "Centre of mass in the body frame; only together with mass." },
    { CAROM_IN_BODY, "inertia", CAROM_KEY_INERTIA, CAROM_DIM_INERTIA, .at = BODY(def.inertia),
      .fallback = "from shapes and densities", .example = "[0.02, 0.02, 0.03]",
      .doc = "Inertia matrix about the centre of mass, axes of the body frame: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, "
      "Ixz, Iyz]; only together with mass." },
    { CAROM_IN_BODY, "position", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = BODY(def.p_WB), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 1 m]", .doc = "Where the body frame is in the world, at the start." },
    { CAROM_IN_BODY, "orientation", CAROM_KEY_SECTION, .at = BODY(orientation), .opens = CAROM_IN_ORIENTATION,
      .fallback = "that of the world", .example = "{axis: [0, 0, 1], angle: 30 deg}",
      .doc = "How the body frame is turned in the world, at the start." },
    { CAROM_IN_BODY, "velocity", CAROM_KEY_VECTOR, CAROM_DIM_VELOCITY, .at = BODY(def.v_WB), .fallback = "[0, 0, 0]",
      .example = "[0.5, 0, 0]", .doc = "Velocity of the origin of the body frame at the start, in the world frame." },
    { CAROM_IN_BODY, "angular_velocity", CAROM_KEY_VECTOR, CAROM_DIM_ANGULAR_VELOCITY, .at = BODY(def.w_WB), .fallback =
      "[0, 0, 0]", .example = "[0, 0, 60 rpm]", .doc = "Angular velocity at the start, in the world frame." },
};

// Behind the kinds of shapes.
static const caromKey of_shapes[] = {
    { CAROM_IN_SHAPE, "heightfield", CAROM_KEY_SECTION, .opens = CAROM_IN_HEIGHTFIELD,
      .example = "{file: hills.pgm, height: 2 m, cell: 0.5 m}", .doc = "A grid of heights with all below it, for "
      "terrain; it touches as a mesh does." },
    { CAROM_IN_SHAPE, "material", CAROM_KEY_NAME, .at = SHAPE(def.material), .fallback = "that of the body",
      .example = "rubber", .doc = "Material of this shape." },
    { CAROM_IN_SHAPE, "position", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = SHAPE(def.p_BS), .fallback = "[0, 0, 0]",
      .example = "[-0.1, 0, 0]", .doc = "Where the shape's origin is in the body frame." },
    { CAROM_IN_SHAPE, "orientation", CAROM_KEY_SECTION, .at = SHAPE(orientation), .opens = CAROM_IN_ORIENTATION,
      .fallback = "that of the body", .example = "{angles: [10 deg, 0, 0]}",
      .doc = "How the shape is turned in the body frame." },
    { CAROM_IN_SHAPE, "touches", CAROM_KEY_BOOL, .at = SHAPE(def.touches), .fallback = "true", .example = "false",
      .doc = "false: nothing touches it; it is for looks and mass only." },
    { CAROM_IN_SHAPE, "weighs", CAROM_KEY_BOOL, .at = SHAPE(def.weighs), .fallback = "true", .example = "true",
      .doc = "false: it has no mass; it is for looks and contact only." },
    { CAROM_IN_SHAPE, "shell", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(def.shell), .fallback = "0", .example =
      "0.5 mm", .doc = "A soft layer around the shape: contact begins at this distance from it; 0 or more." },
    { CAROM_IN_SHAPE, "samples", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(def.samples), .fallback = "0",
      .example = "1 cm", .doc = "Distance of points on its surface by which it presses on everything it touches, "
      "each with a force of its own; 0: only where there is no better way." },
};

// Behind the dimensions and roundings of shapes: what only one kind has, and what has nothing to do with shapes.
static const caromKey behind_shapes[] = {
    { CAROM_IN_SHAPE_KIND + CAROM_POLYTOPE, "vertices", CAROM_KEY_POINTS, CAROM_DIM_LENGTH, .required = true,
      .at = SHAPE(vertices), .example = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
      .doc = "Points whose convex hull it is, at least 4, not all in a plane; those inside the hull do not count." },

    { CAROM_IN_SHAPE_KIND + CAROM_MESH, "file", CAROM_KEY_FILE, .required = true, .at = SHAPE(file),
      .example = "bracket.stl", .doc = CAROM_MESH_FORMATS " file with the triangles, from the folder of the model "
      "file." },
    { CAROM_IN_SHAPE_KIND + CAROM_MESH, "units", CAROM_KEY_CHOICE, .at = SHAPE(units),
      .choice = carom_meshfile_unit_name, .fallback = "m", .example = "mm",
      .doc = "Length that a 1 in the file stands for, where the file does not say; not together with scale." },
    { CAROM_IN_SHAPE_KIND + CAROM_MESH, "scale", CAROM_KEY_NUMBER, .at = SHAPE(scale), .fallback = "1",
      .example = "0.001", .doc = "Metres to a unit of the file, instead of units; above 0. "
      "Of a file that says its units, a factor." },
    { CAROM_IN_SHAPE_KIND + CAROM_MESH, "thickness", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(thickness),
      .fallback = "0", .example = "1 mm", .doc = "The surface becomes a plate, half of it to either side: what open "
      "surfaces need to weigh, and to touch everything. 0: it stays what the file has." },
    { CAROM_IN_SHAPE_KIND + CAROM_MESH, "collide", CAROM_KEY_CHOICE, .at = SHAPE(collides), .choice = collide_choice,
      .fallback = "mesh", .example = "mesh", .doc = "What touches others: the triangles as they are, "
      "the convex hull of all, convex pieces, or nothing. Mass and looks are the mesh's." },
    { CAROM_IN_SHAPE_KIND + CAROM_MESH, "tolerance", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(tolerance),
      .fallback = "1 % of its size", .example = "1 mm", .doc = "How far convex pieces may reach beyond the mesh; "
      "above 0, only with collide: pieces." },

    { CAROM_IN_HEIGHTFIELD, "heights", CAROM_KEY_HEIGHTS, CAROM_DIM_LENGTH, .at = SHAPE(heights),
      .example = "[[0, 0.1, 0], [0, 0.2, 0], [0, 0, 0]]", .doc = "Rows of heights above the shape's origin, "
      "all of the same length." },
    { CAROM_IN_HEIGHTFIELD, "file", CAROM_KEY_FILE, .at = SHAPE(file), .example = "hills.pgm",
      .doc = CAROM_HEIGHT_FORMATS " file with the heights, from the folder of the model file; with height." },
    { CAROM_IN_HEIGHTFIELD, "height", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(height), .example = "2 m",
      .doc = "With file: how high white is above black in a picture, or what a 1 stands for in a table." },
    { CAROM_IN_HEIGHTFIELD, "cell", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .required = true, .at = SHAPE(cell),
      .example = "0.5 m", .doc = "Distance of neighbouring heights, along rows and from row to row; above 0." },
    { CAROM_IN_HEIGHTFIELD, "depth", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(depth),
      .fallback = "a tenth of its longer side", .example = "1 m",
      .doc = "How far the solid goes below the lowest height; above 0." },

    { CAROM_IN_SHAPE_KIND + CAROM_HALF_SPACE, "normal", CAROM_KEY_VECTOR, .at = SHAPE(normal), .fallback = "[0, 0, 1]",
      .example = "[0, 0, 1]", .doc = "Direction out of the solid, of any length but 0." },
    { CAROM_IN_SHAPE_KIND + CAROM_HALF_SPACE, "offset", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(offset),
      .fallback = "0", .example = "-10 mm", .doc = "Distance of the surface from the shape's origin, "
      "along the normal." },

    { CAROM_IN_ORIENTATION, "axis", CAROM_KEY_VECTOR, .at = ORIENTATION(axis), .example = "[0, 0, 1]",
      .doc = "Axis of the rotation, of any length but 0; with angle." },
    { CAROM_IN_ORIENTATION, "angle", CAROM_KEY_NUMBER, CAROM_DIM_ANGLE, .at = ORIENTATION(angle), .example = "30 deg",
      .doc = "Angle about the axis, right-handed; with axis." },
    { CAROM_IN_ORIENTATION, "quaternion", CAROM_KEY_QUATERNION, .at = ORIENTATION(quaternion),
      .example = "[1, 0, 0, 0]", .doc = "[w, x, y, z], of any length but 0." },
    { CAROM_IN_ORIENTATION, "angles", CAROM_KEY_VECTOR, CAROM_DIM_ANGLE, .at = ORIENTATION(angles),
      .example = "[10 deg, 0, 0]", .doc = "Cardan angles: about x, then about the new y, then about the newest z." },

    { CAROM_IN_CONTACT, "response", CAROM_KEY_CHOICE, .at = SETTING(response), .choice = response_choice,
      .fallback = "compliant", .example = "rigid", .doc = "compliant: forces from elastic material laws. rigid: "
      "impacts at instants, and contacts that stay as constraints." },
    { CAROM_IN_CONTACT, "damping", CAROM_KEY_CHOICE, .at = SETTING(damping), .choice = damping_choice,
      .is_offered = damping_is_for_all, .fallback = "exact", .example = "exact",
      .doc = "How restitution becomes damping: exact meets the coefficient, none is elastic, the others "
      "approximate it." },
    { CAROM_IN_CONTACT, "friction_law", CAROM_KEY_CHOICE, .at = SETTING(friction_law), .choice = friction_choice,
      .fallback = "smooth", .example = "bristle", .doc = "Friction at rest: smooth creeps below v_small, "
      "bristle holds like a spring." },
    { CAROM_IN_CONTACT, "impact_law", CAROM_KEY_CHOICE, .at = SETTING(impact_law), .choice = impact_choice,
      .fallback = "energetic", .example = "poisson", .doc = "Rigid response, of pairs that do not say: "
      "what restitution is a ratio of: energetic of works, poisson of impulses, newton of speeds." },
    { CAROM_IN_CONTACT, "impacts", CAROM_KEY_CHOICE, .at = SETTING(impacts), .choice = scheme_choice,
      .fallback = "waves", .example = "together", .doc = "Rigid response: contacts that touch at the same instant: "
      "hit one after the other (waves), or all in one (the others)." },
    { CAROM_IN_CONTACT, "impact_exponent", CAROM_KEY_NUMBER, .at = SETTING(impact_exponent), .fallback = "1.5",
      .example = "1", .doc = "Rigid response, impacts: together: force over depth by which contacts share an impact, "
      "1 (springs) to 3; 1.5 is Hertz." },
    { CAROM_IN_CONTACT, "jam", CAROM_KEY_CHOICE, .at = SETTING(jam), .choice = jam_choice, .fallback = "impact",
      .example = "compliance", .doc = "Rigid: where friction admits no force (Painleve's paradox): "
      "impact leads on by an impact without collision, compliance by the stiffness of the pair." },
    { CAROM_IN_CONTACT, "landing", CAROM_KEY_CHOICE, .at = SETTING(landing), .choice = landing_choice,
      .fallback = "sum", .example = "stretched", .doc = "Rigid response: bounces that die out: their sum in closed "
      "form, or simulated in a time that is stretched." },
    { CAROM_IN_CONTACT, "restitution", CAROM_KEY_NUMBER, .at = SETTING(default_restitution), .example = "0.5",
      .doc = "For pairs of which neither pairs nor the palette says it, without it an error; 0 to 1." },
    { CAROM_IN_CONTACT, "friction", CAROM_KEY_NUMBER, .at = SETTING(default_friction), .example = "0.2",
      .doc = "For pairs of which neither pairs nor the palette says it, without it an error; 0 or more." },
    { CAROM_IN_CONTACT, "static_friction", CAROM_KEY_NUMBER, .at = SETTING(default_static_friction),
      .fallback = "that of sliding", .example = "0.3", .doc = "For pairs that do not say, but not for those with "
      "friction 0; at least friction, where that is more it counts." },
    { CAROM_IN_CONTACT, "rolling", CAROM_KEY_NUMBER, .at = SETTING(default_rolling), .fallback = "0",
      .example = "0.001", .doc = "For pairs that do not say; 0 or more." },
    { CAROM_IN_CONTACT, "torsion", CAROM_KEY_NUMBER, .at = SETTING(default_torsion), .fallback = "that of rolling",
      .example = "0.001", .doc = "For pairs that do not say; 0 or more." },
    { CAROM_IN_CONTACT, "rest_damping", CAROM_KEY_NUMBER, .at = SETTING(rest_damping), .fallback = "1",
      .example = "0.2", .doc = "Of contacts that last: part of critical damping, 0 to 1; 0: as in the impact that "
      "they began with." },
    { CAROM_IN_CONTACT, "v_small", CAROM_KEY_NUMBER, CAROM_DIM_VELOCITY, .at = SETTING(v_small), .fallback = "1 mm/s",
      .example = "1 mm/s", .doc = "Below this speed restitution and sliding friction are regularised; above 0." },
    { CAROM_IN_CONTACT, "w_small", CAROM_KEY_NUMBER, CAROM_DIM_ANGULAR_VELOCITY, .at = SETTING(w_small),
      .fallback = "0.01 rad/s", .example = "0.01 rad/s", .doc = "The same for rolling resistance; above 0." },
    { CAROM_IN_CONTACT, "k_red", CAROM_KEY_NUMBER, .at = SETTING(k_red), .fallback = "1", .example = "100",
      .doc = "Contact stiffness is divided by it (not that of a law of one's own): larger is softer and faster to "
      "compute; above 0." },
    { CAROM_IN_CONTACT, "too_deep", CAROM_KEY_CHOICE, .at = SETTING(too_deep), .choice = deep_choice,
      .fallback = "warn", .example = "error", .doc = "Compliant: bodies that overlap by more than their law stands "
      "for: warn stiffens the contact before they pass through each other and says so, error ends the run." },
    { CAROM_IN_CONTACT, "ignore", CAROM_KEY_IGNORED, .at = NOWHERE,
      .fallback = "[]", .example = "[[arm, base], [feeder, left]]", .doc = "Pairs that never touch: of bodies, groups, "
      "shapes (BODY.SHAPE) or all; a group with itself: its bodies among each other." },

    { CAROM_IN_SIMULATE, "until", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .at = SETTING(until), .fallback = "1 s",
      .example = "3 s", .doc = "End time; above 0." },
    { CAROM_IN_SIMULATE, "tolerance", CAROM_KEY_NUMBER, .at = SETTING(tolerance), .fallback = "1e-6", .example = "1e-8",
      .doc = "Relative tolerance of the integration, 1e-12 to 1e-2." },
    { CAROM_IN_SIMULATE, "every", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .at = SETTING(every), .fallback = "until/500",
      .example = "10 ms", .doc = "Output interval; above 0." },
    { CAROM_IN_SIMULATE, "method", CAROM_KEY_CHOICE, .at = SETTING(method), .choice = method_choice, .fallback = "auto",
      .example = "auto", .doc = "Integration method; auto chooses by tolerance and stiffness." },
    { CAROM_IN_SIMULATE, "gaps", CAROM_KEY_BOOL, .at = SETTING(gaps), .fallback = "false", .example = "true",
      .doc = "true: results have the gap of every two shapes that can touch, its normal and the nearest points; "
      "at most 200 pairs." },
    { CAROM_IN_SIMULATE, "patches", CAROM_KEY_BOOL, .at = SETTING(patches), .fallback = "true", .example = "false",
      .doc = "Results have the surfaces over which flat faces press on each other, with their pressure." },
    { CAROM_IN_SIMULATE, "results", CAROM_KEY_NUMBER, CAROM_DIM_DATA, .at = SETTING(results), .fallback = "300 MB",
      .example = "2 GB", .doc = "How long the results file may get beside its head; of a run that tells more, samples "
      "and events are left out evenly in time; above 0." },

    { CAROM_IN_JOINT, "type", CAROM_KEY_CHOICE, .required = true, .at = JOINT(def.kind), .choice = joint_choice,
      .example = "revolute", .doc = "Kind of the joint." },
    { CAROM_IN_JOINT, "between", CAROM_KEY_BODY_PAIR, .required = true, .at = JOINT(def.body),
      .example = "[world, arm]", .doc = "The two bodies, in this order; world is the fixed frame." },
    { CAROM_IN_JOINT, "at", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = JOINT(def.p[0]), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 1.2 m]", .doc = "Origin of the joint on the first body, in its frame." },
    { CAROM_IN_JOINT, "axis", CAROM_KEY_VECTOR, .at = JOINT(axis[0]), .fallback = "[0, 0, 1]", .example = "[0, 1, 0]",
      .doc = "Axis z of the joint on the first body, in its frame; of any length but 0." },
    { CAROM_IN_JOINT, "orientation", CAROM_KEY_SECTION, .at = JOINT(orientation[0]), .opens = CAROM_IN_ORIENTATION,
      .fallback = "from axis", .example = "{axis: [1, 0, 0], angle: 90 deg}",
      .doc = "How the joint is turned on the first body, instead of axis: where x and y point too." },
    { CAROM_IN_JOINT, "child_at", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = JOINT(def.p[1]), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 250 mm]", .doc = "Origin of the joint on the second body, in its frame." },
    { CAROM_IN_JOINT, "child_axis", CAROM_KEY_VECTOR, .at = JOINT(axis[1]), .fallback = "the same numbers",
      .example = "[0, 1, 0]", .doc = "Axis z of the joint on the second body, in its frame." },
    { CAROM_IN_JOINT, "child_orientation", CAROM_KEY_SECTION, .at = JOINT(orientation[1]),
      .opens = CAROM_IN_ORIENTATION, .fallback = "the same numbers", .example = "{angles: [90 deg, 0, 0]}",
      .doc = "How the joint is turned on the second body, instead of child_axis." },
    { CAROM_IN_JOINT, "touch", CAROM_KEY_BOOL, .at = JOINT(def.touch), .fallback = "false", .example = "true",
      .doc = "true: the two bodies may touch each other, in spite of the joint." },
    { CAROM_IN_JOINT, "pitch", CAROM_KEY_NUMBER, CAROM_DIM_PITCH, .suits = CAROM_SUITS_PITCH, .at = JOINT(def.pitch),
      .example = "5 mm/rev", .doc = "Way along the axis per angle; required for a screw, and only there." },
};

// Behind the coordinates and speeds of joints.
static const caromKey behind_coordinates[] = {
    { CAROM_IN_JOINT, "stiffness", CAROM_KEY_PER_SPEED, CAROM_DIM_STIFFNESS, CAROM_DIM_ROTATIONAL_STIFFNESS,
      CAROM_SUITS_SPRINGS, .at = JOINT(def.stiffness), .fallback = "0", .example = "2 N m/rad",
      .doc = "Stiffness of a spring in the joint; 0 or more." },
    { CAROM_IN_JOINT, "rest", CAROM_KEY_PER_SPEED, CAROM_DIM_LENGTH, CAROM_DIM_ANGLE, CAROM_SUITS_SPRINGS,
      .at = JOINT(def.rest), .fallback = "0", .example = "10 deg", .doc = "Where that spring is relaxed." },
    { CAROM_IN_JOINT, "damping", CAROM_KEY_PER_SPEED, CAROM_DIM_DAMPING, CAROM_DIM_ROTATIONAL_DAMPING,
      CAROM_SUITS_MOVING, .at = JOINT(def.damping), .fallback = "0", .example = "0.01 N m s/rad",
      .doc = "Torque or force per speed, against it; 0 or more." },
    { CAROM_IN_JOINT, "friction", CAROM_KEY_PER_SPEED, CAROM_DIM_FORCE, CAROM_DIM_TORQUE, CAROM_SUITS_MOVING,
      .at = JOINT(def.friction), .fallback = "0", .example = "0.1 N m",
      .doc = "Dry friction: torque or force of this size against the motion; 0 or more." },
    { CAROM_IN_JOINT, "lower", CAROM_KEY_PER_SPEED, CAROM_DIM_LENGTH, CAROM_DIM_ANGLE, CAROM_SUITS_SPRINGS, .at =
      JOINT(def.lower), .fallback = "none", .example = "-90 deg", .doc = "Least value of the coordinate: a stop." },
    { CAROM_IN_JOINT, "upper", CAROM_KEY_PER_SPEED, CAROM_DIM_LENGTH, CAROM_DIM_ANGLE, CAROM_SUITS_SPRINGS, .at =
      JOINT(def.upper), .fallback = "none", .example = "90 deg", .doc = "Greatest value of the coordinate: a stop." },
    { CAROM_IN_JOINT, "limit_stiffness", CAROM_KEY_NUMBER, CAROM_DIM_STIFFNESS, CAROM_DIM_ROTATIONAL_STIFFNESS,
      CAROM_SUITS_SPRINGS, .at = JOINT(def.limit_stiffness), .fallback = "1e4", .example = "1e4 N m/rad",
      .doc = "Stiffness of the stops; above 0." },
    { CAROM_IN_JOINT, "limit_restitution", CAROM_KEY_NUMBER, .suits = CAROM_SUITS_SPRINGS,
      .at = JOINT(def.limit_restitution), .fallback = "0.5", .example = "0.5",
      .doc = "Coefficient of restitution of the stops, 0 to 1." },
    { CAROM_IN_JOINT, "motion", CAROM_KEY_FUNCTION, CAROM_DIM_LENGTH, CAROM_DIM_ANGLE, CAROM_SUITS_DRIVES,
      .at = JOINT(motion), .opens = CAROM_IN_FUNCTION, .example = "{sine: {amplitude: 30 deg, frequency: 1 Hz}}",
      .doc = "Prescribed angle or distance in time; not together with force." },
    { CAROM_IN_JOINT, "force", CAROM_KEY_FUNCTION, CAROM_DIM_FORCE, CAROM_DIM_TORQUE, CAROM_SUITS_DRIVES,
      .at = JOINT(force), .opens = CAROM_IN_FUNCTION, .example = "2 N m", .doc = "Torque or force of a drive in time, "
      "on the second body, back on the first." },

    { CAROM_IN_SPRING, "between", CAROM_KEY_BODY_PAIR, .required = true, .at = SPRING(body), .example = "[world, cart]",
      .doc = "The two bodies; world is the fixed frame." },
    { CAROM_IN_SPRING, "at", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = SPRING(p[0]), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 1.2 m]", .doc = "Its end on the first body, in the frame of that body." },
    { CAROM_IN_SPRING, "child_at", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = SPRING(p[1]), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 100 mm]", .doc = "Its end on the second body, in the frame of that body." },
    { CAROM_IN_SPRING, "stiffness", CAROM_KEY_NUMBER, CAROM_DIM_STIFFNESS, .at = SPRING(stiffness), .fallback = "0",
      .example = "200 N/m", .doc = "Force per length; 0 or more." },
    { CAROM_IN_SPRING, "damping", CAROM_KEY_NUMBER, CAROM_DIM_DAMPING, .at = SPRING(damping), .fallback = "0",
      .example = "1 N s/m", .doc = "Force per speed of lengthening; 0 or more." },
    { CAROM_IN_SPRING, "rest", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SPRING(rest), .fallback = "that at the start",
      .example = "0.1 m", .doc = "Length without force; 0 or more." },

    { CAROM_IN_FORCE, "body", CAROM_KEY_BODY, .required = true, .at = FORCE(def.body), .example = "cart", .doc = "The body it acts on." },
    { CAROM_IN_FORCE, "at", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = FORCE(def.p), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 100 mm]", .doc = "The point where the force acts, in the frame of the body." },
    { CAROM_IN_FORCE, "force", CAROM_KEY_FUNCTIONS, CAROM_DIM_FORCE, .at = FORCE(def.force), .opens = CAROM_IN_FUNCTION,
      .fallback = "[0, 0, 0]", .example = "[10 N, 0, {sine: {amplitude: 2 N, frequency: 1 Hz}}]", .doc = "The force." },
    { CAROM_IN_FORCE, "torque", CAROM_KEY_FUNCTIONS, CAROM_DIM_TORQUE, .at = FORCE(def.torque),
      .opens = CAROM_IN_FUNCTION, .fallback = "[0, 0, 0]", .example = "[0, 0, 2 N m]", .doc = "The torque." },
    { CAROM_IN_FORCE, "frame", CAROM_KEY_CHOICE, .at = FORCE(frame), .choice = frame_choice, .fallback = "world",
      .example = "body", .doc = "Whose axes the components are along: those of the world, or those of the body, "
      "which turn with it." },

    { CAROM_IN_FUNCTION, "sine", CAROM_KEY_SECTION, .opens = CAROM_IN_SINE, .example = "{amplitude: 5 mm, "
      "frequency: 50 Hz}", .doc = "value + amplitude sin(2 pi frequency (t - start) + phase); value before start." },
    { CAROM_IN_FUNCTION, "ramp", CAROM_KEY_SECTION, .opens = CAROM_IN_RAMP, .example = "{amplitude: 5 mm, end: 1 s}",
      .doc = "value until start, value + amplitude from end on; between them a polynomial of degree 5 without a jump "
      "in speed or acceleration." },
    { CAROM_IN_FUNCTION, "table", CAROM_KEY_TABLE, CAROM_DIM_DRIVEN, .example = "[[0 s, 0], [0.1 s, 5 mm], [1 s, "
      "2 mm]]", .doc = "[time, value] at ascending times, joined by a natural cubic spline; constant outside." },
    { CAROM_IN_FUNCTION, "expression", CAROM_KEY_TITLE, .at = FUNCTION(expression), .example = "\"0.1*sin(2*pi*time)\"",
      .doc = "A formula in `time`; both in SI units." },

    { CAROM_IN_SINE, "value", CAROM_KEY_NUMBER, CAROM_DIM_DRIVEN, .at = FUNCTION(value), .fallback = "0",
      .example = "5 mm", .doc = "Mean value, in the unit of what is driven." },
    { CAROM_IN_SINE, "amplitude", CAROM_KEY_NUMBER, CAROM_DIM_DRIVEN, .required = true, .at = FUNCTION(amplitude),
      .example = "5 mm", .doc = "Amplitude, in the unit of what is driven." },
    { CAROM_IN_SINE, "frequency", CAROM_KEY_NUMBER, CAROM_DIM_FREQUENCY, .required = true, .at = FUNCTION(frequency),
      .example = "50 Hz", .doc = "Periods per time." },
    { CAROM_IN_SINE, "phase", CAROM_KEY_NUMBER, CAROM_DIM_ANGLE, .at = FUNCTION(phase), .fallback = "0",
      .example = "90 deg", .doc = "Angle of the sine at start." },
    { CAROM_IN_SINE, "start", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .at = FUNCTION(start), .fallback = "0",
      .example = "0.5 s", .doc = "When it begins." },

    { CAROM_IN_RAMP, "value", CAROM_KEY_NUMBER, CAROM_DIM_DRIVEN, .at = FUNCTION(value), .fallback = "0",
      .example = "5 mm", .doc = "Value until start, in the unit of what is driven." },
    { CAROM_IN_RAMP, "amplitude", CAROM_KEY_NUMBER, CAROM_DIM_DRIVEN, .required = true, .at = FUNCTION(amplitude),
      .example = "5 mm", .doc = "By how much it changes, in the unit of what is driven." },
    { CAROM_IN_RAMP, "start", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .at = FUNCTION(start), .fallback = "0",
      .example = "0.5 s", .doc = "When it begins." },
    { CAROM_IN_RAMP, "end", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .required = true, .at = FUNCTION(end), .example = "1 s",
      .doc = "When it is over; after start." },
};

#define BLOCK(keys) (caromKeyBlock){ keys, (int)(sizeof keys/sizeof keys[0]) }

caromKeyBlock carom_modelfile_fixed_keys(caromKeyPlace place)
{
    switch (place) {
    case CAROM_KEYS_BEFORE_SHAPES: return BLOCK(before_shapes);
    case CAROM_KEYS_OF_SHAPES: return BLOCK(of_shapes);
    case CAROM_KEYS_BEHIND_SHAPES: return BLOCK(behind_shapes);
    case CAROM_KEYS_BEHIND_COORDINATES: return BLOCK(behind_coordinates);
    }
    return (caromKeyBlock){ NULL, 0 };
}
