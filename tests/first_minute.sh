#!/usr/bin/env bash
# What a newcomer waits for: a fresh clone with empty caches, `make serve`, the first answered request; then a second start.
# Prints the phases. Fails above FACTOR times a limit, so that a slow machine or network is no failure.
set -euo pipefail
FIRST=25 SECOND=1.5 FACTOR=${FACTOR:-4}
here=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; wait; rm -rf "$place"' EXIT
export XDG_CACHE_HOME=$place/cache PIP_CACHE_DIR=$place/cache/pip UV_CACHE_DIR=$place/cache/uv
export INGOT_PORT=${PORT:-8093}

answered() { # answered LIMIT NAME: start the server and say how long the first answer took
    local begin=$EPOCHREALTIME
    make -C "$place/ingot" --no-print-directory serve &
    server=$!
    until curl --silent --fail --output /dev/null "http://127.0.0.1:$INGOT_PORT/-/readiness"; do
        kill -0 $server || { echo "the server ended"; exit 1; }
        sleep 0.05
    done
    awk -v from="$begin" -v to="$EPOCHREALTIME" -v limit="$1" -v factor="$FACTOR" -v name="$2" 'BEGIN {
        took = to - from
        printf "%s: %.1f s (limit %s s)\n", name, took, limit
        exit took > limit * factor
    }'
    pkill --parent $server || kill $server
    wait $server || true
}

git clone --quiet "$here" "$place/ingot"
answered $FIRST "first start, nothing installed"
answered $SECOND "second start"
