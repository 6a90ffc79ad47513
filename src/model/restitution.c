// Restitution that depends on the approach speed: points joined by straight lines, or an expression in v.
#include "model/restitution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

bool carom_model_pair_has_restitution_law(const caromPairDef *def)
{
    return def->restitution_law || def->nrestitution > 0;
}

// ---- made, and freed

static const char *const variables[] = { "v" };

// "0.1 m/s: 0.8, 1 m/s: 0.6". NULL: out of memory.
static char *text_of_points(const caromPairDef *def)
{
    size_t size = 1 + (size_t)def->nrestitution*48, n = 0;
    char *text = malloc(size);
    for (int i = 0; text && i < def->nrestitution; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%.6g m/s: %.6g", i ? ", " : "", def->restitution_speeds[i],
                              def->restitution_values[i]);
    return text;
}

static caromStatus keep_points(const caromPairDef *def, caromRestitution *r, caromError *err)
{
    size_t n = (size_t)def->nrestitution;
    r->speeds = carom_alloc_array(2*n, sizeof *r->speeds);
    if (!r->speeds) return carom_fail(err, CAROM_ERR_MEMORY, "restitution", "out of memory");
    r->npoint = def->nrestitution;
    memcpy(r->speeds, def->restitution_speeds, n*sizeof *r->speeds);
    memcpy(r->speeds + n, def->restitution_values, n*sizeof *r->speeds);
    return CAROM_OK;
}

caromStatus carom_model_restitution_create(const caromPairDef *def, caromRestitution *r, caromError *err)
{
    *r = (caromRestitution){ 0 };
    caromStatus status = def->restitution_law ? carom_expression_create(def->restitution_law, variables, 1,
                                                                        &r->expression, err) : keep_points(def, r, err);
    if (status != CAROM_OK) return status;
    r->text = def->restitution_law ? carom_strdup(def->restitution_law) : text_of_points(def);
    if (r->text) return CAROM_OK;
    carom_model_restitution_free(r);
    return carom_fail(err, CAROM_ERR_MEMORY, "restitution", "out of memory");
}

void carom_model_restitution_free(caromRestitution *r)
{
    carom_expression_destroy(r->expression);
    free(r->speeds);
    free(r->text);
    *r = (caromRestitution){ 0 };
}

// ---- at a speed

static double between_points(const double *speeds, const double *values, int n, double v)
{
    if (!(v > speeds[0])) return values[0];
    for (int i = 1; i < n; i++)
        if (v < speeds[i])
            return values[i - 1] + (values[i] - values[i - 1])*((v - speeds[i - 1])/(speeds[i] - speeds[i - 1]));
    return values[n - 1];
}

double carom_model_restitution_raw(const caromRestitution *r, double speed)
{
    if (!r->expression) return between_points(r->speeds, r->speeds + r->npoint, r->npoint, speed);
    caromJet v = carom_jet_constant(speed);
    return carom_expression_at(r->expression, &v).value;
}

// What is out of range is cut off: a fit of measurements may leave it where there were none. No number counts as
// 0: nothing comes back.
double carom_model_law_restitution(const caromPairLaw *law, double speed)
{
    if (!law->restitution_law) return law->restitution;
    double e = carom_model_restitution_raw(law->restitution_law, speed);
    return e > 0.0 ? fmin(e, 1.0) : 0.0;
}
