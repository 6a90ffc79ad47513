#!/usr/bin/env bash
# tosses.sh [OPTION...]: measured tosses of a cube beside those of carom, MuJoCo and Bullet (bench/README.md). Options are those of tosses.py: --fit, --sensitivity, --engines.
# The peers are fetched into build/peers/tosses-venv, once; what cannot be fetched is left out, and tried again only when that folder is removed.
#   PYTHON   makes that environment (default python3; MuJoCo 4 needs 3.11)
set -eu
cd "$(dirname "$0")/.."
venv=build/peers/tosses-venv
log=build/peers/tosses-venv.log
python=${PYTHON:-python3}

# Versions that the parameters in tosses_fit.json were found with.
fetch()
{
    echo "fetching $1 into $venv" >&2
    timeout 600 "$venv/bin/pip" install -q --retries 1 --timeout 20 "$1" >> "$log" 2>&1 || echo "$1: does not install, see $log" >&2
}

mkdir -p build/peers
if [ ! -d "$venv" ]; then
    if timeout 100 "$python" -m venv "$venv" > "$log" 2>&1; then
        fetch mujoco==4.0.0
        fetch pybullet==3.2.7
    else
        echo "no environment for the peers, see $log (apt-get install python3-venv)" >&2
    fi
fi
[ ! -x "$venv/bin/python" ] || python=$venv/bin/python
"$python" bench/tosses.py "$@"
