// Quantities: a decimal number, then perhaps a unit: products, quotients and powers of known symbols.
//
// A decimal prefix moves the decimal exponent of the number before it is converted, so "10 mm" is the double nearest to
// 0.01 and not 10*0.001.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/names.h"
#include "modelfile/modelfile.h"

#define PI CAROM_PI
#define POWER_MAX 10

static const caromDimInfo dims[CAROM_DIM_COUNT] = {
    [CAROM_DIM_NUMBER] = { { 0, 0, 0, 0 }, "a plain number", "", "0.3", "number" },
    [CAROM_DIM_LENGTH] = { { 1, 0, 0, 0 }, "a length", "m", "10 mm", "length" },
    [CAROM_DIM_MASS] = { { 0, 1, 0, 0 }, "a mass", "kg", "2 kg", "mass" },
    [CAROM_DIM_TIME] = { { 0, 0, 1, 0 }, "a time", "s", "10 ms", "time" },
    [CAROM_DIM_ANGLE] = { { 0, 0, 0, 1 }, "an angle", "rad", "30 deg", "angle" },
    [CAROM_DIM_VELOCITY] = { { 1, 0, -1, 0 }, "a velocity", "m/s", "0.5 m/s", "velocity" },
    [CAROM_DIM_ANGULAR_VELOCITY] = { { 0, 0, -1, 1 }, "an angular velocity", "rad/s", "60 rpm", "angular_velocity" },
    [CAROM_DIM_ACCELERATION] = { { 1, 0, -2, 0 }, "an acceleration", "m/s^2", "9.81 m/s^2", "acceleration" },
    [CAROM_DIM_DENSITY] = { { -3, 1, 0, 0 }, "a density", "kg/m^3", "7850 kg/m^3", "density" },
    [CAROM_DIM_PRESSURE] = { { -1, 1, -2, 0 }, "a pressure", "Pa", "200 GPa", "pressure" },
    [CAROM_DIM_INERTIA] = { { 2, 1, 0, 0 }, "a moment of inertia", "kg m^2", "0.1 kg m^2", "moment_of_inertia" },
    [CAROM_DIM_AREA] = { { 2, 0, 0, 0 }, "an area", "m^2", "1 m^2", "area" },
    [CAROM_DIM_VOLUME] = { { 3, 0, 0, 0 }, "a volume", "m^3", "1 m^3", "volume" },
    [CAROM_DIM_FREQUENCY] = { { 0, 0, -1, 0 }, "a frequency", "Hz", "50 Hz", "frequency" },
    [CAROM_DIM_FORCE] = { { 1, 1, -2, 0 }, "a force", "N", "10 N", "force_value" },
    [CAROM_DIM_ENERGY] = { { 2, 1, -2, 0 }, "an energy or a torque", "J", "1 J", "energy" },
    [CAROM_DIM_POWER] = { { 2, 1, -3, 0 }, "a power", "W", "1 W", "power" },
    [CAROM_DIM_STIFFNESS] = { { 0, 1, -2, 0 }, "a stiffness", "N/m", "200 N/m", "stiffness" },
    [CAROM_DIM_MOMENTUM] = { { 1, 1, -1, 0 }, "a momentum", "N s", "1 N s", "momentum" },
    [CAROM_DIM_ANGULAR_ACCELERATION] = { { 0, 0, -2, 1 }, "an angular acceleration", "rad/s^2", "1 rad/s^2",
                                         "angular_acceleration" },
    [CAROM_DIM_ANGULAR_MOMENTUM] = { { 2, 1, -1, 0 }, "an angular momentum", "N m s", "1 N m s", "angular_momentum" },
    [CAROM_DIM_TORQUE] = { { 2, 1, -2, 0 }, "a torque", "N m", "2 N m", "torque" },
    [CAROM_DIM_ROTATIONAL_STIFFNESS] = { { 2, 1, -2, -1 }, "a rotational stiffness", "N m/rad", "2 N m/rad",
                                         "rotational_stiffness" },
    [CAROM_DIM_DAMPING] = { { 0, 1, -1, 0 }, "a damping coefficient", "N s/m", "5 N s/m", "damping" },
    [CAROM_DIM_ROTATIONAL_DAMPING] = { { 2, 1, -1, -1 }, "a rotational damping coefficient", "N m s/rad",
                                       "0.01 N m s/rad", "rotational_damping" },
    [CAROM_DIM_PITCH] = { { 1, 0, 0, -1 }, "a pitch", "m/rad", "5 mm/rev", "pitch" },
    [CAROM_DIM_INVERSE_SPEED] = { { -1, 0, 1, 0 }, "an inverse speed", "s/m", "0.5 s/m", "inverse_speed" },
    [CAROM_DIM_DATA] = { { 0, 0, 0, 0, 1 }, "a size of data", "B", "300 MB", "data_size" },
    [CAROM_DIM_CONTACT_STIFFNESS] = { { 0, 1, -2, 0 }, "a stiffness", "N/m^n", "5e9 N/m^1.5", "contact_stiffness" },
    [CAROM_DIM_DRIVEN] = { { 0, 0, 0, 0 }, "a quantity", "", "5 mm", "quantity" },
};

const caromDimInfo *carom_modelfile_dim_info(caromDimId id)
{
    return &dims[id];
}

// One row per symbol. Angles have a dimension of their own: otherwise "friction: 30 deg" and "1 Hz" for an angular
// velocity (wrong by 2 pi) would pass.
static const caromUnit units[] = {
    { "m", { 1, 0, 0, 0 }, 1, 1, 0, true, "metre" },
    { "g", { 0, 1, 0, 0 }, 1, 1, -3, true, "gram" },
    { "t", { 0, 1, 0, 0 }, 1, 1, 3, false, "tonne" },
    { "s", { 0, 0, 1, 0 }, 1, 1, 0, true, "second" },
    { "min", { 0, 0, 1, 0 }, 60, 1, 0, false, "minute" },
    { "h", { 0, 0, 1, 0 }, 3600, 1, 0, false, "hour" },
    { "rad", { 0, 0, 0, 1 }, 1, 1, 0, true, "radian" },
    { "deg", { 0, 0, 0, 1 }, PI, 180, 0, false, "degree" },
    { "\xC2\xB0", { 0, 0, 0, 1 }, PI, 180, 0, false, "degree" },
    { "rev", { 0, 0, 0, 1 }, 2*PI, 1, 0, false, "revolution" },
    { "rpm", { 0, 0, -1, 1 }, 2*PI, 60, 0, false, "revolutions per minute" },
    { "Hz", { 0, 0, -1, 0 }, 1, 1, 0, true, "hertz" },
    { "N", { 1, 1, -2, 0 }, 1, 1, 0, true, "newton" },
    { "Pa", { -1, 1, -2, 0 }, 1, 1, 0, true, "pascal" },
    { "bar", { -1, 1, -2, 0 }, 1, 1, 5, true, "bar" },
    { "J", { 2, 1, -2, 0 }, 1, 1, 0, true, "joule" },
    { "W", { 2, 1, -3, 0 }, 1, 1, 0, true, "watt" },
    { "L", { 3, 0, 0, 0 }, 1, 1, -3, true, "litre" },
    { "in", { 1, 0, 0, 0 }, 254, 1, -4, false, "inch" },
    { "ft", { 1, 0, 0, 0 }, 3048, 1, -4, false, "foot" },
    { "lb", { 0, 1, 0, 0 }, 45359237, 1, -8, false, "pound" },
    { "lbf", { 1, 1, -2, 0 }, 44482216152605, 1, -13, false, "pound-force" },
    { "psi", { -1, 1, -2, 0 }, 44482216152605, 64516, -5, false, "pound-force per square inch" },
    { "ksi", { -1, 1, -2, 0 }, 44482216152605, 64516, -2, false, "1000 psi" },
    { "B", { 0, 0, 0, 0, 1 }, 1, 1, 0, true, "byte" },
    { "%", { 0, 0, 0, 0 }, 1, 1, -2, false, "percent" },
};

typedef struct Prefix { const char *symbol; int exponent; } Prefix;
static const Prefix prefixes[] = {
    { "f", -15 }, { "p", -12 }, { "n", -9 }, { "u", -6 }, { "\xC2\xB5", -6 }, { "\xCE\xBC", -6 }, { "m", -3 }, { "c", -2 },
    { "d", -1 }, { "da", 1 }, { "h", 2 }, { "k", 3 }, { "M", 6 }, { "G", 9 }, { "T", 12 },
};
#define NUNIT ((int)(sizeof units/sizeof units[0]))
#define NPREFIX ((int)(sizeof prefixes/sizeof prefixes[0]))

const caromUnit *carom_modelfile_unit_info(int i)
{
    return i >= 0 && i < NUNIT ? &units[i] : NULL;
}

const char *carom_modelfile_unit_prefixes(void)
{
    return "f p n u \xC2\xB5 m c d da h k M G T";
}

// ---- numbers

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_space(const char *s)
{
    while (is_space(*s)) s++;
    return s;
}

// 007 and 0x1F: YAML 1.1 reads the first as octal, the second as hexadecimal, and many readers do not.
static bool has_odd_base(const char *s)
{
    if (*s == '-' || *s == '+') s++;
    return *s == '0' && (carom_is_digit(s[1]) || ((s[1] == 'x' || s[1] == 'o' || s[1] == 'b') && carom_is_digit(s[2])));
}

static bool equal_ignoring_case(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a, y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y) return false;
    }
    return *a == *b;
}

static bool is_nonfinite_word(const char *s)
{
    if (*s == '-' || *s == '+') s++;
    if (*s == '.') s++;
    return equal_ignoring_case(s, "nan") || equal_ignoring_case(s, "inf") || equal_ignoring_case(s, "infinity");
}

// ---- units

typedef struct Factor {
    caromDim dim;
    double num, den;
    long exponent;
} Factor;

static bool symbol_equals(const char *s, size_t n, const char *symbol)
{
    return strlen(symbol) == n && memcmp(s, symbol, n) == 0;
}

static bool find_symbol(const char *s, size_t n, Factor *f)
{
    for (int i = 0; i < NUNIT; i++)
        if (symbol_equals(s, n, units[i].symbol)) {
            *f = (Factor){ units[i].dim, units[i].num, units[i].den, units[i].exponent };
            return true;
        }
    for (int p = 0; p < NPREFIX; p++) {
        size_t np = strlen(prefixes[p].symbol);
        if (n <= np || memcmp(s, prefixes[p].symbol, np) != 0) continue;
        for (int i = 0; i < NUNIT; i++)
            if (units[i].has_prefixes && symbol_equals(s + np, n - np, units[i].symbol)) {
                *f = (Factor){ units[i].dim, units[i].num, units[i].den, units[i].exponent + prefixes[p].exponent };
                return true;
            }
    }
    return false;
}

// A whole power keeps its decimal exponent apart, so that it is exact; one such as 1.5 is rounded.
static void multiply(Factor *total, Factor f, double power)
{
    total->dim.m += power*f.dim.m;
    total->dim.kg += power*f.dim.kg;
    total->dim.s += power*f.dim.s;
    total->dim.rad += power*f.dim.rad;
    total->dim.B += power*f.dim.B;
    if (power != rint(power)) {
        total->num *= pow(f.num/f.den, power)*pow(10.0, power*(double)f.exponent);
        return;
    }
    int n = (int)fabs(power);
    for (int i = 0; i < n; i++) {
        total->num *= power > 0 ? f.num : f.den;
        total->den *= power > 0 ? f.den : f.num;
    }
    total->exponent += (power > 0 ? n : -n)*f.exponent;
}

// What was meant by an unknown symbol: another case or spelling of a known one, or two of them without a space.
static void suggest_symbol(const char *symbol, char *text, size_t n)
{
    static const char *const common[] = {
        "mm", "cm", "m", "km", "um", "kg", "g", "mg", "t", "ms", "us", "s", "min", "h", "rad", "mrad", "deg", "rev",
        "rpm", "Hz", "kHz", "N", "kN", "MN", "Pa", "kPa", "MPa", "GPa", "bar", "J", "kJ", "W", "kW", "L", "in", "ft",
        "lb", "lbf", "psi", "ksi", "kB", "MB", "GB"
    };
    static const char *const other_words[][2] = {
        { "meter", "m" }, { "metre", "m" }, { "meters", "m" }, { "sec", "s" }, { "second", "s" }, { "seconds", "s" }, { "hr", "h" },
        { "degree", "deg" }, { "degrees", "deg" }, { "grad", "deg" }, { "radian", "rad" }, { "radians", "rad" }, { "inch", "in" },
        { "inches", "in" }, { "feet", "ft" }, { "kilogram", "kg" }, { "gram", "g" }, { "ton", "t" }, { "tonne", "t" }, { "lbs", "lb" }, { "kgs", "kg" }, { "kilo", "kg" },
        { "lbm", "lb" }, { "kph", "km/h" }, { "kmh", "km/h" }, { "newton", "N" }, { "pascal", "Pa" }, { "l", "L" },
        { "rps", "rev/s" }, { "U/min", "rpm" }, { "kgm", "kg m" }, { "micron", "um" }, { "turn", "rev" },
            { "percent", "%" } };
    const char *meant = NULL;
    for (size_t i = 0; !meant && i < sizeof other_words/sizeof other_words[0]; i++)
        if (equal_ignoring_case(symbol, other_words[i][0])) meant = other_words[i][1];
    for (size_t i = 0; !meant && i < sizeof common/sizeof common[0]; i++)
        if (equal_ignoring_case(symbol, common[i])) meant = common[i];
    if (meant) {
        snprintf(text, n, ", did you mean '%s'?", meant);
        return;
    }
    Factor f;
    size_t length = strlen(symbol);
    for (size_t k = 1; k < length && length < 12; k++)
        if (find_symbol(symbol, k, &f) && find_symbol(symbol + k, length - k, &f) && k*2 >= length) {
            snprintf(text, n, ", did you mean '%.*s %s'?", (int)k, symbol, symbol + k);
            return;
        }
    const char *near = carom_nearest_name(symbol, common, (int)(sizeof common/sizeof common[0]));
    if (near) snprintf(text, n, ", did you mean '%s'?", near);
    else snprintf(text, n, "; a unit is made of symbols such as mm, kg, s, deg, rpm, N, GPa, as in kg/m^3");
}

static bool is_symbol_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == '_' || (unsigned char)c >= 0x80;
}

// Length in bytes of a superscript digit or minus at s, and its value (-1 for the minus); 0: none.
static int superscript(const char *s, int *value)
{
    static const char *const digits[] = {
        "\xE2\x81\xB0", "\xC2\xB9", "\xC2\xB2", "\xC2\xB3", "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6",
        "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"
    };
    for (int i = 0; i < 10; i++)
        if (strncmp(s, digits[i], strlen(digits[i])) == 0) {
            *value = i;
            return (int)strlen(digits[i]);
        }
    *value = -1;
    return strncmp(s, "\xE2\x81\xBB", 3) == 0 ? 3 : 0;
}

#define MIDDLE_DOT "\xC2\xB7"

static size_t symbol_length(const char *s)
{
    size_t n = 0;
    int unused;
    while (is_symbol_byte(s[n]) && superscript(s + n, &unused) == 0 && strncmp(s + n, MIDDLE_DOT, 2) != 0) n++;
    return n;
}

// Behind the whole part of a power: up to three decimals, as in m^1.5.
static const char *scan_decimals(const char *s, double *power)
{
    if (*s != '.') return s;
    double unit = 1.0;
    int n = 0, decimals = 0;
    for (s++; carom_is_digit(*s) && n < 3; s++, n++) {
        decimals = 10*decimals + (*s - '0');
        unit *= 10.0;
    }
    *power = (*power*unit + decimals)/unit;  // the double nearest to what is written
    return n > 0 && !carom_is_digit(*s) && *s != '.' ? s : NULL;
}

// The power behind a symbol: ^2, ^-1, ^1.5, **2, superscripts, or none (1). NULL: malformed.
static const char *scan_power(const char *s, double *power)
{
    int digit, n = superscript(s, &digit);
    *power = 1;
    if (n > 0) {
        bool is_negative = digit < 0;
        if (is_negative && (n = superscript(s += n, &digit)) == 0) return NULL;
        if (digit < 1) return NULL;
        *power = is_negative ? -digit : digit;
        s += n;
        return superscript(s, &digit) ? NULL : s;
    }
    if (*s == '^') s++;
    else if (s[0] == '*' && s[1] == '*') s += 2;
    else return carom_is_digit(*s) ? NULL : s;
    bool is_negative = *s == '-';
    if (is_negative) s++;
    if (*s < '1' || *s > '9') return NULL;
    *power = *s++ - '0';
    if (carom_is_digit(*s)) *power = 10.0**power + (*s++ - '0');
    if (carom_is_digit(*s)) return NULL;
    s = scan_decimals(s, power);
    if (*power > POWER_MAX) return NULL;
    if (is_negative) *power = -*power;
    return s;
}

typedef struct UnitScan {
    const char *s;
    Factor total;
    bool is_below;      // after '/': the next factor divides
    bool is_in_bracket;
    int nfactor, nslash;
    char *why;
    size_t nwhy;
} UnitScan;

static bool scan_symbol(UnitScan *u)
{
    size_t n = symbol_length(u->s);
    if (n == 0) {
        if (*u->s == '\0') snprintf(u->why, u->nwhy, "a unit is missing at the end");
        else snprintf(u->why, u->nwhy, "expected a unit such as kg/m^3, got %s", carom_modelfile_quoted(u->s).text);
        return false;
    }
    char symbol[CAROM_QUOTE_MAX];
    snprintf(symbol, sizeof symbol, "%.*s", (int)(n < sizeof symbol ? n : sizeof symbol - 1), u->s);
    Factor f;
    if (!find_symbol(u->s, n, &f)) {
        char meant[120];
        suggest_symbol(symbol, meant, sizeof meant);
        snprintf(u->why, u->nwhy, "unknown unit %s%s", carom_modelfile_quoted(symbol).text, meant);
        return false;
    }
    double power;
    const char *end = scan_power(u->s + n, &power);
    // clang-tidy loses track of u->s, which is never NULL. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    if (!end && carom_is_digit(u->s[n]) && !carom_is_digit(u->s[n + 1])) {
        snprintf(u->why, u->nwhy, "unknown unit '%s%c', did you mean '%s^%c'?", symbol, u->s[n], symbol, u->s[n]);
        return false;
    }
    if (!end) {
        snprintf(u->why, u->nwhy, "the power of a unit is a number from 1 to %d with at most three decimals, "
                 "as in m^2, s^-1 or m^1.5, got %s", POWER_MAX, carom_modelfile_quoted(u->s).text);
        return false;
    }
    if (u->nfactor >= 8) {
        snprintf(u->why, u->nwhy, "a unit of more than 8 factors");
        return false;
    }
    multiply(&u->total, f, u->is_below ? -power : power);
    u->nfactor++;
    u->s = end;
    return true;
}

static bool fail_two_ways(UnitScan *u)
{
    snprintf(u->why, u->nwhy, "a product behind '/' can be read two ways: write it with brackets, as in N/(m s)");
    return false;
}

// Between factors: '/', '*', a middle dot, a space. Sets is_below for the next factor; false: malformed.
static bool scan_operator(UnitScan *u, bool *is_end)
{
    bool had_space = is_space(*u->s);
    u->s = skip_space(u->s);
    if (u->is_in_bracket && *u->s == ')') {
        u->is_in_bracket = u->is_below = false;
        u->s = skip_space(u->s + 1);
        if (*u->s != '\0' && *u->s != '/') return fail_two_ways(u);
    }
    *is_end = *u->s == '\0' && !u->is_in_bracket;
    if (*is_end) return true;
    if (*u->s == '/' && !u->is_in_bracket) {
        u->is_below = true;
        u->nslash++;
        u->s = skip_space(u->s + 1);
        if (*u->s == '(') {
            u->is_in_bracket = true;
            u->s = skip_space(u->s + 1);
        }
        return true;
    }
    if (u->nslash > 0 && !u->is_in_bracket) return fail_two_ways(u);
    if (*u->s == '\0') {
        snprintf(u->why, u->nwhy, "a bracket is not closed in the unit");
        return false;
    }
    if (*u->s == '*') u->s = skip_space(u->s + 1);
    else if (strncmp(u->s, MIDDLE_DOT, 2) == 0) u->s = skip_space(u->s + 2);
    else if (!had_space) {
        snprintf(u->why, u->nwhy, "expected a unit such as kg/m^3, got %s", carom_modelfile_quoted(u->s).text);
        return false;
    }
    return true;
}

static bool scan_unit(const char *s, Factor *total, char *why, size_t nwhy)
{
    UnitScan u = { .s = s, .total = { .num = 1, .den = 1 }, .why = why, .nwhy = nwhy };
    bool is_end = *s == '\0';
    if (s[0] == '1' && *skip_space(s + 1) == '/') u.s = skip_space(s + 1);  // 5 1/s
    if (*u.s == '/' && !scan_operator(&u, &is_end)) return false;
    while (!is_end)
        if (!scan_symbol(&u) || !scan_operator(&u, &is_end)) return false;
    *total = u.total;
    return true;
}

// ---- quantities

// Powers have at most three decimals.
static bool same_power(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

bool carom_modelfile_dim_equal(caromDim a, caromDim b)
{
    return same_power(a.m, b.m) && same_power(a.kg, b.kg) && same_power(a.s, b.s) && same_power(a.rad, b.rad) &&
           same_power(a.B, b.B);
}

static void describe_dim(caromDim d, char *text, size_t n)
{
    for (int i = 0; i < CAROM_DIM_COUNT; i++)
        if (carom_modelfile_dim_equal(d, dims[i].dim)) {
            snprintf(text, n, "%s", dims[i].title);
            return;
        }
    const char *symbol[] = { "kg", "m", "s", "rad", "B" };
    double power[] = { d.kg, d.m, d.s, d.rad, d.B };
    size_t used = (size_t)snprintf(text, n, "something in");
    for (int i = 0; i < 5; i++) {
        if (same_power(power[i], 0.0) || used >= n) continue;
        used += same_power(power[i], 1.0) ? (size_t)snprintf(text + used, n - used, " %s", symbol[i])
                                          : (size_t)snprintf(text + used, n - used, " %s^%g", symbol[i], power[i]);
    }
}

static double to_double(const caromDecimal *d, const Factor *f)
{
    double x = carom_decimal_magnitude(d, f->exponent)*f->num/f->den;
    return d->is_negative && x != 0.0 ? -x : x;  // no -0
}

typedef struct Wanted { const caromDimInfo *info; const char *example; } Wanted;

static bool fail_expected(const char *text, Wanted want, char *why, size_t n)
{
    const char *s = skip_space(text);
    if (*s == '\0') snprintf(why, n, "expected %s such as %s, got nothing", want.info->title, want.example);
    else if (is_nonfinite_word(s)) snprintf(why, n, "%s is not a finite number", carom_modelfile_quoted(s).text);
    else
        snprintf(why, n, "expected %s such as %s, got %s", want.info->title, want.example,
                 carom_modelfile_quoted(text).text);
    return false;
}

// What to write when only the angle was forgotten, or one too many: the price of angles as a dimension.
static const char *angle_hint(caromDim got, const caromDimInfo *want)
{
    static const struct { caromDimId got, want; const char *hint; } hints[] = {
        { CAROM_DIM_FREQUENCY, CAROM_DIM_ANGULAR_VELOCITY, "rad/s, rev/s or rpm" },
        { CAROM_DIM_ANGULAR_VELOCITY, CAROM_DIM_FREQUENCY, "Hz: a frequency counts periods" },
        { CAROM_DIM_TORQUE, CAROM_DIM_ROTATIONAL_STIFFNESS, "N m/rad" },
        { CAROM_DIM_ROTATIONAL_STIFFNESS, CAROM_DIM_TORQUE, "N m" },
        { CAROM_DIM_ANGULAR_MOMENTUM, CAROM_DIM_ROTATIONAL_DAMPING, "N m s/rad" },
        { CAROM_DIM_LENGTH, CAROM_DIM_PITCH, "mm/rev" },
    };
    for (size_t i = 0; i < sizeof hints/sizeof hints[0]; i++)
        if (want == &dims[hints[i].want] && carom_modelfile_dim_equal(got, dims[hints[i].got].dim))
            return hints[i].hint;
    return NULL;
}

static bool fail_dimension(const char *text, caromDim got, Wanted want, char *why, size_t n)
{
    char title[80];
    describe_dim(got, title, sizeof title);
    const char *hint = angle_hint(got, want.info);
    snprintf(why, n, "expected %s such as %s, got %s (%s)%s%s", want.info->title, want.example, title,
             carom_modelfile_quoted(text).text, hint ? "; write " : "", hint ? hint : "");
    return false;
}

// A number and the dimension of its unit, if it has one.
static bool scan_quantity(const char *text, Wanted want, caromQuantity *q, char *why, size_t nwhy)
{
    const char *s = skip_space(text);
    caromDecimal d;
    const char *unit = carom_decimal_scan(s, &d);
    if (d.is_too_long)
        snprintf(why, nwhy, "a number of more than %d digits: %s", CAROM_DECIMAL_DIGITS_MAX,
                 carom_modelfile_quoted(text).text);
    else if (!unit) fail_expected(text, want, why, nwhy);
    if (!unit) return false;
    if (has_odd_base(s)) {
        snprintf(why, nwhy, "%s is not a decimal number: write it without zeros or letters in front",
                 carom_modelfile_quoted(text).text);
        return false;
    }
    if (*unit == ',' && carom_is_digit(unit[1])) {
        snprintf(why, nwhy, "a decimal point is written '.', not ',': got %s", carom_modelfile_quoted(text).text);
        return false;
    }
    if (*unit == '_' || *unit == '.' || *unit == ':') return fail_expected(text, want, why, nwhy);
    unit = skip_space(unit);
    Factor f = { .num = 1, .den = 1 };
    q->has_unit = *unit != '\0';
    if (q->has_unit && !scan_unit(unit, &f, why, nwhy)) return false;
    q->dim = f.dim;
    q->value = to_double(&d, &f);
    q->is_zero = strcmp(d.digits, "0") == 0;
    return true;
}

// After the dimension: what is of the wrong one need not be a number that can be had.
static bool has_good_size(const char *text, const caromQuantity *q, char *why, size_t nwhy)
{
    if (!isfinite(q->value)) {
        snprintf(why, nwhy, "%s is too large for a number (1.8e308 is the limit)", carom_modelfile_quoted(text).text);
        return false;
    }
    if (fabs(q->value) < DBL_MIN && !q->is_zero) {
        snprintf(why, nwhy, "%s is too small for a number (2.2e-308 is the limit); write 0",
                 carom_modelfile_quoted(text).text);
        return false;
    }
    return true;
}

bool carom_modelfile_quantity_scan(const char *text, caromDimId like, caromQuantity *q, char *why, size_t nwhy)
{
    Wanted want = { &dims[like], dims[like].example };
    return scan_quantity(text, want, q, why, nwhy) && has_good_size(text, q, why, nwhy);
}

bool carom_modelfile_quantity_refuse(const char *text, const caromQuantity *q, caromDimId expected, char *why,
                                     size_t nwhy)
{
    return fail_dimension(text, q->dim, (Wanted){ &dims[expected], dims[expected].example }, why, nwhy);
}

bool carom_modelfile_quantity_parse(const char *text, caromDimId expected, const char *example, double *value,
                                    char *why, size_t nwhy)
{
    Wanted want = { &dims[expected], example ? example : dims[expected].example };
    caromQuantity q;
    if (!scan_quantity(text, want, &q, why, nwhy)) return false;
    if (q.has_unit && !carom_modelfile_dim_equal(q.dim, want.info->dim))
        return fail_dimension(text, q.dim, want, why, nwhy);
    if (!has_good_size(text, &q, why, nwhy)) return false;
    *value = q.value;
    return true;
}
