// What a run amounted to, for people.
#ifndef CAROM_CLI_SUMMARY_H
#define CAROM_CLI_SUMMARY_H

#include "cli.h"

enum { IMPACTS_SHOWN = 10 };  // at each end

// What the summary needs of a run and the statistics do not have: the energies at the start, and some of the impacts.
typedef struct Record {
    const caromModel *model;
    bool has_start;
    caromEnergy start, end;  // at the first and at the last sample
    int start_contacts;      // pairs that touch from the start, without an event
    bool has_springs, has_joint_losses, has_supply;  // at any sample
    double time;             // of the last sample [s]
    int64_t nimpact;
    bool has_limits;         // among the impacts
    int64_t start_landings;  // of rigid contacts that are there from the start
    double impact_friction;  // lost to friction in impacts of rigid bodies [J]
    caromEvent first[IMPACTS_SHOWN], last[IMPACTS_SHOWN];  // by the time of the touch; last: filled from its end
} Record;

void record_sample(Record *record, const caromSample *sample);
void record_event(Record *record, const caromEvent *event);

typedef struct Summary {
    const char *name, *verdict;
    const caromModel *model;
    const caromSimStats *stats;
    const Record *record;
    double wall;         // [s]
    const char *method;  // at the start; stiff phases have another
} Summary;
void summary_print(FILE *to, const Summary *summary);
// Warns when the energy balance is off by more than the tolerance explains, at any time of the run.
void summary_warn(const Summary *summary);
// Fails a run that came to its end with an energy balance so far off that its motion means nothing. Its message goes to
// the results too, so it is the same in every locale.
caromStatus summary_judge(const caromModel *model, const caromSimStats *stats, caromError *err);

#endif
