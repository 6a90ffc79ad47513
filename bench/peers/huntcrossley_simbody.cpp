// Simbody: a ball on a half-space with its HuntCrossleyForce, with its integrators.
#include <Simbody.h>

#include "../huntcrossley.h"

using namespace SimTK;

struct Ball {
    const HcCase *c;
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    GeneralContactSubsystem contacts;
    Force::UniformGravity gravity;
    MobilizedBody body;
    State state;

    template <class Joint> static Ball *create(const HcCase *c)
    {
        Ball *b = new Ball(c);
        Body::Rigid rigid(MassProperties(hc_mass, Vec3(0), UnitInertia::sphere(hc_radius)*hc_mass));
        b->body = Joint(b->matter.updGround(), Transform(), rigid, Transform());
        b->add_contact();
        b->state = b->system.realizeTopology();
        b->place(hc_radius + hc_drop, 0);
        return b;
    }

    explicit Ball(const HcCase *c) : c(c), matter(system), forces(system), contacts(system), gravity(forces, matter, Vec3(0, 0, -hc_gravity))
    {
        system.setUseUniformBackground(true);
    }

    // The half-space of Simbody fills x > 0.
    void add_contact()
    {
        ContactSetIndex set = contacts.createContactSet();
        contacts.addBody(set, body, ContactGeometry::Sphere(hc_radius), Transform());
        contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(), Transform(Rotation(Pi/2, YAxis), Vec3(0)));
        HuntCrossleyForce force(forces, contacts, set);
        for (int i = 0; i < 2; i++) force.setBodyParameters(ContactSurfaceIndex(i), hc_modulus, hc_dissipation, c->friction, c->friction, 0);
    }

    void place(double z, double vz)
    {
        system.realizeModel(state);
        body.setQToFitTranslation(state, Vec3(0, 0, z));
        body.setUToFitLinearVelocity(state, Vec3(c->speed, 0, vz));
    }

    double difference(double depth, double speed)
    {
        place(hc_radius - depth, -speed);
        system.realize(state, Stage::Acceleration);
        Vec3 a = body.getBodyOriginAcceleration(state);
        double law = hc_force(depth, speed)/hc_mass;
        return std::max(std::abs((a[2] + hc_gravity)/law - 1), std::abs(-a[0]/law - c->friction));
    }

    double law_difference()
    {
        double worst = 0;
        for (double depth : { 1e-4, 1e-3, 5e-3, 0.016 })
            for (double speed : { -2.5, -1.0, 0.0, 1.0, 3.0 }) worst = std::max(worst, difference(depth, speed));
        place(hc_radius + hc_drop, 0);
        return worst;
    }
};

struct Adams : CPodesIntegrator {
    explicit Adams(const System &system) : CPodesIntegrator(system, CPodes::Adams, CPodes::Functional) {}
};

// Without interpolation, which is of low order, each time of the grid ends a step.
template <class Method> bool bounce(void *user, double accuracy, double centre[HC_GRID][2])
{
    Ball *b = static_cast<Ball *>(user);
    Method method(b->system);
    method.setAccuracy(accuracy);
    method.setAllowInterpolation(false);
    TimeStepper stepper(b->system, method);
    try {
        stepper.initialize(b->state);
        for (int k = 0; k < HC_GRID; k++) {
            stepper.stepTo(hc_time(k));
            Vec3 p = b->body.getBodyOriginLocation(method.getState());
            centre[k][0] = p[0], centre[k][1] = p[2];
        }
    } catch (const std::exception &e) {
        std::fprintf(stderr, "accuracy %g: %s\n", accuracy, e.what());
        return false;
    }
    return true;
}

// RungeKutta3, RungeKutta2 and Verlet take longer than the first of these at any error. With RungeKuttaFeldberg the ball falls through, at any accuracy.
static const struct { const char *name; HcRun run; double last; } methods[] = {
    { "merson", bounce<RungeKuttaMersonIntegrator>, 1e-11 }, { "adams", bounce<Adams>, 1e-12 }, { "bdf", bounce<CPodesIntegrator>, 1e-12 } };

// With functional iteration steps become shorter and shorter while a ball spins.
static void run(const char *peer, Ball *ball, bool spins)
{
    double reference[HC_GRID][2];
    if (!hc_solve(ball->c, 10000, reference)) return;
    std::printf("law %s %.1e\n", peer, ball->law_difference());
    for (auto &m : methods)
        for (int i = 0; hc_setting(i) > 0.9*m.last && !(spins && m.run == bounce<Adams>); i++) hc_row(peer, ball->c, m.name, hc_setting(i), reference, m.run, ball);
    delete ball;
}

// Once as a free body, as it is in carom, and once with three translations only, which is less work.
int main()
{
    for (const HcCase &c : hc_cases) {
        run("simbody", Ball::create<MobilizedBody::Free>(&c), c.friction > 0);
        run("simbody-3", Ball::create<MobilizedBody::Translation>(&c), false);
    }
}
