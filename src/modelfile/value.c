// Values of keys: numbers with units, vectors, words. What is wrong is reported and the field keeps its default.
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/names.h"
#include "modelfile/modelfile.h"

const char *carom_modelfile_got(const caromNode *node, caromQuoted *quoted)
{
    if (node->kind == CAROM_NODE_LIST) return "a list";
    if (node->kind == CAROM_NODE_MAP) return "a mapping";
    if (node->kind != CAROM_NODE_SCALAR || node->text[0] == '\0') return "nothing";
    *quoted = carom_modelfile_quoted(node->text);
    return quoted->text;
}

// The text of a scalar; otherwise reports "expected WHAT such as EXAMPLE, got ..." and gives NULL.
static const char *scalar_text(caromReader *r, int node, const char *what, const char *example)
{
    const caromNode *n = &r->tree.nodes[node];
    if (n->kind == CAROM_NODE_REFUSED) return NULL;
    if (n->kind == CAROM_NODE_SCALAR && n->text[0] != '\0') return n->text;
    caromQuoted quoted;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s%s%s, got %s", what, example ? " such as " : "",
                                 example ? example : "", carom_modelfile_got(n, &quoted));
    return NULL;
}

// An example of the key table has a dimension of its own; that of a driven quantity is the dimension's.
bool carom_modelfile_read_number(caromReader *r, int node, caromDimId dim, const char *example, double *value)
{
    if (dim == CAROM_DIM_DRIVEN) {
        dim = r->driven;
        example = NULL;
    }
    const caromDimInfo *info = carom_modelfile_dim_info(dim);
    const char *text = scalar_text(r, node, info->title, example ? example : info->example);
    if (!text) return false;
    char why[400];
    if (carom_modelfile_quantity_parse(text, dim, example, value, why, sizeof why)) return true;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "%s", why);
    return false;
}

static bool is_list(caromReader *r, int node, const caromKey *key, const char *what)
{
    const caromNode *n = &r->tree.nodes[node];
    if (n->kind == CAROM_NODE_LIST) return true;
    if (n->kind == CAROM_NODE_REFUSED) return false;
    caromQuoted quoted;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s, got %s", what, key->example,
                                 carom_modelfile_got(n, &quoted));
    return false;
}

static bool has_count(caromReader *r, int node, const caromKey *key, const char *what, int n, int m)
{
    int count = r->tree.nodes[node].count;
    if (count == n || count == m) return true;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s, got %d", what, key->example, count);
    return false;
}

// A list of n (or m) quantities.
typedef struct Numbers {
    const char *what;
    int n, m;
} Numbers;

// Every wrong element is reported.
static int read_numbers(caromReader *r, int node, const caromKey *key, Numbers expected, double values[6])
{
    if (!is_list(r, node, key, expected.what) || !has_count(r, node, key, expected.what, expected.n, expected.m))
        return 0;
    int k = 0;
    bool is_good = true;
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next)
        is_good &= carom_modelfile_read_number(r, c, key->dim, NULL, &values[k++]);
    return is_good ? k : 0;
}

static void read_vector(caromReader *r, int node, const caromKey *key, caromVec3 *out)
{
    double v[6];
    if (read_numbers(r, node, key, (Numbers){ "a list of 3 components", 3, 3 }, v)) *out = carom_vec(v[0], v[1], v[2]);
}

static void read_quaternion(caromReader *r, int node, const caromKey *key, caromQuat *out)
{
    double v[6];
    if (read_numbers(r, node, key, (Numbers){ "a list of 4 components", 4, 4 }, v))
        *out = (caromQuat){ v[0], v[1], v[2], v[3] };
}

static bool read_point(caromReader *r, int node, const caromKey *key, caromVec3 *point)
{
    const caromKey coordinates = { .dim = key->dim, .example = "[10 mm, 0, 0]" };
    double v[6];
    if (!read_numbers(r, node, &coordinates, (Numbers){ "a point with 3 coordinates", 3, 3 }, v)) return false;
    *point = carom_vec(v[0], v[1], v[2]);
    return true;
}

// Every wrong point is reported, as long as somebody reads it: a path is found by counting from the first point on.
static void read_points(caromReader *r, int node, const caromKey *key, caromPoints *out)
{
    if (!is_list(r, node, key, "a list of points")) return;
    int count = r->tree.nodes[node].count, n = 0;
    if (count < 4 || count > CAROM_HULL_POINTS_MAX) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of 4 to %d points such as %s, got %d",
                                     CAROM_HULL_POINTS_MAX, key->example, count);
        return;
    }
    caromVec3 *points = malloc((size_t)count*sizeof *points);
    if (!points) {
        r->out_of_memory = true;
        return;
    }
    for (int c = r->tree.nodes[node].first; c >= 0 && !r->problems->truncated; c = r->tree.nodes[c].next)
        n += read_point(r, c, key, &points[n]);
    if (n == count) {
        free(out->p);
        *out = (caromPoints){ points, n };
    } else free(points);
}

// The products are entries of the matrix: Ixy = -integral of x y dm.
static void read_inertia(caromReader *r, int node, const caromKey *key, caromMat3 *out)
{
    double v[6] = { 0 };
    if (!read_numbers(r, node, key, (Numbers){ "a list of 3 or 6 components", 3, 6 }, v)) return;
    *out = (caromMat3){ { v[0], v[3], v[4] }, { v[3], v[1], v[5] }, { v[4], v[5], v[2] } };
}

bool carom_modelfile_name_is_good(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || n > CAROM_NAME_MAX) return false;
    for (size_t i = 0; i < n; i++) {
        char c = name[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_' || c == '-'))) return false;
    }
    return true;
}

static bool read_name(caromReader *r, int node, const char *what, const char *example, const char **out)
{
    char expected[40];
    snprintf(expected, sizeof expected, "the name of a %s", what);
    const char *text = scalar_text(r, node, expected, example);
    if (!text) return false;
    if (!carom_modelfile_name_is_good(text)) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s, got %s", expected, example,
                                     carom_modelfile_quoted(text).text);
        return false;
    }
    *out = text;
    return true;
}

static void read_name_pair(caromReader *r, int node, const caromKey *key, const char *what, const char *example,
                           const char *out[2])
{
    char expected[40];
    const char *names[2];
    snprintf(expected, sizeof expected, "a list of 2 %s", what[0] == 'm' ? "materials" : "bodies");
    if (!is_list(r, node, key, expected) || !has_count(r, node, key, expected, 2, 2)) return;
    bool is_good = true;
    for (int i = 0; i < 2; i++)
        is_good &= read_name(r, carom_modelfile_tree_element(&r->tree, node, i), what, example, &names[i]);
    if (is_good) memcpy(out, names, sizeof names);
}

static void read_bool(caromReader *r, int node, bool *out)
{
    const char *text = scalar_text(r, node, "true or false", NULL);
    if (!text) return;
    static const char *const yes[] = { "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE", "1", "y" };
    static const char *const no[] = { "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE", "0", "n" };
    bool is_true = strcmp(text, "true") == 0;
    if (is_true || strcmp(text, "false") == 0) {
        *out = is_true;
        return;
    }
    for (size_t i = 0; i < sizeof yes/sizeof yes[0]; i++)
        if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
            carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected true or false, got %s: write %s",
                                         carom_modelfile_quoted(text).text,
                                         strcmp(text, yes[i]) == 0 ? "true" : "false");
            return;
        }
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected true or false, got %s",
                                 carom_modelfile_quoted(text).text);
}

int carom_modelfile_choice_find(const caromKey *key, const char *text)
{
    for (int i = 0; key->choice(i); i++)
        if (strcmp(text, key->choice(i)) == 0) return i;
    return -1;
}

static bool is_offered(const caromKey *key, int i)
{
    return !key->is_offered || key->is_offered(i);
}

const char *carom_modelfile_choice_offered(const caromKey *key, int k)
{
    for (int i = 0; key->choice(i); i++)
        if (is_offered(key, i) && k-- == 0) return key->choice(i);
    return NULL;
}

#define CHOICES_MAX 16

int carom_modelfile_choice_meant(const caromKey *key, const char *text)
{
    const char *words[CHOICES_MAX], *word;
    int n = 0;
    for (int i = 0; (word = carom_modelfile_spell_synonym(text, i)); i++)
        if (carom_modelfile_choice_find(key, word) >= 0) return carom_modelfile_choice_find(key, word);
    for (; n < CHOICES_MAX && carom_modelfile_choice_offered(key, n); n++)
        words[n] = carom_modelfile_choice_offered(key, n);
    const char *near = strlen(text) <= CAROM_NAME_MAX ? carom_nearest_name(text, words, n) : NULL;
    return near ? carom_modelfile_choice_find(key, near) : -1;
}

// "given [s/m] or depth [N s/m]"
static const char *dampings_with_coefficient(char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < CAROM_DAMPING_KINDS && n < size; i++) {
        const caromDampingInfo *info = carom_contact_damping_info((caromDamping)i);
        if (info->needs_coefficient)
            n += (size_t)snprintf(text + n, size - n, "%s%s [%s]", n ? " or " : "", info->name, info->unit);
    }
    return text;
}

static void report_choice(caromReader *r, int node, const caromKey *key, const char *text)
{
    int n = 0, meant = carom_modelfile_choice_meant(key, text);
    char list[200] = "", laws[120];
    size_t used = 0;
    for (; carom_modelfile_choice_offered(key, n); n++)
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "",
                                     carom_modelfile_choice_offered(key, n));
    caromQuoted quoted = carom_modelfile_quoted(text);
    // Where others have a number for the damper.
    bool is_coefficient = key->in == CAROM_IN_PAIR && strcmp(key->name, "damping") == 0 &&
                          (carom_is_digit(text[0]) || text[0] == '.');
    if (is_coefficient)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a kind of damping (%s), got %s: "
                                     "a number is given as damping_coefficient, with damping: %s", list, quoted.text,
                                     dampings_with_coefficient(laws, sizeof laws));
    else if (meant >= 0)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "unknown %s %s, did you mean '%s'?%s", key->name,
                                     quoted.text, key->choice(meant),
                                     is_offered(key, meant) ? "" : " That is for a pair");
    else if (n == 1)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "unknown %s %s: expected %s", key->name, quoted.text,
                                     list);
    else
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "unknown %s %s: expected one of %s", key->name,
                                     quoted.text, list);
}

static void read_choice(caromReader *r, int node, const caromKey *key, void *out)
{
    const char *text = scalar_text(r, node, "a word", key->example);
    if (!text) return;
    int found = carom_modelfile_choice_find(key, text);
    unsigned value = (unsigned)found;
    if (found < 0) report_choice(r, node, key, text);
    else if (out) memcpy(out, &value, sizeof value);
}

_Static_assert(sizeof(caromDamping) == sizeof(unsigned) && sizeof(caromMethodChoice) == sizeof(unsigned) &&
               sizeof(caromJointKind) == sizeof(unsigned) && sizeof(caromFrictionLaw) == sizeof(unsigned) &&
               sizeof(caromResponse) == sizeof(unsigned) && sizeof(caromImpactLaw) == sizeof(unsigned) &&
               sizeof(caromImpactScheme) == sizeof(unsigned) && sizeof(caromLandingWay) == sizeof(unsigned),
               "choices are stored as unsigned");

static void read_version(caromReader *r, int node)
{
    const char *text = scalar_text(r, node, "the version of the format", "1");
    if (text && strcmp(text, "1") != 0)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "this carom reads version 1 of the format, got %s",
                                     carom_modelfile_quoted(text).text);
}

void carom_modelfile_read_value(caromReader *r, int node, const caromKey *key, void *field)
{
    switch (key->type) {
    case CAROM_KEY_VERSION: read_version(r, node); break;
    case CAROM_KEY_TITLE: *(const char **)field = scalar_text(r, node, "a text", key->example); break;
    case CAROM_KEY_FILE: *(const char **)field = scalar_text(r, node, "the name of a file", key->example); break;
    case CAROM_KEY_NAME: read_name(r, node, "material", key->example, field); break;
    case CAROM_KEY_NAME_PAIR: read_name_pair(r, node, key, "material", "steel", field); break;
    case CAROM_KEY_BODY: read_name(r, node, "body", key->example, field); break;
    case CAROM_KEY_BODY_PAIR: read_name_pair(r, node, key, "body", "world", field); break;
    case CAROM_KEY_BOOL: read_bool(r, node, field); break;
    case CAROM_KEY_CHOICE: read_choice(r, node, key, field); break;
    case CAROM_KEY_NUMBER:
        if (key->dim_angle) carom_modelfile_read_for_joint(r, node, key, field);
        else carom_modelfile_read_number(r, node, key->dim, key->example, field);
        break;
    case CAROM_KEY_VECTOR: read_vector(r, node, key, field); break;
    case CAROM_KEY_QUATERNION: read_quaternion(r, node, key, field); break;
    case CAROM_KEY_INERTIA: read_inertia(r, node, key, field); break;
    case CAROM_KEY_PER_SPEED: carom_modelfile_read_per_speed(r, node, key, field); break;
    case CAROM_KEY_FUNCTION: carom_modelfile_read_function(r, node, carom_modelfile_joint_dim(r, key, 0), field); break;
    case CAROM_KEY_FUNCTIONS: carom_modelfile_read_functions(r, node, key, field); break;
    case CAROM_KEY_TABLE: carom_modelfile_read_table(r, node, key, field); break;
    case CAROM_KEY_POINTS: read_points(r, node, key, field); break;
    case CAROM_KEY_HEIGHTS: carom_modelfile_read_heights(r, node, key, field); break;
    case CAROM_KEY_CONTACT_STIFFNESS: carom_modelfile_read_contact_stiffness(r, node, field); break;
    case CAROM_KEY_CONTACT_DAMPING: carom_modelfile_read_contact_damping(r, node, field); break;
    case CAROM_KEY_PARAMETERS: carom_modelfile_read_parameters(r, node, key, field); break;
    case CAROM_KEY_RESTITUTION: carom_modelfile_read_restitution(r, node, key, field); break;
    case CAROM_KEY_SPEED_TABLE: carom_modelfile_read_speed_table(r, node, field); break;
    case CAROM_KEY_GROUP:
    case CAROM_KEY_GROUPS: carom_modelfile_read_groups(r, node, key, field); break;
    case CAROM_KEY_IGNORED: carom_modelfile_read_ignored(r, node, key); break;
    case CAROM_KEY_SECTION:
    case CAROM_KEY_NAMED:
    case CAROM_KEY_LISTED: break;  // read.c
    }
}
