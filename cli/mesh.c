#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// A positive number, or the fallback where the option is not given; 0: not one, which was said.
static double positive_option(const Arguments *arguments, const char *name, double fallback, const char *example)
{
    const char *text = option_value(arguments, name);
    if (!text) return fallback;
    char *end;
    double value = strtod(text, &end);
    if (end != text && *end == '\0' && value > 0 && isfinite(value)) return value;
    complain("--%s %s: expected a positive number without a unit, such as %s", name, text, example);
    return 0;
}

static void row(Table *table, const char *what, const char *text)
{
    table_cell(table, what);
    table_cell(table, text);
}

static void corner_row(Table *table, const char *what, caromVec3 p, double size)
{
    char vector[160], text[192];
    vector_text(vector, sizeof vector, p, size);
    snprintf(text, sizeof text, "%s m", vector);
    row(table, what, text);
}

// SI prefixes of squares are no help: 1 mm^2 is 1e-6 m^2.
static void area_row(Table *table, double area)
{
    char text[64];
    if (area >= 0.1) snprintf(text, sizeof text, "%.4g m^2", area);
    else if (area >= 1e-5) snprintf(text, sizeof text, "%.4g cm^2", 1e4*area);
    else snprintf(text, sizeof text, "%.4g mm^2", 1e6*area);
    row(table, "area", text);
}

static void print_mesh(const caromMesh *mesh, const caromMeshReport *r)
{
    const caromVec3 *vertices;
    const int (*triangles)[3];
    int nvertex = carom_mesh_vertices(mesh, &vertices), ntriangle = carom_mesh_triangles(mesh, &triangles);
    char text[192];
    caromVec3 size = carom_sub(r->high, r->low);
    Table table = table_of(2, "ll");
    printf("mesh: %s vertices, %s, %s, %s\n", count_of(nvertex, ""), count_of(ntriangle, "triangle"),
           count_of(r->components, "component"), r->is_closed ? "closed" : "open");
    snprintf(text, sizeof text, "%s x %s x %s", si(size.x, "m"), si(size.y, "m"), si(size.z, "m"));
    row(&table, "size", text);
    corner_row(&table, "from", r->low, carom_norm(size));
    corner_row(&table, "to", r->high, carom_norm(size));
    area_row(&table, r->area);
    table_print(&table, stdout, 2);
}

// What a 1 in the file was taken as.
static void print_units(const caromMeshReport *r, double scale, bool is_given)
{
    if (r->unit > 0 && scale == 1) printf("units: %s, as the file says\n", si(r->unit, "m"));
    else if (r->unit > 0) printf("units: %s, as the file says, times %s\n", si(r->unit, "m"), number(scale));
    else if (is_given) printf("units: %s\n", si(scale, "m"));
    else printf("units: the file does not say, taken as metres; --units mm for millimetres\n");
}

static void print_mass(const caromMesh *mesh, const caromMeshReport *r, double density)
{
    if (r->volume == 0) return;
    Table table = table_of(5, "lllll");
    printf("mass at %s kg/m^3\n", number(density));
    mass_cells(&table, carom_mesh_mass(mesh, density), r->volume);
    table_print(&table, stdout, 2);
}

// Lines under a title that appears with the first of them.
typedef struct MeshList {
    const char *title;
    int n;
} MeshList;

static void item(MeshList *list, int64_t n, const char *what, const char *words)
{
    if (n == 0) return;
    if (list->n++ == 0) printf("%s\n", list->title);
    printf("  %s%s\n", count_of(n, what), words);
}

static void remark(MeshList *list, const char *words)
{
    if (list->n++ == 0) printf("%s\n", list->title);
    printf("  %s\n", words);
}

static void print_repairs(const caromMeshReport *r, const caromMeshHoles *holes)
{
    MeshList list = { "repaired", 0 };
    item(&list, r->vertices_merged, "", r->vertices_merged == 1 ? " vertex merged with another at "
         "the same place" : " vertices merged with others at the same place");
    item(&list, r->vertices_unused, "", r->vertices_unused == 1 ? " vertex left out: no triangle has it"
                                                                : " vertices left out: no triangle has them");
    item(&list, r->degenerate_removed, "triangle", " without area removed");
    item(&list, r->duplicates_removed, "triangle", " removed that came before");
    item(&list, r->triangles_turned, "triangle", " turned to the side of the others");
    item(&list, r->components_turned, "component", " turned, as outside and inside were swapped");
    char text[64];
    snprintf(text, sizeof text, " closed by %s", count_of(holes->triangles, "triangle"));
    item(&list, holes->closed, "hole", text);
}

// Files of CAD programs are mostly in millimetres, and do not say so.
static bool seems_to_be_in_millimetres(const caromMeshReport *r, bool has_scale)
{
    return !has_scale && carom_norm(carom_sub(r->high, r->low)) > 5.0;
}

static void print_crossings(MeshList *list, const caromMeshReport *r)
{
    char text[96];
    if (r->crossings == 0 && r->are_crossings_counted) return;
    snprintf(text, sizeof text, "%s%s of triangles cross: the surface goes through itself",
             r->are_crossings_counted ? "" : "at least ", count_of(r->crossings, "pair"));
    remark(list, r->crossings > 0 ? text : "not known whether triangles cross: too many lie close to each other");
}

static void print_problems_of(const caromMeshReport *r, bool has_scale)
{
    MeshList list = { "problems", 0 };
    item(&list, r->open_edges, "edge", " with one triangle only: the surface has holes, and no mass; --close-holes 20 "
         "closes small ones");
    item(&list, r->crowded_edges, "edge", " with more than two triangles: parts that touch there, or walls inside");
    item(&list, r->flat_kept, "triangle", " without area kept, as there would be a crack without");
    print_crossings(&list, r);
    if (!r->is_oriented)
        remark(&list, "no outside: neighbours face different sides, and turning them does not help; no mass");
    else if (!r->is_closed && r->open_edges == 0)
        remark(&list, "not closed: there are edges with an odd number of triangles; no mass");
    if (!r->is_nesting_known)
        remark(&list, "too many components to find out which are cavities: all keep the side that they "
               "have in the file");
    item(&list, (int64_t)r->bytes_ignored, "byte", " behind the last triangle ignored");
    if (seems_to_be_in_millimetres(r, has_scale))
        remark(&list, "large: if the file is in millimetres, use --units mm");
    if (list.n == 0) printf("no problems\n");
}

// ---- meshes of a model

// "12 vertices merged, 1 triangle turned"
static void describe_repairs(const caromMeshReport *r, char *text, size_t n)
{
    const struct { int n; const char *what, *words; } repairs[] = {
        { r->vertices_merged, "", r->vertices_merged == 1 ? " vertex merged" : " vertices merged" },
            { r->degenerate_removed, "triangle", " without area removed" },
        { r->duplicates_removed, "triangle", " removed that came before" },
            { r->triangles_turned, "triangle", " turned" }, { r->components_turned, "component", " turned" },
    };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof repairs/sizeof repairs[0]; i++) {
        if (repairs[i].n == 0 || used >= n) continue;
        used += (size_t)snprintf(text + used, n - used, "%s%s%s", used ? ", " : "",
                                 count_of(repairs[i].n, repairs[i].what), repairs[i].words);
    }
}

// Behind the mesh stand the shapes that touch for it.
static void describe_stand_ins(const caromModel *model, int shape, char *text, size_t n)
{
    int count = 0;
    double volume = 0, own = carom_shape_volume(carom_model_shape(model, shape).shape);
    for (int k = shape + 1; k < carom_model_shape_count(model) && carom_model_shape(model, k).stands_for == shape; k++,
         count++)
        volume += carom_shape_volume(carom_model_shape(model, k).shape);
    char with[48], without[48], what[64];
    volume_text(with, sizeof with, volume);
    volume_text(without, sizeof without, own);
    if (count == 1) snprintf(what, sizeof what, "collides as its convex hull");
    else snprintf(what, sizeof what, "collides as %s", count_of(count, "convex piece"));
    if (count == 0)
        snprintf(text, n, "%s", carom_model_shape(model, shape).touches ? "collides as it is"
                                                                        : "collides with nothing");
    else if (own > 0) snprintf(text, n, "%s: volume %s, mesh %s, %+.3g %%", what, with, without, 100*(volume/own - 1));
    else snprintf(text, n, "%s: volume %s; the mesh is open and has none", what, with);
}

static void mesh_row(Table *table, const caromModel *model, int shape)
{
    caromShapeInfo info = carom_model_shape(model, shape);
    char text[256];
    snprintf(text, sizeof text, "%s.%s", carom_model_body_name(model, info.body), info.name);
    table_cell(table, text);
    table_cell(table, shape_text(info.shape));
    describe_repairs(carom_mesh_report(info.shape.mesh), text, sizeof text);
    table_cell(table, text);
    describe_stand_ins(model, shape, text, sizeof text);
    table_cell(table, text);
}

void print_meshes(const caromModel *model)
{
    int n = 0;
    Table table = table_of(4, "llll");
    for (int k = 0; k < carom_model_shape_count(model); k++) {
        if (carom_model_shape(model, k).shape.kind != CAROM_MESH) continue;
        if (n++ < ROWS_SHOWN) mesh_row(&table, model, k);
    }
    if (n > 0) printf("meshes\n");
    table_print(&table, stdout, 2);
    print_rest(n);
}

// Metres to a unit of the file, by either option; 0: wrong, which was said.
static double scale_option(const Arguments *arguments)
{
    const char *unit = option_value(arguments, "units");
    if (!unit) return positive_option(arguments, "scale", 1, "0.001");
    char list[128] = "";
    for (int i = 0; carom_meshfile_unit_name(i); i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", carom_meshfile_unit_name(i));
    double scale = carom_meshfile_unit(unit);
    if (scale == 0) complain("--units %s: expected one of %s", unit, list);
    else if (option_value(arguments, "scale")) complain("--units and --scale say the same twice: give one of them");
    else return scale;
    return 0;
}

// Of a file that says its units nobody else does; --scale makes others of them.
static bool units_agree(const Arguments *arguments, const caromMeshReport *r)
{
    const char *unit = option_value(arguments, "units");
    if (!unit || r->unit == 0 || carom_meshfile_unit(unit) == r->unit) return true;
    complain("--units %s: the file says itself that its unit is %s; if it is wrong, --scale %s makes %s of it", unit,
             si(r->unit, "m"), number(carom_meshfile_unit(unit)/r->unit), unit);
    return false;
}

// Edges of the holes to close; 0: none were asked for, -1: not a number of them, which was said.
static int holes_option(const Arguments *arguments)
{
    const char *text = option_value(arguments, "close-holes");
    if (!text) return 0;
    char *end;
    long n = strtol(text, &end, 10);
    if (end != text && *end == '\0' && n >= 3 && n <= CAROM_MESH_HOLE_MAX) return (int)n;
    complain("--close-holes %s: expected the edges of the largest hole to close, 3 to %d", text, CAROM_MESH_HOLE_MAX);
    return -1;
}

// As OBJ, in metres, to the bit.
static bool write_mesh(const char *path, const char *source, const caromMesh *mesh)
{
    const caromVec3 *v;
    const int (*t)[3];
    int nv = carom_mesh_vertices(mesh, &v), nt = carom_mesh_triangles(mesh, &t);
    FILE *file = fopen(path, "wb");
    if (!file) {
        complain("%s: cannot create it: %s", path, strerror(errno));
        return false;
    }
    fprintf(file, "# carom mesh of %s, in metres\n", source);
    for (int i = 0; i < nv; i++) fprintf(file, "v %.17g %.17g %.17g\n", v[i].x, v[i].y, v[i].z);
    for (int i = 0; i < nt; i++) fprintf(file, "f %d %d %d\n", t[i][0] + 1, t[i][1] + 1, t[i][2] + 1);
    bool is_good = !ferror(file);
    if (fclose(file) == 0 && is_good) return true;
    complain("%s: cannot be written: %s", path, strerror(errno));
    return false;
}

// What is said of a file: repairs are those of reading it, everything else is that of the mesh with its holes closed.
typedef struct MeshLook {
    caromMesh *mesh;
    caromMeshReport read;
    caromMeshHoles holes;
    double scale, density;
    bool has_units;
} MeshLook;

static bool read_mesh(const Arguments *arguments, MeshLook *look, int edges)
{
    caromError err;
    const char *path = arguments->operands[0];
    bool uses_cache = option_value(arguments, "no-cache") == NULL;
    look->mesh = uses_cache ? carom_meshfile_read_cached(path, look->scale, NULL, &look->read, &err)
                            : carom_meshfile_read(path, look->scale, &look->read, &err);
    if (look->mesh && !units_agree(arguments, &look->read)) return false;
    if (look->mesh && edges > 0) {
        caromMesh *closed = carom_mesh_close_holes(look->mesh, edges, &look->holes, &err);
        carom_mesh_destroy(look->mesh);
        look->mesh = closed;
    }
    if (!look->mesh) complain_of(&err);
    return look->mesh != NULL;
}

static void print_look(const MeshLook *look)
{
    const caromMeshReport *r = carom_mesh_report(look->mesh);
    print_mesh(look->mesh, r);
    print_units(r, look->scale, look->has_units);
    print_mass(look->mesh, r, look->density);
    print_repairs(&look->read, &look->holes);
    print_problems_of(r, look->has_units || r->unit > 0);
}

int command_mesh(const Arguments *arguments)
{
    MeshLook look = { .scale = scale_option(arguments), .density = positive_option(arguments, "density", 1000, "7850"),
                  .has_units = option_value(arguments, "scale") || option_value(arguments, "units") };
    int edges = holes_option(arguments), status = WRONG;
    const char *path = arguments->operands[0], *output = option_value(arguments, "output");
    if (look.scale == 0 || look.density == 0 || edges < 0) return WRONG;
    if (output && (!keeps_input(output, path) || !may_write(output, A_MESH))) return WRONG;
    if (read_mesh(arguments, &look, edges)) {
        print_look(&look);
        status = !output || write_mesh(output, path, look.mesh) ? DONE : WRONG;
        if (output && status == DONE) printf("wrote %s, in metres: units: m in a model file\n", output);
    }
    carom_mesh_destroy(look.mesh);
    return status;
}
