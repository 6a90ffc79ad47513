// The digits go to strtod without a decimal point ("7.85e3" as "785e1"): that makes it independent of the locale, and
// the C library rounds correctly. Short numbers need no library.
#include "base/decimal.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPONENT_MAX 100000

static const char *scan_exponent(const char *s, long *exponent)
{
    if (*s != 'e' && *s != 'E') return s;
    const char *p = s + 1;
    bool is_negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!carom_is_digit(*p)) return s;
    long e = 0;
    for (; carom_is_digit(*p); p++)
        if (e < EXPONENT_MAX) e = 10*e + (*p - '0');
    *exponent += is_negative ? -e : e;
    return p;
}

const char *carom_decimal_scan(const char *s, caromDecimal *d)
{
    *d = (caromDecimal){ .is_negative = *s == '-' };
    if (*s == '-' || *s == '+') s++;
    int ndigit = 0, nkept = 0;
    bool has_point = false;
    for (; carom_is_digit(*s) || (*s == '.' && !has_point); s++) {
        if (*s == '.') {
            has_point = true;
            continue;
        }
        if (++ndigit > CAROM_DECIMAL_DIGITS_MAX) {
            d->is_too_long = true;
            return NULL;
        }
        if (nkept > 0 || *s != '0') d->digits[nkept++] = *s;
        if (has_point) d->exponent--;
    }
    if (ndigit == 0) return NULL;
    if (nkept == 0) d->digits[nkept++] = '0';
    d->digits[nkept] = '\0';
    return scan_exponent(s, &d->exponent);
}

// Up to 15 digits and powers of ten up to 22 are exact as doubles, so that one product or quotient of them is the
// nearest double [Clinger90]; most numbers are like that, and it is ten times as fast.
static bool is_short(const caromDecimal *d, long exponent, double *value)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
                                     1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    long long digits = 0;
    int n = 0;
    for (; d->digits[n] && n < 16; n++) digits = 10*digits + (d->digits[n] - '0');
    if (n > 15 || exponent < -22 || exponent > 22) return false;
    *value = exponent < 0 ? (double)digits/powers[-exponent] : (double)digits*powers[exponent];
    return true;
}

double carom_decimal_magnitude(const caromDecimal *d, long shift)
{
    double value;
    if (is_short(d, d->exponent + shift, &value)) return value;
    char text[CAROM_DECIMAL_DIGITS_MAX + 32];
    snprintf(text, sizeof text, "%se%ld", d->digits, d->exponent + shift);
    return strtod(text, NULL);
}
