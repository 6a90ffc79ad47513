#!/usr/bin/env bash
# Contact of two meshes: error of the force and time of an evaluation, by carom, Drake and MuJoCo (bench/README.md). The peers are fetched into
# build/peers/mesh-contact-venv, once; what cannot be fetched is left out, and tried again only when that folder is removed.
#   PYTHON   makes that environment (default python3; MuJoCo 4 needs 3.11)
set -eu
cd "$(dirname "$0")/.."
venv=build/peers/mesh-contact-venv log=build/peers/mesh-contact-venv.log folder=build/mesh_contact
python=${PYTHON:-python3}
mkdir -p build/peers "$folder"
if [ ! -d "$venv" ]; then
    if timeout 100 "$python" -m venv "$venv" > "$log" 2>&1; then
        for peer in drake==1.51.0 mujoco==4.0.0; do
            echo "fetching $peer into $venv" >&2
            timeout 600 "$venv/bin/pip" install -q --retries 1 --timeout 20 "$peer" >> "$log" 2>&1 || echo "$peer: does not install, see $log" >&2
        done
    else
        echo "no environment for the peers, see $log (apt-get install python3-venv)" >&2
    fi
fi
[ ! -x "$venv/bin/python" ] || python=$venv/bin/python
build/release/bench/bench_mesh_contact "$folder" > "$folder/rows.txt"
"$python" bench/mesh_contact.py "$folder" >> "$folder/rows.txt"
awk -f bench/mesh_contact_table.awk "$folder/rows.txt"
