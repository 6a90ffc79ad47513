// hills.h -- the top of a hill and its feet: functions of one variable with their slopes.
#ifndef CAROM_SRC_PATCH_HILLS_H
#define CAROM_SRC_PATCH_HILLS_H

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

// Samples of a function in order, with one more and the tops that were found between them.
enum { CAROM_HILLS_SAMPLES = 17, CAROM_HILLS_MAX = 4*CAROM_HILLS_SAMPLES };
typedef struct caromHills {
    int n;
    caromHillPoint at[CAROM_HILLS_MAX];
} caromHills;

// Where a hill begins or ends: its foot, where the function is 0, or the end of what there is.
typedef struct caromHillEnd {
    double at;
    bool is_free;  // a foot
} caromHillEnd;
typedef struct caromHillInterval {
    caromHillEnd low, high;
} caromHillInterval;

// Adds the tops of hills between two samples that are both below 0. No point between them is higher than both by more
// than `beyond`.
void carom_patch_find_tops(const caromHill *hill, caromHills *hills, double beyond);
// A top that is known. period: of a function around a circle; else 0.
void carom_patch_insert_top(caromHills *hills, caromHillPoint top, double period);
// Around a circle the last sample is the first again: begins at the least, so that no hill crosses the seam. False: all
// are above 0.
bool carom_patch_begin_at_least(caromHills *hills, double period);
// The next hill above 0 from point *i on; false: there is none.
bool carom_patch_next_hill(const caromHill *hill, const caromHills *hills, int *i, caromHillInterval *interval);
// Between a point below 0, or NULL at the end, and one above.
caromHillEnd carom_patch_hill_end(const caromHill *hill, const caromHillPoint *beyond, const caromHillPoint *above);
// The next multiple of a width beyond an end.
caromHillEnd carom_patch_next_cut(caromHillEnd from, double width);

#endif
