#!/usr/bin/env bash
# What a newcomer waits for: a fresh clone with empty caches, `make serve`, the first answered request; then a second start;
# then the wheel, installed outside of the checkout. Prints the phases, and the processor time, which a busy machine does not
# change. Fails above FACTOR times a limit, so that a slow machine or network is no failure. Status 75: there is no network.
set -euo pipefail
FIRST=25 SECOND=1.5 FACTOR=${FACTOR:-4}
here=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; wait; rm -rf "$place"' EXIT
export XDG_CACHE_HOME=$place/cache PIP_CACHE_DIR=$place/cache/pip UV_CACHE_DIR=$place/cache/uv
export UV_TOOL_DIR=$place/tools UV_TOOL_BIN_DIR=$place/bin
export INGOT_PORT=${PORT:-8093} INGOT_SSH=off

processor_time() { # of all processes that were started here and have ended; a subshell would count its own
    times >"$place/times"
    spent=$(awk 'END { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$place/times")
}

answered() { # answered LIMIT NAME COMMAND…: start the server and say how long the first answer took
    local limit=$1 name=$2 begin=$EPOCHREALTIME end before
    shift 2
    processor_time
    before=$spent
    : >"$place/output"
    "$@" >>"$place/output" 2>"$place/log" &
    server=$!
    while read -r line; do # asking again and again would take processor time of its own
        echo "$line"
        if [[ $line == "Ingot is at "* ]]; then break; fi
    done < <(tail --pid=$server --follow --lines=+1 --sleep-interval=0.02 "$place/output")
    curl --silent --show-error --fail --output /dev/null "http://127.0.0.1:$INGOT_PORT/-/readiness" || { cat "$place/log"; exit 1; }
    end=$EPOCHREALTIME
    kill $server # make passes it on
    wait $server || true
    processor_time
    awk -v from="$begin" -v to="$end" -v limit="$limit" -v factor="$FACTOR" -v name="$name" -v before="$before" -v after="$spent" 'BEGIN {
        took = to - from
        printf "%s: %.1f s (limit %s s), %.1f s of processor time\n", name, took, limit, after - before
        exit took > limit * factor
    }'
}

from_the_wheel() { # as people without a checkout install it
    uv=$place/ingot/.venv/bin/uv
    (cd "$place/ingot" && .venv/bin/python -m hatchling build -t wheel >/dev/null 2>&1)
    "$uv" tool install --quiet "$place"/ingot/dist/ingot-*.whl
    mkdir "$place/elsewhere" && cd "$place/elsewhere" && exec "$place/bin/ingot" serve
}

if ! python3 -m pip download --quiet --retries 0 --no-deps --dest "$place" editables >/dev/null 2>&1; then
    echo "Packages cannot be fetched here, so that nothing can be installed into an empty place: not measured."
    exit 75
fi
# Where git refuses to clone (a checkout of somebody else, or none), the files are as good.
git clone --quiet "$here" "$place/ingot" ||
    { mkdir -p "$place/ingot" && tar -C "$here" --exclude=./.venv --exclude=./.git -c . | tar -C "$place/ingot" -x; }
answered $FIRST "first start, nothing installed" make -C "$place/ingot" --no-print-directory serve
answered $SECOND "second start" make -C "$place/ingot" --no-print-directory serve
answered $FIRST "the wheel, built, installed and started elsewhere" from_the_wheel
