// Pinocchio: articulated bodies, templates compiled here. It has no integrator.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>

#include "harness.hpp"

struct Pinocchio {
    BenchScene scene;
    pinocchio::Model model;
    pinocchio::Data data;
    Eigen::VectorXd Q, V, tau;
    int first_q, first_v;

    static pinocchio::Model build(const BenchScene &s)
    {
        pinocchio::Model model;
        model.gravity.linear(Eigen::Vector3d(0, 0, -BENCH_GRAVITY));
        std::vector<pinocchio::JointIndex> joints;
        for (int i = 0; i < s.nlink; i++) {
            const BenchLink &l = s.links[i];
            pinocchio::JointIndex parent = l.parent < 0 ? 0 : joints[size_t(l.parent)];
            pinocchio::SE3 X(Eigen::Matrix3d::Identity(), vec(l.p));
            std::string name = "joint" + std::to_string(i);
            if (l.axis == BENCH_FREE) joints.push_back(model.addJoint(parent, pinocchio::JointModelFreeFlyer(), X, name));
            else if (l.axis == 0) joints.push_back(model.addJoint(parent, pinocchio::JointModelRX(), X, name));
            else if (l.axis == 1) joints.push_back(model.addJoint(parent, pinocchio::JointModelRY(), X, name));
            else joints.push_back(model.addJoint(parent, pinocchio::JointModelRZ(), X, name));
            model.appendBodyToJoint(joints.back(), pinocchio::Inertia(l.mass, vec(l.com), vec(l.inertia).asDiagonal()), pinocchio::SE3::Identity());
        }
        return model;
    }

    explicit Pinocchio(const BenchScene &s) : scene(s), model(build(s)), data(model)
    {
        Q = pinocchio::neutral(model);
        V = tau = Eigen::VectorXd::Zero(model.nv);
        first_q = model.nq - s.nhinge;
        first_v = model.nv - s.nhinge;
    }

    static Eigen::Vector3d vec(const double *x) { return Eigen::Vector3d(x[0], x[1], x[2]); }

    void evaluate(const double *q, const double *v, double *dv)
    {
        std::copy(q, q + scene.nhinge, Q.data() + first_q);   // joints are in the order of addition
        std::copy(v, v + scene.nhinge, V.data() + first_v);
        pinocchio::aba(model, data, Q, V, tau, pinocchio::Convention::WORLD);   // a tenth faster than LOCAL here
        std::copy(data.ddq.data() + first_v, data.ddq.data() + model.nv, dv);
    }
};

// Its data has arrays of n^3 numbers for second derivatives of the torques: 32 GB for a chain of 1000.
enum { LONGEST = 100 };

#ifndef PEER
#define PEER "pinocchio"
#endif

int main()
{
    bench::time_all_forward<Pinocchio>(PEER, LONGEST);
    BenchScene scene = bench_scene_pendulum();
    Pinocchio engine(scene);
    bench::time_our_integrators(PEER, engine);
    std::free(scene.links);
}
