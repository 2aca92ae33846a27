#!/usr/bin/env bash
# What a newcomer waits for: a fresh clone with empty caches, `make serve`, the first answered request; then a second start.
# Prints the phases, and the processor time, which a busy machine does not change. Fails above FACTOR times a limit, so that a
# slow machine or network is no failure.
set -euo pipefail
FIRST=25 SECOND=1.5 FACTOR=${FACTOR:-4}
here=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; wait; rm -rf "$place"' EXIT
export XDG_CACHE_HOME=$place/cache PIP_CACHE_DIR=$place/cache/pip UV_CACHE_DIR=$place/cache/uv
export INGOT_PORT=${PORT:-8093}

processor_time() { # of all processes that were started here and have ended; a subshell would count its own
    times >"$place/times"
    spent=$(awk 'END { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$place/times")
}

answered() { # answered LIMIT NAME: start the server and say how long the first answer took
    local begin=$EPOCHREALTIME end before
    processor_time
    before=$spent
    : >"$place/output"
    make -C "$place/ingot" --no-print-directory serve >>"$place/output" &
    server=$!
    while read -r line; do # asking again and again would take processor time of its own
        echo "$line"
        if [[ $line == "Ingot is at "* ]]; then break; fi
    done < <(tail --pid=$server --follow --lines=+1 --sleep-interval=0.02 "$place/output")
    curl --silent --show-error --fail --output /dev/null "http://127.0.0.1:$INGOT_PORT/-/readiness" || exit 1
    end=$EPOCHREALTIME
    pkill --parent $server || kill $server
    wait $server || true
    processor_time
    awk -v from="$begin" -v to="$end" -v limit="$1" -v factor="$FACTOR" -v name="$2" -v before="$before" -v after="$spent" 'BEGIN {
        took = to - from
        printf "%s: %.1f s (limit %s s), %.1f s of processor time\n", name, took, limit, after - before
        exit took > limit * factor
    }'
}

git clone --quiet "$here" "$place/ingot"
answered $FIRST "first start, nothing installed"
answered $SECOND "second start"
