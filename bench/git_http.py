"""Clone, fetch and push with the git client, against bare git behind nginx in the same run: ratios, not absolutes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench import _bare_git, _chart
from bench._bare_git import BareGit
from bench._git_work import Timed, measure
from bench._ingot import Ingot
from bench._page import write_section

LIMITS = {"small clone": 1.3, "fetch of nothing": 1.3, "clone of 60 MB": 1.1, "push of one commit": 2.0}

ABOUT = """\
The git client against `ingot serve`, and against nginx with `git http-backend`, in turn; medians. Both ask for a
password, which git sends after a first refusal."""


def run(folder: Path) -> Timed:
    """Both services side by side."""
    with Ingot(folder / "ingot") as ingot, BareGit(folder / "bare") as bare:
        small = {"ingot": ingot.create("small"), "bare": bare.create("small")}
        large = {"ingot": ingot.create("large"), "bare": bare.create("large")}
        return measure(folder, small, large)


def main() -> None:
    """Print the table and write it down, or say what is missing."""
    if missing := _bare_git.missing():
        print(f"not measured: {' and '.join(missing)} not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        timed = run(Path(folder))
    table = _table(timed)
    print(table)
    pairs = [(name, times["ingot"], times["bare"]) for name, times in timed.items() if name != "clone of 60 MB"]
    chart = _chart.bars(pairs, "ms of the client's command (dark), bare git behind nginx (light)")
    write_section("Git over HTTP", f"{ABOUT}\n\n{table}", ("benchmarks-git.svg", chart))


def _table(timed: Timed) -> str:
    head = "| Command | Ingot ms | bare git ms | ratio | goal |\n|---|---:|---:|---:|---:|"
    rows = [
        f"| {name} | {times['ingot']:.0f} | {times['bare']:.0f} | {times['ingot'] / times['bare']:.2f}"
        f" | {LIMITS[name]:.1f} |"
        for name, times in timed.items()
    ]
    return "\n".join([head, *rows])


if __name__ == "__main__":
    main()
