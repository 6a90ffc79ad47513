// A checksum for what is kept in files and snapshots.
#include "base/base.h"

// CRC-32 of zlib and PNG: polynomial 0x04c11db7 reflected, four bits at a time. The table of 16 entries is small enough
// to check by eye and needs no initialisation; it does about 300 MB/s, far more than a simulation delivers.
uint32_t carom_crc32(uint32_t crc, const void *data, size_t n)
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
