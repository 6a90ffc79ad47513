// FCL's rows of the broad-phase benchmark: DynamicAABBTreeCollisionManager. Its boxes are those of spheres that are overwritten each step.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>

#include <memory>
#include <vector>

#include "../broad.h"

struct Engine {
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<fcl::CollisionObjectd *> pointers;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<std::pair<int, int>> pairs;
};

static fcl::AABBd box_of(const BenchBox &b)
{
    return fcl::AABBd(fcl::Vector3d(b.low[0], b.low[1], b.low[2]), fcl::Vector3d(b.high[0], b.high[1], b.high[2]));
}

// The library computes an object's box from its pose; here it is set.
static void place(fcl::CollisionObjectd &object, const BenchBox &b)
{
    const_cast<fcl::AABBd &>(object.getAABB()) = box_of(b);
}

static void *create(const BenchWorld *world)
{
    Engine *e = new Engine;
    auto geometry = std::make_shared<fcl::Sphered>(1);
    for (int i = 0; i < world->n; i++) {
        e->objects.push_back(std::make_unique<fcl::CollisionObjectd>(geometry));
        e->objects.back()->setUserData(reinterpret_cast<void *>(intptr_t(i)));
        e->pointers.push_back(e->objects.back().get());
        place(*e->objects.back(), world->boxes[i]);
    }
    e->manager.registerObjects(e->pointers);
    e->manager.setup();
    return e;
}

static bool keep(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *user)
{
    static_cast<Engine *>(user)->pairs.emplace_back(int(intptr_t(a->getUserData())), int(intptr_t(b->getUserData())));
    return false;
}

static int64_t step(void *engine, const BenchWorld *world)
{
    Engine *e = static_cast<Engine *>(engine);
    for (int i = 0; i < world->n; i++) place(*e->objects[size_t(i)], world->boxes[i]);
    e->pairs.clear();
    e->manager.update();
    e->manager.collide(e, keep);
    return int64_t(e->pairs.size());
}

static void destroy(void *engine)
{
    delete static_cast<Engine *>(engine);
}

int main(int argc, char **argv)
{
    const BenchBroad engine = { "fcl", create, step, destroy };
    printf("version fcl %s\n", FCL_VERSION);
    return bench_broad_run(argc, argv, &engine);
}
