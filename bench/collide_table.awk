# Rows of bench_collide and of the peers (bench/collide.h), perhaps of several rounds -> tables. The least time of a row counts.
# A library is correct in a line of a table when none of its answers in that line is wrong; ratios are to the fastest of the correct ones.

$1 == "version" { version[$2] = $3; if (!($2 in seen_version)) { seen_version[$2] = 1; versions[++nversion] = $2 } }
$1 == "row" && NF == 7 {
    if (!($2 in known)) { known[$2] = 1; engines[++nengine] = $2 }
    split($3, part, ":")
    if (part[1] == "prim" && !(part[2] in known_pair)) { known_pair[part[2]] = 1; pairs[++npair] = part[2] }
    key = $2 SUBSEP $3
    if (!(key in ns) || $4 + 0 < ns[key]) ns[key] = $4 + 0
    if (!(key in wrong) || $5 + 0 > wrong[key]) wrong[key] = $5 + 0
    asked[key] = $6 + 0
    if (!(key in error) || $7 + 0 > error[key]) error[key] = $7 + 0
}

function is_carom(e) { return e ~ /^carom/ }
function cell(word, column) { return word ":" column }
function short(x) { return x < 9999.5 ? sprintf("%.0f", x) : sprintf("%.1fk", x/1000) }

# Of one engine over the columns of a line: sets sum_wrong, sum_asked, worst; returns how many columns it has.
function judge(e, word, n, columns,    c, k, has) {
    sum_wrong = sum_asked = worst = 0
    for (c = 1; c <= n; c++) {
        k = e SUBSEP cell(word, columns[c])
        if (!(k in ns)) continue
        has++
        sum_wrong += wrong[k]; sum_asked += asked[k]
        if (error[k] > worst) worst = error[k]
    }
    return has
}

# Fastest correct peer in a column; sets best_name. 0: there is none.
function fastest(word, n, columns, column,    i, k, best) {
    best = 0
    for (i = 1; i <= nengine; i++) {
        k = engines[i] SUBSEP cell(word, column)
        if (is_carom(engines[i]) || !(k in ns)) continue
        judge(engines[i], word, n, columns)
        if (sum_wrong == 0 && (best == 0 || ns[k] < best)) { best = ns[k]; best_name = engines[i] }
    }
    return best
}

# carom against it; "": nobody is right, or carom is wrong in this column, or so often in the line that being right means little.
function ratio(mine, word, n, columns, column,    k, best) {
    k = mine SUBSEP cell(word, column)
    best = fastest(word, n, columns, column)
    judge(mine, word, n, columns)
    return (k in ns) && wrong[k] == 0 && sum_wrong < 0.1*sum_asked && best > 0 ? ns[k]/best : ""
}

function table(title, word, mine, sizes, regimes,    ns_, nr, s, r, i, c, n, size, regime, columns, k, x) {
    ns_ = split(sizes, size, " "); nr = split(regimes, regime, " "); n = 0
    for (s = 1; s <= ns_; s++) for (r = 1; r <= nr; r++) columns[++n] = size[s] ":" regime[r]
    printf "\n%s\n\n%-24s", title, "vertices"
    for (s = 1; s <= ns_; s++) printf "%" 8*nr "s", size[s]
    printf "\n%-24s", ""
    for (s = 1; s <= ns_; s++) for (r = 1; r <= nr; r++) printf "%8s", regime[r]
    printf "%12s %9s\n", "wrong", (word == "overlap" ? "" : "error [m]")
    for (i = 1; i <= nengine; i++) {
        if (!judge(engines[i], word, n, columns)) continue
        printf "%-24s", engines[i]
        for (c = 1; c <= n; c++) {
            k = engines[i] SUBSEP cell(word, columns[c])
            printf "%8s", (k in ns && wrong[k] < asked[k] ? short(ns[k]) : "-")
        }
        printf "%12s %9s\n", sum_wrong "/" sum_asked, (word == "overlap" ? "" : sprintf("%.1e", worst))
    }
    printf "%-24s", "fastest correct peer"
    for (c = 1; c <= n; c++) { x = fastest(word, n, columns, columns[c]); printf "%8s", (x > 0 ? short(x) : "-") }
    printf "\n%-24s", mine " / that"
    for (c = 1; c <= n; c++) {
        x = ratio(mine, word, n, columns, columns[c])
        printf "%8s", (x == "" ? "-" : sprintf("%.2f", x))
        remembered[word, columns[c]] = x
    }
    print ""
}

function primitives(title, regimes,    nr, regime, r, p, i, n, used, columns, text, k, w, x, e) {
    nr = split(regimes, regime, " "); n = 0
    for (i = 1; i <= nengine; i++)
        for (p = 1; p <= npair; p++)
            if ((engines[i], "prim:" pairs[p] ":" regime[1]) in ns) { used[++n] = engines[i]; break }
    printf "\n%s; * some wrong, - none right or no such solid\n\n%-21s", title, ""
    for (i = 1; i <= n; i++) printf " %13s", substr(used[i], 1, 13)
    printf " %13s\n%-21s", "carom / best", ""
    for (i = 1; i <= n; i++) printf " %13s", (length(used[i]) > 13 ? substr(used[i], 14) : "")
    print ""
    for (p = 1; p <= npair; p++) {
        for (r = 1; r <= nr; r++) columns[r] = pairs[p] ":" regime[r]
        printf "%-21s", pairs[p]
        for (i = 1; i <= n; i++) {
            text = ""
            for (r = 1; r <= nr; r++) {
                k = used[i] SUBSEP "prim:" columns[r]
                if (!(k in ns)) { text = "-"; break }
                w = wrong[k]
                text = text (r > 1 ? "/" : "") (w < asked[k] ? short(ns[k]) : "-") (w > 0 && w < asked[k] ? "*" : "")
            }
            printf " %13s", text
        }
        text = ""
        for (r = 1; r <= nr; r++) {
            x = ratio("carom", "prim", nr, columns, columns[r])
            text = text (r > 1 ? "/" : "") (x == "" ? "-" : sprintf("%.2f", x))
            if (x != "") remembered["prim", columns[r]] = x
        }
        printf " %13s\n", text
    }
    printf "%-21s", "wrong"
    for (i = 1; i <= n; i++) {
        w = x = e = 0
        for (p = 1; p <= npair; p++)
            for (r = 1; r <= nr; r++) {
                k = used[i] SUBSEP "prim:" pairs[p] ":" regime[r]
                if (!(k in ns)) continue
                w += wrong[k]; x += asked[k]
                if (error[k] > e) e = error[k]
            }
        printf " %13s", w "/" x
        largest[i] = e
    }
    printf "\n%-21s", "largest error [m]"
    for (i = 1; i <= n; i++) printf " %13.1e", largest[i]
    print ""
}

# The worst ratio of some cells against what is wanted.
function aim(text, want, words, sizes, regimes,    nw, ns_, nr, w, s, r, word, size, regime, x, bad, where, missing, n) {
    nw = split(words, word, " "); ns_ = split(sizes, size, " "); nr = split(regimes, regime, " ")
    for (w = 1; w <= nw; w++) for (s = 1; s <= ns_; s++) for (r = 1; r <= nr; r++) {
        if (!((word[w], size[s] ":" regime[r]) in remembered)) continue
        x = remembered[word[w], size[s] ":" regime[r]]; n++
        if (x == "") { missing++; continue }
        if (x > bad) { bad = x; where = size[s] " " regime[r] }
    }
    printf "%-46s aim %.2f: ", text, want
    if (missing == n) print "not measured"
    else printf "%s, at worst %.2f (%s)%s\n", (bad <= want && !missing ? "met" : "not met"), bad, where, (missing ? "; wrong or missing in " missing " of " n " cells" : "")
}

END {
    printf "ns for one query; wrong: failed, wrong sign or off by more than 1e-3 m. Versions:"
    for (i = 1; i <= nversion; i++) printf " %s %s", versions[i], version[versions[i]]
    print ""
    sizes = "8 32 128 512"
    table("Distance of polytopes, each pair by itself", "cold", "carom", sizes, "far near")
    table("Depth of polytopes, each pair by itself", "cold", "carom", sizes, "shallow deep")
    table("Distance of polytopes along paths (0.01 rad and 10 mm from pose to pose)", "warm", "carom-warm", sizes, "far near")
    table("Depth of polytopes along paths", "warm", "carom-warm", sizes, "shallow deep")
    table("Do polytopes overlap?", "overlap", "carom-overlap", sizes, "far near shallow deep")
    primitives("Distance of primitives, far/near", "far near")
    primitives("Depth of primitives, shallow/deep", "shallow deep")
    print ""
    aim("distance, cold, up to 32 vertices", 0.6, "cold", "8 32", "far near")
    aim("distance, cold, 128 and 512 vertices", 0.4, "cold", "128 512", "far near")
    aim("depth, cold", 0.3, "cold", sizes, "shallow deep")
    aim("distance, warm", 0.1, "warm", sizes, "far near")
    aim("depth, warm", 0.1, "warm", sizes, "shallow deep")
    for (k in remembered) {
        split(k, part, SUBSEP)
        if (part[1] != "prim" || remembered[k] == "") continue
        total++
        if (remembered[k] < 1) faster++
    }
    printf "%-46s carom is right in %d of %d cells, and faster than every correct peer in %d\n", "primitives", total, 4*npair, faster
}
