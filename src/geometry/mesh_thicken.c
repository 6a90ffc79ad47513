// A surface as a plate: every vertex becomes two, half of the thickness to either side, and walls stand along its rims.
//
// They are at p +- (thickness/2) m with m.n = 1 for the normals n of all triangles around p, so that what is plane is
// as thick as was asked for up to its folds. Where more than three planes meet m is that of least squares, weighted by
// the angles at p; where fewer do it is the shortest.
#include "geometry/mesh.h"

#include "base/base.h"
#include "math/eigen.h"

// Of the largest eigenvalue: directions across which the triangles lean by less than a thousandth have no say.
static const double flat = 1e-6;

// Triangles around a vertex that are connected by edges, from one side: corner k of triangle t has the numbers
// 2 (3 t + k) for its outer side and one more for the other.
typedef struct Fan {
    double nn[9];      // sum of angle n n^T
    caromVec3 n, at;   // sum of angle n
    int vertex;
} Fan;

typedef struct Plate {
    const caromMesh *mesh;
    double half;          // of the thickness [m]
    int *fan;             // a corner that stands for all of its fan   [6 ntriangle]
    Fan *fans;            // of those corners                          [6 ntriangle]
    bool *is_rim;         // half-edges at which a wall stands         [3 ntriangle]
    caromVec3 *vertices;  // [6 ntriangle]
    int (*triangles)[3];
    int nvertex, ntriangle, nwall;
} Plate;

static int next_corner(int corner)
{
    return corner%3 == 2 ? corner - 2 : corner + 1;
}

// ---- which triangles go on in each other

static int fan_of(Plate *p, int corner, int side)
{
    int i = 2*corner + side;
    while (p->fan[i] != i) i = p->fan[i] = p->fan[p->fan[i]];
    return i;
}

// Turned over: the outer side of one goes on in the inner side of the other.
static void join(Plate *p, int a, int b, bool is_turned)
{
    for (int side = 0; side < 2; side++) {
        int i = fan_of(p, a, side), k = fan_of(p, b, is_turned ? !side : side);
        p->fan[i > k ? i : k] = i > k ? k : i;
    }
}

static caromVec3 normal_of(const Plate *p, int half)
{
    return carom_unit_or(carom_mesh_normal(p->mesh, half/3), carom_vec(0, 0, 0));
}

static bool are_turned(const Plate *p, const int pair[2])
{
    return carom_mesh_way(p->mesh, pair[0]) == carom_mesh_way(p->mesh, pair[1]);
}

// Of more than two triangles at an edge those two that lean least from each other go on; false: there is one.
static bool find_pair(const Plate *p, const int *halves, int n, int best[2])
{
    double least = -(double)INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const int pair[2] = { halves[i], halves[j] };
            double along = carom_dot(normal_of(p, pair[0]), normal_of(p, pair[1]));
            if (are_turned(p, pair)) along = -along;
            if (along <= least) continue;
            least = along, best[0] = pair[0], best[1] = pair[1];
        }
    return n > 1;
}

// Walls stand at the others.
static void join_edge(Plate *p, const int *halves, int n)
{
    int pair[2] = { -1, -1 };
    bool is_joined = find_pair(p, halves, n, pair);
    for (int i = 0; i < n; i++) {
        p->is_rim[halves[i]] = halves[i] != pair[0] && halves[i] != pair[1];
        p->nwall += p->is_rim[halves[i]];
    }
    if (!is_joined) return;
    bool is_turned = are_turned(p, pair);
    int from = pair[1], to = next_corner(pair[1]);
    join(p, pair[0], is_turned ? from : to, is_turned);
    join(p, next_corner(pair[0]), is_turned ? to : from, is_turned);
}

static bool join_edges(Plate *p)
{
    caromMeshEdges edges;
    if (!carom_mesh_edges_find(p->mesh, &edges)) return false;
    for (int i = 0; i < 6*p->mesh->ntriangle; i++) p->fan[i] = i;
    for (int e = 0; e < edges.n; e++)
        join_edge(p, edges.half + edges.first[e], edges.first[e + 1] - edges.first[e]);
    carom_mesh_edges_free(&edges);
    return true;
}

// ---- where the vertices go

static double angle_at(const Plate *p, int corner)
{
    const int *v = p->mesh->triangles[corner/3];
    const caromVec3 *x = p->mesh->vertices, at = x[v[corner%3]];
    caromVec3 a = carom_sub(x[v[(corner + 1)%3]], at), b = carom_sub(x[v[(corner + 2)%3]], at);
    return atan2(carom_norm(carom_cross(a, b)), carom_dot(a, b));
}

static void add_corner(Plate *p, int corner, int side)
{
    Fan *fan = &p->fans[fan_of(p, corner, side)];
    caromVec3 n = carom_scale(side ? -1.0 : 1.0, normal_of(p, corner));
    double angle = angle_at(p, corner);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) fan->nn[3*i + j] += angle*carom_at(n, i)*carom_at(n, j);
    fan->n = carom_axpy(angle, n, fan->n);
    fan->at = p->mesh->vertices[p->mesh->triangles[corner/3][corner%3]];
}

// The shortest m with the least sum of angle (m.n - 1)^2.
static caromVec3 way_out(Fan *fan)
{
    double values[3], vectors[9], most;
    caromVec3 m = { 0, 0, 0 };
    carom_symmetric_eigen(3, fan->nn, values, vectors);
    most = fmax(values[0], fmax(values[1], values[2]));
    for (int k = 0; k < 3; k++) {
        caromVec3 e = { vectors[3*k], vectors[3*k + 1], vectors[3*k + 2] };
        if (values[k] > flat*most) m = carom_axpy(carom_dot(e, fan->n)/values[k], e, m);
    }
    return m;
}

static void place_vertices(Plate *p)
{
    int n = 6*p->mesh->ntriangle;
    for (int i = 0; i < n; i++) add_corner(p, i/2, i%2);
    for (int i = 0; i < n; i++) {
        Fan *fan = &p->fans[i];
        if (p->fan[i] != i) continue;
        fan->vertex = p->nvertex;
        p->vertices[p->nvertex++] = carom_axpy(p->half, way_out(fan), fan->at);
    }
}

// ---- sides and walls

static void add(Plate *p, int a, int b, int c)
{
    int *v = p->triangles[p->ntriangle++];
    v[0] = a, v[1] = b, v[2] = c;
}

static int vertex_of(Plate *p, int corner, int side)
{
    return p->fans[fan_of(p, corner, side)].vertex;
}

static void add_triangles(Plate *p)
{
    for (int t = 0; t < p->mesh->ntriangle; t++) {
        add(p, vertex_of(p, 3*t, 0), vertex_of(p, 3*t + 1, 0), vertex_of(p, 3*t + 2, 0));
        add(p, vertex_of(p, 3*t, 1), vertex_of(p, 3*t + 2, 1), vertex_of(p, 3*t + 1, 1));
    }
    for (int half = 0; half < 3*p->mesh->ntriangle; half++) {
        int next = next_corner(half);
        if (!p->is_rim[half]) continue;
        add(p, vertex_of(p, next, 0), vertex_of(p, half, 0), vertex_of(p, half, 1));
        add(p, vertex_of(p, next, 0), vertex_of(p, half, 1), vertex_of(p, next, 1));
    }
}

static bool make(Plate *p)
{
    size_t ncorner = 6*(size_t)p->mesh->ntriangle;
    p->fan = carom_alloc_array(ncorner, sizeof *p->fan);
    p->fans = carom_alloc_array(ncorner, sizeof *p->fans);
    p->is_rim = carom_alloc_array(ncorner/2, sizeof *p->is_rim);
    p->vertices = carom_alloc_array(ncorner, sizeof *p->vertices);
    if (!p->fan || !p->is_rim || !p->fans || !p->vertices || !join_edges(p)) return false;
    p->triangles = carom_alloc_array(2*((size_t)p->mesh->ntriangle + (size_t)p->nwall), sizeof *p->triangles);
    if (!p->triangles) return false;
    place_vertices(p);
    add_triangles(p);
    return true;
}

static void release(Plate *p)
{
    free(p->fan);
    free(p->is_rim);
    free(p->fans);
    free(p->vertices);
    free(p->triangles);
}

static bool is_good_thickness(const caromMesh *mesh, double thickness, caromError *err)
{
    double size = carom_norm(carom_sub(mesh->report.high, mesh->report.low));
    if (thickness >= CAROM_MESH_THICKNESS_MIN*size && thickness <= size) return true;
    carom_fail(err, CAROM_ERR_INPUT, "thickness", "is %g m, expected %.3g m to %.3g m for a surface of this size",
               thickness, CAROM_MESH_THICKNESS_MIN*size, size);
    return false;
}

caromMesh *carom_mesh_thicken(const caromMesh *mesh, double thickness, caromError *err)
{
    Plate p = { .mesh = mesh, .half = 0.5*thickness };
    caromMesh *plate = NULL;
    if (!is_good_thickness(mesh, thickness, err)) return NULL;
    if (make(&p))
        plate = carom_mesh_create(p.vertices, p.nvertex, (const int (*)[3])p.triangles, p.ntriangle, NULL, err);
    else carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for a plate of %d triangles", mesh->ntriangle);
    release(&p);
    if (!plate) return NULL;
    plate->report.unit = mesh->report.unit;
    plate->report.bytes_ignored = mesh->report.bytes_ignored;
    return plate;
}
