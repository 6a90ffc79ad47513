#!/usr/bin/env bash
# Is the order of rooms kept, and would we notice if not? Prints TAP.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
check=$root/scripts/check-rooms.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0
failed=0

report() # STATUS NAME
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; failed=1; fi
}

# expect FOUND|FINE FILE LINE: a tree with just that file and line
expect()
{
    rm -rf "$tmp/tree"
    mkdir -p "$tmp/tree/$(dirname "$2")"
    printf '// first line\n%s\n' "$3" > "$tmp/tree/$2"
    output=$("$check" "$tmp/tree" 2>&1)
    status=$?
    if [ "$1" = FINE ]; then
        [ $status = 0 ] && [ -z "$output" ]
    else
        [ $status != 0 ] && [[ $output == "$2:2: "* ]]
    fi
    result=$?
    report $result "$1: $2 with $3"
    [ $result = 0 ] || echo "# status $status, said: $output"
}

output=$("$check" "$root" 2>&1)
status=$?
report $status "the order of rooms is kept"
[ -z "$output" ] || printf '%s\n' "$output" | sed 's/^/# /'

expect FINE  src/collide/update.c '#include "model/model.h"'
expect FINE  src/collide/update.c '#include "carom/base.h"'
expect FINE  src/collide/update.c '#include "collide/collide.h"'
expect FINE  src/narrow/gjk.c '#include "carom/collide.h"'
expect FINE  src/patch/pairs.c '#include "meshgap/meshgap.h"'
expect FINE  src/manifold/mesh.c '#include "narrow/convex.h"'
expect FINE  src/results/write.c '#include <sys/stat.h>'
expect FINE  include/carom/carom.h '#include "carom/results.h"'
expect FINE  cli/run.c '#include "carom/carom.h"'
expect FINE  cli/run.c '#include "cli.h"'
expect FOUND src/model/build.c '#include "collide/collide.h"'
expect FOUND src/model/build.c '  #  include "carom/sim.h"'
expect FOUND src/model/build.c '#include <sim/sim.h>'
expect FOUND src/narrow/gjk.c '#include "collide/collide.h"'
expect FOUND src/meshgap/convex.c '#include "collide/collide.h"'
expect FOUND src/collide/query.c '#include "patch/patch.h"'
expect FOUND src/patch/pairs.c '#include "sweep/clear.h"'
expect FOUND src/kinematics/kinematics.c '#include "carom/collide.h"'
expect FOUND src/contact/law.c '#include "carom/impact.h"'
expect FOUND src/impact/law.c '#include "contact/contact.h"'
expect FOUND src/model/build.c '#include "../collide/collide.h"'
expect FOUND src/model/build.c '#include "carom/carom.h"'
expect FOUND src/model/build.c '#include "nowhere/x.h"'
expect FOUND include/carom/model.h '#include "carom/results.h"'
expect FOUND include/carom/model.h '#include "model/model.h"'
expect FOUND cli/run.c '#include "results/results.h"'
expect FOUND bind/fmi/fmu.c '#include "base/base.h"'
echo "1..$count"
exit $failed
