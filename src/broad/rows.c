// Boxes into rows: counted, then placed, then each row sorted.
#include <string.h>

#include "base/base.h"
#include "broad/broad.h"

// ---- levels

static inline int level_of(const caromBroad *broad, const caromBox *b)
{
    double width = carom_broad_width(broad, b);
    int k = 0;
    if (carom_broad_box_is_empty(b)) return broad->nlevel + 1;
    while (k < broad->nlevel && !(width <= broad->levels[k].limit)) k++;
    return k;
}

// ---- strips: boxes with the same row along v

static inline int row_of(int32_t place)
{
    return place >> BROAD_FRACTION_BITS;
}

static inline int strip_of(const caromLevel *level, int v)
{
    return v & level->strip_mask;
}

static int strip_count(const caromLevel *level)
{
    return level->nv > 0 ? level->nv : BROAD_STRIPS;
}

// Where the boxes of a level, or its visitors, will go.
static void begin_strips(caromLevel *level)
{
    memset(level->strip_ends, 0, (size_t)strip_count(level)*sizeof level->strip_ends[0]);
    level->nstrip = 0;
}

static inline void count_strips(caromLevel *level, const caromPlace *p)
{
    int first = row_of(p->v.low), last = row_of(p->v.high), *ends = level->strip_ends;
    level->nstrip += last - first + 1;
    ends[strip_of(level, first)]++;
    ends[strip_of(level, last)] += last > first;
    for (int k = first + 1; k < last; k++) ends[strip_of(level, k)]++;
}

caromStatus carom_broad_locate(caromBroad *broad)
{
    for (int k = 0; k < broad->nlevel; k++) {
        caromLevel *level = &broad->levels[k];
        if (!carom_broad_reserve(&level->strip_ends, &level->end_capacity, strip_count(level),
                                 sizeof level->strip_ends[0])) return CAROM_ERR_MEMORY;
        begin_strips(level);
    }
    broad->ngiant = 0;
    for (int i = 0; i < broad->n; i++) {
        int k = level_of(broad, &broad->boxes[i]);
        broad->level_of[i] = (uint8_t)k;
        if (k < broad->nlevel) {
            caromPlace p = carom_broad_place(broad, &broad->levels[k], &broad->boxes[i]);
            count_strips(&broad->levels[k], &p);
            broad->place[i] = p;
        } else if (k == broad->nlevel) broad->giants[broad->ngiant++] = i;
    }
    return CAROM_OK;
}

// ---- which row

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Its place in the table of rows, taken or free. Open addressing; the table is at most half full.
static uint32_t slot_of(const caromRowHash *hash, int v, int w)
{
    uint32_t slot = (uint32_t)mixed((uint64_t)(uint32_t)v << 32 | (uint32_t)w) & hash->mask;
    for (;; slot = (slot + 1) & hash->mask) {
        int row = hash->slots[slot];
        if (row < 0 || (hash->keys[row].v == v && hash->keys[row].w == w)) return slot;
    }
}

int carom_broad_row(const caromLevel *level, int v, int w)
{
    if (level->nv > 0) return w*level->nv + v;
    return level->hash.slots[slot_of(&level->hash, v, w)];
}

static int row_made(caromLevel *level, int v, int w)
{
    uint32_t slot = slot_of(&level->hash, v, w);
    if (level->hash.slots[slot] < 0) {
        level->hash.keys[level->rows.nrow] = (caromRowKey){ v, w };
        level->hash.slots[slot] = level->rows.nrow++;
    }
    return level->hash.slots[slot];
}

static bool clear_hash(caromRowHash *hash, int64_t rows_max)
{
    int64_t size = 16;
    while (size < 2*rows_max) size *= 2;
    if (size > (int64_t)1 << 31 || !carom_broad_reserve(&hash->slots, &hash->slot_capacity, size, sizeof hash->slots[0])
        || !carom_broad_reserve(&hash->keys, &hash->key_capacity, rows_max, sizeof hash->keys[0])) return false;
    hash->mask = (uint32_t)(size - 1);
    memset(hash->slots, 0xff, (size_t)size*sizeof hash->slots[0]);
    return true;
}

// ---- entries

// What is within a row, the upper end mirrored: in the first row that the box reaches into (which may be the last one
// too), in the last of several, in one between them.
static inline uint32_t cut_first(caromSpan s, bool is_last)
{
    uint32_t end = (BROAD_FRACTION - ((uint32_t)s.high & BROAD_FRACTION)) << 16;
    return ((uint32_t)s.low & BROAD_FRACTION) | (end & -(uint32_t)is_last);
}

static inline uint32_t cut_last(caromSpan s)
{
    return (BROAD_FRACTION - ((uint32_t)s.high & BROAD_FRACTION)) << 16;
}

enum { CUT_BETWEEN = 0 };

// start[r + 1] is how many there are in row r -> where row r begins; placing them moves it to where row r ends.
static void sum_starts(caromRows *rows)
{
    int sum = 0;
    rows->start[0] = 0;
    for (int r = 0; r < rows->nrow; r++) {
        int count = rows->start[r + 1];
        rows->start[r + 1] = sum;
        sum += count;
    }
}

static void insert_last(caromEntry *entries, int first, int last)
{
    caromEntry e = entries[last];
    int k = last;
    for (; k > first && entries[k - 1].u.low > e.u.low; k--) entries[k] = entries[k - 1];
    entries[k] = e;
}

// What the rough sort along u has left to do.
static void finish_rows(caromRows *rows)
{
    for (int r = 0; r < rows->nrow; r++)
        for (int i = rows->start[r] + 1; i < rows->start[r + 1]; i++)
            if (rows->entries[i - 1].u.low > rows->entries[i].u.low) insert_last(rows->entries, rows->start[r], i);
    int32_t longest = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        caromSpan u = rows->entries[i].u;
        longest = u.high - u.low > longest ? u.high - u.low : longest;
    }
    rows->longest = longest;
}

// ---- memory

static bool reserve_rows(caromRows *rows, int64_t count)
{
    if (count > BROAD_ITEM || !carom_broad_reserve(&rows->entries, &rows->capacity, count + 1, sizeof rows->entries[0]))
        return false;
    rows->count = count;
    return true;
}

static bool reserve_starts(caromRows *rows, int64_t nrow)
{
    if (!carom_broad_reserve(&rows->start, &rows->row_capacity, nrow + 1, sizeof rows->start[0])) return false;
    memset(rows->start, 0, (size_t)(nrow + 1)*sizeof rows->start[0]);
    return true;
}

static bool reserve_strips(caromStripBuffer *buffer, int64_t count)
{
    int64_t capacity[2] = { buffer->order_capacity, buffer->strip_capacity };
    if (count > BROAD_ITEM || !carom_broad_reserve(&buffer->swap, &capacity[0], count, sizeof buffer->swap[0])
        || !carom_broad_reserve(&buffer->order, &buffer->order_capacity, count, sizeof buffer->order[0])
        || !carom_broad_reserve(&buffer->strips, &capacity[1], count + 1, sizeof buffer->strips[0])) return false;
    buffer->strip_capacity = capacity[1];
    return true;
}

// ---- boxes into strips along v, strips into rows along w. Each time there are few places to write to, which the
// processor can keep at hand.

// Items of levels `from` to `to` that are in the places told by broad->place.
typedef struct RowFilling {
    caromBroad *broad;
    caromLevel *level;
    caromRows *rows;
    int from, to;
    bool are_members;
} RowFilling;

static inline bool takes_part(const RowFilling *f, int i)
{
    int level = f->broad->level_of[i];
    return level >= f->from && level <= f->to && f->broad->place[i].u.low >= 0;
}

// Where the next one goes, if it is wanted; else where it does not matter. Without a branch that nobody can predict.
static inline int taken(int *end, bool is_wanted, int nowhere)
{
    int at = *end;
    *end = at + is_wanted;
    return nowhere ^ ((nowhere ^ at) & -(int)is_wanted);
}

// Counts -> where each begins; placing moves them to where each ends.
static int64_t sum_ends(int *ends, int count)
{
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        int here = ends[k];
        ends[k] = (int)sum;
        sum += here;
    }
    return sum;
}

static void place_strips(const RowFilling *f)
{
    int *ends = f->level->strip_ends, nowhere = (int)f->level->nstrip;
    caromStrip *strips = f->broad->buffer.strips;
    for (int i = 0; i < f->broad->n; i++) {
        if (!takes_part(f, i)) continue;
        caromPlace p = f->broad->place[i];
        int first = row_of(p.v.low), last = row_of(p.v.high);
        uint32_t item = (uint32_t)i, again = item | BROAD_EARLIER_V;
        strips[ends[strip_of(f->level, first)]++] = (caromStrip){ p.u, p.w, first, cut_first(p.v, first == last),
                                                                  item };
        strips[taken(&ends[strip_of(f->level, last)], last > first, nowhere)] = (caromStrip){ p.u, p.w, last,
                                                                                              cut_last(p.v), again };
        for (int k = first + 1; k < last; k++)
            strips[ends[strip_of(f->level, k)]++] = (caromStrip){ p.u, p.w, k, CUT_BETWEEN, again };
    }
}

// Entries of each row of a table, up to two along v and w without a branch.
static int64_t count_in_table(const RowFilling *f, int *ends)
{
    int64_t sum = 0;
    int nv = f->level->nv;
    for (int i = 0; i < f->broad->n; i++) {
        if (!takes_part(f, i)) continue;
        caromSpan v = f->broad->place[i].v, w = f->broad->place[i].w;
        int v0 = row_of(v.low), dv = row_of(v.high) - v0, w0 = row_of(w.low), dw = row_of(w.high) - w0,
            *end = ends + w0*nv + v0;
        sum += (dv + 1)*(dw + 1);
        if ((dv | dw) > 1) {
            for (int a = 0; a <= dw; a++)
                for (int b = 0; b <= dv; b++) end[a*nv + b]++;
            continue;
        }
        end[0]++;
        end[dv] += dv;
        end[dw*nv] += dw;
        end[dw*nv + dv] += dv & dw;
    }
    return sum;
}

// strips: those at the place k along v, in the order of broad->buffer.order.
static void place_in_table(const RowFilling *f, const caromStrip *strips, int count, int k_v)
{
    const uint64_t *order = f->broad->buffer.order;
    int nv = strip_count(f->level), *ends = f->rows->start + 1 + k_v, nowhere = (int)f->rows->count;
    caromEntry *entries = f->rows->entries;
    for (int i = 0; i < count; i++) {
        caromStrip s = strips[order[i] & 0xffffffff];
        int first = row_of(s.w.low), last = row_of(s.w.high);
        uint32_t again = s.item | BROAD_EARLIER_W;
        entries[ends[first*nv]++] = (caromEntry){ s.u, s.cross | cut_first(s.w, first == last) << 8, s.item };
        entries[taken(&ends[last*nv], last > first, nowhere)] = (caromEntry){ s.u, s.cross | cut_last(s.w) << 8,
                                                                              again };
        for (int k = first + 1; k < last; k++)
            entries[ends[k*nv]++] = (caromEntry){ s.u, s.cross | CUT_BETWEEN << 8, again };
    }
}

static int64_t count_in_hash(const RowFilling *f, const caromStrip *strips, int count, int *ends)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        for (int w = row_of(strips[i].w.low); w <= row_of(strips[i].w.high); w++) {
            int row = f->are_members ? row_made(f->level, strips[i].v, w) : carom_broad_row(f->level, strips[i].v, w);
            if (row < 0) continue;
            ends[row]++;
            sum++;
        }
    return sum;
}

static void place_in_hash(const RowFilling *f, const caromStrip *strips, const uint64_t *order, int count, int *ends,
                          caromEntry *entries)
{
    for (int i = 0; i < count; i++) {
        const caromStrip *s = &strips[order[i] & 0xffffffff];
        int first = row_of(s->w.low), last = row_of(s->w.high);
        for (int w = first; w <= last; w++) {
            int row = carom_broad_row(f->level, s->v, w);
            uint32_t cut = w == first ? cut_first(s->w, first == last) : w == last ? cut_last(s->w) : CUT_BETWEEN;
            if (row >= 0)
                entries[ends[row]++] = (caromEntry){ s->u, s->cross | cut << 8,
                                                     s->item | (w > first ? BROAD_EARLIER_W : 0) };
        }
    }
}

static int64_t count_rows(const RowFilling *f)
{
    int *ends = f->rows->start + 1;
    if (f->level->nv > 0) return count_in_table(f, ends);
    return count_in_hash(f, f->broad->buffer.strips, (int)f->level->nstrip, ends);
}

static void place_rows(const RowFilling *f, const int *strip_ends)
{
    const caromStripBuffer *buffer = &f->broad->buffer;
    int nstrip = strip_count(f->level), *ends = f->rows->start + 1;
    for (int k = 0, from = 0; k < nstrip; from = strip_ends[k++]) {
        const caromStrip *strips = buffer->strips + from;
        int count = strip_ends[k] - from;
        carom_broad_sort_by_u(strips, count, buffer->order, buffer->swap);
        if (f->level->nv > 0) place_in_table(f, strips, count, k);
        else place_in_hash(f, strips, buffer->order, count, ends, f->rows->entries);
    }
}

static int64_t count_entries(const RowFilling *f)
{
    const caromStrip *strips = f->broad->buffer.strips;
    int64_t sum = 0;
    for (int64_t i = 0; i < f->level->nstrip; i++) sum += row_of(strips[i].w.high) - row_of(strips[i].w.low) + 1;
    return sum;
}

static int64_t rows_max(const RowFilling *f)
{
    if (!f->are_members) return f->level->rows.nrow;
    return f->level->nv > 0 ? (int64_t)f->level->nv*f->level->nw : count_entries(f);
}

static caromStatus fill(const RowFilling *f)
{
    caromBroad *broad = f->broad;
    caromLevel *level = f->level;
    caromRows *rows = f->rows;
    bool makes_rows = f->are_members && level->nv == 0;
    rows->nrow = 0;
    rows->count = 0;
    if (!reserve_strips(&broad->buffer, level->nstrip)) return CAROM_ERR_MEMORY;
    sum_ends(level->strip_ends, strip_count(level));
    place_strips(f);
    int64_t nrow = rows_max(f);
    if (!reserve_starts(rows, nrow) || (makes_rows && !clear_hash(&level->hash, nrow))) return CAROM_ERR_MEMORY;
    int64_t count = count_rows(f);
    if (!reserve_rows(rows, count)) return CAROM_ERR_MEMORY;
    if (!makes_rows) rows->nrow = (int)nrow;
    sum_starts(rows);
    place_rows(f, level->strip_ends);
    finish_rows(rows);
    broad->work.entries += count;
    return CAROM_OK;
}

caromStatus carom_broad_fill(caromBroad *broad, int index)
{
    caromLevel *level = &broad->levels[index];
    return fill(&(RowFilling){ broad, level, &level->rows, index, index, true });
}

// ---- visitors

// Is a member in any of the rows that it reaches into?
static bool meets_members(const caromLevel *level, const caromPlace *p)
{
    for (int w = row_of(p->w.low); w <= row_of(p->w.high); w++)
        for (int v = row_of(p->v.low); v <= row_of(p->v.high); v++) {
            int row = carom_broad_row(level, v, w);
            if (row >= 0 && level->rows.start[row] < level->rows.start[row + 1]) return true;
        }
    return false;
}

caromStatus carom_broad_fill_visitors(caromBroad *broad, int index)
{
    caromLevel *level = &broad->levels[index];
    begin_strips(level);
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] >= index) continue;
        broad->place[i] = carom_broad_place(broad, level, &broad->boxes[i]);
        if (meets_members(level, &broad->place[i])) count_strips(level, &broad->place[i]);
        else broad->place[i].u.low = -1;
    }
    return fill(&(RowFilling){ broad, level, &broad->visitors, 0, index - 1, false });
}
