// The viewer's page with a results file in it, as base64: all of it, or as much as a browser takes.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "results/reader.h"

#define CHUNK ((size_t)3*16384)  // a multiple of 3, so that only the last chunk needs padding

typedef struct Page {
    caromOutput out;
    unsigned char *bytes;  // [CHUNK], not encoded yet
    char *text;            // [CHUNK/3*4]
    size_t used;
    caromText frame;       // of our own
    const caromResultsSurvey *survey;
    int64_t every, row, event;
} Page;

static void encode(Page *page)
{
    carom_output_bytes(&page->out, page->text, carom_results_base64(page->bytes, page->used, page->text));
    page->used = 0;
}

static void put(Page *page, const void *data, size_t n)
{
    const unsigned char *from = data;
    while (n > 0) {
        size_t m = n < CHUNK - page->used ? n : CHUNK - page->used;
        memcpy(page->bytes + page->used, from, m);
        page->used += m;
        from += m;
        n -= m;
        if (page->used == CHUNK) encode(page);
    }
}

// ---- which frames

// Of a file of that size; each level halves samples and events.
int64_t carom_results_page_every(const caromResultsSurvey *survey)
{
    int64_t every = 1;
    while (survey->good_bytes/(uint64_t)every > CAROM_PAGE_BYTES) every *= 2;
    return every;
}

// The first and the last sample in any case. Patches hold from one sample to the next, and are left out with them.
static bool is_kept(Page *page, caromFrameKind kind)
{
    if (page->every == 1) return true;
    switch (kind) {
    case CAROM_FRAME_SAMP: {
        int64_t row = page->row++;
        return row % page->every == 0 || row == page->survey->nrow - 1;
    }
    case CAROM_FRAME_EVNT: return page->event++ % page->every == 0;
    case CAROM_FRAME_PTCH: return false;
    case CAROM_FRAME_HEAD:
    case CAROM_FRAME_DONE:
    case CAROM_FRAME_THIN:
    case CAROM_FRAME_PAIR:
    case CAROM_FRAME_KINDS: break;
    }
    return true;
}

// What the page lacks: behind the head.
static bool put_thinning(Page *page)
{
    page->frame.size = 0;
    carom_json_begin(&page->frame, '{');
    carom_json_key(&page->frame, "page");
    carom_json_begin(&page->frame, '{');
    carom_results_member_integer(&page->frame, "every", page->every);
    carom_results_member_integer(&page->frame, "samples", page->survey->nrow);
    carom_results_member_integer(&page->frame, "events", page->survey->nevent);
    carom_json_finish(&page->frame, '}');
    carom_json_finish(&page->frame, '}');
    unsigned char around[CAROM_FRAME_AROUND];
    if (page->frame.failed) return false;
    carom_results_frame_around(CAROM_FRAME_THIN, &page->frame, around);
    put(page, around, 8);
    put(page, page->frame.data, page->frame.size);
    put(page, around + 8, 4);
    return true;
}

static caromStatus page_frame(void *user, const caromFrame *frame, caromError *err)
{
    Page *page = user;
    if (is_kept(page, frame->kind)) put(page, frame->payload - 8, frame->size + CAROM_FRAME_AROUND);
    if (frame->kind == CAROM_FRAME_HEAD && page->every > 1 && !put_thinning(page))
        return carom_fail(err, CAROM_ERR_MEMORY, page->out.path, "out of memory");
    if (page->out.error.status != CAROM_OK && err) *err = page->out.error;
    return page->out.error.status;
}

// ---- the page around them

static caromStatus put_results(Page *page, const char *path, caromError *err)
{
    caromScanSink sink = { .user = page, .frame = page_frame };
    caromResultsSurvey now;
    put(page, CAROM_RESULTS_MAGIC, CAROM_RESULTS_MAGIC_BYTES);
    caromStatus status = carom_results_scan(path, page->survey->good_bytes, &sink, &now, err);
    encode(page);
    if (status == CAROM_OK && now.good_bytes != page->survey->good_bytes)
        return carom_fail(err, CAROM_ERR_FILE, path, "became shorter while it was read");
    return status;
}

static const unsigned char *find_token(void)
{
    const size_t n = strlen(CAROM_PAGE_TOKEN);
    for (size_t i = 0; i + n <= carom_page_template_size; i++)
        if (memcmp(carom_page_template + i, CAROM_PAGE_TOKEN, n) == 0) return carom_page_template + i;
    return NULL;
}

static caromStatus write_page(Page *page, const char *results_path, const char *page_path, caromError *err)
{
    const unsigned char *token = find_token();
    if (!token) return carom_fail(err, CAROM_ERR_FILE, page_path, "the viewer's template has no place for results");
    const unsigned char *rest = token + strlen(CAROM_PAGE_TOKEN);
    caromStatus status = carom_output_open(&page->out, page_path, err);
    if (status != CAROM_OK) return status;
    carom_output_bytes(&page->out, carom_page_template, (size_t)(token - carom_page_template));
    status = put_results(page, results_path, err);
    carom_output_bytes(&page->out, rest, (size_t)(carom_page_template + carom_page_template_size - rest));
    bool is_ours = page->out.error.status != CAROM_OK || status == CAROM_OK;
    caromStatus closed = carom_output_close(&page->out, is_ours ? err : NULL);
    return status != CAROM_OK ? status : closed;
}

caromStatus carom_results_page_thinned(const char *results_path, const caromResultsSurvey *survey, int64_t every,
                                       const char *page_path, caromError *err)
{
    Page page = { .bytes = malloc(CHUNK), .text = malloc(CHUNK/3*4), .survey = survey, .every = every };
    caromStatus status = page.bytes && page.text ? write_page(&page, results_path, page_path, err)
                                                 : carom_fail(err, CAROM_ERR_MEMORY, page_path, "out of memory");
    free(page.bytes);
    free(page.text);
    carom_results_text_free(&page.frame);
    return status;
}

caromStatus carom_results_page_of(const char *results_path, const caromResultsSurvey *survey, const char *page_path,
                                  caromError *err)
{
    return carom_results_page_thinned(results_path, survey, carom_results_page_every(survey), page_path, err);
}

// A page of something else would only be blank.
caromStatus carom_results_page(const char *results_path, const char *page_path, caromError *err)
{
    caromResultsSurvey survey;
    caromStatus status = carom_results_survey(results_path, &survey, err);
    return status == CAROM_OK ? carom_results_page_of(results_path, &survey, page_path, err) : status;
}
