// FCL's rows of the collision benchmark: distance and signed distance with the solver that stands on libccd.
#include <fcl/config.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

#include "../collide.h"

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Engine {
    std::vector<Geometry> hulls;
    std::vector<Geometry> solids;            // two of each case
    std::vector<fcl::Transform3d> poses;     // two of each query
};

struct Setting {
    const Engine *engine;
    fcl::DistanceRequestd request;
};

static Geometry hull_of(const BenchHull &hull)
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < hull.nv; i++) vertices->emplace_back(hull.v[i][0], hull.v[i][1], hull.v[i][2]);
    for (int i = 0; i < hull.nf; i++) faces->insert(faces->end(), { 3, hull.f[i][0], hull.f[i][1], hull.f[i][2] });
    return std::make_shared<fcl::Convexd>(vertices, hull.nf, faces);
}

static Geometry solid_of(const Engine &engine, const BenchSolid &s)
{
    const double *p = s.p;
    switch (s.kind) {
    case BENCH_SPHERE: return std::make_shared<fcl::Sphered>(p[0]);
    case BENCH_BOX: return std::make_shared<fcl::Boxd>(2*p[0], 2*p[1], 2*p[2]);
    case BENCH_CYLINDER: return std::make_shared<fcl::Cylinderd>(p[0], 2*p[1]);
    case BENCH_CONE: return std::make_shared<fcl::Coned>(p[0], 2*p[1]);
    case BENCH_CAPSULE: return std::make_shared<fcl::Capsuled>(p[0], 2*p[1]);
    case BENCH_ELLIPSOID: return std::make_shared<fcl::Ellipsoidd>(p[0], p[1], p[2]);
    default: return engine.hulls[s.hull];
    }
}

static fcl::Transform3d pose_of(const BenchPose &X)
{
    fcl::Transform3d T = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T.linear()(i, j) = X.R[i][j];
        T.translation()[i] = X.t[i];
    }
    return T;
}

static bool distance(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Setting &s = *static_cast<Setting *>(user);
    const Engine &e = *s.engine;
    fcl::DistanceResultd result;
    try {
        fcl::distance(e.solids[2*c->id].get(), e.poses[2*q->id], e.solids[2*c->id + 1].get(), e.poses[2*q->id + 1], s.request, result);
    } catch (const std::exception &) {
        return false;
    }
    *g = result.min_distance;
    return true;
}

static bool overlap(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Engine &e = *static_cast<Engine *>(user);
    fcl::CollisionRequestd request(1, false);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResultd result;
    fcl::collide(e.solids[2*c->id].get(), e.poses[2*q->id], e.solids[2*c->id + 1].get(), e.poses[2*q->id + 1], request, result);
    *g = result.isCollision() ? -1 : 1;
    return true;
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
        for (int k = 0; k < c.nquery; k++) {
            e.poses.push_back(pose_of(c.queries[k].a));
            e.poses.push_back(pose_of(c.queries[k].b));
        }
    }
    for (Geometry &solid : e.solids) solid->computeLocalAABB();
    Setting usual = { &e, fcl::DistanceRequestd(true, false, 0, 0, 1e-6, fcl::GST_LIBCCD) };
    Setting tight = { &e, fcl::DistanceRequestd(true, false, 0, 0, 1e-10, fcl::GST_LIBCCD) };
    Setting signed_distance = { &e, fcl::DistanceRequestd(true, true, 0, 0, 1e-6, fcl::GST_LIBCCD) };
    const unsigned kinds = (1u << BENCH_KINDS) - 1;
    const BenchEngine engines[] = {
        { "fcl", BENCH_DISTANCE, kinds, distance, nullptr, &usual },
        { "fcl-1e-10", BENCH_DISTANCE, kinds, distance, nullptr, &tight },
        { "fcl-signed", BENCH_DEPTH, kinds, distance, nullptr, &signed_distance },
        { "fcl-overlap", BENCH_OVERLAP, kinds, overlap, nullptr, &e },
    };
    printf("version fcl %s\n", FCL_VERSION);
    int status = bench_collide_run(argc, argv, &all, engines, int(sizeof engines/sizeof engines[0]));
    bench_free_cases(&all);
    return status;
}
