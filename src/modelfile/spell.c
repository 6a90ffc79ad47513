// What did they mean? Distances between words, synonyms from other tools and textbooks, and the user's text made
// printable for a message.
#include <stdio.h>
#include <string.h>

#include "modelfile/modelfile.h"

#define WORD_MAX 40  // longer words are nobody's misspelling of a key

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

// Cost of writing y for x: nothing, a shift key or - for _ (1), another letter (2).
static int substitution(char x, char y)
{
    if (x == y) return 0;
    bool is_dash = (x == '-' || x == '_' || x == ' ') && (y == '-' || y == '_' || y == ' ');
    return lower(x) == lower(y) || is_dash ? 1 : 2;
}

// Optimal string alignment: insert, delete, substitute, swap neighbours; each costs 2, so that other case can cost 1.
int carom_spell_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > WORD_MAX || nb > WORD_MAX) return 2*(WORD_MAX + 1);
    int row[3][WORD_MAX + 1];
    int *before = row[0], *above = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++) above[j] = 2*(int)j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = 2*(int)i;
        for (size_t j = 1; j <= nb; j++) {
            int best = min_int(above[j], now[j - 1]) + 2;
            best = min_int(best, above[j - 1] + substitution(a[i - 1], b[j - 1]));
            bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            now[j] = is_swap ? min_int(best, before[j - 2] + 2) : best;
        }
        int *oldest = before;
        before = above;
        above = now;
        now = oldest;
    }
    return above[nb];
}

// Near enough to be meant: one slip in a short word, one more per four letters.
const char *carom_spell_nearest(const char *word, const char *const *candidates, int n)
{
    const char *best = NULL;
    int best_distance = 0;
    for (int i = 0; i < n; i++) {
        int d = carom_spell_distance(word, candidates[i]);
        int length = min_int((int)strlen(word), (int)strlen(candidates[i]));
        int allowed = length <= 1 ? 1 : length == 2 ? 2 : 2*(1 + length/4);
        if (d > allowed || (best && d >= best_distance)) continue;
        best = candidates[i];
        best_distance = d;
    }
    return best;
}

// Words for keys in other tools, papers and textbooks. A word may stand for several keys; the section decides.
static const char *const synonyms[][2] = {
    { "cor", "restitution" }, { "e", "restitution" }, { "bounce", "restitution" }, { "mu", "friction" }, { "mu_k", "friction" },
    { "mu_d", "friction" }, { "mu_s", "friction" }, { "mu_r", "rolling" }, { "rolling_friction", "rolling" },
    { "rolling_resistance", "rolling" }, { "youngs_modulus", "E" }, { "young", "E" }, { "elastic_modulus", "E" },
    { "YoungsModulus", "E" }, { "youngsModulus", "E" }, { "poisson", "nu" }, { "poissons_ratio", "nu" }, { "poissonsRatio", "nu" },
    { "poisson_ratio", "nu" }, { "rho", "density" }, { "materials", "between" }, { "bodies", "between" }, { "pair", "between" },
    { "weight", "mass" }, { "m", "mass" }, { "I", "inertia" }, { "J", "inertia" }, { "inertia_tensor", "inertia" },
    { "moment_of_inertia", "inertia" }, { "cog", "com" }, { "cm", "com" }, { "center_of_mass", "com" }, { "centre_of_mass", "com" },
    { "pos", "position" }, { "origin", "position" }, { "translation", "position" }, { "at", "position" }, { "xyz", "position" },
    { "location", "position" }, { "p", "position" }, { "r", "radius" }, { "rotation", "orientation" }, { "rot", "orientation" },
    { "rpy", "orientation" }, { "euler", "orientation" }, { "quat", "orientation" }, { "quaternion", "orientation" },
    { "euler", "angles" }, { "rpy", "angles" }, { "cardan", "angles" }, { "quat", "quaternion" }, { "q", "quaternion" },
    { "vel", "velocity" }, { "v", "velocity" }, { "speed", "velocity" }, { "linear_velocity", "velocity" },
    { "omega", "angular_velocity" }, { "w", "angular_velocity" }, { "spin", "angular_velocity" }, { "angvel", "angular_velocity" },
    { "static", "fixed" }, { "anchored", "fixed" }, { "frozen", "fixed" }, { "geometry", "shape" }, { "collision", "shape" },
    { "geom", "shape" }, { "geoms", "shapes" }, { "parts", "shapes" }, { "size", "radius" }, { "diameter", "radius" },
    { "radius", "size" }, { "dimensions", "size" }, { "extents", "size" }, { "half_extents", "size" }, { "lengths", "size" },
    { "length", "size" }, { "width", "size" }, { "height", "offset" }, { "height", "size" }, { "distance", "offset" },
    { "direction", "normal" }, { "axis", "normal" }, { "ball", "sphere" }, { "cube", "box" }, { "cuboid", "box" }, { "block", "box" },
    { "plane", "half-space" }, { "ground", "half-space" }, { "floor", "half-space" }, { "halfspace", "half-space" },
    { "g", "gravity" }, { "version", "carom" }, { "title", "name" }, { "material", "materials" }, { "body", "bodies" },
    { "contacts", "pairs" }, { "settings", "simulate" }, { "simulation", "simulate" }, { "time", "simulate" }, { "solver", "simulate" },
    { "t_end", "until" }, { "tend", "until" }, { "end", "until" }, { "stop_time", "until" }, { "stopTime", "until" },
    { "duration", "until" }, { "end_time", "until" }, { "dt", "every" }, { "step", "every" }, { "interval", "every" },
    { "output_interval", "every" }, { "timestep", "every" }, { "rate", "every" }, { "tol", "tolerance" }, { "rtol", "tolerance" },
    { "reltol", "tolerance" }, { "accuracy", "tolerance" }, { "solver", "method" }, { "integrator", "method" },
    { "model", "response" }, { "law", "damping" }, { "v_slip", "v_small" }, { "vsmall", "v_small" },
    { "wsmall", "w_small" },
};

const char *carom_spell_synonym(const char *word, int i)
{
    for (size_t k = 0; k < sizeof synonyms/sizeof synonyms[0]; k++)
        if (strcmp(word, synonyms[k][0]) == 0 && i-- == 0) return synonyms[k][1];
    return NULL;
}

// UTF-8 is kept (the text was checked), control characters become '?', long text is cut between characters.
caromQuoted carom_quoted(const char *text)
{
    caromQuoted out;
    size_t n = 0;
    int nchar = 0;
    out.text[n++] = '\'';
    for (const char *s = text; *s; s++) {
        bool starts_character = ((unsigned char)*s & 0xC0) != 0x80;
        if (starts_character && nchar++ == CAROM_QUOTE_MAX) {
            memcpy(out.text + n, "...", 3);
            n += 3;
            break;
        }
        out.text[n++] = (unsigned char)*s < 0x20 || *s == 0x7F ? '?' : *s;
    }
    out.text[n++] = '\'';
    out.text[n] = '\0';
    return out;
}
