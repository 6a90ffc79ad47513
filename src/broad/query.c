// One box against all.
#include "base/base.h"
#include "broad/broad.h"

typedef struct FoundItems {
    const caromBroad *broad;
    caromBox box;
    int *items;
    int count, capacity;
} FoundItems;

static void check_item(FoundItems *f, int item)
{
    if (!carom_broad_box_overlap(&f->box, &f->broad->boxes[item])) return;
    if (f->count < f->capacity) f->items[f->count] = item;
    f->count++;
}

// First entry of the row that begins at `low` or later.
static int first_from(const caromRows *rows, int row, int64_t low)
{
    int a = rows->start[row], b = rows->start[row + 1];
    while (a < b) {
        int middle = a + (b - a)/2;
        if (rows->entries[middle].u.low < low) a = middle + 1;
        else b = middle;
    }
    return a;
}

// An item that stands in several of these rows counts in the first of them: where it begins, or where the box does.
static void look_through_row(FoundItems *f, const caromRows *rows, int row, const caromPlace *p, bool is_first_v,
                             bool is_first_w)
{
    uint32_t skipped = (is_first_v ? 0 : BROAD_EARLIER_V) | (is_first_w ? 0 : BROAD_EARLIER_W);
    for (int i = first_from(rows, row, (int64_t)p->u.low - rows->longest); i < rows->start[row + 1] &&
         rows->entries[i].u.low <= p->u.high; i++) {
        const caromEntry *e = &rows->entries[i];
        if (!(e->item & skipped) && e->u.high >= p->u.low) check_item(f, (int)(e->item & BROAD_ITEM));
    }
}

static void look_through_level(FoundItems *f, const caromLevel *level)
{
    caromPlace p = carom_broad_place(f->broad, level, &f->box);
    int v0 = p.v.low >> BROAD_FRACTION_BITS, v1 = p.v.high >> BROAD_FRACTION_BITS, w0 = p.w.low >> BROAD_FRACTION_BITS,
        w1 = p.w.high >> BROAD_FRACTION_BITS;
    if (level->nv > 0 || (double)(v1 - v0 + 1)*(double)(w1 - w0 + 1) <= level->rows.nrow) {
        for (int w = w0; w <= w1; w++)
            for (int v = v0; v <= v1; v++) {
                int row = carom_broad_row(level, v, w);
                if (row >= 0) look_through_row(f, &level->rows, row, &p, v == v0, w == w0);
            }
        return;
    }
    for (int row = 0; row < level->rows.nrow; row++) {
        caromRowKey key = level->hash.keys[row];
        if (key.v >= v0 && key.v <= v1 && key.w >= w0 && key.w <= w1)
            look_through_row(f, &level->rows, row, &p, key.v == v0, key.w == w0);
    }
}

static void sift(int *items, int root, int count)
{
    for (int child; (child = 2*root + 1) < count; root = child) {
        if (child + 1 < count && items[child + 1] > items[child]) child++;
        if (items[root] >= items[child]) return;
        int t = items[root];
        items[root] = items[child];
        items[child] = t;
    }
}

// In place: a query allocates nothing.
static void heap_sort(int *items, int count)
{
    for (int root = count/2 - 1; root >= 0; root--) sift(items, root, count);
    for (int end = count - 1; end > 0; end--) {
        int t = items[0];
        items[0] = items[end];
        items[end] = t;
        sift(items, 0, end);
    }
}

int carom_broad_query(const caromBroad *broad, caromBox box, int *items, int capacity)
{
    FoundItems found = { broad, box, items, 0, capacity };
    if (carom_broad_box_is_empty(&box)) return 0;
    for (int k = 0; k < broad->nlevel; k++)
        if (broad->levels[k].rows.count > 0) look_through_level(&found, &broad->levels[k]);
    for (int k = 0; k < broad->ngiant; k++) check_item(&found, broad->giants[k]);
    if (found.count <= capacity) heap_sort(items, found.count);
    return found.count;
}
