// The rigid response with meshes: they move as the shapes that they are, rest with forces of statics, hang in each
// other, and gain nothing.
#include "rigid_run.h"

#define MESH(name) "{mesh: {file: " CAROM_SOURCE_DIR "/tests/response/meshes/" name ", units: m}}"
#define LINK "{mesh: {file: " CAROM_SOURCE_DIR "/examples/square-link.obj, units: mm}}"
#define SIMULATE(until, tolerance) "simulate: {until: " until " s, tolerance: " tolerance ", every: 10 ms}\n"

enum { BODIES_MAX = 4 };
typedef struct Seen {
    caromPose end[BODIES_MAX];
    Falls energy;
    double lost, loss_falls;     // of impacts and friction: never less than before [J]
    double deepest;              // of any contact [m]
    caromVec3 force[8];          // on B, by pair [N]
} Seen;

static void see(Watch *w, const caromSample *s)
{
    Seen *all = (Seen *)(uintptr_t)w->context;
    double lost = s->energy.damping + s->energy.friction;
    follow_energy(&all->energy, s);
    all->loss_falls = fmax(all->loss_falls, all->lost - lost);
    all->lost = lost;
    for (int k = 0; k < 8; k++) all->force[k] = carom_vec(0, 0, 0);
    for (int i = 0; i < s->ncontact; i++) {
        all->deepest = fmax(all->deepest, s->contacts[i].depth);
        if (s->contacts[i].pair < 8) all->force[s->contacts[i].pair] = s->contacts[i].f_B;
    }
    for (int k = 0; k < s->nbody && k < BODIES_MAX; k++) all->end[k] = s->X_WB[k];
}

// Runs to its end, and checks what holds for every run of that tolerance.
static Seen run(const char *text, double tolerance)
{
    Seen seen = { .lost = 0.0 };
    Watch *w = run_text(text, NULL, see, &seen);
    caromEnergyCheck check = carom_sim_check_energy(&w->record.stats, tolerance);
    double unseen = 10*tolerance*check.reference;
    CHECK(check.largest <= unseen && seen.energy.worst <= unseen && seen.loss_falls <= unseen);
    free(w);
    return seen;
}

// ---- a cube in twelve triangles is a box

#define ON(floor, cube)                                                                              \
    STUFF("0.3", "0.4") "contact: {response: rigid}\nbodies:\n"                                      \
    "  floor: {fixed: true, material: stuff, position: [0, 0, -0.05], shape: " floor "}\n"           \
    "  cube: {material: stuff, position: [0, 0, 0.1], velocity: [0.3, 0.1, 0], shape: " cube ",\n"   \
    "         orientation: {angles: [25 deg, 10 deg, 5 deg]}}\n" SIMULATE("0.5", "1e-9")

static void a_cube_of_triangles_moves_as_the_box(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ON("{box: {size: [1, 1, 0.1]}}", "{box: {size: [0.1, 0.1, 0.1]}}"),
        ON("{box: {size: [1, 1, 0.1]}}", MESH("cube.obj")),
        ON(MESH("slab.obj"), "{box: {size: [0.1, 0.1, 0.1]}}"),
        ON(MESH("slab.obj"), MESH("cube.obj")) };
    // It drops, tilts, slides and comes to rest; impacts multiply what steps are off by, 1e-9 of 0.1 m, by some
    // thousands together.
    Seen box = run(texts[0], 1e-9);
    for (int k = 1; k < 4; k++) {
        Seen mesh = run(texts[k], 1e-9);
        CHECK_VEC(mesh.end[1].p, box.end[1].p, 1e-6);
        CHECK_VEC(mesh.end[1].R.cx, box.end[1].R.cx, 1e-5);
        CHECK(mesh.deepest <= 1e-9);
    }
}

// ---- statics

// Three feet, each on a floor of its own; what they carry is decided by two moments and the weight.
static const char *const tripod =
    STUFF("0", "0.5") "contact: {response: rigid}\nbodies:\n"
    "  a: {fixed: true, material: stuff, position: [0, 0, -0.05], shape: {box: {size: [0.02, 0.02, 0.1]}}}\n"
    "  b: {fixed: true, material: stuff, position: [0.08, 0, -0.05], shape: {cylinder: {radius: 0.01, length: 0.1}}}\n"
    "  c: {fixed: true, material: stuff, position: [0.02, 0.06, -0.05], shape: " MESH("cube.obj") "}\n"
    "  table: {material: stuff, shape: " MESH("tripod.obj") "}\n" SIMULATE("0.1", "1e-6");

static void three_feet_carry_what_statics_says(void **state)
{
    (void)state;
    caromModel *model = good_model(tripod, NULL, 0);
    caromMassProps props = carom_model_body_mass(model, (caromBodyId){ 3 });
    double weight = g*props.mass, x = props.com.x, y = props.com.y;
    // Of the feet at (0, 0), (0.08, 0) and (0.02, 0.06).
    double c = weight*y/0.06, b = (weight*x - 0.02*c)/0.08, expected[3] = { weight - b - c, b, c };
    Seen all = run(tripod, 1e-6);
    int npair = carom_model_pair_count(model), found = 0;
    for (int k = 0; k < npair; k++) {
        caromPairInfo pair = carom_model_pair(model, k);
        int other = carom_model_shape(model, pair.shape[0]).body.i;
        if (other > 2 || carom_model_shape(model, pair.shape[1]).body.i != 3) continue;
        CHECK_NEAR(all.force[k].z, expected[other], 1e-8*weight);
        found++;
    }
    assert_int_equal(found, 3);
    CHECK_VEC(all.end[3].p, carom_vec(0, 0, 0), 1e-9);
    carom_model_destroy(model);
}

// A bracket, which is not convex, stands on the two feet of its U: on a plane, a box, and a mesh.
static void a_bracket_stands_on_its_feet(void **state)
{
    (void)state;
    static const char *const floors[] = { "{half-space: {}}", "{box: {size: [1, 1, 0.1]}}", MESH("slab.obj") };
    for (int k = 0; k < 3; k++) {
        char text[2000];
        snprintf(text, sizeof text, STUFF("0.2", "0.4") "contact: {response: rigid}\nbodies:\n"
                 "  floor: {fixed: true, material: stuff, position: [0, 0, %s], shape: %s}\n"
                 "  bracket: {material: stuff, position: [0, 0, 2 mm], orientation: {angles: [0, 1 deg, 0]}, shape: "
                 MESH("bracket.obj") "}\n" SIMULATE("0.4", "1e-7"), k == 0 ? "0" : "-0.05", floors[k]);
        caromModel *model = good_model(text, NULL, 0);
        double weight = g*carom_model_body_mass(model, (caromBodyId){ 1 }).mass;
        carom_model_destroy(model);
        Seen all = run(text, 1e-7);
        CHECK_NEAR(all.force[0].z, weight, 1e-8*weight);
        CHECK_NEAR(all.end[1].p.z, 0, 1e-8);
        CHECK_NEAR(all.end[1].R.cz.z, 1, 1e-12);
        CHECK(all.deepest <= 1e-8);
    }
}

// ---- in each other

// A ring of triangles over a rod, and a link in a link: they swing, come to rest and stay there.
static const char *const hanging[] = {
    STUFF("0", "0.3") "contact: {response: rigid}\nbodies:\n"
    "  rod: {fixed: true, material: stuff, orientation: {angles: [90 deg, 0, 0]},\n"
    "        shape: {cylinder: {radius: 0.008, length: 0.2}}}\n"
    "  ring: {material: stuff, position: [1 mm, 0, -0.0119], orientation: {angles: [90 deg, 0, 0]},\n"
    "         shape: {mesh: {file: " CAROM_SOURCE_DIR "/examples/doughnut.obj, units: mm}}}\n" SIMULATE("0.5", "1e-5"),
    STUFF("0", "0.3") "contact: {response: rigid}\nbodies:\n"
    "  upper: {fixed: true, material: stuff, shape: " LINK "}\n"
    "  lower: {material: stuff, position: [0, 0, -39.5 mm], orientation: {angles: [0, 0, 90 deg]},\n"
    "          shape: " LINK "}\n" SIMULATE("0.5", "1e-5") };

static void rings_and_links_hang(void **state)
{
    (void)state;
    Seen ring = run(hanging[0], 1e-5), link = run(hanging[1], 1e-5);
    CHECK(ring.deepest <= 1e-5*0.05 && link.deepest <= 1e-5*0.03);
    // Radii 35 and 15 mm in 24 sides about a rod of 8 mm: 12 mm below it, less what chords lack.
    CHECK(ring.end[1].p.z > -0.0125 && ring.end[1].p.z < -0.0115);
    CHECK_NEAR(link.end[1].p.z, -0.04, 1e-8);  // bar on bar: it fell by half a millimetre
    CHECK_NEAR(link.end[1].R.cz.z, 1, 1e-12);
}

// ---- rolling

// A ball of 320 triangles rolls down a slope and over a floor: facet by facet, which costs energy and gives none.
static void a_ball_of_triangles_gains_nothing(void **state)
{
    (void)state;
    static const char *const text =
        STUFF("0.1", "0.5") "contact: {response: rigid}\nbodies:\n"
        "  floor: {fixed: true, material: stuff, position: [0, 0, -0.05], shape: " MESH("slab.obj") "}\n"
        "  ball: {material: stuff, position: [-0.3, 0, 0.0501], velocity: [0.5, 0, 0], angular_velocity: [0, 10, 0],\n"
        "         shape: " MESH("ball.obj") "}\n" SIMULATE("0.6", "1e-6");
    Seen all = run(text, 1e-6);
    CHECK(all.end[1].p.x > -0.25);
    CHECK(all.deepest <= 1e-6*0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_cube_of_triangles_moves_as_the_box),
                                        cmocka_unit_test(three_feet_carry_what_statics_says),
                                        cmocka_unit_test(a_bracket_stands_on_its_feet),
                                        cmocka_unit_test(rings_and_links_hang),
                                        cmocka_unit_test(a_ball_of_triangles_gains_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
