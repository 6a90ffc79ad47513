// modelfile.h -- model files in, definitions out.
//
// In:    YAML text with units, and overrides "path=value" as of the command line.
// Out:   a frozen model, or every problem of the file with line, column, what was expected and what to try.
// Promise: bounded memory and time for any input; no input crashes it. The limits are in this header.
// Not here: what is physically right (model.h checks that; its paths are mapped to lines here).
// Start reading at carom_modelfile_read in src/modelfile/read.c. Reference of the format: docs/model-format.md.
#ifndef CAROM_MODELFILE_H
#define CAROM_MODELFILE_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAROM_MODELFILE_BYTES_MAX (16 << 20)  // of a file
#define CAROM_MODELFILE_DEPTH_MAX 32          // nesting
#define CAROM_MODELFILE_NODES_MAX 1000000     // scalars, sequences and mappings

// Reads text of the given length. name appears in no message; the caller prefixes it. overrides are "path=value" (YAML
// values), applied in order before checking; problems with them have line 0 and path "--set PATH".
// Problems come sorted by line and column. On failure *model is NULL.
// No file is opened: a model that names a mesh file is an error here.
CAROM_API caromStatus carom_modelfile_read(const char *text, size_t length, const char *const *overrides, int noverride,
                                           caromProblems *problems, caromModel **model);

// The same for the text of a file: mesh files that it names are read, from the folder of path unless they start with
// '/'. Path "-" and one without folder: the current one; NULL: no file is opened.
typedef struct caromModelText {
    const char *path;
    const char *text;
    size_t length;
    const char *const *overrides;
    int noverride;
} caromModelText;
CAROM_API caromStatus carom_modelfile_read_from(const caromModelText *from, caromProblems *problems,
                                                caromModel **model);

// Gives problems that were found later (bodies that start inside each other, say) the line and column of their path; a
// value that an override brought has the path "--set PATH" instead, as above.
CAROM_API void carom_modelfile_locate(const char *text, size_t length, const char *const *overrides, int noverride,
                                      caromProblems *problems);

// Reads a whole file into memory; *text is the caller's to free(). Refuses directories, devices and files above the
// limit. Path "-": from standard input, which may be a pipe.
CAROM_API caromStatus carom_modelfile_load(const char *path, char **text, size_t *length, caromError *err);

// JSON Schema (draft 7) of the format, for editors; free() it, NULL: out of memory. docs/model.schema.json is this
// text.
CAROM_API char *carom_modelfile_schema(void);

#ifdef __cplusplus
}
#endif

#endif
