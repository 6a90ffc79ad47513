// Boxes and half-spaces: few faces, found without a search (blocks.c). a is a box; what else as in fields.h.
#ifndef CAROM_SRC_PATCH_BLOCKS_H
#define CAROM_SRC_PATCH_BLOCKS_H

#include "patch/meeting.h"

void carom_patch_block_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                              caromFacetVisitor visit, void *user);
double carom_patch_block_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);

#endif
