#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli.h"

void base_name(const char *path, char *name, size_t n)
{
    static const char *const endings[] = { ".yaml", ".yml", ".carom", ".html", ".csv" };
    const char *slash = strrchr(path, '/');
    snprintf(name, n, "%s", slash ? slash + 1 : path);
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

bool is_same_file(const char *a, const char *b)
{
    struct stat ia, ib;
    return stat(a, &ia) == 0 && stat(b, &ib) == 0 && ia.st_dev == ib.st_dev && ia.st_ino == ib.st_ino;
}

bool is_results_file(const char *path)
{
    static const char magic[] = "carom results ";
    char start[sizeof magic - 1] = { 0 };
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t n = fread(start, 1, sizeof start, file);
    fclose(file);
    return n == sizeof start && memcmp(start, magic, n) == 0;
}

bool may_write(const char *path, const char *input)
{
    if (!is_same_file(path, input)) return true;
    complain("%s: that would replace what is read; choose another name", path);
    return false;
}

// A slip such as `carom run a.yaml -o b.yaml` must not cost a model.
bool may_write_results(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 || is_results_file(path)) return true;
    complain("%s: exists and is not a results file; remove it or choose another name with -o", path);
    return false;
}
