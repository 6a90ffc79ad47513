#!/usr/bin/env bash
# A ball with the law of Simbody's HuntCrossleyForce: carom, CVODE on the bare equations and Simbody, if it is installed, in turn (bench/huntcrossley.h).
#   HUNTCROSSLEY_ROUNDS   how often each is run; the least time counts (default 2)
set -eu
cd "$(dirname "$0")/.."
rows=build/huntcrossley/rows.txt
mkdir -p build/huntcrossley
: > "$rows"
for ((round = 0; round < ${HUNTCROSSLEY_ROUNDS:-2}; round++)); do
    build/release/bench/bench_huntcrossley >> "$rows"
    # The second round skips what the first one did; once is enough to say so.
    if [ "$round" = 0 ]; then bench/peers/run.sh huntcrossley >> "$rows"
    else bench/peers/run.sh huntcrossley >> "$rows" 2> /dev/null; fi
done
awk -f bench/huntcrossley_table.awk "$rows"
