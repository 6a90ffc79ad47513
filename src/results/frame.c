#include "results/results.h"

#include "base/base.h"

const char carom_frame_names[CAROM_FRAME_KINDS][5] = { "HEAD", "SAMP", "EVNT", "DONE", "PTCH" };

// CRC-32 of zlib and PNG: polynomial 0x04c11db7 reflected, four bits at a time. The table of 16 entries is small enough
// to check by eye and needs no initialisation; it does about 300 MB/s, far more than a simulation delivers.
uint32_t carom_results_crc32(uint32_t crc, const void *data, size_t n)
{
    static const uint32_t nibble[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                         0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
    const unsigned char *byte = data;
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= byte[i];
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}

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
    put_u32(check, carom_results_crc32(carom_results_crc32(0, start, sizeof start), payload->data, payload->size));
    carom_output_bytes(out, start, sizeof start);
    carom_output_bytes(out, payload->data, payload->size);
    return carom_output_bytes(out, check, sizeof check);
}
