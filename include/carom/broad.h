// broad.h -- which of many boxes overlap?
//
// In:    axis-aligned boxes in the world frame, one for each item; group and mask bits, if wanted.
// Out:   all pairs of overlapping boxes, sorted; all items that overlap one box.
// Promise: exactly the pairs that comparing every box with every other gives, always in the same order. What is
//          remembered from earlier updates saves time and changes no answer. Time grows in proportion to items and
//          pairs; memory too.
// Not here: what is inside the boxes (collide.h). Margins: grow the boxes before they come here.
// Start reading at carom_broad_pairs in src/broad/broad.c. Theory and measurements: docs/collision.md, "Many bodies".
#ifndef CAROM_BROAD_H
#define CAROM_BROAD_H

#include "carom/base.h"
#include "carom/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// Closed: boxes that share one point of their boundaries overlap. Sides may be infinite (half-spaces). A box with a
// NaN, or with low > high on an axis, is empty and overlaps nothing.
typedef struct caromBox { caromVec3 low, high; } caromBox;

// Items a and b can meet when (a.group & b.mask) != 0 and (b.group & a.mask) != 0.
typedef struct caromFilter { uint32_t group, mask; } caromFilter;

typedef struct caromPair { int32_t a, b; } caromPair;  // a < b

typedef struct caromPairList {
    const caromPair *items;  // by a, then b; valid until the next update, pairs or destroy
    int64_t count;
} caromPairList;

typedef struct caromBroad caromBroad;

CAROM_API caromBroad *carom_broad_create(void);  // NULL: out of memory
CAROM_API void carom_broad_destroy(caromBroad *broad);

#define CAROM_BROAD_ITEMS_MAX 268435456     // 2^28
#define CAROM_BROAD_PAIRS_DEFAULT 67108864  // 2^26: about 2 GB of memory while they are found

// More pairs than that are CAROM_ERR_MEMORY, before the machine is out of it; 0 to 2^31 - 1.
CAROM_API caromStatus carom_broad_limit_pairs(caromBroad *broad, int64_t max_pairs, caromError *err);

// Items 0..n-1 are now these boxes. Both arrays are borrowed until the next update or destroy, and must not
// change before that. filters may be NULL: all items can meet. After an error the broad phase has no items,
// and can be updated again.
CAROM_API caromStatus carom_broad_update(caromBroad *broad, const caromBox *boxes, const caromFilter *filters, int n,
                                         caromError *err);

// All pairs that overlap and can meet. Allocates only when there are more items or pairs than ever before.
CAROM_API caromStatus carom_broad_pairs(caromBroad *broad, caromPairList *pairs, caromError *err);

// Items whose boxes overlap this one, whatever their filters: how many, and the items themselves in ascending order
// when they fit into capacity (if not, the content of items is unspecified). No allocation; any number of threads at a
// time.
CAROM_API int carom_broad_query(const caromBroad *broad, caromBox box, int *items, int capacity);

#ifdef __cplusplus
}
#endif

#endif
