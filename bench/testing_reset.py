"""Reset of a test server to its fresh state: the server's processor time, and how long a client waits."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

from ingot.testing import IngotServer

ROUNDS = 20
PROJECTS = 3


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print both figures: of resets alone, one after the other, and of those after some work."""
    with IngotServer() as server:
        for label, projects in (("of an empty instance", 0), (f"after making {PROJECTS} projects", PROJECTS)):
            waited, spent = [], 0.0
            for _ in range(ROUNDS):
                for number in range(projects):
                    server.ingot.make_project(f"app{number}", files={"README.md": "x\n"})
                before, began = _processor_seconds(server.pid), time.perf_counter()
                server.ingot.reset()
                waited.append(time.perf_counter() - began)
                spent += _processor_seconds(server.pid) - before
            milliseconds = [1000 * one for one in waited]
            print(
                f"reset {label}: {1000 * spent / ROUNDS:.0f} ms of processor time, answered after"
                f" median {statistics.median(milliseconds):.0f} ms, best {min(milliseconds):.0f} ms (limit 50 ms)"
            )
