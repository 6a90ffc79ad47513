// Jumps of functions of time: those that are there are found, with instant and size; smooth functions have none.
#include "check.h"
#include "model/function.h"

static int pick(Random *r, int n)
{
    return (int)random_uniform(r, 0, n) % n;
}

static bool jumps(const caromFunctionDef *def, double end, caromJump *jump)
{
    caromError err;
    caromFunction *f;
    if (carom_function_create(def, &f, &err) != CAROM_OK) fail_msg("%s: %s", def->expression, err.message);
    bool does = carom_function_jump(f, end, jump);
    carom_function_destroy(f);
    return does;
}

static bool text_jumps(const char *text, double end, caromJump *jump)
{
    caromFunctionDef def = carom_function_def();
    def.kind = CAROM_FUNCTION_EXPRESSION;
    def.expression = text;
    return jumps(&def, end, jump);
}

// Terms with continuous rates, some of which are made of operations that jump.
static void add_smooth_term(Random *r, char *text, size_t n)
{
    size_t used = strlen(text);
    double a = random_uniform(r, 0.1, 0.9), b = random_uniform(r, -3, 3), w = exp(random_uniform(r, 0, 3));
    static const char *const terms[] = {
        "%.6g*sin(%.6g*time + %.6g)", "%.6g*cos(%.6g*time)^2 + %.6g", "%.6g*exp(-%.6g*time)*time + %.6g*time",
        "%.6g*tanh(%.6g*(time - %.6g))", "%.6g*max(0, sin(%.6g*time - %.6g))^2", "%.6g*abs(%.6g*(time - %.6g))^3",
        "%.6g*(%.6g*time)*abs(time - %.6g)*(time - 0)*0", "%.6g*step(%.6g*(time - %.6g))*(time - %.6g)^2",
        "%.6g*sqrt(1 + (%.6g*time - %.6g)^2)", "%.6g/(1 + (%.6g*time - %.6g)^2)",
        "%.6g*max(0, %.6g*(time - %.6g))^2/(1 + time)", "%.6g*atan2(sin(%.6g*time)/2, 1 + %.6g)",
        "%.6g*min(0, %.6g*(time - %.6g))^3", "%.6g*pow(1 + time*%.6g, %.6g)",
    };
    int which = pick(r, (int)(sizeof terms/sizeof terms[0]));
    if (used > 0) used += (size_t)snprintf(text + used, n - used, " + ");
    snprintf(text + used, n - used, terms[which], b, w, a, a);
}

static void smooth_functions_do_not_jump(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        Random r = { seed };
        char text[1000] = "";
        for (int i = pick(&r, 4); i >= 0; i--) add_smooth_term(&r, text, sizeof text);
        caromJump jump;
        // At the end some of them have made 1e5 turns, and powers of time are large.
        if (text_jumps(text, exp(random_uniform(&r, -3, seed % 2 ? 2 : 9)), &jump))
            fail_msg("seed %d: %s jumps at %g by %g, %g", (int)seed, text, jump.time, jump.value, jump.rate);
    }
}

// One that jumps beside them.
static void jumps_are_found_where_they_are(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        Random r = { seed };
        char text[1200] = "", at[40];
        double a = random_uniform(&r, 0.05, 0.95), size = random_uniform(&r, 0.5, 2);
        snprintf(at, sizeof at, "%.17g", a);
        for (int i = pick(&r, 3); i >= 0; i--) add_smooth_term(&r, text, sizeof text);
        static const char *const terms[] = {
            " + %.17g*step(time - %s)", " + %.17g*max(0, time - %s)", " + %.17g*max(time, %s)",
            " - %.17g*min(time, %s)",
            " + 0.5*%.17g*abs(time - %s)", " + %.17g*step(time - %s)*cos(time)^0",
        };
        int which = pick(&r, 6);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, terms[which], size, at);
        caromJump jump;
        if (!text_jumps(text, 1, &jump)) fail_msg("seed %d: %s is said to be smooth", (int)seed, text);
        CHECK_NEAR(jump.time, a, 1e-12);
        bool moves = which == 0 || which == 5;
        CHECK(jump.moves == moves);
        CHECK_NEAR(moves ? jump.value : jump.rate, size, 1e-5*(1 + size));
    }
}

static void the_first_jump_is_told(void **state)
{
    (void)state;
    caromJump jump;
    CHECK(text_jumps("abs(cos(40*time))", 1, &jump));
    CHECK_NEAR(jump.time, 3.14159265358979/80, 1e-12);
    CHECK_NEAR(jump.rate, 80, 1e-3);
    CHECK(text_jumps("step(time - 0.5)*step(0.50001 - time)", 1, &jump));  // shorter than the instants are apart
    CHECK_NEAR(jump.time, 0.5, 1e-12);
    CHECK(text_jumps("max(0, 0.1001 - (time - 0.3)^2 - 0.1)", 1, &jump));  // near to that
    CHECK_NEAR(jump.time, 0.29, 1e-9);
    CHECK(text_jumps("max(0, 1e-8 - (time - 0.30003)^2)*1e9", 1, &jump));  // there and back between two instants
    CHECK_NEAR(jump.time, 0.29993, 1e-9);
    CHECK(text_jumps("tan(3*time)", 1, &jump));
    CHECK(text_jumps("1/(time - 0.3)", 1, &jump));
    CHECK(text_jumps("atan2(time - 0.5, -1)", 1, &jump));
    CHECK_NEAR(jump.value, 6.28318530717959, 1e-6);
    CHECK(text_jumps("sqrt(0.5 - time)", 1, &jump) && isnan(jump.value));
    CHECK(text_jumps("2*pi*10*time*min(1, time/0.2)", 0.6, &jump));
    CHECK_NEAR(jump.time, 0.2, 1e-12);
    CHECK_NEAR(jump.rate, -62.8318530717959, 1e-4);
}

// Behind the end nothing follows. At the beginning a function has to start as it goes on.
static void ends_of_the_run_do_not_count(void **state)
{
    (void)state;
    caromJump jump;
    CHECK(!text_jumps("step(time)*time", 1, &jump));
    CHECK(!text_jumps("abs(time)", 1, &jump));
    CHECK(!text_jumps("max(0, time)", 1, &jump));
    CHECK(text_jumps("time^0.5", 1, &jump) && jump.time == 0.0);
    CHECK(!text_jumps("min(1, time/0.2)", 0.2, &jump));
    CHECK(!text_jumps("step(time - 1.01)", 1, &jump));
    CHECK(text_jumps("step(time - 1)", 1, &jump));
}

static void pieces_of_other_functions_meet(void **state)
{
    (void)state;
    caromJump jump;
    caromFunctionDef sine = carom_function_def(), table = carom_function_def(), ramp = carom_function_def();
    sine.kind = CAROM_FUNCTION_SINE;
    sine.amplitude = 0.1, sine.frequency = 2;
    CHECK(!jumps(&sine, 1, &jump));
    sine.start = 0.25;
    CHECK(jumps(&sine, 1, &jump));
    CHECK_NEAR(jump.time, 0.25, 0);
    CHECK(!jump.moves);
    CHECK_NEAR(jump.rate, 0.1*2*6.28318530717959, 1e-5);
    sine.phase = 1.5707963267949;
    CHECK(jumps(&sine, 1, &jump) && jump.moves);
    CHECK_NEAR(jump.value, 0.1, 1e-6);
    const double times[] = { 0, 0.5, 1, 1.5 }, values[] = { 0, 1, 0, 1 };
    table.kind = CAROM_FUNCTION_TABLE;
    table.npoint = 4, table.times = times, table.values = values;
    CHECK(!jumps(&table, 1.5, &jump));
    CHECK(jumps(&table, 2, &jump));
    CHECK_NEAR(jump.time, 1.5, 0);
    ramp.kind = CAROM_FUNCTION_RAMP;
    ramp.start = 0.2, ramp.end = 0.3, ramp.amplitude = 5;
    CHECK(!jumps(&ramp, 1, &jump));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_functions_do_not_jump),
        cmocka_unit_test(jumps_are_found_where_they_are),
        cmocka_unit_test(the_first_jump_is_told),
        cmocka_unit_test(ends_of_the_run_do_not_count),
        cmocka_unit_test(pieces_of_other_functions_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
