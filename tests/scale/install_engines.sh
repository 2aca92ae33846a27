#!/usr/bin/env bash
# Installs on Debian, as root, the engines that the heavy proofs run against: `make engines`. What is there already stays.
# The object stores are built from their sources, which takes Go 1.25 or newer and, on two slow cores, half an hour.
set -euo pipefail
VERSITYGW=github.com/versity/versitygw/cmd/versitygw@v1.8.0
MINIO=github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c
BIN=${BIN:-/usr/local/bin}

# GlusterFS for shared repositories; PostgreSQL's own programs for recovery to a moment; the rest for parts of the whole suite.
packages=(glusterfs-server glusterfs-client postgresql pgbouncer haproxy slapd ldap-utils git-lfs openssh-client chromium)
missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

build() { # build NAME MODULE, one package at a time, so that others on the machine go on
    command -v "$1" >/dev/null && return
    command -v go >/dev/null || { echo "Install Go 1.25 or newer first: $1 is built with it." >&2; exit 1; }
    GOBIN=$BIN nice -n 19 go install -p 1 "$2"
}
build versitygw "$VERSITYGW"
build minio "$MINIO"
for name in glusterfsd pgbouncer haproxy slapd git-lfs versitygw minio; do
    PATH=$PATH:/usr/sbin command -v "$name"
done
