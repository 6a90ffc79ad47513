#include <string.h>

#include "base/base.h"
#include "results/reader.h"

// RFC 4180: quotes around a field that has a comma, a quote or a line end in it.
static void put_field(caromOutput *out, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        carom_output_bytes(out, field, strlen(field));
        return;
    }
    carom_output_bytes(out, "\"", 1);
    for (; *field; field++) {
        if (*field == '"') carom_output_bytes(out, "\"", 1);
        carom_output_bytes(out, field, 1);
    }
    carom_output_bytes(out, "\"", 1);
}

static bool put_names(caromOutput *out, const caromColumn *columns, int ncolumn)
{
    caromText field = { 0 };
    for (int i = 0; i < ncolumn; i++) {
        caromColumn column = columns[i];
        field.size = 0;
        carom_results_text_string(&field, column.name);
        if (column.unit[0]) {
            carom_results_text_string(&field, " [");
            carom_results_text_string(&field, column.unit);
            carom_results_text_string(&field, "]");
        }
        carom_results_text_bytes(&field, "", 1);
        if (field.failed) break;
        if (i) carom_output_bytes(out, ",", 1);
        put_field(out, field.data);
    }
    bool good = !field.failed;
    if (good) carom_output_bytes(out, "\n", 1);
    carom_results_text_free(&field);
    return good;
}

static void put_row(caromOutput *out, const double *row, int ncolumn)
{
    char number[CAROM_NUMBER_MAX];
    for (int i = 0; i < ncolumn; i++) {
        if (i) carom_output_bytes(out, ",", 1);
        carom_output_bytes(out, number, (size_t)carom_results_number_text(row[i], number));
    }
    carom_output_bytes(out, "\n", 1);
}

caromStatus carom_results_csv(const caromResults *results, const char *path, caromError *err)
{
    caromOutput out;
    caromStatus status = carom_output_open(&out, path, err);
    if (status != CAROM_OK) return status;
    int ncolumn;
    const caromColumn *columns = carom_results_columns(results, &ncolumn);
    bool has_memory = put_names(&out, columns, ncolumn);
    for (int64_t i = 0; has_memory && i < carom_results_row_count(results) && out.error.status == CAROM_OK; i++)
        put_row(&out, carom_results_row(results, i), ncolumn);
    status = carom_output_close(&out, err);
    return has_memory ? status : carom_fail(err, CAROM_ERR_MEMORY, path, "out of memory");
}

// ---- as it is read

static caromStatus table_names(void *user, const caromContent *content, caromError *err)
{
    caromOutput *out = user;
    bool has_memory = put_names(out, content->columns, content->ncolumn);
    return has_memory ? CAROM_OK : carom_fail(err, CAROM_ERR_MEMORY, out->path, "out of memory");
}

static caromStatus table_row(void *user, const caromContent *content, caromError *err)
{
    caromOutput *out = user;
    put_row(out, content->row, content->ncolumn);
    if (out->error.status != CAROM_OK && err) *err = out->error;
    return out->error.status;
}

caromStatus carom_results_csv_of(const char *results_path, const caromResultsSurvey *survey, const char *path,
                                 caromError *err)
{
    caromOutput out;
    caromStatus status = carom_output_open(&out, path, err);
    if (status != CAROM_OK) return status;
    caromScanSink sink = { .user = &out, .head = table_names, .row = table_row };
    status = carom_results_scan(results_path, survey->good_bytes, &sink, NULL, err);
    caromStatus closed = carom_output_close(&out, status == CAROM_OK ? err : NULL);
    return status != CAROM_OK ? status : closed;
}
