// JSON in, value by value: strict (RFC 8259, UTF-8), nested at most CAROM_JSON_DEPTH_MAX. After a mistake is_bad stays
// set and nothing moves.
#ifndef CAROM_SRC_JSON_H
#define CAROM_SRC_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAROM_JSON_DEPTH_MAX 32
typedef struct caromJson {
    const char *at, *end;
    bool is_bad;
    const char *bad_at;  // where the mistake is
} caromJson;

int carom_json_peek(caromJson *json);                         // the next character behind blanks; -1: the end
bool carom_json_count(caromJson *json, int64_t *value);       // a whole number >= 0
bool carom_json_double(caromJson *json, double *value);       // any number that a double can hold
bool carom_json_skip(caromJson *json);                        // checks one value of any kind and steps over it
bool carom_json_enter(caromJson *json, char bracket);         // '{' or '['; false and not bad: another kind of value
// Is there one more element? seen: how many there were so far. Steps over the comma, or over the closing bracket.
bool carom_json_more(caromJson *json, char closing, int64_t seen);
// A string, decoded and terminated; text holds n bytes. Too long or with a NUL inside is bad. NULL: only step over it.
bool carom_json_string(caromJson *json, char *text, size_t n);
bool carom_json_member(caromJson *json, char *key, size_t n);  // key and colon
bool carom_json_is_one_object(const char *text, size_t n);     // and nothing else

#endif
