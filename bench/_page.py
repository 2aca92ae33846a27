"""docs/benchmarks.md: a section for each bench that is kept, with the date, commit and machine of its own run."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from bench import _machine

DOCS = Path(__file__).parent.parent / "docs"
_BEGINNING = """# Benchmarks

Written by `make bench`; `python -m bench NAME` measures one section again. Compare figures of one section only:
sections may come from different runs, and the machine is seldom quiet.
"""
_HEADING = "\n## "


def write_section(title: str, text: str, chart: tuple[str, str] | None = None, *, postgres: str = "") -> None:
    """Put a section in the place of the one with the same title, or at the end. `chart` is a file's name and content.

    `postgres` is the version of the server, if there was one. With INGOT_BENCH_PRINT_ONLY nothing is written.
    """
    if os.environ.get("INGOT_BENCH_PRINT_ONLY"):
        return
    page = DOCS / "benchmarks.md"
    _, *sections = page.read_text().split(_HEADING) if page.exists() else [""]
    by_title = {section.partition("\n")[0]: section.strip("\n") for section in sections}
    picture = ""
    if chart is not None:
        name, content = chart
        (DOCS / name).write_text(content)
        picture = f"\n\n![{title}]({name})"
    by_title[title] = f"{title}\n{origin(postgres)}\n\n{text.strip()}{picture}"
    page.write_text(_BEGINNING + "".join(f"{_HEADING}{section}\n" for section in by_title.values()))


def has_section(title: str) -> bool:
    """Whether there is one with this title."""
    page = DOCS / "benchmarks.md"
    return page.exists() and f"{_HEADING}{title}\n" in page.read_text()


def origin(postgres: str = "") -> str:
    """When, what and on what was measured."""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {_machine.source()}, {_machine.machine()},"
        f" {_machine.programs(postgres)}, load of the machine {os.getloadavg()[0]:.1f}."
    )


def marked(ratio: float, most: float) -> str:
    """A ratio, bold where it is above the most that it may be."""
    return f"{ratio:.2f}" if ratio <= most else f"**{ratio:.2f}**"
