#!/usr/bin/env bash
# Simulates two examples and leaves their pages in out/.
set -eu
cd "$(dirname "$0")/.."
mkdir -p out
for name in four-cubes bouncing-ball; do
    build/release/carom run "examples/$name.yaml" -o "out/$name.carom"
    build/release/carom view "out/$name.carom" -o "out/$name.html" > /dev/null
    echo
done
echo "Pages to watch in a browser:"
for name in four-cubes bouncing-ball; do echo "  $PWD/out/$name.html"; done
