// One input for the reader of model files: libFuzzer's entry, used by mutate.c too.
//
// Lines that start with "#set " are comments to YAML and overrides to us, so that one text exercises both.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modelfile/modelfile.h"

#define OVERRIDES_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern long fuzz_accepted;  // inputs that were models
long fuzz_accepted;
const char *fuzz_word(int i);  // for mutate.c

static const char *const words[] = {
    "1", "-1", "0", "1e400", "1e-400", ".nan", "nan", "inf", "0x10", "010", "1e308", "4294967296", "-0", "1_000",
    "10 mm", "3 kg", "200 GPa", "30 deg",
    "60 rpm", "7.85 g/cm^3", "1 m/(s", "m^9", "true", "yes", "null", "~", "", "[", "]", "{", "}", ": ", ", ", "- ",
    "? ", "&a ", "*a", "<<: *a", "!!float ",
    "!x ", "---\n", "...\n", "%YAML 1.1\n", "\n", "\t", "  ", "#", "'", "\"", "\\", "\"\\0\"", "\"\\uD800\"", "|\n",
    ">\n", "\xEF\xBB\xBF", "\xC3\xA4", "\xC3",
    "\xFF", "\xE2\x80\xA8", "\xC2\x85", "[0, 0, 1]", "[1, 2]", "[[[[[[[[", "{a: {a: {a: ", "steel", "rubber", "exact",
    "auto", "compliant", "world",
    "shape: {sphere: {radius: 1}}", "\n#set simulate.until=2\n", "\n#set bodies.ball.position.z=1\n",
    "\n#set pairs.0={between: [steel, steel]}\n",
    "\n#set bodies={}\n", "\n#set bodies.x={fixed: true}\n", "\n#set bodies.x.shape.sphere={radius: 1}\n", "\n#set =\n",
    "\n#set .\n", "\n#set a.b.c=d\n",
    "{mesh: {file: a.stl, units: mm, collide: hull}}", "collide: pieces, tolerance: 1 mm",
    "{mesh: {file: /dev/zero, scale: 1}}", "\n#set bodies.ball.shape.mesh.file=-\n",
    "revolute", "prismatic", "cylindrical", "screw", "universal", "planar", "spherical", "free", "free-cardan", "hinge",
    "[world, a]", "none", "2 N m/rad",
    "0.01 N m s/rad", "5 mm/rev", "50 Hz", "{sine: {amplitude: 1, frequency: 2}}", "{ramp: {amplitude: 1, end: 2}}",
    "{table: [[0, 0], [1, 2]]}",
    "{table: [[0, 0], [0, 2]]}", "{expression: \"sin(2*pi*time)\"}", "{expression: \"((((\"}",
    "joints: {j: {type: revolute, between: [world, ball]}}",
    "springs: {s: {between: [world, ball]}}", "forces: {f: {body: ball, force: [0, 0, 1]}}",
    "\n#set joints.hinge.angle=1\n", "\n#set joints.hinge.type=planar\n",
    "\n#set joints.slide.motion.sine.amplitude=2\n", "\n#set joints.bush.damping.1=3\n",
    "\n#set forces.push.force.z.sine.frequency=2\n",
    "group: a", "groups: [a, b]", "touches: false", "weighs: false", "touch: true", "ignore: [[a, a]]",
    "contact: {ignore: [[all, all], [ball.shape, a]]}", "[a, a]",
    "\n#set contact.ignore.0=[ball, all]\n", "\n#set bodies.ball.groups.0=a\n", "\n#set contact.ignore.0.1=a\n",
    "\n#set joints.hinge.motion.table=[[0, 1], [2, 3]]\n", "\n#set forces.wind.force.x={expression: time}\n",
};

const char *fuzz_word(int i)
{
    static caromFormat *format;  // kept: its names are given away
    static int nkey = 0;
    int nword = (int)(sizeof words/sizeof words[0]);
    if (!format && (format = carom_modelfile_format_create()))
        while (carom_modelfile_key(format, nkey)) nkey++;
    if (i < nword) return words[i];
    if (i < nword + nkey) return carom_modelfile_key(format, i - nword)->name;
    const caromUnit *unit = carom_modelfile_unit_info(i - nword - nkey);
    return unit ? unit->symbol : NULL;
}

static void require(bool claim, const char *what)
{
    if (claim) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

// Copies of the overrides in the text; the caller frees them.
static int find_overrides(const char *text, size_t size, char *overrides[OVERRIDES_MAX])
{
    int n = 0;
    for (size_t i = 0; i + 5 < size && n < OVERRIDES_MAX; i++) {
        bool starts_line = i == 0 || text[i - 1] == '\n';
        if (!starts_line || memcmp(text + i, "#set ", 5) != 0) continue;
        const char *start = text + i + 5, *end = memchr(start, '\n', size - i - 5);
        size_t length = end ? (size_t)(end - start) : size - i - 5;
        char *copy = calloc(length + 1, 1);
        require(copy != NULL, "memory for a test");
        memcpy(copy, start, length);
        overrides[n++] = copy;
    }
    return n;
}

static void check_problems(const caromProblems *problems)
{
    require(problems->count <= 2*CAROM_PROBLEMS_MAX, "the list of problems is bounded");
    for (int i = 0; i < problems->count; i++) {
        const caromProblem *p = &problems->items[i];
        require(p->message[0] != '\0', "every problem has a message");
        require((p->line > 0) == (p->column > 0), "line and column come together");
        require(p->line > 0 || strncmp(p->path, "--set", 5) == 0, "every problem of the file has a line");
        require(i == 0 || p->line > p[-1].line || (p->line == p[-1].line && p->column >= p[-1].column),
                "problems are sorted");
    }
}

// What the model says about itself must be finite numbers.
static void check_model(const caromModel *model)
{
    const caromSettings *s = carom_model_settings(model);
    require(s->until > 0 && s->every > 0 && s->tolerance > 0 && carom_is_finite3(s->gravity), "settings are usable");
    for (int i = 0; i < carom_model_body_count(model); i++) {
        caromMassProps m = carom_model_body_mass(model, (caromBodyId){ i });
        require(isfinite(m.mass) && carom_is_finite3(m.com) && carom_is_finite3(m.inertia.cx),
                "mass properties are finite");
    }
    for (int i = 0; i < carom_model_shape_count(model); i++) {
        caromShapeInfo shape = carom_model_shape(model, i);
        require(carom_is_finite3(shape.X_BS.p) && carom_is_finite3(shape.X_BS.R.cx) &&
                carom_is_finite3(shape.shape.size), "shapes are finite");
    }
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        require(carom_is_finite3(joint.X_AF.p) && carom_is_finite3(joint.X_AF.R.cz) &&
                carom_is_finite3(joint.X_BM.R.cz) && isfinite(joint.pitch), "joints are finite");
    }
    for (int i = 0; i < carom_model_spring_count(model); i++) {
        caromSpringInfo spring = carom_model_spring(model, i);
        require(isfinite(spring.stiffness) && isfinite(spring.damping) && carom_is_finite3(spring.p[0]) &&
                carom_is_finite3(spring.p[1]), "springs are finite");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    char *overrides[OVERRIDES_MAX];
    int n = find_overrides(text, size, overrides);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    // From memory: no input may open a file.
    caromStatus status = carom_modelfile_read(text, size, (const char *const *)overrides, n, &problems, &model);
    require((status == CAROM_OK) == (model != NULL), "a model if and only if all is well");
    require((status == CAROM_OK) == (problems.errors == 0), "errors if and only if it failed");
    require(status == CAROM_OK || problems.count > 0, "a failure says why");
    check_problems(&problems);
    if (model) check_model(model);
    fuzz_accepted += model != NULL;
    for (int i = 0; i < problems.count; i++) problems.items[i].line = problems.items[i].column = 0;
    carom_modelfile_locate(text, size, (const char *const *)overrides, n, &problems);
    carom_problems_free(&problems);
    carom_model_destroy(model);
    for (int i = 0; i < n; i++) free(overrides[i]);
    return 0;
}
