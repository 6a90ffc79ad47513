#include <string.h>

#include "cli.h"

void help_overview(FILE *to)
{
    int i = 0;
    fprintf(to, "carom simulates mechanisms whose parts hit, slide, roll and rest.\n\n"
                "usage: carom COMMAND ...\n\n");
    for (const Command *c; (c = command_at(i)) != NULL; i++)
        fprintf(to, "  %-9s %-14s %s\n", c->name, c->operands, c->summary);
    fprintf(to, "\n'carom help COMMAND' or 'carom COMMAND --help' says more; 'carom --version' prints the version.\n"
            "Exit status: 0 done; 1 the simulation or the writing of a file failed; 2 wrong usage, model or file name, "
            "and nothing was\n"
            "simulated; 130 stopped by Ctrl-C.\n\n"
            "  carom new bounce.yaml && carom run bounce.yaml && carom view bounce\n");
}

static void option_spelling(const Option *option, char *text, size_t n)
{
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(text, n, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

void help_command(FILE *to, const Command *command)
{
    static const Option help = { 'h', "help", NULL, "show this" };
    char text[64];
    fprintf(to, "usage: carom %s%s %s\n\n", command->name, command->options[0].name ? " [OPTION]..." : "",
            command->operands);
    fprintf(to, "%s", command->details[0] ? command->details : "Shows the list of commands, or the help of one.\n");
    fprintf(to, "\n");
    for (int i = 0; i < OPTIONS_MAX && command->options[i].name; i++) {
        option_spelling(&command->options[i], text, sizeof text);
        fprintf(to, "  %-22s %s\n", text, command->options[i].help);
    }
    option_spelling(&help, text, sizeof text);
    fprintf(to, "  %-22s %s\n", text, help.help);
}

int command_help(const Arguments *arguments)
{
    if (arguments->noperand == 0) {
        help_overview(stdout);
        return DONE;
    }
    const Command *command = command_named(arguments->operands[0]);
    if (command) help_command(stdout, command);
    else complain("there is no command '%s'", arguments->operands[0]);
    return command ? DONE : WRONG;
}
