// A scene is a floor or a box, perhaps a post, bodies of every shape above them, some of them joined to trees, with
// springs, drives and forces, and any law that the model file knows. Bodies start apart: each has a ball around it that
// meets no other, so that what is refused at the start is refused for another reason.
// Compilers choose the order in which arguments of a call are evaluated, so no call draws twice in its arguments.
#include "random_scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const double PI = 3.14159265358979323846, GRAVITY = 9.81;

typedef struct Vec { double x, y, z; } Vec;

typedef struct Body {
    Vec p;           // centre of the ball around it
    double reach;    // radius of that ball
    int parent;      // that carries it by a joint, FREE or WORLD
    Vec to;          // half of the way there from its parent
    double sweep;    // how far a prescribed motion takes it from there, at most
} Body;
enum { FREE = -1, WORLD = -2 };

typedef struct Scene {
    FILE *to;
    Random r;
    const ScenePlan *plan;
    double size;     // of a body, some of them differ by a factor of 3 [m]
    double slope;    // of the floor [rad]
    int nbody, nmaterial;
    const char *material[3];
    Body post, body[SCENE_BODIES_MAX];
    bool is_rigid, has_trees;
} Scene;

static void put(Scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Scene *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(s->to, format, arguments);
    va_end(arguments);
}

static Vec direction(Scene *s)
{
    double z = uniform(&s->r, -1, 1), a = uniform(&s->r, 0, 2*PI), r = sqrt(1 - z*z);
    return (Vec){ r*cos(a), r*sin(a), z };
}

static void put_vec(Scene *s, const char *key, Vec v)
{
    put(s, ", %s: [%.6g, %.6g, %.6g]", key, v.x, v.y, v.z);
}

static Vec times(double k, Vec v)
{
    return (Vec){ k*v.x, k*v.y, k*v.z };
}

// ---- shapes

// A part of sharp bodies, a part of rounded ones; never more than fits.
static void put_rounding(Scene *s, double thickness)
{
    if (chance(&s->r, 0.4)) put(s, ", rounding: %.6g", uniform(&s->r, 0.02, 0.4)*thickness/2);
}

static double put_sphere(Scene *s, double size)
{
    put(s, "sphere: {radius: %.6g}", size/2);
    return size/2;
}

static double put_ellipsoid(Scene *s, double size)
{
    double a = uniform(&s->r, 0.2, 0.5)*size, b = uniform(&s->r, 0.2, 0.5)*size, c = uniform(&s->r, 0.2, 0.5)*size;
    put(s, "ellipsoid: {semi_axes: [%.6g, %.6g, %.6g]}", a, b, c);
    return fmax(a, fmax(b, c));
}

static double put_box(Scene *s, double size)
{
    double a = uniform(&s->r, 0.15, 1)*size, b = uniform(&s->r, 0.15, 1)*size, c = uniform(&s->r, 0.15, 1)*size;
    put(s, "box: {size: [%.6g, %.6g, %.6g]", a, b, c);
    put_rounding(s, fmin(a, fmin(b, c)));
    put(s, "}");
    return sqrt(a*a + b*b + c*c)/2;
}

static double put_cylinder(Scene *s, double size)
{
    double r = uniform(&s->r, 0.15, 0.5)*size, l = uniform(&s->r, 0.15, 1)*size;
    put(s, "cylinder: {radius: %.6g, length: %.6g", r, l);
    put_rounding(s, fmin(2*r, l));
    put(s, "}");
    return sqrt(r*r + l*l/4);
}

static double put_cone(Scene *s, double size)
{
    double r = uniform(&s->r, 0.2, 0.5)*size, l = uniform(&s->r, 0.3, 1)*size;
    put(s, "cone: {radius: %.6g, length: %.6g", r, l);
    if (chance(&s->r, 0.5)) put(s, ", top_radius: %.6g", uniform(&s->r, 0.2, 0.9)*r);
    put_rounding(s, 0.3*fmin(r, l));
    put(s, "}");
    return sqrt(r*r + l*l/4);
}

static double put_capsule(Scene *s, double size)
{
    double r = uniform(&s->r, 0.1, 0.3)*size, l = uniform(&s->r, 0.2, 1)*size;
    put(s, "capsule: {radius: %.6g, length: %.6g}", r, l);
    return r + l/2;
}

static double put_torus(Scene *s, double size)
{
    double r = uniform(&s->r, 0.25, 0.4)*size, tube = uniform(&s->r, 0.15, 0.6)*r;
    put(s, "torus: {radius: %.6g, tube_radius: %.6g}", r, tube);
    return r + tube;
}

static double put_polytope(Scene *s, double size)
{
    int n = 4 + below(&s->r, 9);
    put(s, "polytope: {vertices: [");
    for (int i = 0; i < n; i++) {
        Vec along = direction(s), v = times(uniform(&s->r, 0.3, 0.5)*size, along);
        if (i < 4)  // a tetrahedron that is not flat
            v = times(uniform(&s->r, 0.3, 0.5)*size/sqrt(3),
                      (Vec){ i & 1 ? 1 : -1, i & 2 ? 1 : -1, i == 0 || i == 3 ? 1 : -1 });
        put(s, "%s[%.6g, %.6g, %.6g]", i ? ", " : "", v.x, v.y, v.z);
    }
    put(s, "]");
    put_rounding(s, 0.2*size);
    put(s, "}");
    return size/2;
}

// Returns the radius of a ball about the shape's origin that holds it.
static double put_shape(Scene *s, double size)
{
    static double (*const kinds[])(Scene *, double) = { put_sphere, put_ellipsoid, put_box, put_cylinder, put_cone,
                                                        put_capsule, put_torus, put_polytope };
    return kinds[below(&s->r, (int)(sizeof kinds/sizeof *kinds))](s, size);
}

// ---- bodies

static void put_orientation(Scene *s)
{
    int how = below(&s->r, 5);
    if (how == 0) return;
    if (how == 1) {
        int second = 90*below(&s->r, 4), first = 90*below(&s->r, 4);
        put(s, ", orientation: {angles: [%d deg, %d deg, 0]}", first, second);
    } else {
        Vec axis = direction(s);
        put(s, ", orientation: {axis: [%.6g, %.6g, %.6g], angle: %.6g}", axis.x, axis.y, axis.z, uniform(&s->r, 0, PI));
    }
}

static double put_shapes(Scene *s, double size)
{
    if (chance(&s->r, 0.85)) {
        put(s, "shape: {");
        double reach = put_shape(s, size);
        put(s, "}");
        return reach;
    }
    put(s, "shapes: {one: {");
    double one = put_shape(s, 0.6*size);
    put(s, "}, two: {");
    double two = put_shape(s, 0.6*size);
    Vec at = times(0.3*size, direction(s));
    put_vec(s, "position", at);
    put_orientation(s);
    put(s, "}}");
    return fmax(one, two + 0.3*size);
}

static double distance(Vec a, Vec b)
{
    return sqrt((a.x - b.x)*(a.x - b.x) + (a.y - b.y)*(a.y - b.y) + (a.z - b.z)*(a.z - b.z));
}

static bool is_apart(const Body *b, Vec p, double reach)
{
    return b->reach == 0 || distance(p, b->p) > 1.02*(reach + b->reach);
}

// Height above which a ball is clear of the floor, which is tilted about y.
static double clear_height(const Scene *s, Vec p, double reach)
{
    return p.x*tan(s->slope) + 1.001*reach/cos(s->slope);
}

static bool has_room(const Scene *s, Vec p, double reach)
{
    for (int i = 0; i < s->nbody; i++) if (!is_apart(&s->body[i], p, reach)) return false;
    return p.z >= clear_height(s, p, reach) && is_apart(&s->post, p, reach);
}

// Over the floor, in a heap; some bodies start close to it.
static Vec place(Scene *s, double reach)
{
    double wide = s->size*sqrt(1.0 + s->nbody)*0.8;
    for (double high = 0;; high += 0.2) {
        Vec p = { uniform(&s->r, -wide, wide), uniform(&s->r, -wide, wide), 0 };
        double above = chance(&s->r, 0.3) ? uniform(&s->r, 0, 0.02) : uniform(&s->r, 0, 2) + high;
        p.z = clear_height(s, p, reach) + above*s->size;
        if (has_room(s, p, reach)) return p;
    }
}

// Beside the body that carries it, where there is room: with all joints at zero the axes of bodies of a tree are
// parallel to those of the world.
static bool place_beside(Scene *s, Body *b, double reach)
{
    for (int i = 0; i < 50; i++) {
        Vec at = s->body[b->parent].p;
        b->to = times(0.7*s->size, direction(s));
        b->p = (Vec){ at.x + 2*b->to.x, at.y + 2*b->to.y, at.z + 2*b->to.z };
        if (has_room(s, b->p, reach)) return true;
    }
    return false;
}

static void put_some_of(Scene *s, const char *key, double speed)
{
    Vec along = direction(s);
    put_vec(s, key, times(decades(&s->r, 0.1, 5)*speed, along));
}

static void put_motion(Scene *s)
{
    double speed = sqrt(GRAVITY*s->size);
    if (chance(&s->r, 0.4)) put_some_of(s, "velocity", speed);
    if (chance(&s->r, 0.4)) put_some_of(s, "angular_velocity", speed/s->size);
}

static const char *some_material(Scene *s)
{
    return s->material[below(&s->r, s->nmaterial)];
}

// Where it starts: of a body that is carried its joint says it.
static void put_place(Scene *s, Body *b, double reach)
{
    if (b->parent >= 0 && !place_beside(s, b, reach)) b->parent = FREE;
    if (b->parent < 0) b->p = place(s, reach);
    if (b->parent == WORLD) b->to = times(0.7*s->size, direction(s));
    b->reach = reach;
    if (b->parent != FREE) return;
    put_vec(s, "position", b->p);
    if (!s->has_trees) put_orientation(s);
    put_motion(s);
}

// A body of a tree is carried by an earlier one or by the world.
static void put_body(Scene *s)
{
    int i = s->nbody;
    Body *b = &s->body[i];
    *b = (Body){ .parent = FREE };
    if (s->has_trees && chance(&s->r, 0.6)) b->parent = i > 0 && chance(&s->r, 0.8) ? below(&s->r, i) : WORLD;
    put(s, "  b%d: {material: %s, ", i, some_material(s));
    put_place(s, b, put_shapes(s, s->size*decades(&s->r, 0.5, 1.5)));
    put(s, "%s}\n", s->has_trees ? ", group: tree" : "");
    s->nbody++;
}

static void put_floor(Scene *s)
{
    put(s, "  floor: {fixed: true, material: %s, shape: {", some_material(s));
    if (s->slope > 0 || chance(&s->r, 0.85))
        put(s, "half-space: {normal: [%.6g, 0, %.6g]}}}\n", 0 - sin(s->slope), cos(s->slope));
    else {
        put(s, "box: {size: [%.6g, %.6g, %.6g]}, position: [0, 0, %.6g]}}\n", 20*s->size, 20*s->size, s->size,
            -0.5*s->size);
    }
}

static void put_post(Scene *s)
{
    put(s, "  post: {fixed: true, material: %s, shape: {", some_material(s));
    s->post.reach = put_shape(s, s->size);
    put(s, "}");
    put_orientation(s);
    put(s, "}\n");
}

// ---- joints, springs, forces

static void put_joint_forces(Scene *s)
{
    double weight = 1000*pow(s->size, 3)*GRAVITY;
    if (chance(&s->r, 0.3)) put(s, ", damping: %.4g", decades(&s->r, 1e-3, 1)*weight*s->size/5);
    if (chance(&s->r, 0.2)) put(s, ", friction: %.4g", decades(&s->r, 1e-3, 1)*weight*s->size);
}

// Stops that are not far, with the joint between them at the start.
static void put_joint_limits(Scene *s, bool turns)
{
    double unit = turns ? 1 : s->size;
    if (chance(&s->r, 0.3)) put(s, ", lower: %.4g", -uniform(&s->r, 0.1, 1.5)*unit);
    if (chance(&s->r, 0.3)) put(s, ", upper: %.4g", uniform(&s->r, 0.1, 1.5)*unit);
    if (chance(&s->r, 0.3)) put(s, ", limit_restitution: %.4g", uniform(&s->r, 0, 1));
}

static int root_of(const Scene *s, int i)
{
    while (s->body[i].parent >= 0) i = s->body[i].parent;
    return i;
}

// Neither floor nor post gives way to a body, nor, along some directions, does one on a joint of the world.
static bool has_way(const Scene *s, int k, double sweep)
{
    Vec p = s->body[k].p;
    double reach = s->body[k].reach + sweep;
    for (int i = 0; i < s->nbody; i++) {
        int root = root_of(s, i);
        if (s->body[root].parent != WORLD || root == root_of(s, k)) continue;
        if (distance(p, s->body[i].p) <= 1.02*(reach + s->body[i].reach + s->body[i].sweep)) return false;
    }
    return p.z >= clear_height(s, p, reach) && is_apart(&s->post, p, reach);
}

// A motion of the joint by which the world carries body i, with what body i carries: by an angle, or along an axis. A
// motion that presses bodies against what cannot give way is no valid model: nothing moves like that.
static bool may_move(Scene *s, int i, double angle, double travel)
{
    Vec half = s->body[i].to, p = s->body[i].p, joint = { p.x - half.x, p.y - half.y, p.z - half.z };
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->nbody; k++) {
            double sweep = angle*distance(s->body[k].p, joint) + travel;
            if (root_of(s, k) != i) continue;
            if (pass == 0 && !has_way(s, k, sweep)) return false;
            if (pass == 1) s->body[k].sweep = sweep;
        }
    return true;
}

// The world carries body i by a joint that turns, with a pitch [m] or none, or slides.
static void put_motion_of_joint(Scene *s, int i, bool turns, double pitch)
{
    double frequency = decades(&s->r, 0.5, 10), amplitude = uniform(&s->r, 0.1, 0.5);
    double angle = turns ? amplitude : 0, travel = turns ? amplitude*pitch/(2*PI) : amplitude*s->size;
    if (may_move(s, i, angle, travel))
        put(s, ", motion: {sine: {amplitude: %.4g, frequency: %.4g}}", turns ? angle : travel, frequency);
}

static void put_drive(Scene *s, int i, bool turns, double pitch)
{
    bool is_of_world = s->body[i].parent == WORLD;
    if (is_of_world && chance(&s->r, 0.3)) put_motion_of_joint(s, i, turns, pitch);
    else {
        put_joint_forces(s);
        put_joint_limits(s, turns);
    }
}

static void put_joint_ends(Scene *s, int i)
{
    const Body *b = &s->body[i];
    Vec at = b->to;
    if (b->parent == WORLD) {
        at = (Vec){ b->p.x - b->to.x, b->p.y - b->to.y, b->p.z - b->to.z };
        put(s, "world");
    } else put(s, "b%d", b->parent);
    put(s, ", b%d]", i);
    put_vec(s, "at", at);
    put_vec(s, "child_at", times(-1, b->to));
    put_vec(s, "axis", direction(s));
}

static void put_joint(Scene *s, int i)
{
    const char *type = ONE_OF(&s->r, "revolute", "revolute", "prismatic", "cylindrical", "screw", "universal",
                              "spherical", "planar", "fixed");
    bool turns = strcmp(type, "revolute") == 0, winds = strcmp(type, "screw") == 0;
    put(s, "  j%d: {type: %s, between: [", i, type);
    put_joint_ends(s, i);
    double pitch = winds ? decades(&s->r, 0.01, 0.3)*s->size : 0;
    if (winds) put(s, ", pitch: %.4g", pitch);
    if (turns || winds || strcmp(type, "prismatic") == 0) put_drive(s, i, turns || winds, pitch);
    put(s, "}\n");
}

static void put_joints(Scene *s)
{
    bool has_any = false;
    for (int i = 0; i < s->nbody; i++) {
        if (s->body[i].parent == FREE) continue;
        if (!has_any) put(s, "joints:\n");
        has_any = true;
        put_joint(s, i);
    }
}

static void put_springs_and_forces(Scene *s)
{
    int nbody = s->nbody;
    double weight = 1000*pow(s->size, 3)*GRAVITY;
    if (nbody > 1 && chance(&s->r, 0.15)) {
        double damping = decades(&s->r, 0.01, 1)*weight/sqrt(GRAVITY*s->size);
        double stiffness = decades(&s->r, 0.1, 100)*weight/s->size;
        put(s, "springs: {s: {between: [b0, b%d], stiffness: %.4g, damping: %.4g}}\n", 1 + below(&s->r, nbody - 1),
            stiffness, damping);
    }
    if (chance(&s->r, 0.1)) {
        double up = uniform(&s->r, -1, 1)*weight, frequency = decades(&s->r, 0.5, 20);
        double amplitude = decades(&s->r, 0.1, 5)*weight;
        put(s, "forces: {f: {body: b%d, force: [{sine: {amplitude: %.4g, frequency: %.4g}}, 0, %.4g]}}\n",
            below(&s->r, nbody), amplitude, frequency, up);
    }
}

// ---- laws

static double some_restitution(Scene *s)
{
    int how = below(&s->r, 6);
    return how == 0 ? 0 : how == 1 ? 1 : uniform(&s->r, 0, 1);
}

static double some_friction(Scene *s)
{
    int how = below(&s->r, 8);
    return how == 0 ? 0 : how == 1 ? uniform(&s->r, 1, 2) : uniform(&s->r, 0, 1);
}

static void put_pairs(Scene *s)
{
    put(s, "pairs:\n");
    for (int i = 0; i < s->nmaterial; i++)
        for (int j = i; j < s->nmaterial; j++) {
            double friction = some_friction(s), restitution = some_restitution(s);
            put(s, "  - {between: [%s, %s], restitution: %.4g, friction: %.4g", s->material[i], s->material[j],
                restitution, friction);
            if (friction > 0 && chance(&s->r, 0.2)) put(s, ", static_friction: %.4g", friction*uniform(&s->r, 1, 1.4));
            if (chance(&s->r, 0.15)) put(s, ", rolling: %.4g", decades(&s->r, 1e-4, 0.1));
            put(s, "}\n");
        }
}

static void put_contact(Scene *s)
{
    put(s, "contact: {response: %s, friction_law: %s", s->is_rigid ? "rigid" : "compliant",
        ONE_OF(&s->r, "smooth", "bristle"));
    if (s->is_rigid) {
        const char *impacts = ONE_OF(&s->r, "waves", "waves", "together", "poisson", "newton");
        put(s, ", impact_law: %s, impacts: %s",
            ONE_OF(&s->r, "energetic", "poisson", "newton", "newton-frictionless"), impacts);
        if (chance(&s->r, 0.2)) put(s, ", landing: stretched");
    } else {
        put(s, ", damping: %s", ONE_OF(&s->r, "exact", "exact", "engelson-fraction", "flores", "marhefka-orin"));
        if (chance(&s->r, 0.3)) put(s, ", k_red: %.4g", decades(&s->r, 1, 1e3));
    }
    if (s->has_trees) put(s, ", ignore: [[tree, tree]]");
    put(s, "}\n");
}

static void choose_materials(Scene *s)
{
    static const char *const materials[] = { "steel", "aluminium", "wood", "glass", "rubber", "concrete", "brass",
                                             "nylon", "lead", "tungsten", NULL };
    s->nmaterial = 1 + below(&s->r, 3);
    for (int i = 0; i < s->nmaterial; i++) {
        bool is_new;
        do {
            is_new = true;
            s->material[i] = one_of(&s->r, materials);
            for (int j = 0; j < i; j++) is_new &= s->material[j] != s->material[i];
        } while (!is_new);
    }
}

static void put_scene(Scene *s)
{
    const ScenePlan *plan = s->plan;
    int n = plan->least + below(&s->r, plan->most - plan->least + 1);
    s->size = decades(&s->r, 5e-3, 0.5);
    s->slope = chance(&s->r, 0.2) ? uniform(&s->r, 0.02, 0.35) : 0;
    s->has_trees = n > 1 && chance(&s->r, 0.3);
    s->is_rigid = plan->response == SCENE_RIGID || (plan->response == SCENE_EITHER && chance(&s->r, 0.5));
    choose_materials(s);
    put(s, "carom: 1\n");
    put_pairs(s);
    put(s, "bodies:\n");
    put_floor(s);
    if (chance(&s->r, 0.3)) put_post(s);
    for (int i = 0; i < n; i++) put_body(s);
    put_joints(s);
    put_springs_and_forces(s);
    put_contact(s);
    double tolerance = decades(&s->r, 1e-8, 1e-3), until = uniform(&s->r, 0.3, 1);
    put(s, "simulate: {until: %.4g, tolerance: %.2g, every: 5 ms}\n", until, tolerance);
}

char *scene_text(const ScenePlan *plan)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    Scene scene = { .to = to, .plan = plan, .r = random_from(0x9e3779b97f4a7c15ULL*(plan->seed + 1) | 1) };
    put_scene(&scene);
    fclose(to);
    return text;
}

static bool read_response(const char *word, SceneResponse *response)
{
    static const char *const words[] = { "either", "compliant", "rigid" };
    for (int i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0) {
            *response = (SceneResponse)i;
            return true;
        }
    return false;
}

bool scene_option(ScenePlan *plan, const char *name, const char *value)
{
    if (strcmp(name, "--response") == 0) return read_response(value, &plan->response);
    if (strcmp(name, "--bodies") == 0)
        return sscanf(value, "%d..%d", &plan->least, &plan->most) == 2 && plan->least >= 1 &&
               plan->least <= plan->most && plan->most <= SCENE_BODIES_MAX;
    if (strcmp(name, "--seed") != 0) return false;
    plan->seed = strtoull(value, NULL, 10);
    return true;
}
