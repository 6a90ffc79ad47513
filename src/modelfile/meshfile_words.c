#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "modelfile/meshfile.h"
#include "modelfile/modelfile.h"

bool carom_meshfile_is_text(const caromMeshDraft *draft)
{
    for (size_t i = 0; i < draft->length && i < CAROM_MESHFILE_START; i++) {
        unsigned char c = (unsigned char)draft->bytes[i];
        if (c < 0x20 && !(c >= '\t' && c <= '\r')) return false;
    }
    return true;
}

caromWords carom_meshfile_words_of(const caromMeshDraft *draft)
{
    bool has_mark = draft->length >= 3 && memcmp(draft->bytes, "\xEF\xBB\xBF", 3) == 0;
    return (caromWords){ draft->bytes + (has_mark ? 3 : 0), draft->bytes + draft->length, 1 };
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool at_end(const caromWords *words)
{
    return words->at == words->end;
}

static void pass_line_end(caromWords *words)
{
    char c = *words->at++;
    if (c == '\r' && !at_end(words) && *words->at == '\n') words->at++;
    words->line++;
}

static void pass_to_line_end(caromWords *words)
{
    while (!at_end(words) && !is_line_end(*words->at)) words->at++;
}

static void pass_blanks(caromWords *words)
{
    while (!at_end(words) && is_blank(*words->at)) words->at++;
}

void carom_meshfile_words_skip_line(caromWords *words)
{
    pass_to_line_end(words);
    if (!at_end(words)) pass_line_end(words);
}

static caromWord take_word(caromWords *words)
{
    caromWord word = { words->at, 0, words->line };
    while (!at_end(words) && !is_blank(*words->at) && !is_line_end(*words->at)) words->at++;
    word.length = (size_t)(words->at - word.start);
    return word;
}

caromWord carom_meshfile_word_next(caromWords *words)
{
    for (;;) {
        pass_blanks(words);
        if (at_end(words)) return take_word(words);
        if (*words->at == '#') pass_to_line_end(words);
        else if (is_line_end(*words->at)) pass_line_end(words);
        else return take_word(words);
    }
}

// A backslash with nothing behind it.
static bool is_continued(const caromWords *words)
{
    if (*words->at != '\\') return false;
    const char *c = words->at + 1;
    while (c < words->end && is_blank(*c)) c++;
    return c == words->end || is_line_end(*c);
}

caromWord carom_meshfile_word_in_line(caromWords *words)
{
    for (;;) {
        pass_blanks(words);
        if (at_end(words) || is_line_end(*words->at) || *words->at == '#')
            return (caromWord){ words->at, 0, words->line };
        if (!is_continued(words)) break;
        carom_meshfile_words_skip_line(words);
    }
    caromWord word = take_word(words);
    // "3\" at the end of the line
    if (word.length > 1 && word.start[word.length - 1] == '\\' && (at_end(words) || is_line_end(*words->at))) {
        word.length--;
        words->at--;
    }
    return word;
}

bool carom_meshfile_word_is(caromWord word, const char *lower_case)
{
    for (size_t i = 0; i < word.length; i++) {
        char c = word.start[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (lower_case[i] == '\0' || c != lower_case[i]) return false;  // a word may have zeros in it
    }
    return lower_case[word.length] == '\0';
}

caromWordText carom_meshfile_word_text(caromWord word)
{
    char copy[CAROM_QUOTE_MAX + 2] = "";
    size_t n = word.length < sizeof copy - 1 ? word.length : sizeof copy - 1;
    memcpy(copy, word.start, n);
    caromWordText text;
    if (word.length == 0) strcpy(text.text, "the end");
    else snprintf(text.text, sizeof text.text, "%s", carom_modelfile_quoted(copy).text);
    return text;
}

bool carom_meshfile_word_number(caromWord word, double *value)
{
    caromDecimal decimal = { 0 };
    const char *end = word.length > 0 ? carom_decimal_scan(word.start, &decimal) : NULL;
    if (!end || end != word.start + word.length) return false;
    double size = carom_decimal_magnitude(&decimal, 0);
    *value = decimal.is_negative ? -size : size;
    return isfinite(size);
}

static bool fail_number(caromMeshDraft *draft, caromWord word, const caromDecimal *decimal)
{
    if (word.length == 0)
        return carom_meshfile_fail_line(draft, word.line, "expected three coordinates such as 0.5 or 1.5e-3, "
                                        "the line or file ends before them");
    const char *hint = decimal->is_too_long ? ": it has too many digits" : memchr(word.start, ',', word.length)
                           ? ": a decimal point is written '.'" : "";
    return carom_meshfile_fail_line(draft, word.line, "expected a finite number such as 0.5 or 1.5e-3, found %s%s",
                                    carom_meshfile_word_text(word).text, hint);
}

bool carom_meshfile_words_point(caromMeshDraft *draft, caromWords *words, caromWord (*next)(caromWords *words),
                                caromVec3 *p)
{
    double x[3];
    caromWord word = { 0 };
    for (int k = 0; k < 3; k++) {
        caromDecimal decimal = { 0 };
        word = next(words);
        const char *end = word.length > 0 ? carom_decimal_scan(word.start, &decimal) : NULL;
        if (!end || end != word.start + word.length) return fail_number(draft, word, &decimal);
        double size = carom_decimal_magnitude(&decimal, 0);
        x[k] = draft->scale*(decimal.is_negative ? -size : size);
    }
    *p = carom_vec(x[0], x[1], x[2]);
    if (carom_meshfile_is_near(*p)) return true;
    return carom_meshfile_fail_line(draft, word.line, "[%g, %g, %g] m: coordinates must be finite and below %g", x[0],
                                    x[1], x[2], CAROM_MESH_SIZE_MAX);
}
