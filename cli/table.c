#include <stdlib.h>
#include <string.h>

#include "cli.h"

Table table_of(int ncolumn, const char *alignment)
{
    Table table = { .ncolumn = ncolumn };
    for (int k = 0; k < ncolumn && alignment[k]; k++) table.is_right[k] = alignment[k] == 'r';
    return table;
}

void table_cell(Table *table, const char *text)
{
    if (table->ncell == table->capacity) {
        int capacity = table->capacity ? 2*table->capacity : 64;
        char **cells = realloc(table->cells, (size_t)capacity*sizeof *cells);
        if (!cells) {
            table->is_short = true;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    if (copy) memcpy(copy, text, n);
    else table->is_short = true;
    table->cells[table->ncell++] = copy;
}

static const char *cell_at(const Table *table, int i)
{
    return table->cells[i] ? table->cells[i] : "";
}

// Behind the last cell of a row that has something in it; nothing is printed from there on.
static int row_end(const Table *table, int row)
{
    int end = row + table->ncolumn < table->ncell ? row + table->ncolumn : table->ncell;
    while (end > row + 1 && !cell_at(table, end - 1)[0]) end--;
    return end;
}

static void print_rows(const Table *table, FILE *to, int indent)
{
    int width[TABLE_COLUMNS] = { 0 };
    for (int i = 0; i < table->ncell; i++) {
        int w = text_width(cell_at(table, i));
        if (w > width[i % table->ncolumn]) width[i % table->ncolumn] = w;
    }
    for (int row = 0; row < table->ncell; row += table->ncolumn) {
        int end = row_end(table, row);
        fprintf(to, "%*s", indent, "");
        for (int i = row; i < end; i++) {
            const char *cell = cell_at(table, i);
            int pad = width[i - row] - text_width(cell);
            if (table->is_right[i - row]) fprintf(to, "%*s%s", pad, "", cell);
            else fprintf(to, "%s%*s", cell, i + 1 < end ? pad : 0, "");
            fputs(i + 1 < end ? "  " : "\n", to);
        }
    }
}

// Cells that are missing would put others into the wrong columns.
void table_print(Table *table, FILE *to, int indent)
{
    if (table->is_short) complain_of_memory();
    else print_rows(table, to, indent);
    for (int i = 0; i < table->ncell; i++) free(table->cells[i]);
    free(table->cells);
    *table = (Table){ 0 };
}
