#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

// Tests check and run these texts, so they are always good models.
static const char ball[] = "# A model of carom. Numbers may carry units (10 mm, 200 GPa, "
                           "30 deg); without one they are SI.\n"
                           "#   carom check FILE    looks for mistakes\n"
                           "#   carom run FILE      simulates it\n"
                           "#   carom view FILE     makes a page to watch it\n"
                           "carom: 1                      # version of the format\n"
                           "\n"
                           "gravity: [0, 0, -9.81]        # m/s^2\n"
                           "\n"
                           "materials:                    # added to the built-in ones, which 'carom materials' lists\n"
                           "  bumper: {density: 1150 kg/m^3, E: 2.5 GPa, nu: 0.4}\n"
                           "\n"
                           "pairs:                        # what two materials do to each other; "
                           "stiffness, damping or a law of your own can be given too\n"
                           "  - {between: [bumper, steel], restitution: 0.7, friction: 0.4}\n"
                           "\n"
                           "bodies:\n"
                           "  plate:                      # fixed: part of the world\n"
                           "    fixed: true\n"
                           "    material: steel\n"
                           "    shape: {half-space: {normal: [0, 0, 1]}}\n"
                           "  ball:                       # mass and inertia come from shape and density\n"
                           "    material: bumper\n"
                           "    shape: {sphere: {radius: 50 mm}}\n"
                           "    position: [0, 0, 0.5 m]\n"
                           "    velocity: [0.5 m/s, 0, 0]\n"
                           "\n"
                           "simulate: {until: 2 s, tolerance: 1e-6, every: 5 ms}\n";

static const char pendulum[] = "# A model of carom: a double pendulum with a spring, above a floor. "
                               "Numbers may carry units (10 mm, 200 GPa, 30 deg).\n"
                               "#   carom check FILE    looks for mistakes\n"
                               "#   carom run FILE      simulates it\n"
                               "#   carom view FILE     makes a page to watch it\n"
                               "carom: 1                      # version of the format\n"
                               "\n"
                               "pairs:                        # what two materials do to each other; "
                               "the palette has their friction ('carom materials steel')\n"
                               "  - {between: [aluminium, steel], restitution: 0.6}\n"
                               "\n"
                               "bodies:                       # where they start follows from the joints\n"
                               "  floor:\n"
                               "    fixed: true\n"
                               "    material: steel\n"
                               "    shape: {half-space: {normal: [0, 0, 1]}}\n"
                               "  upper:\n"
                               "    material: aluminium\n"
                               "    shape: {box: {size: [4 cm, 4 cm, 40 cm]}}\n"
                               "  lower:\n"
                               "    material: aluminium\n"
                               "    shape: {box: {size: [4 cm, 4 cm, 40 cm]}}\n"
                               "\n"
                               "joints:                       # at: where it is on the first body, child_at: "
                               "on the second\n"
                               "  shoulder:\n"
                               "    type: revolute\n"
                               "    between: [world, upper]\n"
                               "    at: [0, 0, 1 m]\n"
                               "    axis: [0, 1, 0]\n"
                               "    child_at: [0, 0, 20 cm]\n"
                               "    angle: 70 deg             # at the start\n"
                               "    damping: 0.01 N m s/rad\n"
                               "  elbow:\n"
                               "    type: revolute\n"
                               "    between: [upper, lower]\n"
                               "    at: [0, 0, -20 cm]\n"
                               "    axis: [0, 1, 0]\n"
                               "    child_at: [0, 0, 20 cm]\n"
                               "    lower: -100 deg           # stops\n"
                               "    upper: 100 deg\n"
                               "\n"
                               "springs:\n"
                               "  return: {between: [world, lower], at: "
                               "[60 cm, 0, 1 m], child_at: [0, 0, -20 cm], stiffness: 10 N/m, rest: 40 cm}\n"
                               "\n"
                               "simulate: {until: 5 s, tolerance: 1e-8, every: 10 ms}\n";

static const struct { const char *name, *text; } templates[] = { { "ball", ball }, { "pendulum", pendulum } };
enum { TEMPLATES = sizeof templates/sizeof *templates };

// NULL, after saying what there is, if there is none of that name.
static const char *template_named(const char *name)
{
    const char *names[TEMPLATES];
    for (int i = 0; i < TEMPLATES; i++) {
        names[i] = templates[i].name;
        if (strcmp(names[i], name) == 0) return templates[i].text;
    }
    const char *near = nearest_word(name, names, TEMPLATES);
    if (near) complain("there is no template '%s'; did you mean '%s'?", name, near);
    else complain("there is no template '%s'; 'carom help new' lists them", name);
    return NULL;
}

// As fopen does, but a named pipe that nobody reads is an error (ENXIO) instead of a wait; from one that is read, what
// a template has fits into it at once.
static FILE *create(const char *path, bool may_replace)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | (may_replace ? O_TRUNC : O_EXCL), 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file) close(fd);
    return file;
}

int command_new(const Arguments *arguments)
{
    const char *path = arguments->noperand ? arguments->operands[0] : "model.yaml";
    const char *chosen = option_value(arguments, "template");
    const char *text = template_named(chosen ? chosen : "ball");
    if (!text) return WRONG;
    FILE *file = create(path, option_value(arguments, "force") != NULL);
    if (!file && errno == EEXIST) {
        complain("%s: exists already; --force replaces it", path);
        return WRONG;
    }
    if (!file) {
        complain("%s: cannot create it: %s", path, errno == ENXIO ? "a pipe that nobody reads" : strerror(errno));
        return WRONG;
    }
    bool good = fputs(text, file) >= 0;
    int code = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        code = errno;
    }
    if (!good) {
        complain("%s: cannot write it: %s", path, strerror(code));
        return FAILED;
    }
    printf("wrote %s\nnext: carom run %s\n", path, shell_word(path));
    return DONE;
}
