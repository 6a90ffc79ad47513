// Meshes on everything but half-spaces: every two parts that are nearest to each other locally.
//
// Two solids, convex or not, touch where a corner of one is on a face of the other, or two edges cross; a rounded or
// smooth one also with its side on corners and edges. Each pair of parts near each other is a point of its own with a
// gap that is smooth as long as the parts stay, so that a peg in a hole or a link in a link has all of its points.
// Which parts are near is asked of the hierarchy of the mesh: triangles within a band of the other surface.
//
// Which pairs count (docs/collision.md, section 8):
// - The solid falls away from the normal at both parts. Corners of a face that is tilted count, those that look
//   elsewhere do not.
// - Parts that have passed each other (gap < 0) count if that is the way out: the corner is inside the other solid, and
//   the face is where it is nearest to the outside. Else each corner on a plate would be deep below its far side.
#include "manifold/solids.h"

#include "base/scratch.h"
#include "geometry/mesh_features.h"
#include "meshgap/meshgap.h"

static caromTouchPart part_of(caromPartKind kind, int id)
{
    return (caromTouchPart){ kind, id };
}

static bool has_part(const caromTouchPoint *p, const caromTouchPart part[2])
{
    return p->feature[0] == carom_manifold_feature(part[0].kind, part[0].id) &&
           p->feature[1] == carom_manifold_feature(part[1].kind, part[1].id);
}

static bool is_found(const caromSolids *s, const caromTouchPart part[2])
{
    for (int k = 0; k < s->n; k++) if (has_part(&s->points[k], part)) return true;
    return false;
}

// Of more than there is room for the nearest.
static void keep(caromSolids *s, const caromTouchPoint *point)
{
    int at = s->n;
    if (s->n < CAROM_SOLIDS_MAX) s->n++;
    else {
        at = 0;
        for (int k = 1; k < s->n; k++) if (s->points[k].g > s->points[at].g) at = k;
        if (s->points[at].g <= point->g) return;
    }
    s->points[at] = *point;
}

// ---- the rules

// Half way between what the end and the side have for normals.
static caromVec3 out_of_rim(const caromTouchSide *side, int id, caromVec3 p)
{
    caromTouchCircle circle = carom_manifold_circle(side, id & 1);
    caromVec3 from = carom_sub(p, circle.centre), none = { 0, 0, 0 },
              away = carom_unit_or(carom_axpy(-carom_dot(from, circle.axis), circle.axis, from), none);
    return carom_unit_or(carom_axpy(circle.side, circle.axis, away), none);
}

static caromVec3 out_of(const caromTouchSide *side, caromTouchPart part, caromVec3 p)
{
    caromVec3 none = { 0, 0, 0 };
    if (carom_manifold_is_frustum(side) && part.kind == CAROM_PART_RIM) return out_of_rim(side, part.id, p);
    if (carom_manifold_is_frustum(side) || carom_manifold_is_ring(side)) return none;
    if (part.kind == CAROM_PART_CORNER) return carom_unit_or(carom_manifold_corner_out(side, part.id), none);
    return part.kind == CAROM_PART_EDGE ? carom_unit_or(carom_manifold_line(side, part.id).out, none) : none;
}

// Half way between the two surfaces, and a little into both from corners, edges and rims, which may lie over the edge
// of what they are on. Two that cross and whose sides lean against each other hold only a wedge between them: the
// narrower it is, the shorter the sum of their normals, the farther in.
static caromVec3 between(const caromSolids *s, const caromTouchPart part[2], const caromTouchPoint *point)
{
    caromVec3 middle = carom_scale(0.5, carom_add(point->p_A, point->p_B)),
              out = carom_add(out_of(&s->pair->side[0], part[0], middle), out_of(&s->pair->side[1], part[1], middle));
    return carom_axpy(0.25*point->g/fmax(carom_norm2(out), CAROM_TOUCH_NARROW), out, middle);
}

// A corner, or the lowest point of a rim, is itself, however thin the rest: above it there may be none.
static bool has_passed(const caromSolids *s, const caromTouchPart part[2], const caromTouchPoint *point)
{
    double little = CAROM_TOUCH_SAME*s->pair->size, depth = -point->g;
    if (depth <= little) return true;
    caromVec3 p = between(s, part, point);
    for (int i = 0; i < 2; i++) {
        bool is_tip = part[!i].kind == CAROM_PART_FACE &&
                      (part[i].kind == CAROM_PART_CORNER || part[i].kind == CAROM_PART_RIM);
        if (!is_tip && depth > -CAROM_TOUCH_WEDGE*carom_manifold_distance(&s->pair->side[i], p)) return false;
    }
    return true;
}

// A point of the one that has passed an edge of a face of the other by less than the face itself is met by the face.
static bool is_beside(const caromSolids *s, const caromTouchPart part[2], const caromTouchPoint *point)
{
    for (int i = 0; i < 2; i++) {
        const caromTouchSide *side = &s->pair->side[i];
        if (part[i].kind != CAROM_PART_FACE || !(point->g < 0.0)) continue;
        if (carom_manifold_is_over(side, part[i].id, i ? point->p_B : point->p_A, point->g)) return true;
    }
    return false;
}

// A ball that holds a corner or an edge; faces have none.
static bool ball_of(const caromTouchSide *side, caromTouchPart part, caromVec3 *centre, double *radius)
{
    if (part.kind == CAROM_PART_CORNER) {
        *centre = carom_manifold_corner(side, part.id);
        *radius = side->core.radius;
        return true;
    }
    if (part.kind != CAROM_PART_EDGE) return false;
    caromTouchLine line = carom_manifold_line(side, part.id);
    *centre = carom_scale(0.5, carom_add(line.p, line.q));
    *radius = 0.5*carom_norm(carom_sub(line.q, line.p)) + line.radius;
    return true;
}

static bool are_far(const caromSolids *s, const caromTouchPart part[2])
{
    caromVec3 centre[2];
    double radius[2];
    for (int i = 0; i < 2; i++)
        if (!ball_of(&s->pair->side[i], part[i], &centre[i], &radius[i])) return false;
    double reach = radius[0] + radius[1] + s->band;
    return carom_norm2(carom_sub(centre[1], centre[0])) > reach*reach;
}

static void consider(caromSolids *s, const caromTouchPart part[2], double steep)
{
    caromTouchPlace place;
    if (are_far(s, part) || is_found(s, part) || !carom_manifold_locate(s->pair, part, &place)) return;
    if (fabs(place.g) > s->band) return;
    for (int i = 0; i < 2; i++) {
        caromVec3 out = i ? carom_neg(place.n) : place.n;
        if (!carom_manifold_part_faces(&s->pair->side[i], part[i], out, steep)) return;
    }
    caromTouchPoint point = carom_manifold_point_of(s->pair, part, &place);
    if ((place.is_there || is_beside(s, part, &point)) && has_passed(s, part, &point)) keep(s, &point);
}

void carom_manifold_consider(caromSolids *s, int i, caromTouchPart part, caromTouchPart other, double steep)
{
    const caromTouchPart parts[2] = { i ? other : part, i ? part : other };
    consider(s, parts, steep);
}

bool carom_manifold_part_faces(const caromTouchSide *side, caromTouchPart part, caromVec3 out, double steep)
{
    bool is_frustum = carom_manifold_is_frustum(side) || carom_manifold_is_ring(side);
    if (side->shape->kind == CAROM_HALF_SPACE || is_frustum) return true;
    if (part.kind == CAROM_PART_CORNER) return carom_manifold_corner_faces(side, part.id, out, steep);
    return part.kind != CAROM_PART_EDGE || carom_manifold_edge_faces(side, part.id, out, steep);
}

// ---- plane-faced solids and meshes

// Height of a corner over a plane is cheaper than everything else.
static void corner_on_face(caromSolids *s, int i, int corner, int face)
{
    caromVec3 on, out = carom_manifold_plane(&s->pair->side[!i], face, &on);
    double height = carom_dot(out, carom_sub(carom_manifold_corner(&s->pair->side[i], corner), on)) -
                    s->pair->side[0].core.radius - s->pair->side[1].core.radius;
    if (fabs(height) > s->band) return;
    carom_manifold_consider(s, i, part_of(CAROM_PART_CORNER, corner), part_of(CAROM_PART_FACE, face),
                          CAROM_TOUCH_STEEP);
}

// Corners and edges of a triangle that belong to it: each is looked at once for each triangle of the other.
static int own_corners(const caromMesh *mesh, int place, int corners[3])
{
    const caromMeshFeatures *f = mesh->features;
    int n = 0;
    for (int k = 0; k < 3; k++) {
        int v = mesh->tree.vertices[place][k];
        if (f->is_corner[v] && f->corner_halves[f->corner_first[v]] == 3*place + k) corners[n++] = v;
    }
    return n;
}

static int own_edges(const caromMesh *mesh, int place, int edges[3])
{
    const caromMeshFeatures *f = mesh->features;
    int n = 0;
    for (int k = 0; k < 3; k++) {
        int e = mesh->tree.edges[place][k];
        if (f->edge_kind[e] == CAROM_MESH_EDGE_SHARP && f->edge_halves[f->edge_first[e]] == 3*place + k) edges[n++] = e;
    }
    return n;
}

static void triangle_on_triangle(caromSolids *s, int place_A, int place_B)
{
    const int place[2] = { place_A, place_B };
    int corners[2][3], edges[2][3], ncorner[2], nedge[2];
    for (int i = 0; i < 2; i++) {
        const caromMesh *mesh = s->pair->side[i].shape->mesh;
        ncorner[i] = own_corners(mesh, place[i], corners[i]);
        nedge[i] = own_edges(mesh, place[i], edges[i]);
    }
    for (int i = 0; i < 2; i++) {
        int face = s->pair->side[!i].shape->mesh->features->face[place[!i]];
        for (int k = 0; k < ncorner[i] && face >= 0; k++) corner_on_face(s, i, corners[i][k], face);
    }
    for (int k = 0; k < nedge[0]; k++)
        for (int l = 0; l < nedge[1]; l++)
            carom_manifold_consider(s, 0, part_of(CAROM_PART_EDGE, edges[0][k]), part_of(CAROM_PART_EDGE, edges[1][l]),
                                  CAROM_TOUCH_STEEP);
}

static caromTouchPart mesh_part(const caromMesh *mesh, int place, int feature)
{
    const caromMeshFeatures *f = mesh->features;
    int v = feature < 3 ? mesh->tree.vertices[place][feature] : -1,
        e = feature >= 3 && feature < 6 ? mesh->tree.edges[place][feature - 3] : -1;
    if (v >= 0 && f->is_corner[v]) return part_of(CAROM_PART_CORNER, v);
    if (e >= 0 && f->edge_kind[e] == CAROM_MESH_EDGE_SHARP) return part_of(CAROM_PART_EDGE, e);
    return f->face[place] >= 0 ? part_of(CAROM_PART_FACE, f->face[place]) : part_of(CAROM_PART_SMOOTH, 0);
}

static void take_triangles(void *user, const caromTriangleGap *gap, int place_A, int place_B)
{
    caromSolids *s = user;
    double g = sqrt(gap->g2);
    if (g > s->band) return;
    if (g < s->nearest.g) {
        s->nearest.g = g;
        s->nearest.part[0] = mesh_part(s->pair->side[0].shape->mesh, place_A, gap->fx);
        s->nearest.part[1] = mesh_part(s->pair->side[1].shape->mesh, place_B, gap->fy);
    }
    triangle_on_triangle(s, place_A, place_B);
}

// ---- a mesh and a plane-faced convex solid, or a capsule

static int corner_count(const caromTouchSide *side)
{
    return side->core.kind == CAROM_CORE_HULL ? side->core.hull->nvertex : 8;
}

// Corners, edges and faces of a box without a width are there once, or not at all.
static bool has_corner(const caromTouchSide *side, int id)
{
    const caromVec3 h = side->core.h;
    if (side->core.kind == CAROM_CORE_HULL) return true;
    return !((id & 1 && !(h.x > 0.0)) || (id & 2 && !(h.y > 0.0)) || (id & 4 && !(h.z > 0.0)));
}

static int edge_count(const caromTouchSide *side)
{
    return side->core.kind == CAROM_CORE_HULL ? side->core.hull->nedge : 12;
}

static bool has_edge(const caromTouchSide *side, int id)
{
    if (side->core.kind == CAROM_CORE_HULL) return true;
    int ends[2];
    carom_manifold_edge_ends(side, id, ends);
    return carom_at(side->core.h, id/4) > 0.0 && has_corner(side, ends[0]);
}

static int face_count(const caromTouchSide *side)
{
    return side->core.kind == CAROM_CORE_HULL ? side->core.hull->nface : 6;
}

static bool has_face(const caromTouchSide *side, int id)
{
    if (side->core.kind == CAROM_CORE_HULL) return true;
    int axis = id/2;
    return carom_at(side->core.h, (axis + 1)%3) > 0.0 && carom_at(side->core.h, (axis + 2)%3) > 0.0;
}

// What is rounded touches corners with its edges, and edges and corners with its corners: where the other faces look.
static void rounded_on(caromSolids *s, int i, caromTouchPart part)
{
    const caromTouchSide *other = &s->pair->side[!i];
    double strict = CAROM_TOUCH_SAME;
    if (!(other->core.radius > 0.0)) return;
    for (int k = 0; k < corner_count(other); k++)
        if (has_corner(other, k)) carom_manifold_consider(s, i, part, part_of(CAROM_PART_CORNER, k), strict);
    for (int k = 0; k < edge_count(other) && part.kind == CAROM_PART_CORNER; k++)
        if (has_edge(other, k)) carom_manifold_consider(s, i, part, part_of(CAROM_PART_EDGE, k), strict);
}

static void triangle_on_faces(caromSolids *s, int place)
{
    const int i = s->mesh;
    const caromMesh *mesh = s->pair->side[i].shape->mesh;
    const caromTouchSide *other = &s->pair->side[!i];
    int corners[3], edges[3], face = mesh->features->face[place], ncorner = own_corners(mesh, place, corners),
        nedge = own_edges(mesh, place, edges);
    for (int k = 0; k < corner_count(other) && face >= 0; k++)
        if (has_corner(other, k)) corner_on_face(s, !i, k, face);
    for (int c = 0; c < ncorner; c++) {
        for (int k = 0; k < face_count(other); k++) if (has_face(other, k)) corner_on_face(s, i, corners[c], k);
        rounded_on(s, i, part_of(CAROM_PART_CORNER, corners[c]));
    }
    for (int c = 0; c < nedge; c++) {
        caromTouchPart edge = part_of(CAROM_PART_EDGE, edges[c]);
        for (int k = 0; k < edge_count(other); k++) {
            if (has_edge(other, k))
                carom_manifold_consider(s, i, edge, part_of(CAROM_PART_EDGE, k), CAROM_TOUCH_STEEP);
        }
        rounded_on(s, i, edge);
    }
}

// ---- a mesh and a smooth solid (smooth.c), a cylinder, a cone (rims.c) or a ring (rings.c)

static bool lies_on(const caromSolids *s, caromVec3 out)
{
    const caromTouchSide *round = &s->pair->side[!s->mesh];
    return carom_manifold_lean_of(round, out) <= s->pair->lying;
}

static void round_on_face(caromSolids *s, int face)
{
    const int i = !s->mesh;
    const caromTouchSide *round = &s->pair->side[i];
    const caromTouchPart over = part_of(CAROM_PART_FACE, face);
    if (round->shape->kind == CAROM_ELLIPSOID)
        carom_manifold_consider(s, i, part_of(CAROM_PART_SMOOTH, 0), over, CAROM_TOUCH_STEEP);
    else {
        caromVec3 on, out = carom_manifold_plane(&s->pair->side[!i], face, &on);
        int ends = carom_manifold_is_ring(round) ? 1 : 2;
        bool lies = lies_on(s, out);
        for (int end = 0; end < ends; end++) {
            if (!lies) carom_manifold_consider(s, i, part_of(CAROM_PART_RIM, end), over, CAROM_TOUCH_STEEP);
            for (int k = 0; k < 4 && lies; k++)
                carom_manifold_consider(s, i, part_of(CAROM_PART_CORNER, 4*end + k), over, CAROM_TOUCH_STEEP);
        }
    }
}

static void round_on_edge(caromSolids *s, int edge)
{
    const int i = !s->mesh;
    const caromTouchSide *round = &s->pair->side[i];
    const caromTouchPart over = part_of(CAROM_PART_EDGE, edge);
    if (carom_manifold_is_ring(round)) {
        int sectors[CAROM_RING_PLACES], n = carom_manifold_ring_bar_places(s->pair, i, edge, sectors);
        for (int k = 0; k < n; k++)
            carom_manifold_consider(s, i, part_of(CAROM_PART_RING, sectors[k]), over, CAROM_TOUCH_SAME);
        return;
    }
    bool is_cylinder = carom_manifold_is_frustum(round) && round->core.r0 == round->core.r1;
    if (is_cylinder) carom_manifold_consider(s, i, part_of(CAROM_PART_EDGE, 0), over, CAROM_TOUCH_STEEP);
    for (int rim = 2; rim < 6 && carom_manifold_is_frustum(round); rim++)
        carom_manifold_consider(s, i, part_of(CAROM_PART_RIM, rim), over, CAROM_TOUCH_STEEP);
    carom_manifold_consider(s, i, part_of(CAROM_PART_SMOOTH, 0), over, CAROM_TOUCH_SAME);
}

static void round_on_corner(caromSolids *s, int corner)
{
    const int i = !s->mesh;
    const caromTouchPart over = part_of(CAROM_PART_CORNER, corner);
    for (int end = 0; end < 2 && carom_manifold_is_frustum(&s->pair->side[i]); end++)
        carom_manifold_consider(s, i, part_of(CAROM_PART_FACE, end), over, CAROM_TOUCH_STEEP);
    carom_manifold_consider(s, i, part_of(CAROM_PART_SMOOTH, 0), over, CAROM_TOUCH_SAME);
}

static void triangle_on_round(caromSolids *s, int place)
{
    const caromMesh *mesh = s->pair->side[s->mesh].shape->mesh;
    int corners[3], edges[3], face = mesh->features->face[place], ncorner = own_corners(mesh, place, corners),
        nedge = own_edges(mesh, place, edges);
    if (face >= 0) round_on_face(s, face);
    for (int k = 0; k < nedge; k++) round_on_edge(s, edges[k]);
    for (int k = 0; k < ncorner; k++) round_on_corner(s, corners[k]);
}

// The feature is the one whose normals hold n: a step along it leads to where it is nearest.
static void note_nearest(caromSolids *s, const caromGap *gap, int place)
{
    const caromMesh *mesh = s->pair->side[s->mesh].shape->mesh;
    int feature;
    carom_triangle_point(mesh->tree.corners[place], carom_axpy(CAROM_TOUCH_OUTWARDS*mesh->reach, gap->n_AB, gap->p_A),
                         &feature);
    caromVec3 n = carom_mul(s->pair->side[s->mesh].X.R, gap->n_AB);
    s->nearest.g = gap->g;
    s->nearest.part[s->mesh] = mesh_part(mesh, place, feature);
    s->nearest.part[!s->mesh] = carom_manifold_end(&s->pair->side[!s->mesh], carom_neg(n), s->pair->size);
}

static void take_triangle(void *user, const caromGap *gap, int place)
{
    caromSolids *s = user;
    if (gap->g > s->band) return;
    if (gap->g < s->nearest.g) note_nearest(s, gap, place);
    if (carom_manifold_is_flat(&s->pair->side[!s->mesh])) triangle_on_faces(s, place);
    else triangle_on_round(s, place);
}

// ---- all of them

static bool is_mesh(const caromTouchSide *side)
{
    return side->shape->kind == CAROM_MESH;
}

static void find_near(caromSolids *s)
{
    const caromTouchSide *a = &s->pair->side[s->mesh], *b = &s->pair->side[!s->mesh];
    if (is_mesh(b)) {
        caromMeshPair p = carom_meshgap_pair(a->shape->mesh, &a->X, b->shape->mesh, &b->X);
        carom_meshgap_pair_each(&p, s->band, take_triangles, s);
        return;
    }
    caromMeshShape p = carom_meshgap_shape_pair(a->shape->mesh, &a->X, b->shape, &b->X);
    carom_meshgap_shape_each(&p, s->band, take_triangle, s);
}

// By rounding; of a disc that lies, which stands on corners of its rim that are a little higher than its lowest point.
static double slack_of(const caromSolids *s)
{
    const caromTouchSide *round = &s->pair->side[!s->mesh];
    bool is_disc = carom_manifold_is_frustum(round) || carom_manifold_is_ring(round);
    return CAROM_TOUCH_GAP*s->pair->size + (is_disc ? s->pair->lying*carom_shape_radius(*round->shape) : 0.0);
}

// Surfaces that are nearest in two corners, or a corner and an edge, or along parallel edges, are apart: nothing else
// may be as near, and this is the point that comes down first.
static void add_nearest(caromSolids *s)
{
    double least = (double)INFINITY, little = CAROM_TOUCH_GAP*s->pair->size;
    for (int k = 0; k < s->n; k++) least = fmin(least, s->points[k].g);
    if (least <= fmax(s->nearest.g, 0.0) + slack_of(s)) return;
    caromTouchPlace place;
    caromTouchPoint point;
    if (!(s->nearest.g > 0.0)) {
        bool ok = carom_manifold_nearest(s->pair, &point);
        point.feature[0] = point.feature[1] = carom_manifold_feature(CAROM_PART_SMOOTH, 0);
        if (ok) keep(s, &point);
        return;
    }
    if (!carom_manifold_locate(s->pair, s->nearest.part, &place) || !place.is_there ||
        fabs(place.g - s->nearest.g) > little) return;
    point = carom_manifold_point_of(s->pair, s->nearest.part, &place);
    keep(s, &point);
}

static void list_solids(caromTouchList *list, double within)
{
    void *taken;
    caromSolids *s = CAROM_SCRATCH_OR_STACK(sizeof *s, taken);
    s->pair = list->pair;
    s->mesh = is_mesh(&list->pair->side[0]) ? 0 : 1;
    s->band = CAROM_TOUCH_NEAR*list->pair->size;
    s->nearest.g = (double)INFINITY;
    s->n = 0;
    find_near(s);
    add_nearest(s);
    carom_manifold_thin_out(s, list);
    bool is_ball = list->pair->side[!s->mesh].shape->kind == CAROM_SPHERE;
    carom_scratch_give_back(taken);
    if (list->n == 0) (is_ball ? carom_touch_mesh : carom_touch_round).list(list, within);
}

// Open surfaces have no outside: what touches them does so where it is nearest (round.c).
static bool serves(const caromTouchPair *pair)
{
    int meshes = 0;
    for (int i = 0; i < 2; i++) {
        caromShapeKind kind = pair->side[i].shape->kind;
        if (kind == CAROM_HALF_SPACE) return false;
        if (kind != CAROM_MESH) continue;
        if (!carom_mesh_is_solid(pair->side[i].shape->mesh)) return false;
        meshes++;
    }
    return meshes > 0;
}

const caromTouchRow carom_touch_solids = { serves, list_solids };
