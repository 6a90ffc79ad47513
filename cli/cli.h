// What the files of the command line share. It sees include/carom only.
//
//     main.c -> commands.c (the table) -> arguments.c -> new.c check.c mesh.c run.c view.c csv.c materials.c
//
// A command is one file and one row of the table in commands.c; help texts are made from that table.
#ifndef CAROM_CLI_H
#define CAROM_CLI_H

#include <stdio.h>

#include "carom/carom.h"

// Status of the process. A signal s that stopped a run gives 128 + s, as shells do.
enum { DONE = 0, FAILED = 1, WRONG = 2 };

// ---- commands.c: the table

typedef struct Option {
    char letter;           // 0: none
    const char *name;      // without the dashes; NULL ends the list
    const char *argument;  // NULL: a flag
    const char *help;
} Option;

typedef struct Arguments Arguments;

enum { OPTIONS_MAX = 8, WORDS_MAX = 16 };
typedef struct Command {
    const char *name;
    const char *operands;  // as in the usage line: "MODEL", "[FILE]"
    int least, most;       // how many of them
    const char *summary;   // one line
    const char *details;   // lines for `carom help NAME`
    Option options[OPTIONS_MAX];
    int (*run)(const Arguments *arguments);
} Command;

const Command *command_at(int i);  // NULL behind the last
const Command *command_named(const char *name);

// ---- arguments.c: a command line that is right for its command

struct Arguments {
    const Command *command;
    const char **operands;
    int noperand;
    const char **values[OPTIONS_MAX];  // of each option, in order; a flag's are ""
    int nvalue[OPTIONS_MAX];
    bool wants_help;
};

// Options may stand anywhere; "--name value", "--name=value", "-ovalue", "--" ends them. Says on stderr what is wrong.
bool arguments_parse(Arguments *arguments, const Command *command, int argc, char **argv);
void arguments_free(Arguments *arguments);
const char *option_value(const Arguments *arguments, const char *name);  // the last given, or NULL
const char *const *option_values(const Arguments *arguments, const char *name, int *n);

// ---- help.c

void help_overview(FILE *to);
void help_command(FILE *to, const Command *command);

// ---- words.c: text for people

bool terminal_is_utf8(void);
bool use_colour(FILE *stream);  // a terminal, and neither NO_COLOR nor TERM=dumb
// "12.3 us": four digits with an SI prefix; u is the micro sign where the locale is UTF-8. Lives in a ring of 16 texts.
const char *si(double value, const char *unit);
const char *number(double value);  // "0.7", up to 6 digits, same ring
const char *factor(double value);  // "7.12", "3440": three digits, never an exponent above 1
const char *count_of(int64_t n, const char *what);  // "1 touch", "24 touches"; digits in groups of three
// A path as a word of a command line: in quotes if the shell or carom would take it for something else. Until the next
// call.
const char *shell_word(const char *path);
int text_width(const char *text);  // characters
const char *nearest_word(const char *typed, const char *const *words, int n);  // NULL: none is near
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));  // "carom: error: ..." on stderr
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Of what is printed; a command that went on nevertheless is not done (main.c).
void complain_of_memory(void);
int complaints_of_memory(void);  // so far
void complain_of(const caromError *err);  // "carom: error: WHERE: MESSAGE"; once where the message names it

// ---- table.c: aligned columns

enum { TABLE_COLUMNS = 9 };
typedef struct Table {
    char **cells;
    int ncell, capacity, ncolumn;
    bool is_right[TABLE_COLUMNS];  // columns of numbers
    bool is_short;                 // of memory for its cells
} Table;
Table table_of(int ncolumn, const char *alignment);  // "lrr"
void table_cell(Table *table, const char *text);
// And empties it. One that is short is not printed, and complained of.
void table_print(Table *table, FILE *to, int indent);

// ---- files.c: names of files

enum { FILE_NAME_SIZE = 256, PATH_SIZE = 4096 };  // with the zero; as Linux has them

void base_name(const char *path, char *name, size_t n);  // "dir/bounce.yaml" -> "bounce"
bool file_exists(const char *path);
bool is_same_file(const char *a, const char *b);  // or would be: they need not exist
bool is_standard(const char *path);               // "-": standard input or output
bool is_results_file(const char *path);           // by its first bytes
// May we write there? False, and says why, if something is there that is not of the kind to be written, by its first
// bytes, or the system would not let us.
typedef enum OutputKind { A_RESULTS_FILE, A_TABLE, A_MESH, A_PAGE } OutputKind;
bool may_write(const char *path, OutputKind kind);
bool keeps_input(const char *path, const char *input);  // false, and says so: they are the same file
int64_t file_size(const char *path);
void warn_if_incomplete(const caromResultsSurvey *survey, const char *path);  // and says how far they go

// ---- left_out.c: results that are too much for their file
void warn_of_grid(const caromModel *model, const caromResultsLoad *load);  // of the samples that were asked for
bool is_too_much(const caromResultsLoad *load);   // what the motion tells
void warn_of_load(const caromResultsLoad *load);
bool describe_left_out(const caromResultsLack *lack, char *text, size_t n);  // false: nothing
void warn_if_thinned(const caromResultsSurvey *survey, const char *path);

// ---- loading.c: a model file, read and checked, or its problems on stderr

typedef struct Loaded {
    char name[FILE_NAME_SIZE];  // of the model: its file without folder and ending
    char *text;
    size_t length;
    const char **overrides;
    char *end_override;  // made from --end
    int noverride;
    caromModel *model;
} Loaded;
// path "-": standard input
bool load_model(Loaded *loaded, const char *path, const char *const *overrides, int noverride, const char *end,
                bool has_gaps);
void unload_model(Loaded *loaded);
const char *shown_name(const char *path);  // of a model: "<stdin>" for "-"
// file:line:column: error: message, the line, and a caret.
void print_problems(const char *path, const char *text, size_t length, const caromProblems *problems);

// ---- check.c

void print_model(const caromModel *model);  // what it contains
enum { ROWS_SHOWN = 40 };  // of bodies, joints, springs, pairs of materials and gaps each
void print_rest(int n);    // says how many rows of n were not

// ---- groups.c

void print_groups(const caromModel *model);  // and who is in them

// ---- mesh.c

void print_meshes(const caromModel *model);  // what was repaired, and what touches for them

// ---- shapes.c: shapes and masses in words

void volume_text(char *text, size_t n, double volume);  // "8.1 cm^3"
const char *shape_text(caromShape shape);  // "cylinder of radius 20 mm, length 100 mm"; until the next call
void print_masses(const caromModel *model);
void mass_cells(Table *table, caromMassProps props, double volume);  // five of them
// "[0, 0, 0.5]"; what is only rounding against scale is 0
void vector_text(char *text, size_t n, caromVec3 v, double scale);

// ---- start.c: where everything is at the start, loops closed

typedef struct Start {
    caromDyn *dyn;
    double *q, *v;
    bool is_closed;  // its loops are
} Start;
bool start_open(Start *start, const caromModel *model);  // false: out of memory, which was said
void start_close(Start *start);
void print_start(const caromModel *model);

// ---- gaps.c: how far shapes are from each other at the start

bool print_gaps(const caromModel *model);  // false: out of memory, which was said
bool print_explanation(const caromModel *model);  // likewise

// ---- run.c, also for view.c

typedef struct RunRequest {
    const char *model_path, *results_path;  // results NULL: NAME.carom here
    const char *csv_path, *end;             // NULL: none
    const char *const *overrides;
    int noverride;
    bool is_quiet;
    bool has_gaps;     // records them
    bool is_for_view;  // says nothing of what to do next
} RunRequest;
int run_model(const RunRequest *request);

int command_new(const Arguments *arguments);
int command_check(const Arguments *arguments);
int command_run(const Arguments *arguments);
int command_view(const Arguments *arguments);
int command_mesh(const Arguments *arguments);
int command_materials(const Arguments *arguments);
int command_csv(const Arguments *arguments);
int command_help(const Arguments *arguments);

#endif
