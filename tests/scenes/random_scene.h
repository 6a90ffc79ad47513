// Random scenes: valid model files that nobody chose, one for each seed, the same on every machine.
#ifndef CAROM_TESTS_SCENE_TEXT_H
#define CAROM_TESTS_SCENE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { SCENE_BODIES_MAX = 40 };

typedef enum SceneResponse { SCENE_EITHER, SCENE_COMPLIANT, SCENE_RIGID } SceneResponse;

typedef struct ScenePlan {
    uint64_t seed;
    int least, most;         // bodies that move
    SceneResponse response;
} ScenePlan;

// What the programs call --seed N, --bodies A..B and --response rigid|compliant|either; false: another option, or a
// wrong value.
bool scene_option(ScenePlan *plan, const char *name, const char *value);

// The text of a model file; free() it, NULL: out of memory.
char *scene_text(const ScenePlan *plan);

#endif
