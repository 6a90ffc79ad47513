#!/usr/bin/env bash
# fuzz.sh SECONDS: each fuzz target for that long, from the seeds in tests/fuzz/corpus and tests/modelfile. What it finds new stays in build/fuzz/corpus.
# Then a million mutated mesh files, some minutes, the same ones on every machine.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
for program in build/fuzz/tests/fuzz_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    name=${program##*/fuzz_}
    corpus=build/fuzz/corpus/$name
    mkdir -p "$corpus"
    seeds=()
    for dir in "tests/fuzz/corpus/$name" "tests/modelfile/good" "tests/modelfile/bad"; do
        case $dir in tests/modelfile/*) [ "$name" = modelfile ] || continue ;; esac
        [ -d "$dir" ] && seeds+=("$dir")
    done
    echo "== $name, $seconds s"
    "$program" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/$name-" "$corpus" ${seeds[@]+"${seeds[@]}"} > "build/fuzz/$name.log" 2>&1 || {
        tail -n 60 "build/fuzz/$name.log" >&2
        echo "fuzz: $name found something, see build/fuzz/$name-*" >&2
        exit 1
    }
    grep -E 'stat::number_of_executed_units|stat::peak_rss_mb' "build/fuzz/$name.log"
done

echo "== mesh, a million mutated files"
build/fuzz/tests/mutate_mesh 2 1000000 0 tests/fuzz/corpus/mesh
