#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const *option_names(const Command *command, int *n)
{
    static const char *names[OPTIONS_MAX + 1];
    *n = 0;
    while (*n < OPTIONS_MAX && command->options[*n].name) {
        names[*n] = command->options[*n].name;
        ++*n;
    }
    names[(*n)++] = "help";
    return names;
}

static int option_index(const Command *command, const char *name, size_t n)
{
    for (int i = 0; i < OPTIONS_MAX && command->options[i].name; i++)
        if (strlen(command->options[i].name) == n && memcmp(command->options[i].name, name, n) == 0) return i;
    return -1;
}

static int option_by_letter(const Command *command, char letter)
{
    for (int i = 0; i < OPTIONS_MAX && command->options[i].name; i++)
        if (letter && command->options[i].letter == letter) return i;
    return -1;
}

static bool refuse(const Command *command)
{
    fprintf(stderr, "Try 'carom %s --help'.\n", command->name);
    return false;
}

static bool refuse_unknown(const Command *command, const char *argument)
{
    int n;
    const char *const *names = option_names(command, &n);
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(argument + 2, "="), argument[1] == '-' ? argument + 2 : "");
    const char *nearest = nearest_word(typed, names, n);
    if (nearest) complain("'carom %s' has no option '--%s'; did you mean '--%s'?", command->name, typed, nearest);
    else complain("'carom %s' has no option '%.*s'", command->name, (int)strcspn(argument, "="), argument);
    return refuse(command);
}

// An option at argv[*i]; its argument may be the next, which *i then moves to.
static bool parse_option(Arguments *arguments, int argc, char **argv, int *i)
{
    const Command *command = arguments->command;
    const char *text = argv[*i], *value = NULL;
    bool is_long = text[1] == '-';
    if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) return arguments->wants_help = true;
    size_t n = is_long ? strcspn(text + 2, "=") : 1;
    int index = is_long ? option_index(command, text + 2, n) : option_by_letter(command, text[1]);
    if (index < 0) return refuse_unknown(command, text);
    const Option *option = &command->options[index];
    if (is_long && text[2 + n] == '=') value = text + 3 + n;
    else if (!is_long && text[2]) value = text + 2;
    if (!option->argument) {
        if (value) {
            complain("option '%.*s' takes no value", (int)(is_long ? 2 + n : 2), text);
            return refuse(command);
        }
        value = "";
    } else if (!value) {
        if (*i + 1 >= argc) {
            complain("option '%s' needs a value: %s %s", text, text, option->argument);
            return refuse(command);
        }
        value = argv[++*i];
    }
    arguments->values[index][arguments->nvalue[index]++] = value;
    return true;
}

bool arguments_parse(Arguments *arguments, const Command *command, int argc, char **argv)
{
    *arguments = (Arguments){ .command = command };
    // One block, of which every list could take all.
    const char **block = calloc((size_t)(argc + 1)*(OPTIONS_MAX + 1), sizeof *block);
    if (!block) {
        complain("out of memory");
        return false;
    }
    arguments->operands = block;
    for (int k = 0; k < OPTIONS_MAX; k++) arguments->values[k] = block + (size_t)(argc + 1)*(size_t)(k + 1);
    bool options_ended = false;
    for (int i = 0; i < argc; i++) {
        if (!options_ended && strcmp(argv[i], "--") == 0) options_ended = true;
        else if (!options_ended && argv[i][0] == '-' && argv[i][1]) {
            if (!parse_option(arguments, argc, argv, &i)) return false;
        } else arguments->operands[arguments->noperand++] = argv[i];
    }
    if (arguments->wants_help) return true;
    if (arguments->noperand < command->least) complain("'carom %s' needs %s", command->name, command->operands);
    else if (arguments->noperand > command->most)
        complain("'carom %s' takes no '%s'", command->name, arguments->operands[command->most]);
    else return true;
    return refuse(command);
}

void arguments_free(Arguments *arguments)
{
    free(arguments->operands);
    *arguments = (Arguments){ 0 };
}

const char *const *option_values(const Arguments *arguments, const char *name, int *n)
{
    int index = option_index(arguments->command, name, strlen(name));
    *n = index < 0 ? 0 : arguments->nvalue[index];
    return index < 0 ? NULL : arguments->values[index];
}

const char *option_value(const Arguments *arguments, const char *name)
{
    int n;
    const char *const *values = option_values(arguments, name, &n);
    return n > 0 ? values[n - 1] : NULL;
}
