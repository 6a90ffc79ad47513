#!/usr/bin/env bash
# mutants.sh: does a test notice when a line of the rooms that decide is wrong?
#
# One-line mutants (mutants.awk) of the files in mutants.rooms are compiled one by one and run against the tests of
# their room. A mutant is killed by the first test that fails, crashes or needs five times its CPU time. Survivors that
# mutants.equivalent explains are named with the reason; one that nothing explains makes the status 1.
#
#   MUTANTS=n        how many, of a sample that SEED chooses (default 240; SEED 1)
#   MUTANT_FILES=..  only these files
#   MUTANT_JOBS=n    at a time (default: one per core)
#   AGAIN=1          tests once more what survived before. Verdicts are kept in build/mutants until their file changes.
#
# Out: build/mutants/report.txt
#
# Tests link a shared library whose functions can all be replaced (preset mutants): a mutant is one file (of a header:
# those that see what it defines), compiled to a small library that is loaded first. One that compiles to the same code
# as the original counts as no mutant.
set -eu
cd "$(dirname "$0")/.."
build=$PWD/build/mutants
out=$build/run
verdicts=$build/verdicts.txt
report=$build/report.txt
mkdir -p "$out"
touch "$verdicts"
renice -n 10 $$ > /dev/null 2>&1 || true
ulimit -c 0

rooms() { grep -v '^#' scripts/mutants.rooms | awk 'NF > 2'; }

# room_of FILE: its name and the expression for its tests
room_of()
{
    local room tests files pattern
    while read -r room tests files; do
        for pattern in $files; do
            # shellcheck disable=SC2254
            case $1 in $pattern) echo "$room $tests"; return ;; esac
        done
    done < <(set -f; rooms)
}

list_files()
{
    if [ -n "${MUTANT_FILES:-}" ]; then echo "$MUTANT_FILES" | tr ' ' '\n'; return; fi
    rooms | while read -r _ _ files; do ls $files; done
}

test_names() { ctest --test-dir "$build" -N -R "$1" | sed -n 's/^ *Test *#[0-9]*: //p'; }

build_tests()
{
    local room tests files
    cmake --preset mutants > "$build.log" 2>&1
    while read -r room tests files; do test_names "$tests" > "$out/tests.$room"; done < <(set -f; rooms)
    cat "$out"/tests.* | sort -u > "$out/tests"
    sed 's/^/test_/' "$out/tests" | xargs cmake --build "$build" --target >> "$build.log" 2>&1 ||
        { tail -n 20 "$build.log" >&2; exit 1; }
}

program_of() { find "$build/tests" -name "test_$1" -type f -perm -u+x -print -quit; }

# run SECONDS LIBRARY PROGRAM: within so much CPU time, with the functions of the library instead of carom's
run()
{
    (
        ulimit -t "$1"
        ulimit -v 4000000
        CMOCKA_TEST_ABORT=1 CAROM_CACHE_DIR='' LD_PRELOAD=$2 exec "$3"
    ) > /dev/null 2>&1
}

# What each test needs unmutated [s of CPU]; one that fails as it is says nothing about mutants.
measure_tests()
{
    local name program seconds
    touch "$out/times"
    while read -r name; do
        grep -q "^$name " "$out/times" && continue
        program=$(program_of "$name")
        if seconds=$( { TIMEFORMAT=%U; time run 600 '' "$program"; } 2>&1 ); then
            echo "$name $seconds $program" >> "$out/times"
        else
            echo "mutants: $name fails without a mutant, left out" >&2
        fi
    done < "$out/tests"
}

compile_command() # FILE: without warnings and without -o and -c
{
    grep '"command"' "$build/compile_commands.json" | grep -F -- "-c $PWD/$1\"" |
        sed -E 's/^ *"command": "//; s/",?$//; s/\\(.)/\1/g; s/ -o .*//; s/ -W[a-z][^ ]*//g; s/^[^ ]*ccache //'
}

# Tests of a room in the order in which they promise a kill soonest: what they killed of this file, over what they cost.
order_tests() # ROOM FILE
{
    awk -F '\t' -v room="$out/tests.$1" -v times="$out/times" -v file="$2" '
        $2 == file && $6 == "killed" { kills[$7]++; all++ }
        END {
            while ((getline line < times) > 0) { split(line, t, " "); cost[t[1]] = t[2] + 0.02; program[t[1]] = t[3] }
            while ((getline name < room) > 0) {
                if (!(name in cost)) continue
                promise = (kills[name] + 0.3)/(all + 1)/cost[name]
                printf "%.9f %s %d %s\n", promise, name, 5*cost[name] + 3, program[name]
            }
        }' "$verdicts" | sort -k1,1gr -k2,2
}

base_of() { echo "$out/base/${1%.c}.o"; }

# users_of HEADER: files of the library that include it, directly or not
users_of()
{
    ninja -C "$build" -t deps | awk -v header="/$1" '
        /^[^ ]/ { object = $1 }
        index(object, "carom_objects.dir/") && substr($1, length($1) - length(header) + 1) == header {
            sub(/.*carom_objects.dir\//, "", object); sub(/[.]o:$/, "", object); print object; object = ""
        }'
}

# compile_users DIR HEADER LINE: the mutated header stands below DIR/include; all files that see what its line defines
compile_users()
{
    local dir=$1 file names objects=()
    names=$(sed -n "$3p" "$2" | grep -oE '\bCAROM_[A-Z0-9_]+' | paste -sd '|')
    grep -qE "\b($names)\b" $(ls src/*/*.h | grep -vxF "$2") && names=include  # another header uses it
    while read -r file; do
        objects+=("$dir/$(echo "$file" | tr / _).o")
        eval "$(compile_command "$file" | sed "s| | -I$dir/include |") -w -o ${objects[-1]} -c $file" 2> /dev/null ||
            return 1
    done < <(users_of "$2" | xargs grep -lE "\b($names)\b")
    cc -shared -o "$dir/mutant.so" "${objects[@]}"
}

# judge DIR FILE LINE COLUMN LENGTH BY: says the verdict, and who
judge()
{
    local dir=$1 file=$2 mutant room name limit program
    mutant=$dir/include/${file#src/}
    mkdir -p "$(dirname "$mutant")"
    read -r room _ <<< "$(room_of "$file")"
    awk -v n="$3" -v column="$4" -v len="$5" -v by="$6" '
        NR == n { $0 = substr($0, 1, column - 1) by substr($0, column + len) }
        { print }' "$file" > "$mutant"
    if [ "${file%.h}" = "$file" ]; then
        eval "$(compile_command "$file") -w -o $dir/mutant.o -c $mutant" 2> /dev/null || { echo "compile -"; return; }
        if cmp -s "$dir/mutant.o" "$(base_of "$file")"; then echo "same -"; return; fi
        cc -shared -o "$dir/mutant.so" "$dir/mutant.o"
    else
        compile_users "$dir" "$file" "$3" || { echo "compile -"; return; }
    fi
    rm "$mutant"
    while read -r _ name limit program; do
        run "$limit" "$dir/mutant.so" "$program" || { echo "killed $name"; return; }
    done < <(order_tests "$room" "$file")
    echo "survived -"
}

# Objects of the files as they are, compiled as mutants are.
compile_originals()
{
    local file
    while read -r file; do
        [ "${file%.h}" = "$file" ] || continue
        mkdir -p "$out/base/$(dirname "$file")"
        cp "$file" "$out/base/$file"
        eval "$(compile_command "$file") -w -o $(base_of "$file") -c $out/base/$file"
    done < "$out/files"
}

worker() # NUMBER OF
{
    local dir=$out/worker$1 number=0 _rank hash file line column len by marked stamp verdict who
    mkdir -p "$dir"
    while IFS=$'\t' read -r _rank hash file line column len by marked; do
        number=$((number + 1))
        [ $((number % $2)) = "$1" ] || continue
        stamp=$(cksum < "$file" | cut -d ' ' -f 1)
        grep -qF "$stamp"$'\t'"$file"$'\t'"$line"$'\t'"$hash"$'\t'"$marked"$'\t' "$verdicts" && continue
        read -r verdict who <<< "$(judge "$dir" "$file" "$line" "$column" "$len" "$by")"
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$stamp" "$file" "$line" "$hash" "$marked" "$verdict" "$who" \
            >> "$verdicts"
    done < "$out/sample"
}

# What is written about the mutants of this sample: counts, then survivors, first those nobody has explained.
write_report()
{
    local file
    while read -r file; do
        echo "$file $(cksum < "$file" | cut -d ' ' -f 1) $(room_of "$file")"
    done < "$out/files" > "$out/stamps"
    awk -F '\t' -v sample="$out/sample" -v stamps="$out/stamps" -v known=scripts/mutants.equivalent '
        BEGIN {
            while ((getline line < stamps) > 0) { split(line, s, " "); stamp[s[1]] = s[2]; room[s[1]] = s[3] }
            while ((getline line < known) > 0) {
                if (line ~ /^#/ || line == "") continue
                if (line ~ /^ /) { sub(/^ +/, "", line); why[n] = why[n] (why[n] == "" ? "" : " ") line; continue }
                at = index(line, ": ")
                known_file[++n] = substr(line, 1, at - 1); known_text[n] = substr(line, at + 2)
            }
            while ((getline line < sample) > 0) { split(line, s, "\t"); wanted[s[3] "\t" s[4] "\t" s[2] "\t" s[8]] = 1 }
        }
        stamp[$2] == $1 && (($2 "\t" $3 "\t" $4 "\t" $5) in wanted) {
            if ($6 == "compile" || $6 == "same") { none++; next }
            all[room[$2]]++; total++
            if ($6 != "survived") next
            for (k = 1; k <= n; k++) if (known_file[k] == $2 && index($5, known_text[k])) break
            if (k <= n) { same[room[$2]]++; explained++; named = named $2 ":" $3 "\n    " $5 "\n    " why[k] "\n" }
            else { left[room[$2]]++; survivors++; unknown = unknown $2 ":" $3 "\n    " $5 "\n" }
        }
        END {
            printf "%d mutants, %d killed, %d named in mutants.equivalent, %d survive (%.1f %%); ",
                   total, total - explained - survivors, explained, survivors, total ? 100*survivors/total : 0
            printf "%d more are no mutants (they do not compile, or to the same code)\n", none
            for (r in all) printf "    %-12s %4d mutants, %3d named, %3d survive\n", r, all[r], same[r], left[r]
            if (unknown != "") printf "\nsurvive\n%s", unknown
            if (named != "") printf "\nnamed\n%s", named
            exit survivors > 0
        }' "$verdicts" > "$report"
}

build_tests
measure_tests
list_files | sort -u > "$out/files"
compile_originals
# shellcheck disable=SC2046
awk -v seed="${SEED:-1}" -f scripts/mutants.awk $(cat "$out/files") | sort -t $'\t' -k1,1n -k2,2n |
    head -n "${MUTANTS:-240}" > "$out/sample"
if [ -n "${AGAIN:-}" ]; then
    awk -F '\t' '$6 != "survived"' "$verdicts" > "$verdicts.new" && mv "$verdicts.new" "$verdicts"
fi
jobs=${MUTANT_JOBS:-$(nproc)}
for ((w = 0; w < jobs; w++)); do worker "$w" "$jobs" & done
wait
status=0
write_report || status=1
cat "$report"
exit $status
