#include <math.h>
#include <string.h>

#include "cli.h"

// "tube_radius" as a word of a sentence
static void add_dimension(char *text, size_t n, const char *name, double value, bool is_first)
{
    char word[40];
    snprintf(word, sizeof word, "%s", name);
    for (char *c = word; *c; c++) if (*c == '_') *c = ' ';
    size_t used = strlen(text);
    snprintf(text + used, n - used, "%s %s %s", is_first ? " of" : ",", word, si(value, "m"));
}

// "cylinder of radius 2 cm, length 10 cm"
static void describe_dimensions(caromShape shape, char *text, size_t n)
{
    const double size[3] = { shape.size.x, shape.size.y, shape.size.z };
    snprintf(text, n, "%s", carom_shape_kind_name(shape.kind));
    for (int i = 0; i < 3 && carom_shape_dimension(shape.kind, i); i++)
        add_dimension(text, n, carom_shape_dimension(shape.kind, i), size[i], i == 0);
}

// Kinds that have better words than the names of their keys.
static bool describe_specially(caromShape shape, char *text, size_t n)
{
    caromVec3 s = shape.size;
    const char *kind = carom_shape_kind_name(shape.kind);
    switch (shape.kind) {
    case CAROM_ELLIPSOID:
        snprintf(text, n, "%s with semi-axes %s, %s, %s", kind, si(s.x, "m"), si(s.y, "m"), si(s.z, "m"));
        return true;
    case CAROM_BOX: snprintf(text, n, "%s %s x %s x %s", kind, si(s.x, "m"), si(s.y, "m"), si(s.z, "m")); return true;
    case CAROM_CONE:
        if (s.y > 0)
            snprintf(text, n, "truncated %s of radii %s and %s, length %s", kind, si(s.x, "m"), si(s.y, "m"),
                     si(s.z, "m"));
        else snprintf(text, n, "%s of radius %s, length %s", kind, si(s.x, "m"), si(s.z, "m"));
        return true;
    case CAROM_CAPSULE:
        snprintf(text, n, "%s of radius %s, straight length %s", kind, si(s.x, "m"), si(s.y, "m"));
        return true;
    default: return false;
    }
}

// "vertex" is the word whose plural count_of does not know.
static void describe_polytope(const caromHull *hull, char *text, size_t n)
{
    const caromVec3 *vertices;
    const int *first, *corners;
    snprintf(text, n, "polytope with %s vertices, %s", count_of(carom_hull_vertices(hull, &vertices), ""),
             count_of(carom_hull_faces(hull, &first, &corners), "face"));
}

static void describe_mesh(const caromMesh *mesh, char *text, size_t n)
{
    const int (*triangles)[3];
    snprintf(text, n, "mesh of %s, %s", count_of(carom_mesh_triangles(mesh, &triangles), "triangle"),
             carom_mesh_report(mesh)->is_closed ? "closed" : "open");
}

const char *shape_text(caromShape shape)
{
    static char text[192];
    double rounding = carom_shape_rounding(shape);
    if (shape.hull) describe_polytope(shape.hull, text, sizeof text);
    else if (shape.mesh) describe_mesh(shape.mesh, text, sizeof text);
    else if (!describe_specially(shape, text, sizeof text)) describe_dimensions(shape, text, sizeof text);
    size_t n = strlen(text);
    if (rounding > 0) snprintf(text + n, sizeof text - n, ", edges rounded by %s", si(rounding, "m"));
    return text;
}

// ---- masses

// SI prefixes of cubes are no help: 1 mm^3 is 1e-9 m^3.
void volume_text(char *text, size_t n, double volume)
{
    if (volume >= 0.01) snprintf(text, n, "%.4g m^3", volume);
    else if (volume >= 1e-8) snprintf(text, n, "%.4g cm^3", 1e6*volume);
    else snprintf(text, n, "%.4g mm^3", 1e9*volume);
}

static void volume_cell(Table *table, double volume)
{
    char text[64] = "", value[48];
    volume_text(value, sizeof value, volume);
    if (volume > 0) snprintf(text, sizeof text, "volume %s", value);
    table_cell(table, text);
}

static double volume_of(const caromModel *model, caromBodyId body)
{
    double volume = 0;
    for (int k = 0; k < carom_model_shape_count(model); k++) {
        caromShapeInfo info = carom_model_shape(model, k);
        if (info.body.i == body.i && info.weighs && carom_shape_is_bounded(info.shape))
            volume += carom_shape_volume(info.shape);
    }
    return volume;
}

// What is nothing but rounding against the largest is 0, and -0 too.
static double cleaned(double value, double largest)
{
    return fabs(value) <= 1e-12*largest ? 0 : value;
}

static double largest_of(caromVec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

void vector_text(char *text, size_t n, caromVec3 v, double scale)
{
    snprintf(text, n, "[%s, %s, %s]", number(cleaned(v.x, scale)), number(cleaned(v.y, scale)),
             number(cleaned(v.z, scale)));
}

static void moments_text(char *text, size_t n, caromVec3 moments)
{
    snprintf(text, n, "moments of inertia %.4g, %.4g, %.4g kg m^2", moments.x, moments.y, moments.z);
}

// About the axes of the body where these are principal axes, in their order; otherwise ascending, with the axes.
static void moment_cells(Table *table, caromMat3 inertia)
{
    char text[96], axis[3][96];
    caromVec3 diagonal = { inertia.cx.x, inertia.cy.y, inertia.cz.z };
    double product = fmax(fabs(inertia.cy.x), fmax(fabs(inertia.cz.x), fabs(inertia.cz.y)));
    if (product <= 1e-9*largest_of(diagonal)) {
        moments_text(text, sizeof text, diagonal);
        table_cell(table, text);
        table_cell(table, "about x, y, z");
        return;
    }
    caromMat3 axes;
    moments_text(text, sizeof text, carom_geometry_principal_axes(inertia, &axes));
    table_cell(table, text);
    const caromVec3 columns[3] = { axes.cx, axes.cy, axes.cz };
    for (int k = 0; k < 3; k++) {
        caromVec3 a = columns[k];
        snprintf(axis[k], sizeof axis[k], "[%.4g, %.4g, %.4g]", cleaned(a.x, 1), cleaned(a.y, 1), cleaned(a.z, 1));
    }
    char all[320];
    snprintf(all, sizeof all, "about %s, %s, %s", axis[0], axis[1], axis[2]);
    table_cell(table, all);
}

void mass_cells(Table *table, caromMassProps props, double volume)
{
    char text[192], vector[160];
    table_cell(table, si(props.mass, "kg"));
    volume_cell(table, volume);
    vector_text(vector, sizeof vector, props.com, fmax(largest_of(props.com), cbrt(volume)));
    snprintf(text, sizeof text, "centre of mass %s m", vector);
    table_cell(table, text);
    moment_cells(table, props.inertia);
}

static void mass_row(Table *table, const caromModel *model, caromBodyId body)
{
    table_cell(table, carom_model_body_name(model, body));
    mass_cells(table, carom_model_body_mass(model, body), volume_of(model, body));
}

// Of bodies that move; fixed ones have no mass.
void print_masses(const caromModel *model)
{
    int n = 0;
    Table table = table_of(6, "lrllll");
    for (int32_t i = 0; i < carom_model_body_count(model); i++) {
        if (carom_model_body_is_fixed(model, (caromBodyId){ i })) continue;
        if (n++ < ROWS_SHOWN) mass_row(&table, model, (caromBodyId){ i });
    }
    if (n > 0) printf("masses\n");
    table_print(&table, stdout, 2);
    print_rest(n);
}
