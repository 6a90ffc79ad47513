// Bullet: btMultiBody, Featherstone's articulated bodies, built with double precision.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "harness.hpp"

#ifndef BT_USE_DOUBLE_PRECISION
#error "this program measures the build with double precision"
#endif

struct Bullet {
    BenchScene scene;
    int first;   // link of the first hinge is the base's child: 1 when the base moves freely
    btMultiBody *body;
    btAlignedObjectArray<btScalar> scratch_r;
    btAlignedObjectArray<btVector3> scratch_v;
    btAlignedObjectArray<btMatrix3x3> scratch_m;

    explicit Bullet(const BenchScene &s) : scene(s), first(s.nlink - s.nhinge)
    {
        const BenchLink *l = s.links;
        btVector3 none(0, 0, 0);
        body = first ? new btMultiBody(s.nhinge, l[0].mass, vec(l[0].inertia), false, false) : new btMultiBody(s.nhinge, 0, none, true, false);
        for (int i = first; i < s.nlink; i++) {
            btVector3 axis(0, 0, 0), p = vec(l[i].p);
            axis[l[i].axis] = 1;
            if (l[i].parent >= 0) p -= vec(l[l[i].parent].com);
            body->setupRevolute(i - first, l[i].mass, vec(l[i].inertia), l[i].parent - first, btQuaternion::getIdentity(), axis, p, vec(l[i].com), true);
        }
        body->finalizeMultiDof();
        body->setLinearDamping(0);
        body->setAngularDamping(0);
        body->setMaxCoordinateVelocity(1e30);
        body->setMaxAppliedImpulse(1e30);
        body->setUseGyroTerm(true);
    }
    Bullet(const Bullet &) = delete;
    ~Bullet() { delete body; }

    static btVector3 vec(const double *x) { return btVector3(x[0], x[1], x[2]); }

    void set(const double *q, const double *v)
    {
        if (first) {
            body->setBasePos(vec(scene.links[0].p) + vec(scene.links[0].com));
            body->setWorldToBaseRot(btQuaternion::getIdentity());
            body->setBaseVel(btVector3(0, 0, 0));
            body->setBaseOmega(btVector3(0, 0, 0));
        }
        for (int i = 0; i < scene.nhinge; i++) {
            body->setJointPos(i, q[i]);
            body->setJointVel(i, v[i]);
        }
    }

    // Adds dt times the accelerations to the velocities.
    void accelerate(double dt)
    {
        body->clearForcesAndTorques();
        if (first) body->addBaseForce(btVector3(0, 0, -BENCH_GRAVITY*body->getBaseMass()));
        for (int i = 0; i < scene.nhinge; i++) body->addLinkForce(i, btVector3(0, 0, -BENCH_GRAVITY*body->getLinkMass(i)));
        body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(dt, scratch_r, scratch_v, scratch_m, false, false, false);
    }

    void evaluate(const double *q, const double *v, double *dv)
    {
        set(q, v);
        accelerate(1);
        for (int i = 0; i < scene.nhinge; i++) dv[i] = body->getJointVel(i) - v[i];
    }
};

int main()
{
    bench::time_all_forward<Bullet>("bullet");
    BenchScene scene = bench_scene_pendulum();
    Bullet engine(scene);
    bench::time_our_integrators("bullet", engine);
    for (double dt : { 1e-2, 1e-3, 1e-4, 1e-5 })
        bench::time_pendulum("bullet", "own-euler", dt, [&](double h, double *q) {
            const double zero[2] = { 0, 0 };
            engine.set(zero, zero);
            for (long k = std::lround(10/h); k > 0; k--) {
                engine.accelerate(h);
                engine.body->stepPositionsMultiDof(h);
            }
            q[0] = engine.body->getJointPos(0), q[1] = engine.body->getJointPos(1);
        });
    std::free(scene.links);
}
