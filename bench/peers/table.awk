# Rows of bench_chain and of the peers, perhaps of several rounds -> tables with ratios; carom = 1. The least time of a row counts.
#   -v target=1e-6   the error of the pendulum [rad] that integrators are compared at

function remember(peer) { if (!(peer in known)) { known[peer] = ++npeer; peers[npeer] = peer } }

$2 == "pendulum" {
    line = $1 " " $3
    if (!(line in count)) lines[++nline] = line
    key = line " " $4
    if (!(key in place)) { place[key] = ++count[line]; error[line, count[line]] = $5 + 0; ms[line, count[line]] = $6 + 0 }
    if ($6 + 0 < ms[line, place[key]]) ms[line, place[key]] = $6 + 0
    next
}
NF >= 4 {
    remember($1)
    scene = $2 " " $3
    if (!(scene in column)) { column[scene] = ++nscene; scenes[nscene] = scene }
    if (!(($1, scene) in us) || $4 + 0 < us[$1, scene]) us[$1, scene] = $4 + 0
    sum[$1, scene] = $5 + 0
}

# Time at the target on the line between the neighbouring settings, in logarithms; -1: not reached.
function at_target(line,    i, x, a, b) {
    for (i = 1; i <= count[line]; i++) {
        b = error[line, i]
        if (!(b <= target)) continue
        if (i == 1) return ms[line, i]
        a = error[line, i - 1]
        x = log(target/a)/log(b/a)
        return ms[line, i - 1]*exp(x*log(ms[line, i]/ms[line, i - 1]))
    }
    return -1
}

END {
    if (target == 0) target = 1e-6
    print "Forward dynamics, us for one evaluation (ratio to carom)\n"
    printf "%-14s", ""
    for (c = 1; c <= nscene; c++) printf " %20s", scenes[c]
    print ""
    for (p = 1; p <= npeer; p++) {
        printf "%-14s", peers[p]
        for (c = 1; c <= nscene; c++) {
            s = scenes[c]
            if (!((peers[p], s) in us)) { printf " %20s", "-"; continue }
            ratio = ("carom", s) in us ? sprintf("%.2f", us[peers[p], s]/us["carom", s]) : "-"
            printf " %20s", sprintf("%.4g (%s)", us[peers[p], s], ratio)
            # The same mechanism in the same state: accelerations must agree.
            if (("carom", s) in sum && sum["carom", s] > 0) {
                off = sum[peers[p], s]/sum["carom", s] - 1
                if (off > 1e-6 || off < -1e-6) wrong[++nwrong] = sprintf("%s: accelerations of %s are off by %.1e", peers[p], s, off)
            }
        }
        print ""
    }
    for (i = 1; i <= nwrong; i++) print wrong[i]
    printf "\nDouble pendulum, 10 s, ms to reach an error of %g rad (ratio to carom; our-*: integrator of bench/peers/harness.hpp)\n\n", target
    base = "carom own-auto" in count ? at_target("carom own-auto") : -1
    for (l = 1; l <= nline; l++) {
        split(lines[l], word, " ")
        t = at_target(lines[l])
        best = error[lines[l], 1]
        for (i = 2; i <= count[lines[l]]; i++) if (error[lines[l], i] < best) best = error[lines[l], i]
        if (t < 0) printf "%-14s %-12s %10s   best error %.1e\n", word[1], word[2], "-", best
        else printf "%-14s %-12s %10.4g %10s   best error %.1e\n", word[1], word[2], t, (base > 0 ? sprintf("(%.2f)", t/base) : ""), best
    }
}
