// How the force of a pair lies over the surface on which its faces press.
//
// A bit of the surface at depth d presses with k d (1 + c d') or not at all, as its cells do (forces.c): k d by its own
// depth, the rest from the damper of the whole patch, at the speed d' with which the bodies approach there along the
// mean normal N; where the surface surrounds a body, along its own normal.
#include "base/scratch.h"
#include "contact/contact.h"

typedef struct Press {
    const caromModel *model;
    const caromKin *kin;
    const caromTouch *touch;
    int body_a, body_b;
    caromPatchDamping damping;
    double scale;      // of polygons, see sum_polygon
    double sum;        // integral of p (n . N) [N]
    int n;             // bits
    caromPressureVisitor visit;
    void *user;
} Press;

static double damped(const Press *s, caromVec3 p_W, caromVec3 n_AB)
{
    const caromPatchDamping *d = &s->damping;
    caromVec3 v = carom_sub(carom_kin_point_velocity(s->kin, s->body_b, p_W),
                            carom_kin_point_velocity(s->kin, s->body_a, p_W));
    caromVec3 w = carom_sub(s->kin->V_WC[s->body_b].angular, s->kin->V_WC[s->body_a].angular);
    double common = carom_damping_part(s->model, &d->c, -carom_dot(carom_axpy(d->pitch, w, v), d->normal)),
           own = carom_damping_part(s->model, &d->c, -carom_dot(v, n_AB));
    return 1.0 + (1.0 - d->own)*common + d->own*own;
}

static double corner_pressure(const Press *s, const caromPolygon *polygon, int k)
{
    return s->touch->stiffness*polygon->depth[k]*damped(s, polygon->corners_W[k], polygon->n_AB);
}

// Integral of the linear interpolation of corner values over a plane polygon.
static double integral(const caromPressure *bit)
{
    double sum = 0.0;
    for (int k = 1; k + 1 < bit->n; k++) {
        caromVec3 twice_area = carom_cross(carom_sub(bit->corners_W[k], bit->corners_W[0]),
                                           carom_sub(bit->corners_W[k + 1], bit->corners_W[0]));
        sum += 0.5*carom_dot(twice_area, bit->n_AB)*(bit->pressure[0] + bit->pressure[k] + bit->pressure[k + 1])/3.0;
    }
    return sum;
}

static caromPressure bit_of(const Press *s, const caromPolygon *polygon)
{
    caromPressure bit = { .n = polygon->n, .n_AB = polygon->n_AB };
    for (int k = 0; k < polygon->n; k++) {
        bit.corners_W[k] = polygon->corners_W[k];
        bit.pressure[k] = s->scale*corner_pressure(s, polygon, k);
    }
    bit.force = integral(&bit);
    return bit;
}

// Between corners k d (1 + c d') is quadratic where bodies turn against each other, and what is reported is linear: all
// of it is scaled so that its integral is the force that acts.
static void sum_polygon(const caromPolygon *polygon, void *user)
{
    Press *s = user;
    caromPressure bit = bit_of(s, polygon);
    s->sum += bit.force*carom_dot(bit.n_AB, s->damping.normal);
}

static void visit_polygon(const caromPolygon *polygon, void *user)
{
    Press *s = user;
    caromPressure bit = bit_of(s, polygon);
    s->n++;
    s->visit(&bit, s->user);
}

static void visit_cells(Press *s, const caromPairLaw *law, const caromPatch *patch)
{
    for (int i = 0; i < patch->ncell; i++) {
        const caromCell *cell = &patch->cells[i];
        caromPressure bit = { .n = 1, .n_AB = cell->n_AB };
        bit.corners_W[0] = cell->p_W;
        bit.force = carom_contact_normal_elastic(law, s->touch, cell->weight)*damped(s, cell->p_W, cell->n_AB);
        s->n++;
        s->visit(&bit, s->user);
    }
}

// Of a pair whose patch has cells.
static int press(Press *s, const caromContactPair *of, const caromPatch *patch, double fn)
{
    const caromModel *model = of->model;
    const caromKin *kin = s->kin;
    int pair = of->pair;
    s->damping = carom_contact_damping(of, kin, patch);
    if (!carom_patch_surface(model, kin, pair, sum_polygon, s)) {
        visit_cells(s, carom_model_law_of(model, pair), patch);
        return s->n;
    }
    // Deep where the damper lets go, shallow where it does not: corners tell little of that.
    if (s->sum < CAROM_CONTACT_PRESSURE_LEAST*fn) {
        s->damping.c = (caromCellDamping){ 0.0, 0.0, 0.0 };
        s->sum = 0.0;
        carom_patch_surface(model, kin, pair, sum_polygon, s);
    }
    s->scale = s->sum > 0.0 ? fn/s->sum : 0.0;
    carom_patch_surface(model, kin, pair, visit_polygon, s);
    return s->n;
}

int carom_contact_pressure(const caromModel *model, const caromContactMemory *memory, const caromContactState *at,
                           const caromContact *contact, caromPressureVisitor visit, void *user)
{
    int pair = contact->pair, n = 0;
    const caromTouch *touch = &memory->touch[pair];
    if (!memory->is_active[pair] || touch->kind != CAROM_CONTACT_FACE) return 0;
    const int *shape = model->pairs[pair].shape;
    caromContactPair of = { .model = model, .touch = touch, .pair = pair, .time = at->time };
    Press s = { .model = model, .kin = at->kin, .touch = touch, .body_a = model->shapes[shape[0]].body,
                .body_b = model->shapes[shape[1]].body, .scale = 1.0, .visit = visit, .user = user };
    void *taken;
    caromPatch *patch = CAROM_SCRATCH_OR_STACK(sizeof *patch, taken);
    carom_contact_patch(model, at->kin, pair, touch, patch);
    if (patch->ncell > 0) n = press(&s, &of, patch, contact->fn);
    carom_scratch_give_back(taken);
    return n;
}
