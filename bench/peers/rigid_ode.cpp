// Open Dynamics Engine: the ball of rigid.h. It has no ellipsoid.
#include <ode/ode.h>

#include <initializer_list>

#include "../rigid.h"

static_assert(sizeof(dReal) == sizeof(double), "this program measures the build with double precision");

struct World {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body;

    World() : world(dWorldCreate()), space(dSimpleSpaceCreate(nullptr)), contacts(dJointGroupCreate(0)), body(dBodyCreate(world))
    {
        dWorldSetGravity(world, 0, 0, -rigid_gravity);
        dCreatePlane(space, 0, 0, 1, 0);
        dGeomSetBody(dCreateSphere(space, ball_radius), body);
        dMass mass;
        dMassSetSphereTotal(&mass, ball_mass, ball_radius);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, 0, 0, ball_radius + ball_drop);
    }
    World(const World &) = delete;
    ~World()
    {
        dJointGroupDestroy(contacts);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }

    static void touch(void *user, dGeomID a, dGeomID b)
    {
        World *w = static_cast<World *>(user);
        dContact contact = {};
        contact.surface.mode = dContactBounce;
        contact.surface.bounce = ball_restitution;
        contact.surface.bounce_vel = 1e-3;
        if (dCollide(a, b, 1, &contact.geom, sizeof contact) > 0) dJointAttach(dJointCreateContact(w->world, w->contacts, &contact), dGeomGetBody(a), dGeomGetBody(b));
    }

    void step(double dt)
    {
        dSpaceCollide(space, this, touch);
        dWorldStep(world, dt);
        dJointGroupEmpty(contacts);
    }
};

static double bounce(void *, double dt, void *notes)
{
    World w;
    double begin = rigid_seconds();
    for (long k = 1, n = lround(ball_end/dt); k <= n; k++) {
        w.step(dt);
        ball_note(notes, ball_end*double(k)/double(n), dBodyGetPosition(w.body)[2] - ball_radius, dBodyGetLinearVel(w.body)[2]);
    }
    return rigid_seconds() - begin;
}

int main()
{
    dInitODE();
    for (double dt : { 1.0/240, 1e-3, 1e-4, 1e-5 }) ball_row("ode", "dt", dt, bounce, nullptr);
    dCloseODE();
}
