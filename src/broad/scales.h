// scales.h -- the small numbers of the broad phase. (The sizes of its tables are in broad.h, beside what they size.)
#ifndef CAROM_SRC_BROAD_SCALES_H
#define CAROM_SRC_BROAD_SCALES_H

// Boxes about shapes are this part larger, the error of a gap that is CAROM_GAP_OK,
#define CAROM_BROAD_AROUND               1e-9
// and by this part of their distance from the origin, well above its rounding: a pair that touches is never left
// out.
#define CAROM_BROAD_ROUNDED              1e-12

#endif
