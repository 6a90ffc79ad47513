// thread.h -- a bolt and its nut as closed meshes, with a rounded thread; for tests.
//
// The thread is a wave along the axis that turns with it: r = radius + height cos(starts (2 pi z/lead - angle)). The
// nut has the same wave with more room. Sides around the bolt and around the nut should have no common factor, or all
// facets pass each other at once.
#ifndef CAROM_TESTS_THREAD_H
#define CAROM_TESTS_THREAD_H

#include "mesh_fixture.h"

typedef struct Thread {
    double radius, height, lead;  // mean radius; of the wave; on which it turns once [m]
    int starts;
} Thread;

static inline double thread_radius(const Thread *t, double angle, double z)
{
    return t->radius + t->height*cos(t->starts*(2*PI*z/t->lead - angle));
}

// How far down it goes until the flanks of a bolt with less radius by `room` meet those of the nut.
static inline double thread_play(const Thread *t, double room)
{
    return 2*asin(0.5*room/t->height)*t->lead/(2*PI*t->starts);
}

// Rings of n points each from ring to ring, the last joined with the first (a hole through it), or ends on the axis.
static inline void thread_rings(Raw *raw, int rings, int n, bool is_nut)
{
    int t = 0, bands = is_nut ? rings : rings - 1;
    for (int k = 0; k < bands; k++)
        for (int i = 0; i < n; i++) {
            int a = k*n + i, b = k*n + (i + 1)%n, c = (k + 1)%rings*n + (i + 1)%n, d = (k + 1)%rings*n + i;
            set_triangle(raw, t++, a, b, c);
            set_triangle(raw, t++, a, c, d);
        }
    int bottom = rings*n, top = bottom + 1;
    for (int i = 0; i < n && !is_nut; i++) {
        set_triangle(raw, t++, bottom, (i + 1)%n, i);
        set_triangle(raw, t++, top, (rings - 1)*n + i, (rings - 1)*n + (i + 1)%n);
    }
}

static inline void thread_ring(Raw *raw, const Thread *t, int ring, int n, double z)
{
    for (int i = 0; i < n; i++) {
        double u = 2*PI*i/n, r = thread_radius(t, u, z);
        raw->vertices[ring*n + i] = carom_vec(r*cos(u), r*sin(u), z);
    }
}

// Along z from low to high, `rows` triangles high and n around.
static inline Raw thread_bolt(const Thread *t, double low, double high, int rows, int n)
{
    int rings = rows + 1;
    Raw raw = raw_alloc(rings*n + 2, 2*rows*n + 2*n);
    for (int k = 0; k < rings; k++) thread_ring(&raw, t, k, n, low + (high - low)*k/rows);
    raw.vertices[rings*n].z = low;
    raw.vertices[rings*n + 1].z = high;
    thread_rings(&raw, rings, n, false);
    return raw;
}

// A round nut about z = 0 with the thread inside: down along it, and up on the outside.
static inline Raw thread_nut(const Thread *t, double outer, double thick, int rows, int n)
{
    int rings = rows + 3;
    Raw raw = raw_alloc(rings*n, 2*rings*n);
    for (int k = 0; k <= rows; k++) thread_ring(&raw, t, k, n, 0.5*thick - thick*k/rows);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            raw.vertices[(rows + 1 + k)*n + i] = carom_vec(outer*cos(2*PI*i/n), outer*sin(2*PI*i/n),
                                                           (k - 0.5)*thick);
    thread_rings(&raw, rings, n, true);
    return raw;
}

#endif
