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

    caromResultsSurvey survey;
    caromError err;
    if (carom_results_survey(input, &survey, &err) != CAROM_OK) {
        complain_of(&err);
        return WRONG;
    }
    int status = DONE;
    warn_if_incomplete(&survey, input);
    warn_if_thinned(&survey, input);
    if (carom_results_csv_of(input, &survey, output, &err) != CAROM_OK) {
        complain_of(&err);
        status = FAILED;
    } else if (!is_standard(output)) {
        printf("wrote %s: %s of %s\n", output, count_of(survey.nrow, "row"),
               count_of(survey.ncolumn, "column"));
    }
    return status;
}
