// 3MF [3MF21]: a ZIP archive with a model in XML: objects are meshes or made of objects before them, the build places
// some of them. It says its units, and z is up.
#include <expat.h>

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "modelfile/meshfile_zip.h"

#define CORE "http://schemas.microsoft.com/3dmanufacturing/core/2015/02|"
#define PRODUCTION_PATH "http://schemas.microsoft.com/3dmanufacturing/production/2015/06|path"
#define RELATION "http://schemas.openxmlformats.org/package/2006/relationships|Relationship"
#define MODEL_TYPE "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"

// Objects that are made of objects twice over and over could ask for any number: so many may be placed, and so many
// triangles beyond the bytes of the file.
enum { PLACED_MAX = 1000000, REPEATED_MAX = 4000000, PATH_SIZE = 256 };

// Objects are looked for from the last one back; files that are no attack find theirs within this, a second of it.
#define STEPS_MAX 1000000000

typedef struct List3mf {
    void *items;
    int n, capacity;
    size_t size;
} List3mf;

// p M: rows of R are where the axes go.
typedef struct Place3mf {
    caromVec3 x, y, z, origin;
} Place3mf;

typedef struct Object3mf {
    uint32_t id;
    int vertex, nvertex, triangle, ntriangle, part, npart;
} Object3mf;

typedef struct Part3mf {
    int object;
    Place3mf place;
} Part3mf;

typedef struct Triangle3mf {
    int v[3];
} Triangle3mf;

typedef struct Reader3mf {
    caromMeshDraft *draft;
    XML_Parser parser;
    const char *member;
    char target[PATH_SIZE];  // of the model within the archive
    List3mf objects, vertices, triangles, parts, build, stack;
    double unit;
    bool has_failed;         // and said so
    int64_t steps;           // of looking for objects
} Reader3mf;

static bool fail(Reader3mf *r, const char *what)
{
    char place[PATH_SIZE + 40];
    if (r->has_failed) return false;
    snprintf(place, sizeof place, ", %s:%lu", r->member, (unsigned long)XML_GetCurrentLineNumber(r->parser));
    r->has_failed = true;
    XML_StopParser(r->parser, XML_FALSE);
    return carom_meshfile_fail_place(r->draft, place, "%s", what);
}

// Zero; NULL: out of memory, which was said.
static void *add(Reader3mf *r, List3mf *list, size_t size)
{
    list->size = size;
    if (list->n == list->capacity) {
        int capacity = list->capacity ? 2*list->capacity : 16;
        void *larger = list->n < INT32_MAX/4 ? realloc(list->items, (size_t)capacity*size) : NULL;
        if (!larger) {
            carom_fail(r->draft->err, CAROM_ERR_MEMORY, r->draft->name, "out of memory at %d items", list->n);
            r->has_failed = true;
            if (r->parser) XML_StopParser(r->parser, XML_FALSE);
            return NULL;
        }
        list->items = larger;
        list->capacity = capacity;
    }
    return memset((char *)list->items + (size_t)list->n++*size, 0, size);
}

// ---- attributes

static const char *attribute(const char **attributes, const char *name)
{
    for (int i = 0; attributes[i]; i += 2)
        if (strcmp(attributes[i], name) == 0) return attributes[i + 1];
    return NULL;
}

static bool read_number(Reader3mf *r, const char **attributes, const char *name, double *value)
{
    const char *text = attribute(attributes, name);
    if (text && carom_meshfile_word_number((caromWord){ text, strlen(text), 0 }, value)) return true;
    char message[96];
    snprintf(message, sizeof message, "expected a finite number %s=\"0.5\"", name);
    return fail(r, message);
}

static bool read_whole(Reader3mf *r, const char **attributes, const char *name, double most, double *value)
{
    if (!read_number(r, attributes, name, value)) return false;
    if (*value >= 0.0 && *value <= most && *value == floor(*value)) return true;
    char message[96];
    snprintf(message, sizeof message, "%s is %g, expected a whole number from 0 to %.0f", name, *value, most);
    return fail(r, message);
}

// Twelve numbers, blanks between; none: where it is.
static bool read_place(Reader3mf *r, const char **attributes, Place3mf *place)
{
    double m[12] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    const char *text = attribute(attributes, "transform");
    for (int i = 0; text && i < 12; i++) {
        text += strspn(text, " \t\r\n");
        size_t n = strcspn(text, " \t\r\n");
        char word[80];
        if (n == 0 || n >= sizeof word) return fail(r, "expected 12 numbers in transform");
        memcpy(word, text, n);
        word[n] = '\0';
        if (!carom_meshfile_word_number((caromWord){ word, n, 0 }, &m[i]))
            return fail(r, "expected 12 numbers in transform");
        text += n;
    }
    *place = (Place3mf){ carom_vec(m[0], m[1], m[2]), carom_vec(m[3], m[4], m[5]), carom_vec(m[6], m[7], m[8]),
                         carom_vec(m[9], m[10], m[11]) };
    return true;
}

// ---- elements

static bool begin_model(Reader3mf *r, const char **attributes)
{
    static const struct { const char *name; double metres; } units[] = {
        { "micron", 1e-6 }, { "millimeter", 1e-3 }, { "centimeter", 1e-2 }, { "inch", 0.0254 }, { "foot", 0.3048 },
        { "meter", 1.0 },
    };
    const char *unit = attribute(attributes, "unit");
    for (size_t i = 0; i < sizeof units/sizeof units[0]; i++)
        if (strcmp(unit ? unit : "millimeter", units[i].name) == 0) r->unit = units[i].metres;
    return r->unit > 0.0 || fail(r, "has a unit that 3MF does not have");
}

static bool begin_object(Reader3mf *r, const char **attributes)
{
    double id;
    if (!read_whole(r, attributes, "id", 2147483647.0, &id)) return false;
    Object3mf *o = add(r, &r->objects, sizeof *o);
    if (!o) return false;
    *o = (Object3mf){ .id = (uint32_t)id, .vertex = r->vertices.n, .triangle = r->triangles.n, .part = r->parts.n };
    return true;
}

static Object3mf *last_object(Reader3mf *r)
{
    return r->objects.n > 0 ? (Object3mf *)r->objects.items + r->objects.n - 1 : NULL;
}

static bool begin_vertex(Reader3mf *r, const char **attributes)
{
    Object3mf *o = last_object(r);
    double p[3];
    static const char *const axes[] = { "x", "y", "z" };
    if (!o) return fail(r, "has a vertex outside of an object");
    for (int k = 0; k < 3; k++)
        if (!read_number(r, attributes, axes[k], &p[k])) return false;
    caromVec3 *v = add(r, &r->vertices, sizeof *v);
    if (!v) return false;
    *v = carom_vec(p[0], p[1], p[2]);
    o->nvertex++;
    return true;
}

static bool begin_triangle(Reader3mf *r, const char **attributes)
{
    Object3mf *o = last_object(r);
    static const char *const names[] = { "v1", "v2", "v3" };
    if (!o || o->nvertex == 0) return fail(r, "has a triangle before the vertices of its object");
    Triangle3mf *t = add(r, &r->triangles, sizeof *t);
    if (!t) return false;
    for (int k = 0; k < 3; k++) {
        double v;
        if (!read_whole(r, attributes, names[k], o->nvertex - 1, &v)) return false;
        t->v[k] = (int)v;
    }
    o->ntriangle++;
    return true;
}

// Objects before this one only, so that none is part of itself.
static bool read_part(Reader3mf *r, const char **attributes, int nobject, Part3mf *part)
{
    double id;
    if (attribute(attributes, PRODUCTION_PATH))
        return fail(r, "has objects in several files (the production extension), which is not read: save it as one, "
                    "or as STL");
    if (!read_whole(r, attributes, "objectid", 2147483647.0, &id) || !read_place(r, attributes, &part->place))
        return false;
    const Object3mf *objects = r->objects.items;
    for (part->object = nobject - 1; part->object >= 0; part->object--, r->steps++)
        if (objects[part->object].id == (uint32_t)id) return true;
        else if (r->steps > STEPS_MAX) return fail(r, "has too many objects that name each other");
    return fail(r, "names an object that does not stand before it");
}

static bool begin_component(Reader3mf *r, const char **attributes)
{
    Object3mf *o = last_object(r);
    if (!o) return fail(r, "has a component outside of an object");
    Part3mf *part = add(r, &r->parts, sizeof *part);
    if (!part || !read_part(r, attributes, r->objects.n - 1, part)) return false;
    o->npart++;
    return true;
}

static bool begin_item(Reader3mf *r, const char **attributes)
{
    Part3mf *part = add(r, &r->build, sizeof *part);
    return part && read_part(r, attributes, r->objects.n, part);
}

static const struct { const char *name; bool (*begin)(Reader3mf *r, const char **attributes); } elements[] = {
    { CORE "vertex", begin_vertex }, { CORE "triangle", begin_triangle }, { CORE "component", begin_component },
    { CORE "object", begin_object }, { CORE "item", begin_item }, { CORE "model", begin_model },
};

static void begin_element(void *user, const char *name, const char **attributes)
{
    Reader3mf *r = user;
    for (size_t i = 0; i < sizeof elements/sizeof elements[0] && !r->has_failed; i++)
        if (strcmp(name, elements[i].name) == 0) {
            elements[i].begin(r, attributes);
            return;
        }
}

static void begin_relation(void *user, const char *name, const char **attributes)
{
    Reader3mf *r = user;
    const char *type = attribute(attributes, "Type"), *target = attribute(attributes, "Target");
    if (strcmp(name, RELATION) != 0 || !type || strcmp(type, MODEL_TYPE) != 0 || !target) return;
    if (strlen(target) >= sizeof r->target) fail(r, "has a name that is too long");
    else strcpy(r->target, target);
}

// A document type may define entities that grow without end; no 3MF file has one.
static void refuse_doctype(void *user, const char *name, const char *system, const char *public, int has_internal)
{
    (void)name, (void)system, (void)public, (void)has_internal;
    fail(user, "has a document type, which 3MF does not allow");
}

// ---- members of the archive

static bool take_piece(void *user, const char *bytes, size_t n, bool is_last)
{
    Reader3mf *r = user;
    if (XML_Parse(r->parser, bytes, (int)n, is_last) != XML_STATUS_ERROR) return true;
    char message[160];
    snprintf(message, sizeof message, "is not XML: %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
    return fail(r, message);
}

static bool parse_member(Reader3mf *r, const caromZipMember *member,
                         void (*begin)(void *user, const char *name, const char **attributes))
{
    r->member = member->name;
    r->parser = XML_ParserCreateNS(NULL, '|');
    if (!r->parser) {
        carom_fail(r->draft->err, CAROM_ERR_MEMORY, r->draft->name, "out of memory");
        return false;
    }
    XML_SetUserData(r->parser, r);
    XML_SetStartElementHandler(r->parser, begin);
    XML_SetStartDoctypeDeclHandler(r->parser, refuse_doctype);
    bool is_good = carom_meshfile_zip_read(r->draft, member, take_piece, r);
    XML_ParserFree(r->parser);
    r->parser = NULL;
    return is_good && !r->has_failed;
}

static bool parse_model(Reader3mf *r)
{
    caromZipMember member;
    strcpy(r->target, "3D/3dmodel.model");
    int found = carom_meshfile_zip_find(r->draft, "_rels/.rels", &member);
    if (found < 0 || (found > 0 && !parse_member(r, &member, begin_relation))) return false;
    found = carom_meshfile_zip_find(r->draft, r->target, &member);
    if (found == 0)
        return carom_meshfile_fail_byte(r->draft, 0, "is a ZIP archive without a 3MF model in it (%.80s)", r->target);
    return found > 0 && parse_member(r, &member, begin_element);
}

// ---- the build

static caromVec3 placed(const Place3mf *m, caromVec3 p)
{
    return carom_add(carom_axpy(p.x, m->x, carom_axpy(p.y, m->y, carom_scale(p.z, m->z))), m->origin);
}

static Place3mf turned(const Place3mf *m, caromVec3 along)
{
    caromVec3 none = { 0, 0, 0 };
    Place3mf still = *m;
    still.origin = none;
    return (Place3mf){ .origin = placed(&still, along) };
}

static Place3mf chained(const Place3mf *outer, const Place3mf *inner)
{
    return (Place3mf){ turned(outer, inner->x).origin, turned(outer, inner->y).origin, turned(outer, inner->z).origin,
                       placed(outer, inner->origin) };
}

static bool add_mesh(Reader3mf *r, const Object3mf *o, const Place3mf *place)
{
    caromMeshDraft *draft = r->draft;
    const caromVec3 *v = r->vertices.items;
    const Triangle3mf *t = r->triangles.items;
    int first = draft->nvertex;
    bool is_mirrored = carom_dot(place->x, carom_cross(place->y, place->z)) < 0.0;
    if ((double)draft->nvertex + o->nvertex > (double)r->vertices.n + REPEATED_MAX ||
        (double)draft->ntriangle + o->ntriangle > (double)r->triangles.n + REPEATED_MAX)
        return carom_meshfile_fail_place(draft, "", "repeats objects until they have more than 4 million triangles or "
                                         "vertices beyond its own: make it coarser");
    for (int i = o->vertex; i < o->vertex + o->nvertex; i++) {
        caromVec3 p = carom_scale(draft->scale*r->unit, placed(place, v[i]));
        if (!carom_meshfile_is_near(p))
            return carom_meshfile_fail_place(draft, "", "vertex %d of object %lu is at [%g, %g, %g] m: coordinates "
                                             "must be finite and below %g", i - o->vertex, (unsigned long)o->id, p.x,
                                             p.y, p.z, CAROM_MESH_SIZE_MAX);
        if (!carom_meshfile_add_vertex(draft, p)) return false;
    }
    for (int i = o->triangle; i < o->triangle + o->ntriangle; i++) {
        int a = first + t[i].v[0], b = first + t[i].v[1], c = first + t[i].v[2];
        if (!carom_meshfile_add_triangle(draft, a, is_mirrored ? c : b, is_mirrored ? b : c, 0)) return false;
    }
    return true;
}

static bool push(Reader3mf *r, const List3mf *parts, int first, int n, const Place3mf *place)
{
    for (int i = first + n - 1; i >= first; i--) {
        Part3mf *next = add(r, &r->stack, sizeof *next);
        if (!next) return false;
        *next = ((const Part3mf *)parts->items)[i];
        next->place = chained(place, &next->place);
    }
    return true;
}

static bool place_all(Reader3mf *r)
{
    const Place3mf here = { carom_vec(1, 0, 0), carom_vec(0, 1, 0), carom_vec(0, 0, 1), carom_vec(0, 0, 0) };
    if (!push(r, &r->build, 0, r->build.n, &here)) return false;
    for (int count = 0; r->stack.n > 0; count++) {
        Part3mf part = ((Part3mf *)r->stack.items)[--r->stack.n];
        const Object3mf *o = (const Object3mf *)r->objects.items + part.object;
        if (count + r->stack.n + o->npart > PLACED_MAX)
            return carom_meshfile_fail_place(r->draft, "", "places more than %d objects", PLACED_MAX);
        if (!add_mesh(r, o, &part.place) || !push(r, &r->parts, o->part, o->npart, &part.place)) return false;
    }
    if (r->draft->ntriangle > 0) return true;
    return carom_meshfile_fail_place(r->draft, "", "builds no triangles: export it again");
}

static bool read(caromMeshDraft *draft)
{
    Reader3mf r = { .draft = draft };
    bool is_good = parse_model(&r) && place_all(&r);
    draft->unit = r.unit;
    List3mf *lists[] = { &r.objects, &r.vertices, &r.triangles, &r.parts, &r.build, &r.stack };
    for (size_t i = 0; i < sizeof lists/sizeof lists[0]; i++) free(lists[i]->items);
    return is_good;
}

static bool is_mine(const caromMeshDraft *draft)
{
    return draft->length >= 4 && memcmp(draft->bytes, "PK\3\4", 4) == 0;
}

const caromMeshReader carom_meshfile_reader_3mf = { is_mine, NULL, read };
