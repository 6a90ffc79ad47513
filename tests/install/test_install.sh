#!/usr/bin/env bash
# Installs the release build to an empty directory and uses it as a stranger would. Prints TAP.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0
failed=0

# check NAME COMMAND...: shows what the command said if it fails
check()
{
    local name=$1 output
    shift
    count=$((count + 1))
    if output=$("$@" 2>&1); then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        printf '%s\n' "$output" | sed 's/^/# /'
        failed=1
    fi
}

install_to_destdir() { make -s -C "$root" install PREFIX=/opt/carom DESTDIR="$tmp/dest"; }
move_away() { mv "$tmp/dest/opt/carom" "$tmp/moved"; }
files_are_there()
{
    cd "$prefix" && ls bin/carom include/carom/carom.h "$lib/libcarom.a" "$lib/libcarom.so" "$lib/pkgconfig/carom.pc" \
        "$lib/cmake/carom/carom-config.cmake"
}
nothing_of_the_source_tree_is_named()
{
    ! grep -rIF "$root" "$prefix/$lib/pkgconfig" "$prefix/$lib/cmake" "$prefix/include"
}
command_runs() { [ "$("$prefix/bin/carom" --version)" = "carom $version" ]; }
prints_version() { [ "$(LD_LIBRARY_PATH=$prefix/$lib "$1")" = "$version" ]; }
shared_with_pkg_config()
{
    # shellcheck disable=SC2046
    cc -std=c17 "$tmp/use.c" $(pkg-config --cflags --libs carom) -o "$tmp/use_shared" && prints_version "$tmp/use_shared" &&
        readelf -d "$tmp/use_shared" | grep -q libcarom.so
}
static_with_pkg_config()
{
    mkdir -p "$tmp/only_static" && cp "$prefix/$lib/libcarom.a" "$tmp/only_static"
    # shellcheck disable=SC2046
    cc -std=c17 "$tmp/use.c" -L"$tmp/only_static" $(pkg-config --static --cflags --libs carom | sed "s,-lcarom,-l:libcarom.a,") -o "$tmp/use_static" &&
        prints_version "$tmp/use_static" && ! readelf -d "$tmp/use_static" | grep -q libcarom.so
}
with_cmake()
{
    cmake -S "$tmp/project" -B "$tmp/project/build" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$tmp/project/build" &&
        prints_version "$tmp/project/build/use_shared" && prints_version "$tmp/project/build/use_static"
}
with_cpp()
{
    for header in "$prefix"/include/carom/*.h; do # each by itself
        g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" -include "$header" -x c++ /dev/null || return
    done
    # shellcheck disable=SC2046
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "$tmp/use.cpp" $(pkg-config --cflags --libs carom) -o "$tmp/use_cpp" && prints_version "$tmp/use_cpp"
}
# block N FILE: the Nth fenced block of a page. -0.000 is 0.000.
block() { awk -v wanted="$1" '/^```/ { if (inside) inside = 0; else { inside = 1; n++ } next } inside && n == wanted' "$root/docs/$2"; }
unsigned_zeros() { sed 's/-\(0\.0*\)\([^0-9]\)/ \1\2/g'; }
# example NAME PAGE: examples/NAME.c is the first block of the page and prints the second.
example()
{
    # shellcheck disable=SC2046
    diff "$root/examples/$1.c" <(block 1 "$2") &&
        cc -std=c17 -Wall -Wextra -Wpedantic -Werror "$root/examples/$1.c" $(pkg-config --cflags --libs carom) -lm -o "$tmp/$1" &&
        LD_LIBRARY_PATH=$prefix/$lib "$tmp/$1" > "$tmp/$1.txt" && diff <(unsigned_zeros < "$tmp/$1.txt") <(block 2 "$2" | unsigned_zeros)
}

prefix=$tmp/moved # an installed tree can be moved
version=$(sed -n 's/^project(carom VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
cat > "$tmp/use.c" << 'END'
#include <stdio.h>

#include <carom/carom.h>

int main(void)
{
    caromModel *model = NULL;
    caromProblems problems = { 0 };
    const char *text = "carom: 1\nbodies: {ball: {material: steel, shape: {sphere: {radius: 1 m}}}}\n";
    if (carom_modelfile_read(text, __builtin_strlen(text), NULL, 0, &problems, &model) != CAROM_OK) return 1;
    carom_model_destroy(model);
    carom_problems_free(&problems);
    puts(carom_version());
    return 0;
}
END
cat > "$tmp/use.cpp" << 'END'
#include <cstdio>

#include <carom/carom.h>

int main()
{
    caromBuilder *b = carom_builder_create();
    caromJointDef joint = carom_model_joint_def("hinge", CAROM_JOINT_REVOLUTE);
    caromShapeDef shape = carom_model_shape_def(carom_shape_box(1, 1, 1));
    caromBodyDef body = carom_model_body_def("box");
    body.material = "steel";
    body.shapes = &shape;
    body.nshape = 1;
    carom_builder_body(b, &body);
    caromProblems problems = {};
    caromModel *model = nullptr;
    bool is_good = carom_builder_finish(b, &problems, &model) == CAROM_OK && joint.drive == CAROM_DRIVE_NONE &&
                   carom_norm(carom_cross(body.p_WB, body.v_WB)) == 0;
    carom_builder_destroy(b);
    carom_model_destroy(model);
    carom_problems_free(&problems);
    std::puts(is_good ? carom_version() : "?");
}
END
mkdir "$tmp/project"
cat > "$tmp/project/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.16)
project(use C)
find_package(carom 0.1 REQUIRED)
add_executable(use_shared ../use.c)
target_link_libraries(use_shared carom::carom)
add_executable(use_static ../use.c)
target_link_libraries(use_static carom::static)
END

check "make install to DESTDIR" install_to_destdir
check "the installed tree can be moved" move_away
lib=$(cd "$prefix" 2> /dev/null && dirname "$(find lib* -name libcarom.a)")
export PKG_CONFIG_PATH=$prefix/$lib/pkgconfig
check "files are where they belong" files_are_there
check "nothing of the source tree is named in what was installed" nothing_of_the_source_tree_is_named
check "the command runs from there" command_runs
check "a program uses the shared library by pkg-config" shared_with_pkg_config
check "a program uses the static library by pkg-config" static_with_pkg_config
check "a program uses both by find_package(carom)" with_cmake
check "examples/gap.c compiles, and prints what docs/collision.md says" example gap collision.md
check "examples/contact_world.c compiles, and prints what docs/contact-world.md says" example contact_world contact-world.md
if command -v g++ > /dev/null; then check "a C++ program uses it, and each header compiles as C++17" with_cpp; fi
echo "1..$count"
exit $failed
