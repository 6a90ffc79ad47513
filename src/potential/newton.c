// The minimum: Newton's method, with the slope of the function along each step as the judge of it.
#include "potential/potential.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "potential/scales.h"

// ---- memory

// Keeps what is there. NULL: out of memory, and it is as it was.
static void *grown(void *memory, size_t *room, int n, size_t size)
{
    if ((size_t)n <= *room) return memory;
    size_t wanted = 2*(size_t)n;
    void *larger = realloc(memory, wanted*size);
    if (larger) *room = wanted;
    return larger;
}

static bool grow_bodies(caromPotential *p, int nbody)
{
    if ((size_t)nbody <= p->room_bodies) return true;
    size_t room = 2*(size_t)nbody;
    free(p->bodies), free(p->node), free(p->V), free(p->scale), free(p->step), free(p->slope);
    p->bodies = carom_alloc_array(room, sizeof *p->bodies);
    p->node = carom_alloc_array(room, sizeof *p->node);
    p->V = carom_alloc_array(room, sizeof *p->V);
    p->scale = carom_alloc_array(6*room, sizeof *p->scale);
    p->step = carom_alloc_array(6*room, sizeof *p->step);
    p->slope = carom_alloc_array(6*room, sizeof *p->slope);
    bool good = p->bodies && p->node && p->V && p->scale && p->step && p->slope;
    p->room_bodies = good ? room : 0;
    return good;
}

bool carom_potential_begin(caromPotential *p, int nbody)
{
    p->ncontact = p->npress = p->nrub = 0;
    p->nbody = nbody;
    if (!grow_bodies(p, nbody)) return false;
    memset(p->bodies, 0, (size_t)nbody*sizeof *p->bodies);
    return true;
}

bool carom_potential_add_contact(caromPotential *p, const caromPotentialContact *contact)
{
    void *memory = grown(p->contacts, &p->room_contacts, p->ncontact + 1, sizeof *contact);
    if (!memory) return false;
    p->contacts = memory;
    caromPotentialContact *c = &p->contacts[p->ncontact++];
    *c = *contact;
    c->press = p->npress;
    c->rub = p->nrub;
    c->npress = c->nrub = 0;
    return true;
}

bool carom_potential_add_press(caromPotential *p, const caromPress *press)
{
    void *memory = grown(p->press, &p->room_press, p->npress + 1, sizeof *press);
    if (!memory) return false;
    p->press = memory;
    p->press[p->npress++] = *press;
    p->contacts[p->ncontact - 1].npress++;
    return true;
}

bool carom_potential_add_rub(caromPotential *p, const caromRub *rub)
{
    void *memory = grown(p->rub, &p->room_rub, p->nrub + 1, sizeof *rub);
    if (!memory) return false;
    p->rub = memory;
    p->rub[p->nrub] = *rub;
    carom_potential_set_squares(&p->rub[p->nrub++]);
    p->contacts[p->ncontact - 1].nrub++;
    return true;
}

void carom_potential_free(caromPotential *p)
{
    free(p->bodies), free(p->node), free(p->V), free(p->scale), free(p->step), free(p->slope);
    free(p->contacts), free(p->press), free(p->rub);
    carom_blocks_free(&p->H);
    carom_block_lu_free(&p->lu);
    *p = (caromPotential){ 0 };
}

// ---- which bodies know each other

static int number_nodes(caromPotential *p)
{
    int n = 0;
    for (int i = 0; i < p->nbody; i++) p->node[i] = p->bodies[i].is_held ? -1 : n++;
    return n;
}

bool carom_potential_prepare(caromPotential *p)
{
    int n = number_nodes(p), count = 0;
    int *size = carom_alloc_array((size_t)n + 1, sizeof *size);
    caromBlockPlace *places = carom_alloc_array(2*(size_t)p->ncontact + 1, sizeof *places);
    bool good = size && places;
    for (int i = 0; good && i < n; i++) size[i] = 6;
    for (int i = 0; good && i < p->ncontact; i++) {
        int a = p->node[p->contacts[i].body[0]], b = p->node[p->contacts[i].body[1]];
        if (a < 0 || b < 0) continue;
        places[count++] = (caromBlockPlace){ a, b };
        places[count++] = (caromBlockPlace){ b, a };
    }
    good = good && carom_blocks_shape(&p->H, n, size, count, places) && carom_block_lu_analyse(&p->lu, &p->H);
    free(size);
    free(places);
    return good;
}

// ---- velocities

static caromSpatial at_point(caromSpatial V, caromVec3 lever)
{
    return (caromSpatial){ V.angular, carom_add(V.linear, carom_cross(V.angular, lever)) };
}

static caromSpatial relative(const caromPotential *p, const caromPotentialContact *c)
{
    caromSpatial A = at_point(p->bodies[c->body[0]].V, c->lever[0]), B = at_point(p->bodies[c->body[1]].V, c->lever[1]);
    return (caromSpatial){ carom_sub(B.angular, A.angular), carom_sub(B.linear, A.linear) };
}

static double radius_of_inertia(const caromPotentialBody *b)
{
    return sqrt((b->inertia.cx.x + b->inertia.cy.y + b->inertia.cz.z)/(3.0*b->mass));
}

static void set_scales(caromPotential *p)
{
    for (int i = 0; i < p->nbody; i++) {
        if (p->node[i] < 0) continue;
        double root = sqrt(p->bodies[i].mass), *scale = p->scale + 6L*p->node[i];
        for (int k = 0; k < 6; k++) scale[k] = k < 3 ? root*radius_of_inertia(&p->bodies[i]) : root;
    }
}

// V + part step. The sizes of steps count angular velocities at the radius of inertia.
static void move(caromPotential *p, double part)
{
    for (int i = 0; i < p->nbody; i++) {
        if (p->node[i] < 0) continue;
        const double *d = p->step + 6L*p->node[i], *s = p->scale + 6L*p->node[i];
        caromVec3 w = carom_vec(d[0]/s[0], d[1]/s[1], d[2]/s[2]), v = carom_vec(d[3]/s[3], d[4]/s[4], d[5]/s[5]);
        p->bodies[i].V = (caromSpatial){ carom_axpy(part, w, p->V[i].angular), carom_axpy(part, v, p->V[i].linear) };
    }
}

static double size_of_step(const caromPotential *p)
{
    double most = 0.0;
    for (int i = 0; i < p->nbody; i++) {
        if (p->node[i] < 0) continue;
        const double *d = p->step + 6L*p->node[i];
        double sum = 0.0;
        for (int k = 0; k < 6; k++) sum += d[k]*d[k];
        most = fmax(most, sqrt(sum/p->bodies[i].mass));
    }
    return most;
}

// ---- slope and matrix

static void take(caromSpatial F, double part, const double *scale, double *to)
{
    const double f[6] = { F.angular.x, F.angular.y, F.angular.z, F.linear.x, F.linear.y, F.linear.z };
    for (int k = 0; k < 6; k++) to[k] += part*f[k]/scale[k];
}

typedef struct Side {      // of a contact, on a body that is not held
    int node;
    caromVec3 lever;
    const double *scale;
} Side;

static Side side_of(const caromPotential *p, const caromPotentialContact *c, int side)
{
    int node = p->node[c->body[side]];
    return (Side){ node, c->lever[side], node >= 0 ? p->scale + 6L*node : NULL };
}

// to += part L_a^T G L_b, rows and columns scaled; L of a lever r takes a twist to the point: (w, v + w x r).
static void add_block(const double G[36], const Side *a, const Side *b, double part, double *to)
{
    caromVec3 ra = a->lever, rb = b->lever;
    const double A[9] = { 0, ra.z, -ra.y, -ra.z, 0, ra.x, ra.y, -ra.x, 0 },
                 B[9] = { 0, rb.z, -rb.y, -rb.z, 0, rb.x, rb.y, -rb.x, 0 };
    double right[36], both[36];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = G[6*i + j];
            for (int k = 0; j < 3 && k < 3; k++) sum += G[6*i + 3 + k]*B[3*k + j];
            right[6*i + j] = sum;
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = right[6*i + j];
            for (int k = 0; i < 3 && k < 3; k++) sum += A[3*k + i]*right[6*(3 + k) + j];
            both[6*i + j] = sum;
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) to[6*i + j] += part*both[6*i + j]/(a->scale[i]*b->scale[j]);
}

static void add_body(caromPotential *p, int i, bool has_matrix)
{
    const caromPotentialBody *b = &p->bodies[i];
    const double *scale = p->scale + 6L*p->node[i];
    caromSpatial off = { carom_mul(b->inertia, carom_sub(b->V.angular, b->free.angular)),
                         carom_scale(b->mass, carom_sub(b->V.linear, b->free.linear)) };
    take(off, 1.0, scale, p->slope + 6L*p->node[i]);
    if (!has_matrix) return;
    double *to = carom_blocks_find(&p->H, p->node[i], p->node[i]);
    const caromVec3 column[3] = { b->inertia.cx, b->inertia.cy, b->inertia.cz };
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) to[6*r + c] += carom_at(column[c], r)/(scale[r]*scale[c]);
    for (int k = 0; k < 6; k++) to[7*k] += k < 3 ? -1.0 : 0.0;  // mass over its own scale is 1
}

static void add_contact(caromPotential *p, caromPotentialContact *c, bool has_matrix)
{
    double G[36];
    c->impulse = carom_potential_parts(p, c, relative(p, c), has_matrix ? G : NULL);
    const Side sides[2] = { side_of(p, c, 0), side_of(p, c, 1) };
    for (int k = 0; k < 2; k++) {
        const Side *on = &sides[k];
        if (on->node < 0) continue;
        caromSpatial F = { carom_add(c->impulse.angular, carom_cross(on->lever, c->impulse.linear)),
                           c->impulse.linear };
        take(F, k ? -1.0 : 1.0, on->scale, p->slope + 6L*on->node);
        for (int l = 0; has_matrix && l < 2; l++) {
            if (sides[l].node < 0) continue;
            add_block(G, on, &sides[l], k == l ? 1.0 : -1.0, carom_blocks_find(&p->H, on->node, sides[l].node));
        }
    }
}

// The slope at V, and the matrix.
static void look(caromPotential *p, bool has_matrix)
{
    memset(p->slope, 0, (size_t)p->H.n*6*sizeof *p->slope);
    if (has_matrix) carom_blocks_clear(&p->H);
    for (int i = 0; i < p->nbody; i++) if (p->node[i] >= 0) add_body(p, i, has_matrix);
    for (int i = 0; i < p->ncontact; i++) add_contact(p, &p->contacts[i], has_matrix);
}

static double slope_along(const caromPotential *p)
{
    double sum = 0.0;
    for (int i = 0; i < 6*p->H.n; i++) sum += p->step[i]*p->slope[i];
    return sum;
}

// ---- a step

// Where the slope along the step, below 0 at its start, is a small part of that: it rises all along. Regula falsi of
// which neither end stays for ever (Illinois).
static void search(caromPotential *p, double at_start, double at_end)
{
    double low = 0.0, high = 1.0, at_low = at_start, at_high = at_end, part = 1.0;
    for (int i = 0; i < CAROM_POTENTIAL_TRIALS; i++) {
        part = (low*at_high - high*at_low)/(at_high - at_low);
        move(p, part);
        look(p, false);
        double here = slope_along(p);
        if (fabs(here) <= CAROM_POTENTIAL_FLAT*fabs(at_start)) break;
        if (here > 0.0) {
            high = part, at_high = here;
            at_low *= 0.5;
        } else {
            low = part, at_low = here;
            at_high *= 0.5;
        }
    }
}

// From V with its slope and matrix. False: it is where it was.
static bool take_step(caromPotential *p, caromPotentialResult *r)
{
    if (!carom_block_lu_factor(&p->lu, &p->H, -1.0)) return false;
    for (int i = 0; i < 6*p->H.n; i++) p->step[i] = -p->slope[i];
    carom_block_lu_solve(&p->lu, p->step);
    for (int i = 0; i < p->nbody; i++) p->V[i] = p->bodies[i].V;
    double at_start = slope_along(p);
    if (!(at_start < 0.0)) {
        r->left = 0.0;
        return true;
    }
    r->left = size_of_step(p);
    move(p, 1.0);
    look(p, true);  // the next step asks for it, where this one is taken whole
    double at_end = slope_along(p);
    if (at_end > -CAROM_POTENTIAL_FLAT*at_start) {
        r->searches++;
        search(p, at_start, at_end);
        look(p, true);
    }
    return true;
}

// At a given softness; at most so many steps. False: the matrix has no factors, or a number is not finite.
static bool approach(caromPotential *p, double softness, int most, double enough, caromPotentialResult *r)
{
    p->softness = softness;
    look(p, true);
    r->is_found = false;
    for (int i = 0; i < most && !r->is_found; i++) {
        if (!take_step(p, r)) return false;
        r->iterations++;
        if (!isfinite(r->left)) return false;
        r->is_found = r->left <= enough;
    }
    return true;
}

// Friction that turns round over a small part of the slip makes Newton's steps miss the turn, now on one side, now on
// the other. Then it is made to turn over more of the slip at first, and less and less.
caromPotentialResult carom_potential_solve(caromPotential *p, double enough)
{
    caromPotentialResult r = { 0 };
    for (int i = 0; i < p->nbody; i++) if (p->node[i] < 0) p->bodies[i].V = p->bodies[i].free;
    set_scales(p);
    if (!approach(p, 1.0, CAROM_POTENTIAL_EAGER, enough, &r) || r.is_found) return r;
    for (double softness = CAROM_POTENTIAL_SOFTEST; softness < 1.0; softness *= CAROM_POTENTIAL_HARDEN)
        if (!approach(p, softness, CAROM_POTENTIAL_SOFT_STEPS, enough, &r)) return r;
    approach(p, 1.0, CAROM_POTENTIAL_ITERATIONS, enough, &r);
    return r;
}
