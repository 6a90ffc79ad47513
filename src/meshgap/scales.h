// scales.h -- the small numbers by which queries with a mesh decide.
//
// Lengths are parts of the scale of a pair: its sizes and its distance together.
#ifndef CAROM_SRC_MESHGAP_SCALES_H
#define CAROM_SRC_MESHGAP_SCALES_H

// The square of the sine (1e-14) of a way along a plane: it neither enters nor leaves, whatever the rounding.
#define CAROM_MESHGAP_LEVEL2             1e-28
// A body that is inside another goes this much beyond the next surface, so that it lies across it.
#define CAROM_MESHGAP_INTO               1e-9
// Where bodies have parted to rounding there is no normal: this much farther there is, with all of its digits.
#define CAROM_MESHGAP_BEYOND             1e-3
// Gaps to triangles are known to this (narrow/scales.h: SAME); of two meshes they have closed forms, and their
// roundings count.
#define CAROM_MESHGAP_SLACK              1e-13
// 45 roundings: the ray that counts windings passes a box that it misses by less.
#define CAROM_MESHGAP_ROUNDED            1e-14
// Cosine by which an edge falls away from the other vertex for certain, half a million roundings.
#define CAROM_MESHGAP_CLEARLY            1e-10
#define CAROM_MESHGAP_GAIN               1e-9   // A way out that is shorter by less than this part is no shorter
// First angle [rad] at which directions beside the best are tried, a fifth of it after each round that gains
// nothing,
#define CAROM_MESHGAP_ASIDE              0.05
// down to this: the length of a way out that is off by it is off by its square, 1e-12.
#define CAROM_MESHGAP_ASIDE_LEAST        1e-6
// Steps of all ways out that one query tries: ten times what the longest of 1200 random overlaps took.
#define CAROM_MESHGAP_STEPS_MAX          16000
// Least part of the way between the best direction and a new one that is tried where something is in the way.
#define CAROM_MESHGAP_PART_LEAST         0.01
// The first guess takes a triangle whose squared distance is at most 1/0.6 of the least: a start needs no more, and
// is found sooner.
#define CAROM_MESHGAP_NEAR               0.6
// It ends when going to and fro shortens the square of the distance by less than 2 %.
#define CAROM_MESHGAP_GUESS_GAIN         0.98

#endif
