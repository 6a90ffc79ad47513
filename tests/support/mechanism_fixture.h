// A model of two bodies with joints and a spring, of which nothing is simulated.
#ifndef CAROM_TESTS_MECHANISM_FIXTURE_H
#define CAROM_TESTS_MECHANISM_FIXTURE_H

#include "carom/model.h"

#include "check.h"

static inline caromJointDef joint_between(const char *name, caromJointKind kind, const char *a, caromVec3 p_a,
                                          const char *b, caromVec3 p_b)
{
    caromJointDef joint = carom_model_joint_def(name, kind);
    joint.body[0] = a;
    joint.body[1] = b;
    joint.p[0] = p_a;
    joint.p[1] = p_b;
    return joint;
}

// Two boxes: a revolute joint to the world, a ball joint between them, a joint that closes the loop, and a spring.
static inline caromModel *mechanism(void)
{
    caromBuilder *b = carom_builder_create();
    caromShapeDef box = carom_model_shape_def((caromShape){ CAROM_BOX, { 0.1, 0.1, 0.1 } });
    caromBodyDef upper = carom_model_body_def("upper"), lower = carom_model_body_def("lower");
    upper.material = lower.material = "steel";
    upper.shapes = lower.shapes = &box;
    upper.nshape = lower.nshape = 1;
    carom_builder_body(b, &upper);
    carom_builder_body(b, &lower);
    caromVec3 o = carom_vec(0, 0, 0);
    caromJointDef joints[] = {
        joint_between("shoulder", CAROM_JOINT_REVOLUTE, "world", o, "upper", o),
        joint_between("elbow", CAROM_JOINT_SPHERICAL, "upper", carom_vec(1, 0, 0), "lower", o),
        joint_between("tie", CAROM_JOINT_CYLINDRICAL, "lower", carom_vec(0, 1, 0), "world", carom_vec(1, 1, 0)),
    };
    for (int i = 0; i < 3; i++) carom_builder_joint(b, &joints[i]);
    caromSpringDef spring = carom_model_spring_def("spiral");
    spring.body[0] = "world";
    spring.body[1] = "lower";
    spring.p[0] = carom_vec(0, 0, 0.5);
    spring.stiffness = 250;
    spring.damping = 1.5;
    spring.rest = 0.25;
    carom_builder_spring(b, &spring);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

#endif
