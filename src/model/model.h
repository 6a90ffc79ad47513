// The frozen model: flat arrays, written once by build.c, read by every room after it.
#ifndef CAROM_SRC_MODEL_H
#define CAROM_SRC_MODEL_H

#include "carom/model.h"

typedef struct caromBody {
    const char *name;
    bool fixed;
    int first_shape, nshape;
    int iq, iv;              // where its coordinates stand in q and v; -1: fixed
    caromVec3 p_WB;          // at the start
    caromQuat q_WB;
    caromSpatial V_WB;       // of the body's origin, in W
    caromMassProps props;    // in B; all zero for fixed bodies
    caromMat3 inertia_inv;   // of props.inertia, in B
    double reach;            // largest distance of a point of its bounded shapes from the centre of mass [m]
} caromBody;

typedef struct caromModelShape {
    const char *name;
    int body;
    int material;
    caromShape shape;
    caromPose X_BS;
    double radius;           // of the bounding sphere about So; infinite for a half-space
} caromModelShape;

// What the contact of two shapes needs besides their geometry.
typedef struct caromModelPair {
    int shape[2];            // A < B
    double restitution, friction, rolling;
    bool is_default[3];
    double E_star;           // [Pa], already divided by k_red
    double mass;             // effective, of a central impact: 1/(1/mA + 1/mB), fixed bodies infinite [kg]
} caromModelPair;

struct caromModel {
    caromSettings settings;
    int nbody, nfree, nshape, nmaterial, npair;
    int nq, nv;              // 7 and 6 for each free body
    caromBody *bodies;
    caromModelShape *shapes;
    caromMaterialDef *materials;
    caromModelPair *pairs;
    char *names;             // all names, one block
};

#endif
