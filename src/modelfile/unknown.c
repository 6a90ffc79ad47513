// A key that is not in its section: what was probably meant, and where it belongs.
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "modelfile/modelfile.h"

enum { KNOWN_MAX = 128 };  // keys of one section that are compared with a misspelt one

static bool is_offered(const caromKey *key, const caromUnknownKey *u)
{
    return key->in == u->in && carom_key_suits(key, u->joint);
}

static const caromKey *find_synonym(const caromFormat *format, const caromUnknownKey *u)
{
    const char *word;
    for (int i = 0; (word = carom_modelfile_spell_synonym(u->name, i)); i++) {
        const caromKey *key = carom_modelfile_key_find(format, u->in, word, strlen(word));
        if (key && carom_key_suits(key, u->joint)) return key;
    }
    return NULL;
}

static const caromKey *find_nearest(const caromFormat *format, const caromUnknownKey *u)
{
    const char *known[KNOWN_MAX];
    const caromKey *key;
    int n = 0;
    if (strlen(u->name) > CAROM_NAME_MAX) return NULL;  // nobody's misspelling of a key
    for (int i = 0; (key = carom_modelfile_key(format, i)) && n < KNOWN_MAX; i++)
        if (is_offered(key, u)) known[n++] = key->name;
    const char *word = carom_nearest_name(u->name, known, n);
    return word ? carom_modelfile_key_find(format, u->in, word, strlen(word)) : NULL;
}

static bool opens(const caromFormat *format, caromSectionId outer, caromSectionId inner)
{
    const caromKey *key;
    for (int i = 0; (key = carom_modelfile_key(format, i)); i++)
        if (key->in == outer && key->type >= CAROM_KEY_SECTION && key->opens == inner) return true;
    return false;
}

// The same key where it is allowed: one level down, one level up, anywhere.
static const caromKey *find_elsewhere(const caromFormat *format, const caromUnknownKey *u)
{
    const caromKey *found = NULL, *key;
    int best = 0;
    for (int i = 0; (key = carom_modelfile_key(format, i)); i++) {
        if (strcmp(key->name, u->name) != 0) continue;
        int rank = opens(format, u->in, key->in) ? 3 : opens(format, key->in, u->in) ? 2 : 1;
        if (rank <= best) continue;
        found = key;
        best = rank;
    }
    return found;
}

// Without the kind of the joint one coordinate stands for all: they are many, and no kind has more than a few.
static void list_known(const caromFormat *format, const caromUnknownKey *u, char *text, size_t n)
{
    size_t used = 0;
    const char *coordinate = NULL;
    const caromKey *key;
    text[0] = '\0';
    for (int i = 0; (key = carom_modelfile_key(format, i)); i++) {
        if (!is_offered(key, u)) continue;
        if (key->suits != CAROM_SUITS_COORDINATE || u->joint >= 0) {
            if (used < n) used += (size_t)snprintf(text + used, n - used, "%s%s", used ? ", " : "", key->name);
        } else if (!coordinate) coordinate = key->name;
    }
    if (coordinate && used < n) snprintf(text + used, n - used, ", or a coordinate such as %s", coordinate);
}

const caromKey *carom_modelfile_key_meant(const caromFormat *format, const caromUnknownKey *u, char *text, size_t n)
{
    caromQuoted quoted = carom_modelfile_quoted(u->name);
    const char *title = carom_modelfile_section(format, u->in)->title;
    const caromKey *meant = find_synonym(format, u);
    const caromKey *elsewhere = meant ? NULL : find_elsewhere(format, u);
    if (elsewhere) {
        const char *where = carom_modelfile_section(format, elsewhere->in)->title;
        snprintf(text, n, "unknown key %s in %s: it belongs in %s", quoted.text, title, where);
        return NULL;
    }
    if (!meant) meant = find_nearest(format, u);
    if (meant) {
        snprintf(text, n, "unknown key %s, did you mean '%s'?", quoted.text, meant->name);
        return meant;
    }
    char known[400];
    list_known(format, u, known, sizeof known);
    snprintf(text, n, "unknown key %s in %s: expected one of %s", quoted.text, title, known);
    return NULL;
}
