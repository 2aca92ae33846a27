"""A large push with the git client over SSH, against the same push over HTTP, in turn."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from bench._ingot import TOKEN, Ingot
from bench._page import write_section

MEGABYTES, ROUNDS, GOAL = 200, 3, 1.3
OPTIONS = (
    "-F none -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
    " -o LogLevel=ERROR"
)
# Random bytes: nothing is gained by comparing or packing them, so the way is what is measured.
PLAIN = ("-c", "core.bigFileThreshold=1m", "-c", "core.compression=0", "-c", "pack.compression=0")
ABOUT = """\
A push of 200 MB with the git client to `ingot serve`, over HTTP and over SSH, in turn; medians."""


def run(folder: Path) -> dict[str, float]:
    """Seconds of a push, by protocol."""
    times: dict[str, list[float]] = {"http": [], "ssh": []}
    with Ingot(folder / "ingot", INGOT_SSH_PORT="0") as ingot:
        key = _create_key(ingot, folder / "key")
        source = _prepare(folder / "source")
        for number in range(ROUNDS):
            for protocol, seconds in times.items():
                address = ingot.create(f"{protocol}-{number}")
                if protocol == "ssh":
                    address = _ssh_address(ingot, f"{protocol}-{number}")
                started = time.perf_counter()
                way = {"GIT_SSH_COMMAND": f"ssh {OPTIONS} -i {key}"}
                _git(source, *PLAIN, "push", "-q", address, "HEAD:refs/heads/main", **way)
                seconds.append(time.perf_counter() - started)
    return {protocol: statistics.median(seconds) for protocol, seconds in times.items()}


def _create_key(ingot: Ingot, file: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
    _call(ingot, "/user/keys", {"title": "bench", "key": file.with_suffix(".pub").read_text()})
    return file


def _ssh_address(ingot: Ingot, name: str) -> str:
    return str(_call(ingot, f"/projects/root%2F{name}")["ssh_url_to_repo"])


def _call(ingot: Ingot, path: str, body: dict[str, str] | None = None) -> dict[str, object]:
    headers = {"PRIVATE-TOKEN": TOKEN, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{ingot.address}/api/v4{path}", data, headers)) as answer:
        result: dict[str, object] = json.load(answer)
    return result


def _prepare(folder: Path) -> Path:
    folder.mkdir()
    _git(folder, "init", "-q")
    for number in range(MEGABYTES // 10):
        (folder / f"{number}.bin").write_bytes(os.urandom(10_000_000))
    _git(folder, *PLAIN, "add", ".")
    _git(folder, *PLAIN, "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "Large")
    return folder


def _git(folder: Path, *args: str, **environment: str) -> None:
    subprocess.run(["git", *args], cwd=folder, env={**os.environ, **environment}, check=True)


def main() -> None:
    """Print the table and write it down."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = run(Path(folder))
    head = "| Push | SSH s | HTTP s | ratio | goal |\n|---|---:|---:|---:|---:|"
    ratio = seconds["ssh"] / seconds["http"]
    table = f"{head}\n| {MEGABYTES} MB | {seconds['ssh']:.1f} | {seconds['http']:.1f} | {ratio:.2f} | {GOAL:.1f} |"
    print(table)
    write_section("Git over SSH", f"{ABOUT}\n\n{table}")


if __name__ == "__main__":
    main()
