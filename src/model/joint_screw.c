#include "model/joint.h"

const caromJointRow carom_joint_screw = { .name = "screw",
                                          .nq = 1,
                                          .nv = 1,
                                          .q = { CAROM_ANGLE },
                                          .v = { CAROM_ANGLE_RATE },
                                          .is_axial = true,
                                          .turn = 1.0,
                                          .has_pitch = true,
                                          .holds = { CAROM_HOLD_LINE, CAROM_HOLD_AXIS,
                                                     { CAROM_EQUATION_SCREW, { 0, 0, 1 }, { 0, 0, 1 } } } };
