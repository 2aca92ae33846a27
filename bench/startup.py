"""Start of a set-up server to its first ready answer, and the memory of all of its processes."""

from __future__ import annotations

import compileall
import contextlib
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench._page import write_section
from ingot.kit.cores import usable_cores
from tests.support.processor_time import processor_time

ROUNDS = 5
READS = 100
SETTLING = 3.0  # seconds in which what begins after the first answer has begun
LONGEST = 1.5  # seconds
MOST, CORES = 220, 2  # megabytes at rest, on so many cores
SRC = Path(__file__).parent.parent / "src"


def _environment() -> dict[str, str]:
    remaining = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
    return {**remaining, "PYTHONPATH": str(SRC)}


def _start(folder: str, *more: str) -> tuple[subprocess.Popen[str], str, float]:
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot", "serve", "--port", "0", "--data", folder, *more],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=_environment(),
    )  # fmt: skip
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    while True:
        try:
            with urllib.request.urlopen(f"{url}/-/readiness") as answer:
                if answer.status == 200:
                    return process, url, time.perf_counter() - began
        except urllib.error.URLError:
            time.sleep(0.002)


def _children() -> dict[int, list[int]]:
    """The processes that each process of this machine has begun."""
    result: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        # One that ended meanwhile has no memory.
        with contextlib.suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            result.setdefault(parent, []).append(int(stat.parent.name))
    return result


def _family(pid: int) -> list[int]:
    """A process and all below it."""
    children, waiting, family = _children(), [pid], []
    while waiting:
        family.append(waiting.pop())
        waiting += children.get(family[-1], [])
    return family


def _memory(pid: int) -> float:
    """Megabytes of a process and all below it; what several share counts once (proportional set size)."""
    total = 0
    for one in _family(pid):
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text()
            total += next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return total / 1024


def _read(url: str, path: str) -> None:
    for _ in range(READS):
        with urllib.request.urlopen(f"{url}{path}") as answer:
            answer.read()


def main() -> None:
    """Print and write the figures with their limits."""
    seen: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        # `make setup` does it too; a change made since then would be compiled at every start here.
        compileall.compile_dir(SRC, quiet=1)
        subprocess.run(
            [sys.executable, "-m", "ingot", "init", "--data", folder],
            check=True, stdout=subprocess.DEVNULL, env=_environment(),
        )  # fmt: skip
        for _ in range(ROUNDS):
            for name, value in _one_start(folder):
                seen.setdefault(name, []).append(value)
    table = _table(seen)
    print(table)
    write_section("Start and memory", f"{_about()}\n\n{table}")


def _one_start(folder: str) -> Iterator[tuple[str, float]]:
    process, url, took = _start(folder)
    yield "start to ready, s", took
    yield "of the processors until ready, s", sum(map(processor_time, _family(process.pid)))
    time.sleep(SETTLING)
    yield "processes", len(_family(process.pid))
    yield "memory at rest, MB", _memory(process.pid)
    _read(url, "/api/v4/projects")
    yield f"after {READS} lists of projects, MB", _memory(process.pid)
    _read(url, "/explore/projects")
    yield f"after {READS} pages, MB", _memory(process.pid)
    process.terminate()
    process.wait(20)


def _table(seen: dict[str, list[float]]) -> str:
    limits = {"start to ready, s": LONGEST}
    if usable_cores() == CORES:
        limits["memory at rest, MB"] = MOST
    rows = ["| Of the whole service | median | best | limit |", "|---|---:|---:|---:|"]
    for name, values in seen.items():
        digits, limit = 2 if name.endswith(" s") else 0, limits.get(name)
        middle = f"{median(values):.{digits}f}"
        shown = f"**{middle}**" if limit is not None and median(values) > limit else middle
        rows.append(f"| {name} | {shown} | {min(values):.{digits}f} | {limit or ''} |")
    return "\n".join(rows)


def _about() -> str:
    return f"""\
`ingot serve` as it comes, {ROUNDS} times over the same data: until it is ready to answer, and the memory of all of its
processes, what they share counted once (proportional set size). The limit of memory is that for {CORES} cores, each of
which has a process of its own. The code of pages is loaded when the first one is opened. What is above its limit is
**marked**."""


if __name__ == "__main__":
    main()
