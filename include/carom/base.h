// base.h -- how carom says that something went wrong.
//
// In:    nothing; every room includes this one.
// Out:   status codes, an error with a place and a message, a list of problems found in an input, the version.
// Promise: the library never exits, aborts or prints; it returns a status and fills an error that the caller owns.
// Not here: mechanics of any kind.
// Start reading at caromStatus.
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define CAROM_API
#elif defined(CAROM_BUILDING)
#define CAROM_API __attribute__((visibility("default")))
#else
#define CAROM_API
#endif

// > 0: failed at this trial state, a shorter step may succeed (as in SUNDIALS). < 0: final.
typedef enum caromStatus {
    CAROM_OK = 0,
    CAROM_RETRY = 1,        // not evaluable at this trial state; the integrator shortens the step
    CAROM_STOPPED = 2,      // a sink or the user asked to stop; everything computed so far is valid
    CAROM_ERR_INPUT = -1,   // an argument or a definition is wrong
    CAROM_ERR_MODEL = -2,   // the model as a whole cannot be simulated
    CAROM_ERR_FILE = -3,    // a file cannot be read or written
    CAROM_ERR_MEMORY = -4,  // out of memory
    CAROM_ERR_NUMERIC = -5  // the simulation cannot go on: the message has time, step and the part it concerns
} caromStatus;

typedef struct caromError {
    caromStatus status;
    char where[160];    // "bodies.crank.inertia" or "rig.yaml:118:7"
    char message[512];  // what, with which numbers, and what to try
} caromError;

// Fills err (which may be NULL) and returns status, so that a failure is one line: return carom_fail(...).
CAROM_API caromStatus carom_fail(caromError *err, caromStatus status, const char *where, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

CAROM_API const char *carom_status_name(caromStatus status);  // "numeric error", ...

// A problem found in an input, addressed by the path of the thing it concerns ("bodies.ball.mass"). A file reader
// turns the path into a line and a column.
typedef struct caromProblem {
    char *path;
    char *message;
    int line, column;  // 1-based; 0 when the input is not a file
    bool is_warning;
} caromProblem;

typedef struct caromProblems {
    caromProblem *items;
    int count, capacity;
    int errors;      // how many of them are not warnings
    bool truncated;  // more were found than are kept (CAROM_PROBLEMS_MAX), or memory ran out
} caromProblems;

#define CAROM_PROBLEMS_MAX 200

// Zero-initialise a caromProblems to start; carom_problems_free gives its memory back.
CAROM_API void carom_problem_add(caromProblems *list, bool is_warning, const char *path, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
CAROM_API void carom_problems_free(caromProblems *list);

CAROM_API const char *carom_version(void);  // "0.1.0"

#ifdef __cplusplus
}
#endif

#endif
