#include "model/check.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

caromPath carom_model_path_of(const char *format, ...)
{
    caromPath path;
    va_list args;
    va_start(args, format);
    vsnprintf(path.text, sizeof path.text, format, args);
    va_end(args);
    return path;
}

void carom_model_check_error(caromProblems *problems, caromPath path, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    carom_problem_add(problems, false, path.text, "%s", message);
}

void carom_model_check_name(caromProblems *problems, caromPath path, const char *what, const char *name)
{
    bool good = name && isalpha((unsigned char)name[0]) && strlen(name) <= CAROM_NAME_MAX;
    for (const char *c = name; good && *c; c++) good = isalnum((unsigned char)*c) || *c == '_' || *c == '-';
    if (good) return;
    carom_model_check_error(problems, path, "%s name '%.70s' is not allowed: expected a letter, then letters, digits, "
                            "'_' or '-', at most %d in all", what, name ? name : "", CAROM_NAME_MAX);
}

void carom_model_check_range(caromProblems *problems, caromPath path, const char *what, double value, double low,
                             double high)
{
    if (isfinite(value) && value >= low && value <= high) return;
    carom_model_check_error(problems, path, "%s %g is out of range: expected %g to %g", what, value, low, high);
}

void carom_model_check_positive(caromProblems *problems, caromPath path, const char *what, double value,
                                const char *unit)
{
    if (isfinite(value) && value > 0.0) return;
    carom_model_check_error(problems, path, "%s %g%s is not positive: expected a finite number above 0", what, value,
                            unit);
}

void carom_model_check_not_negative(caromProblems *problems, caromPath path, const char *what, double value)
{
    if (isfinite(value) && value >= 0.0) return;
    carom_model_check_error(problems, path, "%s %g is negative or not finite: expected 0 or more", what, value);
}

void carom_model_check_finite(caromProblems *problems, caromPath path, const char *what, caromVec3 v)
{
    if (carom_is_finite3(v)) return;
    carom_model_check_error(problems, path, "%s (%g, %g, %g) has a component that is not a finite number", what, v.x,
                            v.y, v.z);
}

void carom_model_check_rotation(caromProblems *problems, caromPath path, caromQuat q)
{
    double n = q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z;
    if (isfinite(n) && n > 1e-12) return;
    carom_model_check_error(problems, path, "orientation (%g, %g, %g, %g) is not a rotation: expected a quaternion "
                            "that is not zero", q.w, q.x, q.y, q.z);
}
