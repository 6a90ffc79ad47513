// Mesh files: every format written and read back, sloppy files, and what is said about bad ones.
#include <float.h>
#include <locale.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mesh_fixture.h"
#include "modelfile/meshfile.h"

static char folder[] = "/tmp/carom-mesh-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// ---- files in memory

typedef struct Bytes {
    char *at;
    size_t length, capacity;
} Bytes;

static void put(Bytes *bytes, const void *data, size_t n)
{
    if (bytes->length + n + 1 > bytes->capacity) {
        bytes->capacity = 2*(bytes->length + n + 1);
        bytes->at = realloc(bytes->at, bytes->capacity);
        assert_non_null(bytes->at);
    }
    memcpy(bytes->at + bytes->length, data, n);
    bytes->length += n;
    bytes->at[bytes->length] = '\0';
}

static void say(Bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Bytes *bytes, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    put(bytes, text, (size_t)vsnprintf(text, sizeof text, format, args));
    va_end(args);
}

static void put_float(Bytes *bytes, double value)
{
    float f = (float)value;
    unsigned char b[4];
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    for (int i = 0; i < 4; i++) b[i] = (unsigned char)(bits >> 8*i);
    put(bytes, b, 4);
}

static Bytes binary_stl(const Raw *raw, const char *title)
{
    Bytes bytes = { 0 };
    char head[84] = "";
    strcpy(head, title);
    for (int i = 0; i < 4; i++) head[80 + i] = (char)((unsigned)raw->ntriangle >> 8*i & 255);
    put(&bytes, head, 84);
    for (int t = 0; t < raw->ntriangle; t++) {
        for (int k = 0; k < 3; k++) put_float(&bytes, NAN);  // normals are not read
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) put_float(&bytes, carom_at(raw->vertices[raw->triangles[t][k]], i));
        put(&bytes, "\xff", 2);
    }
    return bytes;
}

static Bytes text_stl(const Raw *raw)
{
    Bytes bytes = { 0 };
    say(&bytes, "solid a part: vertex 1, \"facet\"\n");
    for (int t = 0; t < raw->ntriangle; t++) {
        say(&bytes, "  facet normal 0 0 0\n    outer loop\n");
        for (int k = 0; k < 3; k++) {
            caromVec3 p = raw->vertices[raw->triangles[t][k]];
            say(&bytes, "      vertex %.17g %.17e %.17G\n", p.x, p.y, p.z);
        }
        say(&bytes, "    endloop\n  endfacet\n");
    }
    say(&bytes, "endsolid a part\n");
    return bytes;
}

static Bytes obj(const Raw *raw)
{
    Bytes bytes = { 0 };
    say(&bytes, "# a part\nmtllib part.mtl\no part\n");
    for (int i = 0; i < raw->nvertex; i++)
        say(&bytes, "v %.17g %.17g %.17g\n", raw->vertices[i].x, raw->vertices[i].y, raw->vertices[i].z);
    for (int t = 0; t < raw->ntriangle; t++) {
        const int *v = raw->triangles[t];
        say(&bytes, "f %d/1/1 %d//2 %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
    }
    return bytes;
}

static caromMesh *parse(Bytes bytes, double scale, caromMeshReport *report)  // frees them
{
    caromError err = { 0 };
    caromMesh *mesh = carom_meshfile_parse(bytes.at, bytes.length, "part", scale, report, &err);
    if (!mesh) print_error("%s: %s\n", err.where, err.message);
    assert_non_null(mesh);
    free(bytes.at);
    return mesh;
}

static caromMeshReport report_of_text(const char *text)
{
    caromMeshReport report;
    Bytes bytes = { 0 };
    put(&bytes, text, strlen(text));
    carom_mesh_destroy(parse(bytes, 1, &report));
    return report;
}

static void expect_error(Bytes bytes, const char *where, const char *message)  // frees them
{
    caromError err = { 0 };
    caromMeshReport report;
    if (!bytes.at) put(&bytes, "", 0);
    assert_null(carom_meshfile_parse(bytes.at, bytes.length, "part", 1, &report, &err));
    assert_string_equal(err.where, where);
    if (!strstr(err.message, message)) fail_msg("'%s'\nexpected '%s'", err.message, message);
    assert_null(carom_meshfile_parse(bytes.at, bytes.length, "part", 1, NULL, NULL));
    free(bytes.at);
}

static void expect_text_error(const char *text, const char *where, const char *message)
{
    Bytes bytes = { 0 };
    put(&bytes, text, strlen(text));
    expect_error(bytes, where, message);
}

// ---- all formats

// Vertices in the order in which they come, triangles as they were; exact but in binary STL, which has floats.
static void check_same(const caromMesh *mesh, const Raw *raw, double tolerance)
{
    const caromVec3 *v;
    const int (*t)[3];
    assert_int_equal(carom_mesh_vertices(mesh, &v), raw->nvertex);
    assert_int_equal(carom_mesh_triangles(mesh, &t), raw->ntriangle);
    for (int i = 0; i < raw->ntriangle; i++)
        for (int k = 0; k < 3; k++) CHECK_VEC(v[t[i][k]], raw->vertices[raw->triangles[i][k]], tolerance);
}

static void every_format_gives_the_mesh_back(void **state)
{
    (void)state;
    Raw parts[] = { cube(0.5), tetrahedron(), torus(0.05, 0.02, 12, 8), bolt() };
    for (size_t i = 0; i < sizeof parts/sizeof *parts; i++) {
        caromMeshReport direct, r[3];
        caromMesh *mesh = mesh_of(&parts[i], &direct);
        caromMesh *read[3] = { parse(binary_stl(&parts[i], "solid of a binary kind"), 1, &r[0]),
                               parse(text_stl(&parts[i]), 1, &r[1]), parse(obj(&parts[i]), 1, &r[2]) };
        double size = carom_norm(carom_sub(direct.high, direct.low));
        for (int k = 0; k < 3; k++) {
            check_same(read[k], &parts[i], k == 0 ? size*(double)FLT_EPSILON : 0);
            CHECK(r[k].is_closed && r[k].is_oriented && r[k].open_edges == 0 && r[k].triangles_turned == 0 &&
                  r[k].bytes_ignored == 0);
            CHECK(r[k].vertices_read - r[k].vertices_merged == parts[i].nvertex &&
                  r[k].triangles_read == parts[i].ntriangle);
            CHECK_NEAR(r[k].volume, direct.volume, k == 0 ? 6*size*direct.area*(double)FLT_EPSILON
                                                          : 4*parts[i].ntriangle*DBL_EPSILON*direct.volume);
            carom_mesh_destroy(read[k]);
        }
        carom_mesh_destroy(mesh);
        raw_free(&parts[i]);
    }
}

static void obj_keeps_the_order_of_vertices_and_the_bits(void **state)
{
    (void)state;
    Raw raw = torus(0.05, 0.02, 12, 8);
    caromMesh *a = mesh_of(&raw, NULL), *b = parse(obj(&raw), 1, NULL);
    const caromVec3 *v[2];
    int n = carom_mesh_vertices(a, &v[0]);
    assert_int_equal(carom_mesh_vertices(b, &v[1]), n);
    assert_memory_equal(v[0], v[1], (size_t)n*sizeof **v);
    assert_memory_equal(v[0], raw.vertices, (size_t)n*sizeof **v);
    caromMassProps m = carom_mesh_mass(a, 1), k = carom_mesh_mass(b, 1);
    assert_memory_equal(&m, &k, sizeof m);
    carom_mesh_destroy(a);
    carom_mesh_destroy(b);
    raw_free(&raw);
}

static void the_scale_multiplies(void **state)
{
    (void)state;
    Raw raw = cube(10);
    caromMeshReport r;
    carom_mesh_destroy(parse(obj(&raw), 0.001, &r));
    CHECK_NEAR(r.volume, 8e-6, 8e-6*16*DBL_EPSILON);
    carom_mesh_destroy(parse(binary_stl(&raw, ""), 0.001, &r));
    CHECK_NEAR(r.volume, 8e-6, 8e-6*16*DBL_EPSILON);
    for (int i = 0; i < 3; i++) {
        static const double bad[] = { 0, -1, NAN };
        caromError err;
        assert_null(carom_meshfile_parse("v", 1, "part", bad[i], NULL, &err));
        assert_string_equal(err.where, "scale");
        assert_non_null(strstr(err.message, "expected a positive number, say 0.001 for millimetres"));
    }
    raw_free(&raw);
}

// A file is what is in it, whatever its name says.
static void files_are_read_by_content(void **state)
{
    (void)state;
    Raw raw = bolt();
    Bytes (*const writers[])(const Raw *) = { text_stl, obj };
    for (int i = 0; i < 2; i++) {
        Bytes bytes = writers[i](&raw);
        FILE *file = fopen(path_of(i == 0 ? "part.obj" : "part.stl"), "wb");
        assert_non_null(file);
        fwrite(bytes.at, 1, bytes.length, file);
        fclose(file);
        caromMeshReport r;
        caromMesh *mesh = carom_meshfile_read(path_of(i == 0 ? "part.obj" : "part.stl"), 1, &r, NULL);
        assert_non_null(mesh);
        CHECK(r.is_closed);
        carom_mesh_destroy(mesh);
        unlink(path_of(i == 0 ? "part.obj" : "part.stl"));
        free(bytes.at);
    }
    raw_free(&raw);
    caromError err;
    assert_null(carom_meshfile_read(path_of("none.stl"), 1, NULL, &err));
    assert_int_equal(err.status, CAROM_ERR_FILE);
    assert_string_equal(err.where, path_of("none.stl"));
    assert_null(carom_meshfile_read(folder, 1, NULL, &err));
    assert_string_equal(err.message, "is a directory, expected a mesh file, STL, OBJ, PLY, glTF or 3MF");
}

// ---- sloppy STL

#define CORNERS(a, b, c) " outer loop vertex " a " vertex " b " vertex " c " endloop endfacet\n"

static void sloppy_stl_is_read(void **state)
{
    (void)state;
    caromMeshReport r = report_of_text(  // CR LF, upper case, comments, no normal, nan, signs, exponents, no endsolid
            "\xEF\xBB\xBF# made by hand\r\nSOLID\r\nFACET NORMAL nan -nan(ind) inf\r\nOUTER LOOP\r\n"
                                       "VERTEX 0 0 0 # first\r\nVERTEX 0. +1E0 -0\r\n"
                                       "Vertex 1.0e+00 .0 0e5\r\nENDLOOP\r\nENDFACET\r\n\tfacet"
                                       CORNERS("0 0 0", "1 0 0", "0 0 10e-1") "facet normal"
                                       CORNERS("0 0 0", "0 0 1", "0 1 0") "facet normal 1 1 1"
                                       CORNERS("1 0 0", "0 1 0", "0 0 1"));
    CHECK(r.is_closed && r.vertices_merged == 8 && r.triangles_turned == 0);
    CHECK_NEAR(r.volume, 1.0/6, 8*DBL_EPSILON);
    r = report_of_text("solid a\rfacet normal 0 0 0" CORNERS("0 0 0", "0 1 0", "1 0 0") "endsolid a\rsolid b\rfacet"
                       CORNERS("0 0 0", "1 0 0", "0 0 1") "endsolid");
    CHECK(r.triangles_read == 2 && r.open_edges == 4 && r.components == 1);
    r = report_of_text("facet" CORNERS("0 0 0", "0 1 0", "1 0 0"));
    CHECK(r.triangles_read == 1);
}

static void bad_stl_text_is_told(void **state)
{
    (void)state;
    expect_text_error("solid x\nendsolid x\n", "part:3", "this STL file has no facets");
    expect_text_error("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\n"
                      "vertex 0 1 0\nendloop\nendfacet\n", "part:7", "more than 3 corners: STL has triangles only");
    expect_text_error("solid x\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", "part:6",
                      "this facet has 2 corners, expected 3");
    expect_text_error("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0", "part:5",
                      "expected three coordinates");
    expect_text_error("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "part:5",
                      "the file ends within a facet, expected 'vertex': it was cut off");
    expect_text_error("solid x\nfacet normal 0 0 1 2 3\n", "part:2",
                      "expected 'outer loop' behind the normal, found '2'");
    expect_text_error("solid x\nfacet normal 0 0 1\nouter ring\n", "part:3",
                      "expected 'loop' behind 'outer', found 'ring'");
    expect_text_error("solid x\nfacet\nouter loop\nvertex 0,5 0 0\n", "part:4",
                      "found '0,5': a decimal point is written '.'");
    expect_text_error("solid x\nfacet\nouter loop\nvertex 0 nan 0\n", "part:4",
                      "expected a finite number such as 0.5 or 1.5e-3, found 'nan'");
    expect_text_error("solid x\nfacet\nouter loop\nvertex 0 1e60 0\n", "part:4",
                      "coordinates must be finite and below 1e+50");
    expect_text_error("solid x\nfacet\nouter loop\nvertex 0 1e999 0\n", "part:4", "[0, inf, 0] m");
    expect_text_error(
            "solid x\nfacet\nouter loop\nvertex 0 11111111111111111111111111111111111111111111111111111111111111111 "
                      "0\n", "part:4", "too many digits");
    expect_text_error("solid x\nfacet\nouter loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop\nfacet", "part:4",
                      "expected 'endfacet', found 'facet'");
    expect_text_error("solid x\nfacet" CORNERS("0 0 0", "1 0 0", "0 1 0") "hello\n", "part:3",
                      "expected 'facet', 'solid' or 'endsolid', found 'hello'");
    expect_text_error("solid x\nfacet" CORNERS("0 0 0", "1 1 1", "2 2 2"), "part",
                      "none of its triangles has an area (1 read)");
}

// ---- binary STL

static void bytes_behind_the_last_triangle_are_counted(void **state)
{
    (void)state;
    Raw raw = cube(1);
    Bytes bytes = binary_stl(&raw, "");
    put(&bytes, "colours", 7);
    caromMeshReport r;
    carom_mesh_destroy(parse(bytes, 1, &r));
    CHECK(r.bytes_ignored == 7 && r.is_closed);
    raw_free(&raw);
}

static void bad_binary_stl_is_told(void **state)
{
    (void)state;
    Raw raw = cube(1);
    Bytes bytes = binary_stl(&raw, "solid");
    bytes.length -= 1;
    expect_error(bytes, "part, byte 80", "its header promises 12 triangles in 684 bytes, but the file has 683: "
                 "it was cut off, or is of another kind");
    bytes = binary_stl(&raw, "");
    memset(bytes.at + 80, 255, 4);
    expect_error(bytes, "part, byte 80", "promises 4294967295 triangles in 214748364834 bytes, but the file has 684");
    bytes = binary_stl(&raw, "");
    memset(bytes.at + 80, 0, 4);
    expect_error(bytes, "part, byte 80", "promises no triangles");
    bytes = binary_stl(&raw, "");
    bytes.length = 83;
    expect_error(bytes, "part, byte 83", "is not text, and a binary STL file has 134 bytes at least, this one 83");
    raw.vertices[0].y = INFINITY;
    expect_error(binary_stl(&raw, ""), "part, byte 96", "corner 1 of triangle 1 is [-1, inf, -1] m");
    raw.vertices[0].y = -1;
    raw.vertices[7].y = NAN;
    expect_error(binary_stl(&raw, ""), "part, byte 220", "corner 3 of triangle 3 is [1, nan, 1] m");
    raw_free(&raw);
}

// ---- OBJ

static void obj_has_polygons_and_indices_from_behind(void **state)
{
    (void)state;
    caromMeshReport r = report_of_text("v 0 0 0 1.0\r\nv 1 0 0 0.5 0.5 0.5\r\nv 1 1 0\r\nvn 0 0 1\r\nvt 0 0\r\n"
                                       "v 0 1 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\n"
                                       "g sides\\\r\nusemtl steel\r\ns off\r\nf 4 3 2 1\r\nf -4 -3 \\\r\n  -2 -1\r\n"
                                       "f 1/1/1 2/1/1 6/1/1 5/1/1\r\nf 2//1 3//1 7//1 6//1 # right\r\n"
                                       "f 3/1 4/1 8/1 7/1\r\nf 4 1 5\\\r\n 8");
    CHECK(r.vertices_read == 8 && r.triangles_read == 12 && r.is_closed && r.triangles_turned == 0 &&
          r.components_turned == 0);
    CHECK_NEAR(r.volume, 1, 8*DBL_EPSILON);
    r = report_of_text("f 1 2 3 4 5\nv 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 2 0\nv -1 1 0\n");  // faces first
    CHECK(r.triangles_read == 3);
    CHECK_NEAR(r.area, 5, 16*DBL_EPSILON);
}

static void bad_obj_is_told(void **state)
{
    (void)state;
#define FOUR "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    expect_text_error(FOUR "f 1 2 5\n", "part:5", "this face has vertex 5, but the file has only 4");
    expect_text_error(FOUR "f 1 2 99999999999999999999\n", "part:5",
                      "this face has vertex 2147483648, but the file has only 4");
    expect_text_error(FOUR "f 1 2 0\n", "part:5", "vertex 0 does not exist: they are counted from 1, "
                      "and from -1 backwards");
    expect_text_error(FOUR "f 1 2 -5\n", "part:5", "vertex -5 does not exist: there are 4 before this line");
    expect_text_error(FOUR "f 1 2 x\n", "part:5", "expected a vertex of a face such as 7, 7/1 or 7/1/3, found 'x'");
    expect_text_error(FOUR "f 1 2 3.5\n", "part:5", "found '3.5'");
    expect_text_error(FOUR "f 1 2\n", "part:5", "this face has 2 corners, expected 3 or more");
    expect_text_error(FOUR "f\n", "part:5", "this face has 0 corners");
    expect_text_error(FOUR, "part:5", "this OBJ file has 4 vertices but no faces");
    expect_text_error("v 1 2\nv 0 0 0\n", "part:1", "expected three coordinates such as 0.5 or 1.5e-3, "
                      "the line or file ends before them");
    expect_text_error("\n\nv 1 2 1e\n", "part:3", "found '1e'");
    expect_text_error("v 1 2 inf\n", "part:1", "found 'inf'");
    expect_text_error("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 2 3 4 1\n# L\nv 0 4 0\nf 1 2 3 4 5\n", "part:8",
                      "this face of 5 corners is not convex: export the mesh as triangles");
    expect_text_error("off\n8 6 0\n", "part:1", "is not STL, OBJ, PLY, glTF or 3MF: expected 'solid', 'ply', "
                      "or lines that start with v and f, found 'off'");
    expect_text_error("", "part:1", "is empty: expected a mesh, as STL, OBJ, PLY, glTF or 3MF");
    expect_text_error("\n  \n", "part:1", "there is nothing in this file");
    expect_text_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n", "part",
                      "the surface is closed, but its volume 0 m^3 is nothing");
}

static void long_paths_keep_their_end(void **state)
{
    (void)state;
    char name[400];
    caromError err;
    memset(name, 'x', sizeof name);
    strcpy(name + 380, "/part.obj");
    assert_null(carom_meshfile_parse("v 1\n", 4, name, 1, NULL, &err));
    assert_non_null(strstr(err.where, "xxx/part.obj:1"));
    assert_memory_equal(err.where, "...x", 4);
}

// ---- size and locale

static void big_files_are_quick(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    enum { N = 20000 };
#else
    enum { N = 400000 };
#endif
    Bytes bytes = { 0 };
    for (int i = 0; i < N; i++) say(&bytes, "v %.9g %.9g 0\n", cos(2*PI*i/N), sin(2*PI*i/N));
    say(&bytes, "f");
    for (int i = 0; i < N; i++) say(&bytes, i%8 ? " %d" : " \\\n%d", i + 1);
    clock_t start = clock();
    caromMeshReport r;
    carom_mesh_destroy(parse(bytes, 1, &r));
    CHECK((double)(clock() - start)/CLOCKS_PER_SEC < 20);
    CHECK(r.triangles_read == N - 2);
    CHECK_NEAR(r.area, PI, 1e-6);
}

// Zeros that take no place on the disk, behind a header that promises so many triangles.
static void write_zeros(const char *path, off_t size, uint32_t count)
{
    unsigned char header[84] = { 0 };
    for (int i = 0; i < 4; i++) header[80 + i] = (unsigned char)(count >> 8*i);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, size), 0);
}

static void expect_refusal_without_memory(const char *path, const char *message)
{
    struct rusage before, after;
    caromError err = { 0 };
    clock_t start = clock();
    getrusage(RUSAGE_SELF, &before);
    assert_null(carom_meshfile_read(path, 1, NULL, &err));
    assert_null(carom_meshfile_read_cached(path, 1, NULL, NULL, &err));
    getrusage(RUSAGE_SELF, &after);
    CHECK((double)(clock() - start)/CLOCKS_PER_SEC < 20);
    CHECK(after.ru_maxrss - before.ru_maxrss < 50000);  // kB
    if (!strstr(err.message, message)) fail_msg("%s", err.message);
    unlink(path);
}

static void big_files_of_zeros_are_refused_without_memory(void **state)
{
    (void)state;
    const off_t most = CAROM_MESH_BYTES_MAX;
    const uint32_t fitting = (uint32_t)((most - 84)/50);
    const char *path = path_of("zeros.stl");
    write_zeros(path, most, 0);
    expect_refusal_without_memory(path, "promises no triangles");
    write_zeros(path, most, fitting + 1);
    expect_refusal_without_memory(path, "it was cut off, or is of another kind");
    write_zeros(path, 84 + (off_t)50*fitting, fitting);
    expect_refusal_without_memory(path, "none of its triangles has an area (21474834 read)");
    write_zeros(path, most, 1000);  // and bytes behind them
    expect_refusal_without_memory(path, "none of its triangles has an area (1000 read)");
}

// Where the machine has such a locale.
static void a_decimal_comma_of_the_locale_changes_nothing(void **state)
{
    static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "C" };
    for (size_t i = 0; i < sizeof locales/sizeof *locales; i++) {
        if (!setlocale(LC_ALL, locales[i])) continue;
        caromMeshReport r = report_of_text("v 0.5 0 0\nv 1.25e0 0 0\nv 0.123456789012345678901 1.5 0\nf 1 2 3\n");
        CHECK(r.low.x == 0.123456789012345678901 && r.high.x == 1.25 && r.high.y == 1.5);
    }
    setlocale(LC_ALL, "C");
    (void)state;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_mesh_back),
        cmocka_unit_test(obj_keeps_the_order_of_vertices_and_the_bits),
        cmocka_unit_test(the_scale_multiplies),
        cmocka_unit_test(files_are_read_by_content),
        cmocka_unit_test(sloppy_stl_is_read),
        cmocka_unit_test(bad_stl_text_is_told),
        cmocka_unit_test(bytes_behind_the_last_triangle_are_counted),
        cmocka_unit_test(bad_binary_stl_is_told),
        cmocka_unit_test(obj_has_polygons_and_indices_from_behind),
        cmocka_unit_test(bad_obj_is_told),
        cmocka_unit_test(long_paths_keep_their_end),
        cmocka_unit_test(big_files_are_quick),
        cmocka_unit_test(big_files_of_zeros_are_refused_without_memory),
        cmocka_unit_test(a_decimal_comma_of_the_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
