// What the files of this room share: the tree of a model file, quantities with units, spelling, and the table of keys.
//
//     text --tree.c--> tree --override.c--> tree --read.c, value.c, draft.c, pair.c, joint.c, function.c, groups.c
//       (by keys.c)--> definitions --> model
//
// Nothing here is recursive in the depth of the input: the tree is built with a stack of fixed size, and the reader
// descends only along the sections of the key table.
#ifndef CAROM_SRC_MODELFILE_H
#define CAROM_SRC_MODELFILE_H

#include <stdarg.h>

#include "base/base.h"
#include "carom/mesh.h"
#include "carom/modelfile.h"

#define CAROM_QUOTE_MAX 48  // characters of the user's text that a message repeats
#define CAROM_PATH_MAX 200  // bytes of a path in a problem

// ---- load.c: a whole file, with a zero behind it; "-" is standard input

typedef struct caromFileKind {
    const char *what;  // "a model file"
    int bytes_max;
    // Looks into a regular file of that size before memory is taken for it; NULL: there is nothing to look for. What
    // cannot be read is left to the reader.
    caromStatus (*look)(int file, const char *path, size_t size, caromError *err);
} caromFileKind;
// free() text
caromStatus carom_modelfile_load_file(const char *path, const caromFileKind *kind, char **text, size_t *length,
                                      caromError *err);

// ---- tree.c: YAML text -> nodes with line and column

typedef enum caromNodeKind {
    CAROM_NODE_SCALAR,
    CAROM_NODE_LIST,
    CAROM_NODE_MAP,
    CAROM_NODE_REFUSED  // an alias, say: reported when the tree was made, silently passed over afterwards
} caromNodeKind;

typedef struct caromNode {
    const char *key;   // in its mapping; NULL for the root and for elements of a list
    const char *text;  // of a scalar, without quotes
    int parent, first, last, next, count;  // children in the order of the file; -1: none
    int line, column;                      // of the value, 1-based; 0 when it comes from an override
    int key_line, key_column;
    int source;  // -1: the file; otherwise the override it comes from
    caromNodeKind kind;
    bool is_wrong;   // an error was reported for this node ...
    bool has_wrong;  // ... or for one below it
} caromNode;

typedef struct caromText caromText;  // a block of string memory

typedef struct caromTree {
    caromNode *nodes;
    int count, capacity;
    int seen;  // scalars (keys too), lists and mappings, for the limit
    int root;  // -1: none
    caromText *strings;
    const char *const *overrides;  // for the paths of problems
} caromTree;

// Zero-initialise with carom_modelfile_tree_init. carom_modelfile_tree_parse adds the nodes of one document and
// gives its root; on failure (CAROM_ERR_INPUT) problems has at least one more error. It also succeeds with errors:
// what was refused is left out.
void carom_modelfile_tree_init(caromTree *tree);
void carom_modelfile_tree_free(caromTree *tree);
caromStatus carom_modelfile_tree_parse(caromTree *tree, const char *text, size_t length, int source,
                                       caromProblems *problems, int *root);

const char *carom_modelfile_tree_copy(caromTree *tree, const char *text, size_t length);  // NULL: out of memory
int carom_modelfile_tree_add(caromTree *tree, int parent, caromNodeKind kind);  // -1: out of memory
int carom_modelfile_tree_child(const caromTree *tree, int map, const char *key, size_t length);
int carom_modelfile_tree_element(const caromTree *tree, int list, int index);
void carom_modelfile_tree_replace(caromTree *tree, int old_node, int new_node);
void carom_modelfile_tree_path(const caromTree *tree, int node, char path[CAROM_PATH_MAX]);
// The node of a builder's path, or its nearest ancestor.
int carom_modelfile_tree_find(const caromTree *tree, const char *path);

// Reports an error at a node: at its key, or at its value.
typedef enum caromSpot { CAROM_AT_KEY, CAROM_AT_VALUE } caromSpot;
void carom_modelfile_tree_error(caromTree *tree, caromProblems *problems, int node, caromSpot spot, const char *format,
                                ...)
    __attribute__((format(printf, 5, 6)));
void carom_modelfile_tree_mark_wrong(caromTree *tree, int node);
void carom_modelfile_tree_place(const caromTree *tree, int node, caromSpot spot, caromProblem *problem);
// Problems of values that an override brought: their path becomes that of the option. Of a list of numbers, or of
// points, of which overrides changed some, the one of the last override; any other node is returned as it is.
int carom_modelfile_tree_overridden(const caromTree *tree, int node);
void carom_modelfile_tree_name_override(const caromTree *tree, int node, caromProblem *problem);

// text.c: is it text at all? Reports the first byte that cannot be in a model file.
bool carom_modelfile_text_is_clean(const char *text, size_t length, caromProblems *problems);

// ---- units.c: "7.85 g/cm^3" -> 7850, density

typedef struct caromDim { double m, kg, s, rad, B; } caromDim;  // powers: most are whole, that of N/m^1.5 is not
bool carom_modelfile_dim_equal(caromDim a, caromDim b);

typedef enum caromDimId {
    CAROM_DIM_NUMBER, CAROM_DIM_LENGTH, CAROM_DIM_MASS, CAROM_DIM_TIME, CAROM_DIM_ANGLE, CAROM_DIM_VELOCITY,
    CAROM_DIM_ANGULAR_VELOCITY, CAROM_DIM_ACCELERATION, CAROM_DIM_DENSITY, CAROM_DIM_PRESSURE, CAROM_DIM_INERTIA,
    CAROM_DIM_AREA, CAROM_DIM_VOLUME, CAROM_DIM_FREQUENCY, CAROM_DIM_FORCE, CAROM_DIM_ENERGY, CAROM_DIM_POWER,
    CAROM_DIM_STIFFNESS, CAROM_DIM_MOMENTUM, CAROM_DIM_ANGULAR_ACCELERATION, CAROM_DIM_ANGULAR_MOMENTUM,
    CAROM_DIM_TORQUE,  // behind the energy, which is the name of the two in messages
    CAROM_DIM_ROTATIONAL_STIFFNESS, CAROM_DIM_DAMPING, CAROM_DIM_ROTATIONAL_DAMPING, CAROM_DIM_PITCH,
    CAROM_DIM_INVERSE_SPEED, CAROM_DIM_DATA,
    CAROM_DIM_CONTACT_STIFFNESS,  // N/m^n; behind the stiffness, which it is for n = 1
    CAROM_DIM_DRIVEN,  // of a function of time: that of what it drives
    CAROM_DIM_COUNT
} caromDimId;

typedef struct caromDimInfo {
    caromDim dim;
    const char *title;    // "a length"
    const char *si;       // "m", "" for numbers
    const char *example;  // "10 mm"
    const char *key;      // "length", for the schema
} caromDimInfo;
const caromDimInfo *carom_modelfile_dim_info(caromDimId id);

// Reads a number with or without a unit; a number alone is in SI units. On failure says why, complete with what was
// expected; example NULL: that of the dimension.
bool carom_modelfile_quantity_parse(const char *text, caromDimId expected, const char *example, double *value,
                                    char *why, size_t nwhy);

// The same of any dimension, in SI units. like: what is expected, for messages.
typedef struct caromQuantity {
    double value;
    caromDim dim;
    bool has_unit, is_zero;
} caromQuantity;
bool carom_modelfile_quantity_scan(const char *text, caromDimId like, caromQuantity *quantity, char *why, size_t nwhy);
// "expected a length such as 10 mm, got a mass ('3 kg')"; always false.
bool carom_modelfile_quantity_refuse(const char *text, const caromQuantity *quantity, caromDimId expected, char *why,
                                     size_t nwhy);

typedef struct caromUnit {
    const char *symbol;
    caromDim dim;
    double num, den;    // 1 symbol = num/den 10^exponent SI
    int exponent;
    bool has_prefixes;  // mm, km, ...
    const char *name;
} caromUnit;
const caromUnit *carom_modelfile_unit_info(int i);  // NULL behind the last
const char *carom_modelfile_unit_prefixes(void);  // "f p n u m ...", for the documentation

// ---- spell.c: what did they mean? (nearest words: base/names.h)

const char *carom_modelfile_spell_synonym(const char *word, int i);  // i-th other word for it, or NULL
// The user's text, printable, in quotes, cut at CAROM_QUOTE_MAX.
typedef struct caromQuoted { char text[4*CAROM_QUOTE_MAX + 8]; } caromQuoted;
caromQuoted carom_modelfile_quoted(const char *text);

// ---- keys.c: the table of keys

typedef enum caromSectionId {
    CAROM_IN_TOP, CAROM_IN_MATERIAL, CAROM_IN_PAIR, CAROM_IN_RESTITUTION, CAROM_IN_BODY, CAROM_IN_SHAPE,
    CAROM_IN_SHAPE_KIND,  // + caromShapeKind: keys of one kind of shape
    CAROM_IN_ORIENTATION = CAROM_IN_SHAPE_KIND + CAROM_SHAPE_KINDS,
    CAROM_IN_HEIGHTFIELD, CAROM_IN_CONTACT, CAROM_IN_SIMULATE, CAROM_IN_JOINT, CAROM_IN_SPRING, CAROM_IN_FORCE,
    CAROM_IN_FUNCTION, CAROM_IN_SINE, CAROM_IN_RAMP,
    CAROM_SECTIONS
} caromSectionId;

typedef enum caromKeyType {
    CAROM_KEY_VERSION,   // 1
    CAROM_KEY_TITLE,     // any text
    CAROM_KEY_FILE,      // name of a file                      const char *
    CAROM_KEY_NAME,      // of a material                       const char *
    CAROM_KEY_NAME_PAIR, // [material, material]                const char *[2]
    CAROM_KEY_BODY,      // of a body, or 'world'               const char *
    CAROM_KEY_BODY_PAIR, // [body, body]                        const char *[2]
    CAROM_KEY_BOOL,      // true or false                       bool
    CAROM_KEY_CHOICE,    // one of a few words                  an enum
    CAROM_KEY_NUMBER,    // with a dimension                    double
    CAROM_KEY_VECTOR,    // three of them                       caromVec3
    CAROM_KEY_QUATERNION,// four                                caromQuat
    CAROM_KEY_INERTIA,   // three or six                        caromMat3
    CAROM_KEY_PER_SPEED, // one for each speed of a joint       double[CAROM_JOINT_NV_MAX]
    CAROM_KEY_FUNCTION,  // a quantity or a function of time    caromFunctionDef
    CAROM_KEY_FUNCTIONS, // three of them                       caromFunctionDef[3]
    CAROM_KEY_TABLE,     // [[time, quantity], ...]             caromFunctionDef
    CAROM_KEY_POINTS,    // [[x, y, z], ...]                    caromPoints
    CAROM_KEY_HEIGHTS,   // [[z, z, ...], ...]                  caromHeights
    CAROM_KEY_CONTACT_STIFFNESS,  // its unit says the exponent too   caromPairDef
    CAROM_KEY_CONTACT_DAMPING,    // dimension by the kind of damping double
    CAROM_KEY_PARAMETERS,         // {name: quantity, ...}            caromPairDef
    CAROM_KEY_RESTITUTION,        // a number, an expression or a mapping   caromPairDef
    CAROM_KEY_SPEED_TABLE,        // [[speed, number], ...]           caromPairDef
    CAROM_KEY_GROUP,     // of bodies                           caromNames
    CAROM_KEY_GROUPS,    // a list of them                      caromNames
    CAROM_KEY_IGNORED,   // [[body, body], ...]                 goes to the builder
    CAROM_KEY_SECTION,   // a mapping with the keys of another section
    CAROM_KEY_NAMED,     // a mapping of names to such sections
    CAROM_KEY_LISTED     // a list of such sections
} caromKeyType;

// Which kinds of joint a key is for.
typedef enum caromSuits {
    CAROM_SUITS_ALL,
    CAROM_SUITS_COORDINATE,  // those with a coordinate or speed of this name
    CAROM_SUITS_MOVING,      // those with speeds
    CAROM_SUITS_SPRINGS,     // those with a coordinate for each speed
    CAROM_SUITS_DRIVES,      // those with one coordinate along one axis
    CAROM_SUITS_PITCH
} caromSuits;

typedef struct caromKey {
    caromSectionId in;
    const char *name;
    caromKeyType type;
    caromDimId dim;
    // For the angles of a joint, when dim is for its distances; otherwise CAROM_DIM_NUMBER.
    caromDimId dim_angle;
    caromSuits suits;
    bool required;
    size_t at;                    // where the value goes in the draft of its section
    caromSectionId opens;         // of sections
    const char *(*choice)(int i); // words of a choice, NULL behind the last; the i-th is enum value i
    // Which of them are for this key, the others are understood and refused by the builder; NULL: all.
    bool (*is_offered)(int i);
    const char *fallback;         // default, as a value or in words; NULL: none
    const char *example;
    const char *doc;              // one line
} caromKey;

typedef struct caromReader caromReader;

typedef struct caromSection {
    const char *title;      // "a sphere"
    const char *path;       // where the documentation lists its keys
    // "axis+angle|quaternion": alternatives that exclude each other, '+' joins keys that need each other, ';' starts
    // another choice
    const char *choices;
    bool choice_required;   // exactly one of them, not at most one
    const char *example;    // of sections in a list or under a name
    bool has_draft;         // its values go to a draft of its own, not to the one of the section around it
    void (*begin)(caromReader *reader, int node, void *draft);
    // false: the key's value is not read; says why
    bool (*accepts)(caromReader *reader, int node, const caromKey *key);
    void (*end)(caromReader *reader, int node, void *draft);
    const char *doc;
} caromSection;

// Rows that are written down, in four blocks; those of shapes and joints stand between them.
typedef enum caromKeyPlace {
    CAROM_KEYS_BEFORE_SHAPES, CAROM_KEYS_OF_SHAPES, CAROM_KEYS_BEHIND_SHAPES, CAROM_KEYS_BEHIND_COORDINATES
} caromKeyPlace;
typedef struct caromKeyBlock {
    const caromKey *keys;
    int n;
} caromKeyBlock;
caromKeyBlock carom_modelfile_fixed_keys(caromKeyPlace place);
// [CAROM_SECTIONS]; those of kinds of shape are to be completed
const caromSection *carom_modelfile_fixed_sections(void);

// ---- format.c: all sections and keys

typedef struct caromFormat caromFormat;
caromFormat *carom_modelfile_format_create(void);  // NULL: out of memory
void carom_modelfile_format_destroy(caromFormat *format);
const caromSection *carom_modelfile_section(const caromFormat *format, caromSectionId id);
const caromKey *carom_modelfile_key(const caromFormat *format, int i);  // NULL behind the last
const caromKey *carom_modelfile_key_find(const caromFormat *format, caromSectionId in, const char *name, size_t length);

bool carom_modelfile_is_state(const char *name, bool is_speed);  // a coordinate (a speed) of some kind of joint?

// ---- unknown.c

// "unknown key 'raduis', did you mean 'radius'?"; returns the key that was probably meant, or NULL. Of a joint, only
// keys for this kind are proposed; -1: any.
typedef struct caromUnknownKey {
    caromSectionId in;
    int joint;         // kind of the joint; -1: any
    const char *name;
} caromUnknownKey;
const caromKey *carom_modelfile_key_meant(const caromFormat *format, const caromUnknownKey *unknown, char *text,
                                          size_t n);
bool carom_key_suits(const caromKey *key, int kind);  // joint.c; kind -1: any

// ---- value.c, read.c, draft.c: tree -> definitions

typedef struct caromOrientation {
    caromVec3 axis, angles;
    double angle;
    caromQuat quaternion;
    caromQuat q;  // the result
} caromOrientation;

typedef struct caromPoints {
    caromVec3 *p;  // malloc'ed
    int n;
} caromPoints;

typedef struct caromHeights {
    double *h;  // malloc'ed   [ny][nx]
    int nx, ny;
} caromHeights;

typedef struct caromNames {
    const char **names;  // malloc'ed; the names are the tree's
    int n;
} caromNames;

// How a mesh collides.
typedef enum caromCollides { CAROM_COLLIDES_MESH, CAROM_COLLIDES_HULL, CAROM_COLLIDES_PIECES,
                             CAROM_COLLIDES_NONE } caromCollides;

typedef struct caromShapeDraft {
    caromShapeDef def;
    caromOrientation orientation;
    double size[3];        // dimensions, as the row of its kind has them; NaN: not given
    double rounding;
    caromVec3 normal;
    caromPoints vertices;
    double offset;
    const char *file;      // of a mesh or of heights; NULL: not given
    caromHeights heights;
    double cell, height, depth;  // of a height field; NaN: not given
    unsigned units;        // of its numbers: index of carom_meshfile_unit_name
    double scale;          // instead
    unsigned collides;     // caromCollides
    double tolerance;      // of pieces; NaN: not given
    double thickness;      // of a plate; 0: not given
    const caromMesh *mesh; // the reader's
} caromShapeDraft;

typedef struct caromBodyDraft {
    caromBodyDef def;
    caromOrientation orientation;
    caromNames groups;
    caromShapeDef *shapes;
    int nshape, capacity;
} caromBodyDraft;

// Coordinates and speeds of all kinds have their places in the state of a joint, as many as there may be names.
enum { CAROM_JOINT_STATE_MAX = CAROM_JOINT_KINDS*(CAROM_JOINT_NQ_MAX + CAROM_JOINT_NV_MAX) };

typedef struct caromJointDraft {
    caromJointDef def;
    bool has_kind;  // the type is known, or it is clear what was meant: keys can be read by it
    caromVec3 axis[2];
    caromOrientation orientation[2];
    double state[CAROM_JOINT_STATE_MAX];  // NaN: not given
    caromFunctionDef motion, force;
} caromJointDraft;

typedef struct caromForceDraft {
    caromForceDef def;
    unsigned frame;  // 1: body
} caromForceDraft;

typedef struct caromTopDraft {
    caromSettings settings;
} caromTopDraft;

typedef union caromDraft {
    caromMaterialDef material;
    caromPairDef pair;
    caromShapeDraft shape;
    caromBodyDraft body;
    caromJointDraft joint;
    caromSpringDef spring;
    caromForceDraft force;
} caromDraft;

// A mesh file that was read, or could not be: it is read once, however many shapes have it.
typedef struct caromMeshFile {
    const char *path;  // in the tree's strings
    double scale, thickness;
    caromMesh *mesh;   // NULL: err says why
    caromHull *hull;   // NULL: nobody has asked for it
    caromMeshPieces pieces;  // within the tolerance; n = 0: nobody has asked for them
    double tolerance;
    caromError err;
} caromMeshFile;

struct caromReader {
    caromTree tree;
    const caromFormat *format;
    const char *path;      // of the model file; NULL: no file may be opened
    caromMeshFile *meshes;
    int nmesh, mesh_capacity;
    caromProblems *problems;
    caromBuilder *builder;
    caromBodyDraft *body;    // the one being read
    caromJointDraft *joint;  // the one being read
    caromDimId driven;       // dimension of the function being read
    int *pair_index;       // place in the file of each pair the builder has
    int npair, pair_capacity;
    bool out_of_memory;
};

void carom_modelfile_reader_error(caromReader *reader, int node, caromSpot spot, const char *format,
                                  ...) __attribute__((format(printf, 4, 5)));
void carom_modelfile_reader_warning(caromReader *reader, int node, caromSpot spot, const char *format,
                                    ...) __attribute__((format(printf, 4, 5)));
// Value.c, all but sections.
void carom_modelfile_read_value(caromReader *reader, int node, const caromKey *key, void *field);
bool carom_modelfile_read_number(caromReader *reader, int node, caromDimId dim, const char *example, double *value);
// function.c
void carom_modelfile_read_function(caromReader *reader, int node, caromDimId dim, caromFunctionDef *function);
void carom_modelfile_read_functions(caromReader *reader, int node, const caromKey *key, caromFunctionDef function[3]);
void carom_modelfile_read_table(caromReader *reader, int node, const caromKey *key, caromFunctionDef *function);
void carom_modelfile_read_speed_table(caromReader *reader, int node, caromPairDef *pair);
void carom_modelfile_read_groups(caromReader *reader, int node, const caromKey *key, caromNames *groups);  // groups.c
void carom_modelfile_read_ignored(caromReader *reader, int node, const caromKey *key);
void carom_modelfile_read_contact_stiffness(caromReader *reader, int node, caromPairDef *pair);          // pair.c
void carom_modelfile_read_contact_damping(caromReader *reader, int node, double *coefficient);
void carom_modelfile_read_parameters(caromReader *reader, int node, const caromKey *key, caromPairDef *pair);
void carom_modelfile_read_restitution(caromReader *reader, int node, const caromKey *key, caromPairDef *pair);
// Joint.c.
void carom_modelfile_read_per_speed(caromReader *reader, int node, const caromKey *key,
                                    double values[CAROM_JOINT_NV_MAX]);
void carom_modelfile_read_for_joint(caromReader *reader, int node, const caromKey *key, double *value);
caromDimId carom_modelfile_joint_dim(caromReader *reader, const caromKey *key, int speed);
const char *carom_modelfile_got(const caromNode *node, caromQuoted *quoted);  // "a list", "nothing", "'text'"
bool carom_modelfile_name_is_good(const char *name);                                     // as model.h has it
// The k-th that is offered; NULL behind the last.
const char *carom_modelfile_choice_offered(const caromKey *key, int k);
int carom_modelfile_choice_find(const caromKey *key, const char *text);  // the word's place; -1: unknown
int carom_modelfile_choice_meant(const caromKey *key, const char *text);  // that of the word that was probably meant
void carom_modelfile_read_section(caromReader *reader, int node, caromSectionId id, void *draft);  // read.c

void carom_draft_material_begin(caromReader *reader, int node, void *draft);
void carom_draft_material_end(caromReader *reader, int node, void *draft);
void carom_draft_pair_begin(caromReader *reader, int node, void *draft);
void carom_draft_pair_end(caromReader *reader, int node, void *draft);
void carom_draft_body_begin(caromReader *reader, int node, void *draft);
void carom_draft_body_end(caromReader *reader, int node, void *draft);
void carom_draft_shape_begin(caromReader *reader, int node, void *draft);
void carom_draft_shape_end(caromReader *reader, int node, void *draft);
void carom_draft_orientation_begin(caromReader *reader, int node, void *draft);
void carom_draft_orientation_end(caromReader *reader, int node, void *draft);
// Its hull or mesh now belongs to the body's draft.
void carom_modelfile_keep_shape(caromReader *reader, const caromShapeDef *def);
// Turns z to a direction, of any length but 0; exact along the axes.
caromQuat carom_modelfile_from_z_to(caromVec3 direction);
bool carom_modelfile_is_direction(caromReader *reader, int node, const char *key, caromVec3 direction,
                                  const char *what);
bool carom_modelfile_normalise(caromReader *reader, int node, const char *key, caromQuat *q);

void carom_draft_joint_begin(caromReader *reader, int node, void *draft);
bool carom_draft_joint_accepts(caromReader *reader, int node, const caromKey *key);
void carom_draft_joint_end(caromReader *reader, int node, void *draft);
void carom_draft_spring_begin(caromReader *reader, int node, void *draft);
void carom_draft_spring_end(caromReader *reader, int node, void *draft);
void carom_draft_force_begin(caromReader *reader, int node, void *draft);
void carom_draft_force_end(caromReader *reader, int node, void *draft);
void carom_draft_function_begin(caromReader *reader, int node, void *draft);
void carom_draft_function_end(caromReader *reader, int node, void *draft);

#define CAROM_MESH_FORMATS "STL, OBJ, PLY, glTF or 3MF"  // what meshfile.c reads, for messages and documentation

// meshes.c: shapes from mesh files
// false: it cannot be had, which was reported
bool carom_modelfile_finish_mesh(caromReader *reader, int node, caromShapeDraft *draft);
// What touches for the mesh of a shape.
void carom_modelfile_keep_stand_ins(caromReader *reader, int node, const caromShapeDraft *draft);
void carom_modelfile_reader_free_meshes(caromReader *reader);

// The path of a file that the model names, in the tree's strings; NULL: out of memory.
const char *carom_modelfile_beside(caromReader *reader, const char *file);

// heightfield.c
#define CAROM_HEIGHT_FORMATS "PGM, PNG or CSV"
void carom_modelfile_read_heights(caromReader *reader, int node, const caromKey *key, caromHeights *heights);
// false: it cannot be had, which was reported
bool carom_modelfile_finish_heightfield(caromReader *reader, int node, caromShapeDraft *draft);

// override.c: "path=value"
void carom_modelfile_override_apply(caromReader *reader, const char *const *overrides, int index);
// "--set PATH" for problems, cut when it is too long
void carom_modelfile_override_path(const char *override, char path[CAROM_PATH_MAX]);

// schema.c
char *carom_modelfile_reference(void);  // the tables of docs/model-format.md; free() it

#endif
