#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures and builds, and is silent about it unless something is wrong.
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
cmake --preset "$preset" > "$log" 2>&1 || fail # each time, as setup.sh may have brought something since
cmake --build "build/$preset" ${*:+--target "$@"} > "$log" 2>&1 || fail
