// pairs [options]: every two kinds of shapes fall onto each other and a floor, in random poses; each fall judged. The
// table at the end says how they ended. The kinds: sphere, ellipsoid, box, cylinder, cone, capsule, torus, polytope,
// mesh (one of several, none convex), sheet (an open mesh with a thickness), heightfield (as ground that is fixed, or
// as a body that falls), half-space.
//
//   --shapes A,B   only that pair
//   --without A,B  no pair with one of these
//   --response R   rigid, compliant or either, one after the other (either)
//   --poses N      random poses of each pair, sharp and rounded by turns (2)
//   --seed N       of the first pose (1); the fall of a pair and a seed is the same everywhere
//   --cpu S        processor time to a simulated second (20)
//   --keep DIR     where the model files of falls that did not finish are left
//   --jobs N       at a time (1)
//   --write        only writes the model file of the first
//
// The status is 0 when all finish.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "random.h"

static const double SIZE = 0.05;  // of a body [m]

typedef struct Fall {
    FILE *to;
    Random r;
    bool is_rounded, is_ground;  // ground: a fixed shape is asked for
} Fall;

static void put_rounding(Fall *f, double most)
{
    if (f->is_rounded) fprintf(f->to, ", rounding: %.6g", most*uniform(&f->r, 0.1, 0.9));
    fputs("}}", f->to);
}

// ---- shapes; each returns how far it reaches from its origin [m]

static double put_sphere(Fall *f)
{
    fprintf(f->to, "{sphere: {radius: %.6g}}", 0.5*SIZE);
    return 0.5*SIZE;
}

static double put_ellipsoid(Fall *f)
{
    double a = SIZE*uniform(&f->r, 0.2, 0.5), b = SIZE*uniform(&f->r, 0.2, 0.5), c = SIZE*uniform(&f->r, 0.2, 0.5);
    fprintf(f->to, "{ellipsoid: {semi_axes: [%.6g, %.6g, %.6g]}}", a, b, c);
    return fmax(a, fmax(b, c));
}

static double put_box(Fall *f)
{
    double a = SIZE*uniform(&f->r, 0.3, 1), b = SIZE*uniform(&f->r, 0.3, 1), c = SIZE*uniform(&f->r, 0.3, 1);
    fprintf(f->to, "{box: {size: [%.6g, %.6g, %.6g]", a, b, c);
    put_rounding(f, 0.5*fmin(a, fmin(b, c)));
    return 0.5*sqrt(a*a + b*b + c*c);
}

static double put_cylinder(Fall *f)
{
    double R = SIZE*uniform(&f->r, 0.2, 0.5), L = SIZE*uniform(&f->r, 0.3, 1);
    fprintf(f->to, "{cylinder: {radius: %.6g, length: %.6g", R, L);
    put_rounding(f, 0.5*fmin(R, 0.5*L));
    return hypot(R, 0.5*L);
}

static double put_cone(Fall *f)
{
    double R = SIZE*uniform(&f->r, 0.3, 0.5), L = SIZE*uniform(&f->r, 0.4, 1);
    double top = chance(&f->r, 0.5) ? 0 : R*uniform(&f->r, 0.2, 0.9);
    fprintf(f->to, "{cone: {radius: %.6g, length: %.6g, top_radius: %.6g", R, L, top);
    put_rounding(f, 0.2*fmin(top > 0 ? top : R, 0.5*L));
    return hypot(R, L);
}

static double put_capsule(Fall *f)
{
    double R = SIZE*uniform(&f->r, 0.1, 0.3), L = SIZE*uniform(&f->r, 0.3, 1);
    fprintf(f->to, "{capsule: {radius: %.6g, length: %.6g}}", R, L);
    return R + 0.5*L;
}

static double put_torus(Fall *f)
{
    double R = SIZE*uniform(&f->r, 0.3, 0.4), tube = R*uniform(&f->r, 0.2, 0.6);
    fprintf(f->to, "{torus: {radius: %.6g, tube_radius: %.6g}}", R, tube);
    return R + tube;
}

// A tetrahedron that is not flat, with some corners more.
static double put_polytope(Fall *f)
{
    fputs("{polytope: {vertices: [", f->to);
    for (int i = 0; i < 8; i++) {
        double v[3];
        for (int k = 0; k < 3; k++) v[k] = SIZE*uniform(&f->r, i < 4 ? 0.2 : -0.29, 0.29);
        if (i == 1 || i == 2) v[0] = -v[0];
        if (i == 1 || i == 3) v[1] = -v[1];
        if (i == 2 || i == 3) v[2] = -v[2];
        fprintf(f->to, "%s[%.6g, %.6g, %.6g]", i > 0 ? ", " : "", v[0], v[1], v[2]);
    }
    fputs("]", f->to);
    put_rounding(f, 0.1*SIZE);
    return 0.29*sqrt(3)*SIZE;
}

// None is convex. The reach of the bracket is from its origin, where two of its outer edges meet.
static double put_mesh(Fall *f)
{
    static const struct { const char *file; double scale, reach; } meshes[] = {
        { "doughnut.obj", 0.5, 52.3 }, { "bracket.stl", 0.6, 100.1 }, { "square-link.obj", 0.7, 36.5 },
        { "bowl.obj", 0.25, 122.5 },
    };
    int k = below(&f->r, 4);
    double scale = 0.001*meshes[k].scale;
    fprintf(f->to, "{mesh: {file: " CAROM_EXAMPLES "/%s, scale: %.6g}}", meshes[k].file, scale);
    return scale*meshes[k].reach;
}

// Open surfaces, from thin to as thick as others of these bodies.
static double put_sheet(Fall *f)
{
    static const struct { const char *file; double reach; } sheets[] = {
        { "plate.obj", 35.4 }, { "gutter.obj", 32.3 }, { "funnel.obj", 28.7 },
    };
    int k = below(&f->r, 3);
    double thickness = SIZE*decades(&f->r, 0.01, 0.1);
    fprintf(f->to, "{mesh: {file: " CAROM_SHEETS "/%s, units: mm, thickness: %.6g}}", sheets[k].file, thickness);
    return 0.001*sheets[k].reach + thickness;
}

// A few cells, or ground as wide as three bodies.
static double put_height_field(Fall *f)
{
    int nx = f->is_ground ? 9 : 2 + below(&f->r, 3), ny = f->is_ground ? 9 : 2 + below(&f->r, 3);
    double cell = (f->is_ground ? 0.4 : 0.25)*SIZE, rise = 0.3*SIZE, depth = SIZE*uniform(&f->r, 0.1, 0.4);
    fputs("{heightfield: {heights: [", f->to);
    for (int row = 0; row < ny; row++)
        for (int column = 0; column < nx; column++)
            fprintf(f->to, "%s%.6g%s", column > 0 ? ", " : row > 0 ? ", [" : "[", uniform(&f->r, 0, rise),
                    column == nx - 1 ? "]" : "");
    fprintf(f->to, "], cell: %.6g, depth: %.6g}}", cell, depth);
    double half = 0.5*cell*hypot(nx - 1, ny - 1);
    return hypot(half, fmax(rise, depth));
}

static double put_half_space(Fall *f)
{
    fputs("{half-space: {}}", f->to);
    return 0;
}

// The number stays: with a seed it gives the fall.
static const struct Kind { const char *name; double (*put)(Fall *f); int number; } kinds[] = {
    { "sphere", put_sphere, 0 }, { "ellipsoid", put_ellipsoid, 1 }, { "box", put_box, 2 },
    { "cylinder", put_cylinder, 3 }, { "cone", put_cone, 4 }, { "capsule", put_capsule, 5 }, { "torus", put_torus, 6 },
    { "polytope", put_polytope, 7 }, { "mesh", put_mesh, 8 }, { "sheet", put_sheet, 11 },
    { "heightfield", put_height_field, 9 }, { "half-space", put_half_space, 10 },
};
enum { KINDS = sizeof kinds/sizeof *kinds, GROUND = KINDS - 2, FLOOR = KINDS - 1, PAIRS = KINDS*(KINDS + 1)/2 - 1 };

// ---- the model file

// Any, or one of those in which faces and axes line up.
static void put_orientation(Fall *f)
{
    if (chance(&f->r, 0.3)) {
        int third = below(&f->r, 3), first = below(&f->r, 3);
        fprintf(f->to, ", orientation: {angles: [%d deg, 0 deg, %d deg]}", 90*first, 45*third);
        return;
    }
    double q[4];
    for (int i = 0; i < 4; i++) q[i] = uniform(&f->r, -1, 1);
    fprintf(f->to, ", orientation: {quaternion: [%.6g, %.6g, %.6g, %.6g]}", q[0], q[1], q[2], q[3]);
}

// Above height [m]; returns the height of its top.
static double put_body(Fall *f, const char *name, int kind, double height)
{
    fprintf(f->to, "  %s: {material: stuff, shape: ", name);
    double reach = kinds[kind].put(f), at = height + reach + SIZE*uniform(&f->r, 0.05, 0.5);
    double x = 0.3*SIZE*uniform(&f->r, -1, 1), y = 0.3*SIZE*uniform(&f->r, -1, 1);
    fprintf(f->to, ", position: [%.6g, %.6g, %.6g]", x, y, at);
    put_orientation(f);
    fputs("}\n", f->to);
    return at + reach;
}

// Above the floor, which is there for what rolls off. Returns the height of its top.
static double put_ground(Fall *f)
{
    double at = 0.5*SIZE;
    fputs("  lower: {fixed: true, material: stuff, shape: ", f->to);
    f->is_ground = true;
    kinds[GROUND].put(f);
    f->is_ground = false;
    fprintf(f->to, ", position: [0, 0, %.6g]}\n", at);
    return at + 0.3*SIZE;
}

static double put_lower(Fall *f, int kind)
{
    if (kind == FLOOR) return 0;
    return kind == GROUND && chance(&f->r, 0.5) ? put_ground(f) : put_body(f, "lower", kind, 0);
}

static void put_fall(Fall *f, int upper, int lower, const char *response)
{
    double restitution = uniform(&f->r, 0, 0.9), friction = uniform(&f->r, 0, 0.8);
    fputs("carom: 1\nmaterials: {stuff: {density: 900, E: 100 MPa, nu: 0.3}}\n", f->to);
    fprintf(f->to, "pairs: [{between: [stuff, stuff], restitution: %.6g, friction: %.6g}]\nbodies:\n", restitution,
            friction);
    fputs("  floor: {fixed: true, material: stuff, shape: {half-space: {}}}\n", f->to);
    put_body(f, "upper", upper, put_lower(f, lower));
    fprintf(f->to, "contact: {response: %s}\nsimulate: {until: 0.4 s, tolerance: %.2g, every: 4 ms}\n", response,
            decades(&f->r, 1e-7, 1e-4));
}

typedef struct Case {
    int upper, lower;
    uint64_t seed;
    const char *response;
} Case;

// Pairs with a sheet are numbered behind all others.
static uint64_t start_of(const Case *c)
{
    int a = kinds[c->upper].number, b = kinds[c->lower].number, pair = b > 10 ? 11*b + a : 11*a + b;
    return 0x9e3779b97f4a7c15ULL*(128*c->seed + (uint64_t)pair + 1);
}

static char *fall_text(const Case *c)
{
    char *text = NULL;
    size_t length;
    Fall f = { .to = open_memstream(&text, &length), .r = random_from(start_of(c)), .is_rounded = c->seed % 2 == 0 };
    if (!f.to) return NULL;
    put_fall(&f, c->upper, c->lower, c->response);
    fclose(f.to);
    return text;
}

// ---- judged

static const char *const responses[] = { "compliant", "rigid" };

typedef struct Options {
    int upper, lower, poses, jobs, response;  // -1: all, both
    bool is_left_out[KINDS];
    uint64_t seed;
    double cpu;
    const char *keep;
    bool writes;
} Options;

typedef struct Tally {
    int next;
    int ended[VERDICTS];
} Tally;

static Judgement judge_fall(const char *text, double cpu)
{
    caromModelText model = { .text = text, .length = strlen(text), .path = "pairs.yaml" };
    return judge(&model, (Patience){ .per_second = cpu });
}

static void tell(const Options *o, const Case *c, const char *text, const Judgement *j)
{
    char name[200];
    snprintf(name, sizeof name, "%s-%s-%s-%llu", kinds[c->upper].name, kinds[c->lower].name, c->response,
             (unsigned long long)c->seed);
    judge_tell(name, j);
    if (o->keep) judge_keep(o->keep, name, text, j);
}

static void judge_case(const Options *o, Tally *tally, const Case *c)
{
    char *text = fall_text(c);
    if (!text) return;
    Judgement j = judge_fall(text, o->cpu);
    __atomic_add_fetch(&tally->ended[j.verdict], 1, __ATOMIC_SEQ_CST);
    if (j.verdict != FINISHED) tell(o, c, text, &j);
    free(text);
}

// The pair of a number: upper before lower in the list, or the same kind; two half-spaces are none.
static void pair_of(int number, Case *c)
{
    for (c->upper = 0; number >= KINDS - c->upper; c->upper++) number -= KINDS - c->upper;
    c->lower = c->upper + number;
}

static bool is_asked(const Options *o, const Case *c, int response)
{
    bool is_pair = o->upper < 0 || (o->upper == c->upper && o->lower == c->lower);
    bool is_left_out = o->is_left_out[c->upper] || o->is_left_out[c->lower];
    return is_pair && !is_left_out && (o->response < 0 || o->response == response);
}

static void work(const Options *o, Tally *tally)
{
    int all = PAIRS*o->poses*2;
    for (int i; (i = __atomic_fetch_add(&tally->next, 1, __ATOMIC_SEQ_CST)) < all;) {
        Case c = { .response = responses[i % 2], .seed = o->seed + (uint64_t)(i/2 % o->poses) };
        pair_of(i/2/o->poses, &c);
        if (is_asked(o, &c, i % 2)) judge_case(o, tally, &c);
    }
}

static void work_together(const Options *o, Tally *tally)
{
    for (int i = 1; i < o->jobs; i++)
        if (fork() == 0) {
            work(o, tally);
            _exit(0);
        }
    work(o, tally);
    while (wait(NULL) > 0) {}
}

static int kind_named(const char *name, size_t length)
{
    for (int i = 0; i < KINDS; i++)
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, name, length) == 0) return i;
    return -1;
}

static bool read_shapes(Options *o, const char *value)
{
    size_t first = strcspn(value, ",");
    int a = kind_named(value, first), b = value[first] ? kind_named(value + first + 1, strlen(value + first + 1)) : -1;
    o->upper = a < b ? a : b;
    o->lower = a < b ? b : a;
    return o->upper >= 0 && o->upper != FLOOR;
}

static bool read_without(Options *o, const char *value)
{
    for (size_t n; n = strcspn(value, ","), n > 0; value += n + (value[n] == ',')) {
        int kind = kind_named(value, n);
        if (kind < 0) return false;
        o->is_left_out[kind] = true;
    }
    return true;
}

static bool read_response(Options *o, const char *value)
{
    for (o->response = 1; o->response >= 0 && strcmp(responses[o->response], value) != 0;) o->response--;
    return o->response >= 0 || strcmp(value, "either") == 0;
}

static bool read_option(Options *o, const char *name, const char *value)
{
    if (strcmp(name, "--shapes") == 0) return read_shapes(o, value);
    if (strcmp(name, "--without") == 0) return read_without(o, value);
    if (strcmp(name, "--response") == 0) return read_response(o, value);
    if (strcmp(name, "--seed") == 0) o->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--poses") == 0) o->poses = atoi(value);
    else if (strcmp(name, "--cpu") == 0) o->cpu = atof(value);
    else if (strcmp(name, "--keep") == 0) o->keep = value;
    else if (strcmp(name, "--jobs") == 0) o->jobs = atoi(value);
    else return false;
    return true;
}

static bool read_options(Options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--write") == 0) o->writes = true;
        else if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) return false;
        else i++;
    }
    return true;
}

static int write_first(const Options *o)
{
    Case c = { o->upper < 0 ? 0 : o->upper, o->lower < 0 ? 0 : o->lower, o->seed, responses[o->response == 1] };
    char *text = fall_text(&c);
    if (text) fputs(text, stdout);
    free(text);
    return text ? 0 : 1;
}

int main(int argc, char **argv)
{
    Options o = { .upper = -1, .lower = -1, .response = -1, .poses = 2, .jobs = 1, .seed = 1, .cpu = 20 };
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "pairs [--shapes A,B] [--without A,B] [--response rigid|compliant|either] [--poses N] "
                        "[--seed N] [--cpu S] [--keep DIR] [--jobs N] [--write]\n");
        return 2;
    }
    if (o.writes) return write_first(&o);
    if (o.keep) mkdir(o.keep, 0777);
    Tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) return 1;
    work_together(&o, tally);
    int all = 0;
    for (int i = 0; i < VERDICTS; i++) {
        all += tally->ended[i];
        if (tally->ended[i] > 0) printf("%-9s %5d\n", verdict_name((Verdict)i), tally->ended[i]);
    }
    return all > 0 && tally->ended[FINISHED] == all ? 0 : 1;
}
