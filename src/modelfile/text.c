// Is it text at all? YAML wants printable UTF-8; here the first byte that is not is named, before a parser sees it.
#include <stdio.h>
#include <string.h>

#include "modelfile/modelfile.h"

typedef struct Cursor {
    const unsigned char *s;
    size_t length, i;
    int line, column;
} Cursor;

// Length of the well-formed UTF-8 sequence at s (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF); 0:
// none.
static size_t utf8_length(const unsigned char *s, size_t n)
{
    if (s[0] < 0x80) return 1;
    size_t k = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4 : 0;
    if (k == 0 || k > n) return 0;
    for (size_t i = 1; i < k; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return k;
}

// C1 controls, non-characters and a byte order mark inside the text: not printable in YAML.
static bool is_refused_character(const unsigned char *s, size_t k)
{
    if (k == 2) return s[0] == 0xC2 && s[1] < 0xA0 && s[1] != 0x85;
    if (k == 3) return s[0] == 0xEF && ((s[1] == 0xBB && s[2] == 0xBF) || (s[1] == 0xBF && s[2] >= 0xBE));
    return false;
}

static bool fail(const Cursor *c, caromProblems *problems, const char *what)
{
    int before = problems->count;
    carom_problem_add(problems, false, "", "%s", what);
    if (problems->count > before) {
        problems->items[before].line = c->line;
        problems->items[before].column = c->column;
    }
    return false;
}

static bool is_utf16(const unsigned char *s, size_t n)
{
    return n >= 2 && ((s[0] == 0xFF && s[1] == 0xFE) || (s[0] == 0xFE && s[1] == 0xFF));
}

bool carom_modelfile_text_is_clean(const char *text, size_t length, caromProblems *problems)
{
    Cursor c = { (const unsigned char *)text, length, 0, 1, 1 };
    char what[160];
    if (is_utf16(c.s, length))
        return fail(&c, problems, "the file is UTF-16, a model file is UTF-8: save it with that encoding");
    while (c.i < length) {
        unsigned char b = c.s[c.i];
        if (b == 0) return fail(&c, problems, "a NUL byte: this is not a text file");
        if ((b < 0x20 && b != '\t' && b != '\n' && b != '\r') || b == 0x7F) {
            snprintf(what, sizeof what, "a control character (0x%02X) cannot be in a model file", b);
            return fail(&c, problems, what);
        }
        size_t k = utf8_length(c.s + c.i, length - c.i);
        if (k == 0) {
            snprintf(what, sizeof what, "byte 0x%02X is not UTF-8: save the file with that encoding", b);
            return fail(&c, problems, what);
        }
        if (is_refused_character(c.s + c.i, k))
            return fail(&c, problems, "a character that cannot be printed cannot be in a model file");
        bool is_break = b == '\n' || (b == '\r' && (c.i + 1 == length || c.s[c.i + 1] != '\n'));
        c.line += is_break;
        c.column = is_break ? 1 : c.column + 1;
        c.i += k;
    }
    return true;
}
