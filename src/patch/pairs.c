// The queries on a pair of shapes of a model.
#include "geometry/geometry.h"
#include "narrow/narrow.h"
#include "patch/fields.h"
#include "patch/scales.h"
#include "patch/table.h"
#include "patch/tiles.h"

typedef struct Placed {
    const caromShape *a, *b;
    caromPose X_WA, X_WB;
} Placed;

static Placed placed(const caromModel *model, const caromKin *kin, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return (Placed){ &model->shapes[shape[0]].shape, &model->shapes[shape[1]].shape, kin->X_WS[shape[0]],
                     kin->X_WS[shape[1]] };
}

// Faces with a shell press on a half-space that is higher by it.
static Placed raised(const caromModel *model, const caromKin *kin, int pair)
{
    Placed p = placed(model, kin, pair);
    double shell = model->pairs[pair].shell;
    if (p.a->kind == CAROM_HALF_SPACE) p.X_WA.p = carom_axpy(shell, p.X_WA.R.cz, p.X_WA.p);
    else if (p.b->kind == CAROM_HALF_SPACE) p.X_WB.p = carom_axpy(shell, p.X_WB.R.cz, p.X_WB.p);
    return p;
}

static bool touch_in_points(const caromShape *a, const caromShape *b)
{
    if (carom_patch_samples_are_asked(a, b)) return false;
    if (a->kind == CAROM_MESH || b->kind == CAROM_MESH) return a->kind == CAROM_SPHERE || b->kind == CAROM_SPHERE;
    const caromShapeRow *row_a = carom_shape_row(a->kind), *row_b = carom_shape_row(b->kind);
    return row_a->touches_in_points || row_b->touches_in_points || (row_a->is_round && row_b->is_round);
}

caromContactKind carom_patch_contact_kind(const caromShape *a, const caromShape *b)
{
    bool swapped;
    if (touch_in_points(a, b)) return CAROM_CONTACT_POINT;
    return carom_patch_row(a, b, &swapped) ? CAROM_CONTACT_FACE : CAROM_CONTACT_NONE;
}

caromContactKind carom_patch_pair_contact(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return carom_patch_contact_kind(&model->shapes[shape[0]].shape, &model->shapes[shape[1]].shape);
}

bool carom_patch_pair_may_line_up(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    const caromShape *a = &model->shapes[shape[0]].shape, *b = &model->shapes[shape[1]].shape;
    bool swapped;
    return carom_patch_contact_kind(a, b) == CAROM_CONTACT_POINT && model->pairs[pair].shell == 0.0 &&
           carom_patch_row(a, b, &swapped) == &carom_patch_strips;
}

// The shortest way out of a mesh takes long to find: what presses tells how deep it is.
static bool mesh_gap(const Placed *p, caromGap *gap)
{
    bool has_mesh = p->a->kind == CAROM_MESH || p->b->kind == CAROM_MESH,
         has_half_space = p->a->kind == CAROM_HALF_SPACE || p->b->kind == CAROM_HALF_SPACE, swapped;
    if (!has_mesh || has_half_space || carom_patch_contact_kind(p->a, p->b) != CAROM_CONTACT_FACE) return false;
    const caromPatchRow *row = carom_patch_row(p->a, p->b, &swapped);
    if (!row->gap) return false;
    if (!swapped) return row->gap(p->a, p->X_WA, p->b, p->X_WB, gap);
    bool is_known = row->gap(p->b, p->X_WB, p->a, p->X_WA, gap);
    *gap = carom_gap_mirrored(*gap);
    return is_known;
}

bool carom_patch_pair_is_of_points(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    const caromShape *a = &model->shapes[shape[0]].shape, *b = &model->shapes[shape[1]].shape;
    bool swapped;
    if (carom_patch_contact_kind(a, b) != CAROM_CONTACT_FACE) return false;
    const caromPatchRow *row = carom_patch_row(a, b, &swapped);
    return row == &carom_patch_asked || row == &carom_patch_sampled || row == &carom_patch_on_face;
}

bool carom_patch_pair_gap_is_of_points(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    const caromShape *a = &model->shapes[shape[0]].shape, *b = &model->shapes[shape[1]].shape;
    bool has_mesh = a->kind == CAROM_MESH || b->kind == CAROM_MESH, swapped;
    if (model->settings.response == CAROM_RESPONSE_RIGID) return false;  // meets the surfaces themselves
    if (!has_mesh || !carom_shape_is_bounded(*a) || !carom_shape_is_bounded(*b) ||
        carom_patch_contact_kind(a, b) != CAROM_CONTACT_FACE) return false;
    const caromPatchRow *row = carom_patch_row(a, b, &swapped);
    return row == &carom_patch_asked || row == &carom_patch_sampled || row == &carom_patch_tiles;
}

bool carom_patch_press_points(const caromModel *model, const caromKin *kin, int pair, caromPressPoints *points,
                              int *mesh)
{
    Placed p = placed(model, kin, pair);
    bool swapped;
    *mesh = p.a->kind == CAROM_MESH ? 0 : 1;
    const caromShape *into = *mesh ? p.a : p.b;
    if (carom_patch_row(p.a, p.b, &swapped) != &carom_patch_tiles || !carom_shape_is_convex(*into)) return false;
    caromTileSide side = *mesh ? carom_patch_tile_side(p.b, p.X_WB, p.a, p.X_WA)
                               : carom_patch_tile_side(p.a, p.X_WA, p.b, p.X_WB);
    carom_patch_tile_points(&side, points);
    return true;
}

caromGap carom_patch_gap(const caromModel *model, const caromKin *kin, int pair)
{
    Placed p = placed(model, kin, pair);
    caromGap gap;
    bool is_rigid = model->settings.response == CAROM_RESPONSE_RIGID;
    if (is_rigid || !mesh_gap(&p, &gap)) gap = carom_collide_shapes(*p.a, p.X_WA, *p.b, p.X_WB);
    gap.g -= model->pairs[pair].shell;
    return gap;
}

double carom_patch_gap_rate(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap)
{
    const int *shape = model->pairs[pair].shape;
    caromVec3 v_A = carom_kin_point_velocity(kin, model->shapes[shape[0]].body, gap->p_A);
    caromVec3 v_B = carom_kin_point_velocity(kin, model->shapes[shape[1]].body, gap->p_B);
    return carom_dot(gap->n_AB, carom_sub(v_B, v_A));
}

static bool is_ball_on_mesh(const Placed *p)
{
    return (p->a->kind == CAROM_MESH && p->b->kind == CAROM_SPHERE) ||
           (p->a->kind == CAROM_SPHERE && p->b->kind == CAROM_MESH);
}

static void ball_on_mesh_patch(const Placed *p, double shell, caromPatch *patch)
{
    if (p->a->kind == CAROM_MESH) {
        carom_patch_mesh_ball(p->a->mesh, &p->X_WA, p->b->size.x + shell, p->X_WB.p, patch);
        return;
    }
    carom_patch_mesh_ball(p->b->mesh, &p->X_WB, p->a->size.x + shell, p->X_WA.p, patch);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].n_AB = carom_neg(patch->cells[i].n_AB);
}

static void point_patch(const caromGap *gap, caromPatch *patch)
{
    patch->depth = fmax(0.0, -gap->g);
    patch->ncell = gap->g < 0.0;
    patch->cells[0] = (caromCell){ carom_scale(0.5, carom_add(gap->p_A, gap->p_B)), gap->n_AB, patch->depth };
}

static void face_patch(const Placed *p, caromPatch *patch)
{
    bool swapped;
    const caromPatchRow *row = carom_patch_row(p->a, p->b, &swapped);
    if (!swapped) {
        row->patch(p->a, p->X_WA, p->b, p->X_WB, patch);
        return;
    }
    row->patch(p->b, p->X_WB, p->a, p->X_WA, patch);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].n_AB = carom_neg(patch->cells[i].n_AB);
}

// ---- deep in each other

double carom_patch_half_thickness(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    return fmin(carom_shape_half_thickness(model->shapes[shape[0]].shape),
                carom_shape_half_thickness(model->shapes[shape[1]].shape));
}

// Fields of two plane-faced shapes end, so that a shell cannot go far beyond.
static caromStiffening face_stiffening(const caromPatchRow *row, double thickness, double shell)
{
    double to = row->deepest*thickness + shell, from = CAROM_PATCH_FACE_DEEP*thickness + shell;
    if (row == &carom_patch_planes) to = fmin(to, CAROM_PATCH_FIELDS_DEEPEST*thickness);
    if (row == &carom_patch_strips || row == &carom_patch_tiles)
        return (caromStiffening){ CAROM_PATCH_STRIPS_DEEP*thickness, to };
    return (caromStiffening){ fmin(from, fmax(CAROM_PATCH_SHELL_DEEP*to, CAROM_PATCH_FACE_DEEP*thickness)), to };
}

caromStiffening carom_patch_stiffening(const caromModel *model, int pair, caromContactKind kind)
{
    const int *shape = model->pairs[pair].shape;
    const caromShape *a = &model->shapes[shape[0]].shape, *b = &model->shapes[shape[1]].shape;
    double thickness = carom_patch_half_thickness(model, pair), shell = model->pairs[pair].shell;
    bool swapped;
    if (model->settings.too_deep == CAROM_DEEP_ERROR || isinf(thickness))
        return (caromStiffening){ INFINITY, INFINITY };
    if (kind == CAROM_CONTACT_FACE)
        return face_stiffening(carom_patch_row(a, b, &swapped), thickness, shell);
    return (caromStiffening){ CAROM_PATCH_POINT_DEEP*thickness + shell, CAROM_PATCH_POINT_DEEPEST*thickness + shell };
}

// The depth of floating bodies that counts may be twice the largest one (a cone on its base).
static void stiffen_faces(const Placed *p, const caromStiffening *s, caromPatch *patch)
{
    bool swapped;
    if (!(patch->depth > 0.5*s->from)) return;
    const caromPatchRow *row = carom_patch_row(p->a, p->b, &swapped);
    if (!swapped) {
        row->stiffen(p->a, p->X_WA, p->b, p->X_WB, s, patch);
        return;
    }
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].n_AB = carom_neg(patch->cells[i].n_AB);
    row->stiffen(p->b, p->X_WB, p->a, p->X_WA, s, patch);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].n_AB = carom_neg(patch->cells[i].n_AB);
}

void carom_patch_of_pair(const caromModel *model, const caromKin *kin, int pair, caromContactKind kind,
                         caromPatch *patch)
{
    Placed p = raised(model, kin, pair);
    caromStiffening s = carom_patch_stiffening(model, pair, kind);
    if (kind == CAROM_CONTACT_FACE) {
        face_patch(&p, patch);
        patch->steep_at = patch->depth;
        stiffen_faces(&p, &s, patch);
        return;
    }
    if (is_ball_on_mesh(&p)) {
        ball_on_mesh_patch(&p, model->pairs[pair].shell, patch);
    } else {
        caromGap gap = carom_patch_gap(model, kin, pair);
        point_patch(&gap, patch);
    }
    patch->steep_at = patch->depth;
    patch->is_through = !(patch->depth < s.to);
}

bool carom_patch_surface(const caromModel *model, const caromKin *kin, int pair, caromPolygonVisitor visit, void *user)
{
    Placed p = raised(model, kin, pair);
    if (!carom_field_has(p.a) || !carom_field_has(p.b)) return false;
    carom_patch_shapes_polygons(p.a, p.X_WA, p.b, p.X_WB, visit, user);
    return true;
}

double carom_patch_energy(const caromModel *model, const caromKin *kin, int pair)
{
    return carom_patch_energy_moved(model, kin, pair, carom_vec(0, 0, 0));
}

double carom_patch_energy_moved(const caromModel *model, const caromKin *kin, int pair, caromVec3 moved)
{
    Placed p = raised(model, kin, pair);
    p.X_WB.p = carom_add(p.X_WB.p, moved);
    bool swapped;
    const caromPatchRow *row = carom_patch_row(p.a, p.b, &swapped);
    return swapped ? row->energy(p.b, p.X_WB, p.a, p.X_WA) : row->energy(p.a, p.X_WA, p.b, p.X_WB);
}

caromPressing carom_patch_pressing_moved(const caromModel *model, const caromKin *kin, int pair, caromVec3 moved)
{
    Placed p = placed(model, kin, pair);
    p.X_WB.p = carom_add(p.X_WB.p, moved);
    bool swapped;
    const caromPatchRow *row = carom_patch_row(p.a, p.b, &swapped);
    return swapped ? row->pressing(p.b, p.X_WB, p.a, p.X_WA) : row->pressing(p.a, p.X_WA, p.b, p.X_WB);
}

// No point of one body is deeper in the other one than the way out is long: less than where anything acts beyond the
// law (as in stiffen_faces). A query tells that for less than the surfaces do, but of a mesh or of plane faces.
static bool is_shallow(const Placed *p, const caromPatchRow *row, const caromStiffening *s)
{
    if (p->a->kind == CAROM_MESH || p->b->kind == CAROM_MESH || row == &carom_patch_planes) return false;
    return carom_collide_shapes(*p->a, p->X_WA, *p->b, p->X_WB).g > -0.5*s->from;
}

double carom_patch_stiff_energy(const caromModel *model, const caromKin *kin, int pair)
{
    Placed p = raised(model, kin, pair);
    caromStiffening s = carom_patch_stiffening(model, pair, CAROM_CONTACT_FACE);
    bool swapped;
    const caromPatchRow *row = carom_patch_row(p.a, p.b, &swapped);
    if (isinf(s.from) || is_shallow(&p, row, &s)) return 0.0;
    return swapped ? row->stiff_energy(p.b, p.X_WB, p.a, p.X_WA, &s) : row->stiff_energy(p.a, p.X_WA, p.b, p.X_WB, &s);
}

static double mean_radius(const caromShape *s)
{
    const caromShapeRow *row = carom_shape_row(s->kind);
    return row->mean_radius ? row->mean_radius(s) : (double)INFINITY;
}

static double series(double a, double b)
{
    return isinf(a) ? b : isinf(b) ? a : a*b/(a + b);
}

double carom_patch_length(const caromModel *model, int pair, caromContactKind kind)
{
    const int *shape = model->pairs[pair].shape;
    const caromShape *a = &model->shapes[shape[0]].shape, *b = &model->shapes[shape[1]].shape;
    if (kind == CAROM_CONTACT_FACE)
        return fmin(carom_field_length_of(a), carom_field_length_of(b));
    return series(mean_radius(a), mean_radius(b));
}
