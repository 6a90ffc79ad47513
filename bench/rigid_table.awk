# Rows of bench_rigid_ball, bench_rigid_ellipsoid and of the peers (bench/rigid.h), perhaps of several rounds -> two tables. The least time of a row counts; ratios are to carom
# with its default tolerance.

function is_carom(peer, setting) { return peer == "carom" && setting ~ /(^|every=0.01,)tolerance=1e-06$/ }

function keep(scene, peer, setting, text, ms,    key) {
    key = scene SUBSEP peer SUBSEP setting
    if (!(key in least)) {
        least[key] = ms
        line[scene, ++count[scene]] = key
    }
    texts[key] = text
    if (ms < least[key]) least[key] = ms
    if (is_carom(peer, setting)) mine[scene] = least[key]
}

$1 == "reference" && NF == 4 { t_low = $2; t_high = $3; known = $4 }
$1 == "ball" && NF == 7 { keep("ball", $2, $3, sprintf("%8s %10s %10s", $4, $5, $6), $7 + 0) }
$1 == "ellipsoid" && NF == 6 { keep("ellipsoid", $2, $3, sprintf("%11.6f %11.6f %10s %10s", $4, $5, off($4, t_low), off($5, t_high)), $6 + 0) }

function off(time, reference) { return time == "nan" || time == "-nan" || reference == "" ? "-" : sprintf("%.2g", time - reference) }

function ratio(scene, ms) { return mine[scene] > 0 ? sprintf("%.2f", ms/mine[scene]) : "-" }

function table(scene,    i, part) {
    for (i = 1; i <= count[scene]; i++) {
        split(line[scene, i], part, SUBSEP)
        printf "%-8s %-28s %s %10.3g %8s\n", part[2], part[3], texts[line[scene, i]], least[line[scene, i]],
            ratio(scene, least[line[scene, i]])
    }
    print ""
}

END {
    print "A ball that bounces until it lies: effective restitution (0.7 asked), error of its height at 1.3 s and rms of 3 s [m], CPU ms, ratio to carom at 1e-6\n"
    printf "%-8s %-28s %8s %10s %10s %10s %8s\n", "", "", "e", "1.3 s", "rms", "ms", "ratio"
    table("ball")
    print "An ellipsoid that rises: when its centre passes two heights [s], how far that is from the reference [s], CPU ms, ratio to carom at 1e-6"
    printf "Reference: %s and %s s; two integrators differ by %s s\n\n", t_low, t_high, known
    printf "%-8s %-28s %11s %11s %10s %10s %10s %8s\n", "", "", "1.25 m", "1.29 m", "off", "off", "ms", "ratio"
    table("ellipsoid")
}
