// OBJ: vertices (v) and faces (f); everything else is passed over. Faces may come before their vertices, so indices
// are checked at the end.
#include "modelfile/meshfile.h"
#include "modelfile/modelfile.h"

// "7", "7/1", "7//3", "-1/2/3": the number in front; texture and normal are passed over.
static bool read_index(caromMeshDraft *draft, caromWord word, int *index)
{
    const char *c = word.start, *end = word.start + word.length;
    bool is_negative = *c == '-';
    int64_t n = 0;
    if (*c == '-' || *c == '+') c++;
    const char *digits = c;
    for (; c < end && *c >= '0' && *c <= '9'; c++)
        if (n <= INT32_MAX) n = 10*n + (*c - '0');
    if (c == digits || (c < end && *c != '/'))
        return carom_meshfile_fail_line(draft, word.line, "expected a vertex of a face such as 7, "
                                        "7/1 or 7/1/3, found %s", carom_meshfile_word_text(word).text);
    if (n == 0)
        return carom_meshfile_fail_line(draft, word.line, "vertex 0 does not exist: they are counted from 1, "
                                        "and from -1 backwards");
    if (is_negative && n > draft->nvertex)
        return carom_meshfile_fail_line(draft, word.line, "vertex -%lld does not exist: there are %d before this line",
                                        (long long)n, draft->nvertex);
    *index = is_negative ? draft->nvertex - (int)n : n > INT32_MAX ? INT32_MAX : (int)(n - 1);
    return true;
}

static bool read_face(caromMeshDraft *draft, caromWords *words)
{
    caromMeshFace face = { .number = words->line };
    for (;;) {
        int index = 0;
        caromWord word = carom_meshfile_word_in_line(words);
        if (word.length == 0) break;
        if (!read_index(draft, word, &index) || !carom_meshfile_face_corner(draft, &face, index)) return false;
    }
    return carom_meshfile_face_end(draft, &face);
}

static bool read_vertex(caromMeshDraft *draft, caromWords *words)
{
    caromVec3 p;
    return carom_meshfile_words_point(draft, words, carom_meshfile_word_in_line, &p) &&
           carom_meshfile_add_vertex(draft, p);
}

static bool read(caromMeshDraft *draft)
{
    caromWords words = carom_meshfile_words_of(draft);
    caromWord first = { 0 };
    bool is_obj = false;
    while (words.at < words.end) {
        caromWord word = carom_meshfile_word_in_line(&words);
        bool is_vertex = carom_meshfile_word_is(word, "v"), is_face = carom_meshfile_word_is(word, "f");
        if (first.length == 0) first = word;
        if ((is_vertex && !read_vertex(draft, &words)) || (is_face && !read_face(draft, &words))) return false;
        is_obj = is_obj || is_vertex || is_face;
        carom_meshfile_words_skip_line(&words);
    }
    if (!is_obj && first.length == 0)
        return carom_meshfile_fail_line(draft, 1, "there is nothing in this file: expected a mesh, as "
                                        CAROM_MESH_FORMATS);
    if (!is_obj)
        return carom_meshfile_fail_line(draft, first.line, "is not " CAROM_MESH_FORMATS ": expected 'solid', 'ply', or "
                                        "lines that start with v and f, found %s",
                                        carom_meshfile_word_text(first).text);
    if (draft->ntriangle == 0)
        return carom_meshfile_fail_line(draft, words.line, "this OBJ file has %d vertices but no faces (lines that "
                                        "start with f)", draft->nvertex);
    return carom_meshfile_faces_check(draft, 1);
}

static bool is_mine(const caromMeshDraft *draft)
{
    return carom_meshfile_is_text(draft);
}

const caromMeshReader carom_meshfile_reader_obj = { is_mine, NULL, read };
