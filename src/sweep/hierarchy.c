#include "sweep/hierarchy.h"

static const double pi = CAROM_PI;

// ---- a ring: arc k of 2^level has the number 2^level + k

static void ring_piece(const caromShape *torus, int id, caromPiece *piece)
{
    int level = 0;
    while (id >> (level + 1) > 0) level++;
    double R = torus->size.x, tube = torus->size.y, half = pi/(double)(1 << level);
    piece->is_leaf = level == CAROM_RING_DEPTH;
    if (level < 2) {  // the whole, or half of it: the disc will do
        piece->shape = *torus;
        piece->core = (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = tube, .r0 = R, .r1 = R };
        piece->size = level == 0 ? R : 0.99*R;
        return;
    }
    // Between its chord and its highest point: within half of that height about the line half way. Grown by
    // roundings of the ring.
    double middle = (2.0*(id - (1 << level)) + 1.0)*half, rise = 2.0*R*pow(sin(0.5*half), 2),
           grown = carom_narrow_roundings(0.1*R);
    double length = R*sin(half);
    caromVec3 out = carom_vec(cos(middle), sin(middle), 0), along = carom_vec(-out.y, out.x, 0);
    piece->shape = carom_shape_capsule(tube + 0.5*rise + grown, 2.0*length);
    piece->core = carom_shape_core(&piece->shape);
    piece->X_SP = carom_pose(carom_mat(carom_vec(0, 0, 1), out, along), carom_scale(R - 0.5*rise, out));
    piece->size = length;
}

// ---- a mesh: nodes, and -1 - place for triangles

static void triangle_piece(const caromMesh *mesh, int place, caromPiece *piece)
{
    piece->corners = mesh->tree.corners[place];
    piece->vertices = mesh->tree.vertices[place];
    piece->is_leaf = true;
    carom_triangle_shape(piece->corners, &piece->triangle);
    piece->shape = piece->triangle.shape;
    piece->core = (caromCore){ .kind = CAROM_CORE_HULL, .hull = &piece->triangle.hull };
}

static void node_piece(const caromMeshNode *node, caromPiece *piece)
{
    piece->shape = carom_shape_box(2.0*node->half.x, 2.0*node->half.y, 2.0*node->half.z);
    piece->core = (caromCore){ .kind = CAROM_CORE_BOX, .h = node->half };
    piece->X_SP = carom_pose(node->axes, node->centre);
    piece->size = node->half.x;
}

// ---- any shape

int carom_sweep_piece_root(const caromShape *shape)
{
    return shape->kind == CAROM_TORUS ? 1 : 0;
}

void carom_sweep_piece(const caromShape *shape, int id, caromPiece *piece)
{
    piece->X_SP = carom_pose_identity();
    piece->size = 0.0;
    piece->is_leaf = false;
    piece->corners = NULL;
    piece->vertices = NULL;
    if (shape->kind == CAROM_TORUS) ring_piece(shape, id, piece);
    else if (shape->kind == CAROM_MESH && id < 0) triangle_piece(shape->mesh, -1 - id, piece);
    else if (shape->kind == CAROM_MESH) node_piece(&shape->mesh->tree.nodes[id], piece);
    else {
        piece->shape = *shape;
        piece->core = carom_shape_core(shape);
        piece->is_leaf = true;
    }
}

int carom_sweep_piece_children(const caromShape *shape, int id, int children[CAROM_PIECES_MAX])
{
    if (shape->kind == CAROM_TORUS) {
        children[0] = 2*id, children[1] = 2*id + 1;
        return 2;
    }
    const caromMeshNode *node = &shape->mesh->tree.nodes[id];
    int n = node->count > 0 ? node->count : 2;
    for (int k = 0; k < n; k++) children[k] = node->count > 0 ? -1 - (node->first + k) : node->first + k;
    return n;
}

caromVec3 carom_sweep_piece_middle(const caromPiece *piece)
{
    const caromCore *c = &piece->core;
    if (piece->corners)
        return carom_scale(1.0/3.0, carom_add(piece->corners[0], carom_add(piece->corners[1], piece->corners[2])));
    caromVec3 middle = c->kind == CAROM_CORE_HULL ? c->hull->solid.com : carom_vec(0, 0, c->kind == CAROM_CORE_FRUSTUM
                                                                                       ? 0.5*(c->z0 + c->z1) : 0.0);
    return carom_pose_point(piece->X_SP, middle);
}
