// Which side is outside. Within a component (triangles connected by edges that have exactly two) neighbours must run
// along their common edge in opposite ways; the side of the majority wins. Components that close on themselves then
// face outward, or inward where they are the wall of a cavity: inside an odd number of others. Edges with more than two
// triangles connect nothing, as there is no telling who is whose neighbour.
#include "geometry/mesh.h"

#include "base/base.h"

// Steps of the search for cavities, one for a pair of boxes or a triangle seen from a point: about a second. Beyond it
// the question stays open.
#define NESTING_STEPS_MAX 20000000

static const double pi = CAROM_PI;

typedef struct Component {
    int first, count;      // of its triangles in Parts.order
    bool is_closed;
    int depth;             // closed components around it
    double volume;         // signed
    caromVec3 low, high;
} Component;

typedef struct Parts {
    caromMesh *mesh;
    caromMeshEdges edges;
    int *mate;             // the half-edge on the other side of an edge with two triangles; -1: none   [3 ntriangle]
    int *component;        // of each triangle   [ntriangle]
    int *order;            // triangles by component   [ntriangle]
    bool *is_turned;       // will be, at the end: half-edges keep their numbers until then   [ntriangle]
    int *net;              // of each component at an edge: triangles that run one way minus the other   [ntriangle]
    Component *components; // [ncomponent]
    int ncomponent;
} Parts;

static bool parts_make(Parts *parts, caromMesh *mesh)
{
    size_t n = (size_t)mesh->ntriangle;
    *parts = (Parts){ .mesh = mesh };
    parts->mate = carom_alloc_array(3*n, sizeof *parts->mate);
    parts->component = carom_alloc_array(n, sizeof *parts->component);
    parts->order = carom_alloc_array(n, sizeof *parts->order);
    parts->is_turned = carom_alloc_array(n, sizeof *parts->is_turned);
    parts->net = carom_alloc_array(n, sizeof *parts->net);
    return parts->mate && parts->component && parts->order && parts->is_turned && parts->net &&
           carom_mesh_edges_find(mesh, &parts->edges);
}

static void parts_free(Parts *parts)
{
    carom_mesh_edges_free(&parts->edges);
    free(parts->mate);
    free(parts->component);
    free(parts->order);
    free(parts->is_turned);
    free(parts->net);
    free(parts->components);
}

// As it will be.
static int way(const Parts *parts, int h)
{
    int w = carom_mesh_way(parts->mesh, h);
    return parts->is_turned[h/3] ? -w : w;
}

static void find_mates(Parts *parts)
{
    const caromMeshEdges *edges = &parts->edges;
    for (int i = 0; i < 3*parts->mesh->ntriangle; i++) parts->mate[i] = -1;
    for (int e = 0; e < edges->n; e++) {
        const int *half = edges->half + edges->first[e];
        if (edges->first[e + 1] - edges->first[e] != 2) continue;
        parts->mate[half[0]] = half[1];
        parts->mate[half[1]] = half[0];
    }
}

// Everything that can be reached from triangle t; order serves as the queue, and holds the triangles of the component
// at the end.
static int spread(Parts *parts, int t, int at)
{
    int end = at, c = parts->ncomponent;
    parts->order[end++] = t;
    parts->component[t] = c;
    for (; at < end; at++) {
        for (int k = 0; k < 3; k++) {
            int h = 3*parts->order[at] + k, mate = parts->mate[h];
            if (mate < 0 || parts->component[mate/3] >= 0) continue;
            parts->component[mate/3] = c;
            parts->is_turned[mate/3] = way(parts, h) == carom_mesh_way(parts->mesh, mate);
            parts->order[end++] = mate/3;
        }
    }
    return end;
}

static bool find_components(Parts *parts)
{
    int n = parts->mesh->ntriangle, at = 0;
    for (int t = 0; t < n; t++) parts->component[t] = -1;
    for (int t = 0; t < n; t++) {
        if (parts->component[t] >= 0) continue;
        at = spread(parts, t, at);
        parts->ncomponent++;
    }
    parts->components = carom_alloc_array((size_t)parts->ncomponent, sizeof *parts->components);
    if (!parts->components) return false;
    for (int i = 0; i < n; i++) {
        Component *c = &parts->components[parts->component[parts->order[i]]];
        if (c->count++ == 0) c->first = i;
    }
    return true;
}

static void turn_component(Parts *parts, const Component *c)
{
    const int *list = parts->order + c->first;
    for (int i = 0; i < c->count; i++) parts->is_turned[list[i]] = !parts->is_turned[list[i]];
}

// The smaller camp turns; where both are equal, the one without the first triangle.
static int make_consistent(Parts *parts, const Component *c)
{
    int nturned = 0;
    for (int i = 0; i < c->count; i++) nturned += parts->is_turned[parts->order[c->first + i]];
    if (2*(int64_t)nturned <= c->count) return nturned;
    turn_component(parts, c);
    return c->count - nturned;
}

// A component is closed when at every edge as many of its triangles run one way as the other: then its boundary is
// empty.
static void find_closed(Parts *parts)
{
    const caromMeshEdges *edges = &parts->edges;
    for (int c = 0; c < parts->ncomponent; c++) parts->components[c].is_closed = true;
    for (int e = 0; e < edges->n; e++) {
        const int *half = edges->half + edges->first[e];
        int n = edges->first[e + 1] - edges->first[e];
        for (int i = 0; i < n; i++) parts->net[parts->component[half[i]/3]] += way(parts, half[i]);
        for (int i = 0; i < n; i++)
            if (parts->net[parts->component[half[i]/3]] != 0)
                parts->components[parts->component[half[i]/3]].is_closed = false;
        for (int i = 0; i < n; i++) parts->net[parts->component[half[i]/3]] = 0;
    }
}

static caromVec3 lower(caromVec3 a, caromVec3 b) { return carom_vec(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static caromVec3 upper(caromVec3 a, caromVec3 b) { return carom_vec(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

// Box and volume; the tetrahedra of the volume start at one of its own corners, so that a small part far away loses
// nothing.
static void measure(const Parts *parts, Component *c)
{
    const caromMesh *mesh = parts->mesh;
    const int *list = parts->order + c->first;
    caromVec3 o = mesh->vertices[mesh->triangles[list[0]][0]];
    double six = 0.0;
    c->low = c->high = o;
    for (int i = 0; i < c->count; i++) {
        const int *v = mesh->triangles[list[i]];
        double term = carom_dot(carom_sub(mesh->vertices[v[0]], o), carom_mesh_normal(mesh, list[i]));
        six += parts->is_turned[list[i]] ? -term : term;
        for (int k = 0; k < 3; k++) {
            c->low = lower(c->low, mesh->vertices[v[k]]);
            c->high = upper(c->high, mesh->vertices[v[k]]);
        }
    }
    c->volume = six/6.0;
}

// Solid angle of a triangle seen from the origin [VanOosterom83]:
//
//     tan(w/2) = a . (b x c)/(|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)
static double solid_angle(caromVec3 a, caromVec3 b, caromVec3 c)
{
    double na = carom_norm(a), nb = carom_norm(b), nc = carom_norm(c);
    double above = carom_dot(a, carom_cross(b, c));
    double below = na*nb*nc + carom_dot(a, b)*nc + carom_dot(b, c)*na + carom_dot(c, a)*nb;
    return 2.0*atan2(above, below);
}

// How often a closed component winds around p: 0 outside, 1 or -1 inside, in between on the surface. Unlike counting
// what a ray hits, it has no special cases at edges and corners.
static double winding(const Parts *parts, const Component *c, caromVec3 p)
{
    const caromMesh *mesh = parts->mesh;
    double sum = 0.0, size = carom_norm(carom_sub(c->high, c->low));
    for (int i = 0; i < c->count; i++) {
        int t = parts->order[c->first + i];
        const int *v = mesh->triangles[t];
        caromVec3 r[3];
        for (int k = 0; k < 3; k++) r[k] = carom_scale(1.0/size, carom_sub(mesh->vertices[v[k]], p));
        double w = solid_angle(r[0], r[1], r[2]);
        sum += parts->is_turned[t] ? -w : w;
    }
    return fabs(sum)/(4.0*pi);
}

static caromVec3 centroid(const caromMesh *mesh, int t)
{
    const int *v = mesh->triangles[t];
    return carom_scale(1.0/3.0, carom_add(mesh->vertices[v[0]], carom_add(mesh->vertices[v[1]], mesh->vertices[v[2]])));
}

static bool box_holds(const Component *outer, const Component *inner)
{
    caromVec3 a = carom_sub(inner->low, outer->low), b = carom_sub(outer->high, inner->high);
    return a.x >= 0.0 && a.y >= 0.0 && a.z >= 0.0 && b.x >= 0.0 && b.y >= 0.0 && b.z >= 0.0;
}

// By the middle of a few triangles of the inner one, as surfaces that touch mostly do so at corners and edges; the
// clearest answer counts.
static bool is_inside(const Parts *parts, const Component *inner, const Component *outer, int64_t *steps)
{
    enum { POINTS = 4 };
    double clearest = 0.5;
    for (int i = 0; i < POINTS && i < inner->count && fabs(clearest - 0.5) < 0.25; i++) {
        double w = winding(parts, outer, centroid(parts->mesh, parts->order[inner->first + i]));
        if (fabs(w - 0.5) > fabs(clearest - 0.5)) clearest = w;
        *steps += outer->count;
    }
    return clearest > 0.5;
}

static bool find_depths(Parts *parts)
{
    int64_t steps = 0;
    for (int i = 0; i < parts->ncomponent; i++) {
        Component *inner = &parts->components[i];
        if (!inner->is_closed) continue;
        for (int j = 0; j < parts->ncomponent; j++) {
            const Component *outer = &parts->components[j];
            if (++steps > NESTING_STEPS_MAX) return false;
            if (i == j || !outer->is_closed || !box_holds(outer, inner)) continue;
            if (fabs(outer->volume) > fabs(inner->volume)) inner->depth += is_inside(parts, inner, outer, &steps);
        }
    }
    return true;
}

static int face_outward(Parts *parts)
{
    int n = 0;
    for (int i = 0; i < parts->ncomponent; i++) {
        const Component *c = &parts->components[i];
        bool is_cavity = c->depth%2 == 1;
        if (!c->is_closed || (is_cavity ? c->volume <= 0.0 : c->volume >= 0.0)) continue;
        turn_component(parts, c);
        n++;
    }
    return n;
}

static void count_edges(const Parts *parts, caromMeshReport *report)
{
    const caromMeshEdges *edges = &parts->edges;
    report->is_closed = report->is_oriented = true;
    for (int e = 0; e < edges->n; e++) {
        int n = edges->first[e + 1] - edges->first[e], net = 0;
        for (int i = edges->first[e]; i < edges->first[e + 1]; i++) net += way(parts, edges->half[i]);
        report->open_edges += n == 1;
        report->crowded_edges += n > 2;
        if (n%2 != 0) report->is_closed = false;
        if (abs(net) != n%2) report->is_oriented = false;
    }
}

static void turn_triangles(const Parts *parts)
{
    for (int t = 0; t < parts->mesh->ntriangle; t++) {
        if (!parts->is_turned[t]) continue;
        int *v = parts->mesh->triangles[t], second = v[1];
        v[1] = v[2];
        v[2] = second;
    }
}

static void orient(Parts *parts, caromMeshReport *report)
{
    for (int i = 0; i < parts->ncomponent; i++) {
        Component *c = &parts->components[i];
        report->triangles_turned += make_consistent(parts, c);
        measure(parts, c);
    }
    find_closed(parts);
    report->components = parts->ncomponent;
    report->is_nesting_known = find_depths(parts);
    if (report->is_nesting_known) report->components_turned = face_outward(parts);
    count_edges(parts, report);
    turn_triangles(parts);
}

bool carom_mesh_orient(caromMesh *mesh, caromMeshReport *report)
{
    Parts parts;
    bool good = parts_make(&parts, mesh);
    if (good) {
        find_mates(&parts);
        good = find_components(&parts);
    }
    if (good) orient(&parts, report);
    parts_free(&parts);
    return good;
}
