#!/usr/bin/env bash
# Runs every benchmark of the release build.
set -eu
cd "$(dirname "$0")/.."
found=0
for program in build/release/bench/bench_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    found=1
    echo "== $(basename "$program")"
    "$program"
done
[ $found = 1 ] || echo "no benchmarks yet"
