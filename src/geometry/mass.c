// Moving and adding mass properties, and principal moments.
#include "geometry/geometry.h"

caromMat3 carom_geometry_point_inertia(caromVec3 r)
{
    double rr = carom_norm2(r);
    return (caromMat3){ carom_sub(carom_vec(rr, 0, 0), carom_scale(r.x, r)),
                        carom_sub(carom_vec(0, rr, 0), carom_scale(r.y, r)),
                        carom_sub(carom_vec(0, 0, rr), carom_scale(r.z, r)) };
}

caromMassProps carom_geometry_mass_moved(caromMassProps props_S, caromPose X_BS)
{
    caromMat3 R = X_BS.R;
    return (caromMassProps){ props_S.mass, carom_pose_point(X_BS, props_S.com),
                             carom_mat_mul(carom_mat_mul(R, props_S.inertia), carom_transpose(R)) };
}

caromMassProps carom_geometry_mass_sum(caromMassProps a, caromMassProps b)
{
    double mass = a.mass + b.mass;
    if (!(mass > 0.0)) return a;
    caromVec3 com = carom_scale(1.0/mass, carom_add(carom_scale(a.mass, a.com), carom_scale(b.mass, b.com)));
    // Two masses about their common centre: the reduced mass at their distance.
    caromMat3 apart = carom_mat_scale(a.mass*b.mass/mass, carom_geometry_point_inertia(carom_sub(b.com, a.com)));
    return (caromMassProps){ mass, com, carom_mat_add(carom_mat_add(a.inertia, b.inertia), apart) };
}

typedef struct Symmetric { double a[3][3], v[3][3]; } Symmetric;

// One Jacobi rotation that makes a[p][q] zero [GolubVanLoan13, 8.5].
static void jacobi_rotate(Symmetric *s, int p, int q)
{
    double apq = s->a[p][q];
    if (apq == 0.0) return;
    double theta = (s->a[q][q] - s->a[p][p])/(2.0*apq);
    double t = (theta >= 0.0 ? 1.0 : -1.0)/(fabs(theta) + sqrt(theta*theta + 1.0));
    double c = 1.0/sqrt(t*t + 1.0), sn = t*c;
    for (int k = 0; k < 3; k++) {
        double akp = s->a[k][p], akq = s->a[k][q];
        s->a[k][p] = c*akp - sn*akq;
        s->a[k][q] = sn*akp + c*akq;
    }
    for (int k = 0; k < 3; k++) {
        double apk = s->a[p][k], aqk = s->a[q][k];
        s->a[p][k] = c*apk - sn*aqk;
        s->a[q][k] = sn*apk + c*aqk;
    }
    for (int k = 0; k < 3; k++) {
        double vkp = s->v[k][p], vkq = s->v[k][q];
        s->v[k][p] = c*vkp - sn*vkq;
        s->v[k][q] = sn*vkp + c*vkq;
    }
    s->a[p][q] = s->a[q][p] = 0.0;
}

static void sort_columns(Symmetric *s)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (s->a[j][j] <= s->a[j + 1][j + 1]) continue;
            double d = s->a[j][j];
            s->a[j][j] = s->a[j + 1][j + 1];
            s->a[j + 1][j + 1] = d;
            for (int k = 0; k < 3; k++) {
                double v = s->v[k][j];
                s->v[k][j] = s->v[k][j + 1];
                s->v[k][j + 1] = v;
            }
        }
    }
}

caromVec3 carom_geometry_principal_axes(caromMat3 m, caromMat3 *axes)
{
    Symmetric s = { { { m.cx.x, m.cy.x, m.cz.x }, { m.cy.x, m.cy.y, m.cz.y }, { m.cz.x, m.cz.y, m.cz.z } },
                    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (int sweep = 0; sweep < 12; sweep++) {  // quadratic convergence: 3x3 is at rounding after 5 or 6
        jacobi_rotate(&s, 0, 1);
        jacobi_rotate(&s, 0, 2);
        jacobi_rotate(&s, 1, 2);
    }
    sort_columns(&s);
    if (axes) {
        axes->cx = carom_vec(s.v[0][0], s.v[1][0], s.v[2][0]);
        axes->cy = carom_vec(s.v[0][1], s.v[1][1], s.v[2][1]);
        axes->cz = carom_vec(s.v[0][2], s.v[1][2], s.v[2][2]);
    }
    return carom_vec(s.a[0][0], s.a[1][1], s.a[2][2]);
}
