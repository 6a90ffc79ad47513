// Contacts of a sample, behind its columns: as many as touch, each with the same numbers.
#include "results/channels.h"

const caromColumn carom_contact_columns[CAROM_CONTACT_COLUMNS] = {
    { "pair", "" },
    { "point.x", "m" }, { "point.y", "m" }, { "point.z", "m" },
    { "normal.x", "" }, { "normal.y", "" }, { "normal.z", "" },
    { "force.x", "N" }, { "force.y", "N" }, { "force.z", "N" },
    { "normal_force", "N" },
    { "depth", "m" },
};

static void put_contact(caromText *text, const caromContact *contact)
{
    carom_results_put_number(text, contact->pair);
    carom_results_put_vec3(text, contact->p_W);
    carom_results_put_vec3(text, contact->n_AB);
    carom_results_put_vec3(text, contact->f_B);
    carom_results_put_number(text, contact->fn);
    carom_results_put_number(text, contact->depth);
}

void carom_results_put_contacts(const caromSample *sample, caromText *text)
{
    for (int i = 0; i < sample->ncontact; i++) put_contact(text, &sample->contacts[i]);
}
