// block_lu.h -- sparse linear systems whose entries are small dense blocks.
//
// A matrix has nodes, each of some rows and columns; blocks stand where two nodes know each other. Factors are found
// with pivots inside the blocks on the diagonal only, in an order of nodes that is chosen once for a pattern: no block
// moves, memory is fixed, and numbers do not change what is done.
#ifndef CAROM_SRC_MATH_BLOCK_LU_H
#define CAROM_SRC_MATH_BLOCK_LU_H

#include <stdbool.h>
#include <stddef.h>

typedef struct caromBlockPlace {
    int row, column;        // nodes
} caromBlockPlace;

typedef struct caromBlocks {
    int n;                  // nodes
    int *start;             // first row of each node                            [n + 1]
    int *row;               // first block of each row of blocks                 [n + 1]
    int *column;            // of each block, ascending in its row               [row[n]]
    size_t *at;             // where its values begin, row-major                 [row[n] + 1]
    double *value;
    size_t room_nodes, room_blocks, room_values;
} caromBlocks;

static inline int carom_blocks_size(const caromBlocks *b, int node)
{
    return b->start[node + 1] - b->start[node];
}

// Zeroed blocks at the places, which may repeat, and on the diagonal; size: of each node [n], 0 is allowed. Grows the
// memory where it is too small; false: there is none, and the matrix has no nodes. Places are overwritten.
bool carom_blocks_shape(caromBlocks *blocks, int n, const int *size, int nplace, caromBlockPlace *places);
void carom_blocks_free(caromBlocks *blocks);
void carom_blocks_clear(caromBlocks *blocks);                            // values to zero
double *carom_blocks_find(const caromBlocks *blocks, int row, int column);  // NULL: there is no such block
void carom_blocks_times(const caromBlocks *blocks, const double *x, double *y);  // y = A x

typedef struct caromBlockLu {
    caromBlocks factors;    // nodes in the order of elimination
    int *order;             // which node of the matrix is eliminated k-th       [n]
    int *place;             // and when a node is                                [n]
    int *diagonal;          // the block of each row that is on the diagonal     [n]
    int *from;              // where a block of the matrix goes                  [blocks of the matrix]
    int *pivot;             // [rows]
    double *scale, *x;      // scratch                                           [rows]
    int *position;          // scratch                                           [n]
    size_t room_nodes, room_rows, room_blocks;
} caromBlockLu;

// Order of elimination and fill for a pattern. False: out of memory.
bool carom_block_lu_analyse(caromBlockLu *lu, const caromBlocks *pattern);
// Factors of 1 - s A, A of the pattern analysed. False: a block on the diagonal is singular to working precision, or
// a number is not finite.
bool carom_block_lu_factor(caromBlockLu *lu, const caromBlocks *A, double s);
void carom_block_lu_solve(const caromBlockLu *lu, double *x);            // x := (1 - s A)^-1 x
void carom_block_lu_free(caromBlockLu *lu);

#endif
