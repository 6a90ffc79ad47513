// compliant_structure.h -- df/dy by parts: which states depend on which, and a linear system that knows it.
//
// Trees (a mechanism; a free body is a tree of one) feel each other through contacts only. With x = (q, v) of a tree
// and z of a pair's bristles
//
//     dx'/dx  =  dx'/dx at contact forces held  +  M^-1 J^T dF/d(motion) d(motion)/dx
//
// The first part is found for all trees at once: the k-th state of each is changed together. dF/d(motion) is that of
// each pair alone (contact/slope.c), and M^-1 J^T the response of a tree to wrenches on the bodies that are touched. So
// the cost grows with bodies and contacts, not with their square, and so do the factors of 1 - s J. Springs tie trees
// into one. Joints that close loops couple everything: such models have no structure.
#ifndef CAROM_SRC_RESPONSE_COMPLIANT_STRUCTURE_H
#define CAROM_SRC_RESPONSE_COMPLIANT_STRUCTURE_H

#include "response/compliant.h"
#include "math/block_lu.h"

typedef struct caromMechanism {
    int nq, nv;
    int first;             // of its states in the list of rows
    int nlever, lever;     // bodies that are touched, and the first of them
} caromMechanism;

typedef struct caromLever {  // of a body that is touched
    int body, tree;
    double *pose;          // small turn and shift with the centre of mass for each q         [6][nq]
    double *velocity_q;    // change of velocity for each q                                   [6][nq]
    double *velocity_v;    // and for each v                                                  [6][nv]
    double *response;      // of v' to a wrench about the centre of mass                      [nv][6]
    double power[6];       // and of the power of prescribed motions
    double drift[12];      // how pose and velocity change by time alone, where a motion that is prescribed carries it
} caromLever;

// Of one linearisation or solution, nothing of it lasts.
typedef struct caromStructureScratch {
    caromKin base;         // at y
    caromSpatial *F_contact, *F_o;  // [nbody], [nlink]
    caromForceTotals *totals, *totals_base;  // [ntree]
    double *rate, *rate_base;     // q' and v'                                                [nq + nv]
    double *step;          // that was made by the state of each tree                         [ntree]
    double *chain;         // [CAROM_SLOPE_ROWS][widest]
    double *x;             // in the order of the rows                                        [most states]
} caromStructureScratch;

struct caromStructure {
    int ntree, widest;     // most states of a tree
    caromMechanism *trees;      // [ntree]
    int *part;             // tree of each link                                               [nlink]
    // Of each row of the blocks, the place in y: q, then v of the first tree, of the second, ...; then
    // bristles [most states].
    int *state;
    // As the pairs that touch ask for it, found again when others do:
    int nactive, nslot;
    int *active, *slot;    // for which this was found                                        [room_pairs]
    size_t room_pairs;
    int nlever, levers_each;  // most of a tree
    caromLever *levers;    // tree by tree                                                    [room_levers]
    int *lever_of;         // each body; -1: none                                             [nbody]
    int *carrier;          // the body moved by time that each body touches, by itself or through others; -1: none
    double *lever_values;
    size_t room_levers, room_values;
    caromPairSlope *slopes;  // [room_pairs]
    caromBlocks J;         // nodes: q of each tree, v of each tree, z of each slot
    caromBlockLu lu;
    double *ledger;        // rows of the quadratures                                         [CAROM_LEDGER][rows]
    size_t room_ledger;
    bool is_known;
    double *weight;        // tolerances, in the order of the rows                            [most states]
    caromStructureScratch scratch;
    int64_t npatch, naction;  // how often patches and forces of pairs were found, in all
};

struct caromStructure *carom_compliant_structure_create(const caromModel *model);  // NULL: out of memory
void carom_compliant_structure_destroy(struct caromStructure *structure);
// Levers and blocks for the pairs that touch; nothing where they are those of before. False: out of memory.
bool carom_compliant_structure_prepare(struct caromStructure *structure, const caromModel *model,
                                       const caromContactMemory *memory);
// Motion at contact forces held, scratch.F_contact: q' and v' into rate, powers of each tree into totals. False: they
// are not finite. compliant_jacobian.c.
bool carom_compliant_structure_move(caromSystem *system, double t, const double *y, caromForceTotals *totals,
                                    double *rate);
// compliant_drift.c. ft = df/dt, after pairs and trees have been differentiated at the same point. False as above.
bool carom_compliant_structure_drift(caromSystem *system, const caromLinearPoint *at, double *ft);
// compliant_carry.c. Free bodies that lie on what time alone moves, or on others that do (caromLinearSystem).
int carom_compliant_structure_carry(void *system, double t, const double *y, double later, caromCarried *list);

// Where the powers of a pair go (CAROM_SLOPE_POWER).
static const int carom_compliant_power_row[3] = { CAROM_LEDGER_DAMPING, CAROM_LEDGER_FRICTION, CAROM_LEDGER_ROLLING };

static inline int carom_compliant_structure_rows(const struct caromStructure *s)  // but for the ledger
{
    return s->J.start[s->J.n];
}

static inline int carom_compliant_structure_q(int tree)  // nodes
{
    return 2*tree;
}

static inline int carom_compliant_structure_v(int tree)
{
    return 2*tree + 1;
}

static inline int carom_compliant_structure_z(const struct caromStructure *s, int slot)
{
    return 2*s->ntree + slot;
}

#endif
