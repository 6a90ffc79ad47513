#!/usr/bin/env bash
# lint.sh check|format
#   check    clang-tidy (.clang-tidy), and text that no editor should leave behind: tabs, blanks at the end, very long lines
#   format   removes blanks at the end of lines; clang-format for the files in FILES, if given
# clang-format is not run over everything: it cannot keep products tight (a*b + c) nor tables of numbers aligned.
set -eu
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.c' '*.h')

if [ "$1" = format ]; then
    sed -i 's/[ \t]*$//' "${files[@]}"
    # shellcheck disable=SC2086
    [ -z "${FILES:-}" ] || clang-format -i $FILES
    exit
fi

status=0
awk '
    /\t/ { print FILENAME ":" FNR ": tab"; bad = 1 }
    /[ \r]$/ { print FILENAME ":" FNR ": blank at the end"; bad = 1 }
    length($0) > 190 { print FILENAME ":" FNR ": " length($0) " characters"; bad = 1 }
    END { exit bad }' "${files[@]}" || status=1
scripts/build.sh release
cmake --preset release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
git ls-files 'src/*.c' 'cli/*.c' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/release 2> /dev/null || status=1
[ $status != 0 ] || echo "lint: nothing found in ${#files[@]} files"
exit $status
