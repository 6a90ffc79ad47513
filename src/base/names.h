// Names people type: what they may have meant.
#ifndef CAROM_SRC_NAMES_H
#define CAROM_SRC_NAMES_H

// The candidate that is nearest to the typed word, or NULL when none is near enough to be meant: at most a third of the
// longer word may differ. Neighbouring letters that changed places count as one difference; case counts half.
const char *carom_nearest_name(const char *typed, const char *const *candidates, int ncandidate);

#endif
