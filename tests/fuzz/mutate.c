// A deterministic mutation driver for places without libFuzzer: changes model and mesh files in the ways that people
// and accidents do, and reads them in this process by fuzz_modelfile.c or fuzz_mesh.c. Run it under sanitizers.
//
//     mutate_NAME SEED COUNT FIRST FILE-OR-FOLDER ...
//
// Every mutation depends on SEED and its number only; a failure prints the number, and COUNT 1 FIRST number repeats it.
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "modelfile/modelfile.h"

#define SECONDS_MAX 5.0
#define MEGABYTES_MAX 1024L  // of the whole process; a sanitizer keeps 256 of freed memory
#define INPUT_MAX (1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern long fuzz_accepted;
const char *fuzz_word(int i);  // what is spliced in; NULL behind the last
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

typedef struct Input { char *text; size_t length; } Input;
static Input corpus[1000];
static int ncorpus;
static int group[64], ngroup;  // first file of each argument: arguments have equal chances, however many files they are
static long current;  // mutation, for the message when it dies

// ---- random numbers

typedef struct Random { uint64_t state; } Random;

static uint64_t next(Random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state*2685821657736338717ULL;
}

static size_t below(Random *r, size_t n)
{
    return n ? (size_t)(next(r) >> 33) % n : 0;
}

// ---- what is spliced in

static const char *random_word(Random *r)
{
    int n = 0;
    while (fuzz_word(n)) n++;
    return fuzz_word((int)below(r, (size_t)n));
}

// ---- mutations, in place in a buffer of INPUT_MAX bytes

static void remove_bytes(Input *in, size_t at, size_t n)
{
    if (at > in->length) return;
    if (n > in->length - at) n = in->length - at;
    memmove(in->text + at, in->text + at + n, in->length - at - n);
    in->length -= n;
}

static void insert_bytes(Input *in, size_t at, const char *bytes, size_t n)
{
    if (in->length + n > INPUT_MAX || at > in->length) return;
    memmove(in->text + at + n, in->text + at, in->length - at);
    memmove(in->text + at, bytes, n);
    in->length += n;
}

static void line_at(const Input *in, size_t at, size_t *start, size_t *n)
{
    *start = at;
    while (*start > 0 && in->text[*start - 1] != '\n') --*start;
    size_t end = at;
    while (end < in->length && in->text[end] != '\n') end++;
    *n = end - *start + (end < in->length);
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

static void replace_word(Input *in, size_t at, const char *word)
{
    size_t end = at;
    while (at > 0 && is_word_byte(in->text[at - 1])) at--;
    while (end < in->length && is_word_byte(in->text[end])) end++;
    remove_bytes(in, at, end - at);
    insert_bytes(in, at, word, strlen(word));
}

static void duplicate_line(Random *r, Input *in, size_t at)
{
    size_t start, n;
    static char line[INPUT_MAX];
    line_at(in, at, &start, &n);
    memcpy(line, in->text + start, n);
    size_t to, unused;
    line_at(in, below(r, in->length + 1), &to, &unused);
    insert_bytes(in, to, line, n);
}

static void splice_other_file(Random *r, Input *in, size_t at)
{
    const Input *other = &corpus[below(r, (size_t)ncorpus)];
    size_t from = below(r, other->length + 1), n = below(r, 200);
    if (n > other->length - from) n = other->length - from;
    insert_bytes(in, at, other->text + from, n);
}

// Often still a model: gets past the reader.
static void change_digit(Random *r, Input *in, size_t at)
{
    while (at < in->length && !(in->text[at] >= '0' && in->text[at] <= '9')) at++;
    if (at < in->length) in->text[at] = "0123456789e.-"[below(r, 13)];
}

static const Input *choose(Random *r)
{
    size_t g = below(r, (size_t)ngroup);
    int first = group[g], end = g + 1 < (size_t)ngroup ? group[g + 1] : ncorpus;
    return &corpus[first + (int)below(r, (size_t)(end - first))];
}

static void mutate(Random *r, Input *in)
{
    size_t at = below(r, in->length + 1), start, n;
    const char *word = random_word(r);
    switch (below(r, 20)) {
    case 0: if (at < in->length) in->text[at] ^= (char)(1 << below(r, 8)); break;
    case 1: if (at < in->length) in->text[at] = (char)below(r, 256); break;
    case 2: remove_bytes(in, at, 1 + below(r, 4)); break;
    case 3: insert_bytes(in, at, word, strlen(word)); break;
    case 4:
    case 5:
    case 6: replace_word(in, at, word); break;
    case 7: duplicate_line(r, in, at); break;
    case 8: line_at(in, at, &start, &n); remove_bytes(in, start, n); break;
    case 9: line_at(in, at, &start, &n); insert_bytes(in, start, "        ", below(r, 8)); break;
    case 10: line_at(in, at, &start, &n); remove_bytes(in, start, below(r, 4)); break;
    case 11: in->length = at; break;
    case 12: splice_other_file(r, in, at); break;
    case 13: remove_bytes(in, at, below(r, 40)); break;
    default: change_digit(r, in, at); break;
    }
}

// ---- corpus

static void load_file(const char *path)
{
    caromError err;
    Input *in = &corpus[ncorpus];
    if (ncorpus == 1000 || carom_modelfile_load(path, &in->text, &in->length, &err) != CAROM_OK) return;
    if (in->length < INPUT_MAX) ncorpus++;
    else free(in->text);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Names are sorted: the order of a folder differs between machines. What is expected of a file is none.
static void load(const char *path)
{
    static char names[1000][256];
    size_t n = 0;
    DIR *folder = opendir(path);
    if (!folder) {
        load_file(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) && n < 1000;) {
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] != '.' && length < 250 && !strstr(entry->d_name, ".expected"))
            strcpy(names[n++], entry->d_name);
    }
    closedir(folder);
    qsort(names, n, sizeof names[0], compare_names);
    for (size_t i = 0; i < n; i++) {
        char full[1024];
        snprintf(full, sizeof full, "%.700s/%.255s", path, names[i]);
        load_file(full);
    }
}

// ---- run

static double cpu_seconds(void)
{
    return (double)clock()/CLOCKS_PER_SEC;
}

static long peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss/1024 : 0;
}

static void say_where(void)
{
    fprintf(stderr, "in mutation %ld\n", current);
}

// The text ends where its memory ends, so that a sanitizer sees a read beyond it.
static double run_one(uint64_t seed, long i, char *buffer)
{
    Random r = { (seed*0x9E3779B97F4A7C15ULL ^ ((uint64_t)i + 1)*0xD1B54A32D192ED03ULL) | 1 };
    next(&r);
    const Input *origin = choose(&r);
    Input in = { buffer, origin->length };
    memcpy(buffer, origin->text, origin->length);
    for (size_t k = 1 + below(&r, 3)*below(&r, 4); k > 0; k--) mutate(&r, &in);
    uint8_t *exact = malloc(in.length ? in.length : 1);
    if (!exact) abort();
    memcpy(exact, in.text, in.length);
    double start = cpu_seconds();
    LLVMFuzzerTestOneInput(exact, in.length);
    free(exact);
    return cpu_seconds() - start;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: mutate_NAME SEED COUNT FIRST FILE-OR-FOLDER ...\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10);
    long count = strtol(argv[2], NULL, 10), first = strtol(argv[3], NULL, 10);
    for (int i = 4; i < argc && ngroup < 64; i++) {
        int before = ncorpus;
        load(argv[i]);
        if (ncorpus > before) group[ngroup++] = before;
    }
    char *buffer = malloc(INPUT_MAX);
    if (ncorpus == 0 || !buffer) return 2;
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(say_where);
    double start = cpu_seconds(), slowest = 0;
    long slowest_at = first;
    for (current = first; current < first + count; current++) {
        double t = run_one(seed, current, buffer);
        if (t > slowest) slowest = t, slowest_at = current;
    }
    double total = cpu_seconds() - start;
    printf("%ld mutations of %d files, %ld accepted, %.0f/s, slowest %.3f ms (number %ld), peak %ld MB\n", count,
           ncorpus, fuzz_accepted, (double)count/total, 1e3*slowest, slowest_at, peak_megabytes());
    for (int i = 0; i < ncorpus; i++) free(corpus[i].text);
    free(buffer);
    return slowest < SECONDS_MAX && peak_megabytes() < MEGABYTES_MAX ? 0 : 1;
}
