# Rows of bench_huntcrossley and of the peers (bench/huntcrossley.h), perhaps of several rounds -> what each accuracy gives, and the time at equal error.
# The least time of a row counts.

$1 == "reference" { reference = $2 + 0 > reference + 0 ? $2 : reference }
$1 == "law" { law[$2] = $3 + 0 > law[$2] + 0 ? $3 : law[$2] }
$1 == "row" && NF == 7 {
    if (!($2 in known)) { known[$2] = 1; peers[++npeer] = $2 }
    if (!($3 in seen)) { seen[$3] = 1; cases[++ncase] = $3 }
    if (!($5 in asked)) { asked[$5] = 1; accuracies[++naccuracy] = $5 }
    if (!(($2, $4) in column)) { column[$2, $4] = ++ncolumn; peer_of[ncolumn] = $2; name_of[ncolumn] = $4 }
    line = $3 SUBSEP column[$2, $4]
    key = line SUBSEP $5
    if (!(key in place)) { place[key] = ++count[line]; error[line, place[key]] = $6 + 0; ms[line, place[key]] = $7 + 0 }
    if ($7 + 0 < ms[line, place[key]]) ms[line, place[key]] = $7 + 0
}

# Largest error from here on: what one accuracy reaches by luck and the next does not is not counted.
function worst_from(line, i,    worst) {
    for (worst = 0; i <= count[line]; i++) if (error[line, i] > worst) worst = error[line, i]
    return worst
}

# Time at the target on the line between the neighbouring accuracies, in logarithms; that of the first where all are better. 0: not reached.
function at_target(line, target,    i, a, b) {
    for (i = 1; i <= count[line]; i++) {
        b = worst_from(line, i)
        if (b > target) continue
        if (i == 1) return ms[line, i]
        a = worst_from(line, i - 1)
        return ms[line, i - 1]*exp(log(target/a)/log(b/a)*log(ms[line, i]/ms[line, i - 1]))
    }
    return 0
}

# Of all integrators of a peer; best_name is its name.
function best_at(which, peer, target,    n, best, time) {
    best = 0
    for (n = 1; n <= ncolumn; n++) {
        if (peer_of[n] != peer) continue
        time = at_target(which SUBSEP n, target)
        if (time > 0 && (best == 0 || time < best)) { best = time; best_name = name_of[n] }
    }
    return best
}

function number(x) { return x > 0 ? sprintf("%.3g", x) : "-" }

function all_rows(which,    i, n, key, line) {
    printf "%s\naccuracy", which
    for (n = 1; n <= ncolumn; n++) printf " %16s", peer_of[n] " " name_of[n]
    printf "\n        "
    for (n = 1; n <= ncolumn; n++) printf " %9s %6s", "error m", "ms"
    print ""
    for (i = 1; i <= naccuracy; i++) {
        printf "%-8s", accuracies[i]
        for (n = 1; n <= ncolumn; n++) {
            line = which SUBSEP n
            key = line SUBSEP accuracies[i]
            printf " %16s", (key in place ? sprintf("%9.1e %6s", error[line, place[key]], number(ms[line, place[key]])) : "")
        }
        print ""
    }
    print ""
}

function equal_errors(which,    t, p, mine, time, ntarget, targets) {
    printf "%-10s", which ", m"
    for (p = 1; p <= npeer; p++) printf " %24s", peers[p]
    print ""
    ntarget = split("1e-3 1e-4 1e-5 1e-6 3e-7 1e-7 1e-8 1e-9", targets, " ")
    for (t = 1; t <= ntarget; t++) {
        mine = best_at(which, "carom", targets[t] + 0)
        printf "%-10s", targets[t]
        for (p = 1; p <= npeer; p++) {
            time = best_at(which, peers[p], targets[t] + 0)
            printf " %24s", (time > 0 && mine > 0 ? sprintf("%s %-6s (%5.1f)", number(time), best_name, time/mine) : "-")
        }
        print ""
    }
    print ""
}

END {
    printf "The reference is known to %s m. The force differs from the formula by", reference
    for (p = 1; p <= npeer; p++) if (peers[p] in law) printf " %s (%s)", law[peers[p]], peers[p]
    print ", relative.\n"
    for (c = 1; c <= ncase; c++) all_rows(cases[c])
    print "CPU ms at equal error, best integrator of each (ratio to carom)\n"
    for (c = 1; c <= ncase; c++) equal_errors(cases[c])
}
