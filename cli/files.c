#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void base_name(const char *path, char *name, size_t n)
{
    static const char *const endings[] = { ".yaml", ".yml", ".carom", ".html", ".csv" };
    snprintf(name, n, "%s", last_part(path));
    size_t m = strlen(name);
    for (size_t i = 0; i < sizeof endings/sizeof *endings; i++) {
        size_t e = strlen(endings[i]);
        if (m > e && strcasecmp(name + m - e, endings[i]) == 0) {
            name[m - e] = '\0';
            return;
        }
    }
}

bool file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

int64_t file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

// Without an end it cannot be known which of these it was: of all three the file looks the same.
void warn_if_incomplete(const caromResultsSurvey *survey, const char *path)
{
    if (survey->is_complete) return;
    bool has_rows = survey->nrow > 0;
    warn("%s: incomplete: its run was cut off or still goes on, or the file is damaged; what could be read is %s%s%s, "
         "%s of %s", path, count_of(survey->nrow, "row"), has_rows ? " until " : "",
         has_rows ? si(survey->last_time, "s") : "", si((double)survey->good_bytes, "B"),
         si((double)survey->size, "B"));
}

static bool folder_of(const char *path, char folder[PATH_SIZE])
{
    int n = (int)(last_part(path) - path);
    return snprintf(folder, PATH_SIZE, "%.*s.", n, path) < PATH_SIZE;
}

static bool stat_folder(const char *path, struct stat *info)
{
    char folder[PATH_SIZE];
    return folder_of(path, folder) && stat(folder, info) == 0;
}

// Found before a long simulation, not behind it. 0, or what open() would say.
static int why_not_writable(const char *path)
{
    struct stat info;
    char folder[PATH_SIZE];
    if (stat(path, &info) == 0) return S_ISDIR(info.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
    if (errno != ENOENT) return errno;
    if (!folder_of(path, folder)) return ENAMETOOLONG;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

// Of files that exist by what they are, so that links count; of others by name and folder, so that ./a and a are the
// same. A device is never the same: writing twice to /dev/null costs nothing.
bool is_same_file(const char *a, const char *b)
{
    struct stat ia, ib;
    bool has_a = stat(a, &ia) == 0, has_b = stat(b, &ib) == 0;
    if (has_a != has_b) return false;
    if (has_a) return S_ISREG(ia.st_mode) && ia.st_dev == ib.st_dev && ia.st_ino == ib.st_ino;
    if (strcmp(a, b) == 0) return true;
    return strcmp(last_part(a), last_part(b)) == 0 && stat_folder(a, &ia) && stat_folder(b, &ib) &&
           ia.st_dev == ib.st_dev && ia.st_ino == ib.st_ino;
}

static bool starts_with(const char *path, const char *start)
{
    char bytes[32] = "";
    size_t length = strlen(start);
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t n = fread(bytes, 1, length, file);
    fclose(file);
    return n == length && strncasecmp(bytes, start, length) == 0;
}

bool is_results_file(const char *path)
{
    return starts_with(path, "carom results ");
}

static bool is_table(const char *path)
{
    return starts_with(path, "time [s],sample,");
}

static bool is_page(const char *path)
{
    return starts_with(path, "<!doctype html") || starts_with(path, "<html");
}

static bool is_mesh(const char *path)
{
    return starts_with(path, "# carom mesh of ");
}

static const struct {
    bool (*is_of_kind)(const char *path);
    const char *what, *advice;
    bool may_be_standard;  // of others only the words about them go to standard output
} kinds[] = {
    [A_RESULTS_FILE] = { is_results_file, "a results file", " with -o", false },
    [A_TABLE] = { is_table, "a table of carom", "", true },
    [A_MESH] = { is_mesh, "a mesh of carom", " with -o", false },
    [A_PAGE] = { is_page, "an HTML page", " with -o", false },
};

// A slip such as `carom run a.yaml -o b.yaml` or `--csv b.yaml` must not cost a model.
bool may_write(const char *path, OutputKind kind)
{
    struct stat info;
    if (is_standard(path)) {
        if (!kinds[kind].may_be_standard)
            complain("%s cannot go to standard output; choose a name%s", kinds[kind].what, kinds[kind].advice);
        return kinds[kind].may_be_standard;
    }
    int code = why_not_writable(path);
    if (code != 0) {
        complain("%s: cannot create it: %s", path, strerror(code));
        return false;
    }
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return true;
    if (kinds[kind].is_of_kind(path)) return true;
    complain("%s: exists and is not %s; remove it or choose another name%s", path, kinds[kind].what,
             kinds[kind].advice);
    return false;
}

bool keeps_input(const char *path, const char *input)
{
    if (is_standard(path) || !is_same_file(path, input)) return true;
    complain("%s: that would replace what is read; choose another name", path);
    return false;
}

bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}
