// climb.h -- the top of a hill and its feet: functions of one variable with their slopes.
#ifndef CAROM_SRC_PATCH_CLIMB_H
#define CAROM_SRC_PATCH_CLIMB_H

#include <stdbool.h>

typedef struct caromHillPoint {
    double x, value, slope;
    double aside;  // slope in another variable, which is passed on
} caromHillPoint;

// The highest point, and the nearest ones to its left and right that were looked at and are below 0, or the ends.
typedef struct caromHillTop {
    caromHillPoint top, left, right;
} caromHillTop;

// A function with one hill between the ends that are asked for, concave on top or nearly so.
typedef struct caromHill {
    caromHillPoint (*at)(void *context, double x);
    void *context;
    double unit;  // values below this part of it are rounding
} caromHill;

// The highest point between two. is_any_done: one above 0 will do.
caromHillTop carom_patch_climb(const caromHill *hill, caromHillPoint low, caromHillPoint high, bool is_any_done);
// Where it is 0 between a point below and one above.
double carom_patch_foot(const caromHill *hill, caromHillPoint below, caromHillPoint above);

#endif
