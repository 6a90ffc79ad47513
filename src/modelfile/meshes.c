// Shapes from mesh files: where the files are, each read once, and what of a mesh collides.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/geometry.h"
#include "modelfile/modelfile.h"

static const struct { const char *name; double metres; } units[] = {
    { "m", 1.0 }, { "mm", 1e-3 }, { "cm", 1e-2 }, { "um", 1e-6 }, { "km", 1e3 }, { "in", 0.0254 }, { "ft", 0.3048 },
};

const char *carom_meshfile_unit_name(int i)
{
    return i < (int)(sizeof units/sizeof units[0]) ? units[i].name : NULL;
}

double carom_meshfile_unit(const char *name)
{
    for (size_t i = 0; i < sizeof units/sizeof units[0]; i++)
        if (strcmp(units[i].name, name) == 0) return units[i].metres;
    return 0.0;
}

// ---- files

// A file that is called "-" is one: standard input is the model's.
const char *carom_modelfile_beside(caromReader *r, const char *file)
{
    const char *slash = strcmp(r->path, "-") == 0 ? NULL : strrchr(r->path, '/');
    size_t nfolder = slash && file[0] != '/' ? (size_t)(slash - r->path) + 1 : 0, nfile = strlen(file);
    bool is_dash = nfolder == 0 && strcmp(file, "-") == 0;
    char *joined = malloc(nfolder + nfile + 3);
    if (!joined) return NULL;
    memcpy(joined, is_dash ? "./" : r->path, is_dash ? 2 : nfolder);
    memcpy(joined + (is_dash ? 2 : nfolder), file, nfile + 1);
    const char *path = carom_modelfile_tree_copy(&r->tree, joined, strlen(joined));
    free(joined);
    return path;
}

static caromMeshFile *find_file(caromReader *r, const char *path, double scale, double thickness)
{
    for (int i = 0; i < r->nmesh; i++) {
        caromMeshFile *file = &r->meshes[i];
        if (file->scale == scale && file->thickness == thickness && strcmp(file->path, path) == 0) return file;
    }
    return NULL;
}

static caromMeshFile *new_file(caromReader *r)
{
    if (r->nmesh == r->mesh_capacity) {
        int capacity = r->mesh_capacity ? 2*r->mesh_capacity : 4;
        caromMeshFile *larger = realloc(r->meshes, (size_t)capacity*sizeof *larger);
        if (!larger) return NULL;
        r->meshes = larger;
        r->mesh_capacity = capacity;
    }
    r->meshes[r->nmesh] = (caromMeshFile){ 0 };
    return &r->meshes[r->nmesh++];
}

void carom_modelfile_reader_free_meshes(caromReader *r)
{
    for (int i = 0; i < r->nmesh; i++) {
        carom_mesh_destroy(r->meshes[i].mesh);
        carom_hull_destroy(r->meshes[i].hull);
        carom_mesh_pieces_free(&r->meshes[i].pieces);
    }
    free(r->meshes);
}

static void thicken(caromMeshFile *file)
{
    caromMesh *surface = file->mesh;
    file->mesh = carom_mesh_thicken(surface, file->thickness, &file->err);
    carom_mesh_destroy(surface);
}

// NULL: out of memory. A file that cannot be read is remembered too.
static const caromMeshFile *get_file(caromReader *r, const char *name, double scale, double thickness)
{
    const char *path = carom_modelfile_beside(r, name);
    caromMeshFile *file = path ? find_file(r, path, scale, thickness) : NULL;
    if (file || !path || !(file = new_file(r))) return file;
    file->path = path;
    file->scale = scale;
    file->thickness = thickness;
    file->mesh = carom_meshfile_read_cached(path, scale, NULL, NULL, &file->err);
    if (file->mesh && thickness != 0.0) thicken(file);
    return file;
}

// What was wrong with a thickness is said there.
static void report_file(caromReader *r, int mesh, const caromMeshFile *file)
{
    int thickness = carom_modelfile_tree_child(&r->tree, mesh, "thickness", 9);
    if (thickness >= 0 && strcmp(file->err.where, "thickness") == 0)
        carom_modelfile_reader_error(r, thickness, CAROM_AT_VALUE, "the thickness %s", file->err.message);
    else
        carom_modelfile_reader_error(r, carom_modelfile_tree_child(&r->tree, mesh, "file", 4), CAROM_AT_VALUE, "%s: %s",
                                     file->err.where, file->err.message);
}

// NULL: it was reported why. Where nobody reads what is wrong with a file, none is opened.
static const caromMesh *get_mesh(caromReader *r, int mesh, const char *name, double scale, double thickness)
{
    if (!r->path) {
        int node = carom_modelfile_tree_child(&r->tree, mesh, "file", 4);
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "no file is opened for a model that is read from memory: "
                                     "give the model's path, see carom_modelfile_read_from");
        return NULL;
    }
    if (r->problems->truncated && r->problems->errors > 0) return NULL;
    const caromMeshFile *file = get_file(r, name, scale, thickness);
    if (!file || file->err.status == CAROM_ERR_MEMORY) r->out_of_memory = true;
    if (file && !file->mesh) report_file(r, mesh, file);
    return file ? file->mesh : NULL;
}

// ---- shapes

// Metres to a unit of the file; NaN: reported.
static double scale_of(caromReader *r, int mesh, const caromShapeDraft *d)
{
    int node = carom_modelfile_tree_child(&r->tree, mesh, "scale", 5);
    if (node < 0) return units[d->units].metres;
    if (isnan(d->scale) || d->scale > 0.0) return d->scale;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "scale %g is not above 0: expected metres to a unit of the "
                                 "file, 0.001 for millimetres", d->scale);
    return NAN;
}

static void warn_of_no_units(caromReader *r, int file, const caromMeshReport *report)
{
    caromVec3 size = carom_sub(report->high, report->low);
    carom_modelfile_reader_warning(r, file, CAROM_AT_VALUE, "this kind of file does not say its units, and the model "
                                   "does not either: taken as metres the mesh is %.4g m x %.4g m x %.4g m. Write "
                                   "units: m beside file if that is right, units: mm if it is in millimetres", size.x,
                                   size.y, size.z);
}

// Of what says its units nobody is asked; false: the model says others.
static bool has_good_units(caromReader *r, int mesh, const caromShapeDraft *d)
{
    int given = carom_modelfile_tree_child(&r->tree, mesh, "units", 5),
        file = carom_modelfile_tree_child(&r->tree, mesh, "file", 4);
    bool has_scale = carom_modelfile_tree_child(&r->tree, mesh, "scale", 5) >= 0;
    const caromMeshReport *report = carom_mesh_report(d->mesh);
    if (report->unit == 0.0 && given < 0 && !has_scale) warn_of_no_units(r, file, report);
    if (report->unit == 0.0 || given < 0 || units[d->units].metres == report->unit) return true;
    carom_modelfile_reader_error(r, given, CAROM_AT_VALUE, "the file says itself that its unit is %g m: leave units "
                                 "out. If whoever wrote it was wrong, scale: %g makes %s of it", report->unit,
                                 units[d->units].metres/report->unit, units[d->units].name);
    return false;
}

bool carom_modelfile_finish_mesh(caromReader *r, int node, caromShapeDraft *d)
{
    double scale = scale_of(r, node, d);
    if (!d->file || isnan(scale) || isnan(d->thickness)) return false;
    d->mesh = get_mesh(r, node, d->file, scale, d->thickness);
    if (!d->mesh || !has_good_units(r, node, d)) return false;
    if (!d->def.touches) d->collides = CAROM_COLLIDES_NONE;
    if (d->collides != CAROM_COLLIDES_MESH) d->def.touches = false;
    d->def.shape = carom_shape_mesh(carom_mesh_copy(d->mesh));
    return true;
}

// ---- stand-ins: shapes that touch in place of a mesh

// A name that no other shape of the body has in the file.
static const char *stand_in_name(caromReader *r, int node, const char *word)
{
    char text[CAROM_NAME_MAX + 1];
    const char *name = r->tree.nodes[node].key;
    int shapes = r->tree.nodes[node].parent;
    for (int k = 1;; k++) {
        char end[32] = "";
        if (k > 1) snprintf(end, sizeof end, "-%d", k);
        int kept = (int)(CAROM_NAME_MAX - 1 - strlen(word) - strlen(end));
        snprintf(text, sizeof text, "%.*s-%s%s", kept, name, word, end);
        if (carom_modelfile_tree_child(&r->tree, shapes, text, strlen(text)) < 0) break;
    }
    return carom_modelfile_tree_copy(&r->tree, text, strlen(text));
}

static void keep_stand_in(caromReader *r, const caromShapeDef *mesh, const char *name, const caromHull *hull)
{
    caromShapeDef def = *mesh;
    def.name = name;
    def.shape = carom_shape_polytope(name ? carom_hull_copy(hull) : NULL);
    def.touches = true;
    def.weighs = false;
    def.stands_for = mesh->name;
    if (def.shape.hull) carom_modelfile_keep_shape(r, &def);
    else r->out_of_memory = true;
}

static caromMeshFile *file_of(caromReader *r, const caromMesh *mesh)
{
    int i = 0;
    while (r->meshes[i].mesh != mesh) i++;
    return &r->meshes[i];
}

static const char *volume_text(char text[32], double volume)
{
    if (volume >= 0.01) snprintf(text, 32, "%.4g m^3", volume);
    else if (volume >= 1e-8) snprintf(text, 32, "%.4g cm^3", 1e6*volume);
    else snprintf(text, 32, "%.4g mm^3", 1e9*volume);
    return text;
}

// What touches should be what is seen: said where it is more than this off.
#define VOLUME_ALLOWED 0.01

static void warn_of_volume(caromReader *r, int node, const char *what, double volume, const caromMesh *mesh,
                           const char *advice)
{
    char with[32], without[32];
    double true_volume = carom_mesh_report(mesh)->volume, more = volume/true_volume - 1.0;
    if (!(true_volume > 0.0) || fabs(more) <= VOLUME_ALLOWED) return;
    carom_modelfile_reader_warning(r, node, CAROM_AT_VALUE, "%s a volume of %s, the mesh %s: %+.3g %%. "
                                   "Others touch it where there is nothing to see; %s", what, volume_text(with, volume),
                                   volume_text(without, true_volume), 100.0*more, advice);
}

static void report_stand_in(caromReader *r, int node, const char *what, const caromError *err)
{
    if (err->status == CAROM_ERR_MEMORY) r->out_of_memory = true;
    else
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "%s cannot be made: %s%s", what,
                                     strcmp(err->where, "tolerance") == 0 ? "the tolerance " : "", err->message);
}

static void keep_hull(caromReader *r, int node, int collide, const caromShapeDraft *d)
{
    caromMeshFile *file = file_of(r, d->mesh);
    caromError err = { 0 };
    if (!file->hull) {
        const caromVec3 *vertices;
        int n = carom_mesh_vertices(d->mesh, &vertices);
        file->hull = carom_hull_create(vertices, n, 0.0, &err);
    }
    if (!file->hull) {
        report_stand_in(r, collide, "the convex hull", &err);
        return;
    }
    warn_of_volume(r, collide, "the convex hull has", carom_shape_volume(carom_shape_polytope(file->hull)), d->mesh,
                   "collide: pieces follows it closer");
    keep_stand_in(r, &d->def, stand_in_name(r, node, "hull"), file->hull);
}

// More than these would be slow to collide; the library can make more.
enum { PIECES_MAX = 200 };

static bool make_pieces(caromMeshFile *file, double tolerance, caromError *err)
{
    if (file->pieces.n > 0 && file->tolerance == tolerance) return true;
    carom_mesh_pieces_free(&file->pieces);
    file->pieces = (caromMeshPieces){ 0 };
    file->tolerance = tolerance;
    if (carom_mesh_pieces(file->mesh, tolerance, PIECES_MAX, &file->pieces, err) == CAROM_OK) return true;
    carom_mesh_pieces_free(&file->pieces);
    file->pieces = (caromMeshPieces){ 0 };
    return false;
}

static void keep_pieces(caromReader *r, int node, int collide, const caromShapeDraft *d)
{
    const caromMeshReport *report = carom_mesh_report(d->mesh);
    caromMeshFile *file = file_of(r, d->mesh);
    caromError err = { 0 };
    char word[32];
    double tolerance = isnan(d->tolerance) ? 0.01*carom_norm(carom_sub(report->high, report->low)) : d->tolerance;
    if (!make_pieces(file, tolerance, &err)) {
        int at = carom_modelfile_tree_child(&r->tree, r->tree.nodes[collide].parent, "tolerance", 9);
        report_stand_in(r, at >= 0 && report->volume > 0.0 ? at : collide, "convex pieces", &err);
        return;
    }
    snprintf(word, sizeof word, "%d convex piece%s", file->pieces.n, file->pieces.n == 1 ? " has" : "s have");
    warn_of_volume(r, collide, word, file->pieces.volume, d->mesh, "a smaller tolerance follows it closer");
    for (int i = 0; i < file->pieces.n && !r->out_of_memory; i++) {
        snprintf(word, sizeof word, "piece-%d", i + 1);
        keep_stand_in(r, &d->def, stand_in_name(r, node, word), file->pieces.hulls[i]);
    }
}

// False: it was reported what is wrong with it.
static bool has_good_tolerance(caromReader *r, int mesh, const caromShapeDraft *d)
{
    int node = carom_modelfile_tree_child(&r->tree, mesh, "tolerance", 9);
    if (node < 0) return true;
    if (d->collides != CAROM_COLLIDES_PIECES)
        carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "only convex pieces have a tolerance: give collide: "
                                     "pieces beside it");
    else if (d->tolerance <= 0.0)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "tolerance %g m is not above 0: expected how far pieces "
                                     "may reach beyond the mesh, such as 0.5 mm", d->tolerance);
    return d->collides == CAROM_COLLIDES_PIECES && d->tolerance > 0.0;
}

// Its mass is an integral over the inside, which knows no union.
static void warn_of_crossings(caromReader *r, int mesh, const caromMesh *of)
{
    int file = carom_modelfile_tree_child(&r->tree, mesh, "file", 4);
    const caromMeshReport *report = carom_mesh_report(of);
    if (report->crossings > 0 && file >= 0)
        carom_modelfile_reader_warning(r, file, CAROM_AT_VALUE, "the mesh crosses itself (%d pairs of triangles): "
                                       "mass and volume count twice what is inside twice", report->crossings);
}

void carom_modelfile_keep_stand_ins(caromReader *r, int node, const caromShapeDraft *d)
{
    int mesh = carom_modelfile_tree_child(&r->tree, node, "mesh", 4),
        collide = carom_modelfile_tree_child(&r->tree, mesh, "collide", 7);
    warn_of_crossings(r, mesh, d->mesh);
    if (!has_good_tolerance(r, mesh, d)) return;
    if (d->collides == CAROM_COLLIDES_HULL) keep_hull(r, node, collide, d);
    if (d->collides == CAROM_COLLIDES_PIECES) keep_pieces(r, node, collide, d);
}
