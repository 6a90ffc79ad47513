// The cache of meshes: the same bits with and without, whatever happens to its files.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "geometry/mesh.h"
#include "mesh_fixture.h"
#include "modelfile/meshcache.h"

static char root[] = "/tmp/carom-cache-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void run(const char *format, const char *name)
{
    char command[1024];
    snprintf(command, sizeof command, format, path_of(name));
    assert_int_equal(system(command), 0);
}

static void write_obj(const char *path, const Raw *raw)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < raw->nvertex; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", raw->vertices[i].x, raw->vertices[i].y, raw->vertices[i].z);
    for (int t = 0; t < raw->ntriangle; t++)
        fprintf(file, "f %d %d %d\n", raw->triangles[t][0] + 1, raw->triangles[t][1] + 1, raw->triangles[t][2] + 1);
    fclose(file);
}

static void write_torus(const char *name, double tube)
{
    Raw raw = joined(torus(1, tube, 40, 20), torus(1.5, tube, 10, 10));  // with crossings and two parts
    write_obj(path_of(name), &raw);
    raw_free(&raw);
}

static caromMesh *cached(const char *name, const char *folder)
{
    char cache[512];
    caromError err = { 0 };
    caromMeshReport report;
    snprintf(cache, sizeof cache, "%s", path_of(folder));
    caromMesh *mesh = carom_meshfile_read_cached(path_of(name), 0.001, cache, &report, &err);
    if (!mesh) print_error("%s: %s\n", err.where, err.message);
    assert_non_null(mesh);
    CHECK(report.triangles_read == mesh->report.triangles_read && report.volume == mesh->report.volume &&
          report.crossings > 0);
    return mesh;
}

// The report by its fields: there are bytes between them that mean nothing.
static void check_reports(const caromMeshReport *a, const caromMeshReport *b)
{
    CHECK(a->vertices_read == b->vertices_read && a->vertices_merged == b->vertices_merged &&
          a->vertices_unused == b->vertices_unused);
    CHECK(a->triangles_read == b->triangles_read && a->degenerate_removed == b->degenerate_removed &&
          a->duplicates_removed == b->duplicates_removed);
    CHECK(a->flat_kept == b->flat_kept && a->triangles_turned == b->triangles_turned &&
          a->open_edges == b->open_edges && a->crowded_edges == b->crowded_edges);
    CHECK(a->components == b->components && a->components_turned == b->components_turned &&
          a->crossings == b->crossings);
    CHECK(a->are_crossings_counted == b->are_crossings_counted && a->is_nesting_known == b->is_nesting_known);
    CHECK(a->is_closed == b->is_closed && a->is_oriented == b->is_oriented && a->bytes_ignored == b->bytes_ignored);
    assert_memory_equal(&a->low, &b->low, sizeof a->low);
    assert_memory_equal(&a->high, &b->high, sizeof a->high);
    CHECK(a->area == b->area && a->volume == b->volume);
}

static void check_same(const caromMesh *a, const caromMesh *b)
{
    size_t n = (size_t)a->ntriangle;
    CHECK(a->nvertex == b->nvertex && a->ntriangle == b->ntriangle && a->npart == b->npart &&
          a->tree.nnode == b->tree.nnode && a->tree.nedge == b->tree.nedge);
    CHECK(a->area == b->area && a->reach == b->reach);
    check_reports(&a->report, &b->report);
    assert_memory_equal(&a->solid, &b->solid, sizeof a->solid);
    assert_memory_equal(a->vertices, b->vertices, (size_t)a->nvertex*sizeof *a->vertices);
    assert_memory_equal(a->triangles, b->triangles, n*sizeof *a->triangles);
    assert_memory_equal(a->parts, b->parts, (size_t)a->npart*sizeof *a->parts);
    assert_memory_equal(a->tree.nodes, b->tree.nodes, (size_t)a->tree.nnode*sizeof *a->tree.nodes);
    assert_memory_equal(a->tree.corners, b->tree.corners, n*sizeof *a->tree.corners);
    assert_memory_equal(a->tree.vertices, b->tree.vertices, n*sizeof *a->tree.vertices);
    assert_memory_equal(a->tree.edges, b->tree.edges, n*sizeof *a->tree.edges);
    assert_memory_equal(a->tree.triangle, b->tree.triangle, n*sizeof *a->tree.triangle);
}

static caromMesh *plain(const char *name)
{
    caromMesh *mesh = carom_meshfile_read(path_of(name), 0.001, NULL, NULL);
    assert_non_null(mesh);
    return mesh;
}

static void check_cached_is_plain(const char *name, const char *folder)
{
    caromMesh *a = cached(name, folder), *b = plain(name);
    check_same(a, b);
    carom_mesh_destroy(a);
    carom_mesh_destroy(b);
}

// How many files there are in a folder; path gets the last of them.
static int files_in(const char *folder, char path[1024])
{
    int n = 0;
    DIR *dir = opendir(path_of(folder));
    if (!dir) return -1;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        if (path) snprintf(path, 1024, "%s/%s", path_of(folder), entry->d_name);
        n++;
    }
    closedir(dir);
    return n;
}

static caromMeshKey key_of(const char *name)
{
    char bytes[1 << 17];
    FILE *file = fopen(path_of(name), "r");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    CHECK(n < sizeof bytes);
    fclose(file);
    return carom_meshfile_cache_key(bytes, n, 0.001);
}

static bool is_found(const char *name, const char *folder)
{
    caromMeshKey key = key_of(name);
    caromMesh *mesh = carom_meshfile_cache_find(path_of(folder), key);
    carom_mesh_destroy(mesh);
    return mesh != NULL;
}

// ----

static void the_bits_are_the_same(void **state)
{
    (void)state;
    char path[1024];
    write_torus("a.obj", 0.4);
    CHECK(!is_found("a.obj", "deep/er/cache"));
    check_cached_is_plain("a.obj", "deep/er/cache");  // made
    assert_int_equal(files_in("deep/er/cache", path), 1);
    CHECK(is_found("a.obj", "deep/er/cache"));
    check_cached_is_plain("a.obj", "deep/er/cache");  // found
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    run("cp %s /dev/null", "a.obj");
    // $CAROM_CACHE_DIR is empty: kept nowhere
    caromMesh *other = carom_meshfile_read_cached(path_of("a.obj"), 1.0, NULL, NULL, NULL);
    assert_non_null(other);
    carom_mesh_destroy(other);
    CHECK(carom_meshfile_cache_key("abc", 3, 1.0).low != carom_meshfile_cache_key("abc", 3, 2.0).low);
    CHECK(carom_meshfile_cache_key("abc", 3, 1.0).low != carom_meshfile_cache_key("abd", 3, 1.0).low);
}

static void small_and_bad_files_are_not_kept(void **state)
{
    (void)state;
    Raw raw = torus(1, 0.3, 8, 8);
    write_obj(path_of("small.obj"), &raw);
    raw_free(&raw);
    char cache[512], error[1024];
    snprintf(cache, sizeof cache, "%s", path_of("none"));
    caromMesh *mesh = carom_meshfile_read_cached(path_of("small.obj"), 1, cache, NULL, NULL);
    assert_non_null(mesh);
    carom_mesh_destroy(mesh);
    FILE *file = fopen(path_of("bad.obj"), "w");
    for (int i = 0; i < 3000; i++) fprintf(file, "v 0 0 0\nf 1 2 3\n");
    fclose(file);
    caromError err, same;
    assert_null(carom_meshfile_read_cached(path_of("bad.obj"), 1, cache, NULL, &err));
    assert_null(carom_meshfile_read(path_of("bad.obj"), 1, NULL, &same));
    assert_string_equal(err.message, same.message);
    snprintf(error, sizeof error, "%s", path_of("missing.obj"));
    assert_null(carom_meshfile_read_cached(error, 1, cache, NULL, &err));
    assert_string_equal(err.where, error);
    assert_int_equal(files_in("none", NULL), -1);
}

static void overwrite(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static char *contents(const char *path, size_t *n)
{
    char *bytes = malloc(1 << 20);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(bytes);
    *n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

// Cut anywhere, a bit turned anywhere: not found, made again, found.
static void damaged_files_are_made_again(void **state)
{
    (void)state;
    char path[1024];
    size_t n;
    write_torus("a.obj", 0.4);
    check_cached_is_plain("a.obj", "damaged");
    assert_int_equal(files_in("damaged", path), 1);
    char *good = contents(path, &n), *bad = malloc(n + 1);
    assert_non_null(bad);
    for (size_t i = 0; i < n; i += i < 100 ? 1 : n/37) {
        memcpy(bad, good, n);
        overwrite(path, bad, i);
        CHECK(!is_found("a.obj", "damaged"));
        bad[i] ^= (char)(1 << i%8);
        overwrite(path, bad, n);
        CHECK(!is_found("a.obj", "damaged"));
    }
    memcpy(bad, good, n);
    bad[n] = 0;
    overwrite(path, bad, n + 1);
    CHECK(!is_found("a.obj", "damaged"));
    check_cached_is_plain("a.obj", "damaged");
    CHECK(is_found("a.obj", "damaged"));
    free(good);
    free(bad);
}

// The file of one mesh under the name of another.
static void swapped_files_are_noticed(void **state)
{
    (void)state;
    char a[1024], b[1024];
    write_torus("a.obj", 0.4);
    write_torus("b.obj", 0.41);
    check_cached_is_plain("a.obj", "a");
    check_cached_is_plain("b.obj", "b");
    files_in("a", a);
    files_in("b", b);
    assert_int_equal(rename(b, a), 0);
    CHECK(!is_found("a.obj", "a"));
    check_cached_is_plain("a.obj", "a");
    CHECK(is_found("a.obj", "a"));
}

static void what_is_no_file_does_no_harm(void **state)
{
    (void)state;
    char path[1024];
    write_torus("a.obj", 0.4);
    check_cached_is_plain("a.obj", "odd");
    files_in("odd", path);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);  // would block
    check_cached_is_plain("a.obj", "odd");
    CHECK(is_found("a.obj", "odd"));  // replaced
    unlink(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    check_cached_is_plain("a.obj", "odd");
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    check_cached_is_plain("a.obj", "odd");
    assert_int_equal(files_in("odd", NULL), 1);  // nothing left behind beside it
    overwrite(path_of("blocked"), "x", 1);
    check_cached_is_plain("a.obj", "blocked");         // a file where the folder should be
    check_cached_is_plain("a.obj", "blocked/deeper");
}

static void folders_that_cannot_be_written_do_no_harm(void **state)
{
    (void)state;
    write_torus("a.obj", 0.4);
    assert_int_equal(mkdir(path_of("readonly"), 0500), 0);
    check_cached_is_plain("a.obj", "readonly");
    if (geteuid() != 0) assert_int_equal(files_in("readonly", NULL), 0);
    check_cached_is_plain("a.obj", "../../proc/self/nothing");  // nobody can write there
}

// Many processes make, read and tear at the same file.
static void writers_do_not_disturb_each_other(void **state)
{
    (void)state;
    enum { PROCESSES = 8, ROUNDS = 6 };
    write_torus("a.obj", 0.4);
    pid_t child[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] > 0) continue;
        char path[1024], cache[1024];
        snprintf(path, sizeof path, "%s/a.obj", root);
        snprintf(cache, sizeof cache, "%s/shared", root);
        bool good = true;
        for (int k = 0; k < ROUNDS && good; k++) {
            caromMesh *mesh = carom_meshfile_read_cached(path, 0.001, cache, NULL, NULL);
            good = mesh && mesh->ntriangle == 1800;
            carom_mesh_destroy(mesh);
            char file[1024];
            if (i == 0 && files_in("shared", file) > 0) unlink(file);
        }
        _exit(good ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    check_cached_is_plain("a.obj", "shared");
    assert_int_equal(files_in("shared", NULL), 1);
}

// Whenever a writer dies, what has the name of a mesh is one.
static void killed_writers_leave_no_torn_file(void **state)
{
    (void)state;
    Raw raw = joined(torus(1, 0.4, 40, 20), torus(1.5, 0.4, 10, 10));
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    caromMeshKey key = { 1, 2 };
    enum { LAST = 39 };
    int found = 0;
    for (int i = 0; i <= LAST; i++) {
        char cache[600], path[1024];
        snprintf(cache, sizeof cache, "%s/killed", root);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (;;) carom_meshfile_cache_keep(cache, key, mesh, CAROM_MESHCACHE_BYTES_MAX);
        usleep((useconds_t)(1000 + 137*i));
        snprintf(path, sizeof path, "%s/%016x%016x.mesh", cache, 2, 1);
        // One at least came so far, however busy the machine.
        while (i == LAST && access(path, F_OK) != 0) usleep(1000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        caromMesh *kept = carom_meshfile_cache_find(cache, key);
        CHECK((kept != NULL) == (access(path, F_OK) == 0));
        found += kept != NULL;
        carom_mesh_destroy(kept);
    }
    CHECK(found > 0);
    carom_mesh_destroy(mesh);
}

// The least recently used go first; a temporary file goes when it is old.
static void the_folder_does_not_grow_without_bound(void **state)
{
    (void)state;
    enum { N = 6 };
    Raw raw = torus(1, 0.4, 40, 20);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    size_t one;
    free(carom_mesh_to_bytes(mesh, 0, &one));
    char cache[600], stale[700];
    snprintf(cache, sizeof cache, "%s/bounded", root);
    snprintf(stale, sizeof stale, "%s/new-abc123", cache);
    for (uint64_t i = 0; i < N; i++) {
        carom_meshfile_cache_keep(cache, (caromMeshKey){ i, 7 }, mesh, 4*one + one/2);
        caromMesh *first = carom_meshfile_cache_find(cache, (caromMeshKey){ 0, 7 });  // used all the time
        assert_non_null(first);
        carom_mesh_destroy(first);
        if (i == 1) overwrite(stale, "x", 1);
        if (i == 2) run("touch -d '2 hours ago' %s", "bounded/new-abc123");
        usleep(20000);  // so that times differ
    }
    for (uint64_t i = 0; i < N; i++) {
        caromMesh *kept = carom_meshfile_cache_find(cache, (caromMeshKey){ i, 7 });
        CHECK((kept != NULL) == (i == 0 || i >= 3));
        carom_mesh_destroy(kept);
    }
    assert_int_equal(files_in("bounded", NULL), 4);
    // Too large for the limit: not kept, and nothing goes for it.
    carom_meshfile_cache_keep(cache, (caromMeshKey){ 99, 7 }, mesh, one);
    assert_int_equal(files_in("bounded", NULL), 4);
    carom_mesh_destroy(mesh);
}

static void the_environment_says_where(void **state)
{
    (void)state;
    char home[1024];
    write_torus("a.obj", 0.4);
    snprintf(home, sizeof home, "%s", path_of("home"));
    unsetenv("CAROM_CACHE_DIR");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home, 1);
    carom_mesh_destroy(carom_meshfile_read_cached(path_of("a.obj"), 1, NULL, NULL, NULL));
    assert_int_equal(files_in("home/.cache/carom", NULL), 1);
    setenv("XDG_CACHE_HOME", path_of("xdg"), 1);
    carom_mesh_destroy(carom_meshfile_read_cached(path_of("a.obj"), 1, NULL, NULL, NULL));
    assert_int_equal(files_in("xdg/carom", NULL), 1);
    setenv("CAROM_CACHE_DIR", path_of("own"), 1);
    carom_mesh_destroy(carom_meshfile_read_cached(path_of("a.obj"), 1, NULL, NULL, NULL));
    assert_int_equal(files_in("own", NULL), 1);
    setenv("CAROM_CACHE_DIR", "", 1);
}

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) && setenv("CAROM_CACHE_DIR", "", 1) == 0 ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    run("rm -rf %s", "");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_are_the_same),
        cmocka_unit_test(small_and_bad_files_are_not_kept),
        cmocka_unit_test(damaged_files_are_made_again),
        cmocka_unit_test(swapped_files_are_noticed),
        cmocka_unit_test(what_is_no_file_does_no_harm),
        cmocka_unit_test(folders_that_cannot_be_written_do_no_harm),
        cmocka_unit_test(writers_do_not_disturb_each_other),
        cmocka_unit_test(killed_writers_leave_no_torn_file),
        cmocka_unit_test(the_folder_does_not_grow_without_bound),
        cmocka_unit_test(the_environment_says_where),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
