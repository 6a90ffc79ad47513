// Any bytes as a file of heights: libFuzzer's entry, used by mutate.c too.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modelfile/heights.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern long fuzz_accepted;  // inputs that were grids
long fuzz_accepted;
const char *fuzz_word(int i);  // for mutate.c

static const char *const words[] = {
    "P2", "P5", "0", "1", "2", "-1", "255", "256", "65535", "65536", "1000000", "2000", "4294967296", "1e400", "nan",
    "0,5", ",", ";", "\t", "#", "\n", "\r\n", "\r", "\xEF\xBB\xBF", "\\\n", "\x01", "1,2\n3,4\n", "P5 2 2 255\n1234",
};

const char *fuzz_word(int i)
{
    return i < (int)(sizeof words/sizeof words[0]) ? words[i] : NULL;
}

static void require(bool claim, const char *what)
{
    if (claim) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    if (!bytes) return 0;
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    caromError err = { 0 };
    caromHeights heights;
    bool is_good = carom_modelfile_heights_parse(bytes, size, "fuzz", &heights, &err);
    require(is_good == (heights.h != NULL), "a grid if and only if all is well");
    require(is_good || (err.status < 0 && err.where[0] && err.message[0]), "a failure says where and why");
    require(!is_good || (heights.nx >= 2 && heights.ny >= 2 && heights.nx*heights.ny <= CAROM_MESH_HEIGHTS_MAX),
            "a grid has a size");
    for (int i = 0; i < heights.nx*heights.ny; i++) require(isfinite(heights.h[i]), "heights are finite");
    fuzz_accepted += is_good;
    free(heights.h);
    free(bytes);
    return 0;
}
