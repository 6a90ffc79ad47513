#!/usr/bin/env bash
# setup.sh [build|test|lint|fuzz] -- installs what is missing for that, on Debian 12 and Ubuntu 24.04.
#
#   build   compile carom and its examples (the default)
#   test    also everything that `make test` runs: the viewer's tests need node and a browser
#   lint    also clang-format and clang-tidy
#   fuzz    also clang with libFuzzer
#
# What is there is found by looking for commands and files, not for packages: a node from elsewhere counts too. With nothing
# missing it takes a fraction of a second. On other systems it says what it needs and stops, unless all of it is there.
set -eu

level=${1:-build}
case $level in
build | test | lint | fuzz) ;;
*)
    echo "usage: scripts/setup.sh [build|test|lint|fuzz]" >&2
    exit 2
    ;;
esac

missing=() # Debian packages
unmet=()   # what has no package here

# need WHAT PACKAGES TEST...: unless the test succeeds, the packages are missing.
need()
{
    local what=$1 packages=$2
    shift 2
    "$@" > /dev/null 2>&1 && return
    echo "missing: $what"
    # shellcheck disable=SC2206
    missing+=($packages)
}

has_any()
{
    local name
    for name; do command -v "$name" && return; done
    return 1
}

has_header()
{
    local dir
    for dir in /usr/include /usr/local/include /usr/include/"$(uname -m)"-linux-gnu /opt/homebrew/include; do
        [ -e "$dir/$1" ] && return
    done
    return 1
}

has_module() # by pkg-config; without it nobody can say, and it will bring the question up again
{
    command -v pkg-config && pkg-config --exists "$1"
}

has_node() # 18 or later
{
    command -v node && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]
}

has_libfuzzer()
{
    local dir
    command -v clang && dir=$(clang -print-runtime-dir) && { [ -e "$dir/libclang_rt.fuzzer-$(uname -m).a" ] || [ -e "$dir/libclang_rt.fuzzer.a" ]; }
}

need "C compiler (gcc)" "gcc libc6-dev" has_any gcc cc
need "headers of the C library" libc6-dev has_header stdio.h
need make make has_any make
need cmake cmake has_any cmake
need ninja ninja-build has_any ninja
need pkg-config pkg-config has_any pkg-config
need ccache ccache has_any ccache
need "libyaml, reads model files" libyaml-dev has_module yaml-0.1
need "qhull, makes convex hulls" libqhull-dev has_module qhull_r
need "expat, reads 3MF files" libexpat1-dev has_module expat
need "zlib, unpacks them" zlib1g-dev has_module zlib
need "libpng, reads pictures of heights" libpng-dev has_module libpng
need "xxhash, tells files apart" libxxhash-dev has_module libxxhash
need "cmocka, runs the tests" libcmocka-dev has_module cmocka

if [ "$level" = test ]; then
    need "SUNDIALS, the independent check of the integrators" libsundials-dev has_header cvode/cvode.h
    need "node 18 or later, for the viewer's tests" nodejs has_node
    need npm npm has_any npm
    if ! has_any chromium chromium-browser google-chrome google-chrome-stable > /dev/null; then
        # On Ubuntu the package of that name only asks snap for it, which cannot work in a container or without snapd.
        if grep -qs '^ID=ubuntu' /etc/os-release; then
            unmet+=("a browser for the viewer's tests: on Ubuntu run 'sudo snap install chromium', or install google-chrome")
        else
            need "chromium, for the viewer's tests" chromium false
        fi
    fi
fi
if [ "$level" = lint ]; then
    need clang-format clang-format has_any clang-format
    need clang-tidy clang-tidy has_any clang-tidy
fi
if [ "$level" = fuzz ]; then
    need "clang with libFuzzer" "clang libclang-rt-dev" has_libfuzzer
fi

install_packages()
{
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo > /dev/null; then
            echo "setup: not root and no sudo; as root run: apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        root=(sudo)
    fi
    echo "setup: installing ${missing[*]}"
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o Dpkg::Use-Pty=0 "${missing[@]}" > "$log" 2>&1 || {
        cat "$log" >&2
        echo "setup: apt-get could not install ${missing[*]}" >&2
        return 1
    }
}

status=0
if [ ${#missing[@]} -gt 0 ]; then
    # Each package once, in order.
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | awk '!seen[$0]++')
    if command -v apt-get > /dev/null; then
        log=$(mktemp)
        trap 'rm -f "$log"' EXIT
        install_packages || status=1
    else
        echo "setup: this is not Debian or Ubuntu. Please install what is missing yourself;" >&2
        echo "setup: Debian calls the packages ${missing[*]}" >&2
        status=1
    fi
fi
for thing in ${unmet[@]+"${unmet[@]}"}; do
    echo "setup: please install $thing" >&2
    status=1
done
exit $status
