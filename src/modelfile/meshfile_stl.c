// STL, of which nobody is in charge: "solid" may start a binary file, names are anything, endsolid may be missing,
// normals may be nonsense. Corners are what counts; their order gives the side.
#include <string.h>
#include <unistd.h>

#include "modelfile/meshfile.h"

// bytes; a record is a normal, three corners and two bytes of anybody's
enum { HEADER = 84, RECORD = 50, COUNT_AT = 80 };

// ---- binary

static uint32_t number_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes)
{
    uint32_t bits = number_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint64_t size_of(uint32_t count)
{
    return HEADER + (uint64_t)RECORD*count;
}

// The count of triangles fits the size of the file. Text never does: four letters promise 25 GB.
static bool is_sized(const caromMeshDraft *draft)
{
    return draft->length >= HEADER && size_of(number_at(draft->bytes + COUNT_AT)) == draft->length;
}

static bool is_not_text(const caromMeshDraft *draft)
{
    return !carom_meshfile_is_text(draft);
}

static bool check_size(caromMeshDraft *draft, uint32_t count)
{
    if (count == 0)
        return carom_meshfile_fail_byte(draft, COUNT_AT, "the header of this binary STL file promises no triangles: "
                                        "export it again");
    if (size_of(count) <= draft->length) return true;
    return carom_meshfile_fail_byte(draft, COUNT_AT, "is not text; as binary STL its header promises %lu triangles in "
                                    "%llu bytes, but the file has %zu: it was cut off, or is of another kind",
                                    (unsigned long)count, (unsigned long long)size_of(count), draft->length);
}

static bool read_record(caromMeshDraft *draft, uint32_t t)
{
    size_t at = HEADER + (size_t)RECORD*t + 12;
    for (int k = 0; k < 3; k++, at += 12) {
        const char *b = draft->bytes + at;
        caromVec3 p = carom_scale(draft->scale, carom_vec(float_at(b), float_at(b + 4), float_at(b + 8)));
        if (!carom_meshfile_is_near(p))
            return carom_meshfile_fail_byte(draft, at, "corner %d of triangle %lu is [%g, %g, %g] m: "
                                            "coordinates must be finite and below %g", k + 1, (unsigned long)t + 1, p.x,
                                            p.y, p.z, CAROM_MESH_SIZE_MAX);
        if (!carom_meshfile_add_vertex(draft, p)) return false;
    }
    return carom_meshfile_add_triangle(draft, draft->nvertex - 3, draft->nvertex - 2, draft->nvertex - 1, 0);
}

// May a triangle have an area, or must it be told of? A cheap question: two corners of the same bits say no.
static bool is_worth_reading(const char *record)
{
    const char *a = record + 12, *b = a + 12, *c = b + 12;
    for (int k = 0; k < 9; k++)
        if (!isfinite(float_at(a + (ptrdiff_t)4*k))) return true;
    return memcmp(a, b, 12) != 0 && memcmp(b, c, 12) != 0 && memcmp(c, a, 12) != 0;
}

static bool is_any_worth_reading(const char *records, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_worth_reading(records + RECORD*i)) return true;
    return false;
}

static bool fail_without_area(const caromMeshDraft *draft, uint32_t count)
{
    carom_fail(draft->err, CAROM_ERR_INPUT, draft->name, "none of its triangles has an area (%lu read): were "
               "coordinates lost in rounding, or is the scale too small?", (unsigned long)count);
    return false;
}

static bool look(caromMeshDraft *draft, int file)
{
    enum { RECORDS = 320 };
    char records[RECORDS*RECORD];
    if (draft->length < HEADER) return true;
    uint32_t count = number_at(draft->bytes + COUNT_AT);
    if (!check_size(draft, count)) return false;
    for (uint32_t t = 0; t < count; t += RECORDS) {
        size_t n = count - t < RECORDS ? count - t : RECORDS;
        if (pread(file, records, RECORD*n, (off_t)size_of(t)) != (ssize_t)(RECORD*n)) return true;
        if (is_any_worth_reading(records, n)) return true;
    }
    return fail_without_area(draft, count);
}

static bool read_binary(caromMeshDraft *draft)
{
    if (draft->length < HEADER)
        return carom_meshfile_fail_byte(draft, draft->length, "is not text, and a binary STL file has %d bytes at "
                                        "least, this one %zu: it was cut off, or is of another kind", HEADER + RECORD,
                                        draft->length);
    uint32_t count = number_at(draft->bytes + COUNT_AT);
    if (!check_size(draft, count)) return false;
    if (!is_any_worth_reading(draft->bytes + HEADER, count)) return fail_without_area(draft, count);
    for (uint32_t t = 0; t < count; t++)
        if (!read_record(draft, t)) return false;
    draft->bytes_ignored = draft->length - (size_t)size_of(count);
    return true;
}

// ---- text

static bool fail_word(caromMeshDraft *draft, caromWord word, const char *expected)
{
    if (word.length == 0)
        return carom_meshfile_fail_line(draft, word.line, "the file ends within a facet, expected %s: it was cut off",
                                        expected);
    return carom_meshfile_fail_line(draft, word.line, "expected %s, found %s", expected,
                                    carom_meshfile_word_text(word).text);
}

static bool expect(caromMeshDraft *draft, caromWords *words, const char *lower_case, const char *expected)
{
    caromWord word = carom_meshfile_word_next(words);
    return carom_meshfile_word_is(word, lower_case) || fail_word(draft, word, expected);
}

// "normal 0 0 1 outer": the normal may be missing, and its numbers may be nan.
static bool pass_normal(caromMeshDraft *draft, caromWords *words)
{
    caromWord word = carom_meshfile_word_next(words);
    if (carom_meshfile_word_is(word, "normal")) word = carom_meshfile_word_next(words);
    for (int k = 0; k < 3 && word.length > 0 && !carom_meshfile_word_is(word, "outer"); k++)
        word = carom_meshfile_word_next(words);
    return carom_meshfile_word_is(word, "outer") || fail_word(draft, word, "'outer loop' behind the normal");
}

static bool read_corners(caromMeshDraft *draft, caromWords *words)
{
    for (int k = 0; k < 3; k++) {
        caromVec3 p;
        caromWord word = carom_meshfile_word_next(words);
        if (carom_meshfile_word_is(word, "endloop"))
            return carom_meshfile_fail_line(draft, word.line, "this facet has %d corners, expected 3", k);
        if (!carom_meshfile_word_is(word, "vertex")) return fail_word(draft, word, "'vertex'");
        if (!carom_meshfile_words_point(draft, words, carom_meshfile_word_next, &p) ||
            !carom_meshfile_add_vertex(draft, p)) return false;
    }
    caromWord word = carom_meshfile_word_next(words);
    if (carom_meshfile_word_is(word, "vertex"))
        return carom_meshfile_fail_line(draft, word.line, "this facet has more than 3 corners: STL has triangles only, "
                                        "export it again");
    return carom_meshfile_word_is(word, "endloop") || fail_word(draft, word, "'endloop'");
}

static bool read_facet(caromMeshDraft *draft, caromWords *words)
{
    return pass_normal(draft, words) && expect(draft, words, "loop", "'loop' behind 'outer'") &&
           read_corners(draft, words) && expect(draft, words, "endfacet", "'endfacet'") &&
           carom_meshfile_add_triangle(draft, draft->nvertex - 3, draft->nvertex - 2, draft->nvertex - 1, 0);
}

// Several solids in a file are one mesh.
static bool read_text(caromMeshDraft *draft)
{
    caromWords words = carom_meshfile_words_of(draft);
    for (;;) {
        caromWord word = carom_meshfile_word_next(&words);
        if (word.length == 0) break;
        if (carom_meshfile_word_is(word, "facet")) {
            if (!read_facet(draft, &words)) return false;
        // With its name.
        } else if (carom_meshfile_word_is(word, "solid") || carom_meshfile_word_is(word, "endsolid"))
            carom_meshfile_words_skip_line(&words);
        else return fail_word(draft, word, "'facet', 'solid' or 'endsolid'");
    }
    return draft->ntriangle > 0 || carom_meshfile_fail_line(draft, words.line,
                                                            "this STL file has no facets: export it again");
}

static bool is_text(const caromMeshDraft *draft)
{
    caromWords words = carom_meshfile_words_of(draft);
    caromWord word = carom_meshfile_word_next(&words);
    return carom_meshfile_word_is(word, "solid") || carom_meshfile_word_is(word, "facet");
}

const caromMeshReader carom_meshfile_reader_stl_sized = { is_sized, look, read_binary };
const caromMeshReader carom_meshfile_reader_stl_binary = { is_not_text, look, read_binary };
const caromMeshReader carom_meshfile_reader_stl_text = { is_text, NULL, read_text };
