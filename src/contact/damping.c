// The table of damping laws, and what becomes of restitution at low speed [Modia3D].
//
// Each law is a file damping_<law>.c with its row. The rooms before this one read the rows' names and needs through
// carom/model.h: they know no formula.
#include "contact/contact.h"

extern const caromDampingRow carom_contact_damping_exact, carom_contact_damping_engelson_fraction,
    carom_contact_damping_engelson_cubic, carom_contact_damping_flores, carom_contact_damping_marhefka_orin,
    carom_contact_damping_none, carom_contact_damping_given, carom_contact_damping_depth;
static const caromDampingRow *const rows[CAROM_DAMPING_KINDS] = {
    [CAROM_DAMPING_EXACT] = &carom_contact_damping_exact,
    [CAROM_DAMPING_ENGELSON_FRACTION] = &carom_contact_damping_engelson_fraction,
    [CAROM_DAMPING_ENGELSON_CUBIC] = &carom_contact_damping_engelson_cubic,
    [CAROM_DAMPING_FLORES] = &carom_contact_damping_flores,
    [CAROM_DAMPING_MARHEFKA_ORIN] = &carom_contact_damping_marhefka_orin,
    [CAROM_DAMPING_NONE] = &carom_contact_damping_none,
    [CAROM_DAMPING_GIVEN] = &carom_contact_damping_given,
    [CAROM_DAMPING_DEPTH] = &carom_contact_damping_depth,
};

const caromDampingRow *carom_contact_damping_row(caromDamping law)
{
    return (unsigned)law < CAROM_DAMPING_KINDS ? rows[law] : NULL;
}

const caromDampingInfo *carom_contact_damping_info(caromDamping law)
{
    const caromDampingRow *row = carom_contact_damping_row(law);
    return row ? &row->info : NULL;
}

double carom_contact_damping_number(const caromDampingRow *row, double e)
{
    return row->number ? row->number(fmax(e, CAROM_CONTACT_RESTITUTION_MIN)) : 0.0;
}

double carom_damping_number(caromDamping law, double e)
{
    const caromDampingRow *row = carom_contact_damping_row(law);
    return row ? carom_contact_damping_number(row, e) : 0.0;
}

double carom_contact_restitution_at(double e, double speed, double v_small)
{
    double limit = fmax(e, CAROM_CONTACT_RESTITUTION_MIN);
    return limit + (CAROM_CONTACT_RESTITUTION_MIN - limit)*exp(log(CAROM_CONTACT_RESTITUTION_LEFT)*fabs(speed)/v_small);
}
