// Members of a ZIP archive in memory [PKWARE]: what 3MF files are. Nothing is written anywhere, so that names lead
// nowhere.
#ifndef CAROM_SRC_MESHFILE_ZIP_H
#define CAROM_SRC_MESHFILE_ZIP_H

#include "modelfile/meshfile.h"

typedef struct caromZipMember {
    const char *name;        // for messages
    const unsigned char *data;
    size_t packed, size;     // bytes, in the archive and unpacked
    uint32_t checksum;       // CRC-32 of the unpacked bytes
    bool is_packed;          // by deflate
} caromZipMember;

// 1: found; 0: there is none of that name (upper and lower case are the same, '/' in front counts not); -1: failed, and
// said so in draft->err.
int carom_meshfile_zip_find(caromMeshDraft *draft, const char *name, caromZipMember *member);
// Its bytes, piece by piece, the last one marked. False: failed, and said so; or take did.
bool carom_meshfile_zip_read(caromMeshDraft *draft, const caromZipMember *member,
                             bool (*take)(void *user, const char *bytes, size_t n, bool is_last), void *user);

#endif
