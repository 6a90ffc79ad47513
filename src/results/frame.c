#include "results/results.h"

#include "base/base.h"

const char carom_frame_names[CAROM_FRAME_KINDS][5] = { "HEAD", "SAMP", "EVNT", "DONE", "PTCH", "THIN", "PAIR" };

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8*i);
}

void carom_results_frame_around(caromFrameKind kind, const caromText *payload, unsigned char around[CAROM_FRAME_AROUND])
{
    for (int i = 0; i < 4; i++) around[i] = (unsigned char)carom_frame_names[kind][i];
    put_u32(around + 4, (uint32_t)payload->size);
    put_u32(around + 8, carom_crc32(carom_crc32(0, around, 8), payload->data, payload->size));
}

caromStatus carom_results_frame_write(caromOutput *out, caromFrameKind kind, const caromText *payload)
{
    if (payload->failed) return carom_fail(&out->error, CAROM_ERR_MEMORY, out->path, "out of memory");
    if (payload->size > UINT32_MAX)
        return carom_fail(&out->error, CAROM_ERR_INPUT, out->path, "a frame of more than 4 GiB");
    unsigned char around[CAROM_FRAME_AROUND];
    carom_results_frame_around(kind, payload, around);
    carom_output_bytes(out, around, 8);
    carom_output_bytes(out, payload->data, payload->size);
    return carom_output_bytes(out, around + 8, 4);
}
