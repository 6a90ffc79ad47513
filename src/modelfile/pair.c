// Pairs of materials: some of their values mean what others of the same pair say.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "modelfile/modelfile.h"

void carom_draft_pair_begin(caromReader *r, int node, void *draft)
{
    (void)r;
    (void)node;
    *(caromPairDef *)draft = carom_model_pair_def(NULL, NULL);
}

static int place_in_list(caromReader *r, int node)
{
    int i = 0;
    for (int c = r->tree.nodes[r->tree.nodes[node].parent].first; c != node; c = r->tree.nodes[c].next) i++;
    return i;
}

static bool keep_place(caromReader *r, int node)
{
    if (r->npair == r->pair_capacity) {
        int capacity = r->pair_capacity ? 2*r->pair_capacity : 16;
        int *larger = realloc(r->pair_index, (size_t)capacity*sizeof *larger);
        if (!larger) {
            r->out_of_memory = true;
            return false;
        }
        r->pair_index = larger;
        r->pair_capacity = capacity;
    }
    r->pair_index[r->npair++] = place_in_list(r, node);
    return true;
}

static int beside(const caromReader *r, int node, const char *key)
{
    return carom_modelfile_tree_child(&r->tree, r->tree.nodes[node].parent, key, strlen(key));
}

static bool is_given(const caromReader *r, int pair, const char *key)
{
    return carom_modelfile_tree_child(&r->tree, pair, key, strlen(key)) >= 0;
}

// What could not be read was reported: the builder is not to miss it, nor to wonder what the others are for.
static void make_up(const caromReader *r, int node, caromPairDef *def)
{
    bool has_restitution = !isnan(def->restitution) || def->restitution_law || def->nrestitution > 0;
    if (!has_restitution && is_given(r, node, "restitution")) def->restitution = 0.5;
    if (isnan(def->friction) && is_given(r, node, "friction")) def->friction = 0.0;
    if (isnan(def->stiffness) && is_given(r, node, "stiffness")) def->stiffness = 1.0;
    if (isnan(def->damping_coefficient) && is_given(r, node, "damping_coefficient")) def->damping_coefficient = 1.0;
    if (isnan(def->damping_depth) && is_given(r, node, "damping_depth")) def->damping_depth = 1.0;
    if (def->damping == CAROM_DAMPING_KINDS && is_given(r, node, "damping"))
        def->damping_coefficient = def->damping_depth = NAN;
    bool has_lost_law = !def->law && is_given(r, node, "law"), has_lost_parameters = !def->parameters &&
                                                                                     is_given(r, node, "parameters");
    if (has_lost_law) def->nparameter = 0;
    if (has_lost_parameters) def->law = NULL;
}

// A pair without materials was reported; the builder does not get it, so that places in the file and in the builder
// differ.
void carom_draft_pair_end(caromReader *r, int node, void *draft)
{
    caromPairDef *def = draft;
    make_up(r, node, def);
    if (def->material[0] && def->material[1] && keep_place(r, node)) carom_builder_pair(r->builder, def);
    free((caromParameter *)def->parameters);
    free((double *)def->restitution_speeds);
    free((double *)def->restitution_values);
}

static const char *scalar_text(caromReader *r, int node, caromDimId like)
{
    const caromNode *n = &r->tree.nodes[node];
    if (n->kind == CAROM_NODE_REFUSED) return NULL;
    if (n->kind == CAROM_NODE_SCALAR && n->text[0] != '\0') return n->text;
    const caromDimInfo *info = carom_modelfile_dim_info(like);
    caromQuoted quoted;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s, got %s", info->title, info->example,
                                 carom_modelfile_got(n, &quoted));
    return NULL;
}

static bool read_quantity(caromReader *r, int node, caromDimId like, caromQuantity *q)
{
    char why[400];
    const char *text = scalar_text(r, node, like);
    if (!text) return false;
    if (carom_modelfile_quantity_scan(text, like, q, why, sizeof why)) return true;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "%s", why);
    return false;
}

static void refuse_quantity(caromReader *r, int node, const caromQuantity *q, caromDimId expected, const char *hint)
{
    char why[400];
    carom_modelfile_quantity_refuse(r->tree.nodes[node].text, q, expected, why, sizeof why);
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "%s%s", why, hint);
}

// ---- restitution

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// It calculates, or has the speed: no number with a unit does.
static bool looks_like_formula(const char *text)
{
    if (strpbrk(text, "*^(")) return true;
    for (const char *s = strchr(text, 'v'); s; s = strchr(s + 1, 'v'))
        if ((s == text || !is_word(s[-1])) && !is_word(s[1])) return true;
    return false;
}

// A number, a formula, or a mapping that says which of the two it has: a table or a formula.
void carom_modelfile_read_restitution(caromReader *r, int node, const caromKey *key, caromPairDef *def)
{
    const caromNode *n = &r->tree.nodes[node];
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind == CAROM_NODE_MAP) carom_modelfile_read_section(r, node, key->opens, def);
    else if (n->kind == CAROM_NODE_SCALAR && looks_like_formula(n->text)) def->restitution_law = n->text;
    else if (n->kind == CAROM_NODE_SCALAR && n->text[0] != '\0')
        carom_modelfile_read_number(r, node, CAROM_DIM_NUMBER, key->example, &def->restitution);
    else
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a number such as %s, a formula in v, "
                                     "or a table over the approach speed such as %s, got %s", key->example,
                                     carom_modelfile_section(r->format, key->opens)->example,
                                     carom_modelfile_got(n, &quoted));
}

// ---- stiffness

// The exponent beside it, NaN: none, or one that cannot be read, which is reported when its turn comes.
static double exponent_beside(const caromReader *r, int node)
{
    int exponent = beside(r, node, "exponent");
    char why[400];
    double n;
    if (exponent < 0 || r->tree.nodes[exponent].kind != CAROM_NODE_SCALAR) return NAN;
    return carom_modelfile_quantity_parse(r->tree.nodes[exponent].text, CAROM_DIM_NUMBER, NULL, &n, why, sizeof why)
               ? n : (double)NAN;
}

// N/m^n: the unit says the exponent, which need not be given then. It must not say another one than is given.
void carom_modelfile_read_contact_stiffness(caromReader *r, int node, caromPairDef *def)
{
    caromQuantity q;
    if (!read_quantity(r, node, CAROM_DIM_CONTACT_STIFFNESS, &q)) return;
    double n = 1.0 - q.dim.m, given = exponent_beside(r, node);
    caromDim force_per_power = { 1.0 - n, 1, -2, 0 };
    if (q.has_unit && (!carom_modelfile_dim_equal(q.dim, force_per_power) || n < 1.0)) {
        refuse_quantity(r, node, &q, CAROM_DIM_CONTACT_STIFFNESS, "");
        return;
    }
    if (q.has_unit && fabs(n - given) > 1e-6) {
        char power[32] = "";
        if (given != 1.0) snprintf(power, sizeof power, "^%g", given);
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a stiffness in N/m%s, since exponent is %g, "
                                     "got %s", power, given, carom_modelfile_quoted(r->tree.nodes[node].text).text);
        return;
    }
    def->stiffness = q.value;
    if (q.has_unit && beside(r, node, "exponent") < 0) def->exponent = n;
}

// ---- damping

// The kind of damping that a pair has, its own or that of contact; CAROM_DAMPING_KINDS: it cannot be read.
static caromDamping damping_beside(const caromReader *r, int node)
{
    int damping = beside(r, node, "damping"),
        contact = carom_modelfile_tree_child(&r->tree, r->tree.root, "contact", 7);
    if (damping < 0 && contact >= 0) damping = carom_modelfile_tree_child(&r->tree, contact, "damping", 7);
    if (damping < 0 || r->tree.nodes[damping].kind != CAROM_NODE_SCALAR) return CAROM_DAMPING_KINDS;
    int kind = carom_modelfile_choice_find(carom_modelfile_key_find(r->format, CAROM_IN_PAIR, "damping", 7),
                                           r->tree.nodes[damping].text);
    return kind >= 0 ? (caromDamping)kind : CAROM_DAMPING_KINDS;
}

static caromDimId dim_of_coefficient(const caromDampingInfo *info)
{
    for (int i = 0; i < CAROM_DIM_COUNT; i++)
        if (strcmp(carom_modelfile_dim_info((caromDimId)i)->si, info->unit) == 0) return (caromDimId)i;
    return CAROM_DIM_NUMBER;
}

// The first law that needs a coefficient of this dimension; NULL: there is none.
static const caromDampingInfo *damping_with(caromDim dim)
{
    for (int i = 0; i < CAROM_DAMPING_KINDS; i++) {
        const caromDampingInfo *info = carom_contact_damping_info((caromDamping)i);
        if (info->needs_coefficient && carom_modelfile_dim_equal(
                dim, carom_modelfile_dim_info(dim_of_coefficient(info))->dim)) return info;
    }
    return NULL;
}

// Beside a law that takes no coefficient that of any law is read: the builder says what is wrong.
void carom_modelfile_read_contact_damping(caromReader *r, int node, double *coefficient)
{
    const caromDampingInfo *law = carom_contact_damping_info(damping_beside(r, node));
    bool is_known = law && law->unit;
    caromDimId expected = is_known ? dim_of_coefficient(law) : CAROM_DIM_INVERSE_SPEED;
    caromQuantity q;
    char hint[80] = "";
    if (!read_quantity(r, node, expected, &q)) return;
    const caromDampingInfo *other = q.has_unit ? damping_with(q.dim) : NULL;
    bool is_good = !q.has_unit || carom_modelfile_dim_equal(q.dim, carom_modelfile_dim_info(expected)->dim) ||
                   (other && !is_known);
    if (other) snprintf(hint, sizeof hint, "; that is for damping: %s", other->name);
    if (is_good) *coefficient = q.value;
    else refuse_quantity(r, node, &q, expected, hint);
}

// ---- parameters

// One that cannot be read keeps its name, so that the law knows it. Of names and of their number the builder has its
// say.
void carom_modelfile_read_parameters(caromReader *r, int node, const caromKey *key, caromPairDef *def)
{
    const caromNode *n = &r->tree.nodes[node];
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind != CAROM_NODE_MAP) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a mapping of names to quantities such "
                                     "as %s, got %s", key->example, carom_modelfile_got(n, &quoted));
        return;
    }
    caromParameter *parameters = malloc(((size_t)n->count + 1)*sizeof *parameters);
    if (!parameters) {
        r->out_of_memory = true;
        return;
    }
    int count = 0;
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) {
        caromQuantity q = { .value = NAN };
        if (r->tree.nodes[c].kind == CAROM_NODE_REFUSED) continue;
        bool is_read = read_quantity(r, c, CAROM_DIM_DRIVEN, &q);
        parameters[count++] = (caromParameter){ r->tree.nodes[c].key, is_read ? q.value : (double)NAN };
    }
    free((caromParameter *)def->parameters);
    def->parameters = parameters;
    def->nparameter = count;
}
