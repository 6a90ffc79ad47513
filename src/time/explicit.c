#include <math.h>

#include "time/explicit.h"

#define STIFFNESS_LEAST 0.1  // tolerances

typedef struct Explicit {
    caromStepper base;
    const caromTableau *table;
    double *k;      // [last + 1 + nextra][stride] stages
    double *error;  // [nerror][stride]
} Explicit;

caromStepper *carom_time_explicit_create(const caromScheme *scheme, const caromTableau *table, const caromOde *ode,
                                         const caromNorm *norm)
{
    int nstage = table->last + 1 + table->nextra;
    caromStepper *s = carom_onestep_create(scheme, ode, norm, sizeof(Explicit), (size_t)(nstage + table->nerror), 0);
    if (!s) return NULL;
    ((Explicit *)s)->table = table;
    carom_onestep_resize(s, ode->n);
    return s;
}

void carom_time_explicit_place(caromStepper *s, double *vectors)
{
    Explicit *e = (Explicit *)s;
    e->k = vectors;
    e->error = vectors + (long)(e->table->last + 1 + e->table->nextra)*s->stride;
    s->f0 = e->k;
    s->f1 = e->k + (long)e->table->last*s->stride;
}

// k_i = f(tau0 + c_i h, y0 + h sum_j a_ij k_j)
static caromStatus stage(Explicit *e, int i, double h)
{
    caromStepper *s = &e->base;
    const caromRow *row = &e->table->row[i];
    if (!carom_time_combine_from(s->y0, row, h, e->k, s->stride, s->trial)) return CAROM_RETRY;
    return carom_onestep_stage(s, s->tau0 + row->c*h, s->trial, e->k + (long)i*s->stride);
}

static caromStatus end_state(Explicit *e, double h)
{
    caromStepper *s = &e->base;
    const caromTableau *table = e->table;
    carom_time_combine(&table->row[table->last], h, e->k, s->stride, s->dense);
    if (!carom_time_add_finite(s->y0, s->dense, s->stride, s->y1)) return CAROM_RETRY;
    if (!table->error_needs_f1) return CAROM_OK;
    caromStatus status = carom_onestep_evaluate(s, s->tau0 + h, s->y1, s->f1);
    s->has_rate = status == CAROM_OK;
    return status;
}

caromStatus carom_time_explicit_attempt(caromStepper *s, double h, double *error)
{
    Explicit *e = (Explicit *)s;
    const caromTableau *table = e->table;
    for (int i = 1; i < table->last; i++) {
        caromStatus status = stage(e, i, h);
        if (status != CAROM_OK) return status;
    }
    caromStatus status = end_state(e, h);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < table->nerror; i++)
        carom_time_combine(&table->error[i], h, e->k, s->stride, e->error + (long)i*s->stride);
    *error = table->error_norm(s->norm, e->error, s->stride);
    return CAROM_OK;
}

// h |f1 - f(g)|/|y1 - g| of the states of a block; 0 where they differ by less than anybody asks for.
static double block_stiffness(const caromStepper *s, const double *f_g, int begin, int end)
{
    double rates = 0.0, states = 0.0;
    for (int i = begin; i < end; i++) {
        double w = 1.0/s->norm->weight[i], df = (s->f1[i] - f_g[i])*w, dy = (s->y1[i] - s->trial[i])*w;
        rates += df*df;
        states += dy*dy;
    }
    bool is_felt = states > 0.0 && s->h*sqrt(rates/(end - begin)) > STIFFNESS_LEAST;
    return is_felt ? s->h*sqrt(rates/states) : 0.0;
}

// The last stage g is at the end of the step, as y1 is [HairerWanner96, IV.2]: where stability holds the step back both
// differ by what is fastest, and the quotient is its rate. Block by block: a speed that is held carries its position
// along, whose own quotient is 1. Quadratures have no say.
double carom_time_explicit_stiffness(caromStepper *s)
{
    Explicit *e = (Explicit *)s;
    const caromNorm *norm = s->norm;
    int last = e->table->last;
    if (!s->has_rate || !carom_time_combine_from(s->y0, &e->table->row[last - 1], s->h, e->k, s->stride, s->trial))
        return 0.0;
    double worst = 0.0;
    for (int k = 0; k < norm->nblock && norm->block[k + 1] <= s->ode.n - s->ode.nquad; k++)
        worst = fmax(worst, block_stiffness(s, e->k + (long)(last - 1)*s->stride, norm->block[k], norm->block[k + 1]));
    return worst;
}

// The first three vectors are the cubic Hermite polynomial through y0, f0, y1, f1. dense[0] is the sum h b k, not
// y1 - y0: so the rate does not suffer when y is large and the step short.
static void hermite(caromStepper *s)
{
    double h = s->h;
    const double *delta = s->dense;
    double *F1 = s->dense + s->stride, *F2 = F1 + s->stride;
    for (int i = 0; i < s->stride; i++) {
        F1[i] = h*s->f0[i] - delta[i];
        F2[i] = 2*delta[i] - h*(s->f0[i] + s->f1[i]);
    }
}

caromStatus carom_time_explicit_dense(caromStepper *s)
{
    Explicit *e = (Explicit *)s;
    const caromTableau *table = e->table;
    for (int i = 0; i < table->nextra; i++) {
        caromStatus status = stage(e, table->last + 1 + i, s->h);
        if (status != CAROM_OK) return status;
    }
    hermite(s);
    for (int c = 3; c < s->scheme->ndense; c++)
        carom_time_combine(&table->dense[c - 3], s->h, e->k, s->stride, s->dense + (long)c*s->stride);
    return CAROM_OK;
}
