#include "model/joint.h"

const caromJointRow carom_joint_revolute = { .name = "revolute",
                                             .nq = 1,
                                             .nv = 1,
                                             .q = { CAROM_ANGLE },
                                             .v = { CAROM_ANGLE_RATE },
                                             .is_axial = true,
                                             .turn = 1.0,
                                             .holds = { CAROM_HOLD_POINT, CAROM_HOLD_AXIS } };
