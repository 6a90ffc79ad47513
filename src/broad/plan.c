// How the boxes are sorted into levels and rows. A plan that does not fit costs time, never an answer.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/scratch.h"
#include "broad/broad.h"

// Rows in mean widths of their members. Wider: fewer entries, more comparisons. Measured: 2.2 to 3 cost the
// same, 4 costs 15 % more.
static const double width_factor = 2.6;

// Where the boxes are along an axis.
typedef struct SizeSpread {
    double low, high;           // all of them
    double most_low, most_high; // without the outermost
} SizeSpread;

enum { SAMPLES = 400 };

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Most: without a twentieth of the samples on either side. What is a thousand times as far out as most are will
// share the outermost rows.
static void trim(SizeSpread *s, double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof samples[0], compare_doubles);
    s->most_low = samples[count/20];
    s->most_high = samples[count - 1 - count/20];
    double width = s->most_high - s->most_low;
    if (!(width > 0)) return;
    s->low = fmax(s->low, s->most_low - 1e3*width);
    s->high = fmin(s->high, s->most_high + 1e3*width);
}

static SizeSpread spread_along(const caromBroad *broad, int axis)
{
    SizeSpread s = { INFINITY, -INFINITY, 0, 0 };
    double samples[SAMPLES];
    int count = 0, stride = broad->n/SAMPLES + 1;
    for (int i = 0; i < broad->n; i++) {
        const caromBox *b = &broad->boxes[i];
        double x = (&b->low.x)[axis];
        if (carom_broad_box_is_empty(b) || !(fabs(x) <= DBL_MAX/8)) continue;
        s.low = fmin(s.low, x);
        s.high = fmax(s.high, x);
        if (i % stride == 0) samples[count++] = x;
    }
    if (s.low > s.high) return (SizeSpread){ 0, 0, 0, 0 };
    if (count == 0) samples[count++] = s.low;
    trim(&s, samples, count);
    return s;
}

// The longest axis is swept along; the others divide into rows, the longer one first.
static void choose_axes(caromBroad *broad, const SizeSpread spread[3])
{
    double width[3];
    for (int k = 0; k < 3; k++) width[k] = spread[k].most_high - spread[k].most_low;
    int u = width[0] >= width[1] && width[0] >= width[2] ? 0 : width[1] >= width[2] ? 1 : 2;
    int v = (u + 1) % 3, w = (u + 2) % 3;
    broad->axis[0] = u;
    broad->axis[1] = width[v] >= width[w] ? v : w;
    broad->axis[2] = width[v] >= width[w] ? w : v;
}

// Outliers are cut off: all that is beyond has one place along u. Half of the range is for what moves on.
static void scale_sweep(caromBroad *broad, const SizeSpread *s)
{
    double width = s->most_high - s->most_low, low = fmax(s->low, s->most_low - width),
           high = fmin(s->high, s->most_high + width);
    double length = fmax(high - low, fmax(fabs(low), fabs(high))*0x1p-40);
    if (!(length > 0)) length = 1;
    broad->u0 = low - 0.5*length;
    broad->u_scale = 0x1p30/length;
}

// Boxes by the octave of their width: 2^(k - 1 - OCTAVE_ONE) <= width < 2^(k - OCTAVE_ONE); octave 0 is that of points.
enum { OCTAVES = 2200, OCTAVE_ONE = 1100 };

typedef struct Sizes {
    int count[OCTAVES];
    double sum[OCTAVES];
} Sizes;

static int octave_of(double width)
{
    int e;
    if (!(width > 0)) return 0;
    frexp(width, &e);
    return e + OCTAVE_ONE;
}

static void count_sizes(const caromBroad *broad, Sizes *sizes)
{
    memset(sizes, 0, sizeof *sizes);
    for (int i = 0; i < broad->n; i++) {
        const caromBox *b = &broad->boxes[i];
        double width = carom_broad_width(broad, b);
        if (carom_broad_box_is_empty(b) || !(width <= DBL_MAX/8)) continue;
        int octave = octave_of(width);
        sizes->count[octave]++;
        sizes->sum[octave] += width;
    }
}

static int largest_octave(const Sizes *sizes)
{
    int top = OCTAVES - 1;
    while (top > 0 && sizes->count[top] == 0) top--;
    return top;
}

// From small to large, three octaves to a level. What is smaller and few in comparison with the next octave is
// taken along into its level.
static void choose_levels(caromBroad *broad, const Sizes *sizes)
{
    int top = largest_octave(sizes), first = top - 3*BROAD_LEVELS_MAX + 1, begin = -1;
    int count = 0;
    double sum = 0;
    broad->nlevel = 0;
    for (int k = 0; k <= top; k++) {
        count += sizes->count[k];
        sum += sizes->sum[k];
        if (count == 0 || k < first) continue;
        if (begin < 0) begin = k;
        if (k < top && (k < begin + 2 || sizes->count[k + 1]/8 > count)) continue;
        caromLevel *level = &broad->levels[broad->nlevel++];
        level->limit = ldexp(1.0, k - OCTAVE_ONE);
        level->mean = sum/count;
        level->members = count;
        count = 0;
        sum = 0;
        begin = -1;
    }
    // A few large ones are better compared with everything than everything with them.
    while (broad->nlevel > 1 && broad->levels[broad->nlevel - 1].members <= BROAD_GIANTS) broad->nlevel--;
}

// ---- levels together

enum { SAMPLED = 48, SAMPLED_OTHERS = 4096 };  // boxes, and others that they are compared with
enum { RUN_FEW = 4, RUN_MAX = 64 };             // comparisons for each box

// Boxes that begin within the length of s, in a row of that width about it.
static int run_of(const caromBroad *broad, const caromBox *s, double limit, double width, int stride)
{
    const int u = broad->axis[0], v = broad->axis[1], w = broad->axis[2];
    const double *low = &s->low.x, *high = &s->high.x;
    int count = 0;
    for (int i = 0; i < broad->n; i += stride) {
        const caromBox *b = &broad->boxes[i];
        const double *x = &b->low.x;
        count += (x[u] >= low[u]) & (x[u] <= high[u]) & (fabs(x[v] - low[v]) <= 0.5*width) &
                 (fabs(x[w] - low[w]) <= 0.5*width)
               & (carom_broad_width(broad, b) <= limit);
    }
    return count;
}

// How many others a box of at most that width would be compared with in rows of the level above, on average over some.
static double mean_run(const caromBroad *broad, const caromLevel *small, const caromLevel *above, double width)
{
    int stride = broad->n/SAMPLED_OTHERS + 1, count = 0;
    double sum = 0;
    for (int i = 0; i < broad->n && count < SAMPLED; i++) {
        int k = (int)((int64_t)i*7919 % broad->n);   // here and there
        const caromBox *s = &broad->boxes[k];
        if (carom_broad_box_is_empty(s) || !(carom_broad_width(broad, s) <= small->limit)) continue;
        sum += (double)run_of(broad, s, above->limit, width, stride)*stride;
        count++;
    }
    return count > 0 ? sum/count : 0;
}

// Each level costs every smaller box another place. A level joins the one above where its boxes do not meet many
// more in the wider rows.
static void join_levels(caromBroad *broad)
{
    int n = broad->nlevel, kept = 0;
    for (int k = 0; k < n; k++) {
        caromLevel *level = &broad->levels[k], *above = level + 1;
        if (k + 1 < n && mean_run(broad, level, above, fmax(width_factor*above->mean, 0.25*above->limit)) < RUN_MAX) {
            above->members += level->members;
            continue;
        }
        caromLevel *to = &broad->levels[kept++];
        to->limit = level->limit;
        to->mean = level->mean;
        to->members = level->members;
    }
    broad->nlevel = kept;
}

// At most five rows across a member, and not so many rows that numbers are too short for them. Wider, up to 64
// members in a row, were they spread evenly, while a member still meets only a few: boxes that are far apart
// do not need many rows.
static double row_width(const caromBroad *broad, const caromLevel *level, const SizeSpread *v, const SizeSpread *w)
{
    double thin = 8*sqrt((v->most_high - v->most_low)/level->members)*sqrt(w->most_high - w->most_low);
    double far = fmax(fmax(fabs(v->low), fabs(v->high)), fmax(fabs(w->low), fabs(w->high))),
           span = fmax(v->high - v->low, w->high - w->low);
    double width = fmax(fmax(width_factor*level->mean, 0.25*level->limit), fmax(far*0x1p-40, span*0x1p-22));
    if (!(width > 0)) width = thin > 0 ? 0x1p-10*thin : 1;
    while (width < thin && mean_run(broad, level, level, 1.4*width) < RUN_FEW) width *= 1.4;
    return width;
}

static void lay_rows(const caromBroad *broad, caromLevel *level, const SizeSpread *v, const SizeSpread *w)
{
    double width = row_width(broad, level, v, w);
    double nv = floor((v->high - v->low)/width) + 3, nw = floor((w->high - w->low)/width) + 3;
    bool is_table = nv*nw <= 4.0*level->members + 1024;
    level->v0 = v->low - width;
    level->w0 = w->low - width;
    level->scale = (BROAD_FRACTION + 1)/width;
    level->nv = is_table ? (int)nv : 0;
    level->nw = is_table ? (int)nw : 0;
    level->strip_mask = is_table ? INT_MAX : BROAD_STRIPS - 1;
    level->v_end = is_table ? nv*(BROAD_FRACTION + 1) - 1 : 0x1p30;
    level->w_end = is_table ? nw*(BROAD_FRACTION + 1) - 1 : 0x1p30;
}

void carom_broad_plan(caromBroad *broad)
{
    SizeSpread spread[3];
    void *taken;
    Sizes *sizes = CAROM_SCRATCH_OR_STACK(sizeof *sizes, taken);
    for (int k = 0; k < 3; k++) spread[k] = spread_along(broad, k);
    choose_axes(broad, spread);
    scale_sweep(broad, &spread[broad->axis[0]]);
    count_sizes(broad, sizes);
    choose_levels(broad, sizes);
    carom_scratch_give_back(taken);
    join_levels(broad);
    for (int k = 0; k < broad->nlevel; k++)
        lay_rows(broad, &broad->levels[k], &spread[broad->axis[1]], &spread[broad->axis[2]]);
    broad->planned_n = broad->n;
    broad->planned_giants = broad->planned_tests = -1;
    broad->is_plan_old = false;
    broad->work.plans++;
}
