#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"

// -1 at the end of the text.
static int peek(const caromJson *json)
{
    return json->at < json->end ? (unsigned char)*json->at : -1;
}

static bool bad(caromJson *json)
{
    if (!json->is_bad) json->bad_at = json->at;
    json->is_bad = true;
    json->at = json->end;
    return false;
}

int carom_json_peek(caromJson *json)
{
    while (json->at < json->end && memchr(" \t\n\r", *json->at, 4)) json->at++;
    return peek(json);
}

static bool take(caromJson *json, char c)
{
    if (carom_json_peek(json) != (unsigned char)c) return bad(json);
    json->at++;
    return true;
}

static bool literal(caromJson *json, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(json->end - json->at) < n || memcmp(json->at, word, n) != 0) return bad(json);
    json->at += n;
    return true;
}

static bool digits(caromJson *json)
{
    const char *start = json->at;
    while (peek(json) >= '0' && peek(json) <= '9') json->at++;
    return json->at > start ? true : bad(json);
}

static bool number(caromJson *json)
{
    if (peek(json) == '-') json->at++;
    if (peek(json) == '0') json->at++;
    else if (!digits(json)) return false;
    if (peek(json) == '.') {
        json->at++;
        if (!digits(json)) return false;
    }
    if (peek(json) == 'e' || peek(json) == 'E') {
        json->at++;
        if (peek(json) == '+' || peek(json) == '-') json->at++;
        if (!digits(json)) return false;
    }
    return true;
}

bool carom_json_count(caromJson *json, int64_t *value)
{
    carom_json_peek(json);
    const char *start = json->at;
    *value = 0;
    if (!digits(json)) return false;
    for (const char *c = start; c < json->at; c++) {
        if (*value > (INT64_MAX - 9)/10) return bad(json);
        *value = 10* *value + (*c - '0');
    }
    return true;
}

// The text may end behind its last digit, without a zero: the scanner looks at a copy.
bool carom_json_double(caromJson *json, double *value)
{
    char copy[CAROM_DECIMAL_DIGITS_MAX + 32];
    caromDecimal decimal = { 0 };
    carom_json_peek(json);
    const char *start = json->at;
    if (!number(json)) return false;
    size_t n = (size_t)(json->at - start);
    json->at = start;
    if (n >= sizeof copy) return bad(json);
    memcpy(copy, start, n);
    copy[n] = '\0';
    if (!carom_decimal_scan(copy, &decimal)) return bad(json);
    double size = carom_decimal_magnitude(&decimal, 0);
    if (!isfinite(size)) return bad(json);
    *value = decimal.is_negative ? -size : size;
    json->at = start + n;
    return true;
}

static bool hex4(caromJson *json, uint32_t *code)
{
    if (json->end - json->at < 4) return bad(json);
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = *json->at++;
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0')
                       : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                       : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                              : 16;
        if (digit == 16) return bad(json);
        *code = 16**code + digit;
    }
    return true;
}

// Behind "\u": one code, or two that make a surrogate pair.
static bool code_point(caromJson *json, uint32_t *code)
{
    if (!hex4(json, code)) return false;
    if (*code < 0xd800 || *code > 0xdfff) return true;
    uint32_t low = 0;
    if (*code > 0xdbff || !literal(json, "\\u") || !hex4(json, &low) || low < 0xdc00 || low > 0xdfff) return bad(json);
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static size_t utf8_of(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00u >> n & 0xf0u) | code);
    return n;
}

// One character of a string, decoded into out. 0: bad.
static size_t escape(caromJson *json, char out[4])
{
    static const char forms[] = "\"\"\\\\//b\bf\fn\nr\rt\t";  // pairs: letter, what it stands for
    int c = peek(json);
    json->at++;
    uint32_t code;
    if (c == 'u') return code_point(json, &code) ? utf8_of(code, out) : 0;
    for (const char *f = forms; *f; f += 2) {
        if (c == *f) {
            out[0] = f[1];
            return 1;
        }
    }
    return 0;
}

static size_t raw_character(caromJson *json, char out[4])
{
    unsigned char c = (unsigned char)*json->at;
    size_t n = c < 0x20 ? 0 : c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (n == 0 || (size_t)(json->end - json->at) < n) return 0;
    memcpy(out, json->at, n);
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)out[i] & 0xc0) != 0x80) return 0;
    unsigned char second = n > 1 ? (unsigned char)out[1] : 0;
    if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) || (c == 0xf0 && second < 0x90) ||
        (c == 0xf4 && second > 0x8f))
        return 0;
    json->at += n;
    return n;
}

bool carom_json_string(caromJson *json, char *text, size_t n)
{
    size_t size = 0;
    if (!take(json, '"')) return false;
    for (;;) {
        int c = peek(json);
        if (c < 0) return bad(json);
        if (c == '"') break;
        char out[4];
        size_t m;
        if (c == '\\') {
            json->at++;
            m = peek(json) < 0 ? 0 : escape(json, out);
        } else {
            m = raw_character(json, out);
        }
        if (m == 0) return bad(json);
        if (text) {
            if (out[0] == '\0' || size + m + 1 > n) return bad(json);
            memcpy(text + size, out, m);
        }
        size += m;
    }
    json->at++;
    if (text) text[size] = '\0';
    return true;
}

bool carom_json_enter(caromJson *json, char bracket)
{
    if (carom_json_peek(json) != (unsigned char)bracket) return false;
    json->at++;
    return true;
}

bool carom_json_more(caromJson *json, char closing, int64_t seen)
{
    int c = carom_json_peek(json);
    if (c == (unsigned char)closing) {
        json->at++;
        return false;
    }
    if (seen > 0 && !take(json, ',')) return false;
    return carom_json_peek(json) < 0 ? bad(json) : true;
}

bool carom_json_member(caromJson *json, char *key, size_t n)
{
    return carom_json_string(json, key, n) && take(json, ':');
}

static bool skip_at(caromJson *json, int depth)
{
    if (depth > CAROM_JSON_DEPTH_MAX) return bad(json);
    int c = carom_json_peek(json);
    switch (c) {
    case '{':
    case '[':
        json->at++;
        for (int64_t n = 0; carom_json_more(json, c == '{' ? '}' : ']', n); n++) {
            if (c == '{' && !carom_json_member(json, NULL, 0)) return false;
            if (!skip_at(json, depth + 1)) return false;
        }
        return !json->is_bad;
    case '"': return carom_json_string(json, NULL, 0);
    case 't': return literal(json, "true");
    case 'f': return literal(json, "false");
    case 'n': return literal(json, "null");
    default: return number(json);
    }
}

bool carom_json_skip(caromJson *json)
{
    return !json->is_bad && skip_at(json, 1);
}

bool carom_json_is_one_object(const char *text, size_t n)
{
    caromJson json = { text, text + n, false, NULL };
    return carom_json_peek(&json) == '{' && carom_json_skip(&json) && carom_json_peek(&json) < 0;
}
