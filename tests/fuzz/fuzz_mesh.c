// Any bytes as a mesh file: libFuzzer's entry, used by mutate.c too.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "modelfile/meshfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern long fuzz_accepted;  // inputs that were meshes
long fuzz_accepted;
const char *fuzz_word(int i);  // for mutate.c

static const char *const words[] = {
    "0", "1", "-1", "2", "3", "4", "8", "-8", "9", "1e400", "1e-400", "1e60", "nan", "inf", "-0", "1e", "0,5", ".",
    "2147483648", "99999999999999999999", "7/1", "7//2",
    "7/1/2", "-1/", "/", "solid", "endsolid", "facet", "normal", "outer", "loop", "vertex", "endloop", "endfacet",
    "VERTEX", "v", "f", "vt", "vn", "o", "\\\n", "\\\r\n",
    "\\", "#", "\r", "\n", "\r\n", "\t", " ", "\xEF\xBB\xBF", "\xFF", "\x01", "\nf 1 2 3\n", "\nf 3 2 1\n",
    "\nv 0 0 0\n", "\nv 1 1 1\n", "\nf -1 -2 -3 -4\n",
    "<vertex x=\"1\" y=\"2\" z=\"3\"/>", "<triangle v1=\"0\" v2=\"1\" v3=\"2\"/>", "objectid=\"1\"", "id=\"1\"", "PK",
    "<component objectid=\"1\"/>", "transform=\"-1 0 0 0 1 0 0 0 1 0 0 0\"", "<item objectid=\"2\"/>", "unit=\"inch\"",
    "</object>", "<object id=\"3\">", "</mesh>", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;",
    "{", "}", "[", "]", ":", ",", "\"", "{\"asset\":{\"version\":\"2.0\"}}", "\"bufferView\":0", "\"sparse\"",
    "\"children\":[0]", "\"mesh\":0", "\"mode\":5", "\"byteStride\":1", "\"count\":1000000", "5120", "5121", "5126",
    "\"scale\":[-1,1,1]", "\"uri\":\"data:;base64,AAAA\"", "\"uri\":\"../x\"", "glTF", "JSON", "BIN",
    "ply\nformat ascii 1.0\n", "format binary_little_endian 1.0\n", "format binary_big_endian 1.0\n", "comment",
    "element vertex 3\n", "element face 1\n", "element tristrips 1\n", "property list uchar int vertex_indices\n",
    "property list char uint8 vertex_index\n", "property float x\n", "property double y\n", "property short z\n",
    "end_header\n", "4294967295",
    "\nfacet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n",
};

const char *fuzz_word(int i)
{
    return i < (int)(sizeof words/sizeof words[0]) ? words[i] : NULL;
}

static void require(bool claim, const char *what)
{
    if (claim) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_counts(const caromMesh *mesh, const caromMeshReport *r)
{
    const caromVec3 *v;
    const int (*t)[3];
    int nv = carom_mesh_vertices(mesh, &v), nt = carom_mesh_triangles(mesh, &t);
    require(nv == r->vertices_read - r->vertices_merged - r->vertices_unused, "vertices are accounted for");
    require(nt == r->triangles_read - r->degenerate_removed - r->duplicates_removed && nt > 0,
            "triangles are accounted for");
    require(r->components > 0 && r->components <= nt && r->components_turned <= r->components &&
            r->triangles_turned < nt, "components are counted");
    for (int i = 0; i < nt; i++)
        for (int k = 0; k < 3; k++)
            require(t[i][k] >= 0 && t[i][k] < nv && t[i][k] != t[i][(k + 1)%3], "triangles have three corners");
    for (int i = 0; i < nv; i++)
        require(carom_is_finite3(v[i]) && v[i].x >= r->low.x && v[i].y >= r->low.y && v[i].z >= r->low.z &&
                v[i].x <= r->high.x && v[i].y <= r->high.y && v[i].z <= r->high.z, "vertices are in the box");
}

static void check_mass(const caromMesh *mesh, const caromMeshReport *r)
{
    caromMassProps m = carom_mesh_mass(mesh, 1.0);
    require(isfinite(m.mass) && carom_is_finite3(m.com) && carom_is_finite3(m.inertia.cx) &&
            carom_is_finite3(m.inertia.cy) && carom_is_finite3(m.inertia.cz), "mass properties are finite");
    require(isfinite(r->area) && r->area >= 0 && m.mass == r->volume, "area and volume are numbers");
    require((m.mass > 0) == (r->is_closed && r->is_oriented), "closed and oriented meshes have a volume, others none");
}

// What was repaired has nothing left to repair.
static void check_again(const caromMesh *mesh, const caromMeshReport *r)
{
    const caromVec3 *v;
    const int (*t)[3];
    caromMeshReport again;
    int nv = carom_mesh_vertices(mesh, &v), nt = carom_mesh_triangles(mesh, &t);
    caromMesh *copy = carom_mesh_create(v, nv, t, nt, &again, NULL);
    require(copy != NULL, "a repaired mesh is a mesh");
    require(again.vertices_merged == 0 && again.vertices_unused == 0 && again.degenerate_removed == 0,
            "a repaired mesh has nothing to remove");
    require(!r->is_oriented || again.triangles_turned == 0, "and nothing to turn");
    carom_mesh_destroy(copy);
}

static char *put(char *to, uint32_t value, int size)
{
    for (int i = 0; i < size; i++) *to++ = (char)(value >> 8*i);
    return to;
}

// XML is the model of a 3MF file: in an archive, with the checksum that no mutation would hit.
static char *archive(const uint8_t *data, size_t *size)
{
    static const char name[] = "3D/3dmodel.model";
    uint32_t n = (uint32_t)*size, length = sizeof name - 1, checksum = carom_crc32(0, data, *size);
    char *bytes = calloc(1, *size + 200), *at = bytes;
    if (!bytes) return NULL;
    for (int is_entry = 0; is_entry < 2; is_entry++) {
        at = put(put(at, is_entry ? 0x02014b50 : 0x04034b50, 4), 20, 2);
        if (is_entry) at = put(at, 20, 2);
        at = put(put(put(put(put(at, 0, 4), 0, 4), checksum, 4), n, 4), n, 4);
        at = put(put(at, length, 2), 0, 2);
        if (is_entry) at = put(put(put(put(put(at, 0, 2), 0, 2), 0, 2), 0, 4), 0, 4);
        memcpy(at, name, length);
        at += length;
        if (!is_entry) memcpy(at, data, *size), at += *size;
    }
    char *end = at;
    uint32_t start = 30 + length + n;
    at = put(put(put(put(put(end, 0x06054b50, 4), 0, 4), 1, 2), 1, 2), 46 + length, 4);
    at = put(put(at, start, 4), 0, 2);
    *size = (size_t)(at - bytes);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool is_xml = size > 0 && data[0] == '<';
    char *bytes = is_xml ? archive(data, &size) : malloc(size + 1);
    if (!bytes) return 0;
    if (!is_xml) memcpy(bytes, data, size);
    bytes[size] = '\0';
    caromError err = { 0 };
    caromMeshReport report;
    caromMesh *mesh = carom_meshfile_parse(bytes, size, "fuzz", 0.001, &report, &err);
    require(mesh || (err.status < 0 && err.where[0] && err.message[0]), "a failure says where and why");
    if (mesh) {
        check_counts(mesh, &report);
        check_mass(mesh, &report);
        check_again(mesh, &report);
    }
    fuzz_accepted += mesh != NULL;
    carom_mesh_destroy(mesh);
    free(bytes);
    return 0;
}
