#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures on first use, builds, and is silent about it unless something is wrong.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
log=build/$preset.log
mkdir -p build
fail()
{
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log" >&2
    echo "build: $preset failed" >&2
    exit 1
}
echo "building $preset${*:+ ($*)}"
if [ ! -e "build/$preset/build.ninja" ]; then cmake --preset "$preset" > "$log" 2>&1 || fail; fi
cmake --build "build/$preset" ${*:+--target "$@"} > "$log" 2>&1 || fail
