#include <string.h>

#include "cli.h"

#define SET_OPTION { 0, "set", "PATH=VALUE", "change the model: --set bodies.ball.velocity=[1,0,0]; may be repeated" }

static const Command commands[] = {
    {
        "new", "[FILE]", 0, 1, "write a commented model to start from",
        "Writes a small model with comments to FILE, model.yaml if none is given.\n",
        {
            { 't', "template", "NAME", "ball (default): a ball falls on a plate; pendulum: two links with joints and a spring" },
            { 'f', "force", NULL, "replace FILE if it exists" },
        },
        command_new,
    },
    {
        "check", "MODEL", 1, 1, "look for mistakes in a model file",
        "Reads MODEL (- is standard input) and says everything that is wrong with it, each with file, "
        "line and column.\n"
        "If nothing is, prints what the model contains: bodies with their shapes, mass, centre of mass and moments "
        "of inertia,\n"
        "joints, springs, forces, materials, what pairs of materials do to each other and where that comes "
        "from, settings.\n",
        {
            { 0, "explain", NULL, "also show how tolerances follow from contacts: speed, stiffness, depth, what positions must be known to" },
            { 0, "gaps", NULL, "also list how far shapes that can touch are from each other at the start, nearest first" },
            SET_OPTION,
        },
        command_check,
    },
    {
        "run", "MODEL", 1, 1, "simulate a model",
        "Simulates MODEL, writes the results to NAME.carom in the current directory and prints a summary.\n"
        "MODEL may be -, standard input; then it needs -o.\n"
        "Ctrl-C stops it and keeps what was computed. Results replace older results, tables older tables, "
        "and nothing else.\n"
        "A warning appears when the energy balance was ever off by more than 100 tolerances of the reference energy:\n"
        "the largest energy in motion, but not less than the weight of the bodies does over their size. Off by more\n"
        "than a percent as well, or by more than a tenth, the simulation has failed (exit status 1); its results\n"
        "are kept.\n",
        {
            { 'o', "output", "FILE", "write the results to FILE" },
            { 0, "end", "T", "simulate until T, say 0.5 or '20 ms'; short for --set simulate.until=T" },
            SET_OPTION,
            { 0, "csv", "FILE", "also write a CSV table to FILE; - is standard output, and the summary goes to stderr" },
            { 0, "gaps", NULL, "record gaps and nearest points of all pairs of shapes, 88 bytes per pair and sample; short for --set simulate.gaps=true" },
            { 'q', "quiet", NULL, "print nothing but warnings and errors" },
        },
        command_run,
    },
    {
        "view", "RESULTS|MODEL", 1, 1, "make a page to watch the motion in a browser",
        "Makes one self-contained HTML page, NAME.html in the current directory, from a results file, a model file or\n"
        "just NAME. Given a model, it uses NAME.carom if that exists and simulates the model otherwise.\n",
        {
            { 'o', "output", "PAGE", "write the page to PAGE" },
            { 0, "open", NULL, "open it in the browser" },
        },
        command_view,
    },
    {
        "csv", "RESULTS", 1, 1, "write results as a CSV table",
        "Writes the columns of a results file to NAME.csv in the current directory.\n",
        { { 'o', "output", "FILE", "write to FILE; - is standard output" } },
        command_csv,
    },
    {
        "mesh", "FILE", 1, 1, "look at a mesh file, STL, OBJ, PLY, glTF or 3MF",
        "Reads the triangles in FILE (- is standard input), whatever its ending: "
        "STL and PLY, binary or text, OBJ, glTF or GLB, or 3MF. "
        "Prints what the mesh\n"
        "is, what it weighs, what was repaired in memory, and problems: holes, walls inside, triangles that cross, "
        "no outside.\n"
        "FILE stays as it is. In a model file it is a shape: mesh: {file: FILE, units: mm}.\n",
        {
            { 'o', "output", "MESH", "write the mesh as repaired to MESH, as OBJ in metres" },
            { 0, "close-holes", "N", "close holes of N edges at most, 3 to 100, with triangles between their corners" },
            { 0, "units", "U", "of a file that does not say its own: m, mm, cm, um, km, in or ft; m if not given" },
            { 0, "scale", "S", "the same as a number of metres, 0.001 for millimetres" },
            { 0, "density", "D", "in kg/m^3; 1000 if not given" },
            { 0, "no-cache", NULL, "read the file itself, and keep nothing for the next time in ~/.cache/carom" },
        },
        command_mesh,
    },
    {
        "materials", "[WORD]...", 0, WORDS_MAX, "look up materials and what pairs of them do to each other",
        "Lists the built-in materials, each with where its numbers come from. With words, shows the materials that "
        "have all of\n"
        "them in their name, description or source, and every pair in which such a material occurs. "
        "Two words that are both names\n"
        "show these materials and their pair: 'carom materials rubber steel', 'carom materials steel steel'. "
        "Restitution depends on\n"
        "speed and shape, friction on how clean surfaces are: notes say how both were measured. "
        "A model defines its own under\n"
        "materials and pairs.\n",
        { { 0, "pairs", NULL, "list all pairs" } },
        command_materials,
    },
    {
        "help", "[COMMAND]", 0, 1, "show this, or the help of a command", "", { { 0 } }, command_help,
    },
};

const Command *command_at(int i)
{
    return i < (int)(sizeof commands/sizeof *commands) ? &commands[i] : NULL;
}

const Command *command_named(const char *name)
{
    for (int i = 0; command_at(i); i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}
