# Rows of bench_mesh and of the peers (bench/mesh.h), perhaps of several rounds -> tables. The least time of a row counts.

$1 == "version" { version[$2] = $3; if (!($2 in seen_version)) { seen_version[$2] = 1; versions[++nversion] = $2 } }
$1 == "row" && NF == 8 {
    if (!($3 in known)) { known[$3] = 1; engines[++nengine] = $3 }
    if (!(($2, $4) in has)) { has[$2, $4] = 1; cells[$2, ++ncell[$2]] = $4 }
    key = $2 SUBSEP $3 SUBSEP $4
    if (!(key in us) || $5 + 0 < us[key]) us[key] = $5 + 0
    if ($6 + 0 > wrong[key]) wrong[key] = $6 + 0
    asked[key] = $7 + 0
    if ($8 + 0 > other[key]) other[key] = $8 + 0
}

function short(x) { return x < 10 ? sprintf("%.2f", x) : x < 100 ? sprintf("%.1f", x) : sprintf("%.0f", x) }

# A line for each cell: times, ratios of carom to each peer, and answers that differ; counted: how many were found instead.
function table(title, task, counted, want,    c, i, k, cell, mine, worst, where, n, sum, x) {
    if (!ncell[task]) return
    printf "\n%s\n\n%-30s", title, "us"
    for (i = 1; i <= nengine; i++) printf "%10s", engines[i]
    for (i = 2; i <= nengine; i++) printf "%13s", "carom/" engines[i]
    print (counted ? "      found" : "    wrong, largest difference [m]")
    for (c = 1; c <= ncell[task]; c++) {
        cell = cells[task, c]
        printf "%-30s", cell
        mine = us[task, "carom", cell]
        for (i = 1; i <= nengine; i++) {
            k = task SUBSEP engines[i] SUBSEP cell
            printf "%10s", (k in us ? short(us[k]) : "-")
        }
        for (i = 2; i <= nengine; i++) {
            k = task SUBSEP engines[i] SUBSEP cell
            x = k in us ? mine/us[k] : 0
            printf "%13s", (k in us ? sprintf("%.3f", x) : "-")
            if (engines[i] == "fcl" && k in us) {
                sum += log(x); n++
                if (x > worst) { worst = x; where = cell }
            }
        }
        printf "   "
        for (i = 1; i <= nengine; i++) {
            k = task SUBSEP engines[i] SUBSEP cell
            if (!(k in us)) continue
            if (counted == "found") printf " %7.0f", other[k]
            else if (!counted) printf "  %d/%d %.1e", wrong[k], asked[k], other[k]
        }
        print ""
    }
    if (n) printf "carom/fcl: %.3f in the geometric mean, at worst %.3f (%s)%s\n", exp(sum/n), worst, where, (want ? sprintf("; aim %g: %s", want, (worst <= want ? "met" : "not met")) : "")
}

END {
    printf "Versions:"
    for (i = 1; i <= nversion; i++) printf " %s %s", versions[i], version[versions[i]]
    print ""
    table("Distance, each pose by itself", "distance", "", 0.2)
    table("Distance along paths (1e-3 of the size and 1e-3 rad from pose to pose); carom is seeded, the peers cannot be", "seeded", "", 0.03)
    table("Do they overlap?", "overlap", "", 0)
    table("carom: witness pairs within a standoff; peers: all pairs of triangles that cross (touching only)", "standoff", "found", 0)
    table("Depth", "depth", "", 0)
    table("A point", "point", "none", 0)
    table("A ray", "ray", "none", 0)
    table("Making a mesh from vertices and triangles", "build", "none", 0)
    table("Reading binary STL and making a mesh", "read", "none", 0)
    table("The same from the cache", "cached", "none", 0)
}
