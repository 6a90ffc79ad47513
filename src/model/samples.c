// Points on surfaces of shapes that press point by point (geometry/samples.h): made once, with the model, for the
// shapes that need them.
//
// Who needs them follows from what there is in patch/table.c: every pair that has no other way there, and those of
// shapes that ask. A pair with a better way than this file knows of has samples that it makes no use of, nothing worse.
// Rigid shapes do not press.
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/builder.h"

static bool is_plane_faced(const caromShape *s)
{
    return s->kind == CAROM_HALF_SPACE || (s->kind == CAROM_BOX && s->rounding == 0.0) ||
           (s->kind == CAROM_POLYTOPE && carom_hull_rounding(s->hull) == 0.0);
}

// Balls and ellipsoids touch in points, a ball also a mesh; round shapes do among themselves; plane faces, a mesh on
// them, and what is curved on a half-space have exact surfaces. A mesh presses into what is no mesh as it is.
static bool has_other_way(const caromShape *a, const caromShape *b)
{
    bool mesh_a = a->kind == CAROM_MESH, mesh_b = b->kind == CAROM_MESH;
    if (mesh_a || mesh_b) return !(mesh_a && mesh_b);
    const caromShapeRow *row_a = carom_shape_row(a->kind), *row_b = carom_shape_row(b->kind);
    if (row_a->touches_in_points || row_b->touches_in_points || (row_a->is_round && row_b->is_round)) return true;
    bool is_on_half_space = a->kind == CAROM_HALF_SPACE ? carom_shape_is_curved(b) : b->kind == CAROM_HALF_SPACE &&
                            carom_shape_is_curved(a);
    return is_on_half_space || (is_plane_faced(a) && is_plane_faced(b));
}

static bool asks(const caromModelShape *s)
{
    return s->samples > 0.0 || s->shape.samples;
}

static void mark(const caromModel *m, bool *needs)
{
    for (int k = 0; k < m->npair; k++) {
        int i = m->pairs[k].shape[0], j = m->pairs[k].shape[1];
        const caromModelShape *a = &m->shapes[i], *b = &m->shapes[j];
        bool presses = !carom_model_response(m)->has_impacts;
        if (!asks(a) && !asks(b) && (!presses || has_other_way(&a->shape, &b->shape))) continue;
        needs[i] = needs[j] = true;
    }
}

// The same dimensions, or the same mesh: then one set of points serves both.
static bool are_alike(const caromModelShape *a, const caromModelShape *b)
{
    if (a->shape.kind != b->shape.kind || carom_shape_row(a->shape.kind)->has_hull || a->samples != b->samples)
        return false;
    caromVec3 x = a->shape.size, y = b->shape.size;
    return a->shape.mesh == b->shape.mesh && x.x == y.x && x.y == y.y && x.z == y.z &&
           a->shape.rounding == b->shape.rounding;
}

static const caromModelShape *alike_before(const caromModel *m, const caromModelShape *s)
{
    for (const caromModelShape *before = m->shapes; before < s; before++)
        if (before->shape.samples && are_alike(s, before)) return before;
    return NULL;
}

static void make(const caromModel *m, caromModelShape *s, caromProblems *problems)
{
    caromError err = { 0 };
    const caromModelShape *before = alike_before(m, s);
    s->shape.samples = before ? carom_shape_samples_copy(before->shape.samples)
                                                      : carom_shape_samples_create(s->shape, s->samples, &err);
    if (s->shape.samples) return;
    char path[2*CAROM_NAME_MAX + 32];
    snprintf(path, sizeof path, "bodies.%s.shapes.%s.samples", m->bodies[s->body].name, s->name);
    carom_problem_add(problems, false, path, "%s", err.message);
}

void carom_model_sample(caromModel *m, caromProblems *problems)
{
    bool *needs = carom_alloc_array((size_t)m->nshape, sizeof *needs);
    if (!needs) carom_problem_add(problems, false, "", "out of memory while the model was built");
    else mark(m, needs);
    for (int i = 0; needs && i < m->nshape; i++) {
        caromModelShape *s = &m->shapes[i];
        if (!needs[i] || s->shape.samples || !carom_shape_is_bounded(s->shape)) continue;
        make(m, s, problems);
        if (!s->shape.samples) break;
    }
    free(needs);
}
