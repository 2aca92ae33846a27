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
from pathlib import Path
from statistics import median

from bench._page import write_section

ROUNDS = 5
READS = 100
SETTLING = 3.0  # seconds in which what begins after the first answer has begun
GOAL = 220
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


def _memory(pid: int) -> float:
    """Megabytes of a process and all below it; what several share counts once (proportional set size)."""
    children, waiting, total = _children(), [pid], 0
    while waiting:
        one = waiting.pop()
        waiting += children.get(one, [])
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
    with tempfile.TemporaryDirectory() as folder:
        # `make setup` does it too; a change made since then would be compiled at every start here.
        compileall.compile_dir(SRC, quiet=1)
        subprocess.run(
            [sys.executable, "-m", "ingot", "init", "--data", folder],
            check=True, stdout=subprocess.DEVNULL, env=_environment(),
        )  # fmt: skip
        seconds, resting, reading, opening = [], [], [], []
        for _ in range(ROUNDS):
            process, url, took = _start(folder)
            seconds.append(took)
            time.sleep(SETTLING)
            resting.append(_memory(process.pid))
            _read(url, "/api/v4/projects")
            reading.append(_memory(process.pid))
            _read(url, "/explore/projects")
            opening.append(_memory(process.pid))
            process.terminate()
            process.wait(20)
    text = (
        f"- Start to ready: median {median(seconds):.2f} s, best {min(seconds):.2f} s (limit 1.5 s).\n"
        f"- Memory of all processes, what they share counted once: **{median(resting):.0f} MB** at rest"
        f" ({GOAL} MB on two cores), {median(reading):.0f} MB after {READS} lists of projects, {median(opening):.0f} MB"
        f" after {READS} pages, whose code is loaded when the first one is opened.\n"
    )
    print(text)
    write_section("Start and memory", text)
