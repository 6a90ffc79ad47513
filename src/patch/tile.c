// W of a tile: integral of max(d, 0)^2/2 over a triangle of area 1 with depths d1, d2, d3 at its corners (tiles.h).
#include "patch/tiles.h"

// All inside: (d1^2 + d2^2 + d3^2 + d1 d2 + d2 d3 + d3 d1)/12.
static caromTile whole(const double d[3])
{
    double sum = d[0] + d[1] + d[2], squares = d[0]*d[0] + d[1]*d[1] + d[2]*d[2];
    caromTile t = { (sum*sum + squares)/24.0, { 0 } };
    for (int k = 0; k < 3; k++) t.slope[k] = (sum + d[k])/12.0;
    return t;
}

// Only corner i is: d_i^4/(12 (d_i - d_j)(d_i - d_k)).
static caromTile tip(const double d[3], int i)
{
    int j = (i + 1)%3, k = (i + 2)%3;
    double to_j = d[i] - d[j], to_k = d[i] - d[k], cube = d[i]*(d[i]/to_j)*(d[i]/to_k)/12.0;
    caromTile t = { cube*d[i], { 0 } };
    t.slope[i] = cube*(4.0 - d[i]/to_j - d[i]/to_k);
    t.slope[j] = cube*(d[i]/to_j);
    t.slope[k] = cube*(d[i]/to_k);
    return t;
}

// All but corner k, u above the surface. The whole less the tip, with what cancels left out:
//
//     12 W = (p q + u s r)/((x + u)(y + u)),     x, y the other depths, s = x + y, p = x y, r = x^2 + y^2, q = r + p
static caromTile rest(const double d[3], int k)
{
    int i = (k + 1)%3, j = (k + 2)%3;
    double x = d[i], y = d[j], u = -d[k], s = x + y, p = x*y, r = x*x + y*y, q = r + p;
    double scale = 1.0/(12.0*(x + u)*(y + u)), energy = (p*q + u*s*r)*scale;
    caromTile t = { energy, { 0 } };
    t.slope[i] = scale*(y*q + p*(s + x) + u*(r + 2.0*s*x)) - energy/(x + u);
    t.slope[j] = scale*(x*q + p*(s + y) + u*(r + 2.0*s*y)) - energy/(y + u);
    t.slope[k] = energy*(1.0/(x + u) + 1.0/(y + u)) - scale*s*r;
    return t;
}

caromTile carom_patch_tile(const double d[3])
{
    bool in[3] = { d[0] > 0.0, d[1] > 0.0, d[2] > 0.0 };
    int n = in[0] + in[1] + in[2];
    if (n == 0) return (caromTile){ 0 };
    if (n == 3) return whole(d);
    bool is_tip = n == 1;
    int k = in[0] == is_tip && in[1] != is_tip && in[2] != is_tip ? 0 : in[1] == is_tip && in[0] != is_tip ? 1 : 2;
    return is_tip ? tip(d, k) : rest(d, k);
}
