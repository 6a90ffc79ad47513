#!/usr/bin/env bash
# Is the text of the tree as it should be, and would we notice if not? Prints TAP.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0
failed=0

report() # STATUS NAME
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; failed=1; fi
}

# begin: a tree with a room `one` (word one), a room `two` (words two and pair) and a room `free` (no word), all empty
begin()
{
    rm -rf "$tmp/tree"
    mkdir -p "$tmp/tree/scripts" "$tmp/tree/src/one" "$tmp/tree/src/two" "$tmp/tree/src/free" "$tmp/tree/tests"
    printf 'one one\ntwo two pair  # a comment\nfree -\n' > "$tmp/tree/scripts/rooms.txt"
}

# put FILE LINE...: a line each
put()
{
    local file=$tmp/tree/$1
    shift
    printf '%s\n' "$@" >> "$file"
}

# fine NAME / found NAME TEXT: what lint says of the tree
fine()
{
    output=$("$root/scripts/lint.sh" text "$tmp/tree" 2>&1)
    status=$?
    report $status "$1"
    [ $status = 0 ] || printf '%s\n' "$output" | sed 's/^/# /'
}

found()
{
    output=$("$root/scripts/lint.sh" text "$tmp/tree" 2>&1)
    status=$?
    [ $status != 0 ] && [[ $output == *"$2"* ]]
    result=$?
    report $result "$1"
    [ $result = 0 ] || { echo "# status $status, expected $2, said:"; printf '%s\n' "$output" | sed 's/^/# /'; }
}

wide() { printf "%$1s" '' | tr ' ' "$2"; }                # N characters
lines() { for ((i = 0; i < $1; i++)); do echo "$2"; done; }

begin; put src/one/a.c "// $(wide 117 x)" '' "    { $(wide 150 1) }," "  1.5, -2e3, $(wide 120 7),"
fine "120 columns, and wider rows of tables"
begin; put src/one/a.c 'int x;' "// $(wide 118 x)"
found "a comment of 121 columns" "src/one/a.c:2: 121 columns"
begin; put tests/a.c "    { $(wide 190 1) },"
found "a row of more than 190 columns" "tests/a.c:1: "
begin; put tests/a.c "    call(\"$(wide 120 x)\");"
found "a string that is too wide" "tests/a.c:1: 133 columns"
begin; put tests/a.c $'\tint x;'
found "a tab" "tests/a.c:1: tab"
begin; put tests/a.c 'int x; '
found "a blank at the end" "tests/a.c:1: blank at the end"

begin; put src/one/a.c 'int carom_one_at(int x)' '{' '}' 'static int any(void)' '{' '}' 'int carom_elsewhere_at(int x);'
put src/two/a.h 'static inline int carom_pair_of(int x)' '{' '}'; put src/free/a.c 'int carom_add(int x)' '{' '}'
fine "functions with a word of their room"
begin; put src/one/a.c 'int carom_two_at(int x)' '{' '}'
found "the word of another room" "src/one/a.c:1: carom_two_at does not carry a word of its room (one)"
begin; put src/one/a.c 'caromThing *carom_oneness(int x,' '                           int y)' '{' '}'
found "a word that only begins like that of the room, in a signature of two lines" "src/one/a.c:1: carom_oneness"
begin; put src/two/a.h 'static inline int find(int x)' '{' '}'
found "a function of a header without a word" "src/two/a.h:1: find"
begin; echo 'three one' >> "$tmp/tree/scripts/rooms.txt"
put src/one/a.c 'int x;'
found "a word in two rooms" "word one belongs to one and to three"
begin; echo 'three 3 4 5 6 7' >> "$tmp/tree/scripts/rooms.txt"
put src/one/a.c 'int x;'
found "five words in a room" "room three has 5 words"
begin; mkdir "$tmp/tree/src/new"; put src/new/a.c 'int x;'
found "a room without words" "room new is not in rooms.txt"

begin; put src/one/a.h 'typedef struct caromA caromA;' 'struct caromA {' '    int x;' '};'
put src/one/a.h 'typedef int (*caromVisit)(int x);' 'typedef double caromRow[3];'
put src/one/b.c 'typedef struct caromA caromA;' 'typedef struct Pair {' '    int x;' '} Pair;'
put src/one/b.c 'typedef enum Kind { A, B } Kind;'
fine "each type defined once"
begin; put src/one/a.h 'typedef struct caromA caromA;'
put src/one/b.c 'struct caromA {' '    int x;' '};'; put src/one/c.c 'struct caromA {' '    int y;' '};'
fine "two ways to do what is announced without its members"
begin; put src/one/b.c 'struct caromA {' '    int x;' '};'; put src/one/c.c 'struct caromA {' '    int y;' '};'
found "two structs of one name that nobody announced" "src/one/c.c:1: type caromA is defined at src/one/b.c:1 too"
begin; put src/one/a.c 'typedef struct Pair {' '    int x;' '} Pair;'
put src/two/b.c 'typedef enum Pair { A, B } Pair;'
found "two types of one name in two files" "src/two/b.c:1: type Pair is defined at src/one/a.c:1 too"
begin; put src/one/a.h 'typedef struct {' '    int x;' '} caromA;'; put src/two/b.h 'typedef int caromA[3];'
found "an array and a nameless struct of one name" "src/two/b.h:1: type caromA is defined at src/one/a.h:3 too"
begin; put src/one/a.h 'typedef int (*caromVisit)(int x);'; put src/two/b.h 'typedef int (*caromVisit)(double x);'
found "two types of functions of one name" "type caromVisit"

begin; put src/one/a.c 'int carom_one_a(int a, int (*b)(int, int), int c, int d, int e, int f)' '{'
put src/one/a.c "$(lines 5 '    a++;')" '}'
fine "a short function of six parameters"
begin; put src/one/a.c 'int carom_one_a(int a, int b, int c, int d,' '                int e, int f, int g)' '{' '}'
found "seven parameters" "src/one/a.c:1: carom_one_a has 7 parameters, at most 6"
begin; put src/one/a.c 'static int a(int b)' '{' "$(lines 58 '    b++;')" '}'
put src/one/a.c "$(for i in $(seq 30); do printf 'static int f%d(void)\n{\n    return 0;\n}\n' "$i"; done)"
found "61 lines" "src/one/a.c:1: a has 61 lines, at most 60"
begin; put src/one/a.c 'static int a(int b)' '{' "$(lines 8 '    b++;')" '}'
found "a median above 9" "grain: expected a median of at most 9 lines"
begin; for i in $(seq 9); do put src/one/a.c "static int f$i(void)" '{' '    return 0;' '}'; done
put src/one/a.c 'static int a(int b)' '{' "$(lines 20 '    b++;')" '}'
found "one function in ten above 22 lines" "95 % within 23"
begin; put src/one/a.c "$(lines 601 'int x;')"
found "601 lines in a file" "src/one/a.c: 601 lines, at most 600"
begin; put src/one/a.h 'typedef struct caromA {' "$(lines 15 '    int a, *b;')" '} caromA;'
fine "a struct of 30 members"
begin; put src/one/a.h 'typedef struct caromA {' "$(lines 15 '    int a, *b;')"
put src/one/a.h '    struct { int c, d; } e;' '} caromA;'
found "31 members, one of them a struct" "src/one/a.h:1: struct with 31 members, at most 30"
begin; put src/one/a.h 'struct caromA {' "$(lines 31 '    int (*a)(int x, int y);')" '};'
found "31 functions in a table" "src/one/a.h:1: struct with 31 members, at most 30"

echo "1..$count"
exit $failed
