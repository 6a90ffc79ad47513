#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

// By what the environment says, not by setlocale: a terminal is UTF-8 even where that locale is not installed.
bool terminal_is_utf8(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (!value || !*value) continue;
        for (; *value; value++)
            if (strncasecmp(value, "utf-8", 5) == 0 || strncasecmp(value, "utf8", 4) == 0) return true;
        return false;
    }
    return false;
}

bool use_colour(FILE *stream)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(stream)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static char *ring(void)
{
    static char texts[16][48];
    static int next;
    return texts[next++ % 16];
}

const char *number(double value)
{
    char *text = ring();
    snprintf(text, 48, "%.6g", value);
    return text;
}

const char *factor(double value)
{
    char *text = ring();
    snprintf(text, 48, value >= 1e15 ? "%.2e" : value >= 99.95 ? "%.0f" : "%.3g", value);
    return text;
}

static bool takes_large_prefixes(const char *unit)
{
    static const char *const units[] = { "J", "N", "Pa", "B" };
    for (size_t i = 0; i < sizeof units/sizeof *units; i++)
        if (strcmp(unit, units[i]) == 0) return true;
    return false;
}

const char *si(double value, const char *unit)
{
    static const char *const prefixes[] = { "p", "n", "u", "m", "", "k", "M", "G", "T" };
    enum { NONE = 4, LAST = 8 };
    char *text = ring();
    bool is_mass = strcmp(unit, "kg") == 0;  // the unit that has its prefix already: 5 g, 12 mg, but 1200 kg
    double size = fabs(value);
    int p = NONE;
    if (is_mass && size > 0 && size < 0.9995) {
        unit = "g";
        value *= 1e3;
        size *= 1e3;
    }
    if (size >= 1e15 || (size > 0 && size < 1e-12)) {  // no prefix helps
        snprintf(text, 48, "%.3e %s", value, unit);
        return text;
    }
    // 999.96 has four digits as 1000: it goes up
    while (p < LAST && takes_large_prefixes(unit) && size >= 999.95 && isfinite(size)) p++, size /= 1e3, value /= 1e3;
    while (p > 0 && size > 0 && size < 0.99995) p--, size *= 1e3, value *= 1e3;
    const char *prefix = p == 2 && terminal_is_utf8() ? "\xc2\xb5" : prefixes[p];
    snprintf(text, 48, size >= 1e9 ? "%.3e %s%s" : size >= 99999.5 ? "%.0f %s%s" : size >= 999.95 ? "%.6g %s%s"
                                   : "%.4g %s%s", value, prefix, unit);
    return text;
}

const char *count_of(int64_t n, const char *what)
{
    char digits[32], *text = ring(), *to = text;
    int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && length > 4) *to++ = ' ';
        *to++ = digits[i];
    }
    *to = '\0';
    size_t m = strlen(what);
    if (m > 0)
        snprintf(to, 48 - (size_t)(to - text), " %s%s", what, n == 1 ? "" : strchr("hs", what[m - 1]) ? "es" : "s");
    return text;
}

static bool is_plain_in_shell(const char *path)
{
    for (const char *c = path; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-./:,+@%=", *c)) return false;
    return *path != '\0';
}

// A quote ends the quotes, stands behind a backslash, and begins them again. A name that begins with a dash is no
// option behind "./".
const char *shell_word(const char *path)
{
    static char word[4*PATH_SIZE + 8];
    const char *start = *path == '-' ? "./" : "";
    bool is_plain = is_plain_in_shell(path);
    size_t n = (size_t)snprintf(word, sizeof word, "%s%s", is_plain ? "" : "'", start);
    for (const char *c = path; *c && n + 8 < sizeof word; c++)
        n += (size_t)snprintf(word + n, sizeof word - n, "%s", *c == '\'' ? "'\\''" : (char[]){ *c, '\0' });
    if (!is_plain) snprintf(word + n, sizeof word - n, "'");
    return word;
}

int text_width(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
static int edits(const char *a, const char *b)
{
    enum { LONGEST = 31 };
    int rows[LONGEST + 1][LONGEST + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return n > m ? n : m;  // nothing in common
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            int best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (rows[i - 1][j] + 1 < best) best = rows[i - 1][j] + 1;
            if (rows[i][j - 1] + 1 < best) best = rows[i][j - 1] + 1;
            bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swap && rows[i - 2][j - 2] + 1 < best) best = rows[i - 2][j - 2] + 1;
            rows[i][j] = best;
        }
    }
    return rows[n][m];
}

const char *nearest_word(const char *typed, const char *const *words, int n)
{
    const char *best = NULL;
    int least = 0;
    for (int i = 0; i < n; i++) {
        int longer = (int)(strlen(typed) > strlen(words[i]) ? strlen(typed) : strlen(words[i]));
        int d = edits(typed, words[i]);
        bool is_start = typed[0] && strncmp(words[i], typed, strlen(typed)) == 0;
        if (is_start) d = 1;
        if (!is_start && 2*d > longer) continue;  // half of it is something else
        if (!best || d < least) {
            best = words[i];
            least = d;
        }
    }
    return best;
}

static void say(const char *kind, const char *colour, const char *format, va_list args)
{
    bool has_colour = use_colour(stderr);
    fflush(stdout);
    fprintf(stderr, "carom: %s%s%s: ", has_colour ? colour : "", kind, has_colour ? "\033[0m" : "");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", "\033[1;31m", format, args);
    va_end(args);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning", "\033[1;33m", format, args);
    va_end(args);
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

// As a name of its own, not as letters of another word.
static bool mentions(const char *message, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = message; (at = strstr(at, name)) != NULL; at++)
        if ((at == message || !is_part_of_name(at[-1])) && !is_part_of_name(at[n])) return true;
    return false;
}

static int memory_complaints;

void complain_of_memory(void)
{
    memory_complaints++;
    complain("out of memory: what is printed is not complete");
}

int complaints_of_memory(void)
{
    return memory_complaints;
}

void complain_of(const caromError *err)
{
    if (err->where[0] && !mentions(err->message, err->where)) complain("%s: %s", err->where, err->message);
    else complain("%s", err->message);
}
