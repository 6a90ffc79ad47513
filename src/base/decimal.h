// Decimal numbers in text, the same in every locale.
#ifndef CAROM_SRC_DECIMAL_H
#define CAROM_SRC_DECIMAL_H

#include <stdbool.h>

#define CAROM_DECIMAL_DIGITS_MAX 64

typedef struct caromDecimal {
    char digits[CAROM_DECIMAL_DIGITS_MAX + 1];  // without point, zeros in front dropped
    bool is_negative, is_too_long;
    long exponent;
} caromDecimal;

static inline bool carom_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent. Returns the end of it; NULL when it
// is no number or has more digits than CAROM_DECIMAL_DIGITS_MAX (is_too_long).
const char *carom_decimal_scan(const char *s, caromDecimal *decimal);

// The double nearest to |decimal| 10^shift: 0 when it is too small, infinite when it is too large.
double carom_decimal_magnitude(const caromDecimal *decimal, long shift);

#endif
