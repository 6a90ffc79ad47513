#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct Member {
    const char *group;
    int body;
} Member;

// By group, then by body.
static int compare_members(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    int order = strcmp(x->group, y->group);
    return order != 0 ? order : x->body - y->body;
}

static int count_members(const caromModel *model)
{
    int n = 0;
    for (int32_t i = 0; i < carom_model_body_count(model); i++)
        n += carom_model_body_group_count(model, (caromBodyId){ i });
    return n;
}

static void list_members(const caromModel *model, Member *members)
{
    for (int32_t i = 0; i < carom_model_body_count(model); i++)
        for (int k = 0; k < carom_model_body_group_count(model, (caromBodyId){ i }); k++)
            *members++ = (Member){ carom_model_body_group(model, (caromBodyId){ i }, k), i };
}

enum { MEMBERS_SHOWN = 8 };

static void print_group(Table *table, const caromModel *model, const Member *members, int n)
{
    char text[MEMBERS_SHOWN*(CAROM_NAME_MAX + 2) + 40] = "";
    size_t used = 0;
    for (int i = 0; i < n && i < MEMBERS_SHOWN; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "",
                                 carom_model_body_name(model, (caromBodyId){ members[i].body }));
    if (n > MEMBERS_SHOWN) snprintf(text + used, sizeof text - used, " and %d more", n - MEMBERS_SHOWN);
    table_cell(table, members->group);
    table_cell(table, text);
}

void print_groups(const caromModel *model)
{
    int n = count_members(model), ngroup = 0;
    Member *members = calloc((size_t)n + 1, sizeof *members);
    if (!members) {
        complain_of_memory();
        return;
    }
    list_members(model, members);
    qsort(members, (size_t)n, sizeof *members, compare_members);
    Table table = table_of(2, "ll");
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(members[i].group, members[end].group) == 0;) end++;
        if (ngroup++ < ROWS_SHOWN) print_group(&table, model, &members[i], end - i);
    }
    if (ngroup > 0) printf("groups\n");
    table_print(&table, stdout, 2);
    print_rest(ngroup);
    free(members);
}
