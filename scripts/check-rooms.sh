#!/usr/bin/env bash
# check-rooms.sh [DIR]: fails on an include from a room below, as CONTRIBUTING.md explains. Prints file:line: what.
set -eu
cd "${1:-$(dirname "$0")/..}"
find include src cli viewer bind -path '*/node_modules' -prune -o \( -name '*.c' -o -name '*.h' \) -print 2> /dev/null | sort |
    xargs -r awk '
BEGIN {
    n = split("base math potential geometry model modelfile kinematics " \
              "narrow meshgap collide patch sweep broad manifold " \
              "contact dynamics impact unilateral time motion events response step islands sim results", order)
    for (i = 1; i <= n; i++) rank[order[i]] = i
    # Public headers that are not named after the first room that may see them.
    home["mesh"] = "geometry"
    home["collide"] = "narrow"                         # gaps; the queries are in collide, patch and sweep
    home["contact_world"] = "contact"
    home["sink"] = "response"                          # what responses and steps tell
}
function home_of(header) { return header in home ? home[header] : header }
function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; bad = 1 }
FNR == 1 {
    split(FILENAME, part, "/")
    ring = part[1]
    room = ring == "include" ? part[3] : part[2]
    sub(/\.h$/, "", room)
    if (ring == "include") room = home_of(room)
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    split($0, quoted, /["<>]/)
    path = quoted[2]
    depth = split(path, p, "/")
    if ($0 ~ /</ && !(p[1] in rank) && p[1] != "carom") next   # of the system
    if (path ~ /(^|\/)\.\.\//) { complain("include of \"" path "\" by way of .."); next }
    if (ring != "src" && ring != "include") {          # the outer ring
        if (p[1] != "carom" && (p[1] in rank)) complain(ring " sees include/carom only, not \"" path "\"")
        next
    }
    if (ring == "include" && room == "carom") next     # carom.h: everything
    if (depth == 1) { if (ring == "include") complain("public header includes \"" path "\""); next }
    other = p[1]
    if (other == "carom") { other = p[2]; sub(/\.h$/, "", other); other = home_of(other) }
    else if (ring == "include") { complain("public header includes \"" path "\""); next }
    if (!(other in rank)) { complain("\"" path "\" is of no room"); next }
    if (!(room in rank)) { complain("\"" room "\" is no room"); next }
    if (rank[other] > rank[room]) complain(room " includes \"" path "\", which is below it")
    if ((room == "contact" && other == "impact") || (room == "impact" && other == "contact"))
        complain("contact and impact do not know each other")
}
END { exit bad }'
