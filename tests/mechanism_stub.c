// Until the model keeps its joints: what a model without any answers. Weak, so that the model's own functions take over as soon as
// there are some; then this file and its line in results.cmake go.
#include "carom/model.h"

__attribute__((weak)) int carom_model_joint_count(const caromModel *model)
{
    (void)model;
    return 0;
}

__attribute__((weak)) caromJointInfo carom_model_joint(const caromModel *model, int joint)
{
    (void)model;
    (void)joint;
    return (caromJointInfo){ 0 };
}

__attribute__((weak)) int carom_model_spring_count(const caromModel *model)
{
    (void)model;
    return 0;
}

__attribute__((weak)) caromSpringInfo carom_model_spring(const caromModel *model, int spring)
{
    (void)model;
    (void)spring;
    return (caromSpringInfo){ 0 };
}

__attribute__((weak)) int carom_model_force_count(const caromModel *model)
{
    (void)model;
    return 0;
}
