// The key table for machines (JSON Schema, draft 7) and for people (the tables of docs/model-format.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "modelfile/modelfile.h"

typedef struct Out {
    char *text;
    size_t used, capacity;
    bool is_full;  // out of memory
    caromFormat *format;
} Out;

static Out begin(void)
{
    Out out = { .format = carom_modelfile_format_create() };
    out.is_full = !out.format;
    return out;
}

static void put(Out *out, const char *text, size_t n)
{
    if (out->used + n + 1 > out->capacity) {
        size_t capacity = 2*(out->used + n + 1);
        char *larger = realloc(out->text, capacity);
        if (!larger) {
            out->is_full = true;
            return;
        }
        out->text = larger;
        out->capacity = capacity;
    }
    memcpy(out->text + out->used, text, n);
    out->used += n;
    out->text[out->used] = '\0';
}

static void print(Out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(Out *out, const char *format, ...)
{
    char text[1200];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0) put(out, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static char *finish(Out *out)
{
    carom_modelfile_format_destroy(out->format);
    if (!out->is_full) return out->text;
    free(out->text);
    return NULL;
}

// ---- JSON Schema

// A string of ours: only quotes and backslashes need care.
static void print_string(Out *out, const char *text)
{
    put(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') put(out, "\\", 1);
        put(out, text, 1);
    }
    put(out, "\"", 1);
}

static const char *section_key(Out *out, caromSectionId id)
{
    const char *title = carom_modelfile_section(out->format, id)->title;
    const char *space = strchr(title, ' ');
    return space ? space + 1 : title;
}

static void print_choice(Out *out, const caromKey *key)
{
    print(out, "\"enum\": [");
    for (int i = 0; carom_modelfile_choice_offered(key, i); i++)
        print(out, "%s\"%s\"", i ? ", " : "", carom_modelfile_choice_offered(key, i));
    print(out, "]");
}

// A quantity, or a list of them; without a limit in the joint, the word for it.
static void print_per_speed(Out *out, const caromKey *key)
{
    bool may_be_none = strcmp(key->fallback, "none") == 0;
    const char *item = may_be_none ? "{\"anyOf\": [{\"$ref\": \"#/definitions/quantity\"}, {\"const\": \"none\"}]}"
                                   : "{\"$ref\": \"#/definitions/quantity\"}";
    print(out, "\"anyOf\": [%s, {\"type\": \"array\", \"items\": %s, \"minItems\": 2, \"maxItems\": %d}]", item, item,
          CAROM_JOINT_NV_MAX);
}

#define FUNCTION_TYPE "\"anyOf\": [{\"$ref\": \"#/definitions/quantity\"}, {\"$ref\": \"#/definitions/function\"}]"

static void print_numbers(Out *out, const caromKey *key, int least, int most)
{
    print(out, "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}, \"minItems\": %d, \"maxItems\": %d",
          carom_modelfile_dim_info(key->dim)->key, least, most);
}

#define NAME_PATTERN "^[A-Za-z][A-Za-z0-9_-]{0,62}$"
#define DOTTED_PATTERN "^[A-Za-z][A-Za-z0-9_-]{0,62}(\\\\.[A-Za-z][A-Za-z0-9_-]{0,62})?$"  // a shape of a body
_Static_assert(CAROM_NAME_MAX == 63, "NAME_PATTERN has the length of names");

static void print_reference(Out *out, const char *definition)
{
    print(out, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", definition);
}

static void print_name(Out *out)
{
    print(out, "\"type\": \"string\", \"pattern\": \"%s\"", NAME_PATTERN);
}

static void print_name_pair(Out *out)
{
    print(out, "\"type\": \"array\", \"items\": {\"type\": \"string\", \"pattern\": \"%s\"}, \"minItems\": 2, "
          "\"maxItems\": 2", NAME_PATTERN);
}

static void print_groups(Out *out)
{
    print(out, "\"type\": \"array\", \"items\": {\"type\": \"string\", \"pattern\": \"%s\"}, \"maxItems\": %d",
          NAME_PATTERN, CAROM_GROUPS_MAX);
}

static void print_ignored(Out *out)
{
    print(out, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"string\", "
          "\"pattern\": \"%s\"}, \"minItems\": 2, \"maxItems\": 2}", DOTTED_PATTERN);
}

static void print_parameters(Out *out)
{
    print(out, "\"type\": \"object\", \"patternProperties\": {\"^[A-Za-z][A-Za-z0-9_]{0,62}$\": {\"$ref\": "
          "\"#/definitions/quantity\"}}, \"additionalProperties\": false, \"maxProperties\": %d",
          CAROM_PARAMETERS_MAX);
}

static void print_restitution(Out *out)
{
    print(out, "\"anyOf\": [{\"type\": [\"number\", \"string\"]}, {\"$ref\": \"#/definitions/restitution\"}]");
}

// A list of at least two [x, y].
static void print_table(Out *out, const char *x, const char *y)
{
    print(out, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": [{\"$ref\": \"#/definitions/%s\"}, "
          "{\"$ref\": \"#/definitions/%s\"}], \"minItems\": 2, \"maxItems\": 2}, \"minItems\": 2", x, y);
}

static void print_inertia(Out *out, const caromKey *key)
{
    print_numbers(out, key, 3, 6);
    print(out, ", \"not\": {\"minItems\": 4, \"maxItems\": 5}");
}

static void print_functions(Out *out)
{
    print(out, "\"type\": \"array\", \"items\": {%s}, \"minItems\": 3, \"maxItems\": 3", FUNCTION_TYPE);
}

static void print_points(Out *out, const caromKey *key)
{
    print(out, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}, "
          "\"minItems\": 3, \"maxItems\": 3}, \"minItems\": 4", carom_modelfile_dim_info(key->dim)->key);
}

static void print_heights(Out *out, const caromKey *key)
{
    print(out, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}, "
          "\"minItems\": 2}, \"minItems\": 2", carom_modelfile_dim_info(key->dim)->key);
}

static void print_named(Out *out, const char *definition)
{
    print(out, "\"type\": \"object\", \"patternProperties\": {\"%s\": {\"$ref\": \"#/definitions/%s\"}}, "
          "\"additionalProperties\": false", NAME_PATTERN, definition);
}

static void print_listed(Out *out, const char *definition)
{
    print(out, "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}", definition);
}

static void print_type(Out *out, const caromKey *key)
{
    caromDimId dim = key->type == CAROM_KEY_NUMBER && key->dim_angle ? CAROM_DIM_DRIVEN : key->dim;
    switch (key->type) {
    case CAROM_KEY_VERSION: print(out, "\"const\": 1"); break;
    case CAROM_KEY_TITLE: print(out, "\"type\": [\"string\", \"number\", \"boolean\"]"); break;
    case CAROM_KEY_FILE: print(out, "\"type\": \"string\", \"minLength\": 1"); break;
    case CAROM_KEY_BOOL: print(out, "\"type\": \"boolean\""); break;
    case CAROM_KEY_CHOICE: print_choice(out, key); break;
    case CAROM_KEY_NAME:
    case CAROM_KEY_BODY:
    case CAROM_KEY_GROUP: print_name(out); break;
    case CAROM_KEY_NAME_PAIR:
    case CAROM_KEY_BODY_PAIR: print_name_pair(out); break;
    case CAROM_KEY_GROUPS: print_groups(out); break;
    case CAROM_KEY_IGNORED: print_ignored(out); break;
    case CAROM_KEY_NUMBER:
    case CAROM_KEY_CONTACT_STIFFNESS: print_reference(out, carom_modelfile_dim_info(dim)->key); break;
    case CAROM_KEY_CONTACT_DAMPING: print_reference(out, "quantity"); break;
    case CAROM_KEY_PARAMETERS: print_parameters(out); break;
    case CAROM_KEY_RESTITUTION: print_restitution(out); break;
    case CAROM_KEY_SPEED_TABLE: print_table(out, "velocity", "number"); break;
    case CAROM_KEY_TABLE: print_table(out, "time", "quantity"); break;
    case CAROM_KEY_VECTOR: print_numbers(out, key, 3, 3); break;
    case CAROM_KEY_QUATERNION: print_numbers(out, key, 4, 4); break;
    case CAROM_KEY_INERTIA: print_inertia(out, key); break;
    case CAROM_KEY_PER_SPEED: print_per_speed(out, key); break;
    case CAROM_KEY_FUNCTION: print(out, "%s", FUNCTION_TYPE); break;
    case CAROM_KEY_FUNCTIONS: print_functions(out); break;
    case CAROM_KEY_POINTS: print_points(out, key); break;
    case CAROM_KEY_HEIGHTS: print_heights(out, key); break;
    case CAROM_KEY_SECTION: print_reference(out, section_key(out, key->opens)); break;
    case CAROM_KEY_NAMED: print_named(out, section_key(out, key->opens)); break;
    case CAROM_KEY_LISTED: print_listed(out, section_key(out, key->opens)); break;
    }
}

// " [m]", or " [rad or m]" by the coordinate of a joint
static const char *unit_of(const caromKey *key, char *text, size_t n)
{
    const char *si = carom_modelfile_dim_info(key->dim)->si;
    if (key->dim_angle) snprintf(text, n, " [%s or %s]", carom_modelfile_dim_info(key->dim_angle)->si, si);
    else if (key->type == CAROM_KEY_CONTACT_DAMPING)
        snprintf(text, n, " [%s or %s]", si, carom_modelfile_dim_info(CAROM_DIM_DAMPING)->si);
    else if (si[0]) snprintf(text, n, " [%s]", si);
    else text[0] = '\0';
    return text;
}

static void print_description(Out *out, const caromKey *key)
{
    char text[600], unit[40];
    int n = snprintf(text, sizeof text, "%s%s", key->doc, unit_of(key, unit, sizeof unit));
    if (key->fallback) n += snprintf(text + n, sizeof text - (size_t)n, " Default: %s.", key->fallback);
    if (key->type < CAROM_KEY_SECTION) snprintf(text + n, sizeof text - (size_t)n, " Example: %s", key->example);
    print(out, "\"description\": ");
    print_string(out, text);
}

static void print_properties(Out *out, caromSectionId id, const char *indent)
{
    print(out, "%s\"properties\": {", indent);
    bool is_first = true;
    const caromKey *key;
    for (int i = 0; (key = carom_modelfile_key(out->format, i)); i++) {
        if (key->in != id) continue;
        print(out, "%s\n%s  \"%s\": {", is_first ? "" : ",", indent, key->name);
        print_description(out, key);
        print(out, ", ");
        print_type(out, key);
        print(out, "}");
        is_first = false;
    }
    print(out, "\n%s}", indent);
}

static void print_required(Out *out, caromSectionId id, const char *indent)
{
    bool is_first = true;
    const caromKey *key;
    for (int i = 0; (key = carom_modelfile_key(out->format, i)); i++) {
        if (key->in != id || !key->required) continue;
        if (is_first) print(out, ",\n%s\"required\": [", indent);
        print(out, "%s\"%s\"", is_first ? "" : ", ", key->name);
        is_first = false;
    }
    if (!is_first) print(out, "]");
}

// "a+b|c" as {"required": ["a", "b"]}, {"required": ["c"]}
static void print_alternatives(Out *out, const char *choice, size_t length, const char *between)
{
    print(out, "[\"");
    for (size_t i = 0; i < length; i++) {
        if (choice[i] == '+') print(out, "\", \"");
        else if (choice[i] == '|') print(out, "%s", between);
        else put(out, choice + i, 1);
    }
    print(out, "\"]");
}

// Exactly one of them, or not both of an optional two.
static void print_choices(Out *out, caromSectionId id, const char *indent)
{
    const caromSection *section = carom_modelfile_section(out->format, id);
    const char *s = section->choices;
    if (!s) return;
    if (section->choice_required) {
        print(out, ",\n%s\"oneOf\": [{\"required\": ", indent);
        print_alternatives(out, s, strlen(s), "\"]}, {\"required\": [\"");
        print(out, "}]");
        return;
    }
    print(out, ",\n%s\"allOf\": [", indent);
    for (bool is_first = true; *s; is_first = false) {
        size_t n = strcspn(s, ";");
        print(out, "%s{\"not\": {\"required\": ", is_first ? "" : ", ");
        print_alternatives(out, s, n, "\", \"");
        print(out, "}}");
        s += n + (s[n] == ';');
    }
    print(out, "]");
}

static void print_section(Out *out, caromSectionId id, const char *indent)
{
    print(out, "%s\"description\": ", indent);
    print_string(out, carom_modelfile_section(out->format, id)->doc);
    print(out, ",\n%s\"type\": \"object\",\n%s\"additionalProperties\": false,\n", indent, indent);
    print_properties(out, id, indent);
    print_required(out, id, indent);
    print_choices(out, id, indent);
}

#define QUANTITY_PATTERN \
    "^\\\\s*[-+]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][-+]?[0-9]+)?(\\\\s*[^\\\\s0-9._:,].*|\\\\s+1\\\\s*/.*)?$"

static bool is_used(const Out *out, caromDimId dim)
{
    const caromKey *key;
    for (int i = 0; (key = carom_modelfile_key(out->format, i)); i++)
        if (key->dim == dim && !key->dim_angle) return true;
    return false;
}

static void print_definitions(Out *out)
{
    print(out, "  \"definitions\": {");
    for (int i = 0; i < CAROM_DIM_COUNT; i++) {
        const caromDimInfo *dim = carom_modelfile_dim_info((caromDimId)i);
        if (!is_used(out, (caromDimId)i)) continue;
        print(out, "%s\n    \"%s\": {\"description\": \"%s such as %s", i ? "," : "", dim->key, dim->title,
              dim->example);
        if (dim->si[0]) print(out, "; a number alone is in %s", dim->si);
        print(out, "\", \"type\": [\"number\", \"string\"], \"pattern\": \"%s\"}", QUANTITY_PATTERN);
    }
    for (int i = CAROM_IN_TOP + 1; i < CAROM_SECTIONS; i++) {
        print(out, ",\n    \"%s\": {\n", section_key(out, (caromSectionId)i));
        print_section(out, (caromSectionId)i, "      ");
        print(out, "\n    }");
    }
    print(out, "\n  }\n");
}

static void print_schema(Out *out)
{
    print(out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": \"carom model\",\n");
    print_section(out, CAROM_IN_TOP, "  ");
    print(out, ",\n");
    print_definitions(out);
    print(out, "}\n");
}

char *carom_modelfile_schema(void)
{
    Out out = begin();
    if (out.format) print_schema(&out);
    return finish(&out);
}

// ---- the reference

static const char *type_name(const caromKey *key)
{
    switch (key->type) {
    case CAROM_KEY_VERSION: return "1";
    case CAROM_KEY_TITLE: return "text";
    case CAROM_KEY_FILE: return "name of a file";
    case CAROM_KEY_NAME: return "name of a material";
    case CAROM_KEY_NAME_PAIR: return "list of 2 materials";
    case CAROM_KEY_BODY: return "name of a body";
    case CAROM_KEY_BODY_PAIR: return "list of 2 bodies";
    case CAROM_KEY_BOOL: return "true, false";
    case CAROM_KEY_NUMBER: return strchr(carom_modelfile_dim_info(key->dim)->title, ' ') + 1;  // "a length"
    case CAROM_KEY_CONTACT_STIFFNESS: return "stiffness";
    case CAROM_KEY_CONTACT_DAMPING: return "damping coefficient";
    case CAROM_KEY_PARAMETERS: return "names with quantities";
    case CAROM_KEY_RESTITUTION: return "number, formula or keys";
    case CAROM_KEY_SPEED_TABLE: return "list of [speed, number]";
    case CAROM_KEY_VECTOR: return "list of 3";
    case CAROM_KEY_QUATERNION: return "list of 4 numbers";
    case CAROM_KEY_INERTIA: return "list of 3 or 6";
    case CAROM_KEY_PER_SPEED: return "one for each speed";
    case CAROM_KEY_FUNCTION: return "function of time";
    case CAROM_KEY_FUNCTIONS: return "list of 3 functions of time";
    case CAROM_KEY_TABLE: return "list of [time, quantity]";
    case CAROM_KEY_POINTS: return "list of points, each a list of 3";
    case CAROM_KEY_HEIGHTS: return "list of rows, each a list";
    case CAROM_KEY_GROUP: return "name of a group";
    case CAROM_KEY_GROUPS: return "list of groups";
    case CAROM_KEY_IGNORED: return "list of pairs, each a list of 2";
    case CAROM_KEY_NAMED: return "names with keys";
    case CAROM_KEY_LISTED: return "list of keys";
    case CAROM_KEY_CHOICE:
    case CAROM_KEY_SECTION: break;
    }
    return "keys";
}

static void print_row(Out *out, const caromKey *key)
{
    const char *path = carom_modelfile_section(out->format, key->in)->path;
    char unit[40];
    print(out, "| `%s%s%s` | ", path, path[0] ? "." : "", key->name);
    if (key->type == CAROM_KEY_CHOICE)
        for (int i = 0; carom_modelfile_choice_offered(key, i); i++)
            print(out, "%s%s", i ? ", " : "", carom_modelfile_choice_offered(key, i));
    else print(out, "%s", type_name(key));
    print(out, "%s | %s | %s |\n", unit_of(key, unit, sizeof unit),
          key->required ? "required" : key->fallback ? key->fallback : "", key->doc);
}

static const char *si_of(caromDim d)
{
    for (int i = 0; i < CAROM_DIM_COUNT; i++) {
        const caromDimInfo *info = carom_modelfile_dim_info((caromDimId)i);
        if (carom_modelfile_dim_equal(info->dim, d)) return info->si;
    }
    return "";
}

static void print_units(Out *out)
{
    print(out, "| symbol | unit | in SI | prefixes |\n|---|---|---|---|\n");
    for (int i = 0; carom_modelfile_unit_info(i); i++) {
        const caromUnit *u = carom_modelfile_unit_info(i);
        const char *si = si_of(u->dim);
        print(out, "| %s | %s | %.10g%s%s | %s |\n", u->symbol, u->name, u->num/u->den*pow(10, u->exponent),
              si[0] ? " " : "", si, u->has_prefixes ? "yes" : "");
    }
    print(out, "\nPrefixes: %s\n", carom_modelfile_unit_prefixes());
}

static void print_keys(Out *out, caromSectionId id)
{
    const caromKey *key;
    print(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (int i = 0; (key = carom_modelfile_key(out->format, i)); i++)
        if (key->in == id) print_row(out, key);
    print(out, "\n");
}

char *carom_modelfile_reference(void)
{
    Out out = begin();
    for (int id = 0; out.format && id < CAROM_SECTIONS; id++) print_keys(&out, (caromSectionId)id);
    print_units(&out);
    return finish(&out);
}
