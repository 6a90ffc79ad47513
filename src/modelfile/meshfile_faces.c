// Faces of any number of corners become triangles.
#include "modelfile/meshfile.h"

// A fan around the first corner.
bool carom_meshfile_face_corner(caromMeshDraft *draft, caromMeshFace *face, int index)
{
    if (face->corners == 0) face->first = index;
    if (face->corners >= 2 &&
        !carom_meshfile_add_triangle(draft, face->first, face->last, index, face->number)) return false;
    face->last = index;
    face->corners++;
    return true;
}

bool carom_meshfile_face_end(caromMeshDraft *draft, const caromMeshFace *face)
{
    return face->corners >= 3 || carom_meshfile_fail_face(draft, face->number, "this face has %d corners, "
                                                          "expected 3 or more", face->corners);
}

static bool check_indices(caromMeshDraft *draft, int base)
{
    for (int t = 0; t < draft->ntriangle; t++)
        for (int k = 0; k < 3; k++)
            if (draft->triangles[t][k] >= draft->nvertex)
                return carom_meshfile_fail_face(draft, draft->lines[t], "this face has vertex %lld, but the file has "
                                                "only %d%s", (long long)draft->triangles[t][k] + base, draft->nvertex,
                                                base == 0 ? ", counted from 0" : "");
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
            return carom_meshfile_fail_face(draft, draft->lines[t], "this face of %d corners is not convex: "
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

bool carom_meshfile_faces_check(caromMeshDraft *draft, int base)
{
    return check_indices(draft, base) && check_fans(draft);
}
