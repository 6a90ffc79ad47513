#!/usr/bin/env bash
# Overlapping pairs among many boxes: carom and the peers that are installed (bench/peers/run.sh) take the same steps through the same worlds in turn.
#   BROAD_ROUNDS   how often each is run; the least time counts (default 3)
#   BROAD_WORLD    one world only (bench/broad.h)
set -eu
cd "$(dirname "$0")/.."
rows=build/broad/rows.txt
mkdir -p build/broad
: > "$rows"
for ((round = 0; round < ${BROAD_ROUNDS:-3}; round++)); do
    build/release/bench/bench_broad ${BROAD_WORLD:+"$BROAD_WORLD"} >> "$rows"
    # The second round skips what the first one did; once is enough to say so.
    if [ "$round" = 0 ]; then bench/peers/run.sh broad >> "$rows"
    else bench/peers/run.sh broad >> "$rows" 2> /dev/null; fi
done
awk -f bench/broad_table.awk "$rows"
