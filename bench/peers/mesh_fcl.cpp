// FCL's rows of the benchmark of meshes: hierarchies of OBBRSS. Its distance cannot be started from an earlier answer: paths are asked pose by pose.
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "../mesh.h"

using Model = fcl::BVHModel<fcl::OBBRSSd>;

struct Soup {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
};

struct Engine {
    std::vector<std::unique_ptr<Model>> models;
    std::vector<fcl::Transform3d> poses;  // two of each
};

static Soup soup_of(const BenchMesh &m)
{
    Soup soup;
    for (int i = 0; i < m.nv; i++) soup.vertices.emplace_back(m.v[i][0], m.v[i][1], m.v[i][2]);
    for (int i = 0; i < m.nt; i++) soup.triangles.emplace_back(m.t[i][0], m.t[i][1], m.t[i][2]);
    return soup;
}

static std::unique_ptr<Model> model_of(const Soup &soup)
{
    auto model = std::make_unique<Model>();
    model->beginModel(int(soup.triangles.size()), int(soup.vertices.size()));
    model->addSubModel(soup.vertices, soup.triangles);
    model->endModel();
    return model;
}

static fcl::Transform3d pose_of(const double R[3][3], const double t[3])
{
    fcl::Transform3d T = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T.linear()(i, j) = R[i][j];
        T.translation()[i] = t[i];
    }
    return T;
}

static double distance(void *user, const BenchMeshCase *c, int pose)
{
    const Engine &e = *static_cast<Engine *>(user);
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    fcl::distance(e.models[c->a].get(), e.poses[2*pose], e.models[c->b].get(), e.poses[2*pose + 1], request, result);
    return result.min_distance;
}

static double overlap(void *user, const BenchMeshCase *c, int pose)
{
    const Engine &e = *static_cast<Engine *>(user);
    fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    fcl::collide(e.models[c->a].get(), e.poses[2*pose], e.models[c->b].get(), e.poses[2*pose + 1], request, result);
    return result.isCollision() ? -1.0 : double(INFINITY);
}

// All triangles that cross: the nearest to witness pairs that it has.
static double crossings(void *user, const BenchMeshCase *c, int pose)
{
    const Engine &e = *static_cast<Engine *>(user);
    fcl::CollisionRequestd request(1 << 20, true);
    fcl::CollisionResultd result;
    fcl::collide(e.models[c->a].get(), e.poses[2*pose], e.models[c->b].get(), e.poses[2*pose + 1], request, result);
    return double(result.numContacts());
}

static void time_building(const BenchMeshes &all)
{
    for (int i = 0; i < all.nmesh; i++) {
        double best = INFINITY;
        const Soup soup = soup_of(all.meshes[i]);
        for (int k = 0; k < 2*BENCH_MESH_ROUNDS; k++) {
            double begin = bench_mesh_us();
            auto model = model_of(soup);
            best = std::min(best, bench_mesh_us() - begin);
        }
        bench_mesh_row("build", "fcl", all.meshes[i].name, best, 0, 1, 0);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    BenchMeshes all = bench_mesh_read(argv[1]);
    Engine e;
    for (int i = 0; i < all.nmesh; i++) e.models.push_back(bench_mesh_is_needed(argc, argv, &all, i) ? model_of(soup_of(all.meshes[i])) : nullptr);
    for (int i = 0; i < all.npose; i++) {
        e.poses.push_back(pose_of(all.poses[i].R_a, all.poses[i].t_a));
        e.poses.push_back(pose_of(all.poses[i].R_b, all.poses[i].t_b));
    }
    for (auto &model : e.models)
        if (model) model->computeLocalAABB();
    const BenchMeshEngine engines[] = {
        { "distance", "fcl", "far near", BENCH_GAPS, 1, distance, &e },
        { "seeded", "fcl", "path-far path-near", BENCH_GAPS, 10, distance, &e },
        { "overlap", "fcl", "near touching", BENCH_GAPS, 1, overlap, &e },
        { "standoff", "fcl", "touching", BENCH_COUNTS, 1, crossings, &e },
    };
    printf("version fcl %s\n", FCL_VERSION);
    if (argc == 2) time_building(all);
    bench_mesh_run(argc, argv, &all, engines, int(sizeof engines/sizeof engines[0]));
    bench_mesh_free(&all);
    return 0;
}
