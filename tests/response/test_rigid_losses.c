// The columns of lost energy never fall, whatever the impact law, restitution and friction.
#include "rigid_run.h"

// By more than the tolerance of the ledger, which is integrated beside the motion.
static void never_falls(Watch *w, const caromSample *s)
{
    const double now[3] = { s->energy.damping, s->energy.friction, s->energy.rolling };
    double least = *(const double *)w->context;
    for (int i = 0; i < 3; i++) {
        CHECK(now[i] >= w->value[i] - least);
        w->value[i] = now[i];
    }
}

static void losses_never_fall(void **state)
{
    (void)state;
    static const char *const laws[] = { "energetic", "poisson", "newton-frictionless" };
    Random r = { 11 };
    for (int law = 0; law < 3; law++) {
        for (int i = 0; i < share_of(30); i++) {
            char text[1024];
            snprintf(text, sizeof text, STUFF("%g", "%g") "contact: {response: rigid, impact_law: %s}\n"
                     "bodies:\n" FLOOR
                     "  b: {material: stuff, shape: {polytope: {vertices: [[0, 0, 0], [0, 0, 0.03], [1, 0, 0], "
                     "[0, 1, 1]]}},\n"
                     "      position: [0, 0, %g], angular_velocity: [%g, %g, %g]}\n"
                     "simulate: {until: 0.7, tolerance: 1e-6}\n", i%2 ? 1.0 : random_uniform(&r, 0.7, 1),
                     random_uniform(&r, 0.2, 1.2), laws[law], random_uniform(&r, 0.1, 0.5), random_uniform(&r, -2, 2),
                     random_uniform(&r, -2, 2), random_uniform(&r, -2, 2));
            double least = 10*1e-6*(1000*0.03/6)*9.81*1.0;  // ten tolerances of what its weight does over its size
            Watch *w = run_text(text, NULL, never_falls, &least);
            free(w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(losses_never_fall) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
