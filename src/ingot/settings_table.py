"""The settings as the table of `docs/operating.md`: `python -m ingot.settings_table docs/operating.md` renews it."""

import re
import sys
from dataclasses import fields
from pathlib import Path

from ingot.settings import Settings

BEGIN, END = "<!-- settings: generated -->", "<!-- settings: end -->"


def table() -> str:
    """All settings in their order, as Markdown."""
    rows = ["| Setting | Variable | Default | Meaning |", "|---|---|---|---|"]
    for spec in fields(Settings):
        default = str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)
        shown = f"`{default}`" if default else ""
        rows.append(f"| `{spec.name}` | `INGOT_{spec.name.upper()}` | {shown} | {spec.metadata['doc']} |")
    return "\n".join(rows)


def renewed(text: str) -> str:
    """The page with a table that fits this version."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{BEGIN}\n{table()}\n{END}", text)


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(renewed(page.read_text()))
