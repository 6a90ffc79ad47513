// A closed mesh A against a shape B with plane faces: the limit of pressure fields (balance.c) in which A's own field
// is stiff, and B's carries the give of both. The surface on which the pressures balance is then A's surface, no field
// inside A is needed, and A need not be convex:
//
//     W = integral of d_B over the part of A in B,
//         force on B = integral of d_B n over the part of A's surface in B,
//
// d_B the depth below the nearest plane of B and n the outer normal of A. For if B moves by w, W changes by the
// integral of -w.grad d_B over that part of A, which is that of -d_B w.n over its surface (divergence theorem), and on
// the surface of B d_B is 0. d_B is linear where one plane is nearest: each triangle is clipped by those cells, and the
// pieces are integrated exactly.
#include "base/scratch.h"
#include "math/gauss.h"
#include "meshgap/meshgap.h"
#include "patch/deep.h"
#include "patch/scales.h"

// Everything in the frame of B, whose origin is put below A if B is a half-space.
typedef struct Clip {
    const caromMesh *mesh;
    caromMat3 R;               // axes of A
    caromVec3 t;               // its origin
    caromPose X_WB;
    int nface;
    const caromVec3 *normals;  // outer
    const double *offsets;
    double inset;              // B without so much of its depth
    double box_offsets[CAROM_FIELD_FACES];
} Clip;

static const caromVec3 box_normals[CAROM_FIELD_FACES] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 },
                                                          { 0, 0, 1 }, { 0, 0, -1 } };
static const caromVec3 up[1] = { { 0, 0, 1 } };

static void set_faces(Clip *c, const caromShape *b)
{
    if (b->kind == CAROM_POLYTOPE) {
        c->nface = b->hull->nface;
        c->normals = b->hull->normals;
        c->offsets = b->hull->offsets;
        return;
    }
    bool is_box = b->kind == CAROM_BOX;
    c->nface = is_box ? CAROM_FIELD_FACES : 1;
    c->normals = is_box ? box_normals : up;
    c->offsets = c->box_offsets;
    for (int k = 0; k < c->nface; k++) c->box_offsets[k] = is_box ? 0.5*carom_at(b->size, k/2) : 0.0;
}

static void clip_of(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, Clip *c)
{
    if (b->kind == CAROM_HALF_SPACE) {
        caromVec3 n = X_WB.R.cz;
        X_WB.p = carom_axpy(-carom_dot(n, carom_sub(X_WA.p, X_WB.p)), n, X_WA.p);
    }
    c->mesh = a->mesh;
    c->inset = 0.0;
    c->X_WB = X_WB;
    c->R = carom_mat_mul(carom_transpose(X_WB.R), X_WA.R);
    c->t = carom_pose_inverse_point(X_WB, X_WA.p);
    set_faces(c, b);
}

static double offset_of(const Clip *c, int j)
{
    return c->offsets[j] - c->inset;
}

static caromPlane face_plane(const Clip *c, int j)
{
    return (caromPlane){ carom_neg(c->normals[j]), offset_of(c, j) };
}

static bool node_is_outside(const Clip *c, const caromMeshNode *node)
{
    caromVec3 centre = carom_add(c->t, carom_mul(c->R, node->centre));
    for (int j = 0; j < c->nface; j++) {
        double depth = offset_of(c, j) - carom_dot(c->normals[j], centre);
        if (depth < 0.0 && depth + carom_meshgap_node_extent(node, carom_tmul(c->R, c->normals[j])) < 0.0) return true;
    }
    return false;
}

// Calls visit for every triangle, its corners in B, that no face of B has entirely outside, and some others.
static void each_triangle(const Clip *c, void (*visit)(const Clip *c, const caromVec3 x[3], void *user), void *user)
{
    const caromMeshTree *tree = &c->mesh->tree;
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1;
    while (n > 0) {
        const caromMeshNode *node = &tree->nodes[stack[--n]];
        if (node_is_outside(c, node)) continue;
        if (node->count == 0) {
            stack[n++] = node->first + 1;
            stack[n++] = node->first;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            caromVec3 x[3];
            for (int k = 0; k < 3; k++) x[k] = carom_add(c->t, carom_mul(c->R, tree->corners[i][k]));
            visit(c, x, user);
        }
    }
}

// ---- pieces of a triangle

typedef struct ClippedPiece {
    const caromFlat *flat;
    const caromSheet *sheet;
    caromVec3 n;            // outer normal of the triangle
    caromPlane depth;       // below the face of B that is nearest
} ClippedPiece;

// The triangle as a polygon; false: it has no area.
static bool lay_out(const caromVec3 x[3], caromFlat *flat, caromSheet *sheet, caromVec3 *n)
{
    caromVec3 ab = carom_sub(x[1], x[0]), ac = carom_sub(x[2], x[0]), normal = carom_cross(ab, ac);
    double length = carom_norm(ab), twice = carom_norm(normal);
    if (!(length > 0.0 && twice > 0.0)) return false;
    *n = carom_scale(1.0/twice, normal);
    caromVec3 t1 = carom_scale(1.0/length, ab);
    *sheet = (caromSheet){ x[0], t1, carom_cross(*n, t1) };
    carom_sheet_flat_square(flat, 0.0);
    flat->n = 3;
    flat->u[0] = flat->v[0] = flat->v[1] = 0.0;
    flat->u[1] = length;
    flat->u[2] = carom_dot(t1, ac);
    flat->v[2] = twice/length;
    return true;
}

// Cuts off what is outside B; false: nothing is left.
static bool clip_by_faces(const Clip *c, const caromVec3 x[3], caromFlat *flat, const caromSheet *sheet)
{
    for (int j = 0; j < c->nface && flat->n > 2; j++) {
        double depth[3];
        for (int k = 0; k < 3; k++) depth[k] = offset_of(c, j) - carom_dot(c->normals[j], x[k]);
        double most = carom_meshgap_most3(depth[0], depth[1], depth[2]),
               least = carom_meshgap_least(depth[0], carom_meshgap_least(depth[1], depth[2]));
        if (!(most > 0.0)) return false;
        if (least < 0.0) carom_sheet_flat_clip(flat, sheet, face_plane(c, j));
    }
    return flat->n > 2;
}

typedef struct ClippedRange {
    double least, most;
} ClippedRange;

static ClippedRange range_of(const caromFlat *flat, const caromSheet *sheet, caromPlane p)
{
    ClippedRange r = { INFINITY, -INFINITY };
    double c0 = carom_sheet_plane_at(p, sheet->o), cu = carom_dot(p.n, sheet->t1), cv = carom_dot(p.n, sheet->t2);
    for (int k = 0; k < flat->n; k++) {
        double at = c0 + cu*flat->u[k] + cv*flat->v[k];
        r.least = carom_meshgap_least(r.least, at);
        r.most = carom_meshgap_most(r.most, at);
    }
    return r;
}

// Faces that can be nearest somewhere on the polygon: less deep in places than the least of what each is at most.
// Beyond the limit the first ones.
static int near_faces(const Clip *c, const caromFlat *flat, const caromSheet *sheet, int near[CAROM_NEAR_FACES_MAX])
{
    double top = INFINITY;
    int n = 0;
    for (int j = 0; j < c->nface; j++) top = carom_meshgap_least(top, range_of(flat, sheet, face_plane(c, j)).most);
    for (int j = 0; j < c->nface && n < CAROM_NEAR_FACES_MAX; j++)
        if (range_of(flat, sheet, face_plane(c, j)).least <= top) near[n++] = j;
    return n;
}

static void copy_polygon(const caromFlat *from, caromFlat *to)
{
    carom_sheet_flat_square(to, 0.0);
    to->n = from->n;
    for (int k = 0; k < from->n; k++) to->u[k] = from->u[k], to->v[k] = from->v[k];
}

// The part of the polygon where face `nearest` is: cut by the planes on which others are as near. A polygon in such a
// plane belongs to the first face.
static void cut_to_cell(const Clip *c, int nearest, const int *near, int n, const caromSheet *sheet, caromFlat *flat)
{
    for (int k = 0; k < n && flat->n > 2; k++) {
        if (near[k] == nearest) continue;
        caromPlane beyond = carom_sheet_plane_difference(face_plane(c, near[k]), face_plane(c, nearest));
        ClippedRange r = range_of(flat, sheet, beyond);
        if (r.most < 0.0 || (r.most == 0.0 && near[k] < nearest)) flat->n = 0;
        else if (r.least < 0.0) carom_sheet_flat_clip(flat, sheet, beyond);
    }
}

typedef struct ClippedPieces {
    void (*visit)(const Clip *c, const ClippedPiece *piece, void *user);
    void *user;
} ClippedPieces;

typedef struct ClippedRoom {
    caromFlat whole, part;
    int near[CAROM_NEAR_FACES_MAX];
} ClippedRoom;

static void visit_triangle(const Clip *c, const caromVec3 x[3], const ClippedPieces *pieces, ClippedRoom *r)
{
    caromSheet sheet;
    ClippedPiece piece = { .sheet = &sheet };
    if (!lay_out(x, &r->whole, &sheet, &piece.n) || !clip_by_faces(c, x, &r->whole, &sheet)) return;
    int n = near_faces(c, &r->whole, &sheet, r->near);
    piece.flat = n > 1 ? &r->part : &r->whole;
    for (int k = 0; k < n; k++) {
        if (n > 1) {
            copy_polygon(&r->whole, &r->part);
            cut_to_cell(c, r->near[k], r->near, n, &sheet, &r->part);
        }
        piece.depth = face_plane(c, r->near[k]);
        if (piece.flat->n > 2) pieces->visit(c, &piece, pieces->user);
    }
}

static void visit_pieces(const Clip *c, const caromVec3 x[3], void *user)
{
    void *taken;
    ClippedRoom *room = CAROM_SCRATCH_OR_STACK(sizeof *room, taken);
    visit_triangle(c, x, user, room);
    carom_scratch_give_back(taken);
}

static void each_piece(const Clip *c, void (*visit)(const Clip *c, const ClippedPiece *piece, void *user), void *user)
{
    ClippedPieces pieces = { visit, user };
    each_triangle(c, visit_pieces, &pieces);
}

// ---- force

// A facet for every piece, in W.
static caromFacet facet_of(const Clip *c, const ClippedPiece *piece)
{
    const caromMat3 *R = &c->X_WB.R;
    const caromSheet *s = piece->sheet;
    return (caromFacet){ .flat = piece->flat,
                         .sheet = { carom_mul(*R, s->o), carom_mul(*R, s->t1), carom_mul(*R, s->t2) },
                         .stretch = 1.0,
                         .pressure = carom_sheet_trace_of(s, piece->depth),
                         .across = { 0.0, 1.0 },
                         .n_AB = carom_mul(*R, piece->n),
                         .origin_W = c->X_WB.p };
}

static void add_piece(const Clip *c, const ClippedPiece *piece, void *patch)
{
    caromFacet facet = facet_of(c, piece);
    carom_patch_add(patch, &facet);
}

static void clipped_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    Clip c;
    clip_of(a, X_WA, b, X_WB, &c);
    carom_patch_clear(patch);
    each_piece(&c, add_piece, patch);
}

// ---- depth

// The deepest place, and the force per stiffness.
typedef struct Deepest {
    caromGap gap;
    caromVec3 force;  // in B
} Deepest;

static double depth_at(const ClippedPiece *piece, int k)
{
    return carom_sheet_plane_at(piece->depth, carom_sheet_point(piece->sheet, piece->flat->u[k], piece->flat->v[k]));
}

// Of a linear function on a fan of triangles.
static double depth_integral(const ClippedPiece *piece)
{
    const caromFlat *f = piece->flat;
    double sum = 0.0, d0 = depth_at(piece, 0);
    for (int k = 1; k + 1 < f->n; k++) {
        double twice = (f->u[k] - f->u[0])*(f->v[k + 1] - f->v[0]) - (f->u[k + 1] - f->u[0])*(f->v[k] - f->v[0]);
        sum += twice/6.0*(d0 + depth_at(piece, k) + depth_at(piece, k + 1));
    }
    return sum;
}

static void take_deepest(const Clip *c, const ClippedPiece *piece, void *user)
{
    Deepest *deepest = user;
    deepest->force = carom_axpy(depth_integral(piece), piece->n, deepest->force);
    for (int k = 0; k < piece->flat->n; k++) {
        double depth = depth_at(piece, k);
        if (!(-depth < deepest->gap.g)) continue;
        deepest->gap.g = -depth;
        deepest->gap.p_A = carom_pose_point(
            c->X_WB, carom_sheet_point(piece->sheet, piece->flat->u[k], piece->flat->v[k]));
    }
}

static Deepest deepest_in(const Clip *c)
{
    Deepest deepest = { { 0 } };
    each_piece(c, take_deepest, &deepest);
    return deepest;
}

// The normal is the direction of the force, as W is the same for what moves along the two features that touch: across
// both edges where an edge is on an edge, across the face where a corner is on one. The face of B that is nearest to
// the deepest place has another, along which bodies may part while they approach. Less deep than its roundings, or
// apart by them, the pieces have no direction: B is larger by some of these then.
static bool clipped_gap(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromGap *gap)
{
    Clip c;
    clip_of(a, X_WA, b, X_WB, &c);
    double error = carom_narrow_roundings(c.mesh->reach + carom_norm(c.t)), least = CAROM_PATCH_CLIPPED_ROUNDINGS*error;
    Deepest deepest = deepest_in(&c);
    *gap = deepest.gap;
    if (gap->g > -least) {
        c.inset = -least;
        deepest = deepest_in(&c);
        if (!(gap->g < 0.0)) *gap = deepest.gap, gap->g += least;
    }
    double force = carom_norm(deepest.force);
    if (!(force > 0.0)) return false;
    gap->error = error;
    gap->n_AB = carom_mul(X_WB.R, carom_scale(1.0/force, deepest.force));
    gap->p_B = carom_axpy(gap->g, gap->n_AB, gap->p_A);
    return true;
}

// ---- energy

// Below a single plane d_B = d is linear with gradient m, and d = div(d^2/2 m), which is 0 on the plane: W is the
// integral of d^2/2 m.n over the pieces.
static void add_below_plane(const Clip *c, const ClippedPiece *piece, void *energy)
{
    (void)c;
    const caromFlat *f = piece->flat;
    double sum = 0.0, d0 = carom_sheet_plane_at(piece->depth, carom_sheet_point(piece->sheet, f->u[0], f->v[0]));
    for (int k = 1; k + 1 < f->n; k++) {
        double area = 0.5*((f->u[k] - f->u[0])*(f->v[k + 1] - f->v[0]) - (f->u[k + 1] - f->u[0])*(f->v[k] - f->v[0]));
        double d1 = carom_sheet_plane_at(piece->depth, carom_sheet_point(piece->sheet, f->u[k], f->v[k]));
        double d2 = carom_sheet_plane_at(piece->depth, carom_sheet_point(piece->sheet, f->u[k + 1], f->v[k + 1]));
        sum += area/6.0*(d0*d0 + d1*d1 + d2*d2 + d0*d1 + d1*d2 + d2*d0);
    }
    *(double *)energy += 0.5*sum*carom_dot(piece->depth.n, piece->n);
}

// Otherwise A is the sum of tetrahedra with a tip in common and signs by the side that it sees of the triangle. From a
// tip outside of face `open` only triangles that reach below that face have a part in B: between them and the face.
typedef struct Cones {
    const Clip *clip;  // all faces of B
    caromVec3 tip;
    int open;
    double energy;
} Cones;

static Cones cones_of(const Clip *c)
{
    caromVec3 com = carom_add(c->t, carom_mul(c->R, c->mesh->solid.com));
    Cones cones = { .clip = c, .tip = com };
    double least = INFINITY;
    for (int j = 0; j < c->nface; j++) {
        double depth = carom_sheet_plane_at(face_plane(c, j), com);
        if (depth < least) least = depth, cones.open = j;
    }
    double out = c->mesh->reach + carom_meshgap_most(least, 0.0);
    if (least > -0.1*c->mesh->reach) cones.tip = carom_axpy(out, c->normals[cones.open], com);
    return cones;
}

static caromPlane plane_through(caromVec3 a, caromVec3 b, caromVec3 c, caromVec3 inside)
{
    caromVec3 n = carom_unit_or(carom_cross(carom_sub(b, a), carom_sub(c, a)), carom_vec(0, 0, 0));
    caromPlane p = { n, -carom_dot(n, a) };
    return carom_sheet_plane_at(p, inside) < 0.0 ? carom_sheet_plane_scaled(-1.0, p) : p;
}

// Corners of what holds the part: the triangle below the open face, and where lines to the tip pass that.
enum { CORNERS_MAX = 8 };
static int part_corners(const Clip *c, const Cones *cones, const caromVec3 x[3], caromVec3 corners[CORNERS_MAX])
{
    caromPlane open = face_plane(c, cones->open);
    double height = -carom_sheet_plane_at(open, cones->tip), depth[3];
    int n = 0;
    for (int k = 0; k < 3; k++) depth[k] = carom_sheet_plane_at(open, x[k]);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1)%3;
        if (depth[k] >= 0.0) {
            corners[n++] = x[k];
            corners[n++] = carom_axpy(depth[k]/(depth[k] + height), carom_sub(cones->tip, x[k]), x[k]);
        }
        if ((depth[k] >= 0.0) != (depth[next] >= 0.0))
            corners[n++] = carom_axpy(depth[k]/(depth[k] - depth[next]), carom_sub(x[next], x[k]), x[k]);
    }
    return n;
}

static ClippedRange depths_of(caromPlane p, const caromVec3 *corners, int n)
{
    ClippedRange r = { INFINITY, -INFINITY };
    for (int k = 0; k < n; k++) {
        double at = carom_sheet_plane_at(p, corners[k]);
        r.least = carom_meshgap_least(r.least, at);
        r.most = carom_meshgap_most(r.most, at);
    }
    return r;
}

// Fills in the faces that can be nearest in the part; false: it is outside B.
static bool find_near(const Clip *c, const caromVec3 *corners, int n, caromNear *near)
{
    double top = INFINITY;
    near->n = 0;
    for (int j = 0; j < c->nface; j++) top = carom_meshgap_least(top, depths_of(face_plane(c, j), corners, n).most);
    if (!(top > 0.0)) return false;
    for (int j = 0; j < c->nface && near->n < CAROM_NEAR_FACES_MAX; j++)
        if (depths_of(face_plane(c, j), corners, n).least <= top) near->p[near->n++] = face_plane(c, j);
    return true;
}

static void add_cone_in(Cones *cones, const caromVec3 x[3], caromNear *near)
{
    const Clip *c = cones->clip;
    caromVec3 tip = cones->tip, corners[CORNERS_MAX];
    // Times the volume.
    double six = carom_dot(carom_sub(x[0], tip), carom_cross(carom_sub(x[1], tip), carom_sub(x[2], tip)));
    int n = part_corners(c, cones, x, corners);
    if (n == 0 || six == 0.0 || !find_near(c, corners, n, near)) return;
    near->centre = carom_vec(0, 0, 0);
    near->reach = 0.0;
    for (int k = 0; k < n; k++) near->centre = carom_axpy(1.0/n, corners[k], near->centre);
    for (int k = 0; k < n; k++)
        near->reach = carom_meshgap_most(near->reach, carom_norm(carom_sub(corners[k], near->centre)));
    near->nwall = 4;
    near->wall[0] = plane_through(x[0], x[1], x[2], tip);
    for (int k = 0; k < 3; k++) near->wall[1 + k] = plane_through(tip, x[k], x[(k + 1)%3], x[(k + 2)%3]);
    for (int k = 0; k < 4; k++)
        if (carom_norm2(near->wall[k].n) == 0.0) return;  // without volume
    cones->energy += (six > 0.0 ? 1.0 : -1.0)*carom_patch_near_energy(near);
}

static void add_cone(const Clip *open, const caromVec3 x[3], void *user)
{
    (void)open;
    void *taken;
    caromNear *near = CAROM_SCRATCH_OR_STACK(sizeof *near, taken);
    add_cone_in(user, x, near);
    carom_scratch_give_back(taken);
}

static double energy_in(const Clip *c)
{
    if (c->nface == 1) {
        double energy = 0.0;
        each_piece(c, add_below_plane, &energy);
        return energy;
    }
    Cones cones = cones_of(c);
    Clip open = *c;  // a triangle behind B has a cone across it: only the open face shuts out
    open.nface = 1;
    open.normals = &c->normals[cones.open];
    open.offsets = &c->offsets[cones.open];
    each_triangle(&open, add_cone, &cones);
    return cones.energy;
}

static double clipped_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    Clip c;
    clip_of(a, X_WA, b, X_WB, &c);
    return energy_in(&c);
}

// ---- deep

typedef struct FacetVisit {
    caromFacetVisitor visit;
    void *user;
} FacetVisit;

static void visit_piece(const Clip *c, const ClippedPiece *piece, void *user)
{
    const FacetVisit *to = user;
    caromFacet facet = facet_of(c, piece);
    to->visit(&facet, to->user);
}

static void each_facet(const caromFacetSource *of, caromFacetVisitor visit, void *user)
{
    Clip c;
    clip_of(of->a, of->X_WA, of->b, of->X_WB, &c);
    each_piece(&c, visit_piece, &(FacetVisit){ visit, user });
}

// Below a single plane a mesh floats, in the end whole.
static void stiffen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch)
{
    if (b->kind == CAROM_HALF_SPACE) carom_patch_floating_stiffen(a, clipped_energy(a, X_WA, b, X_WB), s, patch);
    else carom_patch_facets_stiffen(&(caromFacetSource){ a, b, X_WA, X_WB, each_facet }, s, patch);
}

// With f(d) = from y^5 in place of d, as the pressure has it, the energy is the integral of f(d_B) over the part of A
// in B. By parts, twice, that is of f''(t) W(t), W(t) the energy of the law in B without its first t of depth. (The
// work on a way out is the same, but of a mesh that is not convex a way out of one place goes deeper into another.) In
// bands as the force is, deep.c.
static double steep_energy(Clip *c, const caromStiffening *s, double most)
{
    double whole = s->to - s->from, energy = 0.0;
    for (double below = 0.0; s->from + below*whole < most; below = 0.5*(1.0 + below)) {
        double low = s->from + below*whole, high = fmin(most, s->from + 0.5*(1.0 + below)*whole);
        for (int k = 0; k < 8; k++) {
            c->inset = low + 0.5*(1.0 + carom_gauss_8[k].x)*(high - low);
            double x = (c->inset - s->from)/whole, left = 1.0 - x, y = x/left,
                   bend = s->from*y*y*y*(20.0 + 10.0*x)/(left*left*left*left*whole*whole);
            energy += 0.5*carom_gauss_8[k].w*(high - low)*bend*energy_in(c);
        }
    }
    return energy;
}

static double stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s)
{
    if (b->kind == CAROM_HALF_SPACE)
        return carom_patch_floating_stiff_energy(a, clipped_energy(a, X_WA, b, X_WB), s);
    Clip c;
    clip_of(a, X_WA, b, X_WB, &c);
    double most = -deepest_in(&c).gap.g;
    if (most <= s->from) return 0.0;
    return most < s->to ? steep_energy(&c, s, most) : (double)INFINITY;
}

static bool is_mesh_on_planes(const caromShape *a, const caromShape *b)
{
    return a->kind == CAROM_MESH && carom_mesh_is_solid(a->mesh) && carom_field_has(b);
}

const caromPatchRow carom_patch_clipped = { "clipped mesh", is_mesh_on_planes, clipped_patch, clipped_energy,
                                            clipped_gap, stiffen, stiff_energy,
                                            CAROM_PATCH_FIELD_DEEPEST };
