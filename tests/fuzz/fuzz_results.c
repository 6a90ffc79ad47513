// Any bytes as a results file. Checksums are put right first, or nearly every input would end at the first frame.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "results/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern long fuzz_accepted;  // inputs that were results
long fuzz_accepted;
const char *fuzz_word(int i);  // for mutate.c

static const char *const words[] = { "SAMP", "PTCH", "EVNT", "DONE", "\"pairs\":[{}]", "\"bodies\":[{}]",
                                     "\xff\xff\xff\xff", "\x03\x01\x01\x01", "\x01\x01\xc0\x7f" };

const char *fuzz_word(int i)
{
    return i < (int)(sizeof words/sizeof words[0]) ? words[i] : NULL;
}

static uint32_t length_at(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_checksums_right(unsigned char *bytes, size_t size)
{
    for (size_t at = CAROM_RESULTS_MAGIC_BYTES; size >= at + 12;) {
        size_t n = length_at(bytes + at + 4);
        if (n > size - at - 12) break;
        uint32_t crc = carom_crc32(0, bytes + at, n + 8);
        for (int i = 0; i < 4; i++) bytes[at + 8 + n + (size_t)i] = (unsigned char)(crc >> 8*i);
        at += 12 + n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size ? size : 1);
    if (!bytes) return 0;
    memcpy(bytes, data, size);
    if (size > 0 && data[size - 1] % 8 != 0) put_checksums_right(bytes, size);
    caromResults *results;
    if (carom_results_parse(bytes, size, "fuzz", &results, NULL) != CAROM_OK) return 0;
    fuzz_accepted++;
    double sum = 0;
    for (int64_t i = 0; i < carom_results_row_count(results); i++)
        for (int k = 0; k < carom_results_column_count(results); k++) sum += carom_results_row(results, i)[k];
    for (int64_t i = 0; i < carom_results_row_count(results); i++) {
        int n;
        const double *contacts = carom_results_contacts(results, i, &n);
        caromResultsPatch patch;
        for (int k = 0; k < n; k++) {
            if (!carom_results_patch(results, i, (int)contacts[12*k], &patch)) continue;
            for (int j = 0; j < patch.npolygon; j++) sum += patch.polygon_corners[j];
            for (int j = 0; j < 4*patch.ncorner; j++) sum += (double)patch.corners[j];
            for (int j = 0; j < 7*patch.npoint; j++) sum += (double)patch.points[j];
        }
    }
    size_t length = strlen(carom_results_head(results));
    for (int64_t i = 0; i < carom_results_event_count(results); i++) length += strlen(carom_results_event(results, i));
    for (int k = 0; k < carom_results_column_count(results); k++)
        length += strlen(carom_results_column(results, k).name) + strlen(carom_results_column(results, k).unit);
    volatile double seen = sum + (double)length;
    (void)seen;
    carom_results_close(results);
    return 0;
}
