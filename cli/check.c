#include <math.h>
#include <stdlib.h>

#include "cli.h"

void print_rest(int n)
{
    if (n > ROWS_SHOWN) printf("  and %d more\n", n - ROWS_SHOWN);
}

// Does another shape touch for this one? They are behind it.
static bool has_stand_in(const caromModel *model, int shape)
{
    return shape + 1 < carom_model_shape_count(model) && carom_model_shape(model, shape + 1).stands_for == shape;
}

// What a shape is not for; "" for most.
static const char *purpose(const caromShapeInfo *info)
{
    if (!info->touches && !info->weighs) return "neither touches nor weighs";
    return !info->touches ? "does not touch" : !info->weighs ? "does not weigh" : "";
}

static void print_body(Table *table, const caromModel *model, caromBodyId body)
{
    bool is_first = true;
    const char *name = carom_model_body_name(model, body);
    const char *mass = carom_model_body_is_fixed(model, body) ? "fixed"
                                                              : si(carom_model_body_mass(model, body).mass, "kg");
    int nshape = 0;
    for (int k = 0; k < carom_model_shape_count(model); k++) {
        caromShapeInfo info = carom_model_shape(model, k);
        nshape += info.body.i == body.i && info.stands_for < 0;
    }
    for (int k = 0; k < carom_model_shape_count(model); k++) {
        caromShapeInfo info = carom_model_shape(model, k);
        if (info.body.i != body.i || info.stands_for >= 0) continue;  // those are in the list of meshes
        table_cell(table, is_first ? name : "");
        table_cell(table, is_first ? mass : "");
        char text[256];
        snprintf(text, sizeof text, "%s%s%s", nshape > 1 ? info.name : "", nshape > 1 ? ": " : "",
                 shape_text(info.shape));
        table_cell(table, text);
        table_cell(table, carom_model_material(model, info.material).name);
        table_cell(table, has_stand_in(model, k) ? "" : purpose(&info));
        is_first = false;
    }
    if (!is_first) return;
    table_cell(table, name);
    table_cell(table, mass);
    table_cell(table, "no shape");
    table_cell(table, "");
    table_cell(table, "");
}

// What the table has no room for.
static void count_purposes(const caromModel *model)
{
    int nuntouched = 0, nweightless = 0;
    for (int k = 0; k < carom_model_shape_count(model); k++) {
        caromShapeInfo info = carom_model_shape(model, k);
        nuntouched += !info.touches;
        nweightless += !info.weighs;
    }
    if (nuntouched > 0) printf("  shapes that do not touch: %d in all\n", nuntouched);
    if (nweightless > 0) printf("  shapes that do not weigh: %d in all\n", nweightless);
}

static void print_bodies(const caromModel *model)
{
    int n = carom_model_body_count(model), nmoving = 0;
    for (int32_t i = 0; i < n; i++) nmoving += !carom_model_body_is_fixed(model, (caromBodyId){ i });
    printf("bodies: %d moving, %d fixed\n", nmoving, n - nmoving);
    Table table = table_of(5, "lrlll");
    for (int32_t i = 0; i < n && i < ROWS_SHOWN; i++) print_body(&table, model, (caromBodyId){ i });
    table_print(&table, stdout, 2);
    print_rest(n);
    if (n > ROWS_SHOWN) count_purposes(model);
}

static const char *body_name(const caromModel *model, int body)
{
    return body < 0 ? "world" : carom_model_body_name(model, (caromBodyId){ body });
}

static void between_cell(Table *table, const caromModel *model, const int body[2])
{
    char text[2*CAROM_NAME_MAX + 8];
    snprintf(text, sizeof text, "%s - %s", body_name(model, body[0]), body_name(model, body[1]));
    table_cell(table, text);
}

static void print_joints(const caromModel *model)
{
    int n = carom_model_joint_count(model), nloop = 0;
    for (int i = 0; i < n; i++) nloop += carom_model_joint(model, i).closes_loop;
    if (n == 0) return;
    printf("joints: %d", n);
    if (nloop > 0) printf(", %d of them closing loops", nloop);
    printf("\n");
    Table table = table_of(5, "lllll");
    for (int i = 0; i < n && i < ROWS_SHOWN; i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        table_cell(&table, joint.name);
        table_cell(&table, carom_model_joint_kind_name(joint.kind));
        between_cell(&table, model, joint.body);
        table_cell(&table, joint.closes_loop ? "closes a loop" : joint.is_driven ? "driven" : "");
        table_cell(&table, joint.touch ? "bodies may touch" : "");
    }
    table_print(&table, stdout, 2);
    print_rest(n);
}

static void print_springs(const caromModel *model)
{
    int n = carom_model_spring_count(model);
    if (n == 0) return;
    printf("springs\n");
    Table table = table_of(5, "lllll");
    for (int i = 0; i < n && i < ROWS_SHOWN; i++) {
        caromSpringInfo spring = carom_model_spring(model, i);
        char text[96];
        table_cell(&table, spring.name);
        between_cell(&table, model, spring.body);
        snprintf(text, sizeof text, "stiffness %s", si(spring.stiffness, "N/m"));
        table_cell(&table, text);
        snprintf(text, sizeof text, "damping %s", si(spring.damping, "N s/m"));
        table_cell(&table, text);
        if (isnan(spring.rest)) snprintf(text, sizeof text, "rest as at the start");
        else snprintf(text, sizeof text, "rest %s", si(spring.rest, "m"));
        table_cell(&table, text);
    }
    table_print(&table, stdout, 2);
    print_rest(n);
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
    int pair;         // the first of them
} PairKind;

static PairKind *kind_of(const caromModel *model, int pair, PairKind *kinds)
{
    caromPairInfo info = carom_model_pair(model, pair);
    int a = carom_model_shape(model, info.shape[0]).material, b = carom_model_shape(model, info.shape[1]).material;
    return &kinds[(size_t)(a < b ? a : b)*(size_t)carom_model_material_count(model) + (size_t)(a < b ? b : a)];
}

static const char *origin_text(caromOrigin origin)
{
    return origin == CAROM_ORIGIN_PALETTE ? " (palette)" : origin == CAROM_ORIGIN_SETTINGS ? " (default)" : "";
}

static void coefficient_cell(Table *table, const char *name, double value, caromOrigin origin)
{
    char text[96];
    snprintf(text, sizeof text, "%s %s%s", name, number(value), origin_text(origin));
    table_cell(table, text);
}

// With its companion where that is another: friction at rest, torsion.
static void two_coefficients_cell(Table *table, const char *name, double value, caromOrigin origin,
                                  const char *other_name, double other)
{
    char text[160], both[96];
    if (other == value) {
        coefficient_cell(table, name, value, origin);
        return;
    }
    snprintf(both, sizeof both, "%s %s", name, number(value));
    snprintf(text, sizeof text, "%s, %s %s%s", both, other_name, number(other), origin_text(origin));
    table_cell(table, text);
}

// Not where the law has a damping of its own, and nobody gave one.
static void restitution_cell(Table *table, const caromPairInfo *info)
{
    char text[160];
    if (info->restitution_law) {
        snprintf(text, sizeof text, "restitution %.130s", info->restitution_law);
        table_cell(table, text);
        return;
    }
    if (!isnan(info->restitution)) {
        coefficient_cell(table, "restitution", info->restitution, info->origin[CAROM_COEFFICIENT_RESTITUTION]);
        return;
    }
    snprintf(text, sizeof text, info->has_law ? "own law" : "damping %s", carom_model_damping_name(info->damping));
    table_cell(table, text);
}

static void print_kind(Table *table, const caromModel *model, const PairKind *kind)
{
    char name[2*CAROM_NAME_MAX + 8];
    caromPairInfo info = carom_model_pair(model, kind->pair);
    const char *a = carom_model_material(model, kind->material[0]).name,
               *b = carom_model_material(model, kind->material[1]).name;
    snprintf(name, sizeof name, "%s - %s", a, b);
    table_cell(table, name);
    restitution_cell(table, &info);
    two_coefficients_cell(table, "friction", info.friction, info.origin[CAROM_COEFFICIENT_FRICTION], "static",
                          info.static_friction);
    two_coefficients_cell(table, "rolling", info.rolling, info.origin[CAROM_COEFFICIENT_ROLLING], "torsion",
                          info.torsion);
    table_cell(table, count_of(kind->count, "contact pair"));
}

static bool has_impacts(const caromModel *model)
{
    return carom_model_response(model)->has_impacts;
}

// Of rigid bodies: an impact law other than that of the settings.
static bool has_own_force(const caromModel *model, const caromPairInfo *info)
{
    if (has_impacts(model)) return info->impact_law != carom_model_settings(model)->impact_law;
    return info->has_law || !isnan(info->stiffness) || info->damping != carom_model_settings(model)->damping ||
           !isnan(info->damping_coefficient);
}

// "stiffness 1e8 N/m^1.5", "" where it follows from materials and shapes.
static void stiffness_cell(Table *table, const caromPairInfo *info)
{
    char text[96] = "";
    if (info->law) {
        table_cell(table, info->law);
        return;
    }
    if (info->has_law) snprintf(text, sizeof text, "a law of its own");
    else if (isnan(info->stiffness)) snprintf(text, sizeof text, "stiffness from E and shapes");
    else if (isnan(info->exponent))
        snprintf(text, sizeof text, "stiffness %s N/m^1.5, of faces N/m", number(info->stiffness));
    else if (info->exponent == 1) snprintf(text, sizeof text, "stiffness %s N/m", number(info->stiffness));
    else snprintf(text, sizeof text, "stiffness %s N/m^%g", number(info->stiffness), info->exponent);
    table_cell(table, text);
}

static void damping_cell(Table *table, const caromPairInfo *info)
{
    char text[160] = "";
    size_t n = 0;
    const caromDampingInfo *law = carom_contact_damping_info(info->damping);
    if (!info->has_law) n = (size_t)snprintf(text, sizeof text, "damping %s", carom_model_damping_name(info->damping));
    if (n > 0 && !isnan(info->damping_coefficient))
        n += (size_t)snprintf(text + n, sizeof text - n, " %s %s", number(info->damping_coefficient), law->unit);
    if (n > 0 && law->needs_depth) snprintf(text + n, sizeof text - n, " from %s on", si(info->damping_depth, "m"));
    table_cell(table, text);
}

static void impact_law_cell(Table *table, const caromPairInfo *info)
{
    char text[48];
    snprintf(text, sizeof text, "impact law %s", carom_model_impact_law_name(info->impact_law));
    table_cell(table, text);
}

// Only of pairs that have something of their own beside the coefficients.
static void print_laws(const caromModel *model, const PairKind *kinds)
{
    int nmaterial = carom_model_material_count(model), n = 0;
    Table table = has_impacts(model) ? table_of(2, "ll") : table_of(3, "lll");
    for (int i = 0; i < nmaterial*nmaterial; i++) {
        if (kinds[i].count == 0) continue;
        caromPairInfo info = carom_model_pair(model, kinds[i].pair);
        if (!has_own_force(model, &info) || n++ >= ROWS_SHOWN) continue;
        char text[2*CAROM_NAME_MAX + 8];
        snprintf(text, sizeof text, "%s - %s", carom_model_material(model, i/nmaterial).name,
                 carom_model_material(model, i % nmaterial).name);
        table_cell(&table, text);
        if (has_impacts(model)) impact_law_cell(&table, &info);
        else {
            stiffness_cell(&table, &info);
            damping_cell(&table, &info);
        }
    }
    if (n > 0) printf("laws of their own\n");
    table_print(&table, stdout, 2);
    print_rest(n);
}

static void print_pairs(const caromModel *model)
{
    int n = carom_model_pair_count(model), nmaterial = carom_model_material_count(model), nkind = 0;
    printf("pairs of materials that can touch%s\n", n == 0 ? ": none, there is nothing to collide with" : "");
    PairKind *kinds = calloc((size_t)nmaterial*(size_t)nmaterial + 1, sizeof *kinds);
    if (!kinds) {
        complain_of_memory();
        return;
    }
    for (int i = 0; i < n; i++) {
        PairKind *kind = kind_of(model, i, kinds);
        if (kind->count++ == 0) kind->pair = i;
    }
    Table table = table_of(5, "lllll");
    for (int a = 0; a < nmaterial; a++) {
        for (int b = a; b < nmaterial; b++) {
            PairKind *kind = &kinds[(size_t)a*(size_t)nmaterial + (size_t)b];
            if (kind->count == 0 || nkind++ >= ROWS_SHOWN) continue;
            kind->material[0] = a;
            kind->material[1] = b;
            print_kind(&table, model, kind);
        }
    }
    table_print(&table, stdout, 2);
    print_rest(nkind);
    print_laws(model, kinds);
    free(kinds);
}

// Nothing is left out unseen: why which pairs of shapes do not touch.
static void print_left_out(const caromModel *model)
{
    caromLeftOut left_out = carom_model_left_out(model);
    const struct { int n; const char *why; } reasons[] = {
        { left_out.by_ignore, "ignored" }, { left_out.by_joint, "of joined bodies" },
            { left_out.by_shape, "with a shape that does not touch" }
    };
    const char *before = "pairs of shapes left out: ";
    for (int i = 0; i < 3; i++) {
        if (reasons[i].n == 0) continue;
        printf("%s%s %s", before, count_of(reasons[i].n, ""), reasons[i].why);
        before = ", ";
    }
    if (before[0] == ',') printf("\n");
    int n = carom_model_ignored_count(model);
    if (n > 0) printf("ignored pairs\n");
    Table table = table_of(2, "ll");
    for (int i = 0; i < n && i < ROWS_SHOWN; i++) {
        caromIgnoredInfo ignored = carom_model_ignored(model, i);
        char text[4*CAROM_NAME_MAX + 8];
        snprintf(text, sizeof text, "%s - %s", ignored.name[0], ignored.name[1]);
        table_cell(&table, text);
        table_cell(&table, count_of(ignored.npair, "pair"));
    }
    table_print(&table, stdout, 2);
    print_rest(n);
}

static void print_compliant_settings(const caromSettings *s)
{
    printf("  contact     damping %s, regularised below %s and %s", carom_model_damping_name(s->damping),
           si(s->v_small, "m/s"), si(s->w_small, "rad/s"));
    if (s->k_red != 1) printf(", stiffness divided by %s", number(s->k_red));
    if (s->friction_law != carom_model_settings_def().friction_law)
        printf(", friction %s", carom_model_friction_law_name(s->friction_law));
    printf("\n");
}

static void print_impact_settings(const caromSettings *s)
{
    printf("  contact     rigid, impact law %s, impacts %s", carom_model_impact_law_name(s->impact_law),
           carom_model_impact_scheme_name(s->impacts));
    if (s->impacts == CAROM_IMPACTS_TOGETHER) printf(" with exponent %s", number(s->impact_exponent));
    printf(", landing %s\n", carom_model_landing_name(s->landing));
    if (carom_contact_friction_info(s->friction_law)->creeps)
        printf("              friction regularised below %s\n", si(s->v_small, "m/s"));
    else printf("              friction sticks\n");
}

static void print_settings(const caromModel *model)
{
    const caromSettings *s = carom_model_settings(model);
    printf("settings\n");
    printf("  gravity     [%s, %s, %s] m/s^2\n", number(s->gravity.x), number(s->gravity.y), number(s->gravity.z));
    if (has_impacts(model)) print_impact_settings(s);
    else print_compliant_settings(s);
    printf("  simulate    until %s, output every %s, tolerance %s, method %s\n", si(s->until, "s"), si(s->every, "s"),
           number(s->tolerance), carom_model_method_name(s->method));
}

void print_model(const caromModel *model)
{
    print_bodies(model);
    print_masses(model);
    print_meshes(model);
    print_groups(model);
    print_joints(model);
    print_start(model);
    print_springs(model);
    int nforce = carom_model_force_count(model);
    if (nforce > 0) printf("forces from outside: %d\n", nforce);
    print_materials(model);
    print_pairs(model);
    print_left_out(model);
    print_settings(model);
}

int command_check(const Arguments *arguments)
{
    int n;
    const char *const *overrides = option_values(arguments, "set", &n);
    Loaded loaded;
    bool good = load_model(&loaded, arguments->operands[0], overrides, n, NULL, false);
    if (good) printf("%s: no errors\n\n", shown_name(arguments->operands[0]));
    if (loaded.model) print_model(loaded.model);  // what cannot be simulated can be weighed
    // Of a model whose start is wrong too: they say how far it is off.
    if (loaded.model && option_value(arguments, "gaps") && !print_gaps(loaded.model)) good = false;
    if (good && option_value(arguments, "explain") && !print_explanation(loaded.model)) good = false;
    unload_model(&loaded);
    return good ? DONE : WRONG;
}
