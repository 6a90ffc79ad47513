// OBJ: vertices (v) and faces (f); everything else is passed over. Faces may come before their vertices, so indices
// are checked at the end.
#include "modelfile/meshfile.h"

typedef struct ObjFace {
    int corners, first, last;
    int line;
} ObjFace;

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

// A fan around the first corner.
static bool add_corner(caromMeshDraft *draft, ObjFace *face, int index)
{
    if (face->corners == 0) face->first = index;
    if (face->corners >= 2 && !carom_meshfile_add_triangle(draft, face->first, face->last, index, face->line))
        return false;
    face->last = index;
    face->corners++;
    return true;
}

static bool read_face(caromMeshDraft *draft, caromWords *words)
{
    ObjFace face = { .line = words->line };
    for (;;) {
        int index = 0;
        caromWord word = carom_meshfile_word_in_line(words);
        if (word.length == 0) break;
        if (!read_index(draft, word, &index) || !add_corner(draft, &face, index)) return false;
    }
    return face.corners >= 3 || carom_meshfile_fail_line(draft, face.line,
                                                         "this face has %d corners, expected 3 or more", face.corners);
}

static bool read_vertex(caromMeshDraft *draft, caromWords *words)
{
    caromVec3 p;
    return carom_meshfile_words_point(draft, words, carom_meshfile_word_in_line, &p) &&
           carom_meshfile_add_vertex(draft, p);
}

static bool check_indices(caromMeshDraft *draft)
{
    for (int t = 0; t < draft->ntriangle; t++)
        for (int k = 0; k < 3; k++)
            if (draft->triangles[t][k] >= draft->nvertex)
                return carom_meshfile_fail_line(draft, draft->lines[t], "this face has vertex %lld, but the file has "
                                                "only %d", (long long)draft->triangles[t][k] + 1, draft->nvertex);
    return true;
}

static caromVec3 twice_area(const caromMeshDraft *draft, int t)
{
    const int *v = draft->triangles[t];
    caromVec3 a = draft->vertices[v[0]];
    return carom_cross(carom_sub(draft->vertices[v[1]], a), carom_sub(draft->vertices[v[2]], a));
}

// The triangles of a fan must lie on the same side as all of the face; in a face that is not convex some
// would be outside of it, the other way round. Slightly so is rounding: below 1e-6 of the area, as files
// often have seven digits.
static bool check_fan(caromMeshDraft *draft, int first, int end)
{
    caromVec3 sum = { 0, 0, 0 };
    for (int t = first; t < end; t++) sum = carom_add(sum, twice_area(draft, t));
    double size = carom_norm2(sum);
    for (int t = first; t < end; t++)
        if (carom_dot(sum, twice_area(draft, t)) < -1e-6*size)
            return carom_meshfile_fail_line(draft, draft->lines[t], "this face of %d corners is not convex: "
                                            "export the mesh as triangles", end - first + 2);
    return true;
}

static bool check_fans(caromMeshDraft *draft)
{
    for (int t = 0, end; t < draft->ntriangle; t = end) {
        end = t + 1;
        while (end < draft->ntriangle && draft->lines[end] == draft->lines[t]) end++;
        if (end > t + 1 && !check_fan(draft, t, end)) return false;
    }
    return true;
}

bool carom_meshfile_obj(caromMeshDraft *draft)
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
        return carom_meshfile_fail_line(draft, 1, "there is nothing in this file: expected a mesh, as STL or OBJ");
    if (!is_obj)
        return carom_meshfile_fail_line(draft, first.line, "is neither STL nor OBJ: expected 'solid', or lines that "
                                        "start with v and f, found %s", carom_meshfile_word_text(first).text);
    if (draft->ntriangle == 0)
        return carom_meshfile_fail_line(draft, words.line, "this OBJ file has %d vertices but no faces (lines that "
                                        "start with f)", draft->nvertex);
    return check_indices(draft) && check_fans(draft);
}
