#!/usr/bin/env bash
# lint.sh check|text|format
#   text     what can be seen in the text (scripts/lint/*.awk), in a second: columns and blanks, names of functions and
#            types, grain; text DIR looks at another tree
#   check    that, and clang-tidy (.clang-tidy)
#   format   removes blanks at the end of lines; clang-format for the files in FILES, if given
# clang-format is not run over everything: it cannot keep products tight (a*b + c) nor tables of numbers aligned.
set -eu
rules=$(cd "$(dirname "$0")" && pwd)/lint
cd "${2:-$(dirname "$0")/..}"

# files FOLDER...: C files below these
files() { find "$@" \( -name '*.c' -o -name '*.h' \) -print 2> /dev/null | LC_ALL=C sort; }

status=0
# rule NAME FILE...: nothing to look at is nothing found
rule()
{
    local name=$1
    shift
    [ $# = 0 ] || LC_ALL=C awk -f "$rules/$name.awk" "$@" || status=1
}

look_at_text()
{
    local all rooms inner
    mapfile -t all < <(files src include cli tests bench examples bind)
    mapfile -t rooms < <(files src)
    mapfile -t inner < <(files src include cli)
    rule text "${all[@]}"
    rule names scripts/rooms.txt "${rooms[@]}"
    rule types "${inner[@]}"
    rule grain "${inner[@]}"
}

case $1 in
text)
    look_at_text
    ;;
check)
    look_at_text
    scripts/build.sh release
    cmake --preset release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
    git ls-files 'src/*.c' 'cli/*.c' |
        xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/release 2> /dev/null || status=1
    ;;
format)
    files src include cli tests bench examples bind | xargs sed -i 's/[ \t]*$//'
    # shellcheck disable=SC2086
    [ -z "${FILES:-}" ] || clang-format -i $FILES
    exit
    ;;
esac
[ $status != 0 ] || echo "lint: nothing found"
exit $status
