// Elastic force and damper of a touch.
#include "contact/contact.h"
#include "math/gauss.h"

static double power(double d, double n)
{
    return n == 1.5 ? d*sqrt(d) : n == 1.0 ? d : pow(d, n);
}

double carom_contact_own_force(const caromPairLaw *law, double depth, double speed)
{
    double force;
    if (law->function) {
        force = law->function(law->user, depth, speed);
    } else {
        caromJet values[2 + CAROM_PARAMETERS_MAX];
        values[0] = carom_jet_constant(depth);
        values[1] = carom_jet_constant(speed);
        for (int i = 0; i < law->nparameter; i++) values[2 + i] = carom_jet_constant(law->parameters[i]);
        force = carom_expression_at(law->expression, values).value;
    }
    return force < 0.0 ? 0.0 : force;  // not a number stays what it is: the step is refused
}

static double point_force(const caromPairLaw *law, const caromTouch *t, double depth)
{
    return carom_model_law_is_own(law) ? carom_contact_own_force(law, depth, 0.0)
                                       : t->stiffness*power(depth, t->exponent);
}

// Cells of a face have what acts beyond the law (patch/deep.h) in their weight, points here.
double carom_contact_normal_elastic(const caromPairLaw *law, const caromTouch *t, double weight)
{
    if (t->kind == CAROM_CONTACT_FACE) return t->stiffness*weight;
    double force = point_force(law, t, weight);
    return weight <= t->deep.from ? force
                                  : force + carom_patch_steep(&t->deep, weight)*point_force(law, t, t->deep.from);
}

double carom_contact_risen(const caromTouch *t, double energy)
{
    const caromRise *r = &t->rise;
    return r->power == 1.0 || !(energy > 0.0) ? energy : r->energy*pow(energy/r->energy, r->power);
}

// The force of the law is that of k W times the derivative of what W rises to.
void carom_contact_patch(const caromModel *model, const caromKin *kin, int pair, const caromTouch *t,
                         caromPatch *patch)
{
    const caromRise *r = &t->rise;
    carom_patch_of_pair(model, kin, pair, t->kind, patch);
    if (t->kind != CAROM_CONTACT_FACE || r->power == 1.0 || !(patch->energy > 0.0)) return;
    double times = r->power*pow(patch->energy/r->energy, r->power - 1.0);
    for (int i = 0; i < patch->ncell; i++) patch->cells[i].weight *= times;
}

// Gauss' rule with 8 points in x^2: a force that starts like d^1.5 is smooth in it.
static double own_energy(const caromPairLaw *law, double depth)
{
    double sum = 0.0;
    for (int i = 0; i < 8; i++) {
        double x = 0.5*(1.0 + carom_gauss_8[i].x);
        sum += carom_gauss_8[i].w*x*carom_contact_own_force(law, x*x*depth, 0.0);
    }
    return sum*depth;
}

double carom_contact_normal_energy(const caromPairLaw *law, const caromTouch *t, double depth)
{
    double energy = carom_model_law_is_own(law) ? own_energy(law, depth)
                                                : t->stiffness*power(depth, t->exponent)*depth/(t->exponent + 1.0);
    return depth <= t->deep.from ? energy : energy + carom_patch_steep_integral(&t->deep, depth)*
                                                     point_force(law, t, t->deep.from);
}

// An impact has D = c F. A contact that lasts is an oscillator of stiffness n F/d: its damper is a part of the critical
// one, 2 sqrt(m n F/d), so that rest is reached whatever the impact was. In between the one turns into the other.
caromDamper carom_contact_normal_damper(const caromPairLaw *law, const caromTouch *t, double time, double elastic,
                                        double depth)
{
    const caromDampingRow *row = carom_contact_damping_row(law->damping);
    if (row->damper) return (caromDamper){ row->damper(law, depth), 0.0 };
    double impact = t->damping*elastic, memory = carom_contact_touch_memory(t, time);
    if (memory == 1.0) return (caromDamper){ impact, 0.0 };
    return (caromDamper){ memory*impact, (1.0 - memory)*2.0*sqrt(t->mass*t->exponent*elastic/depth) };
}

// A contact that lasts and is hit passes the blow on as an impact would: an oscillator with the ratio z comes back with
// e = exp(-pi z/sqrt(1 - z^2)) of its speed.
double carom_contact_normal_fast_ratio(const caromModel *model, const caromPairLaw *law)
{
    double lost = -log(fmax(law->restitution, CAROM_CONTACT_RESTITUTION_MIN)), most = model->settings.rest_damping;
    return isnan(lost) ? most : fmin(most, lost/sqrt(9.8696044010893586188 + lost*lost));
}
