"""What a person does with git, timed, against several services in turn, so that a busy machine slows all alike."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

SMALL_FILES, SMALL_COMMITS = 20, 15
LARGE_FILES, LARGE_BYTES = 300, 200_000
Timed = dict[str, dict[str, float]]
"""Milliseconds by kind of work and service."""


def git(folder: Path, *args: str) -> str:
    """One command of the client, with nobody's settings."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Bench", "GIT_AUTHOR_EMAIL": "bench@example.com",
        "GIT_COMMITTER_NAME": "Bench", "GIT_COMMITTER_EMAIL": "bench@example.com",
    }  # fmt: skip
    result = subprocess.run(["git", *args], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"git {' '.join(args)}: {result.stderr}")
    return result.stdout


def small_repository(folder: Path) -> Path:
    """A few files and commits."""
    _begin(folder)
    for number in range(SMALL_FILES):
        (folder / f"file{number}.txt").write_text("".join(f"line {line} of {number}\n" for line in range(40)))
    for number in range(SMALL_COMMITS):
        (folder / f"file{number}.txt").write_text(f"change {number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"Change {number}")
    return folder


def large_repository(folder: Path) -> Path:
    """Sixty megabytes that nothing compresses."""
    _begin(folder)
    chance = random.Random(7)
    for number in range(LARGE_FILES):
        (folder / f"{number}.bin").write_bytes(chance.randbytes(LARGE_BYTES))
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Large")
    return folder


def _begin(folder: Path) -> None:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")


def in_turn(services: list[str], work: Callable[[str], object], rounds: int) -> dict[str, float]:
    """The median of each service in milliseconds; the first round warms up."""
    times: dict[str, list[float]] = {name: [] for name in services}
    for number in range(rounds + 1):
        for name in services:
            started = time.perf_counter()
            work(name)
            if number:
                times[name].append((time.perf_counter() - started) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def measure(folder: Path, small: Mapping[str, str], large: Mapping[str, str], rounds: int = 9) -> Timed:
    """Time all kinds of work. `small` and `large` name the address of an empty repository by service."""
    services = list(small)
    for source, addresses in (
        (small_repository(folder / "small-source"), small),
        (large_repository(folder / "large-source"), large),
    ):
        for address in addresses.values():
            git(source, "push", "-q", address, "main")
    working = {name: folder / f"{name}-working" for name in services}
    for name, address in small.items():
        git(folder, "clone", "-q", address, str(working[name]))

    def clone(addresses: Mapping[str, str], name: str) -> None:
        target = folder / "clone"
        git(folder, "clone", "-q", "--no-checkout", addresses[name], str(target))

    def cleared(work: Callable[[str], None]) -> Callable[[str], None]:
        def run(name: str) -> None:
            shutil.rmtree(folder / "clone", ignore_errors=True)
            work(name)

        return run

    def push(name: str) -> None:
        git(working[name], "push", "-q", "origin", "main")

    result = {
        "small clone": in_turn(services, cleared(lambda name: clone(small, name)), rounds),
        "fetch of nothing": in_turn(services, lambda name: git(working[name], "fetch", "-q"), rounds),
        "clone of 60 MB": in_turn(services, cleared(lambda name: clone(large, name)), max(3, rounds // 3)),
    }
    result["push of one commit"] = _pushes(services, working, push, rounds)
    return result


def _pushes(
    services: list[str], working: Mapping[str, Path], push: Callable[[str], None], rounds: int
) -> dict[str, float]:
    """The commit is made outside of the clock."""
    times: dict[str, list[float]] = {name: [] for name in services}
    for number in range(rounds + 1):
        for name in services:
            (working[name] / "pushed.txt").write_text(f"{number}\n")
            git(working[name], "add", ".")
            git(working[name], "commit", "-q", "-m", f"Push {number}")
            started = time.perf_counter()
            push(name)
            if number:
                times[name].append((time.perf_counter() - started) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}
