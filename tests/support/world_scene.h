// Scenes of the tests of the contact world.
#ifndef CAROM_TESTS_WORLD_SCENE_H
#define CAROM_TESTS_WORLD_SCENE_H

#include "scene.h"

enum { BODIES = 8, PAIRS = 16 };

static inline Scene scene_of(double E, double e, double mu, double until)
{
    Scene s = scene_begin();
    s.settings.tolerance = 1e-10;
    s.settings.until = until;
    s.settings.v_small = 1e-2;
    scene_material(&s, "soft", 1100, E, 0.4);
    scene_pair(&s, "soft", "soft", e, mu, 0.01);
    return s;
}

static inline caromModel *ball_model(double height, double speed)
{
    Scene s = scene_of(1e7, 0.8, 0.3, 1);
    scene_floor(&s, "soft");
    scene_ball(&s, "ball", "soft", 0.05, carom_vec(0, 0, height), carom_vec(0.3, 0, -speed));
    return scene_end(&s);
}

#endif
