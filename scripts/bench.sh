#!/usr/bin/env bash
# Runs every benchmark of the release build, then mechanisms, a bouncing ball, rigid bodies, measured tosses, collision queries and pairs among many boxes in comparison with
# the peers that are installed (bench/peers/run.sh) or can be fetched (bench/tosses.sh, bench/mesh_contact.sh).
#   ROUNDS           how often the mechanisms are run; the least time counts (default 2)
#   HUNTCROSSLEY_ROUNDS   the same for the ball (default 2)
#   RIGID_ROUNDS     the same for rigid bodies (default 2)
#   COLLIDE_ROUNDS   the same for collision queries (default 4)
#   MESH_ROUNDS      the same for meshes (default 3)
#   BROAD_ROUNDS     the same for pairs among many boxes (default 3)
set -eu
cd "$(dirname "$0")/.."
found=0
for program in build/release/bench/bench_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    found=1
    case $(basename "$program") in bench_chain | bench_huntcrossley | bench_rigid_* | bench_tosses | bench_collide | bench_broad | bench_mesh | bench_mesh_contact) continue ;; esac
    echo "== $(basename "$program")"
    "$program"
done
[ $found = 1 ] || { echo "no benchmarks yet"; exit; }

echo "== mechanisms"
rows=build/peers/rows.txt
mkdir -p build/peers
: > "$rows"
for ((round = 0; round < ${ROUNDS:-2}; round++)); do
    build/release/bench/bench_chain >> "$rows"
    # The second round skips what the first one did; once is enough to say so.
    if [ "$round" = 0 ]; then bench/peers/run.sh >> "$rows"
    else bench/peers/run.sh >> "$rows" 2> /dev/null; fi
done
awk -f bench/peers/table.awk "$rows"

echo
echo "== ball"
bench/huntcrossley.sh

echo
echo "== rigid bodies"
bench/rigid.sh

echo
echo "== tosses"
bench/tosses.sh

echo
echo "== collision"
bench/collide.sh

echo
echo "== meshes"
bench/mesh.sh

echo
echo "== contact of meshes"
bench/mesh_contact.sh

echo
echo "== many bodies"
bench/broad.sh
