#include "collide_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *case_class_name(CaseClass c)
{
    static const char *const names[CLASSES] = {
        "sphere", "ellipsoid", "box", "rounded box", "cylinder", "rounded cylinder", "cone", "rounded cone", "capsule",
        "polytope", "rounded polytope", "half-space"
    };
    return names[c];
}

const char *case_regime_name(CaseRegime r)
{
    static const char *const names[REGIMES] = { "far", "near", "touching", "shallow", "deep", "inside" };
    return names[r];
}

CaseClass case_class(caromShape s)
{
    bool rounded = s.kind == CAROM_POLYTOPE ? carom_hull_rounding(s.hull) > 0 : s.rounding > 0;
    switch (s.kind) {
    case CAROM_SPHERE: return CLASS_SPHERE;
    case CAROM_ELLIPSOID: return CLASS_ELLIPSOID;
    case CAROM_BOX: return rounded ? CLASS_ROUNDED_BOX : CLASS_BOX;
    case CAROM_CYLINDER: return rounded ? CLASS_ROUNDED_CYLINDER : CLASS_CYLINDER;
    case CAROM_CONE: return rounded ? CLASS_ROUNDED_CONE : CLASS_CONE;
    case CAROM_CAPSULE: return CLASS_CAPSULE;
    case CAROM_POLYTOPE: return rounded ? CLASS_ROUNDED_POLYTOPE : CLASS_POLYTOPE;
    default: return CLASS_HALF_SPACE;
    }
}

bool case_class_is_flat(CaseClass c)
{
    return c != CLASS_ELLIPSOID && c != CLASS_CYLINDER && c != CLASS_ROUNDED_CYLINDER && c != CLASS_CONE &&
           c != CLASS_ROUNDED_CONE;
}

static void stop(const char *path, int line, const char *why)
{
    fprintf(stderr, "%s:%d: %s\n", path, line, why);
    abort();
}

static void numbers(char **text, double *values, int n, const char *path, int line)
{
    for (int i = 0; i < n; i++) {
        char *end;
        values[i] = strtod(*text, &end);
        if (end == *text) stop(path, line, "a number is missing");
        *text = end;
    }
}

static caromVec3 vec_of(const double *v)
{
    return carom_vec(v[0], v[1], v[2]);
}

static void read_polytope(CaseShape *to, int n, const double *v, const char *path, int line)
{
    caromVec3 points[REF_POINTS_MAX];
    caromError err = { 0 };
    for (int i = 0; i < n; i++) points[i] = vec_of(v + 1 + 3*i);
    to->hull = carom_hull_create(points, n, v[0], &err);
    if (!to->hull) stop(path, line, err.message);
    to->shape = carom_shape_polytope(to->hull);
    to->core = malloc(sizeof *to->core);
    if (!to->core || !ref_polytope_of_shape(to->core, to->shape)) stop(path, line, "no polytope");
}

// "shape KIND SIZE SIZE SIZE ROUNDING" or "polytope POINTS ROUNDING X Y Z X Y Z ..."
static void read_shape(CaseSet *set, char *text, bool polytope, const char *path, int line)
{
    double v[1 + 3*REF_POINTS_MAX], head;
    if (set->nshape == CASE_SHAPES_MAX) stop(path, line, "too many shapes");
    CaseShape *to = &set->shapes[set->nshape++];
    numbers(&text, &head, 1, path, line);
    if (polytope) {
        if (!(head >= 4 && head <= REF_POINTS_MAX)) stop(path, line, "too many points");
        numbers(&text, v, 1 + 3*(int)head, path, line);
        read_polytope(to, (int)head, v, path, line);
    } else {
        numbers(&text, v, 4, path, line);
        to->shape = (caromShape){ .kind = (caromShapeKind)(int)head, .size = vec_of(v), .rounding = v[3] };
    }
}

static caromPose pose_of(const double *v)
{
    return carom_pose(carom_quat_matrix(carom_quat(v[0], v[1], v[2], v[3])), vec_of(v + 4));
}

// "case REGIME A B  w x y z  x y z  w x y z  x y z  g uncertainty  x y z spread"
static void read_case(CaseSet *set, int *room, char *text, const char *path, int line)
{
    double v[23];
    numbers(&text, v, 23, path, line);
    if (set->ncase == *room) {
        *room = *room ? 2**room : 1024;
        set->cases = realloc(set->cases, (size_t)*room*sizeof *set->cases);
        if (!set->cases) stop(path, line, "out of memory");
    }
    if (!(v[1] >= 0 && v[1] < set->nshape && v[2] >= 0 && v[2] < set->nshape && v[0] >= 0 && v[0] < REGIMES))
        stop(path, line, "no such shape or regime");
    set->cases[set->ncase++] = (Case){ (CaseRegime)(int)v[0], (int)v[1], (int)v[2], pose_of(v + 3), pose_of(v + 10),
                                       v[17], v[18], vec_of(v + 19), v[22] };
}

CaseSet *case_set_read(const char *path)
{
    static char text[8192];
    CaseSet *set = calloc(1, sizeof *set);
    FILE *file = fopen(path, "r");
    if (!set || !file) stop(path, 0, "cannot be read");
    int room = 0;
    for (int line = 1; fgets(text, sizeof text, file); line++) {
        if (text[0] == '#') continue;
        if (strncmp(text, "case ", 5) == 0) read_case(set, &room, text + 5, path, line);
        else if (strncmp(text, "shape ", 6) == 0) read_shape(set, text + 6, false, path, line);
        else if (strncmp(text, "polytope ", 9) == 0) read_shape(set, text + 9, true, path, line);
        else stop(path, line, "neither case nor shape");
    }
    fclose(file);
    return set;
}

void case_set_free(CaseSet *set)
{
    for (int i = 0; i < set->nshape; i++) {
        carom_hull_destroy(set->shapes[i].hull);
        free(set->shapes[i].core);
    }
    free(set->cases);
    free(set);
}

RefBody case_body(const CaseSet *set, int shape, caromPose X)
{
    return ref_body(set->shapes[shape].shape, X, set->shapes[shape].core);
}
