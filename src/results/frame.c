#include "results/results.h"

#include "base/base.h"

const char carom_frame_names[CAROM_FRAME_KINDS][5] = { "HEAD", "SAMP", "EVNT", "DONE", "PTCH" };

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8*i);
}

caromStatus carom_results_frame_write(caromOutput *out, caromFrameKind kind, const caromText *payload)
{
    if (payload->failed) return carom_fail(&out->error, CAROM_ERR_MEMORY, out->path, "out of memory");
    if (payload->size > UINT32_MAX)
        return carom_fail(&out->error, CAROM_ERR_INPUT, out->path, "a frame of more than 4 GiB");
    unsigned char start[8], check[4];
    for (int i = 0; i < 4; i++) start[i] = (unsigned char)carom_frame_names[kind][i];
    put_u32(start + 4, (uint32_t)payload->size);
    put_u32(check, carom_crc32(carom_crc32(0, start, sizeof start), payload->data, payload->size));
    carom_output_bytes(out, start, sizeof start);
    carom_output_bytes(out, payload->data, payload->size);
    return carom_output_bytes(out, check, sizeof check);
}
