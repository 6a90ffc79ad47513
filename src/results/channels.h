// channels.h -- what a sample says, as columns of numbers.
//
// In:    a model, then samples of its motion.
// Out:   names and units of all columns in the head of a file; their numbers, in the same order, in each sample.
// Promise: a channel is a group of columns, and a row of the table in channels.c. Whatever reads a file (read.c,
//          csv.c, the page) finds its columns by the names in the head and knows no channel.
// Not here: contacts of a sample, whose number changes (channel_contacts.c); patches (patches.c); events (events.c).
// Start reading at carom_results_each_column in src/results/channels.c. A new channel is a file channel_NAME.c with
// its row, which is declared below and named in the table.
#ifndef CAROM_SRC_RESULTS_CHANNELS_H
#define CAROM_SRC_RESULTS_CHANNELS_H

#include "results/results.h"

#define CAROM_PAIR_NAME_MAX (4*CAROM_NAME_MAX + 8)
#define CAROM_COLUMN_NAME_MAX (CAROM_PAIR_NAME_MAX + 40)

typedef struct caromResultsChannel {
    // Calls visit for each of its columns; for none where the model does not have or want them.
    void (*columns)(const caromModel *model, caromColumnVisitor visit, void *user);
    // Appends a number for each of these columns, in their order (carom_results_put_number).
    void (*numbers)(const caromModel *model, const caromSample *sample, caromText *text);
} caromResultsChannel;

extern const caromResultsChannel carom_results_bodies, carom_results_joints, carom_results_energy, carom_results_gaps;

void carom_results_put_number(caromText *text, double value);  // 8 bytes, the lowest first
void carom_results_put_numbers(caromText *text, const double *values, int n);
void carom_results_put_vec3(caromText *text, caromVec3 v);

#endif
