// carom.h -- everything. The headers are C17 and C++17.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/base.h"
#include "carom/broad.h"
#include "carom/collide.h"
#include "carom/contact.h"
#include "carom/contact_world.h"
#include "carom/dynamics.h"
#include "carom/geometry.h"
#include "carom/sim.h"
#include "carom/math.h"
#include "carom/mesh.h"
#include "carom/model.h"
#include "carom/modelfile.h"
#include "carom/results.h"

#endif
