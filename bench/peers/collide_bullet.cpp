// Bullet's rows of the collision benchmark, in the precision it is compiled for. It has no ellipsoid.
//
// Margins are zero except where they are the radius (sphere, capsule). btGjkEpaSolver2::Distance leaves those out, so they are taken off here.
// Guesses are directions in the frame of A: from B to A for Distance, from A to B for Penetration. btGjkPairDetector forgets
// its separating axis in each call; only btGjkEpaSolver2 can be started warm.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <memory>
#include <vector>

#include "../collide.h"

#ifdef BT_USE_DOUBLE_PRECISION
#define PRECISION "f64"
#else
#define PRECISION "f32"
#endif

using Shape = std::shared_ptr<btConvexShape>;

struct Pose {
    btTransform a, b;
};

struct Engine {
    std::vector<Shape> hulls;
    std::vector<Shape> solids;          // two of each case
    btAlignedObjectArray<Pose> poses;   // of each query
    btAlignedObjectArray<btVector3> guesses;  // of each case; zero: none yet
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
};

static Shape hull_of(const BenchHull &hull)
{
    auto shape = std::make_shared<btConvexHullShape>();
    for (int i = 0; i < hull.nv; i++) shape->addPoint(btVector3(btScalar(hull.v[i][0]), btScalar(hull.v[i][1]), btScalar(hull.v[i][2])), false);
    shape->recalcLocalAabb();
    return shape;
}

static Shape solid_of(const Engine &engine, const BenchSolid &s)
{
    const btScalar p[3] = { btScalar(s.p[0]), btScalar(s.p[1]), btScalar(s.p[2]) };
    switch (s.kind) {
    case BENCH_SPHERE: return std::make_shared<btSphereShape>(p[0]);
    case BENCH_BOX: return std::make_shared<btBoxShape>(btVector3(p[0], p[1], p[2]));
    case BENCH_CYLINDER: return std::make_shared<btCylinderShapeZ>(btVector3(p[0], p[0], p[1]));
    case BENCH_CONE: return std::make_shared<btConeShapeZ>(p[0], 2*p[1]);
    case BENCH_CAPSULE: return std::make_shared<btCapsuleShapeZ>(p[0], 2*p[1]);
    case BENCH_HULL: return engine.hulls[s.hull];
    default: return nullptr;
    }
}

static btTransform pose_of(const BenchPose &X)
{
    btMatrix3x3 R;
    for (int i = 0; i < 3; i++) R[i].setValue(btScalar(X.R[i][0]), btScalar(X.R[i][1]), btScalar(X.R[i][2]));
    return btTransform(R, btVector3(btScalar(X.t[0]), btScalar(X.t[1]), btScalar(X.t[2])));
}

static bool is_grown(const btConvexShape &s)
{
    return s.getShapeType() == SPHERE_SHAPE_PROXYTYPE || s.getShapeType() == CAPSULE_SHAPE_PROXYTYPE;
}

static btVector3 from_a_to_b(const Pose &X) { return (X.b.getOrigin() - X.a.getOrigin())*X.a.getBasis(); }

static bool epa_distance(const btConvexShape &a, const btConvexShape &b, const Pose &X, const btVector3 &guess, btGjkEpaSolver2::sResults &result, double *g)
{
    bool is_answer = btGjkEpaSolver2::Distance(&a, X.a, &b, X.b, guess, result);
    *g = double(result.distance) - double(is_grown(a) ? a.getMargin() : 0) - double(is_grown(b) ? b.getMargin() : 0);
    return is_answer;
}

static bool gjk_epa(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    Engine &e = *static_cast<Engine *>(user);
    const btConvexShape &a = *e.solids[2*c->id], &b = *e.solids[2*c->id + 1];
    const Pose &X = e.poses[q->id];
    btGjkEpaSolver2::sResults result;
    if (q->g > 0) return epa_distance(a, b, X, -from_a_to_b(X), result, g);
    bool is_answer = btGjkEpaSolver2::Penetration(&a, X.a, &b, X.b, from_a_to_b(X), result);
    *g = result.distance;
    return is_answer;
}

static bool gjk_epa_warm(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    Engine &e = *static_cast<Engine *>(user);
    const btConvexShape &a = *e.solids[2*c->id], &b = *e.solids[2*c->id + 1];
    const Pose &X = e.poses[q->id];
    btVector3 &last = e.guesses[c->id];
    btGjkEpaSolver2::sResults result;
    bool is_answer, has_guess = last.length2() > 0;
    if (q->g > 0) {
        is_answer = epa_distance(a, b, X, has_guess ? last : -from_a_to_b(X), result, g);
        last = result.normal*result.distance;
    } else {
        is_answer = btGjkEpaSolver2::Penetration(&a, X.a, &b, X.b, has_guess ? last : from_a_to_b(X), result);
        *g = result.distance;
        last = result.normal;
    }
    return is_answer;
}

static void forget(void *user, const BenchCase *c)
{
    static_cast<Engine *>(user)->guesses[c->id].setZero();
}

static bool pair_detector(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    Engine &e = *static_cast<Engine *>(user);
    const btConvexShape *a = e.solids[2*c->id].get(), *b = e.solids[2*c->id + 1].get();
    btGjkPairDetector detector(a, b, &e.simplex, &e.depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = e.poses[q->id].a;
    input.m_transformB = e.poses[q->id].b;
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    *g = result.m_distance;
    return result.m_hasResult;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    BenchCases all = bench_read_cases(argv[1]);
    auto owner = std::make_unique<Engine>();
    Engine &e = *owner;
    for (int i = 0; i < all.nhull; i++) e.hulls.push_back(hull_of(all.hulls[i]));
    for (int i = 0; i < all.ncase; i++) {
        const BenchCase &c = all.cases[i];
        e.solids.push_back(solid_of(e, c.a));
        e.solids.push_back(solid_of(e, c.b));
        for (int k = 0; k < c.nquery; k++) e.poses.push_back({ pose_of(c.queries[k].a), pose_of(c.queries[k].b) });
        e.guesses.push_back(btVector3(0, 0, 0));
    }
    for (Shape &solid : e.solids)
        if (solid && !is_grown(*solid)) solid->setMargin(0);
    const unsigned kinds = (1u << BENCH_KINDS) - 1 - (1u << BENCH_ELLIPSOID);
    const BenchEngine engines[] = {
        { "bullet-gjkepa-" PRECISION, BENCH_DISTANCE | BENCH_DEPTH, kinds, gjk_epa, nullptr, &e },
        { "bullet-pair-" PRECISION, BENCH_DISTANCE | BENCH_DEPTH, kinds, pair_detector, nullptr, &e },
        { "bullet-gjkepa-warm-" PRECISION, BENCH_DISTANCE | BENCH_DEPTH | BENCH_WARM, kinds, gjk_epa_warm, forget, &e },
    };
    printf("version bullet-" PRECISION " %d.%02d\n", BT_BULLET_VERSION/100, BT_BULLET_VERSION%100);
    int status = bench_collide_run(argc, argv, &all, engines, int(sizeof engines/sizeof engines[0]));
    bench_free_cases(&all);
    return status;
}
