// libccd's rows of the collision benchmark. It has no distance; supports are ours, vertices are scanned.
#include <ccd/ccd.h>
#include <ccd/vec3.h>

#include <vector>

#include "../collide.h"

struct Solid {
    const BenchSolid *solid;
    const BenchHull *hull;
    const BenchPose *pose;
};

static void circle(double r, const double *d, double z, double *p)
{
    double s = std::sqrt(d[0]*d[0] + d[1]*d[1]), f = s > 0 ? r/s : 0;
    p[0] = f*d[0], p[1] = f*d[1], p[2] = z;
}

static double length(const double *d) { return std::sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2]); }

static void local_support(const Solid &s, const double *d, double *p)
{
    const double *h = s.solid->p;
    switch (s.solid->kind) {
    case BENCH_SPHERE:
        for (int i = 0; i < 3; i++) p[i] = h[0]/length(d)*d[i];
        return;
    case BENCH_BOX:
        for (int i = 0; i < 3; i++) p[i] = std::copysign(h[i], d[i]);
        return;
    case BENCH_CYLINDER: circle(h[0], d, std::copysign(h[1], d[2]), p); return;
    case BENCH_CONE:
        circle(h[0], d, -h[1], p);
        if (d[2]*h[1] >= d[0]*p[0] + d[1]*p[1] - d[2]*h[1]) p[0] = p[1] = 0, p[2] = h[1];
        return;
    case BENCH_CAPSULE:
        for (int i = 0; i < 3; i++) p[i] = h[0]/length(d)*d[i];
        p[2] += std::copysign(h[1], d[2]);
        return;
    case BENCH_ELLIPSOID: {
        const double e[3] = { h[0]*d[0], h[1]*d[1], h[2]*d[2] };
        for (int i = 0; i < 3; i++) p[i] = h[i]*e[i]/length(e);
        return;
    }
    default: {
        const double (*v)[3] = s.hull->v;
        int best = 0;
        double most = -INFINITY;
        for (int i = 0, n = s.hull->nv; i < n; i++) {
            double x = d[0]*v[i][0] + d[1]*v[i][1] + d[2]*v[i][2];
            if (x > most) most = x, best = i;
        }
        for (int i = 0; i < 3; i++) p[i] = v[best][i];
    }
    }
}

static void support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *point)
{
    const Solid &s = *static_cast<const Solid *>(object);
    const double (*R)[3] = s.pose->R;
    double d[3], p[3];
    for (int j = 0; j < 3; j++) d[j] = R[0][j]*dir->v[0] + R[1][j]*dir->v[1] + R[2][j]*dir->v[2];
    local_support(s, d, p);
    for (int i = 0; i < 3; i++) point->v[i] = R[i][0]*p[0] + R[i][1]*p[1] + R[i][2]*p[2] + s.pose->t[i];
}

static void centre(const void *object, ccd_vec3_t *point)
{
    const Solid &s = *static_cast<const Solid *>(object);
    for (int i = 0; i < 3; i++) point->v[i] = s.pose->t[i];
}

struct Setting {
    const BenchCases *all;
    ccd_t ccd;
};

static Solid solid_of(const BenchCases *all, const BenchSolid &s, const BenchPose &X)
{
    return { &s, s.hull >= 0 ? &all->hulls[s.hull] : nullptr, &X };
}

template <class Ask> static bool with_pair(void *user, const BenchCase *c, const BenchQuery *q, Ask ask)
{
    const Setting &s = *static_cast<Setting *>(user);
    const Solid a = solid_of(s.all, c->a, q->a), b = solid_of(s.all, c->b, q->b);
    return ask(&a, &b, &s.ccd);
}

static bool mpr(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    return with_pair(user, c, q, [g](const Solid *a, const Solid *b, const ccd_t *ccd) {
        ccd_real_t depth = 0;
        ccd_vec3_t dir, pos;
        int status = ccdMPRPenetration(a, b, ccd, &depth, &dir, &pos);
        *g = -depth;
        return status == 0;
    });
}

static bool epa(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    return with_pair(user, c, q, [g](const Solid *a, const Solid *b, const ccd_t *ccd) {
        ccd_real_t depth = 0;
        ccd_vec3_t dir, pos;
        int status = ccdGJKPenetration(a, b, ccd, &depth, &dir, &pos);
        *g = -depth;
        return status == 0;
    });
}

static bool mpr_overlap(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    return with_pair(user, c, q, [g](const Solid *a, const Solid *b, const ccd_t *ccd) {
        *g = ccdMPRIntersect(a, b, ccd) ? -1 : 1;
        return true;
    });
}

static bool gjk_overlap(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    return with_pair(user, c, q, [g](const Solid *a, const Solid *b, const ccd_t *ccd) {
        *g = ccdGJKIntersect(a, b, ccd) ? -1 : 1;
        return true;
    });
}

static Setting setting(const BenchCases *all, double tolerance)
{
    Setting s;
    s.all = all;
    CCD_INIT(&s.ccd);
    s.ccd.support1 = s.ccd.support2 = support;
    s.ccd.center1 = s.ccd.center2 = centre;
    s.ccd.max_iterations = 1000;
    s.ccd.epa_tolerance = s.ccd.mpr_tolerance = tolerance;
    return s;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    BenchCases all = bench_read_cases(argv[1]);
    Setting usual = setting(&all, 1e-4), tight = setting(&all, 1e-10);
    const unsigned kinds = (1u << BENCH_KINDS) - 1;
    const BenchEngine engines[] = {
        { "ccd-mpr", BENCH_DEPTH, kinds, mpr, nullptr, &usual },
        { "ccd-epa", BENCH_DEPTH, kinds, epa, nullptr, &usual },
        { "ccd-epa-1e-10", BENCH_DEPTH, kinds, epa, nullptr, &tight },
        { "ccd-mpr-overlap", BENCH_OVERLAP, kinds, mpr_overlap, nullptr, &usual },
        { "ccd-gjk-overlap", BENCH_OVERLAP, kinds, gjk_overlap, nullptr, &usual },
    };
    printf("version libccd %s\n", PEER_VERSION);
    int status = bench_collide_run(argc, argv, &all, engines, int(sizeof engines/sizeof engines[0]));
    bench_free_cases(&all);
    return status;
}
