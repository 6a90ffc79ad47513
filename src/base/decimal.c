// The digits go to strtod without a decimal point ("7.85e3" as "785e1"): that makes it independent of the locale, and the C
// library rounds correctly.
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

double carom_decimal_magnitude(const caromDecimal *d, long shift)
{
    char text[CAROM_DECIMAL_DIGITS_MAX + 32];
    snprintf(text, sizeof text, "%se%ld", d->digits, d->exponent + shift);
    return strtod(text, NULL);
}
