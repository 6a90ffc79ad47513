// What the command says of shapes: of a model's, with their masses and gaps, and of a mesh file's.
#include "cli_fixture.h"

static void expect_lines(const char *line, const char *part)
{
    Said said = carom_says(line);
    assert_int_equal(said.status, 0);
    assert_string_equal(said.err, "");
    if (!strstr(said.out, part)) fail_msg("missing: %s\n--- in\n%s", part, said.out);
    forget(&said);
}

static void check_says_what_every_shape_is(void **state)
{
    (void)state;
    write_text("s.yaml", "carom: 1\n"
               "bodies:\n"
               "  egg: {fixed: true, material: steel, shape: {ellipsoid: {semi_axes: [1 cm, 2 cm, 3 cm]}}}\n"
               "  can: {fixed: true, material: steel, shape: {cylinder: {radius: 2 cm, length: 10 cm, "
               "rounding: 1 mm}}}\n"
               "  hat: {fixed: true, material: steel, shape: {cone: {radius: 2 cm, length: 5 cm}}}\n"
               "  cup: {fixed: true, material: steel, shape: {cone: {radius: 2 cm, top_radius: 3 cm, length: 5 cm}}}\n"
               "  die: {fixed: true, material: wood, shape: {polytope: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], "
               "[0, 0, 1]], rounding: 1 cm}}}\n"
               "  lot:\n"
               "    fixed: true\n"
               "    material: steel\n"
               "    shapes:\n"
               "      a: {capsule: {radius: 1 cm, length: 3 cm, rounding: 1 mm}}\n"
               "      b: {torus: {radius: 5 cm, tube_radius: 1 cm}, material: rubber}\n"
               "      c: {box: {size: [1, 1, 1], rounding: 10 cm}}\n");
    expect_lines("check s.yaml", "bodies: 0 moving, 6 fixed\n"
                 "  egg  fixed  ellipsoid with semi-axes 10 mm, 20 mm, 30 mm                    steel\n"
                 "  can  fixed  cylinder of radius 20 mm, length 100 mm, edges rounded by 1 mm  steel\n"
                 "  hat  fixed  cone of radius 20 mm, length 50 mm                              steel\n"
                 "  cup  fixed  truncated cone of radii 20 mm and 30 mm, length 50 mm           steel\n"
                 "  die  fixed  polytope with 4 vertices, 4 faces, edges rounded by 10 mm       wood\n"
                 "  lot  fixed  a: capsule of radius 10 mm, straight length 30 mm               steel\n"
                 "              b: torus of radius 50 mm, tube radius 10 mm                     rubber\n"
                 "              c: box 1 m x 1 m x 1 m, edges rounded by 100 mm                 steel\n"
                 "materials\n");
}

// A tetrahedron with legs a has the volume a^3/6 and its centre at a/4 on each axis. About it Ixx = 3/40 m a^2 and
// Ixy = 1/80 m a^2 (as an entry of the matrix), so the moment about (1, 1, 1) is m a^2/10 and about any axis
// square to it m a^2/16.
static void check_prints_mass_properties(void **state)
{
    (void)state;
    write_text("m.yaml", "carom: 1\n"
               "materials: {unit: {density: 1000 kg/m^3}}\n"
               "bodies:\n"
               "  die: {material: unit, shape: {polytope: {vertices: [[0, 0, 0], [60 cm, 0, 0], [0, 60 cm, 0], [0, "
               "0, 60 cm]]}}}\n");
    Said said = carom_says("check m.yaml");
    const char *line = strstr(said.out, "masses\n");
    assert_non_null(line);
    const char *pattern = "masses\n  die  36 kg  volume 0.036 m^3  centre of mass [0.15, 0.15, 0.15] m  moments of "
                          "inertia 0.81, 0.81, 1.296 kg m^2  about *, [0.5774, 0.5774, 0.5774]";
    expect_start("stdout", "check m.yaml", pattern, line,
                 strlen("masses\n") + strcspn(line + strlen("masses\n"), "\n"));
    forget(&said);
}

static void gaps_are_listed_nearest_first(void **state)
{
    (void)state;
    write_text("g.yaml", "carom: 1\n"
                         "bodies:\n"
                         "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                         "  far: {material: steel, shape: {sphere: {radius: 10 cm}}, position: [0, 0, 1]}\n"
                         "  near: {material: steel, shape: {sphere: {radius: 10 cm}}, position: [0, 0, 0.25]}\n");
    const char *gaps = "gaps at the start, nearest first; below 0 they overlap\n"
                       "  floor - near  150 mm  normal [0, 0, 1]   from [0, 0, 0] m    to [0, 0, 0.15] m\n"
                       "  far - near    550 mm  normal [0, 0, -1]  from [0, 0, 0.9] m  to [0, 0, 0.35] m\n"
                       "  floor - far   900 mm  normal [0, 0, 1]   from [0, 0, 0] m    to [0, 0, 0.9] m\n";
    expect_lines("check g.yaml --gaps", gaps);
    Said said = carom_says("check g.yaml");
    assert_null(strstr(said.out, "gaps"));
    forget(&said);
    // Of a start that is refused too.
    said = carom_says("check g.yaml --gaps --set bodies.near.position.z=50mm");
    assert_int_equal(said.status, 2);
    assert_non_null(strstr(said.out, "gaps at the start, nearest first; below 0 they overlap\n  floor - near  -50 mm  "
                           "normal [0, 0, 1]"));
    assert_non_null(strstr(said.err, "--set bodies.near.position.z: error: "));
    forget(&said);
    write_text("alone.yaml", "carom: 1\nbodies:\n  ball: {material: steel, shape: {sphere: {radius: 10 cm}}}\n");
    expect_lines("check alone.yaml --gaps", "gaps at the start: none, there is nothing to collide with\n");
}

static void run_records_gaps_on_request(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    expect("run b.yaml -q --gaps --end 0.1", 0, "", "");
    said = carom_says("csv b.carom -o -");
    assert_non_null(strstr(said.out, ",gaps.plate - ball.distance [m],gaps.plate - ball.normal.x,"));
    forget(&said);
    expect("run b.yaml -q --end 0.1", 0, "", "");
    said = carom_says("csv b.carom -o -");
    assert_null(strstr(said.out, "gaps."));
    forget(&said);
}

#define FACET(a, b, c) "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"

static void mesh_tells_what_is_in_a_file(void **state)
{
    (void)state;
    expect("mesh --help", 0,
           "usage: carom mesh [OPTION]... FILE\n"
           "\n"
           "Reads the triangles in FILE (- is standard input), whatever its ending: "
           "STL and PLY, binary or text, OBJ, glTF or GLB, or 3MF. "
           "Prints what the mesh\n"
           "is, what it weighs, what was repaired in memory, and problems: holes, walls inside, "
           "triangles that cross, no outside.\n"
           "FILE stays as it is. In a model file it is a shape: mesh: {file: FILE, units: mm}.\n"
           "\n"
           "  -o, --output MESH      write the mesh as repaired to MESH, as OBJ in metres\n"
           "      --close-holes N    close holes of N edges at most, 3 to 100, with triangles between their corners\n"
           "      --units U          of a file that does not say its own: m, mm, cm, um, km, in or ft; m if not given\n"
           "      --scale S          the same as a number of metres, 0.001 for millimetres\n"
           "      --density D        in kg/m^3; 1000 if not given\n"
           "      --no-cache         read the file itself, and keep nothing for the next time in ~/.cache/carom\n"
           "  -h, --help             show this\n",
           "");
    write_text("tetra.stl", "solid t\n" FACET("0 0 0", "0 60 0", "60 0 0") FACET("0 0 0", "60 0 0", "0 0 60") FACET(
            "0 0 0", "0 60 0", "0 0 60") FACET("60 0 0", "0 60 0", "0 0 60"));
    expect("mesh tetra.stl --scale 0.001 --density=8000", 0, "mesh: 4 vertices, 4 triangles, 1 component, closed\n"
           "  size  60 mm x 60 mm x 60 mm\n"
           "  from  [0, 0, 0] m\n"
           "  to    [0.06, 0.06, 0.06] m\n"
           "  area  85.18 cm^2\n"
           "units: 1 mm\n"
           "mass at 8000 kg/m^3\n"
           "  288 g  volume 36 cm^3  centre of mass [0.015, 0.015, 0.015] m  moments of inertia 6.48e-05, 6.48e-05, "
           "0.0001037 kg m^2  about *\n"
           "repaired\n"
           "  8 vertices merged with others at the same place\n"
           "  1 triangle turned to the side of the others\n"
           "no problems\n",
           "");
    write_text("open.obj", "v 0 0 0\nv 60 0 0\nv 0 60 0\nv 0 0 60\nv 1 1 1\nf 1 3 2\nf 1 2 4\nf 2 4 4\n");
    expect("mesh open.obj", 0,
           "mesh: 4 vertices, 2 triangles, 1 component, open\n"
           "  size  60 m x 60 m x 60 m\n"
           "  from  [0, 0, 0] m\n"
           "  to    [60, 60, 60] m\n"
           "  area  3600 m^2\n"
           "units: the file does not say, taken as metres; --units mm for millimetres\n"
           "repaired\n"
           "  1 vertex left out: no triangle has it\n"
           "  1 triangle without area removed\n"
           "problems\n"
           "  4 edges with one triangle only: the surface has holes, and no mass; "
           "--close-holes 20 closes small ones\n"
           "  large: if the file is in millimetres, use --units mm\n",
           "");
    write_text("cross.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv .2 .2 -1\nv .2 .2 1\nv 1 1 1\nf 1 2 3\nf 4 5 6\n");
    expect("mesh cross.obj", 0,
           "mesh: 6 vertices, 2 triangles, 2 components, open\n"
           "  size  1 m x 1 m x 2 m\n"
           "  from  [0, 0, -1] m\n"
           "  to    [1, 1, 1] m\n"
           "  area  1.631 m^2\n"
           "units: the file does not say, taken as metres; --units mm for millimetres\n"
           "problems\n"
           "  6 edges with one triangle only: the surface has holes, and no mass; "
           "--close-holes 20 closes small ones\n"
           "  1 pair of triangles cross: the surface goes through itself\n",
           "");
}

// A tetrahedron without one of its triangles, in millimetres: closed, weighed, written in metres and read back.
static void mesh_closes_holes_and_writes_what_it_has(void **state)
{
    (void)state;
    write_text("hole.obj", "v 0 0 0\nv 60 0 0\nv 0 60 0\nv 0 0 60\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    expect("mesh hole.obj --units mm --close-holes 3 -o whole.obj", 0, "mesh: 4 vertices, 4 triangles, 1 component, "
           "closed\n"
           "  size  60 mm x 60 mm x 60 mm\n"
           "  from  [0, 0, 0] m\n"
           "  to    [0.06, 0.06, 0.06] m\n"
           "  area  85.18 cm^2\n"
           "units: 1 mm\n"
           "mass at 1000 kg/m^3\n"
           "  36 g  volume 36 cm^3  centre of mass [0.015, 0.015, 0.015] m  moments of inertia 8.1e-06, 8.1e-06, "
           "1.296e-05 kg m^2  about *\n"
           "repaired\n"
           "  1 hole closed by 1 triangle\n"
           "no problems\n"
           "wrote whole.obj, in metres: units: m in a model file\n",
           "");
    expect("mesh whole.obj --units m --close-holes 100", 0,
           "mesh: 4 vertices, 4 triangles, 1 component, closed\n*\n*\n*\n*\nunits: 1 m\n*\n"
           "  36 g  volume 36 cm^3*\nno problems\n", "");
    expect("mesh hole.obj --units mm -o hole.obj", 2, "", "carom: error: hole.obj: that would replace what is read; "
           "choose another name\n");
    expect("mesh hole.obj --close-holes 2", 2, "",
           "carom: error: --close-holes 2: expected the edges of the largest hole to close, 3 to 100\n");
    write_text("other.txt", "mine\n");
    expect("mesh hole.obj -o other.txt", 2, "", "carom: error: other.txt: exists and is not a mesh of carom; remove it "
           "or choose another name with -o\n");
}

static void mesh_tells_what_is_wrong(void **state)
{
    (void)state;
    write_text("bad.obj", "v 0 0 0\nv 60 0 0\nf 1 2 3\n");
    expect("mesh bad.obj", 2, "", "carom: error: bad.obj:3: this face has vertex 3, but the file has only 2\n");
    expect("mesh bad.obj --scale 1mm", 2, "", "carom: error: --scale 1mm: expected a positive number without a unit, "
           "such as 0.001\n");
    expect("mesh bad.obj --density -1", 2, "", "carom: error: --density -1: expected a positive number without a unit, "
           "such as 7850\n");
    write_text("good.obj", "v 0 0 0\nv 60 0 0\nv 0 60 0\nf 1 2 3\n");
    expect("mesh good.obj --units inch", 2, "",
           "carom: error: --units inch: expected one of m, mm, cm, um, km, in, ft\n");
    expect("mesh good.obj --units mm --scale 1", 2, "", "carom: error: --units and --scale say the same twice: "
           "give one of them\n");
    write_text("metres.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"meshes\": [{\"primitives\": [{\"attributes\": "
               "{\"POSITION\": 0}}]}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5120, \"count\": 3, "
               "\"type\": \"VEC3\"}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 9}], "
               "\"buffers\": [{\"byteLength\": 9, \"uri\": "
               "\"data:;base64,AAAAAQAAAAAB\"}]}");
    expect("mesh metres.gltf --units mm", 2, "", "carom: error: --units mm: the file says itself that its unit is 1 m; "
           "if it is wrong, --scale 0.001 makes mm of it\n");
    expect("mesh metres.gltf", 0, "mesh: 3 vertices, 1 triangle, 1 component, open\n"
           "  size  1 m x 1 m x 0 m\n"
           "  from  [0, -1, 0] m\n"
           "  to    [1, 0, 0] m\n"
           "  area  0.5 m^2\n"
           "units: 1 m, as the file says\n"
           "problems\n"
           "  3 edges with one triangle only: the surface has holes, and no mass; "
           "--close-holes 20 closes small ones\n", "");
    expect("mesh none.obj", 2, "", "carom: error: none.obj: cannot be opened: No such file or directory\n");
}

// An L of unit cubes: the hull fills half a cube more.
static void check_says_what_touches_for_a_mesh(void **state)
{
    (void)state;
    write_text("l.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\n"
               "v 1 2 1\nv 0 2 1\n"
               "f 1 3 2\nf 1 4 3\nf 1 5 4\nf 1 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 11\nf 7 11 12\n"
               "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n");
    write_text("l.yaml", "carom: 1\n"
               "bodies:\n"
               "  exact: {fixed: true, material: steel, shape: {mesh: {file: l.obj, units: cm}}}\n"
               "  filled: {material: steel, shape: {mesh: {file: l.obj, units: cm, collide: hull}}, "
               "position: [1, 0, 0]}\n"
               "  ghost: {material: wood, shapes: {a: {mesh: {file: l.obj, units: cm, collide: none}}, b: {sphere: "
               "{radius: 1 cm}}}, position: [2, 0, 0]}\n"
               "contact: {ignore: [[exact, filled]], restitution: 0.5}\n");
    Said said = carom_says("check l.yaml");
    assert_int_equal(said.status, 0);
    assert_non_null(strstr(said.out, "bodies: 2 moving, 1 fixed\n"
                                     "  exact     fixed  mesh of 20 triangles, closed     steel\n"
                                     "  filled  23.55 g  mesh of 20 triangles, closed     steel\n"
                                     "  ghost   4.313 g  a: mesh of 20 triangles, closed  wood   does not touch\n"
                                     "                   b: sphere of radius 10 mm        wood\n"));
    assert_non_null(strstr(said.out, "meshes\n"
                           "  exact.shape   mesh of 20 triangles, closed    collides as it is\n"
                           "  filled.shape  mesh of 20 triangles, closed    collides as its convex hull: "
                           "volume 3.5 cm^3, mesh 3 cm^3, +16.7 %\n"
                           "  ghost.a       mesh of 20 triangles, closed    collides with nothing\n"));
    assert_string_equal(said.err, "l.yaml:4:77: warning: the convex hull has a volume of 3.5 cm^3, the mesh 3 cm^3: "
                        "+16.7 %. Others touch it where there is nothing to see; collide: pieces follows it closer\n"
                        "    4 |   filled: {material: steel, shape: {mesh: {file: l.obj, units: cm, collide: hull}}, "
                        "position: [1, 0, 0]}\n"
                        "      |                                                                             ^\n");
    forget(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(check_says_what_every_shape_is),
        CLI_TEST(check_prints_mass_properties),
        CLI_TEST(gaps_are_listed_nearest_first),
        CLI_TEST(run_records_gaps_on_request),
        CLI_TEST(mesh_tells_what_is_in_a_file),
        CLI_TEST(mesh_closes_holes_and_writes_what_it_has),
        CLI_TEST(mesh_tells_what_is_wrong),
        CLI_TEST(check_says_what_touches_for_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
