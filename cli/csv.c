#include "cli.h"

int command_csv(const Arguments *arguments)
{
    char name[FILE_NAME_SIZE], here[FILE_NAME_SIZE + 8], path[PATH_SIZE];
    const char *input = arguments->operands[0], *output = option_value(arguments, "output");
    if (!file_exists(input)) {
        snprintf(path, sizeof path, "%s.carom", input);
        if (file_exists(path)) input = path;
    }
    base_name(input, name, sizeof name);
    snprintf(here, sizeof here, "%s.csv", name);
    if (!output) output = here;
    if (!keeps_input(output, input) || !may_write(output, A_TABLE)) return WRONG;

    caromResults *results;
    caromError err;
    if (carom_results_open(input, &results, &err) != CAROM_OK) {
        complain_of(&err);
        return WRONG;
    }
    int status = DONE;
    warn_if_incomplete(results, input);
    if (carom_results_csv(results, output, &err) != CAROM_OK) {
        complain_of(&err);
        status = FAILED;
    } else if (!is_standard(output)) {
        printf("wrote %s: %s of %s\n", output, count_of(carom_results_row_count(results), "row"),
               count_of(carom_results_column_count(results), "column"));
    }
    carom_results_close(results);
    return status;
}
