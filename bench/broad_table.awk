# Rows of bench_broad and of the peers (bench/broad.h), perhaps of several rounds -> a table. The least median of a row counts; ratios are to the
# fastest peer. A library that counts other pairs than carom is marked with *.

$1 == "version" { if (!($2 in version)) names = names "  " $2 " " $3; version[$2] = $3 }
$1 == "row" && NF == 7 {
    if (!($2 in known)) { known[$2] = 1; engines[++nengine] = $2 }
    place = $3 SUBSEP $4
    if (!(place in seen)) { seen[place] = 1; places[++nplace] = place }
    key = $2 SUBSEP place
    if (!(key in us) || $5 + 0 < us[key]) us[key] = $5 + 0
    pairs[key] = $7
}

END {
    print names "\n"
    printf "us for a step   %9s", "boxes"
    for (i = 1; i <= nengine; i++) printf " %12s", engines[i]
    printf " %12s %12s %11s\n", "carom/best", "carom ns/box", "pairs/box"
    for (p = 1; p <= nplace; p++) {
        split(places[p], part, SUBSEP)
        printf "%-15s %9d", part[1], part[2]
        best = 0
        mine = "carom" SUBSEP places[p]
        for (i = 1; i <= nengine; i++) {
            key = engines[i] SUBSEP places[p]
            if (!(key in us)) { printf " %12s", "-"; continue }
            is_same = pairs[key] == pairs[mine]
            printf " %11.0f%s", us[key], (is_same ? " " : "*")
            if (engines[i] != "carom" && is_same && (best == 0 || us[key] < best)) best = us[key]
        }
        if (!(mine in us)) { print ""; continue }
        printf " %12s %12.1f %11.2f\n", (best > 0 ? sprintf("%.3f", us[mine]/best) : "-"), 1000*us[mine]/part[2], pairs[mine]/24/part[2]
    }
}
