"""Ingot beside Gitea in one run: everyday reads, writes and git. Needs a `gitea` program on the path.

Both run as they come, on SQLite, with repositories of the same content. `python bench/versus_gitea.py` prints the
table and writes it to docs/benchmarks.md.
"""

from __future__ import annotations

import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))  # for a run as a script

from bench import _gitea
from bench._git_work import Timed, measure
from bench._gitea import Gitea
from bench._ingot import TOKEN, Ingot
from bench._page import write_section

CLIENTS, SECONDS, ROUNDS = 4, 2.0, 3
INGOT_PROJECT, GITEA_PROJECT = "/projects/root%2Fsmall", f"/repos/{_gitea.USER}/small"
READS = {
    "the caller": ("/user", "/user"),
    "one project": (INGOT_PROJECT, GITEA_PROJECT),
    "20 projects": ("/projects?per_page=20", "/repos/search?limit=20"),
    "20 commits": (f"{INGOT_PROJECT}/repository/commits?per_page=20", f"{GITEA_PROJECT}/commits?limit=20"),
    "20 branches": (f"{INGOT_PROJECT}/repository/branches?per_page=20", f"{GITEA_PROJECT}/branches?limit=20"),
    "raw file": (f"{INGOT_PROJECT}/repository/files/file1.txt/raw?ref=main", f"{GITEA_PROJECT}/raw/file1.txt"),
}
WRITES = {"new issue": (f"{INGOT_PROJECT}/issues", f"{GITEA_PROJECT}/issues")}


@dataclass(frozen=True, slots=True)
class Caller:
    """How one service is called."""

    address: str
    prefix: str
    headers: dict[str, str]

    def rate(self, method: str, path: str) -> float:
        """Answers in a second to a few clients."""
        taken: list[int] = []
        until = time.perf_counter() + SECONDS
        work = (method, f"{self.prefix}{path}", until, taken)
        threads = [threading.Thread(target=self._ask, args=work) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return len(taken) / SECONDS

    def _ask(self, method: str, path: str, until: float, taken: list[int]) -> None:
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
        body = json.dumps({"title": "Bench"}) if method == "POST" else None
        while time.perf_counter() < until:
            connection.request(method, path, body, self.headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"{path}: {answer.status}")
            taken.append(1)
        connection.close()


def main() -> None:
    """Print the table and write it down, or say what is missing."""
    if _gitea.program() is None:
        print("not measured: gitea is not on the path")
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with Ingot(folder / "ingot") as ingot, Gitea(folder / "gitea") as gitea:
            small = {"ingot": ingot.create("small"), "gitea": gitea.create("small")}
            large = {"ingot": ingot.create("large"), "gitea": gitea.create("large")}
            timed = measure(folder, small, large, rounds=7)
            callers = (
                Caller(ingot.address, "/api/v4", {"PRIVATE-TOKEN": TOKEN, "Content-Type": "application/json"}),
                Caller(gitea.address, "/api/v1", gitea.headers()),
            )
            rates = {name: _rates(callers, "GET", paths) for name, paths in READS.items()}
            rates |= {name: _rates(callers, "POST", paths) for name, paths in WRITES.items()}
    table = _table(rates, timed)
    print(table)
    write_section("Beside Gitea", f"{_about()}\n\n{table}")


def _rates(callers: tuple[Caller, Caller], method: str, paths: tuple[str, str]) -> tuple[float, float]:
    """Medians, measured in turn so that a busy machine slows both alike."""
    rounds = [
        tuple(caller.rate(method, path) for caller, path in zip(callers, paths, strict=True)) for _ in range(ROUNDS)
    ]
    return statistics.median(first for first, _ in rounds), statistics.median(second for _, second in rounds)


def _table(rates: dict[str, tuple[float, float]], timed: Timed) -> str:
    rows = ["| Work | Ingot | Gitea | Ingot is faster by |", "|---|---:|---:|---:|"]
    for name, (ours, theirs) in rates.items():
        rows.append(f"| {name}, requests/s | {ours:.0f} | {theirs:.0f} | {ours / theirs:.2f} |")
    for name, times in timed.items():
        ours, theirs = times["ingot"], times["gitea"]
        rows.append(f"| {name}, ms | {ours:.0f} | {theirs:.0f} | {theirs / ours:.2f} |")
    return "\n".join(rows)


def _about() -> str:
    return f"""\
Both as they come, on SQLite, in one run; {CLIENTS} clients ask for reads and writes, git is one client. Fields and
pages differ: an answer of Ingot is that of GitLab's interface."""


if __name__ == "__main__":
    main()
