// What only the rigid response reads, and what it cannot have. What it has no use for (stiffness, damping, laws of
// one's own) is passed over: one file runs with both responses.
#include <math.h>

#include "base/base.h"
#include "geometry/geometry.h"
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

// A mesh and a ball, or an ellipsoid, touch in the point where they are nearest. What lies on a mesh with an edge or a
// face does not: one point would carry it, another one in each instant.
static bool touches_meshes(caromShapeKind kind)
{
    return carom_shape_row(kind)->touches_in_points;
}

enum { TOLD_MAX = 8 };  // each is a line for people

// The first pair of each mesh, or there would be one line for each of the others.
void carom_model_check_rigid_meshes(const caromModel *m, caromProblems *problems)
{
    int told = 0, last = -1;
    for (int k = 0; k < m->npair && told < TOLD_MAX; k++) {
        const int *shape = m->pairs[k].shape;
        int i = m->shapes[shape[0]].shape.kind == CAROM_MESH ? 0 : 1;
        const caromModelShape *mesh = &m->shapes[shape[i]], *other = &m->shapes[shape[1 - i]];
        if (mesh->shape.kind != CAROM_MESH || touches_meshes(other->shape.kind) || shape[i] == last) continue;
        const char *body = m->bodies[mesh->body].name;
        carom_model_check_error(problems, carom_model_path_of("bodies.%.63s.shapes.%.63s", body, mesh->name),
                                "'%.63s' is a mesh and may touch '%.63s', a %s: with contact.response rigid meshes "
                                "touch spheres and ellipsoids only. Give a mesh from a file collide: hull or pieces, "
                                "let the pair be ignored (contact.ignore), or use response: compliant", body,
                                m->bodies[other->body].name, carom_shape_kind_name(other->shape.kind));
        last = shape[i];
        told++;
    }
}
