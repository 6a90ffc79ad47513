// The table of channels, and the columns of a sample from it.
#include "results/channels.h"

#include <string.h>

static void time_columns(const caromModel *model, caromColumnVisitor visit, void *user)
{
    (void)model;
    visit(user, "time", "s");
    visit(user, "sample", "");
}

static void time_numbers(const caromModel *model, const caromSample *sample, caromText *text)
{
    (void)model;
    carom_results_put_number(text, sample->time);
    carom_results_put_number(text, sample->kind);
}

static const caromResultsChannel time_channel = { time_columns, time_numbers };

// In the order of the file: time comes first, since readers expect it in the first column.
static const caromResultsChannel *const channels[] = {
    &time_channel,
    &carom_results_bodies,
    &carom_results_joints,
    &carom_results_energy,
    &carom_results_gaps,
    NULL,
};

void carom_results_each_column(const caromModel *model, caromColumnVisitor visit, void *user)
{
    for (int i = 0; channels[i]; i++) channels[i]->columns(model, visit, user);
}

void carom_results_put_columns(const caromModel *model, const caromSample *sample, caromText *text)
{
    for (int i = 0; channels[i]; i++) channels[i]->numbers(model, sample, text);
}

void carom_results_put_number(caromText *text, double value)
{
    unsigned char bytes[8];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> 8*i);
    carom_results_text_bytes(text, bytes, sizeof bytes);
}

void carom_results_put_numbers(caromText *text, const double *values, int n)
{
    for (int i = 0; i < n; i++) carom_results_put_number(text, values[i]);
}

void carom_results_put_vec3(caromText *text, caromVec3 v)
{
    carom_results_put_number(text, v.x);
    carom_results_put_number(text, v.y);
    carom_results_put_number(text, v.z);
}
