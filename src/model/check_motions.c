// Prescribed motions that no body can follow: a jump in position is a speed without bound, one in speed a force without
// bound. Their work is in no ledger.
#include <math.h>

#include "model/check.h"

static void refuse_jump(const caromModelJoint *j, const caromJump *jump, caromProblems *problems)
{
    caromPath path = carom_model_path_of("joints.%.63s.motion", j->name);
    const char *unit = carom_model_joint_coordinate_unit(j->kind, 0);
    const char *name = carom_model_joint_coordinate_name(j->kind, 0);
    if (isnan(jump->value))
        carom_model_check_error(problems, path, "the motion of joint '%.63s' is no finite number, or its speed or its "
                                "acceleration is none, at %.6g s: prescribe one that is finite until the end", j->name,
                                jump->time);
    else if (jump->moves)
        carom_model_check_error(problems, path, "the motion of joint '%.63s' jumps at %.6g s: its %s by %.4g %s. No "
                                "body can follow that: use a ramp, or a function that goes from one value to the other "
                                "in some time", j->name, jump->time, name, jump->value, unit);
    else
        carom_model_check_error(problems, path, "the speed of the motion of joint '%.63s' jumps at %.6g s by %.4g "
                                "%s/s. No body can follow that: let the speed change over some time (a ramp does; a "
                                "table or a sine that begins or ends in the run does not), or drive the joint by a "
                                "force", j->name, jump->time, jump->rate, unit);
}

void carom_model_check_motions(const caromModel *m, caromProblems *problems)
{
    for (int k = 0; k < m->njoint; k++) {
        caromJump jump;
        const caromModelJoint *j = &m->joints[k];
        if (j->is_driven && carom_function_jump(j->function, m->settings.until, &jump)) refuse_jump(j, &jump, problems);
    }
}
