// The table of pairs, and the queries on a model that go through it.
#include <stdio.h>

#include "base/base.h"
#include "collide/collide.h"
#include "geometry/geometry.h"

// Only kind A <= kind B is written; the other half is the mirror.
static const caromPairRow *const rows[CAROM_SHAPE_KINDS][CAROM_SHAPE_KINDS] = {
    [CAROM_SPHERE] = { [CAROM_SPHERE] = &carom_sphere_sphere, [CAROM_BOX] = &carom_sphere_box, [CAROM_HALF_SPACE] = &carom_sphere_half_space },
    [CAROM_BOX] = { [CAROM_BOX] = &carom_box_box, [CAROM_HALF_SPACE] = &carom_box_half_space },
};

static caromGap mirrored(caromGap g)
{
    return (caromGap){ g.g, carom_neg(g.n_AB), g.p_B, g.p_A };
}

typedef struct Sides {  // a pair of the model in the order of its row
    const caromPairRow *row;
    bool swapped;
    int first, second;  // shapes
} Sides;

static Sides sides_of(const caromModel *model, int pair)
{
    const int *shape = model->pairs[pair].shape;
    caromShapeKind a = model->shapes[shape[0]].shape.kind, b = model->shapes[shape[1]].shape.kind;
    if (a > b) return (Sides){ rows[b][a], true, shape[1], shape[0] };
    return (Sides){ rows[a][b], false, shape[0], shape[1] };
}

const caromPairRow *carom_pair_row(const caromModel *model, int pair, bool *swapped)
{
    Sides s = sides_of(model, pair);
    if (swapped) *swapped = s.swapped;
    return s.row;
}

caromGap carom_collide_gap(const caromModel *model, const caromKin *kin, int pair)
{
    Sides s = sides_of(model, pair);
    caromGap g = s.row->gap(model->shapes[s.first].shape.size, kin->X_WS[s.first], model->shapes[s.second].shape.size, kin->X_WS[s.second]);
    return s.swapped ? mirrored(g) : g;
}

double carom_collide_gap_rate(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap)
{
    const int *shape = model->pairs[pair].shape;
    caromVec3 v_A = carom_kin_point_velocity(kin, model->shapes[shape[0]].body, gap->p_A);
    caromVec3 v_B = carom_kin_point_velocity(kin, model->shapes[shape[1]].body, gap->p_B);
    return carom_dot(gap->n_AB, carom_sub(v_B, v_A));
}

static void point_patch(const caromGap *gap, caromPatch *patch)
{
    patch->depth = fmax(0.0, -gap->g);
    patch->ncell = gap->g < 0.0;
    patch->cells[0] = (caromCell){ carom_scale(0.5, carom_add(gap->p_A, gap->p_B)), gap->n_AB, patch->depth };
}

void carom_collide_patch(const caromModel *model, const caromKin *kin, int pair, caromPatch *patch)
{
    Sides s = sides_of(model, pair);
    if (s.row->contact == CAROM_CONTACT_POINT) {
        caromGap gap = carom_collide_gap(model, kin, pair);
        point_patch(&gap, patch);
        return;
    }
    s.row->patch(model->shapes[s.first].shape.size, kin->X_WS[s.first], model->shapes[s.second].shape.size, kin->X_WS[s.second], patch);
    if (!s.swapped) return;
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].n_AB = carom_neg(patch->cells[i].n_AB);
}

double carom_collide_field_energy(const caromModel *model, const caromKin *kin, int pair)
{
    Sides s = sides_of(model, pair);
    return s.row->field_energy(model->shapes[s.first].shape.size, kin->X_WS[s.first], model->shapes[s.second].shape.size, kin->X_WS[s.second]);
}

double carom_collide_length(const caromModel *model, int pair)
{
    Sides s = sides_of(model, pair);
    return s.row->length(model->shapes[s.first].shape.size, model->shapes[s.second].shape.size);
}

static void check_pair(const caromModel *model, const caromKin *kin, int pair, caromProblems *problems)
{
    const caromModelShape *a = &model->shapes[model->pairs[pair].shape[0]], *b = &model->shapes[model->pairs[pair].shape[1]];
    double depth = -carom_collide_gap(model, kin, pair).g;
    double allowed = 0.1*fmin(carom_shape_half_thickness(a->shape), carom_shape_half_thickness(b->shape));
    if (!(depth > allowed)) return;
    const char *later = model->bodies[b->body].name;
    char path[CAROM_NAME_MAX + 32];
    snprintf(path, sizeof path, "bodies.%s.position", later);
    carom_problem_add(problems, false, path, "'%s' starts %.3g m deep inside '%s' (at most %.3g m is taken for a contact): move one of them", later, depth,
                      model->bodies[a->body].name, allowed);
}

void carom_collide_check_start(const caromModel *model, caromProblems *problems)
{
    caromKin kin = { 0 };
    if (!carom_kin_start(model, &kin)) carom_problem_add(problems, false, "", "out of memory");
    else
        for (int pair = 0; pair < model->npair; pair++) check_pair(model, &kin, pair, problems);
    carom_kin_free(&kin);
}
