#!/usr/bin/env bash
# Distances, depths and overlaps: carom and the peers that are installed (bench/peers/run.sh) answer the same cases in turn.
#   COLLIDE_ROUNDS   how often each is run; the least time counts (default 4)
set -eu
cd "$(dirname "$0")/.."
program=build/release/bench/bench_collide maker=build/release/bench/collide_cases
export CASES=$PWD/build/collide/cases.txt
rows=build/collide/rows.txt
mkdir -p build/collide
if ! [ "$CASES" -nt "$maker" ] || ! [ -f build/collide/cases.log ]; then
    "$maker" "$CASES.new" > build/collide/cases.log || { cat build/collide/cases.log; exit 1; }
    mv "$CASES.new" "$CASES"
fi
cat build/collide/cases.log
: > "$rows"
for ((round = 0; round < ${COLLIDE_ROUNDS:-4}; round++)); do
    "$program" "$CASES" >> "$rows"
    # The second round skips what the first one did; once is enough to say so.
    if [ "$round" = 0 ]; then bench/peers/run.sh collide >> "$rows"
    else bench/peers/run.sh collide >> "$rows" 2> /dev/null; fi
done
awk -f bench/collide_table.awk "$rows"
