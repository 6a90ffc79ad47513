// Every two kinds of shapes meet centrally: two bodies that do not turn approach each other along the line through
// their centres of mass, and touch where that line leaves them. The restitution that is measured, of the centres, is
// the one that was asked for.
//
// Rigid: to rounding, and what groups of contacts are solved to. Compliant: force and damping are F(d) (1 + c d')
// whatever the shapes, and for the right c the rebound is e whatever F is; what is left is the error of the
// integration, some tolerances of v0. Points of surfaces and tiles lie where they lie, not the same all around, so that
// what presses by them turns a little: it is not asked for here.
#include "carom/mesh.h"
#include "patch/table.h"
#include "scene.h"

static const double R = 0.05, speed = 1, far = 1.0;  // [m], [m/s], [m]

typedef enum Form { SMOOTH, FLAT, RING, TIP } Form;

// A shape, and the direction from its centre of mass in which it is hit. About it the shape is the same after each
// fold-th part of a turn; 0: after any.
typedef struct Side {
    const char *name;
    caromShape shape;
    caromVec3 out;
    Form form;
    int fold;
} Side;

enum { SIDES_MAX = 32 };

typedef struct Sides {
    int n;
    Side all[SIDES_MAX];
    caromHull *hull;
    caromMesh *mesh, *field, *sheet;
} Sides;

static void add(Sides *s, Side side)
{
    assert_true(s->n < SIDES_MAX);
    side.out = carom_unit_or(side.out, carom_vec(0, 0, 1));
    s->all[s->n++] = side;
}

static const caromVec3 up = { 0, 0, 1 }, down = { 0, 0, -1 }, aside = { 1, 0, 0 }, askew = { 1, 1, 1 };

static void add_round(Sides *s)
{
    caromShape capsule = carom_shape_capsule(0.6*R, R), torus = carom_shape_torus(0.7*R, 0.3*R);
    add(s, (Side){ "sphere", carom_shape_sphere(R), askew, SMOOTH, 0 });
    add(s, (Side){ "ellipsoid", carom_shape_ellipsoid(R, 0.8*R, 0.6*R), up, SMOOTH, 2 });
    add(s, (Side){ "capsule's end", capsule, up, SMOOTH, 0 });
    add(s, (Side){ "capsule's side", capsule, aside, SMOOTH, 2 });
    add(s, (Side){ "torus' side", torus, aside, SMOOTH, 2 });
    add(s, (Side){ "torus, flat", torus, up, RING, 0 });
}

static void add_sharp(Sides *s)
{
    caromShape cylinder = carom_shape_cylinder(0.9*R, 1.2*R), cone = carom_shape_cone(0.9*R, 0, 1.5*R),
               box = carom_shape_box(2*R, 2*R, 2*R);
    add(s, (Side){ "cylinder's side", cylinder, aside, SMOOTH, 2 });
    add(s, (Side){ "cylinder's end", cylinder, up, FLAT, 0 });
    add(s, (Side){ "rounded cylinder's end", carom_shape_rounded(cylinder, 0.2*R), up, FLAT, 0 });
    add(s, (Side){ "rounded cone's tip", carom_shape_rounded(cone, 0.1*R), up, SMOOTH, 0 });
    add(s, (Side){ "cone's tip", cone, up, TIP, 0 });
    add(s, (Side){ "cone's end", cone, down, FLAT, 0 });
    add(s, (Side){ "box' face", box, up, FLAT, 4 });
    add(s, (Side){ "box' corner", box, askew, TIP, 3 });
    add(s, (Side){ "rounded box' face", carom_shape_rounded(box, 0.2*R), up, FLAT, 4 });
    add(s, (Side){ "rounded box' corner", carom_shape_rounded(box, 0.2*R), askew, TIP, 3 });
    add(s, (Side){ "half-space", carom_shape_half_space(), up, FLAT, 0 });
}

// An octahedron, the triangles of a cube, and a hill in the middle of a field.
static void add_polyhedra(Sides *s)
{
    const caromVec3 corners[] = { { R, 0, 0 }, { -R, 0, 0 }, { 0, R, 0 }, { 0, -R, 0 }, { 0, 0, R }, { 0, 0, -R } };
    caromVec3 v[8];
    for (int i = 0; i < 8; i++) v[i] = carom_vec(i & 1 ? R : -R, i & 2 ? R : -R, i & 4 ? R : -R);
    static const int t[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
                                  { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
    const double heights[9] = { 0, 0, 0, 0, R, 0, 0, 0, 0 };
    caromHeightfield field = { heights, 3, 3, R, 0.5*R };
    s->hull = carom_hull_create(corners, 6, 0, NULL);
    s->mesh = carom_mesh_create(v, 8, t, 12, NULL, NULL);
    s->field = carom_mesh_heightfield(&field, NULL, NULL);
    assert_true(s->hull && s->mesh && s->field);
    add(s, (Side){ "polytope's corner", carom_shape_polytope(s->hull), aside, TIP, 4 });
    add(s, (Side){ "polytope's face", carom_shape_polytope(s->hull), askew, FLAT, 3 });
    add(s, (Side){ "mesh' face", carom_shape_mesh(s->mesh), up, FLAT, 4 });
    add(s, (Side){ "mesh' corner", carom_shape_mesh(s->mesh), askew, TIP, 3 });
    add(s, (Side){ "height field's base", carom_shape_mesh(s->field), down, FLAT, 4 });
}

// An open square of 3 x 3 corners with a thickness: from either side.
static void add_sheet(Sides *s)
{
    caromVec3 v[9];
    int t[8][3], n = 0;
    for (int i = 0; i < 9; i++) v[i] = carom_vec(R*(i%3 - 1), R*(int)(i/3 - 1), 0);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            int a = 3*i + k, triangles[2][3] = { { a, a + 1, a + 4 }, { a, a + 4, a + 3 } };
            memcpy(t[n], triangles, sizeof triangles);
            n += 2;
        }
    caromMesh *surface = carom_mesh_create(v, 9, (const int (*)[3])t, n, NULL, NULL);
    assert_non_null(surface);
    s->sheet = carom_mesh_thicken(surface, 0.2*R, NULL);
    carom_mesh_destroy(surface);
    assert_non_null(s->sheet);
    add(s, (Side){ "sheet", carom_shape_mesh(s->sheet), up, FLAT, 4 });
    add(s, (Side){ "sheet's other side", carom_shape_mesh(s->sheet), down, FLAT, 4 });
}

static Sides all_sides(void)
{
    Sides s = { 0 };
    add_round(&s);
    add_sharp(&s);
    add_polyhedra(&s);
    add_sheet(&s);
    return s;
}

static void free_sides(Sides *s)
{
    carom_hull_destroy(s->hull);
    carom_mesh_destroy(s->mesh);
    carom_mesh_destroy(s->field);
    carom_mesh_destroy(s->sheet);
}

// Turns `out` to d, and then about d.
static caromQuat turned(caromVec3 out, caromVec3 d, double about)
{
    caromVec3 axis = carom_cross(out, d);
    double angle = atan2(carom_norm(axis), carom_dot(out, d));
    caromQuat to = carom_quat_axis_angle(carom_unit_or(axis, carom_vec(0, 1, 0)), angle);
    return carom_quat_normalized(carom_quat_mul(carom_quat_axis_angle(d, about), to));
}

typedef struct Meeting {
    const Side *side[2];
    double about;  // angle of the second about the line [rad]
    double e;
    caromResponse response;
} Meeting;

static void describe(const Meeting *m, char *text, size_t size)
{
    snprintf(text, size, "%s on %s, %s, e %.2g, angle %.2g", m->side[0]->name, m->side[1]->name,
             m->response == CAROM_RESPONSE_RIGID ? "rigid" : "compliant", m->e, m->about);
}

// Bodies have their origin in the centre of mass; the line is the x axis.
static caromPose pose_of(const Meeting *m, int i)
{
    caromVec3 d = carom_vec(i ? -1 : 1, 0, 0);
    caromQuat q = turned(m->side[i]->out, d, i ? m->about : 0);
    return (caromPose){ carom_quat_matrix(q), carom_vec(0, 0, 0) };
}

static caromVec3 centre(caromShape shape)
{
    return shape.kind == CAROM_HALF_SPACE ? carom_vec(0, 0, 0) : carom_shape_mass(shape, 1).com;
}

static caromPose shape_pose(const Meeting *m, int i, double x)
{
    caromPose X = pose_of(m, i);
    X.p = carom_sub(carom_vec(x, 0, 0), carom_mul(X.R, centre(m->side[i]->shape)));
    return X;
}

// The distance of centres at which they touch.
static double touching(const Meeting *m)
{
    double at = far;
    for (int k = 0; k < 3; k++)
        at -= carom_collide_shapes(m->side[0]->shape, shape_pose(m, 0, 0), m->side[1]->shape, shape_pose(m, 1, at)).g;
    return at;
}

static caromModel *model_of(const Meeting *m, double gap)
{
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.tolerance = 1e-8;
    s.settings.response = m->response;
    s.settings.until = gap/speed + 0.05;
    s.settings.every = s.settings.until;
    scene_material(&s, "stuff", 1000, 1e8, 0.3);
    scene_pair(&s, "stuff", "stuff", m->e, 0.3, 0);
    const char *const names[] = { "left", "right" };
    for (int i = 0; i < 2; i++) {
        caromShapeDef shape = carom_model_shape_def(m->side[i]->shape);
        shape.p_BS = carom_neg(centre(shape.shape));
        caromBodyDef def = scene_body(names[i], "stuff", &shape);
        def.fixed = shape.shape.kind == CAROM_HALF_SPACE;
        def.q_WB = carom_quat_of(pose_of(m, i).R);
        if (i == 1) def.p_WB = carom_vec(touching(m) + gap, 0, 0);
        if (i == 0) def.v_WB = carom_vec(speed, 0, 0);
        scene_add(&s, &def);
    }
    return scene_end(&s);
}

static double rebound(const Meeting *m, Record **r)
{
    caromModel *model = model_of(m, 0.1*R);
    *r = scene_run(model);
    carom_model_destroy(model);
    return ((*r)->last_V[1].linear.x - (*r)->last_V[0].linear.x)/speed;
}

static bool meets_as_asked(const Meeting *m, double allowed)
{
    Record *r;
    double off = rebound(m, &r) - m->e;
    bool is_good = r->status == CAROM_OK && fabs(off) <= allowed;
    char text[200];
    describe(m, text, sizeof text);
    if (!is_good) print_error("%s: off by %.3g > %.3g %s\n", text, off, allowed, r->error.message);
    free(r);
    return is_good;
}

static int common(int a, int b)
{
    return b == 0 ? a : common(b, a%b);
}

// What both have in common keeps forces and torques to the line. A tip finds no tip, nor a ring what is not flat.
static bool is_central(const Side *a, const Side *b)
{
    bool is_ring = a->form == RING || b->form == RING,
         is_flat = (a->form == RING || a->form == FLAT) && (b->form == RING || b->form == FLAT);
    if (common(a->fold, b->fold) == 1 || (is_ring && !is_flat)) return false;
    return a->form != TIP || b->form != TIP;
}

// Presses in points of shapes, or over faces that are integrated exactly. Round shapes that lie along each other press
// over strips.
static bool is_exact(const Side *a, const Side *b)
{
    bool swapped, is_ball = a->shape.kind <= CAROM_ELLIPSOID || b->shape.kind <= CAROM_ELLIPSOID;
    const caromPatchRow *row = carom_patch_row(&a->shape, &b->shape, &swapped);
    if (row == &carom_patch_strips && !is_ball) return false;
    if (carom_patch_contact_kind(&a->shape, &b->shape) == CAROM_CONTACT_POINT) return true;
    return row == &carom_patch_planes || row == &carom_patch_clipped || row == &carom_patch_round;
}

static bool may_meet(const Side *a, const Side *b)
{
    bool is_fixed[2] = { a->shape.kind == CAROM_HALF_SPACE, b->shape.kind == CAROM_HALF_SPACE };
    return !(is_fixed[0] && is_fixed[1]) && is_central(a, b);
}

static void every_pair(caromResponse response, double allowed)
{
    Sides s = all_sides();
    int n = 0, wrong = 0;
    for (int i = 0; i < s.n; i++)
        for (int k = i; k < s.n; k++) {
            const Side *a = &s.all[i], *b = &s.all[k];
            if (a->shape.kind == CAROM_HALF_SPACE) a = b, b = &s.all[i];
            if (!may_meet(a, b) || (response == CAROM_RESPONSE_COMPLIANT && !is_exact(a, b))) continue;
            Meeting m = { { a, b }, 0.5 + 0.1*n, n%2 ? 0.3 : 0.8, response };
            wrong += !meets_as_asked(&m, allowed);
            n++;
        }
    print_message("%d meetings\n", n);
    free_sides(&s);
    assert_int_equal(wrong, 0);
}

static void rigid(void **state)
{
    (void)state;
    every_pair(CAROM_RESPONSE_RIGID, 1e-8);
}

static void compliant(void **state)
{
    (void)state;
    every_pair(CAROM_RESPONSE_COMPLIANT, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rigid), cmocka_unit_test(compliant) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
