#!/usr/bin/env bash
# Every example passes `carom check` and runs to its end: test_examples.sh CAROM
set -eu
carom=$1
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for model in examples/*.yaml; do
    "$carom" check "$model" > /dev/null
    "$carom" run "$model" --quiet -o "$folder/run.carom"
    "$carom" view "$folder/run.carom" -o "$folder/run.html" > /dev/null
    echo "ran $model"
done
