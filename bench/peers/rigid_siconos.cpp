// Siconos: the ball of rigid.h, event-driven (LSODAR with roots, complementarity of impacts and of accelerations) and by the time stepping of Moreau and Jean.
#include <SiconosKernel.hpp>

#include "../rigid.h"

struct Ball {
    SP::LagrangianLinearTIDS body;
    SP::NonSmoothDynamicalSystem system;

    Ball()
    {
        SP::SiconosVector q(new SiconosVector(3)), v(new SiconosVector(3)), weight(new SiconosVector(3));
        (*q)(0) = ball_radius + ball_drop;
        (*weight)(0) = -ball_mass*rigid_gravity;
        SP::SimpleMatrix M(new SimpleMatrix(3, 3)), H(new SimpleMatrix(1, 3));
        (*M)(0, 0) = (*M)(1, 1) = ball_mass;
        (*M)(2, 2) = 0.4*ball_mass*ball_radius*ball_radius;
        (*H)(0, 0) = 1;
        SP::SiconosVector b(new SiconosVector(1));
        (*b)(0) = -ball_radius;
        body.reset(new LagrangianLinearTIDS(q, v, M));
        body->setFExtPtr(weight);
        SP::NonSmoothLaw law(new NewtonImpactNSL(ball_restitution));
        SP::Relation relation(new LagrangianLinearTIR(H, b));
        SP::Interaction contact(new Interaction(law, relation));
        system.reset(new NonSmoothDynamicalSystem(0, ball_end));
        system->insertDynamicalSystem(body);
        system->link(contact, body);
    }

    void note(void *notes, double time) { ball_note(notes, time, (*body->q())(0) - ball_radius, (*body->velocity())(0)); }
};

// Samples are the events: times of the grid, and impacts, twice each. An impact has a flag, and is not noted: the others note none either.
static double by_events(void *, double every, void *notes)
{
    Ball ball;
    SP::TimeDiscretisation grid(new TimeDiscretisation(0, every));
    SP::OneStepIntegrator method(new LsodarOSI());
    SP::OneStepNSProblem impact(new LCP()), acceleration(new LCP());
    SP::EventDriven simulation(new EventDriven(ball.system, grid));
    simulation->insertIntegrator(method);
    simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
    simulation->insertNonSmoothProblem(acceleration, SICONOS_OSNSP_ED_SMOOTH_ACC);
    double begin = rigid_seconds();
    SP::EventsManager events = simulation->eventsManager();
    while (simulation->hasNextEvent()) {
        simulation->advanceToEvent();
        simulation->processEvents();
        if (events->currentEvent()->getType() == TD_EVENT) ball.note(notes, simulation->startingTime());
    }
    return rigid_seconds() - begin;
}

static double by_steps(void *, double dt, void *notes)
{
    Ball ball;
    SP::TimeDiscretisation grid(new TimeDiscretisation(0, dt));
    SP::OneStepIntegrator method(new MoreauJeanOSI(0.5));
    SP::OneStepNSProblem impulses(new LCP());
    SP::TimeStepping simulation(new TimeStepping(ball.system, grid, method, impulses));
    double begin = rigid_seconds();
    while (simulation->hasNextEvent()) {
        simulation->computeOneStep();
        ball.note(notes, simulation->nextTime());
        simulation->nextStep();
    }
    return rigid_seconds() - begin;
}

int main()
{
    for (double every : { 0.01, 0.1 }) ball_row("siconos", "events,every", every, by_events, nullptr);
    for (double dt : { 1e-3, 1e-4 }) ball_row("siconos", "moreau,dt", dt, by_steps, nullptr);
}
