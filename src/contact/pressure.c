// How the force of a pair lies over the surface on which its faces press.
//
// A bit of the surface at depth d presses with k d (1 + max(c d', -1)), as its cells do (forces.c): k d by its own depth, the rest from the damper of the
// whole patch, along the mean normal N, at the speed d' with which the bodies approach there.
#include "contact/contact.h"

typedef struct Press {
    const caromKin *kin;
    const caromTouch *touch;
    int body_a, body_b;
    caromVec3 N;       // mean normal
    double c;          // damper over elastic force [s/m]
    double scale;      // of polygons, see sum_polygon
    double sum;        // integral of p (n . N) [N]
    int n;             // bits
    caromPressureVisitor visit;
    void *user;
} Press;

static double damped(const Press *s, caromVec3 p_W)
{
    caromVec3 v = carom_sub(carom_kin_point_velocity(s->kin, s->body_b, p_W), carom_kin_point_velocity(s->kin, s->body_a, p_W));
    return 1.0 + fmax(-s->c*carom_dot(v, s->N), -1.0);
}

static double corner_pressure(const Press *s, const caromPolygon *polygon, int k)
{
    return s->touch->stiffness*polygon->depth[k]*damped(s, polygon->corners_W[k]);
}

// Integral of the linear interpolation of corner values over a plane polygon.
static double integral(const caromPressure *bit)
{
    double sum = 0.0;
    for (int k = 1; k + 1 < bit->n; k++) {
        caromVec3 twice_area = carom_cross(carom_sub(bit->corners_W[k], bit->corners_W[0]), carom_sub(bit->corners_W[k + 1], bit->corners_W[0]));
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

// Between corners k d (1 + c d') is quadratic where bodies turn against each other, and what is reported is linear: all of it is scaled so that its integral is the
// force that acts.
static void sum_polygon(const caromPolygon *polygon, void *user)
{
    Press *s = user;
    caromPressure bit = bit_of(s, polygon);
    s->sum += bit.force*carom_dot(bit.n_AB, s->N);
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
        bit.force = carom_normal_elastic(law, s->touch, cell->weight)*damped(s, cell->p_W);
        s->n++;
        s->visit(&bit, s->user);
    }
}

static caromVec3 elastic_force(const caromPairLaw *law, const caromTouch *touch, const caromPatch *patch)
{
    caromVec3 sum = { 0, 0, 0 };
    for (int i = 0; i < patch->ncell; i++) sum = carom_axpy(carom_normal_elastic(law, touch, patch->cells[i].weight), patch->cells[i].n_AB, sum);
    return sum;
}

int carom_contact_pressure(const caromModel *model, const caromKin *kin, const caromModes *modes, double time, const caromContact *contact, caromPressureVisitor visit,
                           void *user)
{
    int pair = contact->pair;
    const caromTouch *touch = &modes->touch[pair];
    const caromPairLaw *law = carom_law_of(model, pair);
    caromPatch patch;
    if (!modes->is_active[pair] || touch->kind != CAROM_CONTACT_FACE) return 0;
    carom_collide_patch(model, kin, pair, &patch);
    double elastic = carom_norm(elastic_force(law, touch, &patch));
    if (!(elastic > 0.0)) return 0;
    const int *shape = model->pairs[pair].shape;
    Press s = { .kin = kin, .touch = touch, .body_a = model->shapes[shape[0]].body, .body_b = model->shapes[shape[1]].body, .N = contact->n_AB,
                .c = carom_normal_damper(model, law, touch, time, elastic, patch.depth)/elastic, .scale = 1.0, .visit = visit, .user = user };
    if (!carom_collide_surface(model, kin, pair, sum_polygon, &s)) {
        visit_cells(&s, law, &patch);
        return s.n;
    }
    if (s.sum < 0.5*contact->fn) {  // deep where the damper lets go, shallow where it does not: corners tell little of that
        s.c = s.sum = 0.0;
        carom_collide_surface(model, kin, pair, sum_polygon, &s);
    }
    s.scale = s.sum > 0.0 ? contact->fn/s.sum : 0.0;
    carom_collide_surface(model, kin, pair, visit_polygon, &s);
    return s.n;
}
