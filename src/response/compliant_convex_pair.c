// A pair that touches, as parts of a convex function of velocities.
#include <math.h>
#include <string.h>

#include "response/compliant_convex.h"
#include "response/scales.h"

typedef struct Pair {
    const caromConvexStage *stage;
    caromContactPair of;
    const caromKin *kin;        // where its cells were found
    int body[2];
    const caromPairLaw *law;
    caromPatchDamping damping;
    caromPairAction action;
    caromSpatial V;             // of B against A at the centre of pressure, at the guess
    double pressing;            // what resists rolling [N]
} Pair;

typedef struct Share {          // of damping and friction, as contact/forces.c has them
    caromVec3 N;
    double part;                // that goes by this normal
} Share;

// mu fn (or L mu_r fn), v_small (or w_small). size/reg(size) rises up to v_small, and is 1 from there on.
static double force_of_slip(const double *n, double size, double *slope)
{
    double small = n[1], reg = carom_contact_regularized(size, small), x = size/small;
    double bend = size >= small ? 1.0 : 2.0*x - x*x;  // of reg
    *slope = n[0]*fmax(0.0, (reg - size*bend)/(reg*reg));
    return n[0]*size/reg;
}

static caromSpatial relative_at(const caromKin *kin, const int body[2], caromVec3 p)
{
    return (caromSpatial){ carom_sub(kin->V_WC[body[1]].angular, kin->V_WC[body[0]].angular),
                           carom_sub(carom_kin_point_velocity(kin, body[1], p),
                                     carom_kin_point_velocity(kin, body[0], p)) };
}

static caromSpatial along_at(const Pair *pair, caromVec3 p, caromVec3 n)
{
    return (caromSpatial){ carom_cross(carom_sub(p, pair->action.centre), n), n };
}

static double speed_along(const Pair *pair, caromSpatial along)
{
    return carom_dot(along.angular, pair->V.angular) + carom_dot(along.linear, pair->V.linear);
}

// Of contacts that stay, over the elastic force [s/m].
static double lasting_at(const Pair *pair, double approach)
{
    const caromCellDamping *c = &pair->damping.c;
    return c->rest > 0.0 ? c->rest*carom_contact_rest_ratio(pair->of.model, c->fast, approach) : 0.0;
}

// K and p with the force of the cell at its depth. That of a face is the mean over its share of the surface; where the
// share is not told half of what is deepest stands for it.
static caromPress elastic_of(const Pair *pair, const caromCell *cell)
{
    const caromTouch *t = pair->of.touch;
    bool is_point = t->kind == CAROM_CONTACT_POINT;
    double force = carom_contact_normal_elastic(pair->law, t, cell->weight), power = is_point ? t->exponent : 1.0;
    double depth = is_point ? cell->weight : cell->area > 0.0 ? cell->weight/cell->area
                                                              : 0.5*pair->stage->patch->depth;
    return (caromPress){ .depth = depth, .stiffness = depth > 0.0 ? force/pow(depth, power) : 0.0, .power = power };
}

// An impact's damper goes with the force; that of a contact that stays is there whatever presses, as a part of the
// spring's depth: with it guesses agree from where a contact only begins to press.
static bool add_elastic(const Pair *pair, const caromCell *cell, bool is_damped)
{
    caromPress press = elastic_of(pair, cell);
    press.along = along_at(pair, cell->p_W, cell->n_AB);
    double x = speed_along(pair, press.along);
    if (is_damped) press.damping = pair->damping.c.impact;
    if (is_damped) press.delay = lasting_at(pair, -x)*press.depth/press.power;
    press.depth += pair->stage->at->tau*x;
    return carom_potential_add_press(pair->stage->potential, &press);
}

static bool add_damper(const Pair *pair, const caromCell *cell, double force, const Share *by)
{
    caromPress damper = { .along = along_at(pair, cell->p_W, by->N), .power = 1.0, .held = by->part*force };
    damper.held_damping = pair->damping.c.impact + lasting_at(pair, -speed_along(pair, damper.along));
    return !(damper.held*damper.held_damping > 0.0) || carom_potential_add_press(pair->stage->potential, &damper);
}

static caromMat3 across(caromVec3 n)
{
    return carom_mat(carom_axpy(-n.x, n, carom_vec(1, 0, 0)), carom_axpy(-n.y, n, carom_vec(0, 1, 0)),
                     carom_axpy(-n.z, n, carom_vec(0, 0, 1)));
}

static caromMat3 onto(caromVec3 n)
{
    return carom_mat(carom_scale(n.x, n), carom_scale(n.y, n), carom_scale(n.z, n));
}

// M w x r as a matrix on w
static caromMat3 lever_of(caromMat3 M, caromVec3 r)
{
    return carom_mat(carom_mul(M, carom_cross(carom_vec(1, 0, 0), r)),
                     carom_mul(M, carom_cross(carom_vec(0, 1, 0), r)),
                     carom_mul(M, carom_cross(carom_vec(0, 0, 1), r)));
}

static bool add_slip(const Pair *pair, const caromCell *cell, double pressing, caromVec3 N)
{
    double v_small = pair->of.model->settings.v_small;
    caromMat3 M = across(N);
    caromRub rub = { .turn = lever_of(M, carom_sub(cell->p_W, pair->action.centre)), .shift = M,
                     .force = force_of_slip };
    caromVec3 slip = carom_add(carom_mul(rub.turn, pair->V.angular), carom_mul(rub.shift, pair->V.linear));
    rub.numbers[0] = carom_friction_coefficient(pair->law, carom_norm(slip), v_small)*pressing;
    rub.numbers[1] = v_small;
    return !(rub.numbers[0] > 0.0) || carom_potential_add_rub(pair->stage->potential, &rub);
}

// What friction goes by: the elastic force with damping.
static double pressing_of(const Pair *pair, const caromCell *cell, double force, const Share *by)
{
    double approach = -speed_along(pair, along_at(pair, cell->p_W, by->N));
    return by->part*force*(1.0 + carom_damping_part(pair->of.model, &pair->damping.c, approach));
}

// Friction comes behind all that presses.
static bool add_cell(Pair *pair, const caromCell *cell)
{
    bool is_point = pair->of.touch->kind == CAROM_CONTACT_POINT;
    double own = is_point ? 1.0 : pair->damping.own, elastic = carom_contact_normal_elastic(pair->law, pair->of.touch,
                                                                                           cell->weight);
    const Share by[2] = { { pair->damping.normal, 1.0 - own }, { cell->n_AB, own } };
    bool is_along = is_point || carom_dot(cell->n_AB, by[0].N) > 1.0 - CAROM_CONVEX_ALONG;
    bool good = add_elastic(pair, cell, is_along);
    for (int i = 0; i < 2; i++) {
        double force = elastic*fmax(0.0, carom_dot(cell->n_AB, by[i].N));
        if (by[i].part == 0.0) continue;
        if (!is_along) good = good && add_damper(pair, cell, force, &by[i]);
        double pressing = pressing_of(pair, cell, force, &by[i]);
        pair->pressing += pressing;
        if (carom_contact_law_has_friction(pair->law)) good = good && add_slip(pair, cell, pressing, by[i].N);
    }
    return good;
}

// The four cells of a bit of the surface look one way and share its force.
static bool are_one_bit(const caromCell *cells, int left)
{
    if (left < 4 || cells[0].area == 0.0) return false;
    for (int i = 1; i < 4; i++) {
        bool is_same = cells[i].weight == cells[0].weight && cells[i].n_AB.x == cells[0].n_AB.x &&
                       cells[i].n_AB.y == cells[0].n_AB.y && cells[i].n_AB.z == cells[0].n_AB.z;
        if (!is_same) return false;
    }
    return true;
}

static caromCell lumped(const caromCell *cells)
{
    caromVec3 sum = carom_add(carom_add(cells[0].p_W, cells[1].p_W), carom_add(cells[2].p_W, cells[3].p_W));
    return (caromCell){ carom_scale(0.25, sum), cells[0].n_AB, 4.0*cells[0].weight, 4.0*cells[0].area };
}

// Bits that press little are one cell each: what that leaves out is held with the rest.
static bool add_cells(Pair *pair)
{
    const caromPatch *patch = pair->stage->patch;
    double all = 0.0;
    bool good = true;
    for (int i = 0; i < patch->ncell; i++) all += patch->cells[i].weight;
    for (int i = 0; good && i < patch->ncell;) {
        const caromCell *cell = &patch->cells[i];
        bool is_little = are_one_bit(cell, patch->ncell - i) && 4.0*cell->weight < CAROM_CONVEX_LITTLE*all;
        caromCell one = is_little ? lumped(cell) : *cell;
        good = add_cell(pair, &one);
        i += is_little ? 4 : 1;
    }
    return good;
}

static bool add_roll(const Pair *pair, double mu, caromMat3 M)
{
    caromRub rub = { .turn = M, .shift = carom_mat_scale(0.0, M), .force = force_of_slip };
    rub.numbers[0] = pair->of.touch->length*mu*pair->pressing;
    rub.numbers[1] = pair->of.model->settings.w_small;
    return !(rub.numbers[0] > 0.0) || carom_potential_add_rub(pair->stage->potential, &rub);
}

// Rolling and spinning resist by one regularised size, which is each one's own where only one of them turns.
static bool add_rolls(const Pair *pair)
{
    caromVec3 N = pair->damping.normal;
    bool good = true;
    if (pair->law->rolling > 0.0) good = add_roll(pair, pair->law->rolling, across(N));
    if (pair->law->torsion > 0.0) good = good && add_roll(pair, pair->law->torsion, onto(N));
    return good;
}

// Bodies that are apart at the guess may press at the solution: then they are looked at where they pressed before.
static const caromKin *find_cells(const caromConvexStage *s, int pair, const caromTouch *t)
{
    carom_contact_patch(s->model, s->kin, pair, t, s->patch);
    if (s->patch->ncell > 0) return s->kin;
    carom_contact_patch(s->model, s->before, pair, t, s->patch);
    return s->before;
}

// What acts on a body all through the stage.
static void push(const caromConvexStage *s, int body, caromVec3 lever, caromSpatial F)
{
    caromPotentialBody *b = &s->potential->bodies[body];
    if (b->is_held) return;
    const caromLink *link = &s->model->links[s->model->bodies[body].link];
    caromMat3 R = s->kin->links[s->model->bodies[body].link].R;
    caromVec3 torque = carom_add(F.angular, carom_cross(lever, F.linear)),
              turn = carom_mul(R, carom_mul(link->inertia_inv_C, carom_tmul(R, torque)));
    b->free.linear = carom_axpy(s->at->tau/link->mass, F.linear, b->free.linear);
    b->free.angular = carom_axpy(s->at->tau, turn, b->free.angular);
}

// What the forces at the guess are beyond the parts: damping that is bent, pitches of threads, spins of a thread.
static void hold_rest(const Pair *pair, caromConvexHold *hold)
{
    const caromConvexStage *s = pair->stage;
    const caromPotentialContact *c = &s->potential->contacts[hold->contact];
    if (pair->kin != s->kin) return;
    hold->is_known = true;
    memcpy(hold->power, pair->action.power, sizeof hold->power);
    caromSpatial parts = carom_potential_parts(s->potential, c, pair->V, NULL), all = pair->action.on[1];
    all.angular = carom_sub(all.angular, carom_cross(c->lever[1], all.linear));
    hold->more = (caromSpatial){ carom_axpy(-1.0/s->at->tau, parts.angular, all.angular),
                                 carom_axpy(-1.0/s->at->tau, parts.linear, all.linear) };
    push(s, c->body[1], c->lever[1], hold->more);
    push(s, c->body[0], c->lever[0], (caromSpatial){ carom_neg(hold->more.angular), carom_neg(hold->more.linear) });
}

static bool add_contact(Pair *pair)
{
    caromPotentialContact contact = { .body = { pair->body[0], pair->body[1] } };
    for (int side = 0; side < 2; side++)
        contact.lever[side] = carom_sub(pair->action.centre, pair->kin->p_WC[pair->body[side]]);
    return carom_potential_add_contact(pair->stage->potential, &contact);
}

static Pair pair_of(const caromConvexStage *s, int number, const caromTouch *touch, const caromKin *kin)
{
    const caromModel *m = s->model;
    const int *shape = m->pairs[number].shape;
    Pair pair = { .stage = s, .of = { m, touch, number, s->at->t, NULL }, .kin = kin,
                  .body = { m->shapes[shape[0]].body, m->shapes[shape[1]].body },
                  .law = carom_model_law_of(m, number) };
    pair.damping = carom_contact_damping(&pair.of, kin, s->patch);
    pair.action = carom_contact_action(&pair.of, kin, s->patch, NULL, NULL);
    pair.V = relative_at(kin, pair.body, pair.action.centre);
    return pair;
}

bool carom_compliant_convex_add(const caromConvexStage *s, int number, caromConvexHold *hold)
{
    const caromTouch *touch = &s->system->world.memory.touch[number];
    const caromKin *kin = find_cells(s, number, touch);
    *hold = (caromConvexHold){ .contact = -1 };
    if (s->patch->ncell == 0) return true;
    Pair pair = pair_of(s, number, touch, kin);
    hold->contact = s->potential->ncontact;
    bool good = add_contact(&pair) && add_cells(&pair);
    hold->first_roll = s->potential->nrub;
    good = good && add_rolls(&pair);
    if (good) hold_rest(&pair, hold);
    return good;
}
