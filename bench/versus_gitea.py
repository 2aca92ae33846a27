"""Ingot beside Gitea in one run: everyday reads, writes and git. Needs a `gitea` program on the path.

Both run as they come, on SQLite, with repositories of the same content. `python bench/versus_gitea.py` prints the
table and writes it to docs/benchmarks.md. INGOT_BENCH_SECONDS says how long each read and write is asked for.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # for a run as a script

from bench import _gitea
from bench._git_work import Timed, measure
from bench._gitea import Gitea
from bench._ingot import TOKEN, Ingot
from bench._page import has_section, write_section
from bench._rivals import CLIENTS, ROUNDS, Service, askings_of_gitea, askings_of_ingot, compare

TITLE = "Beside Gitea"
SECONDS = float(os.environ.get("INGOT_BENCH_SECONDS", "2"))
MISSING = """\
Not measured: no `gitea` on the path. It is one program, a release or built from its source with Go:
`go build -tags 'bindata sqlite sqlite_unlock_notify'` after `go generate -tags bindata ./...`, without its pages, which
are not measured."""


def main() -> None:
    """Print the table and write it down, or say what is missing."""
    if _gitea.program() is None:
        print(MISSING)
        if not has_section(TITLE):
            write_section(TITLE, MISSING)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with Ingot(folder / "ingot") as ingot, Gitea(folder / "gitea") as gitea:
            small = {"ingot": ingot.create("small"), "gitea": gitea.create("small")}
            large = {"ingot": ingot.create("large"), "gitea": gitea.create("large")}
            timed = measure(folder, small, large, rounds=7)
            ours = Service(ingot.address, "/api/v4", {"PRIVATE-TOKEN": TOKEN})
            theirs = Service(gitea.address, "/api/v1", gitea.headers())
            rates = compare(
                (ours, askings_of_ingot(ours, "/projects/root%2Fsmall")),
                (theirs, askings_of_gitea(theirs, f"/repos/{_gitea.USER}/small")),
                SECONDS,
            )
    table = _table(rates, timed)
    print(table)
    write_section(TITLE, f"{_about()}\n\n{table}")


def _table(rates: dict[str, tuple[float, float]], timed: Timed) -> str:
    rows = ["| Work | Ingot | Gitea | Ingot is faster by |", "|---|---:|---:|---:|"]
    for name, (ours, theirs) in rates.items():
        rows.append(f"| {name}, requests/s | {ours:.0f} | {theirs:.0f} | {_marked(ours / theirs)} |")
    for name, times in timed.items():
        ours, theirs = times["ingot"], times["gitea"]
        rows.append(f"| {name}, ms | {ours:.0f} | {theirs:.0f} | {_marked(theirs / ours)} |")
    return "\n".join(rows)


def _marked(advantage: float) -> str:
    """Bold where Gitea is the faster one."""
    return f"{advantage:.2f}" if advantage >= 1 else f"**{advantage:.2f}**"


def _about() -> str:
    return f"""\
{_gitea.version()} beside Ingot, both as they come, on SQLite, in one run. {CLIENTS} clients ask for reads and
writes, medians of {ROUNDS} rounds in turn; git is one client. Nothing is written while reads are asked for, so that
Ingot gives most answers again. Fields and pages differ: an answer of Ingot is that of GitLab's interface. Where Gitea
is faster the figure is **marked**."""


if __name__ == "__main__":
    main()
