#!/usr/bin/env bash
# Two scenes of rigid bodies: carom, the bare equations, and Siconos, ODE, Bullet, Simbody, MuJoCo and DART, as far as they are installed, in turn (bench/rigid.h).
#   RIGID_ROUNDS   how often each is run; the least time counts (default 2)
set -eu
cd "$(dirname "$0")/.."
rows=build/rigid/rows.txt
mkdir -p build/rigid
: > "$rows"
for ((round = 0; round < ${RIGID_ROUNDS:-2}; round++)); do
    build/release/bench/bench_rigid_ball >> "$rows"
    build/release/bench/bench_rigid_ellipsoid >> "$rows"
    # The second round skips what the first one did; once is enough to say so.
    if [ "$round" = 0 ]; then bench/peers/run.sh rigid >> "$rows"
    else bench/peers/run.sh rigid >> "$rows" 2> /dev/null; fi
done
awk -f bench/rigid_table.awk "$rows"
