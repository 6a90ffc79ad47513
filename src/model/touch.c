// Who may touch whom.
//
// There may be two million pairs, so that what is asked for each of them must be cheap. Whether two shapes may touch is
// a bit in a square with a row for each shape, and a rule takes bits away, up to 64 at once:
//
//     shapes of different bodies of which one moves -- one does not touch --> -- a joint connects them --> -- ignored
//       --> contact pairs
#include "model/touch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/check.h"

// ---- sets of shapes, 64 of them in a word

static uint64_t *row_of(const caromSquare *s, int shape)
{
    return s->bits + (size_t)shape*(size_t)s->nword;
}

static uint64_t bit_of(int shape)
{
    return (uint64_t)1 << (shape & 63);
}

static void add(uint64_t *set, int shape)
{
    set[shape >> 6] |= bit_of(shape);
}

static bool has(const uint64_t *set, int shape)
{
    return (set[shape >> 6] & bit_of(shape)) != 0;
}

static void take_away(uint64_t *set, int first, int n)
{
    for (int i = first; i < first + n; i++) set[i >> 6] &= ~bit_of(i);
}

static void keep_only(uint64_t *set, const uint64_t *other, int nword)
{
    for (int w = 0; w < nword; w++) set[w] &= other[w];
}

// Bits of a word are counted in twos, in fours, in bytes; the product adds up the bytes [Warren13].
static int count_bits(uint64_t w)
{
    w -= w >> 1 & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(w*0x0101010101010101u >> 56);
}

// The first member from `from` on; n: none. Words without members are stepped over.
static int next_member(const uint64_t *set, int n, int from)
{
    while (from < n) {
        uint64_t rest = set[from >> 6] >> (from & 63);
        if (rest & 1) return from;
        from = rest ? from + 1 : (from | 63) + 1;
    }
    return n;
}

int carom_model_square_next(const caromSquare *s, int shape, int from)
{
    return next_member(row_of(s, shape), s->n, from);
}

int carom_model_square_count(const caromSquare *s)
{
    int n = 0;
    for (size_t i = 0; i < (size_t)s->n*(size_t)s->nword; i++) n += count_bits(s->bits[i]);
    return n/2;
}

// ---- what shapes are

typedef struct Sets {
    uint64_t *moving, *bounded, *touching;  // shapes                                [nword]
    uint64_t *first, *second;               // that the names of an ignored pair mean [nword]
    uint64_t *before;                       // the square before joints, before pairs are ignored  [n*nword]
} Sets;

static bool make_sets(const caromModel *m, const caromSquare *s, Sets *sets)
{
    size_t n = (size_t)s->nword;
    sets->moving = carom_alloc_array(n, sizeof *sets->moving);
    sets->bounded = carom_alloc_array(n, sizeof *sets->bounded);
    sets->touching = carom_alloc_array(n, sizeof *sets->touching);
    sets->first = carom_alloc_array(n, sizeof *sets->first);
    sets->second = carom_alloc_array(n, sizeof *sets->second);
    sets->before = carom_alloc_array((size_t)s->n*n, sizeof *sets->before);
    if (!sets->moving || !sets->bounded || !sets->touching || !sets->first || !sets->second || !sets->before)
        return false;
    for (int i = 0; i < s->n; i++) {
        if (!m->bodies[m->shapes[i].body].fixed) add(sets->moving, i);
        if (carom_shape_is_bounded(m->shapes[i].shape)) add(sets->bounded, i);
        if (m->shapes[i].touches) add(sets->touching, i);
    }
    return true;
}

static void free_sets(Sets *sets)
{
    free(sets->moving);
    free(sets->bounded);
    free(sets->touching);
    free(sets->first);
    free(sets->second);
    free(sets->before);
}

// Shapes of different bodies of which at least one moves. Two half-spaces overlap almost always and have no
// surface to touch with.
static void set_candidates(const caromModel *m, const Sets *sets, caromSquare *s)
{
    for (int i = 0; i < s->n; i++) {
        const caromBody *body = &m->bodies[m->shapes[i].body];
        uint64_t *row = row_of(s, i);
        memset(row, 0xff, (size_t)s->nword*sizeof *row);
        if (body->fixed) keep_only(row, sets->moving, s->nword);
        if (!has(sets->bounded, i)) keep_only(row, sets->bounded, s->nword);
        take_away(row, body->first_shape, body->nshape);
        take_away(row, s->n, 64*s->nword - s->n);
    }
}

static void leave_touching(const Sets *sets, caromSquare *s)
{
    for (int i = 0; i < s->n; i++) {
        if (has(sets->touching, i)) keep_only(row_of(s, i), sets->touching, s->nword);
        else memset(row_of(s, i), 0, (size_t)s->nword*sizeof *s->bits);
    }
}

// ---- joints

static void separate_bodies(const caromModel *m, caromSquare *s, const int body[2])
{
    for (int k = 0; k < 2; k++) {
        const caromBody *a = &m->bodies[body[k]], *b = &m->bodies[body[!k]];
        for (int i = a->first_shape; i < a->first_shape + a->nshape; i++)
            take_away(row_of(s, i), b->first_shape, b->nshape);
    }
}

static void join_again(const caromModel *m, const uint64_t *before, caromSquare *s, const int body[2])
{
    for (int k = 0; k < 2; k++) {
        const caromBody *a = &m->bodies[body[k]], *b = &m->bodies[body[!k]];
        for (int i = a->first_shape; i < a->first_shape + a->nshape; i++)
            for (int j = b->first_shape; j < b->first_shape + b->nshape; j++)
                if (has(before + (size_t)i*(size_t)s->nword, j)) add(row_of(s, i), j);
    }
}

// Bodies that a joint connects overlap where it is, as a rule. Of several joints between the same two, one that
// lets them touch is enough.
static void separate_joined(const caromModel *m, const uint64_t *before, caromSquare *s)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < m->njoint; k++) {
            const caromModelJoint *j = &m->joints[k];
            if (j->body[0] < 0 || j->body[1] < 0 || j->touch != (pass == 1)) continue;
            if (j->touch) join_again(m, before, s, j->body);
            else separate_bodies(m, s, j->body);
        }
    }
}

// ---- ignored pairs

bool carom_model_name_stands_for(const char *name, const caromBodyDef *body, const caromShapeDef *shape)
{
    if (strcmp(name, "all") == 0) return true;
    size_t n = strlen(body->name);
    const char *stands_for = shape->stands_for ? shape->stands_for : shape->name;
    if (strncmp(name, body->name, n) == 0) {
        if (name[n] == '\0') return true;
        if (name[n] == '.' && (strcmp(name + n + 1, shape->name) == 0 || strcmp(name + n + 1, stands_for) == 0))
            return true;
    }
    for (int i = 0; i < body->ngroup; i++) if (strcmp(name, body->groups[i]) == 0) return true;
    return false;
}

static void find_meant(const caromBuilder *b, const caromSquare *s, const char *name, uint64_t *set)
{
    int shape = 0;
    memset(set, 0, (size_t)s->nword*sizeof *set);
    for (int k = 0; k < b->nbody; k++) {
        for (int i = 0; i < b->bodies[k].nshape; i++, shape++)
            if (carom_model_name_stands_for(name, &b->bodies[k], &b->bodies[k].shapes[i])) add(set, shape);
    }
}

// Of the first name with the second and back. Gives the number of pairs that could have touched but for this.
static int separate_sets(const Sets *sets, caromSquare *s)
{
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        bool is_first = has(sets->first, i), is_second = has(sets->second, i);
        const uint64_t *before = sets->before + (size_t)i*(size_t)s->nword;
        for (int w = 0; (is_first || is_second) && w < s->nword; w++) {
            uint64_t others = (is_first ? sets->second[w] : 0) | (is_second ? sets->first[w] : 0);
            n += count_bits(before[w] & others);
            row_of(s, i)[w] &= ~others;
        }
    }
    return n/2;
}

// A member of the set that is not of this body; n: none.
static int member_outside(const caromModel *m, const uint64_t *set, int n, int body)
{
    int i = next_member(set, n, 0);
    while (i < n && m->shapes[i].body == body) i = next_member(set, n, i + 1);
    return i;
}

static const char *why_two_never_touch(const caromModel *m, int a, int b)
{
    const caromModelShape *sa = &m->shapes[a], *sb = &m->shapes[b];
    if (m->bodies[sa->body].fixed && m->bodies[sb->body].fixed) return "both are fixed";
    if (!carom_shape_is_bounded(sa->shape) && !carom_shape_is_bounded(sb->shape)) return "two half-spaces never do";
    if (!sa->touches || !sb->touches) return "one of the shapes does not touch (touches: false)";
    return "a joint connects them";
}

// Of two sets without a pair that could touch, for one pair of different bodies, if there is one.
static const char *why_never(const caromModel *m, const Sets *sets, int n)
{
    int a = next_member(sets->first, n, 0), b = next_member(sets->second, n, 0);
    if (a == n || b == n) return "there is no shape";
    int outside = member_outside(m, sets->second, n, m->shapes[a].body);
    if (outside < n) return why_two_never_touch(m, a, outside);
    outside = member_outside(m, sets->first, n, m->shapes[b].body);
    return outside < n ? why_two_never_touch(m, outside, b) : "they are the same body";
}

static void ignore_pairs(const caromBuilder *b, caromModel *m, Sets *sets, char **names, caromProblems *problems,
                         caromSquare *s)
{
    for (int k = 0; k < b->nignored; k++) {
        const char *const *name = b->ignored[k].name;
        find_meant(b, s, name[0], sets->first);
        find_meant(b, s, name[1], sets->second);
        int npair = separate_sets(sets, s);
        if (npair == 0)
            carom_problem_add(problems, true, carom_model_path_of("contact.ignore.%d", k).text,
                              "%s and %s cannot touch anyway: %s", name[0], name[1], why_never(m, sets, s->n));
        m->exclusions.ignored[m->exclusions.nignored++] = (caromIgnoredInfo){
            { carom_model_keep_name(names, name[0]), carom_model_keep_name(names, name[1]) }, npair };
    }
}

static bool has_pair(const caromModel *m, const uint64_t *square, int nword, const int body[2])
{
    const caromBody *a = &m->bodies[body[0]], *b = &m->bodies[body[1]];
    for (int i = a->first_shape; i < a->first_shape + a->nshape; i++)
        for (int j = b->first_shape; j < b->first_shape + b->nshape; j++)
            if (has(square + (size_t)i*(size_t)nword, j)) return true;
    return false;
}

// The two say the opposite; what is ignored is.
static void warn_of_contradictions(const caromModel *m, const Sets *sets, const caromSquare *s, caromProblems *problems)
{
    for (int k = 0; k < m->njoint; k++) {
        const caromModelJoint *j = &m->joints[k];
        if (!j->touch || j->body[0] < 0 || j->body[1] < 0) continue;
        if (!has_pair(m, sets->before, s->nword, j->body) || has_pair(m, s->bits, s->nword, j->body)) continue;
        carom_problem_add(problems, true, carom_model_path_of("joints.%.63s.touch", j->name).text,
                          "'%.63s' and '%.63s' do not touch all the same: contact.ignore has them",
                          m->bodies[j->body[0]].name, m->bodies[j->body[1]].name);
    }
}

// ---- all of it

static void remember(Sets *sets, const caromSquare *s)
{
    memcpy(sets->before, s->bits, (size_t)s->n*(size_t)s->nword*sizeof *s->bits);
}

static void apply_rules(const caromBuilder *b, caromModel *m, Sets *sets, char **names, caromProblems *problems,
                        caromSquare *s)
{
    set_candidates(m, sets, s);
    int all = carom_model_square_count(s);
    leave_touching(sets, s);
    int touching = carom_model_square_count(s);
    remember(sets, s);
    separate_joined(m, sets->before, s);
    int loose = carom_model_square_count(s);
    remember(sets, s);
    ignore_pairs(b, m, sets, names, problems, s);
    m->exclusions.left_out = (caromLeftOut){ all - touching, touching - loose, loose - carom_model_square_count(s) };
    warn_of_contradictions(m, sets, s, problems);
}

bool carom_model_square_find(const caromBuilder *b, caromModel *m, char **names, caromProblems *problems,
                             caromSquare *s)
{
    Sets sets = { 0 };
    *s = (caromSquare){ m->nshape, (m->nshape + 63)/64, NULL };
    s->bits = carom_alloc_array((size_t)s->n*(size_t)s->nword, sizeof *s->bits);
    bool good = s->bits && make_sets(m, s, &sets);
    if (good) apply_rules(b, m, &sets, names, problems, s);
    free_sets(&sets);
    return good;
}
