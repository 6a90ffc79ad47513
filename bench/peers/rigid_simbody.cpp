// Simbody: the ellipsoid of rigid.h, on its compliant contact of Hertz, Hunt and Crossley, stiff enough to be nearly rigid.
#include <Simbody.h>

#include "../rigid.h"

using namespace SimTK;

static const double modulus = 1e8;  // plane strain, of both [Pa]: the centre is 0.2 mm low

struct Egg {
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    ContactTrackerSubsystem tracker;
    CompliantContactSubsystem contacts;
    Force::UniformGravity gravity;
    MobilizedBody body;

    Egg() : matter(system), forces(system), tracker(system), contacts(system, tracker), gravity(forces, matter, Vec3(0, 0, -rigid_gravity))
    {
        system.setUseUniformBackground(true);
        contacts.setTransitionVelocity(egg_delta);
        ContactMaterial material(modulus, 0.1, egg_friction, egg_friction, 0);
        // Its half-space fills x > 0.
        matter.updGround().updBody().addContactSurface(Transform(Rotation(Pi/2, YAxis), Vec3(0)), ContactSurface(ContactGeometry::HalfSpace(), material));
        Body::Rigid rigid(MassProperties(egg_mass, Vec3(0), Inertia(egg_inertia(0), egg_inertia(1), egg_inertia(2))));
        rigid.addContactSurface(Transform(), ContactSurface(ContactGeometry::Ellipsoid(Vec3(egg_axes[0], egg_axes[1], egg_axes[2])), material));
        body = MobilizedBody::Free(matter.updGround(), Transform(), rigid, Transform());
        system.realizeTopology();
    }
};

static double rise(void *, double accuracy, void *notes)
{
    Egg egg;
    State state = egg.system.getDefaultState();
    egg.body.setQToFitTranslation(state, Vec3(0, 0, egg_axes[2]));
    egg.body.setUToFitVelocity(state, SpatialVec(Vec3(egg_spin[0], egg_spin[1], egg_spin[2]), Vec3(egg_velocity[0], egg_velocity[1], egg_velocity[2])));
    RungeKuttaMersonIntegrator method(egg.system);
    method.setAccuracy(accuracy);
    method.setFinalTime(egg_end);
    double begin = rigid_seconds();
    TimeStepper stepper(egg.system, method);
    stepper.initialize(state);
    for (int k = 1; k <= egg_samples; k++) {
        stepper.stepTo(egg_time(k));
        egg_note(notes, egg_time(k), egg.body.getBodyOriginLocation(method.getState())[2], egg.body.getBodyOriginVelocity(method.getState())[2]);
    }
    return rigid_seconds() - begin;
}

int main()
{
    for (double accuracy : { 1e-3, 1e-5 }) egg_row("simbody", "accuracy", accuracy, rise, nullptr);
}
