#!/usr/bin/env bash
# run.sh [PEER...]: builds the programs of the peers that are installed, into build/peers, and runs them. Rows go to stdout (harness.hpp
# says what is in them); what is skipped, and how to install it, goes to stderr. carom itself needs none of them.
# The peers collide-* answer the cases in the file CASES (bench/collide.h), mesh-* those in MESHES (bench/mesh.h); broad-* take the steps of bench/broad.h, huntcrossley-* drop the ball of
# bench/huntcrossley.h, rigid-* play the scenes of bench/rigid.h.
#   CXX, CXXFLAGS      compiler and flags; default g++ -O2, as carom is built
#   PINOCCHIO_PREFIX   where its include/pinocchio is; default: that of the Python package `pin`
#   COAL_PREFIX        where its include/coal is; default: that of the Python package `coal`, which is fetched into build/peers/coal-venv if it is nowhere
#   SICONOS_PREFIX     where its include/siconos is; default /usr
#   PYTHON             whose packages are searched for them
#   CASES              for collide-*; default build/collide/cases.txt
#   MESHES             for mesh-*; default build/mesh/cases.bin
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../build/peers
mkdir -p "$out"
CXX=${CXX:-g++}
CXXFLAGS=${CXXFLAGS:--O2}
cases=${CASES:-$here/../../build/collide/cases.txt}
meshes=${MESHES:-$here/../../build/mesh/cases.bin}

# is_newer FILE SOURCE...: than all of them.
is_newer()
{
    local file=$1 source
    shift
    for source; do [ "$file" -nt "$source" ] || return 1; done
}

# build NAME SOURCE FLAGS...: only when a source is newer. Its messages are in build/peers/NAME.log.
build()
{
    local name=$1 source=$here/$2.cpp headers=("$here/harness.hpp" "$here/../scenes.h")
    [[ $2 != collide_* ]] || headers=("$here/../collide.h")
    [[ $2 != mesh_* ]] || headers=("$here/../mesh.h")
    [[ $2 != broad_* ]] || headers=("$here/../broad.h")
    [[ $2 != huntcrossley_* ]] || headers=("$here/../huntcrossley.h")
    [[ $2 != rigid_* ]] || headers=("$here/../rigid.h")
    shift 2
    ! is_newer "$out/$name" "$source" "${headers[@]}" || return 0
    echo "building $name" >&2
    # shellcheck disable=SC2086
    "$CXX" $CXXFLAGS "$source" "$@" -std=c++17 -o "$out/$name" > "$out/$name.log" 2>&1 || {
        echo "$name: does not build, see build/peers/$name.log" >&2
        return 1
    }
}

run()
{
    "$out/$@" 2> "$out/$1.messages" || echo "$1: stopped, see build/peers/$1.messages" >&2
}

skip()
{
    echo "$1: not installed, skipped ($2)" >&2
}

# Header and pkg-config name decide; the flags are pkg-config's.
bullet()
{
    pkg-config --exists bullet-float64 || { skip bullet "apt-get install libbullet-dev"; return; }
    # shellcheck disable=SC2046
    build bullet bullet -DNDEBUG $(pkg-config --cflags --libs bullet-float64) && run bullet
}

# Without NDEBUG: the package was built without, and classes differ.
simbody()
{
    pkg-config --exists simbody || { skip simbody "apt-get install libsimbody-dev"; return; }
    # shellcheck disable=SC2046
    build simbody simbody $(pkg-config --cflags --libs simbody) && run simbody
}

dart()
{
    if ! pkg-config --exists dart || ! echo '#include <dart/dart.hpp>' | "$CXX" -E -x c++ $(pkg-config --cflags dart) - > /dev/null 2>&1; then
        skip dart "apt-get install libdart-dev libdart-external-ikfast-dev"
        return
    fi
    # shellcheck disable=SC2046
    build dart dart -DNDEBUG $(pkg-config --cflags --libs dart) && run dart
}

mujoco()
{
    echo '#include <mujoco/mujoco.h>' | "$CXX" -E -x c++ - > /dev/null 2>&1 || { skip mujoco "apt-get install libmujoco-dev"; return; }
    build mujoco mujoco -DNDEBUG -lmujoco && run mujoco
}

# Twice: as everything else here, and as its authors measure it. Each takes minutes to build.
pinocchio()
{
    local prefix=${PINOCCHIO_PREFIX:-$("${PYTHON:-python3}" -c 'import sysconfig; print(sysconfig.get_path("purelib") + "/cmeel.prefix")' 2> /dev/null)}
    if ! [ -f "$prefix/include/pinocchio/algorithm/aba.hpp" ] || ! pkg-config --exists eigen3; then
        skip pinocchio "pip install pin; apt-get install libeigen3-dev"
        return
    fi
    local eigen
    read -ra eigen <<< "$(pkg-config --cflags eigen3)"
    local flags=(-DNDEBUG -w -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
        -DBOOST_FUSION_INVOKE_MAX_ARITY=12 "-I$prefix/include" "${eigen[@]}")
    build pinocchio pinocchio "${flags[@]}" && run pinocchio
    build pinocchio-native pinocchio "${flags[@]}" -O3 -march=native '-DPEER="pinocchio-O3n"' && run pinocchio-native
}

collide-fcl()
{
    pkg-config --exists fcl || { skip fcl "apt-get install libfcl-dev"; return; }
    # shellcheck disable=SC2046
    build collide-fcl collide_fcl -O3 -DNDEBUG $(pkg-config --cflags --libs fcl) && run collide-fcl "$cases"
}

collide-ccd()
{
    pkg-config --exists ccd || { skip libccd "apt-get install libccd-dev"; return; }
    # shellcheck disable=SC2046
    build collide-ccd collide_ccd -DNDEBUG "-DPEER_VERSION=\"$(pkg-config --modversion ccd)\"" $(pkg-config --cflags --libs ccd) && run collide-ccd "$cases"
}

collide-bullet()
{
    pkg-config --exists bullet-float64 || { skip bullet "apt-get install libbullet-dev"; return; }
    # shellcheck disable=SC2046
    build collide-bullet64 collide_bullet -DNDEBUG $(pkg-config --cflags --libs bullet-float64) && run collide-bullet64 "$cases"
    # shellcheck disable=SC2046
    build collide-bullet32 collide_bullet -DNDEBUG $(pkg-config --cflags --libs bullet) && run collide-bullet32 "$cases"
}

# Where the Python package has its headers and libraries.
coal_in()
{
    local prefix
    prefix=$("$1" -c 'import sysconfig; print(sysconfig.get_path("purelib") + "/cmeel.prefix")' 2> /dev/null) || return 1
    [ -f "$prefix/include/coal/distance.h" ] && echo "$prefix"
}

# Once: what failed is not tried again before build/peers/coal-venv is removed.
fetch_coal()
{
    [ ! -d "$out/coal-venv" ] || return 1
    echo "fetching coal into build/peers/coal-venv" >&2
    timeout 300 "${PYTHON:-python3}" -m venv "$out/coal-venv" > "$out/coal-venv.log" 2>&1 &&
        timeout 300 "$out/coal-venv/bin/pip" install -q --retries 1 --timeout 10 coal >> "$out/coal-venv.log" 2>&1
}

# build_coal NAME SOURCE
build_coal()
{
    local prefix eigen
    prefix=${COAL_PREFIX:-$(coal_in "${PYTHON:-python3}" || coal_in "$out/coal-venv/bin/python" || { fetch_coal && coal_in "$out/coal-venv/bin/python"; } || true)}
    if ! [ -f "$prefix/include/coal/distance.h" ] || ! pkg-config --exists eigen3; then
        skip coal "pip install coal; apt-get install libeigen3-dev"
        return 1
    fi
    read -ra eigen <<< "$(pkg-config --cflags eigen3)"
    build "$1" "$2" -O3 -DNDEBUG -w "-I$prefix/include" "${eigen[@]}" "-L$prefix/lib" -lcoal "-Wl,-rpath,$prefix/lib"
}

collide-coal()
{
    build_coal collide-coal collide_coal && run collide-coal "$cases"
}

mesh-fcl()
{
    pkg-config --exists fcl || { skip fcl "apt-get install libfcl-dev"; return; }
    # shellcheck disable=SC2046
    build mesh-fcl mesh_fcl -O3 -DNDEBUG $(pkg-config --cflags --libs fcl) && run mesh-fcl "$meshes"
}

mesh-coal()
{
    build_coal mesh-coal mesh_coal && run mesh-coal "$meshes"
}

broad-fcl()
{
    pkg-config --exists fcl || { skip fcl "apt-get install libfcl-dev"; return; }
    # shellcheck disable=SC2046
    build broad-fcl broad_fcl -O3 -DNDEBUG $(pkg-config --cflags --libs fcl) && run broad-fcl ${BROAD_WORLD:+"$BROAD_WORLD"}
}

broad-bullet()
{
    pkg-config --exists bullet-float64 || { skip bullet "apt-get install libbullet-dev"; return; }
    # shellcheck disable=SC2046
    build broad-bullet broad_bullet -O3 -DNDEBUG $(pkg-config --cflags --libs bullet-float64) && run broad-bullet ${BROAD_WORLD:+"$BROAD_WORLD"}
}

huntcrossley-simbody()
{
    pkg-config --exists simbody || { skip simbody "apt-get install libsimbody-dev"; return; }
    # shellcheck disable=SC2046
    build huntcrossley-simbody huntcrossley_simbody $(pkg-config --cflags --libs simbody) && run huntcrossley-simbody
}

rigid-siconos()
{
    local prefix=${SICONOS_PREFIX:-/usr}/include/siconos
    [ -f "$prefix/kernel/SiconosKernel.hpp" ] || { skip siconos "apt-get install libsiconos-kernel-dev libsiconos-numerics-dev"; return; }
    build rigid-siconos rigid_siconos -w "-I$prefix" "-I$prefix/kernel" "-I$prefix/numerics" "-L${SICONOS_PREFIX:-/usr}/lib" -lsiconos_kernel -lsiconos_numerics -lsiconos_externals &&
        run rigid-siconos
}

rigid-ode()
{
    pkg-config --exists ode || { skip ode "apt-get install libode-dev"; return; }
    # shellcheck disable=SC2046
    build rigid-ode rigid_ode $(pkg-config --cflags --libs ode) && run rigid-ode
}

rigid-bullet()
{
    pkg-config --exists bullet-float64 || { skip bullet "apt-get install libbullet-dev"; return; }
    # shellcheck disable=SC2046
    build rigid-bullet rigid_bullet -DNDEBUG $(pkg-config --cflags --libs bullet-float64) && run rigid-bullet
}

rigid-simbody()
{
    pkg-config --exists simbody || { skip simbody "apt-get install libsimbody-dev"; return; }
    # shellcheck disable=SC2046
    build rigid-simbody rigid_simbody $(pkg-config --cflags --libs simbody) && run rigid-simbody
}

rigid-mujoco()
{
    echo '#include <mujoco/mujoco.h>' | "$CXX" -E -x c++ - > /dev/null 2>&1 || { skip mujoco "apt-get install libmujoco-dev"; return; }
    build rigid-mujoco rigid_mujoco -DNDEBUG -lmujoco && run rigid-mujoco
}

rigid-dart()
{
    if ! pkg-config --exists dart || ! echo '#include <dart/dart.hpp>' | "$CXX" -E -x c++ $(pkg-config --cflags dart) - > /dev/null 2>&1; then
        skip dart "apt-get install libdart-dev libdart-external-ikfast-dev"
        return
    fi
    # shellcheck disable=SC2046
    build rigid-dart rigid_dart -DNDEBUG $(pkg-config --cflags --libs dart) && run rigid-dart
}

for peer in "${@:-}"; do
    case $peer in
    "") for each in bullet simbody dart mujoco pinocchio; do "$each" || true; done ;;
    collide) for each in collide-fcl collide-ccd collide-bullet collide-coal; do "$each" || true; done ;;
    mesh) for each in mesh-fcl mesh-coal; do "$each" || true; done ;;
    broad) for each in broad-fcl broad-bullet; do "$each" || true; done ;;
    huntcrossley) huntcrossley-simbody || true ;;
    rigid) for each in rigid-siconos rigid-ode rigid-bullet rigid-simbody rigid-mujoco rigid-dart; do "$each" || true; done ;;
    bullet | simbody | dart | mujoco | pinocchio | collide-fcl | collide-ccd | collide-bullet | collide-coal | mesh-fcl | mesh-coal | broad-fcl | broad-bullet | huntcrossley-simbody | \
        rigid-siconos | rigid-ode | rigid-bullet | rigid-simbody | rigid-mujoco | rigid-dart)
        "$peer" || true ;;
    *)
        echo "unknown peer '$peer': bullet, simbody, dart, mujoco, pinocchio, collide (all of collide-fcl, -ccd, -bullet, -coal), mesh (mesh-fcl, -coal)," >&2
        echo "broad (broad-fcl, -bullet), huntcrossley (huntcrossley-simbody), rigid (rigid-siconos, -ode, -bullet, -simbody, -mujoco, -dart)" >&2
        exit 1
        ;;
    esac
done
