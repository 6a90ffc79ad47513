#include "base/base.h"

#include <errno.h>

#include "check.h"

static void failure_keeps_place_and_numbers(void **state)
{
    (void)state;
    caromError err;
    assert_int_equal(carom_fail(&err, CAROM_ERR_INPUT, "bodies.ball.mass", "mass %g kg is not positive", -2.0),
                     CAROM_ERR_INPUT);
    assert_string_equal(err.where, "bodies.ball.mass");
    assert_string_equal(err.message, "mass -2 kg is not positive");
    assert_int_equal(carom_fail(NULL, CAROM_ERR_FILE, "x", "y"), CAROM_ERR_FILE);
}

static void failure_of_the_system_has_its_reason(void **state)
{
    (void)state;
    caromError err;
    assert_int_equal(carom_fail_errno(&err, "rig.yaml", "cannot be opened", ENOENT), CAROM_ERR_FILE);
    assert_string_equal(err.where, "rig.yaml");
    assert_string_equal(err.message, "cannot be opened: No such file or directory");
    assert_int_equal(carom_fail_errno(NULL, "x", "y", EIO), CAROM_ERR_FILE);
    carom_fail_errno(&err, "x", "cannot read it", 99999);
    assert_true(strlen(err.message) > strlen("cannot read it: "));  // a number that the system does not know
}

static void problems_stop_at_the_limit_but_count_on(void **state)
{
    (void)state;
    caromProblems list = { 0 };
    for (int i = 0; i < 2*CAROM_PROBLEMS_MAX; i++) carom_problem_add(&list, i % 2 == 0, "a.b", "number %d", i);
    assert_true(list.count >= CAROM_PROBLEMS_MAX);
    assert_true(list.truncated);
    assert_int_equal(list.errors, CAROM_PROBLEMS_MAX);
    assert_string_equal(list.items[3].message, "number 3");
    carom_problems_free(&list);
    assert_int_equal(list.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failure_keeps_place_and_numbers),
        cmocka_unit_test(failure_of_the_system_has_its_reason),
        cmocka_unit_test(problems_stop_at_the_limit_but_count_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
