#include "base/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 63 };  // of names; longer words are not compared

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Cost of writing b for a: 0 equal, 1 same letter in the other case, 2 different.
static int substitution(char a, char b)
{
    if (a == b) return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? 1 : 2;
}

// Twice the optimal string alignment distance (insert, delete, substitute, swap neighbours).
static int distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= m; j++) last[j] = 2*j;
    for (int i = 1; i <= n; i++) {
        row[0] = 2*i;
        for (int j = 1; j <= m; j++) {
            int best = least(least(last[j] + 2, row[j - 1] + 2), last[j - 1] + substitution(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = least(best, before[j - 2] + 2);
            row[j] = best;
        }
        int *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

const char *carom_nearest_name(const char *typed, const char *const *candidates, int ncandidate)
{
    const char *best = NULL;
    int best_distance = 0;
    for (int i = 0; i < ncandidate; i++) {
        size_t a = strlen(typed), b = strlen(candidates[i]);
        if (a > LONGEST || b > LONGEST) continue;
        int longer = (int)(a > b ? a : b);
        int d = distance(typed, candidates[i]);
        if (3*d > 2*longer || d >= 2*longer) continue;
        if (!best || d < best_distance) {
            best = candidates[i];
            best_distance = d;
        }
    }
    return best;
}
