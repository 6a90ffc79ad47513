#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cli.h"

static int unknown_command(const char *typed)
{
    const char *names[32];
    int n = 0;
    for (; n < 32 && command_at(n); n++) names[n] = command_at(n)->name;
    const char *nearest = nearest_word(typed, names, n);
    if (nearest) complain("there is no command '%s'; did you mean '%s'?", typed, nearest);
    else complain("there is no command '%s'; 'carom help' lists them", typed);
    return WRONG;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        help_overview(stderr);
        return WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_overview(stdout);
        return DONE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("carom %s\n", carom_version());
        return DONE;
    }
    const Command *command = command_named(argv[1]);
    if (!command) return unknown_command(argv[1]);
    Arguments arguments;
    int status = WRONG;
    if (arguments_parse(&arguments, command, argc - 2, argv + 2)) {
        if (arguments.wants_help) help_command(stdout, command);
        status = arguments.wants_help ? DONE : command->run(&arguments);
    }
    arguments_free(&arguments);
    return status;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN);  // a file that reaches its limit is an error of write(), not the end of the process
    int status = dispatch(argc, argv);
    if (status == DONE && complaints_of_memory() > 0) status = FAILED;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == DONE) {
        complain("cannot write to standard output: %s", strerror(errno));
        status = FAILED;
    }
    return status;
}
