// Restitution of a pair: a number, points or an expression, and what they give at the speeds of impacts.
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "model/check.h"
#include "model/restitution.h"

static bool has_good_points(const caromPairDef *p, caromPath path, caromProblems *problems)
{
    int before = problems->errors;
    if (p->nrestitution < 2)
        carom_model_check_error(problems, path, "a table of restitution needs at least 2 points, got %d",
                                p->nrestitution);
    for (int i = 0; i < p->nrestitution && problems->errors == before; i++) {
        double v = p->restitution_speeds[i], e = p->restitution_values[i];
        if (!(isfinite(v) && v >= 0.0))
            carom_model_check_error(problems, path, "approach speed %g m/s of a table is negative or not finite", v);
        else if (i > 0 && !(v > p->restitution_speeds[i - 1]))
            carom_model_check_error(problems, path, "the speeds of a table ascend, got %g m/s behind %g m/s", v,
                                    p->restitution_speeds[i - 1]);
        else if (!(e >= 0.0 && e <= 1.0))
            carom_model_check_error(problems, path, "restitution %g at %g m/s is out of range: expected 0 to 1", e, v);
    }
    return problems->errors == before;
}

// Four to the decade from 1 cm/s to 10 m/s: there impacts are. Rounding at the ends of the range is nobody's mistake.
static void look_at_speeds(const caromRestitution *r, caromPath path, caromProblems *problems)
{
    static const double rounding = 1e-9;
    for (int i = -8; i <= 4; i++) {
        double v = pow(10.0, 0.25*i), e = carom_model_restitution_raw(r, v);
        if (e >= -rounding && e <= 1.0 + rounding) continue;
        if (!isfinite(e))
            carom_model_check_error(problems, path, "restitution is not a finite number at v = %.3g m/s", v);
        else
            carom_problem_add(problems, true, path.text,
                              "restitution is %.3g at v = %.3g m/s: it is taken for %d there", e, v, e > 0.0);
        return;
    }
}

static void check_expression(const caromPairDef *p, caromPath path, caromProblems *problems)
{
    caromRestitution r;
    caromError err = { 0 };
    if (carom_model_restitution_create(p, &r, &err) != CAROM_OK) {
        carom_model_check_error(problems, path, "%s", err.message);
        return;
    }
    look_at_speeds(&r, path, problems);
    carom_model_restitution_free(&r);
}

void carom_model_check_restitution(const caromPairDef *p, int k, caromProblems *problems)
{
    caromPath path = carom_model_path_of("pairs.%d.restitution", k);
    if (!isnan(p->restitution)) carom_model_check_range(problems, path, "restitution", p->restitution, 0, 1);
    if (!isnan(p->restitution) + (p->nrestitution > 0) + (p->restitution_law != NULL) > 1)
        carom_model_check_error(problems, path, "restitution is given more than once: give a number, "
                                "a table or an expression");
    if (p->nrestitution > 0) has_good_points(p, carom_model_path_of("%s.table", path.text), problems);
    if (p->restitution_law) check_expression(p, carom_model_path_of("%s.expression", path.text), problems);
}
