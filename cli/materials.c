// Looking things up in the palette.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { PALETTE_MAX = 256 };  // of materials, and of pairs

// Materials and pairs that were asked for.
typedef struct FoundMaterials {
    bool material[PALETTE_MAX], pair[PALETTE_MAX];
    int nmaterial, npair;
} FoundMaterials;

// ---- search

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (; *text; text++)
        if (strncasecmp(text, word, n) == 0) return true;
    return n == 0;
}

static bool material_has(const caromMaterialInfo *m, const char *word)
{
    return has_word(m->def.name, word) || has_word(m->title, word) || has_word(m->source, word);
}

static const caromMaterialInfo *info_of(const char *material)
{
    int i = 0;
    while (carom_model_material_info(i) && strcmp(carom_model_material_info(i)->def.name, material) != 0) i++;
    return carom_model_material_info(i);
}

// Of the pair itself, or of one of its materials.
static bool pair_has(const caromPairRecord *p, const char *word)
{
    if (has_word(p->note, word) || has_word(p->source, word)) return true;
    for (int i = 0; i < 2; i++) {
        const caromMaterialInfo *m = info_of(p->def.material[i]);
        if (m && material_has(m, word)) return true;
    }
    return false;
}

static bool material_has_all(const caromMaterialInfo *m, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) if (!material_has(m, words[i])) return false;
    return true;
}

static bool pair_has_all(const caromPairRecord *p, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) if (!pair_has(p, words[i])) return false;
    return true;
}

static void find_all(FoundMaterials *found, const char *const *words, int n)
{
    *found = (FoundMaterials){ .nmaterial = 0 };
    for (int i = 0; carom_model_material_info(i) && i < PALETTE_MAX; i++) {
        found->material[i] = material_has_all(carom_model_material_info(i), words, n);
        found->nmaterial += found->material[i];
    }
    for (int i = 0; carom_model_pair_record(i) && i < PALETTE_MAX; i++) {
        found->pair[i] = pair_has_all(carom_model_pair_record(i), words, n);
        found->npair += found->pair[i];
    }
}

// Words of two materials are of neither: then those of the pairs.
static void add_materials_of_pairs(FoundMaterials *found)
{
    for (int k = 0; carom_model_pair_record(k) && k < PALETTE_MAX; k++) {
        for (int i = 0; found->pair[k] && carom_model_material_info(i) && i < PALETTE_MAX; i++) {
            const char *name = carom_model_material_info(i)->def.name;
            for (int side = 0; side < 2; side++)
                if (strcmp(name, carom_model_pair_record(k)->def.material[side]) == 0) found->material[i] = true;
        }
    }
}

static int index_of_name(const char *name)
{
    for (int i = 0; carom_model_material_info(i) && i < PALETTE_MAX; i++)
        if (strcasecmp(carom_model_material_info(i)->def.name, name) == 0) return i;
    return -1;
}

static bool are_two_names(const char *const *words, int n)
{
    return n == 2 && index_of_name(words[0]) >= 0 && index_of_name(words[1]) >= 0;
}

// The pair of two names: "steel steel" is not everything that has to do with steel.
static void find_named(FoundMaterials *found, const char *const *names)
{
    *found = (FoundMaterials){ .nmaterial = 0 };
    for (int side = 0; side < 2; side++) found->material[index_of_name(names[side])] = true;
    for (int i = 0; carom_model_material_info(i) && i < PALETTE_MAX; i++) found->nmaterial += found->material[i];
    for (int k = 0; carom_model_pair_record(k) && k < PALETTE_MAX; k++) {
        const char *const *m = carom_model_pair_record(k)->def.material;
        found->pair[k] = (strcasecmp(m[0], names[0]) == 0 && strcasecmp(m[1], names[1]) == 0) ||
                         (strcasecmp(m[0], names[1]) == 0 && strcasecmp(m[1], names[0]) == 0);
        found->npair += found->pair[k];
    }
}

static void find_asked(FoundMaterials *found, const char *const *words, int n)
{
    if (are_two_names(words, n)) find_named(found, words);
    else find_all(found, words, n);
}

static const char *unknown_pair(const char *const *words, char *text, size_t n)
{
    const char *a = carom_model_material_info(index_of_name(words[0]))->def.name,
               *b = carom_model_material_info(index_of_name(words[1]))->def.name;
    snprintf(text, n, "nothing is known of %s - %s; give it in the model, pairs: [{between: [%s, %s], restitution: "
             "..., friction: ...}]", a, b, a, b);
    return text;
}

// The first word that nothing has, NULL: each has something.
static const char *unknown_word(const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        FoundMaterials found;
        find_all(&found, &words[i], 1);
        if (found.nmaterial + found.npair == 0) return words[i];
    }
    return NULL;
}

static int complain_of_nothing(const char *const *words, int n)
{
    char text[4*CAROM_NAME_MAX + 128];
    const char *unknown = unknown_word(words, n), *names[PALETTE_MAX];
    int count = 0;
    for (int i = 0; carom_model_material_info(i) && i < PALETTE_MAX; i++)
        names[count++] = carom_model_material_info(i)->def.name;
    const char *nearest = unknown ? nearest_word(unknown, names, count) : NULL;
    if (nearest) complain("no built-in material has '%s'; did you mean '%s'?", unknown, nearest);
    else if (unknown) complain("no built-in material has '%s'; 'carom materials' lists them", unknown);
    else if (are_two_names(words, n)) complain("%s", unknown_pair(words, text, sizeof text));
    else complain("no built-in material or pair of materials has all these words; try them one by one");
    return WRONG;
}

// ---- tables

static const char *coefficient(double value)
{
    return isnan(value) ? "-" : number(value);
}

static void print_materials_found(const FoundMaterials *found, bool has_titles)
{
    Table table = table_of(6, "lrrrll");
    const char *const head[6] = { "name", "kg/m^3", "E [GPa]", "nu", has_titles ? "what" : "source",
                                  has_titles ? "source" : "" };
    for (int i = 0; i < 6; i++) table_cell(&table, head[i]);
    for (int i = 0; carom_model_material_info(i) && i < PALETTE_MAX; i++) {
        const caromMaterialInfo *m = carom_model_material_info(i);
        if (!found->material[i]) continue;
        table_cell(&table, m->def.name);
        table_cell(&table, number(m->def.density));
        table_cell(&table, number(m->def.E/1e9));
        table_cell(&table, number(m->def.nu));
        table_cell(&table, has_titles ? m->title : m->source);
        table_cell(&table, has_titles ? m->source : "");
    }
    table_print(&table, stdout, 2);
}

static void pair_cell(Table *table, const caromPairRecord *p)
{
    char text[2*CAROM_NAME_MAX + 8];
    snprintf(text, sizeof text, "%s - %s", p->def.material[0], p->def.material[1]);
    table_cell(table, text);
}

static void print_pairs_found(const FoundMaterials *found)
{
    Table table = table_of(6, "lrrrrl");
    const char *const head[6] = { "pair", "e", "mu_k", "mu_s", "mu_r", "source" };
    for (int i = 0; i < 6; i++) table_cell(&table, head[i]);
    for (int i = 0; carom_model_pair_record(i) && i < PALETTE_MAX; i++) {
        const caromPairRecord *p = carom_model_pair_record(i);
        if (!found->pair[i]) continue;
        pair_cell(&table, p);
        const double values[4] = { p->def.restitution, p->def.friction, p->def.static_friction, p->def.rolling };
        for (int k = 0; k < 4; k++) table_cell(&table, coefficient(values[k]));
        table_cell(&table, p->source);
    }
    table_print(&table, stdout, 2);
    printf("  e restitution; mu_k sliding, mu_s static friction; mu_r rolling resistance; -: not known\n");
}

static void print_notes(const FoundMaterials *found)
{
    Table table = table_of(2, "ll");
    for (int i = 0; carom_model_pair_record(i) && i < PALETTE_MAX; i++) {
        const caromPairRecord *p = carom_model_pair_record(i);
        if (!found->pair[i] || !p->note[0]) continue;
        pair_cell(&table, p);
        table_cell(&table, p->note);
    }
    if (table.ncell > 0) printf("notes\n");
    table_print(&table, stdout, 2);
}

static bool cites(const char *text, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = text; (at = strchr(at, '[')) != NULL; at++)
        if (strncmp(at + 1, key, n) == 0 && at[1 + n] == ']') return true;
    return false;
}

static bool is_cited(const FoundMaterials *found, const char *key)
{
    for (int i = 0; carom_model_material_info(i) && i < PALETTE_MAX; i++)
        if (found->material[i] && cites(carom_model_material_info(i)->source, key)) return true;
    for (int i = 0; carom_model_pair_record(i) && i < PALETTE_MAX; i++)
        if (found->pair[i] && (cites(carom_model_pair_record(i)->source, key) ||
                               cites(carom_model_pair_record(i)->note, key))) return true;
    return false;
}

static void print_sources(const FoundMaterials *found)
{
    Table table = table_of(2, "ll");
    for (int i = 0; carom_model_source_info(i); i++) {
        const caromSourceInfo *s = carom_model_source_info(i);
        if (!is_cited(found, s->key)) continue;
        char text[64];
        snprintf(text, sizeof text, "[%s]", s->key);
        table_cell(&table, text);
        table_cell(&table, s->text);
    }
    if (table.ncell > 0) printf("sources\n");
    table_print(&table, stdout, 2);
}

// ---- the command

static int list_materials(void)
{
    FoundMaterials found;
    find_all(&found, NULL, 0);
    printf("materials, at room temperature\n");
    print_materials_found(&found, false);
    printf("'carom materials WORD...' shows what they are, their pairs and sources; --pairs lists all pairs\n");
    return DONE;
}

static int list_pairs(const char *const *words, int n)
{
    FoundMaterials found;
    find_asked(&found, words, n);
    if (found.npair == 0) return complain_of_nothing(words, n);
    printf("pairs, dry\n");
    print_pairs_found(&found);
    printf("'carom materials WORD...' shows notes and sources\n");
    return DONE;
}

static int search(const char *const *words, int n)
{
    char text[4*CAROM_NAME_MAX + 128];
    FoundMaterials found;
    find_asked(&found, words, n);
    if (found.nmaterial + found.npair == 0) return complain_of_nothing(words, n);
    if (found.nmaterial == 0) add_materials_of_pairs(&found);
    printf("materials, at room temperature\n");
    print_materials_found(&found, true);
    if (found.npair == 0) {
        printf("pairs, dry: %s\n", are_two_names(words, n) ? unknown_pair(words, text, sizeof text) : "none is known");
    } else {
        printf("pairs, dry\n");
        print_pairs_found(&found);
    }
    print_notes(&found);
    print_sources(&found);
    return DONE;
}

int command_materials(const Arguments *arguments)
{
    if (option_value(arguments, "pairs")) return list_pairs(arguments->operands, arguments->noperand);
    return arguments->noperand == 0 ? list_materials() : search(arguments->operands, arguments->noperand);
}
