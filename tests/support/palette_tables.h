// The palette as rows of docs/materials.md.
#ifndef CAROM_TESTS_PALETTE_TABLES_H
#define CAROM_TESTS_PALETTE_TABLES_H

#include <math.h>
#include <stdio.h>

#include "carom/carom.h"

static inline int material_row(char *text, size_t n, const caromMaterialInfo *m)
{
    bool is_stiff = m->def.E >= 1e8;
    return snprintf(text, n, "| `%s` | %s | %g | %g %s | %g | %s |", m->def.name, m->title, m->def.density,
                    m->def.E/(is_stiff ? 1e9 : 1e6), is_stiff ? "GPa" : "MPa", m->def.nu, m->source);
}

static inline const char *pair_value(char text[24], double value)
{
    text[0] = '\0';
    if (!isnan(value)) snprintf(text, 24, "%g", value);
    return text;
}

static inline int pair_row(char *text, size_t n, const caromPairRecord *p)
{
    char e[24], mu_k[24], mu_s[24], mu_r[24];
    return snprintf(text, n, "| `%s` - `%s` | %s | %s | %s | %s | %s | %s |", p->def.material[0], p->def.material[1],
                    pair_value(e, p->def.restitution), pair_value(mu_k, p->def.friction),
                    pair_value(mu_s, p->def.static_friction), pair_value(mu_r, p->def.rolling), p->note, p->source);
}

static inline int source_row(char *text, size_t n, const caromSourceInfo *s)
{
    return snprintf(text, n, "| [%s] | %s |", s->key, s->text);
}

#endif
