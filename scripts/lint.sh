#!/usr/bin/env bash
# lint.sh check|format: clang-format and clang-tidy over our C files.
set -eu
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.c' '*.h')
if [ "$1" = format ]; then
    clang-format -i "${files[@]}"
    exit
fi
status=0
clang-format --dry-run -Werror "${files[@]}" || status=1
cmake --preset release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
mapfile -t sources < <(git ls-files 'src/*.c' 'cli/*.c')
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/release || status=1
exit $status
