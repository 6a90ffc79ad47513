#include <errno.h>
#include <string.h>

#include "cli.h"

// Tests check and run this text, so it is always a good model.
static const char starter[] =
    "# A model of carom. Numbers may carry units (10 mm, 200 GPa, 30 deg); without one they are SI.\n"
    "#   carom check FILE    looks for mistakes\n"
    "#   carom run FILE      simulates it\n"
    "#   carom view FILE     makes a page to watch it\n"
    "carom: 1                      # version of the format\n"
    "\n"
    "gravity: [0, 0, -9.81]        # m/s^2\n"
    "\n"
    "materials:                    # added to the built-in ones: steel, rubber, ...\n"
    "  nylon: {density: 1150 kg/m^3, E: 2.5 GPa, nu: 0.4}\n"
    "\n"
    "pairs:                        # what two materials do to each other\n"
    "  - {between: [nylon, steel], restitution: 0.7, friction: 0.4}\n"
    "\n"
    "bodies:\n"
    "  plate:                      # fixed: part of the world\n"
    "    fixed: true\n"
    "    material: steel\n"
    "    shape: {half-space: {normal: [0, 0, 1]}}\n"
    "  ball:                       # mass and inertia come from shape and density\n"
    "    material: nylon\n"
    "    shape: {sphere: {radius: 50 mm}}\n"
    "    position: [0, 0, 0.5 m]\n"
    "    velocity: [0.5 m/s, 0, 0]\n"
    "\n"
    "simulate: {until: 2 s, tolerance: 1e-6, every: 5 ms}\n";

int command_new(const Arguments *arguments)
{
    const char *path = arguments->noperand ? arguments->operands[0] : "model.yaml";
    const char *mode = option_value(arguments, "force") ? "w" : "wx";
    FILE *file = fopen(path, mode);
    if (!file && errno == EEXIST) {
        complain("%s: exists already; --force replaces it", path);
        return WRONG;
    }
    if (!file) {
        complain("%s: cannot create it: %s", path, strerror(errno));
        return WRONG;
    }
    bool good = fputs(starter, file) >= 0;
    int code = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        code = errno;
    }
    if (!good) {
        complain("%s: cannot write it: %s", path, strerror(code));
        return FAILED;
    }
    printf("wrote %s\nnext: carom run %s\n", path, path);
    return DONE;
}
