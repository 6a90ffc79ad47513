// A part of a model that is a model itself. Bodies, shapes, pairs and links stand in the order of the whole.
#include <stdlib.h>

#include "base/base.h"
#include "islands/island.h"

bool carom_island_plan_alloc(const caromModel *whole, caromIslandPlan *plan)
{
    size_t nshape = (size_t)whole->nshape, nbody = (size_t)whole->nbody, nlink = (size_t)whole->nlink;
    *plan = (caromIslandPlan){ .whole = whole,
                         .row = carom_alloc_array(nshape + 1, sizeof *plan->row),
                         .local_body = carom_alloc_array(nbody, sizeof *plan->local_body),
                         .local_shape = carom_alloc_array(nshape, sizeof *plan->local_shape),
                         .local_link = carom_alloc_array(nlink, sizeof *plan->local_link) };
    if (!plan->row || !plan->local_body || !plan->local_shape || !plan->local_link) return false;
    for (int pair = 0; pair < whole->npair; pair++) plan->row[whole->pairs[pair].shape[0] + 1]++;
    for (int i = 0; i < whole->nshape; i++) {
        plan->row[i + 1] += plan->row[i];
        plan->local_shape[i] = -1;
    }
    for (int i = 0; i < whole->nbody; i++) plan->local_body[i] = -1;
    return true;
}

void carom_island_plan_free(caromIslandPlan *plan)
{
    free(plan->row);
    free(plan->local_body);
    free(plan->local_shape);
    free(plan->local_link);
    *plan = (caromIslandPlan){ 0 };
}

// Pairs stand by their first shape, then by their second.
int carom_island_plan_pair(const caromIslandPlan *plan, int shape_a, int shape_b)
{
    int first = shape_a < shape_b ? shape_a : shape_b, second = shape_a < shape_b ? shape_b : shape_a;
    int low = plan->row[first], end = plan->row[first + 1], high = end;
    while (low < high) {
        int middle = low + (high - low)/2;
        if (plan->whole->pairs[middle].shape[1] < second) low = middle + 1;
        else high = middle;
    }
    return low < end && plan->whole->pairs[low].shape[1] == second ? low : -1;
}

// What time alone moves belongs to all, as what is fixed does; but one of them owns it.
static bool has_link(const caromModel *whole, int link, const int *owner, int id)
{
    return owner[link] == id || carom_model_is_led(whole->links, link);
}

// What is fixed belongs to all: it is touched, or holds a spring.
static bool is_part(const caromModel *whole, const caromBody *body, const int *owner, int id)
{
    return body->link >= 0 ? has_link(whole, body->link, owner, id) : body->nshape > 0 || whole->nspring > 0;
}

// Does a body that is in the part move there, or is it held by what the part does not own?
static bool is_own(const caromModel *whole, int body, const int *owner, int id)
{
    int link = body >= 0 ? whole->bodies[body].link : -1;
    return link >= 0 && owner[link] == id;
}

// Numbers of bodies and shapes in the part.
static void number(caromIslandPlan *plan, const int *owner, int id, caromModel *m)
{
    const caromModel *whole = plan->whole;
    for (int k = 0; k < whole->nbody; k++) {
        const caromBody *b = &whole->bodies[k];
        if (!is_part(whole, b, owner, id)) continue;
        plan->local_body[k] = m->nbody++;
        for (int i = b->first_shape; i < b->first_shape + b->nshape; i++) plan->local_shape[i] = m->nshape++;
    }
    for (int k = 0; k < whole->nlink; k++) if (has_link(whole, k, owner, id)) m->nlink++;
}

static void forget_numbers(caromIslandPlan *plan, const caromIslandModel *part)
{
    for (int k = 0; k < part->model.nbody; k++) plan->local_body[part->body[k]] = -1;
    for (int k = 0; k < part->model.nshape; k++) plan->local_shape[part->shape[k]] = -1;
}

static void list_bodies(const caromIslandPlan *plan, const int *owner, int id, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    for (int k = 0; k < whole->nbody; k++) {
        if (!is_part(whole, &whole->bodies[k], owner, id)) continue;
        part->body[plan->local_body[k]] = k;
        for (int i = whole->bodies[k].first_shape; i < whole->bodies[k].first_shape + whole->bodies[k].nshape; i++)
            part->shape[plan->local_shape[i]] = i;
    }
}

static void copy_bodies(const caromIslandPlan *plan, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    caromModel *m = &part->model;
    for (int k = 0; k < m->nbody; k++) {
        m->bodies[k] = whole->bodies[part->body[k]];
        if (m->bodies[k].nshape > 0) m->bodies[k].first_shape = plan->local_shape[m->bodies[k].first_shape];
    }
    for (int k = 0; k < m->nshape; k++) {
        m->shapes[k] = whole->shapes[part->shape[k]];
        m->shapes[k].body = plan->local_body[m->shapes[k].body];
        if (m->shapes[k].stands_for >= 0) m->shapes[k].stands_for = plan->local_shape[m->shapes[k].stands_for];
    }
}

static void copy_links(const caromIslandPlan *plan, const int *owner, int id, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    caromModel *m = &part->model;
    int at = 0;
    m->nq = m->nv = m->ns = 0;
    for (int k = 0; k < whole->nlink; k++) {
        if (!has_link(whole, k, owner, id)) continue;
        caromLink *link = &m->links[at];
        *link = whole->links[k];
        if (owner[k] != id) link->mass = 0.0, link->inertia_M = (caromMat3){ 0 };  // it counts where it is owned
        link->body = plan->local_body[link->body];
        if (link->parent >= 0) link->parent = plan->local_link[link->parent];  // stands before it
        link->is = m->ns;
        m->ns += link->nv;
        m->bodies[link->body].link = at;
        plan->local_link[k] = at;
        part->link[at++] = k;
        if (link->iv < 0) continue;
        link->iq = m->nq;
        link->iv = m->nv;
        m->nq += link->nq;
        m->nv += link->nv;
    }
}

static void copy_limits(const caromIslandPlan *plan, const int *owner, int id, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    caromModel *m = &part->model;
    m->nlimit = 0;
    for (int k = 0; k < whole->nlimit; k++) {
        if (owner[whole->limits[k].link] != id) continue;
        part->limit[m->nlimit] = k;
        m->limits[m->nlimit] = whole->limits[k];
        m->limits[m->nlimit++].link = plan->local_link[whole->limits[k].link];
    }
}

// Those that pull at bodies that the part owns: what they tie is in one part.
static void copy_springs(const caromIslandPlan *plan, const int *owner, int id, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    caromModel *m = &part->model;
    m->nspring = 0;
    for (int k = 0; k < whole->nspring; k++) {
        caromModelSpring spring = whole->springs[k];
        bool pulls = false, is_here = true;
        for (int i = 0; i < 2; i++) {
            int body = spring.body[i];
            if (body < 0) continue;
            spring.body[i] = plan->local_body[body];
            pulls = pulls || is_own(whole, body, owner, id);
            is_here = is_here && spring.body[i] >= 0;
        }
        if (!pulls || !is_here) continue;
        part->spring[m->nspring] = k;
        m->springs[m->nspring++] = spring;
    }
}

// All have the numbers of the whole; those that are not in the part carry nothing.
static void copy_joints(const caromIslandPlan *plan, const int *owner, int id, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    for (int k = 0; k < whole->njoint; k++) {
        caromModelJoint *joint = &part->model.joints[k];
        *joint = whole->joints[k];
        if (joint->link >= 0) joint->link = owner[joint->link] == id ? plan->local_link[joint->link] : -1;
    }
}

// Those that act on bodies that the part owns.
static void copy_forces(const caromIslandPlan *plan, const int *owner, int id, caromIslandModel *part)
{
    const caromModel *whole = plan->whole;
    caromModel *m = &part->model;
    m->nforce = 0;
    for (int k = 0; k < whole->nforce; k++) {
        int body = plan->local_body[whole->forces[k].body];
        if (!is_own(whole, whole->forces[k].body, owner, id)) continue;
        m->forces[m->nforce] = whole->forces[k];
        m->forces[m->nforce++].body = body;
    }
}

// Counts, or lists where there is room. Only those that a body which the part owns is of.
static int list_pairs(const caromIslandPlan *plan, const int *owner, int id, const caromIslandModel *part,
                      caromModelPair *pairs)
{
    const caromModel *whole = plan->whole;
    int count = 0;
    for (int a = 0; a < part->model.nshape; a++) {
        int shape = part->shape[a];
        for (int pair = plan->row[shape]; pair < plan->row[shape + 1]; pair++) {
            int other = whole->pairs[pair].shape[1], b = plan->local_shape[other];
            bool is_here = is_own(whole, whole->shapes[shape].body, owner, id) ||
                           is_own(whole, whole->shapes[other].body, owner, id);
            if (b < 0 || !is_here) continue;
            if (pairs) {
                pairs[count] = whole->pairs[pair];
                pairs[count].shape[0] = a;
                pairs[count].shape[1] = b;
                part->pair[count] = pair;
            }
            count++;
        }
    }
    return count;
}

static bool make_room(const caromModel *whole, caromIslandModel *part)
{
    caromModel *m = &part->model;
    size_t nbody = (size_t)m->nbody, nshape = (size_t)m->nshape, nlink = (size_t)m->nlink;
    m->bodies = carom_alloc_array(nbody, sizeof *m->bodies);
    m->shapes = carom_alloc_array(nshape, sizeof *m->shapes);
    m->links = carom_alloc_array(nlink, sizeof *m->links);
    m->forces = carom_alloc_array((size_t)whole->nforce, sizeof *m->forces);
    m->joints = carom_alloc_array((size_t)whole->njoint, sizeof *m->joints);
    m->limits = carom_alloc_array((size_t)whole->nlimit, sizeof *m->limits);
    m->springs = carom_alloc_array((size_t)whole->nspring, sizeof *m->springs);
    part->body = carom_alloc_array(nbody, sizeof *part->body);
    part->shape = carom_alloc_array(nshape, sizeof *part->shape);
    part->link = carom_alloc_array(nlink, sizeof *part->link);
    part->limit = carom_alloc_array((size_t)whole->nlimit, sizeof *part->limit);
    part->spring = carom_alloc_array((size_t)whole->nspring, sizeof *part->spring);
    return m->bodies && m->shapes && m->links && m->joints && m->forces && m->limits && m->springs && part->body &&
           part->shape && part->link && part->limit && part->spring;
}

caromIslandModel *carom_island_model_create(caromIslandPlan *plan, const int *owner, int id)
{
    caromIslandModel *part = calloc(1, sizeof *part);
    if (!part) return NULL;
    caromModel *m = &part->model;
    *m = *plan->whole;
    m->nbody = m->nshape = m->nlink = m->npair = 0;
    m->bodies = NULL;
    m->shapes = NULL;
    m->links = NULL;
    m->pairs = NULL;
    m->joints = NULL;
    m->forces = NULL;
    m->limits = NULL;
    m->springs = NULL;
    number(plan, owner, id, m);
    bool good = make_room(plan->whole, part);
    if (good) {
        list_bodies(plan, owner, id, part);
        copy_bodies(plan, part);
        copy_links(plan, owner, id, part);
        copy_joints(plan, owner, id, part);
        copy_limits(plan, owner, id, part);
        copy_forces(plan, owner, id, part);
        copy_springs(plan, owner, id, part);
        m->npair = list_pairs(plan, owner, id, part, NULL);
        m->pairs = carom_alloc_array((size_t)m->npair, sizeof *m->pairs);
        part->pair = carom_alloc_array((size_t)m->npair, sizeof *part->pair);
        good = m->pairs && part->pair;
        if (good) list_pairs(plan, owner, id, part, m->pairs);
        forget_numbers(plan, part);
    } else {
        for (int k = 0; k < plan->whole->nbody; k++) plan->local_body[k] = -1;
        for (int k = 0; k < plan->whole->nshape; k++) plan->local_shape[k] = -1;
    }
    if (good) return part;
    carom_island_model_destroy(part);
    return NULL;
}

void carom_island_model_destroy(caromIslandModel *part)
{
    if (!part) return;
    free(part->model.bodies);
    free(part->model.shapes);
    free(part->model.links);
    free(part->model.pairs);
    free(part->model.joints);
    free(part->model.forces);
    free(part->model.limits);
    free(part->model.springs);
    free(part->limit);
    free(part->spring);
    free(part->link);
    free(part->body);
    free(part->shape);
    free(part->pair);
    free(part);
}
