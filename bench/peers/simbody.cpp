// Simbody: articulated bodies in internal coordinates, integrators with error control.
#include <Simbody.h>

#include "harness.hpp"

using namespace SimTK;

struct Simbody {
    BenchScene scene;
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    std::vector<MobilizedBody> bodies;
    std::vector<int> iq, iu;   // of the hinges
    State state;

    explicit Simbody(const BenchScene &s) : scene(s), matter(system), forces(system)
    {
        system.setUseUniformBackground(true);
        Force::UniformGravity(forces, matter, Vec3(0, 0, -BENCH_GRAVITY));
        for (int i = 0; i < s.nlink; i++) {
            const BenchLink &l = s.links[i];
            Vec3 com(l.com[0], l.com[1], l.com[2]), p(l.p[0], l.p[1], l.p[2]);
            Body::Rigid rigid(MassProperties(l.mass, com, Inertia(l.inertia[0], l.inertia[1], l.inertia[2]).shiftFromMassCenter(com, l.mass)));
            MobilizedBody &parent = l.parent < 0 ? static_cast<MobilizedBody &>(matter.updGround()) : bodies[size_t(l.parent)];
            if (l.axis == BENCH_FREE) {
                bodies.push_back(MobilizedBody::Free(parent, Transform(p), rigid, Transform()));
            } else {   // a pin turns about z
                Rotation R(UnitVec3(CoordinateAxis(l.axis)), ZAxis);
                bodies.push_back(MobilizedBody::Pin(parent, Transform(R, p), rigid, Transform(R, Vec3(0))));
            }
        }
        system.realizeTopology();
        state = system.getDefaultState();
        system.realizeModel(state);
        for (int i = s.nlink - s.nhinge; i < s.nlink; i++) {
            iq.push_back(int(bodies[size_t(i)].getFirstQIndex(state)));
            iu.push_back(int(bodies[size_t(i)].getFirstUIndex(state)));
        }
    }

    void set(State &x, const double *q, const double *v)
    {
        Vector &Q = x.updQ(), &U = x.updU();
        if (scene.nlink > scene.nhinge) {   // the base: at its place, at rest
            bodies[0].setQToFitTransform(x, Transform());
            bodies[0].setUToFitVelocity(x, SpatialVec(Vec3(0), Vec3(0)));
        }
        for (int i = 0; i < scene.nhinge; i++) {
            Q[iq[size_t(i)]] = q[i];
            U[iu[size_t(i)]] = v[i];
        }
    }

    void evaluate(const double *q, const double *v, double *dv)
    {
        set(state, q, v);
        system.realize(state, Stage::Acceleration);
        const Vector &A = state.getUDot();
        for (int i = 0; i < scene.nhinge; i++) dv[i] = A[iu[size_t(i)]];
    }

    template <class Method> void pendulum(double accuracy, double *q)
    {
        const double zero[2] = { 0, 0 };
        set(state, zero, zero);
        Method method(system);
        method.setAccuracy(accuracy);
        TimeStepper stepper(system, method);
        stepper.initialize(state);
        for (int k = 1; k <= 40; k++) stepper.stepTo(0.25*k);   // CPodes complains after 500 steps without an output
        const Vector &Q = method.getState().getQ();
        q[0] = Q[iq[0]], q[1] = Q[iq[1]];
    }
};

struct Adams : CPodesIntegrator {
    explicit Adams(const System &system) : CPodesIntegrator(system, CPodes::Adams, CPodes::Functional) {}
};

int main()
{
    bench::time_all_forward<Simbody>("simbody");
    BenchScene scene = bench_scene_pendulum();
    Simbody engine(scene);
    for (double a : bench::tolerances())
        bench::time_pendulum("simbody", "own-merson", a, [&](double x, double *q) { engine.pendulum<RungeKuttaMersonIntegrator>(x, q); });
    for (double a : bench::tolerances())
        bench::time_pendulum("simbody", "own-adams", a, [&](double x, double *q) { engine.pendulum<Adams>(x, q); });
    bench::time_our_integrators("simbody", engine);
    std::free(scene.links);
}
