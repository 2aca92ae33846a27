"""Clone, fetch and push with the git client, against bare git behind nginx in the same run: ratios, not absolutes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench import _bare_git
from bench._bare_git import BareGit
from bench._git_work import Timed, measure
from bench._ingot import Ingot

LIMITS = {"small clone": 1.3, "fetch of nothing": 1.3, "clone of 60 MB": 1.1, "push of one commit": 2.0}


def run(folder: Path) -> Timed:
    """Both services side by side."""
    with Ingot(folder / "ingot") as ingot, BareGit(folder / "bare") as bare:
        small = {"ingot": ingot.create("small"), "bare": bare.create("small")}
        large = {"ingot": ingot.create("large"), "bare": bare.create("large")}
        return measure(folder, small, large)


def main() -> None:
    """Print the table, or what is missing."""
    if missing := _bare_git.missing():
        print(f"not measured: {' and '.join(missing)} not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        timed = run(Path(folder))
    print(f"{'git over HTTP':<20} {'ingot ms':>10} {'bare ms':>10} {'ratio':>7} {'limit':>7}")
    for name, times in timed.items():
        ratio = times["ingot"] / times["bare"]
        print(f"{name:<20} {times['ingot']:>10.1f} {times['bare']:>10.1f} {ratio:>7.2f} {LIMITS[name]:>7.1f}")


if __name__ == "__main__":
    main()
