// Writes tests/narrow/collide_cases.txt: pairs of all kinds of shapes in all regimes with their exact gap by ref_gap.
//
//     cmake --build --preset release && build/release/tests/collide_cases_make > tests/narrow/collide_cases.txt
//
// The same bytes on every machine whose long double has 64 bits of mantissa and whose libm rounds alike; the tests do
// not depend on that. Uncertain references are not written; how many is told on stderr.
#include "check.h"
#include "collide_cases.h"

static CaseSet set;

// A blank and the shortest decimal that reads as x again.
static void put(double x)
{
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, " %.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    printf("%s", text);
}

static void put_vec(caromVec3 a)
{
    put(a.x), put(a.y), put(a.z);
}

static void add(caromShape shape)
{
    printf("shape %d", (int)shape.kind);
    put_vec(shape.size), put(shape.rounding);
    printf("\n");
    set.shapes[set.nshape++].shape = shape;
}

static void add_polytope(const caromVec3 *points, int n, double rounding)
{
    CaseShape *to = &set.shapes[set.nshape++];
    caromError err = { 0 };
    to->hull = carom_hull_create(points, n, rounding, &err);
    to->core = malloc(sizeof *to->core);
    to->shape = carom_shape_polytope(to->hull);
    if (!to->hull || !to->core || !ref_polytope_of_shape(to->core, to->shape)) {
        fprintf(stderr, "polytope %d: %s\n", set.nshape, err.message);
        exit(1);
    }
    printf("polytope %d", n);
    put(rounding);
    for (int i = 0; i < n; i++) put_vec(points[i]);
    printf("\n");
}

static void add_plain_shapes(void)
{
    add(carom_shape_sphere(0.5)), add(carom_shape_sphere(0.02)), add(carom_shape_sphere(3));
    add(carom_shape_ellipsoid(0.5, 0.3, 0.2)), add(carom_shape_ellipsoid(1, 1, 0.2)),
        add(carom_shape_ellipsoid(0.3, 0.3, 0.9));
    add(carom_shape_ellipsoid(2, 0.5, 0.1)), add(carom_shape_ellipsoid(0.5, 0.49, 0.51));
    add(carom_shape_box(1, 1, 1)), add(carom_shape_box(0.3, 0.5, 0.7)), add(carom_shape_box(2, 2, 0.01)),
        add(carom_shape_box(0.05, 0.05, 3)), add(carom_shape_box(0.1, 4, 1));
    add(carom_shape_cylinder(0.5, 1)), add(carom_shape_cylinder(0.05, 2)), add(carom_shape_cylinder(1, 0.02)),
        add(carom_shape_cylinder(0.3, 0.4));
    add(carom_shape_cone(0.5, 0, 1)), add(carom_shape_cone(0.5, 0.2, 1)), add(carom_shape_cone(1, 0, 0.1)),
        add(carom_shape_cone(0.05, 0, 2)), add(carom_shape_cone(0.2, 0.6, 0.7));
    add(carom_shape_capsule(0.2, 1)), add(carom_shape_capsule(0.05, 2)), add(carom_shape_capsule(0.5, 0.1));
    add(carom_shape_rounded(carom_shape_box(1, 1, 1), 0.1)),
        add(carom_shape_rounded(carom_shape_box(0.3, 0.5, 0.7), 0.01)),
        add(carom_shape_rounded(carom_shape_box(2, 2, 0.05), 0.02));
    add(carom_shape_rounded(carom_shape_box(0.4, 0.6, 2), 0.15)),
        add(carom_shape_rounded(carom_shape_box(1, 0.5, 0.7), 1e-6));
    add(carom_shape_rounded(carom_shape_cylinder(0.5, 1), 0.1)),
        add(carom_shape_rounded(carom_shape_cylinder(0.05, 2), 0.02)),
        add(carom_shape_rounded(carom_shape_cylinder(1, 0.1), 0.04));
    add(carom_shape_rounded(carom_shape_cylinder(0.3, 0.4), 1e-5));
    add(carom_shape_rounded(carom_shape_cone(0.5, 0, 1), 0.1)),
        add(carom_shape_rounded(carom_shape_cone(0.5, 0.2, 1), 0.05)),
        add(carom_shape_rounded(carom_shape_cone(0.2, 0.6, 0.7), 0.1));
    add(carom_shape_rounded(carom_shape_cone(1, 0, 0.4), 0.02)),
        add(carom_shape_rounded(carom_shape_cone(0.3, 0.1, 2), 1e-6));
    add(carom_shape_half_space());
}

static double coarse(double x)  // few digits keep the file short
{
    return round(x*1e4)/1e4;
}

static int cloud(Random *r, caromVec3 *points, int n, double x, double y, double z)
{
    for (int i = 0; i < n; i++) {
        caromVec3 d;
        do d = carom_vec(random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1));
        while (carom_norm(d) < 0.3 || carom_norm(d) > 1);
        d = carom_scale(1/carom_norm(d), d);
        points[i] = carom_vec(coarse(x*d.x), coarse(y*d.y), coarse(z*d.z));
    }
    return n;
}

// Two regular n-gons, the upper one turned by a part of a step and scaled; 0: a pyramid.
static int drum(caromVec3 *points, int n, double radius, double height, double turn, double top)
{
    for (int i = 0; i < n; i++) {
        double angle = 2*acos(-1)*i/n, upper = angle + turn*2*acos(-1)/n;
        points[i] = carom_vec(radius*cos(angle), radius*sin(angle), -0.5*height);
        points[n + i] = carom_vec(top*radius*cos(upper), top*radius*sin(upper), 0.5*height);
    }
    return top > 0 ? 2*n : n + 1;
}

static int icosahedron(caromVec3 *points, double radius)
{
    double golden = (1 + sqrt(5))/2, s = radius/sqrt(1 + golden*golden);
    for (int i = 0; i < 12; i++) {
        double u = i & 1 ? s : -s, v = i & 2 ? s*golden : -s*golden;
        points[i] = i < 4 ? carom_vec(0, u, v) : i < 8 ? carom_vec(u, v, 0) : carom_vec(v, 0, u);
    }
    return 12;
}

static int octahedron(caromVec3 *points, double x, double y, double z)
{
    for (int i = 0; i < 6; i++) {
        double s = i & 1 ? 1 : -1;
        points[i] = carom_vec(i/2 == 0 ? s*x : 0, i/2 == 1 ? s*y : 0, i/2 == 2 ? s*z : 0);
    }
    return 6;
}

static int wedge(caromVec3 *points, double x, double y, double z)
{
    for (int i = 0; i < 4; i++) points[i] = carom_vec(i & 1 ? x : -x, i & 2 ? y : -y, -z);
    points[4] = carom_vec(-x, 0, z), points[5] = carom_vec(x, 0, z);
    return 6;
}

static void add_polytopes(void)
{
    Random r = { 77 };
    caromVec3 p[64];
    const caromVec3 tetrahedron[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    const caromVec3 off_centre[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0.7, 0 }, { 0, 0, 0.4 } };
    add_polytope(tetrahedron, 4, 0), add_polytope(off_centre, 4, 0);
    add_polytope(p, octahedron(p, 0.5, 0.5, 0.5), 0), add_polytope(p, octahedron(p, 0.05, 0.3, 2), 0);
    add_polytope(p, icosahedron(p, 0.6), 0);
    add_polytope(p, wedge(p, 0.5, 0.2, 0.3), 0), add_polytope(p, wedge(p, 1, 0.01, 0.5), 0);
    add_polytope(p, drum(p, 16, 0.5, 1, 0, 1), 0), add_polytope(p, drum(p, 7, 0.4, 0.3, 0.5, 1), 0),
        add_polytope(p, drum(p, 12, 1, 0.02, 0, 0.9), 0);
    add_polytope(p, drum(p, 5, 0.5, 1, 0, 0), 0), add_polytope(p, drum(p, 16, 0.3, 0.8, 0.3, 0.6), 0);
    add_polytope(p, cloud(&r, p, 8, 0.5, 0.5, 0.5), 0), add_polytope(p, cloud(&r, p, 12, 0.5, 0.3, 0.2), 0);
    add_polytope(p, cloud(&r, p, 20, 1, 1, 0.1), 0), add_polytope(p, cloud(&r, p, 32, 0.6, 0.6, 0.6), 0),
        add_polytope(p, cloud(&r, p, 32, 0.1, 0.2, 1.5), 0);
    add_polytope(tetrahedron, 4, 0.1), add_polytope(p, octahedron(p, 0.5, 0.5, 0.5), 0.05),
        add_polytope(p, icosahedron(p, 0.6), 0.2);
    add_polytope(p, wedge(p, 0.5, 0.2, 0.3), 0.02), add_polytope(p, drum(p, 7, 0.4, 0.3, 0.5, 1), 0.1),
        add_polytope(p, drum(p, 5, 0.5, 1, 0, 0), 0.05);
    r.state = 79;
    add_polytope(p, cloud(&r, p, 12, 0.5, 0.4, 0.3), 0.03), add_polytope(p, cloud(&r, p, 16, 1, 1, 0.2), 1e-6);
}

static int pick(Random *r, CaseClass c)
{
    int of_class[CASE_SHAPES_MAX], n = 0;
    for (int i = 0; i < set.nshape; i++)
        if (case_class(set.shapes[i].shape) == c) of_class[n++] = i;
    return of_class[(int)random_uniform(r, 0, n)];
}

// Generic; square to the axes; nearly so.
static caromQuat random_turn(Random *r, int alignment)
{
    static const double half = 0.70710678118654752;
    const caromQuat square[6] = { { 1, 0, 0, 0 }, { half, half, 0, 0 }, { half, 0, half, 0 }, { half, 0, 0, half },
                                  { 0.5, 0.5, 0.5, 0.5 }, { 0, 1, 0, 0 } };
    caromVec3 d = carom_vec(coarse(random_uniform(r, -1, 1)), coarse(random_uniform(r, -1, 1)),
                            coarse(random_uniform(r, -1, 1)));
    if (alignment == 0) return carom_quat(coarse(random_uniform(r, -1, 1)), d.x, d.y, d.z);
    caromQuat q = square[(int)random_uniform(r, 0, 6)];
    if (alignment == 1) return q;
    double tilt = pow(10, round(random_uniform(r, -9, -2)));
    return carom_quat(q.w, q.x + tilt*d.x, q.y + tilt*d.y, q.z + tilt*d.z);
}

typedef struct Draft {
    CaseRegime regime;
    int a, b;
    caromQuat q_WA, q_WB;
    caromVec3 p_WA, p_WB;
} Draft;

static RefGap solve(const Draft *d, Real *size)
{
    RefBody a = case_body(&set, d->a, carom_pose(carom_quat_matrix(d->q_WA), d->p_WA));
    RefBody b = case_body(&set, d->b, carom_pose(carom_quat_matrix(d->q_WB), d->p_WB));
    *size = fmaxl(fmaxl(a.size, b.size), a.size > 0 && b.size > 0 ? ref_norm(ref_sub(b.p, a.p)) : 0);
    return ref_gap(&a, &b, 1e-9L**size);
}

static caromVec3 random_direction(Random *r)
{
    caromVec3 d;
    do d = carom_vec(random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1));
    while (carom_norm(d) < 0.1 || carom_norm(d) > 1);
    return carom_scale(1/carom_norm(d), d);
}

static double smaller_radius(const Draft *d)
{
    return fmin(carom_shape_radius(set.shapes[d->a].shape), carom_shape_radius(set.shapes[d->b].shape));
}

// The gap that the regime asks for; shifting B along n from a separated place gives it.
static double target(Random *r, CaseRegime regime, double small)
{
    double sign = random_uniform(r, 0, 1) < 0.5 ? -1 : 1;
    switch (regime) {
    case REGIME_NEAR: return small*pow(10, random_uniform(r, -8, -1));
    case REGIME_TOUCHING: return sign*1e-12;
    default: return -small*pow(10, random_uniform(r, -8, -1.5));
    }
}

// Separated: somewhere on the sphere of both radii and a bit.
static void place_apart(Random *r, Draft *d, double bit)
{
    double far = 0;
    for (int i = 0; i < 2; i++) {
        caromShape s = set.shapes[i ? d->b : d->a].shape;
        if (s.kind != CAROM_HALF_SPACE) far += carom_shape_radius(s);
    }
    caromVec3 u = random_direction(r);
    d->p_WB = carom_axpy(far*(1 + bit), u, d->p_WA);
    d->p_WB = carom_vec(coarse(d->p_WB.x), coarse(d->p_WB.y), coarse(d->p_WB.z));
}

static Draft random_draft(Random *r, CaseClass a, CaseClass b, CaseRegime regime)
{
    double kind = random_uniform(r, 0, 1);
    int alignment = kind < 0.6 ? 0 : kind < 0.8 ? 1 : 2;
    Draft d = { .regime = regime, .a = pick(r, a), .b = pick(r, b) };
    d.q_WA = random_turn(r, alignment == 0 || random_uniform(r, 0, 1) < 0.3 ? 0 : 1);
    d.q_WB = random_turn(r, alignment);
    d.p_WA = carom_vec(coarse(random_uniform(r, -1, 1)), coarse(random_uniform(r, -1, 1)),
                       coarse(random_uniform(r, -1, 1)));
    double small = smaller_radius(&d);
    Real size;
    if (regime == REGIME_DEEP || regime == REGIME_INSIDE) {
        double reach = regime == REGIME_DEEP ? 0.6*small : 0.02*small;
        d.p_WB = carom_axpy(random_uniform(r, 0.1, 1)*reach, random_direction(r), d.p_WA);
        return d;
    }
    place_apart(r, &d, regime == REGIME_FAR ? random_uniform(r, 0, 3) : random_uniform(r, 0, 0.2));
    if (regime == REGIME_FAR) return d;
    RefGap g = solve(&d, &size);
    double shift = target(r, regime, small) - (double)g.g;
    d.p_WB = carom_axpy(shift, ref_to(g.n), d.p_WB);
    return d;
}

static void print_pose(caromQuat q, caromVec3 p)
{
    put(q.w), put(q.x), put(q.y), put(q.z), put_vec(p);
}

int main(void)
{
    enum { CASES = 10000 };
    printf("# Pairs of convex shapes with their signed distance; written by collide_cases_make.c, which says how.\n");
    printf("# shape KIND SIZE SIZE SIZE ROUNDING | polytope POINTS ROUNDING X Y Z ...: numbered from 0\n");
    printf("# case REGIME A B  q_WA p_WA  q_WB p_WB  g uncertainty  n_AB spread\n");
    add_plain_shapes();
    add_polytopes();
    Random r = { 20240607 };
    int written = 0, uncertain = 0, kept_of[REGIMES] = { 0 };
    double worst = 0;
    for (int k = 0; written < CASES; k++) {
        CaseClass a = (CaseClass)(k%CLASSES), b = (CaseClass)(k/CLASSES%CLASSES);
        CaseRegime regime = (CaseRegime)(k/(CLASSES*CLASSES)%REGIMES);
        if (a == CLASS_HALF_SPACE && b == CLASS_HALF_SPACE) continue;
        Draft d = random_draft(&r, a, b, regime);
        Real size;
        RefGap g = solve(&d, &size);
        if (g.uncertainty > 1e-13L*size) {
            uncertain++;
            continue;
        }
        worst = fmax(worst, (double)(g.uncertainty/size));
        // The middle of the bracket; half of its width and the rounding to double are what is left open; 1.06 for two
        // digits.
        double middle = (double)(g.g + g.uncertainty/2),
               left = (double)(g.uncertainty/2 + fabsl(g.g)*0x1p-53L + 1e-18L*size);
        printf("case %d %d %d", (int)d.regime, d.a, d.b);
        print_pose(d.q_WA, d.p_WA);
        print_pose(d.q_WB, d.p_WB);
        put(middle);
        printf(" %.2g %.10g %.10g %.10g %.2g\n", 1.06*left, (double)g.n.x, (double)g.n.y, (double)g.n.z,
               1.06*(double)g.spread);
        kept_of[regime]++, written++;
    }
    fprintf(stderr, "%d cases, %d uncertain ones left out, worst uncertainty %.2g of the size\n", written, uncertain,
            worst);
    for (int i = 0; i < REGIMES; i++) fprintf(stderr, "  %s: %d\n", case_regime_name((CaseRegime)i), kept_of[i]);
    return 0;
}
