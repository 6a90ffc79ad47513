// The public queries on two shapes: the narrow phase for those without meshes, the search through triangles for the
// others.
#include "collide/collide.h"
#include "meshgap/meshgap.h"
#include "narrow/convex.h"

static bool has_mesh(const caromShape *a, const caromShape *b)
{
    return a->kind == CAROM_MESH || b->kind == CAROM_MESH;
}

// a and b in order (carom_narrow_pair_order), at least one a mesh. places: those of the nearest triangles, for
// a warm start, or NULL.
static caromGap ordered_mesh_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                                 int places[2])
{
    if (!carom_narrow_shape_is_usable(a) || !carom_narrow_shape_is_usable(b)) return carom_gap_undefined((double)NAN);
    caromGap gap = carom_meshgap_shapes(a, X_WA, b, X_WB, places);
    return isnan(gap.g) && gap.status != CAROM_GAP_NO_ROTATION ? carom_gap_undefined((double)NAN) : gap;
}

caromGap carom_collide_shapes(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    if (!has_mesh(&a, &b)) return carom_narrow_gap(&a, &X_WA, &b, &X_WB);
    if (carom_narrow_pair_order(&a, &X_WA, &b, &X_WB) > 0)
        return carom_gap_mirrored(ordered_mesh_gap(&b, &X_WB, &a, &X_WA, NULL));
    return ordered_mesh_gap(&a, &X_WA, &b, &X_WB, NULL);
}

// ---- warm start

// features: n of a, three of a, n of b, three of b; a face instead of the three.
static caromFeatures remembered(const caromWarmStart *warm, bool swapped)
{
    const int *a = warm->features + (swapped ? 4 : 0), *b = warm->features + (swapped ? 0 : 4);
    return (caromFeatures){ .na = a[0], .nb = b[0], .a = { a[1], a[2], a[3] }, .b = { b[1], b[2], b[3] },
                            .face_a = a[0] == 3 ? a[1] : -1, .face_b = b[0] == 3 ? b[1] : -1 };
}

static void remember(caromWarmStart *warm, bool swapped, const caromFeatures *f)
{
    int *a = warm->features + (swapped ? 4 : 0), *b = warm->features + (swapped ? 0 : 4);
    a[0] = f->na, a[1] = f->na == 3 ? f->face_a : f->a[0], a[2] = f->a[1], a[3] = f->a[2];
    b[0] = f->nb, b[1] = f->nb == 3 ? f->face_b : f->b[0], b[2] = f->b[1], b[3] = f->b[2];
}

// Places of the nearest triangles, plus one: what was initialised with zeros remembers none.
static caromGap warm_mesh_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                              int *of_a, int *of_b)
{
    int places[2] = { *of_a - 1, *of_b - 1 };
    caromGap gap = ordered_mesh_gap(a, X_WA, b, X_WB, places);
    *of_a = places[0] + 1;
    *of_b = places[1] + 1;
    return gap;
}

caromGap carom_collide_shapes_warm(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, caromWarmStart *warm)
{
    bool swapped = carom_narrow_pair_order(&a, &X_WA, &b, &X_WB) > 0;
    if (has_mesh(&a, &b)) {
        int *of_a = &warm->features[0], *of_b = &warm->features[4];
        return swapped ? carom_gap_mirrored(warm_mesh_gap(&b, &X_WB, &a, &X_WA, of_b, of_a))
                       : warm_mesh_gap(&a, &X_WA, &b, &X_WB, of_a, of_b);
    }
    caromFeatures features = remembered(warm, swapped);
    caromGap gap = swapped ? carom_gap_mirrored(carom_narrow_ordered(&b, &X_WB, &a, &X_WA, &features))
                           : carom_narrow_ordered(&a, &X_WA, &b, &X_WB, &features);
    remember(warm, swapped, &features);
    return gap;
}

bool carom_collide_overlap(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    if (!has_mesh(&a, &b)) return carom_narrow_overlap(&a, &X_WA, &b, &X_WB);
    if (!carom_narrow_shape_is_usable(&a) || !carom_narrow_shape_is_usable(&b)) return false;
    if (carom_narrow_pair_order(&a, &X_WA, &b, &X_WB) > 0) return carom_meshgap_overlap(&b, &X_WB, &a, &X_WA);
    return carom_meshgap_overlap(&a, &X_WA, &b, &X_WB);
}
