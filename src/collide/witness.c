// All witness pairs closer than a standoff.
//
// Triangles that share an edge or a corner find the nearest points on it again. They are collected with the features
// they lie on, and of those with the same two features one is kept. The list is the caller's, nothing is allocated:
// when it is full it is sorted and cleared of repetitions, and if it is still full then it is too short.
#include "collide/scales.h"
#include "meshgap/meshgap.h"

typedef struct WitnessList {
    caromWitness *items;
    int n, capacity;
    bool overflows, is_sorted;  // sorted, and without repetitions
    double standoff;
    const caromMesh *a, *b;  // NULL: not a mesh
    caromPose X_WA;          // of the frame in which pairs are found
    bool mirrored;
} WitnessList;

// ---- order

static int compare_numbers(double x, double y)
{
    return x < y ? -1 : x > y;
}

// By features; then by what they hold, so that the same one is kept whatever the order in which they came.
static int compare(const caromWitness *x, const caromWitness *y)
{
    if (x->feature_a != y->feature_a) return x->feature_a < y->feature_a ? -1 : 1;
    if (x->feature_b != y->feature_b) return x->feature_b < y->feature_b ? -1 : 1;
    int order = compare_numbers(x->g, y->g);
    for (int k = 0; k < 3 && order == 0; k++) order = compare_numbers(carom_at(x->p_A, k), carom_at(y->p_A, k));
    for (int k = 0; k < 3 && order == 0; k++) order = compare_numbers(carom_at(x->p_B, k), carom_at(y->p_B, k));
    return order;
}

static void sift_down(caromWitness *items, int root, int n)
{
    for (int child = 2*root + 1; child < n; child = 2*root + 1) {
        if (child + 1 < n && compare(&items[child], &items[child + 1]) < 0) child++;
        if (compare(&items[root], &items[child]) >= 0) return;
        caromWitness t = items[root];
        items[root] = items[child];
        items[child] = t;
        root = child;
    }
}

// Heapsort: in place, and n log n whatever the order.
static void sort(caromWitness *items, int n)
{
    for (int root = n/2 - 1; root >= 0; root--) sift_down(items, root, n);
    for (int last = n - 1; last > 0; last--) {
        caromWitness t = items[0];
        items[0] = items[last];
        items[last] = t;
        sift_down(items, 0, last);
    }
}

static void clear_repetitions(WitnessList *list)
{
    int kept = 0;
    sort(list->items, list->n);
    for (int i = 0; i < list->n; i++) {
        const caromWitness *item = &list->items[i], *before = &list->items[kept - 1];
        if (kept > 0 && before->feature_a == item->feature_a && before->feature_b == item->feature_b) continue;
        list->items[kept++] = *item;
    }
    list->n = kept;
    list->is_sorted = true;
}

// ---- collecting

static int feature_number(const caromMesh *mesh, int place, int feature)
{
    const caromMeshTree *tree = &mesh->tree;
    if (feature < 3) return tree->vertices[place][feature];
    return feature < 6 ? mesh->nvertex + tree->edges[place][feature - 3]
                       : mesh->nvertex + tree->nedge + tree->triangle[place];
}

// In a full list: the one with the same features gives way to a lesser one.
static void add_to_full(WitnessList *list, const caromWitness *w)
{
    int low = 0, high = list->n;
    while (low < high) {
        int middle = low + (high - low)/2;
        const caromWitness *item = &list->items[middle];
        bool is_before = item->feature_a != w->feature_a ? item->feature_a < w->feature_a
                                                         : item->feature_b < w->feature_b;
        if (is_before) low = middle + 1;
        else high = middle;
    }
    caromWitness *same = &list->items[low];
    bool is_known = low < list->n && same->feature_a == w->feature_a && same->feature_b == w->feature_b;
    if (!is_known) list->overflows = true;
    else if (compare(w, same) < 0) *same = *w;
}

static void add(WitnessList *list, caromWitness w)
{
    if (!(w.g < list->standoff) || list->overflows) return;
    if (list->n == list->capacity && !list->is_sorted) clear_repetitions(list);
    w.p_A = carom_pose_point(list->X_WA, w.p_A);
    w.p_B = carom_pose_point(list->X_WA, w.p_B);
    w.n_AB = carom_mul(list->X_WA.R, w.n_AB);
    if (list->mirrored) w = (caromWitness){ w.g, carom_neg(w.n_AB), w.p_B, w.p_A, w.feature_b, w.feature_a };
    if (list->n == list->capacity) {
        add_to_full(list, &w);
        return;
    }
    list->items[list->n++] = w;
    list->is_sorted = false;
}

static caromVec3 triangle_normal(const caromMesh *mesh, int place)
{
    const caromVec3 *x = mesh->tree.corners[place];
    return carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_vec(0, 0, 1));
}

static void add_triangles(void *user, const caromTriangleGap *gap, int place_a, int place_b)
{
    WitnessList *list = user;
    caromWitness w = { .p_A = gap->x, .p_B = gap->y, .feature_a = feature_number(list->a, place_a, gap->fx),
                       .feature_b = feature_number(list->b, place_b, gap->fy) };
    w.g = carom_narrow_split(carom_sub(w.p_B, w.p_A), triangle_normal(list->a, place_a), &w.n_AB);
    add(list, w);
}

// The feature is the one whose normals hold n: a step along it leads to where it is nearest.
static void add_triangle(void *user, const caromGap *gap, int place)
{
    WitnessList *list = user;
    int feature;
    carom_triangle_point(list->a->tree.corners[place],
                         carom_axpy(fmax(gap->g, CAROM_COLLIDE_ASIDE*list->a->reach), gap->n_AB, gap->p_A), &feature);
    add(list, (caromWitness){ gap->g, gap->n_AB, gap->p_A, gap->p_B, feature_number(list->a, place, feature), 0 });
}

static int finished(WitnessList *list, bool is_defined)
{
    clear_repetitions(list);
    return is_defined && !list->overflows ? list->n : -1;
}

// ---- the query

static int witnesses_of_mesh(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                             WitnessList *list)
{
    list->a = a->mesh;
    list->b = b->mesh;
    list->X_WA = *X_WA;
    if (b->kind == CAROM_MESH) {
        caromMeshPair p = carom_meshgap_pair(a->mesh, X_WA, b->mesh, X_WB);
        carom_meshgap_pair_each(&p, list->standoff, add_triangles, list);
        return finished(list, true);
    }
    caromMeshShape p = carom_meshgap_shape_pair(a->mesh, X_WA, b, X_WB);
    return finished(list, carom_meshgap_shape_each(&p, list->standoff, add_triangle, list));
}

int carom_collide_witnesses(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, double standoff,
                            caromWitness *witnesses, int capacity)
{
    WitnessList list = { .items = witnesses, .capacity = capacity, .standoff = standoff };
    bool is_defined = carom_narrow_is_placed(&a, &X_WA) && carom_narrow_is_placed(&b, &X_WB) && !isnan(standoff);
    if (!is_defined) return -1;
    if (a.kind != CAROM_MESH && b.kind != CAROM_MESH) {
        caromGap gap = carom_collide_shapes(a, X_WA, b, X_WB);
        list.X_WA = carom_pose_identity();
        add(&list, (caromWitness){ gap.g, gap.n_AB, gap.p_A, gap.p_B, 0, 0 });
        return finished(&list, gap.status != CAROM_GAP_UNDEFINED);
    }
    list.mirrored = a.kind != CAROM_MESH || (b.kind == CAROM_MESH && carom_narrow_pair_order(&a, &X_WA, &b, &X_WB) > 0);
    return list.mirrored ? witnesses_of_mesh(&b, &X_WB, &a, &X_WA, &list)
                         : witnesses_of_mesh(&a, &X_WA, &b, &X_WB, &list);
}
