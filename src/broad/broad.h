// Inside the broad phase: rows of boxes, sorted along them (docs/collision.md, "Many bodies").
//
//   broad.c  the object, what is done when
//   plan.c   which axis to sweep along, which sizes share a level, how wide its rows are
//   rows.c   boxes -> rows
//   sort.c   sorts boxes along u, and pairs
//   sweep.c  rows -> pairs that overlap, in any order
//   cross.c  comparisons of many entries at a time
//   query.c  one box against all
//
// A level has rows along the axis u with square cross-sections in (v, w). Boxes of similar width are members of one
// level and stand in all of its rows that they reach into; smaller boxes visit these rows to meet them. In a row
// everything is an integer q(x), a monotone function of the coordinate, so that
//
//     q(x) < q(y)   =>  x < y          q(x) > q(y)  =>  x > y
//
// and only q(x) = q(y) leaves a comparison open; the boxes themselves decide those.
#ifndef CAROM_SRC_BROAD_H
#define CAROM_SRC_BROAD_H

#include "carom/broad.h"

enum {
    BROAD_LEVELS_MAX = 24,    // of 3 octaves or more; what is still smaller shares the first
    BROAD_FRACTION_BITS = 7,  // of a coordinate within a row
    BROAD_FRACTION = (1 << BROAD_FRACTION_BITS) - 1,
    BROAD_BLOCK = 16,         // entries that are compared at a time; lanes are that much longer than they need
    BROAD_STRIPS = 64,        // strips of a level that has no table of rows
    BROAD_GIANTS = 8          // so many large boxes are compared with everything rather than everything with them
};

// Four coordinates of 7 bits in the bytes of a word: low v, low w, 127 - high v, 127 - high w, cut off at the
// borders of the row. Where two cross-sections overlap, no byte is larger than that of the other one's mirrored
// word: carom_broad_mirrored.
typedef uint32_t caromCross;
#define BROAD_GUARDS 0x80808080u

// The item, and whether it already stood in the row before this one along v, along w. A pair that meets in several rows
// counts in the one where neither axis finds both of them already there.
#define BROAD_ITEM 0x0fffffffu
#define BROAD_EARLIER_V 0x40000000u
#define BROAD_EARLIER_W 0x80000000u
#define BROAD_EARLIER (BROAD_EARLIER_V | BROAD_EARLIER_W)

// Integer coordinates of a box in a level: along u; across, in parts of 1/128 of a row.
typedef struct caromSpan { int32_t low, high; } caromSpan;
typedef struct caromPlace { caromSpan u, v, w; } caromPlace;

typedef struct caromEntry {
    caromSpan u;
    caromCross cross;
    uint32_t item;
} caromEntry;

// A box on its way into rows: v is done.
typedef struct caromStrip {
    caromSpan u, w;
    int32_t v;          // row along v
    caromCross cross;   // along v
    uint32_t item;
} caromStrip;

// Entries of all rows, those of a row together, by u.low.
typedef struct caromRows {
    caromEntry *entries;
    int *start;             // row r is start[r] .. start[r + 1] - 1
    int nrow;
    int64_t count, capacity, row_capacity;
    int32_t longest;        // largest high - low
} caromRows;

// The entries of a row side by side, to compare many at a time.
typedef struct caromLanes {
    caromCross *cross;
    int32_t *low, *high;
    int64_t capacity;
} caromLanes;

// Numbers of the rows that are used, where a table of all would be too large.
typedef struct caromRowKey { int v, w; } caromRowKey;
typedef struct caromRowHash {
    int *slots;             // row, or -1
    caromRowKey *keys;      // of each row
    uint32_t mask;
    int64_t slot_capacity, key_capacity;
} caromRowHash;

typedef struct caromLevel {
    double limit;            // members are at most so wide in v and w
    double mean;             // their mean width
    double v0, w0, scale;    // place across the rows: (v - v0) scale, in parts of 1/128 of a row
    double v_end, w_end;     // largest such place
    int nv, nw;              // rows in a table; 0: hashed
    int members;
    int *strip_ends;         // of boxes on their way into rows, members or visitors
    int strip_mask;          // strip of row v: v & strip_mask
    int64_t nstrip, end_capacity;
    caromRows rows;
    caromRowHash hash;
} caromLevel;

// Pairs as they are found: a << 32 | b.
typedef struct caromRawPairs {
    uint64_t *keys;
    int64_t count, capacity;
} caromRawPairs;

// Pairs of one update, from the sweep to the answer.
typedef struct caromFoundPairs {
    caromRawPairs raw;       // sweep.c
    uint64_t *half;          // half sorted
    int *counters;           // of the sort
    caromPair *pairs;        // sorted: the answer
    int64_t npair;
    int64_t half_capacity, counter_capacity, pair_capacity;
} caromFoundPairs;

// Boxes on their way into the rows of one level: scratch of rows.c.
typedef struct caromStripBuffer {
    caromStrip *strips;
    uint64_t *order, *swap;  // strips by u
    int64_t strip_capacity, order_capacity;
} caromStripBuffer;

typedef struct caromBroadWork {
    int64_t entries;     // boxes in rows
    int64_t tests;       // comparisons of two cross-sections in blocks of BROAD_BLOCK, or of a box with a giant
    int plans;           // how often a plan was made, since creation
} caromBroadWork;

struct caromBroad {
    const caromBox *boxes;
    const caromFilter *filters;
    int n;
    int64_t max_pairs;

    // the plan
    int axis[3];             // u, v, w
    double u0, u_scale;      // place along the rows: (u - u0) u_scale
    int nlevel, planned_n, planned_giants;
    int64_t planned_tests;   // of the first sweep after that; < 0: not known yet
    bool is_plan_old;        // made for other boxes, as the work shows
    caromLevel levels[BROAD_LEVELS_MAX];

    // of this update
    uint8_t *level_of;       // of each item; nlevel: giant, nlevel + 1: empty
    caromPlace *place;       // of each item in its level, or in the one that is looked at
    int *giants;
    int ngiant;
    int64_t item_capacity;   // of level_of, place and giants
    caromBroadWork work;
    caromFoundPairs found;

    // scratch
    caromStripBuffer buffer;
    caromRows visitors;
    caromLanes lanes;
    struct caromBitTable *bit_table;
};

static inline bool carom_broad_box_is_empty(const caromBox *b)
{
    return !(b->low.x <= b->high.x && b->low.y <= b->high.y && b->low.z <= b->high.z);
}

static inline bool carom_broad_box_overlap(const caromBox *a, const caromBox *b)
{
    return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) & (a->low.y <= b->high.y) & (b->low.y <= a->high.y)
         & (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
}

// 128 + high v, 128 + high w, 255 - low v, 255 - low w: less the word of another box, all guard bits stay where the
// cross-sections overlap.
static inline caromCross carom_broad_mirrored(caromCross c)
{
    return ~(c >> 16 | c << 16);
}

// The larger extent across the rows.
static inline double carom_broad_width(const caromBroad *broad, const caromBox *b)
{
    const double *low = &b->low.x, *high = &b->high.x;
    int v = broad->axis[1], w = broad->axis[2];
    double dv = high[v] - low[v], dw = high[w] - low[w];
    return dv > dw ? dv : dw;
}

// floor(x) cut off to 0..end; monotone.
static inline int32_t carom_broad_floor(double x, double end)
{
    x = x > 0 ? x : 0;
    return (int32_t)(x < end ? x : end);
}

#define BROAD_U_END 0x1.fffffff8p30  // 2^31 - 2

static inline caromPlace carom_broad_place(const caromBroad *broad, const caromLevel *level, const caromBox *b)
{
    const double *low = &b->low.x, *high = &b->high.x;
    int u = broad->axis[0], v = broad->axis[1], w = broad->axis[2];
    return (caromPlace){
        { carom_broad_floor((low[u] - broad->u0)*broad->u_scale, BROAD_U_END), carom_broad_floor((high[u] - broad->u0)*broad->u_scale, BROAD_U_END) },
        { carom_broad_floor((low[v] - level->v0)*level->scale, level->v_end), carom_broad_floor((high[v] - level->v0)*level->scale, level->v_end) },
        { carom_broad_floor((low[w] - level->w0)*level->scale, level->w_end), carom_broad_floor((high[w] - level->w0)*level->scale, level->w_end) },
    };
}

// *array is grown to hold `needed`, its content lost; false: out of memory.
bool carom_broad_reserve(void *array, int64_t *capacity, int64_t needed, size_t size);

void carom_broad_plan(caromBroad *broad);

// Levels and places of all items; then the members of a level into its rows; then smaller boxes into those rows
// of it that have members.
caromStatus carom_broad_locate(caromBroad *broad);
caromStatus carom_broad_fill(caromBroad *broad, int level);
caromStatus carom_broad_fill_visitors(caromBroad *broad, int level);
int carom_broad_row(const caromLevel *level, int v, int w);  // -1: nobody there

// order[k] & 0xffffffff: strips by u.low; exactly where many are close together, else so that neighbours may
// have to change places.
void carom_broad_sort_by_u(const caromStrip *strips, int count, uint64_t *order, uint64_t *swap);
caromStatus carom_broad_sort_pairs(caromBroad *broad);

// Bit k: the cross-section of theirs[k] overlaps.
uint32_t carom_broad_cross_block(caromCross mirrored, const caromCross *theirs);

// Of `count` entries from `first` on with the BROAD_BLOCK next ones: bit k of bits[i] tells that i + 1 + k overlaps i
// across, and begins before i ends.
void carom_broad_cross_next(const caromLanes *lanes, int first, int count, uint32_t *bits);

// Which bits are set in a byte, and how many.
typedef struct caromBitTable { int place[256][8], count[256]; } caromBitTable;

// i*BROAD_BLOCK + k for each bit k of bits[i] that is set; returns how many. Up to eight more are written.
int carom_broad_collect(const caromBitTable *table, const uint32_t *bits, int count, int *codes);

// CAROM_RETRY: took more comparisons than max_tests.
caromStatus carom_broad_sweep(caromBroad *broad, int64_t max_tests);

#endif
