// A part of a mechanism that closes by itself: loops that share joints, the speeds that move them, and what both are at
// a pose (assemble.c).
#ifndef CAROM_SRC_KINEMATICS_PART_H
#define CAROM_SRC_KINEMATICS_PART_H

#include "kinematics/rows.h"

// Poses and speeds of the whole model.
typedef struct caromPartStates {
    double *q, *q_given, *q_trial, *q_best, *q_chosen, *dq;  // [nq]
    double *v, *v_given, *v_best;                            // [nv]
    double *rest;                                            // zeros [ns]
} caromPartStates;

typedef struct caromLoopPart {
    const caromModel *model;
    caromKin kin;              // at the pose of the last carom_kin_part_error
    // Of the whole model.
    int nall;
    caromLoopRow *all;         // rows                                                    [nall]
    int *label;                // of each loop: the first loop of its part                [nloop]
    int *owner;                // loop that a link moves, -1: none                        [nlink]
    int *link_of;              // of each speed                                           [nv]
    double *metres;            // per unit of a coordinate: the lever of an angle, or 1   [nv]
    double lever;              // longest [m]
    bool *is_flipped;          // a loop whose axes point against each other as given     [nloop]
    // Of this part.
    int number;                // its label
    int nrow, ncol, ngiven;
    int *rows;                 // among all                                               [nall]
    int *cols;                 // speeds that may move                                    [nv]
    int *given;                // speeds that were given, as they were listed             [nv]
    bool *is_held;             // of each speed                                           [nv]
    double *weight;            // units per metre, less for what was given                [nv]
    double *r;                 // what rows are off [m]                                   [nall]
    double *J;                 // per metre of each column                                [nall*nv]
    double *A, *y;             // of the linear problem                                   [nall*nall, nall]
    double *step;              // [nv]
    caromPartStates at;
    double *block;             // all of these numbers
    int *places;               // and places
} caromLoopPart;

// False: out of memory; free all the same.
bool carom_kin_part_alloc(const caromModel *model, caromLoopPart *part);
void carom_kin_part_free(caromLoopPart *part);
// The part of a loop; then which of the speeds given, the first nheld of them, stay as they are. speeds: that, in place
// of coordinates.
void carom_kin_part_load(caromLoopPart *part, int number, bool speeds);
void carom_kin_part_hold(caromLoopPart *part, int nheld);
// Rows at a pose, into r: the sum of their squares [m^2].
double carom_kin_part_error(caromLoopPart *part, const double *q);
// Rates of the rows at the pose of the last error with speeds v, into r: the largest [m/s].
double carom_kin_part_rates(caromLoopPart *part, const double *q, const double *v);
void carom_kin_part_jacobian(caromLoopPart *part);
// step = C^2 J^T y with (J C^2 J^T + mu 1) y = -r, mu relative to the diagonal; the length of the longest coordinate of
// the step [m].
double carom_kin_part_solve(caromLoopPart *part, double damping);
// The largest row at the last error, and its joint [m].
double carom_kin_part_largest(const caromLoopPart *part, int *joint);
// At the last error: a joint that is closed half a turn off, -1: none.
int carom_kin_part_turned_round(const caromLoopPart *part);
// Does a coordinate that was not given lie behind a limit of its joint?
bool carom_kin_part_is_outside(const caromLoopPart *part, const double *q);

#endif
