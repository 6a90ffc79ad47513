// What the maintainers of the model format need by hand: the files that are made from the key table, and the problems
// of a model file as tests/modelfile/bad/*.expected has them.
//
//     modelfile_tool schema > docs/model.schema.json
//     modelfile_tool reference                            the tables of docs/model-format.md
//     modelfile_tool palette                              the tables of docs/materials.md
//     modelfile_tool problems FILE [PATH=VALUE ...]
//     modelfile_tool mesh FILE                            what is wrong with a mesh file, for bad_mesh/*.expected
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"
#include "modelfile/modelfile.h"
#include "palette_tables.h"

static int show_problems(const char *file, const char *const *overrides, int n)
{
    char *text;
    size_t length;
    caromError err;
    if (carom_modelfile_load(file, &text, &length, &err) != CAROM_OK) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
        return 1;
    }
    caromProblems problems = { 0 };
    caromModel *model;
    caromStatus status = carom_modelfile_read_from(&(caromModelText){ file, text, length, overrides, n }, &problems,
                                                   &model);
    for (int i = 0; i < problems.count; i++) {
        const caromProblem *p = &problems.items[i];
        if (p->line == 0) printf("%s: ", p->path);
        else printf("%d:%d: ", p->line, p->column);
        printf("%s: %s\n", p->is_warning ? "warning" : "error", p->message);
    }
    carom_problems_free(&problems);
    carom_model_destroy(model);
    free(text);
    return status == CAROM_OK ? 0 : 2;
}

static int show_mesh(const char *file)
{
    caromError err;
    caromMesh *mesh = carom_meshfile_read(file, 1.0, NULL, &err);
    if (!mesh) printf("%s: %s\n", err.where, err.message);
    carom_mesh_destroy(mesh);
    return mesh ? 0 : 2;
}

static int show(char *text)
{
    if (!text) return 1;
    fputs(text, stdout);
    free(text);
    return 0;
}

static int show_palette(void)
{
    char row[600];
    puts("| name | what | density [kg/m^3] | E | nu | source |\n|---|---|---|---|---|---|");
    for (int i = 0; carom_model_material_info(i); i++)
        material_row(row, sizeof row, carom_model_material_info(i)), puts(row);
    puts("\n| pair | e | mu_k | mu_s | mu_r | note | source |\n|---|---|---|---|---|---|---|");
    for (int i = 0; carom_model_pair_record(i); i++) pair_row(row, sizeof row, carom_model_pair_record(i)), puts(row);
    puts("\n| key | source |\n|---|---|");
    for (int i = 0; carom_model_source_info(i); i++) source_row(row, sizeof row, carom_model_source_info(i)), puts(row);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "schema") == 0) return show(carom_modelfile_schema());
    if (argc == 2 && strcmp(argv[1], "reference") == 0) return show(carom_modelfile_reference());
    if (argc == 2 && strcmp(argv[1], "palette") == 0) return show_palette();
    if (argc >= 3 && strcmp(argv[1], "problems") == 0)
        return show_problems(argv[2], (const char *const *)argv + 3, argc - 3);
    if (argc == 3 && strcmp(argv[1], "mesh") == 0) return show_mesh(argv[2]);
    fprintf(stderr, "usage: modelfile_tool schema | reference | palette | problems FILE [PATH=VALUE ...] | "
            "mesh FILE\n");
    return 1;
}
