#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

static bool reserve(caromText *text, size_t n)
{
    if (text->failed) return false;
    if (n <= text->capacity - text->size) return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity - text->size < n) {
        if (capacity > SIZE_MAX/2) {
            text->failed = true;
            return false;
        }
        capacity *= 2;
    }
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void carom_results_text_bytes(caromText *text, const void *data, size_t n)
{
    if (n == 0 || !reserve(text, n)) return;
    memcpy(text->data + text->size, data, n);
    text->size += n;
}

void carom_results_text_string(caromText *text, const char *string)
{
    carom_results_text_bytes(text, string, strlen(string));
}

void carom_results_text_free(caromText *text)
{
    free(text->data);
    *text = (caromText){ 0 };
}

size_t carom_results_base64(const unsigned char *from, size_t n, char *to)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t m = 0;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        unsigned bits = (unsigned)from[i] << 16 | (left > 1 ? (unsigned)from[i + 1] << 8
                                                            : 0) | (left > 2 ? (unsigned)from[i + 2] : 0);
        to[m++] = digit[bits >> 18];
        to[m++] = digit[bits >> 12 & 63];
        to[m++] = left > 1 ? digit[bits >> 6 & 63] : '=';
        to[m++] = left > 2 ? digit[bits & 63] : '=';
    }
    return m;
}

// Whatever is not part of a C number becomes one '.'. An exponent loses its plus sign and leading zeros.
int carom_results_number_plain(const char *from, char *to)
{
    int n = 0;
    for (const char *c = from; *c; c++) {
        if (strchr("0123456789+-e", *c)) {
            to[n++] = *c;
            if (*c == 'e') {
                if (c[1] == '-') to[n++] = '-';
                c++;
                while (c[1] == '0' && c[2]) c++;
            }
        } else if (n > 0 && to[n - 1] != '.') {
            to[n++] = '.';
        }
    }
    to[n] = '\0';
    return n;
}

int carom_results_number_text(double value, char text[CAROM_NUMBER_MAX])
{
    if (!isfinite(value))
        return snprintf(text, CAROM_NUMBER_MAX, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    if (fabs(value) < 1e9 && value == (double)(int64_t)value && !(value == 0 && signbit(value)))
        return snprintf(text, CAROM_NUMBER_MAX, "%d", (int)value);
    char local[64];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(local, sizeof local, "%.*g", digits, value);
        if (digits == 17 || strtod(local, NULL) == value) break;  // 17 digits always suffice for a double
    }
    return carom_results_number_plain(local, text);
}
