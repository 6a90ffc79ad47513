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
        if (!cells) return;
        table->cells = cells;
        table->capacity = capacity;
    }
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    if (copy) memcpy(copy, text, n);
    table->cells[table->ncell++] = copy;
}

static const char *cell_at(const Table *table, int i)
{
    return table->cells[i] ? table->cells[i] : "";
}

void table_print(Table *table, FILE *to, int indent)
{
    int width[TABLE_COLUMNS] = { 0 };
    for (int i = 0; i < table->ncell; i++) {
        int w = text_width(cell_at(table, i));
        if (w > width[i % table->ncolumn]) width[i % table->ncolumn] = w;
    }
    for (int i = 0; i < table->ncell; i++) {
        int column = i % table->ncolumn;
        bool is_last = column == table->ncolumn - 1;
        int pad = width[column] - text_width(cell_at(table, i));
        if (column == 0) fprintf(to, "%*s", indent, "");
        if (table->is_right[column]) fprintf(to, "%*s%s", pad, "", cell_at(table, i));
        else fprintf(to, "%s%*s", cell_at(table, i), is_last ? 0 : pad, "");
        fputs(is_last ? "\n" : "  ", to);
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (Table){ 0 };
}
