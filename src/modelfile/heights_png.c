// Heights of PNG pictures in grey, of 1 to 16 bits, by libpng. Colours are refused: which of them would be the height?
#include <png.h>

#include <string.h>

#include "base/base.h"
#include "modelfile/heights.h"

typedef struct Picture {
    caromMeshDraft *file;
    size_t at;              // bytes that have been read
    caromHeights *heights;
    png_structp png;
    png_infop info;
    png_bytep pixels;       // row by row
    png_bytepp rows;
    char problem[128];      // in libpng's words; empty: told already
} Picture;

static void note_error(png_structp png, png_const_charp message)
{
    Picture *p = png_get_error_ptr(png);
    strncpy(p->problem, message, sizeof p->problem - 1);
    png_longjmp(png, 1);
}

static void pass_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void give_bytes(png_structp png, png_bytep to, size_t n)
{
    Picture *p = png_get_io_ptr(png);
    if (n > p->file->length - p->at) png_error(png, "the file ends here: it was cut off");
    memcpy(to, p->file->bytes + p->at, n);
    p->at += n;
}

// Of 1, 2 and 4 bits 8 are made, so that a row has one or two bytes to a pixel; the greater first.
static bool prepare(Picture *p)
{
    png_read_info(p->png, p->info);
    int kind = png_get_color_type(p->png, p->info);
    if (kind != PNG_COLOR_TYPE_GRAY && kind != PNG_COLOR_TYPE_GRAY_ALPHA)
        return carom_meshfile_fail_byte(p->file, p->at, "has colours, expected a picture in grey, best of 16 bits: "
                                        "'convert in.png -colorspace gray -depth 16 out.png' makes one");
    png_set_expand_gray_1_2_4_to_8(p->png);
    png_set_strip_alpha(p->png);
    png_set_interlace_handling(p->png);
    png_read_update_info(p->png, p->info);
    return carom_modelfile_heights_make(p->file, (int64_t)png_get_image_width(p->png, p->info),
                                        (int64_t)png_get_image_height(p->png, p->info), p->heights);
}

static bool read_pixels(Picture *p)
{
    size_t row = png_get_rowbytes(p->png, p->info);
    p->pixels = carom_alloc_array((size_t)p->heights->ny, row);
    p->rows = carom_alloc_array((size_t)p->heights->ny, sizeof *p->rows);
    if (!p->pixels || !p->rows) {
        carom_fail(p->file->err, CAROM_ERR_MEMORY, p->file->name, "out of memory for %d x %d heights", p->heights->nx,
                   p->heights->ny);
        return false;
    }
    for (int i = 0; i < p->heights->ny; i++) p->rows[i] = p->pixels + (size_t)i*row;
    png_read_image(p->png, p->rows);
    return true;
}

static void keep(Picture *p)
{
    bool is_wide = png_get_bit_depth(p->png, p->info) == 16;
    double *h = p->heights->h;
    for (int row = 0; row < p->heights->ny; row++)
        for (int i = 0; i < p->heights->nx; i++) {
            const png_byte *b = p->rows[row] + (ptrdiff_t)i*(is_wide ? 2 : 1);
            *h++ = is_wide ? (256.0*b[0] + b[1])/65535.0 : b[0]/255.0;
        }
}

// libpng comes back here when it cannot go on. What changes in between is behind the pointer.
static bool decode(Picture *p)
{
    if (setjmp(png_jmpbuf(p->png))) return false;
    png_set_read_fn(p->png, p, give_bytes);
    png_set_user_limits(p->png, CAROM_MESH_HEIGHTS_MAX, CAROM_MESH_HEIGHTS_MAX);
    if (!prepare(p) || !read_pixels(p)) return false;
    keep(p);
    return true;
}

static bool read(caromMeshDraft *file, caromHeights *heights)
{
    Picture p = { .file = file, .heights = heights };
    p.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &p, note_error, pass_warning);
    p.info = p.png ? png_create_info_struct(p.png) : NULL;
    bool is_good = p.info && decode(&p);
    if (!p.info) carom_fail(file->err, CAROM_ERR_MEMORY, file->name, "out of memory");
    if (p.problem[0]) carom_meshfile_fail_byte(file, p.at, "is a damaged PNG file: %s", p.problem);
    png_destroy_read_struct(&p.png, &p.info, NULL);
    free(p.pixels);
    free(p.rows);
    return is_good;
}

static bool is_mine(const caromMeshDraft *file)
{
    return file->length >= 8 && memcmp(file->bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

const caromHeightsReader carom_modelfile_heights_png = { is_mine, read };
