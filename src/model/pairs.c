// Contact pairs. Which they are is in touch.c, what two materials do to each other in laws.c; it is looked up by their
// indices: there may be two million pairs.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/laws.h"
#include "model/touch.h"

// The pairs of materials that were given, by the indices of their materials in the model; -1: one that no shape has.
typedef struct Given {
    const caromBuilder *b;
    int (*material)[2];  // [npair]
    int *with;           // for one material: the pair with each other one, -1: none  [nmaterial]
} Given;

static int index_of(const caromModel *m, const char *material)
{
    for (int i = 0; i < m->nmaterial; i++) if (strcmp(m->materials[i].name, material) == 0) return i;
    return -1;
}

static bool index_given(const caromBuilder *b, const caromModel *m, Given *given)
{
    *given = (Given){ .b = b };
    given->material = carom_alloc_array((size_t)b->npair, sizeof *given->material);
    given->with = carom_alloc_array((size_t)m->nmaterial, sizeof *given->with);
    if (!given->material || !given->with) return false;
    for (int k = 0; k < b->npair; k++)
        for (int i = 0; i < 2; i++) given->material[k][i] = index_of(m, b->pairs[k].material[i]);
    return true;
}

static void look_up(const caromModel *m, Given *given, int material)
{
    for (int i = 0; i < m->nmaterial; i++) given->with[i] = -1;
    for (int k = 0; k < given->b->npair; k++) {
        int first = given->material[k][0], second = given->material[k][1];
        if (first == material && second >= 0) given->with[second] = k;
        if (second == material && first >= 0) given->with[first] = k;
    }
}

typedef struct LawTable {
    int *at;       // of each two materials: their law; -1: not yet known   [nmaterial*nmaterial]
    int capacity;  // of the model's laws
} LawTable;

// The law of two materials is frozen when the first pair of shapes needs it. -1: out of memory.
static int use_law(const Given *given, caromModel *m, LawTable *table, int a, int b)
{
    int *known = &table->at[(size_t)a*(size_t)m->nmaterial + (size_t)b];
    if (*known >= 0) return *known;
    if (m->nlaw == table->capacity) {
        caromPairLaw *more = realloc(m->laws, 2*(size_t)table->capacity*sizeof *more + 8*sizeof *more);
        if (!more) return -1;
        m->laws = more;
        table->capacity = 2*table->capacity + 8;
    }
    m->laws[m->nlaw] = carom_model_law_freeze(given->b, m, a, b, given->with[b]);
    return *known = table->at[(size_t)b*(size_t)m->nmaterial + (size_t)a] = m->nlaw++;
}

// In the order of (first, second) shape.
static bool fill_pairs(const caromSquare *square, Given *given, caromModel *m, int *at)
{
    LawTable table = { .at = at };
    for (int i = 0; i < m->nshape; i++) {
        look_up(m, given, m->shapes[i].material);
        for (int j = carom_model_square_next(square, i, i + 1); j < m->nshape;
             j = carom_model_square_next(square, i, j + 1)) {
            caromModelPair *p = &m->pairs[m->npair++];
            *p = (caromModelPair){ { i, j }, -1, m->shapes[i].shell + m->shapes[j].shell };
            p->law = use_law(given, m, &table, m->shapes[i].material, m->shapes[j].material);
            if (p->law < 0) return false;
        }
    }
    return true;
}

static bool list_pairs(const caromBuilder *b, caromModel *m, const caromSquare *square)
{
    Given given;
    size_t nmaterial = (size_t)m->nmaterial;
    int *at = carom_alloc_array(nmaterial*nmaterial, sizeof *at);
    m->pairs = carom_alloc_array((size_t)carom_model_square_count(square), sizeof *m->pairs);
    bool good = index_given(b, m, &given) && m->pairs && at && carom_model_laws_alloc(b, m);
    for (size_t i = 0; good && i < nmaterial*nmaterial; i++) at[i] = -1;
    good = good && fill_pairs(square, &given, m, at);
    free(given.material);
    free(given.with);
    free(at);
    return good;
}

bool carom_builder_freeze_pairs(const caromBuilder *b, caromModel *m, char **names, caromProblems *problems)
{
    caromSquare square;
    bool good = carom_model_square_find(b, m, names, problems, &square) && list_pairs(b, m, &square);
    free(square.bits);
    return good;
}
