"""Start of a set-up server to its first ready answer, and the memory of an idle API process."""

from __future__ import annotations

import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROUNDS = 5
SRC = Path(__file__).parent.parent / "src"


def _environment() -> dict[str, str]:
    remaining = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
    return {**remaining, "PYTHONPATH": str(SRC)}


def _start(folder: str, *more: str) -> tuple[subprocess.Popen[str], float]:
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
                    return process, time.perf_counter() - began
        except urllib.error.URLError:
            time.sleep(0.002)


def _memory(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Print both figures with their limits."""
    with tempfile.TemporaryDirectory() as folder:
        # `make setup` does it too; a change made since then would be compiled at every start here.
        compileall.compile_dir(SRC, quiet=1)
        subprocess.run(
            [sys.executable, "-m", "ingot", "init", "--data", folder],
            check=True, stdout=subprocess.DEVNULL, env=_environment(),
        )  # fmt: skip
        seconds, memory = [], []
        for _ in range(ROUNDS):
            process, took = _start(folder)
            seconds.append(took)
            memory.append(_memory(process.pid))
            process.terminate()
            process.wait(20)
    print(f"start to ready: median {statistics.median(seconds):.2f} s, best {min(seconds):.2f} s (limit 1.5 s)")
    print(f"idle memory of one API process: {statistics.median(memory):.0f} MB (limit 150 MB)")
