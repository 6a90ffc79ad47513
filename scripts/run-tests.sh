#!/usr/bin/env bash
# Runs every test there is and adds up their cases. A line for each program that passes, all it said for one that fails;
# the last line is "N passed, N failed". The status is 0 only if nothing failed.
set -u
cd "$(dirname "$0")/.." || exit 1
logs=$PWD/out/test-logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0
failed=0

# add NAME PASSED FAILED LOG
add()
{
    passed=$((passed + $2))
    failed=$((failed + $3))
    if [ "$3" = 0 ]; then
        printf 'ok      %-28s %4d passed\n' "$1" "$2"
    else
        printf 'FAILED  %-28s %4d passed, %d failed\n' "$1" "$2" "$3"
        cat "$4"
    fi
}

# A program that fails without saying which case did (it crashed, or could not be started) is one failed case.
settle() { if [ "$1" != 0 ] && [ "$2" = 0 ]; then echo 1; else echo "$2"; fi; }

# step NAME COMMAND...: one case
step()
{
    local name=$1 log status
    shift
    log=$logs/${name//[ \/]/-}.log
    "$@" > "$log" 2>&1
    status=$?
    if [ $status = 0 ]; then add "$name" 1 0 "$log"; else add "$name" 0 1 "$log"; fi
    return $status
}

# first NAME COMMAND...: what the tests behind it need; counts only if it fails
first()
{
    local name=$1 log
    shift
    log=$logs/${name//[ \/]/-}.log
    "$@" > "$log" 2>&1 && return
    add "$name" 0 1 "$log"
    return 1
}

# tap NAME COMMAND...: lines "ok" and "not ok"
tap()
{
    local name=$1 log status p f
    shift
    log=$logs/${name//[ \/]/-}.log
    "$@" > "$log" 2>&1
    status=$?
    p=$(grep -c '^ok ' "$log")
    f=$(grep -c '^not ok ' "$log")
    add "$name" "$p" "$(settle $status "$f")" "$log"
}

# node_test NAME COMMAND...: node's runner, which ends with "# pass N" and "# fail N"
node_test()
{
    local name=$1 log status p f
    shift
    log=$logs/${name//[ \/]/-}.log
    "$@" > "$log" 2>&1
    status=$?
    p=$(sed -nE 's/^(#|ℹ) pass ([0-9]+)$/\2/p' "$log" | tail -n 1)
    f=$(sed -nE 's/^(#|ℹ) (fail|cancelled) ([0-9]+)$/\3/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    add "$name" "${p:-0}" "$(settle $status "$f")" "$log"
}

# ctest_preset PRESET: a line for each of its programs. cmocka says how many cases passed and failed; other programs are one case.
ctest_preset()
{
    local preset=$1 log=$logs/ctest-$1.log dir=$logs/$1 name p f
    mkdir -p "$dir"
    # A loop without end is known by what it takes of a processor, which does not depend on who else works there; the hour is for one that only waits.
    (ulimit -t 300; ctest --preset "$preset" -V --timeout 3600) > "$log" 2>&1
    awk -v dir="$dir" '
        /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
            match($0, /#[0-9]+/); id = substr($0, RSTART + 1, RLENGTH - 1)
            match($0, /: [^ ]+/); name = substr($0, RSTART + 2, RLENGTH - 2)
            is_good = $0 ~ /   Passed  /
            if (!is_good && failed[id] == 0) failed[id] = 1
            if (is_good && passed[id] + failed[id] == 0) passed[id] = 1
            print name, passed[id] + 0, failed[id] + 0
            file = dir "/" name ".log"
            printf "%s", said[id] > file
            print $0 > file
            close(file)
            next
        }
        /^[0-9]+: / {
            id = $0; sub(/:.*/, "", id)
            line = $0; sub(/^[0-9]+: /, "", line)
            said[id] = said[id] line "\n"
            if (match(line, /^\[  PASSED  \] [0-9]+ test/)) passed[id] += substr(line, 14)
            if (match(line, /^\[  FAILED  \] [0-9]+ test/)) failed[id] += substr(line, 14)
        }' "$log" > "$dir/counts"
    if [ ! -s "$dir/counts" ]; then
        add "$preset: ctest" 0 1 "$log"
        return
    fi
    while read -r name p f; do add "$preset: $name" "$p" "$f" "$dir/$name.log"; done < <(sort "$dir/counts")
}

install_viewer() # npm ci only when the list of packages changed
(
    cd viewer && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund; }
)
viewer_tests()
(
    cd viewer && CAROM_PAGE=$OLDPWD/out/four-cubes.html npm test
)

# Steps that keep only one core busy.
installed_and_viewed()
{
    tap "install" tests/install/test_install.sh
    step "demo" scripts/demo.sh
    [ -e viewer/package.json ] && first "viewer packages" install_viewer || return
    step "page template" node viewer/build.mjs --check
    node_test "viewer" viewer_tests
}

# aside COMMAND...: while other steps run; settle_aside waits for it, shows what it said and adds what it counted.
aside()
{
    (
        passed=0
        failed=0
        "$@"
        echo "$passed $failed" > "$logs/aside.counts"
    ) > "$logs/aside.txt" 2>&1 &
}
settle_aside()
{
    local p f
    wait
    cat "$logs/aside.txt"
    read -r p f < "$logs/aside.counts" || p=0 f=1
    passed=$((passed + p))
    failed=$((failed + f))
}

tap "order of rooms" tests/scripts/test_check_rooms.sh
tap "rules of the text" tests/scripts/test_lint.sh
step "text" scripts/lint.sh text
first "build release" scripts/build.sh release && ctest_preset release
aside installed_and_viewed
first "build sanitize" scripts/build.sh sanitize && ctest_preset sanitize
settle_aside

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
