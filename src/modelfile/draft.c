// Drafts: what one section of the file says, completed and handed to the builder when the section ends.
#include <math.h>
#include <string.h>

#include "geometry/geometry.h"
#include "modelfile/modelfile.h"

static const char *key_of(caromReader *r, int node)
{
    return r->tree.nodes[node].key;
}

static bool is_given(caromReader *r, int node, const char *key)
{
    return carom_modelfile_tree_child(&r->tree, node, key, strlen(key)) >= 0;
}

static double largest(caromVec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

// a/|a| without overflow for any finite a != 0; exact along the axes.
static caromVec3 direction(caromVec3 a)
{
    double s = largest(a);
    caromVec3 b = { a.x/s, a.y/s, a.z/s };
    double n = carom_norm(b);
    return carom_vec(b.x/n, b.y/n, b.z/n);
}

// ---- materials

void carom_draft_material_begin(caromReader *r, int node, void *draft)
{
    *(caromMaterialDef *)draft = carom_model_material_def(key_of(r, node));
}

void carom_draft_material_end(caromReader *r, int node, void *draft)
{
    (void)node;
    carom_builder_material(r->builder, draft);
}

// ---- orientations

void carom_draft_orientation_begin(caromReader *r, int node, void *draft)
{
    (void)r;
    (void)node;
    caromVec3 none = { NAN, NAN, NAN };
    *(caromOrientation *)draft =
        (caromOrientation){ .axis = none, .angles = none, .angle = NAN, .quaternion = { NAN, NAN, NAN, NAN },
                            .q = carom_quat_identity() };
}

static void report_zero(caromReader *r, int node, const char *key, const char *what)
{
    int child = carom_modelfile_tree_child(&r->tree, node, key, strlen(key));
    carom_modelfile_reader_error(r, child, CAROM_AT_VALUE, "%s is zero and has no direction", what);
}

// The value of a key of this section: is it not zero?
bool carom_modelfile_is_direction(caromReader *r, int node, const char *key, caromVec3 a, const char *what)
{
    if (largest(a) > 0.0) return true;
    report_zero(r, node, key, what);
    return false;
}

bool carom_modelfile_normalise(caromReader *r, int node, const char *key, caromQuat *q)
{
    double s = fmax(fabs(q->w), largest(carom_vec(q->x, q->y, q->z)));
    if (s > 0.0) *q = carom_quat_normalized((caromQuat){ q->w/s, q->x/s, q->y/s, q->z/s });
    else report_zero(r, node, key, "the quaternion");
    return s > 0.0;
}

static void from_axis_angle(caromReader *r, int node, caromOrientation *o)
{
    if (carom_modelfile_is_direction(r, node, "axis", o->axis, "the axis"))
        o->q = carom_quat_axis_angle(direction(o->axis), o->angle);
}

static void from_quaternion(caromReader *r, int node, caromOrientation *o)
{
    if (carom_modelfile_normalise(r, node, "quaternion", &o->quaternion)) o->q = o->quaternion;
}

// Intrinsic x-y-z: R = Rx(a) Ry(b) Rz(c).
static caromQuat from_angles(caromVec3 a)
{
    caromQuat x = carom_quat_axis_angle(carom_vec(1, 0, 0), a.x), y = carom_quat_axis_angle(carom_vec(0, 1, 0), a.y);
    return carom_quat_mul(carom_quat_mul(x, y), carom_quat_axis_angle(carom_vec(0, 0, 1), a.z));
}

// What could not be read is still NaN, was reported, and leaves the identity.
void carom_draft_orientation_end(caromReader *r, int node, void *draft)
{
    caromOrientation *o = draft;
    if (carom_is_finite3(o->axis) && isfinite(o->angle)) from_axis_angle(r, node, o);
    else if (isfinite(o->quaternion.w)) from_quaternion(r, node, o);
    else if (carom_is_finite3(o->angles)) o->q = from_angles(o->angles);
}

// ---- shapes

void carom_draft_shape_begin(caromReader *r, int node, void *draft)
{
    caromShapeDraft *d = draft;
    *d = (caromShapeDraft){ .def = carom_model_shape_def(carom_shape_sphere(0)),
                            .normal = { 0, 0, 1 }, .size = { NAN, NAN, NAN }, .scale = NAN, .tolerance = NAN,
                            .cell = NAN, .height = NAN, .depth = NAN,
                            .orientation = { .q = carom_quat_identity() } };
    d->def.name = key_of(r, node);  // "shape" for a single one
}

// About the axis z x n, the shortest way; q is not unit, so that it is exact along the axes. From the lower half the
// way starts at -z, reached by half a turn about x: the shortest way from z has no axis there.
caromQuat carom_modelfile_from_z_to(caromVec3 a)
{
    caromVec3 n = direction(a);
    if (n.z >= 0.0) return (caromQuat){ 1.0 + n.z, -n.y, n.x, 0.0 };
    return carom_quat_mul((caromQuat){ 1.0 - n.z, n.y, -n.x, 0.0 }, (caromQuat){ 0, 1, 0, 0 });
}

static void finish_half_space(caromReader *r, int node, caromShapeDraft *d)
{
    if (!carom_modelfile_is_direction(r, carom_modelfile_tree_child(&r->tree, node, "half-space", 10), "normal",
                                      d->normal, "the normal")) return;
    caromVec3 n_S = direction(d->normal);
    caromMat3 R = carom_quat_matrix(d->orientation.q);
    d->def.shape = carom_shape_half_space();
    d->def.q_BS = carom_quat_mul(d->orientation.q, carom_modelfile_from_z_to(d->normal));
    d->def.p_BS = carom_axpy(d->offset, carom_mul(R, n_S), d->def.p_BS);
}

void carom_modelfile_keep_shape(caromReader *r, const caromShapeDef *def)
{
    caromBodyDraft *body = r->body;
    if (body->nshape == body->capacity) {
        int capacity = body->capacity ? 2*body->capacity : 4;
        caromShapeDef *larger = realloc(body->shapes, (size_t)capacity*sizeof *larger);
        if (!larger) {
            r->out_of_memory = true;
            caromShape lost = def->shape;
            carom_shape_free(&lost);
            return;
        }
        body->shapes = larger;
        body->capacity = capacity;
    }
    body->shapes[body->nshape++] = *def;
}

// What is wrong with the hull is so with all its points together, or with the rounding.
static void report_hull(caromReader *r, int polytope, const caromError *err)
{
    if (err->status == CAROM_ERR_MEMORY) {
        r->out_of_memory = true;
        return;
    }
    int rounding = carom_modelfile_tree_child(&r->tree, polytope, "rounding", 8);
    int node = strcmp(err->where, "rounding") == 0 &&
               rounding >= 0 ? rounding : carom_modelfile_tree_child(&r->tree, polytope, "vertices", 8);
    carom_modelfile_reader_error(r, carom_modelfile_tree_overridden(&r->tree, node), CAROM_AT_VALUE, "%s",
                                 err->message);
}

// False: it cannot be made, which was reported.
static bool finish_polytope(caromReader *r, int node, caromShapeDraft *d)
{
    caromError err = { 0 };
    caromHull *hull = d->vertices.p ? carom_hull_create(d->vertices.p, d->vertices.n, d->rounding, &err) : NULL;
    if (d->vertices.p && !hull) report_hull(r, carom_modelfile_tree_child(&r->tree, node, "polytope", 8), &err);
    d->def.shape = carom_shape_polytope(hull);
    return hull != NULL;
}

// A dimension, which is NaN where it could not be read.
static double dimension_of(caromReader *r, int kind_node, const caromShapeDraft *d, const caromShapeRow *row, int i)
{
    const caromDimension *dimension = &row->dimensions[row->is_vector ? 0 : i];
    bool is_left_out = dimension->name && dimension->may_be_zero && !is_given(r, kind_node, dimension->name);
    return !dimension->name || is_left_out ? 0.0 : d->size[i];
}

static caromShape shape_of(caromReader *r, int node, caromShapeKind kind, const caromShapeDraft *d)
{
    const caromShapeRow *row = carom_shape_row(kind);
    int kind_node = carom_modelfile_tree_child(&r->tree, node, row->name, strlen(row->name));
    double size[3];
    for (int i = 0; i < 3; i++) size[i] = dimension_of(r, kind_node, d, row, i);
    return (caromShape){ .kind = kind, .size = { size[0], size[1], size[2] }, .rounding = d->rounding };
}

static caromShapeKind kind_given(caromReader *r, int node)
{
    int k = 0;
    while (k < CAROM_SHAPE_KINDS && !is_given(r, node, carom_shape_kind_name((caromShapeKind)k))) k++;
    return (caromShapeKind)k;
}

// False: it was reported why, or that there is none; the builder does not get it.
static bool finish_shape(caromReader *r, int node, caromShapeDraft *d)
{
    caromShapeKind kind = kind_given(r, node);
    d->def.q_BS = d->orientation.q;
    int field = carom_modelfile_tree_child(&r->tree, node, "heightfield", strlen("heightfield"));
    if (kind == CAROM_SHAPE_KINDS) return field >= 0 && carom_modelfile_finish_heightfield(r, field, d);
    if (kind == CAROM_POLYTOPE) return finish_polytope(r, node, d);
    if (kind == CAROM_MESH)
        return carom_modelfile_finish_mesh(r, carom_modelfile_tree_child(&r->tree, node, "mesh", 4), d);
    d->def.shape = shape_of(r, node, kind, d);
    if (kind == CAROM_HALF_SPACE) finish_half_space(r, node, d);
    return carom_is_finite3(d->def.shape.size);
}

void carom_draft_shape_end(caromReader *r, int node, void *draft)
{
    caromShapeDraft *d = draft;
    if (finish_shape(r, node, d)) {
        carom_modelfile_keep_shape(r, &d->def);
        if (d->mesh) carom_modelfile_keep_stand_ins(r, node, d);
    }
    free(d->vertices.p);
    free(d->heights.h);
}

// ---- bodies

void carom_draft_body_begin(caromReader *r, int node, void *draft)
{
    caromBodyDraft *d = draft;
    *d = (caromBodyDraft){ .def = carom_model_body_def(key_of(r, node)),
                           .orientation = { .q = carom_quat_identity() } };
    r->body = d;
}

// A mass or a material that could not be read was reported; with any other the builder does not miss it.
void carom_draft_body_end(caromReader *r, int node, void *draft)
{
    caromBodyDraft *d = draft;
    if (isnan(d->def.mass) && is_given(r, node, "mass")) d->def.mass = 1.0;
    if (!d->def.material && is_given(r, node, "material")) d->def.material = carom_model_material_palette(0)->name;
    d->def.q_WB = d->orientation.q;
    d->def.shapes = d->shapes;
    d->def.nshape = d->nshape;
    d->def.groups = d->groups.names;
    d->def.ngroup = d->groups.n;
    carom_builder_body(r->builder, &d->def);
    for (int i = 0; i < d->nshape; i++) carom_shape_free(&d->shapes[i].shape);
    free(d->shapes);
    free(d->groups.names);
    r->body = NULL;
}
