// Bullet's rows of the broad-phase benchmark: btDbvt, its tree of boxes, updated in place and collided with itself.
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <vector>

#include "../broad.h"

struct Engine : btDbvt::ICollide {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;
    std::vector<std::pair<int, int>> pairs;
    // A pair of leaves comes once; a leaf does not meet itself.
    void Process(const btDbvtNode *a, const btDbvtNode *b) override
    {
        if (a != b) pairs.emplace_back(a->dataAsInt, b->dataAsInt);
    }
};

static btDbvtVolume volume_of(const BenchBox &b)
{
    return btDbvtVolume::FromMM(btVector3(btScalar(b.low[0]), btScalar(b.low[1]), btScalar(b.low[2])), btVector3(btScalar(b.high[0]), btScalar(b.high[1]), btScalar(b.high[2])));
}

static void *create(const BenchWorld *world)
{
    Engine *e = new Engine;
    for (int i = 0; i < world->n; i++) {
        e->leaves.push_back(e->tree.insert(volume_of(world->boxes[i]), nullptr));
        e->leaves.back()->dataAsInt = i;
    }
    return e;
}

static int64_t step(void *engine, const BenchWorld *world)
{
    Engine *e = static_cast<Engine *>(engine);
    for (int i = 0; i < world->n; i++) {
        btDbvtVolume volume = volume_of(world->boxes[i]);
        e->tree.update(e->leaves[size_t(i)], volume);
    }
    e->tree.optimizeIncremental(1 + world->n/100);
    e->pairs.clear();
    if (e->tree.m_root) e->tree.collideTT(e->tree.m_root, e->tree.m_root, *e);
    return int64_t(e->pairs.size());
}

static void destroy(void *engine)
{
    delete static_cast<Engine *>(engine);
}

int main(int argc, char **argv)
{
    const BenchBroad engine = { "bullet", create, step, destroy };
    printf("version bullet %d\n", BT_BULLET_VERSION);
    return bench_broad_run(argc, argv, &engine);
}
