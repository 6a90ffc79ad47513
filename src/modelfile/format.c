// All sections and keys of the format: those of keys.c, and between them those that the rows of shapes and joints give.
// A new kind of shape or joint brings its keys along.
//
// Everything is written twice: first to count keys and letters, then into one block of memory of that size.
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/joint.h"
#include "modelfile/modelfile.h"

struct caromFormat {
    caromSection sections[CAROM_SECTIONS];
    int nkey;
    caromKey *keys;  // NULL: they are counted
    char *text;      // titles, paths and explanations that are put together; likewise
    size_t length;
    int nstate;      // places in caromJointDraft.state
};

static void add_key(caromFormat *f, caromKey key)
{
    if (f->keys) f->keys[f->nkey] = key;
    f->nkey++;
}

static const char *add_text(caromFormat *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *add_text(caromFormat *f, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t size = (size_t)n < sizeof text ? (size_t)n + 1 : sizeof text, at = f->length;
    if (f->text) memcpy(f->text + at, text, size);
    f->length += size;
    return f->text ? f->text + at : "";
}

static void add_fixed(caromFormat *f, caromKeyPlace place)
{
    caromKeyBlock block = carom_modelfile_fixed_keys(place);
    for (int i = 0; i < block.n; i++) add_key(f, block.keys[i]);
}

// ---- shapes

static caromSectionId section_of(int kind)
{
    return (caromSectionId)(CAROM_IN_SHAPE_KIND + kind);
}

static void add_kinds_of_shape(caromFormat *f)
{
    char choices[400];
    size_t used = 0;
    for (int k = 0; k < CAROM_SHAPE_KINDS; k++) {
        const caromShapeRow *row = carom_shape_row((caromShapeKind)k);
        caromSection *section = &f->sections[section_of(k)];
        section->title = add_text(f, "%s %s", strchr("aeiou", row->name[0]) ? "an" : "a", row->name);
        section->path = add_text(f, "bodies.NAME.shape.%s", row->name);
        section->doc = row->doc;
        add_key(f, (caromKey){ CAROM_IN_SHAPE, row->name, CAROM_KEY_SECTION, .opens = section_of(k),
                               .example = row->example, .doc = row->doc });
        if (used < sizeof choices)
            used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s", k ? "|" : "", row->name);
    }
    f->sections[CAROM_IN_SHAPE].choices = add_text(f, "%s|heightfield", choices);
}

static void add_dimensions(caromFormat *f, int kind, const caromShapeRow *row)
{
    for (int i = 0; i < 3 && row->dimensions[i].name; i++) {
        const caromDimension *d = &row->dimensions[i];
        size_t at = offsetof(caromShapeDraft, size) + (size_t)i*sizeof(double);
        add_key(f, (caromKey){ section_of(kind), d->name, row->is_vector ? CAROM_KEY_VECTOR : CAROM_KEY_NUMBER,
                               CAROM_DIM_LENGTH, .required = !d->may_be_zero, .fallback = d->may_be_zero ? "0" : NULL,
                               .at = at,
                               .example = d->example, .doc = d->doc });
    }
}

static void add_rounding(caromFormat *f, int kind, const caromShapeRow *row)
{
    add_key(f, (caromKey){ section_of(kind), "rounding", CAROM_KEY_NUMBER, CAROM_DIM_LENGTH,
                           .at = offsetof(caromShapeDraft, rounding), .fallback = "0", .example = "1 mm",
                           .doc = row->rounding });
}

// Roundings without effect stand behind the others: the first is named where a rounding stands in the wrong place.
static void add_keys_of_shapes(caromFormat *f)
{
    for (int k = 0; k < CAROM_SHAPE_KINDS; k++) {
        const caromShapeRow *row = carom_shape_row((caromShapeKind)k);
        add_dimensions(f, k, row);
        if (row->rounding && row->has_edges) add_rounding(f, k, row);
    }
    for (int k = 0; k < CAROM_SHAPE_KINDS; k++) {
        const caromShapeRow *row = carom_shape_row((caromShapeKind)k);
        if (row->rounding && !row->has_edges) add_rounding(f, k, row);
    }
}

// ---- joints

typedef struct Coordinates {
    const caromCoordinate *items;
    int n;
} Coordinates;

static Coordinates coordinates_of(int kind, bool is_speed)
{
    const caromJointRow *row = carom_model_joint_row((caromJointKind)kind);
    return is_speed ? (Coordinates){ row->v, row->nv } : (Coordinates){ row->q, row->nq };
}

// "position" of "position.x"
static bool has_same_key(const char *a, const char *b)
{
    size_t n = strcspn(a, ".");
    return strcspn(b, ".") == n && strncmp(a, b, n) == 0;
}

static bool has_coordinate(int kind, bool is_speed, const char *name)
{
    Coordinates c = coordinates_of(kind, is_speed);
    for (int i = 0; i < c.n; i++)
        if (has_same_key(c.items[i].name, name)) return true;
    return false;
}

static bool is_first_of(int kind, bool is_speed, int i)
{
    const char *name = coordinates_of(kind, is_speed).items[i].name;
    for (int k = 0; k < kind; k++)
        if (has_coordinate(k, is_speed, name)) return false;
    return true;
}

static int count_components(Coordinates c, int i)
{
    int n = 1;
    while (i + n < c.n && has_same_key(c.items[i].name, c.items[i + n].name)) n++;
    return n;
}

static const char *list_kinds(caromFormat *f, const caromCoordinate *c, bool is_speed)
{
    char kinds[300];
    size_t used = 0;
    for (int k = 0; k < CAROM_JOINT_KINDS; k++) {
        const char *name = carom_model_joint_kind_name((caromJointKind)k);
        if (has_coordinate(k, is_speed, c->name) && used < sizeof kinds)
            used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%s", used ? ", " : "", name);
    }
    return add_text(f, "%s: %s.", c->doc, kinds);
}

static caromDimId dimension_of(const char *unit)
{
    static const struct { const char *unit; caromDimId dim; } dims[] = {
        { "rad", CAROM_DIM_ANGLE }, { "m", CAROM_DIM_LENGTH },
        { "rad/s", CAROM_DIM_ANGULAR_VELOCITY }, { "m/s", CAROM_DIM_VELOCITY },
    };
    for (size_t i = 0; i < sizeof dims/sizeof dims[0]; i++)
        if (strcmp(dims[i].unit, unit) == 0) return dims[i].dim;
    return CAROM_DIM_NUMBER;
}

static const char *example_of(caromDimId dim, int components)
{
    bool is_vector = components == 3;
    switch (dim) {
    case CAROM_DIM_ANGLE: return "30 deg";
    case CAROM_DIM_LENGTH: return is_vector ? "[0, 0, 1 m]" : "10 mm";
    case CAROM_DIM_ANGULAR_VELOCITY: return is_vector ? "[0, 0, 60 rpm]" : "10 rpm";
    case CAROM_DIM_VELOCITY: return is_vector ? "[0.5, 0, 0]" : "0.5 m/s";
    default: return "[1, 0, 0, 0]";
    }
}

static void add_coordinate(caromFormat *f, int kind, bool is_speed, int i)
{
    Coordinates all = coordinates_of(kind, is_speed);
    const caromCoordinate *c = &all.items[i];
    int n = count_components(all, i);
    caromDimId dim = dimension_of(c->unit);
    add_key(f, (caromKey){ CAROM_IN_JOINT, add_text(f, "%.*s", (int)strcspn(c->name, "."), c->name),
                           n == 4 ? CAROM_KEY_QUATERNION : n == 3 ? CAROM_KEY_VECTOR : CAROM_KEY_NUMBER, dim,
                           .suits = CAROM_SUITS_COORDINATE,
                           .at = offsetof(caromJointDraft, state) + (size_t)f->nstate*sizeof(double),
                           .fallback = n == 4 ? "[1, 0, 0, 0]" : n == 3 ? "[0, 0, 0]" : "0",
                           .example = example_of(dim, n),
                           .doc = list_kinds(f, c, is_speed) });
    f->nstate += n;
}

// Each name once, where the first kind has it.
static void add_coordinates(caromFormat *f, bool is_speed)
{
    for (int k = 0; k < CAROM_JOINT_KINDS; k++) {
        Coordinates c = coordinates_of(k, is_speed);
        for (int i = 0; i < c.n; i += count_components(c, i))
            if (is_first_of(k, is_speed, i)) add_coordinate(f, k, is_speed, i);
    }
}

bool carom_modelfile_is_state(const char *name, bool is_speed)
{
    for (int k = 0; k < CAROM_JOINT_KINDS; k++)
        if (has_coordinate(k, is_speed, name)) return true;
    return false;
}

// ---- all

static void write(caromFormat *f)
{
    memcpy(f->sections, carom_modelfile_fixed_sections(), sizeof f->sections);
    add_fixed(f, CAROM_KEYS_BEFORE_SHAPES);
    add_kinds_of_shape(f);
    add_fixed(f, CAROM_KEYS_OF_SHAPES);
    add_keys_of_shapes(f);
    add_fixed(f, CAROM_KEYS_BEHIND_SHAPES);
    add_coordinates(f, false);
    add_coordinates(f, true);
    add_fixed(f, CAROM_KEYS_BEHIND_COORDINATES);
}

caromFormat *carom_modelfile_format_create(void)
{
    caromFormat counted = { 0 };
    write(&counted);
    size_t keys = (size_t)counted.nkey*sizeof(caromKey);
    caromFormat *f = calloc(1, sizeof *f + keys + counted.length);
    if (!f) return NULL;
    f->keys = (caromKey *)(f + 1);
    f->text = (char *)f->keys + keys;
    write(f);
    return f;
}

void carom_modelfile_format_destroy(caromFormat *format)
{
    free(format);
}

const caromSection *carom_modelfile_section(const caromFormat *format, caromSectionId id)
{
    return &format->sections[id];
}

const caromKey *carom_modelfile_key(const caromFormat *format, int i)
{
    return i >= 0 && i < format->nkey ? &format->keys[i] : NULL;
}

const caromKey *carom_modelfile_key_find(const caromFormat *format, caromSectionId in, const char *name, size_t length)
{
    for (int i = 0; i < format->nkey; i++) {
        const caromKey *key = &format->keys[i];
        if (key->in == in && strncmp(key->name, name, length) == 0 && key->name[length] == '\0') return key;
    }
    return NULL;
}
