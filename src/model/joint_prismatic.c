#include "model/joint.h"

const caromJointRow carom_joint_prismatic = { .name = "prismatic",
                                              .nq = 1,
                                              .nv = 1,
                                              .q = { CAROM_DISTANCE },
                                              .v = { CAROM_DISTANCE_RATE },
                                              .is_axial = true,
                                              .shift = 1.0,
                                              .holds = { CAROM_HOLD_LINE, CAROM_HOLD_ROTATION } };
