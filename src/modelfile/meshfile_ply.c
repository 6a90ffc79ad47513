// PLY [Turk94]: a header of text names elements, how many there are and the properties of each in their order; then
// come their values, as text or as bytes of either order. What is wanted is x, y and z of 'vertex', the list of corners
// of 'face', and the strips that range scanners wrote; everything else is passed over.
#include <stdio.h>
#include <string.h>

#include "modelfile/meshfile.h"

// More elements and properties than any file has; lists of what is in a header need no memory then.
enum { ELEMENTS_MAX = 32, PROPERTIES_MAX = 512, SCALARS = 16 };

typedef enum PlyForm { PLY_TEXT, PLY_LITTLE, PLY_BIG } PlyForm;

typedef struct PlyType {
    const char *name;
    int size;             // bytes
    bool is_signed, is_float;
} PlyType;

static const PlyType types[SCALARS] = {
    { "char", 1, true, false },   { "int8", 1, true, false },      { "uchar", 1, false, false },
    { "uint8", 1, false, false }, { "short", 2, true, false },     { "int16", 2, true, false },
    { "ushort", 2, false, false }, { "uint16", 2, false, false },  { "int", 4, true, false },
    { "int32", 4, true, false },  { "uint", 4, false, false },     { "uint32", 4, false, false },
    { "float", 4, true, true },   { "float32", 4, true, true },    { "double", 8, true, true },
    { "float64", 8, true, true },
};

typedef enum PlyRole { PLY_OTHER, PLY_X, PLY_Y, PLY_Z, PLY_CORNERS, PLY_STRIPS } PlyRole;

typedef struct PlyProperty {
    const PlyType *type, *count_type;  // count_type: of a list; NULL: one value
    PlyRole role;
} PlyProperty;

typedef struct PlyElement {
    caromWord name;
    uint64_t count;
    int first, n;         // of its properties
    uint64_t least;       // bytes of a row, at least
} PlyElement;

typedef struct Ply {
    caromMeshDraft *draft;
    caromWords words;     // also where the values of a binary file are
    PlyForm form;
    PlyElement elements[ELEMENTS_MAX];
    PlyProperty properties[PROPERTIES_MAX];
    int nelement, nproperty;
    int face;             // number of the one that is read, from 1; 0: none yet
} Ply;

// ---- header

static bool fail_here(Ply *ply, caromWord word, const char *expected)
{
    return carom_meshfile_fail_line(ply->draft, word.line, "the header of this PLY file: expected %s, found %s",
                                    expected, word.length > 0 ? carom_meshfile_word_text(word).text
                                                              : "the end of the line");
}

static bool read_form(Ply *ply)
{
    static const char *const forms[] = { "ascii", "binary_little_endian", "binary_big_endian" };
    caromWord word = carom_meshfile_word_in_line(&ply->words);
    for (int i = 0; i < 3; i++) {
        if (!carom_meshfile_word_is(word, forms[i])) continue;
        ply->form = (PlyForm)i;
        return true;
    }
    return fail_here(ply, word, "'ascii', 'binary_little_endian' or 'binary_big_endian'");
}

static bool read_element(Ply *ply)
{
    if (ply->nelement == ELEMENTS_MAX)
        return carom_meshfile_fail_line(ply->draft, ply->words.line, "the header of this PLY file has more than %d "
                                        "elements", ELEMENTS_MAX);
    PlyElement *e = &ply->elements[ply->nelement++];
    *e = (PlyElement){ .name = carom_meshfile_word_in_line(&ply->words), .first = ply->nproperty };
    caromWord word = carom_meshfile_word_in_line(&ply->words);
    double count;
    if (e->name.length == 0) return fail_here(ply, e->name, "the name of an element and how many there are");
    if (!carom_meshfile_word_number(word, &count) || count < 0.0 || count != floor(count) || count > 4294967295.0)
        return fail_here(ply, word, "how many there are of this element, such as 8");
    e->count = (uint64_t)count;
    return true;
}

static const PlyType *type_of(caromWord word)
{
    for (int i = 0; i < SCALARS; i++)
        if (carom_meshfile_word_is(word, types[i].name)) return &types[i];
    return NULL;
}

static const PlyType *read_type(Ply *ply, caromWord word)
{
    const PlyType *type = type_of(word);
    if (!type) fail_here(ply, word, "a type such as float, uchar or int32");
    return type;
}

static PlyRole role_of(const PlyElement *e, caromWord name, bool is_list)
{
    static const char *const axes[] = { "x", "y", "z" };
    bool is_corners = carom_meshfile_word_is(name, "vertex_indices") || carom_meshfile_word_is(name, "vertex_index");
    if (is_list)
        return !is_corners ? PLY_OTHER : carom_meshfile_word_is(e->name, "face") ? PLY_CORNERS
               : carom_meshfile_word_is(e->name, "tristrips") ? PLY_STRIPS : PLY_OTHER;
    for (int k = 0; k < 3 && carom_meshfile_word_is(e->name, "vertex"); k++)
        if (carom_meshfile_word_is(name, axes[k])) return (PlyRole)(PLY_X + k);
    return PLY_OTHER;
}

static bool read_list_types(Ply *ply, PlyProperty *p)
{
    caromWord word = carom_meshfile_word_in_line(&ply->words);
    if (!(p->count_type = read_type(ply, word))) return false;
    if (p->count_type->is_float) return fail_here(ply, word, "a whole type for the count of a list, such as uchar");
    return (p->type = read_type(ply, carom_meshfile_word_in_line(&ply->words))) != NULL;
}

static bool read_property(Ply *ply)
{
    if (ply->nelement == 0 || ply->nproperty == PROPERTIES_MAX)
        return carom_meshfile_fail_line(ply->draft, ply->words.line, "the header of this PLY file has %s",
                                        ply->nelement == 0 ? "a property before the first element"
                                                           : "more than 512 properties");
    PlyElement *e = &ply->elements[ply->nelement - 1];
    PlyProperty *p = &ply->properties[ply->nproperty++];
    *p = (PlyProperty){ 0 };
    caromWord word = carom_meshfile_word_in_line(&ply->words);
    bool is_list = carom_meshfile_word_is(word, "list");
    if (is_list ? !read_list_types(ply, p) : !(p->type = read_type(ply, word))) return false;
    caromWord name = carom_meshfile_word_in_line(&ply->words);
    if (name.length == 0) return fail_here(ply, name, "the name of a property");
    p->role = role_of(e, name, is_list);
    if (p->role >= PLY_CORNERS && p->type->is_float)
        return fail_here(ply, name, "a whole type for the corners of faces, such as int");
    e->n++;
    int size = is_list ? p->count_type->size : p->type->size;
    e->least += ply->form == PLY_TEXT ? 2 : (uint64_t)size;  // a digit and a blank
    return true;
}

static bool count_role(Ply *ply, PlyRole role, const char *const what[2])
{
    int n = 0;
    for (int i = 0; i < ply->nproperty; i++) n += ply->properties[i].role == role;
    return n == 1 || carom_meshfile_fail_line(ply->draft, ply->words.line, "the header of this PLY file has %s "
                                              "of its vertices", n == 0 ? what[0] : what[1]);
}

static bool has_faces(const Ply *ply)
{
    for (int i = 0; i < ply->nproperty; i++)
        if (ply->properties[i].role >= PLY_CORNERS) return true;
    return false;
}

// A line end of old Macs is one byte: what follows it may be a value that looks like the other half of CR LF.
static void pass_header_end(caromWords *words, bool has_only_cr)
{
    while (words->at < words->end && *words->at != '\r' && *words->at != '\n') words->at++;
    if (words->at < words->end && has_only_cr) words->at++;
    else carom_meshfile_words_skip_line(words);
}

static bool read_header_line(Ply *ply, caromWord word, bool *has_form)
{
    if (carom_meshfile_word_is(word, "comment") || carom_meshfile_word_is(word, "obj_info")) return true;
    if (carom_meshfile_word_is(word, "format")) return (*has_form = true) && read_form(ply);
    if (!*has_form) return fail_here(ply, word, "'format' behind 'ply'");
    if (carom_meshfile_word_is(word, "element")) return read_element(ply);
    if (carom_meshfile_word_is(word, "property")) return read_property(ply);
    return fail_here(ply, word, "'element', 'property', 'comment' or 'end_header'");
}

static bool read_header(Ply *ply)
{
    bool has_form = false, has_only_cr = ply->words.end - ply->words.at > 4 && ply->words.at[3] == '\r' &&
                                         ply->words.at[4] != '\n';
    carom_meshfile_words_skip_line(&ply->words);
    for (;;) {
        caromWord word = carom_meshfile_word_in_line(&ply->words);
        if (carom_meshfile_word_is(word, "end_header")) break;
        if (ply->words.at == ply->words.end)
            return carom_meshfile_fail_line(ply->draft, ply->words.line, "the file ends within the header of this PLY "
                                            "file, before 'end_header': it was cut off");
        if (word.length > 0 && !read_header_line(ply, word, &has_form)) return false;
        carom_meshfile_words_skip_line(&ply->words);
    }
    pass_header_end(&ply->words, has_only_cr);
    static const char *const axes[3][2] = { { "no x", "several x" }, { "no y", "several y" }, { "no z", "several z" } };
    for (int k = 0; k < 3; k++)
        if (!count_role(ply, (PlyRole)(PLY_X + k), axes[k])) return false;
    return has_faces(ply) || carom_meshfile_fail_line(ply->draft, ply->words.line, "this PLY file has no faces (a list "
                                                      "vertex_indices of element face): it is a cloud of points, make "
                                                      "a surface of it");
}

// ---- values

static size_t left_of(const Ply *ply)
{
    return (size_t)(ply->words.end - ply->words.at);
}

static bool fail_value(Ply *ply, const char *what)
{
    if (ply->form == PLY_TEXT) return carom_meshfile_fail_line(ply->draft, ply->words.line, "%s", what);
    return carom_meshfile_fail_byte(ply->draft, ply->draft->length - left_of(ply), "%s", what);
}

static double number_of(uint64_t bits, const PlyType *type)
{
    if (type->is_float && type->size == 4) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (type->is_float) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    int64_t range = (int64_t)1 << 8*type->size, value = (int64_t)bits;
    return (double)(type->is_signed && value >= range/2 ? value - range : value);
}

static bool read_bytes(Ply *ply, const PlyType *type, double *value)
{
    if (left_of(ply) < (size_t)type->size) return fail_value(ply, "the file ends here: it was cut off");
    uint64_t bits = 0;
    for (int i = 0; i < type->size; i++) {
        int at = ply->form == PLY_BIG ? i : type->size - 1 - i;
        bits = bits << 8 | (unsigned char)ply->words.at[at];
    }
    ply->words.at += type->size;
    *value = number_of(bits, type);
    return true;
}

static bool read_text(Ply *ply, const PlyType *type, double *value)
{
    caromWord word = carom_meshfile_word_next(&ply->words);
    if (word.length == 0) return fail_value(ply, "the file ends here: it was cut off");
    bool is_number = carom_meshfile_word_number(word, value);
    if (is_number && (type->is_float || *value == floor(*value))) return true;
    return carom_meshfile_fail_line(ply->draft, word.line, "expected a %s such as %s, found %s",
                                    type->is_float ? "finite number" : "whole number", type->is_float ? "0.5" : "3",
                                    carom_meshfile_word_text(word).text);
}

static bool read_value(Ply *ply, const PlyType *type, double *value)
{
    return ply->form == PLY_TEXT ? read_text(ply, type, value) : read_bytes(ply, type, value);
}

// ---- rows

static bool read_index(Ply *ply, const PlyType *type, double *index)
{
    if (!read_value(ply, type, index)) return false;
    return *index >= -1.0 || carom_meshfile_fail_face(ply->draft, ply->face, "has vertex %.0f: they are counted from 0",
                                                      *index);
}

static bool read_corners(Ply *ply, const PlyProperty *p, uint64_t n)
{
    caromMeshFace face = { .number = ++ply->face };
    for (uint64_t i = 0; i < n; i++) {
        double index;
        if (!read_index(ply, p->type, &index)) return false;
        if (index < 0.0)
            return carom_meshfile_fail_face(ply->draft, ply->face, "has vertex -1: they are counted from 0");
        if (!carom_meshfile_face_corner(ply->draft, &face, (int)fmin(index, INT32_MAX))) return false;
    }
    return carom_meshfile_face_end(ply->draft, &face);
}

// Each corner makes a triangle with the two before it, every other one the other way round; -1 begins anew. The numbers
// are those of triangles here, so that none is taken for a polygon.
static bool read_strips(Ply *ply, const PlyProperty *p, uint64_t n)
{
    int before[2] = { 0, 0 };
    for (uint64_t i = 0, length = 0; i < n; i++) {
        double index;
        if (!read_index(ply, p->type, &index)) return false;
        int corner = (int)fmin(index, INT32_MAX), odd = (int)(length%2);
        length = index < 0.0 ? 0 : length + 1;
        if (length >= 3 && !carom_meshfile_add_triangle(ply->draft, before[odd], before[1 - odd], corner, ++ply->face))
            return false;
        before[0] = before[1];
        before[1] = corner;
    }
    return true;
}

static bool read_list(Ply *ply, const PlyProperty *p)
{
    double count;
    if (!read_value(ply, p->count_type, &count)) return false;
    uint64_t least = ply->form == PLY_TEXT ? 2 : (uint64_t)p->type->size;
    if (count < 0.0 || (uint64_t)count > (left_of(ply) + 1)/least)
        return fail_value(ply, count < 0.0 ? "a list has fewer than 0 values"
                                           : "a list has more values than the file: it was cut off");
    uint64_t n = (uint64_t)count;
    if (p->role == PLY_CORNERS) return read_corners(ply, p, n);
    if (p->role == PLY_STRIPS) return read_strips(ply, p, n);
    double value;
    for (uint64_t i = 0; i < n; i++)
        if (!read_value(ply, p->type, &value)) return false;
    return true;
}

static bool keep_vertex(Ply *ply, caromVec3 p)
{
    if (carom_meshfile_is_near(p)) return carom_meshfile_add_vertex(ply->draft, p);
    char text[160];
    snprintf(text, sizeof text, "the vertex that ends here is [%g, %g, %g] m: coordinates must be finite and below %g",
             p.x, p.y, p.z, CAROM_MESH_SIZE_MAX);
    return fail_value(ply, text);
}

static bool read_row(Ply *ply, const PlyElement *e)
{
    double axes[3] = { 0, 0, 0 };
    bool is_vertex = false;
    for (int i = e->first; i < e->first + e->n; i++) {
        const PlyProperty *p = &ply->properties[i];
        double value;
        if (p->count_type ? !read_list(ply, p) : !read_value(ply, p->type, &value)) return false;
        if (p->role < PLY_X || p->role > PLY_Z) continue;
        axes[p->role - PLY_X] = ply->draft->scale*value;
        is_vertex = true;
    }
    return !is_vertex || keep_vertex(ply, carom_vec(axes[0], axes[1], axes[2]));
}

// Whoever promises more rows than the file has bytes is told before they are looked for.
static bool check_size(Ply *ply, const PlyElement *e)
{
    size_t left = left_of(ply);
    if (e->count*e->least <= (uint64_t)left + (ply->form == PLY_TEXT)) return true;
    char text[480];
    snprintf(text, sizeof text, "the header promises %llu of element %s in %llu bytes or more, but the file has %zu "
             "left: it was cut off", (unsigned long long)e->count, carom_meshfile_word_text(e->name).text,
             (unsigned long long)(e->count*e->least), left);
    return fail_value(ply, text);
}

static bool read_rows(Ply *ply, const PlyElement *e)
{
    if (e->least == 0) return true;
    if (!check_size(ply, e)) return false;
    for (uint64_t row = 0; row < e->count; row++)
        if (!read_row(ply, e)) return false;
    return true;
}

static size_t count_left(Ply *ply)
{
    if (ply->form == PLY_TEXT && carom_meshfile_word_next(&ply->words).length == 0) return 0;
    return left_of(ply);
}

static bool read(caromMeshDraft *draft)
{
    Ply ply = { .draft = draft, .words = carom_meshfile_words_of(draft) };
    draft->counts_faces = true;
    if (!read_header(&ply)) return false;
    for (int i = 0; i < ply.nelement; i++)
        if (!read_rows(&ply, &ply.elements[i])) return false;
    draft->bytes_ignored = count_left(&ply);
    return draft->ntriangle > 0 ? carom_meshfile_faces_check(draft, 0)
                                : fail_value(&ply, "this PLY file has no faces: it is a cloud of points, make a "
                                             "surface of it");
}

static bool is_mine(const caromMeshDraft *draft)
{
    return draft->length >= 4 && memcmp(draft->bytes, "ply", 3) == 0 && memchr("\r\n \t", draft->bytes[3], 4);
}

const caromMeshReader carom_meshfile_reader_ply = { is_mine, NULL, read };
