#include "model/joint.h"

const caromJointRow carom_joint_fixed = { .name = "fixed", .holds = { CAROM_HOLD_POINT, CAROM_HOLD_ROTATION } };
