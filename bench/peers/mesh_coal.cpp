// Coal's rows of the benchmark of meshes: hierarchies of OBBRSS. Paths are asked pose by pose: of meshes its distance cannot be started from an earlier answer.
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "../mesh.h"

using Model = coal::BVHModel<coal::OBBRSS>;

struct Soup {
    std::vector<coal::Vec3s> vertices;
    std::vector<coal::Triangle> triangles;
};

struct Engine {
    std::vector<std::unique_ptr<Model>> models;
    std::vector<coal::Transform3s> poses;  // two of each
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
    model->beginModel(unsigned(soup.triangles.size()), unsigned(soup.vertices.size()));
    model->addSubModel(soup.vertices, soup.triangles);
    model->endModel();
    return model;
}

static coal::Transform3s pose_of(const double R[3][3], const double t[3])
{
    coal::Matrix3s turn;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) turn(i, j) = R[i][j];
    return coal::Transform3s(turn, coal::Vec3s(t[0], t[1], t[2]));
}

static double distance(void *user, const BenchMeshCase *c, int pose)
{
    const Engine &e = *static_cast<Engine *>(user);
    coal::DistanceRequest request(true);
    coal::DistanceResult result;
    coal::distance(e.models[c->a].get(), e.poses[2*pose], e.models[c->b].get(), e.poses[2*pose + 1], request, result);
    return result.min_distance;
}

static double overlap(void *user, const BenchMeshCase *c, int pose)
{
    const Engine &e = *static_cast<Engine *>(user);
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    coal::collide(e.models[c->a].get(), e.poses[2*pose], e.models[c->b].get(), e.poses[2*pose + 1], request, result);
    return result.isCollision() ? -1.0 : double(INFINITY);
}

// All triangles that cross: the nearest to witness pairs that it has.
static double crossings(void *user, const BenchMeshCase *c, int pose)
{
    const Engine &e = *static_cast<Engine *>(user);
    coal::CollisionRequest request(coal::CONTACT, 1 << 20);
    coal::CollisionResult result;
    coal::collide(e.models[c->a].get(), e.poses[2*pose], e.models[c->b].get(), e.poses[2*pose + 1], request, result);
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
        bench_mesh_row("build", "coal", all.meshes[i].name, best, 0, 1, 0);
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
        { "distance", "coal", "far near", BENCH_GAPS, 1, distance, &e },
        { "seeded", "coal", "path-far path-near", BENCH_GAPS, 10, distance, &e },
        { "overlap", "coal", "near touching", BENCH_GAPS, 1, overlap, &e },
        { "standoff", "coal", "touching", BENCH_COUNTS, 1, crossings, &e },
    };
    printf("version coal %s\n", COAL_VERSION);
    if (argc == 2) time_building(all);
    bench_mesh_run(argc, argv, &all, engines, int(sizeof engines/sizeof engines[0]));
    bench_mesh_free(&all);
    return 0;
}
