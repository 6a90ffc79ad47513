// tests/modelfile/bad: each NAME.yaml gives exactly the problems of NAME.expected. After a change that is meant to
// change messages: modelfile_tool problems NAME.yaml > NAME.expected, and read the difference.
#include <dirent.h>

#include "modelfile_helpers.h"

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool check_file(const char *name)
{
    char path[400];
    size_t length;
    snprintf(path, sizeof path, "tests/modelfile/bad/%s", name);
    char *text = source_file(path, &length);
    strcpy(path + strlen(path) - strlen(".yaml"), ".expected");
    char *expected = source_file(path, NULL);
    char *list = problems_of(text, length, NULL, 0, NULL);
    bool is_good = strcmp(list, expected) == 0 && list[0] != '\0';
    if (!is_good) print_error("%s: expected\n%sgot\n%s\n", name, expected, list);
    free(list);
    free(expected);
    free(text);
    return is_good;
}

static void each_bad_file_gives_its_messages(void **state)
{
    (void)state;
    DIR *folder = opendir(CAROM_SOURCE_DIR "/tests/modelfile/bad");
    assert_non_null(folder);
    int n = 0, nwrong = 0;
    enter_folder("tests/modelfile/bad");
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!ends_with(entry->d_name, ".yaml")) continue;
        n++;
        nwrong += !check_file(entry->d_name);
    }
    closedir(folder);
    assert_int_equal(nwrong, 0);
    assert_true(n >= 160);
}

static void each_good_file_is_accepted(void **state)
{
    (void)state;
    DIR *folder = opendir(CAROM_SOURCE_DIR "/tests/modelfile/good");
    assert_non_null(folder);
    int n = 0;
    enter_folder("tests/modelfile/good");
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!ends_with(entry->d_name, ".yaml")) continue;
        char path[400];
        snprintf(path, sizeof path, "tests/modelfile/good/%s", entry->d_name);
        char *text = source_file(path, NULL);
        carom_model_destroy(good_model(text, NULL, 0));
        free(text);
        n++;
    }
    closedir(folder);
    assert_true(n >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bad_file_gives_its_messages),
        cmocka_unit_test(each_good_file_is_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
