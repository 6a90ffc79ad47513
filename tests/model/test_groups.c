// Who may touch whom: groups, ignored pairs, joints, shapes that do not touch or do not weigh.
#include "carom/model.h"

#include <float.h>

#include "check.h"

// ---- random scenes, against the rules said plainly, for each pair by itself

enum { BODIES_MAX = 80, SHAPES_MAX = 4, JOINTS_MAX = 12, IGNORED_MAX = 6, MATERIALS = 6, PAIRS = 8 };

typedef struct TestBody {
    char name[8];
    bool fixed;
    const char *groups[2];
    int ngroup, nshape;
    caromShapeDef shapes[SHAPES_MAX];
} TestBody;

typedef struct Word { char text[16]; } Word;

typedef struct TestScene {
    TestBody bodies[BODIES_MAX];
    int nbody, njoint, nignored, npair;
    int joint[JOINTS_MAX][2];
    bool touch[JOINTS_MAX];
    Word ignored[IGNORED_MAX][2];
    caromPairDef pairs[PAIRS];
} TestScene;

static const char *const group_names[] = { "red", "green", "blue" };
static const char *const shape_names[SHAPES_MAX] = { "a", "b", "c", "d" };
static const char *const material_names[MATERIALS] = { "steel", "glass", "wood", "rubber", "putty", "felt" };

static Random draws;

static int draw(int n)
{
    return (int)random_uniform(&draws, 0, n);
}

static void make_shape(caromShapeDef *shape, int i)
{
    *shape = carom_model_shape_def(draw(8) == 0 ? carom_shape_half_space() : carom_shape_sphere(0.1));
    shape->name = shape_names[i];
    shape->material = material_names[draw(MATERIALS)];
    shape->touches = draw(6) != 0;
    shape->weighs = draw(6) != 0;
}

static void make_body(TestBody *body, int k)
{
    snprintf(body->name, sizeof body->name, "b%d", k);
    body->fixed = draw(3) == 0;
    body->ngroup = draw(3);
    int first = draw(3);
    for (int i = 0; i < body->ngroup; i++) body->groups[i] = group_names[(first + i) % 3];
    body->nshape = draw(SHAPES_MAX + 1);
    for (int i = 0; i < body->nshape; i++) make_shape(&body->shapes[i], i);
}

static Word make_word(const TestScene *s)
{
    Word word;
    const TestBody *body = &s->bodies[draw(s->nbody)];
    int kind = draw(10);
    if (kind < 4) snprintf(word.text, sizeof word.text, "%s", body->name);
    else if (kind < 8 && body->ngroup > 0) snprintf(word.text, sizeof word.text, "%s", body->groups[0]);
    else if (kind == 8 && body->nshape > 0)
        snprintf(word.text, sizeof word.text, "%s.%s", body->name, shape_names[draw(body->nshape)]);
    else snprintf(word.text, sizeof word.text, "%s", draw(4) == 0 ? "all" : body->name);
    return word;
}

static TestScene make_scene(uint64_t seed)
{
    TestScene s = { 0 };
    draws.state = seed;
    s.nbody = 2 + draw(BODIES_MAX - 1);
    for (int k = 0; k < s.nbody; k++) make_body(&s.bodies[k], k);
    s.njoint = draw(JOINTS_MAX + 1);
    for (int k = 0; k < s.njoint; k++) {
        s.joint[k][0] = draw(s.nbody < 5 ? s.nbody : 5);  // few, so that some have several joints between them
        s.joint[k][1] = (s.joint[k][0] + 1 + draw(s.nbody - 1)) % s.nbody;
        s.touch[k] = draw(3) == 0;
    }
    s.nignored = draw(IGNORED_MAX + 1);
    for (int k = 0; k < s.nignored; k++) for (int i = 0; i < 2; i++) s.ignored[k][i] = make_word(&s);
    for (int a = 0; a < MATERIALS && s.npair < PAIRS; a++) {
        for (int b = a; b < MATERIALS && s.npair < PAIRS; b++) {
            if (draw(3) != 0) continue;
            caromPairDef *pair = &s.pairs[s.npair++];
            *pair = draw(2) ? carom_model_pair_def(material_names[a], material_names[b])
                            : carom_model_pair_def(material_names[b], material_names[a]);
            if (draw(2)) pair->restitution = 0.001*draw(1000);
            if (draw(2)) pair->friction = 0.001*draw(1000);
            if (draw(2)) pair->rolling = 0.001*draw(1000);
        }
    }
    return s;
}

static caromSettings test_settings(void)
{
    caromSettings settings = carom_model_settings_def();
    settings.default_restitution = 0.7;
    settings.default_friction = 0.3;
    return settings;
}

// Everything that is given to the builder is gone when this returns.
static caromModel *build(const TestScene *s)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef putty = carom_model_material_def("putty"), felt = carom_model_material_def("felt");
    carom_builder_material(b, &putty);
    carom_builder_material(b, &felt);
    caromSettings settings = test_settings();
    carom_builder_settings(b, &settings);
    for (int k = 0; k < s->nignored; k++) carom_builder_ignore(b, s->ignored[k][0].text, s->ignored[k][1].text);
    for (int k = 0; k < s->nbody; k++) {
        caromBodyDef body = carom_model_body_def(s->bodies[k].name);
        body.fixed = s->bodies[k].fixed;
        body.shapes = s->bodies[k].shapes;
        body.nshape = s->bodies[k].nshape;
        body.groups = s->bodies[k].groups;
        body.ngroup = s->bodies[k].ngroup;
        body.mass = 1;
        body.inertia = carom_mat_diagonal(1, 1, 1);
        carom_builder_body(b, &body);
    }
    for (int k = 0; k < s->njoint; k++) {
        char name[8];
        snprintf(name, sizeof name, "j%d", k);
        caromJointDef joint = carom_model_joint_def(name, CAROM_JOINT_SPHERICAL);
        for (int i = 0; i < 2; i++) joint.body[i] = s->bodies[s->joint[k][i]].name;
        joint.touch = s->touch[k];
        carom_builder_joint(b, &joint);
    }
    for (int k = 0; k < s->npair; k++) carom_builder_pair(b, &s->pairs[k]);
    caromProblems problems = { 0 };
    caromModel *model;
    caromStatus status = carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++)
        if (!problems.items[i].is_warning) print_error("%s: %s\n", problems.items[i].path, problems.items[i].message);
    assert_int_equal(status, CAROM_OK);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

typedef struct Place { int body, shape; } Place;

static int list_places(const TestScene *s, Place *places)
{
    int n = 0;
    for (int k = 0; k < s->nbody; k++) for (int i = 0; i < s->bodies[k].nshape; i++) places[n++] = (Place){ k, i };
    return n;
}

static const caromShapeDef *shape_at(const TestScene *s, Place p)
{
    return &s->bodies[p.body].shapes[p.shape];
}

static bool can_meet(const TestScene *s, Place a, Place b)
{
    if (a.body == b.body || (s->bodies[a.body].fixed && s->bodies[b.body].fixed)) return false;
    return shape_at(s, a)->shape.kind != CAROM_HALF_SPACE || shape_at(s, b)->shape.kind != CAROM_HALF_SPACE;
}

static bool is_joined(const TestScene *s, Place a, Place b)
{
    bool joined = false;
    for (int k = 0; k < s->njoint; k++) {
        const int *body = s->joint[k];
        if (!((body[0] == a.body && body[1] == b.body) || (body[0] == b.body && body[1] == a.body))) continue;
        if (s->touch[k]) return false;
        joined = true;
    }
    return joined;
}

static bool is_meant(const TestScene *s, const char *word, Place p)
{
    char dotted[32];
    const TestBody *body = &s->bodies[p.body];
    snprintf(dotted, sizeof dotted, "%s.%s", body->name, shape_names[p.shape]);
    bool meant = strcmp(word, "all") == 0 || strcmp(word, body->name) == 0 || strcmp(word, dotted) == 0;
    for (int i = 0; i < body->ngroup; i++) meant |= strcmp(word, body->groups[i]) == 0;
    return meant;
}

static bool is_ignored_by(const TestScene *s, int k, Place a, Place b)
{
    const char *first = s->ignored[k][0].text, *second = s->ignored[k][1].text;
    return (is_meant(s, first, a) && is_meant(s, second, b)) || (is_meant(s, first, b) && is_meant(s, second, a));
}

static const caromPairDef *given_for(const TestScene *s, const char *a, const char *b)
{
    for (int k = 0; k < s->npair; k++) {
        const char *const *m = s->pairs[k].material;
        if ((strcmp(m[0], a) == 0 && strcmp(m[1], b) == 0) || (strcmp(m[0], b) == 0 && strcmp(m[1], a) == 0))
            return &s->pairs[k];
    }
    return NULL;
}

static void check_coefficient(double value, caromOrigin origin, double given, double known, double fallback)
{
    caromOrigin expected = !isnan(given) ? CAROM_ORIGIN_MODEL : !isnan(known) ? CAROM_ORIGIN_PALETTE
                                         : CAROM_ORIGIN_SETTINGS;
    assert_int_equal(origin, expected);
    CHECK_NEAR(value, !isnan(given) ? given : !isnan(known) ? known : fallback, 0);
}

static void check_coefficients(const TestScene *s, const caromPairInfo *info, Place a, Place b)
{
    const char *material[2] = { shape_at(s, a)->material, shape_at(s, b)->material };
    const caromPairDef none = carom_model_pair_def(material[0], material[1]);
    const caromPairDef *given = given_for(s, material[0], material[1]),
                       *known = carom_model_pair_palette_find(material[0], material[1]);
    if (!given) given = &none;
    if (!known) known = &none;
    caromSettings settings = test_settings();
    check_coefficient(info->restitution, info->origin[CAROM_COEFFICIENT_RESTITUTION], given->restitution,
                      known->restitution, settings.default_restitution);
    check_coefficient(info->friction, info->origin[CAROM_COEFFICIENT_FRICTION], given->friction, known->friction,
                      settings.default_friction);
    check_coefficient(info->rolling, info->origin[CAROM_COEFFICIENT_ROLLING], given->rolling, known->rolling,
                      settings.default_rolling);
}

static int check_scene(const TestScene *s)
{
    caromModel *model = build(s);
    Place places[BODIES_MAX*SHAPES_MAX];
    int nplace = list_places(s, places), npair = 0, nignored[IGNORED_MAX] = { 0 };
    caromLeftOut expected = { 0 }, found = carom_model_left_out(model);
    for (int i = 0; i < nplace; i++) {
        for (int j = i + 1; j < nplace; j++) {
            Place a = places[i], b = places[j];
            bool is_ignored = false;
            if (!can_meet(s, a, b)) continue;
            if (!shape_at(s, a)->touches || !shape_at(s, b)->touches) expected.by_shape++;
            else if (is_joined(s, a, b)) expected.by_joint++;
            else {
                for (int k = 0; k < s->nignored; k++) {
                    if (!is_ignored_by(s, k, a, b)) continue;
                    is_ignored = true;
                    nignored[k]++;
                }
                expected.by_ignore += is_ignored;
                if (is_ignored) continue;
                assert_true(npair < carom_model_pair_count(model));
                caromPairInfo info = carom_model_pair(model, npair++);
                assert_true(info.shape[0] == i && info.shape[1] == j);
                check_coefficients(s, &info, a, b);
            }
        }
    }
    assert_int_equal(carom_model_pair_count(model), npair);
    assert_true(found.by_shape == expected.by_shape && found.by_joint == expected.by_joint &&
                found.by_ignore == expected.by_ignore);
    assert_int_equal(carom_model_ignored_count(model), s->nignored);
    for (int k = 0; k < s->nignored; k++) {
        caromIgnoredInfo info = carom_model_ignored(model, k);
        for (int i = 0; i < 2; i++) assert_string_equal(info.name[i], s->ignored[k][i].text);
        assert_int_equal(info.npair, nignored[k]);
    }
    carom_model_destroy(model);
    return npair;
}

// Scenes of up to 320 shapes: rows of the square have up to five words.
static void pairs_are_those_that_the_rules_leave(void **state)
{
    (void)state;
    int total = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TestScene s = make_scene(seed*0x9e3779b97f4a7c15u);
        total += check_scene(&s);
    }
    assert_true(total > 100000);
}

static void a_model_keeps_groups_and_purposes(void **state)
{
    (void)state;
    TestScene s = make_scene(7);
    caromModel *model = build(&s);
    Place places[BODIES_MAX*SHAPES_MAX];
    int nplace = list_places(&s, places);
    for (int32_t k = 0; k < s.nbody; k++) {
        assert_int_equal(carom_model_body_group_count(model, (caromBodyId){ k }), s.bodies[k].ngroup);
        for (int i = 0; i < s.bodies[k].ngroup; i++)
            assert_string_equal(carom_model_body_group(model, (caromBodyId){ k }, i), s.bodies[k].groups[i]);
    }
    for (int i = 0; i < nplace; i++) {
        caromShapeInfo info = carom_model_shape(model, i);
        assert_true(info.touches == shape_at(&s, places[i])->touches && info.weighs == shape_at(&s, places[i])->weighs);
    }
    for (int k = 0; k < s.njoint; k++) assert_int_equal(carom_model_joint(model, k).touch, s.touch[k]);
    carom_model_destroy(model);
}

// ---- mass

static caromModel *model_of(const caromShapeDef *shapes, int n, double mass)
{
    caromBuilder *b = carom_builder_create();
    caromBodyDef body = carom_model_body_def("part");
    body.material = "steel";
    body.shapes = shapes;
    body.nshape = n;
    body.mass = mass;
    carom_builder_body(b, &body);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

// A part that is weighed as a box and touches with two spheres is as heavy as the box alone, to the last bit; given a
// mass, its inertia too.
static void mass_is_that_of_shapes_that_weigh(void **state)
{
    (void)state;
    caromShapeDef shapes[3] = {
        carom_model_shape_def(carom_shape_sphere(0.2)), carom_model_shape_def(carom_shape_box(0.1, 0.2, 0.3)),
        carom_model_shape_def(carom_shape_sphere(0.3))
    };
    shapes[0].name = "left";
    shapes[0].weighs = shapes[2].weighs = false;
    shapes[0].p_BS.x = 1;
    shapes[1].touches = false;
    shapes[2].name = "right";
    for (int given = 0; given < 2; given++) {
        caromModel *all = model_of(shapes, 3, given ? 5 : NAN), *box = model_of(&shapes[1], 1, given ? 5 : NAN);
        caromMassProps a = carom_model_body_mass(all, (caromBodyId){ 0 }),
                       b = carom_model_body_mass(box, (caromBodyId){ 0 });
        CHECK_NEAR(a.mass, b.mass, 0);
        CHECK_VEC(a.com, b.com, 0.0);
        CHECK_VEC(a.inertia.cx, b.inertia.cx, 0.0);
        CHECK_VEC(a.inertia.cy, b.inertia.cy, 0.0);
        CHECK_VEC(a.inertia.cz, b.inertia.cz, 0.0);
        CHECK_NEAR(a.mass, given ? 5 : 7850*0.1*0.2*0.3, 4*DBL_EPSILON*50);  // a few roundings of 47.1
        carom_model_destroy(all);
        carom_model_destroy(box);
    }
}

// ---- problems

static void add_ball(caromBuilder *b, const char *name, const char *const *groups, int ngroup)
{
    caromShapeDef shape = carom_model_shape_def(carom_shape_sphere(0.1));
    caromBodyDef body = carom_model_body_def(name);
    body.material = "steel";
    body.shapes = &shape;
    body.nshape = 1;
    body.groups = groups;
    body.ngroup = ngroup;
    carom_builder_body(b, &body);
}

static void expect_problem(const caromProblems *problems, bool is_warning, const char *path, const char *message)
{
    for (int i = 0; i < problems->count; i++) {
        const caromProblem *p = &problems->items[i];
        if (p->is_warning == is_warning && strcmp(p->path, path) == 0 && strcmp(p->message, message) == 0) return;
    }
    for (int i = 0; i < problems->count; i++)
        print_error("have: %s: %s\n", problems->items[i].path, problems->items[i].message);
    fail_msg("missing: %s: %s", path, message);
}

static void every_problem_has_its_path(void **state)
{
    (void)state;
    static const char *const wrong[] = { "all", NULL, "two", "a b", "odd", "odd" };
    caromBuilder *b = carom_builder_create();
    add_ball(b, "one", wrong, 6);
    add_ball(b, "two", NULL, 0);
    carom_builder_ignore(b, "one", NULL);
    carom_builder_ignore(b, "one", "tow");
    carom_builder_ignore(b, "one.shpae", "two.shape");
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_ERR_MODEL);
    expect_problem(&problems, false, "bodies.one.groups", "'all' stands for all bodies in contact.ignore: "
                   "choose another name for this group");
    expect_problem(&problems, false, "bodies.one.groups", "group name '' is not allowed: expected a letter, "
                   "then letters, digits, '_' or '-', at most 63 in all");
    expect_problem(&problems, false, "bodies.one.groups", "group 'two' has the name of a body: choose another");
    expect_problem(&problems, false, "bodies.one.groups", "group name 'a b' is not allowed: expected a letter, "
                   "then letters, digits, '_' or '-', at most 63 in all");
    expect_problem(&problems, false, "bodies.one.groups", "group 'odd' is given twice");
    expect_problem(&problems, true, "bodies.one.groups", "group 'odd' has no effect: contact.ignore does not have it");
    expect_problem(&problems, false, "contact.ignore.0", "an ignored pair needs two names");
    expect_problem(&problems, false, "contact.ignore.1.1", "unknown body or group 'tow', did you mean 'two'?");
    expect_problem(&problems, false, "contact.ignore.2.0", "body 'one' has no shape 'shpae', did you mean 'shape'?");
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

// The nearest of more names than are compared at once.
static void the_nearest_of_many_names_is_found(void **state)
{
    (void)state;
    caromBuilder *b = carom_builder_create();
    static const char *const group[] = { "conveyor" };
    for (int i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "grain-%03d", i);
        add_ball(b, name, group, i == 150);
    }
    carom_builder_ignore(b, "conveyer", "all");
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_ERR_MODEL);
    expect_problem(&problems, false, "contact.ignore.0.0",
                   "unknown body or group 'conveyer', did you mean 'conveyor'?");
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

// 2000 bodies and 2000 ignored pairs are allowed, one more of these is not.
static void there_may_be_many_pairs(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        caromBuilder *b = carom_builder_create();
        char names[2][16];
        static const char *const group[] = { "odd" };
        for (int i = 0; i < CAROM_SHAPES_MAX; i++) {
            snprintf(names[0], sizeof names[0], "b%d", i);
            add_ball(b, names[0], group, i % 2);
        }
        carom_builder_ignore(b, "odd", "odd");
        for (int i = 0; i < CAROM_SHAPES_MAX - 1 + more; i++) {  // an even one with the odd one behind it
            snprintf(names[0], sizeof names[0], "b%d", i & ~1);
            snprintf(names[1], sizeof names[1], "b%d", i | 1);
            carom_builder_ignore(b, names[i & 1], names[!(i & 1)]);
        }
        caromProblems problems = { 0 };
        caromModel *model;
        assert_int_equal(carom_builder_finish(b, &problems, &model), more ? CAROM_ERR_MODEL : CAROM_OK);
        if (more) assert_string_equal(problems.items[0].path, "contact.ignore");
        else {
            int odd = CAROM_SHAPES_MAX/2;
            assert_int_equal(carom_model_pair_count(model),
                             CAROM_SHAPES_MAX*(CAROM_SHAPES_MAX - 1)/2 - odd*(odd - 1)/2 - odd);
            assert_int_equal(carom_model_ignored(model, 0).npair, odd*(odd - 1)/2);
            expect_problem(&problems, true, "contact.ignore.2", "b1 and b0 are ignored twice");
        }
        carom_problems_free(&problems);
        carom_model_destroy(model);
        carom_builder_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_that_the_rules_leave),
        cmocka_unit_test(a_model_keeps_groups_and_purposes),
        cmocka_unit_test(mass_is_that_of_shapes_that_weigh),
        cmocka_unit_test(every_problem_has_its_path),
        cmocka_unit_test(the_nearest_of_many_names_is_found),
        cmocka_unit_test(there_may_be_many_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
