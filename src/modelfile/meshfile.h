// What the readers of mesh files share.
//
//     bytes --meshfile.c: table of readers--> meshfile_KIND.c (by meshfile_words.c, meshfile_faces.c) --> draft
//       --> carom_mesh_create
#ifndef CAROM_SRC_MESHFILE_H
#define CAROM_SRC_MESHFILE_H

#include "carom/mesh.h"

typedef struct caromMeshDraft {
    const char *name;       // of the file, for messages
    const char *bytes;      // bytes[length] is 0
    size_t length;
    double scale;
    double unit;            // metres, if the file says so: the reader has multiplied by it; 0: it does not say
    caromVec3 *vertices;
    int (*triangles)[3];
    int *lines;             // of the triangles: where their face is, to name it (face.number)
    bool counts_faces;      // lines are numbers of faces from 1, as there are no lines
    int nvertex, vertex_capacity, ntriangle, triangle_capacity;
    size_t bytes_ignored;
    const char *path;       // of the file, to find others that it names; NULL: no other file is opened
    bool has_other_files;   // and its mesh is not this file's alone
    caromError *err;
} caromMeshDraft;

// Mesh of a file in memory.
caromMesh *carom_meshfile_parse(const char *bytes, size_t length, const char *name, double scale,
                                caromMeshReport *report, caromError *err);

// One row per kind of file: meshfile_KIND.c.
typedef struct caromMeshReader {
    // By its start, CAROM_MESHFILE_START bytes at most, and its length.
    bool (*is_mine)(const caromMeshDraft *draft);
    // The same file, by draft->length and its start in draft->bytes, before it is in memory: false if it cannot be a
    // mesh; NULL: there is nothing to look for.
    bool (*look)(caromMeshDraft *draft, int file);
    bool (*read)(caromMeshDraft *draft);  // false: failed, and said so in draft->err
} caromMeshReader;
extern const caromMeshReader carom_meshfile_reader_stl_sized, carom_meshfile_reader_stl_binary,
    carom_meshfile_reader_stl_text, carom_meshfile_reader_obj, carom_meshfile_reader_ply, carom_meshfile_reader_glb,
    carom_meshfile_reader_gltf, carom_meshfile_reader_3mf;
enum { CAROM_MESHFILE_START = 4096 };  // bytes that tell text from binary
bool carom_meshfile_is_text(const caromMeshDraft *draft);  // by its start: numbers of other files have zeros there

// All false: failed, and said so in draft->err.
bool carom_meshfile_add_vertex(caromMeshDraft *draft, caromVec3 p);  // in metres; only memory can fail
bool carom_meshfile_add_triangle(caromMeshDraft *draft, int a, int b, int c, int line);
bool carom_meshfile_fail_line(caromMeshDraft *draft, int line, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
bool carom_meshfile_fail_byte(caromMeshDraft *draft, size_t byte, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
// Behind the name of the file: ", 3D/3dmodel.model:12".
bool carom_meshfile_fail_place(caromMeshDraft *draft, const char *place, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));
// "part.glb, accessors[3]"
bool carom_meshfile_fail_item(caromMeshDraft *draft, const char *list, int item, const char *format,
                              ...) __attribute__((format(printf, 4, 5)));
bool carom_meshfile_fail_face(caromMeshDraft *draft, int number, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
bool carom_meshfile_is_near(caromVec3 p);  // finite, and within CAROM_MESH_SIZE_MAX

// ---- meshfile_faces.c: polygons, as fans around their first corner

typedef struct caromMeshFace {
    int corners, first, last;
    int number;             // of its line, or of the face
} caromMeshFace;
bool carom_meshfile_face_corner(caromMeshDraft *draft, caromMeshFace *face, int index);
bool carom_meshfile_face_end(caromMeshDraft *draft, const caromMeshFace *face);
// When all is read: indices are those of vertices, counted from base in the file, and no fan leaves its face.
bool carom_meshfile_faces_check(caromMeshDraft *draft, int base);

// ---- meshfile_words.c: text as words. Lines end with LF, CR LF or CR.

typedef struct caromWords {
    const char *at, *end;
    int line;
} caromWords;

typedef struct caromWord {
    const char *start;
    size_t length;  // 0: there is none
    int line;
} caromWord;

caromWords carom_meshfile_words_of(const caromMeshDraft *draft);       // without a byte order mark
// Wherever it is; # starts a comment to the end of the line.
caromWord carom_meshfile_word_next(caromWords *words);
caromWord carom_meshfile_word_in_line(caromWords *words);              // none at the end of the line, which \ continues
void carom_meshfile_words_skip_line(caromWords *words);                // to the start of the next one
bool carom_meshfile_word_is(caromWord word, const char *lower_case);   // in upper or lower case
// Three numbers, each by next(), times the scale.
bool carom_meshfile_words_point(caromMeshDraft *draft, caromWords *words, caromWord (*next)(caromWords *words),
                                caromVec3 *p);
bool carom_meshfile_word_number(caromWord word, double *value);       // false: it is no finite number
typedef struct caromWordText { char text[224]; } caromWordText;
caromWordText carom_meshfile_word_text(caromWord word);                // "'0,5'" or "the end"

#endif
