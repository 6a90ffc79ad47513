// Where a model starts: what was given, with its closed loops closed.
//
// Coordinates that were given are held, the others found, in the branch that is nearest. Where that cannot be, those
// given last are let go, one after the other, and move as little as they can. Speeds likewise.
#ifndef CAROM_SRC_KINEMATICS_ASSEMBLE_H
#define CAROM_SRC_KINEMATICS_ASSEMBLE_H

#include "kinematics/kinematics.h"

typedef enum caromAssemblyEnd {
    CAROM_ASSEMBLY_CLOSED,        // what was given has moved by a little at most
    CAROM_ASSEMBLY_MOVED,         // closed, but a coordinate or a speed that was given is another one
    CAROM_ASSEMBLY_OPEN,          // no way to close the loop of a joint was found
    CAROM_ASSEMBLY_TURNED_ROUND,  // only with the two sides of a joint half a turn off
    CAROM_ASSEMBLY_NO_MEMORY
} caromAssemblyEnd;

typedef struct caromAssembly {
    caromAssemblyEnd end;
    int joint;                    // open, turned round: which
    double left;                  // open: between its two sides [m]
    double lever;                 // longest in the loops [m]
    double fastest;               // of the speeds in loops, angles times lever [m/s]
} caromAssembly;

// q and v as the model starts; of loops that stay open, as given.
caromAssembly carom_kin_assemble(const caromModel *model, double *q, double *v);

bool carom_kin_is_angle(const caromLink *link, int speed);
// Was speed i of a link given, or the coordinate that goes with it?
bool carom_kin_is_given(const caromModel *model, const caromLink *link, int i, bool speeds);
// How far the coordinate that goes with speed i is from another of the same link [rad or m]. Components of a quaternion
// move together: the first of them has the angle between the two, the others 0.
double carom_kin_distance(const caromLink *link, int i, const double *q, const double *other);

#endif
