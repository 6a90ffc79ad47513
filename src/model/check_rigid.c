// What only the rigid response reads, and what it cannot have. What it has no use for (stiffness, damping, laws of
// one's own) is passed over: one file runs with both responses.
#include <math.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "model/check.h"

void carom_model_check_impacts(caromProblems *problems, const caromSettings *s)
{
    if ((unsigned)s->response >= CAROM_RESPONSE_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.response"), "unknown response %d",
                                (int)s->response);
    if ((unsigned)s->impact_law >= CAROM_IMPACT_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.impact_law"), "unknown impact law %d",
                                (int)s->impact_law);
    if ((unsigned)s->impacts >= CAROM_IMPACTS_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.impacts"), "unknown scheme %d for impacts",
                                (int)s->impacts);
    if ((unsigned)s->jam >= CAROM_JAM_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.jam"), "unknown way %d out of a jam",
                                (int)s->jam);
    if ((unsigned)s->landing >= CAROM_LANDING_KINDS)
        carom_model_check_error(problems, carom_model_path_of("contact.landing"), "unknown way %d to land",
                                (int)s->landing);
    carom_model_check_range(problems, carom_model_path_of("contact.impact_exponent"), "impact exponent",
                            s->impact_exponent, 1, 3);
}

void carom_model_check_impact_law(caromProblems *problems, int k, caromImpactLaw law)
{
    if ((unsigned)law > CAROM_IMPACT_KINDS)
        carom_model_check_error(problems, carom_model_path_of("pairs.%d.impact_law", k), "unknown impact law %d",
                                (int)law);
}

// What is inside a surface tells which way is out. An open one has no inside: it takes what touches in the one point
// where it is nearest, on whichever side that is, and half-spaces, whose inside is enough for two.
static bool is_open(const caromModelShape *s)
{
    return s->shape.kind == CAROM_MESH && !carom_mesh_is_solid(s->shape.mesh);
}

static bool touches_open(caromShapeKind kind)
{
    return kind == CAROM_HALF_SPACE || carom_shape_row(kind)->touches_in_points;
}

enum { TOLD_MAX = 8 };  // each is a line for people

static void refuse_open(const caromModel *m, const caromModelShape *mesh, const caromModelShape *other,
                        caromProblems *problems)
{
    const char *body = m->bodies[mesh->body].name;
    carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.shapes.%.63s", body, mesh->name),
                            "'%.63s' is a mesh that is not closed and may touch '%.63s', a %s: with contact.response "
                            "rigid nothing tells which side of it is out, and it touches half-spaces, spheres and "
                            "ellipsoids only. Give it a thickness (mesh: {thickness: 1 mm}, carom_mesh_thicken), close "
                            "it ('carom mesh' tells where it is open), or let the pair be ignored (contact.ignore)",
                            body,
                            m->bodies[other->body].name, carom_shape_kind_name(other->shape.kind));
}

// The first pair of each mesh, or there would be one line for each of the others.
void carom_model_check_rigid_meshes(const caromModel *m, caromProblems *problems)
{
    int told = 0, last = -1;
    for (int k = 0; k < m->npair && told < TOLD_MAX; k++) {
        const int *shape = m->pairs[k].shape;
        int i = is_open(&m->shapes[shape[0]]) ? 0 : 1;
        const caromModelShape *mesh = &m->shapes[shape[i]], *other = &m->shapes[shape[1 - i]];
        if (!is_open(mesh) || touches_open(other->shape.kind) || shape[i] == last) continue;
        refuse_open(m, mesh, other, problems);
        last = shape[i];
        told++;
    }
}
