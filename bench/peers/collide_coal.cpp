// Coal's rows of the collision benchmark: its three kinds of GJK, started from the bounding volumes or from the last answer.
//
// Tolerances are the usual ones. EPA may take 128 iterations: its default of 64 is not enough for 512 vertices, and it clears storage for all that it may take,
// so that 1000 would cost 8 us in each query. Functors as its documentation advises, one for each pair of kinds.
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <memory>
#include <vector>

#include "../collide.h"

using Geometry = std::shared_ptr<coal::CollisionGeometry>;

struct Distance : coal::ComputeDistance {
    using coal::ComputeDistance::ComputeDistance;
    void aim(const coal::CollisionGeometry *a, const coal::CollisionGeometry *b) { o1 = a, o2 = b; }
};

struct Collision : coal::ComputeCollision {
    using coal::ComputeCollision::ComputeCollision;
    void aim(const coal::CollisionGeometry *a, const coal::CollisionGeometry *b) { o1 = a, o2 = b; }
};

struct Engine {
    std::vector<Geometry> hulls;
    std::vector<Geometry> solids;                   // two of each case
    std::vector<coal::Transform3s> poses;           // two of each query
    std::unique_ptr<Distance> distance[BENCH_KINDS][BENCH_KINDS];
    std::unique_ptr<Collision> collision[BENCH_KINDS][BENCH_KINDS];
};

struct Setting {
    Engine *engine;
    coal::DistanceRequest fresh, request;
};

static Geometry hull_of(const BenchHull &hull)
{
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    auto faces = std::make_shared<std::vector<coal::Triangle>>();
    for (int i = 0; i < hull.nv; i++) points->emplace_back(hull.v[i][0], hull.v[i][1], hull.v[i][2]);
    for (int i = 0; i < hull.nf; i++) faces->emplace_back(hull.f[i][0], hull.f[i][1], hull.f[i][2]);
    return std::make_shared<coal::Convex<coal::Triangle>>(points, unsigned(hull.nv), faces, unsigned(hull.nf));
}

static Geometry solid_of(const Engine &engine, const BenchSolid &s)
{
    const double *p = s.p;
    switch (s.kind) {
    case BENCH_SPHERE: return std::make_shared<coal::Sphere>(p[0]);
    case BENCH_BOX: return std::make_shared<coal::Box>(2*p[0], 2*p[1], 2*p[2]);
    case BENCH_CYLINDER: return std::make_shared<coal::Cylinder>(p[0], 2*p[1]);
    case BENCH_CONE: return std::make_shared<coal::Cone>(p[0], 2*p[1]);
    case BENCH_CAPSULE: return std::make_shared<coal::Capsule>(p[0], 2*p[1]);
    case BENCH_ELLIPSOID: return std::make_shared<coal::Ellipsoid>(p[0], p[1], p[2]);
    default: return engine.hulls[s.hull];
    }
}

static coal::Transform3s pose_of(const BenchPose &X)
{
    coal::Matrix3s R;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R(i, j) = X.R[i][j];
    return coal::Transform3s(R, coal::Vec3s(X.t[0], X.t[1], X.t[2]));
}

static bool signed_distance(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Setting &s = *static_cast<Setting *>(user);
    const Engine &e = *s.engine;
    Distance &distance = *e.distance[c->a.kind][c->b.kind];
    coal::DistanceResult result;
    distance.aim(e.solids[2*c->id].get(), e.solids[2*c->id + 1].get());
    distance(e.poses[2*q->id], e.poses[2*q->id + 1], s.request, result);
    *g = result.min_distance;
    return true;
}

static bool signed_distance_warm(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    Setting &s = *static_cast<Setting *>(user);
    const Engine &e = *s.engine;
    Distance &distance = *e.distance[c->a.kind][c->b.kind];
    coal::DistanceResult result;
    distance.aim(e.solids[2*c->id].get(), e.solids[2*c->id + 1].get());
    distance(e.poses[2*q->id], e.poses[2*q->id + 1], s.request, result);
    s.request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    s.request.updateGuess(result);
    *g = result.min_distance;
    return true;
}

static void forget(void *user, const BenchCase *)
{
    Setting &s = *static_cast<Setting *>(user);
    s.request = s.fresh;
}

static bool overlap(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Setting &s = *static_cast<Setting *>(user);
    const Engine &e = *s.engine;
    Collision &collision = *e.collision[c->a.kind][c->b.kind];
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    request.gjk_initial_guess = coal::GJKInitialGuess::BoundingVolumeGuess;
    coal::CollisionResult result;
    collision.aim(e.solids[2*c->id].get(), e.solids[2*c->id + 1].get());
    collision(e.poses[2*q->id], e.poses[2*q->id + 1], request, result);
    *g = result.isCollision() ? -1 : 1;
    return true;
}

static Setting setting(Engine *engine, coal::GJKVariant variant)
{
    Setting s;
    s.engine = engine;
    s.fresh.gjk_variant = variant;
    s.fresh.gjk_initial_guess = coal::GJKInitialGuess::BoundingVolumeGuess;
    s.fresh.gjk_max_iterations = 1000;
    s.fresh.epa_max_iterations = 128;
    s.request = s.fresh;
    return s;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    BenchCases all = bench_read_cases(argv[1]);
    Engine e;
    for (int i = 0; i < all.nhull; i++) e.hulls.push_back(hull_of(all.hulls[i]));
    for (int i = 0; i < all.ncase; i++) {
        const BenchCase &c = all.cases[i];
        e.solids.push_back(solid_of(e, c.a));
        e.solids.push_back(solid_of(e, c.b));
        e.solids[2*i]->computeLocalAABB();
        e.solids[2*i + 1]->computeLocalAABB();
        if (!e.distance[c.a.kind][c.b.kind]) {
            e.distance[c.a.kind][c.b.kind] = std::make_unique<Distance>(e.solids[2*i].get(), e.solids[2*i + 1].get());
            e.collision[c.a.kind][c.b.kind] = std::make_unique<Collision>(e.solids[2*i].get(), e.solids[2*i + 1].get());
        }
        for (int k = 0; k < c.nquery; k++) {
            e.poses.push_back(pose_of(c.queries[k].a));
            e.poses.push_back(pose_of(c.queries[k].b));
        }
    }
    Setting gjk = setting(&e, coal::GJKVariant::DefaultGJK), nesterov = setting(&e, coal::GJKVariant::NesterovAcceleration),
            polyak = setting(&e, coal::GJKVariant::PolyakAcceleration);
    const unsigned kinds = (1u << BENCH_KINDS) - 1;
    const int both = BENCH_DISTANCE | BENCH_DEPTH;
    const BenchEngine engines[] = {
        { "coal-gjk", both, kinds, signed_distance, forget, &gjk },
        { "coal-nesterov", both, kinds, signed_distance, forget, &nesterov },
        { "coal-polyak", both, kinds, signed_distance, forget, &polyak },
        { "coal-gjk-warm", both | BENCH_WARM, kinds, signed_distance_warm, forget, &gjk },
        { "coal-nesterov-warm", both | BENCH_WARM, kinds, signed_distance_warm, forget, &nesterov },
        { "coal-polyak-warm", both | BENCH_WARM, kinds, signed_distance_warm, forget, &polyak },
        { "coal-overlap", BENCH_OVERLAP, kinds, overlap, nullptr, &gjk },
    };
    printf("version coal %s\n", COAL_VERSION);
    int status = bench_collide_run(argc, argv, &all, engines, int(sizeof engines/sizeof engines[0]));
    bench_free_cases(&all);
    return status;
}
