# Tables of rows: way, depth, triangles, error (root mean square, worst), sideways, us, seconds to make.
# Time of Drake at carom's error: between two meshes, in logarithms; beyond them by the nearest two.
{
    if (!($1 in seen)) { seen[$1] = 1; ways[++nway] = $1 }
    if (!($2 in known)) { known[$2] = 1; depths[++ndepth] = $2 }
    if (!($3 in fine)) { fine[$3] = 1; sizes[++nsize] = $3 }
    error[$1, $2, $3] = $4; us[$1, $2, $3] = $7; made[$1, $3] = $8
}
function drake_at(e, depth,   i, k, a, b, part) {
    k = 1
    for (i = 1; i < nsize; i++) if (error["drake", depth, sizes[i]] > e) k = i
    a = sizes[k]; b = sizes[k + 1]
    part = log(e/error["drake", depth, a])/log(error["drake", depth, b]/error["drake", depth, a])
    return us["drake", depth, a]*exp(part*log(us["drake", depth, b]/us["drake", depth, a]))
}
END {
    for (d = 1; d <= ndepth; d++) {
        printf "\nOverlap of %s radii: error of the force (MuJoCo: of the depth), us an evaluation\n\n| triangles |", depths[d]
        for (w = 1; w <= nway; w++) printf " %s | us |", ways[w]
        printf "\n|---|"
        for (w = 1; w <= nway; w++) printf "---|---|"
        printf "\n"
        for (s = 1; s <= nsize; s++) {
            printf "| %d |", sizes[s]
            for (w = 1; w <= nway; w++) printf " %.4f | %.0f |", error[ways[w], depths[d], sizes[s]], us[ways[w], depths[d], sizes[s]]
            printf "\n"
        }
    }
    printf "\nSeconds to make a mesh:"
    for (w = 1; w <= nway; w++) printf "  %s %s", ways[w], made[ways[w], sizes[nsize]]
    printf " (%d triangles)\n", sizes[nsize]
    if (!("drake" in seen)) exit
    for (d = 1; d <= ndepth; d++)
        for (w = 1; w <= nway; w++) for (s = 1; s <= nsize && ways[w] ~ /^carom/; s++) {
            e = error[ways[w], depths[d], sizes[s]]
            printf "%s, overlap %s, %d triangles, error %.4f: %.0f us, Drake at that error %.0f us (%.1f)\n", ways[w], depths[d], sizes[s],
                   e, us[ways[w], depths[d], sizes[s]], drake_at(e, depths[d]), drake_at(e, depths[d])/us[ways[w], depths[d], sizes[s]]
        }
}
