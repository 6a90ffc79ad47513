// drops [options]: one round body falls on a floor, rigid; each drop judged. The table at the end says how they ended.
//
//   --shape NAME   cylinder, cone, capsule, ellipsoid, sphere, torus or box (all of them by turns)
//   --seed N       of the first drop (1); the drop of a shape and a seed is the same everywhere
//   --count N      how many (100)
//   --cpu S        processor time to a simulated second (20)
//   --keep DIR     where the model files of drops that did not finish are left
//   --resisting    rolling and spinning meet resistance
//   --write        only writes the model file of the first
//
// Sharp and rounded, every impact law and scheme, friction and restitution 0 to 1 with both ends, tolerances 1e-9 to
// 1e-3, heights from nearly touching on, standing and lying exactly and nearly. The status is 0 when all finish.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "judge.h"
#include "random.h"

static const double GRAVITY = 9.81;

typedef struct Drop {
    FILE *to;
    Random r;
    double size, R, L;  // [m] of the body; its radius and length
    bool resisting;
} Drop;

// In between, or at one of the ends.
static double part(Drop *d)
{
    return chance(&d->r, 0.25) ? 0 : chance(&d->r, 1.0/3) ? 1 : uniform(&d->r, 0, 1);
}

static void put_rounding(Drop *d, double most)
{
    if (chance(&d->r, 0.5)) fprintf(d->to, ", rounding: %.6g", most*uniform(&d->r, 0.02, 0.9));
    fputs("}}", d->to);
}

// ---- shapes; each returns how far it reaches from its origin

static double put_cylinder(Drop *d)
{
    fprintf(d->to, "{cylinder: {radius: %.6g, length: %.6g", d->R, d->L);
    put_rounding(d, 0.5*fmin(d->R, 0.5*d->L));
    return hypot(d->R, 0.5*d->L);
}

static double put_cone(Drop *d)
{
    double top = chance(&d->r, 0.5) ? 0 : d->R*uniform(&d->r, 0.1, 0.9);
    fprintf(d->to, "{cone: {radius: %.6g, length: %.6g, top_radius: %.6g", d->R, d->L, top);
    put_rounding(d, 0.2*fmin(top > 0 ? top : d->R, 0.5*d->L));
    return hypot(d->R, d->L);
}

static double put_capsule(Drop *d)
{
    fprintf(d->to, "{capsule: {radius: %.6g, length: %.6g}}", 0.5*d->R, d->L);
    return 0.5*(d->R + d->L);
}

static double put_ellipsoid(Drop *d)
{
    double third = d->size*uniform(&d->r, 0.2, 1);
    fprintf(d->to, "{ellipsoid: {semi_axes: [%.6g, %.6g, %.6g]}}", d->R, 0.5*d->L, third);
    return fmax(fmax(d->R, 0.5*d->L), third);
}

static double put_sphere(Drop *d)
{
    fprintf(d->to, "{sphere: {radius: %.6g}}", d->R);
    return d->R;
}

static double put_torus(Drop *d)
{
    double tube = d->R*uniform(&d->r, 0.1, 0.6);
    fprintf(d->to, "{torus: {radius: %.6g, tube_radius: %.6g}}", d->R, tube);
    return d->R + tube;
}

static double put_box(Drop *d)
{
    double a = d->size*uniform(&d->r, 0.3, 1.5), b = d->size*uniform(&d->r, 0.3, 1.5),
           c = d->size*uniform(&d->r, 0.3, 1.5);
    fprintf(d->to, "{box: {size: [%.6g, %.6g, %.6g], rounding: %.6g}}", a, b, c,
            fmin(a, fmin(b, c))*uniform(&d->r, 0.01, 0.45));
    return 0.5*sqrt(a*a + b*b + c*c);
}

static const struct { const char *name; double (*put)(Drop *d); } shapes[] = {
    { "cylinder", put_cylinder }, { "cone", put_cone }, { "capsule", put_capsule }, { "ellipsoid", put_ellipsoid },
    { "sphere", put_sphere }, { "torus", put_torus }, { "box", put_box },
};
enum { SHAPES = sizeof shapes/sizeof *shapes };

// ---- the model file

// Any, or about axes by angles that are special, or nearly none.
static void put_orientation(Drop *d)
{
    if (chance(&d->r, 0.5))
        fprintf(d->to, ", orientation: {quaternion: [%.6g, %.6g, %.6g, %.6g]}", uniform(&d->r, -1, 1),
                uniform(&d->r, -1, 1), uniform(&d->r, -1, 1), uniform(&d->r, -1, 1));
    else if (chance(&d->r, 0.7))
        fprintf(d->to, ", orientation: {angles: [%s deg, %s deg, %s deg]}",
                ONE_OF(&d->r, "0", "10", "30", "45", "60", "90"), ONE_OF(&d->r, "0", "0", "17", "90"),
                ONE_OF(&d->r, "0", "5", "45"));
    else
        fprintf(d->to, ", orientation: {angles: [%.6g deg, 0 deg, 0 deg]}",
                uniform(&d->r, -1, 1)*pow(10, uniform(&d->r, -8, 0)));
}

static void put_motion(Drop *d)
{
    double v = sqrt(GRAVITY*d->size), w = v/d->size*pow(10, uniform(&d->r, -1, 1));
    if (chance(&d->r, 0.5))
        fprintf(d->to, ", velocity: [%.6g, %.6g, %.6g]", v*uniform(&d->r, -2, 2), v*uniform(&d->r, -2, 2),
                v*uniform(&d->r, -1, 1));
    if (chance(&d->r, 0.5))
        fprintf(d->to, ", angular_velocity: [%.6g, %.6g, %.6g]", w*uniform(&d->r, -1, 1), w*uniform(&d->r, -1, 1),
                w*uniform(&d->r, -1, 1));
}

static void put_body(Drop *d, int shape)
{
    fputs("  body: {material: stuff, shape: ", d->to);
    double reach = shapes[shape].put(d), most = chance(&d->r, 0.3) ? 1.001 : chance(&d->r, 0.5) ? 1.3 : 3,
           height = reach*(most < 1.1 ? most : uniform(&d->r, 1, most));
    fprintf(d->to, ", position: [0, 0, %.6g]", height);
    put_orientation(d);
    put_motion(d);
    fputs("}\n", d->to);
}

static void put_resistance(Drop *d)
{
    double rolling = chance(&d->r, 0.2) ? 0 : decades(&d->r, 1e-3, 1);
    fprintf(d->to, ", rolling: %.6g", rolling);
    if (rolling == 0 || chance(&d->r, 0.5)) fprintf(d->to, ", torsion: %.6g", decades(&d->r, 1e-3, 1));
    if (chance(&d->r, 0.5)) fprintf(d->to, ", w_small: %.6g", decades(&d->r, 1e-3, 10));
}

static void put_drop(Drop *d, int shape)
{
    double friction = part(d), until = uniform(&d->r, 5, 25)*sqrt(d->size/GRAVITY);
    fprintf(d->to, "carom: 1\nmaterials: {stuff: {density: 700}}\npairs: [{between: [stuff, stuff], restitution: %.6g, "
            "friction: %.6g", part(d), friction);
    if (friction > 0 && chance(&d->r, 0.2)) fprintf(d->to, ", static_friction: %.6g", friction*uniform(&d->r, 1, 1.5));
    fprintf(d->to, ", impact_law: %s}]\n", ONE_OF(&d->r, "energetic", "poisson", "newton", "newton-frictionless"));
    fputs("bodies:\n  floor: {fixed: true, material: stuff, shape: {half-space: {}}}\n", d->to);
    put_body(d, shape);
    fprintf(d->to, "contact: {response: rigid, friction_law: %s, impacts: %s", ONE_OF(&d->r, "smooth", "bristle"),
            ONE_OF(&d->r, "waves", "waves", "together", "poisson", "newton"));
    double tolerance = pow(10, uniform(&d->r, -9, -3));
    if (d->resisting) put_resistance(d);
    fprintf(d->to, "}\nsimulate: {until: %.6g, tolerance: %.3g, every: %.3g}\n", until, tolerance, 0.01*until);
}

static char *drop_text(int shape, uint64_t seed, bool resisting)
{
    char *text = NULL;
    size_t length;
    uint64_t first = 0x9e3779b97f4a7c15ULL*(8*seed + (uint64_t)shape + 1);
    Drop d = { .to = open_memstream(&text, &length), .r = random_from(first), .resisting = resisting };
    if (!d.to) return NULL;
    d.size = pow(10, uniform(&d.r, -2, -0.3));
    d.R = d.size*uniform(&d.r, 0.3, 1);
    d.L = d.size*uniform(&d.r, 0.2, 2);
    put_drop(&d, shape);
    fclose(d.to);
    return text;
}

// ---- judged

typedef struct Options {
    int shape, count;    // shape -1: by turns
    uint64_t seed;
    double cpu;
    const char *keep;
    bool writes, resisting;
} Options;

static Verdict judge_drop(const Options *o, int shape, uint64_t seed)
{
    char *text = drop_text(shape, seed, o->resisting), name[60];
    if (!text) return CRASHED;
    Judgement j = judge_text(text, NULL, o->cpu);
    snprintf(name, sizeof name, "%s-%llu", shapes[shape].name, (unsigned long long)seed);
    if (j.verdict != FINISHED) {
        judge_tell(name, &j);
        if (o->keep) judge_keep(o->keep, name, text, &j);
    }
    free(text);
    return j.verdict;
}

static bool read_option(Options *o, const char *name, const char *value)
{
    if (strcmp(name, "--seed") == 0) o->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--count") == 0) o->count = atoi(value);
    else if (strcmp(name, "--cpu") == 0) o->cpu = atof(value);
    else if (strcmp(name, "--keep") == 0) o->keep = value;
    else if (strcmp(name, "--shape") == 0) {
        for (o->shape = SHAPES - 1; o->shape >= 0 && strcmp(shapes[o->shape].name, value) != 0;) o->shape--;
        return o->shape >= 0;
    } else return false;
    return true;
}

static bool read_options(Options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--write") == 0) o->writes = true;
        else if (strcmp(argv[i], "--resisting") == 0) o->resisting = true;
        else if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) return false;
        else i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    Options o = { .shape = -1, .count = 100, .seed = 1, .cpu = 20 };
    int ended[VERDICTS] = { 0 };
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "drops [--shape NAME] [--seed N] [--count N] [--cpu S] [--keep DIR] [--resisting] [--write]\n");
        return 2;
    }
    if (o.writes) {
        char *text = drop_text(o.shape < 0 ? 0 : o.shape, o.seed, o.resisting);
        if (text) fputs(text, stdout);
        free(text);
        return text ? 0 : 1;
    }
    if (o.keep) mkdir(o.keep, 0777);
    for (int i = 0; i < o.count; i++) {
        int shape = o.shape < 0 ? i % SHAPES : o.shape, turn = o.shape < 0 ? i/SHAPES : i;
        ended[judge_drop(&o, shape, o.seed + (uint64_t)turn)]++;
    }
    for (int i = 0; i < VERDICTS; i++) if (ended[i] > 0) printf("%-9s %5d\n", verdict_name((Verdict)i), ended[i]);
    return ended[FINISHED] == o.count ? 0 : 1;
}
