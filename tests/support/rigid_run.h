// What tests of the rigid response share: model files given as text, runs that are watched, and questions about their
// events.
//
// All scenes are of one material, "stuff", and what it does to itself is pairs.0 of the file: STUFF(e, mu) is the head
// of a scene.
#ifndef CAROM_TESTS_RIGID_RUN_H
#define CAROM_TESTS_RIGID_RUN_H

#include "watch.h"

#include "modelfile_helpers.h"

#define STUFF(e, mu)                                                                              \
    "carom: 1\n"                                                                                  \
    "materials: {stuff: {density: 1000}}\n"                                                       \
    "pairs: [{between: [stuff, stuff], restitution: " e ", friction: " mu "}]\n"
#define FLOOR "  floor: {fixed: true, material: stuff, shape: {half-space: {normal: [0, 0, 1]}}}\n"

// Runs the text with NULL-terminated overrides to its end; free() the watch.
static inline Watch *run_text(const char *text, const char *const *overrides,
                              void (*each)(Watch *w, const caromSample *s), const void *context)
{
    int n = 0;
    while (overrides && overrides[n]) n++;
    caromModel *model = good_model(text, overrides, n);
    Watch *w = watch_completed(model, each, context);
    carom_model_destroy(model);
    return w;
}

static inline int count_of(const Watch *w, caromEventKind kind)
{
    return (int)w->record.stats.events[kind];
}

static inline int count_of_so_far(const Watch *w, caromEventKind kind)
{
    int n = w->record.nevent < RECORD_MAX ? w->record.nevent : RECORD_MAX, count = 0;
    for (int i = 0; i < n; i++) count += w->record.events[i].kind == kind;
    return count;
}

// The first event of this kind from time `from` on; NULL: none.
static inline const caromEvent *event_from(const Watch *w, caromEventKind kind, double from)
{
    int n = w->record.nevent < RECORD_MAX ? w->record.nevent : RECORD_MAX;
    for (int i = 0; i < n; i++)
        if (w->record.events[i].kind == kind && w->record.events[i].time >= from) return &w->record.events[i];
    return NULL;
}

static inline double time_of(const Watch *w, caromEventKind kind)
{
    const caromEvent *e = event_from(w, kind, 0.0);
    return e ? e->time : (double)NAN;
}

static inline double last_time_of(const Watch *w, caromEventKind kind)
{
    double time = (double)NAN;
    int n = w->record.nevent < RECORD_MAX ? w->record.nevent : RECORD_MAX;
    for (int i = 0; i < n; i++) if (w->record.events[i].kind == kind) time = w->record.events[i].time;
    return time;
}

// What moves or could fall, without anything stored: never grows where nothing drives.
static inline double mechanical(const caromSample *s)
{
    return s->energy.kinetic + s->energy.potential;
}

typedef struct Falls { double last, worst; bool began; } Falls;

static inline void follow_energy(Falls *f, const caromSample *s)
{
    double energy = mechanical(s);
    if (f->began) f->worst = fmax(f->worst, energy - f->last);
    f->last = energy;
    f->began = true;
}

#endif
