#!/usr/bin/env bash
# Queries between meshes: carom and the peers that are installed (bench/peers/run.sh) answer the same cases in turn.
#   MESH_ROUNDS   how often each is run; the least time counts (default 3)
set -eu
cd "$(dirname "$0")/.."
program=build/release/bench/bench_mesh maker=build/release/bench/mesh_cases
export MESHES=$PWD/build/mesh/cases.bin
rows=build/mesh/rows.txt
mkdir -p build/mesh
if ! [ "$MESHES" -nt bench/mesh_cases.c ] || ! [ "$MESHES" -nt bench/mesh.h ]; then
    "$maker" "$MESHES.new"
    mv "$MESHES.new" "$MESHES"
fi
: > "$rows"
for ((round = 0; round < ${MESH_ROUNDS:-3}; round++)); do
    "$program" "$MESHES" >> "$rows"
    # The second round skips what the first one did; once is enough to say so.
    if [ "$round" = 0 ]; then bench/peers/run.sh mesh >> "$rows"
    else bench/peers/run.sh mesh >> "$rows" 2> /dev/null; fi
done
awk -f bench/mesh_table.awk "$rows"
