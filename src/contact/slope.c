// Derivatives of what a pair does, by differences of the pair alone.
//
// Finding the patch is what costs. It depends on where B is against A only: with B moved by a small motion d it is
// P', and with A moved by d^-1 instead it is d^-1 P'. So six patches serve twelve columns, and those of velocities
// and bristles need none. Bristles need no cells either.
//
// Motions are about the centre of pressure and along the axes of the contact, N first: sliding along a face then
// changes nothing, to the last digit, and does not have to be found as a difference of large stiffnesses. Coordinates
// are counted from the smaller body, so that rounding does not depend on where in the world they are.
#include "base/scratch.h"
#include "contact/contact.h"

typedef struct Probe {
    caromContactPair of;
    caromKin *kin;
    int body[2], shape[2];
    bool is_fixed[2];
    caromPose X[2];            // of the shapes, from the origin of the probe
    caromVec3 C[2];            // centres of mass, likewise
    caromSpatial V[2];
    caromVec3 centre, axes[3];
    caromVec3 v_rel, w_rel;    // of B against A at the centre
    double dz[CAROM_BRISTLE_STATES];
    caromPatchLoad load;       // of the patch that is not moved
    caromPairSlope *out;
} Probe;

typedef struct SlopeMotion {   // a small turn about the centre, then a shift
    caromMat3 R;
    caromVec3 shift;
} SlopeMotion;

static SlopeMotion motion_along(const Probe *p, int column, double step)
{
    caromVec3 half = carom_scale(0.5*step, p->axes[column%3]), none = { 0, 0, 0 };
    if (column < 3) return (SlopeMotion){ carom_quat_matrix((caromQuat){ 1.0, half.x, half.y, half.z }), none };
    return (SlopeMotion){ carom_quat_matrix((caromQuat){ 1.0, 0.0, 0.0, 0.0 }), carom_scale(2.0, half) };
}

static SlopeMotion inverse(SlopeMotion m)
{
    return (SlopeMotion){ carom_transpose(m.R), carom_neg(m.shift) };  // one of both is nothing
}

static caromVec3 moved_point(const Probe *p, SlopeMotion m, caromVec3 x)
{
    return carom_add(carom_add(p->centre, carom_mul(m.R, carom_sub(x, p->centre))), m.shift);
}

static void place(const Probe *p, int side, caromPose X, caromVec3 C, caromSpatial V)
{
    p->kin->X_WS[p->shape[side]] = X;
    p->kin->p_WC[p->body[side]] = C;
    p->kin->V_WC[p->body[side]] = V;
}

static void move(const Probe *p, int side, SlopeMotion m)
{
    place(p, side, (caromPose){ carom_mat_mul(m.R, p->X[side].R), moved_point(p, m, p->X[side].p) },
          moved_point(p, m, p->C[side]), p->V[side]);
}

static void put_back(const Probe *p, int side)
{
    place(p, side, p->X[side], p->C[side], p->V[side]);
}

static void find_patch(const Probe *p, caromPatch *patch)
{
    carom_contact_patch(p->of.model, p->kin, p->of.pair, p->of.touch, patch);
    p->out->npatch++;
}

// load: of the patch as it is; NULL: it is another one.
static caromPairAction act(const Probe *p, const caromPatch *patch, const caromPatchLoad *load, double *dz)
{
    p->out->naction++;
    return carom_contact_action(&p->of, p->kin, patch, load, dz);
}

static void spread(caromSpatial F, double *to)
{
    const double values[6] = { F.angular.x, F.angular.y, F.angular.z, F.linear.x, F.linear.y, F.linear.z };
    for (int i = 0; i < 6; i++) to[i] = values[i];
}

static void rows_of(const caromPairAction *action, const double *dz, double *rows)
{
    spread(action->on[0], rows);
    spread(action->on[1], rows + 6);
    for (int i = 0; i < 3; i++) rows[CAROM_SLOPE_POWER + i] = action->power[i];
    for (int i = 0; i < CAROM_BRISTLE_STATES; i++) rows[CAROM_SLOPE_RATE + i] = dz[i];
}

static void set_column(const Probe *p, int column, const caromPatch *patch, const caromPatchLoad *load, double step)
{
    double dz[CAROM_BRISTLE_STATES] = { 0 }, before[CAROM_SLOPE_ROWS], after[CAROM_SLOPE_ROWS];
    caromPairAction action = act(p, patch, load, dz);
    rows_of(&p->out->action, p->dz, before);
    rows_of(&action, dz, after);
    for (int i = 0; i < CAROM_SLOPE_ROWS; i++) p->out->d[i][column] = (after[i] - before[i])/step;
}

// To the side the bodies are moving to: the other may lie outside of the contact.
static double directed(double step, caromVec3 axis, caromVec3 rate)
{
    return carom_dot(axis, rate) < 0.0 ? -step : step;
}

static void negate_column(const Probe *p, int from, int to)
{
    for (int i = 0; i < CAROM_SLOPE_ROWS; i++) p->out->d[i][to] = -p->out->d[i][from];
}

// A moved by d^-1, with the patch that belongs to it.
static void set_turn_of_A(const Probe *p, int column, SlopeMotion back, caromPatch *trial, double step)
{
    for (int i = 0; i < trial->ncell; i++) {
        caromCell *cell = &trial->cells[i];
        cell->p_W = moved_point(p, back, cell->p_W);
        cell->n_AB = carom_mul(back.R, cell->n_AB);
    }
    move(p, 0, back);
    set_column(p, column, trial, NULL, -step);
    put_back(p, 0);
}

// Shifting both changes nothing: a shift of A is one of B the other way.
static void set_poses(const Probe *p, const caromPairChange *change, caromPatch *trial)
{
    for (int k = 0; k < 6; k++) {
        double step = k < 3 ? directed(change->angle, p->axes[k], p->w_rel)
                            : directed(change->length, p->axes[k - 3], p->v_rel);
        SlopeMotion m = motion_along(p, k, step);
        move(p, 1, m);
        find_patch(p, trial);
        if (k >= 3 || !p->is_fixed[1]) set_column(p, 6 + k, trial, NULL, step);
        put_back(p, 1);
        if (k >= 3) negate_column(p, 6 + k, k);
        else if (!p->is_fixed[0]) set_turn_of_A(p, k, inverse(m), trial, step);
    }
}

// Of B.
static void set_spin(const Probe *p, int k, double step, const caromPatch *patch)
{
    caromVec3 w = carom_scale(step, p->axes[k]);
    caromSpatial V = { carom_add(p->V[1].angular, w),
                       carom_add(p->V[1].linear, carom_cross(w, carom_sub(p->C[1], p->centre))) };
    place(p, 1, p->X[1], p->C[1], V);
    set_column(p, CAROM_SLOPE_VELOCITY + 6 + k, patch, &p->load, step);
    put_back(p, 1);
}

// Bristles turn with the mean angular velocity of A and B, whatever they do else: at w x Z for w.
static void add_turning_of_bristles(const Probe *p, int k, int column)
{
    const double *z = p->of.z;
    caromVec3 linear = carom_cross(p->axes[k], carom_vec(z[0], z[1], z[2])),
              angular = carom_cross(p->axes[k], carom_vec(z[3], z[4], z[5]));
    const double values[CAROM_BRISTLE_STATES] = { linear.x, linear.y, linear.z, angular.x, angular.y, angular.z };
    for (int i = 0; i < CAROM_BRISTLE_STATES; i++) p->out->d[CAROM_SLOPE_RATE + i][column] += values[i];
}

// Forces feel velocities of B against A only; what spins A in place of B lacks the half of w x Z, with a sign.
static void set_velocities(const Probe *p, const caromPairChange *change, const caromPatch *patch)
{
    for (int k = 0; k < 3; k++) {
        double step = directed(change->speed, p->axes[k], p->v_rel),
               spin = directed(change->spin, p->axes[k], p->w_rel);
        int to_A = CAROM_SLOPE_VELOCITY + 3 + k, to_B = to_A + 6;
        place(p, 1, p->X[1], p->C[1], (caromSpatial){ p->V[1].angular, carom_axpy(step, p->axes[k], p->V[1].linear) });
        set_column(p, to_B, patch, &p->load, step);
        put_back(p, 1);
        negate_column(p, to_B, to_A);
        set_spin(p, k, spin, patch);
        negate_column(p, to_B - 3, to_A - 3);
        if (carom_contact_touch_has_bristles(p->of.touch)) add_turning_of_bristles(p, k, to_A - 3);
    }
}

// What friction with these states does, in rows.
static void friction_rows(const Probe *p, const caromFrictionPatch *friction, const double *z, double *rows)
{
    double dz[CAROM_BRISTLE_STATES] = { 0 };
    caromContactPair of = p->of;
    caromFrictionPatch seen = *friction;
    of.z = z;
    seen.of = &of;
    caromFrictionForce f = carom_contact_friction_row(of.model)->patch(&seen, dz);
    caromSpatial F = f.wrench;
    caromPairAction action = { .power = { 0.0, f.lost, 0.0 } };
    for (int side = 0; side < 2; side++) {
        caromVec3 angular = carom_add(F.angular, carom_cross(carom_sub(friction->centre, p->C[side]), F.linear));
        action.on[side] = side ? (caromSpatial){ angular, F.linear }
                               : (caromSpatial){ carom_neg(angular), carom_neg(F.linear) };
    }
    rows_of(&action, dz, rows);
}

// What the cells do stays as it is.
static void set_bristles(const Probe *p, const caromPairChange *change, const caromPatch *patch)
{
    double z[CAROM_BRISTLE_STATES], before[CAROM_SLOPE_ROWS], after[CAROM_SLOPE_ROWS];
    caromFrictionPatch friction = carom_contact_friction_patch(&p->of, p->kin, patch, &p->load);
    friction_rows(p, &friction, p->of.z, before);
    for (int k = 0; k < CAROM_BRISTLE_STATES; k++) {
        for (int i = 0; i < CAROM_BRISTLE_STATES; i++) z[i] = p->of.z[i];
        z[k] += copysign(change->z[k], p->dz[k]);
        friction_rows(p, &friction, z, after);
        for (int i = 0; i < CAROM_SLOPE_ROWS; i++)
            p->out->d[i][CAROM_SLOPE_BRISTLE + k] = (after[i] - before[i])/(z[k] - p->of.z[k]);
    }
}

// Of an impact that is being forgotten, where nothing moves.
static void set_time(const Probe *p, const caromPairChange *change, const caromPatch *patch)
{
    Probe later = *p;
    later.of.time += change->time;
    set_column(&later, CAROM_SLOPE_TIME, patch, &p->load, later.of.time - p->of.time);
}

// From turns about the centre of pressure and shifts along the axes of the contact to those with the centre of mass
// along the axes of W: with r from there to the centre of pressure, a turn by a shifts it by a x r.
static void to_centre_of_mass(const Probe *p, double *d, caromVec3 C)
{
    caromVec3 turn = { 0, 0, 0 }, shift = { 0, 0, 0 };
    for (int k = 0; k < 3; k++) {
        turn = carom_axpy(d[k], p->axes[k], turn);
        shift = carom_axpy(d[3 + k], p->axes[k], shift);
    }
    turn = carom_add(turn, carom_cross(carom_sub(p->centre, C), shift));
    spread((caromSpatial){ turn, shift }, d);
}

static void find_axes(Probe *p)
{
    caromVec3 n = carom_unit_or(p->out->action.normal, carom_vec(0, 0, 1));
    caromVec3 least = fabs(n.x) < fabs(n.y) && fabs(n.x) < fabs(n.z) ? carom_vec(1, 0, 0) : fabs(n.y) < fabs(n.z)
                          ? carom_vec(0, 1, 0) : carom_vec(0, 0, 1);
    p->axes[0] = n;
    p->axes[1] = carom_unit_or(carom_cross(n, least), carom_vec(1, 0, 0));
    p->axes[2] = carom_cross(n, p->axes[1]);
}

static void find_motion(Probe *p)
{
    caromVec3 at = p->centre;
    caromVec3 v_A = carom_point_velocity(p->V[0], carom_sub(at, p->C[0])),
              v_B = carom_point_velocity(p->V[1], carom_sub(at, p->C[1]));
    p->v_rel = carom_sub(v_B, v_A);
    p->w_rel = carom_sub(p->V[1].angular, p->V[0].angular);
}

static Probe probe_of(const caromContactPair *of, caromKin *kin, caromPairSlope *out)
{
    const caromModel *model = of->model;
    Probe p = { .of = *of, .kin = kin, .out = out };
    for (int side = 0; side < 2; side++) {
        p.shape[side] = model->pairs[of->pair].shape[side];
        p.body[side] = model->shapes[p.shape[side]].body;
        p.is_fixed[side] = model->bodies[p.body[side]].link < 0;
    }
    bool is_A_larger = p.is_fixed[0] || (!p.is_fixed[1] &&
                                         model->bodies[p.body[0]].reach > model->bodies[p.body[1]].reach);
    caromVec3 origin = kin->p_WC[p.body[is_A_larger ? 1 : 0]];
    for (int side = 0; side < 2; side++) {
        caromPose X = kin->X_WS[p.shape[side]];
        p.X[side] = (caromPose){ X.R, carom_sub(X.p, origin) };
        p.C[side] = carom_sub(kin->p_WC[p.body[side]], origin);
        p.V[side] = kin->V_WC[p.body[side]];
    }
    return p;
}

void carom_contact_slope(const caromContactPair *of, const caromPairChange *change, caromKin *kin,
                         caromPairSlope *slope)
{
    // The patch, and one that is moved.
    void *taken;
    caromPatch *patch = CAROM_SCRATCH_OR_STACK(2*sizeof *patch, taken);
    *slope = (caromPairSlope){ 0 };
    Probe p = probe_of(of, kin, slope);
    const caromPose X_WS[2] = { kin->X_WS[p.shape[0]], kin->X_WS[p.shape[1]] };
    const caromVec3 p_WC[2] = { kin->p_WC[p.body[0]], kin->p_WC[p.body[1]] };
    for (int side = 0; side < 2; side++) put_back(&p, side);
    find_patch(&p, patch);
    if (patch->ncell > 0) p.load = carom_contact_load(&p.of, kin, patch);
    slope->action = act(&p, patch, &p.load, p.dz);
    if (patch->ncell > 0) {
        p.centre = slope->action.centre;
        find_axes(&p);
        find_motion(&p);
        set_poses(&p, change, patch + 1);
        set_velocities(&p, change, patch);
        if (change->time > 0.0) set_time(&p, change, patch);
        for (int i = 0; i < CAROM_SLOPE_ROWS; i++) {
            for (int k = 0; k < 4; k++) to_centre_of_mass(&p, &slope->d[i][6*k], p.C[k%2]);
        }
    }
    if (carom_contact_touch_has_bristles(of->touch)) set_bristles(&p, change, patch);
    for (int side = 0; side < 2; side++) place(&p, side, X_WS[side], p_WC[side], p.V[side]);
    slope->action.centre = carom_add(slope->action.centre, carom_sub(p_WC[0], p.C[0]));
    carom_scratch_give_back(taken);
}

bool carom_contact_slope_is_finite(const caromPairSlope *slope)
{
    double probe = 0.0;
    for (int i = 0; i < CAROM_SLOPE_ROWS; i++)
        for (int k = 0; k < CAROM_SLOPE_COLUMNS; k++) probe += 0.0*slope->d[i][k];
    return probe == 0.0;
}
