// The command line: what it prints and how it ends, word for word.
#include "cli_fixture.h"

#include "carom/results.h"

#define TRY(command) "Try 'carom " command " --help'.\n"

static const char overview[] =
    "carom simulates mechanisms whose parts hit, slide, roll and rest.\n"
                               "\n"
                               "usage: carom COMMAND ...\n"
                               "\n"
                               "  new       [FILE]         write a commented model to start from\n"
                               "  check     MODEL          look for mistakes in a model file\n"
                               "  run       MODEL          simulate a model\n"
                               "  view      RESULTS|MODEL  make a page to watch the motion in a browser\n"
                               "  csv       RESULTS        write results as a CSV table\n"
                               "  mesh      FILE           look at a mesh file, STL, OBJ, PLY, glTF or 3MF\n"
                               "  materials [WORD]...      look up materials and what pairs of them do to each other\n"
                               "  help      [COMMAND]      show this, or the help of a command\n"
                               "\n"
                               "'carom help COMMAND' or 'carom COMMAND --help' says more; 'carom --version' prints "
                               "the version.\n"
                               "Exit status: 0 done; 1 the simulation or the writing of a file failed; 2 wrong usage, "
                               "model or file name, and nothing was\n"
                               "simulated; 130 stopped by Ctrl-C.\n"
                               "\n"
                               "  carom new bounce.yaml && carom run bounce.yaml && carom view bounce\n";

static void help_is_made_from_the_table(void **state)
{
    (void)state;
    expect("", 2, "", overview);
    expect("--help", 0, overview, "");
    expect("-h", 0, overview, "");
    expect("help", 0, overview, "");
    expect("--version", 0, "carom " CAROM_VERSION "\n", "");
    expect("help check", 0,
           "usage: carom check [OPTION]... MODEL\n"
           "\n"
           "Reads MODEL (- is standard input) and says everything that is wrong with it, each with file, "
           "line and column.\n"
           "If nothing is, prints what the model contains: bodies with their shapes, mass, centre of mass and moments "
           "of inertia,\n"
           "joints, springs, forces, materials, what pairs of materials do to each other and where that comes "
           "from, settings.\n"
           "\n"
           "      --explain          also show how tolerances follow from contacts: speed, stiffness, depth, "
           "what positions must be known to\n"
           "      --gaps             also list how far shapes that can touch are from each other at the start, "
           "nearest first\n"
           "      --set PATH=VALUE   change the model: --set bodies.ball.velocity=[1,0,0]; may be repeated\n"
           "  -h, --help             show this\n",
           "");
}

static void help_is_the_same_both_ways(void **state)
{
    (void)state;
    const char *commands[] = { "new", "check", "run", "view", "csv", "mesh", "materials", "help" };
    for (size_t i = 0; i < sizeof commands/sizeof *commands; i++) {
        char line[64];
        snprintf(line, sizeof line, "help %s", commands[i]);
        Said said = carom_says(line);
        assert_int_equal(said.status, 0);
        snprintf(line, sizeof line, "%s --help", commands[i]);
        Said other = carom_says(line);
        assert_string_equal(said.out, other.out);
        assert_int_equal(other.status, 0);
        assert_non_null(strstr(said.out, "-h, --help"));
        forget(&said);
        forget(&other);
    }
    expect("help nothing", 2, "", "carom: error: there is no command 'nothing'\n");
}

static void wrong_usage_is_said_with_a_suggestion(void **state)
{
    (void)state;
    expect("rnu x.yaml", 2, "", "carom: error: there is no command 'rnu'; did you mean 'run'?\n");
    expect("simulate", 2, "", "carom: error: there is no command 'simulate'; 'carom help' lists them\n");
    expect("run", 2, "", "carom: error: 'carom run' needs MODEL\n" TRY("run"));
    expect("run a.yaml b.yaml", 2, "", "carom: error: 'carom run' takes no 'b.yaml'\n" TRY("run"));
    expect("run a.yaml --ouput=x", 2, "", "carom: error: 'carom run' has no option '--ouput'; did you mean "
           "'--output'?\n" TRY("run"));
    expect("run a.yaml --out x", 2, "", "carom: error: 'carom run' has no option '--out'; did you mean '--output'?\n"
           TRY("run"));
    expect("run a.yaml --colour=red", 2, "", "carom: error: 'carom run' has no option '--colour'\n" TRY("run"));
    expect("run a.yaml -x", 2, "", "carom: error: 'carom run' has no option '-x'\n" TRY("run"));
    expect("run a.yaml --csv", 2, "", "carom: error: option '--csv' needs a value: --csv FILE\n" TRY("run"));
    expect("run a.yaml --quiet=1", 2, "", "carom: error: option '--quiet' takes no value\n" TRY("run"));
    expect("check -- --set", 2, "", "carom: error: --set: *\n");  // behind -- it is a file
}

static void new_writes_a_model_that_is_right(void **state)
{
    (void)state;
    expect("new", 0, "wrote model.yaml\nnext: carom run model.yaml\n", "");
    expect("new bounce.yaml", 0, "wrote bounce.yaml\nnext: carom run bounce.yaml\n", "");
    expect("check bounce.yaml", 0,
           "bounce.yaml: no errors\n"
           "\n"
           "bodies: 1 moving, 1 fixed\n"
           "  plate    fixed  half-space              steel\n"
           "  ball   602.1 g  sphere of radius 50 mm  bumper\n"
           "masses\n"
           "  ball  602.1 g  volume 523.6 cm^3  centre of mass [0, 0, 0] m  moments of inertia 0.0006021, 0.0006021, "
           "0.0006021 kg m^2  about x, y, z\n"
           "materials\n"
           "  steel   density 7850 kg/m^3  E 210 GPa  nu 0.3\n"
           "  bumper  density 1150 kg/m^3  E 2.5 GPa  nu 0.4\n"
           "pairs of materials that can touch\n"
           "  steel - bumper  restitution 0.7  friction 0.4  rolling 0 (default)  1 contact pair\n"
           "settings\n"
           "  gravity     [0, 0, -9.81] m/s^2\n"
           "  contact     damping exact, regularised below 1 mm/s and 10 mrad/s\n"
           "  simulate    until 2 s, output every 5 ms, tolerance 1e-06, method auto\n",
           "");
}

static void pendulum_has_joints_a_spring_and_stops(void **state)
{
    (void)state;
    expect("new -t pendulum p.yaml", 0, "wrote p.yaml\nnext: carom run p.yaml\n", "");
    Said said = carom_says("check p.yaml --set 'forces={push: {body: lower, force: [1 N, 0, 0]}}'");
    assert_string_equal(said.err, "");
    const char *listed = "joints: 2\n"
                         "  shoulder  revolute  world - upper\n"
                         "  elbow     revolute  upper - lower\n"
                         "springs\n"
                         "  return  world - lower  stiffness 10 N/m  damping 0 N s/m  rest 400 mm\n"
                         "forces from outside: 1\n";
    if (!strstr(said.out, listed)) fail_msg("missing: %s\n--- in\n%s", listed, said.out);
    forget(&said);
    said = carom_says("run p.yaml");
    assert_int_equal(said.status, 0);
    assert_string_equal(said.err, "");
    const char *lines[] = { "  events   0 touches, 0 separations, ", " reached\n", "pair or joint", " s  elbow ",
                            "\n  in springs ", "\n  lost in joints " };
    for (size_t i = 0; i < sizeof lines/sizeof *lines; i++)
        if (!strstr(said.out, lines[i])) fail_msg("missing: %s\n--- in\n%s", lines[i], said.out);
    assert_null(strstr(said.out, "supplied"));
    forget(&said);
    expect("new --template pendulm q.yaml", 2, "", "carom: error: there is no template 'pendulm'; "
           "did you mean 'pendulum'?\n");
    expect("new --template xyz q.yaml", 2, "",
           "carom: error: there is no template 'xyz'; 'carom help new' lists them\n");
    assert_int_not_equal(access("q.yaml", F_OK), 0);
}

static void new_does_not_replace_a_file_unasked(void **state)
{
    (void)state;
    write_text("mine.yaml", "precious\n");
    expect("new mine.yaml", 2, "", "carom: error: mine.yaml: exists already; --force replaces it\n");
    char *text = read_text("mine.yaml");
    assert_string_equal(text, "precious\n");
    free(text);
    expect("new --force mine.yaml", 0, "wrote mine.yaml\nnext: carom run mine.yaml\n", "");
    expect("check mine.yaml", 0, "mine.yaml: no errors\n*\n*\n*\n*\n*\n*\n*\n*\n*\n*\n*\n*\n*\n*\n*\n", "");
    expect("new no/such/place.yaml", 2, "", "carom: error: no/such/place.yaml: cannot create it: "
           "No such file or directory\n");
    expect("new /dev/full -f", 1, "", "carom: error: /dev/full: cannot write it: No space left on device\n");
}

// A line of the shell in which $c is the command.
static Said shell_says(const char *line)
{
    char command[4200];
    fflush(NULL);
    pid_t child = cli_running = fork();
    if (child == 0) {
        snprintf(command, sizeof command, "exec > stdout.txt 2> stderr.txt; c=%s; %s", CAROM_COMMAND, line);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return finish_carom(child);
}

static void model_may_come_from_standard_input(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    const char *lines[] = { "cat b.yaml | $c check -", "$c check - < b.yaml" };
    for (int i = 0; i < 2; i++) {
        said = shell_says(lines[i]);
        assert_int_equal(said.status, 0);
        assert_memory_equal(said.out, "<stdin>: no errors\n\nbodies:", 27);
        forget(&said);
    }
    said = shell_says("echo 'carom: 2' | $c check -");
    assert_int_equal(said.status, 2);
    assert_memory_equal(said.err, "<stdin>:1:1: error: ", 20);
    forget(&said);
    said = shell_says("cat b.yaml | $c run - --end 0.1 -o from_pipe.carom");
    assert_int_equal(said.status, 0);
    assert_memory_equal(said.out, "from_pipe: completed at 100 ms", 30);
    forget(&said);
    expect("csv from_pipe", 0, "wrote from_pipe.csv: 21 rows of *\n", "");
    said = shell_says("cat b.yaml | $c run -");
    assert_int_equal(said.status, 2);
    assert_string_equal(said.err, "carom: error: a model from standard input has no name for its results: "
                        "give one with -o FILE\n");
    forget(&said);
    said = shell_says("$c check - < .");
    assert_int_equal(said.status, 2);
    assert_string_equal(said.err, "carom: error: standard input: is a directory, expected a model file\n");
    forget(&said);
    said = shell_says("$c check - < /dev/zero");
    assert_int_equal(said.status, 2);
    assert_string_equal(said.err, "carom: error: standard input: grew above the limit of 16 MiB\n");
    forget(&said);
}

static void errors_stand_at_their_place_in_the_file(void **state)
{
    (void)state;
    write_text("bad.yaml", "carom: 1\n"
                           "bodies:\n"
                           "  ball: {material: steel, mass: -2 kg, shape: {sphere: {radius: 1 m}}}\n"
                           "  \xc3\xa4pfel: {material: steel}\n");
    Said said = carom_says("check bad.yaml");
    assert_int_equal(said.status, 2);
    assert_string_equal(said.out, "");
    const char *mass = strstr(said.err, "bad.yaml:3:");
    assert_non_null(mass);
    expect_start("stderr", "check bad.yaml", "bad.yaml:3:*: error: *-2 kg*", mass, strcspn(mass, "\n"));
    // The caret stands below what is wrong.
    const char *line = strstr(mass, "    3 |   ball:"), *caret = strchr(strchr(line, '\n') + 1, '^');
    assert_non_null(line);
    const char *below = strchr(line, '\n') + 1;
    assert_true(strncmp(line + (caret - below), "-2 kg", 5) == 0 || strncmp(line + (caret - below), "mass", 4) == 0);
    assert_non_null(strstr(said.err, "errors\n"));
    forget(&said);
}

static void files_that_cannot_be_read_are_wrong_usage(void **state)
{
    (void)state;
    expect("check nothing.yaml", 2, "", "carom: error: nothing.yaml: *No such file or directory*\n");
    expect("run nothing.yaml", 2, "", "carom: error: nothing.yaml: *No such file or directory*\n");
    expect("check .", 2, "", "carom: error: .: *directory*\n");
    expect("view nothing", 2, "", "carom: error: there is no file 'nothing', 'nothing.carom' or 'nothing.yaml'\n");
    expect("csv nothing", 2, "", "carom: error: nothing: cannot open it: No such file or directory\n");
    write_text("x.carom", "hello\n");
    expect("view x.carom", 2, "", "carom: error: x.carom: not a results file of carom\n");
    expect("csv x", 2, "", "carom: error: x.carom: not a results file of carom\n");
}

static void set_changes_the_model_and_says_what_is_wrong_with_it(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    said = carom_says("check b.yaml --set simulate.until=30 --set 'bodies.ball.shape={sphere: {radius: 10 mm}}'");
    assert_string_equal(said.err, "");
    assert_non_null(strstr(said.out, "until 30 s"));
    assert_non_null(strstr(said.out, "sphere of radius 10 mm"));
    forget(&said);
    expect("check b.yaml --set simulate.untill=3", 2, "", "--set *until*\n");
    expect("run b.yaml --end -3", 2, "", "--set simulate.until*-3*\n");
    expect("run b.yaml --end soon", 2, "", "--set simulate.until*soon*\n");
}

static void bodies_that_start_inside_each_other_are_errors(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    expect("run b.yaml --set bodies.ball.position=[0,0,0]", 2, "", "--set bodies.ball.position: error: *\n");
    // check prints the model all the same
    Said wrong = carom_says("check b.yaml --set bodies.ball.position.z=0");
    assert_int_equal(wrong.status, 2);
    assert_non_null(strstr(wrong.out, "masses\n  ball"));
    assert_non_null(strstr(wrong.err, "--set bodies.ball.position.z: error: "));
    forget(&wrong);
    wrong = carom_says("check b.yaml --set 'bodies.ball.shape.sphere.radius=5 m'");
    assert_int_equal(wrong.status, 2);
    assert_non_null(strstr(wrong.err, "b.yaml:"));
    forget(&wrong);
    assert_int_not_equal(access("b.carom", F_OK), 0);
}

static void warnings_stand_at_their_place_and_do_not_stop(void **state)
{
    (void)state;
    write_text("lid.yaml", "carom: 1\n"
               "bodies:\n"
               "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
               "  lid: {material: steel, mass: 1, inertia: [1, 1, 1], shape: {half-space: {}}, position: [0, 0, 1]}\n");
    Said said = carom_says("check lid.yaml");
    assert_int_equal(said.status, 0);
    expect_text("stderr", "check", "lid.yaml:4:55: warning: two half-spaces never touch each other: *'floor'; "
                "use a box\n*\n*^\n", said.err);
    assert_memory_equal(said.out, "lid.yaml: no errors\n", 20);
    forget(&said);
}

static void run_prints_a_summary_and_writes_results(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    said = carom_says("run b.yaml --csv b.csv");
    assert_int_equal(said.status, 0);
    expect_text("stderr", "run", "", said.err);
    expect_start("stdout", "run", "b: completed at 2 s, in * (* x real time)\n"
                                 "\n"
                                 "  method   *, tolerance 1e-06\n"
                                 "  steps    *, * rejected, * evaluations*\n"
                                 "  events   * touches, * separations\n"
                                 "  depth    * at most, plate - ball\n"
                                 "\n"
                                 "* impacts: restitution e that was asked for and that the motion shows\n"
                                 "          at  pair *approach  e asked  e measured *duration *depth\n"
                                 "  0.302", said.out, (size_t)(strstr(said.out, "  0.302") + 7 - said.out));
    const char *lines[] = {
        "\n  energy ", "\n  kinetic ", "\n  potential ", "\n  elastic, in contacts ", "\n  lost to damping ",
        "\n  lost to friction ", "\n  lost to rolling ", "\n  imbalance ", "\n\n  results  b.carom, ",
        "\n  table    b.csv\n  next     carom view b.carom\n"
    };
    for (size_t i = 0; i < sizeof lines/sizeof *lines; i++)
        if (!strstr(said.out, lines[i])) fail_msg("missing: %s", lines[i]);
    forget(&said);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open("b.carom", &results, &err), CAROM_OK);
    assert_true(carom_results_is_complete(results));
    assert_true(carom_results_row_count(results) > 400);
    assert_non_null(strstr(carom_results_end(results), "\"verdict\":\"completed\""));
    carom_results_close(results);
    char *csv = read_text("b.csv");
    assert_memory_equal(csv, "time [s],sample,bodies.ball.position.x [m],", 43);
    free(csv);
}

// Longer than the names inside a model may be.
static void commands_to_try_are_quoted_for_the_shell(void **state)
{
    (void)state;
    expect("new 'my ball.yaml'", 0, "wrote my ball.yaml\nnext: carom run 'my ball.yaml'\n", "");
    Said said = carom_says("run 'my ball.yaml' --end 0.1");
    assert_int_equal(said.status, 0);
    assert_non_null(strstr(said.out, "\n  next     carom view 'my ball.carom'\n"));
    forget(&said);
    struct timespec later[2] = { { time(NULL) + 100, 0 }, { time(NULL) + 100, 0 } };
    assert_int_equal(utimensat(AT_FDCWD, "my ball.yaml", later, 0), 0);
    expect("view 'my ball.yaml'", 0, "wrote my ball.html (*B), from my ball.carom\nnext: open it in a browser\n",
           "carom: warning: my ball.yaml is newer than my ball.carom; to show the new model: "
           "carom run 'my ball.yaml'\n");
    expect("new ./-x.yaml", 0, "wrote ./-x.yaml\nnext: carom run ./-x.yaml\n", "");
    expect("new -- -x.yaml", 2, "", "carom: error: -x.yaml: exists already; --force replaces it\n");
}

static void names_of_files_are_kept_in_full(void **state)
{
    (void)state;
    char name[201], line[700], out[700];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(line, sizeof line, "new %s.yaml", name);
    Said said = carom_says(line);
    forget(&said);
    snprintf(line, sizeof line, "run %s.yaml --end 0.01 -q", name);
    expect(line, 0, "", "");
    snprintf(line, sizeof line, "%s.carom", name);
    assert_int_equal(access(line, F_OK), 0);
    snprintf(line, sizeof line, "csv %s", name);
    snprintf(out, sizeof out, "wrote %s.csv: *\n", name);
    expect(line, 0, out, "");
    snprintf(line, sizeof line, "view %s", name);
    snprintf(out, sizeof out, "wrote %s.html (*B), from %s.carom\nnext: *\n", name, name);
    expect(line, 0, out, "");
}

// Whoever makes or reads results that lack something says so.
static void what_is_left_out_is_said(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    said = carom_says("run b.yaml --set 'simulate.results=50 kB'");
    assert_int_equal(said.status, 0);
    expect_text("stderr", "run",
                "carom: warning: samples every * until * are more than half of the 50 kB that results may have "
                "(simulate.results):\n"
                "       every *th of them is kept; choose a longer simulate.every, or --set simulate.results='* kB'\n"
                "carom: warning: results are kept within 50 kB (simulate.results): left out are * samples of the "
                "output grid, * samples at events and inside contacts, * events\n", said.err);
    assert_non_null(strstr(said.out, "\n  left out "));
    forget(&said);
    caromResultsSurvey survey;
    caromError err;
    assert_int_equal(carom_results_survey("b.carom", &survey, &err), CAROM_OK);
    assert_true(survey.left_out.samples > 100 && survey.left_out.steps > 100);
    const char *lack = "carom: warning: b.carom: its run left out * samples of the output grid, * samples at events "
                       "and inside contacts, * events, to keep it within simulate.results\n";
    expect("csv b", 0, "wrote b.csv: *\n", lack);
    expect("view b.carom", 0, "wrote b.html (*B), from b.carom\nnext: open it in a browser\n", lack);
}

static void run_that_fails_says_why_and_keeps_what_it_has(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    // Falls into the plate as if it were water.
    said = carom_says("run b.yaml --set 'materials.bumper.E=1 mPa' --set contact.too_deep=error");
    assert_int_equal(said.status, 1);
    expect_text("stderr", "run", "carom: error: at 0.* s plate - ball overlap by *: make it stiffer (E *\n"
                                 "carom: stopped at * ms; what was computed until then is in b.carom\n", said.err);
    assert_memory_equal(said.out, "b: failed at ", 13);
    forget(&said);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open("b.carom", &results, &err), CAROM_OK);
    assert_true(carom_results_row_count(results) > 50);
    assert_non_null(strstr(carom_results_end(results), "{\"verdict\":\"failed\",\"message\":\"at 0."));
    carom_results_close(results);
    said = carom_says("run b.yaml --set 'materials.bumper.E=1 mPa'");  // and is turned back before it has passed
    assert_int_equal(said.status, 0);
    expect_text("stderr", "run", "carom: warning: plate - ball overlap by up to * mm at * ms, * % of the thickness: "
                                 "more than the contact law stands for;\n *make it stiffer (E *\n", said.err);
    forget(&said);
}

// 1e16 m up energies are known to some joules, and what is lost on the way is as much as what moves.
static void run_whose_energy_is_not_that_of_the_motion_has_failed(void **state)
{
    (void)state;
    write_text("far.yaml", "carom: 1\nname: far\n"
                           "bodies: {b: {material: steel, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1e16]}}\n"
                           "simulate: {until: 1, tolerance: 1e-6, every: 10 ms}\n");
    Said said = carom_says("run far.yaml -o g.carom");
    assert_int_equal(said.status, 1);
    expect_text("stderr", "run", "carom: error: the energy balance is off by up to * J, * of the reference energy: "
                "do not trust this motion; *\n"
                "carom: it went on to the end; what was computed is in g.carom\n", said.err);
    assert_memory_equal(said.out, "far: failed at ", 15);
    forget(&said);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open("g.carom", &results, &err), CAROM_OK);
    assert_true(carom_results_row_count(results) > 50);
    assert_non_null(strstr(carom_results_end(results),
                           "{\"verdict\":\"failed\",\"message\":\"the energy balance is off"));
    carom_results_close(results);
}

static void same_run_gives_the_same_bytes(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    expect("run b.yaml --quiet -o one.carom --end 0.5", 0, "", "");
    expect("run -q --end '500 ms' b.yaml --output=two.carom --set simulate.until=1", 0, "", "");
    assert_int_equal(system("cmp -s one.carom two.carom"), 256);  // the overrides differ, and are in the file
    expect("run b.yaml -q -otwo.carom --end 0.5", 0, "", "");
    assert_int_equal(system("cmp one.carom two.carom"), 0);
}

static void output_goes_where_it_may(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    write_text("other.yaml", "precious\n");
    expect("run b.yaml -o other.yaml", 2, "",
           "carom: error: other.yaml: exists and is not a results file; remove it or choose another name with -o\n");
    expect("run b.yaml -o b.yaml", 2, "", "carom: error: b.yaml: exists and is not a results file; remove it or choose "
           "another name with -o\n");
    expect("run b.yaml --csv b.yaml", 2, "", "carom: error: b.yaml: that would replace what is read; "
           "choose another name\n");
    expect("run b.yaml -o no/such/x.carom", 2, "", "carom: error: no/such/x.carom: cannot create it: "
           "No such file or directory\n");
    expect("run b.yaml -o /dev/full", 2, "", "carom: error: /dev/full: cannot write more than the first 0 bytes: "
           "No space left on device\n");
    expect("run b.yaml --end 0.1 -q", 0, "", "");
    expect("run b.yaml --end 0.1 -q", 0, "", "");  // its own results it may replace
    expect("csv b.carom -o b.carom", 2, "", "carom: error: b.carom: that would replace what is read; "
           "choose another name\n");
    expect("view b.carom -o b.carom", 2, "", "carom: error: b.carom: that would replace what is read; "
           "choose another name\n");
    expect("view b.carom -o no/such/x.html", 2, "", "carom: error: no/such/x.html: cannot create it: "
           "No such file or directory\n");
    expect("csv b.carom -o no/such/x.csv", 2, "", "carom: error: no/such/x.csv: cannot create it: "
           "No such file or directory\n");
    expect("csv b.carom -o .", 2, "", "carom: error: .: cannot create it: Is a directory\n");
    expect("run b.yaml -o b.yaml/x.carom", 2, "", "carom: error: b.yaml/x.carom: cannot create it: Not a directory\n");
    expect("run b.yaml -o new.carom --csv no/such/x.csv", 2, "", "carom: error: no/such/x.csv: cannot create it: "
           "No such file or directory\n");
    assert_int_not_equal(access("new.carom", F_OK), 0);  // found before the simulation
    expect("csv b.carom -o /dev/full", 1, "", "carom: error: /dev/full: cannot write more than the first 0 bytes: "
           "No space left on device\n");
    said = finish_carom(start_carom("--version", "/dev/full"));
    assert_int_equal(said.status, 1);
    forget(&said);
}

// A command that waits for a reader is ended by the alarm, and the test with it.
static void pipe_that_nobody_reads_is_refused_at_once(void **state)
{
    (void)state;
    expect("new b.yaml", 0, "*\n*\n", "");
    expect("run b.yaml --end 0.1 -q --csv b.csv", 0, "", "");
    assert_int_equal(mkfifo("p.fifo", 0600), 0);
    alarm(60);
    const char *refusal = "carom: error: p.fifo: is a pipe that nobody reads; start its reader first or choose "
                          "the name of a file\n";
    expect("run b.yaml -o p.fifo", 2, "", refusal);
    expect("run b.yaml -q --end 0.1 --csv p.fifo", 1, "", refusal);  // the results are there
    expect("csv b.carom", 0, "wrote b.csv: 21 rows of 25 columns\n", "");
    expect("csv b.carom -o p.fifo", 1, "", refusal);
    expect("view b.carom -o p.fifo", 1, "", refusal);
    expect("new -f p.fifo", 2, "", "carom: error: p.fifo: cannot create it: a pipe that nobody reads\n");
    expect("view p.fifo", 2, "", "carom: error: p.fifo: is not a regular file, expected a model file\n");
    expect("csv p.fifo -o x.csv", 2, "", "carom: error: p.fifo: not a regular file\n");
    expect("mesh p.fifo", 2, "",
           "carom: error: p.fifo: is not a regular file, expected a mesh file, STL, OBJ, PLY, glTF or 3MF\n");
    expect("run b.yaml -q --end 0.1 -o /dev/null", 0, "", "");
    alarm(0);
}

static void pipe_that_is_read_gets_everything(void **state)
{
    (void)state;
    expect("new b.yaml", 0, "*\n*\n", "");
    expect("run b.yaml --end 1 -q --csv b.csv", 0, "", "");
    assert_int_equal(mkfifo("p.fifo", 0600), 0);
    static const char *const writers[][2] = {
        { "run b.yaml --end 1 -q -o p.fifo", "b.carom" }, { "csv b.carom -o p.fifo", "b.csv" },
        { "run b.yaml --end 1 -q -o c.carom --csv p.fifo", "b.csv" },
    };
    alarm(60);
    for (size_t i = 0; i < sizeof writers/sizeof *writers; i++) {
        char line[256];
        // The shell opens the pipe too, and so waits for the reader; the command need not.
        snprintf(line, sizeof line, "cat p.fifo > got & exec 4>p.fifo; $c %s 4>&-; s=$?; exec 4>&-;"
                 " wait; cmp got %s && exit $s", writers[i][0], writers[i][1]);
        Said said = shell_says(line);
        assert_string_equal(said.err, "");
        assert_int_equal(said.status, 0);
        forget(&said);
    }
    alarm(0);
}

static void expect_contents(const char *path, const char *text)
{
    char *found = read_text(path);
    assert_string_equal(found, text);
    free(found);
}

// What was there stays, byte for byte.
static void tables_and_pages_replace_only_their_like(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    write_text("other.yaml", "precious\n");
    write_text("notes.csv", "x,y\n1,2\n");
    write_text("empty.csv", "");
    const char *not_a_table = "carom: error: *: exists and is not a table of carom; remove it or choose another name\n";
    const char *not_a_page = "carom: error: *: exists and is not an HTML page; remove it or choose another "
                             "name with -o\n";
    expect("run b.yaml --csv other.yaml", 2, "", not_a_table);
    expect("run b.yaml --csv notes.csv", 2, "", not_a_table);
    assert_int_not_equal(access("b.carom", F_OK), 0);  // nothing was begun
    expect("run b.yaml -q --end 0.1 --csv empty.csv", 0, "", "");
    expect("run b.yaml -q --end 0.1 --csv empty.csv", 0, "", "");  // its own
    expect("run b.yaml -q -o c.carom --csv b.carom", 2, "", not_a_table);
    expect("csv b -o other.yaml", 2, "", not_a_table);
    expect("csv b -o notes.csv", 2, "", not_a_table);
    expect("view b.carom -o other.yaml", 2, "", not_a_page);
    expect("view b.carom -o notes.csv", 2, "", not_a_page);
    expect("view b.carom -o empty.csv", 2, "", not_a_page);
    expect_contents("other.yaml", "precious\n");
    expect_contents("notes.csv", "x,y\n1,2\n");
    write_text("page.html", "<!DOCTYPE html><p>");
    expect("view b.carom -o page.html", 0, "wrote page.html (*B), from b.carom\nnext: *\n", "");
}

static void results_and_table_are_two_files(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    const char *same = "carom: error: *: the table would replace the results; choose another name for one of them\n";
    expect("run b.yaml -o r.carom --csv r.carom", 2, "", same);
    expect("run b.yaml -o r.carom --csv ./r.carom", 2, "", same);
    expect("run b.yaml --csv b.carom", 2, "", same);
    assert_int_not_equal(access("r.carom", F_OK), 0);
    assert_int_equal(symlink(".", "here"), 0);
    expect("run b.yaml -o r.carom --csv here/r.carom", 2, "", same);
    write_text("r.carom", "");
    assert_int_equal(link("r.carom", "l.carom"), 0);
    expect("run b.yaml -o r.carom --csv l.carom", 2, "", same);
    assert_int_equal(link("b.yaml", "l.yaml"), 0);
    expect("run b.yaml --csv l.yaml", 2, "", "carom: error: l.yaml: that would replace what is read; "
           "choose another name\n");
    expect("run b.yaml -q --end 0.1 --csv r.csv -o r.carom", 0, "", "");
}

static void table_on_standard_output_is_alone_there(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    said = carom_says("run b.yaml --end 0.1 --csv -");
    assert_int_equal(said.status, 0);
    Said table = carom_says("csv b.carom -o -");
    assert_string_equal(said.out, table.out);
    assert_memory_equal(said.err, "b: completed at 100 ms", 22);
    assert_non_null(strstr(said.err, "\n  next     carom view b.carom\n"));
    assert_null(strstr(said.err, "\n  table "));
    forget(&said);
    expect("run b.yaml --end 0.1 --csv - -q", 0, table.out, "");
    forget(&table);
    expect("run b.yaml -o -", 2, "", "carom: error: a results file cannot go to standard output; "
           "choose a name with -o\n");
    expect("view b.carom -o -", 2, "", "carom: error: an HTML page cannot go to standard output; "
           "choose a name with -o\n");
}

static void table_that_failed_is_not_in_the_summary(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    said = carom_says("run b.yaml --end 0.1 --csv /dev/full");
    assert_int_equal(said.status, 1);
    expect_text("stderr", "run", "carom: error: /dev/full: cannot write more than the first 0 bytes: "
                "No space left on device\n", said.err);
    assert_non_null(strstr(said.out, "\n  results  b.carom, "));
    assert_null(strstr(said.out, "\n  table "));
    forget(&said);
}

#define INCOMPLETE \
    "carom: warning: b.carom: incomplete: its run was cut off or still goes on, or the file is damaged; " \
    "what could be read "
#define CUT_OFF INCOMPLETE "is * rows until * ms, 5.* kB of 6 kB\n"

static off_t size_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static bool is_head_only(const char *path)
{
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    bool is_so = carom_results_row_count(results) == 0;
    carom_results_close(results);
    return is_so;
}

static void csv_has_its_file_and_standard_output(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    expect("run b.yaml --end 0.1 -q", 0, "", "");
    expect("csv b", 0, "wrote b.csv: 21 rows of 25 columns\n", "");
    expect("csv b.carom -o t.csv", 0, "wrote t.csv: 21 rows of 25 columns\n", "");
    said = carom_says("csv b.carom -o -");
    char *text = read_text("t.csv");
    assert_string_equal(said.out, text);
    free(text);
    forget(&said);
    assert_int_equal(truncate("b.carom", 6000), 0);
    expect("csv b.carom", 0, "wrote b.csv: * rows of 25 columns\n", CUT_OFF);
}

static void view_makes_a_page_of_results_model_or_name(void **state)
{
    (void)state;
    Said said = carom_says("new b.yaml");
    forget(&said);
    said = carom_says("view b");  // no results yet: it simulates
    assert_int_equal(said.status, 0);
    assert_string_equal(said.err, "");
    assert_non_null(strstr(said.out, "b: completed at 2 s"));
    assert_non_null(strstr(said.out, "wrote b.html ("));
    assert_null(strstr(said.out, "carom view"));
    forget(&said);
    const char *page = "wrote b.html (*B), from b.carom\nnext: open it in a browser\n";
    expect("view b", 0, page, "");
    expect("view b.yaml", 0, page, "");
    expect("view b.carom", 0, page, "");
    expect("view b -o p.html", 0, "wrote p.html (*B), from b.carom\nnext: open it in a browser\n", "");
    char *text = read_text("p.html");
    assert_non_null(strstr(text, "Y2Fyb20gcmVzdWx0cyAxC"));  // "carom results 1\n" in base64
    free(text);
    struct timespec later[2] = { { time(NULL) + 100, 0 }, { time(NULL) + 100, 0 } };
    assert_int_equal(utimensat(AT_FDCWD, "b.yaml", later, 0), 0);
    expect("view b.yaml", 0, page, "carom: warning: b.yaml is newer than b.carom; to show the new model: "
           "carom run b.yaml\n");
    assert_int_equal(truncate("b.carom", 6000), 0);
    expect("view b.carom", 0, page, CUT_OFF);
}

static void file_without_its_end_is_told_how_far_it_goes(void **state)
{
    (void)state;
    const char *page = "wrote b.html (*B), from b.carom\nnext: open it in a browser\n";
    expect("new b.yaml", 0, "*\n*\n", "");
    expect("run b.yaml --end 0.1 -q", 0, "", "");
    off_t end = size_of("b.carom");
    assert_int_equal(truncate("b.carom", end - 1), 0);  // all but the last frame
    expect("csv b.carom", 0, "wrote b.csv: 21 rows of 25 columns\n", INCOMPLETE "is 21 rows until 100 ms, * of *B\n");
    expect("view b.carom", 0, page, INCOMPLETE "is 21 rows until 100 ms, * of *B\n");
    char *table = read_text("b.csv");
    assert_non_null(strstr(table, "\n0.1,"));
    free(table);
    int fd = open("b.carom", O_WRONLY);  // a wrong byte behind the head
    assert_int_equal(pwrite(fd, "\377", 1, end/2), 1);
    close(fd);
    expect("csv b.carom", 0, "wrote b.csv: * rows of 25 columns\n", INCOMPLETE "is * rows*, * of *B\n");
    while (size_of("b.carom") > 100 && !is_head_only("b.carom"))
        assert_int_equal(truncate("b.carom", size_of("b.carom") - 200), 0);
    expect("csv b.carom", 0, "wrote b.csv: 0 rows of 25 columns\n", INCOMPLETE "is 0 rows, * of *B\n");
    expect("view b.carom", 0, page, INCOMPLETE "is 0 rows, * of *B\n");
    assert_int_equal(truncate("b.carom", 40), 0);
    const char *nothing = "carom: error: b.carom: nothing to read: the run was stopped before its first output, or the "
                          "file is damaged\n";
    expect("csv b.carom", 2, "", nothing);
    expect("view b.carom", 2, "", nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(help_is_made_from_the_table),
        CLI_TEST(help_is_the_same_both_ways),
        CLI_TEST(wrong_usage_is_said_with_a_suggestion),
        CLI_TEST(new_writes_a_model_that_is_right),
        CLI_TEST(pendulum_has_joints_a_spring_and_stops),
        CLI_TEST(new_does_not_replace_a_file_unasked),
        CLI_TEST(model_may_come_from_standard_input),
        CLI_TEST(errors_stand_at_their_place_in_the_file),
        CLI_TEST(files_that_cannot_be_read_are_wrong_usage),
        CLI_TEST(set_changes_the_model_and_says_what_is_wrong_with_it),
        CLI_TEST(bodies_that_start_inside_each_other_are_errors),
        CLI_TEST(warnings_stand_at_their_place_and_do_not_stop),
        CLI_TEST(run_prints_a_summary_and_writes_results),
        CLI_TEST(commands_to_try_are_quoted_for_the_shell),
        CLI_TEST(names_of_files_are_kept_in_full),
        CLI_TEST(what_is_left_out_is_said),
        CLI_TEST(run_that_fails_says_why_and_keeps_what_it_has),
        CLI_TEST(run_whose_energy_is_not_that_of_the_motion_has_failed),
        CLI_TEST(same_run_gives_the_same_bytes),
        CLI_TEST(output_goes_where_it_may),
        CLI_TEST(pipe_that_nobody_reads_is_refused_at_once),
        CLI_TEST(pipe_that_is_read_gets_everything),
        CLI_TEST(tables_and_pages_replace_only_their_like),
        CLI_TEST(results_and_table_are_two_files),
        CLI_TEST(table_on_standard_output_is_alone_there),
        CLI_TEST(table_that_failed_is_not_in_the_summary),
        CLI_TEST(csv_has_its_file_and_standard_output),
        CLI_TEST(view_makes_a_page_of_results_model_or_name),
        CLI_TEST(file_without_its_end_is_told_how_far_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
