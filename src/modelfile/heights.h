// Height fields: grids of heights from files, and the shapes made of them.
#ifndef CAROM_SRC_HEIGHTS_H
#define CAROM_SRC_HEIGHTS_H

#include "modelfile/meshfile.h"
#include "modelfile/modelfile.h"

// heights.c: a file of numbers or a picture -> a grid, row by row. Values of a picture are 0 (black) to 1 (white).
// False: failed, and said so in err; free() heights->h.
bool carom_modelfile_heights_parse(const char *bytes, size_t length, const char *name, caromHeights *heights,
                                   caromError *err);
bool carom_modelfile_heights_read(const char *path, caromHeights *heights, caromError *err);

// A reader takes a file whose start is its own, and fills the grid.
typedef struct caromHeightsReader {
    bool (*is_mine)(const caromMeshDraft *file);
    bool (*read)(caromMeshDraft *file, caromHeights *heights);
} caromHeightsReader;
extern const caromHeightsReader carom_modelfile_heights_pgm, carom_modelfile_heights_png,
    carom_modelfile_heights_csv;
// Room for nx by ny; false: too many, or no memory, which was told.
bool carom_modelfile_heights_make(caromMeshDraft *file, int64_t nx, int64_t ny, caromHeights *heights);

#endif
