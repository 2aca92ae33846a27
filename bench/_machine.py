"""What a bench ran on: the machine and the programs that the figures depend on."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
# A page of results that was just written is no change of what was measured.
_MEASURED = (":/src", ":/bench", ":/requirements", ":/pyproject.toml")


def source() -> str:
    """The commit that was measured, and whether the files differ from it."""
    commit = _git("rev-parse", "--short", "HEAD") or "unknown"
    return f"{commit} with uncommitted changes" if _git("status", "--porcelain", "--", *_MEASURED) else commit


def machine() -> str:
    """Processor and memory."""
    return f"{os.cpu_count()} cores of {_processor()} ({platform.machine()}), {_memory():.0f} GB of memory"


def programs(postgres: str = "") -> str:
    """Versions, that of PostgreSQL where a bench names it."""
    names = [f"Python {platform.python_version()}", _git("version").replace(" version", ""),
             f"SQLite {sqlite3.sqlite_version}"]  # fmt: skip
    return ", ".join([*names, f"PostgreSQL {postgres}"] if postgres else names)


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "an unnamed processor")


def _memory() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False, cwd=HERE).stdout.strip()
