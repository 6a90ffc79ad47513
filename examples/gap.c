// gap.c -- a tool is lowered onto a post: how far is it, where will it touch, how deep does it sink in?
//
//     cc gap.c $(pkg-config --cflags --libs carom) -lm
#include <stdio.h>

#include <carom/carom.h>

static void tell(const char *what, caromGap g)
{
    printf("%-13s g %8.3f mm  n (%6.3f %6.3f %6.3f)  on A (%6.2f %6.2f %6.2f) mm  %s\n", what, 1e3*g.g, g.n_AB.x,
           g.n_AB.y, g.n_AB.z, 1e3*g.p_A.x, 1e3*g.p_A.y, 1e3*g.p_A.z,
           g.status == CAROM_GAP_OK && g.error < 1e-13 ? "to 1e-13 m" : "imprecise");
}

int main(void)
{
    // A: a post of 40 mm by 40 mm that stands on the plane z = 0, its edges rounded by 2 mm. B: a pointed tool,
    // 60 mm long, held askew.
    caromShape post = carom_shape_rounded(carom_shape_box(0.04, 0.04, 0.08), 0.002);
    const caromVec3 corners[] = { { 0, 0, -0.03 }, { 0.01, 0.01, 0.03 }, { -0.01, 0.01, 0.03 }, { -0.01, -0.01, 0.03 },
                                  { 0.01, -0.01, 0.03 } };
    caromError err;
    caromHull *hull = carom_hull_create(corners, 5, 0, &err);
    if (!hull || carom_shape_check(post, &err) != CAROM_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    caromShape tool = carom_shape_polytope(hull);
    caromPose X_WA = carom_pose(carom_mat_identity(), carom_vec(0, 0, 0.04));
    caromMat3 askew = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 2, 0), 0.6));

    caromWarmStart warm = { { 0 } };  // makes the next query of this pair faster, never another answer
    for (int k = 0; k < 4; k++) {
        caromPose X_WB = carom_pose(askew, carom_vec(0.042, -0.01, 0.12 - 0.011*k));
        tell(k == 0 ? "tool - post" : "", carom_collide_shapes_warm(post, X_WA, tool, X_WB, &warm));
    }

    caromVec3 p = { 0.03, 0.01, 0.09 };
    tell("point", carom_collide_point(post, X_WA, p));
    caromRayHit hit = carom_collide_ray(post, X_WA, p, carom_vec(-1, -0.5, -0.5), 1);
    printf("%-13s hits after %.3f mm\n", "ray", 1e3*hit.t*sqrt(1.5));

    // A hook, not convex: two parts that move as one.
    const caromShape parts[] = { carom_shape_capsule(0.005, 0.1), carom_shape_torus(0.02, 0.005) };
    const caromPose places[] = { carom_pose_identity(), carom_pose(carom_mat_identity(), carom_vec(0.016, 0, 0.04)) };
    caromCompound hook = { 2, parts, places }, posts = { 1, &post, &X_WA };
    caromPose X_WH = carom_pose(carom_mat_identity(), carom_vec(0.03, 0, 0.03));
    caromCompoundGap nearest = carom_collide_compounds(posts, carom_pose_identity(), hook, X_WH);
    tell("hook", nearest.gap);
    printf("%-13s part %d of the hook is nearest\n", "", nearest.part_b);

    caromMassProps mass = carom_shape_mass(post, 7850);
    printf("%-13s %.6f kg, inertia %.6e %.6e %.6e kg m^2\n", "post, steel", mass.mass, mass.inertia.cx.x,
           mass.inertia.cy.y, mass.inertia.cz.z);
    carom_hull_destroy(hull);
    return 0;
}
