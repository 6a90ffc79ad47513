// The format: one row per key. Reading, suggestions, the JSON Schema and the reference in docs/model-format.md all come
// from these two tables; a new key is one row (and a paragraph in the docs if one line does not explain it).
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "modelfile/modelfile.h"

static const caromSection sections[CAROM_SECTIONS] = {
    [CAROM_IN_TOP] = { .title = "a model", .path = "", .doc = "A carom model: bodies with shapes and materials that touch." },
    [CAROM_IN_MATERIAL] = { .title = "a material", .path = "materials.NAME", .example = "{density: 1100 kg/m^3, E: 10 MPa}",
                            .has_draft = true, .begin = carom_draft_material_begin,
                            .end = carom_draft_material_end, .doc = "A material; built in are aluminium, glass, rubber, steel and wood." },
    [CAROM_IN_PAIR] = { .title = "a pair", .path = "pairs.N", .example = "{between: [steel, rubber], restitution: 0.7}",
                        .has_draft = true, .begin = carom_draft_pair_begin,
                        .end = carom_draft_pair_end, .doc = "What two materials do to each other." },
    [CAROM_IN_BODY] = { .title = "a body", .path = "bodies.NAME", .choices = "shape|shapes", .has_draft = true,
                        .example = "{material: steel, shape: {sphere: {radius: 50 mm}}}",
                        .begin = carom_draft_body_begin, .end = carom_draft_body_end, .doc = "A rigid body." },
    [CAROM_IN_SHAPE] = { .title = "a shape", .path = "bodies.NAME.shape", .choices = "sphere|box|half-space", .choice_required = true,
                         .example = "{sphere: {radius: 50 mm}}",
                         .has_draft = true, .begin = carom_draft_shape_begin, .end = carom_draft_shape_end,
                         .doc = "A shape, placed in the frame of its body." },
    [CAROM_IN_SPHERE] = { .title = "a sphere", .path = "bodies.NAME.shape.sphere", .doc = "A ball about the shape's origin." },
    [CAROM_IN_BOX] = { .title = "a box", .path = "bodies.NAME.shape.box", .doc = "A block about the shape's origin." },
    [CAROM_IN_HALF_SPACE] = { .title = "a half-space", .path = "bodies.NAME.shape.half-space",
                              .doc = "Everything on one side of a plane: a floor, a wall." },
    [CAROM_IN_ORIENTATION] = { .title = "an orientation", .path = "bodies.NAME.orientation", .choices = "axis+angle|quaternion|angles",
                               .choice_required = true, .begin = carom_draft_orientation_begin, .end = carom_draft_orientation_end,
                               .doc = "A rotation: axis and angle, quaternion, or three angles." },
    [CAROM_IN_CONTACT] = { .title = "contact", .path = "contact", .doc = "How contacts are treated, and defaults for pairs that do not say." },
    [CAROM_IN_SIMULATE] = { .title = "simulate", .path = "simulate", .doc = "How long, how exact, how often." },
};

const caromSection *carom_section(caromSectionId id)
{
    return &sections[id];
}

static const char *damping_choice(int i)
{
    return i < CAROM_DAMPING_KINDS ? carom_damping_name((caromDamping)i) : NULL;
}

static const char *method_choice(int i)
{
    return i < CAROM_METHOD_KINDS ? carom_method_name((caromMethodChoice)i) : NULL;
}

static const char *response_choice(int i)
{
    return i == 0 ? "compliant" : NULL;
}

#define NOWHERE ((size_t)-1)  // the value is checked and not kept
#define SETTING(field) offsetof(caromTopDraft, settings.field)
#define MATERIAL(field) offsetof(caromMaterialDef, field)
#define PAIR(field) offsetof(caromPairDef, field)
#define BODY(field) offsetof(caromBodyDraft, field)
#define SHAPE(field) offsetof(caromShapeDraft, field)
#define ORIENTATION(field) offsetof(caromOrientation, field)

static const caromKey keys[] = {
    { CAROM_IN_TOP, "carom", CAROM_KEY_VERSION, .required = true, .at = NOWHERE, .example = "1",
      .doc = "Version of the format, always 1." },
    { CAROM_IN_TOP, "name", CAROM_KEY_TITLE, .at = SETTING(name), .example = "bouncing ball", .fallback = "the name of the file",
      .doc = "A title for people: shown by the page." },
    { CAROM_IN_TOP, "gravity", CAROM_KEY_VECTOR, CAROM_DIM_ACCELERATION, .at = SETTING(gravity), .fallback = "[0, 0, -9.81]",
      .example = "[0, 0, -9.81]", .doc = "Acceleration of free fall, in the world frame." },
    { CAROM_IN_TOP, "materials", CAROM_KEY_NAMED, .opens = CAROM_IN_MATERIAL, .example = "{bumper: {density: 1100 kg/m^3, E: 10 MPa, nu: 0.49}}",
      .doc = "Materials by name, added to the built-in ones; the same name replaces a built-in one." },
    { CAROM_IN_TOP, "pairs", CAROM_KEY_LISTED, .opens = CAROM_IN_PAIR, .example = "[{between: [steel, rubber], restitution: 0.7}]",
      .doc = "Restitution and friction of two materials." },
    { CAROM_IN_TOP, "bodies", CAROM_KEY_NAMED, .required = true, .opens = CAROM_IN_BODY,
      .example = "{ball: {material: steel, shape: {sphere: {radius: 50 mm}}}}", .doc = "Bodies by name." },
    { CAROM_IN_TOP, "contact", CAROM_KEY_SECTION, .opens = CAROM_IN_CONTACT, .example = "{damping: exact}",
      .doc = "How contacts are treated, and defaults for pairs that do not say." },
    { CAROM_IN_TOP, "simulate", CAROM_KEY_SECTION, .opens = CAROM_IN_SIMULATE, .example = "{until: 3 s}",
      .doc = "How long, how exact, how often." },

    { CAROM_IN_MATERIAL, "density", CAROM_KEY_NUMBER, CAROM_DIM_DENSITY, .at = MATERIAL(density), .fallback = "1000 kg/m^3",
      .example = "7850 kg/m^3", .doc = "Mass per volume; above 0." },
    { CAROM_IN_MATERIAL, "E", CAROM_KEY_NUMBER, CAROM_DIM_PRESSURE, .at = MATERIAL(E), .fallback = "1 GPa", .example = "210 GPa",
      .doc = "Young's modulus; above 0." },
    { CAROM_IN_MATERIAL, "nu", CAROM_KEY_NUMBER, .at = MATERIAL(nu), .fallback = "0.3", .example = "0.3",
      .doc = "Poisson's ratio; above -1, at most 0.5." },

    { CAROM_IN_PAIR, "between", CAROM_KEY_NAME_PAIR, .required = true, .at = PAIR(material), .example = "[steel, rubber]",
      .doc = "The two materials, in any order; they may be the same." },
    { CAROM_IN_PAIR, "restitution", CAROM_KEY_NUMBER, .at = PAIR(restitution), .fallback = "contact.restitution", .example = "0.7",
      .doc = "Coefficient of restitution, 0 to 1." },
    { CAROM_IN_PAIR, "friction", CAROM_KEY_NUMBER, .at = PAIR(friction), .fallback = "contact.friction", .example = "0.4",
      .doc = "Coefficient of sliding friction; 0 or more." },
    { CAROM_IN_PAIR, "rolling", CAROM_KEY_NUMBER, .at = PAIR(rolling), .fallback = "contact.rolling", .example = "0.001",
      .doc = "Coefficient of rolling resistance; 0 or more." },

    { CAROM_IN_BODY, "fixed", CAROM_KEY_BOOL, .at = BODY(def.fixed), .fallback = "false", .example = "true",
      .doc = "true: welded to the world, never moves." },
    { CAROM_IN_BODY, "material", CAROM_KEY_NAME, .at = BODY(def.material), .example = "steel", .doc = "Material of the shapes that name none." },
    { CAROM_IN_BODY, "shape", CAROM_KEY_SECTION, .opens = CAROM_IN_SHAPE, .example = "{sphere: {radius: 50 mm}}",
      .doc = "The shape of a body that has one; not together with shapes." },
    { CAROM_IN_BODY, "shapes", CAROM_KEY_NAMED, .opens = CAROM_IN_SHAPE,
      .example = "{left: {sphere: {radius: 50 mm}}, right: {box: {size: [1 cm, 2 cm, 3 cm]}, position: [0.1, 0, 0]}}",
      .doc = "Shapes by name, for a body that has several; each has the keys of shape." },
    { CAROM_IN_BODY, "mass", CAROM_KEY_NUMBER, CAROM_DIM_MASS, .at = BODY(def.mass), .fallback = "from shapes and densities",
      .example = "2 kg", .doc = "Mass; above 0." },
    { CAROM_IN_BODY, "com", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = BODY(def.com), .fallback = "from shapes and densities",
      .example = "[0, 0, 10 mm]", .doc = "Centre of mass in the body frame; only together with mass." },
    { CAROM_IN_BODY, "inertia", CAROM_KEY_INERTIA, CAROM_DIM_INERTIA, .at = BODY(def.inertia), .fallback = "from shapes and densities",
      .example = "[0.02, 0.02, 0.03]",
      .doc = "Inertia matrix about the centre of mass, axes of the body frame: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]; only "
             "together with mass." },
    { CAROM_IN_BODY, "position", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = BODY(def.p_WB), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 1 m]", .doc = "Where the body frame is in the world, at the start." },
    { CAROM_IN_BODY, "orientation", CAROM_KEY_SECTION, .at = BODY(orientation), .opens = CAROM_IN_ORIENTATION,
      .fallback = "that of the world", .example = "{axis: [0, 0, 1], angle: 30 deg}", .doc = "How the body frame is turned in the world, at the start." },
    { CAROM_IN_BODY, "velocity", CAROM_KEY_VECTOR, CAROM_DIM_VELOCITY, .at = BODY(def.v_WB), .fallback = "[0, 0, 0]",
      .example = "[0.5, 0, 0]", .doc = "Velocity of the origin of the body frame at the start, in the world frame." },
    { CAROM_IN_BODY, "angular_velocity", CAROM_KEY_VECTOR, CAROM_DIM_ANGULAR_VELOCITY, .at = BODY(def.w_WB), .fallback = "[0, 0, 0]",
      .example = "[0, 0, 60 rpm]", .doc = "Angular velocity at the start, in the world frame." },

    { CAROM_IN_SHAPE, "sphere", CAROM_KEY_SECTION, .opens = CAROM_IN_SPHERE, .example = "{radius: 50 mm}", .doc = "A ball about the shape's origin." },
    { CAROM_IN_SHAPE, "box", CAROM_KEY_SECTION, .opens = CAROM_IN_BOX, .example = "{size: [1 cm, 2 cm, 3 cm]}",
      .doc = "A block about the shape's origin, edges along its axes." },
    { CAROM_IN_SHAPE, "half-space", CAROM_KEY_SECTION, .opens = CAROM_IN_HALF_SPACE, .example = "{normal: [0, 0, 1]}",
      .doc = "Everything on one side of a plane: a floor, a wall. It has no mass." },
    { CAROM_IN_SHAPE, "material", CAROM_KEY_NAME, .at = SHAPE(def.material), .fallback = "that of the body", .example = "rubber",
      .doc = "Material of this shape." },
    { CAROM_IN_SHAPE, "position", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .at = SHAPE(def.p_BS), .fallback = "[0, 0, 0]",
      .example = "[-0.1, 0, 0]", .doc = "Where the shape's origin is in the body frame." },
    { CAROM_IN_SHAPE, "orientation", CAROM_KEY_SECTION, .at = SHAPE(orientation), .opens = CAROM_IN_ORIENTATION,
      .fallback = "that of the body", .example = "{angles: [10 deg, 0, 0]}", .doc = "How the shape is turned in the body frame." },

    { CAROM_IN_SPHERE, "radius", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .required = true, .at = SHAPE(radius), .example = "50 mm",
      .doc = "Radius; above 0." },

    { CAROM_IN_BOX, "size", CAROM_KEY_VECTOR, CAROM_DIM_LENGTH, .required = true, .at = SHAPE(size), .example = "[1 cm, 2 cm, 3 cm]",
      .doc = "Full edge lengths; each above 0." },

    { CAROM_IN_HALF_SPACE, "normal", CAROM_KEY_VECTOR, .at = SHAPE(normal), .fallback = "[0, 0, 1]", .example = "[0, 0, 1]",
      .doc = "Direction out of the solid, of any length but 0." },
    { CAROM_IN_HALF_SPACE, "offset", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH, .at = SHAPE(offset), .fallback = "0", .example = "-10 mm",
      .doc = "Distance of the surface from the shape's origin, along the normal." },

    { CAROM_IN_ORIENTATION, "axis", CAROM_KEY_VECTOR, .at = ORIENTATION(axis), .example = "[0, 0, 1]",
      .doc = "Axis of the rotation, of any length but 0; with angle." },
    { CAROM_IN_ORIENTATION, "angle", CAROM_KEY_NUMBER, CAROM_DIM_ANGLE, .at = ORIENTATION(angle), .example = "30 deg",
      .doc = "Angle about the axis, right-handed; with axis." },
    { CAROM_IN_ORIENTATION, "quaternion", CAROM_KEY_QUATERNION, .at = ORIENTATION(quaternion), .example = "[1, 0, 0, 0]",
      .doc = "[w, x, y, z], of any length but 0." },
    { CAROM_IN_ORIENTATION, "angles", CAROM_KEY_VECTOR, CAROM_DIM_ANGLE, .at = ORIENTATION(angles), .example = "[10 deg, 0, 0]",
      .doc = "Cardan angles: about x, then about the new y, then about the newest z." },

    { CAROM_IN_CONTACT, "response", CAROM_KEY_CHOICE, .at = NOWHERE, .choice = response_choice, .fallback = "compliant",
      .example = "compliant", .doc = "compliant: forces from elastic material laws." },
    { CAROM_IN_CONTACT, "damping", CAROM_KEY_CHOICE, .at = SETTING(damping), .choice = damping_choice, .fallback = "exact", .example = "exact",
      .doc = "How restitution becomes damping: exact meets the coefficient, flores is the usual approximation, none is elastic." },
    { CAROM_IN_CONTACT, "restitution", CAROM_KEY_NUMBER, .at = SETTING(default_restitution), .fallback = "0.7", .example = "0.5",
      .doc = "For pairs that do not say; 0 to 1." },
    { CAROM_IN_CONTACT, "friction", CAROM_KEY_NUMBER, .at = SETTING(default_friction), .fallback = "0.3", .example = "0.2",
      .doc = "For pairs that do not say; 0 or more." },
    { CAROM_IN_CONTACT, "rolling", CAROM_KEY_NUMBER, .at = SETTING(default_rolling), .fallback = "0", .example = "0.001",
      .doc = "For pairs that do not say; 0 or more." },
    { CAROM_IN_CONTACT, "v_small", CAROM_KEY_NUMBER, CAROM_DIM_VELOCITY, .at = SETTING(v_small), .fallback = "1 mm/s", .example = "1 mm/s",
      .doc = "Below this speed restitution and sliding friction are regularised; above 0." },
    { CAROM_IN_CONTACT, "w_small", CAROM_KEY_NUMBER, CAROM_DIM_ANGULAR_VELOCITY, .at = SETTING(w_small), .fallback = "0.01 rad/s",
      .example = "0.01 rad/s", .doc = "The same for rolling resistance; above 0." },
    { CAROM_IN_CONTACT, "k_red", CAROM_KEY_NUMBER, .at = SETTING(k_red), .fallback = "1", .example = "100",
      .doc = "Contact stiffness is divided by it: larger is softer and faster to compute; above 0." },

    { CAROM_IN_SIMULATE, "until", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .at = SETTING(until), .fallback = "1 s", .example = "3 s",
      .doc = "End time; above 0." },
    { CAROM_IN_SIMULATE, "tolerance", CAROM_KEY_NUMBER, .at = SETTING(tolerance), .fallback = "1e-6", .example = "1e-8",
      .doc = "Relative tolerance of the integration, 1e-12 to 1e-2." },
    { CAROM_IN_SIMULATE, "every", CAROM_KEY_NUMBER, CAROM_DIM_TIME, .at = SETTING(every), .fallback = "until/500", .example = "10 ms",
      .doc = "Output interval; above 0." },
    { CAROM_IN_SIMULATE, "method", CAROM_KEY_CHOICE, .at = SETTING(method), .choice = method_choice, .fallback = "auto", .example = "auto",
      .doc = "Integration method; auto chooses by tolerance and stiffness." },
};
#define NKEY ((int)(sizeof keys/sizeof keys[0]))

const caromKey *carom_key(int i)
{
    return i >= 0 && i < NKEY ? &keys[i] : NULL;
}

const caromKey *carom_key_find(caromSectionId in, const char *name, size_t length)
{
    for (int i = 0; i < NKEY; i++)
        if (keys[i].in == in && strncmp(keys[i].name, name, length) == 0 && keys[i].name[length] == '\0') return &keys[i];
    return NULL;
}

// ---- unknown keys

static const caromKey *find_synonym(caromSectionId in, const char *name)
{
    const char *word;
    for (int i = 0; (word = carom_spell_synonym(name, i)); i++) {
        const caromKey *key = carom_key_find(in, word, strlen(word));
        if (key) return key;
    }
    return NULL;
}

static const caromKey *find_nearest(caromSectionId in, const char *name)
{
    const char *known[NKEY];
    int n = 0;
    for (int i = 0; i < NKEY; i++)
        if (keys[i].in == in) known[n++] = keys[i].name;
    if (strlen(name) > CAROM_NAME_MAX) return NULL;  // nobody's misspelling of a key
    const char *word = carom_nearest_name(name, known, n);
    return word ? carom_key_find(in, word, strlen(word)) : NULL;
}

static bool opens(caromSectionId outer, caromSectionId inner)
{
    for (int i = 0; i < NKEY; i++)
        if (keys[i].in == outer && keys[i].type >= CAROM_KEY_SECTION && keys[i].opens == inner) return true;
    return false;
}

// The same key where it is allowed: one level down, one level up, anywhere.
static const caromKey *find_elsewhere(caromSectionId in, const char *name)
{
    const caromKey *found = NULL;
    int best = 0;
    for (int i = 0; i < NKEY; i++) {
        if (strcmp(keys[i].name, name) != 0) continue;
        int rank = opens(in, keys[i].in) ? 3 : opens(keys[i].in, in) ? 2 : 1;
        if (rank <= best) continue;
        found = &keys[i];
        best = rank;
    }
    return found;
}

static void list_known(caromSectionId in, char *text, size_t n)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < NKEY; i++)
        if (keys[i].in == in && used < n) used += (size_t)snprintf(text + used, n - used, "%s%s", used ? ", " : "", keys[i].name);
}

const caromKey *carom_key_unknown(caromSectionId in, const char *name, char *text, size_t n)
{
    caromQuoted quoted = carom_quoted(name);
    const caromKey *meant = find_synonym(in, name);
    const caromKey *elsewhere = meant ? NULL : find_elsewhere(in, name);
    if (elsewhere) {
        snprintf(text, n, "unknown key %s in %s: it belongs in %s", quoted.text, sections[in].title, sections[elsewhere->in].title);
        return NULL;
    }
    if (!meant) meant = find_nearest(in, name);
    if (meant) {
        snprintf(text, n, "unknown key %s, did you mean '%s'?", quoted.text, meant->name);
        return meant;
    }
    char known[400];
    list_known(in, known, sizeof known);
    snprintf(text, n, "unknown key %s in %s: expected one of %s", quoted.text, sections[in].title, known);
    return NULL;
}
