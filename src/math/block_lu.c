// Elimination of blocks, row by row [GolubVanLoan13, 3.2, 11.1]. The factors are L with blocks D_k on its diagonal
// and U with ones there:
//
//     A_ij -= sum_k A_ik U_kj   (k before i),     U_ij = D_i^-1 A_ij   (j behind i),     D_i = A_ii
//
// D_i with pivots of its own rows. So a node whose row is short costs little, however long its column is: of a body
// that touches many, the equations q' = N v.
#include "math/block_lu.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/lu.h"

// ---- order of elimination

typedef struct Graph {      // which blocks there are, as bits; blocks of nodes that are done stay
    int n;
    size_t words;           // of a row
    uint64_t *rows, *columns;
    uint64_t *left;         // nodes not yet eliminated                                    [words]
    long *row_size, *column_size;  // of the blocks left beside the diagonal                [n]
} Graph;

static void set_bit(uint64_t *bits, int i)
{
    bits[i/64] |= (uint64_t)1 << i%64;
}

static bool has_bit(const uint64_t *bits, int i)
{
    return bits[i/64] >> i%64 & 1;
}

// Next set bit of a and b after i; n: none.
static int next_bit(const Graph *g, const uint64_t *a, const uint64_t *b, int i)
{
    for (i++; i < g->n; i++) {
        uint64_t rest = (a[i/64] & b[i/64]) >> i%64;
        if (rest & 1) return i;
        if (rest == 0) i += 63 - i%64;
    }
    return g->n;
}

static bool graph_alloc(Graph *g, int n)
{
    size_t words = ((size_t)n + 63)/64, count = (size_t)n;
    *g = (Graph){ n, words, calloc(count*words + 1, sizeof(uint64_t)), calloc(count*words + 1, sizeof(uint64_t)),
                  calloc(words + 1, sizeof(uint64_t)), calloc(count + 1, sizeof(long)),
                  calloc(count + 1, sizeof(long)) };
    return g->rows && g->columns && g->left && g->row_size && g->column_size;
}

static void graph_free(Graph *g)
{
    free(g->rows);
    free(g->columns);
    free(g->left);
    free(g->row_size);
    free(g->column_size);
}

static void add_block(Graph *g, const caromBlocks *p, int i, int j)
{
    uint64_t *row = g->rows + (size_t)i*g->words;
    if (has_bit(row, j)) return;
    set_bit(row, j);
    set_bit(g->columns + (size_t)j*g->words, i);
    if (i == j) return;
    g->row_size[i] += carom_blocks_size(p, j);
    g->column_size[j] += carom_blocks_size(p, i);
}

// Least work first [Markowitz57], the lowest of equals: for bodies in contact first q, whose rows are short, then
// bristles, then v from the rim of a heap inwards.
static int choose(const Graph *g)
{
    int best = -1;
    for (int i = next_bit(g, g->left, g->left, -1); i < g->n; i = next_bit(g, g->left, g->left, i)) {
        if (best < 0 || g->row_size[i]*g->column_size[i] < g->row_size[best]*g->column_size[best]) best = i;
    }
    return best;
}

static void eliminate(Graph *g, const caromBlocks *p, int k)
{
    g->left[k/64] &= ~((uint64_t)1 << k%64);
    const uint64_t *row = g->rows + (size_t)k*g->words, *column = g->columns + (size_t)k*g->words;
    int size = carom_blocks_size(p, k);
    for (int i = next_bit(g, column, g->left, -1); i < g->n; i = next_bit(g, column, g->left, i)) {
        for (int j = next_bit(g, row, g->left, -1); j < g->n; j = next_bit(g, row, g->left, j)) add_block(g, p, i, j);
        g->row_size[i] -= size;
    }
    for (int j = next_bit(g, row, g->left, -1); j < g->n; j = next_bit(g, row, g->left, j)) g->column_size[j] -= size;
}

static void find_order(Graph *g, const caromBlocks *p, int *order)
{
    for (int i = 0; i < g->n; i++) set_bit(g->left, i);
    for (int i = 0; i < g->n; i++) for (int k = p->row[i]; k < p->row[i + 1]; k++) add_block(g, p, i, p->column[k]);
    for (int k = 0; k < g->n; k++) {
        order[k] = choose(g);
        eliminate(g, p, order[k]);
    }
}

// ---- memory

void carom_block_lu_free(caromBlockLu *lu)
{
    carom_blocks_free(&lu->factors);
    free(lu->order);
    free(lu->place);
    free(lu->diagonal);
    free(lu->from);
    free(lu->pivot);
    free(lu->scale);
    free(lu->x);
    free(lu->position);
    *lu = (caromBlockLu){ 0 };
}

static bool has_room(caromBlockLu *lu, size_t nodes, size_t rows, size_t blocks)
{
    if (nodes > lu->room_nodes || rows > lu->room_rows || blocks > lu->room_blocks) {
        carom_block_lu_free(lu);
        lu->order = malloc(nodes*sizeof *lu->order);
        lu->place = malloc(nodes*sizeof *lu->place);
        lu->diagonal = malloc(nodes*sizeof *lu->diagonal);
        lu->position = malloc(nodes*sizeof *lu->position);
        lu->from = malloc(blocks*sizeof *lu->from);
        lu->pivot = malloc(rows*sizeof *lu->pivot);
        lu->scale = malloc(rows*sizeof *lu->scale);
        lu->x = malloc(rows*sizeof *lu->x);
        lu->room_nodes = nodes;
        lu->room_rows = rows;
        lu->room_blocks = blocks;
    }
    bool good = lu->order && lu->place && lu->diagonal && lu->position && lu->from && lu->pivot && lu->scale && lu->x;
    if (!good) lu->room_nodes = lu->room_rows = lu->room_blocks = 0;  // to be tried again
    return good;
}

// ---- analysis

static long count_blocks(const Graph *g)
{
    long count = 0;
    for (int i = 0; i < g->n; i++) {
        const uint64_t *row = g->rows + (size_t)i*g->words;
        for (int j = next_bit(g, row, row, -1); j < g->n; j = next_bit(g, row, row, j)) count++;
    }
    return count;
}

static bool shape_factors(caromBlockLu *lu, const Graph *g, const caromBlocks *p)
{
    long count = count_blocks(g), k = 0;
    caromBlockPlace *places = malloc((size_t)(count + 1)*sizeof *places);
    int *size = malloc(((size_t)g->n + 1)*sizeof *size);
    bool good = places && size;
    for (int i = 0; good && i < g->n; i++) {
        size[lu->place[i]] = carom_blocks_size(p, i);
        const uint64_t *row = g->rows + (size_t)i*g->words;
        for (int j = next_bit(g, row, row, -1); j < g->n; j = next_bit(g, row, row, j))
            places[k++] = (caromBlockPlace){ lu->place[i], lu->place[j] };
    }
    good = good && carom_blocks_shape(&lu->factors, g->n, size, (int)k, places);
    free(places);
    free(size);
    return good;
}

static int find_block(const caromBlocks *b, int row, int column)
{
    int k = b->row[row];
    while (b->column[k] != column) k++;
    return k;
}

bool carom_block_lu_analyse(caromBlockLu *lu, const caromBlocks *p)
{
    int n = p->n;
    Graph g;
    bool good = graph_alloc(&g, n) && has_room(lu, (size_t)n + 1, (size_t)p->start[n] + 1, (size_t)p->row[n] + 1);
    if (good) {
        find_order(&g, p, lu->order);
        for (int k = 0; k < n; k++) lu->place[lu->order[k]] = k;
        good = shape_factors(lu, &g, p);
    }
    for (int i = 0; good && i < n; i++) {
        lu->diagonal[lu->place[i]] = find_block(&lu->factors, lu->place[i], lu->place[i]);
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            lu->from[k] = find_block(&lu->factors, lu->place[i], lu->place[p->column[k]]);
    }
    graph_free(&g);
    return good;
}

// ---- numbers

// C -= A B, with A of rows x inner.
static void subtract_product(int rows, int inner, int columns, const double *restrict A, const double *restrict B,
                             double *restrict C)
{
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < inner; k++) {
            double a = A[r*inner + k];
            if (a == 0.0) continue;
            for (int c = 0; c < columns; c++) C[r*columns + c] -= a*B[k*columns + c];
        }
    }
}

// X := D^-1 X, X of n x columns.
static void divide(int n, const double *restrict D, const int *pivot, int columns, double *restrict X)
{
    for (int k = 0; k < n; k++) {
        if (pivot[k] == k) continue;
        double *p = X + (size_t)k*(size_t)columns, *q = X + (size_t)pivot[k]*(size_t)columns;
        for (int c = 0; c < columns; c++) {
            double t = p[c];
            p[c] = q[c];
            q[c] = t;
        }
    }
    for (int i = 1; i < n; i++)
        subtract_product(1, i, columns, D + (size_t)i*(size_t)n, X, X + (size_t)i*(size_t)columns);
    for (int i = n - 1; i >= 0; i--) {
        const double *row = D + (size_t)i*(size_t)n;
        double *x = X + (size_t)i*(size_t)columns;
        subtract_product(1, n - 1 - i, columns, row + i + 1, x + columns, x);
        for (int c = 0; c < columns; c++) x[c] /= row[i];
    }
}

static void load(caromBlockLu *lu, const caromBlocks *A, double s)
{
    caromBlocks *f = &lu->factors;
    carom_blocks_clear(f);
    for (int k = 0; k < A->row[A->n]; k++) {
        const double *from = A->value + A->at[k];
        double *to = f->value + f->at[lu->from[k]];
        size_t count = A->at[k + 1] - A->at[k];
        for (size_t i = 0; i < count; i++) to[i] = -s*from[i];
    }
    for (int i = 0; i < f->n; i++) {
        int size = carom_blocks_size(f, i);
        double *D = f->value + f->at[lu->diagonal[i]];
        for (int r = 0; r < size; r++) D[r*size + r] += 1.0;
    }
}

static void reduce_row(caromBlockLu *lu, int i)
{
    caromBlocks *f = &lu->factors;
    int rows = carom_blocks_size(f, i);
    for (int b = f->row[i]; b < f->row[i + 1]; b++) lu->position[f->column[b]] = b;
    for (int b = f->row[i]; b < lu->diagonal[i]; b++) {
        int k = f->column[b], inner = carom_blocks_size(f, k);
        for (int u = lu->diagonal[k] + 1; u < f->row[k + 1]; u++) {
            int j = f->column[u];
            subtract_product(rows, inner, carom_blocks_size(f, j), f->value + f->at[b], f->value + f->at[u],
                             f->value + f->at[lu->position[j]]);
        }
    }
}

bool carom_block_lu_factor(caromBlockLu *lu, const caromBlocks *A, double s)
{
    caromBlocks *f = &lu->factors;
    load(lu, A, s);
    for (int i = 0; i < f->n; i++) {
        int rows = carom_blocks_size(f, i), d = lu->diagonal[i];
        int *pivot = lu->pivot + f->start[i];
        reduce_row(lu, i);
        if (!carom_lu_factor(rows, f->value + f->at[d], pivot, lu->scale)) return false;
        for (int u = d + 1; u < f->row[i + 1]; u++)
            divide(rows, f->value + f->at[d], pivot, carom_blocks_size(f, f->column[u]), f->value + f->at[u]);
    }
    return true;
}

static void subtract_blocks(const caromBlocks *f, int row, int from, int to, double *x)
{
    int rows = carom_blocks_size(f, row);
    double *own = x + f->start[row];
    for (int b = from; b < to; b++) {
        int columns = carom_blocks_size(f, f->column[b]);
        const double *a = f->value + f->at[b], *other = x + f->start[f->column[b]];
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int c = 0; c < columns; c++) sum += a[r*columns + c]*other[c];
            own[r] -= sum;
        }
    }
}

void carom_block_lu_solve(const caromBlockLu *lu, double *x)
{
    const caromBlocks *f = &lu->factors;
    double *y = lu->x;
    int at = 0;
    // Rows of a node of the matrix begin where the sizes before it end; in the factors they are elsewhere.
    for (int node = 0; node < f->n; node++) {
        int k = lu->place[node], size = carom_blocks_size(f, k);
        memcpy(y + f->start[k], x + at, (size_t)size*sizeof *x);
        at += size;
    }
    for (int i = 0; i < f->n; i++) {
        subtract_blocks(f, i, f->row[i], lu->diagonal[i], y);
        carom_lu_solve(carom_blocks_size(f, i), f->value + f->at[lu->diagonal[i]], lu->pivot + f->start[i],
                       y + f->start[i]);
    }
    for (int i = f->n - 1; i >= 0; i--) subtract_blocks(f, i, lu->diagonal[i] + 1, f->row[i + 1], y);
    at = 0;
    for (int node = 0; node < f->n; node++) {
        int k = lu->place[node], size = carom_blocks_size(f, k);
        memcpy(x + at, y + f->start[k], (size_t)size*sizeof *x);
        at += size;
    }
}
