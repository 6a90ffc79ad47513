// contact_world.c -- contacts for a multibody code of your own. The code here is a small one: a crank turns at a given
// speed, and on its way it strikes a ball on a table.
//
//     cc contact_world.c $(pkg-config --cflags --libs carom) -lm
#include <stdio.h>

#include <carom/carom.h>

enum { TABLE, CRANK, BALL, BODIES };
static const char *const bodies[BODIES] = { "table", "crank", "ball" };

// The bodies, their shapes and what they are made of; a model file would do as well (modelfile.h).
static caromModel *create_model(caromProblems *problems)
{
    caromBuilder *b = carom_builder_create();
    caromPairDef wood = carom_model_pair_def("wood", "wood");
    wood.restitution = 0.6;
    wood.friction = 0.25;
    wood.rolling = 0.001;
    carom_builder_pair(b, &wood);
    const caromShape shapes[BODIES] = { carom_shape_half_space(), carom_shape_box(0.3, 0.04, 0.04),
                                        carom_shape_sphere(0.03) };
    for (int k = 0; k < BODIES; k++) {
        caromShapeDef shape = carom_model_shape_def(shapes[k]);
        if (k == CRANK) shape.p_BS = carom_vec(0.15, 0, 0);  // it turns about one end, the origin of its body
        caromBodyDef body = carom_model_body_def(bodies[k]);
        body.material = "wood";
        body.shapes = &shape;
        body.nshape = 1;
        body.fixed = k == TABLE;
        carom_builder_body(b, &body);
    }
    caromModel *model = NULL;
    carom_builder_ignore(b, "table", "crank");
    carom_builder_finish(b, problems, &model);
    carom_builder_destroy(b);
    return model;
}

// The state of this code: where the ball is, how fast it moves and spins. It looks the same from all sides, so its
// orientation does not matter.
typedef struct State {
    caromVec3 p, v, w;
} State;

typedef struct Code {
    caromContactWorld *world;
    double mass, inertia;  // of the ball
    double time;
    State state;
} Code;

static caromStatus place(Code *code, double time, State s)
{
    const double speed = 6;  // of the crank [rad/s]
    caromPose X_WB[BODIES];
    caromSpatial V_WB[BODIES] = { 0 };
    for (int k = 0; k < BODIES; k++) X_WB[k] = carom_pose_identity();
    X_WB[CRANK] = carom_pose(carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), speed*time)),
                             carom_vec(0, 0, 0.04));
    V_WB[CRANK].angular = carom_vec(0, 0, speed);
    X_WB[BALL].p = s.p;
    V_WB[BALL].linear = s.v;
    V_WB[BALL].angular = s.w;
    return carom_world_place(code->world, time, X_WB, V_WB, NULL);
}

// Newton and Euler, with what the contacts do.
static caromStatus rates(Code *code, double time, State s, State *rate)
{
    caromSpatial F_B[BODIES] = { 0 };
    caromStatus status = place(code, time, s);
    if (status == CAROM_OK) status = carom_world_wrenches(code->world, NULL, F_B, NULL, NULL);
    rate->p = s.v;
    rate->v = carom_axpy(1/code->mass, F_B[BALL].linear, carom_vec(0, 0, -9.81));
    rate->w = carom_scale(1/code->inertia, F_B[BALL].angular);
    return status;
}

static State moved(State s, double h, State rate)
{
    State there = { carom_axpy(h, rate.p, s.p), carom_axpy(h, rate.v, s.v), carom_axpy(h, rate.w, s.w) };
    return there;
}

// The classical Runge-Kutta method. What is evaluated on the way leaves no trace in the world, so a step may be thrown
// away.
static caromStatus step(Code *code, double h, State *end)
{
    State k[4], sum;
    caromStatus status = rates(code, code->time, code->state, &k[0]);
    for (int i = 1; i < 4 && status == CAROM_OK; i++) {
        double part = i < 3 ? 0.5*h : h;
        status = rates(code, code->time + part, moved(code->state, part, k[i - 1]), &k[i]);
    }
    if (status != CAROM_OK) return status;
    sum = moved(moved(moved(k[0], 2, k[1]), 2, k[2]), 1, k[3]);
    *end = moved(code->state, h/6, sum);
    return CAROM_OK;
}

// Short enough for the contacts: a part of the time that their impact takes, and of what their springs and friction
// need.
static double step_size(const Code *code)
{
    int pairs[BODIES], n = carom_world_touching(code->world, pairs, BODIES);
    double h = 1e-3;
    caromWorldPower power;
    caromSpatial F_B[BODIES];
    caromTouchInfo info;
    caromStatus status = carom_world_wrenches(code->world, NULL, F_B, NULL, &power);
    if (status >= 0 && power.rate > 0) h = fmin(h, 1/power.rate);
    for (int i = 0; i < n; i++)
        if (carom_world_touch_info(code->world, pairs[i], &info) == CAROM_OK) h = fmin(h, 0.01*info.duration);
    return h;
}

// A root function changes its sign: does a pair that touches part, or one that is apart meet?
static bool changes(Code *code, int pair, double time, State s)
{
    double rate;
    place(code, time, s);
    double g = carom_world_gap(code->world, pair, &rate).g;
    return carom_world_is_touching(code->world, pair) ? g > 0 : g < 0 && rate < 0;
}

// The step is halved until it ends right behind the event.
static double locate(Code *code, int pair, double h, State *end)
{
    double low = 0, high = h;
    while (high - low > 1e-12) {
        double middle = 0.5*(low + high);
        if (step(code, middle, end) == CAROM_OK && changes(code, pair, code->time + middle, *end)) high = middle;
        else low = middle;
    }
    step(code, high, end);
    return high;
}

static void tell(const caromModel *model, const caromEvent *e)
{
    char name[64];
    carom_model_pair_name(model, e->about.pair, name, sizeof name);
    if (e->kind == CAROM_EVENT_TOUCH) {
        printf("%.4f s  %-12s meet at %.3f m/s\n", e->time, name, e->touch.speed);
        return;
    }
    const caromSeparationEvent *end = &e->separation;
    printf("%.4f s  %-12s part at %.3f m/s, after %.2f ms, restitution %.3f\n", e->time, name, end->speed,
           1e3*end->duration, end->restitution);
}

int main(void)
{
    caromProblems problems = { 0 };
    caromError err;
    caromModel *model = create_model(&problems);
    if (!model) {
        for (int i = 0; i < problems.count; i++)
            fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
        return 1;
    }
    caromBodyId ball = { BALL };
    caromMassProps props = carom_model_body_mass(model, ball);
    Code code = { NULL, props.mass, props.inertia.cx.x, 0, { { 0, 0.2, 0.03 }, { 0, 0, 0 }, { 0, 0, 0 } } };
    if (carom_world_create(model, &code.world, &err) != CAROM_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    place(&code, 0, code.state);
    carom_world_events(code.world, NULL, NULL, 0, NULL);  // the ball lies on the table

    while (code.time < 0.5) {
        double h = fmin(step_size(&code), carom_world_next_change(code.world) - code.time);
        State end;
        if (step(&code, h, &end) != CAROM_OK) return 1;
        int first = -1;
        for (int pair = 0; pair < carom_world_pair_count(code.world); pair++) {
            if (!changes(&code, pair, code.time + h, end)) continue;
            h = locate(&code, pair, h, &end);
            first = pair;
        }
        code.time += h;
        code.state = end;
        place(&code, code.time, end);
        carom_world_change(code.world);  // contacts that have come to rest
        if (first < 0) continue;
        caromEvent event;
        bool parts = carom_world_is_touching(code.world, first);
        caromStatus status = parts ? carom_world_separate(code.world, first, NULL, &event)
                                   : carom_world_touch(code.world, first, NAN, NULL, &event, &err);
        if (status != CAROM_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        tell(model, &event);
    }
    printf("%.4f s  the ball is at (%.3f %.3f %.3f) m and moves at (%.3f %.3f %.3f) m/s\n", code.time, code.state.p.x,
           code.state.p.y, code.state.p.z, code.state.v.x, code.state.v.y, code.state.v.z);
    carom_world_destroy(code.world);
    carom_model_destroy(model);
    carom_problems_free(&problems);
    return 0;
}
