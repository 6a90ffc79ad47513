#include "response/compliant_structure.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

typedef struct caromStructure Structure;

// ---- trees

static int root_of(const int *parent, int i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

static void tie(int *parent, int i, int j)
{
    int a = root_of(parent, i), b = root_of(parent, j);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

// Links that joints and springs tie together get the same number, in the order of their first links.
static int find_parts(const caromModel *m, int *part)
{
    int count = 0;
    for (int i = 0; i < m->nlink; i++) part[i] = i;
    for (int i = 0; i < m->nlink; i++) if (m->links[i].parent >= 0) tie(part, i, m->links[i].parent);
    for (int k = 0; k < m->nspring; k++) {
        const int *body = m->springs[k].body;
        int a = body[0] >= 0 ? m->bodies[body[0]].link : -1, b = body[1] >= 0 ? m->bodies[body[1]].link : -1;
        if (a >= 0 && b >= 0) tie(part, a, b);
    }
    for (int i = 0; i < m->nlink; i++) part[i] = root_of(part, i);
    // A root stands before all that are tied to it: numbers replace roots from the front.
    for (int i = 0; i < m->nlink; i++) part[i] = part[i] == i ? count++ : part[part[i]];
    return count;
}

static void list_states(Structure *s, const caromModel *m)
{
    int at = 0;
    for (int t = 0; t < s->ntree; t++) {
        caromMechanism *tree = &s->trees[t];
        tree->first = at;
        for (int i = 0; i < m->nlink; i++) {
            const caromLink *link = &m->links[i];
            for (int k = 0; s->part[i] == t && link->iv >= 0 && k < link->nq; k++) s->state[at++] = link->iq + k;
        }
        tree->nq = at - tree->first;
        for (int i = 0; i < m->nlink; i++) {
            const caromLink *link = &m->links[i];
            for (int k = 0; s->part[i] == t && link->iv >= 0 && k < link->nv; k++)
                s->state[at++] = m->nq + link->iv + k;
        }
        tree->nv = at - tree->first - tree->nq;
        if (tree->nq + tree->nv > s->widest) s->widest = tree->nq + tree->nv;
    }
    // Bristles stay where they are.
    for (int i = at; i < carom_motion_states_max(m) - CAROM_LEDGER; i++) s->state[i] = i;
}

// After list_states, which finds the widest tree.
static bool create_scratch(const Structure *s, const caromModel *m, caromStructureScratch *scratch)
{
    size_t ntree = (size_t)s->ntree, nmotion = (size_t)(m->nq + m->nv);
    scratch->F_contact = carom_alloc_array((size_t)m->nbody, sizeof *scratch->F_contact);
    scratch->F_o = carom_alloc_array((size_t)m->nlink, sizeof *scratch->F_o);
    scratch->totals = carom_alloc_array(ntree + 1, sizeof *scratch->totals);
    scratch->totals_base = carom_alloc_array(ntree + 1, sizeof *scratch->totals_base);
    scratch->rate = carom_alloc_array(nmotion, sizeof *scratch->rate);
    scratch->rate_base = carom_alloc_array(nmotion, sizeof *scratch->rate_base);
    scratch->step = carom_alloc_array(ntree, sizeof *scratch->step);
    scratch->chain = carom_alloc_array((size_t)CAROM_SLOPE_ROWS*(size_t)s->widest, sizeof *scratch->chain);
    scratch->x = carom_alloc_array((size_t)carom_motion_states_max(m), sizeof *scratch->x);
    return carom_kin_alloc(m, &scratch->base) && scratch->F_contact && scratch->F_o && scratch->totals &&
           scratch->totals_base && scratch->rate && scratch->rate_base && scratch->step && scratch->chain && scratch->x;
}

static void free_scratch(caromStructureScratch *scratch)
{
    carom_kin_free(&scratch->base);
    free(scratch->F_contact);
    free(scratch->F_o);
    free(scratch->totals);
    free(scratch->totals_base);
    free(scratch->rate);
    free(scratch->rate_base);
    free(scratch->step);
    free(scratch->chain);
    free(scratch->x);
}

Structure *carom_compliant_structure_create(const caromModel *m)
{
    Structure *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t n = (size_t)carom_motion_states_max(m);
    s->part = carom_alloc_array((size_t)m->nlink, sizeof *s->part);
    s->state = carom_alloc_array(n, sizeof *s->state);
    s->lever_of = carom_alloc_array((size_t)m->nbody, sizeof *s->lever_of);
    s->weight = carom_alloc_array(n, sizeof *s->weight);
    s->carrier = carom_alloc_array((size_t)m->nbody, sizeof *s->carrier);
    if (!s->carrier || !s->part || !s->state || !s->lever_of || !s->weight) goto failed;
    s->ntree = find_parts(m, s->part);
    s->trees = carom_alloc_array((size_t)s->ntree, sizeof *s->trees);
    if (!s->trees) goto failed;
    list_states(s, m);
    if (create_scratch(s, m, &s->scratch)) return s;
failed:
    carom_compliant_structure_destroy(s);
    return NULL;
}

void carom_compliant_structure_destroy(Structure *s)
{
    if (!s) return;
    free(s->trees);
    free(s->part);
    free(s->state);
    free(s->active);
    free(s->slot);
    free(s->levers);
    free(s->lever_of);
    free(s->lever_values);
    free(s->slopes);
    carom_blocks_free(&s->J);
    carom_block_lu_free(&s->lu);
    free(s->ledger);
    free(s->weight);
    free(s->carrier);
    free_scratch(&s->scratch);
    free(s);
}

// ---- for the pairs that touch

static bool is_as_before(const Structure *s, const caromContactMemory *memory)
{
    if (!s->is_known || s->nactive != memory->nactive || s->nslot != memory->nslot) return false;
    for (int i = 0; i < s->nactive; i++)
        if (s->active[i] != memory->active[i] || s->slot[i] != memory->touch[memory->active[i]].slot) return false;
    return true;
}

static bool remember(Structure *s, const caromContactMemory *memory)
{
    size_t n = (size_t)memory->nactive + 1;
    if (n > s->room_pairs) {
        free(s->active);
        free(s->slot);
        free(s->slopes);
        s->room_pairs = n + n/2;
        s->active = carom_alloc_array(s->room_pairs, sizeof *s->active);
        s->slot = carom_alloc_array(s->room_pairs, sizeof *s->slot);
        s->slopes = carom_alloc_array(s->room_pairs, sizeof *s->slopes);
    }
    if (!s->active || !s->slot || !s->slopes) {
        s->room_pairs = 0;
        return false;
    }
    s->nactive = memory->nactive;
    s->nslot = memory->nslot;
    for (int i = 0; i < s->nactive; i++) {
        s->active[i] = memory->active[i];
        s->slot[i] = memory->touch[memory->active[i]].slot;
    }
    return true;
}

static int body_of(const caromModel *m, int pair, int side)
{
    return m->shapes[m->pairs[pair].shape[side]].body;
}

static void mark_touched(Structure *s, const caromModel *m)
{
    s->nlever = 0;
    for (int k = 0; k < m->nbody; k++) s->lever_of[k] = -1;
    for (int i = 0; i < s->nactive; i++) {
        for (int side = 0; side < 2; side++) {
            int body = body_of(m, s->active[i], side);
            if (m->bodies[body].link >= 0 && s->lever_of[body] < 0) s->lever_of[body] = s->nlever++;
        }
    }
}

static size_t lever_size(const caromMechanism *tree)
{
    return 12*(size_t)tree->nq + 12*(size_t)tree->nv;
}

static double *take(double **from, int count)
{
    double *values = *from;
    *from += count;
    return values;
}

static bool has_room_for_levers(Structure *s, size_t count, size_t values)
{
    if (count > s->room_levers) {
        free(s->levers);
        s->levers = carom_alloc_array(count, sizeof *s->levers);
        s->room_levers = s->levers ? count : 0;
    }
    if (values > s->room_values) {
        free(s->lever_values);
        s->lever_values = carom_alloc_array(values, sizeof *s->lever_values);
        s->room_values = s->lever_values ? values : 0;
    }
    return count <= s->room_levers && values <= s->room_values;
}

// Levers tree by tree, in the order of links.
static bool make_levers(Structure *s, const caromModel *m)
{
    mark_touched(s, m);
    size_t values = 0;
    for (int i = 0; i < m->nlink; i++)
        if (s->lever_of[m->links[i].body] >= 0) values += lever_size(&s->trees[s->part[i]]);
    if (!has_room_for_levers(s, (size_t)s->nlever, values)) return false;
    for (int t = 0; t < s->ntree; t++) s->trees[t].nlever = 0;
    for (int i = 0; i < m->nlink; i++) if (s->lever_of[m->links[i].body] >= 0) s->trees[s->part[i]].nlever++;
    int first = 0;
    s->levers_each = 0;
    for (int t = 0; t < s->ntree; t++) {
        s->trees[t].lever = first;
        first += s->trees[t].nlever;
        if (s->trees[t].nlever > s->levers_each) s->levers_each = s->trees[t].nlever;
        s->trees[t].nlever = 0;
    }
    double *at = s->lever_values;
    for (int i = 0; i < m->nlink; i++) {
        int body = m->links[i].body;
        if (s->lever_of[body] < 0) continue;
        caromMechanism *tree = &s->trees[s->part[i]];
        int k = s->lever_of[body] = tree->lever + tree->nlever++;
        s->levers[k] = (caromLever){ .body = body, .tree = s->part[i] };
        s->levers[k].pose = take(&at, 6*tree->nq);
        s->levers[k].velocity_q = take(&at, 6*tree->nq);
        s->levers[k].velocity_v = take(&at, 6*tree->nv);
        s->levers[k].response = take(&at, 6*tree->nv);
    }
    return true;
}

static bool is_led(const caromModel *m, int body)
{
    return m->bodies[body].link >= 0 && carom_model_is_led(m->links, m->bodies[body].link);
}

// From body to body over the pairs that touch, until no more are found.
static void find_carriers(Structure *s, const caromModel *m)
{
    for (int k = 0; k < m->nbody; k++) s->carrier[k] = is_led(m, k) ? k : -1;
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < s->nactive; i++) {
            for (int side = 0; side < 2; side++) {
                int body = body_of(m, s->active[i], side), other = body_of(m, s->active[i], 1 - side);
                if (s->carrier[body] >= 0 || m->bodies[body].link < 0 || s->carrier[other] < 0) continue;
                s->carrier[body] = s->carrier[other];
                is_more = true;
            }
        }
    }
}

static void add_places(const Structure *s, const caromModel *m, caromBlockPlace *places, int *count)
{
    for (int t = 0; t < s->ntree; t++) {
        places[(*count)++] = (caromBlockPlace){ carom_compliant_structure_q(t), carom_compliant_structure_v(t) };
        places[(*count)++] = (caromBlockPlace){ carom_compliant_structure_v(t), carom_compliant_structure_q(t) };
    }
    for (int i = 0; i < s->nactive; i++) {
        int z = s->slot[i] >= 0 ? carom_compliant_structure_z(s, s->slot[i]) : -1;
        for (int from = 0; from < 2; from++) {
            int lever = s->lever_of[body_of(m, s->active[i], from)];
            if (lever < 0) continue;
            int t = s->levers[lever].tree;
            if (z >= 0) {
                places[(*count)++] = (caromBlockPlace){ z, carom_compliant_structure_q(t) };
                places[(*count)++] = (caromBlockPlace){ z, carom_compliant_structure_v(t) };
                places[(*count)++] = (caromBlockPlace){ carom_compliant_structure_v(t), z };
            }
            for (int to = 0; to < 2; to++) {
                int other = s->lever_of[body_of(m, s->active[i], to)];
                if (other < 0) continue;
                places[(*count)++] = (caromBlockPlace){ carom_compliant_structure_v(s->levers[other].tree),
                                                        carom_compliant_structure_q(t) };
                places[(*count)++] = (caromBlockPlace){ carom_compliant_structure_v(s->levers[other].tree),
                                                        carom_compliant_structure_v(t) };
            }
        }
    }
}

static bool shape_blocks(Structure *s, const caromModel *m)
{
    int n = 2*s->ntree + s->nslot, count = 0;
    int *size = carom_alloc_array((size_t)n, sizeof *size);
    caromBlockPlace *places = carom_alloc_array(2*(size_t)s->ntree + 14*(size_t)s->nactive, sizeof *places);
    bool good = size && places;
    if (good) {
        for (int t = 0; t < s->ntree; t++) {
            size[carom_compliant_structure_q(t)] = s->trees[t].nq;
            size[carom_compliant_structure_v(t)] = s->trees[t].nv;
        }
        for (int k = 0; k < s->nslot; k++) size[carom_compliant_structure_z(s, k)] = CAROM_BRISTLE_STATES;
        add_places(s, m, places, &count);
        good = carom_blocks_shape(&s->J, n, size, count, places) && carom_block_lu_analyse(&s->lu, &s->J);
    }
    free(size);
    free(places);
    return good;
}

static bool has_room_for_ledger(Structure *s)
{
    size_t need = (size_t)CAROM_LEDGER*((size_t)s->J.start[s->J.n] + 1);
    if (need <= s->room_ledger) return true;
    free(s->ledger);
    s->ledger = carom_alloc_array(need, sizeof *s->ledger);
    s->room_ledger = s->ledger ? need : 0;
    return s->ledger;
}

bool carom_compliant_structure_prepare(Structure *s, const caromModel *m, const caromContactMemory *memory)
{
    if (is_as_before(s, memory)) return true;
    s->is_known = remember(s, memory) && make_levers(s, m) && shape_blocks(s, m) && has_room_for_ledger(s);
    if (s->is_known) find_carriers(s, m);
    return s->is_known;
}
