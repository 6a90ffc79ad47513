// Tori that touch in several places: a ring that hangs on a peg, lies across an edge, or stands on the rim of a hole.
//
// The gap along the ring is a function of one angle, and each of its minima is a point of its own: the nearest alone
// would jump from one to the other, and hold neither. A place is found again from the sector in which it was found,
// downhill. A ring that is as near all around (a ring on a cone) touches with four corners, fixed to it, as a disc that
// lies flat does.
#include "manifold/parts.h"

#include "narrow/closed.h"

// The side whose ring is searched along; -1: none, or against what has a way of its own.
static int ring_of(const caromTouchPair *pair)
{
    int i = carom_manifold_is_ring(&pair->side[0]) ? 0 : 1;
    caromShapeKind other = pair->side[!i].shape->kind;
    if (!carom_manifold_is_ring(&pair->side[i]) || other == CAROM_HALF_SPACE || other == CAROM_MESH) return -1;
    return other != CAROM_TORUS && carom_convex_core_is_point(&pair->side[!i].core) ? -1 : i;
}

static caromRingPair ring_pair(const caromTouchPair *pair, int i)
{
    const caromTouchSide *ring = &pair->side[i], *other = &pair->side[!i];
    return (caromRingPair){ ring->shape, other->shape, ring->X, other->X };
}

// From the ring on side i.
static void set_place(int i, const caromRingPlace *at, caromTouchPlace *place)
{
    place->c[i] = at->c_A;
    place->c[!i] = at->c_B;
    place->n = i ? carom_neg(at->n_AB) : at->n_AB;
}

static caromTouchPart end_of(const caromTouchPair *pair, int i, const caromTouchPlace *place)
{
    return carom_manifold_end(&pair->side[i], i ? carom_neg(place->n) : place->n, pair->size);
}

// What the other side ends in there has to be what it was; parts without a ring say so themselves.
bool carom_manifold_ring_ends(const caromTouchPair *pair, const caromTouchPart part[2], const caromTouchPlace *place)
{
    int i = ring_of(pair);
    if (i < 0 || (part[i].kind != CAROM_PART_RING && part[i].kind != CAROM_PART_CORNER)) return true;
    caromTouchPart end = end_of(pair, !i, place);
    return end.kind == part[!i].kind && end.id == part[!i].id;
}

bool carom_manifold_ring_place(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    if (ring_of(pair) != i) return false;
    caromRingPair ring = ring_pair(pair, i);
    caromRingPlace at;
    (void)b;
    place->is_there = carom_narrow_ring_near(&ring, 2.0*CAROM_PI*a/CAROM_TOUCH_SECTORS, &at);
    set_place(i, &at, place);
    return true;
}

bool carom_manifold_ring_corner(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    (void)b;
    if (ring_of(pair) != i || a > 3) return false;
    caromRingPair ring = ring_pair(pair, i);
    caromRingPlace at = carom_narrow_ring_at(&ring, 0.5*CAROM_PI*a);
    set_place(i, &at, place);
    place->is_there = true;
    return true;
}

static void push(caromTouchList *list, int i, caromTouchPart part, const caromRingPlace *at)
{
    caromTouchPlace place = { .is_there = true };
    set_place(i, at, &place);
    caromTouchPart parts[2];
    parts[i] = part;
    parts[!i] = end_of(list->pair, !i, &place);
    carom_manifold_set_gap(list->pair, parts, &place);
    if (list->n < CAROM_TOUCH_POINTS_MAX)
        list->points[list->n++] = carom_manifold_point_of(list->pair, parts, &place);
}

caromTouchPart carom_manifold_sector(double angle)
{
    int sector = (int)floor(angle/(2.0*CAROM_PI)*CAROM_TOUCH_SECTORS + 0.5) % CAROM_TOUCH_SECTORS;
    return (caromTouchPart){ CAROM_PART_RING, sector < 0 ? sector + CAROM_TOUCH_SECTORS : sector };
}

static void push_flat(caromTouchList *list, int i, const caromRingPair *ring)
{
    list->lies = true;
    for (int k = 0; k < 4; k++) {
        caromRingPlace at = carom_narrow_ring_at(ring, 0.5*CAROM_PI*k);
        push(list, i, (caromTouchPart){ CAROM_PART_CORNER, k }, &at);
    }
}

bool carom_manifold_push_ring(caromTouchList *list, const caromTouchPoint *nearest)
{
    const caromTouchPair *pair = list->pair;
    int i = ring_of(pair), near = 0;
    if (i < 0) return false;
    caromRingPair ring = ring_pair(pair, i);
    caromRingPlace places[CAROM_RING_PLACES];
    double spread, band = nearest->g + CAROM_TOUCH_RING_BAND*pair->size,
           radii = carom_manifold_radius(&pair->side[0], (caromTouchPart){ CAROM_PART_RING, 0 }) +
                   carom_manifold_radius(&pair->side[1], (caromTouchPart){ CAROM_PART_RING, 0 });
    int n = carom_narrow_ring_places(&ring, places, &spread);
    double least = (double)INFINITY;
    for (int k = 0; k < n; k++) {
        least = fmin(least, places[k].f - radii);
        if (places[k].f - radii <= band) places[near++] = places[k];
    }
    bool is_flat = spread <= pair->lying*pair->side[i].shape->size.x;
    if (is_flat) push_flat(list, i, &ring);
    if (is_flat || near < 2 || fabs(least - nearest->g) > CAROM_TOUCH_GAP*pair->size) return is_flat;
    for (int k = 0; k < near; k++) push(list, i, carom_manifold_sector(places[k].angle), &places[k]);
    return true;
}
