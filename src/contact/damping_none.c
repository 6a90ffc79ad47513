// No damping: what went in comes out.
#include "contact/contact.h"

const caromDampingRow carom_contact_damping_none = { .info = { .name = "none" } };
