#include <math.h>
#include <stdlib.h>

#include "cli.h"

enum { BODIES_SHOWN = 40 };

static const char *shape_text(caromShapeInfo info)
{
    static char text[128];
    caromVec3 s = info.shape.size;
    const char *kind = carom_shape_kind_name(info.shape.kind);
    switch (info.shape.kind) {
    case CAROM_SPHERE: snprintf(text, sizeof text, "%s of radius %s", kind, si(s.x, "m")); break;
    case CAROM_BOX: snprintf(text, sizeof text, "%s %s x %s x %s", kind, si(s.x, "m"), si(s.y, "m"), si(s.z, "m")); break;
    default: snprintf(text, sizeof text, "%s", kind); break;
    }
    return text;
}

static void print_bodies(const caromModel *model)
{
    int n = carom_model_body_count(model), nfree = 0;
    for (int32_t i = 0; i < n; i++) nfree += !carom_model_body_is_fixed(model, (caromBodyId){ i });
    printf("bodies: %d free, %d fixed\n", nfree, n - nfree);
    Table table = table_of(4, "lrll");
    for (int k = 0; k < carom_model_shape_count(model); k++) {
        caromShapeInfo info = carom_model_shape(model, k);
        if (info.body.i >= BODIES_SHOWN) break;
        bool is_first = k == 0 || carom_model_shape(model, k - 1).body.i != info.body.i;
        bool is_fixed = carom_model_body_is_fixed(model, info.body);
        table_cell(&table, is_first ? carom_model_body_name(model, info.body) : "");
        table_cell(&table, !is_first ? "" : is_fixed ? "fixed" : si(carom_model_body_mass(model, info.body).mass, "kg"));
        table_cell(&table, shape_text(info));
        table_cell(&table, carom_model_material(model, info.material).name);
    }
    table_print(&table, stdout, 2);
    if (n > BODIES_SHOWN) printf("  and %d more\n", n - BODIES_SHOWN);
}

static void print_materials(const caromModel *model)
{
    printf("materials\n");
    Table table = table_of(4, "lrrr");
    for (int i = 0; i < carom_model_material_count(model); i++) {
        caromMaterialDef material = carom_model_material(model, i);
        char text[96];
        table_cell(&table, material.name);
        snprintf(text, sizeof text, "density %s kg/m^3", number(material.density));
        table_cell(&table, text);
        snprintf(text, sizeof text, "E %s", si(material.E, "Pa"));
        table_cell(&table, text);
        snprintf(text, sizeof text, "nu %s", number(material.nu));
        table_cell(&table, text);
    }
    table_print(&table, stdout, 2);
}

// Contact pairs of the same two materials behave alike: one line for all of them.
typedef struct PairKind {
    int material[2];  // ascending
    int count;
    caromPairInfo info;
} PairKind;

static int compare_kinds(const void *a, const void *b)
{
    const PairKind *x = a, *y = b;
    if (x->material[0] != y->material[0]) return x->material[0] < y->material[0] ? -1 : 1;
    return (x->material[1] > y->material[1]) - (x->material[1] < y->material[1]);
}

static PairKind kind_of(const caromModel *model, int pair)
{
    PairKind kind = { .info = carom_model_pair(model, pair), .count = 1 };
    int a = carom_model_shape(model, kind.info.shape[0]).material, b = carom_model_shape(model, kind.info.shape[1]).material;
    kind.material[0] = a < b ? a : b;
    kind.material[1] = a < b ? b : a;
    return kind;
}

static void coefficient_cell(Table *table, const char *name, double value, bool is_default)
{
    char text[96];
    snprintf(text, sizeof text, "%s %s%s", name, number(value), is_default ? " (default)" : "");
    table_cell(table, text);
}

static void print_kind(Table *table, const caromModel *model, const PairKind *kind)
{
    char name[2*CAROM_NAME_MAX + 8];
    const char *a = carom_model_material(model, kind->material[0]).name, *b = carom_model_material(model, kind->material[1]).name;
    snprintf(name, sizeof name, "%s - %s", a, b);
    table_cell(table, name);
    coefficient_cell(table, "restitution", kind->info.restitution, kind->info.is_default[0]);
    coefficient_cell(table, "friction", kind->info.friction, kind->info.is_default[1]);
    coefficient_cell(table, "rolling", kind->info.rolling, kind->info.is_default[2]);
    table_cell(table, count_of(kind->count, "contact pair"));
}

static void print_pairs(const caromModel *model)
{
    int n = carom_model_pair_count(model);
    printf("pairs of materials that can touch%s\n", n == 0 ? ": none, there is nothing to collide with" : "");
    PairKind *kinds = calloc((size_t)n + 1, sizeof *kinds);
    if (!kinds) return;
    for (int i = 0; i < n; i++) kinds[i] = kind_of(model, i);
    qsort(kinds, (size_t)n, sizeof *kinds, compare_kinds);
    Table table = table_of(5, "lllll");
    for (int i = 0; i < n;) {
        PairKind kind = kinds[i];
        for (kind.count = 0; i < n && compare_kinds(&kind, &kinds[i]) == 0; i++) kind.count++;
        print_kind(&table, model, &kind);
    }
    table_print(&table, stdout, 2);
    free(kinds);
}

static void print_settings(const caromModel *model)
{
    const caromSettings *s = carom_model_settings(model);
    printf("settings\n");
    printf("  gravity     [%s, %s, %s] m/s^2\n", number(s->gravity.x), number(s->gravity.y), number(s->gravity.z));
    printf("  contact     damping %s, regularised below %s and %s", carom_damping_name(s->damping), si(s->v_small, "m/s"),
           si(s->w_small, "rad/s"));
    if (s->k_red != 1) printf(", stiffness divided by %s", number(s->k_red));
    printf("\n  simulate    until %s, output every %s, tolerance %s, method %s\n", si(s->until, "s"), si(s->every, "s"),
           number(s->tolerance), carom_method_name(s->method));
}

int command_check(const Arguments *arguments)
{
    int n;
    const char *const *overrides = option_values(arguments, "set", &n);
    Loaded loaded;
    bool good = load_model(&loaded, arguments->operands[0], overrides, n, NULL);
    if (good) {
        printf("%s: no errors\n\n", arguments->operands[0]);
        print_bodies(loaded.model);
        print_materials(loaded.model);
        print_pairs(loaded.model);
        print_settings(loaded.model);
    }
    unload_model(&loaded);
    return good ? DONE : WRONG;
}
