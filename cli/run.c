#include <signal.h>
#include <string.h>

#include "cli.h"
#include "progress.h"
#include "summary.h"

static volatile sig_atomic_t caught;  // signal that asks to stop, 0: none

static void on_signal(int signal_number)
{
    caught = signal_number;
}

// The first Ctrl-C stops cleanly, a second one at once. What the caller chose to ignore (nohup, a job in the background
// of a script) stays ignored.
static void catch_signals(void)
{
    static const int stoppers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND }, old;
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (size_t i = 0; i < sizeof stoppers/sizeof *stoppers; i++)
        if (sigaction(stoppers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(stoppers[i], &action, NULL);
}

static const char *stopper_name(void)
{
    return caught == SIGINT ? "Ctrl-C" : caught == SIGTERM ? "SIGTERM" : "SIGHUP";
}

typedef struct Run {
    const RunRequest *request;
    const char *results_path;
    Loaded loaded;
    caromWriter *writer;
    caromSink file;  // the writer's
    Record record;
    Progress progress;
    caromSim *sim;
    caromSimStats stats;  // at the end
    double wall;          // [s]
    const char *method;   // at the start
    bool has_warned_of_load;
} Run;

// The sink of a run: everything to the file, a little to the summary. A single step can hold thousands of samples when
// everything rests, so progress and Ctrl-C are looked after here as well as between steps.
static caromStatus on_sample(void *user, const caromSample *sample)
{
    Run *run = user;
    record_sample(&run->record, sample);
    progress_update(&run->progress, sample->time, carom_sim_stats(run->sim));
    caromStatus status = run->file.sample(run->file.user, sample);
    return status == CAROM_OK && caught ? CAROM_STOPPED : status;
}

static caromStatus on_event(void *user, const caromEvent *event)
{
    Run *run = user;
    record_event(&run->record, event);
    return run->file.event(run->file.user, event);
}

// The bar goes first: a warning has lines of its own.
static void warn_early(Run *run)
{
    caromResultsLoad load = carom_results_writer_load(run->writer);
    if (!run->has_warned_of_load && is_too_much(&load)) {
        progress_end(&run->progress);
        warn_of_load(&load);
        run->has_warned_of_load = true;
    }
    progress_warn_if_crawling(&run->progress, carom_sim_stats(run->sim));
}

// A step can be long where the simulation is hard: what was computed before it must not wait for it on its way to the
// disk.
static caromStatus flush_each_second(Run *run, double *flushed, caromError *err)
{
    double now = wall_clock();
    if (now - *flushed < 1) return CAROM_OK;
    *flushed = now;
    warn_early(run);
    return carom_results_writer_flush(run->writer, err);
}

static caromStatus simulate(Run *run, caromError *err)
{
    const caromSimStats *stats = carom_sim_stats(run->sim);
    run->progress = progress_start(carom_model_settings(run->loaded.model)->until, run->request->is_quiet);
    run->method = stats->method;
    double start = wall_clock(), flushed = start;
    caromStatus status = CAROM_OK;
    for (bool done = false; !done && status == CAROM_OK;) {
        status = carom_sim_step(run->sim, &done, err);
        progress_update(&run->progress, stats->time, stats);
        if (status == CAROM_OK) status = flush_each_second(run, &flushed, err);
        if (status == CAROM_OK && caught && !done) status = CAROM_STOPPED;
    }
    progress_end(&run->progress);
    run->wall = wall_clock() - start;
    run->stats = *stats;
    if (status == CAROM_STOPPED) {  // what was delivered counts, not the step that was under way
        run->stats.time = run->record.time;
        run->stats.energy = run->record.end;
    }
    return status;
}

static const char *verdict_of(caromStatus status)
{
    return status == CAROM_OK ? "completed" : status == CAROM_STOPPED ? "interrupted" : "failed";
}

// Closes the file with how it ended. A file that could not be written says so better than the simulation that was
// stopped by it.
static caromStatus finish_file(Run *run, caromStatus status, caromError *err)
{
    caromError file_err;
    const char *message = status == CAROM_OK ? "" : err->message;
    caromStatus written = carom_results_writer_finish(run->writer, verdict_of(status), message, &run->stats, &file_err);
    if (written != CAROM_OK) *err = file_err;
    return written != CAROM_OK ? written : status;
}

static bool write_csv(const Run *run)
{
    caromResultsSurvey survey;
    caromError err;
    caromStatus status = carom_results_survey(run->results_path, &survey, &err);
    if (status == CAROM_OK) status = carom_results_csv_of(run->results_path, &survey, run->request->csv_path, &err);
    if (status != CAROM_OK) complain_of(&err);
    return status == CAROM_OK;
}

static void report(const Run *run, caromStatus status, bool has_table, const caromError *err)
{
    Summary summary = { run->loaded.name, verdict_of(status), run->loaded.model, &run->stats, &run->record, run->wall,
                        run->method };
    caromResultsLoad load = carom_results_writer_load(run->writer);
    char lack[256];
    bool is_thinned = describe_left_out(&load.left_out, lack, sizeof lack);
    bool table_is_here = run->request->csv_path && is_standard(run->request->csv_path);
    FILE *to = table_is_here ? stderr : stdout;  // a table on standard output is all there is on it
    if (!run->request->is_quiet) {
        summary_print(to, &summary);
        fprintf(to, "\n  results  %s, %s\n", run->results_path, si((double)file_size(run->results_path), "B"));
        if (is_thinned) fprintf(to, "  left out %s; simulate.results is %s\n", lack, si(load.budget, "B"));
        if (has_table && !table_is_here) fprintf(to, "  table    %s\n", run->request->csv_path);
        if (!run->request->is_for_view) fprintf(to, "  next     carom view %s\n", shell_word(run->results_path));
    }
    if (is_thinned) warn("results are kept within %s (simulate.results): left out are %s", si(load.budget, "B"), lack);
    if (status == CAROM_OK || status == CAROM_STOPPED) summary_warn(&summary);
    else {
        bool is_at_end = run->stats.time >= carom_model_settings(run->loaded.model)->until;
        complain_of(err);
        if (is_at_end) fprintf(stderr, "carom: it went on to the end; what was computed is in %s\n", run->results_path);
        else
            fprintf(stderr, "carom: stopped at %s; what was computed until then is in %s\n", si(run->stats.time, "s"),
                    run->results_path);
    }
}

static int run_to_the_end(Run *run)
{
    caromError err = { 0 };
    catch_signals();
    caromStatus status = simulate(run, &err);
    if (status == CAROM_STOPPED)
        carom_fail(&err, status, "", "stopped by %s at %.9g s", stopper_name(), run->stats.time);
    if (status == CAROM_OK) status = summary_judge(run->loaded.model, &run->stats, &err);
    status = finish_file(run, status, &err);
    int result = status == CAROM_OK ? DONE : status == CAROM_STOPPED ? 128 + caught : FAILED;
    bool has_table = run->request->csv_path && write_csv(run);
    if (run->request->csv_path && !has_table && result == DONE) result = FAILED;
    report(run, status, has_table, &err);
    return result;
}

// A file that cannot be created is a wrong name: nothing was simulated.
static int fail_to_start(const caromError *err)
{
    complain_of(err);
    return err->status == CAROM_ERR_MODEL || err->status == CAROM_ERR_INPUT ||
           err->status == CAROM_ERR_FILE ? WRONG : FAILED;
}

// Before anything is written or simulated.
static bool may_write_outputs(const Run *run)
{
    const char *csv = run->request->csv_path;
    if (!may_write(run->results_path, A_RESULTS_FILE)) return false;
    if (!csv) return true;
    if (!keeps_input(csv, run->request->model_path) || !may_write(csv, A_TABLE)) return false;
    if (is_standard(csv) || !is_same_file(csv, run->results_path)) return true;
    complain("%s: the table would replace the results; choose another name for one of them", csv);
    return false;
}

static int run_loaded(Run *run)
{
    const Loaded *m = &run->loaded;
    caromError err = { 0 };
    if (!may_write_outputs(run)) return WRONG;
    caromRunSource source = { m->name, m->text, m->overrides, m->noverride };
    caromStatus status = carom_results_writer_create(run->results_path, m->model, &source, &run->writer, &err);
    if (status != CAROM_OK) return fail_to_start(&err);
    run->file = carom_results_writer_sink(run->writer);
    run->record.model = m->model;
    caromResultsLoad load = carom_results_writer_load(run->writer);
    warn_of_grid(m->model, &load);
    caromSink sink = { run, on_sample, on_event };
    int result;
    if (carom_sim_create(m->model, &sink, &run->sim, &err) == CAROM_OK) result = run_to_the_end(run);
    else result = fail_to_start(&err);
    carom_sim_destroy(run->sim);
    carom_results_writer_destroy(run->writer);
    return result;
}

int run_model(const RunRequest *request)
{
    Run run = { .request = request, .results_path = request->results_path };
    char here[FILE_NAME_SIZE + 8];
    int result = WRONG;
    if (is_standard(request->model_path) && !request->results_path) {
        complain("a model from standard input has no name for its results: give one with -o FILE");
        return WRONG;
    }
    if (load_model(&run.loaded, request->model_path, request->overrides, request->noverride, request->end,
                   request->has_gaps)) {
        snprintf(here, sizeof here, "%s.carom", run.loaded.name);
        if (!run.results_path) run.results_path = here;
        if (is_standard(request->model_path)) base_name(run.results_path, run.loaded.name, sizeof run.loaded.name);
        result = run_loaded(&run);
    }
    unload_model(&run.loaded);
    return result;
}

int command_run(const Arguments *arguments)
{
    RunRequest request = {
        .model_path = arguments->operands[0],
        .results_path = option_value(arguments, "output"),
        .csv_path = option_value(arguments, "csv"),
        .end = option_value(arguments, "end"),
        .has_gaps = option_value(arguments, "gaps") != NULL,
        .is_quiet = option_value(arguments, "quiet") != NULL,
    };
    request.overrides = option_values(arguments, "set", &request.noverride);
    return run_model(&request);
}
