// Everything that can be wrong with definitions, each problem with the path of the thing it concerns.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/names.h"
#include "carom/mesh.h"
#include "geometry/geometry.h"
#include "model/check.h"

static void check_settings(const caromSettings *s, caromProblems *problems)
{
    carom_model_check_finite(problems, carom_model_path_of("gravity"), "gravity", s->gravity);
    if (!isnan(s->default_restitution))
        carom_model_check_range(problems, carom_model_path_of("contact.restitution"), "restitution",
                                s->default_restitution, 0, 1);
    if (!isnan(s->default_friction))
        carom_model_check_not_negative(problems, carom_model_path_of("contact.friction"), "friction",
                                       s->default_friction);
    if (!isnan(s->default_static_friction)) {
        carom_model_check_not_negative(problems, carom_model_path_of("contact.static_friction"), "static friction",
                                       s->default_static_friction);
        carom_model_check_static_friction(problems, carom_model_path_of("contact.static_friction"),
                                          s->default_static_friction, s->default_friction, "");
    }
    carom_model_check_not_negative(problems, carom_model_path_of("contact.rolling"), "rolling resistance",
                                   s->default_rolling);
    if (!isnan(s->default_torsion))
        carom_model_check_not_negative(problems, carom_model_path_of("contact.torsion"), "resistance to spinning",
                                       s->default_torsion);
    carom_model_check_range(problems, carom_model_path_of("contact.rest_damping"), "damping at rest", s->rest_damping,
                            0, 1);
    carom_model_check_positive(problems, carom_model_path_of("contact.v_small"), "v_small", s->v_small, " m/s");
    carom_model_check_positive(problems, carom_model_path_of("contact.w_small"), "w_small", s->w_small, " rad/s");
    carom_model_check_positive(problems, carom_model_path_of("contact.k_red"), "k_red", s->k_red, "");
    carom_model_check_positive(problems, carom_model_path_of("simulate.until"), "end time", s->until, " s");
    carom_model_check_range(problems, carom_model_path_of("simulate.tolerance"), "tolerance", s->tolerance, 1e-12,
                            1e-2);
    if (!isnan(s->every))
        carom_model_check_positive(problems, carom_model_path_of("simulate.every"), "output interval", s->every, " s");
    if (s->every > 0 && s->until/s->every > 1e8) {
        carom_model_check_error(problems, carom_model_path_of("simulate.every"), "output interval %g s gives more than "
                                "1e8 samples until %g s: choose a longer one", s->every, s->until);
    }
    carom_model_check_positive(problems, carom_model_path_of("simulate.results"), "size of results", s->results, " B");
    carom_model_check_default_damping(problems, s->damping);
    if ((unsigned)s->friction_law >= CAROM_FRICTION_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.friction_law"), "unknown friction law %d",
                                (int)s->friction_law);
    if ((unsigned)s->too_deep >= CAROM_DEEP_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.too_deep"), "unknown way %d with what is too "
                                "deep", (int)s->too_deep);
    carom_model_check_impacts(problems, s);
    if ((unsigned)s->method >= CAROM_METHOD_KINDS)
        carom_model_check_error(problems, carom_model_path_of("simulate.method"), "unknown method %d", (int)s->method);
}

static void check_material(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromMaterialDef *m = &b->materials[k];
    caromPath path = carom_model_path_of("materials.%.63s", m->name ? m->name : "");
    carom_model_check_name(problems, path, "material", m->name);
    for (int i = 0; i < k; i++) {
        if (m->name && b->materials[i].name && strcmp(m->name, b->materials[i].name) == 0)
            carom_model_check_error(problems, path, "material '%.63s' is defined twice", m->name);
    }
    carom_model_check_positive(problems, carom_model_path_of("%s.density", path.text), "density", m->density,
                               " kg/m^3");
    carom_model_check_positive(problems, carom_model_path_of("%s.E", path.text), "Young's modulus", m->E, " Pa");
    if (isfinite(m->E) && m->E > 1e15) {
        carom_model_check_error(problems, carom_model_path_of("%s.E", path.text), "Young's modulus %g Pa is far above "
                                "that of any material (diamond: 1.2e12 Pa): check its unit", m->E);
    }
    if (!(m->nu > -1.0 && m->nu <= 0.5)) {
        carom_model_check_error(problems, carom_model_path_of("%s.nu", path.text),
                                "Poisson's ratio %g is out of range: expected more than -1 and at most 0.5", m->nu);
    }
}

static bool has_whole_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = text; *s; s++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)s[i]) == tolower((unsigned char)word[i])) i++;
        bool is_start = s == text || !isalnum((unsigned char)s[-1]);
        if (i == n && is_start && !isalnum((unsigned char)s[n])) return true;
    }
    return false;
}

// Built-in material that alone has this word in what it is: Teflon is ptfe. NULL: none or several ("pure").
static const char *material_described_as(const char *word)
{
    const char *name = NULL;
    for (int i = 0; word[0] && carom_model_material_info(i); i++) {
        const caromMaterialInfo *m = carom_model_material_info(i);
        if (!has_whole_word(m->title, word)) continue;
        if (name) return NULL;
        name = m->def.name;
    }
    return name;
}

static const char *material_meant(const caromBuilder *b, const char *name)
{
    const char *known[128], *described = material_described_as(name);
    int n = 0;
    for (int i = 0; i < b->nmaterial && n < 64; i++) if (b->materials[i].name) known[n++] = b->materials[i].name;
    for (int i = 0; carom_model_material_palette(i) && n < 128; i++) known[n++] = carom_model_material_palette(i)->name;
    return described ? described : carom_nearest_name(name, known, n);
}

static void check_known_material(const caromBuilder *b, caromProblems *problems, caromPath path, const char *name)
{
    if (carom_builder_find_material(b, name)) return;
    const char *meant = material_meant(b, name);
    if (meant)
        carom_model_check_error(problems, path, "unknown material '%.63s', did you mean '%s'? ('carom materials' lists "
                                "the built-in ones)", name, meant);
    else
        carom_model_check_error(problems, path, "unknown material '%.63s': define it under materials, "
                                "or use a built-in one ('carom materials' lists them)", name);
}

static bool same_pair(const caromPairDef *a, const caromPairDef *b)
{
    return (strcmp(a->material[0], b->material[0]) == 0 && strcmp(a->material[1], b->material[1]) == 0) ||
           (strcmp(a->material[0], b->material[1]) == 0 && strcmp(a->material[1], b->material[0]) == 0);
}

static void check_pair(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromPairDef *p = &b->pairs[k];
    caromPath path = carom_model_path_of("pairs.%d", k);
    if (!p->material[0] || !p->material[1]) {
        carom_model_check_error(problems, path, "a pair needs two materials");
        return;
    }
    for (int i = 0; i < 2; i++)
        check_known_material(b, problems, carom_model_path_of("pairs.%d.between", k), p->material[i]);
    for (int i = 0; i < k; i++) {
        if (b->pairs[i].material[0] && b->pairs[i].material[1] && same_pair(p, &b->pairs[i])) {
            carom_model_check_error(problems, path, "the pair %.63s - %.63s is given twice", p->material[0],
                                    p->material[1]);
        }
    }
    carom_model_check_restitution(p, k, problems);
    if (!isnan(p->friction))
        carom_model_check_not_negative(problems, carom_model_path_of("pairs.%d.friction", k), "friction", p->friction);
    if (!isnan(p->rolling))
        carom_model_check_not_negative(problems, carom_model_path_of("pairs.%d.rolling", k), "rolling resistance",
                                       p->rolling);
    if (!isnan(p->torsion))
        carom_model_check_not_negative(problems, carom_model_path_of("pairs.%d.torsion", k), "resistance to spinning",
                                       p->torsion);
    carom_model_check_impact_law(problems, k, p->impact_law);
    carom_builder_check_law(b, k, problems);
}

// Each dimension by itself, then what they are together: a rounding that leaves something, a hull.
static void check_dimensions(const caromShape *shape, const caromShapeRow *row, caromPath path, caromProblems *problems)
{
    int errors_before = problems->errors;
    for (int i = 0; i < 3; i++) {
        const caromDimension *dimension = &row->dimensions[row->is_vector ? 0 : i];
        const char *key = dimension->name;
        if (!key) continue;
        caromPath at = carom_model_path_of("%s.%s", path.text, key);
        double value = carom_at(shape->size, i);
        if (!dimension->may_be_zero) carom_model_check_positive(problems, at, key, value, " m");
        else if (!(isfinite(value) && value >= 0.0))
            carom_model_check_error(problems, at, "%s %g m is negative or not finite: expected 0 or more", key, value);
    }
    caromError err = { 0 };
    if (problems->errors > errors_before || carom_shape_check(*shape, &err) == CAROM_OK) return;
    carom_model_check_error(problems, err.where[0] ? carom_model_path_of("%s.%s", path.text, err.where) : path, "%s",
                            err.message);
}

static void check_shape(const caromBuilder *b, const caromBodyDef *body, int k, caromProblems *problems)
{
    const caromShapeDef *s = &body->shapes[k];
    caromPath path = carom_model_path_of("bodies.%.63s.shapes.%.63s", body->name, s->name ? s->name : "");
    carom_model_check_name(problems, path, "shape", s->name);
    for (int i = 0; i < k; i++) {
        if (s->name && body->shapes[i].name && strcmp(s->name, body->shapes[i].name) == 0)
            carom_model_check_error(problems, path, "shape '%.63s' is defined twice", s->name);
    }
    bool is_alone = s->stands_for != NULL;
    for (int i = 0; i < k && is_alone; i++)
        is_alone = !body->shapes[i].name || strcmp(s->stands_for, body->shapes[i].name) != 0;
    if (is_alone)
        carom_model_check_error(problems, path, "stands for '%.63s', which is no shape before it in the body",
                                s->stands_for);
    const caromShapeRow *row = carom_shape_row(s->shape.kind);
    if (!row) {
        carom_model_check_error(problems, path, "unknown shape kind %d", (int)s->shape.kind);
        return;
    }
    check_dimensions(&s->shape, row, path, problems);
    carom_model_check_finite(problems, carom_model_path_of("%s.position", path.text), "position", s->p_BS);
    carom_model_check_rotation(problems, carom_model_path_of("%s.orientation", path.text), s->q_BS);
    if (!(isfinite(s->shell) && s->shell >= 0.0))
        carom_model_check_error(problems, carom_model_path_of("%s.shell", path.text),
                                "shell %g m is negative or not finite: expected 0 or more", s->shell);
    if (!(isfinite(s->samples) && s->samples >= 0.0))
        carom_model_check_error(problems, carom_model_path_of("%s.samples", path.text), "samples %g m are negative or "
                                "not finite: expected the distance of the points, or 0 for none", s->samples);
    else if (s->samples > 0.0 && !row->is_bounded)
        carom_model_check_error(problems, carom_model_path_of("%s.samples", path.text), "a %s has no end, "
                                "so that points cannot cover it: give samples to the shapes that touch it", row->name);
    const char *material = carom_model_shape_material(body, s);
    if (!material)
        carom_model_check_error(problems, path, "no material: give one to the body '%.63s' or to the shape",
                                body->name);
    else
        check_known_material(b, problems, carom_model_path_of(s->material ? "%s.material" : "bodies.%.63s.material",
                                                              s->material ? path.text : body->name), material);
}

static bool is_given(caromMat3 m)
{
    return !(isnan(m.cx.x) && isnan(m.cy.y) && isnan(m.cz.z));
}

static double largest_entry(caromMat3 m)
{
    double largest = 0.0;
    const caromVec3 columns[3] = { m.cx, m.cy, m.cz };
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, fmax(fabs(columns[i].x), fmax(fabs(columns[i].y), fabs(columns[i].z))));
    return largest;
}

// Products of inertia that were computed in another order differ by rounding; more than that is a slip, and which of
// the two entries was meant nobody knows.
static bool is_symmetric(caromProblems *problems, caromPath path, caromMat3 m)
{
    const char *const names[3][2] = { { "Ixy", "Iyx" }, { "Ixz", "Izx" }, { "Iyz", "Izy" } };
    const double pairs[3][2] = { { m.cy.x, m.cx.y }, { m.cz.x, m.cx.z }, { m.cz.y, m.cy.z } };
    double allowed = 1e-9*largest_entry(m);
    bool good = true;
    for (int i = 0; i < 3; i++) {
        if (fabs(pairs[i][0] - pairs[i][1]) <= allowed) continue;
        carom_model_check_error(problems, path, "inertia is not symmetric: %s %g and %s %g kg m^2 must be equal",
                                names[i][0], pairs[i][0], names[i][1], pairs[i][1]);
        good = false;
    }
    return good;
}

static void check_inertia(caromProblems *problems, caromPath path, caromMat3 m)
{
    if (!carom_is_finite3(m.cx) || !carom_is_finite3(m.cy) || !carom_is_finite3(m.cz)) {
        carom_model_check_error(problems, path, "inertia has a component that is not a finite number");
        return;
    }
    if (!is_symmetric(problems, path, m)) return;
    caromVec3 moments = carom_geometry_principal_axes(m, NULL);
    if (!(moments.x > 0.0)) {
        carom_model_check_error(problems, path, "inertia is not positive definite: its smallest principal "
                                "moment is %g kg m^2", moments.x);
        return;
    }
    // Each principal moment is at most the sum of the others; a lamina reaches equality, so rounding is allowed for.
    if (moments.z > (moments.x + moments.y)*(1.0 + 1e-9)) {
        carom_model_check_error(problems, path, "inertia violates the triangle inequality: principal moments %g, %g, "
                                "%g kg m^2, and no body has one above the sum of the others", moments.x, moments.y,
                                moments.z);
    }
}

typedef enum Substance { WITHOUT_BOUNDED_SHAPE, WITHOUT_WEIGHT, WITH_WEIGHT } Substance;

static Substance substance_of(const caromBodyDef *body)
{
    Substance found = WITHOUT_BOUNDED_SHAPE;
    for (int i = 0; i < body->nshape; i++) {
        const caromShapeRow *row = carom_shape_row(body->shapes[i].shape.kind);
        if (!row || !row->is_bounded) continue;
        if (body->shapes[i].weighs) return WITH_WEIGHT;
        found = WITHOUT_WEIGHT;
    }
    return found;
}

static void check_mass(const caromBodyDef *body, caromProblems *problems)
{
    bool mass_given = !isnan(body->mass), inertia_given = is_given(body->inertia), com_given = !isnan(body->com.x);
    if (mass_given)
        carom_model_check_positive(problems, carom_model_path_of("bodies.%.63s.mass", body->name), "mass", body->mass,
                                   " kg");
    if (inertia_given) check_inertia(problems, carom_model_path_of("bodies.%.63s.inertia", body->name), body->inertia);
    if (com_given)
        carom_model_check_finite(problems, carom_model_path_of("bodies.%.63s.com", body->name), "com", body->com);
    if (!mass_given && inertia_given)
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.inertia", body->name),
                                "inertia is given without mass: give both or neither");
    if (!mass_given && com_given)
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.com", body->name),
                                "com is given without mass: give both or neither");
    Substance substance = substance_of(body);
    if (body->fixed || substance == WITH_WEIGHT) return;
    const char *which = substance == WITHOUT_WEIGHT ? "bounded shape that weighs" : "bounded shape";
    if (!mass_given)
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s", body->name), "a free body without a %s "
                                "has no mass: give mass and inertia, or set fixed: true", which);
    else if (!inertia_given)
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s", body->name),
                                "a free body without a %s has no inertia: give it beside mass", which);
}

static void describe_open(const caromMeshReport *r, char *text, size_t n)
{
    if (r->open_edges > 0)
        snprintf(text, n, "%d of its edges %s one triangle only, so that the surface has holes", r->open_edges,
                 r->open_edges == 1 ? "has" : "have");
    else if (!r->is_oriented) snprintf(text, n, "it has no outside, as neighbours face different sides");
    else snprintf(text, n, "there are edges with an odd number of triangles");
}

// A surface that does not close has nothing inside that could weigh: a body that moves cannot do with it unless
// nothing is asked of it.
static void check_open_meshes(const caromBodyDef *body, caromProblems *problems)
{
    bool is_given_all = !isnan(body->mass) && !isnan(body->com.x) && is_given(body->inertia);
    for (int i = 0; i < body->nshape && !body->fixed && !is_given_all; i++) {
        const caromShapeDef *s = &body->shapes[i];
        if (!s->weighs || s->shape.kind != CAROM_MESH || !s->shape.mesh || carom_shape_volume(s->shape) > 0.0) continue;
        char why[120];
        describe_open(carom_mesh_report(s->shape.mesh), why, sizeof why);
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.shapes.%.63s", body->name,
                                                              s->name ? s->name : ""), "the mesh is not closed and has "
                                "no mass: %s; close it, or give the body mass, com and inertia", why);
    }
}

static void check_body(const caromBuilder *b, int k, caromProblems *problems)
{
    const caromBodyDef *body = &b->bodies[k];
    caromPath path = carom_model_path_of("bodies.%.63s", body->name ? body->name : "");
    carom_model_check_name(problems, path, "body", body->name);
    if (!body->name) return;
    if (strcmp(body->name, "world") == 0)
        carom_model_check_error(problems, path, "'world' is the name of the fixed frame: choose another name "
                                "for this body");
    for (int i = 0; i < k; i++) {
        if (b->bodies[i].name && strcmp(body->name, b->bodies[i].name) == 0)
            carom_model_check_error(problems, path, "body '%.63s' is defined twice", body->name);
    }
    carom_model_check_finite(problems, carom_model_path_of("%s.position", path.text), "position", body->p_WB);
    carom_model_check_finite(problems, carom_model_path_of("%s.velocity", path.text), "velocity", body->v_WB);
    carom_model_check_finite(problems, carom_model_path_of("%s.angular_velocity", path.text), "angular velocity",
                             body->w_WB);
    carom_model_check_rotation(problems, carom_model_path_of("%s.orientation", path.text), body->q_WB);
    if (body->fixed && carom_norm2(body->v_WB) > 0.0)
        carom_model_check_error(problems, carom_model_path_of("%s.velocity", path.text),
                                "a fixed body cannot have a velocity");
    if (body->fixed && carom_norm2(body->w_WB) > 0.0)
        carom_model_check_error(problems, carom_model_path_of("%s.angular_velocity", path.text),
                                "a fixed body cannot have an angular velocity");
    for (int i = 0; i < body->nshape; i++) check_shape(b, body, i, problems);
    check_mass(body, problems);
    check_open_meshes(body, problems);
}

static const char *other_half_space(const caromBuilder *b, const caromBodyDef *body)
{
    for (int k = 0; k < b->nbody; k++) {
        const caromBodyDef *other = &b->bodies[k];
        for (int i = 0; i < other->nshape; i++)
            if (other != body && other->name && other->shapes[i].touches &&
                other->shapes[i].shape.kind == CAROM_HALF_SPACE) return other->name;
    }
    return NULL;
}

// Two half-spaces overlap in an infinite region unless they are exactly parallel, so there is no gap to speak of
// between them and they are no pair for collide. A model that relies on it falls through the floor without a word.
static void warn_of_half_spaces(const caromBuilder *b, const caromBodyDef *body, caromProblems *problems)
{
    if (body->fixed || !body->name) return;
    for (int i = 0; i < body->nshape; i++) {
        if (body->shapes[i].shape.kind != CAROM_HALF_SPACE || !body->shapes[i].touches) continue;
        const char *other = other_half_space(b, body);
        if (!other) return;
        caromPath path = carom_model_path_of("bodies.%.63s.shapes.%.63s", body->name,
                                             body->shapes[i].name ? body->shapes[i].name : "");
        carom_problem_add(problems, true, path.text, "two half-spaces never touch each other: this one passes through "
                          "that of '%.63s'; use a box", other);
    }
}

// Every two shapes are a candidate pair, so their number is bounded (and with it the time of the checks for
// duplicates).
static bool is_too_large(const caromBuilder *b, caromProblems *problems)
{
    int nshape = 0;
    for (int k = 0; k < b->nbody && nshape <= CAROM_SHAPES_MAX; k++) nshape += b->bodies[k].nshape;
    const char *path = nshape > CAROM_SHAPES_MAX || b->nbody > CAROM_SHAPES_MAX ? "bodies"
                       : b->nmaterial > CAROM_SHAPES_MAX                       ? "materials"
                       : b->npair > CAROM_SHAPES_MAX                           ? "pairs"
                       : b->njoint > CAROM_SHAPES_MAX                          ? "joints"
                       : b->nspring > CAROM_SHAPES_MAX                         ? "springs"
                       : b->nforce > CAROM_SHAPES_MAX                          ? "forces"
                       : b->nignored > CAROM_SHAPES_MAX                        ? "contact.ignore"
                                                                               : NULL;
    if (!path) return false;
    carom_problem_add(problems, false, path, "the model is too large: at most %d bodies, shapes, materials, pairs, "
                      "joints, springs, forces and ignored pairs each", CAROM_SHAPES_MAX);
    return true;
}

void carom_builder_check(const caromBuilder *b, caromProblems *problems)
{
    if (is_too_large(b, problems)) return;
    if (b->out_of_memory) carom_problem_add(problems, false, "", "out of memory while the model was defined");
    check_settings(&b->settings, problems);
    for (int k = 0; k < b->nmaterial; k++) check_material(b, k, problems);
    for (int k = 0; k < b->npair; k++) check_pair(b, k, problems);
    for (int k = 0; k < b->nbody; k++) check_body(b, k, problems);
    for (int k = 0; k < b->nbody; k++) warn_of_half_spaces(b, &b->bodies[k], problems);
    carom_builder_check_joints(b, problems);
    carom_builder_check_groups(b, problems);
    if (b->nbody == 0) carom_problem_add(problems, false, "bodies", "the model has no bodies");
}
