// Gears of triangles under load: examples/gears.yaml, for longer.
#include "rigid_run.h"

enum { TEETH_A = 20, TEETH_B = 30, LOOKS = 32, LAST = 3*LOOKS };
static const double every = 0.981747704e-3;  // 2 pi/20 at 10 rad/s, by 32

// Angles of both gears, 32 times while a tooth of the driver passes.
static void keep_angles(Watch *w, const caromSample *s)
{
    double *angles = (double *)(uintptr_t)w->context, look = s->time/every;
    int k = (int)(look + 0.5);
    if (k <= LAST && fabs(look - k) < 1e-6) angles[2*k] = s->joint_q[0], angles[2*k + 1] = s->joint_q[1];
}

// 1 N m that the flanks carry. While a tooth passes the driven one turns by its share: after the first tooth, in which
// the flanks settle into each other, by the mean over where it begins to 1e-4, which is 0.6 um at the flanks. Each of
// these ways is off by what the next tooth rattles by when it comes in.
static void gears_turn_with_their_ratio(void **state)
{
    (void)state;
    double angles[2*LAST + 2] = { 0 }, mean = 0, worst = 0;
    enter_folder("examples");
    char *text = source_file("examples/gears.yaml", NULL);
    const char *const overrides[] = { "simulate.until=94.3 ms", "simulate.every=0.981747704 ms",
                                      "simulate.tolerance=1e-4", "bodies.driver.shape.samples=1 mm",
                                      "bodies.driven.shape.samples=1 mm", NULL };
    Watch *w = run_text(text, overrides, keep_angles, angles);
    for (int k = LOOKS; k < 2*LOOKS; k++) {
        int end = k + LOOKS;
        double turned = angles[2*end] - angles[2*k], driven = angles[2*end + 1] - angles[2*k + 1];
        CHECK_NEAR(turned, 2*CAROM_PI/TEETH_A, 1e-6);
        mean += (driven + turned*TEETH_A/TEETH_B)/(LOOKS*turned);
        worst = fmax(worst, fabs(driven/turned + (double)TEETH_A/TEETH_B));
    }
    if (getenv("CAROM_TEST_VERBOSE")) print_message("mean %.2e, worst %.2e\n", mean, worst);
    CHECK_NEAR(mean, 0, 1e-4);
    CHECK(worst < 1e-3);
    free(w);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gears_turn_with_their_ratio) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
