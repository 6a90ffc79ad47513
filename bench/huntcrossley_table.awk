# Rows of bench_huntcrossley and of the peers (bench/huntcrossley.h), perhaps of several rounds -> what each accuracy gives, and the time at equal error.
# The least time of a row counts.

$1 == "reference" { reference = $2 }
$1 == "law" { law[$2] = $3 }
$1 == "row" && NF == 6 {
    if (!($2 in known)) { known[$2] = 1; peers[++npeer] = $2 }
    line = $2 " " $3
    if (!(line in count)) { lines[++nline] = line; peer_of[line] = $2 }
    key = line " " $4
    if (!(key in place)) { i = place[key] = ++count[line]; error[line, i] = $5 + 0; ms[line, i] = $6 + 0; accuracy[i] = $4; if (i > most) most = i }
    if ($6 + 0 < ms[line, place[key]]) ms[line, place[key]] = $6 + 0
}

# Largest error from here on: what one accuracy reaches by luck and the next does not is not counted.
function worst_from(line, i,    worst) {
    for (worst = 0; i <= count[line]; i++) if (error[line, i] > worst) worst = error[line, i]
    return worst
}

# Time at the target on the line between the neighbouring accuracies, in logarithms; 0: not reached, or all are better.
function at_target(line, target,    i, a, b) {
    for (i = 1; i <= count[line]; i++) {
        b = worst_from(line, i)
        if (b > target) continue
        if (i == 1) return 0
        a = worst_from(line, i - 1)
        return ms[line, i - 1]*exp(log(target/a)/log(b/a)*log(ms[line, i]/ms[line, i - 1]))
    }
    return 0
}

# Of all integrators of a peer.
function best_at(peer, target,    n, best, time) {
    best = 0
    for (n = 1; n <= nline; n++) {
        if (peer_of[lines[n]] != peer) continue
        time = at_target(lines[n], target)
        if (time > 0 && (best == 0 || time < best)) { best = time; best_line = lines[n] }
    }
    return best
}

function number(x) { return x > 0 ? sprintf("%.3g", x) : "-" }

END {
    printf "Hunt-Crossley: the reference is known to %s m; the force differs from the formula by", reference
    for (p = 1; p <= npeer; p++) if (peers[p] in law) printf " %s (%s)", law[peers[p]], peers[p]
    print "\n"
    printf "accuracy"
    for (n = 1; n <= nline; n++) printf " %16s", lines[n]
    printf "\n        "
    for (n = 1; n <= nline; n++) printf " %9s %6s", "error m", "ms"
    print ""
    for (i = 1; i <= most; i++) {
        printf "%-8s", accuracy[i]
        for (n = 1; n <= nline; n++) printf " %16s", (i <= count[lines[n]] ? sprintf("%9.1e %6s", error[lines[n], i], number(ms[lines[n], i])) : "")
        print ""
    }
    print "\nCPU ms at equal error, best integrator of each (ratio to carom)\n"
    printf "%-10s", "error [m]"
    for (p = 1; p <= npeer; p++) printf " %24s", peers[p]
    print ""
    ntarget = split("1e-3 1e-4 1e-5 1e-6 3e-7 1e-7 1e-8 1e-9", targets, " ")
    for (t = 1; t <= ntarget; t++) {
        mine = best_at("carom", targets[t] + 0)
        printf "%-10s", targets[t]
        for (p = 1; p <= npeer; p++) {
            time = best_at(peers[p], targets[t] + 0)
            split(best_line, part, " ")
            printf " %24s", (time > 0 && mine > 0 ? sprintf("%s %-6s (%5.1f)", number(time), part[2], time/mine) : "-")
        }
        print ""
    }
}
