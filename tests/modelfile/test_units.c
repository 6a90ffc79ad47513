#include "modelfile/modelfile.h"

#include <float.h>
#include <locale.h>

#include "check.h"

typedef struct Good { const char *text; caromDimId dim; double value; int ulps; } Good;

// ulps: roundings of a factor that is not a power of ten; with decimal prefixes the nearest double is expected.
static const Good good[] = {
    { "0", CAROM_DIM_LENGTH, 0, 0 },
    { "-0", CAROM_DIM_LENGTH, 0, 0 },
    { "-0.0 mm", CAROM_DIM_LENGTH, 0, 0 },
    { "12", CAROM_DIM_NUMBER, 12, 0 },
    { "+1.5", CAROM_DIM_NUMBER, 1.5, 0 },
    { ".5", CAROM_DIM_NUMBER, 0.5, 0 },
    { "5.", CAROM_DIM_NUMBER, 5, 0 },
    { "0.1", CAROM_DIM_NUMBER, 0.1, 0 },
    { "1e-8", CAROM_DIM_NUMBER, 1e-8, 0 },
    { "1E+08", CAROM_DIM_NUMBER, 1e8, 0 },
    { "1.7976931348623157e308", CAROM_DIM_NUMBER, DBL_MAX, 0 },
    { "2.2250738585072014e-308", CAROM_DIM_NUMBER, DBL_MIN, 0 },
    { "0.000000000000000000000000000000000000000000000000000000000001", CAROM_DIM_NUMBER, 1e-60, 0 },
    { "9007199254740993", CAROM_DIM_NUMBER, 9007199254740992.0, 0 },
    { "  7  ", CAROM_DIM_NUMBER, 7, 0 },
    { "70 %", CAROM_DIM_NUMBER, 0.7, 0 },
    { "3 mm/m", CAROM_DIM_NUMBER, 0.003, 0 },
    { "10 mm", CAROM_DIM_LENGTH, 0.01, 0 },
    { "10mm", CAROM_DIM_LENGTH, 0.01, 0 },
    { "3 m", CAROM_DIM_LENGTH, 3, 0 },
    { "1e3 mm", CAROM_DIM_LENGTH, 1, 0 },
    { "0.3 cm", CAROM_DIM_LENGTH, 0.003, 0 },
    { "7 um", CAROM_DIM_LENGTH, 7e-6, 0 },
    { "7 \xC2\xB5m", CAROM_DIM_LENGTH, 7e-6, 0 },
    { "7 \xCE\xBCm", CAROM_DIM_LENGTH, 7e-6, 0 },
    { "2 km", CAROM_DIM_LENGTH, 2000, 0 },
    { "2 dam", CAROM_DIM_LENGTH, 20, 0 },
    { "1 in", CAROM_DIM_LENGTH, 0.0254, 1 },
    { "1 ft", CAROM_DIM_LENGTH, 0.3048, 1 },
    { "1 m^2/m", CAROM_DIM_LENGTH, 1, 0 },
    { "2 kg", CAROM_DIM_MASS, 2, 0 },
    { "250 g", CAROM_DIM_MASS, 0.25, 0 },
    { "1 t", CAROM_DIM_MASS, 1000, 0 },
    { "5 mg", CAROM_DIM_MASS, 5e-6, 0 },
    { "1 lb", CAROM_DIM_MASS, 0.45359237, 1 },
    { "1 N s^2/m", CAROM_DIM_MASS, 1, 0 },
    { "10 ms", CAROM_DIM_TIME, 0.01, 0 },
    { "2 min", CAROM_DIM_TIME, 120, 0 },
    { "1.5 h", CAROM_DIM_TIME, 5400, 0 },
    { "1/Hz", CAROM_DIM_TIME, 1, 0 },
    { "180 deg", CAROM_DIM_ANGLE, 3.14159265358979323846, 1 },
    { "180\xC2\xB0", CAROM_DIM_ANGLE, 3.14159265358979323846, 1 },
    { "0.5 rev", CAROM_DIM_ANGLE, 3.14159265358979323846, 1 },
    { "3 mrad", CAROM_DIM_ANGLE, 0.003, 0 },
    { "1 m/s", CAROM_DIM_VELOCITY, 1, 0 },
    { "36 km/h", CAROM_DIM_VELOCITY, 10, 1 },
    { "1 mm/s", CAROM_DIM_VELOCITY, 0.001, 0 },
    { "1 m s^-1", CAROM_DIM_VELOCITY, 1, 0 },
    { "1 m\xC2\xB7s\xE2\x81\xBB\xC2\xB9", CAROM_DIM_VELOCITY, 1, 0 },
    { "60 rpm", CAROM_DIM_ANGULAR_VELOCITY, 6.28318530717958647693, 1 },
    { "1 rev/s", CAROM_DIM_ANGULAR_VELOCITY, 6.28318530717958647693, 1 },
    { "180 deg/s", CAROM_DIM_ANGULAR_VELOCITY, 3.14159265358979323846, 1 },
    { "2 rad/s", CAROM_DIM_ANGULAR_VELOCITY, 2, 0 },
    { "9.81 m/s^2", CAROM_DIM_ACCELERATION, 9.81, 0 },
    { "9.81 m/s**2", CAROM_DIM_ACCELERATION, 9.81, 0 },
    { "9.81 m/s\xC2\xB2", CAROM_DIM_ACCELERATION, 9.81, 0 },
    { "9.81 m/s/s", CAROM_DIM_ACCELERATION, 9.81, 0 },
    { "9.81 m/(s s)", CAROM_DIM_ACCELERATION, 9.81, 0 },
    { "9.81 N/kg", CAROM_DIM_ACCELERATION, 9.81, 0 },
    { "7.85 g/cm^3", CAROM_DIM_DENSITY, 7850, 0 },
    { "7850 kg/m^3", CAROM_DIM_DENSITY, 7850, 0 },
    { "7.85 t/m^3", CAROM_DIM_DENSITY, 7850, 0 },
    { "1.1 kg/L", CAROM_DIM_DENSITY, 1100, 0 },
    { "200 GPa", CAROM_DIM_PRESSURE, 2e11, 0 },
    { "10 MPa", CAROM_DIM_PRESSURE, 1e7, 0 },
    { "210 kN/mm^2", CAROM_DIM_PRESSURE, 2.1e11, 0 },
    { "1 bar", CAROM_DIM_PRESSURE, 1e5, 0 },
    { "1 psi", CAROM_DIM_PRESSURE, 6894.757293168361, 2 },
    { "1 kg/(m s^2)", CAROM_DIM_PRESSURE, 1, 0 },
    { "0.1 kg m^2", CAROM_DIM_INERTIA, 0.1, 0 },
    { "0.1 kg*m^2", CAROM_DIM_INERTIA, 0.1, 0 },
    { "100 kg mm^2", CAROM_DIM_INERTIA, 1e-4, 0 },
    { "100 g  cm^2", CAROM_DIM_INERTIA, 1e-5, 0 },
    { "1 N m s^2", CAROM_DIM_INERTIA, 1, 0 },
    { "50 Hz", CAROM_DIM_FREQUENCY, 50, 0 },
    { "3 1/s", CAROM_DIM_FREQUENCY, 3, 0 },
    { "2 kN", CAROM_DIM_FORCE, 2000, 0 },
    { "1 lbf", CAROM_DIM_FORCE, 4.4482216152605, 1 },
    { "2 N m", CAROM_DIM_TORQUE, 2, 0 },
    { "2 J", CAROM_DIM_TORQUE, 2, 0 },
    { "30 N cm", CAROM_DIM_TORQUE, 0.3, 0 },
    { "200 N/m", CAROM_DIM_STIFFNESS, 200, 0 },
    { "2 N/mm", CAROM_DIM_STIFFNESS, 2000, 0 },
    { "2 N m/rad", CAROM_DIM_ROTATIONAL_STIFFNESS, 2, 0 },
    { "2 J/rad", CAROM_DIM_ROTATIONAL_STIFFNESS, 2, 0 },
    { "1 N m/deg", CAROM_DIM_ROTATIONAL_STIFFNESS, 57.295779513082320877, 2 },
    { "3 N mm/mrad", CAROM_DIM_ROTATIONAL_STIFFNESS, 3, 0 },
    { "5 N s/m", CAROM_DIM_DAMPING, 5, 0 },
    { "5 kg/s", CAROM_DIM_DAMPING, 5, 0 },
    { "0.01 N m s/rad", CAROM_DIM_ROTATIONAL_DAMPING, 0.01, 0 },
    { "1 N m/rpm", CAROM_DIM_ROTATIONAL_DAMPING, 9.5492965855137201461, 2 },
    { "5 mm/rev", CAROM_DIM_PITCH, 0.00079577471545947667884, 2 },
    { "2 mm/rad", CAROM_DIM_PITCH, 0.002, 0 },
    { "2 mm^10/m^9", CAROM_DIM_LENGTH, 2e-30, 0 },
};

static void quantities_become_si_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good/sizeof good[0]; i++) {
        double value = -1;
        char why[400] = "";
        if (!carom_modelfile_quantity_parse(good[i].text, good[i].dim, NULL, &value, why, sizeof why))
            fail_msg("%s: %s", good[i].text, why);
        check_near(value, good[i].value, good[i].ulps*DBL_EPSILON*fabs(good[i].value), good[i].text, __FILE__,
                   __LINE__);
        assert_false(signbit(value) && value == 0.0);
    }
}

static void prefixed_numbers_are_rounded_once(void **state)
{
    (void)state;
    Random random = { 1 };
    for (int i = 0; i < 20000; i++) {
        char with_unit[64], plain[64], why[400];
        int k = (int)random_uniform(&random, 1, 1e6);
        snprintf(with_unit, sizeof with_unit, "%d.%d mm", k, i);
        snprintf(plain, sizeof plain, "%d.%de-3", k, i);
        double value;
        assert_true(carom_modelfile_quantity_parse(with_unit, CAROM_DIM_LENGTH, NULL, &value, why, sizeof why));
        assert_true(value == strtod(plain, NULL));
    }
}

typedef struct Bad { const char *text; caromDimId dim; const char *why; } Bad;

static const Bad bad[] = {
    { "", CAROM_DIM_MASS, "expected a mass such as 2 kg, got nothing" },
    { "kg", CAROM_DIM_MASS, "expected a mass such as 2 kg, got 'kg'" },
    { "3 m", CAROM_DIM_MASS, "expected a mass such as 2 kg, got a length ('3 m')" },
    { "0 m", CAROM_DIM_MASS, "expected a mass such as 2 kg, got a length ('0 m')" },
    { "2 kg", CAROM_DIM_NUMBER, "expected a plain number such as 0.3, got a mass ('2 kg')" },
    { "30 deg", CAROM_DIM_NUMBER, "expected a plain number such as 0.3, got an angle ('30 deg')" },
    { "1 kg^2 m^7", CAROM_DIM_MASS, "expected a mass such as 2 kg, got something in kg^2 m^7 ('1 kg^2 m^7')" },
    { "1 Hz", CAROM_DIM_ANGULAR_VELOCITY, "expected an angular velocity such as 60 rpm, got a frequency ('1 Hz'); write rad/s, rev/s or rpm" },
    { "10 rpm", CAROM_DIM_FREQUENCY, "expected a frequency such as 50 Hz, got an angular velocity ('10 rpm'); write Hz: a frequency counts periods" },
    { "2 N m", CAROM_DIM_ROTATIONAL_STIFFNESS, "expected a rotational stiffness such as 2 N m/rad, got an energy or a torque ('2 N m'); write N m/rad" },
    { "2 N m/rad", CAROM_DIM_TORQUE, "expected a torque such as 2 N m, got a rotational stiffness ('2 N m/rad'); write N m" },
    { "2 N m s", CAROM_DIM_ROTATIONAL_DAMPING, "expected a rotational damping coefficient such as 0.01 N m s/rad, "
      "got an angular momentum ('2 N m s'); write N m s/rad" },
    { "5 mm", CAROM_DIM_PITCH, "expected a pitch such as 5 mm/rev, got a length ('5 mm'); write mm/rev" },
    { "1 N/m", CAROM_DIM_DAMPING, "expected a damping coefficient such as 5 N s/m, got a stiffness ('1 N/m')" },
    { "1 N s/m", CAROM_DIM_STIFFNESS, "expected a stiffness such as 200 N/m, got a damping coefficient ('1 N s/m')" },
    { "1 N m", CAROM_DIM_FORCE, "expected a force such as 10 N, got an energy or a torque ('1 N m')" },
    { ".nan", CAROM_DIM_MASS, "'.nan' is not a finite number" },
    { "-Inf", CAROM_DIM_MASS, "'-Inf' is not a finite number" },
    { "1e400", CAROM_DIM_MASS, "'1e400' is too large for a number (1.8e308 is the limit)" },
    { "1e99999999999999999999", CAROM_DIM_MASS, "'1e99999999999999999999' is too large for a number (1.8e308 is the limit)" },
    { "1e306 t", CAROM_DIM_MASS, "'1e306 t' is too large for a number (1.8e308 is the limit)" },
    { "1e-310", CAROM_DIM_MASS, "'1e-310' is too small for a number (2.2e-308 is the limit); write 0" },
    { "0x1p3", CAROM_DIM_MASS, "'0x1p3' is not a decimal number: write it without zeros or letters in front" },
    { "00", CAROM_DIM_MASS, "'00' is not a decimal number: write it without zeros or letters in front" },
    { "1,5", CAROM_DIM_MASS, "a decimal point is written '.', not ',': got '1,5'" },
    { "1..5", CAROM_DIM_MASS, "expected a mass such as 2 kg, got '1..5'" },
    { ".", CAROM_DIM_MASS, "expected a mass such as 2 kg, got '.'" },
    { "- 5", CAROM_DIM_MASS, "expected a mass such as 2 kg, got '- 5'" },
    { "1 MPA", CAROM_DIM_PRESSURE, "unknown unit 'MPA', did you mean 'MPa'?" },
    { "1 Nm", CAROM_DIM_MASS, "unknown unit 'Nm', did you mean 'N m'?" },
    { "1 m/s m", CAROM_DIM_MASS, "a product behind '/' can be read two ways: write it with brackets, as in N/(m s)" },
    { "1 m^127", CAROM_DIM_MASS, "the power of a unit is a number from 1 to 10 with at most three decimals, as in m^2, s^-1 or m^1.5, got 'm^127'" },
    { "1 m^11", CAROM_DIM_MASS, "the power of a unit is a number from 1 to 10 with at most three decimals, as in m^2, s^-1 or m^1.5, got 'm^11'" },
    { "1 m^10.5", CAROM_DIM_MASS, "the power of a unit is a number from 1 to 10 with at most three decimals, as in m^2, s^-1 or m^1.5, got 'm^10.5'" },
    { "1 m^1.2345", CAROM_DIM_MASS, "the power of a unit is a number from 1 to 10 with at most three decimals, as in m^2, s^-1 or m^1.5, got 'm^1.2345'" },
    { "1 m^2.", CAROM_DIM_MASS, "the power of a unit is a number from 1 to 10 with at most three decimals, as in m^2, s^-1 or m^1.5, got 'm^2.'" },
    { "1 N/m^1.5", CAROM_DIM_STIFFNESS, "expected a stiffness such as 200 N/m, got something in kg m^-0.5 s^-2 ('1 N/m^1.5')" },
    { "1 m\xE2\x81\xB0", CAROM_DIM_MASS, "the power of a unit is a number from 1 to 10 with at most three decimals, as in m^2, s^-1 or m^1.5, got 'm\xE2\x81\xB0'" },
};

static void wrong_quantities_say_what_was_expected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad/sizeof bad[0]; i++) {
        double value = 42;
        char why[400] = "";
        assert_false(carom_modelfile_quantity_parse(bad[i].text, bad[i].dim, NULL, &value, why, sizeof why));
        assert_string_equal(why, bad[i].why);
        assert_true(value == 42);
    }
}

// Each unit by itself, with each prefix, has the dimension and the value that the table says.
static void every_unit_of_the_table_is_read(void **state)
{
    (void)state;
    for (int i = 0; carom_modelfile_unit_info(i); i++) {
        const caromUnit *u = carom_modelfile_unit_info(i);
        char text[40], why[400];
        int found = 0;
        snprintf(text, sizeof text, "1 %s", u->symbol);
        for (int d = 0; d < CAROM_DIM_COUNT; d++) {
            double value;
            // The same as another, or any.
            if (d == CAROM_DIM_TORQUE || d == CAROM_DIM_DRIVEN || d == CAROM_DIM_CONTACT_STIFFNESS) continue;
            if (!carom_modelfile_quantity_parse(text, (caromDimId)d, NULL, &value, why, sizeof why)) continue;
            found++;
            double expected = u->num/u->den*pow(10, u->exponent);
            check_near(value, expected, 4*DBL_EPSILON*expected, text, __FILE__, __LINE__);
        }
        assert_int_equal(found, 1);
        snprintf(text, sizeof text, "1 k%s", u->symbol);
        bool is_read = false;
        for (int d = 0; d < CAROM_DIM_COUNT; d++) {
            double value;
            is_read |= carom_modelfile_quantity_parse(text, (caromDimId)d, NULL, &value, why, sizeof why);
        }
        assert_true(is_read == u->has_prefixes);
    }
}

typedef struct Powered { const char *text; double value; caromDim dim; } Powered;

// Of any dimension, powers with decimals too. 10^x of an x that is rounded is off by ln(10) x eps/2, 8 eps for 6.6;
// factors cost a rounding or two each.
static void quantities_of_any_dimension_are_read(void **state)
{
    (void)state;
    const Powered powered[] = {
        { "5e9 N/m^1.5", 5e9, { -0.5, 1, -2, 0 } },
        { "2 N/mm^1.5", 2*31622.776601683793, { -0.5, 1, -2, 0 } },     // 10^4.5
        { "1e5 N/mm^2.2", 1e5*3981071.7055349725, { -1.2, 1, -2, 0 } }, // 10^6.6
        { "2 N mm^-1.5", 2*31622.776601683793, { -0.5, 1, -2, 0 } },
        { "3 lbf/in^1.5", 3*4.4482216152605/0.004048093872429343, { -0.5, 1, -2, 0 } },
        { "4 m^1.5/m^1.5", 4, { 0, 0, 0, 0 } },
        { "0.3 s/m", 0.3, { -1, 0, 1, 0 } },
        { "1 rpm^1.5", 0.03388776501613646, { 0, 0, -1.5, 1.5 } },
    };
    for (size_t i = 0; i < sizeof powered/sizeof powered[0]; i++) {
        caromQuantity q;
        char why[400] = "";
        assert_true(carom_modelfile_quantity_scan(powered[i].text, CAROM_DIM_DRIVEN, &q, why, sizeof why));
        check_near(q.value, powered[i].value, 12*DBL_EPSILON*powered[i].value, powered[i].text, __FILE__, __LINE__);
        assert_true(q.has_unit && carom_modelfile_dim_equal(q.dim, powered[i].dim));
    }
}

// A locale with a decimal comma must not change anything; skipped where none is installed.
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR" };
    bool is_set = false;
    for (size_t i = 0; !is_set && i < sizeof names/sizeof names[0]; i++) is_set = setlocale(LC_ALL, names[i]) != NULL;
    if (!is_set) skip();
    double value = 0;
    char why[400];
    assert_true(carom_modelfile_quantity_parse("1.5e-3 m", CAROM_DIM_LENGTH, NULL, &value, why, sizeof why));
    setlocale(LC_ALL, "C");
    assert_true(value == 1.5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_become_si_numbers),
        cmocka_unit_test(prefixed_numbers_are_rounded_once),
        cmocka_unit_test(wrong_quantities_say_what_was_expected),
        cmocka_unit_test(every_unit_of_the_table_is_read),
        cmocka_unit_test(quantities_of_any_dimension_are_read),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
