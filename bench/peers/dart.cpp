// DART: articulated bodies; its world steps by semi-implicit Euler only.
#include <dart/dart.hpp>

#include "harness.hpp"

using namespace dart::dynamics;

struct Dart {
    BenchScene scene;
    int first;
    SkeletonPtr skeleton;
    Eigen::VectorXd Q, V;

    explicit Dart(const BenchScene &s) : scene(s), first(s.nlink > s.nhinge ? 6 : 0), skeleton(Skeleton::create("scene"))
    {
        std::vector<BodyNode *> nodes;
        for (int i = 0; i < s.nlink; i++) {
            const BenchLink &l = s.links[i];
            BodyNode *parent = l.parent < 0 ? nullptr : nodes[size_t(l.parent)];
            Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
            X.translation() = vec(l.p);
            BodyNode::Properties body{ BodyNode::AspectProperties("body" + std::to_string(i)) };
            body.mInertia = Inertia(l.mass, vec(l.com), vec(l.inertia).asDiagonal());
            if (l.axis == BENCH_FREE) {
                FreeJoint::Properties joint;
                joint.mName = "base";
                joint.mT_ParentBodyToJoint = X;
                nodes.push_back(skeleton->createJointAndBodyNodePair<FreeJoint>(parent, joint, body).second);
            } else {
                RevoluteJoint::Properties joint;
                joint.mName = "hinge" + std::to_string(i);
                joint.mT_ParentBodyToJoint = X;
                joint.mAxis = Eigen::Vector3d::Unit(l.axis);
                nodes.push_back(skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second);
            }
        }
        skeleton->setGravity(Eigen::Vector3d(0, 0, -BENCH_GRAVITY));
        Q = V = Eigen::VectorXd::Zero(Eigen::Index(skeleton->getNumDofs()));
    }

    static Eigen::Vector3d vec(const double *x) { return Eigen::Vector3d(x[0], x[1], x[2]); }

    void evaluate(const double *q, const double *v, double *dv)
    {
        std::copy(q, q + scene.nhinge, Q.data() + first);   // joints are in the order of creation, the base first
        std::copy(v, v + scene.nhinge, V.data() + first);
        skeleton->setPositions(Q);
        skeleton->setVelocities(V);
        skeleton->computeForwardDynamics();
        for (int i = 0; i < scene.nhinge; i++) dv[i] = skeleton->getAcceleration(size_t(first + i));
    }
};

int main()
{
    bench::time_all_forward<Dart>("dart");
    BenchScene scene = bench_scene_pendulum();
    Dart engine(scene);
    bench::time_our_integrators("dart", engine);
    auto world = dart::simulation::World::create();
    world->addSkeleton(engine.skeleton);
    world->setGravity(Eigen::Vector3d(0, 0, -BENCH_GRAVITY));
    for (double dt : { 1e-2, 1e-3, 1e-4 })
        bench::time_pendulum("dart", "own-euler", dt, [&](double h, double *q) {
            world->setTimeStep(h);
            engine.skeleton->resetPositions();
            engine.skeleton->resetVelocities();
            for (long k = std::lround(10/h); k > 0; k--) world->step();
            q[0] = engine.skeleton->getPosition(0), q[1] = engine.skeleton->getPosition(1);
        });
    std::free(scene.links);
}
