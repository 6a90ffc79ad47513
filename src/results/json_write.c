#include <stdio.h>
#include <string.h>

#include "results/results.h"

// A value needs a comma before it unless it is the first: then an opening bracket or a colon stands there.
static void comma(caromText *text)
{
    if (text->size && !strchr("{[:", text->data[text->size - 1])) carom_results_text_string(text, ",");
}

void carom_json_begin(caromText *text, char bracket)
{
    comma(text);
    carom_results_text_bytes(text, &bracket, 1);
}

void carom_json_finish(caromText *text, char bracket)
{
    carom_results_text_bytes(text, &bracket, 1);
}

void carom_json_key(caromText *text, const char *key)
{
    carom_json_text(text, key);
    carom_results_text_string(text, ":");
}

void carom_json_number(caromText *text, double value)
{
    char number[CAROM_NUMBER_MAX];
    comma(text);
    if (isfinite(value)) carom_results_text_bytes(text, number, (size_t)carom_results_number_text(value, number));
    else carom_results_text_string(text, "null");
}

void carom_json_integer(caromText *text, int64_t value)
{
    char number[CAROM_NUMBER_MAX];
    comma(text);
    carom_results_text_bytes(text, number, (size_t)snprintf(number, sizeof number, "%lld", (long long)value));
}

void carom_json_bool(caromText *text, bool value)
{
    comma(text);
    carom_results_text_string(text, value ? "true" : "false");
}

void carom_json_vec3(caromText *text, caromVec3 v)
{
    carom_json_begin(text, '[');
    carom_json_number(text, v.x);
    carom_json_number(text, v.y);
    carom_json_number(text, v.z);
    carom_json_finish(text, ']');
}

// Length of the UTF-8 character at c, 0 if there is none. Overlong forms, surrogates and what is above U+10FFFF are
// none.
static size_t utf8_length(const unsigned char *c)
{
    size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f))) return 0;
    if (n == 4 && ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))) return 0;
    return n;
}

static void escape(caromText *text, unsigned char c)
{
    static const char short_forms[] = "\"\"\\\\\nn\rr\tt";  // pairs: character, letter behind the backslash
    for (const char *s = short_forms; *s; s += 2) {
        if (c == (unsigned char)*s) {
            carom_results_text_bytes(text, "\\", 1);
            carom_results_text_bytes(text, s + 1, 1);
            return;
        }
    }
    char code[8];
    snprintf(code, sizeof code, "\\u%04x", c);
    carom_results_text_string(text, code);
}

void carom_json_text(caromText *text, const char *string)
{
    comma(text);
    carom_results_text_bytes(text, "\"", 1);
    const unsigned char *c = (const unsigned char *)string;
    while (*c) {
        const unsigned char *start = c;
        while (*c >= 0x20 && *c < 0x7f && *c != '"' && *c != '\\') c++;
        carom_results_text_bytes(text, start, (size_t)(c - start));
        if (!*c) break;
        size_t n = utf8_length(c);
        if (n == 0) carom_results_text_string(text, "\xef\xbf\xbd");
        else if (n == 1) escape(text, *c);
        else carom_results_text_bytes(text, c, n);
        c += n ? n : 1;
    }
    carom_results_text_bytes(text, "\"", 1);
}

void carom_results_member_number(caromText *text, const char *key, double value)
{
    carom_json_key(text, key);
    carom_json_number(text, value);
}

void carom_results_member_integer(caromText *text, const char *key, int64_t value)
{
    carom_json_key(text, key);
    carom_json_integer(text, value);
}

void carom_results_member_bool(caromText *text, const char *key, bool value)
{
    carom_json_key(text, key);
    carom_json_bool(text, value);
}

void carom_results_member_text(caromText *text, const char *key, const char *value)
{
    carom_json_key(text, key);
    carom_json_text(text, value);
}

void carom_results_member_vec3(caromText *text, const char *key, caromVec3 value)
{
    carom_json_key(text, key);
    carom_json_vec3(text, value);
}

void carom_results_member_array(caromText *text, const char *key)
{
    carom_json_key(text, key);
    carom_json_begin(text, '[');
}
