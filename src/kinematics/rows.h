// Equations of closed loops at a state: how far they are off, how fast, and which motion of the links changes them.
//
// A joint that closes a loop holds equations between frame F on body A and frame M on body B, each of one of three
// kinds (model/joint.h has which kind of joint holds which):
//
//   along e    e.(p_M - p_F) = 0,  e fixed in A                      a force e on B at M, the opposite on A
//   square     e.f = 0,  e fixed in A, f fixed in B                  a torque f x e on B, the opposite on A
//   screw      z.(p_M - p_F) - pitch angle = 0                       a force z and a torque -pitch z
#ifndef CAROM_SRC_KINEMATICS_ROWS_H
#define CAROM_SRC_KINEMATICS_ROWS_H

#include "kinematics/kinematics.h"

typedef struct caromLoopRow {
    int joint;
    caromEquationKind kind;
    caromVec3 e, f;            // directions fixed in F and in M
} caromLoopRow;

// One side of a row: the link that moves it (-1: nothing does) and its frame in W.
typedef struct caromLoopSide {
    int link;
    caromPose X;               // of F or M
    caromVec3 o, w, v;         // of the link
} caromLoopSide;

typedef struct caromRowAt {    // a row at a state
    caromLoopSide a, b;
    caromVec3 e, f;            // in W
    caromVec3 d;               // p_M - p_F
    caromVec3 force, torque;   // on B at M, per unit
    double pitch;
} caromRowAt;

// The rows of all joints that close loops, in their order [6 nloop]; returns how many there are.
int carom_kin_rows(const caromModel *model, caromLoopRow *rows);
caromLoopSide carom_kin_row_side(const caromModel *model, const caromKin *kin, int body, caromPose X_BF);
caromRowAt carom_kin_row_at(const caromModel *model, const caromKin *kin, const caromLoopRow *row);
// By how much it is off [m, or 1 of a square], and how fast that changes.
double carom_kin_row_error(const caromLoopRow *row, const caromRowAt *at);
double carom_kin_row_rate(const caromRowAt *at);
// Velocity of the material point of a side that is at p.
caromVec3 carom_kin_row_velocity(const caromLoopSide *side, caromVec3 p);
// A lever that makes a length of what a row is off: the reach of the bodies of a square, 1 of the others.
double carom_kin_row_scale(const caromModel *model, const caromLoopRow *row);
// The longest lever in loops at a state: between the origins of links, and from there to the frames that close [m].
double carom_kin_row_lever(const caromModel *model, const caromKin *kin);

#endif
