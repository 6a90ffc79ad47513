// carry.h -- states that go along with what time alone moves.
//
// A part that rests on a tray that is shaken moves with it, by a thousand times the depth of its contact in a step. The
// stages of a linearly implicit method know such a motion to the second order only: they are off by h^2 a/2, and once
// that is as much as the depth some of them see no contact at all. So not y is integrated but what is left of it,
//
//     x = y - P(t),      x' = f(t, x + P) - P',
//
// with a P that is known: the motion of what carries the state, over the step. Any smooth P is right; this one makes x
// nearly straight. A speed follows the cubic that has the acceleration of the carrier at the start of the step, and its
// velocities there, half-way and at the end; the position follows the integral (shifts over a short step would be
// with a P that is known: the motion of what carries the state over the step. Any smooth P is right; this one makes x
// one (caromLinearSystem), since they cancel.
//
// Inside of the step y has the polynomial and not the motion: half-way and at the end the two are compared, and what
// they differ by is an error of the step.
//
// A box of 1.5 g on a tray, 0.1 mm at 50 Hz: 1120 steps a period without, at tolerances from 1e-4 to 1e-8 alike.
#ifndef CAROM_SRC_TIME_CARRY_H
#define CAROM_SRC_TIME_CARRY_H

#include "time/onestep.h"

enum { CAROM_CARRY_DEGREE = 4 };

typedef struct caromCarriage {
    caromCarry start, half, end;        // what may be carried, there in the step
    double *path[CAROM_CARRY_DEGREE];   // P of each state in powers of theta, from 1 on             [stride]
    double h;                           // of the step that they belong to [s]
    double error;                       // of P, in tolerances
    bool is_empty;                      // nothing is carried
} caromCarriage;

size_t carom_time_carry_size(int n);  // doubles for the lists, with n states
void carom_time_carry_place(caromCarriage *carriage, double *memory, int n);
// At a new point, before a step of about h: what goes along, and f0 less its rate into left [n].
void carom_time_carry_begin(caromCarriage *carriage, const caromStepper *stepper, double h, double *left);
void carom_time_carry_over(caromCarriage *carriage, const caromStepper *stepper, double h);  // P over a step of h
void carom_time_carry_add(const caromCarriage *carriage, double theta, double *y);           // y := y + P
void carom_time_carry_take_rate(const caromCarriage *carriage, double theta, double *rate);  // rate := rate - P'
void carom_time_carry_take_bend(const caromCarriage *carriage, double part, double *x);      // x := x - part P''(0)
// Adds P to the vectors of dense output (onestep.h), but for its value at the end, which is there.
void carom_time_carry_dense(const caromCarriage *carriage, double *dense, int stride);

#endif
