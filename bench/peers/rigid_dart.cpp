// DART: the ellipsoid of rigid.h on a large box; FCL's own primitives, not the meshes that DART makes of them by default.
#include <dart/collision/fcl/fcl.hpp>
#include <dart/dart.hpp>

#include "../rigid.h"

using namespace dart::dynamics;

static ShapeNode *add_shape(BodyNode *body, const ShapePtr &shape)
{
    ShapeNode *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(egg_friction);
    node->getDynamicsAspect()->setRestitutionCoeff(0);
    return node;
}

static SkeletonPtr ground()
{
    SkeletonPtr skeleton = Skeleton::create("ground");
    auto body = skeleton->createJointAndBodyNodePair<WeldJoint>().second;
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.translation().z() = -0.5;
    add_shape(body, std::make_shared<BoxShape>(Eigen::Vector3d(100, 100, 1)))->setRelativeTransform(X);
    return skeleton;
}

static SkeletonPtr ellipsoid()
{
    SkeletonPtr skeleton = Skeleton::create("ellipsoid");
    auto pair = skeleton->createJointAndBodyNodePair<FreeJoint>();
    add_shape(pair.second, std::make_shared<EllipsoidShape>(2*Eigen::Vector3d(egg_axes[0], egg_axes[1], egg_axes[2])));
    pair.second->setInertia(Inertia(egg_mass, Eigen::Vector3d::Zero(), Eigen::Vector3d(egg_inertia(0), egg_inertia(1), egg_inertia(2)).asDiagonal()));
    Eigen::Vector6d q, v;
    q << 0, 0, 0, 0, 0, egg_axes[2];
    v << egg_spin[0], egg_spin[1], egg_spin[2], egg_velocity[0], egg_velocity[1], egg_velocity[2];
    pair.first->setPositions(q);
    pair.first->setVelocities(v);
    return skeleton;
}

static double rise(void *, double dt, void *notes)
{
    auto world = dart::simulation::World::create();
    SkeletonPtr egg = ellipsoid();
    world->setGravity(Eigen::Vector3d(0, 0, -rigid_gravity));
    world->setTimeStep(dt);
    auto detector = dart::collision::FCLCollisionDetector::create();
    detector->setPrimitiveShapeType(dart::collision::FCLCollisionDetector::PRIMITIVE);
    detector->setContactPointComputationMethod(dart::collision::FCLCollisionDetector::FCL);
    world->getConstraintSolver()->setCollisionDetector(detector);
    world->addSkeleton(ground());
    world->addSkeleton(egg);
    double begin = rigid_seconds();
    for (long k = 1, n = std::lround(egg_end/dt); k <= n; k++) {
        world->step();
        egg_note(notes, egg_end*double(k)/double(n), egg->getPosition(5), egg->getBodyNode(0)->getLinearVelocity().z());
    }
    return rigid_seconds() - begin;
}

int main()
{
    for (double dt : { 1e-3, 2e-4 }) egg_row("dart", "dt", dt, rise, nullptr);
}
