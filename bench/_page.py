"""docs/benchmarks.md: a section for each bench that is kept, with the date, commit and machine of its own run."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
_BEGINNING = """# Benchmarks

Written by `make bench`; `python -m bench NAME` measures one section again. Compare figures of one section only:
sections may come from different runs, and the machine is seldom quiet.
"""
_HEADING = "\n## "


def write_section(title: str, text: str, chart: tuple[str, str] | None = None) -> None:
    """Put a section in the place of the one with the same title, or at the end. `chart` is a file's name and content.

    With INGOT_BENCH_PRINT_ONLY nothing is written.
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
    by_title[title] = f"{title}\n{_origin()}\n\n{text.strip()}{picture}"
    page.write_text(_BEGINNING + "".join(f"{_HEADING}{section}\n" for section in by_title.values()))


def _origin() -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=DOCS
    ).stdout.strip()
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit or 'unknown'}, {machine}, load of the machine"
        f" {os.getloadavg()[0]:.1f}."
    )
