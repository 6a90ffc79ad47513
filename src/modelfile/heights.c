// Files of heights: tables of numbers (CSV), and pictures (PGM; PNG by heights_png.c), which have one number for each
// point.
#include "modelfile/heights.h"

#include <string.h>

#include "base/base.h"

enum { HEIGHTS_BYTES_MAX = 256 << 20 };

bool carom_modelfile_heights_make(caromMeshDraft *file, int64_t nx, int64_t ny, caromHeights *heights)
{
    if (nx < 2 || ny < 2 || nx > CAROM_MESH_HEIGHTS_MAX || ny > CAROM_MESH_HEIGHTS_MAX ||
        nx*ny > CAROM_MESH_HEIGHTS_MAX)
        return carom_meshfile_fail_line(file, 1, "has %lld x %lld heights, expected 2 x 2 to %d in all", (long long)nx,
                                        (long long)ny, CAROM_MESH_HEIGHTS_MAX);
    *heights = (caromHeights){ malloc((size_t)(nx*ny)*sizeof(double)), (int)nx, (int)ny };
    if (heights->h) return true;
    carom_fail(file->err, CAROM_ERR_MEMORY, file->name, "out of memory for %lld x %lld heights", (long long)nx,
               (long long)ny);
    return false;
}

// ---- PGM: P5 has bytes, or two to a number, the greater first; P2 has words

static bool is_pgm(const caromMeshDraft *file)
{
    return file->length >= 3 && file->bytes[0] == 'P' && (file->bytes[1] == '5' || file->bytes[1] == '2') &&
           memchr(" \t\r\n", file->bytes[2], 4);
}

static bool read_whole(caromMeshDraft *file, caromWords *words, const char *what, double most, double *value)
{
    caromWord word = carom_meshfile_word_next(words);
    if (carom_meshfile_word_number(word, value) && *value >= 0.0 && *value <= most && *value == floor(*value))
        return true;
    return carom_meshfile_fail_line(file, word.line, "expected %s as a whole number up to %.0f, found %s", what, most,
                                    carom_meshfile_word_text(word).text);
}

static bool read_words(caromMeshDraft *file, caromWords *words, double white, caromHeights *heights)
{
    for (int i = 0; i < heights->nx*heights->ny; i++) {
        double value;
        if (!read_whole(file, words, "a value", white, &value)) return false;
        heights->h[i] = value/white;
    }
    return true;
}

static bool read_bytes(caromMeshDraft *file, const char *at, double white, caromHeights *heights)
{
    int size = white > 255.0 ? 2 : 1, n = heights->nx*heights->ny;
    for (int i = 0; i < n; i++) {
        const unsigned char *b = (const unsigned char *)at + (ptrdiff_t)size*i;
        double value = size == 2 ? 256.0*b[0] + b[1] : b[0];
        if (value > white)
            return carom_meshfile_fail_byte(file, (size_t)((const char *)b - file->bytes), "is %.0f, above the %.0f "
                                            "that the header says is white", value, white);
        heights->h[i] = value/white;
    }
    return true;
}

// Words of text take two bytes at least; behind the header is one blank.
static bool read_pgm(caromMeshDraft *file, caromHeights *heights)
{
    double nx, ny, white;
    caromWords words = carom_meshfile_words_of(file);
    words.at += 2;
    if (!read_whole(file, &words, "the width", 1e6, &nx) || !read_whole(file, &words, "the height", 1e6, &ny) ||
        !read_whole(file, &words, "the value of white", 65535, &white)) return false;
    if (white == 0.0) return carom_meshfile_fail_line(file, words.line, "white has the value 0, expected 1 to 65535");
    bool is_text = file->bytes[1] == '2';
    const char *at = words.at + (words.at < words.end);
    double size = nx*ny*(is_text || white > 255.0 ? 2.0 : 1.0), left = (double)(words.end - at);
    if (size > left + is_text)
        return carom_meshfile_fail_byte(file, (size_t)(at - file->bytes), "the header promises %.0f x %.0f heights in "
                                        "%.0f bytes or more, but the file has %.0f left: it was cut off", nx, ny, size,
                                        left);
    if (!carom_modelfile_heights_make(file, (int64_t)nx, (int64_t)ny, heights)) return false;
    return is_text ? read_words(file, &words, white, heights) : read_bytes(file, at, white, heights);
}

const caromHeightsReader carom_modelfile_heights_pgm = { is_pgm, read_pgm };

// ---- CSV: a row to a line; blanks, commas and semicolons between numbers

typedef struct HeightTable {
    caromMeshDraft *file;
    caromWords words;
    int64_t nx, ny;
    double *h;             // NULL: they are counted
} HeightTable;

static bool is_between(char c)
{
    return c == ',' || c == ';' || c == ' ' || c == '\t';
}

// "1,2.5;3" of the words of a line, which end at blanks only.
static bool read_cells(HeightTable *t, caromWord word, int64_t *n)
{
    const char *end = word.start + word.length;
    for (const char *c = word.start; c < end;) {
        caromWord cell = { c, 0, word.line };
        while (c < end && !is_between(*c)) c++;
        cell.length = (size_t)(c - cell.start);
        if (c < end) c++;
        if (cell.length == 0) continue;
        // A number must end where its cell ends: the scanner stops at the comma behind it.
        char copy[96];
        double value = 0.0;
        bool is_short = cell.length < sizeof copy;
        memcpy(copy, cell.start, is_short ? cell.length : 0);
        copy[is_short ? cell.length : 0] = '\0';
        if (!carom_meshfile_word_number((caromWord){ copy, strlen(copy), word.line }, &value))
            return carom_meshfile_fail_line(t->file, word.line, "expected a height such as 0.25, found %s",
                                            carom_meshfile_word_text(cell).text);
        if (t->h) t->h[(t->ny*t->nx) + *n] = value;
        ++*n;
    }
    return true;
}

static bool read_line(HeightTable *t)
{
    int64_t n = 0;
    int line = t->words.line;
    for (;;) {
        caromWord word = carom_meshfile_word_in_line(&t->words);
        if (word.length == 0) break;
        if (!read_cells(t, word, &n)) return false;
    }
    carom_meshfile_words_skip_line(&t->words);
    if (n == 0) return true;
    if (t->ny > 0 && n != t->nx)
        return carom_meshfile_fail_line(t->file, line, "this row has %lld heights, the rows before it %lld",
                                        (long long)n, (long long)t->nx);
    t->nx = n;
    t->ny++;
    return true;
}

static bool read_lines(HeightTable *t)
{
    t->words = carom_meshfile_words_of(t->file);
    t->ny = 0;
    while (t->words.at < t->words.end)
        if (!read_line(t)) return false;
    return true;
}

// Twice: once to count.
static bool read_csv(caromMeshDraft *file, caromHeights *heights)
{
    HeightTable t = { .file = file };
    if (!carom_meshfile_is_text(file))
        return carom_meshfile_fail_line(file, 1, "is not a file of heights: expected PGM, PNG, or text with a row of "
                                        "numbers to a line");
    if (!read_lines(&t) || !carom_modelfile_heights_make(file, t.nx, t.ny, heights)) return false;
    t.h = heights->h;
    return read_lines(&t);
}

static bool is_any(const caromMeshDraft *file)
{
    (void)file;
    return true;
}

const caromHeightsReader carom_modelfile_heights_csv = { is_any, read_csv };

// ---- all

static const caromHeightsReader *const readers[] = { &carom_modelfile_heights_pgm, &carom_modelfile_heights_png,
                                                    &carom_modelfile_heights_csv };

bool carom_modelfile_heights_parse(const char *bytes, size_t length, const char *name, caromHeights *heights,
                                   caromError *err)
{
    caromError own;
    caromMeshDraft file = { .name = name, .bytes = bytes, .length = length, .err = err ? err : &own };
    size_t i = 0;
    *heights = (caromHeights){ 0 };
    while (!readers[i]->is_mine(&file)) i++;
    if (readers[i]->read(&file, heights)) return true;
    free(heights->h);
    *heights = (caromHeights){ 0 };
    return false;
}

bool carom_modelfile_heights_read(const char *path, caromHeights *heights, caromError *err)
{
    static const caromFileKind kind = { "a file of heights, " CAROM_HEIGHT_FORMATS, HEIGHTS_BYTES_MAX, NULL };
    char *bytes;
    size_t length;
    *heights = (caromHeights){ 0 };
    if (carom_modelfile_load_file(path, &kind, &bytes, &length, err) != CAROM_OK) return false;
    bool is_good = carom_modelfile_heights_parse(bytes, length, path, heights, err);
    free(bytes);
    return is_good;
}
