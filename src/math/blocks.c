// Matrices of blocks: where the blocks are, and their product with a vector.
#include <stdlib.h>
#include <string.h>

#include "math/block_lu.h"

void carom_blocks_free(caromBlocks *b)
{
    free(b->start);
    free(b->row);
    free(b->column);
    free(b->at);
    free(b->value);
    *b = (caromBlocks){ 0 };
}

static bool has_room(caromBlocks *b, size_t nodes, size_t blocks)
{
    if (nodes > b->room_nodes) {
        free(b->start);
        free(b->row);
        b->start = malloc((nodes + 1)*sizeof *b->start);
        b->row = malloc((nodes + 1)*sizeof *b->row);
        b->room_nodes = nodes;
    }
    if (blocks > b->room_blocks) {
        free(b->column);
        free(b->at);
        b->column = malloc(blocks*sizeof *b->column);
        b->at = malloc((blocks + 1)*sizeof *b->at);
        b->room_blocks = blocks;
    }
    return b->start && b->row && b->column && b->at;
}

static int by_place(const void *a, const void *b)
{
    const caromBlockPlace *p = a, *q = b;
    return p->row != q->row ? (p->row > q->row) - (p->row < q->row) : (p->column > q->column) - (p->column < q->column);
}

// Blocks row by row, the places once each and the diagonal in its turn.
static void list_blocks(caromBlocks *b, int nplace, const caromBlockPlace *places)
{
    int count = 0, p = 0;
    for (int i = 0; i < b->n; i++) {
        b->row[i] = count;
        bool has_diagonal = false;
        for (; p < nplace && places[p].row == i; p++) {
            int j = places[p].column;
            if (j >= i && !has_diagonal) {
                b->column[count++] = i;
                has_diagonal = true;
            }
            int last = count > b->row[i] ? b->column[count - 1] : -1;
            if (j != last) b->column[count++] = j;
        }
        if (!has_diagonal) b->column[count++] = i;
    }
    b->row[b->n] = count;
}

static bool place_values(caromBlocks *b)
{
    size_t at = 0;
    for (int i = 0; i < b->n; i++) {
        for (int k = b->row[i]; k < b->row[i + 1]; k++) {
            b->at[k] = at;
            at += (size_t)carom_blocks_size(b, i)*(size_t)carom_blocks_size(b, b->column[k]);
        }
    }
    b->at[b->row[b->n]] = at;
    if (at > b->room_values || !b->value) {
        free(b->value);
        b->value = malloc((at + 1)*sizeof *b->value);
        b->room_values = at;
    }
    return b->value != NULL;
}

bool carom_blocks_shape(caromBlocks *b, int n, const int *size, int nplace, caromBlockPlace *places)
{
    b->n = 0;
    if (!has_room(b, (size_t)n + 1, (size_t)n + (size_t)nplace + 1)) {
        carom_blocks_free(b);
        return false;
    }
    b->n = n;
    b->start[0] = 0;
    for (int i = 0; i < n; i++) b->start[i + 1] = b->start[i] + size[i];
    // Equal ones are the same: any sort gives the same.
    if (nplace > 0) qsort(places, (size_t)nplace, sizeof *places, by_place);
    list_blocks(b, nplace, places);
    if (!place_values(b)) {
        carom_blocks_free(b);
        return false;
    }
    carom_blocks_clear(b);
    return true;
}

void carom_blocks_clear(caromBlocks *b)
{
    memset(b->value, 0, b->at[b->row[b->n]]*sizeof *b->value);
}

double *carom_blocks_find(const caromBlocks *b, int row, int column)
{
    int low = b->row[row], high = b->row[row + 1];
    while (high - low > 1) {
        int middle = (low + high)/2;
        if (b->column[middle] <= column) low = middle;
        else high = middle;
    }
    return b->column[low] == column ? b->value + b->at[low] : NULL;
}

void carom_blocks_times(const caromBlocks *b, const double *x, double *y)
{
    for (int i = 0; i < b->n; i++) {
        int rows = carom_blocks_size(b, i);
        double *to = y + b->start[i];
        for (int r = 0; r < rows; r++) to[r] = 0.0;
        for (int k = b->row[i]; k < b->row[i + 1]; k++) {
            int columns = carom_blocks_size(b, b->column[k]);
            const double *a = b->value + b->at[k], *from = x + b->start[b->column[k]];
            for (int r = 0; r < rows; r++) for (int c = 0; c < columns; c++) to[r] += a[r*columns + c]*from[c];
        }
    }
}
